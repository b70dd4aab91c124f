/* Co-simulated mechanisms: errors as recomputed (docs/conventions.md), bits, starts, energies, failures. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"
#include "tests/support/cosim_fixture.h"
#include "tests/support/random.h"

enum { MAX_BODIES = 4, MAX_COLUMNS = 9 };

/* ---- Errors of the angles, as listed in docs/conventions.md ---- */

typedef struct listed {
  const char *scheme;
  double end; /* s */
  double error[MAX_BODIES];
} listed;

/* Angles of the reference file, every 0.01 s. */
static size_t read_angles(const char *name, size_t n_bodies, double (*angle)[MAX_BODIES], size_t most) {
  char line[512];
  char path[512];
  size_t n = 0;
  snprintf(path, sizeof path, "%s/tests/data/%s", SEAM_SOURCE_DIR, name);
  FILE *file = fopen(path, "r");
  cr_assert_not_null(file);
  cr_assert_not_null(fgets(line, sizeof line, file));
  for (; n < most && fgets(line, sizeof line, file) != NULL; n++) {
    char *at = line;
    strtod(at, &at);
    for (size_t b = 0; b < n_bodies; b++)
      angle[n][b] = strtod(at + 1, &at);
  }
  fclose(file);
  return n;
}

/* With H = 1e-3: root mean square errors over the standard deviations. */
static void hold_run(const char *model, const char *data, const listed *row) {
  static double angle[1002][MAX_BODIES];
  cosim_fixture p = cosim_fixture_read(model, NULL);
  const size_t n_bodies = mbs_n_bodies(p.model);
  const size_t n = (size_t)(row->end * 100 + 0.5);
  cr_assert_gt(read_angles(data, n_bodies, angle, n + 1), n);
  use_scheme(&p, row->scheme);
  start(&p);
  deviation error[MAX_BODIES] = {0};
  for (size_t i = 1; i <= n; i++) {
    advance(&p, 10);
    for (size_t b = 0; b < n_bodies; b++)
      deviation_add(&error[b], cosim_state(p.run)->q[3 * b + 2], angle[i][b]);
  }
  for (size_t b = 0; b < n_bodies; b++)
    expect_error_near(row->scheme, deviation_of(&error[b]), row->error[b]);
  cosim_fixture_free(&p);
}

#define FOUR_BAR(...)                                                                                                  \
  static const listed rows[] = {__VA_ARGS__};                                                                          \
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                                              \
  hold_run("four_bar_bushing", "four_bar_bushing.csv", &rows[i])

Test(partition_run, four_bar_ff) {
  FOUR_BAR({"ff-k0", 10, {8.9e-05, 3.6e-04, 3.6e-04, 9.2e-05}}, {"ff-d-k0", 10, {4.5e-05, 1.8e-04, 1.8e-04, 4.6e-05}},
           {"ff-i-k0", 10, {1.6e-07, 6.1e-07, 6.8e-07, 1.8e-07}}, {"ff-k1", 3, {3.1e-07, 1.2e-06, 1.3e-06, 3.4e-07}},
           {"ff-k2", 3, {4.2e-09, 2.8e-08, 2.0e-08, 4.4e-09}}, {"ff-d-k1", 3, {1.6e-07, 6.0e-07, 6.6e-07, 1.7e-07}},
           {"ff-d-k2", 3, {1.2e-09, 7.6e-09, 8.0e-09, 1.3e-09}}, {"ff-i-k1", 3, {6.8e-12, 5.0e-11, 4.9e-11, 7.6e-12}},
           {"ff-i-k2", 3, {4.4e-12, 5.3e-11, 5.3e-11, 4.2e-12}});
}

Test(partition_run, four_bar_fd) {
  FOUR_BAR({"fd-k0", 3, {2.0e-01, 4.6e-01, 4.6e-01, 1.6e-01}}, {"fd-k1", 3, {8.8e-05, 1.2e-04, 1.2e-04, 8.7e-05}},
           {"fd-k2", 3, {1.8e-07, 3.6e-07, 3.5e-07, 1.5e-07}}, {"fd-d-k0", 3, {2.0e-01, 4.6e-01, 4.6e-01, 1.6e-01}},
           {"fd-d-k1", 3, {9.2e-05, 1.2e-04, 1.2e-04, 9.2e-05}}, {"fd-d-k2", 3, {1.8e-07, 3.7e-07, 3.7e-07, 1.6e-07}},
           {"fd-i-k0", 3, {5.4e-03, 7.1e-03, 7.1e-03, 5.3e-03}}, {"fd-i-k1", 3, {3.5e-06, 6.7e-06, 6.7e-06, 3.2e-06}},
           {"fd-i-k2", 3, {9.2e-09, 1.8e-08, 1.9e-08, 9.3e-09}});
}

