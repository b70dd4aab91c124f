/** @file
 * Runs of a model and their summaries (summary.json). One thread at a time uses a run. Misuse: see <seam/status.h>. */
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

/** @defgroup seam_start_changes Changes that assembly makes to a file's start
 * @{ */

/** A coordinate or rate of a body. */
typedef struct seam_start_change {
  size_t body;
  int coordinate; /* 0 to 5: seam_start_coordinate() */
  double before, after;
} seam_start_change;

enum { SEAM_MAX_START_CHANGES = 4 }; /* the largest change in m, in rad, in m/s and in rad/s */

typedef struct seam_start_changes {
  seam_start_change list[SEAM_MAX_START_CHANGES]; /* (n) changes above 1e-6 of the scales */
  size_t n;
} seam_start_changes;

/** Lists the largest changes between two states of a file's mechanism. Poses that are rough on purpose do not count.
 * Nor do rates that were zero before, since a file need not give rates. */
SEAM_PUBLIC seam_start_changes seam_start_changes_between(const seam_model_file *file, const mbs_state *before,
                                                          const mbs_state *after);

/** Return "x", "y", "phi", "vx", "vy" or "omega", and its unit. Static; NULL beyond the last. */
SEAM_PUBLIC const char *seam_start_coordinate(int coordinate);
SEAM_PUBLIC const char *seam_start_coordinate_unit(int coordinate);
/** @} */

/** @defgroup seam_summary Summary of a run
 * @{ */

/** Tables of a run. */
typedef enum seam_run_table {
  SEAM_TRAJECTORY_TABLE,
  SEAM_COUPLINGS_TABLE,
  SEAM_SIGNALS_TABLE,
  SEAM_EVENTS_TABLE,
  SEAM_N_RUN_TABLES
} seam_run_table;

/** "trajectory", "couplings", "signals", "events"; static. */
SEAM_PUBLIC const char *seam_run_table_name(seam_run_table table);

/** Largest residuals of cut joints and residual powers of a run. */
typedef struct seam_peaks seam_peaks;

/** Contents of a summary; everything that they point to is only read. Start from {0}. */
typedef struct seam_run_facts {
  const seam_model_file *file;
  const mbs_model *model;            /* integrated or cut model: seam_model_whole() or seam_model_mechanism() */
  const mbs_assembly *assembly;      /* assembly of the start */
  const seam_start_changes *changes; /* changes at the start */
  const char *const *arguments;      /* (n_arguments) arguments of the command line; NULL: none */
  const char *const *overrides;      /* (n_overrides) */
  size_t n_arguments, n_overrides;
  seam_status status;  /* status of the run's end */
  const char *message; /* message of that status; NULL: none */
  int exit_status;
  const seam_run_verdict *verdict;  /* NULL: nothing to judge the run by */
  double time;                      /* s, time reached at the end */
  size_t rows;                      /* rows of the trajectory */
  double wall, cpu;                 /* s, duration of the computation */
  const seam_run_record *record;    /* record of the run's states */
  const mbs_statistics *statistics; /* statistics of the integrator, or their sum over the subsystems */
  const mbs_events *watched;        /* events of the run; NULL: the model has no events */
  const mbs_event *ended;           /* event that ended the run; NULL: none */
  const char *ended_by;             /* subsystem, such as an FMU, that ended the run; NULL: none */
  const mbs_impact_record *impacts; /* one per force element of `model` with impacts */
  size_t n_undetermined;            /* largest number of hard contacts with undetermined forces at one output time */
  const seam_over_run *over_run;    /* statistics of `quantities` */
  const seam_over_run *checked;     /* statistics of the second run, which checks the run; NULL: not checked */
  const mbs_quantity *quantities;   /* (n_quantities) */
  size_t n_quantities;
  const cosim_simulation *simulation; /* NULL, like the next two members: the run is not co-simulated */
  const cosim_builder *builder;
  const seam_peaks *peaks;
  bool assumes_macro_step;                     /* seam_model_assumes_macro_step() of the run's original file */
  const seam_table *tables[SEAM_N_RUN_TABLES]; /* columns of each table; NULL: the run does not fill this table */
} seam_run_facts;

