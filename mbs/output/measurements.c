/* Residuals, energies and reactions in a state, and their derivatives along a direction. */
#include <math.h>

#include "mbs/model/cable.h"
#include "mbs/output/measurements.h"
#include "mbs/stages/stages.h"

void mbs_residuals(mbs_workspace *ws, const mbs_state *state, double *g, double *gd, double *gdd) {
  if (!mbs_state_fits(ws->model, state)) {
    double *const levels[] = {g, gd, gdd};
    for (int i = 0; i < 3; i++)
      mbs_fill_nan(levels[i], (size_t)ws->model->n_rows);
    return;
  }
  if (!mbs_has_stages(ws, state)) {
    mbs_load_stick_states(ws, state->z);
    mbs_stage_kinematics(ws, state->q, state->v);
    mbs_set_port_frames(ws, state->t);
    mbs_stage_constraints(ws, state->t);
    mbs_mark_stages(ws, state);
  }
  if (gd != NULL)
    mbs_constraint_rate(ws, state->v, gd);
  if (gdd != NULL)
    mbs_multiply_G(ws, state->a, gdd);
  for (int i = 0; i < ws->model->n_rows; i++) {
    if (g != NULL)
      g[i] = ws->g[i];
    if (gdd != NULL)
      gdd[i] -= ws->gamma[i];
  }
}

mbs_energy mbs_energy_evaluated(const mbs_workspace *ws, const mbs_state *state) {
  const mbs_model *model = ws->model;
  const double t = mbs_law_time(ws, state->t);
  double *stored = mbs_stored_energies(ws);
  if (isnan(ws->staged[0]) || isnan(stored[0])) {
    stored[0] = stored[1] = 0;
    for (int b = 1; b <= model->n_bodies; b++) {
      const mbs_frame *f = &ws->frames[b];
      const double mass = model->mass[3 * b];
      const double inertia = model->mass[3 * b + 2];
      stored[0] += (mass * (f->vx * f->vx + f->vy * f->vy) + inertia * f->omega * f->omega) / 2;
      stored[1] -= mass * (model->gravity[0] * f->x + model->gravity[1] * f->y);
    }
    for (const mbs_force *force = model->forces; force < model->forces + model->n_forces; force++) {
      const mbs_pair pair = mbs_force_pair(force, ws->frames);
      stored[1] += mbs_cable_potential(force, ws->frames, state->z, t);
      if (force->type->potential != NULL)
        stored[1] += force->type->potential(force, &pair);
    }
  }
  return (mbs_energy){.kinetic = stored[0],
                      .potential = stored[1],
                      .total = stored[0] + stored[1],
                      .dissipated = state->work[0],
                      .driven = state->work[1]};
}

mbs_energy mbs_energy_of(mbs_workspace *ws, const mbs_state *state) {
  if (!mbs_state_fits(ws->model, state))
    return (mbs_energy){NAN, NAN, NAN, NAN, NAN};
  mbs_stage_kinematics(ws, state->q, state->v);
  return mbs_energy_evaluated(ws, state);
}

/* The torque about the marker is that about the centre of mass, less arm × force. */
void mbs_wrench_at(const mbs_frame *frame, mbs_vector marker, const double Q[3], double wrench[3]) {
  const mbs_vector arm = mbs_rotate(frame, marker);
  wrench[0] = Q[0];
  wrench[1] = Q[1];
  wrench[2] = Q[2] - mbs_cross(arm, (mbs_vector){Q[0], Q[1]});
}

/* Adds the generalised force -λ Jᵀ of a row on the first body to Q. */
static void add_row(const double J[6], double lambda, double Q[3]) {
  for (int i = 0; i < 3; i++)
    Q[i] -= J[i] * lambda;
}

void mbs_reaction(mbs_workspace *ws, const mbs_state *state, size_t joint_index, double wrench[3]) {
  if (joint_index >= mbs_n_joints(ws->model) || !mbs_state_fits(ws->model, state)) {
    mbs_fill_nan(wrench, 3);
    return;
  }
  const mbs_joint *joint = &ws->model->joints[joint_index];
  mbs_stage_kinematics_of(ws, joint->body, state->q, state->v);
  const mbs_pair pair = mbs_joint_pair(joint, ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  double Q[3] = {0};
  joint->type->find_coordinates(joint, &pair, s);
  for (int k = 0; k < mbs_n_reactions(joint->type); k++)
    add_row(s[k].J, state->lambda[joint->row + k], Q);
  mbs_wrench_at(pair.frame[0], joint->marker[0], Q, wrench);
}

void mbs_reaction_evaluated(const mbs_workspace *ws, const mbs_state *state, int joint_index, double wrench[3]) {
  const mbs_joint *joint = &ws->model->joints[joint_index];
  double Q[3] = {0};
  for (int row = joint->row; row < joint->row + mbs_n_reactions(joint->type); row++)
    add_row(ws->G[row], state->lambda[row], Q);
  mbs_wrench_at(&ws->frames[joint->frame[0]], joint->marker[0], Q, wrench);
}

void mbs_relative_motion(const mbs_relative_coordinate *coordinate, const mbs_pair *pair, const int body[2],
                         const double *a, double motion[3]) {
  motion[0] = coordinate->s;
  motion[1] = mbs_relative_rate(coordinate, pair);
  motion[2] = mbs_relative_convection(coordinate, pair);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 3 && body[side] != 0; i++)
      motion[2] += coordinate->J[3 * side + i] * a[3 * (body[side] - 1) + i];
}

