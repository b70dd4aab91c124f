/** @file
 * Runs of a model and what they say of themselves: the text of summary.json, as the command writes it and Python reads
 * it. One run is for one thread at a time. Misuse: see <seam/status.h>. */
#ifndef SEAM_RUNS_H
#define SEAM_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/analysis.h>
#include <seam/models.h>
#include <seam/results.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_start_changes What assembly changed of the start that the file says
 * @{ */

/** A coordinate or rate of a body. */
typedef struct seam_start_change {
  size_t body;
  int coordinate; /* 0 to 5: seam_start_coordinate() */
  double before, after;
} seam_start_change;

enum { SEAM_MAX_START_CHANGES = 4 }; /* the largest in m, rad, m/s, rad/s */

typedef struct seam_start_changes {
  seam_start_change list[SEAM_MAX_START_CHANGES]; /* (n) those above 1e-6 */
  size_t n;
} seam_start_changes;

/** Between two states of a file's mechanism. Poses that are rough on purpose do not count. A rate that was zero is none
 * that the file gives: it follows from others. */
SEAM_PUBLIC seam_start_changes seam_start_changes_between(const seam_model_file *file, const mbs_state *before,
                                                          const mbs_state *after);

/** "x", "y", "phi", "vx", "vy", "omega"; and its unit. Static; NULL beyond the last. */
SEAM_PUBLIC const char *seam_start_coordinate(int coordinate);
SEAM_PUBLIC const char *seam_start_coordinate_unit(int coordinate);
/** @} */

/** @defgroup seam_peaks The largest residuals of cut joints and residual powers in the rows of the couplings
 * @{ */

/** The largest absolute value seen, and when. One that is not a number is larger than all. */
typedef struct seam_peak {
  double value;
  double time; /* s */
} seam_peak;

typedef struct seam_peaks seam_peaks;

/** Of rows of these columns (seam_couplings_table_create()). Begins with `from` (seam_peaks_size() bytes, as
 * seam_peaks_data() gave them), or with nothing seen (NULL). The simulation must outlive *created. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_peaks_create(const seam_table *columns, const cosim_simulation *simulation,
                                          const void *from, seam_peaks **created, seam_error *error);
SEAM_PUBLIC void seam_peaks_destroy(seam_peaks *self);

/** Takes the row (n_columns) of the present macro point into account. */
SEAM_PUBLIC void seam_peaks_add(seam_peaks *self, const double *row);

/** Of a coupling's residuals, of level 0 to SEAM_N_RESIDUAL_LEVELS - 1. */
SEAM_PUBLIC const seam_peak *seam_peaks_residual(const seam_peaks *self, size_t coupling, int level);
/** Of the residual power of coupling i, then of those of user parts, then of bonds, then of the sum over all. */
SEAM_PUBLIC const seam_peak *seam_peaks_power(const seam_peaks *self, size_t i);

/** All peaks as one block of bytes. */
SEAM_PUBLIC size_t seam_peaks_size(const cosim_simulation *simulation);
SEAM_PUBLIC const void *seam_peaks_data(const seam_peaks *self);
/** @} */

/** @defgroup seam_summary What a run says of itself
 * @{ */

/** Tables that a run may have. */
typedef enum seam_run_table {
  SEAM_TRAJECTORY_TABLE,
  SEAM_COUPLINGS_TABLE,
  SEAM_SIGNALS_TABLE,
  SEAM_EVENTS_TABLE,
  SEAM_N_RUN_TABLES
} seam_run_table;

/** "trajectory", "couplings", "signals", "events"; static. */
SEAM_PUBLIC const char *seam_run_table_name(seam_run_table table);

/** All that a summary has; start from {0}. The caller's: nothing of it is kept. */
typedef struct seam_run_facts {
  const seam_model_file *file;
  const mbs_model *model;            /* that was integrated or cut: seam_model_whole() or seam_model_mechanism() */
  const mbs_assembly *assembly;      /* of the start, and */
  const seam_start_changes *changes; /* what that changed */
  const char *const *arguments;      /* (n_arguments) of a command line; NULL: there was none */
  const char *const *overrides;      /* (n_overrides) */
  size_t n_arguments, n_overrides;
  seam_status status;  /* how the run ended, */
  const char *message; /* with what to say of it; NULL: nothing */
  int exit_status;
  const seam_run_verdict *verdict;  /* NULL: it has nothing to be judged by */
  double time;                      /* s, reached */
  size_t rows;                      /* of the trajectory */
  double wall, cpu;                 /* s, that it took */
  const seam_run_record *record;    /* of its states */
  const mbs_statistics *statistics; /* of the integrator, or the sum over those of the subsystems */
  const mbs_events *watched;        /* NULL: the model has no events */
  const mbs_event *ended;           /* the event that ended the run; NULL: none did */
  const mbs_impact_record *impacts; /* of each force element of `model` that has impacts, one after the other */
  const seam_over_run *over_run;    /* statistics of */
  const mbs_quantity *quantities;   /* (n_quantities) these */
  size_t n_quantities;
  const cosim_simulation *simulation; /* NULL: the run was not co-simulated; the others are then too */
  const cosim_builder *builder;
  const seam_peaks *peaks;
  bool assumes_macro_step;                     /* seam_model_assumes_macro_step() of the file that began the run */
  const seam_table *tables[SEAM_N_RUN_TABLES]; /* columns; NULL: the run has no such table */
} seam_run_facts;

/** The JSON of summary.json: docs/cli.md. *text is freed with seam_text_free(). SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_run_summary(const seam_run_facts *facts, char **text, seam_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
