/* `subsystems:` of `cosim:`. A subsystem is an FMU, has equations of its own, or lists bodies, force elements and
 * entries of `equations:`. */
#include <math.h>
#include <string.h>

#include "cosim/mechanism/partition.h"
#include "cosim/parts/fmu_part.h"
#include "models/sections/cosim_section.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/repeat_ranges.h"
#include "models/sections/user_equations.h"
#include "models/thresholds.h"

enum { FOR, BODIES, FORCES, EQUATIONS, SIGNAL_ORDER, MACRO_STEP, INTEGRATOR, N_KEYS = INTEGRATOR + N_INTEGRATOR_KEYS };

static const map_key keys[N_KEYS] = {
    [FOR] = {"for", false, &form_range, "", "indices over which the lists are repeated"},
    [BODIES] = {"bodies", false, &form_names, "", "bodies of the subsystem"},
    [FORCES] = {"forces", false, &form_names, "",
                "force elements that the subsystem evaluates, whichever bodies they join"},
    [EQUATIONS] = {"equations", false, &form_names, "", "entries of 'equations' that the subsystem has"},
    [SIGNAL_ORDER] = {"signal_order", false, &form_hold, "",
                      "order of the signals between its equations and other subsystems; default: 0"},
    [MACRO_STEP] = {"macro_step", false, &form_positive, "s",
                    "macro step, that of 'cosim' divided by a whole number; default: that of 'cosim'"},
    [INTEGRATOR] = INTEGRATOR_KEYS(&form_integrator, "that of the whole", "that of the whole", "that of the whole",
                                   "that of the whole"),
};
static const form form_mechanical = {
    .name = "subsystem", .meaning = "a subsystem of bodies, force elements and equations", FORM_KEYS(keys)};
static const form form_subsystem = {
    FORM_ANY_OF(&form_names, &form_mechanical, &form_user_equations, &form_fmu_subsystem)};
const form form_subsystems = {.kind = FORM_NAMED, .least = 1, .of = &form_subsystem};

typedef struct reading {
  cosim_section *c;
  cosim_subsystem_def def; /* points to the lists below */
  const char **bodies, **forces, **equations;
} reading;

/* Replaces the items of a list by copies for all values of the ranges' indices. */
static seam_status expand_list(reader *r, yaml_node *list, const repeat_ranges *ranges) {
  if (list->kind != YAML_LIST)
    return SEAM_OK; /* read_list() later rejects other values */
  if (ranges->count * (double)(list->n_children + 1) > (double)r->n_entries + 1000)
    return reader_fail(r, list, "make the range of 'for' shorter",
                       "%s lists more names than there are bodies and forces", r->subject);
  yaml_node *const items = list->first;
  list->first = list->last = NULL;
  list->n_children = 0;
  for (size_t number = 0; number < (size_t)ranges->count; number++) {
    const index_values *indices = repeat_indices(r, ranges, number);
    TRY(reader_check_memory(r, indices != NULL));
    for (const yaml_node *name = items; name; name = name->next) {
      yaml_node *copy = NULL;
      TRY(repeat_copy(r, name, indices, true, &copy));
      yaml_append(list, copy, NULL);
    }
  }
  return SEAM_OK;
}

/* Adds a body or force element to the subsystem. `key`: BODIES or FORCES, the kind of `name`; N_KEYS: either kind. */
static seam_status add_element(reading *a, const yaml_node *name, int key) {
  reader *r = a->c->r;
  const table_slot *slot = name->text != NULL ? table_find(&r->entry_names, name->text, strlen(name->text)) : NULL;
  const bool names_force = slot != NULL && r->entries[slot->value].kind == ENTRY_FORCE;
  const bool is_force = key == FORCES || (key == N_KEYS && names_force);
  const char *text = NULL;
  size_t number = names_force ? slot->value : 0;
  TRY(is_force ? reader_text(r, name, &text) : reader_body(r, name, &number));
  if (!is_force && number == MBS_GROUND)
    return reader_fail(r, name, "remove it", "the ground belongs to every subsystem and is not listed");
  if (is_force && !names_force) {
    nearest search = nearest_to(text);
    for (size_t i = 0; i < r->n_entries; i++)
      if (r->entries[i].kind == ENTRY_FORCE)
        nearest_try(&search, r->entries[i].name);
    return reader_fail_unknown(r, name, &search, "name an entry of 'forces:'", "'%.60s' in %s is not a force element",
                               text, r->subject);
  }
  size_t *owner = &a->c->subsystem_of[number];
  if (*owner != SEAM_NONE) {
    const cosim_definition *known = cosim_builder_definition(a->c->builder);
    return reader_fail(r, name, is_force ? "list each force element once" : "list each body once",
                       "%s '%.60s' is already in subsystem '%.60s'", is_force ? "force" : "body", name->text,
                       *owner < known->n_subsystems ? known->subsystems[*owner].name : a->def.name);
  }
  *owner = a->c->subsystems.count - 1;
  if (is_force)
    a->forces[a->def.n_forces++] = name->text;
  else
    a->bodies[a->def.n_bodies++] = name->text;
  return SEAM_OK;
}

