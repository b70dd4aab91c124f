/* Model families for stability maps: a new one is a row of the table in family.c. */
#ifndef ANALYSIS_TEXTBOOK_FAMILY_H
#define ANALYSIS_TEXTBOOK_FAMILY_H

#include <seam/analysis.h>

typedef seam_status analysis_measure(const double *value, const char *scheme, seam_stability_point *point,
                                     seam_error *error);

typedef struct analysis_parameter {
  const char *name;
  double by_default;
} analysis_parameter;

typedef struct analysis_family {
  const char *name;
  analysis_parameter parameter[SEAM_MAX_MAP_PARAMETERS + 1]; /* ends with a NULL name */
  seam_map_axis x, y;                                        /* default axes */
  analysis_measure *measure;
} analysis_family;

/* Finds a family by name. SEAM_BAD_INPUT, with a list of all names. */
seam_status analysis_find_family(const char *name, const analysis_family **family, seam_error *error);

#endif