Test(partition_run, four_bar_dd) {
  FOUR_BAR({"dd-k0", 3, {4.2e-01, 1.3e+00, 1.3e+00, 2.8e-01}}, {"dd-k1", 3, {1.8e-04, 2.4e-04, 2.4e-04, 1.7e-04}},
           {"dd-k2", 3, {3.5e-07, 7.1e-07, 7.0e-07, 3.0e-07}}, {"dd-d-k0", 3, {4.2e-01, 1.3e+00, 1.3e+00, 2.8e-01}},
           {"dd-d-k1", 3, {1.8e-04, 2.4e-04, 2.4e-04, 1.8e-04}}, {"dd-d-k2", 3, {3.9e-07, 7.7e-07, 7.7e-07, 3.4e-07}},
           {"dd-i-k0", 3, {1.1e-02, 1.4e-02, 1.4e-02, 1.1e-02}}, {"dd-i-k1", 3, {8.2e-06, 1.4e-05, 1.4e-05, 7.7e-06}},
           {"dd-i-k2", 3, {7.9e-08, 1.1e-07, 1.1e-07, 7.7e-08}});
}

#define DOUBLE_PENDULUM(...)                                                                                           \
  static const listed rows[] = {__VA_ARGS__};                                                                          \
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)                                                              \
  hold_run("double_pendulum", "double_pendulum.csv", &rows[i])

Test(partition_run, double_pendulum_ff) {
  DOUBLE_PENDULUM({"ff-baumgarte-k0", 3, {6.0e-06, 1.7e-05}}, {"ff-baumgarte-k1", 3, {1.9e-09, 6.1e-09}},
                  {"ff-baumgarte-k2", 3, {4.3e-10, 1.2e-09}}, {"ff-weighted-k0", 3, {2.6e-06, 7.5e-06}},
                  {"ff-weighted-k1", 3, {4.3e-10, 1.2e-09}}, {"ff-projection-k0", 3, {9.9e-06, 3.1e-05}},
                  {"ff-projection-k1", 3, {2.0e-07, 5.5e-07}}, {"ff-projection-k2", 3, {3.3e-10, 9.4e-10}},
                  {"ff-index2-k0", 3, {2.2e-11, 6.6e-11}}, {"ff-index2-k1", 3, {7.8e-12, 2.1e-11}},
                  {"ff-index2-k2", 3, {4.4e-12, 1.3e-11}}, {"ff-index1-k0", 3, {4.2e-08, 1.2e-07}},
                  {"ff-index1-k1", 3, {5.5e-12, 1.5e-11}});
}

Test(partition_run, double_pendulum_fd) {
  DOUBLE_PENDULUM({"fd-baumgarte-k0", 3, {2.0e-03, 5.8e-03}}, {"fd-weighted-k0", 3, {2.0e-03, 5.8e-03}},
                  {"fd-projection-k0", 3, {2.0e-03, 5.8e-03}}, {"fd-baumgarte-k1", 3, {1.6e-06, 3.7e-06}},
                  {"fd-weighted-k1", 3, {1.6e-06, 3.7e-06}}, {"fd-projection-k1", 3, {1.5e-06, 3.4e-06}},
                  {"fd-baumgarte-k2", 3, {1.6e-08, 3.9e-08}}, {"fd-projection-k2", 3, {1.6e-08, 3.9e-08}});
}

/* ---- Bits ---- */

