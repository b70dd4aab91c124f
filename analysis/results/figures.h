/* Integrals and extremes of a quantity over a run, from its samples, with uncertainties. */
#ifndef SEAM_ANALYSIS_FIGURES_H
#define SEAM_ANALYSIS_FIGURES_H

#include <seam/results.h>

enum { SEAM_GROUP = 5, SEAM_WINDOW = 5, SEAM_NEWEST = SEAM_WINDOW - 1 };

typedef struct seam_point {
  double t, x;
} seam_point;

typedef struct seam_piece_integral {
  double sum, uncertainty;
} seam_piece_integral;

typedef struct seam_extreme {
  double value, time; /* largest value of the samples, and its time (s) */
  double bound;       /* upper bound of the curve, also between samples; see figures.c */
} seam_extreme;

/* Samples of one quantity, and their sums. The struct has neither pointers nor padding, since checkpoints store its
 * bytes. */
typedef struct seam_record {
  double n;          /* number of samples */
  double n_piece;    /* number of samples of the present piece; a piece is smooth, and a jump or kink ends it */
  double is_refined; /* 1 or 0; if 1, intervals are halved where needed, and bounds from the samples alone are unused */
  double start;      /* s, time of the first sample */
  double n_group;    /* number of samples in `group` */
  seam_point before; /* the last sample before the group */
  seam_point group[SEAM_GROUP]; /* samples at equal intervals; the first is also the last of the previous group */
  double n_probes;              /* number of entries of `probe` */
  seam_point probe[SEAM_GROUP - 1];
  seam_point window[SEAM_WINDOW]; /* the last samples, newest last */
  seam_piece_integral moment[2];  /* integrals of x ([0]) and of x² ([1]) */
  seam_extreme highest[2];        /* maxima of x and of -x */
} seam_record;

/* Adds a sample, later than all samples before. */
void seam_record_add(seam_record *r, seam_point p);
/* An interval of a curve between the samples a and b, with the neighbouring samples. The curve may have a pole where a
 * piece begins or ends: at a if begins > 0, at b if ends > 0. These numbers of halvings look for it. */
typedef struct seam_interval {
  seam_point left, a, b, right;
  int begins, ends;
} seam_interval;

/* Finds the last interval if the piece ends (is_last), else the one before it. The parabola through three samples gives
 * a missing neighbour. Returns false if the piece has fewer than three samples. */
bool seam_record_interval(const seam_record *r, bool is_last, seam_interval *found);
/* Returns the highest value that x (which = 0) or -x (which = 1) can reach in an interval, if the curve has no
 * inflection there. */
double seam_interval_bound(const seam_interval *of, int which);

/* Adds a sample between earlier ones. It counts for extremes, not for integrals. */
void seam_record_add_between(seam_record *r, seam_point p);
/* Adds a probe between the last sample and the next. The error with which samples predict it counts as uncertainty. */
void seam_record_probe(seam_record *r, seam_point p);
/* Ends the piece at the last sample. p is the first sample of the next piece, at the same time. */
void seam_record_begin_piece(seam_record *r, seam_point p);
/* Returns a statistic of a record with at least one sample. */
seam_run_figure seam_record_figure(const seam_record *r, seam_statistic which);

#endif
