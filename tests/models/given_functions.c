/* Functions that the caller of the reader gives, with derivatives and without, against the same in the file. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

#include "tests/support/engine.h"

#define FILE_OF(LAW)                                                                                                   \
  "seam: 1\n"                                                                                                          \
  "bodies: {a: {mass: 2, inertia: 1, at: [0.7, 0], velocity: [0.4, 0]}}\n"                                             \
  "forces: {f: {type: force, body: a, at: [0.7, 0], x: \"" LAW "\"}}\n"                                                \
  "simulate: {end: 2, integrator: radau, rtol: 1e-11, atol: 1e-12}\n"

/* ---- pull(u, v) = -k u³ - sin(u v) ------------------------------------------------------------------------------- */

static int n_destroyed;
static void destroy(void *data) { n_destroyed += *(int *)data; }

static double pull(const void *data, const double x[2]) {
  (void)data;
  return -3 * x[0] * x[0] * x[0] - sin(x[0] * x[1]);
}

static void pull_jet(const void *data, const double x[2], seam_jet *out) {
  const double c = cos(x[0] * x[1]);
  const double s = sin(x[0] * x[1]);
  *out = (seam_jet){.value = pull(data, x),
                    .d = {-9 * x[0] * x[0] - x[1] * c, -x[0] * c},
                    .dd = {-18 * x[0] + x[1] * x[1] * s, -c + x[0] * x[1] * s, x[0] * x[0] * s}};
}

static double square(const void *data, const double x[2]) {
  (void)data;
  return x[0] * x[0];
}

static int one = 1;

static seam_model_file *read_with(const char *text, seam_law law, const char *name, int n_arguments,
                                  seam_status expected, const char *part) {
  seam_error error = {0};
  seam_model_file *file = NULL;
  law.destroy = destroy;
  law.data = &one;
  const seam_function given = {.name = name, .n_arguments = n_arguments, .law = law};
  const seam_status status =
      seam_model_file_parse_with("text.yaml", text, strlen(text), NULL, 0, &given, 1, &file, &error);
  cr_assert_eq(status, expected, "%s", error.message);
  cr_assert(strstr(error.message, part) != NULL, "%s", error.message);
  return file;
}

/* Position at the end. */
static double run(seam_model_file *file, mbs_statistics *statistics) {
  const mbs_model *model = seam_model_mechanism(file);
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  mbs_state *state = new_state(model);
  mbs_workspace *ws = new_workspace(model);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, &seam_model_simulation(file)->integrator, &integrator, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_advance(integrator, 2, state, &error), SEAM_OK, "%s", error.message);
  const double x = state->q[0];
  *statistics = mbs_integrator_statistics(integrator);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  return x;
}

static double run_with(const char *text, seam_law law, mbs_statistics *statistics) {
  return run(read_with(text, law, "pull", 2, SEAM_OK, ""), statistics);
}

Test(given_functions, are_those_of_the_file) {
  static const char text[] = FILE_OF("pull(a.x, a.vx + 0.5*t)");
  static const char of_file[] = FILE_OF("-3*a.x^3 - sin(a.x*(a.vx + 0.5*t))");
  mbs_statistics written;
  mbs_statistics exact;
  mbs_statistics differences;
  const double expected = run(read_with(of_file, (seam_law){.value = pull}, "pull", 2, SEAM_OK, ""), &written);
  cr_expect_float_eq(run_with(text, (seam_law){.value = pull, .jet = pull_jet}, &exact), expected, 1e-11);
  cr_expect_float_eq(run_with(text, (seam_law){.value = pull}, &differences), expected, 1e-10);
  /* Newton's iteration sees the derivatives. */
  cr_expect_eq(exact.steps, written.steps);
  cr_expect_leq(differences.evaluations, written.evaluations + written.evaluations / 10);
}

/* One argument, in other functions, and of numbers, which are evaluated when the file is read. */
Test(given_functions, of_one_argument) {
  mbs_statistics a;
  mbs_statistics b;
  const seam_law law = {.value = square};
  const double x =
      run(read_with(FILE_OF("-square(square(2) - 1)*sin(square(a.x))"), law, "square", 1, SEAM_OK, ""), &a);
  cr_expect_float_eq(x, run(read_with(FILE_OF("-9*sin(a.x^2)"), law, "square", 1, SEAM_OK, ""), &b), 1e-10);
}

