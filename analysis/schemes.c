/* Which schemes there are (<seam/analysis.h>). */
#include <seam/analysis.h>

#include "cosim/master/scheme.h"

size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity) {
  capacity = names == NULL ? 0 : capacity;
  seam_scheme_name name;
  size_t n = 0;
  for (; cosim_scheme_listed(at_constraint, n, name.text, sizeof name.text); n++)
    if (n < capacity)
      names[n] = name;
  return n;
}
