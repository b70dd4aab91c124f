/* Common parts of joints and force elements: a type, bodies, and keys that depend on the type. */
#ifndef MODELS_SECTIONS_ELEMENTS_H
#define MODELS_SECTIONS_ELEMENTS_H

#include "models/reader.h"

/* An element being read; only one of the two definitions is used. */
typedef struct element {
  const yaml_node *node;
  size_t *bodies; /* (n_bodies) indices into the reader's entries, or MBS_GROUND */
  size_t n_bodies;
  mbs_joint_def joint;
  mbs_force_def force;
  mbs_marker_def *at; /* (2) markers of the definition used */
} element;

/* A key besides type and bodies: the members of a map_key, and the target of its value. */
typedef struct element_key {
  const char *name;
  bool required;
  const form *form;
  const char *unit, *meaning;
  size_t offset; /* offset in `element` of the member that the form's reader fills */
  seam_status (*read)(reader *r, yaml_node *value, element *to); /* function that reads the value instead */
} element_key;

/* Last initialiser of an element_key: the target of the value, or its reader. */
#define INTO(member) .offset = offsetof(element, member)
#define BY(function) .read = (function)

enum { ELEMENT_MAX_KEYS = 20 };

/* A type of joints or force elements. */
typedef struct element_type {
  const char *name;
  int kind; /* mbs_joint_kind or mbs_force_kind */
  size_t min_bodies, max_bodies;
  bool joins; /* connects two bodies, and is a coupling if they are in different subsystems; or connects a sequence of
                 bodies, with repetitions */
  const element_key *keys; /* (n_keys), read in this order */
  size_t n_keys;
  seam_status (*check)(reader *r, const element *read); /* checks combinations of keys; may be NULL */
  const char *meaning;                                  /* a clause without a full stop */
} element_type;

/* A type in a list of types, and the initialiser of its keys. */
#define ELEMENT_TYPE(...) (&(const element_type){__VA_ARGS__})
#define ELEMENT_KEYS(list) (list), FORM_COUNT_OF(list)

typedef struct element_family {
  const char *section, *noun;
  entry_kind kind;
  const element_type *const *types; /* (n_types) */
  size_t n_types;
  const struct element_family *other;                            /* family of the other section, joints or forces */
  void (*prepare)(element *new_one, const char *name, int kind); /* sets the engine's defaults */
  seam_status (*add)(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error);
  void (*discard)(element *incomplete); /* frees a definition not taken by the builder */
} element_family;

extern const element_family joints_family, forces_family;

seam_status elements_read(reader *r, const element_family *family);

/* Keys of every type, and keys of its bodies: the list `bodies`, or the single `body`. */
enum { ELEMENT_TYPE, ELEMENT_BODIES, ELEMENT_BODY, N_ELEMENT_COMMON };
extern const map_key element_common[N_ELEMENT_COMMON];

/* Reads `at:` of an element with one place: a point, [x, y], or {body: [ξ, η], ...} in frames of its bodies. */
seam_status elements_read_place(reader *r, yaml_node *value, element *to);

/* Reads `at:` of an element between two places: [P, Q], P on the first body, or {body: [ξ, η], ...}. */
seam_status elements_read_two_places(reader *r, yaml_node *value, element *to);

/* Reads `at:` of an element on a curve: a point, [x, y] or {body: [ξ, η]} of the second body; the first marker is the
 * origin of the first body's frame. */
seam_status elements_read_second_place(reader *r, yaml_node *value, element *to);

seam_status elements_read_side(reader *r, yaml_node *value, mbs_side *side);

/* Reads `friction:` of a joint, {coefficient: ..., ...}. */
seam_status elements_read_friction(reader *r, yaml_node *value, element *to);

/* Reads a flag; true reverses the sign of a number read before. */
seam_status elements_read_sign(reader *r, yaml_node *value, double *number);

/* Reads a direction [x, y], not zero. */
seam_status elements_read_direction(reader *r, yaml_node *value, double axis[2]);

#endif
