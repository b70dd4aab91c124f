/* Properties shared by joints and force elements: a type, bodies, and keys that depend on the type. */
#ifndef MODELS_SECTIONS_ELEMENTS_H
#define MODELS_SECTIONS_ELEMENTS_H

#include "models/reader.h"

/* A joint or force element during reading; only one of `joint` and `force` is used. */
typedef struct element {
  const yaml_node *node;
  size_t *bodies; /* (n_bodies) indices into the reader's entries, or MBS_GROUND */
  size_t n_bodies;
  mbs_joint_def joint;
  mbs_force_def force;
  mbs_marker_def *at; /* (2) markers in the definition that is used */
} element;

/* A key of an element, except those of its type and bodies. The first members are those of a map_key. */
typedef struct element_key {
  const char *name;
  bool required;
  const form *form;
  const char *unit, *meaning;
  size_t offset; /* offset in `element` of the member that receives the value */
  /* Functions that read the value into the member, or into the element. NULL: read into the member as `form` says. */
  seam_status (*read_member)(reader *r, yaml_node *value, void *member);
  seam_status (*read)(reader *r, yaml_node *value, element *to);
} element_key;

/* Last initialiser of an element_key: the member that receives the value, the function that reads it, or both. */
#define INTO(member) .offset = offsetof(element, member)
#define BY(function) .read = (function)
#define INTO_BY(member, function) INTO(member), .read_member = (function)

enum { ELEMENT_MAX_KEYS = 20 };

/* A type of joints or force elements. */
typedef struct element_type {
  const char *name;
  int kind; /* mbs_joint_kind or mbs_force_kind */
  size_t min_bodies, max_bodies;
  /* True: connects two bodies, or a sequence in which a body may occur repeatedly. Between two bodies in different
   * subsystems it is a coupling. */
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
  const struct element_family *other; /* for the family of joints, that of force elements, and vice versa */
  void (*prepare)(element *new_one, const char *name, int kind); /* sets default values in a new element */
  seam_status (*add)(mbs_builder *builder, element *complete, const char *const *bodies, seam_error *error);
  void (*discard)(element *incomplete); /* frees a definition that was not passed to the builder */
} element_family;

extern const element_family joints_family, forces_family;

seam_status elements_read(reader *r, const element_family *family);

/* Keys of every type: `type`, and its bodies as the list `bodies` or the single `body`. */
enum { ELEMENT_TYPE, ELEMENT_BODIES, ELEMENT_BODY, N_ELEMENT_COMMON };
extern const map_key element_common[N_ELEMENT_COMMON];

/* Reads `at:` of an element at one position: a point, [x, y], or {body: [ξ, η], ...} in the frames of its bodies. */
seam_status elements_read_position(reader *r, yaml_node *value, element *to);

/* Reads `at:` of an element between two positions: [P, Q], with P on the first body and Q on the second, or {body: [ξ,
 * η], ...} in their frames. */
seam_status elements_read_two_positions(reader *r, yaml_node *value, element *to);

/* Reads `at:` of an element on a curve: a point, [x, y] or {body: [ξ, η]} on the second body. The first marker becomes
 * the origin of the first body's frame. */
seam_status elements_read_second_position(reader *r, yaml_node *value, element *to);

/* Reads a side of a curve, an mbs_side. */
seam_status elements_read_side(reader *r, yaml_node *value, void *side);

/* Reads a flag. If it is true, reverses the sign of *number, a double that must have been read before. */
seam_status elements_read_sign(reader *r, yaml_node *value, void *number);

/* Reads a direction [x, y] of doubles; rejects [0, 0]. */
seam_status elements_read_direction(reader *r, yaml_node *value, void *axis);

/* Reads a law of t, stretch s and its rate v between two bodies, which may also use quantities (forces.c). */
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to);

#endif
