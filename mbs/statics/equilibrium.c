/* Static equilibrium: Gᵀ λ = Q, g = 0, v = 0, with forces Q, residuals g of the constraints, G = ∂g/∂q, and multipliers
 * λ.
 *
 * A mechanism that is released from rest has accelerations a. In the minimal coordinates ζ (z in minimal.h) they are r
 * = Nᵀ M a, with N and the masses M of minimal.h; r = 0 at an equilibrium. With K = ∂r/∂ζ, Newton's step δζ = -K⁻¹ r
 * would lead to stable and unstable equilibria alike. An imagined creeping motion with the velocity ζ' = r leads to
 * stable ones only. A step of its linearised implicit Euler method over the time 1/σ,
 *
 *   (σ - K) δζ = r,
 *
 * is Newton's step for σ = 0. The step follows the forces if σ is larger than the largest eigenvalue of K (Kelley,
 * Keyes: Convergence analysis of pseudo-transient continuation, SIAM J. Numer. Anal. 35, 1998). So σ is 0 if all
 * eigenvalues are negative. A radius limits the length of a step. A step is rejected if the forces, averaged over its
 * ends, do no positive work in it; then the radius becomes a quarter of this step's length. The search leaves an
 * unstable equilibrium along the eigenvector of the largest eigenvalue of K. With laws of quantities, variables or
 * skates (constraints on velocities alone) K is unsymmetric: equilibrium_with_states.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/assembly.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"
#include "mbs/statics/equilibrium_with_states.h"
#include "mbs/statics/norms.h"
#include "mbs/statics/stiffness.h"
#include "mbs/thresholds.h"

/* ---- The search in a model with given contacts ---- */

typedef struct search {
  mbs_workspace *ws;
  mbs_state *state;
  mbs_stiffness *stiffness;
  mbs_state *start, *trial;
  int n;           /* number of coordinates of all bodies */
  double *step;    /* (n) change of q */
  double *weight;  /* (3 + n) for mbs_close_loops_in(), which restores g = 0 after a step */
  double radius;   /* largest length of a step (mbs_displacement_length()) */
  bool has_memory; /* memory has been sufficient so far */
} search;

static bool is_stable(const search *s) {
  return mbs_stiffness_growth(s->stiffness) <= mbs_stiffness_neutral(s->stiffness);
}

/* Returns σ of the next step: twice the largest eigenvalue of K if it is positive, 0 if it is negative. If it is zero
 * up to round-off, σ is twice this round-off or, without any stiffness, 1 / (time scale)². */
static double shift(const search *s) {
  const double time = s->ws->model->scales.time;
  const double growth = mbs_stiffness_growth(s->stiffness);
  const double neutral = mbs_stiffness_neutral(s->stiffness);
  if (!is_stable(s))
    return 2 * growth;
  if (growth < -neutral)
    return 0;
  return neutral > 0 ? 2 * neutral : 1 / (time * time);
}

/* Fills s->step, which has the direction of the accelerations if σ - K is singular. Limits it by the radius, and
 * rotations by mbs_equilibrium_max_rotation. Returns its mbs_displacement_length() before these limits. */
static double compute_step(search *s) {
  const double *mass = s->ws->model->mass + 3;
  for (int i = 0; i < s->n; i++)
    s->step[i] = mass[i] * s->state->a[i];
  const seam_status status = mbs_stiffness_solve(s->stiffness, shift(s), s->step, s->step);
  if (status != SEAM_OK)
    memcpy(s->step, s->state->a, (size_t)s->n * sizeof *s->step);
  s->has_memory = s->has_memory && status != SEAM_NO_MEMORY;
  const double length = mbs_displacement_length(s->ws->model, s->step);
  double rotation = 0;
  for (int i = 2; i < s->n; i += 3)
    rotation = fmax(rotation, fabs(s->step[i]));
  const double fraction = fmin(1, fmin(s->radius / length, mbs_equilibrium_max_rotation / rotation));
  for (int i = 0; i < s->n && fraction < 1; i++)
    s->step[i] *= fraction;
  return length;
}

static bool move(search *s) {
  mbs_state_copy(s->trial, s->state);
  for (int i = 0; i < s->n; i++)
    s->state->q[i] += s->step[i];
  seam_status status = mbs_close_loops_in(s->ws, s->weight, s->state, NULL);
  THEN(status, mbs_accelerate_from_rest(s->ws, s->state, NULL));
  s->has_memory = s->has_memory && status != SEAM_NO_MEMORY;
  return status == SEAM_OK;
}

