/* User equations in a model file, against exact solutions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cosim/coupling/exchange.h"
#include "tests/support/model_reader.h"
#include "tests/support/named_exchange.h"

enum { MAX_PARTS = 4 };

/* All subsystems of a file, which are its own equations, coupled by its signals. */
static cosim_exchange *create_exchange(const seam_model_file *file) {
  const cosim_definition *options = cosim_builder_definition(seam_model_cosim(file));
  named_member members[MAX_PARTS];
  cr_assert_leq(options->n_subsystems, MAX_PARTS);
  for (size_t i = 0; i < options->n_subsystems; i++) {
    const cosim_subsystem_def *of = &options->subsystems[i];
    cosim_part *part = NULL;
    cr_assert_eq(of->user->create(of->user->context, &part, NULL), SEAM_OK);
    part->name = of->name;
    members[i] = (named_member){part, of->user->inputs, of->user->outputs, (int)of->steps};
  }
  const named_exchange def = {.members = members,
                              .n_members = (int)options->n_subsystems,
                              .links = options->signals,
                              .n_links = (int)options->n_signals,
                              .gauss_seidel = options->options.sequence == COSIM_GAUSS_SEIDEL};
  cosim_exchange *exchange = NULL;
  seam_error error = {0};
  cr_assert_eq(named_exchange_create(&def, &exchange, &error), SEAM_OK, "%s", error.message);
  cosim_exchange_start(exchange, 0);
  return exchange;
}

/* The first output of a subsystem at `end`, after rounds of the file's macro step. */
static double run(const char *text, const char *const *overrides, int part, double end) {
  seam_model_file *file = read_model(text, overrides);
  cosim_exchange *exchange = create_exchange(file);
  const double H = cosim_builder_definition(seam_model_cosim(file))->options.macro_step;
  seam_error error = {0};
  for (int i = 0; i < round(end / H); i++)
    cr_assert_eq(cosim_exchange_advance(exchange, H, &error), SEAM_OK, "%s", error.message);
  const double result = cosim_exchange_output(exchange, part, 0);
  cosim_exchange_destroy(exchange);
  seam_model_file_destroy(file);
  return result;
}

/* An oscillator alone, beside one that does nothing. */
#define OSCILLATOR                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "parameters: {k: 4}\n"                                                                                               \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.1\n"                                                                                                \
  "  subsystems:\n"                                                                                                    \
  "    mass: {states: {x: k/4, v: 0}, rates: {v: -k*x, x: v}, outputs: {x: x}}\n"                                      \
  "    idle: {outputs: {zero: 0*t}}\n"

Test(user_equations, steps_are_controlled_by_their_error) {
  cr_expect_float_eq(run(OSCILLATOR, NULL, 0, 5), cos(10), 1e-7);
  const char *const accurate[] = {"cosim.subsystems.mass.rtol=1e-12", "cosim.subsystems.mass.atol=1e-12",
                                  "cosim.subsystems.mass.order=8", NULL};
  cr_expect_float_eq(run(OSCILLATOR, accurate, 0, 5), cos(10), 1e-10);
}

/* A unit impulse in the time w moves a unit mass; the macro step of 0.1 s is longer. */
#define PULSE                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "parameters: {w: 0.02}\n"                                                                                            \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.1\n"                                                                                                \
  "  subsystems:\n"                                                                                                    \
  "    mass: {states: {x: 0, v: 0}, rates: {v: \"if(t < 0.503, 0, if(t < 0.503 + w, 1/w, 0))\", x: v},\n"              \
  "      outputs: {x: x}}\n"                                                                                           \
  "    idle: {outputs: {zero: 0*t}}\n"

