/* Cables: the linearised equations of motion against differences, energies as quantities, and definitions. */
#include "mbs/dynamics/dynamics.h"
#include "mbs/dynamics/linearised.h"

#include <criterion/criterion.h>
#include <string.h>

#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"

enum { N_BODIES = 3, N = 3 * N_BODIES };

static const double law_of_length[3] = {3.5, 0.2, 3}; /* a + b cos(ω t) */

/* Drum, two discs, one of which turns under it, and a place; the last span but one is on the ground alone. */
static mechanism hoist(double damping) {
  static const char *const bodies[] = {"drum", "block", "ground", "ground", "load"};
  static const double radii[] = {-0.3, 0.2, -0.25, 0, 0};
  static const double at[][2] = {{0, 0}, {1.1, -1.5}, {2, 0.1}, {2.6, -0.3}, {3, -1.2}};
  mbs_marker_def places[5];
  mbs_builder *builder = new_builder();
  add_body(builder, "drum", 2, 0.3, (double[3]){0, 0, 0.2});
  add_body(builder, "block", 1.5, 0.1, (double[3]){1, -1.6, -0.4});
  add_body(builder, "load", 3, 0.2, (double[3]){3.1, -1.4, 1});
  for (int i = 0; i < 5; i++)
    places[i] = (mbs_marker_def){MBS_INITIAL, {at[i][0], at[i][1]}};
  mbs_force_def def = mbs_default_force_def();
  def.kind = MBS_CABLE;
  def.name = "cable";
  def.bodies = bodies;
  def.n_bodies = 5;
  def.cable = (mbs_cable_path){.at = places, .radii = radii};
  def.stiffness[0] = 200;
  def.damping[0] = damping;
  def.law = law_of_time(law_of_length);
  cr_assert_eq(mbs_add_force(builder, &def, NULL), SEAM_OK);
  mechanism m = mechanism_build(builder);
  static const double v[N] = {0.1, -0.3, 0.7, 0.2, 0.4, -1.2, -0.5, 0.3, 0.6};
  memcpy(m.state->v, v, sizeof v);
  m.state->t = 0.4;
  return m;
}

typedef struct sample {
  const mechanism *m;
  const double *dq, *dv;
} sample;

/* a at q + x dq, v + y dv. */
static void accelerations(const void *context, const double *x, double *f) {
  const sample *s = context;
  mbs_workspace *ws = new_workspace(s->m->model);
  mbs_state *state = new_state(s->m->model);
  mbs_state_copy(state, s->m->state);
  for (int i = 0; i < N; i++) {
    state->q[i] += x[0] * s->dq[i];
    state->v[i] += x[1] * s->dv[i];
  }
  cr_assert_eq(mbs_accelerate(ws, state, NULL), SEAM_OK);
  memcpy(f, state->a, N * sizeof *f);
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
}

Test(cables, accelerations_change_as_differences_say) {
  static const double dq[N] = {0.3, -0.7, 0.4, 0.9, 0.2, -0.5, 0.6, -0.8, 0.1};
  static const double dv[N] = {-0.2, 0.5, 0.9, -0.4, 0.3, 0.8, 0.7, -0.1, -0.6};
  for (int k = 0; k < 2; k++) {
    mechanism m = hoist(k == 0 ? 0 : 30);
    const sample s = {&m, dq, dv};
    double J[2 * N];
    double expected[2][N];
    double found[2][N] = {{0}};
    double none[1] = {0};
    cr_assert_eq(mbs_accelerate(m.ws, m.state, NULL), SEAM_OK);
    mbs_linearised *linear = new_linearised(m.model);
    mbs_linearise(linear, m.ws, m.state);
    differentiate(accelerations, &s, (double[2]){0}, 2, N, J);
    for (int i = 0; i < 2 * N; i++)
      expected[i % 2][i / 2] = J[i];
    mbs_linearised_solve(linear, m.ws, dq, NULL, NULL, found[0], none);
    mbs_linearised_solve(linear, m.ws, NULL, dv, NULL, found[1], none);
    expect_close(found[0], expected[0], N, 1e-6, "change with q");
    expect_close(found[1], expected[1], N, 1e-6, "change with v");
    cr_expect_gt(fabs(found[0][2]), 0.1); /* of the drum, which no other element turns */
    mbs_linearised_destroy(linear);
    mechanism_free(&m);
  }
}

static const char *const names[] = {"cable.tension", "cable.length", "cable.rate",      "cable.stretch",
                                    "cable.power",   "cable.loss",   "cable.potential", "energy.potential"};
