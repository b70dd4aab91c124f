#include "cosim/mechanism/definition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/argument.h"
#include "base/then.h"
#include "base/vector.h"
#include "cosim/coupling/master.h"
#include "cosim/mechanism/partition.h"
#include "cosim/parts/part.h"
#include "cosim/thresholds.h"

static seam_status check_memory(bool is_enough, seam_error *error) {
  return is_enough ? SEAM_OK : seam_fail(error, SEAM_NO_MEMORY, "no memory to build a co-simulation");
}

/* ---- Defaults ---- */

cosim_options cosim_default_options(void) {
  const cosim_master_options master = cosim_default_master_options();
  mbs_integrator_options integrator = mbs_default_integrator_options();
  integrator.order = 0; /* 0: the couplings of each subsystem determine it */
  return (cosim_options){.cookie = COSIM_COOKIE,
                         .integrator = integrator,
                         .implicit_tolerance = master.tolerance,
                         .implicit_iterations = (size_t)master.iterations};
}

cosim_subsystem_def cosim_default_subsystem_def(void) {
  return (cosim_subsystem_def){.cookie = COSIM_COOKIE, .steps = 1};
}

cosim_coupling_options cosim_default_coupling_options(void) { return (cosim_coupling_options){.cookie = COSIM_COOKIE}; }

cosim_coupling_def cosim_default_coupling_def(void) {
  return (cosim_coupling_def){.cookie = COSIM_COOKIE, .n_dims = 1};
}

cosim_connection_def cosim_default_connection_def(void) {
  return (cosim_connection_def){.cookie = COSIM_COOKIE, .gain = 1, .rate_gain = 1};
}

cosim_bond_def cosim_default_bond_def(void) { return (cosim_bond_def){.cookie = COSIM_COOKIE}; }

cosim_energy_correction_def cosim_default_energy_correction_def(void) {
  return (cosim_energy_correction_def){.cookie = COSIM_COOKIE, .mu = NAN, .limit = cosim_energy_limit};
}

cosim_balance_correction_def cosim_default_balance_correction_def(void) {
  return (cosim_balance_correction_def){.cookie = COSIM_COOKIE, .spread = 1};
}

static seam_status check_cookie(int cookie, const char *what, seam_error *error) {
  if (cookie == COSIM_COOKIE)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s is not initialised: start from its default", what);
}

/* Size of the text with which a message begins, such as "subsystem 'left'". */
enum { MAX_SUBJECT = 200 };

/* ---- Checks of lists and texts, before they are copied ---- */

