/* What the engine does, without its shared library: under the sanitizers too. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/slave.h"
#include "tests/support/command.h"

TestSuite(slave, .init = enter_scratch, .fini = leave_scratch);

static fmu_slave *make(const char *model, const char *subsystem) {
  const fmu_resources resources = {.token = (char *)"token", .subsystem = (char *)subsystem};
  fmu_slave *slave = NULL;
  seam_error error = {0};
  char *settings = fmu_resources_write(&resources);
  write_text("seam.json", settings);
  free(settings);
  write_text("model.yaml", model);
  cr_assert_eq(fmu_slave_create(".", &slave, &error), SEAM_OK, "%s", error.message);
  return slave;
}

static uint32_t reference(const fmu_slave *slave, const char *name) {
  uint32_t i = 0;
  while (i < slave->unit->n_variables && strcmp(slave->unit->variables[i].name, name) != 0)
    i++;
  cr_assert_lt(i, slave->unit->n_variables, "%s", name);
  return i;
}

static double value_of(fmu_slave *slave, const char *name) {
  const uint32_t of = reference(slave, name);
  double value = NAN;
  cr_assert_eq(fmu_slave_get(slave, &of, 1, &value, 1, NULL), SEAM_OK);
  return value;
}

static void set(fmu_slave *slave, const char *name, double value) {
  const uint32_t of = reference(slave, name);
  cr_assert_eq(fmu_slave_set(slave, &of, 1, &value, 1, NULL), SEAM_OK);
}

static void step(fmu_slave *slave, double H) {
  mbs_event event;
  seam_error error = {0};
  cr_assert_eq(fmu_slave_step(slave, slave->t, H, NULL, &event, &error), SEAM_OK, "%s", error.message);
}

/* A pendulum of length 1 and an integrator of its speed, in parts of their own. */
static const char model[] =
    "seam: 1\n"
    "name: two\n"
    "gravity: [0, -9.81]\n"
    "parameters: {m: 1, w: 2}\n"
    "bodies: {bob: {mass: m, inertia: 0.1, at: [1, 0]}, cart: {mass: 2, inertia: 1, at: [0, 1]}}\n"
    "joints: {A: {type: revolute, bodies: [ground, bob], at: [0, 0]}}\n"
    "forces:\n"
    "  spring: {type: spring_damper, bodies: [bob, cart], at: [[1, 0], [0, 1]], stiffness: 10, damping: 1}\n"
    "  push: {type: force, body: cart, at: [0, 1], x: 0, y: 0}\n"
    "simulate: {end: 1}\n"
    "cosim:\n"
    "  subsystems:\n"
    "    pendulum: [bob]\n"
    "    rest: [cart]\n"
    "    filter: {inputs: [u], states: {x: 1}, rates: {x: w*(u - x)}, outputs: {y: x}}\n"
    "  signals: [{from: bob.omega, to: filter.u}, {from: filter.y, to: rest.push.fx}]\n"
    "  macro_step: 1e-3\n"
    "  scheme: fd-k1\n"
    "fmu: {outputs: [bob.kinetic, cart.ax], parameters: [m, w]}\n";

/* An actuator whose force begins as its command u, on a spring of stiffness 10; `start` of the file. The importer sets
 * u, of which the file says 1. */
static void expect_start_by_input(const char *start, double u, double place) {
  char text[768];
  snprintf(text, sizeof text,
           "seam: 2\nname: act\n"
           "bodies: {c: {mass: 1, inertia: 1, at: [0, 0]}}\n"
           "joints: {g: {type: prismatic, bodies: [ground, c], at: [0, 0], axis: [1, 0]}}\n"
           "forces:\n"
           "  drv: {type: actuator, bodies: [ground, c], at: [[-1, 0], [0, 0]], command: u, lag: 1}\n"
           "  k: {type: spring_damper, bodies: [ground, c], at: [[-1, 0], [0, 0]], stiffness: 10, damping: 1}\n"
           "%ssimulate: {end: 2}\n"
           "fmu: {inputs: {u: {start: 1, unit: N}}, outputs: [drv.force, c.x]}\n",
           start);
  fmu_slave *slave = make(text, NULL);
  set(slave, "u", u);
  cr_expect_eq(value_of(slave, "drv.force"), u); /* in the initialization */
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  cr_expect_eq(value_of(slave, "drv.force"), u);
  cr_expect_float_eq(value_of(slave, "c.x"), place, 1e-12);
  fmu_slave_reset(slave);
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  cr_expect_eq(value_of(slave, "drv.force"), 1);
  fmu_slave_destroy(slave);
}

