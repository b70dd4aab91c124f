/* Macro steps are of equal length, or as the file's step control chooses. */
#include "app/commands/run_cosim.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/commands/cosim_rows.h"
#include "app/commands/run_monolithic.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/progress.h"
#include "app/schemes.h"

static const double rounding = 1e-12; /* of the end, which controlled steps meet but for this */

struct run_cosim {
  const app_setup *setup;
  run_files *files;
  double end; /* s */
  cosim_builder *builder;
  cosim_options options; /* of the builder */
  cosim_step_plan plan;
  cosim_simulation *simulation;
  mbs_integrator *reference; /* of the monolithic run; NULL: the co-simulation is alone */
  cosim_rows rows;
  seam_run_bounds bounds;
  size_t macro_step;          /* taken so far */
  double t;                   /* s, the present macro point */
  bool is_within;             /* a macro step: the present point is a kink of a law of time or a sample, */
  double end_of_step;         /* s, where that macro step ends */
  void *image, *events_image; /* before the macro step; NULL: no event stops the run */
  bool ends_at_event;         /* the last macro step does */
  bool quiet;
  app_progress progress;
};

/* ---- Macro points ---- */

static bool is_controlled(const run_cosim *run) { return cosim_builder_step_control(run->builder) != NULL; }

/* Sums of macro steps would not stand at their multiples. */
static double present_point(const run_cosim *run) {
  const double t = cosim_state(run->simulation)->t;
  if (run->ends_at_event)
    return t;
  if (is_controlled(run))
    return t >= (1 - rounding) * run->end ? run->end : t;
  return run->is_within ? t : cosim_step_plan_time(&run->plan, run->macro_step);
}

static bool is_done(const run_cosim *run) {
  if (event_list_has_ended(&run->files->events))
    return true;
  return is_controlled(run) ? run->t >= run->end : run->macro_step >= run->plan.count;
}

/* As much of a macro step of the plan as ends at a kink. */
static seam_status take_planned(run_cosim *run, seam_error *error) {
  const double H = cosim_step_plan_length(&run->plan, run->macro_step);
  const double t = cosim_state(run->simulation)->t;
  const double rest = run->is_within ? run->end_of_step - t : H;
  const seam_status status = cosim_advance_smooth(run->simulation, H, rest, error);
  run->end_of_step = t + rest;
  run->is_within = status == SEAM_OK && !cosim_has_reached(run->simulation, H, run->end_of_step);
  return status;
}

static seam_status take_step(run_cosim *run, seam_error *error) {
  const seam_status status =
      is_controlled(run) ? cosim_advance_controlled(run->simulation, run->end, error) : take_planned(run, error);
  run->macro_step += status == SEAM_OK && !run->is_within;
  return status;
}

/* ---- Bounds ---- */

static bool show_and_ask(void *context, double t) {
  run_cosim *run = context;
  progress_run(&run->progress, t / run->end, t, mbs_integrator_statistics(run->reference).steps);
  return interrupt_asked();
}

/* A monolithic run that fails or is stopped on its way gives the bounds up to there. */
static seam_status find_bounds(run_cosim *run, const mbs_state *start, seam_error *error) {
  const mbs_model *model = run->setup->model;
  mbs_integrator *reference = run->reference;
  mbs_state *state = NULL;
  mbs_events *events = NULL;
  mbs_event event = {.number = SEAM_NONE};
  progress_phase(&run->progress, "monolithic run", NAN, NAN);
  seam_status status = mbs_state_create(model, &state, error);
  if (status != SEAM_OK)
    return status;
  mbs_state_copy(state, start);
  status = mbs_integrator_start(reference, state, error);
  if (status == SEAM_OK)
    status = mbs_events_create(model, &events, error);
  if (status == SEAM_OK)
    status = mbs_events_start(events, state, error);
  mbs_integrator_set_interrupt(reference, show_and_ask, run);
  mbs_integrator_set_stop(reference, run->end);
  seam_bounds_add(&run->bounds.monolithic, model, state);
  const size_t last = run_last_row(run->files);
  for (size_t row = 1; row <= last && status == SEAM_OK && event.number == SEAM_NONE; row++) {
    status = seam_advance_to_stop(model, reference, events, run_row_time(run->files, row), state, &event, NULL);
    seam_bounds_add(&run->bounds.monolithic, model, state);
  }
  const double t = state->t;
  mbs_events_destroy(events);
  mbs_state_destroy(state);
  return interrupt_asked() ? run_interrupted(t, error) : SEAM_OK;
}

/* ---- Checkpoints ---- */

