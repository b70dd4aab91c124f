/* The reference run with which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>

#include "analysis/undivided.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_integrator_options options; /* the caller's options; the reference itself is integrated with tighter tolerances */
  cosim_step_plan plan;           /* macro steps, which end at the points */
  compared_list *list;            /* quantities to compare */
  track *points; /* times at which runs are compared; its values are not used after the choice of the times */
  undivided undivided;
  deviation_rule rule;
  seam_run_record record; /* energies at the points */
  double cpu;      /* s, CPU time of a monolithic run by `options`, or of `cosimulation` if that is the reference */
  bool is_refused; /* seam_reference_check() has refused the reference, so no errors are computed */
  bool is_cosimulation;           /* the reference is a co-simulation, without energies */
  cosim_simulation *cosimulation; /* the reference; owns the names of its signals; NULL: it is not a co-simulation */
};

#endif
