/* The linear test models of coupling: two damped oscillators, joined by a spring-damper or rigidly, which are cut where
 * they are joined. */
#ifndef ANALYSIS_TEXTBOOK_TEST_MODEL_H
#define ANALYSIS_TEXTBOOK_TEST_MODEL_H

#include <seam/analysis.h>

#include "cosim/coupling/master.h"

typedef struct analysis_oscillator {
  double mass, stiffness, damping; /* stiffness and damping to the ground */
} analysis_oscillator;

/* The model in physical units; a model made from dimensionless parameters has macro step 1. */
typedef struct analysis_oscillators {
  analysis_oscillator side[2];
  bool rigid;                /* x2 = x1 instead of the coupling spring-damper */
  double stiffness, damping; /* stiffness and damping of the coupling */
} analysis_oscillators;

/* Checks the parameters and makes the oscillators. SEAM_BAD_INPUT: out of range. */
seam_status analysis_oscillators_of(const seam_test_model *parameters, bool rigid, analysis_oscillators *model,
                                    seam_error *error);

/* Makes the oscillators from masses, springs and dampers, with H (s) as the unit of time. SEAM_BAD_INPUT as above. */
seam_status analysis_oscillators_with(const seam_oscillators *parameters, bool rigid, double H,
                                      analysis_oscillators *model, seam_error *error);

typedef struct analysis_test_model analysis_test_model;

/* Creates the model, cut and coupled by the scheme. The master's state is x1, v1, x2, v2, then past coupling
 * variables. */
seam_status analysis_test_model_create(const analysis_oscillators *model, const cosim_scheme *scheme,
                                       analysis_test_model **created, seam_error *error);
void analysis_test_model_destroy(analysis_test_model *self);
cosim_master *analysis_test_model_master(analysis_test_model *self);
/* Sets the parts' state (x1, v1, x2, v2), before cosim_master_begin(). */
void analysis_test_model_set(analysis_test_model *self, const double state[4]);
/* Returns motions and wrenches of the cut in a state (x1, v1, x2, v2), for cosim_master_begin(). */
cosim_snapshot analysis_test_model_snapshot(const analysis_oscillators *model, const double state[4]);

#endif
