/* `seam stability map`: the spectral radius of a textbook model on a grid of two parameters. Each scheme has a panel
 * for each --row of parameter values: a map with its file and its place in the picture. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/options.h"
#include "app/plots/plot.h"
#include "app/progress.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "app/thresholds.h"
#include "base/number.h"
#include "base/then.h"

/* ---- Options of all panels ---- */

static const double max_points = 1e7;

static seam_status read_axis(const app_options *parsed, const char *option, const char *model, seam_map_axis *axis,
                             seam_error *error) {
  const char *text = options_value(parsed, option);
  char name[OPTIONS_MAX_NAME];
  if (text == NULL)
    return SEAM_OK;
  const size_t length = strcspn(text, "=");
  const char *spacing =
      text[length] == '=' ? range_read(text + length + 1, &axis->from, &axis->to, &axis->count) : NULL;
  snprintf(name, sizeof name, "%.*s", (int)length, text);
  axis->is_geometric = spacing != NULL && strcmp(spacing, ":log") == 0;
  if (spacing == NULL || (*spacing != '\0' && !axis->is_geometric))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %s %s: write NAME=FROM:TO:COUNT, as in lambda-r=-2:0:41, or NAME=FROM:TO:COUNT:log", option,
                     text);
  return seam_map_parameter(model, name, &axis->parameter, error);
}

/* Reads NAME=NUMBER into the map; NAME must not be an axis. *tail: text after the number. */
static seam_status read_value(const char *option, const char *text, seam_map *map, const char **tail,
                              seam_error *error) {
  char name[OPTIONS_MAX_NAME];
  double number = 0;
  int parameter = 0;
  TRY(options_assignment(option, text, name, &number, tail, error));
  TRY(seam_map_parameter(map->model, name, &parameter, error));
  map->value[parameter] = number;
  if (parameter == map->x.parameter || parameter == map->y.parameter)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: %s %s: this is an axis of the map; leave it out, or give --x and --y other parameters",
                     option, text);
  return SEAM_OK;
}

static seam_status read_map(const app_options *parsed, seam_map *map, seam_error *error) {
  const char *model = options_value(parsed, "--model");
  if (model == NULL)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a model is needed; write --model constitutive, --model constraint or --model mbcorr");
  TRY(seam_map_default(model, map, error));
  TRY(read_axis(parsed, "--x", model, &map->x, error));
  TRY(read_axis(parsed, "--y", model, &map->y, error));
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    const char *tail = "";
    TRY(read_value("--set", parsed->overrides[i], map, &tail, error));
    if (*tail != '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "seam: --set %s: write one value, or --row for several",
                       parsed->overrides[i]);
  }
  TRY(options_number(parsed, "--accuracy", DBL_MIN, DBL_MAX, &map->accuracy, error));
  if ((double)map->x.count * (double)map->y.count > max_points)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: a map takes at most %g points, not %zu x %zu: give --x and --y fewer points", max_points,
                     map->x.count, map->y.count);
  map->threads = 0;
  return options_threads(parsed, &map->threads, error);
}

/* ---- A panel ---- */

typedef struct map_counts {
  size_t of[3]; /* number of points with each seam_verdict */
  size_t all;
  double nearest; /* least distance of an unstable point from the origin of the map; INFINITY: there is none */
} map_counts;

typedef struct map_panel {
  seam_map map;
  seam_map_point *points; /* (map.y.count x map.x.count) points, row by row */
  map_counts all, damped; /* counts of all points, and of those with damping */
  char scheme[64], title[160];
  app_progress *bar;
} map_panel;

static size_t n_points(const map_panel *panel) { return panel->map.x.count * panel->map.y.count; }

/* In a map of errors the words are "accurate" and "inaccurate". */
static const char *word_of(const map_panel *panel, seam_verdict verdict) {
  static const char *const of_errors[] = {[SEAM_STABLE] = "accurate", [SEAM_UNSTABLE] = "inaccurate"};
  return panel->map.accuracy > 0 && verdict != SEAM_UNDECIDED ? of_errors[verdict] : seam_verdict_text(verdict);
}

static bool show_progress(void *context, size_t done) {
  const map_panel *panel = context;
  progress_count(panel->bar, (double)done / (double)n_points(panel), done, "points");
  return !interrupt_poll();
}

