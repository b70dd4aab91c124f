/* Inside of an integrator of a mechanism: its steps are in integrator.c. */
#ifndef MBS_INTEGRATOR_INTERNAL_H
#define MBS_INTEGRATOR_INTERNAL_H

#include <stdint.h>

#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/newton.h"
#include "mbs/integrate/corners.h"
#include "mbs/integrate/crossing.h"
#include "mbs/integrate/integrator.h"
#include "mbs/integrate/kinks.h"

/* Times at which steps begin and end, beside those of the method. */
typedef struct mbs_times {
  double start;       /* of the run */
  double begin;       /* of the last start, or the last kink */
  double stop;        /* that was asked for */
  seam_kink next;     /* after `begin` */
  double last;        /* the kink before that was passed last; NaN: none */
  size_t n_close;     /* kinks up to that one, with next to no time between them */
  double step;        /* the beginning of the step in which it is */
  size_t switching;   /* 1 + the function whose zero is `next`; 0: it is a kink of a law */
  double last_switch; /* as `last` and `n_close`, of switches */
  size_t n_close_switches;
} mbs_times;

/* An argument's, within which its law is smooth. */
typedef struct mbs_bounds {
  double below, above;
} mbs_bounds;

/* Functions that are watched together: of a row of the model's table of modes, or two of each corner of a law, how far
 * its argument is from the bounds that it had where the step began. */
typedef struct mbs_watched_row {
  const mbs_switching *modes; /* NULL: of corners */
  const mbs_corner_source *corners;
  int first, n; /* functions */
} mbs_watched_row;

/* The watch over switching functions; all pointers are NULL where there are none. */
typedef struct mbs_root_finder {
  mbs_workspace *ws;
  mbs_state *state;
  mbs_corners corners;
  seam_corner *corner, *corner_seen; /* (corners) at hand; at `seen` */
  mbs_bounds *bounds;                /* (corners) in the present step */
  bool *passes_by;                   /* (corners) it need not end at them */
  bool *is_left;                     /* (corners) to the error test, as the motion stays there */
  mbs_watched_row *rows;             /* (n_rows) those of the table first */
  int n_rows, n;                     /* n functions */
  mbs_switch *values;
  mbs_switch *begin, *end, *at, *last; /* in it, (n) at both ends of a piece, anywhere, at a step's end */
  double *begin_of_step;               /* (n) values there */
  double seen;                         /* s, where `begin` is of; NaN: nowhere */
  double turning;                      /* rad/s, of the fastest body there */
  bool *near;                          /* (n_rows) that may come to zero in the step */
} mbs_root_finder;

/* Receives impacts. */
typedef struct mbs_impact_listener {
  seam_status (*hear)(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error);
  void *context;
} mbs_impact_listener;

/* Receives the smooth steps. */
typedef struct mbs_step_listener {
  seam_status (*hear)(void *context, const mbs_step_piece *piece, seam_error *error);
  void *context;
} mbs_step_listener;

struct mbs_integrator {
  const mbs_model *model;
  uint32_t method, order;  /* row of the table of methods; erk's order */
  bool repeats;            /* a step, with another length */
  double rtol, fixed_step; /* of the options */
  mbs_workspace *ws;
  worker_group workers;          /* of the workspace and of vectors of explicit methods; a piece of work: rates */
  mbs_state *now;                /* scratch of the right-hand side */
  mbs_state *before_kink;        /* receives the state before each kink; NULL: not wanted */
  mbs_ggl *ggl;                  /* NULL: index-1 form */
  mbs_newton *newton;            /* CVODE's */
  mbs_crossing *crossing;        /* NULL: singular configurations are not passed */
  mbs_extra_states extra;        /* of none: n = 0 */
  size_t n_extra;                /* integrated at present */
  mbs_evaluated_state evaluated; /* of no state: NULL */
  mbs_times times;
  mbs_root_finder finder;
  mbs_impact_listener listener;
  mbs_step_listener steps;
  bool of_motion;        /* states inside a step are wanted without accelerations */
  bool has_inside;       /* `now` is the state inside a step that was asked for last, evaluated */
  mbs_workspace *reader; /* takes stages of states that are returned; NULL: none */
  double asked;          /* s, where it is on its way to */
  double reached;        /* s, the last time asked for, or of the start; NaN: it has not started */
  double *y_step;        /* a whole y, where a step that is repeated begins */
  double *y;             /* one whole y, scratch; NULL: a state's q, v, z and work are all of it */
  seam_integrator *integrator;
};

/* Puts a state inside a step, as it is interpolated, onto the constraints, and keeps its accelerations and multipliers
 * for mbs_integrator_evaluate(); `context` is the integrator. */
