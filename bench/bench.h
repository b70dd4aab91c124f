/* What the benchmarks share: repeated timing with its spread, and the mechanisms they run. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <seam/models.h>

/* CPU time of the process, s. */
double bench_cpu(void);

typedef struct bench_time {
  double median, least, most; /* s for one run */
} bench_time;

/* Times `run(data)` `repeats` times (at least once) and gives median, least and most: the machine's noise. */
bench_time bench_measure(void (*run)(void *data), void *data, int repeats);

/* Ends the program with a message when a call failed. */
void bench_check(seam_status status, const seam_error *error);

/* A model of the catalogue with one override ("parameters.N=100"), or none (NULL). Free with
 * seam_model_file_destroy(). */
seam_model_file *bench_model(const char *name, const char *override);

#endif
