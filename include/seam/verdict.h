/** @file
 * Verdicts on runs: instability and error. Models, states, simulations are only read. Misuse: <seam/status.h>. */
#ifndef SEAM_VERDICT_H
#define SEAM_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/bounds.h>
#include <seam/cosim.h>
#include <seam/mbs.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_growth Unstable runs
 * A co-simulated run is unstable if a value is not finite or exceeds its limit. The limit of a motion is 1000 times a
 * bound, which follows from the loads of the run, the scales of the model, and the motion in the first hundredth of the
 * run. During this hundredth, the bound follows from loads and scales alone. A motion beyond the limit is then unstable
 * only if couplings have also created over half of the kinetic energy. Signals have no scale, and no limit in the first
 * hundredth. Later, their limit is 1e9 times the largest signal in the first hundredth, at least 1e9.
 * @{ */

/** Largest values in the first hundredth of a run; start from {0}. */
typedef struct seam_growth {
  double speed, rate; /* m/s, rad/s */
  double place;       /* m: largest distance of a body from its start */
  double signal;      /* largest signal */
  double by_loads;    /* m/s: largest speed that the loads of the run can cause in the pose of the start */
  double limit; /* limit that a value exceeded in an unstable run: 1000 times the bound, or the limit of signals */
} seam_growth;

/** Checks the present macro point, at time t (s) of a run from `start` to `end` (s); to be called at every macro
 * point, also the start. The message of SEAM_BECAME_UNSTABLE states which value is out of bounds, and a remedy. */
SEAM_PUBLIC seam_status seam_growth_check(seam_growth *growth, const mbs_model *model, const mbs_state *start,
                                          const cosim_simulation *simulation, double t, double end, seam_error *error);
/** @} */

/** @defgroup seam_run_verdict Verdict on a run
 * Three figures judge a run at its end: its error, found by a second run; the energy that it created or lost by errors;
 * its constraint residuals. docs/theory.md, "The verdict on a run", has the details.
 * @{ */

typedef enum seam_word { SEAM_WORD_NOT_CHECKED, SEAM_WORD_ACCURATE, SEAM_WORD_ROUGH, SEAM_WORD_WRONG } seam_word;

/** "not checked", "accurate", "rough", "wrong"; static. */
SEAM_PUBLIC const char *seam_word_text(seam_word word);

/** Second run with which a run is compared. */
typedef enum seam_truth {
  SEAM_TRUTH_NONE,      /**< no second run */
  SEAM_TRUTH_WHOLE,     /**< "undivided run": monolithic run of the undivided mechanism, for a co-simulated run */
  SEAM_TRUTH_SMALLER,   /**< "smaller macro step": divided macro steps, for a co-simulated run that has no monolithic
                           model */
  SEAM_TRUTH_INTEGRATOR /**< "other integrator": another method at tighter tolerances, for a monolithic run */
} seam_truth;
SEAM_PUBLIC const char *seam_truth_text(seam_truth truth);

/** Error of a run: the largest deviation of a quantity from the second run, divided by the quantity's travel. Travel is
 * the largest distance between two values of the quantity in the second run. From positions and angles, the straight
 * line from the first to the last value is subtracted first. */
typedef struct seam_deviation {
  seam_truth by;
  char quantity[128]; /**< "disc.place", "rod.omega", "control.u"; "": nothing moves */
  const char *unit;   /**< static */
  double time;        /**< s */
  double value;       /**< deviation, in that unit; for positions and velocities, the magnitude of a vector */
  double of_travel;   /**< deviation divided by travel; NaN: not known */
  bool of_least;      /**< travel is below the least travel that counts; of_travel is relative to that least travel */
  bool is_bound;      /**< value and of_travel are only upper bounds */
  bool diverges;      /**< runs do not converge with smaller macro steps: the run is wrong, of_travel unreliable */
  double confirmed;   /**< difference between two reference runs, divided by travel; NaN: there is only one */
  double until;       /**< s, time up to which the run is judged */
  char why[320];      /**< why the error is not known, or what limits its validity; else "" */
} seam_deviation;

/** Largest absolute residual of the constraints. */
typedef struct seam_largest_residual {
  double value; /* m or m/s; angles are multiplied by the mechanism's size */
  size_t constraint;
  double time; /* s */
} seam_largest_residual;

/** Extremes of energies and residuals over the states of a run; start from {0}. */
typedef struct seam_run_record {
  size_t n_states;
  double initial_energy;            /* J, total + dissipated - driven of the first state */
  double imbalance, imbalance_time; /* J: largest deviation from the initial energy, with its sign; its time, s */
  double largest_kinetic, least_potential, largest_potential; /* J */
  double largest_dissipated, largest_driven;                  /* J, absolute values */
  double of_parts; /* J, energy created by couplings of user parts up to a state; the caller sets it before it adds that
                      state */
  bool hides_energy;   /* black boxes are coupled by forces, and their energy is not known; the caller sets it, too */
  double created;      /* J, energy that all couplings have created; the caller sets it, too */
  double integration;  /* J, energy that integrators, not couplings, have created until the last state */
  double largest_rate; /* m/s, largest speed of a centre of mass, or angular velocity times the mechanism's size */
  seam_largest_residual position, velocity; /* residuals g of constraints, and their rates gd */
} seam_run_record;

/** Adds a state to the record. `residuals` (2 n_constraints) is scratch. */
SEAM_PUBLIC void seam_run_record_add(seam_run_record *record, const mbs_model *model, mbs_workspace *workspace,
                                     const mbs_state *state, double *residuals);

/** Returns the energy exchanged, J: the largest of kinetic, range of potential, dissipated and driven energy. */
SEAM_PUBLIC double seam_run_record_exchange(const seam_run_record *record);

typedef struct seam_run_verdict {
  seam_word word; /**< verdict by the worst of the three figures; if the error is not known, `wrong` or `not checked` */
  seam_deviation error;
  seam_deviation forces; /**< error of reactions, accelerations and measures of them at macro points; above the bound of
                            `rough`, the run is not `accurate`; NaN: not known */
  double energy, moved;  /**< J. energy: created (positive) or lost by errors. moved: energy exchanged, as given to
                            seam_run_judge(); 0 if it is less than 1e-6 of the scale of energy */
  double energy_bound; /**< J: bound of |energy|, from the energy exchanged and from round-off; infinite if black boxes
                          hide their energy */
  double position, velocity;             /**< largest residuals, m, rad; m/s, rad/s */
  double position_bound, velocity_bound; /**< bounds of these residuals */
  seam_verdict_bounds bounds;
} seam_run_verdict;

/** Judges a run by its record, its error (NULL: not checked) and the error of its forces (NULL: not known); `moved`:
 * energy exchanged, J, in the frame of the mechanism's mean motion; NaN: seam_run_record_exchange() is used. Returns
 * SEAM_OK or SEAM_WRONG. The message then states which bound is exceeded, by how much, and a remedy. */
SEAM_PUBLIC seam_status seam_run_judge(const seam_run_record *record, const mbs_model *model, bool is_cosim,
                                       const seam_verdict_bounds *bounds, const seam_deviation *error_of_run,
                                       const seam_deviation *error_of_forces, double moved, seam_run_verdict *verdict,
                                       seam_error *error);

/** Writes the verdict as a sentence: "rough: disc.place is 0.13 m (2.3 % of its travel) off the undivided run at t =
 * 3.2 s; energy ...", cut at `size`. Returns its length. */
SEAM_PUBLIC size_t seam_verdict_say(const seam_run_verdict *verdict, char *text, size_t size);
/** @} */

/** @defgroup cosim_notes Notes on a run
 * @{ */

/** Calls `say` for each note on a run up to its present macro point. Notes report what may spoil a run in which nothing
 * has failed: kinks, or switches of contacts and cables, inside macro steps; signals that lag; corrections at their
 * limit. A note is one line of text without newline and lives during the call. */
SEAM_PUBLIC void cosim_note_run(const mbs_model *model, const cosim_builder *builder,
                                const cosim_simulation *simulation, void (*say)(void *context, const char *note),
                                void *context);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
