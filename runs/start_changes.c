#include <math.h>

#include <seam/runs.h>

#include "runs/thresholds.h"

static const struct {
  const char *name, *unit;
  int kind; /* index into `least` */
} coordinates[] = {{"x", "m", 0},    {"y", "m", 0},    {"phi", "rad", 1},
                   {"vx", "m/s", 2}, {"vy", "m/s", 2}, {"omega", "rad/s", 3}};
enum { N_COORDINATES = sizeof coordinates / sizeof *coordinates };

static double size_of(const seam_start_change *change) { return fabs(change->after - change->before); }

seam_start_changes seam_start_changes_between(const seam_model_file *file, const mbs_state *before,
                                              const mbs_state *after) {
  seam_start_change largest[SEAM_MAX_START_CHANGES] = {0};
  seam_start_changes found = {0};
  const mbs_model *model = seam_model_mechanism(file);
  const mbs_scales scales = mbs_scales_of(model);
  const double least[] = {runs_noticeable * scales.length, runs_noticeable, runs_noticeable * scales.speed,
                          runs_noticeable / scales.time};
  for (size_t b = 0; b < mbs_n_bodies(model); b++)
    for (int i = 0; i < N_COORDINATES; i++) {
      const size_t at = 3 * b + (size_t)(i % 3);
      seam_start_change *most = &largest[coordinates[i].kind];
      const seam_start_change change = {b, i, i < 3 ? before->q[at] : before->v[at],
                                        i < 3 ? after->q[at] : after->v[at]};
      const bool is_given = i < 3 ? !seam_model_is_rough(file, b) : change.before != 0;
      if (is_given && size_of(&change) > fmax(least[coordinates[i].kind], size_of(most)))
        *most = change;
    }
  for (int k = 0; k < SEAM_MAX_START_CHANGES; k++)
    if (size_of(&largest[k]) > 0)
      found.list[found.n++] = largest[k];
  return found;
}

const char *seam_start_coordinate(int coordinate) {
  return coordinate >= 0 && coordinate < N_COORDINATES ? coordinates[coordinate].name : NULL;
}

const char *seam_start_coordinate_unit(int coordinate) {
  return coordinate >= 0 && coordinate < N_COORDINATES ? coordinates[coordinate].unit : NULL;
}
