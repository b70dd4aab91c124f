/* The corrector of a macro step from T to T + H. w are the new values of all coupling variables. R(w) are the residuals
 * of the coupling conditions. Newton's method finds w with R(w) = 0:
 *
 *   R(w) + dR/dw Δw = 0,   dR/dw = ∂R/∂w + Σ over parts ∂R/∂outputs · d outputs/dw.
 *
 * For each new value that drives a part, the part has a seed: a direction in which it differentiates its outputs. The
 * derivatives enter the conditions of every coupling at the part.
 *
 * After an increment Δw the parts go back to T and advance under the new inputs. Semi-implicit schemes make one
 * increment. Implicit schemes repeat increments until Δw is small. Update schemes repeat no step. The method "weighted"
 * solves for three increments, which lead to g = 0, g' = 0 and g'' = 0 (levels 0 to 2) with the residuals g of a joint.
 * It applies their weighted mean. collocation_step.c decides which increments a collocation step makes. ([Li] 3.1, 3.4,
 * 4.1 to 4.3, 4.7.) */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/note.h"
#include "base/then.h"
#include "cosim/coupling/master.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"
#include "mbs/dynamics/scales.h"

/* ---- Inputs and outputs of the parts ---- */

void cosim_master_set_input(cosim_master *master, const cosim_coupling *c, int side, const cosim_slot *slot,
                            const cosim_signal *signal) {
  const int input = cosim_input_of(c->cut, side, slot);
  const int of_rate = cosim_rate_input_of(c->cut, side, slot);
  cosim_signal *inputs = master->parts->member[c->cut->side[side].part].inputs;
  if (input < 0)
    return;
  cosim_signal *to = &inputs[input];
  *to = *signal;
  if (of_rate >= 0)
    inputs[of_rate] = cosim_signal_rate(signal, master->H);
  if (!master->follows)
    cosim_add_gap_closing(c, side, slot->component, master->t, master->H, to);
  if (cosim_sign_on(side, slot) < 0)
    for (int p = 0; p < to->n_pieces; p++)
      for (int j = 0; j <= COSIM_MAX_DEGREE; j++)
        to->c[p][j] = -to->c[p][j];
}

void cosim_master_set_inputs(cosim_master *master, bool corrected) {
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && (c->corrects || !corrected); slot++) {
      const bool has_new_values = corrected || c->cut->scheme.method == COSIM_COLLOCATION;
      const cosim_signal signal = has_new_values ? cosim_corrected_signal(slot) : cosim_predicted_signal(slot);
      cosim_master_set_input(master, c, 0, slot, &signal);
      cosim_master_set_input(master, c, 1, slot, &signal);
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

/* ---- Sizes ---- */

double cosim_size_of(const cosim_master *master, const cosim_slot *slot, double value) {
  const mbs_scales *s = &master->options.scales;
  const double position = mbs_coordinate_scale(s, slot->component, false);
  const double arm = s->length / position; /* lever arm, m, of angles and torques; 1 for others */
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

/* Returns the largest change of a new value of coupling c by an increment (n_unknowns), relative to the variable. */
static double size_in(const cosim_master *master, const cosim_coupling *c, const double *increment) {
  const double *x = increment + c->first_unknown;
  double largest = 0;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++)
    for (int j = 0; j < slot->rules->n_new; j++) {
      const double size = fabs(*x++) / cosim_size_of(master, slot, slot->value[j]);
      largest = isnan(largest) || size <= largest ? largest : size;
    }
  return largest;
}

/* Returns the largest relative increment; *worst: the coupling with this increment. */
static double relative_size(const cosim_master *master, const double *increment, int *worst) {
  double largest = 0;
  for (int k = 0; k < master->n_couplings; k++) {
    const double size = size_in(master, &master->couplings[k], increment);
    if (!isnan(largest) && !(size <= largest)) {
      largest = size;
      *worst = k;
    }
  }
  return largest;
}

/* Returns the largest ratio of `error` to the increment in any coupling. Omits couplings whose error is only round-off.
 * `rounding`: the increment that one rounding of the outputs causes; NULL: no error counts as round-off. */
static double largest_share(const cosim_master *master, const double *error, const double *rounding) {
  double largest = 0;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const double size = size_in(master, c, error);
    const bool is_rounding = rounding != NULL && size <= cosim_operations * size_in(master, c, rounding);
    const double share = size > 0 && !is_rounding ? size / size_in(master, c, master->increment) : 0;
    largest = isnan(largest) || share <= largest ? largest : share;
  }
  return largest;
}

