/* Edit distance (insert, delete, replace, interchange of one pair of neighbours: 1 each): one rolling row of Wagner and
 * Fischer's table. */
#include "base/nearest.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 63 }; /* longer names get no hint */

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static size_t edit_distance(const char *a, size_t n_a, const char *b, size_t n_b) {
  size_t row[LONGEST + 1];
  for (size_t j = 0; j <= n_b; j++)
    row[j] = j;
  for (size_t i = 1; i <= n_a; i++) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= n_b; j++) {
      const size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = least(replaced, least(row[j], row[j - 1]) + 1);
    }
  }
  return row[n_b];
}

/* Returns true if two neighbouring letters of a are interchanged in b; both have n letters. */
static bool is_interchanged(const char *a, const char *b, size_t n) {
  size_t i = 0;
  while (i < n && a[i] == b[i])
    i++;
  return i + 1 < n && a[i] == b[i + 1] && a[i + 1] == b[i] && strcmp(a + i + 2, b + i + 2) == 0;
}

nearest nearest_to(const char *wanted) {
  /* Candidates at this distance or farther are not proposed: too many letters differ for a misspelling. Two letters of
   * three are too many; of four they may be interchanged. */
  const size_t n = strlen(wanted);
  return (nearest){.wanted = wanted, .distance = n < 4 ? 2 : n / 3 + 2};
}

void nearest_try(nearest *search, const char *candidate) {
  const size_t n_wanted = strlen(search->wanted);
  const size_t n_candidate = strlen(candidate);
  const size_t gap = n_wanted > n_candidate ? n_wanted - n_candidate : n_candidate - n_wanted;
  if (strcasecmp(search->wanted, candidate) == 0) {
    search->distance = 0;
    search->name = candidate;
  }
  if (n_wanted > LONGEST || n_candidate > LONGEST || gap >= search->distance)
    return;
  const size_t distance = gap == 0 && is_interchanged(search->wanted, candidate, n_wanted)
                              ? 1
                              : edit_distance(search->wanted, n_wanted, candidate, n_candidate);
  if (distance >= search->distance || distance >= n_wanted)
    return;
  search->distance = distance;
  search->name = candidate;
}

void nearest_hint(const nearest *search, char *hint, size_t size) {
  if (search->name)
    snprintf(hint, size, "did you mean '%s'?", search->name);
  else
    hint[0] = '\0';
}
