/* Writes the data of the page as JSON: animation, plots and events of each run. Long tables lose rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/decimate.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "app/results/output.h"
#include "base/dotted.h"
#include "base/memory_stream.h"
#include "base/then.h"
#include "drawing/scene.h"

enum { BATCH_NUMBERS = 8000000 }; /* values of a table that are in memory at once */

/* ---- Animation: the scene, the poses of its bodies, and points of cuts and of elements ---- */

enum {
  MAX_POSE_NUMBERS = 240000, /* values in the poses of all runs */
  MIN_FRAMES = 200,
  MAX_ELEMENTS = 40 /* joints, and force elements, whose points are written */
};

/* Frames of a run: each stride-th row, and the last row. */
typedef struct frames {
  size_t rows, stride, n; /* rows: of the trajectory, at least 1; n: number of frames */
  double *time;           /* (n) */
  double *column;         /* (3 bodies x n) x, y, phi of each body in all frames */
  double *q;              /* (n x 3 bodies) the same, frame by frame */
} frames;

static frames frames_of(const report *from, const report_run *run) {
  frames result = {.rows = table_reader_n_rows(run->results.tables[run->trajectory])};
  const size_t wanted = MAX_POSE_NUMBERS / (3 * mbs_n_bodies(run->model) * from->n_runs);
  const size_t most = wanted > MIN_FRAMES ? wanted : MIN_FRAMES;
  result.stride = (result.rows + most - 1) / most;
  result.n = (result.rows - 1 + result.stride - 1) / result.stride + 1;
  return result;
}

static size_t row_of(const frames *of, size_t frame) {
  return frame * of->stride < of->rows ? frame * of->stride : of->rows - 1;
}

/* Reads times and poses of the frames, several columns at a time. */
static seam_status read_frames(const report_run *run, frames *result, arena *memory, seam_error *error) {
  const size_t n_columns = 3 * mbs_n_bodies(run->model);
  const size_t batch = result->rows < BATCH_NUMBERS ? BATCH_NUMBERS / (result->rows + 1) + 1 : 1;
  result->time = arena_allocate(memory, (result->n + 1) * sizeof *result->time);
  result->column = arena_allocate(memory, (n_columns * result->n + 1) * sizeof *result->column);
  result->q = arena_allocate(memory, (n_columns * result->n + 1) * sizeof *result->q);
  double *rows = arena_allocate(memory, (batch * result->rows + 1) * sizeof *rows);
  TRY(check_memory(result->time != NULL && result->column != NULL && result->q != NULL && rows != NULL, error));
  for (size_t first = 0; first < n_columns; first += batch) {
    const size_t n = n_columns - first < batch ? n_columns - first : batch;
    TRY(table_reader_read(run->results.tables[run->trajectory], run->poses + first, n, rows, error));
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < result->n; k++) {
        const double value = rows[i * result->rows + row_of(result, k)];
        result->column[(first + i) * result->n + k] = value;
        result->q[k * n_columns + first + i] = value;
      }
  }
  for (size_t k = 0; k < result->n; k++)
    result->time[k] = run->time[row_of(result, k)];
  return SEAM_OK;
}

/* A diverged run would shrink the mechanism to a point of the picture. A run that did not succeed therefore shows its
 * first frame and the frames near a trusted motion. This motion is that of a successful run or, if there is none, the
 * first half of the run itself.
 *
 * A frame is near if all its centres of mass are in the vicinity. The vicinity is the bounding box of the trusted
 * motion and of the mechanism at the start. Each side of this box is moved outwards by the length of the longer side.
 */

static void extend_by_centres(scene_box *box, const double *q, size_t n_frames, size_t n_bodies) {
  for (size_t k = 0; k < n_frames * n_bodies; k++)
    scene_extend(box, q + 3 * k);
}

static seam_status extend_by_motion(const report *from, const frames *own, size_t n_bodies, scene_box *box,
                                    arena *memory, seam_error *error) {
  const report_run *trusted = NULL;
  for (size_t i = 0; i < from->n_runs && trusted == NULL; i++)
    if (run_results_status(&from->runs[i].results) == SEAM_OK && from->runs[i].poses != NULL)
      trusted = &from->runs[i];
  if (trusted == NULL) {
    extend_by_centres(box, own->q, (own->n + 1) / 2, n_bodies);
    return SEAM_OK;
  }
  frames other = frames_of(from, trusted);
  TRY(read_frames(trusted, &other, memory, error));
  extend_by_centres(box, other.q, other.n, n_bodies);
  return SEAM_OK;
}

