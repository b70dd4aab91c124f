/* The mechanism, co-simulated. A monolithic run goes before: a co-simulation that leaves its bounds is unstable. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "app/interrupt.h"
#include "app/run.h"

static const double slack = 1e-9; /* of a macro step: rounding in quotients of times */
static const double most_macro_steps = 1e8;

/* ---- Macro points ---- */

static size_t last_macro_step(const app_run *run) {
  return (size_t)fmax(1, ceil(run->simulation->end / run->cosim.macro_step - slack));
}

static double macro_time(const app_run *run, size_t step) {
  return step < last_macro_step(run) ? (double)step * run->cosim.macro_step : run->simulation->end;
}

/* The last one is shorter where the end is not a whole number of macro steps away. */
static double macro_length(const app_run *run, size_t step) {
  const double H = run->cosim.macro_step;
  const double rest = run->simulation->end - (double)step * H;
  return rest < (1 - slack) * H ? rest : H;
}

/* ---- Bounds ---- */

static bool watch(void *context, double t) {
  (void)context, (void)t;
  return interrupt_asked();
}

/* A monolithic run that fails on its way gives the bounds up to there. */
static seam_status find_bounds(app_run *run, seam_error *error) {
  mbs_state *state = mbs_state_create(run->setup.model);
  if (!state)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  mbs_state_copy(state, run->setup.state);
  seam_status status = mbs_integrator_start(run->integrator, state, error);
  mbs_integrator_set_watch(run->integrator, watch, NULL);
  mbs_integrator_set_stop(run->integrator, run->simulation->end);
  seam_bounds_add(&run->bounds, run->setup.model, state);
  const size_t last = run_last_row(run);
  for (size_t row = 1; row <= last && status == SEAM_OK; row++) {
    status = mbs_integrator_advance(run->integrator, run_row_time(run, row), state, NULL);
    seam_bounds_add(&run->bounds, run->setup.model, state);
  }
  const double t = state->t;
  mbs_state_destroy(state);
  return interrupt_asked() ? run_interrupted(t, error) : SEAM_OK;
}

/* ---- The verdict ---- */

static double strength(const app_run *run, size_t coupling) {
  double wrench[2][3];
  cosim_coupling_wrenches(run->cosimulation, coupling, wrench);
  return fabs(wrench[0][0]) + fabs(wrench[0][1]) + fabs(wrench[0][2]);
}

static seam_status judge(const app_run *run, seam_error *error) {
  seam_excess excess;
  const mbs_state *state = cosim_state(run->cosimulation);
  if (!seam_is_unstable(&run->bounds, run->setup.model, state, &excess))
    return SEAM_OK;
  size_t strongest = 0;
  for (size_t k = 1; k < cosim_n_couplings(run->cosimulation); k++)
    if (!(strength(run, k) <= strength(run, strongest)))
      strongest = k;
  return seam_fail(error, SEAM_BECAME_UNSTABLE,
                   "t = %.9g s: the co-simulation is unstable: %s.%s is %.3g, more than 1000 times what the monolithic "
                   "run reaches; coupling '%s' (%s) transmits most: take a smaller --macro-step or another --scheme, "
                   "such as %s",
                   macro_time(run, run->macro_step), mbs_body_name(run->setup.model, excess.body), excess.component,
                   excess.value, cosim_coupling_name(run->cosimulation, strongest),
                   cosim_coupling_scheme(run->cosimulation, strongest),
                   cosim_coupling_is_joint(run->cosimulation, strongest) ? "ff-index2-k1" : "ff-k0 or ff-d-k1");
}

/* ---- Rows ---- */

/* Those up to the present macro point. */
static seam_status write_rows(app_run *run, seam_error *error) {
  const double H = run->cosim.macro_step;
  const double now = macro_time(run, run->macro_step);
  const size_t last = run_last_row(run);
  mbs_state *state = run->setup.state;
  seam_status status = couplings_write(run->couplings, now, error);
  while (run->row <= last && run_row_time(run, run->row) <= now + slack * H && status == SEAM_OK) {
    const double t = run_row_time(run, run->row);
    if (t >= now - slack * H)
      mbs_state_copy(state, cosim_state(run->cosimulation));
    else
      cosim_state_between(run->cosimulation, t, state);
    state->t = t;
    status = run_write_row(run, state, error);
  }
  return status;
}

