/* `seam run`: simulates a model, monolithic or co-simulated, and writes its tables (trajectory, couplings, signals)
 * and summary.json. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/verdict.h>

#include "app/command.h"
#include "app/commands/run_files.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/results/run_lines.h"
#include "app/schemes.h"
#include "base/then.h"

typedef struct app_run {
  bool verbose, accepts_wrong, checks;
  app_setup setup;
  run_files files;
  mbs_integrator_options integrator; /* of a monolithic run */
} app_run;

/* ---- Preparation ------------------------------------------------------------------------------------------------- */

/* A run is a co-simulation with --cosim, or if its operand is a system of FMUs. */
static bool is_cosim(const app_options *options) {
  return options_flag(options, "--cosim") || (options->n_operands > 0 && seam_is_system(options->operands[0]));
}

static seam_status read_model(app_run *run, seam_error *error) {
  const app_checkpoint *from = run->files.from;
  const app_options *options = run->files.options;
  if (from != NULL) {
    const seam_status status =
        setup_parse(options->operands[0], from->model.data, from->model.size - 1, NULL, 0, &run->setup, error);
    run->setup.from = NULL; /* the checkpoint has the state */
    return status;
  }
  const seam_status status = setup_read(options, &run->setup, error);
  setup_apply_from(&run->setup, options);
  run->setup.restarts = is_cosim(options);
  return status;
}

/* Returns the directory of the run, which the caller frees; NULL: no memory. resumed: path of the checkpoint, which is
 * in this directory; NULL: the run is new. */
static char *directory_of(const app_run *run, const char *resumed) {
  const app_options *options = run->files.options;
  const char *given = options_value(options, "-o");
  const char *model = seam_model_name(run->setup.file);
  if (resumed != NULL) {
    const char *slash = strrchr(resumed, '/');
    return slash == NULL ? strdup(".") : slash == resumed ? strdup("/") : strndup(resumed, (size_t)(slash - resumed));
  }
  if (given != NULL)
    return strdup(given);
  if (run->files.simulation == NULL)
    return study_folder(options, model, "run");
  const char *scheme = options_value(options, "--scheme");
  char *folder = schemes_folder(scheme != NULL ? scheme : schemes_name_of_file(&run->setup));
  char *name = folder != NULL ? malloc(sizeof "run-" + strlen(folder)) : NULL;
  if (name != NULL)
    sprintf(name, "run-%s", folder);
  char *path = name != NULL ? study_folder(options, model, name) : NULL;
  free(folder);
  free(name);
  return path;
}

