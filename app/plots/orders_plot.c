/* Errors over macro steps as a picture, drawn by gnuplot. */
#include <math.h>

#include "app/plots/orders.h"
#include "app/plots/plot.h"
#include "base/then.h"

enum { MAX_SLOPES = 3 };            /* triangles in a panel */
static const double max_drawn = 10; /* largest normalised error drawn: runs that diverge leave room for the others */
static const double from = 0.55,
                    to = 0.8;  /* shares of the macro steps, in logarithms, at which a triangle begins and ends */
static const double below = 2; /* times: distance of a triangle below its curve */

static bool is_drawn(double error) { return isfinite(error) && error > 0; }

/* ---- Curves ---- */

/* Writes "ff-k1 2.00 (2.01)", and ", 3 of 5" if macro steps are left out. */
static void name_curve(const app_orders *study, size_t scheme, size_t kind, size_t n_drawn, label *title) {
  const seam_orders orders = orders_find(study, scheme, kind);
  label_add(title, study->schemes->names[scheme]);
  if (!isnan(orders.all.slope))
    label_print(title, "  %.2f", orders.all.slope);
  if (!isnan(orders.fine.slope))
    label_print(title, " (%.2f)", orders.fine.slope);
  if (orders.all.n < n_drawn)
    label_print(title, ", %zu of %zu", orders.all.n, n_drawn);
}

/* ---- Triangles of orders ---- */

/* Returns the error at a macro step, linear in logarithms between its neighbours; NaN: none. */
static double error_at(const app_orders *study, const double *errors, double H) {
  for (size_t i = 0; i + 1 < study->steps.n; i++) {
    const double *steps = &study->steps.H[i];
    if ((H - steps[0]) * (H - steps[1]) <= 0 && is_drawn(errors[i]) && is_drawn(errors[i + 1]))
      return errors[i] * pow(errors[i + 1] / errors[i], log(H / steps[0]) / log(steps[1] / steps[0]));
  }
  return NAN;
}

static void add_triangle(plot *made, plot_panel *panel, const app_orders *study, size_t scheme, size_t kind,
                         int order) {
  const double *H = study->steps.H;
  const double ratio = H[0] / H[study->steps.n - 1];
  const double left = H[study->steps.n - 1] * pow(ratio, from);
  const double right = H[study->steps.n - 1] * pow(ratio, to);
  const double low = error_at(study, orders_errors(study, scheme, kind), left) / below;
  const double high = low * pow(right / left, order);
  if (!is_drawn(low) || high > max_drawn)
    return;
  plot_layer *layer = plot_add(made, panel, PLOT_SLOPE);
  plot_point(made, layer, left, low);
  plot_point(made, layer, right, low);
  plot_point(made, layer, right, high);
  plot_point(made, layer, left, low);
  label_add_number(&layer->title, order);
}

/* ---- The picture ---- */

static void fill_panel(plot *made, plot_panel *panel, const app_orders *study, size_t kind) {
  label_add_enhanced(&panel->x.text, "{/:Italic H}");
  label_add_unit(&panel->x.text, "s");
  panel->x.is_log = panel->y.is_log = true;
  panel->cap = max_drawn;
  if (study->floor_is_level)
    panel->level = orders_floors(study, kind)[0];
  label_print(&panel->y.text, "error of the %s", study->kinds[kind].title);
  for (size_t scheme = 0; scheme < study->schemes->n; scheme++) {
    const double *errors = orders_errors(study, scheme, kind);
    size_t n = 0;
    for (size_t i = 0; i < study->steps.n; i++)
      n += is_drawn(errors[i]);
    if (n != 0) {
      plot_layer *layer = plot_add(made, panel, PLOT_MARKED);
      for (size_t i = 0; i < study->steps.n; i++)
        if (is_drawn(errors[i]))
          plot_point(made, layer, study->steps.H[i], errors[i]);
      name_curve(study, scheme, kind, n, &layer->title);
    }
  }
  int shown[MAX_SLOPES] = {0};
  int n = 0;
  for (size_t scheme = 0; scheme < study->schemes->n && n < MAX_SLOPES; scheme++) {
    const double slope = orders_find(study, scheme, kind).fine.slope;
    const int order = isfinite(slope) ? (int)lround(slope) : 0;
    bool is_new = order > 0 && fabs(slope - order) < 0.3;
    for (int i = 0; i < n; i++)
      is_new = is_new && shown[i] != order;
    if (!is_new)
      continue;
    shown[n++] = order;
    add_triangle(made, panel, study, scheme, kind, order);
  }
}

seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error) {
  plot made = {.what = "Errors over the macro step, with triangles of their orders.",
               .title = {study->heading, study->details}};
  label_add(&made.title[2], "orders over all macro steps that count (over the three smallest of these)");
  seam_status status = plot_start(&made, study->n_kinds, error);
  for (size_t kind = 0; kind < study->n_kinds && status == SEAM_OK; kind++)
    fill_panel(&made, &made.panels[kind], study, kind);
  THEN(status, plot_draw(&made, directory, "converge", PLOT_ALL, error));
  plot_free(&made);
  return status;
}
