/* Adds the 6 x 6 blocks of elements to matrices over the coordinates of all bodies. */
#ifndef MBS_ELEMENT_BLOCKS_H
#define MBS_ELEMENT_BLOCKS_H

#include "solvers/pattern.h"

/* i = 0..5 counts the coordinates (x, y, φ) of an element's first body, then of its second. mbs_coordinate() returns
 * the number of coordinate i among those of all bodies (3n). mbs_has_coordinate() returns false if i belongs to the
 * ground, which has no coordinates. */
static inline int mbs_coordinate(const int body[2], int i) { return 3 * (body[i / 3] - 1) + i % 3; }
static inline int mbs_has_coordinate(const int body[2], int i) { return body[i / 3] != 0; }

static inline void mbs_add_block(seam_pattern *s, const int body[2], int row_offset, int column_offset,
                                 double K[6][6]) {
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      if (mbs_has_coordinate(body, i) && mbs_has_coordinate(body, j))
        seam_pattern_add(s, row_offset + mbs_coordinate(body, i), column_offset + mbs_coordinate(body, j), K[i][j]);
}

#endif
