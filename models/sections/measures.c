/* `measures:` points, distances, sets of bodies, reactions, and expressions of quantities (<seam/measures.h>).
 *
 *     measures:
 *       tip: {point: P, body: arm}
 *       tyre: "spring.force + 2*crank.angle"
 *
 * If an expression is only the name of a quantity, the measure is another name of this quantity.
 *
 * The file also reads all other deferred functions (quantities_section.h). */
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "mbs/build/builder.h"
#include "models/sections/references.h"

/* ---- Measures ---------------------------------------------------------------------------------------------------- */

enum { EXPRESSION, POINT, DISTANCE, SET, REACTION, N_MAIN, UNIT = N_MAIN, BODY, BODIES, AXES, OVER_RUN, N_KEYS };

#define NAME(code, name) #name,
static const form form_statistic = {FORM_ONE_OF(SEAM_STATISTIC_TABLE(NAME))};
#undef NAME
static const form form_statistics = {.kind = FORM_LIST, .of = &form_statistic};
static const form form_two_names = {FORM_EXACTLY(2, form_name)};

static const map_key keys[N_KEYS] = {
    [EXPRESSION] = {"expression", false, &form_law, "",
                    "one value: an expression of quantities, measures, the time t, parameters and tables"},
    [POINT] = {"point", false, &form_position, "m",
               "point fixed on 'body': x, y, vx, vy, ax, ay, speed, against the ground"},
    [DISTANCE] = {"distance", false, &form_two_positions, "m",
                  "two points, one on each of 'bodies': length, rate, acceleration"},
    [SET] = {"set", false, &form_names, "",
             "bodies together: x, y, vx, vy, ax, ay of the centre of mass; px, py; angular_momentum about the origin, "
             "spin about the centre of mass; kinetic, potential"},
    [REACTION] = {"reaction", false, &form_name, "",
                  "joint whose reaction on its first body is measured: fx, fy, torque"},
    [UNIT] = {"unit", false, &form_text, "",
              "unit of an expression; default: none, or that of the only quantity in it"},
    [BODY] = {"body", false, &form_name, "", "body on which the point is fixed"},
    [BODIES] = {"bodies", false, &form_two_names, "", "bodies on which the ends of the distance are fixed"},
    [AXES] = {"axes", false, &form_name, "",
              "body along whose axes components are given; 'body' for the own one; default: the ground"},
    [OVER_RUN] = {"over_run", false, &form_statistics, "", "figures over the run that go into summary.json"},
};
static const form form_measure_keys = {.name = "measure", .meaning = "a measure", FORM_KEYS(keys)};
static const form form_measure = {FORM_ANY_OF(&form_law, &form_measure_keys)};
const form form_measures = {.kind = FORM_NAMED, .of = &form_measure};

typedef struct draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  mbs_measure_def def;
  const char *bodies[2];
  const char *quantity; /* the quantity that the measure renames; NULL: none */
} draft;

/* Reads an expression. If it only renames a quantity, another unit is an error, since the numbers stay the same. A
 * quantity without a unit may get one. */
static seam_status read_expression(reader *r, draft *d, yaml_node *value) {
  static const struct {
    char prefix;
    const char *factor;
  } prefixes[] = {{'k', "0.001"}, {'M', "1e-6"}, {'m', "1000"}};
  const short_names aliases = {&time_name, table_find(&r->scope.parameters, time_name.name, 1) == NULL};
  quantity_function made = {.inputs = &d->quantity, .n_inputs = 1};
  mbs_quantity alias;
  const char *text = NULL;
  TRY(reader_text(r, value, &text));
  if (text == NULL)
    return SEAM_OK;
  d->quantity = strcmp(text, time_name.name) == 0 ? time_name.quantity : text;
  const bool is_renamed = quantities_is_name(r, d->quantity, &alias);
  if (!is_renamed)
    TRY(quantities_read(r, value, &aliases, false, &made));
  d->def.kind = MBS_EXPRESSION;
  d->def.inputs = made.inputs;
  d->def.n_inputs = made.n_inputs;
  d->def.function = made.function;
  TRY(reader_text(r, d->values[UNIT], &d->def.unit));
  const char *given = d->def.unit;
  const char *unit = is_renamed ? mbs_quantity_of(r->builder->model, alias).unit : "";
  if (given == NULL || unit[0] == '\0' || strcmp(unit, given) == 0)
    return SEAM_OK;
  const char *factor = "FACTOR";
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (given[0] == prefixes[i].prefix && strcmp(given + 1, unit) == 0)
      factor = prefixes[i].factor;
  char fix[200];
  snprintf(fix, sizeof fix, "write '%s*%.60s' to convert it, or leave out 'unit'", factor, text);
  return reader_fail(r, d->values[UNIT], fix, "%s must have the unit '%s', that of '%.60s', but 'unit' is '%.60s'",
                     r->subject, unit, text, given);
}

