/* A motion of a linearised mechanism that is known exactly: equal loads on all its modes are taken away at t = 0, and
 * the motion is continued to t < 0. */
#ifndef ANALYSIS_LINEARISED_MODAL_RELEASE_H
#define ANALYSIS_LINEARISED_MODAL_RELEASE_H

#include <seam/analysis.h>

#include "cosim/schemes/element.h"

typedef struct analysis_modal_release analysis_modal_release;

/* Creates the motion of a mechanism whose parts, elements and modes are found, about *state. SEAM_NO_MEMORY,
 * SEAM_SINGULAR. */
seam_status analysis_modal_release_create(const seam_linearised *self, const mbs_state *state,
                                          analysis_modal_release **created, seam_error *error);
void analysis_modal_release_destroy(analysis_modal_release *self);

/* Time of the slowest mode, s: one period, or 1/|s| where it does not oscillate; 0: no mode deflects. */
double analysis_modal_release_time(const analysis_modal_release *self);
/* Amplitude of the motion in the norm of the masses. */
double analysis_modal_release_amplitude(const analysis_modal_release *self);

/* Sets the time (s) for which the functions below give values. */
void analysis_modal_release_set_time(analysis_modal_release *self, double t);

/* Derivative of that order of coordinate i of all parts' z. */
double analysis_modal_release_z(const analysis_modal_release *self, int i, int order);

/* Change of state i of the whole. */
double analysis_modal_release_w(const analysis_modal_release *self, int i);

/* Change of the wrench on side 1 of a cut. */
void analysis_modal_release_wrench(const analysis_modal_release *self, size_t cut, double wrench[COSIM_MAX_FORCES]);

#endif
