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
/* The same with both tolerances 1e-11 and without an end. */
model_run model_run_by(const char *text, const char *method);
/* The same of an entry of the catalogue, with its own options and end. */
model_run model_run_of_entry(const char *name, const char *const *overrides);
/* In a static equilibrium, without an end; report: NULL where it is not wanted. */
model_run model_run_at_rest(const char *text, const char *const *overrides, mbs_equilibrium *report);
void model_run_advance(model_run *run, double t);
/* The same, which must succeed. */
void model_run_reach(model_run *run, double t);
/* Kinetic and potential, J. */
double model_run_energy(const model_run *run);
/* How far all energies over time are from what they were, J. */
double model_run_imbalance(const model_run *run, double before);
/* Value of a quantity, such as "rod.phi". */
double model_run_read(const model_run *run, const char *name);
void model_run_end(model_run *run);
/* Two runs, the second one from an image of the first one's integrator at `saved` (s), must end at `end` (s) in the
 * same state, to the bit. */
void model_run_expect_same_end(const char *text, double saved, double end);

#endif
