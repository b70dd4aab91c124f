/* The format: what the keys of a right file mean. */
#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/model_file.h"
#include "tests/support/engine.h"
#include "tests/support/model_reader.h"

static void expect_pose(const seam_model_file *file, const char *body, double x, double y, double phi) {
  const mbs_model *model = seam_model_mechanism(file);
  const size_t i = mbs_find_body(model, body);
  cr_assert_neq(i, SEAM_NONE, "%s", body);
  mbs_state *state = new_state(model);
  cr_expect_float_eq(state->q[3 * i], x, 1e-15, "%s.x: %.17g", body, state->q[3 * i]);
  cr_expect_float_eq(state->q[3 * i + 1], y, 1e-15, "%s.y: %.17g", body, state->q[3 * i + 1]);
  cr_expect_float_eq(state->q[3 * i + 2], phi, 1e-15, "%s.phi: %.17g", body, state->q[3 * i + 2]);
  mbs_state_destroy(state);
}

static double kinetic_energy(const seam_model_file *file) {
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  const double energy = mbs_energy_of(workspace, state).kinetic;
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  return energy;
}

/* ---- Head -------------------------------------------------------------------------------------------------------- */

#define BODY "bodies: {a: {mass: 2, inertia: 1}}\n"

Test(format, name_defaults_to_the_stem_of_the_file) {
  seam_model_file *file = NULL;
  const char text[] = "seam: 1\n" BODY;
  cr_assert_eq(seam_model_file_parse("dir.d/my.model.yaml", text, sizeof text - 1, NULL, 0, &file, NULL), SEAM_OK);
  cr_expect_str_eq(seam_model_name(file), "my.model");
  seam_model_file_destroy(file);
}

Test(format, name) {
  seam_model_file *file = read_model("seam: 1\nname: arm\n" BODY, NULL);
  cr_expect_str_eq(seam_model_name(file), "arm");
  seam_model_file_destroy(file);
}

Test(format, json_is_a_model_file) {
  seam_model_file *file = read_model("{\"seam\": 1, \"bodies\": {\"a\": {\"mass\": 1, \"inertia\": 2}}}", NULL);
  cr_expect_eq(mbs_n_bodies(seam_model_mechanism(file)), 1);
  seam_model_file_destroy(file);
}

Test(format, decimal_point_in_every_locale) {
  const char *set = setlocale(LC_ALL, "de_DE.UTF-8"); /* where it is not installed the test says little */
  seam_model_file *file = read_model("seam: 1\n" BODY "simulate: {end: 2.5}\n", NULL);
  cr_expect_eq(seam_model_simulation(file)->end, 2.5, "%s", set ? set : "");
  seam_model_file_destroy(file);
}

/* ---- Bodies ------------------------------------------------------------------------------------------------------ */

Test(format, rod_gives_pose_and_inertia) {
  seam_model_file *file = read_model("seam: 1\npoints: {P: [1, 1]}\n"
                                     "bodies: {a: {rod: [P, [1, 4]], mass: 2, rate: 2}}\n",
                                     NULL);
  expect_pose(file, "a", 1, 2.5, acos(0));
  cr_expect_float_eq(kinetic_energy(file), 0.5 * (2 * 9 / 12.0) * 4, 1e-14);
  seam_model_file_destroy(file);
}

Test(format, inertia_overrides_that_of_a_rod) {
  seam_model_file *file =
      read_model("seam: 1\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 2, inertia: 3, rate: 2}}\n", NULL);
  cr_expect_float_eq(kinetic_energy(file), 6, 1e-14);
  seam_model_file_destroy(file);
}

Test(format, body_with_a_pose) {
  seam_model_file *file = read_model("seam: 1\nparameters: {x: 3}\n"
                                     "bodies: {a: {mass: 2, inertia: 1, at: [x, -x], angle: 90*deg, "
                                     "velocity: [3, 4], rate: 2}}\n",
                                     NULL);
  expect_pose(file, "a", 3, -3, acos(0));
  cr_expect_float_eq(kinetic_energy(file), 25 + 2, 1e-14);
  seam_model_file_destroy(file);
}

Test(format, body_at_a_point) {
  seam_model_file *file = read_model("seam: 1\npoints: {P: [1, 2]}\nbodies: {a: {mass: 1, inertia: 1, at: P}}\n", NULL);
  expect_pose(file, "a", 1, 2, 0);
  seam_model_file_destroy(file);
}

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

/* Wrench on the first body of a force in the state of the file. */
static void wrench_of(const seam_model_file *file, const char *force, double wrench[3]) {
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  mbs_force_wrench(workspace, state, mbs_find_force(model, force), wrench);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
}

