/* Residuals of the conditions R(w) and their derivatives by the new values w,
 *
 *   dR/dw = ∂R/∂w + Σ over parts ∂R/∂outputs · d outputs/dw.
 *
 * A part gives the derivatives of its outputs for each new value that drives it; every coupling at such a part has rows
 * there. */
#include "cosim/master/master_internal.h"

#include <math.h>

static cosim_step_interval interval_of(const cosim_master *master, const cosim_coupling *c, double H) {
  return (cosim_step_interval){.t = master->t, .H = H, .begin = &c->begin, .end = &c->last.end, .inner = c->last.inner};
}

void cosim_fill_residual(cosim_master *master, double H, int level) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    if (!c->corrects)
      continue;
    const cosim_step_interval step = interval_of(master, c, H);
    cosim_take_approximations(c, H);
    cosim_conditions(c->cut, &step, &c->w, level, master->residual + c->first_unknown);
  }
}

static void put_column(cosim_master *master, const cosim_coupling *c, double H, int level, const cosim_outcome *seed,
                       const cosim_approximations *w_seed, int unknown) {
  const cosim_step_interval step = interval_of(master, c, H);
  cosim_condition_derivatives(c->cut, &step, &c->gradients, seed, w_seed, level, master->work);
  for (int i = 0; i < c->n_unknowns; i++)
    cosim_interface_put(master->interface, c->first_unknown + i, unknown, master->work[i]);
}

static bool asks_for_acceleration_alone(const cosim_scheme *scheme, int level) {
  return scheme->method == COSIM_PROJECTION || (scheme->method == COSIM_WEIGHTED && level == 2);
}

/* Forces that change g' by some amount change g'' by about as much over H, or determine nothing: the derivative for a
 * force that is held over the step can be zero but for rounding (docs/conventions.md, Pitfalls). */
static void expect_acceleration(cosim_master *master, const cosim_coupling *c, double H, const cosim_snapshot *seed) {
  const cosim_element *element = c->cut->element;
  double g[COSIM_MAX_DIMS];
  double gd[COSIM_MAX_DIMS];
  double gdd[COSIM_MAX_DIMS];
  if (c->quantity[0].variable->kind != COSIM_FORCE)
    return;
  element->ops->residual_derivatives(element, c->last.end.motion, seed->motion, g, gd, gdd);
  for (int row = 0; row < element->n_rows; row++)
    cosim_interface_expect(master->interface, c->first_unknown + row, fabs(gd[row]) / H);
}

/* Of a gap by the motion x of one side, with the row of its gradient. */
static double gap_change(const cosim_element *element, const double *Wx, const double *x) {
  double sum = 0;
  for (int k = 0; k < element->n_dims; k++)
    sum += Wx[element->dim[k]] * x[element->dim[k]];
  return sum;
}

/* The column of a seed at a joint whose gaps are the conditions: those of the motion of one side alone. */
static void put_gaps(cosim_master *master, const cosim_coupling *c, int side, const cosim_member *m, const double *D,
                     int unknown) {
  const cosim_element *element = c->cut->element;
  const cosim_side *at = &c->cut->side[side];
  const int s = c->cut->scheme.order;
  const int first = side * COSIM_MAX_DIMS;
  const double *end = D + m->n_nodes * m->part->n_outputs;
  int row = c->first_unknown;
  for (int i = 0; i < element->n_rows; i++) {
    for (int j = 0; j < s; j++) {
      const double *outputs = j == 0 ? end : D + c->row[j - 1] * m->part->n_outputs;
      const double change = gap_change(element, c->gradients.Wx[j][i] + first, outputs + at->position);
      cosim_interface_put(master->interface, row++, unknown, change);
    }
    cosim_interface_put(master->interface, row++, unknown,
                        gap_change(element, c->gradients.Wx[0][i] + first, end + at->velocity) +
                            gap_change(element, c->gradients.Wv[0][i] + first, end + at->position));
  }
}

/* The column of a seed by all conditions of a coupling; `seed`: zero but for what the part on this side writes. */
static void put_conditions_of(cosim_master *master, const cosim_coupling *c, double H, int level, cosim_outcome *seed,
                              int side, const cosim_member *m, const double *D, int unknown) {
  static const cosim_approximations unchanged;
  cosim_take_outcome(c, side, m, D, seed);
  put_column(master, c, H, level, seed, &unchanged, unknown);
  if (asks_for_acceleration_alone(&c->cut->scheme, level))
    expect_acceleration(master, c, H, &seed->end);
}

/* Effect of changes of the inputs of a part on a coupling at the part. */
static void put_derivatives(cosim_master *master, int part, const cosim_incidence *at, double H, int level) {
  const cosim_member *m = &master->parts->member[part];
  const cosim_coupling *c = &master->couplings[at->coupling];
  const bool by_gaps = cosim_conditions_are_of_outputs(c->cut);
  cosim_outcome seed = {0};
  for (int d = 0; d < m->n_seeds && c->corrects; d++) {
    const double *D = cosim_member_derivatives(m, d);
    const int unknown = master->refs[part][d].unknown;
    if (by_gaps)
      put_gaps(master, c, at->side, m, D, unknown);
    else
      put_conditions_of(master, c, H, level, &seed, at->side, m, D, unknown);
  }
}

/* ∂R/∂w: effect of the new values of a coupling on its conditions. */
static void put_own(cosim_master *master, const cosim_coupling *c, double H, int level) {
  static const cosim_outcome unchanged;
  int unknown = c->first_unknown;
  const bool has_effect = c->corrects && !cosim_conditions_are_of_outputs(c->cut);
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && has_effect; slot++)
    for (int j = 0; j < slot->quantity->n_new; j++) {
      cosim_approximations w = {0};
      w.of[slot->quantity->number][slot->component] = cosim_unit_approximation(slot->quantity, j, H);
      put_column(master, c, H, level, &unchanged, &w, unknown++);
    }
}

void cosim_put_interface(cosim_master *master, double H, int level) {
  for (int p = 0; p < master->parts->n; p++)
    for (int i = 0; i < master->n_incidences[p]; i++)
      put_derivatives(master, p, &master->incidences[p][i], H, level);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    put_own(master, c, H, level);
}

seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    if (c->corrects) {
      const cosim_step_interval step = interval_of(master, c, H);
      cosim_evaluate_law_gradients(c->cut, &step, &c->w, &c->gradients);
    }
  cosim_interface_begin(master->interface);
  cosim_put_interface(master, H, level);
  return cosim_interface_factor(master->interface, error);
}
