#include "cosim/coupling/identify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"

/* First numbers of the saved state. All are doubles, so that one memcpy() saves them. */
typedef struct learner {
  double H;                  /* s, length of the steps; 0: none yet */
  double n_learnt;           /* number of steps learnt; negative: more steps are needed for the first regression row */
  double n_accurate;         /* number of successive predictions within the tolerance */
  double identified, learns; /* 1: the derivatives are identified, else 0; 1: the identifier learns, else 0 */
  double error;              /* relative error of the last prediction */
  double random;             /* state of the random excitation: an integer below 2^31 */
} learner;

struct cosim_identifier {
  cosim_model_based_def def;
  int n_inputs, n_outputs, n_powers;
  int n;       /* number of regressors: constant, past outputs, past inputs, coefficients of the present inputs */
  int n_past;  /* number of regressors before the coefficients of the present inputs */
  learner now; /* the saved state is `now`, then the n_memory numbers that begin at R */
  size_t n_memory;
  double *R;                /* (n x n) upper triangle by rows */
  double *Q;                /* (n x n_outputs) right-hand sides: outputs, rotated with R */
  double *theta;            /* (n x n_outputs) least-squares solution while learning */
  double *accepted;         /* (n x n_outputs) accepted solution */
  double *past;             /* (lags x n_outputs) last outputs, newest first */
  double *past_inputs;      /* (lags x n_inputs x n_powers) input coefficients of the last steps, newest first */
  double *first_in;         /* (n_inputs) first values seen */
  double *first_out;        /* (n_outputs) the same of the outputs */
  double *size_in;          /* (n_inputs) largest distances from the first values; a shift of the origin keeps them */
  double *size_out;         /* (n_outputs) the same of the outputs */
  double *prediction_error; /* (n_outputs) largest errors of the last n_accurate predictions */
  double *is_significant;   /* (n_outputs) 1: its derivatives are identified; 0: they count as 0 */
  double *row, *rhs;        /* (n), (n_outputs) scratch */
};

cosim_identifier *cosim_identifier_create(int n_inputs, int n_outputs, int order, const cosim_model_based_def *def) {
  cosim_identifier *self = calloc(1, sizeof *self);
  if (self == NULL)
    return NULL;
  const int present = n_inputs * (order + 1);
  self->def = *def;
  self->n_inputs = n_inputs;
  self->n_outputs = n_outputs;
  self->n_powers = order + 1;
  self->n_past = 1 + def->lags * n_outputs + (def->lags - 1) * present + n_inputs;
  self->n = self->n_past + present;
  const size_t n = (size_t)self->n;
  const size_t n_out = (size_t)n_outputs;
  const size_t lags = (size_t)def->lags;
  const size_t n_in = (size_t)n_inputs;
  self->n_memory = n * n + 3 * n * n_out + lags * (n_out + (size_t)present) + 2 * n_in + 4 * n_out;
  double *memory = calloc(self->n_memory + n + n_out, sizeof *memory);
  if (memory == NULL) {
    free(self);
    return NULL;
  }
  self->R = memory;
  self->Q = self->R + n * n;
  self->theta = self->Q + n * n_out;
  self->accepted = self->theta + n * n_out;
  self->past = self->accepted + n * n_out;
  self->past_inputs = self->past + lags * n_out;
  self->first_in = self->past_inputs + lags * (size_t)present;
  self->first_out = self->first_in + n_in;
  self->size_in = self->first_out + n_out;
  self->size_out = self->size_in + n_in;
  self->prediction_error = self->size_out + n_out;
  self->is_significant = self->prediction_error + n_out;
  self->row = self->is_significant + n_out;
  self->rhs = self->row + n;
  cosim_identifier_start(self);
  return self;
}

void cosim_identifier_destroy(cosim_identifier *self) {
  if (self == NULL)
    return;
  free(self->R);
  free(self);
}

static void restart(cosim_identifier *self) {
  self->now.identified = 0;
  self->now.learns = 1;
  self->now.n_learnt = 0;
  self->now.n_accurate = 0;
  memset(self->R, 0, (size_t)self->n * (size_t)self->n * sizeof *self->R);
  memset(self->Q, 0, (size_t)self->n * (size_t)self->n_outputs * sizeof *self->Q);
}

void cosim_identifier_start(cosim_identifier *self) {
  self->now = (learner){.random = 1, .error = INFINITY};
  memset(self->R, 0, self->n_memory * sizeof *self->R);
  restart(self);
}

