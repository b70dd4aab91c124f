/* The steps of a master. A macro step from T to T + H finds the new values w of all coupling variables:
 *
 *   predict   w from the polynomials through the past; advance all parts
 *   correct   w until the conditions at T + H hold: corrector.c, collocation_step.c
 *
 * Explicit couplings only predict; their new values then follow from the conditions. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/then.h"
#include "cosim/coupling/master.h"
#include "cosim/thresholds.h"

/* ---- Begin ---- */

/* Takes the outputs of the parts as those at the beginning of the next step. */
static void take_outputs(cosim_master *master) {
  cosim_parts_get_outputs(master->parts);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
}

void cosim_master_begin(cosim_master *master, double t, const cosim_snapshot *past, int n_past) {
  const int n = n_past < COSIM_MAX_HISTORY ? n_past : COSIM_MAX_HISTORY;
  take_outputs(master);
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_coupling *c = &master->couplings[k];
    const bool is_joint = c->cut->element->n_rows > 0;
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      memset(slot->history, 0, sizeof slot->history);
      for (int i = 0; i < n; i++) {
        const cosim_snapshot *at = &past[i * master->n_couplings + k];
        slot->history[i] = cosim_value_of(c->cut, slot, at->motion, is_joint ? at->wrench[0] : NULL);
      }
      if (n == 0 && !is_joint)
        slot->history[0] = cosim_value_of(c->cut, slot, c->last.end.motion, NULL);
      cosim_slot_store_line(slot, slot->history[0], slot->history[0]);
    }
  }
  for (int p = 0; p < master->parts->n; p++)
    master->parts->member[p].is_stiff = false;
  master->t = t;
  master->n_past = n > 0 ? n : 1;
  memset(master->past_step, 0, sizeof master->past_step);
  master->H = 0;
  master->n_since_restart = 0;
  master->n_restart_steps = 0;
  master->contraction = 1;
  master->contraction_age = 0;
  master->stale = true;
  master->age = -1;
}

void cosim_master_set_wrench(cosim_master *master, int cut, const double wrench[COSIM_MAX_DIMS]) {
  const cosim_coupling *c = &master->couplings[cut];
  if (c->cut->element->n_rows == 0 || c->rules[0].variable->kind != COSIM_FORCE)
    return;
  for (int s = 0; s < c->n_slots && s < COSIM_MAX_DIMS && c->slots[s].rules == c->rules; s++)
    c->slots[s].history[0] = c->slots[s].last[0] = wrench[c->slots[s].component];
}

/* ---- Rules ---- */

/* Sets the changes of new values for difference quotients. They are large, since outputs are almost linear in new
 * values over one macro step. They follow from the present values, so that a restored run is bit-identical. */
static void set_deltas(cosim_master *master) {
  static const double relative[cosim_n_kinds] = {[COSIM_FORCE] = cosim_change_of_force,
                                                 [COSIM_POSITION] = cosim_change_of_position,
                                                 [COSIM_VELOCITY] = cosim_change_of_force,
                                                 [COSIM_ACCELERATION] = cosim_change_of_force,
                                                 [COSIM_MOTION] = cosim_change_of_position};
  for (int p = 0; p < master->parts->n; p++)
    for (int d = 0; d < master->parts->member[p].n_seeds; d++) {
      const cosim_slot *slot = master->of_part[p].refs[d].slot;
      master->parts->member[p].delta[d] =
          relative[slot->rules->variable->kind] * cosim_size_of(master, slot, slot->history[0]);
    }
}

/* Sets rules, seeds and kernels for a step of length H with this past. */
static void set_rules(cosim_master *master, const cosim_history_nodes *past, double H) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    cosim_coupling_set_rules(c, past);
  for (int p = 0; p < master->parts->n; p++)
    for (int d = 0; d < master->parts->member[p].n_seeds; d++) {
      const cosim_unknown_ref *ref = &master->of_part[p].refs[d];
      const int side = ref->coupling->cut->side[0].part == p ? 0 : 1;
      const cosim_signal *basis = &ref->slot->rules->corrector.of_new[ref->new_value];
      const cosim_signal of_new = ref->is_rate ? cosim_signal_rate(basis, H) : *basis;
      cosim_signal *seed = &master->parts->member[p].seeds[d].signal;
      *seed = (cosim_signal){.n_pieces = 1};
      cosim_signal_add(seed, cosim_sign_on(side, ref->slot), &of_new);
    }
  cosim_set_kernels(master);
}

