/** @file
 * Parts of a co-simulation, which map signals to outputs over macro steps. <seam/cosim.h> couples them. Misuse:
 * see <seam/status.h> and <seam/cosim.h>. */
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

/** The polynomial of each piece is in powers of the distance from where it begins. */
typedef struct cosim_signal {
  int n_pieces;
  double c[COSIM_MAX_PIECES][COSIM_MAX_DEGREE + 1];
  double border[COSIM_MAX_PIECES - 1]; /* τ between pieces p and p + 1; 0: pieces are of equal length */
} cosim_signal;

/** Value at τ from 0 to 1; at a boundary of pieces the value of the left piece. NaN with an impossible number of
 * pieces.
 */
SEAM_PUBLIC double cosim_signal_value(const cosim_signal *signal, double tau);

/** @} */

/** @defgroup cosim_parts Subsystems
 * A part maps inputs over a macro step to outputs at its end. To write one in C, embed cosim_part as first member and
 * fill it in. Different parts are advanced at the same time from different threads.
 * @{ */

/** Seed direction: a change of the inputs of a step by a multiple of `signal` added to one input. */
typedef struct cosim_seed {
  int input;
  cosim_signal signal;
} cosim_seed;

typedef struct cosim_step {
  double t, H;                /* s: from t to t + H */
  const cosim_signal *inputs; /* (n_inputs) */
  int n_seeds;                /* 0: no derivatives are requested */
  const cosim_seed *seeds;
  int n_nodes;           /* moments inside of the step at which outputs are wanted too */
  const double *nodes;   /* (n_nodes) their τ, ascending, between 0 and 1; there the inputs are one polynomial */
  int middle;            /* number of the node where a part that gives nodes also writes instant derivatives into */
  double *instants;      /* (n_inputs x n_outputs); NULL: not wanted, those at the end neither */
  int n_terms;           /* derivatives along seeds may be the first terms of a series at the end, by inertia, 2 or 3;
                          * the step has no nodes then. 0: they are to be exact */
  bool *by_inertia;      /* set to false: inertia does not lead, and the step is to be taken anew with exact ones */
  const bool *corrected; /* (n_inputs) inputs that corrections may change: instant derivatives by others are not used;
                          * NULL: any */
} cosim_step;

typedef struct cosim_part cosim_part;

/** Events of a part. */
typedef struct cosim_part_events {
  size_t n;         /* events, as jumps of its states, since a time */
  double first;     /* s, of the first one, if there is one */
  bool waits;       /* the last one is at the present macro point, and is still to pass */
  size_t shortened; /* steps of its own that it took again, shorter; since its creation */
  bool hides;       /* it says nothing of events inside of its steps */
  bool ends;        /* its last event ends the run: it takes no further step */
} cosim_part_events;

enum { COSIM_N_INTEGRALS = 4 }; /* of changes of inputs, for apply_impulses() */

