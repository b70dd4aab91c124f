#include "tests/support/laws.h"

#include <criterion/criterion.h>
#include <math.h>

static double sum(const void *data, const double *x) {
  const coefficients *l = data;
  double y = 0;
  for (size_t i = 0; i < l->n; i++)
    y += l->c[i] * x[i];
  return y;
}

static double change_of_sum(const void *data, const double *x, const double *dx) {
  (void)x;
  return sum(data, dx);
}

static double friction(const void *data, const double *x) {
  const coefficients *l = data;
  return l->c[0] * fabs(x[0]) * tanh(x[1] / l->c[1]);
}

static double change_of_friction(const void *data, const double *x, const double *dx) {
  const coefficients *l = data;
  const double th = tanh(x[1] / l->c[1]);
  return l->c[0] * ((x[0] < 0 ? -dx[0] : dx[0]) * th + fabs(x[0]) * (1 - th * th) / l->c[1] * dx[1]);
}

static double sine_product(const void *data, const double *x) { return sin(x[0]) * x[1] + sum(data, x); }

static double change_of_sine_product(const void *data, const double *x, const double *dx) {
  return cos(x[0]) * dx[0] * x[1] + sin(x[0]) * dx[1] + sum(data, dx);
}

mbs_function linear_of(coefficients *l) { return (mbs_function){.value = sum, .change = change_of_sum, .data = l}; }

mbs_function friction_of(coefficients *l) {
  return (mbs_function){.value = friction, .change = change_of_friction, .data = l};
}

mbs_function curved(coefficients *l) {
  return (mbs_function){.value = sine_product, .change = change_of_sine_product, .data = l};
}

void add_law(mbs_builder *builder, const char *force, int component, const char *const *inputs, size_t n,
             mbs_function function) {
  seam_error error = {0};
  mbs_law_def def = mbs_default_law_def();
  def.force = force;
  def.component = component;
  def.inputs = inputs;
  def.n_inputs = n;
  def.function = function;
  cr_assert_eq(mbs_add_law(builder, &def, &error), SEAM_OK, "%s", error.message);
}

void add_variable(mbs_builder *builder, const char *name, double start, double sample) {
  seam_error error = {0};
  mbs_variable_def def = mbs_default_variable_def();
  def.name = name;
  def.start = start;
  def.sample = sample;
  cr_assert_eq(mbs_add_variable(builder, &def, &error), SEAM_OK, "%s", error.message);
}

void set_rate(mbs_builder *builder, const char *name, const char *const *inputs, size_t n, mbs_function function) {
  seam_error error = {0};
  cr_assert_eq(mbs_set_rate(builder, name, inputs, n, &function, &error), SEAM_OK, "%s", error.message);
}

void add_open(mbs_builder *builder, const char *name, mbs_force_kind kind, const char *first, const char *second,
              const double P[2]) {
  const char *bodies[2];
  mbs_force_def def = force_between(name, kind, bodies, first, second, P);
  def.law_is_state_dependent = true;
  add_force(builder, &def);
}