static seam_status check_names(const char *subject, const char *what, const char *const *names, size_t n,
                               seam_error *error) {
  TRY(argument_check_list(subject, what, names, n, error));
  for (size_t i = 0; i < n; i++)
    if (names[i] == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: entry %zu of its list '%s' is NULL: give a name", subject, i, what);
  return SEAM_OK;
}

static seam_status check_texts(const void *item, seam_error *error) {
  const cosim_subsystem_def *def = item;
  char subject[MAX_SUBJECT];
  snprintf(subject, sizeof subject, "subsystem '%s'", def->name);
  TRY(check_names(subject, "bodies", def->bodies, def->n_bodies, error));
  TRY(check_names(subject, "forces", def->forces, def->n_forces, error));
  TRY(check_names(subject, "equations", def->equations, def->n_equations, error));
  if (def->user == NULL)
    return SEAM_OK;
  TRY(check_names(subject, "inputs", def->user->inputs, def->user->n_inputs, error));
  return check_names(subject, "outputs", def->user->outputs, def->user->n_outputs, error);
}

static seam_status check_ports(const void *item, seam_error *error) {
  const cosim_bond_def *def = item;
  char subject[MAX_SUBJECT];
  snprintf(subject, sizeof subject, "power bond '%s'", def->name);
  if (def->n_ports < 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s has %d ports: give two or more", subject, def->n_ports);
  TRY(argument_check_list(subject, "ports", def->ports, (size_t)def->n_ports, error));
  for (int i = 0; i < def->n_ports; i++)
    if (def->ports[i].input == NULL || def->ports[i].output == NULL)
      return seam_fail(error, SEAM_BAD_INPUT, "%s: port %d has no input or no output: name both", subject, i);
  return SEAM_OK;
}

/* ---- Copies ---- */

/* Returns a copy, NULL if `data` is NULL; *enough becomes false when memory is exhausted. */
static void *copy(arena *memory, const void *data, size_t size, bool *enough) {
  if (data == NULL)
    return NULL;
  void *made = arena_allocate(memory, size + 1);
  *enough = *enough && made != NULL;
  if (made != NULL && size > 0)
    memcpy(made, data, size);
  return made;
}

static const char *copy_text(arena *memory, const char *text, bool *enough) {
  return copy(memory, text, text == NULL ? 0 : strlen(text), enough);
}

static const char *const *copy_texts(arena *memory, const char *const *texts, size_t n, bool *enough) {
  const char **made = arena_allocate(memory, (n + 1) * sizeof *made);
  *enough = *enough && made != NULL;
  for (size_t i = 0; i < n && *enough; i++)
    made[i] = copy_text(memory, texts[i], enough);
  return made;
}

static bool copy_subsystem(arena *memory, void *item) {
  cosim_subsystem_def *def = item;
  bool enough = true;
  def->bodies = copy_texts(memory, def->bodies, def->n_bodies, &enough);
  def->forces = copy_texts(memory, def->forces, def->n_forces, &enough);
  def->equations = copy_texts(memory, def->equations, def->n_equations, &enough);
  cosim_user_part *user = copy(memory, def->user, sizeof *user, &enough);
  if (user != NULL) {
    user->inputs = copy_texts(memory, user->inputs, user->n_inputs, &enough);
    user->outputs = copy_texts(memory, user->outputs, user->n_outputs, &enough);
  }
  def->user = user;
  mbs_integrator_options *integrator = copy(memory, def->integrator, sizeof *integrator, &enough);
  if (integrator != NULL)
    integrator->method = copy_text(memory, integrator->method, &enough);
  def->integrator = integrator;
  return enough;
}

static bool copy_ports(arena *memory, void *item) {
  cosim_bond_def *def = item;
  bool enough = true;
  cosim_port_def *ports = copy(memory, def->ports, (size_t)def->n_ports * sizeof *ports, &enough);
  for (int i = 0; i < def->n_ports && enough; i++) {
    ports[i].input = copy_text(memory, ports[i].input, &enough);
    ports[i].output = copy_text(memory, ports[i].output, &enough);
  }
  def->ports = ports;
  return enough;
}

static bool copy_sides(arena *memory, void *item) {
  cosim_coupling_def *def = item;
  bool enough = true;
  for (cosim_side_def *side = def->side; side < def->side + 2; side++) {
    const char **const texts[] = {
        &side->subsystem,          &side->force_input, &side->position_input, &side->velocity_input,
        &side->acceleration_input, &side->position,    &side->velocity,       &side->acceleration,
        &side->position_integral,  &side->multiplier,  &side->element};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
      *texts[i] = copy_text(memory, *texts[i], &enough);
  }
  return enough;
}

/* ---- Lists ---- */

enum { MAX_TEXTS = 3 };

/* A list in cosim_definition. Items begin with a cookie (COSIM_COOKIE). */
typedef struct list_kind {
  const char *what;
  size_t list, n, size; /* offsets of the list and of its length in the definition; size of an item */
  struct {
    const char *name; /* NULL: no further text */
    size_t offset;
  } texts[MAX_TEXTS]; /* texts of an item, with their offsets in it */
  int n_required;     /* the first n_required texts must be given */
  seam_status (*check_item)(const void *item, seam_error *error);
  bool (*copy_lists)(arena *memory, void *item);
} list_kind;

#define LIST(field, type)                                                                                              \
  .list = offsetof(cosim_definition, field), .n = offsetof(cosim_definition, n_##field), .size = sizeof(type)
#define TEXT(type, field)                                                                                              \
  { #field, offsetof(type, field) }

static const list_kind subsystems = {.what = "a subsystem",
                                     LIST(subsystems, cosim_subsystem_def),
                                     .texts = {TEXT(cosim_subsystem_def, name)},
                                     .n_required = 1,
                                     .check_item = check_texts,
                                     .copy_lists = copy_subsystem};
static const list_kind couplings = {
    .what = "a coupling",
    LIST(coupling_options, cosim_coupling_options),
    .texts = {TEXT(cosim_coupling_options, element), TEXT(cosim_coupling_options, scheme)},
    .n_required = 1};
static const list_kind part_couplings = {.what = "a coupling of user parts",
                                         LIST(part_couplings, cosim_coupling_def),
                                         .texts = {TEXT(cosim_coupling_def, name), TEXT(cosim_coupling_def, scheme)},
                                         .n_required = 1,
                                         .copy_lists = copy_sides};
static const list_kind connections = {
    .what = "a connection",
    LIST(signals, cosim_connection_def),
    .texts = {TEXT(cosim_connection_def, from), TEXT(cosim_connection_def, to), TEXT(cosim_connection_def, rate)},
    .n_required = 2};
static const list_kind bonds = {.what = "a power bond",
                                LIST(bonds, cosim_bond_def),
                                .texts = {TEXT(cosim_bond_def, name)},
                                .n_required = 1,
                                .check_item = check_ports,
                                .copy_lists = copy_ports};
static const list_kind energy_corrections = {
    .what = "an energy correction",
    LIST(energy_corrections, cosim_energy_correction_def),
    .texts = {TEXT(cosim_energy_correction_def, bond), TEXT(cosim_energy_correction_def, part)}};
static const list_kind balance_corrections = {
    .what = "a balance correction",
    LIST(balance_corrections, cosim_balance_correction_def),
    .texts = {TEXT(cosim_balance_correction_def, input), TEXT(cosim_balance_correction_def, integral)},
    .n_required = 1};

static const char *text_of(const list_kind *kind, const void *item, int i) {
  const char *text = NULL;
  memcpy(&text, (const char *)item + kind->texts[i].offset, sizeof text);
  return text;
}

/* Appends a copy of an item. The capacity of the list doubles when its length reaches a power of two. */
static seam_status append(cosim_builder *self, const list_kind *kind, const void *def, seam_error *error) {
  char *definition = (char *)&self->definition;
  size_t *n = (size_t *)(void *)(definition + kind->n);
  char *list = NULL;
  bool enough = true;
  memcpy(&list, definition + kind->list, sizeof list);
  if ((*n & (*n - 1)) == 0) {
    char *longer = arena_allocate(&self->memory, (2 * *n + 1) * kind->size);
    TRY(check_memory(longer != NULL, error));
    if (*n > 0)
      memcpy(longer, list, *n * kind->size);
    memcpy(definition + kind->list, &longer, sizeof longer);
    list = longer;
  }
  char *item = list + *n * kind->size;
  memcpy(item, def, kind->size);
  for (int i = 0; i < MAX_TEXTS && kind->texts[i].name != NULL; i++) {
    const char *text = copy_text(&self->memory, text_of(kind, item, i), &enough);
    memcpy(item + kind->texts[i].offset, &text, sizeof text);
  }
  TRY(check_memory(enough && (kind->copy_lists == NULL || kind->copy_lists(&self->memory, item)), error));
  ++*n;
  return SEAM_OK;
}

static seam_status add(cosim_builder *self, const list_kind *kind, const void *def, seam_error *error) {
  TRY(check_cookie(*(const int *)def, kind->what, error));
  for (int i = 0; i < kind->n_required; i++) {
    const char *text = text_of(kind, def, i);
    if (text == NULL || *text == '\0')
      return seam_fail(error, SEAM_BAD_INPUT, "%s has no '%s': give it one", kind->what, kind->texts[i].name);
  }
  if (kind->check_item != NULL)
    TRY(kind->check_item(def, error));
  return append(self, kind, def, error);
}

seam_status cosim_add_subsystem(cosim_builder *self, const cosim_subsystem_def *def, seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &subsystems, def, error);
}

seam_status cosim_set_coupling(cosim_builder *self, const cosim_coupling_options *options, seam_error *error) {
  ARGUMENTS(error, self, options);
  return add(self, &couplings, options, error);
}

void cosim_clear_couplings(cosim_builder *self) {
  if (self != NULL)
    self->definition.n_coupling_options = 0;
}

seam_status cosim_add_coupling(cosim_builder *self, const cosim_coupling_def *def, seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &part_couplings, def, error);
}

seam_status cosim_add_connection(cosim_builder *self, const cosim_connection_def *def, seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &connections, def, error);
}

seam_status cosim_add_bond(cosim_builder *self, const cosim_bond_def *def, seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &bonds, def, error);
}

