/* Laws of quantities and equations in a model file, against closed forms, recursions and elements that do the same; the
 * same file whole and cut. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "tests/support/model_run.h"
#include "tests/support/whole_error.h"

static const struct {
  const char *method;
  double tolerance, error;
} methods[] = {{"erk", 1e-11, 1e-9}, {"radau", 1e-12, 1e-8}, {"ida", 1e-10, 1e-6}, {"cvode", 1e-10, 1e-6}};
enum { N_METHODS = sizeof methods / sizeof *methods };

static mbs_integrator_options options_of(size_t method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].method;
  options.rtol = options.atol = methods[method].tolerance;
  return options;
}

static double read_named(const mbs_model *model, const mbs_state *state, const char *name) {
  seam_error error = {0};
  mbs_quantity quantity;
  mbs_readout *readout = NULL;
  mbs_workspace *ws = NULL;
  double value = NAN;
  cr_assert_eq(mbs_find_quantity(model, name, &quantity, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_readout_create(model, &quantity, 1, &readout, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_workspace_create(model, &ws, &error), SEAM_OK, "%s", error.message);
  mbs_read(readout, ws, state, &value);
  mbs_workspace_destroy(ws);
  mbs_readout_destroy(readout);
  return value;
}

/* A quantity at the end of a run. */
static double value_at(const char *text, size_t method, double end, const char *name) {
  const mbs_integrator_options options = options_of(method);
  model_run run = model_run_begin(text, NULL, &options, end);
  model_run_advance(&run, end);
  cr_assert_eq(run.status, SEAM_OK, "%s: %s", methods[method].method, run.error.message);
  const double value = read_named(seam_model_mechanism(run.file), run.state, name);
  model_run_end(&run);
  return value;
}

/* ---- Signs of laws ---- */

#define LAWS(version, at_crank, at_slider)                                                                             \
  "seam: " version "\n"                                                                                                \
  "parameters: {k: 3}\n"                                                                                               \
  "bodies: {crank: {mass: 1, inertia: 1, rate: 1}, slider: {mass: 1, inertia: 1, at: [1, 0], velocity: [1, 0]}}\n"     \
  "joints: {A: {type: revolute, bodies: [ground, crank], at: [0, 0]}}\n"                                               \
  "forces:\n"                                                                                                          \
  "  load: {type: torsion, bodies: [ground, crank], torque: " at_crank "}\n"                                           \
  "  air: {type: spring_damper, bodies: [ground, slider], at: [[0, 0], [1, 0]], force: " at_slider "}\n"

/* A brake under version 2 and its opposite under version 1, of v and of the quantity that v is: e^(-k t). The column
 * has the sign of the law of version 2. */
Test(equations, laws_of_version_2_have_the_signs_of_their_quantities) {
  static const char *const texts[] = {LAWS("2", "-k*v", "-k*v"), LAWS("2", "-k*crank.omega", "-k*slider.vx"),
                                      LAWS("1", "k*v", "k*v"), LAWS("1", "k*crank.omega", "k*slider.vx")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    cr_expect_float_eq(value_at(texts[i], 0, 1, "crank.omega"), exp(-3), 1e-9, "%zu", i);
    cr_expect_float_eq(value_at(texts[i], 0, 1, "load.torque"), -3 * exp(-3), 1e-8, "%zu", i);
    cr_expect_float_eq(value_at(texts[i], 0, 1, "slider.vx"), exp(-3), 1e-9, "%zu", i);
    cr_expect_float_eq(value_at(texts[i], 0, 1, "air.force"), -3 * exp(-3), 1e-8, "%zu", i);
  }
}

/* ---- A direct-current motor: L i' = U - R i - K ω, J ω' = K i ---- */

#define ROTOR                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "parameters: {R: 0.5, L: 0.02, K: 0.1, J: 0.01, U: 12}\n"                                                            \
  "bodies: {rotor: {mass: 1, inertia: J}}\n"                                                                           \
  "joints: {axle: {type: revolute, bodies: [ground, rotor], at: [0, 0]}}\n"

