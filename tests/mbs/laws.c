/* Laws of quantities and variables: against elements that do the same, closed forms, exact recursions, and differences
 * in every form of the equations; loops through reactions; what is refused. */
#include <criterion/criterion.h>
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <seam/equations.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/responses.h"
#include "mbs/integrate/integrator.h"
#include "mbs/model/laws.h"
#include "mbs/statics/equilibrium_with_states.h"
#include "tests/support/differences.h"
#include "tests/support/exact_forms.h"
#include "tests/support/laws.h"
#include "tests/support/measures.h"

static seam_error error;

static const struct {
  const char *method;
  double tolerance, error;
} methods[] = {{"erk", 1e-11, 1e-9}, {"radau", 1e-12, 1e-8}, {"ida", 1e-10, 1e-6}, {"cvode", 1e-10, 1e-6}};
enum { N_METHODS = sizeof methods / sizeof *methods };

static void advance_by(mechanism *m, size_t method, double t) {
  mechanism_assemble(m);
  mbs_integrator *integrator = mechanism_start_by(m, methods[method].method, methods[method].tolerance, 0);
  mechanism_advance(m, integrator, t);
  mbs_integrator_destroy(integrator);
}

/* ---- A law that does what an element does ---- */

static mbs_builder *pendulum(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  return builder;
}

static const double stiffness = 7;
static const double damping = 0.4;

static mechanism with_torsion(void) {
  const char *bodies[2];
  mbs_builder *builder = pendulum();
  mbs_force_def spring = force_between("spring", MBS_TORSION, bodies, "ground", "rod", (double[2]){0, 0});
  spring.stiffness[0] = stiffness;
  spring.damping[0] = damping;
  add_force(builder, &spring);
  return mechanism_build(builder);
}

static mechanism with_feedback(coefficients *law) {
  static const char *const inputs[] = {"rod.phi", "rod.omega"};
  mbs_builder *builder = pendulum();
  *law = (coefficients){{-stiffness, -damping}, 2};
  add_open(builder, "motor", MBS_TORQUE, "rod", NULL, (double[2]){0, 0});
  add_law(builder, "motor", 0, inputs, 2, linear_of(law));
  return mechanism_build(builder);
}

Test(laws, feedback_is_a_torsion_spring) {
  for (size_t i = 0; i < N_METHODS; i++) {
    coefficients law;
    mechanism expected = with_torsion();
    mechanism found = with_feedback(&law);
    advance_by(&expected, 0, 1.7);
    advance_by(&found, i, 1.7);
    expect_close(found.state->q, expected.state->q, 6, methods[i].error, methods[i].method);
    const mbs_energy passive = mbs_energy_of(expected.ws, expected.state);
    const mbs_energy active = mbs_energy_of(found.ws, found.state);
    cr_expect_float_eq(active.driven, active.total, 10 * methods[i].error, "%s: it starts without energy",
                       methods[i].method);
    cr_expect_float_eq(passive.total + passive.dissipated, 0, 1e-8);
    cr_expect_float_eq(read_one(&found, "motor.torque"), -stiffness * found.state->q[2] - damping * found.state->v[2],
                       1e-12);
    mechanism_free(&expected);
    mechanism_free(&found);
  }
}

