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

/* Times at which steps have to begin and end. A kink is a time at which a law of time is not smooth, or a sample
 * (kinks.h); a switch is a zero of a switching function or a corner of a law of quantities (integrator_switches.c). */
typedef struct mbs_times {
  double start;            /* start of the run */
  double begin;            /* last start, restart, kink or switch: steps began there */
  double stop;             /* stop time that the user set */
  seam_kink next;          /* first kink or switch after `begin`, as far as known */
  double last;             /* last kink passed; NaN: none */
  size_t n_close;          /* number of successive kinks, up to `last`, each almost at the time of the one before */
  double step;             /* beginning of the step in which the switch lies */
  size_t switching;        /* 1 + number of the function whose zero is `next`; 0: `next` is a kink */
  double last_switch;      /* time of the last switch; NaN: none */
  size_t n_close_switches; /* number of successive switches, up to `last_switch`, each almost at the time of the one
                              before */
  seam_step_memory memory; /* step sizes of the step that found the corner at `next`, for the step after the corner */
  double behind;           /* end of the step that found the corner */
  double past; /* time at which the argument has passed this corner by more than round-off; NaN: not known */
} mbs_times;

/* Bounds of an argument, between which its law is smooth. */
typedef struct mbs_bounds {
  double below, above;
} mbs_bounds;

/* Functions whose zeros are searched for together: the switching functions of one element, or the functions of the
 * corners of one law. Each corner has two functions: the distances of its argument from the two bounds between which it
 * lies at the beginning of the step. */
typedef struct mbs_watched_row {
  const mbs_switching *modes; /* NULL: the functions are those of `corners` */
  const mbs_corner_source *corners;
  int first, n; /* number of the first function, and number of functions */
} mbs_watched_row;

/* Search for zeros of switching functions; all pointers are NULL if there are none. */
typedef struct mbs_root_finder {
  mbs_workspace *ws;
  mbs_state *state;
  mbs_corners corners;
  seam_corner *corner, *corner_seen; /* (corners) last corners read; corners at the time `seen` */
  mbs_bounds *bounds;                /* (corners) of the present step */
  bool *passes_by;                   /* (corners) true: steps need not end there */
  bool *is_left;         /* (corners) true: the motion stays at the corner, so that steps no longer end there */
  mbs_watched_row *rows; /* (n_rows) the table of modes, then corners */
  int n_rows, n;         /* n: number of functions */
  mbs_switch *values;
  mbs_switch *begin, *end, *at,
      *last;             /* (n) at the beginning and end of a piece, at any time, at the end of the step */
  double *begin_of_step; /* (n) values at the beginning of the step */
  double seen;           /* s, time of `begin`; NaN: none */
  bool *turns;           /* (n_bodies) some function depends on the turning of this body */
  mbs_turning *periodic; /* periodic functions among those with corners */
  double turning;        /* rad/s, largest rate of bodies in `turns`, at `seen`, and of arguments in `periodic` */
  bool *near;            /* (n_rows) a function of the row may come to zero in the step */
} mbs_root_finder;

/* Receives impacts. */
typedef struct mbs_impact_listener {
  seam_status (*hear)(void *context, const mbs_impact_event *impact, const mbs_state *state, seam_error *error);
  void *context;
} mbs_impact_listener;

/* Receives the smooth pieces of the motion. */
typedef struct mbs_step_listener {
  seam_status (*hear)(void *context, const mbs_step_piece *piece, seam_error *error);
  void *context;
} mbs_step_listener;

struct mbs_integrator {
  const mbs_model *model;
  uint32_t method, order;  /* index in the table of methods; order of erk */
  bool repeats;            /* can repeat a step with another length */
  bool is_of_order_1;      /* its steps have errors of order h^2 even where the equations are smooth */
  double rtol, fixed_step; /* of the options */
  mbs_workspace *ws;
  worker_group workers;          /* threads of the evaluation, and of vectors of explicit methods */
  mbs_state *now;                /* scratch of the right-hand side */
  mbs_state *before_kink;        /* gets the state before each kink; NULL: none */
  mbs_ggl *ggl;                  /* NULL: index-1 form */
  mbs_newton *newton;            /* of CVODE */
  mbs_crossing *crossing;        /* NULL: singular configurations are not passed */
  mbs_extra_states extra;        /* n = 0: none */
  size_t n_extra;                /* number of extra states that are integrated at present */
  mbs_evaluated_state evaluated; /* its state is NULL: none */
  mbs_times times;
  mbs_root_finder finder;
  double turning_of_events; /* rad/s, rate of bodies and arguments in conditions of events; 0: none, or unknown */
  mbs_impact_listener listener;
  mbs_step_listener steps;
  bool of_motion;        /* true: states that are read inside a step need no accelerations */
  bool is_explained;     /* the message about the failed step is complete */
  bool has_inside;       /* `now` is the last state read inside a step, with its accelerations */
  mbs_workspace *reader; /* the stages of returned states are copied to it; NULL: none */
  double asked;          /* s, time to which the caller integrates at present */
  double reached;        /* s, time of the last returned state, or start; NaN: not started */
  double *y_step;        /* all of y at the beginning of a step that is repeated */
  double *y;             /* scratch for all of y; NULL: y is stored in a state as q, v, z and work */
  seam_integrator *integrator;
};

