/* Content of an FMU: the whole mechanism of a model file, or one subsystem of its co-simulation, as a part with named
 * inputs and outputs.
 *
 *   whole        inputs: those in the file's section `fmu`; outputs: its list, or the default columns of a run
 *   subsystem    also motions and forces at cuts, by the file's schemes, and motions that signals read
 *
 * Names at a cut element M, for M's marker on a body of the subsystem (M.1, M.2 if both are):
 *
 *   M.fx, M.fy, M.torque                  in:  wrench on the marker
 *   M.other.x, .y, .phi, .vx, .vy, .omega in:  motion of the other side's marker
 *   M.prescribed.x, ...                   in:  prescribed acceleration, one for each residual M.g_x, ...
 *   M.x, .y, .phi, .vx, .vy, .omega, .ax, .ay, .alpha   out: motion of the marker
 *   M.fx, M.fy, M.torque                  out: wrench of M on the other side's marker, if its motion is an input
 *   M.lambda_x, ...                       out: multiplier of a prescribed acceleration, signed as λ
 *   M.sum_x, .sum_y, .sum_phi             out: integrals of the motion over the last step, for I-extension */
#ifndef FMU_UNIT_H
#define FMU_UNIT_H

#include <seam/models.h>

#include "base/arena.h"
#include "base/table.h"
#include "cosim/parts/fmu_part.h"
#include "cosim/parts/multibody_part.h"

/* The last five exist in FMI 3 only (fmu/slave.h): the highest k of shapes by which steps give derivatives; these
 * derivatives (array); the shapes (array); the degree of the polynomials of inputs; which outputs are wanted
 * (array). */
typedef enum fmu_role {
  FMU_TIME,
  FMU_PARAMETER,
  FMU_INPUT,
  FMU_OUTPUT,
  FMU_DEGREE,
  FMU_DERIVATIVES,
  FMU_SHAPES,
  FMU_INPUT_DEGREE,
  FMU_WANTED
} fmu_role;

enum { FMU_MAX_POWER = COSIM_FMU_POWERS - 1, FMU_N_SHAPES = COSIM_FMU_POWERS * COSIM_FMU_POWERS };

/* A variable. Its index in the list of the unit is its value reference, in both versions of FMI. */
typedef struct fmu_variable {
  const char *name, *unit, *meaning;
  fmu_role role;
  int number;   /* index among the file's parameters, or the part's inputs or outputs */
  double start; /* start value of an input or parameter */
  bool is_held; /* the output is a sampled variable, constant between samples */
  bool follows; /* the output may depend on accelerations and reactions */
} fmu_variable;

/* Initial coefficients of the shapes s_k(τ) of inputs (slave.h), a row for each: s_k = τ^k. */
extern const double fmu_unit_shapes[FMU_N_SHAPES];

typedef struct fmu_unit {
  arena memory;
  seam_model_file *file;
  const mbs_model *model; /* model of the file; NULL: user equations only */
  cosim_part *part;
  mbs_state *start;        /* assembled state at the time of the last start; NULL: user equations */
  mbs_workspace *of_start; /* workspace of `start`; NULL: user equations */
  mbs_events *events;      /* events of the whole mechanism; NULL: a subsystem, or no events */
  fmu_variable *variables; /* (n_variables) */
  size_t n_variables;
  size_t n_derivatives; /* number of values in the array of derivatives; 0: no such array */
  const double *wanted; /* (outputs) ones: all outputs are wanted at first */
  table names;          /* names of the variables */
} fmu_unit;

/* Creates a unit, which owns the file even if this fails. `subsystem` NULL: the whole mechanism. SEAM_NO_MEMORY;
 * SEAM_BAD_INPUT: there is no such subsystem, or it cannot become an FMU. */
seam_status fmu_unit_create(seam_model_file *file, const char *subsystem, fmu_unit **created, seam_error *error);
void fmu_unit_destroy(fmu_unit *self);

/* Starts the part at time t in the file's assembled initial state; inputs get the values that they have in the uncut
 * mechanism. A part of user equations stays as it is. Errors of mbs_assemble() and mbs_evaluate(). */
seam_status fmu_unit_start(fmu_unit *self, double t, seam_error *error);

/* The first returns true if some equations are sampled. The second returns the time, s, of the first sample after t. */
bool fmu_unit_samples(const fmu_unit *self);
double fmu_unit_next_sample(const fmu_unit *self, double t);

/* Returns the number of variables of a role. */
size_t fmu_unit_count(const fmu_unit *self, fmu_role role);
/* Returns the number of values of a variable: 1, or the array's size. */
size_t fmu_unit_n_values(const fmu_unit *self, size_t reference);

/* Gives the outputs that the part has in its present state at t with constant inputs; the state stays. `state`
 * (part->n_state): scratch. */
void fmu_unit_outputs(const fmu_unit *self, double t, const cosim_signal *inputs, double *state, double *outputs);

/* Sources of the variables, besides the part's ports. */
typedef struct fmu_contents {
  const cosim_user_part *user; /* NULL: a multibody part */
  const cosim_probe *probes;
  const char *const *quantities; /* (n_quantities) names of the part's quantities, in order */
  size_t n_quantities;
} fmu_contents;

/* Lists the variables, in unit_variables.c. SEAM_NO_MEMORY. */
seam_status fmu_unit_list(fmu_unit *self, const fmu_contents *of, seam_error *error);

#endif
