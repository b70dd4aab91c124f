/* A macro step from T to T + H, w the new values of all coupling variables at their nodes:
 *
 *   predict   w from the polynomials through the past; advance all parts
 *   correct   the conditions R(w) = 0 at T + H by Newton's method: R(w) + dR/dw Δw = 0; go back to T; advance the parts
 *             under the new inputs
 *
 * once (semi-implicit) or until Δw is small (implicit). Weighted multipliers take the weighted mean of the Δw to the
 * roots of g, g' and g''. Explicit couplings advance under the predictor, and take their new values from the conditions
 * afterwards. ([Li] 3.1, 3.4, 4.1 to 4.3, 4.7.) */
#include "cosim/master/master_internal.h"

#include <math.h>
#include <string.h>

/* ---- Inputs ---- */

static void set_input(cosim_master *master, const cosim_coupling *c, int side, const cosim_quantity *q,
                      const cosim_slot *slot, const cosim_signal *signal) {
  const int input = cosim_input_of(c->cut, side, q->variable, slot->component);
  if (input < 0)
    return;
  cosim_signal *to = &master->parts->member[c->cut->side[side].part].inputs[input];
  *to = *signal;
  if (cosim_sign_on(side, q->variable) < 0)
    for (int p = 0; p < to->n_pieces; p++)
      for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
        to->c[p][j] = -to->c[p][j];
}

/* Explicit couplings keep their inputs of the predictor when others are corrected. */
static void set_inputs(cosim_master *master, bool corrected) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int v = 0; v < c->cut->scheme.n_variables && (c->corrects || !corrected); v++) {
      const cosim_quantity *q = &c->quantity[v];
      for (const cosim_slot *slot = q->slots; slot < q->slots + q->n_slots; slot++) {
        const cosim_signal signal = corrected ? cosim_corrected_signal(q, slot) : cosim_predicted_signal(q, slot);
        set_input(master, c, 0, q, slot, &signal);
        set_input(master, c, 1, q, slot, &signal);
      }
    }
}

void cosim_master_collect_outputs(cosim_master *master) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int side = 0; side < 2; side++)
      cosim_take_outputs(c->cut, side, master->parts->member[c->cut->side[side].part].outputs, &c->point);
}

void cosim_master_begin_next_step(cosim_master *master) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    memcpy(c->begin, c->point.motion, sizeof c->begin);
}

/* ---- Rules ---- */

static cosim_past past_of(const cosim_master *master, double H) {
  cosim_past past = {.n = master->n_past};
  for (int i = 1; i < past.n; i++)
    past.node[i] = past.node[i - 1] - (master->past_step[i - 1] > 0 ? master->past_step[i - 1] / H : 1);
  return past;
}

/* How far to change a value for a difference: far, as a part answers almost linearly over one macro step. */
static double delta_of(cosim_kind kind, double value) {
  static const double relative[cosim_n_kinds] = {
      [COSIM_FORCE] = 1e-2, [COSIM_POSITION] = 1e-4, [COSIM_VELOCITY] = 1e-2, [COSIM_ACCELERATION] = 1e-2};
  return relative[kind] * fmax(1, fabs(value));
}

static void set_seeds(cosim_master *master) {
  for (int p = 0; p < master->parts->n; p++) {
    cosim_member *m = &master->parts->member[p];
    for (int d = 0; d < m->n_seeds; d++) {
      const cosim_unknown_ref *ref = &master->refs[p][d];
      const cosim_coupling *c = &master->couplings[ref->coupling];
      const cosim_quantity *q = &c->quantity[ref->variable];
      const int side = c->cut->side[0].part == p ? 0 : 1;
      m->seeds[d].signal = (cosim_signal){.n_pieces = 1};
      cosim_signal_add(&m->seeds[d].signal, cosim_sign_on(side, q->variable), &q->corrector.of_new[ref->new_value]);
    }
  }
}

/* Of every step anew: they follow from the state alone. */
static void set_deltas(cosim_master *master) {
  for (int p = 0; p < master->parts->n; p++) {
    cosim_member *m = &master->parts->member[p];
    for (int d = 0; d < m->n_seeds; d++) {
      const cosim_unknown_ref *ref = &master->refs[p][d];
      const cosim_quantity *q = &master->couplings[ref->coupling].quantity[ref->variable];
      m->delta[d] = delta_of(q->variable->kind, q->slots[ref->slot].history[0]);
    }
  }
}

void cosim_master_set_rules(cosim_master *master, const cosim_past *past) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    cosim_coupling_set_rules(c, past);
  set_seeds(master);
}

