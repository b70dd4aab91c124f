/* `outline:` shape of a body in drawings, in the body's frame. It is a polygon [[x, y], ...], an open line {line: [[x,
 * y], ...]}, a circle {circle: r, at: [x, y]}, or a list of these. */
#include <math.h>

#include "base/then.h"
#include "mbs/thresholds.h"
#include "models/reader.h"

enum { MAX_POINTS = 1000 }; /* largest number of points of a line; all pairs of a polygon's edges are compared */

enum { LINE, CIRCLE, AT, N_KEYS };

static const form form_line = {.kind = FORM_LIST, .least = 2, .most = MAX_POINTS, .of = &form_2_numbers};
static const form form_polygon = {.kind = FORM_LIST, .least = 3, .most = MAX_POINTS, .of = &form_2_numbers};

static const map_key keys[N_KEYS] = {
    [LINE] = {"line", false, &form_line, "m", "points [x, y] of an open line"},
    [CIRCLE] = {"circle", false, &form_positive, "m", "radius of a circle"},
    [AT] = {"at", false, &form_2_numbers, "m", "centre of the circle; default: 0"},
};
static const form form_part = {.name = "outline_part", .meaning = "a line or a circle", FORM_KEYS(keys)};
static const form form_one_part = {FORM_ANY_OF(&form_part, &form_polygon)};
static const form form_parts = {.kind = FORM_LIST, .least = 1, .of = &form_one_part};
const form form_outline = {.name = "outline",
                           .meaning = "a polygon, a line, a circle, or a list of these",
                           FORM_ANY_OF(&form_part, &form_polygon, &form_parts)};

static const char forms[] = "write [[x, y], [x, y], [x, y], ...], {line: [[x, y], [x, y], ...]} or {circle: r}";

/* Rejects positions whose squares could overflow. The same limit holds for positions of bodies. */
static seam_status check_reach(reader *r, const yaml_node *at, const double x[2]) {
  if (fabs(x[0]) <= mbs_farthest_position && fabs(x[1]) <= mbs_farthest_position)
    return SEAM_OK;
  return reader_fail(r, at, "outlines are in m", "the outline of %s goes farther than %g m", r->subject,
                     mbs_farthest_position);
}

static seam_status read_points(reader *r, yaml_node *list, const char *what, size_t least, seam_outline *outline) {
  if (list->n_children < least)
    return reader_fail(r, list, forms, "%s of the outline of %s needs at least %zu points, but has %zu", what,
                       r->subject, least, list->n_children);
  if (list->n_children > MAX_POINTS)
    return reader_fail(r, list, "give it in several parts", "%s of the outline of %s has %zu points, more than %d",
                       what, r->subject, list->n_children, MAX_POINTS);
  double(*points)[2] = arena_allocate(&r->result->memory, list->n_children * sizeof *points);
  if (points == NULL)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (yaml_node *item = list->first; item != NULL && status == SEAM_OK; item = item->next)
    if (item->kind != YAML_LIST)
      status = reader_fail(r, item, forms, "a point of the outline of %s must be [x, y], but is %s", r->subject,
                           yaml_kind_text(item));
    else if ((status = reader_vector(r, item, ANY_NUMBER, 2, points[outline->n])) == SEAM_OK)
      status = check_reach(r, item, points[outline->n++]);
  outline->points = (const double(*)[2])points;
  return status;
}

