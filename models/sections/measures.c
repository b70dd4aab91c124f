/* `measures:` points, distances, sets of bodies, reactions and expressions of quantities (<seam/measures.h>).
 *
 *     measures:
 *       tip: {point: P, body: arm}
 *       tyre: "spring.force + 2*crank.angle"
 *
 * An expression that is only a quantity's name makes another name for the quantity. */
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/then.h"
#include "mbs/model/builder.h"
#include "models/sections/deferred.h"

enum { EXPRESSION, POINT, DISTANCE, SET, REACTION, N_WHAT, UNIT = N_WHAT, BODY, BODIES, AXES, OVER_RUN, N_KEYS };

#define NAME(code, name) #name,
static const char *const statistics[] = {SEAM_STATISTIC_TABLE(NAME)};
#undef NAME
static const form form_statistic = {FORM_WORDS(statistics)};
static const form form_statistics = {.kind = FORM_LIST, .of = &form_statistic};
static const form form_two_names = {FORM_EXACTLY(2, form_name)};

static const map_key keys[N_KEYS] = {
    [EXPRESSION] = {"expression", false, &form_law, "",
                    "one value: an expression of quantities, measures, the time t, parameters and tables"},
    [POINT] = {"point", false, &form_place, "m",
               "point fixed on 'body': x, y, vx, vy, ax, ay, speed, against the ground"},
    [DISTANCE] = {"distance", false, &form_two_places, "m",
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
static const form *const measure_forms[] = {&form_law, &form_measure_keys};
static const form form_measure = {FORM_FORMS(measure_forms)};
const form form_measures = {.kind = FORM_NAMED, .of = &form_measure};

/* A measure being read. */
typedef struct draft {
  yaml_node *node;
  yaml_node *values[N_KEYS];
  mbs_measure_def def;
  const char *bodies[2];
  const char *quantity; /* quantity that the expression renames */
} draft;

static const mbs_model *model_of(const reader *r) { return r->builder->model; }

/* ---- Expressions ------------------------------------------------------------------------------------------------- */

/* Refuses another unit for a renamed quantity, whose numbers stay; a quantity without unit may get one. */
static seam_status check_unit(reader *r, const draft *d, mbs_quantity quantity, const char *text) {
  static const struct {
    char prefix;
    const char *factor;
  } prefixes[] = {{'k', "0.001"}, {'M', "1e-6"}, {'m', "1000"}};
  const char *own = mbs_quantity_of(model_of(r), quantity).unit;
  const char *given = d->def.unit;
  const char *factor = "FACTOR";
  if (*own == '\0' || strcmp(own, given) == 0)
    return SEAM_OK;
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (given[0] == prefixes[i].prefix && strcmp(given + 1, own) == 0)
      factor = prefixes[i].factor;
  char fix[200];
  snprintf(fix, sizeof fix, "write '%s*%.60s' to convert it, or leave out 'unit'", factor, text);
  return reader_fail(r, d->values[UNIT], fix, "%s has the unit '%s' of '%.60s', not '%.60s'", r->subject, own, text,
                     given);
}

static seam_status read_text(reader *r, draft *d, yaml_node *value) {
  const own_names own = {&own_time, table_find(&r->parameter_names, own_time.name, 1) == NULL};
  quantity_function made = {0};
  const seam_status status = quantities_read(r, value, &own, &made);
  d->def.inputs = made.inputs;
  d->def.n_inputs = made.n_inputs;
  d->def.function = made.function;
  return status;
}

static seam_status read_expression(reader *r, draft *d, yaml_node *value) {
  const char *text = NULL;
  seam_status status = reader_text(r, value, &text);
  if (status != SEAM_OK || text == NULL)
    return status;
  mbs_quantity alias;
  d->quantity = strcmp(text, own_time.name) == 0 ? own_time.quantity : text;
  const bool is_bare = quantities_is_name(r, d->quantity, &alias);
  d->def.kind = MBS_EXPRESSION;
  d->def.inputs = &d->quantity;
  d->def.n_inputs = 1;
  if (!is_bare)
    status = read_text(r, d, value);
  if (status == SEAM_OK && d->values[UNIT] != NULL)
    status = reader_text(r, d->values[UNIT], &d->def.unit);
  return status == SEAM_OK && is_bare && d->def.unit != NULL ? check_unit(r, d, alias, text) : status;
}

/* ---- Places ------------------------------------------------------------------------------------------------------ */

static seam_status read_body(reader *r, const yaml_node *name, const char **body) {
  size_t number = 0;
  const seam_status status = reader_body(r, name, &number);
  *body = name->text;
  return status;
}

static seam_status read_place(reader *r, const yaml_node *body, yaml_node *place, mbs_marker_def *at) {
  size_t number = 0;
  const seam_status status = reader_body(r, body, &number);
  return status == SEAM_OK ? reader_marker(r, place, number, at) : status;
}

/* Reads {body: [ξ, η], ...}: places in the frames of n bodies. */
static seam_status read_own_frames(reader *r, yaml_node *places, const yaml_node *doubled, size_t n, draft *d) {
  if (doubled != NULL)
    return reader_fail(r, doubled->key, "remove one of the two", "the places of %s name their bodies already",
                       r->subject);
  if (places->n_children != n)
    return reader_fail(r, places, NULL, "%s needs %zu place%s, but has %zu", r->subject, n, n > 1 ? "s" : "",
                       places->n_children);
  seam_status status = SEAM_OK;
  size_t i = 0;
  for (yaml_node *place = places->first; place != NULL && status == SEAM_OK; place = place->next, i++) {
    status = read_body(r, place->key, &d->bodies[i]);
    THEN(status, reader_vector(r, place, ANY_NUMBER, 2, d->def.at[i].position));
    d->def.at[i].frame = MBS_BODY;
  }
  return status;
}

static seam_status read_point(reader *r, draft *d, yaml_node *place) {
  const yaml_node *body = d->values[BODY];
  d->def.kind = MBS_POINT;
  d->def.n_bodies = 1;
  if (place->kind == YAML_MAP)
    return read_own_frames(r, place, body, 1, d);
  if (body == NULL)
    return reader_fail(r, reader_place(d->node), "add 'body: NAME', the body on which the point is fixed",
                       "%s needs 'body'", r->subject);
  const seam_status status = read_body(r, body, &d->bodies[0]);
  return status == SEAM_OK ? read_place(r, body, place, &d->def.at[0]) : status;
}

static seam_status read_two_bodies(reader *r, draft *d) {
  const yaml_node *list = d->values[BODIES];
  if (list == NULL)
    return reader_fail(r, reader_place(d->node), "add 'bodies: [NAME, NAME]', on which the points are fixed",
                       "%s needs 'bodies'", r->subject);
  if (list->kind != YAML_LIST || list->n_children != 2)
    return reader_fail(r, list, "write [NAME, NAME]", "'bodies' in %s must be a list of two names", r->subject);
  const seam_status status = read_body(r, list->first, &d->bodies[0]);
  return status == SEAM_OK ? read_body(r, list->last, &d->bodies[1]) : status;
}

static seam_status read_distance(reader *r, draft *d, yaml_node *places) {
  d->def.kind = MBS_BETWEEN;
  d->def.n_bodies = 2;
  if (places->kind == YAML_MAP)
    return read_own_frames(r, places, d->values[BODIES], 2, d);
  seam_status status = read_two_bodies(r, d);
  if (status == SEAM_OK && (places->kind != YAML_LIST || places->n_children != 2))
    return reader_fail(r, places, "write [P, Q]: P on the first body, Q on the second; each a point or [x, y]",
                       "'distance' in %s must be two points", r->subject);
  THEN(status, read_place(r, d->values[BODIES]->first, places->first, &d->def.at[0]));
  return status == SEAM_OK ? read_place(r, d->values[BODIES]->last, places->last, &d->def.at[1]) : status;
}

/* ---- Sets and reactions ------------------------------------------------------------------------------------------ */

static seam_status read_set(reader *r, draft *d, yaml_node *list) {
  d->def.kind = MBS_SET;
  if (list->kind != YAML_LIST || list->n_children == 0)
    return reader_fail(r, list, "write [NAME, ...]", "'set' in %s must be a list of bodies, but is %s", r->subject,
                       list->kind == YAML_LIST ? "empty" : yaml_kind_text(list));
  const char **bodies = arena_take(&r->memory, list->n_children * sizeof *bodies);
  if (bodies == NULL)
    return reader_no_memory(r);
  table seen = {0};
  seam_status status = SEAM_OK;
  for (const yaml_node *name = list->first; name != NULL && status == SEAM_OK; name = name->next) {
    status = read_body(r, name, &bodies[d->def.n_bodies]);
    if (status == SEAM_OK && table_find(&seen, name->text, strlen(name->text)) != NULL)
      status = reader_fail(r, name, "keep one of the two", "%s lists '%.60s' twice", r->subject, name->text);
    else if (status == SEAM_OK && !table_add(&seen, name->text, strlen(name->text), 0))
      status = reader_no_memory(r);
    d->def.n_bodies++;
  }
  table_release(&seen);
  d->def.bodies = bodies;
  return status;
}

static seam_status read_reaction(reader *r, draft *d, yaml_node *joint) {
  d->def.kind = MBS_REACTION;
  const seam_status status = reader_text(r, joint, &d->def.joint);
  if (status != SEAM_OK || mbs_find_joint(model_of(r), d->def.joint) != SEAM_NONE)
    return status;
  char fix[128];
  nearest search = nearest_to(d->def.joint);
  for (size_t i = 0; i < mbs_n_joints(model_of(r)); i++)
    nearest_try(&search, mbs_joint_of(model_of(r), i).name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(r, joint, fix, "unknown joint '%.60s' in %s", d->def.joint, r->subject);
}

/* Returns the body that `axes: body` means: the point's body, or the first body of the joint. */
static const char *own_body(const reader *r, const draft *d) {
  if (d->def.kind == MBS_POINT)
    return d->def.bodies[0];
  const mbs_joint_info joint = mbs_joint_of(model_of(r), mbs_find_joint(model_of(r), d->def.joint));
  return mbs_body_of(model_of(r), joint.bodies[0]).name;
}

static seam_status read_axes(reader *r, draft *d) {
  const yaml_node *axes = d->values[AXES];
  if (axes == NULL)
    return SEAM_OK;
  const bool is_own = axes->kind == YAML_SCALAR && axes->text != NULL && strcmp(axes->text, "body") == 0 &&
                      table_find(&r->entry_names, "body", 4) == NULL;
  if (!is_own)
    return read_body(r, axes, &d->def.axes);
  d->def.axes = own_body(r, d);
  return SEAM_OK;
}

/* ---- Statistics -------------------------------------------------------------------------------------------------- */

static seam_status read_over_run(reader *r, const yaml_node *list, unsigned *bits) {
  if (list == NULL)
    return SEAM_OK;
  if (list->kind != YAML_LIST)
    return reader_fail(r, list, "write [min, max, mean, integral, rms], or some of them",
                       "'over_run' in %s must be a list, but is %s", r->subject, yaml_kind_text(list));
  for (const yaml_node *name = list->first; name != NULL; name = name->next) {
    size_t chosen = 0;
    const seam_status status = reader_word(r, name, &form_statistic, &chosen);
    if (status != SEAM_OK)
      return status;
    *bits |= 1U << chosen;
  }
  return SEAM_OK;
}

/* ---- The whole --------------------------------------------------------------------------------------------------- */

/* For each main key: its reader, and the other keys it takes besides `over_run`. */
static const struct {
  seam_status (*read)(reader *r, draft *d, yaml_node *value);
  bool takes[N_KEYS];
} kinds[N_WHAT] = {
    [EXPRESSION] = {read_expression, {[UNIT] = true}}, [POINT] = {read_point, {[BODY] = true, [AXES] = true}},
    [DISTANCE] = {read_distance, {[BODIES] = true}},   [SET] = {read_set, {false}},
    [REACTION] = {read_reaction, {[AXES] = true}},
};

static seam_status check_keys(reader *r, const draft *d, int what) {
  for (int i = 0; i < OVER_RUN; i++) {
    const yaml_node *other = d->values[i];
    if (other == NULL || i == what || kinds[what].takes[i])
      continue;
    if (i < N_WHAT)
      return reader_fail(r, other->key, "make two measures of it", "%s has both '%s' and '%s'", r->subject,
                         keys[what].name, keys[i].name);
    return reader_fail(r, other->key, "remove it", "%s takes no '%s' beside '%s'", r->subject, keys[i].name,
                       keys[what].name);
  }
  return SEAM_OK;
}

static seam_status read_what(reader *r, draft *d) {
  for (int i = 0; i < N_WHAT; i++) {
    yaml_node *value = d->values[i];
    if (value == NULL)
      continue;
    const seam_status status = check_keys(r, d, i);
    d->def.bodies = d->bodies;
    return status == SEAM_OK ? kinds[i].read(r, d, value) : status;
  }
  return reader_fail(r, reader_place(d->node), "add 'expression', 'point', 'distance', 'set' or 'reaction'",
                     "%s does not say what it measures", r->subject);
}

/* Takes the values of the keys; a scalar is an expression. */
static seam_status take_values(reader *r, draft *d) {
  if (d->node->kind == YAML_MAP)
    return reader_take_map(r, d->node, keys, N_KEYS, d->values);
  if (d->node->kind == YAML_LIST)
    return reader_fail(r, d->node, "write \"spring.force + 1\" or {point: P, body: NAME}",
                       "%s must be an expression or a map, but is a list", r->subject);
  d->values[EXPRESSION] = d->node;
  return SEAM_OK;
}

static seam_status read(reader *r, const reference *one) {
  yaml_node *value = one->value;
  draft d = {.node = value, .def = mbs_default_measure_def()};
  unsigned bits = 0;
  reader_set_subject(r, "measure", value);
  d.def.name = value->key->text;
  seam_status status = take_values(r, &d);
  THEN(status, read_over_run(r, d.values[OVER_RUN], &bits));
  THEN(status, read_what(r, &d));
  THEN(status, read_axes(r, &d));
  if (status != SEAM_OK) {
    quantities_discard(&d.def.function);
    return status;
  }
  seam_error cause = {0};
  status = mbs_add_measure(r->builder, &d.def, &cause);
  if (status == SEAM_OK)
    r->result->over_run[mbs_n_elements(model_of(r), MBS_MEASURES) - 1] = bits;
  return status == SEAM_OK ? SEAM_OK : reader_fail_as_engine(r, value->key, &cause);
}

static seam_status check_name(reader *r, const yaml_node *key) {
  const char *name = key->text;
  const seam_status status = reader_check_name(r, key, true);
  if (status != SEAM_OK)
    return status;
  if (expression_is_reserved(name) || strcmp(name, "t") == 0)
    return reader_fail(r, key, "choose another name",
                       "'%s' is a function, a constant or the time and cannot be a measure", name);
  if (table_find(&r->parameter_names, name, strlen(name)) != NULL)
    return reader_fail(r, key, "choose another name",
                       "'%.60s' is a parameter already, so that expressions could not refer to the measure", name);
  return SEAM_OK;
}

/* Returns the expression that may name other measures; NULL: none, as for a renamed quantity, whose name may have
 * hyphens. */
static const char *text_of(const reader *r, const yaml_node *value) {
  const yaml_node *text = value->kind == YAML_MAP ? yaml_get(value, "expression") : value;
  mbs_quantity alias;
  if (text == NULL || text->kind != YAML_SCALAR || text->text == NULL || quantities_is_name(r, text->text, &alias))
    return NULL;
  return text->text;
}

seam_status measures_list(reader *r, reference *list, size_t *n) {
  static const reference_rules rules = {"measures", "write one of them without the others", read};
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "measures", &section);
  *n = section != NULL ? section->n_children : 0;
  for (yaml_node *value = *n > 0 ? section->first : NULL; value != NULL && list != NULL && status == SEAM_OK;
       value = value->next) {
    status = check_name(r, value->key);
    *list++ = (reference){.rules = &rules, .name = value->key->text, .value = value, .text = text_of(r, value)};
  }
  return status;
}
