/* A run, from its definition to its verdict. */
#include "runs/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/run_verdict.h"
#include "base/argument.h"
#include "base/note.h"
#include "base/then.h"
#include "mbs/contact/impact.h"
#include "models/model_file.h"
#include "runs/thresholds.h"

/* ---- Columns ---- */

static seam_status set_columns(seam_run *run, seam_run_table table, seam_table *columns, seam_error *error) {
  run_table *of = &run->tables[table];
  seam_table_destroy(of->columns);
  free(of->row);
  of->columns = columns;
  of->row = calloc(seam_table_n_columns(columns), sizeof *of->row);
  return seam_check_memory(of->row != NULL, error);
}

seam_status seam_run_choose_columns(seam_run *run, const char *columns, seam_error *error) {
  ARGUMENTS(error, run, columns);
  const mbs_model *model = run->def.model;
  const bool wanted[SEAM_N_RUN_TABLES] = {[SEAM_TRAJECTORY_TABLE] = mbs_n_bodies(model) > 0 || run->simulation == NULL,
                                          [SEAM_EVENTS_TABLE] =
                                              run->events.of_model != NULL || seam_run_lists_impacts(run)};
  for (seam_run_table i = 0; i < SEAM_N_RUN_TABLES; i++) {
    seam_table *made = NULL;
    if (!wanted[i])
      continue;
    TRY(seam_trajectory_table_choose(model, columns, &made, error));
    TRY(set_columns(run, i, made, error));
  }
  return SEAM_OK;
}

seam_status seam_run_use_identifiers(seam_run *run, seam_error *error) {
  ARGUMENTS(error, run);
  for (seam_run_table i = 0; i < SEAM_N_RUN_TABLES; i++)
    if (run->tables[i].columns != NULL)
      TRY(seam_table_use_identifiers(run->tables[i].columns, error));
  return SEAM_OK;
}

const seam_table *seam_run_columns(const seam_run *run, seam_run_table table) {
  return (unsigned)table < SEAM_N_RUN_TABLES ? run->tables[table].columns : NULL;
}

bool seam_run_lists_impacts(const seam_run *run) { return run->events.after_impact != NULL; }

/* ---- Creation ---- */

static seam_status set_times(seam_run *run, seam_error *error) {
  const seam_run_def *def = &run->def;
  const seam_simulation *of_file = seam_model_simulation(def->file);
  run->at.begin = run->at.time = def->state->t;
  run->end = def->end != 0 ? def->end : of_file->end;
  run->output_step = def->output_step != 0 ? def->output_step : of_file->output_step;
  if (isnan(run->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "model '%s' gives no end time; add 'simulate: {end: TIME}' to its file, or give an end",
                     seam_model_name(def->file));
  if (!(run->output_step > 0) || !(def->macro_step >= 0))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the output step is %g s and the macro step %g s; give positive ones, or 0 for those of the file",
                     run->output_step, def->macro_step);
  if ((run->end - run->at.begin) / run->output_step > runs_max_rows)
    return seam_fail(error, SEAM_BAD_INPUT, "the run has more than %g rows; give a larger output_step", runs_max_rows);
  if (run->at.begin < run->end)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "the run would begin at t = %.9g s and end at %.9g s; give a later end",
                   run->at.begin, run->end);
}

size_t seam_asked_quantities(const seam_model_file *file, mbs_quantity *list) {
  const mbs_model *model = seam_model_mechanism(file);
  size_t n = 0;
  for (size_t m = 0; m < mbs_n_elements(model, MBS_MEASURES); m++)
    for (size_t i = 0; i < mbs_n_quantities(model, MBS_MEASURES, m) && seam_model_over_run(file, m) != 0; i++) {
      if (list != NULL)
        list[n] = (mbs_quantity){MBS_MEASURES, m, i};
      n++;
    }
  return n;
}

static seam_status create_events(seam_run *run, seam_error *error) {
  const mbs_model *model = run->def.model;
  const size_t n = mbs_n_forces(model);
  run_events *self = &run->events;
  self->end.number = SEAM_NONE;
  self->contacts = calloc(n + 1, sizeof *self->contacts);
  self->impacts = calloc(n + 1, sizeof *self->impacts);
  TRY(seam_check_memory(self->contacts != NULL && self->impacts != NULL, error));
  for (size_t i = 0; i < n; i++)
    if (mbs_force_of(model, i).has_impacts)
      self->contacts[self->n_contacts++] = i;
  const bool lists_impacts = run->simulation == NULL && self->n_contacts > 0;
  if (lists_impacts)
    TRY(mbs_state_create(model, &self->after_impact, error));
  return mbs_n_events(model) > 0 ? mbs_events_create(model, &self->of_model, error) : SEAM_OK;
}

