#include "app/sweep/one_run.h"

#include <math.h>
#include <stdlib.h>

#include "app/commands/run_files.h"
#include "app/failure.h"
#include "base/then.h"

typedef struct one_run {
  const sweep_plan *plan;
  size_t number;
  app_setup setup;
  run_files files;
  mbs_quantity *quantities; /* (n_quantities) quantities of the plan, in the model of this run */
} one_run;

/* ---- Preparation ---- */

static seam_status read_model(one_run *self, seam_error *error) {
  const sweep_plan *plan = self->plan;
  size_t n = 0;
  char **overrides = sweep_plan_overrides(plan, self->number, &n);
  if (overrides == NULL)
    return out_of_memory(error);
  const seam_status status =
      setup_parse(plan->name, plan->text, plan->length, (const char *const *)overrides, n, &self->setup, error);
  sweep_plan_free_overrides(plan, overrides);
  return status;
}

/* Finds the quantities in the model of this run, because varied values may have changed the indices of elements. */
static seam_status find_quantities(one_run *self, seam_error *error) {
  const sweep_plan *plan = self->plan;
  self->quantities = calloc(plan->n_quantities + 1, sizeof *self->quantities);
  seam_status status = self->quantities != NULL ? SEAM_OK : out_of_memory(error);
  for (size_t i = 0; i < plan->n_quantities && status == SEAM_OK; i++)
    status = mbs_find_quantity(self->setup.model, plan->quantities[i], &self->quantities[i], error);
  return status;
}

static seam_status read(one_run *self, seam_error *error) {
  self->files.options = &self->plan->run;
  self->files.setup = &self->setup;
  seam_status status = read_model(self, error);
  self->setup.restarts = options_flag(self->files.options, "--cosim");
  THEN(status, run_files_read_times(&self->files, error));
  THEN(status, options_flag(self->files.options, "--cosim") ? setup_check_bodies(&self->setup, error)
                                                            : setup_use_monolithic(&self->setup, false, error));
  return status == SEAM_OK ? find_quantities(self, error) : status;
}

static seam_status create_cosim(one_run *self, seam_error *error) {
  return options_flag(self->files.options, "--cosim") ? run_files_create_cosim(&self->files, error) : SEAM_OK;
}

/* Creates the co-simulation or the integrator of the run, to find errors for which the run would be refused. */
static seam_status check_engine(one_run *self, seam_error *error) {
  mbs_integrator *integrator = NULL;
  cosim_step_plan plan;
  seam_status status = create_cosim(self, error);
  if (status == SEAM_OK && self->files.simulation != NULL)
    status = cosim_step_plan_make(cosim_builder_definition(self->files.builder)->options.macro_step, self->files.end,
                                  &plan, error);
  THEN(status, mbs_integrator_create(self->setup.model, &seam_model_simulation(self->setup.file)->integrator,
                                     &integrator, error));
  mbs_integrator_destroy(integrator);
  return status;
}

static void free_all(one_run *self) {
  run_files_free(&self->files);
  setup_free(&self->setup);
  free(self->quantities);
}

seam_status one_run_check(const sweep_plan *plan, size_t run, seam_error *error) {
  one_run self = {.plan = plan, .number = run};
  seam_error failure = {0};
  seam_status status = read(&self, error);
  if (status == SEAM_OK && check_engine(&self, &failure) == SEAM_BAD_INPUT) {
    *error = failure;
    status = SEAM_BAD_INPUT;
  }
  free_all(&self);
  return status;
}

/* ---- The run ---- */

static seam_status simulate(one_run *self, seam_error *error) {
  seam_status status = read(self, error);
  THEN(status, setup_assemble(&self->setup, error));
  THEN(status, create_cosim(self, error));
  const seam_run_def def = {.simulation = self->files.simulation,
                            .builder = self->files.builder,
                            .quantities = self->quantities,
                            .n_quantities = self->plan->n_quantities};
  THEN(status, run_files_create_unsaved(&self->files, &def, error));
  return status == SEAM_OK ? run_files_carry_out(&self->files, error) : status;
}

/* ---- The row ---- */

static seam_status fill(const one_run *self, double *row, seam_error *error) {
  double *last = calloc(self->plan->n_quantities + 1, sizeof *last);
  if (last == NULL)
    return out_of_memory(error);
  mbs_readout *readout = NULL;
  const seam_status status =
      mbs_readout_create(self->setup.model, self->quantities, self->plan->n_quantities, &readout, error);
  if (status == SEAM_OK)
    mbs_read(readout, self->setup.workspace, self->setup.state, last);
  mbs_readout_destroy(readout);
  if (status == SEAM_OK) {
    const sweep_plan *plan = self->plan;
    const seam_run_facts facts = seam_run_facts_of(self->files.run);
    double *at = row + sweep_plan_figure(plan, 0);
    for (size_t i = 0; i < plan->n_figures; i++) {
      const sweep_figure *figure = &plan->figures[i];
      if (figure->statistic == SWEEP_LAST) {
        *at++ = last[figure->quantity];
        continue;
      }
      const seam_run_figure found =
          seam_over_run_of(facts.over_run, figure->quantity, (seam_statistic)figure->statistic);
      *at++ = found.value;
      *at++ = found.uncertainty;
    }
    row[sweep_plan_status(plan) + 1] = fabs(facts.record->imbalance);
  }
  free(last);
  return status;
}

seam_status one_run_carry_out(const sweep_plan *plan, size_t run, double *row, seam_error *ending) {
  one_run self = {.plan = plan, .number = run};
  *ending = (seam_error){0};
  for (size_t i = 0; i < plan->n_columns; i++)
    row[i] = NAN;
  row[0] = (double)(run + 1);
  for (size_t i = 0; i < seam_design_n_varied(plan->design); i++)
    row[sweep_plan_varied(i)] = seam_design_value(plan->design, run, i);
  if (simulate(&self, ending) == SEAM_OK)
    seam_run_conclude(self.files.run, ending);
  if (ending->status == SEAM_OK || ending->status == SEAM_WRONG) {
    seam_error failure = {0};
    if (fill(&self, row, &failure) != SEAM_OK)
      *ending = failure;
  }
  row[sweep_plan_status(plan)] = seam_status_exit(ending->status);
  free_all(&self);
  return ending->status == SEAM_INTERRUPTED || ending->status == SEAM_NO_MEMORY ? ending->status : SEAM_OK;
}
