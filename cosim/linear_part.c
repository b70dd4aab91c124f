/* With an input that is a polynomial on a piece of length h, u = Σ c_m τ^m with τ = t / H counted from its beginning,
 *
 *   z(h) = e^(A h) z(0) + Σ_m B_m c_m,   B_m = ∫₀ʰ e^(A (h - t)) B (t/H)^m dt.
 *
 * One exponential gives all of them: that of the generator of z and of the chain w_m' = (m + 1)/H w_(m+1), w_m(0) =
 * c_m, whose w_0 is u. */
#include "cosim/linear_part.h"

#include <stdlib.h>
#include <string.h>

#include "cosim/signal.h"
#include "solvers/expm.h"

/* Inputs of two and of three pieces have six in common. */
enum { n_powers = cosim_most_degree + 1, most_common_pieces = 6 };

typedef struct linear_part {
  cosim_part base;
  int n; /* states */
  double *A, *B, *C, *D;
  bool *restarts;
  double *z, *next, *response;            /* (n) */
  double *end;                            /* (n_inputs) inputs at the end of the last step */
  double *ends;                           /* (n_inputs) scratch: those of a change */
  double (*fine)[n_powers];               /* (n_inputs) scratch: coefficients on a piece */
  const double **c;                       /* (n_inputs) theirs; NULL: zero */
  double H;                               /* of the present step */
  double *propagator[most_common_pieces]; /* of pieces of length H, H/2, ...: (n x (n + n_powers n_inputs)), row by row:
                                             e^(A h), then B_m for each input */
  double made_for[most_common_pieces];    /* their H; 0: none yet */
} linear_part;

static void destroy(cosim_part *base) {
  linear_part *self = (linear_part *)base;
  for (int p = 0; p < most_common_pieces; p++)
    free(self->propagator[p]);
  free(self->A);
  free(self->restarts);
  free(self->fine);
  free(self->c);
  free(self);
}

/* ---- Propagators ---- */

static int width(const linear_part *self) { return self->n + n_powers * self->base.n_inputs; }

/* The generator times h, column by column; every input has a chain of its own. */
static void fill_generator(const linear_part *self, double h, double *M) {
  const int n = self->n;
  const int order = width(self);
  memset(M, 0, (size_t)order * (size_t)order * sizeof *M);
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      M[i + j * order] = self->A[i * n + j] * h;
    for (int u = 0; u < self->base.n_inputs; u++)
      M[i + (n + n_powers * u) * order] = self->B[i * self->base.n_inputs + u] * h;
  }
  for (int u = 0; u < self->base.n_inputs; u++)
    for (int m = 0; m + 1 < n_powers; m++)
      M[n + n_powers * u + m + (n + n_powers * u + m + 1) * order] = (m + 1) * h / self->H;
}

