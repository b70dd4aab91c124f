/* Fields of an integrator of a mechanism, and functions that its files share. */
#ifndef MBS_INTEGRATOR_INTERNAL_H
#define MBS_INTEGRATOR_INTERNAL_H

#include <stdint.h>

#include "mbs/dynamics/ggl.h"
#include "mbs/dynamics/newton.h"
#include "mbs/integrate/corners.h"
#include "mbs/integrate/crossing.h"
#include "mbs/integrate/integrator.h"
#include "mbs/integrate/kinks.h"
#include "mbs/integrate/zeros.h"

/* Times, s, at which steps begin and end. Kinks are those of kinks.h. A switch is a zero of a switching function, or a
 * time at which the argument of a law reaches a corner (integrator_switches.c). */
typedef struct mbs_times {
  double start;            /* start of the run */
  double begin;            /* last start, restart, kink or switch, where the method began its steps */
  double stop;             /* stop time that the user set */
  seam_kink next;          /* first kink or switch after `begin`; a switch is known only after a step across it */
  double last;             /* kink that was passed last; NaN: none */
  size_t n_close;          /* number of successive kinks up to `last` within almost no time of their predecessors */
  double step;             /* beginning of the step with the switch `next` */
  size_t switching;        /* 1 + number of the function whose zero is `next`; 0: `next` is a kink */
  double last_switch;      /* NaN: there was no switch */
  size_t switched;         /* 1 + number of the function whose zero was the last switch; 0: no switch */
  size_t n_close_switches; /* number of successive switches up to `last_switch` within almost no time of their
                              predecessors */
  size_t n_halvings;       /* halvings of the next step, after too many close switches */
  seam_step_memory memory; /* step sizes after the step that found the corner `next`, for steps beyond the corner */
  double step_end;         /* end of the step that found the corner */
  double corner_passed; /* time at which the argument is past the corner `next` by more than round-off; NaN: unknown */
} mbs_times;

/* Bounds of the argument of a law, between which the law is smooth. */
typedef struct mbs_bounds {
  double below, above;
} mbs_bounds;

/* Functions whose zeros are searched for together: those of one element with modes, or of the corners of one law. Each
 * corner has two functions, the distances of its argument from its bounds at the beginning of the step. */
typedef struct mbs_function_row {
  const mbs_switching *modes; /* NULL: the functions are those of `corners` */
  const mbs_corner_source *corners;
  int first, n; /* number of the first function, and number of functions */
} mbs_function_row;

/* Kinks and corners of watched functions within the last step. */
typedef struct mbs_watch {
  double from, end; /* s, beginning of the search for `next`, and end of the searched part; NaN: no search */
  seam_kink next;
  double last;    /* corner that was found last */
  size_t n_close; /* number of successive corners up to `last` within almost no time of their predecessors */
} mbs_watch;

/* Search for zeros of switching functions; all pointers are NULL if the model has no such functions. */
typedef struct mbs_root_finder {
  bool acts;      /* the functions act on the motion: steps end at their zeros */
  bool of_forces; /* a function depends on accelerations or multipliers */
  mbs_workspace *ws;
  mbs_state *state;
  mbs_corners corners;
  seam_corner *corner, *previous_corner; /* (n_corners) corner: as read last; previous_corner: at `begin_time` */
  mbs_bounds *bounds;                    /* (n_corners) bounds at the beginning of the present step */
  bool *may_cross;                       /* (n) steps may go across a zero of the function */
  bool *is_ignored;                      /* (n_corners) the motion stays at the corner, and steps go across it */
  mbs_function_row *rows; /* (n_rows) first the rows of the switching table, then one row for each law with corners */
  int n_rows, n;          /* n: number of functions */
  int first_of_corners;   /* number of the first function of a corner; all later functions belong to corners */
  mbs_switch *begin, *end, *at, *last; /* (n) functions at the beginning of a piece; at its end; at the time for which
                                          they were read last; at the end of the step */
  double *begin_of_step;               /* (n) values at the beginning of the step */
  double *argument;                    /* (n_corners) arguments of corners, scratch of find_rates() */
  double begin_time;                   /* s, time of `begin`; NaN: `begin` is not known */
  double interpolated;                 /* s, round-off of times at which states in the step are read; NaN: neglected */
  bool *depends_on_rotation;           /* (n_bodies) a function depends on the rotation of this body */
  mbs_period_meter *periodic;          /* arguments of the periodic functions that have corners */
  double rotation_rate; /* rad/s, largest angular velocity of bodies in `depends_on_rotation` at `begin_time`, or mean
                           rate of arguments in `periodic` over the last step, if larger */
  bool *may_vanish;     /* (n_rows) a function of the row may come to zero in the step */
} mbs_root_finder;

/* hear() receives each impact, with the state just after it. */
typedef struct mbs_impact_listener {
  seam_status (*hear)(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error);
  void *context;
} mbs_impact_listener;

/* hear() receives each smooth piece of the motion. */
typedef struct mbs_step_listener {
  seam_status (*hear)(void *context, const mbs_step_piece *piece, seam_error *error);
  void *context;
} mbs_step_listener;

