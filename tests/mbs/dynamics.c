/* The equations of motion against a dense solution, exact motions and what physics keeps. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "tests/support/dense.h"
#include "tests/support/engine.h"
#include "tests/support/random.h"

enum { n_seeds = 40 };

/* ---- Forward, inverse and dense ---- */

static void expect_dense_solution(mechanism *m, int seed) {
  double solution[MAX_UNKNOWNS];
  const int n = 3 * m->model->n_bodies;
  cr_assert_eq(mbs_evaluate(m->ws, m->state, &m->error), SEAM_OK, "seed %d: %s", seed, m->error.message);
  solve_dense(m, solution);
  const double size = largest_of(solution, n + m->model->n_rows);
  for (int i = 0; i < n; i++)
    cr_assert_float_eq(m->state->a[i], solution[i], 1e-10 * size, "seed %d: a[%d]", seed, i);
  for (int i = 0; i < m->model->n_rows; i++)
    cr_assert_float_eq(m->state->lambda[i], solution[n + i], 1e-10 * size, "seed %d: lambda[%d]", seed, i);
}

Test(dynamics, index_1_is_the_dense_saddle_point) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    mechanism m = random_mechanism((uint64_t)seed);
    expect_dense_solution(&m, seed);
    mechanism_free(&m);
  }
}

Test(dynamics, forward_is_inverse) {
  for (int seed = 1; seed <= n_seeds; seed++) {
    double forces[3 * MAX_BODIES];
    mechanism m = random_mechanism((uint64_t)seed);
    const int n = 3 * m.model->n_bodies;
    cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
    mbs_inverse_dynamics(m.ws, m.state, m.state->a, m.state->lambda, forces);
    const double size = largest_of(m.state->lambda, m.model->n_rows);
    for (int i = 0; i < n; i++)
      cr_assert_float_eq(forces[i], 0, 1e-12 * size, "seed %d: force %d is %g", seed, i, forces[i]);
    mechanism_free(&m);
  }
}

/* More acceleration of one body needs its mass times as much force, and nothing of the others. */
Test(dynamics, inverse_dynamics_of_another_motion) {
  double forces[9];
  mechanism m = slider_crank();
  mechanism_assemble(&m);
  m.state->a[6] += 2;
  mbs_inverse_dynamics(m.ws, m.state, m.state->a, m.state->lambda, forces);
  for (int i = 0; i < 9; i++)
    cr_expect_float_eq(forces[i], i == 6 ? 3 * 2 : 0, 1e-12, "force %d", i);
  mechanism_free(&m);
}

/* A workspace that has served other states gives the bits of a new one. */
Test(dynamics, a_workspace_has_no_memory) {
  mechanism m = four_bar_bushing();
  mbs_workspace *new = new_workspace(m.model);
  mbs_state *other = new_state(m.model);
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 5, 1e-6, 0);
  mechanism_advance(&m, integrator, 1);
  mbs_state_copy(other, m.state);
  cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_evaluate(new, other, NULL), SEAM_OK);
  cr_expect_arr_eq(m.state->q, other->q, other->n_values * sizeof(double));
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(other);
  mbs_workspace_destroy(new);
  mechanism_free(&m);
}

/* ---- Exact motions ---- */

/* Moves m from its state to time t and leaves it there. */
static void move(mechanism *m, double tolerance, double t) {
  mechanism_assemble(m);
  mbs_integrator *integrator = mechanism_start(m, 8, tolerance, 0);
  mbs_integrator_set_stop(integrator, t);
  mechanism_advance(m, integrator, t);
  mbs_integrator_destroy(integrator);
}

Test(dynamics, free_fall_is_a_parabola) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "stone", 2, 0.5, (double[3]){1, 2, 3});
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v, (double[3]){3, 4, 5}, 3 * sizeof(double));
  move(&m, 1e-8, 2);
  cr_expect_float_eq(m.state->q[0], 1 + 3 * 2, 1e-13);
  cr_expect_float_eq(m.state->q[1], 2 + 4 * 2 - 9.81 / 2 * 4, 1e-12);
  cr_expect_float_eq(m.state->q[2], 3 + 5 * 2, 1e-13);
  mechanism_free(&m);
}

