#include "app/plots/map_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/plots/label.h"
#include "app/plots/picture.h"
#include "app/plots/region.h"

typedef struct map_picture {
  const map_panel *panels; /* (n_panels) */
  region *regions;         /* (n_panels) */
  int n_panels, n_columns;
  bool with_rho;
} map_picture;

/* ---- Regions ---- */

/* The border runs where the verdict changes, ρ = 1 + 1e-10; in logarithms, for ρ spans many decades. */
static const double border = 4.342944818815513e-11;

/* Geometric axes are drawn in logarithms. */
static double place(const seam_map_axis *axis, double value) { return axis->is_geometric ? log10(value) : value; }

/* Not positive where the point is stable: the verdict counts, and with it whatever decided it. */
static double height(const seam_map_point *point) {
  const double log_rho = log10(fmax(point->found.rho, 1e-9)) - border;
  if (point->verdict == SEAM_STABLE)
    return isnan(log_rho) ? -border : fmin(log_rho, 0);
  return isnan(log_rho) ? INFINITY : fmax(log_rho, border);
}

static seam_status find_region(const map_panel *panel, region *found, seam_error *error) {
  const size_t n_x = panel->map.x.count;
  const size_t n_y = panel->map.y.count;
  double *numbers = malloc((n_x + n_y + n_x * n_y) * sizeof *numbers);
  if (numbers == NULL)
    return out_of_memory(error);
  double *x = numbers;
  double *y = x + n_x;
  double *f = y + n_y;
  for (size_t i = 0; i < n_x; i++)
    x[i] = place(&panel->map.x, panel->points[i].x);
  for (size_t j = 0; j < n_y; j++)
    y[j] = place(&panel->map.y, panel->points[j * n_x].y);
  for (size_t i = 0; i < n_x * n_y; i++)
    f[i] = height(&panel->points[i]);
  const seam_status status = region_find(x, n_x, y, n_y, f, found, error);
  free(numbers);
  return status;
}

/* ---- Data blocks ---- */

/* Loops between two blank lines. */
static void write_region(FILE *script, const region *of, int i) {
  fprintf(script, "$region%d << END\n", i);
  for (const region_loop *loop = of->loops; loop < of->loops + of->n_loops; loop++) {
    for (size_t k = loop->first; k <= loop->end; k++) {
      const size_t at = k < loop->end ? k : loop->first;
      fprintf(script, "%.9g %.9g\n", of->x[at], of->y[at]);
    }
    fputs("\n\n", script);
  }
  fputs("END\n", script);
}

/* Lines between blank lines: loops without what runs along the sides of the map. */
static void write_limit(FILE *script, const region *of, int i) {
  fprintf(script, "$limit%d << END\n", i);
  for (const region_loop *loop = of->loops; loop < of->loops + of->n_loops; loop++)
    for (size_t k = loop->first; k < loop->end; k++) {
      const size_t next = k + 1 < loop->end ? k + 1 : loop->first;
      const size_t before = k > loop->first ? k - 1 : loop->end - 1;
      if (of->is_border[k])
        continue;
      if (k == loop->first || of->is_border[before])
        fprintf(script, "\n%.9g %.9g\n", of->x[k], of->y[k]);
      fprintf(script, "%.9g %.9g\n", of->x[next], of->y[next]);
    }
  fputs("END\n", script);
}

/* A colour for each loop: holes are blank. */
static void write_colours(FILE *script, const region *of, int i) {
  fprintf(script, "colours%d = \"", i);
  for (size_t k = 0; k < of->n_loops; k++)
    fputs(of->loops[k].area > 0 ? "#c6e2f5 " : "#ffffff ", script);
  fputs("\"\n", script);
}

/* Columns: x, y, ρ, verdict. */
static void write_points(FILE *script, const map_panel *panel, int i, bool with_rho) {
  const size_t n = panel->map.x.count * panel->map.y.count;
  fprintf(script, "$points%d << END\n", i);
  for (const seam_map_point *point = panel->points; point < panel->points + n; point++)
    if (with_rho || point->verdict == SEAM_UNDECIDED)
      fprintf(script, "%.9g %.9g %.9g %d\n", place(&panel->map.x, point->x), place(&panel->map.y, point->y),
              point->found.rho, (int)point->verdict);
  fputs("END\n", script);
}

/* From there on colours are those of unstable points: a few of the 256 shades that some terminals have, above 1. */
static const double least_unstable = 1.02;