typedef struct cosim_part_ops {
  /* Takes the step and writes the outputs (n_outputs) at its end, under the inputs there; a part that gives nodes,
   * those at the nodes before them: outputs ((n_nodes + 1) x n_outputs). A part that gives derivatives also writes
   * their exact derivatives along each seed direction: derivatives (n_seeds x (n_nodes + 1) x n_outputs). */
  seam_status (*advance)(cosim_part *self, const cosim_step *step, double *outputs, double *derivatives,
                         seam_error *error);
  /* Repeats the last step from its beginning, which is restored, under inputs that differ little: outputs (n_outputs)
   * at its end alone, as accurate as before. Where the part cannot do that for less than advance(), *is_made is false,
   * and the master restores and advances. NULL: it never can. */
  seam_status (*repeat)(cosim_part *self, const cosim_step *step, double *outputs, bool *is_made, seam_error *error);
  /* The outputs at the present state, under the inputs at the end of the last step (zeros before the first). */
  void (*get_outputs)(cosim_part *self, double *outputs);
  /* Saves and restores the state (n_state numbers), to the bit; NULL: the part cannot restore an earlier state. */
  void (*save)(const cosim_part *self, double *state);
  void (*restore)(cosim_part *self, const double *state);
  /* The same within a macro step: keeps the present state itself until the next time, and goes back to it, as often as
   * the engine needs. NULL, both: the engine saves and restores. */
  void (*keep)(cosim_part *self);
  void (*go_back)(cosim_part *self);
  void (*destroy)(cosim_part *self);
  /* The outputs at t, at the present state, under the inputs at their end; the part does not change. NULL: the outputs
   * are taken from a step too short to change the state. */
  void (*evaluate_outputs)(cosim_part *self, double t, const cosim_signal *inputs, double *outputs);
  /* Derivatives of the outputs by the inputs at the end of the last step, where they follow at once (n_inputs x
   * n_outputs): of accelerations and multipliers, positions and velocities being held. The places of velocities have
   * the derivatives of the accelerations along the velocities B that an impulse of the input changes; the places of
   * positions have those along positions that change by B and velocities that change by A_v B - B', where A_v are the
   * derivatives of accelerations by velocities and B' is the rate of B; NaN: not known. With them the master makes
   * derivatives of steps, or adapts those of earlier ones; NULL: it takes new ones more often. */
  void (*get_instant_derivatives)(cosim_part *self, double *derivatives);
  /* Corrects the end of the last step that asked for instant derivatives, or of a repetition: adds the effect on
   * velocities and positions of changes δu of the inputs over the step, from the integrals ∫δu dt, ∬δu dt dt and so on
   * (COSIM_N_INTEGRALS x n_inputs); `end` (n_inputs) are the inputs there. Where that may leave out more than `limit`
   * of the part's tolerances, states stay and *is_made is false. NULL: the master repeats the step instead. */
  seam_status (*apply_impulses)(cosim_part *self, const double *integrals, const double *end, double limit,
                                bool *is_made, seam_error *error);
  /* The end of the last step, for which advance() gave derivatives along seeds, moves by multiples `change` (n_seeds)
   * of these, and so does all that the part will go on from; `end` (n_inputs) are the inputs there then. Where an
   * event, switch or kink lay in the step the state stays, and *is_made is false. NULL: the master repeats the step
   * instead. */
  seam_status (*update_end)(cosim_part *self, const double *change, const double *end, bool *is_made,
                            seam_error *error);
  /* The largest change of a coordinate of its bodies, m or rad, that either impulses (n_inputs each, N s times s) bring
   * by inertia; the part does not change. NULL: the master sees the outputs alone. */
  double (*measure_impulses)(cosim_part *self, const double *first, const double *second);
  /* Time of the next sample of a part in discrete time, where a macro step ends; -INFINITY: samples at the start, and
   * at the present macro point. NULL, both: the part has no samples. */
  double (*next_sample)(const cosim_part *self);
  /* Takes the sample at t under the inputs (n_inputs) there; get_outputs() and next_sample() then give new values. */
  seam_status (*sample)(cosim_part *self, double t, const double *inputs, seam_error *error);
  /* Events since a time, which is that of the last macro point; those of steps that were taken again do not count.
   * Where all parts can restore earlier states, macro steps end at the first one. NULL: the part has none. */
  cosim_part_events (*get_events)(const cosim_part *self, double since);
  /* Events after this time end steps: the part waits there, and outputs are those there. INFINITY, as at first: none
   * does. */
  void (*wait_at_events)(cosim_part *self, double after);
  /* The event that waits passes: get_outputs() are those beyond. A failure is one of the next step. */
  void (*pass_events)(cosim_part *self);
  /* Says which outputs (n_outputs) are read after steps from now on: advance() may give zeros for the others, and for
   * their derivatives; get_outputs() and evaluate_outputs() give all. Returns true if it does so. NULL: it always gives
   * all. */
  bool (*want_outputs)(cosim_part *self, const bool *wanted);
  /* Gives the outputs after a jump at the end of the last step, if the part has stayed before it: samples of other
   * parts at that time read them; its own samples at that time have not happened. The part stays before the jump.
   * Returns false if it is before none. NULL: it never is. */
  bool (*get_outputs_beyond)(cosim_part *self, double *outputs);
} cosim_part_ops;

struct cosim_part {
  const cosim_part_ops *ops;
  const char *name;
  int n_inputs, n_outputs;
  size_t n_state;
  bool gives_derivatives;  /* else the master takes differences, if the part can restore its state */
  bool of_one_piece;       /* such derivatives are exact where inputs and seeds have one piece; else differences are */
  bool gives_nodes;        /* else the master divides the step at the nodes, and takes differences */
  bool has_fixed_steps;    /* of one length: macro steps are not shortened for events within */
  bool is_mechanical;      /* its outputs are motions of bodies: they do not jump where its inputs do */
  const bool *held;        /* (n_outputs) of a part in discrete time: are constant between samples; NULL: all are */
  const bool *feedthrough; /* (n_outputs x n_inputs) outputs that may follow inputs at once; NULL: not known */
  bool is_algebraic;   /* it has no states, so that its outputs at a macro point are those under the inputs there, by
                        * evaluate_outputs(); else they are those at the end of its step */
  const bool *of_step; /* (n_outputs) integrals over the last macro step, which follow its length; NULL: none is */
};

