/* A mechanism, linearised and coupled: the textbook models built as mechanisms have their spectral radii; small
 * co-simulated motions of a mechanism grow and shrink as the propagation matrix says. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>

#include "cosim/mechanism/definition.h"
#include "tests/support/laws.h"

enum { MAX_SCHEMES = 64 };

static const char *const first_bodies[] = {"m1"};
static const char *const second_bodies[] = {"m2"};
static const cosim_subsystem_def two[] = {{.name = "first", .bodies = first_bodies, .n_bodies = 1},
                                          {.name = "second", .bodies = second_bodies, .n_bodies = 1}};

static cosim_definition definition_of(const cosim_subsystem_def *subsystems, const char *scheme) {
  cosim_definition definition = {.options = cosim_default_options(), .subsystems = subsystems, .n_subsystems = 2};
  definition.options.macro_step = 1e-3;
  definition.options.constitutive_scheme = definition.options.constraint_scheme = scheme;
  return definition;
}

static seam_status linearise(const mechanism *m, const cosim_definition *definition, seam_linearised **created,
                             seam_error *error) {
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_of(m->model, definition, &builder, NULL), SEAM_OK);
  const seam_status status = seam_linearised_create(m->state, builder, created, error);
  cosim_builder_destroy(builder);
  return status;
}

static cosim_definition definition_for(const char *scheme) { return definition_of(two, scheme); }

static seam_scheme_point point_of(const mechanism *m, const char *scheme, double H) {
  const cosim_definition definition = definition_for(scheme);
  seam_linearised *linear = NULL;
  seam_scheme_point point;
  seam_error error = {0};
  cr_assert_eq(linearise(m, &definition, &linear, &error), SEAM_OK, "%s: %s", scheme, error.message);
  cr_assert_eq(seam_linearised_stability(linear, H, &point, &error), SEAM_OK, "%s", error.message);
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
  mbs_builder *builder = new_builder();
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
  seam_scheme_name names[MAX_SCHEMES];
  const size_t n = seam_scheme_names(rigid, names, MAX_SCHEMES);
  cr_assert_leq(n, MAX_SCHEMES);
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
  for (int i = 0; i < 3; i++) {
    const double H = 1e-3 * pow(10, i);
    const seam_test_model model = textbook(H);
    expect_textbook(&m, &model, false, H);
  }
  mechanism_free(&m);
}

Test(linearised, constraint_coupling_as_in_the_textbook) {
  mechanism m = discs(2, 2000, 20, -1, 0);
  for (int i = 0; i < 3; i++) {
    const double H = 1e-3 * pow(10, i);
    seam_test_model model = textbook(H);
    model.alpha_m21 = 2;
    expect_textbook(&m, &model, true, H);
  }
  mechanism_free(&m);
}

/* ---- Errors ---- */

