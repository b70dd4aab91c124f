/* An FMU as a part: the signals it receives, the steps it takes, states saved and restored to the bit, and how each
 * failure ends. The FMU is m x'' = f - k x - c x', s' = f (tests/fmi/unit/unit.h). */
#include "cosim/parts/fmu_part.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/signal.h"
#include "tests/support/command.h"
#include "tests/support/unit_fmu.h"

TestSuite(fmu_part, .init = enter_scratch, .fini = leave_scratch);

enum { X, V, A, S, Y, SAMPLED, N_OUTPUTS };

typedef struct loaded {
  fmi_fmu *fmu;
  cosim_part *part;
} loaded;

static size_t number_of(const fmi_fmu *in, const char *name) {
  return fmi_find_variable(fmi_fmu_description(in), name);
}

/* `parameter` NULL: none. */
static loaded load_all(const unit_options *options, const char *parameter, double value, const char *second,
                       double second_value, double communication_step) {
  static const char *const outputs[] = {"x", "v", "a", "s", "y", "sampled"};
  static const bool connected[] = {true};
  loaded made = {0};
  seam_error error = {0};
  write_unit("unit.fmu", options);
  cr_assert_eq(fmi_fmu_open("unit.fmu", &made.fmu, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(fmi_fmu_load(made.fmu, &error), SEAM_OK, "%s", error.message);
  size_t input = number_of(made.fmu, "f"), numbers[N_OUTPUTS];
  for (int i = 0; i < N_OUTPUTS; i++)
    numbers[i] = number_of(made.fmu, outputs[i]);
  const cosim_fmu_value values[] = {{number_of(made.fmu, "k"), 100, NULL, NULL},
                                    {number_of(made.fmu, parameter != NULL ? parameter : "c"), value, NULL, NULL},
                                    {number_of(made.fmu, second), second_value, NULL, NULL}};
  const cosim_fmu_def def = {.name = "unit",
                             .fmu = made.fmu,
                             .inputs = &input,
                             .outputs = numbers,
                             .n_inputs = 1,
                             .n_outputs = N_OUTPUTS,
                             .is_connected = connected,
                             .values = values,
                             .n_values = 3,
                             .communication_step = communication_step};
  cr_assert_eq(cosim_fmu_part_create(&def, &made.part, &error), SEAM_OK, "%s", error.message);
  return made;
}

static loaded load(const unit_options *options, const char *parameter, double value, double communication_step) {
  return load_all(options, parameter, value, "claim", 0, communication_step);
}

static loaded load_with(const unit_options *options, const char *parameter, double value, const char *second,
                        double second_value) {
  return load_all(options, parameter, value, second, second_value, 0);
}

static void unload(loaded *made) {
  cosim_part_destroy(made->part);
  fmi_fmu_close(made->fmu);
}

static seam_status take(loaded *made, double t, double H, const cosim_signal *f, double *outputs, seam_error *error) {
  const cosim_step step = {.t = t, .H = H, .inputs = f};
  return made->part->ops->advance(made->part, &step, outputs, NULL, error);
}

/* ---- Inputs ---- */

/* f = 1 + 2 τ - 3 τ² + τ³ over 0.1 s; the integral is s. */
static const cosim_signal cubic = {.n_pieces = 1, .c = {{1, 2, -3, 1}}};

static double integral(double H) { return H * (1 + 1 - 1 + 0.25); }

static void expect_follows(fmi_version version) {
  const unit_options options = default_unit_options(version);
  loaded unit = load(&options, NULL, 0, 0);
  double y[N_OUTPUTS];
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  cr_expect_float_eq(y[S], integral(0.1), 1e-15);
  cr_expect_float_eq(y[Y], 1, 1e-15); /* 1 + 2 - 3 + 1 */
  cr_expect_float_eq(y[A], y[Y] - 100 * y[X], 1e-13);
  /* x'' = f - 100 x from rest, by its Taylor series: x = Σ x_n t^n, (n + 2)(n + 1) x_{n+2} = f_n - 100 x_n. */
  const double f[] = {1, 20, -300, 1000};
  double x[60] = {0}, sum = 0;
  for (int n = 0; n + 2 < 60; n++)
    x[n + 2] = ((n < 4 ? f[n] : 0) - 100 * x[n]) / ((n + 2) * (n + 1));
  for (int n = 59; n >= 0; n--)
    sum = 0.1 * sum + x[n];
  cr_expect_float_eq(y[X], sum, 1e-9);
  unload(&unit);
}

Test(fmu_part, derivatives_of_version_2_make_the_inputs_polynomials) { expect_follows(FMI_2); }
Test(fmu_part, intermediate_updates_of_version_3_make_the_inputs_polynomials) { expect_follows(FMI_3); }

/* Pieces of equal length: 1 and then 3. A step for each: the integral is exact, and x is that of two constant forces.
 */
Test(fmu_part, pieces_of_inputs_are_steps_of_their_own) {
  const cosim_signal pieces = {.n_pieces = 2, .c = {{1}, {3}}};
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    loaded unit = load(&options, NULL, 0, 0);
    double y[N_OUTPUTS];
    cr_assert_eq(take(&unit, 0, 0.2, &pieces, y, NULL), SEAM_OK);
    const double x1 = (1 - cos(1)) / 100, v1 = sin(1) / 10;
    cr_expect_float_eq(y[X], 0.03 + (x1 - 0.03) * cos(1) + v1 / 10 * sin(1), 1e-8);
    cr_expect_float_eq(y[S], 0.4, 1e-15);
    unload(&unit);
  }
}

/* The error of held means falls with the square of the communication step; the impulse is exact in any case. */
Test(fmu_part, held_inputs_keep_the_impulse_and_are_of_second_order) {
  unit_options options = default_unit_options(FMI_2);
  loaded exact = load(&options, NULL, 0, 0);
  double y[N_OUTPUTS], right[N_OUTPUTS], error[2];
  cr_assert_eq(take(&exact, 0, 0.1, &cubic, right, NULL), SEAM_OK);
  unload(&exact);
  options.follows_inputs = false;
  for (int i = 0; i < 2; i++) {
    loaded held = load(&options, NULL, 0, i == 0 ? 0.02 : 0.01);
    cr_assert_eq(take(&held, 0, 0.1, &cubic, y, NULL), SEAM_OK);
    cr_expect_float_eq(y[S], integral(0.1), 1e-14);
    cr_expect_float_eq(y[Y], 1, 1e-15, "outputs are those under the inputs at the end");
    error[i] = fabs(y[X] - right[X]);
    unload(&held);
  }
  cr_expect_gt(error[0], 1e-7);
  cr_expect_float_eq(log2(error[0] / error[1]), 2, 0.1);
}

/* ---- States ---- */

static void expect_same(const double *one, const double *two) {
  for (int i = 0; i < N_OUTPUTS; i++)
    cr_expect_eq(one[i], two[i]);
}

static void expect_repeats(const unit_options *options) {
  loaded unit = load(options, NULL, 0, 0);
  double y[N_OUTPUTS], again[N_OUTPUTS];
  const cosim_signal other = {.n_pieces = 1, .c = {{-5, 3}}};
  double *state = calloc(unit.part->n_state, sizeof *state);
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  unit.part->ops->save(unit.part, state);
  cr_assert_eq(take(&unit, 0.1, 0.1, &cubic, y, NULL), SEAM_OK);
  unit.part->ops->restore(unit.part, state);
  cr_assert_eq(take(&unit, 0.1, 0.1, &other, again, NULL), SEAM_OK);
  cr_expect_neq(again[X], y[X]);
  unit.part->ops->restore(unit.part, state);
  unit.part->ops->get_outputs(unit.part, again);
  cr_expect_eq(again[Y], 1, "the input at the end of the step before");
  cr_assert_eq(take(&unit, 0.1, 0.1, &cubic, again, NULL), SEAM_OK);
  expect_same(y, again);
  free(state);
  unload(&unit);
}

Test(fmu_part, a_step_is_repeated_to_the_bit) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    unit_options options = default_unit_options(version);
    expect_repeats(&options);
    options.serialises = false;
    expect_repeats(&options);
  }
}

