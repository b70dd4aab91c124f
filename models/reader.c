#include "models/reader.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/arrays.h"
#include "base/note.h"
#include "models/expression/lexer.h"
#include "models/expression/lookup.h"

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

seam_status reader_no_memory(reader *r) {
  if (r->n_generated == 0)
    return seam_fail(r->error, SEAM_NO_MEMORY, "memory is exhausted");
  return seam_fail(r->error, SEAM_NO_MEMORY,
                   "memory is exhausted: repeats generate %.6g entries; make their ranges shorter", r->n_generated);
}

seam_status reader_check_memory(reader *r, bool is_enough) { return is_enough ? SEAM_OK : reader_no_memory(r); }

/* Fails with a cause and a fix. For a node of a repeat, the cause ends with its indices: "; i = 3, j = 1". */
static seam_status fail_at_offset(reader *r, const yaml_node *at, size_t offset, const char *fix, const char *cause) {
  char text[64] = "";
  const index_values *indices = at->indices;
  for (size_t i = 0, used = 0; indices != NULL && i < indices->n && used < sizeof text; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.20s = %.0f", i == 0 ? "; " : ", ", indices->names[i],
                             indices->values[i]);
  return source_fail(at->from, offset, r->error, fix, "%s%s", cause, text);
}

seam_status reader_fail(reader *r, const yaml_node *at, const char *fix, const char *format, ...) {
  char cause[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  return fail_at_offset(r, at, at->offset, fix, cause);
}

seam_status reader_fail_unknown(reader *r, const yaml_node *at, const nearest *known, const char *fix,
                                const char *format, ...) {
  char cause[400];
  char hint[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  nearest_hint(known, hint, sizeof hint);
  return fail_at_offset(r, at, at->offset, hint[0] != '\0' ? hint : fix, cause);
}

seam_status reader_check_call(reader *r, const yaml_node *at, seam_status status) {
  if (status == SEAM_OK)
    return SEAM_OK;
  return status == SEAM_NO_MEMORY ? reader_no_memory(r) : reader_fail(r, at, NULL, "%s", r->cause.message);
}

const yaml_node *reader_element(const reader *r, const char *name) {
  if (name[0] == '\0')
    return NULL;
  const yaml_node *joint = yaml_get(yaml_get(r->root, "joints"), name);
  const yaml_node *element = joint != NULL ? joint : yaml_get(yaml_get(r->root, "forces"), name);
  return element != NULL ? element->key : NULL;
}

const yaml_node *reader_message_node(const yaml_node *value) { return value->key != NULL ? value->key : value; }

void reader_set_subject(reader *r, const char *noun, const yaml_node *value) {
  snprintf(r->subject, sizeof r->subject, value != NULL ? "%s '%.60s'" : "%s", noun,
           value != NULL ? value->key->text : "");
}

size_t reader_index_of(const char *const *names, size_t n, const char *name) {
  size_t i = 0;
  while (i < n && strcmp(names[i], name) != 0)
    i++;
  return i;
}

void *reader_allocate(reader *r, size_t n, size_t size) { return arena_allocate(r->memory, (n + 1) * size); }

/* ---- Maps and lists ---------------------------------------------------------------------------------------------- */

/* Returns the number of parentheses that a text (NULL: none) opens and does not close. */
static int open_parentheses(const char *text) {
  int depth = 0;
  for (const char *c = text; c != NULL && *c != '\0'; c++)
    depth += (*c == '(') - (*c == ')');
  return depth;
}

/* Returns how to write what became a key with a colon or of digits by mistake; NULL: it is neither. */
static const char *fix_of_key(const char *text) {
  if (text[0] != '\0' && text[strspn(text, "0123456789")] == '\0')
    return "decimals follow a point, as in 1.5";
  return strchr(text, ':') != NULL ? "inside {} a blank follows the colon, as in 'mass: 1'" : NULL;
}

static seam_status fail_unknown_key(reader *r, const yaml_node *map, const yaml_node *child, const map_key *keys,
                                    size_t n_keys) {
  char fix[512];
  const yaml_node *key = child->key;
  const char *why = fix_of_key(key->text);
  bool is_split = open_parentheses(key->text) != 0; /* a comma within parentheses has split an expression */
  for (const yaml_node *before = map->first; before != child; before = before->next)
    is_split |= open_parentheses(before->text) > 0;
  if (is_split)
    why = "an expression with a comma needs quotes inside {} and [], as in \"min(1, t)\"";
  nearest search = nearest_to(key->text);
  for (size_t i = 0; i < n_keys; i++)
    nearest_try(&search, keys[i].name);
  nearest_hint(&search, fix, sizeof fix);
  if (why == NULL && fix[0] == '\0' && yaml_is_empty(child)) /* a comma has split a list */
    why = "a list needs brackets, as in [1, 2]";
  size_t used = fix[0] || n_keys == 0 ? sizeof fix : (size_t)snprintf(fix, sizeof fix, "known: ");
  for (size_t i = 0; i < n_keys && used < sizeof fix; i++)
    used += (size_t)snprintf(fix + used, sizeof fix - used, "%s%s", i == 0 ? "" : ", ", keys[i].name);
  return reader_fail(r, key, why != NULL ? why : fix, "unknown key '%.60s' in %s", key->text, r->subject);
}

seam_status reader_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values) {
  memset(values, 0, n_keys * sizeof *values);
  if (map->kind != YAML_MAP)
    return reader_fail(r, map, "write '{key: value, ...}', or indented lines 'key: value'",
                       "%s must be a map, but is %s", r->subject, yaml_kind_text(map));
  for (yaml_node *child = map->first; child != NULL; child = child->next) {
    size_t i = 0;
    while (i < n_keys && strcmp(child->key->text, keys[i].name) != 0)
      i++;
    if (i == n_keys)
      return fail_unknown_key(r, map, child, keys, n_keys);
    values[i] = child;
  }
  for (size_t i = 0; i < n_keys; i++)
    if (keys[i].required && values[i] == NULL)
      return reader_fail(r, reader_message_node(map), "", "%s needs '%s'", r->subject, keys[i].name);
  return SEAM_OK;
}

seam_status reader_inner_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values) {
  char subject[sizeof r->subject];
  memcpy(subject, r->subject, sizeof subject);
  snprintf(r->subject, sizeof r->subject, "'%s' of %.80s", map->key->text, subject);
  const seam_status status = reader_map(r, map, keys, n_keys, values);
  memcpy(r->subject, subject, sizeof subject);
  return status;
}

