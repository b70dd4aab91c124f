/* A macro step from T to T + H finds the new values w of all coupling variables at their nodes:
 *
 *   predict   w from the polynomials through the past; advance all parts
 *   correct   find w with R(w) = 0, the conditions at T + H, by Newton's method, R(w) + dR/dw Δw = 0; roll back to T,
 *             advance under the new inputs
 *
 * The correction is made once (semi-implicit) or until Δw is small (implicit). The method "weighted" uses the weighted
 * mean of the Δw that lead to g = 0, to g' = 0 and to g'' = 0, where g are the residuals of a joint. Explicit couplings
 * only predict; their new values then follow from the conditions. ([Li] 3.1, 3.4, 4.1 to 4.3, 4.7.) */
#include "cosim/coupling/master.h"

#include <math.h>
#include <string.h>

#include "base/note.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/scales.h"

/* ---- Inputs ---- */

static void set_input(cosim_master *master, const cosim_coupling *c, int side, const cosim_slot *slot,
                      const cosim_signal *signal) {
  const cosim_variable *variable = slot->rules->variable;
  const int input = cosim_input_of(c->cut, side, variable, slot->component);
  const int of_rate = cosim_rate_input_of(c->cut, side, variable, slot->component);
  cosim_signal *inputs = master->parts->member[c->cut->side[side].part].inputs;
  if (input < 0)
    return;
  cosim_signal *to = &inputs[input];
  *to = *signal;
  if (of_rate >= 0)
    inputs[of_rate] = cosim_signal_rate(signal, master->H);
  if (!master->follows)
    cosim_add_gap_closing(c, side, slot->component, master->t, master->H, to);
  if (cosim_sign_on(side, variable) < 0)
    for (int p = 0; p < to->n_pieces; p++)
      for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
        to->c[p][j] = -to->c[p][j];
}

/* Sets the inputs that couplings drive: with the new values (`corrected`), or as predicted. Inputs of explicit
 * couplings remain as predicted while the others are corrected. */
void cosim_master_set_inputs(cosim_master *master, bool corrected) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && (c->corrects || !corrected); slot++) {
      const bool has_new_values = corrected || c->cut->scheme.method == COSIM_COLLOCATION;
      const cosim_signal signal = has_new_values ? cosim_corrected_signal(slot) : cosim_predicted_signal(slot);
      set_input(master, c, 0, slot, &signal);
      set_input(master, c, 1, slot, &signal);
    }
}

void cosim_master_collect_outputs(cosim_master *master) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int side = 0; side < 2; side++) {
      const cosim_member *m = &master->parts->member[c->cut->side[side].part];
      cosim_copy_step_outputs(c, side, m, m->node_outputs, &c->last);
    }
}

void cosim_master_begin_next_step(cosim_master *master) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    c->begin = c->last.end;
}

/* ---- Rules ---- */

double cosim_size_of(const cosim_master *master, const cosim_slot *slot, double value) {
  const mbs_scales *s = &master->options.scales;
  const double position = mbs_coordinate_scale(s, slot->component, false);
  const double arm =
      s->length / position; /* lever arm: a length in m for angles and torques, the number 1 for others */
  const double scale[cosim_n_kinds] = {[COSIM_FORCE] = s->force * arm,
                                       [COSIM_POSITION] = position,
                                       [COSIM_VELOCITY] = mbs_coordinate_scale(s, slot->component, true),
                                       [COSIM_ACCELERATION] = s->speed / s->time / arm,
                                       [COSIM_MOTION] = position};
  return fmax(scale[slot->rules->variable->kind], fabs(value));
}

double cosim_tolerance_of(const cosim_master *master, int component, bool is_rate, double value) {
  const cosim_master_options *o = &master->options;
  return mbs_tolerance_of(&o->scales, o->rtol, o->atol, component, is_rate, value);
}

