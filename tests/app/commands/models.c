/* `seam models` and `seam schemes`. */
#include <criterion/criterion.h>
#include <seam/analysis.h>
#include <seam/models.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/command.h"

TestSuite(models, .init = enter_scratch, .fini = leave_scratch);

Test(models, lists_every_name_with_what_it_is) {
  outcome result = SEAM("models");
  const char *line = result.out;
  cr_expect_eq(result.exit_status, 0);
  cr_assert_gt(seam_catalogue_size(), 0);
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    const size_t length = strcspn(line, "\n");
    cr_expect_eq(strncmp(line, name, strlen(name)), 0, "%s is not where it should be", name);
    cr_expect_gt(length, strlen(name) + 5, "%s says nothing of itself", name);
    line += length + 1;
  }
  cr_expect_str_empty(line);
  outcome_free(&result);
}

Test(models, prints_a_file_exactly) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    outcome result = SEAM("models", seam_catalogue_name(i));
    cr_expect_eq(result.exit_status, 0);
    cr_expect_str_eq(result.out, seam_catalogue_text(seam_catalogue_name(i)));
    outcome_free(&result);
  }
}

Test(models, explains_parameters_by_their_comments) {
  outcome result = SEAM("models", "slider_crank", "--explain");
  cr_expect_eq(result.exit_status, 0, "%s", result.err);
  cr_expect_eq(strncmp(result.out, "Slider-crank mechanism, driven by", 33), 0, "%s", result.out);
  cr_expect(has(result.out, "\n  a    0.2         m, crank\n"), "%s", result.out);
  cr_expect(has(result.out, "\n  phi  1.0472      rad, initial angle of the crank\n"), "%s", result.out);
  cr_expect(has(result.out, "\n  px   0.1\n"), "%s", result.out);
  outcome_free(&result);
}

Test(models, explains_every_model) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    outcome result = SEAM("models", seam_catalogue_name(i), "--explain");
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    cr_expect(!has(result.out, "yaml-language-server") && has(result.out, "ource: "), "%s", result.out);
    outcome_free(&result);
  }
}

Test(models, an_explanation_needs_a_name) {
  outcome result = SEAM("models", "--explain");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "needs the name of a model"), "%s", result.err);
  outcome_free(&result);
  result = SEAM("models", "slider_krank", "--explain");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "did you mean 'slider_crank'?"), "%s", result.err);
  outcome_free(&result);
}

/* Every name that 'all' knows has words for all that it is made of; those of a model are among them. */
Test(models, schemes_have_a_line_each) {
  outcome all = expect_success(SEAM("schemes"));
  outcome bushing = expect_success(SEAM("schemes", "four_bar_bushing"));
  seam_scheme_name names[2][64];
  for (int at_joint = 0; at_joint < 2; at_joint++) {
    const size_t n = seam_scheme_names(at_joint == 1, names[at_joint], 64);
    for (size_t i = 0; i < n; i++) {
      char line[64];
      snprintf(line, sizeof line, "\n  %.40s ", names[at_joint][i].text);
      cr_expect(has(all.out, line), "%s", line);
      cr_expect(at_joint == 0 || strstr(line, "colloc") != NULL || !has(bushing.out, line), "%s", line);
    }
  }
  cr_expect_not(has(all.out, "(null)"));
  cr_expect(has(bushing.out, "\n  ff-k1 ") && has(bushing.out, " force to both sides, a straight line\n"));
  outcome_free(&all);
  outcome_free(&bushing);
}

Test(models, a_misspelt_name_gets_a_hint) {
  outcome result = SEAM("models", "doublependulum");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "did you mean 'double_pendulum'?"), "%s", result.err);
  outcome_free(&result);
}

Test(models, an_unknown_name_points_to_the_list) {
  outcome result = SEAM("models", "x");
  cr_expect_eq(result.exit_status, 2);
  cr_expect(has(result.err, "'seam models' lists it"), "%s", result.err);
  outcome_free(&result);
}
