#include "drawing/path.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"

path_map path_translation(double x, double y) { return (path_map){1, 0, 0, 1, x, y}; }
path_map path_scale(double x, double y) { return (path_map){x, 0, 0, y, 0, 0}; }
path_map path_rotation(double angle) { return (path_map){cos(angle), sin(angle), -sin(angle), cos(angle), 0, 0}; }

path_map path_compose(path_map in, path_map out) {
  return (path_map){out.a * in.a + out.c * in.b,         out.b * in.a + out.d * in.b,
                    out.a * in.c + out.c * in.d,         out.b * in.c + out.d * in.d,
                    out.a * in.e + out.c * in.f + out.e, out.b * in.e + out.d * in.f + out.f};
}

void path_apply(path_map map, const double from[2], double to[2]) {
  const double x = map.a * from[0] + map.c * from[1] + map.e;
  to[1] = map.b * from[0] + map.d * from[1] + map.f;
  to[0] = x;
}

void path_release(path_list *list) {
  free(list->at);
  *list = (path_list){0};
}

static void append(path_list *list, path_segment segment) {
  path_segment *grown = array_grow(list->at, &list->capacity, list->n + 1, sizeof *grown);
  list->exhausted |= grown == NULL;
  if (grown == NULL)
    return;
  list->at = grown;
  list->at[list->n++] = segment;
}

void path_move(path_list *list, double x, double y) { append(list, (path_segment){.command = 'M', .to = {x, y}}); }
void path_line(path_list *list, double x, double y) { append(list, (path_segment){.command = 'L', .to = {x, y}}); }
void path_close(path_list *list) { append(list, (path_segment){.command = 'Z'}); }

void path_arc(path_list *list, double radius, bool large, bool ccw, double x, double y) {
  append(list, (path_segment){.command = 'A', .large = large, .ccw = ccw, .radius = radius, .to = {x, y}});
}

void path_circle(path_list *list, double x, double y, double radius) {
  path_move(list, x + radius, y);
  path_arc(list, radius, false, true, x - radius, y);
  path_arc(list, radius, false, true, x + radius, y);
  path_close(list);
}

static double next_number(const char **data) {
  char *end = NULL;
  *data += strspn(*data, ", ");
  const double value = strtod(*data, &end);
  *data = end;
  return value;
}

static double determinant(path_map map) { return map.a * map.d - map.b * map.c; }

void path_symbol(path_list *list, const char *data, path_map map) {
  while (*data != '\0') {
    path_segment segment = {.command = *data++};
    if (segment.command == 'A') {
      segment.radius = next_number(&data) * sqrt(fabs(determinant(map)));
      segment.large = next_number(&data) != 0;
      segment.ccw = (next_number(&data) != 0) != (determinant(map) < 0);
    }
    if (segment.command != 'Z') {
      const double x = next_number(&data);
      const double y = next_number(&data);
      path_apply(map, (double[2]){x, y}, segment.to);
    }
    append(list, segment);
    data += strspn(data, " ");
  }
}

void path_write_number(FILE *file, double number, int digits) {
  char text[64];
  snprintf(text, sizeof text, "%.*f", digits, number);
  char *end = text + strlen(text);
  while (strchr(text, '.') != NULL && (end[-1] == '0' || end[-1] == '.'))
    *--end = '\0';
  fputs(strcmp(text, "-0") == 0 ? "0" : text, file);
}

static void write_pair(FILE *file, const double at[2], int digits) {
  path_write_number(file, at[0], digits);
  fputc(' ', file);
  path_write_number(file, at[1], digits);
}

void path_write(FILE *file, const path_segment *at, size_t n, path_map map, int digits) {
  for (size_t i = 0; i < n; i++) {
    fputc(at[i].command, file);
    if (at[i].command == 'Z')
      continue;
    if (at[i].command == 'A') {
      const double radius = at[i].radius * sqrt(fabs(determinant(map)));
      write_pair(file, (double[2]){radius, radius}, digits);
      fprintf(file, " 0 %d %d ", at[i].large, at[i].ccw != (determinant(map) < 0));
    }
    double to[2];
    path_apply(map, at[i].to, to);
    write_pair(file, to, digits);
  }
}

/* Visits points of an arc. Two arcs of this radius join its ends, a shorter and a longer one. The centre is to the left
 * of the chord if the arc is shorter and counter-clockwise, or longer and clockwise; else to the right. */
static void visit_arc(const double from[2], const path_segment *arc, path_map map, double step,
                      void (*visit)(void *, const double[2]), void *context) {
  const double chord[2] = {arc->to[0] - from[0], arc->to[1] - from[1]};
  const double half = hypot(chord[0], chord[1]) / 2;
  const double radius = fmax(arc->radius, half);
  const double height = sqrt(radius * radius - half * half);
  const double side = (arc->large != arc->ccw ? 1 : -1) * (half > 0 ? height / (2 * half) : 0);
  const double center[2] = {(from[0] + arc->to[0]) / 2 - side * chord[1], (from[1] + arc->to[1]) / 2 + side * chord[0]};
  const double start = atan2(from[1] - center[1], from[0] - center[0]);
  double sweep = atan2(arc->to[1] - center[1], arc->to[0] - center[0]) - start;
  if (arc->ccw && sweep <= 0)
    sweep += 2 * acos(-1);
  if (!arc->ccw && sweep >= 0)
    sweep -= 2 * acos(-1);
  const double n = fmin(1000, ceil(fmax(fabs(sweep) * radius / step, 4 * fabs(sweep))) + 1);
  for (int i = 1; i <= (int)n; i++) {
    double point[2] = {center[0] + radius * cos(start + sweep * i / n),
                       center[1] + radius * sin(start + sweep * i / n)};
    path_apply(map, point, point);
    visit(context, point);
  }
}

void path_visit(const path_segment *at, size_t n_segments, path_map map, double step,
                void (*visit)(void *context, const double point[2]), void *context) {
  double from[2] = {0, 0};
  double start[2] = {0, 0};
  for (size_t i = 0; i < n_segments; i++) {
    const double *to = at[i].command == 'Z' ? start : at[i].to;
    if (at[i].command == 'A')
      visit_arc(from, &at[i], map, step, visit, context);
    else {
      const double *begin = at[i].command == 'M' ? to : from;
      const double n = fmin(1000, ceil(hypot(to[0] - begin[0], to[1] - begin[1]) / step) + 1);
      for (int k = 1; k <= (int)n; k++) {
        double point[2] = {begin[0] + (to[0] - begin[0]) * k / n, begin[1] + (to[1] - begin[1]) * k / n};
        path_apply(map, point, point);
        visit(context, point);
      }
    }
    memcpy(from, to, sizeof from);
    if (at[i].command == 'M')
      memcpy(start, to, sizeof start);
  }
}
