/* The monolithic model: signals of the co-simulation act without delay. Each input gets the sum of all its signals:
 *
 *   input                         meaning of the sum                    new element with this value
 *   SUBSYSTEM.u (equations)       u = Σ (gain · from + offset)          measure SUBSYSTEM.u
 *   SUBSYSTEM.ELEMENT.fx, .fy     force at ELEMENT's marker             force element SUBSYSTEM.ELEMENT
 *   SUBSYSTEM.ELEMENT.torque      torque on ELEMENT's body              force element SUBSYSTEM.ELEMENT.torque */
#include <stdio.h>
#include <string.h>

#include "base/argument.h"
#include "mbs/build/builder.h"
#include "mbs/output/readout.h"
#include "mbs/subsystem/start.h"
#include "models/reader.h"
#include "models/sections/fmu_subsystem.h"
#include "models/sections/user_equations.h"

enum { FX, FY, TORQUE, N_WRENCH };

static const char *const wrench_names[N_WRENCH] = {"fx", "fy", "torque"};
static const char *const motion_names[] = {"x", "y", "phi", "vx", "vy", "omega"};

/* Parts of a name "subsystem.element.kind". */
typedef struct port_name {
  size_t body, force; /* a body, and a force element with a marker on it; SEAM_NONE: the name is of the body */
  int side;           /* index of this marker */
  char element[128], kind[16];
} port_name;

static const cosim_definition *cosim_of(const reader *r) { return cosim_builder_definition(r->result->cosim); }
static const mbs_model *model_of(const reader *r) { return r->builder->model; }

static const cosim_subsystem_def *subsystem_of(const reader *r, const char *name) {
  const size_t length = strcspn(name, ".");
  const cosim_definition *of = cosim_builder_definition(r->result->cosim);
  for (const cosim_subsystem_def *def = of->subsystems; def < of->subsystems + of->n_subsystems; def++)
    if (strlen(def->name) == length && memcmp(def->name, name, length) == 0)
      return def;
  return NULL;
}

static size_t number_named(const mbs_model *model, mbs_owner owner, const char *name) {
  mbs_quantity found;
  return mbs_find_element_of_length(model, name, strlen(name), &found) && found.owner == owner ? found.element
                                                                                               : SEAM_NONE;
}

/* Splits a name; false: the element is neither a body nor a force element on a single body. */
static bool split(const mbs_model *model, const char *name, port_name *port) {
  const char *element = strchr(name, '.');
  const char *last = strrchr(name, '.');
  if (element == NULL || last == element)
    return false;
  snprintf(port->element, sizeof port->element, "%.*s", (int)(last - element - 1), element + 1);
  snprintf(port->kind, sizeof port->kind, "%s", last + 1);
  port->body = number_named(model, MBS_BODIES, port->element);
  port->force = port->body == SEAM_NONE ? number_named(model, MBS_FORCES, port->element) : SEAM_NONE;
  if (port->force == SEAM_NONE)
    return port->body != SEAM_NONE;
  port->body = mbs_single_body(model, port->force, &port->side);
  return port->body != SEAM_NONE;
}

static const char *join(reader *r, const char *first, size_t length, const char *last) {
  return arena_print(r->memory, "%.*s.%s", (int)length, first, last);
}

void undivided_refusal(const reader *r, char *why, size_t size) {
  const mbs_model *mechanism = r->result->mechanism;
  const cosim_definition *cosim = cosim_of(r);
  char known[128];
  port_name port;
  why[0] = '\0';
  for (size_t i = 0; why[0] == '\0' && i < cosim->n_subsystems; i++) {
    const cosim_subsystem_def *def = &cosim->subsystems[i];
    const equations *e = def->user != NULL ? user_equations_of(def->user) : NULL;
    mbs_quantity found;
    if (fmu_subsystem_description(def->user) != NULL)
      snprintf(why, size, "the equations of the FMU '%.60s' are not known", def->name);
    if (e != NULL && e->restarts != NULL)
      snprintf(why, size, "states of subsystem '%.60s' restart at every macro step", def->name);
    if (e != NULL && e->n_integrals > 0)
      snprintf(why, size, "subsystem '%.60s' has integrals over a macro step", def->name);
    if (e != NULL && mbs_find_element_of_length(mechanism, def->name, strlen(def->name), &found))
      snprintf(why, size, "subsystem '%.60s' has the name of an element", def->name);
  }
  if (cosim->n_part_couplings > 0 && why[0] == '\0') /* a coupled subsystem is outside the mechanism */
    snprintf(why, size, "coupling '%.60s' joins equations or FMUs", cosim->part_couplings[0].name);
  for (size_t i = 0; why[0] == '\0' && i < cosim->n_signals; i++) {
    const char *from = cosim->signals[i].from, *to = cosim->signals[i].to;
    const cosim_subsystem_def *of_from = strchr(from, '.') != NULL ? subsystem_of(r, from) : NULL;
    const cosim_subsystem_def *of_to = subsystem_of(r, to);
    if (of_from != NULL && of_from->user != NULL) {
      if (user_equations_is_integral(of_from->user, strchr(from, '.') + 1, known, sizeof known))
        snprintf(why, size, "'%.60s' is an integral over a macro step", from);
    } else if (of_from != NULL && strchr(from, '.') != strrchr(from, '.') &&
               !(split(mechanism, from, &port) && reader_index_of(motion_names, 6, port.kind) < 6))
      snprintf(why, size, "the signal '%.60s' exists only at a cut coupling", from);
    if (of_to != NULL && of_to->user == NULL &&
        !(split(mechanism, to, &port) && port.force != SEAM_NONE && reader_index_of(wrench_names, 3, port.kind) < 3))
      snprintf(why, size, "the signal to '%.60s' is not a force or torque of a force element on one body", to);
  }
}

