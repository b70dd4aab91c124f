/* Times of events against closed forms, by every integrator; pairs within a step, grazing, starts, images, refusals. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <seam/events.h>

#include "tests/support/mechanisms.h"

static const double g = 9.81;

/* ---- Conditions ---- */

static double above(const void *data, const double *x) { return x[0] - *(const double *)data; }

static double change_of_first(const void *data, const double *x, const double *dx) {
  (void)data;
  (void)x;
  return dx[0];
}

static double root_above(const void *data, const double *x) { return sqrt(x[0] - *(const double *)data); }
static double fast(const void *data, const double *x) { return sin(*(const double *)data * x[0]); }

static double change_of_fast(const void *data, const double *x, const double *dx) {
  const double w = *(const double *)data;
  return w * cos(w * x[0]) * dx[0];
}

/* That the quantity passes a level, which the caller keeps. */
static void add_event(mbs_builder *builder, const char *name, const char *quantity, const double *level,
                      mbs_sense sense) {
  seam_error error = {0};
  mbs_event_def def = mbs_default_event_def();
  def.name = name;
  def.inputs = &quantity;
  def.n_inputs = 1;
  def.sense = sense;
  if (level != NULL)
    def.function = (mbs_function){.value = above, .change = change_of_first, .data = (void *)level};
  cr_assert_eq(mbs_add_event(builder, &def, &error), SEAM_OK, "%s", error.message);
}

/* ---- Runs ---- */

/* A mechanism on its way, with its events. */
typedef struct flight {
  mechanism m;
  mbs_integrator *integrator;
  mbs_events *events;
} flight;

static flight begin(mechanism m, const char *method, int order, double tolerance, double step) {
  flight f = {.m = m};
  mechanism_assemble(&f.m);
  f.integrator =
      order > 0 ? mechanism_start(&f.m, order, tolerance, step) : mechanism_start_by(&f.m, method, tolerance, step);
  cr_assert_eq(mbs_events_create(f.m.model, &f.events, &f.m.error), SEAM_OK, "%s", f.m.error.message);
  cr_assert_eq(mbs_events_start(f.events, f.m.state, &f.m.error), SEAM_OK, "%s", f.m.error.message);
  return f;
}

static void end(flight *f) {
  mbs_events_destroy(f->events);
  mbs_integrator_destroy(f->integrator);
  mechanism_free(&f->m);
}

/* To the next event, or to t. */
static mbs_event next(flight *f, double t) {
  mbs_event event;
  cr_assert_eq(mbs_integrator_advance_to_event(f->integrator, f->events, t, f->m.state, &event, &f->m.error), SEAM_OK,
               "%s", f->m.error.message);
  cr_assert_eq(f->m.state->t, event.time);
  return event;
}

static void expect_event(flight *f, double t, size_t number, double time, double tolerance, mbs_sense sense) {
  const mbs_event event = next(f, t);
  cr_expect_eq(event.number, number);
  cr_expect_float_eq(event.time, time, tolerance, "%.17g instead of %.17g", event.time, time);
  cr_expect_eq(event.sense, sense);
}

static void expect_none(flight *f, double t) {
  const mbs_event event = next(f, t);
  cr_expect_eq(event.number, SEAM_NONE, "event %zu at %.17g", event.number, event.time);
}

/* ---- A ball ---- */

