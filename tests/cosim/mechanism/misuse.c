/* What a program may do wrong with a co-simulation: status and words of each refusal, and answers of functions that
 * return no status. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/mechanisms.h"
#include "tests/support/misuse.h"

static seam_error error;

/* ---- Two masses as linear parts, joined by a spring or by signals ---- */

static const char *const inputs[] = {"force"}, *const outputs[] = {"x", "v"};
static const double A[] = {0, 1, -100, 0}, B[] = {0, 1}, C[] = {1, 0, 0, 1}, D[] = {0, 0};

static seam_status create_mass(const void *context, cosim_part **part, seam_error *failure) {
  (void)context;
  const cosim_linear_def def = {.n_states = 2, .n_inputs = 1, .n_outputs = 2, .A = A, .B = B, .C = C, .D = D};
  return cosim_linear_part_create(&def, part, failure);
}

/* All definitions of a co-simulation, for a test to spoil one of them. */
typedef struct definitions {
  cosim_user_part user;
  cosim_subsystem_def subsystem[2];
  cosim_options options;
  cosim_coupling_def spring; /* not added where there are signals */
  bool has_signals;          /* both ways, a bond and its correction, a balance correction */
  cosim_connection_def there, back;
  cosim_port_def ports[2];
  cosim_bond_def bond;
  cosim_energy_correction_def energy;
  cosim_balance_correction_def balance;
  bool is_controlled;
  cosim_step_control control;
} definitions;

static definitions good(bool has_signals) {
  definitions d = {.user = {create_mass, NULL, inputs, outputs, 1, 2, 0},
                   .subsystem = {cosim_default_subsystem_def(), cosim_default_subsystem_def()},
                   .options = cosim_default_options(),
                   .spring = cosim_default_coupling_def(),
                   .has_signals = has_signals,
                   .there = cosim_default_connection_def(),
                   .back = cosim_default_connection_def(),
                   .ports = {{"a.force", "a.v", 1}, {"b.force", "b.v", 1}},
                   .bond = cosim_default_bond_def(),
                   .energy = cosim_default_energy_correction_def(),
                   .balance = cosim_default_balance_correction_def(),
                   .control = cosim_default_step_control(COSIM_PREDICTION_INDICATOR, 1e-3)};
  d.subsystem[0].name = "a";
  d.subsystem[1].name = "b";
  d.options.macro_step = 0.01;
  d.options.energy_scale = 1;
  d.spring.name = "spring";
  d.spring.scheme = "ff-k1";
  d.spring.stiffness[0] = 1000;
  d.spring.damping[0] = 1;
  for (int side = 0; side < 2; side++)
    d.spring.side[side] =
        (cosim_side_def){.subsystem = side == 0 ? "a" : "b", .force_input = "force", .position = "x", .velocity = "v"};
  d.there.from = "a.x", d.there.to = "b.force", d.there.gain = 10;
  d.back.from = "b.x", d.back.to = "a.force", d.back.gain = 10;
  d.bond.name = "bond", d.bond.n_ports = 2, d.bond.energy_scale = 1;
  d.energy.bond = "bond", d.energy.part = "a", d.energy.mu = 0.5;
  d.balance.input = "a.force";
  return d;
}

/* Up to the first failure. */
static seam_status add_all(cosim_builder *builder, definitions *d) {
  seam_status status = cosim_set_options(builder, &d->options, &error);
  d->bond.ports = d->bond.ports == NULL ? d->ports : d->bond.ports;
  for (int i = 0; i < 2 && status == SEAM_OK; i++) {
    d->subsystem[i].user = &d->user;
    status = cosim_add_subsystem(builder, &d->subsystem[i], &error);
  }
  if (status == SEAM_OK && !d->has_signals)
    status = cosim_add_coupling(builder, &d->spring, &error);
  if (status == SEAM_OK && d->is_controlled)
    status = cosim_set_step_control(builder, &d->control, &error);
  if (!d->has_signals || status != SEAM_OK)
    return status;
  status = cosim_add_connection(builder, &d->there, &error);
  if (status == SEAM_OK)
    status = cosim_add_connection(builder, &d->back, &error);
  if (status == SEAM_OK)
    status = cosim_add_bond(builder, &d->bond, &error);
  if (status == SEAM_OK)
    status = cosim_add_energy_correction(builder, &d->energy, &error);
  return status == SEAM_OK ? cosim_add_balance_correction(builder, &d->balance, &error) : status;
}

