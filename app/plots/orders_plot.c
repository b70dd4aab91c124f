/* Errors over macro steps as a picture, drawn by gnuplot. */
#include <math.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/plots/curves.h"
#include "app/plots/orders.h"

enum { MAX_SLOPES = 3, TRIANGLE = 4 }; /* triangles in a panel, points of one */
static const double max_drawn = 10;    /* of a normalised error, so that runs which diverge leave room for the others */
static const double from = 0.55,
                    to = 0.8;  /* shares of the macro steps between which a triangle stands, in logarithms */
static const double below = 2; /* times: a triangle stands below its curve */

static bool is_drawn(double error) { return isfinite(error) && error > 0; }

/* ---- Curves ---- */

/* "ff-k1  2.00 (2.01)", and ", 3 of 5" where macro steps are left out. */
static void name_curve(const app_orders *study, size_t scheme, size_t kind, size_t n_drawn, label *title) {
  const seam_orders orders = orders_find(study, scheme, kind);
  char text[64];
  label_add(title, study->schemes.names[scheme]);
  if (!isnan(orders.all.slope)) {
    snprintf(text, sizeof text, "  %.2f", orders.all.slope);
    label_add(title, text);
  }
  if (!isnan(orders.fine.slope)) {
    snprintf(text, sizeof text, " (%.2f)", orders.fine.slope);
    label_add(title, text);
  }
  if (orders.all.n < n_drawn) {
    snprintf(text, sizeof text, ", %zu of %zu", orders.all.n, n_drawn);
    label_add(title, text);
  }
}

static seam_status reserve(curve *made, size_t n, seam_error *error) {
  made->x = malloc(n * sizeof *made->x);
  made->y = malloc(n * sizeof *made->y);
  return made->x != NULL && made->y != NULL ? SEAM_OK : out_of_memory(error);
}

static seam_status add_errors(const app_orders *study, size_t scheme, size_t kind, curve_panel *panel,
                              seam_error *error) {
  const double *errors = orders_errors(study, scheme, kind);
  curve *made = &panel->curves[panel->n_curves++];
  const seam_status status = reserve(made, study->steps.n, error);
  for (size_t i = 0; i < study->steps.n && status == SEAM_OK; i++)
    if (is_drawn(errors[i])) {
      made->x[made->n] = study->steps.H[i];
      made->y[made->n++] = errors[i];
    }
  name_curve(study, scheme, kind, made->n, &made->title);
  if (status == SEAM_OK && made->n == 0)
    panel->n_curves--, free(made->x), free(made->y), *made = (curve){.n = 0};
  return status;
}

/* ---- Triangles of orders ---- */

/* The error of a scheme at a macro step, on the straight line in logarithms through its neighbours; NaN: none. */
static double error_at(const app_orders *study, const double *errors, double H) {
  for (size_t i = 0; i + 1 < study->steps.n; i++) {
    const double *steps = &study->steps.H[i];
    if ((H - steps[0]) * (H - steps[1]) <= 0 && is_drawn(errors[i]) && is_drawn(errors[i + 1]))
      return errors[i] * pow(errors[i + 1] / errors[i], log(H / steps[0]) / log(steps[1] / steps[0]));
  }
  return NAN;
}

static seam_status add_triangle(const app_orders *study, size_t scheme, size_t kind, int order, curve_panel *panel,
                                seam_error *error) {
  const double *H = study->steps.H;
  const double ratio = H[0] / H[study->steps.n - 1];
  const double left = H[study->steps.n - 1] * pow(ratio, from);
  const double right = H[study->steps.n - 1] * pow(ratio, to);
  const double low = error_at(study, orders_errors(study, scheme, kind), left) / below;
  const double high = low * pow(right / left, order);
  if (!is_drawn(low) || high > max_drawn)
    return SEAM_OK;
  curve *made = &panel->curves[panel->n_curves++];
  const seam_status status = reserve(made, TRIANGLE, error);
  if (status != SEAM_OK)
    return status;
  const double x[TRIANGLE] = {left, right, right, left};
  const double y[TRIANGLE] = {low, low, high, low};
  for (; made->n < TRIANGLE; made->n++) {
    made->x[made->n] = x[made->n];
    made->y[made->n] = y[made->n];
  }
  made->is_slope = true;
  label_add_number(&made->title, order);
  return SEAM_OK;
}

/* One for each whole order that schemes have, nearest first. */
static seam_status add_triangles(const app_orders *study, size_t kind, curve_panel *panel, seam_error *error) {
  int shown[MAX_SLOPES] = {0};
  int n = 0;
  seam_status status = SEAM_OK;
  for (size_t scheme = 0; scheme < study->schemes.n && n < MAX_SLOPES && status == SEAM_OK; scheme++) {
    const double slope = orders_find(study, scheme, kind).fine.slope;
    const int order = isfinite(slope) ? (int)lround(slope) : 0;
    bool is_new = order > 0 && fabs(slope - order) < 0.3;
    for (int i = 0; i < n; i++)
      is_new = is_new && shown[i] != order;
    if (!is_new)
      continue;
    shown[n++] = order;
    status = add_triangle(study, scheme, kind, order, panel, error);
  }
  return status;
}

/* ---- The picture ---- */

static seam_status fill_panel(const app_orders *study, size_t kind, curve_panel *panel, seam_error *error) {
  seam_status status = SEAM_OK;
  panel->curves = calloc(study->schemes.n + MAX_SLOPES, sizeof *panel->curves);
  if (panel->curves == NULL)
    return out_of_memory(error);
  panel->log_y = true;
  panel->cap = max_drawn;
  if (study->floor_is_level)
    panel->level = orders_floors(study, kind)[0];
  label_add(&panel->y_label, "error of the ");
  label_add(&panel->y_label, study->kinds[kind].title);
  for (size_t scheme = 0; scheme < study->schemes.n && status == SEAM_OK; scheme++)
    status = add_errors(study, scheme, kind, panel, error);
  return status == SEAM_OK ? add_triangles(study, kind, panel, error) : status;
}

seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error) {
  curve_picture made = {.what = "Errors over the macro step, with triangles of their orders.",
                        .title = {study->heading, study->details},
                        .log_x = true,
                        .has_points = true,
                        .n_columns = 2};
  seam_status status = SEAM_OK;
  label_add_enhanced(&made.x_label, "{/:Italic H}");
  label_add_unit(&made.x_label, "s");
  label_add(&made.title[2], "orders over all macro steps that count (over the three smallest of these)");
  made.panels = calloc(study->n_kinds, sizeof *made.panels);
  if (made.panels == NULL)
    return out_of_memory(error);
  for (; made.n_panels < study->n_kinds && status == SEAM_OK; made.n_panels++)
    status = fill_panel(study, made.n_panels, &made.panels[made.n_panels], error);
  if (status == SEAM_OK)
    status = curves_draw(&made, directory, "converge", PICTURE_ALL, error);
  curves_free(&made);
  return status;
}
