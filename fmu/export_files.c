/* Files of an FMU: the engine, and points of the model's data files. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmu/fmu_export.h"
#include "models/model_file.h"
#include "models/model_json.h"

char *fmu_engine_path(void) {
  static const char engine[] = SEAM_ENGINE;
  static const char here;
  Dl_info about = {0};
  const char *slash = dladdr(&here, &about) != 0 && about.dli_fname != NULL ? strrchr(about.dli_fname, '/') : NULL;
  const size_t length = slash != NULL && engine[0] != '/' ? (size_t)(slash - about.dli_fname) + 1 : 0;
  char *path = malloc(length + sizeof engine);
  if (path != NULL)
    sprintf(path, "%.*s%s", (int)length, length > 0 ? about.dli_fname : "", engine);
  return path;
}

/* ---- FMUs in a model --------------------------------------------------------------------------------------------- */

seam_status fmu_refuse_units(const seam_model_file *file, seam_error *error) {
  const yaml_node *cosim = yaml_get(file->root, "cosim");
  const yaml_node *subsystems = cosim != NULL && cosim->kind == YAML_MAP ? yaml_get(cosim, "subsystems") : NULL;
  if (subsystems == NULL || subsystems->kind != YAML_MAP)
    return SEAM_OK;
  for (const yaml_node *one = subsystems->first; one != NULL; one = one->next)
    if (one->kind == YAML_MAP && yaml_get(one, "fmu") != NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "subsystem '%.60s' is an FMU itself, which an exported one does not bring along: export a model "
                       "without it",
                       one->key->text);
  return SEAM_OK;
}

/* ---- Data files of a model --------------------------------------------------------------------------------------- */

static const char *const sections[] = {"tables", "curves"}; /* sections whose entries may have a `file` */

static bool add_override(fmu_resources *to, const char *section, const yaml_node *entry) {
  char **longer = realloc(to->overrides, (to->n_overrides + 1) * sizeof *longer);
  char *value = longer != NULL ? model_json(entry) : NULL;
  const size_t size = value != NULL ? strlen(section) + strlen(entry->key->text) + strlen(value) + 3 : 0;
  char *text = value != NULL ? malloc(size) : NULL;
  to->overrides = longer != NULL ? longer : to->overrides;
  if (text != NULL)
    snprintf(to->overrides[to->n_overrides++] = text, size, "%s.%s=%s", section, entry->key->text, value);
  free(value);
  return text != NULL;
}

seam_status fmu_embed_files(const seam_model_file *file, const char *text, size_t length, fmu_resources *resources,
                            seam_error *error) {
  const source from = {.name = "model", .text = text, .length = length};
  arena memory = {0};
  yaml_node *root = NULL;
  seam_status status = yaml_parse(&from, &memory, &root, error);
  for (size_t i = 0; i < sizeof sections / sizeof *sections && status == SEAM_OK; i++) {
    const yaml_node *effective = yaml_get(file->root, sections[i]), *written = yaml_get(root, sections[i]);
    const yaml_node *entry = effective != NULL && effective->kind == YAML_MAP ? effective->first : NULL;
    const size_t section_length = strlen(sections[i]);
    bool is_overridden = false; /* an override sets something in the section, maybe a file */
    for (size_t k = 0; k < resources->n_overrides; k++)
      is_overridden = is_overridden || (strncmp(resources->overrides[k], sections[i], section_length) == 0 &&
                                        strchr(".=", resources->overrides[k][section_length]) != NULL);
    for (; entry != NULL && status == SEAM_OK; entry = entry->next) {
      const yaml_node *own = written != NULL && written->kind == YAML_MAP ? yaml_get(written, entry->key->text) : NULL;
      const bool has_file = own != NULL && own->kind == YAML_MAP && yaml_get(own, "file") != NULL;
      if ((is_overridden || has_file) && !add_override(resources, sections[i], entry))
        status = seam_fail(error, SEAM_NO_MEMORY, "no memory for the FMU");
    }
  }
  arena_release(&memory);
  return status;
}