Test(slave, the_initial_state_is_found_under_inputs_of_the_initialization) {
  expect_start_by_input("", 5, 0);
  expect_start_by_input("start: static\n", 5, 0.5);
  expect_start_by_input("start: static\n", 0, 0);
}

Test(slave, equations_are_a_unit_with_parameters) {
  fmu_slave *slave = make(model, "filter");
  cr_assert_eq(slave->unit->part->n_inputs, 1);
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  set(slave, "u", 0);
  step(slave, 0.5);
  cr_assert_float_eq(value_of(slave, "y"), exp(-1), 1e-7);
  fmu_slave_reset(slave);
  set(slave, "parameters.w", 4);
  cr_assert_eq(fmu_slave_start(slave, 3, NULL), SEAM_OK);
  cr_assert_eq(value_of(slave, "time"), 3);
  cr_assert_eq(value_of(slave, "y"), 1);
  step(slave, 0.5);
  cr_assert_float_eq(value_of(slave, "y"), exp(-2), 1e-7);
  fmu_slave_reset(slave);
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  step(slave, 0.5);
  cr_assert_float_eq(value_of(slave, "y"), exp(-1), 1e-7);
  fmu_slave_destroy(slave);
}

Test(slave, a_subsystem_has_ports_signals_and_its_quantities) {
  fmu_slave *slave = make(model, "rest");
  double changes[40];
  (void)reference(slave, "spring.other.vy");
  (void)reference(slave, "push.fx");
  (void)reference(slave, "cart.ax");
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  /* The spring is at rest where the other marker begins. */
  cr_assert_float_eq(value_of(slave, "spring.other.x"), 1, 1e-14);
  cr_assert_float_eq(value_of(slave, "cart.ax"), 0, 1e-12);
  const fmu_variable *push = &slave->unit->variables[reference(slave, "push.fx")];
  cr_assert_leq(slave->unit->part->n_outputs, 40);
  cr_assert_eq(fmu_slave_differentiate(slave, push->number, changes, NULL), SEAM_OK);
  cr_assert_float_eq(changes[slave->unit->variables[reference(slave, "cart.ax")].number], 0.5, 1e-14);
  set(slave, "push.fx", 4);
  step(slave, 1e-3);
  cr_assert_float_eq(value_of(slave, "push.vx"), 2e-3, 1e-5);
  fmu_slave_destroy(slave);
}

/* A rod on a driven crank: assembly turns it, the less the nearer the crank was. */
Test(slave, a_start_does_not_depend_on_earlier_ones) {
  static const char driven[] =
      "seam: 2\n"
      "gravity: [0, -9.81]\n"
      "bodies: {crank: {rod: [[0, 0], [1, 0]], mass: 1}, rod: {rod: [[1, 0], [2, 0]], mass: 1}}\n"
      "joints:\n"
      "  A: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
      "  B: {type: revolute, bodies: [crank, rod], at: [1, 0]}\n"
      "  M: {type: motion, of: phi, body: crank, law: 0.5 + 2*t}\n"
      "fmu: {outputs: [rod.phi]}\n";
  fmu_slave *fresh = make(driven, NULL);
  fmu_slave *again = make(driven, NULL);
  cr_assert_eq(fmu_slave_start(fresh, 1, NULL), SEAM_OK);
  const double first = value_of(again, "rod.phi"); /* at t = 0 */
  cr_assert_eq(fmu_slave_start(again, 1, NULL), SEAM_OK);
  cr_expect_eq(value_of(again, "rod.phi"), value_of(fresh, "rod.phi"));
  cr_expect_gt(fabs(value_of(again, "rod.phi") - first), 0.1);
  fmu_slave_reset(again);
  cr_assert_eq(fmu_slave_start(again, 0, NULL), SEAM_OK);
  cr_expect_eq(value_of(again, "rod.phi"), first);
  fmu_slave_destroy(again);
  fmu_slave_destroy(fresh);
}

