/* Two doubles in one vector. Each lane gets the same bits as in scalar arithmetic, with every instruction set. */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <string.h>

typedef double seam_lanes __attribute__((vector_size(16)));

static inline seam_lanes seam_lanes_load(const double *x) {
  seam_lanes lanes;
  memcpy(&lanes, x, sizeof lanes);
  return lanes;
}
static inline void seam_lanes_store(double *x, seam_lanes lanes) { memcpy(x, &lanes, sizeof lanes); }
static inline seam_lanes seam_lanes_of(double x) { return (seam_lanes){x, x}; }

#endif
