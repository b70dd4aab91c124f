/* A picture made from a description: panels with axes, and layers of numbers that gnuplot draws as lines, points or a
 * map. One script has the style, the data and the commands. */
#ifndef APP_PLOTS_PLOT_H
#define APP_PLOTS_PLOT_H

#include <stdbool.h>

#include <seam/status.h>

#include "app/plots/label.h"
#include "base/arena.h"

typedef enum plot_kind {
  PLOT_LINES,   /* curve with an entry in the legend; rows: x, y */
  PLOT_MARKED,  /* as PLOT_LINES, with a mark at each point */
  PLOT_SLOPE,   /* triangle that shows an order, with its title between the second and the third point; rows: x, y */
  PLOT_DOTS,    /* dots; rows: x, y */
  PLOT_REGION,  /* filled polygons; rows: x, y */
  PLOT_LIMIT,   /* black lines; rows: x, y */
  PLOT_CIRCLES, /* circles; rows: x, y */
  PLOT_IMAGE,   /* colours at all points of a grid; rows: x, y, value */
  PLOT_BOXES,   /* coloured boxes; rows: x, y, smallest x, largest x, smallest y, largest y, value */
  PLOT_COLOURS  /* coloured dots; rows: x, y, value */
} plot_kind;

enum { PLOT_MAX_COLUMNS = 7, PLOT_MAX_LINES = 3 };

typedef struct plot_layer {
  plot_kind kind;
  label title;
  double *values; /* (n_rows) rows as in plot_kind; a row of NaN separates polygons and lines */
  size_t n_rows, n_allocated;
  struct plot_layer *next;
} plot_layer;

typedef struct plot_axis {
  label text;
  bool is_log;
  bool is_exponent; /* the data are decimal logarithms; labels of tics are powers of ten */
  bool is_tight;    /* the axis has exactly the range of the data */
  double from, to;  /* range of values; from = to: the range follows from the data */
} plot_axis;

typedef struct plot_panel {
  label title, subtitle; /* a label that is empty is not drawn */
  plot_axis x, y;
  plot_axis colour; /* axis of the colour bar, which is not drawn if the text is empty */
  double level;     /* y of a horizontal line; 0: no line */
  double cap;       /* largest y that is shown; 0: no limit */
  plot_layer *layers, *last;
} plot_panel;

/* A vertical line at x through all panels. */
typedef struct plot_mark {
  double x;
  label title; /* a title that is empty is not drawn */
} plot_mark;

typedef struct plot {
  const char *what;      /* comment in the first line of the script */
  const char *safe_name; /* name of the pictures in the script, without text of the user; NULL: that for plot_draw() */
  const char *settings;  /* commands of gnuplot without text of the user; NULL: there are none */
  label title[PLOT_MAX_LINES]; /* heading: a line in bold, then small lines; empty ones are not drawn */
  size_t n_columns;            /* number of panels side by side; 0 counts as 1 */
  double width, height;        /* cm, size of a panel; 0: default */
  bool has_own_axes;  /* each panel has labels and a colour bar; false: labels at the left and bottom, one bar */
  bool same_scale;    /* x and y are lengths of one figure: a single panel, with the same scale on both axes */
  plot_panel *panels; /* (n_panels) */
  size_t n_panels;
  plot_mark *marks; /* (n_marks) */
  size_t n_marks;
  arena memory;           /* memory of panels, layers and marks */
  plot_layer spare_layer; /* plot_add() returns this layer when memory is exhausted; it is not drawn */
  bool lacks_memory;      /* memory was exhausted: plot_draw() fails */
} plot;

/* plot_start() allocates the panels; plot_free() frees all memory. plot_add() adds a layer to a panel. plot_put() adds
 * a row, with as many numbers as plot_kind lists; plot_point() a row of two, or nothing if `to` is NULL. If memory is
 * exhausted, n_panels stays 0 or the layer is incomplete, and plot_draw() fails. */
void plot_start(plot *self, size_t n_panels);
void plot_free(plot *self);
plot_layer *plot_add(plot *self, plot_panel *panel, plot_kind kind);
void plot_put(plot *self, plot_layer *to, const double *row);
void plot_point(plot *self, plot_layer *to, double x, double y);

enum { PLOT_PNG = 1, PLOT_SVG = 2, PLOT_PDF = 4, PLOT_ALL = 7 };

/* Writes DIRECTORY/NAME.gp, from which gnuplot draws NAME.png, NAME.svg and NAME.pdf, if in the mask `wanted`. Leaves
 * out invisible points of long curves. May be called once for a plot. Without gnuplot prints a message and returns
 * SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status plot_draw(plot *self, const char *directory, const char *name, unsigned wanted, seam_error *error);

#endif