static seam_status write_checkpoint(const run_cosim *run, seam_error *error) {
  const size_t size = cosim_image_size(run->simulation);
  void *image = malloc(size);
  if (image == NULL)
    return out_of_memory(error);
  cosim_save(run->simulation, image);
  app_checkpoint checkpoint = {.position = {.macro_step = run->macro_step, .bounds = run->bounds},
                               .peaks = {seam_peaks_data(run->rows.peaks), seam_peaks_size(run->simulation)},
                               .image = {image, size}};
  const seam_status status = run_write_checkpoint(run->files, &checkpoint, error);
  free(image);
  return status;
}

/* ---- Preparation ---- */

static seam_status count_threads(run_cosim *run, const app_options *options, seam_error *error) {
  const char *text = options_value(options, "--threads");
  char *end = NULL;
  if (!text)
    return SEAM_OK;
  errno = 0;
  const long n = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || n < 1 || n > 1024)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --threads must be a whole number from 1 to 1024, but is '%s'", text);
  run->options.n_threads = (int)n;
  return SEAM_OK;
}

/* What the file leaves out other schemes than its own may need. */
static seam_status use_scheme(run_cosim *run, const char *scheme, seam_error *error) {
  const char *key = seam_model_left_to_collocation(run->setup->file);
  const seam_status status = cosim_use_scheme(run->builder, scheme, error);
  if (status != SEAM_OK || key == NULL || cosim_builder_collocates(run->builder))
    return status;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "'%s' needs '%s', which the file leaves to collocation schemes: add --set cosim.%s=VALUE", scheme,
                   key, key);
}

/* What the command line says comes on top of the file. */
static seam_status take_options(run_cosim *run, const app_options *options, seam_error *error) {
  const char *scheme = options_value(options, "--scheme");
  seam_status status = count_threads(run, options, error);
  if (status == SEAM_OK)
    status = cosim_set_options(run->builder, &run->options, error);
  if (status == SEAM_OK && scheme != NULL)
    status = schemes_refer("--scheme", use_scheme(run, scheme, error), error);
  return status;
}

