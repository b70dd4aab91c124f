/* Residuals of the conditions R(w) and their derivatives by the new values w,
 *
 *   dR/dw = ∂R/∂w + Σ over parts ∂R/∂outputs · d outputs/dw.
 *
 * The parts answer for each new value that drives them; every coupling that touches such a part has rows there. */
#include "cosim/master/master_internal.h"

#include <math.h>

void cosim_fill_residual(cosim_master *master, double H, int level) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    if (!c->corrects)
      continue;
    const cosim_moment moment = {.t = master->t + H, .H = H, .begin = c->begin};
    cosim_take_approximations(c, H);
    cosim_conditions(c->cut, &moment, &c->point, level, master->residual + c->first_unknown);
  }
}

static int unknown_of(const cosim_master *master, const cosim_unknown_ref *ref) {
  const cosim_coupling *c = &master->couplings[ref->coupling];
  int number = c->first_unknown;
  for (int v = 0; v < ref->variable; v++)
    number += c->quantity[v].n_slots * c->quantity[v].n_new;
  return number + ref->slot * c->quantity[ref->variable].n_new + ref->new_value;
}

static void put_rows(cosim_master *master, const cosim_coupling *c, double H, int level, const cosim_point *change,
                     int unknown) {
  const cosim_moment moment = {.t = master->t + H, .H = H, .begin = c->begin};
  cosim_condition_derivatives(c->cut, &moment, &c->point, &c->gradients, change, level, master->work);
  for (int i = 0; i < c->n_unknowns; i++)
    cosim_interface_put(master->interface, c->first_unknown + i, unknown, master->work[i]);
}

static bool asks_for_acceleration_alone(const cosim_scheme *scheme, int level) {
  return scheme->method == COSIM_PROJECTION || (scheme->method == COSIM_WEIGHTED && level == 2);
}

/* Forces that change g' by some amount change g'' by about as much over H, or determine nothing: the answer of a held
 * force can be zero but for rounding (docs/conventions.md, Pitfalls). */
static void expect_acceleration(cosim_master *master, const cosim_coupling *c, double H, const cosim_point *change) {
  const cosim_element *element = c->cut->element;
  double g[COSIM_MAX_DIMS];
  double gd[COSIM_MAX_DIMS];
  double gdd[COSIM_MAX_DIMS];
  if (c->quantity[0].variable->kind != COSIM_FORCE)
    return;
  element->ops->residual_changes(element, c->point.motion, change->motion, g, gd, gdd);
  for (int row = 0; row < element->n_rows; row++)
    cosim_interface_expect(master->interface, c->first_unknown + row, fabs(gd[row]) / H);
}

/* What a change of one input of a part does to all couplings that touch it. */
static void put_derivatives(cosim_master *master, int part, int direction, double H, int level) {
  const cosim_member *m = &master->parts->member[part];
  const double *answer = m->derivatives + (size_t)direction * (size_t)m->part->n_outputs;
  const int unknown = unknown_of(master, &master->refs[part][direction]);
  for (int i = 0; i < master->n_incidences[part]; i++) {
    const cosim_incidence *incidence = &master->incidences[part][i];
    const cosim_coupling *c = &master->couplings[incidence->coupling];
    cosim_point change = {0};
    if (!c->corrects)
      continue;
    cosim_take_outputs(c->cut, incidence->side, answer, &change);
    put_rows(master, c, H, level, &change, unknown);
    if (asks_for_acceleration_alone(&c->cut->scheme, level))
      expect_acceleration(master, c, H, &change);
  }
}

/* What the new values of a coupling do to its own conditions by themselves. */
static void put_own(cosim_master *master, int coupling, double H, int level) {
  const cosim_coupling *c = &master->couplings[coupling];
  int unknown = c->first_unknown;
  for (int v = 0; v < c->cut->scheme.n_variables && c->corrects; v++) {
    const cosim_quantity *q = &c->quantity[v];
    for (int s = 0; s < q->n_slots; s++)
      for (int j = 0; j < q->n_new; j++) {
        cosim_point change = {0};
        cosim_take_unit(c, v, j, H, &change.w[v][q->slots[s].component]);
        put_rows(master, c, H, level, &change, unknown++);
      }
  }
}

void cosim_put_interface(cosim_master *master, double H, int level) {
  for (int p = 0; p < master->parts->n; p++)
    for (int d = 0; d < master->parts->member[p].n_seeds; d++)
      put_derivatives(master, p, d, H, level);
  for (int c = 0; c < master->n_couplings; c++)
    put_own(master, c, H, level);
}

seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    if (c->corrects) {
      const cosim_moment moment = {.t = master->t + H, .H = H, .begin = c->begin};
      cosim_take_law_gradients(c->cut, &moment, &c->point, &c->gradients);
    }
  cosim_interface_begin(master->interface);
  cosim_put_interface(master, H, level);
  return cosim_interface_factor(master->interface, error);
}
