/* Opening and loading of FMUs: each one that cannot be used is named, and no folder stays behind. */
#include "fmi/library.h"

#include <criterion/criterion.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/unit_fmu.h"

/* Unpacked FMUs lie in a folder of the test. */
static void enter(void) {
  char here[4096], path[4104];
  enter_scratch();
  cr_assert_not_null(getcwd(here, sizeof here));
  snprintf(path, sizeof path, "%s/tmp", here);
  mkdir(path, 0700);
  setenv("TMPDIR", path, 1);
}

TestSuite(library, .init = enter, .fini = leave_scratch);

static int count_folders(void) {
  int n = 0;
  DIR *listing = opendir("tmp");
  while (readdir(listing) != NULL)
    n++;
  closedir(listing);
  return n - 2;
}

Test(library, what_is_unpacked_is_private_and_removed) {
  const unit_options options = default_unit_options(FMI_2);
  fmi_fmu *fmu = NULL;
  write_unit("unit.fmu", &options);
  cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, NULL), SEAM_OK);
  cr_assert_eq(count_folders(), 1);
  DIR *listing = opendir("tmp");
  const struct dirent *entry = readdir(listing);
  while (entry->d_name[0] == '.')
    entry = readdir(listing);
  struct stat about;
  char path[512];
  snprintf(path, sizeof path, "tmp/%.300s", entry->d_name);
  cr_assert_eq(stat(path, &about), 0);
  cr_expect_eq(about.st_mode & 0777, 0700);
  closedir(listing);
  cr_assert_eq(fmi_fmu_load(fmu, NULL), SEAM_OK);
  fmi_fmu_close(fmu);
  cr_expect_eq(count_folders(), 0);
}

static void expect_unopened(const char *message, seam_status status) {
  fmi_fmu *fmu = NULL;
  seam_error error = {0};
  cr_expect_eq(fmi_fmu_open("unit.fmu", &fmu, &error), status);
  cr_expect_str_eq(error.message, message);
  cr_expect_null(fmu);
  cr_expect_eq(count_folders(), 0);
}

Test(library, what_is_no_fmu_is_named) {
  unit_options options = default_unit_options(FMI_2);
  options.without_description = true;
  write_unit("unit.fmu", &options);
  expect_unopened("unit.fmu: not an FMU: it has no modelDescription.xml", SEAM_BAD_INPUT);
  write_text("unit.fmu", "text");
  expect_unopened("unit.fmu: not a zip archive", SEAM_BAD_INPUT);
  remove("unit.fmu");
  expect_unopened("unit.fmu: No such file or directory", SEAM_NO_FILE);
}

static void expect_unloaded(const char *message) {
  fmi_fmu *fmu = NULL;
  seam_error error = {0};
  cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, NULL), SEAM_OK);
  cr_expect_eq(fmi_fmu_load(fmu, &error), SEAM_BAD_INPUT);
  cr_expect(has(error.message, message), "%s", error.message);
  fmi_fmu_close(fmu);
  cr_expect_eq(count_folders(), 0);
}

Test(library, what_cannot_be_loaded_is_named) {
  unit_options options = default_unit_options(FMI_2);
  options.without_binary = true;
  write_unit("unit.fmu", &options);
  expect_unloaded("unit.fmu: it has no binary for this machine (binaries/");
  options = default_unit_options(FMI_2);
  options.is_bare = true;
  write_unit("unit.fmu", &options);
  expect_unloaded("has no function fmi2GetFMUstate, which its modelDescription.xml promises");
}

/* A binary that is no binary. */
Test(library, a_text_is_no_binary) {
  const unit_options options = default_unit_options(FMI_3);
  fmi_fmu *fmu = NULL;
  write_unit("unit.fmu", &options);
  cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, NULL), SEAM_OK);
  fmi_fmu_close(fmu);
  static const char text[] = "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">"
                             "<CoSimulation modelIdentifier=\"m\"/><ModelVariables><Float64 name=\"t\" "
                             "valueReference=\"0\"/></ModelVariables><ModelStructure/></fmiModelDescription>";
  char name[128];
  snprintf(name, sizeof name, "binaries/%s/m.so", fmi_platform(FMI_3));
  const fmi_entry entries[] = {{"modelDescription.xml", text, sizeof text - 1}, {name, "text", 4}};
  cr_assert_eq(fmi_archive_write("unit.fmu", entries, 2, NULL), SEAM_OK);
  expect_unloaded("unit.fmu: its binary cannot be loaded: ");
}

