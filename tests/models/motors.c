/* Motors and other drives of given speed: the places that follow from integrating it, in closed form; what drives them;
 * what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/measures.h>

#include "models/speed_law.h"
#include "tests/support/model_run.h"

/* ---- The integral ---- */

static double wave(const void *data, const double x[2]) {
  (void)data;
  return 3 + 2 * cos(50 * x[0]) + exp(-x[0]);
}

static void wave_jet(const void *data, const double x[2], seam_jet *out) {
  *out = (seam_jet){.value = wave(data, x), .d = {-100 * sin(50 * x[0]) - exp(-x[0])}};
}

Test(motors, an_integral_is_exact_to_rounding_wherever_it_is_asked_for) {
  const seam_law speed = {.value = wave, .jet = wave_jet};
  seam_law law;
  cr_assert_eq(speed_law_create(&speed, 0.25, 2, &law, NULL), SEAM_OK);
  for (int k = -100; k <= 400; k++) { /* before, within and beyond what is prepared */
    const double t = 0.01234 * k;
    const double exact = 0.25 + 3 * t + sin(50 * t) / 25 + 1 - exp(-t);
    seam_jet jet;
    law.jet(law.data, (double[2]){t, 0}, &jet);
    cr_expect_float_eq(jet.value, exact, 1e-15 * (5 + 5 * fabs(exact)), "%g: %.3g", t, jet.value - exact);
    cr_expect_eq(jet.d[0], wave(NULL, (double[2]){t, 0}));
    cr_expect_float_eq(jet.dd[0], -100 * sin(50 * t) - exp(-t), 1e-13);
  }
  law.destroy(law.data);
}

/* As narrow as an integrator sees. */
static double pulse(const void *data, const double x[2]) {
  (void)data;
  return exp(-pow((x[0] - 1.003) / 0.02, 2));
}

Test(motors, a_pulse_is_not_missed) {
  const seam_law speed = {.value = pulse};
  seam_law law;
  cr_assert_eq(speed_law_create(&speed, 0, 4, &law, NULL), SEAM_OK);
  cr_expect_float_eq(law.value(law.data, (double[2]){3, 0}), 0.02 * sqrt(acos(-1)), 1e-15);
  law.destroy(law.data);
}

/* ---- Mechanisms ---- */

#define MOTOR(keys)                                                                                                    \
  "seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0]}\n"                                                     \
  "tables: {ramp: {x: [0, 1, 2], y: [0, 4, 1]}}\n"                                                                     \
  "bodies: {arm: {rod: [A, B], mass: 3}}\n"                                                                            \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, arm], at: A}\n"                                                              \
  "  M: {type: motor, bodies: [ground, arm], " keys "}\n"                                                              \
  "simulate: {end: 2}\n"

static model_run begin(const char *text) {
  const mbs_integrator_options options = mbs_default_integrator_options();
  return model_run_begin(text, NULL, &options, NAN);
}

/* J φ'' = M - m g l/2 cos φ about the pivot, J = m l²/3. */
Test(motors, a_motor_turns_with_its_speed_and_needs_its_torque) {
  model_run run = begin(MOTOR("speed: \"3 + 2*sin(5*t) + if(t > 0.5, t, 0)\""));
  for (int k = 1; k <= 20; k++) {
    const double t = 0.1 * k;
    model_run_advance(&run, t);
    cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
    const double late = t > 0.5 ? 1 : 0;
    const double phi = 3 * t + 0.4 * (1 - cos(5 * t)) + late * (t * t - 0.25) / 2;
    const double omega = 3 + 2 * sin(5 * t) + late * t;
    const double torque = 10 * cos(5 * t) + late + 3 * 9.81 / 2 * cos(phi);
    cr_expect_float_eq(run.state->q[2], phi, 1e-14, "%g: %.3g", t, run.state->q[2] - phi);
    cr_expect_float_eq(run.state->v[2], omega, 1e-13);
    cr_expect_float_eq(model_run_read(&run, "M.drive"), torque, 1e-11, "%g", t);
    cr_expect_float_eq(model_run_read(&run, "M.power"), torque * omega, 1e-11);
  }
  model_run_end(&run);
}