/* K(sin(θ/2)) = π / (2 agm(1, cos(θ/2))): the period of a pendulum let go at θ is 2π/ω0 / agm(1, cos(θ/2)). */
static double pendulum_period(double omega0, double theta) {
  double a = 1;
  double b = cos(theta / 2);
  while (fabs(a - b) > 1e-15) {
    const double mean = (a + b) / 2;
    b = sqrt(a * b);
    a = mean;
  }
  return 2 * pi / omega0 / a;
}

/* A rod of 1 m let go 120° from its lowest place: ω0² = m g (l/2) / (m l²/3) = 3 g / 2 l. */
static mechanism let_go_rod(void) {
  const double origin[2] = {0, 0};
  const double angle = 2 * pi / 3 - pi / 2;
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", origin, (double[2]){cos(angle), sin(angle)}, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", origin);
  return mechanism_build(builder);
}

Test(dynamics, a_pendulum_is_lowest_after_a_quarter_of_its_period) {
  mechanism m = let_go_rod();
  move(&m, 1e-10, pendulum_period(sqrt(1.5 * 9.81), 2 * pi / 3) / 4);
  cr_expect_float_eq(m.state->q[2], -pi / 2, 1e-9);
  mechanism_free(&m);
}

Test(dynamics, a_pendulum_comes_back_after_its_period) {
  mechanism m = let_go_rod();
  const double start = m.state->q[2];
  move(&m, 1e-10, pendulum_period(sqrt(1.5 * 9.81), 2 * pi / 3));
  cr_expect_float_eq(m.state->q[2], start, 1e-9);
  cr_expect_float_eq(m.state->v[2], 0, 1e-8);
  mechanism_free(&m);
}

/* Mass 2 kg on a spring of 50 N/m with a damper of c along x, 0.1 m from its rest. */
static mechanism oscillator(double c) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "mass", 2, 1, (double[3]){0.1, 0, 0});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "mass", (double[2]){0, 0});
  spring.at[1].position[0] = 0.1;
  spring.has_axis = true;
  spring.axis[0] = 1;
  spring.stiffness[0] = 50;
  spring.damping[0] = c;
  spring.rest = 0;
  add_force(builder, &spring);
  return mechanism_build(builder);
}

/* x = 0.1 cos(5 t) */
Test(dynamics, a_mass_on_a_spring_is_a_cosine) {
  mechanism m = oscillator(0);
  move(&m, 1e-11, 3);
  cr_expect_float_eq(m.state->q[0], 0.1 * cos(5 * 3), 1e-10);
  cr_expect_float_eq(m.state->v[0], -0.5 * sin(5 * 3), 1e-9);
  mechanism_free(&m);
}

/* c = 12: δ = 3, ω = 4: x = 0.1 exp(-3 t) (cos 4 t + 3/4 sin 4 t) */
Test(dynamics, a_damped_mass_on_a_spring_dies_away) {
  const double t = 0.7;
  mechanism m = oscillator(12);
  move(&m, 1e-11, t);
  cr_expect_float_eq(m.state->q[0], 0.1 * exp(-3 * t) * (cos(4 * t) + 0.75 * sin(4 * t)), 1e-11);
  mechanism_free(&m);
}

/* ---- What is kept ---- */

/* Linear momentum, and angular momentum about the origin. */
static void momentum_of(const mechanism *m, double momentum[3]) {
  memset(momentum, 0, 3 * sizeof *momentum);
  for (int b = 0; b < m->model->n_bodies; b++) {
    const double *q = m->state->q + 3 * b;
    const double *v = m->state->v + 3 * b;
    const double *mass = m->model->mass + 3 * (b + 1);
    momentum[0] += mass[0] * v[0];
    momentum[1] += mass[1] * v[1];
    momentum[2] += mass[0] * (q[0] * v[1] - q[1] * v[0]) + mass[2] * v[2];
  }
}