/* By Newton's steps, as few. */
Test(laws, feedback_rests_where_a_spring_does) {
  coefficients law;
  mbs_equilibrium steps[2];
  mechanism spring = with_torsion();
  mechanism motor = with_feedback(&law);
  cr_assert_eq(mbs_find_equilibrium(spring.ws, spring.state, &steps[0], NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_find_equilibrium(motor.ws, motor.state, &steps[1], NULL, &error), SEAM_OK, "%s", error.message);
  expect_close(motor.state->q, spring.state->q, 3, 1e-12, "at rest");
  cr_expect_leq(steps[1].steps, steps[0].steps + 1);
  mechanism_free(&spring);
  mechanism_free(&motor);
}

/* ---- A motor: J ω' = k i, L i' = U - R i - k ω ---- */

Test(laws, a_motor_runs_up_as_its_closed_form_says) {
  static const char *const of_current[] = {"i"};
  static const char *const of_both[] = {"i", "wheel.omega", "U"};
  const double J = 0.02;
  const double k = 0.3;
  const double R = 1.5;
  const double L = 0.1;
  const double U = 12;
  const double t = 0.4;
  const double p = R / L;
  const double q = k * k / (J * L);
  const double root = sqrt(p * p / 4 - q); /* overdamped */
  const double s1 = -p / 2 + root;
  const double s2 = -p / 2 - root;
  const double omega = U / k * (1 + (s2 * exp(s1 * t) - s1 * exp(s2 * t)) / (s1 - s2));
  const double current = U / (L * (s1 - s2)) * (exp(s1 * t) - exp(s2 * t));
  for (size_t method = 0; method < N_METHODS; method++) {
    mbs_builder *builder = new_builder();
    coefficients torque = {{k}, 1};
    coefficients rate = {{-R / L, -k / L, U / L}, 3};
    add_body(builder, "wheel", 1, J, (double[3]){0, 0, 0});
    add_joint(builder, "A", MBS_REVOLUTE, "ground", "wheel", (double[2]){0, 0});
    add_open(builder, "drive", MBS_TORQUE, "wheel", NULL, (double[2]){0, 0});
    add_variable(builder, "i", 0, 0);
    add_variable(builder, "U", 1, 0); /* stays */
    add_law(builder, "drive", 0, of_current, 1, linear_of(&torque));
    set_rate(builder, "i", of_both, 3, linear_of(&rate));
    mechanism m = mechanism_build(builder);
    advance_by(&m, method, t);
    cr_expect_float_eq(m.state->v[2], omega, methods[method].error * 100, "%s", methods[method].method);
    cr_expect_float_eq(read_one(&m, "i"), current, methods[method].error * 100, "%s", methods[method].method);
    mechanism_free(&m);
  }
}

/* ---- Sampled feedback: between samples the force is constant ---- */

static mechanism sampled_block(coefficients *force, coefficients *next) {
  static const char *const held[] = {"u"};
  static const char *const measured[] = {"block.x", "block.vx"};
  mbs_builder *builder = new_builder();
  *force = (coefficients){{1}, 1};
  *next = (coefficients){{-3, -1.2}, 2};
  add_body(builder, "block", 2, 1, (double[3]){1, 0, 0});
  add_prismatic(builder, "rail", "ground", "block", (double[2]){0, 0}, (double[2]){1, 0});
  add_open(builder, "push", MBS_POINT_FORCE, "block", NULL, (double[2]){1, 0});
  add_variable(builder, "u", 0, 0.1);
  add_law(builder, "push", 0, held, 1, linear_of(force));
  set_rate(builder, "u", measured, 2, linear_of(next));
  return mechanism_build(builder);
}

Test(laws, a_sampled_controller_follows_the_exact_recursion) {
  const double T = 0.1;
  for (size_t method = 0; method < N_METHODS; method++) {
    coefficients force;
    coefficients next;
    double x = 1;
    double v = 0;
    mechanism m = sampled_block(&force, &next);
    for (int k = 0; k < 25; k++) {
      const double u = -3 * x - 1.2 * v;
      x += T * v + T * T * u / 4;
      v += T * u / 2;
    }
    advance_by(&m, method, 25 * T);
    cr_expect_float_eq(m.state->q[0], x, methods[method].error, "%s", methods[method].method);
    cr_expect_float_eq(m.state->v[0], v, methods[method].error, "%s", methods[method].method);
    cr_expect_float_eq(read_one(&m, "u"), -3 * x - 1.2 * v, 10 * methods[method].error, "it is that after the sample");
    mechanism_free(&m);
  }
}

Test(laws, a_sample_happens_once) {
  coefficients force;
  coefficients next;
  mechanism m = sampled_block(&force, &next);
  mechanism_assemble(&m);
  cr_expect_float_eq(read_one(&m, "u"), -3, 1e-15, "assembled at the time of the first sample");
  m.state->q[0] = 5;
  cr_assert_eq(mbs_sample(m.ws, m.state, &error), SEAM_OK);
  cr_expect_float_eq(read_one(&m, "u"), -3, 1e-15, "this time has been");
  m.state->t = 0.1;
  cr_assert_eq(mbs_sample(m.ws, m.state, &error), SEAM_OK);
  cr_expect_float_eq(read_one(&m, "u"), -15, 1e-15);
  mechanism_free(&m);
}

/* 0.3 is less than 3 * 0.1: without rounding these are one sample. */
Test(laws, samples_of_two_periods_happen_once_each) {
  const double periods[2] = {0.1, 0.3};
  const char *const names[2] = {"often", "seldom"};
  coefficients doubled = {{2}, 1};
  for (size_t method = 0; method < N_METHODS; method++) {
    mbs_builder *builder = pendulum();
    for (int i = 0; i < 2; i++) {
      add_variable(builder, names[i], 1, periods[i]);
      set_rate(builder, names[i], &names[i], 1, linear_of(&doubled));
    }
    mechanism m = mechanism_build(builder);
    advance_by(&m, method, 3.05);
    cr_expect_eq(read_one(&m, "often"), 0x1p31, "%s", methods[method].method);
    cr_expect_eq(read_one(&m, "seldom"), 0x1p11, "%s", methods[method].method);
    mechanism_free(&m);
  }
}

/* ---- Loops ---- */

/* A block of mass m on a horizontal rail, with a force f_y = c N + w where N is the rail's force on it: N = (m g - w) /
 * (1 + c). Its friction is -μ N against the motion. */
static mechanism sliding_block(coefficients *press, coefficients *rub) {
  static const char *const normal[] = {"rail.fy", "block.vx"};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "block", 2, 1, (double[3]){0, 0, 0});
  add_prismatic(builder, "rail", "block", "ground", (double[2]){0, 0}, (double[2]){1, 0});
  add_open(builder, "load", MBS_POINT_FORCE, "block", NULL, (double[2]){0, 0});
  add_law(builder, "load", 1, normal, 1, linear_of(press));
  add_law(builder, "load", 0, normal, 2, friction_of(rub));
  mechanism m = mechanism_build(builder);
  m.state->v[0] = 3;
  return m;
}

