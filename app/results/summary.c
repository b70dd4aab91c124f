/* Extremes gathered row by row, written as JSON once the run has ended. */
#include "app/results/summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <seam/watch.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/json.h"

seam_status summary_start(app_summary *self, const mbs_model *model, seam_error *error) {
  *self = (app_summary){0};
  self->residuals = calloc(2 * mbs_n_constraints(model) + 1, sizeof *self->residuals);
  return self->residuals ? SEAM_OK : out_of_memory(error);
}

void summary_free(app_summary *self) { free(self->residuals); }

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

static void write_criteria(json_writer *json, const seam_run_verdict *verdict) {
  for (seam_criterion i = 0; i < SEAM_N_CRITERIA; i++) {
    json_open(json, seam_criterion_name(i), '{');
    json_number(json, "figure", verdict->figure[i]);
    json_number(json, "bound", verdict->bound[i]);
    json_close(json, '}');
  }
}

static void write_verdict(json_writer *json, const app_summary *self, const app_ending *ending) {
  json_open(json, "verdict", '{');
  json_string(json, "status", seam_status_text(ending->error.status));
  json_count(json, "exit_status", (size_t)ending->exit_status);
  json_string(json, "message", ending->error.message);
  json_number(json, "time", self->time);
  json_count(json, "rows", self->rows);
  json_open(json, "criteria", '{');
  if (ending->is_judged)
    write_criteria(json, &ending->verdict);
  json_close(json, '}');
  json_close(json, '}');
}

static void write_statistics(json_writer *json, const app_summary *self) {
  json_open(json, "statistics", '{');
  json_count(json, "steps", self->statistics.steps);
  json_count(json, "rejected", self->statistics.rejected);
  json_count(json, "evaluations", self->statistics.evaluations);
  json_count(json, "factorisations", self->statistics.factorisations);
  json_number(json, "smallest_step", self->statistics.smallest_step);
  json_number(json, "largest_step", self->statistics.largest_step);
  json_number(json, "wall_s", self->wall);
  json_number(json, "cpu_s", self->cpu);
  json_close(json, '}');
}

static void write_largest(json_writer *json, const char *key, const seam_largest_residual *seen,
                          const mbs_model *model) {
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

static void write_quality(json_writer *json, const app_summary *self, const mbs_model *model) {
  json_open(json, "residuals", '{');
  write_largest(json, "g", &self->record.position, model);
  write_largest(json, "gd", &self->record.velocity, model);
  json_close(json, '}');
  json_open(json, "energy", '{');
  json_number(json, "initial_total", self->record.initial_energy);
  json_number(json, "largest_kinetic", self->record.largest_kinetic);
  json_number(json, "largest_exchange", seam_run_record_exchange(&self->record));
  json_number(json, "largest_imbalance", fabs(self->record.imbalance));
  json_number(json, "relative_imbalance", fabs(self->record.imbalance) / self->record.largest_kinetic);
  json_close(json, '}');
}

static void write_peak(json_writer *json, const char *key, const app_peak *peak) {
  json_open(json, key, '{');
  json_number(json, "largest", peak->value);
  json_number(json, "time", peak->time);
  json_close(json, '}');
}

static void write_energy(json_writer *json, double energy, const app_peak *power) {
  json_number(json, "residual_energy", energy);
  write_peak(json, "residual_power", power);
}

static void write_coupling(json_writer *json, const app_cosim_run *cosim, size_t coupling) {
  static const char *const levels[SEAM_N_RESIDUAL_LEVELS] = {"g", "gd", "gdd"};
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
  for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS && cosim_coupling_is_joint(simulation, coupling); level++)
    write_peak(json, levels[level], peaks_residual(cosim->peaks, coupling, level));
  write_energy(json, cosim_coupling_energy(simulation, coupling).residual_energy, peaks_power(cosim->peaks, coupling));
  json_number(json, "created_energy", cosim_coupling_created(simulation, coupling));
  json_close(json, '}');
}

