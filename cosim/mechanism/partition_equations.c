/* If subsystems list equations, each variable and each measure (a named output of the model) has an owner, a subsystem:
 *
 *   listed name       the subsystem that lists it
 *   other variable    owner of the bodies and unlisted names that it reads; if it reads none, owner of the listed names
 *                     that it reads
 *   other quantity    owner of the bodies and variables on which it depends
 *
 * If the laws or equations of a subsystem read a quantity of another one, a signal with a hold transmits it. If they
 * read a measure of several subsystems, signals transmit the quantities that the measure reads. */
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/then.h"
#include "cosim/mechanism/partition.h"
#include "mbs/output/readout.h"

/* Value that stands for more than one subsystem. */
static const size_t several = SEAM_NONE - 1;

/* ---- Listed names ---- */

static bool lists(const cosim_subsystem_def *def, const char *name) {
  const size_t length = strcspn(name, ".");
  for (size_t i = 0; i < def->n_equations; i++)
    if (strlen(def->equations[i]) == length && memcmp(def->equations[i], name, length) == 0)
      return true;
  return false;
}

/* A variable or measure without a point in its name belongs to no equations. */
size_t cosim_owner_of_listed(const cosim_partition *self, mbs_quantity quantity) {
  const char *name = quantity.owner == MBS_VARIABLES  ? mbs_variable_of(self->model, quantity.element).name
                     : quantity.owner == MBS_MEASURES ? self->model->measures[quantity.element].name
                                                      : "";
  for (size_t s = 0; s < self->n_subsystems && strchr(name, '.') != NULL; s++)
    if (lists(&self->subsystems[s], name))
      return s;
  return SEAM_NONE;
}

static bool exists(const mbs_model *model, const char *entry) {
  const cosim_subsystem_def one = {.equations = &entry, .n_equations = 1};
  bool is_there = false;
  for (size_t v = 0; v < mbs_n_variables(model); v++)
    is_there = is_there || (!cosim_is_coupled_variable(model, v) && lists(&one, mbs_variable_of(model, v).name));
  for (size_t m = 0; m < (size_t)model->n_measures; m++)
    is_there = is_there || (strchr(model->measures[m].name, '.') != NULL && lists(&one, model->measures[m].name));
  return is_there;
}

static seam_status check_lists(const cosim_partition *self, seam_error *error) {
  for (size_t s = 0; s < self->n_subsystems; s++) {
    const cosim_subsystem_def *def = &self->subsystems[s];
    for (size_t i = 0; i < def->n_equations; i++) {
      if (!exists(self->model, def->equations[i]))
        return seam_fail_about(error, SEAM_BAD_INPUT, def->name, "subsystem '%s': there are no equations '%s'",
                               def->name, def->equations[i]);
      for (size_t other = 0; other < s; other++)
        for (size_t k = 0; k < self->subsystems[other].n_equations; k++)
          if (strcmp(self->subsystems[other].equations[k], def->equations[i]) == 0)
            return seam_fail_about(error, SEAM_BAD_INPUT, def->name,
                                   "equations '%s' are in subsystem '%s' and in subsystem '%s': list them once",
                                   def->equations[i], self->subsystems[other].name, def->name);
    }
    if (def->n_equations > 0 && (def->signal_order < 0 || def->signal_order > COSIM_MAX_HOLD))
      return seam_fail_about(error, SEAM_BAD_INPUT, def->name,
                             "subsystem '%s': the order of its signals is %d: take 0 to %d", def->name,
                             def->signal_order, COSIM_MAX_HOLD);
  }
  return SEAM_OK;
}

/* ---- Owners ---- */

typedef struct search {
  cosim_partition *self;
  /* The owner of a quantity is found by a walk through all quantities on which it depends. */
  bool skips_listed; /* names that subsystems list are skipped */
  bool *visited;     /* (n_variables) */
  mbs_dependence on;
  size_t owner; /* owner found so far; SEAM_NONE: none yet */
  /* Then signals are added for the quantities that one subsystem, the reader, reads from others. */
  size_t reader;
  size_t capacity; /* of self->linked */
  bool *seen;      /* (n_measures) */
  seam_error *error;
} search;

static void add_owner(size_t *sum, size_t owner) {
  if (owner != SEAM_NONE)
    *sum = *sum == SEAM_NONE || *sum == owner ? owner : several;
}

/* Returns what a measure or variable reads; NULL: nothing, or the quantity is neither. */
static const mbs_readout *inputs_of(const mbs_model *model, mbs_quantity quantity) {
  return quantity.owner == MBS_MEASURES    ? model->measures[quantity.element].inputs
         : quantity.owner == MBS_VARIABLES ? model->laws.variable[quantity.element].response.inputs
                                           : NULL;
}