static mbs_builder *thrown_ball(double y, double vy) {
  seam_error error = {0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  mbs_body_def def = mbs_default_body_def();
  def.name = "ball";
  def.mass = 1;
  def.inertia = 1;
  def.pose[1] = y;
  def.velocity[1] = vy;
  cr_assert_eq(mbs_add_body(builder, &def, &error), SEAM_OK, "%s", error.message);
  return builder;
}

static mechanism falling_ball(double height) {
  mbs_builder *builder = thrown_ball(height, 0);
  add_event(builder, "lands", "ball.y", NULL, MBS_FALLING);
  return mechanism_build(builder);
}

static const struct {
  const char *method;
  int order; /* of erk */
  double step;
} methods[] = {{"erk", 4, 0}, {"erk", 5, 0},   {"erk", 8, 0},   {"radau", 0, 0}, {"radau", 0, 0.3},
               {"ida", 0, 0}, {"cvode", 0, 0}, {"rk4", 0, 0.3}, {"rk2", 0, 0.3}, {"erk", 8, 0.3}};
enum { n_methods = sizeof methods / sizeof *methods };

Test(events, a_ball_meets_the_ground_in_closed_form_by_every_method) {
  for (int i = 0; i < n_methods; i++) {
    const double height = 2.7;
    flight f = begin(falling_ball(height), methods[i].method, methods[i].order, 1e-12, methods[i].step);
    expect_event(&f, 10, 0, sqrt(2 * height / g), 1e-10, MBS_FALLING);
    cr_expect_leq(f.m.state->q[1], 0, "%s: %.17g", methods[i].method, f.m.state->q[1]);
    cr_expect_float_eq(f.m.state->q[1], 0, 1e-14, "%s: %.17g", methods[i].method, f.m.state->q[1]);
    end(&f);
  }
}

static double cosine(const void *data, const double *x) { return (void)data, cos(x[0]); }

static double change_of_cosine(const void *data, const double *x, const double *dx) {
  (void)data;
  return -sin(x[0]) * dx[0];
}

/* Its motion is a straight line in time, which any step follows exactly. */
static mechanism spinning_ball(double rate) {
  seam_error error = {0};
  const char *quantity = "ball.phi";
  mbs_builder *builder = new_builder();
  mbs_body_def def = mbs_default_body_def();
  def.name = "ball";
  def.mass = def.inertia = 1;
  def.velocity[2] = rate;
  cr_assert_eq(mbs_add_body(builder, &def, &error), SEAM_OK, "%s", error.message);
  mbs_event_def event = mbs_default_event_def();
  event.name = "dead_centre";
  event.inputs = &quantity;
  event.n_inputs = 1;
  event.sense = MBS_FALLING;
  event.function = (mbs_function){.value = cosine, .change = change_of_cosine};
  cr_assert_eq(mbs_add_event(builder, &event, &error), SEAM_OK, "%s", error.message);
  return mechanism_build(builder);
}

Test(events, each_turn_of_a_fast_rotor_is_seen_by_every_method) {
  static const double rates[] = {10, 1000, 3000, -3000};
  for (int i = 0; i < 4 * n_methods; i++) {
    const double rate = rates[i / n_methods];
    const char *method = methods[i % n_methods].method;
    const double turn = 2 * pi / fabs(rate);
    flight f = begin(spinning_ball(rate), method, methods[i % n_methods].order, 1e-10, methods[i % n_methods].step);
    mbs_event event = next(&f, 1);
    size_t n = 0;
    for (; event.number == 0; event = next(&f, 1), n++)
      cr_expect_float_eq(event.time, ((double)n + 0.25) * turn, 1e-9, "%s, %g rad/s: event %zu at %.17g s", method,
                         rate, n, event.time);
    cr_expect_eq(n, (size_t)floor(1 / turn + 0.75), "%s, %g rad/s: %zu events", method, rate, n);
    end(&f);
  }
}

Test(events, a_rotor_that_is_too_fast_for_the_steps_ends_the_run) {
  seam_error error = {0};
  mbs_event event = {.number = SEAM_NONE};
  flight f = begin(spinning_ball(1e6), "rk4", 0, 1e-9, 0.5);
  cr_expect_eq(mbs_integrator_advance_to_event(f.integrator, f.events, 1, f.m.state, &event, &error), SEAM_STEP_FAILED);
  cr_expect_not_null(strstr(error.message, "give a shorter 'largest_step'"), "%s", error.message);
  end(&f);
}

/* Their own motion is off by the step; the event is where that meets the ground. */
Test(events, methods_of_order_1_meet_the_ground_where_their_own_motion_does) {
  static const char *const first_order[] = {"euler", "symplectic_euler"};
  for (int i = 0; i < 2; i++) {
    double error[2];
    for (int k = 0; k < 2; k++) {
      flight f = begin(falling_ball(2), first_order[i], 0, 1e-12, k == 0 ? 1e-2 : 1e-3);
      error[k] = fabs(next(&f, 10).time - sqrt(4 / g));
      cr_expect_float_eq(f.m.state->q[1], 0, 1e-14);
      end(&f);
    }
    cr_expect_float_eq(error[0] / error[1], 10, 0.5, "%s: %g", first_order[i], error[0] / error[1]);
  }
}

/* ---- A pendulum ---- */

/* A rod of 1 m let go horizontally: K(sin 45°) / ω₀ until it hangs, ω₀² = 3 g / 2 l. */
static const double quarter_period = 1.8540746773013719184 / 3.8360135557633263;

static mechanism pendulum(void) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  add_event(builder, "hangs", "rod.x", NULL, MBS_EITHER);
  return mechanism_build(builder);
}

