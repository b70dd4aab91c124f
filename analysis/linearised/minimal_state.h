/* A mechanism linearised about a state, in minimal coordinates. */
#ifndef ANALYSIS_LINEARISED_MINIMAL_STATE_H
#define ANALYSIS_LINEARISED_MINIMAL_STATE_H

#include "mbs/minimal.h"

/* z'' = K z + D z' + Nᵀ δQ about *state, with its a and lambda as they are given; K and D are those of constant states,
 * and of constant laws where these follow from the forces. */
typedef struct analysis_minimal_state {
  mbs_workspace *ws;
  mbs_linearised *linear;
  mbs_minimal *minimal;
  /* Of motions that follow quantities; NULL: there are none. */
  double *driven;       /* (3n x motions) A: what a change of the place of each moves; one block with the next ones */
  double *slope, *turn; /* (3n x motions) f_q and its rate */
  double *place, *rate; /* (motions) changes of f and f' by the last analysis_add_driven(), without those by f_q */
  double *rates;        /* (3n) scratch */
  bool has_ties;        /* f_q are not all zero */
  /* About a state at rest, of speeds that follow those of bodies where places do not; NULL: there are none. */
  double *missing; /* (3n x motions) f_q - f'_v, with f'_v in place of f_q above; one block with */
  double *loop;    /* (motions x motions) the factors of 1 - missing A */
  int *pivot;
} analysis_minimal_state;

/* `input` drives the ports of a part; NULL. Free with analysis_minimal_state_destroy() whatever the result.
 * SEAM_BAD_INPUT: about a state that moves, the speed of a motion follows rates that its place does not.
 * SEAM_NO_MEMORY, SEAM_SINGULAR. */
seam_status analysis_minimal_state_create(analysis_minimal_state *self, const mbs_model *model,
                                          const mbs_port_inputs *input, const mbs_state *state, seam_error *error);
void analysis_minimal_state_destroy(analysis_minimal_state *self);

/* To dq, dv (3n each; dv may be NULL) what motions that follow states do for a change z (n_states) of these; right
 * after the creation, or an evaluation there. */
void analysis_add_driven(const analysis_minimal_state *at, const double *z, double *dq, double *dv);

/* Modes and factors of hard contacts at rest, into the workspace; *at: a state of its own with their forces, NULL where
 * there are none. SEAM_BAD_INPUT where one slides, errors of mbs_evaluate(). */
seam_status analysis_close_contacts(mbs_workspace *ws, const mbs_state *state, mbs_state **at, seam_error *error);

/* What follows from changes δq, δv and z, and from loads. */
typedef struct analysis_response {
  double *still;      /* (3n) zero */
  double *z;          /* (n_states) of the change; zero at first */
  double *q, *v;      /* (3n) scratch */
  double *a, *lambda; /* (3n), (m) the loads δQ and δγ; in their place δa and δλ */
  double *rates;      /* (n_states) z' */
} analysis_response;

/* Without loads. False: no memory. Free with analysis_response_free(). */
bool analysis_response_create(analysis_response *self, const mbs_model *model);
void analysis_response_free(analysis_response *self);
/* Along dq, dv (3n each), self->z and the loads. */
void analysis_respond(analysis_response *self, const analysis_minimal_state *at, const double *dq, const double *dv);
void analysis_clear_loads(analysis_response *self, const mbs_model *model);
/* uᵀ M v. */
double analysis_of_masses(const mbs_minimal *m, const double *u, const double *v);

#endif
