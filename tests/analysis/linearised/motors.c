/* Stability of schemes where motors follow quantities: predictions against co-simulated runs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/equations.h>

#include "analysis/linearised/minimal_state.h"
#include "tests/support/engine.h"
#include "tests/support/model_run.h"
#include "tests/support/run_radius.h"

/* ---- Mechanisms ---- */

/* A disc on a spring, the shaft that a motor turns after it with a lag, and a load on the shaft. */
#define DRIVE(LAW, EQUATIONS, CUT)                                                                                     \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0]}\n"                                                                                              \
  "bodies:\n"                                                                                                          \
  "  plant: {mass: 1, inertia: 1, at: O}\n"                                                                            \
  "  shaft: {mass: 1, inertia: 0.2, at: O}\n"                                                                          \
  "  load: {mass: 1, inertia: 0.5, at: O}\n"                                                                           \
  "equations:\n" EQUATIONS "joints:\n"                                                                                 \
  "  A: {type: revolute, bodies: [ground, plant], at: O}\n"                                                            \
  "  B: {type: revolute, bodies: [ground, shaft], at: O}\n"                                                            \
  "  C: {type: revolute, bodies: [ground, load], at: O}\n"                                                             \
  "  M: {type: motor, bodies: [ground, shaft], " LAW "}\n"                                                             \
  "forces:\n"                                                                                                          \
  "  wall: {type: torsion, bodies: [ground, plant], stiffness: 200, damping: 0.5}\n"                                   \
  "  belt: {type: torsion, bodies: [plant, load], stiffness: 300, damping: 2}\n"                                       \
  "  spring: {type: torsion, bodies: [shaft, load], stiffness: 1000, damping: 3}\n"                                    \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: ff-k1\n"                                                                                                  \
  "  subsystems: " CUT "\n"

/* Three arms in a row: the first is turned after the second, the third is cut off at a joint. */
#define ARMS(LAW, EQUATIONS, CUT)                                                                                      \
  "seam: 1\n"                                                                                                          \
  "points: {O: [0, 0], P: [1, 0.2], Q: [1.8, -0.3]}\n"                                                                 \
  "bodies:\n"                                                                                                          \
  "  arm1: {mass: 3, inertia: 0.3, at: [0.5, 0.1]}\n"                                                                  \
  "  arm2: {mass: 2, inertia: 0.2, at: [1.4, 0]}\n"                                                                    \
  "  arm3: {mass: 1, inertia: 0.1, at: [2.1, 0]}\n"                                                                    \
  "equations:\n" EQUATIONS "joints:\n"                                                                                 \
  "  A: {type: revolute, bodies: [ground, arm1], at: O}\n"                                                             \
  "  B: {type: revolute, bodies: [arm1, arm2], at: P}\n"                                                               \
  "  C: {type: revolute, bodies: [arm2, arm3], at: Q}\n"                                                               \
  "  M: {type: motor, bodies: [ground, arm1], " LAW "}\n"                                                              \
  "forces:\n"                                                                                                          \
  "  at_B: {type: torsion, bodies: [arm1, arm2], stiffness: 200, damping: 2}\n"                                        \
  "  at_C: {type: torsion, bodies: [arm2, arm3], stiffness: 100, damping: 1}\n"                                        \
  "cosim:\n"                                                                                                           \
  "  macro_step: 1e-3\n"                                                                                               \
  "  scheme: {constraint: ff-index1-k1, constitutive: ff-k1}\n"                                                        \
  "  subsystems: " CUT "\n"

#define SECOND_ORDER(OF)                                                                                               \
  "  ref: {inputs: {u: " OF "}, states: {x: 0, v: 0}, rates: {x: v, v: \"400*(u - x) - 30*v\"}}\n"

#define WITH_PLANT "{first: [plant, shaft], second: [load]}"

/* ---- Radii ---- */

