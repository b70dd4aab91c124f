/* Motions against hard friction and compliant contacts, in closed form; what the verdict says where such a motion is
 * not kept, or its work is wrong. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include <seam/analysis.h>

#include "tests/support/engine.h"
#include "tests/support/model_run.h"

static const struct {
  const char *method;
  double place, force;
} methods[] = {{"erk", 1e-10, 1e-8}, {"radau", 1e-10, 1e-8}, {"cvode", 1e-8, 1e-5}, {"ida", 1e-7, 1e-4}};
enum { N_METHODS = sizeof methods / sizeof *methods };

/* ---- Hard friction ---- */

/* A block on a rail, m g = 20 N, μ = 0.3: it rubs against the motion, s = 0.2 cos 3 t. */
#define RAIL                                                                                                           \
  "seam: 1\ngravity: [0, -10]\nbodies: {block: {mass: 2, inertia: 1, at: [0.2, 0]}}\n"                                 \
  "joints:\n"                                                                                                          \
  "  rail: {type: prismatic, bodies: [ground, block], at: [0, 0], axis: [1, 0],\n"                                     \
  "         friction: {coefficient: 0.3, hard: true}}\n"                                                               \
  "  M: {type: motion, of: slide, bodies: [ground, block], at: {ground: [0, 0], block: [0, 0]}, axis: [1, 0],\n"       \
  "      law: 0.2*cos(3*t)}\n"                                                                                         \
  "simulate: {end: 4}\n"

Test(motor_loads, a_driven_block_takes_the_force_of_hard_friction) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(RAIL, methods[i].method);
    const double before = model_run_energy(&run);
    for (int k = 1; k <= 7; k++) {
      const double t = 0.5 * k;
      const double turns = floor(3 * t / acos(-1)); /* half ones */
      const double rubbing = 6 * (fmod(turns, 2) == 0 ? 1 : -1);
      const double way = 0.2 * (2 * turns + 1 - cos(3 * t - turns * acos(-1)));
      model_run_reach(&run, t);
      cr_expect_float_eq(run.state->q[0], 0.2 * cos(3 * t), methods[i].place, "%s", methods[i].method);
      cr_expect_float_eq(model_run_read(&run, "rail.friction"), rubbing, methods[i].force, "%s", methods[i].method);
      cr_expect_float_eq(model_run_read(&run, "M.drive"), -3.6 * cos(3 * t) - rubbing, methods[i].force, "%s at %g",
                         methods[i].method, t);
      cr_expect_float_eq(mbs_energy_of(run.ws, run.state).dissipated, 6 * way, methods[i].force, "%s",
                         methods[i].method);
    }
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, methods[i].force, "%s", methods[i].method);
    model_run_end(&run);
  }
}

/* ---- Compliant contacts ---- */

/* A ball of radius 0.1 above a floor, y = 0.2 cos 3 t: pressed in by δ = 0.1 - y where that is positive. */
#define BALL                                                                                                           \
  "seam: 1\ngravity: [0, -10]\nbodies: {ball: {mass: 2, inertia: 1, at: [0, 0.2]}}\n"                                  \
  "joints:\n"                                                                                                          \
  "  rail: {type: prismatic, bodies: [ground, ball], at: [0, 0], axis: [0, 1]}\n"                                      \
  "  M: {type: motion, of: y, body: ball, law: 0.2*cos(3*t)}\n"                                                        \
  "forces:\n"                                                                                                          \
  "  floor: {type: contact, bodies: [ground, ball], at: {ground: [0, 0], ball: [0, 0]}, line: [1, 0], radius: 0.1,\n"  \
  "          stiffness: 2000, exponent: 1.5}\n"                                                                        \
  "simulate: {end: 4}\n"

Test(motor_loads, a_driven_ball_takes_the_force_of_a_contact) {
  for (int i = 0; i < N_METHODS; i++) {
    model_run run = model_run_by(BALL, methods[i].method);
    const double before = model_run_energy(&run);
    for (int k = 1; k <= 8; k++) {
      const double y = 0.2 * cos(1.5 * k);
      const double pressed = 2000 * pow(fmax(0, 0.1 - y), 1.5);
      model_run_reach(&run, 0.5 * k);
      cr_expect_float_eq(model_run_read(&run, "floor.force"), pressed, 100 * methods[i].force, "%s", methods[i].method);
      cr_expect_float_eq(model_run_read(&run, "M.drive"), 2 * (10 - 9 * y) - pressed, 100 * methods[i].force,
                         "%s at %g", methods[i].method, 0.5 * k);
    }
    cr_expect_float_eq(model_run_imbalance(&run, before), 0, 100 * methods[i].force, "%s", methods[i].method);
    model_run_end(&run);
  }
}

/* ---- What the verdict says ---- */

/* What is wrong with the states of a run that is right: the place and the speed of a body, the work driven in. */
typedef struct fault {
  double place, speed, work;
} fault;

static seam_status judge(fault wrong, seam_error *error) {
  model_run run = model_run_by(BALL, "erk");
  const mbs_model *model = seam_model_mechanism(run.file);
  const seam_verdict_bounds bounds = {.accurate = 0.01, .rough = 0.05, .energy = 1e-3, .constraints = 1e-4};
  seam_run_record record = {0};
  seam_run_verdict verdict;
  double residuals[16];
  mbs_state *seen = new_state(model);
  for (int k = 0; k <= 20; k++) {
    model_run_reach(&run, 0.1 * k);
    mbs_state_copy(seen, run.state);
    if (k == 10) {
      seen->q[1] += wrong.place;
      seen->v[1] += wrong.speed;
    }
    seen->work[1] *= 1 + wrong.work;
    seam_run_record_add(&record, model, run.ws, seen, residuals);
  }
  const seam_status status = seam_run_judge(&record, model, false, &bounds, NULL, NULL, NAN, &verdict, error);
  mbs_state_destroy(seen);
  model_run_end(&run);
  return status;
}

Test(motor_loads, the_verdict_is_no_where_a_motion_is_not_kept) {
  const struct {
    fault wrong;
    const char *said;
  } rows[] = {{{.place = 1e-3}, "the residual M.g_m is 0.001 at t = 1 s"},
              {{.speed = 1e-3}, "the rate of the residual M.g_m is 0.001 at t = 1 s"},
              {{.work = 0.1}, "J of energy are"}};
  seam_error error = {0};
  cr_expect_eq(judge((fault){0}, &error), SEAM_OK, "%s", error.message);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cr_expect_eq(judge(rows[i].wrong, &error), SEAM_WRONG, "row %zu", i);
    cr_expect_not_null(strstr(error.message, rows[i].said), "%s", error.message);
  }
}
