/* summary.json (docs/cli.md): the end of a run, and results of its states, measures and couplings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/dotted.h"
#include "base/memory_stream.h"
#include "base/then.h"
#include "cosim/coupling/hold_errors.h"
#include "runs/column_json.h"
#include "runs/run.h"

static void write_texts(json_writer *json, const char *key, const char *const *texts, size_t n) {
  json_open(json, key, '[');
  for (size_t i = 0; i < n; i++)
    json_string(json, NULL, texts[i]);
  json_close(json, ']');
}

static void write_deviation(json_writer *json, const char *key, const seam_deviation *of, double bound) {
  json_open(json, key, '{');
  json_number(json, "bound", bound);
  json_string(json, "why", of->why);
  if (of->by != SEAM_TRUTH_NONE) {
    json_string(json, "quantity", of->quantity);
    json_number(json, "time", of->time);
    json_number(json, "value", of->value);
    json_string(json, "unit", of->unit);
    json_number(json, "of_travel", of->of_travel);
    json_string(json, "by", seam_truth_text(of->by));
    if (of->of_least)
      json_string(json, "travel", "least that counts");
    if (of->is_bound)
      json_string(json, "relation", "<");
    if (of->diverges)
      json_string(json, "relation", "diverges");
    json_number(json, "confirmed", of->confirmed);
    json_number(json, "until", of->until);
  }
  json_close(json, '}');
}

static void write_verdict(json_writer *json, const seam_run_facts *facts) {
  const seam_run_verdict *verdict = facts->verdict;
  const bool is_done = facts->status == SEAM_OK || facts->status == SEAM_WRONG;
  json_open(json, "verdict", '{');
  json_string(json, "status", seam_status_text(is_done ? SEAM_OK : facts->status));
  json_string(json, "word", verdict != NULL && is_done ? seam_word_text(verdict->word) : "");
  json_count(json, "exit_status", (size_t)facts->exit_status);
  json_string(json, "message", facts->message != NULL ? facts->message : "");
  json_number(json, "time", facts->time);
  json_count(json, "rows", facts->rows);
  if (verdict != NULL && is_done) {
    char text[1024];
    seam_verdict_say(verdict, text, sizeof text);
    json_string(json, "text", text);
    write_deviation(json, "error", &verdict->error, verdict->bounds.rough);
    if (verdict->forces.by != SEAM_TRUTH_NONE)
      write_deviation(json, "forces", &verdict->forces, verdict->bounds.rough);
    json_open(json, "energy", '{');
    json_number(json, "made", verdict->energy);
    json_number(json, "moved", verdict->moved);
    json_number(json, "bound", verdict->bounds.energy);
    json_number(json, "allowed", verdict->energy_bound);
    json_close(json, '}');
    json_open(json, "constraints", '{');
    json_number(json, "g", facts->record->position.value);
    json_number(json, "g_bound", verdict->position_bound);
    json_number(json, "gd", facts->record->velocity.value);
    json_number(json, "gd_bound", verdict->velocity_bound);
    json_close(json, '}');
  }
  json_close(json, '}');
}

static void write_largest(json_writer *json, const char *key, const seam_largest_residual *seen,
                          const mbs_model *model) {
  json_open(json, key, '{');
  json_number(json, "largest", seen->value);
  if (seen->value > 0) {
    json_string(json, "joint", mbs_joint_of(model, mbs_constraint_of(model, seen->constraint).joint).name);
    json_string(json, "constraint", mbs_constraint_of(model, seen->constraint).name);
    json_number(json, "time", seen->time);
  }
  json_close(json, '}');
}

static void write_events(json_writer *json, const seam_run_facts *facts) {
  if (facts->ended != NULL) {
    json_open(json, "ended", '{');
    json_string(json, "event", mbs_event_of(facts->model, facts->ended->number).name);
    json_number(json, "t", facts->ended->time);
    json_close(json, '}');
  }
  if (facts->ended_by != NULL) {
    json_open(json, "ended", '{');
    json_string(json, "subsystem", facts->ended_by);
    json_number(json, "t", facts->time);
    json_close(json, '}');
  }
  json_open(json, "events", '{');
  for (size_t i = 0; i < mbs_n_events(facts->model); i++) {
    const mbs_event_record record = mbs_event_record_of(facts->watched, i);
    json_open(json, mbs_event_of(facts->model, i).name, '{');
    json_count(json, "count", record.count);
    if (record.count > 0) {
      json_number(json, "first", record.first);
      json_number(json, "last", record.last);
    }
    json_close(json, '}');
  }
  json_close(json, '}');
  const mbs_impact_record *next = facts->impacts;
  for (size_t i = 0; i < mbs_n_forces(facts->model); i++) {
    if (!mbs_force_of(facts->model, i).has_impacts)
      continue;
    if (next == facts->impacts)
      json_open(json, "impacts", '{');
    json_open(json, mbs_force_of(facts->model, i).name, '{');
    json_count(json, "count", next->count);
    if (next->count > 0) {
      json_number(json, "first", next->first);
      json_number(json, "last", next->last);
      json_number(json, "impulse", next->normal);
      json_number(json, "friction_impulse", next->tangential);
      json_number(json, "energy_lost", next->loss);
    }
    json_close(json, '}');
    next++;
  }
  if (next != facts->impacts)
    json_close(json, '}');
}

/* The error of a statistic is its difference from the same statistic of the second run. It is at least the uncertainty
 * of the second run's statistic. */
