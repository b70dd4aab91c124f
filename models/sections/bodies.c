/* `points:` and `bodies:`. A body is a rod between two points; a rod of given length near two points, whose pose the
 * assembly finds; or a mass and inertia with a pose. The centre of mass of a rod is the middle of its points. Its angle
 * is that of the line from the first to the second. Its inertia is m l²/12 unless it is given. */
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "mbs/thresholds.h"
#include "models/reader.h"
#include "models/thresholds.h"

/* ---- `points:` names of positions in the initial configuration, [x, y] in m -------------------------------------- */

const form form_points = {.kind = FORM_NAMED, .of = &form_2_numbers};

seam_status points_read(reader *r) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, "points", &section));
  r->points = reader_allocate(r, section->n_children, sizeof *r->points);
  TRY(reader_check_memory(r, r->points != NULL));
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    const char *name = value->key->text;
    const size_t n = r->point_names.count;
    TRY(reader_check_name(r, value->key, false));
    if (table_find(&r->point_names, name, strlen(name)) != NULL)
      return reader_fail(r, value->key, "choose another name", "a point '%.60s' already exists", name);
    reader_set_subject(r, "points", NULL);
    TRY(reader_vector(r, value, ANY_NUMBER, 2, r->points[n].position));
    r->points[n].name = name;
    TRY(reader_check_memory(r, table_add(&r->point_names, name, strlen(name), n)));
  }
  return SEAM_OK;
}

/* ---- `outline:` shape of a body in drawings ---------------------------------------------------------------------- */

/* A polygon [[x, y], ...], an open line {line: [[x, y], ...]}, a circle {circle: r, at: [x, y]}, or a list of these, in
 * the frame of the body. */

enum { MAX_POINTS = 1000 }; /* limits the pairs of a polygon's edges, which are all compared */

enum { LINE, CIRCLE, CENTRE, N_OF_PART };

static const form form_line = {.kind = FORM_LIST, .least = 2, .most = MAX_POINTS, .of = &form_2_numbers};
static const form form_polygon = {.kind = FORM_LIST, .least = 3, .most = MAX_POINTS, .of = &form_2_numbers};

static const map_key part_keys[N_OF_PART] = {
    [LINE] = {"line", false, &form_line, "m", "points [x, y] of an open line"},
    [CIRCLE] = {"circle", false, &form_positive, "m", "radius of a circle"},
    [CENTRE] = {"at", false, &form_2_numbers, "m", "centre of the circle; default: 0"},
};
static const form form_part = {.name = "outline_part", .meaning = "a line or a circle", FORM_KEYS(part_keys)};
static const form form_one_part = {FORM_ANY_OF(&form_part, &form_polygon)};
static const form form_parts = {.kind = FORM_LIST, .least = 1, .of = &form_one_part};
static const form form_outline = {.name = "outline",
                                  .meaning = "a polygon, a line, a circle, or a list of these",
                                  FORM_ANY_OF(&form_part, &form_polygon, &form_parts)};

static const char forms[] = "write [[x, y], [x, y], [x, y], ...], {line: [[x, y], [x, y], ...]} or {circle: r}";

/* Rejects positions whose squares could overflow; the limit is that for positions of bodies. */
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
    return reader_fail(r, list, "split the outline into a list of several parts",
                       "%s of the outline of %s has %zu points, more than %d", what, r->subject, list->n_children,
                       MAX_POINTS);
  double(*points)[2] = reader_allocate(r, list->n_children, sizeof *points);
  TRY(reader_check_memory(r, points != NULL));
  outline->points = (const double(*)[2])points;
  for (yaml_node *item = list->first; item != NULL; item = item->next) {
    if (item->kind != YAML_LIST)
      return reader_fail(r, item, forms, "a point of the outline of %s must be [x, y], but is %s", r->subject,
                         yaml_kind_text(item));
    TRY(reader_vector(r, item, ANY_NUMBER, 2, points[outline->n]));
    TRY(check_reach(r, item, points[outline->n++]));
  }
  return SEAM_OK;
}