void cosim_identifier_excite(cosim_identifier *self, cosim_signal *inputs) {
  for (int i = 0; i < self->n_inputs && self->now.learns != 0; i++)
    for (int m = 0; m < self->n_powers; m++) {
      /* A random number between -1 and 1 (Park and Miller's generator). */
      self->now.random = fmod(48271 * self->now.random, 2147483647);
      inputs[i].c[0][m] += self->def.excitation * self->size_in[i] * (2 * self->now.random / 2147483647 - 1);
    }
}

/* ---- Rows ---- */

static void fill_row(cosim_identifier *self, const cosim_signal *inputs) {
  const int present = self->n_inputs * self->n_powers;
  const int lags = self->def.lags;
  const double *oldest = self->past_inputs + (lags - 1) * present;
  double *to = self->row;
  *to++ = 1;
  for (int i = 0; i < lags * self->n_outputs; i++)
    *to++ = self->past[i];
  for (int i = 0; i < (lags - 1) * present; i++)
    *to++ = self->past_inputs[i];
  for (int i = 0; i < self->n_inputs; i++, to++) {
    *to = 0;
    for (int m = 0; m < self->n_powers; m++)
      *to += oldest[i * self->n_powers + m];
  }
  for (int i = 0; i < self->n_inputs; i++)
    for (int m = 0; m < self->n_powers; m++)
      *to++ = inputs[i].c[0][m];
}

static void store_past(cosim_identifier *self, const cosim_signal *inputs, const double *outputs) {
  const size_t present = (size_t)self->n_inputs * (size_t)self->n_powers;
  const size_t n_out = (size_t)self->n_outputs;
  const size_t lags = (size_t)self->def.lags;
  memmove(self->past + n_out, self->past, (lags - 1) * n_out * sizeof *self->past);
  memcpy(self->past, outputs, n_out * sizeof *self->past);
  memmove(self->past_inputs + present, self->past_inputs, (lags - 1) * present * sizeof *self->past_inputs);
  for (int i = 0; i < self->n_inputs; i++) {
    memcpy(self->past_inputs + i * self->n_powers, inputs[i].c[0], (size_t)self->n_powers * sizeof *self->past_inputs);
    self->size_in[i] = fmax(self->size_in[i], fabs(cosim_signal_end(&inputs[i]) - self->first_in[i]));
  }
  for (size_t i = 0; i < n_out; i++)
    self->size_out[i] = fmax(self->size_out[i], fabs(outputs[i] - self->first_out[i]));
}

/* Adds `row` to R and the outputs to Q by Givens rotations, and multiplies the weight of older steps by def.memory. */
static void rotate_row(cosim_identifier *self, const double *outputs) {
  const int n = self->n;
  const int n_out = self->n_outputs;
  const double weight = self->def.memory;
  memcpy(self->rhs, outputs, (size_t)n_out * sizeof *outputs);
  for (int i = 0; i < n; i++) {
    double *R = self->R + i * n;
    double *Q = self->Q + i * n_out;
    const double length = hypot(weight * R[i], self->row[i]);
    const double c = length > 0 ? weight * R[i] / length : 1;
    const double s = length > 0 ? self->row[i] / length : 0;
    for (int j = i; j < n; j++) {
      const double above = weight * R[j];
      R[j] = c * above + s * self->row[j];
      self->row[j] = c * self->row[j] - s * above;
    }
    for (int j = 0; j < n_out; j++) {
      const double above = weight * Q[j];
      Q[j] = c * above + s * self->rhs[j];
      self->rhs[j] = c * self->rhs[j] - s * above;
    }
  }
}

/* ---- Models ---- */

static bool is_independent(const cosim_identifier *self, int column) {
  double square = 0;
  for (int i = 0; i <= column; i++)
    square += self->R[i * self->n + column] * self->R[i * self->n + column];
  return fabs(self->R[column * self->n + column]) > cosim_independent * sqrt(square);
}

/* Solves by back substitution. If a column depends linearly on the columns before it, its coefficients are 0. */
static void solve(cosim_identifier *self) {
  const int n = self->n;
  const int n_out = self->n_outputs;
  for (int i = n - 1; i >= 0; i--) {
    const bool used = is_independent(self, i);
    for (int y = 0; y < n_out; y++) {
      double sum = self->Q[i * n_out + y];
      for (int j = i + 1; j < n; j++)
        sum -= self->R[i * n + j] * self->theta[j * n_out + y];
      self->theta[i * n_out + y] = used ? sum / self->R[i * n + i] : 0;
    }
  }
}

/* Returns an output that a model predicts for the present row. */
static double predict(const cosim_identifier *self, const double *model, int output) {
  double sum = 0;
  for (int j = 0; j < self->n; j++)
    sum += self->row[j] * model[j * self->n_outputs + output];
  return sum;
}