static double error_with(const mechanism *m, const cosim_definition *definition, double H) {
  seam_linearised *linear = NULL;
  double relative = 0;
  seam_error error = {0};
  cr_assert_eq(linearise(m, definition, &linear, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(seam_linearised_error(linear, H, &relative, &error), SEAM_OK, "%s", error.message);
  seam_linearised_destroy(linear);
  return relative;
}

static double error_of(const mechanism *m, const char *scheme, double H) {
  const cosim_definition definition = definition_for(scheme);
  return error_with(m, &definition, H);
}

/* Orders that the dissertation finds, and docs/conventions.md reproduces. */
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

static const char *const left_bars[] = {"bar1", "bar2"};
static const char *const right_bars[] = {"bar3", "bar4"};
static const cosim_subsystem_def halves[] = {{.name = "left", .bodies = left_bars, .n_bodies = 2},
                                             {.name = "right", .bodies = right_bars, .n_bodies = 2}};
static const char *const first_link[] = {"link1"};
static const char *const second_link[] = {"link2"};
static const cosim_subsystem_def links[] = {{.name = "upper", .bodies = first_link, .n_bodies = 1},
                                            {.name = "lower", .bodies = second_link, .n_bodies = 1}};

/* Parts that did not fit the whole would leave an error that no macro step makes smaller. */
static void expect_fit(mechanism *m, const cosim_subsystem_def *subsystems, const char *const *schemes, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const cosim_definition definition = definition_of(subsystems, schemes[i]);
    const double coarse = error_with(m, &definition, 2e-3);
    const double fine = error_with(m, &definition, 1e-3);
    cr_expect_lt(fine, 1e-3, "%s: %g", schemes[i], fine);
    cr_expect(fine < 0.6 * coarse || fine < 1e-10, "%s: %g, %g", schemes[i], coarse, fine);
  }
}

Test(linearised, parts_fit_the_whole) {
  static const char *const at_bushing[] = {"ff-k1", "fd-k1", "df-k1", "dd-k1", "ff-d-k2", "fd-i-k1"};
  static const char *const at_joint[] = {"ff-index2-k1",     "ff-index1-k1",     "ff-baumgarte-k1", "fd-baumgarte-k1",
                                         "df-projection-k1", "fd-projection-k1", "ff-weighted-k1"};
  static const char *const at_weld[] = {"ff-index2-k1", "ff-projection-k1"};
  mechanism bushing = four_bar_bushing();
  mechanism weld = four_bar_fixed();
  mechanism pendulum = double_pendulum();
  mechanism_assemble(&bushing); /* accelerates: frozen */
  expect_fit(&bushing, halves, at_bushing, sizeof at_bushing / sizeof *at_bushing);
  rest(&bushing);
  expect_fit(&bushing, halves, at_bushing, sizeof at_bushing / sizeof *at_bushing);
  rest(&weld);
  expect_fit(&weld, halves, at_weld, sizeof at_weld / sizeof *at_weld);
  rest(&pendulum);
  expect_fit(&pendulum, links, at_joint, 4);
  expect_fit(&pendulum, links, at_joint + 5, 2);
  mechanism_free(&bushing);
  mechanism_free(&weld);
  mechanism_free(&pendulum);
}

/* Two rods on pivots, joined by a point spring under load or by a consistent bushing. */
static mechanism joined_rods(mbs_force_kind kind) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  mbs_set_gravity(builder, standard_gravity);
  add_rod(builder, "m1", (double[2]){0, 0}, (double[2]){0.3, -1}, 1);
  add_rod(builder, "m2", (double[2]){1, 0}, (double[2]){0.8, -1}, 2);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "m1", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "m2", (double[2]){1, 0});
  mbs_force_def law = force_between("law", kind, bodies, "m1", "m2", (double[2]){0.3, -1});
  memcpy(law.at[1].position, (double[2]){0.8, -1}, sizeof law.at[1].position);
  law.rest = kind == MBS_BUSHING ? 0.3 : 0.1;
  law.consistent = true;
  for (int i = 0; i < 3; i++) {
    law.stiffness[i] = 50;
    law.damping[i] = 1;
  }
  add_force(builder, &law);
  mechanism m = mechanism_build(builder);
  rest(&m);
  return m;
}

Test(linearised, loaded_elements_turn) {
  static const char *const schemes[] = {"ff-k1", "fd-k1", "dd-k1", "ff-d-k2"};
  const mbs_force_kind kinds[] = {MBS_SPRING_DAMPER, MBS_BUSHING};
  for (size_t i = 0; i < 2; i++) {
    mechanism m = joined_rods(kinds[i]);
    expect_fit(&m, two, schemes, sizeof schemes / sizeof *schemes);
    mechanism_free(&m);
  }
}

/* ---- Verdicts ---- */

