/* Conditions of a variable at a constitutive cut, W the law of the cut element, ' a rate:
 *
 *   force      λ = W(x, v)     D: λ' = ∂W/∂x v + ∂W/∂v a     I: ∫λ = ∂W/∂x p + ∂W/∂v (x - x_N) + W(0) H
 *   position   x̃ = x                                         I: ∫x̃ = p
 *   velocity   ṽ = v           D: ṽ' = a
 *
 * where p = ∫x over the macro step; at a constraint cut, g its residuals and μ the force that a prescribed acceleration
 * requires:
 *
 *   force         Baumgarte  g + β g' + γ g'' = 0      weighted  one of g, g', g'' = 0      projection  g'' = 0
 *                 index 2    g = g' = 0                index 1   g = g' = g'' = 0
 *   acceleration  fd: μ of the driven side = λ         dd: μ of side 2 = μ of side 1
 *
 * A wrench with more components than the joint has constraints must also be one that the joint can transmit, at each of
 * its new nodes. */
#include "cosim/master/condition.h"

#include <math.h>
#include <string.h>

int cosim_components(const cosim_element *element, cosim_kind kind, const int **component) {
  *component = kind == COSIM_FORCE ? element->force : element->dim;
  return kind == COSIM_FORCE ? element->n_forces : element->n_dims;
}

int cosim_n_conditions(const cosim_cut *cut) {
  const int *component;
  int n = 0;
  for (int v = 0; v < cut->scheme.n_variables; v++)
    n += cosim_components(cut->element, cut->scheme.variable[v].kind, &component) *
         cosim_n_new(&cut->scheme, cut->scheme.variable[v].kind);
  return n;
}

/* Residuals of a constraint and their rates, or changes of them. */
typedef struct gaps {
  double g[COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS];
} gaps;

/* Quantities in the conditions of a cut, or changes of them. */
typedef struct terms {
  double W[COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES], W_integral[COSIM_MAX_FORCES];
  gaps gaps;
} terms;

/* y (4) += G (u1, u2), G (4 x 6) row by row. */
static void add_product(const double *G, const double *u1, const double *u2, double *y) {
  for (int i = 0; i < COSIM_MAX_FORCES; i++, G += 2 * COSIM_MAX_DIMS)
    for (int j = 0; j < COSIM_MAX_DIMS; j++)
      y[i] += G[j] * u1[j] + G[j + COSIM_MAX_DIMS] * u2[j];
}

/* ---- Laws ---- */

static void wrench_rate(const cosim_element *element, const cosim_motion m[2], double *rate) {
  cosim_gradient Wx;
  cosim_gradient Wv;
  element->ops->wrench_gradients(element, m, Wx, Wv);
  memset(rate, 0, COSIM_MAX_FORCES * sizeof *rate);
  add_product(*Wx, m[0].v, m[1].v, rate);
  add_product(*Wv, m[0].a, m[1].a, rate);
}

