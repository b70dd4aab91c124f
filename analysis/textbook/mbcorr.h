/* The two-mass oscillator of [Haid] eq. 27, cut at its coupling spring-damper, with explicit exchange of signals. Its
 * outputs are the motion s1, v1 of the first subsystem and the force F of the second. */
#ifndef ANALYSIS_TEXTBOOK_MBCORR_H
#define ANALYSIS_TEXTBOOK_MBCORR_H

#include <seam/analysis.h>

#include "cosim/coupling/exchange.h"

enum {
  mbcorr_states = 4,
  mbcorr_outputs = 3,
  MBCORR_MAX_VALUES = mbcorr_states + (COSIM_MAX_PAST + 1) * mbcorr_outputs
};

/* The co-simulation as a recurrence. Its values are x = (s1, v1, s2, v2), then the outputs at the last self->hold + 1
 * macro points. With a correction, these outputs are corrected, and three values follow: the offsets that the
 * correction adds to the inputs F, s and v. */
typedef struct analysis_mbcorr {
  seam_mbcorr_model model;
  int hold;                     /* polynomial order of the extrapolation of inputs */
  cosim_correction *correction; /* NULL: no correction */
  cosim_exchange *exchange;     /* owns subsystems "1" (input F, outputs s, v) and "2" (inputs s, v, output F) */
  double *at_rest;              /* saved state of the exchange at rest, with all past values set */
} analysis_mbcorr;

/* Creates the co-simulation by the scheme "hold0" to "hold4", or "hold0-corrected" to "hold4-corrected". Fails with
 * SEAM_BAD_INPUT or SEAM_NO_MEMORY. */
seam_status analysis_mbcorr_create(const seam_mbcorr_model *model, const char *scheme, analysis_mbcorr **created,
                                   seam_error *error);
void analysis_mbcorr_destroy(analysis_mbcorr *self);

/* Returns the number of the recurrence's values. The next two functions write and read these values. */
int analysis_mbcorr_n_values(const analysis_mbcorr *self);
void analysis_mbcorr_set(analysis_mbcorr *self, double *values);
void analysis_mbcorr_get(const analysis_mbcorr *self, double *values);
seam_status analysis_mbcorr_step(analysis_mbcorr *self, seam_error *error);

/* Computes the matrix E (column by column) that maps x exactly over the time dt, s, which may be negative ([Haid] eq.
 * 35, 36). */
seam_status analysis_mbcorr_exact(const seam_mbcorr_model *model, double dt, double E[mbcorr_states * mbcorr_states],
                                  seam_error *error);
void analysis_mbcorr_outputs(const seam_mbcorr_model *model, const double x[mbcorr_states], double y[mbcorr_outputs]);

#endif
