#include "cosim/parts/multibody_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/kinks.h"

static const cosim_multibody *self_of(const cosim_part *base) { return (const cosim_multibody *)base; }

/* ---- Saved state: t, step size, last error, q, v, z, work, inputs at the end of the last step ---- */

static size_t motion_length(const cosim_multibody *self) {
  return mbs_n_controlled(self->sub->model) + (size_t)self->sub->model->n_work;
}

static void copy_state(cosim_multibody *self, mbs_state *now, cosim_image image) {
  cosim_image_copy(&image, &now->t, 1);
  cosim_image_copy(&image, &self->step_memory.next_step, 1);
  cosim_image_copy(&image, &self->step_memory.last_error, 1);
  cosim_image_copy(&image, now->q, motion_length(self));
  cosim_image_copy(&image, self->end, (size_t)self->base.n_inputs);
}

static void save(const cosim_part *base, double *state) {
  cosim_multibody *self = (cosim_multibody *)base;
  copy_state(self, self->is_before_kink ? self->beyond_kink : self->state, (cosim_image){.at = state, .saves = true});
}

static void restore(cosim_part *base, const double *state) {
  cosim_multibody *self = (cosim_multibody *)base;
  (void)cosim_multibody_cross_kink(base);
  self->step_memory = (seam_step_memory){0};
  copy_state(self, self->state, (cosim_image){.at = (double *)state});
  memset(self->extra, 0, (size_t)self->n_integrals * sizeof *self->extra);
  self->is_evaluated = false;
}

/* Sets the inputs before the first step: ports by motion get them from q and v (3n) of the undivided model. */
static void set_first_inputs(cosim_multibody *self, const double *q, const double *v) {
  memset(self->end, 0, (size_t)self->base.n_inputs * sizeof *self->end);
  for (int p = 0; p < self->sub->model->n_ports; p++) {
    const cosim_multibody_port *port = &self->ports[p];
    if (port->def.kind != MBS_PORT_MOTION)
      continue;
    const mbs_motion remote =
        mbs_element_motion(self->undivided, port->def.is_joint, port->def.element, 1 - port->def.side, q, v, NULL);
    memcpy(self->end + port->input, remote.x, sizeof remote.x);
    memcpy(self->end + port->input + 3, remote.v, sizeof remote.v);
  }
}

void cosim_multibody_store(const cosim_part *base, mbs_state *undivided) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  for (int b = 0; b < self->sub->model->n_bodies; b++) {
    const int i = 3 * (self->sub->body_of[b + 1] - 1);
    memcpy(undivided->q + i, self->state->q + 3 * b, 3 * sizeof(double));
    memcpy(undivided->v + i, self->state->v + 3 * b, 3 * sizeof(double));
  }
  for (int k = 0; k < self->sub->model->n_states; k++)
    undivided->z[self->sub->state_of[k]] = self->state->z[k];
}

static void copy_motion(cosim_multibody *self, const mbs_state *undivided) {
  for (int b = 0; b < self->sub->model->n_bodies; b++) {
    const int i = 3 * (self->sub->body_of[b + 1] - 1);
    memcpy(self->state->q + 3 * b, undivided->q + i, 3 * sizeof(double));
    memcpy(self->state->v + 3 * b, undivided->v + i, 3 * sizeof(double));
  }
}

void cosim_multibody_start(cosim_part *base, const mbs_state *undivided) {
  cosim_multibody *self = (cosim_multibody *)base;
  (void)cosim_multibody_cross_kink(base); /* the last run may have ended just before a kink */
  self->state->t = undivided->t;
  self->last_switch = NAN;
  self->is_evaluated = false;
  copy_motion(self, undivided);
  for (int k = 0; k < self->sub->model->n_states; k++)
    self->state->z[k] = undivided->z[self->sub->state_of[k]];
  memset(self->state->work, 0, (size_t)self->sub->model->n_work * sizeof(double));
  memset(self->extra, 0, (size_t)self->n_integrals * sizeof(double));
  self->step_memory = (seam_step_memory){0};
  set_first_inputs(self, undivided->q, undivided->v);
  if (self->received == NULL)
    return;
  const double *received = self->inputs;
  mbs_read(self->received, self->undivided_ws, undivided, self->inputs);
  for (int p = 0; p < self->sub->model->n_ports; p++)
    if (self->ports[p].def.kind == MBS_PORT_QUANTITY)
      self->end[self->ports[p].input] = *received++;
}

