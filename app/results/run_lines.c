#include "app/results/run_lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seam/analysis.h>

#include "app/thresholds.h"
#include "base/dotted.h"

/* ---- Events ---- */

/* Prints how often an event occurred, and the first and last time. */
static void print_count(const char *kind, const char *name, size_t count, double first, double last) {
  fprintf(stderr, "  %s '%s': ", kind, name);
  if (count == 0)
    fputs("never", stderr);
  else if (count == 1)
    fprintf(stderr, "at t = %.9g s", first);
  else
    fprintf(stderr, "%zu times, first at t = %.9g s, last at t = %.9g s", count, first, last);
}

void event_lines_print(const seam_run_facts *facts) {
  const mbs_impact_record *of = facts->impacts;
  for (size_t i = 0; i < mbs_n_events(facts->model); i++) {
    const mbs_event_record record = mbs_event_record_of(facts->watched, i);
    print_count("event", mbs_event_of(facts->model, i).name, record.count, record.first, record.last);
    fputc('\n', stderr);
  }
  for (size_t i = 0; i < mbs_n_forces(facts->model); i++) {
    const mbs_force_info force = mbs_force_of(facts->model, i);
    if (force.has_impacts && of->count > 0) {
      print_count("impacts of", force.name, of->count, of->first, of->last);
      fprintf(stderr, "; they took %.6g J", of->loss);
      if (facts->simulation == NULL && of->count > SEAM_MAX_LISTED_IMPACTS)
        fprintf(stderr, "; events.csv has the first %d", SEAM_MAX_LISTED_IMPACTS);
      fputc('\n', stderr);
    }
    of += force.has_impacts;
  }
}

/* ---- Statistics ---- */

bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which) {
  return (seam_model_over_run(file, quantity.element) >> which & 1U) != 0;
}

void statistics_write_name(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                           size_t size) {
  const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(file), quantity);
  dotted_name(info.element, info.name, name, size);
  const size_t used = strlen(name);
  snprintf(name + used, size - used, ".%s", seam_statistic_name(which));
}

static mbs_quantity_info info_of(const seam_run_facts *facts, size_t i) {
  return mbs_quantity_of(seam_model_mechanism(facts->file), facts->quantities[i]);
}

void statistics_print(const seam_run_facts *facts) {
  for (size_t i = 0; i < facts->n_quantities; i++) {
    const mbs_quantity_info info = info_of(facts, i);
    const char *unit = info.unit;
    char name[256];
    dotted_name(info.element, info.name, name, sizeof name);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++) {
      if (!statistics_is_requested(facts->file, facts->quantities[i], s))
        continue;
      const seam_run_figure figure = seam_run_figure_of(facts, i, s);
      fprintf(stderr, "  %s %s: %.6g", name, seam_statistic_name(s), figure.value + 0.0); /* 0 for -0 */
      if (*unit != '\0') /* "": the unit is unknown, or 1 */
        fprintf(stderr, " %s%s", unit, s == SEAM_INTEGRAL ? "*s" : "");
      if (!isnan(figure.time))
        fprintf(stderr, " at t = %.6g s", figure.time);
      if (figure.error > 0)
        fprintf(stderr, ", error %.2g", figure.error);
      else if (isnan(figure.error) && isnan(figure.uncertainty))
        fputs(", error not known", stderr);
      else if (isnan(figure.error) && figure.uncertainty != 0)
        fputs(", error not checked", stderr);
      fputc('\n', stderr);
    }
  }
}

static double size_of(const seam_run_facts *facts, size_t i) {
  return fmax(fabs(seam_over_run_of(facts->over_run, i, SEAM_MIN).value),
              fabs(seam_over_run_of(facts->over_run, i, SEAM_MAX).value));
}

/* Returns the smaller known one of a statistic's uncertainty and error, divided by the size of the quantity. INFINITY:
 * neither is known. For an integral takes those of the mean. */
static double relative_uncertainty(const seam_run_facts *facts, size_t i, seam_statistic which) {
  const seam_statistic judged = which == SEAM_INTEGRAL ? SEAM_MEAN : which;
  const seam_run_figure figure = seam_run_figure_of(facts, i, judged);
  const double uncertainty = fmin(figure.uncertainty, figure.error); /* fmin() ignores a NaN, which is unknown */
  return isnan(uncertainty) ? INFINITY : uncertainty / size_of(facts, i);
}

