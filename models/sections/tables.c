/* `tables:` functions of one variable through points; numbers and laws call them by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "models/expression/lookup.h"
#include "models/given_functions.h"
#include "models/reader.h"
#include "models/sections/point_file.h"
#include "models/thresholds.h"

enum { FILE_OF, X, Y, INTERPOLATION, EXTRAPOLATION, N_KEYS };

static const form *const columns[] = {&form_numbers, &form_name};
static const form form_column = {FORM_FORMS(columns)};

#define NAME(code, name, ...) name,
static const char *const interpolations[] = {INTERPOLATION_TABLE(NAME)};
#undef NAME
static const form form_interpolation = {FORM_WORDS(interpolations)};

#define NAME(code, name) name,
static const char *const extrapolations[] = {EXTRAPOLATION_TABLE(NAME)};
#undef NAME
static const form form_extrapolation = {FORM_WORDS(extrapolations)};

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

static const struct {
  const char *name;
  size_t least, least_periodic; /* least numbers of points */
} kinds[N_INTERPOLATIONS] = {
#define ROW(code, name, least, least_periodic) [code] = {name, least, least_periodic},
    INTERPOLATION_TABLE(ROW)
#undef ROW
};

/* A table being read. */
typedef struct table_draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  const char *name;
  double *x, *y; /* (n), in the reader's memory; from a file, one allocated array that begins at x */
  size_t n;
  interpolation kind;
  extrapolation beyond;
} table_draft;

/* ---- Points in the model file ------------------------------------------------------------------------------------ */

static seam_status read_list(reader *r, yaml_node *list, size_t n, double **numbers) {
  *numbers = arena_take(&r->memory, n * sizeof **numbers);
  return *numbers != NULL ? reader_vector(r, list, ANY_NUMBER, n, *numbers) : reader_no_memory(r);
}

static seam_status read_inline(reader *r, table_draft *t) {
  yaml_node *const *values = t->values;
  if (values[X] == NULL || values[Y] == NULL)
    return reader_fail(r, reader_place(t->node), "write 'x: [...]' and 'y: [...]', or 'file: NAME.csv'",
                       "%s needs its points", r->subject);
  t->n = values[X]->kind == YAML_LIST ? values[X]->n_children : 1;
  const seam_status status = read_list(r, values[X], t->n, &t->x);
  return status == SEAM_OK ? read_list(r, values[Y], t->n, &t->y) : status;
}

/* ---- Points in another file -------------------------------------------------------------------------------------- */

/* Replaces the file by its points in the effective model. */
static seam_status put_into_model(reader *r, table_draft *t) {
  yaml_node *lists[2];
  for (int i = 0; i < 2; i++) {
    yaml_node *old = t->values[X + i];
    lists[i] = yaml_new(&r->memory, YAML_LIST, t->node);
    yaml_node *key = yaml_new(&r->memory, YAML_SCALAR, t->node);
    if (lists[i] == NULL || key == NULL)
      return reader_no_memory(r);
    key->text = keys[X + i].name;
    if (old != NULL)
      yaml_remove(t->node, old);
    yaml_append(t->node, lists[i], key);
    for (size_t k = 0; k < t->n; k++)
      if (!yaml_append_number(&r->memory, lists[i], (i == 0 ? t->x : t->y)[k]))
        return reader_no_memory(r);
  }
  yaml_remove(t->node, t->values[FILE_OF]);
  return SEAM_OK;
}

static seam_status read_file(reader *r, table_draft *t) {
  const seam_status status = point_file_read(r, t->values[FILE_OF], &t->values[X], &t->x, &t->n);
  if (status == SEAM_OK)
    t->y = t->x + t->n;
  return status;
}

/* ---- Checks of points -------------------------------------------------------------------------------------------- */

/* Returns the place of a number in the model file, or of the file's name. */
static const yaml_node *place_of(const table_draft *t, int key, size_t i) {
  if (t->values[FILE_OF] != NULL)
    return t->values[FILE_OF];
  const yaml_node *item = t->values[key]->first;
  while (i-- > 0)
    item = item->next;
  return item;
}

static seam_status check_number(reader *r, const table_draft *t) {
  const bool is_periodic = t->beyond == EXTRAPOLATION_PERIODIC;
  const size_t least = is_periodic ? kinds[t->kind].least_periodic : kinds[t->kind].least;
  if (t->n >= least)
    return SEAM_OK;
  return reader_fail(r, reader_place(t->node), "add points", "%s, %s%s, needs %zu points, but has %zu", r->subject,
                     kinds[t->kind].name, is_periodic ? " and periodic" : "", least, t->n);
}

