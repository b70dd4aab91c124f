/* Internals of the master. */
#ifndef COSIM_MASTER_INTERNAL_H
#define COSIM_MASTER_INTERNAL_H

#include "cosim/coupling/coupling.h"
#include "cosim/coupling/interface.h"
#include "cosim/coupling/master.h"
#include "cosim/parts/ensemble.h"

/* A new value of a coupling variable that drives an input of a part. */
typedef struct cosim_unknown_ref {
  const cosim_coupling *coupling;
  const cosim_slot *slot;
  int new_value;
  int unknown;  /* index among all unknowns */
  bool is_rate; /* the rate of the variable drives the input */
} cosim_unknown_ref;

/* One side of a coupling. Each part has a list of its sides. */
typedef struct cosim_incidence {
  int coupling, side;
} cosim_incidence;

/* Integrals of a new value's signal b(τ) from 0 to a node or the end, for a step of length 1. of[n][k][m] is the n-fold
 * integral of τ^m b_k(τ), where b_k is the k-fold integral of b. The 0-fold integral is the function itself, at the
 * node or end. */
enum { COSIM_N_POWERS = 4 };
typedef struct cosim_kernel {
  double of[3][3][COSIM_N_POWERS];
} cosim_kernel;

/* Feedthrough (n_inputs x n_outputs) of a part: at the beginning of the last step but one (`before`); at the beginning,
 * in the middle and at the end of the last step. */
enum { COSIM_N_FEEDTHROUGH = 4 };
typedef struct cosim_feedthrough {
  double *before, *begin, *middle, *end;
} cosim_feedthrough;

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
  cosim_unknown_ref **refs;       /* (parts) (n_seeds) new value that each seed changes */
  cosim_kernel **kernels;         /* (parts) (n_seeds x (n_nodes + 1)) kernels of the seeds at nodes and end */
  cosim_feedthrough *feedthrough; /* (parts) feedthrough of each part */
  double kernel_H;                /* length of the step that the derivatives belong to */
  double kernel_ratio;            /* kernel_H divided by the length of the step before; 0: there is no step before */
  bool kernels_are_constant;      /* kernels do not depend on the step */
  double contraction;  /* size of the second increment, relative to the first, in the last step with two increments */
  int contraction_age; /* number of steps since the step with this contraction */
  cosim_estimate *estimate;
  cosim_initial_forces *initial_forces; /* NULL: a part has no evaluate_outputs(), or a side no accelerations */
  bool has_inputs;                      /* callers set inputs, which may jump at macro points */
  int n_restart_steps;     /* after a kink: forces at joints are computed again at the ends of this many next steps */
  cosim_law_kink law_kink; /* kink in the last step */
  double **expected;       /* (parts) (n_outputs) outputs at the end of a repeated step, as derivatives predict them */
  double *impulses;        /* ((COSIM_N_INTEGRALS + 1) x the most inputs of a part) scratch */
  cosim_incidence **incidences; /* (parts) (n_incidences) sides of couplings at each part */
  int *n_incidences;
  cosim_interface *interface;
  bool iterates;   /* some coupling is implicit */
  bool updates;    /* all couplings with a corrector have update schemes, which repeat no step */
  bool collocates; /* some coupling has collocation */
  bool all_collocate;
  bool reuses; /* uses interface derivatives again in later steps while increments contract */
  bool adapts; /* adapts interface derivatives to every step (collocation_step.c) */
  bool projects;
  bool follows; /* within cosim_master_follow(), where gaps at joints are not closed */
  int n_levels; /* number of levels (g = 0, g' = 0, g'' = 0) whose solutions are weighted; 1 without weights */
  double weight[3];
  double *residual, *increment; /* (n_unknowns) */
  double *work, *rounding;      /* (n_unknowns) scratch */

  double t;
  int n_past;                          /* number of known past values */
  double past_step[COSIM_MAX_HISTORY]; /* lengths of the steps between past values, newest first; 0: as long as the
                                          present step */
  double H;                            /* step length for which the rules were made; 0: no rules yet */
  int n_since_restart;                 /* steps since the start or a restart, 2 at most */
  cosim_history_nodes past;            /* nodes of the past for which the rules were made */
  bool stale;                          /* the interface matrix must be evaluated again */
  bool has_reported_stall;
  cosim_master_statistics count;
};

/* Copies outputs of the parts into the couplings. */
void cosim_master_collect_outputs(cosim_master *master);
/* Copies the end of the last step to the beginning of the next. */
void cosim_master_begin_next_step(cosim_master *master);
/* Drops the polynomials of the last collocation steps. */
void cosim_master_drop_polynomials(cosim_master *master);
/* Sets rules, seeds and kernels for a step of length H with this past. */
void cosim_master_set_rules(cosim_master *master, const cosim_history_nodes *past, double H);

/* Computes one increment of the new values, and corrects the end states of the parts by its effect (update.c). */
seam_status cosim_correct_by_update(cosim_master *master, double H, bool refresh, seam_error *error);
/* Corrects until increments are small enough (collocation_step.c). */
seam_status cosim_correct_collocation(cosim_master *master, double H, bool refresh, seam_error *error);
/* Allocates `expected` (collocation_repeat.c). Returns false if there is no memory. */
bool cosim_allocate_expected(cosim_master *master);
void cosim_free_expected(cosim_master *master);
/* Uses derivatives to add the effect of the last increment to outputs at nodes, and to predict outputs at the end. */
void cosim_predict_outputs(cosim_master *master);
/* Repeats the step with outputs at its end only (collocation_repeat.c). *prediction_error: largest error of an output
 * predicted at the end, divided by the output's tolerance. */
