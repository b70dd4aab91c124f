#include "cosim/coupling/coupling.h"

#include <math.h>
#include <string.h>

#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

void cosim_coupling_init(cosim_coupling *self, const cosim_cut *cut, cosim_slot *slots, int first_unknown) {
  const cosim_history_nodes complete = {.n = COSIM_MAX_HISTORY, .node = {0, -1, -2, -3}};
  const double *inner;
  *self = (cosim_coupling){
      .cut = cut, .corrects = cosim_scheme_corrects(&cut->scheme), .slots = slots, .first_unknown = first_unknown};
  for (int v = 0; v < cut->scheme.n_variables; v++) {
    cosim_variable_rules *q = &self->rules[v];
    const int *component;
    *q = (cosim_variable_rules){.variable = &cut->scheme.variable[v], .number = v};
    q->n_new = cosim_n_new(&cut->scheme, q->variable->kind);
    q->n_inner = cosim_inner_nodes(&cut->scheme, &inner);
    if (cut->scheme.method != COSIM_COLLOCATION)
      q->n_used = self->corrects ? cosim_corrector_rule(&cut->scheme, q->variable->kind, &complete).n_history
                                 : cosim_predictor_rule(cut->scheme.order, &complete).n_history;
    const int n = cosim_components(cut->element, q->variable->kind, &component);
    for (int i = 0; i < n; i++)
      slots[self->n_slots++] = (cosim_slot){.rules = q, .component = component[i]};
    self->n_unknowns += n * q->n_new;
  }
}

/* Evaluates a basis function; inner == NULL: no collocation. */
static cosim_basis evaluate_basis(const cosim_signal *signal, double end_slope, int n_inner, const double *inner) {
  const cosim_signal slope = cosim_signal_rate(signal, 1);
  cosim_basis basis = {.integral = cosim_signal_integral(signal), .end_slope = end_slope};
  if (inner == NULL)
    return basis;
  basis.end_curvature = cosim_signal_end_slope(&slope);
  for (int k = 0; k < n_inner; k++) {
    basis.value[k] = cosim_signal_value(signal, inner[k]);
    basis.slope[k] = cosim_signal_value(&slope, inner[k]);
  }
  return basis;
}

void cosim_coupling_set_rules(cosim_coupling *self, const cosim_history_nodes *past) {
  const cosim_scheme *scheme = &self->cut->scheme;
  const double *inner = NULL;
  if (scheme->method == COSIM_COLLOCATION)
    cosim_inner_nodes(scheme, &inner);
  for (cosim_variable_rules *q = self->rules; q < self->rules + scheme->n_variables; q++) {
    q->predictor = cosim_predictor_rule(scheme->order, past);
    q->corrector = self->corrects ? cosim_corrector_rule(scheme, q->variable->kind, past)
                                  : cosim_rule_through_end(scheme->order, past);
    const cosim_rule *rule = &q->corrector;
    for (int i = 0; i < rule->n_new; i++)
      q->of_new[i] = evaluate_basis(&rule->of_new[i], rule->end_slope_new[i], q->n_inner, inner);
    for (int i = 0; i < rule->n_history; i++)
      q->of_history[i] = evaluate_basis(&rule->of_history[i], rule->end_slope_history[i], q->n_inner, inner);
  }
}

/* ---- Signals ---- */

static cosim_signal sum_of(const cosim_rule *rule, const double *new_values, const double *history) {
  cosim_signal signal = {.n_pieces = 1};
  for (int i = 0; i < rule->n_new; i++)
    cosim_signal_add(&signal, new_values[i], &rule->of_new[i]);
  for (int i = 0; i < rule->n_history; i++)
    cosim_signal_add(&signal, history[i], &rule->of_history[i]);
  return signal;
}

cosim_signal cosim_predicted_signal(const cosim_slot *slot) {
  return sum_of(&slot->rules->predictor, slot->last, slot->history);
}

cosim_signal cosim_corrected_signal(const cosim_slot *slot) {
  return sum_of(&slot->rules->corrector, slot->value, slot->history);
}

