/* The motion joint: what it prescribes is followed exactly, and its reaction is what it takes. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/model.h"
#include "tests/support/mechanisms.h"

static const double origin[2] = {0, 0};

/* f(t) = 1.4 + 0.5 cos 3 t */
static const double wave[3] = {1.4, 0.5, 3};

static double wave_value(double t) { return wave[0] + wave[1] * cos(wave[2] * t); }
static double wave_rate(double t) { return -wave[1] * wave[2] * sin(wave[2] * t); }
static double wave_second_rate(double t) { return -wave[1] * wave[2] * wave[2] * cos(wave[2] * t); }

/* ---- What is prescribed ---- */

/* A value with its rates. */
typedef struct followed {
  double value, rate, second_rate;
} followed;

typedef followed reading(const mbs_state *state);

static followed coordinate(const mbs_state *state, int i) { return (followed){state->q[i], state->v[i], state->a[i]}; }

static followed read_x(const mbs_state *state) { return coordinate(state, 0); }
static followed read_y(const mbs_state *state) { return coordinate(state, 1); }
static followed read_phi(const mbs_state *state) { return coordinate(state, 2); }

static followed read_angle_between(const mbs_state *state) {
  const followed first = coordinate(state, 2);
  const followed second = coordinate(state, 5);
  return (followed){second.value - first.value, second.rate - first.rate, second.second_rate - first.second_rate};
}

/* r = |x|: r' = x v / r, r'' = (v² + x a - r'²) / r */
static followed read_distance(const mbs_state *state) {
  const double *q = state->q;
  const double *v = state->v;
  const double *a = state->a;
  const double r = hypot(q[0], q[1]);
  const double rate = (q[0] * v[0] + q[1] * v[1]) / r;
  return (followed){r, rate, (v[0] * v[0] + v[1] * v[1] + q[0] * a[0] + q[1] * a[1] - rate * rate) / r};
}

static void expect_wave(mechanism m, reading *read) {
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  for (int i = 0; i <= 30; i++) {
    const double t = 0.1 * i;
    mechanism_advance(&m, integrator, t);
    const followed now = read(m.state);
    cr_assert_float_eq(now.value, wave_value(t), 1e-12, "value at %g s: %.2e", t, now.value - wave_value(t));
    cr_assert_float_eq(now.rate, wave_rate(t), 1e-12, "rate at %g s: %.2e", t, now.rate - wave_rate(t));
    cr_assert_float_eq(now.second_rate, wave_second_rate(t), 1e-11, "second rate at %g s: %.2e", t,
                       now.second_rate - wave_second_rate(t));
  }
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* A falling body with the motion "drive". */
static mechanism driven_body(mbs_motion_of of) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "b", 2, 0.5, (double[3]){1.9, 0, 0.2});
  if (of == MBS_OF_DISTANCE)
    add_motion_of_distance(builder, "drive", "ground", origin, "b", (double[2]){1.9, 0}, law_of_time(wave));
  else
    add_motion(builder, "drive", of, "b", "ground", law_of_time(wave));
  return mechanism_build(builder);
}

Test(drives, x_follows_its_law) { expect_wave(driven_body(MBS_OF_X), read_x); }

Test(drives, y_follows_its_law) { expect_wave(driven_body(MBS_OF_Y), read_y); }

Test(drives, phi_follows_its_law) { expect_wave(driven_body(MBS_OF_PHI), read_phi); }

Test(drives, a_distance_follows_its_law) { expect_wave(driven_body(MBS_OF_DISTANCE), read_distance); }

Test(drives, the_angle_between_two_bodies_follows_its_law) {
  const double elbow[2] = {1, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "upper", origin, elbow, 1);
  add_rod(builder, "lower", elbow, (double[2]){1 + cos(1.9), sin(1.9)}, 1);
  add_joint(builder, "shoulder", MBS_REVOLUTE, "ground", "upper", origin);
  add_joint(builder, "elbow", MBS_REVOLUTE, "upper", "lower", elbow);
  add_motion(builder, "drive", MBS_OF_ANGLE, "upper", "lower", law_of_time(wave));
  expect_wave(mechanism_build(builder), read_angle_between);
}

/* ---- Starting ---- */

Test(drives, a_body_starts_where_its_law_says) {
  mechanism m = driven_body(MBS_OF_Y);
  mechanism_assemble(&m);
  cr_expect_float_eq(m.state->q[1], 1.9, 1e-15);
  cr_expect_eq(m.state->q[0], 1.9);
  mechanism_free(&m);
}

Test(drives, a_body_starts_with_the_rate_of_its_law) {
  static const double steady[2] = {0, 4};
  mbs_builder *builder = new_builder();
  add_body(builder, "b", 2, 0.5, (double[3]){0, 0, 0});
  add_motion(builder, "drive", MBS_OF_PHI, "b", "ground", law_of_steady_motion(steady));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  cr_expect_float_eq(m.state->v[2], 4, 1e-15);
  mechanism_free(&m);
}

Test(drives, a_driven_mechanism_without_freedoms_is_not_locked) {
  mbs_assembly report;
  mechanism m = driven_slider_crank();
  cr_expect_eq(mbs_assemble(m.ws, m.state, &report, NULL, &m.error), SEAM_OK, "%s", m.error.message);
  cr_expect_eq(report.degrees_of_freedom, 0);
  cr_expect_eq(report.n_redundant, 0);
  mechanism_free(&m);
}

/* ---- Reactions ---- */

/* Lifted along y by m (g + f''). */
Test(drives, a_lift_carries_weight_and_inertia) {
  double wrench[3];
  mechanism m = driven_body(MBS_OF_Y);
  mechanism_assemble(&m);
  mbs_reaction(m.ws, m.state, 0, wrench);
  cr_expect_float_eq(wrench[0], 0, 1e-13);
  cr_expect_float_eq(wrench[1], 2 * (9.81 + wave_second_rate(0)), 1e-13);
  cr_expect_float_eq(wrench[2], 0, 1e-13);
  mechanism_free(&m);
}

