/* Writes the FMU of the tests that misbehaves (tests/fmu/rogue/rogue.h) as an archive. */
#ifndef TESTS_SUPPORT_ROGUE_FMU_H
#define TESTS_SUPPORT_ROGUE_FMU_H

#include <stddef.h>

#include "tests/fmu/rogue/rogue.h"

/* Of FMI 2, or of FMI 3 with event mode. */
void write_rogue(const char *path, int version);
/* With another binary, of FMI 2. */
void write_rogue_binary(const char *path, const void *binary, size_t size);

#endif