/* As the co-simulated runs of the dissertation, 4.6. */
Test(linearised, constraint_schemes_on_the_double_pendulum) {
  static const char *const methods[] = {"baumgarte", "weighted", "projection"};
  mechanism m = double_pendulum();
  rest(&m);
  for (int which = 0; which < 18; which++) {
    char scheme[32];
    snprintf(scheme, sizeof scheme, "%s-%s-k%d", which < 9 ? "ff" : "fd", methods[which / 3 % 3], which % 3);
    const cosim_definition definition = definition_of(links, scheme);
    seam_linearised *linear = NULL;
    seam_scheme_point point;
    cr_assert_eq(linearise(&m, &definition, &linear, NULL), SEAM_OK, "%s", scheme);
    cr_assert_eq(seam_linearised_stability(linear, 1e-3, &point, NULL), SEAM_OK);
    const bool unstable = which / 3 % 3 == 1 && which % 3 == 2;
    cr_expect_eq(point.verdict, unstable ? SEAM_UNSTABLE : SEAM_STABLE, "%s: %.15g", scheme, point.rho);
    seam_linearised_destroy(linear);
  }
  mechanism_free(&m);
}

static size_t intervals_of(const mechanism *m, const cosim_definition *definition, seam_stable_interval interval[8]) {
  seam_linearised *linear = NULL;
  size_t n = 0;
  cr_assert_eq(linearise(m, definition, &linear, NULL), SEAM_OK);
  cr_assert_eq(seam_linearised_intervals(linear, 1e-3, 0.2, 81, NULL, interval, 8, &n, NULL), SEAM_OK);
  seam_linearised_destroy(linear);
  return n;
}

Test(linearised, there_may_be_more_than_one_stable_interval) {
  mechanism m = discs(1, 1000, 10, 1000, 10);
  const cosim_definition definition = definition_for("ff-i-k2");
  seam_stable_interval interval[8];
  cr_assert_eq(intervals_of(&m, &definition, interval), 2);
  cr_expect_eq(interval[0].from, 1e-3);
  cr_expect_eq(interval[1].to, 0.2);
  cr_expect_lt(interval[0].to, interval[1].from);
  const double H[] = {interval[0].to, interval[0].to * 1.001, interval[1].from / 1.001, interval[1].from};
  for (int i = 0; i < 4; i++)
    cr_expect_eq(point_of(&m, "ff-i-k2", H[i]).verdict, i == 0 || i == 3 ? SEAM_STABLE : SEAM_UNSTABLE);
  mechanism_free(&m);
}

/* Largest coordinate of the distance from the equilibrium after co-simulated steps from near it. */
static double wander(const mechanism *m, const cosim_definition *definition, double H, int n_steps) {
  cosim_simulation *simulation = NULL;
  mbs_state *start = new_state(m->model);
  double largest = 0;
  mbs_state_copy(start, m->state);
  for (size_t i = 0; i < 3 * mbs_n_bodies(m->model); i++)
    start->q[i] += 1e-7 * sin((double)i);
  cr_assert_eq(mbs_assemble(m->ws, start, NULL, NULL, NULL), SEAM_OK);
  cosim_builder *builder = NULL;
  cr_assert_eq(cosim_builder_of(m->model, definition, &builder, NULL), SEAM_OK);
  cr_assert_eq(cosim_create(builder, &simulation, NULL), SEAM_OK);
  cosim_builder_destroy(builder);
  cr_assert_eq(cosim_start(simulation, start, NULL), SEAM_OK);
  for (int i = 0; i < n_steps; i++)
    if (cosim_advance(simulation, H, NULL) != SEAM_OK)
      largest = INFINITY;
  for (size_t i = 0; i < 3 * mbs_n_bodies(m->model); i++)
    largest = fmax(largest, fabs(cosim_state(simulation)->q[i] - m->state->q[i]));
  cosim_destroy(simulation);
  mbs_state_destroy(start);
  return largest;
}

Test(linearised, co_simulated_runs_grow_beyond_the_limit_and_not_below) {
  static const char *const schemes[] = {"ff-k1", "ff-k2", "fd-k1"};
  mechanism m = four_bar_bushing();
  rest(&m);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const cosim_definition definition = definition_of(halves, schemes[i]);
    seam_stable_interval interval[8];
    cr_assert_geq(intervals_of(&m, &definition, interval), 1);
    cr_expect_lt(wander(&m, &definition, 0.98 * interval[0].to, 500), 1e-6, "%s", schemes[i]);
    cr_expect_gt(wander(&m, &definition, 1.02 * interval[0].to, 500), 1e-5, "%s", schemes[i]);
  }
  mechanism_free(&m);
}

