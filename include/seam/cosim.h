/** @file
 * Co-simulation: subsystems of a mechanism, user parts, or both. Each is integrated separately over macro steps; a
 * master or the exchange of signals couples them.
 *
 * A cosim_builder defines what is coupled and how; a cosim_simulation runs it. Terms are those of docs/conventions.md
 * and docs/theory.md: side 1 of a cut is the side of the first body that the cut element lists; λ is the wrench on side
 * 1; x̃, ṽ, ã are the motion of the other side as a side receives it. Units are SI.
 *
 * Threads: different threads may use different builders and simulations at the same time; each builder and each
 * simulation is used by one thread at a time. Models and builders that do not change may be shared. A simulation may
 * create threads to advance its parts.
 *
 * Misuse: see <seam/status.h>. If an item does not exist, or a simulation or builder is NULL, functions return NULL for
 * names, SEAM_NONE for numbers and NaN for values. Undefined, besides the cases in status.h: the model ends before its
 * builders and simulations; a function of a part writes another count of numbers than declared; an image changes while
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
 * Outputs are linked to inputs by name, "subsystem.signal". Parts need not restore states or give derivatives. Time
 * advances in rounds, the macro steps of the entire co-simulation. Every part divides a round of length H into one or
 * more macro steps of its own, of equal length. Jacobi: a step uses only outputs at its beginning or before.
 * Gauss-Seidel: parts advance in order, and later parts use new outputs of earlier ones. A new output is not used if it
 * changes only at samples, or if the round ends at a jump of a function of time.
 * @{ */

enum { COSIM_MAX_HOLD = 4, COSIM_MAX_SPREAD = 4, COSIM_MAX_LAGS = 100, COSIM_MAX_ALPHA = 2, COSIM_MAX_KNOWLEDGE = 10 };

/** Adds gain · hold(t) + offset to an input. The hold of order k extrapolates the output `from`. It is the polynomial
 * through the output's values at the last k + 1 macro points of its part, or through all if fewer are known. */
typedef struct cosim_connection_def {
  int cookie;
  const char *from, *to; /* names of an output and an input */
  double gain, offset;
  int order;        /* order of the hold, 0 to 4 */
  const char *rate; /* output of the same part, derivative of `from`: the hold is value + rate (t - T) from the last
                       macro point T on; NULL: none */
  double rate_gain; /* factor of that output, as where its unit is not that of `from` per second */
  bool smooth;      /* jumps of the hold's value and slope at a macro point decay along a cubic over the step */
} cosim_connection_def;
SEAM_PUBLIC cosim_connection_def cosim_default_connection_def(void); /* gains 1, offset 0, order 0 */

/** Port: a part receives the power P = sign · input · output through it. */
typedef struct cosim_port_def {
  const char *input, *output; /* names of an input and an output of the same part */
  double sign;                /* 1 or -1; another factor if input times output is not a power */
} cosim_port_def;

/** Bond: two or more ports that exchange power with each other. If the power is a product of vectors, each coordinate
 * has its own ports. */
typedef struct cosim_bond_def {
  int cookie;
  const char *name;
  const cosim_port_def *ports;
  int n_ports;
  double energy_scale; /* J, typical energy through the bond; for the step control */
  double tolerance;    /* r in [Sadjina] (14); 0: that of the step control */
} cosim_bond_def;
SEAM_PUBLIC cosim_bond_def cosim_default_bond_def(void);

/** Energy that a bond creates because the inputs of its ports are extrapolated. In a macro step from T to T + H, a port
 * has the output y and, before corrections, the input u. The sum over the ports of the bond is the residual power
 *
 *   δP = Σ sign · u(T) · y(T + H)
 *
 * The residual energy is the sum of H δP since the start. These are (10) of [Sadjina], with the sign positive for
 * creation, and (9) of [Rodriguez]. */
typedef struct cosim_bond_energy {
  double power;           /* W, into the part of the first port, at the present macro point */
  double residual_power;  /* W, residual power of the last round */
  double residual_energy; /* J */
} cosim_bond_energy;

/** @} */

/** @defgroup cosim_corrections Corrections of connections and explicit couplings
 * @{ */

