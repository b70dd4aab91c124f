/* The monolithic run against which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>
#include <seam/measures.h>

#include "analysis/errors.h"

/* Reads the states of a run beside the reference: those of the same mechanism, of one of the same bodies that has the
 * first of its measures, or of another one, some of whose bodies it has, by name. */
typedef struct analysis_reader {
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_readout *measures; /* their usual quantities ... */
  size_t n_measured;     /* ... and how many */
  double *measured;      /* (n_measured) scratch */
  size_t *bodies;        /* (bodies) their numbers in the reference; NULL: they are those of the reference */
  size_t *columns;       /* (n_measured) of the reference's measures; SEAM_NONE: it has none */
} analysis_reader;

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  analysis_reader reader;
  mbs_integrator_options options; /* of the plain run */
  double tightness;               /* by which the reference's tolerances are tighter */
  size_t n_values;                /* 6 n_bodies: q, v */
  cosim_step_plan plan;           /* its steps end at the points */
  double *values;                 /* (n_points x (n_values + n_measured of the reader)) */
  double *residuals;              /* (2 n_constraints) scratch */
  seam_bounds bounds;
  seam_run_record record;
  mbs_statistics statistics;
  double cpu;      /* s, of the plain run */
  bool is_refused; /* by seam_reference_check(): it judges nothing */
  bool is_of_run;  /* a co-simulation, whose energies say nothing */
};

/* SEAM_NO_MEMORY; whatever the result, analysis_reader_free(). */
seam_status analysis_reader_make(const mbs_model *model, analysis_reader *made, seam_error *error);
void analysis_reader_free(analysis_reader *self);

/* Of another mechanism: which bodies and measures of the reference are its own. SEAM_BAD_INPUT: the reference has not
 * all of its bodies; SEAM_NO_MEMORY. */
seam_status analysis_reader_match(analysis_reader *self, const seam_reference *reference, seam_error *error);

/* Adds the point's reference and a state, which the reader reads, to the columns: 6 for each body of the reader, and
 * n_measured. */
void analysis_reference_add(const seam_reference *self, size_t point, const analysis_reader *reader,
                            const mbs_state *state, analysis_column *columns);

#endif