/* Of the motion that outweighs all others, over coordinate `c`, about the start, which is at rest. */
static void expect_radius(const cosim_fixture *f, double H, size_t c, double first, double accuracy,
                          const char *scheme) {
  double y[MAX_SAMPLES];
  const double rho = predicted_radius(f, H);
  const double ran = fitted_radius(y, run_distances(f, H, c, first, 1e3 * first, MAX_SAMPLES, y));
  cr_expect_float_eq(rho, ran, accuracy, "%s, H = %g: %.12g instead of %.12g", scheme, H, rho, ran);
}

static void expect_radii(const char *text, const char *const *schemes, double H, double first, double accuracy) {
  const bool has_joints = strstr(text, "arm1") != NULL;
  cosim_fixture f = cosim_fixture_read(text, NULL);
  for (int i = 0; schemes[i] != NULL; i++) {
    *(has_joints ? &f.definition.options.constraint_scheme : &f.definition.options.constitutive_scheme) = schemes[i];
    for (int k = 1; k <= 4; k += 3)
      expect_radius(&f, k * H, 8, first, accuracy, schemes[i]);
  }
  cosim_fixture_free(&f);
}

static const char *const at_springs[] = {"ff-k0", "ff-k1",   "ff-k2",   "fd-k1",        "df-k1",
                                         "dd-k1", "ff-d-k1", "ff-i-k1", "ff-colloc-s2", NULL};
static const char *const at_joints[] = {"ff-index1-k1",   "ff-index2-k1",     "ff-index2-k2", "ff-baumgarte-k1",
                                        "ff-weighted-k1", "ff-projection-k1", "ff-colloc-s2", NULL};

Test(motors, a_motor_by_states_is_part_of_its_subsystem) {
  expect_radii(DRIVE("angle: ref.x", SECOND_ORDER("-0.7*plant.phi"), WITH_PLANT), at_springs, 5e-3, 1e-6, 1e-9);
}

/* What another subsystem sends is in f'' alone. */
Test(motors, a_motor_behind_a_signal) {
  expect_radii(DRIVE("angle: ref.x", SECOND_ORDER("-0.7*load.phi"),
                     "{first: {bodies: [plant, shaft], equations: [ref], signal_order: 1}, second: [load]}"),
               (const char *const[]){"ff-k1", "fd-k1", "dd-k1", "ff-colloc-s2", NULL}, 5e-3, 1e-6, 1e-8);
}

/* It grows, for a body that its own motor turns on has no rest. */
Test(motors, joints_are_cut_beside_a_motor) {
  expect_radii(ARMS("angle: ref.x", SECOND_ORDER("1.5*arm2.phi"), "{first: [arm1, arm2], second: [arm3]}"), at_joints,
               1e-2, 1e-8, 1e-6);
}

Test(motors, laws_bend_and_speeds_are_integrated) {
  expect_radii(DRIVE("angle: \"sin(ref.x) + 0.2*ref.x^2 + 0.1*ref.v\"", SECOND_ORDER("-0.7*plant.phi"), WITH_PLANT),
               (const char *const[]){"ff-k1", "fd-k2", NULL}, 5e-3, 1e-9, 1e-6);
  expect_radii(DRIVE("angle: aim", SECOND_ORDER("-0.5*plant.phi") "measures: {aim: \"ref.x - 0.2*sin(plant.phi)\"}\n",
                     WITH_PLANT),
               (const char *const[]){"ff-k1", "fd-k2", NULL}, 5e-3, 1e-9, 1e-6);
  expect_radii(DRIVE("speed: \"-6*plant.phi - 2*M.angle\"", SECOND_ORDER("0"), WITH_PLANT),
               (const char *const[]){"ff-k1", "dd-k2", NULL}, 5e-3, 1e-6, 1e-6);
}

/* ---- Motors that follow bodies at once ---- */

