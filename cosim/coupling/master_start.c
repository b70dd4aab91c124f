/* Computes the multipliers and prescribed accelerations w of cut joints at the start, without a past. For each w there
 * is one condition, with the residuals g of the joint and the multipliers μ of prescribed accelerations:
 *
 *   force on both sides              g'' = 0
 *   force on one side                λ = μ, the multiplier of the other side
 *   acceleration of one side         ã = ẍ of the other side
 *   one acceleration of both sides   μ1 = μ2
 *
 * Here λ is the force variable, ã the prescribed and ẍ the actual acceleration. Unit changes of w give the matrix.
 * Outputs are affine in w unless friction of joints depends on w. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/coupling/master.h"
#include "cosim/parts/fmu_part.h"
#include "cosim/thresholds.h"

typedef struct start {
  cosim_master *master;
  cosim_slot **slots;           /* (n) unknowns */
  const cosim_coupling **owner; /* (n) their couplings */
  int n;
  double length; /* s, length of a step too short to change a state */
  double *residual, *before, *size;
} start;

/* Evaluates the residuals from outputs by evaluate_outputs(). A part without this function takes a step that is too
 * short to change its state. */
static seam_status evaluate(const start *self, double *residual) {
  cosim_master *master = self->master;
  seam_status status = SEAM_OK;
  cosim_freeze_variables(master);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    const cosim_member *m = &master->parts->member[p];
    if (m->part->ops->evaluate_outputs != NULL)
      m->part->ops->evaluate_outputs(m->part, master->t, m->inputs, m->outputs);
    else if (!cosim_part_can_repeat(m->part))
      status = SEAM_BAD_INPUT;
    else {
      m->part->ops->save(m->part, m->saved);
      status = cosim_parts_advance_one(master->parts, p, master->t, self->length, false, NULL);
      m->part->ops->restore(m->part, m->saved);
    }
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
  return status;
}

/* Adds the matrix from unit changes of the unknowns. */
static seam_status fill(const start *self, cosim_interface *system) {
  seam_status status = SEAM_OK;
  for (int i = 0; i < self->n; i++)
    self->size[i] = fabs(self->before[i]);
  for (int k = 0; k < self->n && status == SEAM_OK; k++) {
    const double terms = fmax(1, fabs(self->slots[k]->history[0]));
    self->slots[k]->history[0] += 1;
    status = evaluate(self, self->residual);
    self->slots[k]->history[0] -= 1;
    for (int i = 0; i < self->n; i++) {
      const double slope = self->residual[i] - self->before[i];
      cosim_interface_add(system, i, k, slope);
      self->size[i] += fabs(slope) * terms;
      cosim_interface_expect(system, i, fabs(self->before[i]));
    }
  }
  return status;
}

/* Evaluates and factors the matrix, then copies `before` to `residual`, which the evaluation has changed. */
static bool factor(const start *self, cosim_interface *system) {
  cosim_interface_begin(system);
  if (fill(self, system) != SEAM_OK || cosim_interface_factor(system, NULL) != SEAM_OK)
    return false;
  memcpy(self->residual, self->before, (size_t)self->n * sizeof *self->residual);
  return true;
}

/* Finds the values and leaves them in slots[..]->history[0]. The first filling records the pattern. Corrections two to
 * four, with the same matrix, remove round-off. Further ones are Newton steps for terms that are not affine, each with
 * a new matrix. Returns false if a matrix is singular, or outputs cannot be evaluated or are not finite. */
static bool solve(const start *self, cosim_interface *system) {
  bool is_large = true;
  if (evaluate(self, self->before) != SEAM_OK || fill(self, system) != SEAM_OK ||
      cosim_interface_end_pattern(system, NULL) != SEAM_OK || !factor(self, system))
    return false;
  for (int pass = 0; pass < COSIM_LEAST_PASSES || (pass < COSIM_MAX_PASSES && is_large); pass++) {
    if (pass >= COSIM_LEAST_PASSES) {
      memcpy(self->before, self->residual, (size_t)self->n * sizeof *self->before);
      if (!factor(self, system))
        return false;
    }
    cosim_interface_solve(system, self->residual);
    for (int i = 0; i < self->n; i++)
      self->slots[i]->history[0] -= self->residual[i];
    if (evaluate(self, self->residual) != SEAM_OK)
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

seam_status cosim_master_begin_fmus(cosim_master *master, seam_error *error) {
  size_t n = 1;
  for (int p = 0; p < master->parts->n; p++)
    n += (size_t)master->parts->member[p].part->n_inputs;
  double *inputs = calloc(n, sizeof *inputs);
  if (inputs == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for the start of %d subsystems", master->parts->n);
  seam_status status = SEAM_OK;
  seam_error cause = {0};
  cosim_freeze_variables(master);
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    const cosim_member *m = &master->parts->member[p];
    for (int i = 0; i < m->part->n_inputs; i++)
      inputs[i] = m->inputs[i].n_pieces == 0 ? 0 : cosim_signal_value(&m->inputs[i], 0);
    if (!cosim_fmu_part_initializes(m->part))
      continue;
    status = cosim_fmu_part_begin(m->part, inputs, &cause);
    if (status != SEAM_OK)
      (void)seam_fail(error, status, "subsystem '%s': %s", m->part->name, cause.message);
  }
  free(inputs);
  return status;
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
  cosim_interface *system = cosim_interface_create((int)n);
  const bool has_memory = self.slots != NULL && self.owner != NULL && self.residual != NULL && system != NULL;
  if (has_memory) {
    self.before = self.residual + n;
    self.size = self.before + n;
    for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
      for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->cut->element->n_rows > 0; slot++) {
        self.owner[self.n] = c;
        self.slots[self.n++] = slot;
      }
    const bool is_solved = solve(&self, system);
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
  cosim_interface_destroy(system);
  free(self.slots);
  free(self.owner);
  free(self.residual);
  return has_memory ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the multipliers of %zu couplings", n);
}
