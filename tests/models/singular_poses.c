/* Mechanisms that pass poses in which their loops may continue on more than one branch, under every integrator. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/model_run.h"

/* Columns: adaptive method, order, tolerance, error that it may leave: ida's and cvode's is a few hundred tolerances.
 */
static const struct {
  const char *name;
  int order;
  double rtol, error;
} methods[] = {{"erk", 4, 1e-8, 1e-6},   {"erk", 5, 1e-8, 1e-6},   {"erk", 8, 1e-8, 1e-6},
               {"radau", 8, 1e-8, 2e-6}, {"cvode", 8, 1e-9, 1e-5}, {"ida", 8, 1e-9, 1e-5}};
enum { n_methods = sizeof methods / sizeof *methods };

static int notes;

static void count_note(void *context, const char *note) {
  (void)context;
  notes += strstr(note, "singular configuration of joint '") != NULL;
}

static model_run begin(const char *text, const char *parameter, int method, double stop) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.rtol = methods[method].rtol;
  options.atol = methods[method].rtol / 100;
  notes = 0;
  seam_set_note_handler(count_note, NULL);
  return model_run_begin(text, (const char *const[]){parameter, NULL}, &options, stop);
}

static void end(model_run *r) {
  seam_set_note_handler(NULL, NULL);
  model_run_end(r);
}

/* ---- IFToMM's benchmark A02: N four-bars in a row, flat twice a turn ---- */

static const char four_bars[] =
    "seam: 1\ngravity: [0, -9.81]\nparameters: {N: 2, v: 1}\nrepeat:\n"
    "  - for: {i: [0, N]}\n"
    "    points: {\"G{i}\": [i, 0], \"B{i}\": [i, 1]}\n"
    "    bodies: {\"up{i}\": {rod: [\"G{i}\", \"B{i}\"], mass: 1, velocity: [v/2, 0], rate: -v}}\n"
    "    joints: {\"g{i}\": {type: revolute, bodies: [ground, \"up{i}\"], at: \"G{i}\"}}\n"
    "  - for: {i: [1, N]}\n"
    "    bodies: {\"bar{i}\": {rod: [\"B{i-1}\", \"B{i}\"], mass: 1, velocity: [v, 0]}}\n"
    "    joints:\n"
    "      \"l{i}\": {type: revolute, bodies: [\"up{i-1}\", \"bar{i}\"], at: \"B{i-1}\"}\n"
    "      \"r{i}\": {type: revolute, bodies: [\"bar{i}\", \"up{i}\"], at: \"B{i}\"}\n";

/* The bars stay parallel: one freedom, the angle p of the N + 1 cranks from the vertical, clockwise,
 *   ((N + 1)/3 + N) p'' = ((N + 1)/2 + N) g sin p,
 * by the classical method with steps of 1e-4 s. */
