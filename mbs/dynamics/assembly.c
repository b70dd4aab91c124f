/* Assembly: makes a state consistent.
 *
 * q are the poses, q° those at the beginning, v the velocities. g are the residuals of the constraints, G = ∂g/∂q, f'
 * the rates of prescribed motions. Changes have the least norm, usually Σ dx² + dy² + L² dφ² with the size L of the
 * mechanism. Hence the weights W = (1, 1, 1/L²) of each body. If the poses of some but not all bodies are marked as
 * rough, the other bodies have almost no weight in W. They do not move if the loops close without them.
 *
 *   positions      g(q) = (1 - τ) g(q°), τ from 0 to 1, defines a curve of poses, the path. Newton steps follow it:
 *                  dq = -W Gᵀ (G W Gᵀ)⁻¹ (g - (1 - τ) g(q°)). The path stays on the branch on which it begins. Where it
 *                  would have to leave this branch, G loses rank, and assembly fails.
 *   velocities     v ← v - W Gᵀ (G W Gᵀ)⁻¹ (G v - f'); then the rates of two-sided contacts are made zero
 *                  (contact_rows.c)
 *   accelerations  dynamics.c
 *
 * The rank of G gives the dependent constraints and the degrees of freedom. The matrix D G W^½ has the same rank, and
 * its entries do not depend on the unit of length. D is diagonal: 1 for a constraint of a length, L for one of an
 * angle. The singular values of D G W^½ are the roots of the eigenvalues of S = D G W Gᵀ D, and |S⁻¹| gives a lower
 * bound of the smallest one. If this bound is far from zero, the rank is full. Otherwise a QR factorisation finds the
 * rank and the dependent constraints.
 *
 * A constraint depends on others because it is redundant, or because the configuration is singular. A small motion of
 * the mechanism distinguishes the two cases: only redundant constraints still depend on others after it. */
#include "mbs/dynamics/assembly.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/dynamics/scales.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/rank.h"

/* ---- Positions ---- */

typedef struct path {
  const double *weight; /* (3 (n + 1)) diagonal of W */
  double *q;            /* (3n) last pose on the path */
  double *trial;        /* (3n) iterate of Newton's method */
  double *g_start;      /* (m) g(q°) */
  double tau;           /* τ of the pose q */
  double length;        /* sum of largest_change() over all steps up to q */
  bool is_soft;         /* true: the diagonal of S = G W Gᵀ is slightly enlarged */
} path;

/* Returns the largest of |dx|/L, |dy|/L, |dφ| over all bodies, with the size L of the mechanism. */
static double largest_change(const mbs_model *model, const double *dq) {
  double largest = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++) {
    const double change = fabs(dq[i]) / (i % 3 == 2 ? 1 : model->size);
    if (!(change <= largest))
      largest = change;
  }
  return largest;
}

/* Returns the number of the first row of a prescribed acceleration. These rows come last, and have no residual g. */
static int first_prescribed(const mbs_model *model) { return model->n_rows - model->n_prescribed; }

/* Does one Newton step of p->trial towards the pose with g = (1 - tau) g_start. Returns the largest_change() of the
 * step, or infinity if S is singular. If p->is_soft, a slightly enlarged diagonal makes S regular even with redundant
 * constraints. If these do not contradict the others, Newton's method still converges to that pose. But very close to a
 * singular pose S has small pivots, and the enlarged diagonal makes steps too short. */
static double newton_step(mbs_workspace *ws, const path *p, const mbs_state *state, double tau) {
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  mbs_stage_kinematics(ws, p->trial, state->v);
  mbs_stage_constraints(ws, state->t);
  for (int i = first_prescribed(model); i < model->n_rows; i++)
    memset(ws->G[i], 0, sizeof ws->G[i]);
  mbs_elimination_fill(&model->elimination, (const double(*)[6])ws->G, p->weight, ws->workers, ws->solver);
  if (p->is_soft)
    mbs_elimination_soften(&model->elimination, mbs_path_softness, ws->solver);
  for (int i = first_prescribed(model); i < model->n_rows; i++)
    mbs_exclude_row(ws, i);
  mbs_exclude_free_rows(ws, ws->solver);
  if (seam_ldl_factor(ws->solver) >= 0)
    return INFINITY;
  for (int i = 0; i < model->n_rows; i++)
    ws->row[i] = i < first_prescribed(model) ? ws->g[i] - (1 - tau) * p->g_start[i] : 0;
  seam_ldl_solve(ws->solver, model->n_rows, ws->row);
  memset(ws->correction, 0, (size_t)n * sizeof(double));
  mbs_add_WGt(ws, p->weight, -1, ws->row, ws->correction);
  for (int i = 0; i < n; i++)
    p->trial[i] += ws->correction[i];
  return largest_change(model, ws->correction);
}

