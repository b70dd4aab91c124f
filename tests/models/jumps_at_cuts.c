/* Forces at cuts where loads jump: at samples, kinks of laws of time, the start, and where signals are held. They are
 * the whole's, from the macro point of the jump on. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/cut_run.h"

#define PENDULA(FORCES, COSIM)                                                                                         \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {A: [0, 0], B: [0.6, -0.8], C: [1.4, -1.4]}\n"                                                              \
  "bodies: {a: {rod: [A, B], mass: 1}, b: {rod: [B, C], mass: 1}}\n"                                                   \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, a], at: A}\n" FORCES "simulate: {end: 1}\n"                                  \
  "cosim:\n"                                                                                                           \
  "  macro_step: 0.005\n"                                                                                              \
  "  rtol: 1e-11\n"                                                                                                    \
  "  atol: 1e-12\n" COSIM
#define JOINT "  B: {type: revolute, bodies: [a, b], at: B}\n"
#define BUSHING "  B: {type: bushing, bodies: [a, b], at: B, stiffness: [1e4, 1e4, 0], damping: [60, 60, 0]}\n"
#define DRIVE(TORQUE) "  drive: {type: torque, body: a, torque: " TORQUE "}\n"
#define ALONE "  subsystems: {left: [a], right: [b]}\n"
#define CONTROL(EQUATIONS, ORDER)                                                                                      \
  "  subsystems:\n"                                                                                                    \
  "    left: [a]\n"                                                                                                    \
  "    right: [b]\n"                                                                                                   \
  "    control: {" EQUATIONS "}\n"                                                                                     \
  "  signals:\n"                                                                                                       \
  "    - {from: left.a.phi, to: control.phi, order: " ORDER "}\n"                                                      \
  "    - {from: control.T, to: left.drive.torque, order: " ORDER "}\n"

static const char sampled[] = PENDULA(
    JOINT "forces:\n" DRIVE("0"), CONTROL("sample: 0.05, inputs: [phi], outputs: {T: -20*phi - 8*sin(30*phi)}", "0"));
static const char followed[] =
    PENDULA(JOINT "forces:\n" DRIVE("0"), CONTROL("inputs: [phi], outputs: {T: -20*phi}", "0"));
static const char kinked[] =
    PENDULA(JOINT "forces:\n" DRIVE("\"if(t < tj, 0, 20)\""), ALONE "parameters: {tj: 0.05}\n");
static const char turned[] =
    PENDULA(JOINT "forces: {drive: {type: torque, body: b, torque: \"if(t < 0.1, 0, 20)\"}}\n", ALONE);
static const char soft[] =
    PENDULA("forces:\n" BUSHING DRIVE("\"if(t < tj, 0, 20)\""), ALONE "parameters: {tj: 0.05}\n");

typedef struct largest {
  double q, force, at; /* m or rad; N, and where, s */
} largest;

/* Over all macro points from one time to another, against the whole at 1e-12; without that at `but`. */
static largest error_between(const char *text, const char *scheme, double H, const char *more, double but, double from,
                             double to) {
  char of_scheme[64];
  snprintf(of_scheme, sizeof of_scheme, "cosim.scheme=%s", scheme);
  cut_run run = cut_run_begin(text, (const char *const[]){of_scheme, more, NULL});
  const mbs_model *whole = NULL;
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  mbs_integrator *integrator = NULL;
  mbs_integrator_options options = mbs_default_integrator_options();
  seam_error error = {0};
  options.rtol = options.atol = 1e-12;
  cr_assert_eq(seam_model_whole(run.file, &whole, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_workspace_create(whole, &ws, &error), SEAM_OK);
  cr_assert_eq(mbs_state_create(whole, &state, &error), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, &error), SEAM_OK, "%s", error.message);
  cr_assert_eq(mbs_integrator_create(whole, &options, &integrator, &error), SEAM_OK);
  cr_assert_eq(mbs_integrator_start(integrator, state, &error), SEAM_OK);
  const size_t n_rows = mbs_n_constraints(whole);
  largest found = {0};
  for (int i = 0; i * H <= to + 1e-9; i++) {
    if (i > 0)
      cut_run_advance(&run, H, 1);
    const mbs_state *now = cosim_state(run.simulation);
    cr_assert_eq(mbs_integrator_advance(integrator, now->t, state, &error), SEAM_OK, "%s", error.message);
    if (now->t < from - 1e-9)
      continue;
    for (int k = 0; k < 6; k++)
      found.q = fmax(found.q, fabs(now->q[k] - state->q[k]));
    for (size_t k = 0; k < n_rows && !(fabs(now->t - but) <= 1e-9); k++)
      if (fabs(now->lambda[k] - state->lambda[k]) > found.force) {
        found.force = fabs(now->lambda[k] - state->lambda[k]);
        found.at = now->t;
      }
  }
  mbs_integrator_destroy(integrator);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  cut_run_end(&run);
  return found;
}

