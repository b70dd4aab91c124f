/* Macro steps of equal length up to an end (<seam/cosim.h>). */
#include <math.h>

#include <seam/cosim.h>

#include "base/argument.h"
#include "cosim/thresholds.h"

seam_status cosim_step_plan_make(double macro_step, double end, cosim_step_plan *plan, seam_error *error) {
  ARGUMENTS(error, plan);
  if (!(macro_step > 0) || !isfinite(macro_step))
    return seam_fail(error, SEAM_BAD_INPUT, "the macro step must be positive and finite, not %g s", macro_step);
  if (!(end > 0) || !isfinite(end))
    return seam_fail(error, SEAM_BAD_INPUT, "the end of a co-simulation must be positive and finite, not %g s", end);
  if (macro_step > (1 + cosim_plan_slack) * end)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "the macro step of %g s is longer than the run of %g s: take a smaller one (cosim.macro_step, --macro-step)",
        macro_step, end);
  if (end / macro_step > cosim_max_plan)
    return seam_fail(error, SEAM_BAD_INPUT, "%g s need more than %g macro steps: take a macro step larger than %g s",
                     end, cosim_max_plan, macro_step);
  *plan = (cosim_step_plan){macro_step, end, (size_t)fmax(1, ceil(end / macro_step - cosim_plan_slack))};
  return SEAM_OK;
}

double cosim_step_plan_time(const cosim_step_plan *plan, size_t step) {
  if (plan == NULL || step > plan->count)
    return NAN;
  return step < plan->count ? (double)step * plan->macro_step : plan->end;
}

double cosim_step_plan_length(const cosim_step_plan *plan, size_t step) {
  if (plan == NULL || step >= plan->count)
    return NAN;
  const double remaining = plan->end - (double)step * plan->macro_step;
  return remaining < (1 - cosim_plan_slack) * plan->macro_step ? remaining : plan->macro_step;
}