#define MOTOR                                                                                                          \
  ROTOR "forces: {drive: {type: torque, body: rotor, torque: motor.torque}}\n"                                         \
        "equations:\n"                                                                                                 \
        "  motor:\n"                                                                                                   \
        "    inputs: {w: rotor.omega}\n"                                                                               \
        "    states: {i: 0}\n"                                                                                         \
        "    rates: {i: (U - R*i - K*w)/L}\n"                                                                          \
        "    outputs: {torque: K*i}\n"                                                                                 \
        "    units: {i: A, torque: Nm}\n"

/* By the eigenvalues of [[-R/L, -K/L], [K/J, 0]]: i = a (e^(s1 t) - e^(s2 t)). */
static void exact_motor(double t, double *current, double *speed) {
  const double R = 0.5, L = 0.02, K = 0.1, J = 0.01, U = 12;
  const double middle = -R / (2 * L);
  const double root = sqrt(middle * middle - K * K / (J * L));
  const double s[2] = {middle + root, middle - root};
  const double a = U / L / (s[0] - s[1]);
  *current = a * (exp(s[0] * t) - exp(s[1] * t));
  *speed = a * K / J * ((exp(s[0] * t) - 1) / s[0] - (exp(s[1] * t) - 1) / s[1]);
}

Test(equations, current_and_speed_of_a_motor_are_those_of_the_closed_form) {
  double current = 0;
  double speed = 0;
  exact_motor(0.1, &current, &speed);
  for (size_t k = 0; k < N_METHODS; k++) {
    cr_expect_float_eq(value_at(MOTOR, k, 0.1, "motor.i"), current, 10 * methods[k].error, "%s", methods[k].method);
    cr_expect_float_eq(value_at(MOTOR, k, 0.1, "rotor.omega"), speed, 100 * methods[k].error, "%s", methods[k].method);
  }
}

Test(equations, matrices_are_the_same_equations) {
  static const char linear[] = ROTOR "forces: {drive: {type: torque, body: rotor, torque: motor.torque}}\n"
                                     "equations:\n"
                                     "  motor:\n"
                                     "    inputs: {w: rotor.omega, u: \"12*cos(0*t)\"}\n"
                                     "    states: {i: 0}\n"
                                     "    linear: {A: [[-R/L]], B: [[-K/L, 1/L]], C: [[K]]}\n"
                                     "    outputs: [torque]\n";
  double current = 0;
  double speed = 0;
  exact_motor(0.1, &current, &speed);
  cr_expect_float_eq(value_at(linear, 0, 0.1, "motor.i"), current, 1e-9);
  cr_expect_float_eq(value_at(linear, 0, 0.1, "motor.torque"), 0.1 * current, 1e-10);
}

/* The error of a controller is called e; outside of the equations e is Euler's number. */
Test(equations, e_may_be_an_input) {
  static const char text[] = ROTOR "forces: {drive: {type: torque, body: rotor, torque: motor.torque*log(e)}}\n"
                                   "equations:\n"
                                   "  motor:\n"
                                   "    inputs: {e: rotor.omega}\n"
                                   "    states: {i: 0}\n"
                                   "    rates: {i: (U - R*i - K*e)/L}\n"
                                   "    outputs: {torque: K*i}\n";
  double current = 0;
  double speed = 0;
  exact_motor(0.1, &current, &speed);
  cr_expect_float_eq(value_at(text, 0, 0.1, "motor.i"), current, 1e-9);
}

Test(equations, columns_have_names_and_units_of_their_own) {
  seam_model_file *file = read_model(MOTOR, NULL);
  const mbs_model *model = seam_model_mechanism(file);
  mbs_quantity found;
  cr_assert_eq(mbs_find_quantity(model, "motor.i", &found, NULL), SEAM_OK);
  cr_expect_str_eq(mbs_quantity_of(model, found).unit, "A");
  cr_assert_eq(mbs_find_quantity(model, "motor.torque", &found, NULL), SEAM_OK);
  cr_expect_str_eq(mbs_quantity_of(model, found).unit, "Nm");
  cr_expect(strstr(seam_model_json(file), "\"rates\": {\"i\": \"(U - R*i - K*w)/L\"}") != NULL, "%s",
            seam_model_json(file));
  seam_model_file_destroy(file);
}

