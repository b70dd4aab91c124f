/* Makes, runs and judges trials, each in a process of its own; fails where one is wrong, crashes or does not end.
 *
 * usage: seam_generator [--from SEED] [--count N] [--jobs N] [--list]    N trials; --list prints each of them
 *        seam_generator --seed SEED                                      one: its model file and all that was found
 *        seam_generator --twins [--from SEED] [--count N] [--jobs N] [--list] [--seed SEED]    the same of twins
 *        seam_generator --errors ...                    the same of trials of printed errors (tests/generator/errors.h)
 *
 * Without --count 100 trials, 300 of errors, whose shares need them; with SEAM_LONG in the environment 10 000; 300
 * twins. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/generator/errors_mode.h"
#include "tests/generator/pool.h"
#include "tests/generator/report.h"
#include "tests/generator/twins.h"

static const double LEAST_RIGHT = 0.7; /* of all trials: one that refuses everything would not be wrong either */

typedef struct arguments {
  uint64_t from, count, seed;
  int jobs;
  bool one, list, errors;
} arguments;

static arguments read_arguments(int n, char **texts) {
  arguments a = {.from = 1, .jobs = 2};
  for (int i = 1; i < n; i++) {
    const uint64_t value = i + 1 < n ? strtoull(texts[i + 1], NULL, 10) : 0;
    if (strcmp(texts[i], "--seed") == 0) {
      a.one = true;
      a.seed = value;
    } else if (strcmp(texts[i], "--from") == 0) {
      a.from = value;
    } else if (strcmp(texts[i], "--count") == 0) {
      a.count = value;
    } else if (strcmp(texts[i], "--jobs") == 0) {
      a.jobs = (int)(value < 1 ? 1 : value > MAX_JOBS ? MAX_JOBS : value);
    } else if (strcmp(texts[i], "--list") == 0) {
      a.list = true;
    } else if (strcmp(texts[i], "--errors") == 0) {
      a.errors = true;
    }
  }
  if (a.count == 0)
    a.count = getenv("SEAM_LONG") != NULL ? 10000 : a.errors ? 300 : 100;
  return a;
}

/* ---- One trial --------------------------------------------------------------------------------------------------- */

static int print_trial(uint64_t seed) {
  static trial t;
  record r;
  trial_make(&t, seed, false);
  fputs(t.yaml.at, stdout);
  fflush(stdout);
  judge(&t, &r.outcome, stdout);
  record_trial(&r, &t);
  fputs("# ", stdout);
  record_print(&r);
  return r.outcome.judgement == WRONG;
}

static void try_trial(uint64_t seed, void *made) {
  static trial t;
  record *r = made;
  trial_make(&t, seed, false);
  judge(&t, &r->outcome, NULL);
  record_trial(r, &t);
}

/* ---- Many -------------------------------------------------------------------------------------------------------- */

static void lose_trial(uint64_t seed, void *made) {
  static trial t;
  record *r = made;
  *r = (record){.outcome = {.judgement = LOST}};
  trial_make(&t, seed, false);
  record_trial(r, &t);
}

typedef struct taking {
  bool list;
  report all;
} taking;

static void take_record(void *context, const void *made) {
  taking *to = context;
  const record *r = made;
  report_add(&to->all, r);
  if (to->list || r->outcome.judgement == WRONG || r->outcome.judgement == LOST)
    record_print(r);
}

int main(int n, char **texts) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  static taking all;
  const arguments a = read_arguments(n, texts);
  for (int i = 1; i < n; i++)
    if (strcmp(texts[i], "--twins") == 0)
      return twins_main(n, texts);
  if (a.errors)
    return a.one ? errors_print_trial(a.seed) : errors_run_trials(a.from, a.count, a.jobs, a.list);
  if (a.one)
    return print_trial(a.seed);
  all.list = a.list;
  pool_run(&(pool){.from = a.from,
                   .count = a.count,
                   .jobs = a.jobs,
                   .record_size = sizeof(record),
                   .context = &all,
                   .try_one = try_trial,
                   .lose_one = lose_trial,
                   .take = take_record});
  report_print(&all.all);
  const size_t *counts = all.all.whole.count;
  return counts[WRONG] + counts[LOST] > 0 || (double)counts[RIGHT] < LEAST_RIGHT * (double)a.count;
}
