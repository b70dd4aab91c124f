/* Tables of results: columns, units and rows. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/models.h>
#include <seam/results.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/cosim_fixture.h"
#include "tests/support/model_reader.h"

static void expect_unit(const seam_table *table, const char *name, const char *unit) {
  const size_t column = seam_table_find(table, name);
  cr_assert_neq(column, SEAM_NONE, "%s", name);
  cr_expect_str_eq(seam_table_column(table, column)->unit, unit, "%s", name);
}

static double value(const seam_table *table, const double *row, const char *name) {
  const size_t column = seam_table_find(table, name);
  cr_assert_neq(column, SEAM_NONE, "%s", name);
  return row[column];
}

Test(results, a_trajectory_has_bodies_reactions_states_and_energies) {
  static const char *const units[][2] = {{"time", "s"}, {"energy.driven", "J"}};
  cosim_fixture f = cosim_fixture_read("hydraulic_crane", NULL);
  seam_table *table = NULL;
  cr_assert_eq(seam_trajectory_table_create(f.model, &table, NULL), SEAM_OK);
  const char *body = mbs_body_of(f.model, 0).name;
  cr_expect_str_eq(seam_table_column(table, 0)->name, "time");
  cr_expect_str_eq(seam_table_column(table, 3)->element, body);
  cr_expect_str_eq(seam_table_column(table, 3)->quantity, "phi");
  cr_expect_str_eq(seam_table_column(table, 6)->unit, "rad/s");
  for (size_t i = 0; i < sizeof units / sizeof *units; i++)
    expect_unit(table, units[i][0], units[i][1]);
  const size_t first_state = 1 + 6 * mbs_n_bodies(f.model) + 3 * mbs_n_joints(f.model);
  cr_expect_str_eq(seam_table_column(table, first_state)->quantity, "p1");
  cr_expect_str_eq(seam_table_column(table, first_state)->unit, "Pa");
  cr_expect_eq(seam_table_find(table, "missing.x"), SEAM_NONE);
  seam_table_destroy(table);
  cosim_fixture_free(&f);
}

static void expect_columns(const mbs_model *model, const char *list, const char *const *names) {
  seam_table *table = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_trajectory_table_choose(model, list, &table, &error), SEAM_OK, "%s", error.message);
  size_t n = 0;
  for (; names[n] != NULL; n++)
    cr_expect_str_eq(seam_table_column(table, n)->name, names[n]);
  cr_expect_eq(seam_table_n_columns(table), n);
  seam_table_destroy(table);
}

static void expect_no_columns(const mbs_model *model, const char *list, const char *message) {
  seam_table *table = NULL;
  seam_error error = {0};
  cr_expect_eq(seam_trajectory_table_choose(model, list, &table, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message, "%s", error.message);
  cr_expect_null(table);
}

#define NAMES(...)                                                                                                     \
  (const char *const[]) { __VA_ARGS__, NULL }

Test(results, columns_by_names) {
  cosim_fixture f = cosim_fixture_read("hydraulic_crane", NULL);
  const mbs_model *model = f.model;
  expect_columns(model, "link1.alpha,lift.rate,time,link1.alpha", NAMES("time", "link1.alpha", "lift.rate"));
  expect_columns(model, "load.x,energy",
                 NAMES("time", "load.x", "energy.kinetic", "energy.potential", "energy.total", "energy.dissipated",
                       "energy.driven"));
  expect_no_columns(model, "link1.x,lnk1.y", "unknown column 'lnk1.y'; did you mean 'link1.y'?");
  expect_no_columns(model, "link1.zz",
                    "unknown column 'link1.zz'; 'link1' offers x, y, phi, vx, vy, omega, ax, ay, "
                    "alpha, kinetic, potential");
  expect_no_columns(model, "link1.x,",
                    "unknown column ''; columns are default, all, ELEMENT or ELEMENT.QUANTITY, between commas");
  cosim_fixture_free(&f);
}

/* All columns hold the default ones, to the bit. */
Test(results, all_columns_hold_the_default_ones) {
  cosim_fixture f = cosim_fixture_read("slider_crank", NULL);
  seam_table *tables[2] = {NULL};
  double *rows[2];
  cr_assert_eq(mbs_evaluate(f.workspace, f.state, NULL), SEAM_OK);
  for (int i = 0; i < 2; i++) {
    cr_assert_eq(seam_trajectory_table_choose(f.model, i == 0 ? "default" : "all", &tables[i], NULL), SEAM_OK);
    rows[i] = calloc(seam_table_n_columns(tables[i]), sizeof *rows[i]);
    cr_assert_eq(seam_trajectory_row(tables[i], f.workspace, f.state, rows[i], NULL), SEAM_OK);
  }
  cr_expect_gt(seam_table_n_columns(tables[1]), seam_table_n_columns(tables[0]));
  for (size_t i = 0; i < seam_table_n_columns(tables[0]); i++)
    cr_expect_eq(rows[0][i], value(tables[1], rows[1], seam_table_column(tables[0], i)->name), "%zu", i);
  for (int i = 0; i < 2; i++) {
    free(rows[i]);
    seam_table_destroy(tables[i]);
  }
  cosim_fixture_free(&f);
}

