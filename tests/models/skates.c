/* Skates: what is known of mechanisms with knife edges and wheels that do not slip sideways. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/cut_run.h"
#include "tests/support/model_reader.h"
#include "tests/support/model_run.h"

static const char *const methods[] = {"erk", "radau", "ida", "cvode", "rk4"};
enum { N_METHODS = sizeof methods / sizeof *methods };

static model_run begin(const char *text, int method, double rtol) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = methods[method];
  options.step = method == N_METHODS - 1 ? 1e-3 : 0;
  options.rtol = rtol;
  return model_run_begin(text, NULL, &options, NAN);
}

/* Chaplygin's sleigh: the edge is a behind the centre of mass. ω = ω0 / cosh θt, u = V tanh θt at the edge, with
 * V² = (J/m + a²) ω0² and θ = m a V/(J + m a²) ([Bloch], chapter 1). */
Test(skates, a_sleigh_turns_until_it_goes_straight) {
  static const char *const text =
      "seam: 1\nparameters: {a: 0.2, w: 3}\nbodies:\n"
      "  s: {mass: 2, inertia: 0.1, at: [a, 0], velocity: [0, a*w], rate: w}\n"
      "joints: {edge: {type: skate, body: s, at: [0, 0], axis: [1, 0]}}\nsimulate: {end: 2}\n";
  const double a = 0.2, m = 2, J = 0.1, w = 3;
  const double V = sqrt(J / m + a * a) * w, theta = m * a * V / (J + m * a * a);
  for (int k = 0; k < N_METHODS; k++) {
    model_run run = begin(text, k, 1e-10);
    model_run_reach(&run, 2);
    const double omega = w / cosh(2 * theta);
    cr_expect_float_eq(model_run_read(&run, "s.omega"), omega, 2e-7, "%s", methods[k]);
    cr_expect_float_eq(model_run_read(&run, "edge.speed"), V * tanh(2 * theta), 2e-7, "%s", methods[k]);
    /* m a_n + m a ω' across, of a body that turns with ω and goes with u */
    const double across = m * V * tanh(2 * theta) * omega - m * a * theta * tanh(2 * theta) * omega;
    cr_expect_float_eq(fabs(model_run_read(&run, "edge.f_across")), fabs(across), 1e-5, "%s", methods[k]);
    model_run_end(&run);
  }
}

/* A cart pulled along a circle of radius R at its front goes, in the end, on a circle of √(R² - l²) at its wheels. Both
 * wheels of its axle hold the same velocity: one of them is redundant. */
Test(skates, a_trailer_follows_on_the_smaller_circle) {
  static const char *const text =
      "seam: 1\nparameters: {R: 2, l: 1, w: 0.5}\nbodies:\n  arm: {mass: 1, inertia: 1, at: [0, 0], rate: w}\n"
      "  cart: {mass: 1, inertia: 0.2, at: [R, -l/2], velocity: [0, R*w]}\njoints:\n"
      "  O: {type: revolute, bodies: [ground, arm], at: [0, 0]}\n"
      "  M: {type: motion, of: angle, bodies: [ground, arm], law: w*t}\n"
      "  H: {type: revolute, bodies: [arm, cart], at: [R, 0]}\n"
      "  left: {type: skate, body: cart, at: [R - 0.3, -l], axis: [0, 1]}\n"
      "  right: {type: skate, body: cart, at: [R + 0.3, -l], axis: [0, 1]}\n"
      "simulate: {end: 40}\n";
  model_run run = begin(text, 0, 1e-9);
  mbs_assembly report;
  cr_assert_eq(mbs_assemble(run.ws, run.state, &report, NULL, NULL), SEAM_OK);
  cr_expect_eq(report.n_redundant, 1);
  model_run_reach(&run, 40);
  const double phi = model_run_read(&run, "cart.phi");
  const double x = model_run_read(&run, "cart.x") + 0.5 * sin(phi), y = model_run_read(&run, "cart.y") - 0.5 * cos(phi);
  cr_expect_float_eq(hypot(x, y), sqrt(3), 1e-7);
  model_run_end(&run);
}

