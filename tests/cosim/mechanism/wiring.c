/* Mechanisms under the exchange: couplings, elements of subsystems of their own, energies, corrections. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cosim/steps/simulation.h"
#include "tests/support/data_table.h"
#include "tests/support/exchange_fixture.h"

static const char masses[] = MASSES("");

/* As the master couples them, and by exchange. */
static double error_by(exchange_fixture *w, int order, double H, bool exchange) {
  w->p.definition.n_coupling_options = 0;
  w->p.definition.options.exact_history = true;
  if (exchange)
    set_orders(w, "K", order, order);
  w->p.definition.options.constitutive_scheme = order == 0   ? "fd-k0-explicit"
                                                : order == 1 ? "fd-k1-explicit"
                                                             : "fd-k2-explicit";
  return error_at_macro_step(&w->p, H, 0.2);
}

Test(wiring, exchange_has_the_order_of_its_holds_as_the_master_has) {
  exchange_fixture *w = exchange_fixture_read(masses);
  for (int order = 0; order <= 2; order++) {
    const double coarse = error_by(w, order, 1e-3, true);
    const double fine = error_by(w, order, 2.5e-4, true);
    const double master = error_by(w, order, 2.5e-4, false);
    const double slope = log(coarse / fine) / log(4);
    cr_expect_float_eq(slope, order + 1, 0.2, "order %d: %g, %g", order, coarse, fine);
    cr_expect(fine < 4 * master && master < 4 * fine, "order %d: %g, by the master %g", order, fine, master);
  }
  exchange_fixture_free(w);
}

Test(wiring, exact_history_starts_at_full_order) {
  exchange_fixture *w = exchange_fixture_read(masses);
  set_orders(w, "K", 3, 3);
  const double raised = error_at_macro_step(&w->p, 1e-3, 0.02);
  w->p.definition.options.exact_history = true;
  const double exact = error_at_macro_step(&w->p, 1e-3, 0.02);
  cr_expect_lt(exact, raised / 10, "%g, %g", exact, raised);
  exchange_fixture_free(w);
}

/* With a known past the first hold goes on from it: there is no jump to fade. */
Test(wiring, smooth_switching_leaves_the_first_step_alone) {
  for (int exact = 0; exact < 2; exact++) {
    exchange_fixture *plain = exchange_fixture_read(masses);
    exchange_fixture *smooth = exchange_fixture_read(masses);
    set_orders(plain, "K", 2, 2);
    set_orders(smooth, "K", 2, 2)->smooth = true;
    plain->p.definition.options.exact_history = smooth->p.definition.options.exact_history = exact == 1;
    start(&plain->p);
    start(&smooth->p);
    advance(&plain->p, 1);
    advance(&smooth->p, 1);
    cr_expect(same_bits(cosim_state(plain->p.run), cosim_state(smooth->p.run)), "exact history: %d", exact);
    advance(&plain->p, 5);
    advance(&smooth->p, 5);
    cr_expect(!same_bits(cosim_state(plain->p.run), cosim_state(smooth->p.run)), "exact history: %d", exact);
    exchange_fixture_free(plain);
    exchange_fixture_free(smooth);
  }
}

Test(wiring, subsystems_take_steps_of_their_own) {
  exchange_fixture *w = exchange_fixture_read(masses);
  w->subsystems[0].steps = 4;
  w->p.definition.options.exact_history = true;
  set_orders(w, "K", 2, 2);
  const double coarse = error_at_macro_step(&w->p, 1e-3, 0.2);
  const double fine = error_at_macro_step(&w->p, 2.5e-4, 0.2);
  cr_expect_float_eq(log(coarse / fine) / log(4), 3, 0.3, "%g, %g", coarse, fine);
  exchange_fixture_free(w);
}

Test(wiring, gauss_seidel_and_smooth_switching_converge_too) {
  exchange_fixture *w = exchange_fixture_read(masses);
  set_orders(w, "K", 1, 1)->smooth = true;
  w->p.definition.options.sequence = COSIM_GAUSS_SEIDEL;
  const double coarse = error_at_macro_step(&w->p, 1e-3, 0.2);
  const double fine = error_at_macro_step(&w->p, 2.5e-4, 0.2);
  cr_expect_gt(log(coarse / fine) / log(4), 1.7, "%g, %g", coarse, fine);
  exchange_fixture_free(w);
}

/* ---- Wrenches and energies at macro points ---- */