static void update_rules(cosim_master *master, double H) {
  cosim_history_nodes past = {.n = master->all_collocate ? 0 : master->n_past};
  bool are_same = H == master->H && past.n == master->past.n;
  for (int i = 1; i < past.n; i++) {
    past.node[i] = past.node[i - 1] - (master->past_step[i - 1] > 0 ? master->past_step[i - 1] / H : 1);
    are_same = are_same && past.node[i] == master->past.node[i];
  }
  if (are_same)
    return;
  if (!(master->adapts && master->kernels_are_constant))
    set_rules(master, &past, H);
  master->H = H;
  master->past = past;
  master->stale = master->stale || !master->adapts;
}

/* ---- Gauss-Seidel ---- */

static double *coordinate_of(cosim_motion *m, cosim_kind kind, int component) {
  return kind == COSIM_POSITION ? &m->x[component] : &m->v[component];
}

/* Finds the end values that the part of `side` alone determines; a part that advances later gets them as inputs. */
static void send_end_values(cosim_master *master, const cosim_coupling *c, int side) {
  const cosim_member *m = &master->parts->member[c->cut->side[side].part];
  cosim_snapshot newest = {0};
  cosim_copy_outputs(c->cut, side, m->outputs, &newest);
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const cosim_kind kind = slot->rules->variable->kind;
    const int input = cosim_input_of(c->cut, side, slot);
    if (kind != COSIM_FORCE && input >= 0) /* motion of the other side, as this part received it */
      *coordinate_of(&newest.motion[1 - side], kind, slot->component) = cosim_signal_end(&m->inputs[input]);
  }
  for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const cosim_variable *variable = slot->rules->variable;
    if (variable->target < 0 || side != (variable->kind == COSIM_FORCE ? 1 - variable->target : variable->source))
      continue;
    slot->value[0] = cosim_value_of(c->cut, slot, newest.motion, NULL);
    const cosim_signal signal = cosim_corrected_signal(slot);
    if (c->cut->side[1 - side].part > c->cut->side[side].part)
      cosim_master_set_input(master, c, 1 - side, slot, &signal);
  }
}

static seam_status advance_sequentially(cosim_master *master, double H, bool with_derivatives, seam_error *error) {
  for (int p = 0; p < master->parts->n; p++) {
    TRY(cosim_parts_advance_one(master->parts, p, master->t, H, with_derivatives, error));
    for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
      for (int side = 0; side < 2; side++)
        if (!c->corrects && c->cut->side[side].part == p)
          send_end_values(master, c, side);
  }
  return SEAM_OK;
}

/* ---- The step ---- */

/* Drops the polynomials of the last steps, since they predict badly after a kink or over a much longer step. */
static void drop_polynomials(cosim_master *master) {
  if (!master->collocates)
    return;
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++)
    cosim_slot_store_line(slot, slot->history[0], slot->history[0]);
  master->n_since_restart = 0;
  master->contraction = 1;
  master->contraction_age = 0;
  master->stale = true;
}

static seam_status finish(cosim_master *master, double H, seam_error *error) {
  seam_status status = SEAM_OK;
  cosim_find_law_kinks(master, H);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      if (c->cut->scheme.method == COSIM_COLLOCATION) {
        const cosim_signal signal = cosim_corrected_signal(slot);
        memcpy(slot->before, slot->last, sizeof slot->before);
        memcpy(slot->last, signal.c[0], sizeof slot->last);
      } else if (c->cut->scheme.predicts_by_inner)
        memcpy(slot->last, slot->value + 1, sizeof slot->value - sizeof *slot->value);
      memmove(slot->history + 1, slot->history, (COSIM_MAX_HISTORY - 1) * sizeof *slot->history);
      slot->history[0] = slot->value[0];
      if (!c->corrects) /* the new values of explicit couplings follow from their conditions */
        slot->history[0] = cosim_value_of(c->cut, slot, c->last.end.motion, NULL);
    }
  for (int i = 0; i < COSIM_MAX_HISTORY; i++)
    if (master->past_step[i] == 0)
      master->past_step[i] = H;
  memmove(master->past_step + 1, master->past_step, (COSIM_MAX_HISTORY - 1) * sizeof *master->past_step);
  master->past_step[0] = H;
  if (master->n_past < COSIM_MAX_HISTORY)
    master->n_past++;
  master->t += H;
  master->n_since_restart = master->n_since_restart < 2 ? master->n_since_restart + 1 : 2;
  master->count.steps++;
  if (master->projects) {
    status = master->options.project(master->options.context, master->t, error);
    cosim_parts_get_outputs(master->parts);
    cosim_master_collect_outputs(master);
  }
  cosim_master_begin_next_step(master);
  if (master->n_restart_steps > 0) {
    master->n_restart_steps--;
    cosim_master_apply_inputs(master);
  }
  return status;
}

