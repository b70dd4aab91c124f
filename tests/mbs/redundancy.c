/* Redundant constraints: found, named, without influence on the motion, their reactions of least norm; and what happens
 * where a mechanism becomes singular. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mbs/dynamics/assembly.h"
#include "mbs/stages/stages.h"
#include "tests/support/dense.h"
#include "tests/support/engine.h"

static const double origin[2] = {0, 0};

/* ---- Mechanisms, with or without what is redundant ---- */

/* A platform on three parallel cranks hangs aside. The third holds it a second time, unless its head slides along it:
 * its angle then follows the others' all the same. */
static mechanism parallelogram(bool redundant) {
  static const char *const cranks[3] = {"left", "middle", "right"};
  static const char *const feet[3] = {"left foot", "middle foot", "right foot"};
  static const char *const heads[3] = {"left head", "middle head", "right head"};
  const double along[2] = {0.5, -1};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "platform", (double[2]){0.5, -1}, (double[2]){2.5, -1}, 1);
  for (int i = 0; i < 3; i++) {
    const double foot[2] = {i, 0};
    const double head[2] = {i + along[0], along[1]};
    add_rod(builder, cranks[i], foot, head, 1);
    add_joint(builder, feet[i], MBS_REVOLUTE, "ground", cranks[i], foot);
    if (i == 2 && !redundant)
      add_slot(builder, heads[i], cranks[i], "platform", head, along);
    else
      add_joint(builder, heads[i], MBS_REVOLUTE, cranks[i], "platform", head);
  }
  return mechanism_build(builder);
}

static mechanism door(bool redundant) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "door", origin, (double[2]){1, 0}, 20);
  add_joint(builder, "hinge", MBS_REVOLUTE, "ground", "door", origin);
  if (redundant)
    add_joint(builder, "second hinge", MBS_REVOLUTE, "ground", "door", origin);
  return mechanism_build(builder);
}

static const double weld_place[2] = {1.5, 1.2};
static const double second_weld_place[2] = {2, 1.3};

/* A four-bar whose coupler is welded of two bars, in one place or in two. */
static mechanism welded_four_bar(bool redundant) {
  const double P[2] = {0.5, 1};
  const double Q[2] = {2.5, 1.5};
  const double B[2] = {2, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "crank", origin, P, 1);
  add_rod(builder, "left half", P, weld_place, 1);
  add_rod(builder, "right half", weld_place, Q, 1);
  add_rod(builder, "rocker", B, Q, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", origin);
  add_joint(builder, "P", MBS_REVOLUTE, "crank", "left half", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "right half", "rocker", Q);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "rocker", B);
  add_joint(builder, "weld", MBS_FIXED, "left half", "right half", weld_place);
  if (redundant)
    add_joint(builder, "second weld", MBS_FIXED, "left half", "right half", second_weld_place);
  return mechanism_build(builder);
}

typedef mechanism make(bool redundant);

/* ---- Found and named ---- */

/* `names`: joint.residual of each redundant constraint, in one line. */
static void expect_found(make *of, size_t freedoms, const char *names) {
  mbs_assembly report;
  size_t redundant[32];
  char found[256] = "";
  mechanism m = of(true);
  cr_assert_eq(mbs_assemble(m.ws, m.state, &report, redundant, &m.error), SEAM_OK, "%s", m.error.message);
  for (size_t i = 0; i < report.n_redundant; i++)
    snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s.%s", i == 0 ? "" : ", ",
             mbs_joint_of(m.model, mbs_constraint_of(m.model, redundant[i]).joint).name,
             mbs_constraint_of(m.model, redundant[i]).name);
  cr_expect_str_eq(found, names);
  cr_expect_eq(report.degrees_of_freedom, freedoms);
  cr_expect_eq(report.rank + report.n_redundant, mbs_n_constraints(m.model));
  mechanism_free(&m);
}

Test(redundancy, the_third_crank_of_a_parallelogram_is_named) { expect_found(parallelogram, 1, "right head.g_y"); }

