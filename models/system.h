/* Makes a model file from a system of FMUs ([SSP]). */
#ifndef MODELS_SYSTEM_H
#define MODELS_SYSTEM_H

#include <seam/models.h>

#include "fmi/library.h"
#include "fmi/ssd.h"

/* An FMU of the system, with the values of its variables from connections and parameter sets. */
typedef struct system_component {
  const char *name; /* name of the subsystem in the model file: letters, digits, underscores and hyphens */
  fmi_fmu *fmu;
  const fmi_description *about;
  const ssd_value **values; /* (n_variables) value of each variable; NULL: none is given */
  double *numbers;          /* (n_variables) these values, converted to the units of the variables */
  size_t *connection_line;  /* (n_variables) line, in the description, of the connection to the variable; 0: none */
} system_component;

/* A connection from an output of an FMU to an input of another. */
typedef struct system_link {
  size_t from, output, to, input; /* indices of two components and of their variables */
  double gain, offset;
  unsigned order;
} system_link;

typedef struct system_draft {
  arena memory;
  const char *path;
  ssd_system *ssd;
  system_component *components; /* (ssd->n_components) */
  system_link *links;
  size_t n_links;
  seam_error *error;
} system_draft;

/* Fails with a message that refers to a line of the system's description. */
#define SYSTEM_FAIL(d, line, format, ...)                                                                              \
  seam_fail((d)->error, SEAM_BAD_INPUT, "%.200s:%zu: " format, (d)->ssd->file, (size_t)(line), __VA_ARGS__)

/* Finds the conversion between units, y = factor · x + offset. If a name is NULL, there is no unit, and the conversion
 * is the identity. If a definition (`from` or `to`) is NULL, the unit converts only to the unit with the same name.
 * Returns false if no conversion exists. */
bool system_convert(const char *from_name, const fmi_unit *from, const char *to_name, const fmi_unit *to,
                    double *factor, double *offset);
/* These return the definition of a unit in an FMU's description, or in a scope of the system; NULL: it is not
 * defined. */
const fmi_unit *system_unit_of_fmu(const fmi_description *about, const char *name);
const fmi_unit *system_unit(const ssd_system *in, size_t scope, const char *name);

/* The first assigns the values of parameter sets to the components' variables. The second returns the value of a
 * connector of the system itself; NULL: none. */
seam_status system_read_values(system_draft *d);
const ssd_value *system_value_of(const system_draft *d, const char *connector);
/* Conversion of a value for a variable: first to the unit unit_name (NULL: no conversion), then y = factor · x +
 * offset. */
typedef struct system_conversion {
  const char *unit_name;
  const fmi_unit *unit;
  double factor, offset;
} system_conversion;
seam_status system_set_value(system_draft *d, size_t component, size_t variable, const ssd_value *value,
                             const system_conversion *conversion);

/* First line of the model file if neither the system nor its FMUs give a macro step. */
#define SYSTEM_ASSUMES_STEP "# neither the system nor its FMUs say a macro step\n"

/* Checks the kinds of connectors against the variables, and fills d->links from the connections. */
seam_status system_connect(system_draft *d);

#endif
