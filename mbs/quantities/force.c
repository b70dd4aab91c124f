/* What force elements offer. With the forces Q on both bodies and the measures s of the element:
 *
 *   length or angle  s,   rate  J v,   acceleration  J a + vᵀ H v
 *   force or torque  P of Q = P Jᵀ: it drives s, positive extends
 *   power            Q · v, the rate of work on the bodies; what the damper takes besides is its loss */
#include <math.h>
#include <string.h>

#include "mbs/quantity.h"
#include "mbs/workspace.h"

typedef struct loaded {
  mbs_pair pair;
  double Q[6];
  mbs_power power;
} loaded;

static const mbs_force *force_at(const mbs_workspace *ws, int force) { return &ws->model->forces[force]; }

static loaded load_of(const mbs_workspace *ws, const mbs_state *state, const mbs_force *force) {
  loaded l = {.pair = mbs_force_pair(force, ws->frames)};
  force->type->load(force, &l.pair, mbs_law_time(ws, state->t), state->z + force->state, l.Q, &l.power);
  return l;
}

static double work_rate(const loaded *l) { return mbs_row_rate(l->Q, &l->pair); }

/* ---- Along one measure ---- */

static void read_stretch(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure s;
  force->type->measure(force, &pair, &s);
  mbs_measure_motion(&s, &pair, force->body, state->a, values);
  values[3] = s.s - force->rest[0];
}

static double push_of(const mbs_force *force, const loaded *l) {
  mbs_measure s;
  force->type->measure(force, &l->pair, &s);
  return mbs_push(s.J, l->Q);
}

static void read_push(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  values[0] = push_of(force_at(ws, number), &l);
}

static void read_work(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  values[0] = work_rate(&l);
  values[1] = l.power.dissipated;
}

static void read_ends(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  memcpy(values, l.Q, 2 * sizeof *values);
}

static void read_potential(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  (void)state;
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  values[0] = force->type->potential(force, &pair);
}

static void read_states(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_force *force = force_at(ws, number);
  memcpy(values, state->z + force->state, (size_t)force->type->states->n * sizeof *values);
}

/* ---- Bushings ---- */

static void read_wrench(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  mbs_wrench_at(l.pair.frame[0], force->marker[0], l.Q, values);
}

static void read_gap(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  (void)state;
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure s[3];
  force->type->measure(force, &pair, s);
  for (int k = 0; k < 3; k++) {
    values[k] = s[k].s - force->rest[k];
    values[3 + k] = mbs_measure_rate(&s[k], &pair);
  }
}

/* ---- Beams ---- */

static void read_chord(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  (void)state;
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure s[3];
  force->type->measure(force, &pair, s);
  values[0] = s[0].s;
  values[1] = mbs_measure_rate(&s[0], &pair);
  values[2] = s[0].s - force->rest[0];
  values[3] = s[2].s - force->rest[2];
}

/* The force on the second body, along the chord. */
static void read_beam(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  double on_second[3];
  mbs_measure gap[2];
  mbs_wrench_at(l.pair.frame[0], force->marker[0], l.Q, values);
  mbs_wrench_at(l.pair.frame[1], force->marker[1], l.Q + 3, on_second);
  mbs_measure_gap(&l.pair, gap);
  values[3] = on_second[2];
  values[4] = (gap[0].s * on_second[0] + gap[1].s * on_second[1]) / hypot(gap[0].s, gap[1].s);
}

/* ---- Of one body ---- */

static void read_turning(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  values[0] = l.Q[2];
  values[1] = work_rate(&l);
}

/* On all its bodies, each of which has an element of the same name. */
static void read_drag(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const mbs_model *model = ws->model;
  const char *name = model->forces[number].name;
  memset(values, 0, 3 * sizeof *values);
  for (int i = number; i < model->n_forces && model->forces[i].name == name; i++) {
    const loaded l = load_of(ws, state, &model->forces[i]);
    values[0] += l.Q[0];
    values[1] += l.Q[1];
    values[2] += work_rate(&l);
  }
}

static void read_pull(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  memcpy(values, l.Q, 2 * sizeof *values);
  values[2] = work_rate(&l);
}

/* ---- The tables ---- */

#define LENGTH                                                                                                         \
  { "length", "m", "distance of its points, or its component along the axis" }
#define RATE                                                                                                           \
  { "rate", "m/s", "rate of the length" }
#define ACCELERATION                                                                                                   \
  { "acceleration", "m/s2", "second rate of the length" }
#define POWER                                                                                                          \
  { "power", "W", "rate of its work on the bodies" }
#define PUSH                                                                                                           \
  { "force", "N", "force that drives its length, positive extends" }
#define ON_FIRST_X                                                                                                     \
  { "fx", "N", "force on the first body" }
#define ON_FIRST_Y                                                                                                     \
  { "fy", "N", "force on the first body" }

