/* `seam stability model`. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "tests/app/command.h"

TestSuite(stability_model, .init = enter_scratch, .fini = leave_scratch);

static void expect_in(const char *text, const char *part) {
  cr_expect(has(text, part), "'%s' is not in:\n%s", part, text);
}

Test(stability_model, schemes_of_the_four_bar) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--schemes", "ff-k1,ff-d-k2", "--error", "1e-4",
                        "--macro-steps", "1e-3:1e-1:21", "-o", "out");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_str_empty(result.err);
  expect_in(result.out, "about the equilibrium");
  expect_in(result.out, "ff-k1 ");
  expect_in(result.out, "<0.001 to 0.0413");
  expect_in(result.out, "<0.001 to >0.1");
  expect_in(result.out, "for an error of 0.0001 take ff-d-k2 with H = 0.02");
  char *text = read_text("out/stability.csv");
  expect_in(text, "time,scheme,macro_step,rho,uncertainty,verdict,error\n0,ff-k1,0.001,0.99");
  expect_in(text, ",unstable,\n");
  free(text);
  outcome_free(&result);
}

Test(stability_model, without_schemes_it_takes_the_files) {
  outcome result = SEAM("stability", "model", "double_pendulum", "--macro-steps", "1e-3:1e-2:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "ff-index2-k1");
  outcome_free(&result);
}

Test(stability_model, a_growing_mechanism_is_said_to_grow) {
  outcome result = SEAM("stability", "model", "double_pendulum", "--at", "initial", "--macro-steps", "1e-3:1e-2:3");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "the mechanism itself grows there");
  outcome_free(&result);
}

Test(stability_model, along_the_motion) {
  outcome result = SEAM("stability", "model", "four_bar_bushing", "--along", "--times", "3", "--macro-steps",
                        "1e-3:1e-1:11", "--schemes", "ff-k1", "--set", "simulate.end=1");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  expect_in(result.out, "least");
  expect_in(result.out, "0.0330");
  outcome_free(&result);
}

Test(stability_model, wrong_words_are_refused) {
  static const struct {
    const char *option, *value, *said;
  } rows[] = {{"--macro-steps", "1e-3:1e-1", "FROM:TO:COUNT"},
              {"--macro-steps", "1e-1:1e-3:5", "FROM:TO:COUNT"},
              {"--error", "0", "--error"},
              {"--schemes", "ff-k9", "ff-k9"},
              {"--at", "noon", "'noon'"},
              {"--lambda", "1,2", "does not take --lambda"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    outcome result = SEAM("stability", "model", "four_bar_bushing", rows[i].option, rows[i].value);
    cr_expect_eq(result.exit_status, 2, "%s %s", rows[i].option, rows[i].value);
    expect_in(result.err, rows[i].said);
    outcome_free(&result);
  }
  write_text("whole.yaml", "seam: 1\nname: whole\nbodies:\n  b: {mass: 1, inertia: 1, at: [0, 0]}\n");
  outcome result = SEAM("stability", "model", "whole.yaml");
  cr_expect_eq(result.exit_status, 2);
  outcome_free(&result);
}
