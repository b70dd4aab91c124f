/* The linear test model of constitutive coupling: two damped oscillators joined by a spring-damper that is cut. */
#ifndef ANALYSIS_TEST_MODEL_H
#define ANALYSIS_TEST_MODEL_H

#include "cosim/master.h"

/* The seven parameters of li-dissertation.txt 3.31, for H = 1. */
typedef struct analysis_test_model {
  double lambda_r, lambda_i;              /* Λr1, Λi1 */
  double alpha_m21, alpha_r21, alpha_i21; /* second mass against first */
  double alpha_rc1, alpha_ic1;            /* coupling against first */
} analysis_test_model;

/* A master that couples the two masses by the scheme; its macro step is 1. State: x1, v1, x2, v2, histories. */
seam_status analysis_test_model_create(const analysis_test_model *model, const cosim_scheme *scheme,
                                       cosim_master **master, seam_error *error);

#endif
