/* Stability of a corrected exchange: predictions against co-simulated runs. */
#include <criterion/criterion.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/model_texts.h"
#include "tests/support/run_radius.h"

/* Two discs on springs, the shaft between them exchanged. */
#define DISCS(ORDERS, MORE)                                                                                            \
  "seam: 1\n" TWO_DISCS "forces:\n"                                                                                    \
  "  wall: {type: torsion, bodies: [ground, m1], stiffness: 200, damping: 0.5}\n"                                      \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 8}\n"                                          \
  "cosim:\n"                                                                                                           \
  "  subsystems: {first: [m1], second: [m2]}\n"                                                                        \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: " ORDERS "\n" MORE

/* A controller beside them, as equations. */
#define CONTROLLED(HOLD, MORE)                                                                                         \
  "seam: 1\n" TWO_DISCS "forces:\n"                                                                                    \
  "  wall: {type: torsion, bodies: [ground, m1], stiffness: 200, damping: 0.5}\n"                                      \
  "  drive: {type: torque, body: m1, torque: 0}\n"                                                                     \
  "  shaft: {type: torsion, bodies: [m1, m2], stiffness: 1000, damping: 2}\n"                                          \
  "cosim:\n"                                                                                                           \
  "  subsystems:\n"                                                                                                    \
  "    plant: [m1, m2]\n"                                                                                              \
  "    control:\n"                                                                                                     \
  "      inputs: [phi, omega]\n"                                                                                       \
  "      states: {x: 0}\n"                                                                                             \
  "      rates: {x: (phi - x)/0.05}\n"                                                                                 \
  "      outputs: {torque: -100*x - 20*omega - sin(phi)}\n"                                                            \
  "  signals:\n"                                                                                                       \
  "    - {from: plant.m1.phi, to: control.phi" HOLD "}\n"                                                              \
  "    - {from: m1.omega, to: control.omega" HOLD "}\n"                                                                \
  "    - {from: control.torque, to: plant.drive.torque" HOLD "}\n"                                                     \
  "  macro_step: 1e-3\n" MORE

/* Of the motion that outweighs all others, over coordinate 2, about the start, which is at rest. */
static void expect_radius(const char *text, double H, double accuracy) {
  double y[MAX_SAMPLES];
  cosim_fixture f = cosim_fixture_read(text, NULL);
  const double rho = predicted_radius(&f, H);
  const double ran = fitted_radius(y, run_distances(&f, H, 2, 1e-9, 1e-3, MAX_SAMPLES, y));
  cr_expect_float_eq(rho, ran, accuracy, "H = %g: %.12g instead of %.12g", H, rho, ran);
  cosim_fixture_free(&f);
}

/* At the border, where a run grows beyond it and shrinks below. */
static void expect_border_of_runs(const char *text) {
  cosim_fixture f = cosim_fixture_read(text, NULL);
  expect_border(&f, border_of(&f, 1e-4, 1), 2, 1e-6);
  cosim_fixture_free(&f);
}

Test(corrections, a_model_based_correction_of_a_cut) {
  expect_radius(DISCS("fd-k0-exchange", "  corrections: {model_based: {}}\n"), 5e-3, 1e-8);
  expect_radius(DISCS("fd-k0-exchange", "  corrections: {model_based: {}}\n"), 0.01, 1e-8);
  expect_radius(DISCS("fd-k1-exchange", "  corrections: {model_based: {alpha: 0.5}}\n"), 0.01, 1e-8);
  expect_radius(DISCS("fd-k1-exchange", "  corrections: {model_based: {alpha: 0.5}}\n"), 0.02, 1e-7);
}

/* That of the source, [Haid]: two masses. */
Test(corrections, a_model_based_correction_of_the_textbook_model) {
  cosim_fixture f = at_rest("two_mass_mbcorr", NULL);
  const double H[] = {1e-4, 1e-3, 5e-3};
  for (int i = 0; i < 3; i++) {
    const seam_mbcorr_model model = {.stiffness = 2e5, .damping = 500, .macro_step = H[i]};
    seam_stability_point point;
    cr_assert_eq(seam_mbcorr_stability(&model, "hold0-corrected", &point, NULL), SEAM_OK);
    cr_expect_float_eq(predicted_radius(&f, H[i]), point.rho, 1e-10, "H = %g", H[i]);
  }
  cosim_fixture_free(&f);
}

Test(corrections, a_model_based_correction_of_signals) {
  expect_border_of_runs(CONTROLLED(", order: 1", "  corrections: {model_based: {}}\n"));
}

Test(corrections, balance_corrections) {
  expect_border_of_runs(CONTROLLED(", order: 0", "  corrections: {balance: {input: control.omega}}\n"));
  expect_border_of_runs(CONTROLLED(", order: 1",
                                   "  corrections: {balance: [{input: control.omega, spread: 3, shape: smooth}, "
                                   "{input: plant.drive.torque}]}\n"));
}

static void expect_refused(const char *text, const char *override, const char *part) {
  cosim_fixture f = cosim_fixture_read(text, (const char *const[]){override, NULL});
  cosim_builder *builder = NULL;
  seam_linearised *linear = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_builder_of(f.model, &f.definition, &builder, NULL), SEAM_OK);
  cr_expect_eq(seam_linearised_create(f.state, builder, &linear, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, part), "%s", error.message);
  cr_expect_null(linear);
  cosim_builder_destroy(builder);
  cosim_fixture_free(&f);
}

Test(corrections, what_is_not_linear_is_refused_by_name) {
  expect_refused(DISCS("fd-k0-exchange", ""), "cosim.corrections={energy: {coupling: shaft}}",
                 "the energy correction of 'shaft', which divides an energy by a speed and so is not linear");
  expect_refused(DISCS("fd-k0-exchange", "  corrections: {model_based: {}}\n"), "cosim.integrator=ida",
                 "'model_based' identifies the derivatives of subsystem 'first' from the motion");
}
