/* The exchange couples; where a master couples some of the cuts, it is one part of the exchange. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/exchange/step_control.h"
#include "cosim/mechanism/engine.h"
#include "cosim/mechanism/master_part.h"
#include "cosim/mechanism/wiring.h"

typedef struct exchange_engine {
  cosim_engine base;
  cosim_wiring *wiring;
  cosim_exchange *exchange; /* the wiring's */
  size_t rounds;
  double past_time[COSIM_MAX_HOLD];
  double *past_outputs[COSIM_MAX_HOLD]; /* of all members at points of the past, one behind the other */
} exchange_engine;

static const exchange_engine *of(const cosim_engine *base) { return (const exchange_engine *)base; }

static cosim_part *part_of(const exchange_engine *self, int member) { return self->exchange->members[member].part; }

static bool is_mechanical(const exchange_engine *self, int member) {
  return cosim_is_mechanical(self->base.partition, self->wiring->subsystem_of[member]);
}

/* Only the master couples: further parts are not connected. */
static bool has_master_alone(const exchange_engine *self) {
  return self->base.master != NULL && self->exchange->n_links == 0 && self->exchange->n_bonds == 0;
}

/* ---- The past ---- */

/* The past of signals is not known. */
static int n_past(const cosim_engine *base) {
  if (!base->definition->options.exact_history || base->definition->n_signals + base->partition->n_held > 0)
    return 1;
  return has_master_alone(of(base)) ? COSIM_MAX_HISTORY : COSIM_MAX_HOLD + 1;
}

static void store_past(cosim_engine *base, int number, const mbs_state *state) {
  exchange_engine *self = (exchange_engine *)base;
  double *outputs = self->past_outputs[number - 1];
  cosim_engine_start_parts(base, state);
  self->past_time[number - 1] = state->t;
  for (int m = 0; m < self->wiring->n_members; m++) {
    cosim_part *part = part_of(self, m);
    if (is_mechanical(self, m))
      part->ops->get_outputs(part, outputs);
    outputs += part->n_outputs;
  }
}

static void remember_past(exchange_engine *self, int n) {
  for (int i = 0; i + 1 < n; i++) {
    const double *outputs = self->past_outputs[i];
    for (int m = 0; m < self->wiring->n_members; m++) {
      if (is_mechanical(self, m))
        cosim_exchange_remember(self->exchange, m, self->past_time[i], outputs);
      outputs += part_of(self, m)->n_outputs;
    }
  }
}

/* ---- Start ---- */

/* Outputs of user parts under the inputs from the links, one after the other, in as many passes as there are members,
 * because of feed-through. Outputs of a part that cannot restore its state are those under zero inputs. */
static seam_status evaluate_user_parts(exchange_engine *self, seam_error *error) {
  const cosim_partition *partition = self->base.partition;
  seam_status status = SEAM_OK;
  for (int pass = 0; pass < self->wiring->n_members; pass++)
    for (size_t s = 0; s < partition->n_subsystems && status == SEAM_OK; s++)
      if (self->base.start[s] != NULL)
        status = cosim_exchange_evaluate_outputs(self->exchange, self->wiring->member_of[s],
                                                 self->base.definition->options.macro_step, self->base.start[s], error);
  return status;
}

static seam_status begin(cosim_engine *base, const mbs_state *state, const cosim_snapshot *past, int n,
                         seam_error *error) {
  exchange_engine *self = (exchange_engine *)base;
  cosim_engine_start_parts(base, state);
  seam_status status = base->master != NULL ? cosim_engine_begin_master(base, state->t, past, n, error) : SEAM_OK;
  if (status == SEAM_OK)
    status = cosim_engine_restart_user_parts(base, error);
  if (status != SEAM_OK)
    return status;
  cosim_exchange_start(self->exchange, state->t);
  status = evaluate_user_parts(self, error);
  if (status == SEAM_OK)
    status = cosim_exchange_sample(self->exchange, error);
  if (status == SEAM_OK)
    remember_past(self, n);
  return status;
}

/* ---- Rounds ---- */

static seam_status advance(cosim_engine *base, double H, seam_error *error) {
  exchange_engine *self = (exchange_engine *)base;
  const seam_status status = cosim_exchange_advance(self->exchange, H, error);
  self->rounds += status == SEAM_OK;
  return status;
}

