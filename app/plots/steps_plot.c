#include "app/plots/steps_plot.h"

#include <math.h>

#include "app/failure.h"
#include "app/plots/run_label.h"

enum { RADIUS, ERROR, N_PANELS };
static const double max_radius = 2, max_error = 10; /* largest ρ and largest error that are shown */

seam_status steps_plot_start(const seam_model_file *file, double wanted, plot *result, seam_error *error) {
  *result = (plot){.what = "Spectral radius and error over the macro step."};
  plot_start(result, N_PANELS);
  if (result->lacks_memory)
    return out_of_memory(error);
  plot_panel *radius = &result->panels[RADIUS];
  plot_panel *errors = &result->panels[ERROR];
  label_print(&result->title[0], "Stability of %s", seam_model_name(file));
  run_label_add_parameters_of(&result->title[1], seam_model_json(file));
  label_add_enhanced(&result->title[2], "small motions;  black lines: {/:Italic ρ} = 1 and the wanted error");
  label_add_enhanced(&radius->y.text, "{/:Italic ρ}");
  radius->level = 1;
  radius->cap = max_radius;
  label_add(&errors->y.text, "error over one period");
  errors->y.is_log = true;
  errors->level = wanted;
  errors->cap = max_error;
  label_add_enhanced(&radius->x.text, "{/:Italic H}");
  label_add_unit(&radius->x.text, "s");
  radius->x.is_log = radius->x.is_tight = true;
  errors->x = radius->x;
  return SEAM_OK;
}

void steps_plot_add(plot *to, const char *scheme, const seam_scheme_point *points, const double *errors, size_t n) {
  plot_layer *radius = plot_add(to, &to->panels[RADIUS], PLOT_LINES);
  plot_layer *error = plot_add(to, &to->panels[ERROR], PLOT_LINES);
  label_add(&radius->title, scheme);
  label_add(&error->title, scheme);
  for (size_t i = 0; i < n; i++) {
    if (isfinite(points[i].rho))
      plot_point(to, radius, points[i].macro_step, points[i].rho);
    if (isfinite(errors[i]) && errors[i] > 0)
      plot_point(to, error, points[i].macro_step, errors[i]);
  }
}

/* Returns true if no curve of the panel has a point; the panel is then left out. */
static bool is_empty(const plot_panel *panel) {
  size_t n = 0;
  for (const plot_layer *layer = panel->layers; layer != NULL; layer = layer->next)
    n += layer->n_rows;
  return n == 0;
}

seam_status steps_plot_draw(plot *self, const char *directory, seam_error *error) {
  plot drawn = *self;
  if (is_empty(&self->panels[ERROR]))
    drawn.n_panels = ERROR;
  return is_empty(&self->panels[RADIUS]) ? SEAM_OK : plot_draw(&drawn, directory, "stability", PLOT_ALL, error);
}
