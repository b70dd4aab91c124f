/* The slider-crank whose small end has a clearance, from the catalogue, against a program of its own (rod and slider on
 * a crank that turns evenly: two coordinates, one contact), and against compliant contacts as their stiffness grows. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/event_driven.h"
#include "tests/support/model_run.h"

static const double crank = 0.05;
static const double rod = 0.12;
static const double m_rod = 0.21;
static const double j_rod = 2.5e-4;
static const double m_slider = 0.14;
static const double bearing = 0.01;
static const double clearance = 5e-4;
static const double g = 9.81;

static double speed(void) { return 5000 * 2 * acos(-1) / 60; }

static double dot(const double a[2], const double b[2]) { return a[0] * b[0] + a[1] * b[1]; }

/* q = (angle of the rod, place of the slider). With the way e from the bearing's centre to the journal's, u = e/|e| and
 * t = u turned to the left: gap = c - |e|, slip = t · ė - R β'. */
static void equations_of(const event_run *s, event_equations *to) {
  const double w = speed();
  const double crank_pin[2] = {crank * cos(w * s->t), crank * sin(w * s->t)};
  const double pin_rate[2] = {-w * crank_pin[1], w * crank_pin[0]};
  const double along[2] = {cos(s->q[0]), sin(s->q[0])};
  const double across[2] = {-along[1], along[0]};
  const double e[2] = {s->q[1] - crank_pin[0] - rod * along[0], -crank_pin[1] - rod * along[1]};
  const double length = hypot(e[0], e[1]);
  const double u[2] = {length > 0 ? e[0] / length : 1, length > 0 ? e[1] / length : 0};
  const double t[2] = {-u[1], u[0]};
  const double by_angle[2] = {-rod * across[0], -rod * across[1]};
  const double rate[2] = {by_angle[0] * s->v[0] + s->v[1] - pin_rate[0], by_angle[1] * s->v[0] - pin_rate[1]};
  double second[2];
  for (int i = 0; i < 2; i++)
    second[i] = w * w * crank_pin[i] + rod * s->v[0] * s->v[0] * along[i];
  const double turn = length > 0 ? dot(t, rate) / length : 0;
  *to = (event_equations){
      .M = {{j_rod + m_rod * rod * rod / 4, 0}, {0, m_slider}},
      .h = {m_rod * rod / 2 * (w * w * dot(across, crank_pin) - g * along[0]), 0},
      .gap = {clearance - length},
      .J = {{-dot(u, by_angle), -u[0]}, {dot(t, by_angle) - bearing, t[0]}},
      .drift = {dot(u, pin_rate), -dot(t, pin_rate)},
      .convection = {-dot(u, second) - turn * dot(t, rate), dot(t, second) - turn * dot(u, rate)},
  };
}

static event_run begin(void) {
  event_run s = {.equations = equations_of,
                 .n = 2,
                 .n_contacts = 1,
                 .mu = 0.05,
                 .restitution = {0.9},
                 .mass = 0.1,
                 .length = 0.1,
                 .is_angle = {true, false},
                 .step = 5e-7,
                 .q = {0, crank + rod},
                 .v = {-speed() * crank / rod, 0},
                 .mode = {EVENT_OPEN}};
  return s;
}

static model_run begin_file(const char *const *overrides) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "erk";
  options.order = 8;
  options.rtol = options.atol = 1e-13;
  return model_run_begin(seam_catalogue_text("slider_crank_clearance"), overrides, &options, INFINITY);
}

