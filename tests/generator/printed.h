/* What a run prints of its error. */
#ifndef TESTS_GENERATOR_PRINTED_H
#define TESTS_GENERATOR_PRINTED_H

#include "tests/generator/errors.h"

typedef enum printed_way { BY_WHOLE, BY_SMALLER_STEPS, BY_OTHER_INTEGRATOR, UNPRINTED, N_PRINTED_WAYS } printed_way;

typedef enum printed_word { ACCURATE, ROUGH, WRONG_WORD, NOT_CHECKED, N_WORDS } printed_word;

typedef struct printed {
  printed_way way;
  printed_word word;
  bool is_bound; /* the error is smaller */
  double error;  /* of the travel; NaN: none is printed */
  double until;  /* plain, it was judged up to there; the end: all of it */
  char name[24], why[100];
} printed;

printed printed_error(const trial *t, const error_run *run);

#endif
