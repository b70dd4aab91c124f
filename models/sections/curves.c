/* `curves:` plane curves for joints and contacts: through points, or by expressions of a parameter or polar angle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/curves.h>

#include "base/then.h"
#include "models/expression/lookup.h"
#include "models/sections/elements.h"
#include "models/sections/point_file.h"

enum { POINTS, FILE_OF, X, Y, POLAR, INTERPOLATION, CLOSED, FROM, TO, N_KEYS };

static const form form_list = {.kind = FORM_LIST, .least = 1, .of = &form_point};

static const char *const interpolations[] = {"line", "spline"};
static const form form_interpolation = {FORM_WORDS(interpolations)};

static const map_key keys[N_KEYS] = {
    [POINTS] = {"points", false, &form_list, "m", "points of the curve, names or [x, y]"},
    [FILE_OF] = {"file", false, &form_text, "", "text file of two columns, relative to the model file's folder"},
    [X] = {"x", false, &form_law, "m", "expression of s; beside 'file' the name of a column"},
    [Y] = {"y", false, &form_law, "m", "expression of s; beside 'file' the name of a column"},
    [POLAR] = {"polar", false, &form_law, "m", "distance from the origin, an expression of angle"},
    [INTERPOLATION] = {"interpolation", false, &form_interpolation, "",
                       "lines between points, or a spline with continuous curvature; default: line"},
    [CLOSED] = {"closed", false, &form_flag, "",
                "the curve ends where it begins; default: false, of a full turn of 'polar' true"},
    [FROM] = {"from", false, &form_number, "", "first s or angle; required for x and y; default: of 'polar' 0"},
    [TO] = {"to", false, &form_number, "", "last s or angle; required for x and y; default: of 'polar' 2 pi"},
};
static const form form_curve = {.name = "curve", .meaning = "a curve on a body", FORM_KEYS(keys)};
const form form_curves = {.kind = FORM_NAMED, .of = &form_curve};

static const char forms[] = "write points: [[x, y], ...], file: NAME.csv, x: and y: of s, or polar: of angle";

/* A curve being read. */
typedef struct curve_draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  mbs_curve_def def;
  double *x, *y, *s; /* (n) coordinates and parameters of points; room for one more */
  size_t n;
} curve_draft;

/* ---- Points ------------------------------------------------------------------------------------------------------ */

static seam_status make_room(reader *r, curve_draft *c, size_t n) {
  c->x = arena_take(&r->memory, 3 * (n + 1) * sizeof *c->x);
  if (c->x == NULL)
    return reader_no_memory(r);
  c->y = c->x + n + 1;
  c->s = c->y + n + 1;
  return SEAM_OK;
}

static seam_status read_list(reader *r, curve_draft *c) {
  yaml_node *list = c->values[POINTS];
  if (list->kind != YAML_LIST || list->first == NULL)
    return reader_fail(r, list, forms, "'points' of %s must be a list of points", r->subject);
  seam_status status = make_room(r, c, list->n_children);
  for (yaml_node *item = list->first; item != NULL && status == SEAM_OK; item = item->next) {
    double place[2];
    status = reader_point(r, item, place);
    if (status == SEAM_OK) {
      c->x[c->n] = place[0];
      c->y[c->n++] = place[1];
    }
  }
  return status;
}

/* Replaces the file by its points in the effective model. */
static seam_status put_into_model(reader *r, curve_draft *c) {
  yaml_node *list = yaml_new(&r->memory, YAML_LIST, c->node);
  yaml_node *key = yaml_new(&r->memory, YAML_SCALAR, c->node);
  if (list == NULL || key == NULL)
    return reader_no_memory(r);
  key->text = keys[POINTS].name;
  for (size_t i = 0; i < c->n; i++) {
    yaml_node *pair = yaml_new(&r->memory, YAML_LIST, c->node);
    if (pair == NULL || !yaml_append_number(&r->memory, pair, c->x[i]) ||
        !yaml_append_number(&r->memory, pair, c->y[i]))
      return reader_no_memory(r);
    yaml_append(list, pair, NULL);
  }
  for (int k = FILE_OF; k <= Y; k++)
    if (c->values[k] != NULL)
      yaml_remove(c->node, c->values[k]);
  yaml_append(c->node, list, key);
  return SEAM_OK;
}

static seam_status read_file(reader *r, curve_draft *c) {
  double *numbers = NULL;
  size_t n = 0;
  seam_status status = point_file_read(r, c->values[FILE_OF], &c->values[X], &numbers, &n);
  THEN(status, make_room(r, c, n));
  if (status == SEAM_OK) {
    c->n = n;
    memcpy(c->x, numbers, n * sizeof *numbers);
    memcpy(c->y, numbers + n, n * sizeof *numbers);
    status = put_into_model(r, c);
  }
  free(numbers);
  return status;
}

