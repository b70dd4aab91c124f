/* Changes of the end of a step by what changes δu of the inputs over the step do, by the series of multibody_instants.c
 * up to its third terms; what it leaves out is less than these. */
#include <math.h>
#include <string.h>

#include "cosim/parts/multibody_internal.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/dynamics.h"

/* Sums over inputs (3n each): of all terms, and of the last ones. */
typedef struct changes {
  double *v, *q, *last_v, *last_q;
} changes;

static changes changes_in(double *scratch, size_t n) {
  return (changes){scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};
}

/* Of an input that is a motion B alone is known. */
static void add_inertia(const cosim_multibody *self, int input, const double I[COSIM_N_INTEGRALS], const changes *sum) {
  const double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    sum->v[i] += B[i] * I[0];
    sum->q[i] += B[i] * I[1];
    sum->last_v[i] += cosim_left_by_inertia * B[i] * I[0];
    sum->last_q[i] += cosim_left_by_inertia * B[i] * I[1];
  }
}

/* I: the repeated integrals of δu. */
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

static bool receives_force(const cosim_multibody_port *port) {
  return port->at->body > 0 && (port->def.kind == MBS_PORT_FORCE || port->def.kind == MBS_PORT_SIGNAL);
}

/* What a change δu of the forces does through a port, W = ∫(u + δu) (v + δv) - u v dt = ∫δu dt v - ∬δu dt dt a + u δx
 * with v in the middle of its change and a behind it: the terms before and after it. Returns the sum over the ports.
 */
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

/* Energy that the terms above leave: in equal parts to the ports that receive motions, or to all. */
static void add_rest(cosim_multibody *self, double rest) {
  int n_motions = 0;
  for (int p = 0; p < self->sub->model->n_ports; p++)
    n_motions += !receives_force(&self->ports[p]);
  for (int p = 0; p < self->sub->model->n_ports; p++)
    if (n_motions == 0 || !receives_force(&self->ports[p]))
      self->state->work[2 + p] += rest / (n_motions > 0 ? n_motions : self->sub->model->n_ports);
}

/* Adds the present state to the one beyond the kink, or takes it away: what changes between is added there too. */
static void move_beyond_kink(const cosim_multibody *self, double sign) {
  const mbs_model *model = self->sub->model;
  for (int i = 0; i < 3 * model->n_bodies && self->is_before_kink; i++) {
    self->beyond_kink->q[i] += sign * self->state->q[i];
    self->beyond_kink->v[i] += sign * self->state->v[i];
  }
  for (int i = 2; i < model->n_work && self->is_before_kink; i++)
    self->beyond_kink->work[i] += sign * self->state->work[i];
}

void cosim_multibody_put(cosim_part *base, const mbs_state *whole) {
  cosim_multibody *self = (cosim_multibody *)base;
  move_beyond_kink(self, -1);
  for (int b = 0; b < self->sub->model->n_bodies; b++) {
    const int i = 3 * (self->sub->body_of[b + 1] - 1);
    memcpy(self->state->q + 3 * b, whole->q + i, 3 * sizeof(double));
    memcpy(self->state->v + 3 * b, whole->v + i, 3 * sizeof(double));
  }
  move_beyond_kink(self, 1);
  self->is_evaluated = false;
}

/* The largest last term over the tolerance of its coordinate. */
static double left_by(const cosim_multibody *self, const changes *sum) {
  const int n = cosim_multibody_coordinates(self);
  double largest = 0;
  for (int i = 0; i < n; i++) {
    const double of_v = fabs(sum->last_v[i]) / (self->atol + self->rtol * fabs(self->state->v[i]));
    const double of_q = fabs(sum->last_q[i]) / (self->atol + self->rtol * fabs(self->state->q[i]));
    if (!(fmax(of_v, of_q) <= largest))
      largest = fmax(of_v, of_q);
  }
  return largest;
}

/* Of integrals (COSIM_N_INTEGRALS x n_inputs), those of an input. */
static void add_all_series(const cosim_multibody *self, const double *integrals, const changes *sum) {
  const int n_inputs = self->base.n_inputs;
  memset(sum->v, 0, 4 * (size_t)cosim_multibody_coordinates(self) * sizeof *sum->v);
  for (int i = 0; i < n_inputs; i++) {
    double I[COSIM_N_INTEGRALS];
    for (int k = 0; k < COSIM_N_INTEGRALS; k++)
      I[k] = integrals[k * n_inputs + i];
    (cosim_multibody_port_of_input(self, i)->def.kind == MBS_PORT_MOTION ? add_inertia : add_series)(self, i, I, sum);
  }
}

/* Changes of the present state, which is at the end of the step and evaluated after them. */
static seam_status change_state(cosim_multibody *self, const double *integrals, const double *end, const changes *by,
                                seam_error *error) {
  const double *first = integrals;
  const double *second = integrals + self->base.n_inputs;
  mbs_state *state = self->state;
  move_beyond_kink(self, -1);
  const double before = mbs_energy_of(self->ws, state).total;
  double works = add_works(self, first, second, end, false);
  for (int i = 0; i < cosim_multibody_coordinates(self); i++) {
    state->v[i] += by->v[i];
    state->q[i] += by->q[i];
  }
  const seam_status status = mbs_project(self->ws, state->t, state->q, state->v, error);
  self->is_evaluated = false;
  cosim_multibody_evaluate(self);
  works += add_works(self, first, second, end, true);
  add_rest(self, mbs_energy_of(self->ws, state).total - before - works);
  move_beyond_kink(self, 1);
  return status;
}

seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *integrals, const double *end, double limit,
                                           bool *is_made, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  const changes sum = changes_in(self->impulse_load, (size_t)cosim_multibody_coordinates(self));
  add_all_series(self, integrals, &sum);
  *is_made = left_by(self, &sum) <= limit;
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  self->is_evaluated = false;
  return *is_made ? change_state(self, integrals, end, &sum, error) : SEAM_OK;
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
    if (!(fmax(fabs(dv), fabs(dq)) <= largest))
      largest = fmax(fabs(dv), fabs(dq));
  }
  return largest;
}