/* Returns the largest error of a model relative to the outputs' sizes. */
static double error_of(const cosim_identifier *self, const double *model, const double *outputs) {
  double largest = 0;
  for (int y = 0; y < self->n_outputs; y++) {
    const double size = fmax(self->size_out[y], fabs(outputs[y] - self->first_out[y]));
    if (size > 0)
      largest = fmax(largest, fabs(predict(self, model, y) - outputs[y]) / size);
  }
  return largest;
}

/* Accepts the solution. Returns false if some derivative is neither identified nor negligible. */
static bool accept_solution(cosim_identifier *self) {
  memcpy(self->accepted, self->theta, (size_t)self->n * (size_t)self->n_outputs * sizeof *self->accepted);
  for (int y = 0; y < self->n_outputs; y++) {
    double square = 0;
    for (int i = 0; i < self->n_inputs; i++)
      for (int m = 0; m < self->n_powers; m++) {
        const double derivative = self->accepted[(self->n_past + i * self->n_powers + m) * self->n_outputs + y];
        square += derivative * derivative * self->size_in[i] * self->size_in[i];
      }
    const double effect = self->def.excitation * sqrt(square / 3); /* root mean square of the excitation's effect */
    self->is_significant[y] = self->prediction_error[y] < cosim_identified * effect;
    if (self->is_significant[y] == 0 &&
        self->prediction_error[y] > cosim_negligible * self->def.excitation * self->size_out[y])
      return false;
  }
  return true;
}

/* Compares the solution's prediction with the outputs. Learning ends after COSIM_IDENTIFIER_TRIALS successive
 * predictions, if accept_solution() agrees. They must be within the tolerance, and the inputs must separate all
 * derivatives. */
static void check_prediction(cosim_identifier *self, const double *outputs) {
  const bool predicts = self->now.n_learnt > self->n;
  bool is_excited = true;
  self->now.error = predicts ? error_of(self, self->theta, outputs) : INFINITY;
  for (int i = self->n_past; i < self->n && is_excited && self->now.error <= self->def.tolerance; i++)
    is_excited = is_independent(self, i);
  if (!(self->now.error <= self->def.tolerance) || !is_excited) {
    self->now.n_accurate = 0;
    return;
  }
  for (int y = 0; y < self->n_outputs; y++) {
    const double prediction_error = fabs(predict(self, self->theta, y) - outputs[y]);
    self->prediction_error[y] =
        self->now.n_accurate > 0 ? fmax(self->prediction_error[y], prediction_error) : prediction_error;
  }
  self->now.n_accurate++;
  if (self->now.n_accurate >= COSIM_IDENTIFIER_TRIALS && accept_solution(self)) {
    self->now.identified = 1;
    self->now.learns = 0;
  }
}

void cosim_identifier_observe(cosim_identifier *self, double H, const cosim_signal *inputs, const double *outputs) {
  if (fabs(H - self->now.H) > cosim_same_time * H) {
    cosim_identifier_start(self);
    self->now.H = H;
    self->now.n_learnt = -self->def.lags;
    for (int i = 0; i < self->n_inputs; i++)
      self->first_in[i] = cosim_signal_end(&inputs[i]);
    memcpy(self->first_out, outputs, (size_t)self->n_outputs * sizeof *outputs);
  }
  fill_row(self, inputs);
  if (self->now.n_learnt < 0)
    self->now.n_learnt++;
  else if (self->now.learns != 0) {
    check_prediction(self, outputs);
    if (self->now.learns != 0) {
      rotate_row(self, outputs);
      self->now.n_learnt++;
      if (self->now.n_learnt >= self->n)
        solve(self);
    }
  } else {
    self->now.error = error_of(self, self->accepted, outputs);
    if (!(self->now.error <= self->def.tolerance))
      restart(self);
  }
  store_past(self, inputs, outputs);
}

bool cosim_identifier_is_identified(const cosim_identifier *self) { return self->now.identified != 0; }

bool cosim_identifier_learns(const cosim_identifier *self) { return self->now.learns != 0; }

double cosim_identifier_derivative(const cosim_identifier *self, int output, int input, int power) {
  return self->is_significant[output] *
         self->accepted[(self->n_past + input * self->n_powers + power) * self->n_outputs + output];
}

double cosim_identifier_prediction_error(const cosim_identifier *self) { return self->now.error; }

enum { n_learner = sizeof(learner) / sizeof(double) };

size_t cosim_identifier_n_state(const cosim_identifier *self) { return n_learner + self->n_memory; }

void cosim_identifier_copy_state(cosim_identifier *self, cosim_image *image) {
  cosim_image_copy(image, (double *)&self->now, n_learner);
  cosim_image_copy(image, self->R, self->n_memory);
}
