/* Subsystem made of some bodies of a mechanism, with ports at the markers of the elements that were cut. */
#ifndef COSIM_PARTS_MULTIBODY_PART_H
#define COSIM_PARTS_MULTIBODY_PART_H

#include "cosim/parts/part.h"
#include "mbs/model/workspace.h"
#include "mbs/output/readout.h"
#include "mbs/subsystem/subsystem.h"

/* A marker whose motion is an output: of a body (its centre of mass), or of a force element on one body. */
typedef struct cosim_probe {
  bool is_body;
  size_t number; /* in the model */
} cosim_probe;

typedef struct cosim_multibody_def {
  const char *name;       /* outlives the part */
  const mbs_model *model; /* outlives the part */
  const bool *bodies;     /* (n) those that belong to the part */
  const bool *leave;      /* (n_variables) those of other parts; NULL: none */
  const mbs_port_def *ports;
  int n_ports;
  const cosim_probe *probes;
  int n_probes;
  const mbs_quantity *quantities; /* of the model, functions of t, q, v and z of the part */
  int n_quantities;
  bool integrals;        /* outputs p are needed (I-extension) */
  bool no_accelerations; /* outputs a are not needed: advance() gives zeros */
  bool wrenches;         /* wrenches of ports by motion are needed */
  mbs_integrator_options integrator;
} cosim_multibody_def;

/* Seeds of one input in a step. */
enum { COSIM_MAX_SEEDS_PER_INPUT = COSIM_MAX_DEGREE };

/* Elements of the model between bodies of the part (and ground) belong to it; laws are borrowed from the model. Outputs
 * of a port: x (3), v (3), a (3), then p (3) if needed, then the multipliers of prescribed accelerations, signed as λ
 * on either side: the wrench on side 1 of the cut, its opposite acting on side 2; of a port by motion, if needed, the
 * wrench (3) of the element on the other side's marker, which is the only output of a port without a body. Outputs of a
 * probe: x (3), v (3). Then the quantities, whose derivatives along seeds leave out z. Where wrenches are needed,
 * Euler's methods hold inputs over a micro step, for outputs too. Before the first step the inputs of a port by motion
 * are the other marker's motion at the start, that of a port by quantity its value then, those of others zeros. Cut
 * elements are not in the part's work. SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status cosim_multibody_part_create(const cosim_multibody_def *def, cosim_part **part, seam_error *error);

/* Numbers of the inputs and outputs of a port; the number of the part is -1. */
cosim_side cosim_multibody_side(const cosim_part *base, int number);
/* The first output of a port's wrench, -1: none; of a probe. */
int cosim_multibody_wrench(const cosim_part *base, int number);
int cosim_multibody_probe(const cosim_part *base, int number);
/* The first input of a port. */
int cosim_multibody_input(const cosim_part *base, int number);
/* The output that a quantity is. */
int cosim_multibody_quantity(const cosim_part *base, int number);

/* Sets time, poses and velocities of its bodies from a state of the whole model, and its work to zero; resets its step
 * size.
 */
void cosim_multibody_start(cosim_part *base, const mbs_state *whole);
/* Poses and velocities of its bodies into a state of the whole model, and out of one: step size and inputs stay. */
void cosim_multibody_give(const cosim_part *base, mbs_state *whole);
void cosim_multibody_take(cosim_part *base, const mbs_state *whole);
/* Only these; beyond a kink at which the step ended they change by as much. */
void cosim_multibody_put(cosim_part *base, const mbs_state *whole);
/* Writes poses, velocities, accelerations and multipliers of its bodies and joints at the present macro point into a
 * state of the whole model; adds its work to that of *whole. */
void cosim_multibody_write(cosim_part *base, mbs_state *whole);
/* Poses, velocities and states of its bodies at t within the last macro step, from `begin` to `end` of the whole, into
 * *whole: by the part's own steps, but for what couplings changed at the end. By accelerations too where they are kept
 * and those of the whole are known at both ends. */
void cosim_multibody_between(const cosim_part *base, const mbs_state *begin, const mbs_state *end, double t,
                             mbs_state *whole);
/* Steps to come keep accelerations, by an evaluation each that ends inside of a macro step. */
void cosim_multibody_keep_accelerations(cosim_part *base);
/* A state of the whole takes another value, where the part has it; at a macro point. */
void cosim_multibody_set_state(cosim_part *base, int of_whole, double value);
/* A step that ends at a kink of a law of time ends before it; this takes the part to the other side, as the next step
 * does. false: it ended elsewhere. */
