/* What is in an exported FMU. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/fmu.h>
#include <seam/models.h>

#include "tests/support/command.h"
#include "tests/support/fmu_host.h"

TestSuite(archives, .init = enter_scratch, .fini = leave_scratch);

/* ---- Bytes ---- */

static const char road[] = "seam: 1\n"
                           "name: road\n"
                           "tables: {height: {file: road.csv}}\n"
                           "bodies: {cart: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                           "forces: {push: {type: force, body: cart, at: [0, 0], x: height(u), y: 0}}\n"
                           "fmu: {inputs: {u: 0}, outputs: [cart.ax]}\n";

Test(archives, the_same_arguments_give_the_same_bytes) {
  for (int i = 0; i < 2; i++) {
    outcome result =
        expect_success(SEAM("export", "four_bar_bushing", "--subsystem", "left", "-o", i == 0 ? "one.fmu" : "two.fmu"));
    outcome_free(&result);
  }
  cr_assert(is_same_file("one.fmu", "two.fmu"));
}

/* The time of an export grows with the size of the model, not with its square. */
Test(archives, an_fmu_of_60_000_bodies, .timeout = 120) {
  write_text("row.yaml", "seam: 2\nname: row\nbodies: {b0: {mass: 1, inertia: 1}}\n"
                         "repeat: [{for: {i: [1, 59999]}, bodies: {\"b{i}\": {mass: 1, inertia: 1}}}]\n");
  outcome result = expect_success(SEAM("export", "row.yaml", "-o", "row.fmu"));
  outcome_free(&result);
}

/* ---- Descriptions ---- */

static const fmi_variable *variable(const fmu_host *host, const char *name) {
  const size_t found = fmi_find_variable(host->says, name);
  cr_assert_neq(found, SEAM_NONE, "%s", name);
  return &host->says->variables[found];
}

Test(archives, a_subsystem_has_the_ports_of_its_scheme) {
  const char *text = seam_catalogue_text("four_bar_bushing");
  fmu_host host = fmu_host_open(text, (const char *const[]){"cosim.scheme=fd-k1", NULL}, "left", 3);
  cr_assert_eq(variable(&host, "M.torque")->causality, FMI_INPUT);
  cr_assert_str_eq(variable(&host, "M.torque")->unit, "Nm");
  cr_assert_eq(variable(&host, "M.alpha")->causality, FMI_OUTPUT);
  cr_assert_eq(fmi_find_variable(host.says, "M.other.x"), SEAM_NONE);
  cr_assert(host.says->capabilities.can_get_and_set_state && host.says->capabilities.can_serialize_state);
  cr_assert(host.says->capabilities.intermediate_update && host.says->capabilities.variable_step);
  fmu_host_close(&host);
  host = fmu_host_open(text, (const char *const[]){"cosim.scheme=fd-k1", NULL}, "right", 2);
  cr_assert_eq(variable(&host, "M.other.omega")->causality, FMI_INPUT);
  cr_assert_eq(variable(&host, "M.torque")->causality, FMI_OUTPUT);
  /* It begins where the other side's marker is. */
  cr_assert_float_eq(variable(&host, "M.other.x")->start[0], fmu_get_2(&host, fmu_start_2(&host), "M.x"), 1e-14);
  fmu_host_close(&host);
}

/* ---- Files that the model names ---- */

Test(archives, tables_of_files_go_along) {
  write_text("road.csv", "0,0\n1,2\n2,8\n");
  write_text("road.yaml", road);
  outcome result =
      expect_success(SEAM("export", "road.yaml", "--set", "tables.height.interpolation=linear", "-o", "road.fmu"));
  outcome_free(&result);
  remove("road.csv");
  fmu_host host = fmu_host_load("road.fmu", 2);
  fmi2_component instance = fmu_start_2(&host);
  fmu_set_2(&host, instance, "u", 1.5);
  cr_assert_eq(host.fmi2.DoStep(instance, 0, 0.1, FMI2_FALSE), FMI2_OK);
  cr_assert_float_eq(fmu_get_2(&host, instance, "cart.ax"), 5, 1e-12);
  host.fmi2.FreeInstance(instance);
  fmu_host_close(&host);
}

/* ---- Refusals ---- */

Test(archives, what_cannot_be_exported_is_refused) {
  expect_refused_untouched(SEAM("export", "four_bar_bushing"),
                           "seam: say where the FMU is to be written: -o NAME.fmu\n");
  expect_refused_untouched(SEAM("export", "four_bar_bushing", "-o", "one.zip"),
                           "seam: -o one.zip: the name of an FMU must end with .fmu\n");
  expect_refused_untouched(SEAM("export", "four_bar_bushing", "--fmi", "1", "-o", "one.fmu"),
                           "seam: --fmi 1: there are FMI 2 and 3: write 2 or 3\n");
  expect_refused_untouched(SEAM("export", "four_bar_bushing", "--subsystem", "leff", "-o", "one.fmu"),
                           "the model's 'cosim' has no subsystem 'leff'; did you mean 'left'?\n");
  cr_assert_not(file_exists("one.fmu"));
  write_text("servo.yaml", "seam: 1\n"
                           "bodies: {arm: {mass: 1, inertia: 1, at: [0, 0]}}\n"
                           "joints: {drive: {type: motion, of: phi, body: arm, law: target}}\n"
                           "fmu: {inputs: {target: 0}, outputs: [arm.phi]}\n");
  expect_refused_untouched(
      SEAM("export", "servo.yaml", "-o", "one.fmu"),
      "servo.yaml:3:57: error: 'law' in joint 'drive' may depend on t only, not on the quantity 'target'\n"
      "joints: {drive: {type: motion, of: phi, body: arm, law: target}}\n"
      "                                                        ^\n"
      "use a torsion with angle: 0 and torque: \"k*(s - target) + d*v\" instead, which lags by about d/k\n");
}
