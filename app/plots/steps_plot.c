#include "app/plots/steps_plot.h"

#include <math.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/plots/run_label.h"

enum { RADIUS, ERROR, N_PANELS };
static const double max_radius = 2, max_error = 10; /* above nothing is worth to be seen */

seam_status steps_plot_start(const seam_model_file *file, size_t n_schemes, double wanted, curve_picture *made,
                             seam_error *error) {
  *made = (curve_picture){.what = "Spectral radius and error over the macro step.", .log_x = true, .is_tight = true};
  label_add(&made->title[0], "Stability of ");
  label_add(&made->title[0], seam_model_name(file));
  run_label_add_parameters_of(&made->title[1], seam_model_json(file));
  label_add_enhanced(&made->title[2], "small motions;  black lines: {/:Italic ρ} = 1 and the wanted error");
  label_add_enhanced(&made->x_label, "{/:Italic H}");
  label_add_unit(&made->x_label, "s");
  made->panels = calloc(N_PANELS, sizeof *made->panels);
  for (; made->n_panels < N_PANELS && made->panels != NULL; made->n_panels++)
    made->panels[made->n_panels].curves = calloc(n_schemes, sizeof *made->panels->curves);
  if (made->panels == NULL || made->panels[RADIUS].curves == NULL || made->panels[ERROR].curves == NULL)
    return out_of_memory(error);
  label_add_enhanced(&made->panels[RADIUS].y_label, "{/:Italic ρ}");
  made->panels[RADIUS].level = 1;
  made->panels[RADIUS].cap = max_radius;
  label_add(&made->panels[ERROR].y_label, "error over one period");
  made->panels[ERROR].log_y = true;
  made->panels[ERROR].level = wanted;
  made->panels[ERROR].cap = max_error;
  return SEAM_OK;
}

static seam_status reserve(curve_panel *panel, const char *scheme, size_t n, curve **made, seam_error *error) {
  *made = &panel->curves[panel->n_curves++];
  (*made)->x = malloc((n + 1) * sizeof *(*made)->x);
  (*made)->y = malloc((n + 1) * sizeof *(*made)->y);
  label_add(&(*made)->title, scheme);
  return (*made)->x != NULL && (*made)->y != NULL ? SEAM_OK : out_of_memory(error);
}

static void add(curve *to, double x, double y, bool is_drawn) {
  to->x[to->n] = x;
  to->y[to->n] = y;
  to->n += is_drawn;
}

seam_status steps_plot_add(curve_picture *to, const char *scheme, const seam_scheme_point *points, const double *errors,
                           size_t n, seam_error *error) {
  curve *radius = NULL;
  curve *at = NULL;
  seam_status status = reserve(&to->panels[RADIUS], scheme, n, &radius, error);
  if (status == SEAM_OK)
    status = reserve(&to->panels[ERROR], scheme, n, &at, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    add(radius, points[i].macro_step, points[i].rho, isfinite(points[i].rho));
    add(at, points[i].macro_step, errors[i], isfinite(errors[i]) && errors[i] > 0);
  }
  return status;
}

/* A panel where no curve has a point is left out. */
static bool is_empty(const curve_panel *panel) {
  size_t n = 0;
  for (size_t k = 0; k < panel->n_curves; k++)
    n += panel->curves[k].n;
  return n == 0;
}

seam_status steps_plot_draw(curve_picture *self, const char *directory, seam_error *error) {
  curve_picture drawn = *self;
  if (is_empty(&self->panels[ERROR]))
    drawn.n_panels = ERROR;
  return is_empty(&self->panels[RADIUS]) ? SEAM_OK : curves_draw(&drawn, directory, "stability", PICTURE_ALL, error);
}