static seam_status check_order(reader *r, const table_draft *t) {
  for (size_t i = 1; i < t->n; i++) {
    const bool jumps =
        t->kind == INTERPOLATION_LINEAR && t->x[i] == t->x[i - 1] && (i < 2 || t->x[i - 2] < t->x[i - 1]);
    if (!(t->x[i] > t->x[i - 1]) && !jumps)
      return reader_fail(r, place_of(t, X, i),
                         "sort the points by x; of those with the same x keep one, or two of a linear table that jumps",
                         "x of %s does not grow: %.10g after %.10g, at point %zu", r->subject, t->x[i], t->x[i - 1],
                         i + 1);
  }
  return SEAM_OK;
}

/* Checks the ends of a periodic table; sets them equal if they differ by round-off. */
static seam_status check_period(reader *r, const table_draft *t) {
  if (t->beyond != EXTRAPOLATION_PERIODIC)
    return SEAM_OK;
  double largest = 0;
  for (size_t i = 0; i < t->n; i++)
    largest = fmax(largest, fabs(t->y[i]));
  const double first = t->y[0];
  double *last = &t->y[t->n - 1];
  if (fabs(*last - first) > models_periodic_end * largest)
    return reader_fail(r, place_of(t, Y, t->n - 1), "make its last value equal to the first one, a period before",
                       "y of the periodic %s ends with %.10g, but begins with %.10g", r->subject, *last, first);
  *last = first;
  return SEAM_OK;
}

static seam_status check_points(reader *r, const table_draft *t) {
  seam_status status = check_number(r, t);
  THEN(status, check_order(r, t));
  return status == SEAM_OK ? check_period(r, t) : status;
}

/* ---- The section ------------------------------------------------------------------------------------------------- */

static seam_status read_choices(reader *r, table_draft *t) {
  size_t chosen = INTERPOLATION_LINEAR;
  seam_status status = SEAM_OK;
  if (t->values[INTERPOLATION] != NULL)
    status = reader_word(r, t->values[INTERPOLATION], &form_interpolation, &chosen);
  t->kind = (interpolation)chosen;
  chosen = EXTRAPOLATION_NONE;
  if (status == SEAM_OK && t->values[EXTRAPOLATION] != NULL)
    status = reader_word(r, t->values[EXTRAPOLATION], &form_extrapolation, &chosen);
  t->beyond = (extrapolation)chosen;
  return status;
}

static seam_status make(reader *r, const table_draft *t) {
  const lookup_def def = {.name = t->name,
                          .kind = t->kind,
                          .beyond = t->beyond,
                          .points = {t->n, t->x, t->y, t->beyond == EXTRAPOLATION_PERIODIC}};
  lookup **created = &r->result->tables[r->result->n_tables];
  const seam_status status = lookup_create(&def, created);
  if (status == SEAM_NOT_FINITE)
    return reader_fail(r, reader_place(t->node), "scale its numbers, or drop points that are too near",
                       "%s cannot be interpolated: its numbers are too large, or differ too little", r->subject);
  if (status != SEAM_OK || !table_add(&r->function_names, t->name, strlen(t->name), r->result->n_tables))
    return reader_no_memory(r);
  r->result->n_tables++;
  return SEAM_OK;
}

static seam_status check_name(reader *r, const yaml_node *key) {
  const seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK)
    return status;
  if (expression_is_reserved(key->text))
    return reader_fail(r, key, "choose another name", "'%.60s' is a function or a constant and cannot be a table",
                       key->text);
  if (given_find(r->result, key->text, strlen(key->text)) != NULL)
    return reader_fail(r, key, "choose another name", "'%.60s' is a function of the caller and cannot be a table",
                       key->text);
  if (table_find(&r->parameter_names, key->text, strlen(key->text)) != NULL)
    return reader_fail(r, key, "choose another name", "'%.60s' is a parameter and cannot be a table", key->text);
  return SEAM_OK;
}

static seam_status read_one(reader *r, yaml_node *node) {
  table_draft t = {.node = node, .name = node->key->text};
  seam_status status = check_name(r, node->key);
  reader_set_subject(r, "table", node);
  THEN(status, reader_take_map(r, node, keys, N_KEYS, t.values));
  THEN(status, read_choices(r, &t));
  THEN(status, t.values[FILE_OF] != NULL ? read_file(r, &t) : read_inline(r, &t));
  THEN(status, check_points(r, &t));
  THEN(status, make(r, &t));
  if (t.values[FILE_OF] == NULL)
    return status;
  THEN(status, put_into_model(r, &t));
  free(t.x);
  return status;
}

seam_status tables_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "tables", &section);
  if (status != SEAM_OK || section == NULL)
    return status;
  r->result->tables = arena_take(&r->result->memory, section->n_children * sizeof(lookup *));
  if (r->result->tables == NULL)
    return reader_no_memory(r);
  for (yaml_node *node = section->first; node != NULL && status == SEAM_OK; node = node->next)
    status = read_one(r, node);
  return status;
}
