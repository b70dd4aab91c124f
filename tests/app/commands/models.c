/* `seam models`. */
#include <criterion/criterion.h>
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