/** A linear subsystem z' = A z + B u, y = C z + D u, integrated exactly. */
typedef struct cosim_linear_def {
  const char *name; /* not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  const double *A, *B, *C, *D; /* (n_states x n_states), ..., row by row; copied */
  const bool *restarts; /* (n_states) set to zero at the beginning of every macro step, as integrals are; NULL: none */
} cosim_linear_def;

/** SEAM_BAD_INPUT: matrices that are not finite, more than 10000 states or 2000 inputs; SEAM_NO_MEMORY. The state
 * starts at zero: part->ops->restore() sets the states that do not restart. */
SEAM_PUBLIC seam_status cosim_linear_part_create(const cosim_linear_def *def, cosim_part **part, seam_error *error);

/** Methods by which a part of equations steps. */
typedef enum cosim_ode_method {
  COSIM_FORWARD_EULER,
  COSIM_SYMPLECTIC_EULER, /* of x = (q, v): v += h a, then q += h v; only the rates of v are evaluated */
  COSIM_MIDPOINT,
  COSIM_RUNGE_KUTTA,
  COSIM_ERROR_CONTROLLED, /* explicit Runge-Kutta of the given order */
  COSIM_BDF, /* error controlled too, for stiff equations (CVODES); begins every macro step with order 1; the part gives
                no derivatives, and takes those of its rates by differences where `rates_along` is missing */
} cosim_ode_method;

/** A part given by functions for its rates and outputs: x' = f(t, x, u), y = g(t, x, u). */
typedef struct cosim_ode_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied; NULL: none */
  int n_states, n_inputs, n_outputs;
  int n_integrals; /* the last states: over the present macro step, from zero; no rate depends on them */
  cosim_ode_method method;
  int micro_steps;   /* in each macro step; 0: the fewest that are not longer than micro_step */
  double micro_step; /* s */
  int order;         /* error_controlled: 4, 5 or 8 */
  double rtol, atol; /* of both: the error of a step stays below rtol |x| + atol; integrals are not controlled */
  const double
      *nominal;        /* (n_states) with atol = 0: in place of |x| where it is smaller, sizes of states, > 0; copied */
  const void *context; /* not copied */
  /* dx (n_states) at t, x and inputs u. */
  void (*rates)(const void *context, double t, const double *x, const double *u, double *dx);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Their derivatives along (dx, du); NULL: the part gives no derivatives. */
  void (*rates_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                      const double *du, double *change);
  void (*outputs_along)(const void *context, double t, const double *x, const double *u, const double *dx,
                        const double *du, double *change);
  /* The first time after t at which rates or outputs have a kink or jump, whatever x and u: a step ends there, and
   * macro points that only rounding keeps from it. NULL: none. */
  seam_kink (*next_kink)(const void *context, double t);
  const double *start;     /* (n_states) copied */
  const bool *feedthrough; /* (n_outputs x n_inputs) outputs that depend on inputs; not copied; NULL: not known */
} cosim_ode_def;

/** SEAM_BAD_INPUT: no functions, numbers that are out of range; SEAM_NO_MEMORY. Its functions are called from one
 * thread at a time, that of the step. A rate that is not finite ends the step with SEAM_NOT_FINITE. */
SEAM_PUBLIC seam_status cosim_ode_part_create(const cosim_ode_def *def, cosim_part **part, seam_error *error);

/** A part in discrete time: at the times k T, x+ = f(t, x, u), y = g(t, x, u); in between both are held. Outputs are
 * zero before the first sample, which is at the start. */
typedef struct cosim_sampled_def {
  const char *name;          /* not copied */
  const char *const *states; /* (n_states) names for messages, not copied */
  int n_states, n_inputs, n_outputs;
  double period;       /* s */
  const void *context; /* not copied */
  /* The next states (n_states), the outputs (n_outputs) at t, x and inputs u. */
  void (*updates)(const void *context, double t, const double *x, const double *u, double *next);
  void (*outputs)(const void *context, double t, const double *x, const double *u, double *y);
  /* Their derivatives along (dx, du); NULL: not known. */
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
