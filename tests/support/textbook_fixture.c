#include "tests/support/textbook_fixture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spectrum.h"

analysis_test_model *couple_test_model(const seam_test_model *parameters, bool rigid, const char *scheme) {
  analysis_oscillators model;
  cosim_scheme row;
  analysis_test_model *coupled = NULL;
  seam_error error = {0};
  cr_assert_eq(analysis_oscillators_of(parameters, rigid, &model, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_scheme_for(scheme, rigid, &row, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(analysis_test_model_create(&model, &row, &coupled, &error), SEAM_OK, "%s", error.message);
  return coupled;
}

size_t propagation_matrix(const seam_test_model *parameters, bool rigid, const char *scheme,
                          double Phi[LARGEST_STATE * LARGEST_STATE]) {
  analysis_test_model *coupled = couple_test_model(parameters, rigid, scheme);
  const size_t n = cosim_master_n_state(analysis_test_model_master(coupled));
  seam_error error = {0};
  cr_assert_leq(n, LARGEST_STATE, "%s", scheme);
  cr_assert_eq(analysis_propagation(analysis_test_model_master(coupled), 1, Phi, &error), SEAM_OK, "%s: %s", scheme,
               error.message);
  analysis_test_model_destroy(coupled);
  return n;
}

FILE *data_open(const char *name) {
  char path[512];
  data_row head;
  snprintf(path, sizeof path, "%s/tests/data/%s", SEAM_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file, "%s", path);
  cr_assert(data_next(file, &head));
  return file;
}

bool data_next(FILE *file, data_row *row) {
  char *rest = NULL;
  if (fgets(row->line, sizeof row->line, file) == NULL)
    return false;
  row->n_words = 0;
  for (char *word = strtok_r(row->line, ",\n", &rest); word != NULL; word = strtok_r(NULL, ",\n", &rest)) {
    cr_assert_lt(row->n_words, MAX_WORDS);
    row->word[row->n_words++] = word;
  }
  for (char *c = row->word[0]; *c != '\0'; c++)
    if (*c == ';')
      *c = ',';
  return true;
}

double data_number(const data_row *row, int word) {
  char *end;
  cr_assert_lt(word, row->n_words);
  const double number = strtod(row->word[word], &end);
  cr_assert(end != row->word[word] && *end == '\0', "'%s' is not a number", row->word[word]);
  return number;
}

/* ---- Radii ---- */

double radius(const seam_test_model *parameters, bool rigid, const char *scheme) {
  seam_stability_point point;
  seam_error error = {0};
  const seam_status status = rigid ? seam_constraint_stability(parameters, scheme, &point, &error)
                                   : seam_constitutive_stability(parameters, scheme, &point, &error);
  cr_assert_eq(status, SEAM_OK, "%s: %s", scheme, error.message);
  return point.rho;
}

void expect_maps_of_updates(const seam_test_model *parameters, bool rigid) {
  static double repeated[LARGEST_STATE * LARGEST_STATE];
  static double updated[LARGEST_STATE * LARGEST_STATE];
  char name[64], update[80];
  for (size_t i = 0; cosim_scheme_listed(rigid, i, name, sizeof name); i++) {
    if (strstr(name, "colloc") != NULL)
      continue;
    snprintf(update, sizeof update, "%s-update", name);
    const size_t n = propagation_matrix(parameters, rigid, name, repeated);
    cr_assert_eq(propagation_matrix(parameters, rigid, update, updated), n, "%s", update);
    for (size_t k = 0; k < n * n; k++)
      cr_expect_float_eq(updated[k], repeated[k], 1e-12 * fmax(1, fabs(repeated[k])), "%s, entry %zu", update, k);
    cr_expect_float_eq(radius(parameters, rigid, update), radius(parameters, rigid, name), 1e-12, "%s", update);
  }
}

void expect_map_of_steps(const seam_test_model *parameters, bool rigid, const char *scheme) {
  static double Phi[LARGEST_STATE * LARGEST_STATE];
  double mapped[LARGEST_STATE] = {1, 0.5, 1, 0.5, 0.2, 0.4, -0.1};
  double found[LARGEST_STATE];
  const size_t n = propagation_matrix(parameters, rigid, scheme, Phi);
  cr_assert_gt(n, 0);
  analysis_test_model *coupled = couple_test_model(parameters, rigid, scheme);
  cosim_master *master = analysis_test_model_master(coupled);
  cosim_master_restore(master, mapped);
  for (int step = 0; step < 3; step++) {
    double next[LARGEST_STATE] = {0};
    cr_assert_eq(cosim_master_step(master, 1, NULL), SEAM_OK, "%s", scheme);
    cosim_master_save(master, found);
    for (size_t k = 0; k < n * n; k++)
      next[k % n] += Phi[k] * mapped[k / n];
    memcpy(mapped, next, sizeof mapped);
    for (size_t i = 0; i < n; i++)
      cr_expect_float_eq(found[i], mapped[i], 1e-11 * fmax(1, fabs(mapped[i])), "%s, step %d, entry %zu", scheme, step,
                         i);
  }
  analysis_test_model_destroy(coupled);
}

void expect_radii(const char *name, int n_rows, bool rigid,
                  double (*tolerance)(const seam_test_model *parameters, double expected)) {
  FILE *file = data_open(name);
  int n = 0;
  for (data_row row; data_next(file, &row); n++) {
    const double alpha = data_number(&row, 1);
    const double expected = data_number(&row, 4);
    const seam_test_model at = {data_number(&row, 2), data_number(&row, 3), alpha, alpha, alpha, alpha, alpha};
    const double rho = radius(&at, rigid, row.word[0]);
    cr_expect_float_eq(rho, expected, tolerance(&at, expected), "%s at %g, %g, alpha %g: %.13g instead of %.13g",
                       row.word[0], at.lambda_r, at.lambda_i, alpha, rho, expected);
  }
  fclose(file);
  cr_expect_eq(n, n_rows);
}