/* A hydraulic cylinder in numbers of order one lifts the first subsystem. */
static const char crane[] =
    "seam: 1\n"
    "gravity: [0, -1]\n"
    "bodies:\n"
    "  arm: {rod: [[0, 0], [2, 0.5]], mass: 1}\n"
    "  load: {rod: [[2, 0.5], [2.2, -0.7]], mass: 0.5}\n"
    "joints: {pivot: {type: revolute, bodies: [ground, arm], at: [0, 0]}}\n"
    "forces:\n"
    "  lift: {type: hydraulic_cylinder, bodies: [ground, arm], at: [[0.8, -1.5], [1.2, 0.3]], area: 0.7, density: "
    "1.2,\n"
    "         cylinder_length: 3, dissipation: 0.3, discharge: 0.67, pump: 4, tank: 0.5, bulk: [0.4, -0.02],\n"
    "         valve_area: 0.5, spool: 0.45 + 0.1*cos(3*t)}\n"
    "  tip: {type: bushing, bodies: [arm, load], at: [2, 0.5], stiffness: [50, 40, 2], damping: [1, 1.5, 0.2]}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {arm: [arm], load: [load]}, macro_step: 1e-2, scheme: ff-k1, rtol: 1e-12, atol: 1e-12}\n";

static const char *const all_kinds[][2] = {
    {"four_bar_bushing", "ff-k2"},
    {"four_bar_bushing", "ff-i-k1"},
    {"four_bar_bushing", "fd-d-k2"},
    {"four_bar_bushing", "dd-k1-explicit"},
    {"four_bar_bushing", "dd-k1-implicit"},
    {"double_pendulum", "ff-projection-k1"},
    {"double_pendulum", "fd-weighted-k1"},
    {"double_pendulum", "ff-index1-k2"},
    {crane, "fd-d-k1"},
    {"four_bar_bushing", "ff-colloc-s3"},
    {"four_bar_bushing", "fd-colloc-s2-implicit"},
    {"four_bar_bushing", "dd-colloc-s4"},
    {crane, "ff-colloc-s3"},
    {"four_bar_bushing", "ff-k1-update"},
    {"double_pendulum", "ff-index1-k1-update"},
    {crane, "fd-d-k1-update"},
};
enum { n_kinds = sizeof all_kinds / sizeof *all_kinds };

static cosim_fixture started(size_t kind) {
  cosim_fixture p = cosim_fixture_read(all_kinds[kind][0], NULL);
  use_scheme(&p, all_kinds[kind][1]);
  p.definition.options.reuse = kind % 2 == 1;
  start(&p);
  return p;
}

Test(partition_run, save_step_restore_step_gives_the_same_bits) {
  for (size_t kind = 0; kind < n_kinds; kind++) {
    cosim_fixture p = started(kind);
    cosim_fixture fresh = started(kind);
    seam_error error = {0};
    const size_t size = cosim_image_size(p.run);
    void *image = malloc(size);
    mbs_state *first = new_state(p.model);
    advance(&p, 7);
    cosim_save(p.run, image);
    advance(&p, 20);
    mbs_state_copy(first, cosim_state(p.run));
    const cosim_statistics statistics = cosim_statistics_of(p.run);
    cr_assert_eq(cosim_restore(p.run, image, size, &error), SEAM_OK, "%s", error.message);
    advance(&p, 20);
    cr_expect(same_bits(first, cosim_state(p.run)), "%s", all_kinds[kind][1]);
    cr_assert_eq(cosim_restore(fresh.run, image, size, &error), SEAM_OK, "%s", error.message);
    advance(&fresh, 20);
    cr_expect(same_bits(first, cosim_state(fresh.run)), "%s, fresh", all_kinds[kind][1]);
    cr_expect_eq(cosim_statistics_of(fresh.run).corrections, statistics.corrections);
    cr_expect_eq(cosim_statistics_of(fresh.run).integrators.evaluations, statistics.integrators.evaluations);
    free(image);
    mbs_state_destroy(first);
    cosim_fixture_free(&p);
    cosim_fixture_free(&fresh);
  }
}

Test(partition_run, an_image_of_another_run_is_refused) {
  cosim_fixture p = started(0);
  cosim_fixture other = started(1);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  cr_expect_eq(cosim_restore(other.run, image, size, NULL), SEAM_BAD_STATE);
  cr_expect_eq(cosim_restore(p.run, image, size - 8, NULL), SEAM_BAD_STATE);
  free(image);
  cosim_fixture_free(&p);
  cosim_fixture_free(&other);
}

