/* Inputs that are set during a run against closed forms: whole, by every integrator, and cut; events, images, refusals.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/equations.h>
#include <seam/events.h>

#include "tests/support/cosim_fixture.h"

/* The centre of both masses, 4 kg together, moves as one under the force. */
#define PAIR                                                                                                           \
  "seam: 1\n"                                                                                                          \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1, at: [0, 0]}\n"                                                                           \
  "  b: {mass: 3, inertia: 1, at: [1, 0]}\n"                                                                           \
  "forces:\n"                                                                                                          \
  "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 40}\n"                                  \
  "  f: {type: force, body: a, at: [0, 0], x: u + w}\n"                                                                \
  "fmu: {inputs: {u: {start: 2, unit: N}, w: 0}}\n"                                                                    \
  "measures: {centre: 0.25*a.x + 0.75*b.x}\n"                                                                          \
  "simulate: {end: 1, rtol: 1e-11, atol: 1e-12}\n"                                                                     \
  "cosim: {subsystems: {left: [a], right: [b]}, macro_step: 0.01, scheme: ff-k1, rtol: 1e-11, atol: 1e-12}\n"

enum { N = 20 };
static const double interval = 0.037;

static double input_at(int i) { return 8 * sin(1.7 * i) + (i % 3); }

/* v += u h / 4, x += v h + u h² / 8 from 0.75 m. */
static double centre_after(int n) {
  double x = 0.75;
  double v = 0;
  for (int i = 0; i < n; i++) {
    x += v * interval + input_at(i) * interval * interval / 8;
    v += input_at(i) * interval / 4;
  }
  return x;
}

static double centre_of(const mbs_state *state) { return 0.25 * state->q[0] + 0.75 * state->q[3]; }

/* ---- The whole --------------------------------------------------------------------------------------------------- */

typedef struct driven {
  cosim_fixture p;
  mbs_integrator *integrator;
  mbs_events *events; /* NULL: none are watched */
  size_t u;
  seam_error error;
} driven;

static driven drive(const char *text, const char *method) {
  driven d = {.p = cosim_fixture_read(text, NULL)};
  mbs_integrator_options options = seam_model_simulation(d.p.file)->integrator;
  options.method = method;
  options.step = (mbs_method_steps(method) & MBS_ADAPTIVE_STEPS) != 0 ? 0 : 1e-3;
  options.largest_step = 1;
  cr_assert_eq(mbs_integrator_create(d.p.model, &options, &d.integrator, &d.error), SEAM_OK, "%s", d.error.message);
  cr_assert_eq(mbs_integrator_start(d.integrator, d.p.state, &d.error), SEAM_OK, "%s", d.error.message);
  d.u = mbs_find_variable(d.p.model, "u");
  cr_assert(mbs_variable_of(d.p.model, d.u).is_input);
  if (mbs_n_events(d.p.model) == 0)
    return d;
  cr_assert_eq(mbs_events_create(d.p.model, &d.events, &d.error), SEAM_OK);
  cr_assert_eq(mbs_events_start(d.events, d.p.state, &d.error), SEAM_OK);
  return d;
}

static void stop(driven *d) {
  mbs_integrator_destroy(d->integrator);
  mbs_events_destroy(d->events);
  cosim_fixture_free(&d->p);
}

static seam_status set(driven *d, double u) {
  return mbs_integrator_set_inputs(d->integrator, d->events, &d->u, &u, 1, d->p.state, &d->error);
}

static void set_and_go(driven *d, double u, double t) {
  cr_assert_eq(set(d, u), SEAM_OK, "%s", d->error.message);
  cr_assert_eq(mbs_integrator_advance(d->integrator, t, d->p.state, &d->error), SEAM_OK, "%s", d->error.message);
}

static void expect_parabolas(const char *method, double tolerance) {
  driven d = drive(PAIR, method);
  for (int i = 0; i < N; i++) {
    set_and_go(&d, input_at(i), (i + 1) * interval);
    cr_expect_float_eq(centre_of(d.p.state), centre_after(i + 1), tolerance, "%s: %g", method,
                       centre_of(d.p.state) - centre_after(i + 1));
  }
  stop(&d);
}

Test(inputs, are_held_between_the_times_at_which_they_are_set) {
  expect_parabolas("erk", 1e-11);
  expect_parabolas("radau", 1e-9);
  expect_parabolas("rk4", 1e-9);
  expect_parabolas("rk2", 1e-7);
  expect_parabolas("cvode", 1e-8);
  expect_parabolas("ida", 1e-8);
}

