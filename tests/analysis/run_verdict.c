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

static const seam_verdict_bounds usual = SEAM_DEFAULT_VERDICT_BOUNDS;

static seam_status judge(const swing *s, const seam_deviation *of_run, seam_run_verdict *verdict, seam_error *error) {
  return seam_run_judge(&s->record, s->model, false, &usual, of_run, NULL, NAN, verdict, error);
}

static seam_deviation off_by(double share) {
  return (seam_deviation){.by = SEAM_TRUTH_WHOLE,
                          .quantity = "rod.phi",
                          .unit = "rad",
                          .time = 0.5,
                          .value = 2 * share,
                          .of_travel = share,
                          .until = 1};
}

static void expect_energy(double extra, seam_status expected) {
  swing s = new_swing();
  seam_run_verdict verdict;
  seam_error error = {0};
  fall(&s, extra);
  cr_expect_eq(judge(&s, NULL, &verdict, &error), expected, "%g: %s", extra, error.message);
  const double kinetic = extra * extra * 9.81 / 2 * sin(1.5); /* T of the exact motion is the fall of m g */
  cr_expect_float_eq(seam_run_record_exchange(&s.record), fmax(kinetic, 9.81 / 2 * sin(1.5)), 1e-12);
  cr_expect_float_eq(verdict.energy, (extra * extra - 1) * 9.81 / 2 * sin(1.5), 1e-12);
  free_swing(&s);
}

Test(run_verdict, a_twentieth_of_what_moved_may_be_made_or_lost) {
  expect_energy(1, SEAM_OK);
  expect_energy(1.02, SEAM_OK);
  expect_energy(0.98, SEAM_OK);
  expect_energy(1.03, SEAM_WRONG);
  expect_energy(0.97, SEAM_WRONG);
}

Test(run_verdict, the_word_is_the_worst_of_error_energy_and_constraints) {
  const struct {
    double share, extra;
    seam_word word;
  } rows[] = {{0.001, 1, SEAM_WORD_ACCURATE}, {0.009, 1, SEAM_WORD_ACCURATE}, {0.011, 1, SEAM_WORD_ROUGH},
              {0.049, 1, SEAM_WORD_ROUGH},    {0.051, 1, SEAM_WORD_WRONG},    {NAN, 1, SEAM_WORD_NOT_CHECKED},
              {0.001, 1.1, SEAM_WORD_WRONG},  {NAN, 1.1, SEAM_WORD_WRONG}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const seam_deviation of_run = off_by(rows[i].share);
    swing s = new_swing();
    seam_run_verdict verdict;
    seam_error error = {0};
    fall(&s, rows[i].extra);
    const seam_status status = judge(&s, &of_run, &verdict, &error);
    cr_expect_eq(verdict.word, rows[i].word, "row %zu: %s", i, seam_word_text(verdict.word));
    cr_expect_eq(status, rows[i].word == SEAM_WORD_WRONG ? SEAM_WRONG : SEAM_OK);
    free_swing(&s);
  }
}

Test(run_verdict, reactions_make_a_run_rough_at_most) {
  const seam_deviation of_run = off_by(0.001), forces = off_by(0.5);
  swing s = new_swing();
  seam_run_verdict verdict;
  char text[400];
  fall(&s, 1);
  cr_expect_eq(seam_run_judge(&s.record, s.model, true, &usual, &of_run, &forces, NAN, &verdict, NULL), SEAM_OK);
  cr_expect_eq(verdict.word, SEAM_WORD_ROUGH);
  cr_expect_gt(seam_verdict_say(&verdict, text, sizeof text), 0);
  cr_expect_not_null(strstr(text, "rough: rod.phi is 50 % of its range off at macro points; "
                                  "rod.phi is 0.002 rad (0.1 % of its travel) off the undivided run at t = 0.5 s"),
                     "%s", text);
  free_swing(&s);
}

Test(run_verdict, what_was_not_checked_says_why) {
  swing s = new_swing();
  seam_run_verdict verdict;
  char text[400];
  fall(&s, 1);
  cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_OK);
  seam_verdict_say(&verdict, text, sizeof text);
  cr_expect_eq(strncmp(text, "not checked: it was not asked for; energy: ", 43), 0, "%s", text);
  cr_expect_eq(seam_verdict_say(&verdict, text, 8), 7, "it ends at the size");
  free_swing(&s);
}

/* Residuals far below an ulp of the mechanism's size say nothing. */
Test(run_verdict, constraints_that_hold_to_rounding_say_so) {
  swing s = new_swing();
  seam_run_verdict verdict;
  char text[400];
  fall(&s, 1);
  judge(&s, NULL, &verdict, NULL);
  verdict.position = 8e-73;
  seam_verdict_say(&verdict, text, sizeof text);
  cr_expect_not_null(strstr(text, "; constraints hold to rounding"), "%s", text);
  verdict.position = 2e-15;
  seam_verdict_say(&verdict, text, sizeof text);
  cr_expect_not_null(strstr(text, "; constraints hold to 2e-15"), "%s", text);
  free_swing(&s);
}

