/** @file
 * Definitions of bodies, joints and force elements. The conventions are those of <seam/mbs.h>. */
#ifndef SEAM_ELEMENTS_H
#define SEAM_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/contact.h>
#include <seam/law.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_definitions Definitions
 * Start from the default definition, edit it, then add it to a builder. Strings and numbers are copied; the builder
 * takes ownership of laws. A definition without the cookie that the default function sets is refused. A default of NaN
 * means "as in the initial configuration".
 * @{ */

typedef struct mbs_body_def {
  int cookie;
  const char *name;
  double mass;        /**< kg, > 0 */
  double inertia;     /**< kg m², about the centre of mass, >= 0; 0: point mass, which does not rotate */
  double pose[3];     /**< x, y (m), phi (rad); default 0 */
  double velocity[3]; /**< rate of the pose, m/s, rad/s; default 0 */
  bool is_rough;      /* the pose is approximate: assembly moves rough bodies alone if that suffices */
} mbs_body_def;

typedef enum mbs_marker_frame {
  MBS_INITIAL, /**< point in the initial configuration, global axes */
  MBS_BODY     /**< (ξ, η) in the body's own frame, from its centre of mass */
} mbs_marker_frame;

typedef struct mbs_marker_def {
  mbs_marker_frame frame;
  double position[2]; /**< m */
} mbs_marker_def;

/** Arguments of X: kind, name in the model file. */
#define MBS_JOINT_TABLE(X)                                                                                             \
  X(MBS_REVOLUTE, revolute)                                                                                            \
  X(MBS_PRISMATIC, prismatic)                                                                                          \
  X(MBS_FIXED, fixed)                                                                                                  \
  X(MBS_DISTANCE, distance)                                                                                            \
  X(MBS_SLOT, slot)                                                                                                    \
  X(MBS_GEAR, gear)                                                                                                    \
  X(MBS_RACK, rack)                                                                                                    \
  X(MBS_BELT, belt)                                                                                                    \
  X(MBS_CURVE, curve)                                                                                                  \
  X(MBS_ROLLING, rolling)                                                                                              \
  X(MBS_SKATE, skate)                                                                                                  \
  X(MBS_MOTION, motion)

typedef enum mbs_joint_kind {
#define MBS_JOINT_KIND(kind, name) kind,
  MBS_JOINT_TABLE(MBS_JOINT_KIND)
#undef MBS_JOINT_KIND
      MBS_JOINT_KINDS
} mbs_joint_kind;

/** Coordinate that a motion joint prescribes. angle: between the bodies. distance: between their markers. slide:
 * distance along the axis from the first to the second marker. x, y, phi: coordinate of the first body's pose; the
 * second body is the ground. Arguments of X: code, name in the model file. */
#define MBS_MOTION_TABLE(X)                                                                                            \
  X(MBS_OF_ANGLE, "angle")                                                                                             \
  X(MBS_OF_DISTANCE, "distance")                                                                                       \
  X(MBS_OF_SLIDE, "slide")                                                                                             \
  X(MBS_OF_X, "x")                                                                                                     \
  X(MBS_OF_Y, "y")                                                                                                     \
  X(MBS_OF_PHI, "phi")

typedef enum mbs_motion_of {
#define MBS_MOTION_OF(code, name) code,
  MBS_MOTION_TABLE(MBS_MOTION_OF)
#undef MBS_MOTION_OF
      MBS_MOTIONS
} mbs_motion_of;

/** Friction of a revolute or prismatic joint or a slot by its own reaction; equations: mbs/model/friction.c. */
typedef struct mbs_friction {
  double coefficient;        /**< μ, >= 0; NaN (default): no friction */
  double static_coefficient; /**< coefficient of static friction, >= μ; NaN (default): μ */
  double stribeck_speed; /**< m/s, scale of the slip speed over which friction falls from the static coefficient to μ;
                            > 0 if these coefficients differ and is_hard is false */
  double radius,
      length; /**< m; revolute: radius of the pin, > 0; prismatic: length of the guide on the second body, 0: none */
  double slip_speed; /**< m/s: below this slip speed regularised friction falls to zero; > 0 if not hard */
  double viscous;    /**< viscous damping of the joint's coordinate, Nms/rad or Ns/m, >= 0 */
  double preload;    /**< N, >= 0: normal force in addition to that of the reaction */
  bool is_hard;      /**< Coulomb friction with sticking; no slip_speed */
} mbs_friction;

typedef struct mbs_joint_def {
  int cookie;
  const char *name;
  mbs_joint_kind kind;
  const char *bodies[2]; /**< names; "ground" is the ground */
  mbs_marker_def at[2];  /**< markers on both bodies; not used by a motion of an angle, x, y or phi */
  double axis[2]; /**< prismatic, slot, rack, rolling, motion of a slide: direction in the initial configuration, fixed
                     on the first body */
  double angle;   /**< fixed, prismatic: constant phi2 - phi1, rad; NaN (default): the initial one */
  double length;  /**< distance: m, > 0; NaN (default): the initial one */
  double ratio;   /**< gear: phi2 - phi20 = ratio (phi1 - phi10), with initial angles phi10 and phi20 */
  bool has_centres; /**< gear: `at` are the wheels' centres, which may move; angles count from the line between them */
  double radii[2]; /**< m; rack, rolling: [0], pinion or wheel, positive if its centre is on the left of the axis; belt:
                      both pulleys, opposite signs if it is crossed */
  mbs_motion_of of;      /**< motion */
  seam_law law;          /**< motion: prescribed value f(t) */
  bool from_initial;     /**< motion: f(t) is added to the initial value */
  mbs_friction friction; /**< revolute, prismatic, slot */
  const char *curve; /**< curve: name of the curve, given in the first marker's frame; a circle of radius radii[0] (0:
                        a point) about the second marker follows it */
  mbs_side side;     /**< curve: side of the curve on which the circle moves */
} mbs_joint_def;

/** Arguments of X: kind, name in the model file. */
#define MBS_FORCE_TABLE(X)                                                                                             \
  X(MBS_VISCOUS, viscous)                                                                                              \
  X(MBS_SPRING_DAMPER, spring_damper)                                                                                  \
  X(MBS_TORSION, torsion)                                                                                              \
  X(MBS_BUSHING, bushing)                                                                                              \
  X(MBS_POINT_FORCE, force)                                                                                            \
  X(MBS_TORQUE, torque)                                                                                                \
  X(MBS_HYDRAULIC_CYLINDER, hydraulic_cylinder)                                                                        \
  X(MBS_BEAM, beam)                                                                                                    \
  X(MBS_DRAG, drag)                                                                                                    \
  X(MBS_ACTUATOR, actuator)                                                                                            \
  X(MBS_ROTARY_ACTUATOR, rotary_actuator)                                                                              \
  X(MBS_ELASTIC_BELT, belt)                                                                                            \
  X(MBS_CONTACT, contact)                                                                                              \
  X(MBS_STOP, stop)                                                                                                    \
  X(MBS_ROPE, rope)                                                                                                    \
  X(MBS_CABLE, cable)

typedef enum mbs_force_kind {
#define MBS_FORCE_KIND(kind, name) kind,
  MBS_FORCE_TABLE(MBS_FORCE_KIND)
#undef MBS_FORCE_KIND
      MBS_FORCE_KINDS
} mbs_force_kind;

/** Hydraulic cylinder with a valve: mbs/model/forces/hydraulic_cylinder.c has the equations. */
typedef struct mbs_hydraulics {
  double areas[2];    /**< m², areas of the piston towards the first chamber, whose pressure shortens the cylinder, and
                         towards the second; > 0 */
  double length;      /**< m, length of both chambers together, > 0 */
  double dissipation; /**< N s/m, >= 0 */
  double discharge;   /**< discharge coefficient of the valves, > 0 */
  double density;     /**< kg/m³, > 0 */
  double pump, tank;  /**< Pa, pump > tank */
  double bulk[2];     /**< a (1/Pa, > 0) and b (1/Pa²) of the bulk modulus (1 + a p + b p²)/(a + 2 b p) */
  double valve_area;  /**< m², > 0: at spool position κ the valves' openings are κ and 1 - κ times this */
  double pressures[2]; /**< Pa, at the start; NaN (default): equilibrium at the spool's initial position */
} mbs_hydraulics;

/** Air drag and ground resistance; equations: mbs/model/forces/drag.c. All but the wind are >= 0. */
typedef struct mbs_drag {
  double area;        /**< m², cross-section */
  double coefficient; /**< drag coefficient */
  double density;     /**< kg/m³, air */
  double wind[2];     /**< m/s, velocity of the air */
  double resistance;  /**< N, rolling or sliding resistance */
  double speed;       /**< m/s: below this speed the resistance falls to zero; > 0 if resistance > 0 */
} mbs_drag;

/** Actuator of a force or torque; equations: mbs/model/forces/actuator.c. */
typedef struct mbs_actuator {
  double lag;   /**< s, time constant, > 0 */
  double limit; /**< N or Nm, > 0; infinite by default */
  double rate;  /**< N/s or Nm/s, > 0; infinite by default */
  double start; /**< N or Nm; NaN (default): the command u(0) */
} mbs_actuator;

/** Bounds of an angle, a distance or a slide (along `axis`), rad or m; infinite (default): none. Equations:
 * mbs/model/forces/stop.c. */
typedef struct mbs_stop {
  mbs_motion_of of;
  double lower, upper;
} mbs_stop;

/** Path of a cable; equations: mbs/model/forces/cable.c. */
typedef struct mbs_cable_path {
  const mbs_marker_def *at; /**< (n_bodies) point or centre of a disc on each body */
  const double *radii; /**< (n_bodies) m, radii of discs, > 0 if the disc is on the left of the cable, < 0 on its right;
                          0: a point; NULL: all 0. The cable slides over discs and through points; a disc at an end
                          winds it up as its body rotates */
  bool two_sided;      /**< hard cable: never slack, its tension may have either sign */
} mbs_cable_path;

typedef struct mbs_force_def {
  int cookie;
  const char *name;
  mbs_force_kind kind;
  const char *const *bodies; /**< (n_bodies) names. viscous: 1 or more; force, torque, drag: 1; cable: 2 or more in
                                order along the cable, repeated where it meets a body again; else 2 */
  size_t n_bodies;
  mbs_marker_def at[2]; /**< force, drag: at[0] only; viscous, torsion, torque, rotary actuator: not used */
  double stiffness[3]; /**< bushing: cx, cy (N/m), cφ (Nm/rad); spring_damper: N/m in [0]; torsion: Nm/rad in [0]; belt:
                          N/m of each strand in [0]; beam: EA (N), EI (Nm²); contact, stop: N/m^exponent, rope, cable:
                          N/m; >= 0 */
  double damping[3]; /**< bushing and viscous: dx, dy (Ns/m), dφ (Nms/rad); spring_damper, torsion, belt: in [0]; beam:
                        damping over stiffness (s) in [0]; contact: χ (s/m) of the force k δ^n (1 + χ δ') at penetration
                        δ in [0]; >= 0 */
  double rest;     /**< unstressed length of a spring or beam (m), angle of a torsion or bushing (rad); cylinder: length
                      at which both chambers are equal (m); rope, cable: length without load (m). NaN (default): the
                      initial one */
  bool has_axis;   /**< spring_damper: s is the signed distance along `axis`, not the distance of the markers */
  double axis[2];  /**< global direction, need not be a unit vector; contact: fixed on the first body */
  bool consistent; /**< bushing: axes rotate with the first body and both forces act at one point, which conserves
                      angular momentum; false: global axes, each force at the marker of its body */
  bool body_axes;  /**< force: components along the body's axes; false: global axes */
  seam_law law; /**< spring_damper, torsion: f(s, v) in place of stiffness and damping; torque: f(t); force: x component
                   f(t); cylinder: spool position κ(t), limited to 0 to 1; actuators: command u(t); cable: length
                   without load f(t). .value NULL: no law */
  seam_law law_y;              /**< force: y component f(t); no law: 0 */
  bool law_is_state_dependent; /**< mbs_add_law() will add the law: force, torque, spring_damper, torsion, cylinder */
  double radii[2]; /**< m; belt: both pulleys, opposite signs if crossed; contact: both circles, >= 0 (0: a point); with
                      a line only [1]; [0] < 0: the second circle is inside a circle of radius -radii[0] */
  double preload;  /**< belt: tension of each strand in the initial configuration, N, >= 0 */
  mbs_cable_path cable;      /**< cable */
  mbs_hydraulics hydraulics; /**< cylinder */
  mbs_drag drag;
  mbs_actuator actuator;
  mbs_contact contact; /**< contact: all members. stop: exponent, restitution, impact_speed, is_hard, impact. rope,
                          cable: is_hard, restitution, impact */
  mbs_stop stop;
} mbs_force_def;

/** Returns the name of a kind in the model file; static storage. NULL: no such kind. */
SEAM_PUBLIC const char *mbs_joint_kind_text(mbs_joint_kind kind);
SEAM_PUBLIC const char *mbs_force_kind_text(mbs_force_kind kind);

SEAM_PUBLIC mbs_body_def mbs_default_body_def(void);
SEAM_PUBLIC mbs_joint_def mbs_default_joint_def(void);
SEAM_PUBLIC mbs_force_def mbs_default_force_def(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
