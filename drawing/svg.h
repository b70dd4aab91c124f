/* Scenes as SVG, still and in motion. */
#ifndef DRAWING_SVG_H
#define DRAWING_SVG_H

#include <stdio.h>

#include <seam/drawing.h>

#include "drawing/scene.h"

/* Colours on a white background, also of frames that gnuplot draws. */
#define COLOUR_INK "#1b1f24"
#define COLOUR_LINK "#4a5563" /* edge of a link, and lines of bodies */
#define COLOUR_RUBBER "#8b6f47"
#define COLOUR_HOUSING "#dfe5ea"
#define COLOUR_LOAD "#b3261e"
#define COLOUR_DRIVE "#6a3d9a"
#define COLOUR_CUT "#c2185b"

/* Colours of the edges of links, by subsystem: the colours of Okabe and Ito (2008), which colour-blind readers can
 * distinguish; light colours are made darker. */
#define COLOUR_SUBSYSTEM_0 "#0072b2"
#define COLOUR_SUBSYSTEM_1 "#b57d00"
#define COLOUR_SUBSYSTEM_2 "#00805d"
#define COLOUR_SUBSYSTEM_3 "#a9588a"
#define COLOUR_SUBSYSTEM_4 "#2d8fc7"
#define COLOUR_SUBSYSTEM_5 "#d55e00"
#define COLOUR_SUBSYSTEM_6 "#a39a00"

enum { SVG_N_COLOURS = 7 }; /* number of colours of subsystems, which are used cyclically */

typedef struct svg_view {
  double scale;   /* pixels per metre */
  double size[2]; /* width and height, pixels */
  path_map map;   /* map from global coordinates, m, to pixels, with y down */
} svg_view;

/* Returns the view that shows a box (m), with space for the legend of the scene. */
svg_view svg_view_of(const scene *from, scene_box box);

/* Writes the picture at poses q. */
void svg_draw(FILE *file, const scene *from, const double *q, bool with_names);

typedef struct animation {
  const scene *drawn;       /* scene made by animation_scene() for these motions */
  const seam_motion *shown; /* motion of the model of the scene */
  const seam_motion *ghost; /* motion drawn as dashed outlines of bodies; NULL: none */
  double speed;             /* seconds of motion per second of the animation */
} animation;

/* Returns `speed` or, if it is NaN, a default. This is 1 for a motion of 2 to 20 s, else 1, 2 or 5 times a power of
 * ten: the least with which the animation lasts at most 20 s. `shown` must have at least two rows. */
double animation_speed(const seam_motion *shown, double speed);

/* Makes a scene whose box contains both motions (ghost NULL: only `shown`). Call scene_free() whatever the status.
 * Fails with the errors of scene_create(). */
seam_status animation_scene(const seam_model_file *file, bool with_cuts, const seam_motion *shown,
                            const seam_motion *ghost, scene *result, seam_error *error);

/* Writes SVG with an animation (SMIL) that repeats the motion without end. Between the key times of a moving shape,
 * interpolation is linear. At the rows of the motion its error is at most about half a pixel. */
void animation_write_svg(FILE *file, const animation *self);

#endif