static seam_status read_body(reader *r, const yaml_node *name, const char **body) {
  size_t number = 0;
  TRY(reader_body(r, name, &number));
  *body = name->text;
  return SEAM_OK;
}

/* Reads marker i: a body, and a position on it. */
static seam_status read_position(reader *r, draft *d, size_t i, const yaml_node *body, yaml_node *position) {
  size_t number = 0;
  TRY(reader_body(r, body, &number));
  d->bodies[i] = body->text;
  return reader_marker(r, position, number, &d->def.at[i]);
}

/* Reads {body: [ξ, η], ...}, positions in the frames of n bodies. other_key, `body` or `bodies`, must then be NULL. */
static seam_status read_body_frames(reader *r, yaml_node *positions, const yaml_node *other_key, size_t n, draft *d) {
  if (other_key != NULL)
    return reader_fail(r, other_key->key, "remove this key, or write places without the names of bodies",
                       "'%s' in %s cannot stand beside places that name their bodies", other_key->key->text,
                       r->subject);
  if (positions->n_children != n)
    return reader_fail(r, positions, NULL, "%s needs %zu place%s, but has %zu", r->subject, n, n > 1 ? "s" : "",
                       positions->n_children);
  size_t i = 0;
  for (yaml_node *position = positions->first; position != NULL; position = position->next, i++) {
    TRY(read_body(r, position->key, &d->bodies[i]));
    TRY(reader_vector(r, position, ANY_NUMBER, 2, d->def.at[i].position));
    d->def.at[i].frame = MBS_BODY;
  }
  return SEAM_OK;
}

static seam_status read_point(reader *r, draft *d, yaml_node *position) {
  const yaml_node *body = d->values[BODY];
  d->def.kind = MBS_POINT;
  d->def.n_bodies = 1;
  if (position->kind == YAML_MAP)
    return read_body_frames(r, position, body, 1, d);
  if (body == NULL)
    return reader_fail(r, reader_message_node(d->node), "add 'body: NAME', the body on which the point is fixed",
                       "%s needs 'body'", r->subject);
  return read_position(r, d, 0, body, position);
}

static seam_status read_distance(reader *r, draft *d, yaml_node *positions) {
  const yaml_node *list = d->values[BODIES];
  const char *body = NULL;
  d->def.kind = MBS_BETWEEN;
  d->def.n_bodies = 2;
  if (positions->kind == YAML_MAP)
    return read_body_frames(r, positions, list, 2, d);
  if (list == NULL)
    return reader_fail(r, reader_message_node(d->node), "add 'bodies: [NAME, NAME]', on which the points are fixed",
                       "%s needs 'bodies'", r->subject);
  if (list->kind != YAML_LIST || list->n_children != 2)
    return reader_fail(r, list, "write [NAME, NAME]", "'bodies' in %s must be a list of two names", r->subject);
  TRY(read_body(r, list->first, &body));
  TRY(read_body(r, list->last, &body));
  if (positions->kind != YAML_LIST || positions->n_children != 2)
    return reader_fail(r, positions, "write [P, Q]: P on the first body, Q on the second; each a point or [x, y]",
                       "'distance' in %s must be two points", r->subject);
  TRY(read_position(r, d, 0, list->first, positions->first));
  return read_position(r, d, 1, list->last, positions->last);
}

static seam_status read_set(reader *r, draft *d, yaml_node *list) {
  d->def.kind = MBS_SET;
  if (list->kind != YAML_LIST || list->n_children == 0)
    return reader_fail(r, list, "write [NAME, ...]", "'set' in %s must be a list of bodies, but is %s", r->subject,
                       list->kind == YAML_LIST ? "empty" : yaml_kind_text(list));
  const char **bodies = reader_allocate(r, list->n_children, sizeof *bodies);
  TRY(reader_check_memory(r, bodies != NULL));
  for (const yaml_node *name = list->first; name != NULL; name = name->next)
    TRY(read_body(r, name, &bodies[d->def.n_bodies++]));
  d->def.bodies = bodies;
  return reader_check_twice(r, list);
}

static seam_status read_reaction(reader *r, draft *d, yaml_node *joint) {
  d->def.kind = MBS_REACTION;
  const mbs_model *model = r->builder->model;
  TRY(reader_text(r, joint, &d->def.joint));
  if (mbs_find_joint(model, d->def.joint) != SEAM_NONE)
    return SEAM_OK;
  nearest search = nearest_to(d->def.joint);
  for (size_t i = 0; i < mbs_n_joints(model); i++)
    nearest_try(&search, mbs_joint_of(model, i).name);
  return reader_fail_unknown(r, joint, &search, "", "unknown joint '%.60s' in %s", d->def.joint, r->subject);
}

