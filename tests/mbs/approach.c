/* Which constraints head for a singular configuration, and when they get there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbs/dynamics/approach.h"
#include "tests/support/mechanisms.h"

static const double window = 0.05;
enum { n_straight = 500 };

/* Rods of a straight chain that turns with 1 rad/s about its pivot: d = 0.045 at its end, for ever. */
static void add_turning_chain(mbs_builder *builder) {
  char before[16] = "ground";
  for (int i = 0; i < n_straight; i++) {
    const double P[2] = {i, 0};
    const double Q[2] = {i + 1, 0};
    char name[16];
    char joint[16];
    snprintf(name, sizeof name, "rod%d", i);
    snprintf(joint, sizeof joint, "J%d", i);
    add_rod(builder, name, P, Q, 1);
    add_joint(builder, joint, MBS_REVOLUTE, before, name, P);
    snprintf(before, sizeof before, "%s", name);
  }
}

/* Cranks of 1 m that turn with 1 rad/s, `angle` away from their flat pose. */
static void add_parallelogram(mbs_builder *builder, double angle) {
  const double A[2] = {0, 5};
  const double B[2] = {2, 5};
  const double P[2] = {cos(angle), 5 + sin(angle)};
  const double Q[2] = {2 + cos(angle), 5 + sin(angle)};
  add_rod(builder, "left", A, P, 1);
  add_rod(builder, "right", B, Q, 1);
  add_rod(builder, "coupler", P, Q, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", A);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", B);
  add_joint(builder, "P", MBS_REVOLUTE, "left", "coupler", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "right", "coupler", Q);
}

static void set_rates(mechanism *m, int n_rods, double angle) {
  double *v = m->state->v;
  for (int i = 0; i < n_rods; i++, v += 3) {
    v[1] = i + 0.5;
    v[2] = 1;
  }
  for (int i = 0; i < 3; i++) {
    v[3 * i] = -sin(angle) / (i < 2 ? 2 : 1);
    v[3 * i + 1] = cos(angle) / (i < 2 ? 2 : 1);
    v[3 * i + 2] = i < 2;
  }
}

/* With a chain or without. */
static mechanism parallelogram(bool with_chain, double angle) {
  mbs_builder *builder = new_builder();
  if (with_chain)
    add_turning_chain(builder);
  add_parallelogram(builder, angle);
  mechanism m = mechanism_build(builder);
  set_rates(&m, with_chain ? n_straight : 0, angle);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_OK, "%s", m.error.message);
  return m;
}

static bool is_of_parallelogram(const mechanism *m, int row) {
  const char *name = m->model->joints[m->model->joint_of_row[row]].name;
  return name[1] == '\0' && strchr("ABPQ", name[0]) != NULL;
}

static void expect_time(bool with_chain, double angle, double h) {
  mechanism m = parallelogram(with_chain, angle);
  mbs_approach found;
  cr_assert(mbs_find_approach(m.ws, m.state, window, h, &found), "at %g", angle);
  cr_expect(is_of_parallelogram(&m, found.row), "row %d", found.row);
  cr_expect_float_eq(found.time_left, -angle, 0.01 * fabs(angle), "at %g: %g s", angle, found.time_left);
  cr_expect(mbs_is_approach(m.ws, m.state, m.state->a, &found));
  const mbs_approach again = mbs_approach_of(m.ws, found.row, m.state);
  cr_expect_float_eq(again.time_left, -angle, 0.01 * fabs(angle));
  cr_expect_float_eq(again.d, found.d, 1e-12);
  mechanism_free(&m);
}

Test(approach, a_parallelogram_knows_when_it_is_flat) {
  expect_time(false, -0.001, 1e-4);
  expect_time(false, -0.005, 1e-2);
  expect_time(false, 0.005, -1e-2);
}

Test(approach, what_is_always_small_hides_no_approach) { expect_time(true, -0.005, 1e-2); }

Test(approach, what_is_always_small_approaches_nothing) {
  mechanism m = parallelogram(true, 1);
  mbs_approach found;
  double weakest = 1;
  seam_ldl_smallest_quotient(m.ws->solver, &weakest);
  cr_expect_lt(weakest, window * window);
  cr_expect_not(mbs_find_approach(m.ws, m.state, window, 1e-2, &found), "row %d in %g s", found.row, found.time_left);
  mechanism_free(&m);
}

/* Steps of a thousandth of T: some of them need a look, but few. */
Test(approach, short_steps_are_looked_at_now_and_then) {
  int looks = 0;
  for (int i = 0; i < 100; i++) {
    mechanism m = parallelogram(false, -0.005 + 5e-6 * i);
    mbs_approach found;
    looks += mbs_find_approach(m.ws, m.state, window, 5e-6, &found);
    mechanism_free(&m);
  }
  cr_expect(looks >= 1 && looks <= 3, "%d", looks);
}

Test(approach, what_goes_away_or_rests_approaches_nothing) {
  mechanism m = parallelogram(false, 0.005);
  mbs_approach found;
  cr_expect_not(mbs_find_approach(m.ws, m.state, window, INFINITY, &found));
  mbs_evaluate(m.ws, m.state, NULL);
  memset(m.state->v, 0, 9 * sizeof *m.state->v);
  cr_expect_not(mbs_find_approach(m.ws, m.state, window, INFINITY, &found));
  mechanism_free(&m);
}
