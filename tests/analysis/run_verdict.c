/* The verdict on runs, by records whose energies and residuals are known. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/mechanisms.h"

/* A rod that swings about its end: its joint's residuals can be broken by hand. */
typedef struct swing {
  mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state;
  seam_run_record record;
} swing;

static swing new_swing(void) {
  swing s = {0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  cr_assert_eq(mbs_build(builder, &s.model, NULL), SEAM_OK);
  s.workspace = new_workspace(s.model);
  s.state = new_state(s.model);
  return s;
}

static void free_swing(swing *s) {
  mbs_state_destroy(s->state);
  mbs_workspace_destroy(s->workspace);
  mbs_model_destroy(s->model);
}

/* Hanging at angle φ with the rate ω: the joint holds. */
static void add_pose(swing *s, double phi, double omega) {
  double residuals[4];
  s->state->q[0] = cos(phi) / 2;
  s->state->q[1] = sin(phi) / 2;
  s->state->q[2] = phi;
  s->state->v[0] = -omega * sin(phi) / 2;
  s->state->v[1] = omega * cos(phi) / 2;
  s->state->v[2] = omega;
  seam_run_record_add(&s->record, s->model, s->workspace, s->state, residuals);
}

/* From the horizontal: ω² = 3 g sin(-φ) / l. `extra` is a factor of ω. */
static void fall(swing *s, double extra) {
  add_pose(s, 0, 0);
  for (int i = 1; i <= 10; i++)
    add_pose(s, -0.15 * i, -extra * sqrt(3 * 9.81 * sin(0.15 * i)));
}

static seam_status judge(const swing *s, const mbs_integrator_options *options, seam_run_verdict *verdict,
                         seam_error *error) {
  const mbs_statistics statistics = {.steps = 10};
  return seam_run_judge(&s->record, s->model, options, &statistics, verdict, error);
}

static void expect_energy(double extra, const mbs_integrator_options *options, seam_status expected) {
  swing s = new_swing();
  seam_run_verdict verdict;
  seam_error error = {0};
  fall(&s, extra);
  cr_expect_eq(judge(&s, options, &verdict, &error), expected, "%g: %s", extra, error.message);
  const double kinetic = extra * extra * 9.81 / 2 * sin(1.5); /* T of the exact motion is the fall of m g */
  cr_expect_float_eq(seam_run_record_exchange(&s.record), fmax(kinetic, 9.81 / 2 * sin(1.5)), 1e-12);
  cr_expect_float_eq(verdict.figure[SEAM_ENERGY_BALANCE], (extra * extra - 1) * 9.81 / 2 * sin(1.5), 1e-12);
  free_swing(&s);
}

Test(run_verdict, energy_is_judged_in_both_signs_against_the_largest_exchange) {
  const mbs_integrator_options tight = mbs_default_integrator_options();
  expect_energy(1, &tight, SEAM_OK);
  expect_energy(1.01, &tight, SEAM_SUSPECT);
  expect_energy(0.99, &tight, SEAM_SUSPECT);
}

/* A thousandth of the exchange; at rtol = 1e-6 five times as much. */
Test(run_verdict, tight_tolerances_may_lose_a_thousandth) {
  mbs_integrator_options options = mbs_default_integrator_options();
  expect_energy(sqrt(1.0008), &options, SEAM_OK);
  expect_energy(sqrt(1.0012), &options, SEAM_SUSPECT);
  options.rtol = 1e-6;
  expect_energy(sqrt(1.0045), &options, SEAM_OK);
  expect_energy(sqrt(1.0055), &options, SEAM_SUSPECT);
}

Test(run_verdict, loose_tolerances_fixed_steps_and_cuts_may_lose_more) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-5;
  expect_energy(1.01, &options, SEAM_OK);
  options.rtol = 1;
  expect_energy(1.04, &options, SEAM_SUSPECT);
  options.step = 1e-3;
  expect_energy(1.01, &options, SEAM_OK);
  expect_energy(1.04, &options, SEAM_SUSPECT);
  expect_energy(1.04, NULL, SEAM_OK);
  expect_energy(0.9, NULL, SEAM_SUSPECT);
}

