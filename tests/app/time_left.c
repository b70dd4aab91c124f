/* Estimates of the time left are right within a factor of 2, on courses whose time is known. */
#include "app/progress.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stddef.h>

/* A phase that takes `time[0]` s for the first half of it and `time[1]` s for the second. */
typedef struct course {
  double work;    /* predicted */
  double time[2]; /* true, s */
  double end;     /* the fraction where it ends */
} course;

static double duration(const course *phase) {
  return phase->end <= 0.5 ? 2 * phase->end * phase->time[0] : phase->time[0] + (2 * phase->end - 1) * phase->time[1];
}

static double fraction_at(const course *phase, double t) {
  return t <= phase->time[0] ? 0.5 * t / phase->time[0] : 0.5 + 0.5 * (t - phase->time[0]) / phase->time[1];
}

static double sum(const course *phases, size_t n, double (*of)(const course *)) {
  double total = 0;
  for (size_t i = 0; i < n; i++)
    total += of(&phases[i]);
  return total;
}

static double work_of(const course *phase) { return phase->work; }

/* The largest factor between estimate and truth from the time `from` (s) to the last second, one look every 0.1 s. */
static double worst_factor(const course *phases, size_t n, double from) {
  time_left left = {0};
  double worst = 1;
  double start = 0;
  for (size_t i = 0; i < n; start += duration(&phases[i]), i++) {
    time_left_begin(&left, start, phases[i].work, sum(phases + i + 1, n - i - 1, work_of));
    const double end = duration(&phases[i]);
    for (int look = 1; 0.1 * look < end; look++) {
      const double t = 0.1 * look;
      const double truth = end - t + sum(phases + i + 1, n - i - 1, duration);
      time_left_record(&left, start + t, fraction_at(&phases[i], t));
      if (start + t < from || truth < 1)
        continue;
      const double estimate = time_left_estimate(&left, start + t);
      cr_assert(estimate > 0, "%g at %g s", estimate, start + t);
      worst = fmax(worst, fmax(estimate / truth, truth / estimate));
    }
    time_left_record(&left, start + end, phases[i].end);
  }
  return worst;
}

Test(time_left, a_constant_rate_is_extrapolated) {
  cr_expect_float_eq(worst_factor(&(course){1, {30, 30}, 1}, 1, 0.2), 1, 1e-9);
}

/* Before it slows nothing shows that; afterwards the recent rate counts. */
Test(time_left, a_run_that_slows_or_speeds_up_twofold_stays_within_two) {
  const course slowing = {1, {20, 40}, 1};
  const course speeding = {1, {40, 20}, 1};
  cr_expect_leq(worst_factor(&slowing, 1, 0.2), 2 * (1 + 1e-9));
  cr_expect_leq(worst_factor(&speeding, 1, 0.2), 2 * (1 + 1e-9));
  cr_expect_leq(worst_factor(&slowing, 1, 36), 1 + 1e-9);
  cr_expect_leq(worst_factor(&(course){1, {10, 80}, 1}, 1, 18), 1 + 1e-9, "eight times slower, soon after");
}

/* Schemes cost from 0.3 to 5 times the first; predictions are off by up to 1.5, up and down. */
Test(time_left, phases_of_different_cost_stay_within_two) {
  const course exact[] = {{1, {5, 5}, 1}, {2.4, {12, 12}, 1}, {0.3, {1.5, 1.5}, 1}, {5, {25, 25}, 1}, {1, {5, 5}, 1}};
  cr_expect_float_eq(worst_factor(exact, 5, 0.2), 1, 1e-9);
  course off[8];
  for (int i = 0; i < 8; i++) {
    const double cost = 1 + 4 * fabs(sin(1 + i));
    off[i] = (course){cost * (i % 2 == 0 ? 1.5 : 1 / 1.5), {3 * cost, 3 * cost}, 1};
  }
  cr_expect_leq(worst_factor(off, 8, 0.2), 2);
}

/* An unstable run leaves its phase early. */
Test(time_left, phases_count_as_far_as_they_came) {
  time_left left = {0};
  time_left_begin(&left, 0, 1, 5);
  time_left_record(&left, 1, 0.1);
  time_left_begin(&left, 1, 2, 3);
  time_left_record(&left, 13, 0.6);
  time_left_begin(&left, 13, 2, 1);
  cr_expect_float_eq(time_left_estimate(&left, 13), 30, 1e-9);
  cr_expect_float_eq(time_left_fraction(&left), 1.3 / 4.3, 1e-12);
}

Test(time_left, what_is_unknown_is_not_estimated_and_teaches_nothing) {
  time_left left = {0};
  time_left_begin(&left, 0, NAN, NAN);
  time_left_record(&left, 100, 0.4);
  cr_expect(isnan(time_left_estimate(&left, 100)));
  cr_expect_eq(time_left_fraction(&left), 0.4);
  time_left_begin(&left, 250, 1, 3);
  cr_expect(isnan(time_left_estimate(&left, 250)));
  time_left_record(&left, 251, 0.1);
  time_left_record(&left, 252, 0.2);
  cr_expect_float_eq(time_left_estimate(&left, 252), 8 + 30, 1e-9);
}
