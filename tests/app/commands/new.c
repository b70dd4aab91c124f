/* `seam new`. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/command.h"
#include "tests/support/run_results.h"

TestSuite(new, .init = enter_scratch, .fini = leave_scratch);

/* A rod of 1 m that falls from the horizontal with a disc on a spring: energy is kept but for what is dissipated. */
Test(new, a_new_model_runs_whole_and_cut) {
  static const char *const how[] = {"--quiet", "--cosim"};
  outcome made = SEAM("new", "first");
  cr_assert_eq(made.exit_status, 0, "%s", made.err);
  cr_expect(has(made.out, "seam run first.yaml"), "%s", made.out);
  outcome_free(&made);
  for (int i = 0; i < 2; i++) {
    outcome result = SEAM("run", "first.yaml", how[i], "-o", "out");
    cr_expect_eq(result.exit_status, 0, "%s", result.err);
    outcome_free(&result);
    csv rows = csv_read("out/trajectory.csv");
    cr_expect_eq(rows.n_rows, 501);
    cr_expect_float_eq(csv_at(&rows, 0, "rod.x"), 0.5, 1e-12);
    csv_free(&rows);
  }
}

/* The schema that the first line names stands beside the model. */
Test(new, its_first_line_names_the_schema_beside_it) {
  outcome made = SEAM("new", "first.yml");
  cr_expect_eq(made.exit_status, 0, "%s", made.err);
  outcome_free(&made);
  char *model = read_text("first.yml");
  cr_expect_eq(strncmp(model, "# yaml-language-server: $schema=seam.schema.json\n", 49), 0, "%s", model);
  free(model);
  char *schema = read_text("seam.schema.json");
  outcome printed = SEAM("schema");
  cr_expect_eq(strncmp(schema, printed.out, strlen(schema)), 0);
  outcome_free(&printed);
  free(schema);
}

Test(new, a_file_that_is_there_is_kept) {
  write_text("mine.yaml", "mine\n");
  outcome result = SEAM("new", "mine");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_eq(result.err, "seam: 'mine.yaml' exists already; choose another name\n");
  outcome_free(&result);
  char *text = read_text("mine.yaml");
  cr_expect_str_eq(text, "mine\n");
  free(text);
  cr_expect_neq(access("seam.schema.json", F_OK), 0);
}

Test(new, a_folder_that_is_missing_is_named) {
  outcome result = SEAM("new", "nowhere/mine");
  cr_expect_eq(result.exit_status, 2);
  cr_expect_str_eq(result.err,
                   "seam: nowhere/mine.yaml: there is no folder 'nowhere'; make it, or give another name\n");
  outcome_free(&result);
}