/* Signals, with a linked list for each input. */
typedef struct wiring {
  table first; /* index of the first signal for each name of an input */
  size_t *next, *last;
  table *points; /* names of the point measures added so far */
} wiring;

/* Adds a point measure at a force element's marker, unless it exists. */
static seam_status add_point(const wiring *w, reader *r, const char *name, const port_name *port) {
  if (table_find(w->points, name, strlen(name)) != NULL)
    return SEAM_OK;
  mbs_measure_def *def = reader_allocate(r, 1, sizeof *def);
  const char **body = reader_allocate(r, 1, sizeof *body);
  TRY(reader_check_memory(r, def != NULL && body != NULL && table_add(w->points, name, strlen(name), 0)));
  const mbs_vector at = model_of(r)->forces[port->force].marker[port->side];
  *body = mbs_body_of(model_of(r), port->body).name;
  *def = mbs_default_measure_def();
  def->name = name;
  def->kind = MBS_POINT;
  def->bodies = body;
  def->n_bodies = 1;
  def->at[0] = (mbs_marker_def){MBS_BODY, {at.x, at.y}};
  yaml_node *value = yaml_get(yaml_get(r->root, "cosim"), "signals");
  return deferred_add(r, DEFERRED_MEASURE, &(deferred){.name = name, .noun = "signals", .value = value, .point = def});
}

/* Finds the quantity that is a subsystem's output; adds a point measure if needed. */
static seam_status find_source(const wiring *w, reader *r, const char *from, const char **name) {
  port_name port;
  const cosim_subsystem_def *of = subsystem_of(r, from);
  *name = from;
  if (of == NULL || of->user != NULL || !split(model_of(r), from, &port))
    return SEAM_OK;
  const bool is_rotation = reader_index_of(motion_names, 6, port.kind) % 3 == 2;
  const char *owner = mbs_body_of(model_of(r), port.body).name;
  if (port.force != SEAM_NONE && !is_rotation) {
    owner = join(r, from, (size_t)(strrchr(from, '.') - from), "at");
    TRY(reader_check_memory(r, owner != NULL));
    TRY(add_point(w, r, owner, &port));
  }
  *name = join(r, owner, strlen(owner), port.kind);
  return reader_check_memory(r, *name != NULL);
}

static seam_status find_sum(const wiring *w, reader *r, const char *input, deferred *sum) {
  const table_slot *slot = table_find(&w->first, input, strlen(input));
  size_t n = 0;
  for (size_t i = slot != NULL ? slot->value : SEAM_NONE; i != SEAM_NONE; i = w->next[i])
    n++;
  const char **names = reader_allocate(r, n, sizeof *names);
  double *gains = reader_allocate(r, n, sizeof *gains);
  TRY(reader_check_memory(r, names != NULL && gains != NULL));
  sum->is_sum = true;
  sum->names = names;
  sum->gains = gains;
  for (size_t i = slot != NULL ? slot->value : SEAM_NONE; i != SEAM_NONE; i = w->next[i]) {
    const cosim_connection_def *link = &cosim_of(r)->signals[i];
    gains[sum->n] = link->gain;
    sum->offset += link->offset;
    TRY(find_source(w, r, link->from, &names[sum->n++]));
  }
  return SEAM_OK;
}

/* If `to` is a component of a wrench, adds a load to the model: the sum of the signals that lead to this component. fx
 * and fy at a marker share a force element. */
static seam_status add_wrench(const wiring *w, reader *r, const char *to) {
  port_name port;
  const cosim_subsystem_def *of = subsystem_of(r, to);
  if (of == NULL || of->user != NULL || !split(model_of(r), to, &port))
    return SEAM_OK;
  const size_t kind = reader_index_of(wrench_names, N_WRENCH, port.kind);
  const char *name = kind == TORQUE ? to : arena_text(r->memory, to, (size_t)(strrchr(to, '.') - to));
  TRY(reader_check_memory(r, name != NULL));
  if (number_named(model_of(r), MBS_FORCES, name) == SEAM_NONE) {
    mbs_force_def def = mbs_default_force_def();
    const char *const body = mbs_body_of(model_of(r), port.body).name;
    const mbs_vector at = model_of(r)->forces[port.force].marker[port.side];
    def.name = name;
    def.kind = kind == TORQUE ? MBS_TORQUE : MBS_POINT_FORCE;
    def.bodies = &body;
    def.n_bodies = 1;
    def.at[0] = (mbs_marker_def){MBS_BODY, {at.x, at.y}};
    def.law_is_state_dependent = true;
    TRY(reader_check_call(r, yaml_get(r->root, "cosim"), mbs_add_force(r->builder, &def, &r->cause)));
  }
  yaml_node *value = yaml_get(yaml_get(r->root, "cosim"), "signals");
  deferred law = {.name = name, .noun = "signals", .value = value, .component = kind == FY};
  TRY(find_sum(w, r, to, &law));
  return deferred_add(r, DEFERRED_LAW, &law);
}

