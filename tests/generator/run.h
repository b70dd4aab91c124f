/* Runs of a trial, and what they gave at some times, in plain units. */
#ifndef TESTS_GENERATOR_RUN_H
#define TESTS_GENERATOR_RUN_H

#include <seam/models.h>
#include <seam/status.h>

#include "tests/generator/trial.h"

typedef struct sample {
  double time;
  double q[3 * MAX_BODIES], v[3 * MAX_BODIES];
  double balance;       /* energy.total + dissipated - driven - what couplings created */
  double energy_scale;  /* of what the balance is made of */
  double largest_place; /* largest coordinate in the file's frame, in plain lengths */
} sample;

typedef struct motion {
  seam_error error; /* why it ended; status SEAM_OK: done */
  int n;
  sample sample[N_ROWS + 1]; /* (n) at the rows of the file, or at macro points; the first one at the start */
  size_t steps;              /* of integrators */
} motion;

/* Time, place and rates in plain units of those in the file's frame; and the largest place. */
void straighten(const trial *t, double time, const double *coordinates, const double *rates, sample *s);

/* As the file says: whole, fixed steps divided into so many parts, or cut. */
void run_trial(const trial *t, int parts, motion *m);

/* Options of a run that a trial is compared with: initial velocities are changed by `perturbation` times a pattern of
 * ones and minus ones. */
typedef struct reference_options {
  const char *method;
  double tolerance, perturbation;
} reference_options;

/* The whole mechanism of a trial in the plain frame: samples (n) at ascending times (n), the first of them the start;
 * false: it failed. */
bool run_reference(const trial *plain, const reference_options *options, const double *times, int n, sample *samples);

#endif