/* Two free bodies: what moves both of them is not an instability. */
/* Macro steps that double miss the band of s = 3 near H Ω = 2 π, Ω of the discs against each other; runs do not. */
Test(linearised, bands_between_macro_steps_are_found) {
  mechanism m = discs(1, 1000, 10, 1e6, 0);
  const cosim_definition definition = definition_for("ff-colloc-s3");
  const double unit = pi / sqrt(2e6);
  seam_linearised *linear = NULL;
  seam_scheme_point points[8];
  seam_stable_interval interval[8];
  size_t n = 0;
  bool is_found = false;
  cr_assert_eq(linearise(&m, &definition, &linear, NULL), SEAM_OK);
  cr_assert_eq(seam_linearised_intervals(linear, 1e-3, 0.128, 8, points, interval, 8, &n, NULL), SEAM_OK);
  for (int i = 0; i < 8; i++)
    cr_expect_neq(points[i].verdict, SEAM_UNSTABLE, "H = %g", points[i].macro_step);
  cr_assert_geq(n, 2);
  for (size_t i = 0; i + 1 < n; i++)
    is_found = is_found || (interval[i].to < 2.04 * unit && interval[i + 1].from > 2.04 * unit &&
                            interval[i].to > 1.7 * unit && interval[i + 1].from < 2.4 * unit);
  cr_expect(is_found, "%zu intervals, the first to %g pi", n, interval[0].to / unit);
  cr_expect_gt(wander(&m, &definition, 2.04 * unit, 40), 1e-4);
  cr_expect_lt(wander(&m, &definition, 1.6 * unit, 40), 1e-6);
  cr_expect_lt(wander(&m, &definition, 3.5 * unit, 40), 1e-6);
  seam_linearised_destroy(linear);
  mechanism_free(&m);
}

Test(linearised, neutral_motions_are_no_instability) {
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_rod(builder, "m1", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_rod(builder, "m2", (double[2]){1, 0}, (double[2]){2, 0}, 1);
  mbs_force_def law = force_between("law", MBS_BUSHING, bodies, "m1", "m2", (double[2]){1, 0});
  for (int i = 0; i < 3; i++) {
    law.stiffness[i] = 1000;
    law.damping[i] = 10;
  }
  add_force(builder, &law);
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  cr_expect_neq(point_of(&m, "ff-k1", 1e-3).verdict, SEAM_UNSTABLE);
  cr_expect_neq(point_of(&m, "fd-d-k2", 1e-3).verdict, SEAM_UNSTABLE);
  cr_expect_eq(point_of(&m, "ff-k2", 0.2).verdict, SEAM_UNSTABLE);
  mechanism_free(&m);
}

/* Two rods in a row, which nothing turns back: of the whole the eigenvalue 1 is fourfold, in blocks of two. Rounding
 * moves it by 1e-8, as it does that of a scheme, and errors of these schemes fall with H^4 there ([Li] 4.9). */
Test(linearised, a_defective_eigenvalue_of_the_mechanism_is_no_instability) {
  static const char *const good[] = {"ff-index1-k1", "ff-index2-k1", "ff-colloc-s2", "ff-baumgarte-k1"};
  mbs_builder *builder = new_builder();
  add_rod(builder, "link1", (double[2]){0, 0}, (double[2]){1, 0}, 1);
  add_rod(builder, "link2", (double[2]){1, 0}, (double[2]){1.8, 0}, 0.7);
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "link1", (double[2]){0, 0});
  add_joint(builder, "B", MBS_REVOLUTE, "link1", "link2", (double[2]){1, 0});
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  for (int i = 0; i < 4; i++) {
    const cosim_definition definition = definition_of(links, good[i]);
    seam_linearised *linear = NULL;
    cr_assert_eq(linearise(&m, &definition, &linear, NULL), SEAM_OK, "%s", good[i]);
    for (double H = 1e-4; H < 1; H *= 1.3) {
      seam_scheme_point point;
      cr_assert_eq(seam_linearised_stability(linear, H, &point, NULL), SEAM_OK);
      cr_expect_float_eq(point.rho, 1, 1e-6, "%s, H = %g: %.15g", good[i], H, point.rho);
      cr_expect_neq(point.verdict, SEAM_UNSTABLE, "%s, H = %g: %.15g +- %.3g", good[i], H, point.rho,
                    point.uncertainty);
    }
    seam_linearised_destroy(linear);
  }
  const cosim_definition bad = definition_of(links, "ff-weighted-k2");
  seam_linearised *linear = NULL;
  seam_scheme_point point;
  cr_assert_eq(linearise(&m, &bad, &linear, NULL), SEAM_OK);
  cr_assert_eq(seam_linearised_stability(linear, 1e-3, &point, NULL), SEAM_OK);
  cr_expect_eq(point.verdict, SEAM_UNSTABLE, "%.15g +- %.3g", point.rho, point.uncertainty);
  seam_linearised_destroy(linear);
  mechanism_free(&m);
}

