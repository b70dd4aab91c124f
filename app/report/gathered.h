/* Contents of a report: runs with their tables, tables of studies, and the text of the model. */
#ifndef APP_REPORT_GATHERED_H
#define APP_REPORT_GATHERED_H

#include <stdbool.h>
#include <stdio.h>

#include <seam/mbs.h>
#include <seam/models.h>

#include "app/report/report.h"
#include "app/results/run_results.h"
#include "base/json.h"

typedef struct report_run {
  char *folder;
  char *name;        /* name in the report: scheme or "monolithic", and the folder if that is not unique */
  size_t n_unmarked; /* length of the name without the mark of a run that did not succeed, bytes */
  run_results results;
  const char *status;    /* status of the verdict, in words */
  bool is_whole;         /* the run is monolithic */
  seam_model_file *file; /* the effective model, from summary.json */
  const mbs_model *model;
  size_t trajectory; /* number of its table; SEAM_NONE: there is none */
  double end;        /* time that the run reached, s */
  double *time;      /* (rows of the trajectory) */
  size_t *poses;     /* (3 bodies) columns of the trajectory with x, y, phi of each body; NULL: some are missing */
} report_run;

typedef struct report_study {
  char *path, *text; /* path and text of a .csv */
  char *model;       /* JSON of the study's model; NULL: unknown */
} report_study;

struct report {
  report_run *runs;      /* (n_runs) */
  size_t n_runs, whole;  /* `whole`: number of the first monolithic run; SEAM_NONE: there is none */
  report_study *studies; /* (n_studies) */
  size_t n_studies;
  char *model_path, *model_text; /* NULL: no model file was added */
  const app_options *options;
};

/* Each function writes a section of the page, or nothing if it would be empty. */
void report_write_verdicts(FILE *file, const report *from);
void report_write_runs(FILE *file, const report *from);
/* Writes the pictures that gnuplot drew in the folders of the studies' tables. */
void report_write_pictures(FILE *file, const report *from);
void report_write_studies(FILE *file, const report *from);
/* Writes the equations of the first run's model, with those of subsystems, and its events with their conditions. */
void report_write_equations(FILE *file, const report *from);
bool report_has_equations(const report *from);
/* Returns name number i, from 0, of the files that may have a table of a study ("compare.csv", ...); NULL: there are no
 * more. */
const char *report_study_file(size_t i);

/* ---- Numbers as JSON; long tables are thinned out, with a note on the page ---- */

enum { BATCH_NUMBERS = 8000000 }; /* largest number of values of one table in memory at once */

/* Writes "scene", "frames", "cuts" and "points" of a run; nothing if poses are missing. SEAM_NO_MEMORY,
 * SEAM_BAD_INPUT. */
seam_status motion_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

/* Writes "times" and "columns" of a run. SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status columns_write(json_writer *json, const report *from, const report_run *run, seam_error *error);

#endif
