#include "tests/support/map_grid.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/oracle/oracle.h"

seam_map_point points[n_points];

/* Where the oracle finds the scheme undefined the point stays undecided. */
static void decide(const seam_map *map, seam_map_point *point) {
  double value[SEAM_MAX_MAP_PARAMETERS];
  memcpy(value, map->value, sizeof value);
  value[map->x.parameter] = point->x;
  value[map->y.parameter] = point->y;
  const seam_test_model model = {value[0], value[1], value[2], value[3], value[4], value[5], value[6]};
  const bool is_rigid = strcmp(map->model, "constraint") == 0;
  seam_error error = {0};
  const seam_status status = analysis_oracle(&model, is_rigid, map->scheme, &point->found, &error);
  cr_assert(status == SEAM_OK || status == SEAM_SINGULAR, "%s", error.message);
  if (status == SEAM_SINGULAR)
    point->found.rho = point->found.uncertainty = NAN;
  point->verdict = seam_stability_verdict(&point->found);
}

static counts count_points(const seam_map *map, bool by_oracle) {
  counts n = {0};
  seam_error error = {0};
  cr_assert_eq(seam_stability_map(map, points, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  for (size_t i = 0; i < map->x.count * map->y.count; i++) {
    if (by_oracle && points[i].verdict == SEAM_UNDECIDED) {
      decide(map, &points[i]);
      n.by_oracle++;
    }
    n.stable += points[i].verdict == SEAM_STABLE;
    n.unstable += points[i].verdict == SEAM_UNSTABLE;
    n.undecided += points[i].verdict == SEAM_UNDECIDED;
  }
  return n;
}

counts count(const seam_map *map) { return count_points(map, false); }
counts count_decided(const seam_map *map) { return count_points(map, true); }

seam_map chapter_3(const char *scheme, double alpha) {
  seam_map map;
  cr_assert_eq(seam_map_default("constitutive", &map, NULL), SEAM_OK);
  for (int i = 2; i < 7; i++)
    map.value[i] = alpha;
  if (strstr(scheme, "-explicit")) {
    map.x.from = -1;
    map.y.to = 2;
  }
  map.scheme = scheme;
  map.threads = 2;
  return map;
}

bool map_of_row(const data_table *row, seam_map *map) {
  if (seam_map_default(row->word[0], map, NULL) != SEAM_OK)
    return false;
  for (int i = 0; i < 5; i++)
    map->value[2 + i] = row->number[2 + i];
  map->scheme = row->word[1];
  map->x.from = row->number[7];
  map->y.to = row->number[8];
  map->threads = 2;
  return true;
}
