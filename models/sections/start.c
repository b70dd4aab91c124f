/* `start:` coordinates and rates that joints, bodies and force elements start with, or `static`: an equilibrium. The
 * state that is found is the one that the model has from then on. */
#include "mbs/start.h"

#include <stdlib.h>
#include <string.h>

#include "models/reader.h"

typedef struct start_values {
  mbs_prescribed *prescribed; /* (n) */
  size_t n;
  mbs_workspace *ws;
  mbs_state *state;
} start_values;

static seam_status read_one(reader *r, yaml_node *value, mbs_prescribed *prescribed) {
  seam_error cause = {0};
  const char *name = value->key->text;
  if (mbs_find_quantity(r->result->mechanism, name, &prescribed->quantity, &cause) != SEAM_OK)
    return reader_fail_as_engine(r, value->key, &cause);
  return reader_number(r, value, ANY_NUMBER, &prescribed->value);
}

static seam_status read_values(reader *r, const yaml_node *section, start_values *to) {
  to->prescribed = arena_take(&r->memory, section->n_children * sizeof *to->prescribed);
  if (to->prescribed == NULL)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (yaml_node *value = section->first; value != NULL && status == SEAM_OK; value = value->next)
    status = read_one(r, value, &to->prescribed[to->n++]);
  return status;
}

static seam_status find_state(reader *r, const yaml_node *section, start_values *of, bool is_static) {
  seam_error cause = {0};
  const mbs_model *model = r->result->mechanism;
  seam_status status = mbs_workspace_create(model, &of->ws, &cause);
  if (status == SEAM_OK)
    status = mbs_state_create(model, &of->state, &cause);
  if (status == SEAM_OK)
    status = is_static ? mbs_find_equilibrium(of->ws, of->state, NULL, NULL, &cause)
                       : mbs_assemble_at(of->ws, of->state, of->prescribed, of->n, NULL, NULL, &cause);
  if (status == SEAM_OK)
    mbs_model_start_at(r->result->mechanism, of->state);
  return status == SEAM_OK ? SEAM_OK : reader_fail_as_engine(r, reader_place(section), &cause);
}

seam_status start_read(reader *r) {
  const yaml_node *section = yaml_get(r->root, "start");
  if (section == NULL || (section->kind == YAML_SCALAR && section->text == NULL))
    return SEAM_OK;
  const bool is_static = section->kind == YAML_SCALAR && strcmp(section->text, "static") == 0;
  reader_set_subject(r, "start", NULL);
  if (!is_static && section->kind != YAML_MAP)
    return reader_fail(r, section, "write 'start: {crank.omega: 30}' or 'start: static'",
                       "'start' must be a map of quantities, or 'static'");
  start_values values = {0};
  seam_status status = is_static ? SEAM_OK : read_values(r, section, &values);
  if (status == SEAM_OK)
    status = find_state(r, section, &values, is_static);
  mbs_state_destroy(values.state);
  mbs_workspace_destroy(values.ws);
  return status;
}
