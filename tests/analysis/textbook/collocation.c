/* Collocation couplings of two linear oscillators: maps computed independently, orders, stability. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/propagation.h"
#include "tests/support/textbook_fixture.h"

/* The map (4 x 4, column by column) of one macro step. */
static void map_of(const analysis_oscillators *model, const char *name, double H, double *Phi) {
  cosim_scheme scheme;
  analysis_test_model *coupled = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_scheme_for(name, model->rigid, &scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(analysis_test_model_create(model, &scheme, &coupled, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_master_n_state(analysis_test_model_master(coupled)), 4, "%s", name);
  cr_assert_eq(analysis_propagation(analysis_test_model_master(coupled), H, Phi, &error), SEAM_OK, "%s: %s", name,
               error.message);
  analysis_test_model_destroy(coupled);
}

/* Columns of the file: kind, s, m1, c1, d1, m2, c2, d2, cc, dc, H, spectral radius, map. */
Test(collocation, whole_maps) {
  FILE *file = data_open("collocation_maps.csv");
  int n_maps = 0;
  double worst = 0;
  for (data_row row; data_next(file, &row); n_maps++) {
    const bool rigid = strcmp(row.word[0], "constraint") == 0;
    const analysis_oscillators model = {.side = {{data_number(&row, 2), data_number(&row, 3), data_number(&row, 4)},
                                                 {data_number(&row, 5), data_number(&row, 6), data_number(&row, 7)}},
                                        .rigid = rigid,
                                        .stiffness = rigid ? 0 : data_number(&row, 8),
                                        .damping = rigid ? 0 : data_number(&row, 9)};
    char name[32];
    double Phi[16];
    double largest = 0;
    double difference = 0;
    snprintf(name, sizeof name, "ff-colloc-s%d", (int)data_number(&row, 1));
    map_of(&model, name, data_number(&row, 10), Phi);
    for (int i = 0; i < 16; i++)
      largest = fmax(largest, fabs(data_number(&row, 12 + i)));
    for (int i = 0; i < 16; i++)
      difference = fmax(difference, fabs(Phi[i / 4 + i % 4 * 4] - data_number(&row, 12 + i)));
    worst = fmax(worst, difference / largest);
    cr_expect_leq(difference, 1e-10 * largest, "%s, row %d: %.3g", name, n_maps, difference / largest);
  }
  fclose(file);
  cr_expect_eq(n_maps, 240);
  cr_log_info("largest difference %.3g", worst);
}