void cosim_multibody_set_motion(cosim_part *base, const mbs_state *undivided) {
  cosim_multibody *self = (cosim_multibody *)base;
  cosim_multibody_move_beyond_kink(self, -1);
  copy_motion(self, undivided);
  cosim_multibody_move_beyond_kink(self, 1);
  self->is_evaluated = false;
}

void cosim_multibody_write(cosim_part *base, mbs_state *undivided) {
  cosim_multibody *self = (cosim_multibody *)base;
  const mbs_state *state = self->state;
  const mbs_model *model = self->sub->model;
  cosim_multibody_evaluate(self);
  if (model->n_redundant > 0) {
    mbs_least_norm(self->ws, self->state->lambda);
    self->is_evaluated = false; /* the next step evaluates lambda again, without mbs_least_norm() */
  }
  cosim_multibody_store(base, undivided);
  for (int b = 0; b < model->n_bodies; b++)
    memcpy(undivided->a + 3 * (self->sub->body_of[b + 1] - 1), state->a + 3 * b, 3 * sizeof(double));
  for (int j = 0; j < self->sub->n_own; j++) {
    const mbs_joint *joint = &model->joints[j];
    memcpy(undivided->lambda + self->undivided->joints[self->sub->joint_of[j]].row, state->lambda + joint->row,
           (size_t)joint->type->n_rows * sizeof(double));
  }
  for (int k = 0; k < model->n_hard; k++) {
    const int undivided_index = self->undivided->forces[self->sub->force_of[model->hard[k]]].hard;
    memcpy(undivided->contact + 2 * undivided_index, state->contact + 2 * k, 2 * sizeof(double));
    undivided->undetermined[undivided_index] = state->undetermined[k];
  }
  undivided->t = state->t;
  for (int i = 0; i < 2; i++)
    undivided->work[i] += state->work[i];
}

void cosim_multibody_set_state(cosim_part *base, int undivided_index, double value) {
  cosim_multibody *self = (cosim_multibody *)base;
  for (int k = 0; k < self->sub->model->n_states; k++)
    if (self->sub->state_of[k] == undivided_index) {
      self->state->z[k] = value;
      self->is_evaluated = self->first.is_evaluated = false;
    }
}

void cosim_multibody_set_mode(cosim_part *base, int port, int coordinate, mbs_one_sided_mode mode) {
  cosim_multibody *self = (cosim_multibody *)base;
  if (self->ports[port].def.kind != MBS_PORT_MOTION)
    return;
  self->sub->model->forces[self->ports[port].at->force].elastic[coordinate].mode = mode;
  self->is_evaluated = self->first.is_evaluated = false;
}

void cosim_multibody_set_accelerations_wanted(cosim_part *base, bool are_wanted) {
  ((cosim_multibody *)base)->wanted.accelerations = are_wanted;
}

bool cosim_multibody_knows_accelerations(const cosim_part *base) { return self_of(base)->is_evaluated; }
bool cosim_multibody_is_before_kink(const cosim_part *base) { return self_of(base)->is_before_kink; }
double cosim_multibody_last_switch(const cosim_part *base) { return self_of(base)->last_switch; }
double cosim_multibody_work(const cosim_part *base, int port) { return self_of(base)->state->work[2 + port]; }

mbs_statistics cosim_multibody_statistics(const cosim_part *base) {
  return mbs_integrator_statistics(self_of(base)->integrator);
}