/* The force of a spring that turns: inputs that no output was read under count, too. */
Test(slave, derivatives_are_those_of_the_inputs_last_set) {
  fmu_slave *slave = make(model, "rest");
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  const fmu_variable *by = &slave->unit->variables[reference(slave, "spring.other.y")];
  const int of = slave->unit->variables[reference(slave, "cart.ax")].number;
  double changes[40];
  set(slave, "spring.other.x", 3);
  cr_assert_eq(fmu_slave_differentiate(slave, by->number, changes, NULL), SEAM_OK);
  double at[2];
  for (int i = 0; i < 2; i++) {
    set(slave, "spring.other.y", i == 0 ? -1e-5 : 1e-5);
    at[i] = value_of(slave, "cart.ax");
  }
  cr_assert_gt(fabs(changes[of]), 0.1);
  cr_assert_float_eq(changes[of], (at[1] - at[0]) / 2e-5, 1e-8);
  fmu_slave_destroy(slave);
}

/* Hertz's law of a contact that is an input: its derivative, whatever the depth. */
Test(slave, derivatives_by_inputs_of_laws_fit_any_distance) {
  static const char contact[] = "seam: 2\n"
                                "bodies: {a: {mass: 2, inertia: 1, at: [0, 0]}}\n"
                                "forces: {c: {type: force, body: a, at: [0, 0], x: \"1e10*max(0, depth)^1.5\", y: 0}}\n"
                                "fmu: {inputs: {depth: 0}, outputs: [a.ax, a.x]}\n";
  fmu_slave *slave = make(contact, NULL);
  double changes[2];
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  for (double depth = 1e-9; depth < 20; depth *= 100) {
    set(slave, "depth", depth);
    cr_assert_eq(fmu_slave_differentiate(slave, 0, changes, NULL), SEAM_OK);
    const double expected = 1.5e10 * sqrt(depth) / 2;
    cr_expect_float_eq(changes[0], expected, 1e-9 * expected, "%g", depth);
    cr_expect_eq(changes[1], 0);
  }
  fmu_slave_destroy(slave);
}

Test(slave, images_go_on_to_the_bit_with_their_parameters) {
  fmu_slave *slave = make(model, "pendulum");
  fmu_slave *other = make(model, "pendulum");
  const size_t n = fmu_slave_image_length(slave);
  double *image = malloc(n * sizeof *image);
  set(slave, "parameters.m", 3);
  cr_assert_eq(value_of(slave, "bob.kinetic"), 0);
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  for (int i = 0; i < 10; i++) {
    set(slave, "spring.fy", 0.1 * i);
    step(slave, 1e-2);
    if (i == 4)
      fmu_slave_save(slave, image);
  }
  cr_assert_eq(fmu_slave_restore(other, image, n, NULL), SEAM_OK);
  for (int i = 5; i < 10; i++) {
    set(other, "spring.fy", 0.1 * i);
    step(other, 1e-2);
  }
  cr_assert_eq(value_of(other, "bob.kinetic"), value_of(slave, "bob.kinetic"));
  cr_assert_eq(value_of(other, "parameters.m"), 3);
  image[0]++;
  cr_assert_eq(fmu_slave_restore(other, image, n, NULL), SEAM_BAD_STATE);
  free(image);
  fmu_slave_destroy(slave);
  fmu_slave_destroy(other);
}