/* Returns true if a point has no damping (lambda-r = 0). There rho is often 1, and its eigenvalue may be defective. */
static bool is_undamped(const seam_map *map, const seam_map_point *point) {
  return (point->x == 0 && strcmp(seam_map_parameter_name(map->model, map->x.parameter), "lambda-r") == 0) ||
         (point->y == 0 && strcmp(seam_map_parameter_name(map->model, map->y.parameter), "lambda-r") == 0);
}

/* Counts points by verdict. with_undamped false: leaves out undamped points. */
static map_counts count_points(const map_panel *panel, bool with_undamped) {
  map_counts counts = {.nearest = INFINITY};
  for (const seam_map_point *point = panel->points; point < panel->points + n_points(panel); point++) {
    if (!with_undamped && is_undamped(&panel->map, point))
      continue;
    counts.all++;
    counts.of[point->verdict]++;
    if (point->verdict == SEAM_UNSTABLE)
      counts.nearest = fmin(counts.nearest, hypot(point->x, point->y));
  }
  return counts;
}

/* Writes a row for each point; `rho` is nan if the scheme is undefined there. SEAM_NO_FILE. */
static seam_status write_panel(const map_panel *panel, const char *directory, const char *name, seam_error *error) {
  const seam_map *map = &panel->map;
  const seam_map_point *end = panel->points + n_points(panel);
  output_file out = {.path = NULL};
  TRY(output_begin(&out, directory, name, error));
  const double unit = map->accuracy > 0 ? map->accuracy : 1;
  fprintf(out.file, "%s,%s,%s,uncertainty,verdict\n", seam_map_parameter_name(map->model, map->x.parameter),
          seam_map_parameter_name(map->model, map->y.parameter), map->accuracy > 0 ? "error" : "rho");
  for (const seam_map_point *point = panel->points; point < end; point++) {
    const double numbers[] = {point->x, point->y, point->found.rho * unit};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      shortest_print(out.file, numbers[i]);
      fputc(',', out.file);
    }
    fprintf(out.file, "%.2g,%s\n", point->found.uncertainty, word_of(panel, point->verdict));
  }
  return output_end(&out, SEAM_OK, error);
}

/* Writes panels.csv, a row for each panel; the last three columns leave out undamped points. SEAM_NO_FILE. Columns:
 *
 *   panel, scheme                           number of the panel, from 1; its scheme
 *   NAME                                    each parameter of the model; empty if it is an axis
 *   points, stable, unstable, undecided     numbers of points; in a map of errors accurate, inaccurate
 *   damped_points, damped_stable            numbers of points, and of stable points
 *   nearest                                 least distance of an unstable point from the origin of the map */
static seam_status write_panels(const map_panel *panels, size_t n, const char *directory, seam_error *error) {
  output_file out = {.path = NULL};
  TRY(output_begin(&out, directory, "panels.csv", error));
  fputs("panel,scheme", out.file);
  for (int i = 0; seam_map_parameter_name(panels->map.model, i) != NULL; i++)
    fprintf(out.file, ",%s", seam_map_parameter_name(panels->map.model, i));
  fprintf(out.file, ",points,%s,%s,undecided,damped_points,damped_stable,nearest\n", word_of(panels, SEAM_STABLE),
          word_of(panels, SEAM_UNSTABLE));
  for (size_t i = 0; i < n; i++) {
    const seam_map *map = &panels[i].map;
    const map_counts *all = &panels[i].all;
    const map_counts *damped = &panels[i].damped;
    fprintf(out.file, "%zu,", i + 1);
    csv_write_text(out.file, panels[i].scheme);
    for (int j = 0; seam_map_parameter_name(map->model, j) != NULL; j++) {
      fputc(',', out.file);
      if (j != map->x.parameter && j != map->y.parameter)
        shortest_print(out.file, map->value[j]);
    }
    fprintf(out.file, ",%zu,%zu,%zu,%zu,%zu,%zu,", all->all, all->of[SEAM_STABLE], all->of[SEAM_UNSTABLE],
            all->of[SEAM_UNDECIDED], damped->all, damped->of[SEAM_STABLE]);
    if (isfinite(damped->nearest))
      shortest_print(out.file, damped->nearest);
    fputc('\n', out.file);
  }
  return output_end(&out, SEAM_OK, error);
}

