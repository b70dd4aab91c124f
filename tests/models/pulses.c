/* Pulses that are far shorter than a step, of time and in the motion. A pulse p(u) with the integral A gives
 *
 *   F(t) = P p((t - t0)/w)            m v = P w A
 *   F(x) = -P p((x - x0)/w)           m v²/2 = m v0²/2 - P w A */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "tests/support/model_run.h"

static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
enum { N_METHODS = sizeof methods / sizeof *methods };

static double speed_after(const char *force, const char *velocity, const char *method) {
  char text[400];
  snprintf(text, sizeof text,
           "seam: 1\nname: pulse\nbodies: {a: {mass: 1, inertia: 1, velocity: [%s, 0]}}\n"
           "forces: {f: {type: force, body: a, x: \"%s\"}}\nsimulate: {end: 10}\n",
           velocity, force);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  model_run run = model_run_begin(text, NULL, &options, 10);
  model_run_reach(&run, 10);
  const double speed = model_run_read(&run, "a.vx");
  model_run_end(&run);
  return speed;
}

/* Pulses of u, a few units wide, with their integrals; %s is u. */
static const struct {
  const char *law;
  double area;
} pulses[] = {{"exp(-(%s)^2)", 1.7724538509055161},
              {"1/cosh(%s)^2", 2},
              {"e^(-(%s)^2)", 1.7724538509055161},
              {"0.5^((%s)^2)", 2.1289340388624525},
              {"1/exp((%s)^2)", 1.7724538509055161},
              {"(10^((%s)^2))^(-1)", 1.168065218145734},
              {"1/(1 + sinh(%s)^2)", 2}};
enum { N_PULSES = sizeof pulses / sizeof *pulses };

static void write_pulse(char law[120], int number, double height, const char *of, double at, double width) {
  char u[60];
  snprintf(u, sizeof u, "(%s - %g)/%g", of, at, width);
  const int n = snprintf(law, 120, "%.17g*", height);
  snprintf(law + n, 120 - (size_t)n, pulses[number].law, u);
}

Test(pulses, of_time) {
  for (int i = 0; i < N_PULSES; i++)
    for (double w = 1e-2; w > 1e-7; w /= 100)
      for (int k = 0; k < N_METHODS; k++) {
        char law[120];
        write_pulse(law, i, 100, "t", 5.03, w);
        const double v = speed_after(law, "0", methods[k]), right = 100 * w * pulses[i].area;
        cr_expect_float_eq(v, right, 1e-4 * right + 2e-8, "%s, %s: %.9g, not %.9g", law, methods[k], v, right);
      }
}

Test(pulses, of_a_place) {
  for (int i = 0; i < N_PULSES; i++)
    for (double w = 1e-2; w > 1e-7; w /= 100)
      for (int k = 0; k < N_METHODS; k++) {
        char law[120];
        write_pulse(law, i, -0.2 / w, "a.x", 30.037, w);
        const double v = speed_after(law, "10", methods[k]), right = sqrt(100 - 0.4 * pulses[i].area);
        cr_expect_float_eq(v, right, 1e-4 * (10 - right), "%s, %s: %.9g, not %.9g", law, methods[k], v, right);
      }
}
