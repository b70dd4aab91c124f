/* A macro step of a multibody part with positions q, velocities v, accelerations a, and states z with rates Z. The part
 * integrates extra states, which are zero at the beginning of the step. x is the position of a port's marker:
 *
 *   p'  = x                                    for each port
 *   δq' = δv,  δv' = δa,  δz' = δZ,  δp' = δx   for each seed
 *
 * δa solves the equations of motion linearised about the present state. A changed wrench or motion at a port enters
 * their forces, a changed acceleration their constraints. A motion also enters δZ.
 *
 * A marker's outputs and their changes follow from its body. r is the centre of mass, φ the angle, ω = φ̇ and α = ω̇.
 * The marker has the arm d, and d⊥ = (-d_y, d_x):
 *
 *   x = r + d        δx = δr + d⊥ δφ
 *   v = ṙ + ω d⊥     δv = δṙ + d⊥ δω - ω d δφ
 *   ẍ = r̈ + α d⊥ - ω² d   δẍ = δr̈ + d⊥ δα - 2 ω d δω - (α d + ω² d⊥) δφ */
#include "cosim/parts/multibody_internal.h"

#include <math.h>
#include <string.h>

#include "base/then.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/kinks.h"
#include "mbs/stages/stages.h"

static int n_ports(const cosim_multibody *self) { return self->sub->model->n_ports; }

/* ---- Inputs ---- */

/* Returns a signal's value at τ by the polynomial of the piece that contains `middle`. */
static inline double value_near(const cosim_signal *signal, double tau, double middle) {
  const int piece = signal->n_pieces == 1 ? 0 : cosim_signal_piece_at(signal, middle);
  const double x = piece == 0 ? tau : tau - cosim_signal_begin(signal, piece);
  const double *c = signal->c[piece];
  double value = 0;
  for (int j = COSIM_MAX_DEGREE; j >= 0; j--)
    value = value * x + c[j];
  return value;
}

static double tau_of(const cosim_step *step, double t) { return (t - step->t) / step->H; }

/* Callback of mbs_port_inputs: fills the frames of ports from the inputs at t. */
static void set_port_frames(void *context, double t, mbs_frame *frames) {
  cosim_multibody *self = context;
  const double *inputs = self->step == NULL ? self->end : self->begin;
  if (self->step != NULL && t != self->step->t) {
    const double tau = tau_of(self->step, t);
    for (int i = 0; i < self->base.n_inputs; i++)
      self->inputs[i] = value_near(&self->step->inputs[i], tau, self->middle);
    inputs = self->inputs;
    if (self->holds_inputs)
      self->end_tau = tau;
  }
  for (int p = 0; p < n_ports(self); p++) {
    const cosim_multibody_port *port = &self->ports[p];
    double of[COSIM_MAX_PORT_INPUTS] = {0};
    for (int i = 0; i < port->n_inputs; i++)
      of[port->coordinate[i]] = inputs[port->input + i];
    frames[p] = port->def.kind == MBS_PORT_MOTION ? mbs_frame_at(of, of + 3)
                                                  : (mbs_frame){.x = of[0], .y = of[1], .phi = of[2], .cos = 1};
  }
}

/* ---- Linearised elements at ports that receive a motion ---- */

/* Returns the index of the port's element among the force elements with states; -1: the element has no states. */
static int state_index_of(const mbs_model *model, const cosim_multibody_port *port) {
  for (int k = 0; k < model->n_stateful; k++)
    if (model->stateful[k] == port->at->force)
      return k;
  return -1;
}

void cosim_port_add_rates(const cosim_port_change *c, const cosim_multibody_port *port, double *dz) {
  const int k = port->def.kind == MBS_PORT_MOTION ? state_index_of(c->model, port) : -1;
  if (k < 0)
    return;
  const mbs_force *force = &c->model->forces[port->at->force];
  const mbs_state_gradient *gradient = &c->linear->states[k];
  const int coordinate = port->coordinate[c->input - port->input];
  const int column = 3 * (1 - port->at->side) + coordinate % 3;
  for (int j = 0; j < force->type->states->n; j++)
    dz[force->state + j] += (coordinate < 3 ? gradient->Zq : gradient->Zv)[j][column] * c->change;
}

