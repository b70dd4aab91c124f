/* Mechanisms under the exchange: signals, a master beside them, bits. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/exchange_fixture.h"

/* ---- Signals ---- */

static const char *const no_names[] = {NULL};
static const char *const constant_names[] = {"one"};

/* y' = a y, y(0) = 1, where the context is a. */
static seam_status create_source(const void *context, cosim_part **part, seam_error *error) {
  const double zero = 0;
  const double one = 1;
  const cosim_linear_def def = {.n_states = 1, .n_outputs = 1, .A = context, .B = &zero, .C = &one, .D = &zero};
  const seam_status status = cosim_linear_part_create(&def, part, error);
  if (status == SEAM_OK)
    (*part)->ops->restore(*part, &one);
  return status;
}

static const double no_rate = 0, some_rate = 1;
static const cosim_user_part constant = {create_source, &no_rate, no_names, constant_names, 0, 1, 0};
static const cosim_user_part growing = {create_source, &some_rate, no_names, constant_names, 0, 1, 0};

/* The same with no way back. */
static seam_status create_black_box(const void *context, cosim_part **part, seam_error *error) {
  static cosim_part_ops ops;
  const seam_status status = create_source(context, part, error);
  if (status != SEAM_OK)
    return status;
  ops = *(*part)->ops;
  ops.save = NULL;
  ops.restore = NULL;
  (*part)->ops = &ops;
  return SEAM_OK;
}

static const cosim_user_part black_box = {create_black_box, &no_rate, no_names, constant_names, 0, 1, 0};

#define THRUST(x) "  thrust: {type: force, body: first, at: [0, 0.2], x: " x ", y: 0}\n"

static const cosim_connection_def thrust_signal = {.from = "source.one", .to = "A.thrust.fx", .gain = 300};

static exchange_fixture *read_with_source(const cosim_user_part *own) {
  exchange_fixture *w = exchange_fixture_read(MASSES(THRUST("0")));
  add_subsystem(w, "source")->user = own;
  w->p.definition.signals = &thrust_signal;
  w->p.definition.n_signals = 1;
  return w;
}

Test(wiring_signals, a_thrust_by_signal_is_one_by_law) {
  exchange_fixture *w = read_with_source(&constant);
  exchange_fixture *law = exchange_fixture_read(MASSES(THRUST("300")));
  set_orders(law, "K", 0, 0);
  start(&w->p);
  start(&law->p);
  advance(&w->p, 300);
  advance(&law->p, 300);
  const mbs_state *now = cosim_state(w->p.run);
  const mbs_state *other = cosim_state(law->p.run);
  for (int i = 0; i < 12; i++)
    cr_expect_float_eq(now->q[i], other->q[i], 1e-9 * (1 + fabs(other->q[i])));
  cr_expect_float_eq(now->work[1], other->work[1], 1e-6 * fabs(other->work[1]));
  cr_expect_gt(fabs(now->work[1]), 1);
  cr_expect_eq(cosim_n_signals(w->p.run), 1);
  cr_expect_str_eq(cosim_signal_of(w->p.run, 0).name, "source.one");
  cr_expect_eq(cosim_signal_now(w->p.run, 0), 1);
  exchange_fixture_free(w);
  exchange_fixture_free(law);
}

