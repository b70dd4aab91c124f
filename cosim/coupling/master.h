/* The master, the engine that solves coupling conditions: over a macro step it predicts the coupling variables of cuts,
 * advances the parts, and corrects the variables until the conditions of their schemes hold (master.c). The other
 * engine, the exchange (exchange.h), passes extrapolated signals and repeats no step.
 *
 *   create    cosim_master_create() takes the parts, copies the cuts
 *   begin     set the states of the parts, then cosim_master_begin(), with a past if there is one
 *   step      cosim_master_step(); between steps cosim_master_snapshot() and _wrench()
 *   image     cosim_master_save_image(), _restore_image(): the run continues with bit-identical results
 *   destroy   cosim_master_destroy(), which also destroys the parts
 *
 * Files: scheme.c names and rules -> cut.c checks -> coupling.c variables of a cut -> condition.c their conditions ->
 * residual.c, interface.c the linear system -> master.c the step. */
#ifndef COSIM_MASTER_H
#define COSIM_MASTER_H

#include "cosim/parts/part.h"
#include "cosim/schemes/condition.h"
#include "cosim/schemes/path.h"

typedef struct cosim_master_options {
  bool gauss_seidel; /* explicit couplings: parts advance one after the other, each with the newest outputs of the
                        parts before it */
  bool differences;  /* derivatives of outputs by coupling variables are difference quotients, even if parts give exact
                        ones */
  bool reuse;        /* derivatives of outputs are used again in later macro steps while corrections contract fast */
  /* Implicit schemes: corrections end when none exceeds tolerance · max(|value|, scale of the variable). Corrections
   * that no longer shrink end in two more cases: the last one is below 1000 times its round-off, or it changes motions
   * of markers at the end of the step by at most mbs_tolerance_of(). */
  double tolerance;
  int iterations;    /* largest number of corrections of a step; a step that needs more fails */
  double rtol, atol; /* tolerances of the parts' integrators. Collocation, unless implicit: corrections end when the
                        errors left in positions and velocities at the end are below 0.03 mbs_tolerance_of() */
  mbs_scales scales; /* scales of the mechanism, which give the sizes of coupling variables */
  int n_threads;     /* 0: chosen by trial */
  /* Called after each step if some cut uses the method "projection": projects the states of the parts. */
  seam_status (*project)(void *context, double t, seam_error *error);
  /* Called when the parts have taken the step under the predicted variables; NULL: not called. */
  void (*predicted)(void *context);
  /* Called after the first correction of a step of length H if all couplings have collocation schemes and
   * cosim_master_contracts() is true; may use cosim_master_estimate(). False: the step is not continued and fails with
   * SEAM_STEP_FAILED. NULL: not called. */
  bool (*may_continue)(void *context, double H);
  void *context;
} cosim_master_options;

cosim_master_options cosim_default_master_options(void);

typedef struct cosim_master cosim_master;

typedef struct cosim_master_statistics {
  size_t steps, corrections; /* number of macro steps; number of solved interface systems */
  size_t refreshes;          /* number of evaluated interface matrices */
} cosim_master_statistics;

/* Takes ownership of the parts, also on failure; copies the cuts, but not their names and elements. Begins at time 0
 * with the parts' states, without a past. SEAM_BAD_INPUT: a part cannot restore its state for a scheme with a
 * corrector, couplings of the method "weighted" have different weights, or a law is not linear enough for its scheme.
 * SEAM_NO_MEMORY. */
seam_status cosim_master_create(cosim_part **parts, int n_parts, const cosim_cut *cuts, int n_cuts,
                                const cosim_master_options *options, cosim_master **created, seam_error *error);
void cosim_master_destroy(cosim_master *master);

/* Begins at time t with the present states of the parts. `past` (n_past x n_cuts) gives the past of coupling variables
 * in rows for the macro points t, t - H, ...; wrench[0] of these snapshots is the constraint force. If n_past is 0, the
 * variables of constitutive cuts follow from the outputs, and constraint forces are 0. */
void cosim_master_begin(cosim_master *master, double t, const cosim_snapshot *past, int n_past);
/* Sets the length of the macro steps before the start. Without this call it is the length of the first step. */
void cosim_master_set_past_length(cosim_master *master, double H);
/* Sets the present forces of a constraint cut from a wrench. */
void cosim_master_set_wrench(cosim_master *master, int cut, const double wrench[COSIM_MAX_DIMS]);

/* Sets those inputs of FMUs that couplings drive, and ends the initialization mode of the FMUs. The caller then calls
 * cosim_master_begin() again. SEAM_BAD_INPUT naming the part; SEAM_NO_MEMORY. */
seam_status cosim_master_begin_fmus(cosim_master *master, seam_error *error);
/* Sets the present forces and accelerations of all constraint cuts so that the second rates g'' of their residuals are
 * 0. Sets the forces and accelerations to 0 if the parts' outputs do not determine them. H: length of a macro step.
 * SEAM_NO_MEMORY. */
seam_status cosim_master_find_multipliers(cosim_master *master, double H, seam_error *error);

