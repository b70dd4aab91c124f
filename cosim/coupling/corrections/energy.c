/* The exchange creates energy δE in a round of length H: the residual energy of the power bonds. In the next round, a
 * force f_corr at one part removes the energy ς = μ δE; [Rodriguez] 3:
 *
 *   f_corr = -(ς + ν U) v / (H |v|²),   |f_corr| <= limit |f|,   U ← U + ς + f_corr · v_next H
 *
 * U is the energy that earlier corrections should have removed but did not, 0 at the start. μ, ν and `limit` are
 * parameters of the definition. Vectors have an entry for each port of a bond at the part:
 *
 *   f        inputs at the port without correction, summed over the bonds
 *   v        output of the port times its factor, averaged over the bonds
 *   v_next   v at the end of the next round
 *
 * Each bond gets an equal share of f_corr, so that the total power is f_corr · v. */
#include <math.h>
#include <stdlib.h>

#include "base/vector.h"
#include "cosim/coupling/exchange.h"

enum { MAX_PORTS = 3 };

typedef struct corrected_bond {
  int number; /* index of the bond in the exchange; -1: the bond is missing */
  const cosim_bond *bond;
  const cosim_bond_port *port[MAX_PORTS]; /* the bond's ports at the part */
} corrected_bond;

typedef struct energy_correction {
  cosim_correction base;
  cosim_energy_correction_def def;
  int part;
  int n; /* number of the part's ports in each bond */
  struct {
    double error;            /* ς of the last round, J */
    double remaining;        /* U, J */
    double speed[MAX_PORTS]; /* v at the last macro point */
    double largest_force;    /* N, upper limit of a correction: def.limit |f| at the last macro point */
    double force[MAX_PORTS]; /* f_corr of the present round */
    double rounds, reached;  /* number of rounds; number of rounds in which the wanted force exceeded the limit */
  } state;
  int n_bonds;
  corrected_bond at[];
} energy_correction;

static seam_status bind(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  energy_correction *self = (energy_correction *)base;
  for (corrected_bond *at = self->at; at < self->at + self->n_bonds; at++) {
    self->n = 0;
    if (at->number < 0)
      return seam_fail(error, SEAM_BAD_INPUT, "energy correction: there is no power bond '%s'", self->def.bond);
    at->bond = &exchange->bonds[at->number];
    for (int i = 0; i < at->bond->n_ports; i++) {
      if (at->bond->ports[i].part != self->part)
        continue;
      if (self->n == MAX_PORTS)
        return seam_fail(error, SEAM_BAD_INPUT, "energy correction: bond '%s' has more than %d ports at '%s'",
                         at->bond->name, MAX_PORTS, self->def.part);
      at->port[self->n++] = &at->bond->ports[i];
    }
    if (self->n == 0)
      return seam_fail(error, SEAM_BAD_INPUT, "energy correction: bond '%s' has no port at '%s'", at->bond->name,
                       self->def.part);
  }
  return SEAM_OK;
}

static double length_of(const double *a, int n) { return sqrt(dot_product(n, a, a)); }

/* Returns the force, N, against v that removes the energy ς + ν U within a round; `speed` is |v|. */
static double wanted_force(const energy_correction *self, double H, double speed) {
  return speed > 0 ? (self->state.error + self->def.nu * self->state.remaining) / (H * speed) : 0;
}

/* Adds the force, which is the same in all steps of a round. */
static void adjust_inputs(cosim_correction *base, cosim_exchange *exchange, int part) {
  energy_correction *self = (energy_correction *)base;
  if (part != self->part)
    return;
  const double speed = length_of(self->state.speed, self->n);
  const double wanted = wanted_force(self, exchange->H, speed);
  const double brake = fmax(-self->state.largest_force, fmin(wanted, self->state.largest_force));
  for (int i = 0; i < self->n; i++) {
    self->state.force[i] = speed > 0 ? -brake * self->state.speed[i] / speed : 0;
    for (int k = 0; k < self->n_bonds; k++) {
      cosim_signal *input = &exchange->parts->member[part].inputs[self->at[k].port[i]->input];
      for (int p = 0; p < input->n_pieces; p++)
        input->c[p][0] += self->state.force[i] / self->n_bonds;
    }
  }
}

static seam_status end_round(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  (void)error;
  energy_correction *self = (energy_correction *)base;
  double f[MAX_PORTS] = {0};
  double work = 0;
  double residual_power = 0;
  self->state.rounds++;
  self->state.reached +=
      fabs(wanted_force(self, exchange->H, length_of(self->state.speed, self->n))) > self->state.largest_force;
  for (int i = 0; i < self->n; i++) {
    double *v = &self->state.speed[i];
    *v = 0;
    for (int k = 0; k < self->n_bonds; k++) {
      const cosim_bond_port *port = self->at[k].port[i];
      f[i] += cosim_exchange_input(exchange, port->part, port->input);
      *v += port->factor * cosim_exchange_output(exchange, port->part, port->output) / self->n_bonds;
    }
    work += self->state.force[i] * *v;
  }
  for (int k = 0; k < self->n_bonds; k++)
    residual_power += self->at[k].bond->energy.residual_power;
  self->state.remaining += self->state.error + work * exchange->H;
  self->state.error = self->def.mu * exchange->H * residual_power;
  self->state.largest_force = self->def.limit * length_of(f, self->n);
  return SEAM_OK;
}

static void destroy(cosim_correction *base) { free(base); }

static cosim_limit_reached limit_reached(const cosim_correction *base) {
  const energy_correction *self = (const energy_correction *)base;
  return (cosim_limit_reached){.name = self->n_bonds > 1 ? self->def.part : self->at[0].bond->name,
                               .limit = self->def.limit,
                               .rounds = (size_t)self->state.rounds,
                               .reached = (size_t)self->state.reached};
}

seam_status cosim_energy_correction_at(const cosim_energy_correction_def *def, const int *bonds, int n_bonds, int part,
                                       cosim_correction **correction, seam_error *error) {
  static const cosim_correction_ops ops = {.bind = bind,
                                           .adjust_inputs = adjust_inputs,
                                           .end_round = end_round,
                                           .destroy = destroy,
                                           .limit_reached = limit_reached};
  energy_correction *self = calloc(1, sizeof *self + (size_t)n_bonds * sizeof *self->at);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an energy correction");
  self->base =
      (cosim_correction){.ops = &ops, .state = (double *)&self->state, .n_state = sizeof self->state / sizeof(double)};
  self->def = *def;
  self->part = part;
  self->n_bonds = n_bonds;
  for (int k = 0; k < n_bonds; k++)
    self->at[k].number = bonds[k];
  *correction = &self->base;
  return SEAM_OK;
}

double cosim_energy_fraction(double ratio, int order) {
  const double single_rate = 0.5;
  if (!(ratio > 0) || order < 0)
    return NAN;
  if (order == 0)
    return ratio >= 1 ? single_rate * (1.5 - 0.5 / ratio) : single_rate;
  return ratio >= 1 ? single_rate : single_rate * ratio;
}
