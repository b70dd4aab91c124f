/* The catalogue: every file is as it stands in the folder, reads and assembles; geometry and forces of single ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/model_file.h"
#include "tests/support/engine.h"
#include "tests/support/model_reader.h"

static seam_model_file *read_entry(const char *name, const char *override) {
  const char *text = seam_catalogue_text(name);
  cr_assert_not_null(text, "%s", name);
  return read_model(text, (const char *const[]){override, NULL});
}

Test(catalogue, names_in_alphabetical_order) {
  static const char *const names[] = {"bouncing_ball",
                                      "brake",
                                      "cam_follower",
                                      "cart_pole",
                                      "cart_pole_sampled",
                                      "coupled_pendula",
                                      "crane_winch",
                                      "double_pendulum",
                                      "excavator",
                                      "four_bar_bushing",
                                      "four_bar_fixed",
                                      "geneva",
                                      "hard_bouncing_ball",
                                      "hydraulic_crane",
                                      "motor_slider_crank",
                                      "multiple_oscillator",
                                      "nonlinear_oscillator",
                                      "pendulum_chain",
                                      "planetary_gear",
                                      "quarter_car",
                                      "quarter_car_nonlinear",
                                      "quarter_car_road",
                                      "quarter_car_signals_1",
                                      "quarter_car_signals_2",
                                      "rocking_block",
                                      "rope_slack_chain",
                                      "slider_crank",
                                      "slider_crank_clearance",
                                      "slider_crank_friction",
                                      "spring_mass",
                                      "squeezer",
                                      "stick_slip",
                                      "tackle",
                                      "two_component_linear",
                                      "two_mass_mbcorr",
                                      "two_mass_mbcorr_nonlinear",
                                      "two_mass_oscillator",
                                      "two_mass_soft_contact",
                                      "wagon_buffers",
                                      "woodpecker"};
  cr_assert_eq(seam_catalogue_size(), sizeof names / sizeof *names);
  for (size_t i = 0; i < seam_catalogue_size(); i++)
    cr_expect_str_eq(seam_catalogue_name(i), names[i]);
}

Test(catalogue, unknown_names) {
  cr_expect_null(seam_catalogue_text("five_bar"));
  cr_expect_null(seam_catalogue_name(seam_catalogue_size()));
}

Test(catalogue, texts_are_those_of_the_files) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *text = seam_catalogue_text(seam_catalogue_name(i));
    char path[512];
    snprintf(path, sizeof path, SEAM_SOURCE_DIR "/models/catalogue/%s.yaml", seam_catalogue_name(i));
    FILE *stream = fopen(path, "rb");
    cr_assert_not_null(stream, "%s", path);
    char *bytes = calloc(1, 100000);
    const size_t length = fread(bytes, 1, 99999, stream);
    fclose(stream);
    cr_expect_eq(strlen(text), length);
    cr_expect_str_eq(text, bytes);
    free(bytes);
  }
}

Test(catalogue, every_model_opens_with_what_it_is_and_its_source) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *text = seam_catalogue_text(seam_catalogue_name(i));
    const char *head = strstr(text, "\nseam: 2\n");
    const char *origin = strstr(text, "\n# Source: ");
    cr_expect_eq(text[0], '#');
    cr_expect(origin && head && origin < head, "%s", seam_catalogue_name(i));
  }
}

Test(catalogue, every_model_has_its_name_and_sections) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    seam_model_file *file = read_entry(seam_catalogue_name(i), NULL);
    cr_expect_str_eq(seam_model_name(file), seam_catalogue_name(i));
    cr_expect(seam_model_simulation(file)->end > 0);
    cr_expect(seam_model_cosim(file) == NULL || cosim_builder_definition(file->cosim)->n_subsystems == 2);
    seam_model_file_destroy(file);
  }
}

Test(catalogue, every_model_assembles_where_its_file_puts_it) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    seam_model_file *file = read_entry(seam_catalogue_name(i), NULL);
    mbs_state *state = new_state(seam_model_mechanism(file));
    mbs_workspace *workspace = new_workspace(seam_model_mechanism(file));
    mbs_assembly report = {0};
    seam_error error = {0};
    cr_expect_eq(mbs_assemble(workspace, state, &report, NULL, &error), SEAM_OK, "%s: %s", seam_catalogue_name(i),
                 error.message);
    cr_expect_lt(report.largest_move, 1e-14, "%s", seam_catalogue_name(i));
    cr_expect_lt(report.largest_velocity_correction, 1e-12, "%s", seam_catalogue_name(i));
    cr_expect_eq(report.n_redundant, 0, "%s", seam_catalogue_name(i));
    mbs_workspace_destroy(workspace);
    mbs_state_destroy(state);
    seam_model_file_destroy(file);
  }
}

Test(catalogue, effective_models_read_back_to_themselves) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    seam_model_file *file = read_entry(seam_catalogue_name(i), NULL);
    seam_model_file *again = read_model(seam_model_json(file), NULL);
    cr_expect_str_eq(seam_model_json(file), seam_model_json(again));
    seam_model_file_destroy(file);
    seam_model_file_destroy(again);
  }
}

/* ---- Single models ----------------------------------------------------------------------------------------------- */

