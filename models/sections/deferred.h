/* Functions of quantities that are read once everything that they can name is there: inputs and outputs of equations
 * together with the measures of the file, in the order of their needs; then equations; then laws of force elements. */
#ifndef MODELS_SECTIONS_DEFERRED_H
#define MODELS_SECTIONS_DEFERRED_H

#include "models/sections/quantities_section.h"
#include "models/sections/references.h"

struct deferred {
  deferred *next;
  const char *name;         /* of the measure, variable, or force element */
  const char *noun;         /* of what `node` is: for messages */
  const yaml_node *node;    /* the entry in which it stands */
  yaml_node *value;         /* an expression; the place of a sum */
  bool is_sum;              /* Σ gains[i] · names[i] + offset */
  const char *const *names; /* (n) */
  const double *gains;      /* (n) */
  double offset;
  size_t n;
  own_names own;
  const char *unit;             /* of a measure; NULL: none */
  const mbs_measure_def *point; /* the measure, which is no function; NULL: it is one */
  int component;                /* of a law */
};

/* A copy to the end of its list. SEAM_NO_MEMORY. */
seam_status deferred_add(reader *r, deferral kind, const deferred *one);

/* Reads all of them, and `measures:`. */
seam_status deferred_read(reader *r);

/* The measures of the file, into list (n; NULL: only counts them). */
seam_status measures_list(reader *r, reference *list, size_t *n);

#endif
