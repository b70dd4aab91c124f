/* The master alone couples all cuts. */
#include <math.h>
#include <stdlib.h>

#include "cosim/exchange/step_control.h"
#include "cosim/mechanism/engine.h"
#include "mbs/model.h"

/* ---- Starts of user parts ---- */

bool cosim_engine_save_starts(cosim_engine *self) {
  const cosim_partition *partition = self->partition;
  self->start = calloc(partition->n_subsystems + 1, sizeof(double *));
  for (size_t s = 0; s < partition->n_subsystems && self->start != NULL; s++) {
    const cosim_part *part = partition->parts[s];
    if (cosim_is_mechanical(partition, s) || !cosim_part_can_repeat(part))
      continue;
    self->start[s] = calloc(part->n_state + 1, sizeof *self->start[s]);
    if (self->start[s] == NULL)
      return false;
    part->ops->save(part, self->start[s]);
  }
  return self->start != NULL;
}

void cosim_engine_free_starts(cosim_engine *self) {
  for (size_t s = 0; s < self->partition->n_subsystems && self->start != NULL; s++)
    free(self->start[s]);
  free(self->start);
}

seam_status cosim_engine_restart_user_parts(cosim_engine *self, seam_error *error) {
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
  return SEAM_OK;
}

/* ---- Cuts under a master ---- */

void cosim_engine_start_parts(const cosim_engine *self, const mbs_state *state) {
  const cosim_partition *partition = self->partition;
  for (size_t s = 0; s < partition->n_subsystems; s++)
    if (cosim_is_mechanical(partition, s))
      cosim_multibody_start(partition->parts[s], state);
}