void cosim_measure_increment(const cosim_master *master, cosim_correction_sizes *sizes) {
  sizes->before = sizes->last;
  sizes->last = relative_size(master, master->increment, &sizes->worst);
  sizes->first = sizes->n++ == 0 ? sizes->last : sizes->first;
  sizes->least = fmin(sizes->least, sizes->last);
}

double cosim_change_at_end(const cosim_master *master, int part, int output, const double *change) {
  const cosim_member *m = &master->parts->member[part];
  const size_t at = (size_t)m->n_nodes * (size_t)m->part->n_outputs + (size_t)output;
  double sum = 0;
  for (int d = 0; d < m->n_seeds; d++)
    sum += cosim_member_derivatives(m, d)[at] * change[master->of_part[part].refs[d].unknown];
  return sum;
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

/* ---- Residuals and their derivatives ---- */

static cosim_step_interval interval_of(const cosim_master *master, const cosim_coupling *c, double H) {
  return (cosim_step_interval){.t = master->t,
                               .H = H,
                               .begin = &c->begin,
                               .end = &c->last.end,
                               .inner = c->last.inner,
                               .of_kinked = c->gradients_are_frozen ? &c->gradients : NULL};
}

static void fill_residual(cosim_master *master, double H, int level) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    if (!c->corrects)
      continue;
    const cosim_step_interval step = interval_of(master, c, H);
    cosim_evaluate_approximations(c, H);
    cosim_conditions(c->cut, &step, &c->w, level, master->residual + c->first_unknown);
  }
}

static void enter_column(cosim_master *master, const cosim_coupling *c, double H, int level,
                         const cosim_step_outputs *seed, const cosim_approximations *w_seed, int unknown) {
  const cosim_step_interval step = interval_of(master, c, H);
  cosim_condition_derivatives(c->cut, &step, &c->gradients, seed, w_seed, level, master->work);
  for (int i = 0; i < c->n_unknowns; i++)
    cosim_interface_add(master->interface, c->first_unknown + i, unknown, master->work[i]);
}

/* Returns row · x: the change of a gap or wrench component by the motion x of one side. */
static inline double change_along(const cosim_element *element, const double *row, const double *x) {
  const int *dim = element->dim;
  double sum = row[dim[0]] * x[dim[0]];
  if (element->n_dims > 1)
    sum += row[dim[1]] * x[dim[1]];
  if (element->n_dims > 2)
    sum += row[dim[2]] * x[dim[2]];
  return sum;
}

/* Adds the effect of one seed, through the motion of one side, to column `unknown` of dR/dw. Needs
 * cosim_conditions_add_motions(). D are the derivatives of the part's outputs along the seed. Among them are the
 * changes x, v and a of the side's position, velocity and acceleration. J is the Jacobian of the residuals g of a
 * joint: g changes by J x, its rate at the end by J v + J' x. Wx and Wv are the gradients of the force W of a force
 * element. Its conditions change by -(Wx x + Wv v), their rate at the end by -(Wx v + Wv a). */
static void enter_motions(cosim_master *master, const cosim_coupling *c, int side, const cosim_member *m,
                          const double *D, int unknown) {
  const cosim_element *element = c->cut->element;
  const cosim_side *at = &c->cut->side[side];
  const bool is_joint = element->n_rows > 0;
  const double sign = is_joint ? 1 : -1;
  const int s = c->cut->scheme.order;
  const int first = side * COSIM_MAX_DIMS;
  const double *end = D + m->n_nodes * m->part->n_outputs;
  int unit = c->first_unknown;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots; slot++) {
    const int row = is_joint ? (int)(slot - c->slots) : slot->component;
    for (int j = 0; j < s; j++) {
      const double *outputs = j == 0 ? end : D + c->row[j - 1] * m->part->n_outputs;
      double change = change_along(element, c->gradients.Wx[j][row] + first, outputs + at->position);
      if (!is_joint)
        change += change_along(element, c->gradients.Wv[j][row] + first, outputs + at->velocity);
      cosim_interface_add(master->interface, unit++, unknown, sign * change);
    }
    const double *driving = end + (is_joint ? at->position : at->acceleration);
    const double change = change_along(element, c->gradients.Wx[0][row] + first, end + at->velocity) +
                          change_along(element, c->gradients.Wv[0][row] + first, driving);
    cosim_interface_add(master->interface, unit++, unknown, sign * change);
  }
}