seam_status cosim_add_energy_correction(cosim_builder *self, const cosim_energy_correction_def *def,
                                        seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &energy_corrections, def, error);
}

seam_status cosim_add_balance_correction(cosim_builder *self, const cosim_balance_correction_def *def,
                                         seam_error *error) {
  ARGUMENTS(error, self, def);
  return add(self, &balance_corrections, def, error);
}

/* ---- Single definitions ---- */

seam_status cosim_set_model_based(cosim_builder *self, const cosim_model_based_def *def, seam_error *error) {
  ARGUMENTS(error, self, def);
  bool enough = true;
  TRY(check_cookie(def->cookie, "a model-based correction", error));
  self->definition.model_based = copy(&self->memory, def, sizeof *def, &enough);
  return check_memory(enough, error);
}

seam_status cosim_set_step_control(cosim_builder *self, const cosim_step_control *control, seam_error *error) {
  ARGUMENTS(error, self);
  bool enough = true;
  if (control != NULL)
    TRY(check_cookie(control->cookie, "the control of macro steps", error));
  self->definition.step_control = copy(&self->memory, control, sizeof *control, &enough);
  return check_memory(enough, error);
}

static seam_status store_options(cosim_builder *self, const cosim_options *options, seam_error *error) {
  cosim_options *copy_of = &self->definition.options;
  bool enough = true;
  *copy_of = *options;
  copy_of->constitutive_scheme = copy_text(&self->memory, options->constitutive_scheme, &enough);
  copy_of->constraint_scheme = copy_text(&self->memory, options->constraint_scheme, &enough);
  copy_of->integrator.method = copy_text(&self->memory, options->integrator.method, &enough);
  return check_memory(enough, error);
}

