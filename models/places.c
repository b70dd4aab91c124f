#include <string.h>

#include "models/reader.h"

/* Stores the position of a name if the node is from the file itself. */
static seam_status keep(reader *r, const char *name, const yaml_node *at) {
  model_places *places = &r->result->places;
  if (at->from != &r->file)
    return SEAM_OK;
  model_place *place = &places->at[places->n++];
  place->offset = at->offset;
  return reader_keep(r, name, &place->name);
}

/* Stores the positions of the names in `from` and `to` of all signals. */
static seam_status keep_signals(reader *r, const yaml_node *signals) {
  seam_status status = SEAM_OK;
  for (const yaml_node *one = signals != NULL ? signals->first : NULL; one != NULL; one = one->next)
    for (int end = 0; end < 2 && status == SEAM_OK; end++) {
      const yaml_node *value = yaml_get(one, end == 0 ? "from" : "to");
      status = value != NULL && value->text != NULL ? keep(r, value->text, value) : SEAM_OK;
    }
  return status;
}

seam_status places_keep(reader *r) {
  model_places *places = &r->result->places;
  arena *memory = &r->result->memory;
  const yaml_node *cosim = yaml_get(r->root, "cosim");
  /* If several of these sections have the same name, the position in the last one counts. */
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
  size_t n = signals != NULL ? 2 * signals->n_children : 0;
  for (size_t i = 0; i < N_SECTIONS; i++)
    n += sections[i] != NULL ? sections[i]->n_children : 0;
  places->file = (source){.name = arena_text(memory, r->file.name, strlen(r->file.name)),
                          .text = arena_text(memory, r->file.text, r->file.length),
                          .length = r->file.length,
                          .is_made = r->file.is_made};
  places->at = arena_allocate(memory, (n + 1) * sizeof *places->at);
  if (places->file.name == NULL || places->file.text == NULL || places->at == NULL)
    return reader_no_memory(r);
  seam_status status = keep_signals(r, signals);
  for (size_t i = 0; i < N_SECTIONS; i++)
    for (const yaml_node *value = sections[i] != NULL && sections[i]->kind == YAML_MAP ? sections[i]->first : NULL;
         value != NULL && status == SEAM_OK; value = value->next)
      status = keep(r, value->key->text, value->key);
  return status;
}

/* Returns the last stored position of a name, or NULL. */
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