/* The motor's torque makes the shaft follow, and nothing acts on the plant for it. */
Test(motors, what_follows_a_body_at_once_has_its_coordinate) {
  expect_radii(DRIVE("angle: 2*plant.phi", "  ref: {states: {x: 0}, rates: {x: -900*x}}\n", WITH_PLANT),
               (const char *const[]){"ff-k1", "fd-k1", "dd-k2", "ff-colloc-s2", NULL}, 5e-3, 1e-6, 1e-6);
  expect_radii(DRIVE("angle: \"ref.x - 0.3*sin(plant.phi)\"", SECOND_ORDER("-0.5*plant.phi"), WITH_PLANT),
               (const char *const[]){"ff-k1", "fd-k2", NULL}, 5e-3, 1e-9, 1e-6);
}

Test(motors, joints_are_cut_beside_a_motor_that_follows_a_body_at_once) {
  static const char *const schemes[] = {"ff-index1-k1", "ff-index2-k1", "ff-baumgarte-k1", "ff-colloc-s2", NULL};
  expect_radii(
      ARMS("angle: 0.3*arm2.phi + ref.x", SECOND_ORDER("0.9*arm2.phi"), "{first: [arm1, arm2], second: [arm3]}"),
      schemes, 1e-2, 1e-8, 1e-6);
}

/* Of the whole, J φ'' = -c (φ - k φ): what the shaft has of inertia the motor moves. */
Test(motors, a_mode_of_a_shaft_that_follows_at_once) {
  model_run run = model_run_by("seam: 1\n"
                               "bodies: {plant: {mass: 1, inertia: 0.5}, shaft: {mass: 1, inertia: 0.2}}\n"
                               "joints:\n  A: {type: revolute, bodies: [ground, plant], at: [0, 0]}\n"
                               "  B: {type: revolute, bodies: [ground, shaft], at: [0, 0]}\n"
                               "  M: {type: motor, bodies: [ground, shaft], angle: 0.4*plant.phi}\n"
                               "forces: {K: {type: torsion, bodies: [shaft, plant], stiffness: 8}}\n"
                               "simulate: {end: 1}\n",
                               "erk");
  seam_modes *modes = NULL;
  cr_assert_eq(seam_modes_create(seam_model_mechanism(run.file), run.state, &modes, &run.error), SEAM_OK, "%s",
               run.error.message);
  cr_assert_eq(modes->n, 1);
  cr_expect_float_eq(modes->mode[0].s[1], sqrt(8 * 0.6 / 0.5), 1e-12);
  cr_expect_float_eq(modes->mode[0].shape[0][2], 1, 1e-12);
  cr_expect_float_eq(modes->mode[0].shape[0][5], 0.4, 1e-12);
  seam_modes_destroy(modes);
  model_run_end(&run);
}

static void expect_not_linearised(const char *text, const char *scheme, const char *message) {
  cosim_fixture f = cosim_fixture_read(text, NULL);
  cosim_builder *builder = NULL;
  seam_linearised *linear = NULL;
  seam_error error = {0};
  f.definition.options.constraint_scheme = scheme;
  cr_assert_eq(cosim_builder_of(f.model, &f.definition, &builder, NULL), SEAM_OK);
  cr_expect_eq(seam_linearised_create(f.state, builder, &linear, &error), SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message);
  cosim_builder_destroy(builder);
  cosim_fixture_free(&f);
}

Test(motors, projections_beside_ties_are_refused) {
  expect_not_linearised(
      ARMS("angle: 0.5*arm2.phi", SECOND_ORDER("0"), "{first: [arm1, arm2], second: [arm3]}"), "ff-projection-k1",
      "subsystem 'first' has a motion that follows bodies at once, which projections move in another way "
      "than the linearisation: take a scheme without projection");
}

/* ---- Against differences of the mechanism itself ---- */

/* s x of part 0 or 1, the real and the imaginary one. */
static double rate(const seam_mode *mode, const double *const x[2], int part, size_t i) {
  return part == 0 ? mode->s[0] * x[0][i] - mode->s[1] * x[1][i] : mode->s[0] * x[1][i] + mode->s[1] * x[0][i];
}

