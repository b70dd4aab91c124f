/* Scenes in motion as frames, which other programs make. */
#ifndef APP_DRAWING_FRAMES_H
#define APP_DRAWING_FRAMES_H

#include "drawing/animation.h"

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
