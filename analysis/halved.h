/* A co-simulated run repeated with smaller macro steps: the truth for runs without a whole. */
#ifndef ANALYSIS_HALVED_H
#define ANALYSIS_HALVED_H

#include <seam/analysis.h>

#include "analysis/deviation.h"

typedef struct halved_def {
  const judged_list *list; /* of the run */
  const track *rows;       /* of the run: their times */
  const cosim_builder *builder;
  const mbs_state *start; /* NULL: there are no bodies */
  const double *points;   /* (n_points) all macro points of the run, s, from the start on */
  size_t n_points;
  const seam_interrupt *interrupt; /* NULL: none */
} halved_def;

/* Takes each macro step of the run as `parts` of equal length, with finer steps of the subsystems. Rows (made by
 * track_create(), empty) come to where the run comes, and the status says why it goes no further. */
seam_status halved_run(const halved_def *def, size_t parts, track *rows, track_jumps *jumps, seam_error *error);

#endif
