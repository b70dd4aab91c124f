/** @file
 * Co-simulation: subsystems of a mechanism, user parts, or both, each integrated separately over macro steps and
 * coupled by a master or by the exchange of signals.
 *
 * A cosim_builder defines what is coupled and how; a cosim_simulation runs it. Terms are those of docs/conventions.md
 * and docs/theory.md: side 1 of a cut is the side of the first body that the cut element lists; λ is the wrench on side
 * 1; x̃, ṽ, ã are the motion of the other side as a side receives it. Units are SI.
 *
 * Threads: different builders and different simulations may be used in different threads at the same time; one of them
 * in one thread at a time. Models and builders that do not change may be shared. A simulation may create threads to
 * advance its parts.
 *
 * Misuse: see <seam/status.h>. What does not exist has no name (NULL), no number (SEAM_NONE) and no value (NaN); a
 * simulation or builder of NULL has nothing. Undefined in addition: a model that does not outlive builders and
 * simulations, parts whose functions write more or other numbers than their counts say, an image that is changed while
 * it is saved or restored. */
#ifndef SEAM_COSIM_H
#define SEAM_COSIM_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/events.h>
#include <seam/mbs.h>
#include <seam/parts.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup cosim_connections Connections of signals
 * Outputs are linked to inputs by name, "subsystem.signal"; no part needs to restore a state or to give derivatives.
 * Time advances in rounds, the macro steps of the whole: in a round of length H every part takes a number of macro
 * steps of equal length; at its end all parts have reached the same time. Jacobi: a step uses only outputs at its
 * beginning or before. Gauss-Seidel: parts advance in their order, and later ones use the new outputs of earlier ones.
 * @{ */

enum { COSIM_MAX_HOLD = 4, COSIM_MAX_SPREAD = 4, COSIM_MAX_LAGS = 100, COSIM_MAX_ALPHA = 2, COSIM_MAX_KNOWLEDGE = 10 };

/** Adds gain · hold(t) + offset to an input. The hold of order k is the polynomial through the last k + 1 macro points
 * of the source, fewer while fewer are known. */
typedef struct cosim_connection_def {
  int cookie;
  const char *from, *to; /* an output, an input */
  double gain, offset;
  int order;        /* 0 to 4 */
  const char *rate; /* output of the same part, derivative of `from`: the hold is value + rate (t - T); NULL: none */
  bool smooth;      /* jumps of value and slope at a macro point decay along a cubic over the step */
} cosim_connection_def;
SEAM_PUBLIC cosim_connection_def cosim_default_connection_def(void); /* gain 1, offset 0, order 0 */

/** Port: place where power enters a part, sign · input · output. */
typedef struct cosim_port_def {
  const char *input, *output; /* of one part */
  double sign;                /* 1, -1 or another factor, where their product is not a power */
} cosim_port_def;

/** Ports that exchange power with each other, two or more for each component. */
typedef struct cosim_bond_def {
  int cookie;
  const char *name;
  const cosim_port_def *ports;
  int n_ports;
  double energy_scale; /* J, typical energy through the bond; for the control of steps */
  double tolerance;    /* its r in [Sadjina] (14); 0: that of the control of steps */
} cosim_bond_def;
SEAM_PUBLIC cosim_bond_def cosim_default_bond_def(void);

/** Energy that a bond creates because the inputs of its ports are outdated: residual power
 *
 *   δP = Σ sign · u(T) · y(T + H)
 *
 * over its ports, with u before corrections; residual energy is the sum of H δP since the start. This is (10) of
 * [Sadjina] with the sign positive for creation, and (9) of [Rodriguez]. */
typedef struct cosim_bond_energy {
  double power;           /* W, into the part of the first port, at the present point */
  double residual_power;  /* W, of the last round */
  double residual_energy; /* J */
} cosim_bond_energy;

/** @} */

/** @defgroup cosim_corrections Corrections of connections and explicit couplings
 * @{ */

/** A force in the next round removes the energy that a bond has created; [Rodriguez] (13) to (17). */
typedef struct cosim_energy_correction_def {
  int cookie;
  const char *bond, *part; /* which bond, NULL: all couplings that give the part a force, whose sum is corrected once;
                              the part that receives the force, at all its ports (up to 3) */
  double mu, nu;           /* fraction of the residual energy that is treated as error; integral gain */
  double limit;            /* of the correction, relative to the uncorrected force */
} cosim_energy_correction_def;
SEAM_PUBLIC cosim_energy_correction_def cosim_default_energy_correction_def(void); /* mu NaN, nu 0, limit 0.1 */

/** mu by the rules (20) and (21) of [Rodriguez], fitted to linear oscillators. Arguments: ratio of the macro step of
 * the part with feed-through to that of the other, order of the holds of the part with the smaller step. The rules do
 * not hold for strong coupling: two masses of 1 kg at H = 1 ms lose too much energy at 500 N/m, and at 5000 N/m they
 * are unstable for every fraction. NaN for a ratio that is not positive or a negative order. */
SEAM_PUBLIC double cosim_energy_fraction(double ratio, int order);

/** The error of a hold's integral over a round is corrected in the next rounds; [Moshagen] (77) to (79). */
typedef struct cosim_balance_correction_def {
  int cookie;
  const char *input;    /* "part.signal" */
  const char *integral; /* output of the one part linked to it: integral over its last macro step; NULL: none */
  int spread;           /* rounds, 1 to 4 */
  bool smooth;          /* begins and ends smoothly; else constant */
} cosim_balance_correction_def;
SEAM_PUBLIC cosim_balance_correction_def cosim_default_balance_correction_def(void); /* over one round */

/** Corrects the errors that extrapolated inputs cause in the outputs and states of a macro step, by the derivatives of
 * the parts; [Haid] (15) to (25). For parts that give no derivatives, these are identified from their steps by
 * recursive least squares; nothing is corrected until all are identified. For Jacobi exchange with one macro step for
 * all parts; all links into an input must be holds of one order. */
typedef struct cosim_model_based_def {
  int cookie;
  double alpha; /* fraction of the error of the states that the next step corrects, 0 to COSIM_MAX_ALPHA: above 1 too
                   much of it ([Haid] 2.2), at 2 its own part no longer decays */
  int lags;     /* past outputs that determine the state of an identified part, 1 to 100 */
  double tolerance;  /* of predictions, relative to the largest value of each output; above it, identification begins
                        again */
  double memory;     /* forgetting factor of the identification for each step, at most 1 */
  double excitation; /* during identification: largest change of an input's coefficients, relative to its largest value;
                        well above the errors of integration of the part */
  double knowledge;  /* factor of the derivatives, 0 to 10: 1 but in studies of imperfect knowledge (K_y beside G) */
} cosim_model_based_def;
SEAM_PUBLIC cosim_model_based_def cosim_default_model_based_def(void);

/** @} */

/** @defgroup cosim_step_control Control of the macro step
 * @{ */

/* ---- Control of the macro step: [Sadjina] (14) to (17) ------------------------------------------------------------
 */

typedef enum cosim_step_indicator {
  COSIM_ENERGY_INDICATOR,     /* ECCO: residual energies of the bonds */
  COSIM_PREDICTION_INDICATOR, /* outputs against the polynomial through earlier macro points */
  COSIM_ERROR_INDICATOR, /* estimate of the local error; for schemes with a corrector, where macro steps are repeated */
} cosim_step_indicator;

typedef struct cosim_step_control {
  int cookie;
  cosim_step_indicator indicator;
  int order; /* of the holds; ignored in the co-simulation of a mechanism, which takes the least order of its schemes */
  /* Limit of the indicator in one macro step. Energy: r, residual energy of a coupling relative to energy_scale plus
   * the energy transmitted in the step. Prediction: TOL, in units of each output (m, rad, m/s, rad/s, N, Nm). Local
   * error: that of the velocities, relative to the largest speed so far, both in the norm of the masses; steps that
   * exceed this limit are repeated. */
  double tolerance;
  double relative_weight; /* ρ, of the outputs beside 1 in the prediction's tolerance */
  int prediction_order;   /* r of the predicting polynomial, up to 5, at couplings 2; negative: that of the holds plus 1
                           */
  double safety;
  double integral_gain, proportional_gain; /* kI, kP; NaN: 0.3 and 0.4 over the order of the indicated error */
  double shrinkage_limit, growth_limit;    /* of the length, from one round to the next */
  double shortest, longest; /* s; the error indicator accepts a step of the shortest length in any case, 0: never */
  /* For the co-simulation of a mechanism: steps become longer than the first one only where the indicator shows motion,
   * and under the indicators of energy and prediction not longer than half a radian of the fastest motion seen so far.
   */
  bool follows_motion;
  /* For the error indicator with collocation schemes at all couplings: the first step, and those after kinks of laws of
   * time, are chosen from the motion there. Else they are the macro step of the options. */
  bool chooses_first;
  double before; /* the indicator of the previous round; negative: none */
} cosim_step_control;

/** Its name in model files and results: "ecco", "predictor", "error"; NULL for another number. */
SEAM_PUBLIC const char *cosim_step_indicator_name(cosim_step_indicator indicator);

/** Order 0, ρ 1e-4, safety 0.8, shrinkage 0.2, growth 1.5, no bounds of time; follows motion, but does not choose the
 * first step. */
SEAM_PUBLIC cosim_step_control cosim_default_step_control(cosim_step_indicator indicator, double tolerance);

/** @} */

/** @defgroup cosim_builder Builder of co-simulations
 * A builder defines how a mechanism is cut into subsystems and coupled again, and which user parts are added. Every
 * joint, bushing, spring or torsion between two subsystems becomes a coupling. Start every definition from its default;
 * others are refused. Everything that a definition points to is copied, except the context of a user part. Functions
 * that add or set return SEAM_OK, SEAM_BAD_INPUT (a definition that is not initialised, or without a text or list that
 * it needs) or SEAM_NO_MEMORY; cosim_create() refuses numbers out of range and definitions that contradict each other.
 * @{ */

typedef struct cosim_builder cosim_builder;

/** `model` must outlive the builder and its simulations; NULL: there is no mechanism, only user parts. */
SEAM_PUBLIC seam_status cosim_builder_create(const mbs_model *model, cosim_builder **created, seam_error *error);
SEAM_PUBLIC seam_status cosim_builder_copy(const cosim_builder *builder, cosim_builder **copy, seam_error *error);
SEAM_PUBLIC void cosim_builder_destroy(cosim_builder *builder);
SEAM_PUBLIC const mbs_model *cosim_builder_model(const cosim_builder *builder);

/** A user part. `create` is called once by every cosim_create(), with a context that must outlive the builder and, if
 * the part uses it, the part. The part belongs to the simulation; its name is not used. */
typedef struct cosim_user_part {
  seam_status (*create)(const void *context, cosim_part **part, seam_error *error);
  const void *context;
  const char *const *inputs, *const *outputs; /* (n_inputs), (n_outputs) names, as many as the part has */
  size_t n_inputs, n_outputs;
  unsigned long long identity; /* equal of equal parts alone: images of others are refused; 0: only names count */
} cosim_user_part;

/** Bodies and force elements of the model, or a user part. */
typedef struct cosim_subsystem_def {
  int cookie;
  const char *name;
  const char *const *bodies; /* (n_bodies) names; every body of the model belongs to one subsystem */
  size_t n_bodies;
  const char *const *forces; /* (n_forces) names of force elements that this subsystem evaluates between any bodies: it
                                receives the motion of their markers and returns their wrenches */
  size_t n_forces;
  const char *const *equations; /* (n_equations) "motor": those named "motor.NAME"; signals carry quantities across */
  size_t n_equations;
  int signal_order;                         /* of these signals: 0 (default) to 4 */
  const cosim_user_part *user;              /* instead of bodies, forces and equations; NULL: none */
  size_t steps;                             /* macro steps of this subsystem in one of the whole, at least 1 */
  const mbs_integrator_options *integrator; /* NULL: the integrator of the options */
} cosim_subsystem_def;

SEAM_PUBLIC cosim_subsystem_def cosim_default_subsystem_def(void);
SEAM_PUBLIC seam_status cosim_add_subsystem(cosim_builder *builder, const cosim_subsystem_def *def, seam_error *error);

/** Replaces the user part of a subsystem by another one whose inputs and outputs have the same names: for programs that
 * have a part of their own where the model file has equations. SEAM_BAD_INPUT: there is no such subsystem, it is not a
 * user part, names differ. */
SEAM_PUBLIC seam_status cosim_replace_user_part(cosim_builder *builder, const char *subsystem,
                                                const cosim_user_part *user, seam_error *error);

/** Options of the coupling at one cut element of the mechanism. */
typedef struct cosim_coupling_options {
  int cookie;
  const char *element; /* a joint or force element between two subsystems */
  const char *scheme;  /* NULL: the scheme of its kind */
  /* Exchange only: orders of the holds, instead of the scheme's k. */
  bool has_orders;
  int force_order, motion_order;
  bool smooth; /* exchange only: jumps at a macro point decay over the step */
} cosim_coupling_options;

SEAM_PUBLIC cosim_coupling_options cosim_default_coupling_options(void);
/** Sets the options of one coupling; of two definitions for the same element the later one is used. */
SEAM_PUBLIC seam_status cosim_set_coupling(cosim_builder *builder, const cosim_coupling_options *options,
                                           seam_error *error);
/** Removes the options of all couplings: every coupling takes the scheme of its kind. */
SEAM_PUBLIC void cosim_clear_couplings(cosim_builder *builder);

/** Returns true if some joint of the mechanism is cut or a coupling of user parts is rigid or, if not at_joints, some
 * force element is cut or a coupling of user parts is not rigid. False where the subsystems are invalid. */
SEAM_PUBLIC bool cosim_has_couplings(const cosim_builder *builder, bool at_joints);
/** Returns true if there are connections or user parts; false for a builder of NULL. */
SEAM_PUBLIC bool cosim_has_signals(const cosim_builder *builder);
/** Returns true if the mechanism has couplings and all of them have collocation schemes: these may choose their macro
 * steps by the error of positions. */
SEAM_PUBLIC bool cosim_builder_collocates(const cosim_builder *builder);
/** Sets the scheme of every coupling of its kind; couplings of the other kind keep theirs, and orders and smoothness
 * stay where the scheme accepts them. SEAM_BAD_INPUT: the scheme is of neither kind, or the mechanism is not cut at an
 * element of its kind. */
SEAM_PUBLIC seam_status cosim_use_scheme(cosim_builder *builder, const char *scheme, seam_error *error);

/** One side of a coupling of user parts: names of its first inputs and outputs; those of further coordinates and
 * components follow in the part; NULL: there is none. The decomposition of the scheme determines which of them are
 * needed. Of a mechanical subsystem the side is a marker, that of a force element on one body, which takes a force; its
 * coordinates are x, y and φ from `first` (0, 1 or 2) on, and it has no names. */
typedef struct cosim_side_def {
  const char *subsystem;
  const char *element; /* of a mechanical subsystem; NULL: a user part */
  int first;
  const char *force_input;                     /* wrench on this side's marker (fx, fy, torque) */
  const char *position_input, *velocity_input; /* motion of the other side's marker, x̃ and ṽ */
  const char *acceleration_input;              /* prescribed acceleration ã of this side's marker, one for each row */
  const char *position, *velocity, *acceleration; /* outputs: motion of this side's marker */
  const char *position_integral;                  /* output: over the present macro step */
  const char *multiplier; /* output: force that the prescribed acceleration requires, signed as λ */
} cosim_side_def;

/** Coordinates of two user parts, or of a user part and a marker of the mechanism, joined by linear spring-dampers,
 * λ = c (x2 - x1) + d (v2 - v1) on side 1, or rigidly. For co-simulations without connections, of mechanisms that are
 * not cut elsewhere. */
typedef struct cosim_coupling_def {
  int cookie;
  const char *name;
  cosim_side_def side[2];
  int n_dims;    /* coordinates, 1 (default) to 3 */
  bool is_rigid; /* x2 = x1; stiffness and damping are not used */
  double stiffness[3], damping[3];
  const char *scheme; /* "ff-d-k2", "dd-k1-explicit", "ff-index2-k1", ...; not projection, which needs the masses. NULL:
                         that of its kind in the options */
} cosim_coupling_def;

SEAM_PUBLIC cosim_coupling_def cosim_default_coupling_def(void);
SEAM_PUBLIC seam_status cosim_add_coupling(cosim_builder *builder, const cosim_coupling_def *def, seam_error *error);

/** Connections join signals "subsystem.name" of user parts and of mechanical subsystems; cosim_signal_of() names the
 * latter. Bonds define where connections transmit power between subsystems. */
SEAM_PUBLIC seam_status cosim_add_connection(cosim_builder *builder, const cosim_connection_def *def,
                                             seam_error *error);
SEAM_PUBLIC seam_status cosim_add_bond(cosim_builder *builder, const cosim_bond_def *def, seam_error *error);
/** Corrections of explicit couplings: of energy, where `bond` is a bond or an fd or df coupling (`mu` NaN: by
 * cosim_energy_fraction()), of balance, model-based. They act in the order in which they are added. */
SEAM_PUBLIC seam_status cosim_add_energy_correction(cosim_builder *builder, const cosim_energy_correction_def *def,
                                                    seam_error *error);
SEAM_PUBLIC seam_status cosim_add_balance_correction(cosim_builder *builder, const cosim_balance_correction_def *def,
                                                     seam_error *error);
SEAM_PUBLIC seam_status cosim_set_model_based(cosim_builder *builder, const cosim_model_based_def *def,
                                              seam_error *error);
/** The first macro step is macro_step of the options unless the control chooses it; NULL: macro steps of equal length,
 * the default. */
SEAM_PUBLIC seam_status cosim_set_step_control(cosim_builder *builder, const cosim_step_control *control,
                                               seam_error *error);

/** Subsystems advance in parallel, or one after the other in the order in which they were added. */
typedef enum cosim_sequence { COSIM_JACOBI, COSIM_GAUSS_SEIDEL } cosim_sequence;

typedef struct cosim_options {
  int cookie;
  double macro_step;               /* s */
  const char *constitutive_scheme; /* of couplings without cosim_set_coupling(); NULL: none is given */
  const char *constraint_scheme;
  cosim_sequence sequence;
  bool exact_history; /* past coupling variables from the whole model integrated backwards, instead of raising the order
                         step by step */
  mbs_integrator_options integrator; /* of the subsystems; its fixed step is the micro step */
  double implicit_tolerance; /* largest relative correction that is accepted; where none is smaller, 1000 times that or
                                ten times the rounding of the subsystems' motions */
  size_t implicit_iterations;
  bool differences;    /* interface derivatives by differences even where parts give exact ones */
  bool reuse;          /* keeps interface derivatives over macro steps, until corrections contract too slowly */
  int n_threads;       /* 0 (default): chosen by trial in the first macro steps */
  double energy_scale; /* J, typical energy through a coupling; for the energy indicator */
} cosim_options;

SEAM_PUBLIC cosim_options cosim_default_options(void);
SEAM_PUBLIC seam_status cosim_set_options(cosim_builder *builder, const cosim_options *options, seam_error *error);

/** Contents of a builder: lists of what was added, and options. */
typedef struct cosim_definition {
  cosim_options options;
  const cosim_subsystem_def *subsystems;
  size_t n_subsystems;
  const cosim_coupling_options *coupling_options;
  size_t n_coupling_options;
  const cosim_coupling_def *part_couplings;
  size_t n_part_couplings;
  const cosim_connection_def *signals;
  size_t n_signals;
  const cosim_bond_def *bonds;
  size_t n_bonds;
  const cosim_energy_correction_def *energy_corrections;
  size_t n_energy_corrections;
  const cosim_balance_correction_def *balance_corrections;
  size_t n_balance_corrections;
  const cosim_model_based_def *model_based; /* NULL: none */
  const cosim_step_control *step_control;   /* NULL: none */
} cosim_definition;

/** Lists and texts are valid until the builder is changed. A builder of NULL gives zeros. */
SEAM_PUBLIC const cosim_definition *cosim_builder_definition(const cosim_builder *builder);

/** @} */

/** @defgroup cosim_simulation Co-simulations run
 * @{ */

typedef struct cosim_simulation cosim_simulation;

/** A simulation does not depend on its builder, from which any number of simulations can be created. SEAM_BAD_INPUT
 * naming the subsystem or coupling: a body in none or two, a scheme that is impossible, a redundant coupling, ... */
SEAM_PUBLIC seam_status cosim_create(const cosim_builder *builder, cosim_simulation **created, seam_error *error);
SEAM_PUBLIC void cosim_destroy(cosim_simulation *self);

/** Starts at an assembled state of the whole model: coupling variables are those of the whole model there. NULL: t = 0,
 * for a co-simulation without bodies. User parts start at the states in which they were created; SEAM_BAD_STATE at a
 * second start if one cannot restore its state. A start that fails leaves no state to advance from. */
SEAM_PUBLIC seam_status cosim_start(cosim_simulation *self, const mbs_state *state, seam_error *error);
/** Gives the outputs of a user part with connections at a time t before all known points, after the start and before
 * the first macro step; holds use as many points as their order needs. SEAM_BAD_INPUT: the subsystem is not a user
 * part, the time is not before all known ones; SEAM_BAD_STATE: not between the start and the first macro step. */
SEAM_PUBLIC seam_status cosim_remember(cosim_simulation *self, size_t subsystem, double t, const double *outputs,
                                       seam_error *error);
/** Sets the multipliers of a rigid coupling of user parts, after the start; default zero. */
SEAM_PUBLIC void cosim_set_multipliers(cosim_simulation *self, size_t coupling, const double lambda[3]);

/** Takes one macro step of length H > 0, after a start or a restore (SEAM_BAD_STATE); where laws of time have kinks or
 * jumps within it, or parts are sampled, several steps, which end there. On failure the message gives time, place and a
 * possible fix; the state of the last macro point remains; before the next step start or restore (SEAM_BAD_STATE). */
SEAM_PUBLIC seam_status cosim_advance(cosim_simulation *self, double H, seam_error *error);

/** Takes only the next of these steps: over the `rest` of a macro step of length H, or to its first kink, jump or
 * sample. */
SEAM_PUBLIC seam_status cosim_advance_smooth(cosim_simulation *self, double H, double rest, seam_error *error);
/** Returns true if a macro step of length H up to `end`, s, is over; a sample that differs from `end` by the rounding
 * of sums is its end. */
SEAM_PUBLIC bool cosim_has_reached(const cosim_simulation *self, double H, double end);

/** Takes one macro step of the length that the step control chooses (without control: that of the options), ending at
 * `end` at the latest. With the error indicator a rejected step is repeated with a shorter length. Failures as above.
 */
SEAM_PUBLIC seam_status cosim_advance_controlled(cosim_simulation *self, double end, seam_error *error);

/** Sets inputs of the mechanism (mbs_variable_def.is_input) at the present macro point, after a start: as
 * mbs_integrator_set_inputs(), for all subsystems that read them. The extrapolation of coupling variables begins anew,
 * as after a kink of a law of time: orders rise from 0 again. All events of `events` (NULL: none are watched) up to
 * this point must have been taken. SEAM_BAD_INPUT: a variable that is not an input, or that follows from a signal, a
 * value that is not finite; SEAM_BAD_STATE: before a start, or after a failed step: nothing is set. Forces that are not
 * finite end the next step. */
SEAM_PUBLIC seam_status cosim_set_inputs(cosim_simulation *self, mbs_events *events, const size_t *variables,
                                         const double *values, size_t n, seam_error *error);

/* Macro steps of equal length from 0 to an end; the last one is shorter where they do not divide it. */
typedef struct cosim_step_plan {
  double macro_step, end; /* s */
  size_t count;
} cosim_step_plan;

/** SEAM_BAD_INPUT: times that are not positive, a macro step longer than the run, more than 1e8 macro steps. */
SEAM_PUBLIC seam_status cosim_step_plan_make(double macro_step, double end, cosim_step_plan *plan, seam_error *error);
/** Time at which a step, 0 to count - 1, begins, and the end for count: multiples of the macro step, not sums. */
SEAM_PUBLIC double cosim_step_plan_time(const cosim_step_plan *plan, size_t step);
/** Length of that step. */
SEAM_PUBLIC double cosim_step_plan_length(const cosim_step_plan *plan, size_t step);

/** The whole mechanism at the present macro point: q, v, a, work, and lambda; that of a cut joint is the wrench that
 * the coupling transmits. Work of cut elements is integrated along cubics between macro points. */
SEAM_PUBLIC const mbs_state *cosim_state(const cosim_simulation *self);
/** Name of the subsystem that ended the simulation at the present macro point, as an FMU may: no further step can be
 * taken. NULL: none did. */
SEAM_PUBLIC const char *cosim_ended_by(const cosim_simulation *self);
/** State of the whole on the left of a jump, cosim_state() being the one on its right, after a macro step that ended at
 * a kink of a law of time, at a sample or where a cut contact or strand opened or closed: forces and accelerations may
 * have jumped there. NULL after other steps. */
SEAM_PUBLIC const mbs_state *cosim_state_before_jump(const cosim_simulation *self);
/** Interpolates the state within the last macro step, t from its beginning to its end: between the ends of the
 * subsystems' own steps, or across the macro step right after a restore, by cubics of each coordinate through positions
 * and velocities, on the right side of jumps. a and lambda are linear in it. Under collocation:
 * cosim_takes_long_steps(). NaN for t outside of the step; a state of another model is left. */
SEAM_PUBLIC void cosim_state_between(const cosim_simulation *self, double t, mbs_state *state);
/** Returns true if all couplings have collocation schemes. States between macro points are quintic then, through
 * accelerations too, and a and lambda are those of the whole there: not checked, since stiff force elements amplify the
 * error of the quintic. */
SEAM_PUBLIC bool cosim_takes_long_steps(const cosim_simulation *self);

/** The next event of the model within the last macro step, by states between macro points, SEAM_NONE where all are
 * taken. Start the events where the simulation starts, and take all of each macro step (SEAM_BAD_STATE). Errors of
 * mbs_integrator_advance_to_event(). */
SEAM_PUBLIC seam_status cosim_next_event(const cosim_simulation *self, mbs_events *events, mbs_event *event,
                                         seam_error *error);

/** Repeats the last macro step with a shorter length, which ends at this event of it: at a zero of its condition, but
 * for 1e-10 of the step (1e-6 where the event is at its beginning), as that step of its own finds it. Then take its
 * events again; this one is the last. `image` and `events_image` were saved before the macro step. *ends becomes true
 * if it does; a simulation without images (of size 0), or a condition that does not change its sign at the ends of
 * shorter steps, leaves the step as it was, its events not taken. Errors of cosim_advance(). */
SEAM_PUBLIC seam_status cosim_end_at_event(cosim_simulation *self, const void *image, mbs_events *events,
                                           const void *events_image, const mbs_event *event, bool *ends,
                                           seam_error *error);

SEAM_PUBLIC size_t cosim_n_couplings(const cosim_simulation *self);
typedef struct cosim_coupling_info {
  const char *name, *scheme;   /* NULL: there is no such coupling */
  bool is_joint, is_exchanged; /* the element; exchanged, not coupled by the master */
  size_t element;              /* its number in the model */
  size_t subsystems[2];        /* that it joins */
} cosim_coupling_info;
SEAM_PUBLIC cosim_coupling_info cosim_coupling_of(const cosim_simulation *self, size_t coupling);
/** Wrenches (fx, fy, torque about the side's marker) on the two sides at the present macro point, under the coupling
 * variables there. In ff they are opposite to the bit; on a side driven by displacement the wrench is evaluated from
 * the motion of that side. */
SEAM_PUBLIC void cosim_coupling_wrenches(const cosim_simulation *self, size_t coupling, double wrench[2][3]);
/** Residuals of a cut joint at the present macro point, up to 3 each; returns their number, 0 for a constitutive
 * coupling. Names are those of mbs_constraint_of(). */
SEAM_PUBLIC size_t cosim_coupling_residuals(const cosim_simulation *self, size_t coupling, double g[3], double gd[3],
                                            double gdd[3]);

/** Energy that a coupling has created since the start: work of its wrenches on both sides, plus the energy that the
 * true element would have stored and dissipated between them. The sum over all couplings is the gain of energy.total +
 * dissipated - driven of the whole, to the accuracy of the integrators. */
SEAM_PUBLIC double cosim_coupling_created(const cosim_simulation *self, size_t coupling);

/** Energy of the power bond of an exchanged coupling. For a coupling under the master residual_energy is the energy
 * that it has created, residual_power the mean rate of that over the last macro step. */
SEAM_PUBLIC cosim_bond_energy cosim_coupling_energy(const cosim_simulation *self, size_t coupling);

/** Bonds, by (9) of [Rodriguez]. */
SEAM_PUBLIC size_t cosim_n_bonds(const cosim_simulation *self);
SEAM_PUBLIC const char *cosim_bond_name(const cosim_simulation *self, size_t bond);
SEAM_PUBLIC cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond);

