/* Macro steps end at kinks and jumps of laws of time, and states between them are right on both sides. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/integrate/integrator.h"
#include "tests/support/cosim_fixture.h"

enum { inside = 7 };

/* Two masses at rest on a spring; a force on the second from tj on. */
static const char *const pushed =
    "seam: 1\nname: pushed\nparameters: {tj: 0.7123}\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "forces:\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 50}\n"
    "  p: {type: force, body: b, x: \"if(t < tj, 0, 20)\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

/* r'' = 20 - 100 r for the stretch, 10 for the centre of mass. */
static double exact(double t, double tj, int body) {
  const double tau = fmax(0, t - tj);
  const double r = 0.2 * (1 - cos(10 * tau));
  return body + 5 * tau * tau + (body == 0 ? -r / 2 : r / 2);
}

/* Of states between, over a macro step that is taken piece by piece. */
static double error_of_rows(cosim_fixture *p, double tj, mbs_state *between) {
  const double H = p->definition.options.macro_step;
  const double end = cosim_state(p->run)->t + H;
  double largest = 0;
  while (cosim_state(p->run)->t < end - 1e-9 * H) {
    const double begin = cosim_state(p->run)->t;
    cr_assert_eq(cosim_advance_smooth(p->run, H, end - begin, NULL), SEAM_OK);
    for (int i = 1; i <= inside; i++) {
      const double t = begin + i * (cosim_state(p->run)->t - begin) / (inside + 1);
      cosim_state_between(p->run, t, between);
      for (int body = 0; body < 2; body++)
        largest = fmax(largest, fabs(between->q[3 * body] - exact(t, tj, body)));
    }
  }
  return largest;
}

Test(rows_at_kinks, a_force_that_jumps_at_any_time) {
  static const char *const times[] = {"parameters.tj=0.7123", "parameters.tj=0.70004", "parameters.tj=0.71996",
                                      "parameters.tj=0.72"};
  static const struct {
    const char *scheme;
    double bound;
  } schemes[] = {{"ff-colloc-s3", 1e-8}, {"dd-colloc-s2", 1e-8}, {"ff-colloc-s1", 2e-3},
                 {"ff-k1", 2e-3},        {"fd-k2", 2e-2},        {"ff-d-k2", 2e-3}};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
      const double tj = strtod(strchr(times[i], '=') + 1, NULL);
      cosim_fixture p = cosim_fixture_read(pushed, (const char *const[]){times[i], NULL});
      mbs_state *between = new_state(p.model);
      double before = 0;
      double all = 0;
      use_scheme(&p, schemes[k].scheme);
      start(&p);
      for (int step = 1; step <= 50; step++) {
        const double found = error_of_rows(&p, tj, between);
        cr_assert_float_eq(cosim_state(p.run)->t, 0.02 * step, 1e-13); /* the grid stays */
        all = fmax(all, found);
        if (step * 0.02 < tj)
          before = all;
      }
      cr_expect_lt(before, 1e-12, "%s, %s: %.2g", schemes[k].scheme, times[i], before);
      cr_expect_lt(all, schemes[k].bound, "%s, %s: %.2g", schemes[k].scheme, times[i], all);
      cr_expect_eq(cosim_statistics_of(p.run).with_kinks, 0);
      cr_expect_eq(cosim_statistics_of(p.run).macro_steps, i < 3 ? 51 : 50);
      mbs_state_destroy(between);
      cosim_fixture_free(&p);
    }
}

/* ---- Beside the whole ---- */