void cosim_port_wrench_change(const cosim_port_change *c, const cosim_multibody_port *port, double dW[3]) {
  const mbs_force *force = &c->model->forces[port->at->force];
  const mbs_gradient *gradient = &c->linear->forces[port->at->force];
  const int stateful = state_index_of(c->model, port);
  double d[12] = {0}; /* δx (6) and δv (6) of both frames of the element */
  for (int side = 0; side < 2; side++) {
    const int frame = force->frame[side];
    const int body = 3 * (frame - 1);
    const int by_port = mbs_port_of_frame(c->model, frame);
    const int input = by_port >= 0 ? c->input - c->ports[by_port].input : -1;
    if (by_port >= 0 && input >= 0 && input < c->ports[by_port].n_inputs)
      d[3 * side + input % 3 + 6 * (input / 3)] = c->change;
    for (int i = 0; i < 3 && frame > 0 && by_port < 0; i++) {
      d[3 * side + i] = c->q[body + i];
      d[6 + 3 * side + i] = c->v[body + i];
    }
  }
  for (int i = 0; i < 3; i++) {
    const int row = 3 * (1 - port->at->side) + i;
    dW[i] = 0;
    for (int j = 0; j < 6; j++)
      dW[i] += gradient->K[row][j] * d[j] + gradient->D[row][j] * d[6 + j];
    for (int j = 0; stateful >= 0 && j < force->type->states->n; j++)
      dW[i] += c->linear->states[stateful].Qz[row][j] * c->z[force->state + j];
  }
}

/* ---- Extra states ---- */

/* a (3): acceleration of the marker's body; NULL: not needed. */
static mbs_motion motion_of(const cosim_multibody *self, const mbs_port *at, const double *a) {
  return mbs_marker_motion(&self->ws->frames[at->body], at->marker, a);
}

/* Fills the change δx of a marker that follows from δq (3n). */
static void move_marker(const cosim_multibody *self, const mbs_port *at, const double *dq, double dx[3]) {
  const double *of_body = dq + 3 * (at->body - 1);
  const mbs_vector arm = cosim_multibody_arm(self, at);
  dx[0] = of_body[0] - arm.y * of_body[2];
  dx[1] = of_body[1] + arm.x * of_body[2];
  dx[2] = of_body[2];
}

const cosim_multibody_port *cosim_multibody_port_of_input(const cosim_multibody *self, int input) {
  const cosim_multibody_port *port = self->ports;
  while (input >= port->input + port->n_inputs)
    port++;
  return port;
}

void cosim_multibody_load_change(const cosim_multibody *self, int input, double change, double *dQ, double *dgamma) {
  const cosim_multibody_port *port = cosim_multibody_port_of_input(self, input);
  memset(dQ, 0, (size_t)cosim_multibody_coordinates(self) * sizeof *dQ);
  memset(dgamma, 0, (size_t)self->sub->model->n_rows * sizeof *dgamma);
  if (port->at->joint >= 0) {
    dgamma[port->row + input - port->input] = change;
    return;
  }
  if (port->at->body == 0)
    return;
  const mbs_gradient *gradient = &self->linear->forces[port->at->force];
  const int coordinate = port->coordinate[input - port->input];
  const int column = 3 * (1 - port->at->side) + coordinate % 3;
  for (int i = 0; i < 3; i++) {
    const double *row = coordinate < 3 ? gradient->K[3 * port->at->side + i] : gradient->D[3 * port->at->side + i];
    dQ[3 * (port->at->body - 1) + i] = row[column] * change;
  }
}

/* Finds da (3n) and dlambda (m) from the changes r = (δq, δv, δz) along a seed and the `change` of its input. */
static void accelerate_change(cosim_multibody *self, int input, double change, const double *r, double *da,
                              double *dlambda) {
  cosim_multibody_load_change(self, input, change, da, dlambda);
  const int n = cosim_multibody_coordinates(self);
  mbs_linearised_solve(self->linear, self->ws, r, r + n, r + 2 * n, da, dlambda);
}

/* Collects the changes r = (δq, δv, δz) along a seed and the `change` of its input. */
static cosim_port_change change_at(const cosim_multibody *self, int input, double change, const double *r) {
  const int n = cosim_multibody_coordinates(self);
  return (cosim_port_change){.model = self->sub->model,
                             .linear = self->linear,
                             .ports = self->ports,
                             .q = r,
                             .v = r + n,
                             .z = r + 2 * n,
                             .input = input,
                             .change = change};
}