/* The law is affine: its integral follows from those of the motions. */
static void wrench_integral(const cosim_element *element, const cosim_step_interval *step, double *integral) {
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
  add_product(*Wx, m[0].p, m[1].p, integral);
  add_product(*Wv, moved[0], moved[1], integral);
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
static void wrench_rate_change(const cosim_element *element, const cosim_motion m[2], const cosim_motion change[2],
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
  wrench_rate(element, moved, ahead);
  for (int side = 0; side < 2; side++)
    move(&m[side], -factor, &change[side], &moved[side]);
  wrench_rate(element, moved, behind);
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    rate[i] = (ahead[i] - behind[i]) / (2 * factor);
}

/* ---- Terms ---- */

static bool has_force(const cosim_cut *cut) {
  return cut->scheme.variable[0].kind == COSIM_FORCE; /* the first, if any */
}

static void take_terms(const cosim_cut *cut, const cosim_step_interval *step, terms *x) {
  const cosim_element *element = cut->element;
  const cosim_motion *m = step->end->motion;
  if (element->n_rows > 0) {
    element->ops->residuals(element, step->t + step->H, m, x->gaps.g, x->gaps.gd, x->gaps.gdd);
    return;
  }
  if (!has_force(cut))
    return;
  element->ops->wrench(element, m, x->W);
  if (cut->scheme.method == COSIM_D)
    wrench_rate(element, m, x->W_rate);
  if (cut->scheme.method == COSIM_I)
    wrench_integral(element, step, x->W_integral);
}

/* At motions m, along a change of them. */
static void change_terms(const cosim_cut *cut, const cosim_motion m[2], const cosim_law_gradients *gradients,
                         const cosim_motion change[2], terms *x) {
  const cosim_element *element = cut->element;
  memset(x, 0, sizeof *x);
  if (element->n_rows > 0) {
    element->ops->residual_derivatives(element, m, change, x->gaps.g, x->gaps.gd, x->gaps.gdd);
    return;
  }
  if (!has_force(cut))
    return;
  const double *Wx = *gradients->Wx;
  const double *Wv = *gradients->Wv;
  add_product(Wx, change[0].x, change[1].x, x->W);
  add_product(Wv, change[0].v, change[1].v, x->W);
  if (cut->scheme.method == COSIM_D && element->is_affine) {
    add_product(Wx, change[0].v, change[1].v, x->W_rate);
    add_product(Wv, change[0].a, change[1].a, x->W_rate);
  } else if (cut->scheme.method == COSIM_D)
    wrench_rate_change(element, m, change, x->W_rate);
  if (cut->scheme.method == COSIM_I) {
    add_product(Wx, change[0].p, change[1].p, x->W_integral);
    add_product(Wv, change[0].x, change[1].x, x->W_integral);
  }
}

/* ---- Wrenches that a joint does not transmit ---- */

static bool has_untransmittable(const cosim_element *element) {
  return element->n_rows > 0 && element->n_forces > element->n_rows;
}

static double dot(const double *a, const double *b) {
  double sum = 0;
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    sum += a[i] * b[i];
  return sum;
}

/* Removes from e its components along the orthonormal rows of the basis: Gram and Schmidt, twice. */
static void orthogonalise(double basis[][COSIM_MAX_FORCES], int n_basis, double *e) {
  for (int twice = 0; twice < 2; twice++)
    for (int b = 0; b < n_basis; b++) {
      const double common = dot(e, basis[b]);
      for (int i = 0; i < COSIM_MAX_FORCES; i++)
        e[i] -= common * basis[b][i];
    }
}

/* Orthonormal rows that complete the columns of the wrench map S (4 x n_rows) among the components in use. */
static void fill_untransmittable(const cosim_element *element, const cosim_motion m[2],
                                 double untransmittable[COSIM_MAX_FORCES][COSIM_MAX_FORCES]) {
  double basis[2 * COSIM_MAX_FORCES][COSIM_MAX_FORCES] = {0};
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
  int n_basis = 0;
  element->ops->wrench_map(element, m, S);
  for (int k = 0; k < element->n_rows + element->n_forces && n_basis < element->n_forces; k++) {
    double *e = basis[n_basis];
    memset(e, 0, COSIM_MAX_FORCES * sizeof *e);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] = k < element->n_rows ? S[i][k] : i == element->force[k - element->n_rows];
    const double before = dot(e, e);
    orthogonalise(basis, n_basis, e);
    const double after = dot(e, e);
    if (k >= element->n_rows && after < 0.1 * before)
      continue;
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      e[i] /= sqrt(after);
    n_basis++;
  }
  memcpy(untransmittable, basis + element->n_rows, COSIM_MAX_FORCES * sizeof *untransmittable);
}

static void evaluate_untransmittable(const cosim_cut *cut, const cosim_step_interval *step,
                                     cosim_law_gradients *gradients) {
  const int n_new = cosim_n_new(&cut->scheme, COSIM_FORCE);
  const double node[COSIM_MAX_NEW + 1] = {1, n_new > 1 ? cut->scheme.nodes[0] : 0,
                                          n_new > 2 ? cut->scheme.nodes[1] : 0};
  for (int j = 0; j < n_new && j < COSIM_MAX_NEW; j++) {
    /* A constant is the value of the whole piece. */
    const double s = cut->scheme.order == 0 ? (node[j] + node[j + 1]) / 2 : node[j];
    cosim_motion at[2];
    for (int side = 0; side < 2; side++)
      at[side] = cosim_motion_between(&step->begin->motion[side], &step->end->motion[side], step->H, s);
    fill_untransmittable(cut->element, at, gradients->untransmittable[j]);
  }
}

/* ---- Conditions ---- */