seam_status cosim_set_options(cosim_builder *self, const cosim_options *options, seam_error *error) {
  ARGUMENTS(error, self, options);
  TRY(check_cookie(options->cookie, "a set of options", error));
  return store_options(self, options, error);
}

/* ---- Access ---- */

const cosim_definition *cosim_builder_definition(const cosim_builder *self) {
  static const cosim_definition none;
  return self == NULL ? &none : &self->definition;
}

const mbs_model *cosim_builder_model(const cosim_builder *self) { return self == NULL ? NULL : self->model; }

/* ---- Checks of names and numbers, when a co-simulation is created ---- */

static seam_status check_unique(const char *subject, const char *what, const char *const *names, size_t n,
                                seam_error *error) {
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < i; k++)
      if (strcmp(names[i], names[k]) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "%s has two %s named '%s': give each one its own name", subject, what,
                         names[i]);
  return SEAM_OK;
}

static seam_status check_subsystems(const cosim_definition *d, seam_error *error) {
  for (size_t i = 0; i < d->n_subsystems; i++) {
    const cosim_subsystem_def *def = &d->subsystems[i];
    char subject[MAX_SUBJECT];
    for (size_t k = 0; k < i; k++)
      if (strcmp(def->name, d->subsystems[k].name) == 0)
        return seam_fail(error, SEAM_BAD_INPUT, "two subsystems are named '%s': give each one its own name", def->name);
    if (def->user == NULL)
      continue;
    snprintf(subject, sizeof subject, "subsystem '%s'", def->name);
    TRY(check_unique(subject, "inputs", def->user->inputs, def->user->n_inputs, error));
    TRY(check_unique(subject, "outputs", def->user->outputs, def->user->n_outputs, error));
  }
  return SEAM_OK;
}

