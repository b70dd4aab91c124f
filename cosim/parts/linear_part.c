/* Linear parts with states z, inputs u and outputs y: z' = A z + B u, y = C z + D u. On a piece of length h in a step
 * of length H, an input is u = Σ c_m τ^m, with τ = t / H and the time t since the beginning of the piece. Then
 *
 *   z(h) = e^(A h) z(0) + Σ_m B_m c_m,   B_m = ∫₀ʰ e^(A (h - t)) B (t/H)^m dt.
 *
 * One matrix exponential gives e^(A h) and all B_m. Its equations are those of z and, for each input, of a chain w_0,
 * w_1, ... with w_m(0) = c_m and w_m' = (m + 1) w_(m+1) / H. Then w_0 = u. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/arrays.h"
#include "base/then.h"
#include "cosim/parts/part.h"
#include "cosim/parts/signal.h"
#include "cosim/thresholds.h"
#include "solvers/expm.h"

/* Powers of τ in the propagators: few_powers, which extrapolated inputs need, until a signal has more. */
enum { few_powers = 5, all_powers = COSIM_MAX_DEGREE + 1 };

/* Matrix that maps z at the beginning of a piece, and the inputs, to z at the end of the piece. */
typedef struct propagator {
  double length; /* length of the piece in τ */
  double *rows;  /* (n x (n + n_powers n_inputs)), row by row: e^(A h), then the B_m of each input */
} propagator;

typedef struct linear_part {
  cosim_part base;
  int n; /* number of states */
  double *A, *B, *C, *D;
  bool *restarts;    /* (n) true: the state is zero at the beginning of every step */
  bool *feedthrough; /* (n_outputs x n_inputs) entries of D that are not zero */
  double *z, *next;  /* (n) states; scratch: states at the end of a piece */
  double *responses; /* (n_responses x n) derivatives of z along the seeds of the last step */
  int n_responses, n_seeds;
  double *end;                /* (n_inputs) inputs at the end of the last step */
  double *ends;               /* (n_inputs) scratch: inputs, or changes of inputs */
  double (*fine)[all_powers]; /* (n_inputs) scratch: coefficients on a piece */
  const cosim_signal **input; /* (n_inputs) signal at each input; NULL: zero */
  double *tau;                /* (2 n_inputs + 1 + COSIM_MAX_NODES) scratch: ends of pieces */
  int n_powers;
  double H;                /* s, length of the step for which the propagators are valid */
  propagator *propagators; /* (n_propagators) one for each length of pieces */
  int n_propagators, capacity;
} linear_part;

#define LINEAR_ARRAYS(X)                                                                                               \
  X(self, A, n *n)                                                                                                     \
  X(self, B, n *n_in)                                                                                                  \
  X(self, C, n_out *n)                                                                                                 \
  X(self, D, n_out *n_in)                                                                                              \
  X(self, z, n)                                                                                                        \
  X(self, next, n)                                                                                                     \
  X(self, end, n_in)                                                                                                   \
  X(self, ends, n_in)                                                                                                  \
  X(self, tau, 2 * n_in + COSIM_MAX_NODES)                                                                             \
  X(self, restarts, n)                                                                                                 \
  X(self, feedthrough, n_out *n_in)                                                                                    \
  X(self, fine, n_in)                                                                                                  \
  X(self, input, n_in)

static void free_propagators(linear_part *self) {
  for (int p = 0; p < self->capacity; p++)
    free(self->propagators[p].rows);
  self->n_propagators = self->capacity = 0;
}

static void destroy(cosim_part *base) {
  linear_part *self = (linear_part *)base;
  free_propagators(self);
  free(self->propagators);
  LINEAR_ARRAYS(FREE_ARRAY)
  free(self->responses);
  free(self);
}

/* ---- Propagators ---- */

static int width(const linear_part *self) { return self->n + self->n_powers * self->base.n_inputs; }

