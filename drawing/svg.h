/* Scenes as SVG. */
#ifndef DRAWING_SVG_H
#define DRAWING_SVG_H

#include <stdio.h>

#include "drawing/scene.h"

enum { SVG_N_COLOURS = 7 }; /* of subsystems; further ones begin again */

typedef struct svg_view {
  double scale;   /* pixels for a metre */
  double size[2]; /* pixels */
  path_map map;   /* from the global frame, m, to pixels, y down */
} svg_view;

/* The view that shows a box, m, and leaves room for a legend of the scene. */
svg_view svg_view_of(const scene *from, scene_box box);

/* Head with title, style and background; legend; end. */
void svg_begin(FILE *file, const scene *from, const svg_view *view, const char *description);
void svg_end(FILE *file);
void svg_write_legend(FILE *file, const scene *from, const svg_view *view);

/* A line of text in the legend; `anchor`: start, middle or end of it is at (x, y). */
void svg_write_note(FILE *file, double x, double y, const char *anchor, const char *text);

/* The class of a shape: "link s0". */
void svg_write_class(FILE *file, const scene *from, const scene_shape *shape);
/* Text with its & and < escaped; control characters are left out. */
void svg_write_text(FILE *file, const char *text);

/* A whole picture at poses q. */
void svg_draw(FILE *file, const scene *from, const double *q, bool with_names);

/* Colours and lines of all classes of a scene, light and dark, as CSS. */
extern const char svg_style[];

#endif