typedef struct demand {
  const char *name;
  double value;
  bool is_met;
  const char *wanted; /* text of the demand, for messages */
} demand;

static seam_status check_demands(const char *what, const char *name, const demand *demands, size_t n,
                                 seam_error *error) {
  for (size_t i = 0; i < n; i++)
    if (!demands[i].is_met)
      return seam_fail(error, SEAM_BAD_INPUT, "%s%s%s%s: its %s is %g: it must be %s", what, *name == '\0' ? "" : " '",
                       name, *name == '\0' ? "" : "'", demands[i].name, demands[i].value, demands[i].wanted);
  return SEAM_OK;
}

#define CHECK(what, name, demands, error) check_demands(what, name, demands, sizeof(demands) / sizeof *(demands), error)

static const char not_negative[] = "finite and not negative";

static seam_status check_options(const cosim_options *o, seam_error *error) {
  const demand demands[] = {
      {"macro_step", o->macro_step, is_positive(o->macro_step), "positive and finite"},
      {"sequence", (double)o->sequence, o->sequence == COSIM_JACOBI || o->sequence == COSIM_GAUSS_SEIDEL,
       "COSIM_JACOBI or COSIM_GAUSS_SEIDEL"},
      {"implicit_tolerance", o->implicit_tolerance, is_positive(o->implicit_tolerance), "positive and finite"},
      {"implicit_iterations", (double)o->implicit_iterations,
       o->implicit_iterations >= 1 && o->implicit_iterations <= 1000000, "from 1 to 1000000"},
      {"n_threads", o->n_threads, o->n_threads >= 0, "0 (chosen) or more"},
      {"energy_scale", o->energy_scale, is_size(o->energy_scale), not_negative}};
  return CHECK("co-simulation", "", demands, error);
}

seam_status cosim_definition_check(const cosim_definition *d, seam_error *error) {
  if (d->n_subsystems == 0 || (d->n_subsystems == 1 && d->subsystems[0].user == NULL))
    return seam_fail(error, SEAM_BAD_INPUT, "a co-simulation needs two subsystems or more: name them");
  TRY(check_options(&d->options, error));
  TRY(check_subsystems(d, error));
  for (size_t i = 0; i < d->n_part_couplings; i++) {
    const cosim_coupling_def *def = &d->part_couplings[i];
    for (int k = 0; k < def->n_dims && k < 3 && !def->is_rigid; k++) {
      const demand demands[] = {{"stiffness", def->stiffness[k], is_size(def->stiffness[k]), not_negative},
                                {"damping", def->damping[k], is_size(def->damping[k]), not_negative}};
      TRY(CHECK("coupling", def->name, demands, error));
    }
  }
  for (size_t i = 0; i < d->n_signals; i++) {
    const cosim_connection_def *def = &d->signals[i];
    const demand demands[] = {{"gain", def->gain, isfinite(def->gain), "finite"},
                              {"rate_gain", def->rate_gain, isfinite(def->rate_gain), "finite"},
                              {"offset", def->offset, isfinite(def->offset), "finite"}};
    TRY(CHECK("connection to", def->to, demands, error));
  }
  for (size_t i = 0; i < d->n_bonds; i++) {
    const cosim_bond_def *def = &d->bonds[i];
    const demand demands[] = {{"number of ports", def->n_ports, def->n_ports > 0, "2 or more"},
                              {"energy_scale", def->energy_scale, is_size(def->energy_scale), not_negative},
                              {"tolerance", def->tolerance, is_size(def->tolerance), not_negative}};
    TRY(CHECK("power bond", def->name, demands, error));
  }
  for (size_t i = 0; i < d->n_energy_corrections; i++) {
    const cosim_energy_correction_def *def = &d->energy_corrections[i];
    const demand demands[] = {
        {"mu", def->mu, isnan(def->mu) || is_size(def->mu), "finite and not negative, or NaN for the usual one"},
        {"nu", def->nu, is_size(def->nu), not_negative},
        {"limit", def->limit, def->limit > 0, "positive"}};
    TRY(CHECK("energy correction of", def->bond != NULL ? def->bond : def->part, demands, error));
  }
  if (d->step_control == NULL)
    return SEAM_OK;
  const cosim_step_control *control = d->step_control;
  const bool is_known = control->indicator == COSIM_ENERGY_INDICATOR ||
                        control->indicator == COSIM_PREDICTION_INDICATOR || control->indicator == COSIM_ERROR_INDICATOR;
  const demand demands[] = {{"indicator", (double)control->indicator, is_known, "one of cosim_step_indicator"},
                            {"shortest", control->shortest, is_size(control->shortest), not_negative}};
  return CHECK("step control", "", demands, error);
}

