/* Extremes gathered row by row, written as JSON once the run has ended. */
#include "app/results/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/results/output.h"
#include "base/json.h"

seam_status summary_start(app_summary *made, const mbs_model *model, seam_error *error) {
  *made = (app_summary){0};
  made->residuals = calloc(2 * mbs_n_constraints(model) + 1, sizeof *made->residuals);
  return made->residuals ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted");
}

void summary_free(app_summary *made) { free(made->residuals); }

static void update_largest(app_largest *seen, const double *values, size_t n, double time) {
  for (size_t i = 0; i < n; i++)
    if (fabs(values[i]) > seen->value)
      *seen = (app_largest){.value = fabs(values[i]), .constraint = i, .time = time};
}

void summary_add(app_summary *made, const mbs_model *model, mbs_workspace *workspace, const mbs_state *state,
                 const mbs_energy *energy) {
  const size_t m = mbs_n_constraints(model);
  mbs_residuals(workspace, state, made->residuals, made->residuals + m, NULL);
  update_largest(&made->position_residual, made->residuals, m, state->t);
  update_largest(&made->velocity_residual, made->residuals + m, m, state->t);

  const double supplied = energy->driven - energy->dissipated;
  if (made->rows == 0)
    made->initial_energy = energy->total - supplied;
  made->largest_kinetic = fmax(made->largest_kinetic, energy->kinetic);
  made->largest_imbalance = fmax(made->largest_imbalance, fabs(energy->total - supplied - made->initial_energy));
  made->time = state->t;
  made->rows++;
}

static void write_options(json_writer *json, const app_options *parsed) {
  json_open(json, "arguments", '[');
  for (int i = 0; i < parsed->n_arguments; i++)
    json_string(json, NULL, parsed->arguments[i]);
  json_close(json, ']');
  json_open(json, "overrides", '[');
  for (size_t i = 0; i < parsed->n_overrides; i++)
    json_string(json, NULL, parsed->overrides[i]);
  json_close(json, ']');
}

static void write_verdict(json_writer *json, const app_summary *made, const seam_error *verdict) {
  json_open(json, "verdict", '{');
  json_string(json, "status", seam_status_text(verdict->status));
  json_count(json, "exit_status", (size_t)seam_status_exit(verdict->status));
  json_string(json, "message", verdict->message);
  json_number(json, "time", made->time);
  json_count(json, "rows", made->rows);
  json_close(json, '}');
}

static void write_statistics(json_writer *json, const app_summary *made) {
  json_open(json, "statistics", '{');
  json_count(json, "steps", made->statistics.steps);
  json_count(json, "rejected", made->statistics.rejected);
  json_count(json, "evaluations", made->statistics.evaluations);
  json_count(json, "factorisations", made->statistics.factorisations);
  json_number(json, "smallest_step", made->statistics.smallest_step);
  json_number(json, "largest_step", made->statistics.largest_step);
  json_number(json, "wall_s", made->wall);
  json_number(json, "cpu_s", made->cpu);
  json_close(json, '}');
}

static void write_largest(json_writer *json, const char *key, const app_largest *seen, const mbs_model *model) {
  json_open(json, key, '{');
  json_number(json, "largest", seen->value);
  if (seen->value > 0) {
    json_string(json, "joint", mbs_joint_name(model, mbs_constraint_joint(model, seen->constraint)));
    json_string(json, "constraint", mbs_constraint_name(model, seen->constraint));
    json_number(json, "time", seen->time);
  }
  json_close(json, '}');
}

static void write_mechanism(json_writer *json, const mbs_assembly *assembly) {
  json_open(json, "mechanism", '{');
  json_count(json, "degrees_of_freedom", assembly->degrees_of_freedom);
  json_count(json, "redundant_constraints", assembly->n_redundant);
  json_string(json, "reactions", assembly->n_redundant > 0 ? "least norm" : "unique");
  json_close(json, '}');
}

static void write_quality(json_writer *json, const app_summary *made, const mbs_model *model) {
  json_open(json, "residuals", '{');
  write_largest(json, "g", &made->position_residual, model);
  write_largest(json, "gd", &made->velocity_residual, model);
  json_close(json, '}');
  json_open(json, "energy", '{');
  json_number(json, "initial_total", made->initial_energy);
  json_number(json, "largest_kinetic", made->largest_kinetic);
  json_number(json, "largest_imbalance", made->largest_imbalance);
  json_number(json, "relative_imbalance", made->largest_imbalance / made->largest_kinetic);
  json_close(json, '}');
}

static void write_peak(json_writer *json, const char *key, const app_peak *peak) {
  json_open(json, key, '{');
  json_number(json, "largest", peak->value);
  json_number(json, "time", peak->time);
  json_close(json, '}');
}

