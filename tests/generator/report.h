/* What trials came to, in one line each and in a table. */
#ifndef TESTS_GENERATOR_REPORT_H
#define TESTS_GENERATOR_REPORT_H

#include "tests/generator/judge.h"

/* Of one trial; fits into a pipe in one piece. */
typedef struct record {
  uint64_t seed;
  char kinds[80]; /* of subsets */
  char how[96];   /* integrator, or scheme and integrator of the subsystems */
  char group[3 + MAX_SUBSETS][32];
  int n_groups; /* of the table, that it belongs to */
  double cpu;   /* s */
  outcome outcome;
} record;

void record_trial(record *r, const trial *t);
void record_print(const record *r);

typedef struct report_row {
  char name[32];
  size_t count[N_JUDGEMENTS];
  double largest_ratio; /* of error and bound, of those that are right */
  uint64_t seed;        /* where that was */
} report_row;

enum { MAX_ROWS = 64 };

typedef struct report {
  report_row whole;
  report_row row[MAX_ROWS];
  int n;
} report;

void report_add(report *self, const record *r);
void report_print(const report *self);

#endif
