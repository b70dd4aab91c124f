/* Finds the coupling variables w at cut joints at a macro point: forces λ and prescribed accelerations ã. Under w the
 * accelerations of all parts must be consistent. Let g be the residuals of the joint, ẍ the acceleration of a side, and
 * μ the multiplier of a prescribed acceleration, the force that it needs. There is one condition for each w:
 *
 *   λ on both sides             g'' = 0
 *   λ on one side               λ = μ of the other side
 *   ã of one side               ã = ẍ of the other side
 *   one ã of both sides         μ1 = μ2
 *
 * The conditions are affine in w unless friction of joints depends on w: then Newton's method takes several steps.
 *
 * Two functions find w. At the beginning of a step, cosim_find_initial_forces() evaluates only the parts that a changed
 * value drives. At the start of a run, cosim_master_find_multipliers() evaluates all parts for each value. It also
 * serves parts that cannot evaluate outputs, and couplings without a corrector. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/note.h"
#include "cosim/coupling/master.h"
#include "cosim/parts/fmu_part.h"
#include "cosim/thresholds.h"

/* ---- Inputs from the present values ---- */

static void set_slot(cosim_master *master, const cosim_coupling *c, const cosim_slot *slot) {
  for (int side = 0; side < 2; side++) {
    cosim_signal *inputs = master->parts->member[c->cut->side[side].part].inputs;
    const int input = cosim_input_of(c->cut, side, slot);
    const int of_rate = cosim_rate_input_of(c->cut, side, slot);
    const double value = cosim_sign_on(side, slot) * slot->history[0];
    if (input >= 0)
      inputs[input] = (cosim_signal){.n_pieces = 1, .c = {{value}}};
    if (of_rate >= 0)
      inputs[of_rate] =
          (cosim_signal){.n_pieces = 1, .c = {{c->begin.motion[slot->rules->variable->source].v[slot->component]}}};
  }
}

/* Sets the inputs of parts to the present values of all coupling variables. */
static void freeze_variables(cosim_master *master) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++)
      set_slot(master, c, slot);
}

/* ---- At the beginning of a step ----
 *
 * Polynomials through the past, and predictions of collocation, begin with these forces. After a jump of a signal or a
 * kink of a law, the forces at the end of the last step are wrong, and their error might not decay. For example, let τ
 * be the time divided by the length of the step. An index-2 multiplier of degree 2 may have the error 6 τ² - 6 τ + 1.
 * The conditions do not see this error, since its first and second integrals over the step are 0. It is 1 at both ends
 * of the step, and so passes on to the next. */

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

#define FORCES_ARRAYS(X)                                                                                               \
  X(self, base, (size_t)master->n_couplings)                                                                           \
  X(self, first, (size_t)master->n_couplings)                                                                          \
  X(self, residual, 5 * (size_t)master->n_slots)                                                                       \
  X(self, inputs, (size_t)master->parts->max_inputs)

void cosim_initial_forces_destroy(cosim_initial_forces *self) {
  if (self == NULL)
    return;
  FORCES_ARRAYS(FREE_ARRAY)
  free(self);
}

static void evaluate(cosim_master *master, int part) {
  const cosim_member *m = &master->parts->member[part];
  cosim_initial_forces *self = master->initial_forces;
  for (int i = 0; i < m->part->n_inputs; i++)
    self->inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{cosim_signal_value(&m->inputs[i], self->tau)}}};
  if (!self->records_pattern)
    m->part->ops->evaluate_outputs(m->part, master->t, self->inputs, m->outputs);
  for (int i = 0; i < master->of_part[part].n_incidences; i++) {
    const cosim_incidence *at = &master->of_part[part].incidences[i];
    cosim_coupling *c = &master->couplings[at->coupling];
    cosim_copy_outputs(c->cut, at->side, m->outputs, &c->begin);
  }
}

static void evaluate_all(cosim_master *master) {
  freeze_variables(master);
  for (int p = 0; p < master->parts->n; p++)
    evaluate(master, p);
}

/* Evaluates the residuals of a coupling as those of the method "projection", which has the same conditions. */
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

