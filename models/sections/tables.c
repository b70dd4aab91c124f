/* `tables:` functions of one variable through points, which expressions of numbers and laws call by name. */
#include <math.h>
#include <string.h>

#include "models/expression/lookup.h"
#include "models/reader.h"
#include "models/thresholds.h"

enum { FILE_OF, X, Y, INTERPOLATION, EXTRAPOLATION, N_KEYS };

static const form form_column = {FORM_ANY_OF(&form_numbers, &form_name)};

static const form form_interpolation = {
    FORM_ONE_OF([INTERPOLATION_LINEAR] = "linear", [INTERPOLATION_PCHIP] = "pchip", [INTERPOLATION_AKIMA] = "akima",
                [INTERPOLATION_SPLINE] = "spline", [INTERPOLATION_HOLD] = "hold")};
static const form form_extrapolation = {
    FORM_ONE_OF([EXTRAPOLATION_NONE] = "none", [EXTRAPOLATION_HOLD] = "hold", [EXTRAPOLATION_LINEAR] = "linear",
                [EXTRAPOLATION_PERIODIC] = "periodic")};

static const map_key keys[N_KEYS] = {
    [FILE_OF] = {"file", false, &form_text, "", "text file of columns; its path begins at the model file's folder"},
    [X] = {"x", false, &form_column, "",
           "growing numbers, the same twice where a linear table jumps to the second value; beside 'file' the name of "
           "a column; default: "
           "its first one"},
    [Y] = {"y", false, &form_column, "", "as many values; beside 'file' the name of a column; default: its second one"},
    [INTERPOLATION] = {"interpolation", false, &form_interpolation, "",
                       "between points; hold: the value of the last point at or before; default: linear"},
    [EXTRAPOLATION] = {"extrapolation", false, &form_extrapolation, "", "beyond the ends; default: none"},
};
static const form form_table = {.name = "table", .meaning = "a function through points", FORM_KEYS(keys)};
const form form_tables = {.kind = FORM_NAMED, .of = &form_table};

typedef struct table_draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  double *x, *y; /* (n) */
  size_t n;
  interpolation kind;
  extrapolation beyond;
} table_draft;

/* Replaces the name of the file by two lists, as if they stood in the model file. */
static seam_status replace_file(reader *r, table_draft *t) {
  const yaml_node *file = t->values[FILE_OF];
  yaml_node *columns[2];
  TRY(point_file_read(r, file, &t->values[X], columns));
  yaml_remove(t->node, file);
  for (int i = 0; i < 2; i++) {
    yaml_node *key = yaml_new(r->memory, YAML_SCALAR, file);
    TRY(reader_check_memory(r, key != NULL));
    key->text = keys[X + i].name;
    if (t->values[X + i] != NULL)
      yaml_remove(t->node, t->values[X + i]);
    yaml_append(t->node, columns[i], key);
    t->values[X + i] = columns[i];
  }
  return SEAM_OK;
}

static const yaml_node *item_of(const yaml_node *list, size_t i) {
  const yaml_node *item = list->first;
  while (i-- > 0)
    item = item->next;
  return item;
}

static seam_status check_points(reader *r, const table_draft *t) {
  static const size_t least_periodic[N_INTERPOLATIONS] = {[INTERPOLATION_LINEAR] = 2,
                                                          [INTERPOLATION_PCHIP] = 3,
                                                          [INTERPOLATION_AKIMA] = 3,
                                                          [INTERPOLATION_SPLINE] = 4,
                                                          [INTERPOLATION_HOLD] = 2};
  const bool is_periodic = t->beyond == EXTRAPOLATION_PERIODIC;
  const size_t least = is_periodic ? least_periodic[t->kind] : 2;
  const double *x = t->x;
  double largest = 0;
  if (t->n < least)
    return reader_fail(r, reader_message_node(t->node), "add points", "%s, %s%s, needs %zu points, but has %zu",
                       r->subject, form_interpolation.words[t->kind], is_periodic ? " and periodic" : "", least, t->n);
  for (size_t i = 1; i < t->n; i++) {
    const bool jumps = t->kind == INTERPOLATION_LINEAR && x[i] == x[i - 1] && (i < 2 || x[i - 2] < x[i - 1]);
    if (!(x[i] > x[i - 1]) && !jumps)
      return reader_fail(r, item_of(t->values[X], i),
                         "sort the points by x; of those with the same x keep one, or two of a linear table that jumps",
                         "x of %s does not grow: %.10g after %.10g, at point %zu", r->subject, x[i], x[i - 1], i + 1);
  }
  if (!is_periodic)
    return SEAM_OK;
  for (size_t i = 0; i < t->n; i++)
    largest = fmax(largest, fabs(t->y[i]));
  double *last = &t->y[t->n - 1];
  if (fabs(*last - t->y[0]) > models_periodic_end * largest)
    return reader_fail(r, t->values[Y]->last, "make its last value equal to the first one, a period before",
                       "y of the periodic %s ends with %.10g, but begins with %.10g", r->subject, *last, t->y[0]);
  *last = t->y[0]; /* removes a difference by rounding, also from the points of a file in the effective model */
  if (t->values[FILE_OF] != NULL)
    t->values[Y]->last->number = *last;
  return SEAM_OK;
}