seam_status undivided_add_equations(reader *r) {
  table points = {0};
  const cosim_definition *cosim = cosim_of(r);
  const size_t n = cosim->n_signals;
  wiring w = {
      .next = reader_allocate(r, n, sizeof *w.next), .last = reader_allocate(r, n, sizeof *w.last), .points = &points};
  seam_status status = reader_check_memory(r, w.next != NULL && w.last != NULL);
  for (size_t i = 0; status == SEAM_OK && i < n; i++) {
    const char *to = cosim->signals[i].to;
    const table_slot *slot = table_find(&w.first, to, strlen(to));
    w.next[i] = SEAM_NONE;
    w.last[i] = i;
    if (slot != NULL) {
      w.next[w.last[slot->value]] = i;
      w.last[slot->value] = i;
    } else
      status = reader_check_memory(r, table_add(&w.first, to, strlen(to), i));
  }
  for (size_t k = 0; status == SEAM_OK && k < cosim->n_subsystems; k++) {
    const cosim_user_part *user = cosim->subsystems[k].user;
    const equations *e = user != NULL ? user_equations_of(user) : NULL;
    if (e == NULL) /* bodies, or an FMU */
      continue;
    deferred *sums = reader_allocate(r, e->n_inputs, sizeof *sums);
    status = reader_check_memory(r, sums != NULL);
    for (size_t i = 0; i < e->n_inputs && status == SEAM_OK; i++) {
      const char *name = join(r, e->node->key->text, strlen(e->node->key->text), e->inputs[i]);
      status = name != NULL ? find_sum(&w, r, name, &sums[i]) : reader_no_memory(r);
    }
    THEN(status, equations_add(r, e, sums));
  }
  for (size_t i = 0; status == SEAM_OK && i < n; i++)
    if (table_find(&w.first, cosim->signals[i].to, strlen(cosim->signals[i].to))->value == i)
      status = add_wrench(&w, r, cosim->signals[i].to);
  table_release(&w.first);
  table_release(&points);
  return status;
}

/* Copies the initial states in the monolithic model to equations of subsystems; `start` NULL: the nominal sizes. */
static seam_status copy_states(const cosim_builder *builder, const mbs_model *undivided, const mbs_state *start,
                               seam_error *error) {
  const cosim_definition *cosim = cosim_builder_definition(builder);
  for (const cosim_subsystem_def *def = cosim->subsystems; def < cosim->subsystems + cosim->n_subsystems; def++) {
    const equations *e = def->user != NULL ? user_equations_of(def->user) : NULL;
    for (size_t i = 0; e != NULL && i < e->n_states; i++) {
      arena memory = {0};
      const char *name = arena_print(&memory, "%s.%s", def->name, e->states[i]);
      const size_t found = name != NULL ? mbs_find_variable(undivided, name) : SEAM_NONE;
      arena_release(&memory);
      TRY(seam_check_memory(name != NULL, error));
      const size_t state = mbs_variable_of(undivided, found).state;
      if (start != NULL)
        user_equations_set_start(def->user, i, start->z[state]);
      else
        user_equations_set_nominal(def->user, i, mbs_state_of(undivided, state).nominal);
    }
  }
  return SEAM_OK;
}

seam_status undivided_copy_sizes(reader *r, const mbs_model *undivided) {
  return copy_states(r->result->cosim, undivided, NULL, r->error);
}

seam_status undivided_copy_start(reader *r) {
  seam_model_file *result = r->result;
  mbs_state *undivided = NULL;
  mbs_state *mechanism_state = NULL;
  seam_status status = mbs_state_create(result->undivided, &undivided, r->error);
  THEN(status, mbs_state_create(result->mechanism, &mechanism_state, r->error));
  THEN(status, seam_model_begin_equations(result, undivided, r->error));
  THEN(status, mbs_copy_start(result->undivided, undivided, result->mechanism, mechanism_state, r->error));
  if (status == SEAM_OK)
    mbs_model_start_at(result->mechanism, mechanism_state, true, true);
  mbs_state_destroy(undivided);
  mbs_state_destroy(mechanism_state);
  return status;
}

seam_status seam_model_begin_equations(seam_model_file *file, const mbs_state *state, seam_error *error) {
  ARGUMENTS(error, file, state);
  const mbs_model *undivided = NULL;
  TRY(seam_model_whole(file, &undivided, error));
  TRY(mbs_state_check(__func__, undivided, state, error));
  if (undivided == file->mechanism)
    return SEAM_OK;
  mbs_model_start_at(file->undivided, state, true, false);
  return copy_states(file->cosim, file->undivided, state, error);
}
