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

static int print_point(const seam_test_model *model, const char *scheme) {
  seam_stability_point point;
  seam_error error = {0};
  const seam_status status = seam_constitutive_stability(model, scheme, &point, &error);
  if (status != SEAM_OK) {
    fprintf(stderr, "%s\n", error.message);
    return seam_status_exit(status);
  }
  printf("rho %.15g\n", point.rho);
  printf("%s; uncertain by %.1e through rounding\n", seam_verdict_text(seam_stability_verdict(&point)),
         point.uncertainty);
  printf("scheme %s on the linear model of constitutive coupling, subsystems integrated exactly\n", scheme);
  printf("propagation matrix of order %zu by unit vectors through one macro step, eigenvalues by LAPACK\n",
         point.n_state);
  return 0;
}

int stability_point(const app_options *parsed) {
  const char *which = options_value(parsed, "--model");
  const char *scheme = options_value(parsed, "--scheme");
  const char *lambda = options_value(parsed, "--lambda");
  const char *alpha = options_value(parsed, "--alpha");
  double l[2];
  double a[5] = {1, 1, 1, 1, 1};
  if (which == NULL || strcmp(which, "constitutive") != 0)
    return stability_wrong("only the model 'constitutive' is available in this version", "write --model constitutive");
  if (scheme == NULL)
    return stability_wrong("a scheme is needed", "write --scheme NAME, as in --scheme ff-k1");
  if (lambda == NULL || read_numbers(lambda, 2, 2, l) == 0)
    return stability_wrong("--lambda takes two numbers", "write --lambda LR,LI, as in --lambda=-0.5,2");
  if (alpha != NULL && read_numbers(alpha, 3, 5, a) == 0)
    return stability_wrong("--alpha takes three to five numbers", "write --alpha A21,R21,I21[,RC1,IC1]");
  return print_point(&(seam_test_model){l[0], l[1], a[0], a[1], a[2], a[3], a[4]}, scheme);
}
