/* Files of the page that are compiled into the program: app/report/assets, and dygraphs. */
#ifndef APP_REPORT_ASSETS_H
#define APP_REPORT_ASSETS_H

#include <stddef.h>

typedef struct assets_row {
  const char *name;
  const unsigned char *text; /* with a terminating zero */
} assets_row;

extern const assets_row assets_rows[]; /* (assets_size) */
extern const size_t assets_size;

#endif
