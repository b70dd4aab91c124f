/* Static equilibria: by hand where one can, as minima of the energy, as states that do not move. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/laws.h"
#include "tests/support/random.h"

enum { MAX_BODIES = 32 };

static const double g = 9.81;

static mbs_equilibrium settle(mechanism *m) {
  mbs_equilibrium report;
  cr_assert_eq(mbs_find_equilibrium(m->ws, m->state, &report, NULL, &m->error), SEAM_OK, "%s", m->error.message);
  return report;
}

static const double *pose(const mechanism *m, const char *body) {
  return m->state->q + 3 * mbs_find_body(m->model, body);
}

static double potential(const mechanism *m) { return mbs_energy_of(m->ws, m->state).potential; }

/* The potential energy is larger at every assembled place around. */
static void expect_least_energy(mechanism *m, double distance) {
  uint64_t seed = 7;
  const double least = potential(m);
  mbs_state *here = new_state(m->model);
  mbs_state_copy(here, m->state);
  for (int turn = 0; turn < 20; turn++) {
    for (size_t i = 0; i < 3 * mbs_n_bodies(m->model); i++)
      m->state->q[i] += distance * random_between(&seed, -1, 1);
    mechanism_assemble(m);
    cr_expect_gt(potential(m), least);
    mbs_state_copy(m->state, here);
  }
  mbs_state_destroy(here);
}

/* An integrator started there stays there. */
static void expect_fixed_point(mechanism *m) {
  double q[3 * MAX_BODIES];
  const size_t n = 3 * mbs_n_bodies(m->model);
  memcpy(q, m->state->q, n * sizeof *q);
  mbs_integrator *integrator = mechanism_start(m, 8, 1e-10, 0);
  mechanism_advance(m, integrator, 1);
  for (size_t i = 0; i < n; i++)
    cr_expect_float_eq(m->state->q[i], q[i], 1e-9, "coordinate %zu: %.15g instead of %.15g", i, m->state->q[i], q[i]);
  mbs_integrator_destroy(integrator);
}

/* ---- By hand ---- */

Test(equilibrium, a_double_pendulum_hangs) {
  mechanism m = double_pendulum();
  double wrench[3];
  const mbs_equilibrium report = settle(&m);
  cr_expect_eq(report.degrees_of_freedom, 2);
  cr_expect_eq(report.n_neutral, 0);
  cr_expect_float_eq(pose(&m, "link1")[2], -pi / 2, 1e-12);
  cr_expect_float_eq(pose(&m, "link2")[2], -pi / 2, 1e-12);
  cr_expect_float_eq(pose(&m, "link2")[1], -1.5, 1e-12);
  mbs_reaction(m.ws, m.state, mbs_find_joint(m.model, "A"), wrench);
  cr_expect_float_eq(wrench[0], 0, 1e-11);
  cr_expect_float_eq(wrench[1], -2 * g, 1e-11);
  expect_fixed_point(&m);
  mechanism_free(&m);
}

static mechanism hung_mass(double start) {
  const char *bodies[2];
  const double top[2] = {0, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "mass", 2, 1, (double[3]){0, start, 0});
  add_prismatic(builder, "guide", "ground", "mass", top, (double[2]){0, 1});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "mass", top);
  spring.has_axis = true;
  spring.axis[1] = 1;
  spring.at[1].frame = MBS_BODY;
  spring.rest = 0;
  spring.stiffness[0] = 50;
  add_force(builder, &spring);
  return mechanism_build(builder);
}

Test(equilibrium, a_mass_stretches_its_spring) {
  static const double starts[] = {-1, 7, 340, 1e4};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
    mechanism m = hung_mass(starts[i]);
    settle(&m);
    cr_expect_float_eq(pose(&m, "mass")[1], -2 * g / 50, 1e-12 * fmax(1, starts[i]));
    mechanism_free(&m);
  }
}

Test(equilibrium, a_locked_mechanism_has_reactions) {
  mbs_builder *builder = new_builder();
  mechanism m;
  double wrench[3];
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "beam", (double[2]){0, 0}, (double[2]){2, 0}, 3);
  add_joint(builder, "wall", MBS_FIXED, "ground", "beam", (double[2]){0, 0});
  m = mechanism_build(builder);
  cr_expect_eq(mbs_assemble(m.ws, m.state, NULL, NULL, &m.error), SEAM_NOT_ASSEMBLED);
  cr_expect_eq(settle(&m).degrees_of_freedom, 0);
  mbs_reaction(m.ws, m.state, 0, wrench);
  cr_expect_float_eq(wrench[1], -3 * g, 1e-12);
  cr_expect_float_eq(wrench[2], -3 * g, 1e-12);
  mechanism_free(&m);
}

