/* What force elements offer. With the forces Q on both bodies and the measures s of the element:
 *
 *   length or angle  s,   rate  J v,   acceleration  J a + vᵀ H v
 *   force or torque  P of Q = P Jᵀ: it drives s, positive extends
 *   power            Q · v, the rate of work on the bodies; what the damper takes besides is its loss */
#include <math.h>
#include <string.h>

#include "mbs/elastic.h"
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
  double own[2];
  const double *z = mbs_numbers(ws, force, state->z, own);
  force->type->load(force, &l.pair, mbs_law_time(ws, state->t), z, l.Q, &l.power);
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

static void read_power(const mbs_workspace *ws, const mbs_state *state, int number, double *values) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  values[0] = work_rate(&l);
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

/* ---- Derivatives ---- */

typedef struct load_change {
  double dQ[6], dq[6], dv[6];
} load_change;

/* Adds Q_z δz + Q_u δu. */
static void add_other_changes(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                              const mbs_force *force, const mbs_pair *pair, double dQ[6]) {
  mbs_state_gradient gradient;
  double push[6];
  if (force->type->states != NULL && along->z != NULL) {
    force->type->states->derivatives(force, pair, mbs_command(force, ws->response, mbs_law_time(ws, state->t)),
                                     state->z + force->state, &gradient);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < force->type->states->n; k++)
        dQ[i] += gradient.Qz[i][k] * along->z[force->state + k];
  }
  for (int k = 0; k < force->type->n_laws && force->type->push != NULL; k++) {
    if (force->law[k] < 0)
      continue;
    force->type->push(force, pair, k, push);
    for (int i = 0; i < 6; i++)
      dQ[i] += push[i] * ws->response_change[force->law[k]];
  }
}

/* δQ = Kq δq + Kv δv + Q_z δz + Q_u δu. */
static load_change change_of_load(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                                  const mbs_force *force) {
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  double Kq[6][6];
  double Kv[6][6];
  load_change c = {.dQ = {0}};
  double own[2];
  const double *z = mbs_numbers(ws, force, state->z, own);
  force->type->derivatives(force, &pair, mbs_law_time(ws, state->t), z, Kq, Kv);
  mbs_gather(force->body, along->q, c.dq);
  mbs_gather(force->body, along->v, c.dv);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      c.dQ[i] += Kq[i][j] * c.dq[j] + Kv[i][j] * c.dv[j];
  add_other_changes(ws, state, along, force, &pair, c.dQ);
  return c;
}

/* δ(Q · v). */
static double work_rate_change(const loaded *l, const load_change *c) {
  return mbs_row_rate(c->dQ, &l->pair) + mbs_dot6(l->Q, c->dv);
}

/* Of the element's only measure; a cylinder's is a distance. */
static void curve(const mbs_force *force, const mbs_pair *pair, mbs_curvature *curvature) {
  if (force->type->curvature != NULL)
    force->type->curvature(force, pair, curvature);
  else
    mbs_curvature_distance(pair, curvature);
}

static void change_stretch(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                           double *changes) {
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure s;
  mbs_curvature curvature;
  force->type->measure(force, &pair, &s);
  curve(force, &pair, &curvature);
  mbs_measure_motion_change(&s, &curvature, force->body, state->a, along, changes);
  changes[3] = changes[0];
}

/* P = J · Q / |J|². */
static void change_push(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  mbs_measure s;
  mbs_curvature curvature;
  double dJ[6];
  force->type->measure(force, &l.pair, &s);
  curve(force, &l.pair, &curvature);
  for (int i = 0; i < 6; i++)
    dJ[i] = mbs_dot6(curvature.H[i], c.dq);
  changes[0] =
      (mbs_dot6(dJ, l.Q) + mbs_dot6(s.J, c.dQ) - 2 * mbs_push(s.J, l.Q) * mbs_dot6(s.J, dJ)) / mbs_dot6(s.J, s.J);
}