/* Where states are bytes they hold in another instance too. */
Test(fmu_part, a_serialised_state_continues_in_another_instance) {
  const unit_options options = default_unit_options(FMI_2);
  loaded one = load(&options, NULL, 0, 0), two = load(&options, NULL, 0, 0);
  double y[N_OUTPUTS], there[N_OUTPUTS];
  double *state = calloc(one.part->n_state, sizeof *state);
  cr_assert_eq(take(&one, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  one.part->ops->save(one.part, state);
  two.part->ops->restore(two.part, state);
  cr_assert_eq(take(&one, 0.1, 0.1, &cubic, y, NULL), SEAM_OK);
  cr_assert_eq(take(&two, 0.1, 0.1, &cubic, there, NULL), SEAM_OK);
  expect_same(y, there);
  free(state);
  unload(&one);
  unload(&two);
}

/* The FMU keeps 32 of those that are no bytes. */
Test(fmu_part, a_state_that_is_not_kept_any_more_is_named) {
  unit_options options = default_unit_options(FMI_2);
  options.serialises = false;
  loaded unit = load(&options, NULL, 0, 0);
  double *old = calloc(unit.part->n_state, sizeof *old), *new = calloc(unit.part->n_state, sizeof *new);
  double y[N_OUTPUTS];
  seam_error error = {0};
  unit.part->ops->save(unit.part, old);
  for (int i = 0; i < 32; i++)
    unit.part->ops->save(unit.part, new);
  unit.part->ops->restore(unit.part, old);
  cr_expect_eq(take(&unit, 0, 0.1, &cubic, y, &error), SEAM_BAD_STATE);
  cr_expect(has(error.message, "keeps only its latest states"), "%s", error.message);
  free(old);
  free(new);
  unload(&unit);
}

Test(fmu_part, without_states_a_part_does_not_restore) {
  unit_options options = default_unit_options(FMI_2);
  options.is_bare = true;
  options.keeps_state = options.serialises = false;
  loaded unit = load(&options, NULL, 0, 0);
  double y[N_OUTPUTS];
  cr_expect_not(cosim_part_can_repeat(unit.part));
  cr_expect_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  unload(&unit);
}

/* ---- Steps of one length ---- */

Test(fmu_part, steps_of_one_length_are_multiples_of_it) {
  unit_options options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 0.02;
  loaded unit = load(&options, NULL, 0, 0);
  double y[N_OUTPUTS];
  seam_error error = {0};
  cr_expect_eq(cosim_fmu_fixed_step(fmi_fmu_description(unit.fmu)), 0.02);
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  cr_expect_float_eq(y[S], integral(0.1), 1e-15);
  cr_expect_eq(take(&unit, 0.1, 0.05, &cubic, y, &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, "t = 0.1 s: the FMU takes steps of 0.02 s only, and 0.05 s is not a multiple"), "%s",
            error.message);
  unload(&unit);
  options.step = NAN;
  unit = load(&options, NULL, 0, 0);
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  cr_expect_eq(take(&unit, 0.1, 0.05, &cubic, y, &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, "the FMU takes steps of 0.1 s only"), "%s", error.message);
  unload(&unit);
}

/* ---- Discarded steps ---- */

/* The FMU comes to 0.04 s and then to the end; or takes 0.03 s at most: 0.025 s, then 0.03 s is too long for twice
 * that, and so on. */
Test(fmu_part, discarded_steps_are_taken_again_shorter) {
  static const struct {
    const char *parameter;
    double value;
    size_t shortened;
  } cases[] = {{"early_at", 0.04, 1}, {"longest", 0.03, 4}};
  for (int i = 0; i < 2; i++)
    for (fmi_version version = FMI_2; version <= FMI_3; version++) {
      unit_options options = default_unit_options(version);
      options.serialises = i == 0;
      loaded unit = load(&options, cases[i].parameter, cases[i].value, 0);
      double y[N_OUTPUTS];
      seam_error error = {0};
      cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, &error), SEAM_OK, "%s", error.message);
      cr_expect_float_eq(y[S], integral(0.1), 1e-15);
      const cosim_part_events events = unit.part->ops->get_events(unit.part, 0);
      const bool is_event = version == FMI_3 && i == 0; /* an early return of FMI 3 */
      cr_expect_eq(events.n, is_event);
      cr_expect_eq(events.shortened, is_event ? 0 : cases[i].shortened, "%zu", events.shortened);
      unload(&unit);
    }
}