seam_run_figure seam_run_figure_of(const seam_run_facts *facts, size_t i, seam_statistic which) {
  seam_run_figure figure = seam_over_run_of(facts != NULL ? facts->over_run : NULL, i, which);
  if (facts == NULL || facts->checked == NULL)
    return figure;
  const seam_run_figure checked = seam_over_run_of(facts->checked, i, which);
  figure.error = isnan(checked.uncertainty) ? NAN : fmax(fabs(figure.value - checked.value), checked.uncertainty);
  return figure;
}

static void write_measures(json_writer *json, const seam_run_facts *facts) {
  json_open(json, "measures", '{');
  for (size_t i = 0; i < facts->n_quantities; i++) {
    const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(facts->file), facts->quantities[i]);
    const unsigned asked = seam_model_over_run(facts->file, facts->quantities[i].element);
    char name[256];
    dotted_name(info.element, info.name, name, sizeof name);
    json_open(json, name, '{');
    json_string(json, "unit", info.unit);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++)
      if (asked >> s & 1U) {
        const seam_run_figure figure = seam_run_figure_of(facts, i, s);
        json_open(json, seam_statistic_name(s), '{');
        json_number(json, "value", figure.value);
        if (!isnan(figure.time))
          json_number(json, "time", figure.time);
        json_number(json, "uncertainty", figure.uncertainty);
        json_number(json, "error", figure.error);
        json_close(json, '}');
      }
    json_close(json, '}');
  }
  json_close(json, '}');
}

static void write_peak(json_writer *json, const char *key, const run_peak *peak) {
  json_open(json, key, '{');
  json_number(json, "largest", peak->value);
  json_number(json, "time", peak->time);
  json_close(json, '}');
}

static void write_energy(json_writer *json, double energy, const run_peak *power) {
  json_number(json, "residual_energy", energy);
  write_peak(json, "residual_power", power);
}

static void write_coupling(json_writer *json, const seam_run_facts *facts, size_t coupling) {
  static const char *const levels[SEAM_N_RESIDUAL_LEVELS] = {"g", "gd", "gdd"};
  const cosim_simulation *simulation = facts->simulation;
  const cosim_coupling_info info = cosim_coupling_of(simulation, coupling);
  json_open(json, info.name, '{');
  json_string(json, "kind", info.is_joint ? "constraint" : "constitutive");
  json_string(json, "scheme", info.scheme);
  json_string(json, "by", info.is_exchanged ? "exchange" : "master");
  const cosim_subsystem_def *subsystems = cosim_builder_definition(facts->builder)->subsystems;
  const char *const names[] = {subsystems[info.subsystems[0]].name, subsystems[info.subsystems[1]].name};
  write_texts(json, "subsystems", names, 2);
  for (int level = 0; level < SEAM_N_RESIDUAL_LEVELS && info.is_joint; level++)
    write_peak(json, levels[level], &facts->peaks->residual[coupling][level]);
  write_energy(json, cosim_coupling_energy(simulation, coupling).residual_energy, &facts->peaks->power[coupling]);
  json_number(json, "created_energy", cosim_coupling_created(simulation, coupling));
  json_close(json, '}');
}

