/* Changes the state at the end of a step by the effect of changes δu of the inputs over the step. This effect is
 * computed by the series of multibody_feedthrough.c, with the same symbols, up to its third terms. The third terms
 * estimate the error. */
#include <math.h>
#include <string.h>

#include "cosim/parts/multibody_internal.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/scales.h"

/* Sums over inputs (3n each): δv and δq from all terms, and from the last terms alone. */
typedef struct changes {
  double *v, *q, *last_v, *last_q;
} changes;

/* Adds only the first terms, B I₁ to δv and B I₂ to δq, for an input that is a motion: its further terms are not
 * computed. A tenth of the first terms counts as their error. Here and below, I[k] is I_(k+1) of
 * multibody_feedthrough.c. */
static void add_inertia(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS], const changes *sum) {
  const double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    sum->v[i] += B[i] * I[0];
    sum->q[i] += B[i] * I[1];
    sum->last_v[i] += cosim_remaining_by_inertia * B[i] * I[0];
    sum->last_q[i] += cosim_remaining_by_inertia * B[i] * I[1];
  }
}

/* Adds all terms, up to p₃ I₃ in δv and r₄ I₄ in δq. */
static void add_series(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS], const changes *sum) {
  const int n = cosim_multibody_coordinates(self);
  const double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
  const double *p2 = cosim_multibody_series(self, COSIM_END, input, COSIM_P2);
  const double *r3 = cosim_multibody_series(self, COSIM_END, input, COSIM_R3);
  const double *rate = cosim_multibody_series(self, COSIM_END, input, COSIM_P2_RATE);
  const double *p2_before = cosim_multibody_series(self, COSIM_MIDDLE, input, COSIM_P2);
  const double *r3_before = cosim_multibody_series(self, COSIM_MIDDLE, input, COSIM_R3);
  const double per_second =
      self->series.has_middle ? 1 / (self->series.t[COSIM_END] - self->series.t[COSIM_MIDDLE]) : 0;
  for (int i = 0; i < n; i++) {
    const double p3 = rate[i] - (p2[i] - p2_before[i]) * per_second;
    const double r4 = p3 - (r3[i] - r3_before[i]) * per_second;
    sum->v[i] += B[i] * I[0] + p2[i] * I[1] + p3 * I[2];
    sum->q[i] += B[i] * I[1] + r3[i] * I[2] + r4 * I[3];
    sum->last_v[i] += p3 * I[2];
    sum->last_q[i] += r4 * I[3];
  }
}

/* Returns true if inertia dominates over a step of length H: the second terms of the input are small compared with its
 * first terms. */
static bool leads(const cosim_multibody *self, int input, double H) {
  const double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
  const double *p2 = cosim_multibody_series(self, COSIM_END, input, COSIM_P2);
  double first = 0, second = 0;
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    first = fmax(first, fabs(B[i]));
    second = fmax(second, fabs(p2[i]));
  }
  return H * second <= cosim_inertia_dominates * first;
}

/* Adds the first two terms of δv and δq, with p₂ I₃ in place of r₃ I₃ = (p₂ - B') I₃. The error B' I₃ of δq is as small
 * as p₃ I₃, the first term that δv lacks. */
static void add_two_terms(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS],
                          const changes *sum) {
  const double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
  const double *p2 = cosim_multibody_series(self, COSIM_END, input, COSIM_P2);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    sum->v[i] += B[i] * I[0] + p2[i] * I[1];
    sum->q[i] += B[i] * I[1] + p2[i] * I[2];
  }
}

bool cosim_multibody_derive_by_inertia(cosim_multibody *self, double H, bool has_third_terms) {
  const int n = cosim_multibody_coordinates(self);
  bool all = true;
  for (int d = 0; d < self->n_seeds; d++) {
    const cosim_multibody_seed *seed = &self->seeds[d];
    double *dq = self->extra + cosim_multibody_n_extra(self, d);
    const changes sum = {.q = dq, .v = dq + n, .last_q = self->impulse_load, .last_v = self->impulse_load + n};
    memset(dq, 0, 2 * (size_t)n * sizeof *dq);
    (has_third_terms ? add_series : add_two_terms)(self, seed->input, seed->integrals, &sum);
    all = all && ((d > 0 && seed->input == seed[-1].input) || leads(self, seed->input, H));
  }
  return all;
}

