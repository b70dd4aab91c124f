/* The scales of a problem (<seam/mbs.h>): found by definitions and by the start, kept with the model. */
#ifndef MBS_SCALES_H
#define MBS_SCALES_H

#include "mbs/model/workspace.h"

/* Sets length and mass by the definitions, unless the model is a part: it has those of the whole. */
void mbs_scales_begin(mbs_model *model);

/* Sets the scales that follow from the start: time, speed, force, energy and nominal sizes of states. The workspace has
 * frames of the state, and laws of quantities are evaluated there; `scratch` is written. */
void mbs_scales_finish(mbs_model *model, mbs_workspace *ws, const mbs_state *state, mbs_state *scratch);

/* Copies nominal sizes of states from the whole to a part; state_of (n_states): its states, by number in the whole. */
void mbs_scales_take_states(mbs_model *sub, const mbs_model *whole, const int *state_of);

/* Returns the largest speed that loads alone give a body, or angular speed times the length, in the pose of the start
 * at some times of the run, with states of their sizes. Loads may be zero at the start. Writes `first` (3 n) and
 * `scratch`. */
double mbs_speed_of_later_loads(mbs_workspace *ws, const mbs_state *start, double *first, mbs_state *scratch);

/* Returns the largest coordinate of a centre of mass, m; q: coordinates of all bodies. */
double mbs_farthest(const mbs_model *model, const double *q);

/* Fills weight with the errors that a step may have in y = (q, v, z, work), or in y of the stabilised form (ggl.h):
 * rtol |y| + atol; if atol is 0, rtol times a size. Sizes: of z the larger of |z| and a share of its nominal size; of
 * places a share of the length, of angles of 1; of speeds a share of the larger of their scale and the largest in the
 * state, for angles over the length; of energies the largest of their scale, kinetic energy and work. */
void mbs_weigh(const mbs_model *model, bool is_stabilised, const double *y, double rtol, double atol, double *weight);

/* Returns the scale of a coordinate (0, 1: a place, 2: an angle) or of its rate. */
static inline double mbs_coordinate_scale(const mbs_scales *scales, int component, bool is_rate) {
  return (is_rate ? scales->speed : scales->length) / (component < 2 ? 1 : scales->length);
}

/* Returns the error that a coordinate, or its rate, of this value may have in a step: as above, for at least
 * |value|. */
double mbs_tolerance_of(const mbs_scales *scales, double rtol, double atol, int component, bool is_rate, double value);

/* Returns the absolute tolerance of a quantity of this scale. */
static inline double mbs_absolute_tolerance(const mbs_integrator_options *options, double scale) {
  return options->atol > 0 ? options->atol : options->rtol * scale;
}

#endif
