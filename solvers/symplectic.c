/* One step from positions q and velocities v at t, of length h, with the accelerations a:
 *
 *   v₁ = v + h a(t, q, v),   q₁ = q + h v₁,   w₁ = w + h w'(t, q, v) for other entries w
 *
 * Constraints g(q) = 0, G = ∂g/∂q, add forces Gᵀ(q) λ such that g(q₁) = 0; then v₁ is projected onto G(q₁) v = 0. If a
 * depends on q alone, the step conserves areas of phase space, and the energy stays near its first value. With
 * projection of q₁ instead of forces, a pendulum would gain energy. ([Hairer-Lubich-Wanner] I.1.2, VII.1.3.) */
#include <stdlib.h>

#include "base/then.h"
#include "solvers/ode.h"
#include "solvers/onestep.h"

typedef struct symplectic {
  seam_method base;
  seam_ode ode;
  double slope[]; /* (n) */
} symplectic;

static seam_status attempt(void *method, double t, const double *y, double h, seam_step_kind kind, const double *memory,
                           double *end, double *ratio, seam_error *error) {
  (void)kind, (void)memory;
  symplectic *self = method;
  const size_t n = self->ode.n_positions;
  *ratio = 0;
  self->base.count->evaluations++;
  TRY(self->ode.rhs(self->ode.context, t, y, self->slope, error));
  for (size_t i = n; i < self->base.n; i++)
    end[i] = y[i] + h * self->slope[i];
  for (size_t i = 0; i < n; i++)
    end[i] = y[i] + h * end[n + i];
  if (self->ode.shake != NULL)
    TRY(self->ode.shake(self->ode.context, t, h, y, end, error));
  if (self->ode.project != NULL)
    TRY(self->ode.project(self->ode.context, t + h, end, error));
  return SEAM_OK;
}

seam_status seam_symplectic_create(const seam_ode *ode, const seam_tolerances *tolerances, seam_integrator **integrator,
                                   seam_error *error) {
  if (ode->n_positions == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "symplectic_euler needs positions and their rates: take euler");
  if (!(tolerances->step > 0))
    return seam_fail(error, SEAM_BAD_INPUT, "symplectic_euler takes fixed steps only: give a step");
  symplectic *self = calloc(1, sizeof *self + ode->n * sizeof *self->slope);
  if (self == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for an integrator of %zu values", ode->n);
  self->base = (seam_method){.n = ode->n, .n_least = ode->n_controlled, .attempt = attempt, .destroy = free};
  self->ode = *ode;
  return seam_onestep_create(&self->base, tolerances, integrator, error);
}
