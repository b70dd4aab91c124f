#include "base/argument.h"

#include <string.h>

seam_status argument_check(const char *function, const char *names, const void *const *pointers, size_t n,
                           seam_error *error) {
  size_t first = 0;
  while (first < n && pointers[first] != NULL)
    first++;
  if (first == n)
    return SEAM_OK;
  for (size_t i = 0; i < first; i++)
    names += strcspn(names, ",") + strlen(", ");
  return seam_fail(error, SEAM_BAD_INPUT, "%s(): its argument '%.*s' is NULL, but must be given", function,
                   (int)strcspn(names, ","), names);
}

seam_status argument_check_list(const char *what, const char *name, const void *list, size_t n, seam_error *error) {
  if (list != NULL || n == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: its list '%s' is NULL, but has %zu entries: give the list", what, name,
                   n);
}
