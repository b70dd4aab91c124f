/* The format of explicit co-simulation: what the keys of a right file mean. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_reader.h"

/* Every key once. */
static const char complete[] =
    "seam: 1\n"
    "parameters: {k: 2}\n"
    "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}, c: {mass: 1, inertia: 1}}\n"
    "forces:\n"
    "  M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}\n"
    "  S: {type: torsion, bodies: [b, c], stiffness: 1}\n"
    "  thrust: {type: force, body: a, x: 0}\n"
    "cosim:\n"
    "  macro_step: 1e-2\n"
    "  rtol: 1e-6\n"
    "  scheme: fd-k1-exchange\n"
    "  subsystems:\n"
    "    left: [a]\n"
    "    right: {bodies: [b], macro_step: k/2000, integrator: radau, atol: 1e-7}\n"
    "    rest: {bodies: [c], forces: [S]}\n"
    "    driver:\n"
    "      inputs: [v]\n"
    "      states: {x: k/4, w: 1}\n"
    "      rates: {x: w, w: -k*x + v}\n"
    "      outputs: {force: -k*x, power: \"min(w, t)\"}\n"
    "      integrals: {impulse: v}\n"
    "      integrator: rk4\n"
    "      micro_step: 1e-3\n"
    "  signals:\n"
    "    - {from: driver.force, to: left.thrust.fx, gain: k/4, order: k, rate: driver.power, "
    "smooth: true}\n"
    "    - {from: left.a.vx, to: driver.v}\n"
    "  bonds:\n"
    "    drive: {ports: [{input: driver.v, output: driver.force}, {input: left.thrust.fx, "
    "output: left.a.vx, sign: -0.5}]}\n"
    "    other: {ports: [{input: driver.v, output: driver.force}, {input: left.thrust.fx, "
    "output: left.a.vx}], energy_scale: 3*k}\n"
    "  couplings:\n"
    "    M: {orders: {force: 0, motion: 1}, smooth: true}\n"
    "    S: {orders: {force: 2, motion: 2}}\n"
    "  corrections:\n"
    "    energy:\n"
    "      - {coupling: M, mu: auto, nu: 0.5, limit: 0.2}\n"
    "      - {bond: drive, subsystem: left, mu: 1/k}\n"
    "    balance: {input: left.thrust.fx, integral: driver.impulse, spread: 2, shape: smooth}\n"
    "    model_based: {alpha: 1/k, lags: 3, tolerance: 1e-4, memory: 0.9, excitation: 0.1, knowledge: 0.7}\n"
    "  step_control: {method: predictor, tolerance: 1e-6, shortest: 1e-4, longest: 0.1, "
    "safety: 0.7, shrinkage: 0.3, growth: 1.2, relative_weight: 0.5, prediction_order: 3, "
    "energy_scale: 750}\n";

static seam_model_file *file;
static const cosim_definition *cosim;

static void read_complete(void) {
  file = read_model(complete, NULL);
  cosim = cosim_builder_definition(seam_model_cosim(file));
}

static void leave(void) { seam_model_file_destroy(file); }

TestSuite(format_cosim, .init = read_complete, .fini = leave);

Test(format_cosim, macro_steps_and_integrators_of_subsystems) {
  cr_assert_eq(cosim->n_subsystems, 4);
  cr_expect_eq(cosim->subsystems[0].steps, 1);
  cr_expect_null(cosim->subsystems[0].integrator);
  cr_expect_eq(cosim->subsystems[1].steps, 10);
  cr_assert_not_null(cosim->subsystems[1].integrator);
  cr_expect_str_eq(cosim->subsystems[1].integrator->method, "radau");
  cr_expect_eq(cosim->subsystems[1].integrator->atol, 1e-7);
  cr_expect_eq(cosim->subsystems[1].integrator->rtol, 1e-6, "what it leaves out is that of all");
}

Test(format_cosim, force_elements_of_subsystems) {
  cr_expect_eq(cosim->subsystems[0].n_forces, 0);
  cr_assert_eq(cosim->subsystems[2].n_forces, 1);
  cr_expect_str_eq(cosim->subsystems[2].forces[0], "S");
  cr_expect_eq(cosim->subsystems[2].n_bodies, 1);
}

