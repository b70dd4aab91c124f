/* A system of FMUs ([SSP]) as a model file. */
#ifndef MODELS_SYSTEM_H
#define MODELS_SYSTEM_H

#include <seam/models.h>

#include "fmi/library.h"
#include "fmi/ssd.h"

/* An FMU of the system, and what connections and parameter sets give its variables. */
typedef struct system_component {
  const char *name; /* of the subsystem: letters, digits, underscores and hyphens */
  fmi_fmu *fmu;
  const fmi_description *about;
  const ssd_value **values; /* (n_variables) NULL: none */
  double *numbers;          /* (n_variables) of these, in the variable's unit */
  size_t *fed;              /* (n_variables) line of the connection; 0: none */
} system_component;

/* An output that goes to an input. */
typedef struct system_link {
  size_t from, output, to, input; /* components, variables */
  double gain, offset;
  unsigned order;
} system_link;

typedef struct system_draft {
  arena memory;
  const char *path;
  ssd_system *ssd;
  system_component *components; /* those of ssd */
  system_link *links;
  size_t n_links;
  seam_error *error;
} system_draft;

/* Fails at a line of the description. */
#define SYSTEM_FAIL(d, line, format, ...)                                                                              \
  seam_fail((d)->error, SEAM_BAD_INPUT, "%.200s:%zu: " format, (d)->ssd->file, (size_t)(line), __VA_ARGS__)

/* factor and offset that take a value in one unit into another: y = factor · x + offset. Names NULL: no unit, which
 * leaves it as it is; units NULL: not defined. False: it cannot be. */
bool system_convert(const char *from_name, const fmi_unit *from, const char *to_name, const fmi_unit *to,
                    double *factor, double *offset);
/* The definition of a unit: of a description, or of a scope of the system; NULL: none. */
const fmi_unit *system_unit_of_fmu(const fmi_description *about, const char *name);
const fmi_unit *system_unit(const ssd_system *in, size_t scope, const char *name);

/* Values of parameter sets, to the variables of the components; those of the system's own connectors by
 * system_value_of(). */
seam_status system_take_values(system_draft *d);
const ssd_value *system_value_of(const system_draft *d, const char *connector);
/* Way of a value to a variable: the unit that it is taken into (NULL: it keeps its own), and behind that y = factor · x
 * + offset. */
typedef struct system_way {
  const char *unit_name;
  const fmi_unit *unit;
  double factor, offset;
} system_way;
seam_status system_give(system_draft *d, size_t component, size_t variable, const ssd_value *value,
                        const system_way *way);

/* Begins the text of a system in which nothing says a macro step. */
#define SYSTEM_ASSUMES_STEP "# neither the system nor its FMUs say a macro step\n"

/* Connectors against the variables, and connections, into d->links. */
seam_status system_connect(system_draft *d);

#endif
