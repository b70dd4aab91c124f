/* modelDescription.xml of an FMU, for FMI 2.0 and 3.0 ([FMI 2.0.4] 2.2 and 4.3, [FMI 3.0.2] 2.4 and 4.3). */
#ifndef FMI_DESCRIPTION_H
#define FMI_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <seam/status.h>

#include "base/arena.h"

typedef enum fmi_version { FMI_2 = 2, FMI_3 = 3 } fmi_version;

/* Types by their names in FMI 3. FMI 2 has Real (FMI_FLOAT64), Integer (FMI_INT32), Boolean, String, Enumeration. */
typedef enum fmi_type {
  FMI_FLOAT64,
  FMI_FLOAT32,
  FMI_INT8,
  FMI_UINT8,
  FMI_INT16,
  FMI_UINT16,
  FMI_INT32,
  FMI_UINT32,
  FMI_INT64,
  FMI_UINT64,
  FMI_BOOLEAN,
  FMI_ENUMERATION,
  FMI_STRING,
  FMI_BINARY,
  FMI_CLOCK
} fmi_type;

/* The first enumerator of each of the next three types is the default. */
typedef enum fmi_causality {
  FMI_LOCAL,
  FMI_PARAMETER,
  FMI_CALCULATED_PARAMETER,
  FMI_INPUT,
  FMI_OUTPUT,
  FMI_INDEPENDENT,
  FMI_STRUCTURAL_PARAMETER
} fmi_causality;
typedef enum fmi_variability {
  FMI_USUAL, /* not given; the reader makes parameters fixed, other reals continuous, other variables discrete */
  FMI_CONSTANT,
  FMI_FIXED,
  FMI_TUNABLE,
  FMI_DISCRETE,
  FMI_CONTINUOUS
} fmi_variability;
typedef enum fmi_initial { FMI_BY_CAUSALITY, FMI_EXACT, FMI_APPROX, FMI_CALCULATED } fmi_initial;

/* FMI 3: dimension of an array. A fixed size, or the value of another variable. */
typedef struct fmi_dimension {
  size_t size;     /* number of elements; if a variable gives it, that variable's start value */
  size_t variable; /* index of that variable; SEAM_NONE: the size is fixed */
} fmi_dimension;

typedef struct fmi_variable {
  const char *name;
  const char *description; /* NULL: none */
  const char *unit;        /* NULL: none; the reader takes a missing unit from the declared type */
  const char *declared_type;
  uint32_t reference;
  fmi_type type;
  fmi_causality causality;
  fmi_variability variability;
  fmi_initial initial;
  bool intermediate_update; /* FMI 3: may be set or read at intermediate times of a step */
  bool waits_for_importer;  /* FMI 3: input clock that the importer activates at times */
  const double *start;      /* (n_start) start values of numbers and booleans; NULL: none */
  size_t n_start;           /* 1, or the number of elements */
  const char *start_text;   /* start value of a text; NULL: none */
  size_t derivative_of; /* index of the variable whose time derivative this is; SEAM_NONE: this is not a derivative */
  double min, max, nominal; /* NaN: not given */
  fmi_dimension *dimensions;
  size_t n_dimensions;
  const size_t *depends_on; /* (n_depends_on) indices of variables on which this output depends */
  size_t n_depends_on;      /* SEAM_NONE: the output may depend on all inputs */
} fmi_variable;

/* A unit in SI base units: value in SI = factor * value + offset. Factor 0: its definition is not known. */
typedef struct fmi_unit {
  const char *name;
  int kg, m, s, A, K, mol, cd, rad;
  double factor, offset;
} fmi_unit;