Test(laws, friction_from_the_reaction_that_it_follows) {
  const double mu = 0.2;
  for (size_t method = 0; method < N_METHODS; method++) {
    coefficients press = {{0.25}, 1};
    coefficients rub = {{-mu, 1e-3}, 2};
    mechanism m = sliding_block(&press, &rub);
    const double N = 2 * 9.81 / 1.25;
    advance_by(&m, method, 0.5);
    cr_expect_float_eq(m.state->a[0], -mu * N / 2, 1e-6, "%s", methods[method].method);
    cr_expect_float_eq(m.state->v[0], 3 - 0.5 * mu * N / 2, 1e-6, "%s", methods[method].method);
    cr_expect_float_eq(read_one(&m, "rail.fy"), N, 1e-6);
    mechanism_free(&m);
  }
}

Test(laws, a_loop_without_a_single_solution_is_reported) {
  coefficients press = {{-1.5}, 1};
  coefficients rub = {{-0.2, 1e-3}, 2};
  mechanism m = sliding_block(&press, &rub);
  cr_expect_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_SINGULAR);
  cr_expect(strstr(error.message, "'load'") != NULL, "%s", error.message);
  cr_expect(strstr(error.message, "no single solution") != NULL, "%s", error.message);
  mechanism_free(&m);
}

