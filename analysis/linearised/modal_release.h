/* An exactly known motion of a linearised mechanism. Loads of equal size on all modes are removed at t = 0. The
 * formulas extend the motion to t < 0. */
#ifndef ANALYSIS_LINEARISED_MODAL_RELEASE_H
#define ANALYSIS_LINEARISED_MODAL_RELEASE_H

#include <complex.h>

#include <seam/analysis.h>

#include "cosim/schemes/element.h"

typedef struct analysis_modal_release {
  size_t n; /* number of modes with stiffness in which bodies move */
  size_t n_z, n_w, n_cuts;
  double complex *s;      /* (n) eigenvalues of these modes */
  double complex *z;      /* (n x n_z) amplitudes of z */
  double complex *w;      /* (n x n_w) amplitudes of the states of the undivided model */
  double complex *wrench; /* (n x n_cuts x 4) amplitudes of the cuts' wrenches on side 1 */
  double complex *factor; /* (n) e^(s t) at the time that was set */
  double time;            /* s, time of the slowest mode: its period, or 1/|s| if it does not oscillate; 0: n is 0 */
  double amplitude;       /* amplitude of the motion in the mass norm */
} analysis_modal_release;

/* Creates the motion about *state. *self must have its linear subsystems, cut elements and modes. Fails with
 * SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status analysis_modal_release_create(const seam_linearised *self, const mbs_state *state,
                                          analysis_modal_release **created, seam_error *error);
void analysis_modal_release_destroy(analysis_modal_release *self);

/* Sets the time (s) at which the functions below evaluate the motion. */
void analysis_modal_release_set_time(analysis_modal_release *self, double t);

/* Returns the time derivative of order `order` of z[i], where z has the minimal coordinates of all subsystems. */
double analysis_modal_release_z(const analysis_modal_release *self, int i, int order);

/* Returns the change of state i of the undivided model. */
double analysis_modal_release_w(const analysis_modal_release *self, int i);

/* Writes the change of a cut's wrench W (cosim/schemes/element.h) at the time that was set. */
void analysis_modal_release_wrench(const analysis_modal_release *self, size_t cut, double wrench[COSIM_MAX_FORCES]);

#endif
