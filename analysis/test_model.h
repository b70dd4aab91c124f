/* The linear test model of constitutive coupling: two damped oscillators joined by a spring-damper that is cut. */
#ifndef ANALYSIS_TEST_MODEL_H
#define ANALYSIS_TEST_MODEL_H

#include <seam/analysis.h>

#include "cosim/master.h"

/* A master that couples the two masses by the scheme; its macro step is 1. State: x1, v1, x2, v2, histories. */
seam_status analysis_test_model_create(const seam_test_model *model, const cosim_scheme *scheme, cosim_master **master,
                                       seam_error *error);

#endif
