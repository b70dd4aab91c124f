/* Data of the animation: the scene, the poses of its bodies, and points of cuts and of elements. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/report/gathered.h"
#include "app/report/markup.h"
#include "base/then.h"
#include "drawing/scene.h"

enum {
  MAX_POSE_NUMBERS = 240000, /* largest number of values in the poses of all runs */
  MIN_FRAMES = 200,
  MAX_POINTS = 40 /* largest number of joints and of force elements whose points are written */
};

/* Frames of a run: each stride-th row, and the last row. */
typedef struct frames {
  size_t rows, stride, n; /* rows: at least 1, number of rows of the trajectory; n: number of frames */
  double *time;           /* (n) */
  double *column;         /* (3 bodies x n) x, y, phi of each body in all frames */
  double *q;              /* (n x 3 bodies) the same values, frame by frame */
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
  double *rows = malloc((batch * result->rows + 1) * sizeof *rows);
  const bool has_memory = result->time != NULL && result->column != NULL && result->q != NULL && rows != NULL;
  seam_status status = has_memory ? SEAM_OK : out_of_memory(error);
  for (size_t first = 0; first < n_columns && status == SEAM_OK; first += batch) {
    const size_t n = n_columns - first < batch ? n_columns - first : batch;
    status = table_reader_read(run->results.tables[run->trajectory], run->poses + first, n, rows, error);
    for (size_t i = 0; i < n && status == SEAM_OK; i++)
      for (size_t k = 0; k < result->n; k++) {
        const double value = rows[i * result->rows + row_of(result, k)];
        result->column[(first + i) * result->n + k] = value;
        result->q[k * n_columns + first + i] = value;
      }
  }
  for (size_t k = 0; k < result->n && status == SEAM_OK; k++)
    result->time[k] = run->time[row_of(result, k)];
  free(rows);
  return status;
}

/* ---- Size of the picture ---- */

/* If the picture contained the whole motion of a diverged run, the mechanism would be a point in it. Therefore a run
 * that did not succeed shows only its first frame and frames near a trusted motion. The trusted motion is that of a
 * successful run or, if there is none, the first half of the run itself. A frame is near if all its centres of mass are
 * in the vicinity: the bounding box of the trusted motion and of the mechanism at the start, extended on all sides by
 * its larger side. */

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
  const seam_status status = read_frames(trusted, &other, memory, error);
  if (status == SEAM_OK)
    extend_by_centres(box, other.q, other.n, n_bodies);
  return status;
}

static bool is_within(const double *q, size_t n_bodies, const scene_box *box) {
  bool result = true;
  for (size_t b = 0; b < n_bodies; b++)
    for (size_t i = 0; i < 2; i++)
      result &= q[3 * b + i] >= box->low[i] && q[3 * b + i] <= box->high[i];
  return result;
}

/* Moves the frames near the trusted motion to the front of result->q; *n: their number. *time_outside: time (s) of the
 * first other frame; unchanged if there is none, or if the run succeeded. */
static seam_status select_near_frames(const report *from, const report_run *run, frames *result, size_t *n,
                                      double *time_outside, arena *memory, seam_error *error) {
  const size_t n_bodies = mbs_n_bodies(run->model);
  *n = result->n;
  if (run_results_status(&run->results) == SEAM_OK)
    return SEAM_OK;
  scene start = {0};
  seam_status status = scene_create(run->file, !run->is_monolithic, (scene_poses){result->q, 1}, &start, error);
  scene_box vicinity = start.box;
  scene_free(&start);
  THEN(status, extend_by_motion(from, result, n_bodies, &vicinity, memory, error));
  const double size = fmax(vicinity.high[0] - vicinity.low[0], vicinity.high[1] - vicinity.low[1]);
  for (int i = 0; i < 2; i++) {
    vicinity.low[i] -= size;
    vicinity.high[i] += size;
  }
  *n = 1;
  for (size_t k = 1; k < result->n && status == SEAM_OK; k++)
    if (is_within(result->q + 3 * n_bodies * k, n_bodies, &vicinity))
      memmove(result->q + 3 * n_bodies * (*n)++, result->q + 3 * n_bodies * k, 3 * n_bodies * sizeof *result->q);
    else if (isnan(*time_outside))
      *time_outside = result->time[k];
  return status;
}

