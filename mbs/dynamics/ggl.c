/* Stabilised index-2 form ([Gear-Gupta-Leimkuhler]). q are the coordinates, v the velocities, z the states of force
 * elements and variables, Z their rates, M the masses, Q the forces. g are the residuals of the constraints, and f' the
 * prescribed rates. G is the Jacobian of g, J̇ = dG/dt, and H is the second derivative of a constraint by q. λ and μ
 * are multipliers; μ removes the drift of positions and is zero except for round-off. W = (1, 1, 1/r²) of each body,
 * with a length r of this body, relates metres to radians (drift_weight in model.h). Kq = ∂Q/∂q, Kv = ∂Q/∂v, other
 * indices denote derivatives. The equations, and on the right their nonzero derivatives, are
 *
 *   q'   = v - W Gᵀ μ          ∂/∂q: -W Σ μ H       ∂/∂v: I     ∂/∂μ: -W Gᵀ
 *   M v' = Q - Gᵀ λ            ∂/∂q: Kq - Σ λ H     ∂/∂v: Kv    ∂/∂λ: -Gᵀ
 *   0    = g                   ∂/∂q: G
 *   0    = G v - f'            ∂/∂q: J̇              ∂/∂v: G
 *   z'   = Z                   ∂/∂q: Z_q            ∂/∂v: Z_v   ∂/∂z: Z_z
 *
 * Force elements with states z add ∂/∂z: Q_z to the second row. A law with the value u(x), x = (q, v, z, λ), adds Q_u
 * u_x to the second row. The equation z' = u(x) of a variable adds u_x to the last row. For constraints on velocities
 * alone, 0 = -μ replaces 0 = g, and ∂(G v)/∂q replaces J̇. Redundant constraints are replaced by 0 = -λ and 0 = -μ; so
 * their columns of -Gᵀ are left out.
 *
 * Each hard contact (contact_rows.h) adds the unknowns λ_N, λ_T and μ_N at the end of y, two terms, and equations by
 * its mode. g is here its gap, N = ∂g/∂q, T v its slip, σ = ±1 the direction of slip, and μ_f the coefficient of
 * friction:
 *
 *   q'   = v - W Gᵀ μ - W Nᵀ μ_N                 M v' = Q - Gᵀ λ + Nᵀ λ_N + Tᵀ λ_T
 *
 *   closed     0 = g,  0 = N v                   open       0 = -λ_N,  0 = -μ_N
 *   sticks     0 = T v                           slides     0 = -λ_T - σ μ_f λ_N      neither  0 = -λ_T
 *
 * With ∂²g/∂q², the contact adds ∂/∂q: -W μ_N ∂²g/∂q² to the first row, and λ_N ∂²g/∂q² + λ_T ∂Tᵀ/∂q to the second row.
 */
#include "mbs/dynamics/ggl.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "base/vector.h"
#include "mbs/dynamics/contact_rows.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/dynamics/newton_blocks.h"
#include "mbs/dynamics/responses.h"
#include "mbs/dynamics/scales.h"
#include "mbs/model/laws.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/stages.h"
#include "mbs/thresholds.h"
#include "solvers/pattern.h"

struct mbs_ggl {
  mbs_workspace *ws;
  seam_dae dae;
  double *mass, *reference, *rounding;
  int *index, *rates;
  uint64_t *couples;    /* (n_joints) bit 6 i + j: entry (i, j) of H may be nonzero for some constraint of the joint */
  uint64_t *columns;    /* (n_joints) bit 12 k + i: entry i of row k of the joint's G may be nonzero; bit 12 k + 6 + i:
                           the same for ∂(G v)/∂q */
  seam_pattern pattern; /* ∂f/∂y */
  mbs_newton_blocks blocks;
  double *copy;     /* (dae.n) copy of y, see state_of() */
  double *gradient; /* derivatives of a response by the entries of (q, v, z, a, λ) on which it depends */
};

/* ---- Entries of the Jacobian ---- */

