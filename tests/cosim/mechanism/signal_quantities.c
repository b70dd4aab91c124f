/* Quantities and measures of the model as signals: what they are, whom they steer, who refuses them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/multibody_part.h"
#include "tests/support/exchange_fixture.h"

/* Subsystem B holds the later bodies, so that numbers in its part are other ones than in the whole. The carriage A
 * turns `control`, which pushes it. */
#define BEFORE_CONTROL                                                                                                 \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  first: {mass: 2, inertia: 1, at: [0.3, 0], velocity: [1, 0]}\n"                                                   \
  "  base: {mass: 1, inertia: 0.3, at: [1, 0], velocity: [-1, 0]}\n"                                                   \
  "  arm: {rod: [[1, 0], [2, 0.5]], mass: 1}\n"                                                                        \
  "joints:\n"                                                                                                          \
  "  rail1: {type: prismatic, bodies: [ground, first], at: [0, 0], axis: [1, 0]}\n"                                    \
  "  rail2: {type: prismatic, bodies: [ground, base], at: [0, 0], axis: [1, 0]}\n"                                     \
  "  hinge: {type: revolute, bodies: [base, arm], at: [1, 0]}\n"                                                       \
  "forces:\n"                                                                                                          \
  "  k1: {type: spring_damper, bodies: [ground, first], at: [[-1, 0], [0.3, 0]], stiffness: 100, damping: 2}\n"        \
  "  K: {type: spring_damper, bodies: [first, base], at: [[0.3, 0], [1, 0]], stiffness: 100, damping: 1}\n"            \
  "  hold: {type: torsion, bodies: [base, arm], stiffness: 5, damping: 0.1}\n"                                         \
  "  drag: {type: viscous, bodies: [base, arm], damping: [0.5, 0.5, 0.1]}\n"                                           \
  "  thrust: {type: force, body: first, x: 0, y: 0}\n"                                                                 \
  "measures:\n"                                                                                                        \
  "  squeeze: k1.stretch^2 + 0.1*rail1.rate\n"                                                                         \
  "  tip: {point: [2, 0.5], body: arm, axes: base}\n"                                                                  \
  "  reach: {distance: {base: [0, 1], arm: [0.1, 0.2]}}\n"                                                             \
  "  rest: {set: [arm, base]}\n"                                                                                       \
  "  mixed: tip.x*tip.vy + reach.length^2 - rest.spin + sin(t)\n"                                                      \
  "  nested: 2*mixed + hinge.angle*hold.torque + drag.power\n"                                                         \
  "  name: hinge.omega\n"                                                                                              \
  "  both: first.x - base.x\n"                                                                                         \
  "  bearing: {reaction: hinge}\n"                                                                                     \
  "simulate: {end: 1}\n"

#define ON_CARRIAGES(control, signals)                                                                                 \
  BEFORE_CONTROL                                                                                                       \
  "cosim:\n"                                                                                                           \
  "  subsystems: {A: [first], B: [base, arm], control: {" control "}}\n"                                               \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: fd-k1-exchange\n"                                                                                         \
  "  signals: [" signals ", {from: control.u, to: A.thrust.fx}]\n"

static const char *const of_second[] = {
    "base.x",    "arm.phi", "arm.kinetic", "hinge.angle", "hinge.omega",    "rail2.slide", "hold.torque",  "hold.power",
    "hold.loss", "drag.fx", "drag.power",  "tip.x",       "tip.vy",         "tip.speed",   "reach.length", "reach.rate",
    "rest.spin", "rest.px", "rest.y",      "mixed",       "rest.potential", "nested",      "name"};
enum { n_of_second = sizeof of_second / sizeof *of_second };

static double signal_now(const cosim_fixture *p, const char *name) {
  for (size_t i = 0; i < cosim_n_signals(p->run); i++)
    if (strcmp(cosim_signal_of(p->run, i).name, name) == 0)
      return cosim_signal_now(p->run, i);
  cr_assert_fail("no signal %s", name);
  return NAN;
}

static double read_whole(const cosim_fixture *p, const char *name) {
  mbs_quantity quantity;
  mbs_readout *readout = NULL;
  double value = NAN;
  cr_assert_eq(mbs_find_quantity(p->model, name, &quantity, NULL), SEAM_OK, "%s", name);
  cr_assert_eq(mbs_readout_create(p->model, &quantity, 1, &readout, NULL), SEAM_OK);
  mbs_read(readout, p->workspace, cosim_state(p->run), &value);
  mbs_readout_destroy(readout);
  return value;
}

