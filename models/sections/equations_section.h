/* Equations in a model file, of the time t, inputs u and states x, with outputs y. x⁺ is the state after a sample. The
 * inputs of an entry of `equations:` are expressions; those of a subsystem are names that signals supply:
 *
 *   x' = rates(t, u, x)      sampled: x⁺ = updates(t, u, x)      y = outputs(t, u, x)
 *
 * or, by matrices, x' = A x + B u (sampled: x⁺), y = C x + D u. The expressions of an entry may also use quantities,
 * and other outputs of the entry. An entry NAME adds to the mechanism
 *
 *   u                        measure NAME.u
 *   x                        variable NAME.x
 *   y                        measure NAME.y; if sampled, variable NAME.y */
#ifndef MODELS_EQUATIONS_SECTION_H
#define MODELS_EQUATIONS_SECTION_H

#include "models/sections/cosim_section.h"
#include "models/sections/quantities_section.h"

/* Keys of entries and subsystems. Those that only one of the two has begin at N_EQUATIONS. */
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
  yaml_node *values[N_EQUATIONS_SUBSYSTEM]; /* values of the keys; NULL: not given */
  double period;                            /* s, sampling period; 0: continuous time */
  const char **names;                       /* names: t, inputs, states, then integrals */
  const char **inputs, **states;            /* point into `names` */
  const char **outputs;                     /* (n_outputs + n_integrals) outputs, then integrals */
  size_t n_inputs, n_states, n_outputs, n_integrals;
  yaml_node **output;      /* expressions of the outputs; with matrices, nodes of their names */
  yaml_node **rates;       /* (n_states) expressions of rates or updates; NULL: matrices are given */
  double *start;           /* initial values of states and integrals */
  double *nominal;         /* nominal sizes of states and integrals; 0: not given */
  const double *matrix[4]; /* A, B, C, D, row by row; NULL: expressions are given */
  const yaml_node *restarts;
} equations;

/* Reads equations, but not their expressions, into the result's memory. The reader's subject must be set. */
seam_status equations_read_one(reader *r, yaml_node *value, bool is_subsystem, equations *e);

/* Adds equations to the mechanism. `sums` (n_inputs): inputs of a subsystem as sums of signals; NULL for an entry. */
seam_status equations_add(reader *r, const equations *e, const deferred *sums);

/* Fails if a key is not a valid name in expressions or is taken, as by a parameter. `what`: the entries, for the
 * message. */
seam_status equations_check_name(reader *r, const yaml_node *key, const char *what);

#endif