static seam_status create(definitions *d, cosim_simulation **simulation) {
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_create(NULL, &builder, &error), SEAM_OK);
  seam_status status = add_all(builder, d);
  if (status == SEAM_OK)
    status = cosim_create(builder, simulation, &error);
  cosim_builder_destroy(builder);
  return status;
}

static cosim_simulation *simulate(bool has_signals) {
  definitions d = good(has_signals);
  cosim_simulation *simulation = NULL;
  cr_assert_eq(create(&d, &simulation), SEAM_OK, "%s", error.message);
  return simulation;
}

Test(misuse, the_definitions_are_good_before_they_are_spoilt) {
  for (int has_signals = 0; has_signals < 2; has_signals++) {
    cosim_simulation *simulation = simulate(has_signals);
    cr_expect_eq(cosim_start(simulation, NULL, &error), SEAM_OK, "%s", error.message);
    cr_expect_eq(cosim_advance(simulation, 0.01, &error), SEAM_OK, "%s", error.message);
    cosim_destroy(simulation);
  }
}

/* ---- Definitions ---- */

static const char *const with_null[] = {"force", NULL};
static const char *const twice[] = {"x", "x"};

static seam_status create_nothing(const void *context, cosim_part **part, seam_error *failure) {
  (void)context;
  (void)part;
  (void)failure;
  return SEAM_OK;
}

static seam_status create_without_functions(const void *context, cosim_part **part, seam_error *failure) {
  static cosim_part empty = {.n_inputs = 1, .n_outputs = 2};
  (void)context;
  (void)failure;
  *part = &empty;
  return SEAM_OK;
}

#define SPOILT(name, change)                                                                                           \
  static void name(definitions *d) { change; }

SPOILT(no_name, d->subsystem[1].name = NULL)
SPOILT(same_name, d->subsystem[1].name = "a")
SPOILT(no_bodies, d->subsystem[0].n_bodies = 2)
SPOILT(no_forces, d->subsystem[0].n_forces = 3)
SPOILT(no_inputs, d->user.inputs = NULL)
SPOILT(null_input, (d->user.inputs = with_null, d->user.n_inputs = 2))
SPOILT(same_outputs, d->user.outputs = twice)
SPOILT(no_function, d->user.create = NULL)
SPOILT(no_part, d->user.create = create_nothing)
SPOILT(no_operations, d->user.create = create_without_functions)
SPOILT(plain_options, d->options.cookie = 0)
SPOILT(nan_macro_step, d->options.macro_step = NAN)
SPOILT(far_sequence, d->options.sequence = (cosim_sequence)77)
SPOILT(infinite_tolerance, d->options.implicit_tolerance = INFINITY)
SPOILT(no_iterations, d->options.implicit_iterations = 0)
SPOILT(negative_threads, d->options.n_threads = -1)
SPOILT(nan_energy, d->options.energy_scale = NAN)
SPOILT(unknown_method, d->options.integrator.method = "nonsense")
SPOILT(null_method, d->options.integrator.method = NULL)
SPOILT(unknown_scheme, d->options.constitutive_scheme = "nonsense")
SPOILT(unknown_order, d->options.constraint_scheme = "ff-index2-k9")
SPOILT(nameless_spring, d->spring.name = NULL)
SPOILT(nan_stiffness, d->spring.stiffness[0] = NAN)
SPOILT(negative_damping, d->spring.damping[0] = -1)
SPOILT(no_side, d->spring.side[1].subsystem = NULL)
SPOILT(far_dims, d->spring.n_dims = 4)
SPOILT(no_from, d->there.from = NULL)
SPOILT(no_to, d->back.to = NULL)
SPOILT(nan_gain, d->there.gain = NAN)
SPOILT(far_order, d->there.order = 9)
SPOILT(nameless_bond, d->bond.name = NULL)
SPOILT(negative_ports, d->bond.n_ports = -1)
SPOILT(no_port, d->bond.n_ports = 0)
SPOILT(null_port, d->ports[1].output = NULL)
SPOILT(no_sign, d->ports[0].sign = 0)
SPOILT(nan_scale, d->bond.energy_scale = NAN)
SPOILT(no_bond, d->energy.bond = d->energy.part = NULL)
SPOILT(no_received, d->energy.bond = NULL)
SPOILT(negative_mu, d->energy.mu = -1)
SPOILT(infinite_mu, d->energy.mu = INFINITY)
SPOILT(nan_nu, d->energy.nu = NAN)
SPOILT(nan_limit, d->energy.limit = NAN)
SPOILT(negative_limit, d->energy.limit = -1)
SPOILT(no_input, d->balance.input = NULL)
SPOILT(far_spread, d->balance.spread = 50)
SPOILT(far_indicator, (d->is_controlled = true, d->control.indicator = (cosim_step_indicator)7))
SPOILT(infinite_shortest, (d->is_controlled = true, d->control.shortest = INFINITY))