seam_status cosim_engine_begin_master(cosim_engine *self, double t, const cosim_snapshot *past, int n_past,
                                      seam_error *error) {
  const size_t n_cuts = self->partition->n_cuts;
  const int n_used = n_past < COSIM_MAX_HISTORY ? n_past : COSIM_MAX_HISTORY;
  cosim_snapshot *of_master = calloc((size_t)n_used * n_cuts + 1, sizeof *of_master);
  size_t n = 0;
  if (of_master == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the past of the mechanism");
  for (size_t i = 0; i < (size_t)n_used * n_cuts; i++)
    if (!self->partition->cuts[i % n_cuts].is_exchanged)
      of_master[n++] = past[i];
  cosim_master_begin(self->master, t, of_master, n_used);
  const cosim_options *options = &self->definition->options;
  if (options->exact_history)
    cosim_master_set_past_length(self->master, options->macro_step); /* which the first step need not have */
  free(of_master);
  return SEAM_OK;
}

void cosim_engine_sample_master(const cosim_engine *self, cosim_element_cut *cut, const mbs_state *state) {
  (void)state;
  cosim_master_snapshot(self->master, cut->mastered, &cut->now.snapshot);
}

cosim_motion cosim_marker_motion(const cosim_partition *partition, const cosim_element_cut *cut, int side,
                                 const mbs_state *state) {
  return cosim_element_motion(partition->model, cut->is_joint, cut->element, side, state->q, state->v, state->a);
}

/* ---- Control of the macro step ---- */

/* The least of the couplings that count; negative: none does. */
static int least_order(const cosim_engine *self, bool only_corrected) {
  int order = -1;
  int n = 0;
  const cosim_cut *cuts = cosim_master_cuts(self->master, &n);
  for (const cosim_cut *cut = cuts; cut < cuts + n; cut++)
    if ((cosim_scheme_corrects(&cut->scheme) || !only_corrected) && (order < 0 || cut->scheme.order < order))
      order = cut->scheme.order;
  return order;
}

seam_status cosim_engine_check_master_control(const cosim_engine *self, cosim_step_control *rule, seam_error *error) {
  const bool is_by_error = rule->indicator == COSIM_ERROR_INDICATOR;
  rule->order = least_order(self, is_by_error);
  if (rule->indicator == COSIM_ENERGY_INDICATOR && !(self->definition->options.energy_scale > 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step control by energy needs a positive energy scale, typical of the energy through a coupling, "
                     "not %g J: set energy_scale of step_control",
                     self->definition->options.energy_scale);
  if (is_by_error && rule->order < 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "step control by the local error needs a coupling with a corrector: take a scheme that is not "
                     "explicit, or control by energy or prediction");
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
    const double ratio = cosim_energy_ratio(rule, &cut->now.ledger.creation, self->definition->options.energy_scale, H);
    sum += ratio * ratio;
  }
  *indicator = n > 0 ? sqrt(sum / (double)n) : 0;
  return n > 0;
}

static bool indicate_prediction(const cosim_engine *self, const cosim_step_control *rule, double *indicator) {
  const int wanted = rule->order + 2;
  const int n = wanted < COSIM_MAX_HISTORY ? wanted : COSIM_MAX_HISTORY - 1;
  double time[COSIM_MAX_HISTORY];
  *indicator = 0;
  if (cosim_master_past_points(self->master, time) < n + 1)
    return false;
  for (int k = 0; k < cosim_master_n_variables(self->master); k++) {
    const double *values = cosim_master_variable(self->master, k);
    *indicator = fmax(*indicator, cosim_prediction_ratio(rule, values[0], cosim_extrapolate(time, values, 1, n)));
  }
  return true;
}

bool cosim_engine_indicate_master(const cosim_engine *self, const cosim_step_control *rule, double H,
                                  double *indicator) {
  return rule->indicator == COSIM_ENERGY_INDICATOR ? indicate_energy(self, rule, H, indicator)
                                                   : indicate_prediction(self, rule, indicator);
}

/* ---- The row ---- */

/* That of user parts is unknown. */
static int n_past(const cosim_engine *self) {
  return self->definition->options.exact_history && self->partition->n_part_couplings == 0 ? COSIM_MAX_HISTORY : 1;
}

static seam_status begin(cosim_engine *self, const mbs_state *state, const cosim_snapshot *past, int n,
                         seam_error *error) {
  const seam_status status = cosim_engine_restart_user_parts(self, error);
  cosim_engine_start_parts(self, state);
  if (status != SEAM_OK || self->partition->n_part_couplings == 0)
    return status == SEAM_OK ? cosim_engine_begin_master(self, state->t, past, n, error) : status;
  cosim_master_begin(self->master, state->t, NULL, 0);
  return cosim_master_find_multipliers(self->master, self->definition->options.macro_step, error);
}

static seam_status advance(cosim_engine *self, double H, seam_error *error) {
  return cosim_master_step(self->master, H, error);
}

static double time_of(const cosim_engine *self) { return cosim_master_time(self->master); }

static size_t n_steps(const cosim_engine *self) { return cosim_master_statistics_of(self->master).steps; }

static void renew(cosim_engine *self) { cosim_master_renew(self->master); }

static double output(const cosim_engine *self, size_t subsystem, int number) {
  return cosim_master_output(self->master, (int)subsystem, number);
}

static size_t n_state(const cosim_engine *self) {
  bool repeat = true;
  for (size_t s = 0; s < self->partition->n_subsystems; s++)
    repeat &= cosim_part_can_repeat(self->partition->parts[s]);
  return repeat ? cosim_master_image_size(self->master) : 0;
}

static void save(const cosim_engine *self, double *state) { cosim_master_save_image(self->master, state); }

static seam_status restore(cosim_engine *self, const double *state, seam_error *error) {
  self->has_started = true;
  return cosim_master_restore_image(self->master, state, error);
}

static void destroy(cosim_engine *self) {
  cosim_engine_free_starts(self);
  cosim_master_destroy(self->master);
  free(self);
}

seam_status cosim_engine_create_master(cosim_partition *partition, const cosim_definition *definition,
                                       const cosim_master_options *master, cosim_engine **created, seam_error *error) {
  static const cosim_engine_ops ops = {.destroy = destroy,
                                       .n_past = n_past,
                                       .begin = begin,
                                       .advance = advance,
                                       .time = time_of,
                                       .n_steps = n_steps,
                                       .renew = renew,
                                       .sample = cosim_engine_sample_master,
                                       .check_control = cosim_engine_check_master_control,
                                       .indicate = cosim_engine_indicate_master,
                                       .output = output,
                                       .n_state = n_state,
                                       .save = save,
                                       .restore = restore};
  cosim_engine *self = calloc(1, sizeof *self);
  cosim_cut *cuts = calloc(partition->n_cuts + partition->n_part_couplings + 1, sizeof *cuts);
  cosim_part **parts = self == NULL || cuts == NULL ? NULL : cosim_partition_take_parts(partition);
  if (parts == NULL) {
    free(self);
    free(cuts);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
  }
  *self = (cosim_engine){.ops = &ops, .partition = partition, .definition = definition};
  seam_status status = cosim_master_create(parts, (int)partition->n_subsystems, cuts,
                                           cosim_list_mastered(partition, NULL, cuts), master, &self->master, error);
  free(parts);
  free(cuts);
  if (status == SEAM_OK && !cosim_engine_save_starts(self))
    status = seam_fail(error, SEAM_NO_MEMORY, "no memory for a co-simulation");
  if (status != SEAM_OK)
    destroy(self);
  else
    *created = self;
  return status;
}