static seam_status read_axes(reader *r, draft *d) {
  const yaml_node *axes = d->values[AXES];
  if (axes == NULL)
    return SEAM_OK;
  const bool is_own =
      axes->text != NULL && strcmp(axes->text, "body") == 0 && table_find(&r->entry_names, "body", 4) == NULL;
  if (!is_own)
    return read_body(r, axes, &d->def.axes);
  /* by default, axes of the point's body, or of the joint's first body */
  const mbs_model *model = r->builder->model;
  d->def.axes = d->def.kind == MBS_POINT
                    ? d->def.bodies[0]
                    : mbs_body_of(model, mbs_joint_of(model, mbs_find_joint(model, d->def.joint)).bodies[0]).name;
  return SEAM_OK;
}

/* Main keys: the reader of each, and the keys that it permits beside `over_run`. */
static const struct {
  seam_status (*read)(reader *r, draft *d, yaml_node *value);
  bool permits[N_KEYS];
} kinds[N_MAIN] = {
    [EXPRESSION] = {read_expression, {[UNIT] = true}}, [POINT] = {read_point, {[BODY] = true, [AXES] = true}},
    [DISTANCE] = {read_distance, {[BODIES] = true}},   [SET] = {read_set, {false}},
    [REACTION] = {read_reaction, {[AXES] = true}},
};

/* Reads a measure by its first main key. */
static seam_status read_kind(reader *r, draft *d) {
  int kind = 0;
  while (kind < N_MAIN && d->values[kind] == NULL)
    kind++;
  if (kind == N_MAIN)
    return reader_fail(r, reader_message_node(d->node), "add 'expression', 'point', 'distance', 'set' or 'reaction'",
                       "%s does not say what it measures", r->subject);
  for (int i = 0; i < OVER_RUN; i++) {
    const yaml_node *other = d->values[i];
    if (other == NULL || i == kind || kinds[kind].permits[i])
      continue;
    if (i < N_MAIN)
      return reader_fail(r, other->key, "write two measures", "%s has both '%s' and '%s'", r->subject, keys[kind].name,
                         keys[i].name);
    return reader_fail(r, other->key, "remove it", "%s takes no '%s' beside '%s'", r->subject, keys[i].name,
                       keys[kind].name);
  }
  d->def.bodies = d->bodies;
  return kinds[kind].read(r, d, d->values[kind]);
}

static seam_status read_measure(reader *r, const reference *one) {
  yaml_node *value = one->value;
  draft d = {.node = value, .values = {[EXPRESSION] = value}, .def = mbs_default_measure_def()};
  unsigned bits = 0;
  reader_set_subject(r, "measure", value);
  d.def.name = value->key->text;
  if (value->kind == YAML_LIST)
    return reader_fail(r, value, "write \"spring.force + 1\" or {point: P, body: NAME}",
                       "%s must be an expression or a map, but is a list", r->subject);
  if (value->kind == YAML_MAP)
    TRY(reader_map(r, value, keys, N_KEYS, d.values));
  const yaml_node *over_run = d.values[OVER_RUN];
  TRY(reader_check_kind(r, over_run, YAML_LIST, "write [min, max, mean, integral, rms], or some of them"));
  for (const yaml_node *name = yaml_first(over_run, YAML_LIST); name != NULL; name = name->next) {
    size_t chosen = 0;
    TRY(reader_word(r, name, &form_statistic, &chosen));
    bits |= 1U << chosen;
  }
  d.def.is_watched = true;
  seam_status status = read_kind(r, &d);
  THEN(status, read_axes(r, &d));
  if (status != SEAM_OK) {
    quantities_discard(&d.def.function);
    return status;
  }
  status = mbs_add_measure(r->builder, &d.def, &r->cause);
  if (status == SEAM_OK)
    r->result->over_run[mbs_n_elements(r->builder->model, MBS_MEASURES) - 1] = bits;
  return reader_check_call(r, value->key, status);
}

static seam_status list_measures(reader *r, const yaml_node *section, reference *list, size_t *n) {
  static const reference_rules rules = {"measures", "write one of them without the others", read_measure};
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    const char *name = value->key->text;
    TRY(reader_check_name(r, value->key, true));
    if (expression_is_reserved(name) || strcmp(name, "t") == 0)
      return reader_fail(r, value->key, "choose another name",
                         "'%s' is a function, a constant or the time and cannot be a measure", name);
    if (table_find(&r->scope.parameters, name, strlen(name)) != NULL)
      return reader_fail(r, value->key, "choose another name",
                         "'%.60s' is a parameter already, so that expressions could not refer to the measure", name);
    const yaml_node *text = value->kind == YAML_MAP ? yaml_get(value, "expression") : value;
    mbs_quantity alias;
    /* A measure that only renames a quantity depends on no other measures. Its text may have hyphens. */
    const bool is_expression = text != NULL && text->text != NULL && !quantities_is_name(r, text->text, &alias);
    list[(*n)++] =
        (reference){.rules = &rules, .name = name, .value = value, .text = is_expression ? text->text : NULL};
  }
  return SEAM_OK;
}

