/* Conditions over a macro step of length H. λ, x̃ and ṽ are the coupling variables that approximate force, position and
 * velocity; x, v and a are motions of markers, and ' denotes a rate. p is ∫x over the step, x_N is x at its beginning.
 *
 * At a force element with the law W(x, v), the plain method has the first condition of a row, the methods D and I have
 * a second one. In the row `force` the motions are those of both sides, else those of the side that sends them:
 *
 *   force      λ = W(x, v)     D: λ' = ∂W/∂x v + ∂W/∂v a     I: ∫λ = ∂W/∂x p + ∂W/∂v (x - x_N) + W(0) H
 *   position   x̃ = x                                         I: ∫x̃ = p
 *   velocity   ṽ = v           D: ṽ' = a
 *
 * W(0) is W at x = v = 0. At a joint, let g be the residuals, μ the force that a prescribed acceleration requires, and
 * β and γ factors:
 *
 *   force         Baumgarte  g + β g' + γ g'' = 0      weighted  one of g, g', g'' = 0      projection  g'' = 0
 *                 index 2    g = g' = 0                index 1   g = g' = g'' = 0
 *   acceleration  fd: μ of the driven side = λ         dd: μ of side 2 = μ of side 1
 *
 * A wrench may have more components than the joint has constraints. Further conditions then say that the joint can
 * transmit the wrench at each new node.
 *
 * Collocation with s stages, in a step of length H; τ is the time since the beginning of the step, divided by H. Sides
 * 1 and 2 receive a force (f) or a motion (d): ff, fd, df or dd. A coupling variable is a force λ, or a motion x̃ that
 * a side receives. Its residual r is zero at s - 1 inner nodes, c_j or e_k (scheme.c), and at the end, where its rate
 * is zero too:
 *
 *   r(c_j) = 0,   r(1) = 0,   r'(1) = 0
 *
 * x and v are the motions of the sides, g the residuals of a joint. N(x) is a basis of the wrenches that a joint cannot
 * transmit, P the projection onto them. μ is the force that a prescribed acceleration requires.
 *
 *   force at a force element   r = λ - W(x, v). If a side receives x̃ in place of the other side's motion, W is
 *                              evaluated with x̃ and its rates, so that λ is the force on the receiving side
 *   motion                     r = x̃ - x; inner nodes e_k in dd
 *   force at a joint           r = (g, Nᵀ λ), so that the joint can transmit λ; the rate of Nᵀ λ is Nᵀ (λ' + P' λ);
 *                              inner nodes e_k in fd and df
 *   acceleration at a joint    at the Gauss points q_i,
 *                              fd: μ of the driven side = λ        dd: μ of side 2 = μ of side 1
 *
 * x̃ starts from the motion at the beginning; no other past value is used. In dd at joints side 1 receives an
 * acceleration ã, and side 2 receives ã + δ(τ). If the joint has a gap g with the rate g' at the beginning of the step,
 * δ closes it. δ is the second derivative of the cubic that starts with g and g' and ends with value and rate zero:
 *
 *   δ = [(12 τ - 6) g + (6 τ - 4) H g'] / H²
 *
 * (docs/theory.md, Collocation) */
#include "cosim/schemes/condition.h"

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

/* ---- Terms of the conditions ---- */

/* Wrenches W of the law and residuals g of a joint, or changes of them: first at the end; with collocation also at
 * inner nodes. Rates and integrals belong to the end. */
typedef struct terms {
  double W[COSIM_MAX_STAGES][COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES], W_integral[COSIM_MAX_FORCES];
  double g[COSIM_MAX_STAGES][COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS];
  double projection_rate[COSIM_MAX_FORCES]; /* collocation: P' λ */
} terms;

static bool collocates(const cosim_cut *cut) { return cut->scheme.method == COSIM_COLLOCATION; }

/* Returns the number of times, the end and inner nodes, at which the conditions of a force contain W or g. */
static int n_stages(const cosim_cut *cut) { return collocates(cut) ? cut->scheme.order : 1; }

/* Returns true if a force is among the coupling variables. Without one, no condition contains W or g. */
static bool has_force(const cosim_cut *cut) { return cut->scheme.variable[0].kind == COSIM_FORCE; }

