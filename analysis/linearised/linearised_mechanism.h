/* Inside of a mechanism that is cut, linearised and coupled again. */
#ifndef ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H
#define ANALYSIS_LINEARISED_LINEARISED_MECHANISM_H

#include <seam/analysis.h>

#include "analysis/linearised/first_order.h"
#include "analysis/linearised/frozen_element.h"
#include "analysis/linearised/linearised_part.h"
#include "analysis/linearised/modal_release.h"
#include "analysis/linearised/recurrence.h"
#include "cosim/coupling/master.h"
#include "cosim/mechanism/partition.h"

struct seam_linearised {
  cosim_builder *builder; /* a copy, at which the partition points */
  const mbs_model *model;
  const mbs_model *whole;            /* with user equations and signals; NULL: the model is all */
  cosim_partition partition;         /* with the multibody parts that were linearised */
  analysis_linearised_part *parts;   /* (n_subsystems); the linear parts are the recurrence's */
  cosim_part **linear;               /* (n_subsystems) */
  int *first;                        /* (n_subsystems) of each part's z among all */
  int *first_state;                  /* (n_subsystems) of each part's state among those of all */
  int n_z, n_states;                 /* of all parts */
  analysis_frozen_element *elements; /* (n_cuts) */
  cosim_cut *cuts;                   /* (n_cuts) */
  double (*wrenches)[2][3];          /* (n_cuts) on the markers of both sides, in the state */
  double (*signal_wrenches)[3];      /* (n_signal_ports) that signals bring there */
  double *onto;      /* (n_z x n_z) projection onto the motions that cut joints allow; NULL: no scheme projects */
  double *z;         /* (n_z, then the state of all parts) scratch */
  seam_modes *modes; /* of the whole */
  double growth, stiffness; /* seam_modes_growth(), 0 where something is sampled, and largest |s|² of the mechanism's
                               eigenvalues s */
  analysis_first_order undivided; /* the whole; not filled where something is sampled */
  analysis_samples samples;       /* of all */
  double *periods;                /* s, of those within parts */
  analysis_recurrence recurrence; /* of the parts, coupled */
  double *Phi;                    /* (n x n) `rounds` macro steps ... */
  int n, rounds;
  double macro_step;                     /* ... of this length; 0: none yet */
  double *state;                         /* (2 n) scratch */
  analysis_modal_release *modal_release; /* the motion on which errors are measured */
};

/* No part has states of its own, nor laws that follow from the forces. */
static inline bool analysis_is_plain(const seam_linearised *self) {
  return self->n_states == 2 * self->n_z && self->model->laws.n_loop == 0;
}

/* Brings Phi to a macro step. */
seam_status analysis_linearised_step(seam_linearised *self, double H, seam_error *error);

/* ---- Where schemes project: projection.c ---- */

/* Needs the parts and the elements of the cuts. SEAM_SINGULAR, SEAM_NO_MEMORY. */
seam_status analysis_projection_create(seam_linearised *self, seam_error *error);
/* z and z' of all parts; `context` is the linearised mechanism. */
seam_status analysis_project(void *context, double t, seam_error *error);

#endif
