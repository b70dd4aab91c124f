#include "app/sweep/results.h"

#include <stdlib.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "app/results/table_file.h"
#include "app/schemes.h"
#include "base/json.h"
#include "base/then.h"
#include "runs/column_json.h"

enum { RUN_NAME = 512 };

static int status_of(const sweep_plan *plan, const sweep_rows *rows, size_t run) {
  return (int)sweep_rows_at(rows, run)[plan->status];
}

/* Failed and wrong runs, and the exit status of the sweep. */
typedef struct sweep_verdict {
  size_t n_failed, first_failed; /* first_...: index of the first such run */
  size_t n_wrong, first_wrong;
  int exit_status;
} sweep_verdict;

static sweep_verdict judge(const sweep_plan *plan, const sweep_rows *rows) {
  sweep_verdict result = {0};
  for (size_t run = rows->n_runs; run-- > 0;) {
    const int status = rows->is_done[run] ? status_of(plan, rows, run) : 0;
    if (status == 3) {
      result.n_wrong++;
      result.first_wrong = run;
    } else if (status != 0) {
      result.n_failed++;
      result.first_failed = run;
    }
  }
  result.exit_status = result.n_failed > 0 ? 1 : result.n_wrong > 0 ? 3 : 0;
  return result;
}

static void print_first(const sweep_plan *plan, const sweep_rows *rows, size_t n, size_t first, const char *what) {
  char name[RUN_NAME];
  if (n == 0)
    return;
  sweep_plan_name_run(plan, first, name, sizeof name);
  fprintf(stderr, "seam: %zu of %zu runs %s; the first is ", n, rows->n_done, what);
  print_name(name);
  fprintf(stderr, ", which said:\n%s\n", rows->messages[first] != NULL ? rows->messages[first] : "");
}

int sweep_print_verdict(const sweep_plan *plan, const sweep_rows *rows, const char *directory) {
  const sweep_verdict verdict = judge(plan, rows);
  print_first(plan, rows, verdict.n_failed, verdict.first_failed, "failed");
  print_first(plan, rows, verdict.n_wrong, verdict.first_wrong, verdict.n_wrong == 1 ? "is wrong" : "are wrong");
  if (verdict.n_failed + verdict.n_wrong > 1) {
    print_name(directory);
    fputs("/messages.txt has what each of them said\n", stderr);
  }
  return verdict.exit_status;
}

/* Writes the tables; removes existing ones in other formats. */
static seam_status write_tables(const sweep_rows *rows, const seam_table *columns, const char *directory,
                                const bool has_format[N_ROW_FORMATS], seam_error *error) {
  char names[N_ROW_FORMATS][FILENAME_MAX];
  const char *wanted[N_ROW_FORMATS];
  app_table_file *file = NULL;
  for (int i = 0; i < N_ROW_FORMATS; i++) {
    snprintf(names[i], FILENAME_MAX, "%s/sweep.%s", directory, row_formats[i].name);
    wanted[i] = has_format[i] ? names[i] : NULL;
    output_unlink(names[i]);
  }
  seam_status status = table_file_open(wanted, columns, NULL, NULL, &file, error);
  for (size_t run = 0; run < rows->n_runs && status == SEAM_OK; run++)
    if (rows->is_done[run])
      status = table_file_write_row(file, sweep_rows_at(rows, run), error);
  const seam_status closed = table_file_close(file, status == SEAM_OK ? error : NULL);
  table_file_free(file);
  return status == SEAM_OK ? closed : status;
}

static seam_status write_messages(const sweep_plan *plan, const sweep_rows *rows, const char *directory,
                                  seam_error *error) {
  const sweep_verdict verdict = judge(plan, rows);
  app_replacement out;
  char path[FILENAME_MAX];
  snprintf(path, sizeof path, "%s/messages.txt", directory);
  if (verdict.n_failed + verdict.n_wrong == 0) {
    output_unlink(path);
    return SEAM_OK;
  }
  TRY(output_replace(path, &out, error));
  char name[RUN_NAME];
  for (size_t run = 0; run < rows->n_runs; run++)
    if (rows->messages[run] != NULL) {
      sweep_plan_name_run(plan, run, name, sizeof name);
      fprintf(out.file, "%s, status %d\n%s\n\n", name, status_of(plan, rows, run), rows->messages[run]);
    }
  return output_commit(&out, error);
}

