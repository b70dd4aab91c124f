/* Orders of convergence: printed table, file and picture. */
#include "app/plots/orders.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/plots/plot.h"
#include "app/results/comparisons.h"
#include "app/results/output.h"

seam_status orders_allocate(app_orders *study, seam_error *error) {
  const size_t n = study->n_kinds * study->steps.n;
  study->errors = calloc(study->schemes->n * n, sizeof *study->errors);
  study->floors = calloc(n, sizeof *study->floors);
  return study->errors != NULL && study->floors != NULL ? SEAM_OK : out_of_memory(error);
}

void orders_free(app_orders *study) {
  free(study->errors);
  free(study->floors);
}

double *orders_errors(const app_orders *study, size_t scheme, size_t kind) {
  return study->errors + (scheme * study->n_kinds + kind) * study->steps.n;
}

double *orders_floors(const app_orders *study, size_t kind) { return study->floors + kind * study->steps.n; }

static seam_orders find_orders(const app_orders *study, size_t scheme, size_t kind) {
  return seam_orders_fit(study->steps.H, orders_errors(study, scheme, kind), orders_floors(study, kind),
                         study->steps.n);
}

static void print_order(const seam_order *order) {
  if (isnan(order->slope))
    printf("  %5s", "-");
  else
    printf("  %5.2f", order->slope);
  if (isnan(order->interval))
    printf(" %6s", "-");
  else
    printf(" %6.2g", order->interval);
}

/* Prints a line with the macro steps that the order of a scheme leaves out. failed: steps whose errors are not finite;
 * else: steps whose errors are below the floor, or below the plateau on which errors no longer decrease. Returns false
 * and prints nothing if there are none. */
static bool print_left_out(const app_orders *study, size_t scheme, size_t kind, bool failed) {
  const double *errors = orders_errors(study, scheme, kind);
  const double *floors = orders_floors(study, kind);
  const double plateau = find_orders(study, scheme, kind).plateau;
  double limit = 0; /* largest error that does not count, at the last of these steps */
  size_t n = 0;
  for (size_t i = 0; i < study->steps.n; i++) {
    if (failed ? isfinite(errors[i]) : !(errors[i] <= fmax(plateau, floors[i])))
      continue;
    if (n == 0)
      printf("left out of %s%s%s: H = ", study->schemes->names[scheme], failed ? "" : ", ",
             failed ? "" : study->kinds[kind].title);
    printf("%s%.4g", n++ > 0 ? ", " : "", study->steps.H[i]);
    limit = fmax(plateau, floors[i]);
  }
  if (n > 0 && failed)
    puts(" s (the run failed, or its error is above 0.1)");
  else if (n > 0)
    printf(" s (below %.1e)\n", limit);
  return n > 0;
}

void orders_print(const app_orders *study) {
  const int width = study->schemes->width;
  bool any = false;
  printf("\n%-*s", width, "order");
  for (size_t j = 0; j < study->n_kinds; j++)
    printf("  %29s", study->kinds[j].title);
  printf("\n%-*s", width, "");
  for (size_t j = 0; j < study->n_kinds; j++)
    printf("  %5s %6s %2s  %5s %6s", "all", "+-", "of", "fine", "+-");
  putchar('\n');
  for (size_t i = 0; i < study->schemes->n; i++) {
    printf("%-*s", width, study->schemes->names[i]);
    for (size_t j = 0; j < study->n_kinds; j++) {
      const seam_orders orders = find_orders(study, i, j);
      print_order(&orders.all);
      printf(" %2zu", orders.all.n);
      print_order(&orders.fine);
    }
    putchar('\n');
  }
  for (size_t i = 0; i < study->schemes->n; i++) {
    print_left_out(study, i, 0, true);
    for (size_t j = 0; j < study->n_kinds; j++)
      any |= print_left_out(study, i, j, false);
  }
  if (any)
    printf("(below %s, or errors that fall no more)\n", study->floor_meaning);
}

static void write_order(FILE *file, const char *scheme, const char *error, const char *steps, const seam_order *order) {
  csv_write_text(file, scheme);
  fprintf(file, ",%s,%s,%zu", error, steps, order->n);
  comparisons_write_number(file, order->slope);
  comparisons_write_number(file, order->interval);
  fputc('\n', file);
}

seam_status orders_write(const app_orders *study, const char *directory, seam_error *error) {
  output_file out = {.path = NULL};
  const seam_status status = output_begin(&out, directory, "orders.csv", error);
  if (status == SEAM_OK)
    fputs("scheme,error,macro_steps,count,order,interval\n", out.file);
  for (size_t i = 0; i < study->schemes->n * study->n_kinds && status == SEAM_OK; i++) {
    const size_t scheme = i / study->n_kinds;
    const size_t kind = i % study->n_kinds;
    const seam_orders orders = find_orders(study, scheme, kind);
    write_order(out.file, study->schemes->names[scheme], study->kinds[kind].column, "all", &orders.all);
    write_order(out.file, study->schemes->names[scheme], study->kinds[kind].column, "fine", &orders.fine);
  }
  return output_end(&out, status, error);
}

