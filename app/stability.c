/* `seam stability point`: ρ of a coupling scheme at one point of the textbook model. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/analysis.h>

#include "app/command.h"

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

static int wrong(const char *what, const char *mend) {
  fprintf(stderr, "seam: %s; %s\n", what, mend);
  return 2;
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
  printf("scheme %s on the linear model of constitutive coupling, subsystems integrated exactly\n", scheme);
  printf("propagation matrix of order %zu by unit vectors through one macro step, eigenvalues by LAPACK\n",
         point.n_state);
  return 0;
}

static int stability(const app_options *parsed) {
  const char *which = options_value(parsed, "--model");
  const char *scheme = options_value(parsed, "--scheme");
  const char *lambda = options_value(parsed, "--lambda");
  const char *alpha = options_value(parsed, "--alpha");
  double l[2];
  double a[5] = {1, 1, 1, 1, 1};
  if (strcmp(parsed->operands[0], "point") != 0)
    return wrong("'seam stability' knows only 'point' in this version", "write seam stability point ...");
  if (which == NULL || strcmp(which, "constitutive") != 0)
    return wrong("only the model 'constitutive' is available in this version", "write --model constitutive");
  if (scheme == NULL)
    return wrong("a scheme is needed", "write --scheme NAME, as in --scheme ff-k1");
  if (lambda == NULL || read_numbers(lambda, 2, 2, l) == 0)
    return wrong("--lambda takes two numbers", "write --lambda LR,LI, as in --lambda=-0.5,2");
  if (alpha != NULL && read_numbers(alpha, 3, 5, a) == 0)
    return wrong("--alpha takes three to five numbers", "write --alpha A21,R21,I21[,RC1,IC1]");
  return print_point(&(seam_test_model){l[0], l[1], a[0], a[1], a[2], a[3], a[4]}, scheme);
}

static const app_option table[] = {
    {.name = "--model", .value = "NAME", .help = "the textbook model: constitutive"},
    {.name = "--scheme",
     .value = "NAME",
     .help = "ff, fd, df or dd; -d or -i; -k0 to -k3 (-k2 with -d, -i); -explicit, -semi, -implicit"},
    {.name = "--lambda", .value = "LR,LI", .help = "decay and frequency of the first mass, times the macro step"},
    {.name = "--alpha", .value = "A21,R21,I21[,RC1,IC1]", .help = "ratios of mass, decay, frequency; default all 1"},
    OPTION_HELP,
    {0}};

const app_command stability_command = {
    .name = "stability",
    .summary = "numerical stability of a coupling scheme",
    .operands = "point",
    .details =
        "Prints the spectral radius of one macro step of a co-simulation of the textbook model: two damped\n"
        "oscillators joined by a spring-damper that is cut. Stable when rho <= 1. The first line is `rho VALUE`.\n"
        "\n"
        "  seam stability point --model constitutive --scheme ff-d-k2 --lambda=-0.5,2 --alpha 10,10,10,10,10",
    .options = table,
    .least_operands = 1,
    .most_operands = 1,
    .run = stability,
};
