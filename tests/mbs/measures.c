/* Measures of measures, what is refused, and who owns what. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/measures.h"

static seam_error error;

static mechanism with_expressions(void) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){1, 2, 0.5});
  add_point(builder, "tip", "a", 1, 0, NULL);
  mbs_measure_def first = product_of("first", (const char *[2]){"tip.x", "a.omega"});
  add_measure(builder, &first);
  mbs_measure_def second = product_of("second", (const char *[2]){"first", "time"});
  add_measure(builder, &second);
  mbs_measure_def alias = mbs_default_measure_def();
  alias.name = "alias";
  alias.kind = MBS_EXPRESSION;
  alias.inputs = (const char *[1]){"tip.vy"};
  alias.n_inputs = 1;
  add_measure(builder, &alias);
  return mechanism_build(builder);
}

Test(measures, measures_of_measures) {
  mechanism m = with_expressions();
  memcpy(m.state->v, (double[3]){0, 1, 3}, 3 * sizeof(double));
  m.state->t = 2;
  cr_expect_float_eq(read_one(&m, "second"), 2 * 3 * (1 + cos(0.5)), 1e-14);
  cr_expect_eq(read_one(&m, "alias"), read_one(&m, "tip.vy"));
  const mbs_quantity_info alias = mbs_quantity_of(m.model, (mbs_quantity){MBS_MEASURES, 3, 0});
  cr_expect_str_eq(alias.unit, "m/s");
  cr_expect_str_eq(alias.element, "alias");
  cr_expect_str_eq(alias.name, "");
  cr_expect_str_eq(mbs_quantity_of(m.model, (mbs_quantity){MBS_MEASURES, 1, 0}).unit, "W");
  cr_expect_eq(mbs_find_measure(m.model, "second"), 2);
  cr_expect_eq(mbs_find_measure(m.model, "a"), SEAM_NONE);
  mechanism_free(&m);
}

static void expect_bad(mbs_builder *builder, const mbs_measure_def *def, const char *message) {
  cr_expect_eq(mbs_add_measure(builder, def, &error), SEAM_BAD_INPUT, "%s", message);
  cr_expect_str_eq(error.message, message, "%s", error.message);
}

Test(measures, measures_that_are_refused) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){0, 0, 0});
  mbs_measure_def def = {.name = "m"};
  expect_bad(builder, &def, "measure definition is not initialised: start from its default");
  def = mbs_default_measure_def();
  expect_bad(builder, &def, "a measure has no name: give it one");
  def.name = "a";
  expect_bad(builder, &def,
             "measure 'a': the name is taken: names are unique among bodies, joints, forces and measures");
  def.name = "time";
  expect_bad(builder, &def, "measure 'time': 'time' and 'energy' are reserved: choose another name");
  def.name = "m";
  expect_bad(builder, &def, "measure 'm' names 0 bodies, but its type needs 1");
  def.bodies = (const char *[2]){"a", "ground"};
  def.n_bodies = 1;
  def.at[0].position[0] = NAN;
  expect_bad(builder, &def, "measure 'm': its place is not finite");
  def.at[0].position[0] = 0;
  def.axes = "b";
  expect_bad(builder, &def, "measure 'm': body 'b' is not defined: add it first");
  def.axes = NULL;
  def.joint = "j";
  expect_bad(builder, &def, "measure 'm': only a reaction takes a joint; leave it out");
  def.joint = NULL;
  def.unit = "N";
  expect_bad(builder, &def, "measure 'm' takes no function, inputs or unit: only an expression has them");
  def.unit = NULL;
  def.kind = MBS_SET;
  def.n_bodies = 2;
  expect_bad(builder, &def, "measure 'm': the ground has no mass: leave it out");
  def.kind = MBS_REACTION;
  def.n_bodies = 0;
  expect_bad(builder, &def, "measure 'm': joint '' is not defined: add it first");
  def.kind = MBS_EXPRESSION;
  expect_bad(builder, &def, "measure 'm' has no function: give it one, or a single input");
  def = product_of("m", (const char *[2]){"a.x", "a.w"});
  expect_bad(builder, &def,
             "unknown quantity 'a.w'; 'a' offers x, y, phi, vx, vy, omega, ax, ay, alpha, kinetic, "
             "potential");
  def.function.change = NULL;
  expect_bad(builder, &def,
             "measure 'm': its function has value() but no change(): set change(), which gives the derivative");
  def.kind = (mbs_measure_kind)77;
  expect_bad(builder, &def, "measure 'm': there is no kind 77: take one of <seam/mbs.h>");
  mbs_builder_destroy(builder);
}

static void count(void *data) { ++*(int *)data; }

/* Whatever becomes of the definition. */
Test(measures, functions_are_destroyed_once) {
  int n = 0;
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){0, 0, 0});
  mbs_measure_def def = product_of("m", (const char *[2]){"a.x", "a.y"});
  def.function.destroy = count;
  def.function.data = &n;
  add_measure(builder, &def);
  cr_expect_eq(n, 0);
  cr_expect_eq(mbs_add_measure(builder, &def, NULL), SEAM_BAD_INPUT);
  cr_expect_eq(n, 1);
  mechanism m = mechanism_build(builder);
  mechanism_free(&m);
  cr_expect_eq(n, 2);
}