/* Sets the changes of new values for difference quotients. They are large, since outputs are almost linear in new
 * values over one macro step. They follow from the state in every step, so that a restored run is bit-identical. */
static void set_deltas(cosim_master *master) {
  static const double relative[cosim_n_kinds] = {[COSIM_FORCE] = cosim_change_of_force,
                                                 [COSIM_POSITION] = cosim_change_of_position,
                                                 [COSIM_VELOCITY] = cosim_change_of_force,
                                                 [COSIM_ACCELERATION] = cosim_change_of_force,
                                                 [COSIM_MOTION] = cosim_change_of_position};
  for (int p = 0; p < master->parts->n; p++)
    for (int d = 0; d < master->parts->member[p].n_seeds; d++) {
      const cosim_slot *slot = master->refs[p][d].slot;
      master->parts->member[p].delta[d] =
          relative[slot->rules->variable->kind] * cosim_size_of(master, slot, slot->history[0]);
    }
}

void cosim_master_set_rules(cosim_master *master, const cosim_history_nodes *past, double H) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    cosim_coupling_set_rules(c, past);
  for (int p = 0; p < master->parts->n; p++)
    for (int d = 0; d < master->parts->member[p].n_seeds; d++) {
      const cosim_unknown_ref *ref = &master->refs[p][d];
      const cosim_variable_rules *q = ref->slot->rules;
      const int side = ref->coupling->cut->side[0].part == p ? 0 : 1;
      const cosim_signal *basis = &q->corrector.of_new[ref->new_value];
      const cosim_signal of_new = ref->is_rate ? cosim_signal_rate(basis, H) : *basis;
      cosim_signal *seed = &master->parts->member[p].seeds[d].signal;
      *seed = (cosim_signal){.n_pieces = 1};
      cosim_signal_add(seed, cosim_sign_on(side, q->variable), &of_new);
    }
  cosim_set_kernels(master);
}

/* Computes the rules again if H or the nodes of the past have changed. */
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
    cosim_master_set_rules(master, &past, H);
  master->H = H;
  master->past = past;
  master->stale = master->stale || !master->adapts;
}

/* ---- Corrections ---- */

double cosim_relative_size(const cosim_master *master, const double *increment, int *worst) {
  double largest = 0;
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_coupling *c = &master->couplings[k];
    const double *x = increment + c->first_unknown;
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++)
      for (int j = 0; j < slot->rules->n_new; j++) {
        const double size = fabs(*x++) / cosim_size_of(master, slot, slot->value[j]);
        if (!isnan(largest) && !(size <= largest)) {
          largest = size;
          *worst = k;
        }
      }
  }
  return largest;
}

double cosim_effect_of_increment(const cosim_master *master) {
  double largest = 0;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int side = 0; side < 2 && c->corrects; side++)
      for (int i = 0; i < 2 * c->cut->element->n_dims; i++) {
        const cosim_side *at = &c->cut->side[side];
        const bool is_rate = i % 2 == 1;
        const int component = c->cut->element->dim[i / 2];
        const int y = (is_rate ? at->velocity : at->position) + component;
        const double change = cosim_change_at_end(master, at->part, y, master->increment);
        const double value = master->parts->member[at->part].outputs[y];
        const double size = fabs(change) / cosim_tolerance_of(master, component, is_rate, value);
        if (isnan(size) || size > largest) /* a NaN in `largest` stays */
          largest = size;
      }
  return largest;
}

void cosim_apply_increment(cosim_master *master) {
  const double *x = master->increment;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++)
      for (int j = 0; j < slot->rules->n_new; j++)
        slot->value[j] -= *x++;
}