static seam_status start_statistics(seam_run *run, seam_error *error) {
  const seam_run_def *def = &run->def;
  const bool are_given = def->quantities != NULL;
  run->n_quantities = are_given ? def->n_quantities : seam_asked_quantities(def->file, NULL);
  run->quantities = calloc(run->n_quantities + 1, sizeof *run->quantities);
  TRY(seam_check_memory(run->quantities != NULL, error));
  if (are_given)
    memcpy(run->quantities, def->quantities, run->n_quantities * sizeof *run->quantities);
  else
    seam_asked_quantities(def->file, run->quantities);
  return seam_over_run_create(def->model, run->quantities, run->n_quantities, &run->over_run, error);
}

static seam_status prepare_cosimulation(seam_run *run, seam_error *error) {
  const cosim_simulation *simulation = run->simulation;
  seam_table *columns = NULL;
  TRY(seam_couplings_table_create(run->def.model, simulation, &columns, error));
  TRY(set_columns(run, SEAM_COUPLINGS_TABLE, columns, error));
  if (cosim_n_signals(simulation) > 0) {
    TRY(seam_signals_table_create(simulation, &columns, error));
    TRY(set_columns(run, SEAM_SIGNALS_TABLE, columns, error));
  }
  return run_cosimulated_prepare(run, error);
}

seam_status seam_run_create(const seam_run_def *def, seam_run **created, seam_error *error) {
  ARGUMENTS(error, def, created);
  ARGUMENTS(error, def->file, def->model, def->workspace, def->state, def->assembly);
  if (def->simulation != NULL || def->seen != NULL)
    ARGUMENTS(error, def->builder);
  seam_run *run = calloc(1, sizeof *run);
  TRY(seam_check_memory(run != NULL, error));
  run->def = *def;
  run->simulation = def->simulation != NULL ? def->simulation : def->seen;
  run->at.changes = def->changes;
  run->at.assumes_step = seam_model_assumes_macro_step(def->file);
  seam_note_suppress(true); /* the search for the initial state has already written these notes */
  seam_status status = mbs_refuse_overlaps(def->workspace, def->state, error);
  seam_note_suppress(false);
  THEN(status, set_times(run, error));
  THEN(status, create_events(run, error));
  THEN(status, seam_run_choose_columns(run, "default", error));
  THEN(status, start_statistics(run, error));
  THEN(status, run->simulation != NULL
                   ? prepare_cosimulation(run, error)
                   : mbs_integrator_create(def->model, run_integrator_options(run), &run->integrator, error));
  run->residuals = calloc(2 * mbs_n_constraints(def->model) + 1, sizeof *run->residuals);
  THEN(status, seam_check_memory(run->residuals != NULL, error));
  THEN(status, run_check_prepare(run, error));
  RETURN_CREATED(status, run, created, seam_run_destroy);
}

void seam_run_destroy(seam_run *run) {
  if (run == NULL)
    return;
  for (seam_run_table i = 0; i < SEAM_N_RUN_TABLES; i++) {
    seam_table_destroy(run->tables[i].columns);
    free(run->tables[i].row);
  }
  seam_over_run_destroy(run->over_run); /* destroyed before the integrator, which it may use */
  mbs_integrator_destroy(run->integrator);
  mbs_events_destroy(run->events.of_model);
  mbs_state_destroy(run->events.after_impact);
  free(run->events.contacts);
  free(run->events.impacts);
  peaks_destroy(run->macro_rows.peaks);
  free(run->macro_steps.image);
  free(run->macro_steps.events_image);
  mbs_state_destroy(run->check.start);
  mbs_state_destroy(run->check.undivided_start);
  compared_list_destroy(run->check.list);
  track_destroy(run->check.rows);
  free(run->check.points);
  seam_over_run_destroy(run->check.over_run);
  free(run->quantities);
  free(run->residuals);
  free(run);
}

/* ---- The run ---- */

seam_status seam_run_begin(seam_run *run, seam_error *error) {
  ARGUMENTS(error, run);
  if (run->def.simulation == NULL || run->is_restored)
    return SEAM_OK;
  if (!run->has_begun)
    cosim_start(run->def.simulation, run->def.state, &run->beginning);
  run->has_begun = true;
  return run->beginning.status == SEAM_OK ? SEAM_OK
                                          : seam_fail(error, run->beginning.status, "%s", run->beginning.message);
}

