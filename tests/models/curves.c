/* Curves in model files: signed distances, joints and contacts on them in closed form, and what is refused with which
 * message. */
#include <seam/curves.h>

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/model_run.h"
#include "tests/support/random.h"

static const double pi = 3.14159265358979323846;

#define BODY "bodies: {b: {mass: 1, inertia: 1}}\nsimulate: {end: 1}\n"
#define CURVE(KEYS) "seam: 1\ncurves: {c: {" KEYS "}}\n" BODY

/* ---- Distances ---- */

typedef void check(const mbs_model *model, const double place[2]);

static void at_random_places(const char *text, double reach, check *expect) {
  seam_model_file *file = read_model(text, NULL);
  uint64_t seed = 1;
  for (int i = 0; i < 200; i++) {
    const double place[2] = {random_between(&seed, -reach, reach), random_between(&seed, -reach, reach)};
    expect(seam_model_mechanism(file), place);
  }
  seam_model_file_destroy(file);
}

static void expect_circle(const mbs_model *model, const double place[2]) {
  double s = 0;
  const double distance = mbs_curve_distance(model, 0, place, &s);
  const double angle = atan2(place[1], place[0]);
  cr_expect_float_eq(distance, 2 - hypot(place[0], place[1]), 1e-14);
  cr_expect_float_eq(remainder(s - angle, 2 * pi), 0, 1e-12);
}

Test(curves, the_distance_from_a_circle_is_exact) {
  at_random_places(CURVE("x: 2*cos(s), y: 2*sin(s), from: 0, to: 2*pi, closed: true"), 5, expect_circle);
  at_random_places(CURVE("polar: 2"), 5, expect_circle);
}

/* Of the rectangle |x| < 2, |y| < 1, clockwise: its inside is on the right. */
static void expect_rectangle(const mbs_model *model, const double place[2]) {
  const double x = fabs(place[0]) - 2;
  const double y = fabs(place[1]) - 1;
  const double outside = hypot(fmax(x, 0), fmax(y, 0));
  const double distance = mbs_curve_distance(model, 0, place, NULL);
  cr_expect_float_eq(distance, outside > 0 ? outside : fmax(x, y), 1e-14, "(%g, %g)", place[0], place[1]);
}

Test(curves, the_distance_from_a_rectangle_has_the_sign_of_the_side) {
  at_random_places(CURVE("points: [[2, 1], [2, -1], [-2, -1], [-2, 1]], closed: true"), 4, expect_rectangle);
}

/* The nearest of many points: the search misses no other arm of the curve. */
static void expect_nearest(const mbs_model *model, const double place[2]) {
  enum { n = 4000 };
  double least = INFINITY;
  double range[2];
  mbs_curve_range(model, 0, range);
  for (int i = 0; i <= n; i++) {
    double p[2];
    mbs_curve_at(model, 0, range[0] + (range[1] - range[0]) * i / n, p, NULL, NULL, NULL);
    least = fmin(least, hypot(p[0] - place[0], p[1] - place[1]));
  }
  const double distance = fabs(mbs_curve_distance(model, 0, place, NULL));
  cr_expect(distance <= least * (1 + 1e-12) && distance > least - 1e-3, "(%g, %g): %.12g, nearest of points %.12g",
            place[0], place[1], distance, least);
}

Test(curves, the_nearest_point_is_that_of_the_whole_curve) {
  at_random_places(CURVE("polar: 1 + 0.6*cos(5*angle)"), 2, expect_nearest);
  at_random_places(CURVE("x: s*cos(6*s), y: s*sin(6*s), from: 0.2, to: 2"), 2.5, expect_nearest);
  at_random_places(CURVE("points: [[0, 0], [1, 1], [2, 0], [1.2, 0.2], [1, -1]], closed: true, interpolation: spline"),
                   2.5, expect_nearest);
}