/* Takes a macro step. SEAM_SINGULAR if the conditions do not determine the coupling variables, SEAM_NOT_CONVERGED
 * naming the coupling, or a part's error. */
seam_status cosim_master_step(cosim_master *master, double H, seam_error *error);

/* Takes a macro step of collocation without solving its conditions: coupling variables are linear between their values
 * in the snapshots (n_cuts each) at its beginning and end. Fails with errors of the parts. */
seam_status cosim_master_follow(cosim_master *master, double H, const cosim_snapshot *begin, const cosim_snapshot *end,
                                seam_error *error);

/* Returns the least number of stages of the couplings if all have collocation schemes; else 0. */
int cosim_master_stages(const cosim_master *master);
/* Durations, s: `motion`, the time scale of the motion so far; `remaining`, the time to the end of the run, over which
 * errors of velocities change positions. */
typedef struct cosim_durations {
  double motion, remaining;
} cosim_durations;

/* Estimates the largest error of a collocation step of length H, in coordinates of markers and, in parts that have
 * measure_impulses(), of bodies. Errors of positions are divided by the scale of length, errors of angles are in rad. A
 * result that is not finite means that there is no estimate. is_done: true after the step; false in
 * options.may_continue(), when the step is being corrected. */
double cosim_master_estimate(cosim_master *master, double H, const cosim_durations *of, bool is_done);
/* Returns true if the master adapts its derivatives to every step (collocation_step.c) and corrections shrink fast: in
 * the last step with two corrections, the second was at most 0.01 of the first, and this step was at most 10 steps
 * ago. */
bool cosim_master_contracts(const cosim_master *master);

/* Kink of a cut force element's law in the last collocation step. `coupling`: index of the cut; -1: there is no kink.
 * `position`, `velocity`: errors that the kink causes in positions and velocities of the markers. Errors along x and y
 * are divided by the scale of length. */
typedef struct cosim_law_kink {
  double position, velocity;
  int coupling;
} cosim_law_kink;
cosim_law_kink cosim_master_law_kink(const cosim_master *master);
/* Returns true if the law of a force element has a kink or jump between two motions of its markers. The test compares
 * the change of a force with its predictions by the gradients at either motion. An error above 0.3 of the larger of the
 * true and predicted changes shows a kink. */
bool cosim_law_has_kink(const cosim_element *element, const cosim_motion begin[2], const cosim_motion end[2]);

double cosim_master_time(const cosim_master *master);
/* Returns the cuts (n). */
const cosim_cut *cosim_master_cuts(const cosim_master *master, int *n);
/* Returns the motions (2) of the markers of a cut at the present macro point. */
const cosim_motion *cosim_master_motions(const cosim_master *master, int cut);
/* Finds the wrench (4) that the cut transmits at the present macro point, on side 1. */
void cosim_master_wrench(const cosim_master *master, int cut, double *W);
/* Finds the motions at the present macro point, and the wrenches on both sides under the present coupling variables. */
void cosim_master_snapshot(const cosim_master *master, int cut, cosim_snapshot *now);
/* Sets an input that no coupling drives, over the next step. cosim_master_output() returns an output at the present
 * macro point. */
void cosim_master_set_input(cosim_master *master, int part, int input, const cosim_signal *signal);
const cosim_signal *cosim_master_input(const cosim_master *master, int part, int input); /* input over the last step */
double cosim_master_output(const cosim_master *master, int part, int output);
/* Announces that inputs will be set before each step. Each step then begins by computing the forces at cut joints
 * again, unless all couplings have collocation schemes. */
void cosim_master_announce_inputs(cosim_master *master);
/* Finds accelerations and forces at cut joints at the present macro point, under the inputs that are set. */
void cosim_master_apply_inputs(cosim_master *master);
/* Evaluates the outputs of all parts at their present states. */
void cosim_master_get_outputs(cosim_master *master);
/* Evaluates outputs after a kink, or a jump of inputs. The next step begins with these outputs, without a past, and
 * with new forces at cut joints. */
void cosim_master_restart(cosim_master *master);
/* Drops the past. Unlike cosim_master_restart(), does not change outputs and forces at cut joints. */
void cosim_master_drop_past(cosim_master *master);
/* Continues after the law of a cut element has switched. The variables of force elements follow from the laws; their
 * past is replaced by the straight line with the present values and rates. */
void cosim_master_cross_switch(cosim_master *master);
/* Returns the motions of a cut's markers at the nodes of the last step, of length H. `begin` (2): the motions at the
 * beginning of this step. The result points to `begin` and to motions of the master, which the next step changes. */
cosim_path cosim_master_path(const cosim_master *master, int cut, const cosim_motion begin[2], double H);
/* Returns the number of macro points at which the coupling variables are known. Fills `time` (COSIM_MAX_HISTORY) with
 * the times from the present to these points, newest first. */
int cosim_master_past_points(const cosim_master *master, double *time);
int cosim_master_n_variables(const cosim_master *master);
/* Returns a coupling variable at the points of cosim_master_past_points(). */
const double *cosim_master_variable(const cosim_master *master, int variable);
cosim_master_statistics cosim_master_statistics_of(const cosim_master *master);

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

#endif