Test(wiring, wrenches_are_those_of_the_element_to_the_order_of_the_holds) {
  exchange_fixture *w = exchange_fixture_read(masses);
  set_orders(w, "K", 2, 2);
  w->p.definition.options.macro_step = 1e-4;
  start(&w->p);
  advance(&w->p, 100);
  const mbs_state *now = cosim_state(w->p.run);
  double wrench[2][3];
  cosim_coupling_wrenches(w->p.run, 0, wrench);
  const double pull = 100 * (now->q[0] - now->q[3]);
  cr_expect_float_eq(wrench[0][0], pull, 1e-3);
  cr_expect_float_eq(wrench[1][0], -pull, 1e-3);
  cr_expect_eq(cosim_n_couplings(w->p.run), 1);
  cr_expect_eq(cosim_statistics_of(w->p.run).macro_steps, 100);
  cr_expect_float_eq(now->t, 100 * 1e-4, 1e-15);
  exchange_fixture_free(w);
}

/* Energies of [Rodriguez] as the reference has them: symplectic Euler, a step in each macro step. */
static double run_row(exchange_fixture *w, const double *row) {
  const double h_df = row[0];
  const double h_ndf = row[1];
  const double H = fmax(h_df, h_ndf);
  const int steps[2] = {(int)lround(H / h_df), (int)lround(H / h_ndf)};
  mbs_integrator_options integrators[2] = {w->p.definition.options.integrator, w->p.definition.options.integrator};
  const cosim_energy_correction_def correction = {.bond = "K", .mu = row[3], .nu = row[4], .limit = row[5]};
  for (int i = 0; i < 2; i++) {
    integrators[i].method = "symplectic_euler";
    integrators[i].step = H / steps[i];
    w->subsystems[i].steps = (size_t)steps[i];
    w->subsystems[i].integrator = &integrators[i];
  }
  w->p.definition.n_coupling_options = 0;
  set_orders(w, "K", steps[1] > 1 ? (int)row[2] : 0, steps[0] > 1 ? (int)row[2] : 0);
  w->p.definition.energy_corrections = &correction;
  w->p.definition.n_energy_corrections = 1;
  w->p.definition.options.macro_step = H;
  start(&w->p);
  const double E0 = mbs_energy_of(w->p.workspace, w->p.state).total;
  advance(&w->p, (size_t)lround(10 / H));
  return mbs_energy_of(w->p.workspace, cosim_state(w->p.run)).total / E0;
}

Test(wiring, energy_correction_of_a_coupling_is_that_of_the_reference) {
  static const struct {
    const char *name, *overrides[3];
  } models[] = {
      {"linear", {NULL}}, {"damped", {"parameters.c=0.1", NULL}}, {"heavy_first", {"parameters.m1=10", NULL}}};
  data_table t = data_table_open("energy_oscillators.csv");
  int n = 0;
  while (data_table_next(&t) == 16)
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
      if (strcmp(t.word[0], models[i].name) != 0)
        continue;
      exchange_fixture *w = exchange_fixture_read(masses);
      cosim_fixture_free(&w->p);
      w->p = cosim_fixture_read(masses, models[i].overrides);
      w->p.definition.subsystems = w->subsystems;
      w->p.definition.coupling_options = w->coupling_options;
      memcpy(w->subsystems, cosim_builder_definition(seam_model_cosim(w->p.file))->subsystems,
             2 * sizeof *w->subsystems);
      const double found = run_row(w, t.number + 1);
      cr_expect_float_eq(found, t.number[7], 1e-6 * t.number[7], "%s h %g %g: %.9g, %.9g", t.word[0], t.number[1],
                         t.number[2], found, t.number[7]);
      exchange_fixture_free(w);
      n++;
    }
  cr_assert_gt(n, 20);
}

Test(wiring, the_fraction_is_found_by_the_rules) {
  exchange_fixture *w = exchange_fixture_read(masses);
  const double found = run_row(w, (double[]){1e-2, 1e-3, 0, NAN, 0, 1});
  const double given = run_row(w, (double[]){1e-2, 1e-3, 0, cosim_energy_fraction(10, 0), 0, 1});
  cr_expect_eq(found, given);
  exchange_fixture_free(w);
}

