/* The study of `seam stability model`, about one state or about states along a motion. The "file's own motion" begins
 * at the start that the model file specifies, not at the studied state. */
#ifndef APP_COMMANDS_STABILITY_STUDY_H
#define APP_COMMANDS_STABILITY_STUDY_H

#include <seam/analysis.h>

#include "app/operating_point.h"
#include "app/plots/plot.h"
#include "app/study.h"

enum { STABILITY_POINTS, STABILITY_LIMITS, STABILITY_ADVICE, STABILITY_VERIFY }; /* indices in app_study.files */

typedef struct stability_study {
  app_study base;
  double from, to;           /* range of macro steps, s */
  size_t n_samples;          /* number of macro steps studied in this range */
  double n_times;            /* number of states along the motion */
  double wanted;             /* largest error of a recommended scheme and macro step */
  const char *turning_joint; /* name of a cut joint whose reaction rotates with its bodies; NULL: there is none */
  double growth, when; /* 1/s, largest growth rate of the mechanism itself along the motion; s, time of this rate */
  bool has_undecided;  /* an interval of stable macro steps has undecided points */
  size_t n_studied, n_to_study; /* number of studies of a scheme about a state: done, and in all */
  plot picture;                 /* picture of the study about one state; unused along a motion */
} stability_study;

/* Starts the display of progress of a study about n_states states. */
void stability_begin(stability_study *study, size_t n_states);
/* Studies scheme `number` about the present state and writes its rows. */
seam_status stability_analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error);
seam_status stability_interrupted(seam_error *error);

/* stability_open() opens stability.csv, limits.csv and recommendation.csv. write_limit() writes a row of limits.csv;
 * `kind` is "state", "least" or "motion"; a NaN becomes an empty field. write_advice() writes a row of
 * recommendation.csv; `tried` NULL: the prediction was not tried. */
seam_status stability_open(stability_study *study, seam_error *error);
void stability_write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
                           double to, bool has_undecided);
void stability_write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *predicted,
                            const seam_trial *tried);

/* Finds the largest growth rate of motions of the mechanism itself, 1/s. 0: no motion grows, or the rate is unknown,
 * because variables are sampled or modes cannot be computed. SEAM_NO_MEMORY. */
seam_status stability_find_growth(const stability_study *study, double *growth, seam_error *error);
void stability_print_growth(double growth, const char *where);

/* Finds the longest period (s) of the modes of the present state; 0: there is none. If `oscillates` is false, includes
 * modes that neither oscillate nor are neutral. The period of such a mode counts as 1/|λ|; λ is its eigenvalue. Errors
 * of seam_modes_create(). */
seam_status stability_find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error);

/* Returns true if variables of the monolithic model are sampled. */
bool stability_has_samples(const stability_study *study);
/* Prints why the study has no predicted errors and therefore no recommendation. Errors of seam_modes_create(). */
seam_status stability_print_reason(const stability_study *study, seam_error *error);

/* read_verify() reads the factors of --verify, at most 8. verify() tries macro steps limit x factor, for each factor
 * and each of the limits (n_schemes) inside the range of the study. Each macro step is tried in a run on the file's own
 * motion. If the studied state is at rest, it is also tried in a run near this state. Without --verify does nothing. */
seam_status stability_read_verify(const stability_study *study, double *factors, size_t *n, seam_error *error);
seam_status stability_verify(stability_study *study, const double *limits, seam_error *error);

/* Returns the stability limit, s: no macro step from the beginning of the range up to it is unstable. 0: the smallest
 * macro step of the range is not stable. */
double stability_limit_of(const stability_study *study, const seam_scheme_study *found);

/* A prediction to try on the file's own motion: index of its scheme, and members of seam_trial_def. */
typedef struct stability_trial {
  size_t scheme;
  double macro_step, wanted, ratio;
} stability_trial;

/* Starts the display of progress of a trial. It shows no time left, because the number of runs is unknown. */
void stability_begin_trial(stability_study *study, const char *scheme);
/* Creates the assembled state at the start that the file specifies. */
seam_status stability_trial_start(const app_setup *setup, mbs_state **start, seam_error *error);
/* Tries the prediction in runs from the start that the file specifies. If it cannot be tried, returns SEAM_OK and sets
 * *cause to the reason; else cause->status is SEAM_OK. SEAM_INTERRUPTED, SEAM_NO_MEMORY. */
seam_status stability_trial_run(stability_study *study, const stability_trial *self, seam_trial *found,
                                seam_error *cause, seam_error *error);
/* trial_print() prints the result of the trial, and a command that repeats the run found. print_distance() prints the
 * distance of the start of the file's own motion from the studied state, as " (it starts ... from this state)". */
void stability_trial_print(const stability_study *study, const stability_trial *self, const seam_trial *found);
seam_status stability_trial_print_distance(const app_setup *setup, seam_error *error);
/* Reads --times, the number of states along the motion. SEAM_BAD_INPUT: not a number in the allowed range, or the model
 * has no end time. */
seam_status stability_read_times(stability_study *study, seam_error *error);
/* Studies all schemes about states along the motion. */
seam_status stability_follow(stability_study *study, seam_error *error);

#endif
