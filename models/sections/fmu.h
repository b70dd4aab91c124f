/* `fmu:` inputs, outputs and parameters of an FMU of the mechanism (seam export):
 *
 *     fmu:
 *       inputs: {thrust: 0, target: {start: 0.5, unit: m}}    names for laws, and values outside of an FMU
 *       outputs: [disc.x, spring.force]                       quantities
 *       parameters: [k, c]                                    of `parameters`, which a master may set */
#ifndef MODELS_SECTIONS_FMU_H
#define MODELS_SECTIONS_FMU_H

#include "models/reader.h"

/* Adds the inputs as constant variables, before any expression can name them. */
seam_status fmu_add_inputs(reader *r);
/* Reads the section after the mechanism is built. */
seam_status fmu_read(reader *r);

#endif
