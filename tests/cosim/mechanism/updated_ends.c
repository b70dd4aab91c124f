/* The iteration -update: ends of macro steps move along their derivatives in place of a repeated step. */
#include <criterion/criterion.h>
#include <math.h>

#include "tests/support/cosim_fixture.h"

static double error_with(const char *text, const char *override, const char *scheme, double H,
                         cosim_statistics *statistics) {
  cosim_fixture p = cosim_fixture_read(text, (const char *const[]){override, NULL});
  use_scheme(&p, scheme);
  const double error = error_at_macro_step(&p, H, 0.4);
  if (statistics != NULL)
    *statistics = cosim_statistics_of(p.run);
  cosim_fixture_free(&p);
  return error;
}

/* Orders, and errors beside those of repeated steps at the same H. */
Test(updated_ends, errors_are_those_of_repeated_steps) {
  static const struct {
    const char *model, *semi, *update;
    double order, worse;
  } rows[] = {
      {"four_bar_bushing", "ff-k0", "ff-k0-update", 1, 1.05},
      {"four_bar_bushing", "ff-k1", "ff-k1-update", 2, 1.05},
      {"four_bar_bushing", "ff-k2", "ff-k2-update", 3, 1.05},
      {"four_bar_bushing", "fd-k1", "fd-k1-update", 2, 1.05},
      {"four_bar_bushing", "dd-d-k1", "dd-d-k1-update", 2, 1.05},
      {"four_bar_bushing", "ff-d-k1", "ff-d-k1-update", 2, 1.05},
      {"slider_crank", "ff-index2-k1", "ff-index2-k1-update", 3, 50},
      {"double_pendulum", "ff-baumgarte-k1", "ff-baumgarte-k1-update", 2, 1.3},
      {"double_pendulum", "ff-weighted-k1", "ff-weighted-k1-update", 2, 1.3},
      {"double_pendulum", "fd-projection-k1", "fd-projection-k1-update", 2, 1.3},
      {"double_pendulum", "ff-index2-k0", "ff-index2-k0-update", 3, 1000},
      {"four_bar_fixed", "ff-index1-k0", "ff-index1-k0-update", 3, 1.3},
      {"four_bar_fixed", "ff-index1-k1", "ff-index1-k1-update", 3, 20},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const double coarse = error_with(rows[i].model, NULL, rows[i].update, 4e-3, NULL);
    const double fine = error_with(rows[i].model, NULL, rows[i].update, 1e-3, NULL);
    const double repeated = error_with(rows[i].model, NULL, rows[i].semi, 4e-3, NULL);
    cr_expect(fine < 1e-10 || log2(coarse / fine) / 2 > rows[i].order - 0.3, "%s, %s: %.3g, %.3g", rows[i].model,
              rows[i].update, coarse, fine);
    cr_expect_lt(coarse, rows[i].worse * repeated, "%s, %s: %.3g, %.3g", rows[i].model, rows[i].update, coarse,
                 repeated);
  }
}

/* A body between two walls of its subsystem, and a stiff one: dampers and springs lead over a macro step. */
#define TWO(stiffness, damping)                                                                                        \
  "seam: 1\nname: two\n"                                                                                               \
  "bodies:\n"                                                                                                          \
  "  a: {mass: 1, inertia: 1, velocity: [0, 0.5]}\n"                                                                   \
  "  b: {mass: 1, inertia: 1, at: [1, 0], velocity: [-0.5, 0]}\n"                                                      \
  "forces:\n"                                                                                                          \
  "  g: {type: bushing, bodies: [ground, a], at: [0, 0], stiffness: [" stiffness "], damping: [" damping "]}\n"        \
  "  k: {type: bushing, bodies: [a, b], at: [0.5, 0], stiffness: [100, 100, 100], damping: [1, 1, 1]}\n"               \
  "simulate: {end: 1}\n"                                                                                               \
  "cosim: {subsystems: {l: [a], r: [b]}, macro_step: 4e-3, scheme: ff-k1, rtol: 1e-11, atol: 1e-13}\n"

/* Derivatives of a stiff part are integrated, which takes no second pass either. */
Test(updated_ends, stiff_parts_give_exact_derivatives) {
  static const char *const stiff = TWO("1e5, 1e5, 1e5", "1e3, 1e3, 1e3");
  cosim_statistics updated, repeated;
  const double error = error_with(stiff, NULL, "ff-k1-update", 4e-3, &updated);
  const double of_semi = error_with(stiff, NULL, "ff-k1", 4e-3, &repeated);
  cr_expect_lt(error, 1.001 * of_semi, "%g, %g", error, of_semi);
  cr_expect_lt((double)updated.integrators.evaluations, 0.75 * (double)repeated.integrators.evaluations, "%zu, %zu",
               updated.integrators.evaluations, repeated.integrators.evaluations);
}

Test(updated_ends, no_second_pass_is_taken) {
  cosim_statistics updated, repeated;
  error_with("four_bar_bushing", NULL, "ff-k1-update", 1e-3, &updated);
  error_with("four_bar_bushing", NULL, "ff-k1", 1e-3, &repeated);
  cr_expect_lt((double)updated.integrators.evaluations, 0.7 * (double)repeated.integrators.evaluations, "%zu, %zu",
               updated.integrators.evaluations, repeated.integrators.evaluations);
  cr_expect_eq(updated.corrections, updated.macro_steps);
}
