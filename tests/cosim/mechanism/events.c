/* Events of a co-simulated mechanism against those of the whole; macro steps that end at them. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/cosim_fixture.h"

/* Two masses side by side, joined by a cut spring, thrown up: their centre follows a parabola. */
#define THROWN                                                                                                         \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -10]\n"                                                                                                \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1, at: [0, 0], velocity: [0, 6]}\n"                                                         \
  "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [0, 4]}\n"                                                         \
  "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 20}}\n"                          \
  "measures: {height: 0.5*a.y + 0.5*b.y}\n"                                                                            \
  "simulate: {end: 1, rtol: 1e-12, atol: 1e-12}\n"                                                                     \
  "cosim: {subsystems: {left: [a], right: [b]}, macro_step: 0.07, scheme: ff-colloc-s3, rtol: 1e-12, atol: 1e-12}\n"

typedef struct watched {
  cosim_fixture p;
  mbs_events *events;
  seam_error error;
} watched;

static watched begin(const char *text) {
  watched w = {.p = cosim_fixture_read(text, NULL)};
  start(&w.p);
  cr_assert_eq(mbs_events_create(w.p.model, &w.events, &w.error), SEAM_OK);
  cr_assert_eq(mbs_events_start(w.events, cosim_state(w.p.run), &w.error), SEAM_OK);
  return w;
}

static void end(watched *w) {
  mbs_events_destroy(w->events);
  cosim_fixture_free(&w->p);
}

static mbs_event next(watched *w) {
  mbs_event event;
  cr_assert_eq(cosim_next_event(w->p.run, w->events, &event, &w->error), SEAM_OK, "%s", w->error.message);
  return event;
}

/* The next one within the next n macro steps. */
static mbs_event advance_to(watched *w, size_t n) {
  mbs_event event = next(w);
  for (size_t i = 0; i < n && event.number == SEAM_NONE; i++) {
    advance(&w->p, 1);
    event = next(w);
  }
  return event;
}

/* A count 1, 2, 3, ... from t = 0 on, by a part and by the mechanism. */
Test(events, comparisons_of_samples_count_as_written) {
  watched w =
      begin("seam: 1\n"
            "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
            "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], stiffness: 20}}\n"
            "equations: {own: {sample: 0.1, states: {n: 0}, updates: {n: n + 1}}}\n"
            "events: {own3: \"own.n >= 3\", part4: \"4 <= part.n\", out4: \"part.m >= 4\", more: \"own.n > 5\"}\n"
            "simulate: {end: 1}\n"
            "cosim: {subsystems: {left: [a], right: [b], part: {sample: 0.1, states: {n: 0}, updates: {n: n + 1},\n"
            "  outputs: {m: n}}}, macro_step: 0.05, scheme: ff-k1}\n");
  for (size_t i = 0; i < 4; i++) {
    const mbs_event event = advance_to(&w, 12);
    cr_expect_eq(event.number, i, "%zu instead of %zu", event.number, i);
    cr_expect_float_eq(event.time, 0.2 + 0.1 * (double)i, 1e-9, "%.17g", event.time);
    cr_expect_eq(event.sense, MBS_RISING);
  }
  end(&w);
}

/* 5 t - 5 t² = level. */
Test(events, conditions_across_subsystems_are_met_in_closed_form) {
  watched w = begin(THROWN "events: {high: height > 0.8, top: {when: height - 1.24999}}\n");
  const double level[] = {0.8, 1.24999, 1.24999};
  for (int i = 0; i < 3; i++) {
    const double half = sqrt(1 - 0.8 * level[i]) / 2;
    const mbs_event event = advance_to(&w, 20);
    cr_expect_eq(event.number, i > 0);
    cr_expect_float_eq(event.time, i < 2 ? 0.5 - half : 0.5 + half, 1e-7, "%.17g", event.time);
    cr_expect_eq(event.sense, i < 2 ? MBS_RISING : MBS_FALLING);
  }
  cr_expect_eq(advance_to(&w, 5).number, SEAM_NONE);
  end(&w);
}

