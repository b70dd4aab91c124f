/* Hydraulic cylinders, the force elements with states: derivatives against differences in every form of the equations,
 * pressures and thrust by hand, energy, statics, and the crane of the literature. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/dynamics/newton.h"
#include "mbs/integrate/integrator.h"
#include "tests/support/differences.h"
#include "tests/support/exact_forms.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { n_samples = 20, MAX_VALUES = 64 };

/* ---- Derivatives of the element: x = (q, v, z) between two bodies ---- */

enum { n_x = 14, n_y = 8 };
static const double time_of_samples = 0.7;

static mechanism two_bodies(double rod_side) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1.5, 0.4, (double[3]){0.1, 0.2, 0.3});
  add_body(builder, "second", 0.8, 0.3, (double[3]){4, 1, -0.5});
  mbs_force_def def = soft_cylinder("lift", bodies, "first", (double[2]){1, 0.5}, "second", (double[2]){3.2, 0.7});
  def.hydraulics.areas[0] = rod_side;
  add_force(builder, &def);
  return mechanism_build(builder);
}

static mbs_pair place(const mbs_force *force, const double *x, mbs_frame frame[3]) {
  frame[0] = (mbs_frame){.cos = 1};
  for (int b = 0; b < 2; b++)
    frame[b + 1] = mbs_frame_at(x + 3 * b, x + 6 + 3 * b);
  return mbs_force_pair(force, frame);
}

/* y = (Q, Z). */
static void load_and_rates(const void *context, const double *x, double *y) {
  const mbs_force *force = context;
  mbs_frame frame[3];
  mbs_power power = {0};
  const mbs_pair pair = place(force, x, frame);
  force->type->load(force, &pair, time_of_samples, x + 12, y, &power);
  force->type->states->rates(force, &pair, time_of_samples, x + 12, y + 6);
}

static void random_x(const mechanism *m, uint64_t *seed, double *x) {
  memcpy(x, m->model->initial, 12 * sizeof *x);
  for (int i = 0; i < 12; i++)
    x[i] += random_between(seed, -0.2, 0.2);
  for (int i = 12; i < 14; i++)
    x[i] = random_between(seed, 0.8, 3.7);
}

/* Row by row of (∂Q, ∂Z) by (q, v, z). */
static void exact_derivatives(const mbs_force *force, const double *x, double J[n_y][n_x]) {
  double Kq[6][6];
  double Kv[6][6];
  mbs_frame frame[3];
  mbs_state_gradient gradient;
  const mbs_pair pair = place(force, x, frame);
  force->type->derivatives(force, &pair, time_of_samples, x + 12, Kq, Kv);
  force->type->states->derivatives(force, &pair, time_of_samples, x + 12, &gradient);
  for (int i = 0; i < n_y; i++) {
    memcpy(J[i], i < 6 ? Kq[i] : gradient.Zq[i - 6], 6 * sizeof(double));
    memcpy(J[i] + 6, i < 6 ? Kv[i] : gradient.Zv[i - 6], 6 * sizeof(double));
    memcpy(J[i] + 12, i < 6 ? gradient.Qz[i] : gradient.Zz[i - 6], 2 * sizeof(double));
  }
}

static void expect_exact_derivatives(double rod_side) {
  uint64_t seed = 1;
  mechanism m = two_bodies(rod_side);
  for (int sample = 0; sample < n_samples; sample++) {
    double x[n_x];
    double exact[n_y][n_x];
    double differences[n_y * n_x];
    random_x(&m, &seed, x);
    exact_derivatives(&m.model->forces[0], x, exact);
    differentiate(load_and_rates, &m.model->forces[0], x, n_x, n_y, differences);
    expect_close(exact[0], differences, n_y * n_x, 1e-8, "derivatives");
  }
  mechanism_free(&m);
}

Test(hydraulics, derivatives_of_load_and_rates_are_exact) {
  expect_exact_derivatives(0.7);
  expect_exact_derivatives(0.3);
}

