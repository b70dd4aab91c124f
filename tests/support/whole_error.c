#include "tests/support/whole_error.h"

#include <criterion/criterion.h>

#include <seam/analysis.h>

#include "tests/support/model_reader.h"

double error_against_whole(const char *text, const mbs_integrator_options *options, double H, double end) {
  seam_model_file *file = read_model(text, NULL);
  const mbs_model *whole = NULL;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  seam_reference *reference = NULL;
  seam_comparison *comparison = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_model_whole(file, &whole, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_workspace_create(whole, &ws, &error), SEAM_OK);
  cr_assert_eq(mbs_state_create(whole, &state, &error), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_reference_create(whole, state, options, H, end, NULL, &reference, &error), SEAM_OK, "%s",
               error.message);
  cr_assert_eq(seam_reference_check(reference, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_comparison_create(reference, seam_model_cosim(file), NULL, NULL, &comparison, &error), SEAM_OK,
               "%s", error.message);
  cr_expect(comparison->word != SEAM_WORD_NOT_CHECKED && comparison->error.of_travel < 0.1, "%s", comparison->why);
  const double found = comparison->error_position;
  seam_comparison_destroy(comparison);
  seam_reference_destroy(reference);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
  return found;
}
