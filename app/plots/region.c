/* Marching squares ([Lorensen] in two dimensions): the grid gets a frame of points outside, without distance, so that
 * every loop closes. In each cell the limit runs from edges where a walk around the cell leaves the region to edges
 * where it enters; what is inside lies to the left. Where two corners that are across from each other are inside, the
 * mean of the four values says whether they are joined. */
#include "app/plots/region.h"

#include <math.h>
#include <stdlib.h>

#include "app/failure.h"

static const double nearest_share = 0.05;

enum { N_CORNERS = 4 };
static const int corner_x[N_CORNERS] = {0, 1, 1, 0}; /* counter-clockwise */
static const int corner_y[N_CORNERS] = {0, 0, 1, 1};

typedef struct grid {
  const double *x, *y, *f;
  size_t n_x, n_y; /* without the frame */
  size_t *next;    /* (n_edges) the edge that the limit goes to from here; SEAM_NONE: it does not come here */
} grid;

/* ---- Points and edges of the grid with its frame: points 0 and n + 1 are outside ---- */

static size_t clamped(size_t i, size_t n) { return i == 0 ? 0 : i > n ? n - 1 : i - 1; }

static bool is_frame(const grid *self, size_t i, size_t j) {
  return i == 0 || j == 0 || i > self->n_x || j > self->n_y;
}

static double value_at(const grid *self, size_t i, size_t j) {
  const double f = is_frame(self, i, j) ? 1 : self->f[(j - 1) * self->n_x + i - 1];
  return isnan(f) ? INFINITY : f;
}

/* Each point has an edge to the right (even) and one upwards (odd). */
static size_t edge_of(const grid *self, size_t i, size_t j, bool is_upwards) {
  return 2 * (j * (self->n_x + 2) + i) + is_upwards;
}

/* The edge from a corner of cell (i, j) to the next one. */
static size_t side_of(const grid *self, size_t i, size_t j, int corner) {
  return edge_of(self, i + (corner == 1), j + (corner == 2), corner % 2 == 1);
}

static size_t count_edges(const grid *self) { return 2 * (self->n_x + 2) * (self->n_y + 2); }

/* Where the limit crosses an edge. */
static void place_of(const grid *self, size_t edge, double *x, double *y) {
  const size_t i = edge / 2 % (self->n_x + 2);
  const size_t j = edge / 2 / (self->n_x + 2);
  const size_t i_next = i + (edge % 2 == 0);
  const size_t j_next = j + edge % 2;
  const double f = value_at(self, i, j);
  const double f_next = value_at(self, i_next, j_next);
  const double share = isfinite(f) && isfinite(f_next) ? f / (f - f_next) : 0.5;
  const double s = fmin(fmax(share, nearest_share), 1 - nearest_share);
  const double x0 = self->x[clamped(i, self->n_x)];
  const double y0 = self->y[clamped(j, self->n_y)];
  *x = x0 + s * (self->x[clamped(i_next, self->n_x)] - x0);
  *y = y0 + s * (self->y[clamped(j_next, self->n_y)] - y0);
}

/* ---- Cells ---- */

static void march(grid *self, size_t i, size_t j) {
  bool is_inside[N_CORNERS];
  double sum = 0;
  for (int c = 0; c < N_CORNERS; c++) {
    const double f = value_at(self, i + (size_t)corner_x[c], j + (size_t)corner_y[c]);
    is_inside[c] = f <= 0;
    sum += f;
  }
  const bool are_across = is_inside[0] == is_inside[2] && is_inside[1] == is_inside[3] && is_inside[0] != is_inside[1];
  const int step = are_across && sum <= 0 ? 1 : -1; /* to the side that it enters: around the other, or this corner */
  for (int c = 0; c < N_CORNERS; c++) {
    if (!is_inside[c] || is_inside[(c + 1) % N_CORNERS])
      continue;
    int side = (c + step + N_CORNERS) % N_CORNERS;
    while (is_inside[side] || !is_inside[(side + 1) % N_CORNERS])
      side = (side + step + N_CORNERS) % N_CORNERS;
    self->next[side_of(self, i, j, c)] = side_of(self, i, j, side);
  }
}

/* ---- Loops ---- */

/* Lines of the frame's cells run along one side of the grid. */
static bool runs_along_side(const grid *self, const region *found, size_t k, size_t l) {
  const double x = found->x[k];
  const double y = found->y[k];
  return (x == found->x[l] && (x == self->x[0] || x == self->x[self->n_x - 1])) ||
         (y == found->y[l] && (y == self->y[0] || y == self->y[self->n_y - 1]));
}

static void follow(grid *self, size_t start, region *found) {
  region_loop *loop = &found->loops[found->n_loops++];
  *loop = (region_loop){.first = found->n_points};
  for (size_t edge = start; self->next[edge] != SEAM_NONE;) {
    const size_t next = self->next[edge];
    const size_t k = found->n_points++;
    place_of(self, edge, &found->x[k], &found->y[k]);
    self->next[edge] = SEAM_NONE;
    edge = next;
  }
  loop->end = found->n_points;
  for (size_t k = loop->first; k < loop->end; k++) {
    const size_t l = k + 1 < loop->end ? k + 1 : loop->first;
    found->is_border[k] = runs_along_side(self, found, k, l);
    loop->area += (found->x[k] * found->y[l] - found->x[l] * found->y[k]) / 2;
  }
}

static int compare_areas(const void *a, const void *b) {
  const double one = fabs(((const region_loop *)a)->area);
  const double other = fabs(((const region_loop *)b)->area);
  return (one < other) - (one > other);
}

/* A loop has four points at least, but at a corner of the grid three. */
static seam_status reserve(region *found, size_t n_points, seam_error *error) {
  found->x = calloc(n_points + 1, sizeof *found->x);
  found->y = calloc(n_points + 1, sizeof *found->y);
  found->is_border = calloc(n_points + 1, sizeof *found->is_border);
  found->loops = calloc(n_points / 3 + 1, sizeof *found->loops);
  return found->x != NULL && found->y != NULL && found->is_border != NULL && found->loops != NULL
             ? SEAM_OK
             : out_of_memory(error);
}

static size_t find_limit(grid *self) {
  size_t n_points = 0;
  for (size_t edge = 0; edge < count_edges(self); edge++)
    self->next[edge] = SEAM_NONE;
  for (size_t j = 0; j <= self->n_y; j++)
    for (size_t i = 0; i <= self->n_x; i++)
      march(self, i, j);
  for (size_t edge = 0; edge < count_edges(self); edge++)
    n_points += self->next[edge] != SEAM_NONE;
  return n_points;
}

seam_status region_find(const double *x, size_t n_x, const double *y, size_t n_y, const double *f, region *found,
                        seam_error *error) {
  grid self = {.x = x, .y = y, .f = f, .n_x = n_x, .n_y = n_y};
  *found = (region){.n_points = 0};
  self.next = malloc(count_edges(&self) * sizeof *self.next);
  if (self.next == NULL)
    return out_of_memory(error);
  const seam_status status = reserve(found, find_limit(&self), error);
  for (size_t edge = 0; edge < count_edges(&self) && status == SEAM_OK; edge++)
    if (self.next[edge] != SEAM_NONE)
      follow(&self, edge, found);
  free(self.next);
  if (status == SEAM_OK)
    qsort(found->loops, found->n_loops, sizeof *found->loops, compare_areas);
  return status;
}

void region_free(region *self) {
  free(self->x);
  free(self->y);
  free(self->is_border);
  free(self->loops);
}
