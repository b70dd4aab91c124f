/* An FMU as a part. Its steps are those between pieces of its inputs, divided where it has a communication step; the
 * inputs over a step are
 *
 *   FMI 2, interpolates inputs      polynomials, by their derivatives at its beginning
 *   FMI 3, intermediate update      polynomials, at the times at which it asks
 *   else                            held at their means over the step, which keep their integrals
 *
 * and those at its end where outputs are read. An FMU that saves its state repeats steps, and all schemes fit: by exact
 * interface derivatives where it has them, or by differences; else it is coupled by explicit schemes and connections.
 */
#ifndef COSIM_PARTS_FMU_PART_H
#define COSIM_PARTS_FMU_PART_H

#include "cosim/parts/part.h"
#include "fmi/library.h"

/* A value at the start: of a parameter, or of an input. */
typedef struct cosim_fmu_value {
  size_t variable;
  double number;    /* of a number or boolean, and of all elements of an array */
  const char *text; /* of a text; NULL: the number counts */
  double *numbers;  /* of an array, one for each element; NULL: the number counts */
} cosim_fmu_value;

typedef struct cosim_fmu_def {
  const char *name;
  fmi_fmu *fmu;                   /* loaded, unless it is described; outlives the part */
  bool is_described;              /* the part is what the description says, without an instance: it takes no step */
  const size_t *inputs, *outputs; /* (n_inputs), (n_outputs) variables that are numbers or booleans, by their index:
                                     those of type double first. Of an array each element is an input or output of its
                                     own; outputs may be listed twice */
  size_t n_inputs, n_outputs;
  const bool *is_connected;      /* (of the part's inputs) others keep their values at the start */
  const bool *is_integral;       /* (of its outputs) integrals over its last step, which outlive it; NULL: none */
  const cosim_fmu_value *values; /* (n_values) */
  size_t n_values;
  double communication_step; /* s, the longest of its steps; 0: none. Of an FMU with steps of one length: not used */
  double origin;             /* s, the FMU's time where the simulation's is 0 */
  double start, stop;        /* s, of the simulation; a stop that is not later: not known */
  double tolerance;          /* relative, of its integrator; 0: that of its description */
  bool goes_back;            /* states of earlier macro steps are restored */
} cosim_fmu_def;

/* How inputs reach an FMU over a step. */
typedef enum cosim_fmu_inputs { COSIM_FMU_HELD, COSIM_FMU_DERIVATIVES, COSIM_FMU_UPDATES } cosim_fmu_inputs;
cosim_fmu_inputs cosim_fmu_takes_inputs(const fmi_description *of);

/* s, of an FMU whose steps have one length; 0: any length. NaN: one length, which it does not say. */
double cosim_fmu_fixed_step(const fmi_description *of);

/* Names of the variables of FMUs with exact derivatives of steps, of which version 1.0 has the first two, and of the
 * manifest of this layered standard (docs/fmi.md). */
#define COSIM_FMU_DEGREE "seam.degree"
#define COSIM_FMU_DERIVATIVES_ARRAY "seam.derivatives"
#define COSIM_FMU_SHAPES "seam.shapes"
#define COSIM_FMU_INPUT_DEGREE "seam.input_degree"
#define COSIM_FMU_WANTED "seam.wanted"
#define COSIM_FMU_DERIVATIVES_MANIFEST "extra/org.seam-multibody.derivatives/fmi-ls-manifest.xml"
enum { COSIM_FMU_POWERS = 7 };
/* Returns true if an FMU says that it has them. */
bool cosim_fmu_offers_derivatives(const fmi_fmu *fmu);

/* Creates and initialises an instance at the start. SEAM_BAD_INPUT, naming the file: what fmi_instance_create() and
 * fmi_instance_set() refuse, or an initialisation that fails; SEAM_NO_MEMORY. Steps fail with SEAM_BAD_INPUT where
 * their length is not a multiple of a fixed one, SEAM_STEP_FAILED and SEAM_NOT_FINITE with the time, the call and the
 * output. Without serialised states images hold in this process only, the newest 32 of them. */
seam_status cosim_fmu_part_create(const cosim_fmu_def *def, cosim_part **part, seam_error *error);

#endif
