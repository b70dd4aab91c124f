#include "app/study.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/report/report.h"
#include "app/results/csv_text.h"
#include "base/then.h"

/* ---- Tables for papers and web pages ---- */

/* A style of tables, in the order of the words of --as. `begin` and `end` enclose a table; `open`, `between` and
 * `close` are around the cells of a row. After the head row comes `rule` for each column, then `behind`. A backslash
 * precedes characters in `escaped`. */
typedef struct style {
  const char *ending, *begin, *open, *between, *close, *rule, *behind, *end, *escaped;
} style;
static const style styles[] = {
    {"md", "", "| ", " | ", " |\n", "| --- ", "|\n", "", "|\\*_"},
    {"tex", "\\begin{tabular}{*{%zu}{l}}\n", "", " & ", " \\\\\n", "", "\\hline\n", "\\end{tabular}\n", "_%&#$"}};

static void write_field(FILE *file, const style *as, const char *field, bool is_head) {
  char *end = NULL;
  const double number = strtod(field, &end);
  if (end != field && *end == '\0' && isfinite(number)) {
    fprintf(file, "%.4g", number);
    return;
  }
  for (; *field != '\0'; field++)
    if (is_head && *field == '_')
      fputc(' ', file);
    else
      fprintf(file, strchr(as->escaped, *field) != NULL ? "\\%c" : "%c", *field);
}

static void write_table(FILE *file, const style *as, char *text) {
  const char *end = text + strlen(text);
  bool is_head = true;
  fprintf(file, as->begin, csv_count_fields(text)); // NOLINT: a format of the table above
  for (char *line = text; line < end; is_head = false) {
    char *next = (char *)csv_end_of_line(line, end);
    size_t n = 0;
    if (next != NULL)
      *next = '\0';
    fputs(as->open, file);
    for (char *at = line; at != NULL; n++) {
      fputs(n > 0 ? as->between : "", file);
      write_field(file, as, csv_next_field(&at), is_head);
    }
    fputs(as->close, file);
    for (size_t i = 0; is_head && i < n; i++)
      fputs(as->rule, file);
    fputs(is_head ? as->behind : "", file);
    line = next != NULL ? next + 1 : (char *)end;
  }
  fputs(as->end, file);
}

/* For --as, writes NAME.md or NAME.tex beside NAME.csv at `path`: the same rows, with four digits. */
static seam_status table_text_write(const app_options *parsed, const char *path, seam_error *error) {
  char *text = NULL;
  app_replacement out;
  size_t number = 0;
  if (options_value(parsed, "--as") == NULL || options_word(parsed, "--as", &number, error) != SEAM_OK)
    return SEAM_OK;
  const style *as = &styles[number];
  const int length = (int)(strlen(path) - strlen("csv"));
  char *to = malloc((size_t)length + strlen(as->ending) + 1);
  seam_status status = to != NULL ? output_read(path, &text, error) : out_of_memory(error);
  if (status == SEAM_OK)
    sprintf(to, "%.*s%s", length, path, as->ending);
  THEN(status, output_replace(to, &out, error));
  if (status == SEAM_OK) {
    write_table(out.file, as, text);
    status = output_commit(&out, error);
  }
  free(text);
  free(to);
  return status;
}

/* ---- The study ---- */

app_study study_begin(const app_options *parsed) {
  return (app_study){.parsed = parsed, .quiet = options_flag(parsed, "--quiet")};
}

seam_status study_read(app_study *self, seam_error *error) {
  seam_status status = setup_read(self->parsed, &self->setup, error);
  THEN(status, options_word(self->parsed, "--as", NULL, error));
  setup_apply_from(&self->setup, self->parsed);
  self->setup.restarts = true;
  TRY(status);
  TRY(setup_check_end(&self->setup, error));
  TRY(setup_assemble(&self->setup, error));
  self->end = seam_model_simulation(self->setup.file)->end;
  if (self->setup.from != NULL && !self->quiet)
    setup_print_start_notes(&self->setup);
  return SEAM_OK;
}

seam_status study_use_monolithic(app_study *self, seam_error *error) {
  const app_setup *monolithic = &self->monolithic;
  const seam_interrupt interrupt = {.is_requested = interrupt_requested};
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = setup_begin_equations(&self->setup, self->quiet, error);
  THEN(status, setup_create_monolithic(self->parsed, &self->setup, &self->monolithic, error));
  THEN(status,
       seam_find_stop(monolithic->model, monolithic->state, &seam_model_simulation(monolithic->file)->integrator,
                      &interrupt, self->end, &event, error));
  if (status != SEAM_OK || event.number == SEAM_NONE)
    return status;
  self->end = event.time;
  if (!self->quiet)
    fprintf(stderr, "note: all runs end at t = %.9g s, where event '%s' stops the monolithic run\n", event.time,
            mbs_event_of(monolithic->model, event.number).name);
  return SEAM_OK;
}