seam_status cosim_master_step(cosim_master *master, double H, seam_error *error) {
  if (master->n_since_restart > 0 && H > cosim_much_longer * master->past_step[0])
    drop_polynomials(master);
  update_rules(master, H);
  if (master->has_inputs && !master->all_collocate && cosim_has_initial_forces(master))
    cosim_find_initial_forces(master, 0);
  const bool corrects = master->n_unknowns > 0;
  if (!master->n_since_restart)
    cosim_begin_feedthrough(master);
  const double past[2] = {master->n_since_restart > 0 ? master->past_step[0] : 0,
                          master->n_since_restart > 1 ? master->past_step[1] : 0};
  const bool refresh = corrects && ((master->stale && cosim_needs_derivatives(master, H)) || !master->reuses);
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    cosim_coupling_predict(c, H, past);
  if (corrects)
    set_deltas(master);
  cosim_parts_store(master->parts);
  cosim_master_set_inputs(master, false);
  master->parts->with_feedthrough = master->adapts;
  TRY(master->options.gauss_seidel
          ? advance_sequentially(master, H, refresh, error)
          : cosim_parts_advance(master->parts, master->t, H, COSIM_FIRST_PASS, refresh, error));
  cosim_master_collect_outputs(master);
  if (master->options.predicted != NULL)
    master->options.predicted(master->options.context);
  const bool by_collocation = master->collocates && !master->updates;
  if (corrects)
    TRY((by_collocation ? cosim_correct_collocation : cosim_correct)(master, H, refresh, error));
  return finish(master, H, error);
}

seam_status cosim_master_follow(cosim_master *master, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error) {
  update_rules(master, H);
  for (int k = 0; k < master->n_couplings; k++) {
    cosim_coupling *c = &master->couplings[k];
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) { /* the predictor continues this line */
      const double from = cosim_value_of(c->cut, slot, begin[k].motion, begin[k].wrench[0]);
      const double to = cosim_value_of(c->cut, slot, end[k].motion, end[k].wrench[0]);
      cosim_slot_store_line(slot, 2 * from - to, from);
    }
    cosim_coupling_predict(c, H, (const double[2]){H, 0});
  }
  master->follows = true;
  cosim_master_set_inputs(master, true);
  master->follows = false;
  master->parts->with_feedthrough = false;
  TRY(cosim_parts_advance(master->parts, master->t, H, COSIM_FIRST_PASS, false, error));
  cosim_master_collect_outputs(master);
  const seam_status status = finish(master, H, error);
  drop_polynomials(master);
  return status;
}

/* ---- After a kink, a jump or a switch: past values cannot be extrapolated across it ---- */

/* Drops all past values, and sets the variables of force elements to the present values of the laws. No past is made
 * from the present rates, since they may change again within 1e-9 s. Forces at cut joints are computed again at the
 * ends of the next two steps, unless all couplings have collocation schemes. */
static void begin_without_past(cosim_master *master) {
  bool has_joint = false;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    has_joint = has_joint || c->cut->element->n_rows > 0;
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->cut->element->n_rows == 0; slot++)
      slot->history[0] = cosim_value_of(c->cut, slot, c->begin.motion, NULL);
  }
  master->n_past = 1;
  master->n_restart_steps = has_joint && !master->all_collocate ? 2 : 0;
  master->stale = true;
}

void cosim_master_drop_past(cosim_master *master) {
  begin_without_past(master);
  drop_polynomials(master);
}

void cosim_master_restart(cosim_master *master) {
  take_outputs(master);
  begin_without_past(master);
  cosim_master_apply_inputs(master);
  drop_polynomials(master);
}

