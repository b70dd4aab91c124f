/* Effect of a change δu of an input on a part, as a series in the repeated integrals I_k = ∫ .. ∫ δu dt .. dt over a
 * step:
 *
 *   δv = p₁ I₁ + p₂ I₂ + p₃ I₃ + ...      p₁ = B,  p₂ = A_v B - B',   p₃ = A_v p₂ + A_q B - p₂'
 *   δq = r₂ I₂ + r₃ I₃ + r₄ I₄ + ...      r₂ = B,  r₃ = p₂ - B',      r₄ = p₃ - r₃'
 *
 * This follows from δv' = A_q δq + A_v δv + B δu, δq' = δv by integration by parts. B, A_q and A_v are the derivatives
 * of accelerations by the input, positions q and velocities v. A prime is a rate along the motion. With the load F of
 * a unit input, its multipliers Λ, the mass matrix M and the constraint Jacobian G,
 *
 *   M B + Gᵀ Λ = F,  G B = 0,      M B' + Gᵀ Λ' = F' - Ġᵀ Λ,  G B' = - Ġ B,
 *
 * and p₂', r₃' are differences between the middle and the end of the step.
 *
 * The feedthrough of a marker consists of three changes of its acceleration ẍ: by the input itself, by δv = B, and,
 * only at the end of the step, by δq = B with δv = p₂. docs/theory.md (Collocation) calls them α, β and κ. */
#include <math.h>
#include <string.h>

#include "cosim/parts/multibody_internal.h"

static void linearise(cosim_multibody *self) {
  cosim_multibody_evaluate(self);
  mbs_linearise(self->linear, self->ws, self->state);
}

/* Writes δẍ of each port, from self->da, δq and δv (3n each; NULL: zero), into y at three of the port's outputs: at
 * x if place = 0, at v if place = 3, at a if place = 6. If δq and δv are NULL, also writes the multipliers. */
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

/* Finds the da and dlambda that δq and δv cause without a load. */
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

/* Fills da and dlambda with the right-hand sides of the equations for B' and Λ' (head of this file). The equations for
 * B must have been solved just before, so that dlambda has their Λ. F' is a torque from the rotation of the marker's
 * arm. */
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

/* Assumes that δu is constant over the step: then I₃ = H/3 I₂. The term A_q B I₃ of δv, which belongs to p₃, becomes
 * the addend H/3 A_q B of the stored p₂. */
void cosim_multibody_compute_leading(cosim_multibody *self, double H) {
  const int n = cosim_multibody_coordinates(self);
  linearise(self);
  for (int input = 0; input < self->base.n_inputs; input++) {
    double *B = cosim_multibody_series(self, COSIM_END, input, COSIM_B);
    double *p2 = cosim_multibody_series(self, COSIM_END, input, COSIM_P2);
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
    double *B = cosim_multibody_series(self, point, input, COSIM_B);
    double *p2 = cosim_multibody_series(self, point, input, COSIM_P2);
    double *r3 = cosim_multibody_series(self, point, input, COSIM_R3);
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
    memcpy(cosim_multibody_series(self, point, input, COSIM_P2_RATE), self->da, (size_t)n * sizeof *self->da);
  }
}

void cosim_multibody_get_feedthrough(cosim_part *base, double *derivatives) {
  cosim_multibody_compute_feedthrough((cosim_multibody *)base, COSIM_END, derivatives);
}
