/* Equations in a file: an entry of `equations:`, with expressions as inputs, or a subsystem, whose inputs are names fed
 * by signals.
 *
 *   x' = rates(t, u, x)      sampled: x⁺ = updates(t, u, x)      y = outputs(t, u, x)
 *
 * or, by matrices, x' = A x + B u (sampled: x⁺), y = C x + D u. An entry, whose expressions may also use quantities and
 * its other outputs, adds to the mechanism
 *
 *   u                        measure NAME.u
 *   x                        variable NAME.x
 *   y                        measure NAME.y; if sampled, variable NAME.y */
#ifndef MODELS_EQUATIONS_SECTION_H
#define MODELS_EQUATIONS_SECTION_H

#include "models/sections/cosim_section.h"
#include "models/sections/deferred.h"

/* Common keys, then keys of entries or of subsystems. */
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
  yaml_node *values[N_EQUATIONS_SUBSYSTEM]; /* values of the keys */
  double period;                            /* s, sample period; 0: continuous time */
  const char **names;                       /* t, inputs, states, then integrals */
  const char **inputs, **states;            /* parts of `names` */
  const char **outputs;                     /* (n_outputs), then integrals */
  size_t n_inputs, n_states, n_outputs, n_integrals;
  yaml_node **output; /* expressions of the outputs; with matrices, their names */
  yaml_node **rates;  /* (n_states) expressions of rates or updates; NULL: given by matrices */
  double *start;      /* start values of states and integrals */
  double *nominal;    /* typical sizes of states and integrals; 0: not given */
  /* Matrices A, B, C, D, row by row; NULL: given by expressions. */
  const double *matrix[4];
  const yaml_node *restarts;
} equations;

/* Reads equations except their expressions, into the result's memory; the reader's subject must be set. */
seam_status equations_read_one(reader *r, yaml_node *value, bool is_subsystem, equations *made);

/* Adds equations to the mechanism. `sums` (n_inputs): inputs of a subsystem as sums of signals; NULL: an entry. */
seam_status equations_add(reader *r, const equations *e, const deferred *sums);

/* Refuses the key of `what`, a name in expressions, if something else has this name. */
seam_status equations_check_name(reader *r, const yaml_node *key, const char *what);

#endif
