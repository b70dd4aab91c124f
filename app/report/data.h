/* Numbers of the page as JSON: the motion, and the columns of the plots. Long tables are thinned out, with a note on
 * the page. */
#ifndef APP_REPORT_DATA_H
#define APP_REPORT_DATA_H

#include "app/report/gathered.h"
#include "base/json.h"

enum { BATCH_NUMBERS = 8000000 }; /* most numbers of a table in memory */

/* Writes "scene", "frames", "cuts" and "points" of a run; nothing if poses are missing. SEAM_NO_MEMORY,
 * SEAM_BAD_INPUT. */
seam_status motion_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

/* Writes "times" and "columns" of a run. SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status columns_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

#endif