Test(redundancy, the_second_hinge_of_a_door_is_named) { expect_found(door, 1, "second hinge.g_x, second hinge.g_y"); }

Test(redundancy, the_second_weld_of_a_four_bar_is_named) {
  expect_found(welded_four_bar, 1, "second weld.g_x, second weld.g_y, second weld.g_phi");
}

/* Angles count as much as lengths, in all units of length: of a motor and a weld on a rod of length L. */
Test(redundancy, an_angle_is_not_redundant_beside_large_or_small_lengths) {
  static const double lengths[] = {1e-9, 1e-6, 1e6, 2e7, 1e8, 1e12};
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    const double L = lengths[i];
    const double end[2] = {L, 0};
    const double steady[2] = {0, 5 / L};
    mbs_assembly report;
    mbs_builder *builder = new_builder();
    add_rod(builder, "crank", origin, end, 1);
    add_rod(builder, "second", end, (double[2]){L, L}, 1);
    add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", origin);
    add_motion(builder, "motor", MBS_OF_ANGLE, "ground", "crank", law_of_steady_motion(steady));
    add_joint(builder, "B", MBS_FIXED, "crank", "second", end);
    mechanism m = mechanism_build(builder);
    cr_assert_eq(mbs_assemble(m.ws, m.state, &report, NULL, &m.error), SEAM_OK, "%g m: %s", L, m.error.message);
    cr_expect_eq(report.n_redundant, 0, "%g m", L);
    cr_expect_float_eq(m.state->v[2] * L, 5, 1e-9, "%g m", L);
    mechanism_free(&m);
  }
}

Test(redundancy, nothing_is_redundant_without_them) {
  make *const all[] = {parallelogram, door, welded_four_bar};
  for (size_t i = 0; i < 3; i++) {
    mbs_assembly report;
    mechanism m = all[i](false);
    cr_assert_eq(mbs_assemble(m.ws, m.state, &report, NULL, NULL), SEAM_OK);
    cr_expect_eq(report.n_redundant, 0);
    cr_expect_eq(report.degrees_of_freedom, 1);
    mechanism_free(&m);
  }
}

Test(redundancy, redundant_constraints_that_contradict_each_other_are_refused) {
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  add_joint_in_bodies(builder, "hinge", MBS_REVOLUTE, "ground", origin, "b", origin);
  add_joint_in_bodies(builder, "other", MBS_REVOLUTE, "ground", (double[2]){0.1, 0}, "b", origin);
  mechanism m = mechanism_build(builder);
  cr_expect_eq(mbs_assemble(m.ws, m.state, NULL, NULL, &m.error), SEAM_NOT_ASSEMBLED, "%s", m.error.message);
  mechanism_free(&m);
}

/* Two laws for one coordinate, equal at the start only. */
static void expect_contradiction(const char *method) {
  static const double steady[2] = {1, 0};
  static const double wave[3] = {0, 1, 2};
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
  add_motion(builder, "one", MBS_OF_X, "b", "ground", law_of_steady_motion(steady));
  add_motion(builder, "two", MBS_OF_X, "b", "ground", law_of_time(wave));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-8, 0);
  cr_expect_eq(mbs_integrator_advance(integrator, 0.5, m.state, &m.error), SEAM_CONSTRAINT_LOST, "%s", method);
  cr_expect_not_null(strstr(m.error.message, "joint 'two'"), "%s: %s", method, m.error.message);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(redundancy, laws_that_come_to_contradict_each_other_end_the_run) {
  expect_contradiction("erk");
  expect_contradiction("radau");
  expect_contradiction("ida");
  expect_contradiction("cvode");
}

/* ---- Motion ---- */