Test(results, a_row_is_the_state) {
  cosim_fixture f = cosim_fixture_read("double_pendulum", NULL);
  seam_table *table = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_trajectory_table_create(f.model, &table, NULL), SEAM_OK);
  double *row = calloc(seam_table_n_columns(table), sizeof *row);
  f.state->t = 0.25;
  cr_assert_eq(seam_trajectory_row(table, f.workspace, f.state, row, &error), SEAM_OK, "%s", error.message);
  const mbs_energy energy = mbs_energy_of(f.workspace, f.state);
  cr_expect_eq(row[0], 0.25);
  cr_expect_eq(row[1 + 6 + 1], f.state->q[4]);
  cr_expect_eq(row[1 + 6 + 5], f.state->v[5]);
  cr_expect_eq(value(table, row, "energy.potential"), energy.potential);
  f.state->v[4] = NAN;
  cr_expect_eq(seam_trajectory_row(table, f.workspace, f.state, row, &error), SEAM_NOT_FINITE);
  cr_expect_not_null(strstr(error.message, ".vy is not finite"), "%s", error.message);
  free(row);
  seam_table_destroy(table);
  cosim_fixture_free(&f);
}

/* Also where joints of several kinds, laws of time and states of force elements are in it. */
Test(results, reactions_and_energies_in_a_row_are_those_asked_for_alone) {
  static const char *const models[] = {"four_bar_fixed", "slider_crank", "hydraulic_crane"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
    cosim_fixture f = cosim_fixture_read(models[i], NULL);
    seam_table *table = NULL;
    seam_error error = {0};
    cr_assert_eq(seam_trajectory_table_create(f.model, &table, NULL), SEAM_OK);
    double *row = calloc(seam_table_n_columns(table), sizeof *row);
    cr_assert_eq(mbs_evaluate(f.workspace, f.state, &error), SEAM_OK, "%s", error.message);
    cr_assert_eq(seam_trajectory_row(table, f.workspace, f.state, row, &error), SEAM_OK, "%s", error.message);
    for (size_t j = 0; j < mbs_n_joints(f.model); j++) {
      double wrench[3];
      mbs_reaction(f.workspace, f.state, j, wrench);
      for (size_t k = 0; k < 3; k++)
        cr_expect_float_eq(row[1 + 6 * mbs_n_bodies(f.model) + 3 * j + k], wrench[k], 1e-12 * (1 + fabs(wrench[k])),
                           "%s: joint %s, %zu", models[i], mbs_joint_of(f.model, j).name, k);
    }
    const mbs_energy energy = mbs_energy_of(f.workspace, f.state);
    cr_expect_eq(value(table, row, "energy.kinetic"), energy.kinetic);
    cr_expect_eq(value(table, row, "energy.total"), energy.total);
    free(row);
    seam_table_destroy(table);
    cosim_fixture_free(&f);
  }
}