/* Forces, accelerations and the energy that is driven in are those of the new value at once. */
Test(inputs, act_at_once) {
  driven d = drive(PAIR, "erk");
  set_and_go(&d, 1, 0.1);
  const double v = d.p.state->v[0];
  const double before = d.p.state->a[0];
  cr_assert_eq(set(&d, 6), SEAM_OK, "%s", d.error.message);
  cr_expect_eq(d.p.state->v[0], v);
  cr_expect_float_eq(d.p.state->a[0] - before, 5, 1e-12);
  cr_assert_eq(mbs_integrator_advance(d.integrator, 0.4, d.p.state, &d.error), SEAM_OK);
  const mbs_energy energy = mbs_energy_of(d.p.workspace, d.p.state);
  cr_expect_float_eq(energy.total + energy.dissipated - energy.driven, 0, 1e-10, "%g",
                     energy.total + energy.dissipated - energy.driven);
  stop(&d);
}

/* From an image, also one that is taken inside a step of the integrator. */
Test(inputs, go_on_to_the_bit_from_an_image) {
  driven d = drive(PAIR, "erk");
  void *image = malloc(mbs_integrator_image_size(d.integrator));
  set_and_go(&d, 1, 0.013);
  mbs_integrator_save(d.integrator, image);
  mbs_state *saved = new_state(d.p.model);
  mbs_state_copy(saved, d.p.state);
  double x[2];
  for (int run = 0; run < 2; run++) {
    cr_assert_eq(mbs_integrator_restore(d.integrator, image, mbs_integrator_image_size(d.integrator), &d.error),
                 SEAM_OK);
    mbs_state_copy(d.p.state, saved);
    for (int i = 1; i < 9; i++)
      set_and_go(&d, input_at(i), 0.013 + i * interval);
    x[run] = d.p.state->q[0];
  }
  cr_expect_eq(x[0], x[1]);
  mbs_state_destroy(saved);
  free(image);
  stop(&d);
}

/* ---- Events ------------------------------------------------------------------------------------------------------ */

static mbs_event event_up_to(driven *d, double t) {
  mbs_event event;
  cr_assert_eq(mbs_integrator_advance_to_event(d->integrator, d->events, t, d->p.state, &event, &d->error), SEAM_OK,
               "%s", d->error.message);
  return event;
}

static void expect_event(driven *d, double t, const char *name, double at, double tolerance) {
  const mbs_event event = event_up_to(d, t);
  cr_assert_neq(event.number, SEAM_NONE, "no event up to %g", t);
  cr_expect_str_eq(mbs_event_of(d->p.model, event.number).name, name);
  cr_expect_float_eq(event.time, at, tolerance, "%s: %.17g instead of %.17g", name, event.time, at);
}

/* A step of the integrator goes on behind 0.1 s, to where there would be an event under the old input. */
Test(inputs, end_what_was_seen_of_events) {
  driven d = drive(PAIR "events: {far: centre - 0.76, high: {when: u - 3}}\n", "erk");
  cr_expect_eq(event_up_to(&d, 0.1).number, SEAM_NONE);
  cr_assert_eq(set(&d, -2), SEAM_OK, "%s", d.error.message); /* v = 0.05 m/s, which is back at 0.2 s */
  cr_expect_eq(event_up_to(&d, 0.2).number, SEAM_NONE);
  cr_assert_eq(set(&d, 4), SEAM_OK, "%s", d.error.message);
  expect_event(&d, 0.5, "high", 0.2, 0);
  expect_event(&d, 0.5, "far", 0.2 + sqrt(0.01), 1e-9); /* 0.755 m + τ²/2 */
  cr_expect_eq(event_up_to(&d, 0.5).number, SEAM_NONE);
  cr_assert_eq(set(&d, 1), SEAM_OK, "%s", d.error.message);
  expect_event(&d, 0.6, "high", 0.5, 0);
  cr_expect_eq(event_up_to(&d, 0.6).number, SEAM_NONE);
  cr_expect_eq(mbs_event_record_of(d.events, 1).count, 2);
  stop(&d);
}

/* ---- Refusals ---------------------------------------------------------------------------------------------------- */

static void expect_refusal(seam_status status, seam_status expected, const seam_error *error, const char *part) {
  cr_expect_eq(status, expected, "%d", status);
  cr_expect(strstr(error->message, part) != NULL, "%s", error->message);
}

Test(inputs, that_cannot_be_set_are_refused) {
  driven d = drive(PAIR "equations: {c: {states: {s: 1}, rates: {s: -s}}}\n", "erk");
  const double x = d.p.state->q[0];
  expect_refusal(set(&d, NAN), SEAM_BAD_INPUT, &d.error, "'u' is set to nan");
  d.u = mbs_find_variable(d.p.model, "c.s");
  expect_refusal(set(&d, 1), SEAM_BAD_INPUT, &d.error, "'c.s' cannot be set");
  d.u = 99;
  expect_refusal(set(&d, 1), SEAM_BAD_INPUT, &d.error, "cannot set variable 99");
  d.u = mbs_find_variable(d.p.model, "u");
  d.p.state->t = 0.1;
  expect_refusal(set(&d, 1), SEAM_BAD_INPUT, &d.error, "the state is at 0.1");
  d.p.state->t = 0;
  cr_expect_eq(d.p.state->q[0], x);
  set_and_go(&d, 2, 0.1);
  stop(&d);
}

