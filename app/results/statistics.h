/* Statistics that `over_run:` of the file's measures asks for, and what a run gathered of them, for who reads the
 * terminal. */
#ifndef APP_RESULTS_STATISTICS_H
#define APP_RESULTS_STATISTICS_H

#include <seam/runs.h>

/* Returns true if the file asks for that of a quantity of its measures, and what that is called: "tip.x.max". */
bool statistics_is_asked(const seam_model_file *file, mbs_quantity quantity, seam_statistic which);
void statistics_name_figure(const seam_model_file *file, mbs_quantity quantity, seam_statistic which, char *name,
                            size_t size);

/* A line for each figure. */
void statistics_print(const seam_run_facts *facts);

/* Prints which figure the rows leave open most, where that is more than a hundredth of the quantity's size. */
void statistics_note(const seam_run_facts *facts);

#endif