static seam_status read_points(reader *r, table_draft *t) {
  yaml_node *const *values = t->values;
  if (values[FILE_OF] != NULL)
    TRY(replace_file(r, t));
  if (values[X] == NULL || values[Y] == NULL)
    return reader_fail(r, reader_message_node(t->node), "write 'x: [...]' and 'y: [...]', or 'file: NAME.csv'",
                       "%s needs its points", r->subject);
  t->n = values[X]->kind == YAML_LIST ? values[X]->n_children : 1;
  t->x = reader_allocate(r, t->n, sizeof *t->x);
  t->y = reader_allocate(r, t->n, sizeof *t->y);
  TRY(reader_check_memory(r, t->x != NULL && t->y != NULL));
  TRY(reader_vector(r, values[X], ANY_NUMBER, t->n, t->x));
  return reader_vector(r, values[Y], ANY_NUMBER, t->n, t->y);
}

static seam_status read_one(reader *r, yaml_node *node) {
  table_draft t = {.node = node};
  size_t kind = INTERPOLATION_LINEAR, beyond = EXTRAPOLATION_NONE;
  TRY(reader_check_name(r, node->key, true));
  const char *name = node->key->text;
  const size_t length = strlen(name);
  const char *by = expression_is_reserved(name)                             ? "a function or a constant"
                   : table_find(&r->scope.functions, name, length) != NULL  ? "a function of the caller"
                   : table_find(&r->scope.parameters, name, length) != NULL ? "a parameter"
                                                                            : NULL;
  if (by != NULL)
    return reader_fail(r, node->key, "choose another name", "'%.60s' is %s and cannot be a table", name, by);
  reader_set_subject(r, "table", node);
  TRY(reader_map(r, node, keys, N_KEYS, t.values));
  TRY(reader_word(r, t.values[INTERPOLATION], &form_interpolation, &kind));
  TRY(reader_word(r, t.values[EXTRAPOLATION], &form_extrapolation, &beyond));
  t.kind = (interpolation)kind;
  t.beyond = (extrapolation)beyond;
  TRY(read_points(r, &t));
  TRY(check_points(r, &t));
  const lookup_def def = {
      .name = name, .kind = t.kind, .beyond = t.beyond, .points = {t.n, t.x, t.y, t.beyond == EXTRAPOLATION_PERIODIC}};
  const seam_status status = lookup_create(&def, &r->result->tables[r->result->n_tables]);
  if (status == SEAM_NOT_FINITE)
    return reader_fail(r, reader_message_node(node), "scale its numbers, or drop points that are too near",
                       "%s cannot be interpolated: its numbers are too large, or differ too little", r->subject);
  TRY(reader_check_memory(r, status == SEAM_OK));
  return reader_add_function(r, lookup_function(r->result->tables[r->result->n_tables++]));
}

seam_status tables_read(reader *r) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, "tables", &section));
  r->result->tables = reader_allocate(r, section->n_children, sizeof(lookup *));
  TRY(reader_check_memory(r, r->result->tables != NULL));
  for (yaml_node *node = section->first; node != NULL; node = node->next)
    TRY(read_one(r, node));
  return SEAM_OK;
}
