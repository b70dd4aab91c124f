/* Numerical stability of co-simulation: spectral radii of the propagation matrix of whole macro steps. */
#ifndef SEAM_ANALYSIS_H
#define SEAM_ANALYSIS_H

#include <stdbool.h>
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
  double rho;         /* largest modulus of the eigenvalues of the propagation matrix; stable when <= 1 */
  double uncertainty; /* how far ρ may be off through rounding: an estimate, above all where eigenvalues meet */
  size_t n_state;     /* order of the matrix: states of both subsystems and the history of the coupling variables */
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

/* ---- Maps: ρ over a grid of two parameters ---- */

/* Stable is ρ <= 1 + 1e-10 (li-dissertation.txt 3.2). Undecided: rounding does not let double precision say, or the
 * scheme is undefined there (ρ is NaN). */
typedef enum seam_verdict { SEAM_STABLE, SEAM_UNSTABLE, SEAM_UNDECIDED } seam_verdict;

SEAM_PUBLIC seam_verdict seam_stability_verdict(const seam_stability_point *point);

/* "stable", "unstable", "undecided"; static storage. */
SEAM_PUBLIC const char *seam_verdict_text(seam_verdict verdict);

enum { seam_most_map_parameters = 8 };

/* `count` values from `from` to `to`, both included; count >= 2. */
typedef struct seam_map_axis {
  int parameter; /* index of seam_map_parameter() */
  double from, to;
  size_t count;
} seam_map_axis;

typedef struct seam_map {
  const char *model;                      /* "constitutive": parameters lambda-r, lambda-i, alpha-m21, alpha-r21,
                                             alpha-i21, alpha-rc1, alpha-ic1 of seam_test_model; "constraint": the
                                             first five */
  const char *scheme;                     /* as in seam_constitutive_stability(), seam_constraint_stability() */
  double value[seam_most_map_parameters]; /* of all parameters; those of the axes do not count */
  seam_map_axis x, y;
  int threads; /* that share the work; 0: as many as there are processors */
  bool oracle; /* points that double precision leaves undecided are decided in extended precision, from other equations
                */
} seam_map;

typedef struct seam_map_point {
  double x, y;
  seam_stability_point found;
  seam_verdict verdict;
  bool by_oracle;
} seam_map_point;

/* A map of a model with the defaults of its parameters (lambda 0, all ratios 1), over [-2, 0] x [0, 10] of lambda-r and
 * lambda-i with 41 x 41 points, one thread; the scheme is NULL. SEAM_BAD_INPUT names the models there are. */
SEAM_PUBLIC seam_status seam_map_default(const char *model, seam_map *map, seam_error *error);

/* Index of a parameter by its name. SEAM_BAD_INPUT names those there are. */
SEAM_PUBLIC seam_status seam_map_parameter(const char *model, const char *name, int *index, seam_error *error);
/* The name, NULL beyond the last; static storage. */
SEAM_PUBLIC const char *seam_map_parameter_name(const char *model, int index);

/* Called now and then, by the thread that called seam_stability_map(), with the number of points done; false stops. */
typedef bool seam_map_progress(void *data, size_t done);

/* Fills points (y.count rows of x.count). The result does not depend on the number of threads. `progress` may be NULL.
 * SEAM_BAD_INPUT for an axis, a scheme or a value that makes no sense; SEAM_INTERRUPTED; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_stability_map(const seam_map *map, seam_map_point *points, seam_map_progress *progress,
                                           void *data, seam_error *error);

#ifdef __cplusplus
}
#endif
#endif
