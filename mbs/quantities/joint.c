/* What joints offer. With the reaction f on the first body, its axes R₁ and the joint's axis e, fixed on it, n = e⊥:
 *
 *   in the axes of the body  R₁ᵀ f        along, across the axis  e · f, n · f
 *   slide    s = e · d                     ṡ = J v,  s̈ = J a + vᵀ H v
 *   speed    e · (v + ω a⊥) of a skate
 *   tension  λ of the line between the markers: Q = -Jᵀ λ, J = u · ∂d (mbs/kinematics.c)
 *   pull     λ of a belt, whose residual is a length
 *   power    -λ f' of a motion that follows f(t), drive -λ */
#include <math.h>

#include "mbs/quantity.h"
#include "mbs/workspace.h"

static const mbs_joint *joint_at(const mbs_workspace *ws, int joint) { return &ws->model->joints[joint]; }

static mbs_vector reaction_of(const mbs_workspace *ws, const mbs_state *state, int joint) {
  double wrench[3];
  mbs_reaction_at_hand(ws, state, joint, wrench);
  return (mbs_vector){wrench[0], wrench[1]};
}

static void read_reaction(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  mbs_reaction_at_hand(ws, state, joint, values);
}

static void read_in_body(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_frame *body = &ws->frames[joint_at(ws, joint)->frame[0]];
  const mbs_vector f = reaction_of(ws, state, joint);
  values[0] = hypot(f.x, f.y);
  const mbs_vector in_body = mbs_components(body, f);
  values[1] = in_body.x;
  values[2] = in_body.y;
}

static void read_along_axis(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_vector e = mbs_rotate(&ws->frames[joint_at(ws, joint)->frame[0]], joint_at(ws, joint)->axis);
  const mbs_vector f = reaction_of(ws, state, joint);
  values[0] = mbs_dot(e, f);
  values[1] = mbs_cross(e, f);
}

static void read_turn(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_pair pair = mbs_joint_pair(joint_at(ws, joint), ws->frames);
  mbs_measure angle;
  mbs_measure_angle(&pair, &angle);
  mbs_measure_motion(&angle, &pair, joint_at(ws, joint)->body, state->a, values);
}

static void read_slide(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_pair pair = mbs_joint_pair(joint_at(ws, joint), ws->frames);
  mbs_measure slide;
  mbs_measure_along_body(&pair, joint_at(ws, joint)->axis, &slide);
  mbs_measure_motion(&slide, &pair, joint_at(ws, joint)->body, state->a, values);
}

static void read_line(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_pair pair = mbs_joint_pair(joint_at(ws, joint), ws->frames);
  mbs_measure distance;
  mbs_measure_distance(&pair, &distance);
  mbs_measure_motion(&distance, &pair, joint_at(ws, joint)->body, state->a, values);
  values[3] = state->lambda[joint_at(ws, joint)->row];
}

static void read_pull(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  *values = state->lambda[joint_at(ws, joint)->row];
}

static void read_power(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const int row = joint_at(ws, joint)->row;
  values[0] = -state->lambda[row] * ws->prescribed_rate[row];
  values[1] = -state->lambda[row];
}

static void read_speed(const mbs_workspace *ws, const mbs_state *state, int joint, double *values) {
  const mbs_joint *of = joint_at(ws, joint);
  const mbs_frame *body = &ws->frames[of->frame[0]];
  (void)state;
  *values = mbs_dot(mbs_rotate(body, of->axis), (mbs_vector){body->vx, body->vy}) +
            mbs_cross(of->marker[0], of->axis) * body->omega;
}

/* ---- Derivatives ---- */

static void change_reaction(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                            double *changes) {
  mbs_reaction_change(ws, state, along, joint, changes);
}

/* Of the components of the reaction along axes that turn with the first body. */
static mbs_vector components_change(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along,
                                    int joint, const mbs_frame *axes) {
  double df[3];
  mbs_reaction_change(ws, state, along, joint, df);
  return mbs_components_change(axes, reaction_of(ws, state, joint), (mbs_vector){df[0], df[1]},
                               mbs_turn_of(along, joint_at(ws, joint)->body[0]));
}

static void change_in_body(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                           double *changes) {
  const mbs_frame *body = &ws->frames[joint_at(ws, joint)->frame[0]];
  const mbs_vector d = components_change(ws, state, along, joint, body);
  changes[0] = mbs_length_change(mbs_components(body, reaction_of(ws, state, joint)), d);
  changes[1] = d.x;
  changes[2] = d.y;
}

static void change_along_axis(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                              double *changes) {
  const mbs_vector e = mbs_rotate(&ws->frames[joint_at(ws, joint)->frame[0]], joint_at(ws, joint)->axis);
  const mbs_frame axes = {.cos = e.x, .sin = e.y};
  const mbs_vector d = components_change(ws, state, along, joint, &axes);
  changes[0] = d.x;
  changes[1] = d.y;
}

static void change_turn(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                        double *changes) {
  const mbs_pair pair = mbs_joint_pair(joint_at(ws, joint), ws->frames);
  const mbs_curvature straight = {0};
  mbs_measure angle;
  mbs_measure_angle(&pair, &angle);
  mbs_measure_motion_change(&angle, &straight, joint_at(ws, joint)->body, state->a, along, changes);
}

static void change_slide(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                         double *changes) {
  const mbs_joint *of = joint_at(ws, joint);
  const mbs_pair pair = mbs_joint_pair(of, ws->frames);
  mbs_measure slide;
  mbs_curvature curvature;
  mbs_measure_along_body(&pair, of->axis, &slide);
  mbs_curvature_along_body(&pair, of->axis, &curvature);
  mbs_measure_motion_change(&slide, &curvature, of->body, state->a, along, changes);
}

