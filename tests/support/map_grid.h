/* Maps of 41 x 41 points, as the dissertation draws them. */
#ifndef TESTS_SUPPORT_MAP_GRID_H
#define TESTS_SUPPORT_MAP_GRID_H

#include <seam/analysis.h>

#include "tests/support/data_table.h"

enum { side = 41, n_points = side * side };

extern seam_map_point points[n_points]; /* of the last map */

typedef struct counts {
  size_t stable, unstable, undecided;
  size_t by_oracle; /* what double precision left undecided */
} counts;

/* Finds the map, of n_points at most; fails the test when that fails. */
counts count(const seam_map *map);
/* The same of a constitutive or constraint map, whose undecided points the oracle decides. */
counts count_decided(const seam_map *map);

/* The map of a figure of chapter 3: all ratios equal to alpha. Explicit schemes have the smaller range. */
seam_map chapter_3(const char *scheme, double alpha);

/* The map of a row of data: model, scheme, five ratios, first lambda-r, last lambda-i. False when this version does not
 * have the model. */
bool map_of_row(const data_table *row, seam_map *map);

#endif
