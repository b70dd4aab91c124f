/** @file
 * Planar multibody engine: build a constant model, then evaluate, integrate, save and restore states of it.
 *
 * Threads: any number of threads may use one model at once. A builder, a state, a workspace and an integrator are used
 * by one thread at a time; there is no global state. An integrator creates threads if its options allow them.
 *
 * On failure, functions that return a status write *error (may be NULL) and leave *created unchanged. X_destroy() frees
 * the result of X_create(); it accepts NULL.
 *
 * Units are SI, angles radians counter-clockwise. A body's pose (x, y, phi) is that of its centre of mass. A wrench
 * (fx, fy, torque) acts on the *first* body of an element, in global axes. Its torque is about that body's marker. The
 * opposite wrench acts on the second body. Relative quantities are second minus first. The equations, with their
 * sources, are at the head of each file in mbs/ and in docs/theory.md. */
#ifndef SEAM_MBS_H
#define SEAM_MBS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/elements.h>
#include <seam/law.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup mbs_building Building
 * A builder turns definitions into a constant model.
 * @{ */

typedef struct mbs_builder mbs_builder;
typedef struct mbs_model mbs_model;

/** A builder stores definitions until mbs_build(). SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_builder_create(mbs_builder **created, seam_error *error);
SEAM_PUBLIC void mbs_builder_destroy(mbs_builder *builder);

/** Acceleration of gravity (gx, gy) in m/s²; default (0, 0). mbs_build() refuses values that are not finite. */
SEAM_PUBLIC void mbs_set_gravity(mbs_builder *builder, const double gravity[2]);

/** Sets the duration of runs, s. It is the scale of time (mbs_scales) if nothing else gives one; default 0: unknown. */
SEAM_PUBLIC void mbs_set_duration(mbs_builder *builder, double duration);

/** Add a definition to the builder. SEAM_BAD_INPUT: name missing or taken, body unknown, number out of range. Add
 * bodies before the elements that name them. The builder takes ownership of the laws in `def`, also on failure. It does
 * not if `def` is not initialised or an argument is NULL. */
SEAM_PUBLIC seam_status mbs_add_body(mbs_builder *builder, const mbs_body_def *def, seam_error *error);
SEAM_PUBLIC seam_status mbs_add_joint(mbs_builder *builder, const mbs_joint_def *def, seam_error *error);
SEAM_PUBLIC seam_status mbs_add_force(mbs_builder *builder, const mbs_force_def *def, seam_error *error);

/** Turns the definitions into a constant model and consumes the builder, also on failure. Sparsity patterns and
 * symbolic factorisations are found once, here. The model is not assembled yet: see mbs_assemble(). */
SEAM_PUBLIC seam_status mbs_build(mbs_builder *builder, mbs_model **created, seam_error *error);
SEAM_PUBLIC void mbs_model_destroy(mbs_model *model);

/** @} */

/** @defgroup mbs_model The constant model
 * Numbers, names and kinds of a model's items. Texts live as long as the model. For an item that does not exist, texts
 * are NULL, numbers SEAM_NONE, kinds MBS_JOINT_KINDS and MBS_FORCE_KINDS; a model of NULL is empty.
 * @{ */

SEAM_PUBLIC size_t mbs_n_bodies(const mbs_model *model); /**< without ground */
SEAM_PUBLIC size_t mbs_n_joints(const mbs_model *model);
SEAM_PUBLIC size_t mbs_n_forces(const mbs_model *model); /**< a viscous element counts once for each of its bodies */
SEAM_PUBLIC size_t mbs_n_constraints(const mbs_model *model); /**< scalar constraints */
/** Stands for the ground in place of the number of a body; the ground is not a body. */
#define MBS_GROUND ((size_t)-2)

/** A body of the model. */
typedef struct mbs_body_info {
  const char *name;     /**< "ground" for MBS_GROUND; NULL: there is no such body */
  double mass, inertia; /**< kg, kg m²; NaN for the ground and if there is no such body */
} mbs_body_info;
SEAM_PUBLIC mbs_body_info mbs_body_of(const mbs_model *model, size_t body);

/** A joint of the model. Values that its kind does not have are NaN or SEAM_NONE. */
typedef struct mbs_joint_info {
  const char *name;        /**< NULL: there is no such joint */
  mbs_joint_kind kind;     /**< MBS_JOINT_KINDS: there is no such joint */
  size_t bodies[2];        /**< the second is MBS_GROUND if the element is on one body */
  size_t first_constraint; /**< number of its first scalar constraint; its other constraints have the next numbers */
  double markers[2][2];    /**< (ξ, η) in the frames of the first and second body (ground: global), m. NaN for gears
                              without centres and motions of an angle, x, y or phi */
  double axis[2];   /**< prismatic, slot, rack, rolling, skate, motion of a slide: unit vector in the frame of the first
                       body */
  double ratio;     /**< gear: as in mbs_joint_def */
  double radii[2];  /**< m, as in mbs_joint_def */
  mbs_motion_of of; /**< motion: prescribed coordinate; else MBS_MOTIONS */
  size_t curve;     /**< number of the curve (<seam/curves.h>) */
  bool is_affine;   /**< the direction of its wrench does not rotate with the bodies, so its linearisation is exact */
} mbs_joint_info;
SEAM_PUBLIC mbs_joint_info mbs_joint_of(const mbs_model *model, size_t joint);

/** A force element of the model. Values that its kind does not have are NaN or SEAM_NONE. */
typedef struct mbs_force_info {
  const char *name;     /**< NULL: there is no such element */
  mbs_force_kind kind;  /**< MBS_FORCE_KINDS: there is no such element */
  size_t bodies[2];     /**< the second is MBS_GROUND if the element is on one body */
  double markers[2][2]; /**< as a joint's; NaN for kinds without markers, as torsion, and for a missing second body */
  double axis[2];   /**< unit vector: axis of a spring_damper, global; line of a contact, in the first body's frame */
  double radii[2];  /**< m, as in mbs_force_def: belt, contact, span of a cable */
  size_t places[2]; /**< span of a cable: the two points or discs that it joins, numbered along the cable from 0. A
                       cable has spans between neighbours, then spans that pass over discs which the cable may leave */
  double stiffness[3], damping[3]; /**< as in the definition; NaN: a law replaces them, or the force is unilateral */
  seam_law load[2];  /**< laws of time: x and y components of a force, N; torque, Nm, in [0]; .value NULL: no law */
  bool in_body_axes; /**< `load` is along the body's axes; false: global axes */
  size_t curve;      /**< contact: number of the curve (<seam/curves.h>) */
  bool has_impacts;  /**< true: a hard contact */
} mbs_force_info;
SEAM_PUBLIC mbs_force_info mbs_force_of(const mbs_model *model, size_t force);

/** Fills the acceleration of gravity, m/s². */
SEAM_PUBLIC void mbs_gravity(const mbs_model *model, double gravity[2]);

/** A scalar constraint. */
typedef struct mbs_constraint_info {
  size_t joint;     /**< joint of the constraint; SEAM_NONE: there is no such constraint */
  const char *name; /**< name of the residual: "g_x", ... */
} mbs_constraint_info;
SEAM_PUBLIC mbs_constraint_info mbs_constraint_of(const mbs_model *model, size_t constraint);

/** Number of states z: first those of force elements, element by element, then variables, then discrete states of
 * contacts and friction. */
SEAM_PUBLIC size_t mbs_n_states(const mbs_model *model);
typedef struct mbs_state_info {
  size_t force;     /**< its force element; SEAM_NONE: none */
  const char *name; /**< "p1", or a variable's name, "motor.i"; NULL: a discrete state, the time of the last sample, or
                       no such state */
  bool is_mode;     /**< a discrete state: contact open, friction sticking, ...; value 0: not decided yet */
  /** Typical size of the state, in its unit, for error control; 0 becomes 1. It is mbs_variable_def.nominal if given.
   * Otherwise it is the largest of |start value|, |rate at the start| T and, for a force element, a usual value:
   *
   *   T             mbs_scales.time; the time constant of a variable if this is shorter
   *   usual value   cylinder: its pressure difference; actuator: the scale of force (rotary: of energy), or its limit
   *                 if this is smaller
   *
   * This size of a variable may be only round-off of |rate| T at a trial state. Then that |rate| T replaces it. */
  double nominal;
} mbs_state_info;
SEAM_PUBLIC mbs_state_info mbs_state_of(const mbs_model *model, size_t state);
/** Writes the full name of a state into text (size bytes): "lift.p1", "motor.i"; "": it has none. */
SEAM_PUBLIC void mbs_state_text(const mbs_model *model, size_t state, char *text, size_t size);
/** Scales of a problem, to which the library's thresholds are relative. They are finite and, except rate, positive.
 * mbs_build() finds them from the definitions and the start (mbs/dynamics/scales.c). They change with the units of
 * length, mass and time. They do not change if the mechanism is rotated, mirrored or shifted. Nor do they depend on the
 * order and names of bodies and elements. In a mechanism without ground they do not depend on a common velocity of all
 * bodies. */
typedef struct mbs_scales {
  double length; /**< m, largest distance of a marker from a centre of mass or its element's other marker */
  double mass;   /**< kg, largest mass of a body */
  double time;   /**< s, length/speed */
  double speed;  /**< m/s, largest speed: at the start, of motions, or that a load gives `mass` over `length` */
  double force;  /**< N, mass length/time² */
  double energy; /**< J, mass speed² */
  double rate; /**< 1/s, largest √(k/m) of a force element at the start: k its stiffness, m the inertia that it moves;
                  0: none */
} mbs_scales;
/** Returns the scales; NaN for NULL. */
SEAM_PUBLIC mbs_scales mbs_scales_of(const mbs_model *model);
/** Return the number of a body, joint or force element by name; "ground": MBS_GROUND; SEAM_NONE: no such name. */
SEAM_PUBLIC size_t mbs_find_body(const mbs_model *model, const char *name);
SEAM_PUBLIC size_t mbs_find_joint(const mbs_model *model, const char *name);
SEAM_PUBLIC size_t mbs_find_force(const mbs_model *model, const char *name);

/** @} */

/** @defgroup mbs_state State
 * Values that change with time. The pointers point into one contiguous block. n = mbs_n_bodies, m = mbs_n_constraints,
 * n_z = mbs_n_states.
 * @{ */

typedef struct mbs_state {
  double t;             /**< s */
  double *q;            /**< (3n) x, y, phi of each body */
  double *v;            /**< (3n) their rates */
  double *z;            /**< (n_z) states of force elements, variables, discrete states of contacts and friction */
  double *a;            /**< (3n) rates of v; result of mbs_evaluate() */
  double *lambda;       /**< (m) multipliers, as wrenches on the first body; result of mbs_evaluate() */
  double *contact;      /**< (2 per hard contact) normal force and friction, N; result of mbs_evaluate() */
  double *undetermined; /**< (one per hard contact) set to 1 if several forces are compatible with the motion; `contact`
                           then has the forces of least norm. Else 0; result of mbs_evaluate() */
  double *work;         /**< (2) energy dissipated, and energy that loads and motions drive in, since the start, J */
  size_t n_values;      /**< length of the block */
} mbs_state;

/** Creates a state with the start values of the definitions; it is not assembled. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_state_create(const mbs_model *model, mbs_state **created, seam_error *error);
SEAM_PUBLIC void mbs_state_destroy(mbs_state *state);
/** Copies a state of the same model; if lengths differ, nothing is copied. */
SEAM_PUBLIC void mbs_state_copy(mbs_state *to, const mbs_state *from);

/** @} */

/** @defgroup mbs_workspace Workspace
 * Scratch memory and matrix factors for evaluations at a state. Nothing in it carries over from call to call: results
 * depend bit for bit on model and state alone. Each thread needs its own; the model must outlive it. A state is refused
 * (SEAM_BAD_INPUT) if its time is not finite, or its model has other numbers of bodies, constraints or states.
 * Functions without a status give NaN for it, and for elements that do not exist.
 * @{ */

typedef struct mbs_workspace mbs_workspace;
/** SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_workspace_create(const mbs_model *model, mbs_workspace **created, seam_error *error);
SEAM_PUBLIC void mbs_workspace_destroy(mbs_workspace *workspace);

/** Discrete state of a contact or a belt's strand: whether it acts. It is constant in a linearisation. */
typedef struct mbs_contact_state {
  size_t force;          /**< element; SEAM_NONE: no such contact */
  bool is_strand;        /**< true: a strand, which pulls; false: a contact, which pushes */
  bool has_two, is_left; /**< the belt has two strands; this is the left one, seen from the first pulley */
  bool acts;             /**< the contact presses, or the strand is taut; false if depth or tension is zero */
  bool is_on_border;     /**< depth or tension is zero up to round-off */
} mbs_contact_state;

/** Return the number of contacts and strands, in the order of their elements, and the discrete state of one. */
SEAM_PUBLIC size_t mbs_n_contact_states(const mbs_model *model);
SEAM_PUBLIC mbs_contact_state mbs_contact_state_of(mbs_workspace *workspace, const mbs_state *state, size_t number);

/** Solves the index-1 form at (t, q, v, z) for a and lambda; if constraints are redundant, for the lambda of least
 * norm. SEAM_SINGULAR or SEAM_NOT_FINITE names the element. */
SEAM_PUBLIC seam_status mbs_evaluate(mbs_workspace *workspace, mbs_state *state, seam_error *error);

/** At the beginning of a run: decides which joints with hard friction stick and which slip, and evaluates the state.
 * Does nothing if no joint has hard friction; without this call mbs_evaluate() has no friction in joints at rest.
 * Fails as mbs_evaluate() does. */
SEAM_PUBLIC seam_status mbs_begin_friction(mbs_workspace *workspace, mbs_state *state, seam_error *error);

/** Inverse dynamics: fills `forces` (3n) = M a + Gᵀ λ - Q. Together with the model's forces Q, these generalised forces
 * cause the accelerations a (3n) and the multipliers lambda (m). M: masses, G: constraint Jacobian. */
SEAM_PUBLIC void mbs_inverse_dynamics(mbs_workspace *workspace, const mbs_state *state, const double *a,
                                      const double *lambda, double *forces);

/** Fills the residuals g (m), their rates gd (m) and second rates gdd (m; from state->a); NULL: not wanted. */
SEAM_PUBLIC void mbs_residuals(mbs_workspace *workspace, const mbs_state *state, double *g, double *gd, double *gdd);

typedef struct mbs_energy {
  double kinetic, potential; /**< J; the potential is zero at y = 0 and at rest lengths */
  double total;              /**< kinetic + potential */
  double dissipated, driven; /**< J, energies since the start: dissipated; driven in by loads and motions */
} mbs_energy;
SEAM_PUBLIC mbs_energy mbs_energy_of(mbs_workspace *workspace, const mbs_state *state);

/** Fills a joint's reaction from lambda: wrench (fx, fy, torque) on the first body, about its marker. */
SEAM_PUBLIC void mbs_reaction(mbs_workspace *workspace, const mbs_state *state, size_t joint, double wrench[3]);

/** Fills the wrench of a two-body force element on its first body. The torque is about that body's marker or, without
 * marker, its centre of mass. */
SEAM_PUBLIC void mbs_force_wrench(mbs_workspace *workspace, const mbs_state *state, size_t force, double wrench[3]);

/** Returns the force (N) or torque (Nm) of a spring_damper, torsion, hydraulic cylinder or actuator; positive: it acts
 * to increase the element's length or angle. 0 for other elements. */
SEAM_PUBLIC double mbs_force_push(mbs_workspace *workspace, const mbs_state *state, size_t force);

/** @} */

/** @defgroup mbs_assembly Assembly
 * Consistent states.
 * @{ */

/** Changes that assembly made. Displacements and rotations are measured from mbs_placed_pose(); rough bodies
 * (mbs_body_def.is_rough) do not count. */
typedef struct mbs_assembly {
  double largest_move; /**< m, largest displacement of a centre of mass */
  size_t moved_body;   /**< body with this displacement */
  double largest_turn; /**< rad, largest rotation of a body */
  size_t turned_body;
  double largest_velocity_correction; /**< m/s or rad/s, largest correction of a body's vx, vy or omega */
  size_t velocity_corrected_body;
  size_t rank;               /**< rank of the constraint Jacobian */
  size_t n_two_sided;        /**< number of two-sided cables */
  size_t degrees_of_freedom; /**< 3n - rank - n_two_sided */
  size_t n_redundant;        /**< m - rank */
} mbs_assembly;

/** Fills the pose x, y, φ of a body before assembly. It follows from the definition or from prescribed coordinates of
 * the start. Writes nothing if there is no such body. */
SEAM_PUBLIC void mbs_placed_pose(const mbs_model *model, size_t body, double pose[3]);

/** Makes positions, velocities, accelerations and multipliers of *state consistent. Newton's method finds the positions
 * along a path that stays on its branch of solutions. If displacements of rough bodies alone close the loops, the poses
 * of other bodies do not change. Velocities get a correction of least norm; a and lambda follow from one linear solve.
 * SEAM_NOT_ASSEMBLED: a loop cannot close, or closes only on another branch; the mechanism is locked; or a force is not
 * finite. SEAM_SINGULAR: the configuration is singular. The message names the joint or force. `report` (may be NULL) is
 * filled also on failure, up to the failure; `redundant` (m, may be NULL) gets the numbers of the report->n_redundant
 * scalar constraints that earlier ones imply. */
SEAM_PUBLIC seam_status mbs_assemble(mbs_workspace *workspace, mbs_state *state, mbs_assembly *report,
                                     size_t *redundant, seam_error *error);

/** @} */

/** @defgroup mbs_equilibrium Equilibrium
 * Static equilibria.
 * @{ */

typedef struct mbs_equilibrium {
  size_t degrees_of_freedom; /**< 0: the mechanism cannot move, and only reactions are found */
  size_t n_redundant;        /**< number of constraints that follow from others; reactions then have least norm */
  size_t steps;              /**< steps of the search */
  size_t n_neutral;          /**< number of independent motions that no force resists or drives */
  size_t n_kept; /**< number of variables that are in equilibrium at any value; their values depend on the path of the
                    search */
  size_t kept_variable; /**< one of these variables */
  double acceleration;  /**< largest remaining acceleration, m/s² or rad/s² */
  double rate;          /**< largest remaining rate of a state, per s; sampled variables: (next value - value)/period */
  double gap;           /**< largest residual of a constraint, m or rad */
  double largest_move;  /**< m, largest displacement of a centre of mass from the assembled start */
  size_t moved_body;    /**< body with this displacement */
  double largest_turn;  /**< rad, largest rotation of a body from the assembled start */
  size_t turned_body;
} mbs_equilibrium;

/** Brings *state, assembled or not, to the stable equilibrium that the mechanism would approach under strong damping: v
 * = 0, a = 0, lambda the static reactions, states of force elements and variables constant; laws of time are frozen at
 * state->t. The search also finds variables that do not follow from the pose, such as integrals; it begins at their
 * values in *state. seam_equilibrium_stability_find() can then find whether motions about the equilibrium grow. The
 * search moves away from unstable equilibria. `neutral` (n_bodies, may be NULL) marks the bodies that move in neutral
 * motions. SEAM_NOT_CONVERGED: no equilibrium found; the message names the body on which forces remain; errors of
 * mbs_assemble(), except for a locked mechanism. On failure the state is unchanged. */
SEAM_PUBLIC seam_status mbs_find_equilibrium(mbs_workspace *workspace, mbs_state *state, mbs_equilibrium *report,
                                             bool *neutral, seam_error *error);

/** Returns the number of elements whose friction may keep the mechanism at rest at *state: contacts that press, joints
 * with friction, resistances. Fills `names` with the names of the first n. Returns 0 if the state does not fit the
 * model. Regularised friction is zero at rest, so that mbs_find_equilibrium() ignores it; with friction that sticks,
 * many poses are equilibria. */
SEAM_PUBLIC size_t mbs_frictions_at_rest(mbs_workspace *workspace, const mbs_state *state, const char **names,
                                         size_t n);

/** @} */

/** @defgroup mbs_integration Integration
 * An integrator has its own workspace; the model must outlive it.
 * @{ */

enum { MBS_ADAPTIVE_STEPS = 1, MBS_FIXED_STEPS = 2 };

/** Methods of integration. Arguments of X: name, kinds of steps that it takes. */
#define MBS_METHOD_TABLE(X)                                                                                            \
  X(erk, MBS_ADAPTIVE_STEPS | MBS_FIXED_STEPS)                                                                         \
  X(radau, MBS_ADAPTIVE_STEPS | MBS_FIXED_STEPS)                                                                       \
  X(ida, MBS_ADAPTIVE_STEPS)                                                                                           \
  X(cvode, MBS_ADAPTIVE_STEPS)                                                                                         \
  X(euler, MBS_FIXED_STEPS)                                                                                            \
  X(symplectic_euler, MBS_FIXED_STEPS)                                                                                 \
  X(rk2, MBS_FIXED_STEPS)                                                                                              \
  X(rk4, MBS_FIXED_STEPS)

/** Returns the kinds of steps of a method; 0: no such method. */
SEAM_PUBLIC int mbs_method_steps(const char *method);

typedef struct mbs_integrator_options {
  int cookie;
  const char *method; /**< a name of MBS_METHOD_TABLE; "erk" (default) */
  int order;          /**< erk: 4, 5 or 8 (default); 0: default */
  double rtol;        /**< default 1e-8 */
  double atol; /**< bound of a step's error in positions, velocities and states: rtol |y| + atol; default 0: rtol times
                  the larger of |y| and a share of its scale (mbs_scales, mbs_state_info). Errors of energies are then
                  relative to the largest of kinetic energy, dissipated energy, driven energy and their scale */
  double step; /**< fixed step (s); 0 (default): adaptive */
  double largest_step; /**< s; infinite by default */
  int n_threads; /**< threads of explicit methods from 2000 bodies on; default 1; 0: one per processor if, in a trial,
                    this saves a tenth of the time. Results do not depend on their number */
} mbs_integrator_options;
SEAM_PUBLIC mbs_integrator_options mbs_default_integrator_options(void);

typedef struct mbs_statistics {
  size_t steps, rejected;             /**< accepted and rejected steps */
  size_t evaluations;                 /**< evaluations of the equations of motion */
  size_t factorisations;              /**< factorisations of Newton matrices (implicit methods) */
  double smallest_step, largest_step; /**< s, lengths of accepted steps */
} mbs_statistics;

typedef struct mbs_integrator mbs_integrator;
/** SEAM_BAD_INPUT: contradictory options; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_integrator_create(const mbs_model *model, const mbs_integrator_options *options,
                                              mbs_integrator **created, seam_error *error);
SEAM_PUBLIC void mbs_integrator_destroy(mbs_integrator *integrator);

/** Starts at a copy of *state, which must be assembled; clears the stop time. Constraint residuals up to 1e-6 of the
 * largest coordinate and rate, or of their scales, are projected away. Fails as mbs_evaluate() does, or with
 * SEAM_BAD_INPUT, also if the state is not assembled. */
SEAM_PUBLIC seam_status mbs_integrator_start(mbs_integrator *integrator, const mbs_state *state, seam_error *error);

/** Sets the stop time (s), which no step passes; infinite until set. */
SEAM_PUBLIC void mbs_integrator_set_stop(mbs_integrator *integrator, double t);

/** Sets the workspace (same model, outlives the integrator; NULL: none) with which the caller evaluates the states of
 * mbs_integrator_advance(). The integrator stores frames and constraints in it, so that mbs_residuals() or
 * seam_trajectory_row() cost less. Results are the same bit for bit. */
SEAM_PUBLIC void mbs_integrator_set_reader(mbs_integrator *integrator, mbs_workspace *reader);

/** Sets a callback. Every step of the integrator ends with a call of it, with `context` and the time t of the step. If
 * it returns true, mbs_integrator_advance() ends with SEAM_INTERRUPTED. NULL: no callback. */
SEAM_PUBLIC void mbs_integrator_set_interrupt(mbs_integrator *integrator, bool (*stop)(void *context, double t),
                                              void *context);

/** Returns the first kink after t of all laws of time that have a function `next_kink`; laws of model files do. Returns
 * no kink if t is NaN or the model is NULL. */
SEAM_PUBLIC seam_kink mbs_next_kink(const mbs_model *model, double t);

/** Brings *state to time t. SEAM_BAD_INPUT: t is not finite, before the last time reached or beyond the stop time.
 * SEAM_BAD_STATE: there was no start or restore before. The integrator takes its own steps, possibly past t. The
 * sequence of steps does not depend on t: an additional step, as accurate as the others, gives the state at t. Steps
 * end at kinks of laws of time; there *state is the state after the kink. If the rate of a motion joint jumps, an
 * impulse changes the velocities of its bodies; the impulse's work counts as driven in. A jump of the motion itself is
 * SEAM_CONSTRAINT_LOST. On failure *state is the last valid one. SEAM_STEP_FAILED, SEAM_NOT_CONVERGED, SEAM_NOT_FINITE,
 * SEAM_CONSTRAINT_LOST, SEAM_BECAME_SINGULAR. */
SEAM_PUBLIC seam_status mbs_integrator_advance(mbs_integrator *integrator, double t, mbs_state *state,
                                               seam_error *error);
SEAM_PUBLIC mbs_statistics mbs_integrator_statistics(const mbs_integrator *integrator);

/** The image of an integrator contains everything that determines its continuation. One-step methods continue from it
 * bit for bit. "ida" and "cvode" restart with order 1: two restored runs are equal bit for bit, but differ from the
 * saved run. Model and options are not in the image: restore it into an integrator made with the same model and
 * options. mbs_integrator_restore() checks magic, version, method, layout, numbers and laws of the model, and a
 * checksum; after SEAM_BAD_STATE the integrator is unchanged. */
SEAM_PUBLIC size_t mbs_integrator_image_size(const mbs_integrator *integrator);
SEAM_PUBLIC void mbs_integrator_save(const mbs_integrator *integrator, void *image);
SEAM_PUBLIC seam_status mbs_integrator_restore(mbs_integrator *integrator, const void *image, size_t size,
                                               seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
