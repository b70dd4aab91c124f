/* A master as numbers: the state of its recursion over macro steps, for analysis, and the image, from which a run
 * continues with bit-identical results. */
#include <limits.h>
#include <string.h>

#include "cosim/coupling/master_internal.h"

/* ---- State of the recursion over macro steps ---- */

size_t cosim_master_n_state(const cosim_master *master) {
  size_t n = cosim_parts_n_state(master->parts);
  for (const cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++)
    n += (size_t)slot->rules->n_used;
  return n;
}

void cosim_master_save(const cosim_master *master, double *state) {
  state = cosim_parts_save(master->parts, state);
  for (const cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    memcpy(state, slot->history, (size_t)slot->rules->n_used * sizeof *state);
    state += slot->rules->n_used;
  }
}

void cosim_master_restore(cosim_master *master, const double *state) {
  state = cosim_parts_restore(master->parts, state);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      const int n = slot->rules->n_used;
      memset(slot->history, 0, sizeof slot->history);
      memset(slot->last, 0, sizeof slot->last);
      memcpy(slot->history, state, (size_t)n * sizeof *state);
      state += n;
    }
  master->n_past = COSIM_MAX_HISTORY;
  memset(master->past_step, 0, sizeof master->past_step);
  master->stale = true;
  master->n_since_restart = 0;
  cosim_parts_get_outputs(master->parts);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
}

/* ---- Image ---- */

/* Returns the number of a part's derivatives in the image. */
static size_t n_derivatives(const cosim_member *m) {
  return (size_t)m->n_seeds * (size_t)(m->n_nodes + 1) * (size_t)m->part->n_outputs;
}

static size_t n_feedthrough(const cosim_member *m) {
  return COSIM_N_FEEDTHROUGH * (size_t)m->part->n_inputs * (size_t)m->part->n_outputs;
}

enum {
  head = 7 + 2 * COSIM_MAX_HISTORY,
  n_adapted_head = 4,
  per_slot = COSIM_MAX_HISTORY + 2 * (COSIM_MAX_DEGREE + 1)
};

size_t cosim_master_image_size(const cosim_master *master) {
  size_t n = head + cosim_parts_n_state(master->parts) + (size_t)master->n_slots * per_slot +
             (master->adapts ? n_adapted_head : 0) + (master->updates ? (size_t)master->parts->n : 0);
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    n += (size_t)m->part->n_outputs + (master->adapts ? n_derivatives(m) + n_feedthrough(m) : 0);
  return n + cosim_initial_forces_image_size(master->initial_forces) +
         (master->n_unknowns > 0 ? cosim_interface_image_size(master->interface) : 0);
}

void cosim_master_save_image(const cosim_master *master, double *image) {
  *image++ = master->t;
  *image++ = master->n_past;
  *image++ = master->H;
  *image++ = master->stale;
  *image++ = master->n_since_restart;
  *image++ = master->n_restart_steps;
  *image++ = master->past.n;
  memcpy(image, master->past.node, sizeof master->past.node);
  memcpy(image + COSIM_MAX_HISTORY, master->past_step, sizeof master->past_step);
  image = cosim_parts_save(master->parts, image + 2 * COSIM_MAX_HISTORY);
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++) {
    memcpy(image, m->outputs, (size_t)m->part->n_outputs * sizeof *image);
    image += m->part->n_outputs;
    if (master->updates)
      *image++ = m->is_stiff;
  }
  for (const cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    memcpy(image, slot->history, sizeof slot->history);
    memcpy(image + COSIM_MAX_HISTORY, slot->last, sizeof slot->last);
    memcpy(image + COSIM_MAX_HISTORY + COSIM_MAX_DEGREE + 1, slot->before, sizeof slot->before);
    image += per_slot;
  }
  if (master->adapts) {
    *image++ = master->kernel_H;
    *image++ = master->kernel_ratio;
    *image++ = master->contraction;
    *image++ = master->contraction_age;
  }
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    memcpy(image, m->derivatives, n_derivatives(m) * sizeof *image);
    image += n_derivatives(m);
    memcpy(image, master->feedthrough[p].before, n_feedthrough(m) * sizeof *image);
    image += n_feedthrough(m);
  }
  cosim_initial_forces_save(master->initial_forces, image);
  image += cosim_initial_forces_image_size(master->initial_forces);
  if (master->n_unknowns > 0)
    cosim_interface_save(master->interface, image);
}

seam_status cosim_master_restore_image(cosim_master *master, const double *image, seam_error *error) {
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    if (!cosim_part_can_repeat(m->part))
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot restore an earlier state: create the co-simulation again",
                       m->part->name == NULL ? "" : m->part->name);
  master->t = *image++;
  master->n_past = cosim_saved_count(*image++, 1, COSIM_MAX_HISTORY);
  master->H = *image++;
  master->stale = *image++ != 0;
  master->n_since_restart = cosim_saved_count(*image++, 0, 2);
  master->n_restart_steps = cosim_saved_count(*image++, 0, INT_MAX);
  master->past.n = cosim_saved_count(*image++, 0, COSIM_MAX_HISTORY);
  memcpy(master->past.node, image, sizeof master->past.node);
  memcpy(master->past_step, image + COSIM_MAX_HISTORY, sizeof master->past_step);
  image = cosim_parts_restore(master->parts, image + 2 * COSIM_MAX_HISTORY);
  for (cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++) {
    memcpy(m->outputs, image, (size_t)m->part->n_outputs * sizeof *image);
    image += m->part->n_outputs;
    if (master->updates)
      m->is_stiff = *image++ != 0;
  }
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    memcpy(slot->history, image, sizeof slot->history);
    memcpy(slot->last, image + COSIM_MAX_HISTORY, sizeof slot->last);
    memcpy(slot->before, image + COSIM_MAX_HISTORY + COSIM_MAX_DEGREE + 1, sizeof slot->before);
    image += per_slot;
  }
  if (master->adapts) {
    master->kernel_H = *image++;
    master->kernel_ratio = *image++;
    master->contraction = *image++;
    master->contraction_age = cosim_saved_count(*image++, 0, INT_MAX);
  }
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    memcpy(m->derivatives, image, n_derivatives(m) * sizeof *image);
    image += n_derivatives(m);
    memcpy(master->feedthrough[p].before, image, n_feedthrough(m) * sizeof *image);
    image += n_feedthrough(m);
  }
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
  if (master->H > 0)
    cosim_master_set_rules(master, &master->past, master->H);
  const seam_status status = cosim_initial_forces_restore(master->initial_forces, image, error);
  image += cosim_initial_forces_image_size(master->initial_forces);
  if (status != SEAM_OK)
    return status;
  return master->n_unknowns > 0 ? cosim_interface_restore(master->interface, image, error) : SEAM_OK;
}
