#include "cosim/schemes/element.h"

#include <string.h>

/* ---- Linear spring-dampers ---- */

static void wrench(const cosim_element *base, const cosim_motion m[2], double W[COSIM_MAX_FORCES]) {
  const cosim_linear_element *self = (const cosim_linear_element *)base;
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  for (int i = 0; i < base->n_dims; i++)
    W[i] = self->stiffness[i] * (m[1].x[i] - m[0].x[i]) + self->damping[i] * (m[1].v[i] - m[0].v[i]);
}

static void wrench_gradients(const cosim_element *base, const cosim_motion m[2], cosim_gradient Wx, cosim_gradient Wv) {
  const cosim_linear_element *self = (const cosim_linear_element *)base;
  (void)m;
  memset(Wx, 0, sizeof(cosim_gradient));
  memset(Wv, 0, sizeof(cosim_gradient));
  for (int i = 0; i < base->n_dims; i++) {
    Wx[i][i] = -self->stiffness[i];
    Wx[i][i + COSIM_MAX_DIMS] = self->stiffness[i];
    Wv[i][i] = -self->damping[i];
    Wv[i][i + COSIM_MAX_DIMS] = self->damping[i];
  }
}

static cosim_element element_of(int n_dims, const cosim_element_ops *ops, int n_rows) {
  return (cosim_element){.ops = ops,
                         .n_dims = n_dims,
                         .dim = {0, 1, 2},
                         .n_forces = n_dims,
                         .force = {0, 1, 2},
                         .is_affine = true,
                         .n_rows = n_rows};
}

cosim_linear_element cosim_linear_element_of(int n_dims, const double *stiffness, const double *damping) {
  static const cosim_element_ops ops = {.wrench = wrench, .wrench_gradients = wrench_gradients};
  cosim_linear_element self = {.base = element_of(n_dims, &ops, 0)};
  memcpy(self.stiffness, stiffness, (size_t)n_dims * sizeof *stiffness);
  memcpy(self.damping, damping, (size_t)n_dims * sizeof *damping);
  return self;
}

/* ---- Joined coordinates ---- */

static void differences(const cosim_element *self, const cosim_motion m[2], double *g, double *gd, double *gdd) {
  for (int i = 0; i < self->n_rows; i++) {
    g[i] = m[1].x[i] - m[0].x[i];
    gd[i] = m[1].v[i] - m[0].v[i];
    gdd[i] = m[1].a[i] - m[0].a[i];
  }
}

static void residuals(const cosim_element *self, double t, const cosim_motion m[2], double *g, double *gd,
                      double *gdd) {
  (void)t;
  differences(self, m, g, gd, gdd);
}

static void residual_gradients(const cosim_element *self, const cosim_motion m[2], cosim_gradient J,
                               cosim_gradient J_rate) {
  (void)m;
  memset(J, 0, sizeof(cosim_gradient));
  memset(J_rate, 0, sizeof(cosim_gradient));
  for (int i = 0; i < self->n_rows; i++) {
    J[i][i] = -1;
    J[i][i + COSIM_MAX_DIMS] = 1;
  }
}

static void residual_derivatives(const cosim_element *self, const cosim_motion m[2], const cosim_motion change[2],
                                 double *g, double *gd, double *gdd) {
  (void)m;
  differences(self, change, g, gd, gdd);
}

static void wrench_map(const cosim_element *self, const cosim_motion m[2], double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]) {
  (void)m;
  memset(S, 0, COSIM_MAX_FORCES * sizeof *S);
  for (int i = 0; i < self->n_rows; i++)
    S[i][i] = 1;
}

cosim_element cosim_joined_element_of(int n_dims) {
  static const cosim_element_ops ops = {.residuals = residuals,
                                        .residual_gradients = residual_gradients,
                                        .residual_derivatives = residual_derivatives,
                                        .wrench_map = wrench_map};
  return element_of(n_dims, &ops, n_dims);
}