seam_status reader_section(reader *r, const char *name, const yaml_node **map) {
  static const yaml_node none = {.kind = YAML_MAP};
  const yaml_node *section = yaml_get(r->root, name);
  *map = yaml_is_empty(section) ? &none : section;
  if ((*map)->kind == YAML_MAP)
    return SEAM_OK;
  return reader_fail(r, section, "write '{name: value, ...}', or indented lines 'name: value'",
                     "'%s' must be a map, but is %s", name, yaml_kind_text(section));
}

seam_status reader_check_kind(reader *r, const yaml_node *value, yaml_kind kind, const char *fix) {
  if (value == NULL || value->kind == kind)
    return SEAM_OK;
  return reader_fail(r, value, fix, "'%s' in %s must be %s, but is %s", value->key->text, r->subject,
                     kind == YAML_MAP ? "a map" : "a list", yaml_kind_text(value));
}

seam_status reader_check_twice(reader *r, const yaml_node *list) {
  table seen = {0};
  seam_status status = SEAM_OK;
  for (const yaml_node *name = list->first; name != NULL && status == SEAM_OK; name = name->next) {
    const size_t length = strlen(name->text);
    if (table_find(&seen, name->text, length) != NULL)
      status = reader_fail(r, name, "keep one of the two", "%s lists '%.60s' twice", r->subject, name->text);
    else if (!table_add(&seen, name->text, length, 0))
      status = reader_no_memory(r);
  }
  table_release(&seen);
  return status;
}

seam_status reader_check_name(reader *r, const yaml_node *key, bool in_expressions) {
  const char *name = key->text;
  bool good = name[0] != '-' && !(name[0] >= '0' && name[0] <= '9') && name[0] != '\0';
  for (const char *c = name; *c; c++)
    if (!lexer_is_name_character(*c) && (in_expressions || *c != '-'))
      good = false;
  if (good)
    return SEAM_OK;
  const char *fix = fix_of_key(name);
  if (fix == NULL)
    fix = in_expressions ? "use letters, digits and _, the first one not a digit"
                         : "use letters, digits, _ and -, the first one a letter or _";
  return reader_fail(r, key, fix, "'%.60s' is not a name", name);
}

