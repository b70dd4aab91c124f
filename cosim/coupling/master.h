/* The master, the engine that solves coupling conditions. Over a macro step it predicts the coupling variables of cuts,
 * advances the parts, and corrects the variables until the conditions of their schemes hold. The other engine, the
 * exchange (exchange.h), passes extrapolated signals and repeats no step.
 *
 *   create    cosim_master_create() takes the parts, copies the cuts
 *   begin     set the states of the parts, then cosim_master_begin(), with a past if there is one
 *   step      cosim_master_step(); between steps cosim_master_snapshot() and _wrench()
 *   image     cosim_master_save_image(), _restore_image(): the run continues with bit-identical results
 *   destroy   cosim_master_destroy(), which also destroys the parts */
#ifndef COSIM_MASTER_H
#define COSIM_MASTER_H

#include "cosim/coupling/coupling.h"
#include "cosim/coupling/interface.h"
#include "cosim/parts/ensemble.h"
#include "cosim/schemes/snapshot.h"

typedef struct cosim_master_options {
  bool gauss_seidel; /* explicit couplings: parts advance in order, each with the newest outputs of those before it */
  bool differences;  /* derivatives of outputs are difference quotients, even if parts give exact ones */
  cosim_reuse reuse; /* reuse of derivatives of outputs in later macro steps */
  /* Implicit schemes: corrections end when none exceeds tolerance · max(|value|, scale of the variable). If they no
   * longer shrink, they also end when the last one is below 1000 times its round-off, or changes motions of markers at
   * the end of the step by at most mbs_tolerance_of(). */
  double tolerance;
  int iterations;    /* a step that needs more corrections fails */
  double rtol, atol; /* tolerances of the parts' integrators. Corrections of collocation, unless implicit, end when
                        errors of positions and velocities at the end are below 0.03 mbs_tolerance_of(). */
  mbs_scales scales; /* scales of the mechanism, which give the sizes of coupling variables */
  int n_threads;     /* 0: chosen by trial */
  /* Called after each step if some cut uses the method "projection": projects the states of the parts. */
  seam_status (*project)(void *context, double t, seam_error *error);
  /* Called when the parts have taken the step under the predicted variables; NULL: not called. */
  void (*predicted)(void *context);
  /* Called after the first correction of a step of length H if more follow, all couplings collocate and
   * cosim_master_contracts(). If it returns false, the step fails with SEAM_STEP_FAILED. NULL: not called. */
  bool (*may_continue)(void *context, double H);
  void *context;
} cosim_master_options;

cosim_master_options cosim_default_master_options(void);

typedef struct cosim_master cosim_master;

typedef struct cosim_master_statistics {
  size_t steps, corrections; /* macro steps; solved interface systems */
  size_t refreshes;          /* evaluated interface matrices */
} cosim_master_statistics;

/* Takes ownership of the parts, also on failure; copies the cuts, but not their names and elements. Begins at time 0
 * with the parts' states, without a past. SEAM_BAD_INPUT: a scheme does not fit its cut or parts (cosim_cut_check()),
 * or "weighted" couplings have different weights. SEAM_NO_MEMORY. */
seam_status cosim_master_create(cosim_part **parts, int n_parts, const cosim_cut *cuts, int n_cuts,
                                const cosim_master_options *options, cosim_master **created, seam_error *error);
void cosim_master_destroy(cosim_master *master);

/* Begins at time t with the present states of the parts. Rows of `past` (n_past x n_cuts) give coupling variables at
 * the macro points t, t - H, ...; their wrench[0] is the constraint force. If n_past is 0, the variables of force
 * elements follow from the outputs, and constraint forces are 0. */
void cosim_master_begin(cosim_master *master, double t, const cosim_snapshot *past, int n_past);
/* Sets the present forces of a cut joint to the components of a wrench; does nothing for other cuts and variables. */
void cosim_master_set_wrench(cosim_master *master, int cut, const double wrench[COSIM_MAX_DIMS]);