/* It says that it came to nearly all of a step of which it takes 0.03 s at most, each time again: halves follow. */
Test(fmu_part, what_a_discarded_step_could_have_come_to_is_believed_once) {
  static const double claims[] = {1 - 1e-8, 0.999, 0.9};
  for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
    const unit_options options = default_unit_options(FMI_2);
    loaded unit = load_with(&options, "longest", 0.03, "claim", claims[i]);
    double y[N_OUTPUTS];
    seam_error error = {0};
    cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, &error), SEAM_OK, "%s", error.message);
    cr_expect_float_eq(y[S], integral(0.1), 1e-15);
    cr_expect_lt(unit.part->ops->get_events(unit.part, 0).shortened, 20, "%g", claims[i]);
    unload(&unit);
  }
}

/* 0.3 µs of 0.1 s at a time: hundreds of thousands of steps would be discarded. */
Test(fmu_part, too_many_discarded_steps_end_the_run) {
  const unit_options options = default_unit_options(FMI_2);
  loaded unit = load(&options, "longest", 3e-7, 0);
  double y[N_OUTPUTS];
  seam_error error = {0};
  cr_expect_eq(take(&unit, 0, 0.1, &cubic, y, &error), SEAM_FMU_FAILED);
  cr_expect(has(error.message, "the FMU discards more than 10000 steps within a macro step of 0.1 s, the last one of "),
            "%s", error.message);
  cr_expect(has(error.message, ": take a shorter macro step"), "%s", error.message);
  unload(&unit);
}

