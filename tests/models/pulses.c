/* Pulses that are far shorter than a step, of time and in the motion: what they give follows from a closed form.
 *
 *   F(t) = P exp(-((t - t0)/w)²)            m v = P w sqrt(pi)
 *   F(x) = -P exp(-((x - x0)/w)²)           m v²/2 = m v0²/2 - P w sqrt(pi) */
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

Test(pulses, of_time) {
  static const double area[] = {1.7724538509055161, 2}; /* of exp(-x²), of 1/cosh(x)² */
  for (int i = 0; i < 2; i++)
    for (double w = 1e-2; w > 1e-7; w /= 100)
      for (int k = 0; k < N_METHODS; k++) {
        char law[80];
        snprintf(law, sizeof law, i == 0 ? "100*exp(-((t - 5.03)/%g)^2)" : "100/cosh((t - 5.03)/%g)^2", w);
        const double v = speed_after(law, "0", methods[k]), right = 100 * w * area[i];
        cr_expect_float_eq(v, right, 1e-4 * right, "%s, %s: %.9g, not %.9g", law, methods[k], v, right);
      }
}

Test(pulses, of_a_place) {
  for (double w = 1e-2; w > 1e-7; w /= 100)
    for (int k = 0; k < N_METHODS; k++) {
      char law[80];
      snprintf(law, sizeof law, "-%.17g*exp(-((a.x - 30.037)/%g)^2)", 0.2 / w, w);
      const double v = speed_after(law, "10", methods[k]), right = sqrt(100 - 0.4 * 1.7724538509055161);
      cr_expect_float_eq(v, right, 1e-4 * (10 - right), "%s, %s: %.9g, not %.9g", law, methods[k], v, right);
    }
}
