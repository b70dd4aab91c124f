/* Cubic interpolation of a motion between two times. */
#ifndef COSIM_PARTS_CUBIC_H
#define COSIM_PARTS_CUBIC_H

/* A coordinate and its rate. */
typedef struct cosim_cubic {
  double x, v;
} cosim_cubic;

/* Returns x and v at t = t0 + s H by Hermite's cubic. It interpolates `begin` (x0, v0) at t0 and `end` (x1, v1) at t0 +
 * H; Δ = x1 - x0:
 *
 *   x = x0 + H v0 s + (3 Δ - H (2 v0 + v1)) s² + (H (v0 + v1) - 2 Δ) s³ */
static inline cosim_cubic cosim_cubic_at(cosim_cubic begin, cosim_cubic end, double H, double s) {
  const double difference = end.x - begin.x;
  const double square = 3 * difference - H * (2 * begin.v + end.v);
  const double cube = H * (begin.v + end.v) - 2 * difference;
  return (cosim_cubic){begin.x + s * (H * begin.v + s * (square + s * cube)),
                       begin.v + s * (2 * square + 3 * s * cube) / H};
}

#endif