Test(misuse, definitions_that_cannot_be_are_refused) {
  static const struct {
    bool has_signals;
    void (*spoil)(definitions *d);
    const char *words;
  } rows[] = {{false, no_name, "a subsystem has no 'name'"},
              {false, same_name, "two subsystems are named 'a'"},
              {false, no_bodies, "subsystem 'a': its list 'bodies' is NULL, but has 2 entries"},
              {false, no_forces, "subsystem 'a': its list 'forces' is NULL, but has 3 entries"},
              {false, no_inputs, "subsystem 'a': its list 'inputs' is NULL"},
              {false, null_input, "subsystem 'a': entry 1 of its list 'inputs' is NULL"},
              {false, same_outputs, "subsystem 'a' has two outputs named 'x'"},
              {false, no_function, "subsystem 'a': its user part has no create()"},
              {false, no_part, "subsystem 'a': its part was not created"},
              {false, no_operations, "subsystem 'a': its part needs advance()"},
              {false, plain_options, "a set of options is not initialised: start from its default"},
              {false, nan_macro_step, "its macro_step is nan"},
              {false, far_sequence, "its sequence is 77"},
              {false, infinite_tolerance, "its implicit_tolerance is inf"},
              {false, no_iterations, "its implicit_iterations is 0"},
              {false, negative_threads, "its n_threads is -1"},
              {false, nan_energy, "its energy_scale is nan"},
              {false, unknown_method, "integrator 'nonsense' is unknown"},
              {false, null_method, "integrator '' is unknown"},
              {false, unknown_scheme, "'nonsense' is not the name of a scheme"},
              {false, unknown_order, "'ff-index2-k9' is not the name of a scheme"},
              {false, nameless_spring, "a coupling of user parts has no 'name'"},
              {false, nan_stiffness, "coupling 'spring': its stiffness is nan"},
              {false, negative_damping, "coupling 'spring': its damping is -1"},
              {false, no_side, "coupling 'spring': side 2 cannot be subsystem"},
              {false, far_dims, "coupling 'spring': the number of its coordinates must be 1, 2 or 3"},
              {true, no_from, "a connection has no 'from'"},
              {true, no_to, "a connection has no 'to'"},
              {true, nan_gain, "connection to 'b.force': its gain is nan"},
              {true, far_order, "'order' is 9: take 0 to 4"},
              {true, nameless_bond, "a power bond has no 'name'"},
              {true, negative_ports, "power bond 'bond' has -1 ports"},
              {true, no_port, "power bond 'bond': its number of ports is 0"},
              {true, null_port, "power bond 'bond': port 1 has no input or no output"},
              {true, no_sign, "the sign of port 'a.force' is 0"},
              {true, nan_scale, "power bond 'bond': its energy_scale is nan"},
              {true, no_bond, "an energy correction has neither 'bond' nor 'part'"},
              {true, no_received, "no coupling with an '-exchange' scheme applies a force to it"},
              {true, negative_mu, "energy correction of 'bond': its mu is -1"},
              {true, infinite_mu, "energy correction of 'bond': its mu is inf"},
              {true, nan_nu, "energy correction of 'bond': its nu is nan"},
              {true, nan_limit, "energy correction of 'bond': its limit is nan"},
              {true, negative_limit, "energy correction of 'bond': its limit is -1"},
              {true, no_input, "a balance correction has no 'input'"},
              {true, far_spread, "'spread' is 50 macro steps"},
              {true, far_indicator, "step control: its indicator is 7"},
              {true, infinite_shortest, "step control: its shortest is inf"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    definitions d = good(rows[i].has_signals);
    cosim_simulation *simulation = NULL;
    rows[i].spoil(&d);
    expect_refused(create(&d, &simulation), SEAM_BAD_INPUT, rows[i].words, &error);
    cr_expect_null(simulation, "%s", rows[i].words);
    cosim_destroy(simulation);
  }
}

Test(misuse, more_threads_than_parts_change_nothing) {
  definitions d = good(false);
  cosim_simulation *simulation = NULL;
  d.options.n_threads = 100000;
  cr_assert_eq(create(&d, &simulation), SEAM_OK);
  cr_assert_eq(cosim_start(simulation, NULL, &error), SEAM_OK);
  cr_expect_eq(cosim_advance(simulation, 0.01, &error), SEAM_OK, "%s", error.message);
  cosim_destroy(simulation);
}

/* ---- Linear parts ---- */

Test(misuse, linear_parts_that_cannot_be_are_refused) {
  const double nan_matrix[] = {0, 1, NAN, 0};
  const cosim_linear_def usual = {.n_states = 2, .n_inputs = 1, .n_outputs = 2, .A = A, .B = B, .C = C, .D = D};
  struct {
    cosim_linear_def def;
    const char *words;
  } rows[] = {{usual, "-1 states"},         {usual, "-1 inputs"},        {usual, "-1 outputs"},
              {usual, "2147483647 states"}, {usual, "60000 states"},     {usual, "2147483647 inputs"},
              {usual, "list 'A' is NULL"},  {usual, "list 'D' is NULL"}, {usual, "entry (1, 0) of its matrix A"}};
  rows[0].def.n_states = -1;
  rows[1].def.n_inputs = -1;
  rows[2].def.n_outputs = -1;
  rows[3].def.n_states = 2147483647;
  rows[4].def.n_states = 60000;
  rows[5].def.n_inputs = 2147483647;
  rows[6].def.A = NULL;
  rows[7].def.D = NULL;
  rows[8].def.A = nan_matrix;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_part *part = NULL;
    expect_refused(cosim_linear_part_create(&rows[i].def, &part, &error), SEAM_BAD_INPUT, rows[i].words, &error);
    cr_expect_null(part);
  }
}