/* Sets those inputs of FMUs that couplings drive, and ends the initialization mode of the FMUs. The caller then calls
 * cosim_master_begin() again. SEAM_BAD_INPUT naming the part; SEAM_NO_MEMORY. */
seam_status cosim_master_begin_fmus(cosim_master *master, seam_error *error);
/* Sets the present forces and accelerations at all cut joints so that the second rates g'' of their residuals are 0, or
 * to 0 if the parts' outputs do not determine them (initial_forces.c). H: length of a macro step. SEAM_NO_MEMORY. */
seam_status cosim_master_find_multipliers(cosim_master *master, double H, seam_error *error);

/* Takes a macro step. SEAM_SINGULAR if the conditions do not determine the coupling variables, SEAM_NOT_CONVERGED
 * naming the coupling, or a part's error. */
seam_status cosim_master_step(cosim_master *master, double H, seam_error *error);

/* Takes a macro step of collocation without solving its conditions: coupling variables are linear between their values
 * in the snapshots (n_cuts each) at its beginning and end. Errors of the parts. */
seam_status cosim_master_follow(cosim_master *master, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error);

/* Returns the least number of stages of the couplings if all have collocation schemes; else 0. */
int cosim_master_stages(const cosim_master *master);
/* Durations, s: `motion`, the time scale of the motion so far; `remaining`, from now to the end of the run. */
typedef struct cosim_durations {
  double motion, remaining;
} cosim_durations;

/* Estimates the largest error of a collocation step of length H, in coordinates of markers and, in parts that have
 * measure_impulses(), of bodies. Errors of positions are divided by the scale of length, errors of angles are in rad.
 * There is no estimate if the result is not finite. is_done: true after the step, false in options.may_continue(). */
double cosim_master_estimate(cosim_master *master, double H, const cosim_durations *of, bool is_done);
/* Returns true if the master adapts derivatives (collocation_step.c) and corrections shrink fast: in the last step with
 * two of them, at most 10 steps ago, the second was at most 0.01 of the first. */
bool cosim_master_contracts(const cosim_master *master);

/* Kink of a cut force element's law in the last collocation step. */
typedef struct cosim_law_kink {
  double position, velocity; /* errors of the markers by the kink; along x and y divided by the scale of length */
  int coupling;              /* index of the cut; -1: there is no kink */
} cosim_law_kink;
/* Returns true if the law of a force element has a kink or jump between two motions of its markers: its gradients at
 * either motion predict the change of a force with an error above 0.3 of this change (law_kinks.c). */
bool cosim_law_has_kink(const cosim_element *element, const cosim_motion begin[2], const cosim_motion end[2]);

/* Returns the motions (2) of the markers of a cut at the present macro point. */
const cosim_motion *cosim_master_motions(const cosim_master *master, int cut);
/* Finds the wrench (4) that the cut transmits at the present macro point, on side 1. */
void cosim_master_wrench(const cosim_master *master, int cut, double *W);
/* Finds the motions at the present macro point, and the wrenches on both sides under the present coupling variables. */
void cosim_master_snapshot(const cosim_master *master, int cut, cosim_snapshot *now);
/* Finds accelerations and forces at cut joints at the present macro point, under the inputs of the parts. */
void cosim_master_apply_inputs(cosim_master *master);
/* Evaluates outputs after a kink, or a jump of inputs. The next step has no past, and new forces at cut joints. */
void cosim_master_restart(cosim_master *master);
/* Drops the past, but keeps outputs and forces at cut joints. */
void cosim_master_drop_past(cosim_master *master);
/* Continues after the law of a cut element has switched. The variables of force elements follow from the laws; their
 * past is replaced by the straight line with the present values and rates. */
