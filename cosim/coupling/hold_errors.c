/* Errors of holds. A hold of order k predicts a signal by the polynomial p_k through the last k + 1 macro points. At
 * the end of each round, t, the value y of each monitored signal is compared with all p_k, once enough points are
 * known:
 *
 *   square_error[k] += (y - p_k(t))²,   k = 0 .. COSIM_MAX_HOLD.
 *
 * The sum of squared deviations from the mean of the n values so far, y included, grows as well. ȳ is the mean without
 * y, ȳ⁺ the mean with y:
 *
 *   ȳ⁺ = ȳ + (y - ȳ)/n,   square += (y - ȳ) (y - ȳ⁺). */
#include "cosim/coupling/hold_errors.h"

#include <math.h>

#include "cosim/coupling/step_control.h"
#include "cosim/thresholds.h"

void cosim_exchange_add_hold_errors(cosim_exchange *self) {
  for (cosim_link *link = self->links; link < self->links + self->n_links; link++) {
    const cosim_participant_history *from = &self->history[link->from];
    const cosim_part *source = self->parts->member[link->from].part;
    cosim_hold_statistics *statistics = &link->statistics;
    if (!link->is_monitored || cosim_is_held(source, link->output) || from->n_known < COSIM_MAX_HOLD + 2)
      continue;
    const double now = from->past[link->output];
    const double before = now - statistics->mean;
    statistics->n++;
    statistics->mean += before / statistics->n;
    statistics->square += before * (now - statistics->mean);
    for (int k = 0; k <= COSIM_MAX_HOLD; k++)
      statistics->square_error[k] +=
          pow(now - cosim_extrapolate(from->time, from->past + link->output, source->n_outputs, k + 1), 2);
  }
}

static double share_of(const cosim_hold_statistics *statistics, int order) {
  return sqrt(statistics->square_error[order] / statistics->square);
}

bool cosim_exchange_worst_hold(const cosim_exchange *self, cosim_hold_error *found) {
  bool some = false;
  for (const cosim_link *link = self->links; link < self->links + self->n_links; link++) {
    const cosim_hold_statistics *statistics = &link->statistics;
    const int order = link->rate >= 0 && link->order < 1 ? 1 : link->order;
    int better = 0; /* lowest order with small errors; if there is none, order with the smallest errors */
    if (!link->is_monitored || statistics->n < COSIM_LEAST_POINTS ||
        !(statistics->square > statistics->n * pow(cosim_least_deviation * statistics->mean, 2)))
      continue;
    if (some && share_of(statistics, order) <= found->share)
      continue;
    for (int k = 0; k <= COSIM_MAX_HOLD && share_of(statistics, better) > cosim_lagging_share; k++)
      if (statistics->square_error[k] < statistics->square_error[better])
        better = k;
    *found = (cosim_hold_error){.name = link->name,
                                .order = order,
                                .share = share_of(statistics, order),
                                .better = better,
                                .better_share = share_of(statistics, better)};
    some = true;
  }
  return some;
}

bool cosim_hold_lags(const cosim_hold_error *hold) { return hold->share > cosim_lagging_share; }

bool cosim_exchange_most_limited(const cosim_exchange *self, cosim_limit_reached *found) {
  double largest = 0;
  for (int c = 0; c < self->n_corrections; c++) {
    const cosim_correction *correction = self->corrections[c];
    if (correction->ops->limit_reached == NULL)
      continue;
    const cosim_limit_reached one = correction->ops->limit_reached(correction);
    const double share = one.rounds > 0 ? (double)one.reached / (double)one.rounds : 0;
    if (share > largest)
      *found = one;
    largest = fmax(largest, share);
  }
  return largest > 0;
}