/* ---- Laws of quantities beside elements that do the same ---- */

#define SWING(forces)                                                                                                  \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "parameters: {k: 7, d: 0.4}\n"                                                                                       \
  "points: {A: [0, 0], P: [1, 0], Q: [1.5, 1]}\n"                                                                      \
  "bodies: {rod: {rod: [A, P], mass: 2}}\n"                                                                            \
  "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"                                                      \
  "forces: " forces "\n"

static void expect_same(const char *first, const char *second, const char *name) {
  for (size_t k = 0; k < N_METHODS; k++)
    cr_expect_float_eq(value_at(first, k, 1, name), value_at(second, k, 1, name), 10 * methods[k].error, "%s",
                       methods[k].method);
}

Test(equations, a_torque_of_angle_and_rate_is_a_torsion_spring) {
  expect_same(SWING("{T: {type: torque, body: rod, torque: \"-k*rod.phi - d*A.omega\"}}"),
              SWING("{T: {type: torsion, bodies: [ground, rod], stiffness: k, damping: d}}"), "rod.phi");
}

Test(equations, a_spring_names_its_own_stretch_beside_quantities) {
  expect_same(SWING("{T: {type: spring_damper, bodies: [ground, rod], at: [Q, P], force: \"k*s + d*v + 0*rod.phi\"}}"),
              SWING("{T: {type: spring_damper, bodies: [ground, rod], at: [Q, P], stiffness: k, damping: d}}"),
              "rod.phi");
  expect_same(SWING("{T: {type: torsion, bodies: [ground, rod], torque: \"-k*s - d*v + 0*rod.phi\"}}"),
              SWING("{T: {type: torsion, bodies: [ground, rod], torque: \"-k*s - d*v\"}}"), "rod.phi");
}

Test(equations, components_of_a_force_and_a_spring_of_time_name_what_they_like) {
  expect_same(
      SWING("{T: {type: force, body: rod, at: P, x: \"-3*rod.omega + 2*t\", y: \"sin(t)\"}}") "measures: {w: 2}",
      SWING("{T: {type: force, body: rod, at: P, x: \"w*rod.omega + 2*t\", y: \"up*sin(t)\"}}") "measures: {up: 1, w: "
                                                                                                "\"0 - 3\"}\n",
      "rod.phi");
}

/* The measure is read after the law that names it, and its switch of time ends a step. */
Test(equations, laws_of_time_alone_stay_what_they_were) {
  const char *const alone = SWING("{T: {type: torque, body: rod, torque: \"if(t < 0.3, 0, 5)\"}}");
  const char *const named = SWING("{T: {type: torque, body: rod, torque: \"if(t < 0.3, 0, 5) + 0*rod.phi\"}}");
  expect_same(alone, named, "rod.phi");
}

/* ---- A cart with a pole, held by state feedback ---- */

/* M_total x'' + m l φ'' = F, 4/3 m l² φ'' + m l x'' = m g l φ about the upright, φ clockwise, for small motions; by
 * Runge's method with a thousand steps. */
