/* Names of all schemes, and their components (<seam/analysis.h>). */
#include <seam/analysis.h>

#include "base/argument.h"
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