Test(partition_run, an_image_of_another_mechanism_is_refused) {
  static const char *const changes[] = {"parameters.c=2e3", "parameters.d=11", "gravity=[0, -9.8]",
                                        "points.A=[0.001, 0]"};
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  start(&p);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  cosim_save(p.run, image);
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    cosim_fixture other = cosim_fixture_read("four_bar_bushing", (const char *const[]){changes[i], NULL});
    start(&other);
    cr_expect_eq(cosim_restore(other.run, image, size, NULL), SEAM_BAD_STATE, "%s", changes[i]);
    cosim_fixture_free(&other);
  }
  free(image);
  cosim_fixture_free(&p);
}

Test(partition_run, a_damaged_image_is_refused) {
  cosim_fixture p = started(0);
  const size_t size = cosim_image_size(p.run);
  char *image = malloc(size + 8);
  advance(&p, 3);
  cosim_save(p.run, image);
  for (size_t i = 0; i < size; i += 3) {
    image[i] = (char)(image[i] ^ 1 << i % 8);
    cr_expect_eq(cosim_restore(p.run, image, size, NULL), SEAM_BAD_STATE, "byte %zu", i);
    image[i] = (char)(image[i] ^ 1 << i % 8);
  }
  cr_expect_eq(cosim_restore(p.run, image, size, NULL), SEAM_OK);
  cr_expect_eq(cosim_restore(p.run, NULL, size, NULL), SEAM_BAD_INPUT);
  memmove(image + 1, image, size);
  cr_expect_eq(cosim_restore(p.run, image + 1, size, NULL), SEAM_BAD_STATE, "not aligned");
  free(image);
  cosim_fixture_free(&p);
}

/* Under a right checksum, no number is an index beyond an array: a restored run goes on, or ends with a message. */
Test(partition_run, any_numbers_in_an_image_are_safe) {
  static const double others[] = {NAN, -1, 0, 1e300, -1e300, 2147483648.0, 7.5};
  enum { n_others = sizeof others / sizeof *others };
  uint64_t seed = 13;
  cosim_fixture p = started(0);
  const size_t size = cosim_image_size(p.run);
  char *image = malloc(size);
  char *other = malloc(size);
  advance(&p, 3);
  cosim_save(p.run, image);
  for (int i = 0; i < 300; i++) {
    const size_t at = 32 + 8 * (size_t)random_below(&seed, (int)(size / 8) - 5);
    memcpy(other, image, size);
    memcpy(other + at, &others[i % n_others], sizeof *others);
    const uint64_t sum = checksum_add(0, other, size - sizeof sum);
    memcpy(other + size - sizeof sum, &sum, sizeof sum);
    if (cosim_restore(p.run, other, size, NULL) == SEAM_OK)
      cosim_advance(p.run, 1e-3, NULL);
  }
  cr_assert_eq(cosim_restore(p.run, image, size, NULL), SEAM_OK);
  free(image);
  free(other);
  cosim_fixture_free(&p);
}

/* ---- An image of another definition is refused ---- */

/* Of the four bars: what changes, and whether the future depends on it. */
static void of_sequence(cosim_definition *d) { d->options.sequence = COSIM_GAUSS_SEIDEL; }
static void of_constitutive_scheme(cosim_definition *d) { d->options.constitutive_scheme = "ff-d-k2"; }
static void of_corrector(cosim_definition *d) { d->options.constitutive_scheme = "ff-k2-implicit"; }
static void of_order_of_holds(cosim_definition *d) { d->options.constitutive_scheme = "ff-k1"; }
static void of_tolerance(cosim_definition *d) { d->options.implicit_tolerance *= 2; }
static void of_iterations(cosim_definition *d) { d->options.implicit_iterations++; }
static void of_differences(cosim_definition *d) { d->options.differences = true; }
static void of_reuse(cosim_definition *d) { d->options.reuse = true; }
static void of_method(cosim_definition *d) { d->options.integrator.method = "radau"; }
static void of_order(cosim_definition *d) { d->options.integrator.order = 4; }
static void of_rtol(cosim_definition *d) { d->options.integrator.rtol *= 2; }
static void of_atol(cosim_definition *d) { d->options.integrator.atol = 1e-9; }
static void of_step(cosim_definition *d) { d->options.integrator.step = 1e-4; }
static void of_largest_step(cosim_definition *d) { d->options.integrator.largest_step = 1; }
static void of_threads(cosim_definition *d) { d->options.n_threads = 2; }
static void of_history(cosim_definition *d) { d->options.exact_history = true; }
static void of_macro_step(cosim_definition *d) { d->options.macro_step /= 2; }

