/* Factors are rounded from `seam compare --schemes all` of four_bar_bushing and double_pendulum; that of one scheme is
 * off by up to 2, sums over several by less. */
#include "app/workload.h"

#include <stdlib.h>
#include <string.h>

/* What each part of a scheme's name multiplies the cost of ff-k1 by. */
static const struct {
  const char *part;
  double factor;
} factors[] = {{"fd-", 1.35},   {"df-", 1.35},     {"dd-", 1.6},       {"-d-", 1.9},       {"-i-", 1.9},
               {"-index", 1.9}, {"-colloc-", 0.7}, {"-explicit", 0.3}, {"-exchange", 0.3}, {"-implicit", 2}};
static const double stage = 0.5; /* of collocation, over its first */
static const double row = 0.3;   /* of the reference at a macro point */

static double factor_of(const char *scheme) {
  static const char stages[] = "-colloc-s";
  const char *collocation = strstr(scheme, stages);
  double factor = collocation != NULL ? 1 + stage * strtod(collocation + strlen(stages), NULL) : 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    factor *= strstr(scheme, factors[i].part) != NULL ? factors[i].factor : 1;
  return factor;
}

double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps) {
  return factor_of(scheme) * (macro_steps + whole_steps);
}

double workload_of_reference(double macro_steps, double whole_steps) { return row * macro_steps + whole_steps; }