/** Energy correction: a force in the next round removes energy that a bond has created; [Rodriguez] (13) to (17). */
typedef struct cosim_energy_correction_def {
  int cookie;
  const char *bond, *part; /* bond to correct; NULL: the sum of all couplings that exert forces on the part. `part`
                              receives the correcting force at all its ports (up to 3) */
  double mu, nu;           /* mu: fraction of the residual energy that is treated as an error; nu: integral gain */
  double limit;            /* largest correction, relative to the uncorrected force */
} cosim_energy_correction_def;
SEAM_PUBLIC cosim_energy_correction_def cosim_default_energy_correction_def(void); /* mu NaN, nu 0, limit 0.1 */

/** Returns mu for cosim_energy_correction_def by the rules (20) and (21) of [Rodriguez], which were fitted to linear
 * oscillators. `ratio`: macro step of the part with feedthrough divided by that of the other part; `order`: order of
 * the holds of the part with the smaller step. The rules fail for strong coupling. For example, two masses of 1 kg at H
 * = 1 ms lose too much energy at 500 N/m. At 5000 N/m they are unstable for every mu. NaN: a ratio that is not
 * positive, a negative order. */
SEAM_PUBLIC double cosim_energy_fraction(double ratio, int order);

/** Balance correction: later rounds correct the error of a hold's integral over a round; [Moshagen] (77) to (79). */
typedef struct cosim_balance_correction_def {
  int cookie;
  const char *input;    /* "part.signal" */
  const char *integral; /* output of the only part linked to `input`: integral of the linked output over that part's
                           last macro step; NULL: none */
  int spread;           /* rounds over which the correction is spread, 1 to 4 */
  bool smooth;          /* the correction begins and ends smoothly; false: constant */
} cosim_balance_correction_def;
SEAM_PUBLIC cosim_balance_correction_def cosim_default_balance_correction_def(void); /* over one round */

/** Model-based correction, [Haid] (15) to (25). Extrapolated inputs cause errors in the outputs and states of a macro
 * step; the correction removes them by derivatives of the parts. Derivatives that a part does not give are identified
 * from its steps by recursive least squares. Nothing is corrected until all are identified. Requires Jacobi exchange
 * and the same macro steps for all parts. All links into an input must have holds of one order. */
typedef struct cosim_model_based_def {
  int cookie;
  double alpha;     /* fraction of the error of the states that the next step corrects, 0 to COSIM_MAX_ALPHA: above 1 it
                       over-corrects ([Haid] 2.2), at 2 the correction itself no longer decays */
  int lags;         /* number of past outputs that determine the state of an identified part, 1 to 100 */
  double tolerance; /* largest error of predictions, relative to the largest change of each output since the start;
                       above it, identification restarts */
  double memory;    /* forgetting factor of the identification per step, at most 1 */
  double excitation; /* largest random change of inputs during identification, relative to the input's largest change
                        since the start; choose it well above the part's integration errors */
  double knowledge;  /* factor of the derivatives, 0 to 10 (K_y of [Haid]); not 1: imitates imperfect knowledge */
} cosim_model_based_def;
SEAM_PUBLIC cosim_model_based_def cosim_default_model_based_def(void);

/** @} */

/** @defgroup cosim_step_control Control of the macro step: [Sadjina] (14) to (17)
 * @{ */

typedef enum cosim_step_indicator {
  COSIM_ENERGY_INDICATOR,     /* ECCO: residual energies of the bonds */
  COSIM_PREDICTION_INDICATOR, /* deviation of outputs from the polynomial through earlier macro points */
  COSIM_ERROR_INDICATOR, /* estimate of the local error; for schemes with a corrector, which can repeat macro steps */
} cosim_step_indicator;

typedef struct cosim_step_control {
  int cookie;
  cosim_step_indicator indicator;
  int order; /* order of the holds; not used for a mechanism, where the least order of its schemes counts */
  /* Limit of the indicator in one macro step:
   *
   *   energy       r: (residual energy of a coupling) / (energy_scale + energy that it transmits in the step)
   *   prediction   TOL, in units of each output (m, rad, m/s, rad/s, N, Nm)
   *   error        if all couplings have collocation schemes, ten times the local error of positions, divided by the
   *                scale of length, and of angles in rad; else the local error of velocities divided by the largest
   *                speed so far, both in the mass norm
   *
   * Under the error indicator, steps above the limit are repeated. */
  double tolerance;
  double relative_weight; /* ρ: the prediction's tolerance is TOL (1 + ρ |output|) */
  int prediction_order;   /* order of the prediction, up to 5 (couplings: 2); negative: the holds' order + 1 */
  double safety;
  double integral_gain, proportional_gain; /* kI, kP; NaN: 0.3 and 0.4, divided by the order of the indicated error */
  double shrinkage_limit, growth_limit;    /* least and largest ratio of successive macro steps */
  double shortest, longest; /* s; the error indicator accepts every step of the shortest length; 0: no bound */
  /* For a mechanism: steps become longer than the first one only if the indicator shows motion. Under the energy and
   * prediction indicators, steps are at most 0.5/ω; ω is the highest frequency found so far. */
  bool follows_motion;
  /* For the error indicator with collocation schemes at all couplings. True: the motion determines the first step and
   * steps after kinks of laws of time. False: these steps have the length in the options. */
  bool chooses_first;
  double before; /* set by the simulation: indicator of the previous round; negative: none */
} cosim_step_control;

