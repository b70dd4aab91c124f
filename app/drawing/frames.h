/* Animations made of frames that gnuplot draws: a .gif by gnuplot alone, or an .mp4 that ffmpeg makes from the
 * frames. */
#ifndef APP_DRAWING_FRAMES_H
#define APP_DRAWING_FRAMES_H

#include "drawing/svg.h"

typedef struct animation_format {
  const char *ending;      /* ".svg", ".gif", ".mp4" */
  const char *programs[2]; /* programs that make the animation, at most two; NULL: none */
  int rate;                /* frames per second; unused for SVG */
} animation_format;

enum { MAX_FRAMES = 3000, N_ANIMATION_FORMATS = 3 };
extern const animation_format animation_formats[N_ANIMATION_FORMATS];

/* Draws up to MAX_FRAMES + 1 frames and writes the animation to `path`. SEAM_NO_FILE: gnuplot or ffmpeg is missing or
 * fails, or the file cannot be written. SEAM_NO_MEMORY. */
seam_status animation_write_frames(const char *path, const animation_format *format, const animation *self,
                                   seam_error *error);

#endif
