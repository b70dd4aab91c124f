/* The mechanism as y' = f(t, y) with y = (q, v, work): q' = v, v' = a of the index-1 form, work' = powers of dampers and
 * loads; projected onto the constraints after every step. */
#include "mbs/workspace.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/erk.h"

enum { options_cookie = 0x1e47, image_magic = 0x5ea3401, image_version = 1 };

struct mbs_integrator {
  const mbs_model *model;
  mbs_workspace *ws;
  mbs_state *now; /* scratch of the right-hand side */
  seam_erk *erk;
};

typedef struct image_head {
  uint32_t magic, version;
  uint64_t n_bodies, n_rows, size;
} image_head;

mbs_integrator_options mbs_default_integrator_options(void) {
  return (mbs_integrator_options){
      .cookie = options_cookie, .method = "erk", .order = 8, .rtol = 1e-8, .atol = 1e-10, .largest_step = INFINITY};
}

/* ---- The mechanism as an ordinary differential equation ---- */

static seam_status rhs(void *context, double t, const double *y, double *dy, seam_error *error) {
  mbs_integrator *self = context;
  const size_t n = 3 * (size_t)self->model->n_bodies;
  self->now->t = t;
  memcpy(self->now->q, y, 2 * n * sizeof *y);
  const seam_status status = mbs_evaluate(self->ws, self->now, error);
  memcpy(dy, y + n, n * sizeof *y);
  memcpy(dy + n, self->now->a, n * sizeof *y);
  dy[2 * n] = self->ws->power.dissipated;
  dy[2 * n + 1] = self->ws->power.driven;
  return status;
}

static seam_status project(void *context, double t, double *y, seam_error *error) {
  mbs_integrator *self = context;
  return mbs_project(self->ws, t, y, y + 3 * self->model->n_bodies, error);
}

/* ---- Creation ---- */

static seam_status check_options(const mbs_integrator_options *options, seam_error *error) {
  if (options->cookie != options_cookie)
    return seam_fail(error, SEAM_BAD_INPUT, "integrator options are not initialised: start from the default");
  if (options->method == NULL || strcmp(options->method, "erk") != 0)
    return seam_fail(error, SEAM_BAD_INPUT, "integrator '%s' is unknown: there is erk",
                     options->method == NULL ? "" : options->method);
  if (!(options->rtol >= 1e-15 && options->rtol < 1 && options->atol > 0 && isfinite(options->atol)))
    return seam_fail(error, SEAM_BAD_INPUT, "rtol %g must be from 1e-15 to below 1, atol %g positive", options->rtol,
                     options->atol);
  if (!(options->step >= 0 && isfinite(options->step) && options->largest_step > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "step %g must be positive (0: adaptive), largest step %g positive",
                     options->step, options->largest_step);
  return SEAM_OK;
}

static seam_status allocate(mbs_integrator *self, const mbs_integrator_options *options, seam_error *error) {
  const size_t n = (size_t)self->model->n_bodies;
  const seam_ode ode = {
      .n = 6 * n + 2, .n_controlled = 6 * n, .rhs = rhs, .project = project, .context = self};
  const seam_erk_options erk_options = {.order = options->order,
                                        .rtol = options->rtol,
                                        .atol = options->atol,
                                        .step = options->step,
                                        .largest_step = options->largest_step};
  self->ws = mbs_workspace_create(self->model, error);
  if (self->ws == NULL) return SEAM_NO_MEMORY;
  self->now = mbs_state_create(self->model);
  if (self->now == NULL) return seam_fail(error, SEAM_NO_MEMORY, "no memory for a state of %zu bodies", n);
  return seam_erk_create(&ode, &erk_options, &self->erk, error);
}

seam_status mbs_integrator_create(const mbs_model *model, const mbs_integrator_options *options,
                                  mbs_integrator **integrator, seam_error *error) {
  seam_status status = check_options(options, error);
  if (status != SEAM_OK) return status;
  mbs_integrator *self = calloc(1, sizeof *self);
  if (self == NULL) return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator");
  self->model = model;
  status = allocate(self, options, error);
  if (status != SEAM_OK) {
    mbs_integrator_destroy(self);
    return status;
  }
  *integrator = self;
  return SEAM_OK;
}

void mbs_integrator_destroy(mbs_integrator *self) {
  if (self == NULL) return;
  seam_erk_destroy(self->erk);
  mbs_state_destroy(self->now);
  mbs_workspace_destroy(self->ws);
  free(self);
}

/* ---- Integration ---- */

seam_status mbs_integrator_start(mbs_integrator *self, const mbs_state *state, seam_error *error) {
  mbs_state_copy(self->now, state);
  const seam_status status = mbs_evaluate(self->ws, self->now, error);
  if (status == SEAM_OK) seam_erk_start(self->erk, state->t, state->q);
  return status;
}

void mbs_integrator_set_stop(mbs_integrator *self, double t) { seam_erk_set_stop(self->erk, t); }

/* Tells whose error could not be kept small. */
static seam_status explain(const mbs_integrator *self, seam_status status, double t, seam_error *error) {
  static const char *const coordinate[3] = {"x", "y", "phi"};
  if (status != SEAM_STEP_FAILED) return status;
  const size_t entry = seam_erk_worst_entry(self->erk) % (3 * (size_t)self->model->n_bodies);
  return seam_fail(error, status,
                   "t = %.9g s: the error of body '%s' (%s) stays above the tolerance however small the step: look for "
                   "a jump in a law or loosen rtol",
                   t, mbs_body_name(self->model, entry / 3), coordinate[entry % 3]);
}

seam_status mbs_integrator_advance(mbs_integrator *self, double t, mbs_state *state, seam_error *error) {
  const seam_status status = seam_erk_advance(self->erk, t, state->q, &state->t, error);
  const seam_status evaluated = mbs_evaluate(self->ws, state, status == SEAM_OK ? error : NULL);
  return status == SEAM_OK ? evaluated : explain(self, status, state->t, error);
}

mbs_statistics mbs_integrator_statistics(const mbs_integrator *self) {
  const seam_erk_statistics s = seam_erk_statistics_of(self->erk);
  return (mbs_statistics){.steps = s.steps,
                          .rejected = s.rejected,
                          .evaluations = s.evaluations,
                          .smallest_step = s.smallest_step,
                          .largest_step = s.largest_step};
}

/* ---- Image ---- */

static image_head head_of(const mbs_integrator *self) {
  return (image_head){.magic = image_magic,
                      .version = image_version,
                      .n_bodies = (uint64_t)self->model->n_bodies,
                      .n_rows = (uint64_t)self->model->n_rows,
                      .size = mbs_integrator_image_size(self)};
}

size_t mbs_integrator_image_size(const mbs_integrator *self) {
  return sizeof(image_head) + seam_erk_image_size(self->erk);
}

void mbs_integrator_save(const mbs_integrator *self, void *image) {
  const image_head head = head_of(self);
  memcpy(image, &head, sizeof head);
  seam_erk_save(self->erk, (char *)image + sizeof head);
}

seam_status mbs_integrator_restore(mbs_integrator *self, const void *image, size_t size, seam_error *error) {
  const image_head expected = head_of(self);
  if (size != expected.size || memcmp(image, &expected, sizeof expected) != 0)
    return seam_fail(error, SEAM_BAD_STATE,
                     "the saved state belongs to another model, method or version of Seam: save it anew");
  seam_erk_restore(self->erk, (const char *)image + sizeof expected);
  return SEAM_OK;
}
