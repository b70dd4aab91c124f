/* Measures and quantities in tests of the engine. A failure here fails the test. */
#ifndef TESTS_SUPPORT_MEASURES_H
#define TESTS_SUPPORT_MEASURES_H

#include <math.h>

#include <seam/measures.h>

#include "tests/support/mechanisms.h"

static inline double read_one(mechanism *m, const char *name) {
  seam_error error = {0};
  mbs_quantity quantity;
  mbs_readout *readout = NULL;
  double value = NAN;
  cr_assert_eq(mbs_find_quantity(m->model, name, &quantity, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_readout_create(m->model, &quantity, 1, &readout, &error), SEAM_OK, "%s", error.message);
  mbs_read(readout, m->ws, m->state, &value);
  mbs_readout_destroy(readout);
  return value;
}

static inline void add_measure(mbs_builder *builder, const mbs_measure_def *def) {
  seam_error error = {0};
  cr_assert_eq(mbs_add_measure(builder, def, &error), SEAM_OK, "%s", error.message);
}

static inline void add_point(mbs_builder *builder, const char *name, const char *body, double x, double y,
                             const char *axes) {
  mbs_measure_def def = mbs_default_measure_def();
  def.name = name;
  def.kind = MBS_POINT;
  def.bodies = &body;
  def.n_bodies = 1;
  def.at[0] = (mbs_marker_def){MBS_BODY, {x, y}};
  def.axes = axes;
  add_measure(builder, &def);
}

static inline void add_between(mbs_builder *builder, const char *name, const char *const bodies[2],
                               const double at[4]) {
  mbs_measure_def def = mbs_default_measure_def();
  def.name = name;
  def.kind = MBS_BETWEEN;
  def.bodies = bodies;
  def.n_bodies = 2;
  def.at[0] = (mbs_marker_def){MBS_BODY, {at[0], at[1]}};
  def.at[1] = (mbs_marker_def){MBS_BODY, {at[2], at[3]}};
  add_measure(builder, &def);
}

static inline void add_set(mbs_builder *builder, const char *name, const char *const *bodies, size_t n) {
  mbs_measure_def def = mbs_default_measure_def();
  def.name = name;
  def.kind = MBS_SET;
  def.bodies = bodies;
  def.n_bodies = n;
  add_measure(builder, &def);
}

static inline double product(const void *data, const double *x) {
  (void)data;
  return x[0] * x[1];
}

static inline double change_of_product(const void *data, const double *x, const double *dx) {
  (void)data;
  return dx[0] * x[1] + x[0] * dx[1];
}

static inline mbs_measure_def product_of(const char *name, const char *const inputs[2]) {
  mbs_measure_def def = mbs_default_measure_def();
  def.name = name;
  def.kind = MBS_EXPRESSION;
  def.inputs = inputs;
  def.n_inputs = 2;
  def.function = (mbs_function){.value = product, .change = change_of_product};
  def.unit = "W";
  return def;
}

#endif
