/* Reads runs and studies from folders; page.c writes them. */
#include "app/report/report.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/failure.h"
#include "app/motion.h"
#include "app/report/gathered.h"
#include "app/results/output.h"
#include "app/setup.h"
#include "base/then.h"

seam_status report_create(const app_options *options, report **created, seam_error *error) {
  *created = calloc(1, sizeof **created);
  TRY(check_memory(*created != NULL, error));
  (*created)->options = options;
  return SEAM_OK;
}

void report_free(report *self) {
  if (self == NULL)
    return;
  for (report_run *run = self->runs; run < self->runs + self->n_runs; run++) {
    run_results_close(&run->results);
    seam_model_file_destroy(run->file);
    free(run->folder);
    free(run->name);
    free(run->time);
    free(run->poses);
  }
  for (report_study *study = self->studies; study < self->studies + self->n_studies; study++) {
    free(study->path);
    csv_table_free(&study->table);
    free(study->model);
  }
  free(self->runs);
  free(self->studies);
  free(self->model_path);
  free(self->model_text);
  free(self);
}

/* Appends a zeroed entry to a list and returns it; NULL: no memory. */
static void *grow(void **list, size_t *n, size_t size) {
  char *grown = realloc(*list, (*n + 1) * size);
  if (grown == NULL)
    return NULL;
  *list = grown;
  return memset(grown + (*n)++ * size, 0, size);
}

static bool is_there(const char *folder, const char *name) {
  char path[FILENAME_MAX];
  return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path && access(path, F_OK) == 0;
}

static seam_status read_times(report_run *run, seam_error *error) {
  static const size_t first = 0;
  const table_reader *table = run->results.tables[run->trajectory];
  const size_t rows = table_reader_n_rows(table);
  run->time = malloc((rows + 1) * sizeof *run->time);
  TRY(check_memory(run->time != NULL, error));
  TRY(table_reader_read(table, &first, 1, run->time, error));
  const char *path = table_reader_path(table);
  if (rows > 0 && run->time[rows - 1] != run->end)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: the last time is %.9g s, but %.9g s in summary.json beside this table, so the two "
                     "files are of different runs; run the model again",
                     path, run->time[rows - 1], run->end);
  for (size_t i = 1; i < rows; i++)
    if (!(run->time[i] > run->time[i - 1]))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: error: its times do not increase at row %zu; run the model again",
                       path, i + 1);
  return SEAM_OK;
}

/* Finds the columns of the poses. If one is missing, run->poses becomes NULL: the run gets no animation. */
static seam_status find_poses(report_run *run, seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(run->model);
  const table_reader *table = run->results.tables[run->trajectory];
  const json_node *at = json_first(json_get(json_get(run->results.summary, "columns"), "trajectory"));
  run->poses = malloc((n + 1) * sizeof *run->poses);
  TRY(check_memory(run->poses != NULL, error));
  for (size_t i = 0; i < n; i++)
    run->poses[i] = SEAM_NONE;
  for (; at != NULL; at = at->next) {
    const char *element = json_text(at, "element");
    const char *quantity = json_text(at, "quantity");
    const size_t body = element != NULL ? mbs_find_body(run->model, element) : SEAM_NONE;
    for (size_t i = 0; i < 3 && body < mbs_n_bodies(run->model) && quantity != NULL; i++)
      if (strcmp(quantity, seam_start_coordinate((int)i)) == 0)
        run->poses[3 * body + i] = table_reader_find(table, at->key);
  }
  bool has_all = n > 0 && table_reader_n_rows(table) > 0;
  for (size_t i = 0; i < n; i++)
    has_all &= run->poses[i] != SEAM_NONE;
  if (!has_all) {
    free(run->poses);
    run->poses = NULL;
  }
  return SEAM_OK;
}