#define MASS_AT_3 "seam: 1\nbodies: {a: {mass: 1, inertia: 1, at: [3, 0], velocity: [2, 0]}}\nforces:\n"

Test(format, spring_between_points) {
  seam_model_file *file = read_model(MASS_AT_3 "  S: {type: spring_damper, bodies: [ground, a], "
                                               "at: [[0, 0], [3, 0]], stiffness: 10, damping: 1, length: 1}\n",
                                     NULL);
  double wrench[3];
  wrench_of(file, "S", wrench);
  cr_expect_float_eq(wrench[0], 10 * 2 + 2, 1e-14);
  seam_model_file_destroy(file);
}

Test(format, spring_between_own_frames) {
  seam_model_file *file = read_model(MASS_AT_3 "  S: {type: spring_damper, bodies: [ground, a], "
                                               "at: {a: [0, 0], ground: [1, 0]}, stiffness: 10, length: 0}\n",
                                     NULL);
  double wrench[3];
  wrench_of(file, "S", wrench);
  cr_expect_float_eq(wrench[0], 20, 1e-14);
  seam_model_file_destroy(file);
}

Test(format, law_of_distance_and_rate) {
  seam_model_file *file = read_model("parameters: {k: 7}\n" MASS_AT_3
                                     "  S: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [3, 0]], "
                                     "length: 1, force: k*s^2 + v}\n",
                                     NULL);
  double wrench[3];
  wrench_of(file, "S", wrench);
  cr_expect_float_eq(wrench[0], 7 * 4 + 2, 1e-13);
  seam_model_file_destroy(file);
}

Test(format, rest_length_is_the_initial_one) {
  seam_model_file *file = read_model(
      MASS_AT_3 "  S: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [3, 0]], stiffness: 10}\n", NULL);
  double wrench[3];
  wrench_of(file, "S", wrench);
  cr_expect_eq(wrench[0], 0);
  seam_model_file_destroy(file);
}

Test(format, every_type_of_element) {
  seam_model_file *file = read_model(
      "seam: 1\n"
      "points: {O: [0, 0], P: [1, 0], Q: [2, 0]}\n"
      "bodies:\n"
      "  a: {rod: [O, P], mass: 1}\n"
      "  b: {rod: [P, Q], mass: 1}\n"
      "  c: {mass: 1, inertia: 1, at: Q}\n"
      "joints:\n"
      "  R: {type: revolute, bodies: [ground, a], at: O}\n"
      "  F: {type: fixed, bodies: [a, b], at: [1, 0], angle: 0}\n"
      "  T: {type: prismatic, bodies: [ground, c], at: {ground: [2, 0], c: [0, 0]}, axis: [0, 1], angle: 0}\n"
      "forces:\n"
      "  viscous: {type: viscous, bodies: [a, b], damping: [1, 1, 0]}\n"
      "  one: {type: viscous, body: c, damping: [1, 1, 1]}\n"
      "  spring: {type: spring_damper, bodies: [b, c], at: [P, Q], axis: [0, 1], damping: 1}\n"
      "  torsion: {type: torsion, bodies: [a, c], stiffness: 1, damping: 1, angle: 0.5}\n"
      "  law: {type: torsion, bodies: [a, c], torque: sin(s) + v^3}\n"
      "  bushing: {type: bushing, bodies: [a, b], at: P, stiffness: [1, 1, 1], law: consistent}\n"
      "  push: {type: force, body: c, y: \"if(t < 1, t, 1)\", frame: body}\n"
      "  pull: {type: force, bodies: [c], at: {c: [1, 0]}, x: 1, frame: global}\n"
      "  drive: {type: torque, body: a, torque: cos(t)}\n",
      NULL);
  const mbs_model *model = seam_model_mechanism(file);
  cr_expect_eq(mbs_n_bodies(model), 3);
  cr_expect_eq(mbs_n_joints(model), 3);
  cr_expect_eq(mbs_n_forces(model), 10);
  seam_model_file_destroy(file);
}

Test(format, hydraulic_cylinders) {
  seam_model_file *file = read_model(
      "seam: 1\n"
      "bodies:\n"
      "  a: {mass: 1, inertia: 1, at: [2, 0]}\n"
      "forces:\n"
      "  lift: {type: hydraulic_cylinder, bodies: [ground, a], at: [[0, 0], [2, 0]], area: 2, cylinder_length: 1,\n"
      "         length: 2.1, dissipation: 3, discharge: 0.7, density: 850, pump: 9, tank: 1, bulk: [0.1, -1e-3],\n"
      "         valve_area: 4, spool: 0.5 + t, pressures: [3, 4.5]}\n",
      NULL);
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  cr_assert_eq(mbs_n_states(model), 2);
  cr_expect_eq(state->z[0], 3);
  cr_expect_eq(state->z[1], 4.5);
  state->v[0] = 0.1;
  cr_expect_float_eq(mbs_force_push(workspace, state, 0), 2 * 1.5 - 3 * 0.1, 1e-15);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  seam_model_file_destroy(file);
}

