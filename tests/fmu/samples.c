/* A cart under a sampled controller that is an FMU of its own, coupled by held signals, against the whole. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/fmu_host.h"
#include "tests/support/run_results.h"

TestSuite(samples, .init = enter_scratch, .fini = leave_scratch);

#define CART                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "bodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}}\n"                                                                \
  "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"                              \
  "simulate: {end: 0.5, output_step: 0.05}\n"
#define LAW                                                                                                            \
  "    sample: 0.05\n    states: {sum: 0}\n    updates: {sum: sum + 0.05*x}\n"                                         \
  "    outputs: {force: -20*x - 6*v - 2*sum}\n"

static const char whole[] = CART "forces: {push: {type: force, body: cart, x: control.force}}\n"
                                 "equations:\n  control:\n    inputs: {x: cart.x, v: cart.vx}\n" LAW;

static const char control[] =
    "seam: 1\n"
    "bodies: {one: {mass: 1, inertia: 1, at: [0, 0]}, other: {mass: 1, inertia: 1, at: [0, 0]}}\n"
    "forces: {M: {type: bushing, bodies: [one, other], at: [0, 0], stiffness: [1, 1, 1]}}\n"
    "fmu: {inputs: {place: 0, speed: 0}, outputs: [control.force]}\n"
    "simulate: {end: 1}\n"
    "cosim: {macro_step: 0.05, scheme: fd-k0-explicit,\n"
    "        subsystems: {rest: [one], controller: {bodies: [other], equations: [control]}}}\n"
    "equations:\n  control:\n    inputs: {x: place, v: speed}\n" LAW;

static void expect_done(outcome result) {
  result = expect_success(result);
  outcome_free(&result);
}

/* The measured signals are held with an order; the force, an output, with another. */
static outcome run_loop_of(const char *output, const char *macro_step, int measured, int force) {
  char text[1200];
  snprintf(text, sizeof text,
           "%sforces: {push: {type: force, body: cart, x: 0}}\n"
           "cosim:\n  macro_step: %s\n"
           "  subsystems: {plant: [cart], controller: {fmu: control.fmu}}\n"
           "  signals:\n"
           "    - {from: cart.x, to: controller.place, order: %d}\n"
           "    - {from: cart.vx, to: controller.speed, order: %d}\n"
           "    - {from: controller.%s, to: plant.push.fx, order: %d}\n",
           CART, macro_step, measured, measured, output, force);
  write_text("loop.yaml", text);
  return SEAM("run", "loop.yaml", "--cosim", "-o", "loop");
}

static outcome run_loop(const char *macro_step, int measured, int force) {
  return run_loop_of("control.force", macro_step, measured, force);
}

/* The cart's place at the end. */
static double place_of_loop(const char *macro_step, int order) {
  expect_done(run_loop(macro_step, order, 0));
  return csv_last("loop/trajectory.csv", "cart.x");
}

static double export_controller(const char *version, const char *of_whole, const char *of_control) {
  write_text("whole.yaml", of_whole);
  write_text("control.yaml", of_control);
  expect_done(SEAM("run", "whole.yaml", "-o", "whole"));
  expect_done(SEAM("export", "control.yaml", "--subsystem", "controller", "--fmi", version, "-o", "control.fmu"));
  return csv_last("whole/trajectory.csv", "cart.x");
}

static double export_with(const char *version) { return export_controller(version, whole, control); }

/* The controller acts by what is measured at its samples, the first one too, at which the file has other inputs; the
 * force in between is constant: what the loop has of errors is rounding, however long the macro steps are. */
Test(samples, a_loop_of_a_sampled_fmu_with_event_mode_is_the_whole) {
  static const char *const steps[] = {"0.05", "0.03", "0.0125", "0.2", "1e-3"};
  const double exact = export_with("3");
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (int order = 0; order <= 2; order++)
      cr_expect_float_eq(place_of_loop(steps[i], order), exact, 1e-12, "%s, order %d", steps[i], order);
}

Test(samples, without_event_mode_macro_steps_must_divide_the_period) {
  static const char *const steps[] = {"0.05", "0.0125", "1e-3"};
  const double exact = export_with("2");
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
    for (int order = 0; order <= 2; order++)
      cr_expect_float_eq(place_of_loop(steps[i], order), exact, 1e-12, "%s, order %d", steps[i], order);
}

