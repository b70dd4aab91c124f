/* Computes values w at the beginning of a step: forces λ and prescribed accelerations at cut joints. Under w the
 * accelerations of all parts are consistent,
 *
 *   g'' = 0,   μ = λ at sides with prescribed accelerations
 *
 * with the residuals g of joints and the multipliers μ of prescribed accelerations. The conditions are affine in w
 * unless friction of joints depends on w: then Newton's method takes several steps.
 *
 * Polynomials through the past, and predictions of collocation, begin with these forces. After a jump of a signal or a
 * kink of a law, the forces at the end of the last step are wrong. Their error might not decay. For example, let an
 * index-2 multiplier of degree 2 have the error 6 τ² - 6 τ + 1 (τ: time divided by the length of the step). It is 1 at
 * both ends of a step, and so passes on to the next step. The conditions depend only on its first and second integrals,
 * which are 0. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/note.h"
#include "cosim/coupling/master.h"
#include "cosim/thresholds.h"

struct cosim_initial_forces {
  cosim_snapshot *base; /* (n_couplings) motions before a value is changed */
  double *residual;     /* (n) */
  double *changed;      /* (n) residuals after a change of one value */
  double *size;         /* (n) size of a condition's terms */
  double *before;       /* (n) values before a Newton step */
  double *step;         /* (n) Newton step */
  int *first;           /* (n_couplings) index of a coupling's first unknown; -1: the coupling has no unknowns */
  int n;
  cosim_signal *inputs; /* scratch: inputs of a part */
  double tau;           /* τ at which inputs are evaluated: 0 or 1 */
  bool records_pattern; /* true in the first filling, which only records the matrix's pattern */
  bool has_reported;    /* a note has said that forces were not found */
};

void cosim_initial_forces_destroy(cosim_initial_forces *self) {
  if (self == NULL)
    return;
  free(self->base);
  free(self->residual);
  free(self->first);
  free(self->inputs);
  free(self);
}

static bool allocate(cosim_master *master, cosim_initial_forces *self) {
  const size_t n_couplings = (size_t)master->n_couplings;
  int max_inputs = 0;
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    max_inputs = m->part->n_inputs > max_inputs ? m->part->n_inputs : max_inputs;
  self->first = calloc(n_couplings + 1, sizeof *self->first);
  for (size_t k = 0; k < n_couplings && self->first != NULL; k++) {
    const bool has_unknowns = master->cuts[k].element->n_rows > 0 && cosim_scheme_corrects(&master->cuts[k].scheme);
    self->first[k] = has_unknowns ? self->n : -1;
    self->n += has_unknowns ? master->couplings[k].n_slots : 0;
  }
  const size_t n = (size_t)self->n;
  self->base = calloc(n_couplings + 1, sizeof *self->base);
  self->residual = calloc(5 * n + 1, sizeof *self->residual);
  self->inputs = calloc((size_t)max_inputs + 1, sizeof *self->inputs);
  master->initial_interface = cosim_interface_create(self->n);
  if (self->inputs == NULL || self->first == NULL || self->base == NULL || self->residual == NULL ||
      master->initial_interface == NULL)
    return false;
  self->changed = self->residual + n;
  self->size = self->changed + n;
  self->before = self->size + n;
  self->step = self->before + n;
  return true;
}

/* ---- Inputs and outputs ---- */

static void set_slot(cosim_master *master, const cosim_coupling *c, const cosim_slot *slot) {
  const cosim_variable *variable = slot->rules->variable;
  for (int side = 0; side < 2; side++) {
    cosim_signal *inputs = master->parts->member[c->cut->side[side].part].inputs;
    const int input = cosim_input_of(c->cut, side, variable, slot->component);
    const int of_rate = cosim_rate_input_of(c->cut, side, variable, slot->component);
    const double value = cosim_sign_on(side, variable) * slot->history[0];
    if (input >= 0)
      inputs[input] = (cosim_signal){.n_pieces = 1, .c = {{value}}};
    if (of_rate >= 0)
      inputs[of_rate] = (cosim_signal){.n_pieces = 1, .c = {{c->begin.motion[variable->source].v[slot->component]}}};
  }
}

void cosim_freeze_variables(cosim_master *master) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++)
      set_slot(master, c, slot);
}