static seam_status read_run(report_run *run, seam_error *error) {
  TRY(run_results_open(run->folder, &run->results, error));
  if (run->results.summary == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: there is no summary.json, probably because the run has not ended, so that nothing "
                     "says whether its numbers are right; run the model again",
                     run->folder);
  run->status = json_text(json_get(run->results.summary, "verdict"), "status");
  if (run_results_status(&run->results) == SEAM_WRONG)
    run->status = run_results_mark(&run->results);
  run->is_monolithic = json_get(run->results.summary, "cosim") == NULL;
  run->end = json_value(json_get(run->results.summary, "verdict"), "time");
  if (run->status == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: error: summary.json has no verdict; run the model again", run->folder);
  size_t length = 0;
  const char *json = run_results_model_json(&run->results, &length);
  if (json == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: error: summary.json has no model; run the model again", run->folder);
  TRY(seam_model_file_show(run->folder, json, length, &run->file, error));
  run->model = seam_model_mechanism(run->file);
  run->trajectory = SEAM_NONE;
  for (size_t i = 0; i < run->results.n_tables; i++)
    if (strcmp(run->results.names[i], "trajectory") == 0)
      run->trajectory = i;
  if (run->trajectory == SEAM_NONE)
    return SEAM_OK;
  TRY(read_times(run, error));
  return find_poses(run, error);
}

static seam_status add_run(report *self, const char *folder, seam_error *error) {
  report_run *run = grow((void **)&self->runs, &self->n_runs, sizeof *run);
  TRY(check_memory(run != NULL && (run->folder = strdup(folder)) != NULL, error));
  TRY(read_run(run, error));
  TRY(motion_check_bodies(run->folder, run->model, self->runs[0].folder, self->runs[0].model, error));
  if (run->is_monolithic && !self->has_monolithic && run->trajectory != SEAM_NONE) {
    const report_run last = self->runs[self->n_runs - 1]; /* the first monolithic run becomes the first in the list */
    memmove(self->runs + 1, self->runs, (self->n_runs - 1) * sizeof *self->runs);
    self->runs[0] = last;
    self->has_monolithic = true;
  }
  return SEAM_OK;
}

int report_exit_status(const report *self) {
  int worst = 0;
  for (size_t i = 0; i < self->n_runs; i++) {
    const int its = seam_status_exit(run_results_status(&self->runs[i].results));
    worst = its == 0 || worst == 1 ? worst : its;
  }
  return worst;
}

seam_status report_add_model(report *self, const char *path, seam_error *error) {
  self->model_path = strdup(path);
  return self->model_path != NULL ? setup_read_text(path, &self->model_text, error) : out_of_memory(error);
}

/* Adds the run in a folder, if is_run, and the tables of studies in it. */
static seam_status add_files(report *self, const char *folder, bool is_run, seam_error *error) {
  if (is_run)
    TRY(add_run(self, folder, error));
  for (size_t i = 0; report_study_file(i) != NULL; i++) {
    if (!is_there(folder, report_study_file(i)))
      continue;
    report_study *study = grow((void **)&self->studies, &self->n_studies, sizeof *study);
    if (study == NULL || (study->path = output_path(folder, report_study_file(i))) == NULL)
      return out_of_memory(error);
    study->kind = i;
    TRY(csv_table_read(study->path, &study->table, error));
    char *model = is_there(folder, "model.json") ? output_path(folder, "model.json") : NULL;
    if (model != NULL)
      (void)output_read(model, &study->model, NULL);
    free(model);
  }
  return SEAM_OK;
}

seam_status report_add_folder(report *self, const char *folder, seam_error *error) {
  struct dirent **entries = NULL;
  const size_t n_before = self->n_runs + self->n_studies;
  const int n = scandir(folder, &entries, NULL, alphasort);
  if (n < 0 && errno == ENOMEM)
    return out_of_memory(error);
  if (n < 0)
    return seam_fail(error, SEAM_NO_FILE, "%s: error: the folder cannot be read (%s); give one with results", folder,
                     strerror(errno));
  static const char *const names[] = {"summary.json",  "trajectory.csv", "trajectory.npy", "couplings.csv",
                                      "couplings.npy", "signals.csv",    "signals.npy"};
  bool is_run = false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    is_run |= is_there(folder, names[i]);
  seam_status status = add_files(self, folder, is_run, error);
  for (int i = 0; i < n; i++) {
    if (status == SEAM_OK && entries[i]->d_name[0] != '.') {
      char *path = output_path(folder, entries[i]->d_name);
      status = path != NULL ? add_files(self, path, is_there(path, "summary.json"), error) : out_of_memory(error);
      free(path);
    }
    free(entries[i]);
  }
  free(entries);
  if (status == SEAM_OK && self->n_runs + self->n_studies == n_before)
    return seam_fail(error, SEAM_NO_FILE,
                     "%s: error: there are no results in it; give a folder that 'seam run', 'seam compare', 'seam "
                     "converge' or 'seam stability model' wrote",
                     folder);
  return status;
}

seam_status report_if_requested(const app_options *options, const char *folder, seam_error *error) {
  if (!options_flag(options, "--report"))
    return SEAM_OK;
  report *result = NULL;
  char *path = output_path(folder, "report.html");
  seam_status status = path != NULL ? report_create(options, &result, error) : out_of_memory(error);
  THEN(status, options->n_operands > 0 ? report_add_model(result, options->operands[0], error) : SEAM_OK);
  THEN(status, report_add_folder(result, folder, error));
  THEN(status, report_write(result, path, error));
  report_free(result);
  free(path);
  return status;
}