/* Returns true if p->trial satisfies g = (1 - tau) g_start; not so if redundant constraints contradict others. */
static bool has_reached(mbs_workspace *ws, const path *p, const mbs_state *state, double tau) {
  const double met = mbs_path_reached + mbs_least_error * mbs_farthest(ws->model, p->trial) / ws->model->size;
  mbs_stage_kinematics(ws, p->trial, state->v);
  mbs_stage_residuals(ws, state->t);
  for (int i = 0; i < first_prescribed(ws->model); i++)
    if (!(fabs(ws->g[i] - (1 - tau) * p->g_start[i]) <= met * mbs_unit_of_row(ws->model, i)))
      return false;
  return true;
}

/* Sets p->trial to the pose at `tau` by Newton's method from p->q. softly: with the enlarged diagonal of S. Returns
 * false if the pose violates constraints, or converges so slowly that it may be off the path. */
static bool reach(mbs_workspace *ws, path *p, const mbs_state *state, double tau, bool softly) {
  const double rounding = softly ? mbs_soft_path_rounding : mbs_path_rounding; /* larger if S may be singular */
  p->is_soft = softly;
  memcpy(p->trial, p->q, 3 * (size_t)ws->model->n_bodies * sizeof(double));
  double change = newton_step(ws, p, state, tau);
  if (!(change <= mbs_path_step))
    return false;
  for (int k = 0; k < MBS_MAX_PATH_NEWTON; k++) {
    const double before = change;
    change = newton_step(ws, p, state, tau);
    if (change <= mbs_path_converged)
      return has_reached(ws, p, state, tau);
    if (!(change <= before / 4))
      return change <= rounding && has_reached(ws, p, state, tau); /* slow, unless only round-off is left */
  }
  return false;
}

static int worst_row(mbs_workspace *ws, const path *p, const mbs_state *state) {
  mbs_stage_kinematics(ws, p->q, state->v);
  mbs_stage_residuals(ws, state->t);
  int worst = 0;
  for (int i = 0; i < first_prescribed(ws->model); i++)
    if (fabs(ws->g[i]) > fabs(ws->g[worst]))
      worst = i;
  return worst;
}

static seam_status cannot_close(mbs_workspace *ws, const path *p, const mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const int worst = worst_row(ws, p, state);
  const mbs_joint *joint = &model->joints[model->joint_of_row[worst]];
  char cause[200] =
      "lengths do not fit, or the joint closes only on another branch; change lengths, places or the start";
  if (model->n_rows > mbs_n_movable(model))
    snprintf(
        cause, sizeof cause,
        "there are %d constraints for %d coordinates: a joint, motion or motor may be too many, or lengths do not fit",
        model->n_rows, mbs_n_movable(model));
  return seam_fail_about(
      error, SEAM_NOT_ASSEMBLED, joint->name,
      "joint '%s' cannot close: its residual %s stays at %.6g, where the mechanism becomes singular; %s", joint->name,
      joint->type->residual[worst - joint->row], ws->g[worst], cause);
}

/* Follows the path to tau = 1. The number of allowed steps grows with p->length. Fails before the first step if a
 * residual is so large that displacements and rotations of the longest allowed path could not remove it. */
