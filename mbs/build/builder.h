/* Fields of a builder, and functions for definitions of all kinds (definitions.c). */
#ifndef MBS_BUILDER_H
#define MBS_BUILDER_H

#include <stdint.h>

#include "mbs/model/model.h"

enum { MBS_DEFINITION_COOKIE = 0x5ea3 };

struct mbs_builder {
  mbs_model *model;  /* the model with all definitions added so far */
  mbs_frame *frames; /* (capacity_bodies) initial configuration; ground first */
  size_t capacity_bodies, capacity_joints, capacity_forces, capacity_measures, capacity_events, capacity_curves;
};

/* Extends an array, if necessary, to at least `needed` items of `item` bytes. Returns false when memory is
 * exhausted. */
bool mbs_grow(void **array, size_t *capacity, size_t needed, size_t item);
#define MBS_GROW(array, capacity, needed) mbs_grow((void **)&(array), &(capacity), (size_t)(needed), sizeof *(array))

/* Fails with SEAM_NO_MEMORY for the element `name`. */
seam_status mbs_no_memory(const char *name, seam_error *error);
seam_status mbs_check_cookie(int cookie, const char *what, seam_error *error);
seam_status mbs_check_name(const mbs_model *model, const char *name, const char *what, seam_error *error);
/* Fails with SEAM_BAD_INPUT unless n is from `least` to `most` (SIZE_MAX: no limit). what: noun, such as "force". */
seam_status mbs_check_n_bodies(const char *what, const char *name, size_t n, size_t least, size_t most,
                               seam_error *error);
seam_status mbs_check_kind(int kind, int n_kinds, const char *what, const char *name, seam_error *error);
/* SEAM_BAD_INPUT: the square of the point's distance from the origin would overflow. */
seam_status mbs_check_point(const double point[2], const char *what, const char *name, seam_error *error);
seam_status mbs_check_markers(const mbs_marker_def at[2], const char *what, const char *name, seam_error *error);
/* Finds the numbers (n) of bodies by their names; the ground is 0. */
seam_status mbs_find_bodies(const mbs_model *model, const char *what, const char *name, const char *const *bodies,
                            size_t n, int *body, seam_error *error);

/* Finds the curve and the side that a definition names. SEAM_BAD_INPUT: there is no such curve or side; the element's
 * circle would touch the curve at two points; or the curve of a joint has a corner. */
seam_status mbs_find_joint_curve(const mbs_model *model, const mbs_joint_def *def, mbs_curve_side *curve,
                                 seam_error *error);
seam_status mbs_find_contact_curve(const mbs_model *model, const mbs_force_def *def, mbs_curve_side *curve,
                                   seam_error *error);

/* Returns the position of a marker in the frame of its body. */
mbs_vector mbs_marker_position(const mbs_frame *frame, const mbs_marker_def *marker);

/* Refuses joints and force elements that would exert a torque on a point mass: SEAM_BAD_INPUT. */
seam_status mbs_point_masses_check(const mbs_model *model, seam_error *error);

/* Returns a hash of the names and numbers in a model's definition: gravity, bodies, joints, force elements, laws and
 * variables. Joints enter with their Jacobians at `frames` (n + 1), the initial frames of ground and bodies. The
 * initial state itself does not enter. A law of time enters by its `identity`; without one, by its value and
 * derivatives at 0. An image (saved state) of a model with another hash is refused. */
uint64_t mbs_fingerprint(const mbs_model *model, const mbs_frame *frames);

seam_status mbs_friction_check(const mbs_joint_def *def, seam_error *error);
/* Adds the friction elements of all joints, and their laws. Call it after all definitions. */
seam_status mbs_frictions_add(mbs_builder *builder, seam_error *error);
/* Fails with SEAM_BAD_INPUT if the friction of a joint needs a reaction that redundant constraints leave undetermined.
 * Call it after mbs_find_redundancy(). */
seam_status mbs_frictions_check_reactions(const mbs_model *model, seam_error *error);

#endif
