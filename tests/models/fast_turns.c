/* A wheel turns freely beside switches. Its motion is exact in steps of any length: neither what is watched elsewhere
 * nor the size of its angle keeps them short, and no turn is passed over where it shows. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static const struct {
  const char *name;
  bool takes_hard;
} methods[] = {{"erk", true}, {"radau", true}, {"ida", false}, {"cvode", false}};
enum { n_methods = sizeof methods / sizeof *methods };

#define STOP(more)                                                                                                     \
  "  f: {type: stop, of: slide, bodies: [ground, b], at: [[0, 0], [1, 0.3]], axis: [0, 1], lower: 0.3, " more "}\n"

static const struct {
  const char *text;
  bool is_hard;
} besides[] = {
    {"forces:\n" STOP("stiffness: 1e4"), false},
    {"forces: {f: {type: torque, body: wheel, torque: \"if(wheel.omega > 601, -1, 0)\"}}\n", false},
    {"forces: {f: {type: force, body: b, y: \"max(0, b.x - 2)\"}}\n", false},
    {"gravity: [0, -9.81]\njoints: {p: {type: revolute, bodies: [ground, wheel], at: [0, 0]}}\n"
     "forces:\n" STOP("hard: true"),
     true},
    {"gravity: [0, -9.81]\njoints: {p: {type: revolute, bodies: [ground, wheel], at: [0, 0]},\n"
     "  m: {type: motor, bodies: [ground, wheel], speed: 600}}\n"
     "forces:\n" STOP("hard: true"),
     true},
    {"gravity: [0, -9.81]\n"
     "forces: {f: {type: rope, bodies: [ground, b], at: [[1, 1], [1, 0.3]], hard: true}}\n",
     true},
};
enum { n_besides = sizeof besides / sizeof *besides };

Test(fast_turns, a_wheel_beside_a_switch_turns_to_the_end, .timeout = 300) {
  for (int k = 0; k < n_besides; k++)
    for (int i = 0; i < n_methods; i++) {
      char text[1000];
      if (besides[k].is_hard && !methods[i].takes_hard)
        continue;
      snprintf(text, sizeof text,
               "seam: 2\nbodies: {wheel: {mass: 1, inertia: 1, rate: 600}, b: {mass: 1, inertia: 0, at: [1, 0.3]}}\n"
               "%ssimulate: {end: 1000}\n",
               besides[k].text);
      mbs_integrator_options options = mbs_default_integrator_options();
      options.method = methods[i].name;
      model_run r = model_run_begin(text, NULL, &options, NAN);
      model_run_advance(&r, 1000);
      cr_expect_eq(r.status, SEAM_OK, "%d, %s: %s", k, methods[i].name, r.error.message);
      cr_expect_float_eq(r.state->q[2], 6e5, 1e-6, "%d, %s: %.12g", k, methods[i].name, r.state->q[2]);
      model_run_end(&r);
    }
}

/* Each turn is seen if an event reads the angle. */
Test(fast_turns, every_turn_of_a_fast_wheel_is_an_event, .timeout = 300) {
  static const char text[] = "seam: 2\nbodies: {wheel: {mass: 1, inertia: 1, rate: 600}}\n"
                             "events: {turn: {when: sin(wheel.phi), direction: either}, many: wheel.phi > 6.3e4}\n"
                             "simulate: {end: 110}\n";
  const double pi = 3.14159265358979323846;
  for (int i = 0; i < n_methods; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[i].name;
    model_run r = model_run_begin(text, NULL, &options, NAN);
    mbs_events *events = NULL;
    mbs_event event = {0};
    cr_assert_eq(mbs_events_create(seam_model_mechanism(r.file), &events, &r.error), SEAM_OK);
    cr_assert_eq(mbs_events_start(events, r.state, &r.error), SEAM_OK);
    size_t n = 0;
    double many = NAN;
    while (r.status == SEAM_OK && event.number != SEAM_NONE) {
      r.status = mbs_integrator_advance_to_event(r.integrator, events, 110, r.state, &event, &r.error);
      n += event.number == 0;
      many = event.number == 1 ? event.time : many;
    }
    cr_expect_eq(r.status, SEAM_OK, "%s: %s", methods[i].name, r.error.message);
    cr_expect_eq(n, (size_t)floor(6.6e4 / pi), "%s: %zu", methods[i].name, n);
    cr_expect_float_eq(many, 6.3e4 / 600, 1e-8, "%s: %.12g", methods[i].name, many);
    mbs_events_destroy(events);
    model_run_end(&r);
  }
}
