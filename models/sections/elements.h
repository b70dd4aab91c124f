/* Common to joints and force elements: a type, the bodies they join, and keys that depend on the type. */
#ifndef MODELS_SECTIONS_ELEMENTS_H
#define MODELS_SECTIONS_ELEMENTS_H

#include "models/reader.h"

/* An element being read. One of the two definitions is used. */
typedef struct element {
  const yaml_node *node;
  size_t *bodies; /* (n_bodies) indices into the reader's entries, or MBS_GROUND */
  size_t n_bodies;
  mbs_joint_def joint;
  mbs_force_def force;
  mbs_marker_def *at; /* (2) of the definition that is used */
} element;

typedef struct element_key {
  const char *name;
  bool required;
  seam_status (*read)(reader *r, yaml_node *value, element *to);
} element_key;

enum { ELEMENT_MAX_KEYS = 20 };

/* A row of the table of types. Adding a type is adding a row. */
typedef struct element_type {
  const char *name;
  int kind; /* mbs_joint_kind or mbs_force_kind */
  size_t min_bodies, max_bodies;
  bool joins;                         /* two bodies: in different subsystems the element is a coupling */
  element_key keys[ELEMENT_MAX_KEYS]; /* beside the type and the bodies; the rest is zero */
  seam_status (*check)(reader *r, const element *read); /* of combinations of keys; may be NULL */
} element_type;

typedef struct element_family {
  const char *section, *noun;
  entry_kind kind;
  const element_type *types; /* (n_types) */
  size_t n_types;
  void (*prepare)(element *new_one, const char *name, int kind); /* fills in the engine's defaults */
  seam_status (*add)(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error);
  void (*discard)(element *incomplete); /* frees a definition that the builder did not take */
} element_family;

seam_status elements_read(reader *r, const element_family *family);

/* `at:` of an element with one place: a point, [x, y], or {body: [ξ, η], ...} in the frames of its bodies. */
seam_status elements_read_place(reader *r, yaml_node *value, element *to);

/* `at:` of an element between two places: [P, Q], the first on the first body, or {body: [ξ, η], ...}. */
seam_status elements_read_two_places(reader *r, yaml_node *value, element *to);

/* `at:` of an element on a curve: a point, [x, y] or {body: [ξ, η]} of the second body; the first marker is the origin
 * of the first body's frame. */
seam_status elements_read_second_place(reader *r, yaml_node *value, element *to);

/* `side:` of a curve. */
seam_status elements_read_side(reader *r, yaml_node *value, mbs_side *side);

/* true or false. */
seam_status elements_read_flag(reader *r, yaml_node *value, bool *flag);

/* `friction:` of a joint, {coefficient: ..., ...}. */
seam_status elements_read_friction(reader *r, yaml_node *value, element *to);

/* A direction [x, y], not zero. */
seam_status elements_read_direction(reader *r, yaml_node *value, double axis[2]);

#endif
