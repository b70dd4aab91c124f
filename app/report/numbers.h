/* Lists of numbers as JSON that a browser turns into typed arrays: {"f4": BASE64} or {"f8": BASE64}, little-endian. */
#ifndef APP_REPORT_NUMBERS_H
#define APP_REPORT_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/json.h"

/* Writes floats if `single` and they fit, else doubles. */
void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single);

#endif
