/* Jobs share the bodies, joints or force elements among threads. Each job writes only the results of its own range. The
 * loads of a body are added in the order of the force elements, and powers are summed over fixed ranges. So results do
 * not depend on the number of threads. */
#include "mbs/stages/stages.h"

#include <math.h>
#include <string.h>

#include "mbs/model/friction.h"
#include "mbs/model/unilateral.h"

/* ---- Kinematics ---- */

/* Data of stages 1 and 3 for all threads. */
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

/* ---- Marked states ---- */

/* Returns true if stages 1 and 3 depend on t, q, v and z alone, which mbs_has_stages() compares. */
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

/* ---- Joints and contacts that stick ---- */

void mbs_load_stick_states(mbs_workspace *ws, const double *z) {
  const mbs_model *model = ws->model;
  mbs_unilateral *contacts = ws->unilateral;
  if (contacts != NULL && model->n_segments > 0)
    memcpy(contacts->z, z, (size_t)model->n_states * sizeof *z);
  for (int k = 0; contacts != NULL && k < contacts->n; k++) {
    const mbs_force *force = &model->forces[model->hard[k]];
    const double mode = mbs_hard_mode_in(force, z);
    contacts->stuck_at[k] = mode == MBS_HARD_STICKS ? z[force->state + MBS_HARD_STUCK_AT] : NAN;
    if (mode != MBS_BY_MOTION) /* MBS_BY_MOTION: the mode is not known yet */
      contacts->mode[k] = mode;
  }
  for (int j = 0; j < model->n_joints && model->n_stick_rows > 0; j++) {
    const mbs_joint *joint = &model->joints[j];
    if (joint->type->can_stick)
      ws->stuck_at[j] = mbs_friction_mode_of(joint, z) == MBS_STICKS ? z[joint->mode + 1] : NAN;
  }
}

void mbs_release_stuck_joints(mbs_workspace *ws) {
  for (int j = 0; j < ws->model->n_joints; j++)
    ws->stuck_at[j] = NAN;
}

/* ---- Forces ---- */

/* Adds the load of one element to ws->Q, and its dissipated and driven power to `power`. A cut element connects two
 * subsystems. Its power Q · v on the bodies of this one goes to ws->port_power instead, and its load on the frame of
 * the port to ws->port_wrench. */
static void add_load(mbs_workspace *ws, const mbs_force *force, double law_time, const double *z, mbs_power *power) {
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_power elsewhere = {0};
  double buffer[2];
  double Q[6];
  const double *numbers = mbs_numbers(ws, force, z, buffer);
  force->type->load(force, &pair, law_time, numbers, Q, force->cut_port >= 0 ? &elsewhere : power);
  mbs_add_load(force, Q, ws->Q);
  if (force->cut_port < 0)
    return;
  ws->port_power[force->cut_port] = 0;
  for (int side = 0; side < 2; side++) {
    const mbs_frame *frame = pair.frame[side];
    if (force->body[side] != 0)
      ws->port_power[force->cut_port] +=
          Q[3 * side] * frame->vx + Q[3 * side + 1] * frame->vy + Q[3 * side + 2] * frame->omega;
    const int port = mbs_port_of_frame(ws->model, force->frame[side]);
    if (port >= 0)
      memcpy(ws->port_wrench + 3 * port, Q + 3 * side, 3 * sizeof *Q);
  }
}

typedef struct loading {
  mbs_workspace *ws;
  double law_time;
  const double *z;
  mbs_power power[THREAD_RANGES];
} loading;

static void add_loads(void *context, const thread_range *range) {
  loading *self = context;
  mbs_workspace *ws = self->ws;
  const int end = (int)range->end;
  mbs_power power = {0};
  for (int i = (int)range->first, n; i < end; i += n) {
    const mbs_force *first = &ws->model->forces[i];
    n = first->n_alike < end - i ? first->n_alike : end - i;
    if (first->type->is_hard) /* forces of hard elements are multipliers */
      continue;
    if (first->type->add_loads != NULL && first->cut_port < 0)
      first->type->add_loads(first, n, ws->frames, ws->Q, &power);
    else
      for (int k = 0; k < n; k++)
        add_load(ws, first + k, self->law_time, self->z, &power);
  }
  self->power[range->number] = power;
}

static void find_loads(void *context, const thread_range *range) {
  loading *self = context;
  const mbs_workspace *ws = self->ws;
  mbs_power power = {0};
  for (size_t i = range->first; i < range->end; i++) {
    const mbs_force *force = &ws->model->forces[i];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    double buffer[2];
    if (!force->type->is_hard)
      force->type->load(force, &pair, self->law_time, mbs_numbers(ws, force, self->z, buffer), ws->loads + 6 * i,
                        &power);
  }
  self->power[range->number] = power;
}