/* Two masses on springs of 10 and 20 N/m, each coupled to a third one on 1000 N/m by 50 N/m. */
static const char star[] =
    "seam: 2\ngravity: [0, 0]\n"
    "bodies:\n"
    "  a: {mass: 1, inertia: 1, velocity: [100, 0]}\n"
    "  b: {mass: 1, inertia: 1, velocity: [100, 0]}\n"
    "  last: {mass: 1, inertia: 1, velocity: [-100, 0]}\n"
    "forces:\n"
    "  ka: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 10}\n"
    "  kb: {type: spring_damper, bodies: [ground, b], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 20}\n"
    "  kl: {type: spring_damper, bodies: [ground, last], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 1000}\n"
    "  A: {type: spring_damper, bodies: [a, last], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 50}\n"
    "  B: {type: spring_damper, bodies: [b, last], at: [[0, 0], [0, 0]], axis: [1, 0], stiffness: 50}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {a: [a], b: [b], last: [last]}, macro_step: 1e-3, scheme: df-k0-exchange,\n"
    "        integrator: symplectic_euler, micro_step: 1e-3,\n"
    "        corrections: {energy: {subsystem: last, mu: 0.5, nu: 0.25, limit: 0.1}}}\n";

/* (9), (13) to (17) of [Rodriguez] with f the sum of both forces, as in their figure 14. */
static double correct_once(size_t n_steps, double H) {
  const double k[3] = {10, 20, 1000};
  double x[3] = {0};
  double v[3] = {100, 100, -100};
  double f = 0;
  double error = 0;
  double left = 0;
  for (size_t i = 0; i < n_steps; i++) {
    const double linked[2] = {x[2], v[2]};
    const double wanted = -(error + 0.25 * left) / (H * v[2]);
    const double correction = fmax(-0.1 * fabs(f), fmin(wanted, 0.1 * fabs(f)));
    v[2] += H * (f + correction - k[2] * x[2]);
    for (int j = 0; j < 2; j++)
      v[j] -= H * (k[j] * x[j] + 50 * (x[j] - linked[0]));
    for (int j = 0; j < 3; j++)
      x[j] += H * v[j];
    const double next = 50 * (x[0] - linked[0]) + 50 * (x[1] - linked[0]);
    left += error + correction * v[2] * H;
    error = 0.5 * H * (f * v[2] - next * linked[1]);
    f = next;
  }
  return x[2];
}

Test(wiring, forces_of_several_couplings_are_corrected_once_as_a_sum) {
  cosim_fixture p = cosim_fixture_read(star, NULL);
  start(&p);
  advance(&p, 1000);
  const double expected = correct_once(1000, 1e-3);
  const double x = cosim_state(p.run)->q[6];
  cr_expect_float_eq(x, expected, 1e-10, "%.15g, not %.15g", x, expected);
  cosim_fixture_free(&p);
}

Test(wiring, forces_of_other_directions_are_not_summed) {
  const char *const turned[] = {"forces.B={type: bushing, bodies: [b, last], at: [0, 0], stiffness: [50, 0, 1]}", NULL};
  cosim_fixture p = cosim_fixture_read(star, turned);
  expect_no_start(&p, "couplings 'A' and 'B' act in different directions");
  cosim_fixture_free(&p);
}

/* ---- Elements that a subsystem without bodies evaluates ---- */

Test(wiring, elements_between_bodies_of_others_converge_to_the_whole) {
  exchange_fixture *w = exchange_fixture_read_springs();
  set_orders(w, "K", 2, 2);
  set_orders(w, "k2", 2, 2);
  w->p.definition.options.exact_history = true;
  const double coarse = error_at_macro_step(&w->p, 1e-3, 0.2);
  const double fine = error_at_macro_step(&w->p, 2.5e-4, 0.2);
  cr_expect_float_eq(log(coarse / fine) / log(4), 3, 0.3, "%g, %g", coarse, fine);
  cr_expect_eq(cosim_n_couplings(w->p.run), 2);
  double wrench[2][3];
  cosim_coupling_wrenches(w->p.run, 0, wrench);
  cr_expect_float_eq(wrench[0][0], -1000 * -cosim_state(w->p.run)->q[3], 1e-2);
  exchange_fixture_free(w);
}