/* On the short axis of an ellipse, as near to its middle as rounding allows: one branch is nearer by twice that. */
static void expect_branch(const mbs_model *model, double place) {
  const double y[2] = {0, place};
  double s = 0;
  cr_expect_float_eq(fabs(mbs_curve_distance(model, 0, y, &s)), 1 - fabs(place), 1e-15);
  cr_expect_float_eq(sin(s), place > 0 ? 1 : -1, 1e-12, "y = %g: s = %g", place, s);
}

Test(curves, of_two_branches_the_nearer_one_is_taken) {
  seam_model_file *file = read_model(CURVE("x: 2*cos(s), y: sin(s), from: 0, to: 2*pi, closed: true"), NULL);
  for (int k = 1; k <= 14; k++)
    for (int side = -1; side <= 1; side += 2)
      expect_branch(seam_model_mechanism(file), side * pow(10, -k));
  seam_model_file_destroy(file);
}

Test(curves, derivatives_are_those_of_the_expressions) {
  seam_model_file *file = read_model(CURVE("x: exp(s/2), y: sin(3*s), from: -1, to: 2"), NULL);
  for (int i = 0; i <= 30; i++) {
    const double s = -1 + 0.1 * i;
    double p[4][2];
    mbs_curve_at(seam_model_mechanism(file), 0, s, p[0], p[1], p[2], p[3]);
    for (int k = 0; k < 4; k++) {
      cr_expect_float_eq(p[k][0], pow(0.5, k) * exp(s / 2), k < 3 ? 1e-14 : 1e-9);
      cr_expect_float_eq(p[k][1], pow(3, k) * sin(3 * s + k * pi / 2), k < 3 ? 1e-13 : 1e-8);
    }
  }
  seam_model_file_destroy(file);
}

/* ---- The curve joint ---- */

#define CAM(CURVE)                                                                                                     \
  "seam: 1\nparameters: {ec: 0.02, R: 0.05, roller: 0.01, w: 20}\n"                                                    \
  "curves: {disc: {" CURVE "}}\n"                                                                                      \
  "bodies: {cam: {mass: 1, inertia: 0.05, at: [0, 0]}, follower: {mass: 0.5, inertia: 1e-3, at: [0, 0.06]}}\n"         \
  "joints:\n"                                                                                                          \
  "  shaft: {type: revolute, bodies: [ground, cam], at: [0, 0]}\n"                                                     \
  "  drive: {type: motor, bodies: [ground, cam], angle: w*t}\n"                                                        \
  "  guide: {type: prismatic, bodies: [ground, follower], at: [0, 0], axis: [0, 1]}\n"                                 \
  "  track: {type: curve, bodies: [cam, follower], curve: disc, at: {follower: [0, 0]}, radius: roller}\n"             \
  "simulate: {end: 1}\n"

/* The centre of the roller is R + roller away from that of an eccentric disc: place, velocity and acceleration. */
static void expect_eccentric(const char *text, const char *method, double tolerance) {
  model_run run = model_run_by(text, method);
  const double e = 0.02;
  const double l = 0.06;
  const double w = 20;
  for (int i = 1; i <= 20; i++) {
    model_run_reach(&run, 0.05 * i);
    const double angle = w * 0.05 * i;
    const double root = sqrt(l * l - e * e * cos(angle) * cos(angle));
    const double slope = e * cos(angle) + e * e * sin(2 * angle) / (2 * root);
    const double bend = -e * sin(angle) + e * e * cos(2 * angle) / root -
                        pow(e, 4) * sin(2 * angle) * sin(2 * angle) / (4 * pow(root, 3));
    cr_expect_float_eq(run.state->q[4], e * sin(angle) + root, tolerance, "%s: %g", method,
                       run.state->q[4] - e * sin(angle) - root);
    cr_expect_float_eq(run.state->v[4], w * slope, 100 * tolerance, "%s: %g", method, run.state->v[4] - w * slope);
    cr_expect_float_eq(run.state->a[4], w * w * bend, 1e4 * tolerance, "%s: %g", method,
                       run.state->a[4] - w * w * bend);
  }
  model_run_end(&run);
}

