/* When a co-simulated run is unstable (<seam/verdict.h>): beside a monolithic run, and without one. */
#include <math.h>
#include <string.h>

#include <seam/verdict.h>

#include "base/argument.h"
#include "mbs/model.h"

static const char *const coordinate_names[3] = {"x", "y", "phi"};
static const char *const rate_names[3] = {"vx", "vy", "omega"};

/* ---- Beside a monolithic run ---- */

static const double growth_limit = 1000;
static const double least_limit = 1; /* m, rad, m/s, rad/s: rounding about a state of rest is not growth */

static double largest_of(const double *values, size_t n, double so_far) {
  for (size_t i = 0; i < n; i++)
    so_far = fmax(so_far, fabs(values[i]));
  return so_far;
}

void seam_bounds_add(seam_bounds *bounds, const mbs_model *model, const mbs_state *state) {
  if (bounds == NULL || !mbs_state_fits(model, state))
    return;
  const size_t n = 3 * mbs_n_bodies(model);
  bounds->coordinate = largest_of(state->q, n, bounds->coordinate);
  bounds->rate = largest_of(state->v, n, bounds->rate);
}

static bool exceeds(const double *values, size_t n, double bound, const char *const names[3], seam_excess *what) {
  const double limit = fmax(growth_limit * bound, least_limit);
  for (size_t i = 0; i < n; i++)
    if (!(fabs(values[i]) <= limit)) {
      if (what != NULL)
        *what = (seam_excess){.body = i / 3, .component = names[i % 3], .value = values[i], .limit = limit};
      return true;
    }
  return false;
}

bool seam_bounds_exceeded(const seam_bounds *bounds, const mbs_model *model, const mbs_state *state,
                          seam_excess *what) {
  if (bounds == NULL || !mbs_state_fits(model, state)) {
    if (what != NULL)
      *what = (seam_excess){.body = SEAM_NONE, .component = "", .value = NAN, .limit = NAN};
    return true;
  }
  const size_t n = 3 * mbs_n_bodies(model);
  return exceeds(state->q, n, bounds->coordinate, coordinate_names, what) ||
         exceeds(state->v, n, bounds->rate, rate_names, what);
}

static double strength(const cosim_simulation *simulation, size_t coupling) {
  double wrench[2][3];
  cosim_coupling_wrenches(simulation, coupling, wrench);
  return fabs(wrench[0][0]) + fabs(wrench[0][1]) + fabs(wrench[0][2]);
}

/* One that the coupling does not have already. */
static const char *other_scheme(const cosim_simulation *simulation, size_t coupling) {
  const char *scheme = cosim_coupling_scheme(simulation, coupling);
  if (cosim_coupling_is_joint(simulation, coupling))
    return strcmp(scheme, "ff-index2-k1") == 0 ? "ff-index1-k1" : "ff-index2-k1";
  if (strcmp(scheme, "ff-k0") == 0)
    return "ff-d-k1";
  return strcmp(scheme, "ff-d-k1") == 0 ? "ff-k0" : "ff-k0 or ff-d-k1";
}

/* Of a mechanism whose subsystems exchange signals alone. */
static seam_status blame_signals(const mbs_model *model, const seam_excess *excess, double t, seam_error *error) {
  return seam_fail(error, SEAM_BECAME_UNSTABLE,
                   "t = %.9g s: the co-simulation is unstable: %s.%s is %.3g, more than 1000 times what the monolithic "
                   "run reaches; signals are held over macro steps that are too long; take a smaller macro step",
                   t, mbs_body_name(model, excess->body), excess->component, excess->value);
}

static seam_status check_beside(const seam_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation,
                                double t, seam_error *error) {
  seam_excess excess;
  if (!seam_bounds_exceeded(bounds, model, cosim_state(simulation), &excess))
    return SEAM_OK;
  if (cosim_n_couplings(simulation) == 0)
    return blame_signals(model, &excess, t, error);
  size_t strongest = 0;
  for (size_t k = 1; k < cosim_n_couplings(simulation); k++)
    if (!(strength(simulation, k) <= strength(simulation, strongest)))
      strongest = k;
  return seam_fail(error, SEAM_BECAME_UNSTABLE,
                   "t = %.9g s: the co-simulation is unstable: %s.%s is %.3g, more than 1000 times what the monolithic "
                   "run reaches; coupling '%s' (%s) transmits most; take a smaller macro step or another scheme, such "
                   "as %s",
                   t, mbs_body_name(model, excess.body), excess.component, excess.value,
                   cosim_coupling_name(simulation, strongest), cosim_coupling_scheme(simulation, strongest),
                   other_scheme(simulation, strongest));
}

/* ---- Without one ---- */

static const double growth_alone = 1e6;
static const double least_alone = 1e9;
static const double first_share = 0.01; /* of the run */

/* The largest absolute value; one that is not finite is larger than all. */
typedef struct largest {
  double value;
  const char *element, *quantity; /* of its name; an empty quantity: none */
} largest;

static void sample(largest *seen, double value, const char *element, const char *quantity) {
  const double size = isfinite(value) ? fabs(value) : INFINITY;
  if (size > seen->value)
    *seen = (largest){size, element, quantity};
}

static largest largest_value(const mbs_model *model, const cosim_simulation *simulation) {
  const mbs_state *state = cosim_state(simulation);
  largest seen = {.element = "", .quantity = ""};
  for (size_t i = 0; i < 3 * mbs_n_bodies(model); i++) {
    sample(&seen, state->q[i], mbs_body_name(model, i / 3), coordinate_names[i % 3]);
    sample(&seen, state->v[i], mbs_body_name(model, i / 3), rate_names[i % 3]);
  }
  for (size_t i = 0; i < cosim_n_signals(simulation); i++)
    sample(&seen, cosim_signal_now(simulation, i), cosim_signal_name(simulation, i), "");
  return seen;
}

static seam_status check_alone(double *first_largest, const mbs_model *model, const cosim_simulation *simulation,
                               double t, double end, seam_error *error) {
  const bool is_first = t <= first_share * end;
  const largest seen = largest_value(model, simulation);
  const double limit = is_first ? INFINITY : fmax(growth_alone * *first_largest, least_alone);
  if (isfinite(seen.value) && seen.value <= limit) {
    if (is_first)
      *first_largest = fmax(*first_largest, seen.value);
    return SEAM_OK;
  }
  return seam_fail(
      error, SEAM_BECAME_UNSTABLE,
      "t = %.9g s: the co-simulation is unstable: %s%s%s is %.3g; the largest value of the first hundredth "
      "of the run was %.3g; take a smaller macro step, or holds of lower order",
      t, seen.element, *seen.quantity ? "." : "", seen.quantity, seen.value, *first_largest);
}

seam_status seam_run_bounds_check(seam_run_bounds *bounds, const mbs_model *model, const cosim_simulation *simulation,
                                  double t, double end, seam_error *error) {
  ARGUMENTS(error, bounds, model, simulation);
  const seam_status fits = mbs_state_check(__func__, model, cosim_state(simulation), error);
  if (fits != SEAM_OK)
    return fits;
  if (bounds->is_alone)
    return check_alone(&bounds->first_largest, model, simulation, t, end, error);
  return check_beside(&bounds->monolithic, model, simulation, t, error);
}