/* ---- Deferred functions ------------------------------------------------------------------------------------------ */

seam_status deferred_add(reader *r, deferral kind, const deferred *one) {
  deferred *copy = reader_allocate(r, 1, sizeof *copy);
  TRY(reader_check_memory(r, copy != NULL));
  *copy = *one;
  copy->next = NULL;
  deferred_list *list = &r->deferred[kind];
  if (list->last != NULL)
    list->last->next = copy;
  else
    list->first = copy;
  list->last = copy;
  return SEAM_OK;
}

static seam_status read_function(reader *r, const deferred *one, quantity_function *made) {
  reader_set_subject(r, one->noun, one->node);
  return one->is_sum ? quantities_sum(r, one->names, one->gains, one->n, one->offset, made)
                     : quantities_read(r, one->value, &one->aliases, false, made);
}

static seam_status add_deferred_measure(reader *r, const reference *wanted) {
  const deferred *one = wanted->data;
  mbs_measure_def def = mbs_default_measure_def();
  quantity_function made = {0};
  if (one->point != NULL)
    return reader_check_call(r, one->value, mbs_add_measure(r->builder, one->point, &r->cause));
  TRY(read_function(r, one, &made));
  def.name = one->name;
  def.kind = MBS_EXPRESSION;
  def.inputs = made.inputs;
  def.n_inputs = made.n_inputs;
  def.function = made.function;
  def.unit = one->unit;
  return reader_check_call(r, one->value, mbs_add_measure(r->builder, &def, &r->cause));
}

/* Does nothing, since the variable exists. It is listed so that find_entry() does not take "a.x" for measure a. */
static seam_status skip(reader *r, const reference *one) {
  (void)r;
  (void)one;
  return SEAM_OK;
}

/* Reads the measures of the file together with the inputs and outputs of equations. */
static seam_status read_measures(reader *r) {
  static const reference_rules loop = {"outputs, inputs and measures",
                                       "break the loop: make an output in it a state, or sample the equations",
                                       add_deferred_measure};
  static const reference_rules variable = {"variables", NULL, skip};
  const yaml_node *section = NULL;
  TRY(reader_section(r, "measures", &section));
  size_t most = section->n_children;
  size_t n = 0;
  for (int kind = DEFERRED_MEASURE; kind <= DEFERRED_RATE; kind++)
    for (const deferred *one = r->deferred[kind].first; one != NULL; one = one->next)
      most++;
  reference *all = reader_allocate(r, most, sizeof *all);
  unsigned *over_run = reader_allocate(r, most, sizeof *over_run);
  TRY(reader_check_memory(r, all != NULL && over_run != NULL));
  r->result->over_run = over_run;
  TRY(list_measures(r, section, all, &n));
  for (deferred *one = r->deferred[DEFERRED_MEASURE].first; one != NULL; one = one->next)
    all[n++] = (reference){.rules = &loop,
                           .name = one->name,
                           .value = one->value,
                           .text = one->is_sum || one->point != NULL ? NULL : one->value->text,
                           .aliases = one->aliases,
                           .names = one->names,
                           .n_names = one->n,
                           .data = one};
  for (const deferred *one = r->deferred[DEFERRED_RATE].first; one != NULL; one = one->next)
    all[n++] = (reference){.rules = &variable, .name = one->name, .value = one->value};
  return references_read(r, all, n);
}

seam_status deferred_read(reader *r) {
  TRY(read_measures(r));
  for (const deferred *one = r->deferred[DEFERRED_RATE].first; one != NULL; one = one->next) {
    quantity_function made = {0};
    TRY(read_function(r, one, &made));
    TRY(reader_check_call(r, one->value,
                          mbs_set_rate(r->builder, one->name, made.inputs, made.n_inputs, &made.function, &r->cause)));
  }
  for (const deferred *one = r->deferred[DEFERRED_LAW].first; one != NULL; one = one->next) {
    mbs_law_def law = mbs_default_law_def();
    quantity_function made = {0};
    TRY(read_function(r, one, &made));
    law.force = one->name;
    law.component = one->component;
    law.inputs = made.inputs;
    law.n_inputs = made.n_inputs;
    law.function = made.function;
    TRY(reader_check_call(r, one->value, mbs_add_law(r->builder, &law, &r->cause)));
  }
  memset(r->deferred, 0, sizeof r->deferred);
  return SEAM_OK;
}
