#include "app/plots/map_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/interrupt.h"
#include "app/results/csv_text.h"
#include "app/results/output.h"
#include "base/number.h"

const char *map_panel_word(const map_panel *panel, seam_verdict verdict) {
  static const char *const of_errors[] = {[SEAM_STABLE] = "accurate", [SEAM_UNSTABLE] = "inaccurate"};
  return panel->map.accuracy > 0 && verdict != SEAM_UNDECIDED ? of_errors[verdict] : seam_verdict_text(verdict);
}

typedef struct panel_progress {
  app_progress *bar;
  size_t n_points;
} panel_progress;

static bool show_progress(void *data, size_t done) {
  const panel_progress *shown = data;
  progress_count(shown->bar, (double)done / (double)shown->n_points, done, "points");
  return !interrupt_poll();
}

seam_status map_panel_find(map_panel *panel, app_progress *bar, seam_error *error) {
  panel_progress shown = {bar, panel->map.x.count * panel->map.y.count};
  panel->map.scheme = panel->scheme;
  panel->points = calloc(shown.n_points + 1, sizeof *panel->points);
  if (panel->points == NULL)
    return out_of_memory(error);
  const seam_status status = seam_stability_map(&panel->map, panel->points, show_progress, &shown, error);
  progress_clear(bar);
  return status;
}

void map_panel_free(map_panel *panel) {
  free(panel->points);
  panel->points = NULL;
}

/* Returns true if a point has no damping (lambda-r = 0). At such points rho is often exactly 1, and the eigenvalue of
 * this magnitude may be defective. */
static bool is_undamped(const seam_map *map, const seam_map_point *point) {
  return (point->x == 0 && strcmp(seam_map_parameter_name(map->model, map->x.parameter), "lambda-r") == 0) ||
         (point->y == 0 && strcmp(seam_map_parameter_name(map->model, map->y.parameter), "lambda-r") == 0);
}

map_counts map_panel_count(const map_panel *panel, bool with_undamped) {
  map_counts counts = {.nearest = INFINITY};
  const size_t n = panel->map.x.count * panel->map.y.count;
  for (const seam_map_point *point = panel->points; point < panel->points + n; point++) {
    if (!with_undamped && is_undamped(&panel->map, point))
      continue;
    counts.all++;
    counts.of[point->verdict]++;
    if (point->verdict == SEAM_UNSTABLE)
      counts.nearest = fmin(counts.nearest, hypot(point->x, point->y));
  }
  return counts;
}

seam_status map_panel_write(const map_panel *panel, const char *directory, const char *name, seam_error *error) {
  const seam_map *map = &panel->map;
  const size_t n = map->x.count * map->y.count;
  output_file out = {.path = NULL};
  const seam_status status = output_begin(&out, directory, name, error);
  const double unit = map->accuracy > 0 ? map->accuracy : 1;
  if (status == SEAM_OK)
    fprintf(out.file, "%s,%s,%s,uncertainty,verdict\n", seam_map_parameter_name(map->model, map->x.parameter),
            seam_map_parameter_name(map->model, map->y.parameter), map->accuracy > 0 ? "error" : "rho");
  for (const seam_map_point *point = panel->points; point < panel->points + n && status == SEAM_OK; point++) {
    const double numbers[] = {point->x, point->y, point->found.rho * unit};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
      shortest_print(out.file, numbers[i]);
      fputc(',', out.file);
    }
    fprintf(out.file, "%.2g,%s\n", point->found.uncertainty, map_panel_word(panel, point->verdict));
  }
  return output_end(&out, status, error);
}

seam_status map_panels_write(const map_panel *panels, size_t n, const char *directory, seam_error *error) {
  output_file out = {.path = NULL};
  const seam_status status = output_begin(&out, directory, "panels.csv", error);
  if (status != SEAM_OK)
    return output_end(&out, status, error);
  fputs("panel,scheme", out.file);
  for (int i = 0; seam_map_parameter_name(panels->map.model, i) != NULL; i++)
    fprintf(out.file, ",%s", seam_map_parameter_name(panels->map.model, i));
  fprintf(out.file, ",points,%s,%s,undecided,damped_points,damped_stable,nearest\n",
          map_panel_word(panels, SEAM_STABLE), map_panel_word(panels, SEAM_UNSTABLE));
  for (size_t i = 0; i < n; i++) {
    const seam_map *map = &panels[i].map;
    const map_counts all = map_panel_count(&panels[i], true);
    const map_counts damped = map_panel_count(&panels[i], false);
    fprintf(out.file, "%zu,", i + 1);
    csv_write_text(out.file, panels[i].scheme);
    for (int j = 0; seam_map_parameter_name(map->model, j) != NULL; j++) {
      fputc(',', out.file);
      if (j != map->x.parameter && j != map->y.parameter)
        shortest_print(out.file, map->value[j]);
    }
    fprintf(out.file, ",%zu,%zu,%zu,%zu,%zu,%zu,", all.all, all.of[SEAM_STABLE], all.of[SEAM_UNSTABLE],
            all.of[SEAM_UNDECIDED], damped.all, damped.of[SEAM_STABLE]);
    if (isfinite(damped.nearest))
      shortest_print(out.file, damped.nearest);
    fputc('\n', out.file);
  }
  return output_end(&out, status, error);
}

static void print_counts(const map_panel *panel, const char *of, map_counts n) {
  printf("%s%s %zu of %zu, %s %zu, undecided %zu", of, map_panel_word(panel, SEAM_STABLE), n.of[SEAM_STABLE], n.all,
         map_panel_word(panel, SEAM_UNSTABLE), n.of[SEAM_UNSTABLE], n.of[SEAM_UNDECIDED]);
}

void map_panel_print(const map_panel *panel) {
  const map_counts all = map_panel_count(panel, true);
  const map_counts damped = map_panel_count(panel, false);
  printf("%s: ", panel->title);
  print_counts(panel, "", all);
  if (damped.all < all.all)
    print_counts(panel, "; without lambda-r = 0 ", damped);
  puts("");
}
