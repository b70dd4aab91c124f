/* A run, from model to results: what monolithic and co-simulated ones share. */
#ifndef APP_COMMANDS_RUN_H
#define APP_COMMANDS_RUN_H

#include <seam/analysis.h>
#include <seam/cosim.h>

#include "app/progress.h"
#include "app/results/checkpoint.h"
#include "app/results/signals.h"
#include "app/results/trajectory.h"
#include "app/setup.h"

typedef struct app_run {
  const app_options *options; /* of the command line that began the run */
  bool quiet, verbose;
  const app_checkpoint *from; /* NULL: from the beginning */
  app_setup setup;
  const seam_simulation *simulation; /* in setup.file */
  char *directory, *trajectory_path, *couplings_path, *signals_path, *summary_path, *checkpoint_path;
  double checkpoint_every;    /* s; infinite: never */
  size_t n_checkpoints;       /* that are due so far */
  app_trajectory *trajectory; /* NULL: the model has no bodies */
  size_t row;                 /* the next */
  app_summary summary;
  app_progress progress;
  mbs_integrator *integrator; /* of the whole */
  bool is_cosim;              /* then also: */
  cosim_builder *builder;     /* the file's, with what the command line says */
  cosim_options cosim;        /* of the builder */
  cosim_simulation *cosimulation;
  app_couplings *couplings;
  app_signals *signals; /* NULL: there are none */
  app_bounds bounds;
  cosim_step_plan plan; /* co-simulated: of macro steps */
  size_t macro_step;    /* taken so far */
  double t;             /* s, the present macro point */
} app_run;

/* Number of the last row: at the end, which need not be a multiple of the output step. */
size_t run_last_row(const app_run *run);
double run_row_time(const app_run *run, size_t row);

/* Writes a row of the trajectory, which must be there. */
seam_status run_write_row(app_run *run, const mbs_state *state, seam_error *error);

/* Whether a checkpoint is due at time t. */
bool run_checkpoint_is_due(app_run *run, double t);
/* Writes one with an image (bytes, freed; NULL: memory is exhausted). */
seam_status run_write_checkpoint(app_run *run, void *image, size_t size, seam_error *error);

/* SEAM_INTERRUPTED. */
seam_status run_interrupted(double t, seam_error *error);

/* Each prepares what can be refused before a file is touched, and carries out the run. */
seam_status run_monolithic_prepare(app_run *run, seam_error *error);
seam_status run_monolithic(app_run *run, seam_error *error);
seam_status run_cosim_prepare(app_run *run, seam_error *error);
seam_status run_cosim(app_run *run, seam_error *error);

#endif