/* Noise of the size of the absolute tolerance is not a motion that could be wrong. */
Test(run_verdict, a_mechanism_at_rest_is_not_wrong) {
  swing s = new_swing();
  seam_run_verdict verdict;
  add_pose(&s, -pi / 2, 0);
  add_pose(&s, -pi / 2, 1e-10);
  cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_OK);
  free_swing(&s);
}

Test(run_verdict, an_open_joint_is_wrong) {
  double residuals[4];
  for (int level = 0; level < 2; level++)
    for (int is_far = 0; is_far < 2; is_far++) {
      swing s = new_swing();
      seam_run_verdict verdict;
      seam_error error = {0};
      fall(&s, 1);
      (level == 0 ? s.state->q : s.state->v)[0] += is_far ? 0.1 : 1e-3;
      seam_run_record_add(&s.record, s.model, s.workspace, s.state, residuals);
      s.record.imbalance = 0; /* the joint alone */
      cr_expect_eq(judge(&s, NULL, &verdict, &error), is_far ? SEAM_WRONG : SEAM_OK);
      if (is_far)
        cr_expect_not_null(strstr(error.message, "A.g_x is 0.1 at t = 0 s"), "%s", error.message);
      free_swing(&s);
    }
}

Test(run_verdict, what_is_not_finite_is_wrong) {
  swing s = new_swing();
  seam_run_verdict verdict;
  add_pose(&s, 0, 0);
  add_pose(&s, 0, NAN);
  add_pose(&s, 0, 0);
  cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_WRONG);
  cr_expect(isnan(verdict.velocity) && isnan(verdict.energy));
  add_pose(&s, NAN, 0);
  add_pose(&s, 0, 0);
  cr_expect_eq(judge(&s, NULL, &verdict, NULL), SEAM_WRONG);
  cr_expect(isnan(verdict.position));
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

/* ---- Growth ---- */

/* The check of a macro point where a body is at x, of a run of 100 s. */
static seam_status check_at(cosim_fixture *p, seam_growth *growth, const mbs_state *begin, double x, double t) {
  p->state->q[0] = x;
  cr_assert_eq(cosim_start(p->run, p->state, NULL), SEAM_OK);
  return seam_growth_check(growth, p->model, begin, p->run, t, 100, NULL);
}

static const char two_bodies[] = "seam: 1\n"
                                 "bodies:\n"
                                 "  first: {mass: 1, inertia: 1}\n"
                                 "  last: {mass: 1, inertia: 1}\n"
                                 "forces:\n"
                                 "  k: {type: bushing, bodies: [first, last], at: [0, 0], stiffness: [1, 1, 1]}\n"
                                 "simulate: {end: 100}\n"
                                 "cosim: {subsystems: {A: [first], B: [last]}, macro_step: 0.1,\n"
                                 "        scheme: fd-k0-explicit}\n";

/* They are at rest beside a bushing of 1 N/m: the scale of speed is 1 m/s or less, which goes 100 m. */
Test(run_verdict, growth_counts_from_what_the_first_hundredth_allows) {
  cosim_fixture p = cosim_fixture_read(two_bodies, NULL);
  mbs_state *begin = new_state(p.model);
  seam_growth growth = {0};
  start(&p);
  cr_expect_eq(check_at(&p, &growth, begin, 1, 0), SEAM_OK);
  cr_expect_eq(check_at(&p, &growth, begin, -1e5, 0.5), SEAM_OK);
  cr_expect_eq(check_at(&p, &growth, begin, 1, 1), SEAM_OK);
  cr_expect_eq(check_at(&p, &growth, begin, 0.9e8, 50), SEAM_OK);
  cr_expect_eq(check_at(&p, &growth, begin, -1.1e8, 50), SEAM_BECAME_UNSTABLE);
  cr_expect_float_eq(growth.limit, 1e8, 1);
  mbs_state_destroy(begin);
  cosim_fixture_free(&p);
}

/* A body that was fast during the first hundredth need not be fast at its end. */
Test(run_verdict, growth_counts_from_the_largest_values_of_the_first_hundredth) {
  cosim_fixture p = cosim_fixture_read(two_bodies, NULL);
  mbs_state *begin = new_state(p.model);
  seam_growth growth = {0};
  start(&p);
  for (int k = 0; k < 3; k++) {
    p.state->v[0] = (double[]){3, -40, 1e-3}[k];
    p.state->v[2] = (double[]){-2, 0.1, 1e-3}[k];
    cr_expect_eq(check_at(&p, &growth, begin, (double[]){0, 7, 1}[k], 0.5 * k), SEAM_OK);
  }
  cr_expect_eq(growth.speed, 40);
  cr_expect_eq(growth.rate, 2);
  cr_expect_eq(growth.place, 7);
  mbs_state_destroy(begin);
  cosim_fixture_free(&p);
}

