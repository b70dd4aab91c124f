#include "app/report/numbers.h"

#include <math.h>

#include "app/report/base64.h"

static bool fits_single(const double *values, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (fabs(values[i]) > 1e38)
      return false;
  return true;
}

void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single) {
  const bool is_single = single && fits_single(values, n);
  json_open(json, key, '{');
  json_raw(json, is_single ? "f4" : "f8", "\"");
  if (is_single) {
    float part[3072]; /* whole groups of base64 */
    for (size_t i = 0; i < n; i += sizeof part / sizeof *part) {
      const size_t m = n - i < sizeof part / sizeof *part ? n - i : sizeof part / sizeof *part;
      for (size_t k = 0; k < m; k++)
        part[k] = (float)values[i + k];
      base64_write(json->file, part, m * sizeof *part);
    }
  } else
    base64_write(json->file, values, n * sizeof *values);
  fputc('"', json->file);
  json_close(json, '}');
}