/* Saves both before each step, and ends the one that has the event there. */
static double stop_at_event(watched *w, bool *ends) {
  mbs_event event = {.number = SEAM_NONE};
  void *image = malloc(cosim_image_size(w->p.run) + 1);
  void *events_image = malloc(mbs_events_image_size(w->events));
  for (int i = 0; i < 20 && event.number == SEAM_NONE; i++) {
    cosim_save(w->p.run, image);
    mbs_events_save(w->events, events_image);
    advance(&w->p, 1);
    event = next(w);
  }
  cr_assert_eq(event.number, 0);
  cr_assert_eq(cosim_end_at_event(w->p.run, image, w->events, events_image, &event, ends, &w->error), SEAM_OK, "%s",
               w->error.message);
  free(image);
  free(events_image);
  return event.time;
}

Test(events, a_macro_step_that_is_repeated_ends_at_the_event) {
  static const char *const senses[] = {"rising", "falling"};
  for (int i = 0; i < 2; i++) {
    char text[2000];
    bool ends = false;
    snprintf(text, sizeof text, THROWN "stop: {when: height - 1.24, direction: %s}\n", senses[i]);
    watched w = begin(text);
    stop_at_event(&w, &ends);
    cr_expect(ends);
    const mbs_event event = next(&w);
    const double exact = 0.5 + (i == 0 ? -1 : 1) * sqrt(1 - 0.8 * 1.24) / 2;
    cr_expect_eq(event.number, 0);
    cr_expect_eq(event.time, cosim_state(w.p.run)->t);
    cr_expect_float_eq(event.time, exact, 1e-9, "%.17g", event.time);
    cr_expect_eq(next(&w).number, SEAM_NONE);
    cr_expect_eq(mbs_event_record_of(w.events, 0).count, 1);
    cr_expect_eq(cosim_statistics_of(w.p.run).repeated, 1);
    end(&w);
  }
}

/* A macro point at 0.7 s. */
Test(events, an_event_at_a_macro_point_ends_the_run_there) {
  bool ends = false;
  watched w = begin(THROWN "stop: {when: time - 0.7}\n");
  stop_at_event(&w, &ends);
  cr_expect(ends);
  cr_expect_float_eq(next(&w).time, 0.7, 1e-7);
  cr_expect_float_eq(cosim_state(w.p.run)->t, 0.7, 1e-7);
  cr_expect_eq(next(&w).number, SEAM_NONE);
  cr_expect_eq(mbs_event_record_of(w.events, 0).count, 1);
  end(&w);
}

Test(events, calls_in_the_wrong_order_are_refused) {
  watched w = begin(THROWN "stop: height > 1\n");
  mbs_event event = {.number = 0, .time = 0.01};
  bool ends = false;
  char image[1000];
  cr_assert_leq(mbs_events_image_size(w.events), sizeof image);
  mbs_events_save(w.events, image);
  advance(&w.p, 2);
  cr_expect_eq(cosim_end_at_event(w.p.run, NULL, w.events, image, &event, &ends, &w.error), SEAM_BAD_INPUT);
  cr_expect_str_eq(w.error.message, "the event is not within the last macro step");
  cr_expect_eq(cosim_next_event(w.p.run, w.events, &event, &w.error), SEAM_BAD_STATE);
  cr_expect_not_null(strstr(w.error.message, "take all events of each macro step"), "%s", w.error.message);
  mbs_events *fresh = NULL;
  cr_assert_eq(mbs_events_create(w.p.model, &fresh, NULL), SEAM_OK);
  cr_expect_eq(cosim_next_event(w.p.run, fresh, &event, &w.error), SEAM_BAD_STATE);
  mbs_events_destroy(fresh);
  end(&w);
}
