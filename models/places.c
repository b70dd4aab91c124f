#include "models/places.h"

#include <string.h>

static bool is_in_file(const reader *r, const yaml_node *value) { return value->key->from == &r->file; }

static size_t n_in_file(const reader *r, const yaml_node *map) {
  size_t n = 0;
  for (const yaml_node *value = map != NULL && map->kind == YAML_MAP ? map->first : NULL; value; value = value->next)
    n += is_in_file(r, value);
  return n;
}

static bool add_names(reader *r, const yaml_node *map) {
  model_places *places = &r->result->places;
  for (const yaml_node *value = map != NULL && map->kind == YAML_MAP ? map->first : NULL; value; value = value->next) {
    if (!is_in_file(r, value))
      continue;
    const char *name = arena_text(&r->result->memory, value->key->text, strlen(value->key->text));
    if (name == NULL)
      return false;
    places->at[places->n++] = (model_place){name, value->key->offset};
  }
  return true;
}

seam_status places_keep(reader *r) {
  model_places *places = &r->result->places;
  const yaml_node *cosim = yaml_get(r->root, "cosim");
  const bool is_cut = cosim != NULL && cosim->kind == YAML_MAP;
  /* A name in several sections has its place in the last. */
  const yaml_node *const sections[] = {r->root,
                                       cosim,
                                       yaml_get(r->root, "bodies"),
                                       yaml_get(r->root, "joints"),
                                       yaml_get(r->root, "forces"),
                                       is_cut ? yaml_get(cosim, "bonds") : NULL,
                                       is_cut ? yaml_get(cosim, "subsystems") : NULL,
                                       is_cut ? yaml_get(cosim, "couplings") : NULL};
  enum { N_SECTIONS = sizeof sections / sizeof *sections };
  size_t n = 0;
  for (size_t i = 0; i < N_SECTIONS; i++)
    n += n_in_file(r, sections[i]);
  arena *memory = &r->result->memory;
  places->file = (source){.name = arena_text(memory, r->file.name, strlen(r->file.name)),
                          .text = arena_text(memory, r->file.text, r->file.length),
                          .length = r->file.length,
                          .is_made = r->file.is_made};
  places->at = arena_take(memory, (n + 1) * sizeof *places->at);
  bool kept = places->file.name != NULL && places->file.text != NULL && places->at != NULL;
  for (size_t i = 0; i < N_SECTIONS && kept; i++)
    kept = add_names(r, sections[i]);
  return kept ? SEAM_OK : reader_no_memory(r);
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