Test(curves, the_follower_of_an_eccentric_disc_moves_as_it_must) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  for (int i = 0; i < 4; i++)
    expect_eccentric(CAM("x: ec + R*cos(s), y: R*sin(s), from: 0, to: 2*pi, closed: true"), methods[i], 1e-10);
  expect_eccentric(CAM("polar: \"ec*cos(angle) + sqrt(R^2 - ec^2*sin(angle)^2)\""), "erk", 1e-12);
}

/* A bead on a cycloid swings with the period 4π √(a/g), however far ([Huygens]). */
Test(curves, a_bead_on_a_cycloid_has_one_period) {
  static const double starts[] = {0.1, 1, 2.5};
  for (int i = 0; i < 3; i++) {
    char text[600];
    const double s = starts[i];
    snprintf(text, sizeof text,
             "seam: 1\ngravity: [0, -9.81]\n"
             "curves: {bowl: {x: 0.3*(s + sin(s)), y: 0.3*(1 - cos(s)), from: -3, to: 3}}\n"
             "bodies: {bead: {mass: 2, inertia: 1, at: [%.17g, %.17g]}}\n"
             "joints: {track: {type: curve, bodies: [ground, bead], curve: bowl, at: {bead: [0, 0]}}}\n"
             "simulate: {end: 1}\n",
             0.3 * (s + sin(s)), 0.3 * (1 - cos(s)));
    model_run run = model_run_by(text, "erk");
    model_run_reach(&run, pi * sqrt(0.3 / 9.81));
    cr_expect_float_eq(run.state->q[0], 0, 1e-9, "from %g: %g m", s, run.state->q[0]);
    model_run_reach(&run, 4 * pi * sqrt(0.3 / 9.81));
    cr_expect_float_eq(run.state->q[0], 0.3 * (s + sin(s)), 1e-9, "from %g: %g m", s, run.state->q[0]);
    model_run_end(&run);
  }
}

#define TRACK(CURVE, JOINT, BODY_KEYS)                                                                                 \
  "seam: 1\ncurves: {road: {" CURVE "}}\nbodies: {bead: {mass: 2, inertia: 1, " BODY_KEYS "}}\njoints:\n"              \
  "  track: {type: curve, bodies: [ground, bead], curve: road, at: [0, 0]" JOINT "}\nsimulate: {end: 5}\n"

Test(curves, leaving_the_end_of_an_open_curve_ends_the_run_there) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode", "rk4"};
  for (int i = 0; i < 5; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[i];
    options.step = i == 4 ? 1e-3 : 0;
    model_run run = model_run_begin(TRACK("points: [[-1, 0], [2, 0]]", "", "at: [0, 0], velocity: [1.6, 0]"), NULL,
                                    &options, INFINITY);
    model_run_advance(&run, 5);
    cr_expect_eq(run.status, SEAM_NOT_FINITE, "%s: %d", methods[i], run.status);
    cr_expect_float_eq(run.state->t, 1.25, i == 4 ? 1e-3 : 1e-6, "%s: %.9g s", methods[i], run.state->t);
    cr_expect(strstr(run.error.message, "joint 'track' is not finite: its point has passed an end of its open curve") !=
                  NULL,
              "%s", run.error.message);
    model_run_end(&run);
  }
}

/* ---- Rolling ---- */

/* A wheel rolls down a slope along (0.8, -0.6), its centre on the left or on the right of the axis: the acceleration is
 * g sin α/(1 + J/(m r²)), and the ground holds it with m g cos α across and the rest along. */
static void expect_rolling(double side) {
  char text[600];
  snprintf(text, sizeof text,
           "seam: 1\ngravity: [0, -10]\nbodies: {wheel: {mass: 2, inertia: 0.16, at: [0.24, 0.32]}}\n"
           "joints: {track: {type: rolling, bodies: [ground, wheel], at: [[-0.8, 0.6], [0.24, 0.32]],\n"
           "  axis: [%g, %g], radius: %g}}\nsimulate: {end: 1}\n",
           side * 0.8, side * -0.6, side * 0.4);
  model_run run = model_run_by(text, "erk");
  const double a = 10 * 0.6 / (1 + 0.16 / (2 * 0.16));
  model_run_reach(&run, 2);
  cr_expect_float_eq(run.state->q[0], 0.24 + 0.8 * 2 * a, 1e-10);
  cr_expect_float_eq(run.state->q[1], 0.32 - 0.6 * 2 * a, 1e-10);
  cr_expect_float_eq(run.state->q[2], -2 * a / 0.4, 1e-10);
  cr_expect_float_eq(run.state->lambda[0], -side * 2 * 10 * 0.8, 1e-10);
  cr_expect_float_eq(run.state->lambda[1], side * (2 * 10 * 0.6 - 2 * a), 1e-10);
  model_run_end(&run);
}

