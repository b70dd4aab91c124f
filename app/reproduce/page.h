/* One HTML page about reproduced figures: a table of claims, then each figure with its pictures and numbers. */
#ifndef APP_REPRODUCE_PAGE_H
#define APP_REPRODUCE_PAGE_H

#include "app/reproduce/comparison.h"

typedef struct reproduced {
  description of;
  comparison found;
  char *directory; /* directory of the results */
  double cpu;      /* s, CPU time */
} reproduced;

/* Writes the page of n >= 1 figures of one source, completely or not at all. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status page_write(const reproduced *list, size_t n, const char *path, seam_error *error);

/* Writes a summary: "3 of 4 printed numbers to the last digit, ...". */
void page_summarise(const comparison_counts *counts, char *text, size_t size);

#endif