static seam_status follow_path(mbs_workspace *ws, path *p, const mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  double step = 1;
  double largest = 0;
  for (int i = 0; i < first_prescribed(model); i++)
    largest = fmax(largest, fabs(p->g_start[i]) / mbs_unit_of_row(model, i));
  const bool is_beyond = largest > 4 * mbs_longest_path;
  for (int trial = 0; p->tau < 1; trial++) {
    if (trial >= MBS_MAX_PATH_TRIALS * (1 + p->length))
      return cannot_close(ws, p, state, error);
    if (p->length > mbs_longest_path || is_beyond) {
      const char *name = model->joints[model->joint_of_row[worst_row(ws, p, state)]].name;
      return seam_fail_about(error, SEAM_BAD_INPUT, name,
                             "'%s' cannot be met from the initial poses, because bodies would move by more than %g rad "
                             "or %g sizes of the mechanism; give the bodies nearer initial poses",
                             name, mbs_longest_path, mbs_longest_path);
    }
    const double tau = p->tau + step < 1 ? p->tau + step : 1;
    if (reach(ws, p, state, tau, true) || (step < mbs_exact_path_step && reach(ws, p, state, tau, false))) {
      for (int i = 0; i < n; i++)
        p->q[i] = p->trial[i] - p->q[i];
      p->length += largest_change(model, p->q);
      memcpy(p->q, p->trial, (size_t)n * sizeof(double));
      p->tau = tau;
      step *= 2;
    } else {
      step /= 2;
      if (step < mbs_shortest_path_step)
        return cannot_close(ws, p, state, error);
    }
  }
  return SEAM_OK;
}

