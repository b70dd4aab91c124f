/* The mechanism, co-simulated. A monolithic run goes before: a co-simulation that leaves its bounds is unstable. Macro
 * steps are of equal length, or as the file's control of them chooses. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "app/commands/run.h"
#include "app/interrupt.h"

static const double slack = 1e-9;     /* of a macro step: rounding in quotients of times */
static const double rounding = 1e-12; /* of the end, which controlled steps meet but for this */

/* ---- Macro points ---- */

static bool is_controlled(const app_run *run) { return cosim_builder_step_control(run->builder) != NULL; }

/* Sums of macro steps would not stand at their multiples. */
static double present_point(const app_run *run) {
  if (!is_controlled(run))
    return cosim_step_plan_time(&run->plan, run->macro_step);
  const double t = cosim_state(run->cosimulation)->t;
  return t >= (1 - rounding) * run->simulation->end ? run->simulation->end : t;
}

static bool is_done(const app_run *run) {
  return is_controlled(run) ? run->t >= run->simulation->end : run->macro_step >= run->plan.count;
}

static seam_status take_step(app_run *run, seam_error *error) {
  if (is_controlled(run))
    return cosim_advance_controlled(run->cosimulation, run->simulation->end, error);
  return cosim_advance(run->cosimulation, cosim_step_plan_length(&run->plan, run->macro_step), error);
}

/* ---- Bounds ---- */

static bool watch(void *context, double t) {
  (void)context, (void)t;
  return interrupt_asked();
}

/* A monolithic run that fails on its way gives the bounds up to there. */
static seam_status find_bounds(app_run *run, seam_error *error) {
  mbs_state *state = NULL;
  seam_status status = mbs_state_create(run->setup.model, &state, error);
  if (status)
    return status;
  mbs_state_copy(state, run->setup.state);
  status = mbs_integrator_start(run->integrator, state, error);
  mbs_integrator_set_interrupt(run->integrator, watch, NULL);
  mbs_integrator_set_stop(run->integrator, run->simulation->end);
  seam_bounds_add(&run->bounds.monolithic, run->setup.model, state);
  const size_t last = run_last_row(run);
  for (size_t row = 1; row <= last && status == SEAM_OK; row++) {
    status = mbs_integrator_advance(run->integrator, run_row_time(run, row), state, NULL);
    seam_bounds_add(&run->bounds.monolithic, run->setup.model, state);
  }
  const double t = state->t;
  mbs_state_destroy(state);
  return interrupt_asked() ? run_interrupted(t, error) : SEAM_OK;
}

/* ---- Rows ---- */

/* Those of the trajectory up to the present macro point. */
static seam_status write_states(app_run *run, seam_error *error) {
  const double near = slack * run->cosim.macro_step;
  const size_t last = run_last_row(run);
  mbs_state *state = run->setup.state;
  seam_status status = SEAM_OK;
  while (run->row <= last && run_row_time(run, run->row) <= run->t + near && status == SEAM_OK) {
    const double t = run_row_time(run, run->row);
    if (t >= run->t - near)
      mbs_state_copy(state, cosim_state(run->cosimulation));
    else
      cosim_state_between(run->cosimulation, t, state);
    state->t = t;
    status = run_write_row(run, state, error);
  }
  return status;
}

static seam_status write_rows(app_run *run, seam_error *error) {
  seam_status status = couplings_write(run->couplings, run->t, error);
  if (status == SEAM_OK && run->signals)
    status = signals_write(run->signals, run->t, error);
  if (status == SEAM_OK && run->trajectory)
    status = write_states(run, error);
  if (!run->trajectory)
    run->summary.time = run->t;
  return status;
}

static void write_last_good_row(app_run *run, double t) {
  if (!run->trajectory || t <= run->summary.time + slack * run->cosim.macro_step)
    return;
  cosim_state_between(run->cosimulation, t, run->setup.state);
  run_write_row(run, run->setup.state, NULL);
}

static seam_status write_checkpoint(app_run *run, seam_error *error) {
  const size_t size = cosim_image_size(run->cosimulation);
  void *image = malloc(size);
  if (image)
    cosim_save(run->cosimulation, image);
  return run_write_checkpoint(run, image, size, error);
}

/* ---- Preparation ---- */

static seam_status count_threads(app_run *run, seam_error *error) {
  const char *text = options_value(run->options, "--threads");
  char *end = NULL;
  if (!text)
    return SEAM_OK;
  errno = 0;
  const long n = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || n < 1 || n > 1024)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --threads must be a whole number from 1 to 1024, but is '%s'", text);
  run->cosim.n_threads = (int)n;
  return SEAM_OK;
}