static void evaluate(cosim_master *master, int part) {
  const cosim_member *m = &master->parts->member[part];
  cosim_initial_forces *self = master->initial_forces;
  for (int i = 0; i < m->part->n_inputs; i++)
    self->inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{cosim_signal_value(&m->inputs[i], self->tau)}}};
  if (!self->records_pattern)
    m->part->ops->evaluate_outputs(m->part, master->t, self->inputs, m->outputs);
  for (int i = 0; i < master->n_incidences[part]; i++) {
    const cosim_incidence *at = &master->incidences[part][i];
    cosim_coupling *c = &master->couplings[at->coupling];
    cosim_copy_outputs(c->cut, at->side, m->outputs, &c->begin);
  }
}

static void evaluate_all(cosim_master *master) {
  cosim_freeze_variables(master);
  for (int p = 0; p < master->parts->n; p++)
    evaluate(master, p);
}

/* ---- The system, linear about the present values ---- */

/* Evaluates the residuals of a coupling's conditions, g'' = 0 or μ = λ. The method "projection" has the same. */
static void fill_residual(const cosim_master *master, int coupling, double *residual) {
  const cosim_coupling *c = &master->couplings[coupling];
  cosim_cut cut = *c->cut;
  cosim_approximations w = {0};
  cut.scheme.method = COSIM_PROJECTION;
  cut.scheme.iteration = COSIM_SEMI;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    cosim_approximation *of = &w.of[slot->rules->number][slot->component];
    of->end = of->new_value[0] = slot->history[0];
  }
  cosim_conditions(&cut, &(cosim_step_interval){.t = master->t, .begin = &c->begin, .end = &c->begin}, &w, 0, residual);
}

/* Adds the derivatives of conditions by one value, as column `unknown` of the matrix, by difference quotients. The
 * conditions are those of all couplings at the two parts that the value drives. `share`: change of the value for these
 * quotients, divided by the size of the value. */
static void enter_column(cosim_master *master, const cosim_coupling *c, cosim_slot *slot, int unknown, double share) {
  cosim_initial_forces *self = master->initial_forces;
  const double value = slot->history[0];
  const double change = share * cosim_size_of(master, slot, value);
  const int part[2] = {c->cut->side[0].part, c->cut->side[1].part};
  slot->history[0] += change;
  set_slot(master, c, slot);
  evaluate(master, part[0]);
  evaluate(master, part[1]);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < master->n_incidences[part[side]]; i++) {
      const cosim_incidence *at = &master->incidences[part[side]][i];
      const cosim_coupling *to = &master->couplings[at->coupling];
      const int first = self->first[at->coupling];
      if (first < 0 || (side == 1 && to->cut->side[1 - at->side].part == part[0])) /* this row was added for side 0 */
        continue;
      fill_residual(master, at->coupling, self->changed);
      for (int r = 0; r < to->n_slots; r++) {
        const double difference = self->changed[r] - self->residual[first + r];
        cosim_interface_add(master->initial_interface, first + r, unknown, difference / change);
        self->size[first + r] += fabs(difference) / share;
      }
    }
  slot->history[0] = value;
  set_slot(master, c, slot);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < master->n_incidences[part[side]]; i++) {
      const int k = master->incidences[part[side]][i].coupling;
      master->couplings[k].begin = self->base[k];
    }
}

static void fill(cosim_master *master, double share) {
  cosim_initial_forces *self = master->initial_forces;
  for (int k = 0; k < master->n_couplings; k++) {
    self->base[k] = master->couplings[k].begin;
    if (self->first[k] >= 0)
      fill_residual(master, k, self->residual + self->first[k]);
  }
  for (int i = 0; i < self->n; i++)
    self->size[i] = fabs(self->residual[i]);
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_coupling *c = &master->couplings[k];
    for (int s = 0; s < c->n_slots && self->first[k] >= 0; s++)
      enter_column(master, c, &c->slots[s], self->first[k] + s, share);
  }
}

/* ---- Newton steps ---- */

/* Returns the largest residual relative to the terms of its condition. */
static double largest_residual(const cosim_initial_forces *self) {
  double largest = 0;
  for (int i = 0; i < self->n; i++) {
    const double size = self->residual[i] == 0 ? 0 : fabs(self->residual[i]) / self->size[i];
    largest = size <= largest ? largest : (isfinite(size) ? size : INFINITY);
  }
  return largest;
}

