#include <string.h>

#include "models/reader.h"

seam_status places_keep(reader *r) {
  model_places *places = &r->result->places;
  arena *memory = &r->result->memory;
  const yaml_node *cosim = yaml_get(r->root, "cosim");
  /* A name in several sections has its place in the last. */
  const yaml_node *const sections[] = {r->root,
                                       cosim,
                                       yaml_get(r->root, "bodies"),
                                       yaml_get(r->root, "joints"),
                                       yaml_get(r->root, "forces"),
                                       yaml_get(cosim, "bonds"),
                                       yaml_get(cosim, "subsystems"),
                                       yaml_get(cosim, "couplings")};
  enum { N_SECTIONS = sizeof sections / sizeof *sections };
  size_t n = 0;
  for (size_t i = 0; i < N_SECTIONS; i++)
    n += sections[i] != NULL ? sections[i]->n_children : 0;
  places->file = (source){.name = arena_text(memory, r->file.name, strlen(r->file.name)),
                          .text = arena_text(memory, r->file.text, r->file.length),
                          .length = r->file.length,
                          .is_made = r->file.is_made};
  places->at = arena_allocate(memory, (n + 1) * sizeof *places->at);
  if (places->file.name == NULL || places->file.text == NULL || places->at == NULL)
    return reader_no_memory(r);
  for (size_t i = 0; i < N_SECTIONS; i++)
    for (const yaml_node *value = sections[i] != NULL && sections[i]->kind == YAML_MAP ? sections[i]->first : NULL;
         value != NULL; value = value->next) {
      if (value->key->from != &r->file)
        continue;
      model_place *place = &places->at[places->n++];
      place->offset = value->key->offset;
      const seam_status status = reader_keep(r, value->key->text, &place->name);
      if (status != SEAM_OK)
        return status;
    }
  return SEAM_OK;
}

/* Returns the last place of a name, or NULL. */
static const model_place *find(const model_places *places, const char *name) {
  for (size_t i = places->n; i > 0; i--)
    if (strcmp(places->at[i - 1].name, name) == 0)
      return &places->at[i - 1];
  return NULL;
}

void seam_model_place(const seam_model_file *file, seam_error *error) {
  const model_place *place = find(&file->places, error->subject);
  const seam_error cause = *error;
  if (cause.status != SEAM_BAD_INPUT && cause.status != SEAM_NOT_ASSEMBLED)
    return;
  if (place == NULL && cause.status == SEAM_BAD_INPUT)
    place = find(&file->places, "cosim");
  if (place == NULL)
    return;
  source_fail(&file->places.file, place->offset, error, NULL, "%s", cause.message);
  error->status = cause.status;
}