/* Adds the derivatives of a coupling's conditions by all new values that drive one of its parts. */
static void enter_derivatives(cosim_master *master, int part, const cosim_incidence *at, double H, int level) {
  static const cosim_approximations unchanged;
  const cosim_member *m = &master->parts->member[part];
  const cosim_coupling *c = &master->couplings[at->coupling];
  const cosim_element *element = c->cut->element;
  const cosim_method method = c->cut->scheme.method;
  const bool by_motions = cosim_conditions_add_motions(c->cut);
  /* The derivative of g'' by a constant force may be round-off only. It is therefore compared with that of g' divided
   * by H (docs/conventions.md, Pitfalls). */
  const bool expects_g2 = (method == COSIM_PROJECTION || (method == COSIM_WEIGHTED && level == 2)) &&
                          c->rules[0].variable->kind == COSIM_FORCE;
  cosim_step_outputs seed = {0}; /* zero except outputs of the part on this side */
  for (int d = 0; d < m->n_seeds && c->corrects; d++) {
    const double *D = cosim_member_derivatives(m, d);
    const int unknown = master->of_part[part].refs[d].unknown;
    double g[COSIM_MAX_DIMS], gd[COSIM_MAX_DIMS], gdd[COSIM_MAX_DIMS];
    if (by_motions) {
      enter_motions(master, c, at->side, m, D, unknown);
      continue;
    }
    cosim_copy_step_outputs(c, at->side, m, D, &seed);
    enter_column(master, c, H, level, &seed, &unchanged, unknown);
    if (!expects_g2)
      continue;
    element->ops->residual_derivatives(element, c->last.end.motion, seed.end.motion, g, gd, gdd);
    for (int row = 0; row < element->n_rows; row++)
      cosim_interface_expect(master->interface, c->first_unknown + row, fabs(gd[row]) / H);
  }
}

/* Adds ∂R/∂w, the direct effect of a coupling's new values on its conditions. It is simple if
 * cosim_conditions_add_motions(). At a joint it is then 0, since the force λ changes gaps through motions only. At a
 * force element λ enters the conditions λ = W, and λ' enters the last condition λ' = W'. */
static void enter_direct(cosim_master *master, const cosim_coupling *c, double H, int level) {
  static const cosim_step_outputs unchanged;
  const bool by_motions = cosim_conditions_add_motions(c->cut);
  int unknown = c->first_unknown;
  if (by_motions && c->cut->element->n_rows > 0)
    return;
  for (const cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++) {
    const cosim_variable_rules *q = slot->rules;
    const int first = unknown;
    for (int j = 0; j < q->n_new; j++, unknown++)
      if (by_motions) {
        if (j < c->cut->scheme.order)
          cosim_interface_add(master->interface, unknown, unknown, 1);
        cosim_interface_add(master->interface, first + q->n_new - 1, unknown, q->corrector.end_slope_new[j] / H);
      } else {
        cosim_approximations w = {0};
        w.of[q->number][slot->component] = cosim_unit_approximation(q, j, H);
        enter_column(master, c, H, level, &unchanged, &w, unknown);
      }
  }
}

void cosim_enter_interface(cosim_master *master, double H, int level) {
  for (int p = 0; p < master->parts->n; p++)
    for (int i = 0; i < master->of_part[p].n_incidences; i++)
      enter_derivatives(master, p, &master->of_part[p].incidences[i], H, level);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    enter_direct(master, c, H, level);
}

static void find_gradients(const cosim_master *master, cosim_coupling *c, double H) {
  const cosim_step_interval step = interval_of(master, c, H);
  cosim_evaluate_law_gradients(c->cut, &step, &c->w, &c->gradients);
}

/* Near a kink of a law the rate W' of its force W jumps, and perhaps no force λ meets λ' = W'. With frozen gradients W'
 * does not jump. At the end of a contact corrections are slow: the stiffness falls like √δ (δ: penetration). */
