#include "app/results/verdict_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/thresholds.h"

enum { COLUMNS = 80, INDENT = 9 };

/* Breaks a text between words; the first `n` characters have the colour. */
static void print_wrapped(const char *text, const char *colour, size_t n) {
  size_t column = INDENT + n;
  printf("verdict: %s%.*s%s", colour, (int)n, text, *colour != '\0' ? "\033[0m" : "");
  for (const char *at = text + n; *at != '\0';) {
    const size_t blanks = strspn(at, " ");
    const size_t length = strcspn(at + blanks, " ");
    const bool fits = column + blanks + length <= COLUMNS;
    printf("%s%*s%.*s", fits ? "" : "\n", fits ? (int)blanks : INDENT, "", (int)length, at + blanks);
    column = (fits ? column + blanks : INDENT) + length;
    at += blanks + length;
  }
  putchar('\n');
}

/* Returns a macro step, rounded down to one digit, that is accurate if errors fall in proportion to it or faster. */
static double accurate_step(const seam_run_verdict *verdict, double macro_step) {
  const double digits = 1;
  const double wanted = macro_step * verdict->bounds.accurate / verdict->error.of_travel;
  const double scale = pow(10, floor(log10(wanted)) - digits + 1);
  return floor(wanted / scale) * scale;
}

static void print_advice(const seam_run_verdict *verdict, const cosim_simulation *simulation,
                         const cosim_builder *builder, const char *model) {
  const double far = app_nothing_follows; /* share of travel above which the error allows no advice */
  const seam_deviation *error = &verdict->error;
  const bool has_error = error->by != SEAM_TRUTH_NONE && error->of_travel > verdict->bounds.accurate &&
                         error->of_travel < far && !error->diverges;
  if (verdict->word == SEAM_WORD_ACCURATE || verdict->word == SEAM_WORD_NOT_CHECKED)
    return;
  if (simulation == NULL)
    puts("try:     tighter tolerances (--rtol), or another integrator");
  else if (has_error && cosim_builder_definition(builder)->step_control == NULL)
    printf("try:     --macro-step %.3g, if errors fall with it\n",
           accurate_step(verdict, cosim_statistics_of(simulation).longest)); /* samples shorten some macro steps */
  else
    puts("try:     a smaller macro step");
  if (simulation != NULL)
    printf("or:      seam compare %s --schemes all\n", model);
}

void verdict_lines_print(const seam_run_verdict *verdict, const cosim_simulation *simulation,
                         const cosim_builder *builder, const char *model) {
  static const char *const colours[] = {[SEAM_WORD_NOT_CHECKED] = "\033[2m",
                                        [SEAM_WORD_ACCURATE] = "\033[32m",
                                        [SEAM_WORD_ROUGH] = "\033[33m",
                                        [SEAM_WORD_WRONG] = "\033[31m"};
  const char *refused = getenv("NO_COLOR");
  const bool has_colour = isatty(STDOUT_FILENO) && (refused == NULL || *refused == '\0');
  char text[1024];
  seam_verdict_say(verdict, text, sizeof text);
  print_wrapped(text, has_colour ? colours[verdict->word] : "", strcspn(text, ":"));
  print_advice(verdict, simulation, builder, model);
  fflush(stdout);
}
