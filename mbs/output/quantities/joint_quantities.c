/* Quantities of joints. f is the reaction on the first body, R₁ the rotation of this body. The joint's axis e is fixed
 * on it, n = e⊥:
 *
 *   in_body  R₁ᵀ f, f along the axes of the body;   along_axis  e · f, n · f
 *   slide    s = e · d of the vector d between the markers,   ṡ = J v,  s̈ = J a + vᵀ H v
 *   speed    e · (v + ω p⊥) of a skate at the offset p from the centre of mass
 *   tension  λ along the line between the markers: Q = -Jᵀ λ, J = u · ∂d (mbs/model/kinematics.c)
 *   pull     λ of a belt, whose residual is a length
 *   power    -λ times the prescribed rate of a motion,   drive  -λ */
#include <math.h>

#include "mbs/model/friction.h"
#include "mbs/output/measurements.h"

static const mbs_joint *joint_at(const mbs_workspace *ws, int joint) { return &ws->model->joints[joint]; }

static void find_reaction(const mbs_reading *at, int joint, double *values) {
  if (at->along == NULL)
    mbs_reaction_evaluated(at->ws, at->state, joint, values);
  else
    mbs_reaction_change(at, joint, values);
}

static void find_in_body(const mbs_reading *at, int joint, double *values) {
  const mbs_joint *of = joint_at(at->ws, joint);
  const mbs_frame *body = &at->ws->frames[of->frame[0]];
  double f[3];
  double c[3];
  mbs_reaction_evaluated(at->ws, at->state, joint, f);
  mbs_reaction_along(at, joint, body, of->body[0], c);
  values[0] = at->along == NULL
                  ? hypot(f[0], f[1])
                  : mbs_length_change(mbs_rotate_back(body, (mbs_vector){f[0], f[1]}), (mbs_vector){c[0], c[1]});
  values[1] = c[0];
  values[2] = c[1];
}

static void find_along_axis(const mbs_reading *at, int joint, double *values) {
  const mbs_joint *of = joint_at(at->ws, joint);
  const mbs_vector e = mbs_rotate(&at->ws->frames[of->frame[0]], of->axis);
  const mbs_frame axes = {.cos = e.x, .sin = e.y};
  double c[3];
  mbs_reaction_along(at, joint, &axes, of->body[0], c);
  values[0] = c[0];
  values[1] = c[1];
}

/* Finds s, ṡ and s̈ of the angle, slide or distance of the bodies, or their changes. */
static void find_measure(const mbs_reading *at, int joint, mbs_motion_of what, double *values) {
  const mbs_joint *of = joint_at(at->ws, joint);
  const mbs_pair pair = mbs_joint_pair(of, at->ws->frames);
  mbs_relative_coordinate s;
  mbs_curvature curvature = {0}; /* an angle has none */
  if (what == MBS_OF_ANGLE)
    mbs_relative_angle(&pair, &s);
  else if (what == MBS_OF_SLIDE) {
    mbs_relative_along_body(&pair, of->axis, &s);
    mbs_curvature_along_body(&pair, of->axis, &curvature);
  } else {
    mbs_relative_distance(&pair, &s);
    mbs_curvature_distance(&pair, &curvature);
  }
  if (at->along == NULL)
    mbs_relative_motion(&s, &pair, of->body, at->state->a, values);
  else
    mbs_relative_motion_change(&s, &curvature, of->body, at->state->a, at->along, values);
}

static void find_angle(const mbs_reading *at, int joint, double *values) {
  find_measure(at, joint, MBS_OF_ANGLE, values);
}

static void find_slide(const mbs_reading *at, int joint, double *values) {
  find_measure(at, joint, MBS_OF_SLIDE, values);
}

static void find_line(const mbs_reading *at, int joint, double *values) {
  find_measure(at, joint, MBS_OF_DISTANCE, values);
  values[3] = (at->along == NULL ? at->state->lambda : at->along->lambda)[joint_at(at->ws, joint)->row];
}

static void find_pull(const mbs_reading *at, int joint, double *values) {
  *values = (at->along == NULL ? at->state->lambda : at->along->lambda)[joint_at(at->ws, joint)->row];
}

static void find_power(const mbs_reading *at, int joint, double *values) {
  const int row = joint_at(at->ws, joint)->row;
  const double lambda = (at->along == NULL ? at->state->lambda : at->along->lambda)[row];
  values[0] = -lambda * at->ws->prescribed_rate[row];
  values[1] = -lambda;
}

