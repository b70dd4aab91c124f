/* `fmu:` what an FMU of the mechanism takes and gives (seam export):
 *
 *     fmu:
 *       inputs: {thrust: 0, target: {start: 0.5, unit: m}}    names for laws, which hold their starts elsewhere
 *       outputs: [disc.x, spring.force]                       quantities
 *       parameters: [k, c]                                    of `parameters`, which a master may set */
#ifndef MODELS_SECTIONS_FMU_H
#define MODELS_SECTIONS_FMU_H

#include "models/reader.h"

/* Adds the inputs as variables that stay as they are: before all that may name them. */
seam_status fmu_add_inputs(reader *r);
/* The lists, once the mechanism is built. */
seam_status fmu_read(reader *r);

#endif