static void linear_cart(double t, double x[4]) {
  const double M = 1, m = 0.2, l = 0.3, g = 9.81;
  const double gain[4] = {2, 4, 40, 10};
  const int n = 2000;
  const double h = t / n;
  for (int i = 0; i < n; i++) {
    double k[4][4];
    for (int s = 0; s < 4; s++) {
      double y[4];
      for (int j = 0; j < 4; j++)
        y[j] = x[j] + (s == 0 ? 0 : (s == 3 ? 1 : 0.5) * h * k[s - 1][j]);
      double F = 0;
      for (int j = 0; j < 4; j++)
        F += gain[j] * y[j];
      const double a = M + m, b = m * l, c = 4.0 / 3 * m * l * l;
      const double right = m * g * l * y[2];
      const double det = a * c - b * b;
      k[s][0] = y[1];
      k[s][1] = (c * F - b * right) / det;
      k[s][2] = y[3];
      k[s][3] = (a * right - b * F) / det;
    }
    for (int j = 0; j < 4; j++)
      x[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
  }
}

static const char cart_pole[] = "seam: 1\n"
                                "gravity: [0, -9.81]\n"
                                "parameters: {tilt: 1e-5}\n"
                                "points: {O: [0, 0], T: [0.6*sin(tilt), 0.6*cos(tilt)]}\n"
                                "bodies: {cart: {mass: 1, inertia: 0.1}, pole: {rod: [O, T], mass: 0.2}}\n"
                                "joints:\n"
                                "  rail: {type: prismatic, bodies: [ground, cart], at: O, axis: [1, 0]}\n"
                                "  hinge: {type: revolute, bodies: [cart, pole], at: O}\n"
                                "forces: {drive: {type: force, body: cart, x: control.F}}\n"
                                "equations:\n"
                                "  control:\n"
                                "    inputs: {x: cart.x, v: rail.rate, lean: pi/2 - pole.phi, w: -pole.omega}\n"
                                "    outputs: {F: 2*x + 4*v + 40*lean + 10*w}\n";

Test(equations, a_cart_with_a_pole_moves_as_its_linear_equations) {
  double x[4] = {0, 0, 1e-5, 0};
  linear_cart(2, x);
  cr_assert_lt(fabs(x[2]), 1e-5, "the reference is stable");
  cr_expect_float_eq(value_at(cart_pole, 0, 2, "cart.x"), x[0], 1e-11);
  cr_expect_float_eq(value_at(cart_pole, 0, 2, "hinge.omega"), -x[3], 1e-11);
}

/* ---- A sampled controller ---- */

static const char sampled[] = "seam: 1\n"
                              "bodies: {mass: {mass: 2, inertia: 1, velocity: [1, 0]}}\n"
                              "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}}\n"
                              "forces: {drive: {type: force, body: mass, x: control.F}}\n"
                              "equations:\n"
                              "  control:\n"
                              "    sample: 0.05\n"
                              "    inputs: {x: mass.x, v: mass.vx}\n"
                              "    states: {sum: 0}\n"
                              "    updates: {sum: sum + 0.05*x}\n"
                              "    outputs: {F: -8*x - 6*v - 2*sum}\n";

Test(equations, a_sampled_controller_follows_its_recursion) {
  const double h = 0.05, m = 2;
  double x = 0, v = 1, sum = 0, F = 0;
  for (int i = 0; i < 20; i++) {
    F = -8 * x - 6 * v - 2 * sum;
    sum += h * x;
    x += h * v + h * h / 2 * F / m;
    v += h * F / m;
  }
  F = -8 * x - 6 * v - 2 * sum;
  for (size_t k = 0; k < N_METHODS; k++) {
    const double within = k == 0 ? 1e-14 : 10 * methods[k].error;
    cr_expect_float_eq(value_at(sampled, k, 1, "mass.x"), x, within, "%s", methods[k].method);
    cr_expect_float_eq(value_at(sampled, k, 1, "control.F"), F, 10 * within, "%s", methods[k].method);
    cr_expect_float_eq(value_at(sampled, k, 1.02, "control.F"), F, 10 * within, "%s holds", methods[k].method);
  }
}

/* ---- The same file whole and cut ---- */

#define CUT_MOTOR(order)                                                                                               \
  ROTOR "forces: {drive: {type: torque, body: rotor, torque: 0}}\n"                                                    \
        "measures: {half: rotor.omega/2}\n"                                                                            \
        "simulate: {end: 0.1}\n"                                                                                       \
        "cosim:\n"                                                                                                     \
        "  macro_step: 1e-3\n"                                                                                         \
        "  subsystems:\n"                                                                                              \
        "    plant: [rotor]\n"                                                                                         \
        "    motor:\n"                                                                                                 \
        "      inputs: [w]\n"                                                                                          \
        "      states: {i: 0}\n"                                                                                       \
        "      rates: {i: (U - R*i - K*w)/L}\n"                                                                        \
        "      outputs: {torque: K*i, i: i}\n"                                                                         \
        "  signals:\n"                                                                                                 \
        "    - {from: half, to: motor.w, gain: 2, order: " #order "}\n"                                                \
        "    - {from: motor.torque, to: plant.drive.torque, order: " #order "}\n"

static double whole_value(const char *text, const char *name, double end) {
  seam_model_file *file = read_model(text, NULL);
  const mbs_model *whole = NULL;
  const mbs_integrator_options options = options_of(0);
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_model_whole(file, &whole, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_workspace_create(whole, &ws, &error), SEAM_OK);
  cr_assert_eq(mbs_state_create(whole, &state, &error), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_create(whole, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_advance(integrator, end, state, &error), SEAM_OK, "%s", error.message);
  const double value = read_named(whole, state, name);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  return value;
}

Test(equations, equations_and_signals_of_a_cut_are_part_of_the_whole) {
  double current = 0;
  double speed = 0;
  exact_motor(0.1, &current, &speed);
  cr_expect_float_eq(whole_value(CUT_MOTOR(0), "motor.i", 0.1), current, 1e-9);
  cr_expect_float_eq(whole_value(CUT_MOTOR(0), "rotor.omega", 0.1), speed, 1e-8);
  cr_expect_float_eq(whole_value(CUT_MOTOR(0), "motor.w", 0.1), speed, 1e-8);
}

/* An output's name means nothing in the expressions of its subsystem, which know inputs, states and parameters. */
Test(equations, outputs_of_subsystems_may_have_names_of_inputs_states_and_parameters) {
  static const char text[] = ROTOR "forces: {drive: {type: torque, body: rotor, torque: 0}}\n"
                                   "cosim:\n"
                                   "  macro_step: 1e-3\n"
                                   "  subsystems:\n"
                                   "    plant: [rotor]\n"
                                   "    motor:\n"
                                   "      inputs: [w]\n"
                                   "      states: {i: 0}\n"
                                   "      rates: {i: (U - R*i - K*w)/L}\n"
                                   "      outputs: {K: K*i, w: 2*w, i: 3*i}\n"
                                   "  signals:\n"
                                   "    - {from: rotor.omega, to: motor.w}\n"
                                   "    - {from: motor.K, to: plant.drive.torque}\n";
  double current = 0;
  double speed = 0;
  exact_motor(0.1, &current, &speed);
  cr_expect_float_eq(whole_value(text, "rotor.omega", 0.1), speed, 1e-8);
  cr_expect_float_eq(whole_value(text, "motor.w", 0.1), 2 * speed, 2e-8);
  cr_expect_float_eq(whole_value(text, "motor.i", 0.1), 3 * current, 3e-9);
}

static void check_first_measures(const char *text) {
  seam_model_file *file = read_model(text, NULL);
  const mbs_model *cut = seam_model_mechanism(file);
  const mbs_model *whole = NULL;
  cr_assert_eq(seam_model_whole(file, &whole, NULL), SEAM_OK);
  cr_assert_gt(mbs_n_elements(whole, MBS_MEASURES), mbs_n_elements(cut, MBS_MEASURES));
  for (size_t i = 0; i < mbs_n_elements(cut, MBS_MEASURES); i++)
    cr_expect_str_eq(mbs_quantity_of(whole, (mbs_quantity){MBS_MEASURES, i, 0}).element,
                     mbs_quantity_of(cut, (mbs_quantity){MBS_MEASURES, i, 0}).element);
  cr_expect_eq(seam_model_over_run(file, 0), 1U << SEAM_MAX);
  cr_expect_eq(seam_model_over_run(file, 1), 0);
  seam_model_file_destroy(file);
}

/* Signals of a marker's motion, and wrenches there beside the element's own. */
static const char marker_signals[] = "seam: 1\n"
                                     "points: {A: [0, 0], P: [1, 0]}\n"
                                     "bodies: {rod: {rod: [A, P], mass: 3, rate: 1}}\n"
                                     "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"
                                     "forces: {end: {type: force, body: rod, at: P, y: \"t\"}}\n"
                                     "simulate: {end: 1}\n"
                                     "cosim:\n"
                                     "  macro_step: 1e-2\n"
                                     "  subsystems:\n"
                                     "    plant: [rod]\n"
                                     "    spring: {inputs: [x, y, w], outputs: {fx: -4*x, fy: -4*y, torque: -0.5*w}}\n"
                                     "  signals:\n"
                                     "    - {from: plant.end.x, to: spring.x}\n"
                                     "    - {from: plant.end.y, to: spring.y}\n"
                                     "    - {from: plant.rod.omega, to: spring.w}\n"
                                     "    - {from: spring.fx, to: plant.end.fx}\n"
                                     "    - {from: spring.fy, to: plant.end.fy}\n"
                                     "    - {from: spring.torque, to: plant.end.torque}\n"
                                     "measures: {turn: {expression: rod.phi, over_run: [max]}, height: rod.y}\n";

static const char marker_elements[] = "seam: 1\n"
                                      "points: {A: [0, 0], P: [1, 0]}\n"
                                      "bodies: {rod: {rod: [A, P], mass: 3, rate: 1}}\n"
                                      "joints: {A: {type: revolute, bodies: [ground, rod], at: A}}\n"
                                      "forces:\n"
                                      "  end: {type: force, body: rod, at: P, y: \"t\"}\n"
                                      "  pull: {type: force, body: rod, at: P, x: -4*tip.x, y: -4*tip.y}\n"
                                      "  brake: {type: torsion, bodies: [ground, rod], damping: 0.5}\n"
                                      "measures: {tip: {point: P, body: rod}}\n";

Test(equations, measures_of_the_file_come_first_in_the_whole) { check_first_measures(marker_signals); }

Test(equations, signals_act_at_the_marker_beside_the_element) {
  cr_expect_float_eq(whole_value(marker_signals, "rod.phi", 1), value_at(marker_elements, 0, 1, "rod.phi"), 1e-10);
}

static double error_with(const char *text, double macro_step) {
  const mbs_integrator_options options = options_of(0);
  return error_against_whole(text, &options, macro_step, 0.1);
}

Test(equations, a_co_simulation_converges_to_the_whole_at_the_order_of_its_signals) {
  const double order_0 = log2(error_with(CUT_MOTOR(0), 1e-3) / error_with(CUT_MOTOR(0), 5e-4));
  const double order_1 = log2(error_with(CUT_MOTOR(1), 1e-3) / error_with(CUT_MOTOR(1), 5e-4));
  cr_expect_float_eq(order_0, 1, 0.1, "%g", order_0);
  cr_expect_float_eq(order_1, 2, 0.15, "%g", order_1);
}

/* Friction from a reaction that its own load changes, and a variable between two torques, each inside a part: what the
 * parts give as derivatives counts in collocation. */
#define RUBBING(scheme)                                                                                                \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 2, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"                                                         \
  "  b: {rod: [[0.5, 0], [1.5, 0.3]], mass: 1}\n"                                                                      \
  "joints: {rail: {type: prismatic, bodies: [a, ground], at: [0, 0], axis: [1, 0]}}\n"                                 \
  "forces:\n"                                                                                                          \
  "  rub: {type: force, body: a, x: \"-0.3*abs(rail.fy)*tanh(a.vx/0.2)\", y: 0.2*rail.fy}\n"                           \
  "  turn: {type: torque, body: b, torque: -2*b.phi - 0.1*b.omega + f.y}\n"                                            \
  "  M: {type: bushing, bodies: [a, b], at: [0.5, 0], stiffness: [2000, 2000, 20], damping: [5, 5, 0.5]}\n"            \
  "equations: {f: {states: {y: 0.1}, rates: {y: -3*f.y + b.omega}}}\n"                                                 \
  "cosim: {subsystems: {p: [a], q: [b]}, macro_step: 1e-3, scheme: " scheme "}\n"

static double error_with_macro_step(const char *text, double macro_step) {
  char with_step[4000];
  const char *at = strstr(text, "macro_step: 1e-3");
  snprintf(with_step, sizeof with_step, "%.*smacro_step: %g%s", (int)(at - text), text, macro_step,
           at + strlen("macro_step: 1e-3"));
  return error_with(with_step, macro_step);
}

Test(equations, laws_and_loops_inside_parts_keep_the_order_of_collocation) {
  const double order =
      log2(error_with_macro_step(RUBBING("ff-colloc-s2"), 4e-3) / error_with_macro_step(RUBBING("ff-colloc-s2"), 2e-3));
  cr_expect_float_eq(order, 4, 0.3, "%g", order);
}

Test(equations, integrals_have_no_whole) {
  static const char text[] = ROTOR "forces: {drive: {type: torque, body: rotor, torque: 0}}\n"
                                   "cosim:\n"
                                   "  macro_step: 1e-3\n"
                                   "  subsystems:\n"
                                   "    plant: [rotor]\n"
                                   "    motor: {inputs: [w], integrals: {turn: w}}\n"
                                   "  signals: [{from: rotor.omega, to: motor.w}]\n";
  seam_model_file *file = read_model(text, NULL);
  const mbs_model *whole = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_model_whole(file, &whole, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message,
                   "the model cannot run without co-simulation, because subsystem 'motor' has integrals over "
                   "a macro step");
  seam_model_file_destroy(file);
}

/* ---- Equations of the file in a cut mechanism ---- */

#define TWO_ROTORS(equation)                                                                                           \
  "seam: 1\n"                                                                                                          \
  "parameters: {R: 0.5, L: 0.02, K: 0.1, U: 12}\n"                                                                     \
  "bodies: {rotor: {mass: 1, inertia: 0.01}, load: {mass: 1, inertia: 0.02}}\n"                                        \
  "joints:\n"                                                                                                          \
  "  first: {type: revolute, bodies: [ground, rotor], at: [0, 0]}\n"                                                   \
  "  second: {type: revolute, bodies: [ground, load], at: [0, 0]}\n"                                                   \
  "forces:\n"                                                                                                          \
  "  drive: {type: torque, body: rotor, torque: motor.torque}\n"                                                       \
  "  shaft: {type: torsion, bodies: [rotor, load], stiffness: 5, damping: 0.05}\n"                                     \
  "equations:\n"                                                                                                       \
  "  motor: {inputs: {w: " equation "}, states: {i: 0}, rates: {i: (U - R*i - K*w)/L}, outputs: {torque: K*i}}\n"      \
  "simulate: {end: 0.1}\n"                                                                                             \
  "cosim: {macro_step: 1e-3, scheme: ff-k1, subsystems: {drive: [rotor], driven: [load]}}\n"

Test(equations, equations_belong_to_the_subsystem_that_has_what_they_read) {
  const double error = error_with(TWO_ROTORS("rotor.omega"), 1e-3);
  cr_expect_lt(error, 1e-4, "%g", error);
  cr_expect_gt(log2(error / error_with(TWO_ROTORS("rotor.omega"), 5e-4)), 1.7);
}

static void expect_uncut(const char *text, const char *const causes[2]) {
  seam_model_file *file = read_model(text, NULL);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, causes[0]) != NULL || strstr(error.message, causes[1]) != NULL, "%s", error.message);
  seam_model_file_destroy(file);
}