static void evaluate_beside(const model_run *run, const mbs_model *model, const seam_mode *mode, int part, double step,
                            mbs_state *at) {
  seam_error error = {0};
  mbs_state_copy(at, run->state);
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++) {
    at->q[i] += step * mode->shape[part][i];
    at->v[i] += step * rate(mode, mode->shape, part, i);
  }
  for (size_t i = 0; i < mbs_n_states(model); i++)
    at->z[i] += step * mode->states[part][i];
  cr_assert_eq(mbs_evaluate(run->ws, at, &error), SEAM_OK, "%s", error.message);
}

/* A mode (φ, s φ, z) about a state at rest has δa = s² φ and z' = s z, which two states beside it show. */
static void expect_modes(const model_run *run, const mbs_model *model) {
  const double step = 1e-5;
  seam_modes *modes = NULL;
  seam_error error = {0};
  mbs_state *beside[2] = {new_state(model), new_state(model)};
  cr_assert_eq(seam_modes_create(model, run->state, &modes, &error), SEAM_OK, "%s", error.message);
  cr_expect_gt(modes->n, 1);
  for (size_t k = 0; k < 2 * modes->n; k++) {
    const seam_mode *mode = &modes->mode[k / 2];
    const int part = (int)(k % 2);
    double v[2][64] = {{0}};
    double rates[2][16] = {{0}};
    for (size_t i = 0; i < 64 && i < 3 * mbs_n_bodies(model); i++)
      for (int p = 0; p < 2; p++)
        v[p][i] = rate(mode, mode->shape, p, i);
    for (int side = 0; side < 2; side++) {
      evaluate_beside(run, model, mode, part, side == 0 ? -step : step, beside[side]);
      for (size_t i = 0; i < mbs_n_variables(model); i++)
        rates[side][i] = mbs_variable_rate(run->ws, beside[side], i);
    }
    const double scale = 1e-6 * (1 + mode->s[0] * mode->s[0] + mode->s[1] * mode->s[1]);
    for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++)
      cr_expect_float_eq((beside[1]->a[i] - beside[0]->a[i]) / (2 * step),
                         rate(mode, (const double *const[]){v[0], v[1]}, part, i), scale, "mode %zu, coordinate %zu",
                         k / 2, i);
    for (size_t i = 0; i < mbs_n_variables(model); i++)
      cr_expect_float_eq((rates[1][i] - rates[0][i]) / (2 * step),
                         rate(mode, mode->states, part, mbs_variable_state(model, i)), scale, "mode %zu, %s", k / 2,
                         mbs_variable_name(model, i));
  }
  seam_modes_destroy(modes);
  mbs_state_destroy(beside[0]);
  mbs_state_destroy(beside[1]);
}

/* A slider-crank under weight, held by a motor behind a filter that reads the slider, at rest after a long time. */
#define SLIDER(LAW, OF)                                                                                                \
  "seam: 1\ngravity: [0, -9.81]\npoints: {A: [0, 0], B: [1, 0], C: [3, 0]}\n"                                          \
  "bodies:\n"                                                                                                          \
  "  crank: {rod: [A, B], mass: 1}\n"                                                                                  \
  "  rod: {rod: [B, C], mass: 2}\n"                                                                                    \
  "  arm: {mass: 1, inertia: 0.1, at: C}\n"                                                                            \
  "equations:\n"                                                                                                       \
  "  f: {states: {s: 0, v: 0}, rates: {s: v, v: 25*(u - s) - 10*v}, inputs: {u: " OF "}}\n"                            \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, crank], at: A}\n"                                                            \
  "  B: {type: revolute, bodies: [crank, rod], at: B}\n"                                                               \
  "  C: {type: revolute, bodies: [rod, arm], at: C}\n"                                                                 \
  "  M: {type: motor, bodies: [ground, crank], " LAW "}\n"                                                             \
  "forces:\n"                                                                                                          \
  "  hold: {type: bushing, bodies: [ground, arm], at: C, stiffness: [300, 200, 20], damping: [30, 20, 5]}\n"           \
  "  knee: {type: torsion, bodies: [crank, rod], stiffness: 30, damping: 3}\n"                                         \
  "simulate: {end: 40}\n"

