/* One stability map, which is a panel of a picture: its computation and its file. */
#ifndef APP_PLOTS_MAP_PANEL_H
#define APP_PLOTS_MAP_PANEL_H

#include <seam/analysis.h>

#include "app/progress.h"

typedef struct map_panel {
  seam_map map;
  seam_map_point *points; /* (map.y.count x map.x.count) points, row by row */
  char scheme[64], title[160];
} map_panel;

typedef struct map_counts {
  size_t of[3]; /* number of points with each seam_verdict */
  size_t all;
  double nearest; /* least distance of an unstable point from the origin of the map; INFINITY: there is none */
} map_counts;

/* Returns the word for a verdict: "stable", "unstable" or "undecided". In a map of errors: "accurate", "inaccurate" or
 * "undecided". */
const char *map_panel_word(const map_panel *panel, seam_verdict verdict);

/* Sets map.scheme to the scheme of the panel, allocates and computes the points, and shows the progress. Call
 * map_panel_free() even after a failure. */
seam_status map_panel_find(map_panel *panel, app_progress *bar, seam_error *error);
void map_panel_free(map_panel *panel);

/* Counts the points by verdict: all points or, if `with_undamped` is false, all except those whose x or y is lambda-r =
 * 0. */
map_counts map_panel_count(const map_panel *panel, bool with_undamped);

/* Writes DIRECTORY/NAME with a row for each point: both parameters of the axes, `rho` (in a map of errors `error`),
 * `uncertainty`, and `verdict` by map_panel_word(). `rho` is nan if the scheme is undefined at the point.
 * SEAM_NO_FILE. */
seam_status map_panel_write(const map_panel *panel, const char *directory, const char *name, seam_error *error);

/* Writes DIRECTORY/panels.csv, a row for each panel. SEAM_NO_FILE. The last three columns leave out points with
 * lambda-r = 0, at which all dampers vanish. Columns:
 *
 *   panel, scheme                           number of the panel, from 1; its scheme
 *   NAME                                    each parameter of the model; empty if it is an axis
 *   points, stable, unstable, undecided     numbers of points; names in a map of errors: accurate, inaccurate
 *   damped_points, damped_stable            numbers of points, and of stable points
 *   nearest                                 least distance of an unstable point from the origin of the map */
seam_status map_panels_write(const map_panel *panels, size_t n, const char *directory, seam_error *error);

/* Prints title and numbers of points: "stable 1637 of 1681, unstable 44, undecided 0; without lambda-r = 0 stable
 * ...". */
void map_panel_print(const map_panel *panel);

#endif