/* Numbers of the first state z and of the first unknown of contacts in y. */
static int first_state(const mbs_model *model) { return 6 * model->n_bodies + 2 * model->n_rows; }
static int first_of_contacts(const mbs_model *model) { return first_state(model) + model->n_states; }

static void add_force(seam_pattern *s, const mbs_force *force, const mbs_workspace *ws, double t, const double *y) {
  const int n = 3 * ws->model->n_bodies;
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  double buffer[2];
  const double *z = mbs_numbers(ws, force, y + first_state(ws->model), buffer);
  double Kq[6][6];
  double Kv[6][6];
  force->type->derivatives(force, &pair, t, z, Kq, Kv);
  mbs_add_block(s, force->body, n, 0, Kq);
  mbs_add_block(s, force->body, n, n, Kv);
  if (force->type->states == NULL)
    return;
  const int first = first_state(ws->model) + force->state;
  mbs_state_gradient gradient;
  force->type->states->derivatives(force, &pair, mbs_command(force, ws->response, t), z, &gradient);
  for (int k = 0; k < force->type->states->n; k++) {
    for (int i = 0; i < 6; i++) {
      if (!mbs_has_coordinate(force->body, i))
        continue;
      const int q = mbs_coordinate(force->body, i);
      seam_pattern_add(s, n + q, first + k, gradient.Qz[i][k]);
      seam_pattern_add(s, first + k, q, gradient.Zq[k][i]);
      seam_pattern_add(s, first + k, n + q, gradient.Zv[k][i]);
    }
    for (int j = 0; j < force->type->states->n; j++)
      seam_pattern_add(s, first + k, first + j, gradient.Zz[k][j]);
  }
}

/* Returns a copy of y as a state, with accelerations of zero, because no response reads them. */
static mbs_state state_of(const mbs_ggl *ggl, double t, const double *y) {
  const mbs_model *model = ggl->ws->model;
  const int n = 3 * model->n_bodies;
  double *x = ggl->copy;
  memcpy(x, y, (size_t)ggl->dae.n * sizeof *x);
  return (mbs_state){.t = t, .q = x, .v = x + n, .lambda = x + 2 * n, .z = x + first_state(model), .a = ggl->ws->zeros};
}

static void stage_laws(const mbs_ggl *ggl, double t, const double *y) {
  if (mbs_n_responses(&ggl->ws->model->laws) == 0)
    return;
  const mbs_state state = state_of(ggl, t, y);
  mbs_respond(ggl->ws, &state);
}

/* An equation of f in which a response u appears: its row, and the derivative of this row by u. */
typedef struct target {
  int row;
  double factor;
} target;

enum { MAX_TARGETS = 6 };

/* Finds the equations in which response `number` appears, and returns how many there are. A variable has one equation.
 * For a law, finds the equations of one element that it loads: those of its states or, without states, of its bodies.
 * `element`: number of this element among those that the law loads, from 0. */
static int find_targets(const mbs_ggl *ggl, int number, int element, double law_time, const double *z,
                        target targets[MAX_TARGETS]) {
  const mbs_workspace *ws = ggl->ws;
  const mbs_model *model = ws->model;
  const mbs_laws *laws = &model->laws;
  if (number >= laws->n_laws) {
    targets[0] = (target){first_state(model) + laws->first_state + number - laws->n_laws, 1};
    return 1;
  }
  const mbs_force *force = &model->forces[laws->law[number].force + element];
  const mbs_force_states *states = force->type->states;
  int n = 0;
  if (states != NULL) {
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    mbs_state_gradient gradient;
    states->derivatives(force, &pair, mbs_command(force, ws->response, law_time), z + force->state, &gradient);
    for (int k = 0; k < states->n; k++)
      targets[n++] = (target){first_state(model) + force->state + k, gradient.Zu[k]};
    return n;
  }
  double unit_load[6];
  mbs_law_unit_load(ws, z, number, element, unit_load);
  for (int i = 0; i < 6; i++)
    if (mbs_has_coordinate(force->body, i))
      targets[n++] = (target){3 * model->n_bodies + mbs_coordinate(force->body, i), unit_load[i]};
  return n;
}