static bool is_within(const double *q, size_t n_bodies, const scene_box *box) {
  bool result = true;
  for (size_t b = 0; b < n_bodies; b++)
    for (size_t i = 0; i < 2; i++)
      result &= q[3 * b + i] >= box->low[i] && q[3 * b + i] <= box->high[i];
  return result;
}

/* Moves the near frames to the front of result->q; *n: their number. *time_outside: time (s) of the first frame that is
 * not near; unchanged if all are near, or if the run succeeded. */
static seam_status select_near_frames(const report *from, const report_run *run, frames *result, size_t *n,
                                      double *time_outside, arena *memory, seam_error *error) {
  const size_t n_bodies = mbs_n_bodies(run->model);
  *n = result->n;
  if (run_results_status(&run->results) == SEAM_OK)
    return SEAM_OK;
  scene start = {0};
  const seam_status status = scene_create(run->file, !run->is_monolithic, (scene_poses){result->q, 1}, &start, error);
  scene_box vicinity = start.box;
  scene_free(&start);
  TRY(status);
  TRY(extend_by_motion(from, result, n_bodies, &vicinity, memory, error));
  const double size = fmax(vicinity.high[0] - vicinity.low[0], vicinity.high[1] - vicinity.low[1]);
  for (int i = 0; i < 2; i++) {
    vicinity.low[i] -= size;
    vicinity.high[i] += size;
  }
  *n = 1;
  for (size_t k = 1; k < result->n; k++)
    if (is_within(result->q + 3 * n_bodies * k, n_bodies, &vicinity))
      memmove(result->q + 3 * n_bodies * (*n)++, result->q + 3 * n_bodies * k, 3 * n_bodies * sizeof *result->q);
    else if (isnan(*time_outside))
      *time_outside = result->time[k];
  return SEAM_OK;
}

/* Writes a point of a body, which is -1 for the ground. name NULL: the point has none. */
static void write_point(json_writer *json, const mbs_model *model, const char *name, size_t body,
                        const double point[2]) {
  json_open(json, NULL, '{');
  if (name != NULL)
    json_string(json, "name", name);
  json_number(json, "body", body < mbs_n_bodies(model) ? (double)body : -1);
  json_open(json, "at", '[');
  json_number(json, NULL, point[0]);
  json_number(json, NULL, point[1]);
  json_close(json, ']');
  json_close(json, '}');
}

/* Writes the cut joints and force elements that act at points of bodies. */
static void write_cuts(json_writer *json, const report_run *run) {
  const mbs_model *model = run->model;
  const json_node *at = json_first(json_get(json_get(run->results.summary, "cosim"), "couplings"));
  json_open(json, "cuts", '[');
  for (; at != NULL; at = at->next) {
    const mbs_joint_info joint = mbs_joint_of(model, mbs_find_joint(model, at->key));
    const mbs_force_info force = mbs_force_of(model, mbs_find_force(model, at->key));
    const bool is_joint = joint.name != NULL;
    const double(*points)[2] = is_joint ? joint.markers : force.markers;
    if (isnan(points[0][0]) || isnan(points[1][0]))
      continue;
    json_open(json, NULL, '{');
    json_string(json, "name", at->key);
    json_open(json, "ends", '[');
    for (int side = 0; side < 2; side++)
      write_point(json, model, NULL, (is_joint ? joint.bodies : force.bodies)[side], points[side]);
    json_close(json, ']');
    json_close(json, '}');
  }
  json_close(json, ']');
}

/* Writes the points at which elements are attached to bodies; of a joint one, since both usually coincide. */
static void write_points(json_writer *json, const mbs_model *model) {
  json_open(json, "points", '[');
  for (size_t i = 0; i < mbs_n_joints(model) && i < MAX_ELEMENTS; i++) {
    const mbs_joint_info joint = mbs_joint_of(model, i);
    const int side = joint.bodies[0] == MBS_GROUND;
    if (!isnan(joint.markers[0][0]) && !isnan(joint.markers[1][0]) && joint.bodies[side] != MBS_GROUND)
      write_point(json, model, joint.name, joint.bodies[side], joint.markers[side]);
  }
  for (size_t i = 0; i < mbs_n_forces(model) && i < MAX_ELEMENTS; i++) {
    const mbs_force_info force = mbs_force_of(model, i);
    for (int side = 0; side < 2 && !isnan(force.markers[0][0]) && !isnan(force.markers[1][0]); side++) {
      char name[512];
      if (force.bodies[side] == MBS_GROUND)
        continue;
      snprintf(name, sizeof name, "%s at %s", force.name, mbs_body_of(model, force.bodies[side]).name);
      write_point(json, model, name, force.bodies[side], force.markers[side]);
    }
  }
  json_close(json, ']');
}