/* The driver's rate jumps by 2; the load's force and the torque at a cut joint jump. */
static const char *const driven =
    "seam: 1\nname: driven\nparameters: {tj: 0.3337}\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "joints: {m: {type: motion, of: x, body: a, law: \"if(t < tj, 0, 2*(t - tj))\"}}\n"
    "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10, damping: "
    "3}}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

static const char *const hinged =
    "seam: 1\nname: hinged\ngravity: [0, -9.81]\nparameters: {tj: 0.3337}\n"
    "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "forces: {p: {type: force, body: b, y: \"if(t < tj, 0, 20)\"}}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

static const char *const damped =
    "seam: 1\nname: damped\nparameters: {tj: 0.3337}\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "forces:\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 50, damping: 2}\n"
    "  p: {type: force, body: b, x: \"if(t < tj, 10, -7)\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

static const char *const unsupported =
    "seam: 1\nname: unsupported\nparameters: {tj: 0.3337}\n"
    "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
    "joints: {B: {type: revolute, bodies: [a, b], at: [1, 0]}}\n"
    "forces: {p: {type: force, body: b, at: [1.7, 0], y: \"if(t < tj, 10, -7)\"}}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.02, scheme: ff-colloc-s3, rtol: 1e-10, atol: 1e-12}\n";

static double distance(const double *a, const double *b, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Positions, velocities, multipliers, work at points inside of steps up to 0.5 s and at their ends but the kink at tj,
 * each over its bound. */
static void expect_rows_of_the_whole(const char *text, const char *scheme, double tj, const double bound[4]) {
  char setting[64];
  snprintf(setting, sizeof setting, "parameters.tj=%.17g", tj);
  cosim_fixture p = cosim_fixture_read(text, (const char *const[]){setting, NULL});
  mbs_state *whole = new_state(p.model);
  mbs_state *between = new_state(p.model);
  mbs_integrator *reference = start_monolithic(&p, whole);
  const size_t n = 3 * mbs_n_bodies(p.model);
  double found[4] = {0};
  use_scheme(&p, scheme);
  start(&p);
  while (cosim_state(p.run)->t < 0.5 - 1e-9) {
    const double begin = cosim_state(p.run)->t;
    const double to_grid = 0.02 * floor(begin / 0.02 + 1 + 1e-11) - begin;
    cr_assert_eq(cosim_advance_smooth(p.run, 0.02, to_grid, NULL), SEAM_OK);
    const double end = cosim_state(p.run)->t;
    for (int i = 1; i <= inside + (end != tj); i++) {
      const double t = i <= inside ? begin + i * (end - begin) / (inside + 1) : end;
      cosim_state_between(p.run, t, between);
      const mbs_state *at = i <= inside ? between : cosim_state(p.run);
      cr_assert_eq(mbs_integrator_advance(reference, t, whole, NULL), SEAM_OK);
      found[0] = fmax(found[0], distance(at->q, whole->q, n));
      found[1] = fmax(found[1], distance(at->v, whole->v, n));
      found[2] = fmax(found[2], distance(at->lambda, whole->lambda, mbs_n_constraints(p.model)));
      found[3] = fmax(found[3], distance(at->work, whole->work, 2));
    }
  }
  for (int i = 0; i < 4; i++)
    cr_expect_lt(found[i], bound[i], "%.8s.., %s, %.17g: %d: %.2g", text + 14, scheme, tj, i, found[i]);
  mbs_integrator_destroy(reference);
  mbs_state_destroy(whole);
  mbs_state_destroy(between);
  cosim_fixture_free(&p);
}

Test(rows_at_kinks, a_driver_whose_rate_jumps) {
  static const char *const schemes[] = {"ff-colloc-s3", "fd-colloc-s3", "df-colloc-s3", "dd-colloc-s3"};
  for (int k = 0; k < 4; k++)
    expect_rows_of_the_whole(driven, schemes[k], 0.3337, (const double[]){1e-9, 1e-7, 1e-7, 1e-5});
}

/* Multipliers jump too: those behind the jump are the whole's. */
Test(rows_at_kinks, a_force_that_jumps_beside_a_cut_joint) {
  expect_rows_of_the_whole(hinged, "ff-colloc-s3", 0.3337, (const double[]){1e-7, 1e-5, 1e-2, 1e-5});
  expect_rows_of_the_whole(hinged, "ff-index1-k1", 0.3337, (const double[]){1e-4, 1e-2, 30, 1e-2});
}

/* ---- Close to macro points and to each other ---- */

/* With steps across the kink rows were off by 4e-3 m/s and multipliers by newtons; with steps of conditions at the
 * joints multipliers by up to 1e9 N. */
Test(rows_at_kinks, close_to_a_macro_point) {
  static const double off[] = {-1e-5, -1e-6, -1e-7, -1e-8, -1e-9, -1e-11, -1e-15, 1e-15, 1e-11, 1e-9, 1e-8, 1e-7, 1e-5};
  static const struct {
    const char *text, *scheme;
    double bound[4];
  } runs[] = {
      {damped, "ff-colloc-s3", {1e-8, 1e-5, 1, 1e-4}},         {damped, "dd-colloc-s3", {1e-8, 1e-5, 1, 1e-4}},
      {driven, "ff-colloc-s3", {1e-9, 1e-7, 1e-6, 1e-5}},      {hinged, "ff-colloc-s3", {1e-7, 1e-5, 1e-2, 1e-5}},
      {hinged, "ff-colloc-s1", {1e-5, 1e-3, 5e-1, 1e-4}},      {hinged, "fd-colloc-s3", {1e-7, 1e-5, 1e-2, 1e-5}},
      {unsupported, "ff-colloc-s3", {1e-8, 1e-5, 1e-2, 1e-5}}, {unsupported, "dd-colloc-s3", {1e-8, 1e-5, 1e-2, 1e-5}}};
  for (size_t k = 0; k < sizeof runs / sizeof *runs; k++)
    for (size_t i = 0; i < sizeof off / sizeof *off; i++)
      expect_rows_of_the_whole(runs[k].text, runs[k].scheme, 0.32 + off[i], runs[k].bound);
}

/* A force of 1 N s in a time w. */
#define STRUCK(joints)                                                                                                 \
  "seam: 1\nname: struck\ngravity: [0, -9.81]\nparameters: {w: 1e-3}\n"                                                \
  "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0]], mass: 1}}\n"                               \
  "joints:\n  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n" joints                                           \
  "  p: {type: force, body: b, y: \"if(t < 0.25, 0, if(t < 0.25 + w, 1/w, 0))\"}\n"                                    \
  "simulate: {end: 0.4}\n"                                                                                             \
  "cosim: {subsystems: {l: [a], r: [b]}, scheme: ff-colloc-s3}\n"

/* Without steps between the kinks, rows in the step that holds both were off by up to 1e5 m at control, status 0. */
Test(rows_at_kinks, a_strike) {
  static const char *const texts[] = {
      STRUCK("  B: {type: revolute, bodies: [a, b], at: [1, 0]}\nforces:\n"),
      STRUCK(
          "forces:\n  B: {type: bushing, bodies: [a, b], at: [1, 0], stiffness: [1e4, 1e4, 0], damping: [9, 9, 0]}\n")};
  static const char *const widths[] = {"parameters.w=1e-3", "parameters.w=1e-6", "parameters.w=1e-10"};
  for (int i = 0; i < 12; i++) {
    const bool is_fixed = i % 2 == 1;
    cosim_fixture p = cosim_fixture_read(texts[i / 6], (const char *const[]){widths[i / 2 % 3], NULL});
    mbs_state *whole = new_state(p.model);
    mbs_state *between = new_state(p.model);
    mbs_integrator *reference = start_monolithic(&p, whole);
    double found = 0;
    if (is_fixed)
      p.definition.step_control = NULL;
    start(&p);
    while (cosim_state(p.run)->t < 0.4 - 1e-9) {
      const double begin = cosim_state(p.run)->t;
      const double to_grid = 0.005 * floor(begin / 0.005 + 1 + 1e-12) - begin;
      cr_assert_eq(is_fixed ? cosim_advance_smooth(p.run, 0.005, to_grid, NULL)
                            : cosim_advance_controlled(p.run, 0.4, NULL),
                   SEAM_OK);
      for (int k = 1; k <= inside; k++) {
        const double t = begin + k * (cosim_state(p.run)->t - begin) / (inside + 1);
        cosim_state_between(p.run, t, between);
        cr_assert_eq(mbs_integrator_advance(reference, t, whole, NULL), SEAM_OK);
        found = fmax(found, distance(between->q, whole->q, 3 * mbs_n_bodies(p.model)));
      }
    }
    cr_expect_lt(found, 1e-6, "%.200s, %s, %d: %.2g", texts[i / 6] + 250, widths[i / 2 % 3], is_fixed, found);
    cr_expect_eq(cosim_statistics_of(p.run).with_kinks, 0);
    mbs_integrator_destroy(reference);
    mbs_state_destroy(whole);
    mbs_state_destroy(between);
    cosim_fixture_free(&p);
  }
}

/* ---- Images and counts ---- */

Test(rows_at_kinks, a_run_restored_at_a_kink_has_the_same_rows) {
  cosim_fixture p = cosim_fixture_read(driven, NULL);
  cosim_fixture other = cosim_fixture_read(driven, NULL);
  mbs_state *one = new_state(p.model);
  mbs_state *two = new_state(p.model);
  start(&p);
  start(&other);
  advance(&p, 16);
  cr_assert_eq(cosim_advance_smooth(p.run, 0.02, 0.02, NULL), SEAM_OK);
  cr_assert_float_eq(cosim_state(p.run)->t, 0.3337, 1e-15);
  cr_assert_eq(cosim_state(p.run)->v[0], 2);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  cr_assert_eq(cosim_restore(other.run, image, size, NULL), SEAM_OK);
  cosim_state_between(p.run, 0.33, one);
  cosim_state_between(other.run, 0.33, two);
  cr_expect_eq(one->v[0], 0);
  cr_expect(same_bits(one, two));
  advance(&p, 5);
  advance(&other, 5);
  cr_expect(same_bits(cosim_state(p.run), cosim_state(other.run)));
  free(image);
  mbs_state_destroy(one);
  mbs_state_destroy(two);
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
}

/* The last step before it followed the whole. */
Test(rows_at_kinks, a_run_restored_after_a_short_step_goes_on_to_the_bit) {
  static const char *const overrides[] = {"parameters.tj=0.31999999", NULL};
  cosim_fixture p = cosim_fixture_read(hinged, overrides);
  cosim_fixture other = cosim_fixture_read(hinged, overrides);
  start(&p);
  start(&other);
  advance(&p, 16);
  cr_assert_float_eq(cosim_state(p.run)->t, 0.32, 1e-15);
  cr_assert_eq(cosim_statistics_of(p.run).macro_steps, 17);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  cr_assert_eq(cosim_restore(other.run, image, size, NULL), SEAM_OK);
  advance(&p, 5);
  advance(&other, 5);
  cr_expect(same_bits(cosim_state(p.run), cosim_state(other.run)));
  free(image);
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
}

static size_t steps_with_kinks(const char *text, const char *scheme, const char *override) {
  cosim_fixture p = cosim_fixture_read(text, (const char *const[]){override, NULL});
  use_scheme(&p, scheme);
  start(&p);
  advance(&p, 50);
  const cosim_statistics s = cosim_statistics_of(p.run);
  cosim_fixture_free(&p);
  cr_expect_eq(s.macro_steps, s.with_kinks > 0 ? 50 : 51);
  return s.with_kinks;
}

/* The exchange's holds meet at equal distances; a joint's past bears no short steps. */
Test(rows_at_kinks, steps_that_do_not_end_at_kinks_are_counted) {
  cr_expect_eq(steps_with_kinks(pushed, "ff-k1", "parameters.tj=0.701"), 0);
  cr_expect_eq(steps_with_kinks(pushed, "fd-k1-exchange", NULL), 1);
  cr_expect_eq(steps_with_kinks(hinged, "ff-index2-k1", NULL), 0);
  cr_expect_eq(steps_with_kinks(hinged, "ff-index2-k1", "parameters.tj=0.3237"), 1);
  cr_expect_eq(steps_with_kinks(hinged, "ff-colloc-s2", "parameters.tj=0.3237"), 0);
}

/* A cart with a sampled controller beside a body on a spring. */
static const char *const cart =
    "seam: 1\nname: cart\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "forces:\n"
    "  s: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 100}\n"
    "  f: {type: force, body: a, x: ctl.u}\n"
    "equations: {ctl: {sample: 0.01, inputs: {off: 0.1 - a.x, v: a.vx}, outputs: {u: 50*off - 8*v}}}\n"
    "simulate: {end: 2}\n"
    "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 2.5e-4, scheme: ff-k1}\n";

/* Sums of 7000 macro steps are off by 2.5e-13 s, which is 1e-9 of one. */
Test(rows_at_kinks, macro_points_that_drift_by_rounding_are_moved_to_samples) {
  static const char *const schemes[] = {"ff-k1", "fd-k2-exchange"};
  for (size_t k = 0; k < 2; k++) {
    cosim_fixture p = cosim_fixture_read(cart, NULL);
    use_scheme(&p, schemes[k]);
    start(&p);
    advance(&p, 8000);
    cr_expect_float_eq(cosim_state(p.run)->t, 2, 1e-15, "%s", schemes[k]);
    cr_expect_eq(cosim_statistics_of(p.run).macro_steps, 8000);
    cr_expect_eq(cosim_statistics_of(p.run).with_kinks, 0, "%s", schemes[k]);
    cosim_fixture_free(&p);
  }
}

/* Two links; samples are counted, whatever the scheme does to states, and however times are rounded. */
static const char *const counting =
    "seam: 1\nname: counting\ngravity: [0, -9.81]\n"
    "bodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}, b: {rod: [[1, 0], [2, 0.3]], mass: 1}}\n"
    "joints:\n"
    "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
    "  B: {type: revolute, bodies: [a, b], at: [1, 0]}\n"
    "equations: {c: {sample: 0.02, inputs: {x: b.x}, states: {n: 0}, updates: {n: n + 1}}}\n"
    "simulate: {end: 2}\n"
    "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.001, scheme: ff-index2-k1}\n";

Test(rows_at_kinks, a_cut_counts_samples) {
  static const char *const schemes[] = {"ff-index2-k1", "ff-projection-k1", "ff-colloc-s2"};
  static const char *const steps[] = {"cosim.macro_step=0.001", "cosim.macro_step=0.007"};
  for (size_t k = 0; k < 6; k++) {
    cosim_fixture p = cosim_fixture_read(counting, (const char *const[]){steps[k / 3], NULL});
    mbs_state *between = new_state(p.model);
    use_scheme(&p, schemes[k % 3]);
    start(&p);
    const double H = p.definition.options.macro_step;
    for (int i = 1; i * H < 1.5; i++) {
      advance(&p, 1);
      for (int half = 1; half <= 2; half++) {
        const double t = (i - 1 + half / 2.0) * H;
        cosim_state_between(p.run, t, between);
        const bool is_earlier = half == 1 && isnan(between->z[0]); /* a sample has divided the step */
        cr_expect(is_earlier || between->z[0] == 1 + floor(t / 0.02 + 1e-6), "%s, %s, t = %g s: %g samples",
                  schemes[k % 3], steps[k / 3], t, between->z[0]);
      }
    }
    mbs_state_destroy(between);
    cosim_fixture_free(&p);
  }
}
