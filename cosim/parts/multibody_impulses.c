/* Changes of the end of a step by impulses: what changes δu of the inputs over the step do by inertia alone, δv of ∫δu
 * dt and δq of ∬δu dt dt, by the linearised equations at the end. */
#include <math.h>
#include <string.h>

#include "cosim/parts/multibody_internal.h"

/* dv or dq (3n) of the impulses, or of their integrals, on all ports. */
static void respond(cosim_multibody *self, const double *impulse, double *change) {
  const size_t n = 3 * (size_t)self->sub->model->n_bodies;
  double *dQ = self->impulse_load;
  double *dgamma = dQ + n;
  memset(change, 0, n * sizeof *change);
  memset(self->dlambda, 0, (size_t)self->sub->model->n_rows * sizeof *change);
  for (int i = 0; i < self->base.n_inputs; i++) {
    cosim_multibody_load_change(self, i, impulse[i], dQ, dgamma);
    for (size_t j = 0; j < n; j++)
      change[j] += dQ[j];
    for (int row = 0; row < self->sub->model->n_rows; row++)
      self->dlambda[row] += dgamma[row];
  }
  mbs_linearised_solve(self->linear, self->ws, NULL, NULL, NULL, change, self->dlambda);
}

static bool receives_force(const cosim_multibody_port *port) {
  return port->at->body > 0 && (port->def.kind == MBS_PORT_FORCE || port->def.kind == MBS_PORT_SIGNAL);
}

/* What a change δu of the forces does through a port, W = ∫(u + δu) (v + δv) - u v dt = ∫δu dt v - ∬δu dt dt a + u δx
 * with v in the middle of its change: the terms before and after it. Returns the sum over the ports. */
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
      work += first[i] * m.v[k] / 2 + (is_after ? end[i] * m.x[k] : -second[i] * m.a[k] - end[i] * m.x[k]);
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

seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *first, const double *second,
                                           const double *end, seam_error *error) {
  cosim_multibody *self = (cosim_multibody *)base;
  mbs_state *state = self->state;
  const size_t n = 3 * (size_t)self->sub->model->n_bodies;
  double *dv = self->impulse_load + n + self->sub->model->n_rows;
  double *dq = dv + n;
  cosim_multibody_linearise(self);
  move_beyond_kink(self, -1);
  const double before = mbs_energy_of(self->ws, state).total;
  double works = add_works(self, first, second, end, false);
  respond(self, first, dv);
  respond(self, second, dq);
  for (size_t i = 0; i < n; i++) {
    state->v[i] += dv[i];
    state->q[i] += dq[i];
  }
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  const seam_status status = mbs_project(self->ws, state->t, state->q, state->v, error);
  mbs_stage_kinematics(self->ws, state->q, state->v);
  works += add_works(self, first, second, end, true);
  add_rest(self, mbs_energy_of(self->ws, state).total - before - works);
  move_beyond_kink(self, 1);
  self->is_evaluated = false;
  return status;
}

double cosim_multibody_measure_impulses(cosim_part *base, const double *first, const double *second) {
  cosim_multibody *self = (cosim_multibody *)base;
  const size_t n = 3 * (size_t)self->sub->model->n_bodies;
  double *change = self->impulse_load + n + self->sub->model->n_rows;
  double largest = 0;
  cosim_multibody_linearise(self);
  respond(self, first, change);
  respond(self, second, change + n);
  for (size_t i = 0; i < 2 * n; i++)
    if (!(fabs(change[i]) <= largest))
      largest = fabs(change[i]);
  return largest;
}
