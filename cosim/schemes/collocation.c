/* With s stages, inner nodes c_j or e_k (collocation_rule.c), and r the residual of a transmitted quantity,
 *
 *   r(c_j) = 0,   r(1) = 0,   r'(1) = 0
 *
 *   force at a force element   r = λ - W(x, v), with x̃, ṽ, ã instead of x, v, a if a side received them: λ is the
 *                              force on the driven side
 *   motion                     r = x̃ - x; in dd at e_k
 *   force at a joint           r = g; of wrenches that the joint cannot transmit, Nᵀ λ = 0 with N(x), whose rate is
 *                              Nᵀ (λ' + P' λ), P the projection onto them; in fd and df at e_k
 *   acceleration at a joint    at the Gauss points q_i, μ the force that a prescribed acceleration requires:
 *                              fd: μ of the driven side = λ        dd: μ of side 2 = μ of side 1
 *
 * The only value of the past is the motion at the beginning, from which x̃ continues. In dd at joints side 2 receives
 * ã + δ(τ), δ being the second derivative of the cubic that brings the gap and its rate at the beginning to zero at the
 * end,
 *
 *   δ = [(12 τ - 6) g + (6 τ - 4) H g'] / H²
 *
 * (docs/theory.md, Collocation) */
#include "cosim/schemes/collocation.h"

#include <string.h>

#include "cosim/schemes/cut_law.h"
#include "cosim/schemes/transmission.h"

/* Terms with which the approximations are compared, or changes of them; [0] at the end, then at the inner nodes. */
typedef struct terms {
  double W[COSIM_MAX_STAGES][COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES];
  double g[COSIM_MAX_STAGES][COSIM_MAX_DIMS], g_rate[COSIM_MAX_DIMS];
  double turned[COSIM_MAX_FORCES]; /* P' λ at the end */
} terms;

static const cosim_motion *motions_at(const cosim_step_interval *step, int j) {
  return j == 0 ? step->end->motion : step->inner[j - 1].motion;
}

static bool has_force(const cosim_cut *cut) { return cut->scheme.variable[0].kind == COSIM_FORCE; }

static void end_values(const cosim_approximation *w, double lambda[COSIM_MAX_FORCES]) {
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    lambda[i] = w[i].end;
}

static void take_gaps(const cosim_cut *cut, const cosim_step_interval *step, terms *x) {
  const cosim_element *element = cut->element;
  const double *inner;
  double rate[COSIM_MAX_DIMS];
  double second_rate[COSIM_MAX_DIMS];
  element->ops->residuals(element, step->t + step->H, motions_at(step, 0), x->g[0], x->g_rate, second_rate);
  cosim_inner_nodes(&cut->scheme, &inner);
  for (int j = 1; j < cut->scheme.order; j++)
    element->ops->residuals(element, step->t + inner[j - 1] * step->H, motions_at(step, j), x->g[j], rate, second_rate);
}

/* Sets the motions in the law, at the end (j = 0) or at an inner node, or changes of them. */
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

static void take_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, terms *x) {
  const cosim_element *element = cut->element;
  if (!has_force(cut))
    return;
  if (element->n_rows > 0) {
    double lambda[COSIM_MAX_FORCES];
    take_gaps(cut, step, x);
    end_values(w->of[0], lambda);
    if (cosim_has_untransmittable(element))
      cosim_untransmittable_rate(element, motions_at(step, 0), motions_at(step, 0), lambda, x->turned);
    return;
  }
  for (int j = cut->scheme.order - 1; j >= 0; j--) {
    cosim_motion m[2];
    motions_of_law(cut, step->end, step->inner, w, j, m);
    element->ops->wrench(element, m, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by(*step->of_kinked->Wx[0], *step->of_kinked->Wv[0], m, x->W_rate);
    else if (j == 0)
      cosim_law_rate(element, m, x->W_rate);
  }
}

static void change_gaps(const cosim_cut *cut, const cosim_step_interval *step, const cosim_law_gradients *gradients,
                        const cosim_step_outputs *seed, const cosim_approximations *w_seed, terms *x) {
  const cosim_motion *end = seed->end.motion;
  double lambda[COSIM_MAX_FORCES];
  cosim_add_product(cut->element->n_rows, *gradients->Wx[0], end[0].v, end[1].v, x->g_rate);
  cosim_add_product(cut->element->n_rows, *gradients->Wv[0], end[0].x, end[1].x, x->g_rate);
  for (int j = 0; j < cut->scheme.order; j++) {
    const cosim_motion *m = j == 0 ? end : seed->inner[j - 1].motion;
    cosim_add_product(cut->element->n_rows, *gradients->Wx[j], m[0].x, m[1].x, x->g[j]);
  }
  end_values(w_seed->of[0], lambda);
  if (cosim_has_untransmittable(cut->element))
    cosim_untransmittable_rate(cut->element, motions_at(step, 0), motions_at(step, 0), lambda, x->turned);
}

/* Changes of N and P by the motions are neglected: corrections contract without them. */
static void change_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_law_gradients *gradients,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, terms *x) {
  const cosim_element *element = cut->element;
  memset(x, 0, sizeof *x);
  if (!has_force(cut))
    return;
  if (element->n_rows > 0) {
    change_gaps(cut, step, gradients, seed, w_seed, x);
    return;
  }
  for (int j = cut->scheme.order - 1; j >= 0; j--) {
    cosim_motion change[2];
    motions_of_law(cut, &seed->end, seed->inner, w_seed, j, change);
    cosim_law_change(*gradients->Wx[j], *gradients->Wv[j], change, x->W[j]);
    if (j == 0 && step->of_kinked != NULL)
      cosim_rate_by(*gradients->Wx[0], *gradients->Wv[0], change, x->W_rate);
    else if (j == 0)
      cosim_law_rate_change(element, *gradients->Wx[0], *gradients->Wv[0], gradients->end, change, x->W_rate);
  }
}