/* Returns twice the signed area of the triangle a, b, c. */
static double area(const double a[2], const double b[2], const double c[2]) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* Returns true if c, on the line through a and b, lies between them. */
static bool is_between(const double a[2], const double b[2], const double c[2]) {
  return fmin(a[0], b[0]) <= c[0] && c[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= c[1] && c[1] <= fmax(a[1], b[1]);
}

/* Returns true if the closed segments a b and c d have a common point. */
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
  yaml_node *values[N_OF_PART];
  if (part->kind == YAML_LIST) {
    outline->closed = true;
    TRY(read_points(r, part, "a polygon", 3, outline));
    return check_polygon(r, part, outline);
  }
  if (part->kind != YAML_MAP)
    return reader_fail(r, part, forms, "the outline of %s must be a list or a map, but is %s", r->subject,
                       yaml_kind_text(part));
  TRY(reader_map(r, part, part_keys, N_OF_PART, values));
  if ((values[LINE] == NULL) == (values[CIRCLE] == NULL))
    return reader_fail(r, part, forms, "an outline of %s must have one of 'line' and 'circle'", r->subject);
  if (values[CIRCLE] != NULL) {
    TRY(reader_number(r, values[CIRCLE], POSITIVE, &outline->radius));
    TRY(check_reach(r, values[CIRCLE], (double[2]){outline->radius, 0}));
    TRY(reader_vector(r, values[CENTRE], ANY_NUMBER, 2, outline->center));
    return check_reach(r, values[CENTRE], outline->center);
  }
  if (values[CENTRE] != NULL)
    return reader_fail(r, values[CENTRE]->key, "remove it", "'at' in the outline of %s has no effect on a line",
                       r->subject);
  if (values[LINE]->kind != YAML_LIST)
    return reader_fail(r, values[LINE], forms, "'line' in the outline of %s must be a list of points, but is %s",
                       r->subject, yaml_kind_text(values[LINE]));
  return read_points(r, values[LINE], "a line", 2, outline);
}

static seam_status read_outline(reader *r, yaml_node *value, model_shape *shape) {
  const yaml_node *first = value->kind == YAML_LIST ? value->first : NULL;
  const bool is_list = first != NULL && first->kind == YAML_LIST && first->first != NULL;
  /* The items of a polygon are points, those of a list of shapes polygons and maps. */
  const bool has_parts = first != NULL && (first->kind == YAML_MAP || (is_list && first->first->kind != YAML_SCALAR));
  const size_t n = has_parts ? value->n_children : 1;
  shape->outlines = reader_allocate(r, n, sizeof *shape->outlines);
  TRY(reader_check_memory(r, shape->outlines != NULL));
  for (yaml_node *part = has_parts ? value->first : value; shape->n < n; part = part->next)
    TRY(read_part(r, part, &shape->outlines[shape->n++]));
  return SEAM_OK;
}

/* ---- `bodies:` --------------------------------------------------------------------------------------------------- */

enum { MASS, ROD, NEAR, INERTIA, AT, ANGLE, VELOCITY, RATE, OUTLINE, N_KEYS };

static const form form_rod = {FORM_ANY_OF(&form_two_points, &form_positive)};

static const map_key keys[N_KEYS] = {
    [MASS] = {"mass", true, &form_positive, "kg", "mass of the body"},
    [ROD] = {"rod", false, &form_rod, "m",
             "[P, Q]: a uniform rod between two points, which places the body; or the length of the rod, with 'near'"},
    [NEAR] = {"near", false, &form_two_points, "m",
              "[P, Q]: points near which assembly looks for the ends of a rod of given length"},
    [INERTIA] =
        {"inertia", false, &form_not_negative, "kg m2",
         "moment of inertia about the centre of mass; 0: a point mass, which does not turn; default: of a rod m "
         "l²/12, else required"},
    [AT] = {"at", false, &form_point, "m", "place of the centre of mass, without a rod; default: [0, 0]"},
    [ANGLE] = {"angle", false, &form_number, "rad", "initial angle, without a rod; default: 0"},
    [VELOCITY] = {"velocity", false, &form_2_numbers, "m/s",
                  "initial velocity [vx, vy] of the centre of mass; default: [0, 0]"},
    [RATE] = {"rate", false, &form_number, "rad/s", "initial angular velocity; default: 0"},
    [OUTLINE] = {"outline", false, &form_outline, "m",
                 "shape in drawings, in the frame of the body; default: a hull of the places where elements act"},
};
static const form form_body = {.name = "body", .meaning = "a body", FORM_KEYS(keys)};
const form form_bodies = {.kind = FORM_NAMED, .of = &form_body};

