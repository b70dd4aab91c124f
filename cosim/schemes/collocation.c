/* Conditions of collocation with s stages. A coupling variable is a force λ, or a motion x̃ that a side receives. Its
 * residual r is zero at inner nodes, c_j or e_k (collocation_rule.c), and, with its rate, at the end. x and v are the
 * motions of the sides. ff, fd, df and dd say what sides 1 and 2 receive, a force (f) or a motion (d):
 *
 *   r(c_j) = 0,   r(1) = 0,   r'(1) = 0
 *
 *   force at a force element   r = λ - W(x, v). If a side receives x̃ in place of the other side's motion, W is
 *                              evaluated with x̃ and its rates, so that λ is the force on the receiving side
 *   motion                     r = x̃ - x; inner nodes e_k in dd
 *   force at a joint           r = g and r = Nᵀ λ. N(x) is a basis of the wrenches that the joint cannot transmit,
 *                              P the projection onto these wrenches. Nᵀ λ has the rate Nᵀ (λ' + P' λ). Inner nodes
 *                              e_k in fd and df
 *   acceleration at a joint    μ is the force that a prescribed acceleration requires. At the Gauss points q_i,
 *                              fd: μ of the driven side = λ        dd: μ of side 2 = μ of side 1
 *
 * The only past value used is the motion at the beginning, from which x̃ starts. In dd at joints side 1 receives an
 * acceleration ã, side 2 receives ã + δ(τ). δ closes the gap g that the joint has at the beginning of the step, where
 * g' is its rate. δ is the second derivative of the cubic that starts with g and g' and ends with value and rate zero,
 *
 *   δ = [(12 τ - 6) g + (6 τ - 4) H g'] / H²
 *
 * with the length H of the step and the time τ since its beginning, divided by H. (docs/theory.md, Collocation) */
#include <string.h>

#include "cosim/schemes/condition.h"
#include "cosim/schemes/cut_law.h"
#include "cosim/schemes/transmission.h"

/* Wrenches W of the law and gaps g of a joint in the conditions, or changes of them: at the end, then at inner
 * nodes. */
typedef struct terms {
  double W[COSIM_MAX_STAGES][COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES];
  double g[COSIM_MAX_STAGES][COSIM_MAX_DIMS], g_rate[COSIM_MAX_DIMS];
  double projection_rate[COSIM_MAX_FORCES]; /* P' λ at the end */
} terms;

static const cosim_motion *motions_at(const cosim_step_interval *step, int j) {
  return j == 0 ? step->end->motion : step->inner[j - 1].motion;
}

/* Sets m to the motions at which the law is evaluated, or to changes of them, at the end (j = 0) or at an inner node.
 * If a side's motion is sent to the other side, m contains its approximation as received there; else the motion
 * itself. */