Test(dynamics, a_free_chain_keeps_its_momentum) {
  uint64_t seed = 1;
  double before[3];
  double after[3];
  mechanism m = free_chain(6);
  for (int i = 0; i < 18; i++)
    m.state->v[i] = random_between(&seed, -1, 1);
  mechanism_assemble(&m);
  momentum_of(&m, before);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-11, 0);
  mechanism_advance(&m, integrator, 5);
  momentum_of(&m, after);
  for (int i = 0; i < 3; i++)
    cr_expect_float_eq(after[i], before[i], 1e-9, "component %d: %g", i, after[i] - before[i]);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

typedef struct balance {
  double largest_kinetic; /* J */
  double worst;           /* J, of total + dissipated - driven against its first value */
  double residual;        /* largest of g and G v */
} balance;

/* Runs m for 10 s at rtol = atol = 1e-10, looking 1000 times. Frees m. */
static balance balance_of(mechanism m) {
  balance found = {0};
  mechanism_assemble(&m);
  const double start = mbs_energy_of(m.ws, m.state).total;
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-10, 0);
  for (int i = 1; i <= 1000; i++) {
    mechanism_advance(&m, integrator, 0.01 * i);
    const mbs_energy e = mbs_energy_of(m.ws, m.state);
    found.largest_kinetic = fmax(found.largest_kinetic, e.kinetic);
    found.worst = fmax(found.worst, fabs(e.total + e.dissipated - e.driven - start));
    found.residual = fmax(found.residual, mechanism_residual(&m));
  }
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
  return found;
}

static void expect_balance(mechanism m) {
  const balance found = balance_of(m);
  cr_expect_lt(found.worst, 1e-8 * found.largest_kinetic, "%.2e of %.2e", found.worst, found.largest_kinetic);
  cr_expect_lt(found.residual, 1e-10, "%.2e", found.residual);
}

Test(dynamics, a_four_bar_keeps_its_energy) { expect_balance(four_bar_fixed()); }

Test(dynamics, a_slider_crank_keeps_its_energy) { expect_balance(slider_crank()); }

Test(dynamics, an_undamped_bushing_keeps_energy) { expect_balance(four_bar_undamped()); }

Test(dynamics, dissipated_energy_closes_the_balance) { expect_balance(four_bar_bushing()); }

Test(dynamics, air_closes_the_balance) { expect_balance(double_pendulum()); }

/* A rod on a pivot with every element that dissipates or drives. */
static mechanism driven_rod(void) {
  static const double force_law[3] = {1, 3, 4};
  static const double torque_law[3] = {-0.5, 2, 7};
  static const double spring_law[4] = {5, 3, 0.4, 0.3};
  const double origin[2] = {0, 0};
  const double tip[2] = {1, 0};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", origin, tip, 1);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "rod", origin);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "rod", tip);
  memcpy(spring.at[0].position, (double[2]){0.5, 2}, 2 * sizeof(double));
  spring.law = law_of_stretch(spring_law);
  add_force(builder, &spring);
  mbs_force_def torsion = force_between("torsion", MBS_TORSION, bodies, "ground", "rod", origin);
  torsion.stiffness[0] = 2;
  torsion.damping[0] = 0.05;
  add_force(builder, &torsion);
  mbs_force_def force = force_between("force", MBS_POINT_FORCE, bodies, "rod", NULL, tip);
  force.body_axes = true;
  force.law = force.law_y = law_of_time(force_law);
  add_force(builder, &force);
  mbs_force_def torque = force_between("torque", MBS_TORQUE, bodies, "rod", NULL, origin);
  torque.law = law_of_time(torque_law);
  add_force(builder, &torque);
  return mechanism_build(builder);
}

Test(dynamics, laws_of_time_close_the_balance) { expect_balance(driven_rod()); }