seam_status cosim_find_increment(cosim_master *master, double H, bool refresh, seam_error *error) {
  const size_t n = (size_t)master->n_unknowns;
  memset(master->increment, 0, n * sizeof *master->increment);
  for (int level = 0; level < master->n_levels; level++) {
    cosim_fill_residual(master, H, level);
    const seam_status status = refresh ? cosim_fill_interface(master, H, level, error) : SEAM_OK;
    if (status != SEAM_OK)
      return status;
    cosim_interface_solve(master->interface, master->residual);
    for (size_t i = 0; i < n; i++)
      master->increment[i] += master->weight[level] * master->residual[i];
  }
  master->count.corrections++;
  return SEAM_OK;
}

/* Fails with advice, which follows from the sizes of the increments. If outputs have noise, for example in subsystems
 * with single precision, increments shrink to the noise and no further. Only a looser tolerance then helps. */
seam_status cosim_not_converged(const cosim_master *master, double H, const cosim_correction_sizes *sizes,
                                int iterations, seam_error *error) {
  const bool shrank = sizes->last <= cosim_noise ||
                      (sizes->last <= cosim_largest_rounding && sizes->least <= cosim_good_contraction * sizes->first);
  const bool shrinks = sizes->last <= cosim_shrinks * sizes->before;
  const char *advice = "take a smaller macro step";
  if (shrank && !(shrinks && sizes->last <= sizes->least))
    advice = "the changes no longer shrink; take a looser implicit tolerance";
  else if (shrank)
    advice = "take more implicit iterations or a looser implicit tolerance";
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: coupling '%s': the corrector still changes its variables by %.3g after %d iteration%s: "
                   "%s",
                   master->t + H, master->cuts[sizes->worst].name == NULL ? "" : master->cuts[sizes->worst].name,
                   sizes->last, iterations, iterations == 1 ? "" : "s", advice);
}

void cosim_count_refresh(cosim_master *master, bool refresh) {
  master->count.refreshes += refresh;
  master->stale = master->stale && !refresh;
}

seam_status cosim_repeat_step(cosim_master *master, double H, bool with_derivatives, double size, seam_error *error) {
  const bool with_same_steps = !with_derivatives && size <= cosim_same_steps_limit && master->parts->middle < 0;
  master->parts->with_feedthrough = false;
  cosim_parts_roll_back(master->parts);
  cosim_master_set_inputs(master, true);
  const seam_status status = with_same_steps
                                 ? cosim_parts_repeat(master->parts, master->t, H, error)
                                 : cosim_parts_advance(master->parts, master->t, H, false, with_derivatives, error);
  cosim_master_collect_outputs(master);
  return status;
}

/* Finds an increment by new derivatives. Returns the error of the increment by the older derivatives, relative to the
 * increment; NaN: unknown. */
static seam_status renew_derivatives(cosim_master *master, double H, double *share, seam_error *error) {
  int worst = 0;
  double *older = master->rounding;
  const bool compares = master->reuses && master->age > 0;
  if (compares) {
    cosim_fill_residual(master, H, 0);
    cosim_interface_solve(master->interface, master->residual);
    memcpy(older, master->residual, (size_t)master->n_unknowns * sizeof *older);
  }
  const seam_status status = cosim_find_increment(master, H, true, error);
  *share = NAN;
  if (status != SEAM_OK || !compares)
    return status;
  for (int i = 0; i < master->n_unknowns; i++)
    older[i] -= master->increment[i];
  *share = cosim_relative_size(master, older, &worst) / cosim_relative_size(master, master->increment, &worst);
  return SEAM_OK;
}

/* Applies one increment. Derivatives of earlier steps are reused while the error of the increment that they give stays
 * below a share of it. This error grows about evenly from step to step; a second increment shows it. After a sudden
 * growth, such as by a contact that closes, the step is corrected again with its own derivatives. */
