/* All parts of a co-simulation: inputs and outputs over a macro step, derivatives of outputs along changes of inputs,
 * and states to which parts are rolled back. Parts advance in parallel, with the same results for any number of
 * threads. */
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
  double *delta;        /* (n_seeds) for differences, a trial step adds delta[d] times seed d to its input */
  double *change;       /* (n_seeds) multiples of the seeds by which an update changes the inputs */
  double *derivatives;  /* (n_seeds x (n_nodes + 1) x n_outputs) derivatives of `node_outputs` along seeds */
  cosim_signal *pieces; /* (n_inputs) scratch: inputs between two nodes */
  double *feedthrough;  /* (n_inputs x n_outputs) feedthrough at the end of the last step for which it was computed */
  double *at_middle;    /* (n_inputs x n_outputs) feedthrough at the middle node */
  bool *corrected;      /* (n_inputs) true: some seed changes the input */
  int n_seeds;
  int n_terms;   /* number of terms of the series for derivatives if inertia dominates; 0: exact derivatives */
  bool is_stiff; /* inertia did not dominate in some step: all later derivatives are exact ones */
  bool has_exact_derivatives; /* the derivatives of the last step are exact ones of the part, not differences */
  bool has_node_outputs; /* false: the last step gave no outputs at nodes; `node_outputs` has those of the step before
                      it, plus predicted changes */
  bool repeats;          /* repeats steps after corrections; the part must be able to restore its state */
  bool again;            /* cosim_parts_advance_again() repeats the last step of this part */
  double *saved;         /* (n_state) state at the beginning of the macro step */
  seam_status status;
  seam_error error;
} cosim_member;

struct cosim_parts {
  cosim_member *member; /* (n) all parts */
  int n;
  double nodes[COSIM_MAX_NODES]; /* inner nodes of steps: times since the beginning, divided by H; ascending */
  int middle;                    /* index of the node nearest to τ = 1/2; -1: there are no nodes */
  bool differences;              /* finite differences are taken even if a part gives derivatives */
  worker_group workers;          /* threads that advance the parts */
  bool with_feedthrough;         /* parts that can give feedthrough do so in every step */
  double t, H;                   /* s, beginning and length of the present step */
  bool with_derivatives;
};

/* Creates the set of parts, which then owns the parts; on failure they are destroyed. SEAM_NO_MEMORY. */
seam_status cosim_parts_create(cosim_part **parts, int n, bool differences, int n_threads, cosim_parts **created,
                               seam_error *error);
void cosim_parts_destroy(cosim_parts *self);
/* Allocates the memory of the parts, after the caller has set `n_seeds`, `repeats` and the nodes. SEAM_BAD_INPUT: a
 * part with `repeats` cannot restore states. */
seam_status cosim_parts_allocate(cosim_parts *self, seam_error *error);

/* Fills `feedthrough` with feedthrough at the present states. */
void cosim_parts_get_feedthrough(cosim_parts *self);

/* Store the states of the parts with `repeats` at the beginning of a macro step, and roll back to these states. */
void cosim_parts_store(cosim_parts *self);
void cosim_parts_roll_back(cosim_parts *self);

/* Advances all parts from t to t + H, with derivatives along all seeds if requested. `all` false: advances only the
 * parts with `repeats`, which the caller has rolled back. SEAM_NOT_FINITE: an output is not finite. */
seam_status cosim_parts_advance(cosim_parts *self, double t, double H, bool all, bool with_derivatives,
                                seam_error *error);
/* Repeats the last step of the parts with `repeats` under slightly different inputs, after the caller has rolled them
 * back. If a part makes the step by its operation repeat(), it has no outputs at nodes. */
seam_status cosim_parts_repeat(cosim_parts *self, double t, double H, seam_error *error);
/* Rolls the parts marked `again` back and repeats their last step, without derivatives. */
seam_status cosim_parts_advance_again(cosim_parts *self, double t, double H, seam_error *error);
seam_status cosim_parts_advance_one(cosim_parts *self, int number, double t, double H, bool with_derivatives,
                                    seam_error *error);
/* Returns the derivatives along a seed ((n_nodes + 1) x n_outputs). */
static inline double *cosim_member_derivatives(const cosim_member *m, int seed) {
  return m->derivatives + (size_t)seed * (size_t)(m->n_nodes + 1) * (size_t)m->part->n_outputs;
}

/* Fills the outputs at the present states. */
void cosim_parts_get_outputs(cosim_parts *self);

/* Returns the count of numbers in the states of all parts that can restore a state. */
size_t cosim_parts_n_state(const cosim_parts *self);
/* Save or restore the states of all parts that can restore a state. `state` has these states one after the other.
 * Return the end of `state`. */
double *cosim_parts_save(const cosim_parts *self, double *state);
const double *cosim_parts_restore(cosim_parts *self, const double *state);

#endif
