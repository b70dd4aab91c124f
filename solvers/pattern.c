#include "solvers/pattern.h"

#include <stdlib.h>
#include <string.h>

seam_pattern seam_pattern_create(int n) { return (seam_pattern){.n = n, .is_recording = true}; }

static void forget_entries(seam_pattern *pattern) {
  free(pattern->recorded_row);
  free(pattern->recorded_column);
  pattern->recorded_row = pattern->recorded_column = NULL;
}

void seam_pattern_destroy(seam_pattern *pattern) {
  forget_entries(pattern);
  free(pattern->start);
  free(pattern->row);
  free(pattern->slot);
  *pattern = (seam_pattern){0};
}

void seam_pattern_add(seam_pattern *pattern, int row, int column, double value) {
  if (!pattern->is_recording) {
    pattern->value[pattern->slot[pattern->count++]] += value;
    return;
  }
  if (pattern->count == pattern->capacity) {
    pattern->capacity = 2 * pattern->capacity + 64;
    int *rows = realloc(pattern->recorded_row, pattern->capacity * sizeof *rows);
    if (rows != NULL)
      pattern->recorded_row = rows;
    int *columns = realloc(pattern->recorded_column, pattern->capacity * sizeof *columns);
    if (columns != NULL)
      pattern->recorded_column = columns;
    pattern->failed = pattern->failed || rows == NULL || columns == NULL;
  }
  if (pattern->failed)
    return;
  pattern->recorded_row[pattern->count] = row;
  pattern->recorded_column[pattern->count++] = column;
}

typedef struct entry {
  int row, column;
  size_t order; /* number in the traversal */
} entry;

static int compare_entries(const void *a, const void *b) {
  const entry *x = a;
  const entry *y = b;
  if (x->column != y->column)
    return x->column < y->column ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

bool seam_pattern_finish(seam_pattern *pattern) {
  const size_t count = pattern->count;
  entry *entries = malloc((count + 1) * sizeof *entries);
  pattern->start = calloc((size_t)pattern->n + 1, sizeof *pattern->start);
  pattern->row = malloc((count + 1) * sizeof *pattern->row);
  pattern->slot = malloc((count + 1) * sizeof *pattern->slot);
  const bool enough =
      !pattern->failed && entries != NULL && pattern->start != NULL && pattern->row != NULL && pattern->slot != NULL;
  if (enough) {
    for (size_t k = 0; k < count; k++)
      entries[k] = (entry){pattern->recorded_row[k], pattern->recorded_column[k], k};
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
  }
  free(entries);
  forget_entries(pattern);
  pattern->is_recording = false;
  return enough;
}

void seam_pattern_begin(seam_pattern *pattern, double *value) {
  memset(value, 0, (size_t)pattern->start[pattern->n] * sizeof *value);
  pattern->value = value;
  pattern->count = 0;
}
