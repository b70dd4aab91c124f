/* Scenes in motion. */
#ifndef DRAWING_ANIMATION_H
#define DRAWING_ANIMATION_H

#include <stdio.h>

#include <seam/drawing.h>

#include "drawing/scene.h"

typedef struct animation {
  const scene *drawn;       /* scene with room for the poses of both motions */
  const seam_motion *shown; /* both motions are of the scene's model */
  const seam_motion *ghost; /* drawn as dashed outlines of bodies; NULL: none */
  double speed;             /* seconds of motion per second of the picture */
} animation;

/* Returns `speed` or, if it is NaN, a default: 1 for a motion of 2 to 20 s; else 1, 2 or 5 times a power of ten, the
 * least with which the animation lasts at most 20 s. `shown` has two rows or more. */
double animation_speed(const seam_motion *shown, double speed);

/* Makes a scene whose box contains both motions (ghost NULL: none). Call scene_free() whatever the result. Errors of
 * scene_create(). */
seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *made, seam_error *error);

/* Writes SVG that repeats the motion without end (SMIL). Each moving part has key times such that linear interpolation
 * between them is within half a pixel at every row of the motion. */
void animation_write_svg(FILE *file, const animation *self);

#endif