void cosim_master_cross_switch(cosim_master *master);
/* Returns the motions of a cut's markers at the nodes of the last step, of length H. `begin` (2): the motions at the
 * beginning of this step. The result points to `begin` and to motions of the master, which the next step changes. */
cosim_path cosim_master_path(const cosim_master *master, int cut, const cosim_motion begin[2], double H);
/* Returns the number of known past values. Fills `time` (COSIM_MAX_HISTORY) with their times minus the present one. */
int cosim_master_past_points(const cosim_master *master, double *time);

/* State of the recursion over macro steps, for analysis: the states of all parts, then for every coupling variable the
 * past values that its scheme uses, newest first. After restoring, the past counts as complete. */
size_t cosim_master_n_state(const cosim_master *master);
void cosim_master_save(const cosim_master *master, double *state);
void cosim_master_restore(cosim_master *master, const double *state);

/* Image: numbers from which a run continues with bit-identical results, in a master of the same parts, cuts and
 * options; SEAM_BAD_STATE if a part cannot restore a state. */
size_t cosim_master_image_size(const cosim_master *master);
void cosim_master_save_image(const cosim_master *master, double *image);
seam_status cosim_master_restore_image(cosim_master *master, const double *image, seam_error *error);

/* ---- Internals ---- */

/* A new value of a coupling variable that drives an input of a part. */
typedef struct cosim_unknown_ref {
  const cosim_coupling *coupling;
  const cosim_slot *slot;
  int new_value;
  int unknown;  /* index among all unknowns */
  bool is_rate; /* the rate of the variable drives the input */
} cosim_unknown_ref;

typedef struct cosim_incidence {
  int coupling, side;
} cosim_incidence;

/* Feedthrough (n_inputs x n_outputs) at the beginning of the last step but one, and at three times of the last one. */
enum { COSIM_N_FEEDTHROUGH = 4 };
typedef struct cosim_feedthrough {
  double *before, *begin, *middle, *end;
} cosim_feedthrough;

typedef struct cosim_kernel cosim_kernel;

/* Data about one part. */
typedef struct cosim_part_data {
  cosim_unknown_ref *refs;     /* (n_seeds) new value that each seed changes */
  cosim_incidence *incidences; /* (n_incidences) sides of couplings at the part */
  int n_incidences;
  /* If the master adapts derivatives; else NULL: */
  cosim_kernel *kernels; /* (n_seeds x (n_nodes + 1)) kernels of the seeds at nodes and end */
  cosim_feedthrough feedthrough;
  double *expected; /* (n_outputs) outputs at the end of a repeated step, as predicted; behind `feedthrough` */
} cosim_part_data;

typedef struct cosim_estimate cosim_estimate;
typedef struct cosim_initial_forces cosim_initial_forces;

struct cosim_master {
  cosim_master_options options;
  cosim_parts *parts;
  cosim_cut *cuts;
  cosim_coupling *couplings; /* (n_couplings) one for each cut */
  int n_couplings;
  cosim_slot *slots; /* (n_slots) slots of all couplings, one after the other */
  int n_slots;
  int n_unknowns;
  cosim_part_data *of_part; /* (parts) */
  bool has_inputs; /* callers set inputs, which may jump at macro points. Each step then begins by computing the forces
                      at cut joints again, unless all couplings have collocation schemes. */

  /* Properties of the schemes. */
  bool iterates;   /* some coupling is implicit */
  bool updates;    /* all couplings with a corrector have update schemes, which repeat no step */
  bool collocates; /* some coupling has collocation */
  bool all_collocate;
  bool projects;
  bool reuses;        /* uses interface derivatives again in later steps while increments contract */
  double reuse_limit; /* single corrections: largest error by reused derivatives, relative to the correction */
  bool adapts;        /* adapts interface derivatives to every step (collocation_step.c) */
  int n_levels;       /* number of levels (g = 0, g' = 0, g'' = 0) whose solutions are weighted; 1 without weights */
  double weight[3];

