/* Laws of coordinates whose zones are short beside a step: none is leaped over, however fast the motion is. A body of 1
 * kg goes at a constant speed v along x; a force F(x) across its way leaves it ∫F dx / v, wherever its steps end. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static const struct {
  const char *name;
  int order;
  double error; /* relative */
} methods[] = {{"erk", 8, 1e-8},   {"erk", 5, 1e-8}, {"erk", 4, 1e-7},
               {"radau", 8, 1e-7}, {"ida", 8, 1e-5}, {"cvode", 8, 1e-5}};
enum { n_methods = sizeof methods / sizeof *methods };

static model_run begin(const char *text, int method) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method].name;
  options.order = methods[method].order;
  options.atol = 1e-10; /* m/s, beside which what a zone leaves is large */
  return model_run_begin(text, NULL, &options, NAN);
}

static const struct {
  const char *law;
  double area;  /* ∫F dx up to 297 m */
  double error; /* more than those of methods, of slopes that the error test alone sees */
} laws[] = {
    {"if(b.x > 50, if(b.x < 50.5, 10, 0), 0)", 5, 1},
    {"if(b.x > 50, 10, 0)*if(b.x < 50.5, 1, 0)", 5, 1},
    {"if(u > 0, if(0.5 < u, 0, 10), 0)", 5, 1},
    {"straight(b.x)", 3.5, 1},
    {"smooth(b.x)", 3.5, 1},
    {"10*max(0, 1 - abs(b.x - 50)/0.25)", 2.5, 100},
    {"10*max(0, 1 - 16*(b.x - 50)^2)", 10.0 / 3, 100},
    {"if(b.x - 20*floor(b.x/20) > 19.5, 10, 0)", 70, 1},
    {"turns(b.x)", 49, 1},
    {"if(sin(pi*b.x/10) > 0.999, 10, 0)", 42.709312218719, 10},
};
enum { n_laws = sizeof laws / sizeof *laws };

static void write_model(char *text, size_t size, const char *law, double v) {
  snprintf(text, size,
           "seam: 1\n"
           "tables:\n"
           "  straight: {x: [0, 50, 50.15, 50.35, 50.5, 300], y: [0, 0, 10, 10, 0, 0], interpolation: linear}\n"
           "  smooth: {x: [0, 50, 50.15, 50.35, 50.5, 300], y: [0, 0, 10, 10, 0, 0], interpolation: pchip}\n"
           "  turns: {x: [0, 19, 19.15, 19.35, 19.5, 20], y: [0, 0, 10, 10, 0, 0], interpolation: linear,\n"
           "    extrapolation: periodic}\n"
           "bodies: {b: {mass: 1, inertia: 1, velocity: [%.17g, 0]}}\n"
           "measures: {u: b.x - 50}\n"
           "forces: {f: {type: force, body: b, y: \"%s\"}}\nsimulate: {end: %.17g}\n",
           v, law, 297 / v);
}

Test(zones, a_body_passes_no_zone_of_a_force_unseen, .timeout = 300) {
  static const double speeds[] = {3, 30, 3e3};
  for (int l = 0; l < n_laws; l++)
    for (int i = 0; i < n_methods; i++)
      for (int s = 0; s < 3; s++) {
        char text[1000];
        write_model(text, sizeof text, laws[l].law, speeds[s]);
        model_run r = begin(text, i);
        model_run_advance(&r, 297 / speeds[s]);
        cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
        const double exact = laws[l].area / speeds[s];
        const double vy = r.state->v[1];
        cr_expect_float_eq(vy, exact, laws[l].error * (methods[i].error * exact + 1e-9),
                           "%s %d, %g m/s, %s: %.12g, not %.12g", methods[i].name, methods[i].order, speeds[s],
                           laws[l].law, vy, exact);
        model_run_end(&r);
      }
}

/* vy at time t of a body at 3 m/s under a force that rises from 10 m to 300 N at 10.25 m, and falls to 0 at 10.5 m. */
static double speed_behind_a_roof(double t) {
  const double s = t - 10.0 / 3;
  const double half = 0.25 / 3;
  if (s < half)
    return s < 0 ? 0 : 150 / half * s * s;
  return s < 2 * half ? 150 * half + 300 * (s - half) - 150 / half * (s - half) * (s - half) : 300 * half;
}

#define ROOF                                                                                                           \
  "seam: 2\nbodies: {b: {mass: 1, inertia: 0, velocity: [3, 0]}}\n"                                                    \
  "tables: {roof: {x: [0, 10, 10.25, 10.5, 100], y: [0, 0, 300, 0, 0]}}\n"                                             \
  "forces: {f: {type: force, body: b, y: roof(b.x)}}\nsimulate: {end: 20}\n"