static seam_status check_memory(int n_states, bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK
                   : seam_fail(error, SEAM_NO_MEMORY, "no memory for a linear subsystem of %d states", n_states);
}

/* Computes a propagator: the exponential of h M. The matrix M, stored by columns, is that of the equations for z and
 * the chains of all inputs (head of this file). */
static seam_status make_propagator(linear_part *self, propagator *p, seam_error *error) {
  const int n = self->n;
  const int order = width(self);
  const size_t size = (size_t)order * (size_t)order;
  const double h = self->H * p->length;
  double *M = calloc(2 * size, sizeof *M);
  if (M == NULL)
    return check_memory(self->n, false, error);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      M[i + j * order] = self->A[i * n + j] * h;
    for (int u = 0; u < self->base.n_inputs; u++)
      M[i + (n + self->n_powers * u) * order] = self->B[i * self->base.n_inputs + u] * h;
  }
  for (int u = 0; u < self->base.n_inputs; u++)
    for (int m = 0; m + 1 < self->n_powers; m++)
      M[n + self->n_powers * u + m + (n + self->n_powers * u + m + 1) * order] = (m + 1) * h / self->H;
  double *exponential = M + size;
  const seam_status status = seam_expm(order, M, exponential, error);
  for (int i = 0; i < n && status == SEAM_OK; i++)
    for (int j = 0; j < order; j++)
      p->rows[i * order + j] = exponential[i + j * order];
  free(M);
  return status;
}

static bool has_more_powers(const cosim_signal *signal) {
  for (int p = 0; p < signal->n_pieces; p++)
    for (int m = few_powers; m < all_powers; m++)
      if (signal->c[p][m] != 0)
        return true;
  return false;
}

/* Discards the propagators if H or the number of powers changes. */
static void update_propagators(linear_part *self, const cosim_step *step) {
  bool more = false;
  for (int u = 0; u < self->base.n_inputs && self->n_powers == few_powers; u++)
    more = more || has_more_powers(&step->inputs[u]);
  for (int d = 0; d < step->n_seeds && self->n_powers == few_powers; d++)
    more = more || has_more_powers(&step->seeds[d].signal);
  if (more) {
    free_propagators(self);
    self->n_powers = all_powers;
  }
  if (self->H != step->H)
    self->n_propagators = 0;
  self->H = step->H;
}

/* Finds the propagator for pieces of this length, or makes it. */
static seam_status find_propagator(linear_part *self, double length, const propagator **found, seam_error *error) {
  for (int p = 0; p < self->n_propagators; p++)
    if (fabs(self->propagators[p].length - length) < cosim_same_tau) {
      *found = &self->propagators[p];
      return SEAM_OK;
    }
  if (self->n_propagators == self->capacity) {
    propagator *more = realloc(self->propagators, ((size_t)self->capacity + 1) * sizeof *more);
    TRY(check_memory(self->n, more != NULL, error));
    self->propagators = more;
    more[self->capacity].rows = calloc((size_t)(self->n * width(self)) + 1, sizeof(double));
    TRY(check_memory(self->n, more[self->capacity].rows != NULL, error));
    self->capacity++;
  }
  propagator *made = &self->propagators[self->n_propagators];
  made->length = length;
  TRY(make_propagator(self, made, error));
  self->n_propagators++;
  *found = made;
  return SEAM_OK;
}

/* ---- Steps ---- */

/* Advances z over one piece with the inputs' coefficients self->fine. */
static seam_status advance_piece(linear_part *self, double length, double *z, seam_error *error) {
  const int n = self->n;
  const int order = width(self);
  const propagator *over = NULL;
  TRY(find_propagator(self, length, &over, error));
  for (int i = 0; i < n; i++) {
    const double *row = over->rows + i * order;
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += row[j] * z[j];
    for (int u = 0; u < self->base.n_inputs; u++)
      for (int m = 0; m < self->n_powers && self->input[u] != NULL; m++)
        sum += row[n + self->n_powers * u + m] * self->fine[u][m];
    self->next[i] = sum;
  }
  memcpy(z, self->next, (size_t)n * sizeof *z);
  return SEAM_OK;
}

