/* Residuals R(w) of the conditions, and their derivatives by the new values w of the coupling variables,
 *
 *   dR/dw = ∂R/∂w + Σ over parts ∂R/∂outputs · d outputs/dw.
 *
 * Each new value that drives a part makes a seed of the part. The part gives the derivatives of its outputs along its
 * seeds. These derivatives enter the conditions of every coupling at the part. */
#include "cosim/coupling/master.h"

#include <float.h>
#include <math.h>
#include <string.h>

static cosim_step_interval interval_of(const cosim_master *master, const cosim_coupling *c, double H) {
  return (cosim_step_interval){.t = master->t,
                               .H = H,
                               .begin = &c->begin,
                               .end = &c->last.end,
                               .inner = c->last.inner,
                               .of_kinked = c->gradients_are_frozen ? &c->gradients : NULL};
}

void cosim_fill_residual(cosim_master *master, double H, int level) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    if (!c->corrects)
      continue;
    const cosim_step_interval step = interval_of(master, c, H);
    cosim_evaluate_approximations(c, H);
    cosim_conditions(c->cut, &step, &c->w, level, master->residual + c->first_unknown);
  }
}

static void enter_column(cosim_master *master, const cosim_coupling *c, double H, int level,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, int unknown) {
  const cosim_step_interval step = interval_of(master, c, H);
  cosim_condition_derivatives(c->cut, &step, &c->gradients, seed, w_seed, level, master->work);
  for (int i = 0; i < c->n_unknowns; i++)
    cosim_interface_add(master->interface, c->first_unknown + i, unknown, master->work[i]);
}

/* Returns row · x: the change of a gap or wrench component by the motion x of one side. */
static inline double change_along(const cosim_element *element, const double *row, const double *x) {
  const int *dim = element->dim;
  double sum = row[dim[0]] * x[dim[0]];
  if (element->n_dims > 1)
    sum += row[dim[1]] * x[dim[1]];
  if (element->n_dims > 2)
    sum += row[dim[2]] * x[dim[2]];
  return sum;
}

/* Adds the effect of one seed on the conditions, through the motion of one side, to column `unknown` of dR/dw. The
 * coupling satisfies cosim_conditions_add_motions(). D: derivatives of the part's outputs along the seed; x, v and a
 * are those of the side's motion. At a joint the conditions g change by J x, and their rate at the end by J v + J' x.
 * At a force element the conditions change by -(Wx x + Wv v), and their rate at the end by -(Wx v + Wv a). */
static void enter_motions(cosim_master *master, const cosim_coupling *c, int side, const cosim_member *m,
                          const double *D, int unknown) {
  const cosim_element *element = c->cut->element;
  const cosim_side *at = &c->cut->side[side];
  const bool is_joint = element->n_rows > 0;
  const double sign = is_joint ? 1 : -1;
  const int s = c->cut->scheme.order;
  const int first = side * COSIM_MAX_DIMS;
  const double *end = D + m->n_nodes * m->part->n_outputs;
  int unit = c->first_unknown;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const int row = is_joint ? (int)(slot - c->slots) : slot->component;
    for (int j = 0; j < s; j++) {
      const double *outputs = j == 0 ? end : D + c->row[j - 1] * m->part->n_outputs;
      double change = change_along(element, c->gradients.Wx[j][row] + first, outputs + at->position);
      if (!is_joint)
        change += change_along(element, c->gradients.Wv[j][row] + first, outputs + at->velocity);
      cosim_interface_add(master->interface, unit++, unknown, sign * change);
    }
    const double *driving = end + (is_joint ? at->position : at->acceleration);
    const double change = change_along(element, c->gradients.Wx[0][row] + first, end + at->velocity) +
                          change_along(element, c->gradients.Wv[0][row] + first, driving);
    cosim_interface_add(master->interface, unit++, unknown, sign * change);
  }
}

/* Adds the derivatives of a coupling's conditions by all new values that drive one of its parts, a column for each seed
 * of the part. */
