/* Lines and arcs, as in the path data of SVG. */
#ifndef DRAWING_PATH_H
#define DRAWING_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* (x, y) -> (a x + c y + e, b x + d y + f), as matrix() of SVG. */
typedef struct path_map {
  double a, b, c, d, e, f;
} path_map;

path_map path_shift(double x, double y);
path_map path_turn(double angle);
path_map path_scale(double x, double y);
/* First `inner`, then `outer`. */
path_map path_then(path_map inner, path_map outer);
void path_apply(path_map map, const double from[2], double to[2]);

typedef struct path_segment {
  char command; /* M, L, A or Z */
  bool large;   /* arc: of the two the longer one */
  bool ccw;     /* arc: counter-clockwise where y points up */
  double radius;
  double to[2]; /* not of Z */
} path_segment;

typedef struct path_list {
  path_segment *at; /* (n) */
  size_t n, room;
  bool exhausted; /* memory: segments are missing */
} path_list;

void path_release(path_list *list);

void path_move(path_list *list, double x, double y);
void path_line(path_list *list, double x, double y);
void path_arc(path_list *list, double radius, bool large, bool ccw, double x, double y);
void path_close(path_list *list);
void path_circle(path_list *list, double x, double y, double radius);

/* Appends a symbol: path data with absolute commands M, L, A and Z, y up. A map that scales x and y differently is for
 * data without arcs. */
void path_symbol(path_list *list, const char *data, path_map map);

/* Writes n segments under a map as path data; `digits` behind the point. */
void path_write(FILE *file, const path_segment *at, size_t n, path_map map, int digits);
/* A number with at most so many digits behind its point. */
void path_write_number(FILE *file, double number, int digits);

/* Calls for points that the path passes, no two of them on a line or arc further apart than `step`, and on arcs no two
 * further than a quarter of a radian. */
void path_visit(const path_segment *at, size_t n, path_map map, double step,
                void (*visit)(void *context, const double point[2]), void *context);

#endif