seam_status seam_run_carry_out(seam_run *run, const seam_run_sink *sink, seam_error *error) {
  ARGUMENTS(error, run, sink);
  if (run->def.seen != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: the caller advances this run ('seen' in seam_run_def); call seam_run_see()", __func__);
  if (run->sink != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: this run was carried out already; create another run", __func__);
  run->sink = sink;
  run_note_start(run);
  const seam_status status = run->simulation == NULL ? run_monolithic(run, error) : run_cosimulated(run, error);
  model_file_name_table(run->def.file, status, error);
  return status;
}

static seam_status set_sink(seam_run *run, const seam_run_sink *sink, const char *function, seam_error *error) {
  run->sink = sink;
  if (run->def.seen != NULL)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: seam_run_def of this run has no 'seen'; give it, or call seam_run_carry_out() instead",
                   function);
}

seam_status seam_run_see(seam_run *run, const seam_run_sink *sink, double t, seam_error *error) {
  ARGUMENTS(error, run, sink);
  TRY(set_sink(run, sink, __func__, error));
  return run_add_macro_point(run, t, error);
}

seam_status seam_run_see_last(seam_run *run, const seam_run_sink *sink, double t, seam_error *error) {
  ARGUMENTS(error, run, sink);
  TRY(set_sink(run, sink, __func__, error));
  return run_add_last_macro_point(run, t, error);
}

seam_run_progress seam_run_progress_of(const seam_run *run) {
  return (seam_run_progress){.is_checking = run->check.is_running,
                             .begin = run->at.begin,
                             .end = run->end,
                             .steps = run->simulation == NULL ? mbs_integrator_statistics(run->integrator).steps
                                                              : run->at.macro_steps};
}

/* ---- The verdict ---- */

const mbs_integrator_options *run_integrator_options(const seam_run *run) {
  return run->def.integrator != NULL ? run->def.integrator : &seam_model_simulation(run->def.file)->integrator;
}

seam_status seam_run_conclude(seam_run *run, seam_error *ending) {
  ARGUMENTS(NULL, run, ending);
  const seam_verdict_bounds bounds = seam_model_simulation(run->def.file)->bounds;
  if (ending->status == SEAM_WRONG) /* an earlier call judged the run before its error was known, so judge it again */
    *ending = (seam_error){0};
  const bool is_done = ending->status == SEAM_OK;
  const bool was_judged = run->is_judged;
  if (run->def.seen != NULL)
    run->statistics = cosim_statistics_of(run->simulation).integrators;
  run->is_judged = run->at.rows > 0 || run->simulation != NULL;
  if (run->is_judged)
    seam_run_judge(&run->at.record, run->def.model, run->simulation != NULL, &bounds,
                   is_done ? &run->check.error : NULL, is_done ? &run->check.forces : NULL,
                   run->check.rows != NULL ? analysis_exchanged_energy(&run->at.record, run->def.model, run->check.rows)
                                           : NAN,
                   &run->verdict, is_done ? ending : NULL);
  const mbs_integrator_options *options = run_integrator_options(run);
  const double fastest = run->at.record.largest_rate;
  /* The user's absolute tolerance may be too coarse for a slow motion, with errors as large as the motion. */
  if (!was_judged && is_done && run->simulation == NULL && options->step == 0 &&
      fastest < runs_slow_motion * options->atol && fastest > runs_at_rest * mbs_scales_of(run->def.model).speed)
    seam_note("rates are below %.2g times atol (largest rate %.3g, atol %.3g), so errors may be as large as the "
              "motion: leave out 'atol', or give a smaller value",
              runs_printed_bound * fastest / options->atol, fastest, options->atol);
  if (!was_judged && is_done && run->at.has_rows_between)
    seam_note("accelerations, reactions and energies are not checked in rows between macro points; with a 'macro_step' "
              "that divides 'output_step' all rows are at macro points");
  run->ending = *ending;
  return ending->status;
}

void seam_run_take_error(seam_run *run, const seam_deviation *error_of_run) {
  if (run == NULL || error_of_run == NULL)
    return;
  run->check.error = *error_of_run;
  run->check.forces = (seam_deviation){.of_travel = NAN, .confirmed = NAN, .until = NAN};
}

seam_run_facts seam_run_facts_of(const seam_run *run) {
  seam_run_facts facts = {.file = run->def.file,
                          .model = run->def.model,
                          .assembly = run->def.assembly,
                          .changes = &run->at.changes,
                          .status = run->ending.status,
                          .message = run->ending.message,
                          .exit_status = seam_status_exit(run->ending.status),
                          .verdict = run->is_judged ? &run->verdict : NULL,
                          .time = run->at.time,
                          .rows = run->at.rows,
                          .record = &run->at.record,
                          .statistics = &run->statistics,
                          .watched = run->events.of_model,
                          .ended = run_has_ended(run) ? &run->events.end : NULL,
                          .ended_by = cosim_ended_by(run->simulation),
                          .impacts = run->events.impacts,
                          .n_undetermined = run->events.n_undetermined,
                          .over_run = run->over_run,
                          .checked = run->check.over_run,
                          .quantities = run->quantities,
                          .n_quantities = run->n_quantities,
                          .simulation = run->simulation,
                          .builder = run->def.builder,
                          .peaks = run->macro_rows.peaks,
                          .assumes_macro_step = run->at.assumes_step};
  for (seam_run_table i = 0; i < SEAM_N_RUN_TABLES; i++)
    facts.tables[i] = run->tables[i].columns;
  return facts;
}