static seam_status make_propagator(linear_part *self, int n_pieces, seam_error *error) {
  const int order = width(self);
  const size_t size = (size_t)order * (size_t)order;
  double *generator = malloc(2 * size * sizeof *generator);
  if (generator == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a linear subsystem of %d states", self->n);
  double *exponential = generator + size;
  fill_generator(self, self->H / n_pieces, generator);
  const seam_status status = seam_expm(order, generator, exponential, error);
  double *rows = self->propagator[n_pieces - 1];
  for (int i = 0; i < self->n && status == SEAM_OK; i++)
    for (int j = 0; j < order; j++)
      rows[i * order + j] = exponential[i + j * order];
  free(generator);
  return status;
}

static seam_status prepare(linear_part *self, int n_pieces, seam_error *error) {
  if (self->made_for[n_pieces - 1] == self->H)
    return SEAM_OK;
  self->made_for[n_pieces - 1] = 0;
  const seam_status status = make_propagator(self, n_pieces, error);
  if (status == SEAM_OK)
    self->made_for[n_pieces - 1] = self->H;
  return status;
}

/* ---- Steps ---- */

/* z over one piece; c (n_inputs x n_powers) are the inputs' coefficients there. */
static void cross_piece(linear_part *self, int n_pieces, const double *const *c, double *z) {
  const int n = self->n;
  const int order = width(self);
  for (int i = 0; i < n; i++) {
    const double *row = self->propagator[n_pieces - 1] + i * order;
    double sum = 0;
    for (int j = 0; j < n; j++)
      sum += row[j] * z[j];
    for (int u = 0; u < self->base.n_inputs; u++)
      for (int m = 0; m < n_powers && c[u] != NULL; m++)
        sum += row[n + n_powers * u + m] * c[u][m];
    self->next[i] = sum;
  }
  memcpy(z, self->next, (size_t)n * sizeof *z);
}

static void write_outputs(const linear_part *self, const double *z, const double *inputs, double *y) {
  for (int i = 0; i < self->base.n_outputs; i++) {
    y[i] = 0;
    for (int j = 0; j < self->n; j++)
      y[i] += self->C[i * self->n + j] * z[j];
    for (int u = 0; u < self->base.n_inputs; u++)
      y[i] += self->D[i * self->base.n_inputs + u] * inputs[u];
  }
}

static int common_pieces(const linear_part *self, const cosim_signal *inputs) {
  int n_pieces = 1;
  for (int u = 0; u < self->base.n_inputs; u++)
    if (n_pieces % inputs[u].n_pieces != 0)
      n_pieces *= inputs[u].n_pieces;
  return n_pieces;
}

static void take_step(linear_part *self, int n_pieces, const cosim_signal *inputs) {
  for (int u = 0; u < self->base.n_inputs; u++) {
    self->c[u] = self->fine[u];
    self->end[u] = cosim_signal_end(&inputs[u]);
  }
  for (int i = 0; i < self->n; i++)
    if (self->restarts[i])
      self->z[i] = 0;
  for (int p = 0; p < n_pieces; p++) {
    for (int u = 0; u < self->base.n_inputs; u++)
      cosim_signal_piece(&inputs[u], n_pieces, p, self->fine[u]);
    cross_piece(self, n_pieces, self->c, self->z);
  }
}

/* A linear system answers a change of its input as it would at rest. */
static void answer(linear_part *self, const cosim_direction *direction, double *change) {
  const cosim_signal *signal = &direction->signal;
  const int input = direction->input;
  for (int u = 0; u < self->base.n_inputs; u++) {
    self->c[u] = NULL;
    self->ends[u] = 0;
  }
  memset(self->response, 0, (size_t)self->n * sizeof *self->response);
  for (int p = 0; p < signal->n_pieces; p++) {
    self->c[input] = signal->c[p];
    cross_piece(self, signal->n_pieces, self->c, self->response);
  }
  self->ends[input] = cosim_signal_end(signal);
  write_outputs(self, self->response, self->ends, change);
}

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *changes,
                           seam_error *error) {
  linear_part *self = (linear_part *)base;
  const int n_pieces = common_pieces(self, step->inputs);
  self->H = step->H;
  seam_status status = prepare(self, n_pieces, error);
  for (int d = 0; d < step->n_directions && status == SEAM_OK; d++)
    status = prepare(self, step->directions[d].signal.n_pieces, error);
  if (status != SEAM_OK)
    return status;
  take_step(self, n_pieces, step->inputs);
  write_outputs(self, self->z, self->end, outputs);
  for (int d = 0; d < step->n_directions; d++)
    answer(self, &step->directions[d], changes + d * base->n_outputs);
  return SEAM_OK;
}

static void measure(cosim_part *base, double *outputs) {
  const linear_part *self = (const linear_part *)base;
  write_outputs(self, self->z, self->end, outputs);
}

/* ---- State: what does not restart ---- */

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
}

/* ---- Creation ---- */

static bool allocate(linear_part *self, const cosim_linear_def *def) {
  const size_t n = (size_t)def->n_states;
  const size_t n_in = (size_t)def->n_inputs;
  const size_t n_out = (size_t)def->n_outputs;
  double *memory = calloc(n * n + n * n_in + n_out * n + n_out * n_in + 3 * n + 2 * n_in + 1, sizeof *memory);
  self->A = memory;
  self->restarts = calloc(n + 1, sizeof *self->restarts);
  self->fine = calloc(n_in + 1, sizeof *self->fine);
  self->c = calloc(n_in + 1, sizeof *self->c);
  if (memory == NULL || self->restarts == NULL || self->fine == NULL || self->c == NULL)
    return false;
  self->B = self->A + n * n;
  self->C = self->B + n * n_in;
  self->D = self->C + n_out * n;
  self->z = self->D + n_out * n_in;
  self->next = self->z + n;
  self->response = self->next + n;
  self->end = self->response + n;
  self->ends = self->end + n_in;
  for (int p = 0; p < most_common_pieces; p++) {
    self->propagator[p] = calloc(n * (size_t)width(self) + 1, sizeof(double));
    if (self->propagator[p] == NULL)
      return false;
  }
  memcpy(self->A, def->A, n * n * sizeof *memory);
  memcpy(self->B, def->B, n * n_in * sizeof *memory);
  memcpy(self->C, def->C, n_out * n * sizeof *memory);
  memcpy(self->D, def->D, n_out * n_in * sizeof *memory);
  return true;
}

seam_status cosim_linear_part_create(const cosim_linear_def *def, cosim_part **part, seam_error *error) {
  static const cosim_part_ops ops = {
      .advance = advance, .measure = measure, .save = save, .restore = restore, .destroy = destroy};
  linear_part *self = calloc(1, sizeof *self);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a linear subsystem of %d states", def->n_states);
  self->base = (cosim_part){.ops = &ops,
                            .name = def->name,
                            .gives_derivatives = true,
                            .n_inputs = def->n_inputs,
                            .n_outputs = def->n_outputs};
  self->n = def->n_states;
  if (!allocate(self, def)) {
    destroy(&self->base);
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a linear subsystem of %d states", def->n_states);
  }
  for (int i = 0; i < def->n_states; i++) {
    self->restarts[i] = def->restarts != NULL && def->restarts[i];
    self->base.n_state += self->restarts[i] ? 0 : 1;
  }
  *part = &self->base;
  return SEAM_OK;
}