/* Beyond pump and tank a valve lets nothing through. */
Test(hydraulics, valves_are_one_way) {
  mechanism m = two_bodies(0.7);
  const mbs_force *force = &m.model->forces[0];
  double x[n_x] = {0};
  double y[n_y];
  memcpy(x, m.model->initial, 12 * sizeof *x);
  memcpy(x + 12, (double[2]){4.2, 0.3}, 2 * sizeof *x);
  load_and_rates(force, x, y);
  cr_expect_lt(y[6], 0);
  cr_expect_gt(y[7], 0);
  double exact[n_y][n_x];
  exact_derivatives(force, x, exact);
  cr_expect(isfinite(exact[6][12]) && isfinite(exact[7][13]));
  memcpy(x + 12, (double[2]){force->hydraulics.pump, force->hydraulics.tank}, 2 * sizeof *x);
  exact_derivatives(force, x, exact);
  cr_expect(isfinite(exact[6][12]) && isfinite(exact[7][13]));
  mechanism_free(&m);
}

/* ---- By hand: two points 5 m apart along (3, 4), leaving each other with 2 m/s ---- */

static mechanism drawn_apart(void) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "second", 1, 1, (double[3]){3, 4, 0});
  mbs_force_def def = soft_cylinder("lift", bodies, "first", (double[2]){0, 0}, "second", (double[2]){3, 4});
  memcpy(def.hydraulics.pressures, (double[2]){1, 3}, sizeof def.hydraulics.pressures);
  add_force(builder, &def);
  mechanism m = mechanism_build(builder);
  memcpy(m.state->v + 3, (double[2]){1.2, 1.6}, 2 * sizeof(double));
  return m;
}

/* 0.7 m² * 2 Pa of thrust less 0.3 Ns/m * 2 m/s push the first body back along (3, 4). */
Test(hydraulics, the_second_pressure_extends) {
  double wrench[3];
  mechanism m = drawn_apart();
  mbs_force_wrench(m.ws, m.state, 0, wrench);
  cr_expect_float_eq(wrench[0], -0.8 * 0.6, 1e-14);
  cr_expect_float_eq(wrench[1], -0.8 * 0.8, 1e-14);
  cr_expect_float_eq(wrench[2], 0, 1e-14);
  mechanism_free(&m);
}

Test(hydraulics, pistons_are_driven_and_dissipate) {
  mechanism m = drawn_apart();
  cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
  cr_expect_float_eq(m.ws->power.driven, 0.7 * 2 * 2, 1e-14);
  cr_expect_float_eq(m.ws->power.dissipated, 0.3 * 4, 1e-14);
  mechanism_free(&m);
}

/* β(1) = 1.38/0.36, β(3) = 2.02/0.28; the spool is at 0.55. */
Test(hydraulics, pressures_follow_squeeze_and_flow) {
  mechanism m = drawn_apart();
  cr_assert_eq(mbs_evaluate(m.ws, m.state, NULL), SEAM_OK);
  const double scale = 0.67 * 0.5 * sqrt(2 / 1.2);
  const double first = scale * (0.55 * sqrt(3) - 0.45 * sqrt(0.5));
  const double second = scale * (0.45 * sqrt(1) - 0.55 * sqrt(2.5));
  cr_expect_float_eq(m.ws->z_rates[0], 1.38 / 0.36 / (0.7 * 1.5) * (0.7 * 2 + first), 1e-14);
  cr_expect_float_eq(m.ws->z_rates[1], 2.02 / 0.28 / (0.7 * 1.5) * (-0.7 * 2 + second), 1e-14);
  mechanism_free(&m);
}

Test(hydraulics, states_have_names) {
  mechanism m = soft_crane();
  cr_assert_eq(mbs_n_states(m.model), 2);
  cr_expect_eq(mbs_state_of(m.model, 0).force, mbs_find_force(m.model, "lift"));
  cr_expect_eq(mbs_state_of(m.model, 1).force, mbs_find_force(m.model, "lift"));
  cr_expect_str_eq(mbs_state_of(m.model, 0).name, "p1");
  cr_expect_str_eq(mbs_state_of(m.model, 1).name, "p2");
  mechanism_free(&m);
}