/* ---- A guess from two steps ----
 *
 * The forces of the present step are guessed from the forces w of the last two steps. A polynomial p is fitted to the
 * values of w at inner nodes and ends and, with less weight, to its slopes at the ends:
 *
 *   Σ (p - w)² + Σ (p' - w')² / 100 = min.
 *
 * p is continued over the present step. Its degree is s + 2, or s + 1 at joints if s < 4, where s is the number of
 * stages. The polynomial of the last step alone, if continued, has errors three to five times as large. Its highest
 * coefficients contain round-off and effects of changes of the step length, which continuation amplifies. p is a sum of
 * Chebyshev polynomials on the interval of all three steps. */

enum { MAX_GUESSED = COSIM_MAX_STAGES + 3, MAX_KNOWN = 2 * (COSIM_MAX_STAGES + 1) };

/* Matrices of the fit, common to all components of a force. */
typedef struct guess {
  const cosim_rule *rule;
  int n, n_known;                          /* number of coefficients; number of known values and slopes in both steps */
  double known[MAX_KNOWN][MAX_GUESSED];    /* (n_known x n) values and slopes of the basis at known nodes */
  double factor[MAX_GUESSED][MAX_GUESSED]; /* lower triangle: Cholesky factor of knownᵀ known */
  double at[COSIM_MAX_NEW][MAX_GUESSED];   /* (n_new x n) values of the basis polynomials at the new nodes */
} guess;

/* Finds the Chebyshev polynomials T_0 to T_(n-1) at x, and their derivatives. */
static void chebyshev(double x, int n, double *value, double *slope) {
  value[0] = 1;
  slope[0] = 0;
  value[1] = x;
  slope[1] = 1;
  for (int j = 2; j < n; j++) {
    value[j] = 2 * x * value[j - 1] - value[j - 2];
    slope[j] = 2 * value[j - 1] + 2 * x * slope[j - 1] - slope[j - 2];
  }
}

/* Adds the rows of a past step to `known`. `end`, `length`: its end and length in τ of the present step. `middle`,
 * `half`: middle and half length of the interval of the Chebyshev polynomials. */
static void add_step(guess *self, double middle, double half, double end, double length) {
  double slope[MAX_GUESSED];
  double *row = NULL;
  for (int i = 0; i < self->rule->n_new - 1; i++) {
    row = self->known[self->n_known++];
    chebyshev((end - length * (1 - self->rule->node[i]) - middle) / half, self->n, row, slope);
  }
  row = self->known[self->n_known++];
  chebyshev((end - middle) / half, self->n, slope, row);
  for (int j = 0; j < self->n; j++)
    row[j] *= cosim_guess_of_slope * length / half;
}

/* Prepares the fit for a step of length H. `last`, `before`: lengths of the last two steps. Returns false if one of
 * them is 4 or more times the other, if the rule has one stage, or if the fit is singular. */
static bool begin_guess(guess *self, const cosim_rule *rule, bool is_joint, double H, double last, double before) {
  const double begin = -(last + before) / H;
  const double middle = (begin + 1) / 2;
  const double half = (1 - begin) / 2;
  double slope[MAX_GUESSED];
  const int s = rule->n_new - 1;
  if (s == 1 || !(last < cosim_guess_differs * before && before < cosim_guess_differs * last))
    return false;
  self->rule = rule;
  self->n = is_joint && s < 4 ? s + 2 : s + 3;
  self->n_known = 0;
  add_step(self, middle, half, 0, last / H);
  add_step(self, middle, half, -last / H, before / H);
  for (int i = 0; i < rule->n_new; i++)
    chebyshev((rule->node[i] - middle) / half, self->n, self->at[i], slope);
  for (int i = 0; i < self->n; i++) /* Cholesky factor of knownᵀ known */
    for (int j = 0; j <= i; j++) {
      double sum = 0;
      for (int k = 0; k < self->n_known; k++)
        sum += self->known[k][i] * self->known[k][j];
      for (int k = 0; k < j; k++)
        sum -= self->factor[i][k] * self->factor[j][k];
      if (i == j && !(sum > cosim_guess_pivot))
        return false;
      self->factor[i][j] = i == j ? sqrt(sum) : sum / self->factor[j][j];
    }
  return true;
}