static bool same_past(const cosim_past *a, const cosim_past *b) {
  bool same = a->n == b->n;
  for (int i = 0; i < a->n; i++)
    same = same && a->node[i] == b->node[i];
  return same;
}

/* Rules change with H and as long as the past or its step sizes do. */
static void update_rules(cosim_master *master, double H) {
  const cosim_past past = past_of(master, H);
  if (H == master->H && same_past(&past, &master->past))
    return;
  cosim_master_set_rules(master, &past);
  master->H = H;
  master->past = past;
  master->stale = true;
}

/* ---- Corrections ---- */

static double relative_size(const cosim_master *master, const double *correction, int *worst) {
  double largest = 0;
  for (int k = 0; k < master->n_couplings; k++) {
    const cosim_coupling *c = &master->couplings[k];
    const double *x = correction + c->first_unknown;
    for (int v = 0; v < c->cut->scheme.n_variables && c->corrects; v++)
      for (int s = 0; s < c->quantity[v].n_slots; s++)
        for (int j = 0; j < c->quantity[v].n_new; j++) {
          const double size = fabs(*x++) / fmax(1, fabs(c->quantity[v].slots[s].value[j]));
          if (!isnan(largest) && !(size <= largest)) {
            largest = size;
            *worst = k;
          }
        }
  }
  return largest;
}

static void apply(cosim_master *master) {
  const double *x = master->correction;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int v = 0; v < c->cut->scheme.n_variables && c->corrects; v++)
      for (int s = 0; s < c->quantity[v].n_slots; s++)
        for (int j = 0; j < c->quantity[v].n_new; j++)
          c->quantity[v].slots[s].value[j] -= *x++;
}

/* correction = the weighted mean of those to the roots of all levels; `fresh`: with the parts' latest answers. */
static seam_status find_correction(cosim_master *master, double H, bool fresh, seam_error *error) {
  const size_t n = (size_t)master->n_unknowns;
  memset(master->correction, 0, n * sizeof *master->correction);
  for (int level = 0; level < master->n_levels; level++) {
    const seam_status status = fresh ? cosim_fill_interface(master, H, level, error) : SEAM_OK;
    if (status != SEAM_OK)
      return status;
    cosim_fill_residual(master, H, level);
    cosim_interface_solve(master->interface, master->residual);
    for (size_t i = 0; i < n; i++)
      master->correction[i] += master->weight[level] * master->residual[i];
  }
  master->count.corrections++;
  master->count.refreshes += fresh;
  master->stale = master->stale && !fresh;
  return SEAM_OK;
}

static seam_status not_converged(const cosim_master *master, double H, double size, int worst, seam_error *error) {
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: coupling '%s': the corrector still changes its variables by %.3g after %d iterations: "
                   "take a smaller macro step or a looser implicit tolerance",
                   master->t + H, master->cuts[worst].name == NULL ? "" : master->cuts[worst].name, size,
                   master->options.iterations);
}

/* Goes back and takes the step again under the present new values. */
static seam_status repeat(cosim_master *master, double H, bool answers, seam_error *error) {
  cosim_parts_roll_back(master->parts);
  set_inputs(master, true);
  const seam_status status = cosim_parts_advance(master->parts, master->t, H, false, answers, error);
  cosim_master_collect_outputs(master);
  return status;
}

/* One correction; whether the answers at hand still serve is seen from how much a second one would change. */
static seam_status correct_once(cosim_master *master, double H, bool fresh, seam_error *error) {
  const double good = 0.05;
  int worst = 0;
  seam_status status = find_correction(master, H, fresh, error);
  if (status != SEAM_OK)
    return status;
  const double first = relative_size(master, master->correction, &worst);
  apply(master);
  status = repeat(master, H, false, error);
  if (status != SEAM_OK || !master->options.reuse)
    return status;
  cosim_fill_residual(master, H, 0);
  cosim_interface_solve(master->interface, master->residual);
  if (!(relative_size(master, master->residual, &worst) <= good * first))
    master->stale = true;
  return SEAM_OK;
}

