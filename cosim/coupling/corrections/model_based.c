/* Holds extrapolate the inputs of the parts over a step of length H, from outputs at macro points; L are the gains of
 * the links. τ is the time since the beginning of the step, divided by H. Notation:
 *
 *   ũ       inputs as the holds of order p extrapolate them; the parts receive ũ + δu
 *   δu      a constant offset over the step
 *   y       outputs of the parts at the end of the step
 *   ext     outputs at the end of the step as the holds extrapolate them
 *   ȳ       outputs at the end of the step that the parts would have under the true inputs u = L ȳ
 *   w_i(τ)  polynomial of degree i: 1 at the end of the step, 0 at the newest i macro points before the end
 *
 * u - ũ is L (ȳ - ext) at the end of the step. Within the step it has two approximations:
 *
 *   u - ũ = L (ȳ - ext) w_p(τ)        for the outputs at the end of the step (eq. 15, 17),
 *   u - ũ = L (ȳ - ext) w_(p+1)(τ)    for the integral of u - ũ over the step (eq. 24, 25).
 *
 * Let G_p and G_0 be the derivatives of y by changes of the inputs with the courses w_p and 1. It follows that
 *
 *   ȳ = (I - G_p L)⁻¹ (y - G_p L ext - G_0 δu)                   (eq. 16, 18, 19)
 *   δu ← (1 - α) δu + α β L (ȳ - ext),   β = ∫₀¹ w_(p+1) dτ      (eq. 23)
 *
 * The code has K = knowledge · G in place of G; `knowledge` and α are parameters of the definition. If the next step
 * has another length H', δu is multiplied by H / H', which keeps its integral (eq. 21).
 *
 * w and β follow from the actual times of the macro points. For equal distances w is that of docs/conventions.md, and β
 * = 1/2, 5/12, 3/8, 251/720, 95/288 for p = 0 to 4. */
#include <stdlib.h>
#include <string.h>

#include <lapacke.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/coupling/exchange.h"
#include "cosim/coupling/identify.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

enum { to_end, to_offset, n_seed_kinds };

typedef struct model_based {
  cosim_correction base;
  cosim_model_based_def def;
  int n_parts, n_inputs, n;      /* numbers of parts, of all inputs, of all outputs */
  int *first_input;              /* (n_parts) index of a part's first input among all inputs */
  int *first_output;             /* (n_parts) index of a part's first output among all outputs */
  cosim_identifier **identifier; /* (n_parts) identifier of each part; NULL: the part gives derivatives */
  int *order;                    /* (all inputs) order of the holds; -1: no link drives the input */
  cosim_signal *seed_signal;     /* (all inputs) w_p of the present step */
  double *beta;                  /* (all inputs) β */
  double *offset;                /* (all inputs) δu */
  double H;                      /* s, length of the step that gave the offsets */
  double *matrix;                /* (n x n) I - G_p L by columns */
  double *factors;               /* (n x n) LU factors */
  double *factored;              /* (n x n) matrix to which `factors` belong */
  lapack_int *pivot;             /* (n) */
  double *scale;                 /* (n) units of the outputs that balance the factored matrix: powers of two */
  double *y;                     /* (n) right-hand side, then ȳ */
} model_based;

#define ARRAYS(X)                                                                                                      \
  X(self, first_input, 2 * n_parts)                                                                                    \
  X(self, identifier, n_parts)                                                                                         \
  X(self, order, n_inputs)                                                                                             \
  X(self, seed_signal, n_inputs)                                                                                       \
  X(self, beta, 2 * n_inputs)                                                                                          \
  X(self, matrix, 3 * n * n + 2 * n)                                                                                   \
  X(self, pivot, n)

static void destroy(cosim_correction *base) {
  model_based *self = (model_based *)base;
  for (int p = 0; p < self->n_parts && self->identifier != NULL; p++)
    cosim_identifier_destroy(self->identifier[p]);
  ARRAYS(FREE_ARRAY)
  free(self);
}

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory for the model-based correction");
}

