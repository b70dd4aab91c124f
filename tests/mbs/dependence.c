/* What quantities are functions of: nothing else in a state changes them. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/output/readout.h"
#include "tests/support/measures.h"

static seam_error error;

typedef struct tried {
  mechanism m;
  mbs_state *from;
  mbs_dependence on;
  mbs_readout *readout;
  double value;
  mbs_quantity quantity;
} tried;

/* Whether the value is another one now; takes the state back. */
static bool is_changed(tried *t) {
  double value = NAN;
  mbs_read(t->readout, t->m.ws, t->m.state, &value);
  mbs_state_copy(t->m.state, t->from);
  return value != t->value;
}

static void scale(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] = 1.25 * x[i] + 0.5;
}

static const char *name_of(const tried *t) { return mbs_quantity_of(t->m.model, t->quantity).name; }
static const char *element_of(const tried *t) { return mbs_quantity_of(t->m.model, t->quantity).element; }

/* Returns how many of the marks made a difference. */
static int expect_marked(tried *t) {
  const mbs_model *model = t->m.model;
  int n = 0;
  for (int b = 0; b < model->n_bodies && !t->on.of_energies; b++) {
    scale(t->m.state->q + 3 * b, 3);
    scale(t->m.state->v + 3 * b, 3);
    const bool is_body = is_changed(t);
    cr_expect(!is_body || t->on.bodies[b], "%s.%s, body %d", element_of(t), name_of(t), b);
    n += is_body;
  }
  scale(t->m.state->a, 3 * model->n_bodies);
  scale(t->m.state->lambda, model->n_rows);
  const bool follows = is_changed(t);
  cr_expect(!follows || t->on.needs_dynamics, "%s.%s follows from forces", element_of(t), name_of(t));
  scale(t->m.state->z, model->n_states - model->switching.n_modes);
  const bool of_states = is_changed(t);
  cr_expect(!of_states || t->on.of_states, "%s.%s depends on states", element_of(t), name_of(t));
  return n + follows + of_states;
}

static int expect_marked_all(mechanism m) {
  tried t = {.m = m, .from = new_state(m.model)};
  int n = 0;
  t.on.bodies = calloc((size_t)m.model->n_bodies + 1, sizeof *t.on.bodies);
  t.on.forces = calloc((size_t)m.model->n_forces + 1, sizeof *t.on.forces);
  mbs_state_copy(t.from, m.state);
  for (mbs_owner owner = MBS_WHOLE; owner < MBS_OWNERS; owner++)
    for (size_t e = 0; e < mbs_n_elements(m.model, owner); e++)
      for (size_t i = 0; i < mbs_n_quantities(m.model, owner, e); i++) {
        t.quantity = (mbs_quantity){owner, e, i};
        t.on = (mbs_dependence){.bodies = t.on.bodies, .forces = t.on.forces};
        memset(t.on.bodies, 0, (size_t)m.model->n_bodies * sizeof *t.on.bodies);
        mbs_add_dependence(m.model, t.quantity, &t.on);
        cr_assert_eq(mbs_readout_create(m.model, &t.quantity, 1, &t.readout, &error), SEAM_OK, "%s", error.message);
        mbs_read(t.readout, m.ws, m.state, &t.value);
        n += expect_marked(&t);
        mbs_readout_destroy(t.readout);
      }
  free(t.on.bodies);
  free(t.on.forces);
  mbs_state_destroy(t.from);
  mechanism_free(&m);
  return n;
}

Test(dependence, of_all_quantities_is_complete) {
  for (int seed = 1; seed <= 10; seed++) {
    mechanism m = random_mechanism((uint64_t)seed);
    cr_assert_eq(mbs_evaluate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
    cr_expect_gt(expect_marked_all(m), 50, "seed %d", seed);
  }
}

Test(dependence, of_cylinders_is_complete) {
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  cr_expect_gt(expect_marked_all(m), 20);
}

Test(dependence, of_drive_trains_is_complete) { cr_expect_gt(expect_marked_all(drive_train()), 20); }

Test(dependence, of_each_kind_of_measure_is_complete) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){1, 2, 0.5});
  add_body(builder, "b", 1, 1, (double[3]){2, 1, 0.3});
  add_joint(builder, "hinge", MBS_REVOLUTE, "a", "b", (double[2]){1.5, 1.5});
  add_point(builder, "tip", "a", 1, 0, "b");
  add_between(builder, "gap", (const char *const[2]){"a", "b"}, (double[4]){1, 0, 2, 3});
  add_set(builder, "both", (const char *const[2]){"a", "b"}, 2);
  mbs_measure_def bearing = mbs_default_measure_def();
  bearing.name = "bearing";
  bearing.kind = MBS_REACTION;
  bearing.joint = "hinge";
  bearing.axes = "b";
  add_measure(builder, &bearing);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  cr_expect_gt(expect_marked_all(m), 50);
}

/* Through measures of measures. */
Test(dependence, of_measures_is_that_of_what_they_are_made_of) {
  mbs_builder *builder = new_builder();
  add_body(builder, "a", 1, 1, (double[3]){1, 2, 0.5});
  add_body(builder, "b", 1, 1, (double[3]){2, 1, 0.3});
  add_body(builder, "c", 1, 1, (double[3]){3, 1, 0.1});
  add_point(builder, "tip", "a", 1, 0, "b");
  const mbs_measure_def first = product_of("first", (const char *[2]){"tip.ax", "a.omega"});
  add_measure(builder, &first);
  const mbs_measure_def second = product_of("second", (const char *[2]){"first", "time"});
  add_measure(builder, &second);
  const mbs_measure_def third = product_of("third", (const char *[2]){"c.x", "tip.vx"});
  add_measure(builder, &third);
  mechanism m = mechanism_build(builder);
  static const struct {
    const char *name;
    bool bodies[3], follows;
  } rows[] = {{"second", {true, true, false}, true},
              {"third", {true, true, true}, false},
              {"tip.vy", {true, true, false}, false}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    bool bodies[3] = {false};
    bool forces[1];
    mbs_dependence on = {.bodies = bodies, .forces = forces};
    mbs_quantity quantity;
    cr_assert_eq(mbs_find_quantity(m.model, rows[i].name, &quantity, &error), SEAM_OK);
    mbs_add_dependence(m.model, quantity, &on);
    cr_expect_arr_eq(bodies, rows[i].bodies, sizeof bodies, "%s", rows[i].name);
    cr_expect_eq(on.needs_dynamics, rows[i].follows, "%s", rows[i].name);
  }
  mechanism_free(&m);
}