/* Above its pivot a pendulum falls; a scheme that follows it is stable. */
Test(linearised, what_grows_by_itself_is_no_instability_of_the_scheme) {
  mechanism m = double_pendulum();
  seam_linearised *linear = NULL;
  seam_scheme_point point;
  mechanism_assemble(&m);
  const cosim_definition good = definition_of(links, "ff-index2-k1");
  const cosim_definition bad = definition_of(links, "ff-weighted-k2");
  cr_assert_eq(linearise(&m, &good, &linear, NULL), SEAM_OK);
  cr_assert_eq(seam_linearised_stability(linear, 1e-3, &point, NULL), SEAM_OK);
  cr_expect_gt(seam_linearised_growth(linear), 0.1);
  cr_expect_gt(point.rho, 1);
  cr_expect_eq(point.verdict, SEAM_STABLE);
  seam_linearised_destroy(linear);
  cr_assert_eq(linearise(&m, &bad, &linear, NULL), SEAM_OK);
  cr_assert_eq(seam_linearised_stability(linear, 1e-3, &point, NULL), SEAM_OK);
  cr_expect_eq(point.verdict, SEAM_UNSTABLE);
  seam_linearised_destroy(linear);
  mechanism_free(&m);
}

/* The scheme may grow 5 % faster than the mechanism itself, no more. */
Test(linearised, growth_beyond_that_of_the_mechanism_is_unstable) {
  mechanism m = double_pendulum();
  seam_linearised *linear = NULL;
  int n_within = 0;
  int n_beyond = 0;
  mechanism_assemble(&m);
  const cosim_definition definition = definition_of(links, "ff-index2-k0");
  cr_assert_eq(linearise(&m, &definition, &linear, NULL), SEAM_OK);
  const double growth = seam_linearised_growth(linear);
  for (int i = 0; i < 80; i++) { /* 1e-3 to 1.9 s */
    const double H = 1e-3 * pow(1.1, i);
    seam_scheme_point point;
    cr_assert_eq(seam_linearised_stability(linear, H, &point, NULL), SEAM_OK);
    const double ratio = log(point.rho) / (growth * H);
    if (ratio < 1.04) {
      cr_expect_eq(point.verdict, SEAM_STABLE, "H = %g, growth times %g", H, ratio);
      n_within++;
    } else if (ratio > 1.06) {
      cr_expect_eq(point.verdict, SEAM_UNSTABLE, "H = %g, growth times %g", H, ratio);
      n_beyond += ratio < 1.4;
    }
  }
  cr_expect(n_within > 0 && n_beyond > 0, "%d within, %d beyond", n_within, n_beyond);
  seam_linearised_destroy(linear);
  mechanism_free(&m);
}