/* Adds column `unknown` of the matrix by a change of one value: difference quotients of the conditions of all couplings
 * at the two parts that this value drives. `share`: change of the value, divided by its size. */
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
    for (int i = 0; i < master->of_part[part[side]].n_incidences; i++) {
      const cosim_incidence *at = &master->of_part[part[side]].incidences[i];
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
    for (int i = 0; i < master->of_part[part[side]].n_incidences; i++) {
      const int k = master->of_part[part[side]].incidences[i].coupling;
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

/* Takes a Newton step, which is halved until the largest residual, relative to its terms, decreases or is at most 1e-9.
 * If even 1/1024 of the step does not suffice, no step is taken. `share`: see enter_column(). *remaining: the largest
 * relative residual after the call. Returns true if a step is taken and *remaining is still above 1e-9. If the matrix
 * is singular, *remaining is 0: the matrix of the scheme is then singular as well, and the macro step reports this. */
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
  const bool enough = self != NULL FORCES_ARRAYS(ALLOCATE_ARRAY);
  for (int k = 0; k < master->n_couplings && enough; k++) {
    const cosim_cut *cut = &master->cuts[k];
    const bool has_unknowns = cut->element->n_rows > 0 && cosim_scheme_corrects(&cut->scheme);
    self->first[k] = has_unknowns ? self->n : -1;
    self->n += has_unknowns ? master->couplings[k].n_slots : 0;
  }
  master->initial_interface = enough ? cosim_interface_create(self->n) : NULL;
  if (master->initial_interface == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", master->parts->n);
  self->changed = self->residual + self->n;
  self->size = self->changed + self->n;
  self->before = self->size + self->n;
  self->step = self->before + self->n;
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
  seam_note("t = %.9g s: the forces at cut joints at the start of a macro step have a relative error of %.2g, because "
            "the friction of a joint, or a law that reads reactions, jumps at this time: make this friction or law "
            "smooth, or cut at other places",
            master->t, remaining);
}

void cosim_master_apply_inputs(cosim_master *master) {
  cosim_find_initial_forces(master, 1);
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    c->last.end = c->begin;
}

/* ---- At the start of a run ---- */

typedef struct start {
  cosim_master *master;
  cosim_interface *system;
  cosim_slot **slots;           /* (n) unknowns */
  const cosim_coupling **owner; /* (n) their couplings */
  int n;
  double length; /* s, length of a step too short to change a state */
  double *residual, *before, *size;
} start;

/* Evaluates outputs and residuals, perhaps by steps too short to change states. Returns false if some part cannot. */
static bool evaluate_start(const start *self, double *residual) {
  cosim_master *master = self->master;
  bool can = true;
  freeze_variables(master);
  for (int p = 0; p < master->parts->n && can; p++) {
    const cosim_member *m = &master->parts->member[p];
    if (m->part->ops->evaluate_outputs != NULL)
      m->part->ops->evaluate_outputs(m->part, master->t, m->inputs, m->outputs);
    else if (cosim_part_can_repeat(m->part)) {
      m->part->ops->save(m->part, m->saved);
      can = cosim_parts_advance_one(master->parts, p, master->t, self->length, false, NULL) == SEAM_OK;
      m->part->ops->restore(m->part, m->saved);
    } else
      can = false;
  }
  cosim_master_collect_outputs(master);
  for (int i = 0; i < self->n; i++) {
    const cosim_coupling *c = self->owner[i];
    const cosim_snapshot *now = &c->last.end;
    const cosim_variable *variable = self->slots[i]->rules->variable;
    const bool is_force = variable->kind == COSIM_FORCE;
    const int row = self->slots[i]->component;
    double g[COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS] = {0};
    c->cut->element->ops->residuals(c->cut->element, master->t, now->motion, g, gd, gdd);
    if (variable->target < 0)
      residual[i] = is_force ? gdd[row] : now->wrench[0][row] - now->wrench[1][row];
    else
      residual[i] = self->slots[i]->history[0] -
                    (is_force ? now->wrench[1 - variable->target][row] : now->motion[1 - variable->target].a[row]);
  }
  return can;
}

/* Adds the matrix from unit changes of the unknowns. */
static bool fill_start(const start *self) {
  bool can = true;
  for (int i = 0; i < self->n; i++)
    self->size[i] = fabs(self->before[i]);
  for (int k = 0; k < self->n && can; k++) {
    const double terms = fmax(1, fabs(self->slots[k]->history[0]));
    self->slots[k]->history[0] += 1;
    can = evaluate_start(self, self->residual);
    self->slots[k]->history[0] -= 1;
    for (int i = 0; i < self->n; i++) {
      const double slope = self->residual[i] - self->before[i];
      cosim_interface_add(self->system, i, k, slope);
      self->size[i] += fabs(slope) * terms;
      cosim_interface_expect(self->system, i, fabs(self->before[i]));
    }
  }
  return can;
}

/* Finds the values and leaves them in slots[..]->history[0]. The first filling records the pattern. Corrections two to
 * four, with the same matrix, remove round-off. Further ones are Newton steps for terms that are not affine, each with
 * a new matrix. Returns false if a matrix is singular, or outputs cannot be evaluated or are not finite. */
static bool solve_start(const start *self) {
  const size_t size = (size_t)self->n * sizeof *self->residual;
  bool is_large = true;
  if (!evaluate_start(self, self->residual))
    return false;
  for (int pass = 0; pass < COSIM_LEAST_PASSES || (pass < COSIM_MAX_PASSES && is_large); pass++) {
    if (pass == 0 || pass >= COSIM_LEAST_PASSES) {
      memcpy(self->before, self->residual, size);
      if (pass == 0 && (!fill_start(self) || cosim_interface_end_pattern(self->system, NULL) != SEAM_OK))
        return false;
      cosim_interface_begin(self->system);
      if (!fill_start(self) || cosim_interface_factor(self->system, NULL) != SEAM_OK)
        return false;
      memcpy(self->residual, self->before, size); /* the evaluation of the matrix has changed the residuals */
    }
    cosim_interface_solve(self->system, self->residual);
    for (int i = 0; i < self->n; i++)
      self->slots[i]->history[0] -= self->residual[i];
    if (!evaluate_start(self, self->residual))
      return false;
    is_large = false;
    for (int i = 0; i < self->n; i++) {
      if (!isfinite(self->residual[i]) || !isfinite(self->slots[i]->history[0]))
        return false;
      is_large = is_large || fabs(self->residual[i]) > cosim_small_residual * self->size[i];
    }
  }
  return true;
}

seam_status cosim_master_find_multipliers(cosim_master *master, double H, seam_error *error) {
  start self = {.master = master, .length = cosim_short_step * H};
  size_t n = 0;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    n += c->cut->element->n_rows > 0 ? (size_t)c->n_slots : 0;
  if (n == 0)
    return SEAM_OK;
  self.slots = calloc(n, sizeof *self.slots);
  self.owner = calloc(n, sizeof *self.owner);
  self.residual = calloc(3 * n, sizeof *self.residual);
  self.system = cosim_interface_create((int)n);
  const bool has_memory = self.slots != NULL && self.owner != NULL && self.residual != NULL && self.system != NULL;
  if (has_memory) {
    self.before = self.residual + n;
    self.size = self.before + n;
    for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
      for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->cut->element->n_rows > 0; slot++) {
        self.owner[self.n] = c;
        self.slots[self.n++] = slot;
      }
    const bool is_solved = solve_start(&self);
    for (int i = 0; i < self.n; i++) {
      cosim_slot *slot = self.slots[i];
      slot->history[0] = is_solved ? slot->history[0] : 0;
      cosim_slot_store_line(slot, slot->history[0], slot->history[0]);
    }
    if (!is_solved)
      cosim_parts_get_outputs(master->parts);
    cosim_master_collect_outputs(master);
    cosim_master_begin_next_step(master);
  }
  cosim_interface_destroy(self.system);
  free(self.slots);
  free(self.owner);
  free(self.residual);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for %zu multipliers of couplings", n);
}

/* ---- FMUs at the start of a run ---- */

seam_status cosim_master_begin_fmus(cosim_master *master, seam_error *error) {
  double *inputs = master->impulses;
  seam_status status = SEAM_OK;
  freeze_variables(master);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    const cosim_member *m = &master->parts->member[p];
    for (int i = 0; i < m->part->n_inputs; i++)
      inputs[i] = m->inputs[i].n_pieces == 0 ? 0 : cosim_signal_value(&m->inputs[i], 0);
    if (cosim_fmu_part_initializes(m->part))
      status = cosim_fmu_part_begin(m->part, inputs, error);
  }
  return status;
}