Test(equilibrium, a_driven_mechanism_stands_where_its_law_says) {
  mechanism m = driven_slider_crank();
  m.state->t = 0.35;
  settle(&m);
  cr_expect_float_eq(pose(&m, "crank")[2], 0.7 + 0.3 * cos(4 * 0.35), 1e-12);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m.model); i++)
    cr_expect_eq(m.state->v[i], 0);
  double forces[9];
  mbs_inverse_dynamics(m.ws, m.state, m.state->v, m.state->lambda, forces);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m.model); i++)
    cr_expect_float_eq(forces[i], 0, 1e-10);
  mechanism_free(&m);
}

/* ---- By energy ---- */

Test(equilibrium, closed_loops_come_to_rest_where_their_energy_is_least) {
  mechanism all[] = {four_bar_bushing(), four_bar_fixed(), four_bar_stiff(1e6, 10)};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    settle(&all[i]);
    expect_least_energy(&all[i], 0.01);
    expect_fixed_point(&all[i]);
    mechanism_free(&all[i]);
  }
}

Test(equilibrium, a_spring_holds_a_slider_crank) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  const double P[2] = {cos(1), sin(1)};
  const double Q[2] = {P[0] + sqrt(4 - P[1] * P[1]), 0};
  const double wall[2] = {5, 0};
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "crank", (double[2]){0, 0}, P, 1);
  add_rod(builder, "rod", P, Q, 2);
  add_body(builder, "block", 3, 0.1, (double[3]){Q[0], 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "crank", (double[2]){0, 0});
  add_joint(builder, "P", MBS_REVOLUTE, "crank", "rod", P);
  add_joint(builder, "Q", MBS_REVOLUTE, "rod", "block", Q);
  add_prismatic(builder, "guide", "ground", "block", Q, (double[2]){1, 0});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "block", "ground", Q);
  memcpy(spring.at[1].position, wall, sizeof wall);
  spring.stiffness[0] = 20;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  cr_expect_eq(settle(&m).degrees_of_freedom, 1);
  expect_least_energy(&m, 0.01);
  expect_fixed_point(&m);
  mechanism_free(&m);
}

Test(equilibrium, a_long_chain_hangs) {
  mechanism m = chain(30);
  settle(&m);
  for (int i = 0; i < 30; i++)
    cr_expect_float_eq(m.state->q[3 * i + 2], -pi / 2, 1e-9);
  mechanism_free(&m);
}

/* ---- Large ones ---- */

static void set_rod(mechanism *m, int body, double x, double y, double angle) {
  const double pose[3] = {x, y, angle};
  memcpy(m->state->q + 3 * body, pose, sizeof pose);
}

static void expect_hanging(const mechanism *m, int n) {
  double wrench[3];
  mbs_reaction(m->ws, m->state, mbs_find_joint(m->model, "pivot"), wrench);
  cr_expect_float_eq(wrench[0], 0, 1e-6);
  cr_expect_float_eq(wrench[1], -n * g, 1e-9 * n * g);
  for (int i = 0; i < n; i++)
    cr_expect_float_eq(sin(m->state->q[3 * i + 2]), -1, 1e-12);
}

Test(equilibrium, a_chain_of_150_hangs_wherever_it_started) {
  mechanism level = chain(150);
  mechanism upright = chain(150);
  for (int i = 0; i < 150; i++)
    set_rod(&upright, i, 0, i + 0.5, pi / 2);
  cr_expect_eq(settle(&level).n_neutral, 0);
  cr_expect_eq(settle(&upright).n_neutral, 0);
  expect_hanging(&level, 150);
  expect_hanging(&upright, 150);
  mechanism_free(&level);
  mechanism_free(&upright);
}

/* Of all motions the rod's alone grows: 1e-4 of the slowest swing of the chain, 1e-9 of its fastest. */
Test(equilibrium, a_rod_that_hardly_falls_falls_beside_a_stiff_chain) {
  const char *bodies[2];
  char above[16] = "ground";
  char name[16];
  char joint[16];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "link%d", i);
    snprintf(joint, sizeof joint, "J%d", i);
    add_rod(builder, name, (double[2]){0, -i}, (double[2]){0, -i - 1}, 1);
    add_joint(builder, joint, MBS_REVOLUTE, above, name, (double[2]){0, -i});
    memcpy(above, name, sizeof above);
  }
  add_rod(builder, "rod", (double[2]){5, 0}, (double[2]){5, 1}, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", (double[2]){5, 0});
  mbs_force_def spring = force_between("spring", MBS_TORSION, bodies, "ground", "rod", (double[2]){5, 0});
  spring.stiffness[0] = g / 2 * (1 - 1e-4);
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  settle(&m);
  const double angle = pose(&m, "rod")[2] - pi / 2;
  cr_expect_gt(fabs(angle), 0.02);
  cr_expect_float_eq(spring.stiffness[0] * angle, g / 2 * sin(angle), 1e-9);
  mechanism_free(&m);
}