/* Returns the index in y of an entry of (q, v, z, a, λ) other than those of a. */
static int unknown_of(const mbs_model *model, int entry) {
  const int z = 6 * model->n_bodies, a = z + model->n_states;
  if (entry < z)
    return entry;
  return entry < a ? first_state(model) + entry - z : entry - 3 * model->n_bodies - model->n_states;
}

/* Adds to ∂f/∂y the derivatives of a response in the equations of an element that it loads. */
static void add_response(mbs_ggl *ggl, const mbs_state *state, int number, int element) {
  const mbs_response *response = mbs_response_of(&ggl->ws->model->laws, number);
  target targets[MAX_TARGETS];
  const int n = find_targets(ggl, number, element, mbs_law_time(ggl->ws, state->t), state->z, targets);
  for (int k = 0; k < response->n_columns; k++)
    for (int j = 0; j < n; j++)
      seam_pattern_add(&ggl->pattern, targets[j].row, unknown_of(ggl->ws->model, response->column[k]),
                       targets[j].factor * ggl->gradient[k]);
}

/* Adds to ∂f/∂y the derivatives of all responses by (q, v, z, λ). */
static void add_responses(mbs_ggl *ggl, double t, const double *y) {
  const mbs_laws *laws = &ggl->ws->model->laws;
  if (mbs_n_responses(laws) == 0)
    return;
  const mbs_state state = state_of(ggl, t, y);
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    const mbs_response *response = mbs_response_of(laws, i);
    if (!mbs_is_function(response) || response->phase == MBS_SAMPLED)
      continue;
    mbs_response_gradient(ggl->ws, &state, i, ggl->gradient);
    for (int element = 0; element < (i < laws->n_laws ? laws->law[i].n : 1); element++)
      add_response(ggl, &state, i, element);
  }
}

/* Finds which entries of H, G and ∂(G v)/∂q of a joint can be nonzero; bits as in struct mbs_ggl. */
static void find_entries(const mbs_joint *joint, uint64_t *couples, uint64_t *columns) {
  const mbs_pair pair = mbs_generic_pair(joint->marker);
  mbs_curvature c[mbs_max_rows];
  mbs_relative_coordinate s[mbs_max_rows];
  joint->type->curvature(joint, &pair, c);
  joint->type->find_coordinates(joint, &pair, s);
  *couples = *columns = 0;
  for (int k = 0; k < joint->type->n_rows; k++) {
    double gradient[6];
    for (int i = 0; i < 36; i++)
      *couples |= c[k].H[i / 6][i % 6] != 0 ? UINT64_C(1) << i : 0;
    mbs_joint_rate_gradient(joint, &pair, &s[k], gradient);
    for (int i = 0; i < 6; i++) {
      *columns |= s[k].J[i] != 0 ? UINT64_C(1) << (12 * k + i) : 0;
      *columns |= gradient[i] != 0 ? UINT64_C(1) << (12 * k + 6 + i) : 0;
    }
  }
}

static void add_row(seam_pattern *s, const mbs_joint *joint, const mbs_pair *pair, const mbs_relative_coordinate *g,
                    uint64_t columns, int row, const mbs_model *model) {
  const int n = 3 * model->n_bodies;
  const int lambda = 2 * n + row;
  const int mu = lambda + model->n_rows;
  const bool has_position = !joint->type->is_nonholonomic;
  double gradient[6];
  mbs_joint_rate_gradient(joint, pair, g, gradient);
  if (!has_position)
    seam_pattern_add(s, lambda, mu, -1);
  for (int i = 0; i < 6; i++) {
    if (!mbs_has_coordinate(joint->body, i))
      continue;
    const int q = mbs_coordinate(joint->body, i);
    if ((columns >> (6 + i) & 1) != 0)
      seam_pattern_add(s, mu, q, gradient[i]);
    if ((columns >> i & 1) == 0)
      continue;
    if (has_position) {
      seam_pattern_add(s, q, mu, -model->drift_weight[3 + q] * g->J[i]);
      seam_pattern_add(s, lambda, q, g->J[i]);
    }
    seam_pattern_add(s, n + q, lambda, -g->J[i]);
    seam_pattern_add(s, mu, n + q, g->J[i]);
  }
}

