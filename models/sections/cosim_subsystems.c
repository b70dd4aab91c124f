/* `subsystems:` of `cosim:`: lists of bodies and force elements, with a macro step and an integrator of their own where
 * they want one, or one's own equations. */
#include <math.h>
#include <string.h>

#include "base/nearest.h"
#include "models/sections/cosim_section.h"
#include "models/sections/repeat.h"
#include "models/sections/user_equations.h"

enum { FOR, BODIES, FORCES, MACRO_STEP, INTEGRATOR, N_KEYS = INTEGRATOR + N_INTEGRATOR_KEYS };

static const map_key keys[N_KEYS] = {
    {"for", false}, {"bodies", false}, {"forces", false}, {"macro_step", false}, INTEGRATOR_KEYS,
};

static cosim_subsystem *newest(const cosim_section *c) {
  return (cosim_subsystem *)&c->options->subsystems[c->options->n_subsystems - 1];
}

/* ---- Lists ------------------------------------------------------------------------------------------------------- */

/* Puts in place of a list what it stands for in the ranges. */
static seam_status expand_list(reader *r, yaml_node *list, const repeat_ranges *ranges) {
  if (list->kind != YAML_LIST)
    return SEAM_OK; /* said when it is read */
  if (ranges->count * (double)(list->n_children + 1) > (double)r->n_entries + 1000)
    return reader_fail(r, list, "make the range shorter", "%s lists more names than there are bodies and forces",
                       r->subject);
  yaml_node *const items = list->first;
  list->first = list->last = NULL;
  list->n_children = 0;
  for (size_t number = 0; number < (size_t)ranges->count; number++) {
    const index_values *indices = repeat_indices(r, ranges, number);
    if (!indices)
      return reader_no_memory(r);
    for (const yaml_node *name = items; name; name = name->next) {
      yaml_node *copy = NULL;
      const seam_status status = repeat_copy(r, name, indices, &copy);
      if (status)
        return status;
      yaml_append(list, copy, NULL);
    }
  }
  return SEAM_OK;
}

/* {for: {i: [1, N]}, bodies: ["link{i}"]} as the lists they stand for. */
static seam_status expand_lists(reader *r, yaml_node *value, yaml_node *const *values) {
  repeat_ranges ranges;
  seam_status status = repeat_read_ranges(r, values[FOR], &ranges);
  for (int i = BODIES; i <= FORCES && !status; i++)
    if (values[i])
      status = expand_list(r, values[i], &ranges);
  yaml_remove(value, values[FOR]);
  return status;
}

