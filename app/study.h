/* A study of `compare`, `converge` or `stability model`: a model, its schemes, the monolithic model, and tables to
 * which the command appends. */
#ifndef APP_STUDY_H
#define APP_STUDY_H

#include <seam/analysis.h>

#include "app/results/comparisons.h"
#include "app/results/output.h"
#include "app/schemes.h"
#include "base/arena.h"

enum { MAX_STUDY_FILES = 4 };

typedef struct app_study {
  const app_options *parsed;
  bool quiet;
  app_setup setup, monolithic;
  app_schemes schemes;
  double end;              /* s, end of all runs */
  double monolithic_steps; /* integrator steps of a monolithic run; 0: not known yet */
  app_monitor monitor;
  seam_error refusal; /* last check of a reference; SEAM_OK: passed, or none */
  char *directory;
  output_file files[MAX_STUDY_FILES];
  arena memory; /* of the command, until study_end() */
} app_study;

app_study study_begin(const app_options *parsed);

/* Reads and assembles the model. SEAM_BAD_INPUT: the model has no end time; errors of setup_assemble(). */
seam_status study_read(app_study *self, seam_error *error);

/* Assembles the monolithic model. If an event stops the run of this model, all runs of the study end at this time.
 * Errors of setup_create_monolithic(); SEAM_INTERRUPTED. */
seam_status study_use_monolithic(app_study *self, seam_error *error);

/* study_open() makes the folder of the command, with the effective model in model.json; study_open_file() opens
 * files[which] in it and writes its head. SEAM_NO_FILE, SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status study_open(app_study *self, const char *model, const char *study, seam_error *error);
seam_status study_open_file(app_study *self, size_t which, const char *name, const char *head, seam_error *error);

/* Makes the reference, with macro points at intervals H; for work and later_work see progress_phase(). If agreement is
 * not NULL, checks it by another run, and prints the first failed check. SEAM_INTERRUPTED, SEAM_NO_MEMORY, errors of
 * the run. */
seam_status study_make_reference(app_study *self, double H, double work, double later_work, seam_agreement *agreement,
                                 seam_reference **created, seam_error *error);

/* Closes the files, writes the report of --report, and frees all memory. Returns the exit status of the first failure:
 * `status`, one in this function, or self->refusal. */
int study_end(app_study *self, seam_status status, seam_error *error);

/* ---- Tables for papers and web pages ---- */

#define OPTION_AS                                                                                                      \
  { "--as", "STYLE", .help = "write each table for a paper too: markdown or latex", .words = "markdown latex" }

/* ---- Predicted work ---- */

/* Return the predicted work of a co-simulation with `macro_steps` macro steps, and of a reference with as many macro
 * points. The unit is a macro step of ff-k1. Both include `monolithic_steps`, the integrator steps of a monolithic
 * run. */
double workload_of_scheme(const char *scheme, double macro_steps, double monolithic_steps);
double workload_of_reference(double macro_steps, double monolithic_steps);

#endif
