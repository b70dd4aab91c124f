/* Measures: elements that only have quantities. Each kind has a section. */
#include <math.h>
#include <string.h>

#include "mbs/output/measurements.h"
#include "mbs/output/readout.h"

/* ---- Point ---- */

/* Position x = r + R s of a point fixed on a body, its velocity and its acceleration relative to the ground
 * (mbs_marker_motion()). Their components are along the axes of the ground or of a body with the angle φ: R(φ)ᵀ x,
 * R(φ)ᵀ ẋ, R(φ)ᵀ ẍ. */

/* Returns the changes of x, ẋ and ẍ of the point along a direction. p = R s is the point's offset from the centre of
 * mass, α the angular acceleration:
 *
 *   δx = δr + p⊥ δφ,   δẋ = δṙ + p⊥ δω - p ω δφ,   δẍ = δr̈ + p⊥ (δα - ω² δφ) - p (α δφ + 2 ω δω). */
static mbs_motion motion_change(const mbs_frame *f, mbs_vector marker, const double *a, const mbs_direction *along,
                                int body) {
  mbs_motion d = {.x = {0}};
  if (body == 0)
    return d;
  const mbs_vector p = mbs_rotate(f, marker);
  const double *dq = along->q + 3 * (body - 1);
  const double *dv = along->v + 3 * (body - 1);
  const double *da = along->a + 3 * (body - 1);
  const double inward[3] = {0, f->omega * dq[2], a[2] * dq[2] + 2 * f->omega * dv[2]};
  const double across[3] = {dq[2], dv[2], da[2] - f->omega * f->omega * dq[2]};
  const double *const of_body[3] = {dq, dv, da};
  double *const levels[3] = {d.x, d.v, d.a};
  for (int i = 0; i < 3; i++) {
    levels[i][0] = of_body[i][0] - p.y * across[i] - p.x * inward[i];
    levels[i][1] = of_body[i][1] + p.x * across[i] - p.y * inward[i];
  }
  return d;
}

static void find_point(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *measure = &at->ws->model->measures[number];
  const int body = measure->body[0];
  const mbs_frame *axes = &at->ws->frames[measure->axes];
  const double *a = body == 0 ? NULL : at->state->a + 3 * (body - 1);
  const mbs_motion m = mbs_marker_motion(&at->ws->frames[body], measure->marker[0], a);
  mbs_motion d = {.x = {0}};
  if (at->along != NULL)
    d = motion_change(&at->ws->frames[body], measure->marker[0], a, at->along, body);
  const double *const levels[] = {m.x, m.v, m.a};
  const double *const changed[] = {d.x, d.v, d.a};
  for (int i = 0; i < 3; i++) {
    const mbs_vector x = {levels[i][0], levels[i][1]};
    const mbs_vector c = at->along == NULL ? mbs_rotate_back(axes, x)
                                           : mbs_components_change(axes, x, (mbs_vector){changed[i][0], changed[i][1]},
                                                                   mbs_angle_change(at->along, measure->axes));
    values[2 * i] = c.x;
    values[2 * i + 1] = c.y;
  }
  values[6] = at->along == NULL ? hypot(m.v[0], m.v[1])
                                : mbs_length_change((mbs_vector){m.v[0], m.v[1]}, (mbs_vector){d.v[0], d.v[1]});
}

static const mbs_quantity_group motion_of_point = {
    .n = 7,
    .row = {{"x", "m", "position of the point"},
            {"y", "m", "position of the point"},
            {"vx", "m/s", "velocity of the point"},
            {"vy", "m/s", "velocity of the point"},
            {"ax", "m/s2", "acceleration of the point"},
            {"ay", "m/s2", "acceleration of the point"},
            {"speed", "m/s", "magnitude of the velocity"}},
    .is_usual = true,
    .needs_dynamics = 1U << 4 | 1U << 5,
    .needs_accelerations = 1U << 4 | 1U << 5,
    .needs = MBS_FRAMES,
    .find = find_point,
};
static const mbs_quantity_group *const of_point[] = {&motion_of_point, NULL};

const mbs_measure_type mbs_measured_point = {
    .min_bodies = 1, .max_bodies = 1, .has_axes = true, .quantities = of_point};