static double crank_angle(int N, double end, double *rate) {
  const double c = 9.81 * (0.5 * (N + 1) + N) / ((N + 1) / 3.0 + N);
  const int n = (int)lround(end / 1e-4);
  const double h = end / n;
  double p = 0;
  double w = 1;
  for (int i = 0; i < n; i++) {
    const double k1 = c * sin(p);
    const double k2 = c * sin(p + h / 2 * w);
    const double k3 = c * sin(p + h / 2 * w + h * h / 4 * k1);
    const double k4 = c * sin(p + h * w + h * h / 2 * k2);
    p += h * w + h * h / 6 * (k1 + k2 + k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  *rate = w;
  return p;
}

/* Number in the file: cranks first, then bars. */
static const double *pose(const model_run *r, int body) { return r->state->q + (size_t)(3 * body); }

static void expect_parallel_motion(int N, int method) {
  char parameter[32];
  double w;
  const double p = crank_angle(N, 10, &w);
  snprintf(parameter, sizeof parameter, "parameters.N=%d", N);
  model_run r = begin(four_bars, parameter, method, 10);
  const double energy = model_run_energy(&r);
  for (int i = 1; i <= 1000 && r.status == SEAM_OK; i++) {
    model_run_advance(&r, 0.01 * i);
    cr_assert_float_eq(model_run_energy(&r), energy, 1e-4, "%s %d, N = %d: %.9g s", methods[method].name,
                       methods[method].order, N, r.state->t);
  }
  cr_expect_eq(r.status, SEAM_OK, "%s %d, N = %d: %s", methods[method].name, methods[method].order, N, r.error.message);
  for (int i = 0; i <= N; i++) {
    const double moved = -(pose(&r, i)[2] - acos(-1) / 2);
    const double error = fabs(remainder(moved - p, 2 * acos(-1)));
    cr_expect(error < methods[method].error, "%s %d, N = %d, crank %d: %.2g", methods[method].name,
              methods[method].order, N, i, error);
  }
  cr_expect(mbs_integrator_statistics(r.integrator).steps < 10000);
  cr_expect(notes > 0);
  end(&r);
}

Test(singular_poses, the_motion_of_one_four_bar_goes_on_where_it_is_flat) {
  for (int i = 0; i < n_methods; i++)
    expect_parallel_motion(1, i);
}

Test(singular_poses, the_motion_of_three_four_bars_goes_on_where_they_are_flat) {
  for (int i = 0; i < n_methods - 1; i++)
    expect_parallel_motion(3, i);
}

/* Rounding of multipliers close behind the pose keeps Newton's iterations from converging to a hundredth of the
 * tolerance: 12 of 30 neighbouring starts failed. */
Test(singular_poses, ida_passes_the_flat_four_bar_from_all_neighbouring_starts) {
  for (int i = 0; i < 30; i++) {
    char parameter[32];
    snprintf(parameter, sizeof parameter, "parameters.v=%.4f", 1 + 0.0013 * i);
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = "ida";
    options.rtol = 1e-9;
    options.atol = 1e-11;
    model_run r = model_run_begin(four_bars, (const char *const[]){"parameters.N=1", parameter, NULL}, &options, 10);
    const double energy = model_run_energy(&r);
    model_run_advance(&r, 10);
    cr_expect_eq(r.status, SEAM_OK, "%s: %s", parameter, r.error.message);
    cr_expect_float_eq(model_run_energy(&r), energy, 1e-4, "%s", parameter);
    model_run_end(&r);
  }
}

/* With more than one loop ida may not find a step beyond the pose: it says so at once. */
Test(singular_poses, ida_passes_three_flat_four_bars_or_ends_at_once) {
  model_run r = begin(four_bars, "parameters.N=3", n_methods - 1, 10);
  model_run_advance(&r, 10);
  cr_expect(r.status == SEAM_OK || r.status == SEAM_BECAME_SINGULAR, "%s", r.error.message);
  cr_expect(mbs_integrator_statistics(r.integrator).steps < 10000);
  end(&r);
}

Test(singular_poses, ten_flat_four_bars_are_passed_without_crawling) { expect_parallel_motion(10, 2); }

/* What is asked for does not decide how a pose is passed. */
Test(singular_poses, times_asked_for_change_no_bit) {
  model_run asked = begin(four_bars, NULL, 2, 2);
  model_run unasked = begin(four_bars, NULL, 2, 2);
  for (int i = 1; i < 600; i++)
    model_run_advance(&asked, i / 300.0);
  model_run_advance(&asked, 2);
  model_run_advance(&unasked, 2);
  cr_expect_eq(unasked.status, SEAM_OK, "%s", unasked.error.message);
  cr_expect_arr_eq(asked.state->q, unasked.state->q, asked.state->n_values * sizeof(double));
  end(&asked);
  end(&unasked);
}

/* Saved on the way through the pose at 0.714 s, restored in another integrator. */
Test(singular_poses, a_saved_state_goes_on_to_the_same_bits) {
  model_run saved = begin(four_bars, NULL, 2, 2);
  model_run restored = begin(four_bars, NULL, 2, 2);
  model_run_advance(&saved, 0.714);
  const size_t size = mbs_integrator_image_size(saved.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  mbs_integrator_save(saved.integrator, image);
  cr_assert_eq(mbs_integrator_restore(restored.integrator, image, size, NULL), SEAM_OK);
  free(image);
  mbs_integrator_set_stop(restored.integrator, 2);
  model_run_advance(&saved, 2);
  model_run_advance(&restored, 2);
  cr_expect_eq(saved.status, SEAM_OK, "%s", saved.error.message);
  cr_expect_arr_eq(saved.state->q, restored.state->q, saved.state->n_values * sizeof(double));
  end(&saved);
  end(&restored);
}

/* ---- N + 1 legs under one plate ---- */

static const char legs[] = "seam: 1\ngravity: [0, -9.81]\nparameters: {N: 30, p: 0.4}\nrepeat:\n"
                           "  - for: {i: [0, N]}\n"
                           "    points: {\"G{i}\": [i, 0], \"B{i}\": [i + sin(p), cos(p)]}\n"
                           "    bodies: {\"up{i}\": {rod: [\"G{i}\", \"B{i}\"], mass: 1}}\n"
                           "    joints:\n"
                           "      \"g{i}\": {type: revolute, bodies: [ground, \"up{i}\"], at: \"G{i}\"}\n"
                           "      \"b{i}\": {type: revolute, bodies: [\"up{i}\", plate], at: \"B{i}\"}\n"
                           "bodies:\n  plate: {mass: 10, inertia: 100, at: [N/2 + sin(p), cos(p)]}\n";

/* The plate is so wide that d of one constraint is 0.012 in all poses; another one vanishes in the flat poses at 0.61 s
 * and 1.12 s, over which a long step may lead. Energy: ((N + 1)/3 + 10) p'²/2 + ((N + 1)/2 + 10) g cos p stays. */
Test(singular_poses, a_constraint_that_is_always_weak_hides_no_flat_pose) {
  const double inertia = 31 / 3.0 + 10;
  const double weight = 9.81 * (31 / 2.0 + 10);
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(legs, NULL, i, 1.5);
    model_run_advance(&r, 1.5);
    cr_expect_eq(r.status, SEAM_OK, "%s %d: %s", methods[i].name, methods[i].order, r.error.message);
    cr_expect_gt(notes, 0, "%s %d", methods[i].name, methods[i].order);
    for (int leg = 1; leg <= 31; leg++) { /* the plate is the first body */
      const double angle = pose(&r, leg)[2];
      const double rate = r.state->v[3 * leg + 2];
      const double energy = inertia * rate * rate / 2 + weight * sin(angle);
      cr_expect_float_eq(energy, weight * cos(0.4), 1e-3, "%s %d, leg %d", methods[i].name, methods[i].order, leg);
    }
    end(&r);
  }
}

/* ---- Where the motion does not go on ---- */

/* The coupler of a four-bar of 1, 1 and 1.5 m between pivots 3 m apart becomes straight with its crank: the prescribed
 * angle leads to where the loop no longer closes. */
static const char locking[] =
    "seam: 1\npoints: {A: [0, 0], B: [0.6, 0.8], D: [3, 0], C: [1.5914, 0.6]}\n"
    "bodies:\n  crank: {rod: [A, B], mass: 1}\n  coupler: {rod: [B, C], mass: 1}\n  rocker: {rod: [D, C], mass: 1}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n  B: {type: revolute, bodies: [crank, coupler], "
    "at: B}\n"
    "  C: {type: revolute, bodies: [coupler, rocker], at: C}\n  D: {type: revolute, bodies: [ground, rocker], at: D}\n"
    "  drive: {type: motion, bodies: [ground, crank], of: angle, law: \"0.5*t\"}\n";

Test(singular_poses, a_loop_that_cannot_close_ends_the_run_at_once) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(locking, NULL, i, 10);
    model_run_advance(&r, 10);
    cr_expect(r.status == SEAM_BECAME_SINGULAR, "%s: %d %s", methods[i].name, (int)r.status, r.error.message);
    cr_expect(mbs_integrator_statistics(r.integrator).steps < 5000, "%s: %zu steps", methods[i].name,
              mbs_integrator_statistics(r.integrator).steps);
    cr_expect_eq(notes, 0);
    end(&r);
  }
}

