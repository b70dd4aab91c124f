/* `seam report`: runs a model, or reads results of runs, and writes one HTML file that shows them. */
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/report.h"
#include "app/results/output.h"
#include "app/results/run_results.h"
#include "app/schemes.h"
#include "base/then.h"

enum { MAX_FOLDERS = 64 };

typedef struct reporting {
  const app_options *parsed;
  report *result;
  char *directory; /* directory of the runs and, without -o, of the report */
  int worst;       /* worst exit status of the runs (worse()) */
  bool ends;       /* no report follows: a run has failed and printed why */
} reporting;

/* Returns the worse exit status: 1 (failed) is worse than 3 (wrong), which is worse than 0. */
static int worse(int a, int b) { return a == 1 || b == 0 ? a : b; }

/* Calls 'seam run' with the overrides and --quiet of this command line. It writes its files into `folder`. */
static seam_status run_into(reporting *self, const char *folder, const char *scheme, bool is_cosim, int *exit_status,
                            seam_error *error) {
  const app_options *own = self->parsed;
  app_options parsed = {0};
  int n = 0;
  const char **arguments = calloc(8 + 2 * own->n_overrides, sizeof *arguments);
  if (arguments == NULL)
    return out_of_memory(error);
  arguments[n++] = "run";
  arguments[n++] = own->operands[0];
  arguments[n++] = "-o";
  arguments[n++] = folder;
  for (size_t i = 0; i < own->n_overrides; i++) {
    arguments[n++] = "--set";
    arguments[n++] = own->overrides[i];
  }
  if (is_cosim)
    arguments[n++] = "--cosim";
  if (scheme != NULL) {
    arguments[n++] = "--scheme";
    arguments[n++] = scheme;
  }
  if (options_flag(own, "--quiet"))
    arguments[n++] = "--quiet";
  const seam_status status = options_parse(run_command.options, n, (char **)arguments, &parsed, error);
  if (status == SEAM_OK)
    *exit_status = run_command.run(&parsed, error);
  options_free(&parsed);
  free((void *)arguments);
  return status;
}

/* Makes a run and adds its folder to the report. Sets self->ends if the run is refused, interrupted or fails without
 * results. */
static seam_status make_run(reporting *self, const char *name, const char *scheme, bool is_cosim, seam_error *error) {
  int exit_status = 0;
  char *folder = name != NULL ? output_path(self->directory, name) : NULL;
  seam_status status =
      folder != NULL ? run_into(self, folder, scheme, is_cosim, &exit_status, error) : out_of_memory(error);
  const bool has_failed = exit_status == 1;
  self->worst = worse(exit_status, self->worst);
  self->ends = exit_status == 2 || interrupt_poll();
  if (status == SEAM_OK && !self->ends)
    status = report_add_folder(self->result, folder, has_failed ? NULL : error);
  free(folder);
  if (status == SEAM_OK || !has_failed)
    return status;
  self->ends = true;
  return SEAM_OK;
}

static seam_status make_runs(reporting *self, seam_error *error) {
  app_setup setup = {0};
  app_schemes schemes = {0};
  const char *list = options_value(self->parsed, "--schemes");
  seam_status status = setup_read(self->parsed, &setup, error);
  if (status == SEAM_OK && list == NULL)
    schemes = (app_schemes){.n = seam_model_cosim(setup.file) != NULL, .from_file = true};
  else { /* fails for unknown schemes before the first run */
    THEN(status, setup_assemble(&setup, error));
    THEN(status, schemes_read(list, &setup, options_flag(self->parsed, "--quiet"), &schemes, error));
  }
  if (status == SEAM_OK) {
    self->directory = study_folder(self->parsed, seam_model_name(setup.file), "report");
    status = self->directory != NULL ? report_add_model(self->result, self->parsed->operands[0], error)
                                     : out_of_memory(error);
  }
  const mbs_model *monolithic = NULL;
  seam_error why_none = {0};
  if (status == SEAM_OK && seam_model_whole(setup.file, &monolithic, &why_none) == SEAM_OK)
    status = make_run(self, "monolithic", NULL, false, error);
  if (why_none.status != SEAM_OK && !options_flag(self->parsed, "--quiet"))
    fprintf(stderr, "note: the page has no monolithic run: %s\n", why_none.message);
  for (size_t i = 0; i < schemes.n && status == SEAM_OK && !self->ends; i++) {
    char *name = schemes_folder(schemes.from_file ? schemes_name_of_file(&setup) : schemes.names[i]);
    status = make_run(self, name, schemes.from_file ? NULL : schemes.names[i], true, error);
    free(name);
  }
  if (!schemes.from_file)
    schemes_free(&schemes);
  setup_free(&setup);
  return status;
}