/* Adds a past step's terms to knownᵀ w. row: first row of the step in `known`; c: coefficients of w over the step. */
static void add_known(const guess *self, const double *c, int row, double *sum) {
  const int n = self->rule->n_new - 1;
  for (int i = 0; i <= n; i++) {
    double w = 0; /* a value or, in the last row, the slope at the end */
    for (int j = COSIM_MAX_DEGREE; j >= 0 && i < n; j--)
      w = w * self->rule->node[i] + c[j];
    for (int j = 1; j <= COSIM_MAX_DEGREE && i == n; j++)
      w += j * c[j];
    if (i == n)
      w *= cosim_guess_of_slope;
    for (int j = 0; j < self->n; j++)
      sum[j] += w * self->known[row + i][j];
  }
}

/* Finds the new values (n_new) of a component from its coefficients in powers of τ over each of the last two steps. */
static void guess_values(const guess *self, const double *last, const double *before, double *values) {
  double x[MAX_GUESSED] = {0};
  add_known(self, last, 0, x);
  add_known(self, before, self->rule->n_new, x);
  for (int i = 0; i < self->n; i++) {
    for (int j = 0; j < i; j++)
      x[i] -= self->factor[i][j] * x[j];
    x[i] /= self->factor[i][i];
  }
  for (int i = self->n - 1; i >= 0; i--) {
    for (int j = i + 1; j < self->n; j++)
      x[i] -= self->factor[j][i] * x[j];
    x[i] /= self->factor[i][i];
  }
  for (int i = 0; i < self->rule->n_new; i++) {
    values[i] = 0;
    for (int j = 0; j < self->n; j++)
      values[i] += self->at[i][j] * x[j];
  }
}

/* ---- Prediction ---- */

/* Returns p(1 + ratio τ): the polynomial p of a step, continued over the next step, which is `ratio` times as long. */
static cosim_signal continued(const double *p, double ratio) {
  cosim_signal last = {.n_pieces = 1};
  cosim_signal signal = {.n_pieces = 1};
  double factor = 1;
  memcpy(last.c[0], p, sizeof last.c[0]);
  cosim_signal_from(&last, 0, 1, signal.c[0]);
  for (int k = 0; k <= COSIM_MAX_DEGREE; k++, factor *= ratio)
    signal.c[0][k] *= factor;
  return signal;
}

/* Sets new values from `signal` at their nodes. The last one of a COSIM_MOTION is the slope at the end. */
static void sample_values(const cosim_variable_rules *q, const cosim_signal *signal, double *value) {
  const bool is_motion = q->variable->kind == COSIM_MOTION;
  for (int j = 0; j < q->n_new; j++)
    value[j] = is_motion && j == q->n_new - 1 ? cosim_signal_end_slope(signal)
                                              : cosim_signal_value(signal, q->corrector.node[j]);
}

/* Extrapolates the polynomial of the last step, of degree d. Adds the error of the same extrapolation one step earlier,
 * times (H / H_last)^(d + 1), where H_last is the length of the last step. */
static void predict_by_last(const cosim_coupling *self, cosim_slot *slot, double H, const double past[2]) {
  const cosim_variable_rules *q = slot->rules;
  const bool is_motion = q->variable->kind == COSIM_MOTION;
  cosim_signal signal = continued(slot->last, past[0] > 0 ? H / past[0] : 1);
  if (is_motion) {
    const cosim_motion *m = &self->begin.motion[q->variable->source];
    slot->history[0] = m->x[slot->component];
    slot->history[1] = H * m->v[slot->component];
    if (!(past[0] > 0))
      signal = (cosim_signal){.n_pieces = 1, .c = {{slot->history[0], slot->history[1]}}};
  }
  sample_values(q, &signal, slot->value);
  if (!(past[1] > 0))
    return;
  const double factor = pow(H / past[0], q->n_new - 1 + (is_motion ? 2 : 0) + 1);
  const cosim_signal extrapolation = continued(slot->before, past[0] / past[1]);
  cosim_signal last = {.n_pieces = 1};
  double found[COSIM_MAX_NEW], extrapolated[COSIM_MAX_NEW];
  memcpy(last.c[0], slot->last, sizeof last.c[0]);
  sample_values(q, &last, found);
  sample_values(q, &extrapolation, extrapolated);
  for (int j = 0; j < q->n_new; j++)
    slot->value[j] += factor * (found[j] - extrapolated[j]);
}