/* ---- Functions of the calling program ---------------------------------------------------------------------------- */

struct caller_function {
  function f;
  seam_law law; /* owned */
};

static seam_status add_caller_function(reader *r, const seam_function *one) {
  seam_error *error = r->error;
  seam_model_file *file = r->result;
  const char *name = one->name != NULL ? one->name : "";
  size_t length = 0;
  while (isalnum((unsigned char)name[length]) || name[length] == '_')
    length++;
  if (length == 0 || isdigit((unsigned char)name[0]) || name[length] != '\0')
    return seam_fail(error, SEAM_BAD_INPUT, "'%.60s' cannot be the name of a function: take letters, digits and '_'",
                     name);
  if (expression_is_reserved(name) || table_find(&r->scope.functions, name, length) != NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "a function or constant '%.60s' already exists: choose another name for the function", name);
  if (one->n_arguments < 1 || one->n_arguments > 2 || one->law.value == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "function '%.60s', of %d arguments, cannot be called: set n_arguments to 1 or 2, and law.value",
                     name, one->n_arguments);
  struct caller_function *made = &file->caller_functions[file->n_caller_functions];
  made->law = one->law;
  made->f = (function){.name = arena_text(&file->memory, name, length),
                       .arity = one->n_arguments,
                       .has_kinks = one->law.has_kinks,
                       .period = one->law.period,
                       .caller = &made->law,
                       .identity = one->law.identity};
  TRY(reader_check_memory(r, made->f.name != NULL));
  TRY(reader_add_function(r, &made->f));
  file->n_caller_functions++;
  return SEAM_OK;
}

seam_status caller_functions_add(reader *r, const seam_function *functions, size_t n) {
  seam_model_file *file = r->result;
  file->caller_functions = calloc(n + 1, sizeof *file->caller_functions);
  seam_status status = reader_check_memory(r, file->caller_functions != NULL);
  for (size_t i = 0; i < n; i++) {
    THEN(status, add_caller_function(r, &functions[i]));
    if (status != SEAM_OK)
      law_discard(&functions[i].law);
  }
  return status;
}

void caller_functions_free(seam_model_file *file) {
  for (size_t i = 0; i < file->n_caller_functions; i++)
    law_discard(&file->caller_functions[i].law);
  free(file->caller_functions);
}

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

seam_status reader_add_function(reader *r, const function *f) {
  expression_scope *to = &r->scope;
  const size_t n = to->functions.count;
  const function **larger = array_grow(to->function_list, &to->function_capacity, n + 1, sizeof *larger);
  TRY(reader_check_memory(r, larger != NULL));
  to->function_list = larger;
  larger[n] = f;
  return reader_check_memory(r, table_add(&to->functions, f->name, strlen(f->name), n));
}

/* Checks the status of a compilation. The error's column counts from the start of the node's text. */
static seam_status check_expression(reader *r, const yaml_node *value, seam_status status,
                                    const expression_error *error) {
  if (status != SEAM_BAD_INPUT)
    return reader_check_memory(r, status == SEAM_OK);
  const size_t length = strlen(value->text);
  const size_t left = value->from->length - value->offset;
  /* The error's column is valid only if the file has the text unchanged, without escapes or folded lines. */
  const bool verbatim = length <= left && memcmp(value->from->text + value->offset, value->text, length) == 0;
  return fail_at_offset(r, value, value->offset + (verbatim ? error->column : 0), error->fix, error->cause);
}

static const char *key_text(const yaml_node *value) { return value->key != NULL ? value->key->text : "an entry"; }

/* Fails because `node` is not `wanted`. The message has the key of `field`: `node`, or the list that contains it. */
static seam_status fail_kind(reader *r, const yaml_node *node, const yaml_node *field, const char *wanted) {
  return reader_fail(r, yaml_is_empty(node) ? reader_message_node(field) : node, NULL,
                     "'%.60s' in %s must be %s, but is %s", key_text(field), r->subject, wanted, yaml_kind_text(node));
}

