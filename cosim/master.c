/* A macro step from T to T + H, w the new values of all coupling variables at their nodes:
 *
 *   predict   w from the polynomials through the history; advance all parts
 *   correct   the conditions R(w) = 0 at T + H by Newton's method: R(w) + ∂R/∂w Δw = 0, where ∂R/∂w comes from the
 *             derivatives of the parts' outputs; go back to T; advance all parts under the new inputs
 *
 * once (semi-implicit) or until R is small (implicit). Conditions of a variable, Δ = second minus first side:
 *
 *   force      λ = c Δx + d Δv     D: λ' = c Δv + d Δa     I: ∫λ = c Δp + d (Δx - Δx_N)
 *   position   x̃ = x                                       I: ∫x̃ = p
 *   velocity   ṽ = v               D: ṽ' = a
 *
 * (li-dissertation.txt 3.1 and 3.4, eqs. 3.1c, 3.19c, 3.26c, 3.47, 3.58.) Explicit schemes advance under the predictor
 * and take their new values from the conditions. */
#include "cosim/master.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

/* One component of one coupling variable of one cut. */
typedef struct slot {
  const cosim_cut *cut;
  const cosim_variable *variable;
  int dim;
  cosim_rule corrector, predictor;
  int n_history;                      /* values known */
  double history[cosim_most_history]; /* at T, T - H, ... */
  double value[2];                    /* new values: at τ = 1, at τ = 1/2 */
  int first_unknown;
} slot;

struct cosim_master {
  cosim_part **parts;
  int n_parts;
  cosim_cut *cuts;
  int n_cuts;
  slot *slots;
  int n_slots;
  int n_unknowns;
  double t;              /* of the present macro point */
  cosim_signal **inputs; /* of each part */
  double **outputs;      /* of each part, at the end of the step */
  double **begin;        /* of each part, at its beginning */
  double **change;       /* of each part, with respect to one unknown; NULL pointers of `answers` mean none */
  double *saved;         /* states of all parts at the beginning */
  size_t n_part_state;
  double *residual; /* (n_unknowns) */
  double *jacobian; /* (n_unknowns x n_unknowns) column by column */
  lapack_int *pivot;
};

/* ---- Signals ---- */

static int needs_corrector(const slot *s) { return s->cut->scheme.iteration != COSIM_EXPLICIT; }

static cosim_signal predicted_signal(const slot *s) {
  cosim_signal signal = {.n_pieces = 1};
  for (int i = 0; i < s->predictor.n_history; i++)
    cosim_signal_add(&signal, s->history[i], &s->predictor.of_history[i]);
  return signal;
}

static cosim_signal signal_of(const slot *s) {
  if (!needs_corrector(s))
    return predicted_signal(s);
  cosim_signal signal = {.n_pieces = 1};
  for (int i = 0; i < s->corrector.n_new; i++)
    cosim_signal_add(&signal, s->value[i], &s->corrector.of_new[i]);
  for (int i = 0; i < s->corrector.n_history; i++)
    cosim_signal_add(&signal, s->history[i], &s->corrector.of_history[i]);
  return signal;
}

/* Input of a side that a variable drives. */
static int input_of(const slot *s, int side) {
  const cosim_side *at = &s->cut->side[side];
  const int first = s->variable->kind == COSIM_FORCE      ? at->force_input
                    : s->variable->kind == COSIM_POSITION ? at->position_input
                                                          : at->velocity_input;
  return first + s->dim;
}

static int drives(const slot *s, int side) { return s->variable->target < 0 || s->variable->target == side; }

/* A force acts as it is on the first side and with the opposite sign on the second. */
static double sign_on(const slot *s, int side) { return s->variable->kind == COSIM_FORCE && side == 1 ? -1 : 1; }

static void set_inputs(cosim_master *master) {
  for (int p = 0; p < master->n_parts; p++)
    for (int u = 0; u < master->parts[p]->n_inputs; u++)
      master->inputs[p][u] = (cosim_signal){.n_pieces = 1};
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const cosim_signal signal = signal_of(s);
    for (int side = 0; side < 2; side++)
      if (drives(s, side))
        cosim_signal_add(&master->inputs[s->cut->side[side].part][input_of(s, side)], sign_on(s, side), &signal);
  }
}

