/* What impacts of hard contacts leave: their times, impulses and energies, reported one by one and summed in the state.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/model_run.h"

static model_run start(const char *text) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-12;
  return model_run_begin(text, NULL, &options, INFINITY);
}

static const mbs_model *model_of(const model_run *run) {
  const mbs_model *model = NULL;
  cr_assert_eq(seam_model_whole(run->file, &model, NULL), SEAM_OK);
  return model;
}

static mbs_impact_record record_of(const model_run *run, const char *name) {
  const mbs_model *model = model_of(run);
  return mbs_impact_record_of(model, run->state, mbs_find_force(model, name));
}

/* What was reported. */
typedef struct heard {
  mbs_impact_event impacts[3000];
  size_t n;
  double last_rate; /* of the second coordinate behind the last one */
} heard;

static seam_status hear(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error) {
  heard *of = context;
  (void)error;
  cr_assert_lt(of->n, sizeof of->impacts / sizeof *of->impacts);
  of->impacts[of->n++] = *impact;
  of->last_rate = state->v[1];
  return SEAM_OK;
}

#define BALL(restitution)                                                                                              \
  "seam: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1]}}\n"                                \
  "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0], radius: 0.1,\n"       \
  "  hard: true, restitution: " #restitution "}}\nsimulate: {end: 1}\n"

/* m (1 + e) v of each, which takes m (1 - e²) v²/2. */
Test(impacts, those_of_a_ball_are_reported_with_the_impulses_of_the_closed_form) {
  static heard of;
  of = (heard){0};
  model_run run = start(BALL(0.5));
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  const double first = sqrt(2 / 10.0);
  model_run_reach(&run, 2.99 * first);
  double t = first;
  double v = sqrt(20);
  double sum = 0;
  cr_assert_eq(of.n, 8);
  for (size_t k = 0; k < 8; k++) {
    const mbs_impact_event *impact = &of.impacts[k];
    cr_expect_eq(impact->count, k + 1);
    cr_expect_float_eq(impact->time, t, 1e-10, "impact %zu off by %g", k, impact->time - t);
    cr_expect_float_eq(impact->normal, 2 * 1.5 * v, 1e-9 * v);
    cr_expect_eq(impact->tangential, 0);
    cr_expect_float_eq(impact->loss, 0.75 * v * v, 1e-9 * v * v);
    v /= 2;
    t += 2 * v / 10;
  }
  for (size_t k = 0; k < of.n; k++)
    sum += of.impacts[k].normal;
  const mbs_impact_record record = record_of(&run, "floor");
  cr_expect_eq(record.count, of.n);
  cr_expect_float_eq(record.normal, sum, 1e-12);
  cr_expect_float_eq(record.first, first, 1e-10);
  cr_expect_eq(record.last, of.impacts[of.n - 1].time);
  model_run_end(&run);
}

/* Where bounces accumulate the sum of all is that of the closed form, m v (1 + e)/(1 - e), but for those that were
 * taken together: 5 µs of weight. All energy is lost, and is in the balance. */
Test(impacts, sums_of_accumulating_impacts_are_finite) {
  model_run run = start(BALL(0.8));
  model_run_reach(&run, 6);
  const mbs_impact_record record = record_of(&run, "floor");
  const double v = sqrt(20);
  cr_expect_float_eq(record.normal, 2 * v * 1.8 / 0.2, 20 * 5e-6 / 0.2 * 1.01);
  cr_expect_lt(record.count, 80);
  cr_expect_float_eq(record.loss, 20, 1e-9);
  cr_expect_float_eq(record.loss, run.state->work[0], 1e-9);
  model_run_end(&run);
}

/* Force over time and impulses together change the momentum. */
Test(impacts, impulses_and_forces_change_the_momentum) {
  static heard of;
  of = (heard){0};
  model_run run =
      start("seam: 1\ngravity: [0, -10]\n"
            "bodies: {disc: {mass: 2, inertia: 0.01, at: [0, 0.2], velocity: [3, -1], rate: 5}}\n"
            "forces: {floor: {type: contact, bodies: [ground, disc], at: [[0, 0], [0, 0.2]], line: [1, 0],\n"
            "  radius: 0.1, hard: true, restitution: 0.6, friction: 0.3}}\nsimulate: {end: 1}\n");
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  model_run_reach(&run, 0.3);
  const mbs_impact_record record = record_of(&run, "floor");
  cr_assert_gt(record.count, 0);
  cr_assert_lt(record.count, 10);
  cr_expect_float_eq(2 * (run.state->v[1] + 1), record.normal - 20 * 0.3, 1e-11);
  cr_expect_float_eq(2 * (run.state->v[0] - 3), record.tangential, 1e-11);
  cr_expect_float_eq(0.01 * (run.state->v[2] - 5), 0.1 * record.tangential, 1e-12);
  cr_expect_float_eq(record.loss, run.state->work[0], 1e-11);
  cr_expect_eq(of.n, record.count);
  model_run_end(&run);
}

