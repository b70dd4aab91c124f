/* The monolithic run with which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>

#include "analysis/undivided.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_integrator_options options; /* of the plain run */
  cosim_step_plan plan;           /* macro steps, which end at the points */
  judged_list *list;              /* quantities to compare */
  track *points;                  /* the points to compare; only their times are used */
  undivided whole;
  deviation_rule rule;
  seam_run_record record; /* energies at the points */
  double cpu;             /* s, CPU time of the plain run */
  bool is_refused;        /* seam_reference_check() has refused it: no errors are judged */
  bool is_of_run;         /* the reference is a co-simulation, and has no energies */
  cosim_simulation *fine; /* that co-simulation, which names its signals; else NULL */
};

#endif
