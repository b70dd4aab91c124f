#include "app/plots/map_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/failure.h"
#include "app/plots/gnuplot.h"
#include "app/results/output.h"

enum { width = 360, height = 300, heading = 30 }; /* of a panel, in points */

/* The border runs where the verdict changes, ρ = 1 + 1e-10; in logarithms, for ρ spans many decades. */
static const double border = 4.342944818815513e-11;

/* From there on colours are those of unstable points: a few of the 256 shades that some terminals have, above 1. */
static const double least_unstable = 1.02;

static bool has_border(const map_panel *panel) {
  const map_counts n = map_panel_count(panel);
  return n.of[SEAM_STABLE] > 0 && n.of[SEAM_UNSTABLE] > 0;
}

/* Geometric axes are drawn in logarithms. */
static double place(const seam_map_axis *axis, double value) { return axis->is_geometric ? log10(value) : value; }

/* Columns: x, y, log10 ρ, verdict; a blank line after each row of the grid. */
static void write_grid(FILE *file, const map_panel *panel, int i) {
  const seam_map_point *point = panel->points;
  fprintf(file, "$grid%d << END\n", i);
  for (size_t row = 0; row < panel->map.y.count; row++) {
    for (size_t column = 0; column < panel->map.x.count; column++, point++)
      fprintf(file, "%.9g %.9g %.9g %d\n", place(&panel->map.x, point->x), place(&panel->map.y, point->y),
              log10(fmax(point->found.rho, 1e-9)), (int)point->verdict);
    fputs("\n", file);
  }
  fputs("END\n", file);
  if (has_border(panel))
    fprintf(file, "set table $border%d\nsplot $grid%d using 1:2:3\nunset table\n", i, i);
}

/* A little wider than the axis, so that points on its ends are seen whole. */
static void write_range(FILE *file, const char *name, const seam_map_axis *axis) {
  const double from = place(axis, axis->from);
  const double to = place(axis, axis->to);
  const double margin = 0.02 * (to - from);
  fprintf(file, "set %srange [%.9g:%.9g]\n", name, from - margin, to + margin);
}

static void write_label(FILE *file, const char *name, const char *model, const seam_map_axis *axis) {
  fprintf(file, axis->is_geometric ? "set %slabel \"log10 %s\"\n" : "set %slabel \"%s\"\n", name,
          seam_map_parameter_name(model, axis->parameter));
}

static void write_panel(FILE *file, const map_panel *panel, int i, bool with_rho) {
  const seam_map *map = &panel->map;
  const map_counts n = map_panel_count(panel);
  fprintf(file, "set title \"%s\" noenhanced\n", panel->title);
  fputs(n.of[SEAM_UNDECIDED] > 0 ? "set key below samplen 1\n" : "set key off\n", file);
  write_label(file, "x", map->model, &map->x);
  write_label(file, "y", map->model, &map->y);
  write_range(file, "x", &map->x);
  write_range(file, "y", &map->y);
  fputs("plot \\\n", file);
  if (with_rho)
    fprintf(file, "  $grid%d using 1:2:(shade(10**$3, $4)) with image notitle, \\\n", i);
  if (n.of[SEAM_STABLE] > 0)
    fprintf(file, "  $grid%d using 1:($4 == %d ? $2 : NaN) with points ls 1 notitle, \\\n", i, SEAM_STABLE);
  if (n.of[SEAM_UNDECIDED] > 0)
    fprintf(file, "  $grid%d using 1:($4 == %d ? $2 : NaN) with points ls 2 title \"undecided\", \\\n", i,
            SEAM_UNDECIDED);
  if (has_border(panel))
    fprintf(file, "  $border%d using 1:2 with lines ls 3 notitle, \\\n", i);
  fputs("  NaN notitle\n", file);
}

/* The model; of a single panel the parameters that are not its axes too, for no other line shows them. */
static void write_heading(FILE *file, const map_panel *panels, int n_panels) {
  const seam_map *map = &panels[0].map;
  const char *name = NULL;
  int n = 1; /* names so far, three to a line */
  fprintf(file, " title \"%s", map->model);
  for (int i = 0; n_panels == 1 && (name = seam_map_parameter_name(map->model, i)) != NULL; i++)
    if (i != map->x.parameter && i != map->y.parameter)
      fprintf(file, "%s%s %g", n++ % 3 == 0 ? ",\\n" : ", ", name, map->value[i]);
  fputs("\" font \",8\" noenhanced\n", file);
}

static void write_picture(FILE *file, const map_panel *panels, int n_panels, int n_columns, bool with_rho,
                          const char *terminal, const char *name) {
  const int n_rows = (n_panels + n_columns - 1) / n_columns;
  fprintf(file, "set terminal %s size %d,%d\nset output \"%s\"\nset multiplot layout %d,%d", terminal,
          width * n_columns, height * n_rows + heading, name, n_rows, n_columns);
  write_heading(file, panels, n_panels);
  for (int i = 0; i < n_panels; i++)
    write_panel(file, &panels[i], i, with_rho);
  fputs("unset multiplot\nunset output\n", file);
}

static seam_status write_script(const map_panel *panels, int n_panels, int n_columns, bool with_rho, const char *path,
                                const char *name, seam_error *error) {
  char picture[128];
  FILE *file = NULL;
  const seam_status status = output_open(path, &file, error);
  if (status != SEAM_OK)
    return status;
  fprintf(file,
          "# Filled: stable. Open: undecided. Line: rho = 1.\n"
          "set contour base\nset cntrparam linear\nset cntrparam levels discrete %.17g\nunset surface\n",
          border);
  for (int i = 0; i < n_panels; i++)
    write_grid(file, &panels[i], i);
  fprintf(file,
          "# The verdict gives the colour: rho just above 1 is not drawn as stable.\n"
          "shade(rho, verdict) = verdict == %d ? (rho < 1 ? rho : 1) : verdict == %d ? (rho > %g ? rho : %g) : NaN\n",
          SEAM_STABLE, SEAM_UNSTABLE, least_unstable, least_unstable);
  fprintf(file,
          "unset contour\nset surface\nset tics out nomirror\n"
          "set style line 1 pt 7 ps 0.3 lc rgb '#1f4e79'\nset style line 2 pt 6 ps 0.5 lc rgb '#c00000'\n"
          "set style line 3 lw 1.5 lc rgb 'black'\n"
          "set palette defined (0 'white', 1 '#9ecae1', %g '#fdd0a2', 2 '#a63603')\nset cbrange [0:2]\n",
          least_unstable);
  snprintf(picture, sizeof picture, "%s.svg", name);
  write_picture(file, panels, n_panels, n_columns, with_rho, "svg background rgb 'white'", picture);
  snprintf(picture, sizeof picture, "%s.png", name);
  write_picture(file, panels, n_panels, n_columns, with_rho, "pngcairo", picture);
  const bool failed = ferror(file) != 0;
  return (fclose(file) != 0 || failed) ? output_failed(path, error) : SEAM_OK;
}

seam_status map_plot(const map_panel *panels, int n_panels, int n_columns, bool with_rho, const char *directory,
                     const char *name, seam_error *error) {
  char script[128];
  snprintf(script, sizeof script, "%s.gp", name);
  char *path = output_path(directory, script);
  if (path == NULL)
    return out_of_memory(error);
  const seam_status status = write_script(panels, n_panels, n_columns, with_rho, path, name, error);
  free(path);
  return status == SEAM_OK ? gnuplot_draw(directory, script, error) : status;
}