bool cosim_freeze_gradients(cosim_master *master, double H, bool is_slow) {
  bool freezes = false;
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const cosim_element *element = c->cut->element;
    if (c->gradients_are_frozen ||
        !(c->cut->scheme.method == COSIM_COLLOCATION && c->cut->scheme.n_variables == 1 && element->n_rows == 0 &&
          !element->is_affine) ||
        !((is_slow && element->switches) || cosim_law_rate_jumps(element, c->before, c->last.end.motion)))
      continue;
    find_gradients(master, c, H);
    c->gradients_are_frozen = true;
    freezes = true;
  }
  return freezes;
}

static seam_status fill_interface(cosim_master *master, double H, int level, seam_error *error) {
  for (cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    if (c->corrects && !c->gradients_are_frozen)
      find_gradients(master, c, H);
  cosim_interface_begin(master->interface);
  cosim_enter_interface(master, H, level);
  return cosim_interface_factor(master->interface, error);
}

/* ---- Increments ---- */

seam_status cosim_find_increment(cosim_master *master, double H, bool refresh, seam_error *error) {
  const size_t n = (size_t)master->n_unknowns;
  memset(master->increment, 0, n * sizeof *master->increment);
  for (int level = 0; level < master->n_levels; level++) {
    fill_residual(master, H, level);
    if (refresh)
      TRY(fill_interface(master, H, level, error));
    cosim_interface_solve(master->interface, master->residual);
    for (size_t i = 0; i < n; i++)
      master->increment[i] += master->weight[level] * master->residual[i];
  }
  master->count.corrections++;
  return SEAM_OK;
}

void cosim_apply_increment(cosim_master *master) {
  const double *x = master->increment;
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++)
    for (cosim_slot *slot = c->slots; slot < c->slots + c->n_slots && c->corrects; slot++)
      for (int j = 0; j < slot->rules->n_new; j++)
        slot->value[j] -= *x++;
}

void cosim_count_refresh(cosim_master *master, bool refresh) {
  master->count.refreshes += refresh;
  master->stale = master->stale && !refresh;
}

seam_status cosim_repeat_step(cosim_master *master, double H, bool with_derivatives, seam_error *error) {
  master->parts->with_feedthrough = false;
  cosim_master_set_inputs(master, true);
  const seam_status status =
      cosim_parts_advance(master->parts, master->t, H, COSIM_REPETITION, with_derivatives, error);
  cosim_master_collect_outputs(master);
  return status;
}

/* ---- Increments that no longer shrink ---- */

/* Replaces the residuals by Σ |∂R/∂y| ε |y| over the outputs y of parts. */
static void fill_rounding(cosim_master *master, double H, int level) {
  static const cosim_approximations unchanged;
  memset(master->residual, 0, (size_t)master->n_unknowns * sizeof *master->residual);
  for (const cosim_coupling *c = master->couplings; c < master->couplings + master->n_couplings; c++) {
    const cosim_step_interval step = interval_of(master, c, H);
    const double *nodes;
    const int n_inner = c->cut->scheme.method == COSIM_COLLOCATION ? cosim_inner_nodes(&c->cut->scheme, &nodes) : 0;
    cosim_step_outputs seed = {0};
    double *of_seed = (double *)&seed;
    const double *y = (const double *)&c->last; /* numbers at the end, then at inner nodes */
    const size_t n = (1 + (size_t)n_inner) * sizeof seed.end / sizeof *y;
    for (size_t k = 0; k < n && c->corrects; k++) {
      of_seed[k] = DBL_EPSILON * y[k];
      cosim_condition_derivatives(c->cut, &step, &c->gradients, &seed, &unchanged, level, master->work);
      of_seed[k] = 0;
      for (int i = 0; i < c->n_unknowns; i++)
        master->residual[c->first_unknown + i] += fabs(master->work[i]);
    }
  }
}

/* Returns the relative size of |J⁻¹| Σ |∂R/∂y| ε |y|, the increment that round-off of the parts' outputs y causes. J is
 * the interface matrix, factored for the last level; ε is the machine precision. For weighted multipliers the result is
 * the weighted sum over all levels, and J after the call is that of level 0. */
