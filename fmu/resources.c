#include "fmu/resources.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/json_tree.h"
#include "base/memory_stream.h"
#include "base/shortest.h"

static bool read_settings(fmu_resources *self, const json_node *root) {
  const json_node *set = json_get(root, "set");
  const char *subsystem = json_text(root, "subsystem");
  const char *token = json_text(root, "token");
  size_t n = 0;
  for (const json_node *one = set != NULL ? set->first : NULL; one != NULL; one = one->next)
    n++;
  self->overrides = calloc(n + 1, sizeof *self->overrides);
  self->subsystem = subsystem != NULL ? strdup(subsystem) : NULL;
  self->token = strdup(token != NULL ? token : "");
  bool has_memory = self->overrides != NULL && self->token != NULL && (subsystem == NULL || self->subsystem != NULL);
  for (const json_node *one = n > 0 ? set->first : NULL; one != NULL && has_memory; one = one->next) {
    self->overrides[self->n_overrides] = strdup(one->text != NULL ? one->text : "");
    has_memory = self->overrides[self->n_overrides++] != NULL;
  }
  return has_memory;
}

seam_status fmu_resources_read(const char *folder, fmu_resources *read, seam_error *error) {
  *read = (fmu_resources){.folder = strdup(folder)};
  char *path = file_path(folder, FMU_SETTINGS_FILE);
  size_t size = 0;
  char *text = path != NULL ? file_read(path, SIZE_MAX - 1, &size) : NULL;
  arena memory = {0};
  const json_node *root = NULL;
  json_failure failure = {0};
  seam_status status = SEAM_OK;
  if (read->folder == NULL || path == NULL || (text == NULL && errno == ENOMEM))
    status = fmu_no_memory(error);
  else if (text == NULL)
    status = seam_fail(error, SEAM_NO_FILE, "'%.400s' cannot be read: %s; there are no resources of an FMU", path,
                       file_cause(errno));
  else if (!json_parse(text, &memory, &root, &failure))
    status = failure.what == NULL
                 ? fmu_no_memory(error)
                 : seam_fail(error, SEAM_BAD_INPUT, "%.400s:%zu: %s", path, failure.line, failure.what);
  else if (!read_settings(read, root))
    status = fmu_no_memory(error);
  arena_release(&memory);
  free(path);
  free(text);
  return status;
}

void fmu_resources_free(fmu_resources *self) {
  for (size_t i = 0; i < self->n_overrides; i++)
    free(self->overrides[i]);
  free(self->overrides);
  free(self->token);
  free(self->subsystem);
  free(self->folder);
  *self = (fmu_resources){0};
}

char *fmu_resources_write(const fmu_resources *self) {
  char *text = NULL;
  size_t size = 0;
  FILE *file = memory_stream_open(&text, &size);
  if (file == NULL)
    return NULL;
  json_writer json = {.file = file};
  json_open(&json, NULL, '{');
  json_string(&json, "seam", seam_version());
  json_string(&json, "token", self->token);
  if (self->subsystem != NULL)
    json_string(&json, "subsystem", self->subsystem);
  json_open(&json, "set", '[');
  for (size_t i = 0; i < self->n_overrides; i++)
    json_string(&json, NULL, self->overrides[i]);
  json_close(&json, ']');
  json_close(&json, '}');
  fputc('\n', file);
  const bool failed = ferror(file) != 0;
  if (fclose(file) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

seam_status fmu_resources_model(const fmu_resources *self, const fmu_setting *settings, size_t n,
                                seam_model_file **file, seam_error *error) {
  char *path = file_path(self->folder, FMU_MODEL_FILE);
  char **all = calloc(self->n_overrides + n + 1, sizeof *all);
  bool has_memory = path != NULL && all != NULL;
  for (size_t i = 0; i < self->n_overrides && has_memory; i++)
    all[i] = self->overrides[i];
  for (size_t i = 0; i < n && has_memory; i++) {
    const fmu_setting *of = &settings[i];
    const size_t size = strlen(of->section) + strlen(of->name) + sizeof ".=";
    char *setting = all[self->n_overrides + i] = malloc(size + SHORTEST_ROOM);
    has_memory = setting != NULL;
    if (has_memory)
      *shortest_write(setting + snprintf(setting, size, "%s.%s=", of->section, of->name), of->value) = '\0';
  }
  const seam_status status =
      has_memory ? seam_model_file_read(path, (const char *const *)all, self->n_overrides + n, file, error)
                 : fmu_no_memory(error);
  for (size_t i = 0; i < n && all != NULL; i++)
    free(all[self->n_overrides + i]);
  free(all);
  free(path);
  return status;
}
