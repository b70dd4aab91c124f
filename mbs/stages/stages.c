#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "mbs/model/friction.h"
#include "mbs/model/unilateral.h"
#include "mbs/stages/contact_kinematics.h"
#include "mbs/stages/stages.h"

/* Data of a stage for all threads. Each thread writes only the results for the bodies or joints in its range. */
typedef struct stage {
  mbs_workspace *ws;
  const double *q, *v;
  double law_time;
} stage;

static void find_frames(void *context, const thread_range *range) {
  const stage *self = context;
  const size_t first = range->first;
  mbs_frames_at(self->q + 3 * first, self->v + 3 * first, (int)(range->end - first), self->ws->frames + 1 + first);
}

void mbs_stage_kinematics(mbs_workspace *ws, const double *q, const double *v) {
  stage self = {.ws = ws, .q = q, .v = v};
  ws->staged[0] = NAN;
  worker_group_share(ws->workers, (size_t)ws->model->n_bodies, find_frames, &self);
}

void mbs_stage_rates(mbs_workspace *ws, const double *v) {
  ws->staged[0] = NAN;
  for (int i = 0; i < ws->model->n_bodies; i++, v += 3) {
    mbs_frame *frame = &ws->frames[i + 1];
    frame->vx = v[0];
    frame->vy = v[1];
    frame->omega = v[2];
  }
}

void mbs_stage_kinematics_of(mbs_workspace *ws, const int body[2], const double *q, const double *v) {
  ws->staged[0] = NAN;
  for (int side = 0; side < 2; side++)
    if (body[side] != 0)
      ws->frames[body[side]] = mbs_frame_at(q + 3 * (body[side] - 1), v + 3 * (body[side] - 1));
}

/* Returns true if mbs_mark_stages() may mark the stages. mbs_has_stages() compares only t, q, v and z. So the model
 * must have no ports, no hard contacts and no joints with hard friction, and no law of time may have a kink at t. */
static bool may_mark(const mbs_workspace *ws, double t) {
  const mbs_model *model = ws->model;
  return model->n_ports == 0 && model->n_stick_rows == 0 && ws->unilateral == NULL && mbs_law_time(ws, t) == t;
}

void mbs_mark_stages(mbs_workspace *ws, const mbs_state *state) {
  if (!may_mark(ws, state->t))
    return;
  ws->staged[0] = state->t;
  memcpy(ws->staged + 1, state->q, mbs_n_controlled(ws->model) * sizeof *state->q);
  mbs_stored_energies(ws)[0] = NAN;
}

bool mbs_has_stages(const mbs_workspace *ws, const mbs_state *state) {
  return ws->staged[0] == state->t && mbs_law_time(ws, state->t) == state->t &&
         memcmp(ws->staged + 1, state->q, mbs_n_controlled(ws->model) * sizeof *state->q) == 0;
}

void mbs_copy_stages(mbs_workspace *ws, const mbs_workspace *from, const mbs_state *state) {
  const size_t n_rows = (size_t)ws->model->n_rows;
  if (ws->model != from->model || !may_mark(ws, state->t) || !may_mark(from, state->t))
    return;
  memcpy(ws->frames, from->frames, ((size_t)ws->model->n_bodies + 1) * sizeof *ws->frames);
  memcpy(ws->g, from->g, n_rows * sizeof *ws->g);
  memcpy(ws->G, from->G, n_rows * sizeof *ws->G);
  memcpy(ws->gamma, from->gamma, n_rows * sizeof *ws->gamma);
  memcpy(ws->prescribed_rate, from->prescribed_rate, n_rows * sizeof *ws->prescribed_rate);
  mbs_mark_stages(ws, state);
}

void mbs_load_stick_states(mbs_workspace *ws, const double *z) {
  const mbs_model *model = ws->model;
  mbs_unilateral *contacts = ws->unilateral;
  if (contacts != NULL && model->n_segments > 0)
    memcpy(contacts->z, z, (size_t)model->n_states * sizeof *z);
  for (int k = 0; contacts != NULL && k < contacts->n; k++) {
    const mbs_force *force = &model->forces[model->hard[k]];
    const double mode = mbs_hard_mode_in(force, z);
    contacts->stuck_at[k] = mode == MBS_HARD_STICKS ? z[force->state + MBS_HARD_STUCK_AT] : NAN;
    if (mode != MBS_BY_MOTION) /* this mode is not known yet */
      contacts->mode[k] = mode;
  }
  for (int j = 0; j < model->n_joints && model->n_stick_rows > 0; j++)
    if (model->joints[j].type->can_stick)
      ws->stuck_at[j] = mbs_friction_stick_coordinate(&model->joints[j], z);
}