enum { N_NAMES = sizeof names / sizeof *names };

static void read_all(const void *context, const double *x, double *f) {
  const mechanism *m = context;
  mbs_workspace *ws = new_workspace(m->model);
  mbs_state *state = new_state(m->model);
  mbs_state_copy(state, m->state);
  memcpy(state->q, x, N * sizeof *x);
  memcpy(state->v, x + N, N * sizeof *x);
  for (int i = 0; i < N_NAMES; i++) {
    mbs_quantity quantity;
    mbs_readout *readout = NULL;
    cr_assert_eq(mbs_find_quantity(m->model, names[i], &quantity, NULL), SEAM_OK, "%s", names[i]);
    cr_assert_eq(mbs_readout_create(m->model, &quantity, 1, &readout, NULL), SEAM_OK);
    mbs_read(readout, ws, state, &f[i]);
    mbs_readout_destroy(readout);
  }
  mbs_state_destroy(state);
  mbs_workspace_destroy(ws);
}

Test(cables, tension_is_what_the_potential_and_the_loss_say) {
  mechanism m = hoist(30);
  double x[2 * N];
  double f[N_NAMES];
  double J[N_NAMES * 2 * N];
  memcpy(x, m.state->q, N * sizeof *x);
  memcpy(x + N, m.state->v, N * sizeof *x);
  read_all(&m, x, f);
  differentiate(read_all, &m, x, 2 * N, N_NAMES, J);
  const double rate_of_rest = -0.2 * 3 * sin(3 * 0.4);
  const double stretch_rate = f[2] - rate_of_rest;
  cr_expect_gt(f[3], 0);
  cr_expect_float_eq(f[0], 200 * f[3] + 30 * stretch_rate, 1e-12);
  cr_expect_float_eq(f[6], 100 * f[3] * f[3], 1e-12);
  cr_expect_float_eq(f[7], f[6], 1e-12);
  cr_expect_float_eq(f[5], 30 * stretch_rate * stretch_rate, 1e-12);
  cr_expect_float_eq(f[4], -f[0] * f[2], 1e-12);
  double rate = 0;
  for (int i = 0; i < N; i++) {
    rate += J[1 * 2 * N + i] * x[N + i];
    cr_expect_float_eq(J[2 * 2 * N + N + i], J[1 * 2 * N + i], 1e-7);
    cr_expect_float_eq(J[7 * 2 * N + i], 200 * f[3] * J[1 * 2 * N + i], 1e-5);
  }
  cr_expect_float_eq(rate, f[2], 1e-7);
  mechanism_free(&m);
}

/* ---- Definitions ---- */

static void expect_refused(const mbs_marker_def *at, const double *radii, double stiffness, const char *message) {
  static const char *const bodies[] = {"ground", "m"};
  mbs_builder *builder = new_builder();
  add_body(builder, "m", 1, 1, (double[3]){2, 0, 0});
  mbs_force_def def = mbs_default_force_def();
  def.kind = MBS_CABLE;
  def.name = "c";
  def.bodies = bodies;
  def.n_bodies = 2;
  def.cable = (mbs_cable_path){.at = at, .radii = radii};
  def.stiffness[0] = stiffness;
  seam_error error = {0};
  cr_expect_eq(mbs_add_force(builder, &def, &error), message == NULL ? SEAM_OK : SEAM_BAD_INPUT);
  cr_expect_str_eq(error.message, message == NULL ? "" : message);
  mbs_builder_destroy(builder);
}

Test(cables, definitions_that_are_refused) {
  static const mbs_marker_def at[] = {{MBS_INITIAL, {0, 0}}, {MBS_BODY, {0, 0}}};
  static const mbs_marker_def far[] = {{MBS_INITIAL, {0, 0}}, {MBS_BODY, {1e200, 0}}};
  expect_refused(at, NULL, 1, NULL);
  expect_refused(at, (double[2]){0.1, 0}, 1, NULL);
  expect_refused(NULL, NULL, 1, "cable 'c' has no places: give one on each of its bodies");
  expect_refused(at, NULL, 0, "cable 'c': its stiffness must be positive");
  expect_refused(at, (double[2]){INFINITY, 0}, 1, "cable 'c': the radii of its discs must be finite");
  expect_refused(far, NULL, 1,
                 "force 'c': its place (1e+200, 0) is farther than 1e+100 m from the origin: correct the place");
}
