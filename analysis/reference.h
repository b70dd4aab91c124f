/* The monolithic run against which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>

#include "analysis/undivided.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_integrator_options options; /* of the plain run */
  cosim_step_plan plan;           /* its steps end at the points */
  judged_list *list;              /* of the model */
  track *points;                  /* times of the points that are compared */
  undivided whole;
  deviation_rule rule;
  seam_run_record record; /* of energies, at the points */
  double cpu;             /* s, of the plain run */
  bool is_refused;        /* by seam_reference_check(): it judges nothing */
  bool is_of_run;         /* a co-simulation, whose energies say nothing */
  cosim_simulation *fine; /* of such a run: it has the names of its signals; else NULL */
};

#endif
