/* An exactly known motion of a linearised mechanism: at t = 0 equal loads on all modes are removed. The formulas also
 * extend the motion to t < 0. */
#ifndef ANALYSIS_LINEARISED_MODAL_RELEASE_H
#define ANALYSIS_LINEARISED_MODAL_RELEASE_H

#include <seam/analysis.h>

#include "cosim/schemes/element.h"

typedef struct analysis_modal_release analysis_modal_release;

/* Creates the motion about *state; *self must have its parts, elements and modes. SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_modal_release_create(const seam_linearised *self, const mbs_state *state,
                                          analysis_modal_release **created, seam_error *error);
void analysis_modal_release_destroy(analysis_modal_release *self);

/* Returns the time of the slowest mode, s: one period, or 1/|s| without oscillation; 0: no mode deflects. */
double analysis_modal_release_time(const analysis_modal_release *self);
/* Returns the amplitude of the motion in the mass norm. */
double analysis_modal_release_amplitude(const analysis_modal_release *self);

/* Sets the time (s) for the functions below. */
void analysis_modal_release_set_time(analysis_modal_release *self, double t);

/* Returns derivative number `order` of coordinate i of all parts' z. */
double analysis_modal_release_z(const analysis_modal_release *self, int i, int order);

/* Returns the change of state i of the whole model. */
double analysis_modal_release_w(const analysis_modal_release *self, int i);

/* Writes the change of a cut's wrench W (cosim/schemes/element.h) at the time set. */
void analysis_modal_release_wrench(const analysis_modal_release *self, size_t cut, double wrench[COSIM_MAX_FORCES]);

#endif