void cosim_coupling_predict(cosim_coupling *self, double H, const double past[2]) {
  const cosim_scheme *scheme = &self->cut->scheme;
  const bool collocates = scheme->method == COSIM_COLLOCATION;
  guess fit;
  self->gradients_are_frozen = false;
  const bool by_two = collocates && self->rules[0].variable->kind == COSIM_FORCE && past[1] > 0 &&
                      begin_guess(&fit, &self->rules[0].corrector, self->cut->element->n_rows > 0, H, past[0], past[1]);
  for (cosim_variable_rules *q = self->rules; q < self->rules + scheme->n_variables && !collocates; q++)
    if (scheme->predicts_by_inner && q->n_new > 1) /* the rule depends on the length of the last step */
      q->predictor = cosim_inner_predictor_rule(scheme, &q->corrector, past[0] / H);
  for (cosim_slot *slot = self->slots; slot < self->slots + self->n_slots; slot++) {
    if (by_two && slot->rules == self->rules)
      guess_values(&fit, slot->last, slot->before, slot->value);
    else if (collocates)
      predict_by_last(self, slot, H, past);
    else {
      const cosim_signal signal = cosim_predicted_signal(slot);
      for (int j = 0; j < slot->rules->n_new; j++)
        slot->value[j] = cosim_signal_value(&signal, slot->rules->corrector.node[j]);
    }
  }
}

/* ---- Sides ---- */

int cosim_input_of(const cosim_cut *cut, int side, const cosim_slot *slot) {
  const cosim_variable *variable = slot->rules->variable;
  const int component = slot->component;
  const cosim_side *at = &cut->side[side];
  const int first[cosim_n_kinds] = {[COSIM_FORCE] = at->force_input,
                                    [COSIM_POSITION] = at->position_input,
                                    [COSIM_VELOCITY] = at->velocity_input,
                                    [COSIM_ACCELERATION] = at->acceleration_input,
                                    [COSIM_MOTION] = at->position_input};
  if ((variable->target >= 0 && variable->target != side) || first[variable->kind] < 0)
    return -1;
  if (variable->kind == COSIM_ACCELERATION)
    for (int row = 0; row < cut->element->n_dims; row++)
      if (cut->element->dim[row] == component)
        return first[COSIM_ACCELERATION] + row;
  if (variable->kind == COSIM_FORCE && cut->element->n_forces == COSIM_MAX_FORCES) {
    if (component == (side == 0 ? 3 : 2))
      return -1; /* the torques on both sides are different variables */
    if (component == 3)
      return first[COSIM_FORCE] + 2;
  }
  return first[variable->kind] + component;
}

int cosim_rate_input_of(const cosim_cut *cut, int side, const cosim_slot *slot) {
  const cosim_variable *variable = slot->rules->variable;
  const int first = cut->side[side].velocity_input;
  const bool is_driven = variable->kind == COSIM_MOTION && variable->target == side && first >= 0;
  return is_driven ? first + slot->component : -1;
}

double cosim_sign_on(int side, const cosim_slot *slot) {
  return slot->rules->variable->kind == COSIM_FORCE && side == 1 ? -1 : 1;
}

void cosim_add_gap_closing(const cosim_coupling *self, int side, int component, double t, double H,
                           cosim_signal *input) {
  const cosim_element *element = self->cut->element;
  const cosim_motion at_rest[2] = {0};
  double g[COSIM_MAX_DIMS], rate[COSIM_MAX_DIMS], second_rate[COSIM_MAX_DIMS];
  int row = 0;
  if (self->cut->scheme.method != COSIM_COLLOCATION || self->rules[0].variable->kind != COSIM_ACCELERATION || side == 0)
    return;
  while (row < element->n_rows && element->dim[row] != component)
    row++;
  if (row == element->n_rows)
    return;
  element->ops->residuals(element, t, self->begin.motion, g, rate, second_rate);
  const double slope = 12 * g[row] + 6 * H * rate[row];
  const cosim_signal closing = {.n_pieces = 1, .c = {{-(6 * g[row] + 4 * H * rate[row]) / (H * H), slope / (H * H)}}};
  cosim_signal_add(input, 1, &closing);
  /* The gap of a driven joint is g = x2 - x1 - f(t), so that side 2 also receives f'': the polynomial through its
   * values at the multiplier nodes. They are -g'' for markers at rest. */
  const double *node;
  const int n = cosim_inner_nodes(&self->cut->scheme, &node);
  for (int i = 0; i < n; i++) {
    element->ops->residuals(element, t + node[i] * H, at_rest, g, rate, second_rate);
    if (second_rate[row] == 0)
      continue;
    const cosim_signal basis = cosim_lagrange(n, node, i);
    cosim_signal_add(input, -second_rate[row], &basis);
  }
}