Test(motors, a_speed_may_be_a_table_and_its_angle_may_begin_anywhere) {
  model_run run = begin(MOTOR("speed: ramp(t), start: -1"));
  cr_expect_float_eq(run.state->q[2], -1, 1e-14);
  model_run_advance(&run, 1.5);
  cr_expect_float_eq(run.state->q[2], -1 + 2 + 2 - 0.375, 1e-14);
  cr_expect_float_eq(run.state->v[2], 2.5, 1e-13);
  model_run_end(&run);
}

Test(motors, the_time_has_two_names) {
  for (int i = 0; i < 2; i++) {
    model_run run = begin(i == 0 ? MOTOR("speed: 3*t^2") : MOTOR("speed: 3*time^2"));
    model_run_advance(&run, 2);
    cr_expect_float_eq(run.state->q[2], 8, 1e-13);
    model_run_end(&run);
  }
}

Test(motors, an_angle_can_be_given_instead) {
  model_run run = begin(MOTOR("angle: 0.3 + sin(t)"));
  model_run_advance(&run, 2);
  cr_expect_float_eq(run.state->q[2], 0.3 + sin(2), 1e-14);
  model_run_end(&run);
}

#define BLOCK(keys)                                                                                                    \
  "seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [3, 4]}\n"                                                     \
  "bodies: {block: {mass: 2, inertia: 1, at: B}}\n"                                                                    \
  "joints:\n"                                                                                                          \
  "  G: {type: prismatic, bodies: [ground, block], at: A, axis: [3, 4]}\n"                                             \
  "  M: {type: motion, bodies: [ground, block], " keys ", speed: sin(3*t)}\n"                                          \
  "simulate: {end: 2}\n"

/* Up a slope of 4 in 3: m s'' = F - m g 4/5, whichever way the slide is measured. */
Test(motors, slides_and_distances_have_speeds) {
  static const char *const texts[] = {BLOCK("of: slide, at: A, axis: [3, 4]"), BLOCK("of: slide, at: B, axis: [3, 4]"),
                                      BLOCK("of: distance, at: [A, B]")};
  for (int i = 0; i < 3; i++) {
    model_run run = begin(texts[i]);
    model_run_advance(&run, 2);
    const double s = 5 + (1 - cos(6.0)) / 3;
    cr_expect_float_eq(run.state->q[0], 0.6 * s, 1e-13, "%d", i);
    cr_expect_float_eq(run.state->q[1], 0.8 * s, 1e-13, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "M.drive"), 2 * (3 * cos(6.0) + 0.8 * 9.81), 1e-11, "%d", i);
    cr_expect_float_eq(model_run_read(&run, "M.power"), model_run_read(&run, "M.drive") * sin(6.0), 1e-11, "%d", i);
    model_run_end(&run);
  }
}

/* Its axis turns with the first body: seen from a turning arm the slider moves on a spiral, driven by -m ω² s along. */
Test(motors, a_slide_on_a_turning_body) {
  model_run run = begin("seam: 1\npoints: {A: [0, 0], B: [1, 0]}\n"
                        "bodies: {arm: {rod: [A, B], mass: 3}, slider: {mass: 2, inertia: 1, at: B}}\n"
                        "joints:\n"
                        "  A: {type: motor, bodies: [ground, arm], speed: 4}\n"
                        "  P: {type: revolute, bodies: [ground, arm], at: A}\n"
                        "  G: {type: prismatic, bodies: [arm, slider], at: B, axis: [1, 0]}\n"
                        "  M: {type: motion, of: slide, bodies: [arm, slider], at: B, axis: [1, 0], speed: 0.5*t}\n"
                        "simulate: {end: 2}\n");
  model_run_advance(&run, 2);
  cr_expect_float_eq(run.state->q[3], 2 * cos(8.0), 1e-13);
  cr_expect_float_eq(run.state->q[4], 2 * sin(8.0), 1e-13);
  cr_expect_float_eq(model_run_read(&run, "M.drive"), 2 * (0.5 - 16 * 2), 1e-10);
  cr_expect_float_eq(model_run_read(&run, "A.drive"), 2 * 2 * 1 * 4 * 2, 1e-10, "Coriolis: 2 m s' w s");
  model_run_end(&run);
}

