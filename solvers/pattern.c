#include "solvers/pattern.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

typedef struct seam_pattern_entry {
  int row, column;
  size_t order; /* number in the traversal */
} entry;

seam_pattern seam_pattern_create(int n) { return (seam_pattern){.n = n}; }

void seam_pattern_destroy(seam_pattern *pattern) {
  free(pattern->recorded);
  free(pattern->start);
  free(pattern->row);
  free(pattern->slot);
  *pattern = (seam_pattern){0};
}

void seam_pattern_add(seam_pattern *pattern, int row, int column, double value) {
  if (pattern->slot != NULL) {
    pattern->value[pattern->slot[pattern->count++]] += value;
    return;
  }
  entry *recorded = array_grow(pattern->recorded, &pattern->capacity, pattern->count + 1, sizeof *recorded);
  if (recorded == NULL) {
    pattern->failed = true;
    return;
  }
  pattern->recorded = recorded;
  recorded[pattern->count] = (entry){row, column, pattern->count};
  pattern->count++;
}

static int compare_entries(const void *a, const void *b) {
  const entry *x = a;
  const entry *y = b;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

bool seam_pattern_finish(seam_pattern *pattern) {
  const size_t count = pattern->count;
  entry *entries = pattern->recorded;
  pattern->start = calloc((size_t)pattern->n + 1, sizeof *pattern->start);
  pattern->row = malloc((count + 1) * sizeof *pattern->row);
  pattern->slot = malloc((count + 1) * sizeof *pattern->slot);
  if (pattern->failed || pattern->start == NULL || pattern->row == NULL || pattern->slot == NULL)
    return false;
  if (count > 0) /* qsort() does not take NULL */
    qsort(entries, count, sizeof *entries, compare_entries);
  int filled = 0;
  for (size_t k = 0; k < count; k++) {
    if (k == 0 || compare_entries(&entries[k], &entries[k - 1]) != 0)
      pattern->row[filled++] = entries[k].row;
    pattern->slot[entries[k].order] = filled - 1;
    pattern->start[entries[k].column + 1] = filled;
  }
  for (int j = 0; j < pattern->n; j++)
    if (pattern->start[j + 1] < pattern->start[j])
      pattern->start[j + 1] = pattern->start[j];
  free(entries);
  pattern->recorded = NULL;
  return true;
}

void seam_pattern_begin(seam_pattern *pattern, double *value) {
  memset(value, 0, (size_t)pattern->start[pattern->n] * sizeof *value);
  pattern->value = value;
  pattern->count = 0;
}
