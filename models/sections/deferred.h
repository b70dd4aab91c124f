/* Functions of quantities that are read after all elements whose names they may use. The order is: inputs and outputs
 * of equations together with the file's measures, each after those that it names; then rates of variables; then laws of
 * force elements. */
#ifndef MODELS_SECTIONS_DEFERRED_H
#define MODELS_SECTIONS_DEFERRED_H

#include "models/sections/quantities_section.h"
#include "models/sections/references.h"

struct deferred {
  deferred *next;
  const char *name;         /* name of the measure, variable or force element that gets the function */
  const char *noun;         /* word for `node` in messages */
  const yaml_node *node;    /* entry of the file that has the function */
  yaml_node *value;         /* the expression; for a sum, the node to which messages refer */
  bool is_sum;              /* true: the function is Σ gains[i] · names[i] + offset; false: it is an expression */
  const char *const *names; /* (n) names of quantities */
  const double *gains;      /* (n) */
  double offset;
  size_t n;
  short_names aliases;          /* short names that the expression may use */
  const char *unit;             /* unit of a measure; NULL: not given */
  const mbs_measure_def *point; /* a measure of a point, without a function; NULL: there is a function */
  int component;                /* index of the law's component in the force element */
};

/* Appends a copy of *one to the list of its kind. Fails with SEAM_NO_MEMORY. */
seam_status deferred_add(reader *r, deferral kind, const deferred *one);

/* Reads all deferred functions, and the section `measures:`. */
seam_status deferred_read(reader *r);

/* Writes the file's measures to `list`, and their number to *n. list NULL: only counts them. */
seam_status measures_list(reader *r, reference *list, size_t *n);

#endif