/* ---- Kinks and samples at the end of a step ----
 *
 * A sample may read inputs, which at the end of a step are known only with the next step. So it is deferred to the next
 * step, or undone and taken again with these inputs. */

bool cosim_multibody_cross_kink(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  const bool passes = self->is_before_kink;
  if (passes) {
    mbs_state_copy(self->state, self->beyond_kink);
    self->ws->smooth.from = NAN; /* the interval between kinks is to be found again */
    self->is_evaluated = false;
  }
  self->is_before_kink = false;
  return passes;
}

void cosim_multibody_go_before_kink(cosim_multibody *self) {
  const double t = self->state->t;
  mbs_set_laws_before(self->ws, fmin(mbs_integrator_last_kink(self->integrator), t));
  mbs_state_copy(self->state, self->before_kink);
  self->state->t = t;
  self->is_before_kink = true;
}

void cosim_multibody_move_beyond_kink(const cosim_multibody *self, double sign) {
  const mbs_model *model = self->sub->model;
  for (int i = 0; i < 3 * model->n_bodies && self->is_before_kink; i++) {
    self->beyond_kink->q[i] += sign * self->state->q[i];
    self->beyond_kink->v[i] += sign * self->state->v[i];
  }
  for (int i = 2; i < model->n_work && self->is_before_kink; i++)
    self->beyond_kink->work[i] += sign * self->state->work[i];
}

/* Copies sampled variables, and the time of the last sample, from another state. */
static void take_samples(const mbs_model *model, mbs_state *to, const mbs_state *from) {
  const mbs_laws *laws = &model->laws;
  for (int i = 0; i <= laws->n_variables && laws->n_sampled > 0; i++)
    if (i == laws->n_variables || laws->variable[i].sample > 0)
      to->z[laws->first_state + i] = from->z[laws->first_state + i];
}

static bool get_outputs_beyond(cosim_part *base, double *outputs) {
  cosim_multibody *self = (cosim_multibody *)base;
  if (!cosim_multibody_cross_kink(base))
    return false;
  take_samples(self->sub->model, self->state, self->before_kink);
  cosim_multibody_get_outputs(base, outputs);
  cosim_multibody_go_before_kink(self);
  self->is_evaluated = false;
  return true;
}

void cosim_multibody_defer_sample(cosim_multibody *self) {
  const mbs_model *model = self->sub->model;
  if (!self->samples_wait || !self->is_before_kink || !mbs_is_sample_due(model, self->state))
    return;
  take_samples(model, self->beyond_kink, self->state);
  mbs_state_copy(self->state, self->beyond_kink);
  self->is_before_kink = false;
  self->ws->smooth.from = NAN; /* the interval between kinks is to be found again */
}

void cosim_multibody_defer_samples(cosim_part *base) { ((cosim_multibody *)base)->samples_wait = true; }

bool cosim_multibody_is_sample_due(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  return self->samples_wait && !self->is_before_kink && mbs_is_sample_due(self->sub->model, self->state);
}

void cosim_multibody_undo_start_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  if (self->sub->model->laws.at[MBS_SAMPLED].n == 0)
    return;
  for (int k = 0; k < self->sub->model->n_states; k++)
    self->path.state->z[k] = self->undivided->initial[6 * self->undivided->n_bodies + self->sub->state_of[k]];
  take_samples(self->sub->model, self->state, self->path.state);
  self->is_evaluated = false;
}

seam_status cosim_multibody_sample(cosim_part *base, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  mbs_integrator_begin_smooth(self->integrator, self->state->t);
  self->is_evaluated = self->first.is_evaluated = false;
  return mbs_sample(self->ws, self->state, error);
}

bool cosim_multibody_samples_inputs(const cosim_part *base) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  bool reads = base->n_inputs > 0 && mbs_samples_read_forces(self->sub->model);
  for (int p = 0; p < self->sub->model->n_ports; p++)
    reads |= self->ports[p].def.kind == MBS_PORT_QUANTITY;
  return reads && self->sub->model->laws.at[MBS_SAMPLED].n > 0;
}