/* With and without what is redundant the bodies are at the same places, and every constraint is met. */
static void expect_same_motion(make *of, const char *method, double tolerance) {
  mechanism with = of(true);
  mechanism without = of(false);
  mechanism_assemble(&with);
  mechanism_assemble(&without);
  mbs_integrator *first = mechanism_start_by(&with, method, tolerance, 0);
  mbs_integrator *second = mechanism_start_by(&without, method, tolerance, 0);
  double worst = 0;
  for (int i = 1; i <= 10; i++) {
    mechanism_advance(&with, first, 0.1 * i);
    mechanism_advance(&without, second, 0.1 * i);
    for (size_t k = 0; k < 3 * mbs_n_bodies(with.model); k++)
      worst = fmax(worst, fabs(with.state->q[k] - without.state->q[k]));
    cr_expect_lt(mechanism_residual(&with), 1e-9, "%.2e", mechanism_residual(&with));
  }
  cr_expect_lt(worst, 1e-9, "%.2e", worst);
  mbs_integrator_destroy(first);
  mbs_integrator_destroy(second);
  mechanism_free(&with);
  mechanism_free(&without);
}

#define SAME_MOTION(of, method, tolerance)                                                                             \
  Test(redundancy, a_redundant_##of##_moves_as_one_without_by_##method) { expect_same_motion(of, #method, tolerance); }

SAME_MOTION(parallelogram, erk, 1e-11)
SAME_MOTION(parallelogram, radau, 1e-11)
SAME_MOTION(parallelogram, ida, 1e-13)
SAME_MOTION(parallelogram, cvode, 1e-13)
SAME_MOTION(door, erk, 1e-11)
SAME_MOTION(door, radau, 1e-11)
SAME_MOTION(door, ida, 1e-13)
SAME_MOTION(door, cvode, 1e-13)
SAME_MOTION(welded_four_bar, erk, 1e-11)
SAME_MOTION(welded_four_bar, radau, 1e-11)
SAME_MOTION(welded_four_bar, ida, 1e-13)
SAME_MOTION(welded_four_bar, cvode, 1e-13)

/* ---- Reactions ---- */

static mechanism moved(make *of, bool redundant, const char *method) {
  mechanism m = of(redundant);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-11, 0);
  mechanism_advance(&m, integrator, 0.3);
  mbs_integrator_destroy(integrator);
  return m;
}

static void expect_least_norm(make *of, const char *method) {
  double solution[MAX_UNKNOWNS];
  mechanism m = moved(of, true, method);
  const int n = 3 * m.model->n_bodies;
  solve_dense(&m, solution);
  const double size = largest_of(solution + n, m.model->n_rows);
  for (int i = 0; i < m.model->n_rows; i++)
    cr_expect_float_eq(m.state->lambda[i], solution[n + i], 1e-10 * size, "%s: lambda[%d] is %.15g, not %.15g", method,
                       i, m.state->lambda[i], solution[n + i]);
  mechanism_free(&m);
}

static void expect_least_norm_by_all(make *of) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (int i = 0; i < 4; i++)
    expect_least_norm(of, methods[i]);
}

Test(redundancy, reactions_of_a_parallelogram_are_the_least) { expect_least_norm_by_all(parallelogram); }

Test(redundancy, reactions_of_a_door_are_the_least) { expect_least_norm_by_all(door); }

Test(redundancy, reactions_of_a_welded_four_bar_are_the_least) { expect_least_norm_by_all(welded_four_bar); }

Test(redundancy, two_hinges_of_a_door_carry_half_each) {
  double one[3];
  double half[2][3];
  mechanism with = moved(door, true, "erk");
  mechanism without = moved(door, false, "erk");
  mbs_reaction(without.ws, without.state, 0, one);
  for (size_t k = 0; k < 2; k++) {
    mbs_reaction(with.ws, with.state, k, half[k]);
    for (int i = 0; i < 3; i++)
      cr_expect_float_eq(half[k][i], one[i] / 2, 1e-6, "hinge %zu, component %d", k, i);
  }
  cr_expect_gt(hypot(one[0], one[1]), 100);
  mechanism_free(&with);
  mechanism_free(&without);
}

