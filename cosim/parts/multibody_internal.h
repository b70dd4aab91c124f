/* Inside of a multibody part: its creation is in multibody_part.c, its steps are in multibody_step.c,
 * the motion between their ends in multibody_path.c, what inputs do at once in multibody_instants.c, impulses at the
 * end of steps in multibody_impulses.c. */
#ifndef COSIM_PARTS_MULTIBODY_INTERNAL_H
#define COSIM_PARTS_MULTIBODY_INTERNAL_H

#include "cosim/parts/multibody_part.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/integrate/integrator.h"
#include "mbs/subsystem/subsystem.h"

/* Where instant derivatives are taken, and the vectors (3n) that each input has there (multibody_instants.c). */
typedef enum cosim_step_place { COSIM_MIDDLE, COSIM_END, cosim_n_step_places } cosim_step_place;
typedef enum cosim_vector { COSIM_B, COSIM_P2, COSIM_R3, COSIM_P2_RATE, cosim_n_vectors } cosim_vector;

/* A seed, with the repeated integrals of its signal over the step. */
typedef struct cosim_multibody_seed {
  int input;
  double integrals[COSIM_N_INTEGRALS];
} cosim_multibody_seed;

typedef struct cosim_multibody {
  cosim_part base;
  const mbs_model *whole;
  mbs_subsystem *sub;
  mbs_integrator *integrator;
  mbs_workspace *ws;      /* the integrator's */
  mbs_linearised *linear; /* NULL: no derivatives */
  mbs_port_inputs port_inputs;
  mbs_state *state;
  bool is_before_kink;    /* a step ended at a kink of a law of time: `state` is the one before it, */
  mbs_state *beyond_kink; /* this the one after it */
  mbs_state *before_kink; /* the integrator's last one */
  bool samples_wait;      /* those at the ends of steps, for the inputs of the next one */
  seam_step_memory step_memory;
  cosim_multibody_port *ports;
  cosim_multibody_place *probes;
  int n_probes;
  mbs_readout *received;   /* what ports receive, in the whole; NULL: nothing */
  mbs_workspace *of_whole; /* to read that at the start */
  mbs_readout *quantities; /* NULL: none */
  int quantity;            /* the output that the first one is; the others follow */
  struct {
    bool integrals;
    bool accelerations; /* else advance() gives zeros */
    bool wrenches;      /* of ports by motion */
  } wanted;
  int n_integrals;    /* p of all ports */
  int n_change;       /* extra states of one seed: δq, δv, δz, δp */
  double *inputs;     /* (n_inputs) scratch */
  double *end;        /* (n_inputs) at the end of the last step */
  double *begin;      /* (n_inputs) at the beginning of the present one */
  int order;          /* of erk; 0: another method */
  bool holds_inputs;  /* Euler's methods: over a micro step, to its end */
  double end_tau;     /* τ of the inputs that are used at the end of a step: 1, or the τ of the last evaluation */
  bool is_evaluated;  /* state->a and lambda are evaluated under `end`, and so is the workspace */
  struct {            /* where the last step began */
    mbs_state *state; /* evaluated under ... */
    double *inputs;   /* (n_inputs) */
    double *rates;    /* (n_states + n_work) */
    bool is_evaluated;
  } first;
  double *extra;        /* extra states: p, then the derivatives along each seed */
  double *tau;          /* scratch: where pieces of signals end */
  bool *active;         /* (highest n_seeds) its signal has not been zero so far in the step */
  double *da, *dlambda; /* (3n), (m) */
  double *impulse_load; /* (12n + m + 2 n_inputs) scratch */
  double rtol, atol;    /* of its integrator */
  struct {              /* of the last step that asked for instant derivatives */
    double *vectors;    /* (cosim_n_step_places x n_inputs x cosim_n_vectors x 3n) */
    double t[cosim_n_step_places];
    double middle;       /* s, where they are to be taken on the way; infinite: nowhere */
    double *derivatives; /* (n_inputs x n_outputs) scratch */
    bool has_middle;
    bool *skips; /* (n_inputs) inputs whose derivatives are not used */
  } series;
  cosim_multibody_seed *seeds; /* (highest n_seeds) of the last step that gave derivatives */
  int n_seeds;
  const cosim_step *step; /* NULL: at the end of one, under the inputs there */
  double middle;          /* τ in the pieces of signals that hold at present */
  struct {                /* of the present step */
    int next;             /* node */
    double *outputs, *derivatives;
  } moments;
  struct { /* the ends of its steps in the last macro step (multibody_path.c) */
    int n, room;
    double *points;         /* (room, 1 + n_controlled + 3n) t, q, v, z, a */
    bool has_accelerations; /* of points inside of it */
    mbs_state *state;       /* scratch */
  } path;
  int n_micro_steps;  /* in the present macro step */
  double last_switch; /* s, of an element in it; NaN: none */
  double micro_step;  /* s; 0: controlled by the error */
} cosim_multibody;