static void expect_undone(const unit_options *options, const char *message) {
  loaded unit = load(options, "longest", 0.03, 0);
  double y[N_OUTPUTS];
  seam_error error = {0};
  cr_expect_eq(take(&unit, 0, 0.1, &cubic, y, &error), SEAM_FMU_FAILED);
  cr_expect_str_eq(error.message, message);
  unload(&unit);
}

Test(fmu_part, without_states_or_with_fixed_steps_a_discarded_step_ends_the_run) {
  unit_options options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 0.1;
  expect_undone(&options, "t = 0 s: the FMU discards its step of 0.1 s at t = 0 s, and takes no shorter one, as its "
                          "steps have one fixed length");
  options = default_unit_options(FMI_2);
  options.is_bare = true;
  options.keeps_state = options.serialises = false;
  expect_undone(&options, "t = 0 s: the FMU discards its step of 0.1 s at t = 0 s, and cannot go back, as it restores "
                          "no state: take a shorter macro step");
}

/* ---- Events ---- */

/* From x = 0 at 1 m/s, ω = 10/s, v turns round at x = 0.05: where ω t = π/6 it goes on from 5 π/6. */
static double bouncing(double t) {
  const double pi = acos(-1);
  return t < pi / 60 ? 0.1 * sin(10 * t) : 0.1 * sin(5 * pi / 6 + 10 * (t - pi / 60));
}

static loaded load_bouncing(const unit_options *options, double period) {
  loaded unit = load(options, NULL, 0, 0);
  cosim_part_destroy(unit.part);
  const char *const names[] = {"v0", "wall", "period"};
  const double numbers[] = {1, 0.05, period};
  cosim_fmu_value values[3];
  static const bool connected[] = {true};
  const size_t input = number_of(unit.fmu, "f");
  const size_t outputs[] = {number_of(unit.fmu, "x"), number_of(unit.fmu, "v"), number_of(unit.fmu, "a"),
                            number_of(unit.fmu, "s"), number_of(unit.fmu, "y"), number_of(unit.fmu, "sampled")};
  for (int i = 0; i < 3; i++)
    values[i] = (cosim_fmu_value){number_of(unit.fmu, names[i]), numbers[i], NULL, NULL};
  const cosim_fmu_def def = {.name = "unit",
                             .fmu = unit.fmu,
                             .inputs = &input,
                             .outputs = outputs,
                             .n_inputs = 1,
                             .n_outputs = N_OUTPUTS,
                             .is_connected = connected,
                             .values = values,
                             .n_values = 3};
  cr_assert_eq(cosim_fmu_part_create(&def, &unit.part, NULL), SEAM_OK);
  return unit;
}

static const cosim_signal nothing = {.n_pieces = 1};

