/* Modes of mechanisms with laws of quantities, states of force elements and variables: against closed forms, and
 * against motions of small amplitude. */
#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/measures.h>

#include "tests/support/engine.h"
#include "tests/support/laws.h"

static const double origin[2] = {0, 0};

static seam_modes *modes_of(mechanism *m) {
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(m->model, m->state, &modes, &m->error), SEAM_OK, "%s", m->error.message);
  return modes;
}

static seam_modes *modes_at_rest(mechanism *m) {
  cr_assert_eq(mbs_find_equilibrium(m->ws, m->state, NULL, NULL, &m->error), SEAM_OK, "%s", m->error.message);
  return modes_of(m);
}

static double complex eigenvalue(const seam_mode *mode) { return mode->s[0] + mode->s[1] * I; }

static double complex amplitude(const double *const parts[2], size_t i) { return parts[0][i] + parts[1][i] * I; }

/* ---- Closed forms ---- */

/* J φ'' = -m g l/2 cos φ - k φ - d φ'. */
Test(states, feedback_is_a_spring_and_a_damper) {
  static const char *const inputs[] = {"rod.phi", "rod.omega"};
  const double k = 7;
  const double d = 0.4;
  const double J = 2.0 / 3;
  coefficients law = {{-k, -d}, 2};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", origin, (double[2]){1, 0}, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", origin);
  add_open(builder, "motor", MBS_TORQUE, "rod", NULL, origin);
  add_law(builder, "motor", 0, inputs, 2, linear_of(&law));
  mechanism m = mechanism_build(builder);
  seam_modes *modes = modes_at_rest(&m);
  const double c = k - 2 * 9.81 * 0.5 * sin(m.state->q[2]);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[0], -d / (2 * J), 1e-12);
  cr_expect_float_eq(modes->mode[0].s[1], sqrt(c / J - d * d / (4 * J * J)), 1e-11);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

typedef struct motor {
  double J, k, R, L, c;
  coefficients torque, rate;
} motor;

