#include "tests/generator/errors_mode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/generator/errors.h"
#include "tests/generator/pool.h"

enum { N_PRINTED_WAYS = SEAM_TRUTH_INTEGRATOR + 1, N_WORDS = SEAM_WORD_WRONG + 1 };

/* Goals. */
static const double WITHIN = 3;         /* a printed error is right within this factor, */
static const double LEAST_SHARE = 0.98; /* so often */
static const double ACCURATE_MEANS[N_PRINTED_WAYS] = {INFINITY, 0.011, 0.02, 0.011}; /* largest true error */
static const double OFF = 0.01;                                                      /* of the travel */
static const double RESOLUTION = 1e-6; /* of travels: smaller errors are taken as this large, beside the truth's own */

typedef enum fate { DONE, FAILED_RUN, REFUSED_RUN, NO_TRUTH, LOST_RUN, N_FATES } fate;
static const char *const fate_names[] = {"done", "failed", "refused", "no truth", "LOST"};
static const char *const way_names[N_PRINTED_WAYS] = {"not checked", "by the whole", "by smaller macro steps",
                                                      "by another integrator"};
static const char *const truth_names[] = {"closed form", "own equations", "integrator"};

typedef struct error_record {
  uint64_t seed;
  fate fate;
  truth_way truth;
  printed printed;
  true_error real;
  double cpu, ratio; /* s; printed over true */
  char kinds[80], how[160], why[300];
} error_record;

/* ---- One trial --------------------------------------------------------------------------------------------------- */

static void describe(error_record *r, const trial *t) {
  for (int i = 0; i < t->n_subsets; i++) {
    const size_t length = strlen(r->kinds);
    snprintf(r->kinds + length, sizeof r->kinds - length, "%s%s", i > 0 ? "+" : "", t->subset[i].kind->name);
  }
  if (t->network.n_blocks > 0)
    snprintf(r->kinds, sizeof r->kinds, "network");
  if (t->run == CUT)
    snprintf(r->how, sizeof r->how, "%s by %s, H %.3g, H rate %.2g", t->label, t->integrator, t->macro_step,
             t->macro_step * t->rate);
  else
    snprintf(r->how, sizeof r->how, "%s of order %d, %s %.2g", t->integrator, t->order, t->step > 0 ? "step" : "rtol",
             t->step > 0 ? t->step : t->rtol);
}

/* Of printed and true; an upper bound that holds is right. */
static double ratio_of(const printed *p, const true_error *real) {
  const double shown = fmax(p->error, RESOLUTION), is = fmax(real->error, RESOLUTION);
  return p->is_bound && is <= shown ? 1 : shown / is;
}

static void compare(const trial *t, const error_run *run, error_record *r) {
  layout layouts[N_TRACKS];
  static truth found;
  layouts_of(t, layouts);
  r->printed = run->printed;
  if (!truth_find(t, run, &found)) {
    r->fate = NO_TRUTH;
  } else {
    r->truth = found.way;
    r->real = error_between(layouts, run->track, &found,
                            &(judged){.length = run->length,
                                      .speed = run->speed,
                                      .rate = run->rate,
                                      .until = r->printed.until,
                                      .late = run->late});
    r->ratio = ratio_of(&r->printed, &r->real);
  }
  truth_free(&found);
}

static void examine(uint64_t seed, error_record *r) {
  static trial t;
  error_run run;
  *r = (error_record){.seed = seed};
  error_trial_make(&t, seed, false);
  describe(r, &t);
  error_run_carry_out(&t, false, &run);
  snprintf(r->why, sizeof r->why, "%.299s", run.error.message);
  if (run.error.status == SEAM_OK || run.error.status == SEAM_WRONG)
    compare(&t, &run, r);
  else
    r->fate = seam_status_exit(run.error.status) == 2 ? REFUSED_RUN : FAILED_RUN;
  error_run_free(&run);
  r->cpu = (double)clock() / CLOCKS_PER_SEC;
}

static void print_record(const error_record *r) {
  const printed *p = &r->printed;
  printf("seed %llu: %s; %s; %s; ", (unsigned long long)r->seed, fate_names[r->fate], r->kinds, r->how);
  if (r->fate == DONE) {
    printf("%s, %s %s%.3g (%s at %.4g), true %.3g (%s at %.4g, %.3g of %.3g; %s), ratio %.3g; ",
           seam_word_text(p->word), way_names[p->by], p->is_bound ? "< " : "", p->error, p->name, p->time,
           r->real.error, r->real.name, r->real.time, r->real.deviation, r->real.travel, truth_names[r->truth],
           r->ratio);
    if (p->why[0] != '\0')
      printf("%s; ", p->why);
  }
  printf("%.2f s %s\n", r->cpu, r->why);
}

