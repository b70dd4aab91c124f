/* Controls the length H of steps by an indicator ε, which is 1 where the error of a step equals its tolerance;
 * [Sadjina] (14) to (17). ε_before is the indicator of the step before the last; kI and kP are gains:
 *
 *   H ← safety · ε^(-kI - kP) · ε_before^kP · H
 *
 * First the growth is limited, then the length. Let m be the order of the holds. ε is one of
 *
 *   energy (ECCO):        √(mean over bonds of (δE / (r (E0 + |P H|)))²),             kI = 0.3/(m+2), kP = 0.4/(m+2)
 *   prediction (Busch):   max over outputs of |y - ỹ| / (TOL (1 + ρ max(|y|, |ỹ|))),  kI = 0.3/(m+1), kP = 0.4/(m+1)
 *   local error:          estimate / tolerance,                                       kI = 0.3/(m+2), kP = 0.4/(m+2)
 *
 * A bond has the residual energy δE, the power P, the scale of energy E0 and the tolerance r. ỹ predicts the output y
 * by a polynomial, of order m + 1 by default, through earlier macro points. TOL and ρ are the tolerance and the
 * relative weight of this prediction.
 *
 * If ε is zero except for round-off, there is no motion, and H grows by the growth limit. In a mechanism whose control
 * has follows_motion, it then grows at most to the length of the first step. When motion begins, H shrinks by the
 * shrinkage limit.
 *
 * Only a local error ε > 1 repeats a step. For this indicator the formula has safety^0.3 in place of safety: the length
 * then converges to safety times the length with ε = 1. There ε = safety^(m+2), so that repetitions are rare. */
#include "cosim/coupling/step_control.h"

#include <math.h>

#include "cosim/coupling/exchange.h"
#include "cosim/thresholds.h"

/* Columns: name in files; order in H of the indicated error minus that of the holds; power of `safety`. */
static const struct {
  const char *name;
  int order;
  double power;
} indicators[] = {
    [COSIM_ENERGY_INDICATOR] = {"ecco", 2, 1},
    [COSIM_PREDICTION_INDICATOR] = {"predictor", 1, 1},
    [COSIM_ERROR_INDICATOR] = {"error", 2, 0.3},
};

const char *cosim_step_indicator_name(cosim_step_indicator indicator) {
  return (size_t)indicator < sizeof indicators / sizeof *indicators ? indicators[indicator].name : NULL;
}

cosim_step_control cosim_default_step_control(cosim_step_indicator indicator, double tolerance) {
  return (cosim_step_control){.cookie = COSIM_COOKIE,
                              .indicator = indicator,
                              .tolerance = tolerance,
                              .relative_weight = cosim_relative_weight,
                              .prediction_order = -1,
                              .safety = cosim_safety,
                              .integral_gain = NAN,
                              .proportional_gain = NAN,
                              .shrinkage_limit = cosim_shrinkage,
                              .growth_limit = cosim_growth,
                              .longest = INFINITY,
                              .follows_motion = true,
                              .before = -1};
}

seam_status cosim_step_control_check(const cosim_step_control *self, seam_error *error) {
  const struct {
    bool is_met;
    const char *what;
    double value;
  } demands[] = {
      {self->tolerance > 0 && isfinite(self->tolerance), "the tolerance must be positive and finite", self->tolerance},
      {self->relative_weight >= 0, "the relative weight must not be negative", self->relative_weight},
      {self->prediction_order <= COSIM_MAX_HOLD + 1, "the order of the prediction must be at most 5",
       self->prediction_order},
      {self->safety > 0 && self->safety <= 1, "the safety must be above 0 and at most 1", self->safety},
      {!(self->integral_gain < 0), "the integral gain must not be negative", self->integral_gain},
      {!(self->proportional_gain < 0), "the proportional gain must not be negative", self->proportional_gain},
      {self->shrinkage_limit > 0 && self->shrinkage_limit < 1, "the largest shrinkage must lie between 0 and 1",
       self->shrinkage_limit},
      {self->growth_limit >= 1, "the largest growth must be at least 1", self->growth_limit},
      {self->shortest >= 0, "the shortest macro step must not be negative", self->shortest},
      {self->longest > 0 && self->longest >= self->shortest,
       "the longest macro step must be positive, and not below the shortest", self->longest},
  };
  for (size_t i = 0; i < sizeof demands / sizeof *demands; i++)
    if (!demands[i].is_met)
      return seam_fail(error, SEAM_BAD_INPUT, "step control: %s, not %g", demands[i].what, demands[i].value);
  return SEAM_OK;
}