/* What the command line says comes on top of the file. */
static seam_status take_options(app_run *run, seam_error *error) {
  const char *scheme = options_value(run->options, "--scheme");
  seam_status status = count_threads(run, error);
  if (status == SEAM_OK)
    status = cosim_set_options(run->builder, &run->cosim, error);
  if (status == SEAM_OK && scheme != NULL)
    status = cosim_use_scheme(run->builder, scheme, error);
  return status;
}

seam_status run_cosim_prepare(app_run *run, seam_error *error) {
  const cosim_builder *of_file = seam_model_cosim(run->setup.file);
  if (of_file == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model has no section 'cosim'; add 'cosim: {subsystems: ..., macro_step: ...}'");
  seam_status status = cosim_builder_copy(of_file, &run->builder, error);
  if (status != SEAM_OK)
    return status;
  run->cosim = cosim_options_of(run->builder);
  status = cosim_step_plan_make(run->cosim.macro_step, run->simulation->end, &run->plan, error);
  if (status == SEAM_OK)
    status = take_options(run, error);
  if (status == SEAM_OK)
    status = cosim_create(run->builder, &run->cosimulation, error);
  run->bounds.are_own = setup_has_signals(&run->setup);
  return status == SEAM_OK && !run->bounds.are_own ? run_monolithic_prepare(run, error) : status;
}

/* ---- The run ---- */

static seam_status judge(app_run *run, seam_error *error) {
  return verdict_of(&run->bounds, run->setup.model, run->cosimulation, run->t, run->simulation->end, error);
}

static seam_status open_tables(app_run *run, seam_error *error) {
  const cosim_simulation *simulation = run->cosimulation;
  const seam_status status = couplings_open(run->couplings_path, run->setup.model, simulation, &run->couplings, error);
  if (status != SEAM_OK || cosim_n_signals(simulation) == 0)
    return status;
  return signals_open(run->signals_path, simulation, &run->signals, error);
}

static seam_status resume_tables(app_run *run, seam_error *error) {
  const cosim_simulation *simulation = run->cosimulation;
  const app_checkpoint *from = run->from;
  if (from->peaks.size != couplings_peaks_size(simulation))
    return seam_fail(error, SEAM_BAD_STATE, "the checkpoint does not belong to this model: run it again");
  const seam_status status =
      couplings_resume(run->couplings_path, run->setup.model, simulation, from->position.couplings_length,
                       from->peaks.data, &run->couplings, error);
  if (status != SEAM_OK || cosim_n_signals(simulation) == 0)
    return status;
  return signals_resume(run->signals_path, simulation, from->position.signals_length, &run->signals, error);
}

static seam_status resume(app_run *run, seam_error *error) {
  seam_status status = resume_tables(run, error);
  if (status == SEAM_OK)
    status = cosim_restore(run->cosimulation, run->from->image.data, run->from->image.size, error);
  run->t = present_point(run);
  return status;
}

static seam_status begin(app_run *run, seam_error *error) {
  seam_status status = run->bounds.are_own ? SEAM_OK : find_bounds(run, error);
  if (status == SEAM_OK)
    status = open_tables(run, error);
  if (status == SEAM_OK)
    status = cosim_start(run->cosimulation, run->setup.state, error);
  if (status == SEAM_OK)
    status = judge(run, error);
  return status == SEAM_OK ? write_rows(run, error) : status;
}

static seam_status advance(app_run *run, seam_error *error) {
  const double before = run->t;
  seam_status status = interrupt_asked() ? run_interrupted(before, error) : SEAM_OK;
  if (status == SEAM_OK)
    status = take_step(run, error);
  if (status == SEAM_OK) {
    run->macro_step++;
    run->t = present_point(run);
    status = judge(run, error);
  }
  if (status != SEAM_OK) {
    write_last_good_row(run, before);
    return status;
  }
  status = write_rows(run, error);
  if (status == SEAM_OK && run_checkpoint_is_due(run, run->t))
    status = write_checkpoint(run, error);
  return status;
}

static seam_status close_tables(app_run *run, seam_error *error) {
  const seam_status signals = signals_close(run->signals, error);
  const seam_status couplings = couplings_close(run->couplings, signals == SEAM_OK ? error : NULL);
  run->signals = NULL;
  return signals == SEAM_OK ? couplings : signals;
}

seam_status run_cosim(app_run *run, seam_error *error) {
  seam_status status = run->from ? resume(run, error) : begin(run, error);
  run->progress = progress_start(run->quiet, run->simulation->end);
  while (status == SEAM_OK && !is_done(run)) {
    status = advance(run, error);
    progress_update(&run->progress, cosim_state(run->cosimulation)->t, run->macro_step);
  }
  progress_clear(&run->progress);
  run->summary.statistics = cosim_statistics_of(run->cosimulation).integrators;
  const seam_status closed = close_tables(run, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}