static void write_energy(json_writer *json, cosim_bond_energy energy, const app_peak *power) {
  json_number(json, "residual_energy", energy.residual_energy);
  write_peak(json, "residual_power", power);
}

static void write_coupling(json_writer *json, const app_cosim_run *cosim, size_t coupling) {
  static const char *const levels[COUPLINGS_LEVELS] = {"g", "gd", "gdd"};
  const cosim_simulation *simulation = cosim->simulation;
  size_t subsystems[2];
  cosim_coupling_subsystems(simulation, coupling, subsystems);
  json_open(json, cosim_coupling_name(simulation, coupling), '{');
  json_string(json, "kind", cosim_coupling_is_joint(simulation, coupling) ? "constraint" : "constitutive");
  json_string(json, "scheme", cosim_coupling_scheme(simulation, coupling));
  json_string(json, "by", cosim_coupling_is_exchanged(simulation, coupling) ? "exchange" : "master");
  json_open(json, "subsystems", '[');
  for (int side = 0; side < 2; side++)
    json_string(json, NULL, cosim_builder_subsystem(cosim->builder, subsystems[side])->name);
  json_close(json, ']');
  for (int level = 0; level < COUPLINGS_LEVELS && cosim_coupling_is_joint(simulation, coupling); level++)
    write_peak(json, levels[level], couplings_peak(cosim->couplings, coupling, level));
  write_energy(json, cosim_coupling_energy(simulation, coupling), couplings_peak_power(cosim->couplings, coupling));
  json_number(json, "created_energy", cosim_coupling_created(simulation, coupling));
  json_close(json, '}');
}

static void write_interfaces(json_writer *json, const app_cosim_run *cosim) {
  const size_t n_couplings = cosim_n_couplings(cosim->simulation);
  const size_t n_bonds = cosim_n_bonds(cosim->simulation);
  json_open(json, "couplings", '{');
  for (size_t k = 0; k < n_couplings; k++)
    write_coupling(json, cosim, k);
  json_close(json, '}');
  json_open(json, "bonds", '{');
  for (size_t i = 0; i < n_bonds; i++) {
    json_open(json, cosim_bond_name(cosim->simulation, i), '{');
    write_energy(json, cosim_bond_energy_of(cosim->simulation, i),
                 couplings_peak_power(cosim->couplings, n_couplings + i));
    json_close(json, '}');
  }
  json_close(json, '}');
  json_open(json, "total", '{');
  write_energy(json, couplings_total(cosim->simulation), couplings_peak_power(cosim->couplings, n_couplings + n_bonds));
  json_number(json, "created_energy", couplings_created(cosim->simulation));
  json_close(json, '}');
}

static void write_cosim(json_writer *json, const app_cosim_run *cosim) {
  const cosim_statistics statistics = cosim_statistics_of(cosim->simulation);
  const cosim_options options = cosim_options_of(cosim->builder);
  json_open(json, "cosim", '{');
  json_number(json, "macro_step", options.macro_step);
  json_string(json, "sequence", options.sequence == COSIM_GAUSS_SEIDEL ? "gauss-seidel" : "jacobi");
  json_count(json, "macro_steps", statistics.macro_steps);
  json_count(json, "repeated", statistics.repeated);
  json_number(json, "shortest", statistics.shortest);
  json_number(json, "longest", statistics.longest);
  json_count(json, "corrections", statistics.corrections);
  json_count(json, "interface_matrices", statistics.refreshes);
  write_interfaces(json, cosim);
  json_close(json, '}');
}

static void write_all(FILE *file, const app_summary *made, const app_options *parsed, const seam_model_file *model_file,
                      const mbs_assembly *assembly, const app_cosim_run *cosim, const seam_error *verdict) {
  json_writer json = {.file = file};
  json_open(&json, NULL, '{');
  json_open(&json, "versions", '{');
  json_string(&json, "seam", seam_version());
  json_count(&json, "summary", 1);
  json_close(&json, '}');
  write_verdict(&json, made, verdict);
  write_options(&json, parsed);
  write_statistics(&json, made);
  write_mechanism(&json, assembly);
  write_quality(&json, made, seam_model_mechanism(model_file));
  if (cosim)
    write_cosim(&json, cosim);
  json_raw(&json, "model", seam_model_json(model_file));
  json_close(&json, '}');
}

seam_status summary_write(const app_summary *made, const char *path, const app_options *parsed,
                          const seam_model_file *file, const mbs_assembly *assembly, const app_cosim_run *cosim,
                          const seam_error *verdict, seam_error *error) {
  app_replacement out;
  const seam_status status = output_replace(path, &out, error);
  if (status != SEAM_OK)
    return status;
  write_all(out.file, made, parsed, file, assembly, cosim, verdict);
  return output_commit(&out, error);
}