/** Returns a statistic of quantity `i` with its error; NaN: no samples, no such statistic. */
SEAM_PUBLIC seam_run_figure seam_run_figure_of(const seam_run_facts *facts, size_t i, seam_statistic which);

/** Creates the JSON of summary.json (docs/cli.md); free *text with seam_text_free(). SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_run_summary(const seam_run_facts *facts, char **text, seam_error *error);
/** @} */

/** @defgroup seam_run A run, monolithic or co-simulated: its rows, events, statistics and verdict
 * The caller owns everything that the definition points to, which must outlive the run.
 * @{ */

typedef struct seam_run seam_run;

/** Rules for comparing a run with a second one. */
typedef enum seam_check {
  SEAM_CHECK_AUTO,   /**< checks at limited cost. The cost of a run is the number of its evaluations times that of its
                        coordinates. A check may cost ten times as much as the run, and always 1e7. If the run costs
                        more than 1e7, the check of a monolithic run may cost only 1e7, and a co-simulation without
                        an undivided model is not checked */
  SEAM_CHECK_ALWAYS, /**< checks at any cost */
  SEAM_CHECK_NEVER
} seam_check;

/** Definition of a run; start from {0}. */
typedef struct seam_run_def {
  const seam_model_file *file;
  const mbs_model *model;       /* model to integrate or cut: seam_model_whole() or seam_model_mechanism() */
  mbs_workspace *workspace;     /* workspace of `model` */
  mbs_state *state;             /* at first the assembled start of the run, later the state of the last row */
  const mbs_assembly *assembly; /* assembly of the start */
  seam_start_changes changes;   /* changes at the start */
  const mbs_integrator_options *integrator; /* options for a monolithic run; NULL: those of the file */
  cosim_simulation *simulation;             /* advanced by the run; NULL: the run is monolithic, or `seen` is set */
  const cosim_simulation *seen;   /* the caller's simulation, which seam_run_see() records; events do not end it */
  const cosim_builder *builder;   /* builder of `simulation` or `seen` */
  double macro_step;              /* s; 0: that of the builder */
  double end, output_step;        /* s; 0: values of the file */
  const mbs_quantity *quantities; /* (n_quantities) quantities with statistics; NULL: those of the file */
  size_t n_quantities;
  seam_check check;
  const mbs_model *whole;       /* undivided mechanism to compare a co-simulated run with; NULL: that of the file */
  const mbs_state *whole_start; /* start of `whole`; NULL: the start of the run */
} seam_run_def;

/** SEAM_BAD_INPUT: no end, an end before the start, too many rows, no macro step; failures of
 * mbs_integrator_create(). */
SEAM_PUBLIC seam_status seam_run_create(const seam_run_def *def, seam_run **created, seam_error *error);
SEAM_PUBLIC void seam_run_destroy(seam_run *run);

/** Lists the quantities of the file's measures that have statistics over the run and returns their number; `list` may
 * be NULL. */
SEAM_PUBLIC size_t seam_asked_quantities(const seam_model_file *file, mbs_quantity *list);

/** Chooses the columns of trajectory and events as seam_trajectory_table_choose() does; before the run begins. */
SEAM_PUBLIC seam_status seam_run_choose_columns(seam_run *run, const char *columns, seam_error *error);
/** Calls seam_table_use_identifiers() for all tables; after seam_run_choose_columns(). */
SEAM_PUBLIC seam_status seam_run_use_identifiers(seam_run *run, seam_error *error);
/** Returns the columns of a table; NULL: the run does not fill this table. */
SEAM_PUBLIC const seam_table *seam_run_columns(const seam_run *run, seam_run_table table);
/** Returns the number of the trajectory's last row. Its time, the end, need not be a multiple of the output step. */
SEAM_PUBLIC size_t seam_run_last_row(const seam_run *run);
/** Returns true if impacts have rows among the events; impacts inside subsystems have none. */
SEAM_PUBLIC bool seam_run_lists_impacts(const seam_run *run);

enum { SEAM_MAX_LISTED_IMPACTS = 1000 }; /* per contact; later impacts are only counted */

/** Labels of a row of the events. */
typedef struct seam_run_label {
  const char *event;                             /* name of the event or contact; lives as long as the model */
  const char *direction;                         /* "rising", "falling" or "impact"; static */
  double impulse, friction_impulse, energy_lost; /* N s, N s, J, for an impact; else NaN */
} seam_run_label;