static void add_joint(seam_pattern *s, const mbs_ggl *ggl, const mbs_joint *joint, const double *y) {
  const mbs_model *model = ggl->ws->model;
  const int n = 3 * model->n_bodies;
  const mbs_pair pair = mbs_joint_pair(joint, ggl->ws->frames);
  const uint64_t couples = ggl->couples[joint - model->joints];
  mbs_relative_coordinate g[mbs_max_rows];
  mbs_curvature c[mbs_max_rows];
  double of_lambda[6][6];
  double of_mu[6][6];
  mbs_joint_row_coordinates(ggl->ws, joint, &pair, g);
  mbs_curve_rows(ggl->ws, joint, &pair, c);
  mbs_joint_stiffness(joint, c, y + 2 * n + joint->row, of_lambda);
  mbs_joint_stiffness(joint, c, y + 2 * n + model->n_rows + joint->row, of_mu);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if ((couples >> (6 * i + j) & 1) != 0 && mbs_has_coordinate(joint->body, i) &&
          mbs_has_coordinate(joint->body, j)) {
        const int row = mbs_coordinate(joint->body, i);
        const int column = mbs_coordinate(joint->body, j);
        seam_pattern_add(s, row, column, model->drift_weight[3 + row] * of_mu[i][j]);
        seam_pattern_add(s, n + row, column, of_lambda[i][j]);
      }
  for (int k = 0; k < joint->type->n_rows; k++)
    if (!model->is_redundant[joint->row + k])
      add_row(s, joint, &pair, &g[k], ggl->columns[joint - model->joints] >> (12 * k), joint->row + k, model);
  const int last = joint->row + joint->type->n_rows - 1;
  if (joint->type->can_stick) /* the residual of a stick constraint is s - z */
    seam_pattern_add(s, 2 * n + last, first_state(model) + joint->mode + 1, mbs_is_excluded(ggl->ws, last) ? 0 : -1);
}

/* ---- Hard contacts ---- */

/* Adds the derivatives of one segment's rows and of their forces to ∂f/∂y. first: index of the contact's first unknown
 * in y. For an open contact H and *c are zeros; adding these keeps the pattern the same. */
static void add_segment(seam_pattern *s, const mbs_model *model, const mbs_force *force, const mbs_curvature *H,
                        const mbs_gap_and_slip *c, bool sticks, const double *y, int first) {
  const int n = 3 * model->n_bodies;
  const double *own = y + first;
  for (int i = 0; i < 6; i++) {
    if (!mbs_has_coordinate(force->body, i))
      continue;
    const int q = mbs_coordinate(force->body, i);
    for (int j = 0; j < 6; j++) {
      if (!mbs_has_coordinate(force->body, j))
        continue;
      const int column = mbs_coordinate(force->body, j);
      seam_pattern_add(s, q, column, -model->drift_weight[3 + q] * H->H[i][j] * own[MBS_GGL_MU]);
      seam_pattern_add(s, n + q, column, H->H[i][j] * own[MBS_GGL_NORMAL] + c->slip.D[i][j] * own[MBS_GGL_TANGENTIAL]);
    }
    seam_pattern_add(s, q, first + MBS_GGL_MU, -model->drift_weight[3 + q] * c->gap.J[i]);
    seam_pattern_add(s, n + q, first + MBS_GGL_NORMAL, c->gap.J[i]);
    seam_pattern_add(s, n + q, first + MBS_GGL_TANGENTIAL, c->slip.S[i]);
    seam_pattern_add(s, first + MBS_GGL_NORMAL, q, c->gap.J[i]);
    seam_pattern_add(s, first + MBS_GGL_MU, q, c->gap.Jdot[i]);
    seam_pattern_add(s, first + MBS_GGL_MU, n + q, c->gap.J[i]);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, q, sticks ? c->slip.by_q[i] : 0);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, n + q, sticks ? c->slip.S[i] : 0);
  }
}