Test(hydraulics, each_state_has_its_force) {
  enum { N = 5 };
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "second", 1, 1, (double[3]){3, 4, 0});
  for (int i = 0; i < N; i++) {
    static const char *const names[2][N] = {{"c0", "c1", "c2", "c3", "c4"}, {"t0", "t1", "t2", "t3", "t4"}};
    mbs_force_def def = soft_cylinder(names[0][i], bodies, "first", (double[2]){0, 0}, "second", (double[2]){3, 4});
    add_force(builder, &def);
    mbs_force_def between = mbs_default_force_def();
    between.name = names[1][i];
    between.kind = MBS_TORSION;
    between.bodies = bodies;
    between.n_bodies = 2;
    add_force(builder, &between);
  }
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_n_states(m.model), 2 * N);
  for (size_t i = 0; i < 2 * N; i++)
    cr_expect_eq(mbs_state_of(m.model, i).force, 2 * (i / 2));
  cr_expect_eq(mbs_state_of(m.model, 2 * N).force, SEAM_NONE);
  mechanism_free(&m);
}

Test(hydraulics, pressures_start_at_rest) {
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  cr_expect_float_eq(m.ws->z_rates[0], 0, 1e-14);
  cr_expect_float_eq(m.ws->z_rates[1], 0, 1e-14);
  mechanism_free(&m);
}

/* ---- All forms of the equations, near the start of the soft crane ---- */

static mechanism moving_crane(void) {
  uint64_t seed = 3;
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  m.state->v[2] = 0.4;
  memcpy(m.state->z, (double[2]){1.3, 2.9}, 2 * sizeof(double));
  for (int i = 3; i < 6; i++)
    m.state->v[i] = random_between(&seed, -0.3, 0.3);
  cr_assert_eq(mbs_project(m.ws, m.state->t, m.state->q, m.state->v, NULL), SEAM_OK);
  cr_assert_eq(mbs_accelerate(m.ws, m.state, NULL), SEAM_OK);
  return m;
}

Test(hydraulics, the_linearised_equations_are_derivatives) {
  mechanism m = moving_crane();
  expect_exact_linearisation(&m);
  mechanism_free(&m);
}

Test(hydraulics, newton_takes_states_exactly) {
  mechanism m = moving_crane();
  expect_exact_newton(&m, 1e-3);
  expect_exact_newton(&m, 0.3);
  mechanism_free(&m);
}

Test(hydraulics, the_jacobian_of_the_stabilised_form_is_exact) {
  mechanism m = moving_crane();
  expect_exact_stabilised_form(&m);
  mechanism_free(&m);
}

/* ---- Motion ---- */

static void run(const char *method, double tolerance, double step, double t, double *end) {
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start_by(&m, method, tolerance, step);
  mechanism_advance(&m, integrator, t);
  memcpy(end, m.state->q, mbs_n_controlled(m.model) * sizeof *end);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(hydraulics, all_methods_find_the_same_motion) {
  static const struct {
    const char *method;
    double error;
  } runs[] = {{"radau", 1e-7}, {"ida", 1e-5}, {"cvode", 1e-5}};
  double expected[MAX_VALUES];
  double found[MAX_VALUES];
  run("erk", 1e-12, 0, 2, expected);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    run(runs[i].method, 1e-9, 0, 2, found);
    expect_close(found, expected, 14, runs[i].error, runs[i].method);
  }
}

Test(hydraulics, fixed_steps_have_their_order) {
  static const struct {
    const char *method;
    double ratio;
  } runs[] = {{"rk4", 16}, {"rk2", 4}, {"symplectic_euler", 2}};
  double expected[MAX_VALUES];
  double coarse[MAX_VALUES];
  double fine[MAX_VALUES];
  run("erk", 1e-12, 0, 1, expected);
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    run(runs[i].method, 1e-8, 0.005, 1, coarse);
    run(runs[i].method, 1e-8, 0.0025, 1, fine);
    for (int p = 12; p < 14; p++) {
      const double ratio = (coarse[p] - expected[p]) / (fine[p] - expected[p]);
      cr_expect_float_eq(ratio, runs[i].ratio, 0.15 * runs[i].ratio, "%s: ratio %g", runs[i].method, ratio);
    }
  }
}