/* Energies of interfaces are the sums of their columns. */
/* A model whose bodies have these names. */
static seam_model_file *model_of(const char *const names[2]) {
  char text[256];
  snprintf(text, sizeof text,
           "seam: 1\nbodies:\n  %s: {mass: 1, inertia: 1, at: [0, 0]}\n  %s: {mass: 1, inertia: 1, at: [0, 0]}\n",
           names[0], names[1]);
  return read_model(text, NULL);
}

Test(results, names_become_identifiers_and_elements_stay) {
  seam_model_file *file = model_of((const char *const[]){"left-arm", "_1"});
  seam_table *table = NULL;
  cr_assert_eq(seam_trajectory_table_create(seam_model_mechanism(file), &table, NULL), SEAM_OK);
  cr_assert_eq(seam_table_use_identifiers(table, NULL), SEAM_OK);
  static const char *const expected[][3] = {{"time", "time", ""},
                                            {"left_arm_x", "left-arm", "x"},
                                            {"x_1_omega", "_1", "omega"},
                                            {"energy_total", "energy", "total"}};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const seam_column *column = seam_table_column(table, seam_table_find(table, expected[i][0]));
    cr_assert_not_null(column, "%s", expected[i][0]);
    cr_expect_str_eq(column->element, expected[i][1]);
    cr_expect_str_eq(column->quantity, expected[i][2]);
  }
  cr_expect_eq(seam_table_find(table, "left-arm.x"), SEAM_NONE);
  seam_table_destroy(table);
  seam_model_file_destroy(file);
}

Test(results, identifiers_that_would_be_the_same_are_refused) {
  seam_model_file *file = model_of((const char *const[]){"arm-1", "arm_1"});
  seam_table *table = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_trajectory_table_create(seam_model_mechanism(file), &table, NULL), SEAM_OK);
  cr_expect_eq(seam_table_use_identifiers(table, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'arm-1.x' and 'arm_1.x' would both be named 'arm_1_x'"), "%s",
                     error.message);
  cr_expect_str_eq(seam_table_column(table, 1)->name, "arm-1.x");
  seam_table_destroy(table);
  seam_model_file_destroy(file);
}

Test(results, couplings_have_wrenches_residuals_and_energies) {
  cosim_fixture f = cosim_fixture_read("double_pendulum", NULL);
  cosim_simulation *simulation = NULL;
  seam_table *table = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_create(seam_model_cosim(f.file), &simulation, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_start(simulation, f.state, &error), SEAM_OK, "%s", error.message);
  for (int i = 0; i < 20; i++)
    cr_assert_eq(cosim_advance(simulation, 1e-3, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_couplings_table_create(f.model, simulation, &table, NULL), SEAM_OK);
  double *row = calloc(seam_table_n_columns(table), sizeof *row);
  char name[64];
  seam_couplings_row(table, 0.02, row);
  double wrench[2][3];
  double g[3];
  double gd[3];
  double gdd[3];
  cosim_coupling_wrenches(simulation, 0, wrench);
  cr_expect_eq(cosim_coupling_residuals(simulation, 0, g, gd, gdd), 2);
  snprintf(name, sizeof name, "%s.lambda_y", cosim_coupling_of(simulation, 0).name);
  cr_expect_eq(value(table, row, name), wrench[0][1]);
  snprintf(name, sizeof name, "%s.gdd_y", cosim_coupling_of(simulation, 0).name);
  cr_expect_eq(value(table, row, name), gdd[1]);
  expect_unit(table, name, "m/s2");
  snprintf(name, sizeof name, "%s.created_energy", cosim_coupling_of(simulation, 0).name);
  cr_expect_eq(value(table, row, name), seam_interface_energy_of(simulation).created);
  cr_expect_eq(row[0], 0.02);
  free(row);
  seam_table_destroy(table);
  cosim_destroy(simulation);
  cosim_fixture_free(&f);
}
