/* Functions of quantities that the motion follows: laws of force elements and rates of variables (<seam/equations.h>).
 * What they are functions of is x = (q, v, z) and, where they read accelerations or reactions, what follows from the
 * forces: a and λ. */
#ifndef MBS_LAW_H
#define MBS_LAW_H

#include <seam/equations.h>

#include "mbs/quantity.h"

/* When a response is found: before the forces, together with a and λ, at the times of a sampled variable. */
typedef enum mbs_moment { MBS_EARLY, MBS_LATE, MBS_SAMPLED, MBS_MOMENTS } mbs_moment;

/* The value of a function of quantities; constant where it has no function. */
typedef struct mbs_response {
  mbs_readout *inputs;
  mbs_function function;
  mbs_moment moment;
  int *column; /* (n_columns) that it depends on, of (q, v, z, a, λ) */
  int n_columns;
} mbs_response;

typedef struct mbs_law {
  int force, component;
  mbs_response response;
} mbs_law;

typedef struct mbs_variable {
  const char *name; /* held by the model's names */
  char *unit;
  double start;
  double nominal; /* 0: not given */
  double sample;  /* s, period; 0: continuous */
  bool is_input;  /* set from outside */
  mbs_response response;
} mbs_variable;

typedef struct mbs_responses_at {
  int *number; /* (n) of responses */
  int n;
  mbs_readout *readout; /* all their inputs: which measures they need, and what else must be at hand */
} mbs_responses_at;

/* Responses are numbered from those of the laws to those of the variables. */
typedef struct mbs_laws {
  mbs_law *law;
  int n_laws;
  mbs_variable *variable;
  int n_variables;
  int first_state; /* of the variables */
  mbs_responses_at at[MBS_MOMENTS];
  int n_sampled;
  int n_loop; /* laws among the late ones, which come first there */
  size_t capacity_laws, capacity_variables;
} mbs_laws;

static inline int mbs_n_responses(const mbs_laws *laws) { return laws->n_laws + laws->n_variables; }
static inline mbs_response *mbs_response_of(const mbs_laws *laws, int i) {
  return i < laws->n_laws ? &laws->law[i].response : &laws->variable[i - laws->n_laws].response;
}
/* Whether a response is evaluated; a variable without equation is constant. */
static inline bool mbs_is_function(const mbs_response *response) { return response->function.value != NULL; }

/* After all definitions, before mbs_model_finish(): states, moments, columns and readouts. SEAM_NO_MEMORY. */
seam_status mbs_laws_finish(mbs_model *model, seam_error *error);
void mbs_laws_release(mbs_laws *laws);
void mbs_response_release(mbs_response *response);
/* What a response is of, for messages: "law", "force" and its name. */
const char *mbs_response_text(const mbs_model *model, int number, const char **owner, const char **name);
bool mbs_is_friction_law(const mbs_model *model, int number);

/* ---- Stages of an evaluation; the frames are in the workspace ---- */

/* Responses of one moment, where what they read is in the workspace. */
void mbs_respond_at_hand(mbs_workspace *ws, const mbs_state *at, mbs_moment moment);
/* Early responses. */
void mbs_stage_laws(mbs_workspace *ws, const mbs_state *state);
/* Early and late responses, with a and lambda of the state as they are. */
void mbs_respond(mbs_workspace *ws, const mbs_state *state);
/* Next values of sampled variables, likewise. */
void mbs_respond_sampled(mbs_workspace *ws, const mbs_state *state);
/* Derivatives of early and late responses along a direction, into ws->response_change; right after mbs_respond(). */
void mbs_respond_along(mbs_workspace *ws, const mbs_state *state, const mbs_direction *along);
/* Derivatives (n_columns) of one response by what it is a function of. */
void mbs_response_gradient(mbs_workspace *ws, const mbs_state *state, int number, double *gradient);
/* Derivatives (responses) of all responses along quantities (n_ports) that a part receives, the motion as it is. */
void mbs_respond_to_inputs(mbs_workspace *ws, const mbs_state *state, const double *inputs, double *changes);
/* ∂Q/∂u of a law; zero where it acts through states. */
void mbs_law_push(const mbs_workspace *ws, int number, double push[6]);
/* ∂a/∂u (3n) and ∂λ/∂u (m) of a law, with the factors at hand. */
void mbs_influence(mbs_workspace *ws, int number, double *a, double *lambda);
/* Rates of the variables, from the responses. */
void mbs_stage_variables(mbs_workspace *ws);

/* ---- Sampled variables: samples.c ---- */

/* Sampled variables whose time has come change; those that were changed at this time already stay. SEAM_SINGULAR and
 * other errors of an evaluation, where reactions are read. */
seam_status mbs_sample(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Whether the time of one has come, at the state's own. */
bool mbs_is_sample_due(const mbs_model *model, const mbs_state *state);
/* Whether some read accelerations or reactions, which follow at once from what a part receives. */
bool mbs_samples_follow(const mbs_model *model);
/* First time after t at which one does; INFINITY: none. */
double mbs_next_sample(const mbs_model *model, double t);

/* Values for variables at t: SEAM_BAD_INPUT where one is not an input, or a value is not finite. In
 * integrator_inputs.c. */
seam_status mbs_check_inputs(const mbs_model *model, const size_t *variables, const double *values, size_t n, double t,
                             seam_error *error);

/* What is held of a state between two others: sampled variables are those of the second from their first sample on,
 * modes are free. */
void mbs_hold_states(const mbs_model *model, const mbs_state *from, const mbs_state *to, mbs_state *between);

/* Solves for late laws together with a and lambda: law.c. */
seam_status mbs_close_loop(mbs_workspace *ws, mbs_state *state, seam_error *error);

/* z of the state becomes that at rest: rest.c. SEAM_NOT_CONVERGED. */
seam_status mbs_rest_states(mbs_workspace *ws, mbs_state *state, seam_error *error);
/* Only that of force elements, for the variables as they are. */
void mbs_rest_forces(mbs_workspace *ws, mbs_state *state);

/* Where a law is not finite: names it. */
seam_status mbs_law_not_finite(const mbs_workspace *ws, double t, seam_error *error);

#endif
