/* The study of `seam stability model` in one state and along a motion. */
#ifndef APP_COMMANDS_STABILITY_STUDY_H
#define APP_COMMANDS_STABILITY_STUDY_H

#include <seam/analysis.h>

#include "app/operating_point.h"
#include "app/plots/plot.h"
#include "app/study.h"

enum { STABILITY_POINTS, STABILITY_LIMITS, STABILITY_ADVICE, STABILITY_VERIFY }; /* files */

typedef struct stability_study {
  app_study base;
  double from, to; /* s, macro steps */
  size_t n_samples;
  double n_times;      /* states along the motion */
  double wanted;       /* error */
  const char *turning; /* a cut joint whose direction turns; NULL: none */
  double growth, when; /* of the mechanism itself along the motion, 1/s: the largest, and its time */
  bool has_undecided;
  size_t n_studied, n_to_study; /* schemes in states */
  plot picture;                 /* of one state; without panels along a motion */
} stability_study;

/* Before the first of n_states. */
void stability_begin(stability_study *study, size_t n_states);
/* Studies one scheme in the present state and writes its rows. */
seam_status stability_analyse(stability_study *study, size_t number, seam_scheme_study *found, seam_error *error);
seam_status stability_interrupted(seam_error *error);

/* stability.csv, limits.csv and recommendation.csv. */
seam_status stability_open(stability_study *study, seam_error *error);
/* A row of limits.csv: `kind` is state, least or motion; a time or an end that is NaN stays empty. */
void stability_write_limit(const stability_study *study, const char *kind, double time, size_t scheme, double from,
                           double to, bool has_undecided);
/* A row of recommendation.csv: what was promised, and what became of it (NULL: not tried). */
void stability_write_advice(const stability_study *study, size_t scheme, const seam_scheme_study *promised,
                            const seam_trial *tried);

/* Finds the growth of the mechanism itself there, 1/s; 0: nothing grows, or it has no modes. SEAM_NO_MEMORY. */
seam_status stability_find_growth(const stability_study *study, double *growth, seam_error *error);
void stability_print_growth(double growth, const char *where);

/* Period of the slowest mode, or of one without oscillation, if those count, 1/|s|, s; 0: there is none. As
 * seam_modes_create(). */
seam_status stability_find_slowest(const stability_study *study, bool oscillates, double *slowest, seam_error *error);

/* Returns true if variables of the whole are sampled. */
bool stability_has_samples(const stability_study *study);
/* Why no errors are predicted about this state. Failures are those of seam_modes_create(). */
seam_status stability_print_reason(const stability_study *study, seam_error *error);

/* Runs with the macro steps that --verify asks for, near the state where that rests and on the file's own motion,
 * beside limits (n_schemes; 0: none) within the range. Reads at most 8 factors. */
seam_status stability_read_verify(const stability_study *study, double *factors, size_t *n, seam_error *error);
seam_status stability_verify(stability_study *study, const double *limits, seam_error *error);

/* The first limit: all smaller macro steps that were looked at are stable. 0: the smallest is not. */
double stability_limit_of(const stability_study *study, const seam_scheme_study *found);

/* How many macro steps are tried is not known before. */
void stability_begin_trial(stability_study *study, const char *scheme);

/* How many states there are along the motion, which has an end. */
seam_status stability_read_times(stability_study *study, seam_error *error);
/* Along the motion, all schemes. */
seam_status stability_follow(stability_study *study, seam_error *error);

#endif