Test(motors, modes_are_those_of_differences) {
  static const char *const texts[] = {
      SLIDER("angle: f.s", "0.2*rod.phi + 0.1"),
      SLIDER("angle: \"sin(f.s) + 0.1*f.v\"", "0.5*arm.y + 0.3"),
      SLIDER("angle: 0.3*rod.phi + 0.2", "0"),
      SLIDER("angle: \"f.s*cos(rod.phi) - 0.2*arm.y\"", "0.3*rod.phi + 0.2"),
      SLIDER("speed: \"4*(0.2 + 0.3*rod.phi - M.angle)\"", "0"),
      SLIDER("speed: 0.3*rod.omega", "0"),
      SLIDER("speed: \"0.3*rod.omega - 0.1*arm.vy + 4*(0.2 + 0.3*rod.phi - M.angle)\"", "0")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    model_run run = model_run_by(texts[i], "erk");
    const mbs_model *model = NULL;
    seam_error error = {0};
    model_run_reach(&run, 40);
    cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
    cr_assert_eq(mbs_evaluate(run.ws, run.state, &error), SEAM_OK, "%s", error.message);
    for (size_t k = 0; k < 3 * mbs_n_bodies(model); k++)
      cr_assert_lt(fabs(run.state->v[k]), 1e-7, "text %zu: not at rest", i);
    expect_modes(&run, model);
    model_run_end(&run);
  }
}

/* A place is a state of its own, of which the speeds of the state say nothing more. */
Test(motors, speeds_that_follow_speeds_are_refused_about_a_state_that_moves) {
  model_run run = model_run_by(SLIDER("speed: 0.3*rod.omega", "0"), "erk");
  const mbs_model *model = NULL;
  analysis_minimal_state at;
  model_run_reach(&run, 0.7);
  cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
  cr_expect_eq(analysis_minimal_state_create(&at, model, NULL, run.state, &run.error), SEAM_BAD_INPUT);
  cr_expect_str_eq(run.error.message, "the speed of joint 'M' follows those of bodies at once, and its place does not "
                                      "follow theirs: about a state that moves such a motion has no minimal "
                                      "coordinates; give its place by theirs, or let it pass a filter");
  analysis_minimal_state_destroy(&at);
  model_run_end(&run);
}

/* ---- Statics ---- */

/* Places that follow bodies at once, through a filter, by their speeds; what the way makes of a place. */
Test(motors, statics_find_where_runs_come_to_rest) {
  static const char *const texts[] = {SLIDER("angle: f.s", "0.2*rod.phi + 0.1"),
                                      SLIDER("angle: 0.3*rod.phi + 0.2", "0"),
                                      SLIDER("angle: \"f.s*cos(rod.phi) - 0.2*arm.y\"", "0.3*rod.phi + 0.2"),
                                      SLIDER("speed: \"4*(0.2 + 0.3*rod.phi - M.angle)\"", "0"),
                                      SLIDER("speed: 0.3*rod.omega", "0"),
                                      SLIDER("speed: \"0.3*rod.omega + 2*(0.1 - rod.phi - M.angle)\"", "0")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    model_run run = model_run_by(texts[i], "erk");
    mbs_equilibrium report = {0};
    model_run_reach(&run, 40);
    model_run still = model_run_at_rest(texts[i], NULL, &report);
    for (size_t k = 0; k < 9; k++)
      cr_expect_float_eq(still.state->q[k], run.state->q[k], 1e-7, "text %zu, %zu: %.9g, %.9g", i, k, still.state->q[k],
                         run.state->q[k]);
    cr_expect_float_eq(model_run_read(&still, "M.drive"), model_run_read(&run, "M.drive"), 1e-5, "text %zu", i);
    cr_expect_lt(report.acceleration, 1e-9, "text %zu: %g", i, report.acceleration);
    cr_expect_lt(report.rate, 1e-12, "text %zu: %g", i, report.rate);
    cr_expect_lt(report.gap, 1e-12, "text %zu: %g", i, report.gap);
    model_run_end(&still);
    model_run_end(&run);
  }
}

