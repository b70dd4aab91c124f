/* Contents of seam_linearised: a mechanism that is cut into subsystems, linearised, and coupled again. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H
#define ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H

#include <seam/analysis.h>

#include "analysis/linearised/linearised_part.h"
#include "analysis/linearised/minimal_state.h"
#include "cosim/mechanism/engine.h"

/* An exactly known motion, by which the errors of schemes are measured (linearised_error.c). */
typedef struct analysis_modal_release analysis_modal_release;

/* A linearised cut element. It maps small changes of its markers' motions (positions x, velocities v, accelerations a)
 * to the change of its wrench W or of its residuals g. */
typedef struct analysis_linearised_element {
  cosim_element base;
  cosim_gradient Wx, Wv;                      /* constitutive element: derivatives of W by x and v of both markers */
  cosim_gradient J;                           /* constraint: g = J x, g' = J v, g'' = J a */
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]; /* constraint: W = S μ with multipliers μ */
} analysis_linearised_element;

typedef struct analysis_common_period {
  double period;  /* s, smallest common multiple of the periods of samples; 0: no samples */
  double divisor; /* s, largest common divisor of these periods */
} analysis_common_period;

struct seam_linearised {
  cosim_builder *builder; /* copy of the caller's builder; the partition points into it */
  const mbs_model *model;
  const mbs_model *undivided_model; /* `model` with user equations and signals; `model` itself: there are neither */
  cosim_partition partition; /* subsystems and cuts; in coupling, the linearised elements replace those of its cuts */
  analysis_linearised_part *parts; /* (n_subsystems) linearised subsystems */
  bool is_coupled;                 /* the exchange owns the linear parts */
  int n_z, n_states; /* sums over multibody subsystems: number of minimal coordinates z; number of states z, z', w */
  analysis_linearised_element *elements; /* (n_cuts) linearised elements */
  double (*wrenches)[2][3];     /* (n_cuts) wrenches on the markers of both sides in the state of linearisation */
  double (*signal_wrenches)[3]; /* (n_signal_ports) wrenches of signals on their ports in that state */
  double *onto;             /* (n_z x n_z) projection onto the motions that cut joints allow; NULL: no scheme uses it */
  double *z;                /* scratch: n_z values, then the states of all multibody subsystems */
  seam_modes *modes;        /* modes of `undivided_model` */
  double growth, stiffness; /* growth rate, 1/s (with samples, 0 may mean unknown); largest |s|² of a mode */
  analysis_first_order undivided_system; /* the uncut mechanism as a first-order system; empty if there are samples */
  analysis_common_period samples;        /* all sampled states and equations */
  bool has_samples_inside;               /* some are states of multibody subsystems */
  cosim_engine *engine;                  /* couples the linear parts */

  /* The recurrence x(T + H) = Φ x(T). */
  size_t n_x;       /* length of x: n_indices values from the exchange's saved state, then the master's state */
  size_t n_indices; /* number of values of x from the exchange */
  size_t *index;    /* (n_indices) index of each of these values in the exchange's saved state */
  size_t n_image;   /* length of this saved state */
  double *at_rest, *image, *unit; /* (n_image) saved state after macro steps at rest; (n_image), (n_x) scratch */
  bool *is_retained;              /* (n_x) scratch */
  double *full; /* (n_x x n_x) last Phi with all values of x, for analysis_recurrence_apply(); NULL: not stored */
  int *nonzero; /* (n_nonzero) indices of nonzero columns of `full` */
  int n_nonzero;
  double *Phi; /* (n x n), with room for (n_x x n_x); maps the state over `n_steps` macro steps */
  int n, n_steps;
  double macro_step;                     /* s, macro step of Phi; 0: Phi is not computed yet */
  double *state;                         /* (2 n_x) scratch */
  analysis_modal_release *modal_release; /* NULL: errors of schemes are not known */
};

/* ---- Periods of samples: recurrence.c ---- */

/* Includes another period, s. `name`: the sampled subsystem, for messages. Fails with SEAM_BAD_INPUT if the common
 * period exceeds 1000 common divisors. */
seam_status analysis_common_period_add(analysis_common_period *self, double period, const char *name,
                                       seam_error *error);

/* Fails with SEAM_BAD_INPUT unless the macro step H, s, divides all periods; the message proposes the nearest that
 * does. */
seam_status analysis_common_period_check(const analysis_common_period *self, double H, seam_error *error);

/* Returns the macro step, s, nearest to H that divides all periods; H if there are no samples. */
double analysis_common_period_fit(const analysis_common_period *self, double H);

/* Returns the number of macro steps of length H in the common period; 1 if there are no samples. */
int analysis_common_period_steps(const analysis_common_period *self, double H);

/* ---- The recurrence x(T + H) = Φ x(T) of the coupled subsystems: recurrence.c ---- */

/* Chooses the values of x and allocates Phi; the subsystems must be coupled. Fails with SEAM_NO_MEMORY. */
seam_status analysis_recurrence_create(seam_linearised *self, seam_error *error);

/* Computes Phi for the macro step H (s), unless Phi already belongs to this H. n_steps becomes 1 or, with samples, the
 * number of macro steps in their common period. Leaves out values of x that affect no value, or that no value affects;
 * a value may affect itself. Fails with SEAM_BAD_INPUT if H does not fit the samples; also with errors of macro
 * steps. */
seam_status analysis_recurrence_step(seam_linearised *self, double H, seam_error *error);

/* Makes each later analysis_recurrence_step() store Phi for analysis_recurrence_apply(). Does nothing if there are
 * samples or corrections, or if the undivided model lacks states of user equations. Call it right after creation. Fails
 * with SEAM_NO_MEMORY. */
seam_status analysis_recurrence_store_phi(seam_linearised *self, seam_error *error);
/* analysis_recurrence_get() reads x (n_x) from the exchange and the master. analysis_recurrence_apply() maps x to y
 * (n_x) over a macro step, by the Phi that was stored last. */
void analysis_recurrence_get(seam_linearised *self, double *x);
void analysis_recurrence_apply(const seam_linearised *self, const double *x, double *y);
/* Returns the index in x of the first state of a multibody subsystem. */
size_t analysis_recurrence_index(const seam_linearised *self, size_t subsystem);

/* ---- The exact motion: linearised_error.c ---- */

/* Creates the motion about the state *at of the undivided model at `time`, s. *self must have its linear subsystems,
 * cut elements and modes. Fails with SEAM_NO_MEMORY or SEAM_SINGULAR. */
seam_status analysis_modal_release_create(const seam_linearised *self, const analysis_minimal_state *at, double time,
                                          analysis_modal_release **created, seam_error *error);
void analysis_modal_release_destroy(analysis_modal_release *self);
/* Returns the time, s, over which errors are measured: the period of the slowest mode, or 1/|s| if this mode of
 * eigenvalue s does not oscillate. Returns 0 if there is no mode with stiffness, or no exact motion (NULL). */
double analysis_modal_release_time(const analysis_modal_release *self);

#endif