Test(hydraulics, energy_is_what_was_driven_in_less_what_was_dissipated) {
  static const char *const methods[] = {"erk", "radau", "cvode"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    mechanism m = soft_crane();
    mechanism_assemble(&m);
    const mbs_energy start = mbs_energy_of(m.ws, m.state);
    mbs_integrator *integrator = mechanism_start_by(&m, methods[i], 1e-10, 0);
    mechanism_advance(&m, integrator, 3);
    const mbs_energy end = mbs_energy_of(m.ws, m.state);
    cr_expect_float_eq(end.total + end.dissipated - end.driven, start.total, 1e-7, "%s", methods[i]);
    cr_expect_gt(fabs(end.driven), 0.01);
    mbs_integrator_destroy(integrator);
    mechanism_free(&m);
  }
}

Test(hydraulics, images_hold_the_states) {
  mechanism m = soft_crane();
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-9, 0);
  const size_t size = mbs_integrator_image_size(integrator);
  void *image = malloc(size);
  double first[MAX_VALUES];
  mechanism_advance(&m, integrator, 0.5);
  mbs_integrator_save(integrator, image);
  mechanism_advance(&m, integrator, 1);
  memcpy(first, m.state->q, mbs_n_controlled(m.model) * sizeof *first);
  cr_assert_eq(mbs_integrator_restore(integrator, image, size, NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect_arr_eq(first, m.state->q, mbs_n_controlled(m.model) * sizeof *first);
  free(image);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* A block that a cylinder holds; its piston is at an end at x = 0.5 and 1.5. */
static mechanism block_on_a_short_cylinder(double mass) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "block", mass, 1, (double[3]){1, 0, 0});
  add_prismatic(builder, "guide", "ground", "block", (double[2]){0, 0}, (double[2]){1, 0});
  mbs_force_def def = soft_cylinder("lift", bodies, "ground", (double[2]){0, 0}, "block", (double[2]){1, 0});
  def.hydraulics.length = 1;
  def.hydraulics.bulk[1] = 0;
  add_force(builder, &def);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

Test(hydraulics, the_cause_of_rates_that_are_not_finite_is_reported) {
  mechanism m = block_on_a_short_cylinder(1);
  m.state->q[0] = 1.6;
  cr_expect_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "force 'lift': its piston is at the end of its cylinder"), "%s",
                     m.error.message);
  m.state->q[0] = 1.4;
  m.state->z[0] = -3; /* below -1/a */
  cr_expect_eq(mbs_evaluate(m.ws, m.state, &m.error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(m.error.message, "force 'lift': its pressures are outside"), "%s", m.error.message);
  mechanism_free(&m);
}

/* The mass is too heavy for the fluid to stop it. Rates grow without bound before the end, where adaptive steps fail.
 */
Test(hydraulics, every_method_names_a_piston_at_its_end) {
  static const struct {
    const char *method;
    double step;
  } runs[] = {{"erk", 0}, {"radau", 0}, {"cvode", 0}, {"ida", 0}, {"rk4", 7e-4}, {"radau", 7e-4}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    for (double tolerance = 1e-6; tolerance > 1e-11; tolerance /= 100) {
      mechanism m = block_on_a_short_cylinder(1e6);
      m.state->v[0] = 0.5;
      mbs_integrator *integrator = mechanism_start_by(&m, runs[i].method, tolerance, runs[i].step);
      cr_expect_eq(mbs_integrator_advance(integrator, 2, m.state, &m.error), SEAM_NOT_FINITE);
      cr_expect_not_null(strstr(m.error.message, "its piston is at the end of its cylinder"), "%s: %s", runs[i].method,
                         m.error.message);
      cr_expect_eq(strstr(m.error.message, "or a step of 0.0007 s is too long") != NULL, runs[i].step > 0, "%s: %s",
                   runs[i].method, m.error.message);
      cr_expect_float_eq(m.state->q[0], 1.5, 1e-3);
      mbs_integrator_destroy(integrator);
      mechanism_free(&m);
    }
}

/* ---- Statics ---- */

/* A spring holds the thrust of the pressures at rest: κ = 0.55, so p₂ - p₁ = -0.1/0.505 * 3.5 Pa. */
Test(hydraulics, in_equilibrium_pressures_rest) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "block", 1, 1, (double[3]){2, 0, 0});
  add_prismatic(builder, "guide", "ground", "block", (double[2]){0, 0}, (double[2]){1, 0});
  mbs_force_def def = soft_cylinder("lift", bodies, "ground", (double[2]){0, 0}, "block", (double[2]){2, 0});
  memcpy(def.hydraulics.pressures, (double[2]){1, 3}, sizeof def.hydraulics.pressures);
  add_force(builder, &def);
  mbs_force_def spring = force_between("spring", MBS_SPRING_DAMPER, bodies, "ground", "block", (double[2]){0, 0});
  memcpy(spring.at[1].position, (double[2]){2, 0}, sizeof spring.at[1].position);
  spring.stiffness[0] = 20;
  add_force(builder, &spring);
  mechanism m = mechanism_build(builder);
  cr_assert_eq(mbs_find_equilibrium(m.ws, m.state, NULL, NULL, &m.error), SEAM_OK, "%s", m.error.message);
  const double difference = -0.1 / 0.505 * 3.5;
  cr_expect_float_eq(m.state->z[1] - m.state->z[0], difference, 1e-12);
  cr_expect_float_eq(m.state->q[0], 2 + 0.7 * difference / 20, 1e-12);
  mechanism_free(&m);
}

