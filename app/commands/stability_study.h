/* The study of `seam stability model`, in one state or in states along a motion. The "file's own motion" begins at the
 * start that the model file gives, not at the studied state. */
#ifndef APP_COMMANDS_STABILITY_STUDY_H
#define APP_COMMANDS_STABILITY_STUDY_H

#include <seam/analysis.h>

#include "app/operating_point.h"
#include "app/plots/plot.h"
#include "app/study.h"

enum { STABILITY_POINTS, STABILITY_LIMITS, STABILITY_ADVICE, STABILITY_VERIFY }; /* indices of the study's files */

typedef struct stability_study {
  app_study base;
  double from, to; /* range of macro steps, s */
  size_t n_samples;
  double n_times;            /* number of states along the motion */
  double wanted;             /* largest error that a recommendation may have */
  const char *turning_joint; /* a cut joint whose reaction turns with bodies; NULL: none */
  double growth, when;       /* largest growth of the mechanism itself along the motion, 1/s; its time, s */
  bool has_undecided;
  size_t n_studied, n_to_study; /* schemes studied, and to be studied, both summed over states */
  plot picture;                 /* picture of one state; no panels along a motion */
} stability_study;

/* Starts the progress of a study of n_states states. */
void stability_begin(stability_study *study, size_t n_states);
/* Studies one scheme in the present state and writes its rows. */
seam_status stability_analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error);
seam_status stability_interrupted(seam_error *error);

/* stability_open() opens stability.csv, limits.csv and recommendation.csv. The second function writes a row of
 * limits.csv: `kind` is state, least or motion; a NaN leaves its field empty. The third one writes a row of
 * recommendation.csv (`tried` NULL: not tried). */
seam_status stability_open(stability_study *study, seam_error *error);
void stability_write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
                           double to, bool has_undecided);
void stability_write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *promised,
                            const seam_trial *tried);

/* Finds the largest growth of motions of the mechanism itself, 1/s. 0: none grows, or it is not known (something is
 * sampled, or there are no modes). SEAM_NO_MEMORY. */
seam_status stability_find_growth(const stability_study *study, double *growth, seam_error *error);
void stability_print_growth(double growth, const char *where);

/* Finds the longest period of the modes of the present state, s; 0: there is none. Unless `oscillates`, a mode without
 * oscillation counts, too, with 1/|s| of its eigenvalue s, unless it is neutral. Errors as of seam_modes_create(). */
seam_status stability_find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error);

/* Returns true if variables of the monolithic model are sampled. */
bool stability_has_samples(const stability_study *study);
/* Prints why the study has no predicted errors, and so no recommendation. Errors of seam_modes_create(). */
seam_status stability_print_reason(const stability_study *study, seam_error *error);

/* The first reads the factors of --verify, at most 8. The second makes runs with the macro steps limit x factor, for
 * each of the limits (n_schemes) inside the study's range and each factor: near the state if it is at rest, and on the
 * file's own motion. It does nothing without --verify. */
seam_status stability_read_verify(const stability_study *study, double *factors, size_t *n, seam_error *error);
seam_status stability_verify(stability_study *study, const double *limits, seam_error *error);

/* Returns the stability limit, s: no macro step in the study's range up to it is unstable. 0: the smallest macro step
 * of the range is not stable. */
double stability_limit_of(const stability_study *study, const seam_scheme_study *found);

/* A prediction to try on the file's own motion: number of its scheme, and fields of seam_trial_def. */
typedef struct stability_trial {
  size_t scheme;
  double macro_step, wanted, ratio;
} stability_trial;

/* Starts the progress of a trial, without an estimate of the time left: the number of its runs is unknown. */
void stability_begin_trial(stability_study *study, const char *scheme);
/* Creates the assembled start that the file gives. */
seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error);
/* Tries the prediction in runs from the file's own start. If it cannot be tried, the result is still SEAM_OK, and
 * *cause has the reason (status SEAM_OK: it was tried). SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status stability_trial_run(stability_study *study, const stability_trial *self, seam_trial *found,
                                seam_error *cause, seam_error *error);
/* The first prints the result of the trial and a command that repeats the run found. The second prints how far the
 * start of the file's own motion is from the studied state, as " (it starts ... from this state)". */
void stability_trial_print(const stability_study *study, const stability_trial *self, const seam_trial *found);
seam_status stability_trial_print_distance(const app_setup *setup, seam_error *error);
/* Reads --times, the number of states along the motion. SEAM_BAD_INPUT: no such number, or the motion has no end. */
seam_status stability_read_times(stability_study *study, seam_error *error);
/* Studies all schemes along the motion. */
seam_status stability_follow(stability_study *study, seam_error *error);

#endif
