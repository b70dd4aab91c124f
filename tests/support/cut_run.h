/* A run of what a model file cuts, through the library. A failure fails the test. */
#ifndef TESTS_SUPPORT_CUT_RUN_H
#define TESTS_SUPPORT_CUT_RUN_H

#include "tests/support/model_reader.h"

typedef struct cut_run {
  seam_model_file *file;
  mbs_workspace *ws;
  mbs_state *start;
  cosim_simulation *simulation;
} cut_run;

/* At the assembled start; overrides end with NULL, or are NULL. */
cut_run cut_run_begin(const char *text, const char *const *overrides);
/* n macro steps of length H. */
void cut_run_advance(const cut_run *run, double H, int n);
/* The newest value of a signal. */
double cut_run_signal(const cut_run *run, const char *name);
void cut_run_end(cut_run *run);
/* n macro steps of length H end with the bodies' poses of the whole, but for `bound`. */
void cut_run_expect_whole(const char *text, double H, int n, double bound);

#endif