  /* Corrections. */
  cosim_interface *interface;
  double *residual, *increment; /* (n_unknowns) */
  double *work, *rounding;      /* (n_unknowns) scratch */
  double *impulses;             /* ((COSIM_N_INTEGRALS + 1) x the most inputs of a part) scratch */
  bool stale;                   /* the interface matrix must be evaluated again */
  int age;                      /* single corrections: number of steps since it was evaluated; -1: never */
  bool has_reported_stall;
  cosim_initial_forces *initial_forces; /* NULL: a part has no evaluate_outputs(), or a side no accelerations */
  cosim_interface *initial_interface;   /* matrix of the conditions for initial forces; NULL: no initial forces */

  /* Collocation. */
  double kernel_H;           /* length of the step that the derivatives belong to */
  double kernel_ratio;       /* kernel_H divided by the length of the step before; 0: there is no step before */
  bool kernels_are_constant; /* kernels do not depend on the step */
  double contraction;  /* size of the second increment, relative to the first, in the last step with two increments */
  int contraction_age; /* number of steps since the step with this contraction */
  cosim_estimate *estimate;
  cosim_law_kink law_kink; /* kink in the last step */
  bool follows;            /* within cosim_master_follow(), where gaps at joints are not closed */

  /* Time and past. */
  double t;
  int n_past;                          /* number of known past values */
  double past_step[COSIM_MAX_HISTORY]; /* lengths of steps between past values, newest first; 0: as the present one */
  int n_since_restart;                 /* steps since the start or a restart, 2 at most */
  int n_restart_steps;      /* after a kink: forces at joints are computed again at the ends of this many next steps */
  double H;                 /* step length for which the rules were made; 0: no rules yet */
  cosim_history_nodes past; /* nodes of the past for which the rules were made */
  cosim_master_statistics count;
};

/* ---- Corrections: corrector.c ---- */

/* Sets the inputs that couplings drive with the new values (`corrected`) or as predicted; those of explicit couplings
 * stay as predicted. cosim_master_set_input() sets those of one side that a slot's signal drives. */
void cosim_master_set_inputs(cosim_master *master, bool corrected);
void cosim_master_set_input(cosim_master *master, const cosim_coupling *c, int side, const cosim_slot *slot,
                            const cosim_signal *signal);
/* Copies outputs of the parts into the couplings. */
void cosim_master_collect_outputs(cosim_master *master);
/* Copies the end of the last step to the beginning of the next. */
void cosim_master_begin_next_step(cosim_master *master);

/* Returns max(|value|, scale of the variable). */
double cosim_size_of(const cosim_master *master, const cosim_slot *slot, double value);
/* Returns the tolerance of a position or velocity component. */
double cosim_tolerance_of(const cosim_master *master, int component, bool is_rate, double value);
/* Returns the change of a part's output at the end of the step by a change (n_unknowns) of the new values. */
double cosim_change_at_end(const cosim_master *master, int part, int output, const double *change);

/* Corrects the new values of a step without collocation: once, or until increments are small. refresh: the parts have
 * evaluated derivatives, by which the interface matrix is evaluated again. */
seam_status cosim_correct(cosim_master *master, double H, bool refresh, seam_error *error);

/* Solves for one increment of the new values. refresh: first evaluates and factors the matrix with new derivatives. */
seam_status cosim_find_increment(cosim_master *master, double H, bool refresh, seam_error *error);
void cosim_count_refresh(cosim_master *master, bool refresh);
void cosim_apply_increment(cosim_master *master);

/* Sizes of the increments of a step, relative to the variables. Begin with {.last = INFINITY, .least = INFINITY}. */
typedef struct cosim_correction_sizes {
  double first, least, before, last; /* the first, the smallest, the last but one, the last */
  int n;                             /* number of increments */
  int worst;                         /* coupling with the largest last increment */
} cosim_correction_sizes;