/* ---- What motions do not follow, and what does ---- */

#define OSCILLATOR "equations: {osc: {states: {x: 0.2, v: 0}, rates: {x: v, v: -9*x}}}\n"

/* Behind the target by d/k, but for terms of order (w d/k)². */
Test(motors, what_a_refusal_offers_follows_with_its_lag) {
  model_run run =
      begin("seam: 1\n" OSCILLATOR "bodies: {arm: {mass: 1, inertia: 1}}\n"
            "joints: {A: {type: revolute, bodies: [ground, arm], at: [0, 0]}}\n"
            "forces: {M: {type: torsion, bodies: [ground, arm], angle: 0, torque: \"k*(s - osc.x) + d*v\"}}\n"
            "parameters: {k: 1e5, d: 1000}\nsimulate: {end: 3}\n");
  for (int i = 2; i <= 6; i++) {
    const double t = 0.5 * i;
    model_run_reach(&run, t);
    cr_expect_float_eq(run.state->q[2], 0.2 * cos(3 * (t - 0.01)), 1e-4, "%d: %g", i, run.state->q[2]);
  }
  model_run_end(&run);
}

Test(motors, a_speed_that_a_refusal_offers_is_slower_by_the_load) {
  model_run run = begin("seam: 1\n" OSCILLATOR "bodies: {arm: {mass: 1, inertia: 1}}\n"
                        "joints: {A: {type: revolute, bodies: [ground, arm], at: [0, 0]}}\n"
                        "forces:\n  M: {type: torsion, bodies: [ground, arm], torque: \"d*(v - 5 - osc.x)\"}\n"
                        "  load: {type: torque, body: arm, torque: -20}\n"
                        "parameters: {d: 1000}\nsimulate: {end: 2}\n");
  model_run_advance(&run, 2);
  cr_expect_float_eq(run.state->v[2], 5 + 0.2 * cos(6.0) - 0.02, 1e-3);
  model_run_end(&run);
}

/* ---- Refusals ---- */

#define REFUSED(name, text, message)                                                                                   \
  Test(motors, name) { expect_refused(text, message); }

REFUSED(a_speed_and_an_angle, MOTOR("speed: 10, angle: t"),
        "text.yaml:8:43: error: joint 'M' has both 'speed' and 'angle'\n"
        "  M: {type: motor, bodies: [ground, arm], speed: 10, angle: t}\n"
        "                                          ^\n"
        "keep one of the two")

REFUSED(a_start_of_what_a_motor_drives, MOTOR("speed: 10") "start: {A.angle: 1}\n",
        "text.yaml:10:9: error: 'A.angle' = 1 rad cannot be reached: the joints make it 0 rad\n"
        "start: {A.angle: 1}\n"
        "        ^\n"
        "a coordinate driven by 'speed' begins at 'start' of its joint or, without 'start', where the bodies are "
        "placed: change 'start' or the places of the bodies")

REFUSED(neither_speed_nor_angle, MOTOR("start: 1"),
        "text.yaml:8:43: error: 'start' in joint 'M' has no effect without 'speed': the law gives the initial value\n"
        "  M: {type: motor, bodies: [ground, arm], start: 1}\n"
        "                                          ^\n"
        "remove 'start', or give 'speed' in place of the law")

REFUSED(no_law_at_all, MOTOR(""),
        "text.yaml:8:3: error: joint 'M' needs 'angle' or 'speed', a law of t\n"
        "  M: {type: motor, bodies: [ground, arm], }\n"
        "  ^")

REFUSED(an_angle_that_follows_a_quantity, OSCILLATOR MOTOR("angle: \"0.1 + osc.x\""),
        "text.yaml:9:57: error: 'angle' in joint 'M' may depend on t only, not on the quantity 'osc.x'\n"
        "  M: {type: motor, bodies: [ground, arm], angle: \"0.1 + osc.x\"}\n"
        "                                                        ^\n"
        "use a torsion with angle: 0 and torque: \"k*(s - target) + d*v\" instead, which lags by about d/k")

