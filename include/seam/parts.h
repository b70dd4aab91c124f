/** @file
 * Parts of a co-simulation map signals to outputs over macro steps; <seam/cosim.h> couples them. Misuse: see there. */
#ifndef SEAM_PARTS_H
#define SEAM_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/law.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup cosim_signals Signals
 * Inputs of a subsystem over one macro step: piecewise polynomials in τ = (t - T) / H.
 * @{ */

enum { COSIM_MAX_PIECES = 3, COSIM_MAX_DEGREE = 7 };

/** Each piece is a polynomial in powers of τ - (its beginning). */
typedef struct cosim_signal {
  int n_pieces;
  double c[COSIM_MAX_PIECES][COSIM_MAX_DEGREE + 1];
  double border[COSIM_MAX_PIECES - 1]; /* border[p]: τ between pieces p and p + 1; 0: pieces of equal length */
} cosim_signal;

/** Returns the value at τ from 0 to 1; at a border the value of the left piece. NaN: an impossible number of pieces. */
SEAM_PUBLIC double cosim_signal_value(const cosim_signal *signal, double tau);

/** @} */

/** @defgroup cosim_parts Subsystems
 * A part maps inputs over a macro step to outputs at its end. To write one in C, embed cosim_part as first member and
 * fill it in. Different parts advance at the same time in different threads.
 * @{ */

/** Seed: a direction in which a step's inputs change. A multiple of `signal` is added to input number `input`. */
typedef struct cosim_seed {
  int input;
  cosim_signal signal;
} cosim_seed;

typedef struct cosim_step {
  double t, H;                /* s: the step goes from t to t + H */
  const cosim_signal *inputs; /* (n_inputs) */
  int n_seeds;                /* 0: no derivatives are requested */
  const cosim_seed *seeds;
  int n_nodes;         /* number of times inside the step at which outputs are also wanted */
  const double *nodes; /* (n_nodes) τ of these nodes, ascending, in (0, 1); inputs then have one piece */
  int middle;          /* index of the node at which a part with gives_nodes evaluates `feedthrough` */
  double *feedthrough; /* (n_inputs x n_outputs) at the node `middle`; NULL: not read, neither there nor at the end */
  int n_terms; /* 2 or 3: derivatives may be the first n_terms terms of a series that holds if inertia dominates; the
                  step then has no nodes. 0: exact derivatives */
  bool *by_inertia;      /* the part sets it to false if inertia does not dominate; the step is then repeated with exact
                            derivatives */
  const bool *corrected; /* (n_inputs) inputs that corrections may change, whose feedthrough is used; NULL: all */
} cosim_step;

typedef struct cosim_part cosim_part;

/** Events of a part. */
typedef struct cosim_part_events {
  size_t n;         /* number of events, such as jumps of the part's states, since the time given to get_events() */
  double first;     /* s, time of the first event */
  bool waits;       /* the part has stopped at its last event, at the present macro point, and has not executed it */
  size_t shortened; /* number of internal steps that the part repeated with a shorter length since its creation */
  bool hides;       /* the part does not report events inside its steps */
  bool ends;        /* the last event ends the run: no further step is possible */
} cosim_part_events;

enum { COSIM_N_INTEGRALS = 4 }; /* number of repeated integrals of input changes for apply_impulses() */

typedef struct cosim_part_ops {
  /* Takes the step and fills outputs ((n_nodes + 1) x n_outputs): those at the nodes, if the part gives nodes, then
   * those at the end. A part that gives derivatives also fills derivatives (n_seeds x (n_nodes + 1) x n_outputs): exact
   * derivatives of these outputs along each seed. */
  seam_status (*advance)(cosim_part *self, const cosim_step *step, double *outputs, double *derivatives,
                         seam_error *error);
  /* Repeats the last step under slightly different inputs, after the caller has restored the state at its beginning.
   * Fills outputs (n_outputs) at the end only, as accurate as those of advance(). *is_made false: it would cost as much
   * as advance(), which the master then calls after restoring the state again. NULL: the part cannot repeat steps. */
  seam_status (*repeat)(cosim_part *self, const cosim_step *step, double *outputs, bool *is_made, seam_error *error);
  /* Fills the outputs at the present state. Inputs are those at the end of the last step; before the first step,
   * zeros. */
  void (*get_outputs)(cosim_part *self, double *outputs);
  /* Save and restore the state (n_state numbers), exact to the bit. NULL: the part cannot restore an earlier state. */
  void (*save)(const cosim_part *self, double *state);
  void (*restore)(cosim_part *self, const double *state);
  /* Save and restore inside a macro step: keep() stores the state in the part; go_back() restores it, as often as
   * needed. Both NULL: the engine saves and restores. */
  void (*keep)(cosim_part *self);
  void (*go_back)(cosim_part *self);
  void (*destroy)(cosim_part *self);
  /* Fills the outputs at t, at the present state, under the signals' values at τ = 1; the part does not change. NULL:
   * the engine takes a step too short to change the state. */
  void (*evaluate_outputs)(cosim_part *self, double t, const cosim_signal *inputs, double *outputs);
  /* Fills the feedthrough (n_inputs x n_outputs) at the end of the last step. B is the change of all velocities by a
   * unit impulse of the input, B' the rate of B along the motion. A_v are the derivatives of accelerations by
   * velocities. The meaning of an entry depends on the kind of the output:
   *
   *   acceleration, multiplier   derivative of the output by the input, at constant positions and velocities
   *   velocity                   change of the acceleration of its coordinate, if all velocities change by B
   *   position                   the same, if all positions change by B and all velocities by A_v B - B'
   *
   * They are the first terms of the change of a coordinate, as a series in powers of the length of the step. NaN: not
   * known. From these terms the master computes derivatives of whole steps, or corrects derivatives of earlier steps.
   * NULL: the master evaluates derivatives of steps more often. */
  void (*get_feedthrough)(cosim_part *self, double *derivatives);
  /* Corrects the end of the last step that gave feedthrough, or the end of its repetition. Adds to velocities and
   * positions the effect of changes δu of the inputs over the step. `integrals` has the repeated integrals ∫δu dt, ∬δu
   * dt dt and so on (COSIM_N_INTEGRALS x n_inputs: first the single integrals of all inputs). `end` (n_inputs): inputs
   * at the end. If the error may exceed `limit` times the part's tolerances, the states stay unchanged and *is_made is
   * false. NULL: the master repeats the step. */
  seam_status (*apply_impulses)(cosim_part *self, const double *integrals, const double *end, double limit,
                                bool *is_made, seam_error *error);
  /* Changes the state at the end of the last step; the part continues from the changed state. The change is the
   * derivatives along seeds, which advance() gave in this step, times `change` (n_seeds). `end` (n_inputs): inputs at
   * the end. The state stays unchanged, and *is_made is false, if the step contains an event of the part or a kink of a
   * law of time, or if a contact or strand opens or closes in it. NULL: the master repeats the step. */
  seam_status (*update_end)(cosim_part *self, const double *change, const double *end, bool *is_made,
                            seam_error *error);
  /* Estimates how much coordinates of the part change if only inertia resists. `first` and `second` (n_inputs each) are
   * impulses times time, N s². They change positions by B `first` and B `second`, with B as in get_feedthrough().
   * Returns the largest change; changes in m are divided by the scale of length. The part does not change. NULL: the
   * master's error estimate uses only the outputs of the part. */
  double (*measure_impulses)(cosim_part *self, const double *first, const double *second);
  /* Returns the time of the next sample of a part in discrete time. A macro step ends there. -INFINITY: the first
   * sample is due at the start, the present macro point. NULL, together with sample(): the part takes no samples. */
  double (*next_sample)(const cosim_part *self);
  /* Takes the sample at t; inputs (n_inputs): inputs at t. get_outputs() and next_sample() then return new values. */
  seam_status (*sample)(cosim_part *self, double t, const double *inputs, seam_error *error);
  /* Returns the events since `since`, the last macro point. Events in steps that were later repeated do not count.
   * Macro steps end at the first event under three conditions: all parts can restore earlier states, no part has fixed
   * steps, and all cut joints have collocation schemes. Otherwise events are inside macro steps. NULL: the part has no
   * events. */
  cosim_part_events (*get_events)(const cosim_part *self, double since);
  /* Sets the time after which an event ends the part's step: the part then stops at the event, with the outputs before
   * it, until pass_events(). INFINITY (initially): no event ends a step. */
  void (*wait_at_events)(cosim_part *self, double after);
  /* Executes the event at which the part has stopped: get_outputs() then returns the outputs after it. Failures are
   * reported by the next step. */
  void (*pass_events)(cosim_part *self);
  /* Sets which outputs (n_outputs) of later steps are read: advance() may write zeros for the others and their
   * derivatives; get_outputs() and evaluate_outputs() give all. Returns true if the part then leaves outputs out. NULL:
   * the part always gives all outputs. */
  bool (*want_outputs)(cosim_part *self, const bool *wanted);
  /* Called after a step. Returns true if the part has a jump at the end of the step that it has not executed yet. Then
   * fills the outputs after the jump, but does not execute it. Samples of other parts at that time read these outputs;
   * the part's own samples have not been taken. NULL: always false. */
  bool (*get_outputs_beyond)(cosim_part *self, double *outputs);
  /* Called before the first step of a second run, which shows the error of the first. Divides the part's own steps by
   * `parts` and its tolerances by `tighter`. Returns true if all steps inside the part become shorter or more accurate.
   * NULL: the part cannot be refined. */
  bool (*refine)(cosim_part *self, double parts, double tighter);
} cosim_part_ops;

struct cosim_part {
  const cosim_part_ops *ops;
  const char *name;
  int n_inputs, n_outputs;
  size_t n_state;
  bool gives_derivatives;  /* false: the master takes differences, if the part can restore its state */
  bool of_one_piece;       /* derivatives are exact only if inputs and seeds have one piece; for others the master takes
                              differences */
  bool gives_nodes;        /* false: the master divides the step at the nodes and takes differences */
  bool has_fixed_steps;    /* steps have one length: macro steps are not shortened for events */
  bool is_mechanical;      /* outputs are motions of bodies, which do not jump when inputs jump */
  const bool *held;        /* (n_outputs) part in discrete time: outputs that are constant between samples; NULL: all */
  const bool *feedthrough; /* (n_outputs x n_inputs) direct feedthrough is possible; NULL: not known */
  bool is_algebraic;   /* no states: outputs at a macro point follow from the inputs there by evaluate_outputs(); false:
                          outputs at a macro point are those at the end of the step */
  const bool *of_step; /* (n_outputs) true: the output is an integral over the last macro step; NULL: none is */
  bool stays_in_process; /* states from save() can be restored in this process only */
};

/** A linear subsystem z' = A z + B u, y = C z + D u, integrated exactly. */
typedef struct cosim_linear_def {
  const char *name; /* not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  const double *A, *B, *C, *D; /* (n_states x n_states), ..., row by row; copied */
  const bool *restarts; /* (n_states) true: the state, an integral, is set to zero at the beginning of every macro step;
                           NULL: none */
} cosim_linear_def;

/** Creates a linear part. Its states are zero at first; part->ops->restore() sets those not marked in `restarts`.
 * SEAM_BAD_INPUT: matrices not finite, more than 10000 states, 1250 inputs or 1e6 entries of C; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status cosim_linear_part_create(const cosim_linear_def *def, cosim_part **part, seam_error *error);

/** Integration methods of a part of equations. */
typedef enum cosim_ode_method {
  COSIM_FORWARD_EULER,
  COSIM_SYMPLECTIC_EULER, /* x = (q, v): v += h a, then q += h v; only the rates of v are evaluated */
  COSIM_MIDPOINT,
  COSIM_RUNGE_KUTTA,
  COSIM_ERROR_CONTROLLED, /* explicit Runge-Kutta of order `order` */
  COSIM_BDF,   /* error controlled, for stiff equations (CVODES); begins each macro step with order 1; the part gives no
                  derivatives; if `rates_along` is NULL, CVODES gets the Jacobian of the rates by differences */
  COSIM_ADAMS, /* as COSIM_BDF, but by Adams' formulas, for equations that are not stiff */
} cosim_ode_method;

/** A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). */
typedef struct cosim_ode_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  int n_integrals; /* the last states are integrals from the start of the macro step; no rate depends on them */
  cosim_ode_method method;
  int micro_steps;       /* steps of the method per macro step; 0: the fewest that are not longer than micro_step */
  double micro_step;     /* s */
  int order;             /* error_controlled: 4, 5 or 8 */
  double rtol, atol;     /* with error control: the error of a step is below rtol |x| + atol, except for integrals */
  const double *nominal; /* (n_states) typical sizes of states, > 0; with atol = 0 the bound uses these where |x| is
                            smaller; copied */
  const void *context;   /* not copied */
  /* Fills dx (n_states) at t, x and inputs u. */
  void (*rates)(const void *context, double t, const double *x, const double *u, double *dx);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Fill the derivatives of rates and outputs along (dx, du); NULL: the part gives no derivatives. */
  void (*rates_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                      const double *du, double *change);
  void (*outputs_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  /* Returns the first kink or jump of rates or outputs after t, for any x and u: a step ends there, and a macro point
   * that differs from it by round-off is moved onto it. NULL: none. */
  seam_kink (*next_kink)(const void *context, double t);
  const double *start;     /* (n_states) copied */
  const bool *feedthrough; /* (n_outputs x n_inputs) feedthrough; not copied; NULL: not known */
} cosim_ode_def;

/** SEAM_BAD_INPUT: functions missing, numbers out of range; SEAM_NO_MEMORY. The functions are called in the thread of
 * the step, one at a time. A rate that is not finite ends the step with SEAM_NOT_FINITE. */
SEAM_PUBLIC seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error);

/** A part in discrete time: x+ = f(t, x, u), y = g(t, x, u) at the times k T; outputs are constant in between. The
 * first sample is taken at the start; outputs are zero before it. */
typedef struct cosim_sampled_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied */
  int n_states, n_inputs, n_outputs;
  double period;       /* s */
  const void *context; /* not copied */
  /* Fill the next states (n_states), the outputs (n_outputs) at t, x and inputs u. */
  void (*updates)(const void *context, double t, const double *x, const double *u, double *next);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Fill the derivatives of next states and outputs along (dx, du); NULL: not known. */
  void (*updates_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  void (*outputs_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  const double *start; /* (n_states) copied */
} cosim_sampled_def;

/** Fails as cosim_ode_part_create() does. */
SEAM_PUBLIC seam_status cosim_sampled_part_create(const cosim_sampled_def *def, cosim_part **part, seam_error *error);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
