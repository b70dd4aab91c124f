/* Amplitudes of measures in modes (<seam/analysis.h>). */
#ifndef ANALYSIS_LINEARISED_MODAL_MEASURES_H
#define ANALYSIS_LINEARISED_MODAL_MEASURES_H

#include <seam/analysis.h>

#include "analysis/linearised/minimal_state.h"

/* Fills `amplitudes` and `measures` of modes about *state, at which *at is linearised. SEAM_NO_MEMORY. */
seam_status analysis_measure_modes(const mbs_model *model, const mbs_state *state, const analysis_minimal_state *at,
                                   seam_modes *modes, seam_error *error);

#endif
