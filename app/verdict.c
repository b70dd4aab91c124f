#include "app/verdict.h"

#include <math.h>

/* ---- Beside a monolithic run ---- */

static double strength(const cosim_simulation *simulation, size_t coupling) {
  double wrench[2][3];
  cosim_coupling_wrenches(simulation, coupling, wrench);
  return fabs(wrench[0][0]) + fabs(wrench[0][1]) + fabs(wrench[0][2]);
}

static seam_status compare_bounds(const app_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation,
                                  double t, seam_error *error) {
  seam_excess excess;
  if (!seam_bounds_exceeded(&bounds->monolithic, model, cosim_state(simulation), &excess))
    return SEAM_OK;
  size_t strongest = 0;
  for (size_t k = 1; k < cosim_n_couplings(simulation); k++)
    if (!(strength(simulation, k) <= strength(simulation, strongest)))
      strongest = k;
  return seam_fail(
      error, SEAM_BECAME_UNSTABLE,
      "t = %.9g s: the co-simulation is unstable: %s.%s is %.3g, more than 1000 times what the monolithic run reaches; "
      "coupling '%s' (%s) transmits most; take a smaller macro step or another scheme, such as %s",
      t, mbs_body_name(model, excess.body), excess.component, excess.value, cosim_coupling_name(simulation, strongest),
      cosim_coupling_scheme(simulation, strongest),
      cosim_coupling_is_joint(simulation, strongest) ? "ff-index2-k1" : "ff-k0 or ff-d-k1");
}

/* ---- On its own ---- */

/* The largest absolute value; one that is not finite is larger than all. */
typedef struct largest {
  double value;
  const char *element, *quantity; /* of its name; an empty quantity: none */
} largest;

static void look(largest *seen, double value, const char *element, const char *quantity) {
  const double size = isfinite(value) ? fabs(value) : INFINITY;
  if (size > seen->value)
    *seen = (largest){size, element, quantity};
}

static largest largest_of(const mbs_model *model, const cosim_simulation *simulation) {
  static const char *const of_body[2][3] = {{"x", "y", "phi"}, {"vx", "vy", "omega"}};
  const mbs_state *state = cosim_state(simulation);
  largest seen = {.element = "", .quantity = ""};
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++) {
    look(&seen, state->q[i], mbs_body_name(model, i / 3), of_body[0][i % 3]);
    look(&seen, state->v[i], mbs_body_name(model, i / 3), of_body[1][i % 3]);
  }
  for (size_t i = 0; i < cosim_n_signals(simulation); i++)
    look(&seen, cosim_signal_now(simulation, i), cosim_signal_name(simulation, i), "");
  return seen;
}

static seam_status compare_with_begin(app_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation,
                                      double t, double end, seam_error *error) {
  const double growth = 1e6;
  const double least = 1e9;
  const double first_share = 0.01;
  const largest seen = largest_of(model, simulation);
  const double limit = t <= first_share * end ? INFINITY : fmax(growth * bounds->largest, least);
  if (isfinite(seen.value) && seen.value <= limit) {
    if (t <= first_share * end)
      bounds->largest = fmax(bounds->largest, seen.value);
    return SEAM_OK;
  }
  return seam_fail(error, SEAM_BECAME_UNSTABLE,
                   "t = %.9g s: the co-simulation is unstable: %s%s%s is %.3g; the largest value of the first "
                   "hundredth of the run was %.3g; take a smaller macro step, or holds of lower order",
                   t, seen.element, *seen.quantity ? "." : "", seen.quantity, seen.value, bounds->largest);
}

seam_status verdict_of(app_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation, double t,
                       double end, seam_error *error) {
  if (bounds->are_own)
    return compare_with_begin(bounds, model, simulation, t, end, error);
  return compare_bounds(bounds, model, simulation, t, error);
}
