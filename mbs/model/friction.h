/* Friction of a joint: a force element along the joint's coordinate, with a law (mbs/model/laws.h) that reads the
 * joint's reaction. */
#ifndef MBS_FRICTION_H
#define MBS_FRICTION_H

#include "mbs/model/model.h"

/* Properties of friction that depend on the type of joint. */
typedef struct mbs_friction_type {
  const mbs_force_type *force;
  /* Returns the sum of the normal forces N, without the preload; by_lambda: its derivatives by the multipliers of the
   * joint's rows. */
  double (*normal)(const mbs_friction *friction, const double *lambda, double by_lambda[mbs_max_rows]);
} mbs_friction_type;

extern const mbs_friction_type mbs_friction_of_pin, mbs_friction_of_guide, mbs_friction_of_slot;

/* Returns the slip divided by the rate of the joint's coordinate: the radius of a pin, m, or 1 for a slide. */
static inline double mbs_friction_lever(const mbs_joint *joint) {
  return joint->friction.radius > 0 ? joint->friction.radius : 1;
}

/* Modes of hard friction (mbs/contact/friction_modes.c). In z, a joint has its mode, then the coordinate at which it
 * sticks. If the constraints of several sticking joints would be redundant, their friction forces would not be
 * determined. Then only some of these joints stick, and the others rest (MBS_AT_REST) without friction. */
typedef enum mbs_friction_mode {
  MBS_FRICTION_BY_MOTION,
  MBS_STICKS,
  MBS_SLIPS_UP,
  MBS_SLIPS_DOWN,
  MBS_AT_REST,
  MBS_STOPPED
} mbs_friction_mode;

/* Returns the mode of a joint in z (n_states of the model); MBS_FRICTION_BY_MOTION for soft friction. */
mbs_friction_mode mbs_friction_mode_of(const mbs_joint *joint, const double *z);

/* Friction of a joint at a given rate of its coordinate. normal: normal force with the preload; value: friction force
 * along the coordinate, positive if it drives the coordinate up; by_rate: derivative of `value` by the rate; by_lambda,
 * normal_by_lambda: derivatives of `value` and `normal` by λ. */
typedef struct mbs_friction_forces {
  double normal, value;
  double by_rate, by_lambda[mbs_max_rows];
  double normal_by_lambda[mbs_max_rows];
} mbs_friction_forces;

mbs_friction_forces mbs_friction_at(const mbs_joint *joint, mbs_friction_mode mode, double rate, const double *lambda);

/* Returns the largest static friction force, N. Its product with mbs_friction_lever() is the largest force or torque
 * along the coordinate. */
double mbs_friction_limit(const mbs_joint *joint, const double *lambda);

/* Returns the force element of a joint's friction, without its law. */
mbs_force mbs_friction_force_of(const mbs_joint *joint);

#endif
