/* Sets inputs of the mechanism at a macro point, where quantities may then jump, as at a kink of a law of time. */
#include <math.h>

#include "base/argument.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "mbs/dynamics/responses.h"
#include "mbs/model/event.h"
#include "mbs/model/model.h"

seam_status cosim_set_inputs(cosim_simulation *self, mbs_events *events, const size_t *variables, const double *values,
                             size_t n, seam_error *error) {
  ARGUMENTS(error, self, variables, values);
  seam_status status = cosim_simulation_check(self, error);
  THEN(status, mbs_check_inputs(self->model, variables, values, n, self->now->t, error));
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (cosim_is_coupled_variable(self->model, variables[i]))
      status =
          seam_fail(error, SEAM_BAD_INPUT, "t = %.9g s: a signal drives '%s': remove the signal, or set its source",
                    self->now->t, mbs_variable_of(self->model, variables[i]).name);
  if (status == SEAM_OK && events != NULL &&
      !(mbs_events_have_started(events) && mbs_events_searched(events) >= self->now->t))
    status = seam_fail(error, SEAM_BAD_STATE, "cosim_set_inputs(): take the events up to %.9g s first", self->now->t);
  if (status != SEAM_OK || n == 0)
    return status;
  if (!self->is_beyond_kink)
    mbs_state_copy(self->end, self->now);
  self->is_beyond_kink = true;
  for (size_t i = 0; i < n; i++) {
    const size_t state = mbs_variable_of(self->model, variables[i]).state;
    self->now->z[state] = values[i];
    for (size_t s = 0; s < self->partition.n_subsystems; s++)
      if (cosim_is_mechanical(&self->partition, s))
        cosim_multibody_set_state(self->partition.parts[s], (int)state, values[i]);
  }
  cosim_wiring_update(self->engine->wiring);
  cosim_simulation_assemble_present(self);
  cosim_simulation_copy_signals(self);
  if (events != NULL)
    *mbs_events_mark(events) = NAN;
  return SEAM_OK;
}
