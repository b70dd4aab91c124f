/** @file
 * Planar multibody engine: build a constant model, then evaluate, integrate, save and restore states of it.
 *
 * Threads: any number of threads may use one model at once. A builder, a state, a workspace and an integrator are used
 * by one thread at a time; there is no other state, so that threads with workspaces of their own do not interact. An
 * integrator creates threads of its own where its options ask for them.
 *
 * Failure: functions that return a status write *error (may be NULL) and leave *created alone. What X_create() made is
 * freed by X_destroy(), which takes NULL.
 *
 * Units are SI, angles radians counter-clockwise. A body's pose (x, y, phi) is that of its centre of mass. A wrench
 * (fx, fy, torque) is the one on the *first* body an element lists, in global axes, its torque about that body's
 * marker; its opposite acts on the second. Relative quantities are second minus first.
 * The equations, with their sources, are at the head of each file in mbs/ and in docs/theory.md. */
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
 * From definitions to a constant model.
 * @{ */

typedef struct mbs_builder mbs_builder;
typedef struct mbs_model mbs_model;

/** A builder holds definitions until mbs_build(). SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_builder_create(mbs_builder **created, seam_error *error);
SEAM_PUBLIC void mbs_builder_destroy(mbs_builder *builder);

/** Acceleration of gravity (gx, gy) in m/s²; default (0, 0). mbs_build() refuses one that is not finite. */
SEAM_PUBLIC void mbs_set_gravity(mbs_builder *builder, const double gravity[2]);

/** Sets the duration of runs, s. It is a scale of the problem (mbs_scales) where nothing else is; default 0:
 * unknown. */
SEAM_PUBLIC void mbs_set_duration(mbs_builder *builder, double duration);

/** Each adds one definition or fails with SEAM_BAD_INPUT (name missing or taken, body unknown, number out of range).
 * Bodies come before the elements that name them. Laws in `def` are owned by the builder whatever the result, but where
 * `def` is not initialised or an argument is NULL. */
SEAM_PUBLIC seam_status mbs_add_body(mbs_builder *builder, const mbs_body_def *def, seam_error *error);
SEAM_PUBLIC seam_status mbs_add_joint(mbs_builder *builder, const mbs_joint_def *def, seam_error *error);
SEAM_PUBLIC seam_status mbs_add_force(mbs_builder *builder, const mbs_force_def *def, seam_error *error);

/** Turns the definitions into a constant model (sparsity patterns and symbolic factorisations found once) and consumes
 * the builder, also on failure. The model is not assembled yet: see mbs_assemble(). */
SEAM_PUBLIC seam_status mbs_build(mbs_builder *builder, mbs_model **created, seam_error *error);
SEAM_PUBLIC void mbs_model_destroy(mbs_model *model);

/** @} */

/** @defgroup mbs_model The constant model
 * Numbers, names and kinds. Texts live as long as the model. For a body, joint, ... that does not exist, texts are
 * NULL, numbers SEAM_NONE, and kinds MBS_JOINT_KINDS and MBS_FORCE_KINDS; a model of NULL has none.
 * @{ */

SEAM_PUBLIC size_t mbs_n_bodies(const mbs_model *model); /**< without ground */
SEAM_PUBLIC size_t mbs_n_joints(const mbs_model *model);
SEAM_PUBLIC size_t mbs_n_forces(const mbs_model *model); /**< a viscous element counts once for each of its bodies */
SEAM_PUBLIC size_t mbs_n_constraints(const mbs_model *model); /**< scalar constraints */
/** The number of the ground, which is not counted among the bodies. */
#define MBS_GROUND ((size_t)-2)

/** A body. */
typedef struct mbs_body_info {
  const char *name;     /**< "ground" for MBS_GROUND; NULL: there is no such body */
  double mass, inertia; /**< kg, kg m²; NaN for the ground and for what is not a body */
} mbs_body_info;
SEAM_PUBLIC mbs_body_info mbs_body_of(const mbs_model *model, size_t body);

/** A joint, by what its definition gave the model. Numbers are NaN, or SEAM_NONE, where its kind has none. */
typedef struct mbs_joint_info {
  const char *name;        /**< NULL: there is no such joint */
  mbs_joint_kind kind;     /**< MBS_JOINT_KINDS where there is none */
  size_t bodies[2];        /**< one on a single body has MBS_GROUND as the second */
  size_t first_constraint; /**< its constraints are numbered from there on, in the order of residual names */
  double markers[2][2];    /**< (ξ, η) in the frame of the first and of the second body, m; that of the ground is the
                              global one. NaN: gears without centres, motions but that of a distance */
  double axis[2];          /**< prismatic, slot, rack, rolling, skate: unit vector in the frame of the first body */
  double ratio;            /**< gear */
  double radii[2];  /**< as in the definition: of a rack's pinion, a wheel that rolls or a curve's roller (the first
                       number), of a belt's pulleys */
  mbs_motion_of of; /**< coordinate that a motion prescribes; MBS_MOTIONS for other joints */
  size_t curve;     /**< of <seam/curves.h> */
  bool is_affine; /**< the direction of its wrench does not turn when its bodies move: a linearisation of it is exact */
} mbs_joint_info;
SEAM_PUBLIC mbs_joint_info mbs_joint_of(const mbs_model *model, size_t joint);

/** A force element, in the same way. */
typedef struct mbs_force_info {
  const char *name;     /**< NULL: there is no such element */
  mbs_force_kind kind;  /**< MBS_FORCE_KINDS where there is none */
  size_t bodies[2];     /**< one on a single body has MBS_GROUND as the second */
  double markers[2][2]; /**< as of a joint. NaN: torsion, torque, viscous elements; the second one of a force on one
                           body */
  double axis[2];   /**< unit vector: of a spring_damper along an axis in global axes, along the line of a contact in
                       the frame of the first body */
  double radii[2];  /**< as in the definition: belt, contact, a span of a cable */
  size_t places[2]; /**< of a span: the numbers of its ends along the cable, which has its spans between neighbours in
                       their order, then those past discs that it may leave; SEAM_NONE: it is none */
  double stiffness[3], damping[3]; /**< as in the definition; NaN where a law stands in their place */
  seam_law load[2];                /**< x and y component of a force (N); torque (Nm, in [0]): laws of time; .value is
                                      NULL where there is none */
  bool in_body_axes;               /**< the components are along the body's axes */
  size_t curve;                    /**< of a contact: of <seam/curves.h> */
  bool has_impacts;                /**< it is a hard contact */
} mbs_force_info;
SEAM_PUBLIC mbs_force_info mbs_force_of(const mbs_model *model, size_t force);

/** Acceleration of gravity, m/s². */
SEAM_PUBLIC void mbs_gravity(const mbs_model *model, double gravity[2]);

/** A scalar constraint. */
typedef struct mbs_constraint_info {
  size_t joint;     /**< that it belongs to; SEAM_NONE: there is no such constraint */
  const char *name; /**< of its residual: "g_x", ... */
} mbs_constraint_info;
SEAM_PUBLIC mbs_constraint_info mbs_constraint_of(const mbs_model *model, size_t constraint);

/** States of force elements, those of one element in a row, then of variables and modes. */
SEAM_PUBLIC size_t mbs_n_states(const mbs_model *model);
typedef struct mbs_state_info {
  size_t force;     /**< its element; SEAM_NONE for others */
  const char *name; /**< "p1", or a variable's, "motor.i"; NULL where it has none, as the time of the last sample and
                       modes have, and where there is no such state */
  bool is_mode;     /**< 0 there: as it moves */
  double nominal;   /**< the size, in its unit, that its error is compared with: as its definition says
                       (mbs_variable_def.nominal); else the larger of its start and of its rate there over its own rate
                       or that of the scales and, of a force element, the usual one (difference of pressures of a
                       cylinder; scale of force or, of a rotary one, energy of an actuator). Where these are zero, rates
                       over the run decide; where there are none either, 1 */
} mbs_state_info;
SEAM_PUBLIC mbs_state_info mbs_state_of(const mbs_model *model, size_t state);
/** Writes the whole name of a state into text (size bytes): "lift.p1", "motor.i"; "" where it has none. */
SEAM_PUBLIC void mbs_state_text(const mbs_model *model, size_t state, char *text, size_t size);
/** Scales of a problem, which chosen numbers of the library are ratios to: positive (but for rate) and finite, found by
 * mbs_build() from the definitions and the start as mbs/dynamics/scales.c says. They change as lengths, masses and
 * times do where the units of these are others, and stay as they are where the whole is turned, mirrored or shifted,
 * where bodies and elements have another order or other names and, if nothing holds the mechanism to the ground, where
 * all of it moves at a velocity more. */
typedef struct mbs_scales {
  double length; /**< m, the largest distance of a marker from a centre of mass or the other marker of its element */
  double mass;   /**< kg, the largest of a body */
  double time;   /**< s, length/speed */
  double speed; /**< m/s, the largest that the start has, or that its loads and laws of motions give along the length */
  double force; /**< N, mass length/time² */
  double energy; /**< J, mass speed² */
  double rate;   /**< 1/s, √(k/m) of the stiffest force element at the start on the lightest of its bodies; 0: none */
} mbs_scales;
/** NaN for a model of NULL. */
SEAM_PUBLIC mbs_scales mbs_scales_of(const mbs_model *model);
/** Index of a name, SEAM_NONE when there is no such body, joint or force element; "ground" is the body MBS_GROUND. */
SEAM_PUBLIC size_t mbs_find_body(const mbs_model *model, const char *name);
SEAM_PUBLIC size_t mbs_find_joint(const mbs_model *model, const char *name);
SEAM_PUBLIC size_t mbs_find_force(const mbs_model *model, const char *name);

/** @} */

/** @defgroup mbs_state State
 * Everything that moves. One contiguous block, into which the pointers point. n = mbs_n_bodies,
 * m = mbs_n_constraints, n_z = mbs_n_states.
 * @{ */

typedef struct mbs_state {
  double t;             /**< s */
  double *q;            /**< (3n) x, y, phi of each body */
  double *v;            /**< (3n) their rates */
  double *z;            /**< (n_z) states of force elements, variables and modes; integrated */
  double *a;            /**< (3n) their second rates; result of mbs_evaluate() */
  double *lambda;       /**< (m) multipliers, wrench on the first body; result of mbs_evaluate() */
  double *contact;      /**< (2 for each hard contact) normal force and friction, N; result of mbs_evaluate() */
  double *undetermined; /**< (1 for each hard contact) 1: the motion does not determine its forces, which are those of
                     least norm; else 0; result of mbs_evaluate() */
  double *work;         /**< (2) energy dissipated and energy driven in since t0, J; integrated */
  size_t n_values;      /**< length of the block */
} mbs_state;

/** The state the definitions give, not assembled. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_state_create(const mbs_model *model, mbs_state **created, seam_error *error);
SEAM_PUBLIC void mbs_state_destroy(mbs_state *state);
/** Both states belong to the same model; of different lengths, nothing is copied. */
SEAM_PUBLIC void mbs_state_copy(mbs_state *to, const mbs_state *from);

/** @} */

/** @defgroup mbs_workspace Workspace
 * Scratch memory and numeric factors, which evaluations at a state use. Nothing in it outlives a call: results depend
 * on model and state alone, to the bit. One for each thread; the model outlives it. A state of a model with other
 * numbers of bodies, constraints or states, or at a time that is not finite, is refused (SEAM_BAD_INPUT); functions
 * without a status give NaN for it, and for elements that do not exist.
 * @{ */

typedef struct mbs_workspace mbs_workspace;
/** SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_workspace_create(const mbs_model *model, mbs_workspace **created, seam_error *error);
SEAM_PUBLIC void mbs_workspace_destroy(mbs_workspace *workspace);

/** Mode of an element that acts on one side alone, a contact or a strand of a belt, in a state. A linearisation about
 * the state keeps this mode. */
typedef struct mbs_contact_state {
  size_t force;          /**< element; SEAM_NONE: there is no such contact */
  bool is_strand;        /**< it pulls; a contact pushes */
  bool has_two, is_left; /**< a belt's: strands on the right and on the left, seen from the first pulley */
  bool acts;             /**< it presses, or is taut; on the border it does not */
  bool is_on_border;     /**< its depth, or its tension, is zero but for rounding */
} mbs_contact_state;

/** Contacts and strands of a model: their number, and the mode of one, in the order of their elements. */
SEAM_PUBLIC size_t mbs_n_contact_states(const mbs_model *model);
SEAM_PUBLIC mbs_contact_state mbs_contact_state_of(mbs_workspace *workspace, const mbs_state *state, size_t number);

/** Index-1 form at (t, q, v, z): fills a and lambda. Where constraints are redundant, lambda is the one of least norm
 * among those that give this motion. SEAM_SINGULAR or SEAM_NOT_FINITE (naming the element) on failure. */
SEAM_PUBLIC seam_status mbs_evaluate(mbs_workspace *workspace, mbs_state *state, seam_error *error);

/** Decides at the beginning of a run which joints with hard friction stick, and which slip as the bodies move or begin
 * to. Evaluates the state where there are any; mbs_evaluate() alone knows no friction of joints that rest. Errors of
 * mbs_evaluate(). */
SEAM_PUBLIC seam_status mbs_begin_friction(mbs_workspace *workspace, mbs_state *state, seam_error *error);

/** Inverse dynamics: generalised forces (3n) that must act besides those of the model so that it moves with the given
 * accelerations a (3n) and multipliers: M a + Gᵀ λ - Q. */
SEAM_PUBLIC void mbs_inverse_dynamics(mbs_workspace *workspace, const mbs_state *state, const double *a,
                                      const double *lambda, double *forces);

/** Constraint residuals at the state: g (m), its rate gd (m) and second rate gdd (m, uses state->a). NULL skips. */
SEAM_PUBLIC void mbs_residuals(mbs_workspace *workspace, const mbs_state *state, double *g, double *gd, double *gdd);

typedef struct mbs_energy {
  double kinetic, potential; /**< J; potential is zero at y = 0 and at rest lengths */
  double total;              /**< kinetic + potential */
  double dissipated, driven; /**< since t0 */
} mbs_energy;
SEAM_PUBLIC mbs_energy mbs_energy_of(mbs_workspace *workspace, const mbs_state *state);

/** Reaction of a joint: wrench (fx, fy, torque) on its first body, torque about that body's marker. Uses lambda. */
SEAM_PUBLIC void mbs_reaction(mbs_workspace *workspace, const mbs_state *state, size_t joint, double wrench[3]);

/** Wrench of a two-body force element on its first body, torque about that body's marker (its centre of mass where it
 * has none). */
SEAM_PUBLIC void mbs_force_wrench(mbs_workspace *workspace, const mbs_state *state, size_t force, double wrench[3]);

/** Force (N), or torque (Nm), with which a spring_damper, torsion, hydraulic cylinder or actuator drives its length or
 * angle: positive extends. 0 for other elements. */
SEAM_PUBLIC double mbs_force_push(mbs_workspace *workspace, const mbs_state *state, size_t force);

/** @} */

/** @defgroup mbs_assembly Assembly
 * Consistent states.
 * @{ */

/** Moves are counted from mbs_placed_pose(), of bodies whose definition does not call it rough. */
typedef struct mbs_assembly {
  double largest_move; /**< m, of a centre of mass ... */
  size_t moved_body;   /**< ... and its body */
  double largest_turn; /**< rad ... */
  size_t turned_body;
  double largest_velocity_correction; /**< m/s or rad/s, of one component ... */
  size_t velocity_corrected_body;
  size_t rank;               /**< of the constraint Jacobian */
  size_t degrees_of_freedom; /**< 3n - rank */
  size_t n_redundant;        /**< m - rank */
} mbs_assembly;

/** x, y, φ as the body is defined, or as a start asks that prescribes coordinates; nothing where there is no body. */
SEAM_PUBLIC void mbs_placed_pose(const mbs_model *model, size_t body, double pose[3]);

/** Makes positions, velocities, accelerations and multipliers of *state consistent: Newton on positions along a path
 * that keeps the branch, where only bodies that are rough move if that closes the loops; minimum-norm correction of
 * velocities, one linear solve for the rest. SEAM_NOT_ASSEMBLED when a loop cannot close or only on another branch,
 * when the mechanism is locked, or when a force is not finite; SEAM_SINGULAR in a singular configuration; the message
 * names the joint or force. `report` (may be NULL) is filled as far as assembly came; `redundant` (m, may be NULL) gets
 * the scalar constraints that follow from those before them, report->n_redundant of them. */
SEAM_PUBLIC seam_status mbs_assemble(mbs_workspace *workspace, mbs_state *state, mbs_assembly *report,
                                     size_t *redundant, seam_error *error);

/** @} */

/** @defgroup mbs_equilibrium Equilibrium
 * Static equilibria.
 * @{ */

typedef struct mbs_equilibrium {
  size_t degrees_of_freedom; /**< 0: a locked mechanism, which only has reactions */
  size_t n_redundant;        /**< constraints that follow from others: reactions are those of least norm */
  size_t steps;              /**< that the search took */
  size_t n_neutral;          /**< independent motions that no force resists nor drives */
  size_t n_kept;             /**< variables that rest at any value; the way to the equilibrium gives it ... */
  size_t kept_variable;      /**< ... and one of them */
  double acceleration;       /**< largest that is left, m/s² or rad/s² */
  double rate;               /**< largest of a state that is left, per s; of sampled variables (f - z)/T */
  double gap;                /**< largest residual of a constraint, m or rad */
  double largest_move;       /**< m, of a centre of mass from the assembled start ... */
  size_t moved_body;         /**< ... and its body */
  double largest_turn;       /**< rad ... */
  size_t turned_body;
} mbs_equilibrium;

/** Brings *state, assembled or not, to the stable equilibrium that the mechanism would approach under strong damping: v
 * = 0, a = 0, lambda the static reactions, states of force elements and variables at rest; laws of time are frozen at
 * state->t. Variables that do not follow from the pose, such as integrals, are found together with it, from their
 * values in *state; seam_rest_stability_find() finds whether the motion about such an equilibrium grows. The search
 * moves away from an equilibrium that is not stable. `neutral` (n_bodies, may be NULL) marks the bodies that move in
 * neutral motions. SEAM_NOT_CONVERGED when there is none, naming the body on which forces remain; errors of
 * mbs_assemble(), though a locked mechanism is not an error here. On failure the state is unchanged. */
SEAM_PUBLIC seam_status mbs_find_equilibrium(mbs_workspace *workspace, mbs_state *state, mbs_equilibrium *report,
                                             bool *neutral, seam_error *error);

/** Regularised friction is zero at rest, so that an equilibrium is the one without it; a mechanism that sticks has
 * many. Number of force elements and joints whose friction may hold the mechanism at *state (contacts that press,
 * joints with friction, resistances), and the names of the first n of them; 0 for a state that does not fit. */
SEAM_PUBLIC size_t mbs_frictions_at_rest(mbs_workspace *workspace, const mbs_state *state, const char **names,
                                         size_t n);

/** @} */

/** @defgroup mbs_integration Integration
 * In time, by one of several methods. An integrator has its own workspace; the model outlives it.
 * @{ */

enum { MBS_ADAPTIVE_STEPS = 1, MBS_FIXED_STEPS = 2 };

/** Methods of integration. Columns: name, kinds of steps it takes. */
#define MBS_METHOD_TABLE(X)                                                                                            \
  X(erk, MBS_ADAPTIVE_STEPS | MBS_FIXED_STEPS)                                                                         \
  X(radau, MBS_ADAPTIVE_STEPS | MBS_FIXED_STEPS)                                                                       \
  X(ida, MBS_ADAPTIVE_STEPS)                                                                                           \
  X(cvode, MBS_ADAPTIVE_STEPS)                                                                                         \
  X(euler, MBS_FIXED_STEPS)                                                                                            \
  X(symplectic_euler, MBS_FIXED_STEPS)                                                                                 \
  X(rk2, MBS_FIXED_STEPS)                                                                                              \
  X(rk4, MBS_FIXED_STEPS)

/** Kinds of steps that a method takes; 0: there is no such method. */
SEAM_PUBLIC int mbs_method_steps(const char *method);

typedef struct mbs_integrator_options {
  int cookie;
  const char *method;  /**< a name of MBS_METHOD_TABLE; "erk" (default) */
  int order;           /**< erk: 4, 5 or 8 (default); 0: the usual one */
  double rtol;         /**< default 1e-8 */
  double atol;         /**< a step's error stays below rtol |y| + atol, of positions, velocities and states; default 0:
                            below rtol times their scales (mbs_scales, mbs_state_info). Energies are compared
                            with the largest one that moves or was exchanged */
  double step;         /**< fixed step (s); 0 (default): adaptive */
  double largest_step; /**< s; infinite by default */
  int n_threads; /**< that share the work with 2000 bodies or more, by explicit methods; default 1; 0: by trial, one
                      for each processor where that saves a tenth of the time. Results do not depend on it */
} mbs_integrator_options;
SEAM_PUBLIC mbs_integrator_options mbs_default_integrator_options(void);

typedef struct mbs_statistics {
  size_t steps, rejected;             /**< accepted and rejected steps */
  size_t evaluations;                 /**< of the equations of motion */
  size_t factorisations;              /**< of Newton matrices of implicit methods */
  double smallest_step, largest_step; /**< s, of accepted steps */
} mbs_statistics;

typedef struct mbs_integrator mbs_integrator;
/** SEAM_BAD_INPUT for options that do not fit together, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status mbs_integrator_create(const mbs_model *model, const mbs_integrator_options *options,
                                              mbs_integrator **created, seam_error *error);
SEAM_PUBLIC void mbs_integrator_destroy(mbs_integrator *integrator);

/** Starts at *state, which must be assembled; copies it and clears the stop time. Small deviations from the
 * constraints, up to 1e-6 of the largest coordinate and rate (at least 1 m, rad), are projected away. Errors of
 * mbs_evaluate(), and SEAM_BAD_INPUT, as for a state that is not assembled. */
SEAM_PUBLIC seam_status mbs_integrator_start(mbs_integrator *integrator, const mbs_state *state, seam_error *error);

/** Steps end at the stop time and never pass it; infinite until set. */
SEAM_PUBLIC void mbs_integrator_set_stop(mbs_integrator *integrator, double t);

/** Sets the workspace in which the states that mbs_integrator_advance() returns will be read: one of the same model,
 * which must outlive the integrator, or NULL. Frames and constraints that the integrator has evaluated are left in it,
 * so that mbs_residuals() or seam_trajectory_row() of such a state cost less; their results are the same to the bit. */
SEAM_PUBLIC void mbs_integrator_set_reader(mbs_integrator *integrator, mbs_workspace *reader);

/** Interrupt callback: called after every step of the integrator with its time; true ends mbs_integrator_advance()
 * there with SEAM_INTERRUPTED. NULL: none. `context` is passed on to it. */
SEAM_PUBLIC void mbs_integrator_set_interrupt(mbs_integrator *integrator, bool (*stop)(void *context, double t),
                                              void *context);

/** The first kink after t of all laws of time of the model that have a function `next_kink`, as those of model files
 * do. None for NaN and a model of NULL. */
SEAM_PUBLIC seam_kink mbs_next_kink(const mbs_model *model, double t);

/** Brings *state to time t, finite, not before the last one that was reached and not beyond the stop time
 * (SEAM_BAD_INPUT), after a start or a restore (SEAM_BAD_STATE). The integrator takes its own steps, possibly past t,
 * and finds the state at t by a step of the same accuracy: the sequence of steps does not depend on the times asked
 * for. Steps end at kinks of laws of time, where *state is that on the other side: a motion joint whose rate jumps
 * moves its bodies by an impulse, whose work counts as driven in; one that jumps itself ends the run with
 * SEAM_CONSTRAINT_LOST. On failure *state is the last good one. SEAM_STEP_FAILED, SEAM_NOT_CONVERGED, SEAM_NOT_FINITE,
 * SEAM_CONSTRAINT_LOST, SEAM_BECAME_SINGULAR. */
SEAM_PUBLIC seam_status mbs_integrator_advance(mbs_integrator *integrator, double t, mbs_state *state,
                                               seam_error *error);
SEAM_PUBLIC mbs_statistics mbs_integrator_statistics(const mbs_integrator *integrator);

/** Image of the integrator: state, step size and everything else that determines the continuation. save, advance,
 * restore, advance gives the same bits with one-step methods; "ida" and "cvode" restart from an image with order 1: two
 * restored runs are equal to the bit, but differ from the run that was saved. The image does not hold the model or the
 * options: it is restored into an integrator made with the same ones; magic, version, method, layout, the numbers and
 * laws of the model, and a checksum of all bytes are checked. SEAM_BAD_STATE leaves the integrator as it was. */
SEAM_PUBLIC size_t mbs_integrator_image_size(const mbs_integrator *integrator);
SEAM_PUBLIC void mbs_integrator_save(const mbs_integrator *integrator, void *image);
SEAM_PUBLIC seam_status mbs_integrator_restore(mbs_integrator *integrator, const void *image, size_t size,
                                               seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
