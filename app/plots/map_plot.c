#include "app/plots/map_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plots/plot.h"

static double coordinate(const seam_map_axis *axis, double value) { return axis->is_geometric ? log10(value) : value; }

static const seam_map_point *point_at(const map_panel *panel, size_t i, size_t j) {
  return &panel->points[j * panel->map.x.count + i];
}

/* The stability limit ρ = 1 + 1e-10, as log10 ρ. The height of a point is log10 ρ minus log_limit; logarithms are used
 * because ρ spans many decades. */
static const double log_limit = 4.342944818815513e-11;
static const double min_edge_share = 0.05; /* of the length of an edge: least distance of the limit from its ends */

enum { N_CORNERS = 4 };

typedef struct corner {
  double x, y, height; /* height: log10 ρ minus the limit; positive if and only if the point is not stable */
} corner;

static corner corner_of(const map_panel *panel, size_t i, size_t j) {
  const seam_map_point *point = point_at(panel, i, j);
  const double log_rho = log10(fmax(point->found.rho, 1e-9)) - log_limit;
  const bool is_stable = point->verdict == SEAM_STABLE;
  const double height = isnan(log_rho) ? INFINITY : log_rho;
  return (corner){coordinate(&panel->map.x, point->x), coordinate(&panel->map.y, point->y),
                  is_stable ? fmin(height, 0) : fmax(height, log_limit)};
}

/* Adds one cell of the grid to the picture, on a path around its corners. `inside` gets the polygon of the stable part:
 * stable corners, and points where the stability limit crosses edges. `lines` gets the limit as straight lines, each
 * from a point where the path leaves the stable part to the next point where the path enters it. */
static void add_cell(plot *result, plot_layer *inside, plot_layer *lines, const corner c[N_CORNERS]) {
  int first = 0;
  corner left = {0};
  while (first < N_CORNERS && !(c[first].height <= 0))
    first++;
  if (first == N_CORNERS)
    return;
  for (int k = first; k < first + N_CORNERS; k++) {
    const corner here = c[k % N_CORNERS];
    const corner next = c[(k + 1) % N_CORNERS];
    const bool is_inside = here.height <= 0;
    if (is_inside)
      plot_point(result, inside, here.x, here.y);
    if (is_inside == (next.height <= 0))
      continue;
    const double share =
        isfinite(here.height) && isfinite(next.height) ? here.height / (here.height - next.height) : 0.5;
    const double s = fmin(fmax(share, min_edge_share), 1 - min_edge_share);
    const corner at = {here.x + s * (next.x - here.x), here.y + s * (next.y - here.y), 0};
    plot_point(result, inside, at.x, at.y);
    if (!is_inside) {
      plot_point(result, lines, left.x, left.y);
      plot_point(result, lines, at.x, at.y);
      plot_point(result, lines, NAN, NAN);
    }
    left = at;
  }
  plot_point(result, inside, c[first].x, c[first].y);
  plot_point(result, inside, NAN, NAN);
}

static bool is_cell_stable(const map_panel *panel, size_t i, size_t j) {
  return point_at(panel, i, j)->verdict == SEAM_STABLE && point_at(panel, i + 1, j)->verdict == SEAM_STABLE &&
         point_at(panel, i, j + 1)->verdict == SEAM_STABLE && point_at(panel, i + 1, j + 1)->verdict == SEAM_STABLE;
}

/* Returns the value that gives the colour: min(ρ, 1) for stable points, max(ρ, least_unstable) for unstable ones, NaN
 * for undecided ones. The gap from 1 to least_unstable covers a few of the 256 shades that some terminals of gnuplot
 * have, so that ρ just above 1 is visible. */
static double shade(const seam_map_point *point) {
  static const double least_unstable = 1.02;
  return point->verdict == SEAM_STABLE     ? fmin(point->found.rho, 1)
         : point->verdict == SEAM_UNSTABLE ? fmax(point->found.rho, least_unstable)
                                           : NAN;
}

