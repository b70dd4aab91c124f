/* Contents of a report: runs with their tables, tables of studies, and the text of the model file. */
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
  char *name;         /* scheme or "monolithic"; if not unique, followed by the folder */
  size_t name_length; /* bytes of the name without the mark of a run that did not succeed */
  run_results results;
  const char *status; /* status in words, from the verdict in summary.json */
  bool is_monolithic;
  seam_model_file *file; /* the effective model, from summary.json */
  const mbs_model *model;
  size_t trajectory; /* index of this table in `results`; SEAM_NONE: there is none */
  double end;        /* s, time at which the run ended */
  double *time;      /* (rows of the trajectory) s */
  size_t *poses;     /* (3 bodies) columns of x, y, phi of each body; NULL: one is missing */
} report_run;

typedef struct report_study {
  size_t kind; /* index of its file (report_study_file()) */
  char *path;  /* path of a .csv */
  csv_table table;
  char *model; /* effective model, as JSON; NULL: not known */
} report_study;

struct report {
  report_run *runs; /* (n_runs) */
  size_t n_runs;
  bool has_monolithic;   /* the first run is monolithic and has a trajectory */
  report_study *studies; /* (n_studies) */
  size_t n_studies;
  char *model_path, *model_text; /* NULL: no model file was added */
  char *data;                    /* (n_data) JSON of the page, only in report_write() */
  size_t n_data;
  const app_options *options;
};

/* Returns name i, from 0, of the files with tables of studies ("compare.csv", ...); NULL: there are no more. */
const char *report_study_file(size_t i);

/* Writes from->data, which the caller frees. SEAM_NO_MEMORY, SEAM_BAD_INPUT. */
seam_status report_make_data(report *from, seam_error *error);

#endif
