/* Replacements in a builder: user parts, finer steps. */
#include <math.h>
#include <string.h>

#include "base/argument.h"
#include "cosim/mechanism/builder_internal.h"
#include "cosim/thresholds.h"

static bool has_names(const char *const *a, size_t n, const char *const *b, size_t n_b) {
  for (size_t i = 0; i < n && n == n_b; i++)
    if (b == NULL || b[i] == NULL || strcmp(a[i], b[i]) != 0)
      return false;
  return n == n_b;
}

seam_status cosim_replace_user_part(cosim_builder *self, const char *subsystem, const cosim_user_part *user,
                                    seam_error *error) {
  ARGUMENTS(error, self, subsystem, user);
  cosim_subsystem_def *def = NULL;
  for (size_t i = 0; i < self->definition.n_subsystems && def == NULL; i++)
    if (strcmp(self->definition.subsystems[i].name, subsystem) == 0)
      def = (cosim_subsystem_def *)&self->definition.subsystems[i];
  if (def == NULL || def->user == NULL)
    return seam_fail_about(error, SEAM_BAD_INPUT, subsystem, "'%.60s' is not a subsystem of user equations", subsystem);
  if (user->create == NULL || !has_names(def->user->inputs, def->user->n_inputs, user->inputs, user->n_inputs) ||
      !has_names(def->user->outputs, def->user->n_outputs, user->outputs, user->n_outputs))
    return seam_fail_about(error, SEAM_BAD_INPUT, subsystem,
                           "subsystem '%.60s': the part that takes its place has other inputs or outputs", subsystem);
  cosim_user_part *own = arena_take(&self->memory, sizeof *own);
  if (own == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory to build a co-simulation");
  *own = *def->user;
  own->create = user->create;
  own->context = user->context;
  own->identity = user->identity;
  def->user = own;
  return SEAM_OK;
}

/* ---- Finer steps ---- */

static void refine(mbs_integrator_options *integrator, double parts, double tighter) {
  const double rtol = fmax(integrator->rtol / tighter, fmin(integrator->rtol, cosim_least_rtol));
  integrator->atol *= rtol / integrator->rtol;
  integrator->rtol = rtol;
  integrator->step /= parts;
}

void cosim_refine(cosim_builder *self, double parts, double tighter) {
  self->definition.options.macro_step /= parts;
  refine(&self->definition.options.integrator, parts, tighter);
  for (size_t i = 0; i < self->definition.n_subsystems; i++)
    if (self->definition.subsystems[i].integrator != NULL) /* the builder's copy */
      refine((mbs_integrator_options *)self->definition.subsystems[i].integrator, parts, tighter);
}
