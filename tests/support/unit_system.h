/* Writes systems (SSP 1.0) of the tests: a description, and entries such as the FMU of the tests. */
#ifndef TESTS_SUPPORT_UNIT_SYSTEM_H
#define TESTS_SUPPORT_UNIT_SYSTEM_H

#include "fmi/archive.h"

#define SSP_SPACE(name) "http://ssp-standard.org/SSP1/SystemStructure" name

/* SystemStructure.ssd around what stands in <ssd:System>, and behind it. */
#define SYSTEM_TEXT(inside, behind)                                                                                    \
  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                                                                       \
  "<ssd:SystemStructureDescription xmlns:ssd=\"" SSP_SPACE("Description") "\" xmlns:ssc=\"" SSP_SPACE(                 \
      "Common") "\" "                                                                                                  \
                "xmlns:ssv=\"" SSP_SPACE("ParameterValues") "\" version=\"1.0\" name=\"two\">\n"                       \
                                                            "<ssd:System name=\"two\">\n" inside                       \
                                                            "</ssd:System>\n" behind                                   \
                                                            "</ssd:SystemStructureDescription>\n"

/* The description, resources/unit.fmu as that of the tests (FMI 2), and more entries. NULL: leave out. */
void write_system(const char *path, const char *description, const fmi_entry *more, size_t n_more);

/* All bytes of a file, to be freed. */
char *read_bytes(const char *path, size_t *size);

#endif
