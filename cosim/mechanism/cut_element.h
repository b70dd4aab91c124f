/* Cut elements of a mechanism: force elements and joints of the model between bodies of two subsystems. */
#ifndef COSIM_MECHANISM_CUT_ELEMENT_H
#define COSIM_MECHANISM_CUT_ELEMENT_H

#include <seam/mbs.h>

#include "cosim/schemes/element.h"
#include "mbs/model/model.h"

typedef struct cosim_mechanism_element {
  cosim_element base;
  mbs_force force; /* the force element, if it is one, with both markers at the origins of their frames */
  mbs_joint joint; /* else the joint, with such markers */
  const double *z; /* the force element's states at the present point, which wrench() reads; NULL: it has none */
} cosim_mechanism_element;

/* Makes a cut element, with laws and names borrowed from the model. SEAM_BAD_INPUT: it cannot be cut. A force element
 * between a body and the ground can be cut: another subsystem may evaluate it. */
seam_status cosim_mechanism_element_of(const mbs_model *model, bool is_joint, size_t number,
                                       cosim_mechanism_element *element, seam_error *error);

/* Returns the motion of a marker of an element of the model, for q, v and a (3n each) of all bodies. side: 0 or 1; a:
 * may be NULL, for second rates of zero. The integrals p of the result are zero. */
cosim_motion cosim_element_motion(const mbs_model *model, bool is_joint, size_t element, int side, const double *q,
                                  const double *v, const double *a);

/* Returns the powers that an element dissipates and supplies. lambda (n_rows): multipliers of a joint; z: states of a
 * force element. */
mbs_power cosim_mechanism_power(const cosim_mechanism_element *self, double t, const cosim_motion m[2],
                                const double *lambda, const double *z);
/* Returns the number of states of a force element. */
static inline int cosim_mechanism_states(const cosim_mechanism_element *self) {
  return self->base.n_rows > 0 || self->force.type->states == NULL ? 0 : self->force.type->states->n;
}
/* Returns the number of coordinates of a strand or contact, each with a mode (open, closed, released); else 0. */
static inline int cosim_mechanism_modes(const cosim_mechanism_element *self) {
  return self->base.switches ? self->force.type->n_coordinates : 0;
}
/* Finds stretch and rate of each coordinate of a force element. */
void cosim_mechanism_stretches(const cosim_mechanism_element *self, const cosim_motion m[2], double s[3], double v[3]);
/* Returns the potential energy of a force element; 0 for a joint. */
double cosim_mechanism_potential(const cosim_mechanism_element *self, const cosim_motion m[2]);
/* Finds the multipliers (n_rows) of a joint whose wrench is nearest to W (4), by least squares. */
void cosim_mechanism_multipliers(const cosim_mechanism_element *self, const cosim_motion m[2], const double *W,
                                 double *lambda);

#endif