bool cosim_multibody_pass_kink(cosim_part *base);

/* Returns true if it has sampled variables that read quantities of other subsystems, or what follows at once from
 * inputs. */
bool cosim_multibody_samples_inputs(const cosim_part *base);
/* Returns true if only sampled variables read what it receives of quantities. */
bool cosim_multibody_reads_at_samples(const cosim_part *base);
/* The first sample after t, s. */
double cosim_multibody_next_sample(const cosim_part *base, double t);
/* Samples at which the last step ended were under inputs of that step: right behind cosim_multibody_pass_kink(), which
 * returned true, variables are those before them again. Returns whether there are some; then cosim_multibody_sample()
 * follows. */
bool cosim_multibody_take_back_samples(cosim_part *base);

/* Samples at the end of a step wait, so that they read the inputs of the next one, which begins with them; for masters
 * that give inputs at the points between steps. Where the motion jumps at the same time the step ends beyond. */
void cosim_multibody_let_samples_wait(cosim_part *base);
/* Returns true if one waits at the present point. */
bool cosim_multibody_is_sample_due(const cosim_part *base);
/* It happens under the present inputs. Errors of mbs_sample(). */
seam_status cosim_multibody_sample(cosim_part *base, seam_error *error);
/* At the start: those of the assembled whole have not happened. */
void cosim_multibody_forget_samples(cosim_part *base);

/* Where an element inside changed its mode last, s; NaN: not in the last step. */
double cosim_multibody_last_switch(const cosim_part *base);
/* The law of the strand or contact that acts at a port by motion keeps to a mode, along one of its measures. */
void cosim_multibody_set_mode(cosim_part *base, int port, int measure, mbs_mode mode);
/* Returns true if advance() gives accelerations and multipliers from now on, or zeros. */
void cosim_multibody_want_accelerations(cosim_part *base, bool are_wanted);
/* Returns true if accelerations and multipliers of the present point are known: of the outputs of the last step and of
 * their derivatives too. get_outputs() finds them, and stands where the last step ended, before a kink of a law of
 * time. */
bool cosim_multibody_knows_accelerations(const cosim_part *base);
bool cosim_multibody_is_before_kink(const cosim_part *base);
/* Work done on the part through a port since the start, J. */
double cosim_multibody_work(const cosim_part *base, int port);
mbs_statistics cosim_multibody_statistics(const cosim_part *base);

/* Derivatives (n_outputs) of the outputs at the present point by one input there, the state being held. false: the part
 * has no exact ones, or it is the input of a port by quantity. */
bool cosim_multibody_differentiate(cosim_part *base, int input, double *changes);

/* ---- For the linearisation of a part ---- */

enum {
  COSIM_MAX_PORT_INPUTS = 6 /* of one port */
};

typedef struct cosim_multibody_port {
  mbs_port_def def;
  const mbs_port *at;
  int input, n_inputs;
  int coordinate[COSIM_MAX_PORT_INPUTS]; /* of the port's frame that each input is: x, y, φ, and their rates */
  int output;                            /* the first of its motion; -1: the part has no body there */
  int row, n_rows;                       /* of the joint that prescribes acceleration */
  int wrench;                            /* output; -1: none */
} cosim_multibody_port;

typedef struct cosim_multibody_place {
  mbs_port at; /* body and marker */
  int output;
} cosim_multibody_place;

/* Its bodies, ports and present state, which may be written. It lives as long as the part. */
typedef struct cosim_multibody_view {
  const mbs_model *whole;
  const mbs_subsystem *sub;
  const cosim_multibody_port *ports; /* (n_ports) */
  const mbs_port_inputs *port_inputs;
  mbs_state *state;
  double *inputs;  /* (n_inputs) at the present macro point */
  int n_integrals; /* p of all ports */
  const cosim_multibody_place *probes;
  int n_probes;
  const mbs_readout *quantities; /* NULL: none */
  int quantity;                  /* the output that the first one is */
} cosim_multibody_view;

/* Returns the view of a part from cosim_multibody_part_create(). */
cosim_multibody_view cosim_multibody_view_of(cosim_part *base);

#endif
