#include "models/sections/quantities_section.h"

#include <stdio.h>
#include <string.h>

#include "mbs/build/builder.h"
#include "mbs/output/readout.h"
#include "models/expression/lexer.h"

const short_name time_name = {"t", "time"};

bool quantities_is_name(const reader *r, const char *text, mbs_quantity *found) {
  return mbs_find_quantity_of_length(r->builder->model, text, strlen(text), found);
}

void quantities_discard(const mbs_function *function) {
  if (function->destroy != NULL)
    function->destroy(function->data);
}

static bool is_any(const token *name, const char *const *texts, size_t n) {
  size_t i = 0;
  while (i < n && !token_is(name, texts[i]))
    i++;
  return i < n;
}

bool quantities_is_possible_name(const reader *r, const token *name) {
  const yaml_node *const maps[] = {yaml_get(r->root, "measures"), yaml_get(yaml_get(r->root, "fmu"), "inputs")};
  bool is_possible = memchr(name->start, '.', name->length) != NULL;
  for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) /* inputs in `fmu:` are variables too */
    for (const yaml_node *value = yaml_first(maps[i], YAML_MAP); value != NULL && !is_possible; value = value->next)
      is_possible = token_is(name, value->key->text);
  return is_possible;
}

bool quantities_are_named(const reader *r, const yaml_node *value, const char *const *variables, size_t n_variables) {
  mbs_quantity found;
  token name;
  if (value->text == NULL)
    return false;
  for (const char *cursor = value->text; lexer_next_name(&cursor, &name);) {
    const index_values *indices = value->indices;
    if (is_any(&name, variables, n_variables) || (indices != NULL && is_any(&name, indices->names, indices->n)) ||
        table_find(&r->scope.parameters, name.start, name.length) != NULL)
      continue;
    if (token_is(&name, time_name.name) || token_is(&name, time_name.quantity) || quantities_is_possible_name(r, &name))
      return true;
  }
  return strchr(value->text, '.') != NULL && quantities_is_name(r, value->text, &found);
}

/* Quantities that an expression uses. */
typedef struct quantities {
  reader *r;
  mbs_quantity *found; /* (n) */
  const char **names;  /* (n) */
  size_t n;
  bool no_memory; /* memory is exhausted */
} quantities;

/* Finds a quantity. If there is none, writes the reason to *error and returns false. */
static bool find(void *context, const char *name, size_t length, size_t *index, expression_error *error) {
  quantities *q = context;
  const mbs_model *model = q->r->builder->model;
  mbs_quantity found;
  if (mbs_find_quantity_of_length(model, name, length, &found)) {
    for (*index = 0; *index < q->n; ++*index) {
      const mbs_quantity *known = &q->found[*index];
      if (known->owner == found.owner && known->element == found.element && known->number == found.number)
        return true;
    }
    q->names[q->n] = arena_text(q->r->memory, name, length);
    q->no_memory = q->no_memory || q->names[q->n] == NULL;
    q->found[q->n++] = found;
    return true;
  }
  const bool is_element = mbs_find_element_of_length(model, name, length, &found);
  const char *dot = memchr(name, '.', length);
  if (!is_element && dot == NULL)
    return false;
  snprintf(error->cause, sizeof error->cause,
           is_element ? "'%.*s' has more than one quantity: name one of them" : "unknown quantity '%.*s'",
           (int)(length < 100 ? length : 100), name);
  /* Outputs of a subsystem's equations are not quantities of the co-simulated mechanism. */
  char text[128];
  snprintf(text, sizeof text, "%.*s", dot == NULL ? 0 : dot - name < 40 ? (int)(dot - name) : 40, name);
  if (yaml_get(yaml_get(yaml_get(yaml_get(q->r->root, "cosim"), "subsystems"), text), "outputs") != NULL) {
    snprintf(error->fix, sizeof error->fix,
             "move the equations to 'equations:' at the top, and write '%.40s: {equations: [%.40s]}'", text, text);
    return false;
  }
  mbs_suggest(model, name, length, error->fix, sizeof error->fix);
  if (error->fix[0] != '\0')
    return false;
  /* Elements that equations add have names with dots, as quantities do. */
  snprintf(text, sizeof text, "%.*s", (int)length, name);
  nearest search = nearest_to(text);
  for (size_t i = 0; mbs_names_at(model->names, i) != NULL; i++)
    nearest_try(&search, mbs_names_at(model->names, i)->text);
  nearest_hint(&search, error->fix, sizeof error->fix);
  return false;
}

/* Adds the names of `measures:`, which may not have been read yet. */
static void add_quantity_names(void *context, nearest *search) {
  const yaml_node *section = yaml_get(((const quantities *)context)->r->root, "measures");
  for (const yaml_node *value = yaml_first(section, YAML_MAP); value != NULL; value = value->next)
    nearest_try(search, value->key->text);
}