/* States inside a step before a corner do not depend on the law behind it. */
Test(zones, states_within_a_zone_are_those_of_its_law) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(ROOF, i);
    for (double t = 0.1; t < 4; t += 0.01) { // NOLINT
      model_run_advance(&r, t);
      const double exact = speed_behind_a_roof(t);
      cr_expect_float_eq(r.state->v[1], exact, 25 * methods[i].error, "%s %d, t = %g s: %.12g, not %.12g",
                         methods[i].name, methods[i].order, t, r.state->v[1], exact);
    }
    model_run_end(&r);
  }
}

Test(zones, an_event_within_a_zone_happens_on_time) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin(ROOF "events: {e: b.vy > 5}\n", i);
    mbs_events *events = NULL;
    mbs_event event;
    cr_assert_eq(mbs_events_create(seam_model_mechanism(r.file), &events, &r.error), SEAM_OK);
    cr_assert_eq(mbs_events_start(events, r.state, &r.error), SEAM_OK);
    cr_assert_eq(mbs_integrator_advance_to_event(r.integrator, events, 20, r.state, &event, &r.error), SEAM_OK);
    const double exact = 10.0 / 3 + sqrt(5 / 1800.0);
    cr_expect_float_eq(event.time, exact, methods[i].error, "%s %d: %.12g, not %.12g", methods[i].name,
                       methods[i].order, event.time, exact);
    mbs_events_destroy(events);
    model_run_end(&r);
  }
}

/* The law of an element along the way: the work of the force is that of the kinetic energy. */
Test(zones, a_spring_that_acts_in_a_short_zone_is_seen) {
  for (int i = 0; i < n_methods; i++) {
    model_run r = begin("seam: 1\nbodies: {b: {mass: 2, inertia: 1, velocity: [30, 0]}}\n"
                        "forces: {f: {type: spring_damper, bodies: [ground, b], at: [[0, 0], [0, 0]], axis: [1, 0],\n"
                        "  length: 0, force: \"if(s > 50, if(s < 50.5, 100, 0), 0)\"}}\nsimulate: {end: 10}\n",
                        i);
    model_run_advance(&r, 10);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    const double exact = sqrt(30 * 30 - 2 * 50 / 2.0);
    cr_expect_float_eq(r.state->v[0], exact, methods[i].error * exact, "%s %d: %.12g, not %.12g", methods[i].name,
                       methods[i].order, r.state->v[0], exact);
    model_run_end(&r);
  }
}

/* A throw to 20 m, whose last millimetre is in the zone: it is entered and left within a step, by the same bound. */
Test(zones, a_zone_that_a_throw_just_reaches_is_seen) {
  const double g = 9.81;
  const double inside = 2 * sqrt(2 * 1e-3 / g);
  for (int i = 0; i < n_methods; i++) {
    char text[400];
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -%g]\nbodies: {b: {mass: 1, inertia: 1, velocity: [0, %.17g]}}\n"
             "forces: {f: {type: force, body: b, x: \"if(b.y > 19.999, 10, 0)\"}}\nsimulate: {end: 4}\n",
             g, sqrt(2 * g * 20));
    model_run r = begin(text, i);
    model_run_advance(&r, 4);
    cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
    cr_expect_float_eq(r.state->v[0], 10 * inside, 30 * methods[i].error + 1e-6, "%s %d: %.12g, not %.12g",
                       methods[i].name, methods[i].order, r.state->v[0], 10 * inside);
    model_run_end(&r);
  }
}

/* A relay that holds a body where it changes over cannot be integrated, but by fixed steps, which go on beside it. */
Test(zones, fixed_steps_go_on_where_a_condition_chatters) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "rk4";
  options.step = 1e-3;
  model_run r = model_run_begin("seam: 1\nbodies: {b: {mass: 1, inertia: 1, velocity: [1, 0]}}\n"
                                "forces: {f: {type: force, body: b, x: \"if(b.vx > 0, -2, 2)\"}}\n"
                                "simulate: {end: 2}\n",
                                NULL, &options, NAN);
  model_run_advance(&r, 2);
  cr_expect_eq(r.status, SEAM_OK, "%s", r.error.message);
  cr_expect_float_eq(r.state->q[0], 0.25, 5e-3, "%.6g", r.state->q[0]);
  model_run_end(&r);
}
