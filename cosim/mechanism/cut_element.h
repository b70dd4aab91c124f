/* Cut elements of a mechanism: its force elements and joints between two bodies. */
#ifndef COSIM_MECHANISM_CUT_ELEMENT_H
#define COSIM_MECHANISM_CUT_ELEMENT_H

#include <seam/mbs.h>

#include "cosim/schemes/element.h"
#include "mbs/model/model.h"

typedef struct cosim_mechanism_element {
  cosim_element base;
  mbs_force force; /* one of the two, with both markers at the origin of their frames */
  mbs_joint joint;
  const double *z; /* the force element's states at the present point, which wrench() reads; NULL: it has none */
} cosim_mechanism_element;

/* Borrows laws and names from the model. SEAM_BAD_INPUT for one that acts on one body only; a force
 * element may join one to the ground: another subsystem may evaluate it. */
seam_status cosim_mechanism_element_of(const mbs_model *model, bool is_joint, size_t number,
                                       cosim_mechanism_element *element, seam_error *error);

/* Motion of the marker of a model's element on side 0 or 1, see mbs_element_motion(); its integral is zero. */
cosim_motion cosim_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                                  const double *v, const double *a);

/* Power that it dissipates and drives at time t; lambda (n_rows): multipliers of a joint; z: states of a force
 * element. */
mbs_power cosim_mechanism_power(const cosim_mechanism_element *self, double t, const cosim_motion m[2],
                                const double *lambda, const double *z);
/* Number of states of a force element. */
static inline int cosim_mechanism_states(const cosim_mechanism_element *self) {
  return self->base.n_rows > 0 || self->force.type->states == NULL ? 0 : self->force.type->states->n;
}
/* Number of measures of a strand or contact, whose modes may differ; of anything else 0. */
static inline int cosim_mechanism_modes(const cosim_mechanism_element *self) {
  return self->base.switches ? self->force.type->n_measures : 0;
}
/* Stretch and rate of each measure of a force element that has such. */
void cosim_mechanism_stretches(const cosim_mechanism_element *self, const cosim_motion m[2], double s[3], double v[3]);
/* Potential energy; zero of a joint. */
double cosim_mechanism_potential(const cosim_mechanism_element *self, const cosim_motion m[2]);
/* Multipliers (n_rows) of a joint for a wrench W (4), by least squares. */
void cosim_mechanism_multipliers(const cosim_mechanism_element *self, const cosim_motion m[2], const double *W,
                                 double *lambda);

#endif
