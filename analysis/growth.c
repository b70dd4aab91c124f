/* Detection of unstable co-simulated runs (<seam/verdict.h>). T is the duration of the run, g gravity; L and V are the
 * model's scales of length and speed. "Largest" values are those of the first phase, the first hundredth of the run.
 * Values in the run are compared with reference values; `place` is a displacement from the initial position:
 *
 *   speed u = max(largest speed, |g| T, speed that the loads of the run can cause, V),
 *   rate    = max(largest angular velocity, u/L),
 *   place   = max(largest distance from the initial position, L, u T),
 *   angle   = rate T + 8 rad,
 *   signal  = max(largest signal, 1).
 *
 * The limit of a value is 1000 times its reference value; for signals, 1e9 times. A run is unstable if a value is not
 * finite or, after the first phase, exceeds its limit. In the first phase, all "largest" values of the formulas are 0.
 * A run is then unstable if a body exceeds such a limit and couplings have created over half the kinetic energy. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <seam/verdict.h>

#include "analysis/run_verdict.h"
#include "analysis/thresholds.h"
#include "base/argument.h"
#include "base/then.h"
#include "cosim/steps/simulation.h"
#include "mbs/dynamics/scales.h"

/* ---- The coupling with the largest wrench ---- */

typedef struct suspect {
  const char *name, *scheme; /* NULL: no coupling */
  bool is_joint, is_exchanged;
  double strength;
  bool can_repeat;        /* its subsystems can repeat steps, so that schemes with correctors couple them */
  bool has_joints_at_cut; /* the coupling is a force element; cut joints beside it may transmit larger forces */
} suspect;

static double size_of(const double *wrench, int n) {
  double size = 0;
  for (int i = 0; i < n; i++)
    size += fabs(wrench[i]);
  return size;
}

/* Returns the coupling that probably causes the instability: the one whose wrench has the largest sum of |components|.
 * Stiff force elements limit the macro step, joints do not. A joint counts only if no force element is cut. */
static suspect find_suspect(const cosim_simulation *simulation) {
  const size_t n = cosim_n_couplings(simulation);
  suspect found = {.strength = -1};
  bool has_joints = false;
  for (size_t k = 0; k < n + cosim_n_part_couplings(simulation); k++) {
    double wrench[2][3];
    suspect one;
    if (k < n) {
      const cosim_coupling_info of = cosim_coupling_of(simulation, k);
      cosim_coupling_wrenches(simulation, k, wrench);
      one = (suspect){of.name, of.scheme, of.is_joint, of.is_exchanged, size_of(wrench[0], 3), true, false};
    } else {
      const cosim_coupling_def *of = cosim_part_coupling(simulation, k - n);
      const cosim_cut *cut = &simulation->partition.part_couplings[k - n].base;
      cosim_part *const *parts = simulation->partition.parts;
      const bool can_repeat =
          cosim_part_can_repeat(parts[cut->side[0].part]) && cosim_part_can_repeat(parts[cut->side[1].part]);
      cosim_part_coupling_wrench(simulation, k - n, wrench[0]);
      one =
          (suspect){of->name, cut->scheme.name, of->is_rigid, false, size_of(wrench[0], of->n_dims), can_repeat, false};
    }
    has_joints |= one.is_joint;
    const bool are_alike = one.is_joint == found.is_joint;
    if (found.name == NULL || (are_alike ? !(one.strength <= found.strength) : found.is_joint))
      found = one;
  }
  found.has_joints_at_cut = has_joints && !found.is_joint;
  return found;
}

/* Returns the name of another scheme to try for this coupling; "": there is none. */
static const char *other_scheme(const suspect *of) {
  static const char *const held[] = {"ff-k0-explicit", "fd-k0-explicit", "df-k0-explicit", "dd-k0-explicit"};
  for (int i = 0; i < 4 && !of->can_repeat; i++)
    if (strncmp(of->scheme, held[i], 2) == 0)
      return strcmp(of->scheme, held[i]) != 0 ? held[i] : "";
  if (of->is_exchanged)
    return "ff-k1 if its subsystems can repeat steps";
  if (of->is_joint)
    return strcmp(of->scheme, "ff-index2-k1") == 0 ? "ff-index1-k1" : "ff-index2-k1";
  if (strcmp(of->scheme, "ff-k0") == 0)
    return "ff-d-k1";
  return strcmp(of->scheme, "ff-d-k1") == 0 ? "ff-k0" : "ff-k0 or ff-d-k1";
}

/* ---- Values and their bounds ---- */

/* A value and its limit. A value that is not finite exceeds every limit. */
typedef struct limited_value {
  double value, allowed;
  const char *element, *quantity; /* quantity "": the element has only one quantity */
} limited_value;

static void update_worst(limited_value *worst, double value, double allowed, const char *element,
                         const char *quantity) {
  const double size = isfinite(value) ? fabs(value) : INFINITY;
  if (worst->element == NULL || size * worst->allowed > fabs(worst->value) * allowed || isinf(size))
    *worst = (limited_value){value, allowed, element, quantity};
}

static limited_value worst_of_bodies(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                                     const mbs_state *state, double span) {
  const mbs_scales scales = mbs_scales_of(model);
  const double g = hypot(model->gravity[0], model->gravity[1]);
  const double speed = fmax(growth->speed, fmax(g * span, fmax(growth->by_loads, scales.speed)));
  const double rate = fmax(growth->rate, speed / scales.length);
  const double place = fmax(growth->place, fmax(scales.length, speed * span));
  const double references[] = {place, place, rate * span + 8, speed, speed, rate};
  static const char *const names[] = {"x", "y", "phi", "vx", "vy", "omega"};
  limited_value worst = {.element = NULL};
  for (size_t i = 0; i < mbs_n_bodies(model); i++) {
    const double *q = state->q + 3 * i, *v = state->v + 3 * i, *from = start->q + 3 * i;
    const char *body = mbs_body_of(model, i).name;
    for (size_t k = 0; k < 6; k++)
      update_worst(&worst, k < 3 ? q[k] - from[k] : v[k - 3], analysis_growth_limit * references[k], body, names[k]);
  }
  return worst;
}