static void motions_of_law(const cosim_cut *cut, const cosim_snapshot *end, const cosim_snapshot *inner,
                           const cosim_approximations *w, int j, cosim_motion m[2]) {
  const cosim_scheme *scheme = &cut->scheme;
  memcpy(m, (j == 0 ? end : &inner[j - 1])->motion, 2 * sizeof *m);
  for (int v = 0; v < scheme->n_variables; v++)
    for (int i = 0; i < cut->element->n_dims && scheme->variable[v].kind == COSIM_MOTION; i++) {
      const int c = cut->element->dim[i];
      const cosim_approximation *of = &w->of[v][c];
      cosim_motion *received = &m[scheme->variable[v].source];
      received->x[c] = j == 0 ? of->end : of->inner[j - 1];
      received->v[c] = j == 0 ? of->rate : of->inner_rate[j - 1];
      received->a[c] = of->second_rate;
    }
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
  const cosim_motion *end = step->end->motion;
  if (cut->scheme.variable[0].kind != COSIM_FORCE)
    return;
  if (element->n_rows > 0) {
    const double *inner;
    double rate[COSIM_MAX_DIMS], second_rate[COSIM_MAX_DIMS];
    cosim_inner_nodes(&cut->scheme, &inner);
    element->ops->residuals(element, step->t + step->H, end, x->g[0], x->g_rate, second_rate);
    for (int j = 1; j < cut->scheme.order; j++)
      element->ops->residuals(element, step->t + inner[j - 1] * step->H, motions_at(step, j), x->g[j], rate,
                              second_rate);
    find_projection_rate(element, end, w, x);
    return;
  }
  for (int j = cut->scheme.order - 1; j >= 0; j--) {
    cosim_motion m[2];
    motions_of_law(cut, step->end, step->inner, w, j, m);
    element->ops->wrench(element, m, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by_gradients(*step->of_kinked->Wx[0], *step->of_kinked->Wv[0], m, x->W_rate);
    else if (j == 0)
      cosim_law_rate(element, m, x->W_rate);
  }
}

/* Finds the changes of the terms for the changes `seed` and `w_seed` of outputs and approximations. Changes of N and P
 * with the motions are neglected; corrections converge without them. */
static void change_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_law_gradients *gradients,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, terms *x) {
  const cosim_element *element = cut->element;
  memset(x, 0, sizeof *x);
  if (cut->scheme.variable[0].kind != COSIM_FORCE)
    return;
  if (element->n_rows > 0) {
    const cosim_motion *end = seed->end.motion;
    cosim_add_product(element->n_rows, *gradients->Wx[0], end[0].v, end[1].v, x->g_rate);
    cosim_add_product(element->n_rows, *gradients->Wv[0], end[0].x, end[1].x, x->g_rate);
    for (int j = 0; j < cut->scheme.order; j++) {
      const cosim_motion *m = j == 0 ? end : seed->inner[j - 1].motion;
      cosim_add_product(element->n_rows, *gradients->Wx[j], m[0].x, m[1].x, x->g[j]);
    }
    find_projection_rate(element, step->end->motion, w_seed, x);
    return;
  }
  for (int j = cut->scheme.order - 1; j >= 0; j--) {
    cosim_motion change[2];
    motions_of_law(cut, &seed->end, seed->inner, w_seed, j, change);
    cosim_law_change(*gradients->Wx[j], *gradients->Wv[j], change, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by_gradients(*gradients->Wx[0], *gradients->Wv[0], change, x->W_rate);
    else if (j == 0)
      cosim_law_rate_change(element, *gradients->Wx[0], *gradients->Wv[0], gradients->end, change, x->W_rate);
  }
}

/* ---- Conditions of new value j of a component; the last condition is on the rate ---- */

static double force_condition(const cosim_cut *cut, const cosim_approximation *w, const cosim_law_gradients *gradients,
                              const terms *x, int i, int j) {
  const bool is_rate = j == cut->scheme.order;
  const int n_rows = cut->element->n_rows;
  const int c = cut->element->force[i];
  double sum = 0;
  if (n_rows == 0)
    return is_rate ? w[c].rate - x->W_rate[c] : w[c].new_value[j] - x->W[j][c];
  if (i < n_rows)
    return is_rate ? x->g_rate[i] : x->g[j][i];
  const double *N = gradients->untransmittable[is_rate ? 0 : j][i - n_rows];
  for (int k = 0; k < COSIM_MAX_FORCES; k++)
    sum += N[k] * (is_rate ? w[k].rate + x->projection_rate[k] : w[k].new_value[j]);
  return sum;
}

static void write_conditions(const cosim_cut *cut, const cosim_snapshot *end, const cosim_snapshot *inner,
                             const cosim_approximations *w, const cosim_law_gradients *gradients, const terms *x,
                             double *residual) {
  const cosim_scheme *scheme = &cut->scheme;
  int first; /* first inner node with multipliers */
  cosim_multiplier_nodes(scheme, &first);
  for (int v = 0; v < scheme->n_variables; v++) {
    const cosim_variable *variable = &scheme->variable[v];
    const int *component;
    const int n = cosim_components(cut->element, variable->kind, &component);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= scheme->order; j++) {
        const int c = component[i];
        const int force = cut->element->force[i]; /* component of the wrench for the row */
        const cosim_snapshot *at = j == 0 ? end : &inner[j - 1];
        if (variable->kind == COSIM_FORCE)
          *residual++ = force_condition(cut, w->of[v], gradients, x, i, j);
        else if (variable->kind == COSIM_MOTION && j == scheme->order)
          *residual++ = w->of[v][c].rate - end->motion[variable->source].v[c];
        else if (variable->kind == COSIM_MOTION)
          *residual++ = w->of[v][c].new_value[j] - at->motion[variable->source].x[c];
        else if (variable->target < 0)
          *residual++ = inner[first + j].wrench[1][force] - inner[first + j].wrench[0][force];
        else /* μ of the driven side = λ */
          *residual++ = inner[first + j].wrench[variable->target][force] - w->of[0][force].inner[first + j];
      }
  }
}

static void evaluate_untransmittable(const cosim_cut *cut, const cosim_step_interval *step,
                                     cosim_law_gradients *gradients) {
  for (int j = 0; j < cut->scheme.order && cosim_has_untransmittable(cut->element); j++)
    cosim_untransmittable(cut->element, motions_at(step, j), gradients->untransmittable[j]);
}

void cosim_collocation_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                 cosim_law_gradients *gradients) {
  const cosim_element *element = cut->element;
  for (int j = cut->scheme.order - 1; j >= 0; j--)
    if (element->n_rows == 0) {
      motions_of_law(cut, step->end, step->inner, w, j, gradients->end);
      element->ops->wrench_gradients(element, gradients->end, gradients->Wx[j], gradients->Wv[j]);
    } else {
      element->ops->residual_gradients(element, motions_at(step, j), gradients->Wx[j], gradients->Wv[j]);
    }
  evaluate_untransmittable(cut, step, gradients);
}

void cosim_collocation_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  double *residual) {
  terms x;
  cosim_law_gradients gradients;
  evaluate_terms(cut, step, w, &x);
  evaluate_untransmittable(cut, step, &gradients);
  write_conditions(cut, step->end, step->inner, w, &gradients, &x, residual);
}

void cosim_collocation_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                   const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                   const cosim_approximations *w_seed, double *derivatives) {
  terms x;
  change_terms(cut, step, gradients, seed, w_seed, &x);
  write_conditions(cut, &seed->end, seed->inner, w_seed, gradients, &x, derivatives);
}
