/* Scales of a problem (mbs_scales in <seam/mbs.h>): typical sizes that follow from the model and its initial state. */
#ifndef MBS_SCALES_H
#define MBS_SCALES_H

#include "mbs/model/workspace.h"

/* Sets the scales of length and mass, unless the model is a subsystem: it has the scales of the undivided mechanism. */
void mbs_scales_begin(mbs_model *model);

/* Sets the scales by the initial state *state: time, speed, force, energy and nominal sizes of states. The workspace
 * must have the frames of *state and the values of the laws there. Overwrites *scratch. */
void mbs_scales_finish(mbs_model *model, mbs_workspace *ws, const mbs_state *state, mbs_state *scratch);

/* Returns the largest speed, m/s, that loads alone would give to a body in the initial pose (angular speed: times the
 * scale of length). Since loads may be zero at the start, they are evaluated at several times of the run, with states z
 * of nominal size. Overwrites `first` (3 n_bodies) and *scratch. */
double mbs_speed_of_later_loads(mbs_workspace *ws, const mbs_state *start, double *first, mbs_state *scratch);

/* Returns the scale of quantities of a unit, such as "m/s"; 0: not known. */
double mbs_scale_of_unit(const mbs_scales *scales, const char *unit);

/* Returns the largest |x| or |y| of all centres of mass, m; q (3n): coordinates of all bodies. */
double mbs_farthest(const mbs_model *model, const double *q);

/* Fills weight with the errors that a step may have in y = (q, v, z, work), or in y of ggl.h (is_stabilised): rtol |y|
 * + atol or, if atol is 0, rtol times a size (share: mbs_share_of_scales):
 *
 *   z            the larger of |z| and a share of its nominal size
 *   positions    a share of the scale of length; angles: the same share of 1 rad
 *   speeds       a share of V (angular speeds: of V/length); V: the larger of the scale of speed and the largest speed
 *   energies     the largest of the scale of energy, kinetic energy and work
 *   λ            the scale of time, times the larger of |λ| and the scale of force
 *   μ            the scale of time, times the scale of speed
 *
 * If atol is 0, errors of positions, speeds and energies are at least those that round-off of positions causes. */
void mbs_weigh(const mbs_model *model, bool is_stabilised, const double *y, double rtol, double atol, double *weight);

/* Returns the scale of coordinate x (component 0), y (1) or φ (2) of a body, or of its rate. */
static inline double mbs_coordinate_scale(const mbs_scales *scales, int component, bool is_rate) {
  return (is_rate ? scales->speed : scales->length) / (component < 2 ? 1 : scales->length);
}

/* Returns the error that a step may have in coordinate `component` (0: x, 1: y, 2: φ) of a body, or in its rate: rtol
 * |value| + atol or, if atol is 0, rtol times the larger of |value| and mbs_share_of_scales times the scale. */
double mbs_tolerance_of(const mbs_scales *scales, double rtol, double atol, int component, bool is_rate, double value);

#endif