/* Prints "stable 1637 of 1681, unstable 44, undecided 0". */
static void print_counts(const map_panel *panel, const char *of, const map_counts *n) {
  printf("%s%s %zu of %zu, %s %zu, undecided %zu", of, word_of(panel, SEAM_STABLE), n->of[SEAM_STABLE], n->all,
         word_of(panel, SEAM_UNSTABLE), n->of[SEAM_UNSTABLE], n->of[SEAM_UNDECIDED]);
}

/* Finds the points of a map, writes them into a file, and prints their counts. */
static seam_status make_map(map_panel *panel, const char *directory, const char *file, bool quiet, seam_error *error) {
  panel->map.scheme = panel->scheme;
  panel->points = calloc(n_points(panel) + 1, sizeof *panel->points);
  TRY(check_memory(panel->points != NULL, error));
  const seam_status status = seam_stability_map(&panel->map, panel->points, show_progress, panel, error);
  progress_clear(panel->bar);
  TRY(status);
  TRY(write_panel(panel, directory, file, error));
  panel->all = count_points(panel, true);
  panel->damped = count_points(panel, false);
  if (quiet)
    return SEAM_OK;
  printf("%s: ", panel->title);
  print_counts(panel, "", &panel->all);
  if (panel->damped.all < panel->all.all)
    print_counts(panel, "; without lambda-r = 0 ", &panel->damped);
  putchar('\n');
  return SEAM_OK;
}

/* ---- The picture ---- */

typedef enum map_style {
  MAP_REGIONS, /* filled stable region, its limit, undecided points */
  MAP_COLOURS, /* plane coloured by ρ, limit, undecided points */
  MAP_LINES    /* limits only; map i is drawn in panel i modulo n_columns */
} map_style;

static double coordinate(const seam_map_axis *axis, double value) { return axis->is_geometric ? log10(value) : value; }

static const seam_map_point *point_at(const map_panel *panel, size_t i, size_t j) {
  return &panel->points[j * panel->map.x.count + i];
}

/* log10 of the stability limit ρ = 1 + 1e-10. The height of a point is log10 ρ - log_limit. */
static const double log_limit = 4.342944818815513e-11;
static const double min_edge_share = 0.05; /* times an edge: least distance of the limit from either corner */

enum { N_CORNERS = 4 };

typedef struct corner {
  double x, y, height; /* height: positive if and only if the point is not stable */
} corner;

static corner corner_of(const map_panel *panel, size_t i, size_t j) {
  const seam_map_point *point = point_at(panel, i, j);
  const double log_rho = log10(fmax(point->found.rho, app_least_drawn_rho)) - log_limit;
  const bool is_stable = point->verdict == SEAM_STABLE;
  const double height = isnan(log_rho) ? INFINITY : log_rho;
  return (corner){coordinate(&panel->map.x, point->x), coordinate(&panel->map.y, point->y),
                  is_stable ? fmin(height, 0) : fmax(height, log_limit)};
}

/* Adds a cell of the grid, on a path around its corners. `inside` gets the polygon of the stable part: stable corners,
 * and points where the limit crosses edges. `lines` gets the limit: straight lines from where the path leaves the
 * stable part to where it enters it again. */
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

#define FRAME "unset grid\nset tics front\nset border 15 front\n"
static const char frame[] = FRAME;
static const char palette[] = FRAME "set palette defined (0 '#08306b', 1 '#c6e2f5', 1.02 '#fdd49e', 2 '#993404')\n"
                                    "set cbtics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '≥ 2' 2)\n";

/* Adds the points, coloured by ρ, or only the undecided ones as circles. Some terminals of gnuplot have 256 shades: a
 * gap of a few shades, from 1 to least_unstable, makes ρ just above 1 visible. */
