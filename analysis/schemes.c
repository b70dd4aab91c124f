/* Which schemes there are (<seam/analysis.h>). */
#include <stdio.h>

#include <seam/analysis.h>

#include "cosim/master/scheme.h"

/* ---- Names ---- */

size_t seam_scheme_names(bool at_constraint, seam_scheme_name *names, size_t capacity) {
  static const char *const decompositions[] = {"ff", "fd", "df", "dd"};
  static const char *const methods[] = {"", "-d", "-i", "-baumgarte", "-weighted", "-projection", "-index2", "-index1"};
  cosim_scheme scheme;
  size_t n = 0;
  for (size_t d = 0; d < sizeof decompositions / sizeof *decompositions; d++)
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
      for (int k = 0; k <= COSIM_MAX_ORDER; k++) {
        seam_scheme_name name;
        snprintf(name.text, sizeof name.text, "%s%s-k%d", decompositions[d], methods[m], k);
        if (cosim_scheme_parse(name.text, at_constraint, &scheme, NULL) != SEAM_OK)
          continue;
        if (n < capacity)
          names[n] = name;
        n++;
      }
  return n;
}
