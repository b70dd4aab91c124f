/* Effect of changed inputs on a part. B, A_q and A_v are the derivatives of the part's accelerations by an input, by
 * positions q and by velocities v; a prime is a rate along the motion. A change δu of the input causes changes δq and
 * δv:
 *
 *   δq' = δv,   δv' = A_q δq + A_v δv + B δu.
 *
 * Integration by parts gives them as series in the repeated integrals I_k = ∫ .. ∫ δu dt .. dt over a step:
 *
 *   δv = p₁ I₁ + p₂ I₂ + p₃ I₃ + ...      p₁ = B,  p₂ = A_v B - B',   p₃ = A_v p₂ + A_q B - p₂'
 *   δq = r₂ I₂ + r₃ I₃ + r₄ I₄ + ...      r₂ = B,  r₃ = p₂ - B',      r₄ = p₃ - r₃'
 *
 * Let F be the load of a unit input, M the mass matrix and G the constraint Jacobian. B and the multipliers Λ solve
 *
 *   M B + Gᵀ Λ = F,  G B = 0,      M B' + Gᵀ Λ' = F' - Ġᵀ Λ,  G B' = - Ġ B.
 *
 * The rates p₂' and r₃' are differences between the middle and the end of the step.
 *
 * The feedthrough of a marker consists of three changes of its acceleration. α is the change by the input itself, β
 * that by a change B of v. κ, known only at the ends of steps, is the change if q changes by B and v by p₂.
 * (docs/theory.md, Collocation)
 *
 * Up to its third terms, the series also gives the change of the state at the end of the step. The third terms estimate
 * the error. */
#include <math.h>
#include <string.h>

#include "cosim/parts/multibody_internal.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/scales.h"

static double *vector_of(const cosim_multibody *self, cosim_step_point point, int input, cosim_vector vector) {
  const int number = ((int)point * self->base.n_inputs + input) * cosim_n_vectors + (int)vector;
  return self->series.vectors + (size_t)number * (size_t)cosim_multibody_coordinates(self);
}

/* ---- Feedthrough, and the vectors of the series ---- */

static void linearise(cosim_multibody *self) {
  cosim_multibody_evaluate(self);
  mbs_linearise(self->linear, self->ws, self->state);
}

/* Writes δẍ of each port, from self->da, δq and δv (3n each; NULL: zero), into y: α in place of the output a (`place`
 * 6), β in place of v (3), κ in place of x (0). If δq and δv are NULL, also writes the multipliers. */
static void write_feedthrough(const cosim_multibody *self, const double *dq, const double *dv, int place, double *y) {
  const int n_ports = self->sub->model->n_ports;
  for (const cosim_multibody_port *port = self->ports; port < self->ports + n_ports; port++) {
    if (port->output < 0)
      continue;
    cosim_multibody_acceleration_change(self, port->at, dq, dv, y + port->output + place);
    for (int k = 0; k < port->n_rows && dq == NULL && dv == NULL; k++)
      y[port->output + (self->wanted.integrals ? 12 : 9) + k] =
          cosim_multibody_sign(port) * self->dlambda[port->row + k];
  }
}

static void solve(cosim_multibody *self, const double *dq, const double *dv) {
  mbs_linearised_solve(self->linear, self->ws, dq, dv, NULL, self->da, self->dlambda);
}

/* Finds da and dlambda for δq and δv without a load. */
static void accelerate_alone(cosim_multibody *self, const double *dq, const double *dv) {
  memset(self->da, 0, (size_t)cosim_multibody_coordinates(self) * sizeof *self->da);
  memset(self->dlambda, 0, (size_t)self->sub->model->n_rows * sizeof *self->dlambda);
  solve(self, dq, dv);
}

/* Fills the vector B of an input. */
static void solve_direction(cosim_multibody *self, int input, double *B) {
  cosim_multibody_load_change(self, input, 1, self->da, self->dlambda);
  solve(self, NULL, NULL);
  memcpy(B, self->da, (size_t)cosim_multibody_coordinates(self) * sizeof *B);
}

/* Fills da and dlambda with the right-hand sides of the equations for B' and Λ' (head of this file). The caller has
 * just solved those for B, so dlambda contains their Λ. F' is a torque: the marker's arm turns. */
static void turn_direction(cosim_multibody *self, int input, const double *B) {
  const size_t n_rows = (size_t)self->sub->model->n_rows;
  const mbs_port *at = cosim_multibody_port_of_input(self, input)->at;
  double *of_load = self->impulse_load;
  double torque = 0;
  memcpy(of_load, self->dlambda, n_rows * sizeof *of_load);
  cosim_multibody_load_change(self, input, 1, self->da, self->dlambda);
  if (at->joint < 0 && at->body > 0) {
    const mbs_vector arm = cosim_multibody_arm(self, at);
    const double *force = self->da + 3 * (at->body - 1);
    torque = -self->ws->frames[at->body].omega * (arm.x * force[0] + arm.y * force[1]);
  }
  memset(self->da, 0, (size_t)cosim_multibody_coordinates(self) * sizeof *self->da);
  if (torque != 0)
    self->da[3 * (at->body - 1) + 2] = torque;
  memset(self->dlambda, 0, n_rows * sizeof *self->dlambda);
  mbs_linearised_turn(self->linear, B, of_load, self->da, self->dlambda);
}