/** Name of an indicator in model files and results: "ecco", "predictor", "error"; else NULL. */
SEAM_PUBLIC const char *cosim_step_indicator_name(cosim_step_indicator indicator);

/** Returns order 0, ρ 1e-4, safety 0.8, shrinkage 0.2, growth 1.5, no bounds; follows_motion, not chooses_first. */
SEAM_PUBLIC cosim_step_control cosim_default_step_control(cosim_step_indicator indicator, double tolerance);

/** @} */

/** @defgroup cosim_builder Builder of co-simulations
 * A builder cuts a mechanism into subsystems, couples them again and adds user parts. Every joint, bushing, spring or
 * torsion between two subsystems becomes a coupling. Every definition must start from its default function, or it is
 * refused. Everything that a definition points to is copied, except the context of a user part. Functions that add or
 * set return SEAM_OK or SEAM_NO_MEMORY. They return SEAM_BAD_INPUT if a definition is not initialised or lacks a text
 * or list. cosim_create() refuses numbers out of range and contradictory definitions.
 * @{ */

typedef struct cosim_builder cosim_builder;

/** `model` must outlive the builder and its simulations; NULL: only user parts. */
SEAM_PUBLIC seam_status cosim_builder_create(const mbs_model *model, cosim_builder **created, seam_error *error);
SEAM_PUBLIC seam_status cosim_builder_copy(const cosim_builder *builder, cosim_builder **copy, seam_error *error);
SEAM_PUBLIC void cosim_builder_destroy(cosim_builder *builder);
SEAM_PUBLIC const mbs_model *cosim_builder_model(const cosim_builder *builder);

/** A user part. Every cosim_create() calls `create` once; `context` must outlive the builder and, if the part uses it,
 * the part. The simulation owns the part; the part's name is not used. */
typedef struct cosim_user_part {
  seam_status (*create)(const void *context, cosim_part **part, seam_error *error);
  const void *context;
  const char *const *inputs, *const *outputs; /* (n_inputs), (n_outputs) names of all its inputs and outputs */
  size_t n_inputs, n_outputs;
  unsigned long long identity; /* equal only for equal parts. cosim_restore() refuses an image of a part with another
                                  identity. 0: unknown */
} cosim_user_part;

/** A subsystem: bodies, force elements and equations of the model, or a user part. */
typedef struct cosim_subsystem_def {
  int cookie;
  const char *name;
  const char *const *bodies; /* (n_bodies) names; every body of the model belongs to exactly one subsystem */
  size_t n_bodies;
  const char *const *forces; /* (n_forces) names of force elements, between any bodies, that this subsystem evaluates:
                                it receives the motion of their markers and returns their wrenches */
  size_t n_forces;
  const char *const *equations; /* (n_equations) names of equations that this subsystem integrates; "motor" stands for
                                   all variables "motor.NAME". Signals carry the quantities that these equations
                                   exchange with other subsystems */
  size_t n_equations;
  int signal_order;                         /* order of these signals' holds: 0 (default) to 4 */
  const cosim_user_part *user;              /* user part instead of bodies, forces and equations; NULL: none */
  size_t steps;                             /* macro steps of this subsystem per round, at least 1 */
  const mbs_integrator_options *integrator; /* NULL: the integrator of the options */
} cosim_subsystem_def;

SEAM_PUBLIC cosim_subsystem_def cosim_default_subsystem_def(void);
SEAM_PUBLIC seam_status cosim_add_subsystem(cosim_builder *builder, const cosim_subsystem_def *def, seam_error *error);

/** Replaces the user part of a subsystem by one with the same names of inputs and outputs: a program uses its own part
 * instead of a model file's equations. SEAM_BAD_INPUT: no such subsystem, not a user part, or names differ. */
SEAM_PUBLIC seam_status cosim_replace_user_part(cosim_builder *builder, const char *subsystem,
                                                const cosim_user_part *user, seam_error *error);