static seam_status extra_rates(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r,
                               double *dr, seam_error *error) {
  (void)error;
  cosim_multibody *self = context;
  for (int p = 0; 3 * p < self->n_integrals; p++)
    memcpy(dr + 3 * p, motion_of(self, self->ports[p].at, NULL).x, 3 * sizeof *dr);
  const int n_seeds = ((int)n - self->n_integrals) / self->n_change;
  const int n_q = cosim_multibody_coordinates(self);
  bool linearised = false;
  r += self->n_integrals;
  dr += self->n_integrals;
  for (int d = 0; d < n_seeds; d++, r += self->n_change, dr += self->n_change) {
    const cosim_seed *seed = &self->step->seeds[d];
    const bool is_zero_until_now = !self->active[d] || (now->t == self->step->t && seed->signal.c[0][0] == 0);
    if (is_zero_until_now) {
      memset(dr, 0, (size_t)self->n_change * sizeof *dr);
      continue;
    }
    if (!linearised)
      mbs_linearise(self->linear, ws, now);
    linearised = true;
    const double change = value_near(&seed->signal, tau_of(self->step, now->t), self->middle);
    const cosim_port_change received = change_at(self, seed->input, change, r);
    memcpy(dr, r + n_q, (size_t)n_q * sizeof *dr);
    accelerate_change(self, seed->input, change, r, dr + n_q, self->dlambda);
    const mbs_direction along = {r, r + n_q, dr + n_q, self->dlambda, r + 2 * n_q, NULL};
    mbs_linearised_rates(self->linear, &along, dr + 2 * n_q);
    cosim_port_add_rates(&received, cosim_multibody_port_of_input(self, seed->input), dr + 2 * n_q);
    for (int p = 0; 3 * p < self->n_integrals; p++)
      move_marker(self, self->ports[p].at, r, dr + self->n_change - self->n_integrals + 3 * p);
  }
  return SEAM_OK;
}

/* ---- Outputs ---- */

/* Writes the integrals p (3 for each port) and multipliers of a port, or their changes, behind its motion in y. lambda:
 * of all joints; NULL: not known, zeros. */
static void write_behind_motion(const cosim_multibody *self, int number, const double *p, const double *lambda,
                                double *y) {
  const cosim_multibody_port *port = &self->ports[number];
  y += 9;
  if (self->wanted.integrals) {
    memcpy(y, p + 3 * number, 3 * sizeof *y);
    y += 3;
  }
  for (int k = 0; k < port->n_rows; k++)
    y[k] = lambda != NULL ? cosim_multibody_sign(port) * lambda[port->row + k] : 0;
}

/* Writes δx and δv of a marker for the changes r = (δq, δv, ...) along a seed. */
static void write_motion_change(const cosim_multibody *self, const mbs_port *at, const double *r, double *y) {
  const mbs_frame *f = &self->ws->frames[at->body];
  const mbs_vector arm = cosim_multibody_arm(self, at);
  const double dphi = r[3 * (at->body - 1) + 2];
  move_marker(self, at, r, y);
  move_marker(self, at, r + cosim_multibody_coordinates(self), y + 3);
  y[3] -= f->omega * arm.x * dphi;
  y[4] -= f->omega * arm.y * dphi;
}

void cosim_multibody_acceleration_change(const cosim_multibody *self, const mbs_port *at, const double *dq,
                                         const double *dv, double *y) {
  const mbs_frame *f = &self->ws->frames[at->body];
  const int angle = 3 * (at->body - 1) + 2;
  const mbs_vector arm = cosim_multibody_arm(self, at);
  const double alpha = self->state->a[angle];
  const double omega2 = f->omega * f->omega;
  const double dphi = dq != NULL ? dq[angle] : 0;
  const double domega = dv != NULL ? dv[angle] : 0;
  move_marker(self, at, self->da, y);
  y[0] -= 2 * f->omega * arm.x * domega + (alpha * arm.x - omega2 * arm.y) * dphi;
  y[1] -= 2 * f->omega * arm.y * domega + (alpha * arm.y + omega2 * arm.x) * dphi;
}

