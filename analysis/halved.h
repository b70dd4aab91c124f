/* A co-simulated run repeated with smaller macro steps: the reference for runs without an undivided (monolithic)
 * model. */
#ifndef ANALYSIS_HALVED_H
#define ANALYSIS_HALVED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"

typedef struct halved_def {
  const judged_list *list; /* quantities of the run */
  const track *rows;       /* rows of the run; only their times are used */
  const cosim_builder *builder;
  const mbs_state *start; /* NULL: no bodies */
  const double *points;   /* (n_points) s, all macro points of the run, with the start */
  size_t n_points;
  const seam_interrupt *interrupt; /* NULL: none */
} halved_def;

/* Limits of a repeated run. */
typedef struct halved_limits {
  char same[160];    /* text that names subsystems whose own steps stay as they are; "": none */
  bool passes_kinks; /* kinks of laws of time may be inside macro steps */
} halved_limits;

/* Repeats the run with each macro step divided into `parts` equal ones and with tighter tolerances inside subsystems.
 * Fills `rows` (empty, from track_create()) and `jumps` up to the time reached, and *limits. If the repeated run ends
 * early, the status says why. */
seam_status halved_run(const halved_def *def, size_t parts, track *rows, track_jumps *jumps, halved_limits *limits,
                       seam_error *error);

#endif
