/* Checks that a scheme fits a mechanism: creates and starts its co-simulation (<seam/analysis.h>). */
#include <seam/analysis.h>

#include "base/argument.h"
#include "base/then.h"

static seam_status start(const mbs_state *state, const cosim_builder *builder, seam_error *error) {
  cosim_simulation *simulation = NULL;
  seam_status status = cosim_create(builder, &simulation, error);
  if (status == SEAM_OK && state != NULL)
    status = cosim_start(simulation, state, error);
  cosim_destroy(simulation);
  return status;
}

seam_status seam_scheme_check(const mbs_state *state, const cosim_builder *builder, const char *scheme,
                              seam_error *error) {
  ARGUMENTS(error, builder);
  cosim_builder *copy = NULL;
  seam_error cause = {0};
  seam_status status = cosim_builder_copy(builder, &copy, error);
  THEN(status, cosim_set_step_control(copy, NULL, error));
  if (status == SEAM_OK && scheme != NULL)
    status = cosim_use_scheme(copy, scheme, error);
  if (status == SEAM_OK && start(state, copy, &cause) != SEAM_OK)
    status = seam_fail_about(error, cause.status, cause.subject, "%s%s%.900s", scheme != NULL ? scheme : "",
                             scheme != NULL ? ": " : "", cause.message);
  cosim_builder_destroy(copy);
  return status;
}