/* Adds the terms of contacts in ∂f/∂y; their pattern is the same in all modes. */
static void add_contact_entries(seam_pattern *s, const mbs_workspace *ws, const double *y) {
  const mbs_model *model = ws->model;
  const double *z = y + first_state(model);
  for (int k = 0; k < model->n_hard; k++) {
    const int first = first_of_contacts(model) + MBS_GGL_OF_CONTACT * k;
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = mbs_hard_mode_in(force, z);
    const bool is_closed = mbs_hard_is_closed(mode);
    const bool sticks = mode == MBS_HARD_STICKS;
    for (int segment = 0; segment < mbs_n_row_segments(force, 0); segment++) {
      mbs_curvature H = {0};
      const mbs_gap_and_slip c =
          is_closed ? mbs_gap_and_slip_of(ws, &force[segment], z, &H) : (mbs_gap_and_slip){.slip = {0}};
      add_segment(s, model, &force[segment], &H, &c, sticks, y, first);
    }
    seam_pattern_add(s, first + MBS_GGL_NORMAL, first + MBS_GGL_NORMAL, is_closed ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_MU, first + MBS_GGL_MU, is_closed ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, first + MBS_GGL_TANGENTIAL, sticks ? 0 : -1);
    seam_pattern_add(s, first + MBS_GGL_TANGENTIAL, first + MBS_GGL_NORMAL,
                     -mbs_hard_direction(mode) * force->contact.friction);
  }
}

/* Adds the terms of contacts in f(y) to out. Returns the powers of friction and of prescribed lengths of cables. */
static mbs_power add_contacts(const mbs_workspace *ws, const double *y, double *out) {
  const mbs_model *model = ws->model;
  const double *z = y + first_state(model);
  mbs_power power = {0};
  for (int k = 0; k < model->n_hard; k++) {
    const int first = first_of_contacts(model) + MBS_GGL_OF_CONTACT * k;
    const mbs_force *force = mbs_hard_force(ws, k);
    const double mode = mbs_hard_mode_in(force, z);
    const double *own = y + first;
    double *rows = out + first;
    for (int i = 0; i < MBS_GGL_OF_CONTACT; i++)
      rows[i] = -own[i];
    if (force->cable != NULL)
      power.driven -= own[MBS_GGL_NORMAL] * mbs_cable_free_length(force->cable, ws->unilateral->t).d[0];
    if (!mbs_hard_is_closed(mode))
      continue;
    const double friction = mbs_hard_direction(mode) * force->contact.friction;
    mbs_gap_and_slip c = {.slip = {0}};
    for (int segment = mbs_n_row_segments(force, 0) - 1; segment >= 0; segment--) {
      c = mbs_gap_and_slip_of(ws, &force[segment], z, NULL);
      for (int i = 0; i < 6; i++) {
        if (!mbs_has_coordinate(force[segment].body, i))
          continue;
        const int q = mbs_coordinate(force[segment].body, i);
        out[q] -= model->drift_weight[3 + q] * c.gap.J[i] * own[MBS_GGL_MU];
        out[3 * model->n_bodies + q] += c.gap.J[i] * own[MBS_GGL_NORMAL] + c.slip.S[i] * own[MBS_GGL_TANGENTIAL];
      }
    }
    rows[MBS_GGL_NORMAL] = mbs_gap_at(force, ws->frames, z, ws->unilateral->t, &rows[MBS_GGL_MU]);
    rows[MBS_GGL_TANGENTIAL] =
        mode == MBS_HARD_STICKS ? c.slip.u : -own[MBS_GGL_TANGENTIAL] - friction * own[MBS_GGL_NORMAL];
    if (friction != 0)
      power.dissipated -= own[MBS_GGL_TANGENTIAL] * c.slip.u;
  }
  return power;
}