/* ---- Values ---- */

Test(signal_quantities, of_a_part_they_are_those_of_the_whole_to_the_bit) {
  cosim_connection_def links[n_of_second];
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: k1.force, to: control.f}"), NULL);
  for (size_t i = 0; i < n_of_second; i++) {
    links[i] = cosim_default_connection_def();
    links[i].from = of_second[i];
    links[i].to = "control.f";
    links[i].gain = 1e-3;
  }
  p.definition.signals = links;
  p.definition.n_signals = n_of_second;
  start(&p);
  cr_expect_eq(cosim_n_signals(p.run), n_of_second + 1);
  for (int round = 0; round < 3; round++, advance(&p, 50))
    for (size_t i = 0; i < n_of_second; i++) {
      const double whole = read_whole(&p, of_second[i]);
      const double now = signal_now(&p, of_second[i]);
      cr_expect_eq(now, whole, "%s: %.17g, %.17g", of_second[i], now, whole);
      cr_expect(round == 0 || now != 0, "%s", of_second[i]);
    }
  cosim_fixture_free(&p);
}

Test(signal_quantities, have_units_and_meanings) {
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: k1.force, to: control.f}"), NULL);
  start(&p);
  cr_assert_eq(cosim_n_signals(p.run), 2);
  cr_expect_str_eq(cosim_signal_of(p.run, 1).name, "k1.force");
  cr_expect_str_eq(cosim_signal_of(p.run, 1).unit, "N");
  cr_expect_str_eq(cosim_signal_of(p.run, 1).meaning, "force that drives its length, positive extends");
  cr_expect_str_empty(cosim_signal_of(p.run, 0).unit);
  cr_expect_str_empty(cosim_signal_of(p.run, 0).meaning);
  cr_expect_null(cosim_signal_of(p.run, 2).unit);
  cr_expect_null(cosim_signal_of(NULL, 0).meaning);
  cosim_fixture_free(&p);
}

/* ---- Controllers ---- */

/* The largest difference of positions and velocities of two runs of 300 macro steps. */
static double difference_of_runs(const char *text, const char *other_text) {
  cosim_fixture p = cosim_fixture_read(text, NULL);
  cosim_fixture other = cosim_fixture_read(other_text, NULL);
  double largest = 0;
  start(&p);
  start(&other);
  for (int k = 0; k < 30; k++) {
    advance(&p, 10);
    advance(&other, 10);
    for (int i = 0; i < 18; i++)
      largest = fmax(largest, fabs(cosim_state(p.run)->q[i] - cosim_state(other.run)->q[i]));
  }
  cr_expect_gt(fabs(signal_now(&p, "control.u")), 0.1, "the controller does something");
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
  return largest;
}

#define BY_POSITION "inputs: [x, v], outputs: {u: -30*x - 4*v}"

Test(signal_quantities, a_position_is_the_old_signal_to_the_bit) {
  const double bits = difference_of_runs(
      ON_CARRIAGES(BY_POSITION, "{from: first.x, to: control.x, order: 2}, {from: first.vx, to: control.v}"),
      ON_CARRIAGES(BY_POSITION, "{from: A.first.x, to: control.x, order: 2}, {from: A.first.vx, to: control.v}"));
  cr_expect_eq(bits, 0, "%g", bits);
}

/* force = -100 (x - 0.3) - 2 v of the spring that lies along the rail. */
Test(signal_quantities, a_controller_on_a_springs_force_is_one_on_its_motion) {
  const double difference = difference_of_runs(
      ON_CARRIAGES("inputs: [f], outputs: {u: 0.4*f}", "{from: k1.force, to: control.f, order: 1}"),
      ON_CARRIAGES("inputs: [x, v], outputs: {u: 0.4*(-100*(x - 0.3) - 2*v)}",
                   "{from: A.first.x, to: control.x, order: 1}, {from: A.first.vx, to: control.v, order: 1}"));
  cr_expect_lt(difference, 1e-12, "%g", difference);
}

