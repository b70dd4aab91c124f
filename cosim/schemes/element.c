#include "cosim/schemes/element.h"

#include <math.h>
#include <string.h>

#include "base/vector.h"
#include "cosim/thresholds.h"

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

/* ---- Rates and changes of the wrench ---- */

void cosim_add_product(int n, const double *G, const double *u1, const double *u2, double *y) {
  for (int i = 0; i < n; i++, G += 2 * COSIM_MAX_DIMS)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      y[i] += G[j] * u1[j] + G[j + COSIM_MAX_DIMS] * u2[j];
}

void cosim_rate_by_gradients(const double *Wx, const double *Wv, const cosim_motion m[2], double *rate) {
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  cosim_add_product(COSIM_MAX_FORCES, Wx, m[0].v, m[1].v, rate);
  cosim_add_product(COSIM_MAX_FORCES, Wv, m[0].a, m[1].a, rate);
}

/* Finds W' = Wx v + Wv a with v and a of the motion m, and Wx and Wv of the law at the motion `at`. */
static void rate_by_gradients_at(const cosim_element *element, const cosim_motion at[2], const cosim_motion m[2],
                                 double *rate) {
  cosim_gradient Wx, Wv;
  element->ops->wrench_gradients(element, at, Wx, Wv);
  cosim_rate_by_gradients(*Wx, *Wv, m, rate);
}

void cosim_law_rate(const cosim_element *element, const cosim_motion m[2], double *rate) {
  rate_by_gradients_at(element, m, m, rate);
}

static void perturb(const cosim_motion *from, double factor, const cosim_motion *change, cosim_motion *to) {
  for (int j = 0; j < COSIM_MAX_DIMS; j++) {
    to->x[j] = from->x[j] + factor * change->x[j];
    to->v[j] = from->v[j] + factor * change->v[j];
    to->a[j] = from->a[j] + factor * change->a[j];
    to->p[j] = from->p[j] + factor * change->p[j];
  }
}

void cosim_law_change(const double *Wx, const double *Wv, const cosim_motion change[2], double *W) {
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  cosim_add_product(COSIM_MAX_FORCES, Wx, change[0].x, change[1].x, W);
  cosim_add_product(COSIM_MAX_FORCES, Wv, change[0].v, change[1].v, W);
}

/* Unless the element is affine, takes a central difference along `change`, so that laws need no second derivatives.
 * Takes the smaller one-sided slope if a kink lies within the difference. */
void cosim_law_rate_change(const cosim_element *element, const double *Wx, const double *Wv, const cosim_motion m[2],
                           const cosim_motion change[2], double *rate) {
  double largest = 0;
  double at[3][COSIM_MAX_FORCES]; /* behind, here, ahead */
  if (element->is_affine) {
    cosim_rate_by_gradients(Wx, Wv, change, rate);
    return;
  }
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++) {
      const cosim_motion *by = &change[side];
      const double size = fmax(fabs(by->x[j]), fmax(fabs(by->v[j]), fabs(by->a[j]) / element->rate) / element->rate);
      largest = fmax(largest, size / (j < 2 ? element->length : 1));
    }
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  if (largest == 0)
    return;
  const double factor = cosim_width_of_law / largest;
  for (int k = 0; k < 3; k++) {
    cosim_motion perturbed[2];
    for (int side = 0; side < 2; side++)
      perturb(&m[side], (k - 1) * factor, &change[side], &perturbed[side]);
    cosim_law_rate(element, perturbed, at[k]);
  }
  for (int i = 0; i < COSIM_MAX_FORCES; i++) {
    const double before = (at[1][i] - at[0][i]) / factor;
    const double after = (at[2][i] - at[1][i]) / factor;
    const double smaller = fabs(before) < fabs(after) ? before : after;
    const bool is_kinked = fabs(after - before) > cosim_kink_of_slope * fmax(fabs(before), fabs(after));
    rate[i] = is_kinked ? smaller : (at[2][i] - at[0][i]) / (2 * factor);
  }
}

typedef struct rate_at_motion {
  cosim_motion m[2];
  double rate[COSIM_MAX_FORCES];
} rate_at_motion;

static double difference(const rate_at_motion *a, const rate_at_motion *b, int component) {
  return fabs(a->rate[component] - b->rate[component]);
}

