/* Types of force elements, and readers of keys that several types have. */
#ifndef MODELS_SECTIONS_FORCES_H
#define MODELS_SECTIONS_FORCES_H

#include "models/sections/elements.h"

/* Types that are defined in forces_contact.c. */
extern const element_type forces_contact, forces_stop, forces_rope, forces_cable;

/* Reads `axis`, the direction of a force element, which some elements may omit. */
seam_status forces_read_axis(reader *r, yaml_node *value, element *to);

/* The first reads a law of t; the second reads a law of t, stretch s and its rate v between two bodies. Both laws may
 * also use quantities. */
seam_status forces_read_law_of_time(reader *r, yaml_node *value, element *to);
seam_status forces_read_law_of_motion(reader *r, yaml_node *value, element *to);

/* Requires that all n keys are given, or none. *is_given: all are given. */
seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given);

#endif
