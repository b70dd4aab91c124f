/* Common part of compare, converge and `stability model`: a model, its schemes, the monolithic model, and files that
 * grow during the command. */
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
  double end;         /* s, of all runs */
  double whole_steps; /* integrator steps of a monolithic run; 0: not known yet */
  app_monitor monitor;
  seam_error refusal; /* error of the reference; status SEAM_OK: none */
  char *directory;
  output_file files[MAX_STUDY_FILES];
} app_study;

app_study study_begin(const app_options *parsed);

/* Reads and assembles the model, which must have an end. SEAM_BAD_INPUT, or what setup_assemble() returns. */
seam_status study_read(app_study *self, seam_error *error);

/* Assembles the monolithic model; an event that stops it early ends all runs. Errors as of setup_whole_of(), and
 * SEAM_INTERRUPTED. */
seam_status study_take_whole(app_study *self, seam_error *error);

/* Makes the folder of the command for a model, as study_folder_make(), with the effective model; opens file `which`
 * there with its head. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status study_open(app_study *self, const char *model, const char *study, seam_error *error);
seam_status study_open_file(app_study *self, size_t which, const char *name, const char *head, seam_error *error);

/* Makes the reference at macro points of length H; `work` and `later_work` as of progress_phase(). Another run checks
 * it unless `agreement` is NULL; the first refusal is printed. SEAM_INTERRUPTED, SEAM_NO_MEMORY, or what the run
 * returns. */
seam_status study_make_reference(app_study *self, double H, double work, double later_work, seam_agreement *agreement,
                                 seam_reference **made, seam_error *error);

/* Makes a run beside a reference, as seam_comparison_create(); the caller destroys *run, whatever the result. */
seam_status study_run(app_study *self, const cosim_builder *builder, const seam_reference *reference,
                      const seam_observer *observer, seam_comparison **run, seam_error *error);

/* Closes the files, writes the page of --report, and frees all. Returns the exit status of `status`, of a failure here,
 * or of the reference. */
int study_end(app_study *self, seam_status status, seam_error *error);

/* Return predicted work, for the time left, in macro steps of a scheme with one corrector. The first: of a
 * co-simulation; longer macro steps cost more, by `whole_steps`, those of a monolithic run's integrator. The second: of
 * a reference with so many macro points. */
double workload_of_scheme(const char *scheme, double macro_steps, double whole_steps);
double workload_of_reference(double macro_steps, double whole_steps);

#endif