static seam_status read_rod(reader *r, const yaml_node *body, yaml_node *const *values, mbs_body_def *def,
                            model_shape *shape) {
  yaml_node *rod = values[ROD];
  yaml_node *near = values[NEAR];
  const yaml_node *doubled = values[AT] != NULL ? values[AT] : values[ANGLE];
  const bool is_length = rod->text != NULL;
  const char *key = is_length ? "near" : "rod";
  if (doubled != NULL)
    return reader_fail(r, doubled->key, "remove this key, or 'rod'", "'rod' gives position and angle of %s already",
                       r->subject);
  if (is_length && near == NULL)
    return reader_fail(r, reader_message_node(body), "add near: [P, Q], points close to the two ends of the rod",
                       "%s needs 'near', because 'rod' is a length", r->subject);
  if (!is_length && near != NULL)
    return reader_fail(r, near->key, "remove 'near', or give 'rod' as a length",
                       "'near' in %s has no effect, because 'rod' gives two points", r->subject);
  const yaml_node *ends = is_length ? near : rod;
  if (ends->kind != YAML_LIST || ends->n_children != 2)
    return reader_fail(r, ends, "write [P, Q], each the name of a point or [x, y]",
                       "'%s' in %s must be a list of two points", key, r->subject);
  yaml_node *first = ends->first, *second = ends->last;
  if (is_length) {
    shape->is_rough = true;
    shape->ends[0] = first->text;
    shape->ends[1] = second->text;
    TRY(reader_number(r, rod, POSITIVE, &shape->rod_length));
  }
  double p[2], q[2];
  TRY(reader_point(r, first, p));
  TRY(reader_point(r, second, q));
  const double length = hypot(q[0] - p[0], q[1] - p[1]);
  if (!(length > 0))
    return reader_fail(r, ends, NULL, "the two points of '%s' in %s coincide", key, r->subject);
  if (!is_length)
    shape->rod_length = length;
  for (int i = 0; i < 2; i++)
    def->pose[i] = (p[i] + q[i]) / 2;
  def->pose[2] = atan2(q[1] - p[1], q[0] - p[0]);
  def->inertia = def->mass * shape->rod_length * shape->rod_length / 12;
  return SEAM_OK;
}

/* Rejects a size, other than 0, whose reciprocal overflows: accelerations would not be finite. */
static seam_status check_size(reader *r, const yaml_node *node, const char *key, double size, const char *fix) {
  if (node == NULL || size == 0 || isfinite(1 / size))
    return SEAM_OK;
  return reader_fail(r, node, fix, "'%s' in %s is too small, %g: accelerations would be infinite", key, r->subject,
                     size);
}

static seam_status read_one(reader *r, yaml_node *body, model_shape *shape) {
  entry *added = NULL;
  yaml_node *values[N_KEYS];
  mbs_body_def def = mbs_default_body_def();
  TRY(reader_add_entry(r, body, ENTRY_BODY, &added));
  def.name = body->key->text;
  shape->rod_length = NAN;
  TRY(reader_map(r, body, keys, N_KEYS, values));
  const seam_status status = reader_number(r, values[MASS], POSITIVE, &def.mass);
  if (status == SEAM_BAD_INPUT && def.mass == 0)
    return reader_fail(r, values[MASS],
                       "for a massless link write a 'distance' joint, or a 'rope' or 'spring_damper', between the "
                       "bodies at its ends",
                       "'mass' in %s must be positive, but is 0", r->subject);
  TRY(status);
  if (values[ROD] == NULL && values[INERTIA] == NULL)
    return reader_fail(r, reader_message_node(body), "give it, or write 'rod: [P, Q]' for a uniform rod",
                       "%s needs 'inertia'", r->subject);
  shape->has_position = values[ROD] != NULL || values[AT] != NULL;
  if (values[ROD] != NULL)
    TRY(read_rod(r, body, values, &def, shape));
  else {
    if (values[AT] != NULL)
      TRY(reader_point(r, values[AT], def.pose));
    TRY(reader_number(r, values[ANGLE], ANY_NUMBER, &def.pose[2]));
    if (fabs(def.pose[2]) > models_largest_angle) /* probably meant in degrees */
      seam_note("'angle' of %s is %g rad; write %g*deg for degrees", r->subject, def.pose[2], def.pose[2]);
  }
  TRY(reader_number(r, values[INERTIA], NOT_NEGATIVE, &def.inertia));
  TRY(check_size(r, values[MASS], "mass", def.mass, "write a larger one"));
  TRY(check_size(r, values[INERTIA], "inertia", def.inertia, "write 0 for a point mass, which does not turn"));
  TRY(reader_vector(r, values[VELOCITY], ANY_NUMBER, 2, def.velocity));
  TRY(reader_number(r, values[RATE], ANY_NUMBER, &def.velocity[2]));
  if (values[OUTLINE] != NULL)
    TRY(read_outline(r, values[OUTLINE], shape));
  def.is_rough = shape->is_rough;
  return reader_check_call(r, body->key, mbs_add_body(r->builder, &def, &r->cause));
}

seam_status bodies_read(reader *r) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, "bodies", &section));
  /* A file of equations or FMUs may have no bodies. */
  if (section->n_children == 0 && yaml_get(r->root, "cosim") == NULL && yaml_get(r->root, "equations") == NULL)
    return reader_fail(r, r->root, "give at least one under 'bodies:'", "the file has no bodies");
  model_shape *shape = reader_allocate(r, section->n_children, sizeof *shape);
  r->result->shapes = shape;
  TRY(reader_check_memory(r, shape != NULL));
  for (yaml_node *body = section->first; body != NULL; body = body->next)
    TRY(read_one(r, body, shape++));
  return SEAM_OK;
}

/* ---- Queries ----------------------------------------------------------------------------------------------------- */

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