static void define(FILE *script, const void *data) {
  const map_picture *self = data;
  for (int i = 0; i < self->n_panels; i++) {
    write_region(script, &self->regions[i], i);
    write_colours(script, &self->regions[i], i);
    write_limit(script, &self->regions[i], i);
    write_points(script, &self->panels[i], i, self->with_rho);
  }
  fprintf(script,
          "# The verdict gives the colour: rho just above 1 is not drawn as stable.\n"
          "shade(rho, verdict) = verdict == %d ? (rho < 1 ? rho : 1) : verdict == %d ? (rho > %g ? rho : %g) : NaN\n"
          "set palette defined (0 '#08306b', 1 '#c6e2f5', %g '#fdd49e', 2 '#993404')\nset cbrange [0:2]\n"
          "set cblabel '{/:Italic ρ}'\nset cbtics ('0' 0, '0.5' 0.5, '1' 1, '1.5' 1.5, '≥ 2' 2)\n",
          SEAM_STABLE, SEAM_UNSTABLE, least_unstable, least_unstable, least_unstable);
}

/* ---- Text ---- */

static size_t count_undecided(const map_panel *panel) { return map_panel_count(panel, true).of[SEAM_UNDECIDED]; }

/* The symbol; returns the unit. */
static const char *add_parameter(label *to, const char *name) {
  static const struct {
    const char *name, *symbol, *unit;
  } symbols[] = {{"lambda-r", "{/:Italic Λ}_r", ""},       {"lambda-i", "{/:Italic Λ}_i", ""},
                 {"alpha-m21", "{/:Italic α}_{m21}", ""},  {"alpha-r21", "{/:Italic α}_{Λr21}", ""},
                 {"alpha-i21", "{/:Italic α}_{Λi21}", ""}, {"alpha-rc1", "{/:Italic α}_{Λrc1}", ""},
                 {"alpha-ic1", "{/:Italic α}_{Λic1}", ""}, {"ck", "{/:Italic c}_k", "N/m"},
                 {"dk", "{/:Italic d}_k", "N s/m"},        {"macro-step", "{/:Italic H}", "s"}};
  for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
    if (strcmp(symbols[i].name, name) == 0) {
      label_add_enhanced(to, symbols[i].symbol);
      return symbols[i].unit;
    }
  label_add(to, name);
  return "";
}

static void add_value(label *to, const map_panel *panel, int parameter) {
  label_add(to, to->text[0] != '\0' ? ",  " : "");
  const char *unit = add_parameter(to, seam_map_parameter_name(panel->map.model, parameter));
  label_add(to, " = ");
  label_add_number(to, panel->map.value[parameter]);
  label_add(to, *unit != '\0' ? " " : "");
  label_add(to, unit);
}

static bool is_axis(const seam_map *map, int parameter) {
  return parameter == map->x.parameter || parameter == map->y.parameter;
}

/* What all panels have but where they say something else. */
static label common_values(const map_picture *self) {
  const map_panel *first = self->panels;
  label text = {""};
  for (int i = 0; seam_map_parameter_name(first->map.model, i) != NULL; i++)
    if (!is_axis(&first->map, i))
      add_value(&text, first, i);
  return text;
}

static label other_values(const map_picture *self, const map_panel *panel) {
  label text = {""};
  for (int i = 0; seam_map_parameter_name(panel->map.model, i) != NULL; i++)
    if (!is_axis(&panel->map, i) && panel->map.value[i] != self->panels->map.value[i])
      add_value(&text, panel, i);
  return text;
}

static void write_heading(FILE *script, const map_picture *self, double height) {
  label lines[PICTURE_MAX_LINES] = {{"Stability of the "}, common_values(self), {""}};
  size_t n_undecided = 0;
  for (int i = 0; i < self->n_panels; i++)
    n_undecided += count_undecided(&self->panels[i]);
  label_add(&lines[0], self->panels->map.model);
  label_add(&lines[0], " test model");
  label_add(&lines[0], self->n_panels == 1 ? ", " : "");
  label_add(&lines[0], self->n_panels == 1 ? self->panels->scheme : "");
  label_add_enhanced(&lines[2], self->with_rho ? "line: {/:Italic ρ} = 1" : "filled: stable;  line: {/:Italic ρ} = 1");
  label_add(&lines[2], n_undecided > 0 ? ";  circles: undecided" : "");
  picture_write_heading(script, lines, height);
}

/* ---- Sizes, cm ---- */

static const double left = 1.9, right = 0.5, right_with_rho = 2.2, bottom = 1.5, top = 2, gap = 0.7;

static double right_side(const map_picture *self) { return self->with_rho ? right_with_rho : right; }

static double panel_width(const map_picture *self) {
  return self->n_panels == 1 ? 10 : self->n_columns == 1 ? 8 : self->n_columns == 2 ? 6.6 : 4.4;
}

static double panel_height(const map_picture *self) { return self->n_panels == 1 ? 7.5 : 0.8 * panel_width(self); }

/* Above a panel. */
static double title_height(const map_picture *self) {
  bool has_others = false;
  for (int i = 0; i < self->n_panels; i++)
    has_others = has_others || other_values(self, &self->panels[i]).text[0] != '\0';
  return self->n_panels == 1 ? 0 : has_others ? 1.25 : 0.8;
}

static int n_rows(const map_picture *self) { return (self->n_panels + self->n_columns - 1) / self->n_columns; }

