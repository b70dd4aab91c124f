#include "app/results/run_results.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <seam/verdict.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "app/results/table_file.h"
#include "base/nearest.h"
#include "base/then.h"

static const char *const run_tables[MAX_RUN_TABLES] = {"trajectory", "couplings", "signals"};

static bool is_folder(const char *path) {
  struct stat found;
  return stat(path, &found) == 0 && S_ISDIR(found.st_mode);
}

/* Returns the ending of a table, with its dot; NULL: another file. */
static const char *ending_of(const char *path) {
  const char *dot = strrchr(path, '.');
  for (int i = 0; i < N_ROW_FORMATS && dot != NULL; i++)
    if (strcmp(dot + 1, row_formats[i].name) == 0)
      return dot;
  return NULL;
}

bool run_results_is_path(const char *path) {
  return is_folder(path) || (ending_of(path) != NULL && access(path, F_OK) == 0);
}

/* Returns "folder/name.ending"; NULL: no memory. */
static char *path_of(run_results *self, const char *folder, const char *name, const char *ending) {
  const size_t size = strlen(folder) + strlen(name) + strlen(ending) + 3;
  char *path = arena_allocate(&self->memory, size);
  if (path != NULL)
    snprintf(path, size, "%s/%s.%s", folder, name, ending);
  return path;
}

static seam_status read_summary(run_results *self, const char *folder, seam_error *error) {
  json_failure failure = {0};
  const char *path = path_of(self, folder, "summary", "json");
  TRY(check_memory(path != NULL, error));
  if (access(path, F_OK) != 0 && errno == ENOENT)
    return SEAM_OK;
  TRY(output_read(path, &self->summary_text, error));
  if (json_parse(self->summary_text, &self->memory, &self->summary, &failure))
    return SEAM_OK;
  TRY(check_memory(failure.what != NULL, error));
  return seam_fail(error, SEAM_BAD_INPUT, "%s:%zu: error: this is not JSON (%s); run the model again", path,
                   failure.line, failure.what);
}

static const json_node *columns_of(const run_results *self, size_t table) {
  return json_get(json_get(self->summary, "columns"), self->names[table]);
}

/* Compares a table with summary.json: its columns in order, and the number of rows of a trajectory. */
static seam_status check_table(const run_results *self, size_t table, seam_error *error) {
  const table_reader *of = self->tables[table];
  const json_node *verdict = json_get(self->summary, "verdict");
  const json_node *columns = columns_of(self, table);
  const json_node *at = json_first(columns);
  size_t i = 0;
  if (verdict != NULL && strcmp(self->names[table], "trajectory") == 0 &&
      (double)table_reader_n_rows(of) != json_value(verdict, "rows"))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: the table has %zu rows, but %.0f in summary.json beside it, so the two files are of "
                     "different runs; run the model again",
                     table_reader_path(of), table_reader_n_rows(of), json_value(verdict, "rows"));
  for (; at != NULL && i < table_reader_n_columns(of) && strcmp(at->key, table_reader_name(of, i)) == 0; at = at->next)
    i++;
  if (columns == NULL || (at == NULL && i == table_reader_n_columns(of)))
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: error: column %zu is '%s', but '%s' in summary.json beside this table, so the two files are of "
                   "different runs; run the model again, or copy the table to another folder",
                   table_reader_path(of), i + 1, i < table_reader_n_columns(of) ? table_reader_name(of, i) : "nothing",
                   at != NULL ? at->key : "nothing");
}

/* Names the columns of a table "element.quantity", too, as summary.json does. They are in the same order there. */
static seam_status add_names(run_results *self, size_t table, seam_error *error) {
  size_t column = 0;
  for (const json_node *at = json_first(columns_of(self, table)); at != NULL; at = at->next, column++) {
    const char *element = json_text(at, "element"), *quantity = json_text(at, "quantity");
    if (element == NULL || *element == '\0' || quantity == NULL)
      continue;
    const char *name = arena_print(&self->memory, "%s.%s", element, quantity);
    TRY(check_memory(name != NULL && table_reader_add_name(self->tables[table], name, column), error));
  }
  return SEAM_OK;
}

