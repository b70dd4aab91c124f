/* Scenes as SVG. */
#ifndef DRAWING_SVG_H
#define DRAWING_SVG_H

#include <stdio.h>

#include "drawing/scene.h"

enum { SVG_N_COLOURS = 7 }; /* number of colours of subsystems, which are used cyclically */

typedef struct svg_view {
  double scale;   /* pixels per metre */
  double size[2]; /* width and height, pixels */
  path_map map;   /* map from global coordinates, m, to pixels, with y down */
} svg_view;

/* Returns the view that shows a box (m), with space for the legend of the scene. */
svg_view svg_view_of(const scene *from, scene_box box);

/* Write the beginning (title, style, background), the end, and the legend. */
void svg_begin(FILE *file, const scene *from, const svg_view *view, const char *description);
void svg_end(FILE *file);
void svg_write_legend(FILE *file, const scene *from, const svg_view *view);

/* Writes a line of text. (x, y), in pixels, is the point of the text that `anchor` names: "start", "middle" or
 * "end". */
void svg_write_legend_text(FILE *file, double x, double y, const char *anchor, const char *text);

/* Writes the CSS class of a shape, as "link s0". */
void svg_write_class(FILE *file, const scene *from, const scene_shape *shape);

/* Writes the picture at poses q. */
void svg_draw(FILE *file, const scene *from, const double *q, bool with_names);

#endif
