#include "tests/support/duffing.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cosim/parts/signal.h"

enum { n_states = 3, n_micro_steps = 6 }; /* x, v, p; every piece of a signal ends with a micro step */

typedef struct duffing {
  cosim_part base;
  duffing_def def;
  double y[n_states];
  double end[duffing_inputs];
} duffing;

/* ---- Equations ---- */

static double acceleration(const duffing_def *o, const double *y, const double *u) {
  return (u[duffing_force] - o->c * y[0] - o->e * y[0] * y[0] * y[0] - o->d * y[1] +
          o->cc * (u[duffing_position] - y[0]) + o->dc * (u[duffing_velocity] - y[1])) /
         o->m;
}

static double acceleration_change(const duffing_def *o, const double *y, const double *dy, const double *du) {
  return (du[duffing_force] - o->c * dy[0] - 3 * o->e * y[0] * y[0] * dy[0] - o->d * dy[1] +
          o->cc * (du[duffing_position] - dy[0]) + o->dc * (du[duffing_velocity] - dy[1])) /
         o->m;
}

/* Value at τ of the piece in which τ_mid lies. */
static double value_in_piece(const cosim_signal *signal, double tau_mid, double tau) {
  int piece = 0;
  while (tau_mid > cosim_signal_begin(signal, piece + 1))
    piece++;
  const double *c = signal->c[piece];
  const double x = tau - cosim_signal_begin(signal, piece);
  return c[0] + x * (c[1] + x * (c[2] + x * c[3]));
}

static void inputs_at(const cosim_step *step, double tau_mid, double tau, double *u) {
  for (int i = 0; i < duffing_inputs; i++)
    u[i] = value_in_piece(&step->inputs[i], tau_mid, tau);
}

static void changes_at(const cosim_seed *seed, double tau_mid, double tau, double *du) {
  memset(du, 0, duffing_inputs * sizeof *du);
  du[seed->input] = value_in_piece(&seed->signal, tau_mid, tau);
}

/* One micro step of y and, where there is a seed, of its change dy. */
static void micro_step(const duffing_def *o, const cosim_step *step, const cosim_seed *seed, int number, double *y,
                       double *dy) {
  static const double node[] = {0, 0.5, 0.5, 1};
  static const double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  const double h = step->H / n_micro_steps;
  const double tau_mid = (number + 0.5) / n_micro_steps;
  double rate[2 * n_states] = {0};
  double sum[2 * n_states] = {0};
  for (int s = 0; s < 4; s++) {
    const double tau = (number + node[s]) / n_micro_steps;
    double u[duffing_inputs];
    double du[duffing_inputs] = {0};
    double z[2 * n_states];
    for (int i = 0; i < n_states; i++) {
      z[i] = y[i] + node[s] * h * rate[i];
      z[n_states + i] = dy[i] + node[s] * h * rate[n_states + i];
    }
    inputs_at(step, tau_mid, tau, u);
    if (seed != NULL)
      changes_at(seed, tau_mid, tau, du);
    const double next[] = {z[1], acceleration(o, z, u), z[0], z[4], acceleration_change(o, z, z + n_states, du), z[3]};
    memcpy(rate, next, sizeof rate);
    for (int i = 0; i < 2 * n_states; i++)
      sum[i] += weight[s] * rate[i];
  }
  for (int i = 0; i < n_states; i++) {
    y[i] += h * sum[i];
    dy[i] += h * sum[n_states + i];
  }
}

static void macro_step(const duffing_def *o, const cosim_step *step, const cosim_seed *seed, double *y, double *dy) {
  for (int i = 0; i < n_micro_steps; i++)
    micro_step(o, step, seed, i, y, dy);
}

void duffing_step(const duffing_def *def, const cosim_step *step, double state[2]) {
  double y[n_states] = {state[0], state[1], 0};
  double dy[n_states] = {0};
  macro_step(def, step, NULL, y, dy);
  memcpy(state, y, 2 * sizeof *state);
}

/* ---- The part ---- */

static void get_outputs(cosim_part *base, double *outputs) {
  const duffing *self = (const duffing *)base;
  outputs[duffing_x] = self->y[0];
  outputs[duffing_v] = self->y[1];
  outputs[duffing_a] = acceleration(&self->def, self->y, self->end);
  outputs[duffing_p] = self->y[2];
}