/* The recursion ends, since measures have no cycles and variables are visited once. */
// NOLINTNEXTLINE(misc-no-recursion)
static void visit(search *f, mbs_quantity quantity) {
  const mbs_model *model = f->self->model;
  const size_t lister = cosim_owner_of_listed(f->self, quantity);
  if (lister != SEAM_NONE) {
    add_owner(&f->owner, f->skips_listed ? SEAM_NONE : lister);
    return;
  }
  if (quantity.owner == MBS_VARIABLES) {
    const size_t known = f->self->owner_of_variable[quantity.element];
    add_owner(&f->owner, known);
    if (known != SEAM_NONE || f->visited[quantity.element])
      return;
    f->visited[quantity.element] = true;
  }
  const mbs_readout *inputs = inputs_of(model, quantity);
  if (inputs == NULL && quantity.owner != MBS_VARIABLES) { /* the quantity depends on bodies directly */
    memset(f->on.bodies, 0, mbs_n_bodies(model) * sizeof *f->on.bodies);
    mbs_add_dependence(model, quantity, &f->on);
    for (size_t b = 0; b < mbs_n_bodies(model); b++)
      add_owner(&f->owner, f->on.bodies[b] ? f->self->subsystem_of[b] : SEAM_NONE);
    if (f->on.of_energies)
      f->owner = several;
  }
  for (int i = 0; inputs != NULL && i < inputs->n; i++)
    visit(f, inputs->quantities[i]);
}

static size_t owner_of(search *f, mbs_quantity quantity) {
  memset(f->visited, 0, mbs_n_variables(f->self->model) * sizeof *f->visited);
  f->on.of_energies = false;
  f->owner = SEAM_NONE;
  visit(f, quantity);
  return f->owner;
}

/* ---- Linked quantities ---- */