/* A ball that falls on another one at rest on the floor: both contacts have an impulse, the floor's passes it on. */
Test(impacts, a_contact_that_was_closed_has_its_share) {
  static heard of;
  of = (heard){0};
  model_run run =
      start("seam: 1\ngravity: [0, -10]\n"
            "bodies: {low: {mass: 3, inertia: 0.1, at: [0, 0.1]}, high: {mass: 1, inertia: 0.1, at: [0, 1.3]}}\n"
            "forces:\n"
            "  floor: {type: contact, bodies: [ground, low], at: {ground: [0, 0], low: [0, 0]}, line: [1, 0],\n"
            "    radius: 0.1, hard: true}\n"
            "  hit: {type: contact, bodies: [low, high], at: {low: [0, 0], high: [0, 0]}, radii: [0.1, 0.1],\n"
            "    hard: true, restitution: 0.5}\nsimulate: {end: 1}\n");
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  model_run_reach(&run, 0.5);
  cr_assert_eq(of.n, 2);
  for (size_t k = 0; k < 2; k++) {
    cr_expect_float_eq(of.impacts[k].time, sqrt(0.2), 1e-10);
    cr_expect_float_eq(of.impacts[k].normal, 1.5 * sqrt(20), 1e-10);
  }
  cr_expect_float_eq(of.impacts[0].loss, 0, 1e-12);
  cr_expect_float_eq(of.impacts[1].loss, 0.75 * 10, 1e-9);
  model_run_end(&run);
}

static seam_status refuse(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error) {
  (void)context, (void)impact, (void)state;
  return seam_fail(error, SEAM_NO_FILE, "enough");
}

/* A block that rocks hits the floor with one corner after the other. None hits a second time when the block begins to
 * turn about it, although the step that ends at the impact leaves a small overlap. */
Test(impacts, corners_of_a_rocking_block_hit_in_turn) {
  static const int orders[] = {4, 5, 8, 0};
  for (int i = 0; i < 4; i++) {
    static heard of;
    of = (heard){0};
    mbs_integrator_options options = mbs_default_integrator_options();
    options.order = orders[i];
    options.method = orders[i] == 0 ? "radau" : "erk";
    model_run run = model_run_begin(
        "seam: 2\ngravity: [0, -9.81]\nparameters: {b: 0.1, h: 0.4, th: 0.1}\n"
        "bodies: {block: {mass: 2, inertia: 2/3*(b^2 + h^2), angle: th,\n"
        "  at: [b*cos(th) - h*sin(th), b*sin(th) + h*cos(th)]}}\n"
        "forces:\n"
        "  left: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [-b, -h]}, line: [1, 0],\n"
        "    hard: true, friction: 2}\n"
        "  right: {type: contact, bodies: [ground, block], at: {ground: [0, 0], block: [b, -h]}, line: [1, 0],\n"
        "    hard: true, friction: 2}\nsimulate: {end: 1}\n",
        NULL, &options, INFINITY);
    mbs_integrator_set_impact_listener(run.integrator, hear, &of);
    model_run_reach(&run, 4);
    cr_expect_eq(of.n, 21);
    for (size_t k = 0; k < of.n; k++)
      cr_expect_eq(of.impacts[k].force, (k + 1) % 2, "%s %d: impact %zu of %g N s", options.method, options.order, k,
                   of.impacts[k].normal);
    model_run_end(&run);
  }
}

Test(impacts, a_listener_may_end_the_run) {
  model_run run = start(BALL(0.5));
  mbs_integrator_set_impact_listener(run.integrator, refuse, NULL);
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_NO_FILE);
  cr_expect_str_eq(run.error.message, "enough");
  cr_expect_float_eq(run.state->t, sqrt(0.2), 1e-10);
  model_run_end(&run);
}

