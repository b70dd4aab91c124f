/* Base64 (RFC 4648). */
#ifndef APP_REPORT_BASE64_H
#define APP_REPORT_BASE64_H

#include <stddef.h>
#include <stdio.h>

void base64_write(FILE *file, const void *bytes, size_t size);

#endif
