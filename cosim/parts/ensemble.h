/* All parts of a co-simulation: inputs and outputs over a macro step, derivatives of the outputs along changes of the
 * inputs, and the states to which parts are rolled back. Parts are advanced side by side; no result depends on the
 * number of threads. */
#ifndef COSIM_PARTS_ENSEMBLE_H
#define COSIM_PARTS_ENSEMBLE_H

#include "base/worker_group.h"
#include "cosim/parts/part.h"
#include "cosim/parts/signal.h"

typedef struct cosim_parts cosim_parts;

/* One part with its inputs and outputs. */
typedef struct cosim_member {
  cosim_part *part;
  cosim_signal *inputs; /* (n_inputs) */
  int n_nodes;          /* of the steps; 0, or those of the set */
  double *moments;      /* ((n_nodes + 1) x n_outputs) outputs at the nodes of the last step, then */
  double *outputs;      /* (n_outputs) at its end */
  cosim_seed *seeds;    /* (n_seeds) */
  double *delta;        /* (n_seeds) by how much to change the input, where differences are taken */
  double *change;       /* (n_seeds) multiples of them that an update adds */
  double *derivatives;  /* (n_seeds x (n_nodes + 1) x n_outputs) */
  cosim_signal *pieces; /* (n_inputs) scratch: inputs between two nodes */
  double *instant;      /* (n_inputs x n_outputs) instant derivatives at the end of the last step that asked for them */
  double *at_middle;    /* the same at its middle node */
  bool *corrected;      /* (n_inputs) there is a seed of it */
  int n_seeds;
  int n_terms;      /* of derivatives by inertia, where it leads; 0: they are exact */
  bool is_stiff;    /* it does not lead */
  bool along_seeds; /* its last step gave derivatives of its own */
  bool gave_nodes; /* in the last step; else outputs at nodes are those of the step before, and what is added to them */
  bool repeats;    /* repeats steps after corrections: it must be able to restore its state */
  bool again;      /* it is to take the last step again */
  double *saved;   /* (n_state) */
  seam_status status;
  seam_error error;
} cosim_member;

struct cosim_parts {
  cosim_member *member; /* (n) */
  int n;
  double nodes[COSIM_MAX_NODES]; /* inner nodes of steps, ascending */
  int middle;                    /* the node next to 1/2; -1: there are none */
  bool differences;              /* differences even where a part gives derivatives */
  worker_group workers;          /* a piece of work: all parts over a macro step */
  bool instants;                 /* instant derivatives are wanted of all parts that give them */
  double t, H;                   /* of the present step */
  bool with_derivatives;
};

/* Takes the parts (destroyed with the set, also on failure). SEAM_NO_MEMORY. */
seam_status cosim_parts_create(cosim_part **parts, int n, bool differences, int n_threads, cosim_parts **created,
                               seam_error *error);
void cosim_parts_destroy(cosim_parts *self);
/* Room for n seeds; the caller has set `repeats` and the nodes before. SEAM_BAD_INPUT for a part that cannot repeat. */
seam_status cosim_parts_allocate(cosim_parts *self, const int *n_seeds, seam_error *error);

/* Instant derivatives at the present states. */
void cosim_parts_get_instants(cosim_parts *self);

/* Stores the states of the parts that repeat at the beginning of a macro step; rolls back to them. */
void cosim_parts_store(cosim_parts *self);
void cosim_parts_roll_back(cosim_parts *self);

/* All parts, or those that repeat, from t over H; with derivatives along all seeds if requested. Outputs are checked to
 * be finite. */
seam_status cosim_parts_advance(cosim_parts *self, double t, double H, bool all, bool with_derivatives,
                                seam_error *error);
/* The parts that repeat take the last step again, from where they were stored and under inputs that differ little;
 * some give no outputs at nodes. */
seam_status cosim_parts_repeat(cosim_parts *self, double t, double H, seam_error *error);
/* Likewise those marked `again`, without derivatives. */
seam_status cosim_parts_advance_again(cosim_parts *self, double t, double H, seam_error *error);
/* The same for one part alone. */
seam_status cosim_parts_advance_one(cosim_parts *self, int number, double t, double H, bool with_derivatives,
                                    seam_error *error);
/* Derivatives along a seed ((n_nodes + 1) x n_outputs). */
static inline double *cosim_member_derivatives(const cosim_member *m, int seed) {
  return m->derivatives + (size_t)seed * (size_t)(m->n_nodes + 1) * (size_t)m->part->n_outputs;
}

/* Outputs at the present states. */
void cosim_parts_get_outputs(cosim_parts *self);

/* States of all parts that can restore them, one after the other. */
size_t cosim_parts_n_state(const cosim_parts *self);
double *cosim_parts_save(const cosim_parts *self, double *state);
const double *cosim_parts_restore(cosim_parts *self, const double *state);

#endif