Test(curves, a_wheel_rolls_down_a_slope_without_slip) {
  expect_rolling(1);
  expect_rolling(-1);
}

/* ---- Contact ---- */

#define PRESSED(SHAPE)                                                                                                 \
  "seam: 1\ngravity: [1, -9.81]\n"                                                                                     \
  "curves:\n"                                                                                                          \
  "  rim: {x: 0.5*cos(s), y: 0.5*sin(s), from: 0, to: 2*pi, closed: true}\n"                                           \
  "  floor: {points: [[3, 0], [-3, 0]]}\n"                                                                             \
  "bodies:\n"                                                                                                          \
  "  drum: {mass: 3, inertia: 0.4, at: [0, 0], rate: 2}\n"                                                             \
  "  ball: {mass: 1, inertia: 0.02, at: [0.1, 0.75], angle: 0.3, velocity: [0.2, 0]}\n"                                \
  "joints: {axle: {type: revolute, bodies: [ground, drum], at: [0.05, 0]}}\n"                                          \
  "forces: {c: {type: contact, " SHAPE ", stiffness: 1e4, damping: 0.3, friction: 0.4, slip_speed: 0.01}}\n"           \
  "simulate: {end: 1}\n"

static void expect_same_motion(const char *one, const char *other, double t) {
  model_run a = model_run_by(one, "erk");
  model_run b = model_run_by(other, "erk");
  model_run_reach(&a, t);
  model_run_reach(&b, t);
  for (int i = 0; i < 6; i++) {
    cr_expect_float_eq(a.state->q[i], b.state->q[i], 1e-9, "q[%d]: %g", i, a.state->q[i] - b.state->q[i]);
    cr_expect_float_eq(a.state->v[i], b.state->v[i], 1e-8, "v[%d]: %g", i, a.state->v[i] - b.state->v[i]);
  }
  model_run_end(&a);
  model_run_end(&b);
}

Test(curves, curves_that_are_circles_and_lines_act_as_these) {
  expect_same_motion(PRESSED("bodies: [ground, ball], at: {ball: [0, 0]}, curve: floor, side: right, radius: 0.76"),
                     PRESSED("bodies: [ground, ball], at: [[0, 0], [0.1, 0.75]], line: [1, 0], radius: 0.76"), 0.5);
  expect_same_motion(PRESSED("bodies: [drum, ball], at: {ball: [0, 0]}, curve: rim, radius: 0.26"),
                     PRESSED("bodies: [drum, ball], at: [[0, 0], [0.1, 0.75]], radii: [0.5, 0.26]"), 0.5);
}

/* A ball falls into a round bowl: it stays inside, and no energy is lost but what is said. */
Test(curves, a_ball_in_a_bowl_keeps_its_energy) {
  model_run run =
      model_run_by("seam: 1\ngravity: [0, -9.81]\n"
                   "curves: {bowl: {x: cos(s), y: sin(s), from: 0, to: 2*pi, closed: true}}\n"
                   "bodies: {ball: {mass: 1, inertia: 0.01, at: [0.4, 0]}}\n"
                   "forces: {c: {type: contact, bodies: [ground, ball], curve: bowl, side: inside, radius: 0.1,\n"
                   "  at: {ball: [0, 0]}, stiffness: 1e5, exponent: 1.5}}\n"
                   "simulate: {end: 5}\n",
                   "erk");
  for (int i = 1; i <= 50; i++) {
    model_run_reach(&run, 0.1 * i);
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(e.total, 0, 1e-6, "%g s: %g J", 0.1 * i, e.total);
    cr_expect_lt(hypot(run.state->q[0], run.state->q[1]), 0.94);
  }
  model_run_end(&run);
}