/** Options of the coupling at one cut element of the mechanism. */
typedef struct cosim_coupling_options {
  int cookie;
  const char *element; /* a joint or force element between two subsystems */
  const char *scheme;  /* NULL: the options' scheme for joints or for force elements */
  /* Exchange only. True: the holds have the orders force_order and motion_order; false: the scheme's k. */
  bool has_orders;
  int force_order, motion_order;
  bool smooth; /* exchange only: as in cosim_connection_def */
} cosim_coupling_options;

SEAM_PUBLIC cosim_coupling_options cosim_default_coupling_options(void);
/** Sets the options of one coupling; a later call for the same element replaces them. */
SEAM_PUBLIC seam_status cosim_set_coupling(cosim_builder *builder, const cosim_coupling_options *options,
                                           seam_error *error);
/** Removes the options of all couplings: every coupling then has the default scheme of its kind (cosim_options). */
SEAM_PUBLIC void cosim_clear_couplings(cosim_builder *builder);

/** Returns true if there are couplings of one kind. at_joints true: constraint couplings (cut joints of the mechanism,
 * rigid couplings of user parts); false: constitutive couplings (cut force elements, other couplings of user parts).
 * Returns false if the subsystems are invalid. */
SEAM_PUBLIC bool cosim_has_couplings(const cosim_builder *builder, bool at_joints);
/** Returns true if there are connections or user parts; false for a builder of NULL. */
SEAM_PUBLIC bool cosim_has_signals(const cosim_builder *builder);
/** Returns true if the mechanism has couplings and all have collocation schemes. The error of positions may then
 * control macro steps. */
SEAM_PUBLIC bool cosim_builder_collocates(const cosim_builder *builder);
/** Sets `scheme` for all couplings of its kind, constitutive or constraint; the schemes of other couplings do not
 * change. Orders of holds and smoothness (cosim_coupling_options) stay if the scheme accepts them. SEAM_BAD_INPUT:
 * there is no such scheme, or no coupling of its kind. */
SEAM_PUBLIC seam_status cosim_use_scheme(cosim_builder *builder, const char *scheme, seam_error *error);

/** One side of a coupling of user parts. Each name is that of an input or output, for the first coordinate of the
 * coupling; NULL: none. In the part's lists the names for further coordinates follow directly. The scheme's
 * decomposition determines which names are needed. On a mechanical subsystem the side is the marker of a force element
 * on one body. Its coordinates are x, y and φ; the coupling uses n_dims of them, from number `first` (0, 1 or 2) on.
 * Such a side receives a force and names no inputs or outputs. */
typedef struct cosim_side_def {
  const char *subsystem;
  const char *element; /* force element of a mechanical subsystem; NULL: a user part */
  int first;
  const char *force_input;                        /* wrench on this side's marker (fx, fy, torque) */
  const char *position_input, *velocity_input;    /* motion of the other side's marker, x̃ and ṽ */
  const char *acceleration_input;                 /* prescribed acceleration ã of this side's marker */
  const char *position, *velocity, *acceleration; /* outputs: motion of this side's marker */
  const char *position_integral;                  /* output: integral of the position over the present macro step */
  const char *multiplier; /* output: force that the prescribed acceleration requires, with the sign of λ */
} cosim_side_def;

/** Coupling of two user parts, or of a user part and a marker of the mechanism. It joins their coordinates rigidly, or
 * by linear spring-dampers: λ = c (x2 - x1) + d (v2 - v1) on side 1. It excludes connections and other cuts of the
 * mechanism. */
typedef struct cosim_coupling_def {
  int cookie;
  const char *name;
  cosim_side_def side[2];
  int n_dims;    /* number of coordinates, 1 (default) to 3 */
  bool is_rigid; /* x2 = x1; stiffness and damping are not used */
  double stiffness[3], damping[3];
  const char *scheme; /* "ff-d-k2", "dd-k1-explicit", "ff-index2-k1", ...; not projection, which needs masses. NULL: the
                         options' scheme for rigid or for other couplings */
} cosim_coupling_def;

SEAM_PUBLIC cosim_coupling_def cosim_default_coupling_def(void);
SEAM_PUBLIC seam_status cosim_add_coupling(cosim_builder *builder, const cosim_coupling_def *def, seam_error *error);

/** Add a connection or a bond. Connections join signals "subsystem.name" of user parts and mechanical subsystems
 * (names: cosim_n_signals()). A bond names ports; the connections between these ports transmit power. */