static seam_status advance(cosim_master *master, double H, seam_error *error) {
  set_inputs(master);
  for (int p = 0; p < master->n_parts; p++) {
    cosim_part *part = master->parts[p];
    const seam_status status = part->ops->advance(part, master->t, H, master->inputs[p], master->outputs[p], error);
    if (status != SEAM_OK)
      return status;
  }
  return SEAM_OK;
}

static void go_back(cosim_master *master) {
  const double *state = master->saved;
  for (int p = 0; p < master->n_parts; state += master->parts[p++]->n_state)
    master->parts[p]->ops->restore(master->parts[p], state);
}

/* ---- Conditions ---- */

/* What a variable's approximation contributes: its value and slope (with respect to time) at the end, and its integral.
 */
typedef struct approximation {
  double end, slope, integral;
} approximation;

static double output(double *const *outputs, const cosim_side *side, int first, int dim) {
  const double *of_part = outputs[side->part];
  return of_part == NULL ? 0 : of_part[first + dim];
}

/* Second minus first side. */
static double difference(double *const *outputs, const slot *s, int of_first, int of_second) {
  return output(outputs, &s->cut->side[1], of_second, s->dim) - output(outputs, &s->cut->side[0], of_first, s->dim);
}

#define DELTA(outputs, what) difference(outputs, s, s->cut->side[0].what, s->cut->side[1].what)

/* Value of the condition at the end that belongs to a variable's first new value. */
static double first_condition(const slot *s, const approximation *w, double *const *outputs) {
  const cosim_side *source = &s->cut->side[s->variable->source];
  if (s->variable->kind == COSIM_FORCE)
    return w->end - s->cut->stiffness[s->dim] * DELTA(outputs, position) -
           s->cut->damping[s->dim] * DELTA(outputs, velocity);
  return w->end -
         output(outputs, source, s->variable->kind == COSIM_POSITION ? source->position : source->velocity, s->dim);
}

/* The one that belongs to the second; `begin` are the outputs at the beginning, NULL pointers for a derivative. */
static double second_condition(const slot *s, const approximation *w, double *const *outputs, double *const *begin) {
  const cosim_side *source = &s->cut->side[s->variable->source];
  const double c = s->cut->stiffness[s->dim];
  const double d = s->cut->damping[s->dim];
  if (s->cut->scheme.extension == COSIM_D) {
    if (s->variable->kind == COSIM_FORCE)
      return w->slope - c * DELTA(outputs, velocity) - d * DELTA(outputs, acceleration);
    return w->slope - output(outputs, source, source->acceleration, s->dim);
  }
  if (s->variable->kind == COSIM_FORCE)
    return w->integral - c * DELTA(outputs, position_integral) -
           d * (DELTA(outputs, position) - (begin == NULL ? 0 : DELTA(begin, position)));
  return w->integral - output(outputs, source, source->position_integral, s->dim);
}

static approximation approximate(const slot *s, double H) {
  const cosim_signal signal = signal_of(s);
  approximation w = {.end = cosim_signal_end(&signal), .integral = H * cosim_signal_integral(&signal)};
  for (int i = 0; i < s->corrector.n_new; i++)
    w.slope += s->value[i] * s->corrector.end_slope_new[i] / H;
  for (int i = 0; i < s->corrector.n_history; i++)
    w.slope += s->history[i] * s->corrector.end_slope_history[i] / H;
  return w;
}

static void fill_residual(cosim_master *master, double H) {
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    if (!needs_corrector(s))
      continue;
    const approximation w = approximate(s, H);
    master->residual[s->first_unknown] = first_condition(s, &w, master->outputs);
    if (s->corrector.n_new == 2)
      master->residual[s->first_unknown + 1] = second_condition(s, &w, master->outputs, master->begin);
  }
}

/* ---- Derivatives ---- */

/* Answers of the parts to the new value j of a slot: pointers into master->change, NULL for a part that gets nothing.
 */
