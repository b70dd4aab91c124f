#include "app/drawing/motion.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/run_results.h"
#include "app/thresholds.h"
#include "base/then.h"

static seam_status make(motion *made, size_t n_rows, size_t n_bodies, seam_error *error) {
  made->t = calloc(n_rows + 1, sizeof *made->t);
  made->q = calloc(3 * n_bodies * n_rows + 1, sizeof *made->q);
  return made->t != NULL && made->q != NULL ? SEAM_OK : out_of_memory(error);
}

seam_motion motion_of(const motion *of) {
  return (seam_motion){.t = of->t, .q = of->q, .n = of->n, .label = of->label};
}

void motion_free(motion *made) {
  free(made->t);
  free(made->q);
  *made = (motion){0};
}

/* Prints a note if a body turns far between rows: poses are interpolated, and joints open there. */
static void note_turns(const motion *made, const mbs_model *model, const char *of) {
  const size_t n = 3 * mbs_n_bodies(model);
  size_t body = 0;
  double most = 0;
  for (size_t i = n; i < n * made->n; i++)
    if (i % 3 == 2 && fabs(made->q[i] - made->q[i - n]) > most) {
      most = fabs(made->q[i] - made->q[i - n]);
      body = i % n / 3;
    }
  if (most > app_far_turn)
    fprintf(stderr,
            "note: '%s' turns by %.3g rad between two rows of %s, so that the picture is wrong there; run it with a "
            "smaller --output-step\n",
            mbs_body_of(model, body).name, most, of);
}

/* Refuses fewer than two rows, and lengths without finite squares. */
static seam_status check(const motion *made, const mbs_model *model, const char *of, seam_error *error) {
  const double farthest = 1e100;
  const size_t n = 3 * mbs_n_bodies(model);
  if (made->n < 2)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: fewer than two rows are left to animate; check --from and --to", of);
  for (size_t i = 0; i < n * made->n; i++)
    if (!(fabs(made->q[i]) <= farthest))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: body '%s' is farther than %g m at t = %.9g s; animate the part before by --to TIME", of,
                       mbs_body_of(model, i % n / 3).name, farthest, made->t[i / n]);
  note_turns(made, model, of);
  return SEAM_OK;
}

/* ---- Motion of results ---- */

/* Finds the columns of time and poses. */
static seam_status find_columns(const run_results *run, const mbs_model *model, size_t *columns, seam_error *error) {
  static const char *const coordinates[3] = {"x", "y", "phi"};
  seam_status status = run_results_find_beside(run, 0, "time", &columns[0], error);
  for (size_t i = 0; i < 3 * mbs_n_bodies(model) && status == SEAM_OK; i++) {
    char name[512];
    snprintf(name, sizeof name, "%.400s.%s", mbs_body_of(model, i / 3).name, coordinates[i % 3]);
    status = run_results_find_beside(run, 0, name, &columns[i + 1], error);
  }
  return status;
}

static size_t count_rows(const double *time, size_t n_rows, double from, double to) {
  size_t n = 0;
  for (size_t row = 0; row < n_rows; row++)
    n += time[row] >= from && time[row] <= to;
  return n;
}

static void take_rows(const double *columns, size_t n_rows, size_t n, double from, double to, motion *made) {
  const size_t stride = count_rows(columns, n_rows, from, to) / MAX_MOTION_ROWS + 1;
  for (size_t row = 0; row < n_rows; row += stride) {
    if (!(columns[row] >= from && columns[row] <= to) || (made->n > 0 && columns[row] <= made->t[made->n - 1]))
      continue;
    made->t[made->n] = columns[row];
    for (size_t i = 0; i < n; i++)
      made->q[made->n * n + i] = columns[(i + 1) * n_rows + row];
    made->n++;
  }
}

static seam_status read_rows(const run_results *run, const mbs_model *model, double from, double to, motion *made,
                             seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(model);
  const size_t n_rows = table_reader_n_rows(run->tables[0]);
  size_t *columns = calloc(n + 1, sizeof *columns);
  double *values = calloc((n + 1) * n_rows + 1, sizeof *values);
  seam_status status = SEAM_OK;
  if (columns == NULL || values == NULL)
    status = out_of_memory(error);
  else
    status = find_columns(run, model, columns, error);
  THEN(status, table_reader_read(run->tables[0], columns, n + 1, values, error));
  THEN(status, make(made, n_rows, mbs_n_bodies(model), error));
  if (status == SEAM_OK && values != NULL)
    take_rows(values, n_rows, n, from, to, made);
  free(columns);
  free(values);
  return status;
}