static double initial(const seam_model_file *file, const char *body, size_t coordinate) {
  mbs_state *state = new_state(seam_model_mechanism(file));
  const double value = state->q[3 * mbs_find_body(seam_model_mechanism(file), body) + coordinate];
  mbs_state_destroy(state);
  return value;
}

static void expect_four_bar(const char *name) {
  seam_model_file *file = read_entry(name, NULL);
  cr_expect_float_eq(initial(file, "bar1", 2), 0.7853981633974483, 1e-15);
  cr_expect_float_eq(initial(file, "bar2", 2), 0.6930279763625159, 1e-15);
  cr_expect_float_eq(initial(file, "bar3", 2), 0.6930279763625159, 1e-15);
  cr_expect_float_eq(initial(file, "bar4", 2), 1.447616603676505, 1e-15);
  seam_model_file_destroy(file);
}

Test(catalogue, geometry_of_four_bar_bushing) { expect_four_bar("four_bar_bushing"); }
Test(catalogue, geometry_of_four_bar_fixed) { expect_four_bar("four_bar_fixed"); }

Test(catalogue, four_bar_closes_for_another_distance) {
  seam_model_file *file = read_entry("four_bar_fixed", "parameters.base=2.4");
  const double end[2] = {initial(file, "bar3", 0) + cos(initial(file, "bar3", 2)) / 2,
                         initial(file, "bar3", 1) + sin(initial(file, "bar3", 2)) / 2};
  cr_expect_float_eq(hypot(end[0] - 2.4, end[1]), 2, 1e-14);
  cr_expect_gt(end[1], 0);
  seam_model_file_destroy(file);
}

Test(catalogue, chain_of_any_length) {
  seam_model_file *file = read_entry("pendulum_chain", "parameters.N=100");
  cr_expect_eq(mbs_n_bodies(seam_model_mechanism(file)), 100);
  cr_expect_eq(mbs_n_joints(seam_model_mechanism(file)), 100);
  cr_expect_eq(cosim_builder_definition(file->cosim)->subsystems[0].n_bodies, 50);
  cr_expect_eq(initial(file, "link100", 0), 99.5);
  seam_model_file_destroy(file);
}

/* After the manoeuvre, as found from the equations in the angles of both links by the classical Runge-Kutta method with
 * steps of 0.1 ms, on its own and with the spool rounded as printed. */
Test(catalogue, motion_of_the_hydraulic_crane) {
  seam_model_file *file = read_entry("hydraulic_crane", "parameters.k0=0.45434559");
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  mbs_integrator *integrator = NULL;
  cr_assert_eq(mbs_assemble(workspace, state, NULL, NULL, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, &seam_model_simulation(file)->integrator, &integrator, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_advance(integrator, 10, state, NULL), SEAM_OK);
  cr_expect_float_eq(state->q[2], 0.45196887, 1e-8);
  cr_expect_float_eq(state->z[0], 3157710.75, 0.05);
  cr_expect_float_eq(state->z[1], 4542289.51, 0.05);
  mbs_integrator_destroy(integrator);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  seam_model_file_destroy(file);
}

/* J ω' = i (T - d i ω) of the carrier: ω = T/(d i) (1 - exp(-t/τ)), τ = J/(d i²), with the sun i = 1 + z_r/z_s times as
 * fast. */
Test(catalogue, the_planetary_gear_runs_up_to_the_speed_of_its_motor) {
  seam_model_file *file = read_entry("planetary_gear", NULL);
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  mbs_integrator *integrator = NULL;
  const double i = 1 + 52.0 / 20;
  const double planet = 1 - 52.0 / 16;
  const double J = 2e-5 * i * i + 9e-5 + 2e-3 + 0.06 * 0.018 * 0.018 + 8e-6 * planet * planet;
  const double tau = J / (2e-4 * i * i);
  cr_assert_eq(mbs_assemble(workspace, state, NULL, NULL, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_create(model, &seam_model_simulation(file)->integrator, &integrator, NULL), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, NULL), SEAM_OK);
  for (int k = 1; k <= 4; k++) {
    cr_assert_eq(mbs_integrator_advance(integrator, 0.5 * k, state, NULL), SEAM_OK);
    cr_expect_float_eq(state->v[3 * mbs_find_body(model, "carrier") + 2], 0.06 / (2e-4 * i) * (1 - exp(-0.5 * k / tau)),
                       1e-7);
  }
  mbs_integrator_destroy(integrator);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  seam_model_file_destroy(file);
}

/* The wrench on the first body, here the ground, is opposite to the force on mass 2. */
Test(catalogue, force_of_the_soft_stop) {
  seam_model_file *file = read_entry("two_mass_soft_contact", NULL);
  const mbs_model *model = seam_model_mechanism(file);
  mbs_state *state = new_state(model);
  mbs_workspace *workspace = new_workspace(model);
  state->q[3 * mbs_find_body(model, "m2")] = 1.2;
  double wrench[3];
  mbs_force_wrench(workspace, state, mbs_find_force(model, "stop"), wrench);
  cr_expect_float_eq(wrench[0], 0.01 * exp(10 * (1.2 - 1)), 1e-15);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(state);
  seam_model_file_destroy(file);
}
