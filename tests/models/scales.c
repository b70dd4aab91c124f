/* The scales of a problem follow units, and nothing else of how a mechanism is written down. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/equations.h>

#include "tests/support/model_run.h"

/* Units of a twin, its frame, and whether its bodies and elements come in the other order. */
typedef struct frame {
  double length, mass, time, angle, shift[2], velocity[2];
  bool is_mirrored, is_reversed;
} frame;

static const frame plain = {.length = 1, .mass = 1, .time = 1};

static const double *at(const frame *f, double x, double y, double place[2]) {
  const double sign = f->is_mirrored ? -1 : 1;
  place[0] = f->length * (cos(f->angle) * x - sin(f->angle) * sign * y) + f->shift[0];
  place[1] = f->length * (sin(f->angle) * x + cos(f->angle) * sign * y) + f->shift[1];
  return place;
}

static mbs_scales scales_of_text(const char *text, double *nominal) {
  seam_model_file *file = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_model_file_parse("twin", text, strlen(text), NULL, 0, &file, &error), SEAM_OK, "%s\n%s",
               error.message, text);
  const mbs_model *model = seam_model_mechanism(file);
  const mbs_scales scales = mbs_scales_of(model);
  if (nominal != NULL)
    *nominal = mbs_state_of(model, 0).nominal;
  seam_model_file_destroy(file);
  return scales;
}

/* A pendulum with a spring on its tip and a body that slides along a line; a state that follows it. */
static mbs_scales scales_of(const frame *f, double *nominal) {
  char text[4000];
  double P[4][2];
  double g[2];
  const double force = f->mass * f->length / (f->time * f->time);
  const frame turned = {.length = f->length / (f->time * f->time), .angle = f->angle, .is_mirrored = f->is_mirrored};
  at(f, 0, 0, P[0]);
  at(f, 3, 0, P[1]);
  at(f, 3, 4, P[2]);
  at(&turned, 0, -10, g);
  const int first = f->is_reversed;
  const char *name[2] = {first ? "z" : "a", first ? "b" : "y"};
  char body[2][400];
  snprintf(body[first], sizeof body[0], "  %s: {rod: [[%.17g, %.17g], [%.17g, %.17g]], mass: %.17g}\n", name[0],
           P[0][0], P[0][1], P[1][0], P[1][1], 2 * f->mass);
  snprintf(body[1 - first], sizeof body[0], "  %s: {mass: %.17g, inertia: %.17g, at: [%.17g, %.17g]}\n", name[1],
           5 * f->mass, f->mass * f->length * f->length, P[2][0], P[2][1]);
  snprintf(
      text, sizeof text,
      "seam: 1\ngravity: [%.17g, %.17g]\nbodies:\n%s%sjoints:\n  A: {type: revolute, bodies: [ground, %s], at: "
      "[%.17g, %.17g]}\nforces:\n  s: {type: spring_damper, bodies: [%s, %s], at: [[%.17g, %.17g], [%.17g, "
      "%.17g]], stiffness: %.17g, length: %.17g}\n  stop: {type: stop, bodies: [ground, %s], of: angle, lower: -9, "
      "upper: 9, hard: true}\nequations:\n  ode: {states: {q: 0}, rates: {q: %.17g}}\n"
      "simulate: {end: %.17g}\n",
      g[0], g[1], body[0], body[1], name[0], P[0][0], P[0][1], name[0], name[1], P[1][0], P[1][1], P[2][0], P[2][1],
      200 * force / f->length, 3.5 * f->length, name[0], 7 / f->time, 10 * f->time);
  return scales_of_text(text, nominal);
}

static void expect_ratio(double is, double plain_one, double unit, const char *what) {
  cr_expect_float_eq(is / (plain_one * unit), 1, 1e-9, "%s: %.15g is not %.15g times %g", what, is, plain_one, unit);
}

