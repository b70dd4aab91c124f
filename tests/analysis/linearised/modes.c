/* Modes against exact solutions, and against motions of small amplitude. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/mechanisms.h"

static const double g = 9.81;

static seam_modes *modes_of(mechanism *m) {
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(m->model, m->state, &modes, &m->error), SEAM_OK, "%s", m->error.message);
  return modes;
}

static seam_modes *modes_at_rest(mechanism *m) {
  cr_assert_eq(mbs_find_equilibrium(m->ws, m->state, NULL, NULL, &m->error), SEAM_OK, "%s", m->error.message);
  return modes_of(m);
}

/* n rods of 1 m and 1 kg, hanging; the joints' dampers, if any, are equal. */
static mechanism hanging_rods(int n) {
  mechanism m = chain(n);
  for (int i = 0; i < n; i++)
    memcpy(m.state->q + 3 * i, (double[3]){0, -0.5 - i, -pi / 2}, 3 * sizeof(double));
  mechanism_assemble(&m);
  return m;
}

/* ---- Exact ---- */

Test(modes, a_pendulum) {
  mechanism m = hanging_rods(1);
  seam_modes *modes = modes_of(&m);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[1], sqrt(g * 1.5), 1e-12); /* m g l/2 over m l²/3 */
  cr_expect_float_eq(modes->mode[0].frequency, sqrt(g * 1.5) / (2 * pi), 1e-12);
  cr_expect_float_eq(modes->mode[0].damping_ratio, 0, 1e-12);
  cr_expect_float_eq(modes->mode[0].shape[0][0], 1, 1e-12);
  cr_expect_float_eq(modes->mode[0].shape[0][2], 2, 1e-12);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* J φ'' = -m g l/2 cos φ: about a swinging pendulum, too, only the angle decides. */
Test(modes, a_swinging_pendulum) {
  for (int i = -4; i <= 4; i++) {
    const double angle = i * pi / 8;
    mechanism m = hanging_rods(1);
    const double s2 = 1.5 * g * sin(angle);
    memcpy(m.state->q, (double[3]){0.5 * cos(angle), 0.5 * sin(angle), angle}, 3 * sizeof(double));
    memcpy(m.state->v, (double[3]){-2.5 * sin(angle), 2.5 * cos(angle), 5}, 3 * sizeof(double));
    cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
    seam_modes *modes = modes_of(&m);
    const seam_mode *last = &modes->mode[modes->n - 1];
    cr_expect_float_eq(last->s[0] * last->s[0] - last->s[1] * last->s[1], s2, 1e-11, "%g", angle);
    seam_modes_destroy(modes);
    mechanism_free(&m);
  }
}

