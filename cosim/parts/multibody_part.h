/* Some bodies of a mechanism as a part, with ports at the markers of cut elements. A port's kind (mbs_port_kind in
 * mbs/subsystem/subsystem.h) says what it receives. A port by force receives a force, a port by motion the motion of
 * the other side's marker. */
#ifndef COSIM_PARTS_MULTIBODY_PART_H
#define COSIM_PARTS_MULTIBODY_PART_H

#include "cosim/parts/part.h"
#include "mbs/dynamics/linearised.h"
#include "mbs/model/workspace.h"
#include "mbs/output/readout.h"
#include "mbs/subsystem/subsystem.h"

/* A point whose motion is an output: a body's centre of mass, or the marker of a force element on one body. */
typedef struct cosim_probe {
  bool is_body;
  size_t number; /* index of the body or force element in the model */
} cosim_probe;

typedef struct cosim_multibody_def {
  const char *name;       /* outlives the part */
  const mbs_model *model; /* outlives the part */
  const bool *bodies;     /* (n) true for bodies of the part */
  const bool *excluded;   /* (n_variables) true for variables of other parts; NULL: none */
  const mbs_port_def *ports;
  int n_ports;
  const cosim_probe *probes;
  int n_probes;
  const mbs_quantity *quantities; /* outputs: quantities of the model that depend on t, q, v and z of the part */
  int n_quantities;
  bool integrals;        /* outputs p, integrals of x, are needed (I-extension) */
  bool no_accelerations; /* outputs a are not needed: advance() may write zeros */
  bool wrenches;         /* outputs of wrenches are needed, at ports by motion */
  mbs_integrator_options integrator;
} cosim_multibody_def;

/* Largest number of seeds of one input in a step. */
enum { COSIM_MAX_SEEDS_PER_INPUT = COSIM_MAX_DEGREE };

/* Elements between bodies of the part, or between these and the ground, belong to the part. It uses the laws of the
 * model. The outputs are, in this order:
 *
 *   each port       x (3), v (3) and a (3) of its marker, if the marker is on a body; then p (3) if needed. Then, at
 *                   a joint, the multipliers of prescribed accelerations, on both sides with the sign of the wrench on
 *                   side 1. Last, at a port by motion, if needed: the element's wrench (3) on the other side's marker
 *   each probe      x (3), v (3)
 *   each quantity   its value. Its derivatives along seeds omit the effect of received quantities
 *
 * If wrenches are needed, Euler's methods keep inputs constant over a micro step. The outputs at its end use them too.
 *
 * Before the first step, a port by motion has the other marker's motion at the start as inputs, and a port by quantity
 * the quantity's value; all other inputs are zero. The part's work does not include cut elements. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY. */
seam_status cosim_multibody_part_create(const cosim_multibody_def *def, cosim_part **part, seam_error *error);

/* Returns the indices of a port's inputs and outputs; .part is -1. */
cosim_side cosim_multibody_side(const cosim_part *base, int number);
/* Return the first output of a port's wrench (-1: none), of a probe; the first input of a port; a quantity's output. */
int cosim_multibody_wrench(const cosim_part *base, int number);
int cosim_multibody_probe(const cosim_part *base, int number);
int cosim_multibody_input(const cosim_part *base, int number);
int cosim_multibody_quantity(const cosim_part *base, int number);

/* Starts at a state of the undivided model: sets motion, states and inputs; resets work and step size. */
void cosim_multibody_start(cosim_part *base, const mbs_state *undivided);
/* Copies poses, velocities and states into a state of the undivided model. */
void cosim_multibody_store(const cosim_part *base, mbs_state *undivided);
/* Copies poses and velocities of the undivided model. The state after a kink at the step's end changes equally. */
void cosim_multibody_set_motion(cosim_part *base, const mbs_state *undivided);
/* Writes results at the present macro point into *undivided: time, poses, velocities and accelerations of bodies,
 * states, multipliers of joints, forces of hard contacts. Adds the part's work. */
void cosim_multibody_write(cosim_part *base, mbs_state *undivided);
/* Fills poses, velocities and states of *undivided at t in the last macro step. Interpolates between the ends of micro
 * steps, with accelerations if the part has stored them. Adds the changes by couplings at the end of the macro step.
 * `begin`, `end`: states of the undivided model, with accelerations, at the ends of the macro step. */
void cosim_multibody_between(const cosim_part *base, const mbs_state *begin, const mbs_state *end, double t,
                             mbs_state *undivided);
/* Makes later steps store accelerations for cosim_multibody_between(), by one more evaluation for each micro step. */
void cosim_multibody_store_accelerations(cosim_part *base);
/* At a macro point, sets the state of index `undivided_index` in the undivided model, if the part has it. */
void cosim_multibody_set_state(cosim_part *base, int undivided_index, double value);
/* If the last step ended just before a kink of a law of time, changes the state to that after the kink; else returns
 * false. Without this call the next step crosses the kink. */
bool cosim_multibody_cross_kink(cosim_part *base);

