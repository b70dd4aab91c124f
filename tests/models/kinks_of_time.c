/* Laws of time with kinks and jumps, by every integrator, against exact solutions. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "tests/support/model_run.h"
#include "tests/support/random.h"

/* ---- A run ---- */

static const struct {
  const char *method;
  int order;
  double step;
  double error; /* relative, that the method may make */
} methods[] = {{"erk", 8, 0, 1e-8},    {"erk", 5, 0, 1e-7},    {"erk", 4, 0, 1e-7},
               {"radau", 8, 0, 1e-7},  {"ida", 8, 0, 1e-6},    {"cvode", 8, 0, 1e-6},
               {"rk4", 8, 1e-3, 1e-8}, {"erk", 8, 2e-3, 1e-8}, {"radau", 8, 2e-3, 1e-8}};
enum { n_methods = sizeof methods / sizeof *methods };

typedef struct run {
  seam_model_file *file;
  const mbs_model *model;
  mbs_workspace *ws;
  mbs_state *state;
  mbs_integrator *integrator;
  seam_error error;
} run;

static run start(const char *text, int method) {
  run r = {.file = read_model(text, NULL)};
  r.model = seam_model_mechanism(r.file);
  mbs_integrator_options options = seam_model_simulation(r.file)->integrator;
  options.rtol = 1e-9;
  options.atol = 1e-11;
  options.method = methods[method].method;
  options.order = methods[method].order;
  options.step = methods[method].step;
  cr_assert_eq(mbs_workspace_create(r.model, &r.ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(r.model, &r.state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(r.ws, r.state, NULL, NULL, &r.error), SEAM_OK, "%s", r.error.message);
  cr_assert_eq(mbs_integrator_create(r.model, &options, &r.integrator, &r.error), SEAM_OK, "%s", r.error.message);
  cr_assert_eq(mbs_integrator_start(r.integrator, r.state, &r.error), SEAM_OK, "%s", r.error.message);
  mbs_integrator_set_stop(r.integrator, seam_model_simulation(r.file)->end);
  return r;
}

static void finish(run *r) {
  mbs_integrator_destroy(r->integrator);
  mbs_state_destroy(r->state);
  mbs_workspace_destroy(r->ws);
  seam_model_file_destroy(r->file);
}

static void advance(run *r, double t) {
  cr_assert_eq(mbs_integrator_advance(r->integrator, t, r->state, &r->error), SEAM_OK, "%s", r->error.message);
}

static double balance(run *r) {
  const mbs_energy e = mbs_energy_of(r->ws, r->state);
  return e.total + e.dissipated - e.driven;
}

static void expect_close(double value, double exact, double size, int method, const char *what) {
  cr_expect_float_eq(value, exact, methods[method].error * fmax(1, size), "%s %d, step %g: %s %.12g, not %.12g",
                     methods[method].method, methods[method].order, methods[method].step, what, value, exact);
}

/* ---- Random forces: polynomials between random times, with jumps ---- */

enum { n_pieces = 6 };

typedef struct pieces {
  double begin[n_pieces + 1]; /* and the end */
  double c[n_pieces][3];      /* of (t - begin)^k */
} pieces;

static pieces random_pieces(uint64_t *seed, double end) {
  pieces p = {.begin = {0}};
  for (int i = 0; i < n_pieces; i++) {
    const double part = random_below(seed, 3) == 0 ? 1e-3 : random_between(seed, 0.05, 2);
    p.begin[i + 1] = p.begin[i] + part * end / (2 * n_pieces);
    const bool rests = random_below(seed, 2) == 0;
    for (int k = 0; k < 3; k++)
      p.c[i][k] = rests ? 0 : random_between(seed, -1, 1) / part;
  }
  p.begin[n_pieces] = end;
  return p;
}

static void write_pieces(const pieces *p, char *text, size_t size) {
  size_t used = 0;
  for (int i = 0; i < n_pieces; i++) {
    const double *c = p->c[i];
    if (i + 1 < n_pieces)
      used += (size_t)snprintf(text + used, size - used, "if(t < %.17g, ", p->begin[i + 1]);
    used += (size_t)snprintf(text + used, size - used, "%.17g + (t - %.17g)*(%.17g + (t - %.17g)*(%.17g))%s", c[0],
                             p->begin[i], c[1], p->begin[i], c[2], i + 1 < n_pieces ? ", " : "");
  }
  for (int i = 0; i + 1 < n_pieces; i++)
    used += (size_t)snprintf(text + used, size - used, ")");
}

/* x and v of a unit mass from rest. */
static void integrate_pieces(const pieces *p, double x[2], double *largest) {
  x[0] = x[1] = *largest = 0;
  for (int i = 0; i < n_pieces; i++) {
    const double h = p->begin[i + 1] - p->begin[i];
    const double *c = p->c[i];
    x[0] += h * (x[1] + h * (c[0] / 2 + h * (c[1] / 6 + h * c[2] / 12)));
    x[1] += h * (c[0] + h * (c[1] / 2 + h * c[2] / 3));
    *largest = fmax(*largest, fmax(fabs(x[0]), fabs(x[1])));
  }
}

Test(kinks_of_time, random_forces_act_as_their_integrals) {
  uint64_t seed = 1;
  for (int trial = 0; trial < 8; trial++) {
    const pieces p = random_pieces(&seed, 10);
    const int along = trial % 2;
    char law[2048];
    char text[4096];
    double exact[2];
    double largest = 0;
    write_pieces(&p, law, sizeof law);
    integrate_pieces(&p, exact, &largest);
    snprintf(text, sizeof text,
             "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
             "forces: {p: {type: force, body: a, %c: \"%s\"}}\nsimulate: {end: 10}\n",
             "xy"[along], law);
    for (int k = 0; k < n_methods; k++) {
      run r = start(text, k);
      advance(&r, 10);
      expect_close(r.state->q[along], exact[0], largest, k, "place");
      expect_close(r.state->v[along], exact[1], largest, k, "velocity");
      finish(&r);
    }
  }
}

/* ---- Random drivers: broken lines ---- */

/* Motion of b on a spring of 10 N/m to a, which a driver moves along a broken line: about a's motion b oscillates. */
static void follow_line(const double *begin, const double *speed, double x[2]) {
  const double w = sqrt(10);
  double a = 0;
  for (int i = 0; i < n_pieces; i++) {
    const double h = begin[i + 1] - begin[i];
    const double s = x[0] - 1 - a;
    const double u = x[1] - speed[i];
    a += speed[i] * h;
    x[0] = 1 + a + s * cos(w * h) + u / w * sin(w * h);
    x[1] = speed[i] - s * w * sin(w * h) + u * cos(w * h);
  }
}

/* Σ of ramps that begin at the corners. */
static void write_line(const double *begin, const double *speed, char *text, size_t size) {
  size_t used = 0;
  double before = 0;
  for (int i = 0; i < n_pieces; i++) {
    used += (size_t)snprintf(text + used, size - used, " + (%.17g)*max(0, t - %.17g)", speed[i] - before, begin[i]);
    before = speed[i];
  }
}

Test(kinks_of_time, drivers_along_random_broken_lines) {
  uint64_t seed = 2;
  for (int trial = 0; trial < 5; trial++) {
    double begin[n_pieces + 1] = {0};
    double speed[n_pieces];
    char law[1024];
    char text[2048];
    double exact[2] = {1, 0};
    for (int i = 0; i < n_pieces; i++) {
      begin[i + 1] = begin[i] + random_between(&seed, 0.1, 1.5);
      speed[i] = i == 0 || random_below(&seed, 3) == 0 ? 0 : random_between(&seed, -2, 2);
    }
    begin[n_pieces] = 10;
    write_line(begin, speed, law, sizeof law);
    follow_line(begin, speed, exact);
    snprintf(text, sizeof text,
             "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
             "joints: {m: {type: motion, of: x, body: a, law: \"0%s\"}}\n"
             "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10}}\n"
             "simulate: {end: 10}\n",
             law);
    for (int k = 0; k < n_methods; k++) {
      run r = start(text, k);
      advance(&r, 10);
      expect_close(r.state->q[3], exact[0], 10, k, "x");
      expect_close(r.state->v[3], exact[1], 10, k, "v");
      expect_close(balance(&r), 0, 100, k, "energy");
      finish(&r);
    }
  }
}

/* A crank that a driver starts and stops: the impulse moves the whole linkage, its work is all of the energy. */
static const char *const started_pendulum =
    "seam: 1\nname: m\npoints: {A: [0, 0], B: [1, 0], C: [1, 1]}\n"
    "bodies: {crank: {rod: [A, B], mass: 3}, tip: {rod: [B, C], mass: 3}}\n"
    "joints:\n  A: {type: revolute, bodies: [ground, crank], at: A}\n  B: {type: revolute, bodies: [crank, tip], at: "
    "B}\n"
    "  m: {type: motion, of: angle, bodies: [ground, crank], law: \"if(t < 1, 0, 2*(t - 1))\"}\n"
    "simulate: {end: 1}\n";

/* The tip's rod is pushed at its end: its centre is at half its length m from there, its inertia about it is m/12. The
 * joint moves with (0, 2): along the rod, so that it does not turn; with the crank at right angles to it. */
Test(kinks_of_time, an_impulse_moves_the_whole_mechanism) {
  for (int k = 0; k < n_methods; k++) {
    run r = start(started_pendulum, k);
    advance(&r, 1);
    const double exact[6] = {0, 1, 2, 0, 2, 0};
    for (int i = 0; i < 6; i++)
      cr_expect_float_eq(r.state->v[i], exact[i], 1e-12, "%s: %d is %g", methods[k].method, i, r.state->v[i]);
    cr_expect_float_eq(mbs_energy_of(r.ws, r.state).kinetic, 3 * 1 / 2.0 + 0.25 * 4 / 2 + 3 * 4 / 2.0, 1e-12);
    cr_expect_float_eq(balance(&r), 0, 1e-12, "%s: %g", methods[k].method, balance(&r));
    finish(&r);
  }
}

/* ---- The side of a jump ---- */

/* A force that is infinite behind its end: no step before it may see it. */
Test(kinks_of_time, no_step_sees_the_other_side) {
  const char *text = "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
                     "forces: {p: {type: force, body: a, x: \"if(t < 2, 1, 1e200)\"}}\nsimulate: {end: 2}\n";
  for (int k = 0; k < n_methods; k++) {
    run r = start(text, k);
    mbs_integrator_set_stop(r.integrator, nextafter(2, 0));
    advance(&r, nextafter(2, 0));
    expect_close(r.state->v[0], 2, 2, k, "v");
    finish(&r);
  }
}

Test(kinks_of_time, a_state_at_a_kink_is_that_after_it) {
  for (int k = 0; k < n_methods; k++) {
    const char *text = "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
                       "forces: {p: {type: force, body: a, x: \"if(t < 2, 1, 5)\"}}\nsimulate: {end: 3}\n";
    run r = start(text, k);
    advance(&r, nextafter(2, 0));
    cr_expect_eq(r.state->a[0], 1);
    advance(&r, 2);
    cr_expect_eq(r.state->a[0], 5);
    expect_close(r.state->v[0], 2, 2, k, "v");
    finish(&r);
  }
}

/* On a row at the kink of abs, its rate is that on the side of the state, whichever sign its argument has. */
Test(kinks_of_time, rates_at_the_kink_of_abs_are_those_of_one_side) {
  static const char *const laws[] = {"abs(t - 2)", "abs(2 - t)", "-abs(t - 2)"};
  for (size_t i = 0; i < sizeof laws / sizeof *laws; i++)
    for (int k = 0; k < n_methods; k++) {
      char text[512];
      double gd = NAN;
      snprintf(text, sizeof text,
               "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
               "joints: {m: {type: motion, of: x, body: a, law: \"%s\"}}\nsimulate: {end: 3}\n",
               laws[i]);
      run r = start(text, k);
      advance(&r, 2);
      mbs_residuals(r.ws, r.state, NULL, &gd, NULL);
      cr_expect_float_eq(gd, 0, 1e-12, "%s, %s: %g", laws[i], methods[k].method, gd);
      cr_expect_float_eq(fabs(r.state->v[0]), 1, 1e-12);
      advance(&r, 3);
      mbs_residuals(r.ws, r.state, NULL, &gd, NULL);
      cr_expect_float_eq(gd, 0, 1e-12);
      finish(&r);
    }
}

/* Kinks of two laws that differ by rounding are one; a stop time beside a kink leaves no step that is too small. */
Test(kinks_of_time, kinks_beside_others_and_beside_the_stop) {
  const char *text = "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
                     "forces: {p: {type: force, body: a, x: \"if(t < 0.3, 0, 1)\"},\n"
                     "  q: {type: force, body: a, x: \"if(t < 0.1 + 0.2, 0, 1)\"}}\nsimulate: {end: 3}\n";
  const double stops[] = {nextafter(0.3, 0), 0.3, 0.1 + 0.2, nextafter(0.1 + 0.2, 1)};
  for (int k = 0; k < n_methods; k++)
    for (size_t i = 0; i < sizeof stops / sizeof *stops; i++) {
      run r = start(text, k);
      mbs_integrator_set_stop(r.integrator, stops[i]);
      advance(&r, stops[i]);
      mbs_integrator_set_stop(r.integrator, 1.3);
      advance(&r, 1.3);
      expect_close(r.state->v[0], 2, 2, k, "v");
      finish(&r);
    }
}

/* ---- Rows, images ---- */

static const char *const waves =
    "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
    "joints: {m: {type: motion, of: x, body: a, law: \"abs(sin(3*t)) - 0.2*abs(t - 2)\"}}\n"
    "forces:\n"
    "  k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10}\n"
    "  f: {type: force, body: b, x: \"floor(2*t)\", y: \"max(0, sin(7*t))\"}\n"
    "simulate: {end: 5}\n";

static bool same(const mbs_state *a, const mbs_state *b) {
  return a->t == b->t && memcmp(a->q, b->q, a->n_values * sizeof *a->q) == 0;
}

Test(kinks_of_time, times_asked_for_change_no_bit) {
  for (int k = 0; k < n_methods; k++) {
    run asked = start(waves, k);
    run unasked = start(waves, k);
    for (int i = 1; i <= 500; i++)
      advance(&asked, 0.01 * i);
    advance(&unasked, 5);
    cr_expect(same(asked.state, unasked.state), "%s, order %d", methods[k].method, methods[k].order);
    finish(&asked);
    finish(&unasked);
  }
}

/* Between kinks, at one, and one that is passed twice. */
Test(kinks_of_time, a_restored_run_repeats_to_the_bit) {
  for (int k = 0; k < n_methods; k++)
    for (int i = 1; i < 20; i += 3) {
      run r = start(waves, k);
      run other = start(waves, k);
      advance(&r, 0.25 * i);
      void *image = malloc(mbs_integrator_image_size(r.integrator));
      mbs_integrator_save(r.integrator, image);
      mbs_integrator_restore(r.integrator, image, mbs_integrator_image_size(r.integrator), NULL);
      advance(&r, 5);
      advance(&other, 1.7);
      cr_assert_eq(
          mbs_integrator_restore(other.integrator, image, mbs_integrator_image_size(r.integrator), &other.error),
          SEAM_OK, "%s", other.error.message);
      advance(&other, 5);
      cr_expect(same(r.state, other.state), "%s, order %d, %g s", methods[k].method, methods[k].order, 0.25 * i);
      free(image);
      finish(&r);
      finish(&other);
    }
}

/* ---- A road bump: kinks of the second rate only, in a stiff mechanism ---- */

static const char *const bump =
    "seam: 1\nname: qbump\ngravity: [0, -9.81]\n"
    "parameters: {ms: 300, mu: 40, ks: 18e3, kt: 180e3, A: 0.05, T: 0.05}\n"
    "points: {R: [0, 0], W: [0, 0.3], S: [0, 0.8]}\n"
    "bodies:\n  road: {mass: 1, inertia: 1, at: R}\n  wheel: {mass: mu, inertia: 1, at: W}\n"
    "  chassis: {mass: ms, inertia: 1, at: S}\n"
    "joints:\n  gr: {type: prismatic, bodies: [ground, road], at: R, axis: [0, 1]}\n"
    "  gw: {type: prismatic, bodies: [ground, wheel], at: W, axis: [0, 1]}\n"
    "  gs: {type: prismatic, bodies: [ground, chassis], at: S, axis: [0, 1]}\n"
    "  dr: {type: motion, of: y, body: road, law: \"if(t < 10, 0, if(t > 10 + T, 0, A*sin(pi*(t - 10)/T)^2))\"}\n"
    "forces:\n"
    "  tyre: {type: spring_damper, bodies: [road, wheel], at: [R, W], axis: [0, 1], length: 0.3 + (ms + mu)*9.81/kt, "
    "stiffness: kt}\n"
    "  susp: {type: spring_damper, bodies: [wheel, chassis], at: [W, S], axis: [0, 1], length: 0.5 + ms*9.81/ks, "
    "stiffness: ks, damping: 1200}\n"
    "simulate: {end: 15}\n";

/* Linear equations of wheel and chassis about their equilibrium, with the road's lift as input, by many small steps of
 * Runge's method that end where the bump does. */
static void ride(double t, double x[4]) {
  enum { n_steps = 20000 };
  const double borders[] = {10, 10.05, t};
  for (int k = 0; k < 4; k++)
    x[k] = 0;
  for (int part = 0; part < 2; part++) {
    const double h = (borders[part + 1] - borders[part]) / n_steps;
    for (int i = 0; i < n_steps; i++) {
      double slope[5][4] = {{0}};
      static const double at[4] = {0, 0.5, 0.5, 1};
      for (int s = 0; s < 4; s++) {
        double y[4];
        for (int k = 0; k < 4; k++)
          y[k] = x[k] + h * at[s] * slope[s][k];
        const double time = borders[part] + (i + at[s]) * h;
        const double lift = part == 0 ? 0.05 * pow(sin(acos(-1) * (time - 10) / 0.05), 2) : 0;
        const double pull = 18e3 * (y[1] - y[0]) + 1200 * (y[3] - y[2]);
        slope[s + 1][0] = y[2];
        slope[s + 1][1] = y[3];
        slope[s + 1][2] = (180e3 * (lift - y[0]) + pull) / 40;
        slope[s + 1][3] = -pull / 300;
      }
      for (int k = 0; k < 4; k++)
        x[k] += h / 6 * (slope[1][k] + 2 * slope[2][k] + 2 * slope[3][k] + slope[4][k]);
    }
  }
}

Test(kinks_of_time, a_road_bump_is_not_stepped_over) {
  double exact[4];
  ride(10.2, exact);
  cr_assert_gt(fabs(exact[1]), 1e-3);
  for (int k = 0; k < n_methods; k++) {
    run r = start(bump, k);
    advance(&r, 10.2);
    cr_expect_float_eq(r.state->q[4] - 0.3, exact[0], 1e-7, "%s: %g, not %g", methods[k].method, r.state->q[4] - 0.3,
                       exact[0]);
    cr_expect_float_eq(r.state->q[7] - 0.8, exact[1], 1e-7, "%s: %g, not %g", methods[k].method, r.state->q[7] - 0.8,
                       exact[1]);
    finish(&r);
  }
}

/* ---- Smooth pulses, which cannot be searched for ---- */

/* On a mass at rest, of the width that theory.md states: a hundredth of the run. */
Test(kinks_of_time, smooth_pulses_are_seen_with_the_usual_largest_step) {
  for (int trial = 0; trial < 20; trial++) {
    char text[512];
    const double middle = 3 + 0.0137 * trial;
    snprintf(text, sizeof text,
             "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
             "forces: {p: {type: force, body: a, x: \"exp(-((t - %g)/0.03)^2)/0.03/sqrt(pi)\"}}\nsimulate: {end: 10}\n",
             middle);
    for (int k = 0; k < n_methods; k++) {
      run r = start(text, k);
      advance(&r, 10);
      cr_expect_float_eq(r.state->v[0], 1, 1e-6, "%s %d, %g s: %.9g", methods[k].method, methods[k].order, middle,
                         r.state->v[0]);
      finish(&r);
    }
  }
}

/* ---- What is refused ---- */

Test(kinks_of_time, a_driver_that_jumps_ends_the_run) {
  const char *text =
      "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
      "joints: {m: {type: motion, of: x, body: a, law: \"if(t < 2, t, t + 0.5)\"}}\nsimulate: {end: 3}\n";
  for (int k = 0; k < n_methods; k++) {
    run r = start(text, k);
    cr_expect_eq(mbs_integrator_advance(r.integrator, 3, r.state, &r.error), SEAM_CONSTRAINT_LOST);
    cr_expect_str_eq(r.error.message,
                     "t = 2 s: joint 'm' cannot follow its law, which jumps by 0.5: replace the jump by a steep slope",
                     "%s", r.error.message);
    cr_expect_float_eq(r.state->q[0], 2, 1e-12);
    finish(&r);
  }
}

/* The argument is zero but for rounding, which decides its sign. */
Test(kinks_of_time, a_law_that_rounding_decides_ends_the_run) {
  const char *text = "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1}}\n"
                     "forces: {p: {type: force, body: a, x: \"abs(cos(t)^2 + sin(t)^2 - 1)\"}}\n"
                     "simulate: {end: 3}\n";
  for (int k = 0; k < n_methods; k += 3) {
    run r = start(text, k);
    cr_expect_eq(mbs_integrator_advance(r.integrator, 3, r.state, &r.error), SEAM_STEP_FAILED);
    cr_expect_not_null(strstr(r.error.message, "the law of force 'p' switches between its branches again and again"),
                       "%s", r.error.message);
    cr_expect_lt(r.state->t, 0.1);
    finish(&r);
  }
}

Test(kinks_of_time, the_stop_time_ends_every_method) {
  const char *text = "seam: 1\nname: m\nbodies: {a: {mass: 1, inertia: 1, velocity: [1, 0]}}\nsimulate: {end: 3}\n";
  for (int k = 0; k < n_methods; k++) {
    run r = start(text, k);
    mbs_integrator_set_stop(r.integrator, 0.3);
    cr_expect_eq(mbs_integrator_advance(r.integrator, 0.4, r.state, &r.error), SEAM_BAD_INPUT);
    cr_expect_str_eq(r.error.message, "t = 0.4 s is beyond the stop time 0.3 s: set a later one");
    cr_expect_eq(mbs_integrator_advance(r.integrator, NAN, r.state, &r.error), SEAM_BAD_INPUT);
    cr_expect_eq(mbs_integrator_advance(r.integrator, INFINITY, r.state, &r.error), SEAM_BAD_INPUT);
    advance(&r, 0.1 + 0.2); /* beyond it by rounding */
    cr_expect_eq(r.state->t, 0.3);
    expect_close(r.state->q[0], 0.3, 1, k, "x");
    mbs_integrator_set_stop(r.integrator, 3);
    advance(&r, 3);
    expect_close(r.state->q[0], 3, 1, k, "x");
    finish(&r);
  }
}

/* A driver that turns within 1e-4 s on a smooth way moves 2 (t - t0) (1 + 1) afterwards: the mass on the spring of 10
 * N/m follows x'' = 10 (u - x). What projection moves is error for cvode too. */
Test(kinks_of_time, a_corner_that_is_only_nearly_smooth_is_resolved_or_refused) {
  static const char text[] =
      "seam: 1\nbodies: {a: {mass: 1, inertia: 1}, b: {mass: 1, inertia: 1, at: [1, 0]}}\n"
      "joints: {m: {type: motion, of: x, body: a, law: \"2*(t-3.3)*(1+tanh((t-3.3)/1e-4))\"}}\n"
      "forces: {k: {type: spring_damper, bodies: [a, b], at: [[0, 0], [1, 0]], axis: [1, 0], stiffness: 10}}\n"
      "simulate: {end: 10}\n";
  static const char *const adaptive[] = {"erk", "radau", "ida", "cvode"};
  const double w = sqrt(10);
  const double exact = 1 + 4 * (6.7 - sin(w * 6.7) / w);
  for (size_t i = 0; i < sizeof adaptive / sizeof *adaptive; i++) {
    mbs_integrator_options options = mbs_default_integrator_options();
    options.method = adaptive[i];
    options.largest_step = 0.1;
    model_run r = model_run_begin(text, NULL, &options, NAN);
    model_run_advance(&r, 10);
    cr_expect(r.status != SEAM_OK || fabs(r.state->q[3] - exact) < 1e-4, "%s: %.9g instead of %.9g", adaptive[i],
              r.state->q[3], exact);
    model_run_end(&r);
  }
}
