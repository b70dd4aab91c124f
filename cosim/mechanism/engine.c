#include "cosim/mechanism/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"

static cosim_part *part_of(const cosim_engine *self, int member) { return self->exchange->parts->member[member].part; }

/* Returns true if the master alone couples: the exchange has neither links nor bonds. */
static bool has_master_alone(const cosim_engine *self) {
  return self->master != NULL && self->exchange->n_links == 0 && self->exchange->n_bonds == 0;
}

/* ---- The past ---- */

/* Past points are used with the option exact_history only. With signals or coupled user parts, whose past is unknown,
 * the start is the only point. */
int cosim_engine_n_past(const cosim_engine *self) {
  if (!self->definition->options.exact_history || self->partition->n_part_couplings > 0 ||
      self->definition->n_signals + self->partition->n_linked > 0)
    return 1;
  return has_master_alone(self) ? COSIM_MAX_HISTORY : COSIM_MAX_HOLD + 1;
}

static void start_parts(const cosim_engine *self, const mbs_state *state) {
  for (size_t k = 0; k < self->partition->n_mechanical; k++)
    cosim_multibody_start(self->partition->mechanical[k], state);
}

void cosim_engine_store_past(cosim_engine *self, int number, const mbs_state *state) {
  double *outputs = self->past_outputs[number - 1];
  if (has_master_alone(self))
    return;
  start_parts(self, state);
  self->past_time[number - 1] = state->t;
  for (int m = 0; m < self->n_members; m++) {
    cosim_part *part = part_of(self, m);
    if (cosim_engine_is_mechanical(self, m))
      part->ops->get_outputs(part, outputs);
    outputs += part->n_outputs;
  }
}

/* ---- Start ---- */