Test(signal_quantities, a_controller_on_a_joints_angle_is_one_on_both_bodies) {
  const double difference = difference_of_runs(
      ON_CARRIAGES("inputs: [a, w], outputs: {u: 9*a + w}",
                   "{from: hinge.angle, to: control.a, order: 2, rate: hinge.omega}, {from: name, to: control.w}"),
      ON_CARRIAGES(
          "inputs: [a, w], outputs: {u: 9*a + w}",
          "{from: B.arm.phi, to: control.a, order: 2, rate: B.arm.omega}, {from: B.arm.omega, to: control.w}"));
  cr_expect_lt(difference, 1e-12, "%g", difference);
}

Test(signal_quantities, an_expression_is_equations_of_its_inputs) {
  const double difference =
      difference_of_runs(ON_CARRIAGES("inputs: [s], outputs: {u: -20*s}", "{from: squeeze, to: control.s}"),
                         ON_CARRIAGES("inputs: [x, v], outputs: {u: -20*((x - 0.3)^2 + 0.1*v)}",
                                      "{from: A.first.x, to: control.x}, {from: A.first.vx, to: control.v}"));
  cr_expect_lt(difference, 1e-12, "%g", difference);
}

/* A name that a subsystem has means what it meant. */
Test(signal_quantities, names_of_subsystems_come_first) {
  const double bits = difference_of_runs(
      BEFORE_CONTROL "cosim:\n"
                     "  subsystems: {A: [first], B: [base, arm], control: {inputs: [x], outputs: {u: -30*x}},\n"
                     "    tip: {outputs: {x: 0.7}}}\n"
                     "  macro_step: 1e-3\n  scheme: fd-k1-exchange\n"
                     "  signals: [{from: tip.x, to: control.x}, {from: control.u, to: A.thrust.fx}]\n",
      ON_CARRIAGES("inputs: [x], outputs: {u: -30*0.7}", "{from: first.x, to: control.x}"));
  cr_expect_eq(bits, 0, "%g", bits);
}

/* Corrections by derivatives of outputs: the same derivatives make the same run. */
Test(signal_quantities, model_based_correction_has_their_derivatives) {
  static const char *const corrected[] = {"cosim.corrections.model_based={alpha: 0.9}", NULL};
  static const char *const texts[] = {
      ON_CARRIAGES("inputs: [f], states: {y: 0}, rates: {y: f - y}, outputs: {u: y}",
                   "{from: k1.force, to: control.f, order: 1}"),
      ON_CARRIAGES("inputs: [x, v], states: {y: 0}, rates: {y: -100*(x - 0.3) - 2*v - y}, outputs: {u: y}",
                   "{from: A.first.x, to: control.x, order: 1}, {from: A.first.vx, to: control.v, order: 1}")};
  double x[2];
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read(texts[i], corrected);
    start(&p);
    advance(&p, 200);
    x[i] = cosim_state(p.run)->q[0];
    cosim_fixture_free(&p);
  }
  cr_expect_float_eq(x[0], x[1], 1e-12, "%.17g, %.17g", x[0], x[1]);
}

/* ---- Pressures ---- */

static const char *const pressure_inputs[] = {"p"};
static const char *const pressure_outputs[] = {"y"};

static seam_status create_filter(const void *context, cosim_part **part, seam_error *error) {
  static const double A = -1;
  static const double B = 1e-6;
  static const double C = 1;
  static const double D = 0;
  const cosim_linear_def def = {.n_states = 1, .n_inputs = 1, .n_outputs = 1, .A = &A, .B = &B, .C = &C, .D = &D};
  (void)context;
  return cosim_linear_part_create(&def, part, error);
}

static const cosim_user_part filter = {create_filter, NULL, pressure_inputs, pressure_outputs, 1, 1, 0};
static const cosim_connection_def of_pressure = {.from = "lift.p1", .to = "filter.p", .gain = 1};

/* The crane in one piece beside a filter of a pressure of its cylinder. */
Test(signal_quantities, pressures_are_signals_but_for_model_based_correction) {
  const cosim_model_based_def model_based = cosim_default_model_based_def();
  exchange_fixture *w = exchange_fixture_read_crane();
  w->subsystems[1] = (cosim_subsystem_def){.name = "filter", .user = &filter};
  w->p.definition.n_coupling_options = 0;
  w->p.definition.signals = &of_pressure;
  w->p.definition.n_signals = 1;
  start(&w->p);
  advance(&w->p, 20);
  cr_expect_eq(signal_now(&w->p, "lift.p1"), read_whole(&w->p, "lift.p1"));
  cr_expect_gt(signal_now(&w->p, "lift.p1"), 1e5);
  cosim_destroy(w->p.run);
  w->p.run = NULL;
  w->p.definition.model_based = &model_based;
  expect_no_start(&w->p, "signal: 'lift.p1' depends on pressures, and 'model_based' needs its derivative by these, "
                         "which is not computed: leave out 'model_based'");
  exchange_fixture_free(w);
}

