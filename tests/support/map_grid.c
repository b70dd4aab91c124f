#include "tests/support/map_grid.h"

#include <criterion/criterion.h>
#include <string.h>

seam_map_point points[n_points];

counts count(const seam_map *map) {
  counts n = {0};
  seam_error error = {0};
  cr_assert_eq(seam_stability_map(map, points, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  for (size_t i = 0; i < map->x.count * map->y.count; i++) {
    n.stable += points[i].verdict == SEAM_STABLE;
    n.unstable += points[i].verdict == SEAM_UNSTABLE;
    n.undecided += points[i].verdict == SEAM_UNDECIDED;
    n.by_oracle += points[i].by_oracle;
  }
  return n;
}

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