static seam_status correct_once(cosim_master *master, double H, bool refresh, seam_error *error) {
  const double limit = master->reuse_limit;
  int worst = 0;
  if (master->age >= 0)
    master->age++;
  for (;; refresh = true) {
    double share = 0, second = 0;
    seam_status status =
        refresh ? renew_derivatives(master, H, &share, error) : cosim_find_increment(master, H, false, error);
    if (status != SEAM_OK)
      return status;
    cosim_count_refresh(master, refresh);
    const double first = cosim_relative_size(master, master->increment, &worst);
    cosim_apply_increment(master);
    status = cosim_repeat_step(master, H, false, first, error);
    if (status != SEAM_OK || !master->reuses)
      return status;
    if (!refresh) {
      cosim_fill_residual(master, H, 0);
      cosim_interface_solve(master->interface, master->residual);
      second = cosim_relative_size(master, master->residual, &worst);
      share = second / first;
    }
    const int next_age = refresh ? 1 : master->age + 1;
    master->stale = !(share * next_age <= limit * master->age);
    if (refresh)
      master->age = 0;
    if (refresh || !(share > limit) || second <= cosim_operations * cosim_rounding_of_increment(master, H))
      return SEAM_OK;
    status = cosim_repeat_step(master, H, true, first, error);
    if (status != SEAM_OK)
      return status;
  }
}

bool cosim_has_stalled(cosim_master *master, double H, double size, double before, double effect) {
  return size > cosim_shrinks * before &&
         (cosim_effect_of_increment(master) <= effect ||
          (size <= cosim_largest_rounding && size <= cosim_operations * cosim_rounding_of_increment(master, H)));
}

static seam_status correct_until_small(cosim_master *master, double H, bool refresh, seam_error *error) {
  double first = INFINITY, least = INFINITY, before = INFINITY, size = INFINITY;
  int worst = 0;
  int k = 0; /* increments made */
  for (;; k++) {
    seam_status status = cosim_find_increment(master, H, refresh, error);
    if (status != SEAM_OK)
      return status;
    cosim_count_refresh(master, refresh);
    size = cosim_relative_size(master, master->increment, &worst);
    first = k == 0 ? size : first;
    least = fmin(least, size);
    if (k > 0 && size <= master->options.tolerance)
      return SEAM_OK;
    if (k > 2 && cosim_has_stalled(master, H, size, before, 1)) {
      if (!master->has_reported_stall)
        seam_note("t = %.9g s: coupling '%s': corrections of its variables no longer shrink below %.2g, because of the "
                  "integrators' errors: the step is accepted, although the implicit tolerance is %.2g",
                  master->t + H, master->cuts[worst].name == NULL ? "" : master->cuts[worst].name, size,
                  master->options.tolerance);
      master->has_reported_stall = true;
      return SEAM_OK;
    }
    if (k == master->options.iterations || !isfinite(size))
      break;
    refresh = !master->reuses || size > cosim_good_contraction * before;
    before = size;
    cosim_apply_increment(master);
    status = cosim_repeat_step(master, H, refresh, size, error);
    if (status != SEAM_OK)
      return status;
  }
  return cosim_not_converged(master, H, &(cosim_correction_sizes){first, least, before, size, worst}, k, error);
}

/* ---- Gauss-Seidel ---- */

static double *coordinate_of(cosim_motion *m, cosim_kind kind, int component) {
  return kind == COSIM_POSITION ? &m->x[component] : &m->v[component];
}

/* Computes the end values of those coupling variables that the part of `side` alone determines. If the part of the
 * other side advances later in this step, its inputs get these values. */
static void send_end_values(cosim_master *master, const cosim_coupling *c, int side) {
  const cosim_member *m = &master->parts->member[c->cut->side[side].part];
  cosim_snapshot newest = {0};
  cosim_copy_outputs(c->cut, side, m->outputs, &newest);
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots;
       slot++) { /* motion of the other side, as this part received it */
    const cosim_variable *variable = slot->rules->variable;
    const int input = cosim_input_of(c->cut, side, variable, slot->component);
    if (variable->kind != COSIM_FORCE && input >= 0)
      *coordinate_of(&newest.motion[1 - side], variable->kind, slot->component) = cosim_signal_end(&m->inputs[input]);
  }
  for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const cosim_variable *variable = slot->rules->variable;
    if (variable->target < 0 || side != (variable->kind == COSIM_FORCE ? 1 - variable->target : variable->source))
      continue;
    slot->value[0] = cosim_value_of(c->cut, variable, slot->component, newest.motion, NULL);
    const cosim_signal signal = cosim_corrected_signal(slot);
    if (c->cut->side[1 - side].part > c->cut->side[side].part)
      set_input(master, c, 1 - side, slot, &signal);
  }
}

