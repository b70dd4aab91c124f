/* Inside of the master. */
#ifndef COSIM_MASTER_MASTER_INTERNAL_H
#define COSIM_MASTER_MASTER_INTERNAL_H

#include "cosim/coupling/coupling.h"
#include "cosim/coupling/interface.h"
#include "cosim/coupling/master.h"
#include "cosim/parts/ensemble.h"

/* A new value that drives a part. */
typedef struct cosim_unknown_ref {
  const cosim_coupling *coupling;
  const cosim_slot *slot;
  int new_value;
  int unknown;  /* its number among all */
  bool is_rate; /* it drives by its rate */
} cosim_unknown_ref;

/* A side of a coupling that belongs to a part. */
typedef struct cosim_incidence {
  int coupling, side;
} cosim_incidence;

/* Numbers of a new value's signal b over a step of length 1, at a node or at the end: the value, the integral and the
 * double integral of the products of b, ∫b and ∬b with 1, τ, τ² and τ³. */
enum { COSIM_N_POWERS = 4 };
typedef struct cosim_kernel {
  double of[3][3][COSIM_N_POWERS];
} cosim_kernel;

/* Instant derivatives (n_inputs x n_outputs) of a part, at the beginning, in the middle and at the end of the last
 * step, and at the beginning of the step before. */
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
  cosim_slot *slots; /* (n_slots) of all couplings, one after the other */
  int n_slots;
  int n_unknowns;
  cosim_unknown_ref **refs;    /* (parts) of its seeds */
  cosim_kernel **kernels;      /* (parts) (n_seeds x (n_nodes + 1)) */
  cosim_feedthrough *instants; /* (parts) */
  double kernel_H;             /* length of the step that the derivatives are for */
  double kernel_ratio;         /* to that of the step before it; 0: it was the first */
  bool kernels_stay;           /* for all steps */
  double contraction;          /* of a first correction, as seen last */
  int n_unseen;                /* steps since */
  cosim_estimate *estimate;
  cosim_initial_forces *initial_forces; /* NULL: parts do not give accelerations */
  bool has_inputs;                      /* some are set from outside, and may jump at macro points */
  int n_unsettled;                      /* steps behind a kink, of which gaps stay that forces at joints close */
  cosim_law_kink law_kink;              /* in the last step */
  double **expected;                    /* (parts) (n_outputs) at the end of a repeated step, by the derivatives */
  double *impulses;                     /* ((COSIM_N_INTEGRALS + 1) x the most inputs of a part) scratch */
  cosim_incidence **incidences;         /* (parts) (n_incidences) */
  int *n_incidences;
  cosim_interface *interface;
  bool iterates;   /* some coupling is implicit */
  bool updates;    /* all that correct do by updates: no step is repeated */
  bool collocates; /* some coupling does */
  bool all_collocate;
  bool keeps;  /* interface derivatives over steps, while corrections contract */
  bool adapts; /* them to every step */
  bool projects;
  bool follows; /* the whole in the present step: gaps are not closed */
  int n_levels; /* roots that are weighted; 1 without weights */
  double weight[3];
  double *residual, *correction; /* (n_unknowns) */
  double *work, *rounding;       /* (n_unknowns) */

  double t;
  int n_past;                          /* values known */
  double past_step[COSIM_MAX_HISTORY]; /* between them, newest first; 0: as long as the present one */
  double H;                            /* for which the rules were made; 0: none yet */
  int continues;                       /* steps since the beginning; 2: or more */
  cosim_history_nodes past;            /* past for which the rules were made */
  bool stale;                          /* the interface matrix must be evaluated again */
  bool has_said_stalled;
  cosim_master_statistics count;
};

/* Takes the outputs of the parts into the couplings. */
void cosim_master_collect_outputs(cosim_master *master);
/* The end of the last step becomes the beginning of the next one. */
void cosim_master_begin_next_step(cosim_master *master);
/* No step goes on from the last one. */
void cosim_master_begin_anew(cosim_master *master);
/* Rules, and the seeds of the parts, for a step of length H with this past. */
void cosim_master_set_rules(cosim_master *master, const cosim_history_nodes *past, double H);

