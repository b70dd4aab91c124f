/* Conditions of a variable at a constitutive cut, for the plain method and for the methods D and I. λ, x̃, ṽ are the
 * approximations of force, position and velocity over a macro step of length H. x, v, a are the motions of the markers
 * on both sides in the row `force`. In the other rows they are the motion of the side that sends it. W is the law of
 * the cut element, ' denotes a rate:
 *
 *   force      λ = W(x, v)     D: λ' = ∂W/∂x v + ∂W/∂v a     I: ∫λ = ∂W/∂x p + ∂W/∂v (x - x_N) + W(0) H
 *   position   x̃ = x                                         I: ∫x̃ = p
 *   velocity   ṽ = v           D: ṽ' = a
 *
 * where p = ∫x over the macro step, x_N is x at its beginning, and W(0) is W at x = v = 0. A constraint cut has other
 * conditions. g are its residuals, μ is the force that a prescribed acceleration requires, and β and γ are factors:
 *
 *   force         Baumgarte  g + β g' + γ g'' = 0      weighted  one of g, g', g'' = 0      projection  g'' = 0
 *                 index 2    g = g' = 0                index 1   g = g' = g'' = 0
 *   acceleration  fd: μ of the driven side = λ         dd: μ of side 2 = μ of side 1
 *
 * If the wrench has more components than the joint has constraints, further conditions say that the joint can transmit
 * the wrench at each new node. Collocation: collocation.c. */
#include "cosim/schemes/condition.h"

#include "cosim/schemes/cut_law.h"
#include "cosim/schemes/transmission.h"

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

static void evaluate_untransmittable(const cosim_cut *cut, const cosim_step_interval *step,
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

/* Returns the residual of the gap condition for scalar constraint r and new value j. */
static double gap_condition(const cosim_scheme *scheme, double H, const gaps *x, int r, int j, int level) {
  const double by_level[3] = {x->g[r], x->gd[r], x->gdd[r]};
  const double unit = scheme->is_physical ? 1 : H;
  if (scheme->method == COSIM_BAUMGARTE)
    return x->g[r] + scheme->beta * unit * x->gd[r] + scheme->gamma * unit * unit * x->gdd[r];
  return by_level[scheme->method == COSIM_WEIGHTED ? level : scheme->method == COSIM_PROJECTION ? 2 : j];
}

/* Returns the residual of the condition for force component i and new value j. */
static double force_condition(const cosim_cut *cut, double H, const cosim_approximation *w,
                              const cosim_law_gradients *gradients, const terms *x, int i, int j, int level) {
  const int n_rows = cut->element->n_rows;
  const int c = cut->element->force[i];
  double sum = 0;
  if (n_rows == 0 && j == 0)
    return w[c].end - x->W[c];
  if (n_rows == 0)
    return cut->scheme.method == COSIM_D ? w[c].rate - x->W_rate[c] : w[c].integral - x->W_integral[c];
  if (i < n_rows)
    return gap_condition(&cut->scheme, H, &x->gaps, i, j, level);
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

void cosim_evaluate_law_gradients(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w,
                                  cosim_law_gradients *gradients) {
  const cosim_element *element = cut->element;
  if (cut->scheme.method == COSIM_COLLOCATION)
    cosim_collocation_gradients(cut, step, w, gradients);
  else if (element->n_rows == 0)
    element->ops->wrench_gradients(element, step->end->motion, gradients->Wx[0], gradients->Wv[0]);
  else if (cosim_has_untransmittable(element))
    evaluate_untransmittable(cut, step, gradients);
}

void cosim_conditions(const cosim_cut *cut, const cosim_step_interval *step, const cosim_approximations *w, int level,
                      double *residual) {
  if (cut->scheme.method == COSIM_COLLOCATION) {
    cosim_collocation_conditions(cut, step, w, residual);
    return;
  }
  const cosim_element *element = cut->element;
  const cosim_motion *m = step->end->motion;
  const bool checks_wrench = cosim_has_untransmittable(element);
  terms x;
  cosim_law_gradients gradients;
  if (element->n_rows > 0)
    element->ops->residuals(element, step->t + step->H, m, x.gaps.g, x.gaps.gd, x.gaps.gdd);
  else if (cut->scheme.variable[0].kind == COSIM_FORCE) { /* a force, if there is one, is variable 0 */
    element->ops->wrench(element, m, x.W);
    if (cut->scheme.method == COSIM_D)
      cosim_law_rate(element, m, x.W_rate);
    if (cut->scheme.method == COSIM_I)
      cosim_law_integral(element, step, x.W_integral);
  }
  if (checks_wrench)
    evaluate_untransmittable(cut, step, &gradients);
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
    cosim_collocation_derivatives(cut, step, gradients, seed, w_seed, derivatives);
    return;
  }
  const cosim_element *element = cut->element;
  const cosim_motion *m = step->end->motion;
  const cosim_motion *change = seed->end.motion;
  const double *Wx = *gradients->Wx[0];
  const double *Wv = *gradients->Wv[0];
  terms x = {.W = {0}};
  if (element->n_rows > 0)
    element->ops->residual_derivatives(element, m, change, x.gaps.g, x.gaps.gd, x.gaps.gdd);
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