/* Adds the folders of results to the report or, for a model, makes the runs. */
static seam_status gather(reporting *self, seam_error *error) {
  const app_options *parsed = self->parsed;
  if (parsed->n_operands == 1 && !setup_exists(parsed->operands[0]))
    return setup_fail_unknown(parsed->operands[0], "a folder of results nor a file", error);
  if (parsed->n_operands == 1 && !run_results_is_path(parsed->operands[0]))
    return make_runs(self, error);
  for (size_t i = 0; i < parsed->n_operands; i++)
    if (!run_results_is_path(parsed->operands[i]))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%s' is not a folder of results; give one model, or folders of results alone",
                       parsed->operands[i]);
  if (parsed->n_overrides > 0 || options_flag(parsed, "--schemes"))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: --schemes, --end, --output-step and --set are for runs of a MODEL; leave them out, or give a "
        "model instead of results");
  for (size_t i = 0; i < parsed->n_operands; i++)
    TRY(report_add_folder(self->result, parsed->operands[i], error));
  self->directory = strdup(parsed->operands[0]);
  return check_memory(self->directory != NULL, error);
}

static int run_report(const app_options *parsed, seam_error *error) {
  const char *path = NULL;
  app_replacement probe;
  reporting self = {.parsed = parsed};
  seam_status status = report_create(parsed, &self.result, error);
  THEN(status, options_output(parsed, "a report", ".html", &path, NULL, error));
  if (status == SEAM_OK && path != NULL) { /* fails before long runs if the page cannot be written */
    status = output_replace(path, &probe, error);
    if (status == SEAM_OK)
      output_abandon(&probe);
  }
  THEN(status, gather(&self, error));
  if (status == SEAM_OK && !self.ends) {
    char *page = path != NULL ? strdup(path) : output_path(self.directory, "report.html");
    status = page != NULL ? report_write(self.result, page, error) : out_of_memory(error);
    free(page);
  }
  const int worst = self.result != NULL ? worse(report_exit_status(self.result), self.worst) : self.worst;
  report_free(self.result);
  free(self.directory);
  return status != SEAM_OK ? seam_status_exit(status) : worst;
}

static const app_option table[] = {
    {"-o", "FILE", .help = "the page; default: report.html beside the runs"},
    {"--schemes", "LIST", .help = "of a MODEL: NAME,NAME,..., or all that fit the couplings; default: as the file says",
     .words = "all @schemes"},
    OPTION_END,
    {"--output-step", "TIME", .help = "time between rows, s", .override_key = "simulate.output_step"},
    OPTION_SET,
    OPTION_QUIET,
    OPTION_HELP,
    {0},
};

const app_command report_command = {
    .name = "report",
    .summary = "write a page that moves, plots and says what was checked",
    .operands = "MODEL | RESULTS...",
    .details =
        "Runs a model, whole if it can be and, with a section cosim, co-simulated under each scheme, into\n"
        "results/NAME/report; or reads folders that 'seam run', 'seam compare', 'seam converge' and 'seam stability\n"
        "model' wrote. Writes one HTML file, which needs no network: the mechanism animated, the monolithic run as a\n"
        "ghost under the co-simulated one, plots linked to the animation, tables, verdicts, the model.\n"
        "\n"
        "  seam report four_bar_bushing -o four_bar.html\n"
        "  seam report four_bar_bushing --schemes ff-k0,ff-k1,ff-d-k2 --end 3\n"
        "  seam report results/whole results/cut -o both.html",
    .options = table,
    .n_operands = {1, MAX_FOLDERS},
    .run = run_report,
};