static seam_status prepare(run_cosim *run, const app_options *options, seam_error *error) {
  const cosim_builder *of_file = seam_model_cosim(run->setup->file);
  if (of_file == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model has no section 'cosim'; add 'cosim: {subsystems: ..., macro_step: ...}'");
  seam_status status = cosim_builder_copy(of_file, &run->builder, error);
  if (status != SEAM_OK)
    return status;
  run->options = cosim_options_of(run->builder);
  run->end = seam_model_simulation(run->setup->file)->end;
  run->bounds.is_alone = setup_has_signals(run->setup);
  status = cosim_step_plan_make(run->options.macro_step, run->end, &run->plan, error);
  if (status == SEAM_OK)
    status = take_options(run, options, error);
  if (status == SEAM_OK)
    status = setup_cut(run->setup, run->builder, &run->simulation, error);
  if (status == SEAM_OK && !run->bounds.is_alone)
    status = run_monolithic_create(run->setup, NULL, &run->reference, error);
  return status;
}

static seam_status restore(run_cosim *run, const app_checkpoint *from, seam_error *error) {
  const app_position *position = &from->position;
  if (from->peaks.size != seam_peaks_size(run->simulation) ||
      (!is_controlled(run) && position->macro_step > run->plan.count))
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint does not belong to this model: run it again");
  run->macro_step = position->macro_step;
  run->bounds.monolithic = position->bounds.monolithic;
  run->bounds.first_largest = position->bounds.first_largest;
  const seam_status status = cosim_restore(run->simulation, from->image.data, from->image.size, error);
  run->t = present_point(run);
  return status;
}

seam_status run_cosim_create(const app_options *options, const app_setup *setup, const app_checkpoint *from,
                             run_cosim **created, seam_error *error) {
  run_cosim *run = calloc(1, sizeof *run);
  if (run == NULL)
    return out_of_memory(error);
  run->setup = setup;
  seam_status status = prepare(run, options, error);
  if (status == SEAM_OK && from != NULL)
    status = restore(run, from, error);
  if (status == SEAM_OK)
    *created = run;
  else
    run_cosim_destroy(run);
  return status;
}

void run_cosim_destroy(run_cosim *run) {
  if (run == NULL)
    return;
  cosim_rows_end(&run->rows);
  free(run->image);
  free(run->events_image);
  cosim_destroy(run->simulation);
  cosim_builder_destroy(run->builder);
  mbs_integrator_destroy(run->reference);
  free(run);
}

/* ---- Stops ---- */

static seam_status make_images(run_cosim *run, seam_error *error) {
  if (!seam_has_stops(run->setup->model))
    return SEAM_OK;
  run->image = malloc(cosim_image_size(run->simulation) + 1);
  run->events_image = malloc(mbs_events_image_size(run->files->events.watched));
  return run->image != NULL && run->events_image != NULL ? SEAM_OK : out_of_memory(error);
}

static void save_images(const run_cosim *run) {
  cosim_save(run->simulation, run->image);
  mbs_events_save(run->files->events.watched, run->events_image);
}

/* Ends the macro step at the first event of it that stops the run. Events are taken when their rows are written. */
static seam_status end_at_stop(run_cosim *run, seam_error *error) {
  mbs_events *watched = run->files->events.watched;
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = SEAM_OK;
  if (run->events_image == NULL)
    return SEAM_OK;
  do
    status = cosim_next_event(run->simulation, watched, &event, error);
  while (status == SEAM_OK && event.number != SEAM_NONE && !mbs_event_stops(run->setup->model, event.number));
  if (status != SEAM_OK)
    return status;
  if (event.number == SEAM_NONE)
    return mbs_events_restore(watched, run->events_image, mbs_events_image_size(watched), error);
  status =
      cosim_end_at_event(run->simulation, run->image, watched, run->events_image, &event, &run->ends_at_event, error);
  if (status == SEAM_OK && !run->ends_at_event && !run->quiet)
    fprintf(stderr,
            "note: '%s' at t = %.9g s stops the run at the macro point behind it, %.9g s: the macro step cannot be "
            "repeated with another end\n",
            mbs_event_name(run->setup->model, event.number), event.time, cosim_state(run->simulation)->t);
  return status;
}

/* ---- Results ---- */

const cosim_simulation *run_cosim_simulation(const run_cosim *run) { return run->simulation; }

app_cosim_run run_cosim_results(const run_cosim *run) {
  return (app_cosim_run){run->simulation, run->builder, run->rows.peaks};
}

/* ---- The run ---- */

static seam_status judge(run_cosim *run, seam_error *error) {
  return seam_run_bounds_check(&run->bounds, run->setup->model, run->simulation, run->t, run->end, error);
}

static seam_status begin(run_cosim *run, const mbs_state *state, seam_error *error) {
  seam_status status = run->bounds.is_alone ? SEAM_OK : find_bounds(run, state, error);
  if (status == SEAM_OK)
    status = cosim_start(run->simulation, state, error);
  if (status == SEAM_OK)
    status = judge(run, error);
  return status == SEAM_OK ? cosim_rows_write(&run->rows, run->t, error) : status;
}

static seam_status advance(run_cosim *run, seam_error *error) {
  const double before = run->t;
  run_hand_over_rows(run->files);
  seam_status status = interrupt_asked() ? run_interrupted(before, error) : SEAM_OK;
  save_images(run);
  if (status == SEAM_OK)
    status = take_step(run, error);
  if (status == SEAM_OK)
    status = end_at_stop(run, error);
  if (status == SEAM_OK) {
    run->t = present_point(run);
    status = judge(run, error);
  }
  if (status != SEAM_OK) {
    (void)cosim_rows_write_last(&run->rows, before, NULL);
    return status;
  }
  status = cosim_rows_write(&run->rows, run->t, error);
  if (status == SEAM_OK && event_list_has_ended(&run->files->events))
    return cosim_rows_write_last(&run->rows, run->t, error);
  if (status == SEAM_OK && !run->is_within && run_checkpoint_is_due(run->files, run->t))
    status = write_checkpoint(run, error);
  return status;
}

seam_status run_cosim_carry_out(run_cosim *run, run_files *files, mbs_state *state, bool quiet, seam_error *error) {
  run->files = files;
  run->quiet = quiet;
  run->progress = progress_start(quiet);
  seam_status status = cosim_rows_start(&run->rows, files, run->simulation, state, run->options.macro_step, error);
  if (status == SEAM_OK)
    status = make_images(run, error);
  if (status == SEAM_OK && files->from == NULL)
    status = begin(run, state, error);
  progress_phase(&run->progress, NULL, 1, 0);
  const double begun = cosim_state(run->simulation)->t;
  while (status == SEAM_OK && !is_done(run)) {
    status = advance(run, error);
    const double t = cosim_state(run->simulation)->t;
    progress_run(&run->progress, (t - begun) / (run->end - begun), t, run->macro_step);
  }
  progress_clear(&run->progress);
  files->summary.statistics = cosim_statistics_of(run->simulation).integrators;
  return status;
}