static void write_outputs(const cosim_multibody *self, double *outputs) {
  for (int p = 0; p < n_ports(self); p++) {
    const cosim_multibody_port *port = &self->ports[p];
    if (port->output >= 0) {
      const double *a = self->is_evaluated ? self->state->a + 3 * (port->at->body - 1) : NULL;
      const mbs_motion m = motion_of(self, port->at, a);
      memcpy(outputs + port->output, &m, sizeof m);
      write_behind_motion(self, p, self->extra, self->is_evaluated ? self->state->lambda : NULL,
                          outputs + port->output);
    }
    if (port->wrench >= 0)
      memcpy(outputs + port->wrench, self->ws->port_wrench + 3 * p, 3 * sizeof *outputs);
  }
  for (const cosim_multibody_point *probe = self->probes; probe < self->probes + self->n_probes; probe++) {
    const mbs_motion m = motion_of(self, &probe->at, NULL);
    memcpy(outputs + probe->output, &m, 6 * sizeof *outputs);
  }
  if (self->quantities != NULL)
    mbs_read(self->quantities, self->ws, self->state, outputs + self->quantity);
}

/* Writes the derivatives along all seeds at a node or the end of the step. with_accelerations: also those of
 * accelerations; the caller has linearised the equations at this time. */
static void write_changes(cosim_multibody *self, const cosim_step *step, bool with_accelerations, double *derivatives) {
  const int n = cosim_multibody_coordinates(self);
  for (int d = 0; d < step->n_seeds; d++, derivatives += (step->n_nodes + 1) * self->base.n_outputs) {
    const cosim_seed *seed = &step->seeds[d];
    const double *r = self->extra + cosim_multibody_n_extra(self, d);
    const double change = value_near(&seed->signal, self->end_tau, self->middle);
    const cosim_port_change at = change_at(self, seed->input, change, r);
    if (with_accelerations)
      accelerate_change(self, seed->input, change, r, self->da, self->dlambda);
    for (int p = 0; p < n_ports(self); p++) {
      const cosim_multibody_port *port = &self->ports[p];
      if (port->output >= 0) {
        double *y = derivatives + port->output;
        write_motion_change(self, port->at, r, y);
        memset(y + 6, 0, 3 * sizeof *y);
        if (with_accelerations)
          cosim_multibody_acceleration_change(self, port->at, r, r + n, y + 6);
        write_behind_motion(self, p, r + self->n_change - self->n_integrals, with_accelerations ? self->dlambda : NULL,
                            y);
      }
      if (port->wrench >= 0)
        cosim_port_wrench_change(&at, port, derivatives + port->wrench);
    }
    for (const cosim_multibody_point *probe = self->probes; probe < self->probes + self->n_probes; probe++)
      write_motion_change(self, &probe->at, r, derivatives + probe->output);
    const mbs_direction along = {r, r + n, self->da, self->dlambda, r + 2 * n, NULL};
    if (self->quantities != NULL)
      mbs_read_changes(self->quantities, self->ws, self->state, &along, derivatives + self->quantity);
  }
}

void cosim_multibody_evaluate(cosim_multibody *self) {
  if (!self->is_evaluated && !self->is_before_kink)
    mbs_integrator_begin_smooth(self->integrator, self->state->t);
  if (!self->is_evaluated)
    (void)mbs_accelerate(self->ws, self->state, NULL);
  self->is_evaluated = true;
}

void cosim_multibody_get_outputs(cosim_part *base, double *outputs) {
  cosim_multibody *self = (cosim_multibody *)base;
  cosim_multibody_evaluate(self);
  write_outputs(self, outputs);
}

void cosim_multibody_evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  cosim_multibody *self = (cosim_multibody *)base;
  (void)t;
  for (int i = 0; i < base->n_inputs; i++)
    self->end[i] = cosim_signal_end(&inputs[i]);
  self->is_evaluated = false;
  cosim_multibody_get_outputs(base, outputs);
}

bool cosim_multibody_differentiate(cosim_part *base, int input, double *changes) {
  cosim_multibody *self = (cosim_multibody *)base;
  const cosim_seed seed = {.input = input, .signal = {.n_pieces = 1, .c = {{1}}}};
  if (!base->gives_derivatives || cosim_multibody_port_of_input(self, input)->def.kind == MBS_PORT_QUANTITY)
    return false;
  cosim_multibody_evaluate(self);
  memset(self->extra + cosim_multibody_n_extra(self, 0), 0, (size_t)self->n_change * sizeof *self->extra);
  mbs_linearise(self->linear, self->ws, self->state);
  write_changes(self, &(cosim_step){.n_seeds = 1, .seeds = &seed}, true, changes);
  return true;
}

/* ---- Beginning of a step, evaluated once for all its repetitions ---- */

