/* Large model files: beyond the former limits, and in a time that grows with the number of entries, not with its
 * square.
 */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_reader.h"

static seam_model_file *read_with(const char *text, int n) {
  char number[40];
  snprintf(number, sizeof number, "parameters.N=%d", n);
  return read_model(text, (const char *const[]){number, NULL});
}

/* Fastest of three readings, s. */
static double time_of(const char *text, int n) {
  double fastest = INFINITY;
  for (int turn = 0; turn < 3; turn++) {
    const double start = cpu_time();
    seam_model_file_destroy(read_with(text, n));
    fastest = fmin(fastest, cpu_time() - start);
  }
  return fastest;
}

/* Eight times the entries: a square would take 64 times as long. */
static void expect_linear(const char *text, int n) {
  const double few = time_of(text, n);
  const double many = time_of(text, 8 * n);
  cr_expect_lt(many, 24 * few, "%d: %.3f s, %d: %.3f s", n, few, 8 * n, many);
}

static const char chain[] = "seam: 1\n"
                            "parameters: {N: 3}\n"
                            "points: {P0: [0, 0]}\n"
                            "joints: {J1: {type: revolute, bodies: [ground, link1], at: P0}}\n"
                            "repeat:\n"
                            "  - for: {i: [1, N]}\n"
                            "    points: {\"P{i}\": [i, 0]}\n"
                            "    bodies: {\"link{i}\": {rod: [\"P{i-1}\", \"P{i}\"], mass: 1}}\n"
                            "  - for: {i: [2, N]}\n"
                            "    joints: {\"J{i}\": {type: revolute, bodies: [\"link{i-1}\", \"link{i}\"], "
                            "at: \"P{i-1}\"}}\n";

Test(large, a_chain_of_more_than_a_hundred_thousand_entries) {
  enum { N = 40000 };
  seam_model_file *file = read_with(chain, N);
  const mbs_model *mechanism = seam_model_mechanism(file);
  cr_expect_eq(mbs_n_bodies(mechanism), N);
  cr_expect_eq(mbs_n_constraints(mechanism), 2 * N);
  cr_expect_eq(mbs_find_body(mechanism, "link31415"), 31414);
  cr_expect_eq(mbs_find_joint(mechanism, "J40000"), N - 1);
  cr_expect_eq(mbs_find_body(mechanism, "link40001"), SEAM_NONE);
  seam_model_file_destroy(file);
}

Test(large, chains_are_read_in_linear_time) { expect_linear(chain, 2000); }

Test(large, trains_of_wheels_are_read_in_linear_time) {
  expect_linear("seam: 1\n"
                "parameters: {N: 3}\n"
                "repeat:\n"
                "  - for: {i: [1, N]}\n"
                "    bodies: {\"w{i}\": {mass: 1, inertia: 1, at: [i, 0]}}\n"
                "    joints: {\"A{i}\": {type: revolute, bodies: [ground, \"w{i}\"], at: [i, 0]}}\n"
                "  - for: {i: [2, N]}\n"
                "    joints: {\"G{i}\": {type: gear, bodies: [\"w{i-1}\", \"w{i}\"], ratio: -1}}\n",
                1000);
}

Test(large, stacks_of_fixed_bodies_are_read_in_linear_time) {
  expect_linear("seam: 1\n"
                "parameters: {N: 3}\n"
                "bodies: {b0: {mass: 1, inertia: 1}}\n"
                "repeat:\n"
                "  - for: {i: [1, N]}\n"
                "    bodies: {\"b{i}\": {mass: 1, inertia: 1, at: [i, 0]}}\n"
                "    joints: {\"F{i}\": {type: fixed, bodies: [\"b{i-1}\", \"b{i}\"], at: [i, 0]}}\n",
                1000);
}