static bool takes_image_of(const cosim_definition *definition, cosim_fixture *p, const void *image, size_t size) {
  const cosim_definition saved = p->definition;
  p->definition = *definition;
  start(p);
  p->definition = saved;
  return cosim_restore(p->run, image, size, NULL) == SEAM_OK;
}

Test(partition_run, images_of_other_options_are_refused) {
  static const struct {
    const char *name;
    void (*change)(cosim_definition *d);
    bool is_taken;
  } rows[] = {{"sequence", of_sequence, false},
              {"scheme", of_constitutive_scheme, false},
              {"corrector", of_corrector, false},
              {"order of holds", of_order_of_holds, false},
              {"tolerance", of_tolerance, false},
              {"iterations", of_iterations, false},
              {"differences", of_differences, false},
              {"reuse", of_reuse, false},
              {"method", of_method, false},
              {"order", of_order, false},
              {"rtol", of_rtol, false},
              {"atol", of_atol, false},
              {"step", of_step, false},
              {"largest step", of_largest_step, false},
              {"threads", of_threads, true},
              {"history", of_history, true},
              {"macro step", of_macro_step, true}};
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  use_scheme(&p, "ff-k2");
  start(&p);
  const size_t size = cosim_image_size(p.run);
  void *image = malloc(size);
  advance(&p, 3);
  cosim_save(p.run, image);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_definition other = p.definition;
    rows[i].change(&other);
    cr_expect_eq(takes_image_of(&other, &p, image, size), rows[i].is_taken, "%s", rows[i].name);
  }
  cr_expect(takes_image_of(&p.definition, &p, image, size));
  free(image);
  cosim_fixture_free(&p);
}

Test(partition_run, threads_do_not_change_a_bit) {
  for (size_t kind = 0; kind < n_kinds; kind++) {
    cosim_fixture p = started(kind);
    cosim_fixture q = started(kind);
    q.definition.options.n_threads = 3;
    start(&q);
    p.definition.options.n_threads = 1;
    start(&p);
    advance(&p, 50);
    advance(&q, 50);
    cr_expect(same_bits(cosim_state(p.run), cosim_state(q.run)), "%s", all_kinds[kind][1]);
    cosim_fixture_free(&p);
    cosim_fixture_free(&q);
  }
}

Test(partition_run, forces_on_the_two_sides_are_opposite_to_the_bit) {
  for (size_t kind = 0; kind < 2; kind++) {
    cosim_fixture p = started(kind);
    for (int i = 0; i < 100; i++) {
      double w[2][3];
      advance(&p, 1);
      cosim_coupling_wrenches(p.run, 0, w);
      for (int j = 0; j < 3; j++)
        cr_expect_eq(w[0][j], -w[1][j]);
    }
    cosim_fixture_free(&p);
  }
}

/* ---- Derivatives ---- */

Test(partition_run, differences_find_the_same_motion) {
  for (size_t kind = 0; kind < n_kinds; kind++) {
    cosim_fixture p = started(kind);
    cosim_fixture d = started(kind);
    d.definition.options.differences = true;
    start(&d);
    advance(&p, 100);
    advance(&d, 100);
    for (size_t i = 0; i < 6 * mbs_n_bodies(p.model); i++)
      cr_expect_float_eq(cosim_state(p.run)->q[i], cosim_state(d.run)->q[i], 1e-7, "%s", all_kinds[kind][1]);
    cosim_fixture_free(&p);
    cosim_fixture_free(&d);
  }
}

/* ---- Start, states between, energy ---- */

/* What is put together satisfies the equations of motion of the whole. */
Test(partition_run, multipliers_of_cut_joints_are_those_of_the_whole) {
  static const char *const models[] = {"four_bar_fixed", "double_pendulum", "slider_crank"};
  for (size_t i = 0; i < 3; i++) {
    cosim_fixture p = cosim_fixture_read(models[i], NULL);
    use_scheme(&p, "ff-index1-k1");
    start(&p);
    advance(&p, 100);
    mbs_state *whole = new_state(p.model);
    mbs_state_copy(whole, cosim_state(p.run));
    cr_assert_eq(mbs_evaluate(p.workspace, whole, NULL), SEAM_OK);
    for (size_t j = 0; j < mbs_n_constraints(p.model); j++)
      cr_expect_float_eq(cosim_state(p.run)->lambda[j], whole->lambda[j], 1e-5, "%s: %g, %g", models[i],
                         cosim_state(p.run)->lambda[j], whole->lambda[j]);
    mbs_state_destroy(whole);
    cosim_fixture_free(&p);
  }
}