SEAM_PUBLIC seam_status cosim_add_connection(cosim_builder *builder, const cosim_connection_def *def,
                                             seam_error *error);
SEAM_PUBLIC seam_status cosim_add_bond(cosim_builder *builder, const cosim_bond_def *def, seam_error *error);
/** Add corrections of explicit couplings. Corrections act in the order in which they are added. An energy correction
 * names as `bond` a bond or a coupling with an fd or df scheme; `mu` NaN: cosim_energy_fraction(). */
SEAM_PUBLIC seam_status cosim_add_energy_correction(cosim_builder *builder, const cosim_energy_correction_def *def,
                                                    seam_error *error);
SEAM_PUBLIC seam_status cosim_add_balance_correction(cosim_builder *builder, const cosim_balance_correction_def *def,
                                                     seam_error *error);
SEAM_PUBLIC seam_status cosim_set_model_based(cosim_builder *builder, const cosim_model_based_def *def,
                                              seam_error *error);
/** Sets the control of macro steps; NULL (default): macro steps of equal length. The first macro step has the length in
 * the options unless the control chooses it (chooses_first). */
SEAM_PUBLIC seam_status cosim_set_step_control(cosim_builder *builder, const cosim_step_control *control,
                                               seam_error *error);

/** Subsystems advance in parallel, or one after the other in the order in which they were added. */
typedef enum cosim_sequence { COSIM_JACOBI, COSIM_GAUSS_SEIDEL } cosim_sequence;

/** Reuse of interface derivatives (of outputs by coupling variables) in later macro steps. Correctors compute them
 * again when corrections no longer contract well. If only collocation schemes correct, they are always reused. */
typedef enum cosim_reuse {
  COSIM_REUSE_EXACT,  /* default: while reuse changes a correction by at most a thousandth (D-extended: 1e-5), less than
                         the scheme's error. Couplings that correct must do so once, by ff with original or D-extended
                         conditions, at force elements whose laws have no kinks */
  COSIM_REUSE_ALWAYS, /* while reuse changes a correction by at most 0.05; not with weighted multipliers, nor with
                         single corrections of index2 with order 1 or more */
  COSIM_REUSE_NEVER
} cosim_reuse;

typedef struct cosim_options {
  int cookie;
  double macro_step;               /* s */
  const char *constitutive_scheme; /* default scheme of constitutive couplings; NULL: none */
  const char *constraint_scheme;   /* default scheme of constraint couplings; NULL: none */
  cosim_sequence sequence;
  bool exact_history; /* true: past values come from integrating the uncut model backwards, unless there are signals or
                         coupled user parts; false: extrapolation begins with order 0, which rises step by step */
  mbs_integrator_options integrator; /* integrator of the subsystems; a fixed step is the micro step */
  double implicit_tolerance; /* implicit schemes stop iterating when relative corrections are below this tolerance. If
                                corrections stop falling earlier, they suffice if they are round-off or their effect on
                                motions is within the integrators' tolerances */
  size_t implicit_iterations;
  bool differences; /* true: takes differences for derivatives of outputs, even if parts give exact ones */
  cosim_reuse reuse;
  int n_threads;       /* 0 (default): chosen by trial in the first macro steps */
  double energy_scale; /* J, typical energy through a coupling, for the energy indicator */
} cosim_options;

SEAM_PUBLIC cosim_options cosim_default_options(void);
SEAM_PUBLIC seam_status cosim_set_options(cosim_builder *builder, const cosim_options *options, seam_error *error);

/** Contents of a builder: lists of added definitions, and options. */
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

/** Returns the builder's contents, valid until it is changed; zeros for NULL. */
SEAM_PUBLIC const cosim_definition *cosim_builder_definition(const cosim_builder *builder);

/** @} */

/** @defgroup cosim_simulation Running a co-simulation
 * @{ */

typedef struct cosim_simulation cosim_simulation;

/** Creates a simulation, independent of the builder afterwards. SEAM_BAD_INPUT names the subsystem or coupling: a body
 * in no or two subsystems, an impossible scheme, a redundant coupling, ... */
SEAM_PUBLIC seam_status cosim_create(const cosim_builder *builder, cosim_simulation **created, seam_error *error);
SEAM_PUBLIC void cosim_destroy(cosim_simulation *self);

/** Starts at an assembled state of the undivided model, with the coupling variables of that state. NULL: t = 0, for a
 * co-simulation without bodies. User parts start in the states in which they were created; SEAM_BAD_STATE: a second
 * start although a part cannot restore its state. After a failure the simulation cannot advance. */
