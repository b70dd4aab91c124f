#include <string.h>

#include "models/reader.h"

/* Stores the position of a name if the node is from the file itself. */
static seam_status store(reader *r, const char *name, const yaml_node *at) {
  name_locations *locations = &r->result->locations;
  if (at->from != &r->file)
    return SEAM_OK;
  name_location *location = &locations->at[locations->n++];
  location->offset = at->offset;
  return reader_copy_text(r, name, &location->name);
}

seam_status locations_store(reader *r) {
  name_locations *locations = &r->result->locations;
  arena *memory = &r->result->memory;
  const yaml_node *cosim = yaml_get(r->root, "cosim");
  /* If several of these sections contain the same name, its position in the last of them counts. */
  const yaml_node *const sections[] = {r->root,
                                       cosim,
                                       yaml_get(r->root, "bodies"),
                                       yaml_get(r->root, "joints"),
                                       yaml_get(r->root, "forces"),
                                       yaml_get(cosim, "bonds"),
                                       yaml_get(cosim, "subsystems"),
                                       yaml_get(cosim, "couplings")};
  enum { N_SECTIONS = sizeof sections / sizeof *sections };
  const yaml_node *signals = yaml_get(cosim, "signals");
  size_t n = 2 * yaml_count(signals);
  for (size_t i = 0; i < N_SECTIONS; i++)
    n += yaml_count(sections[i]);
  locations->file = (source){.name = arena_text(memory, r->file.name, strlen(r->file.name)),
                             .text = arena_text(memory, r->file.text, r->file.length),
                             .length = r->file.length,
                             .is_made = r->file.is_made};
  locations->at = arena_allocate(memory, (n + 1) * sizeof *locations->at);
  if (locations->file.name == NULL || locations->file.text == NULL || locations->at == NULL)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (const yaml_node *one = yaml_first(signals, YAML_LIST); one != NULL; one = one->next)
    for (int end = 0; end < 2 && status == SEAM_OK; end++) {
      const yaml_node *value = yaml_get(one, end == 0 ? "from" : "to");
      status = value != NULL && value->text != NULL ? store(r, value->text, value) : SEAM_OK;
    }
  for (size_t i = 0; i < N_SECTIONS; i++)
    for (const yaml_node *value = yaml_first(sections[i], YAML_MAP); value != NULL && status == SEAM_OK;
         value = value->next)
      status = store(r, value->key->text, value->key);
  return status;
}

/* Returns the last stored position of a name, or NULL. */
static const name_location *find(const name_locations *locations, const char *name) {
  for (size_t i = locations->n; i > 0; i--)
    if (strcmp(locations->at[i - 1].name, name) == 0)
      return &locations->at[i - 1];
  return NULL;
}

void seam_model_place(const seam_model_file *file, seam_error *error) {
  const name_location *location = find(&file->locations, error->subject);
  const seam_error cause = *error;
  if (cause.status != SEAM_BAD_INPUT && cause.status != SEAM_NOT_ASSEMBLED)
    return;
  if (location == NULL && cause.status == SEAM_BAD_INPUT)
    location = find(&file->locations, "cosim");
  if (location == NULL)
    return;
  source_fail(&file->locations.file, location->offset, error, NULL, "%s", cause.message);
  error->status = cause.status;
}
