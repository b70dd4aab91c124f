/* Factors are rounded from `seam compare --schemes all` of four_bar_bushing and double_pendulum; the cost of one scheme
 * is off by a factor of up to 2, sums by less. */
#include "app/workload.h"

#include <string.h>

#include <seam/analysis.h>

/* A word of a scheme's name multiplies the cost of ff-k1 by this factor. */
static const struct {
  const char *word;
  double factor;
} factors[] = {{"fd", 1.35},      {"df", 1.35},      {"dd", 1.6},      {"d", 1.9},
               {"i", 1.9},        {"index1", 1.9},   {"index2", 1.9},  {"colloc", 0.7},
               {"explicit", 0.3}, {"exchange", 0.3}, {"implicit", 2.0}};
static const double stage = 0.5; /* additional cost of each order of collocation */
static const double row = 0.3;   /* cost of a macro point of the reference */

/* Returns a scheme's factor. Several schemes of a file, which are not a name, count as ff-k1. */
static double factor_of(const char *scheme) {
  seam_scheme_words words;
  if (seam_scheme_read(scheme, &words, NULL) != SEAM_OK)
    return 1;
  const char *const all[] = {words.decomposition, words.method, words.iteration};
  double factor = strcmp(words.method, "colloc") == 0 ? 1 + stage * words.order : 1;
  for (size_t i = 0; i < sizeof factors / sizeof *factors; i++)
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
      factor *= strcmp(all[k], factors[i].word) == 0 ? factors[i].factor : 1;
  return factor;
}

double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps) {
  return factor_of(scheme) * (macro_steps + whole_steps);
}

double workload_of_reference(double macro_steps, double whole_steps) { return row * macro_steps + whole_steps; }
