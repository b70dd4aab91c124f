/* `curves:` plane curves for joints and contacts, through points or by expressions of a parameter or a polar angle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/curves.h>

#include "models/expression/lookup.h"
#include "models/sections/elements.h"

enum { POINTS, FILE_OF, X, Y, POLAR, INTERPOLATION, CLOSED, FROM, TO, N_KEYS };

static const form form_list = {.kind = FORM_LIST, .least = 1, .of = &form_point};

static const form form_interpolation = {FORM_ONE_OF("line", "spline")};

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

typedef struct curve_draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  mbs_curve_def def;
  double *x, *y, *s; /* (n) coordinates and parameter of the points; x and y have room for one more */
  size_t n;
} curve_draft;

/* Replaces the name of the file by its points, as if they stood in the model file. */
static seam_status replace_file(reader *r, curve_draft *c) {
  const yaml_node *file = c->values[FILE_OF];
  yaml_node *columns[2];
  TRY(point_file_read(r, file, &c->values[X], columns));
  yaml_node *list = c->values[POINTS] = yaml_new(r->memory, YAML_LIST, file);
  yaml_node *key = yaml_new(r->memory, YAML_SCALAR, file);
  TRY(reader_check_memory(r, list != NULL && key != NULL));
  key->text = keys[POINTS].name;
  for (const yaml_node *x = columns[0]->first, *y = columns[1]->first; x != NULL; x = x->next, y = y->next) {
    yaml_node *pair = yaml_new(r->memory, YAML_LIST, file);
    TRY(reader_check_memory(r, pair != NULL && yaml_append_number(r->memory, pair, x->number) &&
                                   yaml_append_number(r->memory, pair, y->number)));
    yaml_append(list, pair, NULL);
  }
  for (int k = FILE_OF; k <= Y; k++)
    if (c->values[k] != NULL)
      yaml_remove(c->node, c->values[k]);
  yaml_append(c->node, list, key);
  return SEAM_OK;
}

/* Repeats the first point of a closed curve at the end. Computes the parameter s of each point, the length of all
 * chords before it. */