Test(wiring, hydraulics_of_their_own_converge_to_the_whole) {
  exchange_fixture *w = exchange_fixture_read_crane();
  const double coarse = error_at_macro_step(&w->p, 2e-3, 0.5);
  const double fine = error_at_macro_step(&w->p, 5e-4, 0.5);
  cr_expect_float_eq(log(coarse / fine) / log(4), 2, 0.4, "%g, %g", coarse, fine);
  cr_expect_lt(fine, 1e-4);
  mbs_state *state = new_state(w->p.model);
  mbs_integrator *whole = start_monolithic(&w->p, state);
  cr_assert_eq(mbs_integrator_advance(whole, cosim_state(w->p.run)->t, state, NULL), SEAM_OK);
  for (int i = 0; i < 2; i++)
    cr_expect_float_eq(cosim_state(w->p.run)->z[i], state->z[i], 1e-3 * state->z[i]);
  mbs_state_destroy(state);
  mbs_integrator_destroy(whole);
  exchange_fixture_free(w);
}

/* Parts that have no bodies and perhaps not even states. */
Test(wiring, every_integrator_advances_elements_alone) {
  static const struct {
    const char *method;
    double step;
  } rows[] = {{"erk", 0}, {"radau", 0}, {"ida", 0}, {"cvode", 0}, {"euler", 1e-5}, {"symplectic_euler", 1e-5}};
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
    exchange_fixture *w = i % 2 == 0 ? exchange_fixture_read_springs() : exchange_fixture_read_crane();
    w->p.definition.options.integrator.method = rows[i / 2].method;
    w->p.definition.options.integrator.step = rows[i / 2].step;
    if (i % 2 == 0) {
      set_orders(w, "K", 2, 2);
      set_orders(w, "k2", 2, 2);
    }
    w->p.definition.options.macro_step = 1e-4;
    start(&w->p);
    advance(&w->p, 100);
    const double error = error_of(&w->p);
    cr_expect_lt(error, 0.05, "%s, %zu: %g", rows[i / 2].method, i % 2, error);
    exchange_fixture_free(w);
  }
}

/* What the whole gains is what its couplings create. */
Test(wiring, energies_of_couplings_are_what_the_whole_gains) {
  for (int kind = 0; kind < 3; kind++) {
    exchange_fixture *w = kind == 0   ? exchange_fixture_read_springs()
                          : kind == 1 ? exchange_fixture_read(masses)
                                      : exchange_fixture_read_crane();
    if (kind < 2)
      set_orders(w, "K", 0, 1);
    w->subsystems[1].steps = 2;
    w->p.definition.options.integrator.rtol = 1e-10;
    start(&w->p);
    const mbs_energy first = mbs_energy_of(w->p.workspace, cosim_state(w->p.run));
    advance(&w->p, 100);
    const mbs_energy last = mbs_energy_of(w->p.workspace, cosim_state(w->p.run));
    const double gain = last.total + last.dissipated - last.driven - first.total;
    double created = 0;
    for (size_t k = 0; k < cosim_n_couplings(w->p.run); k++)
      created += cosim_coupling_created(w->p.run, k);
    cr_expect_float_eq(gain, created, 1e-3 * fabs(gain), "kind %d: %g, %g", kind, gain, created);
    cr_expect_neq(gain, 0);
    exchange_fixture_free(w);
  }
}

/* ---- Model-based correction ---- */

Test(wiring, the_model_based_correction_raises_the_order) {
  const cosim_model_based_def def = cosim_default_model_based_def();
  exchange_fixture *w = exchange_fixture_read(masses);
  set_orders(w, "K", 0, 0);
  w->p.definition.model_based = &def;
  const double coarse = error_at_macro_step(&w->p, 1e-3, 0.2);
  const double fine = error_at_macro_step(&w->p, 2.5e-4, 0.2);
  cr_expect_gt(log(coarse / fine) / log(4), 1.7, "%g, %g", coarse, fine);
  exchange_fixture_free(w);
}

enum { MAX_SIGNALS = 32, MAX_STATE = 256 };

/* Outputs after a macro step of 10 ms from `state`, with an input changed by `change`. */
static void answer(cosim_part *part, const double *state, int input, double change, double *outputs) {
  const double *now = cosim_multibody_view_of(part).inputs;
  cosim_signal inputs[MAX_SIGNALS];
  for (int i = 0; i < part->n_inputs; i++)
    inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{now[i] + (i == input ? change : 0)}}};
  const cosim_step step = {.H = 0.01, .inputs = inputs};
  cr_assert_eq(part->ops->advance(part, &step, outputs, NULL, NULL), SEAM_OK);
  part->ops->restore(part, state);
}