seam_status cosim_repeat_end_only(cosim_master *master, double H, double *prediction_error, seam_error *error);
/* Returns the change of a part's output at the end of the step by a change (n_unknowns) of the new values. */
double cosim_change_at_end(const cosim_master *master, int part, int output, const double *change);
/* Finds kinks in the laws of cut elements within the present step. */
void cosim_find_law_kinks(cosim_master *master, double H);
/* Sets integrals (n x n_inputs, n <= COSIM_N_INTEGRALS) to ∫δu, ∬δu, ... over a step of length H. δu is the change of a
 * part's inputs by a change (n_unknowns) of the new values. */
void cosim_sum_changes(const cosim_master *master, int part, double H, const double *change, int n, double *integrals);
/* Creates the memory of cosim_find_initial_forces() (initial_forces.c). This function computes the forces at cut joints
 * at the present macro point, with the inputs at time `tau` (0 to 1) of the present step. */
seam_status cosim_initial_forces_create(cosim_master *master, seam_error *error);
void cosim_initial_forces_destroy(cosim_initial_forces *self);
/* Sets the inputs of parts to the present values of all coupling variables. */
void cosim_freeze_variables(cosim_master *master);
bool cosim_has_initial_forces(const cosim_master *master);
void cosim_find_initial_forces(cosim_master *master, double tau);
size_t cosim_initial_forces_image_size(const cosim_initial_forces *self);
void cosim_initial_forces_save(const cosim_initial_forces *self, double *image);
seam_status cosim_initial_forces_restore(cosim_initial_forces *self, const double *image, seam_error *error);
/* Creates the memory of cosim_master_estimate() (estimate.c); NULL: no memory. */
cosim_estimate *cosim_estimate_create(const cosim_master *master);
void cosim_estimate_destroy(cosim_estimate *self);
/* Sets `adapts` and allocates kernels and feedthrough. Returns false if there is no memory. */
bool cosim_allocate_kernels(cosim_master *master);
void cosim_free_kernels(cosim_master *master);
/* cosim_set_kernels() sets the kernels of the present seeds. cosim_begin_feedthrough() evaluates the feedthrough at the
 * beginning of the first step, and marks that no derivatives of an earlier step exist. */
void cosim_set_kernels(cosim_master *master);
void cosim_begin_feedthrough(cosim_master *master);
/* Returns true if a step of length H needs new derivatives: the master does not adapt them, or in some part inertia
 * does not dominate. */
bool cosim_needs_derivatives(const cosim_master *master, double H);

/* Returns the largest change that the increment makes in a position or velocity of a cut at the step's end, divided by
 * its mbs_tolerance_of(). */
double cosim_effect_of_increment(const cosim_master *master);
/* Returns true if the increment no longer shrinks (size > 0.9 before) and is only noise. Noise means: its effect on the
 * cuts at the end of the step (cosim_effect_of_increment()) is at most `effect`; or its size is at most 0.01, and at
 * most 1000 times that of round-off. `size`, `before`: relative sizes of this increment and of the one before it. */
bool cosim_has_stalled(cosim_master *master, double H, double size, double before, double effect);
/* Returns the tolerance of a position or velocity component. */
double cosim_tolerance_of(const cosim_master *master, int component, bool is_rate, double value);
/* Returns max(|value|, scale of the variable). */
double cosim_size_of(const cosim_master *master, const cosim_slot *slot, double value);
/* Returns the largest relative increment; *worst: the coupling with this increment. */
double cosim_relative_size(const cosim_master *master, const double *increment, int *worst);
void cosim_apply_increment(cosim_master *master);
/* Rolls the parts back to the beginning of the step, and repeats the step under the present new values. */
seam_status cosim_repeat_step(cosim_master *master, double H, bool with_derivatives, seam_error *error);
/* Solves for the increment. With weighted multipliers it is the weighted mean of the increments that lead to g = 0, g'
 * = 0 and g'' = 0 (levels). refresh: first evaluates and factors the interface matrix with the parts' latest
 * derivatives. */
seam_status cosim_find_increment(cosim_master *master, double H, bool refresh, seam_error *error);
void cosim_count_refresh(cosim_master *master, bool refresh);
void cosim_master_set_inputs(cosim_master *master, bool corrected);

/* Sizes of the increments of a step, relative to the variables: the first, the smallest, the last but one, the last. */
typedef struct cosim_correction_sizes {
  double first, least, before, last;
  int worst; /* coupling with the largest last increment */
} cosim_correction_sizes;

seam_status cosim_not_converged(const cosim_master *master, double H, const cosim_correction_sizes *sizes,
                                int iterations, seam_error *error);

/* cosim_fill_residual() evaluates the residuals of all conditions, cosim_fill_interface() evaluates and factors the
 * interface matrix. level: 0 to n_levels - 1. */
void cosim_fill_residual(cosim_master *master, double H, int level);
seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error);
/* Freezes gradients of laws: they stay constant in the further corrections of this step. Only laws of force elements
 * that are not affine, with a collocated force as their only variable, can be frozen. Such a law is frozen if its
 * gradients jump between the end states before and after the last increment. is_slow: corrections converge slowly, and
 * each of these laws that can switch is frozen. Returns true if this call has frozen a law. */
bool cosim_freeze_gradients(cosim_master *master, double H, bool is_slow);
/* Returns the relative size of |J⁻¹| Σ |∂R/∂y| ε |y|, the increment that round-off of the parts' outputs y causes. R
 * are the residuals of the conditions; J is the interface matrix, which must be factored; ε is the machine precision.
 * For weighted multipliers the result is the weighted sum over all levels, and J after the call is that of level 0. */
double cosim_rounding_of_increment(cosim_master *master, double H);
/* Adds all entries of the interface matrix. */
void cosim_enter_interface(cosim_master *master, double H, int level);

#endif