/* The start moves by rounding, a force acts later, or a torque is zero at the start: its loads count. */
Test(run_verdict, loads_after_the_start_are_no_growth) {
  static const char *const loads[] = {"{type: force, body: last, x: 'if(t > 0.5, 1, 0)'}",
                                      "{type: torque, body: last, torque: 1000*sin(2*t)}"};
  static const char *const speeds[] = {"1e-16", "1e-13", "1e-10"};
  for (int i = 0; i < 6; i++) {
    char text[900];
    snprintf(text, sizeof text,
             "seam: 2\n"
             "bodies: {first: {mass: 1, inertia: 1, velocity: [%s, 0]}, last: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "forces:\n"
             "  g: {type: bushing, bodies: [ground, first], at: [-1, 0], stiffness: [100, 100, 100]}\n"
             "  k: {type: bushing, bodies: [first, last], at: [0, 0], stiffness: [100, 100, 100]}\n"
             "  f: %s\n"
             "simulate: {end: 1}\n"
             "cosim: {subsystems: {A: [first], B: [last]}, macro_step: 1e-3, scheme: ff-k1}\n",
             speeds[i / 2], loads[i % 2]);
    cosim_fixture p = cosim_fixture_read(text, NULL);
    mbs_state *begin = new_state(p.model);
    mbs_state_copy(begin, p.state);
    seam_growth growth = {0};
    seam_error error = {0};
    start(&p);
    for (int step = 0; step <= 1000; step++) {
      const double t = cosim_state(p.run)->t;
      cr_assert_eq(seam_growth_check(&growth, p.model, begin, p.run, t, 1, &error), SEAM_OK, "%s", error.message);
      advance(&p, step < 1000);
    }
    mbs_state_destroy(begin);
    cosim_fixture_free(&p);
  }
}

static void expect_advice(const char *cut, const char *schemes, const char *who, const char *advice) {
  char text[600], expected[300];
  snprintf(text, sizeof text,
           "seam: 1\n"
           "points: {A: [0, 2], B: [1, 2], C: [2, 2]}\n"
           "bodies: {a: {rod: [A, B], mass: 1}, b: {rod: [B, C], mass: 1}}\n"
           "%s"
           "cosim: {subsystems: {left: [a], right: [b]}, macro_step: 0.1, scheme: %s}\n",
           cut, schemes);
  cosim_fixture p = cosim_fixture_read(text, NULL);
  mbs_state *begin = new_state(p.model);
  seam_growth growth = {0};
  seam_error error = {0};
  start(&p);
  begin->q[1] = -1e9;
  cr_expect_eq(seam_growth_check(&growth, p.model, begin, p.run, 1, 1, &error), SEAM_BECAME_UNSTABLE);
  snprintf(expected, sizeof expected,
           "%s transmits the largest force: take a smaller macro step or another scheme, such as %s", who, advice);
  cr_expect_not_null(strstr(error.message, expected), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "t = 1 s: the co-simulation is unstable: a.y is 1e+09, above the bound "),
                     "%s", error.message);
  mbs_state_destroy(begin);
  cosim_fixture_free(&p);
}

Test(run_verdict, advice_names_a_scheme_that_the_coupling_does_not_have) {
  static const char joint[] = "joints: {K: {type: revolute, bodies: [a, b], at: B}}\n";
  static const char bushing[] = "forces: {K: {type: bushing, bodies: [a, b], at: B, stiffness: [1, 1, 1]}}\n";
  /* The joint may transmit more, but does not limit the macro step. */
  static const char both[] = "joints: {J: {type: revolute, bodies: [a, b], at: B}}\n"
                             "forces: {K: {type: bushing, bodies: [a, b], at: C, stiffness: [1, 1, 1]}}\n";
  expect_advice(joint, "ff-index1-k1", "coupling 'K' (ff-index1-k1)", "ff-index2-k1");
  expect_advice(joint, "ff-index2-k1", "coupling 'K' (ff-index2-k1)", "ff-index1-k1");
  expect_advice(bushing, "fd-k1", "coupling 'K' (fd-k1)", "ff-k0 or ff-d-k1");
  expect_advice(bushing, "ff-k0", "coupling 'K' (ff-k0)", "ff-d-k1");
  expect_advice(bushing, "ff-d-k1", "coupling 'K' (ff-d-k1)", "ff-k0");
  expect_advice(both, "{constitutive: ff-k0, constraint: ff-index2-k1}",
                "of the force elements at the cut, 'K' (ff-k0)", "ff-d-k1");
}
