/* Contents of seam_linearised: a mechanism that is cut into subsystems, linearised, and coupled again. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H
#define ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H

#include <seam/analysis.h>

#include "analysis/linearised/linearised_part.h"
#include "analysis/linearised/minimal_state.h"
#include "analysis/linearised/recurrence.h"
#include "cosim/coupling/master.h"
#include "cosim/mechanism/partition.h"
#include "cosim/schemes/element.h"

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

struct seam_linearised {
  cosim_builder *builder; /* copy of the caller's builder; the partition points into it */
  const mbs_model *model;
  const mbs_model *undivided_model; /* `model` with user equations and signals; `model` itself: there are neither */
  cosim_partition partition;        /* subsystems and cuts; its multibody parts are to be linearised */
  analysis_linearised_part *parts;  /* (n_subsystems) linearised subsystems */
  cosim_part **linear; /* (n_subsystems) linear part of each subsystem, owned by `recurrence`; NULL: user equations */
  int n_z, n_states;   /* sums over all subsystems: number of minimal coordinates z; number of states z, z', w */
  analysis_linearised_element *elements; /* (n_cuts) linearised elements */
  cosim_cut *cuts;                       /* (n_cuts) cuts that use these elements */
  double (*wrenches)[2][3];     /* (n_cuts) wrenches on the markers of both sides in the state of linearisation */
  double (*signal_wrenches)[3]; /* (n_signal_ports) wrenches of signals on their ports in that state */
  double *onto;             /* (n_z x n_z) projection onto the motions that cut joints allow; NULL: no scheme uses it */
  double *z;                /* scratch: n_z values, then the states of all subsystems */
  seam_modes *modes;        /* modes of `undivided_model` */
  double growth, stiffness; /* growth rate, 1/s (with samples, 0 may mean unknown); largest |s|² of a mode */
  analysis_first_order undivided_system; /* the uncut mechanism as a first-order system; empty if there are samples */
  analysis_samples samples;              /* periods of all sampled states and equations */
  double *periods;                       /* s, periods of samples inside subsystems */
  analysis_recurrence recurrence;        /* the coupled subsystems */
  double *Phi;                           /* (n x n) maps the state over `n_steps` macro steps */
  int n, n_steps;
  double macro_step;                     /* s, macro step of Phi; 0: Phi is not computed yet */
  double *state;                         /* (2 n) scratch */
  analysis_modal_release *modal_release; /* NULL: errors of schemes are not known */
};

/* Computes Phi for the macro step H (s), unless Phi already belongs to this H. */
static inline seam_status analysis_linearised_step(seam_linearised *self, double H, seam_error *error) {
  if (H == self->macro_step)
    return SEAM_OK;
  const seam_status status = analysis_recurrence_step(&self->recurrence, H, self->Phi, &self->n, &self->n_steps, error);
  self->macro_step = status == SEAM_OK ? H : 0;
  return status;
}

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
