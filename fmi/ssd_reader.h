/* State of the parser of SystemStructure.ssd and parameter sets. */
#ifndef FMI_SSD_READER_H
#define FMI_SSD_READER_H

#include "fmi/description_reader.h"
#include "fmi/ssd.h"

/* Kind of the element the parser is in. */
typedef enum ssd_element_kind {
  SSD_OUTSIDE,
  SSD_IN_ROOT,
  SSD_IN_SYSTEM,
  SSD_IN_ELEMENTS,
  SSD_IN_COMPONENT,
  SSD_IN_CONNECTORS,
  SSD_IN_CONNECTOR,
  SSD_IN_CONNECTIONS,
  SSD_IN_CONNECTION,
  SSD_IN_BINDINGS,
  SSD_IN_BINDING,
  SSD_IN_VALUES,
  SSD_IN_MAPPINGS,
  SSD_IN_MAPPING,
  SSD_IN_ENTRY,
  SSD_IN_SET,
  SSD_IN_PARAMETERS,
  SSD_IN_PARAMETER,
  SSD_IN_UNITS,
  SSD_IN_UNIT,
  SSD_IN_ANNOTATIONS,
  SSD_IN_ANNOTATION,
  SSD_SKIPPED
} ssd_element_kind;

/* A row of a parameter mapping: target = factor · source + offset, where `source` is a value of the parameter set. */
typedef struct ssd_mapping {
  const char *source, *target;
  double factor, offset;
} ssd_mapping;

typedef struct ssd_reader {
  fmi_reader base; /* first member, since handlers get it as context */
  ssd_system *result;
  const char *archive; /* path */
  ssd_element_kind path[FMI_MAX_DEPTH];
  size_t depth;
  ssd_element_kind root; /* root element that the file must have */
  fmi_list components, connectors, values, connections, units;
  const char *system;               /* path of the present system, "inner.innermost"; NULL: the outermost */
  const char *outer[FMI_MAX_DEPTH]; /* systems around the present one */
  size_t n_outer;
  fmi_list mapping; /* mapping of the present binding */
  bool has_mapping;
  size_t first_value;        /* index of the first value of the present binding */
  size_t component;          /* index of the present component; SEAM_NONE: not inside a component */
  const char *prefix, *name; /* prefix of the present binding, name of the present value */
  size_t scope, n_scopes;
  seam_status status; /* status of reading the last separate file */
  seam_error error;
} ssd_reader;

/* Reads a file of the archive; r->root says whether it must be an SSD, a parameter set or a mapping. Problems are added
 * to the reader. */
void ssd_read(ssd_reader *r, const char *text, size_t size);

/* Reads the entry of the archive that a URI names, with `root` as its root: SSD_IN_ROOT, SSD_IN_SET or
 * SSD_IN_MAPPING. */
void ssd_read_entry(ssd_reader *r, const char *uri, ssd_element_kind root);

#endif