/* ---- Those that are not stable, or not alone ---- */

static mechanism pendulum_at(double angle) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){cos(angle), sin(angle)}, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  return mechanism_build(builder);
}

Test(equilibrium, an_upright_pendulum_falls) {
  mechanism m = pendulum_at(pi / 2);
  settle(&m);
  cr_expect_float_eq(sin(pose(&m, "rod")[2]), -1, 1e-12);
  mechanism_free(&m);
}

Test(equilibrium, found_from_every_angle) {
  for (int i = -30; i <= 30; i++) {
    const double angle = 0.1 * i;
    mechanism m = pendulum_at(angle);
    settle(&m);
    cr_expect_float_eq(pose(&m, "rod")[2], angle > pi / 2 ? 3 * pi / 2 : -pi / 2, 1e-12);
    mechanism_free(&m);
  }
}

Test(equilibrium, free_motions_are_named) {
  bool neutral[2];
  mbs_equilibrium report;
  mbs_builder *builder = new_builder();
  add_rod(builder, "held", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_rod(builder, "loose", (double[2]){3, 0}, (double[2]){4, 0}, 1);
  add_joint(builder, "wall", MBS_FIXED, "ground", "held", (double[2]){0, 0});
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, &report, neutral, &m.error), SEAM_OK);
  cr_expect_eq(report.n_neutral, 3);
  cr_expect_not(neutral[0]);
  cr_expect(neutral[1]);
  mechanism_free(&m);
}

/* 60 masses on springs, and 30 that nothing holds: three motions each. */
Test(equilibrium, many_free_motions_are_all_counted) {
  enum { n_held = 60, n_loose = 30 };
  const char *bodies[2];
  char name[16];
  char spring[16];
  bool neutral[n_held + n_loose];
  mbs_equilibrium report;
  mbs_builder *builder = new_builder();
  for (int i = 0; i < n_held + n_loose; i++) {
    const double place[2] = {2 * i, 0};
    snprintf(name, sizeof name, "b%d", i);
    add_rod(builder, name, place, (double[2]){2 * i + 1, 0}, 1);
    mbs_force_def bushing = force_between(name, MBS_BUSHING, bodies, "ground", name, place);
    snprintf(spring, sizeof spring, "s%d", i);
    bushing.name = spring;
    for (int k = 0; k < 3; k++)
      bushing.stiffness[k] = 1 + i;
    if (i < n_held)
      add_force(builder, &bushing);
  }
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, &report, neutral, &m.error), SEAM_OK);
  cr_expect_eq(report.n_neutral, 3 * n_loose);
  for (int i = 0; i < n_held + n_loose; i++)
    cr_expect_eq(neutral[i], i >= n_held);
  mechanism_free(&m);
}

Test(equilibrium, what_falls_has_none) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "stone", (double[2]){3, 0}, (double[2]){4, 0}, 1);
  mechanism m = mechanism_build(builder);
  m.state->v[0] = 3;
  cr_expect_eq(mbs_find_equilibrium(m.ws, m.state, NULL, NULL, &m.error), SEAM_NOT_CONVERGED);
  cr_expect_not_null(strstr(m.error.message, "'stone'"), "%s", m.error.message);
  cr_expect_eq(m.state->q[0], 3.5);
  cr_expect_eq(m.state->v[0], 3);
  mechanism_free(&m);
}

Test(equilibrium, random_mechanisms_balance_or_say_why_not) {
  int n_found = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    double forces[3 * MAX_BODIES];
    mechanism m = random_mechanism(seed);
    const seam_status status = mbs_find_equilibrium(m.ws, m.state, NULL, NULL, &m.error);
    if (status != SEAM_OK) {
      cr_expect_eq(status, SEAM_NOT_CONVERGED, "seed %lu: %s", (unsigned long)seed, m.error.message);
    } else {
      n_found++;
      mbs_inverse_dynamics(m.ws, m.state, m.state->a, m.state->lambda, forces);
      for (size_t i = 0; i < 3 * mbs_n_bodies(m.model); i++)
        cr_expect_float_eq(forces[i], 0, 1e-6, "seed %lu: force %g", (unsigned long)seed, forces[i]);
    }
    mechanism_free(&m);
  }
  cr_expect_gt(n_found, 10, "%d", n_found);
}

