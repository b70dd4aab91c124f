#include "cosim/schemes/cut_law.h"

#include <math.h>
#include <string.h>

#include "cosim/thresholds.h"

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

void cosim_law_integral(const cosim_element *element, const cosim_step_interval *step, double *integral) {
  const cosim_motion *m = step->end->motion;
  const cosim_motion at_rest[2] = {0};
  cosim_gradient Wx, Wv;
  double displaced[2][COSIM_MAX_DIMS];
  element->ops->wrench(element, at_rest, integral);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    integral[i] *= step->H;
  for (int side = 0; side < 2; side++)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      displaced[side][j] = m[side].x[j] - step->begin->motion[side].x[j];
  element->ops->wrench_gradients(element, m, Wx, Wv);
  cosim_add_product(COSIM_MAX_FORCES, *Wx, m[0].p, m[1].p, integral);
  cosim_add_product(COSIM_MAX_FORCES, *Wv, displaced[0], displaced[1], integral);
}

static void perturb(const cosim_motion *from, double factor, const cosim_motion *change, cosim_motion *to) {
  for (int j = 0; j < COSIM_MAX_DIMS; j++) {
    to->x[j] = from->x[j] + factor * change->x[j];
    to->v[j] = from->v[j] + factor * change->v[j];
    to->a[j] = from->a[j] + factor * change->a[j];
    to->p[j] = from->p[j] + factor * change->p[j];
  }
}

/* Finds the change of W' by differences along the change of the motions, so that laws need no second derivatives. If a
 * kink lies within the central difference, the smaller one-sided slope is used. */
static void difference_of_rate(const cosim_element *element, const cosim_motion m[2], const cosim_motion change[2],
                               double *rate) {
  double largest = 0;
  double at[3][COSIM_MAX_FORCES]; /* behind, here, ahead */
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

void cosim_law_change(const double *Wx, const double *Wv, const cosim_motion change[2], double *W) {
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  cosim_add_product(COSIM_MAX_FORCES, Wx, change[0].x, change[1].x, W);
  cosim_add_product(COSIM_MAX_FORCES, Wv, change[0].v, change[1].v, W);
}

void cosim_law_rate_change(const cosim_element *element, const double *Wx, const double *Wv, const cosim_motion m[2],
                           const cosim_motion change[2], double *rate) {
  if (element->is_affine)
    cosim_rate_by_gradients(Wx, Wv, change, rate);
  else
    difference_of_rate(element, m, change, rate);
}

typedef struct rate_at_motion {
  cosim_motion m[2];
  double rate[COSIM_MAX_FORCES];
} rate_at_motion;

static double difference(const rate_at_motion *a, const rate_at_motion *b, int component) {
  return fabs(a->rate[component] - b->rate[component]);
}

/* Returns true if a component of W' jumps between a and b: each bisection halves a smooth change, but not a jump. */
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