/* Returns true if a component of W' jumps between a and b: a bisection halves a smooth change, but not a jump. */
static bool jumps(const cosim_element *element, const cosim_motion m[2], int component, rate_at_motion a,
                  rate_at_motion b) {
  const double total = difference(&a, &b, component);
  for (int k = 0; k < COSIM_JUMP_HALVINGS; k++) {
    rate_at_motion middle;
    for (int side = 0; side < 2; side++) {
      cosim_motion sum;
      perturb(&a.m[side], 1, &b.m[side], &sum);
      perturb(&sum, -0.5, &sum, &middle.m[side]);
    }
    rate_by_gradients_at(element, middle.m, m, middle.rate);
    *(difference(&a, &middle, component) > difference(&middle, &b, component) ? &b : &a) = middle;
  }
  return difference(&a, &b, component) > fmax(total / 2, cosim_jump_of_slope * fabs(a.rate[component]));
}

bool cosim_law_rate_jumps(const cosim_element *element, const cosim_motion a[2], const cosim_motion b[2]) {
  rate_at_motion from = {.m = {a[0], a[1]}};
  rate_at_motion to = {.m = {b[0], b[1]}};
  bool is_jump = false;
  rate_by_gradients_at(element, a, b, from.rate);
  rate_by_gradients_at(element, b, b, to.rate);
  for (int k = 0; k < element->n_forces; k++)
    is_jump = is_jump || jumps(element, b, element->force[k], from, to);
  return is_jump;
}

/* ---- Wrenches that a joint cannot transmit ---- */

/* Makes e orthogonal to the orthonormal rows of the basis: Gram-Schmidt, twice against round-off. */
static void orthogonalise(double basis[][COSIM_MAX_FORCES], int n_basis, double *e) {
  for (int twice = 0; twice < 2; twice++)
    for (int b = 0; b < n_basis; b++) {
      const double common = dot_product(COSIM_MAX_FORCES, e, basis[b]);
      for (int i = 0; i < COSIM_MAX_FORCES; i++)
        e[i] -= common * basis[b][i];
    }
}

void cosim_untransmittable(const cosim_element *element, const cosim_motion m[2],
                           double rows[COSIM_MAX_FORCES][COSIM_MAX_FORCES]) {
  double basis[2 * COSIM_MAX_FORCES][COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  int n_basis = 0;
  element->ops->wrench_map(element, m, S);
  for (int k = 0; k < element->n_rows + element->n_forces && n_basis < element->n_forces; k++) {
    double *e = basis[n_basis];
    memset(e, 0, COSIM_MAX_FORCES * sizeof *e);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] = k < element->n_rows ? S[i][k] : i == element->force[k - element->n_rows];
    const double before = dot_product(COSIM_MAX_FORCES, e, e);
    orthogonalise(basis, n_basis, e);
    const double after = dot_product(COSIM_MAX_FORCES, e, e);
    if (k >= element->n_rows && after < cosim_independent_row * before)
      continue;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] /= sqrt(after);
    n_basis++;
  }
  memcpy(rows, basis + element->n_rows, COSIM_MAX_FORCES * sizeof *rows);
}

/* Finds P W: W without its components along the columns of the wrench map. */
static void project(const cosim_element *element, const cosim_motion m[2], const double *W, double *residual) {
  double basis[COSIM_MAX_DIMS][COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  element->ops->wrench_map(element, m, S);
  for (int k = 0; k < element->n_rows; k++) {
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      basis[k][i] = S[i][k];
    orthogonalise(basis, k, basis[k]);
    const double length = sqrt(dot_product(COSIM_MAX_FORCES, basis[k], basis[k]));
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      basis[k][i] /= length;
  }
  memcpy(residual, W, COSIM_MAX_FORCES * sizeof *residual);
  orthogonalise(basis, element->n_rows, residual);
}

/* Uses a central difference of P(x) W along the velocities, so that joints need not differentiate their wrench maps. */
void cosim_untransmittable_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion rate[2],
                                const double *W, double *change) {
  double largest = 0;
  double ahead[COSIM_MAX_FORCES], behind[COSIM_MAX_FORCES];
  memset(change, 0, COSIM_MAX_FORCES * sizeof *change);
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      largest = fmax(largest, fabs(rate[side].v[j]) / (j < 2 ? element->length : 1));
  if (largest == 0)
    return;
  const double factor = cosim_width_of_law / largest;
  cosim_motion perturbed[2][2] = {{m[0], m[1]}, {m[0], m[1]}};
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++) {
      perturbed[0][side].x[j] += factor * rate[side].v[j];
      perturbed[1][side].x[j] -= factor * rate[side].v[j];
    }
  project(element, perturbed[0], W, ahead);
  project(element, perturbed[1], W, behind);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    change[i] = (ahead[i] - behind[i]) / (2 * factor);
}