bool cosim_multibody_reads_at_samples(const cosim_part *base) {
  const mbs_laws *laws = &((const cosim_multibody *)base)->sub->model->laws;
  bool reads = false;
  for (mbs_eval_phase phase = MBS_EARLY; phase <= MBS_LATE; phase++)
    reads |= laws->at[phase].readout != NULL && laws->at[phase].readout->reads_inputs;
  return !reads && laws->at[MBS_SAMPLED].n > 0;
}

double cosim_multibody_next_sample(const cosim_part *base, double t) {
  return mbs_next_sample(((const cosim_multibody *)base)->sub->model, t);
}

bool cosim_multibody_undo_samples(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  take_samples(self->sub->model, self->state, self->before_kink);
  self->is_evaluated = false;
  return mbs_is_sample_due(self->sub->model, self->state);
}

/* ---- Ports ---- */

static void number_ports(cosim_multibody *self, const mbs_port_def *defs) {
  const mbs_model *model = self->sub->model;
  for (int p = 0; p < model->n_ports; p++) {
    const mbs_port *at = &self->sub->ports[p];
    const mbs_joint *joint = at->joint >= 0 ? &model->joints[at->joint] : NULL;
    cosim_multibody_port *port = &self->ports[p];
    *port =
        (cosim_multibody_port){.def = defs[p], .at = at, .input = self->base.n_inputs, .output = self->base.n_outputs};
    port->n_rows = joint != NULL ? joint->type->n_rows : 0;
    port->row = joint != NULL ? joint->row : 0;
    const int n_by_kind = defs[p].kind == MBS_PORT_QUANTITY ? 1 : defs[p].kind == MBS_PORT_MOTION ? 6 : 3;
    port->n_inputs = joint != NULL ? port->n_rows : n_by_kind;
    port->wrench = -1;
    for (int i = 0; i < port->n_inputs; i++)
      port->coordinate[i] = joint != NULL ? joint->type->coordinate[i] : i;
    self->base.n_inputs += port->n_inputs;
    if (at->body > 0)
      self->base.n_outputs += (self->wanted.integrals ? 12 : 9) + port->n_rows;
    else
      port->output = -1;
    if (self->wanted.wrenches && defs[p].kind == MBS_PORT_MOTION) {
      port->wrench = self->base.n_outputs;
      self->base.n_outputs += 3;
    }
  }
}

static void number_probes(cosim_multibody *self, const cosim_multibody_def *def) {
  self->n_probes = def->n_probes;
  for (int k = 0; k < def->n_probes; k++) {
    const cosim_probe *probe = &def->probes[k];
    mbs_port at = {.body = (int)probe->number + 1};
    if (!probe->is_body) {
      const mbs_force *force = &def->model->forces[probe->number];
      const int side = force->body[0] == 0;
      at = (mbs_port){.body = force->body[side], .marker = force->marker[side]};
    }
    int own = self->sub->model->n_bodies;
    while (own > 0 && self->sub->body_of[own] != at.body)
      own--;
    at.body = own;
    self->probes[k] = (cosim_multibody_point){at, self->base.n_outputs};
    self->base.n_outputs += 6;
  }
}

int cosim_multibody_wrench(const cosim_part *base, int number) { return self_of(base)->ports[number].wrench; }
int cosim_multibody_input(const cosim_part *base, int number) { return self_of(base)->ports[number].input; }
int cosim_multibody_probe(const cosim_part *base, int number) { return self_of(base)->probes[number].output; }
int cosim_multibody_quantity(const cosim_part *base, int number) { return self_of(base)->quantity + number; }

