#include "app/commands/run_cosim.h"

#include "app/schemes.h"
#include "base/then.h"

seam_status run_cosim_create(const app_options *options, const app_setup *setup, run_cosim *result, seam_error *error) {
  const cosim_builder *file_builder = setup_cosim(setup, error);
  const char *scheme = options_value(options, "--scheme");
  const char *key = seam_model_left_to_collocation(setup->file);
  if (file_builder == NULL)
    return SEAM_BAD_INPUT;
  cosim_options changed = cosim_builder_definition(file_builder)->options;
  seam_status status = setup_begin_equations(setup, options_flag(options, "--quiet"), error);
  THEN(status, cosim_builder_copy(file_builder, &result->builder, error));
  THEN(status, options_threads(options, &changed.n_threads, error));
  THEN(status, cosim_set_options(result->builder, &changed, error));
  if (status == SEAM_OK && scheme != NULL) {
    status = cosim_use_scheme(result->builder, scheme, error);
    if (status == SEAM_OK && key != NULL && !cosim_builder_collocates(result->builder))
      status =
          seam_fail(error, SEAM_BAD_INPUT,
                    "scheme '%s' needs '%s', which the file does not give: add --set cosim.%s=VALUE", scheme, key, key);
    status = schemes_prefix_option("--scheme", status, error);
  }
  return status == SEAM_OK ? setup_cut(setup, result->builder, &result->simulation, error) : status;
}

void run_cosim_free(run_cosim *result) {
  cosim_destroy(result->simulation);
  cosim_builder_destroy(result->builder);
}