/* J φ'' = k i - c φ,  L i' = -R i - k φ'. */
static mechanism motor_of(motor *p) {
  static const char *const of_torque[] = {"i", "wheel.phi"};
  static const char *const of_current[] = {"i", "wheel.omega"};
  mbs_builder *builder = new_builder();
  p->torque = (coefficients){{p->k, -p->c}, 2};
  p->rate = (coefficients){{-p->R / p->L, -p->k / p->L}, 2};
  add_body(builder, "wheel", 1, p->J, (double[3]){0, 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "wheel", origin);
  add_open(builder, "drive", MBS_TORQUE, "wheel", NULL, origin);
  add_variable(builder, "i", 0, 0);
  add_law(builder, "drive", 0, of_torque, 2, linear_of(&p->torque));
  set_rate(builder, "i", of_current, 2, linear_of(&p->rate));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

/* (J s² + c) (L s + R) + k² s = 0, and i = -k s φ / (L s + R). */
Test(states, a_motor_with_inductance) {
  motor cases[] = {{.J = 0.02, .k = 0.3, .R = 1.5, .L = 0.1, .c = 0.5},
                   {.J = 0.02, .k = 0.3, .R = 5, .L = 0.1, .c = 0.001}};
  for (size_t n = 0; n < 2; n++) {
    motor *p = &cases[n];
    mechanism m = motor_of(p);
    seam_modes *modes = modes_of(&m);
    double complex sum = 0;
    cr_assert_eq(modes->n, n == 0 ? 2 : 3, "%zu: %zu", n, modes->n);
    for (size_t k = 0; k < modes->n; k++) {
      const seam_mode *mode = &modes->mode[k];
      const double complex s = eigenvalue(mode);
      const double complex rest = (p->J * s * s + p->c) * (p->L * s + p->R) + p->k * p->k * s;
      cr_expect_lt(cabs(rest), 1e-12 * (p->J * p->L * pow(cabs(s), 3) + p->R * p->c));
      const double complex current = -p->k * s / (p->L * s + p->R) * amplitude(mode->shape, 2);
      cr_expect_lt(cabs(amplitude(mode->states, 0) - current), 1e-11 * cabs(current));
      cr_expect_float_eq(cabs(amplitude(mode->shape, 2)), 1, 1e-14);
      sum += s + (mode->s[1] > 0 ? conj(s) : 0);
    }
    cr_expect_float_eq(creal(sum), -p->R / p->L, 1e-10);
    seam_modes_destroy(modes);
    mechanism_free(&m);
  }
}

Test(states, a_motor_that_turns_freely_is_neutral) {
  motor p = {.J = 0.02, .k = 0.3, .R = 1.5, .L = 0.1};
  mechanism m = motor_of(&p);
  seam_modes *modes = modes_of(&m);
  cr_assert_eq(modes->n, 3);
  cr_expect(modes->mode[0].neutral);
  for (size_t k = 1; k < 3; k++) {
    const double s = modes->mode[k].s[0];
    cr_expect_not(modes->mode[k].neutral);
    cr_expect_float_eq(s * s + p.R / p.L * s + p.k * p.k / (p.J * p.L), 0, 1e-10);
  }
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* A block on a horizontal rail with a force f_y = c N, so that the rail bears N = m g / (1 + c), and the friction
 * -μ N tanh(v / v°): s = -μ N / (m v°). */
Test(states, friction_from_a_reaction_that_it_follows) {
  static const char *const normal[] = {"rail.fy", "block.vx"};
  const double m = 2;
  const double mu = 0.2;
  coefficients press = {{0.25}, 1};
  coefficients rub = {{-mu, 0.05}, 2};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "block", m, 1, (double[3]){0, 0, 0});
  add_prismatic(builder, "rail", "block", "ground", origin, (double[2]){1, 0});
  add_open(builder, "load", MBS_POINT_FORCE, "block", NULL, origin);
  add_law(builder, "load", 1, normal, 1, linear_of(&press));
  add_law(builder, "load", 0, normal, 2, friction_of(&rub));
  mechanism block = mechanism_build(builder);
  mechanism_assemble(&block);
  seam_modes *modes = modes_of(&block);
  cr_assert_eq(modes->n, 2);
  cr_expect(modes->mode[0].neutral);
  cr_expect_float_eq(modes->mode[1].s[0], -mu * 9.81 / 1.25 / 0.05, 1e-11);
  seam_modes_destroy(modes);
  mechanism_free(&block);
}

/* ---- States that bodies do not follow, and that do not move ---- */

/* A spring-mounted block whose place a variable follows with a lag, and another sums up. */
static mechanism watched_block(coefficients *lag, coefficients *sum) {
  static const char *const of_lag[] = {"follower", "block.x"};
  static const char *const of_sum[] = {"block.x"};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  *lag = (coefficients){{-3, 3}, 2};
  *sum = (coefficients){{1}, 1};
  add_body(builder, "block", 2, 1, (double[3]){0, 0, 0});
  add_prismatic(builder, "rail", "ground", "block", origin, (double[2]){1, 0});
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "block", origin);
  spring.has_axis = true;
  spring.axis[0] = 1;
  spring.stiffness[0] = 50;
  add_force(builder, &spring);
  add_variable(builder, "follower", 0, 0);
  add_variable(builder, "sum", 0, 0);
  set_rate(builder, "follower", of_lag, 2, linear_of(lag));
  set_rate(builder, "sum", of_sum, 1, linear_of(sum));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

Test(states, variables_that_watch_have_modes_without_bodies) {
  coefficients lag;
  coefficients sum;
  mechanism m = watched_block(&lag, &sum);
  seam_modes *modes = modes_of(&m);
  cr_assert_eq(modes->n, 3);
  cr_expect(modes->mode[0].neutral);
  cr_expect_float_eq(modes->mode[0].states[0][1], 1, 1e-14);
  cr_expect_float_eq(modes->mode[1].s[0], -3, 1e-12);
  cr_expect_float_eq(modes->mode[1].states[0][0], 1, 1e-14);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 3; i++)
      cr_expect_eq(modes->mode[k].shape[0][i], 0);
  const seam_mode *of_block = &modes->mode[2];
  const double complex s = eigenvalue(of_block);
  cr_expect_float_eq(cimag(s), 5, 1e-12);
  cr_expect_float_eq(of_block->shape[0][0], 1, 1e-14);
  cr_expect_lt(cabs(amplitude(of_block->states, 0) - 3 / (s + 3)), 1e-13);
  cr_expect_lt(cabs(amplitude(of_block->states, 1) - 1 / s), 1e-13);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

Test(states, sampled_variables_and_constants_stay) {
  static const char *const held[] = {"u", "block.x", "c"};
  static const char *const measured[] = {"block.vx"};
  coefficients force = {{1, -8, 1}, 3};
  coefficients next = {{-3}, 1};
  mbs_builder *builder = new_builder();
  add_body(builder, "block", 2, 1, (double[3]){0, 0, 0});
  add_prismatic(builder, "rail", "ground", "block", origin, (double[2]){1, 0});
  add_open(builder, "push", MBS_POINT_FORCE, "block", NULL, origin);
  add_variable(builder, "u", 0, 0.1);
  add_variable(builder, "c", 0, 0);
  add_law(builder, "push", 0, held, 3, linear_of(&force));
  set_rate(builder, "u", measured, 1, linear_of(&next));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  seam_modes *modes = modes_of(&m);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[0], 0, 1e-13);
  cr_expect_float_eq(modes->mode[0].s[1], 2, 1e-13);
  cr_expect_eq(modes->mode[0].states[0][0], 0);
  seam_modes_destroy(modes);
  mechanism_free(&m);
}

/* ---- Against motion ---- */

/* Starts along a mode and compares with Re(amplitude e^(s t)). */
static void expect_motion(mechanism *m, const seam_mode *mode, double end) {
  const size_t n = 3 * mbs_n_bodies(m->model);
  const double size = 1e-6;
  const double complex growth = cexp(eigenvalue(mode) * end);
  mbs_state *rest = new_state(m->model);
  mbs_state_copy(rest, m->state);
  for (size_t i = 0; i < n; i++) {
    m->state->q[i] += size * mode->shape[0][i];
    m->state->v[i] = size * creal(eigenvalue(mode) * amplitude(mode->shape, i));
  }
  for (size_t i = 0; i < mbs_n_states(m->model); i++)
    m->state->z[i] += size * mode->states[0][i];
  mbs_integrator *integrator = mechanism_start(m, 8, 1e-13, 0);
  mechanism_advance(m, integrator, end);
  for (size_t i = 0; i < n; i++)
    cr_expect_float_eq((m->state->q[i] - rest->q[i]) / size, creal(amplitude(mode->shape, i) * growth), 2e-4,
                       "coordinate %zu", i);
  for (size_t i = 0; i < mbs_n_states(m->model); i++)
    cr_expect_float_eq((m->state->z[i] - rest->z[i]) / size, creal(amplitude(mode->states, i) * growth),
                       2e-4 * fmax(1, cabs(amplitude(mode->states, i))), "state %zu", i);
  mbs_integrator_destroy(integrator);
  mbs_state_copy(m->state, rest);
  mbs_state_destroy(rest);
}

static void expect_motions(mechanism *m) {
  seam_modes *modes = modes_at_rest(m);
  for (size_t k = 0; k < modes->n; k++)
    expect_motion(m, &modes->mode[k], 1 / hypot(modes->mode[k].s[0], modes->mode[k].s[1]));
  seam_modes_destroy(modes);
}

/* An arm that a cylinder lifts and that bears a rod in a bushing; its spool is held, or opened by the variable "spool",
 * which follows the arm's angle and the bearing's reaction. */
static mechanism crane(bool is_controlled, coefficients f[3]) {
  static const char *const of_spool[] = {"spool"};
  static const char *const of_rate[] = {"spool", "arm.phi", "pivot.fy", "one"};
  static const char *const of_turn[] = {"pivot.fx", "load.omega"};
  static const double held[3] = {0.45, 0, 1};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, (double[2]){0, -1});
  add_rod(builder, "arm", origin, (double[2]){2, 0.5}, 1);
  add_rod(builder, "load", (double[2]){2, 0.5}, (double[2]){2.2, -0.7}, 0.5);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "arm", origin);
  mbs_force_def lift = soft_cylinder("lift", bodies, "ground", (double[2]){0.8, -1.5}, "arm", (double[2]){1.2, 0.3});
  lift.law = is_controlled ? (seam_law){0} : law_of_time(held);
  lift.law_is_state_dependent = is_controlled;
  add_force(builder, &lift);
  mbs_force_def tip = force_between("tip", MBS_BUSHING, bodies, "arm", "load", (double[2]){2, 0.5});
  memcpy(tip.stiffness, (double[3]){50, 40, 2}, sizeof tip.stiffness);
  memcpy(tip.damping, (double[3]){1, 1.5, 0.2}, sizeof tip.damping);
  add_force(builder, &tip);
  if (is_controlled) {
    f[0] = (coefficients){{1}, 1};
    f[1] = (coefficients){{-2, -0.3, 0.02, 1}, 4};
    f[2] = (coefficients){{0.1, -0.05}, 2};
    add_open(builder, "turn", MBS_TORQUE, "load", NULL, origin);
    add_variable(builder, "spool", 0.45, 0);
    add_variable(builder, "one", 1, 0);
    add_law(builder, "lift", 0, of_spool, 1, linear_of(&f[0]));
    set_rate(builder, "spool", of_rate, 4, linear_of(&f[1]));
    add_law(builder, "turn", 0, of_turn, 2, linear_of(&f[2]));
  }
  return mechanism_build(builder);
}

