/* Quantities of a state, and their derivatives along a direction (changes). The workspace must have their stages. */
#ifndef MBS_MEASUREMENTS_H
#define MBS_MEASUREMENTS_H

#include "mbs/model/workspace.h"

/* Finds the same as mbs_reaction(); the workspace must already contain the frames and constraints of the state. */
void mbs_reaction_evaluated(const mbs_workspace *ws, const mbs_state *state, int joint, double wrench[3]);
/* Finds motion = (s, ṡ, s̈) of a relative coordinate for accelerations a (3n) of all bodies. */
void mbs_relative_motion(const mbs_relative_coordinate *coordinate, const mbs_pair *pair, const int body[2],
                         const double *a, double motion[3]);
/* Finds the kinetic and gravitational energy of a body (from 0), or their changes. */
void mbs_body_energies(const mbs_reading *at, int body, double energies[2]);
/* Returns the change of the potential energy of force element `number` along a direction; 0 if it has no potential. */
double mbs_potential_change(const mbs_reading *at, int number);
/* Works like mbs_potential_change(), for a cable; number: force element of its first span. */
double mbs_cable_potential_change(const mbs_reading *at, int number);
/* Finds the changes of a relative coordinate s, its rate and its second rate along a direction: δs = J δq, δṡ = J̇ δq +
 * J δv, δs̈ = (T + H a) δq + 2 J̇ δv + J δa. */
void mbs_relative_motion_change(const mbs_relative_coordinate *coordinate, const mbs_curvature *curvature,
                                const int body[2], const double *a, const mbs_direction *along, double changes[3]);
/* Finds the changes of a relative coordinate and its rate along a direction. */
void mbs_gap_change(const mbs_relative_coordinate *coordinate, const int body[2], const mbs_direction *along,
                    double changes[2]);
/* Finds the changes of mbs_wrench_at() if the angle of the body changes by dphi and Q by dQ (3). */
void mbs_wrench_change(const mbs_frame *frame, mbs_vector marker, const double Q[3], double dphi, const double dQ[3],
                       double changes[3]);
/* Finds the changes of the wrench of mbs_reaction_evaluated() along a direction. */
void mbs_reaction_change(const mbs_reading *at, int joint, double changes[3]);
/* Finds a joint's reaction in `axes`, which rotate with a body, and its torque, or their changes. */
void mbs_reaction_along(const mbs_reading *at, int joint, const mbs_frame *axes, int body_of_axes, double values[3]);
/* Returns the change of |u| if the vector u changes by du. At u = 0 returns 0 if du = 0, else NaN. */
static inline double mbs_length_change(mbs_vector u, mbs_vector du) {
  const double length = hypot(u.x, u.y);
  return length > 0 ? mbs_dot(u, du) / length : du.x == 0 && du.y == 0 ? 0 : NAN;
}
/* Returns the change of the angle of a body along a direction; 0 for the ground. */
static inline double mbs_angle_change(const mbs_direction *along, int body) {
  return body == 0 ? 0 : along->q[3 * (body - 1) + 2];
}
/* Returns the changes of mbs_rotate_back(axes, u) if u changes by du and the angle of the frame by dphi. */
static inline mbs_vector mbs_components_change(const mbs_frame *axes, mbs_vector u, mbs_vector du, double dphi) {
  const mbs_vector c = mbs_rotate_back(axes, u);
  const mbs_vector d = mbs_rotate_back(axes, du);
  return (mbs_vector){d.x + c.y * dphi, d.y - c.x * dphi};
}
/* Finds the wrench on a body with the torque about a marker. Q (3) has the torque about the centre of mass. */
void mbs_wrench_at(const mbs_frame *frame, mbs_vector marker, const double Q[3], double wrench[3]);
/* Returns the force or torque P of a load Q = P Jᵀ along a coordinate with the Jacobian J. */
double mbs_force_along(const double J[6], const double Q[6]);
/* Returns the same as mbs_energy_of(), but the workspace must already contain the frames of the state. */
mbs_energy mbs_energy_evaluated(const mbs_workspace *ws, const mbs_state *state);

#endif
