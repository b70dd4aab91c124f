#include "app/operating_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "base/vector.h"

bool operating_point_is_equilibrium(const char *at) { return at == NULL || strcmp(at, "equilibrium") == 0; }

seam_status operating_point_find(app_setup *setup, const char *at, seam_error *error) {
  if (operating_point_is_equilibrium(at)) {
    seam_error cause = {0};
    seam_status status = setup_open(setup, error);
    THEN(status, mbs_find_equilibrium(setup->workspace, setup->state, NULL, NULL, &cause));
    if (cause.status == SEAM_NOT_CONVERGED)
      return seam_fail(error, status, "%.900s; or take another state, --at initial or --at TIME", cause.message);
    return cause.status != SEAM_OK ? seam_fail(error, status, "%s", cause.message) : status;
  }
  char *end = NULL;
  const double time = strtod(at, &end);
  const bool is_initial = strcmp(at, "initial") == 0;
  if (!is_initial && (end == at || *end != '\0' || !(time >= 0) || !isfinite(time)))
    return seam_fail(error, SEAM_BAD_INPUT,
                     "seam: '%s' is not a state; write --at initial, --at equilibrium or --at TIME", at);
  mbs_integrator *integrator = NULL;
  TRY(setup_assemble(setup, error));
  if (is_initial)
    return SEAM_OK;
  seam_status status =
      mbs_integrator_create(setup->model, &seam_model_simulation(setup->file)->integrator, &integrator, error);
  THEN(status, mbs_integrator_start(integrator, setup->state, error));
  if (status == SEAM_OK) {
    mbs_integrator_set_stop(integrator, time);
    status = mbs_integrator_advance(integrator, time, setup->state, error);
  }
  mbs_integrator_destroy(integrator);
  return status;
}

void operating_point_print(const app_setup *setup, const char *at) {
  const size_t n = 3 * mbs_n_bodies(setup->model);
  if (operating_point_is_equilibrium(at)) {
    puts("about the equilibrium near the start");
    return;
  }
  printf("about the state at t = %.9g s", setup->state->t);
  if (largest_size(setup->state->v, n) > 0)
    puts(", which moves: coefficients are frozen");
  else if (largest_size(setup->state->a, n) > 0)
    puts(", which is not an equilibrium: coefficients are frozen");
  else
    putchar('\n');
}

static void print_contact(const app_setup *setup, const mbs_contact_state *of, const char *state_text) {
  printf(" '%s'%s %s", mbs_force_of(setup->model, of->force).name,
         !of->has_two  ? ""
         : of->is_left ? " (left)"
                       : " (right)",
         state_text);
}

/* Prints the contacts and strands that act or, with `acts` false, do not. Beyond 8 it prints their number. */
static void print_acting(const app_setup *setup, bool acts) {
  enum { MAX_NAMES = 8 };
  size_t n = 0;
  for (size_t i = 0; i < mbs_n_contact_states(setup->model); i++)
    n += mbs_contact_state_of(setup->workspace, setup->state, i).acts == acts;
  if (n > MAX_NAMES)
    printf(" %zu %s", n, acts ? "act" : "do not act");
  for (size_t i = 0, k = 0; i < mbs_n_contact_states(setup->model) && n <= MAX_NAMES; i++) {
    const mbs_contact_state of = mbs_contact_state_of(setup->workspace, setup->state, i);
    if (of.acts != acts)
      continue;
    fputs(k++ > 0 ? "," : "", stdout);
    print_contact(setup, &of, of.is_strand ? (acts ? "taut" : "slack") : acts ? "closed" : "open");
  }
  if (acts && n > 0 && n < mbs_n_contact_states(setup->model))
    putchar(',');
}

void operating_point_print_contacts(const app_setup *setup) {
  const size_t n = mbs_n_contact_states(setup->model);
  if (n == 0)
    return;
  fputs("contacts and strands stay as they are there:", stdout);
  print_acting(setup, true);
  print_acting(setup, false);
  putchar('\n');
  for (size_t i = 0; i < n; i++) {
    const mbs_contact_state of = mbs_contact_state_of(setup->workspace, setup->state, i);
    if (of.is_on_border) {
      fputs("on the border, where the side that does not act is taken:", stdout);
      print_contact(setup, &of, of.is_strand ? "begins to pull" : "touches");
      putchar('\n');
    }
  }
}