Test(equations, equations_that_no_subsystem_has_are_refused) {
  expect_uncut(TWO_ROTORS("rotor.omega + 0*load.omega"), (const char *const[]){"motor.torque", "motor.i"});
}

Test(equations, laws_of_time_and_quantities_cannot_be_cut) {
  static const char *const schemes[] = {"ff-k1", "dd-k1", "ff-colloc-s2", "fd-k0-exchange"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "seam: 1\n"
             "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "forces: {f: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], force: 100*s + v + sin(t)}}\n"
             "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 1e-3, scheme: %s}\n",
             schemes[i]);
    expect_uncut(text, (const char *const[]){"depends on time or quantities, which a coupling does not evaluate", "-"});
  }
}

/* A pulse of 1e-4 s, far shorter than the steps between, in what a law reads by way of two measures. */
Test(equations, switches_of_time_in_measures_end_steps) {
  static const char text[] = "seam: 1\n"
                             "bodies: {wheel: {mass: 1, inertia: 1}}\n"
                             "forces: {push: {type: torque, body: wheel, torque: relay.y}}\n"
                             "measures: {pulse: \"if(t < 0.5, 0, if(t < 0.5001, 1e4, 0))\"}\n"
                             "equations: {relay: {inputs: {u: pulse}, outputs: {y: 3*u}}}\n";
  for (size_t k = 0; k < N_METHODS; k++)
    cr_expect_float_eq(value_at(text, k, 1, "wheel.omega"), 3, 1e-6, "%s", methods[k].method);
}
