/** @file
 * Tables of a run's results: names, units and rows of trajectory.csv, couplings.csv and signals.csv, for files, plots
 * and other programs. SI units, radians. Any number of threads may use a table; rows from one workspace or simulation
 * are filled by one thread at a time. Misuse: see <seam/status.h>. */
#ifndef SEAM_RESULTS_H
#define SEAM_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/cosim.h>
#include <seam/mbs.h>
#include <seam/measures.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_columns Columns
 * @{ */

typedef struct seam_column {
  const char *name;     /* "element.quantity", or the element alone if it has only one quantity; or the identifier that
                           seam_table_use_identifiers() makes of it */
  const char *element;  /* body, joint, force element, coupling, bond or signal; "time", "energy" */
  const char *quantity; /* "x", "lambda_x", "gd_phi", ...; "": `name` is the element alone */
  const char *unit;     /* "s", "m", "rad", "m/s", "N", "Nm", "J", "W", "Pa", ...; "": none, as for signals */
  const char *meaning;  /* meaning in a few words; static storage */
} seam_column;

/** The columns of a table of results. Texts of columns live as long as the table. */
typedef struct seam_table seam_table;

/** Returns a column; column 0 is `time`. NULL beyond the last. */
SEAM_PUBLIC const seam_column *seam_table_column(const seam_table *table, size_t column);
SEAM_PUBLIC size_t seam_table_n_columns(const seam_table *table);
/** Returns the number of a column by name; SEAM_NONE: no such column. */
SEAM_PUBLIC size_t seam_table_find(const seam_table *table, const char *name);
/** Turns the names into identifiers for NumPy's records, pandas and MATLAB: ASCII letters, digits and _, first a
 * letter: "a-b.x" becomes "a_b_x", "1.x" becomes "x1_x". `element` and `quantity` stay. SEAM_BAD_INPUT: two would be
 * equal (names stay unchanged); SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_table_use_identifiers(seam_table *table, seam_error *error);
SEAM_PUBLIC void seam_table_destroy(seam_table *table);

/** Creates a table for a program's own rows: copies `element`, `quantity` ("" or NULL: none), `unit` and `meaning` of n
 * columns; `name` is not used. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_table_create(const seam_column *columns, size_t n, seam_table **created,
                                          seam_error *error);
/** @} */

/** @defgroup seam_trajectory Trajectory: a row per output time. Columns are quantities (<seam/measures.h>). Default
 * columns:
 *   time (s)
 *   x, y (m), phi (rad), vx, vy (m/s), omega (rad/s)      of each body: pose of the centre of mass, and its rates
 *   fx, fy (N), torque (Nm)                               of each joint: mbs_reaction()
 *   its states (Pa: p1, p2), force (N)                    of each force element that has states: mbs_force_push()
 *   energy.kinetic, .potential, .total, .dissipated, .driven (J)      mbs_energy_of()
 *   the model's measures
 * @{ */

/** Creates a table of the default columns; free it with seam_table_destroy(). The model must outlive it.
 * SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_trajectory_table_create(const mbs_model *model, seam_table **created, seam_error *error);

/** Creates a table from a list of names between commas: "default"; "all"; a quantity, "crank.alpha"; an element,
 * "crank", for all its quantities. The time comes first, each column once. SEAM_BAD_INPUT names the nearest name. */
SEAM_PUBLIC seam_status seam_trajectory_table_choose(const mbs_model *model, const char *columns, seam_table **created,
                                                     seam_error *error);

/** Fills row (n_columns) from a state. Its members a and lambda must come from an integrator or cosim_state_between().
 * SEAM_NOT_FINITE names the column. */
SEAM_PUBLIC seam_status seam_trajectory_row(const seam_table *table, mbs_workspace *workspace, const mbs_state *state,
                                            double *row, seam_error *error);
/** @} */

/** @defgroup seam_over_run Statistics of quantities over samples of a run
 * Samples are rows and, if rows are far apart, states between them. The curve between samples is unknown, so each
 * figure has an estimated uncertainty. For a minimum or maximum it estimates how far the curve exceeds the samples. If
 * the curve has no inflections between samples, the estimate is a bound; else it is the error of predicting a sample
 * from its neighbours. For the other statistics it is the difference between two integrals by Simpson's rule: on all
 * samples, and on every second one. Kinks and unresolved oscillations increase the uncertainty. Further states between
 * samples detect oscillations that have the same value at each sample.
 * @{ */

/** Returns the name of a statistic in the model file: "min"; static. NULL beyond the last. */
SEAM_PUBLIC const char *seam_statistic_name(seam_statistic which);

typedef struct seam_run_figure {
  double value;       /* value in the quantity's unit; integrals: in the quantity's unit times s */
  double time;        /* s, time of minimum or maximum; else NaN */
  double uncertainty; /* uncertainty of the value, since the curve between samples is unknown; NaN: not known, as for a
                         minimum or maximum of fewer than five samples */
  double error; /* difference from the same statistic of the second run, which checks this run; NaN: not checked */
} seam_run_figure;

typedef struct seam_over_run seam_over_run;

/** Returns true if an event between samples was missed, so that uncertainties are not known. */
SEAM_PUBLIC bool seam_over_run_is_doubted(const seam_over_run *self);
/** Returns a statistic of the samples so far, not checked; NaN: no samples, no such quantity or statistic. */
SEAM_PUBLIC seam_run_figure seam_over_run_of(const seam_over_run *self, size_t quantity, seam_statistic which);
/** @} */

/** @defgroup seam_couplings Couplings: a row per macro point
 *   time (s)
 *   of each coupling:
 *     lambda_x, lambda_y (N), lambda_phi (Nm)     the wrench on its first side: cosim_coupling_wrenches()
 *     g_x, ..., gd_x, ..., gdd_x, ...             at cut joints: all residuals (m, rad), then their first, then their
 *                                                 second rates: cosim_coupling_residuals()
 *     residual_power (W), residual_energy (J)     cosim_coupling_energy()
 *     created_energy (J)                          cosim_coupling_created()
 *   of each bond:
 *     residual_power (W), residual_energy (J), power (W)     cosim_bond_energy_of()
 * @{ */

enum { SEAM_N_RESIDUAL_LEVELS = 3 }; /* g, gd, gdd */

/** Model and simulation must outlive the table. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_couplings_table_create(const mbs_model *model, const cosim_simulation *simulation,
                                                    seam_table **created, seam_error *error);

/** Fills row (n_columns) from the simulation's present macro point at `time`, s. */
SEAM_PUBLIC void seam_couplings_row(const seam_table *table, double time, double *row);
/** @} */

/** @defgroup seam_signals Signals: a row per macro point: time (s), and every signal of cosim_signal_of()
 * @{ */

SEAM_PUBLIC seam_status seam_signals_table_create(const cosim_simulation *simulation, seam_table **created,
                                                  seam_error *error);
SEAM_PUBLIC void seam_signals_row(const seam_table *table, double time, double *row);
/** @} */

/** @defgroup seam_energies Energy totals
 * @{ */

/** Sums over all couplings. The residual power and energy also include all bonds. */
typedef struct seam_interface_energy {
  double residual_power;  /* W, residual power of the last macro step */
  double residual_energy; /* J, since the start */
  double created;         /* J, since the start */
} seam_interface_energy;

SEAM_PUBLIC seam_interface_energy seam_interface_energy_of(const cosim_simulation *simulation);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
