/* All parts of a co-simulation: inputs and outputs over a macro step, derivatives of outputs along changes of inputs,
 * states at its beginning. Parts advance in parallel; the number of threads does not change results. */
#ifndef COSIM_PARTS_ENSEMBLE_H
#define COSIM_PARTS_ENSEMBLE_H

#include "base/pool.h"
#include "cosim/parts/part.h"
#include "cosim/parts/signal.h"

typedef struct cosim_parts cosim_parts;

/* One part with its inputs and outputs. */
typedef struct cosim_member {
  cosim_part *part;
  cosim_signal *inputs; /* (n_inputs) inputs over the present step */
  int n_nodes;          /* number of nodes in the part's steps: 0, or the length of cosim_parts.nodes */
  double *node_outputs; /* ((n_nodes + 1) x n_outputs) outputs at the nodes of the last step and at its end */
  double *outputs;      /* (n_outputs) last row of `node_outputs` */
  cosim_seed *seeds;    /* (n_seeds) seeds along which derivatives are taken */
  double *delta;        /* (n_seeds) multiples of the seeds that trial steps add, for differences */
  double *change;       /* (n_seeds) multiples of the seeds by which an update changes the inputs */
  double *derivatives;  /* (n_seeds x (n_nodes + 1) x n_outputs) derivatives of `node_outputs` along seeds */
  cosim_signal *pieces; /* (n_inputs) scratch: inputs between two nodes */
  double *feedthrough;  /* (n_inputs x n_outputs) feedthrough at the end of the last step that gave it */
  double *at_middle;    /* (n_inputs x n_outputs) feedthrough at the middle node */
  bool *corrected;      /* (n_inputs) true: some seed changes the input */
  int n_seeds;
  int n_terms;   /* terms of the series that gives derivatives while inertia dominates; 0: exact derivatives */
  bool is_stiff; /* inertia did not dominate in some step: later derivatives are exact */
  bool has_exact_derivatives; /* the derivatives of the last step are the part's own, not differences */
  bool has_node_outputs; /* false: the last step gave none; `node_outputs` has earlier ones plus predicted changes */
  bool repeats;          /* repeats steps after corrections, so the part must restore states */
  bool again;            /* repetitions include the part; initially the same as `repeats` */
  double *saved;         /* (n_state) state at the beginning of the macro step */
  seam_status status;
  seam_error error;
} cosim_member;

/* Passes of a macro step: the first one by all parts; repetitions by the parts marked `again`. In a quick repetition,
 * under slightly different inputs, parts that have repeat() use it; they then give no outputs at nodes. */
typedef enum cosim_pass { COSIM_FIRST_PASS, COSIM_REPETITION, COSIM_QUICK_REPETITION } cosim_pass;

struct cosim_parts {
  int n;
  int max_inputs;                /* largest number of inputs of a part */
  double nodes[COSIM_MAX_NODES]; /* τ of inner nodes of steps, ascending */
  int middle;                    /* index of the node nearest to τ = 1/2; -1: no nodes */
  bool differences;              /* take differences even of parts that give derivatives */
  worker_group workers;          /* threads that advance the parts */
  bool with_feedthrough;         /* parts that can give feedthrough give it in every step */
  double t, H;                   /* s, beginning and length of the present step */
  cosim_pass pass;               /* present pass */
  bool with_derivatives;
  cosim_member member[]; /* (n) all parts */
};

/* Takes ownership of the parts; on failure they are destroyed. SEAM_NO_MEMORY. */
seam_status cosim_parts_create(cosim_part **parts, int n, bool differences, int n_threads, cosim_parts **created,
                               seam_error *error);
void cosim_parts_destroy(cosim_parts *self);
/* Allocates arrays. First set `n_seeds`, `repeats` and nodes. SEAM_BAD_INPUT: a part with `repeats` cannot restore. */
seam_status cosim_parts_allocate(cosim_parts *self, seam_error *error);

/* Stores the states of the parts with `repeats` at the beginning of a macro step, to which repetitions go back. */
void cosim_parts_store(cosim_parts *self);

/* Advances parts from t to t + H. with_derivatives: along all seeds. SEAM_NOT_FINITE: an output is not finite. */
seam_status cosim_parts_advance(cosim_parts *self, double t, double H, cosim_pass pass, bool with_derivatives,
                                seam_error *error);
seam_status cosim_parts_advance_one(cosim_parts *self, int number, double t, double H, bool with_derivatives,
                                    seam_error *error);
/* Returns the derivatives along a seed ((n_nodes + 1) x n_outputs). */
static inline double *cosim_member_derivatives(const cosim_member *m, int seed) {
  return m->derivatives + (size_t)seed * (size_t)(m->n_nodes + 1) * (size_t)m->part->n_outputs;
}

void cosim_parts_get_outputs(cosim_parts *self);

/* Copies the states of all parts that can restore one. */
void cosim_parts_copy(cosim_parts *self, cosim_image *image);

#endif
