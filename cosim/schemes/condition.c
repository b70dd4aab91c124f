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
 * transmit the wrench at each new node. */
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

/* ---- Conditions at the end of the step ---- */

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

/* Quantities in the conditions of a cut, or changes of them. */
typedef struct terms {
  double W[COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES], W_integral[COSIM_MAX_FORCES];
  double g[COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS]; /* residuals of a joint, and their rates */
} terms;

/* Finds the rows of gradients->untransmittable. */
static void find_transmission_rows(const cosim_cut *cut, const cosim_step_interval *step,
                                   cosim_law_gradients *gradients) {
  const int n_new = cosim_n_new(&cut->scheme, COSIM_FORCE);
  const double node[COSIM_MAX_NEW + 1] = {1, n_new > 1 ? cut->scheme.nodes[0] : 0,
                                          n_new > 2 ? cut->scheme.nodes[1] : 0};
  for (int j = 0; j < n_new && j < COSIM_MAX_NEW; j++) {
    /* A piecewise constant wrench must be transmittable in the middle of each piece. */
    const double s = cut->scheme.order == 0 ? (node[j] + node[j + 1]) / 2 : node[j];
    cosim_motion at[2];
    for (int side = 0; side < 2; side++)
      at[side] = cosim_motion_between(&step->begin->motion[side], &step->end->motion[side], step->H, s);
    cosim_untransmittable(cut->element, at, gradients->untransmittable[j]);
  }
}

/* Returns the residual of the condition for new value j of force component i. */
static double force_condition(const cosim_cut *cut, double H, const cosim_approximation *w,
                              const cosim_law_gradients *gradients, const terms *x, int i, int j, int level) {
  const cosim_scheme *scheme = &cut->scheme;
  const int n_rows = cut->element->n_rows;
  const int c = cut->element->force[i];
  double sum = 0;
  if (n_rows == 0 && j == 0)
    return w[c].end - x->W[c];
  if (n_rows == 0)
    return scheme->method == COSIM_D ? w[c].rate - x->W_rate[c] : w[c].integral - x->W_integral[c];
  if (i < n_rows && scheme->method == COSIM_BAUMGARTE) {
    const double unit = scheme->is_physical ? 1 : H;
    return x->g[i] + scheme->beta * unit * x->gd[i] + scheme->gamma * unit * unit * x->gdd[i];
  }
  if (i < n_rows) {
    const double by_level[3] = {x->g[i], x->gd[i], x->gdd[i]};
    return by_level[scheme->method == COSIM_WEIGHTED ? level : scheme->method == COSIM_PROJECTION ? 2 : j];
  }
  for (int k = 0; k < COSIM_MAX_FORCES; k++) /* condition: the joint can transmit the wrench */
    sum += gradients->untransmittable[j][i - n_rows][k] * w[k].new_value[j];
  return sum;
}

static void state_conditions(const cosim_cut *cut, double H, const cosim_snapshot *end, const cosim_approximations *w,
                             const cosim_law_gradients *gradients, const terms *x, int level, double *residual) {
  const cosim_element *element = cut->element;
  for (int v = 0; v < cut->scheme.n_variables; v++) {
    const cosim_variable *variable = &cut->scheme.variable[v];
    const cosim_motion *m = &end->motion[variable->source < 0 ? 0 : variable->source];
    const int *component;
    const int n = cosim_components(element, variable->kind, &component);
    const int n_new = cosim_n_new(&cut->scheme, variable->kind);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n_new; j++) {
        const int c = component[i];
        const int force = element->force[i];
        const cosim_approximation *of = &w->of[v][c];
        if (variable->kind == COSIM_FORCE)
          *residual++ = force_condition(cut, H, w->of[v], gradients, x, i, j, level);
        else if (variable->kind == COSIM_POSITION)
          *residual++ = j == 0 ? of->end - m->x[c] : of->integral - m->p[c];
        else if (variable->kind == COSIM_VELOCITY)
          *residual++ = j == 0 ? of->end - m->v[c] : of->rate - m->a[c];
        else if (variable->target < 0)
          *residual++ = end->wrench[1][force] - end->wrench[0][force];
        else /* variable 0 is the force on the other side */
          *residual++ = end->wrench[variable->target][force] - w->of[0][c].end;
      }
  }
}

/* ---- Conditions of collocation ---- */

/* Collocation with s stages, in a step of length H; τ is the time since the beginning of the step, divided by H. Sides
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

/* Wrenches W of the law and gaps g of a joint, or changes of them: at the end, then at inner nodes. */
typedef struct collocated_terms {
  double W[COSIM_MAX_STAGES][COSIM_MAX_FORCES], W_rate[COSIM_MAX_FORCES];
  double g[COSIM_MAX_STAGES][COSIM_MAX_DIMS], g_rate[COSIM_MAX_DIMS];
  double projection_rate[COSIM_MAX_FORCES]; /* P' λ at the end */
} collocated_terms;

static const cosim_motion *motions_at(const cosim_step_interval *step, int j) {
  return j == 0 ? step->end->motion : step->inner[j - 1].motion;
}

/* Sets m to the motions at which the law is evaluated, or changes of them, at the end (j = 0) or at an inner node. A
 * motion that is sent to the other side is replaced by its approximation. */
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
                                 collocated_terms *x) {
  double lambda[COSIM_MAX_FORCES];
  for (int i = 0; i < COSIM_MAX_FORCES; i++)
    lambda[i] = w->of[0][i].end;
  if (cosim_has_untransmittable(element))
    cosim_untransmittable_rate(element, end, end, lambda, x->projection_rate);
}

