/* Exact derivatives of steps, which some FMUs give (docs/fmi.md). A seed is a change of an input, along which outputs
 * are differentiated. Let d <= 6 be the highest degree of the seeds in a step. The inputs of the step are sums of at
 * most seven shapes s_k(τ), u_i = Σ_k c_ik s_k(τ). The FMU gives the derivatives of the outputs by the coefficients
 * c_ik. If it takes shapes, and there are at most d distinct seeds, these are the shapes; else s_k = τ^k, k <= d.
 *
 * A change δu of an input may have several pieces or a higher degree. Then a polynomial of degree 6 replaces it, with
 * the same value at the end and the same moments ∫ τ^j δu dτ, j = 0 to 5. In Legendre's polynomials P_l on [0, 1] it is
 *
 *   Σ a_l P_l(τ),  l = 0 to 6,      a_l = (2 l + 1) ∫ P_l δu dτ for l < 6,      a_6 = δu(1) - (a_0 + ... + a_5)
 *
 * This suffices: changes of states are integrals of δu with smooth weights over the step, and changes of outputs depend
 * on these integrals and on δu(1). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "cosim/parts/fmu_internal.h"
#include "cosim/parts/signal.h"

enum { DEGREE = COSIM_FMU_POWERS - 1, N_GAUSS = 7 };

/* ---- Polynomials ---- */

/* Coefficients of Legendre's polynomials P_l (head of this file), in powers of τ. */
static const double legendre[COSIM_FMU_POWERS][COSIM_FMU_POWERS] = {{1},
                                                                    {-1, 2},
                                                                    {1, -6, 6},
                                                                    {-1, 12, -30, 20},
                                                                    {1, -20, 90, -140, 70},
                                                                    {-1, 30, -210, 560, -630, 252},
                                                                    {1, -42, 420, -1680, 3150, -2772, 924}};

/* Gauss's rule on [0, 1], exact up to degree 13. */
static const double gauss_node[N_GAUSS] = {0.025446043828620737738, 0.12923440720030278007, 0.29707742431130141655, 0.5,
                                           0.70292257568869858345,  0.87076559279969721993, 0.97455395617137926226};
static const double gauss_weight[N_GAUSS] = {0.064742483084434846635, 0.13985269574463833395, 0.19091502525255947248,
                                             0.20897959183673469388,  0.19091502525255947248, 0.13985269574463833395,
                                             0.064742483084434846635};

static double at(const double *c, double tau) {
  double sum = 0;
  for (int k = DEGREE; k >= 0; k--)
    sum = sum * tau + c[k];
  return sum;
}

static double product_with(int l, const cosim_signal *signal) {
  double sum = 0;
  for (int p = 0; p < signal->n_pieces; p++) {
    const double begin = cosim_signal_begin(signal, p), length = cosim_signal_length(signal, p);
    for (int i = 0; i < N_GAUSS; i++) {
      const double tau = begin + length * gauss_node[i];
      sum += length * gauss_weight[i] * at(legendre[l], tau) * cosim_signal_value(signal, tau);
    }
  }
  return sum;
}

static bool is_representable(const cosim_signal *signal) {
  return signal->n_pieces == 1 && fmu_part_signal_degree(signal) <= DEGREE;
}

/* Fills c (COSIM_FMU_POWERS) with the polynomial that replaces a signal. */
static void project(const cosim_signal *signal, double *c) {
  memset(c, 0, COSIM_FMU_POWERS * sizeof *c);
  double remaining = cosim_signal_end(signal);
  if (is_representable(signal))
    memcpy(c, signal->c[0], COSIM_FMU_POWERS * sizeof *c);
  for (int l = 0; l <= DEGREE && !is_representable(signal); l++) {
    const double a = l < DEGREE ? (2 * l + 1) * product_with(l, signal) : remaining;
    remaining -= a;
    for (int k = 0; k <= l; k++)
      c[k] += a * legendre[l][k];
  }
}

/* ---- Availability ---- */

bool cosim_fmu_offers_derivatives(const fmi_fmu *fmu) {
  const fmi_description *in = fmi_fmu_description(fmu);
  return in->version == FMI_3 && fmi_find_variable(in, COSIM_FMU_DEGREE) != SEAM_NONE &&
         fmi_find_variable(in, COSIM_FMU_DERIVATIVES_ARRAY) != SEAM_NONE &&
         fmi_fmu_has(fmu, COSIM_FMU_DERIVATIVES_MANIFEST);
}