/* Fills y (n_rows) = of_x x + of_u u. */
static void combine(int n_rows, int n, int n_in, const double *of_x, const double *of_u, const double *x,
                    const double *u, double *y) {
  for (int i = 0; i < n_rows; i++) {
    y[i] = 0;
    for (int j = 0; j < n; j++)
      y[i] += of_x[i * n + j] * x[j];
    for (int j = 0; j < n_in; j++)
      y[i] += of_u[i * n_in + j] * u[j];
  }
}

static void write_outputs(const linear_part *self, const double *z, const double *inputs, double *y) {
  combine(self->base.n_outputs, self->n, self->base.n_inputs, self->C, self->D, z, inputs, y);
}

/* Advances z (n) over the step under the signals self->input. Writes the outputs at the nodes and the end; self->ends
 * becomes the inputs at the end. */
static seam_status take_step(linear_part *self, const cosim_step *step, double *z, double *outputs, seam_error *error) {
  int n_pieces = 1;
  int node = 0;
  double from = 0;
  self->tau[0] = 1;
  for (int u = 0; u < self->base.n_inputs; u++)
    if (self->input[u] != NULL)
      n_pieces = cosim_add_ends(self->tau, n_pieces, self->input[u]);
  n_pieces = cosim_add_nodes(self->tau, n_pieces, step);
  for (int p = 0; p < n_pieces; from = self->tau[p++]) {
    for (int u = 0; u < self->base.n_inputs; u++)
      if (self->input[u] != NULL)
        cosim_signal_from(self->input[u], cosim_signal_piece_at(self->input[u], (from + self->tau[p]) / 2), from,
                          self->fine[u]);
    TRY(advance_piece(self, self->tau[p] - from, z, error));
    for (; node < step->n_nodes && step->nodes[node] <= self->tau[p]; node++, outputs += self->base.n_outputs) {
      for (int u = 0; u < self->base.n_inputs; u++)
        self->ends[u] = self->input[u] != NULL ? cosim_signal_value(self->input[u], step->nodes[node]) : 0;
      write_outputs(self, z, self->ends, outputs);
    }
  }
  for (int u = 0; u < self->base.n_inputs; u++)
    self->ends[u] = self->input[u] != NULL ? cosim_signal_end(self->input[u]) : 0;
  write_outputs(self, z, self->ends, outputs);
  return SEAM_OK;
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  linear_part *self = (linear_part *)base;
  const int n_rows = (step->n_nodes + 1) * base->n_outputs;
  update_propagators(self, step);
  for (int u = 0; u < base->n_inputs; u++)
    self->input[u] = &step->inputs[u];
  for (int i = 0; i < self->n; i++)
    if (self->restarts[i])
      self->z[i] = 0;
  TRY(take_step(self, step, self->z, outputs, error));
  memcpy(self->end, self->ends, (size_t)base->n_inputs * sizeof *self->end);
  self->n_seeds = step->n_seeds;
  if (step->n_seeds > self->n_responses) {
    double *more = realloc(self->responses, ((size_t)step->n_seeds * (size_t)self->n + 1) * sizeof *more);
    TRY(check_memory(self->n, more != NULL, error));
    self->responses = more;
    self->n_responses = step->n_seeds;
  }
  for (int d = 0; d < step->n_seeds; d++) { /* the response from z = 0 to the seed as input */
    double *response = self->responses + d * self->n;
    for (int u = 0; u < base->n_inputs; u++)
      self->input[u] = u == step->seeds[d].input ? &step->seeds[d].signal : NULL;
    memset(response, 0, (size_t)self->n * sizeof *response);
    TRY(take_step(self, step, response, derivatives + d * n_rows, error));
  }
  return SEAM_OK;
}