/* Up to 0.5 s, the start included. */
static largest error_of(const char *text, const char *scheme, double H, const char *more, double but) {
  return error_between(text, scheme, H, more, but, 0, 0.5);
}

/* They are up to 30 N. With the forces before a jump as the past, those of index 2 stayed off by 12 N. */
Test(jumps_at_cuts, a_sampled_torque_and_the_reactions_of_the_whole) {
  static const struct {
    const char *scheme;
    double order, force; /* of positions; N, at the finer step */
  } runs[] = {{"ff-index2-k1", 3, 2e-3},    {"ff-index2-k2", 3, 2e-3}, {"ff-projection-k1", 2, 0.05},
              {"ff-baumgarte-k1", 2, 0.05}, {"ff-index1-k1", 3, 1e-3}, {"ff-colloc-s2", 4, 5e-4}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const largest coarse = error_of(sampled, runs[i].scheme, 0.005, NULL, NAN);
    const largest fine = error_of(sampled, runs[i].scheme, 0.0025, NULL, NAN);
    cr_expect_gt(log2(coarse.q / fine.q), runs[i].order - 0.4, "%s: %g, %g", runs[i].scheme, coarse.q, fine.q);
    cr_expect_lt(fine.force, runs[i].force, "%s: %g, then %g N at %g s", runs[i].scheme, coarse.force, fine.force,
                 fine.at);
  }
}

/* Held over a macro step, it jumps a little at each of them, and errors at joints do not add up. */
Test(jumps_at_cuts, a_signal_that_is_held_and_the_reactions_of_the_whole) {
  const largest coarse = error_of(followed, "ff-index2-k1", 0.005, NULL, NAN);
  const largest fine = error_of(followed, "ff-index2-k1", 0.00125, NULL, NAN);
  cr_expect_lt(coarse.force, 1.5, "%g N at %g s", coarse.force, coarse.at);
  cr_expect_float_eq(log2(coarse.force / fine.force), 2, 0.4, "%g, %g", coarse.force, fine.force);
}

/* At a macro point, within rounding of one, in the middle of a step; close to its end, where steps do not end. */
Test(jumps_at_cuts, a_torque_that_jumps_at_any_time) {
  static const char *const times[] = {"parameters.tj=0.05", "parameters.tj=0.0523", "parameters.tj=0.0495",
                                      "parameters.tj=0.0507"};
  static const char *const schemes[] = {"ff-index2-k1", "ff-index2-k2", "ff-index1-k1", "ff-projection-k1"};
  static const double bound[] = {0.01, 0.01, 0.01, 0.01};
  for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
      const largest found = error_of(kinked, schemes[k], 0.005, times[i], i > 1 ? 0.05 : NAN);
      cr_expect_lt(found.force, bound[k] * (i > 1 ? 100 : 1), "%s, %s: %g N at %g s", schemes[k], times[i], found.force,
                   found.at);
    }
}

/* Friction follows from the reactions of its joint, so that accelerations are not affine in forces at the cut: after
 * one linear step these were off by 0.27 N at the jump, however short the macro steps. */