/* ---- All equations ---- */

static void add_all(mbs_ggl *ggl, double t, const double *y) {
  const mbs_model *model = ggl->ws->model;
  const int n = 3 * model->n_bodies;
  seam_pattern *s = &ggl->pattern;
  mbs_load_stick_states(ggl->ws, y + first_state(model));
  mbs_stage_kinematics(ggl->ws, y, y + n);
  mbs_set_port_frames(ggl->ws, t);
  stage_laws(ggl, t, y);
  const double law_time = mbs_law_time(ggl->ws, t);
  for (int i = 0; i < ggl->dae.n; i++) {
    const bool exclude = i >= 2 * n && i < first_state(model) && mbs_is_excluded(ggl->ws, (i - 2 * n) % model->n_rows);
    seam_pattern_add(s, i, i, exclude ? -1 : 0);
  }
  for (int i = 0; i < n; i++)
    seam_pattern_add(s, i, n + i, 1);
  for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++)
    add_force(s, force, ggl->ws, law_time, y);
  for (const mbs_joint *joint = model->joints; joint < model->joints + model->n_joints; joint++)
    add_joint(s, ggl, joint, y);
  add_responses(ggl, t, y);
  add_contact_entries(s, ggl->ws, y);
}

static seam_status f(void *context, double t, const double *y, double *out, double *quadrature, seam_error *error) {
  mbs_ggl *ggl = context;
  mbs_workspace *ws = ggl->ws;
  const mbs_model *model = ws->model;
  const int n = 3 * model->n_bodies;
  const int m = model->n_rows;
  const double *lambda = y + 2 * n;
  const double *mu = lambda + m;
  mbs_load_stick_states(ws, y + first_state(model));
  mbs_stage_kinematics(ws, y, y + n);
  stage_laws(ggl, t, y);
  mbs_stage_forces(ws, t, y + first_state(model));
  mbs_stage_variables(ws);
  mbs_stage_constraints(ws, t);
  memcpy(out, y + n, (size_t)n * sizeof *y);
  for (int i = 0; i < n; i++)
    out[n + i] = model->unit_weight[3 + i] * ws->Q[3 + i]; /* point masses do not rotate */
  mbs_add_WGt(ws, model->drift_weight, -1, mu, out);
  mbs_add_WGt(ws, model->unit_weight, -1, lambda, out + n);
  memcpy(out + 2 * n, ws->g, (size_t)m * sizeof *y);
  mbs_constraint_rate(ws, y + n, out + 2 * n + m);
  memcpy(out + first_state(model), ws->z_rates, (size_t)model->n_states * sizeof *y);
  for (int i = 0; i < m && model->n_redundant + model->n_stick_rows + model->n_nonholonomic > 0; i++)
    if (mbs_is_excluded(ws, i)) {
      out[2 * n + i] = -lambda[i];
      out[2 * n + m + i] = -mu[i];
    } else if (model->joints[model->joint_of_row[i]].type->is_nonholonomic)
      out[2 * n + i] = -mu[i];
  const mbs_power of_contacts = add_contacts(ws, y, out);
  if (!finite_all(out, ggl->dae.n))
    return mbs_not_finite(ws, t, y + first_state(model), error);
  if (quadrature == NULL)
    return SEAM_OK;
  mbs_powers(ws, quadrature);
  quadrature[0] += of_contacts.dissipated;
  for (int i = 0; i < m; i++)
    quadrature[1] -= lambda[i] * ws->prescribed_rate[i];
  quadrature[1] += of_contacts.driven;
  return SEAM_OK;
}

static seam_status jacobian(void *context, double t, const double *y, double *value, seam_error *error) {
  (void)error;
  mbs_ggl *ggl = context;
  seam_pattern_begin(&ggl->pattern, value);
  add_all(ggl, t, y);
  return SEAM_OK;
}

/* ---- Creation ---- */