/* Fills self->first with the evaluated state at the beginning of the step. If the last step ended with the same inputs,
 * its evaluation is taken. Returns false if self->first was filled already, as in a repeated step. */
static bool evaluate_first(cosim_multibody *self) {
  const size_t of_inputs = (size_t)self->base.n_inputs * sizeof *self->begin;
  mbs_state *first = self->first.state;
  if (self->first.is_evaluated && first->t == self->state->t &&
      memcmp(first->q, self->state->q, mbs_n_controlled(self->sub->model) * sizeof *first->q) == 0 &&
      memcmp(self->first.inputs, self->begin, of_inputs) == 0)
    return false;
  const bool at_hand = self->is_evaluated && memcmp(self->begin, self->end, of_inputs) == 0;
  mbs_state_copy(first, self->state);
  memcpy(self->first.inputs, self->begin, of_inputs);
  self->first.is_evaluated = at_hand || mbs_accelerate(self->ws, first, NULL) == SEAM_OK;
  mbs_rates(self->ws, self->first.rates);
  return true;
}

static seam_status begin(cosim_multibody *self, const cosim_step *step, seam_error *error) {
  mbs_evaluated_state begin_state = {0};
  (void)cosim_multibody_cross_kink(&self->base);
  self->is_evaluated = self->is_evaluated && self->state->t == step->t;
  self->state->t = step->t;
  self->step = step;
  self->path.n = 0;
  mbs_integrator_begin_smooth(self->integrator, step->t);
  for (int i = 0; i < self->base.n_inputs; i++) { /* keeps self->end if only round-off differs */
    const double now = step->inputs[i].c[0][0];
    const double before = self->end[i];
    self->begin[i] = fabs(now - before) <= cosim_rounding_of_inputs * fabs(before) ? before : now;
  }
  const seam_status status =
      cosim_multibody_is_sample_due(&self->base) ? cosim_multibody_sample(&self->base, error) : SEAM_OK;
  self->end_tau = self->holds_inputs ? 0 : 1;
  if (self->base.gives_derivatives) { /* the methods that give derivatives use the rates at the beginning */
    begin_state.in_workspace = evaluate_first(self);
    begin_state.state = self->first.is_evaluated ? self->first.state : NULL;
    begin_state.rates = self->first.rates;
  }
  mbs_integrator_set_evaluated_state(self->integrator, &begin_state);
  self->is_evaluated = false;
  return status;
}

/* ---- Steps ---- */

/* Returns true if a signal is not zero in some piece up to the one that contains `middle`. */
static bool has_begun(const cosim_signal *signal, double middle) {
  const int piece = cosim_signal_piece_at(signal, middle);
  for (int p = 0; p <= piece; p++)
    for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
      if (signal->c[p][j] != 0)
        return true;
  return false;
}

/* Writes the outputs at the next node; evaluates accelerations only if multipliers or feedthrough need them. */
static seam_status write_node(cosim_multibody *self, int n_seeds, seam_error *error) {
  const int row = self->at_nodes.next * self->base.n_outputs;
  const double end_tau = self->end_tau;
  const bool is_middle = self->step->feedthrough != NULL && self->at_nodes.next == self->step->middle;
  seam_status status = SEAM_OK;
  self->is_evaluated = self->sub->model->n_prescribed > 0 || is_middle;
  self->end_tau = self->step->nodes[self->at_nodes.next];
  if (self->is_evaluated)
    status = mbs_accelerate(self->ws, self->state, error);
  else
    mbs_stage_kinematics(self->ws, self->state->q, self->state->v);
  write_outputs(self, self->at_nodes.outputs + row);
  if (n_seeds > 0 && self->is_evaluated)
    mbs_linearise(self->linear, self->ws, self->state);
  if (n_seeds > 0)
    write_changes(self, self->step, self->is_evaluated, self->at_nodes.derivatives + row);
  if (is_middle && status == SEAM_OK)
    cosim_multibody_compute_feedthrough(self, COSIM_MIDDLE, self->step->feedthrough);
  self->is_evaluated = false;
  self->end_tau = end_tau;
  return status;
}

