/* Two columns of numbers from another file, for tables and curves. */
#ifndef MODELS_SECTIONS_POINT_FILE_H
#define MODELS_SECTIONS_POINT_FILE_H

#include "models/reader.h"

/* `value` is the path, `names` the columns, by default (NULL) the first two. *numbers, one array freed by the caller: n
 * of the first column, then n of the second. */
seam_status point_file_read(reader *r, const yaml_node *value, yaml_node *const names[2], double **numbers, size_t *n);

#endif