/* The crank stops where crank and rod, of equal length, lie upon each other: the motion could go on in two ways. */
Test(singular_poses, a_kink_in_one_ends_the_run) {
  static const char fold[] =
      "seam: 1\npoints: {A: [0, 0], B: [0.5, 0.8660254037844386], C: [1, 0]}\n"
      "bodies: {crank: {rod: [A, B], mass: 1}, rod: {rod: [B, C], mass: 1}, block: {mass: 1, inertia: 1, at: C}}\n"
      "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n"
      "  B: {type: revolute, bodies: [crank, rod], at: B}\n  C: {type: revolute, bodies: [rod, block], at: C}\n"
      "  s: {type: prismatic, bodies: [ground, block], at: C, axis: [1, 0]}\n"
      "  m: {type: motion, of: phi, body: crank, law: \"if(t<1,pi/3+pi/6*t,pi/2)\"}\nsimulate: {end: 2}\n";
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(fold, NULL, i, 2);
    model_run_advance(&r, 2);
    cr_expect_eq(r.status, SEAM_BECAME_SINGULAR, "%s %d: %s", methods[i].name, methods[i].order, r.error.message);
    cr_expect_eq(r.error.status, r.status);
    cr_expect(r.state->t > 0.9 && r.state->t <= 1, "%s: t = %g s", methods[i].name, r.state->t);
    end(&r);
  }
}