static void enter_derivatives(cosim_master *master, int part, const cosim_incidence *at, double H, int level) {
  static const cosim_approximations unchanged;
  const cosim_member *m = &master->parts->member[part];
  const cosim_coupling *c = &master->couplings[at->coupling];
  const cosim_element *element = c->cut->element;
  const cosim_method method = c->cut->scheme.method;
  const bool by_motions = cosim_conditions_add_motions(c->cut);
  /* The derivative of g'' by a force that is constant over the step may consist of round-off only. Derivatives
   * of conditions g'' = 0 are therefore compared with those of g' divided by H (docs/conventions.md, Pitfalls). */
  const bool expects_g2 = (method == COSIM_PROJECTION || (method == COSIM_WEIGHTED && level == 2)) &&
                          c->rules[0].variable->kind == COSIM_FORCE;
  cosim_step_outputs seed = {0}; /* zero except outputs of the part on this side */
  for (int d = 0; d < m->n_seeds && c->corrects; d++) {
    const double *D = cosim_member_derivatives(m, d);
    const int unknown = master->refs[part][d].unknown;
    double g[COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS];
    if (by_motions) {
      enter_motions(master, c, at->side, m, D, unknown);
      continue;
    }
    cosim_copy_step_outputs(c, at->side, m, D, &seed);
    enter_column(master, c, H, level, &seed, &unchanged, unknown);
    if (!expects_g2)
      continue;
    element->ops->residual_derivatives(element, c->last.end.motion, seed.end.motion, g, gd, gdd);
    for (int row = 0; row < element->n_rows; row++)
      cosim_interface_expect(master->interface, c->first_unknown + row, fabs(gd[row]) / H);
  }
}

/* Adds ∂R/∂w, the direct effect of a coupling's new values on its conditions. If cosim_conditions_add_motions() is
 * true, the values have no direct effect at a joint, whose gaps depend on the force λ through motions only. At a force
 * element they enter the conditions λ = W directly by λ alone, and the last condition λ' = W' by λ' alone. */
static void enter_direct(cosim_master *master, const cosim_coupling *c, double H, int level) {
  static const cosim_step_outputs unchanged;
  const bool by_motions = cosim_conditions_add_motions(c->cut);
  int unknown = c->first_unknown;
  if (by_motions && c->cut->element->n_rows > 0)
    return;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++) {
    const cosim_variable_rules *q = slot->rules;
    const int first = unknown;
    for (int j = 0; j < q->n_new; j++, unknown++)
      if (by_motions) {
        if (j < c->cut->scheme.order)
          cosim_interface_add(master->interface, unknown, unknown, 1);
        cosim_interface_add(master->interface, first + q->n_new - 1, unknown, q->corrector.end_slope_new[j] / H);
      } else {
        cosim_approximations w = {0};
        w.of[q->number][slot->component] = cosim_unit_approximation(q, j, H);
        enter_column(master, c, H, level, &unchanged, &w, unknown);
      }
  }
}

void cosim_enter_interface(cosim_master *master, double H, int level) {
  for (int p = 0; p < master->parts->n; p++)
    for (int i = 0; i < master->n_incidences[p]; i++)
      enter_derivatives(master, p, &master->incidences[p][i], H, level);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    enter_direct(master, c, H, level);
}

/* Gradients are frozen because the rate W' of a law's force W jumps at a kink. If the end of the step lies near a kink,
 * perhaps no new values of the force λ meet the condition λ' = W'. At the end of a contact, the stiffness tends to zero
 * as √δ with the penetration δ; no linearisation describes this. */