/* Of user parts. */
static void write_part_coupling(json_writer *json, const app_cosim_run *cosim, size_t coupling) {
  const cosim_coupling_def *def = cosim_part_coupling(cosim->simulation, coupling);
  const cosim_bond_energy energy = cosim_part_coupling_energy(cosim->simulation, coupling, NULL, NULL);
  json_open(json, def->name, '{');
  json_string(json, "kind", def->is_rigid ? "constraint" : "constitutive");
  json_string(json, "by", "master");
  json_open(json, "subsystems", '[');
  for (int side = 0; side < 2; side++)
    json_string(json, NULL, def->side[side].subsystem);
  json_close(json, ']');
  write_energy(json, energy.residual_energy,
               peaks_power(cosim->peaks, cosim_n_couplings(cosim->simulation) + coupling));
  json_number(json, "created_energy", energy.residual_energy);
  json_string(json, "inside_of_subsystems", "not checked");
  json_close(json, '}');
}

static void write_interfaces(json_writer *json, const app_cosim_run *cosim) {
  const size_t n_couplings = cosim_n_couplings(cosim->simulation);
  const size_t n_parts = cosim_n_part_couplings(cosim->simulation);
  const size_t n_bonds = cosim_n_bonds(cosim->simulation);
  const seam_interface_energy total = seam_interface_energy_of(cosim->simulation);
  json_open(json, "couplings", '{');
  for (size_t k = 0; k < n_couplings; k++)
    write_coupling(json, cosim, k);
  for (size_t k = 0; k < n_parts; k++)
    write_part_coupling(json, cosim, k);
  json_close(json, '}');
  json_open(json, "bonds", '{');
  for (size_t i = 0; i < n_bonds; i++) {
    json_open(json, cosim_bond_name(cosim->simulation, i), '{');
    write_energy(json, cosim_bond_energy_of(cosim->simulation, i).residual_energy,
                 peaks_power(cosim->peaks, n_couplings + n_parts + i));
    json_close(json, '}');
  }
  json_close(json, '}');
  json_open(json, "total", '{');
  write_energy(json, total.residual_energy, peaks_power(cosim->peaks, n_couplings + n_parts + n_bonds));
  json_number(json, "created_energy", total.created);
  json_close(json, '}');
}

static void write_control(json_writer *json, const cosim_step_control *control, double first) {
  json_open(json, "step_control", '{');
  json_string(json, "method", cosim_step_indicator_name(control->indicator));
  json_number(json, "tolerance", control->tolerance);
  json_number(json, "first", control->chooses_first ? NAN : fmin(fmax(first, control->shortest), control->longest));
  json_number(json, "shortest", control->shortest);
  json_number(json, "longest", control->longest);
  json_close(json, '}');
}

static double mean_step(const cosim_simulation *simulation, size_t macro_steps) {
  return macro_steps > 0 ? cosim_state(simulation)->t / (double)macro_steps : 0;
}

static void write_watched(json_writer *json, const cosim_simulation *simulation) {
  cosim_hold_error hold;
  cosim_limit_reached limit;
  if (cosim_worst_hold(simulation, &hold)) {
    json_open(json, "worst_signal", '{');
    json_string(json, "to", hold.name);
    json_count(json, "order", (size_t)hold.order);
    json_number(json, "miss", hold.share);
    json_count(json, "better_order", (size_t)hold.better);
    json_number(json, "better_miss", hold.better_share);
    json_close(json, '}');
  }
  if (cosim_most_limited(simulation, &limit)) {
    json_open(json, "limited_correction", '{');
    json_string(json, "of", limit.name);
    json_number(json, "limit", limit.limit);
    json_count(json, "macro_steps", limit.reached);
    json_close(json, '}');
  }
}

