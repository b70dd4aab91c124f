#include "analysis/textbook/family.h"

#include <string.h>

/* ---- The two-mass test models ---- */

static seam_test_model test_model(const double *value) {
  return (seam_test_model){value[0], value[1], value[2], value[3], value[4], value[5], value[6]};
}

static seam_status measure_constitutive(const double *value, const char *scheme, seam_stability_point *point,
                                        seam_error *error) {
  const seam_test_model model = test_model(value);
  return seam_constitutive_stability(&model, scheme, point, error);
}

static seam_status measure_constraint(const double *value, const char *scheme, seam_stability_point *point,
                                      seam_error *error) {
  const seam_test_model model = test_model(value);
  return seam_constraint_stability(&model, scheme, point, error);
}

/* Returns the model by masses, springs and dampers; the last value, the macro step, is not used. */
static seam_oscillators oscillators(const double *value) {
  return (seam_oscillators){.m1 = value[0],
                            .c1 = value[1],
                            .d1 = value[2],
                            .m2 = value[3],
                            .c2 = value[4],
                            .d2 = value[5],
                            .cc = value[6],
                            .dc = value[7]};
}

static seam_status measure_oscillators(const double *value, const char *scheme, seam_stability_point *point,
                                       seam_error *error) {
  const seam_oscillators model = oscillators(value);
  return seam_oscillators_stability(&model, false, scheme, value[8], point, error);
}

static seam_status measure_rigid_oscillators(const double *value, const char *scheme, seam_stability_point *point,
                                             seam_error *error) {
  const seam_oscillators model = oscillators(value);
  return seam_oscillators_stability(&model, true, scheme, value[8], point, error);
}

/* ---- Holds and model-based correction ---- */

static seam_status measure_mbcorr(const double *value, const char *scheme, seam_stability_point *point,
                                  seam_error *error) {
  const seam_mbcorr_model model = {value[0], value[1], value[2]};
  return seam_mbcorr_stability(&model, scheme, point, error);
}

/* ---- The table ---- */

/* Defaults: the constants of [Li] 3.5.4. */
#define OF_OSCILLATORS                                                                                                 \
  {                                                                                                                    \
    {"m1", 1}, {"c1", 1000}, {"d1", 10}, {"m2", 2}, {"c2", 1000}, {"d2", 10}, {"cc", 1000}, {"dc", 10}, {              \
      "macro-step", 1e-2                                                                                               \
    }                                                                                                                  \
  }

static const analysis_family families[] = {
    {"constitutive",
     {{"lambda-r", 0},
      {"lambda-i", 0},
      {"alpha-m21", 1},
      {"alpha-r21", 1},
      {"alpha-i21", 1},
      {"alpha-rc1", 1},
      {"alpha-ic1", 1}},
     {0, -2, 0, 41, false},
     {1, 0, 10, 41, false},
     measure_constitutive},
    {"constraint",
     {{"lambda-r", 0}, {"lambda-i", 0}, {"alpha-m21", 1}, {"alpha-r21", 1}, {"alpha-i21", 1}},
     {0, -2, 0, 41, false},
     {1, 0, 10, 41, false},
     measure_constraint},
    {"oscillators", OF_OSCILLATORS, {8, 1e-3, 1, 41, true}, {6, 1, 1e6, 41, true}, measure_oscillators},
    {"rigid-oscillators", OF_OSCILLATORS, {8, 1e-3, 1, 41, true}, {1, 1, 1e6, 41, true}, measure_rigid_oscillators},
    {"mbcorr",
     {{"ck", 2e5}, {"dk", 5e2}, {"macro-step", 1e-4}},
     {0, 1, 1e10, 41, true},
     {1, 1, 1e7, 41, true},
     measure_mbcorr},
};

seam_status analysis_find_family(const char *name, const analysis_family **family, seam_error *error) {
  char known[256] = "";
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    if (name != NULL && strcmp(families[i].name, name) == 0) {
      *family = &families[i];
      return SEAM_OK;
    }
    strncat(known, i > 0 ? ", " : "", sizeof known - strlen(known) - 1);
    strncat(known, families[i].name, sizeof known - strlen(known) - 1);
  }
  return seam_fail(error, SEAM_BAD_INPUT, "'%s' is not a model of the stability maps; they are: %s",
                   name == NULL ? "" : name, known);
}