/* u = w - c α of w = c α° is zero but for rounding, whose terms are not. */
Test(laws, a_loop_that_passes_zero_is_solved) {
  static const char *const inputs[] = {"rod.alpha", "w"};
  coefficients sum_of = {{-0.31, 1}, 2};
  mbs_builder *builder = pendulum();
  add_open(builder, "push", MBS_TORQUE, "rod", NULL, (double[2]){0, 0});
  add_variable(builder, "w", 0, 0);
  add_law(builder, "push", 0, inputs, 2, linear_of(&sum_of));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  for (int i = 0; i < 2000; i++) {
    m.state->z[0] = -0.31 * 1.5 * 9.81 * (1 + (i - 1000) * DBL_EPSILON);
    cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
    cr_expect_float_eq(m.state->a[2], -1.5 * 9.81, 1e-11);
  }
  mechanism_free(&m);
}

/* ---- All forms ---- */

typedef struct functions {
  coefficients f[8];
} functions;

/* The soft crane's parts with laws everywhere: a spool that follows a variable, a spring between two bodies that sees a
 * third quantity, a force from a reaction, a torque from a pressure. `reads_a`: a variable's rate from an acceleration.
 */
static mechanism lawful_crane(functions *f, bool reads_a) {
  static const char *const of_spool[] = {"x", "load.phi"};
  static const char *const of_spring[] = {"arm.phi", "load.vy", "y"};
  static const char *const of_force[] = {"load.x", "pivot.fx", "time"};
  static const char *const of_torque[] = {"lift.p1", "arm.omega"};
  static const char *const of_x[] = {"arm.omega", "x", "lift.p2", "spring.length"};
  static const char *const of_y[] = {"x", "y", "pivot.fy"};
  static const char *const of_y_with_a[] = {"x", "y", "load.ay"};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, (double[2]){0, -1});
  add_rod(builder, "arm", (double[2]){0, 0}, (double[2]){2, 0.5}, 1);
  add_rod(builder, "load", (double[2]){2, 0.5}, (double[2]){2.2, -0.7}, 0.5);
  add_joint(builder, "pivot", MBS_REVOLUTE, "ground", "arm", (double[2]){0, 0});
  mbs_force_def lift = soft_cylinder("lift", bodies, "ground", (double[2]){0.8, -1.5}, "arm", (double[2]){1.2, 0.3});
  lift.law = (seam_law){0};
  lift.law_is_state_dependent = true;
  add_force(builder, &lift);
  mbs_force_def tip = force_between("tip", MBS_BUSHING, bodies, "arm", "load", (double[2]){2, 0.5});
  memcpy(tip.stiffness, (double[3]){50, 40, 2}, sizeof tip.stiffness);
  memcpy(tip.damping, (double[3]){1, 1.5, 0.2}, sizeof tip.damping);
  add_force(builder, &tip);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "load", (double[2]){3, 1});
  spring.law_is_state_dependent = true;
  memcpy(spring.at[1].position, (double[2]){2.1, -0.3}, sizeof spring.at[1].position);
  add_force(builder, &spring);
  add_open(builder, "push", MBS_POINT_FORCE, "load", NULL, (double[2]){2.15, -0.5});
  add_open(builder, "turn", MBS_TORQUE, "arm", NULL, (double[2]){0, 0});
  add_variable(builder, "x", 0.45, 0);
  add_variable(builder, "y", 0.2, 0);
  *f = (functions){{{{0.8, 0.1}, 2},
                    {{0.7, 0.3, 0.4}, 3},
                    {{0.3, 0.2, 0.1}, 3},
                    {{0.2, -0.3}, 2},
                    {{-0.3, -0.8, 0.02, 0.1}, 4},
                    {{0.4, -0.6, 0.1}, 3}}};
  add_law(builder, "lift", 0, of_spool, 2, linear_of(&f->f[0]));
  add_law(builder, "spring", 0, of_spring, 3, curved(&f->f[1]));
  add_law(builder, "push", 1, of_force, 3, curved(&f->f[2]));
  add_law(builder, "turn", 0, of_torque, 2, curved(&f->f[3]));
  set_rate(builder, "x", of_x, 4, curved(&f->f[4]));
  set_rate(builder, "y", reads_a ? of_y_with_a : of_y, 3, curved(&f->f[5]));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  m.state->v[2] = 0.4;
  m.state->v[3] = -0.2;
  m.state->v[4] = 0.1;
  m.state->v[5] = 0.3;
  m.state->z[0] = 1.3;
  m.state->z[1] = 2.9;
  cr_assert_eq(mbs_project(m.ws, m.state->t, m.state->q, m.state->v, NULL), SEAM_OK);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, &error), SEAM_OK, "%s", error.message);
  return m;
}