cosim_side cosim_multibody_side(const cosim_part *base, int number) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  const cosim_multibody_port *port = &self->ports[number];
  const mbs_port_kind by = port->def.kind;
  const bool moves = port->output >= 0;
  return (cosim_side){
      .part = -1,
      .force_input = by == MBS_PORT_FORCE || by == MBS_PORT_SIGNAL ? port->input : -1,
      .position_input = by == MBS_PORT_MOTION ? port->input : -1,
      .velocity_input = by == MBS_PORT_MOTION ? port->input + 3 : -1,
      .acceleration_input = by == MBS_PORT_ACCELERATION ? port->input : -1,
      .position = port->output,
      .velocity = moves ? port->output + 3 : -1,
      .acceleration = moves ? port->output + 6 : -1,
      .position_integral = moves && self->wanted.integrals ? port->output + 9 : -1,
      .multiplier = by == MBS_PORT_ACCELERATION ? port->output + (self->wanted.integrals ? 12 : 9) : -1,
  };
}

/* Fails because the part lacks a quantity. For a quantity of equations, the message names their missing input. */
static seam_status refuse_quantity(const cosim_multibody *self, const mbs_model *undivided, mbs_quantity quantity,
                                   seam_error *error) {
  const int most = undivided->laws.n_variables + undivided->n_measures; /* limit, since equations may form a circle */
  mbs_quantity own, by = quantity;
  for (int depth = 0; depth < most; depth++) {
    const mbs_readout *inputs = NULL; /* inputs of a variable or an expression; other quantities have none */
    int i = 0;
    if (quantity.owner == MBS_VARIABLES)
      inputs = undivided->laws.variable[quantity.element].response.inputs;
    else if (quantity.owner == MBS_MEASURES)
      inputs = undivided->measures[quantity.element].inputs;
    while (inputs != NULL && i < inputs->n && mbs_subsystem_quantity(self->sub, undivided, inputs->quantities[i], &own))
      i++;
    if (inputs == NULL || i == inputs->n)
      break;
    by = quantity;
    quantity = inputs->quantities[i];
  }
  const mbs_quantity_info missing = mbs_quantity_of(undivided, quantity);
  const mbs_quantity_info reader = mbs_quantity_of(undivided, by);
  return seam_fail(error, SEAM_BAD_INPUT,
                   "'%s%s%s' reads '%s%s%s', which no single subsystem can compute, perhaps because it belongs to a "
                   "cut element: read quantities of bodies instead",
                   reader.element, *reader.name != '\0' ? "." : "", reader.name, missing.element,
                   *missing.name != '\0' ? "." : "", missing.name);
}

static seam_status check_memory(const cosim_multibody_def *def, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for subsystem '%s'", def->name);
}

static seam_status take_quantities(cosim_multibody *self, const cosim_multibody_def *def, seam_error *error) {
  const size_t n = (size_t)def->n_quantities;
  if (n == 0)
    return SEAM_OK;
  mbs_quantity *own = calloc(n, sizeof *own);
  TRY(check_memory(def, own != NULL, error));
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (!mbs_subsystem_quantity(self->sub, def->model, def->quantities[i], &own[i]))
      status = refuse_quantity(self, def->model, def->quantities[i], error);
  THEN(status, mbs_readout_create(self->sub->model, own, n, &self->quantities, error));
  self->quantity = self->base.n_outputs;
  self->base.n_outputs += def->n_quantities;
  free(own);
  return status;
}

/* Creates the readout, in the undivided model, of quantities that ports receive at the start. */
static seam_status take_received(cosim_multibody *self, const cosim_multibody_def *def, seam_error *error) {
  size_t n = 0;
  mbs_quantity *received = calloc((size_t)def->n_ports + 1, sizeof *received);
  TRY(check_memory(def, received != NULL, error));
  for (const mbs_port_def *port = def->ports; port < def->ports + def->n_ports; port++)
    if (port->kind == MBS_PORT_QUANTITY)
      received[n++] = port->quantity;
  seam_status status = n > 0 ? mbs_readout_create(def->model, received, n, &self->received, error) : SEAM_OK;
  if (n > 0)
    THEN(status, mbs_workspace_create(def->model, &self->undivided_ws, error));
  free(received);
  return status;
}

/* ---- Creation ---- */