static seam_status add_equations(reading *a, const yaml_node *name) {
  reader *r = a->c->r;
  const char *text = NULL;
  const yaml_node *all = yaml_get(r->root, "equations");
  TRY(reader_text(r, name, &text));
  const table_slot *taken = table_find(&a->c->listed, text, strlen(text));
  if (taken)
    return reader_fail(r, name, "list equations once", "equations '%.60s' are already in subsystem '%.60s'", text,
                       taken->value + 1 == a->c->subsystems.count
                           ? a->def.name
                           : cosim_builder_definition(a->c->builder)->subsystems[taken->value].name);
  if (yaml_get(all, text) == NULL) {
    nearest search = nearest_to(text);
    for (const yaml_node *one = yaml_first(all, YAML_MAP); one != NULL; one = one->next)
      nearest_try(&search, one->key->text);
    return reader_fail_unknown(r, name, &search, "name an entry of 'equations:' at the top of the file",
                               "unknown equations '%.60s' in %s", text, r->subject);
  }
  a->equations[a->def.n_equations++] = text;
  return reader_check_memory(r, table_add(&a->c->listed, text, strlen(text), a->c->subsystems.count - 1));
}

static seam_status read_list(reading *a, const yaml_node *list, int key) {
  if (list != NULL && list->kind != YAML_LIST)
    return reader_fail(a->c->r, list, "write [NAME, NAME, ...]", "'%.60s' in %s must be a list of names, but is %s",
                       list->key->text, a->c->r->subject, yaml_kind_text(list));
  for (const yaml_node *name = yaml_first(list, YAML_LIST); name != NULL; name = name->next)
    TRY(key == EQUATIONS ? add_equations(a, name) : add_element(a, name, key));
  return SEAM_OK;
}

static seam_status make_room(reading *a, size_t n) {
  reader *r = a->c->r;
  a->def.bodies = a->bodies = reader_allocate(r, n, sizeof *a->bodies);
  a->def.forces = a->forces = reader_allocate(r, n, sizeof *a->forces);
  a->def.equations = a->equations = reader_allocate(r, n, sizeof *a->equations);
  return reader_check_memory(r, a->bodies != NULL && a->forces != NULL && a->equations != NULL);
}

/* Converts the macro step of the subsystem to a number of steps in a macro step of the co-simulation. */
static seam_status read_macro_step(reading *a, yaml_node *value) {
  const double H = a->c->options.macro_step;
  double h = 0;
  TRY(reader_number(a->c->r, value, POSITIVE, &h));
  const double steps = round(H / h);
  if (!(steps >= 1 && steps <= MODELS_MAX_STEPS && fabs(H / h - steps) <= models_integer_ratio * steps))
    return reader_fail(
        a->c->r, value, "divide the macro step of 'cosim' by a whole number",
        "'macro_step' of %s must be that of 'cosim', %g s, divided by a whole number from 1 to %d, but is %g s",
        a->c->r->subject, H, MODELS_MAX_STEPS, h);
  a->def.steps = (size_t)steps;
  return SEAM_OK;
}

static seam_status read_map(reading *a, yaml_node *value) {
  reader *r = a->c->r;
  yaml_node *values[N_KEYS];
  repeat_ranges ranges;
  size_t order = 0;
  TRY(reader_map(r, value, keys, N_KEYS, values));
  if (!values[BODIES] && !values[FORCES] && !values[EQUATIONS])
    return reader_fail(r, reader_message_node(value),
                       "list entries of the model in one of these keys, or give the subsystem equations of its own by "
                       "'inputs', 'states', 'rates' and 'outputs'",
                       "%s needs 'bodies', 'forces' or 'equations'", r->subject);
  if (values[SIGNAL_ORDER] && !values[EQUATIONS])
    return reader_fail(r, values[SIGNAL_ORDER]->key,
                       "remove 'signal_order', and give 'order' to signals of this subsystem under 'signals'",
                       "'signal_order' in %s needs 'equations'", r->subject);
  if (values[FOR] != NULL) {
    TRY(repeat_read_ranges(r, values[FOR], &ranges));
    for (int i = BODIES; i <= EQUATIONS; i++)
      if (values[i] != NULL)
        TRY(expand_list(r, values[i], &ranges));
    yaml_remove(value, values[FOR]);
  }
  size_t n = 0;
  for (int i = BODIES; i <= EQUATIONS; i++)
    n += yaml_count(values[i]);
  TRY(make_room(a, n));
  for (int i = BODIES; i <= EQUATIONS; i++)
    TRY(read_list(a, values[i], i));
  TRY(reader_count(r, values[SIGNAL_ORDER], 0, COSIM_MAX_HOLD, &order));
  a->def.signal_order = (int)order;
  bool has_integrator = false;
  for (int i = INTEGRATOR; i < N_KEYS; i++)
    has_integrator |= values[i] != NULL;
  if (!has_integrator)
    return SEAM_OK;
  mbs_integrator_options *integrator = reader_allocate(r, 1, sizeof *integrator);
  TRY(reader_check_memory(r, integrator != NULL));
  *integrator = a->c->options.integrator;
  a->def.integrator = integrator;
  return simulate_read_integrator(r, values + INTEGRATOR, &form_integrator, integrator);
}