/* ---- Distance ---- */

/* Distance of two points: s = |d|, ṡ = J v, s̈ = J a + vᵀ H v (mbs/model/kinematics.c), with d from the first point to
 * the second. If the points coincide, |d| has no derivative. Then ṡ and s̈ are the one-sided derivatives of |d| towards
 * later times. They follow from d = ḋ τ + d̈ τ²/2 after a time τ > 0:
 *
 *   ṡ = |ḋ|,   s̈ = u · d̈,  u = ḋ / |ḋ|;   if ḋ = 0 too, s̈ = |d̈| */

/* Derivatives along a direction are not finite if the points coincide. */
static void find_distance(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *measure = &at->ws->model->measures[number];
  const mbs_pair pair = {{&at->ws->frames[measure->body[0]], &at->ws->frames[measure->body[1]]},
                         {measure->marker[0], measure->marker[1]}};
  mbs_relative_coordinate distance;
  mbs_curvature curvature;
  mbs_relative_distance(&pair, &distance);
  if (at->along != NULL) {
    mbs_curvature_distance(&pair, &curvature);
    mbs_relative_motion_change(&distance, &curvature, measure->body, at->state->a, at->along, values);
    return;
  }
  mbs_relative_motion(&distance, &pair, measure->body, at->state->a, values);
  if (values[0] == 0) {
    mbs_relative_coordinate gap[2];
    double x[3], y[3];
    mbs_relative_gap(&pair, gap);
    mbs_relative_motion(&gap[0], &pair, measure->body, at->state->a, x);
    mbs_relative_motion(&gap[1], &pair, measure->body, at->state->a, y);
    values[1] = hypot(x[1], y[1]);
    values[2] = values[1] > 0 ? (x[1] * x[2] + y[1] * y[2]) / values[1] : hypot(x[2], y[2]);
  }
}

static const mbs_quantity_group length = {
    .n = 3,
    .row = {{"length", "m", "distance of the points"},
            {"rate", "m/s", "rate of the length"},
            {"acceleration", "m/s2", "second rate of the length"}},
    .is_usual = true,
    .needs_dynamics = 1U << 2,
    .needs_accelerations = 1U << 2,
    .needs = MBS_FRAMES,
    .find = find_distance,
};
static const mbs_quantity_group *const of_distance[] = {&length, NULL};

const mbs_measure_type mbs_measured_distance = {.min_bodies = 2, .max_bodies = 2, .quantities = of_distance};

/* ---- Set of bodies ---- */

/* A set of bodies with the total mass M: common centre of mass r_S, momentum p and angular momentum L,
 *
 *   r_S = Σ m r / M,   p = Σ m ṙ,   L = Σ (J ω + m r × ṙ)   about the origin,   L - r_S × p   about r_S */

typedef struct sums {
  double mass;
  double m[3][2]; /* sums of m r, m ṙ, m r̈ */
  double angular;
} sums;

/* Returns the sums over the bodies of measure `number`. m has the sums or, along a direction, their changes; mass and
 * angular are those of the state in both cases. */
static sums sums_of(const mbs_reading *at, int number) {
  const double *const of_state[3] = {at->state->q, at->state->v, at->state->a};
  const double *const *levels =
      at->along == NULL ? of_state : (const double *const[3]){at->along->q, at->along->v, at->along->a};
  const mbs_named_measure *set = &at->ws->model->measures[number];
  sums s = {0};
  for (int k = 0; k < set->n_bodies; k++) {
    const double *mass = at->ws->model->mass + 3 * set->body[k];
    const double *q = at->state->q + 3 * (set->body[k] - 1);
    const double *v = at->state->v + 3 * (set->body[k] - 1);
    s.mass += mass[0];
    for (int level = 0; level < 3; level++)
      for (int i = 0; i < 2; i++)
        s.m[level][i] += mass[0] * levels[level][3 * (set->body[k] - 1) + i];
    s.angular += mass[2] * v[2] + mass[0] * (q[0] * v[1] - q[1] * v[0]);
  }
  return s;
}