/* Sets short_name, and returns the folder of the results; NULL: no memory. */
static const char *split_path(run_results *self) {
  const char *path = self->path;
  const bool is_open_folder = is_folder(path);
  size_t end = strlen(path);
  while (end > 1 && path[end - 1] == '/')
    end--;
  size_t begin = end;
  while (begin > 0 && path[begin - 1] != '/')
    begin--;
  const char *ending = is_open_folder ? NULL : ending_of(path + begin);
  self->short_name =
      arena_text(&self->memory, path + begin, ending != NULL ? (size_t)(ending - path) - begin : end - begin);
  if (self->short_name == NULL || is_open_folder)
    return self->short_name != NULL ? path : NULL;
  const char *slash = strrchr(path, '/');
  return slash != NULL ? arena_text(&self->memory, path, (size_t)(slash - path) + (slash == path)) : ".";
}

/* Opens a table, or all tables of a folder. Prefers npy files, which are read faster, to csv files. */
static seam_status open_tables(run_results *self, seam_error *error) {
  if (!is_folder(self->path)) {
    self->names[self->n_tables] = self->short_name;
    return table_reader_open(self->path, &self->tables[self->n_tables++], error);
  }
  for (int i = 0; i < MAX_RUN_TABLES; i++) {
    const char *path = NULL;
    for (int k = N_ROW_FORMATS - 1; k >= 0 && (path == NULL || access(path, F_OK) != 0); k--) {
      path = path_of(self, self->path, run_tables[i], row_formats[k].name);
      TRY(check_memory(path != NULL, error));
    }
    if (access(path, F_OK) != 0)
      continue;
    self->names[self->n_tables] = run_tables[i];
    TRY(table_reader_open(path, &self->tables[self->n_tables++], error));
  }
  if (self->n_tables == 0)
    return seam_fail(error, SEAM_NO_FILE,
                     "%s: error: this folder has no table trajectory, couplings or signals (.csv or .npy); give a "
                     "folder that 'seam run' wrote, or a table",
                     self->path);
  return SEAM_OK;
}

seam_status run_results_open(const char *path, run_results *self, seam_error *error) {
  *self = (run_results){.path = path};
  const char *folder = split_path(self);
  TRY(check_memory(folder != NULL, error));
  TRY(open_tables(self, error));
  TRY(read_summary(self, folder, error));
  for (size_t i = 0; i < self->n_tables; i++) {
    TRY(check_table(self, i, error));
    TRY(add_names(self, i, error));
  }
  return SEAM_OK;
}

void run_results_close(run_results *self) {
  for (size_t i = 0; i < self->n_tables; i++)
    table_reader_close(self->tables[i]);
  arena_release(&self->memory);
  free(self->summary_text);
}

/* ---- Columns ---- */

static void try_names(const run_results *self, size_t table, nearest *search) {
  for (size_t i = 0; i < table_reader_n_columns(self->tables[table]); i++)
    nearest_try(search, table_reader_name(self->tables[table], i));
}

/* Fails with a hint at a similar name. For "place" and "velocity", as in verdicts, the hint names both columns. */
static seam_status not_found(const char *where, const char *column, const nearest *search, seam_error *error) {
  static const char *const judged[][3] = {{"place", "x", "y"}, {"velocity", "vx", "vy"}};
  const char *dot = strrchr(column, '.');
  const int n = dot != NULL ? (int)(dot - column) : 0;
  char hint[128];
  nearest_hint(search, hint, sizeof hint);
  for (size_t i = 0; i < sizeof judged / sizeof *judged && dot != NULL; i++)
    if (strcmp(dot + 1, judged[i][0]) == 0)
      snprintf(hint, sizeof hint, "its columns are '%.*s.%s' and '%.*s.%s'", n, column, judged[i][1], n, column,
               judged[i][2]);
  return seam_fail(error, SEAM_BAD_INPUT, "%s: error: there is no column '%s'; %s", where, column,
                   *hint != '\0' ? hint : "'seam plot RESULTS' lists the columns");
}

seam_status run_results_find(const run_results *self, const char *column, size_t *table, size_t *number,
                             seam_error *error) {
  nearest search = nearest_to(column);
  for (size_t i = 0; i < self->n_tables; i++) {
    *table = i;
    *number = table_reader_find(self->tables[i], column);
    if (*number != SEAM_NONE)
      return SEAM_OK;
    try_names(self, i, &search);
  }
  return not_found(self->path, column, &search, error);
}

seam_status run_results_find_in(const run_results *self, size_t table, const char *column, size_t *number,
                                seam_error *error) {
  nearest search = nearest_to(column);
  *number = table_reader_find(self->tables[table], column);
  if (*number != SEAM_NONE)
    return SEAM_OK;
  size_t other = 0;
  if (run_results_find(self, column, &other, number, NULL) == SEAM_OK)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: column '%s' is not in this table, but in %s; take both columns from one table",
                     table_reader_path(self->tables[table]), column, table_reader_path(self->tables[other]));
  try_names(self, table, &search);
  return not_found(table_reader_path(self->tables[table]), column, &search, error);
}

