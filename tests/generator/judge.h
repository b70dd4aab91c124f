/* What a run of a trial gave, beside what is known of it. */
#ifndef TESTS_GENERATOR_JUDGE_H
#define TESTS_GENERATOR_JUDGE_H

#include <stdio.h>

#include "tests/generator/run.h"

typedef enum judgement {
  RIGHT,     /* status 0, all errors within their bounds */
  WRONG,     /* status 0, an error beyond its bound: must not be */
  ADMITTED,  /* status 3 */
  FAILED,    /* status 1 */
  REFUSED,   /* status 2 */
  UNDECIDED, /* status 0, but the reference fails, or a bound is as large as the motion itself */
  LOST,      /* it crashed, or used up its time: must not be */
  N_JUDGEMENTS
} judgement;

/* What was compared with what is known. */
typedef struct finding {
  const char *what; /* invariant or kind of subset */
  double error, bound;
} finding;

typedef struct outcome {
  judgement judgement;
  finding worst; /* of the largest error/bound */
  double growth; /* of a perturbation over the run; 0: not needed */
  size_t steps;
  char why[400]; /* message of a run that was not done */
} outcome;

extern const char *const judgement_names[N_JUDGEMENTS];

/* Runs a trial and judges it; lists what it finds in `log` (NULL: nowhere). */
void judge(const trial *t, outcome *o, FILE *log);

#endif
