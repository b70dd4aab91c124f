/* stability model about a state whose hard contacts stay as they are: what they hold is held as by joints. */
#include <criterion/criterion.h>
#include <math.h>

#include <seam/analysis.h>

#include "tests/support/cosim_fixture.h"

/* A bead on a taut rope and a body on a floor, cut at the bushing between. */
#define MODEL(joints, forces)                                                                                          \
  "seam: 1\nname: sm\ngravity: [0, -9.81]\n"                                                                           \
  "bodies: {a: {mass: 2, inertia: 0.1, at: [0, -1.5]}, b: {mass: 1, inertia: 0.1, at: [1, -1.5]}}\n" joints            \
  "forces:\n" forces                                                                                                   \
  "  k: {type: bushing, bodies: [a, b], at: [0.5, -1.5], stiffness: [100, 100, 100], damping: [1, 1, 1]}\n"            \
  "  g: {type: spring_damper, bodies: [ground, b], at: {ground: [1, -1.5], b: [0, 0]}, axis: [1, 0], stiffness: 20,\n" \
  "    length: 0}\n"                                                                                                   \
  "simulate: {end: 1}\ncosim: {subsystems: {l: [a], r: [b]}, macro_step: 1e-2, scheme: ff-k1}\n"

static const char by_joints[] = MODEL("joints:\n"
                                      "  r: {type: distance, bodies: [ground, a], at: [[0, 0], [0, -1.5]]}\n"
                                      "  c: {type: slot, bodies: [ground, b], at: [1, -1.5], axis: [1, 0]}\n",
                                      "");
static const char by_contacts[] = MODEL(
    "", "  r: {type: rope, bodies: [ground, a], at: [[0, 0], [0, -1.5]], hard: true}\n"
        "  c: {type: contact, bodies: [ground, b], at: {ground: [0, -1.6], b: [0, 0]}, line: [1, 0], radius: 0.1,\n"
        "    hard: true}\n");

static seam_linearised *linearise(const cosim_fixture *f, const char *scheme) {
  cosim_builder *builder = NULL;
  seam_linearised *linear = NULL;
  seam_error error = {0};
  cr_assert_eq(cosim_builder_copy(seam_model_cosim(f->file), &builder, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(cosim_use_scheme(builder, scheme, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_linearised_create(f->state, builder, &linear, &error), SEAM_OK, "%s", error.message);
  cosim_builder_destroy(builder);
  return linear;
}

Test(frozen_contacts, contacts_that_are_closed_hold_as_joints_do) {
  static const char *const schemes[] = {"ff-k1", "fd-k1", "ff-colloc-s2", "dd-k1-implicit"};
  static const char *const texts[] = {by_joints, by_contacts};
  cosim_fixture f[2];
  for (int i = 0; i < 2; i++) {
    f[i] = cosim_fixture_read(texts[i], NULL);
    cr_assert_eq(mbs_find_equilibrium(f[i].workspace, f[i].state, NULL, NULL, NULL), SEAM_OK);
  }
  for (int k = 0; k < 8; k++) {
    const double H = k % 2 == 0 ? 0.01 : 0.15;
    seam_scheme_point point[2];
    double off[2];
    for (int i = 0; i < 2; i++) {
      seam_linearised *linear = linearise(&f[i], schemes[k / 2]);
      cr_assert_eq(seam_linearised_stability(linear, H, &point[i], NULL), SEAM_OK);
      cr_assert_eq(seam_linearised_error(linear, H, &off[i], NULL), SEAM_OK);
      seam_linearised_destroy(linear);
    }
    cr_expect_float_eq(point[1].rho, point[0].rho, 1e-9, "%s, %g: %.15g, %.15g", schemes[k / 2], H, point[1].rho,
                       point[0].rho);
    if (isfinite(off[0]))
      cr_expect_float_eq(off[1], off[0], 1e-6 * off[0], "%s, %g: %.9g, %.9g", schemes[k / 2], H, off[1], off[0]);
  }
  for (int i = 0; i < 2; i++)
    cosim_fixture_free(&f[i]);
}
