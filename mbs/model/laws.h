/* Functions of quantities that the motion follows: laws of force elements and rates of variables (<seam/equations.h>).
 * Their arguments are x = (q, v, z) and, where they read accelerations or reactions, what follows from the forces: a
 * and λ. */
#ifndef MBS_LAWS_H
#define MBS_LAWS_H

#include <seam/equations.h>

#include "mbs/model/quantity.h"

/* The phase of an evaluation in which a response is found: before the forces, together with a and λ, at the times of a
 * sampled variable. */
typedef enum mbs_eval_phase { MBS_EARLY, MBS_LATE, MBS_SAMPLED, MBS_EVAL_PHASES } mbs_eval_phase;

/* The value of a function of quantities; constant where it has no function. */
typedef struct mbs_response {
  mbs_readout *inputs;
  mbs_function function;
  mbs_eval_phase phase;
  int *column; /* (n_columns) that it depends on, of (q, v, z, a, λ) */
  int n_columns;
} mbs_response;

typedef struct mbs_law {
  int force, component;
  int n;    /* elements in a row that it loads, from `force` on */
  int push; /* number of the first among what laws do to elements */
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
  int n_laws, n_pushes;
  mbs_variable *variable;
  int n_variables;
  int first_state; /* of the variables */
  mbs_responses_at at[MBS_EVAL_PHASES];
  int n_sampled;
  int n_loop; /* laws among the late ones, which come first there */
  size_t capacity_laws, capacity_variables;
} mbs_laws;

/* Appends a law, for which there is room. */
static inline void mbs_laws_append(mbs_laws *laws, mbs_law law) {
  law.push = laws->n_pushes;
  laws->n_pushes += law.n;
  laws->law[laws->n_laws++] = law;
}

static inline int mbs_n_responses(const mbs_laws *laws) { return laws->n_laws + laws->n_variables; }
static inline mbs_response *mbs_response_of(const mbs_laws *laws, int i) {
  return i < laws->n_laws ? &laws->law[i].response : &laws->variable[i - laws->n_laws].response;
}
/* Returns true if a response is evaluated; a variable without equation is constant. */
static inline bool mbs_is_function(const mbs_response *response) { return response->function.value != NULL; }

/* After all definitions, before mbs_model_finish(): states, moments, columns and readouts. SEAM_NO_MEMORY. */
seam_status mbs_laws_finish(mbs_model *model, seam_error *error);
void mbs_laws_release(mbs_laws *laws);
void mbs_response_release(mbs_response *response);
/* Returns the noun of a response for messages, such as "law"; *owner: that of its element, such as "force", *name: its
 * name. */
const char *mbs_response_text(const mbs_model *model, int number, const char **owner, const char **name);
bool mbs_is_friction_law(const mbs_model *model, int number);

#endif