Test(events, a_pendulum_hangs_after_a_quarter_of_its_period) {
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  static const double within[] = {1e-11, 1e-10, 1e-9, 1e-9};
  for (int i = 0; i < 4; i++) {
    flight f = begin(pendulum(), adaptive[i], 0, 1e-12, 0);
    for (int k = 0; k < 4; k++) {
      const double t = (1 + 2 * k) * quarter_period;
      expect_event(&f, 10, 0, t, within[i], k % 2 == 0 ? MBS_FALLING : MBS_RISING);
    }
    const mbs_event_record record = mbs_event_record_of(f.events, 0);
    cr_expect_eq(record.count, 4);
    cr_expect_float_eq(record.first, quarter_period, within[i]);
    cr_expect_float_eq(record.last, 7 * quarter_period, within[i]);
    end(&f);
  }
}

static double error_of_rk4(double step) {
  flight f = begin(pendulum(), "rk4", 0, 1e-12, step);
  const double error = fabs(next(&f, 10).time - quarter_period);
  end(&f);
  return error;
}

Test(events, the_time_of_an_event_has_the_order_of_the_method) {
  for (int i = 0; i < 3; i++) {
    const double step = 0.02 * pow(0.5, i);
    const double order = log2(error_of_rk4(step) / error_of_rk4(step / 2));
    cr_expect_float_eq(order, 4, 0.3, "%g: %g", step, order);
  }
}

/* ---- Within a step ---- */

/* v₀ = g: the apex is g/2 high, after 1 s. */
static flight throw_over(const double *level, const char *method, double step) {
  mbs_builder *builder = thrown_ball(0, g);
  add_event(builder, "level", "ball.y", level, MBS_EITHER);
  return begin(mechanism_build(builder), method, 0, 1e-12, step);
}

/* From far apart to nearly one. */
Test(events, pairs_within_a_step_are_found) {
  static const struct {
    const char *method;
    double step;
  } by[] = {{"radau", 1.7}, {"rk4", 1.7}, {"erk", 1.7}, {"cvode", 0}, {"ida", 0}, {"erk", 0}, {"radau", 0}};
  for (size_t i = 0; i < sizeof by / sizeof *by; i++)
    for (int k = 0; k < 10; k++) {
      const double depth = pow(0.1, k);
      const double level = g / 2 - depth;
      const double half = sqrt(2 * depth / g);
      const double within = 1e-10 + 1e-10 / half; /* heights are right to 1e-10, the speed there is g half */
      flight f = throw_over(&level, by[i].method, by[i].step);
      expect_event(&f, 1.65, 0, 1 - half, within, MBS_RISING);
      expect_event(&f, 1.65, 0, 1 + half, within, MBS_FALLING);
      if (by[i].step > 0)
        cr_expect_eq(mbs_integrator_statistics(f.integrator).steps, 1, "%s", by[i].method);
      expect_none(&f, 1.65);
      end(&f);
    }
}

Test(events, what_turns_before_zero_is_no_event) {
  for (int k = 0; k < 9; k++) {
    const double gap = pow(0.1, k);
    const double level = g / 2 + gap;
    flight f = throw_over(&level, "radau", 1.7);
    expect_none(&f, 1.7);
    end(&f);
  }
  const double apex = g / 2;
  flight f = throw_over(&apex, "radau", 1.7);
  expect_none(&f, 1.7);
  end(&f);
}

