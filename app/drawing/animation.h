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

typedef struct animation_format {
  const char *name;        /* "svg", "gif", "mp4" */
  const char *programs[2]; /* that make it; NULL: none */
  int rate;                /* frames in a second; SVG has none */
} animation_format;

enum { MAX_FRAMES = 3000 };

/* The format that the ending of a name says; SVG for NULL. NULL: SEAM_BAD_INPUT. */
const animation_format *animation_format_of(const char *path, seam_error *error);

/* Frames by gnuplot, at most MAX_FRAMES, for mp4 through ffmpeg. SEAM_NO_FILE where a program is not installed or
 * fails; SEAM_BAD_INPUT for a name that it does not take. */
seam_status animation_write_frames(const char *path, const animation_format *format, const animation *self,
                                   seam_error *error);

#endif
