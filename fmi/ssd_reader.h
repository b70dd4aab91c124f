/* Reader of SystemStructure.ssd and parameter sets: the state of the parser. */
#ifndef FMI_SSD_READER_H
#define FMI_SSD_READER_H

#include "fmi/description_reader.h"
#include "fmi/ssd.h"

/* The element that the parser is in. */
typedef enum ssd_place {
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
  SSD_PASSED_OVER
} ssd_place;

/* Row of a parameter mapping: a value of the set goes to another name, by factor and offset. */
typedef struct ssd_mapping {
  const char *source, *target;
  double factor, offset;
} ssd_mapping;

typedef struct ssd_reader {
  fmi_reader base; /* first: it is what handlers get */
  ssd_system *made;
  const char *archive; /* path */
  ssd_place path[FMI_DEEPEST];
  size_t depth;
  ssd_place root; /* what the file begins with */
  fmi_list components, connectors, values, connections, units;
  const char *system;             /* path of the one at hand, "inner.innermost"; NULL: the outermost, */
  const char *outer[FMI_DEEPEST]; /* and of those around it */
  size_t n_outer;
  fmi_list mapping; /* of the binding at hand */
  bool has_mapping;
  size_t first_value;        /* of the binding */
  size_t component;          /* the one at hand; SEAM_NONE: the system */
  const char *prefix, *name; /* of the binding and the value at hand */
  size_t scope, n_scopes;
  seam_status status; /* of a parameter set in a file of its own, which is read meanwhile */
  seam_error error;
} ssd_reader;

/* A file of the archive, which begins with an element of the SSD or of a parameter set. Problems are in the reader. */
void ssd_read(ssd_reader *r, const char *text, size_t size);

/* Reads the entry that a URI names so. `root`: ROOT, SET or MAPPING. */
void ssd_read_entry(ssd_reader *r, const char *uri, ssd_place root);

#endif
