/* Laws of force elements and equations of variables, as functions of quantities (<seam/equations.h>). These quantities
 * depend on q, v and z. In late laws and equations (MBS_LATE) they also depend on a and λ, which follow from the
 * forces. */
#ifndef MBS_LAWS_H
#define MBS_LAWS_H

#include <seam/equations.h>

#include "mbs/model/quantity.h"

/* Phase of an evaluation in which a response is found: early, before the forces; late, together with a and λ; sampled,
 * only at sample times. */
typedef enum mbs_eval_phase { MBS_EARLY, MBS_LATE, MBS_SAMPLED, MBS_EVAL_PHASES } mbs_eval_phase;

/* A function of quantities with one of three results: the value of a law, the rate of a variable or the next value of a
 * sampled variable. A variable without a function is constant. */
typedef struct mbs_response {
  mbs_readout *inputs;
  mbs_function function;
  mbs_eval_phase phase;
  int *column; /* (n_columns) indices of those entries of (q, v, z, a, λ) on which the inputs depend */
  int n_columns;
} mbs_response;

typedef struct mbs_law {
  int force, component;
  int n;         /* the law gives the load of n consecutive force elements; `force` is the first of them */
  int unit_load; /* index of the first of its n unit loads (∂Q/∂u of an element) */
  mbs_response response;
} mbs_law;

typedef struct mbs_variable {
  const char *name; /* owned by the model's names */
  char *unit;
  double start;
  double nominal; /* typical size; 0: the definition gives none */
  double sample;  /* s, sampling period; 0: the variable is continuous */
  bool is_input;  /* the value is set from outside during a run */
  mbs_response response;
} mbs_variable;

typedef struct mbs_responses_at {
  int *number; /* (n) numbers of the responses of this phase */
  int n;
  mbs_readout *readout; /* inputs of all these responses */
} mbs_responses_at;

/* Responses are numbered: laws, then variables. */
typedef struct mbs_laws {
  mbs_law *law;
  int n_laws, n_unit_loads;
  mbs_variable *variable;
  int n_variables;
  int first_state; /* index in z of the first variable */
  mbs_responses_at at[MBS_EVAL_PHASES];
  int n_sampled;
  int n_loop; /* number of late laws, which come first in at[MBS_LATE] */
  size_t capacity_laws, capacity_variables;
} mbs_laws;

/* Appends a law to an array with enough capacity. */
static inline void mbs_laws_append(mbs_laws *laws, mbs_law law) {
  law.unit_load = laws->n_unit_loads;
  laws->n_unit_loads += law.n;
  laws->law[laws->n_laws++] = law;
}

static inline int mbs_n_responses(const mbs_laws *laws) { return laws->n_laws + laws->n_variables; }
static inline mbs_response *mbs_response_of(const mbs_laws *laws, int i) {
  return i < laws->n_laws ? &laws->law[i].response : &laws->variable[i - laws->n_laws].response;
}
static inline bool mbs_is_function(const mbs_response *response) { return response->function.value != NULL; }

/* Adds variables, the time of the last sample and modes to z. Finds phases, columns and readouts of responses. Call it
 * after all definitions, before mbs_model_finish(). SEAM_NO_MEMORY, or SEAM_BAD_INPUT: a force element lacks its
 * law. */
seam_status mbs_laws_finish(mbs_model *model, seam_error *error);
void mbs_laws_release(mbs_laws *laws);
/* Returns the noun of response `number` for messages, such as "law". *owner: noun of its element, such as "force";
 * *name: name of its element. */
const char *mbs_response_text(const mbs_model *model, int number, const char **owner, const char **name);
bool mbs_is_friction_law(const mbs_model *model, int number);

#endif