/* Makes the directory last: if anything is refused, no file has been touched. */
static seam_status prepare(app_run *run, const char *resumed, seam_error *error) {
  static const char *const options_of_cosim[] = {"--scheme", "--macro-step"};
  static const char *const options_of_monolithic[][2] = {{"--integrator", "integrator"},
                                                         {"--order", "order"},
                                                         {"--rtol", "rtol"},
                                                         {"--atol", "atol"},
                                                         {"--step", "micro_step"}};
  const app_options *options = run->files.options;
  const bool cuts = is_cosim(options);
  for (size_t i = 0; i < sizeof options_of_cosim / sizeof *options_of_cosim; i++)
    if (!cuts && options_flag(options, options_of_cosim[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "seam: %s is for co-simulated runs; add --cosim", options_of_cosim[i]);
  for (size_t i = 0; i < sizeof options_of_monolithic / sizeof *options_of_monolithic && cuts && !run->files.quiet; i++)
    if (options_flag(options, options_of_monolithic[i][0]))
      fprintf(stderr,
              "note: with --cosim, %s is only for the undivided run that checks this run; for subsystems give --set "
              "cosim.%s=VALUE\n",
              options_of_monolithic[i][0], options_of_monolithic[i][1]);
  TRY(run_files_read_options(&run->files, error));
  TRY(read_model(run, error));
  TRY(run_files_read_times(&run->files, error));
  if (!cuts) /* the monolithic model includes signals and user equations */
    TRY(setup_use_monolithic(&run->setup, false, error));
  TRY(setup_assemble(&run->setup, error));
  if (!run->files.quiet && run->files.from == NULL) {
    setup_print_start_notes(&run->setup);
    seam_note_mechanism(run->setup.file, run->setup.workspace, run->setup.state);
  }
  run->integrator = seam_model_simulation(run->setup.file)->integrator;
  run->integrator.n_threads = 0;
  TRY(cuts ? run_files_create_cosim(&run->files, error) : options_threads(options, &run->integrator.n_threads, error));
  if (cuts && !run->files.quiet && resumed == NULL)
    setup_print_open_inputs(run->setup.file, false, "note: inputs that nothing feeds stay zero: ", stderr);
  size_t when = SEAM_CHECK_AUTO; /* --check has its words in the order of seam_check */
  run->files.directory = directory_of(run, resumed);
  if (run->setup.from != NULL && run->files.directory != NULL)
    TRY(start_from_check_folder(run->setup.from, run->files.directory, error));
  TRY(options_word(options, "--check", &when, error));
  run->checks = when != SEAM_CHECK_NEVER;
  const seam_run_def engine = {.check = (seam_check)when,
                               .simulation = run->files.simulation,
                               .builder = run->files.builder,
                               .integrator = cuts ? NULL : &run->integrator};
  return run_files_prepare(&run->files, &engine, error);
}

/* ---- The run ----------------------------------------------------------------------------------------------------- */

static void print_result(const app_run *run, const seam_run_facts *facts) {
  const bool has_rows = mbs_n_bodies(facts->model) > 0 || facts->simulation == NULL;
  const cosim_simulation *simulation = facts->simulation;
  fputs(seam_model_name(run->setup.file), stderr);
  fputs(": ", stderr);
  if (has_rows)
    fprintf(stderr, "%zu rows ", facts->rows);
  fprintf(stderr, "to t = %.9g s", facts->time);
  if (facts->ended != NULL)
    fprintf(stderr, ", where '%s' ended the run", mbs_event_of(facts->model, facts->ended->number).name);
  else if (facts->ended_by != NULL)
    fprintf(stderr, ", where subsystem '%s' ended the run", facts->ended_by);
  fputs("; ", stderr);
  if (simulation != NULL) {
    const size_t macro_steps = cosim_statistics_of(simulation).macro_steps;
    const size_t n = cosim_n_couplings(simulation);
    size_t n_exchanged = 0;
    for (size_t k = 0; k < n; k++)
      n_exchanged += cosim_coupling_of(simulation, k).is_exchanged;
    const bool has_master =
        cosim_n_part_couplings(simulation) > 0 || (n_exchanged == 0 && !setup_has_signals(&run->setup));
    fprintf(stderr, "%zu macro %s%s%s", macro_steps, macro_steps == 1 ? "step" : "steps",
            has_master         ? " of the master"
            : n_exchanged == n ? " of the exchange"
                               : " of master and exchange",
            has_rows ? ", " : "");
  }
  if (has_rows)
    fprintf(stderr, "%zu %s", facts->statistics->steps, facts->statistics->steps == 1 ? "step" : "steps");
  fprintf(stderr, " in %.3g s\n", facts->wall);
}

static void report(const app_run *run) {
  const seam_run_facts facts = run_files_facts(&run->files);
  print_result(run, &facts);
  if (facts.simulation != NULL && (facts.verdict == NULL || facts.verdict->word != SEAM_WORD_ACCURATE))
    cosim_note_run(facts.model, facts.builder, facts.simulation, print_note, NULL);
  event_lines_print(&facts);
  statistics_print(&facts);
  if (facts.status == SEAM_OK || facts.status == SEAM_WRONG)
    statistics_note(&facts);
  if (run->setup.report.n_redundant > 0)
    fprintf(stderr,
            "redundant constraints set aside: %zu ('seam check' lists them); reactions are the minimum-norm ones\n",
            run->setup.report.n_redundant);
  if (run->verbose) {
    const mbs_statistics *statistics = facts.statistics;
    fprintf(stderr, "rejected steps: %zu; evaluations: %zu; steps of %.3g s to %.3g s; CPU time: %.3f s\n",
            statistics->rejected, statistics->evaluations, statistics->smallest_step, statistics->largest_step,
            facts.cpu);
    fprintf(stderr, "largest constraint residual: %.3g; of its rate: %.3g; energy imbalance: %.3g J\n",
            facts.record->position.value, facts.record->velocity.value, facts.record->imbalance);
  }
  if (facts.verdict != NULL && (facts.status == SEAM_OK || facts.status == SEAM_WRONG))
    verdict_lines_print(&facts, run->files.options);
}

/* Sets the exit status. *ending becomes SEAM_WRONG if the error of the run is too large. */
static void conclude(app_run *run, seam_error *ending) {
  if (run->files.run != NULL)
    seam_run_conclude(run->files.run, ending);
  run->files.exit_status = seam_status_exit(ending->status);
  if (ending->status == SEAM_WRONG && run->accepts_wrong)
    run->files.exit_status = 0;
}

static bool is_done(const seam_error *ending) { return ending->status == SEAM_OK || ending->status == SEAM_WRONG; }

static int carry_out(app_run *run, const char *resumed) {
  seam_error ending = {0};
  run->files.setup = &run->setup;
  if (run->files.quiet)
    seam_set_note_handler(NULL, NULL);
  const bool prepared = prepare(run, resumed, &ending) == SEAM_OK;
  interrupt_catch();
  if (prepared && run_files_open(&run->files, &ending) == SEAM_OK)
    run_files_carry_out(&run->files, &ending);
  conclude(run, &ending);

  seam_error write_error = {0};
  const bool ran = prepared && ending.status != SEAM_BAD_STATE; /* SEAM_BAD_STATE: the files belong to another run */
  if (ran)
    run_files_summarise(&run->files, &write_error);
  if (ran && is_done(&ending) && write_error.status == SEAM_OK && run->checks) {
    seam_error failure = {0};
    if (run_files_check(&run->files, &failure) == SEAM_NO_MEMORY)
      ending = failure;
    conclude(run, &ending);
    run_files_summarise(&run->files, &write_error);
  }
  if (!is_done(&ending) || (ending.status == SEAM_WRONG && run->files.quiet))
    print_failure(&ending);
  if (write_error.status != SEAM_OK)
    print_failure(&write_error);
  if (ran && !run->files.quiet)
    report(run);
  const int exit_status = run->files.exit_status;
  run_files_free(&run->files);
  setup_free(&run->setup);
  return is_done(&ending) && write_error.status != SEAM_OK ? seam_status_exit(write_error.status) : exit_status;
}

/* ---- The command line -------------------------------------------------------------------------------------------- */

static bool accepts_wrong(const app_options *parsed) {
  const bool is_old = options_flag(parsed, "--accept-suspect");
  if (is_old)
    fputs("note: --accept-suspect is --accept-wrong from version 0.3 on\n", stderr);
  return is_old || options_flag(parsed, "--accept-wrong");
}

/* The command line has options for messages, the check and the exit status; all else comes from the interrupted run. */
static int resume(const app_options *parsed, const char *path, seam_error *error) {
  app_checkpoint checkpoint = {0};
  app_options original = {0};
  seam_status status = SEAM_OK;
  if (options_beside(parsed, "--resume --quiet --verbose --accept-wrong --accept-suspect --check") != NULL ||
      parsed->n_operands > 0)
    status =
        seam_fail(error, SEAM_BAD_INPUT, "seam: a resumed run keeps its model and options; give --resume FILE alone");
  THEN(status, checkpoint_read(path, &checkpoint, error));
  THEN(status, options_parse(parsed->table, checkpoint.n_arguments, checkpoint.arguments, &original, error));
  if (status == SEAM_OK && original.n_operands != 1)
    status = seam_fail(error, SEAM_BAD_STATE, "%s: this is not a checkpoint of 'seam run'", path);
  int exit_status = seam_status_exit(status);
  if (status == SEAM_OK) {
    app_run run = {.files = {.options = &original, .from = &checkpoint, .quiet = options_flag(parsed, "--quiet")},
                   .verbose = options_flag(parsed, "--verbose"),
                   .accepts_wrong = accepts_wrong(parsed) || accepts_wrong(&original)};
    exit_status = carry_out(&run, path);
  }
  options_free(&original);
  checkpoint_free(&checkpoint);
  return exit_status;
}

static int run_model(const app_options *parsed, seam_error *error) {
  const char *path = options_value(parsed, "--resume");
  if (path)
    return resume(parsed, path, error);
  if (parsed->n_operands == 0)
    return seam_status_exit(seam_fail(
        error, SEAM_BAD_INPUT, "seam: too few arguments; usage: seam run [OPTIONS] MODEL, or seam run --resume FILE"));
  app_run run = {.files = {.options = parsed, .quiet = options_flag(parsed, "--quiet")},
                 .verbose = options_flag(parsed, "--verbose"),
                 .accepts_wrong = accepts_wrong(parsed)};
  return carry_out(&run, NULL);
}

#define METHOD_NAME(name, steps) " " #name

static const app_option table[] = {
    {"-o", "DIR", .help = "write the results there; default: results/NAME/run or run-SCHEME, overrides behind it"},
    OPTION_END,
    {"--output-step", "TIME", .help = "time between rows, s", .override_key = "simulate.output_step"},
    {"--integrator", "NAME", .help = "one of" MBS_METHOD_TABLE(METHOD_NAME) "; default erk",
     .words = MBS_METHOD_TABLE(METHOD_NAME), .override_key = "simulate.integrator"},
    {"--order", "ORDER", .help = "of erk: 4, 5 or 8 (default)", .override_key = "simulate.order", .words = "4 5 8"},
    {"--rtol", "NUMBER", .help = "relative tolerance; default 1e-8", .override_key = "simulate.rtol"},
    {"--atol", "NUMBER", .help = "absolute tolerance; default: rtol times the scales", .override_key = "simulate.atol"},
    {"--step", "STEP", .help = "adaptive (default), or a fixed step in s", .override_key = "simulate.step",
     .words = "adaptive"},
    {"--cosim", .help = "co-simulate, as the model's section 'cosim' says"},
    {"--scheme", "NAME", .help = "of all couplings of its kind, at force elements or at joints, or both",
     .words = "@schemes"},
    {"--macro-step", "TIME", .help = "macro step, s", .override_key = "cosim.macro_step"},
    {"--threads", "N",
     .help = "threads for the subsystems, or for a mechanism of 2000 bodies or more by an explicit method; default: by "
             "trial, where they save a tenth of the time"},
    OPTION_FROM,
    OPTION_FORMAT,
    OPTION_NAMES,
    {"--columns", "LIST", .help = "of the trajectory: default, all, ELEMENT or ELEMENT.QUANTITY, between commas",
     .words = "default all"},
    {"--checkpoint", "EVERY", .help = "write DIR/checkpoint.seam every TIME of simulated time, s"},
    {"--resume", "FILE", .help = "continue from a checkpoint, without MODEL"},
    OPTION_SET,
    {"--check", "WHEN",
     .help =
         "compare the run with a second one: auto (default; where that costs at most ten times the run), always, never",
     .words = "auto always never"},
    {"--accept-wrong", .help = "end with status 0 where the verdict is wrong"},
    {"--accept-suspect", .help = "the same, as version 0.2 called it"},
    OPTION_QUIET,
    {"--verbose", .help = "print statistics of the integrator and residuals"},
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
        "coupling creates; DIR/signals.csv has outputs of user equations and quantities that are signals. A run that\n"
        "grows beyond what its start allows is unstable: status 1.\n"
        "\n"
        "At its end every run says its error. A cut run is compared with the undivided one or, if FMUs leave none,\n"
        "with a run of divided macro steps; a monolithic run with a tighter one by another integrator. It is\n"
        "accurate (at most 1 % of the travel of a quantity), rough (5 %) or wrong: status 3. Energy and constraints\n"
        "are judged too.\n"
        "\n"
        "Status 0: done; 1: the run failed, became unstable or was interrupted; 2: the input is wrong; 3: the run is "
        "wrong.\n"
        "\n"
        "MODEL is a file or, where no such file exists, a name of the catalogue ('seam models'). --end to --step\n"
        "are short for --set simulate.KEY=VALUE.\n"
        "\n"
        "  seam run four_bar_bushing\n"
        "  seam run mine.yaml --end 2 --set parameters.c=1e6 -o results/stiff\n"
        "  seam run four_bar_bushing --cosim --scheme ff-d-k2 --macro-step 1e-3",
    .options = table,
    .n_operands = {0, 1},
    .run = run_model,
};