static seam_status check_points(reader *r, curve_draft *c, bool is_spline) {
  const size_t least = c->def.is_closed || is_spline ? 3 : 2;
  const bool repeats = c->n > 1 && c->x[0] == c->x[c->n - 1] && c->y[0] == c->y[c->n - 1];
  if (c->def.is_closed && repeats)
    c->n--;
  if (c->n < least)
    return reader_fail(r, reader_place(c->node), "add points", "%s needs %zu points, but has %zu", r->subject, least,
                       c->n);
  if (c->def.is_closed) {
    c->x[c->n] = c->x[0];
    c->y[c->n++] = c->y[0];
  }
  c->s[0] = 0;
  for (size_t i = 1; i < c->n; i++) {
    c->s[i] = c->s[i - 1] + hypot(c->x[i] - c->x[i - 1], c->y[i] - c->y[i - 1]);
    if (!(c->s[i] > c->s[i - 1]))
      return reader_fail(r, reader_place(c->node), "remove one of them", "%s has point %zu twice", r->subject, i);
  }
  return SEAM_OK;
}

static double lookup_law_value(const void *data, const double x[2]) { return lookup_value(data, x[0]); }

static void lookup_law_jet(const void *data, const double x[2], seam_jet *out) {
  partials d = {0};
  lookup_slopes(data, x[0], &d);
  *out = (seam_jet){.value = lookup_value(data, x[0]), .d = {d.u}, .dd = {d.uu}};
}

static void lookup_law_destroy(void *data) { lookup_destroy(data); }

static seam_status make_law(reader *r, const curve_draft *c, interpolation kind, const double *y, seam_law *law) {
  const lookup_def def = {.name = c->def.name,
                          .kind = kind,
                          .beyond = c->def.is_closed ? EXTRAPOLATION_PERIODIC : EXTRAPOLATION_LINEAR,
                          .points = {c->n, c->s, y, c->def.is_closed}};
  lookup *made = NULL;
  const seam_status status = lookup_create(&def, &made);
  if (status == SEAM_NOT_FINITE)
    return reader_fail(r, reader_place(c->node), "scale its numbers, or drop points that are too near",
                       "%s cannot be interpolated: its numbers are too large, or differ too little", r->subject);
  if (status != SEAM_OK)
    return reader_no_memory(r);
  *law = (seam_law){.value = lookup_law_value,
                    .jet = lookup_law_jet,
                    .destroy = lookup_law_destroy,
                    .data = made,
                    .identity = lookup_identity(made)};
  return SEAM_OK;
}