#define MULTIBODY_ARRAYS(X)                                                                                            \
  X(self, inputs, n_inputs)                                                                                            \
  X(self, end, n_inputs)                                                                                               \
  X(self, begin, n_inputs)                                                                                             \
  X(self, first.inputs, n_inputs)                                                                                      \
  X(self, first.rates, (size_t)(model->n_states + model->n_work))                                                      \
  X(self, da, n)                                                                                                       \
  X(self, dlambda, (size_t)model->n_rows)                                                                              \
  X(self, impulse_load, 4 * n + (size_t)model->n_rows + 2 * n_inputs)                                                  \
  X(self, extra, n_extra)                                                                                              \
  X(self, active, COSIM_MAX_SEEDS_PER_INPUT *n_inputs)                                                                 \
  X(self, seeds, COSIM_MAX_SEEDS_PER_INPUT *n_inputs)                                                                  \
  X(self, tau, (COSIM_MAX_SEEDS_PER_INPUT + 1) * n_inputs * (COSIM_MAX_PIECES - 1))                                    \
  X(self, series.vectors, cosim_n_step_points *n_inputs *cosim_n_vectors *n)                                           \
  X(self, series.derivatives, n_inputs *(size_t)self->base.n_outputs)                                                  \
  X(self, series.skips, n_inputs)

static void destroy(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  mbs_integrator_destroy(self->integrator);
  mbs_linearised_destroy(self->linear);
  mbs_state_destroy(self->state);
  mbs_state_destroy(self->beyond_kink);
  mbs_state_destroy(self->before_kink);
  mbs_state_destroy(self->first.state);
  mbs_readout_destroy(self->received);
  mbs_workspace_destroy(self->undivided_ws);
  mbs_readout_destroy(self->quantities);
  mbs_subsystem_destroy(self->sub);
  free(self->ports);
  free(self->probes);
  MULTIBODY_ARRAYS(FREE_ARRAY)
  free(self->path.points);
  mbs_state_destroy(self->path.state);
  free(self);
}

/* Returns true for methods that integrate q, v and extra states by the same formulas. Derivatives of their steps omit
 * only the projections, whose effect is as small as the drift. */
static bool gives_derivatives(const char *method) {
  return strcmp(method, "erk") == 0 || strcmp(method, "euler") == 0 || strcmp(method, "rk2") == 0 ||
         strcmp(method, "rk4") == 0;
}

static bool is_eulers(const char *method) {
  return strcmp(method, "euler") == 0 || strcmp(method, "symplectic_euler") == 0;
}