Test(events, several_in_a_step_come_in_order_of_time) {
  static const double level[] = {3, 1, 2, 1};
  static const size_t order[] = {1, 3, 2, 0, 0, 2, 1, 3};
  mbs_builder *builder = thrown_ball(0, g);
  for (int i = 0; i < 4; i++)
    add_event(builder, (const char *[]){"three", "one", "two", "one_too"}[i], "ball.y", &level[i], MBS_EITHER);
  flight f = begin(mechanism_build(builder), "radau", 0, 1e-12, 3);
  for (int i = 0; i < 8; i++) {
    const double half = sqrt(1 - 2 * level[order[i]] / g);
    expect_event(&f, 3, order[i], i < 4 ? 1 - half : 1 + half, 1e-12, i < 4 ? MBS_RISING : MBS_FALLING);
  }
  expect_none(&f, 3);
  end(&f);
}

Test(events, only_the_sense_that_is_asked_for_counts_and_only_after_its_time) {
  static const double level = 1;
  const double half = sqrt(1 - 2 * level / g);
  seam_error error = {0};
  mbs_builder *builder = thrown_ball(0, g);
  add_event(builder, "up", "ball.y", &level, MBS_RISING);
  add_event(builder, "down", "ball.y", &level, MBS_FALLING);
  mbs_event_def def = mbs_default_event_def();
  const char *quantity = "ball.y";
  def.name = "late";
  def.inputs = &quantity;
  def.n_inputs = 1;
  def.function = (mbs_function){.value = above, .change = change_of_first, .data = (void *)&level};
  def.after = 1;
  cr_assert_eq(mbs_add_event(builder, &def, &error), SEAM_OK, "%s", error.message);
  flight f = begin(mechanism_build(builder), "erk", 0, 1e-12, 0);
  expect_event(&f, 3, 0, 1 - half, 1e-11, MBS_RISING);
  expect_event(&f, 3, 1, 1 + half, 1e-11, MBS_FALLING);
  expect_event(&f, 3, 2, 1 + half, 1e-11, MBS_FALLING);
  expect_none(&f, 3);
  end(&f);
}

/* An acceleration and a reaction jump nowhere here, but have no rate in a state: K₁ = 0 is where the rod's reaction
 * along x changes its sign, halfway down and at the bottom. */
Test(events, accelerations_and_reactions_are_conditions_too) {
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  add_event(builder, "pull", "A.fx", NULL, MBS_EITHER);
  add_event(builder, "hangs", "rod.alpha", NULL, MBS_EITHER);
  flight f = begin(mechanism_build(builder), "erk", 0, 1e-12, 0);
  const mbs_event first = next(&f, 10);
  cr_expect_float_eq(first.time, quarter_period, 1e-10);
  const mbs_event second = next(&f, 10);
  cr_expect_float_eq(second.time, quarter_period, 1e-10);
  cr_expect_neq(first.number, second.number);
  end(&f);
}

/* ---- Starts ---- */

Test(events, a_condition_that_is_zero_at_the_start_is_on_the_side_to_which_it_departs) {
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  for (int i = 0; i < 4; i++) {
    mbs_builder *builder = thrown_ball(0, g);
    add_event(builder, "back", "ball.y", NULL, MBS_EITHER);
    flight f = begin(mechanism_build(builder), adaptive[i], 0, 1e-12, 0);
    expect_event(&f, 5, 0, 2, 1e-10, MBS_FALLING);
    expect_none(&f, 5);
    end(&f);
  }
}

/* Up and down again before the first sample. */
Test(events, a_short_departure_is_seen) {
  mbs_builder *builder = thrown_ball(0, 0.01);
  add_event(builder, "back", "ball.y", NULL, MBS_EITHER);
  flight f = begin(mechanism_build(builder), "radau", 0, 1e-12, 1);
  expect_event(&f, 1, 0, 0.02 / g, 1e-12, MBS_FALLING);
  expect_none(&f, 1);
  end(&f);
}

static double off_circle(const void *data, const double *x) {
  (void)data;
  return x[0] * x[0] + x[1] * x[1] - 0.25;
}