/* Index of the force element that a scalar names. */
static seam_status find_force(reader *r, const yaml_node *name, size_t *force) {
  const char *text = NULL;
  const seam_status status = reader_text(r, name, &text);
  if (status)
    return status;
  const table_slot *slot = table_find(&r->entry_names, text, strlen(text));
  if (slot && r->entries[slot->value].kind == ENTRY_FORCE) {
    *force = slot->value;
    return SEAM_OK;
  }
  char fix[128];
  nearest search = nearest_to(text);
  for (size_t i = 0; i < r->n_entries; i++)
    if (r->entries[i].kind == ENTRY_FORCE)
      nearest_try(&search, r->entries[i].name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(r, name, fix[0] ? fix : "name an entry of 'forces:'", "'%.60s' in %s is no force element", text,
                     r->subject);
}

static seam_status enter(const cosim_section *c, const yaml_node *name, size_t number) {
  reader *r = c->r;
  const bool is_force = r->entries[number].kind == ENTRY_FORCE;
  size_t *owner = &c->subsystem_of[number];
  if (*owner != NO_SUBSYSTEM)
    return reader_fail(r, name, is_force ? "list each force element once" : "list each body once",
                       "%s '%.60s' is in subsystem '%.60s' already", is_force ? "force" : "body", name->text,
                       c->options->subsystems[*owner].name);
  *owner = c->options->n_subsystems - 1;
  cosim_subsystem *to = newest(c);
  const char *kept = cosim_section_keep(c, name->text);
  if (is_force)
    ((const char **)to->forces)[to->n_forces++] = kept;
  else
    ((const char **)to->bodies)[to->n_bodies++] = kept;
  return kept ? SEAM_OK : reader_no_memory(r);
}

static bool names_force(const reader *r, const yaml_node *name) {
  const table_slot *slot = name->text ? table_find(&r->entry_names, name->text, strlen(name->text)) : NULL;
  return slot && r->entries[slot->value].kind == ENTRY_FORCE;
}

static seam_status add_body(const cosim_section *c, const yaml_node *name) {
  size_t body = 0;
  const seam_status status = reader_body(c->r, name, &body);
  if (status)
    return status;
  if (body == MBS_GROUND)
    return reader_fail(c->r, name, "remove it", "the ground belongs to every subsystem and is not listed");
  return enter(c, name, body);
}

static seam_status add_force(const cosim_section *c, const yaml_node *name) {
  size_t force = 0;
  const seam_status status = find_force(c->r, name, &force);
  return status ? status : enter(c, name, force);
}

static seam_status add_either(const cosim_section *c, const yaml_node *name) {
  return names_force(c->r, name) ? add_force(c, name) : add_body(c, name);
}

static seam_status make_room(const cosim_section *c, size_t n) {
  newest(c)->bodies = cosim_section_take(c, n, sizeof *newest(c)->bodies);
  newest(c)->forces = cosim_section_take(c, n, sizeof *newest(c)->forces);
  return newest(c)->bodies && newest(c)->forces ? SEAM_OK : reader_no_memory(c->r);
}

static seam_status read_list(const cosim_section *c, const yaml_node *list,
                             seam_status (*add)(const cosim_section *, const yaml_node *)) {
  if (list->kind != YAML_LIST)
    return reader_fail(c->r, list, "write [NAME, NAME, ...]", "'%.60s' in %s must be a list of names, but is %s",
                       list->key->text, c->r->subject, yaml_kind_text(list));
  seam_status status = SEAM_OK;
  for (const yaml_node *name = list->first; name && !status; name = name->next)
    status = add(c, name);
  return status;
}

/* ---- A subsystem ------------------------------------------------------------------------------------------------- */

/* Macro steps of the subsystem in one of the whole. */
static seam_status read_macro_step(const cosim_section *c, yaml_node *value) {
  enum { MAX_STEPS = 1000000 };
  const double H = c->options->macro_step;
  double h = 0;
  const seam_status status = reader_number(c->r, value, POSITIVE, &h);
  if (status)
    return status;
  const double steps = round(H / h);
  if (!(steps >= 1 && steps <= MAX_STEPS && fabs(H / h - steps) <= 1e-9 * steps))
    return reader_fail(c->r, value, "take the whole's divided by a whole number",
                       "the macro step of %s must divide that of the whole, %g s, up to %d times, but is %g s",
                       c->r->subject, H, MAX_STEPS, h);
  newest(c)->steps = (size_t)steps;
  return SEAM_OK;
}

static seam_status read_integrator(const cosim_section *c, yaml_node *const *values) {
  bool given = false;
  for (int i = 0; i < N_INTEGRATOR_KEYS; i++)
    given |= values[i] != NULL;
  if (!given)
    return SEAM_OK;
  mbs_integrator_options *integrator = cosim_section_take(c, 1, sizeof *integrator);
  if (!integrator)
    return reader_no_memory(c->r);
  *integrator = c->options->integrator;
  newest(c)->integrator = integrator;
  return cosim_section_integrator(c->r, values, simulate_methods, SIMULATE_N_METHODS, integrator);
}

static seam_status read_map(const cosim_section *c, yaml_node *value) {
  yaml_node *values[N_KEYS];
  seam_status status = reader_take_map(c->r, value, keys, N_KEYS, values);
  if (status)
    return status;
  if (!values[BODIES] && !values[FORCES])
    return reader_fail(c->r, reader_place(value), "list what belongs to it, or write equations: inputs, states, ...",
                       "%s needs 'bodies' or 'forces'", c->r->subject);
  if (values[FOR])
    status = expand_lists(c->r, value, values);
  if (!status)
    status = make_room(c, (values[BODIES] ? values[BODIES]->n_children : 0) +
                              (values[FORCES] ? values[FORCES]->n_children : 0));
  if (!status && values[BODIES])
    status = read_list(c, values[BODIES], add_body);
  if (!status && values[FORCES])
    status = read_list(c, values[FORCES], add_force);
  if (!status && values[MACRO_STEP])
    status = read_macro_step(c, values[MACRO_STEP]);
  return status ? status : read_integrator(c, values + INTEGRATOR);
}

static seam_status read_names(const cosim_section *c, const yaml_node *value) {
  if (value->kind != YAML_LIST || value->n_children == 0)
    return reader_fail(c->r, value, "write [NAME, ...], or equations: {inputs: ..., states: ..., ...}",
                       "%s must be a list of bodies, or a map", c->r->subject);
  const seam_status status = make_room(c, value->n_children);
  return status ? status : read_list(c, value, add_either);
}

/* Methods that choose no steps of their own must be told them. Force elements alone may have nothing to integrate. */
static seam_status check_steps(const cosim_section *c, const yaml_node *value) {
  static const char *const fixed[] = {"euler", "symplectic_euler", "rk2", "rk4"};
  const mbs_integrator_options *integrator = newest(c)->integrator ? newest(c)->integrator : &c->options->integrator;
  const yaml_node *method = value->kind == YAML_MAP ? yaml_get(value, keys[INTEGRATOR].name) : NULL;
  if (integrator->step > 0 || (!method && newest(c)->n_bodies == 0))
    return SEAM_OK;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (strcmp(integrator->method, fixed[i]) == 0)
      return reader_fail(c->r, method ? method : reader_place(value), "write micro_step: SECONDS",
                         "%s needs 'micro_step': %s takes fixed steps", c->r->subject, integrator->method);
  return SEAM_OK;
}

static seam_status read_own(const cosim_section *c, yaml_node *value) {
  yaml_node *macro_step = NULL;
  const seam_status status = user_equations_read(c->r, value, &c->options->integrator, &newest(c)->user, &macro_step);
  return status || !macro_step ? status : read_macro_step(c, macro_step);
}

/* `for` of a list of bodies, in the wrong place. */
static bool is_range(const yaml_node *value) {
  return strcmp(value->key->text, "for") == 0 && value->kind == YAML_MAP && !user_equations_is_one(value) &&
         !yaml_get(value, "bodies") && !yaml_get(value, "forces");
}

static seam_status read_subsystem(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  const char *name = value->key->text;
  seam_status status = reader_check_name(r, value->key, false);
  if (status)
    return status;
  if (is_range(value))
    return reader_fail(r, value->key, "write repeat: [{for: {i: [1, N]}, cosim: {subsystems: {...}}}] there",
                       "subsystems are repeated at the top of the file");
  reader_set_subject(r, "subsystem", value);
  if (table_find(&c->names, name, strlen(name)))
    return reader_fail(r, value->key, "choose another name", "there are two subsystems '%.60s'", name);
  name = cosim_section_keep(c, name);
  if (!name || !table_add(&c->names, name, strlen(name), c->options->n_subsystems))
    return reader_no_memory(r);
  c->options->n_subsystems++;
  newest(c)->name = name;
  if (user_equations_is_one(value))
    return read_own(c, value);
  status = value->kind == YAML_MAP ? read_map(c, value) : read_names(c, value);
  return status ? status : check_steps(c, value);
}

/* ---- All of them ------------------------------------------------------------------------------------------------- */

seam_status cosim_section_subsystems(cosim_section *c, yaml_node *value) {
  reader *r = c->r;
  const char *fix = "write {left: [BODY, ...], right: [BODY, ...]}, or equations: {NAME: {inputs: ...}, ...}";
  if (value->kind != YAML_MAP)
    return reader_fail(r, value, fix, "'subsystems' must be a map, but is %s", yaml_kind_text(value));
  if (value->n_children < 2)
    return reader_fail(r, value, fix, "'subsystems' must hold at least two subsystems");
  c->options->subsystems = cosim_section_take(c, value->n_children, sizeof *c->options->subsystems);
  if (!c->options->subsystems)
    return reader_no_memory(r);
  for (size_t i = 0; i < r->n_entries; i++)
    c->subsystem_of[i] = NO_SUBSYSTEM;
  seam_status status = SEAM_OK;
  for (yaml_node *child = value->first; child && !status; child = child->next)
    status = read_subsystem(c, child);
  for (size_t i = 0; i < r->n_entries && !status; i++)
    if (r->entries[i].kind == ENTRY_BODY && c->subsystem_of[i] == NO_SUBSYSTEM)
      status = reader_fail(r, value->key, "every body belongs to exactly one", "body '%.60s' is in no subsystem",
                           r->entries[i].name);
  return status;
}

seam_status cosim_section_subsystem(const cosim_section *c, const yaml_node *name, size_t *subsystem) {
  const char *text = NULL;
  const seam_status status = reader_text(c->r, name, &text);
  if (status)
    return status;
  const table_slot *slot = table_find(&c->names, text, strlen(text));
  if (slot) {
    *subsystem = slot->value;
    return SEAM_OK;
  }
  char fix[128];
  nearest search = nearest_to(text);
  for (size_t i = 0; i < c->options->n_subsystems; i++)
    nearest_try(&search, c->options->subsystems[i].name);
  nearest_hint(&search, fix, sizeof fix);
  return reader_fail(c->r, name, fix, "unknown subsystem '%.60s' in %s", text, c->r->subject);
}
