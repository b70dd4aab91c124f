/* The two-mass oscillator of [Haid] eq. 27, cut at its coupling spring-damper, with explicit exchange. Outputs are the
 * motion s1, v1 of the first part and the force F of the second. */
#ifndef ANALYSIS_TEXTBOOK_MBCORR_H
#define ANALYSIS_TEXTBOOK_MBCORR_H

#include <seam/analysis.h>

#include "cosim/coupling/corrections/model_based.h"

enum {
  mbcorr_states = 4,
  mbcorr_outputs = 3,
  MBCORR_MAX_VALUES = mbcorr_states + (COSIM_MAX_PAST + 1) * mbcorr_outputs
};

/* The co-simulation as a recurrence. Its values are x = (s1, v1, s2, v2), the (corrected) outputs at the last hold + 1
 * macro points and, with a correction, the offsets of the inputs F, s, v. */
typedef struct analysis_mbcorr {
  seam_mbcorr_model model;
  int hold;                     /* order of the holds */
  cosim_correction *correction; /* NULL: none */
  cosim_exchange *exchange;     /* owns parts "1" (F to s, v) and "2" (s, v to F) */
  double *at_rest;              /* saved state of the exchange at rest, with a complete history */
} analysis_mbcorr;

/* Creates the scheme "hold0" to "hold4", or "hold0-corrected" to "hold4-corrected". SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status analysis_mbcorr_create(const seam_mbcorr_model *model, const char *scheme, analysis_mbcorr **created,
                                   seam_error *error);
void analysis_mbcorr_destroy(analysis_mbcorr *self);

/* Returns the number of the recurrence's values; set() and get() write and read them. */
int analysis_mbcorr_n_values(const analysis_mbcorr *self);
void analysis_mbcorr_set(analysis_mbcorr *self, const double *values);
void analysis_mbcorr_get(const analysis_mbcorr *self, double *values);
seam_status analysis_mbcorr_step(analysis_mbcorr *self, seam_error *error);

/* Computes the matrix A (row by row) that maps x exactly over dt, which may be negative (eq. 35, 36). */
seam_status analysis_mbcorr_exact(const seam_mbcorr_model *model, double dt, double A[mbcorr_states * mbcorr_states],
                                  seam_error *error);
void analysis_mbcorr_outputs(const seam_mbcorr_model *model, const double x[mbcorr_states], double y[mbcorr_outputs]);

#endif