static double change_of_circle(const void *data, const double *x, const double *dx) {
  (void)data;
  return 2 * (x[0] * dx[0] + x[1] * dx[1]);
}

/* The middle of the rod stays on its circle. */
Test(events, a_condition_that_stays_zero_but_for_rounding_has_no_event) {
  static const char *const middle[] = {"rod.x", "rod.y"};
  seam_error error = {0};
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "rod", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "rod", (double[2]){0, 0});
  mbs_event_def def = mbs_default_event_def();
  def.name = "off";
  def.inputs = middle;
  def.n_inputs = 2;
  def.function = (mbs_function){.value = off_circle, .change = change_of_circle};
  cr_assert_eq(mbs_add_event(builder, &def, &error), SEAM_OK, "%s", error.message);
  flight f = begin(mechanism_build(builder), "erk", 8, 1e-9, 0);
  expect_none(&f, 20);
  end(&f);
}

/* ---- What does not change them ---- */

static int list_events(flight *f, double t, int n_rows, double *times, int most) {
  int n = 0;
  for (int row = 1; row <= n_rows; row++) {
    mbs_event event = next(f, row < n_rows ? row * t / n_rows : t);
    for (; event.number != SEAM_NONE; event = next(f, row < n_rows ? row * t / n_rows : t)) {
      cr_assert_lt(n, most);
      times[n++] = event.time;
    }
  }
  return n;
}

/* To the bit. */
Test(events, times_do_not_depend_on_the_rows_between) {
  for (int i = 0; i < n_methods; i++) {
    double times[3][16];
    int n[3];
    for (int k = 0; k < 3; k++) {
      flight f = begin(pendulum(), methods[i].method, methods[i].order, 1e-9, methods[i].step / 10);
      mbs_integrator_set_stop(f.integrator, 5);
      n[k] = list_events(&f, 5, (int[]){1, 7, 1000}[k], times[k], 16);
      end(&f);
    }
    cr_expect_eq(n[0], 5, "%s: %d", methods[i].method, n[0]);
    for (int k = 1; k < 3; k++) {
      cr_expect_eq(n[k], n[0]);
      cr_expect_eq(memcmp(times[k], times[0], (size_t)n[0] * sizeof **times), 0, "%s", methods[i].method);
    }
  }
}

typedef struct images {
  void *integrator, *events;
} images;

static images save(const flight *f) {
  const images made = {malloc(mbs_integrator_image_size(f->integrator)), malloc(mbs_events_image_size(f->events))};
  mbs_integrator_save(f->integrator, made.integrator);
  mbs_events_save(f->events, made.events);
  return made;
}

static void restore(flight *f, const images *from, double stop) {
  cr_assert_eq(mbs_integrator_restore(f->integrator, from->integrator, mbs_integrator_image_size(f->integrator), NULL),
               SEAM_OK);
  cr_assert_eq(mbs_events_restore(f->events, from->events, mbs_events_image_size(f->events), NULL), SEAM_OK);
  mbs_integrator_set_stop(f->integrator, stop);
}

/* Saved before, between and right after events; ida and cvode begin anew from an image, so that two of them that were
 * restored are equal. */
Test(events, restored_runs_have_the_same_events_to_the_bit) {
  for (int i = 0; i < n_methods; i++)
    for (int part = 0; part < 8; part++) {
      const double at = 0.1 + 0.413 * part;
      double times[2][16];
      int n[2];
      flight f = begin(pendulum(), methods[i].method, methods[i].order, 1e-9, methods[i].step / 10);
      mbs_integrator_set_stop(f.integrator, 5);
      n[0] = list_events(&f, at, 1, times[0], 16);
      const images saved = save(&f);
      for (int k = 0; k < 2; k++) {
        flight again = begin(pendulum(), methods[i].method, methods[i].order, 1e-9, methods[i].step / 10);
        restore(k == 0 ? &f : &again, &saved, 5);
        n[k] = list_events(k == 0 ? &f : &again, 5, 1, times[k], 16);
        end(&again);
      }
      cr_expect_eq(n[0], n[1], "%s at %g", methods[i].method, at);
      cr_expect_eq(memcmp(times[0], times[1], (size_t)n[0] * sizeof **times), 0, "%s at %g", methods[i].method, at);
      cr_expect_eq(mbs_event_record_of(f.events, 0).count, 5, "%s at %g: %zu", methods[i].method, at,
                   mbs_event_record_of(f.events, 0).count);
      free(saved.integrator);
      free(saved.events);
      end(&f);
    }
}

