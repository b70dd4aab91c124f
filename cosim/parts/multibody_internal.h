/* Internals of the multibody part: creation and state in multibody_part.c; steps in multibody_step.c; motion inside a
 * macro step in multibody_path.c; effects of changed inputs in multibody_series.c. */
#ifndef COSIM_PARTS_MULTIBODY_INTERNAL_H
#define COSIM_PARTS_MULTIBODY_INTERNAL_H

#include "cosim/parts/multibody_part.h"
#include "mbs/integrate/integrator.h"

/* Times of a step with feedthrough, and vectors (3n) of each input's series there (multibody_series.c). */
typedef enum cosim_step_point { COSIM_MIDDLE, COSIM_END, cosim_n_step_points } cosim_step_point;
typedef enum cosim_vector { COSIM_B, COSIM_P2, COSIM_R3, COSIM_P2_RATE, cosim_n_vectors } cosim_vector;

/* A seed, with the repeated integrals of its signal over the step. */
typedef struct cosim_multibody_seed {
  int input;
  double integrals[COSIM_N_INTEGRALS];
} cosim_multibody_seed;

typedef struct cosim_multibody {
  cosim_part base;
  const mbs_model *undivided; /* the undivided model */
  mbs_subsystem *sub;
  mbs_integrator *integrator;
  mbs_workspace *ws;      /* workspace of the integrator */
  mbs_linearised *linear; /* NULL: no derivatives */
  mbs_port_inputs port_inputs;
  mbs_state *state;
  bool is_before_kink;    /* the last step ended at a kink of a law of time, and `state` is before it */
  mbs_state *beyond_kink; /* state after the kink */
  mbs_state *before_kink; /* last state of the integrator before a kink */
  bool samples_wait;      /* samples at the end of a step wait for the next step's inputs */
  seam_step_memory step_memory;
  cosim_multibody_port *ports;
  cosim_multibody_point *probes;
  int n_probes;
  mbs_readout *received;       /* quantities of the undivided model that ports receive; NULL: none */
  mbs_workspace *undivided_ws; /* workspace of the undivided model, to read `received` at the start */
  mbs_readout *quantities;     /* outputs that are quantities; NULL: none */
  int quantity;                /* index of the first output that is a quantity; the others follow */
  struct {
    bool integrals;
    bool accelerations; /* false: advance() writes zeros, unless laws of the part read accelerations */
    bool wrenches;      /* outputs of wrenches at ports that receive a motion */
  } wanted;
  int n_integrals;    /* number of integrals p of all ports */
  int n_change;       /* number of extra states per seed: δq, δv, δz, δp */
  double *inputs;     /* (n_inputs) scratch */
  double *end;        /* (n_inputs) inputs at the end of the last step */
  double *begin;      /* (n_inputs) inputs at the beginning of the present step */
  int order;          /* order of the method erk; 0 for other methods */
  bool holds_inputs;  /* Euler's methods: inputs are constant over a micro step */
  double end_tau;     /* τ of the inputs at the end of a step: 1; if holds_inputs, τ of the last evaluation */
  bool is_evaluated;  /* state->a, lambda and the workspace are evaluated with the inputs `end` */
  struct {            /* beginning of the last step */
    mbs_state *state; /* state at the beginning, evaluated with `inputs` */
    double *inputs;   /* (n_inputs) inputs at the beginning */
    double *rates;    /* (n_states + n_work) rates at the beginning */
    bool is_evaluated;
  } first;
  double *extra;        /* extra states: p, then the derivatives along each seed */
  double *tau;          /* scratch: ends of pieces of signals */
  bool *active;         /* (largest n_seeds so far) true: the seed has been nonzero in the step so far */
  double *da, *dlambda; /* (3n), (m) scratch */
  double *impulse_load; /* (12n + m + 2 n_inputs) scratch */
  double rtol, atol;    /* tolerances of the integrator */
  struct {              /* series of the last step with feedthrough */
    double *vectors;    /* (cosim_n_step_points x n_inputs x cosim_n_vectors x 3n) */
    double t[cosim_n_step_points];
    double middle;       /* s, time at which the vectors of COSIM_MIDDLE are to be computed; infinite: at none */
    double *derivatives; /* (n_inputs x n_outputs) scratch */
    bool has_middle;
    bool *skips; /* (n_inputs) true: derivatives by the input are not used */
  } series;
  cosim_multibody_seed *seeds; /* (largest n_seeds so far) seeds of the last step with derivatives */
  int n_seeds;
  const cosim_step *step; /* present step; NULL: between steps, with the inputs `end` */
  double middle;          /* a τ inside the present interval: the piece of a signal is the one that contains it */
  struct {                /* outputs at nodes of the present step */
    int next;             /* index of the next node */
    double *outputs, *derivatives;
  } at_nodes;
  struct { /* motion at the ends of micro steps in the last macro step (multibody_path.c) */
    int n;
    size_t capacity;
    double *points;         /* (capacity x (1 + n_controlled + 3n)) rows of t, q, v, z, a */
    bool has_accelerations; /* accelerations of inner points are known */
    mbs_state *state;       /* scratch */
  } path;
  int n_micro_steps;  /* micro steps in the present macro step */
  double last_switch; /* s, last switch in the present macro step; NaN: no element has switched */
  double micro_step;  /* s, length of fixed micro steps; 0: the error control chooses lengths */
} cosim_multibody;