/* Returns true if the quantity is round-off beside 1, or beside the largest quantity with its unit. */
static bool is_roundoff(const seam_run_facts *facts, size_t i) {
  double largest = 1;
  for (size_t k = 0; k < facts->n_quantities; k++)
    if (strcmp(info_of(facts, k).unit, info_of(facts, i).unit) == 0)
      largest = fmax(largest, size_of(facts, k));
  return size_of(facts, i) <= app_statistics_zero * largest;
}

void statistics_note(const seam_run_facts *facts) {
  double largest = 0.01;
  size_t of = SEAM_NONE;
  const char *which = NULL;
  for (size_t i = 0; i < facts->n_quantities; i++)
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++) {
      const double uncertainty =
          statistics_is_requested(facts->file, facts->quantities[i], s) ? relative_uncertainty(facts, i, s) : 0;
      if (uncertainty > largest && !is_roundoff(facts, i)) {
        largest = uncertainty;
        of = i;
        which = seam_statistic_name(s);
      }
    }
  if (of == SEAM_NONE)
    return;
  const mbs_quantity_info info = info_of(facts, of);
  char name[256];
  dotted_name(info.element, info.name, name, sizeof name);
  char amount[64] = "the uncertainty of the value is unknown";
  if (isfinite(largest))
    snprintf(amount, sizeof amount,
             largest < 0.995 ? "%.2g %% of the value is uncertain" : "%.0f %% of the value is uncertain",
             100 * largest);
  if (seam_over_run_is_doubted(facts->over_run))
    fprintf(stderr,
            "note: the %s of '%s' misses contacts, impacts and kinks of subsystems inside macro steps, so that %s; run "
            "the model without --cosim\n",
            which, name, amount);
  else
    fprintf(
        stderr,
        "note: rows are too %s for the %s of '%s'%s, so that %s; give a smaller --output-step, or for a co-simulated "
        "run a smaller --macro-step\n",
        isinf(largest) ? "few" : "far apart", which, name, isinf(largest) ? ", or it has a pole" : "", amount);
}

/* ---- Verdict ---- */

/* Returns true if `seam compare` is possible: couplings have schemes, and the model or its reference runs undivided. */
static bool can_be_compared(const seam_model_file *file) {
  const mbs_model *monolithic = NULL;
  if (!cosim_has_couplings(seam_model_cosim(file), false) && !cosim_has_couplings(seam_model_cosim(file), true))
    return false;
  return seam_model_reference(file) != NULL || seam_model_whole(file, &monolithic, NULL) == SEAM_OK;
}

/* A scheme that a coupling uses, from which another one is proposed. */
typedef struct used_scheme {
  bool is_found;
  seam_scheme_words words;
} used_scheme;

/* Finds the first scheme that a polynomial of the next order makes more accurate. Also finds the first index-2 scheme,
 * which does not control accelerations and reactions. */
static void find_schemes(const seam_run_facts *facts, used_scheme *low_order, used_scheme *index2) {
  *low_order = *index2 = (used_scheme){.is_found = false};
  for (size_t k = 0; k < cosim_n_couplings(facts->simulation); k++) {
    const cosim_coupling_info of = cosim_coupling_of(facts->simulation, k);
    used_scheme one = {.is_found = true};
    if (seam_scheme_read(of.scheme, &one.words, NULL) != SEAM_OK)
      continue;
    const bool may_be_unstable =
        !of.is_exchanged && strcmp(one.words.decomposition, "ff") == 0; /* ff-k1 may be unstable where ff-k0 is not */
    if (!low_order->is_found && !may_be_unstable && one.words.order < (of.is_exchanged ? 2 : 1))
      *low_order = one;
    if (!index2->is_found && strcmp(one.words.method, "index2") == 0)
      *index2 = one;
  }
}

static void print_scheme(const seam_scheme_words *words, const char *method, int order) {
  const bool is_default = strcmp(words->iteration, "semi") == 0;
  printf("or:      --scheme %s%s%s-k%d%s%s\n", words->decomposition, *method != '\0' ? "-" : "", method, order,
         is_default ? "" : "-", is_default ? "" : words->iteration);
}