/** Couplings of user parts, in the order in which they were added: their definitions, valid until the simulation is
 * destroyed; λ at the present macro point. */
SEAM_PUBLIC size_t cosim_n_part_couplings(const cosim_simulation *self);
SEAM_PUBLIC const cosim_coupling_def *cosim_part_coupling(const cosim_simulation *self, size_t coupling);
/** Energy that such a coupling has created since the start, as far as exchanged forces and motions show it: their work
 * on both sides, and the energy that its spring and damper would have stored and dissipated, to order 4 in the macro
 * step. The use that parts make of the energy they receive is not known. */
SEAM_PUBLIC cosim_bond_energy cosim_part_coupling_energy(const cosim_simulation *self, size_t coupling);
SEAM_PUBLIC void cosim_part_coupling_wrench(const cosim_simulation *self, size_t coupling, double lambda[3]);

/** Signals at the present macro point: outputs of user parts, "subsystem.name", and quantities of the model that
 * connections, bonds or listed equations take, "element.quantity" (mbs_find_quantity()). Names of subsystems come
 * first. Further outputs of a mechanical subsystem are "subsystem.BODY.x", .y, .phi, .vx, .vy, .omega and the same of
 * ELEMENT, a force element on one body, for its marker; inputs are "subsystem.ELEMENT.fx", .fy, .torque, added to its
 * wrench. */
