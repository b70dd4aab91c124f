/* `seam stability point`: ρ of a coupling scheme at one point of the textbook model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/stability.h"

/* Reads `least` to `most` numbers separated by commas; returns how many, 0 when the text is anything else. */
static int read_numbers(const char *text, int least, int most, double *numbers) {
  int n = 0;
  for (;; text++) {
    char *end = NULL;
    if (n == most)
      return 0;
    numbers[n++] = strtod(text, &end);
    if (end == text || (*end != ',' && *end != '\0'))
      return 0;
    text = end;
    if (*text == '\0')
      return n >= least ? n : 0;
  }
}

typedef seam_status measure(const seam_test_model *model, const char *scheme, seam_stability_point *point,
                            seam_error *error);

typedef struct textbook_model {
  const char *name;
  measure *measure;
} textbook_model;

static const textbook_model models[] = {{"constitutive", seam_constitutive_stability},
                                        {"constraint", seam_constraint_stability}};
enum { n_models = sizeof models / sizeof *models };

static const textbook_model *find_model(const char *name) {
  for (const textbook_model *m = models; m < models + n_models && name != NULL; m++)
    if (strcmp(m->name, name) == 0)
      return m;
  return NULL;
}

static int print_point(const textbook_model *which, const seam_test_model *model, const char *scheme) {
  seam_stability_point point;
  seam_error error = {0};
  const seam_status status = which->measure(model, scheme, &point, &error);
  if (status != SEAM_OK) {
    fprintf(stderr, "%s\n", error.message);
    return seam_status_exit(status);
  }
  printf("rho %.15g\n", point.rho);
  printf("%s; uncertain by %.1e through rounding\n", seam_verdict_text(seam_stability_verdict(&point)),
         point.uncertainty);
  printf("scheme %s on the linear model of %s coupling, subsystems integrated exactly\n", scheme, which->name);
  printf("propagation matrix of order %zu by unit vectors through one macro step, eigenvalues by LAPACK\n",
         point.n_state);
  return 0;
}

int stability_point(const app_options *parsed) {
  const textbook_model *which = find_model(options_value(parsed, "--model"));
  const char *scheme = options_value(parsed, "--scheme");
  const char *lambda = options_value(parsed, "--lambda");
  const char *alpha = options_value(parsed, "--alpha");
  double l[2];
  double a[5] = {1, 1, 1, 1, 1};
  if (which == NULL)
    return stability_wrong("--model takes one of the textbook models",
                           "write --model constitutive or --model constraint");
  if (scheme == NULL)
    return stability_wrong("a scheme is needed", "write --scheme NAME, as in --scheme ff-k1");
  if (lambda == NULL || read_numbers(lambda, 2, 2, l) == 0)
    return stability_wrong("--lambda takes two numbers", "write --lambda LR,LI, as in --lambda=-0.5,2");
  if (alpha != NULL && read_numbers(alpha, 3, 5, a) == 0)
    return stability_wrong("--alpha takes three to five numbers", "write --alpha A21,R21,I21[,RC1,IC1]");
  return print_point(which, &(seam_test_model){l[0], l[1], a[0], a[1], a[2], a[3], a[4]}, scheme);
}