/* ---- Derivatives ---- */

void mbs_relative_motion_change(const mbs_relative_coordinate *coordinate, const mbs_curvature *curvature,
                                const int body[2], const double *a, const mbs_direction *along, double changes[3]) {
  double of_a[6];
  double dq[6];
  double dv[6];
  double da[6];
  mbs_gather(body, a, of_a);
  mbs_gather(body, along->q, dq);
  mbs_gather(body, along->v, dv);
  mbs_gather(body, along->a, da);
  changes[0] = mbs_dot6(coordinate->J, dq);
  changes[1] = mbs_dot6(coordinate->Jdot, dq) + mbs_dot6(coordinate->J, dv);
  changes[2] = mbs_dot6(curvature->T, dq) + 2 * mbs_dot6(coordinate->Jdot, dv) + mbs_dot6(coordinate->J, da);
  for (int i = 0; i < 6; i++)
    changes[2] += of_a[i] * mbs_dot6(curvature->H[i], dq);
}

void mbs_gap_change(const mbs_relative_coordinate *coordinate, const int body[2], const mbs_direction *along,
                    double changes[2]) {
  double dq[6];
  double dv[6];
  mbs_gather(body, along->q, dq);
  mbs_gather(body, along->v, dv);
  changes[0] = mbs_dot6(coordinate->J, dq);
  changes[1] = mbs_dot6(coordinate->Jdot, dq) + mbs_dot6(coordinate->J, dv);
}

void mbs_wrench_change(const mbs_frame *frame, mbs_vector marker, const double Q[3], double dphi, const double dQ[3],
                       double changes[3]) {
  const mbs_vector arm = mbs_rotate(frame, marker);
  changes[0] = dQ[0];
  changes[1] = dQ[1];
  changes[2] =
      dQ[2] - mbs_cross(arm, (mbs_vector){dQ[0], dQ[1]}) - dphi * mbs_cross(mbs_perp(arm), (mbs_vector){Q[0], Q[1]});
}

/* The reaction on the first body is Q = -Σ λ J over the joint's rows, so δQ = -Σ (λ H δq + J δλ). */
void mbs_reaction_change(const mbs_reading *at, int joint_index, double changes[3]) {
  const mbs_joint *joint = &at->ws->model->joints[joint_index];
  const mbs_pair pair = mbs_joint_pair(joint, at->ws->frames);
  mbs_relative_coordinate s[mbs_max_rows];
  mbs_curvature c[mbs_max_rows];
  double dq[6];
  double Q[3] = {0};
  double dQ[3] = {0};
  joint->type->find_coordinates(joint, &pair, s);
  joint->type->curvature(joint, &pair, c);
  mbs_gather(joint->body, at->along->q, dq);
  for (int k = 0; k < mbs_n_reactions(joint->type); k++) {
    const double lambda = at->state->lambda[joint->row + k];
    add_row(s[k].J, lambda, Q);
    add_row(s[k].J, at->along->lambda[joint->row + k], dQ);
    for (int i = 0; i < 3; i++)
      dQ[i] -= lambda * mbs_dot6(c[k].H[i], dq);
  }
  mbs_wrench_change(pair.frame[0], joint->marker[0], Q, mbs_angle_change(at->along, joint->body[0]), dQ, changes);
}

void mbs_reaction_along(const mbs_reading *at, int joint, const mbs_frame *axes, int body_of_axes, double values[3]) {
  double wrench[3];
  mbs_reaction_evaluated(at->ws, at->state, joint, wrench);
  mbs_vector f = {wrench[0], wrench[1]};
  if (at->along == NULL)
    f = mbs_rotate_back(axes, f);
  else {
    mbs_reaction_change(at, joint, wrench);
    f = mbs_components_change(axes, f, (mbs_vector){wrench[0], wrench[1]}, mbs_angle_change(at->along, body_of_axes));
  }
  values[0] = f.x;
  values[1] = f.y;
  values[2] = wrench[2];
}

double mbs_force_along(const double J[6], const double Q[6]) {
  double along = 0;
  double square = 0;
  for (int i = 0; i < 6; i++) {
    along += J[i] * Q[i];
    square += J[i] * J[i];
  }
  return along / square;
}
