#include "models/sections/elements.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "models/expression/lexer.h"

static const char *body_name(const reader *r, size_t body) {
  return body == MBS_GROUND ? "ground" : r->entries[body].name;
}

/* Reads {body: [ξ, η], ...}, a position in the frame of each body; that of the ground is global. */
static seam_status read_body_frames(reader *r, yaml_node *value, element *to) {
  map_key keys[2];
  yaml_node *positions[2];
  for (size_t i = 0; i < to->n_bodies; i++)
    keys[i] = (map_key){.name = body_name(r, to->bodies[i]), .required = true};
  TRY(reader_inner_map(r, value, keys, to->n_bodies, positions));
  for (size_t i = 0; i < to->n_bodies; i++) {
    to->at[i].frame = to->bodies[i] == MBS_GROUND ? MBS_INITIAL : MBS_BODY;
    TRY(reader_vector(r, positions[i], ANY_NUMBER, 2, to->at[i].position));
  }
  return SEAM_OK;
}

static bool is_point(const reader *r, const yaml_node *node) {
  if (node->kind == YAML_LIST)
    return true;
  return node->text != NULL && table_find(&r->point_names, node->text, strlen(node->text)) != NULL &&
         table_find(&r->scope.parameters, node->text, strlen(node->text)) == NULL;
}

seam_status elements_read_position(reader *r, yaml_node *value, element *to) {
  if (value->kind == YAML_MAP)
    return read_body_frames(r, value, to);
  if (value->kind == YAML_LIST && value->n_children == 2 && is_point(r, value->first) && is_point(r, value->last))
    return reader_fail(r, value,
                       "write one point or [x, y]; or {BODY1: [x, y], BODY2: [x, y]}, with the names of the bodies and "
                       "the place in the frame of each",
                       "'at' in %s must be one place, but lists two points", r->subject);
  for (size_t i = 0; i < to->n_bodies && i < 2; i++)
    TRY(reader_marker(r, value, to->bodies[i], &to->at[i]));
  return SEAM_OK;
}

seam_status elements_read_two_positions(reader *r, yaml_node *value, element *to) {
  if (value->kind == YAML_MAP)
    return read_body_frames(r, value, to);
  if (value->kind != YAML_LIST || value->n_children != 2)
    return reader_fail(r, value, "write [P, Q]: P on the first body, Q on the second; each a point or [x, y]",
                       "'at' in %s must be two points", r->subject);
  yaml_node *const positions[2] = {value->first, value->last};
  for (size_t i = 0; i < 2; i++)
    TRY(reader_marker(r, positions[i], i < to->n_bodies ? to->bodies[i] : MBS_GROUND, &to->at[i]));
  return SEAM_OK;
}

seam_status elements_read_second_position(reader *r, yaml_node *value, element *to) {
  to->at[0] = (mbs_marker_def){MBS_BODY, {0, 0}};
  if (value->kind != YAML_MAP)
    return reader_marker(r, value, to->bodies[1], &to->at[1]);
  const map_key key = {.name = body_name(r, to->bodies[1]), .required = true};
  yaml_node *position = NULL;
  TRY(reader_map(r, value, &key, 1, &position));
  to->at[1].frame = to->bodies[1] == MBS_GROUND ? MBS_INITIAL : MBS_BODY;
  return reader_vector(r, position, ANY_NUMBER, 2, to->at[1].position);
}

/* The form has all words but the first, which is the default. */
#define NAME(code, name) name,
static const char *const sides[] = {MBS_SIDE_TABLE(NAME)};
#undef NAME
const form form_side = {.kind = FORM_WORD, .words = sides + 1, .n = MBS_SIDES - 1};

seam_status elements_read_side(reader *r, yaml_node *value, void *side) {
  size_t chosen = 0;
  TRY(reader_word(r, value, &form_side, &chosen));
  *(mbs_side *)side = (mbs_side)(chosen + 1);
  return SEAM_OK;
}

seam_status elements_read_sign(reader *r, yaml_node *value, void *number) {
  double *signed_number = number;
  bool is_opposite = false;
  TRY(reader_flag(r, value, &is_opposite));
  *signed_number = is_opposite ? -*signed_number : *signed_number;
  return SEAM_OK;
}

seam_status elements_read_direction(reader *r, yaml_node *value, void *axis) {
  const double *x = axis;
  TRY(reader_vector(r, value, ANY_NUMBER, 2, axis));
  if (x[0] != 0 || x[1] != 0)
    return SEAM_OK;
  return reader_fail(r, value, "write a direction such as [1, 0]", "'%s' in %s must not be zero", value->key->text,
                     r->subject);
}

