/* Prints statistics over a run. The model file requests them by the key `over_run` of its measures. */
#ifndef APP_RESULTS_STATISTICS_H
#define APP_RESULTS_STATISTICS_H

#include <seam/runs.h>

/* statistics_is_requested() returns true if the file requests this statistic of the quantity. statistics_write_name()
 * writes the name of the statistic, as "tip.x.max". */
bool statistics_is_requested(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_write_name(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                           size_t size);

/* Prints a line for each requested statistic. */
void statistics_print(const seam_run_facts *facts);

/* Prints a note about the requested statistic with the largest uncertainty, if this exceeds a hundredth of the size of
 * its quantity. */
void statistics_note(const seam_run_facts *facts);

#endif