/* Rejects a fixed-step method without a step, unless a subsystem without bodies only inherits the method. */
static seam_status check_steps(const reading *a, const yaml_node *value) {
  const mbs_integrator_options *integrator = a->def.integrator ? a->def.integrator : &a->c->options.integrator;
  const yaml_node *method = yaml_get(value, keys[INTEGRATOR].name);
  if (integrator->step > 0 || (!method && a->def.n_bodies == 0))
    return SEAM_OK;
  if (mbs_method_steps(integrator->method) == MBS_FIXED_STEPS)
    return reader_fail(a->c->r, method ? method : reader_message_node(value), "write micro_step: SECONDS",
                       "%s needs 'micro_step': %s takes fixed steps", a->c->r->subject, integrator->method);
  return SEAM_OK;
}

/* Without step control, the ratio of macro step and sampling period, or its reciprocal, must be an integer. Otherwise
 * short macro steps would occur between long ones and amplify errors. */
static seam_status check_period(const reading *a, const yaml_node *value) {
  const double H = a->c->options.macro_step;
  const double T = user_equations_of(a->def.user)->period;
  const double ratio = fmax(H / T, T / H);
  if (T == 0 || cosim_builder_definition(a->c->builder)->step_control != NULL ||
      fabs(ratio - round(ratio)) <= models_integer_ratio * ratio)
    return SEAM_OK;
  return reader_fail(a->c->r, yaml_get(value, "sample"),
                     "choose a macro step that divides the sample period, or add 'step_control'",
                     "'sample' of %s must be a whole multiple or a whole fraction of the macro step, %g s, but is %g s",
                     a->c->r->subject, H, T);
}

/* If the FMU takes only steps of a fixed length, rejects step control, and macro steps that are not its multiples. */
static seam_status check_fixed_step(const reading *a, const yaml_node *value) {
  const fmi_description *about = fmu_subsystem_description(a->def.user);
  const double h = about != NULL ? cosim_fmu_fixed_step(about) : 0;
  const double H = a->c->options.macro_step / (double)a->def.steps;
  if (h == 0)
    return SEAM_OK;
  if (cosim_builder_definition(a->c->builder)->step_control != NULL)
    return reader_fail(a->c->r, reader_message_node(value), "remove 'step_control' and give 'macro_step'",
                       "%s is an FMU with steps of fixed length, which do not allow 'step_control'", a->c->r->subject);
  if (h > 0 && fabs(H / h - round(H / h)) > models_integer_ratio * H / h)
    return reader_fail(a->c->r, reader_message_node(value), "choose a macro step that is a multiple of the FMU's step",
                       "%s is an FMU with steps of fixed length, %.9g s, but its macro step is %.9g s",
                       a->c->r->subject, h, H);
  return SEAM_OK;
}

static seam_status read_definition(reading *a, yaml_node *value) {
  const bool is_fmu = fmu_subsystem_matches(value);
  const bool is_user = !is_fmu && user_equations_match(value);
  yaml_node *macro_step = yaml_get(value, keys[MACRO_STEP].name);
  if (is_fmu)
    TRY(fmu_subsystem_read(a->c->r, value, &a->def.user));
  else if (is_user)
    TRY(user_equations_read(a->c->r, value, &a->c->options.integrator, &a->def.user));
  else if (value->kind == YAML_MAP)
    TRY(read_map(a, value));
  else if (value->kind == YAML_LIST && value->n_children > 0) {
    TRY(make_room(a, value->n_children));
    TRY(read_list(a, value, N_KEYS));
  } else if (value->kind == YAML_LIST)
    return reader_fail(a->c->r, value, "list its bodies, or remove it", "%s is empty", a->c->r->subject);
  else
    return reader_fail(a->c->r, value, "write [NAME, ...], or equations: {inputs: ..., states: ..., ...}",
                       "%s must be a list of bodies, or a map", a->c->r->subject);
  if (macro_step != NULL)
    TRY(read_macro_step(a, macro_step));
  if (is_fmu)
    return check_fixed_step(a, value);
  return is_user ? check_period(a, value) : check_steps(a, value);
}

