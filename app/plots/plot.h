/* A picture from its description: panels with axes, and layers of numbers, which gnuplot draws as lines or as a map.
 * One gnuplot script holds the style, the data and the commands that draw them. */
#ifndef APP_PLOTS_PLOT_H
#define APP_PLOTS_PLOT_H

#include <stdbool.h>

#include <seam/status.h>

#include "app/plots/label.h"
#include "base/arena.h"

/* The text of app/plots/style.gp, which is compiled in, as the only row of styles_rows. */
typedef struct styles_row {
  const char *name;
  const unsigned char *text; /* terminated */
} styles_row;
extern const styles_row styles_rows[];
extern const size_t styles_size;

typedef enum plot_kind {
  PLOT_LINES,   /* x, y of a curve with an entry in the legend */
  PLOT_MARKED,  /* x, y of such a curve, with a mark at each point */
  PLOT_SLOPE,   /* x, y of a triangle that shows an order; its title stands between the second and third point */
  PLOT_DOTS,    /* x, y */
  PLOT_REGION,  /* x, y of polygons */
  PLOT_LIMIT,   /* x, y of black lines */
  PLOT_CIRCLES, /* x, y */
  PLOT_IMAGE,   /* x, y, value of a whole grid, as colours */
  PLOT_BOXES,   /* x, y, least x, greatest x, least y, greatest y, value of a box */
  PLOT_COLOURS  /* x, y, value of a dot */
} plot_kind;

enum { PLOT_MAX_COLUMNS = 7, PLOT_MAX_LINES = 3 };

typedef struct plot_layer {
  plot_kind kind;
  label title;
  double *values; /* rows; NaN separates polygons and lines */
  size_t n_rows, n_allocated;
  struct plot_layer *next;
} plot_layer;

typedef struct plot_axis {
  label text;
  bool is_log;
  bool is_exponent; /* data are exponents; tics are labelled as powers of ten */
  bool is_tight;    /* the axis ends at the data */
  double from, to;  /* range; if both are equal, the layers give it */
} plot_axis;

typedef struct plot_panel {
  label title, subtitle; /* empty: none */
  plot_axis x, y;
  plot_axis colour; /* colour bar; without text: none */
  double level;     /* y of a horizontal line; 0: none */
  double cap;       /* largest value shown; 0: no limit */
  plot_layer *layers, *last;
} plot_panel;

/* A vertical line through all panels, at a value of x. */
typedef struct plot_mark {
  double x;
  label title; /* empty: none */
} plot_mark;

typedef struct plot {
  const char *what;            /* first line of the script, a comment */
  const char *drawn_as;        /* name of pictures in the script in place of a name from a user; NULL: their own name */
  const char *settings;        /* gnuplot commands, never a user's text; NULL: none */
  label title[PLOT_MAX_LINES]; /* a bold line and small ones; empty: none */
  size_t n_columns;            /* columns of panels; 0: one */
  double width, height;        /* size of a panel, cm; 0: default */
  bool has_own_axes; /* each panel has labels and a colour bar; else only panels at the left and the bottom have labels,
                        and all panels share a bar */
  bool same_scale;   /* x and y are lengths of one figure, drawn at one scale in one panel */
  plot_panel *panels; /* (n_panels) */
  size_t n_panels;
  plot_mark *marks; /* (n_marks) */
  size_t n_marks;
  arena memory;      /* holds panels, layers and marks */
  plot_layer lost;   /* receives rows after memory is exhausted */
  bool lacks_memory; /* plot_draw() then fails */
} plot;

/* Makes room for the panels. SEAM_NO_MEMORY. Free the plot with plot_free(), whatever the result. */
seam_status plot_start(plot *self, size_t n_panels, seam_error *error);
void plot_free(plot *self);

/* plot_add() adds a layer to a panel. plot_put() adds a row to a layer, with as many numbers as plot_kind lists for the
 * layer; plot_point() adds a row of two (`to` NULL: does nothing). If memory is exhausted, plot_draw() fails. */
plot_layer *plot_add(plot *self, plot_panel *panel, plot_kind kind);
void plot_put(plot *self, plot_layer *to, const double *row);
void plot_point(plot *self, plot_layer *to, double x, double y);

enum { PLOT_PNG = 1, PLOT_SVG = 2, PLOT_PDF = 4, PLOT_ALL = 7 };

/* Writes DIRECTORY/NAME.gp and lets gnuplot draw the `wanted` ones of NAME.png, NAME.svg and NAME.pdf (PLOT_PNG, ...).
 * Leaves points of long curves out that would not be visible. Call it once for a plot. Without gnuplot a message is
 * printed and the result is SEAM_OK. SEAM_NO_FILE, SEAM_NO_MEMORY. */
seam_status plot_draw(plot *self, const char *directory, const char *name, unsigned wanted, seam_error *error);

#endif
