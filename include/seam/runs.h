/** @file
 * Runs of a model and their summaries: the text of summary.json, as the command writes it and Python reads it.
 * One run is for one thread at a time. Misuse: see <seam/status.h>. */
#ifndef SEAM_RUNS_H
#define SEAM_RUNS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/models.h>
#include <seam/results.h>
#include <seam/verdict.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_start_changes Changes that assembly makes to the start of the file
 * @{ */

/** A coordinate or rate of a body. */
typedef struct seam_start_change {
  size_t body;
  int coordinate; /* 0 to 5: seam_start_coordinate() */
  double before, after;
} seam_start_change;

enum { SEAM_MAX_START_CHANGES = 4 }; /* the largest in m, rad, m/s, rad/s */

typedef struct seam_start_changes {
  seam_start_change list[SEAM_MAX_START_CHANGES]; /* (n) those above 1e-6 of the scales */
  size_t n;
} seam_start_changes;

/** Lists the largest changes between two states of a file's mechanism. Poses that are rough on purpose do not count,
 * nor do rates that were zero: the file does not give those, they follow from others. */
SEAM_PUBLIC seam_start_changes seam_start_changes_between(const seam_model_file *file, const mbs_state *before,
                                                          const mbs_state *after);

/** "x", "y", "phi", "vx", "vy", "omega"; and its unit. Static; NULL beyond the last. */
SEAM_PUBLIC const char *seam_start_coordinate(int coordinate);
SEAM_PUBLIC const char *seam_start_coordinate_unit(int coordinate);
/** @} */

/** @defgroup seam_summary Summary of a run
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

/** The largest residuals of cut joints and residual powers of a run. */
typedef struct seam_peaks seam_peaks;

/** All that a summary has; start from {0}. The caller's: nothing of it is kept. */
typedef struct seam_run_facts {
  const seam_model_file *file;
  const mbs_model *model;            /* that was integrated or cut: seam_model_whole() or seam_model_mechanism() */
  const mbs_assembly *assembly;      /* of the start, and */
  const seam_start_changes *changes; /* its changes */
  const char *const *arguments;      /* (n_arguments) of a command line; NULL: there was none */
  const char *const *overrides;      /* (n_overrides) */
  size_t n_arguments, n_overrides;
  seam_status status;  /* how the run ended, */
  const char *message; /* and the message on that; NULL: none */
  int exit_status;
  const seam_run_verdict *verdict;  /* NULL: it has nothing to be judged by */
  double time;                      /* s, reached */
  size_t rows;                      /* of the trajectory */
  double wall, cpu;                 /* s, that it took */
  const seam_run_record *record;    /* of its states */
  const mbs_statistics *statistics; /* of the integrator, or the sum over those of the subsystems */
  const mbs_events *watched;        /* NULL: the model has no events */
  const mbs_event *ended;           /* the event that ended the run; NULL: none did */
  const char *ended_by;             /* the subsystem that did, as an FMU may; NULL: none */
  const mbs_impact_record *impacts; /* of each force element of `model` that has impacts, one after the other */
  size_t n_undetermined;            /* hard contacts, at most, whose forces the motion does not determine in a row */
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

/** @defgroup seam_run A run, monolithic or co-simulated: its rows, events, statistics and verdict
 * Everything that the definition points to stays the caller's and must outlive the run.
 * @{ */

typedef struct seam_run seam_run;

/** Rules for comparing a run with a second one. */
typedef enum seam_check {
  SEAM_CHECK_AUTO,   /**< as long as that costs at most ten times the run; of a run that is monolithic or has no whole,
                          below 1e7 evaluations times coordinates */
  SEAM_CHECK_ALWAYS, /**< whatever it costs */
  SEAM_CHECK_NEVER
} seam_check;

/** Start from {0}. */
typedef struct seam_run_def {
  const seam_model_file *file;
  const mbs_model *model;       /* that is integrated or cut: seam_model_whole() or seam_model_mechanism() */
  mbs_workspace *workspace;     /* of it */
  mbs_state *state;             /* the assembled start, then that of the last row; the run begins at its time */
  const mbs_assembly *assembly; /* of the start, and */
  seam_start_changes changes;   /* its changes */
  const mbs_integrator_options *integrator; /* of a monolithic run; NULL: those of the file */
  cosim_simulation *simulation;             /* that the run starts and advances; NULL: it is monolithic, or */
  const cosim_simulation *seen; /* others advance this one, seam_run_see() takes its macro points: events end nothing */
  const cosim_builder *builder; /* of either */
  double macro_step;            /* s; 0: the builder's */
  double end, output_step;      /* s; 0: those of the file */
  const mbs_quantity *quantities; /* (n_quantities) whose statistics are gathered; NULL: what the file asks for */
  size_t n_quantities;
  seam_check check;
  const mbs_model *whole;       /* that a co-simulated run is compared with, and its start; NULL: that of the file, */
  const mbs_state *whole_start; /* from the start of the run */
} seam_run_def;

/** SEAM_BAD_INPUT: no end, an end before the start, too many rows, or no macro step; failures of
 * mbs_integrator_create(). */
SEAM_PUBLIC seam_status seam_run_create(const seam_run_def *def, seam_run **created, seam_error *error);
SEAM_PUBLIC void seam_run_destroy(seam_run *run);

/** Quantities of the file's measures that have statistics over the run; `list` NULL: only their number. */
SEAM_PUBLIC size_t seam_asked_quantities(const seam_model_file *file, mbs_quantity *list);

/** Columns of trajectory and events, as seam_trajectory_table_choose(); before the run begins. */
SEAM_PUBLIC seam_status seam_run_choose_columns(seam_run *run, const char *columns, seam_error *error);
/** Makes identifiers of the column names of all tables, as seam_table_use_identifiers() does; after
 * seam_run_choose_columns(). */
SEAM_PUBLIC seam_status seam_run_use_identifiers(seam_run *run, seam_error *error);
/** Columns of a table; NULL: the run has no such table. */
SEAM_PUBLIC const seam_table *seam_run_columns(const seam_run *run, seam_run_table table);
/** Number of the last row of the trajectory, which is at the end: that need not be a multiple of the output step. */
SEAM_PUBLIC size_t seam_run_last_row(const seam_run *run);
/** Returns true if impacts have rows among the events; those inside of subsystems have none. */
SEAM_PUBLIC bool seam_run_lists_impacts(const seam_run *run);

enum { SEAM_MAX_LISTED_IMPACTS = 1000 }; /* of each contact: later ones are counted */

/** Labels of a row of the events. */
typedef struct seam_run_label {
  const char *event;                             /* its name, or that of the contact; lives as long as the model */
  const char *direction;                         /* "rising", "falling" or "impact"; static */
  double impulse, friction_impulse, energy_lost; /* N s, N s, J of an impact; else NaN */
} seam_run_label;

/** Receiver of the results of a run; each member may be NULL. A status other than SEAM_OK from one of its functions
 * ends the run. */
typedef struct seam_run_sink {
  void *context;
  /** Takes a row (columns of the table) with its label, which is NULL but for events. */
  seam_status (*take)(void *context, seam_run_table table, const double *row, const seam_run_label *label,
                      seam_error *error);
  /** The run is between steps, at time t (s), where seam_run_save() may be called. */
  seam_status (*rest)(void *context, double t, seam_error *error);
  /** Called after steps and before macro steps; seam_run_progress_of() says more. */
  seam_interrupt interrupt;
  /** Takes a line about the run, without newline. */
  void (*note)(void *context, const char *note);
} seam_run_sink;

/** Progress of a run. */
typedef struct seam_run_progress {
  bool is_checking;  /* the run is done, and is compared with another one */
  double begin, end; /* s, of the run or its check */
  size_t steps;      /* of the integrator, or macro steps */
} seam_run_progress;

SEAM_PUBLIC seam_run_progress seam_run_progress_of(const seam_run *run);

/** Takes the run from its start, or from where it was restored, to its end or to the event that stops it. The last good
 * state of one that fails has a row. To be called once. */
SEAM_PUBLIC seam_status seam_run_carry_out(seam_run *run, const seam_run_sink *sink, seam_error *error);

/** Takes the present macro point, at t (s), of the simulation that is seen: from its start on. */
SEAM_PUBLIC seam_status seam_run_see(seam_run *run, const seam_run_sink *sink, double t, seam_error *error);
/** Takes the last macro point, at t (s), of a simulation that ended early: it gets a row where it has none. */
SEAM_PUBLIC seam_status seam_run_see_last(seam_run *run, const seam_run_sink *sink, double t, seam_error *error);

/** All that the continuation depends on, as bytes, aligned for any type: a run that is restored before it begins goes
 * on to the bit, and so does the one that was saved. SEAM_BAD_STATE: the image is of another run, or damaged. */
SEAM_PUBLIC size_t seam_run_image_size(const seam_run *run);
SEAM_PUBLIC seam_status seam_run_save(seam_run *run, void *image, seam_error *error);
SEAM_PUBLIC seam_status seam_run_restore(seam_run *run, const void *image, size_t size, seam_error *error);

/** Judges a run that ended with *ending by its energies and constraints, and by its error once it was checked: the
 * status becomes SEAM_WRONG where the run is done and breaks a bound; a failure keeps its own. Returns the status. */
SEAM_PUBLIC seam_status seam_run_conclude(seam_run *run, seam_error *ending);

/** Finds the error of a run that is done, after seam_run_carry_out() and before seam_run_conclude(), or between two
 * calls of that. A run that cannot be checked, or whose check is interrupted, has no error, and the verdict says why.
 * SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_run_find_error(seam_run *run, const seam_interrupt *interrupt, seam_error *error);

/** Takes an error that somebody else found, in its place. */
SEAM_PUBLIC void seam_run_take_error(seam_run *run, const seam_deviation *error_of_run);

/** Hands what a mechanism is allowed to have, and is seldom meant to, to the handler of notes (<seam/models.h>): joints
 * beyond the ends of their rods, bodies that nothing holds or loads, spring laws that push the more the more they are
 * stretched. The workspace is of the file's model, the state assembled. */
SEAM_PUBLIC void seam_note_mechanism(const seam_model_file *file, mbs_workspace *workspace, const mbs_state *state);

/** Facts that the run knows, for seam_run_summary(); the caller adds the others. They live as long as the run. */
SEAM_PUBLIC seam_run_facts seam_run_facts_of(const seam_run *run);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