/* ---- Documentation ----------------------------------------------------------------------------------------------- */

Test(format, the_example_of_the_documentation_reads) {
  static const char begin[] = "```yaml\n";
  char page[50000] = "";
  FILE *stream = fopen(SEAM_SOURCE_DIR "/docs/model-file.md", "r");
  cr_assert_not_null(stream);
  page[fread(page, 1, sizeof page - 1, stream)] = '\0';
  fclose(stream);
  char *example = strstr(page, begin);
  cr_assert_not_null(example);
  example += strlen(begin);
  *strstr(example, "```") = '\0';
  seam_model_file *file = read_model(example, NULL);
  cr_expect_str_eq(seam_model_name(file), "crane");
  seam_model_file_destroy(file);
}

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

Test(format, parameters_in_any_order) {
  seam_model_file *file = read_model("seam: 1\nparameters: {a: b + 1, b: 2*c, c: 3}\n"
                                     "bodies: {m: {mass: a, inertia: 1, at: [a, b + c]}}\n",
                                     NULL);
  expect_pose(file, "m", 7, 9, 0);
  seam_model_file_destroy(file);
}

Test(format, law_variables_hide_parameters_of_their_name) {
  seam_model_file *file = read_model("parameters: {s: 100}\n" MASS_AT_3
                                     "  S: {type: spring_damper, bodies: [ground, a], at: [[0, 0], [3, 0]], "
                                     "length: 1, force: s}\n",
                                     NULL);
  double wrench[3];
  wrench_of(file, "S", wrench);
  cr_expect_float_eq(wrench[0], 2, 1e-14);
  seam_model_file_destroy(file);
}

/* ---- Simulate ---------------------------------------------------------------------------------------------------- */

Test(format, no_simulation) {
  seam_model_file *file = read_model("seam: 1\n" BODY, NULL);
  cr_expect(isnan(seam_model_simulation(file)->end));
  seam_model_file_destroy(file);
}

Test(format, simulation_defaults) {
  seam_model_file *file = read_model("seam: 1\n" BODY "simulate: {end: 4}\n", NULL);
  const seam_simulation *simulation = seam_model_simulation(file);
  const mbs_integrator_options defaults = mbs_default_integrator_options();
  cr_expect_eq(simulation->end, 4);
  cr_expect_eq(simulation->output_step, 0.004);
  cr_expect_str_eq(simulation->integrator.method, "erk");
  cr_expect_eq(simulation->integrator.order, defaults.order);
  cr_expect_eq(simulation->integrator.rtol, defaults.rtol);
  cr_expect_eq(simulation->integrator.atol, defaults.atol);
  cr_expect_eq(simulation->integrator.step, 0);
  cr_expect_eq(simulation->integrator.largest_step, INFINITY);
  seam_model_file_destroy(file);
}

Test(format, simulation) {
  seam_model_file *file = read_model("seam: 1\n" BODY "simulate: {end: 4, output_step: 0.5, integrator: erk, order: 5, "
                                     "rtol: 1e-3, atol: 1e-4, step: 1e-2, largest_step: 0.1}\n",
                                     NULL);
  const seam_simulation *simulation = seam_model_simulation(file);
  cr_expect_eq(simulation->output_step, 0.5);
  cr_expect_eq(simulation->integrator.order, 5);
  cr_expect_eq(simulation->integrator.rtol, 1e-3);
  cr_expect_eq(simulation->integrator.atol, 1e-4);
  cr_expect_eq(simulation->integrator.step, 1e-2);
  cr_expect_eq(simulation->integrator.largest_step, 0.1);
  seam_model_file_destroy(file);
}

/* ---- Co-simulation ----------------------------------------------------------------------------------------------- */

#define TWO_PARTS                                                                                                      \
  "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"                                            \
  "joints: {J: {type: revolute, bodies: [a, b], at: [0, 0]}}\n"                                                        \
  "forces: {M: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1, 1, 1]}}\n"

