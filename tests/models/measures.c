/* Measures in model files: what they are, against closed forms and what physics keeps; what is refused, with the whole
 * message. */
#include <criterion/criterion.h>
#include <math.h>
#include <seam/measures.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/engine.h"
#include "tests/support/model_reader.h"

static seam_error error;
static const double pi = 3.14159265358979323846;

typedef struct reading {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *workspace;
  mbs_state *state; /* assembled */
} reading;

static reading read_with(const char *text, const char *const *overrides) {
  reading r = {.file = read_model(text, overrides)};
  r.model = seam_model_mechanism(r.file);
  r.workspace = new_workspace(r.model);
  r.state = new_state(r.model);
  cr_assert_eq(mbs_assemble(r.workspace, r.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  return r;
}

static void reading_free(reading *r) {
  mbs_state_destroy(r->state);
  mbs_workspace_destroy(r->workspace);
  seam_model_file_destroy(r->file);
}

static double value(const reading *r, const char *name) {
  mbs_quantity quantity;
  mbs_readout *readout = NULL;
  double value = NAN;
  cr_assert_eq(mbs_find_quantity(r->model, name, &quantity, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_readout_create(r->model, &quantity, 1, &readout, &error), SEAM_OK, "%s", error.message);
  mbs_read(readout, r->workspace, r->state, &value);
  mbs_readout_destroy(readout);
  return value;
}

static mbs_integrator *integrate(const reading *r, double tolerance) {
  mbs_integrator *integrator = NULL;
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = tolerance;
  options.atol = tolerance / 10;
  cr_assert_eq(mbs_integrator_create(r->model, &options, &integrator, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_start(integrator, r->state, &error), SEAM_OK, "%s", error.message);
  return integrator;
}

static void go_to(const reading *r, mbs_integrator *integrator, double t) {
  cr_assert_eq(mbs_integrator_advance(integrator, t, r->state, &error), SEAM_OK, "%s", error.message);
}

/* ---- Closed forms ------------------------------------------------------------------------------------------------ */

#define FOUR_BAR                                                                                                       \
  "seam: 1\n"                                                                                                          \
  "parameters: {r: 1, l: 2.5, c: 2, d: 3}\n"                                                                           \
  "points: {A: [0, 0], B: [d, 0], C: [r, 0], D: [1.9, 1.7]}\n"                                                         \
  "bodies:\n"                                                                                                          \
  "  crank: {rod: [A, C], mass: 1}\n"                                                                                  \
  "  coupler: {mass: 2, inertia: 1, at: C}\n"                                                                          \
  "  rocker: {mass: 1, inertia: 1, at: B, angle: 2}\n"                                                                 \
  "joints:\n"                                                                                                          \
  "  a: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  b: {type: revolute, bodies: [crank, coupler], at: {crank: [r/2, 0], coupler: [0, 0]}}\n"                          \
  "  k: {type: revolute, bodies: [coupler, rocker], at: {coupler: [l, 0], rocker: [c, 0]}}\n"                          \
  "  g: {type: revolute, bodies: [ground, rocker], at: {ground: [d, 0], rocker: [0, 0]}}\n"                            \
  "  drive: {type: motion, of: angle, bodies: [ground, crank], law: 2*t}\n"                                            \
  "measures:\n"                                                                                                        \
  "  curve: {point: {coupler: [1, 0.7]}}\n"

/* The coupler's angle is that of the line from the crank's end C to D, at distances l and c from C and B. */
static void coupler_point(double theta, double p[2]) {
  const double l = 2.5;
  const double c = 2;
  const double C[2] = {cos(theta), sin(theta)};
  const double to_B[2] = {3 - C[0], -C[1]};
  const double e = hypot(to_B[0], to_B[1]);
  const double psi = atan2(to_B[1], to_B[0]) + acos((l * l + e * e - c * c) / (2 * l * e));
  p[0] = C[0] + cos(psi) - 0.7 * sin(psi);
  p[1] = C[1] + sin(psi) + 0.7 * cos(psi);
}

Test(measures, coupler_curve_of_a_four_bar) {
  reading r = read_with(FOUR_BAR, NULL);
  mbs_integrator *integrator = integrate(&r, 1e-10);
  for (int i = 0; i <= 40; i++) {
    const double t = 0.1 * i;
    const double h = 1e-3;
    double p[5][2];
    go_to(&r, integrator, t);
    for (int k = 0; k < 5; k++)
      coupler_point(2 * t + 2 * h * (k - 2), p[k]);
    const double vx = (p[0][0] - 8 * p[1][0] + 8 * p[3][0] - p[4][0]) / (12 * h);
    cr_expect_float_eq(value(&r, "curve.x"), p[2][0], 1e-12, "%g: %g", t, value(&r, "curve.x") - p[2][0]);
    cr_expect_float_eq(value(&r, "curve.y"), p[2][1], 1e-12, "%g: %g", t, value(&r, "curve.y") - p[2][1]);
    cr_expect_float_eq(value(&r, "curve.vx"), vx, 1e-9, "%g: %g", t, value(&r, "curve.vx") - vx);
  }
  mbs_integrator_destroy(integrator);
  reading_free(&r);
}

#define HALF_CAR                                                                                                       \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "parameters: {m: 40, M: 600, k: 2e5}\n"                                                                              \
  "points: {F: [1.2, 0.6], R: [-1.5, 0.6], f: [1.2, 0.3], r: [-1.5, 0.3]}\n"                                           \
  "bodies:\n"                                                                                                          \
  "  chassis: {mass: M, inertia: 900, at: [0, 0.7]}\n"                                                                 \
  "  front: {mass: m, inertia: 1, at: f}\n"                                                                            \
  "  rear: {mass: m, inertia: 1, at: r}\n"                                                                             \
  "joints:\n"                                                                                                          \
  "  guide: {type: slot, bodies: [ground, chassis], at: [0, 0.7], axis: [0, 1]}\n"                                     \
  "  slide_f: {type: prismatic, bodies: [chassis, front], at: f, axis: [0, 1]}\n"                                      \
  "  slide_r: {type: prismatic, bodies: [chassis, rear], at: r, axis: [0, 1]}\n"                                       \
  "forces:\n"                                                                                                          \
  "  spring_f: {type: spring_damper, bodies: [chassis, front], at: [F, f], stiffness: 2e4, length: 0.4}\n"             \
  "  spring_r: {type: spring_damper, bodies: [chassis, rear], at: [R, r], stiffness: 2e4, length: 0.4}\n"              \
  "  tyre-f: {type: spring_damper, bodies: [ground, front], at: [[1.2, 0], f], stiffness: k, axis: [0, 1]}\n"          \
  "  tyre_r: {type: spring_damper, bodies: [ground, rear], at: [[-1.5, 0], r], stiffness: k, axis: [0, 1]}\n"          \
  "measures:\n"

/* Tyres bear the weight of a car at rest; a difference from it is what moves its centre of mass. */
Test(measures, tyre_forces_of_a_car_are_its_weight) {
  reading r = read_with(HALF_CAR "  load: {expression: \"front_load + tyre_r.force - weight\", unit: N}\n"
                                 "  front_load: tyre-f.force\n"
                                 "  weight: 9.81*(M + 2*m)\n"
                                 "  car: {set: [chassis, front, rear]}\n"
                                 "  inertia: (M + 2*m)*car.ay\n",
                        NULL);
  cr_assert_eq(mbs_evaluate(r.workspace, r.state, NULL), SEAM_OK);
  cr_expect_float_eq(value(&r, "load"), value(&r, "inertia"), 1e-9);
  cr_expect_lt(value(&r, "load"), -6000, "it stands on tyres at rest length");
  cr_assert_eq(mbs_find_equilibrium(r.workspace, r.state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_expect_float_eq(value(&r, "load"), 0, 1e-6 * 6671, "%g", value(&r, "load"));
  cr_expect_gt(value(&r, "front_load"), 3000);
  cr_expect_str_eq(mbs_quantity_of(r.model, (mbs_quantity){MBS_MEASURES, mbs_find_measure(r.model, "load"), 0}).unit,
                   "N");
  reading_free(&r);
}

/* ---- Energy ------------------------------------------------------------------------------------------------------ */

/* Of a quantity in the balance of powers. */
static double share_of(const char *name) {
  return strcmp(name, "power") == 0 ? 1 : strcmp(name, "friction_loss") == 0 ? -1 : 0;
}

/* Of all force elements and joints, by their names; each name counts once. *size is that of its terms. */
static double total_power(const reading *r, double *size) {
  double power = 0;
  for (mbs_owner owner = MBS_JOINTS; owner <= MBS_FORCES; owner++)
    for (size_t e = 0; e < mbs_n_elements(r->model, owner); e++)
      for (size_t i = 0; i < mbs_n_quantities(r->model, owner, e); i++) {
        const mbs_quantity quantity = {owner, e, i};
        mbs_readout *readout = NULL;
        double value = 0;
        const double share = share_of(mbs_quantity_of(r->model, quantity).name);
        if (share == 0)
          continue;
        cr_assert_eq(mbs_readout_create(r->model, &quantity, 1, &readout, &error), SEAM_OK);
        mbs_read(readout, r->workspace, r->state, &value);
        power += share * value;
        *size += fabs(value);
        mbs_readout_destroy(readout);
      }
  return power;
}

/* Kinetic energy and potential energy of gravity. */
static double energy_of_bodies(const reading *r) {
  double energy = 0;
  for (size_t b = 0; b < mbs_n_bodies(r->model); b++) {
    char name[2][64];
    snprintf(name[0], sizeof name[0], "%s.kinetic", mbs_body_of(r->model, b).name);
    snprintf(name[1], sizeof name[1], "%s.potential", mbs_body_of(r->model, b).name);
    energy += value(r, name[0]) + value(r, name[1]);
  }
  return energy;
}

/* Of the powers, by Gauss's rule with five points on each of n pieces; *size is that of their absolute values. */
static double work_between(const reading *r, mbs_integrator *integrator, double from, double to, int n, double *size) {
  static const double x[5] = {0.046910077030668, 0.2307653449471585, 0.5, 0.7692346550528415, 0.953089922969332};
  static const double w[5] = {0.1184634425280946, 0.2393143352496833, 0.2844444444444444, 0.2393143352496833,
                              0.1184634425280946};
  const double h = (to - from) / n;
  double work = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 5; k++) {
      go_to(r, integrator, from + h * (i + x[k]));
      double terms = 0;
      const double power = w[k] * h * total_power(r, &terms);
      work += power;
      *size += fabs(power);
    }
  return work;
}

/* From time 0, in about n pieces, which end where powers jump: at samples and kinks of laws of time. */
static double work_until(const reading *r, mbs_integrator *integrator, double end, int n, double *size) {
  double work = 0;
  double from = 0;
  while (from < end) {
    const double to = fmin(end, mbs_next_kink(r->model, from).at);
    work += work_between(r, integrator, from, to, (int)ceil(n * (to - from) / end), size);
    from = to;
  }
  go_to(r, integrator, end);
  return work;
}

/* vᵀ (M a - Q_g); *size is that of its terms. */
static double gain_of_bodies(const reading *r, double *size) {
  double gain = 0;
  for (size_t i = 0; i < 3 * mbs_n_bodies(r->model); i++) {
    const double inertia = r->state->v[i] * r->model->mass[3 + i] * r->state->a[i];
    const double weight = r->state->v[i] * r->model->gravity_load[3 + i];
    gain += inertia - weight;
    *size += fabs(inertia) + fabs(weight);
  }
  return gain;
}

/* Laws with kinks in the state spoil quadratures, and so do impacts. */
static bool has_kinks(const mbs_model *model) {
  bool kinks = false;
  for (int i = 0; i < model->n_forces; i++)
    kinks = kinks || model->forces[i].elastic[0].nonlinear.has_kinks || model->forces[i].elastic[0].is_strand ||
            model->forces[i].type->is_hard;
  return kinks;
}

/* The powers of all elements are the rate at which the bodies gain, and their integral is what they have gained, on
 * every model of the catalogue that has bodies. */
Test(measures, powers_are_the_rate_of_energy_on_the_catalogue) {
  size_t n_tried = 0;
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    seam_model_file *file = read_model(seam_catalogue_text(name), NULL);
    const bool has_bodies = mbs_n_bodies(seam_model_mechanism(file)) > 0;
    const double end = 0.02 * seam_model_simulation(file)->end;
    seam_model_file_destroy(file);
    if (!has_bodies)
      continue;
    reading r = read_with(seam_catalogue_text(name), NULL);
    mbs_integrator *integrator = integrate(&r, 1e-12);
    const double before = energy_of_bodies(&r);
    double size = 1e-6 * (1 + fabs(before)); /* energies are rounded */
    const double work = work_until(&r, integrator, end, 200, &size);
    const double gain = energy_of_bodies(&r) - before;
    double terms = 1e-6;
    const double rate = gain_of_bodies(&r, &terms);
    const double power = total_power(&r, &terms);
    cr_expect_float_eq(power, rate, 1e-10 * terms, "%s: %.12g of %g", name, rate, terms);
    if (!has_kinks(r.model))
      cr_expect_float_eq(gain, work, 1e-8 * (size + fabs(gain)), "%s: %.12g, %.12g of %g", name, gain, work, size);
    mbs_integrator_destroy(integrator);
    reading_free(&r);
    n_tried++;
  }
  cr_expect_geq(n_tried, 10);
}

/* ---- What is read ------------------------------------------------------------------------------------------------ */

#define TWO_BODIES                                                                                                     \
  "seam: 1\n"                                                                                                          \
  "parameters: {a: 2, L: 3}\n"                                                                                         \
  "points: {P: [1, 1], Q: [4, 5]}\n"                                                                                   \
  "bodies:\n"                                                                                                          \
  "  one: {mass: 1, inertia: 1, at: [0, 0], angle: pi/2, velocity: [1, 2], rate: 3}\n"                                 \
  "  two: {mass: 3, inertia: 1, at: [4, 4]}\n"                                                                         \
  "joints:\n"                                                                                                          \
  "  pin: {type: revolute, bodies: [ground, two], at: Q}\n"                                                            \
  "forces:\n"                                                                                                          \
  "  spring: {type: spring_damper, bodies: [one, two], at: [P, Q], stiffness: 10, length: 4}\n"                        \
  "  a-spring: {type: torsion, bodies: [one, two], stiffness: 2, angle: 0}\n"                                          \
  "measures:\n"

Test(measures, kinds_and_their_places) {
  reading r = read_with(TWO_BODIES "  at_place: {point: P, body: one}\n"
                                   "  in_body: {point: {one: [1, -1]}, axes: body}\n"
                                   "  turned: {point: [1, 1], body: ground, axes: one}\n"
                                   "  span: {distance: [P, Q], bodies: [one, two]}\n"
                                   "  span2: {distance: {one: [1, -1], ground: [4, 5]}}\n"
                                   "  pair: {set: [one, two]}\n"
                                   "  pin_in_one: {reaction: pin, axes: one}\n"
                                   "  pin_own: {reaction: pin, axes: body}\n",
                        NULL);
  cr_expect_float_eq(value(&r, "at_place.x"), 1, 1e-15);
  cr_expect_float_eq(value(&r, "at_place.vx"), 1 - 3, 1e-15);
  cr_expect_float_eq(value(&r, "in_body.x"), 1, 1e-15);
  cr_expect_float_eq(value(&r, "in_body.y"), -1, 1e-15);
  cr_expect_float_eq(value(&r, "in_body.vx"), 2 + 3, 1e-15, "%g", value(&r, "in_body.vx"));
  cr_expect_float_eq(value(&r, "turned.x"), 1, 1e-15);
  cr_expect_float_eq(value(&r, "turned.y"), -1, 1e-15);
  cr_expect_float_eq(value(&r, "span.length"), 5, 1e-15);
  cr_expect_float_eq(value(&r, "span2.length"), 5, 1e-14);
  cr_expect_float_eq(value(&r, "pair.x"), 3, 1e-15);
  cr_expect_float_eq(value(&r, "pin_in_one.fx"), value(&r, "pin.fy"), 1e-13);
  cr_expect_float_eq(value(&r, "pin_own.fy"), value(&r, "pin.fy"), 1e-15);
  reading_free(&r);
}

/* In any order; of parameters, the time, functions; names with hyphens by another name. */
Test(measures, expressions_of_quantities) {
  reading r = read_with(TWO_BODIES "  sum: \"max(half*2, 0) + a*t + twist\"\n"
                                   "  half: \"spring.force/2 + 0*sin(one.phi)\"\n"
                                   "  twist: a-spring.torque\n"
                                   "  minus: \"a - spring.force\"\n"
                                   "  energy_of_one: {expression: one.kinetic}\n"
                                   "  clock: t\n"
                                   "  constant: L^2\n",
                        NULL);
  r.state->t = 5;
  const double force = value(&r, "spring.force");
  cr_expect_float_eq(force, -10, 1e-13);
  cr_expect_float_eq(value(&r, "twist"), pi, 1e-14, "%g", value(&r, "twist"));
  cr_expect_float_eq(value(&r, "sum"), 0 + 10 + pi, 1e-14);
  cr_expect_float_eq(value(&r, "minus"), 2 - force, 1e-14);
  cr_expect_eq(value(&r, "constant"), 9);
  const mbs_quantity energy = {MBS_MEASURES, mbs_find_measure(r.model, "energy_of_one"), 0};
  cr_expect_str_eq(mbs_quantity_of(r.model, energy).unit, "J");
  const mbs_quantity clock = {MBS_MEASURES, mbs_find_measure(r.model, "clock"), 0};
  cr_expect_str_eq(mbs_quantity_of(r.model, clock).unit, "s");
  cr_expect_eq(value(&r, "clock"), 5);
  reading_free(&r);
}

/* The effective model, which checkpoints hold, says the same. */
Test(measures, the_effective_model_reads_as_the_same_measures) {
  const char *text = TWO_BODIES "  tip: {point: [a/2, 1], body: one}\n"
                                "  sum: {expression: \"a*tip.x + t\", over_run: [min, rms]}\n"
                                "repeat:\n"
                                "  - for: {i: [1, 3]}\n"
                                "    bodies: {\"b{i}\": {mass: 1, inertia: i, at: [i, 0]}}\n"
                                "    measures: {\"m{i}\": \"i*b{i}.x + two.x\"}\n";
  reading r = read_with(text, NULL);
  reading again = read_with(seam_model_json(r.file), NULL);
  cr_expect_float_eq(value(&r, "m3"), 9 + 4, 1e-15);
  static const char *const names[] = {"sum", "m2", "tip.vx"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    cr_expect_eq(value(&again, names[i]), value(&r, names[i]), "%s", names[i]);
  const size_t sum = mbs_find_measure(r.model, "sum");
  cr_expect_eq(seam_model_over_run(r.file, sum), 1U << SEAM_MIN | 1U << SEAM_RMS);
  cr_expect_eq(seam_model_over_run(again.file, sum), 1U << SEAM_MIN | 1U << SEAM_RMS);
  cr_expect_eq(seam_model_over_run(r.file, 1000), 0);
  reading_free(&again);
  reading_free(&r);
}

Test(measures, overrides_know_their_names) {
  reading r = read_with(TWO_BODIES "  m: spring.force\n", (const char *const[]){"measures.m=spring.length", NULL});
  cr_expect_float_eq(value(&r, "m"), 5, 1e-15);
  reading_free(&r);
  expect_refused_with(TWO_BODIES "  m: spring.force\n", "measures.n=1",
                      "--set measures.n: error: there is no measure 'n'\n1\n^\nknown: m");
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

/* The measure stands in line 13. */
#define REFUSED(name, line, column, message, caret, fix)                                                               \
  Test(measures, name) {                                                                                               \
    expect_refused(TWO_BODIES line "\n", "text.yaml:13:" #column ": error: " message "\n" line "\n" caret "^" fix);    \
  }

#define TWO_BLANKS "  "
#define FIVE_BLANKS "     "

REFUSED(unknown_quantity, "  m: sprung.force", 6, "unknown quantity 'sprung.force'", FIVE_BLANKS,
        "\ndid you mean 'spring.force'?")
REFUSED(unknown_name, "  measure: 1 + mesure", 16, "unknown name 'mesure'", "               ",
        "\ndid you mean 'measure'?")
REFUSED(an_element_without_quantity, "  m: spring", 6, "'spring' has more than one quantity: name one of them",
        FIVE_BLANKS, "\n'spring' offers force, length, rate, acceleration, stretch, fx, fy, power, loss, potential")
REFUSED(hyphens, "  m: 2*a-spring.torque", 6, "the name 'a-spring' contains '-', which expressions read as minus",
        FIVE_BLANKS, "\nadd a measure 'NAME: a-spring.torque', and write NAME here")
REFUSED(itself, "  m: 1 + m", 6, "measures refer to each other in a circle: m -> m", FIVE_BLANKS,
        "\nwrite one of them without the others")
REFUSED(a_name_with_a_hyphen, "  a-b: 1", 3, "'a-b' is not a name", TWO_BLANKS,
        "\nuse letters, digits and _, the first one not a digit")
REFUSED(the_name_of_a_parameter, "  L: 1", 3,
        "'L' is a parameter already, so that expressions could not refer to the measure", TWO_BLANKS,
        "\nchoose another name")
REFUSED(the_name_of_the_time, "  t: 1", 3, "'t' is a function, a constant or the time and cannot be a measure",
        TWO_BLANKS, "\nchoose another name")
REFUSED(the_name_of_a_body, "  two: 1", 3,
        "measure 'two': the name is taken: names are unique among bodies, joints, forces and measures", TWO_BLANKS, "")
REFUSED(the_name_of_energies, "  energy: {set: [one]}", 3,
        "measure 'energy': 'time' and 'energy' are reserved: choose another name", TWO_BLANKS, "")
REFUSED(a_list, "  m: [1]", 6, "measure 'm' must be an expression or a map, but is a list", FIVE_BLANKS,
        "\nwrite \"spring.force + 1\" or {point: P, body: NAME}")
REFUSED(nothing, "  m: {unit: N}", 3, "measure 'm' does not say what it measures", TWO_BLANKS,
        "\nadd 'expression', 'point', 'distance', 'set' or 'reaction'")
REFUSED(two_things, "  m: {point: P, set: [one]}", 17, "measure 'm' has both 'point' and 'set'", "                ",
        "\nwrite two measures")
REFUSED(a_key_of_another_kind, "  m: {set: [one], unit: N}", 19, "measure 'm' takes no 'unit' beside 'set'",
        "                  ", "\nremove it")
REFUSED(a_point_without_body, "  m: {point: P}", 3, "measure 'm' needs 'body'", TWO_BLANKS,
        "\nadd 'body: NAME', the body on which the point is fixed")
REFUSED(a_body_twice, "  m: {point: {one: [1, 2]}, body: one}", 29,
        "'body' in measure 'm' cannot stand beside places that name their bodies", "                            ",
        "\nremove this key, or write places without the names of bodies")
REFUSED(a_distance_of_one_point, "  m: {distance: [P], bodies: [one, two]}", 17,
        "'distance' in measure 'm' must be two points", "                ",
        "\nwrite [P, Q]: P on the first body, Q on the second; each a point or [x, y]")
REFUSED(a_distance_on_one_body, "  m: {distance: [P, Q], bodies: [one]}", 33,
        "'bodies' in measure 'm' must be a list of two names", "                                ",
        "\nwrite [NAME, NAME]")
REFUSED(an_unknown_joint, "  m: {reaction: pim}", 17, "unknown joint 'pim' in measure 'm'", "                ",
        "\ndid you mean 'pin'?")
REFUSED(unknown_axes, "  m: {reaction: pin, axes: three}", 28, "unknown body 'three' in measure 'm'",
        "                           ", "\ngive it under 'bodies:'")
REFUSED(a_body_twice_in_a_set, "  m: {set: [one, one]}", 18, "measure 'm' lists 'one' twice", "                 ",
        "\nkeep one of the two")
REFUSED(an_unknown_statistic, "  m: {expression: 1, over_run: [meam]}", 33, "unknown entry 'meam' in measure 'm'",
        "                                ", "\ndid you mean 'mean'?")
REFUSED(another_unit_than_the_quantitys, "  m: {expression: spring.force, unit: kN}", 39,
        "measure 'm' must have the unit 'N', that of 'spring.force', but 'unit' is 'kN'",
        "                                      ", "\nwrite '0.001*spring.force' to convert it, or leave out 'unit'")
REFUSED(another_unit_than_seconds, "  m: {expression: t, unit: min}", 28,
        "measure 'm' must have the unit 's', that of 't', but 'unit' is 'min'", "                           ",
        "\nwrite 'FACTOR*t' to convert it, or leave out 'unit'")
REFUSED(another_unit_without_prefix, "  m: {expression: spring.force, unit: lbf}", 39,
        "measure 'm' must have the unit 'N', that of 'spring.force', but 'unit' is 'lbf'",
        "                                      ", "\nwrite 'FACTOR*spring.force' to convert it, or leave out 'unit'")
REFUSED(a_wrong_expression, "  m: spring.force +", 20,
        "expected a number, a name or '(', found the end of the expression", "                   ", "")