/* Of row r, for new node j. */
static double gap_condition(const cosim_scheme *scheme, double H, const gaps *x, int r, int j, int level) {
  const double by_level[3] = {x->g[r], x->gd[r], x->gdd[r]};
  const double mu = scheme->mu_is_physical ? scheme->mu : scheme->mu * H;
  switch (scheme->method) {
  case COSIM_BAUMGARTE:
    return x->g[r] + (scheme->index < 3 ? 2 * mu * x->gd[r] : 0) + (scheme->index < 2 ? mu * mu * x->gdd[r] : 0);
  case COSIM_WEIGHTED:
    return by_level[level];
  case COSIM_PROJECTION:
    return by_level[2];
  default:
    return by_level[j];
  }
}

/* Of node j of component i (number c in its list) of the force at a constraint cut. */
static double transmission_condition(const cosim_cut *cut, const cosim_law_gradients *gradients,
                                     const cosim_approximation *w, int i, int j) {
  const double *basis = gradients->untransmittable[j][i - cut->element->n_rows];
  double sum = 0;
  for (int k = 0; k < COSIM_MAX_FORCES; k++)
    sum += basis[k] * w[k].new_value[j];
  return sum;
}

static double force_condition(const cosim_cut *cut, const terms *x, const cosim_approximation *w, int c, int j) {
  if (j == 0)
    return w[c].end - x->W[c];
  return cut->scheme.method == COSIM_D ? w[c].rate - x->W_rate[c] : w[c].integral - x->W_integral[c];
}

static double motion_condition(const cosim_variable *variable, const cosim_snapshot *end, const cosim_approximation *w,
                               int c, int j) {
  const cosim_motion *m = &end->motion[variable->source];
  if (variable->kind == COSIM_POSITION)
    return j == 0 ? w[c].end - m->x[c] : w[c].integral - m->p[c];
  return j == 0 ? w[c].end - m->v[c] : w[c].rate - m->a[c];
}

/* `force` is the component of the wrench that stands for the row; w those of the force that drives the other side. */
static double acceleration_condition(const cosim_variable *variable, const cosim_snapshot *end,
                                     const cosim_approximation *w, int force, int c) {
  if (variable->target < 0)
    return end->wrench[1][force] - end->wrench[0][force];
  return end->wrench[variable->target][force] - w[c].end;
}

static void state_conditions(const cosim_cut *cut, double H, const cosim_snapshot *end, const cosim_approximations *w,
                             const cosim_law_gradients *gradients, const terms *x, int level, double *residual) {
  const cosim_element *element = cut->element;
  for (int v = 0; v < cut->scheme.n_variables; v++) {
    const cosim_variable *variable = &cut->scheme.variable[v];
    const int *component;
    const int n = cosim_components(element, variable->kind, &component);
    const int n_new = cosim_n_new(&cut->scheme, variable->kind);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n_new; j++) {
        const int c = component[i];
        if (variable->kind == COSIM_ACCELERATION)
          *residual++ = acceleration_condition(variable, end, w->of[0], element->force[i], c);
        else if (variable->kind != COSIM_FORCE)
          *residual++ = motion_condition(variable, end, w->of[v], c, j);
        else if (element->n_rows == 0)
          *residual++ = force_condition(cut, x, w->of[v], c, j);
        else if (i < element->n_rows)
          *residual++ = gap_condition(&cut->scheme, H, &x->gaps, i, j, level);
        else
          *residual++ = transmission_condition(cut, gradients, w->of[v], i, j);
      }
  }
}

void cosim_evaluate_law_gradients(const cosim_cut *cut, const cosim_step_interval *step,
                                  cosim_law_gradients *gradients) {
  const cosim_element *element = cut->element;
  if (element->n_rows == 0)
    element->ops->wrench_gradients(element, step->end->motion, gradients->Wx, gradients->Wv);
  else if (has_untransmittable(element))
    evaluate_untransmittable(cut, step, gradients);
}

void cosim_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, int level,
                      double *residual) {
  const bool checks_wrench = has_untransmittable(cut->element);
  terms x;
  cosim_law_gradients gradients;
  take_terms(cut, step, &x);
  if (checks_wrench)
    evaluate_untransmittable(cut, step, &gradients);
  state_conditions(cut, step->H, step->end, w, checks_wrench ? &gradients : NULL, &x, level, residual);
}

void cosim_condition_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                 const cosim_law_gradients *gradients, const cosim_snapshot *seed,
                                 const cosim_approximations *w_seed, int level, double *derivatives) {
  terms x;
  change_terms(cut, step->end->motion, gradients, seed->motion, &x);
  state_conditions(cut, step->H, seed, w_seed, gradients, &x, level, derivatives);
}
