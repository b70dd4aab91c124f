/* Animations of scenes. */
#ifndef DRAWING_ANIMATION_H
#define DRAWING_ANIMATION_H

#include <stdio.h>

#include <seam/drawing.h>

#include "drawing/scene.h"

typedef struct animation {
  const scene *drawn;       /* scene made by animation_scene() for these motions */
  const seam_motion *shown; /* motion of the model of the scene */
  const seam_motion *ghost; /* motion drawn as dashed outlines of bodies; NULL: none */
  double speed;             /* seconds of motion per second of the animation */
} animation;

/* Returns `speed` or, if it is NaN, a default. The default is 1 for a motion of 2 to 20 s. Else it is 1, 2 or 5 times a
 * power of ten: the least of these speeds with which the animation lasts at most 20 s. `shown` must have at least two
 * rows. */
double animation_speed(const seam_motion *shown, double speed);

/* Makes a scene whose box contains both motions (ghost NULL: only `shown`). Call scene_free() even after a failure.
 * Errors of scene_create(). */
seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *result, seam_error *error);

/* Writes SVG with an animation (SMIL) that repeats the motion without end. Between the key times of a moving shape,
 * interpolation is linear. At the rows of the motion its error is at most about half a pixel. */
void animation_write_svg(FILE *file, const animation *self);

#endif