/* ---- Order of calls and times ---- */

Test(misuse, a_simulation_starts_before_it_advances) {
  for (int has_signals = 0; has_signals < 2; has_signals++) {
    cosim_simulation *simulation = simulate(has_signals);
    const double past[] = {0, 0};
    const char *words = "start or restore it first";
    expect_refused(cosim_advance(simulation, 0.01, &error), SEAM_BAD_STATE, words, &error);
    expect_refused(cosim_advance_controlled(simulation, 1, &error), SEAM_BAD_STATE, words, &error);
    expect_refused(cosim_remember(simulation, 0, -1, past, &error), SEAM_BAD_STATE, words, &error);
    cosim_destroy(simulation);
  }
}

Test(misuse, the_past_is_given_after_the_start_backwards_and_finite) {
  cosim_simulation *simulation = simulate(true);
  const double past[] = {0, 0};
  const double infinite[] = {0, INFINITY};
  cr_assert_eq(cosim_start(simulation, NULL, &error), SEAM_OK);
  expect_refused(cosim_remember(simulation, 0, NAN, past, &error), SEAM_BAD_INPUT, "its past at nan s", &error);
  expect_refused(cosim_remember(simulation, 0, 0, past, &error), SEAM_BAD_INPUT, "times before 0 s", &error);
  expect_refused(cosim_remember(simulation, 0, 5, past, &error), SEAM_BAD_INPUT, "times before 0 s", &error);
  expect_refused(cosim_remember(simulation, 0, -1, infinite, &error), SEAM_BAD_INPUT, "not finite", &error);
  expect_refused(cosim_remember(simulation, 7, -1, past, &error), SEAM_BAD_INPUT, "not a user part", &error);
  cr_expect_eq(cosim_remember(simulation, 0, -0.01, past, &error), SEAM_OK);
  expect_refused(cosim_remember(simulation, 0, -0.01, past, &error), SEAM_BAD_INPUT, "times before -0.01 s", &error);
  cr_expect_eq(cosim_advance(simulation, 0.01, &error), SEAM_OK);
  expect_refused(cosim_remember(simulation, 0, -1, past, &error), SEAM_BAD_STATE, "right after cosim_start()", &error);
  cosim_destroy(simulation);
}