static bool allocate(model_based *self, const cosim_exchange *exchange) {
  const size_t n_parts = (size_t)exchange->n;
  size_t n_inputs = 0;
  size_t n = 0;
  for (size_t p = 0; p < n_parts; p++) {
    n_inputs += (size_t)exchange->parts->member[p].part->n_inputs;
    n += (size_t)exchange->parts->member[p].part->n_outputs;
  }
  self->n = (int)n;
  self->n_inputs = (int)n_inputs;
  self->n_parts = exchange->n;
  const bool enough = true ARRAYS(ALLOCATE_ARRAY);
  if (!enough)
    return false;
  self->first_output = self->first_input + n_parts;
  for (size_t p = 0; p + 1 < n_parts; p++) {
    const cosim_part *part = exchange->parts->member[p].part;
    self->first_input[p + 1] = self->first_input[p] + part->n_inputs;
    self->first_output[p + 1] = self->first_output[p] + part->n_outputs;
  }
  self->offset = self->beta + n_inputs;
  self->factors = self->matrix + n * n;
  self->factored = self->factors + n * n;
  self->scale = self->factored + n * n;
  self->y = self->scale + n;
  self->base.n_state = 1 + n_inputs;
  for (size_t i = 0; i < n_inputs; i++) {
    self->order[i] = -1;
    self->seed_signal[i].n_pieces = 1; /* zero for inputs without links */
  }
  return true;
}

static seam_status bind(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  model_based *self = (model_based *)base;
  if (exchange->gauss_seidel)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the model-based correction needs all subsystems to advance in parallel: set 'sequence: jacobi'");
  for (int p = 0; p < exchange->n; p++)
    if (exchange->history[p].steps != 1)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "the model-based correction needs one macro step for all subsystems, but '%s' takes %d in a "
                       "common one: leave out its 'macro_step'",
                       exchange->parts->member[p].part->name, exchange->history[p].steps);
  TRY(check_memory(allocate(self, exchange), error));
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    int *order = &self->order[self->first_input[link->to] + link->input];
    if (link->rate >= 0 || link->smooth)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: the model-based correction takes only extrapolations of values at macro points: leave out "
                       "'rate' and 'smooth'",
                       link->name);
    if (*order >= 0 && *order != link->order)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: signals of order %d and %d drive this input, but the model-based correction needs one "
                       "order: give both the same 'order'",
                       link->name, *order, link->order);
    *order = link->order;
  }
  for (int p = 0; p < exchange->n; p++) {
    const cosim_part *part = exchange->parts->member[p].part;
    int order = 0;
    if (part->gives_derivatives)
      continue;
    for (int i = 0; i < part->n_inputs; i++)
      if (self->order[self->first_input[p] + i] > order)
        order = self->order[self->first_input[p] + i];
    self->identifier[p] = cosim_identifier_create(part->n_inputs, part->n_outputs, order, &self->def);
    TRY(check_memory(self->identifier[p] != NULL, error));
    self->base.n_state += cosim_identifier_n_state(self->identifier[p]);
  }
  return SEAM_OK;
}

static void start(cosim_correction *base, cosim_exchange *exchange) {
  model_based *self = (model_based *)base;
  (void)exchange;
  for (int p = 0; p < self->n_parts; p++)
    if (self->identifier[p] != NULL)
      cosim_identifier_start(self->identifier[p]);
  memset(self->offset, 0, (size_t)self->n_inputs * sizeof *self->offset);
  memset(self->factored, 0, (size_t)self->n * (size_t)self->n * sizeof *self->factored);
  self->H = 0;
}

/* ---- Before a step ---- */