/* The same, along a constant change of 1. */
static void derive(cosim_part *part, const double *state, int input, double *outputs, double *derivatives) {
  const double *now = cosim_multibody_view_of(part).inputs;
  cosim_signal inputs[MAX_SIGNALS];
  for (int i = 0; i < part->n_inputs; i++)
    inputs[i] = (cosim_signal){.n_pieces = 1, .c = {{now[i]}}};
  const cosim_seed seed = {input, {.n_pieces = 1, .c = {{1}}}};
  const cosim_step step = {.H = 0.01, .inputs = inputs, .n_seeds = 1, .seeds = &seed};
  cr_assert_eq(part->ops->advance(part, &step, outputs, derivatives, NULL), SEAM_OK);
  part->ops->restore(part, state);
}

/* The hydraulics evaluate a cylinder between bodies of others: received motions change its pressures, and these the
 * wrenches. */
Test(wiring, a_cylinder_answers_received_motions_through_its_pressures) {
  exchange_fixture *w = exchange_fixture_read_crane();
  w->p.definition.options.integrator.rtol = 1e-11;
  start(&w->p);
  cosim_part *part = w->p.run->partition.parts[1];
  double state[MAX_STATE];
  double outputs[MAX_SIGNALS];
  double derivatives[MAX_SIGNALS];
  double y[2][MAX_SIGNALS];
  cr_assert(part->gives_derivatives && part->n_inputs <= MAX_SIGNALS && part->n_outputs <= MAX_SIGNALS);
  cr_assert_leq(part->n_state, MAX_STATE);
  part->ops->save(part, state);
  for (int input = 0; input < part->n_inputs; input++) {
    const double h = 1e-5;
    double largest = 0;
    double error = 0;
    derive(part, state, input, outputs, derivatives);
    answer(part, state, input, -h, y[0]);
    answer(part, state, input, h, y[1]);
    for (int i = 0; i < part->n_outputs; i++) {
      const double slope = (y[1][i] - y[0][i]) / (2 * h);
      largest = fmax(largest, fabs(slope));
      error = fmax(error, fabs(derivatives[i] - slope));
    }
    cr_expect_leq(error, 1e-4 * largest + 1e-3, "input %d: %g of %g", input, error, largest);
  }
  exchange_fixture_free(w);
}

/* ---- Control of the macro step ---- */

Test(wiring, the_step_follows_the_energies) {
  const cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-4);
  exchange_fixture *w = exchange_fixture_read(masses);
  seam_error error = {0};
  set_orders(w, "K", 0, 0);
  w->p.definition.step_control = &control;
  w->p.definition.options.macro_step = 1e-5;
  expect_no_start(&w->p, "passes through 'K', above 0");
  w->p.definition.options.energy_scale = 1e4;
  start(&w->p);
  while (cosim_state(w->p.run)->t < 0.1)
    cr_assert_eq(cosim_advance_controlled(w->p.run, 0.1, &error), SEAM_OK, "%s", error.message);
  const cosim_statistics count = cosim_statistics_of(w->p.run);
  cr_expect_eq(cosim_state(w->p.run)->t, 0.1);
  cr_expect_gt(count.longest, 5e-5);
  cr_expect_lt(count.longest, 1e-2);
  cr_expect_lt(count.macro_steps, 5000);
  exchange_fixture_free(w);
}

/* Exact derivatives hold for steps of any length, identified ones do not. */
Test(wiring, the_model_based_correction_stands_beside_step_control) {
  const cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-4);
  const cosim_model_based_def def = cosim_default_model_based_def();
  double error_with[2];
  for (int corrected = 0; corrected < 2; corrected++) {
    exchange_fixture *w = exchange_fixture_read(masses);
    seam_error error = {0};
    set_orders(w, "K", 0, 0);
    w->p.definition.step_control = &control;
    w->p.definition.options.macro_step = 1e-5;
    w->p.definition.options.energy_scale = 1e4;
    w->p.definition.model_based = corrected ? &def : NULL;
    start(&w->p);
    while (cosim_state(w->p.run)->t < 0.2)
      cr_assert_eq(cosim_advance_controlled(w->p.run, 0.2, &error), SEAM_OK, "%s", error.message);
    const cosim_statistics count = cosim_statistics_of(w->p.run);
    cr_expect_gt(count.longest, 5 * count.shortest);
    error_with[corrected] = error_of(&w->p);
    exchange_fixture_free(w);
  }
  cr_expect_lt(error_with[1], 0.2 * error_with[0], "%g, %g", error_with[0], error_with[1]);
  exchange_fixture *w = exchange_fixture_read(masses);
  w->p.definition.step_control = &control;
  w->p.definition.model_based = &def;
  w->p.definition.options.energy_scale = 1e4;
  w->p.definition.options.integrator.method = "radau";
  set_orders(w, "K", 0, 0);
  expect_no_start(&w->p, "'A' gives none");
  exchange_fixture_free(w);
}

