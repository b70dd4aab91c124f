/* Inside of an integrator of a mechanism: its steps are in integrator.c, its image is in integrator_image.c. */
#ifndef MBS_INTEGRATOR_INTERNAL_H
#define MBS_INTEGRATOR_INTERNAL_H

#include <stdint.h>

#include "mbs/crossing.h"
#include "mbs/ggl.h"
#include "mbs/integrator.h"
#include "mbs/newton.h"

/* Where steps begin and end, beside those of the method. */
typedef struct mbs_times {
  double begin;   /* of the last start, or the last kink */
  double stop;    /* that was asked for */
  seam_kink next; /* after `begin` */
  double last;    /* the kink before that was passed last; NaN: none */
  size_t n_close; /* kinks up to that one, with next to no time between them */
} mbs_times;

struct mbs_integrator {
  const mbs_model *model;
  uint32_t method, order; /* row of the table below; erk's order */
  mbs_workspace *ws;
  mbs_state *now;                /* scratch of the right-hand side */
  mbs_state *before_kink;        /* receives the state before each kink; NULL: not wanted */
  mbs_ggl *ggl;                  /* NULL: index-1 form */
  mbs_newton *newton;            /* CVODE's */
  mbs_crossing *crossing;        /* NULL: singular configurations are not passed */
  mbs_extra_states extra;        /* of none: n = 0 */
  size_t n_extra;                /* integrated at present */
  mbs_evaluated_state evaluated; /* of no state: NULL */
  mbs_times times;
  bool has_inside; /* `now` is the state inside a step that was asked for last, evaluated */
  double reached;  /* s, the last time asked for, or of the start; NaN: it has not started */
  double *y;       /* one whole y, scratch; NULL: a state's q, v, z and work are all of it */
  seam_integrator *integrator;
};

/* Puts a state inside a step, as it is interpolated, onto the constraints, and keeps its accelerations and multipliers
 * for mbs_integrator_evaluate(); `context` is the integrator. */
seam_status mbs_integrator_project_inside(void *context, double t, double *y, seam_error *error);
/* Accelerations and multipliers of the state that was asked for. */
seam_status mbs_integrator_evaluate(mbs_integrator *self, mbs_state *state, seam_error *error);

/* Order of calls and of times, alike for all methods; `function` is the public one that was called. */
seam_status mbs_integrator_check_time(const mbs_integrator *self, const char *function, double t, seam_error *error);
/* What a failure of the method means; *state is the last good one. */
seam_status mbs_integrator_explain(mbs_integrator *self, seam_status status, const mbs_state *state, seam_error *error);
/* Whether the method stopped at t because a singular configuration is passed without it. */
bool mbs_integrator_is_on_a_way(const mbs_integrator *self, double t);

/* Of erk. */
static inline int mbs_order_of(const mbs_integrator_options *options) {
  return options->order != 0 ? options->order : 8;
}

#endif
