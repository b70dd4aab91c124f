/* Statistics that `over_run:` of the file's measures requests, and their figures of a run, for the terminal. */
#ifndef APP_RESULTS_STATISTICS_H
#define APP_RESULTS_STATISTICS_H

#include <seam/runs.h>

/* Returns true if the file requests the statistic of a quantity; writes the name of its figure, "tip.x.max". */
bool statistics_is_asked(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_name_figure(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                            size_t size);

/* Prints a line for each figure. */
void statistics_print(const seam_run_facts *facts);

/* Prints the figure with the largest uncertainty by rows, if above a hundredth of the quantity's size. */
void statistics_note(const seam_run_facts *facts);

#endif
