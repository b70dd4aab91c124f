/* Andrews' squeezing mechanism against the reference solution of [IVP-Test-Set] at t = 0.03 s (PSIDE, tolerances 1e-14,
 * index 3). Integrations in the source's seven angles and in bodies, which agree to 1e-12 rad, are 1e-9 rad from its
 * beta: so near it is held. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "cosim/steps/simulation.h"
#include "tests/support/cosim_fixture.h"
#include "tests/support/model_run.h"

enum { n_angles = 7, n_forces = 6 };

static const double reference_angle[n_angles] = {0.1581077119629904e2, -0.1575637105984298e2, 0.4082224013073101e-1,
                                                 -0.5347301163226948,  0.5244099658805304,    0.5347301163226948,
                                                 0.1048080741042263e1};
static const double reference_rate[n_angles] = {0.1139920302151208e4, -0.1424379294994111e4, 0.1103291221937134e2,
                                                0.1929337464421385e2, 0.5735699284790808,    -0.1929337464421385e2,
                                                0.3231791658026955};
/* Multipliers of the joints of K2 with K3, K4 and K6, x and y; on K2 they act with the other sign. */
static const char *const joints[n_forces / 2] = {"J23", "J24", "J26"};
static const double reference_force[n_forces] = {0.1991753333731910e3, -0.2975531228015052e2, 0.2306654119098399e2,
                                                 0.3145271365475927e2, 0.2264249232082739e2,  0.1161740700019673e2};

/* Absolute angles or rates of K1 to K7 from the source's beta, Theta, gamma, Phi, delta, Omega, epsilon. */
static void absolute(const double y[n_angles], double of_body[n_angles]) {
  const double sums[n_angles] = {y[0], y[0] + y[1], y[2], y[3] + y[4], y[4], y[5] + y[6], y[6]};
  memcpy(of_body, sums, sizeof sums);
}

static void expect_motion(const char *how, const mbs_model *model, const mbs_state *state) {
  double angle[n_angles];
  double rate[n_angles];
  absolute(reference_angle, angle);
  absolute(reference_rate, rate);
  for (size_t b = 0; b < n_angles; b++) {
    const char *body = mbs_body_of(model, b).name;
    cr_expect_float_eq(state->q[3 * b + 2], angle[b], 2e-9, "%s, %s: %.16g, reference %.16g", how, body,
                       state->q[3 * b + 2], angle[b]);
    cr_expect_float_eq(state->v[3 * b + 2], rate[b], 3e-6, "%s, %s: %.16g, reference %.16g", how, body,
                       state->v[3 * b + 2], rate[b]);
  }
}

/* Within a part `tolerance`. */
static void expect_force(const char *how, size_t joint, const double wrench[3], double tolerance) {
  for (size_t i = 0; i < 2; i++) {
    const double reference = -reference_force[2 * joint + i];
    cr_expect_float_eq(wrench[i], reference, tolerance * fabs(reference), "%s, %s: %.16g, reference %.16g", how,
                       joints[joint], wrench[i], reference);
  }
}

static model_run run_by(const char *method, double tolerance) {
  mbs_integrator_options options = mbs_default_integrator_options();
  options.method = method;
  options.rtol = tolerance;
  options.atol = tolerance;
  model_run run = model_run_begin(seam_catalogue_text("squeezer"), NULL, &options, NAN);
  return run;
}

Test(catalogue_squeezer, energy_is_the_work_of_the_motor) {
  const double torque = 33e-3;
  model_run run = run_by("erk", 1e-12);
  const double start = model_run_energy(&run);
  const double beta_0 = run.state->q[2];
  for (int i = 1; i <= 30; i++) {
    model_run_advance(&run, i * 1e-3);
    cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
    const double work = torque * (run.state->q[2] - beta_0);
    cr_expect_float_eq(model_run_energy(&run) - start, work, 1e-11, "t = %g", run.state->t);
  }
  model_run_end(&run);
}

static void expect_reference(const char *method, double tolerance) {
  model_run run = run_by(method, tolerance);
  model_run_advance(&run, 0.03);
  cr_assert_eq(run.status, SEAM_OK, "%s", run.error.message);
  const mbs_model *model = seam_model_mechanism(run.file);
  expect_motion(method, model, run.state);
  for (size_t j = 0; j < n_forces / 2; j++) {
    double wrench[3];
    mbs_reaction(run.ws, run.state, mbs_find_joint(model, joints[j]), wrench);
    expect_force(method, j, wrench, 2e-6);
  }
  model_run_end(&run);
}

Test(catalogue_squeezer, moves_as_the_reference_by_erk) { expect_reference("erk", 1e-12); }
Test(catalogue_squeezer, moves_as_the_reference_by_radau) { expect_reference("radau", 1e-12); }

Test(catalogue_squeezer, moves_as_the_reference_when_it_is_cut) {
  cosim_fixture p = cosim_fixture_read("squeezer", NULL);
  start(&p);
  advance(&p, 3000);
  cr_expect_float_eq(cosim_state(p.run)->t, 0.03, 1e-12);
  expect_motion("cut", p.model, cosim_state(p.run));
  cr_assert_eq(cosim_n_couplings(p.run), 2);
  for (size_t k = 0; k < 2; k++) {
    double wrench[2][3];
    cosim_coupling_wrenches(p.run, k, wrench);
    cr_expect_str_eq(cosim_coupling_of(p.run, k).name, joints[k + 1]);
    expect_force("cut", k + 1, wrench[0], 3e-4);
  }
  cosim_fixture_free(&p);
}