static void evaluate_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                           collocated_terms *x) {
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

/* Finds the changes of the terms when outputs change by `seed` and approximations by `w_seed`. Neglects changes of N
 * and P with the motions; corrections converge without them. */
static void change_terms(const cosim_cut *cut, const cosim_step_interval *step, const cosim_law_gradients *gradients,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, collocated_terms *x) {
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

/* Returns the residual of the condition for new value j of force component i; the last j is for the rate. */
static double collocated_force_condition(const cosim_cut *cut, const cosim_approximation *w,
                                         const cosim_law_gradients *gradients, const collocated_terms *x, int i,
                                         int j) {
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

static void write_collocated(const cosim_cut *cut, const cosim_snapshot *end, const cosim_snapshot *inner,
                             const cosim_approximations *w, const cosim_law_gradients *gradients,
                             const collocated_terms *x, double *residual) {
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
          *residual++ = collocated_force_condition(cut, w->of[v], gradients, x, i, j);
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

static void find_stage_rows(const cosim_cut *cut, const cosim_step_interval *step, cosim_law_gradients *gradients) {
  for (int j = 0; j < cut->scheme.order && cosim_has_untransmittable(cut->element); j++)
    cosim_untransmittable(cut->element, motions_at(step, j), gradients->untransmittable[j]);
}

/* ---- All methods ---- */

void cosim_evaluate_law_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  cosim_law_gradients *gradients) {
  const cosim_element *element = cut->element;
  if (cut->scheme.method == COSIM_COLLOCATION) {
    for (int j = cut->scheme.order - 1; j >= 0; j--)
      if (element->n_rows == 0) {
        motions_of_law(cut, step->end, step->inner, w, j, gradients->end);
        element->ops->wrench_gradients(element, gradients->end, gradients->Wx[j], gradients->Wv[j]);
      } else {
        element->ops->residual_gradients(element, motions_at(step, j), gradients->Wx[j], gradients->Wv[j]);
      }
    find_stage_rows(cut, step, gradients);
  } else if (element->n_rows == 0)
    element->ops->wrench_gradients(element, step->end->motion, gradients->Wx[0], gradients->Wv[0]);
  else if (cosim_has_untransmittable(element))
    find_transmission_rows(cut, step, gradients);
}

void cosim_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, int level,
                      double *residual) {
  const cosim_element *element = cut->element;
  const cosim_motion *m = step->end->motion;
  const bool checks_wrench = cosim_has_untransmittable(element);
  cosim_law_gradients gradients;
  if (cut->scheme.method == COSIM_COLLOCATION) {
    collocated_terms at_nodes;
    evaluate_terms(cut, step, w, &at_nodes);
    find_stage_rows(cut, step, &gradients);
    write_collocated(cut, step->end, step->inner, w, &gradients, &at_nodes, residual);
    return;
  }
  terms x;
  if (element->n_rows > 0)
    element->ops->residuals(element, step->t + step->H, m, x.g, x.gd, x.gdd);
  else if (cut->scheme.variable[0].kind == COSIM_FORCE) { /* a force, if there is one, is variable 0 */
    element->ops->wrench(element, m, x.W);
    if (cut->scheme.method == COSIM_D)
      cosim_law_rate(element, m, x.W_rate);
    if (cut->scheme.method == COSIM_I)
      integrate_law(element, step, x.W_integral);
  }
  if (checks_wrench)
    find_transmission_rows(cut, step, &gradients);
  state_conditions(cut, step->H, step->end, w, checks_wrench ? &gradients : NULL, &x, level, residual);
}

bool cosim_conditions_add_motions(const cosim_cut *cut) {
  const bool adds = cut->element->n_rows > 0 ? !cosim_has_untransmittable(cut->element) : cut->element->is_affine;
  return cut->scheme.method == COSIM_COLLOCATION && cut->scheme.n_variables == 1 &&
         cut->scheme.variable[0].kind == COSIM_FORCE && adds;
}

void cosim_condition_derivatives(const cosim_cut *cut, const cosim_step_interval *step,
                                 const cosim_law_gradients *gradients, const cosim_step_outputs *seed,
                                 const cosim_approximations *w_seed, int level, double *derivatives) {
  if (cut->scheme.method == COSIM_COLLOCATION) {
    collocated_terms at_nodes;
    change_terms(cut, step, gradients, seed, w_seed, &at_nodes);
    write_collocated(cut, &seed->end, seed->inner, w_seed, gradients, &at_nodes, derivatives);
    return;
  }
  const cosim_element *element = cut->element;
  const cosim_motion *m = step->end->motion;
  const cosim_motion *change = seed->end.motion;
  const double *Wx = *gradients->Wx[0];
  const double *Wv = *gradients->Wv[0];
  terms x = {.W = {0}};
  if (element->n_rows > 0)
    element->ops->residual_derivatives(element, m, change, x.g, x.gd, x.gdd);
  else if (cut->scheme.variable[0].kind == COSIM_FORCE) {
    cosim_law_change(Wx, Wv, change, x.W);
    if (cut->scheme.method == COSIM_D)
      cosim_law_rate_change(element, Wx, Wv, m, change, x.W_rate);
    if (cut->scheme.method == COSIM_I) {
      cosim_add_product(COSIM_MAX_FORCES, Wx, change[0].p, change[1].p, x.W_integral);
      cosim_add_product(COSIM_MAX_FORCES, Wv, change[0].x, change[1].x, x.W_integral);
    }
  }
  state_conditions(cut, step->H, &seed->end, w_seed, gradients, &x, level, derivatives);
}
