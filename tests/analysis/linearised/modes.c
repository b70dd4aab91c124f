/* Modes against exact solutions, and against motions of small amplitude. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/measures.h>

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

/* ---- Measures ---- */

static void measure(mbs_builder *builder, const char *name, mbs_measure_kind kind, const char *of) {
  mbs_measure_def def = mbs_default_measure_def();
  def.name = name;
  def.kind = kind;
  def.bodies = def.inputs = &of;
  def.n_bodies = kind == MBS_POINT ? 1 : 0;
  def.n_inputs = kind == MBS_EXPRESSION ? 1 : 0;
  def.at[0] = (mbs_marker_def){MBS_INITIAL, {0, -2}};
  cr_assert_eq(mbs_add_measure(builder, &def, NULL), SEAM_OK);
}

/* Two rods hanging from A with a damper between them; measures: A.fx, then those of the end of the second rod. */
static mechanism damped_rods(void) {
  mbs_builder *builder = new_builder();
  const char *bodies[2];
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "first", (double[2]){0, 0}, (double[2]){0, -1}, 1);
  add_rod(builder, "second", (double[2]){0, -1}, (double[2]){0, -2}, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "first", "ground", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "first", "second", (double[2]){0, -1});
  mbs_force_def damper = force_between("damper", MBS_TORSION, bodies, "first", "second", (double[2]){0, -1});
  damper.damping[0] = 0.8;
  add_force(builder, &damper);
  measure(builder, "bearing", MBS_EXPRESSION, "A.fx");
  measure(builder, "end", MBS_POINT, "second");
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

/* s z of complex numbers. */
static void multiply(const double s[2], const double z[2], double product[2]) {
  product[0] = s[0] * z[0] - s[1] * z[1];
  product[1] = s[0] * z[1] + s[1] * z[0];
}

/* In a mode (r, φ) e^(st): velocities are s times, accelerations s² times displacements, and the bearing bears
 * Σ m s² x. */
Test(modes, measures_follow_the_mode) {
  mechanism m = damped_rods();
  seam_modes *modes = modes_of(&m);
  cr_assert_eq(modes->n, 2);
  enum { BEARING, X, VX = 3, AX = 5, SPEED = 7 };
  for (size_t k = 0; k < 2; k++) {
    const seam_mode *mode = &modes->mode[k];
    double z[8][2];
    double momentum[2] = {0};
    double velocity[2];
    double acceleration[2];
    double force[2];
    for (int part = 0; part < 2; part++) {
      for (int i = 0; i < 8; i++)
        z[i][part] = mode->measures[part][i];
      momentum[part] = mode->shape[part][0] + 2 * mode->shape[part][3];
      cr_expect_float_eq(z[X][part], mode->shape[part][3] + 0.5 * mode->shape[part][5], 1e-14);
    }
    cr_expect_gt(fabs(mode->s[0]), 1e-3);
    multiply(mode->s, z[X], velocity);
    multiply(mode->s, velocity, acceleration);
    multiply(mode->s, momentum, force);
    double twice[2];
    multiply(mode->s, force, twice);
    for (int part = 0; part < 2; part++) {
      const double size = 1e-11 * (mode->s[0] * mode->s[0] + mode->s[1] * mode->s[1]);
      cr_expect_float_eq(z[VX][part], velocity[part], size);
      cr_expect_float_eq(z[AX][part], acceleration[part], size);
      cr_expect_float_eq(z[BEARING][part], twice[part], 10 * size, "%g, %g", z[BEARING][part], twice[part]);
      cr_expect(isnan(z[SPEED][part]), "the speed has no derivative at rest");
    }
  }
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* About a state that moves, coefficients are frozen. */
Test(modes, measures_of_a_moving_state_are_not_given) {
  mechanism m = damped_rods();
  m.state->v[2] = 1;
  seam_modes *modes = modes_of(&m);
  cr_expect(isnan(modes->mode[0].measures[0][0]));
  seam_modes_destroy(modes);
  mechanism_free(&m);
}
