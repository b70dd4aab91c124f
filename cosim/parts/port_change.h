/* A cut element between a part and the frame of a port, linearised. */
#ifndef COSIM_PARTS_PORT_CHANGE_H
#define COSIM_PARTS_PORT_CHANGE_H

#include "cosim/parts/multibody_part.h"
#include "mbs/dynamics/linearised.h"

/* A change of the motion of a part and of one of its inputs. */
typedef struct cosim_port_change {
  const mbs_model *model;            /* the part's */
  const mbs_linearised *linear;      /* at its present state */
  const cosim_multibody_port *ports; /* of the part */
  const double *q, *v, *z;           /* (3n, 3n, n_states) */
  int input;                         /* -1: none */
  double change;
} cosim_port_change;

/* δz' (n_states) += Z_q δx + Z_v δv of the element with states at a port by motion, to which the input belongs; others
 * add nothing. */
void cosim_port_add_rates(const cosim_port_change *c, const cosim_multibody_port *port, double *dz);

/* δW (3) = K δx + D δv + Q_z δz of the element, on the marker that the frame of a port by motion stands for. */
void cosim_port_wrench_change(const cosim_port_change *c, const cosim_multibody_port *port, double dW[3]);

#endif
