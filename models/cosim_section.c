/* `cosim:` how the mechanism is cut into subsystems and coupled again. */
#include <stdint.h>
#include <string.h>

#include "models/nearest.h"
#include "models/reader.h"
#include "models/repeat.h"
#include "models/scheme_name.h"

enum {
  SUBSYSTEMS,
  MACRO_STEP,
  SCHEME,
  COUPLINGS,
  EXCHANGE,
  HISTORY,
  DERIVATIVES,
  REUSE,
  INTEGRATOR,
  ORDER,
  RTOL,
  ATOL,
  MICRO_STEP,
  IMPLICIT,
  N_KEYS
};

static const map_key keys[N_KEYS] = {
    [SUBSYSTEMS] = {"subsystems", true},
    [MACRO_STEP] = {"macro_step", true},
    [SCHEME] = {"scheme", false},
    [COUPLINGS] = {"couplings", false},
    [EXCHANGE] = {"exchange", false},
    [HISTORY] = {"history", false},
    [DERIVATIVES] = {"derivatives", false},
    [REUSE] = {"reuse", false},
    [INTEGRATOR] = {"integrator", false},
    [ORDER] = {"order", false},
    [RTOL] = {"rtol", false},
    [ATOL] = {"atol", false},
    [MICRO_STEP] = {"micro_step", false},
    [IMPLICIT] = {"implicit", false},
};

static const size_t NO_SUBSYSTEM = SIZE_MAX;

static cosim_options *options_of(const reader *r) { return &r->result->cosim; }

/* What is handed out as constant is filled here. */
static cosim_subsystem *subsystems_of(const reader *r) { return (cosim_subsystem *)options_of(r)->subsystems; }

static const char *keep_text(reader *r, const char *text) { return arena_text(&r->result->memory, text, strlen(text)); }

/* ---- Subsystems -------------------------------------------------------------------------------------------------- */

/* {for: {i: [1, N]}, bodies: ["link{i}"]} as the list it stands for. */
static seam_status expand_list(reader *r, yaml_node *map, yaml_node **list) {
  static const map_key list_keys[] = {{"for", true}, {"bodies", true}};
  yaml_node *values[2];
  repeat_ranges ranges;
  seam_status status = reader_take_map(r, map, list_keys, 2, values);
  if (!status)
    status = repeat_read_ranges(r, values[0], &ranges);
  if (status)
    return status;
  if (values[1]->kind != YAML_LIST)
    return reader_fail(r, values[1], "write [\"NAME{i}\"]", "'bodies' in %s must be a list of names", r->subject);
  if (ranges.count * (double)(values[1]->n_children + 1) > (double)r->n_entries + 1000)
    return reader_fail(r, map, "make the range shorter", "%s lists more bodies than there are", r->subject);
  *list = yaml_new(&r->memory, YAML_LIST, map);
  if (!*list)
    return reader_no_memory(r);
  const size_t count = (size_t)ranges.count;
  for (size_t number = 0; number < count; number++) {
    const index_values *indices = repeat_indices(r, &ranges, number);
    if (!indices)
      return reader_no_memory(r);
    for (const yaml_node *name = values[1]->first; name; name = name->next) {
      yaml_node *copy = NULL;
      status = repeat_copy(r, name, indices, &copy);
      if (status)
        return status;
      yaml_append(*list, copy, NULL);
    }
  }
  return SEAM_OK;
}

static seam_status add_body(reader *r, const yaml_node *name, size_t subsystem, size_t *subsystem_of) {
  size_t body = 0;
  const seam_status status = reader_body(r, name, &body);
  if (status)
    return status;
  if (body == READER_GROUND)
    return reader_fail(r, name, "remove it", "the ground belongs to every subsystem and is not listed");
  if (subsystem_of[body] != NO_SUBSYSTEM)
    return reader_fail(r, name, "list each body once", "body '%.60s' is in subsystem '%.60s' already", name->text,
                       options_of(r)->subsystems[subsystem_of[body]].name);
  subsystem_of[body] = subsystem;
  cosim_subsystem *to = &subsystems_of(r)[subsystem];
  const char *kept = keep_text(r, name->text);
  ((const char **)to->bodies)[to->n_bodies++] = kept;
  return kept ? SEAM_OK : reader_no_memory(r);
}