Test(user_equations, pulses_of_time_are_seen_whole) {
  static const char *const methods[] = {"erk", "rk2", "rk4"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    for (int exponent = 1; exponent < 8; exponent++) {
      const double w = pow(10, -exponent);
      char choice[80], width[40];
      snprintf(choice, sizeof choice, "cosim.subsystems.mass.integrator=%s", methods[i]);
      snprintf(width, sizeof width, "parameters.w=%.17g", w);
      const char *const overrides[] = {width, choice, i > 0 ? "cosim.subsystems.mass.micro_step=0.03" : NULL, NULL};
      const double x = run(PULSE, overrides, 0, 2);
      cr_expect_float_eq(x, 2 - 0.503 - w / 2, 1e-8, "%s, %g s: %.12g", methods[i], w, x);
    }
}

static double order_of(const char *method) {
  double errors[2];
  for (int i = 0; i < 2; i++) {
    char choice[80], step[80];
    snprintf(choice, sizeof choice, "cosim.subsystems.mass.integrator=%s", method);
    snprintf(step, sizeof step, "cosim.subsystems.mass.micro_step=%g", i == 0 ? 0.01 : 0.005);
    const char *const overrides[] = {choice, step, NULL};
    errors[i] = fabs(run(OSCILLATOR, overrides, 0, 1) - cos(2));
  }
  return log2(errors[0] / errors[1]);
}

Test(user_equations, fixed_methods_have_their_orders) {
  static const struct {
    const char *method;
    double order;
  } rows[] = {{"euler", 1}, {"symplectic_euler", 1}, {"rk2", 2}, {"rk4", 4}, {"erk", 5}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    cr_expect_float_eq(order_of(rows[i].method), rows[i].order, 0.15, "%s: %g", rows[i].method,
                       order_of(rows[i].method));
}

/* The longest steps of equal length that are not longer than the micro step. */
Test(user_equations, micro_steps_fill_a_macro_step) {
  const char *const three[] = {"cosim.subsystems.mass.integrator=euler", "cosim.subsystems.mass.micro_step=0.04", NULL};
  double x = 1, v = 0;
  for (int i = 0; i < 3; i++) {
    const double before = x;
    x += 0.1 / 3 * v;
    v -= 0.1 / 3 * 4 * before;
  }
  cr_expect_float_eq(run(OSCILLATOR, three, 0, 0.1), x, 1e-15);
}

/* x' = -x + u with u = t, integrated exactly: x = 2 exp(-t) + t - 1. */
Test(user_equations, linear) {
  const char text[] = "seam: 1\n"
                      "cosim:\n"
                      "  macro_step: 0.5\n"
                      "  subsystems:\n"
                      "    plant: {inputs: [u], outputs: [y], states: {i: 0, x: 1}, linear: {A: [[0, 1], [0, -1]], "
                      "B: [[0], [1]], C: [[0, 1]], restarts: [i]}}\n"
                      "    ramp: {outputs: {u: t, one: 1}}\n"
                      "  signals: [{from: ramp.u, to: plant.u, rate: ramp.one, order: 0}]\n";
  cr_expect_float_eq(run(text, NULL, 0, 2), 2 * exp(-2) + 2 - 1, 1e-14);
}

/* A half has as many micro steps as a whole macro step. */
Test(user_equations, micro_steps_by_their_number) {
  const char *const whole[] = {"cosim.subsystems.mass.integrator=euler", "cosim.subsystems.mass.micro_steps=3", NULL};
  const char *const halves[] = {whole[0], whole[1], "cosim.macro_step=0.05", NULL};
  const char *const by_length[] = {whole[0], "cosim.subsystems.mass.micro_step=0.05/3", halves[2], NULL};
  double x = 1, v = 0;
  for (int i = 0; i < 3; i++) {
    const double before = x;
    x += 0.1 / 3 * v;
    v -= 0.1 / 3 * 4 * before;
  }
  cr_expect_float_eq(run(OSCILLATOR, whole, 0, 0.1), x, 1e-15);
  cr_expect_eq(run(OSCILLATOR, halves, 0, 0.1), run(OSCILLATOR, by_length, 0, 0.1));
}

/* A ramp in four steps a round; the receiver holds its value at the beginning of the round. */
#define MULTIRATE                                                                                                      \
  "seam: 1\n"                                                                                                          \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1\n"                                                                                                  \
  "  subsystems:\n"                                                                                                    \
  "    tank: {inputs: [u], states: {x: 0}, rates: {x: u}, outputs: {x: x}, integrals: {inflow: u}}\n"                  \
  "    ramp: {macro_step: 1/4, outputs: {u: 2*t}}\n"                                                                   \
  "  signals: [{from: ramp.u, to: tank.u, gain: -1}]\n"

Test(user_equations, a_separate_macro_step) {
  seam_model_file *file = read_model(MULTIRATE, NULL);
  cr_expect_eq(cosim_builder_definition(seam_model_cosim(file))->subsystems[0].steps, 1);
  cr_expect_eq(cosim_builder_definition(seam_model_cosim(file))->subsystems[1].steps, 4);
  seam_model_file_destroy(file);
  cr_expect_float_eq(run(MULTIRATE, NULL, 0, 3), -(0 + 2 + 4), 1e-12);
}

Test(user_equations, integrals_are_outputs_behind_the_others) {
  seam_model_file *file = read_model(MULTIRATE, NULL);
  cosim_exchange *exchange = create_exchange(file);
  cr_expect_str_eq(cosim_builder_definition(seam_model_cosim(file))->subsystems[0].user->outputs[1], "inflow");
  for (int i = 0; i < 3; i++)
    cr_assert_eq(cosim_exchange_advance(exchange, 1, NULL), SEAM_OK);
  cr_expect_float_eq(cosim_exchange_output(exchange, 0, 1), -4, 1e-12);
  cosim_exchange_destroy(exchange);
  seam_model_file_destroy(file);
}

Test(user_equations, names_the_rate_that_is_not_finite) {
  const char *const bad[] = {"cosim.subsystems.mass.rates.v=sqrt(0.15 - t)", NULL};
  seam_model_file *file = read_model(OSCILLATOR, bad);
  cosim_exchange *exchange = create_exchange(file);
  seam_error error = {0};
  cr_assert_eq(cosim_exchange_advance(exchange, 0.1, NULL), SEAM_OK);
  cr_expect_eq(cosim_exchange_advance(exchange, 0.1, &error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(error.message, "subsystem 'mass': t = 0.15"), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "the rate of state 'v' is not finite"), "%s", error.message);
  cosim_exchange_destroy(exchange);
  seam_model_file_destroy(file);
}

/* x' = -x u, y = x u at x = 1, u = 1 + ε: y = (1 + ε) exp(-(1 + ε)), whose slope at ε = 0 is 0; that of x is -1/e. */
Test(user_equations, gives_exact_derivatives) {
  seam_model_file *file = read_model(
      "seam: 1\n"
      "cosim:\n"
      "  macro_step: 1\n"
      "  subsystems:\n"
      "    a: {inputs: [u], states: {x: 1}, rates: {x: -x*u}, outputs: {y: x*u, x: x}, integrals: {s: u^2}}\n"
      "    b: {inputs: [u]}\n",
      NULL);
  const cosim_user_part *own = cosim_builder_definition(seam_model_cosim(file))->subsystems[0].user;
  cosim_part *part = NULL;
  cr_assert_eq(own->create(own->context, &part, NULL), SEAM_OK);
  cr_assert(part->gives_derivatives);
  const cosim_signal one = {.n_pieces = 1, .c = {{1}}};
  const cosim_seed direction = {.signal = one};
  const cosim_step step = {.H = 1, .inputs = &one, .n_seeds = 1, .seeds = &direction};
  double y[3], changes[3];
  cr_assert_eq(part->ops->advance(part, &step, y, changes, NULL), SEAM_OK);
  cr_expect_float_eq(y[0], exp(-1), 1e-7);
  cr_expect_float_eq(changes[0], 0, 1e-6);
  cr_expect_float_eq(changes[1], -exp(-1), 1e-6);
  cr_expect_float_eq(changes[2], 2, 1e-12);
  part->ops->destroy(part);
  seam_model_file_destroy(file);
}

/* A chain by a repeat: x_i' = x_(i-1), x_0 = 1. The second of them is t²/2, whose slope a line through both ends of a
 * round gives exactly. */
#define CHAIN                                                                                                          \
  "seam: 1\n"                                                                                                          \
  "parameters: {n: 2}\n"                                                                                               \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.25\n"                                                                                               \
  "  sequence: gauss-seidel\n"                                                                                         \
  "  subsystems: {m0: {outputs: {x: 1}}}\n"                                                                            \
  "repeat:\n"                                                                                                          \
  "  - for: {i: [1, n]}\n"                                                                                             \
  "    cosim:\n"                                                                                                       \
  "      subsystems: {\"m{i}\": {inputs: [u], states: {x: i - i}, rates: {x: i*u/i}, outputs: {x: x}}}\n"              \
  "      signals: [{from: \"m{i - 1}.x\", to: \"m{i}.u\", order: 1}]\n"

Test(user_equations, repeats) {
  const double x = run(CHAIN, NULL, 2, 2);
  cr_expect_float_eq(x, 2, 1e-12, "%.17g", x);
}