Test(run_verdict, a_slip_in_doubt_is_suspect) {
  swing s = new_swing();
  seam_run_verdict verdict;
  seam_error error = {0};
  fall(&s, 1);
  s.record.doubtful_slips = 1;
  s.record.slip_time = 0.25;
  cr_expect_eq(judge(&s, NULL, &verdict, &error), SEAM_SUSPECT);
  cr_expect_str_eq(
      error.message,
      "suspect: 1 times it is in doubt whether hard friction that falls at once begins to slip, first that "
      "of joint 'A' at t = 0.25 s: its load changes too much in a macro step, or another joint may slip in "
      "its place; give it a 'stribeck_speed'; take a smaller macro step or another scheme");
  cr_expect_str_eq(seam_criterion_name(SEAM_SLIPS), "slips");
  free_swing(&s);
}

/* Noise of the size of the absolute tolerance is not a motion that could be wrong. */
Test(run_verdict, a_mechanism_at_rest_is_not_suspect) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  swing s = new_swing();
  seam_run_verdict verdict;
  add_pose(&s, -pi / 2, 0);
  add_pose(&s, -pi / 2, 1e-10);
  cr_expect_eq(judge(&s, &options, &verdict, NULL), SEAM_OK);
  free_swing(&s);
}

Test(run_verdict, an_open_joint_is_suspect) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  double residuals[4];
  for (int level = 0; level < 2; level++) {
    swing s = new_swing();
    seam_run_verdict verdict;
    seam_error error = {0};
    fall(&s, 1);
    (level == 0 ? s.state->q : s.state->v)[0] += 1e-4;
    seam_run_record_add(&s.record, s.model, s.workspace, s.state, residuals);
    cr_expect_eq(judge(&s, &options, &verdict, &error), SEAM_SUSPECT);
    cr_expect_not_null(strstr(error.message, "A.g_x is 0.0001 at t = 0 s"), "%s", error.message);
    cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_OK, "a cut joint opens more");
    free_swing(&s);
  }
}

Test(run_verdict, more_rejected_than_accepted_steps_are_suspect) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  const mbs_statistics few = {.steps = 3, .rejected = 20};
  const mbs_statistics many = {.steps = 1000, .rejected = 2000};
  swing s = new_swing();
  seam_run_verdict verdict;
  fall(&s, 1);
  cr_expect_eq(seam_run_judge(&s.record, s.model, &options, &few, &verdict, NULL), SEAM_OK);
  cr_expect_eq(seam_run_judge(&s.record, s.model, &options, &many, &verdict, NULL), SEAM_SUSPECT);
  free_swing(&s);
}

/* The forces of couplings may be wrong beside a motion that is right. */
Test(run_verdict, couplings_that_contradict_the_motion_are_suspect) {
  swing s = new_swing();
  seam_run_verdict verdict;
  seam_error error = {0};
  fall(&s, 1);
  const double exchange = seam_run_record_exchange(&s.record);
  s.record.has_couplings = true;
  s.record.created = s.record.last_imbalance + 0.09 * exchange;
  cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_OK);
  s.record.created = s.record.last_imbalance - 0.11 * exchange;
  cr_expect_eq(judge(&s, NULL, &verdict, &error), SEAM_SUSPECT);
  cr_expect_not_null(strstr(error.message, "the couplings created "), "%s", error.message);
  free_swing(&s);
}

Test(run_verdict, what_is_not_finite_is_suspect) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  swing s = new_swing();
  seam_run_verdict verdict;
  add_pose(&s, 0, 0);
  add_pose(&s, 0, NAN);
  add_pose(&s, 0, 0);
  cr_expect_eq(judge(&s, &options, &verdict, NULL), SEAM_SUSPECT);
  cr_expect(isnan(verdict.figure[SEAM_VELOCITY_RESIDUAL]) && isnan(verdict.figure[SEAM_ENERGY_BALANCE]));
  add_pose(&s, NAN, 0);
  add_pose(&s, 0, 0);
  cr_expect_eq(judge(&s, &options, &verdict, NULL), SEAM_SUSPECT);
  cr_expect(isnan(verdict.figure[SEAM_POSITION_RESIDUAL]));
  free_swing(&s);
}

