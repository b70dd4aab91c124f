/* Rows of a trajectory contain positions q, velocities v and states z with all digits. Between rows 1 and 2, q is the
 * cubic polynomial through their positions q1, q2 and velocities v1, v2. The times of the rows differ by h. The share
 * of h that has passed since row 1 is x, from 0 to 1:
 *
 *   q = q1 + x² (3 - 2 x)(q2 - q1) + h x (1 - x)((1 - x) v1 - x v2),   v = dq/dt */
#include "app/start_from.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seam/equations.h>
#include <seam/runs.h>

#include "app/failure.h"
#include "app/model_changes.h"
#include "app/results/output.h"
#include "app/results/run_results.h"
#include "app/thresholds.h"
#include "base/sample.h"
#include "base/then.h"

enum { LONGEST_PATH = 1024 };

typedef struct results_path {
  char text[LONGEST_PATH + 32];
} results_path;

/* Returns "folder/name" or, if the name is empty, "folder". */
static results_path join(const char *folder, const char *name) {
  results_path path;
  snprintf(path.text, sizeof path.text, "%s%s%s", folder, *name != '\0' ? "/" : "", name);
  return path;
}

static bool has_table(const char *folder, const char *name) { return access(join(folder, name).text, F_OK) == 0; }

/* Splits `given` into path and time (NaN: none, for the last row). A folder of `seam static` gets "/static.csv". */
static seam_status split(const char *given, char path[LONGEST_PATH], double *t, seam_error *error) {
  static const char row[] = "/static.csv";
  const char *sign = strrchr(given, '@');
  const size_t length = sign != NULL ? (size_t)(sign - given) : strlen(given);
  char *end = NULL;
  *t = sign != NULL ? strtod(sign + 1, &end) : NAN;
  if (sign != NULL && (end == sign + 1 || *end != '\0' || !isfinite(*t)))
    return seam_fail(error, SEAM_BAD_INPUT, "seam: '%s' is not a time; write RESULTS@TIME, in s", sign + 1);
  if (length + sizeof row > LONGEST_PATH)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the path of results to start from has more than %d characters",
                     LONGEST_PATH);
  memcpy(path, given, length);
  path[length] = '\0';
  if (has_table(path, "static.csv") && !has_table(path, "trajectory.csv") && !has_table(path, "trajectory.npy"))
    memcpy(path + length, row, sizeof row);
  return SEAM_OK;
}

/* A link may name the same folder or table, so files are compared, not paths. */
seam_status start_from_check_folder(const char *given, const char *folder, seam_error *error) {
  static const char *const names[] = {"", "trajectory.csv", "trajectory.npy", "static.csv"};
  enum { N_NAMES = sizeof names / sizeof *names };
  char path[LONGEST_PATH];
  double t = 0;
  if (strlen(folder) >= LONGEST_PATH || split(given, path, &t, error) != SEAM_OK)
    return SEAM_OK;
  for (int i = 0; i < N_NAMES * N_NAMES; i++)
    if (output_is_same(join(path, names[i / N_NAMES]).text, join(folder, names[i % N_NAMES]).text))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: the run starts from the results in %s and would replace them; give another folder by -o",
                       folder);
  return SEAM_OK;
}

/* Fails for results of another mechanism: their columns NAME.x to NAME.omega belong to no body of the model. A bushing
 * has such columns, too, so NAME may be a force element. */
static seam_status check_bodies(run_results *run, const mbs_model *model, seam_error *error) {
  const table_reader *table = run->tables[0];
  char others[256] = "";
  size_t used = 0;
  for (size_t i = 0; i < table_reader_n_columns(table) && used < sizeof others; i++) {
    const char *column = table_reader_name(table, i);
    const char *dot = strrchr(column, '.');
    if (dot == NULL || strcmp(dot, ".omega") != 0)
      continue;
    const char *name = arena_text(&run->memory, column, (size_t)(dot - column));
    TRY(check_memory(name != NULL, error));
    bool is_body = *name != '\0';
    for (int k = 0; k < 6; k++) {
      const char *other = arena_print(&run->memory, "%s.%s", name, seam_start_coordinate(k));
      TRY(check_memory(other != NULL, error));
      is_body = is_body && table_reader_find(run->tables[0], other) != SEAM_NONE;
    }
    if (is_body && mbs_find_body(model, name) == SEAM_NONE && mbs_find_force(model, name) == SEAM_NONE)
      used += (size_t)snprintf(others + used, sizeof others - used, "%s'%.60s'", used > 0 ? ", " : "", name);
  }
  if (used == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "%s: error: these are results of another mechanism, with %s; start from results of the same bodies",
                   run->path, others);
}

/* Finds the row at or before *t (NaN: the last row), and the next row. At a row, up to round-off, both are this row,
 * and *t becomes its time. */
static seam_status find_rows(const run_results *run, const double *times, size_t n, double *t, size_t *row,
                             app_start_rows *rows, seam_error *error) {
  *row = n - 1;
  if (isnan(*t))
    *t = times[n - 1];
  while (*row > 0 && times[*row] > *t)
    (*row)--;
  const size_t next = *row + 1 < n ? *row + 1 : *row;
  const double step = times[next] - times[*row];
  const double tolerance = app_row_time_tolerance * fmax(step, fabs(*t));
  if (*t < times[0] - tolerance || *t > times[n - 1] + tolerance)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: its rows are from %.9g s to %.9g s, without t = %.9g s; give a time between them",
                     run->path, times[0], times[n - 1], *t);
  if (times[next] - *t <= tolerance)
    *row = next;
  const bool is_row = fabs(*t - times[*row]) <= tolerance;
  *t = is_row ? times[*row] : *t;
  *rows = (app_start_rows){.t = *t, .before = times[*row], .after = is_row ? times[*row] : times[next]};
  return SEAM_OK;
}

