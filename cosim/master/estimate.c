/* Error of a collocation step, from the step itself. The embedded solution w + δw has transmitted polynomials of one
 * degree less and does without the last condition of each, that of its rate at the end:
 *
 *   J δw = Σ μ_c e_c,   top(w + δw) = 0,   ε = max(|δx(1)|, min(H, 1 / Ω) |δv(1)|)
 *
 * with e_c the row of that condition, top the leading coefficients, J and δx, δv of the corrections; at a force element
 * of stiffness c an error of the velocity becomes one of the position within 1 / Ω, Ω² = c (α₁ + α₂); at a joint it
 * does not. (docs/theory.md, Collocation.) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "cosim/master/master_internal.h"

/* Slots of couplings with collocation, with the number of their first unknown. */
typedef struct collocated {
  const cosim_slot *slot;
  int first;
} collocated;

struct cosim_estimate {
  int n;
  collocated *at;  /* (n) */
  double *columns; /* (n_unknowns x n), column by column: J⁻¹ e_c */
  double *tops;    /* (n x n), column by column: top of them */
  double *mu;      /* (n) */
  double *change;  /* (n_unknowns) δw */
  int *pivots;     /* (n) */
};

void cosim_estimate_destroy(cosim_estimate *self) {
  if (self == NULL)
    return;
  free(self->at);
  free(self->columns);
  free(self->pivots);
  free(self);
}

static int list_slots(const cosim_master *master, collocated *at) {
  int n = 0;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    int first = c->first_unknown;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; first += slot->quantity->n_new, slot++)
      if (c->cut->scheme.method == COSIM_COLLOCATION)
        at[n++] = (collocated){slot, first};
  }
  return n;
}

cosim_estimate *cosim_estimate_create(const cosim_master *master) {
  cosim_estimate *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  self->at = calloc((size_t)master->n_slots + 1, sizeof *self->at);
  if (self->at != NULL)
    self->n = list_slots(master, self->at);
  const size_t n = (size_t)self->n;
  const size_t n_unknowns = (size_t)master->n_unknowns;
  self->columns = calloc(n * (n_unknowns + n + 1) + n_unknowns + 1, sizeof *self->columns);
  self->pivots = calloc(n + 1, sizeof *self->pivots);
  if (self->at == NULL || self->columns == NULL || self->pivots == NULL) {
    cosim_estimate_destroy(self);
    return NULL;
  }
  self->tops = self->columns + n * n_unknowns;
  self->mu = self->tops + n * n;
  self->change = self->mu + n;
  return self;
}

/* ---- Leading coefficients ---- */

static int degree_of(const cosim_slot *slot) {
  return slot->quantity->n_new - 1 + (slot->quantity->variable->kind == COSIM_MOTION ? 2 : 0);
}

/* Of the polynomial with these new values (n_new), without what history adds. */
static double top(const cosim_slot *slot, const double *values) {
  const cosim_rule *rule = &slot->quantity->corrector;
  const int degree = degree_of(slot);
  double sum = 0;
  for (int j = 0; j < rule->n_new; j++)
    sum += values[j] * rule->of_new[j].c[0][degree];
  return sum;
}

static void fill(cosim_master *master, cosim_estimate *self) {
  const size_t n_unknowns = (size_t)master->n_unknowns;
  memset(self->columns, 0, (size_t)self->n * n_unknowns * sizeof *self->columns);
  for (int b = 0; b < self->n; b++) {
    double *column = self->columns + (size_t)b * n_unknowns;
    column[self->at[b].first + self->at[b].slot->quantity->n_new - 1] = 1;
    cosim_interface_solve(master->interface, column);
    for (int a = 0; a < self->n; a++)
      self->tops[b * self->n + a] = top(self->at[a].slot, column + self->at[a].first);
    self->mu[b] = -self->at[b].slot->last[degree_of(self->at[b].slot)];
  }
}

/* ---- Errors ---- */

/* Shorter of H and 1 / Ω, Ω² = c (α₁ + α₂) of the stiffest coordinate of a force element: for this time an error of the
 * velocity grows into one of the position. 0 at joints. */
static double growing_time(const cosim_master *master, const cosim_coupling *c, double H) {
  const cosim_element *element = c->cut->element;
  double stiffest = 0;
  for (int i = 0; i < element->n_dims && element->n_rows == 0; i++) {
    const int k = element->dim[i];
    double sum = 0;
    for (int side = 0; side < 2; side++) {
      const cosim_side *at = &c->cut->side[side];
      const int n_outputs = master->parts->member[at->part].part->n_outputs;
      if (at->force_input >= 0 && at->acceleration >= 0 && master->adapts)
        sum += fabs(c->gradients.Wx[0][k][k + side * COSIM_MAX_DIMS] *
                    master->instants[at->part].end[(at->force_input + k) * n_outputs + at->acceleration + k]);
    }
    stiffest = fmax(stiffest, sum);
  }
  return element->n_rows > 0 ? 0 : fmin(H, 1 / sqrt(stiffest));
}

static double error_of(const cosim_master *master, const cosim_coupling *c, int side, const double *change,
                       double time) {
  const cosim_side *at = &c->cut->side[side];
  double largest = 0;
  for (int i = 0; i < c->cut->element->n_dims; i++) {
    const int k = c->cut->element->dim[i];
    const double dx = fabs(cosim_change_at_end(master, at->part, at->position + k, change));
    const double dv = fabs(cosim_change_at_end(master, at->part, at->velocity + k, change));
    const double error = fmax(dx, time * dv);
    if (!(error <= largest))
      largest = error;
  }
  return largest;
}

double cosim_master_estimate(cosim_master *master, double H) {
  cosim_estimate *self = master->estimate;
  const size_t n_unknowns = (size_t)master->n_unknowns;
  double largest = 0;
  fill(master, self);
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, self->n, 1, self->tops, self->n, self->pivots, self->mu, self->n) != 0)
    return INFINITY;
  memset(self->change, 0, n_unknowns * sizeof *self->change);
  for (int b = 0; b < self->n; b++)
    for (size_t i = 0; i < n_unknowns; i++)
      self->change[i] += self->mu[b] * self->columns[(size_t)b * n_unknowns + i];
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int side = 0; side < 2 && c->cut->scheme.method == COSIM_COLLOCATION; side++) {
      const double error = error_of(master, c, side, self->change, growing_time(master, c, H));
      if (!(error <= largest))
        largest = error;
    }
  return largest;
}

int cosim_master_stages(const cosim_master *master) {
  int least = 0;
  for (const cosim_cut *cut = master->cuts; cut < master->cuts + master->n_couplings && master->all_collocate; cut++)
    if (least == 0 || cut->scheme.order < least)
      least = cut->scheme.order;
  return least;
}