/* Takes the step s->step; returns true if it is accepted. If the step fails, or the forces do no positive work in it,
 * restores the state and reduces the radius. Accepts steps as short as round-off whatever the work. */
static bool try_step(search *s) {
  const double length = mbs_displacement_length(s->ws->model, s->step);
  if (move(s) &&
      (mbs_work_of_displacement(s->ws->model, s->trial, s->state) > 0 || length < mbs_equilibrium_rounding_of_step)) {
    if (length >= s->radius / 2)
      s->radius *= 2;
    return true;
  }
  mbs_state_copy(s->state, s->trial);
  s->radius = length / 4;
  return false;
}

/* Follows the creeping motion to a stable equilibrium, in *steps steps. SEAM_NOT_CONVERGED: it leads to none. */
static seam_status creep(search *s, size_t *steps, seam_error *error) {
  double before = INFINITY;
  double drive = 0; /* aᵀ M a before the first step */
  int displacements = 0;
  for (*steps = 0; *steps < MBS_MAX_EQUILIBRIUM_STEPS; ++*steps) {
    TRY(mbs_accelerate_from_rest(s->ws, s->state, error));
    TRY(mbs_stiffness_compute(s->stiffness, s->state, error));
    if (*steps == 0)
      drive = mbs_mass_product(s->ws->model, s->state->a, s->state->a);
    const double length = compute_step(s);
    if (!s->has_memory)
      return seam_fail(error, SEAM_NO_MEMORY, "no memory to move %d bodies", s->ws->model->n_bodies);
    const bool at_rounding = length < mbs_equilibrium_rounding_of_step && length > before / 4;
    before = length;
    if (length <= mbs_equilibrium_converged || at_rounding) {
      if (is_stable(s))
        return SEAM_OK;
      if (displacements++ == MBS_MAX_EQUILIBRIUM_DISPLACEMENTS)
        return mbs_no_equilibrium(s->ws, s->state, "the search returned to an equilibrium that is not stable", error);
      mbs_stiffness_growing(s->stiffness, s->step); /* leave the equilibrium along the motion that grows fastest */
      const double scale = mbs_equilibrium_displaced / mbs_displacement_length(s->ws->model, s->step);
      for (int i = 0; i < s->n; i++)
        s->step[i] *= scale;
      if (!move(s))
        mbs_state_copy(s->state, s->trial);
      s->radius = mbs_equilibrium_radius;
      before = INFINITY;
    } else if (!try_step(s) && s->has_memory && s->radius < mbs_equilibrium_least_radius)
      return mbs_no_equilibrium(s->ws, s->state, "no step of the search reduces the forces", error);
    if (mbs_has_run_away(s->ws->model, s->start, s->state))
      return mbs_no_equilibrium(s->ws, s->state, "the mechanism moves ever farther", error);
  }
  const char *cause = mbs_reason_of_failure(s->ws->model, s->state, drive, "the search took too many steps");
  return mbs_no_equilibrium(s->ws, s->state, cause, error);
}

/* Writes the residuals of *state, the state that was evaluated last in the workspace, into the report. */
static void report_residuals(mbs_workspace *ws, const mbs_state *state, mbs_equilibrium *report) {
  const mbs_model *model = ws->model;
  mbs_respond_sampled(ws, state);
  report->acceleration = largest_size(state->a, 3 * (size_t)model->n_bodies);
  report->rate = largest_size(ws->z_rates, (size_t)model->laws.first_state + (size_t)model->laws.n_variables);
  for (int i = 0; i < model->laws.n_variables; i++) {
    const mbs_variable *variable = &model->laws.variable[i];
    const double change = ws->response[model->laws.n_laws + i] - state->z[model->laws.first_state + i];
    if (variable->sample > 0 && mbs_is_function(&variable->response))
      report->rate = fmax(report->rate, fabs(change) / variable->sample);
  }
  report->gap = mbs_largest_row(ws, ws->g);
}

/* Sets a = 0. Replaces reactions that are not unique by those of least norm. */
static void store_reactions(mbs_workspace *ws, mbs_state *state) {
  memset(state->a, 0, 3 * (size_t)ws->model->n_bodies * sizeof *state->a);
  mbs_reduce_to_least_norm(ws, state);
}