Test(linearised, impossible_wishes_are_refused) {
  mechanism m = joined_rods(MBS_SPRING_DAMPER);
  seam_linearised *linear = NULL;
  seam_error error = {0};
  const cosim_definition integral = definition_for("ff-i-k1");
  const cosim_definition possible = definition_for("ff-k1");
  size_t n = 0;
  cr_expect_eq(linearise(&m, &integral, &linear, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, "'law'"), "%s", error.message);
  cr_assert_eq(linearise(&m, &possible, &linear, &error), SEAM_OK);
  cr_expect_eq(seam_linearised_intervals(linear, 1, 0.1, 10, NULL, NULL, 0, &n, &error), SEAM_BAD_INPUT);
  seam_linearised_destroy(linear);
  mechanism_free(&m);
}

/* ---- Laws of quantities ---- */

/* The discs of the textbook, where a law of the first one's angle and speed is its spring. `inputs` (2). */
static mechanism ruled_discs(coefficients *law, const char *const *inputs, double sample) {
  static const double O[2] = {0, 0};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "m1", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "m2", 1, 1, (double[3]){0, 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "m1", O);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "m2", O);
  *law = (coefficients){{-1000, -10}, 2};
  add_open(builder, "s1", MBS_TORQUE, "m1", NULL, O);
  if (sample > 0)
    add_variable(builder, "u", 0, sample);
  add_law(builder, "s1", 0, inputs, 2, linear_of(law));
  for (int i = 0; i < 2; i++) {
    mbs_force_def spring = force_between(i == 0 ? "s2" : "sc", MBS_TORSION, bodies, i == 0 ? "ground" : "m1", "m2", O);
    spring.stiffness[0] = 1000;
    spring.damping[0] = 10;
    add_force(builder, &spring);
  }
  mechanism m = mechanism_build(builder);
  rest(&m);
  return m;
}

Test(linearised, a_law_within_a_part_is_the_spring_that_it_describes) {
  static const char *const inputs[] = {"m1.phi", "m1.omega"};
  static const char *const schemes[] = {"ff-k1", "fd-k1", "dd-k2", "ff-i-k1"};
  coefficients law;
  mechanism expected = discs(1, 1000, 10, 1000, 10);
  mechanism found = ruled_discs(&law, inputs, 0);
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const seam_scheme_point point = point_of(&expected, schemes[i], 5e-3);
    cr_expect_float_eq(point_of(&found, schemes[i], 5e-3).rho, point.rho, 1e-10, "%s", schemes[i]);
    cr_expect_float_eq(error_of(&found, schemes[i], 1e-3), error_of(&expected, schemes[i], 1e-3), 1e-9, "%s",
                       schemes[i]);
  }
  mechanism_free(&expected);
  mechanism_free(&found);
}

static void expect_no_stability(mechanism *m, const char *cause) {
  seam_linearised *linear = NULL;
  seam_error error = {0};
  const cosim_definition definition = definition_for("ff-k1");
  cr_expect_eq(linearise(m, &definition, &linear, &error), SEAM_BAD_INPUT);
  cr_expect_not_null(strstr(error.message, cause), "%s", error.message);
  mechanism_free(m);
}

Test(linearised, what_parts_do_not_have_is_refused_by_name) {
  static const char *const of_other[] = {"m1.phi", "m2.phi"};
  coefficients law;
  mechanism m = ruled_discs(&law, of_other, 0);
  expect_no_stability(&m, "'s1' reads 'm2.phi'");
}

Test(linearised, a_law_of_quantities_is_not_cut) {
  static const char *const inputs[] = {"m1.phi", "m2.phi"};
  static const double O[2] = {0, 0};
  coefficients law = {{1000, -1000}, 2};
  mbs_builder *builder = new_builder();
  add_body(builder, "m1", 1, 1, (double[3]){0, 0, 0});
  add_body(builder, "m2", 1, 1, (double[3]){0, 0, 0});
  add_joint(builder, "A", MBS_REVOLUTE, "ground", "m1", O);
  add_joint(builder, "B", MBS_REVOLUTE, "ground", "m2", O);
  add_open(builder, "sc", MBS_TORSION, "m1", "m2", O);
  add_law(builder, "sc", 0, inputs, 2, linear_of(&law));
  mechanism m = mechanism_build(builder);
  mechanism_assemble(&m);
  expect_no_stability(&m, "'sc'");
}
