/* Scenes in motion. */
#ifndef APP_DRAWING_ANIMATION_H
#define APP_DRAWING_ANIMATION_H

#include <stdio.h>

#include "app/drawing/motion.h"
#include "app/drawing/scene.h"

typedef struct animation {
  const scene *drawn;  /* made for the poses of both motions */
  const motion *shown; /* both of the scene's model */
  const motion *ghost; /* drawn by dashed outlines of the bodies beside it; NULL: none */
  double speed;        /* s of the motion in a second */
} animation;

/* As SVG that moves (SMIL), for ever. Each moving part has key times that are chosen so that linear interpolation
 * between them is at every row of the motion at most 0.4 pixels off. */
void animation_write_svg(FILE *file, const animation *self);

#endif