static const cosim_motion *motions_at(const cosim_step_interval *step, int j) {
  return j == 0 ? step->end->motion : step->inner[j - 1].motion;
}

/* Returns the motions at which the law is evaluated, or changes of them, at the end (j = 0) or at an inner node. With
 * collocation, an approximation replaces a motion that is sent to the other side; `replaced` is memory for this. */
static const cosim_motion *motions_of_law(const cosim_cut *cut, const cosim_snapshot *end, const cosim_snapshot *inner,
                                          const cosim_approximations *w, int j, cosim_motion replaced[2]) {
  const cosim_scheme *scheme = &cut->scheme;
  const cosim_motion *m = (j == 0 ? end : &inner[j - 1])->motion;
  if (scheme->variable[scheme->n_variables - 1].kind != COSIM_MOTION)
    return m;
  memcpy(replaced, m, 2 * sizeof *m);
  for (int v = 0; v < scheme->n_variables; v++)
    for (int i = 0; i < cut->element->n_dims && scheme->variable[v].kind == COSIM_MOTION; i++) {
      const int c = cut->element->dim[i];
      const cosim_approximation *of = &w->of[v][c];
      cosim_motion *received = &replaced[scheme->variable[v].source];
      received->x[c] = j == 0 ? of->end : of->inner[j - 1];
      received->v[c] = j == 0 ? of->rate : of->inner_rate[j - 1];
      received->a[c] = of->second_rate;
    }
  return replaced;
}

