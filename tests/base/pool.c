/* Threads: every job is done once, and no number of threads changes a bit of a result. */
#include "base/pool.h"

#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "tests/support/duffing.h"
#include "tests/support/random.h"

/* ---- The pool ---- */

enum { n_jobs = 100 };

static void count(void *context, int number) { ((int *)context)[number]++; }

Test(pool, every_job_is_done_once) {
  for (int n_threads = 0; n_threads <= 5; n_threads++) {
    thread_pool *pool = thread_pool_create(n_threads);
    cr_assert_not_null(pool);
    for (int round = 0; round < 50; round++) {
      int done[n_jobs] = {0};
      const int n = round % 3 == 0 ? round / 3 : n_jobs;
      (round % 2 == 0 ? thread_pool_run : thread_pool_run_in_chunks)(pool, n, count, done);
      for (int i = 0; i < n_jobs; i++)
        cr_assert_eq(done[i], i < n, "%d threads, job %d of %d", n_threads, i, n);
    }
    thread_pool_destroy(pool);
  }
}

static void sleep_for(long microseconds) {
  const struct timespec duration = {.tv_nsec = 1000 * microseconds};
  nanosleep(&duration, NULL);
}

/* Job 1 lasts so long that who waits for it falls asleep. */
static void count_slowly(void *context, int number) {
  if (number == 1)
    sleep_for(2000);
  count(context, number);
}

Test(pool, threads_that_fell_asleep_are_woken) {
  thread_pool *pool = thread_pool_create(3);
  cr_assert_not_null(pool);
  for (int round = 0; round < 30; round++) {
    int done[n_jobs] = {0};
    thread_pool_run(pool, 4, round % 2 == 0 ? count_slowly : count, done);
    for (int i = 0; i < 4; i++)
      cr_assert_eq(done[i], 1);
    if (round % 3 == 0)
      sleep_for(2000);
  }
  thread_pool_destroy(pool);
}

Test(pool, a_pool_without_work_ends) {
  thread_pool_destroy(thread_pool_create(3));
  thread_pool_destroy(NULL);
}

/* ---- Masters ---- */

enum { n_masses = 12, n_springs = n_masses - 1, MAX_IMAGE = 5000 };

static const double stiffness = 20;
static const double damping = 0.5;

/* A row of masses, coupled in all decompositions; every other one dawdles. */
static cosim_master *create_row(const cosim_linear_element *spring, const cosim_master_options *options) {
  static const char *const schemes[] = {"ff-k2", "ff-d-k1", "ff-k1", "ff-i-k2"};
  cosim_part *parts[n_masses];
  cosim_cut cuts[n_springs];
  cosim_master *master = NULL;
  uint64_t seed = 7;
  for (int i = 0; i < n_masses; i++) {
    const duffing_def def = {.name = "mass",
                             .m = random_between(&seed, 1, 3),
                             .c = random_between(&seed, 1, 9),
                             .e = random_between(&seed, 0, 20),
                             .x = random_between(&seed, -1, 1),
                             .has_no_derivatives = i % 3 == 0,
                             .pause = i % 2 == 0 ? 20e-6 : 0};
    parts[i] = duffing_create(&def);
  }
  for (int i = 0; i < n_springs; i++) {
    cuts[i] = (cosim_cut){.element = &spring->base, .side = {duffing_side(i), duffing_side(i + 1)}};
    cr_assert_eq(cosim_scheme_for(schemes[i % 4], false, &cuts[i].scheme, NULL), SEAM_OK);
  }
  cr_assert_eq(cosim_master_create(parts, n_masses, cuts, n_springs, options, &master, NULL), SEAM_OK);
  return master;
}

static void run_row(int n_threads, double *image) {
  const cosim_linear_element spring = cosim_linear_element_of(1, &stiffness, &damping);
  cosim_master_options options = cosim_default_master_options();
  seam_error error = {0};
  options.n_threads = n_threads;
  cosim_master *master = create_row(&spring, &options);
  for (int i = 0; i < 60; i++) /* 0 threads: 20 advances without, 20 with threads, others as chosen */
    cr_assert_eq(cosim_master_step(master, 0.02, &error), SEAM_OK, "%s", error.message);
  cr_assert_leq(cosim_master_image_size(master), MAX_IMAGE);
  cosim_master_save_image(master, image);
  cosim_master_destroy(master);
}

Test(pool, no_number_of_threads_changes_a_bit) {
  static const int n_threads[] = {2, 4, 0};
  static double expected[MAX_IMAGE];
  static double found[MAX_IMAGE];
  run_row(1, expected);
  for (int i = 0; i < 3; i++) {
    run_row(n_threads[i], found);
    cr_expect_arr_eq(found, expected, sizeof expected, "%d threads", n_threads[i]);
  }
}
