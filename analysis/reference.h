/* The monolithic run against which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>
#include <seam/measures.h>

#include "analysis/errors.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_workspace *workspace;
  mbs_integrator_options options; /* of the plain run */
  size_t n_values;                /* 6 n_bodies: q, v */
  cosim_step_plan plan;           /* its steps end at the points */
  mbs_readout *measures;          /* their usual quantities ... */
  size_t n_measured;              /* ... and how many */
  double *values;                 /* (n_points x (n_values + n_measured)) */
  double *measured;               /* (n_measured) scratch */
  double *residuals;              /* (2 n_constraints) scratch */
  seam_bounds bounds;
  seam_run_record record;
  mbs_statistics statistics;
  double cpu;      /* s, of the plain run */
  bool is_refused; /* by seam_reference_check(): it judges nothing */
};

/* Adds the point's reference and a state to the columns (n_values + n_measured). */
void analysis_reference_add(const seam_reference *self, size_t point, const mbs_state *state, analysis_column *columns);

#endif