static seam_status read_subsystem(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  reading a = {.c = c, .def = cosim_default_subsystem_def()};
  TRY(reader_check_name(r, value->key, false));
  if (strcmp(value->key->text, "for") == 0 && value->kind == YAML_MAP && !user_equations_match(value) &&
      !yaml_get(value, "bodies") && !yaml_get(value, "forces") && !yaml_get(value, "equations"))
    return reader_fail(r, value->key,
                       "write repeat: [{for: {i: [1, N]}, cosim: {subsystems: {...}}}] at the top of the file",
                       "'for' in 'subsystems' cannot repeat subsystems");
  reader_set_subject(r, "subsystem", value);
  const char *name = value->key->text;
  if (table_find(&c->subsystems, name, strlen(name)))
    return reader_fail(r, value->key, "choose another name", "a subsystem '%.60s' already exists", name);
  TRY(reader_check_memory(r, table_add(&c->subsystems, name, strlen(name), c->subsystems.count)));
  a.def.name = name;
  TRY(read_definition(&a, value));
  return cosim_add_subsystem(c->builder, &a.def, r->error);
}

/* Rejects a single subsystem. The message names a body outside of it. */
static seam_status refuse_one(cosim_section *c, yaml_node *value, const char *fix) {
  const reader *r = c->r;
  const yaml_node *only = value->first;
  const yaml_node *bodies = only != NULL && only->kind == YAML_MAP ? yaml_get(only, "bodies") : only;
  for (size_t i = 0; i < r->n_entries && bodies != NULL && bodies->kind == YAML_LIST; i++) {
    const yaml_node *one = bodies->first;
    while (one != NULL && (one->text == NULL || strcmp(one->text, r->entries[i].name) != 0))
      one = one->next;
    if (one == NULL && r->entries[i].kind == ENTRY_BODY)
      return reader_fail(c->r, value, fix,
                         "'subsystems' must hold at least two subsystems, and body '%.60s' is in none",
                         r->entries[i].name);
  }
  return reader_fail(c->r, value, fix, "'subsystems' must hold at least two subsystems, or one FMU");
}

seam_status cosim_section_subsystems(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  const char *fix = "write {left: [BODY, ...], right: [BODY, ...]}, or equations: {NAME: {inputs: ...}, ...}";
  if (value->kind != YAML_MAP)
    return reader_fail(r, value, fix, "'subsystems' must be a map, but is %s", yaml_kind_text(value));
  if (value->n_children < 2 && !(value->n_children == 1 && fmu_subsystem_matches(value->first)))
    return refuse_one(c, value, fix);
  for (size_t i = 0; i < r->n_entries; i++)
    c->subsystem_of[i] = SEAM_NONE;
  for (yaml_node *child = value->first; child; child = child->next)
    TRY(read_subsystem(c, child));
  for (size_t i = 0; i < r->n_entries; i++)
    if (r->entries[i].kind == ENTRY_BODY && c->subsystem_of[i] == SEAM_NONE)
      return reader_fail(r, value->key->from == value->from ? value->key : value, "every body belongs to exactly one",
                         "body '%.60s' is in no subsystem", r->entries[i].name);
  cosim_partition partition; /* has the elements that will be cut */
  seam_status status =
      cosim_partition_cut(r->result->mechanism, cosim_builder_definition(c->builder), &partition, &r->cause);
  const yaml_node *element = reader_element(r, r->cause.subject);
  status = reader_check_call(r, element != NULL ? element : value->key, status);
  for (size_t k = 0; status == SEAM_OK && k < partition.n_cuts; k++) {
    const char *name = partition.cuts[k].base.name;
    status = reader_check_memory(r, table_add(&c->cuts, name, strlen(name), k));
  }
  cosim_partition_free(&partition);
  return status;
}

seam_status cosim_section_subsystem(const cosim_section *c, const yaml_node *name, const cosim_subsystem_def **found) {
  const cosim_definition *known = cosim_builder_definition(c->builder);
  const char *text = NULL;
  TRY(reader_text(c->r, name, &text));
  const table_slot *slot = table_find(&c->subsystems, text, strlen(text));
  if (slot != NULL) {
    *found = &known->subsystems[slot->value];
    return SEAM_OK;
  }
  nearest search = nearest_to(text);
  for (size_t i = 0; i < known->n_subsystems; i++)
    nearest_try(&search, known->subsystems[i].name);
  return reader_fail_unknown(c->r, name, &search, "", "unknown subsystem '%.60s' in %s", text, c->r->subject);
}

const cosim_subsystem_def *cosim_section_owner(const cosim_section *c, const char *text) {
  const table_slot *slot = table_find(&c->subsystems, text, strcspn(text, "."));
  return slot ? &cosim_builder_definition(c->builder)->subsystems[slot->value] : NULL;
}