static bool find_cut(const mbs_model *model, const char *name, size_t bodies[2], double points[2][2]) {
  const mbs_joint_info joint = mbs_joint_of(model, mbs_find_joint(model, name));
  const mbs_force_info force = mbs_force_of(model, mbs_find_force(model, name));
  for (int side = 0; side < 2; side++) {
    bodies[side] = joint.name != NULL ? joint.bodies[side] : force.bodies[side];
    memcpy(points[side], joint.name != NULL ? joint.markers[side] : force.markers[side], sizeof points[side]);
  }
  return !isnan(points[0][0]) && !isnan(points[1][0]);
}

static void write_body_point(json_writer *json, const mbs_model *model, size_t body, const double point[2]) {
  json_number(json, "body", body < mbs_n_bodies(model) ? (double)body : -1);
  json_open(json, "at", '[');
  json_number(json, NULL, point[0]);
  json_number(json, NULL, point[1]);
  json_close(json, ']');
}

/* Writes the couplings of cut joints and force elements that act at points of bodies. */
static void write_cuts(json_writer *json, const report_run *run) {
  const json_node *couplings = json_get(json_get(run->results.summary, "cosim"), "couplings");
  size_t bodies[2];
  double points[2][2];
  json_open(json, "cuts", '[');
  for (const json_node *at = couplings != NULL ? couplings->first : NULL; at != NULL; at = at->next)
    if (find_cut(run->model, at->key, bodies, points)) {
      json_open(json, NULL, '{');
      json_string(json, "name", at->key);
      json_open(json, "ends", '[');
      for (int side = 0; side < 2; side++) {
        json_open(json, NULL, '{');
        write_body_point(json, run->model, bodies[side], points[side]);
        json_close(json, '}');
      }
      json_close(json, ']');
      json_close(json, '}');
    }
  json_close(json, ']');
}

static void write_point(json_writer *json, const mbs_model *model, const char *element, bool names_body, size_t body,
                        const double point[2]) {
  char name[512];
  if (body >= mbs_n_bodies(model))
    return;
  snprintf(name, sizeof name, "%s%s%s", element, names_body ? " at " : "",
           names_body ? mbs_body_of(model, body).name : "");
  json_open(json, NULL, '{');
  json_string(json, "name", name);
  write_body_point(json, model, body, point);
  json_close(json, '}');
}

/* Writes the points at which elements are attached to bodies: both points of a force element, but only one point of a
 * joint, because its two points usually coincide. */
static void write_points(json_writer *json, const mbs_model *model) {
  json_open(json, "points", '[');
  for (size_t i = 0; i < mbs_n_joints(model) && i < MAX_POINTS; i++) {
    const mbs_joint_info joint = mbs_joint_of(model, i);
    const int side = joint.bodies[0] == MBS_GROUND;
    if (!isnan(joint.markers[0][0]) && !isnan(joint.markers[1][0]))
      write_point(json, model, joint.name, false, joint.bodies[side], joint.markers[side]);
  }
  for (size_t i = 0; i < mbs_n_forces(model) && i < MAX_POINTS; i++) {
    const mbs_force_info force = mbs_force_of(model, i);
    for (int side = 0; side < 2 && !isnan(force.markers[0][0]) && !isnan(force.markers[1][0]); side++)
      write_point(json, model, force.name, true, force.bodies[side], force.markers[side]);
  }
  json_close(json, ']');
}

seam_status motion_write(json_writer *json, const report *from, const report_run *run, seam_error *error) {
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