void mbs_release_stuck_joints(mbs_workspace *ws) {
  for (int j = 0; j < ws->model->n_joints; j++)
    ws->stuck_at[j] = NAN;
}

void mbs_joint_row_coordinates(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair,
                               mbs_relative_coordinate *s) {
  mbs_joint_coordinates(joint, pair, s);
  if (!joint->type->can_stick)
    return;
  const double stuck_at = ws->stuck_at[joint - ws->model->joints];
  mbs_relative_coordinate *last = &s[joint->type->n_rows - 1];
  if (isnan(stuck_at))
    *last = (mbs_relative_coordinate){0};
  else
    last->s -= stuck_at;
}

void mbs_curve_rows(const mbs_workspace *ws, const mbs_joint *joint, const mbs_pair *pair, mbs_curvature *c) {
  joint->type->curvature(joint, pair, c);
  if (joint->type->can_stick && isnan(ws->stuck_at[joint - ws->model->joints]))
    c[joint->type->n_rows - 1] = (mbs_curvature){0};
}

static void constrain(mbs_workspace *ws, const mbs_joint *joint, double law_time) {
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  mbs_joint_row_coordinates(ws, joint, &pair, s);
  for (int k = 0; k < joint->type->n_rows; k++) {
    const int row = joint->row + k;
    ws->g[row] = s[k].s;
    memcpy(ws->G[row], s[k].J, sizeof s[k].J);
    ws->gamma[row] = -mbs_relative_convection(&s[k], &pair);
  }
  if (joint->type->is_rheonomic) {
    const seam_jet f = mbs_joint_prescribed_law(joint, law_time);
    ws->g[joint->row] -= f.value;
    ws->prescribed_rate[joint->row] = f.d[0];
    ws->gamma[joint->row] += f.dd[0];
  }
  if (joint->type->is_prescribed) {
    const double wanted[3] = {pair.frame[1]->x, pair.frame[1]->y, pair.frame[1]->phi};
    for (int k = 0; k < joint->type->n_rows; k++)
      ws->gamma[joint->row + k] += wanted[joint->type->coordinate[k]];
  }
}

static void constrain_joints(void *context, const thread_range *range) {
  const stage *self = context;
  mbs_workspace *ws = self->ws;
  const mbs_model *model = ws->model;
  const mbs_constraints constraints = {ws->g, ws->G, ws->gamma};
  const int end = (int)range->end;
  for (int i = (int)range->first, n; i < end; i += n) {
    const mbs_joint *joint = &model->joints[i];
    n = joint->n_alike < end - i ? joint->n_alike : end - i;
    if (joint->type->constrain != NULL)
      joint->type->constrain(model->joint_geometry + i, n, ws->frames, &constraints);
    else
      for (int k = 0; k < n; k++)
        constrain(ws, joint + k, self->law_time);
  }
}

static void find_residuals(void *context, const thread_range *range) {
  const stage *self = context;
  mbs_workspace *ws = self->ws;
  const mbs_joint *joints = ws->model->joints;
  for (const mbs_joint *joint = joints + range->first; joint < joints + range->end; joint++) {
    const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
    mbs_relative_coordinate s[mbs_max_rows];
    mbs_joint_row_coordinates(ws, joint, &pair, s);
    for (int k = 0; k < joint->type->n_rows; k++)
      ws->g[joint->row + k] = s[k].s;
    if (joint->type->is_rheonomic)
      ws->g[joint->row] -= mbs_joint_prescribed_law(joint, self->law_time).value;
  }
}

static void share_joints(mbs_workspace *ws, double t, void (*job)(void *context, const thread_range *range)) {
  stage self = {.ws = ws, .law_time = mbs_law_time(ws, t)};
  if (ws->unilateral != NULL)
    ws->unilateral->t = self.law_time; /* lengths of hard cables follow laws of time too */
  worker_group_share(ws->workers, (size_t)ws->model->n_joints, job, &self);
}

void mbs_stage_constraints(mbs_workspace *ws, double t) { share_joints(ws, t, constrain_joints); }

void mbs_stage_residuals(mbs_workspace *ws, double t) { share_joints(ws, t, find_residuals); }

void mbs_exclude_row(mbs_workspace *ws, int row) {
  const int joint = ws->model->joint_of_row[row];
  mbs_elimination_exclude(&ws->model->elimination, joint, row - ws->model->joints[joint].row, ws->solver);
}