/* Saved at the first of two events that one step passes, 1/9 of a millisecond apart. */
Test(events, one_that_was_seen_ahead_is_found_again_from_an_image) {
  static const double levels[2] = {0.5, 0.4995};
  for (int i = 0; i < n_methods; i++) {
    flight f[2];
    for (int k = 0; k < 2; k++) {
      mbs_builder *builder = thrown_ball(1, 0);
      add_event(builder, "upper", "ball.y", &levels[0], MBS_EITHER);
      add_event(builder, "lower", "ball.y", &levels[1], MBS_EITHER);
      f[k] = begin(mechanism_build(builder), methods[i].method, methods[i].order, 1e-9, methods[i].step);
      mbs_integrator_set_stop(f[k].integrator, 1);
    }
    expect_event(&f[0], 1, 0, sqrt(2 * 0.5 / g), 1e-8, MBS_FALLING);
    const images saved = save(&f[0]);
    for (int k = 0; k < 2; k++) {
      restore(&f[k], &saved, 1);
      expect_event(&f[k], 1, 1, sqrt(2 * 0.5005 / g), 1e-8, MBS_FALLING);
      expect_none(&f[k], 1);
    }
    free(saved.integrator);
    free(saved.events);
    end(&f[0]);
    end(&f[1]);
  }
}

Test(events, an_image_of_other_events_is_refused) {
  flight f = begin(pendulum(), "erk", 8, 1e-9, 0);
  flight other = begin(falling_ball(1), "erk", 8, 1e-9, 0);
  char image[1024];
  cr_assert_leq(mbs_events_image_size(other.events), sizeof image);
  mbs_events_save(other.events, image);
  cr_expect_eq(mbs_events_restore(f.events, image, mbs_events_image_size(f.events), &f.m.error), SEAM_BAD_STATE);
  cr_expect_str_eq(f.m.error.message, "the events are those of another model: save them again");
  end(&f);
  end(&other);
}

/* ---- Refusals ---- */

static mbs_event_def condition_of(const char *name, const char *const *quantity, mbs_function function) {
  mbs_event_def def = mbs_default_event_def();
  def.name = name;
  def.inputs = quantity;
  def.n_inputs = 1;
  def.function = function;
  return def;
}

Test(events, a_condition_without_a_value_ends_the_run_with_its_name_and_time) {
  static const double level = 2;
  const char *quantity = "ball.y";
  seam_error error = {0};
  mbs_builder *builder = thrown_ball(3, 0);
  const mbs_event_def def = condition_of(
      "deep", &quantity, (mbs_function){.value = root_above, .change = change_of_first, .data = (void *)&level});
  cr_assert_eq(mbs_add_event(builder, &def, &error), SEAM_OK);
  flight f = begin(mechanism_build(builder), "rk4", 0, 1e-9, 0.01);
  mbs_event event;
  cr_expect_eq(mbs_integrator_advance_to_event(f.integrator, f.events, 1, f.m.state, &event, &error), SEAM_NOT_FINITE);
  cr_expect_not_null(
      strstr(error.message, "s: the condition of event 'deep' is -nan: write a condition that is finite everywhere"),
      "%s", error.message);
  cr_expect_float_eq(f.m.state->t, sqrt(2 / g), 0.01);
  cr_expect_gt(f.m.state->q[1], level - 0.1);
  end(&f);
}

