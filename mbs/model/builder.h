/* Inside of a builder: what definitions of all kinds share (definitions.c). */
#ifndef MBS_BUILDER_H
#define MBS_BUILDER_H

#include "mbs/model/model.h"

enum { MBS_DEFINITION_COOKIE = 0x5ea3 };

struct mbs_builder {
  mbs_model *model;  /* so far; quantities of its elements can be found by name */
  mbs_frame *frames; /* (capacity_bodies) initial configuration; ground first */
  size_t capacity_bodies, capacity_joints, capacity_forces, capacity_measures, capacity_events, capacity_curves;
};

/* Room for `needed` items of a growing array; false when memory is exhausted. */
bool mbs_grow(void **array, size_t *capacity, size_t needed, size_t item);

seam_status mbs_check_cookie(int cookie, const char *what, seam_error *error);
seam_status mbs_check_name(const mbs_model *model, const char *name, const char *what, seam_error *error);
/* The same of what is added last: quantities of the whole have names too. */
seam_status mbs_check_element_name(const mbs_model *model, const char *name, const char *what, seam_error *error);
seam_status mbs_check_kind(int kind, int n_kinds, const char *what, const char *name, seam_error *error);
/* A place whose lengths have finite squares. */
seam_status mbs_check_reach(const double place[2], const char *what, const char *name, seam_error *error);
seam_status mbs_check_markers(const mbs_marker_def at[2], const char *what, const char *name, seam_error *error);
/* Numbers (n) of bodies by their names, the ground 0. */
seam_status mbs_find_bodies(const mbs_model *model, const char *what, const char *name, const char *const *bodies,
                            size_t n, int *body, seam_error *error);

/* The quantities (n) that a measure or an event is a function of, by their names; `what` and `name` are its own. */
seam_status mbs_inputs_create(const mbs_model *model, const char *what, const char *name, const char *const *inputs,
                              size_t n, mbs_readout **created, seam_error *error);

/* The curve and side that a definition names; refuses what cannot roll there. */
seam_status mbs_take_joint_curve(const mbs_model *model, const mbs_joint_def *def, mbs_curve_side *curve,
                                 seam_error *error);
seam_status mbs_take_contact_curve(const mbs_model *model, const mbs_force_def *def, mbs_curve_side *curve,
                                   seam_error *error);

/* A marker's place in its body's frame. */
mbs_vector mbs_marker_place(const mbs_frame *frame, const mbs_marker_def *marker);

/* Adds the force elements that a cable's definition gives, which was checked as that of a force element. */
seam_status mbs_add_cable(mbs_builder *builder, const mbs_force_def *def, seam_error *error);

/* Checks the friction that a joint's definition gives. */
seam_status mbs_friction_check(const mbs_joint_def *def, seam_error *error);
/* Adds the elements of all joints that have friction, and their laws, after all definitions. */
seam_status mbs_frictions_add(mbs_builder *builder, seam_error *error);
/* Refuses reactions that nothing determines, after redundancy is known. */
seam_status mbs_frictions_check_reactions(const mbs_model *model, seam_error *error);

#endif
