/* Maps of stability or errors over two parameters. Points are independent; threads share the rows of the grid. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seam/analysis.h>

#include "analysis/spectrum.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/pool.h"
#include "base/then.h"

/* ---- Model families; a new family is a new row of the table `families` ---- */

/* Finds ρ of a point, or its error. `rigid`: the masses are joined rigidly. */
typedef seam_status analysis_map_function(bool rigid, const double *value, const char *scheme,
                                          seam_stability_point *point, seam_error *error);

typedef struct analysis_parameter {
  const char *name;
  double by_default;
} analysis_parameter;

typedef struct analysis_family {
  const char *name;
  analysis_parameter parameter[SEAM_MAX_MAP_PARAMETERS + 1]; /* a NULL name ends the list */
  seam_map_axis x, y;                                        /* default axes */
  bool rigid;
  analysis_map_function *radius;
  analysis_map_function *error; /* computes the global error of a run in place of ρ; NULL: not available */
} analysis_family;

/* ---- The two-mass test models ---- */

static seam_status radius_of_test_model(bool rigid, const double *value, const char *scheme,
                                        seam_stability_point *point, seam_error *error) {
  const seam_test_model model = {value[0], value[1], value[2], value[3], value[4], value[5], value[6]};
  return rigid ? seam_constraint_stability(&model, scheme, point, error)
               : seam_constitutive_stability(&model, scheme, point, error);
}

static seam_status radius_of_oscillators(bool rigid, const double *value, const char *scheme,
                                         seam_stability_point *point, seam_error *error) {
  const seam_oscillators model = {.m1 = value[0],
                                  .c1 = value[1],
                                  .d1 = value[2],
                                  .m2 = value[3],
                                  .c2 = value[4],
                                  .d2 = value[5],
                                  .cc = value[6],
                                  .dc = value[7]};
  return seam_oscillators_stability(&model, rigid, scheme, value[8], point, error);
}

/* ---- Holds and the model-based correction ---- */

static seam_status radius_of_mbcorr(bool rigid, const double *value, const char *scheme, seam_stability_point *point,
                                    seam_error *error) {
  (void)rigid;
  const seam_mbcorr_model model = {value[0], value[1], value[2]};
  return seam_mbcorr_stability(&model, scheme, point, error);
}

static seam_status error_of_mbcorr(bool rigid, const double *value, const char *scheme, seam_stability_point *point,
                                   seam_error *error) {
  (void)rigid;
  const seam_mbcorr_model model = {value[0], value[1], value[2]};
  seam_mbcorr_nrmse found = {0};
  const seam_status status = seam_mbcorr_errors(&model, scheme, &found, error);
  *point = (seam_stability_point){.rho = found.global};
  return status;
}

/* ---- The table of families ---- */

/* Default values: the constants of [Li] 3.5.4. */
#define OF_OSCILLATORS                                                                                                 \
  {                                                                                                                    \
    {"m1", 1}, {"c1", 1000}, {"d1", 10}, {"m2", 2}, {"c2", 1000}, {"d2", 10}, {"cc", 1000}, {"dc", 10}, {              \
      "macro-step", 1e-2                                                                                               \
    }                                                                                                                  \
  }

static const analysis_family families[] = {
    {"constitutive",
     {{"lambda-r", 0},
      {"lambda-i", 0},
      {"alpha-m21", 1},
      {"alpha-r21", 1},
      {"alpha-i21", 1},
      {"alpha-rc1", 1},
      {"alpha-ic1", 1}},
     {0, -2, 0, 41, false},
     {1, 0, 10, 41, false},
     false,
     radius_of_test_model,
     NULL},
    {"constraint",
     {{"lambda-r", 0}, {"lambda-i", 0}, {"alpha-m21", 1}, {"alpha-r21", 1}, {"alpha-i21", 1}},
     {0, -2, 0, 41, false},
     {1, 0, 10, 41, false},
     true,
     radius_of_test_model,
     NULL},
    {"oscillators", OF_OSCILLATORS, {8, 1e-3, 1, 41, true}, {6, 1, 1e6, 41, true}, false, radius_of_oscillators, NULL},
    {"rigid-oscillators",
     OF_OSCILLATORS,
     {8, 1e-3, 1, 41, true},
     {1, 1, 1e6, 41, true},
     true,
     radius_of_oscillators,
     NULL},
    {"mbcorr",
     {{"ck", 2e5}, {"dk", 5e2}, {"macro-step", 1e-4}},
     {0, 1, 1e10, 41, true},
     {1, 1, 1e7, 41, true},
     false,
     radius_of_mbcorr,
     error_of_mbcorr},
};