static seam_status close_loops(mbs_workspace *ws, const double *weight, mbs_state *state, bool as_far,
                               seam_error *error) {
  const size_t n = 3 * (size_t)ws->model->n_bodies;
  const size_t m = (size_t)ws->model->n_rows;
  if (m == 0)
    return SEAM_OK;
  double *memory = malloc((2 * n + m) * sizeof *memory);
  if (memory == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to assemble %zu coordinates", n);
  path p = {.weight = weight, .q = memory, .trial = memory + n, .g_start = memory + 2 * n};
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_residuals(ws, state->t);
  memcpy(p.q, state->q, n * sizeof *p.q);
  memcpy(p.g_start, ws->g, m * sizeof *p.g_start);
  const seam_status status = follow_path(ws, &p, state, error);
  if (status == SEAM_OK || as_far)
    memcpy(state->q, p.q, n * sizeof *p.q);
  free(memory);
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  return status;
}

seam_status mbs_close_loops(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  return close_loops(ws, ws->model->assembly_weight, state, false, error);
}

seam_status mbs_close_loops_in(mbs_workspace *ws, const double *weight, mbs_state *state, seam_error *error) {
  return close_loops(ws, weight, state, false, error);
}

seam_status mbs_follow_path(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  return close_loops(ws, ws->model->assembly_weight, state, true, error);
}

/* Gives a tiny weight to bodies whose initial poses are not marked as rough. If the loops then do not close, or if all
 * or no bodies are marked, all bodies have their usual weights. */
static seam_status close_loops_by_rough_bodies(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  const size_t n = 3 * ((size_t)model->n_bodies + 1);
  int n_rough = 0;
  for (int b = 1; b <= model->n_bodies && model->is_rough != NULL; b++)
    n_rough += model->is_rough[b];
  double *weight = n_rough > 0 && n_rough < model->n_bodies ? malloc(n * sizeof *weight) : NULL;
  for (size_t i = 0; i < n && weight != NULL; i++)
    weight[i] = model->assembly_weight[i] * (model->is_rough[i / 3] ? 1 : mbs_fixed_body_weight);
  const bool is_closed = weight != NULL && close_loops(ws, weight, state, false, NULL) == SEAM_OK;
  free(weight);
  return is_closed ? SEAM_OK : mbs_close_loops(ws, state, error);
}

/* ---- Rank ---- */

/* Fills W^½ Gᵀ D in compressed columns: column i belongs to scalar constraint i. */
static void compress_Gt(const mbs_workspace *ws, int *start, int *row, double *value) {
  const mbs_model *model = ws->model;
  int k = 0;
  for (int i = 0; i < model->n_rows; i++) {
    const mbs_joint *joint = &model->joints[model->joint_of_row[i]];
    const int early = joint->body[0] > joint->body[1]; /* side with the smaller body number comes first */
    start[i] = k;
    for (int pass = 0; pass < 2; pass++) {
      const int side = pass == 0 ? early : 1 - early;
      for (int c = 0; c < 3 && joint->body[side] != 0; c++, k++) {
        row[k] = 3 * (joint->body[side] - 1) + c;
        value[k] = ws->G[i][3 * side + c] * model->size / mbs_unit_of_row(model, i) / (c == 2 ? model->size : 1);
      }
    }
  }
  start[model->n_rows] = k;
}

/* Returns true if the rank is certainly full. */
static bool has_full_rank(const mbs_workspace *ws) {
  const mbs_model *model = ws->model;
  seam_ldl *solver = seam_ldl_create(model->elimination.plan);
  double *scratch = malloc((2 * (size_t)model->n_rows + 1) * sizeof *scratch);
  double(*DG)[6] = calloc((size_t)model->n_rows + 1, sizeof *DG);
  bool is_full = false;
  double largest = 0; /* largest |row|² of D G W^½ */
  for (int i = 0; i < model->n_rows && DG != NULL; i++) {
    double square = 0;
    for (int k = 0; k < 6; k++) {
      DG[i][k] = ws->G[i][k] * model->size / mbs_unit_of_row(model, i);
      square += DG[i][k] * DG[i][k] / (k % 3 == 2 ? model->size * model->size : 1);
    }
    largest = fmax(largest, square);
  }
  if (solver != NULL && scratch != NULL && DG != NULL) {
    mbs_elimination_fill(&model->elimination, (const double(*)[6])DG, model->assembly_weight, NULL, solver);
    mbs_exclude_free_rows(ws, solver);
    is_full = seam_ldl_factor(solver) < 0 &&
              seam_ldl_inverse_norm(solver, model->n_rows, scratch) * mbs_full_rank * largest < 1;
  }
  seam_ldl_destroy(solver);
  free(scratch);
  free(DG);
  return is_full;
}

seam_status mbs_constraint_rank(const mbs_workspace *ws, int *rank, int *dependent, seam_error *error) {
  const size_t m = (size_t)ws->model->n_rows;
  *rank = ws->model->n_rows;
  if (m == 0 || has_full_rank(ws))
    return SEAM_OK;
  int *start = malloc((m + 1) * sizeof *start);
  int *row = malloc((6 * m + 1) * sizeof *row);
  double *value = malloc((6 * m + 1) * sizeof *value);
  seam_status status = SEAM_NO_MEMORY;
  if (start == NULL || row == NULL || value == NULL) {
    seam_fail(error, status, "no memory to find the rank of %zu constraints", m);
  } else {
    compress_Gt(ws, start, row, value);
    status = seam_column_rank(3 * ws->model->n_bodies, (int)m, start, row, value, rank, dependent, error);
    const int n_dependent = ws->model->n_rows - *rank;
    int n_nonzero = 0; /* number of dependent rows, not counting the zero rows of joints whose friction slips */
    for (int i = 0; i < n_dependent && status == SEAM_OK && ws->model->n_stick_rows > 0; i++)
      if (!mbs_is_stick_row(ws->model, dependent[i]) || !mbs_is_excluded(ws, dependent[i]))
        dependent[n_nonzero++] = dependent[i];
    if (status == SEAM_OK && ws->model->n_stick_rows > 0)
      *rank += n_dependent - n_nonzero;
  }
  free(start);
  free(row);
  free(value);
  return status;
}

seam_status mbs_check_rank(mbs_workspace *ws, mbs_assembly *report, size_t *redundant, seam_error *error) {
  const mbs_model *model = ws->model;
  int rank = 0;
  for (int k = 0; k < model->n_hard; k++)
    report->n_two_sided += mbs_is_two_sided(&model->forces[model->hard[k]]);
  report->degrees_of_freedom = (size_t)mbs_n_movable(model) - report->n_two_sided;
  if (model->n_rows == 0)
    return SEAM_OK;
  int *dependent = malloc((size_t)model->n_rows * sizeof *dependent);
  if (dependent == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to assemble %d bodies", model->n_bodies);
  seam_status status = mbs_constraint_rank(ws, &rank, dependent, error);
  const int n_redundant = model->n_rows - rank;
  if (status == SEAM_OK) {
    report->rank = (size_t)(rank - model->n_stick_rows);
    report->degrees_of_freedom -= report->rank;
    report->n_redundant = (size_t)n_redundant;
    for (int i = 0; i < n_redundant && redundant != NULL; i++)
      redundant[i] = (size_t)dependent[i];
  }
  if (status == SEAM_OK && n_redundant > model->n_redundant) {
    char names[512] = ""; /* "joint.g_x, joint.g_y, ..." */
    size_t used = 0;
    for (int i = 0; i < n_redundant && used < sizeof names; i++) {
      const mbs_joint *joint = &model->joints[model->joint_of_row[dependent[i]]];
      const int written = snprintf(names + used, sizeof names - used, "%s%s.%s", i == 0 ? "" : ", ", joint->name,
                                   joint->type->residual[dependent[i] - joint->row]);
      used += written > 0 ? (size_t)written : 0;
    }
    status = seam_fail(error, SEAM_SINGULAR,
                       "the configuration is singular: %s depend%s on earlier constraints; change the start", names,
                       n_redundant == 1 ? "s" : "");
  }
  free(dependent);
  return status;
}

static seam_status check_freedom(const mbs_model *model, const mbs_assembly *report, seam_error *error) {
  bool is_driven = false;
  for (int j = 0; j < model->n_joints; j++)
    is_driven = is_driven || model->joints[j].type->is_rheonomic || model->joints[j].type->is_prescribed;
  if (report->degrees_of_freedom > 0 || model->n_joints == 0 || is_driven)
    return SEAM_OK;
  const char *last = model->joints[model->n_joints - 1].name;
  return seam_fail_about(error, SEAM_NOT_ASSEMBLED, last,
                         "the mechanism is locked: its constraints leave none of its %d coordinates free, and joint "
                         "'%s' removes the last one; remove a joint",
                         mbs_n_movable(model), last);
}

/* ---- Redundant constraints ---- */

/* Changes q a little along a motion of all degrees of freedom. The workspace must have G and the factors of S. */
static void displace_slightly(mbs_workspace *ws, mbs_state *state) {
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  const double length = mbs_little_motion * model->size;
  for (int i = 0; i < n; i++)
    state->v[i] = (i % 3 == 2 ? 1 / model->size : 1) * sin(1 + 2.4 * i);
  for (int pass = 0; pass < 2; pass++) {
    mbs_multiply_G(ws, state->v, ws->row);
    mbs_solve(ws, ws->row);
    mbs_add_WGt(ws, model->assembly_weight, -1, ws->row, state->v);
  }
  for (int i = 0; i < n; i++) {
    state->q[i] += length * state->v[i];
    state->v[i] = 0;
  }
}

/* Closes the loops and lists the dependent constraints. Returns their number; 0 also after a failure. */
static int count_dependent(mbs_workspace *ws, mbs_state *state, int *dependent) {
  int rank = 0;
  seam_status status = mbs_close_loops(ws, state, NULL);
  THEN(status, mbs_constraint_rank(ws, &rank, dependent, NULL));
  return status == SEAM_OK ? ws->model->n_rows - rank : 0;
}

seam_status mbs_find_redundancy(mbs_model *model, seam_error *error) {
  const seam_ldl_plan *plan = model->elimination.plan;
  const size_t m = (size_t)model->n_rows;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  int *dependent_displaced = malloc((m + 1) * sizeof *dependent_displaced);
  int *dependent = malloc((m + 1) * sizeof *dependent);
  seam_status status = mbs_workspace_create(model, &ws, error);
  THEN(status, mbs_state_create(model, &state, error));
  if (status != SEAM_OK || dependent_displaced == NULL || dependent == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory to examine %zu constraints", m);
  } else {
    const int n_dependent = count_dependent(ws, state, dependent);
    if (n_dependent > 0)
      displace_slightly(ws, state);
    if (n_dependent > 0 && count_dependent(ws, state, dependent_displaced) == n_dependent) {
      model->n_redundant = n_dependent;
      model->redundant = dependent;
      for (int i = 0; i < n_dependent; i++)
        model->is_redundant[dependent[i]] = true;
      dependent = NULL;
      model->n_cleared = seam_ldl_couplings(plan, model->n_rows, model->is_redundant, NULL);
      model->cleared = malloc(((size_t)model->n_cleared + 1) * sizeof *model->cleared);
      if (model->cleared == NULL)
        status = seam_fail(error, SEAM_NO_MEMORY, "no memory for %d redundant constraints", model->n_redundant);
      else
        seam_ldl_couplings(plan, model->n_rows, model->is_redundant, model->cleared);
    }
  }
  free(dependent);
  free(dependent_displaced);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  return status;
}

/* ---- Velocities ---- */

static seam_status assemble_velocities(mbs_workspace *ws, mbs_state *state, seam_error *error) {
  const mbs_model *model = ws->model;
  mbs_stage_kinematics(ws, state->q, state->v);
  mbs_stage_constraints(ws, state->t);
  const int dependent = mbs_stage_factor(ws, model->assembly_weight);
  if (dependent >= 0)
    return mbs_singular(model, state->t, dependent, error);
  for (int pass = 0; pass < 2; pass++) { /* the second pass removes the round-off of the first */
    mbs_constraint_rate(ws, state->v, ws->row);
    mbs_solve(ws, ws->row);
    mbs_add_WGt(ws, model->assembly_weight, -1, ws->row, state->v);
  }
  return ws->unilateral != NULL ? mbs_assemble_two_sided(ws, state, error) : SEAM_OK;
}

/* ---- Assembly ---- */

static void report_displacements(const mbs_model *model, const mbs_state *state, mbs_assembly *report) {
  const double *q0 = model->placed != NULL ? model->placed : model->initial;
  const double *v0 = model->initial + 3 * model->n_bodies;
  for (size_t b = 0; b < (size_t)model->n_bodies; b++) {
    const double counts = model->is_rough != NULL && model->is_rough[b + 1] ? 0 : 1;
    const double displacement = counts * hypot(state->q[3 * b] - q0[3 * b], state->q[3 * b + 1] - q0[3 * b + 1]);
    const double rotation = counts * fabs(state->q[3 * b + 2] - q0[3 * b + 2]);
    double correction = 0;
    for (size_t i = 3 * b; i < 3 * b + 3; i++)
      correction = fmax(correction, fabs(state->v[i] - v0[i]));
    if (displacement > report->largest_move)
      report->largest_move = displacement, report->moved_body = b;
    if (rotation > report->largest_turn)
      report->largest_turn = rotation, report->turned_body = b;
    if (correction > report->largest_velocity_correction)
      report->largest_velocity_correction = correction, report->velocity_corrected_body = b;
  }
}

seam_status mbs_assemble_loosely(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                                 seam_error *error) {
  const mbs_model *model = ws->model;
  mbs_assembly unread;
  TRY(mbs_state_check("mbs_assemble", model, state, error));
  if (report == NULL)
    report = &unread;
  *report = (mbs_assembly){.degrees_of_freedom = (size_t)mbs_n_movable(model)};
  seam_status status = close_loops_by_rough_bodies(ws, state, error);
  THEN(status, mbs_check_rank(ws, report, redundant, error));
  THEN(status, check_freedom(model, report, error));
  THEN(status, assemble_velocities(ws, state, error));
  if (status == SEAM_OK) { /* forces that are not finite at the start are a failure of assembly */
    seam_error cause = {0};
    status = mbs_sample(ws, state, &cause);
    THEN(status, mbs_evaluate(ws, state, &cause));
    if (status != SEAM_OK)
      status = seam_fail(error, status == SEAM_NOT_FINITE ? SEAM_NOT_ASSEMBLED : status, "%s", cause.message);
  }
  report_displacements(model, state, report);
  return status;
}

void mbs_placed_pose(const mbs_model *model, size_t body, double pose[3]) {
  if (model != NULL && pose != NULL && model->placed != NULL && body < (size_t)model->n_bodies)
    memcpy(pose, model->placed + 3 * body, 3 * sizeof *pose);
}

seam_status mbs_assemble(mbs_workspace *ws, mbs_state *state, mbs_assembly *report, size_t *redundant,
                         seam_error *error) {
  ARGUMENTS(error, ws, state);
  TRY(mbs_assemble_loosely(ws, state, report, redundant, error));
  const mbs_model *model = ws->model;
  mbs_constraint_rate(ws, state->v, ws->row); /* the rates of constraints that are not redundant are zero */
  double speed = model->scales.speed;
  for (int i = 0; i < 3 * model->n_bodies; i++)
    speed = fmax(speed, fabs(state->v[i]) * (i % 3 == 2 ? model->size : 1));
  for (int i = 0; i < model->n_redundant; i++) {
    const int row = model->redundant[i];
    const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
    if (fabs(ws->row[row]) > mbs_redundant_met * speed * mbs_unit_of_row(model, row) / model->size)
      return seam_fail_about(error, SEAM_NOT_ASSEMBLED, joint->name,
                             "joint '%s' contradicts other joints: the rate of its residual %s is %.3g, not 0; remove "
                             "the joint, or change its law or speed",
                             joint->name, joint->type->residual[row - joint->row], ws->row[row]);
  }
  return SEAM_OK;
}
