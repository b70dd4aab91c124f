/* Base64 (RFC 4648), and lists of numbers in Base64. */
#ifndef APP_REPORT_BASE64_H
#define APP_REPORT_BASE64_H

#include "base/json.h"

void base64_write(FILE *file, const void *bytes, size_t size);

/* Writes a list of numbers as JSON that a browser converts to a typed array: {"f4": BASE64} or {"f8": BASE64},
 * little-endian. Writes floats ("f4") if `single` is true and all numbers are in their range, else doubles ("f8"). */
void numbers_write(json_writer *json, const char *key, const double *values, size_t n, bool single);

#endif
