/* Functions of quantities, which are read after all elements they may name: first inputs and outputs of equations
 * together with the file's measures, each after those it names; then rates; then laws of force elements. */
#ifndef MODELS_SECTIONS_DEFERRED_H
#define MODELS_SECTIONS_DEFERRED_H

#include "models/sections/quantities_section.h"
#include "models/sections/references.h"

struct deferred {
  deferred *next;
  const char *name;         /* name of a measure, variable or force element */
  const char *noun;         /* noun for `node` in messages */
  const yaml_node *node;    /* entry with the function */
  yaml_node *value;         /* expression; for a sum, the node that messages point to */
  bool is_sum;              /* the function is Σ gains[i] · names[i] + offset */
  const char *const *names; /* (n) */
  const double *gains;      /* (n) */
  double offset;
  size_t n;
  short_names own;
  const char *unit;             /* unit of a measure; NULL: none */
  const mbs_measure_def *point; /* a measure without a function; NULL: there is a function */
  int component;                /* component of a law */
};

/* Appends a copy to the list of its kind. SEAM_NO_MEMORY. */
seam_status deferred_add(reader *r, deferral kind, const deferred *one);

/* Reads all deferred functions, and `measures:`. */
seam_status deferred_read(reader *r);

/* Fills list (n) with the file's measures; NULL: only counts them. */
seam_status measures_list(reader *r, reference *list, size_t *n);

#endif
