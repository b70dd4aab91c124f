/* Verbs, options, help and hints. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <seam/status.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/command.h"

TestSuite(command_line, .init = enter_scratch, .fini = leave_scratch);

static void expect_usage_error(outcome result, const char *message) {
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_empty(result.out);
  cr_expect(has(result.err, message), "'%s' is not in: %s", message, result.err);
  cr_expect_eq(strncmp(result.err, "seam: ", 6), 0, "%s", result.err);
  outcome_free(&result);
}

static void expect_page(outcome result, const char *part) {
  cr_expect_eq(result.exit_status, 0);
  cr_expect_str_empty(result.err);
  cr_expect(has(result.out, part), "'%s' is not in: %s", part, result.out);
  outcome_free(&result);
}

Test(command_line, alone_prints_the_overview) {
  expect_page(run_seam((const char *const[]){"seam", NULL}), "usage: seam COMMAND");
}

Test(command_line, help_prints_the_overview) {
  expect_page(SEAM("--help"), "  check ");
  expect_page(SEAM("help"), "  run ");
  expect_page(SEAM("-h"), "  models ");
}

Test(command_line, help_of_a_verb_is_its_page) {
  expect_page(SEAM("help", "run"), "--output-step TIME");
  expect_page(SEAM("run", "--help"), "--output-step TIME");
  expect_page(SEAM("check", "--help"), "usage: seam check [OPTIONS] MODEL");
  expect_page(SEAM("models", "--help"), "usage: seam models [OPTIONS] [NAME]");
}

Test(command_line, help_says_that_a_model_may_come_from_the_catalogue) {
  expect_page(SEAM("run", "--help"), "name of the catalogue");
  expect_page(SEAM("check", "--help"), "name of the catalogue");
}

Test(command_line, manual_pages_go_into_a_folder) {
  expect_usage_error(SEAM("help", "--man"), "seam: --man needs a folder: seam help --man DIR\n");
  outcome result = expect_success(SEAM("help", "--man", "made"));
  outcome_free(&result);
  cr_expect(file_exists("made/seam.1") && file_exists("made/seam-stability-point.1"));
  result = SEAM("help", "--man", "made/seam.1/man");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_not_null(strstr(result.err, "made/seam.1: "), "%s", result.err);
  outcome_free(&result);
}

Test(command_line, an_unwritable_page_is_noticed) {
  symlink("/dev/full", "seam-run.1");
  outcome result = SEAM("help", "--man", ".");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_eq(result.err, "./seam-run.1 cannot be written: No space left on device\n");
  outcome_free(&result);
}

Test(command_line, completion_is_for_shells_that_are_known) {
  expect_usage_error(SEAM("completion", "tcsh"),
                     "seam: there is no completion for 'tcsh'; for bash, zsh and fish there is\n");
  expect_usage_error(SEAM("completion"), "too few arguments; usage: seam completion [OPTIONS] bash|zsh");
}

Test(command_line, version_is_the_librarys) {
  outcome result = SEAM("--version");
  cr_expect_eq(result.exit_status, 0);
  cr_expect(has(result.out, seam_version()));
  outcome_free(&result);
}

Test(command_line, a_misspelt_verb_gets_a_hint) {
  expect_usage_error(SEAM("chekc", "x"), "unknown command 'chekc'; did you mean 'check'?");
  expect_usage_error(SEAM("help", "modelz"), "did you mean 'models'?");
}

Test(command_line, a_verb_of_other_tools_gets_ours) {
  expect_refused_untouched(SEAM("simulate", "x.yaml"), "unknown command 'simulate'; did you mean 'run'?");
}

Test(command_line, a_model_in_place_of_a_command_gets_the_command) {
  expect_refused_untouched(SEAM("x.yaml"), "unknown command 'x.yaml'; did you mean 'seam run x.yaml'?");
}

Test(command_line, an_option_of_another_command_says_where_it_belongs) {
  expect_usage_error(SEAM("check", "x.yaml", "--cosim"),
                     "unknown option '--cosim'; 'seam run' and 'seam sweep' take it");
  expect_usage_error(SEAM("run", "x.yaml", "--output=y"), "unknown option '--output'; write -o");
}

Test(command_line, a_misspelt_file_gets_the_one_beside_it) {
  write_text("swing.yaml", "seam: 1\n");
  expect_refused_untouched(SEAM("run", "swng.yaml"),
                           "'swng.yaml' is neither a file nor a model of the catalogue; did you mean 'swing.yaml'?");
  expect_refused_untouched(SEAM("run", "./swng.yaml"), "; did you mean './swing.yaml'?");
}

Test(command_line, a_dash_is_a_model_on_the_standard_input) {
  write_text("text", "seam: 1\nbodies: {a: {mass: 1, inertia: 1}}\nsimulate: {end: 0.1}\n");
  cr_assert_not_null(freopen("text", "r", stdin));
  outcome run = expect_success(SEAM("run", "-"));
  cr_expect_str_eq(run.wrote, "wrote results/input/run/trajectory.csv, summary.json\n");
  outcome_free(&run);
}

Test(command_line, an_unknown_verb_points_to_the_list) {
  expect_usage_error(SEAM("differentiate"), "'seam --help' lists the commands");
}

Test(command_line, a_misspelt_option_gets_a_hint) {
  expect_usage_error(SEAM("run", "four_bar_bushing", "--outputstep", "1"), "did you mean '--output-step'?");
  expect_usage_error(SEAM("check", "four_bar_bushing", "--quite"), "did you mean '--quiet'?");
}

Test(command_line, an_unknown_option_points_to_the_list) {
  expect_usage_error(SEAM("run", "four_bar_bushing", "--differentiate"), "--help lists the options");
}

Test(command_line, a_missing_value_is_refused) {
  expect_usage_error(SEAM("run", "four_bar_bushing", "--end"), "--end needs a value: --end TIME");
  expect_usage_error(SEAM("run", "four_bar_bushing", "-o", "--quiet"), "-o needs a value: -o DIR");
}

Test(command_line, a_value_for_a_flag_is_refused) {
  expect_usage_error(SEAM("run", "four_bar_bushing", "--quiet=yes"), "--quiet takes no value");
}

Test(command_line, the_number_of_arguments_is_checked) {
  expect_usage_error(SEAM("run"), "too few arguments; usage: seam run [OPTIONS] MODEL");
  expect_usage_error(SEAM("check", "a", "b"), "too many arguments; usage: seam check [OPTIONS] MODEL");
}

Test(command_line, two_dashes_end_the_options) {
  expect_usage_error(SEAM("check", "--", "--quiet"), "'--quiet' is neither a file nor a model");
}

Test(command_line, a_misspelt_model_gets_a_hint) {
  expect_usage_error(SEAM("run", "four_bar_bushin"), "did you mean 'four_bar_bushing'?");
  expect_usage_error(SEAM("check", "double_pendlum"), "did you mean 'double_pendulum'?");
}

Test(command_line, options_of_cosimulated_runs_need_cosim) {
  expect_usage_error(SEAM("run", "four_bar_bushing", "--scheme", "ff-k1"), "--scheme is for co-simulated runs");
  expect_usage_error(SEAM("run", "four_bar_bushing", "--macro-step", "1"), "--macro-step is for co-simulated runs");
  expect_usage_error(SEAM("run", "four_bar_bushing", "--cosim", "--threads", "0"), "--threads must be a whole number");
  expect_usage_error(SEAM("run", "four_bar_bushing", "--checkpoint", "-1"),
                     "--checkpoint must be a positive, finite time");
  expect_usage_error(SEAM("run", "four_bar_bushing", "--resume", "x"), "a resumed run keeps its model and options");
  expect_usage_error(SEAM("run"), "too few arguments; usage: seam run [OPTIONS] MODEL, or seam run --resume FILE");
}

Test(command_line, an_unwritable_standard_output_is_noticed) {
  symlink("/dev/full", "stdout");
  const int err = open("stderr", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  cr_expect_eq(wait_command(start_command((const char *const[]){"seam", "models", NULL}, err)), 2);
  close(err);
}