static void fill_constants(mbs_ggl *ggl) {
  const mbs_model *model = ggl->ws->model;
  const int n = 3 * model->n_bodies;
  const int contacts = first_of_contacts(model);
  for (int i = 0; i < ggl->dae.n; i++) {
    const bool is_velocity = i >= n && i < 2 * n;
    const bool is_of_contact = i >= contacts;
    const bool is_multiplier = (i >= 2 * n && i < first_state(model)) || is_of_contact;
    const bool is_mu =
        is_of_contact ? (i - contacts) % MBS_GGL_OF_CONTACT == MBS_GGL_MU : is_multiplier && i >= 2 * n + model->n_rows;
    ggl->mass[i] = is_multiplier ? 0 : is_velocity ? model->mass[3 + i - n] : 1;
    ggl->index[i] = is_multiplier ? 2 : 1;
    ggl->rates[i] = is_velocity || is_mu ? 1 : is_multiplier ? 2 : 0;
  }
  /* Part of λ only corrects round-off of the positions of heavy bodies. It grows as steps become shorter, and may
   * exceed all forces on bodies that are far lighter. ggl->rounding gives this error of λ (solvers/dae.h). */
  double least = INFINITY;
  double largest = 0;
  for (int i = 3; i < 3 * (model->n_bodies + 1); i += 3) {
    least = fmin(least, model->mass[i]);
    largest = fmax(largest, model->mass[i]);
  }
  const double far = fmax(model->size, mbs_farthest(model, model->initial));
  const double of_forces = largest > mbs_heavy * least ? largest * DBL_EPSILON * far : 0;
  for (int i = 0; i < model->n_rows; i++)
    ggl->rounding[2 * n + i] = of_forces * model->size / mbs_unit_of_row(model, i);
  for (int j = 0; j < model->n_joints; j++)
    find_entries(&model->joints[j], &ggl->couples[j], &ggl->columns[j]);
}

static seam_status check_responses(const mbs_model *model, seam_error *error) {
  const mbs_laws *laws = &model->laws;
  const int a = 6 * model->n_bodies + model->n_states;
  for (int i = 0; i < mbs_n_responses(laws); i++) {
    const mbs_response *response = mbs_response_of(laws, i);
    const char *owner;
    const char *name;
    const char *what = mbs_response_text(model, i, &owner, &name);
    for (int k = 0; k < response->n_columns && response->phase != MBS_SAMPLED; k++)
      if (response->column[k] >= a && response->column[k] < a + 3 * model->n_bodies)
        return seam_fail(error, SEAM_BAD_INPUT,
                         "the %s of %s '%s' reads accelerations, which integrators radau and ida do not solve for: "
                         "take erk or cvode, or equations with 'sample'",
                         what, owner, name);
  }
  return SEAM_OK;
}

/* All arrays of mbs_ggl, for n unknowns and m constraints. */
#define GGL_ARRAYS(X)                                                                                                  \
  X(ggl, mass, n)                                                                                                      \
  X(ggl, rounding, n)                                                                                                  \
  X(ggl, reference, n + (size_t)model->n_work)                                                                         \
  X(ggl, index, n)                                                                                                     \
  X(ggl, rates, n)                                                                                                     \
  X(ggl, copy, n)                                                                                                      \
  X(ggl, gradient, 9 * (size_t)model->n_bodies + (size_t)model->n_states + m)                                          \
  X(ggl, couples, 2 * (size_t)model->n_joints)

