/* Geometric series of macro steps. */
#include "app/macro_steps.h"

#include <math.h>
#include <stdlib.h>

/* Reads a number and the character behind it. */
static const char *take(const char *text, char behind, double *number) {
  char *end = NULL;
  *number = strtod(text, &end);
  return end == text || *end != behind ? NULL : end + (behind != '\0');
}

static seam_status parse(const char *text, double *from, double *to, size_t *count, seam_error *error) {
  double n = 0;
  const char *at = take(text, ':', from);
  if (at != NULL)
    at = take(at, ':', to);
  if (at != NULL)
    at = take(at, '\0', &n);
  if (at == NULL || !(*from > 0 && *to > 0 && isfinite(*from) && isfinite(*to)) || n != floor(n) || !(n >= 2) ||
      n > MAX_MACRO_STEPS)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: --macro-steps '%s' is not FROM:TO:COUNT, two positive times and a number from 2 to %d, "
                     "such as 1e-2:1e-4:5",
                     text, MAX_MACRO_STEPS);
  *count = (size_t)n;
  return SEAM_OK;
}

seam_status macro_steps_read(const char *text, double end, app_macro_steps *made, seam_error *error) {
  double from = 0;
  double to = 0;
  size_t count = 0;
  const seam_status status = parse(text, &from, &to, &count, error);
  if (status != SEAM_OK)
    return status;
  const double largest = fmax(from, to);
  const double ratio = fmin(from, to) / largest;
  if (largest > end)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: the macro step of %g s in --macro-steps is longer than the run of %g s; take shorter ones",
                     largest, end);
  made->n = 0;
  for (size_t i = 0; i < count; i++) {
    const double wanted = largest * pow(ratio, (double)i / (double)(count - 1));
    const double H = end / round(end / wanted);
    if (made->n == 0 || H < made->H[made->n - 1])
      made->H[made->n++] = H;
  }
  return SEAM_OK;
}
