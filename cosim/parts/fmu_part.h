/* An FMU as a part. It takes a step for each piece of its inputs, or shorter ones if a communication step is given.
 * Inputs over a step:
 *
 *   FMI 2, interpolates inputs      polynomials, set by their derivatives at the step's beginning
 *   FMI 3, intermediate update      polynomials, evaluated at the times at which the FMU asks for inputs
 *   else                            constants: means over the step, so that integrals of inputs are exact
 *
 * Outputs are read after the inputs at the step's end are set. An FMU that saves its state can repeat steps: any scheme
 * can couple it, with exact derivatives or differences. Other FMUs need explicit schemes or connections. */
#ifndef COSIM_PARTS_FMU_PART_H
#define COSIM_PARTS_FMU_PART_H

#include "cosim/parts/part.h"
#include "fmi/library.h"

/* Value of a parameter or input at the start. */
typedef struct cosim_fmu_value {
  size_t variable;
  double number;    /* number or boolean; array: value of all elements */
  const char *text; /* text; NULL: use `number` */
  double *numbers;  /* one value per element of an array; NULL: use `number` */
} cosim_fmu_value;

typedef struct cosim_fmu_def {
  const char *name;
  fmi_fmu *fmu;      /* loaded unless is_described; outlives the part */
  bool is_described; /* the part is made from the description, without an instance, and takes no steps */
  /* (n_inputs), (n_outputs) indices of numeric or boolean variables, those of type double first. Each element of an
   * array is a separate input or output; outputs may be listed twice. */
  const size_t *inputs, *outputs;
  size_t n_inputs, n_outputs;
  const bool *is_connected; /* (each input) true: connected; other inputs stay at their start values */
  const bool *is_integral;  /* (each output) true: an integral over the last step; outlives the part; NULL: all false */
  const bool *input_in_si;  /* (each input) true: given in SI, converted to its unit; NULL: all false */
  const bool *output_in_si; /* (each output) true: taken in SI, converted from its unit; NULL: all false */
  const cosim_fmu_value *values; /* (n_values) in the units of the variables */
  size_t n_values;
  double communication_step;   /* s, longest step; 0: no limit; not used for an FMU with fixed steps */
  double origin;               /* s, the FMU's time at the simulation's time 0 */
  double start, stop;          /* s, start and end of the simulation; stop <= start: not known */
  double tolerance;            /* relative tolerance of the FMU's integrator; 0: the one in its description */
  bool restores_earlier_steps; /* states of earlier macro steps may be restored */
} cosim_fmu_def;

/* How an FMU receives inputs over a step: constants, values with derivatives, or updates that the FMU requests. */
typedef enum cosim_fmu_inputs { COSIM_FMU_CONSTANTS, COSIM_FMU_DERIVATIVES, COSIM_FMU_UPDATES } cosim_fmu_inputs;
cosim_fmu_inputs cosim_fmu_input_method(const fmi_description *of);

/* Returns the length, s, of an FMU's fixed steps; 0: steps may have any length; NaN: the fixed length is not given. */
double cosim_fmu_fixed_step(const fmi_description *of);

/* A layered standard of Seam's own, by which FMUs give exact derivatives of their steps (docs/fmi.md): names of its
 * variables, of which its version 1.0 has only the first two, and its manifest. */
#define COSIM_FMU_DEGREE "seam.degree"
#define COSIM_FMU_DERIVATIVES_ARRAY "seam.derivatives"
#define COSIM_FMU_SHAPES "seam.shapes"
#define COSIM_FMU_INPUT_DEGREE "seam.input_degree"
#define COSIM_FMU_WANTED "seam.wanted"
#define COSIM_FMU_DERIVATIVES_MANIFEST "extra/org.seam-multibody.derivatives/fmi-ls-manifest.xml"
enum { COSIM_FMU_POWERS = 7 };
/* Returns true if an FMU declares exact derivatives of its steps. */
bool cosim_fmu_offers_derivatives(const fmi_fmu *fmu);

/* Creates an instance, which enters its initialization mode at the start. SEAM_NO_MEMORY; SEAM_BAD_INPUT, with the
 * file: fmi_instance_create() or fmi_instance_set() refuses, or the initialization fails. Steps fail with
 * SEAM_BAD_INPUT (not a multiple of the fixed length), SEAM_FMU_FAILED and SEAM_NOT_FINITE; messages give time, call
 * and output. If the FMU cannot serialise its state, only the newest 32 images are valid, in this process. */
seam_status cosim_fmu_part_create(const cosim_fmu_def *def, cosim_part **part, seam_error *error);

/* Returns true if the part is an FMU in its initialization mode. All operations except get_outputs(),
 * evaluate_outputs(), save() and restore() end this mode. */
bool cosim_fmu_part_initializes(const cosim_part *part);
/* Ends the initialization mode with the inputs (n_inputs) at the start. SEAM_BAD_INPUT naming the part. */
seam_status cosim_fmu_part_begin(cosim_part *part, const double *inputs, seam_error *error);

#endif
