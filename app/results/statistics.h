/* Prints statistics of quantities over a run that measures in the model file request by `over_run`. */
#ifndef APP_RESULTS_STATISTICS_H
#define APP_RESULTS_STATISTICS_H

#include <seam/runs.h>

/* The first returns true if the file requests the statistic of a quantity, the second writes its name, "tip.x.max". */
bool statistics_is_asked(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_name_figure(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                            size_t size);

/* Prints a line for each requested statistic. */
void statistics_print(const seam_run_facts *facts);

/* Prints a note on the most uncertain of the requested statistics, if more than a hundredth of the quantity's size is
 * uncertain. */
void statistics_note(const seam_run_facts *facts);

#endif
