/* Systems of FMUs by SSP 1.0 ([SSP] 4 to 6): SystemStructure.ssd and parameter sets. Nested systems are flattened:
 * their components are named "inner.component", their connectors "inner.connector". */
#ifndef FMI_SSD_H
#define FMI_SSD_H

#include "fmi/description.h"

/* Seam's own annotations. A connection's has the order of the polynomial (hold) that extrapolates the signal over a
 * macro step; the system's has its macro step. */
#define SSD_ANNOTATION_TYPE "org.seam-multibody.exchange"
#define SSD_ANNOTATION_SPACE "urn:org.seam-multibody:exchange"

typedef enum ssd_kind { SSD_INPUT, SSD_OUTPUT, SSD_PARAMETER, SSD_CALCULATED_PARAMETER, SSD_INOUT } ssd_kind;
extern const char *const ssd_kind_names[];

typedef struct ssd_component {
  const char *name, *source;
  size_t line;
} ssd_component;

typedef struct ssd_connector {
  size_t component; /* SEAM_NONE: a system's connector */
  const char *name;
  bool is_nested; /* the connector of a nested system */
  int kind;
  bool has_type;
  fmi_type type;
  const char *unit; /* NULL: not given; then the unit of the FMU's variable applies, if there is one */
  size_t line;
} ssd_connector;

/* Value of a parameter set. */
typedef struct ssd_value {
  size_t component;  /* component that binds the parameter set; SEAM_NONE: a system binds it */
  const char *name;  /* name with its binding's prefix */
  const char *plain; /* name in the parameter set */
  size_t depth;      /* depth at which its binding is nested; outer bindings have priority */
  fmi_type type;     /* FMI_FLOAT64, FMI_INT32, FMI_BOOLEAN or FMI_STRING */
  double number;
  const char *text; /* text of the value */
  const char *unit; /* NULL: none */
  size_t scope;     /* scope of its unit, as in ssd_unit */
  const char *file;
  size_t line;
} ssd_value;

/* Value `to` = factor · value `from` + offset, after the conversion of units. An element that is NULL: the connector is
 * one of the system itself. */
typedef struct ssd_connection {
  const char *from_element, *from, *to_element, *to;
  double factor, offset;
  bool suppresses_unit_conversion;
  uint32_t order; /* order of the extrapolating polynomial (hold), from our annotation */
  size_t line;
} ssd_connection;

typedef struct ssd_unit {
  fmi_unit unit;
  size_t scope; /* 0: the unit belongs to the system; else number of its parameter set */
} ssd_unit;

typedef struct ssd_system {
  arena memory;
  const char *file;   /* "x.ssp/SystemStructure.ssd", for messages */
  double start, stop; /* s; NaN: not given */
  double macro_step;  /* s, from our annotation; NaN: not given */
  ssd_component *components;
  ssd_connector *connectors;
  ssd_value *values;
  ssd_connection *connections;
  ssd_unit *units;
  size_t n_components, n_connectors, n_values, n_connections, n_units;
} ssd_system;

/* Reads the description of the system in an archive, and the parameter sets that it names. SEAM_NO_FILE,
 * SEAM_NO_MEMORY; SEAM_BAD_INPUT, with file and line: errors of fmi_archive_extract_entry(), no description, another
 * version, misplaced elements, elements that Seam does not support (signal dictionaries, enumerations, transformations
 * of other values than reals). */
seam_status ssd_open(const char *path, ssd_system **opened, seam_error *error);
void ssd_close(ssd_system *self);

/* Returns the decoded path, in `memory`, of the archive's entry that a URI names; NULL: it names none. */
const char *ssd_entry(arena *memory, const char *uri);

#endif
