/** @file
 * Verdicts: whether a co-simulated run is unstable, and whether what a run computed is to be trusted. Models, states
 * and simulations are only read. Misuse: see <seam/status.h>. */
#ifndef SEAM_VERDICT_H
#define SEAM_VERDICT_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/cosim.h>
#include <seam/mbs.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_verdict Verdict
 * A co-simulated run is unstable when a value is not finite, or
 *   beside a monolithic run     when a coordinate or a rate is above 1000 times the largest of that run;
 *   alone, where signals or user-defined subsystems take part and no monolithic run is of the whole model,
 *       when a value of the state or a signal is above 1e9 and 1e6 times the largest of the first hundredth of the run.
 * @{ */

/** Largest |coordinate| (m, rad) and |rate| (m/s, rad/s) of the monolithic run so far; start from {0}. */
typedef struct seam_bounds {
  double coordinate, rate;
} seam_bounds;

SEAM_PUBLIC void seam_bounds_add(seam_bounds *bounds, const mbs_model *model, const mbs_state *state);

/** The first value that is out of bounds. */
typedef struct seam_excess {
  size_t body;
  const char *component; /* "x", "y", "phi", "vx", "vy", "omega" */
  double value, limit;
} seam_excess;

/** `what` (may be NULL) is written when the state is unstable. Limits are never below 1, so that a mechanism that rests
 * has bounds too. A state of another model is out of bounds, at no body. */
SEAM_PUBLIC bool seam_bounds_exceeded(const seam_bounds *bounds, const mbs_model *model, const mbs_state *state,
                                      seam_excess *what);

/** Bounds of a co-simulated run; start from {0}. */
typedef struct seam_run_bounds {
  bool is_alone;          /* there is no monolithic run */
  seam_bounds monolithic; /* else: of that run */
  double first_largest;   /* of a run that is alone: the largest value of its first hundredth so far */
} seam_run_bounds;

/** Checks the present macro point, at time t (s) of a run to `end` (s): to be called at every macro point from t = 0
 * on. SEAM_BECAME_UNSTABLE says which value is out of bounds, and what to do. */
SEAM_PUBLIC seam_status seam_run_bounds_check(seam_run_bounds *bounds, const mbs_model *model,
                                              const cosim_simulation *simulation, double t, double end,
                                              seam_error *error);
/** @} */

/** @defgroup seam_run_verdict Verdict on a run
 * Every run is judged at its end by what its states say: energies, residuals (docs/theory.md, "The verdict on a run").
 * @{ */

/** The largest absolute residual of the constraints. */
typedef struct seam_largest_residual {
  double value;
  size_t constraint;
  double time; /* s */
} seam_largest_residual;

/** What the states of a run had of energy and residuals; start from {0}. */
typedef struct seam_run_record {
  size_t n_states;
  double initial_energy;            /* J, total + dissipated - driven of the first state */
  double imbalance, imbalance_time; /* J: how far that moved, at most, with its sign; s */
  double last_imbalance, created;   /* J, of the last state; by all couplings, seam_run_record_couplings() */
  bool has_couplings;               /* that was called */
  double law_kink_error, law_speed; /* as in cosim_statistics; by seam_run_record_couplings(), as */
  double contact_energy, contact_created, contact_passed, contact_noise; /* is this, 0: left out; J, of the worst one */
  double bounces;                                                        /* J, mbs_bounces_taken() of the last state */
  double part_created, part_passed;           /* J, by couplings of user parts, the sum of sizes; through them; */
  double part_force, late_samples, late_time; /* N or Nm, the largest there; as in cosim_statistics */
  double signal_miss;                         /* 1: by the best of all holds, of the standard deviation of */
  const char *signal;                         /* this, what is predicted least; of the simulation; NULL: none */
  double reaction_error, largest_reaction, shortest_step;     /* N or Nm, s, as in cosim_statistics; 0: not known */
  double doubtful_slips, slip_time;                           /* as in cosim_statistics; s, of the first one */
  size_t slip;                                                /* its joint */
  double largest_kinetic, least_potential, largest_potential; /* J */
  double largest_dissipated, largest_driven;                  /* J, absolute values */
  double largest_rate;                      /* m/s, of centres of mass; rad/s times the mechanism's size */
  seam_largest_residual position, velocity; /* g, gd */
} seam_run_record;

/** Takes a state into account. `residuals` (2 n_constraints) is scratch. */
SEAM_PUBLIC void seam_run_record_add(seam_run_record *record, const mbs_model *model, mbs_workspace *workspace,
                                     const mbs_state *state, double *residuals);

/** Takes into account kinks in laws of cut force elements, forces at cut joints beside reactions of the whole, what
 * contacts at cuts created, and the energy that the couplings created up to the last state: what these say of their own
 * forces must be what the motion shows. Where user parts have energies that the mechanism does not show, that is left
 * out but of their own couplings; under Euler's methods both energies are. Call it once, after the last state. */
SEAM_PUBLIC void seam_run_record_couplings(seam_run_record *record, const cosim_simulation *simulation);

/** The largest of kinetic energy, range of potential energy, what was dissipated, what was driven in, J. */
SEAM_PUBLIC double seam_run_record_exchange(const seam_run_record *record);

typedef enum seam_criterion {
  SEAM_ENERGY_BALANCE,    /* J */
  SEAM_POSITION_RESIDUAL, /* m, rad */
  SEAM_VELOCITY_RESIDUAL, /* m/s, rad/s */
  SEAM_REJECTED_STEPS,    /* number */
  SEAM_COUPLING_ENERGY,   /* J: created by the couplings, less the imbalance that the motion shows */
  SEAM_LAW_KINKS,         /* m/s, rad/s: what kinks in laws of cut force elements may have changed velocities by */
  SEAM_CONTACT_ENERGY,    /* J: created by cut contacts, strands and laws with kinks, each until it last opened */
  SEAM_BOUNCES,           /* J: taken from hard contacts where they bounce too fast, beside their restitution */
  SEAM_PART_ENERGY,       /* J: created by couplings of user parts */
  SEAM_REACTIONS,         /* N, Nm: what couplings transmit at cut joints, less the reactions of the whole there */
  SEAM_LATE_SAMPLES,      /* 1: share of the time by which samples of an FMU acted late */
  SEAM_SIGNALS,           /* 1: how far holds of any order miss what is predicted least, of its standard deviation */
  SEAM_SLIPS,             /* slips of hard friction that falls at once, of a cut run, which macro steps leave open */
  SEAM_N_CRITERIA
} seam_criterion;

/** The key in summary.json: "energy", "g", "gd", "rejected", "couplings" and so on; static. */
SEAM_PUBLIC const char *seam_criterion_name(seam_criterion criterion);

/** A criterion is met where |figure| <= bound. */
typedef struct seam_run_verdict {
  double figure[SEAM_N_CRITERIA], bound[SEAM_N_CRITERIA];
} seam_run_verdict;

/** SEAM_OK, or SEAM_SUSPECT with a message that says which bounds are broken, by how much, and what to do. `options`
 * are the integrator's; NULL: the run was co-simulated. */
SEAM_PUBLIC seam_status seam_run_judge(const seam_run_record *record, const mbs_model *model,
                                       const mbs_integrator_options *options, const mbs_statistics *statistics,
                                       seam_run_verdict *verdict, seam_error *error);
/** @} */

#ifdef __cplusplus
}
#endif
#endif