Test(misuse, macro_steps_have_a_length) {
  const double lengths[] = {0, -1, NAN, INFINITY};
  cosim_simulation *simulation = simulate(false);
  cr_assert_eq(cosim_start(simulation, NULL, &error), SEAM_OK);
  for (size_t i = 0; i < 4; i++)
    expect_refused(cosim_advance(simulation, lengths[i], &error), SEAM_BAD_INPUT, "positive and finite", &error);
  expect_refused(cosim_advance_controlled(simulation, NAN, &error), SEAM_BAD_INPUT, "must end after", &error);
  expect_refused(cosim_advance_controlled(simulation, 0, &error), SEAM_BAD_INPUT, "must end after", &error);
  cosim_destroy(simulation);
}

/* ---- States and images of others ---- */

#define CUT_PENDULA                                                                                                    \
  "seam: 1\nname: pair\ngravity: [0, g]\n"                                                                             \
  "parameters: {g: -9.81, k: 1000, c: 1, l: 1, m: 1, J: 1, px: 3, ax: 1, ratio: 2, one: 1, a: 1, h: 1, vx: 0}\n"       \
  "bodies:\n  a: {rod: [[0, 0], [1, 0]], mass: m}\n"                                                                   \
  "  b: {mass: 1, inertia: J, at: [2.5, 0]}\n"                                                                         \
  "  s: {mass: 1, inertia: 1, at: [0, 3], velocity: [vx, 0]}\n"                                                        \
  "joints:\n  P: {type: revolute, bodies: [ground, a], at: [0, 0]}\n"                                                  \
  "  Q: {type: revolute, bodies: [ground, b], at: [px, 0]}\n"                                                          \
  "  R: {type: slot, bodies: [ground, s], at: [0, 3], axis: [ax, 0.1]}\n"                                              \
  "  D: {type: motion, of: phi, bodies: [s], law: \"0*t + 0.1*sin(a*t)\"}\n"                                           \
  "forces:\n  S: {type: spring_damper, bodies: [a, b], at: [[1, 0], [2, 0]], stiffness: k, damping: c, length: l}\n"   \
  "  T: {type: torsion, bodies: [ground, a], torque: \"-one*s - 0.1*v\"}\n"                                            \
  "  F: {type: force, body: b, at: [2, 0], x: \"if(t < 5, 0, a)\", y: 0}\n"                                            \
  "simulate: {end: h}\n"                                                                                               \
  "cosim:\n  subsystems: {left: [a], right: [b, s]}\n  macro_step: 1e-3\n  scheme: ff-k1\n"

Test(misuse, a_state_of_another_model_starts_nothing) {
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  mechanism other = four_bar_fixed();
  start(&p);
  expect_refused(cosim_start(p.run, other.state, &error), SEAM_BAD_INPUT, "belongs to another model", &error);
  expect_refused(cosim_start(p.run, NULL, &error), SEAM_BAD_INPUT, "give an assembled state", &error);
  p.state->t = NAN;
  expect_refused(cosim_start(p.run, p.state, &error), SEAM_BAD_INPUT, "time of the state", &error);
  mechanism_free(&other);
  cosim_fixture_free(&p);
}

Test(misuse, images_that_are_none_are_refused) {
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  start(&p);
  const size_t size = cosim_image_size(p.run);
  char *image = malloc(size + 8);
  cosim_save(p.run, image);
  expect_refused(cosim_restore(p.run, NULL, 0, &error), SEAM_BAD_INPUT, "argument 'image' is NULL", &error);
  expect_refused(cosim_restore(NULL, image, size, &error), SEAM_BAD_INPUT, "argument 'self' is NULL", &error);
  expect_refused(cosim_restore(p.run, image, 0, &error), SEAM_BAD_STATE, "belongs to another", &error);
  expect_refused(cosim_restore(p.run, image, size - 8, &error), SEAM_BAD_STATE, "belongs to another", &error);
  memmove(image + 1, image, size);
  expect_refused(cosim_restore(p.run, image + 1, size, &error), SEAM_BAD_STATE, "aligned for numbers", &error);
  cosim_save(p.run, NULL);
  cosim_save(p.run, image + 1);
  free(image);
  cosim_fixture_free(&p);
}