/* Advances to time t; writes outputs at the nodes, and feedthrough at series.middle. */
static seam_status reach_all(cosim_multibody *self, double t, int n_seeds, seam_error *error) {
  const cosim_step *step = self->step;
  const bool stops = !cosim_interpolates_nodes(self->order, step->n_nodes);
  const double middle = self->series.middle;
  mbs_integrator_set_stop(self->integrator, t);
  if (middle <= t) {
    self->series.middle = INFINITY;
    TRY(mbs_integrator_reach(self->integrator, middle, self->state, self->extra, false, error));
    TRY(mbs_accelerate(self->ws, self->state, error));
    self->is_evaluated = true;
    cosim_multibody_compute_feedthrough(self, COSIM_MIDDLE, self->series.derivatives);
    self->is_evaluated = false;
  }
  for (; self->at_nodes.next < step->n_nodes; self->at_nodes.next++) {
    const double at = step->t + step->nodes[self->at_nodes.next] * step->H;
    if (at > t)
      break;
    if (stops)
      mbs_integrator_set_stop(self->integrator, at);
    TRY(mbs_integrator_reach(self->integrator, at, self->state, self->extra, false, error));
    TRY(write_node(self, n_seeds, error));
  }
  mbs_integrator_set_stop(self->integrator, t);
  return mbs_integrator_reach(self->integrator, t, self->state, self->extra, false, error);
}

/* Advances over the step, with a restart at each end of a signal's piece. */
static seam_status advance_pieces(cosim_multibody *self, const cosim_step *step, int n_seeds, seam_error *error) {
  const size_t n_extra = cosim_multibody_n_extra(self, n_seeds);
  seam_status status = SEAM_OK;
  const int n_pieces = cosim_list_ends(self->tau, step, self->base.n_inputs, n_seeds);
  double from = 0;
  for (int p = 0; p < n_pieces && status == SEAM_OK; from = self->tau[p++]) {
    self->middle = (from + self->tau[p]) / 2;
    for (int d = 0; d < n_seeds; d++)
      self->active[d] = has_begun(&step->seeds[d].signal, self->middle);
    TRY(mbs_integrator_restart(self->integrator, self->state, n_extra, self->extra, &self->step_memory, error));
    status = reach_all(self, step->t + self->tau[p] * step->H, n_seeds, error);
    const double last_switch = mbs_integrator_last_switch(self->integrator); /* s, in this interval; NaN: no switch */
    self->last_switch = isnan(last_switch) ? self->last_switch : last_switch;
    self->step_memory = mbs_integrator_step_memory(self->integrator);
  }
  return status == SEAM_INTERRUPTED ? cosim_too_many_micro_steps(self->state->t, self->micro_step, error) : status;
}

/* Writes the outputs at the end of a step that ended with `status`. */
static seam_status end_step(cosim_multibody *self, const cosim_step *step, seam_status status, double *outputs,
                            seam_error *error) {
  self->step = NULL;
  for (int i = 0; i < self->base.n_inputs; i++)
    self->end[i] = value_near(&step->inputs[i], self->end_tau, self->middle);
  self->is_evaluated = self->wanted.accelerations || self->sub->model->laws.at[MBS_LATE].n > 0;
  const double t = step->t + step->H, kink = mbs_integrator_last_kink(self->integrator);
  if (status == SEAM_OK && fabs(kink - t) <= fmax(cosim_same_time * step->H, mbs_same_time(t))) {
    mbs_state_copy(self->beyond_kink, self->state);
    cosim_multibody_go_before_kink(self);
  }
  cosim_multibody_defer_sample(self);
  TRY(status);
  if (self->is_evaluated)
    TRY(mbs_accelerate(self->ws, self->state, error));
  if (!self->is_evaluated)
    mbs_stage_kinematics(self->ws, self->state->q, self->state->v);
  if (!self->is_evaluated && self->wanted.wrenches) {
    mbs_stage_laws(self->ws, self->state);
    mbs_stage_forces(self->ws, self->state->t, self->state->z);
  }
  write_outputs(self, outputs);
  return SEAM_OK;
}

/* Returns true if derivatives by inertia are wanted (n_terms) and allowed. Their series omits p, z, and elements at
 * ports by motion: the part must have neither p nor z, and no seed may change the input of such a port. */
static bool is_by_inertia(const cosim_multibody *self, const cosim_step *step, int n_seeds) {
  bool all = step->n_terms > 0 && n_seeds > 0 && self->n_integrals == 0 && self->sub->model->n_states == 0;
  for (int d = 0; d < n_seeds && all; d++)
    all = cosim_multibody_port_of_input(self, step->seeds[d].input)->def.kind != MBS_PORT_MOTION;
  return all;
}