/* Finds the integral of W over a step from the integrals of the motions; the law must be affine. */
static void integrate_law(const cosim_element *element, const cosim_step_interval *step, double *integral) {
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

/* Finds P' λ at the end. */
static void find_projection_rate(const cosim_element *element, const cosim_motion end[2], const cosim_approximations *w,
                                 terms *x) {
  double lambda[COSIM_MAX_FORCES];
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    lambda[i] = w->of[0][i].end;
  if (cosim_has_untransmittable(element))
    cosim_untransmittable_rate(element, end, end, lambda, x->projection_rate);
}

static void evaluate_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                           terms *x) {
  const cosim_element *element = cut->element;
  const cosim_method method = cut->scheme.method;
  const double *inner = NULL;
  if (!has_force(cut))
    return;
  if (element->n_rows > 0)
    cosim_inner_nodes(&cut->scheme, &inner);
  for (int j = n_stages(cut) - 1; j >= 0; j--) { /* the end comes last: its rates remain in gd, gdd and W_rate */
    cosim_motion replaced[2];
    if (element->n_rows > 0) {
      const double t = step->t + (j == 0 ? step->H : inner[j - 1] * step->H);
      element->ops->residuals(element, t, motions_at(step, j), x->g[j], x->gd, x->gdd);
      continue;
    }
    const cosim_motion *m = motions_of_law(cut, step->end, step->inner, w, j, replaced);
    element->ops->wrench(element, m, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by_gradients(*step->of_kinked->Wx[0], *step->of_kinked->Wv[0], m, x->W_rate);
    else if (j == 0 && (method == COSIM_D || method == COSIM_COLLOCATION))
      cosim_law_rate(element, m, x->W_rate);
  }
  if (method == COSIM_I)
    integrate_law(element, step, x->W_integral);
  if (method == COSIM_COLLOCATION && element->n_rows > 0)
    find_projection_rate(element, step->end->motion, w, x);
}

/* Finds the changes of the terms when outputs change by `seed` and approximations by `w_seed`. Neglects changes of N
 * and P with the motions; corrections converge without them. */
static void change_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_law_gradients *gradients,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, terms *x) {
  const cosim_element *element = cut->element;
  const cosim_method method = cut->scheme.method;
  const cosim_motion *end = seed->end.motion;
  const double *Wx = *gradients->Wx[0], *Wv = *gradients->Wv[0];
  *x = (terms){.W = {{0}}};
  if (!has_force(cut))
    return;
  if (element->n_rows > 0 && method != COSIM_COLLOCATION) {
    element->ops->residual_derivatives(element, step->end->motion, end, x->g[0], x->gd, x->gdd);
    return;
  }
  if (element->n_rows > 0) {
    cosim_add_product(element->n_rows, Wx, end[0].v, end[1].v, x->gd);
    cosim_add_product(element->n_rows, Wv, end[0].x, end[1].x, x->gd);
    for (int j = 0; j < n_stages(cut); j++) {
      const cosim_motion *m = j == 0 ? end : seed->inner[j - 1].motion;
      cosim_add_product(element->n_rows, *gradients->Wx[j], m[0].x, m[1].x, x->g[j]);
    }
    find_projection_rate(element, step->end->motion, w_seed, x);
    return;
  }
  for (int j = n_stages(cut) - 1; j >= 0; j--) {
    cosim_motion replaced[2];
    const cosim_motion *change = motions_of_law(cut, &seed->end, seed->inner, w_seed, j, replaced);
    cosim_law_change(*gradients->Wx[j], *gradients->Wv[j], change, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by_gradients(Wx, Wv, change, x->W_rate);
    else if (j == 0 && (method == COSIM_D || method == COSIM_COLLOCATION))
      cosim_law_rate_change(element, Wx, Wv, gradients->end, change, x->W_rate);
  }
  if (method == COSIM_I) {
    cosim_add_product(COSIM_MAX_FORCES, Wx, end[0].p, end[1].p, x->W_integral);
    cosim_add_product(COSIM_MAX_FORCES, Wv, end[0].x, end[1].x, x->W_integral);
  }
}

/* Finds the rows of gradients->untransmittable. */
static void find_untransmittable(const cosim_cut *cut, const cosim_step_interval *step,
                                 cosim_law_gradients *gradients) {
  const cosim_scheme *scheme = &cut->scheme;
  const int n = collocates(cut) ? scheme->order : cosim_n_new(scheme, COSIM_FORCE);
  const double node[] = {1, n > 1 ? scheme->nodes[0] : 0, n > 2 ? scheme->nodes[1] : 0, 0};
  for (int j = 0; j < n; j++) {
    const cosim_motion *m = motions_at(step, collocates(cut) ? j : 0);
    cosim_motion between[2];
    for (int side = 0; side < 2 && !collocates(cut); side++) {
      /* A piecewise constant wrench must be transmittable in the middle of each piece. */
      const double s = scheme->order == 0 ? (node[j] + node[j + 1]) / 2 : node[j];
      between[side] = cosim_motion_between(&step->begin->motion[side], &m[side], step->H, s);
    }
    cosim_untransmittable(cut->element, collocates(cut) ? m : between, gradients->untransmittable[j]);
  }
}

/* ---- Conditions ---- */

/* Returns the residual of the condition for new value j of force component i. The first conditions of collocation are
 * those for values at the end and at inner nodes, the last one is for the rate. */
static double force_condition(const cosim_cut *cut, double H, const cosim_approximation *w,
                              const cosim_law_gradients *gradients, const terms *x, int i, int j, int level) {
  const cosim_scheme *scheme = &cut->scheme;
  const int n_rows = cut->element->n_rows;
  const int c = cut->element->force[i];
  if (n_rows == 0 && j < n_stages(cut))
    return w[c].new_value[j] - x->W[j][c];
  if (n_rows == 0)
    return scheme->method == COSIM_I ? w[c].integral - x->W_integral[c] : w[c].rate - x->W_rate[c];
  const bool is_rate = collocates(cut) && j == scheme->order;
  if (i < n_rows && scheme->method == COSIM_BAUMGARTE) {
    const double unit = scheme->is_physical ? 1 : H;
    return x->g[0][i] + scheme->beta * unit * x->gd[i] + scheme->gamma * unit * unit * x->gdd[i];
  }
  if (i < n_rows && collocates(cut))
    return is_rate ? x->gd[i] : x->g[j][i];
  if (i < n_rows) {
    const double by_level[3] = {x->g[0][i], x->gd[i], x->gdd[i]};
    return by_level[scheme->method == COSIM_WEIGHTED ? level : scheme->method == COSIM_PROJECTION ? 2 : j];
  }
  const double *N = gradients->untransmittable[is_rate ? 0 : j][i - n_rows];
  double sum = 0;
  for (int k = 0; k < COSIM_MAX_FORCES; k++) /* condition: the joint can transmit the wrench */
    sum += N[k] * (is_rate ? w[k].rate + x->projection_rate[k] : w[k].new_value[j]);
  return sum;
}

/* Returns the residual of the condition for new value j of component c of a motion, position or velocity. */
static double motion_condition(const cosim_variable *variable, const cosim_snapshot *end, const cosim_snapshot *inner,
                               const cosim_approximation *w, int c, int j, bool is_last) {
  const cosim_motion *m = &end->motion[variable->source];
  if (variable->kind == COSIM_VELOCITY)
    return j == 0 ? w->end - m->v[c] : w->rate - m->a[c];
  if (j == 0)
    return w->end - m->x[c];
  if (variable->kind == COSIM_POSITION)
    return w->integral - m->p[c];
  return is_last ? w->rate - m->v[c] : w->new_value[j] - inner[j - 1].motion[variable->source].x[c];
}

/* Returns the residual of the condition for new value j of a prescribed acceleration, with the multiplier μ in
 * component `force` of the wrench. lambda: variable 0, if this is the force on the other side. */
static double multiplier_condition(const cosim_cut *cut, const cosim_variable *variable, const cosim_snapshot *end,
                                   const cosim_snapshot *inner, const cosim_approximation *lambda, int force, int j) {
  int first;
  const bool has_nodes = cosim_multiplier_nodes(&cut->scheme, &first) > 0;
  const cosim_snapshot *at = has_nodes ? &inner[first + j] : end;
  if (variable->target < 0)
    return at->wrench[1][force] - at->wrench[0][force];
  return at->wrench[variable->target][force] - (has_nodes ? lambda[force].inner[first + j] : lambda[force].end);
}

static void write_conditions(const cosim_cut *cut, double H, const cosim_snapshot *end, const cosim_snapshot *inner,
                             const cosim_approximations *w, const cosim_law_gradients *gradients, const terms *x,
                             int level, double *residual) {
  for (int v = 0; v < cut->scheme.n_variables; v++) {
    const cosim_variable *variable = &cut->scheme.variable[v];
    const int *component;
    const int n = cosim_components(cut->element, variable->kind, &component);
    const int n_new = cosim_n_new(&cut->scheme, variable->kind);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n_new; j++) {
        const int c = component[i];
        if (variable->kind == COSIM_FORCE)
          *residual++ = force_condition(cut, H, w->of[v], gradients, x, i, j, level);
        else if (variable->kind == COSIM_ACCELERATION)
          *residual++ = multiplier_condition(cut, variable, end, inner, w->of[0], cut->element->force[i], j);
        else
          *residual++ = motion_condition(variable, end, inner, &w->of[v][c], c, j, j == n_new - 1);
      }
  }
}