/* ---- The hydraulic crane ([Rodriguez] 4.4) ---- */

static mechanism hydraulic_crane(const double *spool) {
  const char *bodies[2];
  const double end[2] = {cos(pi / 6), sin(pi / 6)};
  const double centre = 350.0 / 450;
  const double inertia = 200.0 / 12 + 200 * (centre - 0.5) * (centre - 0.5) + 250 * (1 - centre) * (1 - centre);
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_body(builder, "link1", 450, inertia, (double[3]){centre * end[0], centre * end[1], pi / 6});
  add_body(builder, "load", 100, 1, (double[3]){end[0], end[1] - 0.5, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "link1", (double[2]){0, 0});
  add_distance(builder, "link2", "link1", end, "load", (double[2]){end[0], end[1] - 0.5});
  mbs_force_def lift =
      force_between("lift", MBS_HYDRAULIC_CYLINDER, bodies, "ground", "link1", (double[2]){sqrt(3) / 2, 0});
  memcpy(lift.at[1].position, (double[2]){end[0] / 2, end[1] / 2}, sizeof lift.at[1].position);
  lift.law = law_of_time(spool);
  lift.hydraulics = (mbs_hydraulics){.areas = {65e-4, 65e-4},
                                     .length = 0.442,
                                     .dissipation = 1e5,
                                     .discharge = 0.67,
                                     .density = 850,
                                     .pump = 7.6e6,
                                     .tank = 1e5,
                                     .bulk = {6.53e-10, -1.19e-18},
                                     .valve_area = 5e-4,
                                     .pressures = {NAN, NAN}};
  add_force(builder, &lift);
  return mechanism_build(builder);
}

/* Acceleration with which a crane at rest would begin to turn. */
static double turn_at_rest(double place) {
  const double spool[3] = {place, 0, 0};
  mechanism m = hydraulic_crane(spool);
  mechanism_assemble(&m);
  cr_assert_eq(mbs_accelerate_from_rest(m.ws, m.state, NULL), SEAM_OK);
  const double turn = m.state->a[2];
  mechanism_free(&m);
  return turn;
}

Test(hydraulics, the_spool_of_the_crane_in_equilibrium_is_that_of_the_literature) {
  double low = 0.4;
  double high = 0.5;
  cr_assert(turn_at_rest(low) > 0 && turn_at_rest(high) < 0); /* less than half open lifts */
  for (int k = 0; k < 50; k++) {
    const double middle = (low + high) / 2;
    *(turn_at_rest(middle) > 0 ? &low : &high) = middle;
  }
  cr_expect_float_eq(low, 0.45434559, 1e-8, "spool %.12g", low);
}

/* Pressures there by hand, and that the crane stays: its arm turns by less than rounding of the spool makes it. */
Test(hydraulics, the_crane_rests_in_equilibrium) {
  const double spool[3] = {0.45434559, 0, 0};
  mechanism m = hydraulic_crane(spool);
  mechanism_assemble(&m);
  cr_expect_float_eq(m.state->z[0], 3170846.15966, 1e-4);
  cr_expect_float_eq(m.state->z[1], 4529153.84027, 1e-4);
  mbs_integrator *integrator = mechanism_start_by(&m, "cvode", 1e-10, 0);
  mechanism_advance(&m, integrator, 1);
  cr_expect_float_eq(m.state->q[2], pi / 6, 1e-7, "turned by %g", m.state->q[2] - pi / 6);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

/* ---- A differential cylinder ---- */

static const double piston_side = 0.7;
static const double rod_side = 0.45;

/* A body on a rail, which a cylinder of two areas moves without load. */
static mechanism on_a_rail(const double *spool) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "load", 0.05, 1, (double[3]){60, 0, 0});
  add_prismatic(builder, "rail", "ground", "load", (double[2]){60, 0}, (double[2]){1, 0});
  mbs_force_def lift = soft_cylinder("lift", bodies, "ground", (double[2]){0, 0}, "load", (double[2]){60, 0});
  lift.law = law_of_time(spool);
  lift.hydraulics.areas[0] = rod_side;
  lift.hydraulics.areas[1] = piston_side;
  lift.hydraulics.dissipation = 0;
  lift.hydraulics.length = 90;
  memcpy(lift.hydraulics.bulk, (double[2]){0.004, 0}, sizeof lift.hydraulics.bulk); /* stiff: it settles soon */
  add_force(builder, &lift);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  return m;
}