static void add_points(plot *result, plot_panel *to, const map_panel *panel, plot_kind kind) {
  const double least_unstable = 1.02;
  plot_layer *layer = plot_add(result, to, kind);
  for (const seam_map_point *point = panel->points; point < panel->points + n_points(panel); point++) {
    const double shade = point->verdict == SEAM_STABLE     ? fmin(point->found.rho, 1)
                         : point->verdict == SEAM_UNSTABLE ? fmax(point->found.rho, least_unstable)
                                                           : NAN;
    const double row[] = {coordinate(&panel->map.x, point->x), coordinate(&panel->map.y, point->y), shade};
    if (kind == PLOT_IMAGE || point->verdict == SEAM_UNDECIDED)
      plot_put(result, layer, row);
  }
}

/* Appends the symbol of a parameter, or its name without one. Returns its unit. */
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

/* Appends the parameters of a panel that are not its axes. Leaves out values that panel `other` has too; `other` may be
 * NULL. */
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
  if (style == MAP_LINES) { /* two points outside the axes: a map without a visible limit is in the legend, too */
    const double beyond[] = {to->x.from - (to->x.to - to->x.from), to->y.from};
    if (to == &result->panels[result->n_panels - 1])
      add_values(&lines->title, panel, NULL);
    for (int i = 0; i < 2; i++)
      plot_put(result, lines, beyond);
    plot_point(result, lines, NAN, NAN);
  }
  for (size_t j = 0; j + 1 < panel->map.y.count; j++)
    for (size_t i = 0; i + 1 < panel->map.x.count; i++) {
      size_t end = i + 1; /* stable cells side by side are drawn as one */
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

/* Writes map.gp, from which gnuplot draws the panels, n_columns side by side. All maps have the same axes. A drawn
 * region contains all stable points and no others. Errors of plot_draw(). */
static seam_status draw_maps(const map_panel *panels, size_t n_maps, size_t n_columns, map_style style,
                             const char *directory, seam_error *error) {
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
    n_undecided += panels[i].all.of[SEAM_UNDECIDED];
  label_print(&lines[0], "%s of the %s test model%s%s", of_errors ? "Accuracy" : "Stability", panels->map.model,
              n_panels == 1 ? ", " : "", n_panels == 1 ? panels->scheme : "");
  if (style != MAP_LINES)
    add_values(&lines[1], panels, NULL);
  if (style == MAP_REGIONS)
    label_print(&lines[2], "filled: %s;  ", word_of(panels, SEAM_STABLE));
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
  const seam_status status = plot_draw(&result, directory, "map", PLOT_ALL, error);
  plot_free(&result);
  return status;
}

/* ---- The command ---- */

/* Computes, writes and draws n maps, and frees their points. A single map is written as map.csv, several as
 * panel-01.csv, ... */
static seam_status make_maps(const app_options *parsed, map_panel *panels, size_t n, size_t n_columns,
                             seam_error *error) {
  const map_style style = options_flag(parsed, "--rho")        ? MAP_COLOURS
                          : options_flag(parsed, "--together") ? MAP_LINES
                                                               : MAP_REGIONS;
  const char *given = options_value(parsed, "-o");
  const char *directory = given != NULL ? given : "results/map";
  const bool quiet = options_flag(parsed, "--quiet");
  app_progress bar = progress_start(quiet);
  interrupt_catch();
  seam_status status = output_make_directory(directory, error);
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    char file[32] = "map.csv";
    if (n > 1)
      snprintf(file, sizeof file, "panel-%02zu.csv", i + 1);
    progress_phase(&bar, panels[i].scheme, 1, (double)(n - 1 - i));
    panels[i].bar = &bar;
    status = make_map(&panels[i], directory, file, quiet, error);
  }
  THEN(status, write_panels(panels, n, directory, error));
  THEN(status, draw_maps(panels, n, n_columns, style, directory, error));
  for (size_t i = 0; i < n; i++)
    free(panels[i].points);
  return status;
}

