/* `stop:` and `events:` of a model file: what they become, that they happen, what is refused. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

/* What is watched stands in line 9. */
#define BALL                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "parameters: {h: 2}\n"                                                                                               \
  "bodies:\n"                                                                                                          \
  "  ball: {mass: 1, inertia: 1, at: [0, h]}\n"                                                                        \
  "  a-box: {mass: 1, inertia: 1, at: [3, 0]}\n"                                                                       \
  "measures: {drop: \"h - ball.y\"}\n"                                                                                 \
  "simulate: {end: 2}\n"

static const double g = 9.81;

/* ---- What they become -------------------------------------------------------------------------------------------- */

typedef struct watched {
  model_run run;
  mbs_events *events;
} watched;

static watched begin(const char *text, const char *method, double step) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.step = step;
  options.rtol = options.atol = 1e-12;
  watched w = {.run = model_run_begin(text, NULL, &options, NAN)};
  cr_assert_eq(mbs_events_create(seam_model_mechanism(w.run.file), &w.events, &w.run.error), SEAM_OK);
  cr_assert_eq(mbs_events_start(w.events, w.run.state, &w.run.error), SEAM_OK, "%s", w.run.error.message);
  return w;
}

static mbs_event next(watched *w, double t) {
  mbs_event event;
  cr_assert_eq(mbs_integrator_advance_to_event(w->run.integrator, w->events, t, w->run.state, &event, &w->run.error),
               SEAM_OK, "%s", w->run.error.message);
  return event;
}

static void end(watched *w) {
  mbs_events_destroy(w->events);
  model_run_end(&w->run);
}

static void expect_next(watched *w, const char *name, double time, mbs_sense sense) {
  const mbs_event event = next(w, 1);
  cr_expect_str_eq(mbs_event_of(seam_model_mechanism(w->run.file), event.number).name, name);
  cr_expect_float_eq(event.time, time, 1e-11, "%s at %.17g instead of %.17g", name, event.time, time);
  cr_expect_eq(event.sense, sense);
}

Test(events, comparisons_happen_where_they_begin_to_hold) {
  watched w = begin(BALL "stop: \"ball.y <= 0.5\"\n"
                         "events:\n"
                         "  fast: 3 < -ball.vy\n"
                         "  slow: {when: \"-ball.vy < 2\", direction: falling}\n"
                         "  never: \"ball.y > 1.5\"\n"
                         "  half: {when: drop - h/2, stop: true}\n"
                         "  past: {when: drop > h/2, direction: either}\n",
                    "erk", 0);
  expect_next(&w, "slow", 2 / g, MBS_FALLING);
  expect_next(&w, "fast", 3 / g, MBS_RISING);
  expect_next(&w, "half", sqrt(2 / g), MBS_RISING);
  expect_next(&w, "past", sqrt(2 / g), MBS_RISING);
  expect_next(&w, "stop", sqrt(3 / g), MBS_RISING);
  cr_expect_eq(next(&w, 1).number, SEAM_NONE);
  end(&w);
}

Test(events, names_are_kept_in_the_order_of_the_file) {
  const mbs_model *model = NULL;
  seam_model_file *file = read_model(BALL "stop: [\"ball.y < 0\", {when: ball.vy, after: h}]\n"
                                          "events: {one: drop, t-2: {when: time > 1, stop: true}}\n",
                                     NULL);
  model = seam_model_mechanism(file);
  static const char *const names[] = {"stop1", "stop2", "one", "t-2"};
  cr_assert_eq(mbs_n_events(model), 4);
  for (size_t i = 0; i < 4; i++) {
    cr_expect_str_eq(mbs_event_of(model, i).name, names[i]);
    cr_expect_eq(mbs_event_of(model, i).stops, i != 2);
  }
  seam_model_file_destroy(file);
}

Test(events, overrides_know_their_names) {
  seam_model_file *file =
      read_model(BALL "events: {one: {when: drop}}\n", (const char *const[]){"events.one.stop=true", NULL});
  cr_expect(mbs_event_of(seam_model_mechanism(file), 0).stops);
  seam_model_file_destroy(file);
  file = read_model(BALL, (const char *const[]){"stop.when=ball.y < 1", NULL});
  cr_expect_str_eq(mbs_event_of(seam_model_mechanism(file), 0).name, "stop");
  seam_model_file_destroy(file);
  expect_refused_with(BALL "events: {one: drop}\n", "events.two.stop=true",
                      "--set events.two.stop: error: there is no event 'two'\ntrue\n^\nknown: one");
}

