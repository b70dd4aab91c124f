#include "fmu/resources.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/number.h"

static bool read_settings(fmu_resources *self, const json_node *root) {
  const json_node *set = json_get(root, "set");
  const char *token = json_text(root, "token");
  size_t n = 0;
  for (const json_node *one = set != NULL ? set->first : NULL; one != NULL; one = one->next)
    n++;
  self->token = token != NULL ? token : "";
  self->subsystem = json_text(root, "subsystem");
  self->overrides = arena_allocate(&self->memory, (n + 1) * sizeof *self->overrides);
  if (self->overrides == NULL)
    return false;
  for (const json_node *one = n > 0 ? set->first : NULL; one != NULL; one = one->next)
    self->overrides[self->n_overrides++] = one->text != NULL ? one->text : "";
  return true;
}

seam_status fmu_resources_read(const char *folder, fmu_resources *read, seam_error *error) {
  *read = (fmu_resources){0};
  read->folder = arena_text(&read->memory, folder, strlen(folder));
  char *path = file_path(folder, FMU_SETTINGS_FILE);
  size_t size = 0;
  char *text = path != NULL ? file_read(path, SIZE_MAX - 1, &size) : NULL;
  const json_node *root = NULL;
  json_failure failure = {0};
  seam_status status = SEAM_OK;
  const bool enough = read->folder != NULL && path != NULL && (text != NULL || errno != ENOMEM);
  if (enough && text == NULL)
    status = seam_fail(error, SEAM_NO_FILE, "'%.400s' cannot be read: %s; the FMU lacks this file of its resources",
                       path, file_cause(errno));
  else if (enough && !json_parse(text, &read->memory, &root, &failure) && failure.what != NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "%.400s:%zu: %s", path, failure.line, failure.what);
  else if (!enough || root == NULL || !read_settings(read, root))
    status = fmu_no_memory(error);
  free(path);
  free(text);
  return status;
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
  memory_stream_close(file, &text);
  return text;
}

seam_status fmu_resources_model(const fmu_resources *self, const fmu_setting *settings, size_t n,
                                seam_model_file **file, seam_error *error) {
  arena memory = {0};
  char *path = file_path(self->folder, FMU_MODEL_FILE);
  const char **all = arena_allocate(&memory, (self->n_overrides + n + 1) * sizeof *all);
  bool has_memory = path != NULL && all != NULL;
  for (size_t i = 0; i < self->n_overrides && has_memory; i++)
    all[i] = self->overrides[i];
  for (size_t i = 0; i < n && has_memory; i++) {
    const fmu_setting *of = &settings[i];
    const size_t size = strlen(of->section) + strlen(of->name) + sizeof ".=";
    char *setting = arena_allocate(&memory, size + SHORTEST_ROOM);
    all[self->n_overrides + i] = setting;
    has_memory = setting != NULL;
    if (has_memory)
      *shortest_write(setting + snprintf(setting, size, "%s.%s=", of->section, of->name), of->value) = '\0';
  }
  const seam_status status =
      has_memory ? seam_model_file_read(path, all, self->n_overrides + n, file, error) : fmu_no_memory(error);
  arena_release(&memory);
  free(path);
  return status;
}