/** Receiver of the results of a run; each member may be NULL. A status other than SEAM_OK ends the run. */
typedef struct seam_run_sink {
  void *context;
  /** Receives a row (columns of the table) and its label, NULL except for events. */
  seam_status (*take)(void *context, seam_run_table table, const double *row, const seam_run_label *label,
                      seam_error *error);
  /** Called between steps, at time t (s); may call seam_run_save(). */
  seam_status (*between_steps)(void *context, double t, seam_error *error);
  /** Called after steps and before macro steps; may call seam_run_progress_of(). */
  seam_interrupt interrupt;
  /** Receives a note on the run, a line without newline. */
  void (*note)(void *context, const char *note);
} seam_run_sink;

/** Progress of a run. */
typedef struct seam_run_progress {
  bool is_checking;  /* the run is done and is being compared with a second one */
  double begin, end; /* s, begin and end of the run or of its check */
  size_t steps;      /* steps of the integrator, or macro steps */
} seam_run_progress;

SEAM_PUBLIC seam_run_progress seam_run_progress_of(const seam_run *run);

/** Starts the simulation, unless the run is monolithic or restored; without this call seam_run_carry_out() does so.
 * Repeated calls return the first status. The start fails if FMUs refuse values, so a program may call this function
 * before it writes results. Fails as cosim_start() does. */
SEAM_PUBLIC seam_status seam_run_begin(seam_run *run, seam_error *error);

/** Runs from the start or the restored time to the end, or to an event that stops the run. After a failure the last
 * valid state gets a row. To be called once. */
SEAM_PUBLIC seam_status seam_run_carry_out(seam_run *run, const seam_run_sink *sink, seam_error *error);

/** Records the macro point, at t (s), of seam_run_def.seen; to be called at the start and after each macro step. */
SEAM_PUBLIC seam_status seam_run_see(seam_run *run, const seam_run_sink *sink, double t, seam_error *error);
/** Records the last macro point, at t (s), if this simulation has ended early: adds its row if it has none. */
SEAM_PUBLIC seam_status seam_run_see_last(seam_run *run, const seam_run_sink *sink, double t, seam_error *error);

/** The image of a run contains everything that determines its continuation; it is aligned for any type. Restore it into
 * a run that has not begun: this run then continues bit for bit as the saved one does. SEAM_BAD_STATE: an image of
 * another run, or damaged. */
SEAM_PUBLIC size_t seam_run_image_size(const seam_run *run);
SEAM_PUBLIC seam_status seam_run_save(seam_run *run, void *image, seam_error *error);
SEAM_PUBLIC seam_status seam_run_restore(seam_run *run, const void *image, size_t size, seam_error *error);

/** Judges a run that ended with *ending. The energies, the constraints and, if it was checked, the error decide. The
 * status becomes SEAM_WRONG if a completed run breaks a bound; a failure keeps its status. Returns the status. */
SEAM_PUBLIC seam_status seam_run_conclude(seam_run *run, seam_error *ending);

/** Finds the error of a completed run, after seam_run_carry_out() and before a call of seam_run_conclude(). The error
 * stays unknown if the run cannot be checked or the check is interrupted; the verdict states the reason.
 * SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_run_find_error(seam_run *run, const seam_interrupt *interrupt, seam_error *error);

/** Sets the error of the run to one that the caller has found, in place of seam_run_find_error(). */
SEAM_PUBLIC void seam_run_take_error(seam_run *run, const seam_deviation *error_of_run);

/** Sends notes on probable mistakes in a mechanism to the handler of notes (<seam/models.h>): joints beyond the ends of
 * their rods, bodies without joints and force elements, spring laws whose push grows as they are stretched. The
 * workspace is of the file's model, the state is assembled. */
SEAM_PUBLIC void seam_note_mechanism(const seam_model_file *file, mbs_workspace *workspace, const mbs_state *state);

/** Returns the facts of the run for seam_run_summary(), valid as long as the run; the caller adds all other facts. */
SEAM_PUBLIC seam_run_facts seam_run_facts_of(const seam_run *run);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
