/* Linearised cut elements at ports that receive a motion. Such an element acts between a body of the part and the frame
 * of the port, whose motion is the input. */
#ifndef COSIM_PARTS_PORT_CHANGE_H
#define COSIM_PARTS_PORT_CHANGE_H

#include "cosim/parts/multibody_part.h"
#include "mbs/dynamics/linearised.h"

/* A change of a part's motion and of one of its inputs. */
typedef struct cosim_port_change {
  const mbs_model *model;            /* model of the part */
  const mbs_linearised *linear;      /* linearised at the present state */
  const cosim_multibody_port *ports; /* ports of the part */
  const double *q, *v, *z;           /* (3n), (3n), (n_states) changes of poses, rates and states */
  int input;                         /* index of the changed input; -1: no input changes */
  double change;
} cosim_port_change;

/* Adds δz' = Z_q δx + Z_v δv to dz (n_states), where Z are the rates of the element's states, and Z_q and Z_v their
 * derivatives. The port's motion changes by δx and δv because its input c->input changes by c->change. Adds nothing if
 * the element has no states. */
void cosim_port_add_rates(const cosim_port_change *c, const cosim_multibody_port *port, double *dz);

/* Fills dW (3) with the change of the element's wrench on the other side's marker, δW = K δx + D δv + Q_z δz. K, D and
 * Q_z are the derivatives of the wrench by poses, rates and states. */
void cosim_port_wrench_change(const cosim_port_change *c, const cosim_multibody_port *port, double dW[3]);

#endif