SEAM_PUBLIC seam_status cosim_start(cosim_simulation *self, const mbs_state *state, seam_error *error);
/** Sets past outputs of a user part with connections, so that holds begin with their full order. The time t of the
 * outputs is before all known macro points. SEAM_BAD_INPUT: the subsystem is not a user part, t is not before all known
 * times; SEAM_BAD_STATE: the call is not between the start and the first macro step. */
SEAM_PUBLIC seam_status cosim_remember(cosim_simulation *self, size_t subsystem, double t, const double *outputs,
                                       seam_error *error);
/** Sets the multipliers of a rigid coupling of user parts, after the start; default zero. */
SEAM_PUBLIC void cosim_set_multipliers(cosim_simulation *self, size_t coupling, const double lambda[3]);

/** Advances by H > 0, after a start or a restore (else SEAM_BAD_STATE). Takes one macro step, or several that end at
 * kinks and jumps of laws of time and at samples of parts. On failure the message gives time, location and a possible
 * fix. The simulation then stays at the state of the last macro point; start or restore it before the next step (else
 * SEAM_BAD_STATE). */
SEAM_PUBLIC seam_status cosim_advance(cosim_simulation *self, double H, seam_error *error);

/** Takes only the next of the macro steps into which cosim_advance() may divide H. `remaining`: s, the remaining part
 * of H. The macro step covers this time, or ends at the first kink, jump or sample within it. */
SEAM_PUBLIC seam_status cosim_advance_smooth(cosim_simulation *self, double H, double remaining, seam_error *error);
/** Returns true if the simulation has reached `end` (s) up to the round-off of a macro step of length H. */
SEAM_PUBLIC bool cosim_has_reached(const cosim_simulation *self, double H, double end);

/** Takes one macro step of the length that the step control chooses (without control: that of the options), at most up
 * to `end`. Under the error indicator rejected steps are repeated, shorter. Fails as cosim_advance() does. */
SEAM_PUBLIC seam_status cosim_advance_controlled(cosim_simulation *self, double end, seam_error *error);

/** Sets inputs of the mechanism (mbs_variable_def.is_input) in all subsystems that read them, at the present macro
 * point after a start. The inputs stay constant until they are set again. As after a kink of a law of time, the
 * extrapolation of coupling variables restarts from order 0. All events of `events` (NULL: no events are monitored) up
 * to this point must have been returned by cosim_next_event(). SEAM_BAD_INPUT: a variable is not an input or is set by
 * a signal, or a value is not finite; SEAM_BAD_STATE: before a start or after a failed step. After these errors no
 * input has changed. Forces that are not finite fail the next step. */
SEAM_PUBLIC seam_status cosim_set_inputs(cosim_simulation *self, mbs_events *events, const size_t *variables,
                                         const double *values, size_t n, seam_error *error);

/* Macro steps of equal length from 0 to `end`; the last one is shorter if they do not divide it. */
typedef struct cosim_step_plan {
  double macro_step, end; /* s */
  size_t count;
} cosim_step_plan;

/** Fills a plan. SEAM_BAD_INPUT: times that are not positive, a macro step longer than the run, more than 1e8 steps. */
SEAM_PUBLIC seam_status cosim_step_plan_make(double macro_step, double end, cosim_step_plan *plan, seam_error *error);
/** Returns the time (s) at which `step`, 0 to count - 1, begins. It is a multiple of the macro step. For `step` = count
 * returns `end`. */
SEAM_PUBLIC double cosim_step_plan_time(const cosim_step_plan *plan, size_t step);
/** Returns the length of a step, s. */
SEAM_PUBLIC double cosim_step_plan_length(const cosim_step_plan *plan, size_t step);

/** Returns the state of the undivided mechanism at the present macro point: q, v, a, work, lambda. lambda of a cut
 * joint is the wrench that the coupling transmits; work of cut elements is integrated along cubics between macro
 * points. */
SEAM_PUBLIC const mbs_state *cosim_state(const cosim_simulation *self);
/** Returns the name of the subsystem, such as an FMU, that ended the simulation at the present macro point; NULL: none
 * did. No further step can be taken after such an end. */
SEAM_PUBLIC const char *cosim_ended_by(const cosim_simulation *self);
/** Returns the state of the mechanism before a jump at the present macro point; NULL: there is no jump. cosim_state()
 * is the state after the jump. Forces and accelerations may jump at the end of a macro step. The causes are a kink of a
 * law of time, a sample, cosim_set_inputs(), and a cut contact or strand that opens or closes. */