/* On the second body acts the opposite of the wrench on the first, the ground. */
Test(drives, a_motor_turns_its_second_body) {
  static const double about_zero[3] = {0, 0.5, 3};
  double wrench[3];
  mbs_builder *builder = new_builder();
  add_body(builder, "rotor", 2, 0.7, (double[3]){0, 0, 0.5});
  add_motion(builder, "drive", MBS_OF_ANGLE, "ground", "rotor", law_of_time(about_zero));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  mbs_reaction(m.ws, m.state, 0, wrench);
  cr_expect_float_eq(wrench[2], -0.7 * -4.5, 1e-13);
  mechanism_free(&m);
}

/* Generalised forces (3n) that must act in the slider-crank without its drive so that it moves as the driven one. */
static void forces_without_drive(mechanism *driven, double *forces) {
  const int drive = (int)mbs_joint_of(driven->model, mbs_find_joint(driven->model, "drive")).first_constraint;
  double lambda[16];
  memcpy(lambda, driven->state->lambda, mbs_n_constraints(driven->model) * sizeof *lambda);
  lambda[drive] = 0;
  mbs_inverse_dynamics(driven->ws, driven->state, driven->state->a, lambda, forces);
}

static void run_to(mechanism *m, double t) {
  mechanism_assemble(m);
  mbs_integrator *integrator = mechanism_start(m, 8, 1e-10, 0);
  mechanism_advance(m, integrator, t);
  mbs_integrator_destroy(integrator);
}

Test(drives, the_torque_of_a_motor_is_that_of_inverse_dynamics) {
  double forces[9];
  double wrench[3];
  mechanism m = driven_slider_crank();
  run_to(&m, 0.6);
  mbs_reaction(m.ws, m.state, mbs_find_joint(m.model, "drive"), wrench);
  forces_without_drive(&m, forces);
  for (int i = 0; i < 9; i++)
    cr_expect_float_eq(forces[i], i == 2 ? -wrench[2] : 0, 1e-11, "force %d is %g", i, forces[i]);
  mechanism_free(&m);
}

/* Virtual power with the motion itself: the joints do no work, so τ ω = Σ (M a - Q) v. */
Test(drives, the_power_of_a_motor_is_what_inertia_and_loads_take) {
  double wrench[3];
  double taken[9];
  const double no_lambda[16] = {0};
  double power = 0;
  mechanism m = driven_slider_crank();
  run_to(&m, 0.6);
  mbs_reaction(m.ws, m.state, mbs_find_joint(m.model, "drive"), wrench);
  mbs_inverse_dynamics(m.ws, m.state, m.state->a, no_lambda, taken);
  for (int i = 0; i < 9; i++)
    power += taken[i] * m.state->v[i];
  cr_expect_gt(fabs(power), 1);
  cr_expect_float_eq(-wrench[2] * m.state->v[2], power, 1e-11 * fabs(power));
  mechanism_free(&m);
}

/* ---- Energy ---- */

/* Moved by h at no speed in the end, a lift has taken m g h. */
Test(drives, the_work_of_a_lift_is_weight_times_height) {
  const double half_period = pi / wave[2];
  mechanism m = driven_body(MBS_OF_Y);
  run_to(&m, half_period);
  cr_expect_float_eq(mbs_energy_of(m.ws, m.state).driven, 2 * 9.81 * -2 * wave[1], 1e-9);
  mechanism_free(&m);
}

/* Total + dissipated - driven over 5 s. */
Test(drives, work_of_a_motor_closes_the_balance) {
  mechanism m = driven_slider_crank();
  double largest_kinetic = 0;
  double worst = 0;
  mechanism_assemble(&m);
  const double start = mbs_energy_of(m.ws, m.state).total;
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-10, 0);
  for (int i = 1; i <= 500; i++) {
    mechanism_advance(&m, integrator, 0.01 * i);
    const mbs_energy e = mbs_energy_of(m.ws, m.state);
    largest_kinetic = fmax(largest_kinetic, e.kinetic);
    worst = fmax(worst, fabs(e.total + e.dissipated - e.driven - start));
  }
  cr_expect_lt(worst, 1e-8 * largest_kinetic, "%.2e of %.2e", worst, largest_kinetic);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* A block driven further than crank and rod reach: the run ends there, and says so. */
Test(drives, a_drive_beyond_reach_ends_the_run) {
  static const double away[2] = {2, 1};
  const double P[2] = {cos(1.5), sin(1.5)};
  const double Q[2] = {P[0] + sqrt(4 - P[1] * P[1]), 0};
  mbs_builder *builder = new_builder();
  add_rod(builder, "crank", origin, P, 1);
  add_rod(builder, "rod", P, Q, 2);
  add_body(builder, "block", 3, 0.1, (double[3]){Q[0], 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", origin);
  add_joint(builder, "P", MBS_REVOLUTE, "crank", "rod", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "rod", "block", Q);
  add_prismatic(builder, "guide", "ground", "block", Q, (double[2]){1, 0});
  add_motion(builder, "drive", MBS_OF_X, "block", "ground", law_of_steady_motion(away));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-8, 0);
  cr_expect_eq(mbs_integrator_advance(integrator, 2, m.state, &m.error), SEAM_BECAME_SINGULAR, "%s", m.error.message);
  cr_expect_float_eq(m.state->t, 1, 1e-3);
  for (int i = 0; i < 9; i++)
    cr_expect(isfinite(m.state->q[i]) && isfinite(m.state->v[i]));
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}
