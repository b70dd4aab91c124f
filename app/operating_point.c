/* `--at`: finds the state that is asked for. */
#include "app/operating_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_equilibrium(const char *at) { return at == NULL || strcmp(at, "equilibrium") == 0; }

static seam_status run_to(app_setup *made, double end, seam_error *error) {
  mbs_integrator *integrator = NULL;
  seam_status status =
      mbs_integrator_create(made->model, &seam_model_simulation(made->file)->integrator, &integrator, error);
  if (status == SEAM_OK)
    status = mbs_integrator_start(integrator, made->state, error);
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, end);
    status = mbs_integrator_advance(integrator, end, made->state, error);
  }
  mbs_integrator_destroy(integrator);
  return status;
}

seam_status operating_point_find(app_setup *made, const char *at, seam_error *error) {
  if (is_equilibrium(at)) {
    const seam_status status = setup_open(made, error);
    return status == SEAM_OK ? mbs_find_equilibrium(made->workspace, made->state, NULL, NULL, error) : status;
  }
  char *end = NULL;
  const double time = strtod(at, &end);
  const bool is_initial = strcmp(at, "initial") == 0;
  if (!is_initial && (end == at || *end != '\0' || !(time >= 0) || !isfinite(time)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: '%s' is not a state; write --at initial, --at equilibrium or --at TIME", at);
  const seam_status status = setup_assemble(made, error);
  return status == SEAM_OK && !is_initial ? run_to(made, time, error) : status;
}

static double largest(const double *x, size_t n) {
  double most = 0;
  for (size_t i = 0; i < n; i++)
    most = fmax(most, fabs(x[i]));
  return most;
}

void operating_point_print(const app_setup *made, const char *at) {
  const size_t n = 3 * mbs_n_bodies(made->model);
  if (is_equilibrium(at))
    printf("about the equilibrium near the start\n");
  else
    printf("about the state at t = %.9g s", made->state->t);
  if (is_equilibrium(at))
    return;
  if (largest(made->state->v, n) > 0)
    printf(", which moves: coefficients are frozen\n");
  else if (largest(made->state->a, n) > 0)
    printf(", which is not an equilibrium: coefficients are frozen\n");
  else
    putchar('\n');
}
