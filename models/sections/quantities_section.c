#include "models/sections/quantities_section.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "mbs/model/builder.h"
#include "mbs/output/readout.h"
#include "models/expression/lexer.h"

const own_name own_time = {"t", "time"};

static const mbs_model *model_of(const reader *r) { return r->builder->model; }

bool quantities_is_name(const reader *r, const char *text, mbs_quantity *found) {
  return mbs_look_up(model_of(r), text, strlen(text), found);
}

void quantities_discard(const mbs_function *function) {
  if (function->destroy != NULL)
    function->destroy(function->data);
}

/* ---- Names in a text --------------------------------------------------------------------------------------------- */

static bool is(const token *name, const char *text) {
  return strlen(text) == name->length && memcmp(text, name->start, name->length) == 0;
}

static bool is_any(const token *name, const char *const *texts, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (is(name, texts[i]))
      return true;
  return false;
}

static bool is_constant(const reader *r, const yaml_node *value, const token *name) {
  return (value->indices != NULL && is_any(name, value->indices->names, value->indices->n)) ||
         table_find(&r->parameter_names, name->start, name->length) != NULL;
}

static bool is_key(const yaml_node *map, const token *name) {
  if (map == NULL || map->kind != YAML_MAP)
    return false;
  for (const yaml_node *value = map->first; value != NULL; value = value->next)
    if (is(name, value->key->text))
      return true;
  return false;
}

/* Returns true for a measure, or an FMU's input, which is a variable. */
static bool is_measure(const reader *r, const token *name) {
  const yaml_node *fmu = yaml_get(r->root, "fmu");
  const bool is_map = fmu != NULL && fmu->kind == YAML_MAP;
  return is_key(yaml_get(r->root, "measures"), name) || (is_map && is_key(yaml_get(fmu, "inputs"), name));
}

static bool is_quantity(const reader *r, const token *name) {
  return memchr(name->start, '.', name->length) != NULL || is_measure(r, name);
}

bool quantities_is_one(const reader *r, const char *name, size_t length) {
  return is_quantity(r, &(token){.start = name, .length = length});
}