static seam_status find(search *s, mbs_equilibrium *report, bool *neutral, seam_error *error) {
  memset(s->state->v, 0, (size_t)s->n * sizeof *s->state->v);
  seam_status status = mbs_close_loops(s->ws, s->state, error);
  mbs_assembly assembly = {0};
  THEN(status, mbs_check_rank(s->ws, &assembly, NULL, error));
  report->degrees_of_freedom = assembly.degrees_of_freedom;
  report->n_redundant = assembly.n_redundant;
  mbs_state_copy(s->start, s->state);
  const mbs_model *model = s->ws->model;
  for (int b = 0; b < model->n_bodies && neutral != NULL; b++)
    neutral[b] = false;
  TRY(status);
  if (mbs_n_responses(&model->laws) > 0 || model->n_nonholonomic > 0)
    TRY(mbs_find_equilibrium_with_states(s->ws, s->weight, s->state, report, neutral, error));
  else {
    if (mbs_stiffness_order(s->stiffness) > 0)
      TRY(creep(s, &report->steps, error));
    TRY(mbs_accelerate_from_rest(s->ws, s->state, error));
    TRY(mbs_stiffness_find_neutral(s->stiffness, error));
    for (int index = 0; mbs_stiffness_next_neutral(s->stiffness, &index, s->step);) {
      report->n_neutral++;
      mbs_mark_displaced(model, s->step, neutral);
    }
  }
  report_residuals(s->ws, s->state, report);
  store_reactions(s->ws, s->state);
  return SEAM_OK;
}