Test(laws, the_linearised_equations_are_derivatives) {
  for (int reads_a = 0; reads_a < 2; reads_a++) {
    functions f;
    mechanism m = lawful_crane(&f, reads_a);
    expect_exact_linearisation(&m);
    mechanism_free(&m);
  }
}

Test(laws, newtons_matrix_is_exact) {
  for (int reads_a = 0; reads_a < 2; reads_a++) {
    functions f;
    mechanism m = lawful_crane(&f, reads_a);
    expect_exact_newton(&m, 1e-3);
    expect_exact_newton(&m, 0.3);
    mechanism_free(&m);
  }
}

Test(laws, the_jacobian_of_the_stabilised_form_is_exact) {
  functions f;
  mechanism m = lawful_crane(&f, false);
  expect_exact_stabilised_form(&m);
  mechanism_free(&m);
}

Test(laws, accelerations_are_refused_where_they_are_not_solved_for) {
  static const char *const methods_without[] = {"radau", "ida"};
  for (int i = 0; i < 2; i++) {
    functions f;
    mechanism m = lawful_crane(&f, true);
    mbs_integrator_options options = mbs_default_integrator_options();
    mbs_integrator *integrator = NULL;
    options.method = methods_without[i];
    cr_expect_eq(mbs_integrator_create(m.model, &options, &integrator, &error), SEAM_BAD_INPUT);
    cr_expect(strstr(error.message, "'y' reads accelerations") != NULL, "%s", error.message);
    mechanism_free(&m);
  }
}

Test(laws, all_methods_find_the_same_motion) {
  double expected[16];
  for (size_t i = 0; i < N_METHODS; i++) {
    functions f;
    mechanism m = lawful_crane(&f, false);
    mbs_integrator *integrator = mechanism_start_by(&m, methods[i].method, methods[i].tolerance, 0);
    mechanism_advance(&m, integrator, 1.5);
    cr_assert_eq(mbs_n_controlled(m.model), 16);
    if (i == 0)
      memcpy(expected, m.state->q, sizeof expected);
    expect_close(m.state->q, expected, 16, 10 * methods[i].error, methods[i].method);
    mbs_integrator_destroy(integrator);
    mechanism_free(&m);
  }
}

/* ---- At rest ---- */

typedef struct rest_place {
  mechanism *m;
  mbs_equilibrium_equations *of;
  const mbs_state *at;
} rest_place;

/* (r, F) at (ζ, z) of the variables. Reactions that laws read are those of the evaluation before: they settle. */
static void residuals_at(const void *context, const double *x, double *R) {
  const rest_place *p = context;
  mbs_equilibrium_equations *of = p->of;
  mbs_state *state = p->m->state;
  mbs_state_copy(state, p->at);
  (void)mbs_equilibrium_displacement(of, x);
  for (int i = 0; i < 3 * of->model->n_bodies; i++)
    state->q[i] += of->dq[i];
  for (int z = of->model->laws.first_state; z < of->n_z; z++)
    state->z[z] += x[of->f + z];
  for (int i = 0; i < 100; i++)
    cr_assert_eq(mbs_accelerate_from_rest(p->m->ws, state, &error), SEAM_OK, "%s", error.message);
  mbs_equilibrium_residual(p->of, state);
  memcpy(R, of->R, (size_t)of->n * sizeof *R);
}