enum { MAX_NAMES = 256 };

/* Adds a name to a list with commas. */
static void add_name(const char *name, char list[MAX_NAMES]) {
  const size_t length = strlen(list);
  snprintf(list + length, MAX_NAMES - length, "%s%s", length > 0 ? ", " : "", name);
}

static seam_status find_family(const char *name, const analysis_family **family, seam_error *error) {
  char known[MAX_NAMES] = "";
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (name != NULL && strcmp(families[i].name, name) == 0) {
      *family = &families[i];
      return SEAM_OK;
    }
    add_name(families[i].name, known);
  }
  return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not a model of the stability maps; they are: %s",
                   name == NULL ? "" : name, known);
}

/* ---- Verdicts ---- */

seam_verdict seam_stability_verdict(const seam_stability_point *point) {
  return point == NULL ? SEAM_UNDECIDED
                       : analysis_verdict_of(point->rho, point->uncertainty, 1 + analysis_stable_excess);
}

const char *seam_verdict_text(seam_verdict verdict) {
  static const char *const text[] = {
      [SEAM_STABLE] = "stable", [SEAM_UNSTABLE] = "unstable", [SEAM_UNDECIDED] = "undecided"};
  return (unsigned)verdict < sizeof text / sizeof *text ? text[verdict] : NULL;
}

/* ---- Definitions ---- */

static int count_parameters(const analysis_family *family) {
  int n = 0;
  while (family->parameter[n].name != NULL)
    n++;
  return n;
}

seam_status seam_map_default(const char *model, seam_map *map, seam_error *error) {
  ARGUMENTS(error, model, map);
  const analysis_family *family = NULL;
  const seam_status status = find_family(model, &family, error);
  if (status != SEAM_OK)
    return status;
  *map = (seam_map){.model = family->name, .x = family->x, .y = family->y, .threads = 1};
  for (int i = 0; i < count_parameters(family); i++)
    map->value[i] = family->parameter[i].by_default;
  return SEAM_OK;
}

seam_status seam_map_parameter(const char *model, const char *name, int *index, seam_error *error) {
  ARGUMENTS(error, model, name, index);
  const analysis_family *family = NULL;
  char known[MAX_NAMES] = "";
  const seam_status status = find_family(model, &family, error);
  if (status != SEAM_OK)
    return status;
  for (int i = 0; i < count_parameters(family); i++) {
    if (strcmp(family->parameter[i].name, name) == 0) {
      *index = i;
      return SEAM_OK;
    }
    add_name(family->parameter[i].name, known);
  }
  return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not a parameter of the model '%s'; its parameters are: %s", name,
                   model, known);
}

const char *seam_map_parameter_name(const char *model, int index) {
  const analysis_family *family = NULL;
  if (find_family(model, &family, NULL) != SEAM_OK || index < 0 || index >= count_parameters(family))
    return NULL;
  return family->parameter[index].name;
}

seam_status seam_map_stability(const seam_map *map, seam_stability_point *point, seam_error *error) {
  ARGUMENTS(error, map, point);
  const analysis_family *family = NULL;
  const seam_status status = find_family(map->model, &family, error);
  return status == SEAM_OK ? family->radius(family->rigid, map->value, map->scheme, point, error) : status;
}

static seam_status check_axis(const analysis_family *family, const seam_map_axis *axis, seam_error *error) {
  if (axis->parameter < 0 || axis->parameter >= count_parameters(family))
    return seam_fail(error, SEAM_BAD_INPUT, "an axis of the map needs a parameter of the model '%s'", family->name);
  const char *name = family->parameter[axis->parameter].name;
  if (!isfinite(axis->from) || !isfinite(axis->to))
    return seam_fail(error, SEAM_BAD_INPUT, "the ends of the axis %s of the map must be finite", name);
  if (axis->is_geometric && !(axis->from > 0 && axis->to > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "the ends of the geometric axis %s of the map must be positive", name);
  if (axis->count < 2 || axis->count > 100000)
    return seam_fail(error, SEAM_BAD_INPUT, "the axis %s of the map takes 2 to 100000 points, not %zu", name,
                     axis->count);
  return SEAM_OK;
}

static seam_status check_map(const seam_map *map, const analysis_family *family, seam_error *error) {
  if (!(map->accuracy >= 0) || (map->accuracy > 0 && family->error == NULL))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the map of model '%s' has the error limit %g: give a positive limit, and only for the model mbcorr",
        family->name, map->accuracy);
  seam_status status = check_axis(family, &map->x, error);
  THEN(status, check_axis(family, &map->y, error));
  if (status == SEAM_OK && map->x.parameter == map->y.parameter)
    return seam_fail(error, SEAM_BAD_INPUT, "both axes of the map are %s: name another parameter for one of them",
                     family->parameter[map->x.parameter].name);
  return status;
}