/* Of (F(s, v) - F(s, 0)) v, summed over the measures; a cylinder's damper is c v. */
static double loss_change(const mbs_force *force, const mbs_state *state, const loaded *l, const load_change *c) {
  const mbs_elastic_law drag = {.damping = force->hydraulics.dissipation};
  mbs_measure m[3];
  double change = 0;
  force->type->measure(force, &l->pair, m);
  for (int k = 0; k < force->type->n_measures; k++) {
    const mbs_elastic_law *law = force->type->potential != NULL ? &force->elastic[k] : &drag;
    const double s = m[k].s - force->rest[k];
    const double v = mbs_measure_rate(&m[k], &l->pair);
    const mbs_mode mode = mbs_held_mode_in(force, state, k);
    const seam_jet moving = mbs_elastic_jet(law, s, v, mode);
    const seam_jet resting = mbs_elastic_rest_jet(law, s, mode);
    change += (moving.d[0] - resting.d[0]) * v * mbs_dot6(m[k].J, c->dq) +
              (moving.d[1] * v + moving.value - resting.value) * (mbs_dot6(m[k].Jdot, c->dq) + mbs_dot6(m[k].J, c->dv));
  }
  return change;
}

static void change_work(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  changes[0] = work_rate_change(&l, &c);
  changes[1] = loss_change(force, state, &l, &c);
  if (force->type->other_loss_change != NULL)
    changes[1] += force->type->other_loss_change(force, &l.pair, state->z + force->state, c.dq, c.dv);
}

static void change_power(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                         double *changes) {
  const loaded l = load_of(ws, state, force_at(ws, number));
  const load_change c = change_of_load(ws, state, along, force_at(ws, number));
  changes[0] = work_rate_change(&l, &c);
}

static void change_ends(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  const load_change c = change_of_load(ws, state, along, force_at(ws, number));
  memcpy(changes, c.dQ, 2 * sizeof *changes);
}

/* δV = Σ F(s, 0) J δq. */
double mbs_potential_change(const mbs_workspace *ws, const mbs_direction *along, int number) {
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure m[3];
  double dq[6];
  double change = 0;
  if (force->type->potential == NULL)
    return 0;
  force->type->measure(force, &pair, m);
  mbs_gather(force->body, along->q, dq);
  for (int k = 0; k < force->type->n_measures; k++)
    change += mbs_elastic_rest_jet(&force->elastic[k], m[k].s - force->rest[k], force->elastic[k].mode).value *
              mbs_dot6(m[k].J, dq);
  return change;
}

static void change_potential(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                             double *changes) {
  (void)state;
  changes[0] = mbs_potential_change(ws, along, number);
}

static void change_states(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *changes) {
  (void)state;
  const mbs_force *force = force_at(ws, number);
  for (int i = 0; i < force->type->states->n; i++)
    changes[i] = along->z != NULL ? along->z[force->state + i] : 0;
}

static void change_wrench(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *changes) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  mbs_wrench_change(l.pair.frame[0], force->marker[0], l.Q, c.dq[2], c.dQ, changes);
}

static void change_gap(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                       double *changes) {
  (void)state;
  const mbs_force *force = force_at(ws, number);
  const mbs_pair pair = mbs_force_pair(force, ws->frames);
  mbs_measure s[3];
  double dq[6];
  double dv[6];
  force->type->measure(force, &pair, s);
  mbs_gather(force->body, along->q, dq);
  mbs_gather(force->body, along->v, dv);
  for (int k = 0; k < 3; k++) {
    changes[k] = mbs_dot6(s[k].J, dq);
    changes[3 + k] = mbs_dot6(s[k].Jdot, dq) + mbs_dot6(s[k].J, dv);
  }
}

static void change_chord(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                         double *changes) {
  double of_gap[6];
  change_gap(ws, state, along, number, of_gap);
  changes[0] = changes[2] = of_gap[0];
  changes[1] = of_gap[3];
  changes[3] = of_gap[2];
}

/* Along the chord u: δ(u · f) = u · δf + (n · f) (n · δd) / |d|. */
static void change_beam(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  double on_second[3];
  mbs_measure gap[2];
  mbs_wrench_change(l.pair.frame[0], force->marker[0], l.Q, c.dq[2], c.dQ, changes);
  mbs_wrench_change(l.pair.frame[1], force->marker[1], l.Q + 3, c.dq[5], c.dQ + 3, on_second);
  mbs_measure_gap(&l.pair, gap);
  const double length = hypot(gap[0].s, gap[1].s);
  const mbs_vector u = {gap[0].s / length, gap[1].s / length};
  const mbs_vector dd = {mbs_dot6(gap[0].J, c.dq), mbs_dot6(gap[1].J, c.dq)};
  changes[3] = on_second[2];
  changes[4] =
      u.x * on_second[0] + u.y * on_second[1] + mbs_cross(u, (mbs_vector){l.Q[3], l.Q[4]}) * mbs_cross(u, dd) / length;
}