/* The error of the least exact hold is that of the whole. */
Test(wiring, the_step_is_controlled_for_the_least_order_of_the_holds) {
  static const int orders[][3] = {{0, 2, 0}, {2, 0, 0}, {1, 2, 1}, {3, 1, 1}};
  const cosim_step_control control = cosim_default_step_control(COSIM_PREDICTION_INDICATOR, 1e-4);
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    exchange_fixture *w = exchange_fixture_read(masses);
    set_orders(w, "K", orders[i][0], orders[i][1]);
    w->p.definition.step_control = &control;
    start(&w->p);
    cr_expect_eq(w->p.run->control.rule.order, orders[i][2], "%zu: %d", i, w->p.run->control.rule.order);
    exchange_fixture_free(w);
  }
}

Test(wiring, an_endless_number_of_steps_is_refused) {
  const cosim_step_control control = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-25);
  exchange_fixture *w = exchange_fixture_read(masses);
  seam_error error = {0};
  set_orders(w, "K", 0, 0);
  w->p.definition.step_control = &control;
  w->p.definition.options.energy_scale = 1e4;
  start(&w->p);
  cr_expect(cosim_coupling_of(w->p.run, 0).is_exchanged);
  while (cosim_advance_controlled(w->p.run, 0.1, &error) == SEAM_OK)
    cr_assert_lt(cosim_statistics_of(w->p.run).macro_steps, 1000);
  cr_expect_eq(error.status, SEAM_NOT_CONVERGED);
  cr_expect_not_null(strstr(error.message, "a larger 'tolerance', or set 'shortest'"), "%s", error.message);
  exchange_fixture_free(w);
}

Test(wiring, local_errors_control_no_exchange) {
  const cosim_step_control control = cosim_default_step_control(COSIM_ERROR_INDICATOR, 1e-4);
  exchange_fixture *w = exchange_fixture_read(masses);
  set_orders(w, "K", 0, 0);
  w->p.definition.step_control = &control;
  expect_no_start(&w->p, "repeats macro steps");
  exchange_fixture_free(w);
}

Test(wiring, orders_of_holds_out_of_range_are_refused) {
  const int orders[][2] = {{1, -1}, {-1, 1}, {0, 9}, {1000000, 0}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    exchange_fixture *w = exchange_fixture_read(masses);
    set_orders(w, "K", orders[i][0], orders[i][1]);
    expect_no_start(&w->p, "take 0 to 4");
    exchange_fixture_free(w);
  }
}

/* ---- One scheme name, one method ---- */

/* The master couples "-explicit" whatever else the file holds; what it cannot do is refused with the exchange's name.
 */
Test(wiring, explicit_schemes_are_refused_where_only_the_exchange_can_couple) {
  const cosim_model_based_def model_based = cosim_default_model_based_def();
  const cosim_energy_correction_def energy = {.bond = "K", .mu = 0.5, .limit = 1};
  const char *const listed[] = {"K"};
  for (int reason = 0; reason < 5; reason++) {
    exchange_fixture *w = exchange_fixture_read(masses);
    w->p.definition.options.constitutive_scheme = "df-k1-explicit";
    w->subsystems[0].steps = reason == 0 ? 2 : 1;
    w->subsystems[0].forces = listed;
    w->subsystems[0].n_forces = reason == 1;
    w->p.definition.model_based = reason == 2 ? &model_based : NULL;
    w->p.definition.energy_corrections = &energy;
    w->p.definition.n_energy_corrections = reason == 3;
    if (reason == 4)
      set_orders(w, "K", 0, 0)->scheme = NULL;
    expect_no_start(&w->p, "write 'df-k1-exchange'");
    w->p.definition.options.constitutive_scheme = "df-k1-exchange";
    start(&w->p);
    cr_expect(cosim_coupling_of(w->p.run, 0).is_exchanged);
    exchange_fixture_free(w);
  }
}