#define FRAME "unset grid\nset tics front\nset border 15 front\n"
static const char frame[] = FRAME;
static const char palette[] = FRAME "set palette defined (0 '#08306b', 1 '#c6e2f5', 1.02 '#fdd49e', 2 '#993404')\n"
                                    "set cbtics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '≥ 2' 2)\n";

static void add_points(plot *result, plot_panel *to, const map_panel *panel, plot_kind kind) {
  const size_t n = panel->map.x.count * panel->map.y.count;
  plot_layer *layer = plot_add(result, to, kind);
  for (const seam_map_point *point = panel->points; point < panel->points + n; point++) {
    const double row[] = {coordinate(&panel->map.x, point->x), coordinate(&panel->map.y, point->y), shade(point)};
    if (kind == PLOT_IMAGE || point->verdict == SEAM_UNDECIDED)
      plot_put(result, layer, row);
  }
}

/* Appends the symbol of a parameter, or its name if it has no symbol. Returns its unit. */
static const char *add_parameter(label *to, const char *name) {
  static const struct {
    const char *name, *symbol, *unit;
  } symbols[] = {{"lambda-r", "{/:Italic Λ}_r", ""},       {"lambda-i", "{/:Italic Λ}_i", ""},
                 {"alpha-m21", "{/:Italic α}_{m21}", ""},  {"alpha-r21", "{/:Italic α}_{Λr21}", ""},
                 {"alpha-i21", "{/:Italic α}_{Λi21}", ""}, {"alpha-rc1", "{/:Italic α}_{Λrc1}", ""},
                 {"alpha-ic1", "{/:Italic α}_{Λic1}", ""}, {"ck", "{/:Italic c}_k", "N/m"},
                 {"dk", "{/:Italic d}_k", "N s/m"},        {"macro-step", "{/:Italic H}", "s"},
                 {"m1", "{/:Italic m}_1", "kg"},           {"m2", "{/:Italic m}_2", "kg"},
                 {"c1", "{/:Italic c}_1", "N/m"},          {"c2", "{/:Italic c}_2", "N/m"},
                 {"d1", "{/:Italic d}_1", "N s/m"},        {"d2", "{/:Italic d}_2", "N s/m"},
                 {"cc", "{/:Italic c}_c", "N/m"},          {"dc", "{/:Italic d}_c", "N s/m"}};
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strcmp(symbols[i].name, name) == 0) {
      label_add_enhanced(to, symbols[i].symbol);
      return symbols[i].unit;
    }
  label_add(to, name);
  return "";
}

/* Appends the values of the parameters of a panel that are not on its axes. If `other` is not NULL, leaves out values
 * that are equal in the panel `other`. */
static void add_values(label *to, const map_panel *panel, const map_panel *other) {
  const seam_map *map = &panel->map;
  for (int i = 0; seam_map_parameter_name(map->model, i) != NULL; i++)
    if (i != map->x.parameter && i != map->y.parameter && (other == NULL || map->value[i] != other->map.value[i])) {
      label_add(to, to->text[0] != '\0' ? ",  " : "");
      const char *unit = add_parameter(to, seam_map_parameter_name(map->model, i));
      label_add(to, " = ");
      label_add_number(to, map->value[i]);
      label_print(to, "%s%s", *unit != '\0' ? " " : "", unit);
    }
}

static plot_axis axis_of(const map_panel *panel, const seam_map_axis *axis) {
  plot_axis result = {
      .is_exponent = axis->is_geometric, .from = coordinate(axis, axis->from), .to = coordinate(axis, axis->to)};
  label_add_unit(&result.text, add_parameter(&result.text, seam_map_parameter_name(panel->map.model, axis->parameter)));
  return result;
}