/* ---- At kinks of laws -------------------------------------------------------------------------------------------- */

/* A motion whose rate jumps at 0.5 s, by which the condition jumps over zero: there, to the bit. */
Test(events, a_condition_that_jumps_at_a_kink_happens_there) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (int i = 0; i < 4; i++) {
    watched w = begin("seam: 1\n"
                      "bodies: {cart: {mass: 1, inertia: 1}}\n"
                      "joints: {drive: {type: motion, of: x, body: cart, law: \"max(0, t - 0.5)\"}}\n"
                      "simulate: {end: 1}\n"
                      "events: {moves: \"cart.vx > 0.5\", far: \"cart.x > 0.25\"}\n",
                      methods[i], 0);
    const mbs_event moves = next(&w, 1);
    cr_expect_eq(moves.time, nextafter(0.5, 1), "%s: %.17g", methods[i], moves.time);
    cr_expect_float_eq(w.run.state->v[0], 1, 1e-9);
    const mbs_event far = next(&w, 1);
    cr_expect_eq(far.number, 1);
    cr_expect_float_eq(far.time, 0.75, 1e-9, "%s: %.17g", methods[i], far.time);
    cr_expect_eq(next(&w, 1).number, SEAM_NONE);
    end(&w);
  }
}

/* A force that jumps: the acceleration is a condition, which has no zero but the jump. */
Test(events, a_jump_of_an_acceleration_is_an_event) {
  watched w = begin("seam: 1\n"
                    "bodies: {cart: {mass: 1, inertia: 1}}\n"
                    "forces: {push: {type: force, body: cart, at: [0, 0], x: \"if(t < 0.3, -1, 2)\"}}\n"
                    "simulate: {end: 1}\n"
                    "events: {pushed: cart.ax, back: {when: cart.vx, after: 0.1}}\n",
                    "rk4", 0.04);
  expect_next(&w, "pushed", 0.3, MBS_RISING);
  expect_next(&w, "back", 0.45, MBS_RISING);
  cr_expect_eq(next(&w, 1).number, SEAM_NONE);
  end(&w);
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

#define REFUSED(name, line, column, message, caret, fix)                                                               \
  Test(events, name) {                                                                                                 \
    expect_refused(BALL line "\n", "text.yaml:9:" #column ": error: " message "\n" line "\n" caret "^" fix);           \
  }

#define SIX_BLANKS "      "

REFUSED(an_unknown_quantity, "stop: ball.z < 0", 7, "unknown quantity 'ball.z'", SIX_BLANKS,
        "\n'ball' offers x, y, phi, vx, vy, omega, ax, ay, alpha, kinetic, potential")
REFUSED(an_unknown_name, "stop: drip > 1", 7, "unknown name 'drip'", SIX_BLANKS, "\ndid you mean 'drop'?")
REFUSED(a_constant, "stop: 3 < 2*h", 7, "the condition of stop never changes, because no quantity is in it", SIX_BLANKS,
        "\nname a quantity, as in 'crank.omega > 3'")
#define ONE_COMPARISON "\n'if' and conditions of events have one comparison: if(a > b, c, d) is c where a > b, else d"
REFUSED(two_comparisons, "stop: 0 < drop < 1", 16, "expected an operator or the end, found '<'", "               ",
        ONE_COMPARISON)
REFUSED(an_equation, "stop: drop == 1", 12, "expected an operator or the end, found '='", "           ",
        "\ncompare by <, <=, > or >=: an equality is true only at single times")
REFUSED(a_word, "stop: drop < 1 and drop > 0", 16, "expected an operator or the end, found 'and'", "               ",
        "\nfor a > 0 and b > 0 write min(a, b) > 0")
REFUSED(a_comparison_within, "stop: \"drop*(1 < h)\"", 16, "expected ')', found '<'", "               ", ONE_COMPARISON)
REFUSED(no_condition, "stop: {after: 1}", 1, "stop needs 'when'", "", "")
REFUSED(nothing_to_stop_for, "stop:", 1, "'stop' in stop must be text, but is nothing", "", "")
REFUSED(a_stop_that_stops, "stop: {when: drop, stop: true}", 20, "unknown key 'stop' in stop", "                   ",
        "\nknown: when, direction, after")
REFUSED(an_unknown_direction, "events: {one: {when: drop, direction: up}}", 39, "unknown direction 'up' in event 'one'",
        "                                      ", "\nknown: rising, falling, either")
REFUSED(a_time_before_the_start, "events: {one: {when: drop, after: -1}}", 35,
        "'after' in event 'one' must not be negative, but is -1", "                                  ", "")
REFUSED(a_list, "events: {one: [drop]}", 15, "event 'one' must be a condition or a map, but is a list",
        "              ", "\nwrite \"crank.omega > 3\" or {when: \"crank.omega > 3\", direction: rising}")
REFUSED(the_name_of_a_body, "events: {ball: drop}", 10,
        "event 'ball': the name is taken: names are unique among bodies, joints, forces and measures", "         ", "")
REFUSED(the_name_of_a_measure, "events: {drop: ball.y}", 10,
        "event 'drop': the name is taken: names are unique among bodies, joints, forces and measures", "         ", "")
REFUSED(the_name_of_energies, "events: {energy: drop}", 10,
        "event 'energy': 'time' and 'energy' are reserved: choose another name", "         ", "")
REFUSED(a_hyphen_read_as_minus, "stop: 2*a-box.x > 1", 7,
        "the name 'a-box' contains '-', which expressions read as minus", SIX_BLANKS,
        "\nadd a measure 'NAME: a-box.x', and write NAME here")

/* ---- Of what jumps ----------------------------------------------------------------------------------------------- */

#define CART "seam: 1\nbodies: {c: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}}\nsimulate: {end: 1}\n"

static void expect_only(const char *text, double step, double time, mbs_sense sense) {
  watched w = begin(text, "erk", step);
  const mbs_event event = next(&w, 1);
  cr_expect_eq(event.number, 0, "%s: nothing", text);
  cr_expect_float_eq(event.time, time, 1e-12, "%s: at %.17g s", text, event.time);
  cr_expect_eq(event.sense, sense, "%s", text);
  cr_expect_eq(next(&w, 1).number, SEAM_NONE, "%s: twice", text);
  end(&w);
}

/* x = t: zero belongs to the side that the operator says, whether steps end where the difference is zero or not. */
Test(events, comparisons_of_steps_begin_and_end_to_hold_as_written) {
  static const struct {
    const char *events;
    double time;
    mbs_sense sense;
  } of[] = {
      {"events: {e: \"floor(10*t) >= 4\"}\n", 0.4, MBS_RISING},
      {"events: {e: \"floor(10*c.x) >= 4\"}\n", 0.4, MBS_RISING},
      {"events: {e: \"floor(10*c.x) > 4\"}\n", 0.5, MBS_RISING},
      {"events: {e: {when: \"floor(10*c.x) <= 4\", direction: falling}}\n", 0.5, MBS_FALLING},
      {"events: {e: {when: \"floor(10*c.x) < 4\", direction: either}}\n", 0.4, MBS_FALLING},
      {"events: {e: \"if(c.x < 0.25, 0, 1) >= 1\"}\n", 0.25, MBS_RISING},
      {"events: {e: {when: \"if(t < 0.25, 1, 0) >= 1\", direction: falling}}\n", 0.25, MBS_FALLING},
      {"events: {e: {when: \"if(c.x < 0.25, 1, 0) > 0\", direction: either}}\n", 0.25, MBS_FALLING},
      {"events: {e: \"if(c.x < 0.25, 1, 0) <= 0\"}\n", 0.25, MBS_RISING},
      {"events: {e: \"sign(c.x - 0.3) >= 1\"}\n", 0.3, MBS_RISING},
      {"events: {e: {when: \"sign(sin(2*pi*c.x)) >= 1\", direction: falling, after: 0.1}}\n", 0.5, MBS_FALLING},
  };
  static const double steps[] = {0, 0.013, 0.01, 0.25, 0.7};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++)
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
      char text[400];
      snprintf(text, sizeof text, CART "%s", of[i].events);
      expect_only(text, steps[k], of[i].time, of[i].sense);
    }
}

