/* The linear test models of coupling: two damped oscillators that a spring-damper or a rigid link joins. The cut is
 * at the spring-damper or link. */
#ifndef ANALYSIS_TEXTBOOK_TEST_MODEL_H
#define ANALYSIS_TEXTBOOK_TEST_MODEL_H

#include <seam/analysis.h>

#include "cosim/coupling/master.h"

typedef struct analysis_oscillator {
  double mass, stiffness, damping; /* stiffness and damping of the spring-damper to the ground */
} analysis_oscillator;

/* The model in physical units. A model made from dimensionless parameters has the macro step 1. */
typedef struct analysis_oscillators {
  analysis_oscillator side[2];
  bool rigid;                /* x2 = x1 replaces the coupling spring-damper */
  double stiffness, damping; /* stiffness and damping of the coupling spring-damper */
} analysis_oscillators;

/* Makes the oscillators from dimensionless parameters. Fails with SEAM_BAD_INPUT if a parameter is out of range. */
seam_status analysis_oscillators_of(const seam_test_model *parameters, bool rigid, analysis_oscillators *model,
                                    seam_error *error);

typedef struct analysis_test_model analysis_test_model;

/* Creates the model, cut and coupled by the scheme. The state of its master is x1, v1, x2, v2, then past coupling
 * variables. */
seam_status analysis_test_model_create(const analysis_oscillators *model, const cosim_scheme *scheme,
                                       analysis_test_model **created, seam_error *error);
void analysis_test_model_destroy(analysis_test_model *self);
cosim_master *analysis_test_model_master(analysis_test_model *self);

/* Maps a state (x1, v1, x2, v2) of two masses by the matrix E, column by column; `from` and `to` may be the same. */
enum { analysis_two_masses = 4 };
void analysis_propagate(const double *E, const double *from, double *to);

#endif