/* With event mode the part handles events of states and times; without it the FMU does, unseen. */
Test(fmu_part, events_are_handled_within_a_step) {
  for (int has_events = 0; has_events < 2; has_events++) {
    unit_options options = default_unit_options(FMI_3);
    options.has_events = has_events;
    loaded unit = load_bouncing(&options, 0.03);
    double y[N_OUTPUTS];
    seam_error error = {0};
    cr_assert_eq(take(&unit, 0, 0.1, &nothing, y, &error), SEAM_OK, "%s", error.message);
    cr_expect_float_eq(y[X], bouncing(0.1), 1e-7, "%g", y[X] - bouncing(0.1));
    cr_expect_float_eq(y[SAMPLED], bouncing(0.09), 1e-7);
    const cosim_part_events events = unit.part->ops->get_events(unit.part, 0.031);
    cr_expect_eq(unit.part->ops->get_events(unit.part, 0).n, has_events ? 4 : 0); /* three samples and the wall */
    cr_expect_eq(events.n, has_events ? 3 : 0);
    cr_expect_float_eq(events.first, has_events ? acos(-1) / 60 : 0, 1e-7);
    unload(&unit);
  }
}

/* Next events belong to states; events of steps that are taken again do not count. */
Test(fmu_part, a_step_with_events_is_repeated_to_the_bit) {
  for (int serialises = 0; serialises < 2; serialises++) {
    unit_options options = default_unit_options(FMI_3);
    options.has_events = true;
    options.serialises = serialises;
    loaded unit = load_bouncing(&options, 0.03);
    double y[3][N_OUTPUTS];
    double *state = calloc(unit.part->n_state, sizeof *state);
    cr_assert_eq(take(&unit, 0, 0.02, &nothing, y[2], NULL), SEAM_OK);
    unit.part->ops->save(unit.part, state);
    for (int i = 0; i < 2; i++) {
      cr_assert_eq(take(&unit, 0.02, 0.08, &nothing, y[i], NULL), SEAM_OK);
      cr_expect_eq(unit.part->ops->get_events(unit.part, 0).n, 4);
      unit.part->ops->restore(unit.part, state);
    }
    for (int o = 0; o < N_OUTPUTS; o++)
      cr_expect_eq(y[0][o], y[1][o], "output %d", o);
    free(state);
    unload(&unit);
  }
}

/* ---- Failures ---- */

static void expect_fails(fmi_version version, const char *parameter, seam_status status, const char *message) {
  const unit_options options = default_unit_options(version);
  loaded unit = load(&options, parameter, 0.15, 0);
  double y[N_OUTPUTS];
  seam_error error = {0};
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  cr_expect_eq(take(&unit, 0.1, 0.1, &cubic, y, &error), status);
  cr_expect_str_eq(error.message, message);
  unload(&unit);
}

Test(fmu_part, each_failure_is_named) {
  expect_fails(FMI_2, "fail_at", SEAM_FMU_FAILED, "t = 0.1 s: fmi2DoStep() gave fmi2Error: the spring broke");
  expect_fails(FMI_3, "fail_at", SEAM_FMU_FAILED, "t = 0.1 s: fmi3DoStep() gave fmi3Error: the spring broke");
  expect_fails(FMI_2, "nan_at", SEAM_NOT_FINITE, "t = 0.2 s: its output 'x' is not finite");
  expect_fails(FMI_3, "nan_at", SEAM_NOT_FINITE, "t = 0.2 s: its output 'x' is not finite");
  expect_fails(FMI_2, "stuck_at", SEAM_FMU_FAILED,
               "t = 0.15 s: the FMU discards its step, and shorter ones down to 1.9e-07 s");
  expect_fails(FMI_3, "stuck_at", SEAM_FMU_FAILED,
               "t = 0.1 s: the FMU makes no progress: its last 11 steps ended at the time at which they began");
}

