/* The numbers of the page as JSON: what moves, and the columns of the plots. What has too many rows is thinned out,
 * which the page says. */
#ifndef APP_REPORT_DATA_H
#define APP_REPORT_DATA_H

#include "app/report/gathered.h"
#include "base/json.h"

enum { BATCH_NUMBERS = 8000000 }; /* of a table that are in memory at once */

/* "scene", "frames" and "cuts" of a run; nothing where poses are missing. SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status motion_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

/* "times" and "columns" of a run. SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status columns_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

#endif