/* Finds the vectors of the first two terms at the end of a step of length H, s. Assumes a constant δu, so I₃ = H/3 I₂.
 * Hence A_q B I₃, a part of p₃ I₃, is included in p₂ I₂: the stored p₂ has the addend H/3 A_q B. */
static void compute_leading(cosim_multibody *self, double H) {
  const int n = cosim_multibody_coordinates(self);
  linearise(self);
  for (int input = 0; input < self->base.n_inputs; input++) {
    double *B = vector_of(self, COSIM_END, input, COSIM_B);
    double *p2 = vector_of(self, COSIM_END, input, COSIM_P2);
    if (self->series.skips[input])
      continue;
    solve_direction(self, input, B);
    turn_direction(self, input, B);
    for (int i = 0; i < n; i++) {
      self->da[i] = -self->da[i];
      p2[i] = H / 3 * B[i];
    }
    for (int i = 0; i < self->sub->model->n_rows; i++)
      self->dlambda[i] = -self->dlambda[i];
    solve(self, p2, B);
    memcpy(p2, self->da, (size_t)n * sizeof *p2);
  }
}

void cosim_multibody_compute_feedthrough(cosim_multibody *self, cosim_step_point point, double *derivatives) {
  const int n = cosim_multibody_coordinates(self);
  linearise(self);
  self->series.t[point] = self->state->t;
  self->series.has_middle = self->series.has_middle || point == COSIM_MIDDLE;
  for (int input = 0; input < self->base.n_inputs; input++, derivatives += self->base.n_outputs) {
    if (self->series.skips[input])
      continue;
    double *B = vector_of(self, point, input, COSIM_B);
    double *p2 = vector_of(self, point, input, COSIM_P2);
    double *r3 = vector_of(self, point, input, COSIM_R3);
    solve_direction(self, input, B);
    write_feedthrough(self, NULL, NULL, 6, derivatives);
    if (cosim_multibody_port_of_input(self, input)->def.kind == MBS_PORT_MOTION) {
      for (const cosim_multibody_port *port = self->ports; port < self->ports + self->sub->model->n_ports; port++)
        for (int i = 0; i < 6 && port->output >= 0; i++)
          derivatives[port->output + i] = NAN; /* not known: the port's element may be stiff */
      continue;
    }
    turn_direction(self, input, B);
    solve(self, NULL, NULL);
    memcpy(r3, self->da, (size_t)n * sizeof *r3); /* B' */
    accelerate_alone(self, NULL, B);
    write_feedthrough(self, NULL, B, 3, derivatives);
    for (int i = 0; i < n; i++) {
      p2[i] = self->da[i] - r3[i];
      r3[i] = p2[i] - r3[i];
    }
    if (point == COSIM_MIDDLE)
      continue;
    accelerate_alone(self, B, p2);
    write_feedthrough(self, B, p2, 0, derivatives);
    memcpy(vector_of(self, point, input, COSIM_P2_RATE), self->da, (size_t)n * sizeof *self->da);
  }
}

void cosim_multibody_get_feedthrough(cosim_part *base, double *derivatives) {
  cosim_multibody_compute_feedthrough((cosim_multibody *)base, COSIM_END, derivatives);
}

/* ---- Changes of the state at the end of a step ---- */

/* Sums over inputs (3n each): δv and δq from all terms, and from the last terms alone. */
typedef struct changes {
  double *v, *q, *last_v, *last_q;
} changes;

/* Adds the first terms, B I₁ to δv and B I₂ to δq, for an input that is a motion. Its further terms are not computed; a
 * tenth of the first ones counts as error. Here and below I[k] is I_(k+1). */
static void add_inertia(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS], const changes *sum) {
  const double *B = vector_of(self, COSIM_END, input, COSIM_B);
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
  const double *B = vector_of(self, COSIM_END, input, COSIM_B);
  const double *p2 = vector_of(self, COSIM_END, input, COSIM_P2);
  const double *r3 = vector_of(self, COSIM_END, input, COSIM_R3);
  const double *rate = vector_of(self, COSIM_END, input, COSIM_P2_RATE);
  const double *p2_before = vector_of(self, COSIM_MIDDLE, input, COSIM_P2);
  const double *r3_before = vector_of(self, COSIM_MIDDLE, input, COSIM_R3);
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

/* Adds the first two terms of δv and δq, with p₂ I₃ for r₃ I₃: the error B' I₃ is as small as p₃ I₃, which δv lacks. */
static void add_two_terms(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS],
                          const changes *sum) {
  const double *B = vector_of(self, COSIM_END, input, COSIM_B);
  const double *p2 = vector_of(self, COSIM_END, input, COSIM_P2);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    sum->v[i] += B[i] * I[0] + p2[i] * I[1];
    sum->q[i] += B[i] * I[1] + p2[i] * I[2];
  }
}