/* ---- Laws of quantities ---- */

typedef enum path { DIRECT, LAGGED, SAMPLED, N_PATHS } path;

/* An upright rod of 2 kg and 1 m with the torque -k (φ - π/2), by itself, or by way of a variable. */
static mechanism held_upright(double k, path by, coefficients f[2]) {
  static const char *const of_place[] = {"rod.phi", "set"};
  static const char *const of_lag[] = {"rod.phi", "set", "z"};
  static const char *const of_variable[] = {"z"};
  static const double O[2] = {0, 0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", O, (double[2]){0, 1}, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", O);
  add_open(builder, "motor", MBS_TORQUE, "rod", NULL, O);
  add_variable(builder, "set", pi / 2, 0);
  if (by == DIRECT) {
    f[0] = (coefficients){{-k, k}, 2};
    add_law(builder, "motor", 0, of_place, 2, linear_of(&f[0]));
  } else {
    f[0] = (coefficients){{-k}, 1};
    f[1] = by == LAGGED ? (coefficients){{4, -4, -4}, 3} : (coefficients){{1, -1}, 2};
    add_variable(builder, "z", 0, by == LAGGED ? 0 : 0.1);
    add_law(builder, "motor", 0, of_variable, 1, linear_of(&f[0]));
    set_rate(builder, "z", by == LAGGED ? of_lag : of_place, by == LAGGED ? 3 : 2, linear_of(&f[1]));
  }
  return mechanism_build(builder);
}

/* m g l/2 sin θ = k θ, θ from upright: θ = 0 alone, and stable, where k > m g l/2; else it falls to another θ. */
Test(equilibrium, feedback_decides_what_is_stable) {
  const double weight = 2 * 9.81 * 0.5;
  for (int by = 0; by < N_PATHS; by++)
    for (int is_weak = 0; is_weak < 2; is_weak++) {
      coefficients f[2];
      const double k = weight * (is_weak ? 0.8 : 1.2);
      const double phi = pi / 2 + (is_weak ? 1e-3 : 0.4);
      mbs_equilibrium report;
      mechanism m = held_upright(k, (path)by, f);
      memcpy(m.state->q, (double[3]){0.5 * cos(phi), 0.5 * sin(phi), phi}, 3 * sizeof(double));
      cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, &report, NULL, &m.error), SEAM_OK, "%s", m.error.message);
      const double theta = m.state->q[2] - pi / 2;
      cr_expect_float_eq(weight * sin(theta), k * theta, 1e-10);
      cr_expect(is_weak ? theta > 0.5 : fabs(theta) < 1e-12, "%d: %g", by, theta);
      cr_expect_leq(report.steps, 20, "%zu steps", report.steps);
      cr_expect_eq(report.n_neutral, 0);
      mechanism_free(&m);
    }
}

/* c φ1 = e φ2, c φ2 = T: K = (-c e; 0 -c), whose symmetric part has a positive eigenvalue. */
Test(equilibrium, one_follows_the_other) {
  static const char *const of_second[] = {"second.phi"};
  static const char *const constant[] = {"one"};
  static const char *const body[] = {"first", "second"};
  static const double O[2] = {0, 0};
  const char *bodies[2];
  coefficients follow = {{30}, 1};
  coefficients push = {{0.1}, 1};
  mbs_equilibrium report;
  mbs_builder *builder = new_builder();
  for (int i = 0; i < 2; i++)
    add_body(builder, body[i], 1, 1, (double[3]){0, 0, 0});
  for (int i = 0; i < 2; i++) {
    add_joint(builder, i == 0 ? "A" : "B", MBS_REVOLUTE, "ground", body[i], O);
    mbs_force_def spring = force_between(i == 0 ? "s1" : "s2", MBS_TORSION, bodies, "ground", body[i], O);
    spring.stiffness[0] = 2;
    add_force(builder, &spring);
  }
  add_open(builder, "follow", MBS_TORQUE, "first", NULL, O);
  add_open(builder, "push", MBS_TORQUE, "second", NULL, O);
  add_variable(builder, "one", 1, 0);
  add_law(builder, "follow", 0, of_second, 1, linear_of(&follow));
  add_law(builder, "push", 0, constant, 1, linear_of(&push));
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, &report, NULL, &m.error), SEAM_OK, "%s", m.error.message);
  cr_expect_float_eq(m.state->q[5], 0.05, 1e-12);
  cr_expect_float_eq(m.state->q[2], 0.75, 1e-12);
  cr_expect_leq(report.steps, 20, "%zu steps", report.steps);
  mechanism_free(&m);
}