/* ---- Schemes ---- */

/* Finds the name of the first coupling at a joint (at_joints) or at a force element. *found is NULL if there is none,
 * or if the mechanism cannot be cut as defined. SEAM_NO_MEMORY. */
static seam_status find_coupling(const cosim_builder *self, bool at_joints, const char **found) {
  cosim_partition partition;
  const seam_status status = cosim_partition_cut(self->model, &self->definition, &partition, NULL);
  *found = NULL;
  for (size_t k = 0; status == SEAM_OK && k < partition.n_cuts && *found == NULL; k++)
    *found = partition.cuts[k].is_joint == at_joints ? partition.cuts[k].base.name : NULL;
  for (size_t k = 0; status == SEAM_OK && k < self->definition.n_part_couplings && *found == NULL; k++)
    *found = self->definition.part_couplings[k].is_rigid == at_joints ? self->definition.part_couplings[k].name : NULL;
  cosim_partition_free(&partition);
  return status == SEAM_NO_MEMORY ? status : SEAM_OK;
}

bool cosim_has_couplings(const cosim_builder *self, bool at_joints) {
  const char *found = NULL;
  return self != NULL && find_coupling(self, at_joints, &found) == SEAM_OK && found != NULL;
}

bool cosim_has_signals(const cosim_builder *self) {
  const cosim_definition *of = cosim_builder_definition(self);
  bool found = of->n_signals > 0;
  for (size_t i = 0; i < of->n_subsystems; i++)
    found = found || of->subsystems[i].user != NULL;
  return found;
}

bool cosim_builder_collocates(const cosim_builder *self) {
  cosim_partition partition;
  if (self == NULL || cosim_partition_cut(self->model, &self->definition, &partition, NULL) != SEAM_OK)
    return false;
  bool all = partition.n_cuts > 0;
  cosim_choose_schemes(&partition, &self->definition, NULL); /* the creation of the co-simulation reports errors */
  for (size_t k = 0; k < partition.n_cuts && all; k++)
    all = partition.cuts[k].base.scheme.name != NULL && partition.cuts[k].base.scheme.method == COSIM_COLLOCATION;
  cosim_partition_free(&partition);
  return all;
}

/* Removes the schemes given to single couplings at joints (at_joint) or at force elements. These couplings then take
 * the scheme of the options. Their orders and smoothness of holds remain if the new scheme uses holds. */