Test(jumps_at_cuts, a_torque_that_jumps_and_friction_in_a_joint_of_a_subsystem) {
  static const char *const friction[] = {
      "joints.A.friction={coefficient: 0.5, radius: 0.3, slip_speed: 1e-2}",
      "joints.A.friction={coefficient: 1.2, radius: 0.3, slip_speed: 1e-2}",
  };
  static const char *const schemes[] = {"ff-index2-k1", "ff-index1-k1", "ff-projection-k1"};
  for (size_t i = 0; i < 6; i++) {
    const largest found = error_between(turned, schemes[i / 2], 0.001, friction[i % 2], NAN, 0.1, 0.1);
    cr_expect_lt(found.force, 2e-5, "%s, %s: %g N", schemes[i / 2], friction[i % 2], found.force);
    cr_expect_lt(found.q, 1e-6, "%s, %s: %g", schemes[i / 2], friction[i % 2], found.q);
  }
  const largest coarse = error_between(turned, "ff-index1-k1", 0.001, friction[0], NAN, 0, 0.3);
  const largest fine = error_between(turned, "ff-index1-k1", 0.0005, friction[0], NAN, 0, 0.3);
  cr_expect_lt(fine.force, 1e-3, "%g N at %g s", fine.force, fine.at);
  cr_expect_gt(log2(coarse.force / fine.force), 1.5, "%g, %g", coarse.force, fine.force);
}

/* The force of a bushing is continuous, but not its rate. */
Test(jumps_at_cuts, schemes_of_force_elements_keep_their_order) {
  static const struct {
    const char *scheme;
    double order;
  } runs[] = {{"ff-k1", 2}, {"ff-k2", 3}, {"ff-d-k2", 3}, {"ff-i-k2", 3}, {"fd-k1", 2}, {"dd-k1", 2}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const largest coarse = error_of(soft, runs[i].scheme, 0.0025, "parameters.tj=0.0523", NAN);
    const largest fine = error_of(soft, runs[i].scheme, 0.00125, "parameters.tj=0.0523", NAN);
    cr_expect_gt(log2(coarse.q / fine.q), runs[i].order - 0.4, "%s: %g, %g", runs[i].scheme, coarse.q, fine.q);
  }
}

/* Accelerations and reactions of the start are those under the signals there. */
Test(jumps_at_cuts, the_start_knows_its_signals) {
  static const char *const schemes[] = {"ff-index2-k1", "ff-index1-k0", "ff-colloc-s3"};
  static const char *const texts[] = {sampled, followed};
  for (size_t i = 0; i < 6; i++) {
    char of_scheme[64];
    snprintf(of_scheme, sizeof of_scheme, "cosim.scheme=%s", schemes[i / 2]);
    cut_run run = cut_run_begin(texts[i % 2], (const char *const[]){of_scheme, NULL});
    const mbs_model *whole = NULL;
    mbs_workspace *ws = NULL;
    mbs_state *state = NULL;
    cr_assert_eq(seam_model_whole(run.file, &whole, NULL), SEAM_OK);
    cr_assert_eq(mbs_workspace_create(whole, &ws, NULL), SEAM_OK);
    cr_assert_eq(mbs_state_create(whole, &state, NULL), SEAM_OK);
    cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, NULL), SEAM_OK);
    const mbs_integrator_options options = mbs_default_integrator_options();
    mbs_integrator *integrator = NULL; /* which samples at the start */
    cr_assert_eq(mbs_integrator_create(whole, &options, &integrator, NULL), SEAM_OK);
    cr_assert_eq(mbs_integrator_start(integrator, state, NULL), SEAM_OK);
    cr_assert_eq(mbs_integrator_advance(integrator, 0, state, NULL), SEAM_OK);
    const mbs_state *now = cosim_state(run.simulation);
    for (int k = 0; k < 6; k++)
      cr_expect_float_eq(now->a[k], state->a[k], 1e-9 * fmax(1, fabs(state->a[k])), "%zu: a %d: %g, %g", i, k,
                         now->a[k], state->a[k]);
    for (size_t k = 0; k < 4; k++)
      cr_expect_float_eq(now->lambda[k], state->lambda[k], 1e-9 * 30, "%zu: %zu: %g, %g", i, k, now->lambda[k],
                         state->lambda[k]);
    mbs_integrator_destroy(integrator);
    mbs_state_destroy(state);
    mbs_workspace_destroy(ws);
    cut_run_end(&run);
  }
}

/* ---- A mass that equations describe, held at the tip of a rod ---- */

#define ROD(PUSH)                                                                                                      \
  "seam: 1\n"                                                                                                          \
  "gravity: [0, -9.81]\n"                                                                                              \
  "points: {A: [0, 0], B: [0.6, -0.8]}\n"                                                                              \
  "bodies: {a: {rod: [A, B], mass: 1}}\n"                                                                              \
  "joints:\n"                                                                                                          \
  "  A: {type: revolute, bodies: [ground, a], at: A, friction: {coefficient: 1.2, radius: 0.5, slip_speed: 1e-2}}\n"   \
  "start: {a.omega: 2}\n"                                                                                              \
  "forces: {push: {type: force, body: a, at: B, x: " PUSH ", y: 0}}\n"

