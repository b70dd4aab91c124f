/* Common part of `compare`, `converge` and `stability model`: a model, its schemes, the monolithic model, and files to
 * which the command appends. */
#ifndef APP_STUDY_H
#define APP_STUDY_H

#include <seam/analysis.h>

#include "app/results/comparisons.h"
#include "app/results/output.h"
#include "app/schemes.h"

enum { MAX_STUDY_FILES = 4 };

typedef struct app_study {
  const app_options *parsed;
  bool quiet;
  app_setup setup, whole;
  app_schemes schemes;
  double end;         /* end of all runs, s */
  double whole_steps; /* integrator steps of a monolithic run; 0: not known yet */
  app_monitor monitor;
  seam_error refusal; /* message of a reference that its check refused; status SEAM_OK: none */
  char *directory;
  output_file files[MAX_STUDY_FILES];
} app_study;

app_study study_begin(const app_options *parsed);

/* Reads and assembles the model, which must have an end. SEAM_BAD_INPUT, or what setup_assemble() returns. */
seam_status study_read(app_study *self, seam_error *error);

/* Assembles the monolithic model. If an event stops its run before the end, all runs of the study end at the time of
 * this event. Errors as of setup_whole_of(), and SEAM_INTERRUPTED. */
seam_status study_take_whole(app_study *self, seam_error *error);

/* The first makes the folder of the command by study_folder_make() and writes the effective model there as model.json.
 * The second opens self->files[which] there and writes its head. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status study_open(app_study *self, const char *model, const char *study, seam_error *error);
seam_status study_open_file(app_study *self, size_t which, const char *name, const char *head, seam_error *error);

/* Makes the reference, with macro points at intervals H; `work` and `later_work` as of progress_phase(). If `agreement`
 * is not NULL, another run checks the reference; the first refusal is printed. SEAM_INTERRUPTED, SEAM_NO_MEMORY, or
 * what the run returns. */
seam_status study_make_reference(app_study *self, double H, double work, double later_work, seam_agreement *agreement,
                                 seam_reference **made, seam_error *error);

/* Runs a co-simulation and compares it with a reference by seam_comparison_create(). The caller destroys *run, whatever
 * the result. */
seam_status study_run(app_study *self, const cosim_builder *builder, const seam_reference *reference,
                      const seam_observer *observer, seam_comparison **run, seam_error *error);

/* Closes the files, writes the report of --report, and frees all. Returns the exit status of `status`, of a failure in
 * this function or, if both are successes, of self->refusal. */
int study_end(app_study *self, seam_status status, seam_error *error);

/* Return the predicted work of a co-simulation with `macro_steps` macro steps, and of a reference with as many macro
 * points. The unit is a macro step of ff-k1. Both include `whole_steps`, the integrator steps of a monolithic run. */
double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps);
double workload_of_reference(double macro_steps, double whole_steps);

#endif
