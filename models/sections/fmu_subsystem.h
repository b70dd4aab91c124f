/* Subsystems that are FMUs: {fmu: FILE, parameters: {NAME: VALUE}, inputs: {NAME: VALUE}, communication_step: SECONDS}.
 * Variables of the FMU except texts are signals with the same names; array elements are NAME[1]. Inputs without a
 * signal keep their start values. */
#ifndef MODELS_SECTIONS_FMU_SUBSYSTEM_H
#define MODELS_SECTIONS_FMU_SUBSYSTEM_H

#include <seam/cosim.h>

#include "fmi/library.h"
#include "models/reader.h"

bool fmu_subsystem_is_one(const yaml_node *value);

/* Opens the FMU, which the reader's result owns, unless the file is only shown. Does not read `macro_step`. */
seam_status fmu_subsystem_read(reader *r, yaml_node *value, const cosim_user_part **user);

/* Returns the description of a user part's FMU; NULL: no FMU. */
const fmi_description *fmu_subsystem_description(const cosim_user_part *user);

/* Returns the type of a signal; FMI_FLOAT64 if the user part is no FMU. */
fmi_type fmu_subsystem_type(const cosim_user_part *user, const char *signal);
/* Returns true if an output may feed an input: a real input takes all numbers and booleans, integers and enumerations
 * take each other, booleans take booleans. */
bool fmu_subsystem_couples(fmi_type from, fmi_type to);

/* Marks an input as fed by a signal; ignores parts that are no FMU. */
void fmu_subsystem_connect(const cosim_user_part *user, const char *input);

/* Marks an output as an integral over the FMU's last step; ignores parts that are no FMU. */
void fmu_subsystem_integrate(const cosim_user_part *user, const char *output);

/* See seam_model_only_describe(). */
void fmu_subsystems_only_describe(struct fmu_subsystem *first);

void fmu_subsystems_close(struct fmu_subsystem *first);

#endif