static seam_status answer(cosim_master *master, const slot *s, int j, double H, double **answers, seam_error *error) {
  memset(answers, 0, (size_t)master->n_parts * sizeof *answers);
  for (int side = 0; side < 2; side++) {
    if (!drives(s, side))
      continue;
    const int p = s->cut->side[side].part;
    cosim_part *part = master->parts[p];
    cosim_signal signal = {.n_pieces = 1};
    cosim_signal_add(&signal, sign_on(s, side), &s->corrector.of_new[j]);
    const seam_status status = part->ops->derivative(part, H, input_of(s, side), &signal, master->change[p], error);
    if (status != SEAM_OK)
      return status;
    answers[p] = master->change[p];
  }
  return SEAM_OK;
}

static void fill_column(cosim_master *master, const slot *changed, int j, double H, double *const *answers) {
  double *column = master->jacobian + (size_t)(changed->first_unknown + j) * (size_t)master->n_unknowns;
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    if (!needs_corrector(s))
      continue;
    approximation w = {0};
    if (s == changed)
      w = (approximation){.end = cosim_signal_end(&s->corrector.of_new[j]),
                          .slope = s->corrector.end_slope_new[j] / H,
                          .integral = H * cosim_signal_integral(&s->corrector.of_new[j])};
    column[s->first_unknown] = first_condition(s, &w, answers);
    if (s->corrector.n_new == 2)
      column[s->first_unknown + 1] = second_condition(s, &w, answers, NULL);
  }
}

static seam_status fill_jacobian(cosim_master *master, double H, seam_error *error) {
  double **answers = master->change + master->n_parts;
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++)
    for (int j = 0; needs_corrector(s) && j < s->corrector.n_new; j++) {
      const seam_status status = answer(master, s, j, H, answers, error);
      if (status != SEAM_OK)
        return status;
      fill_column(master, s, j, H, answers);
    }
  return SEAM_OK;
}

/* ---- The step ---- */

static void predict(cosim_master *master) {
  for (slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const cosim_signal signal = predicted_signal(s);
    const cosim_signal halves = cosim_signal_refine(&signal, 2);
    s->value[0] = cosim_signal_end(&signal);
    s->value[1] = halves.c[1][0];
  }
}

static seam_status correct(cosim_master *master, double H, seam_error *error) {
  const int n = master->n_unknowns;
  const seam_status status = fill_jacobian(master, H, error);
  if (status != SEAM_OK)
    return status;
  if (LAPACKE_dgesv_work(LAPACK_COL_MAJOR, n, 1, master->jacobian, n, master->pivot, master->residual, n) != 0)
    return seam_fail(
        error, SEAM_SINGULAR,
        "the conditions do not determine the coupling variables: the scheme is undefined at this macro step");
  for (slot *s = master->slots; s < master->slots + master->n_slots; s++)
    for (int j = 0; needs_corrector(s) && j < s->corrector.n_new; j++)
      s->value[j] -= master->residual[s->first_unknown + j];
  go_back(master);
  return advance(master, H, error);
}

/* The present step's value becomes the newest of the history. */
static void remember(cosim_master *master) {
  for (slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const approximation none = {0};
    const double value = needs_corrector(s) ? s->value[0] : -first_condition(s, &none, master->outputs);
    memmove(s->history + 1, s->history, (cosim_most_history - 1) * sizeof *s->history);
    s->history[0] = value;
    if (s->n_history < cosim_most_history)
      s->n_history++;
  }
}

static void choose_rules(cosim_master *master) {
  for (slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const cosim_scheme *scheme = &s->cut->scheme;
    const int second = cosim_has_second_node(scheme->extension, s->variable->kind);
    s->predictor = cosim_predictor_rule(scheme->order, s->n_history);
    s->corrector = cosim_corrector_rule(scheme->order, second, s->n_history);
  }
}

static double largest(const double *x, int n) {
  double value = 0;
  for (int i = 0; i < n; i++)
    if (!(fabs(x[i]) <= value))
      value = fabs(x[i]);
  return value;
}