/* Returns a variable's rank among the *n variables of its causality, in the order of their references. */
static size_t rank_of(const fmi_description *in, size_t variable, size_t *n) {
  size_t rank = 0;
  *n = 0;
  for (size_t i = 0; i < in->n_variables; i++)
    if (in->variables[i].causality == in->variables[variable].causality) {
      rank += in->variables[i].reference < in->variables[variable].reference;
      ++*n;
    }
  return rank;
}

/* Returns true if the FMU's array can contain the part's derivatives. The FMU must save states, take a macro step in
 * one step and update all inputs. All its inputs and outputs must be scalars of type double. */
static bool fits(const fmu_part *self, const cosim_fmu_def *def) {
  const fmi_description *in = self->description;
  bool are_numbers = true;
  for (size_t i = 0; i < in->n_variables; i++)
    if (in->variables[i].causality == FMI_INPUT || in->variables[i].causality == FMI_OUTPUT)
      are_numbers = are_numbers && in->variables[i].type == FMI_FLOAT64 && in->variables[i].n_dimensions == 0;
  return cosim_fmu_offers_derivatives(def->fmu) && are_numbers && def->n_inputs > 0 && def->n_outputs > 0 &&
         in->capabilities.can_get_and_set_state && self->fixed == 0 && self->longest == 0 &&
         self->n_updated == def->n_inputs;
}

static size_t n_values(const fmu_step_derivatives *exact) {
  return exact->n_inputs * COSIM_FMU_POWERS * exact->n_outputs;
}

static const double *values_of(const fmu_step_derivatives *exact, int input, int power) {
  return exact->values + (exact->row[input] * COSIM_FMU_POWERS + (size_t)power) * exact->n_outputs;
}

static seam_status read_array(fmu_part *self, seam_error *error) {
  return fmi_instance_get_reals(self->instance, &self->exact.array, 1, self->exact.values, n_values(&self->exact),
                                error);
}

/* Finds a parameter of n values (docs/fmi.md: versions 1.1 and 1.2). Returns false if there is none. */
static bool find_parameter(const fmi_description *in, const char *name, size_t n, uint32_t *reference) {
  const size_t variable = fmi_find_variable(in, name);
  const bool is_available = variable != SEAM_NONE && in->variables[variable].causality == FMI_PARAMETER &&
                            in->variables[variable].type == FMI_FLOAT64 && fmi_n_values(&in->variables[variable]) == n;
  *reference = is_available ? in->variables[variable].reference : 0;
  return is_available;
}

