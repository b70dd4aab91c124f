/* Equations of the file that subsystems list: what they and other subsystems read of each other becomes signals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/whole_error.h"

/* A motor turns a wheel through a shaft. The law of `drive` is not one signal alone; `slip` is of both bodies. */
#define MODEL(SUBSYSTEMS)                                                                                              \
  "seam: 1\n"                                                                                                          \
  "parameters: {R: 0.5, L: 0.02, k: 0.4, U: 12}\n"                                                                     \
  "bodies:\n"                                                                                                          \
  "  rotor: {mass: 1, inertia: 0.02, rate: 1}\n"                                                                       \
  "  wheel: {mass: 1, inertia: 0.05, at: [1, 0]}\n"                                                                    \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, rotor], at: [0, 0]}\n"                                                       \
  "  B: {type: revolute, bodies: [ground, wheel], at: [1, 0]}\n"                                                       \
  "forces:\n"                                                                                                          \
  "  shaft: {type: torsion, bodies: [rotor, wheel], stiffness: 20, damping: 0.2}\n"                                    \
  "  drive: {type: torque, body: rotor, torque: motor.torque - 0.02*rotor.omega*motor.i}\n"                            \
  "equations:\n"                                                                                                       \
  "  motor:\n"                                                                                                         \
  "    inputs: {w: rotor.omega}\n"                                                                                     \
  "    states: {i: 2}\n"                                                                                               \
  "    rates: {i: (U - 0.1*slip - R*i - k*w)/L}\n"                                                                     \
  "    outputs: {torque: k*i + 0.01*slip}\n"                                                                           \
  "measures: {slip: rotor.omega - wheel.omega}\n"                                                                      \
  "simulate: {end: 0.4}\n"                                                                                             \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  rtol: 1e-12\n"                                                                                                    \
  "  atol: 1e-12\n"                                                                                                    \
  "  scheme: ff-colloc-s2\n"                                                                                           \
  "  subsystems:\n" SUBSYSTEMS

static double error_with(const char *text, double H) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  return error_against_whole(text, &options, H, 0.4);
}

/* Errors fall by 2^(k + 1) where signals of order k are what is not exact. */
static void expect_order(const char *text, double order, const char *what) {
  const double coarse = error_with(text, 1e-3);
  const double fine = error_with(text, 5e-4);
  cr_expect_float_eq(log2(coarse / fine), order, 0.15, "%s: %g, %g", what, coarse, fine);
  cr_expect_lt(fine, 0.03, "%s", what);
}

#define ALONE(ORDER) MODEL("    plant: [rotor, wheel]\n    electrics: {equations: [motor], signal_order: " ORDER "}\n")
#define TWO(ORDER)                                                                                                     \
  MODEL("    left: [rotor]\n    right: [wheel]\n    electrics: {equations: [motor], signal_order: " ORDER "}\n")

Test(equations_in_parts, a_motor_alone_converges_at_the_order_of_its_signals) {
  expect_order(ALONE("0"), 1, "order 0");
  expect_order(ALONE("1"), 2, "order 1");
}

Test(equations_in_parts, a_motor_beside_bodies_that_a_master_couples_converges_too) {
  expect_order(TWO("0"), 1, "order 0");
  expect_order(TWO("1"), 2, "order 1");
}

Test(equations_in_parts, equations_that_go_with_a_body_read_the_other_body_by_signals) {
  static const char with_rotor[] =
      MODEL("    left: {bodies: [rotor], equations: [motor], signal_order: 1}\n    right: [wheel]\n");
  static const char with_wheel[] =
      MODEL("    left: [rotor]\n    right: {bodies: [wheel], equations: [motor], signal_order: 1}\n");
  expect_order(with_rotor, 2, "with the rotor");
  expect_order(with_wheel, 2, "with the wheel");
}

#define VALVE(SUBSYSTEMS)                                                                                              \
  "seam: 1\n"                                                                                                          \
  "bodies: {mass: {mass: 1, inertia: 1, at: [1, 0]}}\n"                                                                \
  "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}}\n"                              \
  "forces: {push: {type: force, body: mass, x: valve.F}}\n"                                                            \
  "equations:\n"                                                                                                       \
  "  sensor: {states: {x: 1}, rates: {x: 20*(mass.x - x)}, outputs: {x2: 2*x}}\n"                                      \
  "  valve: {states: {F: 0}, rates: {F: 10*(-20*sensor.x2/2 - 2*mass.vx - F)}}\n"                                      \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  rtol: 1e-12\n"                                                                                                    \
  "  atol: 1e-12\n"                                                                                                    \
  "  subsystems: {plant: [mass], d: {equations: [sensor], signal_order: 1}" SUBSYSTEMS "}\n"

