#include "cosim/schemes/snapshot.h"

cosim_motion cosim_motion_between(const cosim_motion *begin, const cosim_motion *end, double H, double s) {
  cosim_motion m = {.x = {0}};
  for (int i = 0; i < COSIM_MAX_DIMS; i++) {
    const cosim_cubic at =
        cosim_cubic_at((cosim_cubic){begin->x[i], begin->v[i]}, (cosim_cubic){end->x[i], end->v[i]}, H, s);
    m.x[i] = at.x;
    m.v[i] = at.v;
  }
  return m;
}