/* Those that a restored integrator reports are those of the one that went on. */
Test(impacts, an_image_goes_on_with_its_sums) {
  static heard of;
  model_run run = start(BALL(0.8));
  const size_t size = mbs_integrator_image_size(run.integrator);
  void *image = malloc(size);
  cr_assert_not_null(image);
  model_run_reach(&run, 1);
  mbs_integrator_save(run.integrator, image);
  of = (heard){0};
  mbs_integrator_set_impact_listener(run.integrator, hear, &of);
  model_run_reach(&run, 3);
  const mbs_impact_record whole = record_of(&run, "floor");
  const size_t n = of.n;
  model_run again = start(BALL(0.8));
  cr_assert_eq(mbs_integrator_restore(again.integrator, image, size, NULL), SEAM_OK);
  of = (heard){0};
  mbs_integrator_set_impact_listener(again.integrator, hear, &of);
  model_run_reach(&again, 3);
  const mbs_impact_record part = record_of(&again, "floor");
  cr_expect_eq(part.count, whole.count);
  cr_expect_eq(part.first, whole.first);
  cr_expect_eq(part.last, whole.last);
  cr_expect_eq(part.normal, whole.normal);
  cr_expect_eq(part.tangential, whole.tangential);
  cr_expect_eq(part.loss, whole.loss);
  cr_expect_eq(of.n, n);
  free(image);
  model_run_end(&run);
  model_run_end(&again);
}

/* Compliant contacts and elements that do not exist have none. */
Test(impacts, other_elements_have_none) {
  model_run run =
      start("seam: 1\nbodies: {ball: {mass: 2, inertia: 0.1, at: [0, 1.1]}}\n"
            "forces: {floor: {type: contact, bodies: [ground, ball], at: [[0, 0], [0, 1.1]], line: [1, 0],\n"
            "  stiffness: 1e5}}\nsimulate: {end: 1}\n");
  const mbs_model *model = model_of(&run);
  cr_expect_not(mbs_force_of(model, 0).has_impacts);
  cr_expect_not(mbs_force_of(model, 7).has_impacts);
  cr_expect_eq(mbs_impact_record_of(model, run.state, 0).count, 0);
  cr_expect(isnan(mbs_impact_record_of(model, NULL, 7).first));
  model_run_end(&run);
}

/* Each ball is q times as heavy as the one below: they fall 1 cm one on the other and come to rest (e = 0). */
static const char stack[] =
    "seam: 1\ngravity: [0, -9.81]\nparameters: {r: 0.1, N: 3, q: 1e4, gap: 0.01}\nrepeat:\n"
    "  - for: {i: [1, N]}\n    bodies: {\"b{i}\": {mass: q^(i-1), inertia: 0.004*q^(i-1), at: [0, "
    "\"r+(i-1)*2*r+i*gap\"]}}\n"
    "  - for: {i: [2, N]}\n    forces: {\"c{i}\": {type: contact, bodies: [\"b{i-1}\", \"b{i}\"], at: {\"b{i-1}\": [0, "
    "0], "
    "\"b{i}\": [0, 0]}, radii: [r, r], hard: true}}\n"
    "forces: {c1: {type: contact, bodies: [ground, b1], at: {ground: [0, 0], b1: [0, 0]}, line: [1, 0], radius: r, "
    "hard: true}}\nsimulate: {end: 1}\n";

Test(impacts, heavy_balls_come_to_rest_on_light_ones) {
  static const struct {
    const char *n, *q;
    double weight;
  } cases[] = {{"parameters.N=2", "parameters.q=1e8", 1 + 1e8},
               {"parameters.N=3", "parameters.q=1e4", 1 + 1e4 + 1e8},
               {"parameters.N=4", "parameters.q=1e3", 1 + 1e3 + 1e6 + 1e9}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    model_run run = model_run_begin(stack, (const char *const[]){cases[i].n, cases[i].q, NULL}, NULL, NAN);
    model_run_reach(&run, 1);
    cr_expect_float_eq(run.state->q[1], 0.1, 1e-9, "%.15g", run.state->q[1]);
    cr_expect_float_eq(model_run_read(&run, "c1.force") / (9.81 * cases[i].weight), 1, 1e-6, "case %zu: %.15g", i,
                       model_run_read(&run, "c1.force"));
    model_run_end(&run);
  }
}

Test(impacts, masses_that_differ_too_much_are_the_reason) {
  model_run run = model_run_begin(stack, (const char *const[]){"parameters.N=2", "parameters.q=1e13", NULL}, NULL, NAN);
  model_run_advance(&run, 1);
  cr_expect_eq(run.status, SEAM_JAMMED);
  cr_expect_not_null(strstr(run.error.message, "masses of bodies that touch differ by the factor 1e+13"), "%s",
                     run.error.message);
  model_run_end(&run);
}