/* Corrects until the conditions hold to rounding of their own values, or have stopped to improve. */
static seam_status iterate(cosim_master *master, double H, seam_error *error) {
  enum { most_corrections = 20 };
  const double tolerance = 1e-10;
  for (int k = 0; k < most_corrections; k++) {
    fill_residual(master, H);
    if (k > 0 && largest(master->residual, master->n_unknowns) <= tolerance)
      return SEAM_OK;
    const seam_status status = correct(master, H, error);
    if (status != SEAM_OK)
      return status;
  }
  return seam_fail(error, SEAM_STEP_FAILED,
                   "the corrector has not met the conditions in %d iterations: take a smaller "
                   "macro step",
                   most_corrections);
}

seam_status cosim_master_step(cosim_master *master, double H, seam_error *error) {
  int implicit = 0;
  choose_rules(master);
  predict(master);
  double *state = master->saved;
  for (int p = 0; p < master->n_parts; state += master->parts[p++]->n_state) {
    master->parts[p]->ops->measure(master->parts[p], master->begin[p]);
    if (master->n_unknowns > 0)
      master->parts[p]->ops->save(master->parts[p], state);
  }
  for (int c = 0; c < master->n_cuts; c++)
    implicit = implicit || master->cuts[c].scheme.iteration == COSIM_IMPLICIT;
  seam_status status = advance(master, H, error);
  if (status == SEAM_OK && master->n_unknowns > 0) {
    fill_residual(master, H);
    status = implicit ? iterate(master, H, error) : correct(master, H, error);
  }
  if (status != SEAM_OK)
    return status;
  remember(master);
  master->t += H;
  return SEAM_OK;
}

/* ---- State ---- */

/* History that a scheme uses in a step once it has all of it. */
static int full_history(const slot *s) {
  const cosim_scheme *scheme = &s->cut->scheme;
  const int second = cosim_has_second_node(scheme->extension, s->variable->kind);
  return needs_corrector(s) ? cosim_corrector_rule(scheme->order, second, cosim_most_history).n_history
                            : cosim_predictor_rule(scheme->order, cosim_most_history).n_history;
}

size_t cosim_master_n_state(const cosim_master *master) {
  size_t n = master->n_part_state;
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++)
    n += (size_t)full_history(s);
  return n;
}

void cosim_master_save(const cosim_master *master, double *state) {
  for (int p = 0; p < master->n_parts; state += master->parts[p++]->n_state)
    master->parts[p]->ops->save(master->parts[p], state);
  for (const slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const int n = full_history(s);
    memcpy(state, s->history, (size_t)n * sizeof *state);
    state += n;
  }
}

void cosim_master_restore(cosim_master *master, const double *state) {
  for (int p = 0; p < master->n_parts; state += master->parts[p++]->n_state)
    master->parts[p]->ops->restore(master->parts[p], state);
  for (slot *s = master->slots; s < master->slots + master->n_slots; s++) {
    const int n = full_history(s);
    memset(s->history, 0, sizeof s->history);
    memcpy(s->history, state, (size_t)n * sizeof *state);
    s->n_history = n > 0 ? n : 1;
    state += n;
  }
}

/* ---- Creation ---- */

static int count_slots(const cosim_cut *cuts, int n_cuts) {
  int n = 0;
  for (int c = 0; c < n_cuts; c++)
    n += cuts[c].scheme.n_variables * cuts[c].n_dims;
  return n;
}

static void fill_slots(cosim_master *master) {
  slot *s = master->slots;
  for (int c = 0; c < master->n_cuts; c++) {
    const cosim_cut *cut = &master->cuts[c];
    for (int v = 0; v < cut->scheme.n_variables; v++)
      for (int dim = 0; dim < cut->n_dims; dim++, s++) {
        *s = (slot){.cut = cut, .variable = &cut->scheme.variable[v], .dim = dim, .n_history = 1};
        s->first_unknown = master->n_unknowns;
        if (needs_corrector(s))
          master->n_unknowns += 1 + cosim_has_second_node(cut->scheme.extension, s->variable->kind);
      }
  }
}

