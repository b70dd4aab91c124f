/* What `over_run:` of the file's measures asks for: gathered row by row. */
#ifndef APP_RESULTS_STATISTICS_H
#define APP_RESULTS_STATISTICS_H

#include <seam/models.h>
#include <seam/results.h>

typedef struct app_statistics {
  const seam_model_file *file;
  mbs_quantity *quantities; /* (n) */
  size_t n;
  seam_over_run *over_run;
} app_statistics;

/* Goes on from an image of seam_over_run_save(), or begins (NULL). Free with statistics_free(), whatever the result.
 * SEAM_BAD_STATE, SEAM_NO_MEMORY. */
seam_status statistics_start(app_statistics *self, const seam_model_file *file, const void *image, size_t size,
                             seam_error *error);
/* Begins with these quantities, whatever the file asks for. */
seam_status statistics_start_of(app_statistics *self, const seam_model_file *file, const mbs_quantity *quantities,
                                size_t n, seam_error *error);
void statistics_free(app_statistics *self);

/* Whether the file asks for that of quantity i, and what that is called: "tip.x.max". */
bool statistics_is_asked(const app_statistics *self, size_t i, seam_statistic which);
void statistics_name_figure(const app_statistics *self, size_t i, seam_statistic which, char *name, size_t size);

/* A line for each figure. */
void statistics_print(const app_statistics *self);

/* Prints which figure the rows leave open most, where that is more than a hundredth of the quantity's size. */
void statistics_note(const app_statistics *self);

#endif