static void change_turning(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                           double *changes) {
  const mbs_force *force = force_at(ws, number);
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  changes[0] = c.dQ[2];
  changes[1] = work_rate_change(&l, &c);
}

/* Forces and power of one element on one body. */
static void add_pull_change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                            const mbs_force *force, double changes[3]) {
  const loaded l = load_of(ws, state, force);
  const load_change c = change_of_load(ws, state, along, force);
  changes[0] += c.dQ[0];
  changes[1] += c.dQ[1];
  changes[2] += work_rate_change(&l, &c);
}

static void change_drag(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  const mbs_model *model = ws->model;
  memset(changes, 0, 3 * sizeof *changes);
  for (int i = number; i < model->n_forces && model->forces[i].name == model->forces[number].name; i++)
    add_pull_change(ws, state, along, &model->forces[i], changes);
}

static void change_pull(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *changes) {
  memset(changes, 0, 3 * sizeof *changes);
  add_pull_change(ws, state, along, force_at(ws, number), changes);
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
    .follows = 1U << 2,
    .accelerates = 1U << 2,
    .needs = MBS_FRAMES,
    .read = read_stretch,
    .change = change_stretch,
};
static const mbs_quantity_group push = {
    .n = 1, .row = {PUSH}, .of_load = true, .needs = MBS_FRAMES, .read = read_push, .change = change_push};
static const mbs_quantity_group thrust = {.n = 1,
                                          .row = {PUSH},
                                          .is_usual = true,
                                          .of_load = true,
                                          .needs = MBS_FRAMES,
                                          .read = read_push,
                                          .change = change_push};
static const mbs_quantity_group ends = {.n = 2,
                                        .row = {ON_FIRST_X, ON_FIRST_Y},
                                        .of_load = true,
                                        .needs = MBS_FRAMES,
                                        .read = read_ends,
                                        .change = change_ends};
static const mbs_quantity_group work = {.n = 2,
                                        .row = {POWER, {"loss", "W", "power lost in its damper and in friction"}},
                                        .of_load = true,
                                        .needs = MBS_FRAMES,
                                        .read = read_work,
                                        .change = change_work};
static const mbs_quantity_group drive = {
    .n = 1, .row = {POWER}, .needs = MBS_FRAMES, .read = read_power, .change = change_power};
static const mbs_quantity_group potential = {.n = 1,
                                             .row = {{"potential", "J", "potential energy, zero without load"}},
                                             .needs = MBS_FRAMES,
                                             .read = read_potential,
                                             .change = change_potential};
static const mbs_quantity_group twist = {
    .n = 4,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"alpha", "rad/s2", "second rate of the angle"},
            {"stretch", "rad", "angle less that of rest"}},
    .follows = 1U << 2,
    .accelerates = 1U << 2,
    .needs = MBS_FRAMES,
    .read = read_stretch,
    .change = change_stretch,
};
#define TURNING_PUSH                                                                                                   \
  { "torque", "Nm", "torque that drives its angle, positive extends" }
static const mbs_quantity_group turning_push = {
    .n = 1, .row = {TURNING_PUSH}, .of_load = true, .needs = MBS_FRAMES, .read = read_push, .change = change_push};
static const mbs_quantity_group shaft_torque = {.n = 1,
                                                .row = {TURNING_PUSH},
                                                .is_usual = true,
                                                .of_load = true,
                                                .needs = MBS_FRAMES,
                                                .read = read_push,
                                                .change = change_push};
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
    .change = change_gap,
};
static const mbs_quantity_group wrench = {
    .n = 3,
    .row = {ON_FIRST_X, ON_FIRST_Y, {"torque", "Nm", "torque on the first body, about its marker"}},
    .of_load = true,
    .needs = MBS_FRAMES,
    .read = read_wrench,
    .change = change_wrench,
};
static const mbs_quantity_group chord = {
    .n = 4,
    .row = {{"length", "m", "distance of its ends"},
            {"rate", "m/s", "rate of the length"},
            {"stretch", "m", "length less that of rest"},
            {"bend", "rad", "angle of the second end against the first, less that of rest"}},
    .needs = MBS_FRAMES,
    .read = read_chord,
    .change = change_chord,
};
static const mbs_quantity_group beam = {
    .n = 5,
    .row = {ON_FIRST_X,
            ON_FIRST_Y,
            {"torque", "Nm", "torque on the first body, about its marker"},
            {"torque2", "Nm", "torque on the second body, about its marker"},
            PUSH},
    .of_load = true,
    .needs = MBS_FRAMES,
    .read = read_beam,
    .change = change_beam,
};
static const mbs_quantity_group pressures = {
    .n = 2,
    .row = {{"p1", "Pa", "pressure of the chamber that shrinks with the length"},
            {"p2", "Pa", "pressure of the chamber that grows with the length"}},
    .is_usual = true,
    .read = read_states,
    .change = change_states,
};
static const mbs_quantity_group turning = {.n = 2,
                                           .row = {{"torque", "Nm", "torque on the body"}, POWER},
                                           .of_load = true,
                                           .needs = MBS_FRAMES,
                                           .read = read_turning,
                                           .change = change_turning};