static double time_of(const cosim_engine *base) { return cosim_exchange_time(of(base)->exchange); }

static double next_sample(const cosim_engine *base) { return cosim_exchange_next_sample(of(base)->exchange); }

static size_t n_steps(const cosim_engine *base) { return of(base)->rounds; }

static void take_inputs(cosim_engine *base) { cosim_wiring_take_inputs(of(base)->wiring); }

static void take_before(cosim_engine *base) { cosim_wiring_take_before(of(base)->wiring); }

static bool was_sampled(const cosim_engine *base) { return of(base)->exchange->was_sampled; }

static void renew(cosim_engine *base) { cosim_wiring_renew(of(base)->wiring); }

/* The force on a remote side, signed as on side 1. */
static void take_force(const cosim_wiring *wiring, const cosim_element_cut *cut, int side, double W[COSIM_MAX_FORCES]) {
  const bool has_two_torques = cut->law.base.n_forces == COSIM_MAX_FORCES;
  const double sign = side == 0 ? 1 : -1;
  double f[3];
  cosim_wiring_force(wiring, cut, side, f);
  W[0] = sign * f[0];
  W[1] = sign * f[1];
  W[side == 1 && has_two_torques ? 3 : 2] = sign * f[2];
}

static void sample(const cosim_engine *base, cosim_element_cut *cut, const mbs_state *state) {
  cosim_snapshot *now = &cut->now.snapshot;
  if (!cut->is_exchanged) {
    cosim_engine_sample_master(base, cut, state);
    return;
  }
  cut->law.z = state->z + cut->law.force.state;
  *now = (cosim_snapshot){.motion = {cosim_marker_motion(base->partition, cut, 0, state),
                                     cosim_marker_motion(base->partition, cut, 1, state)}};
  for (int side = 0; side < 2; side++)
    if (cut->is_remote[side])
      take_force(of(base)->wiring, cut, side, now->wrench[side]);
    else
      cut->law.base.ops->wrench(&cut->law.base, now->motion, now->wrench[side]);
}

/* ---- Control of the macro step ---- */

static seam_status check_control(const cosim_engine *base, cosim_step_control *rule, seam_error *error) {
  const cosim_exchange *exchange = of(base)->exchange;
  const bool repeats = rule->indicator == COSIM_ERROR_INDICATOR;
  if (has_master_alone(of(base)) && (!repeats || cosim_exchange_n_state(exchange) > 0))
    return cosim_engine_check_master_control(base, rule, error);
  if (repeats)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step control by the local error repeats macro steps, which the exchange cannot do: "
                     "control by energy or prediction");
  const seam_status status = base->master != NULL ? cosim_engine_check_master_control(base, rule, error) : SEAM_OK;
  const int of_links = cosim_exchange_least_order(exchange);
  rule->order = base->master != NULL && rule->order < of_links ? rule->order : of_links;
  if (status != SEAM_OK || rule->indicator != COSIM_ENERGY_INDICATOR)
    return status;
  if (exchange->n_bonds == 0 && base->master == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "step control by energy needs a power bond or an exchanged coupling");
  for (const cosim_bond *bond = exchange->bonds; bond < exchange->bonds + exchange->n_bonds; bond++)
    if (!(bond->energy_scale > 0))
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "step control by energy needs a positive energy scale at '%s', not %g J: set energy_scale there or of "
          "step_control",
          bond->name, bond->energy_scale);
  return SEAM_OK;
}

/* The larger one of the master's and the exchange's couplings. */
static bool indicate(const cosim_engine *base, const cosim_step_control *rule, double H, double *indicator) {
  double of_exchange = 0;
  double of_master = 0;
  const bool knows_master = base->master != NULL && cosim_engine_indicate_master(base, rule, H, &of_master);
  const bool knows_exchange =
      !has_master_alone(of(base)) && cosim_exchange_indicator(rule, of(base)->exchange, &of_exchange);
  *indicator = isnan(of_master) || of_master > of_exchange ? of_master : of_exchange;
  return knows_master || knows_exchange;
}

/* ---- Energies and signals ---- */

