/** @file
 * Verdicts: whether a co-simulated run is unstable, and how far a run is from the truth. Models, states and simulations
 * are only read. Misuse: see <seam/status.h>. */
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
 * A co-simulated run is unstable when a value is not finite, or above 1000 times what the first hundredth of the run
 * and the scales of the model allow; a signal without scale above 1e9 times the largest value of that hundredth.
 * @{ */

/** Largest values of a run in its first hundredth; start from {0}. */
typedef struct seam_growth {
  double speed, rate; /* m/s, rad/s: the largest */
  double place;       /* m: the largest distance from where a body began */
  double signal;      /* the largest signal */
  double limit;       /* of `what`, when seam_growth_check() says that the run is unstable */
} seam_growth;

/** Checks the present macro point, at time t (s) of a run from `start` to `end` (s): to be called at every macro point
 * from the start on. SEAM_BECAME_UNSTABLE says which value is out of bounds, and what to do. */
SEAM_PUBLIC seam_status seam_growth_check(seam_growth *growth, const mbs_model *model, const mbs_state *start,
                                          const cosim_simulation *simulation, double t, double end, seam_error *error);
/** @} */

/** @defgroup seam_run_verdict Verdict on a run
 * Every run is judged at its end by three figures (docs/theory.md, "The verdict on a run"): its error, found by a
 * second run; the energy that it made or lost; its constraints.
 * @{ */

typedef enum seam_word { SEAM_WORD_NOT_CHECKED, SEAM_WORD_ACCURATE, SEAM_WORD_ROUGH, SEAM_WORD_WRONG } seam_word;

/** "not checked", "accurate", "rough", "wrong"; static. */
SEAM_PUBLIC const char *seam_word_text(seam_word word);

/** Runs that a run is compared with as the truth. */
typedef enum seam_truth {
  SEAM_TRUTH_NONE,      /**< it is not */
  SEAM_TRUTH_WHOLE,     /**< a cut run: with the undivided one, "undivided run" */
  SEAM_TRUTH_SMALLER,   /**< a cut run without a whole: with half of its macro steps, "smaller macro step" */
  SEAM_TRUTH_INTEGRATOR /**< a monolithic run: with a tighter one by another family, "other integrator" */
} seam_truth;
SEAM_PUBLIC const char *seam_truth_text(seam_truth truth);

/** The error of a run: the largest deviation of a quantity over its travel, the diameter of its path in the truth after
 * the straight line from its first to its last value is taken off (places, angles). */
typedef struct seam_deviation {
  seam_truth by;
  char quantity[128]; /**< "disc.place", "rod.omega", "control.u"; "" where nothing moves */
  const char *unit;   /**< static */
  double time;        /**< s */
  double value;       /**< in that unit: a distance of places and velocities */
  double of_travel;   /**< share; NaN: not known */
  bool is_bound;      /**< it is below that share */
  bool diverges;      /**< smaller macro steps do not approach it: wrong, and the share says little */
  double confirmed;   /**< share to which two truths agree; NaN: one alone was made */
  double until;       /**< s: judged up to there */
  char why[320];      /**< why there is no error, or what limits it; "" */
} seam_deviation;

/** The largest absolute residual of the constraints. */
typedef struct seam_largest_residual {
  double value;
  size_t constraint;
  double time; /* s */
} seam_largest_residual;

/** Energies and residuals of the states of a run; start from {0}. */
typedef struct seam_run_record {
  size_t n_states;
  double initial_energy;                                      /* J, total + dissipated - driven of the first state */
  double imbalance, imbalance_time;                           /* J: the largest change of that, with its sign; s */
  double largest_kinetic, least_potential, largest_potential; /* J */
  double largest_dissipated, largest_driven;                  /* J, absolute values */
  double of_parts;                          /* J, made by couplings of user parts up to the state that is taken next */
  double largest_rate;                      /* m/s, of centres of mass; rad/s times the mechanism's size */
  seam_largest_residual position, velocity; /* g, gd */
} seam_run_record;

/** Takes a state into account. `residuals` (2 n_constraints) is scratch. */
SEAM_PUBLIC void seam_run_record_add(seam_run_record *record, const mbs_model *model, mbs_workspace *workspace,
                                     const mbs_state *state, double *residuals);

/** The largest of kinetic energy, range of potential energy, energy dissipated and energy driven in, J. */
SEAM_PUBLIC double seam_run_record_exchange(const seam_run_record *record);

typedef struct seam_run_verdict {
  seam_word word; /**< the worst of the three figures; without an error `wrong` or `not checked` */
  seam_deviation error;
  seam_deviation forces;     /**< the same of reactions, accelerations and measures made of them, at macro points: a run
                                whose     error there is above that of `rough` is rough at most; NaN: not known */
  double energy, moved;      /**< J: made (positive) or lost; the energy that moved, in the frame of the mean motion, 0
                                where it is below a millionth of the scale of energy: nothing moved */
  double energy_bound;       /**< J: what may be made or lost: a share of what moved, at least rounding */
  double position, velocity; /**< the largest residuals (m, rad; m/s, rad/s), */
  double position_bound, velocity_bound; /**< and what is allowed */
  seam_verdict_bounds bounds;
} seam_run_verdict;

/** Judges a run by its record, its error (NULL: it was not checked) and that of its forces (NULL: not known); `moved`
 * (J) NaN: seam_run_record_exchange().
 * SEAM_OK, or SEAM_WRONG with a message that says which bound is broken, by how much, and what to do. */
SEAM_PUBLIC seam_status seam_run_judge(const seam_run_record *record, const mbs_model *model, bool is_cosim,
                                       const seam_verdict_bounds *bounds, const seam_deviation *error_of_run,
                                       const seam_deviation *error_of_forces, double moved, seam_run_verdict *verdict,
                                       seam_error *error);

/** Writes the verdict on a run as a sentence: "rough: disc.place is 0.13 m (2.3 % of its travel) off the undivided run
 * at t = 3.2 s; energy ...". Returns the length of the text, which ends at `size` at the latest. */
SEAM_PUBLIC size_t seam_verdict_say(const seam_run_verdict *verdict, char *text, size_t size);
/** @} */

/** @defgroup cosim_notes Notes on a run
 * @{ */

/** Writes notes on a run up to its present macro point, which a user should know although nothing has failed: kinks,
 * contacts and strands inside macro steps, reactions that are off, signals that lag, corrections at their limit. Each
 * is one line of text without newline, which lives during the call of `say`. */
SEAM_PUBLIC void cosim_note_run(const mbs_model *model, const cosim_builder *builder,
                                const cosim_simulation *simulation, void (*say)(void *context, const char *note),
                                void *context);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