/* ---- Polygons ---- */

/* Corners of each of two boxes meet the edges of the other one; the upper one may lie askew, or be pushed over the
 * edge. */
#define BOXES(PLACE)                                                                                                   \
  "seam: 1\ngravity: [0, -10]\n"                                                                                       \
  "curves:\n"                                                                                                          \
  "  lower: {points: [[-1, -0.5], [1, -0.5], [1, 0.5], [-1, 0.5]], closed: true}\n"                                    \
  "  upper: {points: [[-0.4, -0.3], [0.4, -0.3], [0.4, 0.3], [-0.4, 0.3]], closed: true}\n"                            \
  "bodies: {b: {mass: 3, inertia: 0.25, " PLACE "}}\n"                                                                 \
  "repeat:\n"                                                                                                          \
  "  - for: {i: [0, 3]}\n"                                                                                             \
  "    forces:\n"                                                                                                      \
  "      \"c{i}\": {type: contact, bodies: [ground, b], curve: lower, stiffness: 1e6, exponent: 1, damping: 2,\n"      \
  "        friction: 0.3, slip_speed: 1e-3, at: {b: [\"0.4*(1 - 2*floor(i/2))\", \"0.3*(2*(i - 2*floor(i/2)) - "       \
  "1)\"]}}\n"                                                                                                          \
  "      \"d{i}\": {type: contact, bodies: [b, ground], curve: upper, stiffness: 1e6, exponent: 1, damping: 2,\n"      \
  "        at: [\"1 - 2*floor(i/2)\", \"(i - 2*floor(i/2)) - 0.5\"]}\n"                                                \
  "simulate: {end: 1}\n"

static double force_of(const model_run *run, const char *name) {
  double wrench[3];
  const size_t force = mbs_find_force(seam_model_mechanism(run->file), name);
  cr_assert_neq(force, SEAM_NONE, "%s", name);
  mbs_force_wrench(run->ws, run->state, force, wrench);
  return -wrench[1];
}

Test(curves, a_box_on_a_box_rests_on_two_corners) {
  model_run run = model_run_by(BOXES("at: [0.2, 0.82]"), "erk");
  model_run_reach(&run, 4);
  cr_expect_float_eq(run.state->q[1], 0.8 - 15 / 1e6, 1e-9, "%g", run.state->q[1] - 0.8);
  cr_expect_float_eq(run.state->q[2], 0, 1e-9);
  cr_expect_float_eq(force_of(&run, "c0"), 15, 1e-3);
  cr_expect_float_eq(force_of(&run, "c2"), 15, 1e-3);
  model_run_end(&run);
}

/* Its centre is beyond the edge, on which its lower side tips. */
Test(curves, a_box_pushed_over_the_edge_falls) {
  model_run run = model_run_by(BOXES("at: [1.1, 0.8]"), "erk");
  model_run_reach(&run, 1);
  cr_expect_lt(run.state->q[2], -0.5);
  cr_expect_lt(run.state->q[1], 0.5);
  model_run_end(&run);
}

/* ---- Geneva drive ---- */

/* Of the wheel at a time, by the path of the pin where it is in a slot; *is_driven: there. */
static double wheel_angle(double t, bool *is_driven) {
  const double turns = floor(t + 1e-9);
  const double from_line = remainder(pi + 2 * pi * (t - turns), 2 * pi);
  const double path = atan2(0.1 * sin(from_line), 0.1 * sqrt(2) - 0.1 * cos(from_line));
  const double before = t - turns < 0.5 - 1e-9 ? turns : turns + 1;
  *is_driven = fabs(from_line) < 0.7;
  return *is_driven ? -pi / 2 * turns - pi / 4 - path : -pi / 2 * before;
}

