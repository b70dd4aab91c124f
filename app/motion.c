#include "app/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/run_results.h"
#include "app/thresholds.h"
#include "base/then.h"

static seam_status make(motion *result, size_t n_rows, size_t n_bodies, seam_error *error) {
  result->t = calloc(n_rows + 1, sizeof *result->t);
  result->q = calloc(3 * n_bodies * n_rows + 1, sizeof *result->q);
  return check_memory(result->t != NULL && result->q != NULL, error);
}

seam_motion motion_of(const motion *of) {
  return (seam_motion){.t = of->t, .q = of->q, .n = of->n, .label = of->label};
}

void motion_free(motion *result) {
  free(result->t);
  free(result->q);
  *result = (motion){0};
}

/* Fails for fewer than two rows, and for positions whose squares might overflow. If a body rotates far between two
 * rows, interpolated poses separate joints: a note names the body that rotates farthest. */
static seam_status check(const motion *result, const mbs_model *model, const char *of, seam_error *error) {
  const double farthest = 1e100;
  const size_t n = 3 * mbs_n_bodies(model);
  size_t body = 0;
  double most = 0;
  if (result->n < 2)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: fewer than two rows are left to animate; check --from and --to", of);
  for (size_t i = 0; i < n * result->n; i++) {
    if (!(fabs(result->q[i]) <= farthest))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: body '%s' is farther than %g m at t = %.9g s; animate the part before by --to TIME", of,
                       mbs_body_of(model, i % n / 3).name, farthest, result->t[i / n]);
    if (i >= n && i % 3 == 2 && fabs(result->q[i] - result->q[i - n]) > most) {
      most = fabs(result->q[i] - result->q[i - n]);
      body = i % n / 3;
    }
  }
  if (most > app_large_rotation)
    fprintf(stderr,
            "note: '%s' turns by %.3g rad between two rows of %s, so that the animation is wrong between them; run the "
            "model with a smaller --output-step\n",
            mbs_body_of(model, body).name, most, of);
  return SEAM_OK;
}

static seam_status read_rows(run_results *run, const mbs_model *model, double from, double to, motion *result,
                             seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(model);
  const size_t n_rows = table_reader_n_rows(run->tables[0]);
  size_t n_wanted = 0;
  size_t *columns = arena_allocate(&run->memory, (n + 1) * sizeof *columns);
  double *values = arena_allocate(&run->memory, ((n + 1) * n_rows + 1) * sizeof *values); /* times, then poses */
  TRY(check_memory(columns != NULL && values != NULL, error));
  TRY(run_results_find_in(run, 0, "time", &columns[0], error));
  for (size_t i = 0; i < n; i++) {
    const char *body = mbs_body_of(model, i / 3).name;
    const char *name = arena_print(&run->memory, "%s.%s", body, seam_start_coordinate((int)(i % 3)));
    TRY(check_memory(name != NULL, error));
    TRY(run_results_find_in(run, 0, name, &columns[i + 1], error));
  }
  TRY(table_reader_read(run->tables[0], columns, n + 1, values, error));
  TRY(make(result, n_rows, mbs_n_bodies(model), error));
  for (size_t row = 0; row < n_rows; row++)
    n_wanted += values[row] >= from && values[row] <= to;
  for (size_t row = 0; row < n_rows; row += n_wanted / MAX_MOTION_ROWS + 1) {
    if (!(values[row] >= from && values[row] <= to) || (result->n > 0 && values[row] <= result->t[result->n - 1]))
      continue;
    result->t[result->n] = values[row];
    for (size_t i = 0; i < n; i++)
      result->q[result->n * n + i] = values[(i + 1) * n_rows + row];
    result->n++;
  }
  return SEAM_OK;
}