static seam_status begin_master(cosim_engine *self, double t, const cosim_snapshot *past, int n_past,
                                seam_error *error) {
  const size_t n_cuts = self->partition->n_cuts;
  const int n_used = n_past < COSIM_MAX_HISTORY ? n_past : COSIM_MAX_HISTORY;
  const cosim_options *options = &self->definition->options;
  if (self->master == NULL)
    return SEAM_OK;
  if (self->partition->n_part_couplings > 0) {
    cosim_master_begin(self->master, t, NULL, 0);
    TRY(cosim_master_begin_fmus(self->master, error));
    cosim_master_begin(self->master, t, NULL, 0);
    return cosim_master_find_multipliers(self->master, options->macro_step, error);
  }
  cosim_snapshot *of_master = calloc((size_t)n_used * n_cuts + 1, sizeof *of_master);
  size_t n = 0;
  if (of_master == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the history of the mechanism");
  for (size_t i = 0; i < (size_t)n_used * n_cuts; i++)
    if (!self->partition->cuts[i % n_cuts].is_exchanged)
      of_master[n++] = past[i];
  cosim_master_begin(self->master, t, of_master, n_used);
  for (int i = 0; i < COSIM_MAX_HISTORY && options->exact_history; i++) /* the first step may have another length */
    self->master->past_step[i] = options->macro_step;
  free(of_master);
  return SEAM_OK;
}

seam_status cosim_engine_begin(cosim_engine *self, const mbs_state *state, const cosim_snapshot *past, int n_past,
                               seam_error *error) {
  const cosim_partition *partition = self->partition;
  for (size_t s = 0; s < partition->n_subsystems && self->has_started; s++) {
    cosim_part *part = partition->parts[s];
    if (cosim_is_mechanical(partition, s))
      continue;
    if (self->start[s] == NULL)
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot be reset to its start: create the co-simulation again", part->name);
    part->ops->restore(part, self->start[s]);
  }
  self->has_started = true;
  start_parts(self, state);
  TRY(begin_master(self, state->t, past, n_past, error));
  cosim_exchange_start(self->exchange, state->t);
  TRY(cosim_exchange_begin_fmus(self->exchange, self->definition->options.macro_step, error));
  TRY(cosim_exchange_sample(self->exchange, error));
  for (int i = 0; i + 1 < n_past && !has_master_alone(self); i++) {
    const double *outputs = self->past_outputs[i];
    for (int m = 0; m < self->n_members; m++) {
      if (cosim_engine_is_mechanical(self, m))
        cosim_exchange_remember(self->exchange, m, self->past_time[i], outputs);
      outputs += part_of(self, m)->n_outputs;
    }
  }
  return SEAM_OK;
}

/* ---- Steps ---- */

seam_status cosim_engine_advance(cosim_engine *self, double H, seam_error *error) {
  const seam_status status = cosim_exchange_advance(self->exchange, H, error);
  self->n_steps += status == SEAM_OK;
  return status;
}

seam_status cosim_engine_follow(cosim_engine *self, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error) {
  const seam_status status = cosim_master_follow(self->master, H, begin, end, error);
  self->n_steps += status == SEAM_OK;
  cosim_exchange_advance_time(self->exchange, H);
  return status;
}

void cosim_marker_motions(const cosim_partition *partition, const cosim_element_cut *cut, const mbs_state *state,
                          cosim_motion m[2]) {
  for (int side = 0; side < 2; side++)
    m[side] = cosim_element_motion(partition->model, cut->is_joint, cut->element, side, state->q, state->v, state->a);
}

void cosim_engine_sample(const cosim_engine *self, cosim_element_cut *cut, const mbs_state *state) {
  cosim_snapshot *now = &cut->now.snapshot;
  if (!cut->is_exchanged) {
    cosim_master_snapshot(self->master, cut->master_index, now);
    return;
  }
  cut->law.z = state->z + cut->law.force.state;
  memset(now, 0, sizeof *now);
  cosim_marker_motions(self->partition, cut, state, now->motion);
  for (int side = 0; side < 2; side++) {
    double *W = now->wrench[side];
    if (!cut->is_remote[side]) {
      cut->law.base.ops->wrench(&cut->law.base, now->motion, W);
      continue;
    }
    const bool has_two_torques = cut->law.base.n_forces == COSIM_MAX_FORCES;
    const double sign = side == 0 ? 1 : -1; /* wrenches in a snapshot have the signs of side 1 */
    double f[3];
    cosim_engine_force(self, cut, side, f);
    W[0] = sign * f[0];
    W[1] = sign * f[1];
    W[side == 1 && has_two_torques ? 3 : 2] = sign * f[2];
  }
}

/* If a master couples user parts, its parts give all outputs. Otherwise the exchange gives those that have an index in
 * self->number (-1: no index). Results contain no others. */
double cosim_engine_output(const cosim_engine *self, size_t subsystem, int output) {
  if (self->partition->n_part_couplings > 0)
    return self->master->parts->member[subsystem].outputs[output];
  return cosim_exchange_output(self->exchange, self->member_of[subsystem], self->number[2 * subsystem + 1][output]);
}

/* ---- Control of the macro step ---- */

static seam_status check_master_control(const cosim_engine *self, cosim_step_control *rule, seam_error *error) {
  const bool is_by_error = rule->indicator == COSIM_ERROR_INDICATOR;
  const cosim_cut *cuts = self->master->cuts;
  rule->order = -1; /* least order of the couplings or, for the local error, of those with a corrector; -1: none */
  for (const cosim_cut *cut = cuts; cut < cuts + self->master->n_couplings; cut++)
    if ((cosim_scheme_corrects(&cut->scheme) || !is_by_error) && (rule->order < 0 || cut->scheme.order < rule->order))
      rule->order = cut->scheme.order;
  if (rule->indicator == COSIM_ENERGY_INDICATOR && !(self->definition->options.energy_scale > 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "'method: ecco' needs an energy that typically passes through a coupling, above 0, not %g J: set "
                     "'energy_scale' under 'step_control'",
                     self->definition->options.energy_scale);
  if (is_by_error && rule->order < 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "'method: error' needs a coupling with a corrector: take a scheme that does not end in "
                     "'-explicit', or 'method: ecco' or 'method: predictor'");
  return SEAM_OK;
}

static bool indicate_energy(const cosim_engine *self, const cosim_step_control *rule, double H, double *indicator) {
  const cosim_partition *partition = self->partition;
  size_t n = 0;
  double sum = 0;
  for (const cosim_element_cut *cut = partition->cuts; cut < partition->cuts + partition->n_cuts; cut++) {
    if (cut->is_exchanged)
      continue;
    n++;
    const double ratio =
        cosim_energy_ratio(rule->tolerance, &cut->now.ledger.creation, self->definition->options.energy_scale, H);
    sum += ratio * ratio;
  }
  *indicator = n > 0 ? sqrt(sum / (double)n) : 0;
  return n > 0;
}

static bool indicate_prediction(const cosim_engine *self, const cosim_step_control *rule, double *indicator) {
  const int wanted = cosim_prediction_points(rule);
  const int n = wanted < COSIM_MAX_HISTORY ? wanted : COSIM_MAX_HISTORY - 1;
  double time[COSIM_MAX_HISTORY];
  *indicator = 0;
  if (cosim_master_past_points(self->master, time) < n + 1)
    return false;
  for (int k = 0; k < self->master->n_slots; k++) {
    const double *values = self->master->slots[k].history;
    *indicator = fmax(*indicator, cosim_prediction_ratio(rule, values[0], cosim_extrapolate(time, values, 1, n)));
  }
  return true;
}

seam_status cosim_engine_check_control(const cosim_engine *self, cosim_step_control *rule, seam_error *error) {
  const cosim_exchange *exchange = self->exchange;
  const bool repeats = rule->indicator == COSIM_ERROR_INDICATOR;
  if (has_master_alone(self) && (!repeats || cosim_engine_n_state(self) > 0))
    return check_master_control(self, rule, error);
  if (repeats)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "'method: error', the default without 'macro_step', repeats macro steps, which signals and '-exchange' schemes "
        "do not allow: take 'method: ecco' or 'method: predictor', or set 'macro_step' without 'step_control'");
  if (self->master != NULL)
    TRY(check_master_control(self, rule, error));
  /* Derivatives that a model-based correction identifies from earlier steps hold for one step length only. */
  for (int p = 0; p < exchange->n && self->definition->model_based != NULL; p++)
    if (!part_of(self, p)->gives_derivatives)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "'step_control' beside 'model_based' needs derivatives of all subsystems, but subsystem '%s' "
                       "gives none: leave out 'step_control', or set 'integrator: erk' if this subsystem has bodies",
                       part_of(self, p)->name);
  const int of_links = cosim_exchange_least_order(exchange);
  rule->order = self->master != NULL && rule->order < of_links ? rule->order : of_links;
  if (rule->indicator != COSIM_ENERGY_INDICATOR)
    return SEAM_OK;
  if (exchange->n_bonds == 0 && self->master == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "'method: ecco' needs a power bond or a coupling with an '-exchange' scheme: add one of these, or "
                     "take 'method: predictor'");
  for (const cosim_bond *bond = exchange->bonds; bond < exchange->bonds + exchange->n_bonds; bond++)
    if (!(bond->energy_scale > 0))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "'method: ecco' needs an energy that typically passes through '%s', above 0, not %g J: set "
                       "'energy_scale' under 'step_control', or for a power bond under 'bonds'",
                       bond->name, bond->energy_scale);
  return SEAM_OK;
}

