/* Scenes in motion. */
#ifndef DRAWING_ANIMATION_H
#define DRAWING_ANIMATION_H

#include <stdio.h>

#include <seam/drawing.h>

#include "drawing/scene.h"

typedef struct animation {
  const scene *drawn;       /* made for the poses of both motions */
  const seam_motion *shown; /* both of the scene's model */
  const seam_motion *ghost; /* drawn by dashed outlines of the bodies beside it; NULL: none */
  double speed;             /* s of the motion in a second */
} animation;

/* Speed, where it is NaN: that of the motion itself, unless this would last less than 2 s or more than 20 s: then one
 * of 1, 2, 5 times a power of ten. Two rows at least. */
double animation_speed(const seam_motion *shown, double speed);

/* A scene with room for both motions, the second one NULL: none. Freed by scene_free() whatever the result. Errors of
 * scene_create(). */
seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *made, seam_error *error);

/* As SVG that moves (SMIL), for ever. Each moving part has key times that are chosen so that linear interpolation
 * between them is at every row of the motion at most 0.4 pixels off. */
void animation_write_svg(FILE *file, const animation *self);

#endif