void mbs_exclude_free_rows(const mbs_workspace *ws, seam_ldl *solver) {
  const mbs_model *model = ws->model;
  for (int j = 0; j < model->n_joints && model->n_stick_rows > 0; j++)
    if (model->joints[j].type->can_stick && isnan(ws->stuck_at[j]))
      mbs_elimination_exclude(&model->elimination, j, model->joints[j].type->n_rows - 1, solver);
}

static void fill_matrix(mbs_workspace *ws, const double *weight) {
  const mbs_model *model = ws->model;
  mbs_elimination_fill(&model->elimination, (const double(*)[6])ws->G, weight, ws->workers, ws->solver);
  for (int i = 0; i < model->n_cleared; i++)
    seam_ldl_values(ws->solver)[model->cleared[i]] = 0;
  for (int i = 0; i < model->n_redundant; i++)
    mbs_exclude_row(ws, model->redundant[i]);
  mbs_exclude_free_rows(ws, ws->solver);
}

int mbs_stage_factor(mbs_workspace *ws, const double *weight) {
  fill_matrix(ws, weight);
  return seam_ldl_factor(ws->solver);
}

static void clear_redundant(const mbs_model *model, double *x) {
  for (int i = 0; i < model->n_redundant; i++)
    x[model->redundant[i]] = 0;
}

int mbs_factor_and_solve(mbs_workspace *ws, const double *weight, double *x) {
  fill_matrix(ws, weight);
  clear_redundant(ws->model, x);
  return seam_ldl_factor_and_solve(ws->solver, ws->model->n_rows, x);
}

void mbs_solve(mbs_workspace *ws, double *x) {
  clear_redundant(ws->model, x);
  seam_ldl_solve(ws->solver, ws->model->n_rows, x);
}

void mbs_add_free_influence(const mbs_model *model, const mbs_force *force, const double load[6], double *a) {
  for (int i = 0; i < 6; i++)
    if (force->body[i / 3] != 0)
      a[3 * (force->body[i / 3] - 1) + i % 3] += load[i] * model->inverse_mass[3 * force->body[i / 3] + i % 3];
}

void mbs_close_influence(mbs_workspace *ws, double *a, double *lambda) {
  mbs_multiply_G(ws, a, lambda);
  mbs_solve(ws, lambda);
  mbs_add_WGt(ws, ws->model->inverse_mass, -1, lambda, a);
}

void mbs_load_influence(mbs_workspace *ws, const mbs_force *force, const double load[6], double *a, double *lambda) {
  memset(a, 0, 3 * (size_t)ws->model->n_bodies * sizeof *a);
  mbs_add_free_influence(ws->model, force, load, a);
  mbs_close_influence(ws, a, lambda);
}

double mbs_largest_row(const mbs_workspace *ws, const double *x) {
  const mbs_model *model = ws->model;
  double largest = 0;
  for (int i = 0; i < model->n_rows; i++) {
    const double size = fabs(x[i]) * (model->row_is_angle[i] ? model->scales.length : 1);
    if (!(size <= largest) && !isnan(largest) && !model->is_redundant[i])
      largest = size;
  }
  return largest;
}

void mbs_powers(const mbs_workspace *ws, double *power) {
  power[0] = ws->power.dissipated;
  power[1] = ws->power.driven;
  memcpy(power + 2, ws->port_power, (size_t)ws->model->n_ports * sizeof *power);
}

void mbs_rates(const mbs_workspace *ws, double *rates) {
  memcpy(rates, ws->z_rates, (size_t)ws->model->n_states * sizeof *rates);
  mbs_powers(ws, rates + ws->model->n_states);
}

seam_status mbs_singular(const mbs_model *model, double t, int row, seam_error *error) {
  const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
  return seam_fail(error, SEAM_SINGULAR,
                   "t = %.9g s: constraint %s of joint '%s' depends on others: the configuration is singular, or other "
                   "joints already impose the same constraint; change the start or remove the joint",
                   t, joint->type->residual[row - joint->row], joint->name);
}

seam_status mbs_became_singular(const mbs_model *model, double t, int row, seam_error *error) {
  const mbs_joint *joint = &model->joints[model->joint_of_row[row]];
  return seam_fail(error, SEAM_BECAME_SINGULAR,
                   "t = %.9g s: the configuration becomes singular: constraint %s of joint '%s' becomes dependent on "
                   "others, and more than one motion may follow; end the run before, change lengths or masses, or try "
                   "integrator rk4 with small steps",
                   t, joint->type->residual[row - joint->row], joint->name);
}
