/* Repeats a co-simulated run with smaller macro steps. The repeated run is the reference if there is no undivided
 * (monolithic) model. */
#ifndef ANALYSIS_HALVED_H
#define ANALYSIS_HALVED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"

typedef struct halved_def {
  const compared_list *list; /* quantities of the run */
  const track *rows;         /* rows of the run; only their times are used */
  const cosim_builder *builder;
  const mbs_state *start; /* initial state; NULL if the model has no bodies */
  const double *points;   /* (n_points) s, all macro points of the run, including the start */
  size_t n_points;
  const seam_interrupt *interrupt; /* NULL: none */
} halved_def;

/* Reasons why a repeated run may be too inaccurate for a reference. */
typedef struct halved_limits {
  char unrefined[160]; /* text that names the subsystems whose internal steps are not refined; "": none */
  bool passes_kinks;   /* macro steps do not end at kinks of functions of time, and the run has such kinks */
} halved_limits;

/* Repeats the run with each macro step divided into `parts` equal steps, and with tighter tolerances inside subsystems.
 * Fills *limits, and `rows` (an empty track) and `jumps` up to the time reached. If the repeated run ends early,
 * returns the status that ended it, with a message in *error. */
seam_status halved_run(const halved_def *def, size_t parts, track *rows, track_jumps *jumps, halved_limits *limits,
                       seam_error *error);

#endif
