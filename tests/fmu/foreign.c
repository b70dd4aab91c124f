/* Foreign FMUs that misbehave (tests/fmu/rogue): what a user of the command sees, and what stays right. The FMU has
 * x' = p (u - x), x(0) = 0, u = 1. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmi/archive.h"
#include "fmi/library.h"
#include "tests/support/command.h"
#include "tests/support/rogue_fmu.h"
#include "tests/support/unit_system.h"

TestSuite(foreign, .init = enter_scratch, .fini = leave_scratch);

/* One FMU alone, p = 2, in 100 macro steps to t = 1 s. */
static outcome run_alone(int version, const char *mode, const char *simulate) {
  char text[512];
  write_rogue("rogue.fmu", version);
  snprintf(text, sizeof text,
           "seam: 1\nname: alone\nsimulate: {end: 1, output_step: 0.01%s}\n"
           "cosim: {macro_step: 0.01, subsystems: {f: {fmu: rogue.fmu, parameters: {mode: '%s', p: 2}}}}\n",
           simulate, mode);
  write_text("alone.yaml", text);
  return SEAM("run", "alone.yaml", "--cosim", "-o", "out");
}

/* The last row's number in a column of a file of signals; NaN: there is no such column. */
static double last_of(const char *path, const char *column) {
  char *text = read_text(path);
  const char *row = strrchr(text, '\n');
  int number = 0, at = 0;
  bool is_found = false;
  for (row = row != NULL && row[1] == '\0' ? row - 1 : row; row > text && row[-1] != '\n'; row--)
    ;
  for (char *name = text; !is_found && name < text + strcspn(text, "\n"); name += strcspn(name, ",\n") + 1, number++)
    is_found = strlen(column) == strcspn(name, ",\n") && strncmp(name, column, strlen(column)) == 0;
  for (; is_found && at < number - 1; at++)
    row += strcspn(row, ",") + 1;
  const double value = is_found ? atof(row) : NAN;
  free(text);
  return value;
}

static bool leaves_no_folder(void) {
  return system("ls -d \"$TMPDIR\"/seam-* >ls 2>/dev/null") != 0; /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
}