/* The plant's step takes the force at its beginning, though a controller before it has reached its next sample. */
Test(samples, one_after_the_other_in_any_order_is_the_whole) {
  static const char plant_first[] = "plant: [cart], controller: {fmu: control.fmu}";
  static const char controller_first[] = "controller: {fmu: control.fmu}, plant: [cart]";
  static const char *const versions[] = {"2", "3"};
  for (size_t v = 0; v < 2; v++) {
    const double exact = export_with(versions[v]);
    expect_done(run_loop("0.05", 1, 0));
    for (int is_reversed = 0; is_reversed < 2; is_reversed++) {
      expect_done(SEAM("run", "loop.yaml", "--cosim", "--set", "cosim.sequence=gauss-seidel", "-o", "loop"));
      cr_expect_float_eq(csv_last("loop/trajectory.csv", "cart.x"), exact, 1e-12, "%s, %d", versions[v], is_reversed);
      char *text = read_text("loop.yaml");
      char *order = strstr(text, plant_first);
      if (order != NULL)
        memcpy(order, controller_first, sizeof controller_first - 1);
      write_text("loop.yaml", text);
      free(text);
    }
  }
}

/* Measures of sampled variables alone are sampled too; others are not. */
Test(samples, what_is_computed_from_samples_alone_is_discrete) {
  static const char *const versions[] = {"2", "3"};
  static const struct {
    const char *name;
    fmi_variability variability;
  } rows[] = {{"control.force", FMI_DISCRETE}, {"half", FMI_DISCRETE},    {"full", FMI_DISCRETE},
              {"mixed", FMI_CONTINUOUS},       {"timed", FMI_CONTINUOUS}, {"place_of_other", FMI_CONTINUOUS}};
  char text[2000];
  snprintf(text, sizeof text,
           "%smeasures: {half: 0.5*control.force, full: 2*half, mixed: control.force + other.x, timed: half*t,\n"
           "           place_of_other: other.x}\n",
           control);
  write_text("whole.yaml", whole);
  write_text("control.yaml", text);
  expect_done(SEAM("run", "whole.yaml", "-o", "whole"));
  for (size_t v = 0; v < 2; v++) {
    expect_done(SEAM("export", "control.yaml", "--subsystem", "controller", "--fmi", versions[v], "--set",
                     "fmu.outputs=[control.force, half, full, mixed, timed, place_of_other]", "-o", "control.fmu"));
    fmu_host host = fmu_host_load("control.fmu", v == 0 ? 2 : 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
      cr_expect_eq(host.says->variables[fmi_find_variable(host.says, rows[i].name)].variability, rows[i].variability,
                   "%s", rows[i].name);
    fmu_host_close(&host);
    outcome result = expect_success(run_loop_of("full", "0.05", 1, 0));
    outcome_free(&result);
    cr_expect_float_eq(csv_last("loop/trajectory.csv", "cart.x"), csv_last("whole/trajectory.csv", "cart.x"), 1e-12);
  }
}

/* Samples inside of macro steps are seen at their ends: for half of the time at 30 ms, where two of three samples lie
 * 10 and 20 ms before them, and all that the FMU says is that its output has changed. */
/* A macro step of several periods ends at a sample, which is on time; those inside are not. */
Test(samples, samples_inside_before_one_at_the_end_are_wrong) {
  const double exact = export_with("2");
  outcome result = run_loop("0.1", 1, 0);
  cr_expect_eq(result.exit_status, 3, "%s", result.err);
  cr_expect(has(result.out, "wrong: "), "%s", result.out);
  cr_expect_gt(fabs(csv_last("loop/trajectory.csv", "cart.x") - exact), 1e-3);
  outcome_free(&result);
}

Test(samples, late_samples_are_wrong) {
  const double exact = export_with("2");
  for (int order = 0; order <= 2; order++) {
    outcome result = run_loop("0.03", order, 0);
    cr_expect_eq(result.exit_status, 3, "%d: %s", order, result.err);
    cr_expect(has(result.out, "wrong: "), "%s", result.out);
    cr_expect_gt(fabs(csv_last("loop/trajectory.csv", "cart.x") - exact), 1e-3);
    outcome_free(&result);
  }
}

/* A text with the law of another controller. */
static void write_law(char *text, size_t size, const char *from, const char *law) {
  const char *at = strstr(from, "    sample:");
  snprintf(text, size, "%.*s%s", (int)(at - from), from, law);
}

/* A relay is at a limit always, and switches often here; outputs that do not follow what is measured a little beside it
 * are no samples that act late. */
Test(samples, an_actuator_at_its_limit_is_not_late) {
  static const char *const laws[] = {
      "    sample: 0.05\n    outputs: {force: \"if(x + 0.05*v > 0.953, -4, 4)\"}\n",
      "    sample: 0.05\n    outputs: {force: \"max(-3, min(3, -300*(x - 0.9) - 30*v))\"}\n"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
    char of_whole[1200], of_control[1200];
    write_law(of_whole, sizeof of_whole, whole, laws[i]);
    write_law(of_control, sizeof of_control, control, laws[i]);
    const double exact = export_controller("2", of_whole, of_control);
    outcome result = run_loop("0.05", 1, 0);
    cr_expect_eq(result.exit_status, 0, "%zu: %s", i, result.err);
    cr_expect_not(has(result.err, "act late"), "%zu: %s", i, result.err);
    cr_expect_float_eq(csv_last("loop/trajectory.csv", "cart.x"), exact, 1e-12, "%zu", i);
    outcome_free(&result);
    result = run_loop("0.035", 1, 0); /* here some do, and change the motion */
    cr_expect_gt(fabs(csv_last("loop/trajectory.csv", "cart.x") - exact), 1e-6, "%zu", i);
    outcome_free(&result);
  }
}

/* The controller's own motion jumps at 0.1 s, which is a sample's time: a motor of another body goes faster. */
Test(samples, a_jump_of_the_fmu_at_a_samples_time_leaves_its_inputs_to_the_sample) {
  static const char *const versions[] = {"2", "3"};
  char text[2000];
  snprintf(text, sizeof text,
           "%sjoints: {turn: {type: motor, bodies: [ground, other], speed: \"if(t < 0.1, 1, 3)\"}}\n%s", control,
           "start: {turn.omega: 1}\n");
  for (int v = 0; v < 2; v++) {
    const double exact = export_controller(versions[v], whole, text);
    outcome result = expect_success(run_loop("0.05", 1, 0));
    outcome_free(&result);
    cr_expect_float_eq(csv_last("loop/trajectory.csv", "cart.x"), exact, 1e-12, "FMI %s", versions[v]);
  }
}

/* The cart is driven, and its speed jumps at 0.1 s: the sample of that time reads the speed beyond, as that of the
 * whole does, be it an FMU's or one of equations that are a subsystem. */
Test(samples, a_jump_of_what_is_measured_at_a_samples_time_is_read) {
#define DRIVEN                                                                                                         \
  "seam: 1\n"                                                                                                          \
  "bodies: {cart: {mass: 1, inertia: 1, at: [1, 0]}, free: {mass: 1, inertia: 1, at: [0, 0]}}\n"                       \
  "joints: {drive: {type: motion, of: x, body: cart, law: \"1 + if(t < 0.1, t, 3*t - 0.2)\"}}\n"                       \
  "start: {cart.vx: 1}\n"                                                                                              \
  "simulate: {end: 0.5, output_step: 0.05}\n"
  static const char *const controllers[] = {"{fmu: control.fmu}", "{fmu: control.fmu}",
                                            "{sample: 0.05, inputs: [speed], outputs: {force: 10*speed}}"};
  static const char *const versions[] = {"2", "3", "3"};
  char of_control[1200], text[1200];
  write_law(of_control, sizeof of_control, control, "    sample: 0.05\n    outputs: {force: 10*v}\n");
  for (int i = 0; i < 3; i++) {
    (void)export_controller(versions[i],
                            DRIVEN
                            "forces: {push: {type: force, body: free, x: control.force}}\n"
                            "equations: {control: {sample: 0.05, inputs: {v: cart.vx}, outputs: {force: 10*v}}}\n",
                            of_control);
    snprintf(text, sizeof text,
             DRIVEN "forces: {push: {type: force, body: free, x: 0}}\n"
                    "cosim:\n  macro_step: 0.05\n  subsystems: {plant: [cart, free], controller: %s}\n  signals:\n"
                    "    - {from: cart.vx, to: controller.speed}\n"
                    "    - {from: controller.%sforce, to: plant.push.fx}\n",
             controllers[i], i < 2 ? "control." : "");
    write_text("loop.yaml", text);
    expect_done(SEAM("run", "loop.yaml", "--cosim", "-o", "loop"));
    cr_expect_float_eq(csv_last("whole/trajectory.csv", "free.x"), 2.85, 1e-9);
    cr_expect_float_eq(csv_last("loop/trajectory.csv", "free.x"), csv_last("whole/trajectory.csv", "free.x"), 1e-12,
                       "%d", i);
  }
}

Test(samples, a_signal_from_a_sampled_fmu_has_no_order) {
  (void)export_with("3");
  outcome result = run_loop("0.05", 0, 1);
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "'controller.control.force' is constant between its samples: leave out 'order'"), "%s",
            result.err);
  outcome_free(&result);
}