static seam_status update_end(cosim_part *base, const double *change, const double *end, bool *is_made,
                              seam_error *error) {
  linear_part *self = (linear_part *)base;
  (void)error;
  for (int d = 0; d < self->n_seeds; d++)
    for (int i = 0; i < self->n; i++)
      self->z[i] += change[d] * self->responses[d * self->n + i];
  memcpy(self->end, end, (size_t)base->n_inputs * sizeof *end);
  *is_made = true;
  return SEAM_OK;
}

static void get_outputs(cosim_part *base, double *outputs) {
  const linear_part *self = (const linear_part *)base;
  write_outputs(self, self->z, self->end, outputs);
}

static void evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs) {
  linear_part *self = (linear_part *)base;
  (void)t;
  for (int u = 0; u < base->n_inputs; u++)
    self->ends[u] = cosim_signal_end(&inputs[u]);
  write_outputs(self, self->z, self->ends, outputs);
}

/* ---- Saved states: those that do not restart. After restore(), inputs are zero until the next step ---- */

static void save(const cosim_part *base, double *state) {
  const linear_part *self = (const linear_part *)base;
  for (int i = 0; i < self->n; i++)
    if (!self->restarts[i])
      *state++ = self->z[i];
}

static void restore(cosim_part *base, const double *state) {
  linear_part *self = (linear_part *)base;
  for (int i = 0; i < self->n; i++)
    self->z[i] = self->restarts[i] ? 0 : *state++;
  memset(self->end, 0, (size_t)self->base.n_inputs * sizeof *self->end);
}

/* ---- Creation ---- */

/* Largest order of a matrix exponential; largest product of n_outputs and n_states. */
enum { MAX_ORDER = 10000, MAX_OUTPUTS = 1000000 };

static seam_status check_matrix(const char *name, const double *matrix, int n_rows, int n_columns, seam_error *error) {
  const size_t n = (size_t)n_rows * (size_t)n_columns;
  TRY(argument_check_list("linear subsystem", name, matrix, n, error));
  for (size_t i = 0; i < n; i++)
    if (!isfinite(matrix[i]))
      return seam_fail(error, SEAM_BAD_INPUT, "linear subsystem: entry (%zu, %zu) of its matrix %s is not finite",
                       i / (size_t)n_columns, i % (size_t)n_columns, name);
  return SEAM_OK;
}

static seam_status check(const cosim_linear_def *def, seam_error *error) {
  const struct {
    const char *name;
    int n, most;
  } counts[] = {{"states", def->n_states, MAX_ORDER},
                {"inputs", def->n_inputs, MAX_ORDER / all_powers},
                {"outputs", def->n_outputs, MAX_OUTPUTS / (def->n_states > 0 ? def->n_states : 1)}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i].n < 0 || counts[i].n > counts[i].most)
      return seam_fail(error, SEAM_BAD_INPUT, "linear subsystem: %d %s: take 0 to %d", counts[i].n, counts[i].name,
                       counts[i].most);
  TRY(check_matrix("A", def->A, def->n_states, def->n_states, error));
  TRY(check_matrix("B", def->B, def->n_states, def->n_inputs, error));
  TRY(check_matrix("C", def->C, def->n_outputs, def->n_states, error));
  return check_matrix("D", def->D, def->n_outputs, def->n_inputs, error);
}

/* Matrices without entries may be NULL. */
static void copy_matrices(const cosim_linear_def *def, double *const to[4]) {
  const size_t n = (size_t)def->n_states, n_in = (size_t)def->n_inputs, n_out = (size_t)def->n_outputs;
  const double *const from[] = {def->A, def->B, def->C, def->D};
  const size_t sizes[] = {n * n, n * n_in, n_out * n, n_out * n_in};
  for (int i = 0; i < 4; i++)
    if (sizes[i] > 0)
      memcpy(to[i], from[i], sizes[i] * sizeof **to);
}