/* A mechanism at rest in its equilibrium has the reactions of the motion that it then does not make. */
static void expect_static_reactions(make *of) {
  mechanism m = of(true);
  double lambda[MAX_UNKNOWNS];
  const size_t n = mbs_n_constraints(m.model);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, NULL, NULL, &m.error), SEAM_OK, "%s", m.error.message);
  memcpy(lambda, m.state->lambda, n * sizeof *lambda);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_OK, "%s", m.error.message);
  const double size = largest_of(lambda, (int)n);
  for (size_t i = 0; i < n; i++)
    cr_expect_float_eq(lambda[i], m.state->lambda[i], 1e-9 * size, "lambda[%zu] is %.15g, not %.15g", i, lambda[i],
                       m.state->lambda[i]);
  mechanism_free(&m);
}

Test(redundancy, static_reactions_are_the_least_too) {
  expect_static_reactions(parallelogram);
  expect_static_reactions(door);
}

/* Adds a wrench at the point r to `sum` about the point `about`. */
static void add_wrench(double sum[3], const double wrench[3], const double r[2], const double about[2]) {
  sum[0] += wrench[0];
  sum[1] += wrench[1];
  sum[2] += wrench[2] + (r[0] - about[0]) * wrench[1] - (r[1] - about[1]) * wrench[0];
}

/* At the start, where both welds are still in their places. */
Test(redundancy, two_welds_carry_together_what_one_carries) {
  double one[3];
  double part[3];
  double sum[3] = {0};
  mechanism with = welded_four_bar(true);
  mechanism without = welded_four_bar(false);
  mechanism_assemble(&with);
  mechanism_assemble(&without);
  mbs_reaction(without.ws, without.state, mbs_find_joint(without.model, "weld"), one);
  mbs_reaction(with.ws, with.state, mbs_find_joint(with.model, "weld"), part);
  add_wrench(sum, part, weld_place, weld_place);
  mbs_reaction(with.ws, with.state, mbs_find_joint(with.model, "second weld"), part);
  add_wrench(sum, part, second_weld_place, weld_place);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(sum[i], one[i], 1e-11, "component %d is %.15g, not %.15g", i, sum[i], one[i]);
  cr_expect_gt(hypot(part[0], part[1]), 0.1);
  mechanism_free(&with);
  mechanism_free(&without);
}

/* ---- Singular configurations ---- */

/* Cranks of 1 m, feet and heads 2 m apart, turning with 1 rad/s without gravity: φ = φ0 + t, a change point at every
 * half turn. Bodies: left crank, right crank, coupler. */
static void add_turning_parallelogram(mbs_builder *builder, double angle) {
  const double B[2] = {2, 0};
  const double P[2] = {cos(angle), sin(angle)};
  const double Q[2] = {2 + P[0], P[1]};
  add_rod(builder, "left", origin, P, 1);
  add_rod(builder, "right", B, Q, 1);
  add_rod(builder, "coupler", P, Q, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "left", origin);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "right", B);
  add_joint(builder, "P", MBS_REVOLUTE, "left", "coupler", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "right", "coupler", Q);
}

static mechanism turning_parallelogram(double angle) {
  const double P[2] = {cos(angle), sin(angle)};
  mbs_builder *builder = new_builder();
  add_turning_parallelogram(builder, angle);
  mechanism m = mechanism_build(builder);
  const double rates[9] = {-P[1] / 2, P[0] / 2, 1, -P[1] / 2, P[0] / 2, 1, -P[1], P[0], 0};
  memcpy(m.state->v, rates, sizeof rates);
  return m;
}

Test(redundancy, a_flat_start_is_refused_and_names_a_joint) {
  mechanism m = turning_parallelogram(0);
  cr_expect_eq(mbs_assemble(m.ws, m.state, NULL, NULL, &m.error), SEAM_SINGULAR);
  cr_expect_not_null(strstr(m.error.message, "Q.g_x"), "%s", m.error.message);
  cr_expect_not_null(strstr(m.error.message, "singular"), "%s", m.error.message);
  mechanism_free(&m);
}