/* Sets *indicator to the larger of the indicators of master and exchange. */
bool cosim_engine_indicate(const cosim_engine *self, const cosim_step_control *rule, double H, double *indicator) {
  double of_exchange = 0;
  double of_master = 0;
  const bool is_energy = rule->indicator == COSIM_ENERGY_INDICATOR;
  const bool knows_master = self->master != NULL && (is_energy ? indicate_energy(self, rule, H, &of_master)
                                                               : indicate_prediction(self, rule, &of_master));
  const bool knows_exchange = !has_master_alone(self) && cosim_exchange_indicator(rule, self->exchange, &of_exchange);
  *indicator = isnan(of_master) || of_master > of_exchange ? of_master : of_exchange;
  return knows_master || knows_exchange;
}

/* ---- State ---- */

size_t cosim_engine_n_state(const cosim_engine *self) {
  bool repeat = true;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    repeat &= cosim_part_can_repeat(self->partition->parts[s]);
  return repeat ? cosim_exchange_n_state(self->exchange) : 0;
}

seam_status cosim_engine_store_starts(cosim_engine *self, seam_error *error) {
  const cosim_partition *partition = self->partition;
  size_t n = 1; /* outputs of all members */
  for (int m = 0; m < self->n_members; m++)
    n += (size_t)part_of(self, m)->n_outputs;
  double *outputs = calloc(COSIM_MAX_HOLD * n, sizeof *outputs);
  bool enough = outputs != NULL;
  for (int i = 0; i < COSIM_MAX_HOLD && enough; i++)
    self->past_outputs[i] = outputs + (size_t)i * n;
  for (size_t s = 0; s < partition->n_subsystems && enough; s++) {
    const cosim_part *part = partition->parts[s];
    if (cosim_is_mechanical(partition, s) || !cosim_part_can_repeat(part))
      continue;
    self->start[s] = calloc(part->n_state + 1, sizeof *self->start[s]);
    enough = self->start[s] != NULL;
    if (enough)
      part->ops->save(part, self->start[s]);
  }
  return enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
}