seam_status motion_read(const char *results, const mbs_model *model, double from, double to, motion *result,
                        seam_error *error) {
  run_results run;
  seam_status status = run_results_open(results, &run, error);
  if (status == SEAM_OK && strcmp(run.names[0], "trajectory") != 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: there is no trajectory; name the folder of a run", results);
  THEN(status, read_rows(&run, model, from, to, result, error));
  if (status == SEAM_OK) {
    const char *mark = run_results_mark(&run);
    const double step = run_results_macro_step(&run);
    int used = snprintf(result->label, sizeof result->label, "%.60s", run_results_scheme(&run));
    if (isfinite(step))
      used += snprintf(result->label + used, sizeof result->label - (size_t)used, ", H = %g s", step);
    if (*mark != '\0')
      snprintf(result->label + used, sizeof result->label - (size_t)used, ", %s", mark);
    run_results_note(&run);
  }
  run_results_close(&run);
  return status == SEAM_OK ? check(result, model, results, error) : status;
}

/* Returns the name of a body of `of` that `other` lacks; NULL: there is none. */
static const char *unmatched_body(const mbs_model *of, const mbs_model *other) {
  for (size_t i = 0; i < mbs_n_bodies(of); i++)
    if (mbs_find_body(other, mbs_body_of(of, i).name) == SEAM_NONE)
      return mbs_body_of(of, i).name;
  return NULL;
}

seam_status motion_check_bodies(const char *folder, const mbs_model *model, const char *other_folder,
                                const mbs_model *other, seam_error *error) {
  const char *extra = unmatched_body(model, other);
  const char *missing = unmatched_body(other, model);
  if (extra == NULL && missing == NULL)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s: error: this mechanism differs from that of %s: it has %s body '%s'; give runs of the same bodies", folder,
      other_folder, extra != NULL ? "a" : "no", extra != NULL ? extra : missing);
}

seam_status motion_read_model(const char *results, seam_model_file **file, seam_error *error) {
  run_results run;
  seam_status status = run_results_open(results, &run, error);
  size_t length = 0;
  const char *json = status == SEAM_OK ? run_results_model_json(&run, &length) : NULL;
  const char *name = status == SEAM_OK ? run_results_model(&run) : NULL;
  if (status == SEAM_OK && json == NULL)
    status = seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: there is no summary.json with the model; run the model again, or name the folder of the run", results);
  THEN(status, seam_model_file_show(name != NULL ? name : results, json, length, file, error));
  run_results_close(&run);
  return status;
}

seam_status motion_integrate(const app_setup *setup, double from, double to, motion *result, seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(setup->file);
  const size_t n = 3 * mbs_n_bodies(setup->model);
  const double begin = setup->state->t;
  const double end = fmin(to, simulation->end);
  mbs_integrator *integrator = NULL;
  seam_status status = setup_check_rows(setup, error);
  THEN(status, mbs_integrator_create(setup->model, &simulation->integrator, &integrator, error));
  THEN(status, mbs_integrator_start(integrator, setup->state, error));
  if (status == SEAM_OK) {
    const double given = simulation->output_step;
    const double step = given * fmax(1, ceil((end - fmax(from, begin)) / given / MAX_MOTION_ROWS));
    const size_t n_rows = (size_t)((end - begin) / step * (1 + app_row_count_tolerance)) + 2;
    status = make(result, n_rows, mbs_n_bodies(setup->model), error);
    mbs_integrator_set_stop(integrator, end);
    for (size_t row = 0; row < n_rows && status == SEAM_OK; row++) {
      const double t = fmin(begin + (double)row * step, end);
      if (t > begin)
        status = mbs_integrator_advance(integrator, t, setup->state, error);
      if (status != SEAM_OK || t < from || (result->n > 0 && t <= result->t[result->n - 1]))
        continue;
      result->t[result->n] = t;
      memcpy(result->q + result->n++ * n, setup->state->q, n * sizeof *result->q);
    }
  }
  mbs_integrator_destroy(integrator);
  snprintf(result->label, sizeof result->label, "monolithic");
  return status == SEAM_OK ? check(result, setup->model, seam_model_name(setup->file), error) : status;
}