/* A₂ v = k √(p_P - p₂), A₁ v = k √(p₁ - p_T) and A₂ p₂ = A₁ p₁ with all valves open give
 * v² = k² (A₂ p_P - A₁ p_T) / (A₁³ + A₂³); drawn in, the areas change their parts. */
static void expect_speed(double place, double from_pump, double from_tank, double direction) {
  const double spool[3] = {place, 0, 0};
  const double k = 0.67 * 0.5 * sqrt(2 / 1.2);
  const double v = k * sqrt((from_pump * 4 - from_tank * 0.5) / (pow(from_pump, 3) + pow(from_tank, 3)));
  mechanism m = on_a_rail(spool);
  m.state->v[0] = 0.95 * direction * v;
  memcpy(m.state->z, (double[2]){1.2, 1.2}, 2 * sizeof(double));
  mbs_integrator *integrator = mechanism_start_by(&m, "radau", 1e-10, 0);
  mechanism_advance(&m, integrator, 30);
  cr_expect_float_eq(m.state->v[0], direction * v, 1e-6, "%g, not %g", m.state->v[0], direction * v);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}

Test(hydraulics, a_differential_cylinder_draws_in_faster_than_it_extends) {
  expect_speed(0, piston_side, rod_side, 1);
  expect_speed(1, rod_side, piston_side, -1);
}

/* Both chambers at (p_P + p_T)/2: the rod's cross-section is pushed out. */
Test(hydraulics, a_differential_cylinder_at_rest_pushes_its_rod_out) {
  const double half[3] = {0.5, 0, 0};
  mechanism m = on_a_rail(half);
  cr_expect_float_eq(m.state->z[0], 2.25, 1e-15);
  cr_expect_float_eq(m.state->z[1], 2.25, 1e-15);
  cr_expect_float_eq(mbs_force_push(m.ws, m.state, 0), (piston_side - rod_side) * 2.25, 1e-15);
  mechanism_free(&m);
}

/* What the fluid does is in the motion. */
Test(hydraulics, a_differential_cylinder_drives_what_it_moves) {
  const double wave[3] = {0.5, 0.4, 3};
  mechanism m = on_a_rail(wave);
  mbs_integrator *integrator = mechanism_start_by(&m, "erk", 1e-11, 0);
  for (int i = 1; i <= 10; i++) {
    mechanism_advance(&m, integrator, 0.1 * i);
    const mbs_energy e = mbs_energy_of(m.ws, m.state);
    cr_expect_float_eq(e.kinetic, e.driven, 1e-9);
  }
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}