static bool receives_force(const cosim_multibody_port *port) {
  return port->at->body > 0 && (port->def.kind == MBS_PORT_FORCE || port->def.kind == MBS_PORT_SIGNAL);
}

/* Adds the work W of a change δu of a port's force u to the work of the port:
 *
 *   W = ∫ (u + δu) (v + δv) - u v dt = v ∫δu dt - a ∬δu dt dt + u δx.
 *
 * On the right v is the mean of the velocities before and after the change of state, and a the acceleration after it.
 * δx is the change of position, and u the force at the end of the step. A call before the change of state and a call
 * after it add up to W. Returns the sum over all ports of what this call adds, J. */
static double add_works(cosim_multibody *self, const double *first, const double *second, const double *end,
                        bool is_after) {
  double sum = 0;
  for (int p = 0; p < self->sub->model->n_ports; p++) {
    const cosim_multibody_port *port = &self->ports[p];
    if (!receives_force(port))
      continue;
    const double *a = self->state->a + 3 * (port->at->body - 1);
    const mbs_motion m = mbs_marker_motion(&self->ws->frames[port->at->body], port->at->marker, a);
    double work = 0;
    for (int k = 0; k < 3; k++) {
      const int i = port->input + k;
      work += first[i] * m.v[k] / 2 + (is_after ? end[i] * m.x[k] - second[i] * m.a[k] : -end[i] * m.x[k]);
    }
    self->state->work[2 + p] += work;
    sum += work;
  }
  return sum;
}

/* If the step ended at a kink, adds `sign` times the present state to the state after the kink. Called with -1 before a
 * change of the present state and with 1 after the change, it changes both states equally. */
static void move_beyond_kink(const cosim_multibody *self, double sign) {
  const mbs_model *model = self->sub->model;
  for (int i = 0; i < 3 * model->n_bodies && self->is_before_kink; i++) {
    self->beyond_kink->q[i] += sign * self->state->q[i];
    self->beyond_kink->v[i] += sign * self->state->v[i];
  }
  for (int i = 2; i < model->n_work && self->is_before_kink; i++)
    self->beyond_kink->work[i] += sign * self->state->work[i];
}

void cosim_multibody_set_motion(cosim_part *base, const mbs_state *undivided) {
  cosim_multibody *self = (cosim_multibody *)base;
  move_beyond_kink(self, -1);
  for (int b = 0; b < self->sub->model->n_bodies; b++) {
    const int i = 3 * (self->sub->body_of[b + 1] - 1);
    memcpy(self->state->q + 3 * b, undivided->q + i, 3 * sizeof(double));
    memcpy(self->state->v + 3 * b, undivided->v + i, 3 * sizeof(double));
  }
  move_beyond_kink(self, 1);
  self->is_evaluated = false;
}

/* Returns the largest ratio of a last term of the series to the tolerance of its coordinate. */
static double left_by(const cosim_multibody *self, const changes *sum) {
  const mbs_scales *scales = &self->sub->model->scales;
  const int n = cosim_multibody_coordinates(self);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double of_v =
        fabs(sum->last_v[i]) / mbs_tolerance_of(scales, self->rtol, self->atol, i % 3, true, self->state->v[i]);
    const double of_q =
        fabs(sum->last_q[i]) / mbs_tolerance_of(scales, self->rtol, self->atol, i % 3, false, self->state->q[i]);
    if (!(fmax(of_v, of_q) <= largest))
      largest = fmax(of_v, of_q);
  }
  return largest;
}

/* Returns the energy of the part without that of elements at ports that receive a motion. Energy of such an element
 * counts as work of its port. */
static double energy_of(const cosim_multibody *self) {
  double energy = mbs_energy_of(self->ws, self->state).total;
  for (int p = 0; p < self->sub->model->n_ports; p++) {
    const mbs_port *at = self->ports[p].at;
    if (self->ports[p].def.kind != MBS_PORT_MOTION || self->sub->model->forces[at->force].type->potential == NULL)
      continue;
    const mbs_force *force = &self->sub->model->forces[at->force];
    const mbs_pair pair = mbs_force_pair(force, self->ws->frames);
    energy -= force->type->potential(force, &pair);
  }
  return energy;
}

/* Changes the present state at the end of the step by `by`, and evaluates it. is_near: the change is so small that the
 * matrix factors of the last evaluation suffice. */