static seam_status correct_until_small(cosim_master *master, double H, bool fresh, seam_error *error) {
  const double good = 0.1;
  const double rounding = 1e3; /* what shrinks no more and is as small as this is due to it */
  double before = INFINITY;
  double size = INFINITY;
  int worst = 0;
  for (int k = 0; k <= master->options.iterations; k++) {
    seam_status status = find_correction(master, H, fresh, error);
    if (status != SEAM_OK)
      return status;
    size = relative_size(master, master->correction, &worst);
    if (k > 0 && size <= master->options.tolerance)
      return SEAM_OK;
    if (k > 2 && size > 0.9 * before && size <= rounding * master->options.tolerance)
      return SEAM_OK;
    if (k == master->options.iterations || !isfinite(size))
      break;
    fresh = !master->options.reuse || size > good * before;
    before = size;
    apply(master);
    status = repeat(master, H, fresh, error);
    if (status != SEAM_OK)
      return status;
  }
  return not_converged(master, H, size, worst, error);
}

/* ---- Gauss-Seidel ---- */

/* The new value of an explicit coupling's variable once `part` has taken the step, if that decides it. */
static bool find_newest_motion(const cosim_master *master, const cosim_coupling *c, const cosim_quantity *q, int part,
                               cosim_motion m[2]) {
  const int side = q->variable->kind == COSIM_FORCE ? 1 - q->variable->target : q->variable->source;
  if (q->variable->target < 0 || c->cut->side[side].part != part)
    return false;
  cosim_point point = {0};
  cosim_take_outputs(c->cut, side, master->parts->member[part].outputs, &point);
  m[side] = point.motion[side];
  if (q->variable->kind != COSIM_FORCE)
    return true;
  for (int v = 0; v < c->cut->scheme.n_variables; v++) { /* the part felt the other side where its inputs ended */
    const cosim_quantity *other = &c->quantity[v];
    for (const cosim_slot *slot = other->slots; slot < other->slots + other->n_slots; slot++) {
      const int input = cosim_input_of(c->cut, side, other->variable, slot->component);
      if (other->variable->kind == COSIM_FORCE || input < 0)
        continue;
      const double end = cosim_signal_end(&master->parts->member[part].inputs[input]);
      *(other->variable->kind == COSIM_POSITION ? &m[1 - side].x[slot->component] : &m[1 - side].v[slot->component]) =
          end;
    }
  }
  return true;
}

/* Parts after `part` get the newest of what it decides. */
static void publish(cosim_master *master, int part) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int v = 0; v < c->cut->scheme.n_variables && !c->corrects; v++) {
      cosim_quantity *q = &c->quantity[v];
      cosim_motion m[2] = {0};
      if (!find_newest_motion(master, c, q, part, m))
        continue;
      for (cosim_slot *slot = q->slots; slot < q->slots + q->n_slots; slot++) {
        slot->value[0] = cosim_value_of(c->cut, q->variable, slot->component, m, NULL);
        const cosim_signal signal = cosim_corrected_signal(q, slot);
        if (c->cut->side[q->variable->target].part > part)
          set_input(master, c, q->variable->target, q, slot, &signal);
      }
    }
}

static seam_status advance_in_order(cosim_master *master, double H, bool answers, seam_error *error) {
  for (int p = 0; p < master->parts->n; p++) {
    const seam_status status = cosim_parts_advance_one(master->parts, p, master->t, H, answers, error);
    if (status != SEAM_OK)
      return status;
    publish(master, p);
  }
  return SEAM_OK;
}

/* ---- The step ---- */

/* The new values become the newest of the past. */
static void remember(cosim_master *master, double H) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (int v = 0; v < c->cut->scheme.n_variables; v++) {
      cosim_quantity *q = &c->quantity[v];
      for (cosim_slot *slot = q->slots; slot < q->slots + q->n_slots; slot++)
        cosim_slot_remember(slot, c->corrects
                                      ? slot->value[0]
                                      : cosim_value_of(c->cut, q->variable, slot->component, c->point.motion, NULL));
    }
  for (int i = 0; i < COSIM_MAX_HISTORY; i++)
    if (master->past_step[i] == 0)
      master->past_step[i] = H;
  memmove(master->past_step + 1, master->past_step, (COSIM_MAX_HISTORY - 1) * sizeof *master->past_step);
  master->past_step[0] = H;
  if (master->n_past < COSIM_MAX_HISTORY)
    master->n_past++;
}

static seam_status finish(cosim_master *master, double H, seam_error *error) {
  seam_status status = SEAM_OK;
  remember(master, H);
  master->t += H;
  master->count.steps++;
  if (master->projects) {
    status = master->options.project(master->options.context, master->t, error);
    cosim_parts_get_outputs(master->parts);
    cosim_master_collect_outputs(master);
  }
  cosim_master_begin_next_step(master);
  return status;
}

