#include "analysis/linearised/frozen_element.h"

#include <string.h>

/* y (n) += rows (u1, u2). */
static void add_product(int n, const double (*rows)[2 * COSIM_MAX_DIMS], const double *u1, const double *u2,
                        double *y) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      y[i] += rows[i][j] * u1[j] + rows[i][j + COSIM_MAX_DIMS] * u2[j];
}

static const double (*rows_of(const cosim_gradient G))[2 * COSIM_MAX_DIMS] {
  return (const double(*)[2 * COSIM_MAX_DIMS]) G;
}

static void wrench(const cosim_element *base, const cosim_motion m[2], double W[COSIM_MAX_FORCES]) {
  const analysis_frozen_element *self = (const analysis_frozen_element *)base;
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  add_product(COSIM_MAX_FORCES, rows_of(self->Wx), m[0].x, m[1].x, W);
  add_product(COSIM_MAX_FORCES, rows_of(self->Wv), m[0].v, m[1].v, W);
}

static void wrench_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv) {
  const analysis_frozen_element *self = (const analysis_frozen_element *)base;
  (void)m;
  memcpy(Wx, self->Wx, sizeof self->Wx);
  memcpy(Wv, self->Wv, sizeof self->Wv);
}

static void take_gaps(const cosim_element *base, const cosim_motion m[2], double *g, double *gd, double *gdd) {
  const analysis_frozen_element *self = (const analysis_frozen_element *)base;
  const double(*J)[2 * COSIM_MAX_DIMS] = rows_of(self->J);
  for (int i = 0; i < base->n_rows; i++)
    g[i] = gd[i] = gdd[i] = 0;
  add_product(base->n_rows, J, m[0].x, m[1].x, g);
  add_product(base->n_rows, J, m[0].v, m[1].v, gd);
  add_product(base->n_rows, J, m[0].a, m[1].a, gdd);
}

static void residuals(const cosim_element *base, double t, const cosim_motion m[2], double *g, double *gd,
                      double *gdd) {
  (void)t;
  take_gaps(base, m, g, gd, gdd);
}

static void residual_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient J,
                               cosim_gradient J_rate) {
  const analysis_frozen_element *self = (const analysis_frozen_element *)base;
  (void)m;
  memcpy(J, self->J, sizeof self->J);
  memset(J_rate, 0, sizeof(cosim_gradient));
}

static void residual_derivatives(const cosim_element *base, const cosim_motion m[2], const cosim_motion change[2],
                                 double *g, double *gd, double *gdd) {
  (void)m;
  take_gaps(base, change, g, gd, gdd);
}

static void wrench_map(const cosim_element *base, const cosim_motion m[2], double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]) {
  const analysis_frozen_element *self = (const analysis_frozen_element *)base;
  (void)m;
  memcpy(S, self->S, sizeof self->S);
}

void analysis_freeze(const cosim_element *element, const cosim_motion m[2], analysis_frozen_element *frozen) {
  static const cosim_element_ops ops = {.wrench = wrench,
                                        .wrench_gradients = wrench_gradients,
                                        .residuals = residuals,
                                        .residual_gradients = residual_gradients,
                                        .residual_derivatives = residual_derivatives,
                                        .wrench_map = wrench_map};
  *frozen = (analysis_frozen_element){.base = *element};
  frozen->base.ops = &ops;
  if (element->n_rows == 0) {
    frozen->base.is_affine = true;
    frozen->base.has_kinks = frozen->base.has_kinks && !element->switches; /* the mode is frozen */
    frozen->base.switches = false;
    element->ops->wrench_gradients(element, m, frozen->Wx, frozen->Wv);
  } else {
    cosim_gradient turning;
    element->ops->residual_gradients(element, m, frozen->J, turning);
    element->ops->wrench_map(element, m, frozen->S);
  }
}