/* A quarter of a turn for each turn of the crank; in between the wheel is held, but for the clearance. */
Test(curves, the_wheel_indexes_by_a_quarter_turn) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-7;
  model_run run = model_run_begin(seam_catalogue_text("geneva"), NULL, &options, INFINITY);
  for (int i = 1; i <= 40; i++) {
    bool is_driven;
    model_run_reach(&run, 0.05 * i);
    const double wanted = wheel_angle(0.05 * i, &is_driven);
    cr_expect_float_eq(run.state->q[5], wanted, 3e-3, "%g s: %g instead of %g", 0.05 * i, run.state->q[5], wanted);
  }
  cr_expect_float_eq(run.state->q[5], -pi, 1e-3, "%g", run.state->q[5] + pi);
  const mbs_energy e = mbs_energy_of(run.ws, run.state);
  cr_expect_float_eq(e.total + e.dissipated - e.driven, pow(2 * pi, 2) * 1e-3 / 2, 1e-5);
  model_run_end(&run);
}

/* Corners of the lock meet the disc where Newton's iteration ends in rounding: radau gave up inside of its step. */
Test(curves, steps_of_round_off_do_not_end_the_geneva_drive) {
  static const char *const stiffness[] = {"parameters.k=5e8", "parameters.k=8e8"};
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "radau";
  for (int k = 0; k < 2; k++) {
    const char *const overrides[] = {stiffness[k], "parameters.e0=0.3", NULL};
    model_run run = model_run_begin(seam_catalogue_text("geneva"), overrides, &options, 0.8);
    model_run_reach(&run, 0.8);
    model_run_end(&run);
  }
}

/* The catalogue's, with hard contacts: corners of the wheel lie on the disc from both sides at the start. */
static model_run start_hard_geneva(const char *restitution) {
  const char *const law = "stiffness: k, restitution: e0, impact_speed: 0.01";
  static char text[8000];
  const char *from = seam_catalogue_text("geneva");
  size_t n = 0;
  for (const char *at = strstr(from, law); at != NULL; at = strstr(from, law)) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%.*shard: true, restitution: %s", (int)(at - from), from,
                          restitution);
    from = at + strlen(law);
  }
  snprintf(text + n, sizeof text - n, "%s", from);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = options.atol = 1e-10;
  return model_run_begin(text, NULL, &options, INFINITY);
}

/* The clearance of 20 µm is an angle of 2e-5/l, l from the wheel's axle to the pin. */
Test(curves, hard_contacts_follow_the_path_of_the_pin_within_the_clearance) {
  static const char *const restitution[] = {"0", "0.2"};
  for (int k = 0; k < 2; k++) {
    model_run run = start_hard_geneva(restitution[k]);
    const double before = pow(2 * pi, 2) * 1e-3 / 2;
    for (int i = 1; i <= 200; i++) {
      bool is_driven;
      model_run_reach(&run, 0.01 * i);
      const double wanted = wheel_angle(0.01 * i, &is_driven);
      const double arm = hypot(0.1 * sqrt(2) + 0.1 * cos(2 * pi * 0.01 * i), 0.1 * sin(2 * pi * 0.01 * i));
      cr_expect_float_eq(run.state->q[5], wanted, is_driven ? 2.1e-5 / arm : 5e-3, "%g s: %g instead of %g", 0.01 * i,
                         run.state->q[5], wanted);
      cr_expect_lt(model_run_imbalance(&run, before), 1e-8);
    }
    cr_expect_float_eq(run.state->q[5], -pi, 1e-3, "%g", run.state->q[5] + pi);
    model_run_end(&run);
  }
}

static double apart_from_hard(const char *stiffness) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.rtol = 1e-9;
  model_run soft =
      model_run_begin(seam_catalogue_text("geneva"), (const char *const[]){stiffness, NULL}, &options, INFINITY);
  model_run hard = start_hard_geneva("0.2");
  double apart = 0;
  for (int i = 40; i <= 60; i++) {
    model_run_reach(&soft, 0.01 * i);
    model_run_reach(&hard, 0.01 * i);
    apart = fmax(apart, fabs(soft.state->q[5] - hard.state->q[5]));
  }
  model_run_end(&soft);
  model_run_end(&hard);
  return apart;
}