Test(events, a_condition_that_is_faster_than_the_steps_ends_the_run) {
  static const double frequency = 1e5;
  const char *quantity = "time";
  seam_error error = {0};
  mbs_builder *builder = thrown_ball(3, 0);
  const mbs_event_def def = condition_of(
      "buzz", &quantity, (mbs_function){.value = fast, .change = change_of_fast, .data = (void *)&frequency});
  cr_assert_eq(mbs_add_event(builder, &def, &error), SEAM_OK);
  /* quarters of steps of 1 ms hold 25 rad each, 8 - 0.04 half waves */
  flight f = begin(mechanism_build(builder), "rk4", 0, 1e-9, 4.0e-5 * 3.1415926 / 4 * 5);
  mbs_event event = {.number = SEAM_NONE};
  seam_status status = SEAM_OK;
  while (status == SEAM_OK && f.m.state->t < 1)
    status = mbs_integrator_advance_to_event(f.integrator, f.events, 1, f.m.state, &event, &error);
  cr_expect_eq(status, SEAM_STEP_FAILED);
  cr_expect_not_null(strstr(error.message, "s: event 'buzz' repeats without end"), "%s", error.message);
  end(&f);
}

Test(events, definitions_that_do_not_fit_are_refused) {
  seam_error error = {0};
  mbs_builder *builder = thrown_ball(1, 0);
  const char *unknown = "ball.z";
  const char *known = "ball.y";
  mbs_event_def def = condition_of("one", &unknown, (mbs_function){0});
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(
      error.message,
      "unknown quantity 'ball.z'; 'ball' offers x, y, phi, vx, vy, omega, ax, ay, alpha, kinetic, potential");
  def = condition_of("ball", &known, (mbs_function){0});
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "event 'ball': the name is taken"), "%s", error.message);
  def = condition_of("energy", &known, (mbs_function){0});
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "event 'energy': 'time' and 'energy' are reserved: choose another name");
  def = condition_of("one", &known, (mbs_function){.value = above});
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message,
                   "event 'one': its condition has value() but no change(): set change(), which gives the derivative");
  def = condition_of("one", &known, (mbs_function){0});
  def.n_inputs = 0;
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, "event 'one': its condition names 0 quantities: name at least one for a function, or "
                                  "exactly one without a function");
  def = condition_of("one", &known, (mbs_function){0});
  def.after = NAN;
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  def = condition_of("one", &known, (mbs_function){0});
  def.cookie = 0;
  cr_expect_eq(mbs_add_event(builder, &def, &error), SEAM_BAD_INPUT);
  mbs_builder_destroy(builder);
}

Test(events, calls_in_the_wrong_order_are_refused) {
  mechanism m = pendulum();
  mechanism_assemble(&m);
  mbs_integrator *integrator = mechanism_start(&m, 8, 1e-9, 0);
  mbs_events *events = NULL;
  mbs_event event;
  cr_assert_eq(mbs_events_create(m.model, &events, NULL), SEAM_OK);
  cr_expect_eq(mbs_integrator_advance_to_event(integrator, events, 1, m.state, &event, &m.error), SEAM_BAD_STATE);
  cr_expect_eq(mbs_event_record_of(events, 0).count, 0);
  cr_expect_eq(mbs_events_start(events, m.state, NULL), SEAM_OK);
  mechanism_advance(&m, integrator, 1);
  cr_expect_eq(mbs_integrator_advance_to_event(integrator, events, 2, m.state, &event, &m.error), SEAM_BAD_STATE);
  cr_expect_not_null(
      strstr(m.error.message, "events were searched only up to 0 s: start the events at the integrator's time"), "%s",
      m.error.message);
  cr_expect_eq(mbs_events_start(events, m.state, NULL), SEAM_OK);
  cr_expect_eq(mbs_integrator_advance_to_event(integrator, events, 2, m.state, &event, &m.error), SEAM_OK);
  cr_expect_float_eq(event.time, 3 * quarter_period, 1e-7);
  cr_expect_null(mbs_event_of(m.model, 1).name);
  cr_expect_str_eq(mbs_event_of(m.model, 0).name, "hangs");
  cr_expect_not(mbs_event_of(m.model, 0).stops);
  cr_expect_null(mbs_sense_text(MBS_SENSES));
  mbs_events_destroy(events);
  mbs_events_destroy(NULL);
  mbs_integrator_destroy(integrator);
  mechanism_free(&m);
}
