/* One's own mechanism, linearised and coupled: the textbook models built as mechanisms have their spectral radii; small
 * co-simulated motions of a mechanism grow and shrink as the propagation matrix says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/mbs/mechanisms.h"

enum { most_schemes = 64 };

static const char *const first_bodies[] = {"m1"};
static const char *const second_bodies[] = {"m2"};
static const cosim_subsystem two[] = {{"first", first_bodies, 1}, {"second", second_bodies, 1}};

static cosim_options options_for(const char *scheme) {
  cosim_options options = cosim_default_options();
  options.subsystems = two;
  options.n_subsystems = 2;
  options.macro_step = 1e-3;
  options.constitutive_scheme = options.constraint_scheme = scheme;
  return options;
}

static seam_scheme_point point_of(const mechanism *m, const char *scheme, double H) {
  const cosim_options options = options_for(scheme);
  seam_linearised *linear = NULL;
  seam_scheme_point point;
  seam_error error = {0};
  cr_assert_eq(seam_linearise(m->model, m->state, &options, &linear, &error), SEAM_OK, "%s: %s", scheme, error.message);
  cr_assert_eq(seam_linearised_at(linear, H, &point, &error), SEAM_OK, "%s", error.message);
  seam_linearised_destroy(linear);
  return point;
}

static void rest(mechanism *m) {
  mechanism_assemble(m);
  cr_assert_eq(mbs_find_equilibrium(m->ws, m->state, NULL, NULL, &m->error), SEAM_OK, "%s", m->error.message);
}

static double law_zero(const void *data, const double x[2]) {
  (void)data;
  (void)x;
  return 0;
}

static void jet_zero(const void *data, const double x[2], seam_jet *out) {
  (void)data;
  (void)x;
  *out = (seam_jet){0};
}

/* Two discs on pivots, of inertia 1 and J2, held by torsion springs (c, d) and (c2, d2), joined by another (cc, dc) or,
 * where cc is negative, rigidly. */
static mechanism discs(double J2, double c2, double d2, double cc, double dc) {
  static const double O[2] = {0, 0};
  const char *bodies[2];
  mbs_builder *builder = mbs_builder_create();
  add_body(builder, "m1", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "m2", 1, J2, (double[3]){0, 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "m1", O);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "m2", O);
  mbs_force_def spring = force_between("s1", MBS_TORSION, bodies, "ground", "m1", O);
  spring.stiffness[0] = 1000;
  spring.damping[0] = 10;
  add_force(builder, &spring);
  spring = force_between("s2", MBS_TORSION, bodies, "ground", "m2", O);
  spring.stiffness[0] = c2;
  spring.damping[0] = d2;
  add_force(builder, &spring);
  spring = force_between("sc", MBS_TORSION, bodies, "m1", "m2", O);
  spring.stiffness[0] = cc;
  spring.damping[0] = dc;
  if (cc >= 0)
    add_force(builder, &spring);
  else
    add_motion(builder, "sc", MBS_OF_ANGLE, "m1", "m2", (seam_law){.value = law_zero, .jet = jet_zero});
  mechanism m = mechanism_build(builder);
  rest(&m);
  return m;
}

static void expect_textbook(const mechanism *m, const seam_test_model *model, bool rigid, double H) {
  seam_scheme_name names[most_schemes];
  const size_t n = seam_scheme_names(rigid, names, most_schemes);
  cr_assert_leq(n, most_schemes);
  for (size_t i = 0; i < n; i++) {
    seam_stability_point expected;
    const seam_status status = rigid ? seam_constraint_stability(model, names[i].text, &expected, NULL)
                                     : seam_constitutive_stability(model, names[i].text, &expected, NULL);
    cr_assert_eq(status, SEAM_OK);
    const seam_scheme_point point = point_of(m, names[i].text, H);
    cr_expect_float_eq(point.rho, expected.rho, 1e-9 * expected.rho + expected.uncertainty,
                       "%s: %.12g instead of %.12g", names[i].text, point.rho, expected.rho);
  }
}

/* c = 1000, d = 10 in units of H. */
static seam_test_model textbook(double H) {
  const double r = -5 * H;
  return (seam_test_model){r, sqrt(1000 * H * H - r * r), 1, 1, 1, 1, 1};
}

Test(linearised, constitutive_coupling_as_in_the_textbook) {
  mechanism m = discs(1, 1000, 10, 1000, 10);
  for (double H = 1e-3; H < 0.2; H *= 10) {
    const seam_test_model model = textbook(H);
    expect_textbook(&m, &model, false, H);
  }
  mechanism_free(&m);
}

Test(linearised, constraint_coupling_as_in_the_textbook) {
  mechanism m = discs(2, 2000, 20, -1, 0);
  for (double H = 1e-3; H < 0.2; H *= 10) {
    seam_test_model model = textbook(H);
    model.alpha_m21 = 2;
    expect_textbook(&m, &model, true, H);
  }
  mechanism_free(&m);
}

/* ---- Errors ---- */

static double error_of(const mechanism *m, const char *scheme, double H) {
  const cosim_options options = options_for(scheme);
  seam_linearised *linear = NULL;
  double relative = 0;
  seam_error error = {0};
  cr_assert_eq(seam_linearise(m->model, m->state, &options, &linear, &error), SEAM_OK, "%s: %s", scheme, error.message);
  cr_assert_eq(seam_linearised_error(linear, H, &relative, &error), SEAM_OK, "%s", error.message);
  seam_linearised_destroy(linear);
  return relative;
}

/* Orders that the dissertation finds, and recipes.md reproduces. */
Test(linearised, errors_fall_with_the_order_of_the_scheme) {
  static const struct {
    const char *scheme;
    bool rigid;
    double H, order;
  } rows[] = {
      {"ff-k0", false, 1e-3, 1},           {"ff-k1", false, 1e-3, 2},           {"ff-k2", false, 1e-3, 3},
      {"fd-k1", false, 1e-3, 2},           {"dd-k2", false, 1e-3, 3},           {"ff-d-k2", false, 1e-3, 3},
      {"ff-i-k0", false, 1e-3, 2},         {"ff-i-k1", false, 1e-3, 4},         {"ff-index2-k0", true, 8e-3, 4},
      {"ff-index2-k1", true, 8e-3, 4},     {"ff-index1-k0", true, 1e-3, 3},     {"ff-projection-k0", true, 1e-3, 2},
      {"ff-projection-k1", true, 1e-3, 3}, {"fd-projection-k1", true, 1e-3, 2},
  };
  mechanism elastic = discs(1, 1000, 10, 1000, 10);
  mechanism rigid = discs(2, 2000, 40, -1, 0);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const mechanism *m = rows[i].rigid ? &rigid : &elastic;
    const double coarse = error_of(m, rows[i].scheme, rows[i].H);
    const double fine = error_of(m, rows[i].scheme, rows[i].H / 2);
    cr_expect_float_eq(log2(coarse / fine), rows[i].order, 0.2, "%s: %.3f (%g, %g)", rows[i].scheme,
                       log2(coarse / fine), coarse, fine);
  }
  mechanism_free(&elastic);
  mechanism_free(&rigid);
}
