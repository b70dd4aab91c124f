/* Subsystems that are FMUs: {fmu: FILE, parameters: {NAME: VALUE}, inputs: {NAME: VALUE}, communication_step: SECONDS}.
 * The inputs and outputs of the FMU, except strings, are signals with the same names; elements of arrays are NAME[1].
 * An input without a signal has its start value throughout. */
#ifndef MODELS_SECTIONS_FMU_SUBSYSTEM_H
#define MODELS_SECTIONS_FMU_SUBSYSTEM_H

#include <seam/cosim.h>

#include "fmi/library.h"
#include "models/reader.h"

bool fmu_subsystem_matches(const yaml_node *value);

/* Opens the FMU, unless the caller is seam_model_file_show(). The reader's result owns the FMU. Ignores
 * `macro_step`. */
seam_status fmu_subsystem_read(reader *r, yaml_node *value, const cosim_user_part **user);

/* Returns the description of a subsystem's FMU; NULL: it is not an FMU. */
const fmi_description *fmu_subsystem_description(const cosim_user_part *user);

/* Returns the type of a signal; FMI_FLOAT64 if the subsystem is not an FMU. */
fmi_type fmu_subsystem_type(const cosim_user_part *user, const char *signal);
/* Returns true if an output may be connected to an input: any number or boolean to a real input, integers and
 * enumerations to each other, booleans to booleans. */
bool fmu_subsystem_couples(fmi_type from, fmi_type to);

/* Returns the unit of a signal; its name is NULL if it has none, or the subsystem is not an FMU that converts units. */
fmi_unit fmu_subsystem_unit(const cosim_user_part *user, bool input, const char *signal);
/* Lets an FMU give or take a signal in SI units. */
void fmu_subsystem_use_si(const cosim_user_part *user, bool input, const char *signal);

/* Marks an input of an FMU as connected to a signal, or an output as an integral over its last step. Ignores other
 * subsystems. */
void fmu_subsystem_mark(const cosim_user_part *user, bool input, const char *name);

/* Makes parts that are created later use only the descriptions of their FMUs, without binaries; they cannot run. */
void fmu_subsystems_only_describe(struct fmu_subsystem *first);

void fmu_subsystems_close(struct fmu_subsystem *first);

#endif
