/* The monolithic run with which co-simulations are compared (<seam/analysis.h>). */
#ifndef ANALYSIS_REFERENCE_H
#define ANALYSIS_REFERENCE_H

#include <seam/analysis.h>

#include "analysis/undivided.h"

struct seam_reference {
  const mbs_model *model;
  mbs_state *start;
  mbs_integrator_options options; /* options of the plain run */
  cosim_step_plan plan;           /* macro steps, which end at the points */
  judged_list *list;              /* quantities of the model */
  track *points;                  /* only the times of the points to compare */
  undivided whole;
  deviation_rule rule;
  seam_run_record record; /* energies at the points */
  double cpu;             /* s, of the plain run */
  bool is_refused;        /* by seam_reference_check(): no errors are judged */
  bool is_of_run;         /* a co-simulation, without energies */
  cosim_simulation *fine; /* the co-simulation, with names of its signals; else NULL */
};

#endif
