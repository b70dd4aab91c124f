/* Functions of FMI 3.0: fmi3_functions.c has those of an FMU for co-simulation; fmi3_refused.c refuses the others. */
#ifndef FMU_FMI3_INTERNAL_H
#define FMU_FMI3_INTERNAL_H

#include "fmi/fmi3.h"
#include "fmu/exported_instance.h"

#define FMI3_DECLARE(result, name, arguments) SEAM_PUBLIC result fmi3##name arguments;
FMI3_FUNCTIONS(FMI3_DECLARE)
#undef FMI3_DECLARE

static inline fmi3_status fmi3_status_of(fmu_outcome outcome) {
  return outcome == FMU_OK ? FMI3_OK : outcome == FMU_DISCARD ? FMI3_DISCARD : FMI3_ERROR;
}

#endif