/* Returns true if sampled variables read quantities of other parts, or quantities with feedthrough from inputs. */
bool cosim_multibody_samples_inputs(const cosim_part *base);
/* Returns true if only sampled variables read the quantities that ports receive. */
bool cosim_multibody_reads_at_samples(const cosim_part *base);
/* Returns the time of the first sample after t, s. */
double cosim_multibody_next_sample(const cosim_part *base, double t);
/* Undoes the samples at the end of the last step, which used its inputs, right after cosim_multibody_cross_kink() has
 * returned true. Returns true if there are some; then call cosim_multibody_sample(). */
bool cosim_multibody_undo_samples(cosim_part *base);

/* Defers samples at the end of a step: the next step takes them first, with its own inputs, which importers of exported
 * FMUs set between steps (fmu/unit.c). If the motion jumps at a deferred sample, the step ends after the jump. */
void cosim_multibody_defer_samples(cosim_part *base);
/* Returns true if a deferred sample is to be taken at the present time. */
bool cosim_multibody_is_sample_due(const cosim_part *base);
/* Takes the sample with the present inputs. Errors of mbs_sample(). */
seam_status cosim_multibody_sample(cosim_part *base, seam_error *error);
/* At the start, undoes the samples that the assembly of the undivided model took. */
void cosim_multibody_undo_start_samples(cosim_part *base);

/* Returns the time, s, of the last switch of a contact, strand or friction in the last step; NaN: none. */
double cosim_multibody_last_switch(const cosim_part *base);
/* Sets the mode of a coordinate of the contact or strand at a port. Does nothing if the port receives no motion. */
void cosim_multibody_set_mode(cosim_part *base, int port, int coordinate, mbs_one_sided_mode mode);
/* Sets whether accelerations and multipliers are needed from now on; if not, advance() may write zeros. */
void cosim_multibody_set_accelerations_wanted(cosim_part *base, bool are_wanted);
/* Returns true if accelerations and multipliers of the present state are known, else get_outputs() evaluates them. */
bool cosim_multibody_knows_accelerations(const cosim_part *base);
/* Returns true if the last step ended at a kink, and the present state is the one before it. */
bool cosim_multibody_is_before_kink(const cosim_part *base);
/* Returns the work done on the part through a port since the start, J. */
double cosim_multibody_work(const cosim_part *base, int port);
mbs_statistics cosim_multibody_statistics(const cosim_part *base);

/* Fills the derivatives (n_outputs) of the present outputs by one input at constant state. Returns false if the part
 * has no exact derivatives, or a port by quantity has this input. */
bool cosim_multibody_differentiate(cosim_part *base, int input, double *changes);

/* ---- For the linearisation of a part ---- */

enum { COSIM_MAX_PORT_INPUTS = 6 }; /* largest number of inputs of a port */

typedef struct cosim_multibody_port {
  mbs_port_def def;
  const mbs_port *at;
  int input, n_inputs;
  int coordinate[COSIM_MAX_PORT_INPUTS]; /* by input: 0 to 2 for x, y, φ of the port's frame, 3 to 5 for their rates */
  int output;                            /* first output of the port's motion; -1: no marker on a body of the part */
  int row, n_rows;                       /* first row, and number of rows, of the joint that prescribes acceleration */
  int wrench;                            /* first output of the element's wrench; -1: no output */
} cosim_multibody_port;

typedef struct cosim_multibody_point {
  mbs_port at; /* body and marker */
  int output;
} cosim_multibody_point;

/* Bodies, ports and present state of a part, valid as long as the part exists. Callers may change the state. */
typedef struct cosim_multibody_view {
  const mbs_model *undivided;
  const mbs_subsystem *sub;
  const cosim_multibody_port *ports; /* (n_ports) */
  const mbs_port_inputs *port_inputs;
  mbs_state *state;
  double *inputs;  /* (n_inputs) inputs at the present macro point */
  int n_integrals; /* integrals p of all ports */
  const cosim_multibody_point *probes;
  int n_probes;
  const mbs_readout *quantities; /* NULL: none */
  int quantity;                  /* output of the first quantity */
} cosim_multibody_view;

cosim_multibody_view cosim_multibody_view_of(cosim_part *base);

/* A cut element at a port by motion acts between a body of the part and the port's frame, whose motion is the input.
 * Its linearisation has these changes of the part's motion and of one input. */
typedef struct cosim_port_change {
  const mbs_model *model;            /* model of the part */
  const mbs_linearised *linear;      /* linearised at the present state */
  const cosim_multibody_port *ports; /* ports of the part */
  const double *q, *v, *z;           /* (3n), (3n), (n_states) changes of poses, rates and states */
  int input;                         /* index of the changed input; -1: no input changes */
  double change;
} cosim_port_change;

/* Adds δz' = Z_q δx + Z_v δv to dz (n_states). Z are the rates of the element's states; Z_q and Z_v their derivatives.
 * The change of the input changes the port's motion by δx and δv. Adds nothing if the element has no states. */
void cosim_port_add_rates(const cosim_port_change *c, const cosim_multibody_port *port, double *dz);

/* Fills dW (3) with the change of the element's wrench on the other side's marker, δW = K δx + D δv + Q_z δz. K, D and
 * Q_z are derivatives of the wrench by poses, rates and states. */
void cosim_port_wrench_change(const cosim_port_change *c, const cosim_multibody_port *port, double dW[3]);

#endif