static seam_status change_state(cosim_multibody *self, const double *integrals, const double *end, const changes *by,
                                bool is_near, seam_error *error) {
  const double *first = integrals;
  const double *second = integrals + self->base.n_inputs;
  mbs_state *state = self->state;
  move_beyond_kink(self, -1);
  const double before = energy_of(self);
  double works = add_works(self, first, second, end, false);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    state->v[i] += by->v[i];
    state->q[i] += by->q[i];
  }
  const seam_status status = is_near ? mbs_project_step(self->ws, state->t, state->q, state->v, NULL, error)
                                     : mbs_project(self->ws, state->t, state->q, state->v, error);
  self->is_evaluated = false;
  cosim_multibody_evaluate(self);
  works += add_works(self, first, second, end, true);
  const double remaining = energy_of(self) - before - works; /* J, distributed below over ports without force inputs */
  const int n_ports = self->sub->model->n_ports;
  int n_motions = 0;
  for (int p = 0; p < n_ports; p++)
    n_motions += !receives_force(&self->ports[p]);
  for (int p = 0; p < n_ports; p++)
    if (n_motions == 0 || !receives_force(&self->ports[p]))
      state->work[2 + p] += remaining / (n_motions > 0 ? n_motions : n_ports);
  move_beyond_kink(self, 1);
  return status;
}

seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *integrals, const double *end, double limit,
                                           bool *is_made, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const int n = cosim_multibody_coordinates(self);
  double *load = self->impulse_load;
  const changes sum = {load, load + n, load + 2 * n, load + 3 * n};
  memset(load, 0, 4 * (size_t)n * sizeof *load);
  for (int i = 0; i < base->n_inputs; i++) {
    double I[COSIM_N_INTEGRALS];
    for (int k = 0; k < COSIM_N_INTEGRALS; k++)
      I[k] = integrals[k * base->n_inputs + i];
    const bool is_motion = cosim_multibody_port_of_input(self, i)->def.kind == MBS_PORT_MOTION;
    (is_motion ? add_inertia : add_series)(self, i, I, &sum);
  }
  *is_made = left_by(self, &sum) <= limit;
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  self->is_evaluated = false;
  return *is_made ? change_state(self, integrals, end, &sum, false, error) : SEAM_OK;
}

seam_status cosim_multibody_update_end(cosim_part *base, const double *change, const double *end, bool *is_made,
                                       seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const int n = cosim_multibody_coordinates(self);
  const changes sum = {.v = self->impulse_load, .q = self->impulse_load + n};
  double *integrals = self->impulse_load + 2 * n;
  const double kink = mbs_integrator_last_kink(self->integrator);
  *is_made =
      !self->is_before_kink && isnan(self->last_switch) && !(kink > self->first.state->t && kink <= self->state->t);
  if (!*is_made)
    return SEAM_OK;
  memset(sum.v, 0, 2 * (size_t)(n + base->n_inputs) * sizeof *sum.v);
  for (int d = 0; d < self->n_seeds; d++) {
    const double *r = self->extra + cosim_multibody_n_extra(self, d);
    const cosim_multibody_seed *seed = &self->seeds[d];
    for (int i = 0; i < n; i++) {
      sum.q[i] += change[d] * r[i];
      sum.v[i] += change[d] * r[n + i];
    }
    for (int i = 0; i < self->sub->model->n_states; i++)
      self->state->z[i] += change[d] * r[2 * n + i];
    for (int i = 0; i < self->n_integrals; i++)
      self->extra[i] += change[d] * r[self->n_change - self->n_integrals + i];
    integrals[seed->input] += change[d] * seed->integrals[0];
    integrals[base->n_inputs + seed->input] += change[d] * seed->integrals[1];
  }
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  return change_state(self, integrals, end, &sum, true, error);
}

double cosim_multibody_measure_impulses(cosim_part *base, const double *first, const double *second) {
  const cosim_multibody *self = (const cosim_multibody *)base;
  double largest = 0;
  for (int c = 0; c < cosim_multibody_coordinates(self); c++) {
    double dv = 0;
    double dq = 0;
    for (int i = 0; i < base->n_inputs; i++) {
      const double B = cosim_multibody_series(self, COSIM_END, i, COSIM_B)[c];
      dv += B * first[i];
      dq += B * second[i];
    }
    const double change = fmax(fabs(dv), fabs(dq)) / mbs_coordinate_scale(&self->sub->model->scales, c % 3, false);
    if (!(change <= largest))
      largest = change;
  }
  return largest;
}
