/* The whole between macro points that are far apart. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "mbs/integrate/integrator.h"
#include "tests/support/cosim_fixture.h"

enum { inside = 7 };

/* Largest difference from the whole at points inside of steps: of positions, accelerations, multipliers, work. */
typedef struct difference {
  double position, acceleration, multiplier, work;
} difference;

static double distance(const double *a, const double *b, size_t n) {
  double largest = 0;
  for (size_t i = 0; i < n; i++)
    largest = fmax(largest, fabs(a[i] - b[i]));
  return largest;
}

static difference compare(const char *model, double H, size_t n_steps) {
  static const char *const overrides[] = {"cosim.scheme=ff-colloc-s3", "cosim.rtol=1e-10", "cosim.atol=1e-12", NULL};
  cosim_fixture p = cosim_fixture_read(model, overrides);
  mbs_state *whole = NULL;
  mbs_state *between = NULL;
  difference found = {0};
  const size_t n = 3 * mbs_n_bodies(p.model);
  cr_assert_eq(mbs_state_create(p.model, &whole, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(p.model, &between, NULL), SEAM_OK);
  p.definition.options.macro_step = H;
  mbs_integrator *reference = start_monolithic(&p, whole);
  start(&p);
  for (size_t step = 0; step < n_steps; step++) {
    advance(&p, 1);
    for (int i = 1; i <= inside; i++) {
      const double t = ((double)step + i / (inside + 1.0)) * H;
      cosim_state_between(p.run, t, between);
      cr_assert_eq(mbs_integrator_advance(reference, t, whole, NULL), SEAM_OK);
      found.position = fmax(found.position, distance(between->q, whole->q, n));
      found.acceleration = fmax(found.acceleration, distance(between->a, whole->a, n));
      found.multiplier = fmax(found.multiplier, distance(between->lambda, whole->lambda, mbs_n_constraints(p.model)));
      found.work = fmax(found.work, distance(between->work, whole->work, 2));
    }
  }
  mbs_integrator_destroy(reference);
  mbs_state_destroy(whole);
  mbs_state_destroy(between);
  cosim_fixture_free(&p);
  return found;
}

/* Quintics are right to H⁶, works by powers at both ends to H⁴. */
static void expect_order(const char *model, double H) {
  const size_t n_steps = (size_t)round(0.8 / H);
  const difference coarse = compare(model, H, n_steps);
  const difference fine = compare(model, H / 2, 2 * n_steps);
  cr_expect_gt(log2(coarse.position / fine.position), 5, "%s: %.3g, %.3g", model, coarse.position, fine.position);
  cr_expect_gt(log2(coarse.acceleration / fine.acceleration), 4, "%s: %.3g, %.3g", model, coarse.acceleration,
               fine.acceleration);
  cr_expect_gt(log2(coarse.multiplier / fine.multiplier), 4, "%s: %.3g, %.3g", model, coarse.multiplier,
               fine.multiplier);
  cr_expect_lt(fine.position, 1e-7, "%s: %.3g", model, fine.position);
}

Test(rows, a_cut_joint_between_far_macro_points) { expect_order("four_bar_fixed", 0.04); }

/* Steps that resolve the bushing, whose frequency is about 45 per second. */
Test(rows, a_cut_bushing_between_far_macro_points) {
  expect_order("four_bar_bushing", 0.01);
  const difference coarse = compare("four_bar_bushing", 0.01, 80);
  const difference fine = compare("four_bar_bushing", 0.005, 160);
  cr_expect_gt(log2(coarse.work / fine.work), 3, "%.3g, %.3g", coarse.work, fine.work);
}

/* What rows of a step share is not that of another step. */
Test(rows, of_a_step_do_not_depend_on_rows_of_others) {
  static const char *const overrides[] = {"cosim.scheme=ff-colloc-s3", NULL};
  const double H = 0.01;
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", overrides);
  mbs_state *alone = new_state(p.model);
  mbs_state *again = new_state(p.model);
  p.definition.options.macro_step = H;
  start(&p);
  advance(&p, 3);
  void *image = malloc(cosim_image_size(p.run));
  cosim_save(p.run, image);
  cosim_state_between(p.run, 2.5 * H, again);
  advance(&p, 1);
  cosim_state_between(p.run, 3.5 * H, again);

  cr_assert_eq(cosim_restore(p.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
  advance(&p, 1);
  cosim_state_between(p.run, 3.5 * H, alone);
  cr_expect(same_bits(alone, again));

  start(&p);
  advance(&p, 3);
  cosim_state_between(p.run, 2.5 * H, alone);
  cr_expect_gt(alone->work[0], 0);
  cr_assert_eq(cosim_restore(p.run, image, cosim_image_size(p.run), NULL), SEAM_OK);
  cosim_state_between(p.run, 2.5 * H, again); /* an image has not the steps of the subsystems, but their ends */
  cr_expect_lt(distance(alone->q, again->q, 3 * mbs_n_bodies(p.model)), 1e-7);
  cr_expect_lt(distance(alone->work, again->work, 2), 1e-7);
  free(image);
  mbs_state_destroy(alone);
  mbs_state_destroy(again);
  cosim_fixture_free(&p);
}

/* A ball falls, and rebounds inside of a long macro step of its subsystem: y = y0 - g t²/2, then e v1 (t - t1) - g (t -
 * t1)²/2. */
Test(rows, beside_an_impact_inside_of_a_macro_step) {
  static const char *const text =
      "seam: 1\nname: ball\ngravity: [0, -10]\n"
      "bodies:\n  a: {mass: 1, inertia: 1, at: [0, 0.6]}\n  b: {mass: 1, inertia: 1, at: [0, 9]}\n"
      "forces:\n"
      "  floor: {type: contact, bodies: [ground, a], at: {ground: [0, 0], a: [0, 0]}, line: [1, 0], radius: 0.1,\n"
      "    hard: true, restitution: 0.5}\n"
      "  k: {type: bushing, bodies: [a, b], at: [0, 1], stiffness: [1e-12, 1e-12, 1e-12], damping: [0, 0, 0]}\n"
      "simulate: {end: 0.5}\n"
      "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 0.1, scheme: ff-k1, rtol: 1e-11, atol: 1e-13}\n";
  static const char *const integrators[] = {"cosim.integrator=erk", "cosim.integrator=radau"};
  const double g = 10, t1 = sqrt(0.1), v1 = g * t1, same = 1e-9;
  for (int k = 0; k < 2; k++) {
    cosim_fixture p = cosim_fixture_read(text, (const char *const[]){integrators[k], NULL});
    mbs_state *between = new_state(p.model);
    start(&p);
    for (int row = 1; row < 100; row++) {
      const double t = row * 0.005, since = t - t1;
      if (row % 20 == 1)
        advance(&p, 1);
      cosim_state_between(p.run, t, between);
      const double y = since < 0 ? 0.6 - g * t * t / 2 : 0.1 + v1 / 2 * since - g * since * since / 2;
      const double v = since < 0 ? -g * t : v1 / 2 - g * since;
      cr_expect_float_eq(between->q[1], y, same, "%s, t = %g: y = %.12g, not %.12g", integrators[k], t, between->q[1],
                         y);
      cr_expect_float_eq(between->v[1], v, same, "%s, t = %g: v = %.12g, not %.12g", integrators[k], t, between->v[1],
                         v);
    }
    mbs_state_destroy(between);
    cosim_fixture_free(&p);
  }
}
