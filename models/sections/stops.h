/* Keys of force elements `stop`, and what force elements share. */
#ifndef MODELS_SECTIONS_STOPS_H
#define MODELS_SECTIONS_STOPS_H

#include "models/sections/elements.h"

seam_status stops_read_of(reader *r, yaml_node *value, element *to);
seam_status stops_read_lower(reader *r, yaml_node *value, element *to);
seam_status stops_read_upper(reader *r, yaml_node *value, element *to);
seam_status stops_check(reader *r, const element *read);

/* All keys of a group (n) or none: *is_given. */
seam_status forces_check_together(reader *r, const element *read, const char *const *keys, size_t n, bool *is_given);

#endif
