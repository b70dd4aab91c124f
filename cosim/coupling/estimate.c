/* Estimates the error ε of a collocation step of length H with s stages, by comparison with an embedded solution. The
 * embedded solution omits the conditions on the rate at the end, and its polynomials have one degree less. Let w be the
 * new values of the step, w + δw those of the embedded solution, and J the interface matrix of the corrections. The
 * omitted conditions have unknown residuals μ_c, where c numbers them, and unit vectors e_c. top() denotes the leading
 * coefficients of polynomials, which are zero in the embedded solution:
 *
 *   J δw = Σ μ_c e_c,   top(w + δw) = 0
 *
 * δw changes positions and velocities at the end by δx(1) and δv(1):
 *
 *   ε = max(|δx(1)|, |θ δv(1)|),   θ: time over which an error of a velocity acts on a position.
 *
 * The maximum is over markers and all bodies, since errors may be much larger far from the cut. For markers the changes
 * follow from the derivatives of the step, for bodies from inertia. Errors of positions are divided by the scale of
 * length, errors of angles are in rad.
 *
 * T is the time scale of the motion so far, R the remaining time of the run. E is H or, if s = 1, the larger of H and
 * T. At a force element both sides would oscillate with the angular frequency Ω. Ω² is the element's stiffness times
 * the sum of the accelerations of both sides per unit of force; Ω is 0 if the master does not adapt derivatives. In
 * powers, H Ω counts as 1 at most. θ depends on the variable that has the error:
 *
 *   force of a force element     min(1 / Ω, E), since the element reverses the error after 1 / Ω
 *   force by a law with kinks    the same, but at least R (H Ω)^s: a contact may end before it reverses the error
 *   motion at a force element    max(H, T (H Ω)^s): the forces on both sides differ, and no spring
 *                                reverses the effect of their sum
 *   force at a joint             E for the component that the joint cannot transmit; 0 for the others, since their
 *                                error only opens the gap of the joint
 *   other variable at a joint    0, since its error only opens the gap of the joint
 *
 * Errors of velocities are O(H^(s + 1)) in the embedded solution. In the step they are smaller by a factor H^s, but the
 * errors of T / H steps add up. For s = 1 the factors H and 1 / H cancel, so that E is at least T. (docs/theory.md,
 * Collocation) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/arrays.h"
#include "cosim/coupling/master.h"
#include "mbs/dynamics/scales.h"

/* A slot of a collocation coupling, and its first unknown. */
typedef struct collocated {
  const cosim_slot *slot;
  int first;
} collocated;

struct cosim_estimate {
  int n;
  collocated *at;   /* (n) slots; each has one condition on the rate at the end */
  double *columns;  /* (n_unknowns x n), column by column: J⁻¹ e_c */
  double *leading;  /* (n x n), column by column: leading coefficients of `columns` */
  double *mu;       /* (n) μ_c */
  double *change;   /* (n_unknowns) δw; `weighted` follows in memory */
  double *weighted; /* (n_unknowns) θ δw */
  int *pivots;      /* (n) */
};

#define ESTIMATE_ARRAYS(X)                                                                                             \
  X(self, at, n)                                                                                                       \
  X(self, columns, n_unknowns *n)                                                                                      \
  X(self, leading, n *n)                                                                                               \
  X(self, mu, n)                                                                                                       \
  X(self, change, 2 * n_unknowns)                                                                                      \
  X(self, pivots, n)

void cosim_estimate_destroy(cosim_estimate *self) {
  if (self == NULL)
    return;
  ESTIMATE_ARRAYS(FREE_ARRAY)
  free(self);
}

cosim_estimate *cosim_estimate_create(const cosim_master *master) {
  const size_t n = (size_t)master->n_slots, n_unknowns = (size_t)master->n_unknowns;
  cosim_estimate *self = calloc(1, sizeof *self);
  const bool enough = self != NULL ESTIMATE_ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    cosim_estimate_destroy(self);
    return NULL;
  }
  self->weighted = self->change + n_unknowns;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    int first = c->first_unknown;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; first += slot->rules->n_new, slot++)
      if (c->cut->scheme.method == COSIM_COLLOCATION)
        self->at[self->n++] = (collocated){slot, first};
  }
  return self;
}

static int degree_of(const cosim_slot *slot) {
  return slot->rules->n_new - 1 + (slot->rules->variable->kind == COSIM_MOTION ? 2 : 0);
}

/* Returns |∂a/∂x| of a marker along coordinate k, by the stiffness of the force element's law. If the part receives the
 * motion of the other side, its feedthrough contains this stiffness. */
static double stiffness_along(const cosim_master *master, const cosim_coupling *c, int side, int k) {
  const cosim_side *at = &c->cut->side[side];
  const double *feedthrough = master->of_part[at->part].feedthrough.end;
  const int n_outputs = master->parts->member[at->part].part->n_outputs;
  if (at->acceleration < 0)
    return 0;
  if (at->force_input >= 0)
    return fabs(c->gradients.Wx[0][k][k + side * COSIM_MAX_DIMS] *
                feedthrough[(at->force_input + k) * n_outputs + at->acceleration + k]);
  return at->position_input >= 0 ? fabs(feedthrough[(at->position_input + k) * n_outputs + at->acceleration + k]) : 0;
}