Test(scales, follow_units_and_nothing_else) {
  static const frame twins[] = {
      {.length = 1e-6, .mass = 1e9, .time = 1e6},
      {.length = 1e6, .mass = 1e-12, .time = 1e-9},
      {.length = 1, .mass = 1, .time = 1, .angle = 2.5, .shift = {4e4, -3e4}, .is_mirrored = true},
      {.length = 1e-3, .mass = 1, .time = 1, .is_reversed = true},
  };
  double nominal = 0;
  double of_twin = 0;
  const mbs_scales one = scales_of(&plain, &nominal);
  cr_expect_float_eq(one.length, 4, 1e-12, "the spring is the longest distance");
  cr_expect_float_eq(one.mass, 5, 1e-12);
  cr_expect_float_eq(one.speed, sqrt((200 * 0.5 + 5 * 10) * 4 / 5), 1e-12, "of the spring's pull");
  for (size_t i = 0; i < sizeof twins / sizeof *twins; i++) {
    const frame *f = &twins[i];
    const mbs_scales twin = scales_of(f, &of_twin);
    expect_ratio(twin.length, one.length, f->length, "length");
    expect_ratio(twin.mass, one.mass, f->mass, "mass");
    expect_ratio(twin.time, one.time, f->time, "time");
    expect_ratio(twin.speed, one.speed, f->length / f->time, "speed");
    expect_ratio(twin.force, one.force, f->mass * f->length / f->time / f->time, "force");
    expect_ratio(twin.energy, one.energy, f->mass * f->length * f->length / f->time / f->time, "energy");
    expect_ratio(of_twin, nominal, 1, "state");
  }
}

Test(scales, do_not_see_a_common_velocity) {
  static const char *const text =
      "seam: 1\nbodies:\n  a: {mass: 1, inertia: 1, at: [%g, 0], velocity: [%g, 0.5]}\n"
      "  b: {mass: 3, inertia: 1, at: [%g, 0], velocity: [%g, 0]}\nforces:\n"
      "  s: {type: bushing, bodies: [a, b], at: [%g, 0], stiffness: [1, 1, 1], damping: [0, 0, 0]}\n"
      "simulate: {end: 1}\n";
  char own[1000];
  snprintf(own, sizeof own, text, 0., 0., 2., 0., 1.);
  const mbs_scales one = scales_of_text(own, NULL);
  snprintf(own, sizeof own, text, 1e4, 300., 1e4 + 2, 300., 1e4 + 1);
  const mbs_scales other = scales_of_text(own, NULL);
  cr_expect_float_eq(one.speed, 0.375, 1e-12, "relative to the centre of mass");
  expect_ratio(other.speed, one.speed, 1, "speed");
}

Test(scales, are_never_zero) {
  const mbs_scales free = scales_of_text(
      "seam: 1\nbodies: {a: {mass: 2, inertia: 0.5, at: [7, 8], velocity: [3, 0]}}\nsimulate: {end: 5}\n", NULL);
  cr_expect_float_eq(free.length, 0.5, 1e-15, "its radius of gyration");
  cr_expect_float_eq(free.speed, 0.1, 1e-15, "nothing moves relative to another: the length in the run");
  cr_expect_float_eq(free.time, 5, 1e-14);
  cr_expect(isnan(mbs_scales_of(NULL).length));
}

/* A definition comes before the start, and the start before samples of the run. */
Test(scales, of_states_are_given_or_found) {
  double nominal = 0;
  const char *const text =
      "seam: 1\ngravity: [0, -4]\nbodies: {a: {rod: [[0, 0], [1, 0]], mass: 1}}\njoints:\n  A: {type: "
      "revolute, bodies: [ground, a], at: [0, 0]}\nequations:\n  ode: {states: {q: %s}, rates: {q: "
      "%s}%s}\nsimulate: {end: 5}\n";
  static const struct {
    const char *start, *rate, *more;
    double nominal;
  } cases[] = {{"3e-12", "0*t", "", 3e-12},
               {"0", "1e-9 + 0*t", "", 0},
               {"0", "0*t", "", 1},
               {"0", "1e3*(2e-15 - q)", "", 2e-15},
               {"0", "sin(t)", ", nominal: {q: 2e-6}", 2e-6}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char own[1000];
    snprintf(own, sizeof own, text, cases[i].start, cases[i].rate, cases[i].more);
    const mbs_scales scales = scales_of_text(own, &nominal);
    const double expected = cases[i].nominal > 0 ? cases[i].nominal : 1e-9 * scales.time;
    cr_expect_float_eq(nominal / expected, 1, 1e-12, "case %zu: %g", i, nominal);
  }
}