/* Returns twice the signed area of the triangle a, b, c. */
static double area(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Returns true if c lies between a and b. c must be on the straight line through a and b. */
static bool is_between(const double a[2], const double b[2], const double c[2]) {
  return fmin(a[0], b[0]) <= c[0] && c[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= c[1] && c[1] <= fmax(a[1], b[1]);
}

/* Returns true if the closed segments from a to b and from c to d have a common point. */
static bool meet(const double a[2], const double b[2], const double c[2], const double d[2]) {
  const double of_c = area(a, b, c);
  const double of_d = area(a, b, d);
  const double of_a = area(c, d, a);
  const double of_b = area(c, d, b);
  if (((of_c > 0 && of_d < 0) || (of_c < 0 && of_d > 0)) && ((of_a > 0 && of_b < 0) || (of_a < 0 && of_b > 0)))
    return true;
  return (of_c == 0 && is_between(a, b, c)) || (of_d == 0 && is_between(a, b, d)) ||
         (of_a == 0 && is_between(c, d, a)) || (of_b == 0 && is_between(c, d, b));
}

static seam_status check_polygon(reader *r, const yaml_node *at, const seam_outline *outline) {
  const double(*p)[2] = outline->points;
  const size_t n = outline->n;
  if (p[0][0] == p[n - 1][0] && p[0][1] == p[n - 1][1])
    return reader_fail(r, at, "remove the last point",
                       "the outline of %s closes by itself, but its last point repeats the first", r->subject);
  for (size_t i = 0; i < n; i++) {
    const double *a = p[i];
    const double *b = p[(i + 1) % n];
    const double *c = p[(i + 2) % n];
    const double along = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
    if (area(a, b, c) == 0 && along <= 0)
      return reader_fail(r, at, "go around the body once, point by point",
                         "the outline of %s turns back on itself at point %zu", r->subject, (i + 1) % n + 1);
    for (size_t j = i + 2; j < n && j + 1 < n + i; j++)
      if (meet(a, b, p[j], p[(j + 1) % n]))
        return reader_fail(r, at, "go around the body once, or write {line: [...]} for an open line",
                           "the outline of %s crosses itself: its edges from point %zu and from point %zu meet",
                           r->subject, i + 1, j + 1);
  }
  return SEAM_OK;
}

static seam_status read_part(reader *r, yaml_node *part, seam_outline *outline) {
  yaml_node *values[N_KEYS];
  seam_status status = SEAM_OK;
  if (part->kind == YAML_LIST) {
    outline->closed = true;
    status = read_points(r, part, "a polygon", 3, outline);
    return status == SEAM_OK ? check_polygon(r, part, outline) : status;
  }
  if (part->kind != YAML_MAP)
    return reader_fail(r, part, forms, "the outline of %s must be a list or a map, but is %s", r->subject,
                       yaml_kind_text(part));
  status = reader_map(r, part, keys, N_KEYS, values);
  if (status != SEAM_OK)
    return status;
  if ((values[LINE] == NULL) == (values[CIRCLE] == NULL))
    return reader_fail(r, part, forms, "an outline of %s must have one of 'line' and 'circle'", r->subject);
  if (values[CIRCLE] != NULL) {
    status = reader_number(r, values[CIRCLE], POSITIVE, &outline->radius);
    THEN(status, check_reach(r, values[CIRCLE], (double[2]){outline->radius, 0}));
    THEN(status, reader_vector(r, values[AT], ANY_NUMBER, 2, outline->center));
    return status == SEAM_OK ? check_reach(r, values[AT], outline->center) : status;
  }
  if (values[AT] != NULL)
    return reader_fail(r, values[AT]->key, "remove it", "'at' in the outline of %s has no effect on a line",
                       r->subject);
  if (values[LINE]->kind != YAML_LIST)
    return reader_fail(r, values[LINE], forms, "'line' in the outline of %s must be a list of points, but is %s",
                       r->subject, yaml_kind_text(values[LINE]));
  return read_points(r, values[LINE], "a line", 2, outline);
}

seam_status outlines_read(reader *r, yaml_node *value, model_shape *shape) {
  const yaml_node *first = value->kind == YAML_LIST ? value->first : NULL;
  const bool is_list = first != NULL && first->kind == YAML_LIST && first->first != NULL;
  /* In a polygon the items are points; in a list of shapes they are polygons and maps. */
  const bool has_parts = first != NULL && (first->kind == YAML_MAP || (is_list && first->first->kind != YAML_SCALAR));
  const size_t n = has_parts ? value->n_children : 1;
  shape->outlines = arena_allocate(&r->result->memory, n * sizeof *shape->outlines);
  if (shape->outlines == NULL)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (yaml_node *part = has_parts ? value->first : value; shape->n < n && status == SEAM_OK; part = part->next)
    status = read_part(r, part, &shape->outlines[shape->n++]);
  return status;
}

static const model_shape *shape_of(const seam_model_file *file, size_t body) {
  return file != NULL && body < mbs_n_bodies(file->mechanism) ? &file->shapes[body] : NULL;
}

size_t seam_model_n_outlines(const seam_model_file *file, size_t body) {
  const model_shape *shape = shape_of(file, body);
  return shape == NULL ? 0 : shape->n;
}

const seam_outline *seam_model_outline(const seam_model_file *file, size_t body, size_t part) {
  return part < seam_model_n_outlines(file, body) ? &file->shapes[body].outlines[part] : NULL;
}

double seam_model_rod_length(const seam_model_file *file, size_t body) {
  const model_shape *shape = shape_of(file, body);
  return shape == NULL ? NAN : shape->rod_length;
}

bool seam_model_is_rough(const seam_model_file *file, size_t body) {
  const model_shape *shape = shape_of(file, body);
  return shape != NULL && shape->is_rough;
}