/* A contact is stiff only inside, however little the body has entered, and however near it is. */
static double contact(const void *data, const double x[2]) {
  (void)data;
  return 1e8 * fmax(0, x[0]);
}

static double frequency_at(const char *place) {
  char text[256];
  snprintf(text, sizeof text,
           "seam: 2\nbodies: {a: {mass: 1, inertia: 1, at: [0, %s]}}\n"
           "joints: {g: {type: prismatic, bodies: [ground, a], at: [0, 0], axis: [0, 1]}}\n"
           "forces: {f: {type: force, body: a, at: [0, %s], y: contact(-a.y)}}\n",
           place, place);
  seam_model_file *file = read_with(text, (seam_law){.value = contact}, "contact", 1, SEAM_OK, "");
  const mbs_model *model = seam_model_mechanism(file);
  seam_modes *modes = NULL;
  seam_error error = {0};
  mbs_state *state = new_state(model);
  mbs_workspace *ws = new_workspace(model);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_evaluate(ws, state, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_modes_create(model, state, &modes, &error), SEAM_OK, "%s", error.message);
  const double omega = modes->mode[0].s[1];
  seam_modes_destroy(modes);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  return omega;
}

Test(given_functions, differences_do_not_cross_a_corner) {
  for (int i = 0; i < 6; i++) {
    static const char *const depths[] = {"1e-3", "1e-6", "1.3e-7", "3e-8", "1e-9", "1e-11"};
    char place[16];
    snprintf(place, sizeof place, "-%s", depths[i]);
    cr_expect_float_eq(frequency_at(place), 1e4, 1e-4, "%s", place);
    cr_expect_eq(frequency_at(depths[i]), 0, "%s", depths[i]);
  }
}

Test(given_functions, are_destroyed_once) {
  n_destroyed = 0;
  seam_model_file_destroy(read_with(FILE_OF("pull(a.x, 0)"), (seam_law){.value = pull}, "pull", 2, SEAM_OK, ""));
  cr_expect_eq(n_destroyed, 1);
  read_with(FILE_OF("pulll(a.x, 0)"), (seam_law){.value = pull}, "pull", 2, SEAM_BAD_INPUT, "did you mean 'pull'?");
  read_with(FILE_OF("0"), (seam_law){.value = pull}, "sin", 1, SEAM_BAD_INPUT,
            "function or constant 'sin' already exists");
  cr_expect_eq(n_destroyed, 3);
}

Test(given_functions, that_are_none_are_refused) {
  static const char text[] = FILE_OF("0");
  read_with(text, (seam_law){.value = pull}, "a b", 2, SEAM_BAD_INPUT, "cannot be the name");
  read_with(text, (seam_law){.value = pull}, NULL, 2, SEAM_BAD_INPUT, "cannot be the name");
  read_with(text, (seam_law){.value = pull}, "pull", 3, SEAM_BAD_INPUT, "of 3 arguments, cannot be called");
  read_with(text, (seam_law){.value = NULL}, "pull", 1, SEAM_BAD_INPUT, "and law.value");
  read_with(FILE_OF("pull(a.x)"), (seam_law){.value = pull}, "pull", 2, SEAM_BAD_INPUT, "a second argument");
  read_with("seam: 1\ntables: {pull: {x: [0, 1], y: [0, 1]}}\n", (seam_law){.value = pull}, "pull", 1, SEAM_BAD_INPUT,
            "a function of the caller");
}

/* A value that is not a number is found where it is used. */
static double nothing(const void *data, const double x[2]) {
  (void)data;
  return x[0] > 0.8 ? NAN : 0;
}

Test(given_functions, whose_value_is_not_a_number_end_the_run) {
  seam_model_file *file = read_with(FILE_OF("lost(a.x)"), (seam_law){.value = nothing}, "lost", 1, SEAM_OK, "");
  const mbs_model *model = seam_model_mechanism(file);
  mbs_integrator_options options = mbs_default_integrator_options();
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  mbs_state *state = new_state(model);
  mbs_workspace *ws = new_workspace(model);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, &options, &integrator, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK);
  cr_expect_neq(mbs_integrator_advance(integrator, 2, state, &error), SEAM_OK);
  cr_expect(strstr(error.message, "'f'") != NULL, "%s", error.message);
  cr_expect_leq(state->t, 0.25 + 1e-9);
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}