/* `seam compare` judges errors of the motion. It is advised only if such an error is too large for an accurate run. */
static void print_advice(const seam_run_facts *facts, const app_options *parsed) {
  const seam_run_verdict *verdict = facts->verdict;
  const seam_deviation *error = &verdict->error;
  const bool has_error = error->by != SEAM_TRUTH_NONE && error->of_travel > verdict->bounds.accurate &&
                         error->of_travel < app_max_error_for_step && !error->diverges;
  if (verdict->word == SEAM_WORD_ACCURATE || verdict->word == SEAM_WORD_NOT_CHECKED)
    return;
  if (facts->simulation == NULL) {
    const bool has_step = seam_model_simulation(facts->file)->integrator.step > 0;
    printf("try:     %s, or another integrator\n", has_step ? "a smaller --step" : "tighter tolerances (--rtol)");
    return;
  }
  const cosim_step_control *control = cosim_builder_definition(facts->builder)->step_control;
  if (has_error && control == NULL) {
    /* If errors fall at least in proportion to the macro step, the run is accurate with the proposed one. This one is
     * rounded down to one digit. Samples shorten some macro steps, so the longest one counts. */
    const double longest = cosim_statistics_of(facts->simulation).longest;
    const double wanted = longest * verdict->bounds.accurate / error->of_travel;
    const double digit = pow(10, floor(log10(wanted)));
    printf("try:     --macro-step %.3g, if errors fall with it\n", floor(wanted / digit) * digit);
  } else
    printf("try:     %s\n", control == NULL ? "a smaller macro step"
                            : control->shortest > 0
                                ? "a smaller tolerance or 'shortest' of 'step_control'"
                                : "a smaller tolerance of 'step_control', or a shorter first macro step");
  used_scheme low_order, index2;
  find_schemes(facts, &low_order, &index2);
  const bool forces_decide = error->by != SEAM_TRUTH_NONE && error->of_travel <= verdict->bounds.accurate;
  if (forces_decide && index2.is_found)
    print_scheme(&index2.words, "index1", index2.words.order);
  else if (low_order.is_found && !(error->of_travel > app_max_error_for_order))
    print_scheme(&low_order.words, low_order.words.method, low_order.words.order + 1);
  else if (can_be_compared(facts->file) && (error->diverges || error->of_travel > verdict->bounds.accurate)) {
    printf("or:      seam compare %s --schemes all", parsed->operands[0]);
    options_print_overrides(parsed);
    putchar('\n');
  }
}

void verdict_lines_print(const seam_run_facts *facts, const app_options *parsed) {
  enum { COLUMNS = 80, INDENT = 9 };
  static const char *const colours[] = {[SEAM_WORD_NOT_CHECKED] = "\033[2m",
                                        [SEAM_WORD_ACCURATE] = "\033[32m",
                                        [SEAM_WORD_ROUGH] = "\033[33m",
                                        [SEAM_WORD_WRONG] = "\033[31m"};
  const char *refused = getenv("NO_COLOR");
  const bool has_colour = isatty(STDOUT_FILENO) && (refused == NULL || *refused == '\0');
  char text[1024];
  seam_verdict_say(facts->verdict, text, sizeof text);
  const size_t n_coloured = strcspn(text, ":");
  size_t column = INDENT + n_coloured;
  printf("verdict: %s%.*s%s", has_colour ? colours[facts->verdict->word] : "", (int)n_coloured, text,
         has_colour ? "\033[0m" : "");
  for (const char *at = text + n_coloured; *at != '\0';) { /* breaks lines between words */
    const size_t blanks = strspn(at, " ");
    const size_t length = strcspn(at + blanks, " ");
    const bool fits = column + blanks + length <= COLUMNS;
    printf("%s%*s%.*s", fits ? "" : "\n", fits ? (int)blanks : INDENT, "", (int)length, at + blanks);
    column = (fits ? column + blanks : INDENT) + length;
    at += blanks + length;
  }
  putchar('\n');
  print_advice(facts, parsed);
  fflush(stdout);
}