/* What is redundant for ever does not excuse what depends on others in one pose alone. */
Test(redundancy, a_flat_start_is_refused_beside_a_second_hinge) {
  const double at[2] = {0, 5};
  mbs_builder *builder = new_builder();
  add_turning_parallelogram(builder, 0);
  add_rod(builder, "door", at, (double[2]){1, 5}, 20);
  add_joint(builder, "hinge", MBS_REVOLUTE, "ground", "door", at);
  add_joint(builder, "second hinge", MBS_REVOLUTE, "ground", "door", at);
  mechanism m = mechanism_build(builder);
  cr_expect_eq(mbs_assemble(m.ws, m.state, NULL, NULL, &m.error), SEAM_SINGULAR, "%s", m.error.message);
  cr_expect_not_null(strstr(m.error.message, "Q.g_x"), "%s", m.error.message);
  mechanism_free(&m);
}

/* At an angle α from its flat pose, the last constraint is α away from the others: rounding decides below 1e-13. */
Test(redundancy, the_rank_is_full_however_close_a_flat_pose_is) {
  for (int power = 0; power < 16; power++) {
    const double angle = pow(10, -power);
    mechanism m = turning_parallelogram(angle);
    int dependent[8];
    int rank = 0;
    mbs_stage_kinematics(m.ws, m.state->q, m.state->v);
    mbs_stage_constraints(m.ws, 0);
    cr_expect_eq(mbs_constraint_rank(m.ws, &rank, dependent, NULL), SEAM_OK);
    cr_expect(power > 11 || rank == 8, "at %g: %d", angle, rank);
    cr_expect(power < 14 || (rank == 7 && dependent[0] == 6), "at %g: %d", angle, rank);
    mechanism_free(&m);
  }
}

static void expect_finite(const mechanism *m) {
  for (size_t i = 0; i < m->state->n_values; i++)
    cr_assert(isfinite(m->state->q[i]), "value %zu", i);
}

/* Either the parallelogram turns on as one, or the run ends shortly before a change point and names a joint. */
static void expect_truth_at_change_points(const char *method, double angle) {
  mechanism m = turning_parallelogram(angle);
  seam_status status = SEAM_OK;
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, 1e-8, 0);
  for (int i = 1; i <= 100 && status == SEAM_OK; i++) {
    status = mbs_integrator_advance(integrator, 0.1 * i, m.state, &m.error);
    expect_finite(&m);
    cr_assert_float_eq(m.state->q[2], angle + m.state->t, 1e-4, "%s from %g at %g s: %.2e", method, angle, m.state->t,
                       m.state->q[2] - angle - m.state->t);
    cr_assert_float_eq(m.state->q[8], 0, 1e-4, "%s from %g at %g s: coupler at %.2e", method, angle, m.state->t,
                       m.state->q[8]);
  }
  if (status != SEAM_OK) {
    cr_expect_eq(status, SEAM_BECAME_SINGULAR, "%s from %g: %s", method, angle, m.error.message);
    cr_expect_not_null(strstr(m.error.message, "joint '"), "%s", m.error.message);
    cr_expect_lt(fabs(sin(m.state->q[2])), 0.05, "%s from %g: ends at %g", method, angle, m.state->q[2]);
  }
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

static void expect_truth(const char *method) {
  for (int i = 1; i < 30; i++)
    expect_truth_at_change_points(method, 0.1 * i);
}

Test(redundancy, erk_is_right_or_fails_at_change_points) { expect_truth("erk"); }

Test(redundancy, radau_is_right_or_fails_at_change_points) { expect_truth("radau"); }

Test(redundancy, ida_is_right_or_fails_at_change_points) { expect_truth("ida"); }

Test(redundancy, cvode_is_right_or_fails_at_change_points) { expect_truth("cvode"); }
