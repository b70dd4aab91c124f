/* Step in the exports of an FMU and of a system. */
#ifndef FMU_FMU_EXPORT_H
#define FMU_FMU_EXPORT_H

#include <seam/fmu.h>

#include <seam/models.h>

/* Returns SEAM_BAD_INPUT if a subsystem of the model is an FMU. */
seam_status fmu_refuse_units(const seam_model_file *file, seam_error *error);

#endif
