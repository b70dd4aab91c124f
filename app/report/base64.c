#include "app/report/base64.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *file, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; i += 3) { /* NOLINTBEGIN(clang-analyzer-core.*): all `size` bytes are set */
    const unsigned char *from = (const unsigned char *)bytes + i;
    const size_t n = size - i;
    char text[4];
    /* Three bytes give four digits of six bits each. Missing bytes count as 0; a digit without any given bit is '='. */
    const unsigned word = (unsigned)from[0] << 16 | (n > 1 ? (unsigned)from[1] << 8 : 0) | (n > 2 ? from[2] : 0);
    for (size_t j = 0; j < 4; j++)
      text[j] = j <= n ? digits[word >> (18 - 6 * j) & 63] : '=';
    fwrite(text, 1, sizeof text, file);
  } /* NOLINTEND(clang-analyzer-core.*) */
}

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
    float part[3072]; /* its size is a multiple of three bytes, so that only the last part is padded */
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
