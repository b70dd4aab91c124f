/* Writes the FMU of the tests that misbehaves (tests/fmu/rogue/rogue.h) as an archive. */
#ifndef TESTS_SUPPORT_ROGUE_FMU_H
#define TESTS_SUPPORT_ROGUE_FMU_H

#include "fmi/archive.h"
#include "tests/fmu/rogue/rogue.h"

/* Of FMI 2, or of FMI 3 with event mode. */
void write_rogue(const char *path, int version);
/* With more entries. */
void write_rogue_with(const char *path, int version, const fmi_entry *more, size_t n_more);

#endif