static seam_status write_motion(json_writer *json, const report *from, const report_run *run, seam_error *error) {
  const size_t n_bodies = mbs_n_bodies(run->model);
  if (run->poses == NULL)
    return SEAM_OK;
  arena memory = {0};
  scene drawn = {0};
  frames result = frames_of(from, run);
  size_t n_near = 0;
  double time_outside = NAN;
  seam_status status = read_frames(run, &result, &memory, error);
  THEN(status, select_near_frames(from, run, &result, &n_near, &time_outside, &memory, error));
  THEN(status, scene_create(run->file, !run->is_monolithic, (scene_poses){result.q, n_near}, &drawn, error));
  if (status == SEAM_OK) {
    if (!isnan(time_outside))
      json_number(json, "astray", time_outside);
    scene_write_json(&drawn, json, "scene");
    static const char *const names[3] = {"x", "y", "phi"};
    json_open(json, "frames", '{'); /* angles are doubles, because they may be large */
    if (result.stride > 1)
      json_count(json, "rows", result.rows);
    numbers_write(json, "time", result.time, result.n, false);
    json_open(json, "bodies", '[');
    for (size_t body = 0; body < n_bodies; body++) {
      json_open(json, NULL, '{');
      for (size_t i = 0; i < 3; i++)
        numbers_write(json, names[i], result.column + (3 * body + i) * result.n, result.n, i < 2);
      json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
    write_cuts(json, run);
    write_points(json, run->model);
  }
  scene_free(&drawn);
  arena_release(&memory);
  return status;
}

/* ---- Columns of the plots, in single precision ---- */

enum {
  MAX_COMPLETE_ROWS = 5000,      /* rows of a table that is written completely */
  MAX_COMPLETE_NUMBERS = 600000, /* values in the tables of all runs, if these are written completely */
  MAX_NUMBERS = 320000,          /* values written for all runs, if rows are left out */
  MAX_POINTS = 3000,             /* most points of a column, if rows are left out */
  MIN_POINTS = 200,              /* least points of a column; columns are left out if there are too many for this */
  MAX_BATCH = 256                /* columns read in one pass */
};

typedef struct plotted_table {
  const report_run *run;
  size_t table;
  const table_reader *reader;
  const table_reader *monolithic; /* table of the monolithic run at the same times; NULL: no differences */
  size_t n_rows, n_columns;
  size_t max_points;         /* points per column; 0: all rows are written */
  size_t first;              /* first column that is written */
  arena memory;              /* memory of the arrays */
  double *time;              /* (n_rows) */
  double *values;            /* (batch x n_rows) */
  double *monolithic_values; /* (batch x n_rows) values of the monolithic run */
  size_t *rows;              /* (2 n_rows) scratch: indices of the written rows of a column */
  double *thinned;           /* (n_rows) scratch */
} plotted_table;

static const size_t time_column = 0;

static seam_status find_monolithic(plotted_table *self, const report *from, seam_error *error) {
  if (!from->has_monolithic || self->run == from->runs || self->table != self->run->trajectory)
    return SEAM_OK;
  const table_reader *reader = from->runs->results.tables[from->runs->trajectory];
  if (table_reader_n_rows(reader) != self->n_rows || table_reader_n_columns(reader) != self->n_columns)
    return SEAM_OK;
  for (size_t i = 0; i < self->n_columns; i++)
    if (strcmp(table_reader_name(reader, i), table_reader_name(self->reader, i)) != 0)
      return SEAM_OK;
  TRY(table_reader_read(reader, &time_column, 1, self->thinned, error));
  if (memcmp(self->thinned, self->time, self->n_rows * sizeof *self->time) == 0)
    self->monolithic = reader;
  return SEAM_OK;
}

static size_t batch_size(const plotted_table *self) {
  const size_t n = BATCH_NUMBERS / (self->n_rows + 1);
  return n < 1 ? 1 : n > MAX_BATCH ? MAX_BATCH : n;
}

static seam_status plotted_table_open(const report *from, const report_run *run, size_t table, plotted_table *self,
                                      seam_error *error) {
  *self = (plotted_table){.run = run, .table = table, .reader = run->results.tables[table], .first = 1};
  self->n_rows = table_reader_n_rows(self->reader);
  self->n_columns = table_reader_n_columns(self->reader);
  const size_t batch = batch_size(self);
  const size_t n = self->n_rows + 1;
  self->time = arena_allocate(&self->memory, n * sizeof *self->time);
  self->thinned = arena_allocate(&self->memory, n * sizeof *self->thinned);
  self->rows = arena_allocate(&self->memory, 2 * n * sizeof *self->rows);
  self->values = arena_allocate(&self->memory, batch * n * sizeof *self->values);
  self->monolithic_values = arena_allocate(&self->memory, batch * n * sizeof *self->monolithic_values);
  if (!self->time || !self->thinned || !self->rows || !self->values || !self->monolithic_values)
    return out_of_memory(error);
  /* The first columns, those of bodies, are left out. Energies, joints and measures come after them and stay. */
  if (self->n_rows > MAX_COMPLETE_ROWS || self->n_rows * self->n_columns * from->n_runs > MAX_COMPLETE_NUMBERS) {
    size_t n_shown = 0;
    for (size_t r = 0; r < from->n_runs; r++)
      for (size_t i = 0; i < from->runs[r].results.n_tables; i++)
        n_shown += table_reader_n_columns(from->runs[r].results.tables[i]);
    const size_t share = MAX_NUMBERS / (n_shown + 1);
    self->max_points = share > MAX_POINTS ? MAX_POINTS : share < MIN_POINTS ? MIN_POINTS : share;
    const size_t most = MAX_NUMBERS / MIN_POINTS / (from->n_runs > 1 ? from->n_runs : 1);
    self->first = self->n_columns > most + 1 ? self->n_columns - most : 1;
  }
  TRY(table_reader_read(self->reader, &time_column, 1, self->time, error));
  return find_monolithic(self, from, error);
}

static void describe(const plotted_table *self, size_t column, json_writer *json) {
  const run_results *results = &self->run->results;
  const char *element = run_results_column(results, self->table, column, "element");
  const char *unit = run_results_column(results, self->table, column, "unit");
  static const char *const without_note[] = {"m", "rad", "m/s", "rad/s", "J"};
  bool needs_no_note = self->table != self->run->trajectory;
  for (size_t i = 0; i < sizeof without_note / sizeof *without_note; i++)
    needs_no_note |= strcmp(unit, without_note[i]) == 0;
  /* Between macro points, forces and accelerations follow from interpolated motion. They get a note. */
  const char *unchecked =
      needs_no_note ? NULL : json_text(json_get(results->summary, "cosim"), "reactions_between_macro_points");
  const char *meaning = run_results_column(results, self->table, column, "meaning");
  if (*element == '\0')
    element = table_reader_name(self->reader, column);
  const char *quantity = run_results_column(results, self->table, column, "quantity");
  char name[512];
  dotted_name(element, quantity, name, sizeof name);
  json_string(json, "name", name);
  json_string(json, "element", element);
  json_string(json, "table", results->names[self->table]);
  json_string(json, "unit", unit);
  if (*meaning != '\0')
    json_string(json, "meaning", meaning);
  if (unchecked != NULL)
    json_string(json, "unchecked", unchecked);
  const mbs_model *model = self->run->model;
  if (self->table == self->run->trajectory && strcmp(element, "energy") != 0 &&
      mbs_find_body(model, element) == SEAM_NONE && mbs_find_joint(model, element) == SEAM_NONE &&
      mbs_find_force(model, element) == SEAM_NONE)
    json_raw(json, "isMeasure", "true");
}

static int by_number(const void *a, const void *b) {
  const size_t left = *(const size_t *)a;
  const size_t right = *(const size_t *)b;
  return left < right ? -1 : left > right;
}

static void write_thinned(plotted_table *self, json_writer *json, const char *key, const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    self->thinned[i] = values[self->rows[i]];
  numbers_write(json, key, self->thinned, n, true);
}

/* Writes the values of a column, and their difference from the monolithic run (NULL: none). The rows of a long column
 * that are written contain the extremes of both. */
static void write_values(plotted_table *self, json_writer *json, const double *values, const double *difference) {
  if (self->max_points == 0) {
    json_count(json, "time", self->table);
    numbers_write(json, "values", values, self->n_rows, true);
    if (difference != NULL)
      numbers_write(json, "difference", difference, self->n_rows, true);
    return;
  }
  const size_t n_cells = self->max_points / (difference != NULL ? 8 : 4);
  size_t n_chosen = decimate(self->time, values, self->n_rows, n_cells, self->rows);
  if (difference != NULL)
    n_chosen += decimate(self->time, difference, self->n_rows, n_cells, self->rows + n_chosen);
  qsort(self->rows, n_chosen, sizeof *self->rows, by_number);
  size_t n = 0; /* rows without repetitions */
  for (size_t i = 0; i < n_chosen; i++)
    if (n == 0 || self->rows[n - 1] != self->rows[i])
      self->rows[n++] = self->rows[i];
  json_count(json, "rows", self->n_rows);
  write_thinned(self, json, "time", self->time, n);
  write_thinned(self, json, "values", values, n);
  if (difference != NULL)
    write_thinned(self, json, "difference", difference, n);
}

static seam_status write_columns(plotted_table *self, json_writer *json, seam_error *error) {
  const size_t batch = batch_size(self);
  for (size_t first = self->first; first < self->n_columns; first += batch) {
    const size_t n = self->n_columns - first < batch ? self->n_columns - first : batch;
    size_t columns[MAX_BATCH];
    for (size_t i = 0; i < n; i++)
      columns[i] = first + i;
    TRY(table_reader_read(self->reader, columns, n, self->values, error));
    if (self->monolithic != NULL)
      TRY(table_reader_read(self->monolithic, columns, n, self->monolithic_values, error));
    for (size_t i = 0; i < n; i++) {
      const double *values = self->values + i * self->n_rows;
      double *difference = self->monolithic != NULL ? self->monolithic_values + i * self->n_rows : NULL;
      for (size_t k = 0; k < self->n_rows && difference != NULL; k++)
        difference[k] = values[k] - difference[k]; /* from the monolithic run */
      json_open(json, NULL, '{');
      describe(self, first + i, json);
      write_values(self, json, values, difference);
      json_close(json, '}');
    }
  }
  return SEAM_OK;
}

/* A table that loses rows has no common times: each of its columns has its own. */
static seam_status write_plots(json_writer *json, const report *from, const report_run *run, seam_error *error) {
  plotted_table tables[MAX_RUN_TABLES] = {{0}};
  seam_status status = SEAM_OK;
  size_t left_out = 0;
  json_open(json, "times", '[');
  for (size_t i = 0; i < run->results.n_tables && status == SEAM_OK; i++) {
    status = plotted_table_open(from, run, i, &tables[i], error);
    if (status == SEAM_OK)
      numbers_write(json, NULL, tables[i].time, tables[i].max_points == 0 ? tables[i].n_rows : 0, false);
  }
  json_close(json, ']');
  json_open(json, "columns", '[');
  for (size_t i = 0; i < run->results.n_tables; i++) {
    THEN(status, write_columns(&tables[i], json, error));
    left_out += tables[i].first - 1;
    arena_release(&tables[i].memory);
  }
  json_close(json, ']');
  json_count(json, "leftOut", left_out);
  return status;
}

/* ---- All runs ---- */

static seam_status write_events(json_writer *json, const report_run *run, seam_error *error) {
  run_events events = {0};
  const seam_status status = run_events_read(&run->results, &events, error);
  json_open(json, "events", '[');
  for (size_t i = 0; i < events.n && status == SEAM_OK; i++) {
    json_open(json, NULL, '{');
    json_string(json, "name", events.list[i].name);
    json_number(json, "time", events.list[i].time);
    json_close(json, '}');
  }
  json_close(json, ']');
  json_number(json, "eventsLeftOut", (double)events.n_left_out);
  run_events_free(&events);
  return status;
}

seam_status report_make_data(report *from, seam_error *error) {
  FILE *stream = memory_stream_open(&from->data, &from->n_data);
  TRY(check_memory(stream != NULL, error));
  json_writer json = {.file = stream};
  seam_status status = SEAM_OK;
  json_open(&json, NULL, '{');
  json_open(&json, "runs", '[');
  for (size_t i = 0; i < from->n_runs && status == SEAM_OK; i++) {
    const report_run *run = &from->runs[i];
    json_open(&json, NULL, '{');
    json_string(&json, "name", run->name);
    json_string(&json, "status", run->status);
    json_raw(&json, "isWhole", from->has_monolithic && i == 0 ? "true" : "false");
    json_number(&json, "end", run->end);
    status = write_events(&json, run, error);
    THEN(status, write_motion(&json, from, run, error));
    THEN(status, write_plots(&json, from, run, error));
    json_close(&json, '}');
  }
  json_close(&json, ']');
  json_close(&json, '}');
  return memory_stream_close(stream, &from->data) ? status : out_of_memory(error);
}