seam_status cosim_multibody_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                    seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const int n_seeds = base->gives_derivatives ? step->n_seeds : 0;
  if (n_seeds > COSIM_MAX_SEEDS_PER_INPUT * base->n_inputs)
    return seam_fail(error, SEAM_BAD_INPUT, "subsystem '%s' takes at most %d seeds, not %d", base->name,
                     COSIM_MAX_SEEDS_PER_INPUT * base->n_inputs, n_seeds);
  memset(self->extra, 0, cosim_multibody_n_extra(self, n_seeds) * sizeof(double));
  self->n_micro_steps = 0;
  self->last_switch = NAN;
  const bool by_inertia = is_by_inertia(self, step, n_seeds);
  if (step->feedthrough != NULL || by_inertia) {
    self->series.has_middle = false;
    self->series.middle = by_inertia && step->n_terms > 2 ? step->t + step->H / 2 : INFINITY;
    for (int i = 0; i < base->n_inputs; i++)
      self->series.skips[i] = step->corrected != NULL && !step->corrected[i];
  }
  self->n_seeds = n_seeds;
  for (int d = 0; d < n_seeds; d++) {
    double power = step->H;
    cosim_multibody_seed *seed = &self->seeds[d];
    seed->input = step->seeds[d].input;
    cosim_signal_integrals(&step->seeds[d].signal, COSIM_N_INTEGRALS, seed->integrals);
    for (int k = 0; k < COSIM_N_INTEGRALS; k++, power *= step->H)
      seed->integrals[k] *= power;
  }
  self->at_nodes.next = 0;
  self->at_nodes.outputs = outputs;
  self->at_nodes.derivatives = derivatives;
  seam_status status = begin(self, step, error);
  THEN(status, advance_pieces(self, step, by_inertia ? 0 : n_seeds, error));
  const int row = step->n_nodes * base->n_outputs;
  TRY(end_step(self, step, status, outputs + row, error));
  if (n_seeds == 0)
    return SEAM_OK;
  const bool with_accelerations = self->is_evaluated;
  if (by_inertia) {
    self->middle = 1; /* last piece */
    *step->by_inertia = cosim_multibody_derive_by_inertia(self, step->H, step->n_terms > 2);
  } else if (with_accelerations)
    mbs_linearise(self->linear, self->ws, self->state);
  write_changes(self, step, with_accelerations, derivatives + row);
  return SEAM_OK;
}

seam_status cosim_multibody_repeat(cosim_part *base, const cosim_step *step, double *outputs, bool *is_made,
                                   seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const double end = step->t + step->H;
  bool is_possible = self->n_integrals == 0 && self->sub->model->n_prescribed == 0;
  for (int i = 0; i < base->n_inputs; i++)
    is_possible = is_possible && step->inputs[i].n_pieces == 1;
  *is_made = false;
  if (!is_possible)
    return SEAM_OK;
  self->n_micro_steps = 0;
  self->last_switch = NAN;
  self->middle = 0.5;
  seam_status status = begin(self, step, error);
  if (status == SEAM_OK && mbs_integrator_repeat(self->integrator, self->state, end)) {
    mbs_integrator_set_stop(self->integrator, end);
    *is_made = mbs_integrator_reach(self->integrator, end, self->state, self->extra, false, NULL) == SEAM_OK;
    self->step_memory = mbs_integrator_step_memory(self->integrator);
  }
  if (*is_made)
    return end_step(self, step, status, outputs, error);
  self->step = NULL;
  return status;
}

/* ---- Integrator ---- */

seam_status cosim_multibody_create_integrator(cosim_multibody *self, const mbs_integrator_options *options,
                                              size_t n_extra, seam_error *error) {
  const mbs_extra_states extra = {.n = n_extra, .rates = extra_rates, .context = self};
  TRY(mbs_integrator_create_with(self->sub->model, options, n_extra > 0 ? &extra : NULL, &self->integrator, error));
  self->ws = mbs_integrator_workspace(self->integrator);
  self->port_inputs = (mbs_port_inputs){set_port_frames, self};
  self->ws->port_inputs = &self->port_inputs;
  mbs_integrator_set_interrupt(self->integrator, cosim_count_micro_step, &self->n_micro_steps);
  mbs_integrator_store_before_kinks(self->integrator, self->before_kink);
  mbs_integrator_set_step_listener(self->integrator, cosim_multibody_record_step, self);
  return SEAM_OK;
}