static void find_motion(const mbs_reading *at, int number, double *values) {
  const sums s = sums_of(at, number);
  for (int level = 0; level < 3; level++)
    for (int i = 0; i < 2; i++)
      values[2 * level + i] = s.m[level][i] / s.mass;
}

static void find_momentum(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *set = &at->ws->model->measures[number];
  const sums s = sums_of(&(mbs_reading){at->ws, at->state, NULL}, number);
  double d[6];
  memcpy(values, s.m[1], sizeof s.m[1]);
  values[2] = s.angular;
  values[3] = s.angular - (s.m[0][0] * s.m[1][1] - s.m[0][1] * s.m[1][0]) / s.mass;
  if (at->along == NULL)
    return;
  find_motion(at, number, d);
  values[0] = s.mass * d[2];
  values[1] = s.mass * d[3];
  values[2] = 0;
  for (int k = 0; k < set->n_bodies; k++) {
    const double *mass = at->ws->model->mass + 3 * set->body[k];
    const int first = 3 * (set->body[k] - 1);
    const double *q = at->state->q + first;
    const double *v = at->state->v + first;
    const double *dq = at->along->q + first;
    const double *dv = at->along->v + first;
    values[2] += mass[2] * dv[2] + mass[0] * (dq[0] * v[1] - dq[1] * v[0] + q[0] * dv[1] - q[1] * dv[0]);
  }
  values[3] = values[2] - (d[0] * s.m[1][1] - d[1] * s.m[1][0] + s.m[0][0] * d[3] - s.m[0][1] * d[2]);
}

static void find_energies(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *set = &at->ws->model->measures[number];
  values[0] = values[1] = 0;
  for (int k = 0; k < set->n_bodies; k++) {
    double of_body[2];
    mbs_body_energies(at, set->body[k] - 1, of_body);
    values[0] += of_body[0];
    values[1] += of_body[1];
  }
}

static const mbs_quantity_group motion_of_set = {
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
static const mbs_quantity_group *const of_set[] = {&motion_of_set, &momentum, &energies, NULL};

const mbs_measure_type mbs_measured_set = {
    .min_bodies = 1, .max_bodies = (size_t)-1, .moves = true, .quantities = of_set};

/* ---- Reaction ---- */

/* Reaction f of a joint on its first body. Its components are along the axes of a chosen body with the angle φ: R(φ)ᵀ
 * f. */

static void find_reaction(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *measure = &at->ws->model->measures[number];
  mbs_reaction_along(at, measure->joint, &at->ws->frames[measure->axes], measure->axes, values);
}

static const mbs_quantity_group reaction = {
    .n = 3,
    .row = {{"fx", "N", "reaction on the first body, along the x axis of the measure"},
            {"fy", "N", "reaction on the first body, along the y axis of the measure"},
            {"torque", "Nm", "reaction on the first body, about its marker"}},
    .is_usual = true,
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .find = find_reaction,
};
static const mbs_quantity_group *const of_reaction[] = {&reaction, NULL};

const mbs_measure_type mbs_measured_reaction = {.has_axes = true, .has_joint = true, .quantities = of_reaction};

/* ---- Expression ---- */

/* A measure that is a function of quantities, or another name for one quantity. */

static void find_expression(const mbs_reading *at, int number, double *values) {
  const mbs_named_measure *measure = &at->ws->model->measures[number];
  const mbs_function *function = &measure->function;
  mbs_read_evaluated(measure->inputs, at->ws, at->state, NULL, at->ws->inputs);
  if (at->along == NULL) {
    *values = function->value != NULL ? function->value(function->data, at->ws->inputs) : at->ws->inputs[0];
    return;
  }
  mbs_read_evaluated(measure->inputs, at->ws, at->state, at->along, at->ws->input_changes);
  *values = function->value != NULL ? function->change(function->data, at->ws->inputs, at->ws->input_changes)
                                    : at->ws->input_changes[0];
}

static const mbs_quantity_group result = {
    .n = 1, .row = {{"", NULL, "function of other quantities"}}, .is_usual = true, .find = find_expression};
static const mbs_quantity_group *const of_expression[] = {&result, NULL};

const mbs_measure_type mbs_measured_expression = {.has_function = true, .quantities = of_expression};