/* Number of extra states with n seeds, which is the place of those of seed n. */
static inline size_t cosim_multibody_n_extra(const cosim_multibody *self, int n) {
  return (size_t)self->n_integrals + (size_t)n * (size_t)self->n_change;
}

static inline int cosim_multibody_coordinates(const cosim_multibody *self) { return 3 * self->sub->model->n_bodies; }

static inline double *cosim_multibody_series(const cosim_multibody *self, cosim_step_place place, int input,
                                             cosim_vector vector) {
  const int number = ((int)place * self->base.n_inputs + input) * cosim_n_vectors + (int)vector;
  return self->series.vectors + (size_t)number * (size_t)cosim_multibody_coordinates(self);
}

static inline mbs_vector cosim_multibody_arm(const cosim_multibody *self, const mbs_port *at) {
  return mbs_rotate(&self->ws->frames[at->body], at->marker);
}

/* The sign that makes a multiplier the λ of the cut: the force on the body is -μ, and λ on the first side, -λ on the
 * second. */
static inline double cosim_multibody_sign(const cosim_multibody_port *port) { return port->def.side == 0 ? -1 : 1; }

/* The frames of ports under the present inputs: the callback of mbs_port_inputs. */
void cosim_multibody_place_ports(void *context, double t, mbs_frame *frames);
/* Rates of the extra states. */
seam_status cosim_multibody_rates(void *context, mbs_workspace *ws, const mbs_state *now, size_t n, const double *r,
                                  double *dr, seam_error *error);
/* The interrupt callback: whether there were too many micro steps. */
bool cosim_multibody_interrupt(void *context, double t);
/* The listener of steps, which enter the path. */
seam_status cosim_multibody_hear_step(void *context, const mbs_step_piece *piece, seam_error *error);
seam_status cosim_multibody_advance(cosim_part *base, const cosim_step *step, double *outputs, double *derivatives,
                                    seam_error *error);
seam_status cosim_multibody_repeat(cosim_part *base, const cosim_step *step, double *outputs, bool *is_made,
                                   seam_error *error);
/* Accelerations and multipliers of the present state, unless they are evaluated; they are not finite where the inputs
 * are not. */
void cosim_multibody_evaluate(cosim_multibody *self);
void cosim_multibody_get_outputs(cosim_part *base, double *outputs);
/* The inputs become those at the end of the last step. */
void cosim_multibody_evaluate_outputs(cosim_part *base, double t, const cosim_signal *inputs, double *outputs);
/* Where a step has ended before a sample alone, and samples wait: the state stays there. */
void cosim_multibody_let_sample_wait(cosim_multibody *self);
bool cosim_multibody_get_outputs_beyond(cosim_part *base, double *outputs);
/* dQ (3n) and dgamma (m) when an input changes by `change`, by the linearised equations. */
void cosim_multibody_load_change(const cosim_multibody *self, int input, double change, double *dQ, double *dgamma);
const cosim_multibody_port *cosim_multibody_port_of_input(const cosim_multibody *self, int input);
/* δẍ of da and of δq and δv (3n each; NULL: zero). */
void cosim_multibody_acceleration_change(const cosim_multibody *self, const mbs_port *at, const double *dq,
                                         const double *dv, double *y);
/* The linearised equations at the present state. */
void cosim_multibody_linearise(cosim_multibody *self);
/* Instant derivatives (n_inputs x n_outputs) and the series at the present state, which is at that moment of a step. */
void cosim_multibody_take_instants(cosim_multibody *self, cosim_step_place place, double *derivatives);
/* The first two terms of the series at the end of a step of length H. */
void cosim_multibody_take_leading(cosim_multibody *self, double H);
void cosim_multibody_get_instant_derivatives(cosim_part *base, double *derivatives);
seam_status cosim_multibody_apply_impulses(cosim_part *base, const double *integrals, const double *end, double limit,
                                           bool *is_made, seam_error *error);
seam_status cosim_multibody_update_end(cosim_part *base, const double *change, const double *end, bool *is_made,
                                       seam_error *error);
/* Changes along the seeds at the end of a step of length H by the series; whether inertia leads. */
bool cosim_multibody_derive_by_inertia(cosim_multibody *self, double H, bool has_third_terms);
double cosim_multibody_measure_impulses(cosim_part *base, const double *first, const double *second);

#endif