/* Returns θ of a variable. */
static double acting_time(const cosim_master *master, const cosim_coupling *c, const cosim_slot *slot, double H,
                          const cosim_durations *of) {
  const int order = c->cut->scheme.order;
  const bool is_force = slot->rules->variable->kind == COSIM_FORCE;
  const int k = slot->component < COSIM_MAX_DIMS ? slot->component : 2;
  const double most = order == 1 ? fmax(H, of->motion) : H;
  if (c->cut->element->n_rows > 0)
    return is_force ? most : 0;
  const double omega = master->adapts ? sqrt(stiffness_along(master, c, 0, k) + stiffness_along(master, c, 1, k)) : 0;
  const double less = pow(fmin(1, H * omega), order);
  if (!is_force)
    return fmax(H, of->motion * less);
  const double usual = fmin(most, 1 / omega);
  return c->cut->element->has_kinks ? fmax(usual, of->remaining * less) : usual;
}

/* Sets up the equations for μ from the leading coefficients. δw changes no past values, which therefore add no terms to
 * `leading`. If is_done, slot->last is the step's polynomial; else the polynomial follows from the new values. */
static void fill(cosim_master *master, cosim_estimate *self, bool is_done) {
  const size_t n_unknowns = (size_t)master->n_unknowns;
  memset(self->columns, 0, (size_t)self->n * n_unknowns * sizeof *self->columns);
  for (int b = 0; b < self->n; b++) {
    double *column = self->columns + (size_t)b * n_unknowns;
    const cosim_slot *of_step = self->at[b].slot;
    column[self->at[b].first + of_step->rules->n_new - 1] = 1;
    cosim_interface_solve(master->interface, column);
    for (int a = 0; a < self->n; a++) {
      const cosim_slot *slot = self->at[a].slot;
      const cosim_rule *rule = &slot->rules->corrector;
      const double *values = column + self->at[a].first;
      double top = 0;
      for (int j = 0; j < rule->n_new; j++)
        top += values[j] * rule->of_new[j].c[0][degree_of(slot)];
      self->leading[b * self->n + a] = top;
    }
    self->mu[b] = -(is_done ? of_step->last : cosim_corrected_signal(of_step).c[0])[degree_of(of_step)];
  }
}

/* Finds θ δw of a coupling (`weighted`). Forces at a joint count only along the direction that it cannot transmit. */
static void find_weighted(const cosim_master *master, const cosim_coupling *c, double H, const cosim_durations *of,
                          const double *change, double *weighted) {
  const cosim_element *element = c->cut->element;
  const int n_new = c->slots->rules->n_new;
  const double *from = change + c->first_unknown;
  double *to = weighted + c->first_unknown;
  if (element->n_rows == 0)
    memcpy(to, from, (size_t)c->n_unknowns * sizeof *to);
  else if (cosim_has_untransmittable(element) && c->rules[0].variable->kind == COSIM_FORCE)
    for (int j = 0; j < n_new; j++)
      for (int row = 0; row < element->n_forces - element->n_rows; row++) {
        const double *N = c->gradients.untransmittable[0][row];
        double along = 0;
        for (int i = 0; i < element->n_forces; i++)
          along += N[element->force[i]] * from[i * n_new + j];
        for (int i = 0; i < element->n_forces; i++)
          to[i * n_new + j] += N[element->force[i]] * along;
      }
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const double time = acting_time(master, c, slot, H, of);
    for (int j = 0; j < slot->rules->n_new; j++)
      *to++ *= time;
  }
}

/* Raises *largest to the error; once NaN, it stays NaN. */
static void raise_largest(double *largest, double error) {
  if (isnan(error) || error > *largest)
    *largest = error;
}

double cosim_master_estimate(cosim_master *master, double H, const cosim_durations *of, bool is_done) {
  cosim_estimate *self = master->estimate;
  const size_t n_unknowns = (size_t)master->n_unknowns;
  double largest = 0;
  fill(master, self, is_done);
  if (LAPACKE_dgesv(LAPACK_COL_MAJOR, self->n, 1, self->leading, self->n, self->pivots, self->mu, self->n) != 0)
    return INFINITY;
  memset(self->change, 0, 2 * n_unknowns * sizeof *self->change); /* also `weighted` */
  for (int b = 0; b < self->n; b++)
    for (size_t i = 0; i < n_unknowns; i++)
      self->change[i] += self->mu[b] * self->columns[(size_t)b * n_unknowns + i];
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    if (c->cut->scheme.method == COSIM_COLLOCATION)
      find_weighted(master, c, H, of, self->change, self->weighted);
  for (int p = 0; p < master->parts->n && master->adapts; p++) { /* errors that the impulses cause in bodies */
    cosim_part *bodies = master->parts->member[p].part;
    double *lasting = master->impulses;
    double *all = lasting + bodies->n_inputs;
    if (bodies->ops->measure_impulses == NULL)
      continue;
    cosim_sum_changes(master, p, H, self->weighted, 1, lasting);
    cosim_sum_changes(master, p, H, self->change, 2, all);
    raise_largest(&largest, bodies->ops->measure_impulses(bodies, lasting, all + bodies->n_inputs));
  }
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) /* markers */
    for (int side = 0; side < 2 && c->cut->scheme.method == COSIM_COLLOCATION; side++)
      for (int i = 0; i < c->cut->element->n_dims; i++) {
        const cosim_side *at = &c->cut->side[side];
        const int k = c->cut->element->dim[i];
        const double error = fmax(fabs(cosim_change_at_end(master, at->part, at->position + k, self->change)),
                                  fabs(cosim_change_at_end(master, at->part, at->velocity + k, self->weighted)));
        raise_largest(&largest, error / mbs_coordinate_scale(&master->options.scales, k, false));
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