/* A part of the equations that another one reads, and equations in no list that read a listed one. */
Test(equations_in_parts, equations_read_each_other_through_signals) {
  expect_order(VALVE(""), 2, "one listed");
  expect_order(VALVE(", v: {equations: [valve], signal_order: 1}"), 2, "two listed");
}

/* ---- Signals ---- */

Test(equations_in_parts, signals_begin_with_what_the_start_is) {
  cut_run run = cut_run_begin(ALONE("0"), NULL);
  cr_expect_float_eq(cut_run_signal(&run, "motor.i"), 2, 1e-15);
  cr_expect_float_eq(cut_run_signal(&run, "motor.torque"), 0.4 * 2 + 0.01 * 1, 1e-15);
  cr_expect_float_eq(cut_run_signal(&run, "rotor.omega"), 1, 1e-15);
  cut_run_end(&run);
}

/* Over the first macro step all that is held is constant: i' = (U - 0.1 slip - R i - k w)/L. */
Test(equations_in_parts, a_held_input_is_constant_over_the_first_macro_step) {
  const double R = 0.5, L = 0.02, k = 0.4, U = 12, H = 1e-2;
  const double rest = (U - 0.1 - k) / R;
  cut_run run = cut_run_begin(ALONE("2"), NULL);
  cut_run_advance(&run, H, 1);
  cr_expect_float_eq(cut_run_signal(&run, "motor.i"), rest + (2 - rest) * exp(-R / L * H), 1e-10);
  cut_run_end(&run);
}

Test(equations_in_parts, the_same_equations_under_cosim_with_signals_give_the_same_run) {
  static const char by_hand[] = "seam: 1\n"
                                "bodies: {mass: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                                "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}}\n"
                                "forces: {push: {type: force, body: mass, x: 0}}\n"
                                "cosim:\n"
                                "  macro_step: 1e-2\n"
                                "  subsystems:\n"
                                "    plant: [mass]\n"
                                "    d: {inputs: [x], states: {F: 1}, rates: {F: -3*x - F}, outputs: {F: F}}\n"
                                "  signals:\n"
                                "    - {from: mass.x, to: d.x, order: 2}\n"
                                "    - {from: d.F, to: plant.push.fx, order: 2}\n";
  static const char listed[] = "seam: 1\n"
                               "bodies: {mass: {mass: 1, inertia: 1, at: [1, 0]}}\n"
                               "joints: {rail: {type: prismatic, bodies: [ground, mass], at: [0, 0], axis: [1, 0]}}\n"
                               "forces: {push: {type: force, body: mass, x: c.F}}\n"
                               "equations: {c: {inputs: {x: mass.x}, states: {F: 1}, rates: {F: -3*x - F}}}\n"
                               "cosim:\n"
                               "  macro_step: 1e-2\n"
                               "  subsystems: {plant: [mass], d: {equations: [c], signal_order: 2}}\n";
  cut_run a = cut_run_begin(by_hand, NULL);
  cut_run b = cut_run_begin(listed, NULL);
  cut_run_advance(&a, 1e-2, 100);
  cut_run_advance(&b, 1e-2, 100);
  cr_expect_float_eq(cosim_state(a.simulation)->q[0], cosim_state(b.simulation)->q[0], 1e-9);
  cr_expect_float_eq(cut_run_signal(&a, "d.F"), cut_run_signal(&b, "c.F"), 1e-9);
  cut_run_end(&a);
  cut_run_end(&b);
}

Test(equations_in_parts, starts_and_images_give_the_same_bits) {
  cut_run run = cut_run_begin(TWO("2"), NULL);
  cut_run fresh = cut_run_begin(TWO("2"), NULL);
  const size_t size = cosim_image_size(run.simulation);
  void *image = malloc(size);
  cut_run_advance(&run, 1e-3, 7);
  cosim_save(run.simulation, image);
  cut_run_advance(&run, 1e-3, 30);
  const mbs_state *now = cosim_state(run.simulation);
  const double found[] = {now->q[2], now->v[2], cut_run_signal(&run, "motor.i")};
  for (int turn = 0; turn < 2; turn++) {
    seam_error error = {0};
    if (turn == 0)
      cr_assert_eq(cosim_restore(fresh.simulation, image, size, &error), SEAM_OK, "%s", error.message);
    else
      cr_assert_eq(cosim_start(fresh.simulation, fresh.start, &error), SEAM_OK, "%s", error.message);
    cut_run_advance(&fresh, 1e-3, turn == 0 ? 30 : 37);
    now = cosim_state(fresh.simulation);
    const double again[] = {now->q[2], now->v[2], cut_run_signal(&fresh, "motor.i")};
    cr_expect_arr_eq(again, found, sizeof found, "turn %d", turn);
  }
  free(image);
  cut_run_end(&run);
  cut_run_end(&fresh);
}