static const char held[] = ROD(
    "0") "cosim:\n"
         "  macro_step: 1e-3\n"
         "  scheme: ff-index1-k1\n"
         "  subsystems:\n"
         "    left: [a]\n"
         "    unit: {states: {x: 0.6, v: 1.6}, rates: {x: v, v: f/5}, inputs: [f], outputs: {px: x, pv: v, pa: f/5}}\n"
         "  couplings:\n"
         "    M:\n"
         "      sides:\n"
         "        - {marker: left.push, along: [x]}\n"
         "        - {subsystem: unit, force: f, position: px, velocity: pv, acceleration: pa}\n"
         "      rigid: true\n";

/* Under the force that holds them together, rod and mass have one acceleration; it was off by 0.2 of 23 N. */
Test(jumps_at_cuts, the_start_knows_friction_in_a_joint_of_a_subsystem) {
  double force[3];
  char text[600];
  cut_run run = cut_run_begin(held, NULL);
  cosim_part_coupling_wrench(run.simulation, 0, force);
  cut_run_end(&run);
  snprintf(text, sizeof text, ROD("%.17g"), force[0]);
  seam_model_file *file = read_model(text, NULL);
  const mbs_model *rod = seam_model_mechanism(file);
  mbs_workspace *ws = NULL;
  mbs_state *state = NULL;
  cr_assert_eq(mbs_workspace_create(rod, &ws, NULL), SEAM_OK);
  cr_assert_eq(mbs_state_create(rod, &state, NULL), SEAM_OK);
  cr_assert_eq(mbs_assemble(ws, state, NULL, NULL, NULL), SEAM_OK);
  const double tip = state->a[0] - 0.5 * (state->a[2] * sin(state->q[2]) + 4 * cos(state->q[2]));
  cr_expect_float_eq(tip, -force[0] / 5, 1e-7, "%g, %g m/s2 under %g N", tip, -force[0] / 5, force[0]);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
  seam_model_file_destroy(file);
}

/* ---- Forces that are not there ---- */

/* From 0.05 s on the push is down where the guide presses up, and up where it does not: no push fits. */
static const char without_forces[] =
    "seam: 1\n"
    "bodies: {crank: {rod: [[0, 0], [0, 1]], mass: 1}, rod: {rod: [[0, 1], [2, 0]], mass: 1},\n"
    "  slider: {mass: 1, inertia: 0.1, at: [2, 0]}}\n"
    "joints:\n"
    "  o: {type: revolute, bodies: [ground, crank], at: [0, 0]}\n"
    "  k: {type: revolute, bodies: [crank, rod], at: [0, 1]}\n"
    "  m: {type: revolute, bodies: [rod, slider], at: [2, 0]}\n"
    "  g: {type: prismatic, bodies: [ground, slider], at: [2, 0], axis: [1, 0]}\n"
    "forces:\n"
    "  push: {type: force, body: slider, at: [2, 0], x: \"if(g.fy > if(t < 0.05, 100, 0), -10, 10)\"}\n"
    "simulate: {end: 1}\n"
    "cosim: {subsystems: {left: [crank, rod], right: [slider]}, macro_step: 0.01, scheme: ff-index2-k1}\n";

static char said[600];
static int n_said;

static void keep_note(void *context, const char *note) {
  (void)context;
  n_said++;
  snprintf(said, sizeof said, "%s", note);
}

Test(jumps_at_cuts, forces_that_are_not_found_are_said_once) {
  n_said = 0;
  seam_set_note_handler(keep_note, NULL);
  cut_run run = cut_run_begin(without_forces, NULL);
  cut_run_advance(&run, 0.01, 4);
  cr_expect_eq(n_said, 0);
  cut_run_advance(&run, 0.01, 4);
  seam_set_note_handler(NULL, NULL);
  cr_expect_eq(n_said, 1);
  cr_expect_not_null(strstr(said, "the forces at cut joints at the start of a macro step have a relative error of "),
                     "%s", said);
  cut_run_end(&run);
}