static const mbs_quantity_group drag = {.n = 3,
                                        .row = {{"fx", "N", "sum of the forces on its bodies"},
                                                {"fy", "N", "sum of the forces on its bodies"},
                                                {"power", "W", "rate of its work on all its bodies"}},
                                        .of_load = true,
                                        .needs = MBS_FRAMES,
                                        .read = read_drag,
                                        .change = change_drag};
static const mbs_quantity_group pull = {
    .n = 3,
    .row = {{"fx", "N", "force on the body"}, {"fy", "N", "force on the body"}, POWER},
    .of_load = true,
    .needs = MBS_FRAMES,
    .read = read_pull,
    .change = change_pull};

/* ---- What force elements offer ---- */

#define LIST(name, ...) static const mbs_quantity_group *const name[] = {__VA_ARGS__}
LIST(of_viscous, &drag, NULL);
LIST(of_spring, &push, &stretch, &ends, &work, &potential, NULL);
LIST(of_torsion, &turning_push, &twist, &work, &potential, NULL);
LIST(of_bushing, &wrench, &gap, &work, &potential, NULL);
LIST(of_beam, &beam, &chord, &work, &potential, NULL);
LIST(of_point_force, &pull, NULL);
LIST(of_torque, &turning, NULL);
LIST(of_cylinder, &pressures, &thrust, &stretch, &ends, &work, NULL);
LIST(of_actuator, &thrust, &stretch, &ends, &drive, NULL);
LIST(of_rotary_actuator, &shaft_torque, &twist, &drive, NULL);
LIST(of_belt, &mbs_quantity_strands, &wrench, &work, &potential, NULL);
LIST(of_contact, &mbs_quantity_contact, &ends, &work, &potential, NULL);
LIST(of_stop, &mbs_quantity_stop, &work, &potential, NULL);
LIST(of_angle_stop, &mbs_quantity_angle_stop, &work, &potential, NULL);
#undef LIST

static const mbs_quantity_groups of_kind[MBS_FORCE_KINDS] = {
    [MBS_VISCOUS] = of_viscous,
    [MBS_SPRING_DAMPER] = of_spring,
    [MBS_TORSION] = of_torsion,
    [MBS_BUSHING] = of_bushing,
    [MBS_POINT_FORCE] = of_point_force,
    [MBS_TORQUE] = of_torque,
    [MBS_HYDRAULIC_CYLINDER] = of_cylinder,
    [MBS_BEAM] = of_beam,
    [MBS_DRAG] = of_point_force,
    [MBS_ACTUATOR] = of_actuator,
    [MBS_ROTARY_ACTUATOR] = of_rotary_actuator,
    [MBS_ELASTIC_BELT] = of_belt,
    [MBS_CONTACT] = of_contact,
    [MBS_STOP] = of_stop,
    [MBS_ROPE] = of_spring,
};
static const mbs_quantity_groups of_hard_kind[MBS_FORCE_KINDS] = {[MBS_CONTACT] = mbs_quantities_of_hard_contact,
                                                                  [MBS_STOP] = mbs_quantities_of_hard_stop,
                                                                  [MBS_ROPE] = mbs_quantities_of_hard_rope};

mbs_quantity_groups mbs_quantities_of_force(const mbs_model *model, int number) {
  const mbs_force *force = &model->forces[number];
  if (force->kind == MBS_STOP && force->stop.of == MBS_OF_ANGLE)
    return force->type->is_hard ? mbs_quantities_of_hard_angle_stop : of_angle_stop;
  return (force->type->is_hard ? of_hard_kind : of_kind)[force->kind];
}
