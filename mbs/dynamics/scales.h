/* The scales of a problem (<seam/mbs.h>): found by definitions and by the start, kept with the model. */
#ifndef MBS_SCALES_H
#define MBS_SCALES_H

#include "mbs/model/workspace.h"

/* Length and mass, by the definitions, unless the model is a part, which has those of the whole already. */
void mbs_scales_begin(mbs_model *model);

/* Sets what follows from the start: time, speed, force, energy and the nominal sizes of states. Frames are those of the
 * state in the workspace, and laws that are functions of quantities have been evaluated there; `scratch` is written. */
void mbs_scales_finish(mbs_model *model, mbs_workspace *ws, const mbs_state *state, mbs_state *scratch);

/* Copies nominal sizes of states from the whole to a part; state_of (n_states): its states, by number in the whole. */
void mbs_scales_take_states(mbs_model *part, const mbs_model *whole, const int *state_of);

/* m, the largest coordinate of a centre of mass; q: coordinates of all bodies. */
double mbs_farthest(const mbs_model *model, const double *q);

/* Errors that a step may have in y = (q, v, z, work), or of the stabilised form (ggl.h): rtol |y| + atol; where atol is
 * 0, rtol times the sizes of entries: the length, an angle of 1, the larger of the scale of speed and the largest speed
 * in the state, by the length of rates of angles, nominal sizes of z or |z|; of all but |z| a share. Energies are
 * compared with the largest one that is stored as kinetic energy or was exchanged. */
void mbs_weigh(const mbs_model *model, bool is_stabilised, const double *y, double rtol, double atol, double *weight);

/* The scale of a coordinate (0, 1: a place, 2: an angle) or of its rate. */
static inline double mbs_coordinate_scale(const mbs_scales *scales, int component, bool is_rate) {
  return (is_rate ? scales->speed : scales->length) / (component < 2 ? 1 : scales->length);
}

/* Error that a coordinate, or its rate, of this value may have in a step, likewise. */
double mbs_tolerance_of(const mbs_scales *scales, double rtol, double atol, int component, bool is_rate, double value);

/* The absolute tolerance of something of a scale. */
static inline double mbs_absolute_tolerance(const mbs_integrator_options *options, double scale) {
  return options->atol > 0 ? options->atol : options->rtol * scale;
}

#endif