/* Gives each variable of a force element a past with its present rate: two values, now and past_step[0] earlier. */
void cosim_master_cross_switch(cosim_master *master) {
  take_outputs(master);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    double of_force[COSIM_MAX_FORCES];
    if (c->cut->element->n_rows > 0)
      continue;
    cosim_law_rate(c->cut->element, c->begin.motion, of_force);
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
      const cosim_variable *variable = slot->rules->variable;
      const int i = slot->component;
      double rate = of_force[i];
      if (variable->kind != COSIM_FORCE) {
        const cosim_motion *m = &c->begin.motion[variable->source];
        rate = variable->kind == COSIM_VELOCITY ? m->a[i] : m->v[i];
      }
      slot->history[0] = cosim_value_of(c->cut, slot, c->begin.motion, NULL);
      slot->history[1] = slot->history[0] - master->past_step[0] * rate;
    }
  }
  master->n_past = 2;
  master->stale = true;
  drop_polynomials(master);
}

/* ---- Results ---- */

cosim_path cosim_master_path(const cosim_master *master, int cut, const cosim_motion begin[2], double H) {
  const cosim_coupling *c = &master->couplings[cut];
  const double *inner;
  const int n = cosim_inner_nodes(&c->cut->scheme, &inner);
  cosim_path path = {.H = H, .motion = {begin}, .n = n + 2};
  for (int i = 1; i <= n; i++) { /* inner nodes are in descending order */
    path.tau[i] = inner[n - i];
    path.motion[i] = c->last.inner[n - i].motion;
  }
  path.tau[n + 1] = 1;
  path.motion[n + 1] = c->last.end.motion;
  return path;
}

int cosim_master_past_points(const cosim_master *master, double *time) {
  time[0] = 0;
  for (int i = 1; i < COSIM_MAX_HISTORY; i++)
    time[i] = time[i - 1] - master->past_step[i - 1];
  return master->n_past;
}

const cosim_motion *cosim_master_motions(const cosim_master *master, int cut) {
  return master->couplings[cut].last.end.motion;
}

static void get_force(const cosim_coupling *c, double *W) {
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++)
    if (slot->rules->variable->kind == COSIM_FORCE)
      W[slot->component] = slot->history[0];
}

void cosim_master_wrench(const cosim_master *master, int cut, double *W) {
  const cosim_coupling *c = &master->couplings[cut];
  const cosim_element *element = c->cut->element;
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  if (c->rules[0].variable->kind == COSIM_FORCE)
    get_force(c, W);
  else if (element->n_rows == 0)
    element->ops->wrench(element, c->last.end.motion, W);
  else
    memcpy(W, c->last.end.wrench[0], sizeof c->last.end.wrench[0]);
}

void cosim_master_snapshot(const cosim_master *master, int cut, cosim_snapshot *now) {
  const cosim_coupling *c = &master->couplings[cut];
  *now = c->last.end;
  for (int side = 0; side < 2; side++)
    if (cosim_scheme_drives(&c->cut->scheme, side, COSIM_FORCE))
      get_force(c, now->wrench[side]);
    else if (c->cut->element->n_rows == 0) {
      /* The law acts between this side's motion and the received motion of the other side. At macro points a received
       * COSIM_MOTION is the other side's motion. */
      cosim_motion m[2] = {c->last.end.motion[0], c->last.end.motion[1]};
      for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
        const cosim_variable *variable = slot->rules->variable;
        if ((variable->kind == COSIM_POSITION || variable->kind == COSIM_VELOCITY) && variable->target == side)
          *coordinate_of(&m[1 - side], variable->kind, slot->component) = slot->history[0];
      }
      c->cut->element->ops->wrench(c->cut->element, m, now->wrench[side]);
    }
}

/* ---- State of the recursion over macro steps ---- */

static void copy_recursion(const cosim_master *master, cosim_image *image) {
  cosim_parts_copy(master->parts, image);
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++)
    cosim_image_copy(image, slot->history, (size_t)slot->rules->n_used);
}

size_t cosim_master_n_state(const cosim_master *master) {
  cosim_image counts = {.saves = true};
  copy_recursion(master, &counts);
  return counts.n;
}

void cosim_master_save(const cosim_master *master, double *state) {
  copy_recursion(master, &(cosim_image){.at = state, .saves = true});
}

void cosim_master_restore(cosim_master *master, const double *state) {
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    memset(slot->history, 0, sizeof slot->history);
    memset(slot->last, 0, sizeof slot->last);
  }
  copy_recursion(master, &(cosim_image){.at = (double *)state});
  master->n_past = COSIM_MAX_HISTORY;
  memset(master->past_step, 0, sizeof master->past_step);
  master->stale = true;
  master->n_since_restart = 0;
  take_outputs(master);
}

