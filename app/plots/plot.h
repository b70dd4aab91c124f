/* A picture from its description: panels with axes, and layers of numbers, which gnuplot draws as lines or as a map.
 * Its script holds style, data and drawing. */
#ifndef APP_PLOTS_PLOT_H
#define APP_PLOTS_PLOT_H

#include <stdbool.h>

#include <seam/status.h>

#include "app/plots/label.h"
#include "base/arena.h"

/* app/plots/style.gp, which is compiled in: one row. */
typedef struct styles_row {
  const char *name;
  const unsigned char *text; /* terminated */
} styles_row;
extern const styles_row styles_rows[];
extern const size_t styles_size;

typedef enum plot_kind {
  PLOT_LINES,   /* x, y: a curve of the legend */
  PLOT_MARKED,  /* the same, with its points */
  PLOT_SLOPE,   /* x, y of a triangle that shows an order: its title stands beside its second and third point */
  PLOT_DOTS,    /* x, y */
  PLOT_REGION,  /* x, y of polygons */
  PLOT_LIMIT,   /* x, y of black lines */
  PLOT_CIRCLES, /* x, y */
  PLOT_IMAGE,   /* x, y, value of a whole grid: its colour */
  PLOT_BOXES,   /* x, y, least and greatest x and y, value */
  PLOT_COLOURS  /* x, y, value of a dot */
} plot_kind;

enum { PLOT_MAX_COLUMNS = 7, PLOT_MAX_LINES = 3 };

typedef struct plot_layer {
  plot_kind kind;
  label title;
  double *values; /* rows, NaN between polygons and lines */
  size_t n_rows, n_allocated;
  struct plot_layer *next;
} plot_layer;

typedef struct plot_axis {
  label text;
  bool is_log;
  bool is_exponent; /* its numbers are powers of ten */
  bool is_tight;    /* what is drawn reaches its ends */
  double from, to;  /* equal: found from the layers */
} plot_axis;

typedef struct plot_panel {
  label title, subtitle; /* empty: none */
  plot_axis x, y;
  plot_axis colour; /* of a bar: without text there is none */
  double level;     /* a line across; 0: none */
  double cap;       /* values above it are not seen; 0: all are */
  plot_layer *layers, *last;
} plot_panel;

/* A line across all panels at a place of the x axis. */
typedef struct plot_mark {
  double x;
  label title; /* empty: none */
} plot_mark;

typedef struct plot {
  const char *what;            /* the first line of the script, a comment */
  const char *drawn_as;        /* in the script, where its own name is from outside; NULL: its own */
  const char *settings;        /* of gnuplot, text of ours; NULL: none */
  label title[PLOT_MAX_LINES]; /* a bold line and small ones; empty: none */
  size_t n_columns;            /* of panels; 0: one */
  double width, height;        /* of a panel, cm; 0: as usual */
  bool has_own_axes;           /* each panel is labelled and has its bar; else those at the left and the bottom are, for
                                  all, and the bar stands beside all */
  bool same_scale;             /* x and y are lengths of one figure, in one panel */
  plot_panel *panels;          /* (n_panels) */
  size_t n_panels;
  plot_mark *marks; /* (n_marks) */
  size_t n_marks;
  arena memory;      /* of panels and layers; of marks too */
  plot_layer lost;   /* takes what there is no memory for */
  bool lacks_memory; /* plot_draw() refuses */
} plot;

/* Room for so many panels. SEAM_NO_MEMORY. Free the plot with plot_free(), whatever the result. */
seam_status plot_start(plot *self, size_t n_panels, seam_error *error);
void plot_free(plot *self);

/* A new layer of a panel; a row of it: as many numbers as its kind has, or a point (NULL: of none). Where memory ends
 * plot_draw() says so. */
plot_layer *plot_add(plot *self, plot_panel *panel, plot_kind kind);
void plot_put(plot *self, plot_layer *to, const double *row);
void plot_point(plot *self, plot_layer *to, double x, double y);

enum { PLOT_PNG = 1, PLOT_SVG = 2, PLOT_PDF = 4, PLOT_ALL = 7 };

/* Writes DIRECTORY/NAME.gp and lets gnuplot make NAME.png, NAME.svg and NAME.pdf beside it, those that are `wanted`.
 * Points of long curves that no picture shows are left out. Once for a plot. Where there is no gnuplot, a message says
 * so and the result is SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status plot_draw(plot *self, const char *directory, const char *name, unsigned wanted, seam_error *error);

#endif