static void write_last_good_row(app_run *run, double t) {
  if (t <= run->summary.time + slack * run->cosim.macro_step)
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

/* ---- The run ---- */

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

static seam_status choose_scheme(app_run *run, seam_error *error) {
  const char *scheme = options_value(run->options, "--scheme");
  if (!scheme)
    return SEAM_OK;
  run->choices = calloc(run->cosim.n_choices + 1, sizeof *run->choices);
  if (!run->choices)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  return seam_use_scheme(run->setup.model, scheme, run->choices, &run->cosim, error);
}

static seam_status check_macro_step(double macro_step, double end, seam_error *error) {
  if (!(macro_step > 0) || !isfinite(macro_step))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the macro step must be positive, not %g s", macro_step);
  if (macro_step > (1 + slack) * end)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: macro step %g s is longer than the run of %g s: take a smaller --macro-step", macro_step,
                     end);
  if (end / macro_step > most_macro_steps)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: %g s are more than %g macro steps: take a larger one than %g s", end,
                     most_macro_steps, macro_step);
  return SEAM_OK;
}

seam_status run_cosim_prepare(app_run *run, seam_error *error) {
  const cosim_options *options = seam_model_cosim(run->setup.file);
  if (!options)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model does not say where to cut it; add 'cosim: {subsystems: ..., macro_step: ...}'");
  run->cosim = *options;
  seam_status status = check_macro_step(options->macro_step, run->simulation->end, error);
  if (status == SEAM_OK)
    status = count_threads(run, error);
  if (status == SEAM_OK)
    status = choose_scheme(run, error);
  if (status == SEAM_OK)
    status = cosim_create(run->setup.model, &run->cosim, &run->cosimulation, error);
  return status == SEAM_OK ? run_monolithic_prepare(run, error) : status;
}

static seam_status begin(app_run *run, seam_error *error) {
  const app_checkpoint *from = run->from;
  if (from) {
    if (from->peaks.size != couplings_peaks_size(run->cosimulation))
      return seam_fail(error, SEAM_BAD_STATE, "the checkpoint does not belong to this model: run it anew");
    const seam_status status =
        couplings_resume(run->couplings_path, run->setup.model, run->cosimulation, from->position.couplings_length,
                         from->peaks.data, &run->couplings, error);
    return status == SEAM_OK ? cosim_restore(run->cosimulation, from->image.data, from->image.size, error) : status;
  }
  seam_status status = find_bounds(run, error);
  if (status == SEAM_OK)
    status = couplings_open(run->couplings_path, run->setup.model, run->cosimulation, &run->couplings, error);
  if (status == SEAM_OK)
    status = cosim_start(run->cosimulation, run->setup.state, error);
  return status == SEAM_OK ? write_rows(run, error) : status;
}

static seam_status advance(app_run *run, seam_error *error) {
  const double before = macro_time(run, run->macro_step);
  seam_status status = interrupt_asked() ? run_interrupted(before, error) : SEAM_OK;
  if (status == SEAM_OK)
    status = cosim_advance(run->cosimulation, macro_length(run, run->macro_step), error);
  if (status == SEAM_OK) {
    run->macro_step++;
    status = judge(run, error);
  }
  if (status != SEAM_OK) {
    write_last_good_row(run, before);
    return status;
  }
  status = write_rows(run, error);
  if (status == SEAM_OK && run_checkpoint_is_due(run, macro_time(run, run->macro_step)))
    status = write_checkpoint(run, error);
  return status;
}

seam_status run_cosim(app_run *run, seam_error *error) {
  seam_status status = begin(run, error);
  run->progress = progress_start(run->quiet, run->simulation->end);
  const size_t last = last_macro_step(run);
  while (run->macro_step < last && status == SEAM_OK) {
    status = advance(run, error);
    progress_update(&run->progress, cosim_state(run->cosimulation)->t, run->macro_step);
  }
  progress_clear(&run->progress);
  run->summary.statistics = cosim_statistics_of(run->cosimulation).integrators;
  const seam_status closed = couplings_close(run->couplings, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}