/* A speed that nothing at rest makes zero has no rest; nor is one searched for beside samples. */
static void expect_no_rest(const char *text, seam_status status, const char *part) {
  model_run run = model_run_begin(text, NULL, NULL, INFINITY);
  cr_expect_eq(mbs_find_equilibrium(run.ws, run.state, NULL, NULL, &run.error), status);
  cr_expect(strstr(run.error.message, part) != NULL, "%s", run.error.message);
  model_run_end(&run);
}

Test(motors, what_does_not_rest_is_said) {
  expect_no_rest(SLIDER("speed: 0.3*rod.omega + 1", "0"), SEAM_NOT_CONVERGED, "variable 'M.place' drifts, by 1 ");
  expect_no_rest(SLIDER("angle: 0.3*rod.phi", "0}}\n  c: {sample: 0.1, outputs: {y: t"), SEAM_BAD_INPUT,
                 "joint 'M' is driven by what follows the motion of bodies, beside sampled variables");
}

/* Residuals and their rates do not change along ζ, η and z. */
static void expect_kept(const model_run *run, const mbs_model *model, const double *dq, const double *dv,
                        const double *dz) {
  const double step = 1e-5;
  const size_t m = mbs_n_constraints(model);
  double g[2][32], rates[2][32];
  mbs_state *at = new_state(model);
  for (int side = 0; side < 2; side++) {
    const double by = side == 0 ? -step : step;
    mbs_state_copy(at, run->state);
    for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++) {
      at->q[i] += by * dq[i];
      at->v[i] += by * dv[i];
    }
    for (size_t i = 0; i < mbs_n_states(model); i++)
      at->z[i] += by * dz[i];
    mbs_residuals(run->ws, at, g[side], rates[side], NULL);
  }
  for (size_t i = 0; i < m; i++) {
    cr_expect_float_eq((g[1][i] - g[0][i]) / (2 * step), 0, 1e-7, "constraint %zu", i);
    cr_expect_float_eq((rates[1][i] - rates[0][i]) / (2 * step), 0, 1e-7, "rate of constraint %zu", i);
  }
  mbs_state_destroy(at);
}

Test(motors, motions_beside_a_state_that_moves_keep_the_constraints) {
  static const char *const texts[] = {
      SLIDER("angle: \"sin(f.s) + 0.1*f.v\"", "0.5*arm.y + sin(5*t)"),
      SLIDER("angle: \"f.s*cos(rod.phi) - 0.2*arm.y + 0.1*t^2\"", "0.3*rod.phi + sin(5*t)")};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    model_run run = model_run_by(texts[i], "erk");
    const mbs_model *model = NULL;
    analysis_minimal_state at;
    analysis_response c;
    model_run_reach(&run, 0.7);
    cr_assert_eq(seam_model_whole(run.file, &model, NULL), SEAM_OK);
    cr_assert_eq(analysis_minimal_state_create(&at, model, NULL, run.state, &run.error), SEAM_OK, "%s",
                 run.error.message);
    cr_assert(analysis_response_create(&c, model));
    const mbs_minimal *m = at.minimal;
    for (int j = 0; j < 2 * m->f + model->n_states; j++) {
      const bool is_state = j >= 2 * m->f;
      memcpy(c.q, j < m->f ? m->N + j * m->n : c.still, (size_t)m->n * sizeof *c.q);
      memcpy(c.v,
             j < m->f   ? m->Ndot + j * m->n
             : is_state ? c.still
                        : m->N + (j - m->f) * m->n,
             (size_t)m->n * sizeof *c.v);
      if (is_state)
        c.z[j - 2 * m->f] = 1;
      analysis_add_driven(&at, c.z, c.q, c.v);
      expect_kept(&run, model, c.q, c.v, c.z);
      if (is_state)
        c.z[j - 2 * m->f] = 0;
    }
    analysis_response_free(&c);
    analysis_minimal_state_destroy(&at);
    model_run_end(&run);
  }
}