seam_status mbs_integrator_project_inside(void *context, double t, double *y, seam_error *error);
/* Rates of y of the stabilised form, accelerations by the index-1 form, which are exact where multipliers of the method
 * are not; `context` is the integrator. */
seam_status mbs_integrator_rates_of_ggl(void *context, double t, const double *y, double *dy, seam_error *error);
/* Copies accelerations, multipliers and contact forces of the state inside a step that was asked for last, which is
 * evaluated in the workspace. */
void mbs_integrator_take_inside(const mbs_integrator *self, mbs_state *state);
/* Accelerations and multipliers of the state that was asked for. */
seam_status mbs_integrator_evaluate(mbs_integrator *self, mbs_state *state, seam_error *error);

/* Order of calls and of times, alike for all methods; `function` is the public one that was called. */
seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error);
/* Explains a failure of the method; *state is the last good one. */
seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state, seam_error *error);
/* Returns true if the method stopped at t because a singular configuration is passed without it. */
bool mbs_integrator_is_on_a_way(const mbs_integrator *self, double t);

/* y of the method as a state, but for a and lambda. */
void mbs_integrator_read_y(mbs_integrator *self, double t, const double *y, mbs_state *state);
/* y of a state and of n extra states, at zero when r is NULL. */
const double *mbs_integrator_pack(mbs_integrator *self, const mbs_state *state, size_t n, const double *r);
/* Resets times and the watch after a start of the method at t. */
void mbs_integrator_begin_at(mbs_integrator *self, double t);
/* Length of y with n extra states. */
size_t mbs_integrator_length(const mbs_integrator *self, size_t n);
/* The method stops where it was asked to, or at the next kink. */
void mbs_integrator_apply_stop(mbs_integrator *self);
/* Returns true if the next kink is a sample that only rounding puts beyond t. */
bool mbs_integrator_is_sample_at(const mbs_integrator *self, double t);
/* Returns true if the step to the next switch, a corner, is taken anew, whatever state the step at hand has there. */
bool mbs_integrator_repeats_to_corner(const mbs_integrator *self);
/* Takes y from before the next kink or switch to after it; the method begins anew there. */
seam_status mbs_integrator_pass(mbs_integrator *self, double *y, seam_error *error);

/* Begins anew beyond a singular configuration. */
seam_status mbs_integrator_pass_singularity(mbs_integrator *self, seam_error *error);

/* impact_record.c: those of the switch that was passed last. */
seam_status mbs_integrator_report_impacts(const mbs_integrator *self, const mbs_state *state, seam_error *error);

seam_status mbs_root_finder_create(mbs_integrator *self, seam_error *error);
void mbs_root_finder_destroy(mbs_root_finder *finder);
/* Element of a function. */
const char *mbs_root_finder_name(const mbs_integrator *self, int number);
/* A time and the corner ahead: how long to go to it, and to where its argument is beyond rounding. */
typedef struct mbs_beside {
  double left, time; /* s */
} mbs_beside;
/* Finds these at (t, y), which a step from the beginning of the last one has come to. */
seam_status mbs_root_finder_beside(mbs_integrator *self, int number, double t, const double *y, mbs_beside *beside,
                                   seam_error *error);
/* integrator_corners.c: those of one row, or of the wanted ones (NULL: all), to f, and as they are to the watcher. */
void mbs_root_finder_read_row(mbs_root_finder *finder, const mbs_watched_row *row, mbs_workspace *ws,
                              const mbs_state *state, bool has_forces, mbs_switch *f);
void mbs_root_finder_read_corners(mbs_root_finder *finder, mbs_workspace *ws, const mbs_state *state,
                                  const bool *wanted, bool has_forces, mbs_switch *f);
/* The next step begins with what was read last; that step begins between the bounds there. */
void mbs_root_finder_keep_corners(mbs_root_finder *finder);
void mbs_root_finder_take_bounds(mbs_root_finder *finder);
/* Finds the corners at which a step need not end; functions at both ends of the step are at hand. */
void mbs_root_finder_pass_by(const mbs_root_finder *finder);
bool mbs_is_corner(const mbs_root_finder *finder, int number);
/* Steps do not end any more at a corner where the motion stays; false: the function is not that of a corner. */
bool mbs_root_finder_leave(mbs_root_finder *finder, int number);
/* One step of the method on the way to t; the first switch in it becomes the next kink. */
seam_status mbs_integrator_step(mbs_integrator *self, double t, seam_error *error);
/* Steps up to t, or to the first kink before. */
seam_status mbs_integrator_watch(mbs_integrator *self, double t, seam_error *error);

/* Returns the order of erk. */
static inline int mbs_order_of(const mbs_integrator_options *options) {
  return options->order != 0 ? options->order : 8;
}

#endif