/* The middle joint of a straight chain is weak by nature: d = 0.08. Steps fail for a force that no step can resolve. */
Test(singular_poses, a_step_of_a_long_chain_that_fails_is_not_called_singular) {
  static const char chain[] = "seam: 1\ngravity: [0, -9.81]\nrepeat:\n"
                              "  - for: {i: [0, 150]}\n    points: {\"P{i}\": [i, 0]}\n"
                              "  - for: {i: [1, 150]}\n    bodies: {\"r{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: 1}}\n"
                              "  - for: {i: [1, 149]}\n"
                              "    joints: {\"j{i}\": {type: revolute, bodies: [\"r{i}\", \"r{i+1}\"], at: \"P{i}\"}}\n"
                              "joints: {j0: {type: revolute, bodies: [ground, r1], at: P0}}\n"
                              "forces: {f: {type: force, body: r1, y: \"1e15*sin(1e17*t)*max(0, t - 0.01)\"}}\n"
                              "simulate: {end: 1}\n";
  const mbs_integrator_options options = mbs_default_integrator_options();
  model_run r = model_run_begin(chain, NULL, &options, 1);
  model_run_advance(&r, 1);
  cr_expect(r.status != SEAM_OK && r.status != SEAM_BECAME_SINGULAR, "%s", r.error.message);
  cr_expect_null(strstr(r.error.message, "singular"), "%s", r.error.message);
  model_run_end(&r);
}

/* ---- References ---- */

/* The linkage of Peaucellier and Lipkin, with a crank that swings through its change points. */
static const char peaucellier[] =
    "seam: 1\ngravity: [0, -9.81]\n"
    "parameters:\n"
    "  {L: 0.584, s: 0.16, r: 0.226, th: 39*deg, cx: r + r*cos(th), cy: r*sin(th), oc: sqrt(cx^2 + cy^2), op: (L^2 - "
    "s^2)/oc,\n"
    "   al: \"atan2(cy, cx)\", mid: (oc + op)/2, hh: sqrt(s^2 - ((op - oc)/2)^2)}\n"
    "points:\n"
    "  O: [0, 0]\n"
    "  Q: [r, 0]\n"
    "  C: [cx, cy]\n"
    "  P: [op*cos(al), op*sin(al)]\n"
    "  A: [mid*cos(al) - hh*sin(al), mid*sin(al) + hh*cos(al)]\n"
    "  B: [mid*cos(al) + hh*sin(al), mid*sin(al) - hh*cos(al)]\n"
    "bodies: {crank: {rod: [Q, C], mass: 0.3}, OA: {rod: [O, A], mass: 1}, OB: {rod: [O, B], mass: 1},\n"
    "         CA: {rod: [C, A], mass: 0.4}, CB: {rod: [C, B], mass: 0.4}, PA: {rod: [P, A], mass: 0.4},\n"
    "         PB: {rod: [P, B], mass: 0.4}}\n"
    "joints:\n"
    "  Q: {type: revolute, bodies: [ground, crank], at: Q}\n"
    "  O1: {type: revolute, bodies: [ground, OA], at: O}\n"
    "  O2: {type: revolute, bodies: [ground, OB], at: O}\n"
    "  C1: {type: revolute, bodies: [crank, CA], at: C}\n"
    "  C2: {type: revolute, bodies: [crank, CB], at: C}\n"
    "  A1: {type: revolute, bodies: [OA, CA], at: A}\n"
    "  A2: {type: revolute, bodies: [OA, PA], at: A}\n"
    "  B1: {type: revolute, bodies: [OB, CB], at: B}\n"
    "  B2: {type: revolute, bodies: [OB, PB], at: B}\n"
    "  P: {type: revolute, bodies: [PA, PB], at: P}\n"
    "simulate: {end: 3}\n";

Test(singular_poses, a_reference_that_stops_where_the_run_passes_is_less_tight) {
  seam_model_file *file = read_model(peaucellier, NULL);
  const mbs_model *model = seam_model_mechanism(file);
  const mbs_integrator_options options = mbs_default_integrator_options();
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  seam_reference *reference = NULL;
  seam_error error = {0};
  cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  seam_set_note_handler(count_note, NULL);
  cr_assert_eq(seam_reference_create(model, state, &options, 1e-3, 3, NULL, &reference, &error), SEAM_OK, "%s",
               error.message);
  cr_expect_lt(seam_reference_tightness(reference), 100, "it passes at once: another linkage is needed here");
  cr_expect_eq(seam_reference_options(reference).rtol, options.rtol / seam_reference_tightness(reference));
  /* erk steps over the pose, radau follows its way through: they are one motion, also in rows on that way. */
  seam_agreement agreement;
  cr_assert_eq(seam_reference_check(reference, NULL, &agreement, &error), SEAM_OK, "%s", error.message);
  cr_expect_lt(agreement.share, 1e-5);
  cr_expect_float_eq(agreement.until, 3, 1e-9);
  seam_set_note_handler(NULL, NULL);
  seam_reference_destroy(reference);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}