/* Capabilities of the co-simulation interface. */
typedef struct fmi_capabilities {
  const char *identifier; /* also the binary's name; NULL: the FMU is not for co-simulation */
  bool needs_execution_tool;
  bool only_once_per_process;
  bool can_get_and_set_state;
  bool can_serialize_state;
  bool directional_derivatives;
  bool adjoint_derivatives;      /* FMI 3 */
  bool variable_step;            /* accepts any communication step, not only that of the default experiment */
  bool interpolates_inputs;      /* FMI 2: accepts derivatives of inputs */
  bool runs_asynchronously;      /* FMI 2 */
  bool no_memory_functions;      /* FMI 2 */
  bool intermediate_update;      /* FMI 3 */
  bool might_return_early;       /* FMI 3 */
  bool returns_early_when_asked; /* FMI 3 */
  bool event_mode;               /* FMI 3 */
  unsigned output_derivatives;   /* highest order */
  double fixed_internal_step;    /* FMI 3; NaN: none */
  int intermediate_smoothness;   /* FMI 3 */
} fmi_capabilities;

typedef struct fmi_experiment {
  double start, stop, tolerance, step; /* NaN: not given */
} fmi_experiment;

typedef struct fmi_description {
  fmi_version version;
  const char *version_text; /* as "2.0" */
  const char *model_name;
  const char *token;                     /* GUID (FMI 2), instantiation token (FMI 3) */
  const char *description, *tool, *date; /* NULL: none */
  bool has_model_exchange, has_scheduled_execution;
  fmi_capabilities capabilities;
  fmi_experiment experiment;
  fmi_unit *units;
  size_t n_units;
  const char **log_categories;
  size_t n_log_categories;
  fmi_variable *variables;
  size_t n_variables;
  const char **problems; /* as "PLACE:LINE: PROBLEM" */
  size_t n_problems;
  arena memory; /* of all texts and lists */
} fmi_description;

/* Units that Seam knows, all of them products of SI base units. */
enum { FMI_N_KNOWN_UNITS = 23 };
extern const fmi_unit fmi_known_units[FMI_N_KNOWN_UNITS];

/* Return the known unit with a name (NULL: none), and the unit of a variable; factor 0: it is not defined. */
fmi_unit fmi_known_unit(const char *name);
fmi_unit fmi_unit_of(const fmi_description *in, size_t variable);
/* Finds the conversion between units, y = factor · x + offset; false: there is none. Without a unit (name NULL) it is
 * the identity. A unit without a definition converts only to the unit with the same name. Units that differ in rad
 * alone, as rad/s and 1/s, fit if their factors are equal. */
bool fmi_convert(fmi_unit from, fmi_unit to, double *factor, double *offset);

/* Returns the name of a type in a version, as "Real"; NULL: not in this version. */
const char *fmi_type_name(fmi_type type, fmi_version version);
extern const char *const fmi_causality_names[], *const fmi_variability_names[];

bool fmi_is_real(fmi_type type);
bool fmi_is_number(fmi_type type); /* real, integer or enumeration */

/* Returns true if a variable's type can hold a number; else writes to `why`, as "is a whole number, not 1.5". Integers
 * of 64 bits end at 2^53 - 1: doubles skip integers above that. */
bool fmi_can_represent(const fmi_variable *variable, fmi_version version, double number, char *why, size_t size);

/* Returns true if a value may be set before the initialisation: of parameters, and of outputs and local variables whose
 * start is exact or approximate. */
bool fmi_may_be_set_before(const fmi_variable *variable);

/* Returns the product of a variable's dimensions; 1 without dimensions. */
size_t fmi_n_values(const fmi_variable *variable);

/* Returns the index of the variable of a name, by a linear search; SEAM_NONE: there is none. */
size_t fmi_find_variable(const fmi_description *in, const char *name);

/* Reads modelDescription.xml; `location` names the text in messages. The caller destroys *created, which is NULL only
 * without memory. SEAM_BAD_INPUT: there are problems, all of them in *created, the first in *error. Entity declarations
 * are refused; elements for tools (annotations) are skipped. */
seam_status fmi_description_read(const char *text, size_t size, const char *location, fmi_description **created,
                                 seam_error *error);

/* Releases a description that was read. NULL: does nothing. */
void fmi_description_destroy(fmi_description *self);

#endif