static seam_status read_subsystem(reader *r, yaml_node *value, size_t *subsystem_of) {
  cosim_options *options = options_of(r);
  seam_status status = reader_check_name(r, value->key, false);
  if (status)
    return status;
  reader_set_subject(r, "subsystem", value);
  yaml_node *list = value;
  if (value->kind == YAML_MAP)
    status = expand_list(r, value, &list);
  if (status)
    return status;
  if (list->kind != YAML_LIST || (list == value && list->n_children == 0))
    return reader_fail(r, value, "write [NAME, NAME, ...]", "%s must be a list of bodies", r->subject);
  const size_t i = options->n_subsystems++;
  cosim_subsystem *new_one = &subsystems_of(r)[i];
  new_one->name = keep_text(r, value->key->text);
  new_one->bodies = arena_take(&r->result->memory, list->n_children * sizeof *new_one->bodies);
  if (!new_one->name || !new_one->bodies)
    return reader_no_memory(r);
  for (const yaml_node *name = list->first; name && !status; name = name->next)
    status = add_body(r, name, i, subsystem_of);
  if (list != value) { /* the effective model shows the list */
    value->kind = YAML_LIST;
    value->first = list->first;
    value->last = list->last;
    value->n_children = list->n_children;
  }
  return status;
}

static seam_status read_subsystems(reader *r, yaml_node *value, size_t *subsystem_of) {
  if (value->kind != YAML_MAP || value->n_children < 2)
    return reader_fail(r, value, "write {left: [BODY, ...], right: [BODY, ...]}",
                       "'subsystems' must be a map of at least two lists of bodies");
  cosim_options *options = options_of(r);
  options->subsystems = arena_take(&r->result->memory, value->n_children * sizeof *options->subsystems);
  if (!options->subsystems)
    return reader_no_memory(r);
  for (size_t i = 0; i < r->n_entries; i++)
    subsystem_of[i] = NO_SUBSYSTEM;
  seam_status status = SEAM_OK;
  for (yaml_node *child = value->first; child && !status; child = child->next)
    status = read_subsystem(r, child, subsystem_of);
  for (size_t i = 0; i < r->n_entries && !status; i++)
    if (r->entries[i].kind == ENTRY_BODY && subsystem_of[i] == NO_SUBSYSTEM)
      status = reader_fail(r, value->key, "every body belongs to exactly one", "body '%.60s' is in no subsystem",
                           r->entries[i].name);
  return status;
}

/* ---- Schemes ----------------------------------------------------------------------------------------------------- */

static seam_status read_scheme_name(reader *r, const yaml_node *value, const char **scheme) {
  const char *text = NULL;
  const seam_status status = reader_text(r, value, &text);
  if (status)
    return status;
  scheme_name_error error;
  if (!scheme_name_check(text, &error)) {
    yaml_node at = *value;
    at.offset += error.column;
    return reader_fail(r, &at, "write DECOMPOSITION[-METHOD[(OPTIONS)]]-kORDER[-ITERATION], such as ff-k1",
                       "'%.60s' is not the name of a scheme: %s", text, error.cause);
  }
  *scheme = keep_text(r, text);
  return *scheme ? SEAM_OK : reader_no_memory(r);
}

static seam_status read_scheme(reader *r, yaml_node *value) {
  static const map_key kinds[] = {{"constitutive", false}, {"constraint", false}};
  cosim_options *options = options_of(r);
  if (value->kind != YAML_MAP) {
    const seam_status status = read_scheme_name(r, value, &options->constitutive_scheme);
    options->constraint_scheme = options->constitutive_scheme;
    return status;
  }
  yaml_node *values[2];
  seam_status status = reader_take_map(r, value, kinds, 2, values);
  if (!status && values[0])
    status = read_scheme_name(r, values[0], &options->constitutive_scheme);
  if (!status && values[1])
    status = read_scheme_name(r, values[1], &options->constraint_scheme);
  return status;
}

static bool is_coupling(const entry *e, const size_t *subsystem_of) {
  if (!e->joins || e->bodies[0] == READER_GROUND || e->bodies[1] == READER_GROUND)
    return false;
  return subsystem_of[e->bodies[0]] != subsystem_of[e->bodies[1]];
}

static seam_status check_coupling(reader *r, const yaml_node *name, const size_t *subsystem_of) {
  const table_slot *slot = table_find(&r->entry_names, name->text, strlen(name->text));
  if (slot && is_coupling(&r->entries[slot->value], subsystem_of))
    return SEAM_OK;
  if (slot)
    return reader_fail(r, name, "only joints and forces between two subsystems are couplings",
                       "'%.60s' is not a coupling: it does not join two subsystems", name->text);
  char mend[128];
  nearest search = nearest_to(name->text);
  for (size_t i = 0; i < r->n_entries; i++)
    if (is_coupling(&r->entries[i], subsystem_of))
      nearest_try(&search, r->entries[i].name);
  nearest_hint(&search, mend, sizeof mend);
  return reader_fail(r, name, mend, "unknown coupling '%.60s'", name->text);
}

static seam_status read_choice(reader *r, yaml_node *value, const size_t *subsystem_of) {
  static const map_key choice_keys[] = {{"scheme", true}};
  cosim_options *options = options_of(r);
  yaml_node *scheme = NULL;
  seam_status status = check_coupling(r, value->key, subsystem_of);
  if (status)
    return status;
  reader_set_subject(r, "coupling", value);
  cosim_choice *new_one = (cosim_choice *)&options->choices[options->n_choices];
  status = reader_take_map(r, value, choice_keys, 1, &scheme);
  if (!status)
    status = read_scheme_name(r, scheme, &new_one->scheme);
  if (status)
    return status;
  new_one->element = keep_text(r, value->key->text);
  options->n_choices++;
  return new_one->element ? SEAM_OK : reader_no_memory(r);
}

