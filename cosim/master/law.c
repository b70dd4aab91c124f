#include "cosim/master/law.h"

#include <math.h>
#include <string.h>

void cosim_add_product(int n, const double *G, const double *u1, const double *u2, double *y) {
  for (int i = 0; i < n; i++, G += 2 * COSIM_MAX_DIMS)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      y[i] += G[j] * u1[j] + G[j + COSIM_MAX_DIMS] * u2[j];
}

void cosim_law_rate(const cosim_element *element, const cosim_motion m[2], double *rate) {
  cosim_gradient Wx;
  cosim_gradient Wv;
  element->ops->wrench_gradients(element, m, Wx, Wv);
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  cosim_add_product(COSIM_MAX_FORCES, *Wx, m[0].v, m[1].v, rate);
  cosim_add_product(COSIM_MAX_FORCES, *Wv, m[0].a, m[1].a, rate);
}

void cosim_law_integral(const cosim_element *element, const cosim_step_interval *step, double *integral) {
  const cosim_motion *m = step->end->motion;
  const cosim_motion rest[2] = {0};
  cosim_gradient Wx;
  cosim_gradient Wv;
  double moved[2][COSIM_MAX_DIMS];
  element->ops->wrench(element, rest, integral);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    integral[i] *= step->H;
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      moved[side][j] = m[side].x[j] - step->begin->motion[side].x[j];
  element->ops->wrench_gradients(element, m, Wx, Wv);
  cosim_add_product(COSIM_MAX_FORCES, *Wx, m[0].p, m[1].p, integral);
  cosim_add_product(COSIM_MAX_FORCES, *Wv, moved[0], moved[1], integral);
}

static void move(const cosim_motion *from, double factor, const cosim_motion *change, cosim_motion *to) {
  for (int j = 0; j < COSIM_MAX_DIMS; j++) {
    to->x[j] = from->x[j] + factor * change->x[j];
    to->v[j] = from->v[j] + factor * change->v[j];
    to->a[j] = from->a[j] + factor * change->a[j];
    to->p[j] = from->p[j] + factor * change->p[j];
  }
}

static double largest_change(const cosim_motion change[2]) {
  double largest = 0;
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      largest = fmax(fmax(largest, fabs(change[side].x[j])), fmax(fabs(change[side].v[j]), fabs(change[side].a[j])));
  return largest;
}

/* A central difference along the change costs four small products, and laws need no second derivatives. */
static void difference_of_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion change[2],
                               double *rate) {
  const double largest = largest_change(change);
  double ahead[COSIM_MAX_FORCES];
  double behind[COSIM_MAX_FORCES];
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  if (largest == 0)
    return;
  const double factor = 1e-5 / largest;
  cosim_motion moved[2];
  for (int side = 0; side < 2; side++)
    move(&m[side], factor, &change[side], &moved[side]);
  cosim_law_rate(element, moved, ahead);
  for (int side = 0; side < 2; side++)
    move(&m[side], -factor, &change[side], &moved[side]);
  cosim_law_rate(element, moved, behind);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    rate[i] = (ahead[i] - behind[i]) / (2 * factor);
}

void cosim_law_change(const double *Wx, const double *Wv, const cosim_motion change[2], double *W) {
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  cosim_add_product(COSIM_MAX_FORCES, Wx, change[0].x, change[1].x, W);
  cosim_add_product(COSIM_MAX_FORCES, Wv, change[0].v, change[1].v, W);
}

void cosim_law_rate_change(const cosim_element *element, const double *Wx, const double *Wv, const cosim_motion m[2],
                           const cosim_motion change[2], double *rate) {
  if (!element->is_affine) {
    difference_of_rate(element, m, change, rate);
    return;
  }
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  cosim_add_product(COSIM_MAX_FORCES, Wx, change[0].v, change[1].v, rate);
  cosim_add_product(COSIM_MAX_FORCES, Wv, change[0].a, change[1].a, rate);
}
