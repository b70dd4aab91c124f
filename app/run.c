/* `seam run`: integrates a model and writes trajectory.csv and summary.json. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/output.h"
#include "app/progress.h"
#include "app/setup.h"
#include "app/summary.h"
#include "app/trajectory.h"

static const double most_rows = 1e9;

/* One run, from model to results. */
typedef struct app_run {
  const app_options *options;
  app_setup setup;
  const seam_simulation *simulation; /* in setup.file */
  char *directory, *trajectory_path, *summary_path;
  app_trajectory *trajectory;
  mbs_integrator *integrator;
  app_summary summary;
  app_progress progress;
} app_run;

static bool quiet(const app_run *run) { return options_flag(run->options, "--quiet"); }

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* Number of the last row: at the end, which need not be a multiple of the output step. The slack keeps rounding in the
 * quotient from making two rows of the last one. */
static size_t last_row(const seam_simulation *simulation) {
  return (size_t)ceil(simulation->end / simulation->output_step - 1e-9);
}

static double row_time(const seam_simulation *simulation, size_t row) {
  return row < last_row(simulation) ? (double)row * simulation->output_step : simulation->end;
}

static seam_status write_row(app_run *run, seam_error *error) {
  const app_setup *setup = &run->setup;
  const mbs_energy energy = mbs_energy_of(setup->workspace, setup->state);
  const seam_status status = trajectory_write(run->trajectory, setup->workspace, setup->state, &energy, error);
  if (status == SEAM_OK)
    summary_add(&run->summary, setup->model, setup->workspace, setup->state, &energy);
  return status;
}

/* Asked after every step of the integrator. */
static bool watch(void *context, double time) {
  app_run *run = context;
  progress_update(&run->progress, time, mbs_integrator_statistics(run->integrator).steps);
  return interrupt_asked();
}

static seam_status integrate(app_run *run, seam_error *error) {
  const seam_simulation *simulation = run->simulation;
  seam_status status = mbs_integrator_start(run->integrator, run->setup.state, error);
  if (status == SEAM_OK)
    status = write_row(run, error);
  if (status != SEAM_OK)
    return status;

  mbs_integrator_set_stop(run->integrator, simulation->end);
  const size_t last = last_row(simulation);
  mbs_integrator_set_watch(run->integrator, watch, run);
  run->progress = progress_start(quiet(run), simulation->end);
  for (size_t row = 1; row <= last && status == SEAM_OK; row++) {
    if (interrupt_asked()) /* a step may be longer than many rows */
      status = seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept",
                         run->setup.state->t);
    else
      status = mbs_integrator_advance(run->integrator, row_time(simulation, row), run->setup.state, error);
    if (status == SEAM_OK)
      status = write_row(run, error);
  }
  progress_clear(&run->progress);
  /* A run that ended early: its last good state is worth a row. */
  if (status != SEAM_OK && status != SEAM_NO_FILE && run->setup.state->t > run->summary.time)
    write_row(run, NULL);
  return status;
}

/* ---- Preparation ------------------------------------------------------------------------------------------------- */