static void find_speed(const mbs_reading *at, int joint, double *values) {
  const mbs_joint *of = joint_at(at->ws, joint);
  const mbs_frame *body = &at->ws->frames[of->frame[0]];
  const mbs_vector e = mbs_rotate(body, of->axis);
  if (at->along == NULL) {
    *values = mbs_dot(e, (mbs_vector){body->vx, body->vy}) + mbs_cross(of->marker[0], of->axis) * body->omega;
    return;
  }
  const double *dv = at->along->v + 3 * (of->body[0] - 1);
  *values = mbs_angle_change(at->along, of->body[0]) * mbs_cross(e, (mbs_vector){body->vx, body->vy}) +
            mbs_dot(e, (mbs_vector){dv[0], dv[1]}) + mbs_cross(of->marker[0], of->axis) * dv[2];
}

static const mbs_quantity_group reaction = {
    .n = 3,
    .row = {{"fx", "N", "reaction on the first body"},
            {"fy", "N", "reaction on the first body"},
            {"torque", "Nm", "reaction on the first body, about its marker"}},
    .is_usual = true,
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .find = find_reaction,
};
static const mbs_quantity_group in_body = {
    .n = 3,
    .row = {{"force", "N", "magnitude of the reaction"},
            {"fx_body", "N", "reaction on the first body, along its x axis"},
            {"fy_body", "N", "reaction on the first body, along its y axis"}},
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .find = find_in_body,
};
static const mbs_quantity_group turn = {
    .n = 3,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"alpha", "rad/s2", "second rate of the angle"}},
    .needs_dynamics = 1U << 2,
    .needs_accelerations = 1U << 2,
    .needs = MBS_FRAMES,
    .find = find_angle,
};
static const mbs_quantity_group along_axis = {
    .n = 2,
    .row = {{"f_along", "N", "reaction on the first body, along the axis"},
            {"f_across", "N", "reaction on the first body, along the normal of the axis"}},
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .find = find_along_axis,
};
static const mbs_quantity_group slide = {
    .n = 3,
    .row = {{"slide", "m", "place of the second marker along the axis, from the first"},
            {"rate", "m/s", "rate of the slide"},
            {"acceleration", "m/s2", "second rate of the slide"}},
    .needs_dynamics = 1U << 2,
    .needs_accelerations = 1U << 2,
    .needs = MBS_FRAMES,
    .find = find_slide,
};
static const mbs_quantity_group speed = {
    .n = 1,
    .row = {{"speed", "m/s", "velocity of its place along the axis"}},
    .needs = MBS_FRAMES,
    .find = find_speed,
};
static const mbs_quantity_group line = {
    .n = 4,
    .row = {{"length", "m", "distance of its points"},
            {"rate", "m/s", "rate of the length"},
            {"acceleration", "m/s2", "second rate of the length"},
            {"tension", "N", "force that draws its points together"}},
    .needs_dynamics = 1U << 2 | 1U << 3,
    .needs_accelerations = 1U << 2,
    .needs = MBS_FRAMES,
    .find = find_line,
};
static const mbs_quantity_group pull = {
    .n = 1,
    .row = {{"pull", "N", "tension of the strand on the right of the second pulley, less that of the other one"}},
    .needs_dynamics = MBS_ALL_ROWS,
    .needs = MBS_STATE,
    .find = find_pull,
};
#define DRIVE(unit)                                                                                                    \
  .n = 2, .row = {{"power", "W", "rate of its work on the bodies"}, {"drive", unit, "what drives its coordinate up"}}, \
  .needs_dynamics = MBS_ALL_ROWS, .needs = MBS_ROWS, .find = find_power

static const mbs_quantity_group by_torque = {DRIVE("Nm")};
static const mbs_quantity_group by_force = {DRIVE("N")};

/* ---- Friction ---- */

static void find_friction(const mbs_reading *at, int number, double *values) {
  const mbs_joint *joint = &at->ws->model->joints[number];
  const mbs_force force = mbs_friction_force_of(joint);
  const mbs_pair pair = mbs_joint_pair(joint, at->ws->frames);
  mbs_relative_coordinate s;
  force.type->find_coordinates(&force, &pair, &s);
  const double rate = mbs_relative_rate(&s, &pair);
  const mbs_friction_forces f =
      mbs_friction_at(joint, mbs_friction_mode_of(joint, at->state->z), rate, at->state->lambda + joint->row);
  double ds[2];
  values[0] = f.value;
  values[1] = -f.value * rate;
  values[2] = f.normal;
  if (at->along == NULL)
    return;
  mbs_gap_change(&s, joint->body, at->along, ds);
  values[0] = f.by_rate * ds[1];
  values[2] = 0;
  for (int i = 0; i < joint->type->n_rows; i++) {
    values[0] += f.by_lambda[i] * at->along->lambda[joint->row + i];
    values[2] += f.normal_by_lambda[i] * at->along->lambda[joint->row + i];
  }
  values[1] = -values[0] * rate - f.value * ds[1];
}

