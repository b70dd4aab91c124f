/* A set of bodies with the total mass M: common centre of mass r_S, momentum p and angular momentum L,
 *
 *   r_S = Σ m r / M,   p = Σ m ṙ,   L = Σ (J ω + m r × ṙ)   about the origin,   L - r_S × p   about r_S */
#include <string.h>

#include "mbs/output/measurements.h"

typedef struct sums {
  double mass;
  double m[3][2]; /* sums of m r, m ṙ, m r̈ */
  double angular;
} sums;

/* Returns the sums over the bodies of measure `number`. Unless `along` is NULL, m has the changes of the sums along
 * this direction; mass and angular are those of the state in both cases. */
static sums sums_of(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number) {
  const double *const of_state[3] = {state->q, state->v, state->a};
  const double *const *levels = along == NULL ? of_state : (const double *const[3]){along->q, along->v, along->a};
  const mbs_named_measure *set = &ws->model->measures[number];
  sums s = {0};
  for (int k = 0; k < set->n_bodies; k++) {
    const double *mass = ws->model->mass + 3 * set->body[k];
    const double *q = state->q + 3 * (set->body[k] - 1);
    const double *v = state->v + 3 * (set->body[k] - 1);
    s.mass += mass[0];
    for (int level = 0; level < 3; level++)
      for (int i = 0; i < 2; i++)
        s.m[level][i] += mass[0] * levels[level][3 * (set->body[k] - 1) + i];
    s.angular += mass[2] * v[2] + mass[0] * (q[0] * v[1] - q[1] * v[0]);
  }
  return s;
}

static void find_motion(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                        double *values) {
  const sums s = sums_of(ws, state, along, number);
  for (int level = 0; level < 3; level++)
    for (int i = 0; i < 2; i++)
      values[2 * level + i] = s.m[level][i] / s.mass;
}

static void find_momentum(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *values) {
  const mbs_named_measure *set = &ws->model->measures[number];
  const sums s = sums_of(ws, state, NULL, number);
  double d[6];
  memcpy(values, s.m[1], sizeof s.m[1]);
  values[2] = s.angular;
  values[3] = s.angular - (s.m[0][0] * s.m[1][1] - s.m[0][1] * s.m[1][0]) / s.mass;
  if (along == NULL)
    return;
  find_motion(ws, state, along, number, d);
  values[0] = s.mass * d[2];
  values[1] = s.mass * d[3];
  values[2] = 0;
  for (int k = 0; k < set->n_bodies; k++) {
    const double *mass = ws->model->mass + 3 * set->body[k];
    const int first = 3 * (set->body[k] - 1);
    const double *q = state->q + first;
    const double *v = state->v + first;
    const double *dq = along->q + first;
    const double *dv = along->v + first;
    values[2] += mass[2] * dv[2] + mass[0] * (dq[0] * v[1] - dq[1] * v[0] + q[0] * dv[1] - q[1] * dv[0]);
  }
  values[3] = values[2] - (d[0] * s.m[1][1] - d[1] * s.m[1][0] + s.m[0][0] * d[3] - s.m[0][1] * d[2]);
}

static void find_energies(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int number,
                          double *values) {
  const mbs_named_measure *set = &ws->model->measures[number];
  values[0] = values[1] = 0;
  for (int k = 0; k < set->n_bodies; k++) {
    double of_body[2];
    mbs_body_energies(ws, state, along, set->body[k] - 1, of_body);
    values[0] += of_body[0];
    values[1] += of_body[1];
  }
}

static const mbs_quantity_group motion = {
    .n = 6,
    .row = {{"x", "m", "position of the common centre of mass"},
            {"y", "m", "position of the common centre of mass"},
            {"vx", "m/s", "velocity of the common centre of mass"},
            {"vy", "m/s", "velocity of the common centre of mass"},
            {"ax", "m/s2", "acceleration of the common centre of mass"},
            {"ay", "m/s2", "acceleration of the common centre of mass"}},
    .is_usual = true,
    .needs_dynamics = 1U << 4 | 1U << 5,
    .needs_accelerations = 1U << 4 | 1U << 5,
    .find = find_motion,
};
static const mbs_quantity_group momentum = {
    .n = 4,
    .row = {{"px", "Ns", "momentum"},
            {"py", "Ns", "momentum"},
            {"angular_momentum", "Nms", "angular momentum about the origin"},
            {"spin", "Nms", "angular momentum about the common centre of mass"}},
    .is_usual = true,
    .find = find_momentum,
};
static const mbs_quantity_group energies = {
    .n = 2,
    .row = {{"kinetic", "J", "kinetic energy"}, {"potential", "J", "potential energy of gravity, zero at y = 0"}},
    .is_usual = true,
    .find = find_energies,
};
static const mbs_quantity_group *const quantities[] = {&motion, &momentum, &energies, NULL};

const mbs_measure_type mbs_measured_set = {
    .min_bodies = 1, .max_bodies = (size_t)-1, .moves = true, .quantities = quantities};