/* ---- Points ---- */

static double value_at(const seam_map_axis *axis, size_t i) {
  const double last = (double)(axis->count - 1);
  if (axis->is_geometric)
    return i == 0 ? axis->from : axis->to * pow(axis->from / axis->to, (last - (double)i) / last);
  return (axis->from * (last - (double)i) + axis->to * (double)i) / last;
}

/* Computes one point. If the scheme is not defined there, ρ is NaN and the status SEAM_OK: the map continues. */
static seam_status find_point(const seam_map *map, const analysis_family *family, seam_map_point *point,
                              seam_error *error) {
  double value[SEAM_MAX_MAP_PARAMETERS];
  memcpy(value, map->value, sizeof value);
  value[map->x.parameter] = point->x;
  value[map->y.parameter] = point->y;
  const seam_status status =
      (map->accuracy > 0 ? family->error : family->radius)(family->rigid, value, map->scheme, &point->found, error);
  if (map->accuracy > 0)
    point->found.rho /= map->accuracy;
  const bool is_undefined = status == SEAM_SINGULAR || status == SEAM_NOT_FINITE;
  if (is_undefined)
    point->found.rho = point->found.uncertainty = NAN;
  point->verdict = seam_stability_verdict(&point->found);
  return is_undefined ? SEAM_OK : status;
}

/* ---- Rows ---- */

typedef struct map_job {
  const seam_map *map;
  const analysis_family *family;
  seam_map_point *points;
  seam_map_progress *progress; /* called only in the thread of the caller */
  void *data;
  pthread_t caller;
  atomic_size_t done;
  atomic_bool stopped;
  pthread_mutex_t lock; /* guards `error` */
  seam_error error;     /* first error of any thread */
} map_job;

static void stop(map_job *job, const seam_error *error) {
  pthread_mutex_lock(&job->lock);
  if (job->error.status == SEAM_OK)
    job->error = *error;
  pthread_mutex_unlock(&job->lock);
  atomic_store(&job->stopped, true);
}

static void find_row(void *context, int row) {
  map_job *job = context;
  const seam_map *map = job->map;
  for (size_t i = 0; i < map->x.count && !atomic_load(&job->stopped); i++) {
    seam_error error = {0};
    seam_map_point *point = &job->points[(size_t)row * map->x.count + i];
    *point = (seam_map_point){.x = value_at(&map->x, i), .y = value_at(&map->y, (size_t)row)};
    if (find_point(map, job->family, point, &error) != SEAM_OK)
      stop(job, &error);
    atomic_fetch_add(&job->done, 1);
  }
  if (job->progress == NULL || atomic_load(&job->stopped) || !pthread_equal(job->caller, pthread_self()))
    return;
  if (!job->progress(job->data, atomic_load(&job->done))) {
    seam_error error;
    seam_fail(&error, SEAM_INTERRUPTED, "the map was interrupted");
    stop(job, &error);
  }
}

static int count_threads(const seam_map *map) {
  const long processors = map->threads > 0 ? map->threads : sysconf(_SC_NPROCESSORS_ONLN);
  return processors < 1 ? 1 : processors > 256 ? 256 : (int)processors;
}

seam_status seam_stability_map(const seam_map *map, seam_map_point *points, seam_map_progress *progress, void *data,
                               seam_error *error) {
  ARGUMENTS(error, map, points);
  ARGUMENTS(error, map->model, map->scheme);
  map_job job = {.map = map,
                 .points = points,
                 .progress = progress,
                 .data = data,
                 .caller = pthread_self(),
                 .lock = PTHREAD_MUTEX_INITIALIZER};
  seam_status status = find_family(map->model, &job.family, error);
  THEN(status, check_map(map, job.family, error));
  if (status != SEAM_OK)
    return status;
  thread_pool *pool = thread_pool_create(count_threads(map));
  if (pool == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for %d threads", count_threads(map));
  thread_pool_run(pool, (int)map->y.count, find_row, &job);
  thread_pool_destroy(pool);
  pthread_mutex_destroy(&job.lock);
  if (job.error.status != SEAM_OK && error != NULL)
    *error = job.error;
  return job.error.status;
}
