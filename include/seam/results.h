/** @file
 * Tables of a run's results: names, units and rows of trajectory.csv, couplings.csv and signals.csv, for whoever
 * writes them to a file, plots them or passes them on. SI units, radians. A table may be used by any number of threads;
 * a row is filled by one thread at a time for each workspace and simulation. Misuse: see
 * <seam/status.h>. */
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
  const char *name;     /* "element.quantity", or the element alone where it has but one; or an identifier */
  const char *element;  /* body, joint, force element, coupling, bond or signal; "time", "energy" */
  const char *quantity; /* "x", "lambda_x", "gd_phi", ...; "" where the element is named alone */
  const char *unit;     /* "s", "m", "rad", "m/s", "N", "Nm", "J", "W", "Pa", ...; "" of signals, which have none */
  const char *meaning;  /* in a few words; static storage */
} seam_column;

/** Columns of one kind of rows. Immutable while it is in use; the texts of its columns live as long as it does. */
typedef struct seam_table seam_table;

/** One column; its column 0 is `time`. NULL beyond the last. */
SEAM_PUBLIC const seam_column *seam_table_column(const seam_table *table, size_t column);
SEAM_PUBLIC size_t seam_table_n_columns(const seam_table *table);
/** Number of the column of that name; SEAM_NONE. */
SEAM_PUBLIC size_t seam_table_find(const seam_table *table, const char *name);
/** Makes identifiers of the names, as NumPy's records, pandas and MATLAB have them: ASCII letters, digits and _, the
 * first a letter: "a-b.x" becomes "a_b_x", "1.x" becomes "x1_x". `element` and `quantity` stay. SEAM_BAD_INPUT: two
 * would be the same (the names stay as they are); SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_table_use_identifiers(seam_table *table, seam_error *error);
SEAM_PUBLIC void seam_table_destroy(seam_table *table);

/** A table of a program's own rows, of n columns whose `element`, `quantity` ("" or NULL: none), `unit` and `meaning`
 * it copies; their `name` is not used. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_table_create(const seam_column *columns, size_t n, seam_table **created,
                                          seam_error *error);
/** @} */

/** @defgroup seam_trajectory Trajectory: a row for each output time. Columns are quantities (<seam/measures.h>), the
 * default ones
 *   time (s)
 *   x, y (m), phi (rad), vx, vy (m/s), omega (rad/s)      of each body: pose of the centre of mass, and its rates
 *   fx, fy (N), torque (Nm)                               of each joint: mbs_reaction()
 *   its states (Pa: p1, p2), force (N)                    of each force element that has states: mbs_force_push()
 *   energy.kinetic, .potential, .total, .dissipated, .driven (J)      mbs_energy_of()
 *   the model's measures
 * @{ */

/** The default columns. The model must outlive the table, which is freed with seam_table_destroy(). SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_trajectory_table_create(const mbs_model *model, seam_table **created, seam_error *error);

/** Columns by a list, names between commas: "default"; "all" that the model offers; a quantity, "crank.alpha"; an
 * element, "crank", with all its quantities. The time comes first; a column that is named twice appears once.
 * SEAM_BAD_INPUT with the nearest name. */
SEAM_PUBLIC seam_status seam_trajectory_table_choose(const mbs_model *model, const char *columns, seam_table **created,
                                                     seam_error *error);

/** Fills row (n_columns) from a state with its a and lambda, as integrators and cosim_state_between() leave it.
 * SEAM_NOT_FINITE names the column. */
SEAM_PUBLIC seam_status seam_trajectory_row(const seam_table *table, mbs_workspace *workspace, const mbs_state *state,
                                            double *row, seam_error *error);
/** @} */

/** @defgroup seam_over_run Statistics of quantities over samples of a run
 * Samples are rows and, where these are far apart, states between them. Each figure has an uncertainty, for the curve
 * between samples. It estimates, for minimum and maximum, how far a curve that bends one way between samples can go
 * beyond them, and the difference of a sample from the prediction by its neighbours; for the others, the difference of
 * the integral by Simpson's rule from that on every second sample, added up over all parts. Kinks, and oscillations
 * that samples do not resolve, increase it; oscillations that come back to the same place in each sample do so by
 * probes, which samples must predict.
 * @{ */

/** Name of a statistic in the model file: "min"; static. NULL beyond the last. */
SEAM_PUBLIC const char *seam_statistic_name(seam_statistic which);

typedef struct seam_run_figure {
  double value;       /* of an integral, the unit of the quantity times s */
  double time;        /* s, of minimum and maximum; NaN for others */
  double uncertainty; /* NaN: nothing is known, as of an extreme of fewer than five samples */
} seam_run_figure;

typedef struct seam_over_run seam_over_run;

/** Returns true if something between two samples was not seen, and nothing bounds it: no uncertainty is known. */
SEAM_PUBLIC bool seam_over_run_is_doubted(const seam_over_run *self);
/** Returns a statistic of the samples so far; NaN without samples, and for what does not exist. */
SEAM_PUBLIC seam_run_figure seam_over_run_of(const seam_over_run *self, size_t quantity, seam_statistic which);
/** @} */

/** @defgroup seam_couplings Couplings: a row for each macro point
 *   time (s)
 *   of each coupling:
 *     lambda_x, lambda_y (N), lambda_phi (Nm)     the wrench on its first side: cosim_coupling_wrenches()
 *     g_x, ..., gd_x, ..., gdd_x, ...             at cut joints: residuals (m, rad), first and second rates, all of one
 *                                                 level one after the other: cosim_coupling_residuals()
 *     residual_power (W), residual_energy (J)     cosim_coupling_energy()
 *     created_energy (J)                          cosim_coupling_created()
 *   of each bond:
 *     residual_power (W), residual_energy (J), power (W)     cosim_bond_energy_of()
 * @{ */

enum { SEAM_N_RESIDUAL_LEVELS = 3 }; /* g, gd, gdd */

/** Model and simulation must outlive the table. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_couplings_table_create(const mbs_model *model, const cosim_simulation *simulation,
                                                    seam_table **created, seam_error *error);

/** Fills row (n_columns) from the simulation's present macro point, whose time (s) the caller gives. */
SEAM_PUBLIC void seam_couplings_row(const seam_table *table, double time, double *row);
/** @} */

/** @defgroup seam_signals Signals: a row for each macro point: time (s), and every signal of cosim_signal_of()
 * @{ */

SEAM_PUBLIC seam_status seam_signals_table_create(const cosim_simulation *simulation, seam_table **created,
                                                  seam_error *error);
SEAM_PUBLIC void seam_signals_row(const seam_table *table, double time, double *row);
/** @} */

/** @defgroup seam_energies Energy totals
 * @{ */

/** Sums over all couplings; residual power and energy over all bonds too. */
typedef struct seam_interface_energy {
  double residual_power;  /* W, over the last macro step */
  double residual_energy; /* J, since the start */
  double created;         /* J, since the start */
} seam_interface_energy;

SEAM_PUBLIC seam_interface_energy seam_interface_energy_of(const cosim_simulation *simulation);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