static seam_status write_summary(const sweep_plan *plan, const sweep_rows *rows, const seam_table *columns,
                                 const char *directory, seam_error *error) {
  const sweep_verdict verdict = judge(plan, rows);
  app_replacement out;
  char path[FILENAME_MAX];
  const char *model = seam_model_json(plan->base.file);
  TRY(check_memory(model != NULL, error));
  snprintf(path, sizeof path, "%s/summary.json", directory);
  TRY(output_replace(path, &out, error));
  json_writer json = {.file = out.file};
  json_open(&json, NULL, '{');
  json_open(&json, "versions", '{');
  json_string(&json, "seam", seam_version());
  json_count(&json, "sweep", 1);
  json_close(&json, '}');
  json_open(&json, "verdict", '{');
  json_count(&json, "exit_status", (size_t)verdict.exit_status);
  json_count(&json, "runs", rows->n_runs);
  json_count(&json, "done", rows->n_done);
  json_count(&json, "failed", verdict.n_failed);
  if (verdict.n_failed > 0)
    json_count(&json, "first_failed", verdict.first_failed + 1);
  json_string(&json, "errors", "not checked");
  json_count(&json, "wrong", verdict.n_wrong);
  if (verdict.n_wrong > 0)
    json_count(&json, "first_wrong", verdict.first_wrong + 1);
  json_close(&json, '}');
  char seed[24];
  json_open(&json, "design", '{');
  json_string(&json, "sample", sweep_sampling_names[plan->sampling.sampling]);
  json_count(&json, "runs", seam_design_n_runs(plan->design));
  if (plan->sampling.sampling != SEAM_GRID) {
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)plan->sampling.seed);
    json_raw(&json, "seed", seed);
  }
  json_open(&json, "vary", '{');
  for (size_t i = 0; i < seam_design_n_varied(plan->design); i++)
    json_string(&json, seam_design_key(plan->design, i), seam_design_given(plan->design, i));
  json_close(&json, '}');
  json_close(&json, '}');
  json_open(&json, "run", '[');
  for (int i = 0; i < plan->run.n_arguments; i++)
    json_string(&json, NULL, plan->run.arguments[i]);
  json_close(&json, ']');
  json_open(&json, "columns", '{');
  for (size_t i = 0; i < seam_table_n_columns(columns); i++)
    column_write_json(&json, seam_table_column(columns, i));
  json_close(&json, '}');
  json_raw(&json, "model", model);
  json_close(&json, '}');
  return output_commit(&out, error);
}

/* Removes files that a run left in this folder. */
static void remove_run_files(const char *directory) {
  char path[FILENAME_MAX];
  for (int i = 0; i < SEAM_N_RUN_TABLES * N_ROW_FORMATS; i++) {
    const char *name = seam_run_table_name((seam_run_table)(i / N_ROW_FORMATS));
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, row_formats[i % N_ROW_FORMATS].name);
    output_unlink(path);
  }
  snprintf(path, sizeof path, "%s/checkpoint.seam", directory);
  output_unlink(path);
}

seam_status sweep_write_results(const sweep_plan *plan, const sweep_rows *rows, const char *directory,
                                const bool has_format[N_ROW_FORMATS], bool has_identifiers, seam_error *error) {
  seam_table *columns = NULL;
  seam_status status = sweep_plan_columns(plan, &columns, error);
  if (has_identifiers)
    THEN(status, schemes_prefix_option("--names underscore", seam_table_use_identifiers(columns, error), error));
  THEN(status, write_messages(plan, rows, directory, error));
  if (status == SEAM_OK)
    remove_run_files(directory);
  THEN(status, write_summary(plan, rows, columns, directory, error));
  THEN(status, write_tables(rows, columns, directory, has_format, error));
  seam_table_destroy(columns);
  return status;
}
