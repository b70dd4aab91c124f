/* Length of the next round from what the last one showed, without going back; ecco.txt (14) to (17):
 *
 *   H ← safety · ε^(-kI - kP) · ε_before^kP · H
 *
 * with the growth limited first and the length then. The indicator ε is 1 where the error meets the tolerance:
 *
 *   energy (ECCO):        √(mean over bonds of (δE / (r (E0 + |P H|)))²),             kI = 0.3/(m+2), kP = 0.4/(m+2)
 *   prediction (Busch):   max over outputs of |y - ỹ| / (TOL (1 + ρ max(|y|, |ỹ|))),  kI = 0.3/(m+1), kP = 0.4/(m+1)
 *
 * where m is the order of the holds and ỹ the polynomial of order m + 1 through the macro points before. Where ε is
 * zero, nothing has moved yet: the length grows as it may, and in the round after shrinks as it may. */
#include <math.h>

#include "cosim/exchange.h"

/* ---- Indicators; false: nothing can be said yet ---- */

static bool indicate_energy(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator) {
  double sum = 0;
  for (const cosim_bond *bond = exchange->bonds; bond < exchange->bonds + exchange->n_bonds; bond++) {
    const double transmitted = bond->energy.power * exchange->H;
    const double scale = self->tolerance * (bond->energy_scale + fabs(transmitted));
    const double ratio = bond->energy.residual_power * exchange->H / scale;
    sum += ratio * ratio;
  }
  *indicator = exchange->n_bonds > 0 ? sqrt(sum / exchange->n_bonds) : 0;
  return exchange->n_bonds > 0;
}

/* Newest output foretold by the polynomial through the n macro points before. */
static double foretell(const cosim_station *station, int n_outputs, int output, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++) {
    double weight = 1;
    for (int j = 1; j <= n; j++)
      if (j != i)
        weight *= (station->time[0] - station->time[j]) / (station->time[i] - station->time[j]);
    sum += weight * station->past[i * n_outputs + output];
  }
  return sum;
}

static bool indicate_prediction(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator) {
  const int n = self->order + 2;
  *indicator = 0;
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    const cosim_station *station = &exchange->station[link->from];
    if (station->n_known < n + 1)
      return false;
    const double y = station->past[link->output];
    const double foretold = foretell(station, exchange->parts->member[link->from].part->n_outputs, link->output, n);
    const double scale = self->tolerance * (1 + self->relative_weight * fmax(fabs(y), fabs(foretold)));
    *indicator = fmax(*indicator, fabs(y - foretold) / scale);
  }
  return true;
}

/* ---- Control ---- */

static const struct {
  bool (*indicate)(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator);
  int order; /* of the error that is seen, beyond that of the holds */
} indicators[] = {
    [cosim_energy_indicator] = {indicate_energy, 2},
    [cosim_prediction_indicator] = {indicate_prediction, 1},
};

cosim_step_control cosim_default_step_control(cosim_step_indicator indicator, double tolerance) {
  return (cosim_step_control){.indicator = indicator,
                              .tolerance = tolerance,
                              .relative_weight = 1e-4,
                              .safety = 0.8,
                              .most_shrinkage = 0.2,
                              .most_growth = 1.5,
                              .longest = INFINITY,
                              .before = -1};
}

double cosim_next_step(cosim_step_control *self, const cosim_exchange *exchange) {
  const double order = self->order + indicators[self->indicator].order;
  double indicator = 0;
  if (!indicators[self->indicator].indicate(self, exchange, &indicator))
    return exchange->H;
  const double before = self->before >= 0 ? self->before : indicator;
  self->before = indicator;
  double growth = self->most_growth;
  if (indicator > 0)
    growth = self->safety * pow(indicator, -(0.3 + 0.4) / order) * pow(before, 0.4 / order);
  growth = fmin(fmax(growth, self->most_shrinkage), self->most_growth);
  return fmin(fmax(growth * exchange->H, self->shortest), self->longest);
}