static void find_sticking(const mbs_reading *at, int number, double *values) {
  find_friction(at, number, values);
  values[3] = at->along == NULL && mbs_friction_mode_of(&at->ws->model->joints[number], at->state->z) == MBS_STICKS;
}

#define FRICTION(unit)                                                                                                 \
  {"friction", unit, "friction along its coordinate, positive drives it up"},                                          \
      {"friction_loss", "W", "power that friction takes"}, {                                                           \
    "normal", "N", "sum of the normal forces that rub"                                                                 \
  }
#define SOFT(unit)                                                                                                     \
  .n = 3, .row = {FRICTION(unit)}, .needs_dynamics = MBS_ALL_ROWS, .needs = MBS_FRAMES, .find = find_friction
#define HARD(unit)                                                                                                     \
  .n = 4, .row = {FRICTION(unit), {"sticks", "", "1 while it sticks"}}, .needs_dynamics = MBS_ALL_ROWS,                \
  .needs = MBS_FRAMES, .find = find_sticking

static const mbs_quantity_group friction_torque = {SOFT("Nm")};
static const mbs_quantity_group friction_force = {SOFT("N")};
static const mbs_quantity_group sticking_torque = {HARD("Nm")};
static const mbs_quantity_group sticking_force = {HARD("N")};

/* ---- Lists of groups ---- */

#define LIST(name, ...) static const mbs_quantity_group *const name[] = {&reaction, &in_body, &turn, __VA_ARGS__}
#define GUIDE &slide, &along_axis
LIST(of_joint, NULL);
LIST(of_guide, GUIDE, NULL);
LIST(of_rubbing_joint, &friction_torque, NULL);
LIST(of_rubbing_guide, GUIDE, &friction_force, NULL);
LIST(of_sticking_joint, &sticking_torque, NULL);
LIST(of_sticking_guide, GUIDE, &sticking_force, NULL);
LIST(of_skate, &along_axis, &speed, NULL);
LIST(of_line, &line, NULL);
LIST(of_belt, &pull, NULL);
LIST(of_turning_drive, &by_torque, NULL);
LIST(of_placing_drive, &by_force, NULL);
LIST(of_line_drive, &line, &by_force, NULL);
LIST(of_guide_drive, GUIDE, &by_force, NULL);
#undef LIST
#undef GUIDE

static const mbs_quantity_groups of_kind[MBS_JOINT_KINDS] = {
    [MBS_REVOLUTE] = of_joint, [MBS_PRISMATIC] = of_guide, [MBS_FIXED] = of_joint, [MBS_DISTANCE] = of_line,
    [MBS_SLOT] = of_guide,     [MBS_GEAR] = of_joint,      [MBS_RACK] = of_guide,  [MBS_BELT] = of_belt,
    [MBS_CURVE] = of_joint,    [MBS_ROLLING] = of_guide,   [MBS_SKATE] = of_skate,
};
static const mbs_quantity_groups of_rubbing_kind[MBS_JOINT_KINDS] = {
    [MBS_REVOLUTE] = of_rubbing_joint, [MBS_PRISMATIC] = of_rubbing_guide, [MBS_SLOT] = of_rubbing_guide};
static const mbs_quantity_groups of_sticking_kind[MBS_JOINT_KINDS] = {
    [MBS_REVOLUTE] = of_sticking_joint, [MBS_PRISMATIC] = of_sticking_guide, [MBS_SLOT] = of_sticking_guide};

static const mbs_quantity_groups of_motion[] = {
    [MBS_OF_ANGLE] = of_turning_drive, [MBS_OF_DISTANCE] = of_line_drive, [MBS_OF_SLIDE] = of_guide_drive,
    [MBS_OF_X] = of_placing_drive,     [MBS_OF_Y] = of_placing_drive,     [MBS_OF_PHI] = of_turning_drive,
};

mbs_quantity_groups mbs_quantities_of_joint(const mbs_model *model, int number) {
  const mbs_joint *joint = &model->joints[number];
  if (joint->kind == MBS_MOTION)
    return of_motion[joint->of];
  if (!mbs_joint_has_friction(joint))
    return of_kind[joint->kind];
  return (joint->type->can_stick ? of_sticking_kind : of_rubbing_kind)[joint->kind];
}
