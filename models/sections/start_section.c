/* `start:` initial coordinates and velocities of joints, bodies and force elements, or `static`, an equilibrium. The
 * model stores the initial state. `from:` names earlier results, which the caller reads (seam_model_start_from()). */
#include "mbs/subsystem/start.h"

#include <math.h>
#include <string.h>

#include "base/note.h"
#include "models/reader.h"
#include "models/thresholds.h"

static const form form_value = {FORM_ANY_OF(&form_number, &form_values)};
static const form form_given = {.kind = FORM_NAMED, .of = &form_value};
static const form form_static = {FORM_ONE_OF("static")};
static const map_key from_keys[] = {
    {"from", true, &form_text, "",
     "folder or table of results, with @TIME for another than the last row, relative to the model file's folder"}};
static const form form_from = {.name = "start_from", .meaning = "the state of earlier results", FORM_KEYS(from_keys)};
const form form_start = {FORM_ANY_OF(&form_static, &form_from, &form_given)};

typedef struct start_value {
  const char *name; /* "element.quantity" */
  const yaml_node *key;
} start_value;

typedef struct start_values {
  mbs_model *model;
  mbs_prescribed *prescribed; /* (n) */
  start_value *values;        /* (n) names and keys, for messages */
  size_t n;
  mbs_workspace *ws;
  mbs_state *state;
} start_values;

static start_value *find_value(const start_values *in, const char *name) {
  for (size_t i = 0; i < in->n; i++)
    if (strcmp(in->values[i].name, name) == 0)
      return &in->values[i];
  return NULL;
}

/* A value from the command line replaces that of the file. */
static seam_status read_one(reader *r, const char *element, yaml_node *value, start_values *to) {
  mbs_prescribed read = {0};
  const char *name = element != NULL ? arena_print(r->memory, "%s.%s", element, value->key->text) : value->key->text;
  TRY(reader_check_memory(r, name != NULL));
  TRY(reader_check_call(r, value->key, mbs_find_quantity(to->model, name, &read.quantity, &r->cause)));
  TRY(reader_number(r, value, ANY_NUMBER, &read.value));
  const mbs_quantity_info info = mbs_quantity_of(to->model, read.quantity);
  if (strcmp(info.unit, "rad") == 0 && fabs(read.value) > models_largest_angle)
    seam_note("'start' of '%s.%s' is %g rad; write %g*deg for degrees", info.element, info.name, read.value,
              read.value);
  start_value *given = find_value(to, name);
  if (given != NULL && !value->from->is_option)
    return reader_fail(r, value->key, "remove one of them", "'%s' is given twice", name);
  const size_t at = given != NULL ? (size_t)(given - to->values) : to->n++;
  to->prescribed[at] = read;
  to->values[at] = (start_value){name, value->key};
  return SEAM_OK;
}

/* Reads values, given as `ELEMENT.QUANTITY: number` or as `ELEMENT: {QUANTITY: number, ...}`. */
static seam_status read_values(reader *r, const yaml_node *section, start_values *to) {
  size_t n = 0;
  for (const yaml_node *value = section->first; value != NULL; value = value->next)
    n += value->kind == YAML_MAP ? value->n_children : 1;
  to->prescribed = reader_allocate(r, n, sizeof *to->prescribed);
  to->values = reader_allocate(r, n, sizeof *to->values);
  TRY(reader_check_memory(r, to->prescribed != NULL && to->values != NULL));
  for (yaml_node *value = section->first; value != NULL; value = value->next) {
    if (value->kind != YAML_MAP)
      TRY(read_one(r, NULL, value, to));
    for (yaml_node *one = yaml_first(value, YAML_MAP); one != NULL; one = one->next)
      TRY(read_one(r, value->key->text, one, to));
  }
  return SEAM_OK;
}

static seam_status find_state(reader *r, const yaml_node *section, start_values *of, bool is_static) {
  const mbs_model *model = of->model;
  seam_status status = mbs_workspace_create(model, &of->ws, &r->cause);
  THEN(status, mbs_state_create(model, &of->state, &r->cause));
  THEN(status, is_static ? mbs_find_equilibrium(of->ws, of->state, NULL, NULL, &r->cause)
                         : mbs_assemble_at(of->ws, of->state, of->prescribed, of->n, NULL, NULL, &r->cause));
  if (status == SEAM_OK) {
    mbs_model_start_at(of->model, of->state, is_static,
                       is_static || mbs_prescribes_coordinates(model, of->prescribed, of->n));
    return SEAM_OK;
  }
  const start_value *reported = find_value(of, r->cause.subject);
  const yaml_node *at = reported != NULL ? reported->key : reader_message_node(section);
  /* A drive with 'speed' but no 'start' fixes its coordinate at the value of the initial configuration. */
  for (const yaml_node *joint = yaml_first(yaml_get(r->root, "joints"), YAML_MAP); joint != NULL; joint = joint->next)
    if (r->cause.status == SEAM_NOT_ASSEMBLED && yaml_get(joint, "speed") != NULL && yaml_get(joint, "start") == NULL)
      return reader_fail(r, at,
                         "a coordinate driven by 'speed' begins at 'start' of its joint or, without 'start', where the "
                         "bodies are placed: change 'start' or the places of the bodies",
                         "%s", r->cause.message);
  return reader_check_call(r, at, status);
}

bool start_is_static(const reader *r) {
  const yaml_node *section = yaml_get(r->root, "start");
  return section != NULL && section->text != NULL && strcmp(section->text, "static") == 0;
}

seam_status start_read(reader *r, mbs_model *model) {
  yaml_node *section = yaml_get(r->root, "start");
  if (yaml_is_empty(section))
    return SEAM_OK;
  r->result->has_start = true;
  const bool is_static = start_is_static(r);
  reader_set_subject(r, "start", NULL);
  if (!is_static && section->kind != YAML_MAP)
    return reader_fail(r, section, "write 'start: {crank.omega: 30}' or 'start: static'",
                       "'start' must be a map of quantities, or 'static'");
  const yaml_node *from = is_static ? NULL : yaml_get(section, "from");
  if (from != NULL && from->kind != YAML_MAP) { /* a path, which may end in "@TIME" */
    const char *text = NULL;
    TRY(reader_text(r, from, &text));
    if (section->n_children > 1)
      return reader_fail(r, from->key, "keep one of the two",
                         "'from' in 'start' cannot stand beside coordinates and rates");
    r->result->start_from = text[0] != '\0' ? reader_path(r, from) : text;
    return reader_check_memory(r, r->result->start_from != NULL);
  }
  start_values values = {.model = model};
  if (!is_static)
    TRY(read_values(r, section, &values));
  const seam_status status = find_state(r, section, &values, is_static);
  mbs_state_destroy(values.state);
  mbs_workspace_destroy(values.ws);
  return status;
}