static seam_status search_from(mbs_workspace *ws, mbs_state *state, mbs_equilibrium *report, bool *neutral,
                               seam_error *error) {
  search s = {
      .ws = ws, .state = state, .n = 3 * ws->model->n_bodies, .radius = mbs_equilibrium_radius, .has_memory = true};
  s.step = calloc(2 * (size_t)s.n + 3, sizeof *s.step);
  seam_status status = mbs_stiffness_create(ws, &s.stiffness, error);
  THEN(status, mbs_state_create(ws->model, &s.start, error));
  THEN(status, mbs_state_create(ws->model, &s.trial, error));
  if (status == SEAM_OK && s.step == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory to find an equilibrium of %d bodies", ws->model->n_bodies);
  if (status == SEAM_OK) {
    s.weight = s.step + s.n;
    for (int i = 0; i < 3 + s.n; i++)
      s.weight[i] = ws->model->assembly_weight[i] * (i % 3 == 2 ? mbs_rotation_weight : 1);
  }
  THEN(status, find(&s, report, neutral, error));
  mbs_stiffness_destroy(s.stiffness);
  mbs_state_destroy(s.start);
  mbs_state_destroy(s.trial);
  free(s.step);
  return status;
}

/* ---- Stiff and hard contacts: stages with softer ones ---- */

/* Returns the weight of all bodies, N; without gravity, the sum of the forces on bodies in ws->Q, which an evaluation
 * must have filled; without forces, the scale of force. */
static double load_of_bodies(const mbs_workspace *ws) {
  const mbs_model *model = ws->model;
  double weight = 0;
  double load = 0;
  for (int b = 1; b <= model->n_bodies; b++) {
    weight += hypot(model->gravity_load[3 * b], model->gravity_load[3 * b + 1]);
    load += hypot(ws->Q[3 * b], ws->Q[3 * b + 1]);
  }
  return weight > 0 ? weight : load > 0 ? load : model->scales.force;
}

/* Makes *soft a model that shares everything with `model` but its own array of forces, which the caller frees. */
static seam_status create_soft(const mbs_model *model, mbs_model *soft, seam_error *error) {
  const size_t n = (size_t)model->n_forces;
  *soft = *model;
  soft->forces = malloc((n + 1) * sizeof *soft->forces);
  if (soft->forces == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu force elements", n);
  memcpy(soft->forces, model->forces, n * sizeof *soft->forces);
  return SEAM_OK;
}

/* Softens the contacts of *soft: a contact with the law k δ^n gets at most the stiffness load/δ°^n. Then its force is
 * at most `load`, N, up to the depth δ° = penetration times the size of the contact. Contacts, stops, ropes and cables
 * that are hard in `model` become compliant, with δ° = max(penetration, hardest) times their size. Returns the number
 * of contacts that a smaller `penetration` would make stiffer. */
static int soften(const mbs_model *model, double load, double penetration, double hardest, mbs_model *soft) {
  int n = 0;
  for (int i = 0; i < model->n_forces; i++) {
    const mbs_force *force = &model->forces[i];
    /* size of a contact: the sum of its radii, at most model->size; model->size without radii, and for cables */
    const double radii = force->cable == NULL ? fabs(force->radius[0]) + force->radius[1] : 0;
    const double size = radii > 0 ? fmin(radii, model->size) : model->size;
    if (force->type->compliant != NULL) {
      /* a soft contact has no modes; friction is zero at rest, so any slip_speed but 0 will do */
      const double lever = mbs_is_angle_stop(force) ? model->size : 1;
      mbs_force *compliant = &soft->forces[i];
      *compliant = *force;
      compliant->type = force->type->compliant;
      compliant->has_modes = false;
      compliant->contact.slip_speed = 1;
      compliant->elastic[0] = (mbs_elastic_law){.stiffness = load * lever * lever / (fmax(penetration, hardest) * size),
                                                .exponent = force->cable != NULL ? 0 : 1};
      n += penetration > hardest * mbs_soft_contact;
      continue;
    }
    for (int k = 0; k < force->type->n_coordinates; k++) {
      const mbs_elastic_law *law = &force->elastic[k];
      if (!(law->exponent > 0))
        continue;
      const double stiffness = load / pow(penetration * size, law->exponent);
      soft->forces[i].elastic[k].stiffness = fmin(law->stiffness, stiffness);
      n += stiffness < law->stiffness;
    }
  }
  return n;
}

/* Ends the search in a model with hard contacts. Penetrations in *state are a tenth of those in *before, so a linear
 * extrapolation of the pose makes them zero. Then contacts become hard. SEAM_NOT_CONVERGED: a body accelerates. */
static seam_status close_gaps(mbs_workspace *ws, const mbs_state *before, mbs_state *state, double load,
                              mbs_equilibrium *report, seam_error *error) {
  const mbs_model *model = ws->model;
  double mass = 0;
  for (int i = 0; i < 3 * model->n_bodies; i++) {
    state->q[i] += (state->q[i] - before->q[i]) / 9;
    mass += i % 3 == 0 ? model->mass[3 + i] : 0;
  }
  for (int z = 0; z < model->laws.first_state + model->laws.n_variables; z++)
    state->z[z] += (state->z[z] - before->z[z]) / 9;
  if (mbs_accelerate_from_rest(ws, state, NULL) == SEAM_OK)
    (void)mbs_project(ws, state->t, state->q, state->v, NULL);
  memset(state->v, 0, 3 * (size_t)model->n_bodies * sizeof *state->v);
  for (int k = 0; k < model->n_hard; k++)
    state->z[model->forces[model->hard[k]].state + MBS_HARD_MODE] = MBS_BY_MOTION;
  TRY(mbs_close_loops(ws, state, error));
  TRY(mbs_accelerate_from_rest(ws, state, error));
  report_residuals(ws, state, report);
  if (!(mbs_largest_motion(model, state->a, 0) <= mbs_equilibrium_accelerates * load / mass))
    return seam_fail(
        error, SEAM_NOT_CONVERGED,
        "no equilibrium with hard contacts was found: the search takes stiff springs in their place, and at its result "
        "hard contacts accelerate bodies by %.3g m/s2 or rad/s2; make contacts compliant (leave out 'hard')",
        report->acceleration);
  store_reactions(ws, state);
  return SEAM_OK;
}

/* Searches in stages, because stiff contacts may close and open alternately. Contacts of the first stage are so soft
 * that the sum of all loads would cause a penetration of a tenth of their size. Each further stage divides it by ten.
 * In the last one compliant contacts have the stiffness of the model, and hard ones a penetration of ten times
 * mbs_hardest_penetration. One more search divides this by ten, for close_gaps(). *before: scratch. */
static seam_status find_by_stages(mbs_workspace *ws, mbs_state *before, mbs_state *state, mbs_equilibrium *report,
                                  bool *neutral, seam_error *error) {
  const mbs_model *model = ws->model;
  mbs_unilateral *unilateral = ws->unilateral;
  const double load = load_of_bodies(ws);
  mbs_model soft;
  TRY(create_soft(model, &soft, error));
  seam_status status = SEAM_OK;
  ws->unilateral = NULL;
  ws->model = &soft;
  double penetration = mbs_first_penetration;
  size_t steps = report->steps;
  int n_soft = 1;
  for (int i = 0; status == SEAM_OK && n_soft > 0 && i < MBS_MAX_STAGES; i++, penetration /= 10) {
    n_soft = soften(model, load, penetration, 10 * mbs_hardest_penetration, &soft);
    *report = (mbs_equilibrium){0};
    status = search_from(ws, state, report, neutral, error);
    steps += report->steps;
  }
  if (status == SEAM_OK && soft.n_hard > 0) {
    mbs_state_copy(before, state);
    (void)soften(model, load, 0, mbs_hardest_penetration, &soft);
    *report = (mbs_equilibrium){0};
    status = search_from(ws, state, report, neutral, error);
    steps += report->steps;
    mbs_stage_kinematics(ws, state->q, state->v);
    for (int k = 0; k < soft.n_hard; k++) { /* contacts that transmit a force in the soft model are closed */
      const mbs_force *force = &soft.forces[soft.hard[k]];
      double rate;
      const double gap = mbs_gap_at(force, ws->frames, NULL, mbs_law_time(ws, state->t), &rate);
      state->z[force->state + MBS_HARD_MODE] = gap < 0 ? MBS_HARD_SMOOTH : MBS_HARD_OPEN;
    }
  }
  report->steps = steps;
  ws->model = model;
  ws->unilateral = unilateral;
  if (status == SEAM_OK && soft.n_hard > 0)
    status = close_gaps(ws, before, state, load, report, error);
  free(soft.forces);
  return status;
}

static seam_status find_from(mbs_workspace *ws, const mbs_state *given, mbs_state *start, mbs_state *state,
                             mbs_equilibrium *report, bool *neutral, seam_error *error) {
  const bool is_hard = ws->model->n_hard > 0;
  for (int k = 0; k < ws->model->switching.n_modes; k++)
    state->z[ws->model->switching.first_mode + k] = MBS_BY_MOTION;
  mbs_state_copy(start, given);
  seam_status status = mbs_close_loops(ws, start, error);
  if (status == SEAM_OK && !is_hard)
    status = search_from(ws, state, report, neutral, error);
  bool has_contacts = is_hard;
  for (int i = 0; i < ws->model->n_forces; i++)
    has_contacts = has_contacts || ws->model->forces[i].elastic[0].exponent > 0;
  if (is_hard || (status == SEAM_NOT_CONVERGED && has_contacts)) {
    mbs_state *before = NULL;
    if (mbs_state_create(ws->model, &before, error) != SEAM_OK)
      return SEAM_NO_MEMORY;
    memcpy(state->q, given->q, 3 * (size_t)ws->model->n_bodies * sizeof *state->q);
    const seam_status by_stages = find_by_stages(ws, before, state, report, neutral, is_hard ? error : NULL);
    status = is_hard || by_stages == SEAM_OK ? by_stages : status;
    mbs_state_destroy(before);
  }
  for (size_t b = 0; b < (size_t)ws->model->n_bodies && status == SEAM_OK; b++) {
    const double *q = state->q + 3 * b;
    const double *q0 = start->q + 3 * b;
    const double moved = hypot(q[0] - q0[0], q[1] - q0[1]);
    const double turned = fabs(q[2] - q0[2]);
    if (moved > report->largest_move)
      report->largest_move = moved, report->moved_body = b;
    if (turned > report->largest_turn)
      report->largest_turn = turned, report->turned_body = b;
  }
  return status;
}

seam_status mbs_find_equilibrium(mbs_workspace *ws, mbs_state *state, mbs_equilibrium *report, bool *neutral,
                                 seam_error *error) {
  ARGUMENTS(error, ws, state);
  mbs_equilibrium unread;
  mbs_state *given = NULL;
  mbs_state *start = NULL;
  TRY(mbs_state_check(__func__, ws->model, state, error));
  if (report == NULL)
    report = &unread;
  *report = (mbs_equilibrium){0};
  seam_status status = mbs_state_create(ws->model, &given, error);
  THEN(status, mbs_state_create(ws->model, &start, error));
  if (status == SEAM_OK) {
    mbs_state_copy(given, state);
    status = find_from(ws, given, start, state, report, neutral, error);
    if (status != SEAM_OK)
      mbs_state_copy(state, given);
  }
  mbs_state_destroy(given);
  mbs_state_destroy(start);
  return status;
}