seam_status mbs_ggl_create(mbs_workspace *ws, const mbs_state *reference, mbs_ggl **ggl_out, seam_error *error) {
  const mbs_model *model = ws->model;
  const size_t m = (size_t)model->n_rows;
  const size_t n = mbs_n_controlled(model) + 2 * m + (size_t)(MBS_GGL_OF_CONTACT * model->n_hard);
  if (model->n_prescribed > 0)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "integrators radau and ida need constraints of positions, but a coupling prescribes accelerations: take erk");
  TRY(check_responses(model, error));
  mbs_ggl *ggl = calloc(1, sizeof *ggl);
  if (ggl != NULL) {
    ggl->ws = ws;
    ggl->dae.n = (int)n;
  }
  const bool enough = ggl != NULL GGL_ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    mbs_ggl_destroy(ggl);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu equations", n);
  }
  ggl->columns = ggl->couples + model->n_joints;
  fill_constants(ggl);
  mbs_ggl_pack(ggl, reference, ggl->reference);
  ggl->pattern = seam_pattern_create(ggl->dae.n);
  add_all(ggl, reference->t, ggl->reference);
  seam_status status = SEAM_OK;
  if (!seam_pattern_finish(&ggl->pattern))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu equations", n);
  else if (mbs_has_newton_blocks(model))
    status = mbs_newton_blocks_create(model, &ggl->pattern, 2, &ggl->blocks, error);
  ggl->dae = (seam_dae){.n = (int)n,
                        .mass = ggl->mass,
                        .index = ggl->index,
                        .rates = ggl->rates,
                        .rounding = ggl->rounding,
                        .n_constant = MBS_HARD_STATES * model->n_hard,
                        .n_quadratures = model->n_work,
                        .start = ggl->pattern.start,
                        .row = ggl->pattern.row,
                        .blocks = ggl->blocks.of != NULL ? &ggl->blocks.pattern : NULL,
                        .f = f,
                        .jacobian = jacobian,
                        .reference = ggl->reference,
                        .t_reference = reference->t,
                        .context = ggl};
  RETURN_CREATED(status, ggl, ggl_out, mbs_ggl_destroy);
}

void mbs_ggl_destroy(mbs_ggl *ggl) {
  if (ggl == NULL)
    return;
  GGL_ARRAYS(FREE_ARRAY)
  seam_pattern_destroy(&ggl->pattern);
  mbs_newton_blocks_destroy(&ggl->blocks);
  free(ggl);
}

const seam_dae *mbs_ggl_dae(const mbs_ggl *ggl) { return &ggl->dae; }

void mbs_ggl_pack(const mbs_ggl *ggl, const mbs_state *state, double *y) {
  const mbs_model *model = ggl->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows;
  double *of_contact = y + first_of_contacts(model);
  memcpy(y, state->q, n * sizeof *y);
  memcpy(y + n, state->v, n * sizeof *y);
  memcpy(y + 2 * n, state->lambda, m * sizeof *y);
  memset(y + 2 * n + m, 0, m * sizeof *y);
  memcpy(y + 2 * (n + m), state->z, (size_t)model->n_states * sizeof *y);
  for (int k = 0; k < model->n_hard; k++, of_contact += MBS_GGL_OF_CONTACT) {
    of_contact[MBS_GGL_NORMAL] = state->contact[2 * k];
    of_contact[MBS_GGL_TANGENTIAL] = state->contact[2 * k + 1];
    of_contact[MBS_GGL_MU] = 0;
  }
  memcpy(of_contact, state->work, (size_t)model->n_work * sizeof *y);
}

void mbs_ggl_pack_rates(const mbs_ggl *ggl, const mbs_state *state, double *dy) {
  const mbs_model *model = ggl->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  memset(dy, 0, (size_t)ggl->dae.n * sizeof *dy);
  memcpy(dy, state->v, n * sizeof *dy);
  memcpy(dy + n, state->a, n * sizeof *dy);
  memcpy(dy + first_state(model), ggl->ws->z_rates, (size_t)model->n_states * sizeof *dy);
  mbs_powers(ggl->ws, dy + ggl->dae.n);
}

void mbs_ggl_unpack(const mbs_ggl *ggl, const double *y, mbs_state *state) {
  const mbs_model *model = ggl->ws->model;
  const size_t n = 3 * (size_t)model->n_bodies;
  const size_t m = (size_t)model->n_rows;
  memcpy(state->q, y, n * sizeof *y);
  memcpy(state->v, y + n, n * sizeof *y);
  memcpy(state->z, y + 2 * (n + m), (size_t)model->n_states * sizeof *y);
  memcpy(state->work, y + ggl->dae.n, (size_t)model->n_work * sizeof *y);
}
