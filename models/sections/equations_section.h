/* Equations as a file has them: an entry of `equations:`, whose inputs are expressions, or a subsystem, whose inputs
 * are names that signals give.
 *
 *   x' = rates(t, u, x)      sampled: x⁺ = updates(t, u, x)      y = outputs(t, u, x)
 *
 * or, by matrices, x' = A x + B u, y = C x + D u. In the mechanism an entry, which also reads quantities and its other
 * outputs, is
 *
 *   u                        measure NAME.u
 *   x                        variable NAME.x
 *   y                        measure NAME.y; sampled: variable */
#ifndef MODELS_EQUATIONS_SECTION_H
#define MODELS_EQUATIONS_SECTION_H

#include "models/sections/cosim_section.h"
#include "models/sections/deferred.h"

/* Keys of both, then those of entries or of subsystems. */
enum {
  EQUATIONS_INPUTS,
  EQUATIONS_STATES,
  EQUATIONS_RATES,
  EQUATIONS_UPDATES,
  EQUATIONS_OUTPUTS,
  EQUATIONS_LINEAR,
  EQUATIONS_SAMPLE,
  EQUATIONS_NOMINAL,
  N_EQUATIONS,
  EQUATIONS_UNITS = N_EQUATIONS,
  N_EQUATIONS_ENTRY,
  EQUATIONS_INTEGRALS = N_EQUATIONS,
  EQUATIONS_MACRO_STEP,
  EQUATIONS_MICRO_STEPS,
  EQUATIONS_INTEGRATOR,
  N_EQUATIONS_SUBSYSTEM = EQUATIONS_INTEGRATOR + N_INTEGRATOR_KEYS
};

typedef struct equations {
  yaml_node *node;
  bool is_subsystem;
  yaml_node *values[N_EQUATIONS_SUBSYSTEM]; /* of the keys */
  double period;                            /* s, of samples; 0: in continuous time */
  const char **names;                       /* t, inputs, states, then integrals */
  const char **inputs, **states;            /* among these */
  const char **outputs;                     /* (n_outputs), then integrals */
  size_t n_inputs, n_states, n_outputs, n_integrals;
  yaml_node **output; /* their expressions; beside matrices their names */
  yaml_node **rates;  /* (n_states) of the states, or their next values; NULL: by matrices */
  double *start;      /* of states and integrals */
  double *nominal;    /* likewise, usual sizes; 0: not given */
  /* A, B, C, D row by row; NULL: by expressions. */
  const double *matrix[4];
  const yaml_node *restarts;
} equations;

/* Reads equations into the memory of the result, all but their expressions. The subject of messages is theirs. */
seam_status equations_take(reader *r, yaml_node *value, bool is_subsystem, equations *made);

/* Reads a map of the value of a key, named so in messages. */
seam_status equations_take_map(reader *r, const equations *e, int key, const map_key *inner, size_t n,
                               yaml_node **values);

/* A key's value must be a map, or a list. */
seam_status equations_check_kind(reader *r, const equations *e, int key, yaml_kind kind, const char *fix);

/* Adds them to the mechanism. `sums` (n_inputs) are what the inputs of a subsystem receive; NULL: an entry. */
seam_status equations_add(reader *r, const equations *e, const deferred *sums);

/* Refuses the key of what expressions name, `what`, where something else has the name. */
seam_status equations_check_name(reader *r, const yaml_node *key, const char *what);

#endif