Test(misuse, a_simulation_without_a_state_saves_none) {
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  cosim_simulation *fresh = NULL;
  cr_assert_eq(create_simulation(p.model, &p.definition, &fresh, &error), SEAM_OK);
  const size_t size = cosim_image_size(fresh);
  void *image = malloc(size);
  cosim_save(fresh, image);
  expect_refused(cosim_restore(fresh, image, size, &error), SEAM_BAD_STATE, "belongs to another", &error);
  free(image);
  cosim_destroy(fresh);
  cosim_fixture_free(&p);
}

/* What an image does not hold must be the same where it is restored: every number of the model but the initial motion.
 */
Test(misuse, an_image_of_another_model_is_refused) {
  static const struct {
    const char *change;
    bool is_taken;
  } rows[] = {{"parameters.g=-9.80", false}, {"parameters.k=1001", false},        {"parameters.c=2", false},
              {"parameters.l=1.01", false},  {"parameters.m=1.5", false},         {"parameters.J=1.01", false},
              {"parameters.px=3.1", false},  {"parameters.ax=1.1", false},        {"parameters.one=1.1", false},
              {"parameters.a=1.1", false},   {"forces.T.torque=-s-v*0.2", false}, {"parameters.h=2", true},
              {"parameters.vx=0.5", true}};
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  start(&p);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_fixture other = cosim_fixture_read(CUT_PENDULA, (const char *const[]){rows[i].change, NULL});
    start(&other);
    cr_expect_eq(cosim_image_size(other.run), size, "%s", rows[i].change);
    cr_expect_eq(cosim_restore(other.run, image, size, &error), rows[i].is_taken ? SEAM_OK : SEAM_BAD_STATE, "%s",
                 rows[i].change);
    cosim_fixture_free(&other);
  }
  free(image);
  cosim_fixture_free(&p);
}

#define CONTROLLED                                                                                                     \
  "seam: 1\nname: controlled\nparameters: {gain: 3, rate: 1, h: 1}\n"                                                  \
  "bodies:\n  b: {mass: 1, inertia: 1, at: [0, 0], velocity: [1, 0]}\n"                                                \
  "forces:\n  F: {type: force, body: b, at: [0, 0], x: 0, y: 0}\n"                                                     \
  "simulate: {end: h}\n"                                                                                               \
  "cosim:\n  subsystems:\n    body: [b]\n"                                                                             \
  "    law: {inputs: [x], states: {z: 0}, rates: {z: \"rate*x\"}, outputs: {f: \"-gain*x - z\"}}\n"                    \
  "  signals: [{from: body.b.x, to: law.x}, {from: law.f, to: body.F.fx}]\n"                                           \
  "  macro_step: 1e-2\n"

Test(misuse, an_image_of_other_user_equations_is_refused) {
  static const char *const changes[] = {"parameters.gain=3.1", "parameters.rate=2", "parameters.h=2"};
  cosim_fixture p = cosim_fixture_read(CONTROLLED, NULL);
  start(&p);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  for (int i = 0; i < 3; i++) {
    cosim_fixture other = cosim_fixture_read(CONTROLLED, (const char *const[]){changes[i], NULL});
    start(&other);
    cr_expect_eq(cosim_restore(other.run, image, size, &error), i == 2 ? SEAM_OK : SEAM_BAD_STATE, "%s", changes[i]);
    cosim_fixture_free(&other);
  }
  free(image);
  cosim_fixture_free(&p);
}

/* ---- NULL, and numbers beyond the last ---- */