Test(format_cosim, list_names_bodies_and_forces) {
  const char *const list[] = {"cosim.subsystems.rest=[S, c]", NULL};
  seam_model_file *other = read_model(complete, list);
  const cosim_subsystem_def *rest = &cosim_builder_definition(seam_model_cosim(other))->subsystems[2];
  cr_assert(rest->n_bodies == 1 && rest->n_forces == 1);
  cr_expect_str_eq(rest->bodies[0], "c");
  cr_expect_str_eq(rest->forces[0], "S");
  seam_model_file_destroy(other);
}

Test(format_cosim, equations_have_named_inputs_and_outputs) {
  const cosim_user_part *own = cosim->subsystems[3].user;
  cr_assert_not_null(own);
  cr_expect_null(cosim->subsystems[0].user);
  cosim_part *part = NULL;
  cr_assert_eq(own->create(own->context, &part, NULL), SEAM_OK);
  cr_expect_eq(part->n_inputs, 1);
  cr_expect_eq(part->n_outputs, 3);
  cr_expect_str_eq(own->inputs[0], "v");
  cr_expect_str_eq(own->outputs[0], "force");
  cr_expect_str_eq(own->outputs[2], "impulse");
  double y[3];
  part->ops->get_outputs(part, y);
  cr_expect_eq(y[0], -1);
  cr_expect_eq(y[1], 0);
  part->ops->destroy(part);
}

Test(format_cosim, signals) {
  cr_assert_eq(cosim->n_signals, 2);
  const cosim_connection_def *first = &cosim->signals[0];
  cr_expect_str_eq(first->from, "driver.force");
  cr_expect_str_eq(first->to, "left.thrust.fx");
  cr_expect_str_eq(first->rate, "driver.power");
  cr_expect(first->gain == 0.5 && first->order == 2 && first->smooth);
  const cosim_connection_def *second = &cosim->signals[1];
  cr_expect(second->gain == 1 && second->order == 0 && !second->smooth && !second->rate);
}

Test(format_cosim, bonds) {
  cr_assert_eq(cosim->n_bonds, 2);
  const cosim_bond_def *drive = &cosim->bonds[0];
  cr_expect_str_eq(drive->name, "drive");
  cr_assert_eq(drive->n_ports, 2);
  cr_expect_eq(drive->ports[0].sign, 1);
  cr_expect_eq(drive->ports[1].sign, -0.5);
  cr_expect_str_eq(drive->ports[1].output, "left.a.vx");
  cr_expect_eq(drive->energy_scale, 750, "that of the step control");
  cr_expect_eq(cosim->bonds[1].energy_scale, 6);
}

Test(format_cosim, orders_of_couplings) {
  cr_assert_eq(cosim->n_coupling_options, 2);
  const cosim_coupling_options *M = &cosim->coupling_options[0];
  cr_expect_null(M->scheme);
  cr_expect(M->has_orders && M->force_order == 0 && M->motion_order == 1 && M->smooth);
  cr_expect(cosim->coupling_options[1].has_orders && !cosim->coupling_options[1].smooth);
}

Test(format_cosim, energy_corrections) {
  cr_assert_eq(cosim->n_energy_corrections, 2);
  const cosim_energy_correction_def *at_coupling = &cosim->energy_corrections[0];
  cr_expect_str_eq(at_coupling->bond, "M");
  cr_expect_null(at_coupling->part);
  cr_expect(isnan(at_coupling->mu) && at_coupling->nu == 0.5 && at_coupling->limit == 0.2);
  const cosim_energy_correction_def *at_bond = &cosim->energy_corrections[1];
  cr_expect_str_eq(at_bond->bond, "drive");
  cr_expect_str_eq(at_bond->part, "left");
  cr_expect(at_bond->mu == 0.5 && at_bond->nu == 0 && at_bond->limit == 0.1);
}

Test(format_cosim, other_corrections) {
  cr_assert_eq(cosim->n_balance_corrections, 1);
  const cosim_balance_correction_def *balance = cosim->balance_corrections;
  cr_expect_str_eq(balance->input, "left.thrust.fx");
  cr_expect_str_eq(balance->integral, "driver.impulse");
  cr_expect(balance->spread == 2 && balance->smooth);
  const cosim_model_based_def *model_based = cosim->model_based;
  cr_assert_not_null(model_based);
  cr_expect(model_based->alpha == 0.5 && model_based->lags == 3 && model_based->tolerance == 1e-4);
  cr_expect(model_based->memory == 0.9 && model_based->excitation == 0.1 && model_based->knowledge == 0.7);
}