/* Returns the largest residual after `fraction` of the Newton step. For fraction = 0 the step need not be finite. */
static double residual_after(cosim_master *master, double fraction) {
  const cosim_initial_forces *self = master->initial_forces;
  for (int k = 0; k < master->n_couplings; k++)
    for (int s = 0; s < master->couplings[k].n_slots && self->first[k] >= 0; s++) {
      const int i = self->first[k] + s;
      master->couplings[k].slots[s].history[0] = self->before[i] - (fraction > 0 ? fraction * self->step[i] : 0);
    }
  evaluate_all(master);
  for (int k = 0; k < master->n_couplings; k++)
    if (self->first[k] >= 0)
      fill_residual(master, k, self->residual + self->first[k]);
  return largest_residual(self);
}

/* Takes a Newton step, which is halved until the largest residual, relative to its terms, decreases. If no fraction of
 * at least 1e-3 decreases it, no step is taken. `share`: change of a value for difference quotients, divided by the
 * size of the value. *remaining is the relative residual after the call. Returns true if a step is taken and *remaining
 * is still above 1e-9. If the matrix is singular, *remaining is 0. The matrix of the scheme is then singular as well,
 * and the macro step reports this. */
static bool take_step(cosim_master *master, double share, double *remaining) {
  cosim_initial_forces *self = master->initial_forces;
  cosim_interface_begin(master->initial_interface);
  fill(master, share);
  const double before = largest_residual(self);
  for (int k = 0; k < master->n_couplings; k++)
    for (int s = 0; s < master->couplings[k].n_slots && self->first[k] >= 0; s++)
      self->before[self->first[k] + s] = master->couplings[k].slots[s].history[0];
  memcpy(self->step, self->residual, (size_t)self->n * sizeof *self->step);
  const bool is_regular = cosim_interface_factor(master->initial_interface, NULL) == SEAM_OK;
  double fraction = is_regular ? 1 : 0;
  if (is_regular)
    cosim_interface_solve(master->initial_interface, self->step);
  double after = residual_after(master, fraction);
  while (fraction > 0 && after > cosim_small_residual && !(after < before)) {
    fraction = fraction > cosim_initial_forces_fraction ? fraction / 2 : 0;
    after = residual_after(master, fraction);
  }
  *remaining = is_regular ? after : 0;
  return fraction > 0 && after > cosim_small_residual;
}

seam_status cosim_initial_forces_create(cosim_master *master, seam_error *error) {
  for (int p = 0; p < master->parts->n; p++)
    if (master->parts->member[p].part->ops->evaluate_outputs == NULL)
      return SEAM_OK;
  for (const cosim_cut *cut = master->cuts; cut < master->cuts + master->n_couplings; cut++)
    if (cut->side[0].acceleration < 0 || cut->side[1].acceleration < 0)
      return SEAM_OK;
  cosim_initial_forces *self = calloc(1, sizeof *self);
  master->initial_forces = self;
  if (self == NULL || !allocate(master, self))
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", master->parts->n);
  self->records_pattern = true;
  fill(master, 1);
  self->records_pattern = false;
  return cosim_interface_end_pattern(master->initial_interface, error);
}

bool cosim_has_initial_forces(const cosim_master *master) {
  return master->initial_forces != NULL && master->initial_forces->n > 0;
}

void cosim_find_initial_forces(cosim_master *master, double tau) {
  cosim_initial_forces *self = master->initial_forces;
  if (self == NULL)
    return;
  self->tau = tau;
  evaluate_all(master);
  if (self->n == 0)
    return;
  double remaining;
  bool continues = take_step(master, 1, &remaining);
  for (int i = 1; i < COSIM_MAX_INITIAL_NEWTON && continues; i++)
    continues = take_step(master, cosim_initial_forces_change, &remaining);
  if (self->has_reported || !(remaining > cosim_initial_forces_reported))
    return;
  self->has_reported = true;
  seam_note("t = %.9g s: the forces at cut joints that start a macro step have the relative error %.2g, because "
            "friction or a law of reactions jumps there: make this friction or law smooth, or cut elsewhere",
            master->t, remaining);
}

void cosim_master_apply_inputs(cosim_master *master) {
  cosim_find_initial_forces(master, 1);
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    c->last.end = c->begin;
}
