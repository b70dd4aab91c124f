#include "base/argument.h"

#include <string.h>

seam_status argument_check(const char *function, const char *names, const void *const *pointers, size_t n,
                           seam_error *error) {
  for (size_t i = 0; i < n; i++) {
    const int length = (int)strcspn(names, ",");
    if (pointers[i] == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s(): its argument '%.*s' is NULL, but must be given", function, length,
                       names);
    names += length + (names[length] == ',');
    names += *names == ' ';
  }
  return SEAM_OK;
}

seam_status argument_check_list(const char *what, const char *name, const void *list, size_t n, seam_error *error) {
  if (list != NULL || n == 0)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: its list '%s' is NULL, but has %zu entries: give the list", what, name,
                   n);
}