double cosim_energy_ratio(double tolerance, const cosim_bond_energy *energy, double energy_scale, double H) {
  const double transmitted = energy->power * H;
  return energy->residual_power * H / (tolerance * (energy_scale + fabs(transmitted)));
}

double cosim_prediction_ratio(const cosim_step_control *self, double y, double predicted) {
  return fabs(y - predicted) / (self->tolerance * (1 + self->relative_weight * fmax(fabs(y), fabs(predicted))));
}

int cosim_prediction_points(const cosim_step_control *self) {
  return (self->prediction_order < 0 ? self->order + 1 : self->prediction_order) + 1;
}

double cosim_extrapolate(const double *time, const double *past, int stride, int n) {
  double sum = 0;
  for (int i = 1; i <= n; i++) {
    double weight = 1;
    for (int j = 1; j <= n; j++)
      if (j != i)
        weight *= (time[0] - time[j]) / (time[i] - time[j]);
    sum += weight * past[i * stride];
  }
  return sum;
}

static double limit(const cosim_step_control *self, double H) { return fmin(fmax(H, self->shortest), self->longest); }

/* NaN counts as motion, so that the step shrinks. */
bool cosim_shows_motion(double indicator) { return !(indicator <= cosim_no_motion); }

double cosim_step_after(cosim_step_control *self, double indicator, double H) {
  const double order = self->order + indicators[self->indicator].order;
  const double before = self->before >= 0 ? self->before : indicator;
  self->before = indicator;
  double growth = self->growth_limit;
  const double integral = isnan(self->integral_gain) ? 0.3 / order : self->integral_gain;
  const double proportional = isnan(self->proportional_gain) ? 0.4 / order : self->proportional_gain;
  const bool are_usual = isnan(self->integral_gain) && isnan(self->proportional_gain);
  const double sum =
      are_usual ? (0.3 + 0.4) / order : integral + proportional; /* one division; two would round differently */
  if (cosim_shows_motion(indicator))
    growth = pow(self->safety, indicators[self->indicator].power) * pow(indicator, -sum) * pow(before, proportional);
  return limit(self, fmin(fmax(growth, self->shrinkage_limit), self->growth_limit) * H);
}

double cosim_repeated_length(const cosim_step_control *self, double indicator, double H) {
  const double order = self->order + indicators[self->indicator].order;
  const double factor = self->safety * pow(indicator, -1 / order);
  const double most = fmin(self->safety, cosim_least_shrinkage); /* avoids a second repetition of the step */
  return limit(self, fmin(fmax(factor, self->shrinkage_limit), most) * H);
}

/* The error's order in H is between s + 2 and 2s + 1. Steps that shrink use the order s + 2, others 2s + 1. */
double cosim_step_of_collocation(const cosim_step_control *self, double indicator, double H, int s) {
  const double order = indicator > 1 ? s + 2 : 2 * s + 1;
  const double factor = self->safety * pow(fmax(indicator, cosim_no_indicator), -1 / order);
  const double growth = fmax(self->growth_limit, 2);
  return limit(self, fmin(fmax(factor, self->shrinkage_limit), indicator > 1 ? cosim_least_shrinkage : growth) * H);
}

bool cosim_exchange_indicator(const cosim_step_control *self, const cosim_exchange *exchange, double *indicator) {
  const int n = cosim_prediction_points(self);
  double sum = 0;
  *indicator = 0;
  if (self->indicator == COSIM_ENERGY_INDICATOR) {
    for (const cosim_bond *bond = exchange->bonds; bond < exchange->bonds + exchange->n_bonds; bond++) {
      const double ratio = cosim_energy_ratio(bond->tolerance > 0 ? bond->tolerance : self->tolerance, &bond->energy,
                                              bond->energy_scale, exchange->H);
      sum += ratio * ratio;
    }
    *indicator = exchange->n_bonds > 0 ? sqrt(sum / exchange->n_bonds) : 0;
    return exchange->n_bonds > 0;
  }
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    const cosim_participant_history *history = &exchange->history[link->from];
    const cosim_part *source = exchange->parts->member[link->from].part;
    const double *past = history->past + link->output;
    if (cosim_is_held(source, link->output))
      continue;
    if (history->n_known < n + 1)
      return false;
    const double predicted = cosim_extrapolate(history->time, past, source->n_outputs, n);
    *indicator = fmax(*indicator, cosim_prediction_ratio(self, *past, predicted));
  }
  return true;
}
