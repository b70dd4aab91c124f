#include "app/macro_steps.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

const char *range_read(const char *text, double *from, double *to, size_t *count) {
  double n = 0;
  int used = 0;
  const bool is_range = sscanf(text, "%lf:%lf:%lf%n", from, to, &n, &used) == 3 && n >= 1 && n <= 1e9 && n == floor(n);
  *count = is_range ? (size_t)n : 0;
  return is_range ? text + used : NULL;
}

seam_status macro_steps_read(const char *text, double end, app_macro_steps *result, seam_error *error) {
  double from = 0;
  double to = 0;
  size_t count = 0;
  const char *tail = range_read(text, &from, &to, &count);
  if (tail == NULL || *tail != '\0' || !(from > 0 && to > 0 && isfinite(from) && isfinite(to)) || count < 2 ||
      count > MAX_MACRO_STEPS)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --macro-steps '%s' is not FROM:TO:COUNT, two positive times and a number from 2 to %d, "
                     "such as 1e-2:1e-4:5",
                     text, MAX_MACRO_STEPS);
  const double largest = fmax(from, to);
  const double ratio = fmin(from, to) / largest;
  if (largest > end)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the macro step of %g s in --macro-steps is longer than the run of %g s; take shorter ones",
                     largest, end);
  result->n = 0;
  for (size_t i = 0; i < count; i++) {
    const double wanted = largest * pow(ratio, (double)i / (double)(count - 1));
    const double H = end / round(end / wanted);
    if (result->n == 0 || H < result->H[result->n - 1])
      result->H[result->n++] = H;
  }
  return SEAM_OK;
}