static const mbs_quantity_group stretch = {
    .n = 4,
    .row = {LENGTH, RATE, ACCELERATION, {"stretch", "m", "length less that of rest"}},
    .needs = MBS_FRAMES,
    .read = read_stretch,
};
static const mbs_quantity_group push = {.n = 1, .row = {PUSH}, .needs = MBS_FRAMES, .read = read_push};
static const mbs_quantity_group thrust = {
    .n = 1, .row = {PUSH}, .is_usual = true, .needs = MBS_FRAMES, .read = read_push};
static const mbs_quantity_group ends = {
    .n = 2, .row = {ON_FIRST_X, ON_FIRST_Y}, .needs = MBS_FRAMES, .read = read_ends};
static const mbs_quantity_group work = {
    .n = 2, .row = {POWER, {"loss", "W", "power lost in its damper"}}, .needs = MBS_FRAMES, .read = read_work};
static const mbs_quantity_group potential = {.n = 1,
                                             .row = {{"potential", "J", "potential energy, zero without load"}},
                                             .needs = MBS_FRAMES,
                                             .read = read_potential};
static const mbs_quantity_group twist = {
    .n = 4,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"alpha", "rad/s2", "second rate of the angle"},
            {"stretch", "rad", "angle less that of rest"}},
    .needs = MBS_FRAMES,
    .read = read_stretch,
};
static const mbs_quantity_group turning_push = {
    .n = 1,
    .row = {{"torque", "Nm", "torque that drives its angle, positive extends"}},
    .needs = MBS_FRAMES,
    .read = read_push};
static const mbs_quantity_group gap = {
    .n = 6,
    .row = {{"x", "m", "second marker from the first, in the axes of the bushing"},
            {"y", "m", "second marker from the first, in the axes of the bushing"},
            {"phi", "rad", "angle of the second body against the first, less that of rest"},
            {"vx", "m/s", "rate of x"},
            {"vy", "m/s", "rate of y"},
            {"omega", "rad/s", "rate of phi"}},
    .needs = MBS_FRAMES,
    .read = read_gap,
};
static const mbs_quantity_group wrench = {
    .n = 3,
    .row = {ON_FIRST_X, ON_FIRST_Y, {"torque", "Nm", "torque on the first body, about its marker"}},
    .needs = MBS_FRAMES,
    .read = read_wrench,
};
static const mbs_quantity_group chord = {
    .n = 4,
    .row = {{"length", "m", "distance of its ends"},
            {"rate", "m/s", "rate of the length"},
            {"stretch", "m", "length less that of rest"},
            {"bend", "rad", "angle of the second end against the first, less that of rest"}},
    .needs = MBS_FRAMES,
    .read = read_chord,
};
static const mbs_quantity_group beam = {
    .n = 5,
    .row = {ON_FIRST_X,
            ON_FIRST_Y,
            {"torque", "Nm", "torque on the first body, about its marker"},
            {"torque2", "Nm", "torque on the second body, about its marker"},
            PUSH},
    .needs = MBS_FRAMES,
    .read = read_beam,
};
static const mbs_quantity_group pressures = {
    .n = 2,
    .row = {{"p1", "Pa", "pressure of the chamber that shrinks with the length"},
            {"p2", "Pa", "pressure of the chamber that grows with the length"}},
    .is_usual = true,
    .read = read_states,
};
static const mbs_quantity_group turning = {
    .n = 2, .row = {{"torque", "Nm", "torque on the body"}, POWER}, .needs = MBS_FRAMES, .read = read_turning};
static const mbs_quantity_group drag = {.n = 3,
                                        .row = {{"fx", "N", "sum of the forces on its bodies"},
                                                {"fy", "N", "sum of the forces on its bodies"},
                                                {"power", "W", "rate of its work on all its bodies"}},
                                        .needs = MBS_FRAMES,
                                        .read = read_drag};
static const mbs_quantity_group pull = {
    .n = 3,
    .row = {{"fx", "N", "force on the body"}, {"fy", "N", "force on the body"}, POWER},
    .needs = MBS_FRAMES,
    .read = read_pull};

const mbs_quantity_group *const mbs_quantities_of_viscous[] = {&drag, NULL};
const mbs_quantity_group *const mbs_quantities_of_spring[] = {&push, &stretch, &ends, &work, &potential, NULL};
const mbs_quantity_group *const mbs_quantities_of_torsion[] = {&turning_push, &twist, &work, &potential, NULL};
const mbs_quantity_group *const mbs_quantities_of_bushing[] = {&wrench, &gap, &work, &potential, NULL};
const mbs_quantity_group *const mbs_quantities_of_beam[] = {&beam, &chord, &work, &potential, NULL};
const mbs_quantity_group *const mbs_quantities_of_point_force[] = {&pull, NULL};
const mbs_quantity_group *const mbs_quantities_of_torque[] = {&turning, NULL};
const mbs_quantity_group *const mbs_quantities_of_cylinder[] = {&pressures, &thrust, &stretch, &ends, &work, NULL};
