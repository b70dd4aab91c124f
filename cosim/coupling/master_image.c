/* A master as numbers: the state of its recursion over macro steps, and the image from which a run continues. */
#include <limits.h>
#include <string.h>

#include "base/then.h"
#include "cosim/coupling/master.h"

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

enum { n_head = 8, n_adapted_head = 4, per_slot = COSIM_MAX_HISTORY + 2 * (COSIM_MAX_DEGREE + 1) };

size_t cosim_master_image_size(const cosim_master *master) {
  size_t n = n_head + 2 * COSIM_MAX_HISTORY + cosim_parts_n_state(master->parts) + (size_t)master->n_slots * per_slot +
             (master->adapts ? n_adapted_head : 0) + (master->updates ? (size_t)master->parts->n : 0);
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    n += (size_t)m->part->n_outputs + (master->adapts ? n_derivatives(m) + n_feedthrough(m) : 0);
  return n + cosim_interface_image_size(master->initial_interface) +
         (master->n_unknowns > 0 ? cosim_interface_image_size(master->interface) : 0);
}

/* Copies all numbers but those of the interfaces to an image (`saves` true) or from it. Returns their end. */
static double *copy_numbers(cosim_master *master, double *image, bool saves) {
  double head[n_head] = {
      master->t,      master->n_past, master->H, master->stale, master->n_since_restart, master->n_restart_steps,
      master->past.n, master->age};
  double adapted[n_adapted_head] = {master->kernel_H, master->kernel_ratio, master->contraction,
                                    master->contraction_age};
  image = cosim_copy_numbers(head, n_head, image, saves);
  image = cosim_copy_numbers(master->past.node, COSIM_MAX_HISTORY, image, saves);
  image = cosim_copy_numbers(master->past_step, COSIM_MAX_HISTORY, image, saves);
  image = saves ? cosim_parts_save(master->parts, image) : (double *)cosim_parts_restore(master->parts, image);
  for (cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++) {
    double is_stiff = m->is_stiff;
    image = cosim_copy_numbers(m->outputs, (size_t)m->part->n_outputs, image, saves);
    image = cosim_copy_numbers(&is_stiff, master->updates, image, saves);
    if (!saves)
      m->is_stiff = is_stiff != 0;
  }
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    image = cosim_copy_numbers(slot->history, COSIM_MAX_HISTORY, image, saves);
    image = cosim_copy_numbers(slot->last, COSIM_MAX_DEGREE + 1, image, saves);
    image = cosim_copy_numbers(slot->before, COSIM_MAX_DEGREE + 1, image, saves);
  }
  if (master->adapts)
    image = cosim_copy_numbers(adapted, n_adapted_head, image, saves);
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    image = cosim_copy_numbers(m->derivatives, n_derivatives(m), image, saves);
    image = cosim_copy_numbers(master->feedthrough[p].before, n_feedthrough(m), image, saves);
  }
  if (saves)
    return image;
  master->t = head[0];
  master->n_past = cosim_saved_count(head[1], 1, COSIM_MAX_HISTORY);
  master->H = head[2];
  master->stale = head[3] != 0;
  master->n_since_restart = cosim_saved_count(head[4], 0, 2);
  master->n_restart_steps = cosim_saved_count(head[5], 0, INT_MAX);
  master->past.n = cosim_saved_count(head[6], 0, COSIM_MAX_HISTORY);
  master->age = (int)head[7];
  master->kernel_H = adapted[0];
  master->kernel_ratio = adapted[1];
  master->contraction = adapted[2];
  master->contraction_age = cosim_saved_count(adapted[3], 0, INT_MAX);
  return image;
}

void cosim_master_save_image(const cosim_master *master, double *image) {
  image = copy_numbers((cosim_master *)master, image, true);
  cosim_interface_save(master->initial_interface, image);
  if (master->n_unknowns > 0)
    cosim_interface_save(master->interface, image + cosim_interface_image_size(master->initial_interface));
}

seam_status cosim_master_restore_image(cosim_master *master, const double *image, seam_error *error) {
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    if (!cosim_part_can_repeat(m->part))
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot restore an earlier state: create the co-simulation again",
                       m->part->name == NULL ? "" : m->part->name);
  image = copy_numbers(master, (double *)image, false);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
  if (master->H > 0)
    cosim_master_set_rules(master, &master->past, master->H);
  seam_status status = cosim_interface_restore(master->initial_interface, image, error);
  image += cosim_interface_image_size(master->initial_interface);
  if (master->n_unknowns > 0)
    THEN(status, cosim_interface_restore(master->interface, image, error));
  return status;
}