static cosim_bond_energy energy_of_cut(const cosim_engine *base, const cosim_element_cut *cut) {
  return cosim_exchange_energy(of(base)->exchange, cut->bond);
}

static cosim_bond_energy energy_of_bond(const cosim_engine *base, size_t bond) {
  return cosim_exchange_energy(of(base)->exchange, (int)bond);
}

static const cosim_exchange *exchange_of(const cosim_engine *base) { return of(base)->exchange; }

static double output(const cosim_engine *base, size_t subsystem, int number) {
  const cosim_wiring *wiring = of(base)->wiring;
  return cosim_exchange_output(of(base)->exchange, wiring->member_of[subsystem],
                               wiring->number[2 * subsystem + 1][number]);
}

static void remember(cosim_engine *base, size_t subsystem, double t, const double *outputs) {
  cosim_exchange_remember(of(base)->exchange, of(base)->wiring->member_of[subsystem], t, outputs);
}

static double first_known(const cosim_engine *base, size_t subsystem) {
  const cosim_participant_history *history = &of(base)->exchange->history[of(base)->wiring->member_of[subsystem]];
  return history->time[history->n_known - 1];
}

/* ---- State ---- */

static size_t n_state(const cosim_engine *base) { return cosim_exchange_n_state(of(base)->exchange); }

static void save(const cosim_engine *base, double *state) { cosim_exchange_save(of(base)->exchange, state); }

static seam_status restore(cosim_engine *base, const double *state, seam_error *error) {
  (void)error;
  exchange_engine *self = (exchange_engine *)base;
  cosim_exchange_restore(self->exchange, state);
  base->has_started = true; /* a start from here on takes user parts back to theirs */
  return SEAM_OK;
}

/* ---- Creation ---- */

static void destroy(cosim_engine *base) {
  exchange_engine *self = (exchange_engine *)base;
  cosim_wiring_destroy(self->wiring);
  cosim_engine_free_starts(base);
  free(self->past_outputs[0]);
  free(self);
}

static bool allocate_past(exchange_engine *self) {
  size_t n = 1;
  for (int m = 0; m < self->wiring->n_members; m++)
    n += (size_t)part_of(self, m)->n_outputs;
  double *outputs = calloc(COSIM_MAX_HOLD * n, sizeof *outputs);
  for (int i = 0; i < COSIM_MAX_HOLD && outputs != NULL; i++)
    self->past_outputs[i] = outputs + (size_t)i * n;
  return outputs != NULL;
}

seam_status cosim_engine_create_exchange(cosim_partition *partition, const cosim_definition *definition,
                                         const cosim_master_options *master, cosim_engine **created,
                                         seam_error *error) {
  static const cosim_engine_ops ops = {.destroy = destroy,
                                       .n_past = n_past,
                                       .store_past = store_past,
                                       .begin = begin,
                                       .advance = advance,
                                       .time = time_of,
                                       .n_steps = n_steps,
                                       .next_sample = next_sample,
                                       .take_inputs = take_inputs,
                                       .take_before = take_before,
                                       .was_sampled = was_sampled,
                                       .renew = renew,
                                       .sample = sample,
                                       .check_control = check_control,
                                       .indicate = indicate,
                                       .energy_of_cut = energy_of_cut,
                                       .energy_of_bond = energy_of_bond,
                                       .exchange = exchange_of,
                                       .output = output,
                                       .remember = remember,
                                       .first_known = first_known,
                                       .n_state = n_state,
                                       .save = save,
                                       .restore = restore};
  exchange_engine *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
  self->base = (cosim_engine){.ops = &ops, .partition = partition, .definition = definition};
  seam_status status =
      cosim_wiring_create(partition, definition, master, cosim_partition_take_parts(partition), &self->wiring, error);
  if (status == SEAM_OK) {
    self->exchange = self->wiring->exchange;
    if (self->wiring->master_part != NULL)
      self->base.master = cosim_master_part_master(self->wiring->master_part);
    if (!allocate_past(self) || !cosim_engine_save_starts(&self->base))
      status = seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
  }
  if (status != SEAM_OK)
    destroy(&self->base);
  else
    *created = &self->base;
  return status;
}