void cosim_measure_increment(const cosim_master *master, cosim_correction_sizes *sizes);
/* Returns the largest change of a position or velocity at the end by the increment, in units of mbs_tolerance_of(). */
double cosim_effect_of_increment(const cosim_master *master);
/* Rolls the parts back to the beginning of the step, and repeats the step under the present new values. */
seam_status cosim_repeat_step(cosim_master *master, double H, bool with_derivatives, seam_error *error);
/* Freezes gradients of laws: they stay constant in the further corrections of this step. This concerns nonlinear laws
 * of force elements whose only unknown is a collocated force. Such a law is frozen if its gradients jump between the
 * end states before and after the last increment. If is_slow is true, because corrections converge slowly, all such
 * laws that can switch are frozen. Returns true if this call has frozen a law. */
bool cosim_freeze_gradients(cosim_master *master, double H, bool is_slow);
/* Returns true if the last increment no longer shrinks (it exceeds 0.9 of the one before) and is only noise: its
 * cosim_effect_of_increment() is at most `effect`, or its size at most 0.01 and at most 1000 times round-off. */
bool cosim_has_stalled(cosim_master *master, double H, const cosim_correction_sizes *sizes, double effect);
/* Fails with SEAM_NOT_CONVERGED after the last increment, which is not applied. */
seam_status cosim_not_converged(const cosim_master *master, double H, const cosim_correction_sizes *sizes,
                                seam_error *error);
/* Adds all entries of the interface matrix. level: 0 to n_levels - 1. */
void cosim_enter_interface(cosim_master *master, double H, int level);

/* ---- Collocation: collocation_step.c, law_kinks.c, estimate.c ---- */

seam_status cosim_correct_collocation(cosim_master *master, double H, bool refresh, seam_error *error);
/* Passes that compute outputs at the end only. cosim_predict_outputs() adds the effect of the last increment to outputs
 * at nodes by derivatives, and predicts outputs at the end. cosim_repeat_end_only() then repeats the step.
 * *prediction_error: largest error of an output predicted at the end, divided by the output's tolerance. */
void cosim_predict_outputs(cosim_master *master);
seam_status cosim_repeat_end_only(cosim_master *master, double H, double *prediction_error, seam_error *error);
/* Sets `adapts` and allocates kernels, feedthrough and `expected`. Returns false if there is no memory. */
bool cosim_allocate_kernels(cosim_master *master);
/* cosim_set_kernels() sets the kernels of the present seeds. cosim_begin_feedthrough() evaluates the feedthrough at the
 * beginning of the first step, and marks that no derivatives of an earlier step exist. */
void cosim_set_kernels(cosim_master *master);
void cosim_begin_feedthrough(cosim_master *master);
/* Returns true if a step needs new derivatives: they are not adapted, or in some part inertia does not dominate. */
bool cosim_needs_derivatives(const cosim_master *master, double H);
/* Sets integrals (n x n_inputs, n <= COSIM_N_INTEGRALS) to ∫δu, ∬δu, ... over a step of length H. δu is the change of a
 * part's inputs by a change (n_unknowns) of the new values. */
void cosim_sum_changes(const cosim_master *master, int part, double H, const double *change, int n, double *integrals);

void cosim_find_law_kinks(cosim_master *master, double H);
/* Creates the memory of cosim_master_estimate(); NULL: no memory. */
cosim_estimate *cosim_estimate_create(const cosim_master *master);
void cosim_estimate_destroy(cosim_estimate *self);

/* ---- Forces at cut joints at the present macro point: initial_forces.c ---- */

seam_status cosim_initial_forces_create(cosim_master *master, seam_error *error);
void cosim_initial_forces_destroy(cosim_initial_forces *self);
bool cosim_has_initial_forces(const cosim_master *master);
/* Finds the forces with the inputs at time `tau` (0 to 1) of the present step. */
void cosim_find_initial_forces(cosim_master *master, double tau);

#endif