REFUSED(a_speed_that_follows_a_quantity, MOTOR("speed: 10 - A.omega"),
        "text.yaml:8:55: error: 'speed' in joint 'M' may depend on t only, not on the quantity 'A.omega'\n"
        "  M: {type: motor, bodies: [ground, arm], speed: 10 - A.omega}\n"
        "                                                      ^\n"
        "use a torsion with torque: \"d*(v - target)\" instead: its speed is off by the load divided by d")

REFUSED(a_law_that_follows_a_measure,
        "seam: 1\nbodies: {block: {mass: 1, inertia: 1}}\nmeasures: {aim: 2*block.y}\n"
        "joints: {M: {type: motion, of: x, body: block, law: aim}}\n",
        "text.yaml:4:53: error: 'law' in joint 'M' may depend on t only, not on the quantity 'aim'\n"
        "joints: {M: {type: motion, of: x, body: block, law: aim}}\n"
        "                                                    ^\n"
        "use a spring_damper with length: 0 and force: \"k*(s - target) + d*v\" instead, which lags by about d/k")

REFUSED(a_law_that_follows_an_input,
        "seam: 1\nbodies: {arm: {mass: 1, inertia: 1}}\n"
        "joints: {M: {type: motion, of: phi, body: arm, law: target}}\nfmu: {inputs: {target: 0}}\n",
        "text.yaml:3:53: error: 'law' in joint 'M' may depend on t only, not on the quantity 'target'\n"
        "joints: {M: {type: motion, of: phi, body: arm, law: target}}\n"
        "                                                    ^\n"
        "use a torsion with angle: 0 and torque: \"k*(s - target) + d*v\" instead, which lags by about d/k")

REFUSED(a_speed_of_an_unknown_name, MOTOR("speed: 10*tt"),
        "text.yaml:8:53: error: unknown name 'tt'\n"
        "  M: {type: motor, bodies: [ground, arm], speed: 10*tt}\n"
        "                                                    ^\n"
        "did you mean 't'?")

REFUSED(a_slide_without_axis, BLOCK("of: slide, at: A"),
        "text.yaml:7:50: error: joint 'M' needs 'axis', as every motion of a slide does\n"
        "  M: {type: motion, bodies: [ground, block], of: slide, at: A, speed: sin(3*t)}\n"
        "                                                 ^\n"
        "add axis: [x, y]")

REFUSED(a_speed_that_never_settles, MOTOR("speed: floor(1e7*t)"),
        "text.yaml:8:50: error: 'speed' in joint 'M': the speed varies too often to be integrated from 0 to 2 s\n"
        "  M: {type: motor, bodies: [ground, arm], speed: floor(1e7*t)}\n"
        "                                                 ^\n"
        "give the coordinate as a function of t, in place of 'speed'")

/* One axle, two speeds: positions agree at the start. */
Test(motors, two_that_contradict_each_other_are_refused_at_the_start) {
  static const char text[] = "seam: 1\n"
                             "bodies: {a: {mass: 1, inertia: 1}}\n"
                             "joints:\n"
                             "  A: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"
                             "  M: {type: motor, bodies: [ground, a], speed: 2}\n"
                             "  N: {type: motor, bodies: [ground, a], speed: w}\n"
                             "simulate: {end: 1}\nparameters: {w: 3}\n";
  for (int same = 0; same < 2; same++) {
    seam_model_file *file = read_model(text, (const char *const[]){same ? "parameters.w=2" : "parameters.w=3", NULL});
    const mbs_model *model = seam_model_mechanism(file);
    mbs_workspace *ws = NULL;
    mbs_state *state = NULL;
    seam_error error = {0};
    cr_assert_eq(mbs_workspace_create(model, &ws, NULL), SEAM_OK);
    cr_assert_eq(mbs_state_create(model, &state, NULL), SEAM_OK);
    cr_expect_eq(mbs_assemble(ws, state, NULL, NULL, &error), same ? SEAM_OK : SEAM_NOT_ASSEMBLED);
    if (!same)
      cr_expect_str_eq(error.message, "joint 'N' contradicts other joints: the rate of its residual g_m is -1, not 0; "
                                      "remove the joint, or change its law or speed");
    mbs_state_destroy(state);
    mbs_workspace_destroy(ws);
    seam_model_file_destroy(file);
  }
}
