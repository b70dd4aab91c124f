/* The co-simulation of a mechanism: creation and start (simulation.c), macro steps (macro_step.c), image
 * (simulation_image.c), results (simulation_results.c). An engine couples the parts, which are the subsystems
 * (cosim/mechanism/engine.h). The state of the undivided mechanism at macro points is assembled from the parts. A kink
 * is a jump of a derivative; a law of time is a function of time in the model. */
#ifndef COSIM_STEPS_SIMULATION_H
#define COSIM_STEPS_SIMULATION_H

#include <stdint.h>

#include "cosim/mechanism/engine.h"
#include "cosim/mechanism/partition.h"
#include "mbs/model/workspace.h"

/* State of the step control. */
typedef struct cosim_control {
  cosim_step_control rule; /* step control of the definition, with the order of the schemes */
  double next;             /* s, length of the next macro step */
  double remaining;        /* s, time to the end of the run */
  struct {
    double t;                 /* s, time of the last check */
    uint64_t steps, repeated; /* macro steps since that check; number of repeated steps at that check */
  } progress;
  bool checks_early;         /* a step whose first estimate is too large is stopped before further corrections */
  double early_indicator;    /* indicator of the present step after its first correction; 0: there is none */
  double speed;              /* largest speed so far, in the mass norm (step_size.c) */
  double acceleration, jerk; /* largest acceleration so far, and largest rate of an acceleration, in this norm */
} cosim_control;

/* Comparison of the parts with the undivided mechanism at both ends of the last step, computed when first needed. */
typedef struct cosim_end_powers {
  bool are_known;          /* `begin` and `end` are known */
  double begin[2], end[2]; /* W, powers that the undivided mechanism dissipates [0] and receives from drives [1] */
  bool are_compared;       /* `deviations` is known */
  double *deviations[2];   /* (mbs_n_evaluated each) at the beginning [0] and end [1]: accelerations and multipliers of
                              the parts minus those of the undivided mechanism in the same state */
} cosim_end_powers;

struct cosim_simulation {
  cosim_builder *builder; /* copy of the caller's builder */
  const mbs_model *model; /* model and definition of the builder */
  cosim_definition definition;
  cosim_partition partition;
  uint64_t fingerprint; /* fingerprint of model and definition, for images */
  cosim_engine *engine;
  mbs_workspace *ws;       /* workspace of the undivided mechanism */
  mbs_state *before, *now; /* states of the mechanism at the last two macro points; within a step `now` is scratch */
  bool is_beyond_kink;     /* a kink, jump or sample is at the present time: `now` is after it, `end` before it */
  mbs_state *end;          /* if is_beyond_kink: state at the end of the last step, before the kink, jump or sample */
  bool *crosses_kink;      /* (n_mechanical) scratch: the part's step ended at a kink */
  struct {
    double from, at;                   /* s: there is no kink between these times */
  } next_kink;                         /* last search for a kink of laws of time */
  cosim_snapshot *undivided_snapshots; /* (2 x n_cuts) scratch: snapshots of the cuts at both ends of a step */
  double *signals;                     /* (n_signals) values at the present macro point */
  mbs_state *scratch;
  cosim_end_powers *powers;
  double start_work[2]; /* J, energy lost and work of drives up to the start; ledgers begin there */
  double projected;     /* J, energy that projection added in the present step, per coupling that projects */

  /* Properties that do not change after the creation. */
  int stages;               /* number of stages if all couplings have collocation schemes; else 0 */
  bool has_joint;           /* a joint is cut */
  bool has_joint_with_past; /* coupling variables at cut joints are extrapolated from past values, which amplifies
                               errors when step lengths differ */
  bool has_fixed_steps;     /* some part can take only steps of one length, so that no macro step is shortened */
  bool can_shorten_steps;   /* all parts can repeat steps of any length */
  bool is_by_error;         /* the local error controls the steps */
  bool ends_at_part_events; /* macro steps end at events of parts (part_events.c) */
  bool ends_at_switches;    /* macro steps end where the laws of cut contacts or strands switch (cut_switches.c) */
  bool ends_at_kinks;       /* macro steps of an exchange end at kinks, in the finer run that estimates errors */

  bool has_started;  /* the simulation was started or restored */
  bool is_broken;    /* a step failed */
  bool has_advanced; /* macro steps were taken since the start */
  bool is_at_kink;   /* the last step ended at a sample, or its end was shifted to a close kink */
  bool is_at_switch; /* the last step ended where a cut contact or strand opens or closes */
  cosim_control control;
  mbs_state *predicted;    /* state of the bodies at the end of the predictor's pass; NULL: not needed */
  double *begin_image;     /* image of the engine at the beginning of the present step */
  cosim_statistics others; /* counts beyond those of parts and engines; includes earlier runs that this run continues */
};

/* Before the start: divides the steps inside user parts by `parts` and their tolerances by `tighter`. Returns the
 * number of parts that cannot refine their steps, such as FMUs; *name: subsystem of the first of them, if any. Sets
 * ends_at_kinks. */
size_t cosim_refine_parts(cosim_simulation *self, double parts, double tighter, const char **name);