static void gather_loads(void *context, const thread_range *range) {
  const mbs_workspace *ws = ((const loading *)context)->ws;
  const mbs_model *model = ws->model;
  for (size_t b = range->first; b < range->end; b++) {
    double *Q = ws->Q + 3 * (b + 1);
    memcpy(Q, model->gravity_load + 3 * (b + 1), 3 * sizeof *Q);
    for (int at = model->first_load[b]; at < model->first_load[b + 1]; at++)
      for (int i = 0; i < 3; i++)
        Q[i] += ws->loads[model->load_ends[at] + i];
  }
}

static void find_rates(void *context, const thread_range *range) {
  const loading *self = context;
  mbs_workspace *ws = self->ws;
  const mbs_model *model = ws->model;
  for (size_t i = range->first; i < range->end; i++) {
    const mbs_force *force = &model->forces[model->stateful[i]];
    const mbs_pair pair = mbs_force_pair(force, ws->frames);
    const double u = mbs_command(force, ws->response, self->law_time);
    force->type->states->rates(force, &pair, u, self->z + force->state, ws->z_rates + force->state);
  }
}

void mbs_stage_forces(mbs_workspace *ws, double t, const double *z) {
  const mbs_model *model = ws->model;
  const size_t n_forces = (size_t)model->n_forces;
  const size_t n_bodies = (size_t)model->n_bodies;
  loading self;
  int n_ranges = 1;
  self.ws = ws;
  self.law_time = mbs_law_time(ws, t);
  self.z = z;
  mbs_set_port_frames(ws, t);
  if (mbs_is_large(model)) {
    n_ranges = THREAD_RANGES;
    memset(self.power, 0, sizeof self.power); /* ranges without items stay zero */
  }
  if (ws->workers != NULL && ws->workers->pool != NULL && model->n_ports == 0) {
    if (n_forces > 0)
      worker_group_call(ws->workers, n_forces, find_loads, &self);
    worker_group_call(ws->workers, n_bodies, gather_loads, &self);
  } else {
    memcpy(ws->Q, model->gravity_load, 3 * (n_bodies + 1) * sizeof *ws->Q);
    if (mbs_is_large(model))
      worker_group_call(NULL, n_forces, add_loads, &self);
    else
      add_loads(&self, &(thread_range){0, n_forces, 0});
  }
  ws->power = (mbs_power){0};
  for (int i = 0; i < n_ranges; i++) {
    ws->power.dissipated += self.power[i].dissipated;
    ws->power.driven += self.power[i].driven;
  }
  worker_group_share(ws->workers, (size_t)model->n_stateful, find_rates, &self);
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

/* ---- Constraints ---- */

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

/* ---- Products with the Jacobian G ---- */

typedef struct product {
  const mbs_workspace *ws;
  const double *x, *less;
  double *y;
} product;

/* Finds y = G x - less for the n constraints of one joint; less (n): NULL stands for zeros. The compiler inlines it
 * with a constant n, once with `less` and once without. */
static inline void multiply_rows(const mbs_joint_rows *joint, int n, const double (*G)[6], const double *x,
                                 const double *less, double *restrict y) {
  double sum[mbs_max_rows] = {0};
  for (int side = 0; side < 2; side++) {
    if (joint->body[side] == 0)
      continue;
    const double *of_body = x + 3 * (joint->body[side] - 1);
    for (int k = 0; k < n; k++) {
      const double *row = G[k] + 3 * side;
      sum[k] += row[0] * of_body[0] + row[1] * of_body[1] + row[2] * of_body[2];
    }
  }
  for (int k = 0; k < n; k++)
    y[k] = less != NULL ? sum[k] - less[k] : sum[k];
}

/* Returns G x for both constraints of a pin joint, without reading its entries of G that are 0, 1 or -1. */
static inline seam_lanes multiply_pin(const mbs_joint_rows *joint, const double (*G)[6], const double *x) {
  seam_lanes sum = {0, 0};
  for (int side = 0; side < 2; side++) {
    if (joint->body[side] == 0)
      continue;
    const double *of_body = x + 3 * (joint->body[side] - 1);
    const seam_lanes position = seam_lanes_load(of_body);
    const seam_lanes arm = {G[0][3 * side + 2], G[1][3 * side + 2]};
    sum += (side == 0 ? -position : position) + arm * seam_lanes_of(of_body[2]);
  }
  return sum;
}

static inline void multiply_range(const product *self, const thread_range *range, const double *less) {
  const mbs_joint_rows *joints = self->ws->model->joint_rows;
  const double(*rows)[6] = (const double(*)[6])self->ws->G;
  for (const mbs_joint_rows *joint = joints + range->first; joint < joints + range->end; joint++) {
    const double *of_joint = less != NULL ? less + joint->row : NULL;
    if (joint->is_pin) {
      const seam_lanes pin = multiply_pin(joint, rows + joint->row, self->x);
      seam_lanes_store(self->y + joint->row, less != NULL ? pin - seam_lanes_load(of_joint) : pin);
    } else if (joint->n_rows == 2)
      multiply_rows(joint, 2, rows + joint->row, self->x, of_joint, self->y + joint->row);
    else
      multiply_rows(joint, joint->n_rows, rows + joint->row, self->x, of_joint, self->y + joint->row);
  }
}

static void multiply_joints(void *context, const thread_range *range) {
  const product *self = context;
  if (self->less != NULL)
    multiply_range(self, range, self->less);
  else
    multiply_range(self, range, NULL);
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
void mbs_multiply_G_less(const mbs_workspace *ws, const double *x, const double *less, double *y) {
  product self = {ws, x, less, y};
  worker_group_share(ws->workers, (size_t)ws->model->n_joints, multiply_joints, &self);
}

void mbs_multiply_G(const mbs_workspace *ws, const double *x, double *y) { mbs_multiply_G_less(ws, x, NULL, y); }

void mbs_constraint_rate(mbs_workspace *ws, const double *v, double *y) {
  mbs_multiply_G_less(ws, v, ws->prescribed_rate, y);
  for (int i = ws->model->n_rows - ws->model->n_prescribed; i < ws->model->n_rows; i++)
    y[i] = 0;
}

typedef struct transposed {
  const mbs_workspace *ws;
  const double *weight, *y;
  double scale;
  double *x;
} transposed;

/* Adds to the coordinates of one body what the n constraints of one of its joints contribute to `scale` W Gᵀ y: for x
 * and y to *position, for φ to *angle. entry: the body's entries in the first of the joint's rows of G. w (3): the
 * body's entries of W. */
static inline void add_rows(int n, const double *entry, const double *w, double scale, const double *y,
                            seam_lanes *position, double *angle) {
  for (int k = 0; k < n; k++, entry += 6) {
    const double force = scale * y[k];
    *position += seam_lanes_load(w) * seam_lanes_load(entry) * seam_lanes_of(force);
    *angle += w[2] * entry[2] * force;
  }
}

/* Works like add_rows() for a pin joint, without reading its entries of G for x and y, which are 0 or `sign`. */
static inline void add_pin(int sign, const double *entry, const double *w, double scale, const double *y,
                           seam_lanes *position, double *angle) {
  const seam_lanes force = seam_lanes_of(scale) * seam_lanes_load(y);
  const seam_lanes load = seam_lanes_load(w) * force;
  *position = sign < 0 ? *position - load : *position + load;
  *angle = *angle + w[2] * entry[2] * force[0] + w[2] * entry[8] * force[1];
}

static void add_to_bodies(void *context, const thread_range *range) {
  const transposed *self = context;
  const double scale = self->scale;
  const double *y = self->y;
  const double *G = self->ws->G[0];
  const int *first = self->ws->model->first_end;
  const mbs_joint_end *at = self->ws->model->joint_ends + first[range->first];
  for (size_t b = range->first; b < range->end; b++) {
    double *x = self->x + 3 * b;
    const double *w = self->weight + 3 * (b + 1);
    seam_lanes position = seam_lanes_load(x);
    double angle = x[2];
    for (const mbs_joint_end *end = self->ws->model->joint_ends + first[b + 1]; at < end; at++)
      if (at->sign != 0)
        add_pin(at->sign, G + at->entry, w, scale, y + at->row, &position, &angle);
      else if (at->n_rows == 2)
        add_rows(2, G + at->entry, w, scale, y + at->row, &position, &angle);
      else
        add_rows(at->n_rows, G + at->entry, w, scale, y + at->row, &position, &angle);
    seam_lanes_store(x, position);
    x[2] = angle;
  }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): written by jobs */
void mbs_add_WGt(mbs_workspace *ws, const double *weight, double scale, const double *y, double *x) {
  transposed self = {ws, weight, y, scale, x};
  worker_group_share(ws->workers, (size_t)ws->model->n_bodies, add_to_bodies, &self);
}

/* ---- Factors of S ---- */

void mbs_exclude_row(mbs_workspace *ws, int row) {
  const int number = ws->model->joint_of_row[row];
  const mbs_joint *joint = &ws->model->joints[number];
  mbs_elimination_exclude(&ws->model->elimination, number, joint->type->n_rows, row - joint->row, ws->solver);
}

void mbs_exclude_free_rows(const mbs_workspace *ws, seam_ldl *solver) {
  const mbs_model *model = ws->model;
  for (int j = 0; j < model->n_joints && model->n_stick_rows > 0; j++) {
    const mbs_joint_type *type = model->joints[j].type;
    if (type->can_stick && isnan(ws->stuck_at[j]))
      mbs_elimination_exclude(&model->elimination, j, type->n_rows, type->n_rows - 1, solver);
  }
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

/* ---- Effects of a load on an element ---- */

void mbs_add_free_influence(const mbs_model *model, const mbs_force *force, const double load[6], double *a) {
  for (int i = 0; i < 6; i++)
    if (mbs_has_coordinate(force->body, i))
      a[mbs_coordinate(force->body, i)] += load[i] * model->inverse_mass[3 * force->body[i / 3] + i % 3];
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

/* ---- Singular configurations ---- */

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