enum { MAX_SLOPES = 3 }; /* largest number of triangles in a panel */
/* Largest error that is drawn. Larger errors, of runs that diverge, would make all others look equal. */
static const double max_drawn_error = 10;
/* A triangle covers these shares of the range of macro steps, in logarithms. */
static const double triangle_from = 0.55, triangle_to = 0.8;
static const double triangle_gap = 2; /* error of the curve, divided by that of the triangle's left corner */

static bool is_drawn(double error) { return isfinite(error) && error > 0; }

/* Appends the title of a curve, as "ff-k1 2.00 (2.01), 3 of 5": scheme; order over all macro steps that count; order
 * over the fine ones; how many macro steps count, if not all. */
static void name_curve(const app_orders *study, size_t scheme, size_t kind, label *title) {
  const seam_orders orders = find_orders(study, scheme, kind);
  label_add(title, study->schemes->names[scheme]);
  if (!isnan(orders.all.slope))
    label_print(title, "  %.2f", orders.all.slope);
  if (!isnan(orders.fine.slope))
    label_print(title, " (%.2f)", orders.fine.slope);
  if (orders.all.n < study->steps.n)
    label_print(title, ", %zu of %zu", orders.all.n, study->steps.n);
}

/* Returns the error at macro step H, by linear interpolation of logarithms between two macro steps. NaN: an error there
 * is not drawn. */
static double error_at(const app_orders *study, const double *errors, double H) {
  for (size_t i = 0; i + 1 < study->steps.n; i++) {
    const double *steps = &study->steps.H[i];
    if ((H - steps[0]) * (H - steps[1]) <= 0 && is_drawn(errors[i]) && is_drawn(errors[i + 1]))
      return errors[i] * pow(errors[i + 1] / errors[i], log(H / steps[0]) / log(steps[1] / steps[0]));
  }
  return NAN;
}

static void add_triangle(plot *result, plot_panel *panel, const app_orders *study, size_t scheme, size_t kind,
                         int order) {
  const double *H = study->steps.H;
  const double ratio = H[0] / H[study->steps.n - 1];
  const double left = H[study->steps.n - 1] * pow(ratio, triangle_from);
  const double right = H[study->steps.n - 1] * pow(ratio, triangle_to);
  const double low = error_at(study, orders_errors(study, scheme, kind), left) / triangle_gap;
  const double high = low * pow(right / left, order);
  if (!is_drawn(low) || high > max_drawn_error)
    return;
  plot_layer *layer = plot_add(result, panel, PLOT_SLOPE);
  plot_point(result, layer, left, low);
  plot_point(result, layer, right, low);
  plot_point(result, layer, right, high);
  plot_point(result, layer, left, low);
  label_add_number(&layer->title, order);
}

static void fill_panel(plot *result, plot_panel *panel, const app_orders *study, size_t kind) {
  label_add_enhanced(&panel->x.text, "{/:Italic H}");
  label_add_unit(&panel->x.text, "s");
  panel->x.is_log = panel->y.is_log = true;
  panel->cap = max_drawn_error;
  if (study->floor_is_constant)
    panel->level = orders_floors(study, kind)[0];
  label_print(&panel->y.text, "error of the %s", study->kinds[kind].title);
  for (size_t scheme = 0; scheme < study->schemes->n; scheme++) {
    const double *errors = orders_errors(study, scheme, kind);
    plot_layer *layer = NULL;
    for (size_t i = 0; i < study->steps.n; i++)
      if (is_drawn(errors[i])) {
        layer = layer != NULL ? layer : plot_add(result, panel, PLOT_MARKED);
        plot_point(result, layer, study->steps.H[i], errors[i]);
      }
    if (layer != NULL)
      name_curve(study, scheme, kind, &layer->title);
  }
  int shown[MAX_SLOPES] = {0}; /* orders that have a triangle already */
  int n = 0;
  for (size_t scheme = 0; scheme < study->schemes->n && n < MAX_SLOPES; scheme++) {
    const double slope = find_orders(study, scheme, kind).fine.slope;
    const int order = isfinite(slope) ? (int)lround(slope) : 0;
    bool is_new = order > 0 && fabs(slope - order) < 0.3;
    for (int i = 0; i < n; i++)
      is_new = is_new && shown[i] != order;
    if (!is_new)
      continue;
    shown[n++] = order;
    add_triangle(result, panel, study, scheme, kind, order);
  }
}

seam_status orders_plot(const app_orders *study, const char *directory, seam_error *error) {
  plot result = {.what = "Errors over the macro step, with triangles of their orders.",
                 .title = {study->heading, study->details}};
  label_add(&result.title[2], "orders over all macro steps that count (over the three smallest of these)");
  plot_start(&result, study->n_kinds);
  for (size_t kind = 0; kind < result.n_panels; kind++)
    fill_panel(&result, &result.panels[kind], study, kind);
  const seam_status status = plot_draw(&result, directory, "converge", PLOT_ALL, error);
  plot_free(&result);
  return status;
}