/* ---- Conditions of new value j of a component; the last is that of the rate ---- */

static double motion_condition(const cosim_cut *cut, const cosim_variable *variable, const cosim_snapshot *end,
                               const cosim_snapshot *inner, const cosim_approximation *w, int c, int j) {
  if (j == cut->scheme.order)
    return w[c].rate - end->motion[variable->source].v[c];
  return w[c].new_value[j] - (j == 0 ? end : &inner[j - 1])->motion[variable->source].x[c];
}

/* `force`: component of the wrench for the row. */
static double multiplier_condition(const cosim_scheme *scheme, const cosim_variable *variable,
                                   const cosim_snapshot *inner, const cosim_approximation *force_driving, int force,
                                   int j) {
  int first;
  cosim_multiplier_nodes(scheme, &first);
  const cosim_snapshot *at = &inner[first + j];
  const bool in_both = variable->target < 0;
  return at->wrench[in_both ? 1 : variable->target][force] -
         (in_both ? at->wrench[0][force] : force_driving[force].inner[first + j]);
}

static double force_condition(const cosim_cut *cut, const terms *x, const cosim_approximation *w, int c, int j) {
  return j == cut->scheme.order ? w[c].rate - x->W_rate[c] : w[c].new_value[j] - x->W[j][c];
}

static double joint_condition(const cosim_cut *cut, const terms *x, const cosim_law_gradients *gradients,
                              const cosim_approximation *w, int i, int j) {
  const bool is_rate = j == cut->scheme.order;
  const int row = i - cut->element->n_rows;
  double sum = 0;
  if (row < 0)
    return is_rate ? x->g_rate[i] : x->g[j][i];
  for (int k = 0; k < COSIM_MAX_FORCES; k++)
    sum +=
        gradients->untransmittable[is_rate ? 0 : j][row][k] * (is_rate ? w[k].rate + x->turned[k] : w[k].new_value[j]);
  return sum;
}

static void put_conditions(const cosim_cut *cut, const cosim_snapshot *end, const cosim_snapshot *inner,
                           const cosim_approximations *w, const cosim_law_gradients *gradients, const terms *x,
                           double *residual) {
  const cosim_scheme *scheme = &cut->scheme;
  for (int v = 0; v < scheme->n_variables; v++) {
    const cosim_variable *variable = &scheme->variable[v];
    const int *component;
    const int n = cosim_components(cut->element, variable->kind, &component);
    for (int i = 0; i < n; i++)
      for (int j = 0; j <= scheme->order; j++)
        if (variable->kind == COSIM_ACCELERATION)
          *residual++ = multiplier_condition(scheme, variable, inner, w->of[0], cut->element->force[i], j);
        else if (variable->kind == COSIM_MOTION)
          *residual++ = motion_condition(cut, variable, end, inner, w->of[v], component[i], j);
        else if (cut->element->n_rows == 0)
          *residual++ = force_condition(cut, x, w->of[v], component[i], j);
        else
          *residual++ = joint_condition(cut, x, gradients, w->of[v], i, j);
  }
}

static void take_untransmittable(const cosim_cut *cut, const cosim_step_interval *step,
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
  take_untransmittable(cut, step, gradients);
}

void cosim_collocation_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  double *residual) {
  terms x;
  cosim_law_gradients gradients;
  take_terms(cut, step, w, &x);
  take_untransmittable(cut, step, &gradients);
  put_conditions(cut, step->end, step->inner, w, &gradients, &x, residual);
}

void cosim_collocation_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                   const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                   const cosim_approximations *w_seed, double *derivatives) {
  terms x;
  change_terms(cut, step, gradients, seed, w_seed, &x);
  put_conditions(cut, &seed->end, seed->inner, w_seed, gradients, &x, derivatives);
}
