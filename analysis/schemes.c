/* Names of all coupling schemes, and the words that compose a name (<seam/analysis.h>). */
#include <seam/analysis.h>

#include "base/argument.h"
#include "base/then.h"
#include "cosim/schemes/scheme.h"

size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity) {
  capacity = names == NULL ? 0 : capacity;
  seam_scheme_name name;
  size_t n = 0;
  for (; cosim_scheme_listed(at_constraint, n, name.text, sizeof name.text); n++)
    if (n < capacity)
      names[n] = name;
  return n;
}

seam_status seam_scheme_read(const char *name, seam_scheme_words *words, seam_error *error) {
  ARGUMENTS(error, name, words);
  cosim_scheme scheme;
  const seam_status status = cosim_scheme_read(name, &scheme, error);
  *words = (seam_scheme_words){.decomposition = cosim_decomposition_name(scheme.decomposition),
                               .method = cosim_method_name(scheme.method),
                               .order = scheme.order,
                               .iteration = cosim_iteration_name(scheme.iteration)};
  return status;
}

seam_status seam_scheme_check(const mbs_state *state, const cosim_builder *builder, const char *scheme,
                              seam_error *error) {
  ARGUMENTS(error, builder);
  cosim_builder *copy = NULL;
  cosim_simulation *simulation = NULL;
  seam_error cause = {0};
  cosim_options options = cosim_builder_definition(builder)->options;
  options.exact_history = false; /* integration backwards may fail over this macro step, but a run may use another */
  seam_status status = cosim_builder_copy(builder, &copy, error);
  THEN(status, cosim_set_step_control(copy, NULL, error));
  THEN(status, cosim_set_options(copy, &options, error));
  if (status == SEAM_OK && scheme != NULL)
    status = cosim_use_scheme(copy, scheme, error);
  seam_status started = status == SEAM_OK ? cosim_create(copy, &simulation, &cause) : SEAM_OK;
  if (simulation != NULL && state != NULL)
    started = cosim_start(simulation, state, &cause);
  if (started != SEAM_OK)
    status = seam_fail_about(error, cause.status, cause.subject, "%s%s%.900s", scheme != NULL ? scheme : "",
                             scheme != NULL ? ": " : "", cause.message);
  cosim_destroy(simulation);
  cosim_builder_destroy(copy);
  return status;
}