/* Returns true if the residuals of couplings have created more than half of the kinetic energy. */
static bool is_made_by_couplings(const mbs_model *model, const cosim_simulation *simulation) {
  double created = 0;
  for (size_t k = 0; k < cosim_n_couplings(simulation); k++)
    created += cosim_coupling_energy(simulation, k).residual_energy;
  return created > mbs_kinetic_energy(model, cosim_state(simulation)->v) / 2;
}

static seam_status diagnose(seam_growth *growth, const limited_value *worst, const cosim_simulation *simulation,
                            double t, seam_error *error) {
  growth->limit = worst->allowed;
  const suspect of = find_suspect(simulation);
  char advice[320] = "signals are extrapolated over macro steps that are too long: take a smaller macro step";
  if (of.name != NULL) {
    const char *other = other_scheme(&of);
    snprintf(advice, sizeof advice, "%s '%.80s' (%.60s) transmits the largest force: take a smaller macro step%s%s",
             of.has_joints_at_cut ? "of the force elements at the cut," : "coupling", of.name, of.scheme,
             *other != '\0' ? " or another scheme, such as " : "", other);
  }
  return seam_fail(error, SEAM_BECAME_UNSTABLE,
                   "t = %.9g s: the co-simulation is unstable: %s%s%s is %.3g, above the bound %.3g that the start of "
                   "the run gives; %s",
                   t, worst->element, *worst->quantity != '\0' ? "." : "", worst->quantity, worst->value,
                   worst->allowed, advice);
}

static seam_status find_speed_by_loads(seam_growth *growth, const mbs_model *model, const mbs_state *start,
                                       seam_error *error) {
  mbs_workspace *workspace = NULL;
  mbs_state *scratch = NULL, *loads = NULL;
  seam_status status = mbs_workspace_create(model, &workspace, error);
  THEN(status, mbs_state_create(model, &scratch, error));
  THEN(status, mbs_state_create(model, &loads, error));
  if (status == SEAM_OK)
    growth->by_loads = mbs_speed_of_later_loads(workspace, start, loads->a, scratch);
  mbs_workspace_destroy(workspace);
  mbs_state_destroy(scratch);
  mbs_state_destroy(loads);
  return status;
}

seam_status seam_growth_check(seam_growth *growth, const mbs_model *model, const mbs_state *start,
                              const cosim_simulation *simulation, double t, double end, seam_error *error) {
  ARGUMENTS(error, growth, model, start, simulation);
  const mbs_state *state = cosim_state(simulation);
  seam_status status = mbs_state_check(__func__, model, state, error);
  THEN(status, mbs_state_check(__func__, model, start, error));
  if (t == start->t)
    THEN(status, find_speed_by_loads(growth, model, start, error));
  if (status != SEAM_OK)
    return status;
  const double span = end - start->t;
  const bool is_first = t - start->t <= analysis_first_share * span;
  if (is_first) {
    const seam_growth at_rest = {.by_loads = growth->by_loads};
    const limited_value worst = worst_of_bodies(&at_rest, model, start, state, span);
    if (worst.element != NULL && fabs(worst.value) > worst.allowed && is_made_by_couplings(model, simulation))
      return diagnose(growth, &worst, simulation, t, error);
    for (size_t i = 0; i < mbs_n_bodies(model); i++) {
      const double *q = state->q + 3 * i, *v = state->v + 3 * i, *from = start->q + 3 * i;
      growth->speed = fmax(growth->speed, hypot(v[0], v[1]));
      growth->rate = fmax(growth->rate, fabs(v[2]));
      growth->place = fmax(growth->place, hypot(q[0] - from[0], q[1] - from[1]));
    }
    for (size_t i = 0; i < cosim_n_signals(simulation); i++)
      growth->signal = fmax(growth->signal, fabs(cosim_signal_now(simulation, i)));
  }
  limited_value worst = worst_of_bodies(growth, model, start, state, span);
  for (size_t i = 0; i < cosim_n_signals(simulation); i++)
    update_worst(&worst, cosim_signal_now(simulation, i), analysis_signal_limit * fmax(growth->signal, 1),
                 cosim_signal_of(simulation, i).name, "");
  if (worst.element == NULL || (is_first ? isfinite(worst.value) : fabs(worst.value) <= worst.allowed))
    return SEAM_OK;
  return diagnose(growth, &worst, simulation, t, error);
}

void analysis_diagnose_model(const seam_growth *growth, const mbs_model *model, const mbs_state *start,
                             const mbs_state *state, double end, seam_error *error) {
  const limited_value worst = worst_of_bodies(growth, model, start, state, end - start->t);
  if (worst.element != NULL && !(fabs(worst.value) <= analysis_undivided_limit * worst.allowed))
    seam_fail(error, SEAM_BECAME_UNSTABLE,
              "t = %.9g s: the run is unstable, and so is the undivided run, where %s.%s is %.3g, above the bound "
              "%.3g: the model itself is unstable; check the signs of its laws ('seam check')",
              state->t, worst.element, worst.quantity, worst.value, worst.allowed);
}