/* Returns ∫₀¹ w_i dτ for a step from t; Gauss' rule is exact for i <= 5. `time`: macro points up to t, newest first. */
static double integral_of(const double *time, int i, double t, double H) {
  static const double at[] = {0.11270166537925831148, 0.5, 0.88729833462074168852};
  static const double weight[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  double sum = 0;
  for (int q = 0; q < 3; q++) {
    double w = 1;
    for (int j = 0; j < i; j++) {
      const double node = (time[j] - t) / H;
      w *= (at[q] - node) / (1 - node);
    }
    sum += weight[q] * w;
  }
  return sum;
}

static void adjust_inputs(cosim_correction *base, cosim_exchange *exchange, int part) {
  static const cosim_signal one = {.n_pieces = 1, .c = {{1}}};
  model_based *self = (model_based *)base;
  const cosim_participant_history *to = &exchange->history[part];
  const cosim_member *member = &exchange->parts->member[part];
  const int first = self->first_input[part];
  for (int k = to->first_link; k < to[1].first_link; k++) {
    const cosim_link *link = &exchange->links[k];
    const cosim_participant_history *from = &exchange->history[link->from];
    const int p = link->order < from->n_known ? link->order : from->n_known - 1;
    double node[COSIM_MAX_PAST] = {1}; /* nodes of w_p */
    for (int j = 0; j < p; j++)
      node[j + 1] = (from->time[j] - to->t) / to->H;
    self->seed_signal[first + link->input] = cosim_lagrange(p + 1, node, 0);
    self->beta[first + link->input] = integral_of(from->time, p + 1, to->t, to->H);
  }
  for (int i = 0; i < member->part->n_inputs; i++) {
    self->offset[first + i] *= self->H > 0 ? self->H / to->H : 1;
    member->inputs[i].c[0][0] += self->offset[first + i];
    if (self->identifier[part] == NULL) {
      member->seeds[n_seed_kinds * i + to_end] = (cosim_seed){i, self->seed_signal[first + i]};
      member->seeds[n_seed_kinds * i + to_offset] = (cosim_seed){i, one};
    }
  }
  if (self->identifier[part] != NULL)
    cosim_identifier_excite(self->identifier[part], member->inputs);
}

/* ---- After a step ---- */

bool cosim_model_based_is_identified(const cosim_correction *base, int part) {
  const cosim_identifier *identifier = ((const model_based *)base)->identifier[part];
  return identifier == NULL || cosim_identifier_is_identified(identifier);
}

const char *cosim_exchange_unidentified_part(const cosim_exchange *self) {
  for (int c = 0; c < self->n_corrections; c++)
    for (int p = 0; p < self->n && self->corrections[c]->ops->adjust_inputs == adjust_inputs; p++)
      if (!cosim_model_based_is_identified(self->corrections[c], p))
        return self->parts->member[p].part->name;
  return NULL;
}

/* Returns the derivative K_p (to_end) or K_0 (to_offset) of one output of a part by one of its inputs. */
static double derivative(const model_based *self, const cosim_exchange *exchange, int part, int output, int input,
                         int which) {
  const cosim_member *member = &exchange->parts->member[part];
  const cosim_identifier *identifier = self->identifier[part];
  const int global = self->first_input[part] + input;
  double sum = 0;
  if (identifier == NULL)
    sum = member->derivatives[(n_seed_kinds * input + which) * member->part->n_outputs + output];
  else if (which == to_offset)
    sum = cosim_identifier_derivative(identifier, output, input, 0);
  else
    for (int m = 0; m <= self->order[global]; m++)
      sum += cosim_identifier_derivative(identifier, output, input, m) * self->seed_signal[global].c[0][m];
  return self->def.knowledge * sum;
}

static seam_status correct(model_based *self, cosim_exchange *exchange, seam_error *error) {
  const size_t size = (size_t)self->n * (size_t)self->n * sizeof *self->matrix;
  lapack_int first, last; /* not used: without permutations all rows take part */
  memset(self->matrix, 0, size);
  for (int i = 0; i < self->n; i++)
    self->matrix[i + i * self->n] = 1;
  for (const cosim_link *link = exchange->links; link < exchange->links + exchange->n_links; link++) {
    const int column = self->first_output[link->from] + link->output;
    for (int i = 0; i < exchange->parts->member[link->to].part->n_outputs; i++)
      self->matrix[self->first_output[link->to] + i + column * self->n] -=
          derivative(self, exchange, link->to, i, link->input, to_end) * link->gain;
  }
  if (memcmp(self->matrix, self->factored, size) != 0) { /* else the factors are known */
    memcpy(self->factored, self->matrix, size);
    memcpy(self->factors, self->matrix, size);
    LAPACKE_dgebal_work(LAPACK_COL_MAJOR, 'S', self->n, self->factors, self->n, &first, &last, self->scale);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, self->n, self->n, self->factors, self->n, self->pivot) != 0) {
      memset(self->factored, 0, size);
      return seam_fail(error, SEAM_SINGULAR,
                       "the model-based correction is undefined at t = %g: the direct feed-through between the "
                       "subsystems has no solution; choose another macro step, or leave the correction out",
                       exchange->t);
    }
  }
  for (int p = 0; p < exchange->n; p++) { /* right-hand side y - G_p L ext - G_0 δu */
    const cosim_participant_history *history = &exchange->history[p];
    const cosim_part *part = exchange->parts->member[p].part;
    double *y = self->y + self->first_output[p];
    memcpy(y, history->past, (size_t)part->n_outputs * sizeof *y);
    for (int i = 0; i < part->n_inputs; i++) {
      const double reached = cosim_signal_end(&history->uncorrected[i]) - cosim_exchange_offset(exchange, p, i);
      const double offset = self->offset[self->first_input[p] + i];
      for (int o = 0; o < part->n_outputs; o++)
        y[o] -= derivative(self, exchange, p, o, i, to_end) * reached +
                derivative(self, exchange, p, o, i, to_offset) * offset;
    }
  }
  for (int i = 0; i < self->n; i++)
    self->y[i] /= self->scale[i];
  LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', self->n, 1, self->factors, self->n, self->pivot, self->y, self->n);
  for (int i = 0; i < self->n; i++)
    self->y[i] *= self->scale[i];
  for (int p = 0; p < exchange->n; p++)
    cosim_exchange_prescribe(exchange, p, self->y + self->first_output[p]);
  for (int p = 0; p < exchange->n; p++)
    for (int i = 0; i < exchange->parts->member[p].part->n_inputs; i++) {
      const int global = self->first_input[p] + i;
      const double alpha = self->def.alpha;
      const double missed =
          cosim_exchange_input(exchange, p, i) - cosim_signal_end(&exchange->history[p].uncorrected[i]);
      self->offset[global] = (1 - alpha) * self->offset[global] + alpha * self->beta[global] * missed;
    }
  return SEAM_OK;
}