static seam_status read_bodies(reader *r, const element_type *type, yaml_node *list, yaml_node *single, element *to) {
  if (list != NULL && single != NULL)
    return reader_fail(r, single->key, "keep one of the two", "%s has 'bodies' and 'body'", r->subject);
  if (list == NULL && single == NULL)
    return reader_fail(r, reader_message_node(to->node), NULL, "%s needs '%s'", r->subject,
                       type->max_bodies == 1 ? "body" : "bodies");
  if (list != NULL && list->kind != YAML_LIST)
    return reader_fail(r, list, "write [NAME, NAME]", "'bodies' in %s must be a list of names, but is %s", r->subject,
                       yaml_kind_text(list));
  const size_t n = list != NULL ? list->n_children : 1;
  if (n < type->min_bodies || n > type->max_bodies) {
    char wanted[64];
    if (type->max_bodies == SIZE_MAX)
      snprintf(wanted, sizeof wanted, "at least %zu", type->min_bodies);
    else if (type->min_bodies != type->max_bodies)
      snprintf(wanted, sizeof wanted, "%zu or %zu", type->min_bodies, type->max_bodies);
    else
      snprintf(wanted, sizeof wanted, "%zu", type->min_bodies);
    return reader_fail(r, list != NULL ? list : single,
                       type->min_bodies == 2   ? "'ground' counts as a body"
                       : type->max_bodies == 1 ? "give only the body: the ground is the other side"
                                               : NULL,
                       "%s of type %s needs %s bod%s, but lists %zu", r->subject, type->name, wanted,
                       type->max_bodies == 1 ? "y" : "ies", n);
  }
  to->bodies = reader_allocate(r, n, sizeof *to->bodies);
  TRY(reader_check_memory(r, to->bodies != NULL));
  for (const yaml_node *name = list != NULL ? list->first : single; to->n_bodies < n; name = name->next) {
    size_t *body = &to->bodies[to->n_bodies++];
    TRY(reader_body(r, name, body));
    if (*body == MBS_GROUND && !type->connects_bodies)
      return reader_fail(r, name, "name a body", "%s acts on the ground, which does not move", r->subject);
    if (type->max_bodies == 2 && to->n_bodies == 2 && to->bodies[0] == *body)
      return reader_fail(r, name, "name another body", "%s joins '%.60s' to itself", r->subject, name->text);
  }
  return list == NULL || type->connects_bodies ? SEAM_OK : reader_check_twice(r, list);
}

/* Returns the name in model files for another common name of a type, as "revolute" for "hinge". */
static const char *usual_name(const char *name) {
  static const char *const names[][2] = {{"hinge", "revolute"},       {"pin", "revolute"},
                                         {"slider", "prismatic"},     {"weld", "fixed"},
                                         {"rigid", "fixed"},          {"rod", "distance"},
                                         {"wheel", "rolling"},        {"spring", "spring_damper"},
                                         {"damper", "spring_damper"}, {"cylinder", "hydraulic_cylinder"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i][0], name) == 0)
      return names[i][1];
  return name;
}

/* Returns the type of an element; NULL: the reader has an error. */
static const element_type *find_type(reader *r, const element_family *family, const yaml_node *node) {
  char available[160];
  size_t used = (size_t)snprintf(available, sizeof available, "available:");
  for (size_t i = 0; i < family->n_types && used < sizeof available; i++)
    used +=
        (size_t)snprintf(available + used, sizeof available - used, "%s %s", i == 0 ? "" : ",", family->types[i]->name);
  const yaml_node *value = yaml_get(node, "type");
  const char *name = NULL;
  if (node->kind != YAML_MAP)
    reader_fail(r, node, "write {type: ..., bodies: [...], ...}", "%s must be a map, but is %s", r->subject,
                yaml_kind_text(node));
  else if (value == NULL)
    reader_fail(r, reader_message_node(node), available, "%s needs 'type'", r->subject);
  else
    reader_text(r, value, &name);
  if (name == NULL)
    return NULL;
  nearest search = nearest_to(usual_name(name));
  for (size_t i = 0; i < family->n_types; i++) {
    nearest_try(&search, family->types[i]->name);
    if (strcmp(family->types[i]->name, name) == 0)
      return family->types[i];
  }
  const element_family *other = family->other;
  for (size_t i = 0; i < other->n_types; i++)
    if (strcmp(other->types[i]->name, usual_name(name)) == 0) {
      char fix[128];
      snprintf(fix, sizeof fix, "write it under '%s', where there is '%s'", other->section, other->types[i]->name);
      reader_fail(r, value, fix, "unknown %s type '%.60s'", family->noun, name);
      return NULL;
    }
  reader_fail_unknown(r, value, &search, available, "unknown %s type '%.60s'", family->noun, name);
  return NULL;
}

