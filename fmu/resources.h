/* The folder resources/ of an exported FMU: the model file, and seam.json with the token, the subsystem that the FMU
 * contains (missing: the complete model), and overrides of the model file:
 *
 *     {"seam": "0.3.0", "token": "{...}", "subsystem": "left", "set": ["cosim.scheme=fd-k1"]} */
#ifndef FMU_RESOURCES_H
#define FMU_RESOURCES_H

#include <seam/models.h>

#include "base/arena.h"

#define FMU_MODEL_FILE "model.yaml"
#define FMU_SETTINGS_FILE "seam.json"

static inline seam_status fmu_no_memory(seam_error *error) {
  return seam_fail(error, SEAM_NO_MEMORY, "no memory for the FMU");
}

static inline seam_status fmu_check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : fmu_no_memory(error);
}

typedef struct fmu_resources {
  arena memory; /* owns texts that were read */
  const char *folder;
  const char *token;      /* token that the importer must pass when it instantiates the FMU */
  const char *subsystem;  /* NULL: the complete model */
  const char **overrides; /* (n_overrides) overrides of the model file */
  size_t n_overrides;
} fmu_resources;

/* Reads seam.json. The caller always releases read->memory. SEAM_NO_FILE, SEAM_BAD_INPUT, SEAM_NO_MEMORY. */
seam_status fmu_resources_read(const char *folder, fmu_resources *read, seam_error *error);

/* Returns the text of seam.json, which the caller frees; NULL: no memory. */
char *fmu_resources_write(const fmu_resources *self);

/* A value for the number at "section.name" of the model file. */
typedef struct fmu_setting {
  const char *section, *name;
  double value;
} fmu_setting;

/* Reads the model file with the overrides of *self and then n settings. */
seam_status fmu_resources_model(const fmu_resources *self, const fmu_setting *settings, size_t n,
                                seam_model_file **file, seam_error *error);

#endif