static seam_status drop_schemes(cosim_builder *self, bool at_joint, bool uses_holds, seam_error *error) {
  cosim_definition *d = &self->definition;
  const size_t n_before = d->n_coupling_options;
  const size_t n_parts = d->n_part_couplings;
  cosim_coupling_options *remaining = arena_allocate(&self->memory, (2 * n_before + 1) * sizeof *remaining);
  cosim_coupling_def *of_parts = arena_allocate(&self->memory, (2 * n_parts + 1) * sizeof *of_parts);
  TRY(check_memory(remaining != NULL && of_parts != NULL, error));
  d->n_coupling_options = 0;
  for (size_t i = 0; i < n_before; i++) {
    cosim_coupling_options options = d->coupling_options[i];
    const bool is_replaced = (mbs_find_joint(self->model, options.element) != SEAM_NONE) == at_joint;
    if (is_replaced)
      options.scheme = NULL;
    if (!is_replaced || (uses_holds && (options.has_orders || options.smooth)))
      remaining[d->n_coupling_options++] = options;
  }
  d->coupling_options = remaining;
  for (size_t i = 0; i < n_parts; i++) {
    of_parts[i] = d->part_couplings[i];
    of_parts[i].scheme = of_parts[i].is_rigid == at_joint ? NULL : of_parts[i].scheme;
  }
  d->part_couplings = of_parts;
  return SEAM_OK;
}

seam_status cosim_use_scheme(cosim_builder *self, const char *scheme, seam_error *error) {
  ARGUMENTS(error, self, scheme);
  cosim_scheme parsed;
  TRY(cosim_scheme_read(scheme, &parsed, error));
  const char *found[2] = {NULL};
  bool enough = true;
  for (int at_joint = 0; at_joint < 2; at_joint++)
    if (parsed.at_both || parsed.at_constraint == at_joint)
      TRY(check_memory(find_coupling(self, at_joint, &found[at_joint]) == SEAM_OK, error));
  if (found[0] == NULL && found[1] == NULL) { /* the scheme may be for the other kind of coupling */
    const char *other = NULL;
    seam_error cause = {0};
    if (!parsed.at_both)
      TRY(check_memory(find_coupling(self, !parsed.at_constraint, &other) == SEAM_OK, error));
    if (other == NULL)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "there is nothing that scheme '%s' could couple: name two subsystems with a joint or force "
                       "element between them",
                       parsed.name);
    const seam_status status = cosim_scheme_at(&parsed, !parsed.at_constraint, &cause);
    return seam_fail(error, status, "coupling '%s': %s", other, cause.message);
  }
  const char *name = copy_text(&self->memory, scheme, &enough);
  TRY(check_memory(enough, error));
  /* Only explicit schemes with a force on one side and a motion on the other use orders and smoothness of holds. */
  const bool has_holds = !cosim_scheme_corrects(&parsed) &&
                         cosim_scheme_drives(&parsed, 0, COSIM_FORCE) != cosim_scheme_drives(&parsed, 1, COSIM_FORCE);
  for (int at_joint = 0; at_joint < 2; at_joint++) {
    cosim_options *options = &self->definition.options;
    if (found[at_joint] == NULL)
      continue;
    *(at_joint ? &options->constraint_scheme : &options->constitutive_scheme) = name;
    TRY(drop_schemes(self, at_joint, has_holds, error));
  }
  return SEAM_OK;
}

/* ---- Replacements: user parts, finer steps ---- */

static bool has_names(const char *const *a, size_t n, const char *const *b, size_t n_b) {
  for (size_t i = 0; i < n && n == n_b; i++)
    if (b == NULL || b[i] == NULL || strcmp(a[i], b[i]) != 0)
      return false;
  return n == n_b;
}