static seam_status create(cosim_multibody *self, const cosim_multibody_def *def, seam_error *error) {
  self->ports = calloc((size_t)def->n_ports + 1, sizeof *self->ports);
  self->probes = calloc((size_t)def->n_probes + 1, sizeof *self->probes);
  TRY(check_memory(def, self->ports != NULL && self->probes != NULL, error));
  TRY(mbs_subsystem_create(def->model, def->bodies, def->excluded, def->ports, def->n_ports, &self->sub, error));
  TRY(take_received(self, def, error));
  number_ports(self, def->ports);
  number_probes(self, def);
  TRY(take_quantities(self, def, error));
  const mbs_model *model = self->sub->model;
  self->base.gives_derivatives = gives_derivatives(def->integrator.method) && model->n_hard == 0; /* else v may jump */
  self->base.is_algebraic = model->n_bodies == 0 && model->n_forces == 0 && mbs_n_states(model) == 0;
  self->base.is_mechanical = !self->base.is_algebraic;
  self->micro_step = def->integrator.step;
  self->rtol = def->integrator.rtol;
  self->atol = def->integrator.atol;
  self->order = strcmp(def->integrator.method, "erk") == 0 ? def->integrator.order : 0;
  self->holds_inputs = self->wanted.wrenches && is_eulers(def->integrator.method);
  self->n_integrals = self->wanted.integrals ? 3 * model->n_ports : 0;
  self->n_change = (int)mbs_n_controlled(model) + self->n_integrals;
  self->base.n_state = 3 + motion_length(self) + (size_t)self->base.n_inputs;
  const int max_seeds = self->base.gives_derivatives ? COSIM_MAX_SEEDS_PER_INPUT * self->base.n_inputs : 0;
  const size_t n_extra = cosim_multibody_n_extra(self, max_seeds);
  const size_t n_inputs = (size_t)self->base.n_inputs;
  const size_t n = 3 * (size_t)model->n_bodies;
  bool enough = true MULTIBODY_ARRAYS(ALLOCATE_ARRAY);
  mbs_state **const states[] = {&self->state, &self->beyond_kink, &self->before_kink, &self->path.state,
                                &self->first.state};
  for (size_t i = 0; i < sizeof states / sizeof *states; i++)
    enough = enough && mbs_state_create(model, states[i], NULL) == SEAM_OK;
  self->series.middle = INFINITY;
  if (self->base.gives_derivatives)
    enough = enough && mbs_linearised_create(model, &self->linear, NULL) == SEAM_OK;
  TRY(check_memory(def, enough, error));
  set_first_inputs(self, def->model->initial, def->model->initial + 3 * def->model->n_bodies);
  mbs_integrator_options integrator = def->integrator;
  if (model->n_bodies == 0 && is_eulers(integrator.method)) /* symplectic Euler is Euler's method then */
    integrator.method = "euler";
  else if (mbs_n_controlled(model) == 0) /* an implicit method would have nothing to solve for */
    integrator.method = mbs_default_integrator_options().method;
  return cosim_multibody_create_integrator(self, &integrator, n_extra, error);
}

seam_status cosim_multibody_part_create(const cosim_multibody_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops all_ops = {.advance = cosim_multibody_advance,
                                         .repeat = cosim_multibody_repeat,
                                         .get_outputs = cosim_multibody_get_outputs,
                                         .save = save,
                                         .restore = restore,
                                         .destroy = destroy,
                                         .get_outputs_beyond = get_outputs_beyond,
                                         .evaluate_outputs = cosim_multibody_evaluate_outputs,
                                         .get_feedthrough = cosim_multibody_get_feedthrough,
                                         .apply_impulses = cosim_multibody_apply_impulses,
                                         .update_end = cosim_multibody_update_end,
                                         .measure_impulses = cosim_multibody_measure_impulses};
  static const cosim_part_ops ops = {.advance = cosim_multibody_advance,
                                     .get_outputs = cosim_multibody_get_outputs,
                                     .save = save,
                                     .restore = restore,
                                     .destroy = destroy,
                                     .get_outputs_beyond = get_outputs_beyond,
                                     .evaluate_outputs = cosim_multibody_evaluate_outputs};
  cosim_multibody *self = calloc(1, sizeof *self);
  TRY(check_memory(def, self != NULL, error));
  self->base = (cosim_part){.ops = &ops, .name = def->name, .gives_nodes = true};
  self->undivided = def->model;
  self->wanted.integrals = def->integrals;
  self->wanted.accelerations = !def->no_accelerations;
  self->wanted.wrenches = def->wrenches;
  const seam_status status = create(self, def, error);
  if (status == SEAM_OK && self->linear != NULL && self->sub->model->n_bodies > 0)
    self->base.ops = &all_ops;
  RETURN_CREATED(status, &self->base, part, destroy);
}

cosim_multibody_view cosim_multibody_view_of(cosim_part *base) {
  cosim_multibody *self = (cosim_multibody *)base;
  return (cosim_multibody_view){.undivided = self->undivided,
                                .sub = self->sub,
                                .ports = self->ports,
                                .port_inputs = &self->port_inputs,
                                .state = self->state,
                                .inputs = self->end,
                                .n_integrals = self->n_integrals,
                                .probes = self->probes,
                                .n_probes = self->n_probes,
                                .quantities = self->quantities,
                                .quantity = self->quantity};
}
