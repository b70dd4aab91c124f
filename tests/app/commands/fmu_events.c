/* Events of FMUs in runs: macro steps end there where all parts can go back; elsewhere they are counted and said. The
 * FMU is that of tests/fmi/unit/unit.h: a mass that turns round at a wall. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"
#include "tests/support/unit_fmu.h"

TestSuite(fmu_events, .init = enter_scratch, .fini = leave_scratch);

/* A cart pushes a block, which is the FMU, by a spring and damper against the wall. */
static const char model[] =
    "seam: 1\n"
    "name: wall\n"
    "gravity: [0, 0]\n"
    "bodies: {cart: {mass: 2, inertia: 1, at: [0, 0], velocity: [1, 0]}}\n"
    "joints: {rail: {type: prismatic, bodies: [ground, cart], at: [0, 0], axis: [1, 0]}}\n"
    "forces: {push: {type: force, body: cart, at: [0, 0], x: 0, y: 0}}\n"
    "simulate: {end: 0.32, output_step: 0.04}\n"
    "cosim:\n"
    "  macro_step: %g\n"
    "  scheme: %s\n"
    "  rtol: 1e-12\n"
    "  atol: 1e-14\n"
    "  order: 8\n"
    "  subsystems: {left: [cart], unit: {fmu: unit.fmu, parameters: {wall: 0.1, k: 10, divisions: 40%s}}}\n"
    "  couplings: {M: {sides: [{marker: left.push}, {subsystem: unit, force: f, position: x, velocity: v%s}], "
    "stiffness: 300, damping: 2}}\n";

static void write_model(double H, const char *scheme, const char *parameters, const char *more) {
  char text[4096];
  snprintf(text, sizeof text, model, H, scheme, parameters, more);
  write_text("m.yaml", text);
}

static double speed_with(double H, const char *scheme, const char *parameters) {
  write_model(H, scheme, parameters, "");
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out", "--quiet", "--check", "never"));
  outcome_free(&run);
  return csv_last("out/trajectory.csv", "cart.vx");
}

static double count_of(const char *name) {
  char *text = read_text("out/summary.json");
  char key[64];
  snprintf(key, sizeof key, "\"%s\": ", name);
  const char *at = strstr(text, key);
  cr_assert_not_null(at, "%s", name);
  const double count = strtod(at + strlen(key), NULL);
  free(text);
  return count;
}

static void write_with_events(bool keeps_state) {
  unit_options options = default_unit_options(FMI_3);
  options.has_events = true;
  options.keeps_state = options.serialises = keeps_state;
  write_unit("unit.fmu", &options);
}

/* The velocity of the block jumps. Steps that end there keep the order of a smooth motion; where the FMU bounces inside
 * of its steps, unseen, errors fall with H. */
Test(fmu_events, macro_steps_end_at_events_where_parts_repeat) {
  write_with_events(true);
  const double fine = speed_with(1.25e-4, "ff-k1-implicit", "");
  const double error[] = {fabs(speed_with(4e-3, "ff-k1-implicit", "") - fine),
                          fabs(speed_with(1e-3, "ff-k1-implicit", "") - fine)};
  cr_expect_geq(count_of("part_events"), 1);
  cr_expect_eq(count_of("part_events_inside"), 0);
  cr_expect_gt(count_of("repeated"), 0);
  cr_expect_gt(error[0] / error[1], 10); /* 16 of order 2 */
  const unit_options unseen = default_unit_options(FMI_3);
  write_unit("unit.fmu", &unseen);
  const double inside = fabs(speed_with(1e-3, "ff-k1-implicit", "") - fine);
  cr_expect_gt(inside, 5 * error[1]);
  cr_expect_eq(count_of("part_events"), 0);
}

Test(fmu_events, where_parts_do_not_repeat_events_inside_are_said) {
  write_with_events(false);
  write_model(1e-3, "ff-k1-explicit", "", "");
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out", "--accept-wrong"));
  cr_expect(has(run.err, "note: events of FMUs lie inside "), "%s", run.err);
  cr_expect(has(run.err, " of 320 macro steps, which cannot end at events, so that errors are of order 2 at most where "
                         "a signal bends, of order 1 where it jumps: take a smaller macro step\n"),
            "%s", run.err);
  cr_expect_geq(count_of("part_events_inside"), 1);
  cr_expect_eq(count_of("part_events_inside"), count_of("part_events"));
  outcome_free(&run);
}

Test(fmu_events, check_says_how_events_are_seen) {
  static const char *const texts[] = {"events: inside of steps, not seen\n", "events: steps end early\n",
                                      "events: event mode\n"};
  for (int i = 0; i < 3; i++) {
    unit_options options = default_unit_options(FMI_3);
    options.has_events = i == 2;
    options.returns_early = i == 1;
    write_unit("unit.fmu", &options);
    outcome result = expect_success(SEAM("check", "unit.fmu"));
    cr_expect(has(result.out, texts[i]), "%s", result.out);
    outcome_free(&result);
  }
}

/* Samples of an FMU are events too, which it names beforehand. */
Test(fmu_events, macro_steps_end_at_samples_of_fmus) {
  write_with_events(true);
  write_model(4e-3, "ff-k1-implicit", ", period: 0.03", "");
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
  cr_expect_geq(count_of("part_events"), 11);
  cr_expect_eq(count_of("part_events_inside"), 0);
  outcome_free(&run);
}

Test(fmu_events, discarded_steps_are_said) {
  const unit_options options = default_unit_options(FMI_2);
  write_unit("unit.fmu", &options);
  write_model(4e-3, "ff-k1", ", longest: 0.003", "");
  outcome run =
      expect_success(SEAM("run", "--cosim", "m.yaml", "--set", "simulate.bounds={accurate: 1e-9}", "-o", "out"));
  cr_expect(has(run.err, "note: FMUs discarded steps and repeated them with a shorter length, "), "%s", run.err);
  cr_expect_geq(count_of("shortened"), 80);
  outcome_free(&run);
}

/* Steps of one length are not shortened: not for contacts, not for stops. */
Test(fmu_events, steps_of_one_length_stay) {
  unit_options options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 1e-3;
  write_unit("unit.fmu", &options);
  write_model(2e-3, "ff-k1", "", "");
  char *text = read_text("m.yaml");
  char *more = malloc(strlen(text) + 100);
  sprintf(more, "%sevents: {near: {when: \"cart.x > 0.05\", stop: true}}\n", text);
  write_text("m.yaml", more);
  outcome run = expect_success(SEAM("run", "--cosim", "m.yaml", "-o", "out"));
  cr_expect(has(run.err, "stops the run only at the next macro point"), "%s", run.err);
  free(more);
  free(text);
  outcome_free(&run);
}