/* ---- Bits ---- */

#define UNDER_A_MASTER                                                                                                 \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {one: {rod: [[0, 0], [1, 0]], mass: 1}, two: {rod: [[1, 0], [2, 0]], mass: 1}}\n"                           \
  "joints: {A: {type: revolute, bodies: [ground, one], at: [0, 0]}, B: {type: revolute, bodies: [one, two], at: [1, "  \
  "0]}}\n"                                                                                                             \
  "forces: {push: {type: force, body: two, at: [2, 0], x: 0, y: 0}}\n"                                                 \
  "measures: {height: {point: [2, 0], body: two}}\n"                                                                   \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {subsystems: {A1: [one], B1: [two], control: {inputs: [a, y], outputs: {u: 3*a - y}}}, macro_step: 1e-3,\n"  \
  "  scheme: {constraint: ff-index2-k1, constitutive: fd-k1-exchange},\n"                                              \
  "  signals: [{from: A.angle, to: control.a, order: 1}, {from: height.y, to: control.y},\n"                           \
  "    {from: control.u, to: B1.push.fy, order: 1}]}\n"

Test(signal_quantities, are_those_of_the_whole_beside_a_master) {
  cosim_fixture p = cosim_fixture_read(UNDER_A_MASTER, NULL);
  start(&p);
  advance(&p, 200);
  cr_expect_eq(signal_now(&p, "A.angle"), read_whole(&p, "A.angle"));
  cr_expect_eq(signal_now(&p, "height.y"), read_whole(&p, "height.y"));
  cr_expect_lt(signal_now(&p, "A.angle"), -0.1);
  cosim_fixture_free(&p);
}

Test(signal_quantities, save_step_restore_step_gives_the_same_bits) {
  static const char *const texts[] = {
      UNDER_A_MASTER,
      ON_CARRIAGES("inputs: [f, s], outputs: {u: f - s}",
                   "{from: k1.force, to: control.f, order: 2}, {from: nested, to: control.s, order: 1}")};
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read(texts[i], NULL);
    cosim_fixture fresh = cosim_fixture_read(texts[i], NULL);
    mbs_state *first = new_state(p.model);
    start(&p);
    start(&fresh);
    const size_t size = cosim_image_size(p.run);
    void *image = malloc(size);
    advance(&p, 7);
    cosim_save(p.run, image);
    advance(&p, 20);
    mbs_state_copy(first, cosim_state(p.run));
    cr_assert_eq(cosim_restore(fresh.run, image, size, NULL), SEAM_OK);
    advance(&fresh, 20);
    cr_expect(same_bits(first, cosim_state(fresh.run)), "text %d", i);
    cr_expect_eq(signal_now(&p, "control.u"), signal_now(&fresh, "control.u"), "text %d", i);
    free(image);
    mbs_state_destroy(first);
    cosim_fixture_free(&p);
    cosim_fixture_free(&fresh);
  }
}

/* ---- Derivatives along inputs ---- */