bool quantities_are_named(const reader *r, const yaml_node *value, const char *const *variables, size_t n_variables) {
  mbs_quantity found;
  token name;
  if (value->kind != YAML_SCALAR || value->text == NULL)
    return false;
  for (const char *cursor = value->text; lexer_next_name(&cursor, &name);) {
    if (is_any(&name, variables, n_variables) || is_constant(r, value, &name))
      continue;
    if (is(&name, own_time.name) || is(&name, own_time.quantity) || is_quantity(r, &name))
      return true;
  }
  return strchr(value->text, '.') != NULL && quantities_is_name(r, value->text, &found);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

/* Quantities named in an expression. */
typedef struct quantities {
  const mbs_model *model;
  const yaml_node *section; /* all measures, also unread ones */
  const yaml_node *subsystems;
  mbs_quantity *found; /* (n) */
  const char **names;  /* (n) */
  size_t n;
  arena *memory;
  bool is_torn; /* memory was exhausted */
} quantities;

static bool same(mbs_quantity a, mbs_quantity b) {
  return a.owner == b.owner && a.element == b.element && a.number == b.number;
}

static bool add(quantities *q, mbs_quantity quantity, const char *name, size_t length, size_t *index) {
  for (*index = 0; *index < q->n; ++*index)
    if (same(q->found[*index], quantity))
      return true;
  q->names[q->n] = arena_text(q->memory, name, length);
  q->is_torn = q->is_torn || q->names[q->n] == NULL;
  q->found[q->n++] = quantity;
  return true;
}

/* Suggests names that have points themselves, as those of equations. */
static void suggest_whole(const mbs_model *model, const char *name, size_t length, expression_error *error) {
  char text[128];
  snprintf(text, sizeof text, "%.*s", (int)length, name);
  nearest search = nearest_to(text);
  for (size_t i = 0; mbs_names_at(model->names, i) != NULL; i++)
    nearest_try(&search, mbs_names_at(model->names, i)->text);
  nearest_hint(&search, error->fix, sizeof error->fix);
}

/* Suggests to list the equations of a subsystem: the mechanism is co-simulated without them, so it cannot read them. */
static bool suggest_list(const yaml_node *subsystems, const char *name, size_t length, expression_error *error) {
  char of[41];
  const char *end = memchr(name, '.', length);
  snprintf(of, sizeof of, "%.*s", end != NULL ? (int)(end - name) : 0, name);
  const yaml_node *value = subsystems != NULL && subsystems->kind == YAML_MAP ? yaml_get(subsystems, of) : NULL;
  if (value == NULL || value->kind != YAML_MAP || yaml_get(value, "outputs") == NULL)
    return false;
  snprintf(error->fix, sizeof error->fix,
           "write it under 'equations:' at the top, and list it: '%.40s: {equations: [%.40s]}'", of, of);
  return true;
}

static void explain(const quantities *q, const char *name, size_t length, expression_error *error) {
  mbs_quantity element;
  const bool is_element = mbs_look_up_element(q->model, name, length, &element);
  if (!is_element && memchr(name, '.', length) == NULL)
    return;
  const int shown = (int)(length < 100 ? length : 100);
  if (is_element)
    snprintf(error->cause, sizeof error->cause, "'%.*s' has more than one quantity: name one of them", shown, name);
  else
    snprintf(error->cause, sizeof error->cause, "unknown quantity '%.*s'", shown, name);
  if (suggest_list(q->subsystems, name, length, error))
    return;
  mbs_suggest(q->model, name, length, error->fix, sizeof error->fix);
  if (error->fix[0] == '\0')
    suggest_whole(q->model, name, length, error);
}

static bool find(void *context, const char *name, size_t length, size_t *index, expression_error *error) {
  quantities *q = context;
  mbs_quantity found;
  if (mbs_look_up(q->model, name, length, &found))
    return add(q, found, name, length, index);
  explain(q, name, length, error);
  return false;
}

static void offer(void *context, nearest *search) {
  const quantities *q = context;
  for (const yaml_node *value = q->section != NULL ? q->section->first : NULL; value != NULL; value = value->next)
    nearest_try(search, value->key->text);
}

static size_t count_names(const char *text) {
  size_t n = 0;
  token name;
  while (lexer_next_name(&text, &name))
    n++;
  return n;
}

static bool uses(const char *text, const char *wanted) {
  token name;
  while (lexer_next_name(&text, &name))
    if (is(&name, wanted))
      return true;
  return false;
}

/* Returns the place in the text that names a quantity of the element, or NULL. */
static const char *find_element(const char *text, const char *name, size_t length) {
  const char *at = strstr(text, name);
  while (at != NULL && (at[length] != '.' || (at > text && lexer_is_name_character(at[-1]))))
    at = strstr(at + 1, name);
  return at;
}

/* Refuses "a-b", a minus b in expressions, if an element has this name. */
static seam_status check_hyphens(reader *r, const yaml_node *value) {
  if (strchr(value->text, '-') == NULL)
    return SEAM_OK;
  for (size_t i = 0; i < r->n_entries; i++) {
    const char *name = r->entries[i].name;
    const size_t length = strlen(name);
    const char *at = strchr(name, '-') != NULL ? find_element(value->text, name, length) : NULL;
    if (at == NULL)
      continue;
    char fix[200];
    snprintf(fix, sizeof fix, "name its quantity in a measure of its own, 'NAME: %.60s%.*s', and write NAME here", name,
             (int)lexer_quantity_length(at + length), at + length);
    return reader_fail(r, value, fix, "'%.60s' holds '-', which expressions read as minus", name);
  }
  return SEAM_OK;
}

static double value_of(const void *data, const double *x) { return expression_value(data, x); }
static double change_of(const void *data, const double *x, const double *dx) { return expression_change(data, x, dx); }
static double turning_of(const void *data, const double *x, const double *y) { return expression_turning(data, x, y); }
static void corners_of(const void *data, const double *x, const double *dx, seam_corner *corners) {
  expression_corners(data, false, x, dx, corners);
}
static void corners_beside_time(const void *data, const double *x, const double *dx, seam_corner *corners) {
  expression_corners(data, true, x, dx, corners);
}
static void destroy(void *data) { expression_destroy(data); }
static seam_kink next_kink_of(const void *data, double t) { return expression_next_kink(data, t); }

/* Lists the short names used in the text as x[0], x[1], ...; the time comes first. */
static seam_status take_own(const own_names *own, const char *text, quantities *q, const char **variables) {
  for (size_t i = 0; i < own->n; i++) {
    if (!uses(text, own->of[i].name))
      continue;
    const char *quantity = own->of[i].quantity;
    variables[q->n] = own->of[i].name;
    q->names[q->n] = quantity;
    if (!mbs_look_up(q->model, quantity, strlen(quantity), &q->found[q->n]))
      return SEAM_BAD_INPUT;
    q->n++;
  }
  return SEAM_OK;
}

static seam_status read(reader *r, yaml_node *value, const own_names *own, bool is_condition, quantity_function *made) {
  const char *text = NULL;
  bool is_comparison = false;
  int at_zero = 0;
  seam_status status = reader_text(r, value, &text);
  if (status != SEAM_OK || text == NULL)
    return status;
  const size_t n = count_names(text) + own->n + 1;
  const yaml_node *cosim = yaml_get(r->root, "cosim");
  quantities q = {.model = model_of(r),
                  .section = yaml_get(r->root, "measures"),
                  .subsystems = cosim != NULL ? yaml_get(cosim, "subsystems") : NULL,
                  .found = arena_take(&r->memory, n * sizeof *q.found),
                  .names = arena_take(&r->memory, n * sizeof *q.names),
                  .memory = &r->memory};
  const char **variables = arena_take(&r->memory, n * sizeof *variables);
  if (q.found == NULL || q.names == NULL || variables == NULL)
    return reader_no_memory(r);
  if (take_own(own, text, &q, variables) != SEAM_OK)
    return reader_fail(r, value, NULL, "%s reads a quantity that does not exist", r->subject);
  const bool has_time = q.n > 0 && strcmp(q.names[0], own_time.quantity) == 0;
  const expression_names names = {.variables = variables,
                                  .n_variables = q.n,
                                  .quantity = find,
                                  .offer_quantities = offer,
                                  .quantities = &q,
                                  .is_comparison = is_condition ? &is_comparison : NULL,
                                  .at_zero = &at_zero};
  expression *e = NULL;
  status = check_hyphens(r, value);
  THEN(status, reader_expression_of(r, value, &names, &e));
  if (status != SEAM_OK)
    return status;
  *made = (quantity_function){.inputs = q.names,
                              .n_inputs = q.n,
                              .function = {.value = value_of,
                                           .change = change_of,
                                           .destroy = destroy,
                                           .data = e,
                                           .next_kink = has_time ? next_kink_of : NULL,
                                           .jumps = expression_jumps(e, has_time),
                                           .turning = expression_turns(e) ? turning_of : NULL,
                                           .corners = has_time ? corners_beside_time : corners_of,
                                           .n_corners = expression_n_corners(e)},
                              .is_comparison = is_comparison,
                              .at_zero = at_zero};
  if (!q.is_torn)
    return SEAM_OK;
  quantities_discard(&made->function);
  return reader_no_memory(r);
}

seam_status quantities_read(reader *r, yaml_node *value, const own_names *own, quantity_function *made) {
  return read(r, value, own, false, made);
}

seam_status quantities_read_condition(reader *r, yaml_node *value, const own_names *own, quantity_function *made) {
  mbs_quantity bare;
  const char *text = NULL;
  const seam_status status = reader_text(r, value, &text);
  const char **name = arena_take(&r->memory, sizeof *name);
  if (status != SEAM_OK || name == NULL)
    return status != SEAM_OK ? status : reader_no_memory(r);
  *name = text;
  if (quantities_is_name(r, text, &bare)) {
    *made = (quantity_function){.inputs = name, .n_inputs = 1};
    return SEAM_OK;
  }
  return read(r, value, own, true, made);
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

typedef struct sum {
  size_t n;
  double offset;
  double gain[];
} sum;

static double linear(const sum *s, const double *x) {
  double value = 0;
  for (size_t i = 0; i < s->n; i++)
    value += s->gain[i] * x[i];
  return value;
}

static double value_of_sum(const void *data, const double *x) {
  const sum *s = data;
  return linear(s, x) + s->offset;
}

static double change_of_sum(const void *data, const double *x, const double *dx) {
  (void)x;
  return linear(data, dx);
}

seam_status quantities_sum(reader *r, const char *const *names, const double *gains, size_t n, double offset,
                           quantity_function *made) {
  sum *s = malloc(sizeof *s + n * sizeof *s->gain);
  const char **kept = arena_take(&r->memory, (n + 1) * sizeof *kept);
  if (s == NULL || kept == NULL) {
    free(s);
    return reader_no_memory(r);
  }
  s->n = n;
  s->offset = offset;
  for (size_t i = 0; i < n; i++) {
    s->gain[i] = gains[i];
    kept[i] = names[i];
  }
  *made = (quantity_function){.inputs = kept,
                              .n_inputs = n,
                              .function = {.value = value_of_sum, .change = change_of_sum, .destroy = free, .data = s}};
  return SEAM_OK;
}