void cosim_copy_outputs(const cosim_cut *cut, int side, const double *outputs, cosim_snapshot *snapshot) {
  const cosim_side *at = &cut->side[side];
  cosim_motion *m = &snapshot->motion[side];
  for (int i = 0; i < cut->element->n_dims; i++) {
    const int c = cut->element->dim[i];
    m->x[c] = outputs[at->position + c];
    m->v[c] = outputs[at->velocity + c];
    if (at->acceleration >= 0)
      m->a[c] = outputs[at->acceleration + c];
    if (at->position_integral >= 0)
      m->p[c] = outputs[at->position_integral + c];
    if (at->multiplier >= 0)
      snapshot->wrench[side][cut->element->force[i]] = outputs[at->multiplier + i];
  }
}

void cosim_copy_step_outputs(const cosim_coupling *self, int side, const cosim_member *member, const double *outputs,
                             cosim_step_outputs *step_outputs) {
  const size_t n_outputs = (size_t)member->part->n_outputs;
  cosim_copy_outputs(self->cut, side, outputs + (size_t)member->n_nodes * n_outputs, &step_outputs->end);
  for (int j = 0; j < self->rules->n_inner; j++)
    cosim_copy_outputs(self->cut, side, outputs + (size_t)self->row[j] * n_outputs, &step_outputs->inner[j]);
}

/* ---- Approximations ---- */

static void add_basis(const cosim_basis *basis, double factor, int n_inner, double H, cosim_approximation *w) {
  w->rate += factor * basis->end_slope / H;
  w->integral += factor * basis->integral * H;
  w->second_rate += factor * basis->end_curvature / (H * H);
  for (int k = 0; k < n_inner; k++) {
    w->inner[k] += factor * basis->value[k];
    w->inner_rate[k] += factor * basis->slope[k] / H;
  }
}

void cosim_evaluate_approximations(cosim_coupling *self, double H) {
  for (const cosim_slot *slot = self->slots; slot < self->slots + self->n_slots; slot++) {
    const cosim_variable_rules *q = slot->rules;
    cosim_approximation w = {.end = slot->value[0]};
    memcpy(w.new_value, slot->value, (size_t)q->corrector.n_new * sizeof *slot->value);
    for (int i = 0; i < q->corrector.n_new; i++)
      add_basis(&q->of_new[i], slot->value[i], q->n_inner, H, &w);
    for (int i = 0; i < q->corrector.n_history; i++)
      add_basis(&q->of_history[i], slot->history[i], q->n_inner, H, &w);
    self->w.of[q->number][slot->component] = w;
  }
}

cosim_approximation cosim_unit_approximation(const cosim_variable_rules *rules, int new_value, double H) {
  cosim_approximation w = {.end = new_value == 0};
  w.new_value[new_value] = 1;
  add_basis(&rules->of_new[new_value], 1, rules->n_inner, H, &w);
  return w;
}

double cosim_value_of(const cosim_cut *cut, const cosim_slot *slot, const cosim_motion m[2], const double *wrench) {
  const cosim_variable *variable = slot->rules->variable;
  const int component = slot->component;
  double W[COSIM_MAX_FORCES];
  switch (variable->kind) {
  case COSIM_FORCE:
    if (wrench != NULL)
      return wrench[component];
    cut->element->ops->wrench(cut->element, m, W);
    return W[component];
  case COSIM_POSITION:
  case COSIM_MOTION:
    return m[variable->source].x[component];
  case COSIM_VELOCITY:
    return m[variable->source].v[component];
  default:
    return m[variable->target < 0 ? 0 : variable->target].a[component];
  }
}

void cosim_slot_store_line(cosim_slot *slot, double begin, double end) {
  memset(slot->last, 0, sizeof slot->last);
  slot->last[0] = begin;
  slot->last[1] = end - begin;
}