/* A spring by signals: the motions of two markers make the forces there. */
Test(wiring_signals, bodies_and_markers_give_their_motion_as_signals) {
  exchange_fixture *w =
      exchange_fixture_read(MASSES(THRUST("0") "  react: {type: force, body: last, at: [0, 0], x: 0, y: 0}\n"));
  cosim_fixture law = cosim_fixture_read(
      MASSES(
          "  S: {type: spring_damper, bodies: [last, first], at: [[0, 0], [0, 0.2]], axis: [1, 0], stiffness: 50}\n"),
      NULL);
  const cosim_connection_def links[] = {{.from = "B.last.x", .to = "A.thrust.fx", .gain = 50, .order = 2},
                                        {.from = "A.thrust.x", .to = "A.thrust.fx", .gain = -50, .order = 2},
                                        {.from = "B.last.x", .to = "B.react.fx", .gain = -50, .order = 2},
                                        {.from = "A.thrust.x", .to = "B.react.fx", .gain = 50, .order = 2}};
  w->p.definition.signals = links;
  w->p.definition.n_signals = 4;
  w->p.definition.options.constitutive_scheme = "fd-k2-exchange";
  w->p.definition.options.macro_step = 1e-4;
  start(&w->p);
  advance(&w->p, 1000);
  mbs_state *state = new_state(law.model);
  mbs_integrator *whole = start_monolithic(&law, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (size_t i = 0; i < 12; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->q[i], state->q[i], 2e-3, "%zu: %g, %g", i, cosim_state(w->p.run)->q[i],
                       state->q[i]);
  cr_expect_gt(fabs(state->q[2]), 0.01);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  cosim_fixture_free(&law);
  exchange_fixture_free(w);
}

Test(wiring_signals, names_that_are_none_are_refused) {
  static const struct {
    const char *from, *to, *message;
  } rows[] = {{"source.two", "A.thrust.fx", "source.two"},  {"missing.one", "A.thrust.fx", "missing"},
              {"source.one", "A.thrust.fz", "A.thrust.fz"}, {"source.one", "A.first.fx", "takes no signals"},
              {"source.one", "A.push.fx", "push"},          {"B.first.x", "A.thrust.fx", "'B' has no body"},
              {"source.one", "B.thrust.fx", "thrust"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    exchange_fixture *w = read_with_source(&constant);
    const cosim_connection_def link = {.from = rows[i].from, .to = rows[i].to, .gain = 1};
    w->p.definition.signals = &link;
    expect_no_start(&w->p, rows[i].message);
    exchange_fixture_free(w);
  }
}

/* ---- Under the master ---- */

#define PENDULA                                                                                                        \
  "seam: 1\ngravity: [0, -9.81]\n"                                                                                     \
  "bodies: {one: {rod: [[0, 0], [1, 0]], mass: 1}, two: {rod: [[1, 0], [2, 0]], mass: 1}}\n"                           \
  "joints: {A: {type: revolute, bodies: [ground, one], at: [0, 0]}, B: {type: revolute, bodies: [one, two], at: [1, "  \
  "0]}}\n"                                                                                                             \
  "forces: {push: {type: force, body: two, at: [2, 0], x: 0, y: 0},\n"                                                 \
  "  S: {type: spring_damper, bodies: [one, two], at: [[0.5, 0], [1.5, 0]], stiffness: 10, damping: 0.1}}\n"           \
  "simulate: {end: 1}\ncosim: {subsystems: {A1: [one], B1: [two]}, macro_step: 1e-3,\n"                                \
  "  scheme: {constraint: ff-index2-k1, constitutive: fd-k1-exchange}}\n"

static const cosim_connection_def push_signal = {.from = "source.one", .to = "B1.push.fy", .gain = 5};

Test(wiring_signals, joints_go_under_a_master_beside_signals) {
  exchange_fixture *w = exchange_fixture_read(PENDULA);
  add_subsystem(w, "source")->user = &constant;
  w->p.definition.signals = &push_signal;
  w->p.definition.n_signals = 1;
  start(&w->p);
  advance(&w->p, 300);
  cosim_fixture law = cosim_fixture_read(PENDULA, (const char *const[]){"forces.push.y=5", NULL});
  w->p.model = law.model;
  mbs_state *state = new_state(law.model);
  mbs_integrator *whole = start_monolithic(&law, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (size_t i = 0; i < 12; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->q[i], state->q[i], 1e-4);
  double g[3], gd[3], gdd[3];
  cr_expect_eq(cosim_coupling_residuals(w->p.run, 0, g, gd, gdd), 2);
  cr_expect_float_eq(g[0], 0, 1e-9);
  cr_expect_gt(cosim_statistics_of(w->p.run).corrections, 299);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  cosim_fixture_free(&law);
  exchange_fixture_free(w);
}

Test(wiring_signals, what_a_master_cannot_do_is_refused_by_name) {
  exchange_fixture *w = exchange_fixture_read(PENDULA);
  w->subsystems[1].steps = 3;
  expect_no_start(&w->p, "coupling 'B' (ff-index2-k1)");
  w->subsystems[1].steps = 1;
  const cosim_model_based_def model_based = cosim_default_model_based_def();
  w->p.definition.model_based = &model_based;
  expect_no_start(&w->p, "model-based");
  w->p.definition.model_based = NULL;
  const cosim_energy_correction_def energy = {.bond = "B", .mu = 0.5, .limit = 1};
  w->p.definition.energy_corrections = &energy;
  w->p.definition.n_energy_corrections = 1;
  expect_no_start(&w->p, "it needs an '-exchange' scheme, which joints cannot have");
  exchange_fixture_free(w);
}

/* ---- Bits ---- */

static exchange_fixture *bits_of(int kind) {
  if (kind == 0) {
    exchange_fixture *w = read_with_source(&constant);
    w->subsystems[0].steps = 3;
    set_orders(w, "K", 2, 1)->smooth = true;
    return w;
  }
  if (kind == 1)
    return exchange_fixture_read_springs();
  if (kind == 2)
    return exchange_fixture_read_crane();
  exchange_fixture *w = exchange_fixture_read(PENDULA);
  add_subsystem(w, "source")->user = &constant;
  w->p.definition.signals = &push_signal;
  w->p.definition.n_signals = 1;
  return w;
}
enum { n_kinds = 4 };

Test(wiring_signals, save_step_restore_step_gives_the_same_bits) {
  for (int kind = 0; kind < n_kinds; kind++) {
    exchange_fixture *w = bits_of(kind);
    exchange_fixture *fresh = bits_of(kind);
    mbs_state *first = new_state(w->p.model);
    start(&w->p);
    start(&fresh->p);
    const size_t size = cosim_image_size(w->p.run);
    void *image = malloc(size);
    advance(&w->p, 7);
    cosim_save(w->p.run, image);
    advance(&w->p, 20);
    mbs_state_copy(first, cosim_state(w->p.run));
    cr_assert_eq(cosim_restore(w->p.run, image, size, NULL), SEAM_OK);
    advance(&w->p, 20);
    cr_expect(same_bits(first, cosim_state(w->p.run)), "kind %d", kind);
    cr_assert_eq(cosim_restore(fresh->p.run, image, size, NULL), SEAM_OK);
    advance(&fresh->p, 20);
    cr_expect(same_bits(first, cosim_state(fresh->p.run)), "kind %d, fresh", kind);
    cr_expect_eq(cosim_statistics_of(fresh->p.run).macro_steps, 27);
    free(image);
    mbs_state_destroy(first);
    exchange_fixture_free(w);
    exchange_fixture_free(fresh);
  }
}

/* Work done before the start goes along, also into a run that started without any. */
Test(wiring_signals, an_image_holds_the_work_before_the_start) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  cosim_fixture other = cosim_fixture_read("four_bar_bushing", NULL);
  p.state->work[0] = 3;
  p.state->work[1] = 5;
  start(&p);
  start(&other);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  advance(&p, 5);
  cosim_save(p.run, image);
  cr_assert_eq(cosim_restore(other.run, image, size, NULL), SEAM_OK);
  advance(&p, 5);
  advance(&other, 5);
  cr_expect_gt(cosim_state(p.run)->work[0], 3);
  cr_expect_float_eq(cosim_state(p.run)->work[1], 5, 1e-12);
  cr_expect(same_bits(cosim_state(p.run), cosim_state(other.run)), "%g, %g", cosim_state(other.run)->work[0],
            cosim_state(other.run)->work[1]);
  free(image);
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
}

Test(wiring_signals, a_second_start_is_the_first) {
  for (int kind = 0; kind < n_kinds; kind++) {
    exchange_fixture *w = bits_of(kind);
    mbs_state *first = new_state(w->p.model);
    start(&w->p);
    advance(&w->p, 20);
    mbs_state_copy(first, cosim_state(w->p.run));
    cr_assert_eq(cosim_start(w->p.run, w->p.state, NULL), SEAM_OK);
    advance(&w->p, 20);
    cr_expect(same_bits(first, cosim_state(w->p.run)), "kind %d", kind);
    cr_expect_eq(cosim_statistics_of(w->p.run).macro_steps, 20, "kind %d", kind);
    mbs_state_destroy(first);
    exchange_fixture_free(w);
  }
}

Test(wiring_signals, both_engines_count_steps_from_the_start) {
  static const char *const schemes[] = {"fd-k1", "fd-k1-explicit", "fd-k1-exchange"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
    use_scheme(&p, schemes[i]);
    start(&p);
    advance(&p, 7);
    const cosim_statistics first = cosim_statistics_of(p.run);
    cr_assert_eq(cosim_start(p.run, p.state, NULL), SEAM_OK);
    cr_expect_eq(cosim_statistics_of(p.run).macro_steps, 0, "%s", schemes[i]);
    advance(&p, 7);
    const cosim_statistics second = cosim_statistics_of(p.run);
    cr_expect_eq(second.macro_steps, 7, "%s: %zu", schemes[i], second.macro_steps);
    cr_expect_eq(second.corrections, first.corrections, "%s", schemes[i]);
    cr_expect_eq(second.integrators.steps, first.integrators.steps, "%s", schemes[i]);
    cr_expect_eq(second.integrators.smallest_step, first.integrators.smallest_step, "%s", schemes[i]);
    cosim_fixture_free(&p);
  }
}

/* In the order of the file "clock" has advanced when the root of a negative number stops "root". */
Test(wiring_signals, after_a_failed_step_signals_are_those_of_the_last_macro_point) {
  cosim_fixture p =
      cosim_fixture_read("seam: 1\n"
                         "simulate: {end: 1}\n"
                         "cosim:\n"
                         "  macro_step: 0.1\n"
                         "  sequence: gauss-seidel\n"
                         "  subsystems:\n"
                         "    clock: {states: {x: 0}, rates: {x: 1}, outputs: {y: x}}\n"
                         "    root: {inputs: [u], states: {z: 0}, rates: {z: sqrt(0.45 - u)}, outputs: {y: z}}\n"
                         "  signals: [{from: clock.y, to: root.u}]\n",
                         NULL);
  seam_error error = {0};
  start(&p);
  while (cosim_advance(p.run, 0.1, &error) == SEAM_OK)
    cr_assert_lt(cosim_state(p.run)->t, 0.99);
  cr_expect_not_null(strstr(error.message, "root"), "%s", error.message);
  cr_expect_float_eq(cosim_signal_now(p.run, 0), cosim_state(p.run)->t, 1e-9, "%g at t = %g",
                     cosim_signal_now(p.run, 0), cosim_state(p.run)->t);
  cosim_fixture_free(&p);
}

/* The force jumps at the fifth macro point. */
Test(wiring_signals, at_a_jump_signals_are_those_after_it_also_of_a_restored_run) {
  exchange_fixture *w = exchange_fixture_read(MASSES(THRUST("\"if(t < 0.005, 1, 3)\"")));
  const cosim_connection_def measured = {.from = "thrust.fx", .to = "B.k2.fx", .gain = 1e-3};
  w->p.definition.signals = &measured;
  w->p.definition.n_signals = 1;
  start(&w->p);
  void *image = malloc(cosim_image_size(w->p.run));
  advance(&w->p, 4);
  cr_expect_eq(cosim_signal_now(w->p.run, 0), 1);
  advance(&w->p, 1);
  cr_assert_not_null(cosim_state_before_jump(w->p.run));
  const double now = cosim_signal_now(w->p.run, 0);
  cosim_save(w->p.run, image);
  cr_assert_eq(cosim_restore(w->p.run, image, cosim_image_size(w->p.run), NULL), SEAM_OK);
  cr_expect_eq(now, 3, "%g", now);
  cr_expect_eq(now, cosim_signal_now(w->p.run, 0), "%g", cosim_signal_now(w->p.run, 0));
  free(image);
  exchange_fixture_free(w);
}

/* ---- Control of the macro step ---- */

/* Under the master a and b oscillate against each other; nothing passes through the exchanged spring. */
static const char half_idle[] =
    "seam: 1\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, velocity: [1, 0]}\n"
    "  b: {mass: 1, inertia: 1, at: [1, 0]}\n"
    "  c: {mass: 1, inertia: 1, at: [2, 0]}\n"
    "forces:\n"
    "  works: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 1000}\n"
    "  idles: {type: spring_damper, bodies: [b, c], at: [[1, 0], [2, 0]], axis: [1, 0], stiffness: 1e-12}\n"
    "simulate: {end: 1}\n"
    "cosim:\n"
    "  subsystems: {A: [a], B: [b], C: [c]}\n"
    "  macro_step: 5e-3\n"
    "  scheme: ff-k1\n"
    "  couplings: {idles: {scheme: fd-k0-exchange}}\n"
    "  step_control: {method: ecco, tolerance: 1e-6, energy_scale: 1}\n";

Test(wiring_signals, control_by_energy_counts_the_masters_couplings_beside_exchanged_ones) {
  cosim_fixture p = cosim_fixture_read(half_idle, NULL);
  start(&p);
  cr_assert(!cosim_coupling_of(p.run, 0).is_exchanged && cosim_coupling_of(p.run, 1).is_exchanged);
  while (cosim_state(p.run)->t < 0.5)
    cr_assert_eq(cosim_advance_controlled(p.run, 0.5, NULL), SEAM_OK);
  cr_expect_lt(cosim_statistics_of(p.run).shortest, 2e-3, "%g s", cosim_statistics_of(p.run).shortest);
  cosim_fixture_free(&p);
}

Test(wiring_signals, a_start_after_a_restore_is_the_first) {
  exchange_fixture *w = read_with_source(&growing);
  exchange_fixture *fresh = read_with_source(&growing);
  start(&w->p);
  const size_t size = cosim_image_size(w->p.run);
  void *image = malloc(size);
  advance(&w->p, 20);
  cosim_save(w->p.run, image);
  cr_assert_eq(create_simulation(fresh->p.model, &fresh->p.definition, &fresh->p.run, NULL), SEAM_OK);
  cr_assert_eq(cosim_restore(fresh->p.run, image, size, NULL), SEAM_OK);
  cr_expect_eq(cosim_signal_now(fresh->p.run, 0), cosim_signal_now(w->p.run, 0));
  cr_assert_eq(cosim_start(fresh->p.run, fresh->p.state, NULL), SEAM_OK);
  cr_expect_float_eq(cosim_signal_now(fresh->p.run, 0), 1, 1e-9);
  advance(&fresh->p, 20);
  cr_expect(same_bits(cosim_state(w->p.run), cosim_state(fresh->p.run)));
  free(image);
  exchange_fixture_free(w);
  exchange_fixture_free(fresh);
}

Test(wiring_signals, threads_do_not_change_a_bit) {
  for (int kind = 0; kind < n_kinds; kind++) {
    exchange_fixture *w = bits_of(kind);
    exchange_fixture *threaded = bits_of(kind);
    w->p.definition.options.n_threads = 1;
    threaded->p.definition.options.n_threads = 3;
    w->subsystems[0].steps = threaded->subsystems[0].steps = 1;
    start(&w->p);
    start(&threaded->p);
    advance(&w->p, 50);
    advance(&threaded->p, 50);
    cr_expect(same_bits(cosim_state(w->p.run), cosim_state(threaded->p.run)), "kind %d", kind);
    exchange_fixture_free(w);
    exchange_fixture_free(threaded);
  }
}

Test(wiring_signals, a_black_box_has_no_image_and_no_second_start) {
  exchange_fixture *w = read_with_source(&black_box);
  start(&w->p);
  advance(&w->p, 5);
  cr_expect_eq(cosim_image_size(w->p.run), 0);
  cr_expect_eq(cosim_check_images(w->p.run, NULL), SEAM_BAD_INPUT);
  cr_expect_eq(cosim_restore(w->p.run, &(double){0}, 0, NULL), SEAM_BAD_INPUT);
  cr_expect_eq(cosim_start(w->p.run, w->p.state, NULL), SEAM_BAD_STATE);
  exchange_fixture_free(w);
}

/* The step stays as it was, with its events. */
Test(wiring_signals, beside_a_black_box_no_step_ends_at_an_event) {
  exchange_fixture *w = exchange_fixture_read(MASSES(THRUST("0")) "stop: first.vx < 0\n");
  mbs_events *events = NULL;
  mbs_event event = {.number = SEAM_NONE};
  mbs_event again;
  bool ends = true;
  char image[1000];
  add_subsystem(w, "source")->user = &black_box;
  w->p.definition.signals = &thrust_signal;
  w->p.definition.n_signals = 1;
  start(&w->p);
  cr_assert_eq(mbs_events_create(w->p.model, &events, NULL), SEAM_OK);
  cr_assert_leq(mbs_events_image_size(events), sizeof image);
  cr_assert_eq(mbs_events_start(events, cosim_state(w->p.run), NULL), SEAM_OK);
  for (int i = 0; i < 1000 && event.number == SEAM_NONE; i++) {
    mbs_events_save(events, image);
    advance(&w->p, 1);
    cr_assert_eq(cosim_next_event(w->p.run, events, &event, NULL), SEAM_OK);
  }
  const double t = cosim_state(w->p.run)->t;
  cr_assert_eq(cosim_end_at_event(w->p.run, NULL, events, image, &event, &ends, NULL), SEAM_OK);
  cr_expect_not(ends);
  cr_expect_eq(cosim_state(w->p.run)->t, t);
  cr_assert_eq(cosim_next_event(w->p.run, events, &again, NULL), SEAM_OK);
  cr_expect_eq(again.number, 0);
  cr_expect_eq(again.time, event.time);
  cr_expect_lt(again.time, t);
  mbs_events_destroy(events);
  exchange_fixture_free(w);
}

/* ---- Own subsystems ---- */

/* x'' = -4 x - 0.2 x', x(0) = 1: the spring reacts at once to its input. */
static double error_with_feed_through(const char *macro_step) {
  cosim_fixture p = cosim_fixture_read("seam: 1\n"
                                       "simulate: {end: 1}\n"
                                       "cosim:\n"
                                       "  macro_step: 1\n"
                                       "  subsystems:\n"
                                       "    mass: {inputs: [F], states: {x: 1, v: 0}, rates: {x: v, v: F},\n"
                                       "           outputs: {x: x, v: v}, rtol: 1e-12, atol: 1e-12}\n"
                                       "    spring: {inputs: [x, v], states: {idle: 0}, rates: {idle: 0},\n"
                                       "             outputs: {F: -4*x - 0.2*v}}\n"
                                       "  signals:\n"
                                       "    - {from: mass.x, to: spring.x, order: 1}\n"
                                       "    - {from: mass.v, to: spring.v, order: 1}\n"
                                       "    - {from: spring.F, to: mass.F, order: 1}\n",
                                       (const char *const[]){macro_step, NULL});
  const double damping = 0.1;
  const double rate = sqrt(4 - damping * damping);
  start(&p);
  cr_expect_float_eq(cosim_signal_now(p.run, 2), -4, 1e-7);
  const size_t n = (size_t)lround(1 / p.definition.options.macro_step);
  advance(&p, n);
  const double exact = exp(-damping) * (cos(rate) + damping / rate * sin(rate));
  const double error = fabs(cosim_signal_now(p.run, 0) - exact);
  cosim_fixture_free(&p);
  return error;
}

Test(wiring_signals, own_subsystems_with_feed_through_start_consistent) {
  const double coarse = error_with_feed_through("cosim.macro_step=2e-3");
  const double fine = error_with_feed_through("cosim.macro_step=1e-3");
  cr_expect_float_eq(log2(coarse / fine), 2, 0.1, "%g, %g", coarse, fine);
}

/* Force and speed in N and m/s, or in kN and mm/s with the factors of the power: the correction of the energy is the
 * same. */
Test(wiring_signals, factors_of_a_bond_make_other_units_a_power) {
  static const char text[] =
      "seam: 2\nparameters: {a: 1, b: 1}\nsimulate: {end: 1}\n"
      "cosim:\n"
      "  macro_step: 1e-3\n"
      "  subsystems:\n"
      "    first: {inputs: [x2, v2], states: {x: 0, v: 100}, rates: {x: v, v: -10*x - 100*(x - x2/b)},\n"
      "            outputs: {f: a*100*(x - x2/b)}, integrator: symplectic_euler, micro_steps: 1}\n"
      "    last: {inputs: [f], states: {x: 0, v: -100}, rates: {x: v, v: f/a - 1000*x}, outputs: {x: b*x, v: b*v},\n"
      "           integrator: symplectic_euler, micro_steps: 1}\n"
      "  signals: [{from: last.x, to: first.x2}, {from: last.v, to: first.v2}, {from: first.f, to: last.f}]\n"
      "  bonds:\n"
      "    p: {ports: [{input: last.f, output: last.v, sign: 1/(a*b)}, {input: first.v2, output: first.f, sign: "
      "-1/(a*b)}]}\n"
      "  corrections: {energy: {bond: p, subsystem: last, mu: 0.5, limit: 1}}\n";
  const char *const other[] = {"parameters.a=1e-3", "parameters.b=1e3", NULL};
  double x[2];
  double residual[2];
  for (int i = 0; i < 2; i++) {
    cosim_fixture p = cosim_fixture_read(text, i == 1 ? other : NULL);
    start(&p);
    advance(&p, 1000);
    x[i] = cosim_signal_now(p.run, 1) / (i == 1 ? 1e3 : 1);
    residual[i] = cosim_bond_energy_of(p.run, 0).residual_energy;
    cosim_fixture_free(&p);
  }
  cr_expect_float_eq(x[0], x[1], 1e-11, "%.15g, %.15g", x[0], x[1]);
  cr_expect_float_eq(residual[0], residual[1], 1e-9 * fabs(residual[0]));
  cr_expect_gt(fabs(residual[0]), 1);
}