seam_status study_open(app_study *self, const char *model, const char *study, seam_error *error) {
  const char *json = self->setup.file != NULL ? seam_model_json(self->setup.file) : NULL;
  seam_status status = study_folder_make(self->parsed, model, study, &self->directory, error);
  char *path = status == SEAM_OK ? output_path(self->directory, "model.json") : NULL;
  if (path != NULL && json != NULL)
    status = output_text(path, json, error);
  free(path);
  return status;
}

seam_status study_open_file(app_study *self, size_t which, const char *name, const char *head, seam_error *error) {
  TRY(output_begin(&self->files[which], self->directory, name, error));
  fputs(head, self->files[which].file);
  return SEAM_OK;
}

seam_status study_make_reference(app_study *self, double H, double work, double later_work, seam_agreement *agreement,
                                 seam_reference **created, seam_error *error) {
  const size_t n_runs = agreement != NULL ? 3 : 2; /* normal, with tight tolerances, check */
  const bool was_refused = self->refusal.status != SEAM_OK;
  app_monitor *monitor = &self->monitor;
  monitor_phase(monitor, "reference", n_runs, work, later_work);
  seam_status status = seam_reference_create(self->monolithic.model, self->monolithic.state,
                                             &seam_model_simulation(self->setup.file)->integrator, H, self->end,
                                             &monitor->interrupt, created, error);
  if (status == SEAM_OK && agreement != NULL) {
    seam_error found = {0};
    status = seam_reference_check(*created, &monitor->interrupt, agreement, &found);
    if (status == SEAM_OK || status == SEAM_WRONG) {
      self->refusal = found;
      status = SEAM_OK;
    } else
      *error = found;
  }
  if (self->monolithic_steps == 0)
    self->monolithic_steps = (double)monitor->steps / (double)n_runs;
  progress_clear(&monitor->progress);
  if (self->refusal.status != SEAM_OK && !was_refused)
    print_failure(&self->refusal);
  return status;
}

int study_end(app_study *self, seam_status status, seam_error *error) {
  for (size_t i = 0; i < MAX_STUDY_FILES; i++) {
    char *path = self->files[i].path != NULL ? strdup(self->files[i].path) : NULL;
    status = output_end(&self->files[i], status, error);
    if (path != NULL)
      THEN(status, table_text_write(self->parsed, path, error));
    free(path);
  }
  THEN(status, report_if_requested(self->parsed, self->directory, error));
  if (status == SEAM_OK)
    *error = (seam_error){0}; /* a run that failed did not end the study */
  schemes_free(&self->schemes);
  setup_free(&self->monolithic);
  setup_free(&self->setup);
  free(self->directory);
  arena_release(&self->memory);
  return seam_status_exit(status != SEAM_OK ? status : self->refusal.status);
}

/* ---- Predicted work ---- */

/* Predicted cost of a macro step relative to ff-k1: the product of the factors of the words in a scheme's name. They
 * are rounded results of `seam compare --schemes all` for four_bar_bushing and double_pendulum. A scheme costs up to
 * twice or half as much; sums over schemes are nearer. */
static const struct {
  const char *word;
  double factor;
} factors[] = {{"fd", 2.2},       {"df", 2.2},       {"dd", 2.6},      {"d", 2.0},
               {"i", 4.0},        {"index1", 3.0},   {"index2", 3.0},  {"colloc", 1.2},
               {"explicit", 0.6}, {"exchange", 0.5}, {"implicit", 2.4}};
static const double stage_cost = 0.5; /* added for each order of collocation */
static const double point_cost = 0.6; /* cost of a macro point of the reference */

/* Any name but a scheme, such as "file" for several schemes, counts as ff-k1. */
double workload_of_scheme(const char *scheme, double macro_steps, double monolithic_steps) {
  seam_scheme_words words;
  if (seam_scheme_read(scheme, &words, NULL) != SEAM_OK)
    return macro_steps + monolithic_steps;
  const char *const all[] = {words.decomposition, words.method, words.iteration};
  double factor = strcmp(words.method, "colloc") == 0 ? 1 + stage_cost * words.order : 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      factor *= strcmp(all[k], factors[i].word) == 0 ? factors[i].factor : 1;
  return factor * (macro_steps + monolithic_steps);
}

double workload_of_reference(double macro_steps, double monolithic_steps) {
  return point_cost * macro_steps + monolithic_steps;
}