/* Reads a curve through points; its parameter is the length of chords. */
static seam_status read_points(reader *r, curve_draft *c) {
  static const interpolation kinds[] = {INTERPOLATION_LINEAR, INTERPOLATION_SPLINE};
  size_t chosen = 0;
  seam_status status = SEAM_OK;
  if (c->values[INTERPOLATION] != NULL)
    status = reader_word(r, c->values[INTERPOLATION], &form_interpolation, &chosen);
  THEN(status, c->values[FILE_OF] != NULL ? read_file(r, c) : read_list(r, c));
  THEN(status, check_points(r, c, chosen == 1));
  THEN(status, make_law(r, c, kinds[chosen], c->x, &c->def.x));
  THEN(status, make_law(r, c, kinds[chosen], c->y, &c->def.y));
  c->def.from = 0;
  c->def.to = status == SEAM_OK ? c->s[c->n - 1] : 0;
  c->def.knots = c->s;
  c->def.n_knots = c->n;
  return status;
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

static seam_status read_range(reader *r, curve_draft *c, bool is_polar) {
  const bool has_range = c->values[FROM] != NULL && c->values[TO] != NULL;
  if (!has_range && !is_polar)
    return reader_fail(r, reader_place(c->node), "give the range of s", "%s needs 'from' and 'to'", r->subject);
  if (!has_range && (c->values[FROM] != NULL || c->values[TO] != NULL))
    return reader_fail(r, reader_place(c->node), NULL, "%s needs 'from' and 'to', or none of them", r->subject);
  c->def.from = 0;
  c->def.to = 2 * acos(-1);
  if (!has_range) {
    c->def.is_closed = true;
    return SEAM_OK;
  }
  const seam_status status = reader_number(r, c->values[FROM], ANY_NUMBER, &c->def.from);
  return status == SEAM_OK ? reader_number(r, c->values[TO], ANY_NUMBER, &c->def.to) : status;
}

static seam_status read_expression(reader *r, yaml_node *value, const char *variable, seam_law *law) {
  const expression_names names = {.variables = (const char *const[]){variable}, .n_variables = 1, .are_of_time = true};
  expression *e = NULL;
  const seam_status status = reader_expression_of(r, value, &names, &e);
  if (status == SEAM_OK)
    *law = expression_law(e);
  return status;
}

static seam_status read_expressions(reader *r, curve_draft *c) {
  if (c->values[X] == NULL || c->values[Y] == NULL)
    return reader_fail(r, reader_place(c->node), forms, "%s needs 'x' and 'y'", r->subject);
  seam_status status = read_range(r, c, false);
  THEN(status, read_expression(r, c->values[X], "s", &c->def.x));
  return status == SEAM_OK ? read_expression(r, c->values[Y], "s", &c->def.y) : status;
}

/* x = ρ cos α (shift 0), y = ρ sin α (shift 1). */
typedef struct polar {
  seam_law radius;
  double shift;
} polar;

static void polar_jet(const void *data, const double x[2], seam_jet *out) {
  const polar *self = data;
  seam_jet rho;
  self->radius.jet(self->radius.data, (double[2]){x[0], 0}, &rho);
  const double cosine = self->shift == 0 ? cos(x[0]) : sin(x[0]);
  const double slope = self->shift == 0 ? -sin(x[0]) : cos(x[0]);
  *out = (seam_jet){.value = rho.value * cosine,
                    .d = {rho.d[0] * cosine + rho.value * slope},
                    .dd = {rho.dd[0] * cosine + 2 * rho.d[0] * slope - rho.value * cosine}};
}

static double polar_value(const void *data, const double x[2]) {
  seam_jet jet;
  polar_jet(data, x, &jet);
  return jet.value;
}

static seam_kink polar_next_kink(const void *data, double s) {
  const polar *self = data;
  return self->radius.next_kink(self->radius.data, s);
}

static void polar_destroy(void *data) {
  polar *self = data;
  self->radius.destroy(self->radius.data);
  free(self);
}

static seam_status read_one_polar(reader *r, curve_draft *c, double shift, seam_law *law) {
  seam_law radius = {0};
  const seam_status status = read_expression(r, c->values[POLAR], "angle", &radius);
  if (status != SEAM_OK)
    return status;
  polar *made = malloc(sizeof *made);
  if (made == NULL) {
    radius.destroy(radius.data);
    return reader_no_memory(r);
  }
  *made = (polar){radius, shift};
  *law = (seam_law){.value = polar_value,
                    .jet = polar_jet,
                    .destroy = polar_destroy,
                    .data = made,
                    .next_kink = polar_next_kink,
                    .identity = radius.identity};
  return SEAM_OK;
}

static seam_status read_polar(reader *r, curve_draft *c) {
  seam_status status = read_range(r, c, true);
  THEN(status, read_one_polar(r, c, 0, &c->def.x));
  return status == SEAM_OK ? read_one_polar(r, c, 1, &c->def.y) : status;
}

/* ---- The section ------------------------------------------------------------------------------------------------- */

/* Refuses keys that do not belong to the form used. */
static seam_status check_keys(reader *r, const curve_draft *c, const int *unused, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (c->values[unused[i]] != NULL)
      return reader_fail(r, c->values[unused[i]]->key, forms, "'%s' of %s has no effect beside its other keys",
                         keys[unused[i]].name, r->subject);
  return SEAM_OK;
}

static seam_status read_form(reader *r, curve_draft *c) {
  static const int beside_points[] = {FILE_OF, X, Y, POLAR, FROM, TO};
  static const int beside_file[] = {POLAR, FROM, TO};
  static const int beside_polar[] = {X, Y, INTERPOLATION};
  static const int beside_expressions[] = {INTERPOLATION};
  seam_status status = SEAM_OK;
  if (c->values[POINTS] != NULL) {
    status = check_keys(r, c, beside_points, 6);
    return status == SEAM_OK ? read_points(r, c) : status;
  }
  if (c->values[FILE_OF] != NULL) {
    status = check_keys(r, c, beside_file, 3);
    return status == SEAM_OK ? read_points(r, c) : status;
  }
  if (c->values[POLAR] != NULL) {
    status = check_keys(r, c, beside_polar, 3);
    return status == SEAM_OK ? read_polar(r, c) : status;
  }
  status = check_keys(r, c, beside_expressions, 1);
  return status == SEAM_OK ? read_expressions(r, c) : status;
}

static void release(const curve_draft *c) {
  const seam_law *const laws[2] = {&c->def.x, &c->def.y};
  for (int i = 0; i < 2; i++)
    if (laws[i]->destroy != NULL)
      laws[i]->destroy(laws[i]->data);
}

static seam_status read_one(reader *r, yaml_node *node) {
  curve_draft c = {.node = node, .def = mbs_default_curve_def()};
  seam_error cause = {0};
  seam_status status = reader_check_name(r, node->key, false);
  reader_set_subject(r, "curve", node);
  c.def.name = node->key->text;
  THEN(status, reader_take_map(r, node, keys, N_KEYS, c.values));
  if (status == SEAM_OK && c.values[CLOSED] != NULL)
    status = reader_flag(r, c.values[CLOSED], &c.def.is_closed);
  THEN(status, read_form(r, &c));
  if (status != SEAM_OK) {
    release(&c);
    return status;
  }
  status = mbs_add_curve(r->builder, &c.def, &cause);
  return status == SEAM_OK ? SEAM_OK : reader_fail_as_engine(r, node->key, &cause);
}

seam_status curves_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "curves", &section);
  if (status != SEAM_OK || section == NULL)
    return status;
  for (yaml_node *node = section->first; node != NULL && status == SEAM_OK; node = node->next)
    status = read_one(r, node);
  return status;
}