seam_status fmu_part_find_derivatives(fmu_part *self, const cosim_fmu_def *def, seam_error *error) {
  fmu_step_derivatives *exact = &self->exact;
  const fmi_description *in = self->description;
  if (!fits(self, def))
    return SEAM_OK;
  exact->row = calloc(def->n_inputs + def->n_outputs, sizeof *exact->row);
  if (exact->row == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for derivatives of an FMU");
  exact->column = exact->row + def->n_inputs;
  for (size_t i = 0; i < def->n_inputs; i++)
    exact->row[i] = rank_of(in, def->inputs[i], &exact->n_inputs);
  for (size_t i = 0; i < def->n_outputs; i++)
    exact->column[i] = rank_of(in, def->outputs[i], &exact->n_outputs);
  exact->values = calloc(n_values(exact) + 1, sizeof *exact->values);
  if (exact->values == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for derivatives of an FMU");
  const fmi_variable *array = &in->variables[fmi_find_variable(in, COSIM_FMU_DERIVATIVES_ARRAY)];
  if (fmi_n_values(array) != n_values(exact))
    return SEAM_OK;
  exact->degree = in->variables[fmi_find_variable(in, COSIM_FMU_DEGREE)].reference;
  exact->array = array->reference;
  exact->degree_in_fmu = exact->input_degree_in_fmu = NAN;
  exact->has_shapes = find_parameter(in, COSIM_FMU_SHAPES, COSIM_FMU_POWERS * COSIM_FMU_POWERS, &exact->shapes);
  exact->has_input_degree = find_parameter(in, COSIM_FMU_INPUT_DEGREE, 1, &exact->input_degree);
  exact->has_wanted = find_parameter(in, COSIM_FMU_WANTED, exact->n_outputs, &exact->wanted_outputs);
  exact->restores_discarded = exact->has_wanted; /* both come with version 1.2 of the layered standard (docs/fmi.md) */
  for (int k = 0; k < COSIM_FMU_POWERS; k++)
    exact->shape[k][k] = exact->step_shape[k][k] = 1;
  TRY(fmu_part_set_degree(self, -1, error));
  TRY(read_array(self, error));
  exact->is_available = true;
  for (int i = 0; i < self->base.n_inputs && exact->is_available; i++) /* the FMU gives NaN for inputs that laws read */
    for (int o = 0; o < self->base.n_outputs; o++)
      exact->is_available =
          exact->is_available && (!self->is_connected[i] || isfinite(values_of(exact, i, 0)[exact->column[o]]));
  self->base.gives_derivatives = self->base.gives_nodes = self->base.of_one_piece = exact->is_available;
  return SEAM_OK;
}

/* ---- Wanted outputs, of FMUs whose outputs do not change between steps ---- */

bool fmu_part_set_wanted_outputs(cosim_part *base, const bool *wanted) {
  fmu_part *self = (fmu_part *)base;
  const fmu_step_derivatives *exact = &self->exact;
  double *values = exact->values; /* scratch, with space for all outputs */
  if (!exact->is_available || !exact->has_wanted || self->has_held || fmu_part_has_event_mode(self->description))
    return false;
  self->n_wanted = 0;
  memset(values, 0, exact->n_outputs * sizeof *values);
  for (int i = 0; i < base->n_outputs; i++) {
    if (!wanted[i] && !(self->is_integral != NULL && self->is_integral[i]))
      continue;
    values[exact->column[i]] = 1;
    self->wanted_outputs[self->n_wanted] = self->outputs[i];
    self->wanted[self->n_wanted++] = i;
  }
  fmi_instance_set_reals(self->instance, &exact->wanted_outputs, 1, values, exact->n_outputs, &self->failed);
  return true;
}

/* ---- Derivatives ---- */

static bool are_equal(const double *a, const double *b, int n) { return memcmp(a, b, (size_t)n * sizeof *a) == 0; }

seam_status fmu_part_set_degree(fmu_part *self, int degree, seam_error *error) {
  enum { N = COSIM_FMU_POWERS * COSIM_FMU_POWERS };
  fmu_step_derivatives *exact = &self->exact;
  const double value = degree;
  if (degree >= 0 && !are_equal(&exact->shape[0][0], &exact->step_shape[0][0], N)) {
    memcpy(exact->shape, exact->step_shape, sizeof exact->shape);
    TRY(fmi_instance_set_reals(self->instance, &exact->shapes, 1, &exact->shape[0][0], N, error));
  }
  if (exact->degree_in_fmu == value)
    return SEAM_OK;
  exact->degree_in_fmu = value;
  return fmi_instance_set_reals(self->instance, &exact->degree, 1, &value, 1, error);
}

seam_status fmu_part_set_input_degree(fmu_part *self, bool are_polynomials, seam_error *error) {
  int degree = 0;
  for (int i = 0; i < self->base.n_inputs && are_polynomials; i++)
    if (self->is_connected[i])
      degree = fmu_part_signal_degree(&self->now[i]) > degree ? fmu_part_signal_degree(&self->now[i]) : degree;
  const double value = degree;
  if (self->exact.input_degree_in_fmu == value)
    return SEAM_OK;
  self->exact.input_degree_in_fmu = value;
  return fmi_instance_set_reals(self->instance, &self->exact.input_degree, 1, &value, 1, error);
}

static void use_powers(fmu_step_derivatives *exact) {
  memset(exact->step_shape, 0, sizeof exact->step_shape);
  for (int k = 0; k < COSIM_FMU_POWERS; k++)
    exact->step_shape[k][k] = 1;
}

/* Returns the index of the shape that equals a seed, among n shapes; n: no shape does. */
static int shape_of(double shapes[][COSIM_FMU_POWERS], int n, const cosim_signal *seed) {
  int k = 0;
  while (k < n && !are_equal(shapes[k], seed->c[0], COSIM_FMU_POWERS))
    k++;
  return k;
}

int fmu_part_choose_shapes(fmu_part *self, const cosim_step *step) {
  fmu_step_derivatives *exact = &self->exact;
  double shapes[COSIM_FMU_POWERS][COSIM_FMU_POWERS] = {{0}};
  int degree = 0, n = 0;
  for (int i = 0; i < self->base.n_inputs; i++)
    if (self->is_connected[i] && step->inputs[i].n_pieces > 1)
      return -1;
  for (int d = 0; d < step->n_seeds; d++) {
    const cosim_signal *seed = &step->seeds[d].signal;
    if (!is_representable(seed))
      return -1;
    degree = fmu_part_signal_degree(seed) > degree ? fmu_part_signal_degree(seed) : degree;
    if (n <= degree && shape_of(shapes, n, seed) == n)
      memcpy(shapes[n++], seed->c[0], sizeof *shapes);
  }
  use_powers(exact);
  if (!exact->has_shapes || n > degree)
    return degree;
  memcpy(exact->step_shape, shapes, sizeof shapes);
  return n - 1;
}

/* Adds `factor` times the derivatives along a shape. */
static void add_along_shape(const fmu_part *self, int input, int shape, double factor, double *derivatives) {
  const double *from = values_of(&self->exact, input, shape);
  factor /= fmu_part_factor(self->input_unit[input]);
  for (const int *o = self->wanted; o < self->wanted + self->n_wanted; o++)
    derivatives[*o] += factor * fmu_part_factor(self->output_unit[*o]) * from[self->exact.column[*o]];
}

seam_status fmu_part_read_derivatives(fmu_part *self, const cosim_step *step, double to, double *derivatives,
                                      size_t stride, seam_error *error) {
  fmu_step_derivatives *exact = &self->exact;
  const int n = (int)exact->degree_in_fmu + 1;
  seam_error cause;
  const seam_status status = read_array(self, &cause);
  if (status != SEAM_OK)
    return seam_fail(error, status, "t = %.9g s: %s", step->t + to * step->H, cause.message);
  for (int d = 0; d < step->n_seeds; d++, derivatives += stride) {
    double c[COSIM_FMU_POWERS];
    const int shape = to < 1 ? n : shape_of(exact->shape, n, &step->seeds[d].signal);
    memset(derivatives, 0, (size_t)self->base.n_outputs * sizeof *derivatives);
    if (shape < n && is_representable(&step->seeds[d].signal)) {
      add_along_shape(self, step->seeds[d].input, shape, 1, derivatives);
      continue;
    }
    const cosim_signal part = to < 1 ? cosim_signal_between(&step->seeds[d].signal, 0, to) : step->seeds[d].signal;
    project(&part, c);
    for (int k = 0; k < COSIM_FMU_POWERS; k++)
      if (c[k] != 0)
        add_along_shape(self, step->seeds[d].input, k, c[k], derivatives);
  }
  return SEAM_OK;
}

seam_status fmu_part_try_derivatives(fmu_part *self, const cosim_step *step, double *derivatives, seam_error *error) {
  const size_t n = (size_t)self->base.n_outputs;
  TRY(fmi_instance_save(self->instance, &self->exact.state, error));
  use_powers(&self->exact);
  TRY(fmu_part_set_degree(self, DEGREE, error));
  for (int k = 0; k <= step->n_nodes; k++) {
    const double to = k < step->n_nodes ? step->nodes[k] : 1;
    fmi_step_end end = {0};
    for (int i = 0; i < self->base.n_inputs; i++) {
      double c[COSIM_FMU_POWERS];
      if (!self->is_connected[i])
        continue;
      self->now[i] = cosim_signal_between(&step->inputs[i], 0, to);
      if (self->now[i].n_pieces == 1)
        continue;
      project(&self->now[i], c);
      self->now[i] = (cosim_signal){.n_pieces = 1};
      memcpy(self->now[i].c[0], c, sizeof c);
    }
    self->t = step->t;
    self->H = to * step->H;
    TRY(fmu_part_set_step_inputs(self, error));
    self->knows_inputs = false;
    TRY(fmi_instance_step(self->instance, self->t, self->H, fmu_part_is_final(self, step->t, step->t), &end, error));
    if (end.is_discarded)
      return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: the FMU discards its step of %g s", self->t, self->H);
    TRY(fmu_part_read_derivatives(self, step, to, derivatives + (size_t)k * n, ((size_t)step->n_nodes + 1) * n, error));
    TRY(fmi_instance_restore(self->instance, self->exact.state, error));
  }
  return SEAM_OK;
}