/* Through 24 impacts alone; then bounces accumulate, which a rule ends whose details are not those of the program. */
Test(clearance, the_file_moves_as_the_program_does) {
  model_run run = begin_file(NULL);
  event_run s = begin();
  const double before = model_run_energy(&run);
  for (int k = 1; k <= 48; k++) {
    const bool accumulates = k > 8;
    event_advance(&s, 5e-4 * k);
    model_run_reach(&run, 5e-4 * k);
    const double *q = run.state->q;
    const double *v = run.state->v;
    const mbs_energy e = mbs_energy_of(run.ws, run.state);
    cr_expect_float_eq(q[5], s.q[0], accumulates ? 2e-5 : 1e-11, "t = %g: %g", s.t, q[5] - s.q[0]);
    cr_expect_float_eq(q[6], s.q[1], accumulates ? 2e-6 : 1e-12, "t = %g: %g", s.t, q[6] - s.q[1]);
    cr_expect_float_eq(v[5], s.v[0], accumulates ? 0.2 : 1e-7, "t = %g: %g", s.t, v[5] - s.v[0]);
    cr_expect_float_eq(v[6], s.v[1], accumulates ? 0.02 : 1e-8, "t = %g: %g", s.t, v[6] - s.v[1]);
    cr_expect_float_eq(e.total + e.dissipated - e.driven, before, 1e-8 * before);
  }
  cr_expect_gt(s.n_impacts, 60);
  model_run_end(&run);
}

static double slider_at(double t, const char *keys) {
  char override[300];
  snprintf(override, sizeof override,
           "forces.small_end={type: contact, bodies: [rod, slider], at: [Q, Q], radii: [R, r], inside: true, %s}",
           keys);
  model_run run = begin_file((const char *const[]){override, NULL});
  model_run_reach(&run, t);
  const double x = run.state->q[6];
  model_run_end(&run);
  return x;
}

/* Two impacts without friction and loss: what differs falls with the time of contact, k^(-2/5). */
Test(clearance, a_compliant_bearing_comes_to_the_hard_one) {
  const double hard = slider_at(5e-4, "hard: true, restitution: 1");
  const double soft[2] = {slider_at(5e-4, "stiffness: 1e14") - hard, slider_at(5e-4, "stiffness: 1e16") - hard};
  cr_expect_gt(fabs(soft[0]), 1e-9);
  cr_expect_float_eq(-log(soft[1] / soft[0]) / log(100), 0.4, 0.02, "%.12g, %.12g", soft[0], soft[1]);
}

/* Pin and bearing begin at the same centre, where the gap has no direction. */
Test(clearance, circles_with_one_centre_are_apart_by_the_clearance) {
  model_run run = begin_file(NULL);
  cr_expect_float_eq(run.state->q[3] + rod / 2 * cos(run.state->q[5]), run.state->q[6], 1e-15);
  cr_expect(isfinite(run.state->a[6]));
  model_run_reach(&run, 1e-5);
  cr_expect_eq(mbs_energy_of(run.ws, run.state).dissipated, 0);
  model_run_end(&run);
}

#define HOLE(KEYS)                                                                                                     \
  "seam: 1\nbodies: {pin: {mass: 1, inertia: 1}}\n"                                                                    \
  "forces: {c: {type: contact, bodies: [ground, pin], at: [[0, 0], [0, 0]],\n"                                         \
  "  hard: true, " KEYS "}}\n"

Test(clearance, holes_that_cannot_be_are_refused) {
  expect_refused(HOLE("line: [1, 0], inside: true"),
                 "text.yaml:4:29: error: 'inside' in force 'c' has no effect without 'radii'\n"
                 "  hard: true, line: [1, 0], inside: true}}\n"
                 "                            ^\n"
                 "remove 'inside'; the side of a curve is given by 'side'");
  expect_refused(HOLE("radii: [1, 2], inside: true"),
                 "text.yaml:3:10: error: contact 'c': a circle of radius 2 m does not fit into the "
                 "hole of radius 1 m: make the circle smaller\n"
                 "forces: {c: {type: contact, bodies: [ground, pin], at: [[0, 0], [0, 0]],\n"
                 "         ^");
}

/* Where the slip stops, friction lets it go back by 1e-6 m/s only, for 2e-7 s. */
Test(clearance, it_runs_at_any_tolerance) {
  static const double rtols[] = {1e-6, 1e-7, 1e-8, 3e-9, 1e-11};
  for (size_t i = 0; i < sizeof rtols / sizeof *rtols; i++) {
    char rtol[64];
    snprintf(rtol, sizeof rtol, "simulate.rtol=%g", rtols[i]);
    model_run run = model_run_of_entry("slider_crank_clearance", (const char *const[]){rtol, NULL});
    model_run_reach(&run, 0.048);
    model_run_end(&run);
  }
}
