/* Types of force elements, and readers that several keys share. */
#ifndef MODELS_SECTIONS_FORCES_H
#define MODELS_SECTIONS_FORCES_H

#include "models/sections/elements.h"

/* Types in forces_contact.c. */
extern const element_type forces_contact, forces_stop, forces_rope, forces_cable;

/* Reads a flag; true reverses the sign of the first radius, for a crossed belt or for a circle around the second
 * one. */
seam_status forces_read_opposite(reader *r, yaml_node *value, element *to);

/* Reads a direction if the element has one. */
seam_status forces_read_axis(reader *r, yaml_node *value, element *to);

/* Read a law of t, or a law of t and of stretch s and rate v between two bodies. Both may use quantities. */
seam_status forces_read_law_of_time(reader *r, yaml_node *value, element *to);
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to);

/* Requires all keys of a group (n) or none; *is_given: they are given. */
seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given);

#endif
