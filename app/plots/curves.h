/* Panels of curves over one axis. */
#ifndef APP_PLOTS_CURVES_H
#define APP_PLOTS_CURVES_H

#include <stdbool.h>

#include "app/plots/label.h"
#include "app/plots/picture.h"

typedef struct curve {
  label title;
  double *x, *y; /* (n) in ascending order of time; freed with the curves */
  size_t n;
  bool is_slope; /* a triangle that shows an order: its title stands beside its second and third point */
} curve;

typedef struct curve_panel {
  label y_label;
  bool log_y;
  double level;  /* a line across; 0: none */
  double cap;    /* values above it are not seen; 0: all are */
  curve *curves; /* (n_curves) */
  size_t n_curves;
} curve_panel;

/* A line across all panels at a place of the x axis. */
typedef struct curve_mark {
  double x;
  label title; /* empty: none */
} curve_mark;

typedef struct curve_picture {
  const char *what;               /* the first line of the script, a comment */
  const char *drawn_as;           /* of the picture; NULL: its name */
  label title[PICTURE_MAX_LINES]; /* empty: none */
  label x_label;
  bool log_x;
  bool is_tight;       /* curves begin and end at the sides of the panels */
  bool same_scale;     /* x and y are lengths of one figure, in one panel */
  bool has_points;     /* points are marked */
  size_t n_columns;    /* of panels */
  curve_panel *panels; /* (n_panels) */
  size_t n_panels;
  curve_mark *marks; /* (n_marks) freed with the panels */
  size_t n_marks;
} curve_picture;

/* Frees panels, curves and their points. */
void curves_free(curve_picture *self);

/* Leaves out the points that no picture shows. SEAM_NO_MEMORY. */
seam_status curves_thin_out(curve_picture *self, seam_error *error);

/* DIRECTORY/NAME.gp and pictures in these formats: see picture_make(). */
seam_status curves_draw(const curve_picture *self, const char *directory, const char *name, unsigned formats,
                        seam_error *error);

#endif