static void keep_folders_here(void) {
  char here[512];
  cr_assert_not_null(getcwd(here, sizeof here));
  cr_assert_eq(setenv("TMPDIR", here, 1), 0); /* NOLINT(concurrency-mt-unsafe) */
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

Test(foreign, parameters_are_set_behind_the_setup_of_the_experiment) {
  outcome result = expect_success(run_alone(2, "", ""));
  cr_assert_float_eq(last_of("out/signals.csv", "f.x"), 1 - exp(-2), 1e-9);
  outcome_free(&result);
}

Test(foreign, an_ignored_parameter_is_named) {
  outcome result = run_alone(3, "ignores", "");
  cr_assert_eq(result.exit_status, 2);
  cr_assert(has(result.err, "its parameter 'p' was set to 2 and is 1 after the initialization"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, steps_that_are_not_repeated_are_said_to_be_final) {
  outcome result = expect_success(run_alone(2, "rolls", ""));
  cr_assert_float_eq(last_of("out/signals.csv", "f.x"), 1 - exp(-2), 1e-9);
  outcome_free(&result);
}

Test(foreign, the_stop_time_and_the_tolerance_are_given) {
  outcome result = expect_success(run_alone(2, "", ", rtol: 1e-7"));
  cr_assert_eq(last_of("out/signals.csv", "f.stop"), 1);
  cr_assert_eq(last_of("out/signals.csv", "f.tolerance"), 1e-7);
  outcome_free(&result);
  result =
      expect_success(SEAM("run", "alone.yaml", "--cosim", "-o", "own", "--set", "cosim.subsystems.f.tolerance=1e-9"));
  cr_assert_eq(last_of("own/signals.csv", "f.tolerance"), 1e-9);
  outcome_free(&result);
}

/* x = u + (x0 - u) exp(-p t), x an output with an exact start. */
Test(foreign, an_output_with_an_exact_start_takes_one) {
  outcome result = run_alone(2, "", "");
  outcome_free(&result);
  result =
      expect_success(SEAM("run", "alone.yaml", "--cosim", "-o", "high", "--set", "cosim.subsystems.f.parameters.x=3"));
  cr_assert_float_eq(last_of("high/signals.csv", "f.x"), 1 + 2 * exp(-2), 1e-9);
  outcome_free(&result);
  result = SEAM("run", "alone.yaml", "--cosim", "-o", "no", "--set", "cosim.subsystems.f.parameters.stop=3");
  cr_assert(has(result.err, "'stop' of subsystem 'f' is not a parameter that takes a value"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, states_that_are_promised_and_not_given_are_done_without) {
  outcome result = expect_success(run_alone(2, "", ""));
  cr_assert(
      has(result.err,
          "its FMU declares that it saves states, but fails to: it is coupled like an FMU that cannot save states"),
      "%s", result.err);
  outcome_free(&result);
}

/* ---- Initialization ---------------------------------------------------------------------------------------------- */

/* The FMU begins with x = u. Those behind others find inputs of FMUs that have begun. */
Test(foreign, connected_inputs_are_set_in_the_initialization) {
  for (int version = 2; version <= 3; version++) {
    write_rogue("rogue.fmu", version);
    write_text("rest.yaml", "seam: 2\nname: rest\nsimulate: {end: 0.1, output_step: 0.01}\ncosim:\n"
                            "  macro_step: 0.01\n  subsystems:\n"
                            "    third: {fmu: rogue.fmu, parameters: {mode: rests}}\n"
                            "    twice: {inputs: [x], outputs: {y: 2*x}}\n"
                            "    second: {fmu: rogue.fmu, parameters: {mode: rests}}\n"
                            "    first: {fmu: rogue.fmu, parameters: {mode: rests}}\n"
                            "    source: {states: {z: 5}, rates: {z: 0}, outputs: {z: z}}\n"
                            "  signals:\n    - {from: source.z, to: first.u}\n    - {from: first.x, to: second.u}\n"
                            "    - {from: second.x, to: twice.x}\n    - {from: twice.y, to: third.u}\n");
    outcome result = expect_success(SEAM("run", "rest.yaml", "--cosim", "--check", "never", "-o", "out"));
    cr_expect_float_eq(last_of("out/signals.csv", "first.x"), 5, 1e-12, "FMI %d", version);
    cr_expect_float_eq(last_of("out/signals.csv", "second.x"), 5, 1e-12, "FMI %d", version);
    cr_expect_float_eq(last_of("out/signals.csv", "third.x"), 10, 1e-12, "FMI %d", version);
    outcome_free(&result);
  }
}

/* In a loop they begin with outputs of the initialization mode, x = 0: a with u = 3, b with u = 0. */
Test(foreign, in_a_loop_fmus_begin_with_outputs_before) {
  write_rogue("rogue.fmu", 3);
  write_text("loop.yaml", "seam: 2\nname: loop\nsimulate: {end: 0.01, output_step: 0.01}\ncosim:\n"
                          "  macro_step: 0.01\n  subsystems:\n"
                          "    a: {fmu: rogue.fmu, parameters: {mode: rests, p: 0}}\n"
                          "    b: {fmu: rogue.fmu, parameters: {mode: rests, p: 0}}\n"
                          "    o: {inputs: [x], outputs: {y: 2*x + 3}}\n"
                          "  signals: [{from: o.y, to: a.u}, {from: b.x, to: o.x}, {from: a.x, to: b.u}]\n");
  outcome result = expect_success(SEAM("run", "loop.yaml", "--cosim", "--check", "never", "-o", "out"));
  cr_expect_float_eq(last_of("out/signals.csv", "a.x"), 3, 1e-12);
  cr_expect_float_eq(last_of("out/signals.csv", "b.x"), 0, 1e-12);
  outcome_free(&result);
}

/* ---- The process ------------------------------------------------------------------------------------------------- */

static void expect_crash(const char *mode, const char *words) {
  keep_folders_here();
  outcome result = run_alone(2, mode, "");
  cr_assert_eq(result.exit_status, 1, "%s: %d", mode, result.exit_status);
  cr_assert(has(result.err, words), "%s", result.err);
  cr_assert(has(result.err, "t = 0.49 s"), "%s", result.err);
  cr_assert_float_eq(last_of("out/signals.csv", "time"), 0.49, 1e-9);
  cr_assert_float_eq(last_of("out/signals.csv", "f.x"), 1 - exp(-0.98), 1e-9);
  cr_assert(leaves_no_folder());
  outcome_free(&result);
}

Test(foreign, a_crash_ends_the_run_with_the_call_and_whole_results) {
  expect_crash("segv", "its program crashed in fmi2DoStep(), by signal 11");
  char *summary = read_text("out/summary.json");
  cr_assert(has(summary, "crashed in fmi2DoStep()"), "%s", summary);
  free(summary);
}

Test(foreign, an_abort_is_a_crash) { expect_crash("abort", "its program crashed in fmi2DoStep(), by signal 6"); }

Test(foreign, a_fault_of_arithmetic_is_a_crash) {
  expect_crash("divides", "its program crashed in fmi2DoStep(), by signal 8");
}

Test(foreign, exit_is_said_and_fails) {
  expect_crash("exit", "its program ended the process in fmi2DoStep(), by exit(0)");
}

Test(foreign, a_quick_exit_is_said_and_fails) {
  expect_crash("quick_exit", "its program ended the process in fmi2DoStep(), by exit(0)");
}

Test(foreign, a_trap_is_a_crash) { expect_crash("trap", "its program crashed in fmi2DoStep(), by signal 5"); }

/* No advice on stability, and no word of an integrator. */
Test(foreign, the_reason_of_a_failure_is_the_reason) {
  static const char *const modes[] = {"segv", "status", "fails", "still"};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
    outcome result = run_alone(strcmp(modes[i], "still") == 0 ? 3 : 2, modes[i], "");
    cr_expect_eq(result.exit_status, 1, "%s", modes[i]);
    cr_expect(!has(result.err, "unstable"), "%s: %s", modes[i], result.err);
    char *summary = read_text("out/summary.json");
    cr_expect(has(summary, "\"status\": \"an FMU failed\""), "%s: %s", modes[i], summary);
    free(summary);
    outcome_free(&result);
  }
}

Test(foreign, a_crash_behind_the_run_leaves_its_results) {
  keep_folders_here();
  outcome result = run_alone(2, "crashfree", "");
  cr_assert_eq(result.exit_status, 0, "%d %s", result.exit_status, result.err);
  cr_assert(has(result.err, "crashed in fmi2FreeInstance(), by signal 11"), "%s", result.err);
  cr_assert_float_eq(last_of("out/signals.csv", "f.x"), 1 - exp(-2), 1e-9);
  cr_assert(leaves_no_folder());
  outcome_free(&result);
}

/* Bytes of the results are those without the misdeed. */
static void expect_unchanged(const char *mode) {
  outcome plain = expect_success(run_alone(2, "", ""));
  cr_assert_eq(rename("out", "plain"), 0);
  outcome result = expect_success(run_alone(2, mode, ""));
  cr_assert(is_same_file("out/signals.csv", "plain/signals.csv"), "%s", mode);
  cr_assert(file_exists("out/summary.json"), "%s", mode);
  outcome_free(&plain);
  outcome_free(&result);
}

Test(foreign, floating_point_traps_do_not_outlive_a_call) { expect_unchanged("traps"); }
Test(foreign, a_rounding_mode_does_not_outlive_a_call) { expect_unchanged("rounds"); }
Test(foreign, a_locale_does_not_outlive_a_call) { expect_unchanged("locale"); }
Test(foreign, the_working_directory_stays) { expect_unchanged("chdir"); }

/* The end of a run is still said. */
Test(foreign, closed_streams_are_opened_again) {
  outcome result = run_alone(2, "closes", "");
  cr_expect_eq(result.exit_status, 0, "%d %s", result.exit_status, result.err);
  cr_expect(has(result.out, "verdict: accurate"), "%s", result.out);
  outcome_free(&result);
}

Test(foreign, a_mask_of_files_does_not_outlive_the_run) {
  struct stat found;
  outcome result = expect_success(run_alone(2, "umask", ""));
  cr_assert_eq(stat("out/summary.json", &found), 0);
  cr_expect_neq(found.st_mode & 0400, 0);
  outcome_free(&result);
}

/* ---- Ends and warnings ------------------------------------------------------------------------------------------- */

Test(foreign, a_normal_end_ends_the_run) {
  outcome result = expect_success(run_alone(3, "ends", ""));
  cr_assert(has(result.err, "to t = 0.5 s, where subsystem 'f' ended the run"), "%s", result.err);
  cr_assert_float_eq(last_of("out/signals.csv", "time"), 0.5, 1e-12);
  cr_assert_float_eq(last_of("out/signals.csv", "f.x"), 1 - exp(-1), 1e-9);
  outcome_free(&result);
}

/* Times of the FMU, of its events too, are those of the run and its start. */
Test(foreign, an_fmu_may_begin_at_another_time) {
  outcome result = run_alone(3, "ends", "");
  outcome_free(&result);
  result = expect_success(SEAM("run", "alone.yaml", "--cosim", "-o", "late", "--set", "cosim.subsystems.f.start=0.2"));
  cr_assert(has(result.err, "to t = 0.3 s, where subsystem 'f' ended the run"), "%s", result.err);
  cr_assert_float_eq(last_of("late/signals.csv", "f.x"), 1 - exp(-0.6), 1e-9);
  outcome_free(&result);
  result = run_alone(2, "", "");
  outcome_free(&result);
  result = expect_success(SEAM("run", "alone.yaml", "--cosim", "-o", "late", "--set", "cosim.subsystems.f.start=-2"));
  cr_assert_float_eq(last_of("late/signals.csv", "f.stop"), -1, 1e-12);
  cr_assert_eq(last_of("late/signals.csv", "f.count"), -100);
  outcome_free(&result);
}

Test(foreign, events_that_come_no_further_end_the_run) {
  outcome result = run_alone(3, "still", "");
  cr_assert_eq(result.exit_status, 1);
  cr_assert(has(result.err, "the FMU makes no progress"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, warnings_are_shown_and_counted) {
  outcome result = expect_success(run_alone(2, "warns", ""));
  cr_assert(has(result.err, "the FMU of 'f' warns in fmi2DoStep(): the table is left"), "%s", result.err);
  cr_assert(has(result.err, "warned in 100 calls"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, a_warning_is_named_after_its_call) {
  write_rogue("rogue.fmu", 2);
  write_text("licensed.yaml", "seam: 1\nname: licensed\nsimulate: {end: 0.1}\n"
                              "cosim: {macro_step: 0.01, subsystems: {licensed: {fmu: rogue.fmu}}}\n");
  outcome result = expect_success(SEAM("run", "licensed.yaml", "--cosim", "--check", "never", "-o", "out"));
  cr_assert(has(result.err, "warns in fmi2Instantiate(): the licence ends soon"), "%s", result.err);
  outcome_free(&result);
}

/* One of Seam, whose law ends at 0.5 s, says so in each step that it discards. */
Test(foreign, what_is_said_of_a_discarded_step_is_no_warning) {
  write_text("ends.yaml", "seam: 2\nbodies: {a: {mass: 1, inertia: 1}}\n"
                          "forces: {f: {type: force, body: a, at: [0, 0], x: sqrt(0.5 - t), y: 0}}\n"
                          "fmu: {outputs: [a.x]}\n");
  write_text("m.yaml", "seam: 2\nname: m\nsimulate: {end: 1}\n"
                       "cosim: {macro_step: 0.3, subsystems: {f: {fmu: ends.fmu}}}\n");
  outcome result = expect_success(SEAM("export", "ends.yaml", "-o", "ends.fmu"));
  outcome_free(&result);
  result = SEAM("run", "m.yaml", "--cosim", "-o", "out");
  cr_expect_eq(result.exit_status, 1);
  cr_expect(has(result.err, "the FMU discards its step, and shorter ones"), "%s", result.err);
  cr_expect(has(result.err, "force 'f' is not finite"), "%s", result.err);
  cr_expect_not(has(result.err, "warn"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, calls_and_statuses_are_named) {
  outcome result = run_alone(2, "status", "");
  cr_assert(has(result.err, "fmi2DoStep() gave 99, which the standard does not know"), "%s", result.err);
  outcome_free(&result);
  result = run_alone(2, "refuses_exit", "");
  cr_assert(has(result.err, "fmi2ExitInitializationMode() gave fmi2Error"), "%s", result.err);
  outcome_free(&result);
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

/* Two of them: the count of the first is the limit of the second, which is below as long as its own count is smaller,
 * and its switch. Both count the same steps; a signal is held over a macro step. */
static void write_pair(const char *signals) {
  char text[768];
  write_rogue("rogue.fmu", 2);
  snprintf(text, sizeof text,
           "seam: 1\nname: pair\nsimulate: {end: 0.1, output_step: 0.01}\n"
           "cosim:\n  macro_step: 0.01\n  subsystems:\n    a: {fmu: rogue.fmu, inputs: {limit: 5}}\n    b: {fmu: "
           "rogue.fmu}\n"
           "    c: {inputs: [n], states: {z: 0}, rates: {z: n}, outputs: {z: z}}\n  signals:\n%s",
           signals);
  write_text("pair.yaml", text);
}

Test(foreign, integers_and_booleans_are_signals) {
  write_pair("    - {from: a.count, to: b.limit}\n    - {from: a.below, to: b.on}\n    - {from: a.count, to: c.n}\n");
  outcome result = expect_success(SEAM("run", "pair.yaml", "--cosim", "--check", "never", "-o", "out"));
  cr_assert_eq(last_of("out/signals.csv", "a.count"), 10);
  cr_assert_eq(last_of("out/signals.csv", "a.below"), 0);
  cr_assert_eq(last_of("out/signals.csv", "b.below"), 0);
  cr_assert_float_eq(last_of("out/signals.csv", "c.z"), 0.01 * 45, 1e-9); /* 0 + 1 + ... + 9 steps of 10 ms */
  outcome_free(&result);
}

Test(foreign, types_that_do_not_fit_are_refused) {
  static const struct {
    const char *signal, *message;
  } cases[] = {
      {"    - {from: a.x, to: b.limit}\n", "'a.x' has the type Float64, but the input 'b.limit' has the type Int32"},
      {"    - {from: a.count, to: b.on}\n", "'a.count' has the type Int32, but the input 'b.on' has the type Boolean"},
      {"    - {from: c.z, to: b.on}\n", "'c.z' has the type Float64, but the input 'b.on' has the type Boolean"},
      {"    - {from: a.count, to: b.limit, order: 1}\n", "takes no 'gain', 'offset', 'order', 'rate' or 'smooth'"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    write_pair(cases[i].signal);
    outcome result = SEAM("run", "pair.yaml", "--cosim", "-o", "out");
    cr_assert_eq(result.exit_status, 2);
    cr_assert(has(result.err, cases[i].message), "%s", result.err);
    outcome_free(&result);
  }
}

/* sum = table[1] + 10 table[2] + 100 table[3] + ..., of `size` elements, from ones. */
Test(foreign, arrays_take_one_number_a_list_or_one_for_an_element) {
  static const struct {
    const char *value;
    double sum;
  } cases[] = {{"table: 2", 222},
               {"table: [1, 2, 3]", 321},
               {"'table[2]': 5", 151},
               {"table: 2, 'table[3]': 7", 722},
               {"table: [1, 2], size: 2", 21},
               {"size: 4, table: 3", 3333}};
  write_rogue("rogue.fmu", 3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "seam: 1\nname: a\nsimulate: {end: 0.01}\n"
             "cosim: {macro_step: 0.01, subsystems: {f: {fmu: rogue.fmu, parameters: {%s}}}}\n",
             cases[i].value);
    write_text("array.yaml", text);
    outcome result = expect_success(SEAM("run", "array.yaml", "--cosim", "--check", "never", "-o", "out"));
    cr_assert_eq(last_of("out/signals.csv", "f.sum"), cases[i].sum, "%s", cases[i].value);
    outcome_free(&result);
  }
}

Test(foreign, what_is_no_element_of_an_array_is_refused) {
  static const struct {
    const char *value, *message;
  } cases[] = {{"table: [1, 2]", "'table' of subsystem 'f' takes 3 numbers, not a list of 2"},
               {"'table[4]': 1", "write elements of an array as NAME[1] to NAME[n], each with one number"},
               {"size: 5", "'size' of subsystem 'f' must be at most 4, but is 5"},
               {"size: 2, table: [1, 2, 3]", "'table' of subsystem 'f' takes 2 numbers, not a list of 3"}};
  write_rogue("rogue.fmu", 3);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[256];
    snprintf(text, sizeof text,
             "seam: 1\nname: a\nsimulate: {end: 0.01}\n"
             "cosim: {macro_step: 0.01, subsystems: {f: {fmu: rogue.fmu, parameters: {%s}}}}\n",
             cases[i].value);
    write_text("array.yaml", text);
    outcome result = SEAM("run", "array.yaml", "--cosim", "-o", "out");
    cr_assert_eq(result.exit_status, 2);
    cr_assert(has(result.err, cases[i].message), "%s", result.err);
    outcome_free(&result);
  }
}

/* ---- Descriptions ------------------------------------------------------------------------------------------------ */

Test(foreign, an_fmu_of_fmi_1_is_refused_with_the_way_out) {
  static const char text[] =
      "<fmiModelDescription fmiVersion=\"1.0\" modelName=\"a\" modelIdentifier=\"a\" guid=\"g\"/>";
  const fmi_entry entry = {"modelDescription.xml", text, sizeof text - 1};
  cr_assert_eq(fmi_archive_write("one.fmu", &entry, 1, NULL), SEAM_OK);
  outcome result = SEAM("check", "one.fmu");
  cr_assert_eq(result.exit_status, 2);
  cr_assert(has(result.err, "export the model again from its tool, for FMI 2.0"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, a_draft_of_the_standard_is_refused) {
  static const char text[] =
      "<fmiModelDescription fmiVersion=\"3.0-beta.2\" modelName=\"a\" instantiationToken=\"g\"/>";
  const fmi_entry entry = {"modelDescription.xml", text, sizeof text - 1};
  cr_assert_eq(fmi_archive_write("draft.fmu", &entry, 1, NULL), SEAM_OK);
  outcome result = SEAM("check", "draft.fmu");
  cr_assert_eq(result.exit_status, 2);
  cr_assert(has(result.err, "FMI version '3.0-beta.2'; Seam reads 2.0 and 3.0"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, an_fmu_without_outputs_is_said) {
  static const char text[] =
      "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"rogue\" guid=\"r\"><CoSimulation modelIdentifier=\"rogue\"/>"
      "<ModelVariables><ScalarVariable name=\"u\" valueReference=\"1\" causality=\"input\"><Real start=\"1\"/>"
      "</ScalarVariable></ModelVariables><ModelStructure/></fmiModelDescription>";
  const fmi_limits limits = fmi_default_limits();
  char name[128];
  write_rogue("rogue.fmu", 2);
  snprintf(name, sizeof name, "binaries/%s/rogue.so", fmi_platform(FMI_2));
  cr_assert_eq(fmi_archive_extract_entry("rogue.fmu", name, "rogue.so", &limits, NULL), SEAM_OK);
  size_t size = 0;
  char *binary = read_bytes("rogue.so", &size);
  const fmi_entry entries[] = {{"modelDescription.xml", text, sizeof text - 1}, {name, binary, size}};
  cr_assert_eq(fmi_archive_write("mute.fmu", entries, 2, NULL), SEAM_OK);
  free(binary);
  write_text("mute.yaml", "seam: 2\nname: mute\nsimulate: {end: 1}\n"
                          "cosim: {macro_step: 0.1, subsystems: {f: {fmu: mute.fmu}}}\n");
  outcome result = expect_success(SEAM("run", "mute.yaml", "--cosim", "--check", "never", "-o", "out"));
  cr_assert(has(result.err, "subsystem 'f': its FMU has no outputs that are numbers or booleans"), "%s", result.err);
  outcome_free(&result);
}

Test(foreign, a_binary_for_another_processor_is_said) {
  static const char other[64] = {0x7f, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 2}; /* SPARC */
  char name[128];
  outcome result = run_alone(2, "", "");
  outcome_free(&result);
  write_rogue_binary("rogue.fmu", other, sizeof other);
  result = SEAM("run", "alone.yaml", "--cosim", "-o", "other");
  cr_assert_eq(result.exit_status, 2);
  snprintf(name, sizeof name, "its binary, binaries/%s/rogue.so, is for another processor", fmi_platform(FMI_2));
  cr_assert(has(result.err, name), "%s", result.err);
  outcome_free(&result);
}