Test(format_cosim, step_control) {
  const cosim_step_control *control = cosim->step_control;
  cr_assert_not_null(control);
  cr_expect_eq(control->indicator, COSIM_PREDICTION_INDICATOR);
  cr_expect(control->tolerance == 1e-6 && control->relative_weight == 0.5 && control->prediction_order == 3);
  cr_expect(control->safety == 0.7 && control->shrinkage_limit == 0.3 && control->growth_limit == 1.2);
  cr_expect(control->shortest == 1e-4 && control->longest == 0.1);
  cr_expect_eq(cosim->options.energy_scale, 750);
}

/* Ten rows, at most a hundredth of the run, not below the first step. */
Test(format_cosim, step_control_starts_from_its_default) {
  static const struct {
    const char *macro_step, *output_step;
    double longest;
  } rows[] = {{"1e-3", "1e-3", 1e-2}, {"1e-3", "1", 2e-2}, {"0.1", "1e-3", 0.1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char macro_step[40];
    char output_step[40];
    snprintf(macro_step, sizeof macro_step, "cosim.macro_step=%s", rows[i].macro_step);
    snprintf(output_step, sizeof output_step, "simulate.output_step=%s", rows[i].output_step);
    const char *const changed[] = {macro_step, output_step, "simulate.end=2",
                                   "cosim.step_control={method: ecco, tolerance: 1e-3}", NULL};
    seam_model_file *other = read_model(complete, changed);
    const cosim_step_control standard = cosim_default_step_control(COSIM_ENERGY_INDICATOR, 1e-3);
    const cosim_step_control *control = cosim_builder_definition(seam_model_cosim(other))->step_control;
    cr_expect_float_eq(control->longest, rows[i].longest, 1e-15);
    cr_expect(control->indicator == standard.indicator && control->order == standard.order);
    cr_expect(control->tolerance == standard.tolerance && control->relative_weight == standard.relative_weight);
    cr_expect(control->safety == standard.safety && control->shrinkage_limit == standard.shrinkage_limit);
    cr_expect(control->growth_limit == standard.growth_limit && control->shortest == standard.shortest);
    cr_expect(control->follows_motion == standard.follows_motion && control->chooses_first == standard.chooses_first);
    cr_expect(control->before == standard.before);
    seam_model_file_destroy(other);
  }
}

static const char uncontrolled[] = "seam: 1\n"
                                   "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                                   "forces: {S: {type: torsion, bodies: [a, b], stiffness: 1}}\n"
                                   "cosim:\n"
                                   "  macro_step: 1e-2\n"
                                   "  scheme: ff-k1\n"
                                   "  subsystems: {left: [a], right: {bodies: [b], integrator: radau}}\n";

/* A tenth of what the control tolerates, unless the file gives them; absolute ones follow from them and the scales. */
Test(format_cosim, tolerances_of_subsystems_follow_the_control) {
  static const struct {
    const char *control, *given;
    double rtol, atol;
  } rows[] = {
      {"{method: error, tolerance: 1e-9}", "cosim.reuse=false", 1e-10, 0},
      {"{method: error, tolerance: 1e-9}", "cosim.rtol=1e-6", 1e-6, 0},
      {"{method: ecco, tolerance: 1e-9, energy_scale: 1}", "cosim.atol=1e-6", 1e-10, 1e-6},
      {"{method: error, tolerance: 1e-6}", "cosim.reuse=false", 1e-8, 0},
      {"{method: error, tolerance: 1e-15}", "cosim.reuse=false", 1e-13, 0},
      {"{method: predictor, tolerance: 1e-12}", "cosim.reuse=false", 1e-8, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char control[100];
    snprintf(control, sizeof control, "cosim.step_control=%s", rows[i].control);
    const char *const changed[] = {control, rows[i].given, NULL};
    seam_model_file *other = read_model(uncontrolled, changed);
    const mbs_integrator_options integrator = cosim_builder_definition(seam_model_cosim(other))->options.integrator;
    cr_expect_float_eq(integrator.rtol, rows[i].rtol, 1e-9 * rows[i].rtol, "%s: %g", rows[i].control, integrator.rtol);
    cr_expect_float_eq(integrator.atol, rows[i].atol, 1e-9 * rows[i].atol, "%s: %g", rows[i].control, integrator.atol);
    const mbs_integrator_options *own = cosim_builder_definition(seam_model_cosim(other))->subsystems[1].integrator;
    cr_assert_not_null(own);
    cr_expect_eq(own->rtol, integrator.rtol);
    seam_model_file_destroy(other);
  }
}

/* Numbers are there evaluated, repeats are gone: reading it again says the same. */
static void expect_json_reads_as_itself(const seam_model_file *written) {
  seam_model_file *again = read_model(seam_model_json(written), NULL);
  cr_expect_str_eq(seam_model_json(again), seam_model_json(written));
  seam_model_file_destroy(again);
}

Test(format_cosim, json_is_the_same_model) {
  expect_json_reads_as_itself(file);
  cr_expect_not_null(strstr(seam_model_json(file), "\"macro_step\": 0.001, \"integrator\": \"radau\""));
}

Test(format_cosim, json_has_no_repeats) {
  const char text[] = "seam: 1\n"
                      "bodies: {a1: {mass: 1, inertia: 1}, a2: {mass: 1, inertia: 1}}\n"
                      "cosim:\n"
                      "  macro_step: 1\n"
                      "  subsystems: {all: {for: {i: [1, 2]}, bodies: [\"a{i}\"]}}\n"
                      "  corrections: {balance: []}\n"
                      "repeat:\n"
                      "  - for: {i: [1, 2]}\n"
                      "    cosim:\n"
                      "      subsystems: {\"m{i}\": {inputs: [u], states: {x: i}, rates: {x: i*u}, outputs: {x: x}}}\n"
                      "      signals: [{from: \"m{i}.x\", to: \"m{3 - i}.u\", gain: i}]\n"
                      "      bonds: {\"b{i}\": {ports: [{input: m1.u, output: m1.x}, {input: m2.u, output: m2.x}]}}\n"
                      "      corrections: {balance: [{input: \"m{i}.u\"}]}\n";
  seam_model_file *other = read_model(text, NULL);
  const cosim_definition *options = cosim_builder_definition(seam_model_cosim(other));
  cr_expect_eq(options->n_subsystems, 3);
  cr_expect_eq(options->subsystems[0].n_bodies, 2);
  cr_expect(options->n_signals == 2 && options->signals[1].gain == 2);
  cr_expect_str_eq(options->signals[1].to, "m1.u");
  cr_expect_eq(options->n_bonds, 2);
  cr_expect_eq(options->n_balance_corrections, 2);
  cr_expect_null(strstr(seam_model_json(other), "for"));
  cr_expect_not_null(strstr(seam_model_json(other), "{\"x\": \"(2)*u\"}"), "%s", seam_model_json(other));
  expect_json_reads_as_itself(other);
  seam_model_file_destroy(other);
}

/* Two elements cut, schemes given by `couplings` alone. */
#define TWO_CUTS                                                                                                       \
  "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"                                            \
  "forces:\n"                                                                                                          \
  "  c: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}\n"                                           \
  "  d: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}\n"                                           \
  "simulate: {end: 1}\n"

static double tolerance_of(const char *text) {
  seam_model_file *other = read_model(text, NULL);
  const cosim_step_control *control = cosim_builder_definition(seam_model_cosim(other))->step_control;
  cr_assert_not_null(control);
  cr_expect_eq(control->indicator, COSIM_ERROR_INDICATOR);
  cr_expect_eq(cosim_builder_definition(seam_model_cosim(other))->options.integrator.rtol, control->tolerance);
  cr_expect(cosim_builder_collocates(seam_model_cosim(other)));
  cr_expect_str_eq(seam_model_left_to_collocation(other), "macro_step");
  const double tolerance = control->tolerance;
  seam_model_file_destroy(other);
  return tolerance;
}

Test(format_cosim, couplings_of_collocation_need_no_macro_step) {
  cr_expect_eq(tolerance_of(TWO_CUTS "cosim: {subsystems: {A: [a], B: [b]}, couplings: {c: {scheme: ff-colloc-s2}, "
                                     "d: {scheme: fd-colloc-s1}}}\n"),
               1e-6);
  cr_expect_eq(tolerance_of(TWO_CUTS
                            "cosim: {subsystems: {A: [a], B: [b]}, step_control: {method: error, "
                            "tolerance: 1e-5}, scheme: ff-colloc-s3, couplings: {d: {scheme: fd-colloc-s1}}}\n"),
               1e-5);
}

Test(format_cosim, needs_no_bodies) {
  seam_model_file *other = read_model("seam: 1\n"
                                      "cosim: {macro_step: 1, subsystems: {a: {outputs: {x: t}}, b: {inputs: [u]}}}\n",
                                      NULL);
  cr_expect_eq(mbs_n_bodies(seam_model_mechanism(other)), 0);
  cr_expect_eq(cosim_builder_definition(seam_model_cosim(other))->n_subsystems, 2);
  seam_model_file_destroy(other);
}
