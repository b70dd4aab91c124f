/* A table's column as JSON, for summaries of runs and sweeps. The function is inline because the command-line program
 * can link only public symbols of the library. */
#ifndef RUNS_COLUMN_JSON_H
#define RUNS_COLUMN_JSON_H

#include <seam/results.h>

#include "base/json.h"

/* Writes an object whose key is the column's name. */
static inline void column_write_json(json_writer *json, const seam_column *column) {
  json_open(json, column->name, '{');
  json_string(json, "element", column->element);
  json_string(json, "quantity", column->quantity);
  json_string(json, "unit", column->unit);
  json_string(json, "meaning", column->meaning);
  json_close(json, '}');
}

#endif
