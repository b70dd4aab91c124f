/* Actuators: derivatives against differences at random states, free, at the limit of the command and of the rate. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "mbs/model/force.h"
#include "mbs/model/model.h"
#include "tests/support/differences.h"
#include "tests/support/mechanisms.h"
#include "tests/support/random.h"

enum { n_samples = 20, n_x = 13, n_y = 7 }; /* x = (q, v, f), y = (Q, f') */

static mechanism two_bodies(mbs_force_kind kind, double rate) {
  static const double command[3] = {1, 2, 3};
  const char *bodies[2];
  mbs_builder *builder = new_builder();
  add_body(builder, "first", 1.5, 0.4, (double[3]){0.1, 0.2, 0.3});
  add_body(builder, "second", 0.8, 0.3, (double[3]){4, 1, -0.5});
  mbs_force_def def = force_between("drive", kind, bodies, "first", "second", (double[2]){1, 0.5});
  memcpy(def.at[1].position, (double[2]){3.2, 0.7}, sizeof def.at[1].position);
  def.law = law_of_time(command);
  def.actuator = (mbs_actuator){.lag = 0.4, .limit = 2, .rate = rate, .start = NAN};
  add_force(builder, &def);
  return mechanism_build(builder);
}

static mbs_pair place(const mbs_force *force, const double *x, mbs_frame frame[3]) {
  frame[0] = (mbs_frame){.cos = 1};
  for (int b = 0; b < 2; b++)
    frame[b + 1] = mbs_frame_at(x + 3 * b, x + 6 + 3 * b);
  return mbs_force_pair(force, frame);
}

static void load_and_rate(const void *context, const double *x, double *y) {
  const mbs_force *force = context;
  mbs_frame frame[3];
  mbs_power power = {0};
  const mbs_pair pair = place(force, x, frame);
  force->type->load(force, &pair, 0.7, x + 12, y, &power);
  force->type->states->rates(force, &pair, 0.7, x + 12, y + 6);
}

static void exact_derivatives(const mbs_force *force, const double *x, double J[n_y][n_x]) {
  double Kq[6][6];
  double Kv[6][6];
  mbs_frame frame[3];
  mbs_state_gradient gradient;
  const mbs_pair pair = place(force, x, frame);
  force->type->derivatives(force, &pair, 0.7, x + 12, Kq, Kv);
  force->type->states->derivatives(force, &pair, 0.7, x + 12, &gradient);
  for (int i = 0; i < n_y; i++) {
    memcpy(J[i], i < 6 ? Kq[i] : gradient.Zq[0], 6 * sizeof(double));
    memcpy(J[i] + 6, i < 6 ? Kv[i] : gradient.Zv[0], 6 * sizeof(double));
    J[i][12] = i < 6 ? gradient.Qz[i][0] : gradient.Zz[0][0];
  }
}

static void expect_exact(mbs_force_kind kind, double rate) {
  uint64_t seed = 1;
  mechanism m = two_bodies(kind, rate);
  const mbs_force *force = &m.model->forces[0];
  for (int sample = 0; sample < n_samples; sample++) {
    double x[n_x];
    double exact[n_y][n_x];
    double differences[n_y * n_x];
    memcpy(x, m.model->initial, 12 * sizeof *x);
    for (int i = 0; i < 12; i++)
      x[i] += random_between(&seed, -0.2, 0.2);
    x[12] = random_between(&seed, -1.9, 1.9);
    exact_derivatives(force, x, exact);
    differentiate(load_and_rate, force, x, n_x, n_y, differences);
    expect_close(exact[0], differences, n_y * n_x, 1e-8, mbs_force_kind_text(kind));
  }
  mechanism_free(&m);
}

Test(actuators, derivatives_are_exact) {
  expect_exact(MBS_ACTUATOR, INFINITY);
  expect_exact(MBS_ACTUATOR, 1.5);
  expect_exact(MBS_ROTARY_ACTUATOR, INFINITY);
  expect_exact(MBS_ROTARY_ACTUATOR, 1.5);
}

Test(actuators, definitions_that_cannot_be_are_refused) {
  static const struct {
    mbs_actuator actuator;
    const char *words;
  } rows[] = {{{.lag = 0, .limit = 1, .rate = 1, .start = NAN}, "actuator 'A': its lag 0 must be positive"},
              {{.lag = INFINITY, .limit = 1, .rate = 1, .start = NAN}, "actuator 'A': its lag inf must be positive"},
              {{.lag = 1, .limit = -1, .rate = 1, .start = NAN}, "actuator 'A': its limit -1 and rate 1 must be"},
              {{.lag = 1, .limit = 1, .rate = NAN, .start = NAN}, "actuator 'A': its limit 1 and rate nan must be"},
              {{.lag = 1, .limit = 1, .rate = 1, .start = 2}, "actuator 'A': its start 2 is beyond its limit 1"}};
  static const double command[3] = {1, 0, 0};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char *bodies[2];
    seam_error error = {0};
    mbs_builder *builder = new_builder();
    add_body(builder, "b", 1, 1, (double[3]){0, 0, 0});
    mbs_force_def def = force_between("A", MBS_ROTARY_ACTUATOR, bodies, "ground", "b", (double[2]){0, 0});
    def.law = law_of_time(command);
    def.actuator = rows[i].actuator;
    cr_expect_eq(mbs_add_force(builder, &def, &error), SEAM_BAD_INPUT);
    cr_expect_not_null(strstr(error.message, rows[i].words), "%s", error.message);
    mbs_builder_destroy(builder);
  }
}