static void write_part_coupling(json_writer *json, const seam_run_facts *facts, size_t coupling) {
  const cosim_coupling_def *def = cosim_part_coupling(facts->simulation, coupling);
  const cosim_bond_energy energy = cosim_part_coupling_energy(facts->simulation, coupling);
  json_open(json, def->name, '{');
  json_string(json, "kind", def->is_rigid ? "constraint" : "constitutive");
  json_string(json, "by", "master");
  write_texts(json, "subsystems", (const char *const[]){def->side[0].subsystem, def->side[1].subsystem}, 2);
  write_energy(json, energy.residual_energy, &facts->peaks->power[cosim_n_couplings(facts->simulation) + coupling]);
  json_number(json, "created_energy", energy.residual_energy);
  json_string(json, "inside_of_subsystems", "not checked");
  json_close(json, '}');
}

static void write_interfaces(json_writer *json, const seam_run_facts *facts) {
  const size_t n_couplings = cosim_n_couplings(facts->simulation);
  const size_t n_parts = cosim_n_part_couplings(facts->simulation);
  const size_t n_bonds = cosim_n_bonds(facts->simulation);
  const seam_interface_energy total = seam_interface_energy_of(facts->simulation);
  json_open(json, "couplings", '{');
  for (size_t k = 0; k < n_couplings; k++)
    write_coupling(json, facts, k);
  for (size_t k = 0; k < n_parts; k++)
    write_part_coupling(json, facts, k);
  json_close(json, '}');
  json_open(json, "bonds", '{');
  for (size_t i = 0; i < n_bonds; i++) {
    json_open(json, cosim_bond_name(facts->simulation, i), '{');
    write_energy(json, cosim_bond_energy_of(facts->simulation, i).residual_energy,
                 &facts->peaks->power[n_couplings + n_parts + i]);
    json_close(json, '}');
  }
  json_close(json, '}');
  json_open(json, "total", '{');
  write_energy(json, total.residual_energy, &facts->peaks->power[n_couplings + n_parts + n_bonds]);
  json_number(json, "created_energy", total.created);
  json_number(json, "integration_energy", facts->record->integration);
  json_close(json, '}');
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

static void write_cosim(json_writer *json, const seam_run_facts *facts) {
  const cosim_statistics statistics = cosim_statistics_of(facts->simulation);
  const cosim_options options = cosim_builder_definition(facts->builder)->options;
  const cosim_step_control *control = cosim_builder_definition(facts->builder)->step_control;
  json_open(json, "cosim", '{');
  json_number(json, "macro_step", options.macro_step);
  if (facts->assumes_macro_step)
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
  json_string(json, "reactions_between_macro_points",
              cosim_takes_long_steps(facts->simulation) ? "evaluated, not checked" : "interpolated, not checked");
  json_number(json, "shortest", statistics.shortest);
  json_number(json, "longest", statistics.longest);
  json_number(json, "mean",
              statistics.macro_steps > 0 ? cosim_state(facts->simulation)->t / (double)statistics.macro_steps : 0);
  if (control != NULL) {
    const double first = fmin(fmax(options.macro_step, control->shortest), control->longest);
    json_open(json, "step_control", '{');
    json_string(json, "method", cosim_step_indicator_name(control->indicator));
    json_number(json, "tolerance", control->tolerance);
    json_number(json, "first", control->chooses_first ? NAN : first);
    json_number(json, "shortest", control->shortest);
    json_number(json, "longest", control->longest);
    json_close(json, '}');
  }
  json_count(json, "corrections", statistics.corrections);
  json_count(json, "interface_matrices", statistics.refreshes);
  write_watched(json, facts->simulation);
  write_interfaces(json, facts);
  json_close(json, '}');
}

const char *seam_run_table_name(seam_run_table table) {
  static const char *const names[SEAM_N_RUN_TABLES] = {"trajectory", "couplings", "signals", "events"};
  return (unsigned)table < SEAM_N_RUN_TABLES ? names[table] : NULL;
}

/* Writes the columns of all tables by name, in the order of the results files. */
static void write_columns(json_writer *json, const seam_table *const *tables) {
  json_open(json, "columns", '{');
  for (seam_run_table k = 0; k < SEAM_N_RUN_TABLES; k++) {
    if (tables[k] == NULL)
      continue;
    json_open(json, seam_run_table_name(k), '{');
    for (size_t i = 0; i < seam_table_n_columns(tables[k]); i++)
      column_write_json(json, seam_table_column(tables[k], i));
    json_close(json, '}');
  }
  json_close(json, '}');
}

static void write_all(FILE *file, const seam_run_facts *facts) {
  const mbs_statistics *statistics = facts->statistics;
  const mbs_assembly *assembly = facts->assembly;
  const seam_run_record *record = facts->record;
  const mbs_model *mechanism = seam_model_mechanism(facts->file);
  json_writer json = {.file = file};
  json_open(&json, NULL, '{');
  json_open(&json, "versions", '{');
  json_string(&json, "seam", seam_version());
  json_count(&json, "summary", 2);
  json_close(&json, '}');
  write_verdict(&json, facts);
  write_events(&json, facts);
  if (facts->arguments != NULL)
    write_texts(&json, "arguments", facts->arguments, facts->n_arguments);
  write_texts(&json, "overrides", facts->overrides, facts->n_overrides);
  json_open(&json, "statistics", '{');
  json_count(&json, "steps", statistics->steps);
  json_count(&json, "rejected", statistics->rejected);
  json_count(&json, "evaluations", statistics->evaluations);
  json_count(&json, "factorisations", statistics->factorisations);
  json_number(&json, "smallest_step", statistics->smallest_step);
  json_number(&json, "largest_step", statistics->largest_step);
  json_number(&json, "wall_s", facts->wall);
  json_number(&json, "cpu_s", facts->cpu);
  json_close(&json, '}');
  json_open(&json, "mechanism", '{');
  json_count(&json, "degrees_of_freedom", assembly->degrees_of_freedom);
  json_count(&json, "redundant_constraints", assembly->n_redundant);
  json_count(&json, "undetermined_contacts", facts->n_undetermined);
  json_string(&json, "reactions", assembly->n_redundant + facts->n_undetermined > 0 ? "least norm" : "unique");
  json_close(&json, '}');
  json_open(&json, "assembly", '[');
  for (const seam_start_change *change = facts->changes->list; change < facts->changes->list + facts->changes->n;
       change++) {
    json_open(&json, NULL, '{');
    json_string(&json, "body", mbs_body_of(facts->model, change->body).name);
    json_string(&json, "coordinate", seam_start_coordinate(change->coordinate));
    json_number(&json, "before", change->before);
    json_number(&json, "after", change->after);
    json_string(&json, "unit", seam_start_coordinate_unit(change->coordinate));
    json_close(&json, '}');
  }
  json_close(&json, ']');
  json_open(&json, "residuals", '{');
  write_largest(&json, "g", &record->position, mechanism);
  write_largest(&json, "gd", &record->velocity, mechanism);
  json_close(&json, '}');
  json_open(&json, "energy", '{');
  json_number(&json, "initial_total", record->initial_energy);
  json_number(&json, "largest_kinetic", record->largest_kinetic);
  json_number(&json, "largest_exchange", seam_run_record_exchange(record));
  json_number(&json, "largest_imbalance", fabs(record->imbalance));
  json_number(&json, "relative_imbalance", fabs(record->imbalance) / record->largest_kinetic);
  json_close(&json, '}');
  if (facts->simulation != NULL)
    write_cosim(&json, facts);
  write_measures(&json, facts);
  write_columns(&json, facts->tables);
  json_raw(&json, "model", seam_model_json(facts->file));
  json_close(&json, '}');
}

seam_status seam_run_summary(const seam_run_facts *facts, char **text, seam_error *error) {
  ARGUMENTS(error, facts, text);
  ARGUMENTS(error, facts->file, facts->model, facts->assembly, facts->changes, facts->record, facts->statistics);
  char *made = NULL;
  size_t size = 0;
  FILE *stream = seam_model_json(facts->file) != NULL ? memory_stream_open(&made, &size) : NULL;
  if (stream != NULL)
    write_all(stream, facts);
  TRY(seam_check_memory(memory_stream_close(stream, &made), error));
  *text = made;
  return SEAM_OK;
}
