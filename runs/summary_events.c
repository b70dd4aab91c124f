/* Events and measures in the summary of a run. */
#include <math.h>
#include <stdio.h>

#include "runs/summary.h"

/* ---- Events ---- */

static void write_impact(json_writer *json, const char *name, const mbs_impact_record *of) {
  json_open(json, name, '{');
  json_count(json, "count", of->count);
  if (of->count > 0) {
    json_number(json, "first", of->first);
    json_number(json, "last", of->last);
    json_number(json, "impulse", of->normal);
    json_number(json, "friction_impulse", of->tangential);
    json_number(json, "energy_lost", of->loss);
  }
  json_close(json, '}');
}

static void write_impacts(json_writer *json, const seam_run_facts *facts) {
  const mbs_impact_record *next = facts->impacts;
  for (size_t i = 0; i < mbs_n_forces(facts->model); i++) {
    if (!mbs_force_of(facts->model, i).has_impacts)
      continue;
    if (next == facts->impacts)
      json_open(json, "impacts", '{');
    write_impact(json, mbs_force_of(facts->model, i).name, next++);
  }
  if (next != facts->impacts)
    json_close(json, '}');
}

void summary_write_events(json_writer *json, const seam_run_facts *facts) {
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
  write_impacts(json, facts);
}

/* ---- Measures ---- */

static void write_figure(json_writer *json, seam_statistic which, seam_run_figure figure) {
  json_open(json, seam_statistic_name(which), '{');
  json_number(json, "value", figure.value);
  if (!isnan(figure.time))
    json_number(json, "time", figure.time);
  json_number(json, "uncertainty", figure.uncertainty);
  json_close(json, '}');
}

void summary_write_measures(json_writer *json, const seam_run_facts *facts) {
  json_open(json, "measures", '{');
  for (size_t i = 0; i < facts->n_quantities; i++) {
    const mbs_quantity_info info = mbs_quantity_of(seam_model_mechanism(facts->file), facts->quantities[i]);
    const unsigned asked = seam_model_over_run(facts->file, facts->quantities[i].element);
    char name[256];
    snprintf(name, sizeof name, "%s%s%s", info.element, *info.name != '\0' ? "." : "", info.name);
    json_open(json, name, '{');
    json_string(json, "unit", info.unit);
    for (seam_statistic s = 0; s < SEAM_N_STATISTICS; s++)
      if (asked >> s & 1U)
        write_figure(json, s, seam_over_run_of(facts->over_run, i, s));
    json_close(json, '}');
  }
  json_close(json, '}');
}