Test(events, flags_of_friction_and_counters_of_impacts_and_samples_count_as_written) {
  expect_only(CART "joints: {p: {type: prismatic, bodies: [ground, c], at: [0, 0], axis: [1, 0],\n"
                   "  friction: {coefficient: 0.2, hard: true, preload: 10}}}\nstop: \"p.sticks >= 1\"\n",
              0.01, 0.5, MBS_RISING);
  expect_only(CART "forces: {f: {type: rope, bodies: [ground, c], at: [[-5, 0], [0, 0]], length: 5.4, hard: true,\n"
                   "  restitution: 1}}\nstop: \"f.impacts >= 1\"\n",
              0.01, 0.4, MBS_RISING);
  expect_only(CART "forces: {f: {type: rope, bodies: [ground, c], at: [[-5, 0], [0, 0]], length: 5.4, hard: true,\n"
                   "  restitution: 1}}\nstop: {when: \"f.impacts <= 0\", direction: falling}\n",
              0.01, 0.4, MBS_FALLING);
  expect_only(CART "equations: {count: {sample: 0.1, states: {n: 3}, updates: {n: \"max(n - 1, 0)\"}}}\n"
                   "stop: \"count.n <= 0\"\n",
              0, 0.2, MBS_RISING);
  expect_only(CART "equations: {count: {sample: 0.1, states: {n: 0}, updates: {n: \"n + 1\"}}}\n"
                   "events: {e: {when: \"count.n > 3\"}}\n",
              0, 0.3, MBS_RISING);
}

