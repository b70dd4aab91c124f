/* Numerical stability of co-simulation: spectral radii of the propagation matrix of whole macro steps. */
#ifndef SEAM_ANALYSIS_H
#define SEAM_ANALYSIS_H

#include <stddef.h>

#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The linear test model of constitutive coupling, two damped oscillators joined by a spring-damper that is cut: its
 * seven dimensionless parameters (li-dissertation.txt eq. 3.31), for a macro step of 1. */
typedef struct seam_test_model {
  double lambda_r, lambda_i;              /* Λr1, Λi1: decay and frequency of the first mass */
  double alpha_m21, alpha_r21, alpha_i21; /* mass, decay and frequency of the second against the first */
  double alpha_rc1, alpha_ic1;            /* decay and frequency of the coupling against the first */
} seam_test_model;

typedef struct seam_stability_point {
  double rho;     /* largest modulus of the eigenvalues of the propagation matrix; stable when <= 1 */
  size_t n_state; /* its order: states of both subsystems and the history of the coupling variables */
} seam_stability_point;

/* Finds ρ for a scheme ("ff-k1", "fd-d-k2", "dd-k0-explicit") by pushing unit vectors of the full state through the
 * master that runs co-simulations; subsystems are integrated exactly. SEAM_BAD_INPUT for an impossible scheme or a
 * parameter that is not finite or a mass ratio that is not positive; SEAM_SINGULAR where the scheme is undefined. */
SEAM_PUBLIC seam_status seam_constitutive_stability(const seam_test_model *model, const char *scheme,
                                                    seam_stability_point *point, seam_error *error);

/* The same for constraint coupling: the oscillators are joined rigidly, x2 = x1, and the coupling's two parameters do
 * not matter (eq. 4.63). Schemes as "ff-baumgarte(mu=5)-k1", "fd-projection-k0", "ff-index2-k2". */
SEAM_PUBLIC seam_status seam_constraint_stability(const seam_test_model *model, const char *scheme,
                                                  seam_stability_point *point, seam_error *error);

#ifdef __cplusplus
}
#endif
#endif