static double width_of(const map_picture *self) {
  return left + self->n_columns * panel_width(self) + (self->n_columns - 1) * gap + right_side(self);
}

static double height_of(const map_picture *self) {
  return top + n_rows(self) * (panel_height(self) + title_height(self)) + bottom;
}

/* ---- Panels ---- */

static void write_panel_title(FILE *script, const map_picture *self, const map_panel *panel) {
  label scheme = {""};
  const label others = other_values(self, panel);
  label_add(&scheme, self->n_panels > 1 ? panel->scheme : "");
  fputs("set title ", script);
  label_quote(script, scheme.text);
  if (others.text[0] != '\0') {
    fputs(".\"\\n\".", script);
    label_quote(script, others.text);
  }
  fputs(" offset 0,-0.6 font ',8'\n", script);
}

static void write_axis(FILE *script, char name, const map_panel *panel, const seam_map_axis *axis, bool is_outside) {
  label text = {""};
  if (is_outside)
    label_add_unit(&text, add_parameter(&text, seam_map_parameter_name(panel->map.model, axis->parameter)));
  fprintf(script, "set %clabel ", name);
  label_quote(script, text.text);
  fprintf(script, "\nset %crange [%.9g:%.9g]\nset format %c '%s'\n", name, place(axis, axis->from),
          place(axis, axis->to), name,
          !is_outside          ? ""
          : axis->is_geometric ? "10^{%g}"
                               : "%g");
}

static bool has_limit(const region *of) {
  for (size_t k = 0; k < of->n_points; k++)
    if (!of->is_border[k])
      return true;
  return false;
}

static void write_plot(FILE *script, const map_picture *self, int i) {
  const region *found = &self->regions[i];
  fputs("plot NaN", script);
  if (self->with_rho)
    fprintf(script, ", \\\n  $points%d using 1:2:(shade($3, $4)) with image", i);
  else if (found->n_loops > 0)
    fprintf(script,
            ", \\\n  for [k=0:%zu] $region%d index k using 1:2 with filledcurves closed fillcolor rgb word(colours%d, "
            "k + 1)",
            found->n_loops - 1, i, i);
  if (has_limit(found))
    fprintf(script, ", \\\n  $limit%d using 1:2 with lines linewidth 1.2 dashtype 1 linecolor rgb 'black'", i);
  if (count_undecided(&self->panels[i]) > 0)
    fprintf(script,
            ", \\\n  $points%d using 1:($4 == %d ? $2 : NaN) with points pointtype 6 pointsize 0.4 linewidth 1 "
            "linecolor rgb '#d55e00'",
            i, SEAM_UNDECIDED);
  fputs("\n", script);
}

static void draw(FILE *script, const void *data) {
  const map_picture *self = data;
  const double width = width_of(self);
  const double height = height_of(self);
  fprintf(script, "set multiplot layout %d,%d margins %.4f,%.4f,%.4f,%.4f spacing %.4f,%.4f", n_rows(self),
          self->n_columns, left / width, 1 - right_side(self) / width, bottom / height,
          1 - (top + title_height(self)) / height, gap / width, title_height(self) / height);
  fputs("\n", script);
  write_heading(script, self, height);
  fprintf(script,
          "\nset key off\nunset grid\nset tics front\nset border 15 front\nset colorbox user origin screen %.4f,%.4f "
          "size screen %.4f,%.4f\n",
          1 - 1.7 / width, bottom / height, 0.35 / width, fmin(6, panel_height(self)) / height);
  for (int i = 0; i < self->n_panels; i++) {
    const map_panel *panel = &self->panels[i];
    write_panel_title(script, self, panel);
    write_axis(script, 'x', panel, &panel->map.x, i + self->n_columns >= self->n_panels);
    write_axis(script, 'y', panel, &panel->map.y, i % self->n_columns == 0);
    write_plot(script, self, i);
    picture_end_heading(script);
  }
  fputs("unset multiplot\n", script);
}

seam_status map_plot(const map_panel *panels, int n_panels, int n_columns, bool with_rho, const char *directory,
                     const char *name, seam_error *error) {
  map_picture self = {.panels = panels, .n_panels = n_panels, .n_columns = n_columns, .with_rho = with_rho};
  self.regions = calloc((size_t)n_panels, sizeof *self.regions);
  seam_status status = self.regions != NULL ? SEAM_OK : out_of_memory(error);
  for (int i = 0; i < n_panels && status == SEAM_OK; i++)
    status = find_region(&panels[i], &self.regions[i], error);
  const picture made = {.directory = directory,
                        .name = name,
                        .what = "A stability map: regions, limits and points of each panel.",
                        .width = width_of(&self),
                        .height = height_of(&self),
                        .formats = PICTURE_ALL,
                        .define = define,
                        .draw = draw,
                        .data = &self};
  if (status == SEAM_OK)
    status = picture_make(&made, error);
  for (int i = 0; i < n_panels && self.regions != NULL; i++)
    region_free(&self.regions[i]);
  free(self.regions);
  return status;
}