static seam_status draw_panels(const app_options *parsed, const seam_map *map, const app_schemes *schemes,
                               seam_error *error) {
  double columns = (double)schemes->n;
  size_t n_rows = 0;
  while (options_nth(parsed, "--row", n_rows) != NULL)
    n_rows++;
  const size_t n = (n_rows > 0 ? n_rows : 1) * schemes->n;
  if (options_flag(parsed, "--together") && (options_flag(parsed, "--rho") || options_value(parsed, "--columns")))
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: --together draws one picture for each scheme, of lines only: leave out --rho and --columns");
  map_panel *panels = calloc(n, sizeof *panels);
  seam_status status = check_memory(panels != NULL, error);
  THEN(status, options_number(parsed, "--columns", 1, 100, &columns, error));
  for (size_t i = 0; i < n && status == SEAM_OK; i++) {
    const char *scheme = schemes->names[i % schemes->n];
    const char *row = options_nth(parsed, "--row", i / schemes->n);
    map_panel *panel = &panels[i];
    panel->map = *map;
    if (strlen(scheme) >= sizeof panel->scheme)
      status =
          seam_fail(error, SEAM_BAD_INPUT, "seam: the name of the scheme is longer than %zu characters; shorten it",
                    sizeof panel->scheme - 1);
    snprintf(panel->scheme, sizeof panel->scheme, "%s", scheme);
    snprintf(panel->title, sizeof panel->title, "%s%s%.90s", scheme, row != NULL ? "  " : "", row != NULL ? row : "");
    for (const char *tail = row; tail != NULL && *tail != '\0' && status == SEAM_OK; tail += *tail == ',')
      status = read_value("--row", tail, &panel->map, &tail, error);
  }
  THEN(status, make_maps(parsed, panels, n, (size_t)columns, error));
  free(panels);
  return status;
}

static int run(const app_options *parsed, seam_error *error) {
  const char *list = schemes_given(parsed);
  seam_map map;
  app_schemes schemes = {0};
  if (list == NULL)
    return seam_status_exit(seam_fail(
        error, SEAM_BAD_INPUT,
        "seam: a scheme is needed; write --scheme NAME, such as --scheme ff-k1, or hold1-corrected for mbcorr"));
  seam_status status = schemes_split(list, &schemes, error);
  THEN(status, read_map(parsed, &map, error));
  THEN(status, draw_panels(parsed, &map, &schemes, error));
  schemes_free(&schemes);
  return seam_status_exit(status);
}

static const app_option table[] = {
    OPTION_TEXTBOOK_MODEL,
    {"--scheme", "NAME", .help = "such as ff-k1, ff-index2-k2; of mbcorr hold0 to hold4-corrected",
     .words = "@schemes"},
    {"--schemes", "LIST", .help = "NAME,NAME,..., a panel each", .words = "@schemes"},
    {"--row", "NAME=VALUE,...", .help = "a row of panels with these values; repeatable"},
    {"--together", .help = "draw the limits of all rows as lines of one picture for each scheme"},
    {"--accuracy", "LIMIT",
     .help = "of mbcorr: the region in which the global error is at most this, in place of stability"},
    {"--columns", "N", .help = "panels side by side; default: one for each scheme"},
    {"--x", "NAME=FROM:TO:COUNT[:log]", .help = "to the right; default lambda-r=-2:0:41, for mbcorr ck=1:1e10:41:log"},
    {"--y", "NAME=FROM:TO:COUNT[:log]", .help = "upwards; default lambda-i=0:10:41, for mbcorr dk=1:1e7:41:log"},
    {"--set", "NAME=VALUE", .help = "another parameter (alpha-m21, alpha-r21, ...; default 1); repeatable",
     .override_key = ""},
    {"-o", "DIR", .help = "write the results there; default: results/map"},
    {"--rho", .help = "colour the picture by rho"},
    {"--threads", "N", .help = "threads; default: one for each processor"},
    OPTION_QUIET,
    OPTION_HELP,
    {0}};

const app_command stability_map_command = {
    .name = "map",
    .group = "stability ",
    .summary = "rho over a grid of two parameters, with a picture",
    .operands = "--model NAME --scheme NAME",
    .details =
        "Finds the spectral radius of a scheme over a grid of any two parameters of a textbook model: DIR/map.csv\n"
        "and a picture (gnuplot). Several schemes, or rows of values, are panels of one picture: DIR/panel-NN.csv.\n"
        "DIR/panels.csv counts the points of each.\n"
        "\n"
        "  seam stability map --model constitutive --scheme ff-k1 --x alpha-m21=1:20:39 --set lambda-r=-0.1\n"
        "  seam stability map --model constitutive --schemes ff-k1,ff-d-k1 --row alpha-m21=1 --row alpha-m21=10",
    .options = table,
    .run = run,
};