bool cosim_multibody_derive_by_inertia(cosim_multibody *self, double H, bool has_third_terms) {
  const int n = cosim_multibody_coordinates(self);
  bool all = true;
  if (has_third_terms)
    cosim_multibody_compute_feedthrough(self, COSIM_END, self->series.derivatives);
  else
    compute_leading(self, H);
  for (int d = 0; d < self->n_seeds; d++) {
    const cosim_multibody_seed *seed = &self->seeds[d];
    double *dq = self->extra + cosim_multibody_n_extra(self, d);
    const changes sum = {.q = dq, .v = dq + n, .last_q = self->impulse_load, .last_v = self->impulse_load + n};
    memset(dq, 0, 2 * (size_t)n * sizeof *dq);
    (has_third_terms ? add_series : add_two_terms)(self, seed->input, seed->integrals, &sum);
    double first = 0, second = 0; /* sizes of the input's first and second terms; 0: its earlier seed has shown them */
    for (int i = 0; i < n && (d == 0 || seed->input != seed[-1].input); i++) {
      first = fmax(first, fabs(vector_of(self, COSIM_END, seed->input, COSIM_B)[i]));
      second = fmax(second, fabs(vector_of(self, COSIM_END, seed->input, COSIM_P2)[i]));
    }
    all = all && H * second <= cosim_inertia_dominates * first;
  }
  return all;
}

static bool receives_force(const cosim_multibody_port *port) {
  return port->at->body > 0 && (port->def.kind == MBS_PORT_FORCE || port->def.kind == MBS_PORT_SIGNAL);
}

/* If the force u at a port, with the velocity v, changes by δu, the work of the port changes by
 *
 *   W = ∫ (u + δu) (v + δv) - u v dt = v_m ∫δu dt - a ∬δu dt dt + u_1 δx.
 *
 * The state at the end of the step changes: v_m is the mean of its velocities before and after the change, a the
 * acceleration after it, δx the change of position. u_1 is the force at the end of the step. Two calls add W to the
 * work of each port: one before the change of state, one after (is_after). Returns what this call adds to all ports,
 * J. */
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

/* Returns the energy of the part, J, without elements at ports by motion: their energy is work of the port. */
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

/* Changes the state at the end of the step, and evaluates it. is_near: the last matrix factors suffice. */
static seam_status change_state(cosim_multibody *self, const double *integrals, const double *end, const changes *by,
                                bool is_near, seam_error *error) {
  const double *first = integrals;
  const double *second = integrals + self->base.n_inputs;
  mbs_state *state = self->state;
  cosim_multibody_move_beyond_kink(self, -1);
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
  cosim_multibody_move_beyond_kink(self, 1);
  return status;
}

seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *integrals, const double *end, double limit,
                                           bool *is_made, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const int n = cosim_multibody_coordinates(self);
  double *load = self->impulse_load;
  const changes sum = {load, load + n, load + 2 * n, load + 3 * n};
  const mbs_scales *scales = &self->sub->model->scales;
  memset(load, 0, 4 * (size_t)n * sizeof *load);
  for (int i = 0; i < base->n_inputs; i++) {
    double I[COSIM_N_INTEGRALS];
    for (int k = 0; k < COSIM_N_INTEGRALS; k++)
      I[k] = integrals[k * base->n_inputs + i];
    const bool is_motion = cosim_multibody_port_of_input(self, i)->def.kind == MBS_PORT_MOTION;
    (is_motion ? add_inertia : add_series)(self, i, I, &sum);
  }
  double largest = 0; /* ratio of a last term of the series to the tolerance of its coordinate */
  for (int i = 0; i < n; i++) {
    const double of_v =
        fabs(sum.last_v[i]) / mbs_tolerance_of(scales, self->rtol, self->atol, i % 3, true, self->state->v[i]);
    const double of_q =
        fabs(sum.last_q[i]) / mbs_tolerance_of(scales, self->rtol, self->atol, i % 3, false, self->state->q[i]);
    if (!(fmax(of_v, of_q) <= largest))
      largest = fmax(of_v, of_q);
  }
  *is_made = largest <= limit;
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
      const double B = vector_of(self, COSIM_END, i, COSIM_B)[c];
      dv += B * first[i];
      dq += B * second[i];
    }
    const double change = fmax(fabs(dv), fabs(dq)) / mbs_coordinate_scale(&self->sub->model->scales, c % 3, false);
    if (!(change <= largest))
      largest = change;
  }
  return largest;
}