/* A smooth condition is zero in a touch, and at the start, without an event. */
Test(events, smooth_comparisons_that_touch_zero_have_none) {
  watched w =
      begin(CART "events: {touch: \"-(c.x - 0.5)^2 >= 0\", start: \"c.x >= 0\", rest: \"c.y >= 0\"}\n", "erk", 0.25);
  cr_expect_eq(next(&w, 1).number, SEAM_NONE);
  end(&w);
}

/* ---- Faster than steps ------------------------------------------------------------------------------------------- */

/* c.x = t. All zeros of what is periodic in time, in a coordinate, of a measure, and of an equation's output. */
#define FAST                                                                                                           \
  CART "measures: {wave: \"cos(1e4*t)\"}\n"                                                                            \
       "equations: {out: {inputs: {x: c.x}, outputs: {teeth: 3e3*x - floor(3e3*x) - 0.5}}}\n"                          \
       "events:\n"                                                                                                     \
       "  clock: sin(1e4*t)\n"                                                                                         \
       "  place: {when: sin(1e4*c.x), direction: rising}\n"                                                            \
       "  above: wave > 0.3\n"                                                                                         \
       "  both: wave - 0.3*sin(20*c.x)\n"                                                                              \
       "  tooth: {when: out.teeth, direction: rising}\n"

static void expect_all(watched *w) {
  static const struct {
    const char *name;
    size_t count;
    double last;
  } of[] = {{"clock", 3183, 3183 * 1e-4},
            {"place", 1591, 3182 * 1e-4},
            {"both", 3183, NAN},
            {"above", 1591, NAN},
            {"tooth", 3000, NAN}};
  const double pi = 3.14159265358979323846;
  while (next(w, 1).number != SEAM_NONE)
    ;
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const mbs_model *model = seam_model_mechanism(w->run.file);
    size_t number = 0;
    while (strcmp(mbs_event_of(model, number).name, of[i].name) != 0)
      number++;
    const mbs_event_record found = mbs_event_record_of(w->events, number);
    cr_expect_eq(found.count, of[i].count, "%s: %zu", of[i].name, found.count);
    if (!isnan(of[i].last))
      cr_expect_float_eq(found.last, pi * of[i].last, 1e-11, "%s: %.12g", of[i].name, found.last);
  }
}

Test(events, conditions_faster_than_steps_happen_each_time) {
  static const double steps[] = {0, 0.1};
  for (size_t k = 0; k < 2; k++) {
    watched w = begin(FAST, "erk", steps[k]);
    expect_all(&w);
    end(&w);
  }
}

/* A law that no step need see drives what is watched. */
Test(events, accelerations_under_fast_laws_happen_each_time) {
  watched w = begin(CART "forces: {f: {type: force, body: c, x: 1e-9*sin(1e4*t)}}\nevents: {e: c.ax}\n", "erk", 0);
  size_t count = 0;
  while (next(&w, 1).number != SEAM_NONE)
    count++;
  cr_expect_eq(count, 3183, "%zu", count);
  end(&w);
}

Test(events, what_is_too_fast_ends_the_run) {
  watched w = begin(CART "events: {e: sin(1e8*t)}\n", "erk", 0.1);
  mbs_event event;
  cr_expect_eq(mbs_integrator_advance_to_event(w.run.integrator, w.events, 1, w.run.state, &event, &w.run.error),
               SEAM_STEP_FAILED);
  cr_expect_str_eq(w.run.error.message,
                   "t = 0 s: a body, or the argument of a periodic condition, turns by 1e+07 rad within a step, too "
                   "fast to find events, contacts and other switches: give a shorter 'largest_step'");
  end(&w);
}