/* States of force elements are at rest: they follow by their rows. */
static void follow(const mbs_equilibrium_equations *of, double *J) {
  const int k = of->model->laws.first_state;
  const int f = of->f;
  const int n = of->n;
  double *block = calloc((size_t)k * (size_t)(k + n), sizeof *block);
  double *moved = block + k * k;
  lapack_int *pivot = calloc((size_t)k, sizeof *pivot);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < k; i++)
      *(j >= f && j < f + k ? &block[i + (j - f) * k] : &moved[i + j * k]) = J[f + i + j * n];
  cr_assert_eq(LAPACKE_dgesv(LAPACK_COL_MAJOR, k, n, block, k, pivot, moved, k), 0);
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      for (int l = 0; l < k && (j < f || j >= f + k); l++)
        J[i + j * n] -= J[i + (f + l) * n] * moved[l + j * k];
  free(block);
  free(pivot);
}

Test(laws, what_drives_a_mechanism_at_rest_is_linearised_exactly) {
  functions functions_of_it;
  mechanism m = lawful_crane(&functions_of_it, false);
  mbs_equilibrium_equations of;
  memset(m.state->v, 0, 6 * sizeof *m.state->v);
  cr_assert_eq(mbs_equilibrium_equations_create(&of, m.ws, &error), SEAM_OK);
  cr_assert_eq(mbs_equilibrium_equations_linearise(&of, m.state, &error), SEAM_OK, "%s", error.message);
  const size_t n = (size_t)of.n;
  double *x = calloc(n, sizeof *x);
  double *found = calloc(2 * n * n, sizeof *found);
  double *expected = found + n * n;
  mbs_state *at = new_state(m.model);
  mbs_state_copy(at, m.state);
  memcpy(found, of.J, n * n * sizeof *found);
  follow(&of, found);
  differentiate(residuals_at, &(rest_place){&m, &of, at}, x, of.n, of.n, expected);
  for (int j = 0; j < of.n; j++)
    for (int i = 0; i < of.n; i++)
      if ((i < of.f || i >= of.f + m.model->laws.first_state) && (j < of.f || j >= of.f + m.model->laws.first_state))
        cr_expect_float_eq(found[i + j * of.n], expected[j + i * of.n], 1e-8, "%d by %d: %g, %g", i, j,
                           found[i + j * of.n], expected[j + i * of.n]);
  free(x);
  free(found);
  mbs_state_destroy(at);
  mbs_equilibrium_equations_free(&of);
  mechanism_free(&m);
}

/* ---- What is refused ---- */

static void expect_refusal(mbs_builder *builder, const char *force, int component, const char *input,
                           const char *cause) {
  coefficients l = {{1}, 1};
  mbs_law_def def = mbs_default_law_def();
  def.force = force;
  def.component = component;
  def.inputs = &input;
  def.n_inputs = 1;
  def.function = linear_of(&l);
  cr_expect_eq(mbs_add_law(builder, &def, &error), SEAM_BAD_INPUT, "%s", cause);
  cr_expect(strstr(error.message, cause) != NULL, "%s", error.message);
}

Test(laws, misuse_is_refused) {
  const char *bodies[2];
  coefficients l = {{1}, 1};
  const char *const input[] = {"rod.phi"};
  mbs_builder *builder = pendulum();
  add_open(builder, "motor", MBS_TORQUE, "rod", NULL, (double[2]){0, 0});
  mbs_force_def spring = force_between("spring", MBS_TORSION, bodies, "ground", "rod", (double[2]){0, 0});
  spring.law_is_state_dependent = true;
  add_force(builder, &spring);
  expect_refusal(builder, "engine", 0, "rod.phi", "'engine', which is not defined");
  expect_refusal(builder, "motor", 1, "rod.phi", "has no component 1");
  expect_refusal(builder, "motor", 0, "rod.size", "unknown quantity 'rod.size'");
  expect_refusal(builder, "motor", 0, "spring.torque", "reads the force of 'spring'");
  expect_refusal(builder, "motor", 0, "energy.dissipated", "reads energy.dissipated or energy.driven");
  add_law(builder, "motor", 0, input, 1, linear_of(&l));
  expect_refusal(builder, "motor", 0, "rod.phi", "two laws");
  mbs_model *model = NULL;
  cr_expect_eq(mbs_build(builder, &model, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "'spring' has law_is_state_dependent, but no law") != NULL, "%s", error.message);
}