/* The part stands there, with the state of that time, until an earlier one is restored. */
Test(fmu_part, an_fmu_ends_the_run_where_it_says) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    loaded unit = load(&options, "end_at", 0.15, 0), other = load(&options, "end_at", INFINITY, 0);
    double y[2][N_OUTPUTS];
    double *state = calloc(unit.part->n_state, sizeof *state);
    const cosim_signal half = cosim_signal_between(&cubic, 0, 0.5);
    cr_assert_eq(take(&unit, 0, 0.1, &cubic, y[0], NULL), SEAM_OK);
    unit.part->ops->save(unit.part, state);
    cr_expect(!unit.part->ops->get_events(unit.part, 0).ends);
    for (int pass = 0; pass < 2; pass++) {
      cr_assert_eq(take(&unit, 0.1, 0.1, &cubic, y[0], NULL), SEAM_OK);
      const cosim_part_events events = unit.part->ops->get_events(unit.part, 0.1);
      cr_expect(events.ends && events.n == 1);
      cr_expect_float_eq(events.first, 0.15, 1e-12);
      unit.part->ops->restore(unit.part, state);
      cr_expect(!unit.part->ops->get_events(unit.part, 0.1).ends);
    }
    cr_assert_eq(take(&other, 0, 0.1, &cubic, y[1], NULL), SEAM_OK);
    cr_assert_eq(take(&other, 0.1, 0.05, &half, y[1], NULL), SEAM_OK);
    cr_expect_float_eq(y[0][V], y[1][V], 1e-6);
    free(state);
    unload(&unit);
    unload(&other);
  }
}

/* Before the first step. */
Test(fmu_part, an_end_that_fixed_steps_do_not_reach_is_refused) {
  unit_options options = default_unit_options(FMI_2);
  options.variable_step = false;
  options.step = 0.1;
  write_unit("unit.fmu", &options);
  seam_error error = {0};
  fmi_fmu *fmu = NULL;
  cosim_part *part = NULL;
  cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, &error), SEAM_OK);
  cr_assert_eq(fmi_fmu_load(fmu, &error), SEAM_OK);
  cosim_fmu_def def = {.name = "unit", .fmu = fmu, .stop = 0.25};
  cr_expect_eq(cosim_fmu_part_create(&def, &part, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(
      error.message,
      "the FMU takes steps of 0.1 s only, and 'end', 0.25 s, is not a multiple of this step: set 'end' to a multiple");
  def.stop = 0.3;
  cr_expect_eq(cosim_fmu_part_create(&def, &part, &error), SEAM_OK);
  cosim_part_destroy(part);
  fmi_fmu_close(fmu);
}

/* After a failed step an earlier state goes on. */
Test(fmu_part, after_a_failure_an_earlier_state_goes_on) {
  const unit_options options = default_unit_options(FMI_2);
  loaded unit = load(&options, "fail_at", 0.15, 0);
  double y[N_OUTPUTS];
  double *state = calloc(unit.part->n_state, sizeof *state);
  cr_assert_eq(take(&unit, 0, 0.1, &cubic, y, NULL), SEAM_OK);
  unit.part->ops->save(unit.part, state);
  cr_assert_neq(take(&unit, 0.1, 0.1, &cubic, y, NULL), SEAM_OK);
  unit.part->ops->restore(unit.part, state);
  cr_expect_eq(take(&unit, 0.1, 0.04, &cubic, y, NULL), SEAM_OK);
  free(state);
  unload(&unit);
}

static void expect_uncreated(const unit_options *options, double mass, const char *message) {
  fmi_fmu *fmu = NULL;
  cosim_part *part = NULL;
  seam_error error = {0};
  write_unit("unit.fmu", options);
  cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, NULL), SEAM_OK);
  cr_assert_eq(fmi_fmu_load(fmu, NULL), SEAM_OK);
  const cosim_fmu_value value = {number_of(fmu, "mass"), mass, NULL, NULL};
  const cosim_fmu_def def = {.name = "unit", .fmu = fmu, .values = &value, .n_values = 1};
  cr_expect_eq(cosim_fmu_part_create(&def, &part, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message);
  fmi_fmu_close(fmu);
}

Test(fmu_part, what_gives_no_instance_is_named) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    unit_options options = default_unit_options(version);
    expect_uncreated(&options, -1,
                     version == FMI_2 ? "it cannot be initialised: fmi2EnterInitializationMode() gave fmi2Error"
                                      : "it cannot be initialised: fmi3EnterInitializationMode() gave fmi3Error");
    options.token = "{0}";
    expect_uncreated(
        &options, 1,
        version == FMI_2
            ? "unit.fmu: the FMU refuses to be instantiated with the guid '{0}': made for another model"
            : "unit.fmu: the FMU refuses to be instantiated with the instantiationToken '{0}': made for another model");
  }
}