SEAM_PUBLIC const mbs_state *cosim_state_before_jump(const cosim_simulation *self);
/** Interpolates the state at time t (s) within the last macro step; jumps at its ends are not included. Each coordinate
 * is a cubic through positions and velocities at the ends of the subsystems' own steps (right after a restore: at the
 * ends of the macro step). a and lambda are linear over the macro step. Under collocation: see
 * cosim_takes_long_steps(). NaN for t outside of the step; a state of another model stays unchanged. */
SEAM_PUBLIC void cosim_state_between(const cosim_simulation *self, double t, mbs_state *state);
/** Returns true if all couplings have collocation schemes. States between macro points are then quintics that also
 * match accelerations. The uncut model gives a and lambda at these states. Checks do not use these a and lambda, since
 * stiff force elements amplify the error of the quintic. */
SEAM_PUBLIC bool cosim_takes_long_steps(const cosim_simulation *self);

/** Finds the next event of the model within the last macro step, from states between macro points; event->number is
 * SEAM_NONE if there are no more. Start the events where the simulation starts, and find all events of each macro step
 * (else SEAM_BAD_STATE). Fails as mbs_integrator_advance_to_event() does. */
SEAM_PUBLIC seam_status cosim_next_event(const cosim_simulation *self, mbs_events *events, mbs_event *event,
                                         seam_error *error);

/** Repeats the last macro step with a shorter length, so that it ends at *event: the condition of the event is zero
 * there. The length is found to 1e-10 of the length of the first attempt, and is at least 1e-6 of that length. Find
 * the events of the shorter step by cosim_next_event(); *event is the last of them. `image` and `events_image` were
 * saved before the macro step. *ends is false in three cases: the simulation has no images (size 0), a part has steps
 * of fixed length, or no shorter step ends at a change of sign of the condition. The first step is then unchanged, and
 * its events can be found again. Fails as cosim_advance() does. */
SEAM_PUBLIC seam_status cosim_end_at_event(cosim_simulation *self, const void *image, mbs_events *events,
                                           const void *events_image, const mbs_event *event, bool *ends,
                                           seam_error *error);

SEAM_PUBLIC size_t cosim_n_couplings(const cosim_simulation *self);
typedef struct cosim_coupling_info {
  const char *name, *scheme;   /* NULL: there is no such coupling */
  bool is_joint, is_exchanged; /* is_joint: the cut element is a joint. is_exchanged: wrench and motion are exchanged as
                                  signals, and the master solves no equations */
  size_t element;              /* number of the cut element in the model */
  size_t subsystems[2];        /* subsystems of the two sides */
} cosim_coupling_info;
SEAM_PUBLIC cosim_coupling_info cosim_coupling_of(const cosim_simulation *self, size_t coupling);
/** Fills the wrenches on both sides at the present macro point: fx, fy, torque about the side's marker. In ff schemes
 * they are exactly opposite. On a side that receives a motion the wrench follows from this motion. */
SEAM_PUBLIC void cosim_coupling_wrenches(const cosim_simulation *self, size_t coupling, double wrench[2][3]);
/** Fills the residuals of a cut joint at the present macro point, up to 3 each; returns their number, 0 for a
 * constitutive coupling. mbs_constraint_of() names them. */
SEAM_PUBLIC size_t cosim_coupling_residuals(const cosim_simulation *self, size_t coupling, double g[3], double gd[3],
                                            double gdd[3]);

/** Returns the energy (J) that a coupling has created by its errors since the start. It is the work of the coupling's
 * wrenches on both sides, plus the energy that the element itself would have stored and dissipated. Up to integration
 * errors, the sum over all couplings is the increase of energy.total + dissipated - driven of the mechanism. */
SEAM_PUBLIC double cosim_coupling_created(const cosim_simulation *self, size_t coupling);

/** Returns the energies of a coupling. If is_exchanged, they are those of its power bond. Else residual_energy is the
 * energy created, and residual_power its mean rate over the last macro step. */
SEAM_PUBLIC cosim_bond_energy cosim_coupling_energy(const cosim_simulation *self, size_t coupling);

/** Return the number of power bonds, the name of a bond, and its energies by (9) of [Rodriguez]. */
SEAM_PUBLIC size_t cosim_n_bonds(const cosim_simulation *self);
SEAM_PUBLIC const char *cosim_bond_name(const cosim_simulation *self, size_t bond);
SEAM_PUBLIC cosim_bond_energy cosim_bond_energy_of(const cosim_simulation *self, size_t bond);

