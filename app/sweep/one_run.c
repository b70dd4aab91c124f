#include "app/sweep/one_run.h"

#include <math.h>
#include <stdlib.h>

#include "app/commands/run_files.h"
#include "app/failure.h"
#include "base/then.h"

typedef struct one_run {
  const sweep_plan *plan;
  app_setup setup;
  run_files files;
  mbs_quantity *quantities; /* (n_quantities) quantities of the plan, in the model of this run */
} one_run;

static seam_status read(one_run *self, size_t run, seam_error *error) {
  const sweep_plan *plan = self->plan;
  const bool is_cosimulated = options_flag(&plan->run, "--cosim");
  self->files.options = &plan->run;
  self->files.setup = &self->setup;
  seam_status status = sweep_plan_read_model(plan, run, &self->setup, error);
  self->setup.restarts = is_cosimulated;
  THEN(status, run_files_read_times(&self->files, error));
  THEN(status,
       is_cosimulated ? setup_check_bodies(&self->setup, error) : setup_use_monolithic(&self->setup, false, error));
  if (status != SEAM_OK)
    return status;
  self->quantities = calloc(plan->n_quantities + 1, sizeof *self->quantities);
  if (self->quantities == NULL)
    return out_of_memory(error);
  for (size_t i = 0; i < plan->n_quantities; i++) /* varied values may have changed the indices of elements */
    THEN(status, mbs_find_quantity(self->setup.model, plan->quantities[i], &self->quantities[i], error));
  return status;
}

static seam_status create_cosim(one_run *self, seam_error *error) {
  return options_flag(self->files.options, "--cosim") ? run_files_create_cosim(&self->files, error) : SEAM_OK;
}

static void free_all(one_run *self) {
  run_files_free(&self->files);
  setup_free(&self->setup);
  free(self->quantities);
}

/* Creates the co-simulation and the integrator of the run, to find errors for which the run would be refused. */
seam_status one_run_check(const sweep_plan *plan, size_t run, seam_error *error) {
  one_run self = {.plan = plan};
  mbs_integrator *integrator = NULL;
  cosim_step_plan steps;
  seam_error failure = {0};
  seam_status status = read(&self, run, error);
  if (status == SEAM_OK) {
    seam_status created = create_cosim(&self, &failure);
    if (created == SEAM_OK && self.files.simulation != NULL)
      created = cosim_step_plan_make(cosim_builder_definition(self.files.builder)->options.macro_step, self.files.end,
                                     &steps, &failure);
    THEN(created, mbs_integrator_create(self.setup.model, &seam_model_simulation(self.setup.file)->integrator,
                                        &integrator, &failure));
    mbs_integrator_destroy(integrator);
    if (created == SEAM_BAD_INPUT)
      status = seam_fail(error, created, "%s", failure.message);
  }
  free_all(&self);
  return status;
}

static seam_status fill(const one_run *self, double *row, seam_error *error) {
  const sweep_plan *plan = self->plan;
  mbs_readout *readout = NULL;
  double *last = calloc(plan->n_quantities + 1, sizeof *last);
  const seam_status status =
      last != NULL ? mbs_readout_create(self->setup.model, self->quantities, plan->n_quantities, &readout, error)
                   : out_of_memory(error);
  if (status == SEAM_OK) {
    const seam_run_facts facts = seam_run_facts_of(self->files.run);
    double *at = row + sweep_plan_figure(plan, 0);
    mbs_read(readout, self->setup.workspace, self->setup.state, last);
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
  mbs_readout_destroy(readout);
  free(last);
  return status;
}

seam_status one_run_carry_out(const sweep_plan *plan, size_t run, double *row, seam_error *ending) {
  one_run self = {.plan = plan};
  *ending = (seam_error){0};
  for (size_t i = 0; i < plan->n_columns; i++)
    row[i] = NAN;
  row[0] = (double)(run + 1);
  for (size_t i = 0; i < seam_design_n_varied(plan->design); i++)
    row[sweep_plan_varied(i)] = seam_design_value(plan->design, run, i);
  seam_status status = read(&self, run, ending);
  THEN(status, setup_assemble(&self.setup, ending));
  THEN(status, create_cosim(&self, ending));
  const seam_run_def def = {.simulation = self.files.simulation,
                            .builder = self.files.builder,
                            .quantities = self.quantities,
                            .n_quantities = plan->n_quantities};
  THEN(status, run_files_create_unsaved(&self.files, &def, ending));
  THEN(status, run_files_carry_out(&self.files, ending));
  if (status == SEAM_OK)
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