struct mbs_integrator {
  const mbs_model *model;
  uint32_t method, order;  /* index in the table of methods; order of erk */
  bool repeats;            /* the method can repeat a step with another length */
  bool is_of_order_1;      /* steps of length h have errors of order h² */
  double rtol, fixed_step; /* values of the options rtol and fixed_step */
  mbs_workspace *ws;
  worker_group workers;          /* threads of evaluations, and of sums of vectors in explicit methods */
  mbs_state *now;                /* scratch of the right-hand side */
  mbs_state *before_kink;        /* receives the state just before each kink; NULL: not wanted */
  mbs_ggl *ggl;                  /* equations in stabilised index-2 form; NULL: index-1 form */
  mbs_newton *newton;            /* Newton matrices for CVODE; NULL for other methods */
  mbs_crossing *crossing;        /* NULL: singular configurations are not passed */
  mbs_extra_states extra;        /* definition of the extra states; n = 0: none */
  size_t n_extra;                /* number of extra states that are integrated at present */
  mbs_evaluated_state evaluated; /* a state with known rates; evaluated.state NULL: there is no such state */
  mbs_times times;
  mbs_root_finder finder;
  mbs_root_finder watched; /* finder of watched functions */
  mbs_watch watch;
  double events_rotation_rate; /* rad/s, fastest rotation that a condition of an event reads (events.c); 0: none, or
                                  unknown */
  mbs_impact_listener listener;
  mbs_step_listener steps;
  bool of_motion;        /* states that are read inside a step need no accelerations */
  bool is_explained;     /* the message about the failed step is complete */
  bool has_inside;       /* `now` is the last state read inside a step, with its accelerations */
  mbs_workspace *reader; /* receives a copy of the stages of each returned state; NULL: not wanted */
  double target;         /* s, time to which the caller integrates at present */
  double reached;        /* s, time of the last returned state, or of the start; NaN: not started */
  double *y_step;        /* y at the beginning of a step that is repeated */
  double *y; /* scratch for y; NULL: y is then q, v, z and work of a state, which are consecutive in memory */
  seam_integrator *integrator;
};

/* Copies accelerations, multipliers and contact forces of the last state read inside a step to *state. */
void mbs_integrator_copy_inside(const mbs_integrator *self, mbs_state *state);

/* Checks that the integrator has been started, and that t is finite and not before the last returned time. `function`:
 * name of the function that the user called. SEAM_BAD_STATE, SEAM_BAD_INPUT. */
seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error);
/* Writes a message about the failure of the method, and returns `status`; *state is the last good state. */
seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state, seam_error *error);
/* Returns true if an extrapolation through a singular configuration ends after t. The method takes no steps in it. */
bool mbs_integrator_is_crossing(const mbs_integrator *self, double t);

/* Copies y of the method, and its time t, to a state; a and lambda of the state keep their values. */
void mbs_integrator_read_y(mbs_integrator *self, double t, const double *y, mbs_state *state);
/* Returns the length of y with n extra states. */
size_t mbs_integrator_length(const mbs_integrator *self, size_t n);
/* Sets the stop of the method: the stop time of the user or, if earlier, the next kink or switch. */
void mbs_integrator_apply_stop(mbs_integrator *self);
/* Returns true if times.next is the time of a sample that is later than t, but by no more than round-off. */
bool mbs_integrator_is_sample_at(const mbs_integrator *self, double t);
/* Returns true if times.next is a corner, and the method can repeat the step across it, to end just before it. */
bool mbs_integrator_stops_at_corner(const mbs_integrator *self);
/* Restarts at `begin`, the beginning of the last step, so that the next step ends at `end` or before. States inside a
 * step beyond `end` would also depend on the equations after `end`. */
seam_status mbs_integrator_restart_step(mbs_integrator *self, double begin, double end, seam_error *error);
/* Extrapolates a state, but not its time, over a time h of either sign, by its velocities, accelerations and rates of
 * z. Call it right after mbs_accelerate() for this state. */
void mbs_extrapolate(const mbs_workspace *ws, double h, mbs_state *state);
/* Changes y from just before to just after the next kink or switch, and restarts the method there. Errors of
 * mbs_check_kink(), mbs_project(), mbs_pass_switch() and updates of modes. SEAM_STEP_FAILED: too many kinks or switches
 * in almost no time. */
seam_status mbs_integrator_pass(mbs_integrator *self, double *y, seam_error *error);

/* Restarts at the end of the extrapolation through a singular configuration. */
seam_status mbs_integrator_pass_singularity(mbs_integrator *self, seam_error *error);

/* Calls the impact listener for each impact of the last switch; returns its error. */
seam_status mbs_integrator_report_impacts(const mbs_integrator *self, const mbs_state *state, seam_error *error);

seam_status mbs_root_finders_create(mbs_integrator *self, seam_error *error);
void mbs_root_finder_destroy(mbs_root_finder *finder);
/* Returns the name of the element, or of the law with corners, to which function `number` belongs. */
const char *mbs_root_finder_name(const mbs_integrator *self, int number);
static inline bool mbs_is_corner(const mbs_root_finder *finder, int number) {
  return number >= finder->first_of_corners;
}
/* Extrapolates the argument of a law from *state, just before its corner times.next. Returns the time at which the
 * argument will be beyond the corner by twice its round-off. Returns times.next.at, which a step across the corner
 * gave, if the extrapolated time is earlier or far later, or if the argument cannot be read. */
double mbs_end_of_corner(mbs_integrator *self, int number, mbs_state *state);
/* Lets later steps go across the corner of function `number`: the motion stays at the corner. Returns false if the
 * function has none. */
bool mbs_root_finder_ignore(mbs_root_finder *finder, int number);
/* Returns the first corner of watched functions between two times in the last step; infinite if there is none, or the
 * motion cannot be read. *number: its function in self->watched. */
seam_kink mbs_find_watched_corner(mbs_integrator *self, double from, double to, int *number);
/* Takes one step of the method towards t. The first switch in it becomes times.next, and ends the valid part. */
seam_status mbs_integrator_step(mbs_integrator *self, double t, seam_error *error);
/* Takes steps up to t or the first kink or switch before t, and searches each step for switches. */
seam_status mbs_integrator_step_to(mbs_integrator *self, double t, seam_error *error);

#endif