static seam_status advance_sequentially(cosim_master *master, double H, bool with_derivatives, seam_error *error) {
  for (int p = 0; p < master->parts->n; p++) {
    const seam_status status = cosim_parts_advance_one(master->parts, p, master->t, H, with_derivatives, error);
    if (status != SEAM_OK)
      return status;
    for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
      for (int side = 0; side < 2; side++)
        if (!c->corrects && c->cut->side[side].part == p)
          send_end_values(master, c, side);
  }
  return SEAM_OK;
}

/* ---- The step ---- */

/* Drops the polynomials of the last steps, since they predict badly after a kink or over a much longer step. */
void cosim_master_drop_polynomials(cosim_master *master) {
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
        slot->history[0] = cosim_value_of(c->cut, slot->rules->variable, slot->component, c->last.end.motion, NULL);
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
    cosim_master_drop_polynomials(master);
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
  seam_status status = master->options.gauss_seidel
                           ? advance_sequentially(master, H, refresh, error)
                           : cosim_parts_advance(master->parts, master->t, H, true, refresh, error);
  if (status != SEAM_OK)
    return status;
  cosim_master_collect_outputs(master);
  if (master->options.predicted != NULL)
    master->options.predicted(master->options.context);
  if (corrects)
    status = (master->updates      ? cosim_correct_by_update
              : master->collocates ? cosim_correct_collocation
              : master->iterates   ? correct_until_small
                                   : correct_once)(master, H, refresh, error);
  return status == SEAM_OK ? finish(master, H, error) : status;
}

seam_status cosim_master_follow(cosim_master *master, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error) {
  update_rules(master, H);
  for (int k = 0; k < master->n_couplings; k++) {
    cosim_coupling *c = &master->couplings[k];
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) { /* the predictor continues this line */
      const cosim_variable *variable = slot->rules->variable;
      const double from = cosim_value_of(c->cut, variable, slot->component, begin[k].motion, begin[k].wrench[0]);
      const double to = cosim_value_of(c->cut, variable, slot->component, end[k].motion, end[k].wrench[0]);
      cosim_slot_store_line(slot, 2 * from - to, from);
    }
    cosim_coupling_predict(c, H, (const double[2]){H, 0});
  }
  master->follows = true;
  cosim_master_set_inputs(master, true);
  master->follows = false;
  master->parts->with_feedthrough = false;
  seam_status status = cosim_parts_advance(master->parts, master->t, H, true, false, error);
  if (status != SEAM_OK)
    return status;
  cosim_master_collect_outputs(master);
  status = finish(master, H, error);
  cosim_master_drop_polynomials(master);
  return status;
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

/* Copies the force variables at the present macro point. */
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
      /* The law acts between this side's motion and the motion that it received from the other side. A received
       * COSIM_MOTION equals the other side's motion at macro points. */
      cosim_motion m[2] = {c->last.end.motion[0], c->last.end.motion[1]};
      for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
        const cosim_variable *variable = slot->rules->variable;
        if ((variable->kind == COSIM_POSITION || variable->kind == COSIM_VELOCITY) && variable->target == side)
          *coordinate_of(&m[1 - side], variable->kind, slot->component) = slot->history[0];
      }
      c->cut->element->ops->wrench(c->cut->element, m, now->wrench[side]);
    }
}
