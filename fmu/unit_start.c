/* Start of a unit: the mechanism assembled, with inputs as in the whole. */
#include <string.h>

#include "base/then.h"
#include "cosim/mechanism/cut_element.h"
#include "fmu/unit.h"

/* Gives the wrench of a cut element in the whole, on the marker of side at->side. */
static void wrench_at(const fmu_unit *self, const mbs_port_def *at, double wrench[3]) {
  const mbs_state *state = self->start;
  cosim_mechanism_element law;
  cosim_motion m[2];
  double W[COSIM_MAX_FORCES] = {0};
  if (cosim_mechanism_element_of(self->model, at->is_joint, at->element, &law, NULL) != SEAM_OK)
    return;
  for (int side = 0; side < 2; side++)
    m[side] = cosim_element_motion(self->model, at->is_joint, at->element, side, state->q, state->v, state->a);
  if (at->is_joint) {
    double map[COSIM_MAX_FORCES][COSIM_MAX_DIMS];
    const double *lambda = state->lambda + self->model->joints[at->element].row;
    law.base.ops->wrench_map(&law.base, m, map);
    for (int i = 0; i < COSIM_MAX_FORCES; i++)
      for (int row = 0; row < law.base.n_rows; row++)
        W[i] += map[i][row] * lambda[row];
  } else {
    law.z = state->z + law.force.state;
    law.base.ops->wrench(&law.base, m, W);
  }
  const double torque = at->side == 1 && law.base.n_forces == COSIM_MAX_FORCES ? W[3] : W[2];
  const double sign = at->side == 0 ? 1 : -1;
  wrench[0] = sign * W[0];
  wrench[1] = sign * W[1];
  wrench[2] = sign * torque;
}

static void take_wrenches(fmu_unit *self) {
  const cosim_multibody_view view = cosim_multibody_view_of(self->part);
  for (int p = 0; p < view.sub->model->n_ports; p++)
    if (view.ports[p].def.kind == MBS_PORT_FORCE)
      wrench_at(self, &view.ports[p].def, view.inputs + view.ports[p].input);
}

seam_status fmu_unit_start(fmu_unit *self, double t, seam_error *error) {
  if (self->model == NULL)
    return SEAM_OK;
  self->start->t = t;
  seam_status status = mbs_assemble(self->of_start, self->start, NULL, NULL, error);
  THEN(status, mbs_evaluate(self->of_start, self->start, error));
  if (status != SEAM_OK)
    return status;
  cosim_multibody_start(self->part, self->start);
  take_wrenches(self);
  cosim_multibody_forget_samples(self->part);
  return SEAM_OK;
}