/* A brake that takes energy out exchanges as much as a drive that puts it in. */
Test(run_verdict, work_counts_as_exchanged_in_both_directions) {
  for (int i = 0; i < 4; i++) {
    swing s = new_swing();
    s.state->work[i / 2] = i % 2 == 0 ? 50 : -50;
    add_pose(&s, 0, 0);
    cr_expect_float_eq(seam_run_record_exchange(&s.record), 50, 1e-12, "%d", i);
    free_swing(&s);
  }
}

/* ---- Growth of a run without a monolithic one ---- */

/* The check of a macro point where a body is at x. */
static seam_status check_at(cosim_fixture *p, seam_run_bounds *bounds, double x, double t) {
  p->state->q[0] = x;
  cr_assert_eq(cosim_start(p->run, p->state, NULL), SEAM_OK);
  return seam_run_bounds_check(bounds, p->model, p->run, t, 100, NULL);
}

Test(run_verdict, growth_counts_from_the_largest_value_of_the_first_hundredth) {
  static const char text[] = "seam: 1\n"
                             "bodies:\n"
                             "  first: {mass: 1, inertia: 1}\n"
                             "  last: {mass: 1, inertia: 1}\n"
                             "forces:\n"
                             "  k: {type: bushing, bodies: [first, last], at: [0, 0], stiffness: [1, 1, 1]}\n"
                             "simulate: {end: 100}\n"
                             "cosim: {subsystems: {A: [first], B: [last]}, macro_step: 0.1, scheme: fd-k0-explicit}\n";
  cosim_fixture p = cosim_fixture_read(text, NULL);
  seam_run_bounds bounds = {.is_alone = true};
  start(&p);
  cr_expect_eq(check_at(&p, &bounds, 1, 0), SEAM_OK);
  cr_expect_eq(check_at(&p, &bounds, -1e5, 0.5), SEAM_OK);
  cr_expect_eq(check_at(&p, &bounds, 1, 1), SEAM_OK);
  cr_expect_eq(check_at(&p, &bounds, 0.9e11, 50), SEAM_OK);
  cr_expect_eq(check_at(&p, &bounds, -1.1e11, 50), SEAM_BECAME_UNSTABLE);
  cr_expect_eq(check_at(&p, &bounds, 1e7, 100), SEAM_OK);
  cosim_fixture_free(&p);
}

/* ---- Growth beside a monolithic run ---- */

static void expect_advice(const char *cut, const char *scheme, const char *advice) {
  char text[600], expected[300];
  snprintf(text, sizeof text,
           "seam: 1\n"
           "points: {A: [0, 2], B: [1, 2], C: [2, 2]}\n"
           "bodies: {a: {rod: [A, B], mass: 1}, b: {rod: [B, C], mass: 1}}\n"
           "%s"
           "cosim: {subsystems: {left: [a], right: [b]}, macro_step: 0.1, scheme: %s}\n",
           cut, scheme);
  cosim_fixture p = cosim_fixture_read(text, NULL);
  seam_run_bounds bounds = {.is_alone = false}; /* of a monolithic run at rest at the origin */
  seam_error error = {0};
  start(&p);
  cr_expect_eq(seam_run_bounds_check(&bounds, p.model, p.run, 0, 1, &error), SEAM_BECAME_UNSTABLE);
  snprintf(expected, sizeof expected,
           "t = 0 s: the co-simulation is unstable: a.y is 2, more than 1000 times what the monolithic run reaches; "
           "coupling 'K' (%s) transmits most; take a smaller macro step or another scheme, such as %s",
           scheme, advice);
  cr_expect_str_eq(error.message, expected);
  cosim_fixture_free(&p);
}

Test(run_verdict, advice_names_a_scheme_that_the_coupling_does_not_have) {
  static const char joint[] = "joints: {K: {type: revolute, bodies: [a, b], at: B}}\n";
  static const char bushing[] = "forces: {K: {type: bushing, bodies: [a, b], at: B, stiffness: [1, 1, 1]}}\n";
  expect_advice(joint, "ff-index1-k1", "ff-index2-k1");
  expect_advice(joint, "ff-index2-k1", "ff-index1-k1");
  expect_advice(bushing, "fd-k1", "ff-k0 or ff-d-k1");
  expect_advice(bushing, "ff-k0", "ff-d-k1");
  expect_advice(bushing, "ff-d-k1", "ff-k0");
}
