/* A system of FMUs ([SSP]) as a model file. */
#ifndef MODELS_SYSTEM_H
#define MODELS_SYSTEM_H

#include <seam/models.h>

#include "fmi/library.h"
#include "fmi/ssd.h"

/* An FMU of the system, with values of its variables from connections and parameter sets. */
typedef struct system_component {
  const char *name; /* name of the subsystem: letters, digits, underscores and hyphens */
  fmi_fmu *fmu;
  const fmi_description *about;
  const ssd_value **values; /* (n_variables) values given; NULL: none */
  double *numbers;          /* (n_variables) numbers of `values`, in the variable's unit */
  size_t *fed;              /* (n_variables) line number of the connection into the variable; 0: none */
} system_component;

/* A connection from an output to an input. */
typedef struct system_link {
  size_t from, output, to, input; /* indices of components and their variables */
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

/* Fails at a line of the system's description. */
#define SYSTEM_FAIL(d, line, format, ...)                                                                              \
  seam_fail((d)->error, SEAM_BAD_INPUT, "%.200s:%zu: " format, (d)->ssd->file, (size_t)(line), __VA_ARGS__)

/* Finds factor and offset that convert between units: y = factor · x + offset. A name of NULL means no unit: nothing is
 * converted. A unit without definition (`from` or `to` is NULL) converts only to the unit of the same name. Returns
 * false if no conversion exists. */
bool system_convert(const char *from_name, const fmi_unit *from, const char *to_name, const fmi_unit *to,
                    double *factor, double *offset);
/* Return the definition of a unit, in an FMU's description or a scope of the system; NULL: none. */
const fmi_unit *system_unit_of_fmu(const fmi_description *about, const char *name);
const fmi_unit *system_unit(const ssd_system *in, size_t scope, const char *name);

/* Assign values of parameter sets to the components' variables; system_value_of() returns the value of one of the
 * system's own connectors. */
seam_status system_read_values(system_draft *d);
const ssd_value *system_value_of(const system_draft *d, const char *connector);
/* Conversion of a value for a variable: first to a unit (NULL name: none), then y = factor · x + offset. */
typedef struct system_way {
  const char *unit_name;
  const fmi_unit *unit;
  double factor, offset;
} system_way;
seam_status system_set_value(system_draft *d, size_t component, size_t variable, const ssd_value *value,
                             const system_way *way);

/* First line of the model file made from a system without a macro step. */
#define SYSTEM_ASSUMES_STEP "# neither the system nor its FMUs say a macro step\n"

/* Checks connectors against variables, and fills d->links from connections. */
seam_status system_connect(system_draft *d);

#endif
