/* Contents of seam_linearised: a mechanism cut, linearised and coupled. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H
#define ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H

#include <seam/analysis.h>

#include "analysis/linearised/first_order.h"
#include "analysis/linearised/linearised_part.h"
#include "analysis/linearised/modal_release.h"
#include "analysis/linearised/recurrence.h"
#include "cosim/coupling/master.h"
#include "cosim/mechanism/partition.h"
#include "cosim/schemes/element.h"

/* The element of a cut, linearised: maps small changes of its markers' motions to changes of its wrench or
 * residuals. */
typedef struct analysis_frozen_element {
  cosim_element base;
  cosim_gradient Wx, Wv; /* constitutive element: derivatives of its wrench by x and v of both markers */
  cosim_gradient J;      /* constraint: g = J x, g' = J v, g'' = J a */
  double S[COSIM_MAX_FORCES][COSIM_MAX_DIMS]; /* constraint: W = S μ */
} analysis_frozen_element;

struct seam_linearised {
  cosim_builder *builder; /* copy; the partition points to it */
  const mbs_model *model;
  const mbs_model *whole;            /* model with user equations and signals; NULL: `model` is the whole model */
  cosim_partition partition;         /* with the multibody parts to linearise */
  analysis_linearised_part *parts;   /* (n_subsystems); the recurrence owns the linear parts */
  cosim_part **linear;               /* (n_subsystems) */
  int *first;                        /* (n_subsystems) index of each part's first z among those of all parts */
  int *first_state;                  /* (n_subsystems) index of each part's first state (z, z' or w) among all states */
  int n_z, n_states;                 /* numbers, over all parts, of minimal coordinates z, and of states z, z' and w */
  analysis_frozen_element *elements; /* (n_cuts) */
  cosim_cut *cuts;                   /* (n_cuts) */
  double (*wrenches)[2][3];          /* (n_cuts) on the markers of both sides */
  double (*signal_wrenches)[3];      /* (n_signal_ports) wrenches of signals on their ports */
  double *onto;      /* (n_z x n_z) projection onto the motions that cut joints allow; NULL: no scheme projects */
  double *z;         /* (n_z, then all parts' states) scratch */
  seam_modes *modes; /* modes of the whole model */
  double growth, stiffness;       /* growth of the modes, 0 with samples; largest |s|² of the eigenvalues s */
  analysis_first_order undivided; /* the whole model as one system; empty with samples */
  analysis_samples samples;       /* all samples */
  double *periods;                /* s, periods within parts */
  analysis_recurrence recurrence; /* the coupled parts */
  double *Phi;                    /* (n x n) map over `rounds` macro steps */
  int n, rounds;
  double macro_step;                     /* s, macro step of Phi; 0: none computed yet */
  double *state;                         /* (2 n) scratch */
  analysis_modal_release *modal_release; /* motion for measuring errors */
};

/* Returns true if no part has states w besides z and z', and no law reads forces. */
static inline bool analysis_is_plain(const seam_linearised *self) {
  return self->n_states == 2 * self->n_z && self->model->laws.n_loop == 0;
}

/* Computes Phi for macro step H, unless the present Phi is for this H. */
seam_status analysis_linearised_step(seam_linearised *self, double H, seam_error *error);

/* ---- Projection: projection.c ---- */

/* Creates `onto` if a scheme projects; needs the parts and the cuts' elements. SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status analysis_projection_create(seam_linearised *self, seam_error *error);
/* Projects z and z' of all parts onto the constraints of cut joints; `context` is the seam_linearised. */
seam_status analysis_project(void *context, double t, seam_error *error);

#endif