Test(slave, a_parameter_that_changes_the_structure_is_refused) {
  static const char chain[] = "seam: 1\n"
                              "parameters: {n: 2}\n"
                              "repeat: [{for: {i: [1, n]}, bodies: {\"b{i}\": {mass: 1, inertia: 1, at: [i, 0]}}}]\n"
                              "fmu: {parameters: [n], outputs: [b1.x]}\n";
  fmu_slave *slave = NULL;
  seam_error error = {0};
  slave = make(chain, NULL);
  set(slave, "parameters.n", 3);
  cr_assert_eq(fmu_slave_start(slave, 0, &error), SEAM_BAD_INPUT);
  cr_assert_str_eq(error.message, "parameters change the number of bodies, inputs or outputs: export an FMU for each "
                                  "number");
  fmu_slave_destroy(slave);
}

/* ---- Samples at the points between steps ---- */

#define TWO_BODIES                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "bodies: {one: {mass: 1, inertia: 1, at: [0, 0]}, other: {mass: 1, inertia: 1, at: [0, 0]}}\n"                       \
  "forces: {M: {type: bushing, bodies: [one, other], at: [0, 0], stiffness: [1, 1, 1]}}\n"                             \
  "cosim: {macro_step: 0.1, scheme: fd-k0-explicit,\n"                                                                 \
  "        subsystems: {rest: [one], controller: {bodies: [other], equations: [control]}}}\n"                          \
  "simulate: {end: 1}\n"

static const char sampled[] =
    TWO_BODIES "fmu: {inputs: {place: 1, speed: 0}, outputs: [control.force]}\n"
               "equations:\n"
               "  control: {sample: 0.1, inputs: {x: place, v: speed}, states: {sum: 0}, updates: {sum: sum + x},\n"
               "            outputs: {force: -10*x - 5*v - sum}}\n";

/* A mass of 1 under the held force: a master that gives inputs, then reads outputs, closes the loop without delay. */
Test(slave, samples_read_the_inputs_of_their_time_and_are_seen_at_once) {
  enum { PER_SAMPLE = 4, N = 80 };
  fmu_slave *slave = make(sampled, "controller");
  double *image = malloc(fmu_slave_image_length(slave) * sizeof *image);
  const double H = 0.1 / PER_SAMPLE;
  double x = 2, v = 0, sum = 0, force = 0;
  for (int n = 0; n < N; n++) {
    set(slave, "place", x);
    set(slave, "speed", v);
    if (n == 0)
      cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
    if (n % PER_SAMPLE == 0) {
      force = -10 * x - 5 * v - sum;
      sum += x;
    }
    cr_assert_float_eq(value_of(slave, "control.force"), force, 1e-12, "t = %g", slave->t);
    fmu_slave_save(slave, image);
    step(slave, H);
    cr_assert_eq(fmu_slave_restore(slave, image, fmu_slave_image_length(slave), NULL), SEAM_OK);
    cr_assert_float_eq(value_of(slave, "control.force"), force, 1e-12, "t = %g, again", slave->t);
    step(slave, H);
    x += H * v + H * H / 2 * force;
    v += H * force;
  }
  free(image);
  fmu_slave_destroy(slave);
}

/* One that lies within a step reads the input there: 3 + t at t = 0.1. */
Test(slave, samples_within_a_step_read_the_input_at_their_time) {
  fmu_slave *slave = make(sampled, "controller");
  cr_assert_eq(fmu_slave_start(slave, 0, NULL), SEAM_OK);
  set(slave, "place", 3);
  cr_assert_eq(fmu_slave_set_rate(slave, reference(slave, "place"), 1, 1, NULL), SEAM_OK);
  step(slave, 0.15);
  cr_assert_float_eq(value_of(slave, "control.force"), -10 * 3.1 - 3, 1e-12);
  step(slave, 0.05);
  set(slave, "place", 7);
  cr_assert_float_eq(value_of(slave, "control.force"), -10 * 7 - 3 - 3.1, 1e-12);
  step(slave, 0.05);
  cr_assert_float_eq(value_of(slave, "control.force"), -10 * 7 - 3 - 3.1, 1e-12);
  fmu_slave_destroy(slave);
}