static seam_status read_choices(reader *r, const yaml_node *value, const size_t *subsystem_of) {
  cosim_options *options = options_of(r);
  if (value->kind != YAML_MAP)
    return reader_fail(r, value, "write {NAME: {scheme: ff-k1}}", "'couplings' must be a map");
  options->choices = arena_take(&r->result->memory, value->n_children * sizeof *options->choices);
  if (!options->choices)
    return reader_no_memory(r);
  seam_status status = SEAM_OK;
  for (yaml_node *child = value->first; child && !status; child = child->next)
    status = read_choice(r, child, subsystem_of);
  return status;
}

/* ---- Options ----------------------------------------------------------------------------------------------------- */

/* One of two words; the second sets the flag. */
static seam_status read_flag(reader *r, const yaml_node *value, const char *off, const char *on, bool *flag) {
  const char *const words[] = {off, on};
  size_t chosen = 0;
  if (!value)
    return SEAM_OK;
  const seam_status status = reader_choice(r, value, words, 2, &chosen);
  *flag = chosen == 1;
  return status;
}

/* A method whose steps may be fixed needs micro_step; the engine refuses what does not go together. */
static seam_status read_integrator(reader *r, yaml_node *const *values) {
  static const char *const methods[] = {"erk", "radau", "ida", "cvode"};
  mbs_integrator_options *integrator = &options_of(r)->integrator;
  seam_status status = SEAM_OK;
  if (values[INTEGRATOR]) {
    size_t chosen = 0;
    status = reader_choice(r, values[INTEGRATOR], methods, sizeof methods / sizeof *methods, &chosen);
    integrator->method = methods[chosen];
  }
  if (!status && values[ORDER])
    status = simulate_read_order(r, values[ORDER], &integrator->order);
  if (!status && values[RTOL])
    status = reader_number(r, values[RTOL], POSITIVE, &integrator->rtol);
  if (!status && values[ATOL])
    status = reader_number(r, values[ATOL], POSITIVE, &integrator->atol);
  yaml_node *step = values[MICRO_STEP];
  if (status || !step || (step->text && strcmp(step->text, "adaptive") == 0))
    return status;
  return reader_number(r, step, POSITIVE, &integrator->step);
}

static seam_status read_implicit(reader *r, yaml_node *value) {
  static const map_key implicit_keys[] = {{"tolerance", false}, {"iterations", false}};
  yaml_node *values[2];
  reader_set_subject(r, "implicit", NULL);
  seam_status status = reader_take_map(r, value, implicit_keys, 2, values);
  if (!status && values[0])
    status = reader_number(r, values[0], POSITIVE, &options_of(r)->implicit_tolerance);
  if (!status && values[1])
    status = reader_count(r, values[1], 1, 1e6, &options_of(r)->implicit_iterations);
  return status;
}

seam_status cosim_read(reader *r) {
  yaml_node *root = yaml_get(r->root, "cosim");
  if (!root)
    return SEAM_OK;
  cosim_options *options = options_of(r);
  *options = cosim_default_options();
  r->result->has_cosim = true;
  size_t *subsystem_of = arena_take(&r->memory, r->n_entries * sizeof *subsystem_of);
  if (!subsystem_of)
    return reader_no_memory(r);
  yaml_node *values[N_KEYS];
  reader_set_subject(r, "cosim", NULL);
  seam_status status = reader_take_map(r, root, keys, N_KEYS, values);
  if (!status)
    status = read_subsystems(r, values[SUBSYSTEMS], subsystem_of);
  reader_set_subject(r, "cosim", NULL);
  if (!status)
    status = reader_number(r, values[MACRO_STEP], POSITIVE, &options->macro_step);
  if (!status && values[SCHEME])
    status = read_scheme(r, values[SCHEME]);
  if (!status)
    status = read_flag(r, values[EXCHANGE], "jacobi", "gauss-seidel", &options->gauss_seidel);
  if (!status)
    status = read_flag(r, values[HISTORY], "raise", "exact", &options->exact_history);
  if (!status)
    status = read_flag(r, values[DERIVATIVES], "exact", "differences", &options->differences);
  if (!status)
    status = read_flag(r, values[REUSE], "false", "true", &options->reuse);
  if (!status)
    status = read_integrator(r, values);
  if (!status && values[COUPLINGS])
    status = read_choices(r, values[COUPLINGS], subsystem_of);
  if (!status && values[IMPLICIT])
    status = read_implicit(r, values[IMPLICIT]);
  return status;
}