/* The torque that holds a motor is the slope of the potential energy over its place, all else being at rest. */
Test(motors, a_static_torque_is_the_slope_of_the_energy) {
  const double step = 1e-4;
  double energy[2];
  double torque = 0;
  for (int side = -1; side <= 1; side++) {
    char to[64];
    snprintf(to, sizeof to, "equations.f.inputs.u=%.17g", 0.3 + side * step);
    model_run run =
        model_run_at_rest(SLIDER("angle: \"f.s + 0.1*f.s^2\"", "0.3"), (const char *const[]){to, NULL}, NULL);
    if (side == 0)
      torque = model_run_read(&run, "M.drive");
    else
      energy[(side + 1) / 2] = model_run_read(&run, "energy.potential");
    model_run_end(&run);
  }
  const double slope = (energy[1] - energy[0]) / (2 * step);
  cr_expect_float_eq(torque * (1 + 0.2 * 0.3), slope, 1e-6, "%.9g, %.9g", torque * 1.06, slope);
}

/* Under weight, about the rest that a run comes to: what holds the motor turns with its subsystem. */
Test(motors, a_loaded_motor_about_the_rest_of_its_motion) {
  static const char cut[] = "cosim:\n  macro_step: 1e-3\n  scheme: {constraint: ff-index1-k1, constitutive: ff-k1}\n"
                            "  subsystems: {first: [crank, rod], second: [arm]}\n";
  static const char *const texts[] = {SLIDER("angle: f.s", "0.2*rod.phi + 0.1"),
                                      SLIDER("angle: 0.3*rod.phi + 0.2", "0")};
  static const char *const overrides[] = {"forces.hold.stiffness=[300, 200, 4000]", "forces.hold.damping=[3, 2, 40]",
                                          "forces.knee.damping=0.1", NULL};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    char text[2000];
    double y[MAX_SAMPLES];
    snprintf(text, sizeof text, "%s%s", texts[i], cut);
    model_run run = model_run_begin(text, overrides, NULL, NAN);
    cosim_fixture f = cosim_fixture_read(text, overrides);
    model_run_reach(&run, 40);
    cr_assert_eq(mbs_evaluate(run.ws, run.state, &run.error), SEAM_OK, "%s", run.error.message);
    mbs_state_copy(f.state, run.state);
    const double rho = predicted_radius(&f, 0.01);
    const double ran = fitted_radius(y, run_distances(&f, 0.01, 5, 1e-5, 1, 300, y));
    cr_expect_float_eq(rho, ran, 1e-6, "%.12g instead of %.12g", rho, ran);
    cosim_fixture_free(&f);
    model_run_end(&run);
  }
}

/* ---- Errors ---- */

/* On the exact motion with its past, which the motor moves markers on. */
Test(motors, predicted_errors_shrink_at_the_order_of_the_scheme) {
  static const struct {
    const char *text;
    double order;
  } rows[] = {{DRIVE("angle: ref.x", SECOND_ORDER("-0.3*plant.phi"), WITH_PLANT), 2},
              {DRIVE("angle: 0.5*plant.phi", SECOND_ORDER("0"), WITH_PLANT), 2},
              {ARMS("angle: ref.x", SECOND_ORDER("0.3*arm2.phi"), "{first: [arm1, arm2], second: [arm3]}"), 2}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cosim_fixture f = cosim_fixture_read(rows[i].text, NULL);
    seam_linearised *linear = linearise(&f);
    double error[2] = {0};
    cr_assert_eq(seam_linearised_error(linear, 2e-3, &error[0], NULL), SEAM_OK);
    cr_assert_eq(seam_linearised_error(linear, 1e-3, &error[1], NULL), SEAM_OK);
    cr_expect_float_eq(log2(error[0] / error[1]), rows[i].order, 0.05, "%g, %g", error[0], error[1]);
    seam_linearised_destroy(linear);
    cosim_fixture_free(&f);
  }
}