/* Two sleighs that a spring joins, cut at it. */
Test(skates, parts_have_them) {
  static const char *const text =
      "seam: 1\nbodies:\n  a: {mass: 1, inertia: 0.1, at: [0, 0], velocity: [1, 0.4], rate: 2}\n"
      "  b: {mass: 1, inertia: 0.1, at: [1, 0], velocity: [1, 0]}\njoints:\n"
      "  A: {type: skate, body: a, at: [-0.2, 0], axis: [1, 0]}\n"
      "  B: {type: skate, body: b, at: [0.8, 0], axis: [1, 0]}\nforces:\n"
      "  s: {type: spring_damper, bodies: [a, b], at: [[0.1, 0], [0.9, 0.1]], stiffness: 50, damping: 1}\n"
      "simulate: {end: 1, rtol: 1e-10}\n"
      "cosim: {subsystems: {one: [a], two: [b]}, macro_step: 1e-3, scheme: ff-k2, rtol: 1e-10}\n";
  cut_run_expect_whole(text, 1e-3, 1000, 1e-6);
}

/* On a slope across its edge a sledge stays; along it, it goes to the spring's end, and swings about it. */
Test(skates, hold_sideways_at_rest) {
  static const char *const text =
      "seam: 1\ngravity: [1, -2]\nbodies: {s: {mass: 3, inertia: 1, at: [0, 0]}}\n"
      "joints: {edge: {type: skate, body: s, at: [0, 0], axis: [1, 0]}}\nforces:\n"
      "  k: {type: spring_damper, bodies: [ground, s], at: [[-1, 0], [0, 0]], axis: [1, 0], stiffness: 12}\n"
      "  c: {type: torsion, bodies: [ground, s], stiffness: 5, damping: 0}\nsimulate: {end: 1}\n";
  mbs_equilibrium found;
  model_run run = model_run_at_rest(text, NULL, &found);
  cr_expect_eq(found.degrees_of_freedom, 2);
  cr_expect_eq(found.n_neutral, 0);
  cr_expect_float_eq(model_run_read(&run, "s.x"), 0.25, 1e-9);
  cr_expect_float_eq(model_run_read(&run, "s.y"), 0, 1e-12);
  cr_expect_float_eq(fabs(model_run_read(&run, "edge.f_across")), 6, 1e-9);
  seam_modes *modes = NULL;
  seam_error error = {0};
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, &error), SEAM_OK, "%s",
               error.message);
  cr_assert_eq(modes->n, 2);
  cr_expect_float_eq(modes->mode[0].s[1], 2, 1e-9);       /* √(12/3) */
  cr_expect_float_eq(modes->mode[1].s[1], sqrt(5), 1e-9); /* √(5/1) */
  seam_modes_destroy(modes);
  model_run_end(&run);
}

Test(skates, what_holds_places_alone_is_refused) {
  static const char *const text = "seam: 1\nbodies: {s: {mass: 1, inertia: 1, velocity: [1, 0], rate: 1}}\n"
                                  "joints: {edge: {type: skate, body: s, at: [0, 0], axis: [1, 0]}}\n"
                                  "simulate: {end: 1}\n";
  seam_model_file *file = read_model(text, NULL);
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = "symplectic_euler";
  options.step = 1e-3;
  mbs_integrator *integrator = NULL;
  seam_error error = {0};
  cr_expect_eq(mbs_integrator_create(seam_model_mechanism(file), &options, &integrator, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "skate 'edge' constrains a velocity") != NULL, "%s", error.message);
  mbs_integrator_destroy(integrator);
  seam_model_file_destroy(file);
  model_run run = model_run_begin(text, NULL, NULL, NAN);
  seam_modes *modes = NULL;
  cr_expect_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, &error), SEAM_BAD_INPUT);
  cr_expect(strstr(error.message, "skate 'edge' moves") != NULL, "%s", error.message);
  seam_modes_destroy(modes);
  model_run_end(&run);
}