Test(format, cosim_defaults) {
  seam_model_file *file =
      read_model(TWO_PARTS "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-3, scheme: ff-k1}\n", NULL);
  const cosim_definition *cosim = cosim_builder_definition(seam_model_cosim(file));
  cr_assert_not_null(cosim);
  cr_expect_eq(cosim->n_subsystems, 2);
  cr_expect_str_eq(cosim->subsystems[1].name, "r");
  cr_expect_str_eq(cosim->subsystems[1].bodies[0], "b");
  cr_expect_eq(cosim->options.macro_step, 1e-3);
  cr_expect_str_eq(cosim->options.constitutive_scheme, "ff-k1");
  cr_expect_str_eq(cosim->options.constraint_scheme, "ff-k1");
  cr_expect_eq(cosim->options.sequence, COSIM_JACOBI);
  cr_expect_not(cosim->options.exact_history);
  cr_expect_eq(cosim->options.integrator.step, 0);
  cr_expect_eq(cosim->options.implicit_tolerance, 1e-10);
  cr_expect_eq(cosim->options.implicit_iterations, 20);
  seam_model_file_destroy(file);
}

Test(format, cosim) {
  seam_model_file *file =
      read_model(TWO_PARTS "cosim:\n"
                           "  subsystems: {l: [a], r: [b]}\n"
                           "  macro_step: 2e-3\n"
                           "  scheme: {constitutive: ff-d-k2, constraint: \"ff-baumgarte(index=2,mu=5)-k1\"}\n"
                           "  couplings: {J: {scheme: dd-projection-k0}}\n"
                           "  sequence: gauss-seidel\n"
                           "  history: exact\n"
                           "  integrator: erk\n"
                           "  rtol: 1e-6\n"
                           "  atol: 1e-7\n"
                           "  micro_step: 1e-4\n"
                           "  implicit: {tolerance: 1e-6, iterations: 5}\n",
                 NULL);
  const cosim_definition *cosim = cosim_builder_definition(seam_model_cosim(file));
  cr_expect_str_eq(cosim->options.constitutive_scheme, "ff-d-k2");
  cr_expect_str_eq(cosim->options.constraint_scheme, "ff-baumgarte(index=2,mu=5)-k1");
  cr_expect_eq(cosim->n_coupling_options, 1);
  cr_expect_str_eq(cosim->coupling_options[0].element, "J");
  cr_expect_str_eq(cosim->coupling_options[0].scheme, "dd-projection-k0");
  cr_expect_eq(cosim->options.sequence, COSIM_GAUSS_SEIDEL);
  cr_expect(cosim->options.exact_history);
  cr_expect_eq(cosim->options.integrator.rtol, 1e-6);
  cr_expect_eq(cosim->options.integrator.atol, 1e-7);
  cr_expect_eq(cosim->options.integrator.step, 1e-4);
  cr_expect_eq(cosim->options.implicit_tolerance, 1e-6);
  cr_expect_eq(cosim->options.implicit_iterations, 5);
  seam_model_file_destroy(file);
}

/* ---- The effective model ----------------------------------------------------------------------------------------- */

Test(format, json_has_evaluated_numbers_and_laws_as_text) {
  seam_model_file *file = read_model("seam: 1\nparameters: {m: 1/4}\nbodies: {a: {mass: 2*m, inertia: 0.1}}\n"
                                     "forces: {T: {type: torque, body: a, torque: m*sin(t)}}\n",
                                     NULL);
  cr_expect_str_eq(seam_model_json(file),
                   "{\n"
                   "  \"seam\": 1,\n"
                   "  \"parameters\": {\n"
                   "    \"m\": 0.25\n"
                   "  },\n"
                   "  \"bodies\": {\n"
                   "    \"a\": {\"mass\": 0.5, \"inertia\": 0.1}\n"
                   "  },\n"
                   "  \"forces\": {\n"
                   "    \"T\": {\"type\": \"torque\", \"body\": \"a\", \"torque\": \"m*sin(t)\"}\n"
                   "  }\n"
                   "}",
                   "%s", seam_model_json(file));
  cr_expect_eq(seam_model_json(file), seam_model_json(file), "it is made once");
  seam_model_file_destroy(file);
}

/* Names may hold whole values of parameters wherever they stand. */
Test(format, names_hold_values_of_parameters) {
  seam_model_file *file =
      read_model("seam: 1\nparameters: {N: 3}\npoints: {\"P{N}\": [N, 0]}\n"
                 "bodies: {\"b{N}\": {mass: 1, inertia: 1, at: \"P{N}\"}}\n"
                 "forces: {\"f{N - 1}\": {type: force, body: \"b{N}\", at: \"P{N}\", x: 0, y: \"b{N}.vx\"}}\n"
                 "stop: \"b{N}.x > 9\"\n",
                 (const char *const[]){"parameters.N=5", NULL});
  const mbs_model *model = seam_model_mechanism(file);
  cr_expect_str_eq(mbs_body_of(model, 0).name, "b5");
  cr_expect_str_eq(mbs_force_of(model, 0).name, "f4");
  seam_model_file_destroy(file);
}