Test(misuse, arguments_of_null_are_named) {
  cosim_builder *builder = NULL;
  cosim_simulation *simulation = NULL;
  cosim_step_plan plan;
  const cosim_linear_def linear = {0};
  cr_assert_eq(cosim_builder_create(NULL, &builder, &error), SEAM_OK);
#define EXPECT(call, function, argument)                                                                               \
  expect_refused(call, SEAM_BAD_INPUT, function "(): its argument '" argument "' is NULL", &error)
  EXPECT(cosim_builder_create(NULL, NULL, &error), "cosim_builder_create", "created");
  EXPECT(cosim_builder_copy(NULL, &builder, &error), "cosim_builder_copy", "builder");
  EXPECT(cosim_builder_copy(builder, NULL, &error), "cosim_builder_copy", "created");
  EXPECT(cosim_add_subsystem(NULL, NULL, &error), "cosim_add_subsystem", "self");
  EXPECT(cosim_add_subsystem(builder, NULL, &error), "cosim_add_subsystem", "def");
  EXPECT(cosim_set_coupling(builder, NULL, &error), "cosim_set_coupling", "options");
  EXPECT(cosim_add_coupling(builder, NULL, &error), "cosim_add_coupling", "def");
  EXPECT(cosim_add_connection(builder, NULL, &error), "cosim_add_connection", "def");
  EXPECT(cosim_add_bond(builder, NULL, &error), "cosim_add_bond", "def");
  EXPECT(cosim_add_energy_correction(builder, NULL, &error), "cosim_add_energy_correction", "def");
  EXPECT(cosim_add_balance_correction(builder, NULL, &error), "cosim_add_balance_correction", "def");
  EXPECT(cosim_set_model_based(builder, NULL, &error), "cosim_set_model_based", "def");
  EXPECT(cosim_set_step_control(NULL, NULL, &error), "cosim_set_step_control", "self");
  EXPECT(cosim_set_options(builder, NULL, &error), "cosim_set_options", "options");
  EXPECT(cosim_use_scheme(builder, NULL, &error), "cosim_use_scheme", "scheme");
  EXPECT(cosim_create(NULL, &simulation, &error), "cosim_create", "builder");
  EXPECT(cosim_create(builder, NULL, &error), "cosim_create", "created");
  EXPECT(cosim_start(NULL, NULL, &error), "cosim_start", "self");
  EXPECT(cosim_advance(NULL, 1, &error), "cosim_advance", "self");
  EXPECT(cosim_advance_controlled(NULL, 1, &error), "cosim_advance_controlled", "self");
  EXPECT(cosim_remember(NULL, 0, 0, NULL, &error), "cosim_remember", "self");
  EXPECT(cosim_step_plan_make(1, 1, NULL, &error), "cosim_step_plan_make", "plan");
  EXPECT(cosim_linear_part_create(&linear, NULL, &error), "cosim_linear_part_create", "part");
  EXPECT(cosim_linear_part_create(NULL, NULL, &error), "cosim_linear_part_create", "def");
#undef EXPECT
  cr_expect_eq(cosim_step_plan_make(0.1, 1, &plan, &error), SEAM_OK);
  cr_expect(isnan(cosim_step_plan_time(NULL, 0)) && isnan(cosim_step_plan_time(&plan, 11)));
  cr_expect(isnan(cosim_step_plan_length(NULL, 0)) && isnan(cosim_step_plan_length(&plan, 10)));
  cosim_builder_destroy(builder);
}

Test(misuse, a_builder_of_null_has_nothing) {
  const cosim_definition *none = cosim_builder_definition(NULL);
  cr_expect_eq(none->n_subsystems + none->n_part_couplings + none->n_signals + none->n_bonds, 0);
  cr_expect_null(cosim_builder_model(NULL));
  cr_expect_null(none->model_based);
  cr_expect_null(none->step_control);
  cr_expect_not(cosim_has_couplings(NULL, true));
  cr_expect_not(cosim_builder_collocates(NULL));
  cr_expect_eq(none->options.macro_step, 0);
  cosim_clear_couplings(NULL);
}

Test(misuse, an_indicator_that_does_not_exist_has_no_name) {
  cr_expect_str_eq(cosim_step_indicator_name(COSIM_ERROR_INDICATOR), "error");
  cr_expect_null(cosim_step_indicator_name((cosim_step_indicator)(COSIM_ERROR_INDICATOR + 1)));
}