static void label(const run_results *run, motion *made) {
  const char *mark = run_results_mark(run);
  const double step = run_results_macro_step(run);
  snprintf(made->label, sizeof made->label, "%.60s", run_results_scheme(run));
  size_t used = strlen(made->label);
  if (isfinite(step))
    used += (size_t)snprintf(made->label + used, sizeof made->label - used, ", H = %g s", step);
  if (*mark != '\0')
    snprintf(made->label + used, sizeof made->label - used, ", %s", mark);
}

seam_status motion_read(const char *results, const mbs_model *model, double from, double to, motion *made,
                        seam_error *error) {
  run_results run;
  seam_status status = run_results_open(results, &run, error);
  if (status == SEAM_OK && strcmp(run.names[0], "trajectory") != 0)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: there is no trajectory; name the folder of a run", results);
  THEN(status, read_rows(&run, model, from, to, made, error));
  if (status == SEAM_OK) {
    label(&run, made);
    run_results_note(&run);
  }
  run_results_close(&run);
  return status == SEAM_OK ? check(made, model, results, error) : status;
}

/* Returns a body of one model that the other lacks, or NULL. */
static const char *strange_body(const mbs_model *of, const mbs_model *other) {
  for (size_t i = 0; i < mbs_n_bodies(of); i++)
    if (mbs_find_body(other, mbs_body_of(of, i).name) == SEAM_NONE)
      return mbs_body_of(of, i).name;
  return NULL;
}

seam_status motion_check_bodies(const char *folder, const mbs_model *model, const char *other_folder,
                                const mbs_model *other, seam_error *error) {
  const char *own = strange_body(model, other);
  const char *missing = strange_body(other, model);
  if (own == NULL && missing == NULL)
    return SEAM_OK;
  return seam_fail(
      error, SEAM_BAD_INPUT,
      "%s: error: this is another mechanism than that of %s, as it has %s body '%s'; give runs of the same "
      "bodies",
      folder, other_folder, own != NULL ? "a" : "no", own != NULL ? own : missing);
}

seam_status motion_read_model(const char *results, seam_model_file **file, seam_error *error) {
  run_results run;
  seam_status status = run_results_open(results, &run, error);
  size_t length = 0;
  const char *json = status == SEAM_OK ? run_results_model_json(&run, &length) : NULL;
  const char *name = status == SEAM_OK ? run_results_model(&run) : NULL;
  if (status == SEAM_OK && json == NULL)
    status =
        seam_fail(error, SEAM_BAD_INPUT,
                  "%s: no summary.json there holds the model; run it again, or name the folder of the run", results);
  THEN(status, seam_model_file_show(name != NULL ? name : results, json, length, file, error));
  run_results_close(&run);
  return status;
}

/* ---- Motion of a model ---- */

static seam_status advance(mbs_integrator *integrator, const app_setup *setup, double from, double end, motion *made,
                           seam_error *error) {
  const size_t n = 3 * mbs_n_bodies(setup->model);
  const double given = seam_model_simulation(setup->file)->output_step;
  const double step = given * fmax(1, ceil((end - from) / given / MAX_MOTION_ROWS));
  const size_t n_rows = (size_t)(end / step * (1 + app_slack_of_rows)) + 2;
  seam_status status = make(made, n_rows, mbs_n_bodies(setup->model), error);
  mbs_integrator_set_stop(integrator, end);
  for (size_t row = 0; row < n_rows && status == SEAM_OK; row++) {
    const double t = fmin((double)row * step, end);
    if (t > 0)
      status = mbs_integrator_advance(integrator, t, setup->state, error);
    if (status != SEAM_OK || t < from || (made->n > 0 && t <= made->t[made->n - 1]))
      continue;
    made->t[made->n] = t;
    memcpy(made->q + made->n++ * n, setup->state->q, n * sizeof *made->q);
  }
  return status;
}

seam_status motion_integrate(const app_setup *setup, double from, double to, motion *made, seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(setup->file);
  mbs_integrator *integrator = NULL;
  seam_status status = setup_check_rows(setup, error);
  THEN(status, mbs_integrator_create(setup->model, &simulation->integrator, &integrator, error));
  THEN(status, mbs_integrator_start(integrator, setup->state, error));
  THEN(status, advance(integrator, setup, from, fmin(to, simulation->end), made, error));
  mbs_integrator_destroy(integrator);
  snprintf(made->label, sizeof made->label, "monolithic");
  return status == SEAM_OK ? check(made, setup->model, seam_model_name(setup->file), error) : status;
}