Test(states, small_motions_of_a_hydraulic_crane_go_as_modes_say) {
  mechanism m = crane(false, NULL);
  expect_motions(&m);
  mechanism_free(&m);
}

Test(states, small_motions_of_a_controlled_crane_go_as_modes_say) {
  coefficients f[3];
  mechanism m = crane(true, f);
  expect_motions(&m);
  mechanism_free(&m);
}

/* ---- Contacts ---- */

/* A body on a rail upwards, under weight, `height` above a floor of stiffness k that it meets. */
static mechanism over_floor(double height) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "body", 2, 1, (double[3]){0, height, 0});
  mbs_force_def floor = force_between("floor", MBS_CONTACT, bodies, "ground", "body", origin);
  memcpy(floor.at[1].position, (double[2]){0, height}, sizeof floor.at[1].position);
  floor.contact.has_line = floor.has_axis = true;
  floor.axis[0] = 1;
  floor.axis[1] = 0;
  floor.stiffness[0] = 3000;
  floor.damping[0] = 0.1;
  floor.contact.exponent = 1.5;
  add_force(builder, &floor);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

/* k δ^1.5 = m g: stiffness 1.5 k δ^0.5, damping χ m g. */
Test(states, a_closed_contact_is_a_spring_and_an_open_one_is_not_there) {
  static const double heights[] = {-1e-2, 1e-2, 0};
  for (int i = 0; i < 3; i++) {
    mechanism m = over_floor(heights[i]);
    const mbs_contact_state found = mbs_contact_state_of(m.ws, m.state, 0);
    cr_assert_eq(mbs_n_contact_states(m.model), 1);
    cr_expect_eq(found.acts, i == 0);
    cr_expect_eq(found.is_on_border, i == 2);
    seam_modes *modes = i == 0 ? modes_at_rest(&m) : modes_of(&m);
    const double delta = pow(2 * 9.81 / 3000, 1 / 1.5);
    const double c = 1.5 * 3000 * sqrt(delta) / 2;
    const double d = 0.1 * 9.81;
    size_t n_moving = 0;
    for (size_t k = 0; k < modes->n; k++)
      if (!modes->mode[k].neutral) {
        n_moving++;
        cr_expect_float_eq(modes->mode[k].s[0], -d / 2, 1e-9);
        cr_expect_float_eq(modes->mode[k].s[1], sqrt(c - d * d / 4), 1e-9);
      }
    cr_expect_eq(n_moving, i == 0, "height %g: %zu", heights[i], n_moving);
    seam_modes_destroy(modes);
    mechanism_free(&m);
  }
}