Test(signal_quantities, changes_along_an_input_are_those_of_the_step) {
  static const char *const names[] = {"first.x", "k1.force", "k1.power", "squeeze", "rail1.rate", "first.kinetic"};
  enum { N = sizeof names / sizeof *names };
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: k1.force, to: control.f}"), NULL);
  mbs_quantity quantities[N];
  for (int i = 0; i < N; i++)
    cr_assert_eq(mbs_find_quantity(p.model, names[i], &quantities[i], NULL), SEAM_OK);
  const bool bodies[] = {true, false, false};
  const mbs_port_def port = {.element = mbs_find_force(p.model, "thrust"), .kind = MBS_PORT_SIGNAL};
  const cosim_multibody_def def = {.name = "A",
                                   .model = p.model,
                                   .bodies = bodies,
                                   .quantities = quantities,
                                   .n_quantities = N,
                                   .ports = &port,
                                   .n_ports = 1,
                                   .integrator = mbs_default_integrator_options()};
  cosim_part *part = NULL;
  cr_assert_eq(cosim_multibody_part_create(&def, &part, NULL), SEAM_OK);
  const int first = cosim_multibody_quantity(part, 0);
  cr_assert_eq(part->n_outputs, first + N);
  double state[200], outputs[2][60], changes[60];
  cr_assert(part->n_state <= 200 && part->n_outputs <= 60);
  part->ops->save(part, state);
  cosim_signal inputs[3] = {{.n_pieces = 1, .c = {{2}}}, {.n_pieces = 1}, {.n_pieces = 1}};
  const cosim_seed seed = {0, {.n_pieces = 1, .c = {{1}}}};
  cosim_step step = {.t = 0, .H = 0.05, .inputs = inputs, .n_seeds = 1, .seeds = &seed};
  cr_assert_eq(part->ops->advance(part, &step, outputs[0], changes, NULL), SEAM_OK);
  step.n_seeds = 0;
  const double h = 1e-3;
  for (int k = 0; k < 2; k++) {
    part->ops->restore(part, state);
    inputs[0].c[0][0] = k == 0 ? 2 - h : 2 + h;
    cr_assert_eq(part->ops->advance(part, &step, outputs[k], NULL, NULL), SEAM_OK);
  }
  for (int i = first; i < first + N; i++) {
    const double difference = (outputs[1][i] - outputs[0][i]) / (2 * h);
    cr_expect_float_eq(changes[i], difference, 1e-6 * fabs(difference), "%s: %g, %g", names[i - first], changes[i],
                       difference);
    cr_expect_gt(fabs(difference), 1e-5, "%s", names[i - first]);
  }
  part->ops->destroy(part);
  cosim_fixture_free(&p);
}

/* ---- Refusals ---- */

static void expect_refused_whole(cosim_fixture *p, const char *from, const char *message) {
  cosim_connection_def link = cosim_default_connection_def();
  cosim_simulation *run = NULL;
  seam_error error = {0};
  link.from = from;
  link.to = "control.f";
  p->definition.signals = &link;
  p->definition.n_signals = 1;
  const seam_status status = create_simulation(p->model, &p->definition, &run, &error);
  p->definition.n_signals = 0;
  p->definition.signals = NULL;
  cr_expect_eq(status, SEAM_BAD_INPUT, "%s", from);
  cr_expect_str_eq(error.message, message);
}

#define MANY                                                                                                           \
  "but a signal comes from one: send a signal from each and combine them in equations, or put these bodies into one "  \
  "subsystem"

Test(signal_quantities, what_no_subsystem_knows_alone_is_refused) {
  static const struct {
    const char *from, *message;
  } rows[] = {
      {"both", "signal: 'both' depends on subsystems 'A', 'B', " MANY},
      {"K.force",
       "signal: 'K.force' depends on subsystems 'A', 'B', but a signal comes from one: the force of coupling 'K' is "
       "'B.K.fx', '.fy' and '.torque'"},
      {"energy.total", "signal: 'energy.total' is an energy of the undivided mechanism, which no subsystem can "
                       "compute: take energies of bodies, or of a measure with 'set'"},
      {"time",
       "signal: 'time' depends on no body, so no subsystem computes it: write it in the equations, as a function of t"},
      {"first.ax", "signal: 'first.ax' depends on accelerations or reactions and so directly on inputs of its "
                   "subsystem: take quantities of positions and velocities"},
      {"bearing.fx", "signal: 'bearing.fx' depends on accelerations or reactions and so directly on inputs of its "
                     "subsystem: take quantities of positions and velocities"},
  };
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: k1.force, to: control.f}"), NULL);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    expect_refused_whole(&p, rows[i].from, rows[i].message);
  cosim_fixture_free(&p);
}

/* The force that the message names is a signal. */
Test(signal_quantities, the_force_of_a_coupling_is_where_the_refusal_says) {
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: B.K.fx, to: control.f}"), NULL);
  start(&p);
  advance(&p, 10);
  cosim_fixture_free(&p);
}

Test(signal_quantities, an_integral_of_a_balance_is_no_quantity) {
  cosim_fixture p =
      cosim_fixture_read(ON_CARRIAGES("inputs: [f], outputs: {u: f}", "{from: k1.force, to: control.f}"), NULL);
  const cosim_balance_correction_def balance = {.input = "control.f", .integral = "k1.force", .spread = 1};
  p.definition.balance_corrections = &balance;
  p.definition.n_balance_corrections = 1;
  expect_no_start(&p, "'k1.force' is a quantity of the motion, not an integral over a macro step");
  cosim_fixture_free(&p);
}
