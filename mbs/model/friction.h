/* Friction of a joint by its own reaction: a force element beside the joint, along its coordinate, whose law is that of
 * a quantity of the joint (mbs/model/laws.h). */
#ifndef MBS_FRICTION_H
#define MBS_FRICTION_H

#include "mbs/model/model.h"

/* Parts of friction that differ between types of joints. */
typedef struct mbs_friction_type {
  const mbs_force_type *force;
  /* Sum of the normal forces, and its derivatives by the multipliers of the joint's rows. */
  double (*normal)(const mbs_friction *friction, const double *lambda, double by_lambda[mbs_max_rows]);
} mbs_friction_type;

extern const mbs_friction_type mbs_friction_of_pin, mbs_friction_of_guide, mbs_friction_of_slot;

/* Returns the ratio of slip to the rate of the coordinate. */
static inline double mbs_friction_lever(const mbs_joint *joint) {
  return joint->friction.radius > 0 ? joint->friction.radius : 1;
}

/* Modes of hard friction, of which z has the number, and then the coordinate at which it sticks. Where several joints
 * hold the same thing some of them stick, and the others rest without friction: what they would carry is not
 * determined. */
typedef enum mbs_friction_mode {
  MBS_FRICTION_BY_MOTION,
  MBS_STICKS,
  MBS_SLIPS_UP,
  MBS_SLIPS_DOWN,
  MBS_RESTS
} mbs_friction_mode;

/* Returns the mode of a joint in z (n_states of the model); soft friction follows the motion. */
mbs_friction_mode mbs_friction_mode_of(const mbs_joint *joint, const double *z);
/* Returns the coordinate at which the joint sticks; NaN: it does not. */
double mbs_friction_held(const mbs_joint *joint, const double *z);

/* F along the coordinate whose rate is w: positive drives it up. */
typedef struct mbs_rubbing {
  double normal, value;
  double by_rate, by_lambda[mbs_max_rows];
  double normal_by_lambda[mbs_max_rows];
} mbs_rubbing;

mbs_rubbing mbs_friction_at(const mbs_joint *joint, mbs_friction_mode mode, double rate, const double *lambda);

/* The largest friction at rest, N. */
double mbs_friction_limit(const mbs_joint *joint, const double *lambda);

/* The force element of a joint's friction, without its law. */
mbs_force mbs_friction_force_of(const mbs_joint *joint);

#endif