bool cosim_freeze_gradients(cosim_master *master, double H, bool is_slow) {
  bool freezes = false;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const cosim_element *element = c->cut->element;
    if (c->gradients_are_frozen ||
        !(c->cut->scheme.method == COSIM_COLLOCATION && c->cut->scheme.n_variables == 1 &&
          c->cut->element->n_rows == 0 && !c->cut->element->is_affine) ||
        !((is_slow && element->switches) || cosim_law_rate_jumps(element, c->before, c->last.end.motion)))
      continue;
    const cosim_step_interval step = interval_of(master, c, H);
    cosim_evaluate_law_gradients(c->cut, &step, &c->w, &c->gradients);
    c->gradients_are_frozen = true;
    freezes = true;
  }
  return freezes;
}

seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    if (c->corrects && !c->gradients_are_frozen) {
      const cosim_step_interval step = interval_of(master, c, H);
      cosim_evaluate_law_gradients(c->cut, &step, &c->w, &c->gradients);
    }
  cosim_interface_begin(master->interface);
  cosim_enter_interface(master, H, level);
  return cosim_interface_factor(master->interface, error);
}

/* Adds |∂R/∂y| ε |y| of an output y of a part to the residuals. of_seed: the entry of `seed` (zero) for y. */
static void add_rounding(cosim_master *master, const cosim_coupling *c, double H, const cosim_step_outputs *seed,
                         double *of_seed, double y, int level) {
  static const cosim_approximations unchanged;
  const cosim_step_interval step = interval_of(master, c, H);
  *of_seed = DBL_EPSILON * y;
  cosim_condition_derivatives(c->cut, &step, &c->gradients, seed, &unchanged, level, master->work);
  *of_seed = 0;
  for (int i = 0; i < c->n_unknowns; i++)
    master->residual[c->first_unknown + i] += fabs(master->work[i]);
}

static void fill_rounding(cosim_master *master, double H, int level) {
  memset(master->residual, 0, (size_t)master->n_unknowns * sizeof *master->residual);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const double *nodes;
    const int n_inner = c->cut->scheme.method == COSIM_COLLOCATION ? cosim_inner_nodes(&c->cut->scheme, &nodes) : 0;
    cosim_step_outputs seed = {0};
    for (int j = -1; j < n_inner && c->corrects; j++) /* the end, then inner nodes */
      for (int side = 0; side < 2; side++) {
        cosim_snapshot *of_seed = j < 0 ? &seed.end : &seed.inner[j];
        const cosim_snapshot *at = j < 0 ? &c->last.end : &c->last.inner[j];
        cosim_motion *m = &of_seed->motion[side];
        for (int i = 0; i < COSIM_MAX_DIMS; i++) {
          add_rounding(master, c, H, &seed, &m->x[i], at->motion[side].x[i], level);
          add_rounding(master, c, H, &seed, &m->v[i], at->motion[side].v[i], level);
          add_rounding(master, c, H, &seed, &m->a[i], at->motion[side].a[i], level);
          add_rounding(master, c, H, &seed, &m->p[i], at->motion[side].p[i], level);
        }
        for (int i = 0; i < COSIM_MAX_FORCES; i++)
          add_rounding(master, c, H, &seed, &of_seed->wrench[side][i], at->wrench[side][i], level);
      }
  }
}

/* Before the call, the matrix of the last level must be factored. */
double cosim_rounding_of_increment(cosim_master *master, double H) {
  const size_t n = (size_t)master->n_unknowns;
  int worst = 0;
  memset(master->rounding, 0, n * sizeof *master->rounding);
  for (int level = master->n_levels - 1; level >= 0; level--) {
    if (level < master->n_levels - 1 && cosim_fill_interface(master, H, level, NULL) != SEAM_OK)
      return 0;
    fill_rounding(master, H, level);
    for (size_t i = 0; i < n; i++) {
      memset(master->work, 0, n * sizeof *master->work);
      master->work[i] = master->residual[i];
      cosim_interface_solve(master->interface, master->work);
      for (size_t j = 0; j < n; j++)
        master->rounding[j] += fabs(master->weight[level] * master->work[j]);
    }
  }
  return cosim_relative_size(master, master->rounding, &worst);
}
