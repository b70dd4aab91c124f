/* The two-mass oscillator of [Haid] eq. 27, cut at its coupling spring-damper and exchanged explicitly: the first
 * part gives its motion s1, v1, the second the force F. */
#ifndef ANALYSIS_TEXTBOOK_MBCORR_H
#define ANALYSIS_TEXTBOOK_MBCORR_H

#include <seam/analysis.h>

#include "cosim/coupling/corrections/model_based.h"

enum {
  mbcorr_states = 4,
  mbcorr_outputs = 3,
  MBCORR_MAX_VALUES = mbcorr_states + (COSIM_MAX_PAST + 1) * mbcorr_outputs
};

/* A co-simulation as a recurrence: x = (s1, v1, s2, v2), the newest hold + 1 outputs (corrected), offsets of the inputs
 * F, s, v (where there is a correction). */
typedef struct analysis_mbcorr {
  seam_mbcorr_model model;
  int hold;
  cosim_correction *correction; /* NULL: none */
  cosim_exchange *exchange;     /* takes parts "1" (F to s, v) and "2" (s, v to F) */
  double *rest;                 /* its state at rest, with a whole history */
} analysis_mbcorr;

/* Scheme "hold0" to "hold4", "hold0-corrected" to "hold4-corrected". SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status analysis_mbcorr_create(const seam_mbcorr_model *model, const char *scheme, analysis_mbcorr **created,
                                   seam_error *error);
void analysis_mbcorr_destroy(analysis_mbcorr *self);

/* Values of the recurrence: how many, in and out. */
int analysis_mbcorr_n_values(const analysis_mbcorr *self);
void analysis_mbcorr_set(analysis_mbcorr *self, const double *values);
void analysis_mbcorr_get(const analysis_mbcorr *self, double *values);
/* One macro step. */
seam_status analysis_mbcorr_step(analysis_mbcorr *self, seam_error *error);

/* Exact propagation of x over dt, which may be negative, by rows (eq. 35, 36); exact outputs in x. */
seam_status analysis_mbcorr_exact(const seam_mbcorr_model *model, double dt, double A[mbcorr_states * mbcorr_states],
                                  seam_error *error);
void analysis_mbcorr_outputs(const seam_mbcorr_model *model, const double x[mbcorr_states], double y[mbcorr_outputs]);

#endif