static seam_status connect(reader *r, curve_draft *c, bool is_spline) {
  const size_t least = c->def.is_closed || is_spline ? 3 : 2;
  if (c->def.is_closed && c->n > 1 && c->x[0] == c->x[c->n - 1] && c->y[0] == c->y[c->n - 1])
    c->n--;
  if (c->n < least)
    return reader_fail(r, reader_message_node(c->node), "add points", "%s needs %zu points, but has %zu", r->subject,
                       least, c->n);
  if (c->def.is_closed) {
    c->x[c->n] = c->x[0];
    c->y[c->n++] = c->y[0];
  }
  c->s = reader_allocate(r, c->n, sizeof *c->s);
  TRY(reader_check_memory(r, c->s != NULL));
  for (size_t i = 1; i < c->n; i++) {
    c->s[i] = c->s[i - 1] + hypot(c->x[i] - c->x[i - 1], c->y[i] - c->y[i - 1]);
    if (!(c->s[i] > c->s[i - 1]))
      return reader_fail(r, reader_message_node(c->node), "remove one of them", "%s has point %zu twice", r->subject,
                         i);
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
    return reader_fail(r, reader_message_node(c->node), "scale its numbers, or drop points that are too near",
                       "%s cannot be interpolated: its numbers are too large, or differ too little", r->subject);
  TRY(reader_check_memory(r, status == SEAM_OK));
  *law = (seam_law){.value = lookup_law_value,
                    .jet = lookup_law_jet,
                    .destroy = lookup_law_destroy,
                    .data = made,
                    .identity = lookup_function(made)->identity};
  return SEAM_OK;
}

static seam_status read_points(reader *r, curve_draft *c) {
  bool is_spline = false;
  TRY(reader_either(r, c->values[INTERPOLATION], &form_interpolation, &is_spline));
  if (c->values[FILE_OF] != NULL)
    TRY(replace_file(r, c));
  const yaml_node *list = c->values[POINTS];
  if (list->kind != YAML_LIST || list->first == NULL)
    return reader_fail(r, list, forms, "'points' of %s must be a list of points", r->subject);
  c->x = reader_allocate(r, list->n_children, sizeof *c->x);
  c->y = reader_allocate(r, list->n_children, sizeof *c->y);
  TRY(reader_check_memory(r, c->x != NULL && c->y != NULL));
  for (yaml_node *item = list->first; item != NULL; item = item->next) {
    double position[2];
    TRY(reader_point(r, item, position));
    c->x[c->n] = position[0];
    c->y[c->n++] = position[1];
  }
  TRY(connect(r, c, is_spline));
  const interpolation kind = is_spline ? INTERPOLATION_SPLINE : INTERPOLATION_LINEAR;
  TRY(make_law(r, c, kind, c->x, &c->def.x));
  TRY(make_law(r, c, kind, c->y, &c->def.y));
  c->def.from = 0;
  c->def.to = c->s[c->n - 1];
  c->def.knots = c->s;
  c->def.n_knots = c->n;
  return SEAM_OK;
}

static seam_status read_expression(reader *r, yaml_node *value, const char *variable, seam_law *law) {
  const expression_names names = {.variables = &variable, .n_variables = 1, .are_of_time = true};
  return reader_law(r, value, &names, law);
}

/* A coordinate of a curve with polar radius ρ(α): ρ cos α (shift 0), or ρ sin α (shift 1). */
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

static seam_status read_polar(reader *r, const curve_draft *c, double shift, seam_law *law) {
  seam_law radius = {0};
  TRY(read_expression(r, c->values[POLAR], "angle", &radius));
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

/* Reads x(s) and y(s), or the radius as a function of the polar angle, by default over a complete revolution. */
static seam_status read_expressions(reader *r, curve_draft *c) {
  yaml_node *const *values = c->values;
  const bool is_polar = values[POLAR] != NULL;
  const bool has_range = values[FROM] != NULL && values[TO] != NULL;
  if (!is_polar && (values[X] == NULL || values[Y] == NULL))
    return reader_fail(r, reader_message_node(c->node), forms, "%s needs 'x' and 'y'", r->subject);
  if (!has_range && !is_polar)
    return reader_fail(r, reader_message_node(c->node), "give the range of s", "%s needs 'from' and 'to'", r->subject);
  if (!has_range && (values[FROM] != NULL || values[TO] != NULL))
    return reader_fail(r, reader_message_node(c->node), NULL, "%s needs both 'from' and 'to', or neither of them",
                       r->subject);
  c->def.from = 0;
  c->def.to = 2 * acos(-1);
  c->def.is_closed |= !has_range;
  TRY(reader_number(r, values[FROM], ANY_NUMBER, &c->def.from));
  TRY(reader_number(r, values[TO], ANY_NUMBER, &c->def.to));
  TRY(is_polar ? read_polar(r, c, 0, &c->def.x) : read_expression(r, values[X], "s", &c->def.x));
  return is_polar ? read_polar(r, c, 1, &c->def.y) : read_expression(r, values[Y], "s", &c->def.y);
}

/* Forms of a curve: the key that selects the form (N_KEYS: none), the keys that it does not permit, and its reader. */
static const struct {
  int key;
  int unused[6];
  size_t n_unused;
  seam_status (*read)(reader *r, curve_draft *c);
} kinds[] = {{POINTS, {FILE_OF, X, Y, POLAR, FROM, TO}, 6, read_points},
             {FILE_OF, {POLAR, FROM, TO}, 3, read_points},
             {POLAR, {X, Y, INTERPOLATION}, 3, read_expressions},
             {N_KEYS, {INTERPOLATION}, 1, read_expressions}};

static seam_status read_one(reader *r, yaml_node *node) {
  curve_draft c = {.node = node, .def = mbs_default_curve_def()};
  size_t kind = 0;
  TRY(reader_check_name(r, node->key, false));
  reader_set_subject(r, "curve", node);
  c.def.name = node->key->text;
  TRY(reader_map(r, node, keys, N_KEYS, c.values));
  TRY(reader_flag(r, c.values[CLOSED], &c.def.is_closed));
  while (kinds[kind].key != N_KEYS && c.values[kinds[kind].key] == NULL)
    kind++;
  for (size_t i = 0; i < kinds[kind].n_unused; i++) {
    const int unused = kinds[kind].unused[i];
    if (c.values[unused] != NULL)
      return reader_fail(r, c.values[unused]->key, forms, "'%s' of %s has no effect beside its other keys",
                         keys[unused].name, r->subject);
  }
  const seam_status status = kinds[kind].read(r, &c);
  if (status == SEAM_OK)
    return reader_check_call(r, node->key, mbs_add_curve(r->builder, &c.def, &r->cause));
  law_discard(&c.def.x);
  law_discard(&c.def.y);
  return status;
}

seam_status curves_read(reader *r) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, "curves", &section));
  for (yaml_node *node = section->first; node != NULL; node = node->next)
    TRY(read_one(r, node));
  return SEAM_OK;
}