const char *run_results_column(const run_results *self, size_t table, size_t column, const char *what) {
  const char *name = table_reader_name(self->tables[table], column);
  const char *text = json_text(json_get(columns_of(self, table), name), what);
  return text != NULL ? text : "";
}

/* ---- Entries of the summary ---- */

const char *run_results_model(const run_results *self) { return json_text(json_get(self->summary, "model"), "name"); }

const char *run_results_model_json(const run_results *self, size_t *length) {
  const json_node *model = json_get(self->summary, "model");
  *length = model != NULL ? model->length : 0;
  return model != NULL ? model->begin : NULL;
}

const char *run_results_scheme(const run_results *self) {
  const json_node *cosim = json_get(self->summary, "cosim");
  const char *scheme = NULL;
  if (cosim == NULL)
    return "monolithic";
  for (const json_node *at = json_first(json_get(cosim, "couplings")); at != NULL; at = at->next) {
    const char *its = json_text(at, "scheme");
    if (scheme != NULL && its != NULL && strcmp(scheme, its) != 0)
      return "several schemes";
    scheme = scheme != NULL ? scheme : its;
  }
  return scheme != NULL ? scheme : "co-simulated";
}

double run_results_macro_step(const run_results *self) {
  return json_value(json_get(self->summary, "cosim"), "macro_step");
}

/* Version 0.2 called wrong runs "suspect". */
static bool was_suspect(const run_results *self) {
  const char *text = json_text(json_get(self->summary, "verdict"), "status");
  return text != NULL && strcmp(text, "suspect") == 0;
}

seam_status run_results_status(const run_results *self) {
  const json_node *verdict = json_get(self->summary, "verdict");
  const char *text = json_text(verdict, "status");
  const char *word = json_text(verdict, "word");
  seam_status status = SEAM_OK;
  if (was_suspect(self) || (word != NULL && strcmp(word, seam_word_text(SEAM_WORD_WRONG)) == 0))
    return SEAM_WRONG;
  while (text != NULL && status <= SEAM_FMU_FAILED && strcmp(text, seam_status_text(status)) != 0)
    status++;
  return status;
}

const char *run_results_mark(const run_results *self) {
  static const char *const marks[] = {
      [SEAM_OK] = "", [SEAM_WRONG] = "wrong", [SEAM_BECAME_UNSTABLE] = "unstable", [SEAM_INTERRUPTED] = "interrupted"};
  const size_t status = run_results_status(self);
  if (was_suspect(self))
    return "suspect";
  return status < sizeof marks / sizeof *marks && marks[status] != NULL ? marks[status] : "failed";
}

void run_results_note(const run_results *self) {
  const char *mark = run_results_mark(self);
  const char *message = json_text(json_get(self->summary, "verdict"), "message");
  const bool has_ended = self->summary != NULL || !is_folder(self->path);
  if (has_ended && *mark == '\0')
    return;
  fputs("note: ", stderr);
  print_name(self->path);
  if (!has_ended) {
    fputs(" has no summary.json; its run did not end, and nothing says whether its numbers are right\n", stderr);
    return;
  }
  fprintf(stderr, " is %s; its run said '", mark);
  print_name(message != NULL ? message : "");
  fputs("'\n", stderr);
}

/* ---- Events ---- */

seam_status run_events_read(const run_results *of, run_events *result, seam_error *error) {
  *result = (run_events){.n = 0};
  const csv_table *table = &result->table;
  char *path = output_path(of->path, "events.csv");
  TRY(check_memory(path != NULL, error));
  const bool is_there = access(path, F_OK) == 0;
  seam_status status = is_there ? csv_table_read(path, &result->table, error) : SEAM_OK;
  const size_t time = csv_table_find(table, "time");
  if (status == SEAM_OK && is_there && (csv_table_find(table, "event") != 0 || time == SEAM_NONE))
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: error: this is not a table of events; run the model again", path);
  for (size_t row = 1; row < table->n_rows && status == SEAM_OK; row++) {
    char **cells = table->cells + row * table->n_columns;
    if (cells[time] == NULL)
      continue;
    if (result->n < MAX_RUN_EVENTS)
      result->list[result->n++] = (run_event){cells[0], strtod(cells[time], NULL)};
    else
      result->n_left_out++;
  }
  free(path);
  return status;
}

void run_events_free(run_events *self) { csv_table_free(&self->table); }
