/* Steps in the export of an FMU. */
#ifndef FMU_FMU_EXPORT_H
#define FMU_FMU_EXPORT_H

#include <seam/fmu.h>

#include "fmi/description.h"
#include "fmu/resources.h"
#include "fmu/unit.h"

#define FMU_LAYERED_STANDARD "org.seam-multibody.derivatives"

/* Writes the text of modelDescription.xml (size), which the caller frees. The unit must have been started. `inputs`
 * (part->n_inputs): start values of the inputs. needed_glibc: fmi_needed_glibc() of the engine; 0: it needs none. */
seam_status fmu_describe(const fmu_unit *unit, fmi_version version, const char *identifier, const char *token,
                         unsigned needed_glibc, const double *inputs, char **text, size_t *size, seam_error *error);

/* Returns SEAM_BAD_INPUT if a subsystem of the model is an FMU. */
seam_status fmu_refuse_units(const seam_model_file *file, seam_error *error);

#endif
