/* Joints and force elements: a type, bodies, and keys that depend on the type. */
#ifndef MODELS_SECTIONS_ELEMENTS_H
#define MODELS_SECTIONS_ELEMENTS_H

#include "models/reader.h"

/* An element during reading; only one of `joint` and `force` is used. */
typedef struct element {
  const yaml_node *node;
  size_t *bodies; /* (n_bodies) indices into the reader's entries, or MBS_GROUND */
  size_t n_bodies;
  mbs_joint_def joint;
  mbs_force_def force;
  mbs_marker_def *at; /* (2) its markers */
} element;

/* A key of a type. The first members are those of a map_key. */
typedef struct element_key {
  const char *name;
  bool required;
  const form *form;
  const char *unit, *meaning;
  size_t offset; /* offset in `element` of the member that receives the value */
  /* read_member reads the value into the member, `read` into the element. Both NULL: `form` says how to read it. */
  seam_status (*read_member)(reader *r, yaml_node *value, void *member);
  seam_status (*read)(reader *r, yaml_node *value, element *to);
} element_key;

/* Last initialiser of an element_key. */
#define INTO(member) .offset = offsetof(element, member)
#define BY(function) .read = (function)
#define INTO_BY(member, function) INTO(member), .read_member = (function)

enum { ELEMENT_MAX_KEYS = 20 };

typedef struct element_type {
  const char *name;
  int kind; /* mbs_joint_kind or mbs_force_kind */
  size_t min_bodies, max_bodies;
  /* Connects two bodies, or a sequence in which a body may occur repeatedly. Between two bodies in different subsystems
   * it is a coupling. */
  bool connects_bodies;
  const element_key *keys; /* (n_keys), in the order in which they are read */
  size_t n_keys;
  seam_status (*check)(reader *r, const element *read); /* checks combinations of keys; may be NULL */
  const char *meaning;                                  /* a clause without a full stop */
} element_type;

/* An entry of a list of types. */
#define ELEMENT_TYPE(name, kind, min_bodies, max_bodies, connects_bodies, keys, check, meaning)                        \
  (&(const element_type){name, kind, min_bodies, max_bodies, connects_bodies, keys, FORM_COUNT_OF(keys), check,        \
                         meaning})

typedef struct element_family {
  const char *section, *noun;
  entry_kind kind;
  const element_type *const *types; /* (n_types) */
  size_t n_types;
  const struct element_family *other; /* the family of force elements for joints, and vice versa */
  void (*prepare)(element *new_one, const char *name, int kind); /* sets default values in a new element */
  seam_status (*add)(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error);
  void (*discard)(element *incomplete); /* frees a definition that was not passed to the builder */
} element_family;

extern const element_family joints_family, forces_family;

seam_status elements_read(reader *r, const element_family *family);

/* Keys of every type; bodies are the list `bodies` or the single `body`. */
enum { ELEMENT_TYPE, ELEMENT_BODIES, ELEMENT_BODY, N_ELEMENT_COMMON };
extern const map_key element_common[N_ELEMENT_COMMON];

/* Reads one position from `at:`: a point, [x, y], or {body: [ξ, η], ...} in the frames of the bodies. */
seam_status elements_read_position(reader *r, yaml_node *value, element *to);

/* Reads two positions from `at:`: [P, Q] on the first and the second body, or {body: [ξ, η], ...}. */
seam_status elements_read_two_positions(reader *r, yaml_node *value, element *to);

/* Reads a position on a curve from `at:`: a point, [x, y] or {body: [ξ, η]} on the second body. The first marker
 * becomes the origin of the first body's frame. */
seam_status elements_read_second_position(reader *r, yaml_node *value, element *to);

/* Reads a side of a curve, an mbs_side. */
seam_status elements_read_side(reader *r, yaml_node *value, void *side);

/* Reads a flag. If it is true, reverses the sign of *number, a double that was read before. */
seam_status elements_read_sign(reader *r, yaml_node *value, void *number);

/* Reads a direction [x, y] of doubles; rejects [0, 0]. */
seam_status elements_read_direction(reader *r, yaml_node *value, void *axis);

/* Reads a law of stretch s, its rate v, t and other quantities (forces.c). */
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to);

#endif
