/* Content of an FMU: the mechanism of a model file, or one subsystem of its co-simulation, as a part with named inputs
 * and outputs.
 *
 *   mechanism    inputs and outputs listed in the file's section `fmu`; default of the outputs: the columns of a run
 *   subsystem    also motions and forces at cuts, which depend on the file's schemes, and motions that signals read
 *
 * Names at a cut element M; "the marker" is that of M on a body of the subsystem. If both markers are on such bodies,
 * the names begin with M.1 and M.2.
 *
 *   M.fx, M.fy, M.torque                  in:  wrench on the marker
 *   M.other.x, .y, .phi, .vx, .vy, .omega in:  motion of the other side's marker
 *   M.prescribed.x, ...                   in:  prescribed acceleration along each residual M.g_x, ... of a joint
 *   M.x, .y, .phi, .vx, .vy, .omega, .ax, .ay, .alpha   out: motion of the marker
 *   M.fx, M.fy, M.torque                  out: wrench of M on the other side's marker, if M.other.x, ... are inputs
 *   M.lambda_x, ...                       out: multiplier of each prescribed acceleration, with the sign of λ
 *   M.sum_x, .sum_y, .sum_phi             out: integrals of the motion over the last step, for I-extension */
#ifndef FMU_UNIT_H
#define FMU_UNIT_H

#include <seam/models.h>

#include "base/arena.h"
#include "base/table.h"
#include "cosim/parts/fmu_part.h"
#include "cosim/parts/multibody_part.h"

/* Roles of variables. Only FMI 3 has the last five (fmu/slave.h). */
typedef enum fmu_role {
  FMU_TIME,
  FMU_PARAMETER,
  FMU_INPUT,
  FMU_OUTPUT,
  FMU_DEGREE,       /* highest k whose derivatives by c_ik a step computes */
  FMU_DERIVATIVES,  /* array: derivatives of outputs by c_ik */
  FMU_SHAPES,       /* array: coefficients of the shapes */
  FMU_INPUT_DEGREE, /* degree of the polynomials of inputs */
  FMU_WANTED        /* array: 1 for outputs that the importer wants, else 0 */
} fmu_role;

enum { FMU_MAX_POWER = COSIM_FMU_POWERS - 1, FMU_N_SHAPES = COSIM_FMU_POWERS * COSIM_FMU_POWERS };

/* A variable of the FMU. Its index in fmu_unit.variables is its value reference. */
typedef struct fmu_variable {
  const char *name, *unit, *meaning;
  fmu_role role;
  int number;                    /* index among the file's parameters, or among the part's inputs or outputs */
  size_t n;                      /* number of values; more than 1: an array */
  const double *start;           /* (n) start values; NULL: none, or those of the part */
  bool is_held;                  /* output: depends on sampled variables only, constant between samples */
  bool depends_on_accelerations; /* output: may depend on accelerations or reactions */
} fmu_variable;

/* Initial coefficients of the shapes s_k(τ) of inputs (fmu/slave.h), row by row: s_k = τ^k. */
extern const double fmu_unit_shapes[FMU_N_SHAPES];

typedef struct fmu_unit {
  arena memory;
  seam_model_file *file;
  const mbs_model *model; /* model of the file; NULL: user equations only */
  cosim_part *part;
  mbs_state *start;        /* assembled state of the last start; NULL: user equations only, or not started */
  mbs_workspace *of_start; /* workspace of `start`; NULL: user equations only */
  mbs_events *events;      /* events of the complete mechanism; NULL: the unit is a subsystem, or has no events */
  fmu_variable *variables; /* (n_variables) */
  size_t n_variables;
  table names;      /* maps names of variables to their indices in `variables` */
  table quantities; /* names of the quantities of its part */
} fmu_unit;

/* Returns SEAM_BAD_INPUT if a subsystem of the model is itself an FMU: no unit can contain it. */
seam_status fmu_refuse_units(const seam_model_file *file, seam_error *error);

/* Creates a unit. It owns the file, which a failure destroys. `subsystem`: name; NULL: the complete mechanism.
 * SEAM_NO_MEMORY; SEAM_BAD_INPUT: there is no such subsystem, or it cannot become an FMU. */
seam_status fmu_unit_create(seam_model_file *file, const char *subsystem, fmu_unit **created, seam_error *error);
void fmu_unit_destroy(fmu_unit *self);

/* Starts the part at t (s) in the file's assembled initial state, with inputs as in the mechanism without cuts. Leaves
 * user equations unchanged. Errors of mbs_assemble() and mbs_evaluate(). */
seam_status fmu_unit_start(fmu_unit *self, double t, seam_error *error);

/* Returns true if some equations are sampled. */
bool fmu_unit_samples(const fmu_unit *self);
/* Returns the time (s) of the first sample after t; INFINITY: there is none. */
double fmu_unit_next_sample(const fmu_unit *self, double t);

/* Returns the number of variables of a role. */
size_t fmu_unit_count(const fmu_unit *self, fmu_role role);

/* Computes the outputs of the part at t, with constant inputs. Leaves its state unchanged; `state` (part->n_state) is
 * scratch. */
void fmu_unit_outputs(const fmu_unit *self, double t, const cosim_signal *inputs, double *state, double *outputs);

#endif