/* Its outputs would stay at their start; a triggered one need not tick. */
Test(library, a_clock_that_waits_for_the_importer_is_refused) {
  static const char text[] = "<fmiModelDescription fmiVersion=\"3.0\" modelName=\"m\" instantiationToken=\"t\">"
                             "<CoSimulation modelIdentifier=\"m\" hasEventMode=\"true\"/><ModelVariables>"
                             "<Float64 name=\"y\" valueReference=\"0\" causality=\"output\" clocks=\"1\"/>"
                             "<Clock name=\"tick\" valueReference=\"1\" causality=\"input\" "
                             "intervalVariability=\"%s\" intervalDecimal=\"0.1\"/>"
                             "</ModelVariables><ModelStructure/></fmiModelDescription>";
  char name[128], description[600];
  snprintf(name, sizeof name, "binaries/%s/m.so", fmi_platform(FMI_3));
  for (int is_triggered = 0; is_triggered < 2; is_triggered++) {
    snprintf(description, sizeof description, text, is_triggered ? "triggered" : "constant");
    const fmi_entry entries[] = {{"modelDescription.xml", description, strlen(description)}, {name, "text", 4}};
    cr_assert_eq(fmi_archive_write("unit.fmu", entries, 2, NULL), SEAM_OK);
    expect_unloaded(is_triggered ? "unit.fmu: its binary cannot be loaded: "
                                 : "unit.fmu: its clock 'tick' waits for the importer, and Seam activates no clocks: "
                                   "export it without input clocks");
  }
}

/* Names of versions stand whole, and their numbers are no fractions: 2.9 is older than 2.34, 2.2.5 than 2.3. */
Test(library, a_binary_needs_the_newest_glibc_that_it_names) {
  static const char binary[] = "ELF\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.2.5\0GLIBC_PRIVATE\0f@GLIBC_2.99\0GLIBC_2.";
  cr_expect_eq(fmi_needed_glibc(binary, sizeof binary), 34);
  cr_expect_eq(fmi_needed_glibc(binary, strlen("ELF GLIBC_2.9 GLIBC_2.3")), 9);
  cr_expect_eq(fmi_needed_glibc("ELF\0GLIBC_2.2.5", 15), 2);
  cr_expect_eq(fmi_needed_glibc("ELF", 3), 0);
}

Test(library, equal_fmus_have_one_identity) {
  unit_options options = default_unit_options(FMI_2);
  fmi_fmu *fmu[3] = {0};
  for (int i = 0; i < 3; i++) {
    options.step = i < 2 ? 0.1 : 0.2;
    write_unit("unit.fmu", &options);
    cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu[i], NULL), SEAM_OK);
    cr_assert_eq(fmi_fmu_load(fmu[i], NULL), SEAM_OK);
  }
  cr_expect_eq(fmi_fmu_identity(fmu[0]), fmi_fmu_identity(fmu[1]));
  cr_expect_neq(fmi_fmu_identity(fmu[0]), fmi_fmu_identity(fmu[2]));
  for (int i = 0; i < 3; i++)
    fmi_fmu_close(fmu[i]);
}

static void expect_taken(fmi_instance *instance, const fmi_fmu *fmu, const char *name, double number) {
  cr_expect_eq(fmi_instance_set(instance, fmi_find_variable(fmi_fmu_description(fmu), name), &number, 1, NULL), SEAM_OK,
               "%s", name);
}

Test(library, a_variable_takes_the_numbers_of_its_type) {
  for (fmi_version version = FMI_2; version <= FMI_3; version++) {
    const unit_options options = default_unit_options(version);
    const fmi_instance_def def = {.name = "unit"};
    const double greater = 2147483648;
    fmi_fmu *fmu = NULL;
    fmi_instance *instance = NULL;
    seam_error error = {0};
    write_unit("unit.fmu", &options);
    cr_assert_eq(fmi_fmu_open("unit.fmu", &fmu, NULL), SEAM_OK);
    cr_assert_eq(fmi_fmu_load(fmu, NULL), SEAM_OK);
    cr_assert_eq(fmi_instance_create(fmu, &def, &instance, NULL), SEAM_OK);
    expect_taken(instance, fmu, "k", 5e9);
    expect_taken(instance, fmu, "fail_at", INFINITY);
    expect_taken(instance, fmu, "divisions", 2147483647);
    expect_taken(instance, fmu, "divisions", -2147483648.0);
    const size_t divisions = fmi_find_variable(fmi_fmu_description(fmu), "divisions");
    cr_expect_eq(fmi_instance_set(instance, divisions, &greater, 1, &error), SEAM_BAD_INPUT);
    cr_expect(strstr(error.message, ", from -2147483648 to 2147483647, not 2147483648") != NULL, "%s", error.message);
    fmi_instance_destroy(instance);
    fmi_fmu_close(fmu);
  }
}