seam_status cosim_replace_user_part(cosim_builder *self, const char *subsystem, const cosim_user_part *user,
                                    seam_error *error) {
  ARGUMENTS(error, self, subsystem, user);
  cosim_subsystem_def *def = NULL;
  for (size_t i = 0; i < self->definition.n_subsystems && def == NULL; i++)
    if (strcmp(self->definition.subsystems[i].name, subsystem) == 0)
      def = (cosim_subsystem_def *)&self->definition.subsystems[i];
  if (def == NULL || def->user == NULL)
    return seam_fail_about(error, SEAM_BAD_INPUT, subsystem, "'%.60s' is not a subsystem of user equations", subsystem);
  if (user->create == NULL || !has_names(def->user->inputs, def->user->n_inputs, user->inputs, user->n_inputs) ||
      !has_names(def->user->outputs, def->user->n_outputs, user->outputs, user->n_outputs))
    return seam_fail_about(error, SEAM_BAD_INPUT, subsystem,
                           "subsystem '%.60s': the user part that replaces it must have the same inputs and outputs",
                           subsystem);
  cosim_user_part *copy_of = arena_allocate(&self->memory, sizeof *copy_of);
  TRY(check_memory(copy_of != NULL, error));
  *copy_of = *def->user;
  copy_of->create = user->create;
  copy_of->context = user->context;
  copy_of->identity = user->identity;
  def->user = copy_of;
  return SEAM_OK;
}

static void refine(mbs_integrator_options *integrator, double tighter) {
  if (integrator->step > 0)
    *integrator = mbs_default_integrator_options();
  const double rtol = fmax(integrator->rtol / tighter, fmin(integrator->rtol, cosim_least_rtol));
  integrator->atol *= rtol / integrator->rtol;
  integrator->rtol = rtol;
}

void cosim_refine(cosim_builder *self, double parts, double tighter) {
  self->definition.options.macro_step /= parts;
  refine(&self->definition.options.integrator, tighter);
  for (size_t i = 0; i < self->definition.n_subsystems; i++)
    if (self->definition.subsystems[i].integrator != NULL) /* a copy that the builder owns */
      refine((mbs_integrator_options *)self->definition.subsystems[i].integrator, tighter);
}

/* ---- Creation ---- */

seam_status cosim_builder_of(const mbs_model *model, const cosim_definition *definition, cosim_builder **created,
                             seam_error *error) {
  static const list_kind *const kinds[] = {&subsystems, &couplings,          &part_couplings,     &connections,
                                           &bonds,      &energy_corrections, &balance_corrections};
  cosim_builder *self = calloc(1, sizeof *self);
  seam_status status = SEAM_OK;
  bool enough = true;
  TRY(check_memory(self != NULL, error));
  self->model = model;
  if (model == NULL) {
    mbs_builder *nothing = NULL;
    status = mbs_builder_create(&nothing, error);
    THEN(status, mbs_build(nothing, &self->empty, error));
    self->model = self->empty;
  }
  THEN(status, store_options(self, &definition->options, error));
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    const char *list = NULL;
    size_t n = 0;
    memcpy(&list, (const char *)definition + kinds[k]->list, sizeof list);
    memcpy(&n, (const char *)definition + kinds[k]->n, sizeof n);
    for (size_t i = 0; i < n && status == SEAM_OK; i++)
      status = append(self, kinds[k], list + i * kinds[k]->size, error);
  }
  self->definition.model_based = copy(&self->memory, definition->model_based, sizeof *definition->model_based, &enough);
  self->definition.step_control =
      copy(&self->memory, definition->step_control, sizeof *definition->step_control, &enough);
  THEN(status, check_memory(enough, error));
  RETURN_CREATED(status, self, created, cosim_builder_destroy);
}

seam_status cosim_builder_create(const mbs_model *model, cosim_builder **created, seam_error *error) {
  ARGUMENTS(error, created);
  const cosim_definition definition = {.options = cosim_default_options()};
  return cosim_builder_of(model, &definition, created, error);
}

seam_status cosim_builder_copy(const cosim_builder *builder, cosim_builder **created, seam_error *error) {
  ARGUMENTS(error, builder, created);
  return cosim_builder_of(builder->empty != NULL ? NULL : builder->model, &builder->definition, created, error);
}

void cosim_builder_destroy(cosim_builder *self) {
  if (self == NULL)
    return;
  mbs_model_destroy(self->empty);
  arena_release(&self->memory);
  free(self);
}