/* Integrates the consistent *state backwards from t to t - H, and evaluates its a and lambda (simulation.c).
 * SEAM_NOT_CONVERGED: COSIM_MAX_HISTORY_STEPS are too few. Errors of mbs_evaluate(). */
seam_status cosim_integrate_back(mbs_workspace *ws, mbs_state *state, double H, seam_error *error);

/* ---- Macro steps, in macro_step.c ---- */

/* Search for the length of a step that ends at its first switch, in cut_switches.c. tried: number of trials. */
typedef struct cosim_switch_search {
  double low, high;             /* s: a step of length `low` has no switch inside, a step of length `high` has one */
  const cosim_element_cut *cut; /* cut of the first switch */
  int coordinate, tried;
  bool begins; /* the step is repeated from the state after a switch at its beginning */
} cosim_switch_search;

/* Search for the length of a step that ends at its first event, in part_events.c. tried: number of trials. */
typedef struct cosim_event_search {
  double widen;    /* fraction by which a step that did not reach the event is lengthened */
  double H, event; /* s, last length with an event inside, and the time of that event in the step; 0: no event yet */
  int tried;
} cosim_event_search;

/* State of a search for the length of a step. */
typedef struct cosim_step_search {
  double wanted, usual; /* s, wanted length of this step; usual length of steps */
  bool checks_error;    /* the local error is checked */
  seam_status status;   /* status of the last trial, with its error */
  seam_error *cause;
  double indicator;  /* local error divided by its tolerance; the step passes if this is at most 1 */
  bool is_restarted; /* the search starts again with the next length */
  cosim_switch_search switches;
  cosim_event_search events;
} cosim_step_search;

/* Look for an obstacle that only a trial of a step, of length H, can find: a local error that is too large
 * (step_size.c), a switch (cut_switches.c), an event (part_events.c). Return the length to try instead; 0: no obstacle.
 * cosim_length_by_error() sets search->status to SEAM_NOT_CONVERGED if the step cannot be shorter. */
typedef double cosim_obstacle(cosim_simulation *self, cosim_step_search *search, double H);
cosim_obstacle cosim_length_by_error, cosim_length_by_switches, cosim_length_by_events;

/* Checks that macro steps can be taken. SEAM_BAD_STATE: no start or restore, or the last step failed. */
seam_status cosim_simulation_check(const cosim_simulation *self, seam_error *error);
/* Takes a step of length *H, or up to the first obstacle, and sets *H to the length taken. search: {.checks_error} or
 * {.usual}. */
seam_status cosim_take_step(cosim_simulation *self, cosim_step_search *search, double *H, seam_error *error);
/* Ends a run, whose step failed with `status` and `cause`, with a message. */
seam_status cosim_fail_run(cosim_simulation *self, seam_status status, const seam_error *cause, seam_error *error);
/* Takes a step of length H without error check; `usual`: usual length of steps. */
seam_status cosim_simulation_step(cosim_simulation *self, double H, double usual, seam_error *error);

/* ---- State of the undivided mechanism at macro points, in whole.c ---- */

/* Assembles states, snapshots and energies after a step of length H. */
void cosim_simulation_assemble(cosim_simulation *self, double H);
/* Assembles the state at the present macro point again, from parts and couplings. */
void cosim_simulation_assemble_present(cosim_simulation *self);
/* Copies present outputs of user parts into the variables of the model that follow these outputs. */
void cosim_simulation_copy_outputs(cosim_simulation *self);
/* Copies the signals at the engine's present macro point into `signals`. */
void cosim_simulation_copy_signals(cosim_simulation *self);
/* After parts have jumped at the present macro point, evaluates their inputs and outputs, the state and the signals. */
void cosim_simulation_follow_parts(cosim_simulation *self);
/* Fills snapshots (n_cuts) of the cuts from an evaluated state of the undivided mechanism. */
void cosim_simulation_sample_undivided(const cosim_simulation *self, const mbs_state *state, cosim_snapshot *snapshots);
/* Returns the power into the first side of a cut, W. */
double cosim_present_power(const cosim_element_cut *cut);

/* Extrapolates the evaluated state `from` over the time h into `scratch`, by Taylor's polynomial with q, v and a. Then
 * evaluates `scratch` with the laws of time that hold after `from`. Errors of mbs_evaluate(). */
seam_status cosim_extrapolate_state(cosim_simulation *self, const mbs_state *from, double h, seam_error *error);

/* ---- Kinks of laws of time, and samples, in macro_kinks.c ---- */

/* Returns the time of the first kink of a law of time after t; INFINITY: none. Stores the result for further calls,
 * since a search takes longer than a step. */
double cosim_kink_after(cosim_simulation *self, double t);
/* Returns the time of the first kink after t, of a law of time or, in an exchange, user equations; INFINITY: none. */
double cosim_kink_or_jump_after(cosim_simulation *self, double t);
/* Checks the laws that drive cut joints, from t to `end`. SEAM_CONSTRAINT_LOST: one of these laws jumps. */
seam_status cosim_check_cut_motions(const cosim_simulation *self, double t, double end, seam_error *cause);
/* Returns the length of the next step. `remaining` is the rest (s) of a macro step of length H. The step ends at the
 * first kink or sample within this rest, else at its end. The present time plus the result is not before the kink in
 * spite of rounding. Samples count only in an exchange. Kinks do not count if a part has fixed steps, or in an exchange
 * without ends_at_kinks. Kinks close to a macro point do not count if couplings use past values. */