/* Two rods: (4/3 1/2; 1/2 1/3) φ'' = -g (3/2 0; 0 1/2) φ. */
Test(modes, a_double_pendulum) {
  mechanism m = hanging_rods(2);
  seam_modes *modes = modes_of(&m);
  const double a = 4.0 / 9 - 1.0 / 4;
  const double b = -g * (4.0 / 6 + 1.5 / 3);
  const double c = 0.75 * g * g;
  cr_assert_eq(modes->n, 2);
  for (int k = 0; k < 2; k++) {
    const double omega2 = (-b + (k == 0 ? -1 : 1) * sqrt(b * b - 4 * a * c)) / (2 * a);
    const seam_mode *mode = &modes->mode[k];
    const double ratio = (1.5 * g - 4.0 / 3 * omega2) / (0.5 * omega2); /* φ2 / φ1 */
    cr_expect_float_eq(mode->s[1], sqrt(omega2), 1e-11);
    cr_expect_float_eq(mode->shape[0][5] / mode->shape[0][2], ratio, 1e-10);
  }
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* Two masses 1 and 2 kg on guides, springs c and dampers d to the ground and between them. */
static mechanism oscillators(double c, double d) {
  static const double O[2] = {0, 0};
  const char *bodies[2];
  const char *names[2] = {"m1", "m2"};
  mbs_builder *builder = new_builder();
  for (int i = 0; i < 2; i++)
    add_body(builder, names[i], 1 + i, 1, (double[3]){0, 0, 0});
  for (int i = 0; i < 2; i++)
    add_prismatic(builder, i == 0 ? "g1" : "g2", "ground", names[i], O, (double[2]){1, 0});
  for (int i = 0; i < 3; i++) {
    mbs_force_def spring = force_between(i == 0   ? "s1"
                                         : i == 1 ? "s2"
                                                  : "sc",
                                         MBS_SPRING_DAMPER, bodies, i < 2 ? "ground" : "m1", i == 0 ? "m1" : "m2", O);
    spring.has_axis = true;
    spring.axis[0] = 1;
    spring.stiffness[0] = c;
    spring.damping[0] = d;
    add_force(builder, &spring);
  }
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

/* ω² of (2c -c; -c 2c) against diag(1, 2): 2 x² - 6 c x + 3 c² = 0. Dampers in proportion: 2 ζ ω = d/c ω². */
Test(modes, two_oscillators) {
  const double c = 1e3;
  for (int i = 0; i < 2; i++) {
    const double d = 10 * i;
    mechanism m = oscillators(c, d);
    seam_modes *modes = modes_at_rest(&m);
    cr_assert_eq(modes->n, 2);
    for (int k = 0; k < 2; k++) {
      const double omega2 = c * (3 + (k == 0 ? -1 : 1) * sqrt(3)) / 2;
      const double ratio = d / c * sqrt(omega2) / 2;
      const seam_mode *mode = &modes->mode[k];
      cr_expect_float_eq(hypot(mode->s[0], mode->s[1]), sqrt(omega2), 1e-11);
      cr_expect_float_eq(mode->damping_ratio, ratio, 1e-12);
      cr_expect_float_eq(mode->frequency, sqrt(omega2 * (1 - ratio * ratio)) / (2 * pi), 1e-12);
    }
    seam_modes_destroy(modes);
    mechanism_free(&m);
  }
}

Test(modes, an_overdamped_oscillator_creeps) {
  mechanism m = oscillators(1, 50);
  seam_modes *modes = modes_at_rest(&m);
  cr_assert_eq(modes->n, 4);
  for (int k = 0; k < 4; k++) {
    cr_expect_eq(modes->mode[k].frequency, 0);
    cr_expect_eq(modes->mode[k].damping_ratio, 1);
    cr_expect_not(modes->mode[k].neutral);
  }
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* A free chain of three rods: two translations, a rotation, and bends that nothing resists: all neutral. */
Test(modes, what_nothing_holds_is_neutral) {
  mechanism m = free_chain(3);
  mechanism_assemble(&m);
  seam_modes *modes = modes_of(&m);
  cr_expect_eq(modes->n, 10); /* each eigenvalue 0 is double */
  for (size_t k = 0; k < modes->n; k++)
    cr_expect(modes->mode[k].neutral);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

Test(modes, a_locked_mechanism_has_none) {
  mechanism m = driven_slider_crank();
  seam_modes *modes = modes_at_rest(&m);
  cr_expect_eq(modes->n, 0);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* ---- Against motion ---- */

/* Starts along a shape and compares with Re(shape e^(s t)). */
static void expect_motion(mechanism *m, const seam_mode *mode, double end) {
  const size_t n = 3 * mbs_n_bodies(m->model);
  const double size = 1e-6;
  mbs_state *rest = new_state(m->model);
  mbs_state_copy(rest, m->state);
  for (size_t i = 0; i < n; i++) {
    m->state->q[i] += size * mode->shape[0][i];
    m->state->v[i] = size * (mode->s[0] * mode->shape[0][i] - mode->s[1] * mode->shape[1][i]);
  }
  mbs_integrator *integrator = mechanism_start(m, 8, 1e-13, 0);
  mechanism_advance(m, integrator, end);
  for (size_t i = 0; i < n; i++) {
    const double wave = mode->shape[0][i] * cos(mode->s[1] * end) - mode->shape[1][i] * sin(mode->s[1] * end);
    cr_expect_float_eq((m->state->q[i] - rest->q[i]) / size, exp(mode->s[0] * end) * wave, 2e-4,
                       "coordinate %zu: %g instead of %g", i, (m->state->q[i] - rest->q[i]) / size,
                       exp(mode->s[0] * end) * wave);
  }
  mbs_integrator_destroy(integrator);
  mbs_state_copy(m->state, rest);
  mbs_state_destroy(rest);
}

Test(modes, small_motions_go_as_modes_say) {
  mechanism all[] = {double_pendulum(), four_bar_bushing(), four_bar_undamped(), four_bar_fixed(), chain(5)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    seam_modes *modes = modes_at_rest(&all[i]);
    for (size_t k = 0; k < modes->n; k++)
      expect_motion(&all[i], &modes->mode[k], 1 / hypot(modes->mode[k].s[0], modes->mode[k].s[1]));
    seam_modes_destroy(modes);
    mechanism_free(&all[i]);
  }
}