static void write_cosim(json_writer *json, const app_cosim_run *cosim, bool assumes_step) {
  const cosim_statistics statistics = cosim_statistics_of(cosim->simulation);
  const cosim_options options = cosim_options_of(cosim->builder);
  const cosim_step_control *control = cosim_builder_step_control(cosim->builder);
  json_open(json, "cosim", '{');
  json_number(json, "macro_step", options.macro_step);
  if (assumes_step)
    json_string(json, "macro_step_note",
                "assumed, not checked: neither the system nor its FMUs say one; set it by --macro-step");
  json_string(json, "sequence", options.sequence == COSIM_GAUSS_SEIDEL ? "gauss-seidel" : "jacobi");
  json_count(json, "macro_steps", statistics.macro_steps);
  json_count(json, "repeated", statistics.repeated);
  json_count(json, "with_kinks", statistics.with_kinks);
  json_count(json, "law_kinks", statistics.law_kinks);
  json_count(json, "switches", statistics.switches);
  json_count(json, "switches_inside", statistics.switches_inside);
  json_count(json, "part_events", statistics.part_events);
  json_count(json, "part_events_inside", statistics.part_events_inside);
  json_count(json, "shortened", statistics.shortened);
  json_count(json, "hidden_events", statistics.hidden_events);
  json_number(json, "law_kink_error", statistics.law_kink_error);
  json_number(json, "law_speed", statistics.law_speed);
  json_number(json, "contact_energy", statistics.contact_energy);
  json_number(json, "reaction_error", statistics.reaction_error);
  json_number(json, "largest_reaction", statistics.largest_reaction);
  json_string(json, "reactions_between_macro_points",
              cosim_takes_long_steps(cosim->simulation) ? "evaluated, not checked" : "interpolated, not checked");
  json_number(json, "shortest", statistics.shortest);
  json_number(json, "longest", statistics.longest);
  json_number(json, "mean", mean_step(cosim->simulation, statistics.macro_steps));
  if (control != NULL)
    write_control(json, control, options.macro_step);
  json_count(json, "corrections", statistics.corrections);
  json_count(json, "interface_matrices", statistics.refreshes);
  write_watched(json, cosim->simulation);
  write_interfaces(json, cosim);
  json_close(json, '}');
}

void summary_write_column(json_writer *json, const seam_column *column) {
  json_open(json, column->name, '{');
  json_string(json, "element", column->element);
  json_string(json, "quantity", column->quantity);
  json_string(json, "unit", column->unit);
  json_string(json, "meaning", column->meaning);
  json_close(json, '}');
}

/* By names, in the order of the files. */
static void write_columns(json_writer *json, const app_named_table *tables, size_t n_tables) {
  json_open(json, "columns", '{');
  for (const app_named_table *table = tables; table < tables + n_tables; table++) {
    if (table->columns == NULL)
      continue;
    json_open(json, table->name, '{');
    for (size_t i = 0; i < seam_table_n_columns(table->columns); i++)
      summary_write_column(json, seam_table_column(table->columns, i));
    json_close(json, '}');
  }
  json_close(json, '}');
}

static void write_all(FILE *file, const app_summary *self, const app_options *parsed, const app_statistics *statistics,
                      const app_setup *setup, const app_cosim_run *cosim, const app_named_table *tables,
                      size_t n_tables, const app_ending *ending) {
  json_writer json = {.file = file};
  json_open(&json, NULL, '{');
  json_open(&json, "versions", '{');
  json_string(&json, "seam", seam_version());
  json_count(&json, "summary", 2);
  json_close(&json, '}');
  write_verdict(&json, self, ending);
  if (ending->events != NULL)
    event_list_write(ending->events, &json);
  write_options(&json, parsed);
  write_statistics(&json, self);
  write_mechanism(&json, &setup->report);
  start_changes_write(&self->changes, setup->model, "assembly", &json);
  write_quality(&json, self, seam_model_mechanism(statistics->file));
  if (cosim)
    write_cosim(&json, cosim, self->assumes_step);
  statistics_write(statistics, &json);
  write_columns(&json, tables, n_tables);
  json_raw(&json, "model", seam_model_json(statistics->file));
  json_close(&json, '}');
}

seam_status summary_write(const app_summary *self, const char *path, const app_options *parsed,
                          const app_statistics *statistics, const app_setup *setup, const app_cosim_run *cosim,
                          const app_named_table *tables, size_t n_tables, const app_ending *ending, seam_error *error) {
  app_replacement out;
  if (seam_model_json(statistics->file) == NULL)
    return out_of_memory(error);
  const seam_status status = output_replace(path, &out, error);
  if (status != SEAM_OK)
    return status;
  write_all(out.file, self, parsed, statistics, setup, cosim, tables, n_tables, ending);
  return output_commit(&out, error);
}