/* Interpolates a state linearly; x is 0 to 1 between two rows. A sampled state is `before` until its next sample, then
 * `after`. */
static double state_between(const mbs_model *model, size_t state, const app_start_rows *rows, double x, double before,
                            double after) {
  const size_t first = mbs_variable_of(model, 0).state;
  const bool is_variable = state >= first && state - first < mbs_n_variables(model);
  const double period = is_variable ? mbs_variable_of(model, state - first).sample : 0;
  if (period > 0)
    return sample_number(period, rows->t) > sample_number(period, rows->before) ? after : before;
  return (1 - x) * before + x * after;
}

/* Sets *state to that at rows->t. values: columns of time, bodies and states, of n_rows each. */
static void set_state(const mbs_model *model, const double *values, size_t n_rows, size_t row,
                      const app_start_rows *rows, mbs_state *state) {
  const size_t n = 3 * mbs_n_bodies(model);
  const double h = rows->after - rows->before;
  const double x = h > 0 ? (rows->t - rows->before) / h : 0;
  const size_t next = h > 0 ? row + 1 : row;
  state->t = rows->t;
  for (size_t i = 0; i < n; i++) {
    const double *q = values + (1 + i / 3 * 6 + i % 3) * n_rows;
    const double *v = q + 3 * n_rows;
    const double rise = q[next] - q[row];
    state->q[i] = q[row] + h * x * (1 - x) * ((1 - x) * v[row] - x * v[next]) + x * x * (3 - 2 * x) * rise;
    state->v[i] = (1 - x) * (1 - 3 * x) * v[row] + x * (3 * x - 2) * v[next] + (h > 0 ? 6 * x * (1 - x) * rise / h : 0);
  }
  for (size_t k = 0; k < mbs_n_states(model); k++) {
    const double *z = values + (1 + 2 * n + k) * n_rows;
    state->z[k] = mbs_state_of(model, k).is_mode ? 0 : state_between(model, k, rows, x, z[row], z[next]);
  }
}

/* Reads time, x, y, phi, vx, vy, omega of each body, and the states; then sets *state to that at t. */
static seam_status read_rows(run_results *run, const mbs_model *model, double t, mbs_state *state, app_start_rows *rows,
                             seam_error *error) {
  const size_t n = 6 * mbs_n_bodies(model);
  const size_t n_columns = 1 + n + mbs_n_states(model);
  const size_t n_rows = table_reader_n_rows(run->tables[0]);
  size_t row = 0;
  size_t *columns = arena_allocate(&run->memory, n_columns * sizeof *columns);
  double *values = arena_allocate(&run->memory, (n_columns * n_rows + 1) * sizeof *values);
  TRY(check_memory(columns != NULL && values != NULL, error));
  if (n_rows == 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: error: it has no rows to start from; give other results, or run the model again", run->path);
  TRY(run_results_find_in(run, 0, "time", &columns[0], error));
  for (size_t i = 0; i < n; i++) {
    const char *body = mbs_body_of(model, i / 6).name;
    const char *name = arena_print(&run->memory, "%s.%s", body, seam_start_coordinate((int)(i % 6)));
    TRY(check_memory(name != NULL, error));
    columns[i + 1] = table_reader_find(run->tables[0], name);
    if (columns[i + 1] == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: error: there is no column '%s', for body '%s' of the model; start from results of the same "
                       "bodies, with their default columns",
                       run->path, name, body);
  }
  for (size_t k = 0; k < mbs_n_states(model); k++) {
    columns[n + 1 + k] = columns[0]; /* placeholder for a state without name, as a last sample's time */
    const mbs_state_info info = mbs_state_of(model, k);
    if (info.name == NULL)
      continue;
    const char *force = mbs_force_of(model, info.force).name;
    const char *name =
        arena_print(&run->memory, "%s%s%s", force != NULL ? force : "", force != NULL ? "." : "", info.name);
    TRY(check_memory(name != NULL, error));
    columns[n + 1 + k] = table_reader_find(run->tables[0], name);
    if (columns[n + 1 + k] == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: error: there is no column '%s', a state of the model; start from results of an undivided "
                       "run of the same model",
                       run->path, name);
  }
  TRY(table_reader_read(run->tables[0], columns, n_columns, values, error));
  TRY(find_rows(run, values, n_rows, &t, &row, rows, error));
  set_state(model, values, n_rows, row, rows, state);
  return SEAM_OK;
}

seam_status start_from_read(const char *given, const mbs_model *model, const char *json, mbs_state *state,
                            app_start_rows *rows, seam_error *error) {
  char path[LONGEST_PATH];
  double t = NAN;
  run_results run;
  TRY(split(given, path, &t, error));
  seam_status status = run_results_open(path, &run, error);
  THEN(status, check_bodies(&run, model, error));
  THEN(status, read_rows(&run, model, t, state, rows, error));
  if (status == SEAM_OK &&
      !model_changes_list(json_get(run.summary, "model"), json, rows->changes, sizeof rows->changes))
    status = out_of_memory(error);
  if (status == SEAM_OK)
    run_results_note(&run);
  run_results_close(&run);
  return status;
}

char *start_from_table(const char *given) {
  char path[LONGEST_PATH];
  double t = NAN;
  run_results run;
  if (split(given, path, &t, NULL) != SEAM_OK)
    return NULL;
  char *table = run_results_open(path, &run, NULL) == SEAM_OK ? strdup(table_reader_path(run.tables[0])) : NULL;
  run_results_close(&run);
  return table;
}