/* One correction, after which ends of steps are updated (update.c). */
seam_status cosim_correct_by_update(cosim_master *master, double H, bool fresh, seam_error *error);
/* Corrections until they are small enough (collocation_step.c). */
seam_status cosim_correct_collocation(cosim_master *master, double H, bool fresh, seam_error *error);
/* Takes the step again under inputs that are corrected by little; NULL: no memory (collocation_repeat.c). */
bool cosim_allocate_expected(cosim_master *master);
void cosim_free_expected(cosim_master *master);
/* Right after a correction was found: adds what it changes to outputs at the nodes, and to what the end should be. */
void cosim_expect(cosim_master *master);
seam_status cosim_repeat_shortly(cosim_master *master, double H, double *rest, seam_error *error);
/* Change of an output of a part at the end of the step when the new values change (n_unknowns). */
double cosim_change_at_end(const cosim_master *master, int part, int output, const double *change);
/* Looks for kinks in the laws of cut elements within the present step. */
void cosim_find_law_kinks(cosim_master *master, double H);
/* Sums the changes of a part's inputs over all its seeds when the new values change (n_unknowns): ∫δu, ∬δu and so on (n
 * x n_inputs, n <= COSIM_N_INTEGRALS) at the end of a step of length H. */
void cosim_sum_changes(const cosim_master *master, int part, double H, const double *change, int n, double *integrals);
/* Forces at cut joints at the present macro point become those of the motion there, by the inputs that are set at τ of
 * the present step (initial_forces.c). */
seam_status cosim_initial_forces_create(cosim_master *master, seam_error *error);
void cosim_initial_forces_destroy(cosim_initial_forces *self);
bool cosim_has_initial_forces(const cosim_master *master);
void cosim_find_initial_forces(cosim_master *master, double tau);
size_t cosim_initial_forces_image_size(const cosim_initial_forces *self);
void cosim_initial_forces_save(const cosim_initial_forces *self, double *image);
seam_status cosim_initial_forces_restore(cosim_initial_forces *self, const double *image, seam_error *error);
/* NULL: no memory. */
cosim_estimate *cosim_estimate_create(const cosim_master *master);
void cosim_estimate_destroy(cosim_estimate *self);
/* Room for what adapts derivatives, and whether the parts allow that; false: no memory. */
bool cosim_allocate_kernels(cosim_master *master);
void cosim_free_kernels(cosim_master *master);
/* For the present seeds; at the beginning of a first step. */
void cosim_set_kernels(cosim_master *master);
void cosim_begin_instants(cosim_master *master);
/* Returns true if some derivatives of a step of length H cannot be had from instant ones. */
bool cosim_needs_derivatives(const cosim_master *master, double H);

/* Returns the largest change, by the correction, of a position or velocity of a cut at the end of the step over its
 * tolerance, atol + rtol |value|; in master.c. */
double cosim_effect_of_correction(const cosim_master *master);
/* Tells if a correction is no smaller than the one before it for no reason but the parts: it changes their ends by no
 * more than `effect` of their tolerance, within which steps of their integrators jump with their inputs, or by
 * rounding, of which many operations lie between inputs and outputs. */
bool cosim_has_stalled(cosim_master *master, double H, double size, double before, double effect);
/* The largest relative correction, and the coupling that it belongs to; makes it; takes the step again;
 * correction = the weighted mean of those to the roots of all levels. */
double cosim_tolerance_of(const cosim_master *master, int component, bool is_rate, double value);
double cosim_size_of(const cosim_master *master, const cosim_slot *slot, double value);
double cosim_relative_size(const cosim_master *master, const double *correction, int *worst);
void cosim_apply_correction(cosim_master *master);
seam_status cosim_repeat_step(cosim_master *master, double H, bool with_derivatives, seam_error *error);
seam_status cosim_find_correction(cosim_master *master, double H, bool fresh, seam_error *error);
void cosim_count_refresh(cosim_master *master, bool fresh);
void cosim_set_corrected_inputs(cosim_master *master);
seam_status cosim_not_converged(const cosim_master *master, double H, double size, double contraction, int worst,
                                int iterations, seam_error *error);

/* Residuals of all conditions; after them the interface matrix, from the parts' derivatives. */
void cosim_fill_residual(cosim_master *master, double H, int level);
seam_status cosim_fill_interface(cosim_master *master, double H, int level, seam_error *error);
/* Where the last correction passed a kink of a law, its slopes at the end stay those of this side up to the end of the
 * step, and so do those of strands and contacts where convergence is slow; whether there is such a law. */
bool cosim_keep_slopes(cosim_master *master, double H, bool is_slow);
/* Relative size of the corrections |J⁻¹| Σ |∂R/∂y| ε |y| that rounding of the parts' outputs y asks for, J factored;
 * with weighted multipliers their mean, after which that of another level is factored. */
double cosim_rounding_of_correction(cosim_master *master, double H);
/* Puts its entries in order. */
void cosim_put_interface(cosim_master *master, double H, int level);

#endif
