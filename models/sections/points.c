/* `points:` names of positions in the initial configuration, [x, y] in m. */
#include <string.h>

#include "base/then.h"
#include "models/reader.h"

const form form_points = {.kind = FORM_NAMED, .of = &form_2_numbers};

seam_status points_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "points", &section);
  r->points = arena_allocate(&r->memory, section->n_children * sizeof *r->points);
  if (r->points == NULL)
    return reader_no_memory(r);
  for (yaml_node *value = section->first; value != NULL && status == SEAM_OK; value = value->next) {
    const char *name = value->key->text;
    const size_t n = r->point_names.count;
    status = reader_check_name(r, value->key, false);
    if (status == SEAM_OK && table_find(&r->point_names, name, strlen(name)) != NULL)
      return reader_fail(r, value->key, "choose another name", "a point '%.60s' already exists", name);
    reader_set_subject(r, "points", NULL);
    THEN(status, reader_vector(r, value, ANY_NUMBER, 2, r->points[n].position));
    r->points[n].name = name;
    if (status == SEAM_OK && !table_add(&r->point_names, name, strlen(name), n))
      return reader_no_memory(r);
  }
  return status;
}