static seam_status check_times(const app_run *run, seam_error *error) {
  const seam_simulation *simulation = run->simulation;
  if (isnan(simulation->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model says no end time; add 'simulate: {end: ...}' or --end TIME");
  if (simulation->end / simulation->output_step > most_rows)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: more than %g rows; give a larger --output-step", most_rows);
  return SEAM_OK;
}

static seam_status choose_directory(app_run *run, seam_error *error) {
  const char *given = options_value(run->options, "-o");
  run->directory = given ? strdup(given) : output_path("results", seam_model_name(run->setup.file));
  if (!run->directory)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  run->trajectory_path = output_path(run->directory, "trajectory.csv");
  run->summary_path = output_path(run->directory, "summary.json");
  if (!run->trajectory_path || !run->summary_path)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  return SEAM_OK;
}

/* Everything that can be refused before a file is touched, then the directory. */
static seam_status prepare(app_run *run, seam_error *error) {
  seam_status status = setup_read(run->options, &run->setup, error);
  if (status != SEAM_OK)
    return status;
  run->simulation = seam_model_simulation(run->setup.file);
  status = check_times(run, error);
  if (status == SEAM_OK)
    status = setup_assemble(&run->setup, error);
  if (status == SEAM_OK)
    status = mbs_integrator_create(run->setup.model, &run->simulation->integrator, &run->integrator, error);
  if (status == SEAM_OK)
    status = choose_directory(run, error);
  if (status == SEAM_OK)
    status = summary_start(&run->summary, run->setup.model, error);
  return status == SEAM_OK ? output_make_directory(run->directory, error) : status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static seam_status simulate(app_run *run, seam_error *error) {
  const double wall = clock_wall();
  const double cpu = clock_cpu();
  interrupt_catch();
  unlink(run->summary_path); /* an older run's: should this one be killed, nothing must speak for it */
  seam_status status = trajectory_open(run->trajectory_path, run->setup.model, &run->trajectory, error);
  if (status == SEAM_OK)
    status = integrate(run, error);
  run->summary.statistics = mbs_integrator_statistics(run->integrator);
  run->summary.wall = clock_wall() - wall;
  run->summary.cpu = clock_cpu() - cpu;

  const seam_status closed = trajectory_close(run->trajectory, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}

static void report(const app_run *run) {
  const app_summary *summary = &run->summary;
  fprintf(stderr, "%s: %zu rows to t = %.9g s; %zu steps in %.3g s\n", run->directory, summary->rows, summary->time,
          summary->statistics.steps, summary->wall);
  if (run->setup.report.n_redundant > 0)
    fprintf(stderr,
            "%zu redundant constraints are set aside ('seam check' lists them): reactions are those of least norm\n",
            run->setup.report.n_redundant);
  if (!options_flag(run->options, "--verbose"))
    return;
  fprintf(stderr, "rejected steps: %zu; evaluations: %zu; steps of %.3g s to %.3g s; CPU time: %.3f s\n",
          summary->statistics.rejected, summary->statistics.evaluations, summary->statistics.smallest_step,
          summary->statistics.largest_step, summary->cpu);
  fprintf(stderr, "largest constraint residual: %.3g; of its rate: %.3g; energy imbalance: %.3g J\n",
          summary->position_residual.value, summary->velocity_residual.value, summary->largest_imbalance);
}

static void run_free(app_run *run) {
  summary_free(&run->summary);
  mbs_integrator_destroy(run->integrator);
  free(run->directory);
  free(run->trajectory_path);
  free(run->summary_path);
  setup_free(&run->setup);
}

static int run_model(const app_options *parsed) {
  app_run run = {.options = parsed};
  seam_error verdict = {0};
  const bool prepared = prepare(&run, &verdict) == SEAM_OK;
  if (prepared)
    simulate(&run, &verdict);
  if (verdict.status != SEAM_OK)
    fprintf(stderr, "%s\n", verdict.message);

  seam_error unwritten = {0};
  if (prepared)
    summary_write(&run.summary, run.summary_path, parsed, run.setup.file, &run.setup.report, &verdict, &unwritten);
  if (unwritten.status != SEAM_OK)
    fprintf(stderr, "%s\n", unwritten.message);
  if (prepared && !quiet(&run))
    report(&run);
  run_free(&run);
  return seam_status_exit(verdict.status != SEAM_OK ? verdict.status : unwritten.status);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

#define NOT_YET "co-simulation is not available in this version"

static const app_option table[] = {
    {.name = "-o", .value = "DIR", .help = "write the results there; default: results/NAME"},
    {.name = "--end", .value = "TIME", .help = "end of the simulation, s", .override_key = "simulate.end"},
    {.name = "--output-step", .value = "TIME", .help = "time between rows, s", .override_key = "simulate.output_step"},
    {.name = "--integrator",
     .value = "NAME",
     .help = "erk (default), radau, ida, cvode; with --step: euler, symplectic_euler, rk2, rk4",
     .override_key = "simulate.integrator"},
    {.name = "--order", .value = "ORDER", .help = "of erk: 4, 5 or 8 (default)", .override_key = "simulate.order"},
    {.name = "--rtol", .value = "NUMBER", .help = "relative tolerance; default 1e-8", .override_key = "simulate.rtol"},
    {.name = "--atol", .value = "NUMBER", .help = "absolute tolerance; default 1e-10", .override_key = "simulate.atol"},
    {.name = "--step",
     .value = "STEP",
     .help = "adaptive (default), or a fixed step in s",
     .override_key = "simulate.step"},
    OPTION_SET,
    OPTION_QUIET,
    {.name = "--verbose", .help = "say how the integrator fared and how well the equations were met"},
    OPTION_HELP,
    {.name = "--cosim", .refusal = NOT_YET},
    {.name = "--scheme", .value = "NAME", .refusal = NOT_YET},
    {.name = "--macro-step", .value = "TIME", .refusal = NOT_YET},
    {0},
};

const app_command run_command = {
    .name = "run",
    .summary = "simulate a model",
    .operands = "MODEL",
    .details =
        "Simulates a model and writes DIR/trajectory.csv (time, bodies, reactions, energies; a row each output step)\n"
        "and DIR/summary.json (what was asked, how the run went). A run that fails or is interrupted keeps what was\n"
        "computed.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models'). --end to --step\n"
        "are short for --set simulate.KEY=VALUE.\n"
        "\n"
        "  seam run four_bar_bushing\n"
        "  seam run mine.yaml --end 2 --set parameters.c=1e6 -o results/stiff",
    .options = table,
    .least_operands = 1,
    .most_operands = 1,
    .run = run_model,
};
