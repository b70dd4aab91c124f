/* A whole run of a model that is given as text, through the library. A failure at its start fails the test. */
#ifndef TESTS_SUPPORT_MODEL_RUN_H
#define TESTS_SUPPORT_MODEL_RUN_H

#include "tests/support/model_reader.h"

typedef struct model_run {
  seam_model_file *file;
  mbs_workspace *ws;
  mbs_state *state;
  mbs_integrator *integrator;
  seam_status status; /* of the last advance */
  seam_error error;
} model_run;

/* At the assembled start of the whole; overrides end with NULL, or are NULL; options NULL: those of the file; stop: s,
 * NaN: where the model ends. */
model_run model_run_begin(const char *text, const char *const *overrides, const mbs_integrator_options *options,
                          double stop);
void model_run_advance(model_run *run, double t);
/* Kinetic and potential, J. */
double model_run_energy(const model_run *run);
void model_run_end(model_run *run);

#endif