static seam_status end_round(cosim_correction *base, cosim_exchange *exchange, seam_error *error) {
  model_based *self = (model_based *)base;
  bool all_identified = true;
  for (int p = 0; p < exchange->n; p++) {
    if (self->identifier[p] != NULL)
      cosim_identifier_observe(self->identifier[p], exchange->H, exchange->parts->member[p].inputs,
                               exchange->parts->member[p].outputs);
    all_identified = all_identified && cosim_model_based_is_identified(base, p);
  }
  self->H = exchange->H;
  if (all_identified)
    return correct(self, exchange, error);
  memset(self->offset, 0, (size_t)self->n_inputs * sizeof *self->offset);
  return SEAM_OK;
}

double *cosim_model_based_offset(cosim_correction *base, int part) {
  model_based *self = (model_based *)base;
  return self->offset + self->first_input[part];
}

/* ---- State: offsets and identified models, from which the factors follow ---- */

static void copy_state(cosim_correction *base, cosim_image *image) {
  model_based *self = (model_based *)base;
  cosim_image_copy(image, &self->H, 1);
  cosim_image_copy(image, self->offset, (size_t)self->n_inputs);
  for (int p = self->n_parts - 1; p >= 0; p--)
    if (self->identifier[p] != NULL)
      cosim_identifier_copy_state(self->identifier[p], image);
}

cosim_model_based_def cosim_default_model_based_def(void) {
  return (cosim_model_based_def){.cookie = COSIM_COOKIE,
                                 .alpha = 1,
                                 .lags = 2,
                                 .tolerance = cosim_model_tolerance,
                                 .memory = cosim_model_memory,
                                 .excitation = cosim_model_excitation,
                                 .knowledge = 1};
}

seam_status cosim_model_based_correction_create(const cosim_model_based_def *def, cosim_correction **correction,
                                                seam_error *error) {
  static const cosim_correction_ops ops = {.bind = bind,
                                           .start = start,
                                           .adjust_inputs = adjust_inputs,
                                           .end_round = end_round,
                                           .copy_state = copy_state,
                                           .destroy = destroy};
  const struct {
    const char *name;
    double value, most;
    bool may_be_zero;
  } shares[] = {{"alpha", def->alpha, COSIM_MAX_ALPHA, true},
                {"tolerance", def->tolerance, 1, false},
                {"memory", def->memory, 1, false},
                {"excitation", def->excitation, 1, true},
                {"knowledge", def->knowledge, COSIM_MAX_KNOWLEDGE, true}};
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    if (!(shares[i].value >= 0 && shares[i].value <= shares[i].most) ||
        (shares[i].value == 0 && !shares[i].may_be_zero))
      return seam_fail(error, SEAM_BAD_INPUT, "model-based correction: '%s' is %g: take %s %g", shares[i].name,
                       shares[i].value, shares[i].may_be_zero ? "0 to" : "more than 0, at most", shares[i].most);
  if (def->lags < 1 || def->lags > COSIM_MAX_LAGS)
    return seam_fail(error, SEAM_BAD_INPUT, "model-based correction: 'lags' is %d: take 1 to %d", def->lags,
                     COSIM_MAX_LAGS);
  model_based *self = calloc(1, sizeof *self);
  TRY(check_memory(self != NULL, error));
  self->base = (cosim_correction){.ops = &ops, .n_seeds_per_input = n_seed_kinds, .n_counters = 1};
  self->def = *def;
  *correction = &self->base;
  return SEAM_OK;
}