Test(partition_run, a_cut_does_not_change_the_initial_accelerations) {
  for (size_t kind = 0; kind < n_kinds; kind++) {
    cosim_fixture p = started(kind);
    const mbs_state *now = cosim_state(p.run);
    seam_error error = {0};
    for (size_t i = 0; i < 3 * mbs_n_bodies(p.model); i++)
      cr_expect_eq(now->a[i], p.state->a[i]);
    cr_assert_eq(cosim_advance(p.run, 1e-6, &error), SEAM_OK, "%s", error.message);
    now = cosim_state(p.run);
    for (size_t i = 0; i < 3 * mbs_n_bodies(p.model); i++)
      cr_expect_float_eq(now->a[i], p.state->a[i], 1e-3, "%s: %g, %g", all_kinds[kind][1], now->a[i], p.state->a[i]);
    cosim_fixture_free(&p);
  }
}

Test(partition_run, states_between_macro_points_are_on_the_way) {
  cosim_fixture p = started(0);
  mbs_state *between = new_state(p.model);
  mbs_state *before = new_state(p.model);
  advance(&p, 200);
  mbs_state_copy(before, cosim_state(p.run));
  advance(&p, 1);
  const mbs_state *now = cosim_state(p.run);
  for (size_t i = 0; i < 12; i++) {
    cosim_state_between(p.run, before->t, between);
    cr_expect_float_eq(between->q[i], before->q[i], 1e-15);
    cr_expect_float_eq(between->v[i], before->v[i], 1e-12);
    cosim_state_between(p.run, now->t, between);
    cr_expect_float_eq(between->q[i], now->q[i], 1e-15);
    cr_expect_float_eq(between->v[i], now->v[i], 1e-11);
    cosim_state_between(p.run, (before->t + now->t) / 2, between);
    cr_expect_float_eq(between->q[i], (before->q[i] + now->q[i]) / 2 - 1e-6 / 16 * (before->a[i] + now->a[i]), 1e-10);
  }
  mbs_state_destroy(between);
  mbs_state_destroy(before);
  cosim_fixture_free(&p);
}

Test(partition_run, energy_is_accounted_for) {
  for (size_t kind = 0; kind < n_kinds; kind++) {
    cosim_fixture p = started(kind);
    const mbs_energy first = mbs_energy_of(p.workspace, cosim_state(p.run));
    advance(&p, 500);
    const mbs_energy last = mbs_energy_of(p.workspace, cosim_state(p.run));
    cr_expect_float_eq(last.total + last.dissipated - last.driven, first.total, 2e-3, "%s: %g", all_kinds[kind][1],
                       last.total + last.dissipated - last.driven - first.total);
    cr_expect_gt(last.dissipated, 0);
    cosim_fixture_free(&p);
  }
}

/* With its past known a scheme has its order from the first step on. */
/* Pressures of the whole after 1 s, and theirs in the co-simulation: the error falls with the square of H. */
Test(partition_run, states_of_force_elements_go_along) {
  double error[2];
  cosim_fixture p = cosim_fixture_read(crane, NULL);
  for (int k = 0; k < 2; k++) {
    p.definition.options.macro_step = k == 0 ? 0.01 : 0.005;
    start(&p);
    mbs_state *whole = new_state(p.model);
    mbs_integrator *integrator = start_monolithic(&p, whole);
    advance(&p, k == 0 ? 100 : 200);
    cr_assert_eq(mbs_integrator_advance(integrator, cosim_state(p.run)->t, whole, NULL), SEAM_OK);
    error[k] = fabs(cosim_state(p.run)->z[1] - whole->z[1]);
    mbs_integrator_destroy(integrator);
    mbs_state_destroy(whole);
  }
  cr_expect_lt(error[0], 1e-4, "error %g", error[0]);
  cr_expect_float_eq(error[0] / error[1], 4, 0.5, "errors %g, %g", error[0], error[1]);
  cosim_fixture_free(&p);
}

