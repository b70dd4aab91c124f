/* `seam run`: simulates a model, monolithic or co-simulated, and writes trajectory.csv, couplings.csv, signals.csv,
 * summary.json. */
#include "app/commands/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/clock.h"
#include "app/command.h"
#include "app/interrupt.h"
#include "app/results/output.h"

static const double MAX_ROWS = 1e9;
static const double worth_saying = 0.1; /* created energy, of the largest kinetic one */

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* The slack keeps rounding in the quotient from making two rows of the last one. */
size_t run_last_row(const app_run *run) {
  return (size_t)ceil(run->simulation->end / run->simulation->output_step - 1e-9);
}

double run_row_time(const app_run *run, size_t row) {
  return row < run_last_row(run) ? (double)row * run->simulation->output_step : run->simulation->end;
}

seam_status run_write_row(app_run *run, const mbs_state *state, seam_error *error) {
  const app_setup *setup = &run->setup;
  const mbs_energy energy = mbs_energy_of(setup->workspace, state);
  const seam_status status = trajectory_write(run->trajectory, setup->workspace, state, &energy, error);
  if (status != SEAM_OK)
    return status;
  summary_add(&run->summary, setup->model, setup->workspace, state, &energy);
  run->row++;
  return SEAM_OK;
}

seam_status run_interrupted(double t, seam_error *error) {
  return seam_fail(error, SEAM_INTERRUPTED, "interrupted at t = %.9g s; what was computed is kept", t);
}

/* ---- Checkpoints ------------------------------------------------------------------------------------------------- */

static size_t due_checkpoints(const app_run *run, double t) { return (size_t)(t / run->checkpoint_every + 1e-9); }

bool run_checkpoint_is_due(app_run *run, double t) {
  const size_t due = due_checkpoints(run, t);
  const bool another = due > run->n_checkpoints;
  run->n_checkpoints = due;
  return another;
}

seam_status run_write_checkpoint(app_run *run, void *image, size_t size, seam_error *error) {
  if (!image)
    return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
  const char *model = seam_model_json(run->setup.file);
  app_checkpoint checkpoint = {
      .n_arguments = run->options->n_arguments,
      .arguments = run->options->arguments,
      .model = {model, strlen(model) + 1},
      .image = {image, size},
  };
  checkpoint.position = (app_position){.row = run->row,
                                       .macro_step = run->macro_step,
                                       .trajectory_length = run->trajectory ? trajectory_length(run->trajectory) : 0,
                                       .signals_length = run->signals ? signals_length(run->signals) : 0,
                                       .bounds = run->bounds,
                                       .summary = run->summary};
  if (run->couplings) {
    checkpoint.position.couplings_length = couplings_length(run->couplings);
    checkpoint.peaks = (app_block){couplings_peaks(run->couplings), couplings_peaks_size(run->cosimulation)};
  }
  const seam_status status = checkpoint_write(run->checkpoint_path, &checkpoint, error);
  free(image);
  return status;
}

/* What the checkpoint says of the run so far. */
static void take_position(app_run *run) {
  const app_position *position = &run->from->position;
  double *scratch = run->summary.residuals;
  run->summary = position->summary;
  run->summary.residuals = scratch;
  run->row = position->row;
  run->macro_step = position->macro_step;
  run->bounds = position->bounds;
  run->n_checkpoints = due_checkpoints(run, position->summary.time);
}

/* ---- Preparation ------------------------------------------------------------------------------------------------- */

static seam_status check_times(const app_run *run, seam_error *error) {
  const seam_simulation *simulation = run->simulation;
  if (isnan(simulation->end))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the model gives no end time; add 'simulate: {end: ...}' or --end TIME");
  if (simulation->end / simulation->output_step > MAX_ROWS)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the run has more than %g rows; give a larger --output-step",
                     MAX_ROWS);
  return SEAM_OK;
}