/* Nothing at the start but rounding: whatever drives the state later says its size, to the order of it. */
Test(scales, of_states_are_sampled_over_the_run) {
  const char *const text =
      "seam: 1\nbodies: {a: {mass: 1, inertia: 1, at: [0, 0]}}\nforces: {f: {type: force, body: a, at: [0, 0], x: 2, "
      "y: "
      "0}}\nequations:\n  ode: {states: {p: 0, q: 0}, rates: {p: q - p, q: \"1e3*(%s - q)\"}}\nsimulate: {end: 8}\n";
  static const char *const drives[] = {"1e-15*sin(2*pi*t)", "1e-15*sin(2*pi*t + pi)", "1e-15*a.vx",
                                       "1e-15*max(t - 1, 0)"};
  for (size_t i = 0; i < sizeof drives / sizeof *drives; i++) {
    char own[1000];
    double nominal = 0;
    snprintf(own, sizeof own, text, drives[i]);
    scales_of_text(own, &nominal);
    cr_expect(nominal > 1e-18 && nominal < 1e-14, "%s: %g", drives[i], nominal);
  }
}

/* Those of all files of the catalogue are of their size. */
Test(scales, of_the_catalogue) {
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const mbs_scales s = scales_of_text(seam_catalogue_text(seam_catalogue_name(i)), NULL);
    printf("%-26s %9.3g m %9.3g kg %9.3g s %9.3g m/s %9.3g N %9.3g J\n", seam_catalogue_name(i), s.length, s.mass,
           s.time, s.speed, s.force, s.energy);
    cr_expect(s.length >= 1e-3 && s.length < 30 && s.time > 1e-4 && s.time < 30, "%s", seam_catalogue_name(i));
  }
}

/* ---- Runs ---- */

static const char closed[] = "seam: 2\nparameters: {L: 1, M: 1, T: 1}\ngravity: [0, -9.81*L/T^2]\n"
                             "points: {A: [0, 0], B: [0.3*L, 0.4*L], C: [1.2*L, 0.7*L], D: [L, 0]}\n"
                             "bodies:\n  a: {rod: [A, B], mass: M, rate: 4/T}\n  b: {rod: [B, C], mass: 2*M}\n"
                             "  c: {rod: [C, D], mass: 1.5*M}\n"
                             "joints:\n  A: {type: revolute, bodies: [ground, a], at: A}\n"
                             "  B: {type: revolute, bodies: [a, b], at: B}\n"
                             "  C: {type: revolute, bodies: [b, c], at: C}\n"
                             "  D: {type: revolute, bodies: [c, ground], at: D}\n";

/* Projection ended at 1e-15 m, of four-bars of a micrometre too: cvode needed ten times as many steps and failed. */
Test(scales, are_all_that_a_closed_loop_knows_of_units) {
  static const struct {
    const char *name;
    double agrees; /* rad: ida's corrector amplifies round-off */
  } methods[] = {{"erk", 1e-9}, {"radau", 1e-9}, {"cvode", 1e-9}, {"ida", 1e-4}};
  static const struct {
    const char *overrides[4];
    double time;
  } units[] = {{{NULL}, 1},
               {{"parameters.L=1e-9", NULL}, 1},
               {{"parameters.L=1e-6", "parameters.M=1e-12", "parameters.T=1e-6", NULL}, 1e-6},
               {{"parameters.L=1e4", "parameters.M=1e9", "parameters.T=1e3", NULL}, 1e3}};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = methods[i].name;
    double angle = 0;
    double steps = 0;
    for (size_t k = 0; k < sizeof units / sizeof *units; k++) {
      model_run run = model_run_begin(closed, units[k].overrides, &options, NAN);
      model_run_reach(&run, 2 * units[k].time);
      const double found = model_run_read(&run, "a.phi");
      const double taken = (double)mbs_integrator_statistics(run.integrator).steps;
      cr_expect(k == 0 || fabs(found - angle) < methods[i].agrees, "%s, units %zu: %.15g for %.15g", methods[i].name, k,
                found, angle);
      cr_expect(k == 0 || fabs(taken - steps) < 0.1 * steps, "%s, units %zu: %g for %g steps", methods[i].name, k,
                taken, steps);
      angle = k == 0 ? found : angle;
      steps = k == 0 ? taken : steps;
      model_run_end(&run);
    }
  }
}