Test(partition_run, exact_history_starts_at_full_order) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", NULL);
  use_scheme(&p, "dd-k3");
  p.definition.options.macro_step = 2e-3;
  start(&p);
  advance(&p, 1);
  const double raised = error_of(&p);
  p.definition.options.exact_history = true;
  start(&p);
  advance(&p, 1);
  const double exact = error_of(&p);
  cr_expect_lt(exact, raised / 10, "%g, %g", exact, raised);
  cosim_fixture_free(&p);
}

/* At rest, and with a force that begins at zero, all stages of a step begin with the same values. */
Test(partition_run, a_force_that_begins_at_zero_moves_what_rests) {
  cosim_fixture p =
      cosim_fixture_read("seam: 1\n"
                         "bodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1}}\n"
                         "forces:\n"
                         "  tie: {type: bushing, bodies: [a, b], at: [0, 0], stiffness: [1e-9, 1e-9, 1e-9]}\n"
                         "  push: {type: force, body: a, x: \"sin(3*t)\"}\n"
                         "simulate: {end: 1}\n"
                         "cosim: {subsystems: {A: [a], B: [b]}, macro_step: 0.1, scheme: ff-k1-explicit}\n",
                         NULL);
  static const char *const schemes[] = {"ff-k1-explicit", "fd-k1", "fd-k1-exchange"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    use_scheme(&p, schemes[i]);
    start(&p);
    advance(&p, 5);
    cr_expect_lt(error_of(&p), 1e-7, "%s: %g", schemes[i], error_of(&p));
  }
  cosim_fixture_free(&p);
}

/* ---- Failures ---- */

Test(partition_run, a_failed_step_says_when_and_where_and_keeps_the_last_state) {
  cosim_fixture p = cosim_fixture_read("four_bar_bushing", (const char *const[]){"parameters.c=1e6", NULL});
  use_scheme(&p, "ff-k2-implicit");
  p.definition.options.macro_step = 5e-3;
  p.definition.options.implicit_iterations = 2;
  p.definition.options.implicit_tolerance = 1e-14;
  start(&p);
  seam_error error = {0};
  double t = 0;
  while (cosim_advance(p.run, 5e-3, &error) == SEAM_OK)
    t = cosim_state(p.run)->t;
  cr_expect_eq(error.status, SEAM_NOT_CONVERGED);
  cr_expect_not_null(strstr(error.message, "coupling 'M'"), "%s", error.message);
  cr_expect_not_null(strstr(error.message, "t = "), "%s", error.message);
  cr_expect_eq(cosim_state(p.run)->t, t);
  cr_expect_eq(cosim_advance(p.run, 5e-3, &error), SEAM_BAD_STATE);
  cr_assert_eq(cosim_start(p.run, p.state, &error), SEAM_OK);
  cosim_fixture_free(&p);
}

/* Of index 2 with one correction and a past, what older matrices leave would grow a thousandfold within 100 steps. */
Test(partition_run, matrices_are_kept_where_corrections_bear_it) {
  static const struct {
    const char *scheme;
    bool keeps;
  } rows[] = {{"ff-index2-k1", false}, {"ff-index2-k2", false}, {"ff-index2-k0", true}, {"ff-index1-k1", true}};
  static const char *const models[] = {"four_bar_fixed", "double_pendulum", "slider_crank"};
  for (int m = 0; m < 3; m++)
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
      cosim_fixture p = cosim_fixture_read(models[m], (const char *const[]){"cosim.reuse=true", NULL});
      p.definition.options.macro_step = 2e-3;
      use_scheme(&p, rows[i].scheme);
      start(&p);
      advance(&p, 300);
      const size_t found = cosim_statistics_of(p.run).refreshes;
      cr_expect(rows[i].keeps ? found < 150 : found == 300, "%s, %s: %zu", models[m], rows[i].scheme, found);
      cr_expect_lt(error_of(&p), rows[i].scheme[9] == '0' ? 1 : 1e-2, "%s, %s: %.2g", models[m], rows[i].scheme,
                   error_of(&p));
      cosim_fixture_free(&p);
    }
}
