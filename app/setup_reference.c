/* `reference:` of a model file names another file with the monolithic model, as when FMUs replace bodies. Both have
 * bodies of the same names, which begin alike. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/setup.h"
#include "app/thresholds.h"
#include "base/then.h"

/* Refuses overrides that change this file alone: the difference between the two would count as error. */
static seam_status check_overrides(const app_options *parsed, const char *reference, seam_error *error) {
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    const char *key = parsed->overrides[i];
    if (strncmp(key, "cosim.", 6) != 0 && strncmp(key, "simulate.", 9) != 0)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: '%.100s' changes this file and not its reference '%.200s': write it into both files", key,
                       reference);
  }
  return SEAM_OK;
}

static seam_status check_start(const app_setup *part, const app_setup *whole, size_t body, size_t at,
                               seam_error *error) {
  static const char *const names[] = {"x", "y", "phi", "vx", "vy", "omega"};
  for (size_t i = 0; i < 6; i++) {
    const double here = i < 3 ? part->state->q[3 * body + i] : part->state->v[3 * body + i - 3];
    const double there = i < 3 ? whole->state->q[3 * at + i] : whole->state->v[3 * at + i - 3];
    if (!(fabs(here - there) <= app_same_start * fmax(1, fabs(there))))
      return seam_fail(error, SEAM_BAD_INPUT,
                       "seam: %s.%s begins at %.9g, in the reference '%.200s' at %.9g: let both files begin alike",
                       mbs_body_of(part->model, body).name, names[i], here, seam_model_reference(part->file), there);
  }
  return SEAM_OK;
}

static seam_status match(const app_setup *part, const app_setup *whole, seam_error *error) {
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < mbs_n_bodies(part->model) && status == SEAM_OK; i++) {
    const char *name = mbs_body_of(part->model, i).name;
    const size_t at = mbs_find_body(whole->model, name);
    if (at == SEAM_NONE)
      return seam_fail(error, SEAM_BAD_INPUT, "seam: the reference '%.200s' has no body '%s': name bodies alike",
                       seam_model_reference(part->file), name);
    status = check_start(part, whole, i, at, error);
  }
  return status;
}

static void say_missing(const app_setup *part, const app_setup *whole) {
  size_t n = 0;
  for (size_t i = 0; i < mbs_n_bodies(whole->model); i++) {
    const char *name = mbs_body_of(whole->model, i).name;
    if (mbs_find_body(part->model, name) == SEAM_NONE)
      fprintf(stderr, "%s%s", n++ == 0 ? "note: no errors are computed for bodies that only the reference has: " : ", ",
              name);
  }
  if (n > 0)
    fputc('\n', stderr);
}

seam_status setup_reference_of(const app_options *parsed, const app_setup *open, app_setup *made, seam_error *error) {
  const char *reference = seam_model_reference(open->file);
  *made = (app_setup){.restarts = open->restarts};
  seam_status status = check_overrides(parsed, reference, error);
  if (status == SEAM_OK && open->from != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: the reference '%.200s' begins as that file says: leave out --from",
                     reference);
  THEN(status, seam_model_file_read(reference, NULL, 0, &made->file, error));
  if (status != SEAM_OK)
    return status;
  made->model = seam_model_mechanism(made->file);
  made->from = seam_model_start_from(made->file);
  status = setup_take_whole(made, false, error);
  THEN(status, setup_assemble(made, error));
  THEN(status, match(open, made, error));
  if (status == SEAM_OK && !options_flag(parsed, "--quiet"))
    say_missing(open, made);
  return status;
}