/* ---- Refusals ---- */

static void expect_refused_cut(const char *text, const char *const *overrides, const char *message) {
  seam_model_file *file = read_model(text, overrides);
  cosim_simulation *simulation = NULL;
  seam_error error = {0};
  cr_expect_eq(cosim_create(seam_model_cosim(file), &simulation, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message);
  cosim_destroy(simulation);
  seam_model_file_destroy(file);
}

Test(equations_in_parts, equations_cannot_read_a_cut_joint_or_a_measure_of_it) {
  static const char *const force[] = {"equations.motor.inputs.w=shaft.torque", NULL};
  static const char *const measure[] = {"measures.slip=shaft.torque", "equations.motor.inputs.w=slip", NULL};
  expect_refused_cut(TWO("0"), force,
                     "subsystem 'electrics': 'motor.w' reads 'shaft.torque', which no single subsystem can compute, "
                     "perhaps because it belongs to a cut element: read quantities of bodies instead");
  expect_refused_cut(TWO("0"), measure,
                     "subsystem 'electrics': 'slip' reads 'shaft.torque', which no single subsystem can compute, "
                     "perhaps because it belongs to a cut element: read quantities of bodies instead");
}

Test(equations_in_parts, accelerations_and_samples_do_not_become_signals) {
  static const char *const acceleration[] = {"equations.motor.inputs.w=rotor.omega + 0*rotor.alpha", NULL};
  static const char *const sampled[] = {
      "equations.motor={inputs: {w: rotor.omega}, sample: 1e-3, states: {i: 2}, updates: {i: i}, outputs: {torque: w}}",
      NULL};
  expect_refused_cut(ALONE("0"), acceleration,
                     "subsystem 'electrics' reads 'rotor.alpha' of subsystem 'plant', which depends on accelerations "
                     "or reactions and so directly on inputs of that subsystem: read positions and velocities");
  expect_refused_cut(ALONE("0"), sampled,
                     "subsystem 'plant' reads 'motor.torque' of subsystem 'electrics', which is sampled: keep sampled "
                     "equations in the subsystem that reads them, or write them under 'cosim.subsystems' with signals");
}

Test(equations_in_parts, what_needs_a_list_says_so) {
  static const char *const none[] = {"cosim.subsystems={left: [rotor], right: [wheel]}", NULL};
  static const char *const held[] = {
      "cosim.subsystems={left: [rotor], right: [wheel]}",
      "equations.motor={inputs: {w: wheel.omega}, sample: 1e-3, states: {i: 2}, updates: {i: i}, outputs: {torque: w}}",
      NULL};
  static const char *const apart[] = {"cosim.subsystems={left: [rotor], right: [wheel]}",
                                      "forces.drive.torque=rotor.omega", NULL};
  expect_refused_cut(
      TWO("0"), none,
      "subsystem 'left': the law of force 'drive' reads 'motor.torque', which its subsystem does not have: "
      "write 'motor_part: {equations: [motor]}' under 'cosim.subsystems', or keep both in one subsystem");
  expect_refused_cut(TWO("0"), held,
                     "subsystem 'left': the law of force 'drive' reads 'motor.torque', which its subsystem does not "
                     "have: list 'motor' under 'equations' of this subsystem");
  expect_refused_cut(TWO("0"), apart,
                     "variable 'motor.i' reads quantities of more than one subsystem: write 'motor_part: {equations: "
                     "[motor]}' under 'cosim.subsystems', or cut elsewhere");
}

Test(equations_in_parts, model_based_corrections_are_refused) {
  static const char *const corrected[] = {"cosim.corrections={model_based: {}}", NULL};
  expect_refused_cut(ALONE("0"), corrected,
                     "subsystem 'plant' reads 'motor.torque' of subsystem 'electrics', and 'model_based' needs the "
                     "derivative of its motion by this quantity, which is not computed: leave out 'model_based', or "
                     "write the equations under 'cosim.subsystems' with signals");
}