double cosim_length_to_kink(cosim_simulation *self, double remaining, double H);
/* Returns the round-off, s, that the present time has as a sum of macro steps of length H. */
double cosim_sum_rounding(const cosim_simulation *self, double H);
/* Returns the time of the first sample of a part after the present time; INFINITY: no sample follows. */
double cosim_sample_after(const cosim_simulation *self);
/* Returns the length of the next step: the time to the next sample or, if shorter, `remaining` (s). A sample later by
 * at most cosim_rounding_of_sums times H counts as within `remaining`. */
double cosim_length_to_sample(const cosim_simulation *self, double remaining, double H);
/* If the last step ended at a kink of a law of time or a sample, evaluates parts and mechanism after it. */
void cosim_cross_kinks(cosim_simulation *self);
/* At the start, repeats the samples of parts that read signals, since the first samples were taken without signals. */
seam_status cosim_repeat_first_samples(cosim_simulation *self, seam_error *error);
/* Returns true if a step is too short, relative to the usual length, for collocation conditions at joints
 * (macro_kinks.c). cosim_prescribe_from_undivided() takes such a step, with coupling variables from the motion of the
 * undivided mechanism. */
bool cosim_follows_undivided(const cosim_simulation *self, double H, double usual);
seam_status cosim_prescribe_from_undivided(cosim_simulation *self, double H, seam_error *cause);

/* ---- Modes of strands and contacts at cuts, in cut_switches.c ---- */

/* Sets ends_at_switches. SEAM_BAD_INPUT: steps cannot end at switches, but a scheme needs this. */
seam_status cosim_switches_create(cosim_simulation *self, seam_error *error);
/* Sets the modes of laws (open, closed, released) to those that the cuts store or, if by_motion, lets laws follow the
 * motion. cosim_switches_begin() finds the modes at the present macro point, stores and sets them. */
void cosim_switches_set(cosim_simulation *self, bool by_motion);
void cosim_switches_begin(cosim_simulation *self);

/* After an accepted step, finds and sets the modes at its end, and counts switches. */
void cosim_switches_update(cosim_simulation *self);
/* Writes why errors of the run decrease more slowly than the order of the schemes says; "": no reason is known. */
void cosim_switches_explain(const cosim_simulation *self, char *text, size_t size);

/* ---- Events of parts, in part_events.c ---- */

/* Lets parts stop at their first event in the step that begins now; `usual`: usual length of steps. */
void cosim_part_events_begin(cosim_simulation *self, double usual);
/* Counts the events of an accepted step, and lets parts handle the events at its end. */
void cosim_part_events_handle(cosim_simulation *self, double H);

/* Returns the fingerprint of model and definition, in simulation_image.c. */
uint64_t cosim_fingerprint(const cosim_simulation *self);
/* Sets `others` so that `others` plus the counts of parts and engines, since their creation, equals `wanted` modulo
 * 2^64. In simulation_image.c. */
void cosim_statistics_set(cosim_simulation *self, const cosim_statistics *wanted);

/* ---- Control of macro steps, in step_size.c ---- */

/* Creates the control, and allocates `predicted` and `begin_image` if they are needed. SEAM_BAD_INPUT: the control has
 * an invalid number or does not suit the couplings. SEAM_NO_MEMORY. */
seam_status cosim_control_create(cosim_simulation *self, seam_error *error);
/* Begins the control at a start: sets the first length, and the largest speed and acceleration so far. */
void cosim_control_begin(cosim_simulation *self);
/* Records the largest speed, acceleration and jerk after a step of length H. */
void cosim_control_record_motion(cosim_simulation *self, double H);
/* Stores the state of the bodies at the end of the predictor's pass; `context` is the simulation. */
void cosim_control_predicted(void *context);
/* Returns false if the step can be shorter and the estimate after the first correction is above cosim_estimate_margin
 * times the tolerance; `context` is the simulation. */
bool cosim_control_may_continue(void *context, double H);
/* Returns √(Σ m d²) of the difference d of two vectors (3 n_bodies) of rates or accelerations. */
double cosim_distance(const mbs_model *model, const double *v, const double *other);

/* ---- Inside macro steps, in simulation_results.c ---- */

/* Returns true if contacts or other elements inside subsystems changed their modes in the last macro step. */
bool cosim_has_switched_inside(const cosim_simulation *self);
/* Gives the state of cosim_state_between(), with a, lambda and contact at t. These are the values of the undivided
 * mechanism there, plus the difference to the values of the parts (cosim_end_powers). The difference is known at both
 * ends of the step and interpolated linearly. A call evaluates the undivided mechanism once, the first call in a step
 * two more times. If all couplings have collocation schemes, the state is that of cosim_state_between(). */
void cosim_evaluate_between(const cosim_simulation *self, double t, mbs_state *state);

#endif