static void change_speed(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                         double *changes) {
  const mbs_joint *of = joint_at(ws, joint);
  const mbs_frame *body = &ws->frames[of->frame[0]];
  const mbs_vector e = mbs_rotate(body, of->axis);
  const double *dv = along->v + 3 * (of->body[0] - 1);
  (void)state;
  *changes = mbs_turn_of(along, of->body[0]) * mbs_cross(e, (mbs_vector){body->vx, body->vy}) +
             mbs_dot(e, (mbs_vector){dv[0], dv[1]}) + mbs_cross(of->marker[0], of->axis) * dv[2];
}

static void change_line(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                        double *changes) {
  const mbs_joint *of = joint_at(ws, joint);
  const mbs_pair pair = mbs_joint_pair(of, ws->frames);
  mbs_measure distance;
  mbs_curvature curvature;
  mbs_measure_distance(&pair, &distance);
  mbs_curvature_distance(&pair, &curvature);
  mbs_measure_motion_change(&distance, &curvature, of->body, state->a, along, changes);
  changes[3] = along->lambda[of->row];
}

static void change_pull(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                        double *changes) {
  (void)state;
  *changes = along->lambda[joint_at(ws, joint)->row];
}

static void change_power(const mbs_workspace *ws, const mbs_state *state, const mbs_direction *along, int joint,
                         double *changes) {
  const int row = joint_at(ws, joint)->row;
  (void)state;
  changes[0] = -along->lambda[row] * ws->prescribed_rate[row];
  changes[1] = -along->lambda[row];
}

static const mbs_quantity_group reaction = {
    .n = 3,
    .row = {{"fx", "N", "reaction on the first body"},
            {"fy", "N", "reaction on the first body"},
            {"torque", "Nm", "reaction on the first body, about its marker"}},
    .is_usual = true,
    .follows = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .read = read_reaction,
    .change = change_reaction,
};
static const mbs_quantity_group in_body = {
    .n = 3,
    .row = {{"force", "N", "magnitude of the reaction"},
            {"fx_body", "N", "reaction on the first body, along its x axis"},
            {"fy_body", "N", "reaction on the first body, along its y axis"}},
    .follows = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .read = read_in_body,
    .change = change_in_body,
};
static const mbs_quantity_group turn = {
    .n = 3,
    .row = {{"angle", "rad", "angle of the second body against the first"},
            {"omega", "rad/s", "rate of the angle"},
            {"alpha", "rad/s2", "second rate of the angle"}},
    .follows = 1U << 2,
    .accelerates = 1U << 2,
    .needs = MBS_FRAMES,
    .read = read_turn,
    .change = change_turn,
};
static const mbs_quantity_group along_axis = {
    .n = 2,
    .row = {{"f_along", "N", "reaction on the first body, along the axis"},
            {"f_across", "N", "reaction on the first body, along the normal of the axis"}},
    .follows = MBS_ALL_ROWS,
    .needs = MBS_ROWS,
    .read = read_along_axis,
    .change = change_along_axis,
};
static const mbs_quantity_group slide = {
    .n = 3,
    .row = {{"slide", "m", "place of the second marker along the axis, from the first"},
            {"rate", "m/s", "rate of the slide"},
            {"acceleration", "m/s2", "second rate of the slide"}},
    .follows = 1U << 2,
    .accelerates = 1U << 2,
    .needs = MBS_FRAMES,
    .read = read_slide,
    .change = change_slide,
};
static const mbs_quantity_group speed = {
    .n = 1,
    .row = {{"speed", "m/s", "velocity of its place along the axis"}},
    .needs = MBS_FRAMES,
    .read = read_speed,
    .change = change_speed,
};
static const mbs_quantity_group line = {
    .n = 4,
    .row = {{"length", "m", "distance of its points"},
            {"rate", "m/s", "rate of the length"},
            {"acceleration", "m/s2", "second rate of the length"},
            {"tension", "N", "force that draws its points together"}},
    .follows = 1U << 2 | 1U << 3,
    .accelerates = 1U << 2,
    .needs = MBS_FRAMES,
    .read = read_line,
    .change = change_line,
};
static const mbs_quantity_group pull = {
    .n = 1,
    .row = {{"pull", "N", "tension of the strand on the right of the second pulley, less that of the other one"}},
    .follows = MBS_ALL_ROWS,
    .needs = MBS_STATE,
    .read = read_pull,
    .change = change_pull,
};
#define DRIVE(unit)                                                                                                    \
  .n = 2, .row = {{"power", "W", "rate of its work on the bodies"}, {"drive", unit, "what drives its coordinate up"}}, \
  .follows = MBS_ALL_ROWS, .needs = MBS_ROWS, .read = read_power, .change = change_power

static const mbs_quantity_group by_torque = {DRIVE("Nm")};
static const mbs_quantity_group by_force = {DRIVE("N")};

/* ---- What joints offer ---- */

#define LIST(name, ...) static const mbs_quantity_group *const name[] = {&reaction, &in_body, &turn, __VA_ARGS__}
#define GUIDE &slide, &along_axis
LIST(of_joint, NULL);
LIST(of_guide, GUIDE, NULL);
LIST(of_rubbing_joint, &mbs_quantity_friction_torque, NULL);
LIST(of_rubbing_guide, GUIDE, &mbs_quantity_friction_force, NULL);
LIST(of_sticking_joint, &mbs_quantity_sticking_torque, NULL);
LIST(of_sticking_guide, GUIDE, &mbs_quantity_sticking_force, NULL);
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
  if (!mbs_joint_rubs(joint))
    return of_kind[joint->kind];
  return (joint->type->holds ? of_sticking_kind : of_rubbing_kind)[joint->kind];
}
