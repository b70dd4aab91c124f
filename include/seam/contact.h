/** @file
 * Contacts of two bodies: a part of <seam/mbs.h>. */
#ifndef SEAM_CONTACT_H
#define SEAM_CONTACT_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Side of a curve; usual: left of an open curve, outside of a closed one. Arguments of X: code, name in the model
 * file. */
#define MBS_SIDE_TABLE(X)                                                                                              \
  X(MBS_USUAL_SIDE, "usual")                                                                                           \
  X(MBS_LEFT, "left")                                                                                                  \
  X(MBS_RIGHT, "right")                                                                                                \
  X(MBS_INSIDE, "inside")                                                                                              \
  X(MBS_OUTSIDE, "outside")

typedef enum mbs_side {
#define MBS_SIDE(code, name) code,
  MBS_SIDE_TABLE(MBS_SIDE)
#undef MBS_SIDE
      MBS_SIDES
} mbs_side;

/** Laws of restitution of hard contacts: e relates normal velocities (Newton) or normal impulses (Poisson). Arguments
 * of X: code, name in the model file. */
#define MBS_IMPACT_TABLE(X)                                                                                            \
  X(MBS_IMPACT_NEWTON, "newton")                                                                                       \
  X(MBS_IMPACT_POISSON, "poisson")

typedef enum mbs_impact_law {
#define MBS_IMPACT(code, name) code,
  MBS_IMPACT_TABLE(MBS_IMPACT)
#undef MBS_IMPACT
      MBS_IMPACTS
} mbs_impact_law;

/** Contact of a circle on the second body with a circle, a line or a curve on the first. It is compliant unless
 * is_hard. Equations: mbs/model/forces/contact.c. */
typedef struct mbs_contact {
  bool is_hard; /**< a constraint with impacts (mbs/dynamics/contact_rows.h) instead of a stiffness; all hard contacts
                   of a mechanism have the same impact law */
  mbs_impact_law impact; /**< impact law of a hard contact */
  bool has_line;         /**< the second body touches, from the left, the first one's line through at[0] along `axis` */
  double exponent;       /**< exponent of the penetration, >= 1; 1.5 by default */
  double restitution;    /**< e, 0 < e <= 1, instead of damping; hard contact: 0 <= e <= 1; NaN (default): none */
  double impact_speed;   /**< m/s, > 0: impact speed at which a contact that is not hard has this restitution */
  double friction;       /**< coefficient, >= 0 */
  double slip_speed;     /**< m/s: below this slip speed friction falls to zero; > 0 if there is friction */
  const char *curve; /**< name of the curve, in the first marker's frame, that the circle on the second body touches;
                        NULL (default): none. The surface lies at the distance radii[0] from the curve */
  mbs_side side;     /**< side of the curve on which the circle moves */
} mbs_contact;

#ifdef __cplusplus
}
#endif
#endif