static double rounding_of_increment(cosim_master *master, double H) {
  const size_t n = (size_t)master->n_unknowns;
  int worst = 0;
  memset(master->rounding, 0, n * sizeof *master->rounding);
  for (int level = master->n_levels - 1; level >= 0; level--) {
    if (level < master->n_levels - 1 && fill_interface(master, H, level, NULL) != SEAM_OK)
      return 0;
    fill_rounding(master, H, level);
    for (size_t i = 0; i < n; i++) {
      memset(master->work, 0, n * sizeof *master->work);
      master->work[i] = master->residual[i];
      cosim_interface_solve(master->interface, master->work);
      for (size_t j = 0; j < n; j++)
        master->rounding[j] += fabs(master->weight[level] * master->work[j]);
    }
  }
  return relative_size(master, master->rounding, &worst);
}

bool cosim_has_stalled(cosim_master *master, double H, const cosim_correction_sizes *sizes, double effect) {
  const double size = sizes->last;
  return size > cosim_shrinks * sizes->before &&
         (cosim_effect_of_increment(master) <= effect ||
          (size <= cosim_largest_rounding && size <= cosim_operations * rounding_of_increment(master, H)));
}

/* If outputs have noise, as in subsystems with single precision, increments shrink to this noise and no further. */
seam_status cosim_not_converged(const cosim_master *master, double H, const cosim_correction_sizes *sizes,
                                seam_error *error) {
  const char *name = master->cuts[sizes->worst].name;
  const int iterations = sizes->n - 1;
  const bool shrank =
      sizes->last <= cosim_shrunk_correction ||
      (sizes->last <= cosim_largest_rounding && sizes->least <= cosim_sufficient_contraction * sizes->first);
  const bool shrinks = sizes->last <= cosim_shrinks * sizes->before;
  const char *advice = "take a smaller macro step";
  if (shrank && !(shrinks && sizes->last <= sizes->least))
    advice = "the changes no longer shrink; raise 'tolerance' under 'implicit'";
  else if (shrank)
    advice = "raise 'iterations' or 'tolerance' under 'implicit'";
  return seam_fail(error, SEAM_NOT_CONVERGED,
                   "t = %.9g s: coupling '%s': the corrector still changes its variables by %.3g after %d iteration%s: "
                   "%s",
                   master->t + H, name == NULL ? "" : name, sizes->last, iterations, iterations == 1 ? "" : "s",
                   advice);
}

/* ---- Semi-implicit schemes ---- */

/* Evaluates the residuals and replaces them by the increment that the factored matrix gives. */
static void solve_residuals(cosim_master *master, double H) {
  fill_residual(master, H, 0);
  cosim_interface_solve(master->interface, master->residual);
}

/* Returns the relative error that reused derivatives have caused in the applied increment. */
static double find_share(cosim_master *master, double H) {
  solve_residuals(master, H);
  const double share = largest_share(master, master->residual, NULL);
  if (!(share > fmax(master->reuse_limit, cosim_reuse_failed)))
    return share;
  (void)rounding_of_increment(master, H); /* overwrites the residuals */
  solve_residuals(master, H);
  return largest_share(master, master->residual, master->rounding);
}

/* Applies one increment. Derivatives of earlier steps are reused while the relative error that they cause in it stays
 * below a limit. A second increment, which is not applied, shows this error. The error grows about evenly from step to
 * step. After a sudden growth, as when a contact closes, the step is corrected again with its own derivatives. */
static seam_status correct_once(cosim_master *master, double H, bool refresh, seam_error *error) {
  const double limit = master->reuse_limit;
  double *older = master->rounding; /* the increment by older derivatives, then its difference to that by new ones */
  if (master->age >= 0)
    master->age++;
  for (;; refresh = true) {
    const bool compares = refresh && master->reuses && master->age > 0;
    if (compares) {
      solve_residuals(master, H);
      memcpy(older, master->residual, (size_t)master->n_unknowns * sizeof *older);
    }
    TRY(cosim_find_increment(master, H, refresh, error));
    for (int i = 0; i < master->n_unknowns && compares; i++)
      older[i] -= master->increment[i];
    double share = compares ? largest_share(master, older, NULL) : NAN;
    cosim_count_refresh(master, refresh);
    cosim_apply_increment(master);
    TRY(cosim_repeat_step(master, H, false, error));
    if (!master->reuses)
      return SEAM_OK;
    if (!refresh)
      share = find_share(master, H);
    const int next_age = refresh ? 1 : master->age + 1;
    master->stale = !(share * next_age <= limit * master->age);
    if (refresh)
      master->age = 0;
    if (refresh || !(share > fmax(limit, cosim_reuse_failed)))
      return SEAM_OK;
    TRY(cosim_repeat_step(master, H, true, error));
  }
}

