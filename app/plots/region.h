/* The region where a function on a grid is not positive, as loops that can be filled. */
#ifndef APP_PLOTS_REGION_H
#define APP_PLOTS_REGION_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/status.h>

typedef struct region_loop {
  size_t first, end; /* of its points */
  double area;       /* negative: of a hole */
} region_loop;

typedef struct region {
  double *x, *y;      /* (n_points) */
  bool *is_border;    /* (n_points) the line from this point to the loop's next one lies on the border of the grid */
  region_loop *loops; /* (n_loops) the largest first: a hole comes after what it is in */
  size_t n_points, n_loops;
} region;

/* Values (n_y x n_x) of f at the points (x, y), whose coordinates rise; NaN counts as positive. Between two points the
 * limit is where the straight line through their values is zero, but never nearer to one of them than a twentieth of
 * the distance: each point with f <= 0 is inside, each other one outside. Free *found with region_free(), whatever the
 * result. SEAM_NO_MEMORY. */
seam_status region_find(const double *x, size_t n_x, const double *y, size_t n_y, const double *f, region *found,
                        seam_error *error);
void region_free(region *self);

#endif
