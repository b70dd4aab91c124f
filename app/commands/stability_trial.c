#include "app/commands/stability_trial.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/then.h"

/* ---- The start ---- */

seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error) {
  seam_status status = mbs_state_create(setup->model, start, error);
  THEN(status, setup_begin(setup, *start, NULL, error));
  return status == SEAM_OK ? mbs_assemble(setup->workspace, *start, NULL, NULL, error) : status;
}

seam_status stability_trial_print_distance(const app_setup *setup, seam_error *error) {
  mbs_state *start = NULL;
  double turn = 0;
  double shift = 0;
  const seam_status status = stability_trial_start(setup, &start, error);
  for (size_t i = 0; status == SEAM_OK && i < mbs_n_bodies(setup->model); i++) {
    const double *a = start->q + 3 * i;
    const double *b = setup->state->q + 3 * i;
    shift = fmax(shift, hypot(a[0] - b[0], a[1] - b[1]));
    turn = fmax(turn, fabs(a[2] - b[2]));
  }
  mbs_state_destroy(start);
  if (status == SEAM_OK)
    printf(" (it starts %.3g m and %.3g rad from this state)", shift, turn);
  return status;
}

/* ---- The trial ---- */

static seam_status run_from(const stability_trial *self, const mbs_state *start, seam_trial *found, seam_error *error) {
  const seam_simulation *simulation = seam_model_simulation(self->setup->file);
  cosim_builder *builder = NULL;
  seam_status status = schemes_use(self->schemes, self->scheme, self->setup, &builder, error);
  const seam_trial_def def = {.model = self->setup->model,
                              .start = start,
                              .integrator = &simulation->integrator,
                              .builder = builder,
                              .macro_step = self->macro_step,
                              .end = simulation->end,
                              .wanted = self->wanted,
                              .ratio = self->ratio,
                              .interrupt = self->interrupt};
  THEN(status, seam_try_macro_step(&def, found, error));
  cosim_builder_destroy(builder);
  return status;
}

seam_status stability_trial_run(const stability_trial *self, seam_trial *found, seam_error *cause, seam_error *error) {
  mbs_state *start = NULL;
  seam_error failure = {0};
  seam_status status = setup_check_end(self->setup, &failure);
  THEN(status, stability_trial_start(self->setup, &start, &failure));
  THEN(status, run_from(self, start, found, &failure));
  mbs_state_destroy(start);
  if (status == SEAM_INTERRUPTED || status == SEAM_NO_MEMORY)
    return seam_fail(error, status, "%s", failure.message);
  *cause = failure;
  return SEAM_OK;
}

/* ---- Result ---- */

/* Prints the command that confirms the recommendation. */
static void print_confirmation(const stability_trial *self, const app_options *parsed, const seam_trial *found) {
  const char *scheme = self->schemes->names[self->scheme];
  const char *quote = strpbrk(scheme, "(,") ? "\"" : "";
  printf("confirm with 'seam compare %s", parsed->operands[0]);
  if (!self->schemes->are_the_files)
    printf(" --schemes %s%s%s", quote, scheme, quote);
  printf(" --macro-step %.4g", found->macro_step);
  if (found->end < seam_model_simulation(self->setup->file)->end)
    printf(" --end %.4g", found->end);
  for (size_t i = 0; i < parsed->n_overrides; i++)
    printf(" --set \"%s\"", parsed->overrides[i]);
  puts("'");
}

void stability_trial_print(const stability_trial *self, const app_options *parsed, const seam_trial *found) {
  const bool was_kept = found->n_runs == 1 && !isnan(found->macro_step);
  if (found->rests) {
    puts(", nothing moves: the promise could not be tried");
    return;
  }
  fputs(was_kept ? ":" : ": not ", stdout);
  if (!was_kept && *found->why == '\0')
    printf("H = %.4g s (its error is %.3g)", self->macro_step, found->first_error);
  else if (!was_kept)
    printf("H = %.4g s (%s)", self->macro_step, found->why);
  if (isnan(found->macro_step)) {
    printf(", nor any of %zu macro steps down to %.2g s\n", found->n_runs, found->last);
    return;
  }
  printf("%s H = %.4g s, with an error of %.3g\n", was_kept ? "" : ", but", found->macro_step, found->error);
  print_confirmation(self, parsed, found);
}