static int allocate_parts(cosim_master *master) {
  const size_t n = (size_t)master->n_parts;
  master->inputs = calloc(n + 1, sizeof(cosim_signal *));
  master->outputs = calloc(n + 1, sizeof(double *));
  master->begin = calloc(n + 1, sizeof(double *));
  master->change = calloc(2 * n + 1, sizeof(double *));
  if (!master->inputs || !master->outputs || !master->begin || !master->change)
    return 0;
  for (size_t p = 0; p < n; p++) {
    const size_t n_outputs = (size_t)master->parts[p]->n_outputs + 1;
    master->inputs[p] = calloc((size_t)master->parts[p]->n_inputs + 1, sizeof(cosim_signal));
    master->outputs[p] = calloc(n_outputs, sizeof(double));
    master->begin[p] = calloc(n_outputs, sizeof(double));
    master->change[p] = calloc(n_outputs, sizeof(double));
    master->n_part_state += master->parts[p]->n_state;
    if (!master->inputs[p] || !master->outputs[p] || !master->begin[p] || !master->change[p])
      return 0;
  }
  return 1;
}

static int allocate(cosim_master *master, const cosim_cut *cuts) {
  master->n_slots = count_slots(cuts, master->n_cuts);
  master->cuts = calloc((size_t)master->n_cuts + 1, sizeof *master->cuts);
  master->slots = calloc((size_t)master->n_slots + 1, sizeof *master->slots);
  if (!master->cuts || !master->slots || !allocate_parts(master))
    return 0;
  memcpy(master->cuts, cuts, (size_t)master->n_cuts * sizeof *cuts);
  fill_slots(master);
  const size_t n = (size_t)master->n_unknowns;
  master->saved = calloc(master->n_part_state + 1, sizeof(double));
  master->residual = calloc(n + 1, sizeof(double));
  master->jacobian = calloc(n * n + 1, sizeof(double));
  master->pivot = calloc(n + 1, sizeof *master->pivot);
  return master->saved && master->residual && master->jacobian && master->pivot;
}

static seam_status check_parts(const cosim_master *master, seam_error *error) {
  for (int p = 0; p < master->n_parts && master->n_unknowns > 0; p++)
    if (master->parts[p]->ops->restore == NULL || master->parts[p]->ops->derivative == NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "part %d cannot go back or give derivatives: take an explicit scheme at its cuts", p + 1);
  return SEAM_OK;
}

seam_status cosim_master_create(cosim_part **parts, int n_parts, const cosim_cut *cuts, int n_cuts,
                                cosim_master **master, seam_error *error) {
  cosim_master *self = calloc(1, sizeof *self);
  cosim_part **own = calloc((size_t)n_parts + 1, sizeof(cosim_part *));
  if (self == NULL || own == NULL) {
    for (int p = 0; p < n_parts; p++)
      cosim_part_destroy(parts[p]);
    free(self);
    free(own);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", n_parts);
  }
  memcpy(own, parts, (size_t)n_parts * sizeof(cosim_part *));
  self->parts = own;
  self->n_parts = n_parts;
  self->n_cuts = n_cuts;
  const seam_status status = allocate(self, cuts)
                                 ? check_parts(self, error)
                                 : seam_fail(error, SEAM_NO_MEMORY, "no memory to couple %d subsystems", n_parts);
  if (status != SEAM_OK) {
    cosim_master_destroy(self);
    return status;
  }
  *master = self;
  return SEAM_OK;
}

static void free_all(void *array, int n) {
  void **pointers = array;
  for (int i = 0; pointers != NULL && i < n; i++)
    free(pointers[i]);
  free(array);
}

void cosim_master_destroy(cosim_master *master) {
  if (master == NULL)
    return;
  for (int p = 0; p < master->n_parts; p++)
    cosim_part_destroy(master->parts[p]);
  free_all(master->inputs, master->n_parts);
  free_all(master->outputs, master->n_parts);
  free_all(master->begin, master->n_parts);
  free_all(master->change, master->n_parts);
  free(master->parts);
  free(master->cuts);
  free(master->slots);
  free(master->saved);
  free(master->residual);
  free(master->jacobian);
  free(master->pivot);
  free(master);
}