/** Couplings of user parts, in the order in which they were added: their number, definitions (valid until the
 * simulation is destroyed), and λ at the present macro point. */
SEAM_PUBLIC size_t cosim_n_part_couplings(const cosim_simulation *self);
SEAM_PUBLIC const cosim_coupling_def *cosim_part_coupling(const cosim_simulation *self, size_t coupling);
/** Returns the energy that a coupling of user parts has created since the start, to order 4 in the macro step. It is
 * the work of the exchanged forces on both sides, plus the energy that spring and damper would have stored and
 * dissipated. Energy created inside the parts is not included. */
SEAM_PUBLIC cosim_bond_energy cosim_part_coupling_energy(const cosim_simulation *self, size_t coupling);
SEAM_PUBLIC void cosim_part_coupling_wrench(const cosim_simulation *self, size_t coupling, double lambda[3]);

/** Signals at the present macro point, after a jump there:
 *   "subsystem.name"      outputs of user parts
 *   "element.quantity"    quantities that connections, bonds or equations of subsystems use (mbs_find_quantity())
 *   "subsystem.BODY.x", .y, .phi, .vx, .vy, .omega       motion of a body of a mechanical subsystem
 *   "subsystem.ELEMENT.x", .y, ..., .omega               motion of the marker of a force element on one body
 *   "subsystem.ELEMENT.fx", .fy, .torque                 inputs, added to the wrench of this force element
 * If a signal can be read in two ways, the name before its first dot is that of a subsystem. */
SEAM_PUBLIC size_t cosim_n_signals(const cosim_simulation *self);
typedef struct cosim_signal_info {
  const char *name;           /* NULL, as are unit and meaning: there is no such signal */
  const char *unit, *meaning; /* "": not known, as for outputs of user parts */
  bool is_of_step;            /* the signal is an integral over the last macro step, proportional to its length */
} cosim_signal_info;
SEAM_PUBLIC cosim_signal_info cosim_signal_of(const cosim_simulation *self, size_t signal);
SEAM_PUBLIC double cosim_signal_now(const cosim_simulation *self, size_t signal);

typedef struct cosim_statistics {
  size_t macro_steps;
  size_t repeated;          /* macro steps that were repeated with a shorter length */
  double shortest, longest; /* s, lengths of macro steps; 0 before the first */
  size_t with_kinks;        /* macro steps with kinks of laws of time inside them */
  size_t law_kinks;         /* macro steps in which the law of a cut force element has a kink or jump */
  size_t switches; /* openings, closings and slackenings of cut contacts and strands at which macro steps ended */
  size_t switches_inside;     /* macro steps with a switch inside, because parts cannot repeat steps or another switch
                                 follows immediately */
  size_t part_events;         /* events that parts such as FMUs report and at which macro steps ended */
  size_t part_events_inside;  /* macro steps with these events inside, for the reasons of switches_inside */
  size_t shortened;           /* steps inside parts repeated with a shorter length, as when an FMU discards one */
  size_t hidden_events;       /* number of parts that do not report events inside their steps */
  size_t corrections;         /* solutions of the systems for the coupling variables */
  size_t refreshes;           /* evaluations of the matrices of these systems */
  mbs_statistics integrators; /* summed over the subsystems */
} cosim_statistics;
SEAM_PUBLIC cosim_statistics cosim_statistics_of(const cosim_simulation *self);

/** The image of a simulation (aligned for double) contains everything that determines its continuation. If a part
 * cannot restore a state, the size is 0 and there are no images (cosim_check_images()). A simulation of the same
 * options and model continues from an image bit for bit. SEAM_BAD_STATE: the image is damaged (checksum), or was saved
 * before a start or after a failed step. It is also returned for an image of another model (numbers, laws, identities
 * of user parts), partition, scheme or version. On failure the simulation is unchanged. */
SEAM_PUBLIC size_t cosim_image_size(const cosim_simulation *self);
SEAM_PUBLIC void cosim_save(const cosim_simulation *self, void *image);
SEAM_PUBLIC seam_status cosim_restore(cosim_simulation *self, const void *image, size_t size, seam_error *error);
/** SEAM_BAD_INPUT: another process cannot restore images, because of the subsystem that the message names. Without
 * images cosim_restore() returns the same status and message. */
SEAM_PUBLIC seam_status cosim_check_images(const cosim_simulation *self, seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