seam_status cosim_master_step(cosim_master *master, double H, seam_error *error) {
  update_rules(master, H);
  const bool corrects = master->n_unknowns > 0;
  const bool fresh = corrects && (master->stale || !master->options.reuse);
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    cosim_coupling_predict(c);
  if (corrects)
    set_deltas(master);
  cosim_parts_store(master->parts);
  set_inputs(master, false);
  seam_status status = master->options.gauss_seidel
                           ? advance_in_order(master, H, fresh, error)
                           : cosim_parts_advance(master->parts, master->t, H, true, fresh, error);
  if (status != SEAM_OK)
    return status;
  cosim_master_collect_outputs(master);
  if (master->options.predicted != NULL)
    master->options.predicted(master->options.context);
  if (corrects)
    status = master->iterates ? correct_until_small(master, H, fresh, error) : correct_once(master, H, fresh, error);
  return status == SEAM_OK ? finish(master, H, error) : status;
}

/* ---- What a user of the master sees ---- */

double cosim_master_time(const cosim_master *master) { return master->t; }

const cosim_point *cosim_master_point(const cosim_master *master, int cut) { return &master->couplings[cut].point; }

void cosim_master_set_past_length(cosim_master *master, double H) {
  for (int i = 0; i < COSIM_MAX_HISTORY; i++)
    master->past_step[i] = H;
}

void cosim_master_set_input(cosim_master *master, int part, int input, const cosim_signal *signal) {
  master->parts->member[part].inputs[input] = *signal;
}

double cosim_master_output(const cosim_master *master, int part, int output) {
  return master->parts->member[part].outputs[output];
}

void cosim_master_get_outputs(cosim_master *master) { cosim_parts_get_outputs(master->parts); }

int cosim_master_past_points(const cosim_master *master, double *time) {
  time[0] = 0;
  for (int i = 1; i < COSIM_MAX_HISTORY; i++)
    time[i] = time[i - 1] - master->past_step[i - 1];
  return master->n_past;
}

int cosim_master_n_variables(const cosim_master *master) { return master->n_slots; }

const double *cosim_master_variable(const cosim_master *master, int variable) {
  return master->slots[variable].history;
}

cosim_master_statistics cosim_master_statistics_of(const cosim_master *master) { return master->count; }

void cosim_master_wrench(const cosim_master *master, int cut, double *W) {
  const cosim_coupling *c = &master->couplings[cut];
  const cosim_element *element = c->cut->element;
  memset(W, 0, COSIM_MAX_FORCES * sizeof *W);
  if (c->quantity[0].variable->kind == COSIM_FORCE)
    for (int s = 0; s < c->quantity[0].n_slots; s++)
      W[c->quantity[0].slots[s].component] = c->quantity[0].slots[s].history[0];
  else if (element->n_rows == 0)
    element->ops->wrench(element, c->point.motion, W);
  else
    for (int row = 0; row < element->n_rows; row++)
      W[element->force[row]] = c->point.multiplier[0][row];
}

/* What `side` is told: the forces on it (true), or the other side's motion into m. */
static bool is_driven_by_force(const cosim_coupling *c, int side, cosim_motion m[2], double *W) {
  bool force = false;
  for (int v = 0; v < c->cut->scheme.n_variables; v++) {
    const cosim_quantity *q = &c->quantity[v];
    double *to[cosim_n_kinds] = {[COSIM_FORCE] = W, [COSIM_POSITION] = m[1 - side].x, [COSIM_VELOCITY] = m[1 - side].v};
    if (to[q->variable->kind] == NULL || (q->variable->target >= 0 && q->variable->target != side))
      continue;
    force = force || q->variable->kind == COSIM_FORCE;
    for (int s = 0; s < q->n_slots; s++)
      to[q->variable->kind][q->slots[s].component] = q->slots[s].history[0];
  }
  return force;
}

void cosim_master_side_wrenches(const cosim_master *master, int cut, double W[2][COSIM_MAX_FORCES]) {
  const cosim_coupling *c = &master->couplings[cut];
  const cosim_element *element = c->cut->element;
  for (int side = 0; side < 2; side++) {
    cosim_motion m[2] = {c->point.motion[0], c->point.motion[1]};
    memset(W[side], 0, sizeof W[side]);
    if (is_driven_by_force(c, side, m, W[side]))
      continue;
    if (element->n_rows == 0)
      element->ops->wrench(element, m, W[side]);
    for (int row = 0; row < element->n_rows; row++)
      W[side][element->force[row]] = c->point.multiplier[side][row];
  }
}
