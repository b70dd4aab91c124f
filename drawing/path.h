/* Paths of lines and arcs, as in the path data of SVG, but with y up. */
#ifndef DRAWING_PATH_H
#define DRAWING_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The map (x, y) -> (a x + c y + e, b x + d y + f); coefficients as in matrix() of SVG. */
typedef struct path_map {
  double a, b, c, d, e, f;
} path_map;

path_map path_translation(double x, double y);
path_map path_rotation(double angle); /* rotation, rad, counter-clockwise */
path_map path_scale(double x, double y);
/* Returns the map that applies first `inner`, then `outer`. */
path_map path_compose(path_map inner, path_map outer);
void path_apply(path_map map, const double from[2], double to[2]);

typedef struct path_segment {
  char command; /* M, L, A or Z */
  bool large;   /* arc: the longer one of the two arcs with this radius and direction */
  bool ccw;     /* arc: counter-clockwise for y up */
  double radius;
  double to[2]; /* end point; unused for Z */
} path_segment;

typedef struct path_list {
  path_segment *at;   /* (n) */
  size_t n, capacity; /* (capacity) allocated for `at` */
  bool exhausted;     /* memory was exhausted: segments are missing */
} path_list;

void path_release(path_list *list);

void path_move(path_list *list, double x, double y);
void path_line(path_list *list, double x, double y);
void path_arc(path_list *list, double radius, bool large, bool ccw, double x, double y);
void path_close(path_list *list);
void path_circle(path_list *list, double x, double y, double radius);

/* Appends a symbol, mapped by `map`. `data`: an SVG path with absolute commands M, L, A and Z, but with y up. If it has
 * arcs, the map must scale x and y by the same factor. */
void path_symbol(path_list *list, const char *data, path_map map);

/* Writes n segments, mapped by `map`, as path data of SVG with `digits` decimals. */
void path_write(FILE *file, const path_segment *at, size_t n, path_map map, int digits);
/* Writes a number with at most `digits` decimals. */
void path_write_number(FILE *file, double number, int digits);

/* Calls `visit` for points of a path, mapped by `map`. Before mapping, successive points are at most `step` apart; on
 * an arc, also at most a quarter of a radian. But no segment has more than 1000 points. */
void path_visit(const path_segment *at, size_t n, path_map map, double step,
                void (*visit)(void *context, const double point[2]), void *context);

#endif