/* ---- Cut --------------------------------------------------------------------------------------------------------- */

static seam_status set_cut(cosim_fixture *p, double u, seam_error *error) {
  const size_t variable = mbs_find_variable(p->model, "u");
  return cosim_set_inputs(p->run, NULL, &variable, &u, 1, error);
}

static void go_cut(cosim_fixture *p, double u, double length, int n) {
  seam_error error = {0};
  cr_assert_eq(set_cut(p, u, &error), SEAM_OK, "%s", error.message);
  for (int i = 0; i < n; i++)
    cr_assert_eq(cosim_advance(p->run, length / n, &error), SEAM_OK, "%s", error.message);
}

static double imbalance_of(const cosim_fixture *p) {
  const mbs_energy energy = mbs_energy_of(p->workspace, cosim_state(p->run));
  return energy.total + energy.dissipated - energy.driven;
}

/* The spring's force moves the centre where both sides do not get the same: under force/force they do. */
static void expect_momentum(const char *scheme) {
  cosim_fixture p = cosim_fixture_read(PAIR, NULL);
  use_scheme(&p, scheme);
  start(&p);
  for (int i = 0; i < N; i++) {
    go_cut(&p, input_at(i), interval, 4);
    cr_expect_float_eq(centre_of(cosim_state(p.run)), centre_after(i + 1), 1e-9, "%s: %g", scheme,
                       centre_of(cosim_state(p.run)) - centre_after(i + 1));
  }
  cr_expect_float_eq(imbalance_of(&p), 0, 2e-3, "%s: %g J", scheme, imbalance_of(&p));
  cosim_fixture_free(&p);
}

Test(inputs, of_a_cut_mechanism_drive_the_subsystem_that_reads_them) {
  expect_momentum("ff-k1");
  expect_momentum("ff-k2-explicit");
  expect_momentum("ff-d-k1");
  expect_momentum("ff-colloc-s3");
}

/* Against the whole; halving macro steps. */
static double difference_from_whole(const char *scheme, int n) {
  driven d = drive(PAIR, "erk");
  use_scheme(&d.p, scheme);
  cosim_fixture *p = &d.p;
  start(p);
  double largest = 0;
  for (int i = 0; i < N; i++) {
    go_cut(p, input_at(i), interval, n);
    set_and_go(&d, input_at(i), (i + 1) * interval);
    largest = fmax(largest, fabs(cosim_state(p->run)->q[0] - d.p.state->q[0]));
  }
  stop(&d);
  return largest;
}

/* The first step behind a jump is of order 0. */
Test(inputs, cut_and_whole_agree_as_macro_steps_become_short) {
  static const struct {
    const char *scheme;
    double bound, ratio; /* of the largest difference, m; of those at a quarter of the macro step */
  } runs[] = {{"ff-k2", 1e-4, 12}, {"fd-k0-exchange", 1e-1, 3}, {"fd-k1-exchange", 1e-1, 3}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const double coarse = difference_from_whole(runs[i].scheme, 4);
    const double fine = difference_from_whole(runs[i].scheme, 16);
    cr_expect_lt(coarse, runs[i].bound, "%s: %g", runs[i].scheme, coarse);
    cr_expect_lt(fine, coarse / runs[i].ratio, "%s: %g, %g", runs[i].scheme, coarse, fine);
  }
}

Test(inputs, of_a_cut_mechanism_go_on_to_the_bit_from_an_image) {
  cosim_fixture p = cosim_fixture_read(PAIR, NULL);
  seam_error error = {0};
  start(&p);
  go_cut(&p, 3, 0.05, 5);
  cr_assert_eq(set_cut(&p, -4, &error), SEAM_OK);
  void *image = malloc(cosim_image_size(p.run) + 1);
  cosim_save(p.run, image);
  double x[2];
  for (int run = 0; run < 2; run++) {
    cr_assert_eq(cosim_restore(p.run, image, cosim_image_size(p.run), &error), SEAM_OK, "%s", error.message);
    advance(&p, 3);
    go_cut(&p, 1, 0.05, 5);
    x[run] = cosim_state(p.run)->q[0];
  }
  cr_expect_eq(x[0], x[1]);
  free(image);
  cosim_fixture_free(&p);
}

Test(inputs, of_a_cut_mechanism_are_checked) {
  cosim_fixture p = cosim_fixture_read(PAIR, NULL);
  seam_error error = {0};
  cr_assert_eq(create_simulation(p.model, &p.definition, &p.run, &error), SEAM_OK);
  expect_refusal(set_cut(&p, 1, &error), SEAM_BAD_STATE, &error, "start or restore");
  cr_assert_eq(cosim_start(p.run, p.state, &error), SEAM_OK);
  expect_refusal(set_cut(&p, INFINITY, &error), SEAM_BAD_INPUT, &error, "'u' is set to inf");
  cosim_fixture_free(&p);
}
