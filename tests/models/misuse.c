/* What a program may do wrong with model files. */
#include <criterion/criterion.h>

#include <seam/models.h>

#include "tests/support/misuse.h"

static seam_error error;

#define EXPECT(call, words) expect_refused(call, SEAM_BAD_INPUT, words, &error)

Test(misuse, arguments_of_null_are_named) {
  const char *const overrides[] = {"a=1", NULL};
  seam_model_file *file = NULL;
  EXPECT(seam_model_file_read(NULL, NULL, 0, &file, &error), "seam_model_file_read(): its argument 'path' is NULL");
  EXPECT(seam_model_file_read("x", NULL, 0, NULL, &error), "seam_model_file_read(): its argument 'file' is NULL");
  EXPECT(seam_model_file_parse("x", NULL, 0, NULL, 0, &file, &error), "its argument 'text' is NULL");
  EXPECT(seam_model_file_parse("x", "", 0, NULL, 2, &file, &error), "its list 'overrides' is NULL, but has 2 entries");
  EXPECT(seam_model_file_parse("x", "", 0, overrides, 2, &file, &error), "entry 1 of 'overrides' is NULL");
  cr_expect_null(file);
}

Test(misuse, nothing_is_known_of_nothing) {
  seam_model_file *file = NULL;
  cr_expect_null(seam_model_name(NULL));
  cr_expect_null(seam_model_mechanism(NULL));
  cr_expect_null(seam_model_simulation(NULL));
  cr_expect_null(seam_model_cosim(NULL));
  cr_expect_null(seam_model_json(NULL));
  cr_expect_null(seam_model_data_file(NULL, 0));
  cr_expect_null(seam_model_left_to_collocation(NULL));
  cr_expect_eq(seam_model_equations(NULL, 0).n_inputs, 0);
  cr_expect_null(seam_catalogue_name(seam_catalogue_size()));
  cr_expect_null(seam_catalogue_text(NULL));
  const char *text = seam_catalogue_text("double_pendulum");
  cr_assert_eq(seam_model_file_parse("x", text, strlen(text), NULL, 0, &file, &error), SEAM_OK);
  cr_expect_eq(seam_model_equations(file, 1000).n_inputs, 0);
  seam_model_file_destroy(file);
}