/* ---- Image ---- */

/* Copies all numbers, except those of the interfaces. */
static void copy_numbers(cosim_master *master, cosim_image *image) {
  enum { n_head = 8, n_adapted = 4 };
  double head[n_head] = {
      master->t,      master->n_past, master->H, master->stale, master->n_since_restart, master->n_restart_steps,
      master->past.n, master->age};
  double adapted[n_adapted] = {master->kernel_H, master->kernel_ratio, master->contraction, master->contraction_age};
  cosim_image_copy(image, head, n_head);
  cosim_image_copy(image, master->past.node, COSIM_MAX_HISTORY);
  cosim_image_copy(image, master->past_step, COSIM_MAX_HISTORY);
  cosim_parts_copy(master->parts, image);
  for (cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++) {
    double is_stiff = m->is_stiff;
    cosim_image_copy(image, m->outputs, (size_t)m->part->n_outputs);
    cosim_image_copy(image, &is_stiff, master->updates);
    m->is_stiff = is_stiff != 0;
  }
  for (cosim_slot *slot = master->slots; slot < master->slots + master->n_slots; slot++) {
    cosim_image_copy(image, slot->history, COSIM_MAX_HISTORY);
    cosim_image_copy(image, slot->last, COSIM_MAX_DEGREE + 1);
    cosim_image_copy(image, slot->before, COSIM_MAX_DEGREE + 1);
  }
  if (master->adapts)
    cosim_image_copy(image, adapted, n_adapted);
  for (int p = 0; p < master->parts->n && master->adapts; p++) {
    const cosim_member *m = &master->parts->member[p];
    const size_t n_outputs = (size_t)m->part->n_outputs;
    cosim_image_copy(image, m->derivatives, (size_t)m->n_seeds * (size_t)(m->n_nodes + 1) * n_outputs);
    cosim_image_copy(image, master->of_part[p].feedthrough.before,
                     COSIM_N_FEEDTHROUGH * (size_t)m->part->n_inputs * n_outputs);
  }
  if (image->saves)
    return;
  master->t = head[0];
  master->n_past = cosim_saved_count(head[1], 1, COSIM_MAX_HISTORY);
  master->H = head[2];
  master->stale = head[3] != 0;
  master->n_since_restart = cosim_saved_count(head[4], 0, 2);
  master->n_restart_steps = cosim_saved_count(head[5], 0, INT_MAX);
  master->past.n = cosim_saved_count(head[6], 0, COSIM_MAX_HISTORY);
  master->age = cosim_saved_count(head[7], -1, INT_MAX - 2);
  master->kernel_H = adapted[0];
  master->kernel_ratio = adapted[1];
  master->contraction = adapted[2];
  master->contraction_age = cosim_saved_count(adapted[3], 0, INT_MAX);
}

static seam_status copy_interfaces(const cosim_master *master, cosim_image *image, seam_error *error) {
  TRY(cosim_interface_copy(master->initial_interface, image, error));
  return master->n_unknowns > 0 ? cosim_interface_copy(master->interface, image, error) : SEAM_OK;
}

size_t cosim_master_image_size(const cosim_master *master) {
  cosim_image counts = {.saves = true};
  copy_numbers((cosim_master *)master, &counts);
  (void)copy_interfaces(master, &counts, NULL);
  return counts.n;
}

void cosim_master_save_image(const cosim_master *master, double *image) {
  cosim_image to = {.saves = true};
  to.at = image;
  copy_numbers((cosim_master *)master, &to);
  (void)copy_interfaces(master, &to, NULL);
}

seam_status cosim_master_restore_image(cosim_master *master, const double *image, seam_error *error) {
  for (const cosim_member *m = master->parts->member; m < master->parts->member + master->parts->n; m++)
    if (!cosim_part_can_repeat(m->part))
      return seam_fail(error, SEAM_BAD_STATE,
                       "subsystem '%s' cannot restore an earlier state: create the co-simulation again",
                       m->part->name == NULL ? "" : m->part->name);
  cosim_image from = {.at = (double *)image};
  copy_numbers(master, &from);
  cosim_master_collect_outputs(master);
  cosim_master_begin_next_step(master);
  if (master->H > 0)
    set_rules(master, &master->past, master->H);
  return copy_interfaces(master, &from, error);
}