int errors_print_trial(uint64_t seed) {
  static trial t;
  error_record r;
  error_trial_make(&t, seed, false);
  fputs(t.yaml.at, stdout);
  fflush(stdout);
  examine(seed, &r);
  fputs("# ", stdout);
  print_record(&r);
  if (t.run == CUT) {
    error_run whole;
    static truth found;
    layout layouts[N_TRACKS];
    layouts_of(&t, layouts);
    error_run_carry_out(&t, true, &whole);
    printf("# whole: %d %s", whole.error.status, whole.error.message);
    if (whole.track[0].n > 1 && truth_find(&t, &whole, &found)) {
      const true_error e = error_between(layouts, whole.track, &found,
                                         &(judged){whole.length, whole.speed, whole.rate, t.end, whole.late});
      printf(" true %.3g (%s at %.4g, %.3g of %.3g)", e.error, e.name, e.time, e.deviation, e.travel);
    }
    putchar('\n');
  }
  return 0;
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

typedef struct collection {
  error_record *record;
  size_t n;
  bool list;
} collection;

static void try_trial(uint64_t seed, void *record) { examine(seed, record); }

static void lose_trial(uint64_t seed, void *record) {
  static trial t;
  error_record *r = record;
  *r = (error_record){.seed = seed, .fate = LOST_RUN};
  error_trial_make(&t, seed, false);
  describe(r, &t);
}

static void take_record(void *context, const void *record) {
  collection *c = context;
  c->record[c->n] = *(const error_record *)record;
  if (c->list || c->record[c->n].fate == LOST_RUN)
    print_record(&c->record[c->n]);
  c->n++;
}

/* ---- Tables ------------------------------------------------------------------------------------------------------ */

static int by_ratio(const void *a, const void *b) {
  const double x = (*(const error_record *const *)a)->ratio, y = (*(const error_record *const *)b)->ratio;
  return (x > y) - (x < y);
}

static bool is_within(const error_record *r) { return r->ratio >= 1 / WITHIN && r->ratio <= WITHIN; }

static bool is_falsely_accurate(const error_record *r) {
  return r->printed.word == SEAM_WORD_ACCURATE && r->real.error > ACCURATE_MEANS[r->printed.by];
}

static void print_quantiles(const error_record **of, size_t n) {
  static const double shares[] = {0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1};
  fputs("  printed over true", stdout);
  for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
    printf(", %g %%: %.3g", 100 * shares[i], of[(size_t)(shares[i] * (double)(n - 1) + 0.5)]->ratio);
  putchar('\n');
}

/* Runs that are not checked, and those that smaller macro steps do not approach. */
static void print_unprinted(const collection *c) {
  size_t unchecked = 0, diverging = 0, unchecked_off = 0, diverging_right = 0;
  for (const error_record *r = c->record; r < c->record + c->n; r++) {
    if (r->fate != DONE || isfinite(r->printed.error))
      continue;
    const bool is_off = r->real.error > OFF;
    unchecked += r->printed.by == SEAM_TRUTH_NONE;
    unchecked_off += r->printed.by == SEAM_TRUTH_NONE && is_off;
    diverging += r->printed.by != SEAM_TRUTH_NONE;
    diverging_right += r->printed.by != SEAM_TRUTH_NONE && !is_off;
    print_record(r);
  }
  printf("not checked: %zu trials, %zu off by more than 1 %%; smaller macro steps do not approach: %zu, %zu of them "
         "off by "
         "less than 1 %%\n",
         unchecked, unchecked_off, diverging, diverging_right);
}

/* Whether the goals are met. */
static bool print_table(const collection *c, seam_truth way) {
  const error_record **of = malloc((c->n + 1) * sizeof(const error_record *));
  size_t n = 0, within = 0, n_false = 0, words[N_WORDS] = {0}, truths[N_TRUTH_WAYS] = {0}, above = 0;
  for (const error_record *r = c->record; r < c->record + c->n; r++)
    if (r->fate == DONE && r->printed.by == way && isfinite(r->printed.error)) {
      of[n++] = r;
      within += is_within(r);
      n_false += is_falsely_accurate(r);
      words[r->printed.word]++;
      truths[r->truth]++;
      above += r->real.error > OFF;
    }
  printf("%s: %zu trials (%zu by closed forms, %zu by own equations), %zu off by more than 1 %%\n", way_names[way], n,
         truths[BY_CLOSED_FORM], truths[BY_OWN_EQUATIONS], above);
  if (n == 0) {
    free(of);
    return true;
  }
  qsort(of, n, sizeof *of, by_ratio);
  const double share = (double)within / (double)n, least = of[0]->ratio;
  printf("  %zu accurate, %zu rough, %zu wrong\n", words[SEAM_WORD_ACCURATE], words[SEAM_WORD_ROUGH],
         words[SEAM_WORD_WRONG]);
  print_quantiles(of, n);
  printf("  within a factor of 3: %.2f %%; smallest ratio: %.3g; accurate, but off by more than %.2g %%: %zu\n",
         100 * share, least, 100 * ACCURATE_MEANS[way], n_false);
  for (size_t i = 0; i < n; i++)
    if (!is_within(of[i]) || is_falsely_accurate(of[i]))
      print_record(of[i]);
  free(of);
  return share >= LEAST_SHARE && least >= 1 / WITHIN && n_false == 0;
}

static void print_fates(const collection *c) {
  size_t fates[N_FATES] = {0}, truths[N_TRUTH_WAYS] = {0};
  double cpu = 0;
  for (const error_record *r = c->record; r < c->record + c->n; r++) {
    fates[r->fate]++;
    cpu += r->cpu;
    truths[r->truth] += r->fate == DONE;
  }
  printf("%zu trials:", c->n);
  for (int i = 0; i < N_FATES; i++)
    printf(" %zu %s,", fates[i], fate_names[i]);
  for (int i = 0; i < N_TRUTH_WAYS; i++)
    printf(" %zu known by %s,", truths[i], truth_names[i]);
  printf(" %.3f s each\n", cpu / (double)c->n);
}

int errors_run_trials(uint64_t from, uint64_t count, int jobs, bool list) {
  collection all = {.record = calloc(count + 1, sizeof *all.record), .list = list};
  bool met = true;
  pool_run(&(pool){.from = from,
                   .count = count,
                   .jobs = jobs,
                   .record_size = sizeof(error_record),
                   .context = &all,
                   .try_one = try_trial,
                   .lose_one = lose_trial,
                   .take = take_record});
  print_fates(&all);
  for (seam_truth way = SEAM_TRUTH_WHOLE; way <= SEAM_TRUTH_INTEGRATOR; way++)
    met &= print_table(&all, way);
  print_unprinted(&all);
  free(all.record);
  return met ? 0 : 1;
}