SEAM_PUBLIC size_t cosim_n_signals(const cosim_simulation *self);
typedef struct cosim_signal_info {
  const char *name;           /* NULL: there is no such signal; neither have its unit and meaning */
  const char *unit, *meaning; /* "" where none is known, as of user parts */
  bool is_of_step;            /* an integral over the last macro step, which follows its length */
} cosim_signal_info;
SEAM_PUBLIC cosim_signal_info cosim_signal_of(const cosim_simulation *self, size_t signal);
SEAM_PUBLIC double cosim_signal_now(const cosim_simulation *self, size_t signal);

typedef struct cosim_statistics {
  size_t macro_steps;
  size_t repeated;            /* macro steps repeated with a shorter length */
  double shortest, longest;   /* s, of macro steps; 0 before the first */
  size_t with_kinks;          /* macro steps with kinks of laws of time inside */
  size_t law_kinks;           /* macro steps in which the law of a cut force element has a kink or jump */
  size_t switches;            /* of cut contacts and strands, which open, close or slacken, where macro steps end */
  size_t switches_inside;     /* macro steps with that inside: parts do not repeat steps, or it happens again at once */
  size_t part_events;         /* of parts that report events, as FMUs do, where macro steps end */
  size_t part_events_inside;  /* macro steps with some inside: parts do not repeat steps, or the next follows at once */
  size_t shortened;           /* steps of such parts that they took again, shorter, or tried to */
  size_t hidden_events;       /* parts that say nothing of events inside of their steps */
  size_t corrections;         /* solutions of the interface system */
  size_t refreshes;           /* interface matrices evaluated */
  mbs_statistics integrators; /* summed over the subsystems */
} cosim_statistics;
SEAM_PUBLIC cosim_statistics cosim_statistics_of(const cosim_simulation *self);

/** Image: everything that determines the continuation; a simulation of the same options and model restores it, to the
 * bit. It is aligned for double. SEAM_BAD_STATE for an image of another model (numbers, laws, user parts by their
 * identity), partition, scheme or version, or one that is damaged (it holds a checksum), leaves the simulation as it
 * was. An image that is saved before a start, or after a failed step, is refused. */
SEAM_PUBLIC size_t cosim_image_size(const cosim_simulation *self);
SEAM_PUBLIC void cosim_save(const cosim_simulation *self, void *image);
SEAM_PUBLIC seam_status cosim_restore(cosim_simulation *self, const void *image, size_t size, seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
