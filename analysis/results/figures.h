/* Integrals and extremes of one quantity by its samples over a run, with their uncertainty. */
#ifndef SEAM_ANALYSIS_FIGURES_H
#define SEAM_ANALYSIS_FIGURES_H

#include <seam/results.h>

enum { SEAM_GROUP = 5, SEAM_WINDOW = 5, SEAM_NEWEST = SEAM_WINDOW - 1 };

typedef struct seam_point {
  double t, x;
} seam_point;

typedef struct seam_part_integral {
  double sum, uncertainty;
} seam_part_integral;

typedef struct seam_extreme {
  double value, time; /* of the samples */
  double bound;       /* of the curve between them */
} seam_extreme;

/* Samples of one quantity, without pointers and gaps, as a checkpoint holds them. */
typedef struct seam_record {
  double n;                     /* samples */
  double n_part;                /* of the present smooth part */
  double is_refined;            /* intervals are refined: samples do not bound the curve between them */
  double start;                 /* s */
  double n_group;               /* samples of `group` */
  seam_point before;            /* the sample before the group */
  seam_point group[SEAM_GROUP]; /* equally far apart */
  double n_probes;              /* in the group */
  seam_point probe[SEAM_GROUP - 1];
  seam_point window[SEAM_WINDOW]; /* the last samples, newest last */
  seam_part_integral moment[2];   /* of x, x² */
  seam_extreme highest[2];        /* of x, -x */
} seam_record;

/* Takes a sample that is later than all before. */
void seam_record_add(seam_record *r, seam_point p);
/* A curve between two samples, a and b, whose neighbours are known. */
typedef struct seam_interval {
  seam_point left, a, b, right;
} seam_interval;

/* The interval before the last one, or, of a part that ends with it, the last one. A missing neighbour is taken from
 * the parabola through three samples. False: there is none, or not enough to say. */
bool seam_record_interval(const seam_record *r, bool is_last, seam_interval *found);
/* Highest value that x (which = 0) or -x can reach there. */
double seam_interval_bound(const seam_interval *of, int which);
void seam_record_raise_bound(seam_record *r, int which, double bound);

/* Takes a sample between earlier ones, for extremes alone. */
void seam_record_show(seam_record *r, seam_point p);
/* Takes a value between the last sample and the next one, a probe: it is not a sample, but samples must predict it. */
void seam_record_probe(seam_record *r, seam_point p);
/* The last sample was the last one of its smooth part; this is the first of the next one, at the same time. */
void seam_record_begin_part(seam_record *r, seam_point p);
/* Returns a statistic of a record that has samples. */
seam_run_figure seam_record_figure(const seam_record *r, seam_statistic which);

#endif
