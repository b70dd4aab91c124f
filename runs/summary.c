/* summary.json (docs/cli.md): the end of a run, and the results of its states, measures and couplings. */
#include "runs/summary.h"
#include "runs/column_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/argument.h"
#include "base/memory_stream.h"

static void write_deviation(json_writer *json, const char *key, const seam_deviation *of, double bound) {
  json_open(json, key, '{');
  json_number(json, "bound", bound);
  json_string(json, "why", of->why);
  if (of->by == SEAM_TRUTH_NONE) {
    json_close(json, '}');
    return;
  }
  json_string(json, "quantity", of->quantity);
  json_number(json, "time", of->time);
  json_number(json, "value", of->value);
  json_string(json, "unit", of->unit);
  json_number(json, "of_travel", of->of_travel);
  json_string(json, "by", seam_truth_text(of->by));
  if (of->is_bound)
    json_string(json, "relation", "<");
  if (of->diverges)
    json_string(json, "relation", "diverges");
  json_number(json, "confirmed", of->confirmed);
  json_number(json, "until", of->until);
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

static void write_texts(json_writer *json, const char *key, const char *const *texts, size_t n) {
  json_open(json, key, '[');
  for (size_t i = 0; i < n; i++)
    json_string(json, NULL, texts[i]);
  json_close(json, ']');
}

static void write_statistics(json_writer *json, const seam_run_facts *facts) {
  const mbs_statistics *statistics = facts->statistics;
  json_open(json, "statistics", '{');
  json_count(json, "steps", statistics->steps);
  json_count(json, "rejected", statistics->rejected);
  json_count(json, "evaluations", statistics->evaluations);
  json_count(json, "factorisations", statistics->factorisations);
  json_number(json, "smallest_step", statistics->smallest_step);
  json_number(json, "largest_step", statistics->largest_step);
  json_number(json, "wall_s", facts->wall);
  json_number(json, "cpu_s", facts->cpu);
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

static void write_mechanism(json_writer *json, const seam_run_facts *facts) {
  const mbs_assembly *assembly = facts->assembly;
  const bool is_choice = assembly->n_redundant + facts->n_undetermined > 0;
  json_open(json, "mechanism", '{');
  json_count(json, "degrees_of_freedom", assembly->degrees_of_freedom);
  json_count(json, "redundant_constraints", assembly->n_redundant);
  json_count(json, "undetermined_contacts", facts->n_undetermined);
  json_string(json, "reactions", is_choice ? "least norm" : "unique");
  json_close(json, '}');
}

static void write_quality(json_writer *json, const seam_run_record *record, const mbs_model *model) {
  json_open(json, "residuals", '{');
  write_largest(json, "g", &record->position, model);
  write_largest(json, "gd", &record->velocity, model);
  json_close(json, '}');
  json_open(json, "energy", '{');
  json_number(json, "initial_total", record->initial_energy);
  json_number(json, "largest_kinetic", record->largest_kinetic);
  json_number(json, "largest_exchange", seam_run_record_exchange(record));
  json_number(json, "largest_imbalance", fabs(record->imbalance));
  json_number(json, "relative_imbalance", fabs(record->imbalance) / record->largest_kinetic);
  json_close(json, '}');
}

static void write_changes(json_writer *json, const seam_start_changes *changes, const mbs_model *model) {
  json_open(json, "assembly", '[');
  for (const seam_start_change *change = changes->list; change < changes->list + changes->n; change++) {
    json_open(json, NULL, '{');
    json_string(json, "body", mbs_body_of(model, change->body).name);
    json_string(json, "coordinate", seam_start_coordinate(change->coordinate));
    json_number(json, "before", change->before);
    json_number(json, "after", change->after);
    json_string(json, "unit", seam_start_coordinate_unit(change->coordinate));
    json_close(json, '}');
  }
  json_close(json, ']');
}

/* ---- Columns ---- */

const char *seam_run_table_name(seam_run_table table) {
  static const char *const names[SEAM_N_RUN_TABLES] = {"trajectory", "couplings", "signals", "events"};
  return (unsigned)table < SEAM_N_RUN_TABLES ? names[table] : NULL;
}

/* Writes the columns by their names, in the order of the files. */
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

/* ---- The whole summary ---- */

static void write_all(FILE *file, const seam_run_facts *facts) {
  json_writer json = {.file = file};
  json_open(&json, NULL, '{');
  json_open(&json, "versions", '{');
  json_string(&json, "seam", seam_version());
  json_count(&json, "summary", 2);
  json_close(&json, '}');
  write_verdict(&json, facts);
  summary_write_events(&json, facts);
  if (facts->arguments != NULL)
    write_texts(&json, "arguments", facts->arguments, facts->n_arguments);
  write_texts(&json, "overrides", facts->overrides, facts->n_overrides);
  write_statistics(&json, facts);
  write_mechanism(&json, facts);
  write_changes(&json, facts->changes, facts->model);
  write_quality(&json, facts->record, seam_model_mechanism(facts->file));
  if (facts->simulation != NULL)
    summary_write_cosim(&json, facts);
  summary_write_measures(&json, facts);
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
  bool failed = stream == NULL;
  if (!failed) {
    write_all(stream, facts);
    failed = ferror(stream) != 0;
    failed = fclose(stream) != 0 || made == NULL || failed;
  }
  if (failed) {
    free(made);
    return seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  }
  *text = made;
  return SEAM_OK;
}