static void expect_nothing(cosim_simulation *simulation, size_t beyond) {
  double wrench[2][3] = {{0}};
  double lambda[3] = {0};
  const cosim_coupling_info coupling = cosim_coupling_of(simulation, beyond);
  cr_expect(coupling.name == NULL && coupling.scheme == NULL && !coupling.is_joint && !coupling.is_exchanged);
  cr_expect(coupling.element == SEAM_NONE);
  cr_expect(coupling.subsystems[0] == SEAM_NONE && coupling.subsystems[1] == SEAM_NONE);
  cr_expect_null(cosim_bond_name(simulation, beyond));
  cr_expect_null(cosim_signal_of(simulation, beyond).name);
  cr_expect_eq(cosim_coupling_residuals(simulation, beyond, lambda, lambda, lambda), 0);
  cr_expect(isnan(cosim_coupling_created(simulation, beyond)));
  cr_expect(isnan(cosim_coupling_energy(simulation, beyond).power));
  cr_expect(isnan(cosim_bond_energy_of(simulation, beyond).residual_energy));
  cr_expect(isnan(cosim_signal_now(simulation, beyond)));
  cosim_coupling_wrenches(simulation, beyond, wrench);
  cr_expect(isnan(wrench[0][0]) && isnan(wrench[1][2]));
  cosim_part_coupling_wrench(simulation, beyond, lambda);
  cr_expect(isnan(lambda[0]));
  cosim_set_multipliers(simulation, beyond, (double[3]){1, 2, 3});
}

Test(misuse, numbers_beyond_the_last_answer_nothing) {
  cosim_simulation *of_parts = simulate(true);
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  start(&p);
  cosim_simulation *const simulations[] = {of_parts, p.run, NULL};
  for (int i = 0; i < 3; i++) {
    expect_nothing(simulations[i], 1000);
    expect_nothing(simulations[i], SEAM_NONE);
  }
  cr_expect_null(cosim_state(NULL));
  cr_expect_eq(cosim_image_size(NULL), 0);
  cr_expect_eq(cosim_statistics_of(NULL).macro_steps, 0);
  cr_expect(isnan(cosim_signal_value(NULL, 0)));
  cr_expect(isnan(cosim_signal_value(&(cosim_signal){.n_pieces = 9}, 0)));
  cr_expect(isnan(cosim_energy_fraction(NAN, 0)) && isnan(cosim_energy_fraction(1, -1)));
  cosim_destroy(of_parts);
  cosim_fixture_free(&p);
}

Test(misuse, a_state_outside_of_the_last_macro_step_is_nan) {
  cosim_fixture p = cosim_fixture_read(CUT_PENDULA, NULL);
  mechanism other = four_bar_fixed();
  start(&p);
  advance(&p, 1);
  cr_expect_not(cosim_takes_long_steps(NULL) || cosim_takes_long_steps(p.run));
  cosim_state_between(p.run, 5e-4, p.state);
  cr_expect(isfinite(p.state->q[0]));
  cosim_state_between(p.run, 1, p.state);
  cr_expect(isnan(p.state->q[0]));
  cosim_state_between(p.run, NAN, p.state);
  cr_expect(isnan(p.state->v[0]));
  const double before = other.state->q[0];
  cosim_state_between(p.run, 5e-4, other.state);
  cosim_state_between(p.run, 5e-4, NULL);
  cr_expect_eq(other.state->q[0], before);
  mechanism_free(&other);
  cosim_fixture_free(&p);
}

/* ---- A part in the place of another ---- */

static seam_status create_other(const void *context, cosim_part **part, seam_error *failure) {
  ++*(int *)context;
  return create_mass(NULL, part, failure);
}

Test(misuse, parts_take_the_place_of_those_with_the_same_names) {
  static const char *const another[] = {"torque"};
  int n_made = 0;
  definitions d = good(false);
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_create(NULL, &builder, &error), SEAM_OK);
  cr_assert_eq(add_all(builder, &d), SEAM_OK, "%s", error.message);
  cosim_user_part user = {create_other, &n_made, inputs, outputs, 1, 2, 0};
  cr_expect_eq(cosim_replace_user_part(builder, "nothing", &user, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "'nothing' is not a subsystem") != NULL, "%s", error.message);
  user.inputs = another;
  cr_expect_eq(cosim_replace_user_part(builder, d.subsystem[1].name, &user, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "the same inputs and outputs") != NULL, "%s", error.message);
  user.inputs = inputs;
  cr_assert_eq(cosim_replace_user_part(builder, d.subsystem[1].name, &user, &error), SEAM_OK, "%s", error.message);
  cosim_simulation *run = NULL;
  cr_assert_eq(cosim_create(builder, &run, &error), SEAM_OK, "%s", error.message);
  cr_expect_eq(n_made, 1);
  cosim_destroy(run);
  cosim_builder_destroy(builder);
}