/* Rejects the expression "a-b.x" (a minus b.x) if an element has the name "a-b". */
static seam_status check_hyphens(reader *r, const yaml_node *value) {
  const char *text = value->text;
  for (size_t i = 0; i < r->n_entries && strchr(text, '-') != NULL; i++) {
    const char *name = r->entries[i].name;
    const size_t length = strlen(name);
    const char *at = strchr(name, '-') != NULL ? strstr(text, name) : NULL;
    while (at != NULL && (at[length] != '.' || (at > text && lexer_is_name_character(at[-1]))))
      at = strstr(at + 1, name);
    if (at == NULL)
      continue;
    char fix[200];
    snprintf(fix, sizeof fix, "add a measure 'NAME: %.60s%.*s', and write NAME here", name,
             (int)lexer_quantity_length(at + length), at + length);
    return reader_fail(r, value, fix, "the name '%.60s' contains '-', which expressions read as minus", name);
  }
  return SEAM_OK;
}

/* Returns true if the expression uses the name `searched`. Most do not contain it and are not divided into tokens. */
static bool has_name(const char *text, const char *searched) {
  token name;
  for (const char *cursor = strstr(text, searched) != NULL ? text : ""; lexer_next_name(&cursor, &name);)
    if (token_is(&name, searched))
      return true;
  return false;
}

seam_status quantities_read(reader *r, yaml_node *value, const short_names *aliases, bool is_condition,
                            quantity_function *made) {
  const char *text = NULL;
  bool is_comparison = false;
  int at_zero = 0;
  TRY(reader_text(r, value, &text));
  if (text == NULL)
    return SEAM_OK;
  token name;
  size_t n = 1;
  for (const char *cursor = text; lexer_next_name(&cursor, &name);)
    n++;
  for (size_t i = 0; i < aliases->n; i++)
    n += has_name(text, aliases->of[i].name);
  quantities q = {
      .r = r, .found = reader_allocate(r, n, sizeof *q.found), .names = reader_allocate(r, n, sizeof *q.names)};
  const char **variables = reader_allocate(r, n, sizeof *variables);
  TRY(reader_check_memory(r, q.found != NULL && q.names != NULL && variables != NULL));
  /* The short names in the expression become x[0], x[1], ...; if it uses the time t, x[0] is t. */
  for (size_t i = 0; i < aliases->n; i++) {
    const char *quantity = aliases->of[i].quantity;
    if (!has_name(text, aliases->of[i].name))
      continue;
    if (!quantities_is_name(r, quantity, &q.found[q.n]))
      return reader_fail(r, value, "name a column that 'seam run --columns all' writes",
                         "%s reads '%.60s', but there is no quantity '%.60s'", r->subject, aliases->of[i].name,
                         quantity);
    variables[q.n] = aliases->of[i].name;
    q.names[q.n++] = quantity;
  }
  const bool has_time = q.n > 0 && strcmp(q.names[0], time_name.quantity) == 0;
  const expression_names names = {.variables = variables,
                                  .n_variables = q.n,
                                  .quantity = find,
                                  .add_quantities = add_quantity_names,
                                  .quantities = &q,
                                  .is_comparison = is_condition ? &is_comparison : NULL,
                                  .at_zero = &at_zero};
  expression *e = NULL;
  TRY(check_hyphens(r, value));
  TRY(reader_expression(r, value, &names, &e));
  if (q.no_memory) {
    expression_destroy(e);
    return reader_no_memory(r);
  }
  *made = (quantity_function){.inputs = q.names,
                              .n_inputs = q.n,
                              .function = expression_function(e, has_time),
                              .is_comparison = is_comparison,
                              .at_zero = at_zero};
  return SEAM_OK;
}

seam_status quantities_read_condition(reader *r, yaml_node *value, const short_names *aliases,
                                      quantity_function *made) {
  mbs_quantity named;
  const char **name = reader_allocate(r, 1, sizeof *name);
  TRY(reader_check_memory(r, name != NULL));
  TRY(reader_text(r, value, name));
  if (!quantities_is_name(r, *name, &named))
    return quantities_read(r, value, aliases, true, made);
  *made = (quantity_function){.inputs = name, .n_inputs = 1};
  return SEAM_OK;
}

typedef struct sum {
  const double *gain; /* (n) */
  size_t n;
  double offset;
} sum;

static double change_of_sum(const void *data, const double *x, const double *dx) {
  const sum *s = data;
  double value = 0;
  (void)x;
  for (size_t i = 0; i < s->n; i++)
    value += s->gain[i] * dx[i];
  return value;
}

static double value_of_sum(const void *data, const double *x) {
  return change_of_sum(data, NULL, x) + ((const sum *)data)->offset;
}

seam_status quantities_sum(reader *r, const char *const *names, const double *gains, size_t n, double offset,
                           quantity_function *made) {
  sum *s = reader_allocate(r, 1, sizeof *s);
  TRY(reader_check_memory(r, s != NULL));
  *s = (sum){gains, n, offset};
  *made = (quantity_function){
      .inputs = names, .n_inputs = n, .function = {.value = value_of_sum, .change = change_of_sum, .data = s}};
  return SEAM_OK;
}
