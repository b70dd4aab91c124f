/* Subsystems that are FMUs: {fmu: FILE, parameters: {NAME: VALUE}, inputs: {NAME: VALUE}, communication_step: SECONDS}.
 * Their inputs and outputs, but for texts, are signals by the names of the FMU's variables, elements of arrays as
 * NAME[1]. Inputs that no signal reaches keep their values at the start. */
#ifndef MODELS_SECTIONS_FMU_SUBSYSTEM_H
#define MODELS_SECTIONS_FMU_SUBSYSTEM_H

#include <seam/cosim.h>

#include "fmi/library.h"
#include "models/reader.h"

bool fmu_subsystem_is_one(const yaml_node *value);

/* Opens the FMU; the result of the reader owns it. Of a file that is shown it is not looked for. Its macro step is not
 * read. */
seam_status fmu_subsystem_read(reader *r, yaml_node *value, const cosim_user_part **user);

/* Description of the FMU of a user part; NULL: it is another part. */
const fmi_description *fmu_subsystem_description(const cosim_user_part *user);

/* Type of a signal of a user part; FMI_FLOAT64 of other parts. */
fmi_type fmu_subsystem_type(const cosim_user_part *user, const char *signal);
/* Returns true if an output of a type may feed an input of another: a real one takes each, whole numbers and
 * enumerations take each other, a boolean one a boolean. */
bool fmu_subsystem_couples(fmi_type from, fmi_type to);

/* A signal reaches the input of that name. Nothing for other parts. */
void fmu_subsystem_connect(const cosim_user_part *user, const char *input);

/* The output of that name is an integral over the last step of the FMU. Nothing for other parts. */
void fmu_subsystem_integrate(const cosim_user_part *user, const char *output);

/* See seam_model_only_describe(). */
void fmu_subsystems_only_describe(struct fmu_subsystem *first);

/* Closes all FMUs of a file. */
void fmu_subsystems_close(struct fmu_subsystem *first);

#endif
