/* A round is a macro step of the exchange. An input u is replaced by an extrapolation, `hold`, which makes an error ε
 * of its integral over a round. The next 1 to 4 rounds add ε to the input, with a weight φ; [Moshagen] (77) to (79):
 *
 *   ε = ∫ (u - hold) dt over the round before,   input ← hold + ε φ(t),   ∫ φ dt = 1 over these rounds.
 *
 * Let s be the elapsed fraction of these rounds. φ is constant, or proportional to 30 s² (1 - s)², which begins and
 * ends smoothly. The next ε is computed from `hold` alone, without corrections. The source of u may have the integral
 * of u as an output. Without such an output, a polynomial is integrated, through one macro point more than `hold`
 * uses. */
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/exchange.h"
#include "cosim/parts/signal.h"

typedef struct balance_correction {
  cosim_correction base;
  cosim_balance_correction_def def;
  cosim_balance_signals signals;
  struct {
    double accumulated;               /* ∫ (u - hold) dt over the finished part of the present round */
    double pending[COSIM_MAX_SPREAD]; /* ε of the last rounds, the newest first */
  } state;
} balance_correction;

static seam_status bind(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  balance_correction *self = (balance_correction *)base;
  const cosim_balance_signals *at = &self->signals;
  if (self->def.spread < 1 || self->def.spread > COSIM_MAX_SPREAD)
    return seam_fail(error, SEAM_BAD_INPUT, "balance correction of '%s': 'spread' is %d macro steps: take 1 to %d",
                     self->def.input, self->def.spread, COSIM_MAX_SPREAD);
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links && at->integral >= 0;
       link++)
    if (link->to == at->part && link->input == at->input && link->from != at->integral_of)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "balance correction of '%s': integral '%s' must be an output of the subsystem whose signal "
                       "drives this input",
                       self->def.input, self->def.integral);
  return SEAM_OK;
}

/* Returns the integral of a source's output over its last step, by the polynomial through its last macro points. */
static double integrate_last(const cosim_participant_history *history, const cosim_link *link, int n_outputs) {
  const int most = link->order + 2 < COSIM_MAX_DEGREE + 1 ? link->order + 2 : COSIM_MAX_DEGREE + 1;
  const int n = most < history->n_known ? most : history->n_known;
  double node[COSIM_MAX_PAST];
  double sum = 0;
  for (int i = 0; i < n; i++)
    node[i] = 1 + (history->time[i] - history->time[0]) / history->H;
  for (int i = 0; i < n; i++) {
    const cosim_signal weight = cosim_lagrange(n, node, i);
    sum += cosim_signal_integral(&weight) * history->past[i * n_outputs + link->output];
  }
  return sum * history->H;
}

static void observe(cosim_correction *base, cosim_exchange *exchange, int part) {
  balance_correction *self = (balance_correction *)base;
  const cosim_participant_history *history = &exchange->history[part];
  const cosim_participant_history *receiver = &exchange->history[self->signals.part];
  if (part == self->signals.part)
    self->state.accumulated -= (cosim_signal_integral(&history->uncorrected[self->signals.input]) -
                                cosim_exchange_offset(exchange, part, self->signals.input)) *
                               history->H;
  for (int k = receiver->first_link; k < receiver[1].first_link; k++) {
    const cosim_link *link = &exchange->links[k];
    if (link->input != self->signals.input || link->from != part)
      continue;
    const int n_outputs = exchange->parts->member[part].part->n_outputs;
    self->state.accumulated += link->gain * (self->signals.integral >= 0 ? history->past[self->signals.integral]
                                                                         : integrate_last(history, link, n_outputs));
  }
}

static seam_status end_round(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  (void)exchange;
  (void)error;
  balance_correction *self = (balance_correction *)base;
  memmove(self->state.pending + 1, self->state.pending, (COSIM_MAX_SPREAD - 1) * sizeof *self->state.pending);
  self->state.pending[0] = self->state.accumulated;
  self->state.accumulated = 0;
  return SEAM_OK;
}

static void adjust_inputs(cosim_correction *base, cosim_exchange *exchange, int part) {
  balance_correction *self = (balance_correction *)base;
  if (part != self->signals.part)
    return;
  const cosim_participant_history *history = &exchange->history[part];
  const double passed = (history->t - exchange->t) / exchange->H; /* elapsed fraction of the round */
  cosim_signal *input = &exchange->parts->member[part].inputs[self->signals.input];
  for (int j = 0; j < self->def.spread; j++) {
    const double mean = self->state.pending[j] / (self->def.spread * exchange->H);
    if (self->def.smooth) { /* 30 s² (1 - s)²; s increases by ds over the step */
      const double c = 30 * mean;
      const double s = (j + passed) / self->def.spread;
      const double ds = 1.0 / (self->def.spread * history->steps);
      const cosim_signal hump = {
          .n_pieces = 1,
          .c = {{c * s * s * (1 - s) * (1 - s), c * 2 * s * (1 - s) * (1 - 2 * s) * ds,
                 c * (1 - 6 * s + 6 * s * s) * ds * ds, c * (4 * s - 2) * ds * ds * ds, c * ds * ds * ds * ds}}};
      cosim_signal_add(input, 1, &hump);
    } else
      for (int p = 0; p < input->n_pieces; p++)
        input->c[p][0] += mean;
  }
}

static void destroy(cosim_correction *base) { free(base); }

seam_status cosim_balance_correction_at(const cosim_balance_correction_def *def, const cosim_balance_signals *signals,
                                        cosim_correction **correction, seam_error *error) {
  static const cosim_correction_ops ops = {
      .bind = bind, .adjust_inputs = adjust_inputs, .observe = observe, .end_round = end_round, .destroy = destroy};
  balance_correction *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a balance correction");
  self->base =
      (cosim_correction){.ops = &ops, .state = (double *)&self->state, .n_state = sizeof self->state / sizeof(double)};
  self->def = *def;
  self->signals = *signals;
  *correction = &self->base;
  return SEAM_OK;
}
