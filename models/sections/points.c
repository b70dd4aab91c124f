/* `points:` named places in the initial configuration, [x, y] in m. */
#include <string.h>

#include "models/reader.h"

const form form_points = {.kind = FORM_NAMED, .of = &form_2_numbers};

static seam_status read_one(reader *r, yaml_node *value) {
  const char *name = value->key->text;
  seam_status status = reader_check_name(r, value->key, false);
  if (status != SEAM_OK)
    return status;
  if (table_find(&r->point_names, name, strlen(name)) != NULL)
    return reader_fail(r, value->key, "choose another name", "a point '%.60s' already exists", name);
  const size_t n = r->point_names.count;
  reader_set_subject(r, "points", NULL);
  status = reader_vector(r, value, ANY_NUMBER, 2, r->points[n].place);
  if (status != SEAM_OK)
    return status;
  r->points[n].name = name;
  return table_add(&r->point_names, name, strlen(name), n) ? SEAM_OK : reader_no_memory(r);
}

seam_status points_read(reader *r) {
  const yaml_node *section = NULL;
  seam_status status = reader_section(r, "points", &section);
  if (status != SEAM_OK || section == NULL)
    return status;
  r->points = arena_take(&r->memory, section->n_children * sizeof *r->points);
  if (r->points == NULL)
    return reader_no_memory(r);
  for (yaml_node *value = section->first; value != NULL && status == SEAM_OK; value = value->next)
    status = read_one(r, value);
  return status;
}