/* ---- Implicit schemes ---- */

static seam_status correct_until_small(cosim_master *master, double H, bool refresh, seam_error *error) {
  cosim_correction_sizes increments = {.last = INFINITY, .least = INFINITY};
  for (int k = 0;; k++) { /* increments made */
    TRY(cosim_find_increment(master, H, refresh, error));
    cosim_count_refresh(master, refresh);
    cosim_measure_increment(master, &increments);
    if (k > 0 && increments.last <= master->options.tolerance)
      return SEAM_OK;
    if (k > 2 && cosim_has_stalled(master, H, &increments, 1)) {
      const char *name = master->cuts[increments.worst].name;
      if (!master->has_reported_stall)
        seam_note(
            "t = %.9g s: coupling '%s': errors of the integrators keep the corrections at %.2g, above the 'tolerance' "
            "%.2g under 'implicit'; the step is accepted; raise this tolerance, or lower 'rtol' under 'cosim'",
            master->t + H, name == NULL ? "" : name, increments.last, master->options.tolerance);
      master->has_reported_stall = true;
      return SEAM_OK;
    }
    if (k == master->options.iterations || !isfinite(increments.last))
      return cosim_not_converged(master, H, &increments, error);
    refresh = !master->reuses || increments.last > cosim_sufficient_contraction * increments.before;
    cosim_apply_increment(master);
    TRY(cosim_repeat_step(master, H, refresh, error));
  }
}

/* ---- Update schemes ----
 *
 * Each step is taken once, with new values w of the coupling variables. One increment Δw follows from R(w) + dR/dw Δw =
 * 0. It corrects the end states x of the parts:
 *
 *   x ← x + ∂x/∂w Δw,   with the ∂x/∂w from which dR/dw was computed.
 *
 * Linear parts reach the same end states as by a repetition under w + Δw. Other parts differ by terms of order Δw². At
 * a force element of order k, Δw = O(H^(k + 1)) and ∂x/∂w = O(H). These terms are then O(H^(2k + 3)), below the local
 * error O(H^(k + 2)).
 *
 * Let M be the mass matrix, φ(τ) the signal of a new value, and Gᵀ φ its generalised force. If inertia dominates, parts
 * derive velocities v and positions q at the end from inertia alone:
 *
 *   ∂v/∂w = M⁻¹ Gᵀ H ∫φ dτ + ...,   ∂q/∂w = M⁻¹ Gᵀ H² ∬φ dτ dτ + ...
 *
 * The series is that of multibody_series.c. Force elements need two terms. Joints need three, since the errors of their
 * schemes are smaller.
 *
 * A part repeats the step if it cannot correct its end state, or after an event, switch or kink within the step.
 * ([Kraft-Jacobian], [Arnold]; docs/theory.md, The master.) */

static seam_status correct_by_update(cosim_master *master, double H, bool refresh, seam_error *error) {
  TRY(cosim_find_increment(master, H, refresh, error));
  cosim_count_refresh(master, refresh);
  cosim_apply_increment(master);
  cosim_master_set_inputs(master, true);
  seam_status status = SEAM_OK;
  for (int p = 0; p < master->parts->n && status == SEAM_OK; p++) {
    cosim_member *m = &master->parts->member[p];
    bool is_made = m->n_seeds == 0;
    for (int d = 0; d < m->n_seeds; d++)
      m->change[d] = -master->increment[master->of_part[p].refs[d].unknown];
    for (int i = 0; i < m->part->n_inputs; i++)
      master->impulses[i] = cosim_signal_end(&m->inputs[i]);
    if (m->has_exact_derivatives && m->part->ops->update_end != NULL) {
      status = m->part->ops->update_end(m->part, m->change, master->impulses, &is_made, error);
      m->part->ops->get_outputs(m->part, m->outputs);
    }
    m->again = !is_made;
  }
  THEN(status, cosim_parts_advance(master->parts, master->t, H, COSIM_REPETITION, false, error));
  cosim_master_collect_outputs(master);
  return status;
}

seam_status cosim_correct(cosim_master *master, double H, bool refresh, seam_error *error) {
  return (master->updates    ? correct_by_update
          : master->iterates ? correct_until_small
                             : correct_once)(master, H, refresh, error);
}
