#include "bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double bench_cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a;
  const double y = *(const double *)b;
  return (x > y) - (x < y);
}

bench_time bench_measure(void (*run)(void *data), void *data, int repeats) {
  enum { most_repeats = 101 };
  double times[most_repeats];
  if (repeats > most_repeats) repeats = most_repeats;
  for (int i = 0; i < repeats; i++) {
    const double start = bench_cpu();
    run(data);
    times[i] = bench_cpu() - start;
  }
  qsort(times, (size_t)repeats, sizeof *times, compare);
  return (bench_time){.median = times[repeats / 2], .least = times[0], .most = times[repeats - 1]};
}

void bench_check(seam_status status, const seam_error *error) {
  if (status == SEAM_OK) return;
  fprintf(stderr, "bench: %s\n", error->message);
  exit(1);
}

seam_model_file *bench_model(const char *name, const char *override) {
  seam_error error = {0};
  seam_model_file *file = NULL;
  const char *text = seam_catalogue_text(name);
  bench_check(seam_model_file_parse(name, text, strlen(text), &override, override == NULL ? 0 : 1, &file, &error),
              &error);
  return file;
}
