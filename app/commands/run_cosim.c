#include "app/commands/run_cosim.h"

#include <stdlib.h>

#include "app/schemes.h"
#include "base/then.h"

/* Sets the scheme; refuses one that needs a key which the file leaves to collocation. */
static seam_status use_scheme(const app_setup *setup, cosim_builder *builder, const char *scheme, seam_error *error) {
  const char *key = seam_model_left_to_collocation(setup->file);
  const seam_status status = cosim_use_scheme(builder, scheme, error);
  if (status != SEAM_OK || key == NULL || cosim_builder_collocates(builder))
    return status;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "'%s' needs '%s', which the file leaves to collocation schemes: add --set cosim.%s=VALUE", scheme,
                   key, key);
}

/* Applies --threads and --scheme over the file's options. */
static seam_status take_options(const app_options *options, const app_setup *setup, cosim_builder *builder,
                                seam_error *error) {
  const char *scheme = options_value(options, "--scheme");
  cosim_options found = cosim_builder_definition(builder)->options;
  seam_status status = options_threads(options, &found.n_threads, error);
  THEN(status, cosim_set_options(builder, &found, error));
  if (status == SEAM_OK && scheme != NULL)
    status = schemes_refer("--scheme", use_scheme(setup, builder, scheme, error), error);
  return status;
}

seam_status run_cosim_create(const app_options *options, const app_setup *setup, run_cosim *made, seam_error *error) {
  const cosim_builder *of_file = seam_model_cosim(setup->file);
  if (of_file == NULL)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: the model has no section 'cosim'; add 'cosim: {subsystems: ..., macro_step: ..., scheme: ff-k1}'");
  seam_status status = cosim_builder_copy(of_file, &made->builder, error);
  THEN(status, take_options(options, setup, made->builder, error));
  return status == SEAM_OK ? setup_cut(setup, made->builder, &made->simulation, error) : status;
}

void run_cosim_free(run_cosim *made) {
  cosim_destroy(made->simulation);
  cosim_builder_destroy(made->builder);
}