/* ---- Interface ---- */

void cosim_evaluate_law_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  cosim_law_gradients *gradients) {
  const cosim_element *element = cut->element;
  for (int j = n_stages(cut) - 1; j >= 0; j--)
    if (element->n_rows == 0) {
      cosim_motion replaced[2];
      memcpy(gradients->end, motions_of_law(cut, step->end, step->inner, w, j, replaced), sizeof gradients->end);
      element->ops->wrench_gradients(element, gradients->end, gradients->Wx[j], gradients->Wv[j]);
    } else if (collocates(cut))
      element->ops->residual_gradients(element, motions_at(step, j), gradients->Wx[j], gradients->Wv[j]);
  if (cosim_has_untransmittable(element))
    find_untransmittable(cut, step, gradients);
}

void cosim_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, int level,
                      double *residual) {
  cosim_law_gradients gradients;
  terms x;
  evaluate_terms(cut, step, w, &x);
  if (cosim_has_untransmittable(cut->element))
    find_untransmittable(cut, step, &gradients);
  write_conditions(cut, step->H, step->end, step->inner, w, &gradients, &x, level, residual);
}

bool cosim_conditions_add_motions(const cosim_cut *cut) {
  const bool adds = cut->element->n_rows > 0 ? !cosim_has_untransmittable(cut->element) : cut->element->is_affine;
  return collocates(cut) && cut->scheme.n_variables == 1 && has_force(cut) && adds;
}

void cosim_condition_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                 const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                 const cosim_approximations *w_seed, int level, double *derivatives) {
  terms x;
  change_terms(cut, step, gradients, seed, w_seed, &x);
  write_conditions(cut, step->H, &seed->end, seed->inner, w_seed, gradients, &x, level, derivatives);
}
