/* Force elements: their types, and what their keys share. */
#ifndef MODELS_SECTIONS_FORCES_H
#define MODELS_SECTIONS_FORCES_H

#include "models/sections/elements.h"

/* In forces_elastic.c, forces_loads.c, forces_driven.c and forces_contact.c. */
extern const element_type forces_spring_damper, forces_torsion, forces_bushing, forces_beam, forces_belt;
extern const element_type forces_viscous, forces_force, forces_torque, forces_drag;
extern const element_type forces_hydraulic_cylinder, forces_actuator, forces_rotary_actuator;
extern const element_type forces_contact, forces_stop, forces_rope, forces_cable;

/* ---- What keys of types share (forces_keys.c) -------------------------------------------------------------------- */

/* A flag: the first radius has the other sign, of a crossed belt, or of a circle that the second one is inside. */
seam_status forces_read_opposite(reader *r, yaml_node *value, element *to);

/* A direction, where the element has one. */
seam_status forces_read_axis(reader *r, yaml_node *value, element *to);

/* Laws of t or quantities; of an element between two bodies also of its stretch s and rate v; the second component. */
seam_status forces_read_law_of_time(reader *r, yaml_node *value, element *to);
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to);
seam_status forces_read_law_y(reader *r, yaml_node *value, element *to);

/* All keys of a group (n) or none: *is_given. */
seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given);

#endif
