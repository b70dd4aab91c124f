/* Sections of summary.json. */
#ifndef RUNS_SUMMARY_H
#define RUNS_SUMMARY_H

#include <seam/runs.h>

#include "base/json.h"

/* `"ended": {"event": NAME, "t": ...}` if an event ended the run, `"events": {NAME: {"count": ..., ...}}`, and, with
 * hard contacts, `"impacts"` likewise. */
void summary_write_events(json_writer *json, const seam_run_facts *facts);

/* `"measures": {NAME: {"unit": ..., "max": {...}}}`. */
void summary_write_measures(json_writer *json, const seam_run_facts *facts);

/* `"cosim": {...}` of a co-simulated run. */
void summary_write_cosim(json_writer *json, const seam_run_facts *facts);

#endif