/* Projects y, interpolated at t inside a step, onto the constraints. Unless `of_motion`, also finds its accelerations
 * and multipliers, which mbs_integrator_evaluate() then copies. `context` is the integrator. */
seam_status mbs_integrator_project_inside(void *context, double t, double *y, seam_error *error);
/* Fills dy with the rates of y, which has the layout of the stabilised form. Finds accelerations anew by the index-1
 * form, since the multipliers in y are approximate. `context` is the integrator. */
seam_status mbs_integrator_rates_of_ggl(void *context, double t, const double *y, double *dy, seam_error *error);
/* Copies accelerations, multipliers and contact forces of the last state that was read inside a step to *state. */
void mbs_integrator_copy_inside(const mbs_integrator *self, mbs_state *state);
/* Finds accelerations and multipliers of *state. */
seam_status mbs_integrator_evaluate(mbs_integrator *self, mbs_state *state, seam_error *error);

/* Checks that the integrator has been started, and that t is finite and not before the last returned time. `function`:
 * public function that was called, for messages. SEAM_BAD_STATE, SEAM_BAD_INPUT. */
seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error);
/* Writes a message about a failure `status` of the method, and returns it; *state is the last good state. */
seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state, seam_error *error);
/* Returns true if an extrapolation through a singular configuration ends after t. Up to its end the method takes no
 * steps. */
bool mbs_integrator_is_crossing(const mbs_integrator *self, double t);

/* Copies y of the method, and its time t, to a state; a and lambda of the state keep their values. */
void mbs_integrator_read_y(mbs_integrator *self, double t, const double *y, mbs_state *state);
/* Returns the length of y with n extra states. */
size_t mbs_integrator_length(const mbs_integrator *self, size_t n);
/* Sets the stop of the method: the stop time of the user or, if earlier, the next kink or switch. */
void mbs_integrator_apply_stop(mbs_integrator *self);
/* Returns true if `next` is the kink of a sample and lies after t only by rounding. */
bool mbs_integrator_is_sample_at(const mbs_integrator *self, double t);
/* Returns true if `next` is a corner, and the method can repeat a step that went across it: the repeated step then ends
 * just before the corner. */
bool mbs_integrator_stops_at_corner(const mbs_integrator *self);
/* Restarts at `begin`, the beginning of the last step, so that the next step ends at `end` or before. This is needed if
 * the last step went beyond `end`: its interpolated states depend on the equations after `end`, too. */
seam_status mbs_integrator_restart_step(mbs_integrator *self, double begin, double end, seam_error *error);
/* Changes y from its values just before the next kink or switch to those just after it, and restarts the method there.
 * Errors of mbs_pass_kink() and mbs_pass_switch(). SEAM_STEP_FAILED: too many kinks or switches in almost no time. */
seam_status mbs_integrator_pass(mbs_integrator *self, double *y, seam_error *error);

/* Restarts at the end of the extrapolation through a singular configuration. */
seam_status mbs_integrator_pass_singularity(mbs_integrator *self, seam_error *error);

/* Reports the impacts of the last switch. */
seam_status mbs_integrator_report_impacts(const mbs_integrator *self, const mbs_state *state, seam_error *error);

seam_status mbs_root_finder_create(mbs_integrator *self, seam_error *error);
void mbs_root_finder_destroy(mbs_root_finder *finder);
/* Returns the name of the element, or of the law with corners, to which a function belongs. */
const char *mbs_root_finder_name(const mbs_integrator *self, int number);
bool mbs_is_corner(const mbs_root_finder *finder, int number);
/* Returns the time at which the argument will have passed the next corner by more than round-off. Extrapolates its
 * value and rate in *state, just before the corner, since times.next.at was found in a step across the corner and is
 * not exact. Returns times.next.at if the extrapolation is earlier, or is not possible. */
double mbs_end_of_corner(mbs_integrator *self, int number, mbs_state *state);
/* Lets later steps go across the corner to which this function belongs, because the motion stays at it. Returns false,
 * and changes nothing, if the function does not belong to a corner. */
bool mbs_root_finder_leave(mbs_root_finder *finder, int number);
/* Takes one step of the method towards t. If there are switches in the step, the first one becomes times.next; the
 * motion that was found after it is not valid. */
seam_status mbs_integrator_step(mbs_integrator *self, double t, seam_error *error);
/* Takes steps up to t, or up to the first kink or switch before t, and searches them for switches. */
seam_status mbs_integrator_watch(mbs_integrator *self, double t, seam_error *error);

/* Returns the order of erk. */
static inline int mbs_order_of(const mbs_integrator_options *options) {
  return options->order != 0 ? options->order : 8;
}

#endif