static void draw_panel(plot *result, plot_panel *to, const map_panel *panel, map_style style) {
  if (style == MAP_COLOURS) {
    to->colour = (plot_axis){.text = {"{/:Italic ρ}"}, .to = 2};
    add_points(result, to, panel, PLOT_IMAGE);
  }
  plot_layer *inside = style == MAP_REGIONS ? plot_add(result, to, PLOT_REGION) : NULL;
  plot_layer *lines = plot_add(result, to, style == MAP_LINES ? PLOT_LINES : PLOT_LIMIT);
  if (style == MAP_LINES) { /* the last panel has the legend; two points outside the axes give each curve an entry in
                               it, even if the curve is not visible */
    const double beyond[] = {to->x.from - (to->x.to - to->x.from), to->y.from};
    if (to == &result->panels[result->n_panels - 1])
      add_values(&lines->title, panel, NULL);
    for (int i = 0; i < 2; i++)
      plot_put(result, lines, beyond);
    plot_point(result, lines, NAN, NAN);
  }
  for (size_t j = 0; j + 1 < panel->map.y.count; j++)
    for (size_t i = 0; i + 1 < panel->map.x.count; i++) {
      size_t end = i + 1; /* cells side by side whose corners are all stable are drawn as one */
      while (is_cell_stable(panel, i, j) && end + 1 < panel->map.x.count && is_cell_stable(panel, end, j))
        end++;
      const corner corners[N_CORNERS] = {corner_of(panel, i, j), corner_of(panel, end, j), corner_of(panel, end, j + 1),
                                         corner_of(panel, i, j + 1)};
      add_cell(result, inside, lines, corners);
      i = end - 1;
    }
  if (style != MAP_LINES)
    add_points(result, to, panel, PLOT_CIRCLES);
}

seam_status map_plot(const map_panel *panels, size_t n_maps, size_t n_columns, map_style style, const char *directory,
                     const char *name, seam_error *error) {
  const size_t n_panels = style == MAP_LINES ? n_columns : n_maps;
  const double width = n_panels == 1 ? 10 : n_columns == 1 ? 8 : n_columns == 2 ? 6.6 : 4.4;
  plot result = {.what = "A stability map: regions, limits and points of each panel.",
                 .settings = style == MAP_COLOURS ? palette : frame,
                 .n_columns = n_columns,
                 .width = width,
                 .height = n_panels == 1 ? 7.5 : 0.8 * width};
  label *lines = result.title;
  const bool of_errors = panels->map.accuracy > 0;
  size_t n_undecided = 0;
  for (size_t i = 0; i < n_panels; i++)
    n_undecided += map_panel_count(&panels[i], true).of[SEAM_UNDECIDED];
  label_print(&lines[0], "%s of the %s test model%s%s", of_errors ? "Accuracy" : "Stability", panels->map.model,
              n_panels == 1 ? ", " : "", n_panels == 1 ? panels->scheme : "");
  if (style != MAP_LINES)
    add_values(&lines[1], panels, NULL);
  if (style == MAP_REGIONS)
    label_print(&lines[2], "filled: %s;  ", map_panel_word(panels, SEAM_STABLE));
  label_add_enhanced(&lines[2], of_errors ? "line: error = " : "line: {/:Italic ρ} = 1");
  if (of_errors)
    label_add_number(&lines[2], panels->map.accuracy);
  label_add(&lines[2], n_undecided > 0 && style != MAP_LINES ? ";  circles: undecided" : "");
  plot_start(&result, n_panels);
  for (size_t i = 0; i < result.n_panels; i++) {
    plot_panel *to = &result.panels[i];
    to->x = axis_of(&panels[i], &panels[i].map.x);
    to->y = axis_of(&panels[i], &panels[i].map.y);
    label_add(&to->title, n_panels > 1 ? panels[i].scheme : "");
    if (style != MAP_LINES)
      add_values(&to->subtitle, &panels[i], panels);
    for (size_t map = i; map < n_maps; map += n_panels)
      draw_panel(&result, to, &panels[map], style);
  }
  const seam_status status = plot_draw(&result, directory, name, PLOT_ALL, error);
  plot_free(&result);
  return status;
}