static seam_status evaluate(reader *r, yaml_node *node, const yaml_node *field, double *number) {
  if (node->text == NULL && !node->is_number)
    return fail_kind(r, node, field, "a number");
  if (node->text == NULL) { /* a number of a data file */
    *number = node->number;
    return SEAM_OK;
  }
  const char *digits = node->text + (node->text[0] == '+' || node->text[0] == '-');
  if (strcasecmp(digits, ".inf") == 0 || strcasecmp(digits, ".nan") == 0)
    return reader_fail(r, node, NULL, "'%.60s' in %s must be a finite number", key_text(field), r->subject);
  const expression_names names = {.indices = node->indices, .scope = &r->scope};
  expression_error error;
  TRY(check_expression(r, node, expression_number(node->text, &names, number, &error), &error));
  node->is_number = true;
  node->number = *number;
  return SEAM_OK;
}

static seam_status read_number(reader *r, yaml_node *node, const yaml_node *field, number_range within,
                               double *number) {
  TRY(evaluate(r, node, field, number));
  if (within == ANY_NUMBER || *number > 0 || (within == NOT_NEGATIVE && *number == 0))
    return SEAM_OK;
  return reader_fail(r, node, NULL, "'%.60s' in %s must %s, but is %.6g", key_text(field), r->subject,
                     within == POSITIVE ? "be positive" : "not be negative", *number);
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

seam_status reader_number(reader *r, yaml_node *value, number_range within, double *number) {
  return value != NULL ? read_number(r, value, value, within, number) : SEAM_OK;
}

seam_status reader_count(reader *r, yaml_node *value, double least, double most, size_t *count) {
  double number = 0;
  if (value == NULL)
    return SEAM_OK;
  TRY(evaluate(r, value, value, &number));
  if (number != floor(number) || number < least || number > most)
    return reader_fail(r, value, NULL, "'%.60s' in %s must be a whole number from %.0f to %.0f, but is %.6g",
                       key_text(value), r->subject, least, most, number);
  *count = (size_t)number;
  return SEAM_OK;
}

seam_status reader_vector(reader *r, yaml_node *value, number_range within, size_t n, double *vector) {
  char wanted[40];
  if (value == NULL)
    return SEAM_OK;
  snprintf(wanted, sizeof wanted, "a list of %zu numbers", n);
  if (value->kind != YAML_LIST)
    return fail_kind(r, value, value, wanted);
  if (value->n_children != n)
    return reader_fail(r, value, NULL, "'%.60s' in %s must be %s, but has %zu", key_text(value), r->subject, wanted,
                       value->n_children);
  for (yaml_node *item = value->first; item != NULL; item = item->next)
    TRY(read_number(r, item, value, within, vector++));
  return SEAM_OK;
}

seam_status reader_matrix(reader *r, const yaml_node *value, size_t n_rows, size_t n, const double **matrix) {
  double *filled = reader_allocate(r, n_rows * n, sizeof *filled);
  *matrix = filled;
  TRY(reader_check_memory(r, filled != NULL));
  if (value == NULL)
    return SEAM_OK;
  if (value->kind != YAML_LIST || value->n_children != n_rows)
    return reader_fail(r, value, "write [[1, 2], [3, 4]]", "'%s' in %s must be a list of %zu rows of %zu numbers",
                       value->key->text, r->subject, n_rows, n);
  for (const yaml_node *row = value->first; row != NULL; row = row->next, filled += n) {
    yaml_node named = *row; /* has the key, for messages */
    named.key = value->key;
    TRY(reader_vector(r, &named, ANY_NUMBER, n, filled));
  }
  return SEAM_OK;
}

seam_status reader_text(reader *r, const yaml_node *value, const char **text) {
  if (value == NULL)
    return SEAM_OK;
  if (value->text == NULL)
    return fail_kind(r, value, value, "text");
  *text = value->text;
  return SEAM_OK;
}

seam_status reader_word(reader *r, const yaml_node *value, const form *words, size_t *chosen) {
  const char *text = NULL;
  TRY(reader_text(r, value, &text));
  if (text == NULL)
    return SEAM_OK;
  char known[128] = "known:";
  nearest search = nearest_to(text);
  size_t used = strlen(known);
  for (size_t i = 0; i < words->n; i++) {
    if (strcmp(words->words[i], text) == 0) {
      *chosen = i;
      return SEAM_OK;
    }
    nearest_try(&search, words->words[i]);
    if (used < sizeof known)
      used += (size_t)snprintf(known + used, sizeof known - used, "%s %s", i == 0 ? "" : ",", words->words[i]);
  }
  return reader_fail_unknown(r, value, &search, known, "unknown %.60s '%.60s' in %s",
                             value->key != NULL ? value->key->text : "entry", text, r->subject);
}

seam_status reader_either(reader *r, const yaml_node *value, const form *words, bool *is_second) {
  size_t chosen = *is_second;
  TRY(reader_word(r, value, words, &chosen));
  *is_second = chosen == 1;
  return SEAM_OK;
}

static const form form_truth = {FORM_ONE_OF("false", "true")};

seam_status reader_flag(reader *r, const yaml_node *value, bool *flag) {
  return reader_either(r, value, &form_truth, flag);
}

/* Returns the text of a law with values for the indices of a repeat, since JSON has no repeats. */
static const char *text_without_indices(reader *r, const yaml_node *value) {
  const size_t size = 16 * strlen(value->text) + 1; /* a one-letter index becomes at most "(-1000000000)" */
  char *text = arena_allocate(r->memory, size);
  if (text == NULL)
    return NULL;
  size_t used = 0;
  const index_values *indices = value->indices;
  const char *tail = value->text;
  for (token t = lexer_next(tail); t.kind != TOKEN_END; t = lexer_next(tail)) {
    double index = 0;
    bool is_index = false;
    for (size_t i = 0; i < indices->n && !is_index; i++) {
      is_index = token_is(&t, indices->names[i]);
      index = indices->values[i];
    }
    const char *end = t.start + t.length + (t.kind == TOKEN_NAME ? lexer_quantity_length(t.start + t.length) : 0);
    if (is_index)
      used += (size_t)snprintf(text + used, size - used, "%.*s(%.0f)", (int)(t.start - tail), tail, index);
    else
      used += (size_t)snprintf(text + used, size - used, "%.*s", (int)(end - tail), tail);
    tail = end;
  }
  return text;
}

seam_status reader_expression(reader *r, yaml_node *value, const expression_names *of, expression **e) {
  if (value->text == NULL)
    return fail_kind(r, value, value, "an expression");
  expression_names names = *of;
  names.indices = value->indices;
  names.scope = &r->scope;
  names.is_negated = value->is_negated;
  expression_error error;
  TRY(check_expression(r, value, expression_compile(value->text, &names, e, &error), &error));
  for (size_t i = 0; i < of->n_variables; i++) {
    const char *name = of->variables[i];
    bool hides_parameter = false;
    if (table_find(&r->scope.parameters, name, strlen(name)) != NULL)
      for (token t = lexer_next(value->text); t.kind != TOKEN_END; t = lexer_next(t.start + t.length))
        hides_parameter |= token_is(&t, name);
    if (hides_parameter)
      seam_note("'%s' of %s reads %s as its variable, not as the parameter '%s': rename the parameter", key_text(value),
                r->subject, name, name);
  }
  const char *text = value->indices != NULL ? text_without_indices(r, value) : value->text;
  if (text == NULL) {
    expression_destroy(*e);
    return reader_no_memory(r);
  }
  value->text = text;
  return SEAM_OK;
}

seam_status reader_law(reader *r, yaml_node *value, const expression_names *of, seam_law *law) {
  expression *e = NULL;
  TRY(reader_expression(r, value, of, &e));
  *law = expression_law(e);
  return SEAM_OK;
}

seam_status reader_point(reader *r, yaml_node *value, double position[2]) {
  if (value->kind == YAML_LIST)
    return reader_vector(r, value, ANY_NUMBER, 2, position);
  if (value->text == NULL)
    return fail_kind(r, value, value, "the name of a point or [x, y]");
  const table_slot *slot = table_find(&r->point_names, value->text, strlen(value->text));
  if (slot != NULL) {
    memcpy(position, r->points[slot->value].position, sizeof r->points->position);
    return SEAM_OK;
  }
  nearest search = nearest_to(value->text);
  for (size_t i = 0; i < r->point_names.count; i++)
    nearest_try(&search, r->points[i].name);
  const bool is_number = value->text[strspn(value->text, "+-.0123456789eE")] == '\0';
  return reader_fail_unknown(r, value, &search,
                             is_number ? "write two points as [[x, y], [x, y]], or by their names"
                                       : "give it under 'points:', or write [x, y]",
                             "unknown point '%.60s' in %s", value->text, r->subject);
}

seam_status reader_marker(reader *r, yaml_node *value, size_t body, mbs_marker_def *marker) {
  const model_shape *shape = body != MBS_GROUND ? &r->result->shapes[body] : NULL;
  for (int end = 0; end < 2 && shape != NULL && value->text != NULL; end++)
    if (shape->ends[end] != NULL && strcmp(shape->ends[end], value->text) == 0) {
      *marker = (mbs_marker_def){MBS_BODY, {(end == 0 ? -1 : 1) * shape->rod_length / 2, 0}};
      return SEAM_OK;
    }
  marker->frame = MBS_INITIAL;
  return reader_point(r, value, marker->position);
}

static const char *const nouns[] = {[ENTRY_BODY] = "body", [ENTRY_JOINT] = "joint", [ENTRY_FORCE] = "force"};

seam_status reader_add_entry(reader *r, const yaml_node *value, entry_kind kind, entry **added) {
  TRY(reader_check_name(r, value->key, false));
  const char *name = value->key->text;
  if (strcmp(name, "ground") == 0)
    return reader_fail(r, value->key, "choose another name", "'ground' is the name of the ground");
  const table_slot *slot = table_find(&r->entry_names, name, strlen(name));
  if (slot != NULL)
    return reader_fail(r, value->key, "names are unique across bodies, joints and forces",
                       "the name '%.60s' is taken by a %s", name, nouns[r->entries[slot->value].kind]);
  TRY(reader_check_memory(r, table_add(&r->entry_names, name, strlen(name), r->n_entries)));
  *added = &r->entries[r->n_entries++];
  **added = (entry){.name = name, .kind = kind, .bodies = {MBS_GROUND, MBS_GROUND}};
  reader_set_subject(r, nouns[kind], value);
  return SEAM_OK;
}

seam_status reader_body(reader *r, const yaml_node *name, size_t *body) {
  if (name->text == NULL)
    return reader_fail(r, name, NULL, "a body in %s must be a name, but is %s", r->subject, yaml_kind_text(name));
  *body = MBS_GROUND;
  if (strcmp(name->text, "ground") == 0)
    return SEAM_OK;
  const table_slot *slot = table_find(&r->entry_names, name->text, strlen(name->text));
  if (slot != NULL && r->entries[slot->value].kind == ENTRY_BODY) {
    *body = slot->value;
    return SEAM_OK;
  }
  if (slot != NULL)
    return reader_fail(r, name, "name a body", "'%.60s' in %s is a %s, not a body", name->text, r->subject,
                       nouns[r->entries[slot->value].kind]);
  nearest search = nearest_to(name->text);
  nearest_try(&search, "ground");
  for (size_t i = 0; i < r->n_entries; i++)
    if (r->entries[i].kind == ENTRY_BODY)
      nearest_try(&search, r->entries[i].name);
  return reader_fail_unknown(r, name, &search, "give it under 'bodies:'", "unknown body '%.60s' in %s", name->text,
                             r->subject);
}

char *reader_path(reader *r, const yaml_node *value) {
  const char *slash = strrchr(r->file->name, '/');
  const bool is_local = value->text[0] != '/' && slash != NULL && !value->from->is_option;
  return arena_print(r->memory, "%.*s%s", is_local ? (int)(slash - r->file->name) + 1 : 0, r->file->name, value->text);
}

seam_status reader_add_data_file(reader *r, const char *path, size_t length) {
  data_file *added = reader_allocate(r, 1, sizeof *added);
  TRY(reader_check_memory(r, added != NULL));
  *added = (data_file){r->result->data_files, arena_text(r->memory, path, length)};
  r->result->data_files = added;
  return reader_check_memory(r, added->path != NULL);
}