/* They sink in by less the stiffer they are. */
Test(curves, compliant_contacts_come_near_hard_ones_as_they_grow_stiffer) {
  const double apart[] = {apart_from_hard("parameters.k=1e5"), apart_from_hard("parameters.k=1e7"),
                          apart_from_hard("parameters.k=1e9")};
  cr_expect_lt(apart[1], apart[0] / 5, "%g, %g, %g", apart[0], apart[1], apart[2]);
  cr_expect_lt(apart[2], apart[1] / 5, "%g, %g, %g", apart[0], apart[1], apart[2]);
}

/* ---- What is refused ---- */

static void expect_refused_curve(const char *keys, const char *words) {
  char text[600];
  seam_model_file *file = NULL;
  seam_error error = {0};
  snprintf(text, sizeof text, "seam: 1\ncurves:\n  c: {%s}\n" BODY, keys);
  cr_expect_eq(seam_model_file_parse("text.yaml", text, strlen(text), NULL, 0, &file, &error), SEAM_BAD_INPUT, "%s",
               keys);
  cr_expect(strstr(error.message, words) != NULL, "%s instead of %s", error.message, words);
  cr_expect(strstr(error.message, "text.yaml:3:") != NULL, "%s", error.message);
}

Test(curves, curves_that_cannot_be) {
  expect_refused_curve("x: s", "curve 'c' needs 'x' and 'y'");
  expect_refused_curve("x: s, y: s", "curve 'c' needs 'from' and 'to'");
  expect_refused_curve("x: s, y: s, from: 1, to: 1", "its range from 1 to 1 must grow");
  expect_refused_curve("x: s^2, y: s^2, from: -1, to: 1", "has no direction at s = ");
  expect_refused_curve("x: 1/s, y: s, from: 0, to: 1", "is not finite at s = 0");
  expect_refused_curve("x: sin(s), y: sin(2*s), from: 0, to: 2*pi, closed: true", "crosses itself at s = ");
  expect_refused_curve("x: cos(s), y: sin(s), from: 0, to: 6, closed: true", "does not close: it ends 0.28");
  expect_refused_curve("polar: 'if(angle < 1, 1, 2)'", "curve 'c' jumps by 1 m at s = 1");
  expect_refused_curve("points: [[0, 0]]", "curve 'c' needs 2 points, but has 1");
  expect_refused_curve("points: [[0, 0], [1, 1], [1, 1]]", "has point 2 twice");
  expect_refused_curve("points: [[0, 0], [1, 1]], polar: 1",
                       "'polar' of curve 'c' has no effect beside its other keys");
  expect_refused_curve("polar: 1, from: 0", "needs both 'from' and 'to', or neither of them");
}

Test(curves, joints_and_contacts_on_them) {
  expect_refused(TRACK("points: [[-1, 0], [2, 0]]", ", side: inside", ""),
                 "text.yaml:5:3: error: joint 'track': curve 'road' is open and has no inside: take its left or right\n"
                 "  track: {type: curve, bodies: [ground, bead], curve: road, at: [0, 0], side: inside}\n"
                 "  ^");
  expect_refused(TRACK("points: [[-1, 0], [0, 0], [2, 1]]", "", ""),
                 "text.yaml:5:3: error: joint 'track': curve 'road' has a corner at s = 1, where its direction jumps: "
                 "round the corner\n  track: {type: curve, bodies: [ground, bead], curve: road, at: [0, 0]}\n  ^");
  expect_refused(TRACK("x: s, y: s^2, from: -1, to: 1", ", radius: 0.5", ""),
                 "text.yaml:5:3: error: joint 'track': the radius 0.5 is not below the radius of curvature 0.5 of "
                 "curve 'road' at s = 0, so the circle would touch twice: take a smaller radius\n  track: {type: "
                 "curve, bodies: [ground, bead], curve: road, at: [0, 0], radius: 0.5}\n  ^");
}