seam_status cosim_linear_part_create(const cosim_linear_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {.advance = advance,
                                     .get_outputs = get_outputs,
                                     .evaluate_outputs = evaluate_outputs,
                                     .update_end = update_end,
                                     .save = save,
                                     .restore = restore,
                                     .destroy = destroy};
  ARGUMENTS(error, def, part);
  TRY(check(def, error));
  linear_part *self = calloc(1, sizeof *self);
  TRY(check_memory(def->n_states, self != NULL, error));
  self->base = (cosim_part){.ops = &ops,
                            .name = def->name,
                            .gives_derivatives = true,
                            .gives_nodes = true,
                            .n_inputs = def->n_inputs,
                            .n_outputs = def->n_outputs};
  self->n = def->n_states;
  self->n_powers = few_powers;
  const size_t n = (size_t)def->n_states, n_in = (size_t)def->n_inputs, n_out = (size_t)def->n_outputs;
  const bool enough = true LINEAR_ARRAYS(ALLOCATE_ARRAY);
  if (!enough) {
    destroy(&self->base);
    return check_memory(def->n_states, false, error);
  }
  double *const to[] = {self->A, self->B, self->C, self->D};
  copy_matrices(def, to);
  for (size_t i = 0; i < n_out * n_in; i++)
    self->feedthrough[i] = self->D[i] != 0;
  self->base.feedthrough = self->feedthrough;
  for (int i = 0; i < def->n_states; i++) {
    self->restarts[i] = def->restarts != NULL && def->restarts[i];
    self->base.n_state += self->restarts[i] ? 0 : 1;
  }
  self->base.is_algebraic = self->base.n_state == 0;
  *part = &self->base;
  return SEAM_OK;
}

bool cosim_is_linear_part(const cosim_part *part) { return part->ops->destroy == destroy; }

/* ---- In discrete time ---- */

static void next_states(const void *context, double t, const double *x, const double *u, double *next) {
  const cosim_linear_def *l = context;
  (void)t;
  combine(l->n_states, l->n_states, l->n_inputs, l->A, l->B, x, u, next);
}

static void read_outputs(const void *context, double t, const double *x, const double *u, double *y) {
  const cosim_linear_def *l = context;
  (void)t;
  combine(l->n_outputs, l->n_states, l->n_inputs, l->C, l->D, x, u, y);
}

static void next_states_along(const void *context, double t, const double *x, const double *u, const double *dx,
                              const double *du, double *change) {
  (void)x;
  (void)u;
  next_states(context, t, dx, du, change);
}

static void read_outputs_along(const void *context, double t, const double *x, const double *u, const double *dx,
                               const double *du, double *change) {
  (void)x;
  (void)u;
  read_outputs(context, t, dx, du, change);
}

seam_status cosim_sampled_linear_part_create(const cosim_linear_def *linear, double period, const char *const *states,
                                             const double *start, cosim_part **part, seam_error *error) {
  const size_t n = (size_t)linear->n_states, n_in = (size_t)linear->n_inputs, n_out = (size_t)linear->n_outputs;
  cosim_linear_def *context = malloc(sizeof *context + (n + n_out) * (n + n_in) * sizeof(double));
  if (context == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a subsystem of %d states", linear->n_states);
  double *A = (double *)(context + 1), *B = A + n * n, *C = B + n * n_in, *D = C + n_out * n;
  copy_matrices(linear, (double *const[]){A, B, C, D});
  *context = *linear;
  context->A = A;
  context->B = B;
  context->C = C;
  context->D = D;
  const cosim_sampled_def def = {.name = linear->name,
                                 .states = states,
                                 .n_states = linear->n_states,
                                 .n_inputs = linear->n_inputs,
                                 .n_outputs = linear->n_outputs,
                                 .period = period,
                                 .context = context,
                                 .updates = next_states,
                                 .outputs = read_outputs,
                                 .updates_along = next_states_along,
                                 .outputs_along = read_outputs_along,
                                 .start = start};
  const seam_status status = cosim_sampled_part_create(&def, part, error);
  if (status == SEAM_OK)
    cosim_ode_part_own(*part, context);
  else
    free(context);
  return status;
}