const map_key element_common[N_ELEMENT_COMMON] = {
    [ELEMENT_TYPE] = {"type", true, &form_name, "", "its type"},
    [ELEMENT_BODIES] = {"bodies", false, &form_names, "", "bodies on which the element acts; 'ground' is the ground"},
    [ELEMENT_BODY] = {"body", false, &form_name, "", "the body, if it is one"},
};

/* Returns the type's key for a law of s and v if the number `value` uses s or v; NULL: not so, or no such key. */
static const char *law_instead_of(const reader *r, const element_type *type, const element_key *key,
                                  const yaml_node *value) {
  token name;
  const char *law = NULL;
  for (size_t i = 0; i < type->n_keys; i++)
    law = type->keys[i].read == forces_read_law_of_motion ? type->keys[i].name : law;
  if (law == NULL || key->read != NULL || key->form->kind != FORM_NUMBER || value == NULL || value->text == NULL)
    return NULL;
  for (const char *cursor = value->text; lexer_next_name(&cursor, &name);)
    if (name.length == 1 && strchr("sv", *name.start) != NULL &&
        table_find(&r->scope.parameters, name.start, 1) == NULL)
      return law;
  return NULL;
}

static seam_status read_into(reader *r, yaml_node *value, const element_key *key, element *to) {
  void *member = (char *)to + key->offset;
  size_t chosen = 0;
  if (key->read_member != NULL)
    return key->read_member(r, value, member);
  switch (key->form->kind) {
  case FORM_NUMBER:
    return reader_number(r, value, key->form->within, member);
  case FORM_LIST:
    return reader_vector(r, value, key->form->of->within, key->form->most, member);
  case FORM_FLAG:
    return reader_flag(r, value, member);
  case FORM_WORD:
    TRY(reader_word(r, value, key->form, &chosen));
    *(unsigned *)member = (unsigned)chosen; /* the member is of an enumerated type */
    _Static_assert(sizeof(mbs_impact_law) == sizeof(unsigned) && sizeof(mbs_motion_of) == sizeof(unsigned),
                   "stored as int");
    return SEAM_OK;
  default:
    return reader_text(r, value, member);
  }
}

static seam_status read_keys(reader *r, const element_type *type, element *to) {
  map_key keys[N_ELEMENT_COMMON + ELEMENT_MAX_KEYS];
  yaml_node *values[N_ELEMENT_COMMON + ELEMENT_MAX_KEYS];
  const size_t n = type->n_keys;
  memcpy(keys, element_common, sizeof element_common);
  for (size_t i = 0; i < n; i++)
    keys[N_ELEMENT_COMMON + i] = (map_key){.name = type->keys[i].name, .required = type->keys[i].required};
  TRY(reader_map(r, to->node, keys, N_ELEMENT_COMMON + n, values));
  TRY(read_bodies(r, type, values[ELEMENT_BODIES], values[ELEMENT_BODY], to));
  for (size_t i = 0; i < n; i++) {
    const element_key *key = &type->keys[i];
    yaml_node *value = values[N_ELEMENT_COMMON + i];
    const char *law = law_instead_of(r, type, key, value);
    if (law != NULL) {
      char fix[128];
      snprintf(fix, sizeof fix, "write '%s: ...', a law of s and v, in place of stiffness and damping", law);
      return reader_fail(r, value, fix, "'%s' in %s must be a number, but depends on the motion", key->name,
                         r->subject);
    }
    if (value != NULL)
      TRY(key->read != NULL ? key->read(r, value, to) : read_into(r, value, key, to));
  }
  return type->check != NULL ? type->check(r, to) : SEAM_OK;
}

static seam_status read_one(reader *r, const element_family *family, yaml_node *node) {
  entry *added = NULL;
  TRY(reader_add_entry(r, node, family->kind, &added));
  const element_type *type = find_type(r, family, node);
  if (type == NULL)
    return SEAM_BAD_INPUT;
  element new_one = {.node = node};
  family->prepare(&new_one, added->name, type->kind);
  seam_status status = read_keys(r, type, &new_one);
  const char **names = reader_allocate(r, new_one.n_bodies, sizeof *names);
  THEN(status, reader_check_memory(r, names != NULL));
  if (status != SEAM_OK) {
    family->discard(&new_one);
    return status;
  }
  added->connects_bodies = type->connects_bodies && type->max_bodies == 2;
  if (added->connects_bodies)
    memcpy(added->bodies, new_one.bodies, sizeof added->bodies);
  for (size_t i = 0; i < new_one.n_bodies; i++)
    names[i] = body_name(r, new_one.bodies[i]);
  return reader_check_call(r, node->key, family->add(r->builder, &new_one, names, &r->cause));
}

seam_status elements_read(reader *r, const element_family *family) {
  const yaml_node *section = NULL;
  TRY(reader_section(r, family->section, &section));
  for (yaml_node *node = section->first; node != NULL; node = node->next)
    TRY(read_one(r, family, node));
  return SEAM_OK;
}