static void differentiate(const duffing *self, const cosim_step *step, const cosim_seed *seed, const double *begin,
                          double *change) {
  double y[n_states] = {begin[0], begin[1], 0};
  double dy[n_states] = {0};
  double du[duffing_inputs];
  macro_step(&self->def, step, seed, y, dy);
  changes_at(seed, 1 - 0.5 / n_micro_steps, 1, du);
  change[duffing_x] = dy[0];
  change[duffing_v] = dy[1];
  change[duffing_a] = acceleration_change(&self->def, y, dy, du);
  change[duffing_p] = dy[2];
}

static void wait_for(double seconds) {
  const struct timespec pause = {.tv_nsec = (long)(1e9 * seconds)};
  nanosleep(&pause, NULL);
}

static bool is_reached(double when, const cosim_step *step) { return when > 0 && step->t + step->H >= when; }

static seam_status advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                           seam_error *error) {
  duffing *self = (duffing *)base;
  double dy[n_states] = {0};
  if (self->def.pause > 0)
    wait_for(self->def.pause);
  if (is_reached(self->def.fails_at, step))
    return self->def.is_silent ? SEAM_BAD_STATE : seam_fail(error, SEAM_BAD_STATE, "the spring broke");
  for (int d = 0; d < step->n_seeds; d++)
    differentiate(self, step, &step->seeds[d], self->y, derivatives + d * base->n_outputs);
  self->y[2] = 0;
  macro_step(&self->def, step, NULL, self->y, dy);
  for (int i = 0; i < duffing_inputs; i++)
    self->end[i] = cosim_signal_value(&step->inputs[i], 1);
  get_outputs(base, outputs);
  if (is_reached(self->def.breaks_at, step))
    outputs[duffing_v] = NAN;
  return SEAM_OK;
}

static void save(const cosim_part *base, double *state) {
  memcpy(state, ((const duffing *)base)->y, 2 * sizeof *state);
}

static void restore(cosim_part *base, const double *state) { memcpy(((duffing *)base)->y, state, 2 * sizeof *state); }

static void destroy(cosim_part *base) { free(base); }

cosim_part *duffing_create(const duffing_def *def) {
  static const cosim_part_ops can_go_back = {
      .advance = advance, .get_outputs = get_outputs, .save = save, .restore = restore, .destroy = destroy};
  static const cosim_part_ops cannot = {.advance = advance, .get_outputs = get_outputs, .destroy = destroy};
  duffing *self = calloc(1, sizeof *self);
  cr_assert_not_null(self);
  self->base = (cosim_part){.ops = def->cannot_go_back ? &cannot : &can_go_back,
                            .name = def->name,
                            .n_inputs = duffing_inputs,
                            .n_outputs = duffing_outputs,
                            .n_state = def->cannot_go_back ? 0 : 2,
                            .gives_derivatives = !def->has_no_derivatives};
  self->def = *def;
  self->y[0] = def->x;
  self->y[1] = def->v;
  return &self->base;
}

cosim_side duffing_side(int part) {
  return (cosim_side){.part = part,
                      .force_input = duffing_force,
                      .position_input = duffing_position,
                      .velocity_input = duffing_velocity,
                      .acceleration_input = -1,
                      .position = duffing_x,
                      .velocity = duffing_v,
                      .acceleration = duffing_a,
                      .position_integral = duffing_p,
                      .multiplier = -1};
}

/* ---- Pairs ---- */

void duffing_couple(duffing_pair *pair, const char *scheme, const cosim_master_options *options) {
  const double stiffness = 20;
  const double damping = 0.5;
  cosim_part *parts[2];
  seam_error error = {0};
  pair->spring = cosim_linear_element_of(1, &stiffness, &damping);
  cosim_cut cut = {.name = "spring", .element = &pair->spring.base, .side = {duffing_side(0), duffing_side(1)}};
  cr_assert_eq(cosim_scheme_for(scheme, false, &cut.scheme, &error), SEAM_OK, "%s", error.message);
  for (int side = 0; side < 2; side++) {
    const bool by_motion = cosim_scheme_receives_motion(&cut.scheme, side);
    pair->def[side].cc = by_motion ? stiffness : 0;
    pair->def[side].dc = by_motion ? damping : 0;
    parts[side] = duffing_create(&pair->def[side]);
  }
  cr_assert_eq(cosim_master_create(parts, 2, &cut, 1, options, &pair->master, &error), SEAM_OK, "%s", error.message);
}