static seam_status add_linked(search *f, mbs_quantity quantity, size_t source) {
  cosim_partition *self = f->self;
  for (size_t i = 0; i < self->n_linked; i++)
    if (self->linked[i].reader == f->reader && self->linked[i].quantity.owner == quantity.owner &&
        self->linked[i].quantity.element == quantity.element && self->linked[i].quantity.number == quantity.number)
      return SEAM_OK;
  cosim_linked_quantity *more = array_grow(self->linked, &f->capacity, self->n_linked + 1, sizeof *more);
  if (more == NULL)
    return seam_fail(f->error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  self->linked = more;
  const cosim_subsystem_def *a = &self->subsystems[f->reader], *b = &self->subsystems[source];
  /* If both subsystems list equations, the signal gets the lower order. */
  const bool has_b = b->n_equations > 0 && (a->n_equations == 0 || b->signal_order < a->signal_order);
  const mbs_quantity_info info = mbs_quantity_of(self->model, quantity);
  cosim_linked_quantity *linked = &self->linked[self->n_linked++];
  *linked = (cosim_linked_quantity){
      .reader = f->reader,
      .source = source,
      .quantity = quantity,
      .name = arena_print(&self->memory, "%s%s%s", info.element, *info.name == '\0' ? "" : ".", info.name),
      .order = has_b ? b->signal_order : a->signal_order};
  if (linked->name == NULL)
    return seam_fail(f->error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  mbs_dependence on = {.bodies = f->on.bodies, .forces = f->on.forces, .variables = f->visited};
  memset(f->visited, 0, mbs_n_variables(self->model) * sizeof *f->visited);
  mbs_add_dependence(self->model, quantity, &on);
  if (on.needs_dynamics)
    return seam_fail_about(f->error, SEAM_BAD_INPUT, a->name,
                           "subsystem '%s' reads '%s' of subsystem '%s', which depends on accelerations or reactions "
                           "and so directly on inputs of that subsystem: read positions and velocities",
                           a->name, linked->name, b->name);
  for (size_t v = 0; v < mbs_n_variables(self->model); v++)
    if (on.variables[v] && self->model->laws.variable[v].sample > 0)
      return seam_fail_about(f->error, SEAM_BAD_INPUT, a->name,
                             "subsystem '%s' reads '%s' of subsystem '%s', which is sampled: keep sampled equations in "
                             "the subsystem that reads them, or write them under 'cosim.subsystems' with signals",
                             a->name, linked->name, b->name);
  return SEAM_OK;
}

static seam_status link_all(search *f, const mbs_readout *inputs);

/* Adds a signal for a quantity that the reader reads, if another subsystem owns it and one of the two lists equations.
 * For a measure of several subsystems, adds signals for the quantities that it reads. If no signal can be added, the
 * creation of the part fails later. */
// NOLINTNEXTLINE(misc-no-recursion)
static seam_status link_quantity(search *f, mbs_quantity quantity) {
  const size_t owner = owner_of(f, quantity);
  if (owner == SEAM_NONE || owner == f->reader)
    return SEAM_OK;
  if (owner != several)
    return f->self->subsystems[owner].n_equations + f->self->subsystems[f->reader].n_equations > 0
               ? add_linked(f, quantity, owner)
               : SEAM_OK;
  const mbs_readout *inputs = quantity.owner == MBS_MEASURES ? inputs_of(f->self->model, quantity) : NULL;
  if (inputs == NULL || f->seen[quantity.element])
    return SEAM_OK;
  f->seen[quantity.element] = true;
  return link_all(f, inputs);
}

// NOLINTNEXTLINE(misc-no-recursion)
static seam_status link_all(search *f, const mbs_readout *inputs) {
  for (int i = 0; inputs != NULL && i < inputs->n; i++)
    TRY(link_quantity(f, inputs->quantities[i]));
  return SEAM_OK;
}

/* Returns true if the reader has all bodies on which the force of a law acts. */
static bool has_loaded(const search *f, const mbs_law *law) {
  bool has = false;
  for (int i = 0; i < 2 * law->n; i++) {
    const int body = f->self->model->forces[law->force + i / 2].body[i % 2];
    if (body > 0 && f->self->subsystem_of[body - 1] != f->reader)
      return false;
    has = has || body > 0;
  }
  return has;
}

static seam_status link_reader(search *f) {
  const mbs_model *model = f->self->model;
  const mbs_laws *laws = &model->laws;
  memset(f->seen, 0, (size_t)model->n_measures * sizeof *f->seen);
  for (int i = 0; i < laws->n_laws; i++)
    if (has_loaded(f, &laws->law[i]))
      TRY(link_all(f, laws->law[i].response.inputs));
  for (int v = 0; v < laws->n_variables; v++)
    if (f->self->owner_of_variable[v] == f->reader)
      TRY(link_all(f, laws->variable[v].response.inputs));
  for (size_t m = 0; m < (size_t)model->n_measures; m++)
    if (cosim_owner_of_listed(f->self, (mbs_quantity){MBS_MEASURES, m, 0}) == f->reader)
      TRY(link_all(f, model->measures[m].inputs));
  return SEAM_OK;
}

/* ---- All ---- */

static seam_status find_all(search *f, const cosim_definition *definition) {
  cosim_partition *self = f->self;
  const size_t n = mbs_n_variables(self->model);
  for (size_t v = 0; v < n; v++) /* owners of listed names, from which other owners follow */
    self->owner_of_variable[v] = cosim_owner_of_listed(self, (mbs_quantity){MBS_VARIABLES, v, 0});
  for (int skips_listed = 1; skips_listed >= 0; skips_listed--)
    for (size_t v = 0; v < n; v++) {
      f->skips_listed = skips_listed == 1;
      if (self->owner_of_variable[v] == SEAM_NONE)
        self->owner_of_variable[v] = owner_of(f, (mbs_quantity){MBS_VARIABLES, v, 0});
    }
  for (f->reader = 0; f->reader < self->n_subsystems; f->reader++)
    if (cosim_is_mechanical(self, f->reader))
      TRY(link_reader(f));
  if (self->n_linked > 0 && definition->model_based != NULL)
    return seam_fail_about(f->error, SEAM_BAD_INPUT, self->subsystems[self->linked[0].reader].name,
                           "subsystem '%s' reads '%s' of subsystem '%s', and 'model_based' needs the derivative of its "
                           "motion by this quantity, which is not computed: leave out 'model_based', or write the "
                           "equations under 'cosim.subsystems' with signals",
                           self->subsystems[self->linked[0].reader].name, self->linked[0].name,
                           self->subsystems[self->linked[0].source].name);
  return SEAM_OK;
}

#define SEARCH_ARRAYS(X)                                                                                               \
  X(f, visited, mbs_n_variables(model))                                                                                \
  X(f, on.bodies, mbs_n_bodies(model))                                                                                 \
  X(f, on.forces, mbs_n_forces(model))                                                                                 \
  X(f, seen, (size_t)model->n_measures)

seam_status cosim_partition_add_equations(cosim_partition *self, const cosim_definition *definition,
                                          seam_error *error) {
  bool are_listed = false;
  for (size_t s = 0; s < self->n_subsystems; s++)
    are_listed = are_listed || self->subsystems[s].n_equations > 0;
  if (!are_listed)
    return SEAM_OK;
  TRY(check_lists(self, error));
  const mbs_model *model = self->model;
  search *f = &(search){.self = self, .error = error};
  self->owner_of_variable = arena_allocate(&self->memory, mbs_n_variables(model) * sizeof *self->owner_of_variable);
  const bool enough = self->owner_of_variable != NULL SEARCH_ARRAYS(ALLOCATE_ARRAY);
  const seam_status status =
      enough ? find_all(f, definition) : seam_fail(error, SEAM_NO_MEMORY, "no memory to cut the mechanism");
  SEARCH_ARRAYS(FREE_ARRAY)
  return status;
}