static seam_status check_options(app_run *run, seam_error *error) {
  static const char *const of_cosim[] = {"--scheme", "--macro-step", "--threads"};
  run->is_cosim = options_flag(run->options, "--cosim");
  for (size_t i = 0; i < sizeof of_cosim / sizeof *of_cosim; i++)
    if (!run->is_cosim && options_flag(run->options, of_cosim[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s is for co-simulated runs; add --cosim", of_cosim[i]);
  run->checkpoint_every = INFINITY;
  const char *text = options_value(run->options, "--checkpoint");
  if (!text)
    return SEAM_OK;
  char *end = NULL;
  run->checkpoint_every = strtod(text, &end);
  if (end == text || *end != '\0' || !(run->checkpoint_every > 0 && isfinite(run->checkpoint_every)))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: --checkpoint must be a positive time in s, but is '%s'", text);
  return SEAM_OK;
}

/* A resumed run goes on where its checkpoint lies. */
static char *directory_of(const app_run *run, const char *resumed) {
  const char *slash = resumed ? strrchr(resumed, '/') : NULL;
  const char *given = options_value(run->options, "-o");
  if (resumed)
    return slash == resumed ? strdup("/") : slash ? strndup(resumed, (size_t)(slash - resumed)) : strdup(".");
  return given ? strdup(given) : output_path("results", seam_model_name(run->setup.file));
}

/* Rows up to a checkpoint are in the tables beside it. */
static seam_status choose_directory(app_run *run, const char *resumed, seam_error *error) {
  const struct {
    const char *name;
    char **path;
    bool is_continued;
  } files[] = {{"trajectory.csv", &run->trajectory_path, resumed && mbs_n_bodies(run->setup.model) > 0},
               {"couplings.csv", &run->couplings_path, resumed && run->is_cosim},
               {"signals.csv", &run->signals_path, resumed && run->is_cosim && cosim_n_signals(run->cosimulation) > 0},
               {"summary.json", &run->summary_path, false},
               {"checkpoint.seam", &run->checkpoint_path, false}};
  run->directory = directory_of(run, resumed);
  for (size_t i = 0; i < sizeof files / sizeof *files && run->directory; i++) {
    *files[i].path = output_path(run->directory, files[i].name);
    if (!*files[i].path)
      return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
    if (files[i].is_continued && access(*files[i].path, F_OK) != 0)
      return seam_fail(
          error, SEAM_BAD_INPUT,
          "%s is missing beside the checkpoint; put the one of the interrupted run into %s, or run the model again",
          files[i].name, run->directory);
  }
  return run->directory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
}

static seam_status read_model(app_run *run, seam_error *error) {
  if (!run->from)
    return setup_read(run->options, &run->setup, error);
  const app_block *model = &run->from->model;
  const seam_status status =
      seam_model_file_parse(run->options->operands[0], model->data, model->size - 1, NULL, 0, &run->setup.file, error);
  if (status == SEAM_OK)
    run->setup.model = seam_model_mechanism(run->setup.file);
  return status;
}

/* Of signals and subsystems of its own a monolithic run knows nothing. */
static seam_status check_kind(const app_run *run, seam_error *error) {
  if (run->is_cosim || !setup_has_signals(&run->setup))
    return SEAM_OK;
  const seam_status status = setup_check_bodies(&run->setup, error);
  if (status == SEAM_OK && !run->quiet)
    fputs("signals and user equations take no part in a monolithic run: add --cosim to run them\n", stderr);
  return status;
}

/* Everything that can be refused before a file is touched, then the directory. */
static seam_status prepare(app_run *run, const char *resumed, seam_error *error) {
  seam_status status = check_options(run, error);
  if (status == SEAM_OK)
    status = read_model(run, error);
  if (status != SEAM_OK)
    return status;
  run->simulation = seam_model_simulation(run->setup.file);
  status = check_times(run, error);
  if (status == SEAM_OK)
    status = check_kind(run, error);
  if (status == SEAM_OK)
    status = setup_assemble(&run->setup, error);
  if (status == SEAM_OK)
    status = run->is_cosim ? run_cosim_prepare(run, error) : run_monolithic_prepare(run, error);
  if (status == SEAM_OK)
    status = choose_directory(run, resumed, error);
  if (status == SEAM_OK)
    status = summary_start(&run->summary, run->setup.model, error);
  if (status == SEAM_OK && run->from)
    take_position(run);
  return status == SEAM_OK ? output_make_directory(run->directory, error) : status;
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

/* Older files: should this run be killed, nothing must speak for it. */
static void remove_older(const app_run *run) {
  unlink(run->summary_path);
  if (run->from)
    return;
  unlink(run->couplings_path);
  unlink(run->signals_path);
  unlink(run->checkpoint_path);
  if (!run->trajectory)
    unlink(run->trajectory_path);
}

static seam_status open_trajectory(app_run *run, seam_error *error) {
  if (mbs_n_bodies(run->setup.model) == 0)
    return SEAM_OK;
  if (!run->from)
    return trajectory_open(run->trajectory_path, run->setup.model, &run->trajectory, error);
  return trajectory_resume(run->trajectory_path, run->setup.model, run->from->position.trajectory_length,
                           &run->trajectory, error);
}

static seam_status simulate(app_run *run, seam_error *error) {
  const double wall = clock_wall();
  const double cpu = clock_cpu();
  interrupt_catch();
  seam_status status = open_trajectory(run, error);
  if (status == SEAM_OK) {
    remove_older(run);
    status = run->is_cosim ? run_cosim(run, error) : run_monolithic(run, error);
  }
  run->summary.wall = clock_wall() - wall;
  run->summary.cpu = clock_cpu() - cpu;

  const seam_status closed = trajectory_close(run->trajectory, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? closed : status;
}

/* What couples. */
static const char *engines_of(const app_run *run) {
  size_t n_exchanged = 0;
  const size_t n = cosim_n_couplings(run->cosimulation);
  for (size_t k = 0; k < n; k++)
    n_exchanged += cosim_coupling_is_exchanged(run->cosimulation, k);
  if (n_exchanged == 0 && !setup_has_signals(&run->setup))
    return " of the master";
  return n_exchanged == n ? " of the exchange" : " of master and exchange";
}

/* A run can blow up within its bounds: quiet or not, this is said. */
static void warn_of_energy(const app_run *run) {
  const double created = couplings_created(run->cosimulation);
  const double kinetic = run->summary.largest_kinetic;
  const double rounding = 1e-9 * fabs(run->summary.initial_energy);
  if (kinetic > 0 && created > worth_saying * kinetic + rounding)
    fprintf(stderr,
            "note: the couplings created %.3g J, %.3g %% of the largest kinetic energy: take a smaller macro step or "
            "another scheme\n",
            created, 100 * created / kinetic);
}

static void report(const app_run *run) {
  const app_summary *summary = &run->summary;
  fprintf(stderr, "%s: ", run->directory);
  const bool has_bodies = mbs_n_bodies(run->setup.model) > 0;
  if (has_bodies)
    fprintf(stderr, "%zu rows ", summary->rows);
  fprintf(stderr, "to t = %.9g s; ", summary->time);
  if (run->is_cosim)
    fprintf(stderr, "%zu macro steps%s%s", run->macro_step, engines_of(run), has_bodies ? ", " : "");
  if (has_bodies)
    fprintf(stderr, "%zu steps", summary->statistics.steps);
  fprintf(stderr, " in %.3g s\n", summary->wall);
  if (run->setup.report.n_redundant > 0)
    fprintf(stderr,
            "%zu redundant constraints are set aside ('seam check' lists them); reactions are those of least norm\n",
            run->setup.report.n_redundant);
  if (!run->verbose)
    return;
  fprintf(stderr, "rejected steps: %zu; evaluations: %zu; steps of %.3g s to %.3g s; CPU time: %.3f s\n",
          summary->statistics.rejected, summary->statistics.evaluations, summary->statistics.smallest_step,
          summary->statistics.largest_step, summary->cpu);
  fprintf(stderr, "largest constraint residual: %.3g; of its rate: %.3g; energy imbalance: %.3g J\n",
          summary->position_residual.value, summary->velocity_residual.value, summary->largest_imbalance);
}

static void run_free(app_run *run) {
  summary_free(&run->summary);
  couplings_free(run->couplings);
  cosim_destroy(run->cosimulation);
  cosim_builder_destroy(run->builder);
  mbs_integrator_destroy(run->integrator);
  free(run->directory);
  free(run->trajectory_path);
  free(run->couplings_path);
  free(run->signals_path);
  free(run->summary_path);
  free(run->checkpoint_path);
  setup_free(&run->setup);
}

static seam_status write_summary(const app_run *run, const seam_error *verdict, seam_error *error) {
  const app_cosim_run cosim = {run->cosimulation, run->builder, run->couplings};
  return summary_write(&run->summary, run->summary_path, run->options, run->setup.file, &run->setup.report,
                       run->couplings ? &cosim : NULL, verdict, error);
}

static int carry_out(app_run *run, const char *resumed) {
  seam_error verdict = {0};
  const bool prepared = prepare(run, resumed, &verdict) == SEAM_OK;
  if (prepared)
    simulate(run, &verdict);
  if (verdict.status != SEAM_OK)
    fprintf(stderr, "%s\n", verdict.message);

  seam_error unwritten = {0};
  const bool ran = prepared && verdict.status != SEAM_BAD_STATE; /* else the checkpoint is not of these files */
  if (ran)
    write_summary(run, &verdict, &unwritten);
  if (unwritten.status != SEAM_OK)
    fprintf(stderr, "%s\n", unwritten.message);
  if (ran && !run->quiet)
    report(run);
  if (ran && run->is_cosim && verdict.status == SEAM_OK)
    warn_of_energy(run);
  run_free(run);
  return seam_status_exit(verdict.status != SEAM_OK ? verdict.status : unwritten.status);
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static int fail(const seam_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return seam_status_exit(error->status);
}

/* Only how much is said may change. */
static seam_status check_resumption(const app_options *parsed, seam_error *error) {
  const app_option *table = parsed->table;
  bool others = parsed->n_operands > 0 || parsed->n_overrides > 0;
  for (size_t i = 0; table[i].name; i++)
    others = others || (parsed->values[i] && strcmp(table[i].name, "--resume") != 0 &&
                        strcmp(table[i].name, "--quiet") != 0 && strcmp(table[i].name, "--verbose") != 0);
  if (others)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a resumed run keeps its model and options; give --resume FILE alone");
  return SEAM_OK;
}

static int resume(const app_options *parsed, const char *path) {
  app_checkpoint checkpoint = {0};
  app_options original = {0};
  seam_error error = {0};
  seam_status status = check_resumption(parsed, &error);
  if (status == SEAM_OK)
    status = checkpoint_read(path, &checkpoint, &error);
  if (status == SEAM_OK)
    status = options_parse(parsed->table, checkpoint.n_arguments, checkpoint.arguments, &original, &error);
  int exit_status = 0;
  if (status == SEAM_OK) {
    app_run run = {.options = &original,
                   .from = &checkpoint,
                   .quiet = options_flag(parsed, "--quiet"),
                   .verbose = options_flag(parsed, "--verbose")};
    exit_status = carry_out(&run, path);
  } else {
    exit_status = fail(&error);
  }
  options_free(&original);
  checkpoint_free(&checkpoint);
  return exit_status;
}

static int run_model(const app_options *parsed) {
  const char *path = options_value(parsed, "--resume");
  if (path)
    return resume(parsed, path);
  if (parsed->n_operands == 0) {
    fputs("seam: too few arguments; usage: seam run [OPTIONS] MODEL, or seam run --resume FILE\n", stderr);
    return 2;
  }
  app_run run = {
      .options = parsed, .quiet = options_flag(parsed, "--quiet"), .verbose = options_flag(parsed, "--verbose")};
  return carry_out(&run, NULL);
}

static const app_option table[] = {
    OPTION_DIRECTORY,
    OPTION_END,
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
    {.name = "--cosim", .help = "co-simulate, as the model's section 'cosim' says"},
    {.name = "--scheme", .value = "NAME", .help = "of all couplings of its kind, at force elements or at joints"},
    {.name = "--macro-step", .value = "TIME", .help = "macro step, s", .override_key = "cosim.macro_step"},
    {.name = "--threads",
     .value = "N",
     .help = "threads for the subsystems; default: chosen by the measured cost of a macro step"},
    {.name = "--checkpoint", .value = "EVERY", .help = "write DIR/checkpoint.seam every TIME of simulated time, s"},
    {.name = "--resume", .value = "FILE", .help = "continue from a checkpoint, without MODEL"},
    OPTION_SET,
    OPTION_QUIET,
    {.name = "--verbose", .help = "print statistics of the integrator and residuals"},
    OPTION_HELP,
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
        "With --cosim the mechanism is cut into the subsystems of the file and coupled again, and DIR/couplings.csv\n"
        "has a row each macro step: forces that couplings transmit, residuals of cut joints, energy that each\n"
        "coupling creates; DIR/signals.csv has the signals of subsystems of the file's own. A run that leaves the\n"
        "bounds of the monolithic one, which is made first, is unstable: status 1.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models'). --end to --step\n"
        "are short for --set simulate.KEY=VALUE.\n"
        "\n"
        "  seam run four_bar_bushing\n"
        "  seam run mine.yaml --end 2 --set parameters.c=1e6 -o results/stiff\n"
        "  seam run four_bar_bushing --cosim --scheme ff-d-k2 --macro-step 1e-3",
    .options = table,
    .least_operands = 0,
    .max_operands = 1,
    .run = run_model,
};
