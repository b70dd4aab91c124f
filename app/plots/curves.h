/* Panels of curves over one axis, below each other. */
#ifndef APP_PLOTS_CURVES_H
#define APP_PLOTS_CURVES_H

#include <stdbool.h>

#include "app/plots/label.h"
#include "app/plots/picture.h"

typedef struct curve {
  label title;
  double *x, *y; /* (n) in ascending order of time; logarithms where the axis is logarithmic; freed with the curves */
  size_t n;
} curve;

typedef struct curve_panel {
  label y_label;
  curve *curves; /* (n_curves) */
  size_t n_curves;
} curve_panel;

typedef struct curve_picture {
  label title[PICTURE_MAX_LINES]; /* empty: none */
  label x_label;
  bool log_x, log_y;
  bool is_over_time;   /* curves begin and end at the sides of the panels */
  bool same_scale;     /* x and y are lengths of one figure, in one panel */
  curve_panel *panels; /* (n_panels) */
  size_t n_panels;
} curve_picture;

/* Frees panels, curves and their points. */
void curves_free(curve_picture *self);

/* Leaves out the points that no picture shows. SEAM_NO_MEMORY. */
seam_status curves_thin_out(curve_picture *self, seam_error *error);

/* DIRECTORY/NAME.gp and pictures in these formats: see picture_make(). */
seam_status curves_draw(const curve_picture *self, const char *directory, const char *name, unsigned formats,
                        seam_error *error);

#endif