/* Returns the number of extra states with n seeds. This is also the index of seed n's first extra state. */
static inline size_t cosim_multibody_n_extra(const cosim_multibody *self, int n) {
  return (size_t)self->n_integrals + (size_t)n * (size_t)self->n_change;
}

static inline int cosim_multibody_coordinates(const cosim_multibody *self) { return 3 * self->sub->model->n_bodies; }

static inline mbs_vector cosim_multibody_arm(const cosim_multibody *self, const mbs_port *at) {
  return mbs_rotate(&self->ws->frames[at->body], at->marker);
}

/* Returns λ/μ: λ force of the cut, μ multiplier. The force -μ on the body is λ on the first side, -λ on the second. */
static inline double cosim_multibody_sign(const cosim_multibody_port *port) { return port->def.side == 0 ? -1 : 1; }

/* Creates the integrator, with callbacks for inputs, extra states (n_extra) and the motion inside macro steps. */
seam_status cosim_multibody_create_integrator(cosim_multibody *self, const mbs_integrator_options *options,
                                              size_t n_extra, seam_error *error);
/* Step listener: stores the motion at the ends of a micro step in `path`. */
seam_status cosim_multibody_record_step(void *context, const mbs_step_piece *piece, seam_error *error);
seam_status cosim_multibody_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                    seam_error *error);
seam_status cosim_multibody_repeat(cosim_part *base, const cosim_step *step, double *outputs, bool *is_made,
                                   seam_error *error);
/* Evaluates accelerations and multipliers of the present state, unless known; not finite if the inputs are not. */
void cosim_multibody_evaluate(cosim_multibody *self);
void cosim_multibody_get_outputs(cosim_part *base, double *outputs);
/* Evaluates outputs under inputs that replace those at the end of the last step. */
void cosim_multibody_evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs);
/* Sets state and laws of time to those before the last kink, at the present time. */
void cosim_multibody_go_before_kink(cosim_multibody *self);
/* If the step ended at a kink, adds `sign` times the present state to the state after the kink. Calls with -1 before a
 * change of the present state, and with 1 after it, change both states equally. */
void cosim_multibody_move_beyond_kink(const cosim_multibody *self, double sign);
/* If a deferred sample is due at the kink that ended the step, sets the state between the kink and the sample. */
void cosim_multibody_defer_sample(cosim_multibody *self);
/* Fills dQ (3n) and dgamma (m), the right-hand sides of the linearised equations for a change of an input. */
void cosim_multibody_load_change(const cosim_multibody *self, int input, double change, double *dQ, double *dgamma);
const cosim_multibody_port *cosim_multibody_port_of_input(const cosim_multibody *self, int input);
/* Writes δẍ (3) of a marker, from self->da, δq and δv (3n each; NULL: zero). */
void cosim_multibody_acceleration_change(const cosim_multibody *self, const mbs_port *at, const double *dq,
                                         const double *dv, double *y);

/* Finds feedthrough (n_inputs x n_outputs) and the vectors of the series at the present state, which is at `point`. */
void cosim_multibody_compute_feedthrough(cosim_multibody *self, cosim_step_point point, double *derivatives);
void cosim_multibody_get_feedthrough(cosim_part *base, double *derivatives);
seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *integrals, const double *end, double limit,
                                           bool *is_made, seam_error *error);
seam_status cosim_multibody_update_end(cosim_part *base, const double *change, const double *end, bool *is_made,
                                       seam_error *error);
/* Finds the changes of q and v along seeds at the end of a step of length H, s, by the series: three terms if
 * has_third_terms, else two. Returns true if inertia dominates for all inputs with seeds. */
bool cosim_multibody_derive_by_inertia(cosim_multibody *self, double H, bool has_third_terms);
double cosim_multibody_measure_impulses(cosim_part *base, const double *first, const double *second);

#endif
