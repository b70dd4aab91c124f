#include "cosim/parts/port_change.h"

/* Returns the index of the port's element among the force elements with states; -1: the element has no states. */
static int state_index_of(const mbs_model *model, const cosim_multibody_port *port) {
  for (int k = 0; k < model->n_stateful; k++)
    if (model->stateful[k] == port->at->force)
      return k;
  return -1;
}

void cosim_port_add_rates(const cosim_port_change *c, const cosim_multibody_port *port, double *dz) {
  const int k = port->def.kind == MBS_PORT_MOTION ? state_index_of(c->model, port) : -1;
  if (k < 0)
    return;
  const mbs_force *force = &c->model->forces[port->at->force];
  const mbs_state_gradient *gradient = &c->linear->states[k];
  const int coordinate = port->coordinate[c->input - port->input];
  const int column = 3 * (1 - port->at->side) + coordinate % 3;
  for (int j = 0; j < force->type->states->n; j++)
    dz[force->state + j] += (coordinate < 3 ? gradient->Zq : gradient->Zv)[j][column] * c->change;
}

void cosim_port_wrench_change(const cosim_port_change *c, const cosim_multibody_port *port, double dW[3]) {
  const mbs_force *force = &c->model->forces[port->at->force];
  const mbs_gradient *gradient = &c->linear->forces[port->at->force];
  const int stateful = state_index_of(c->model, port);
  double d[12] = {0}; /* δx (6) and δv (6) of both frames of the element */
  for (int side = 0; side < 2; side++) {
    const int frame = force->frame[side];
    const int body = 3 * (frame - 1);
    const int by_port = mbs_port_of_frame(c->model, frame);
    const int input = by_port >= 0 ? c->input - c->ports[by_port].input : -1;
    if (by_port >= 0 && input >= 0 && input < c->ports[by_port].n_inputs)
      d[3 * side + input % 3 + 6 * (input / 3)] = c->change;
    for (int i = 0; i < 3 && frame > 0 && by_port < 0; i++) {
      d[3 * side + i] = c->q[body + i];
      d[6 + 3 * side + i] = c->v[body + i];
    }
  }
  for (int i = 0; i < 3; i++) {
    const int row = 3 * (1 - port->at->side) + i;
    dW[i] = 0;
    for (int j = 0; j < 6; j++)
      dW[i] += gradient->K[row][j] * d[j] + gradient->D[row][j] * d[6 + j];
    for (int j = 0; stateful >= 0 && j < force->type->states->n; j++)
      dW[i] += c->linear->states[stateful].Qz[row][j] * c->z[force->state + j];
  }
}
