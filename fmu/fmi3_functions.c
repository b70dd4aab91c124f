/* The functions of FMI 3.0. The functions for model exchange and scheduled execution only report an error.
 *
 * The importer may list inputs as variables of its intermediate update. Each step then calls the importer back at nodes
 * 1 to D. D is 7 unless the importer sets a lower degree. Node j is at the relative time (1 - cos(j π / D)) / 2
 * (Chebyshev-Lobatto). Each input is then the polynomial of degree D through its values at the step's beginning and at
 * the nodes. */
#include <stdlib.h>
#include <string.h>

#include "cosim/parts/signal.h"
#include "fmi/fmi3.h"
#include "fmu/exported_instance.h"

/* The standard prescribes the parameters; some are not used. NOLINTBEGIN(misc-unused-parameters) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DECLARE(result, name, arguments) SEAM_PUBLIC result fmi3##name arguments;
FMI3_FUNCTIONS(DECLARE)

enum { N_NODES = COSIM_MAX_DEGREE + 1 };

static const double nodes[N_NODES][N_NODES] = {
    {0},
    {0, 1},
    {0, 0.5, 1},
    {0, 0.25, 0.75, 1},
    {0, 0.14644660940672624, 0.5, 0.85355339059327376, 1},
    {0, 0.09549150281252629, 0.34549150281252629, 0.65450849718747371, 0.90450849718747371, 1},
    {0, 0.066987298107780677, 0.25, 0.5, 0.75, 0.93301270189221932, 1},
    {0, 0.049515566048790437, 0.18825509907063323, 0.38873953302184277, 0.61126046697815723, 0.81174490092936677,
     0.95048443395120956, 1}};

typedef struct unit {
  fmu_instance base;
  fmi3_environment environment;
  fmi3_log_message log_message;
  fmi3_intermediate_update update; /* NULL: the importer sets no inputs within steps */
  cosim_signal basis[N_NODES];     /* (degree + 1) Lagrange polynomials on the nodes */
  int degree;                      /* D */
  cosim_signal *signals;           /* (n_inputs) inputs over the step */
  double *begin;                   /* (n_inputs) inputs at the beginning of the step */
  bool handles_events;             /* the importer uses event mode */
} unit;

static void report(const fmu_instance *self, fmu_outcome outcome, const char *message) {
  const unit *of = (const unit *)self;
  if (of->log_message != NULL)
    of->log_message(of->environment, (fmi3_status)outcome, fmu_category(outcome), message);
}

/* ---- Instances ---- */

const char *fmi3GetVersion(void) { return FMI3_VERSION; }

fmi3_status fmi3SetDebugLogging(fmi3_instance instance, bool logging_on, size_t n_categories,
                                const char *const categories[]) {
  if (!fmu_is_allowed(instance, __func__, FMU_ANY_PHASE))
    return FMI3_ERROR;
  ((fmu_instance *)instance)->logs = logging_on;
  return FMI3_OK;
}

static fmi3_instance refuse_kind(const char *message, fmi3_environment environment, fmi3_log_message log_message) {
  if (log_message != NULL)
    log_message(environment, FMI3_ERROR, fmu_category(FMU_ERROR), message);
  return NULL;
}

fmi3_instance fmi3InstantiateModelExchange(const char *name, const char *token, const char *resources, bool visible,
                                           bool logging_on, fmi3_environment environment,
                                           fmi3_log_message log_message) {
  return refuse_kind("this FMU is for co-simulation: it has no model exchange", environment, log_message);
}

fmi3_instance fmi3InstantiateScheduledExecution(const char *name, const char *token, const char *resources,
                                                bool visible, bool logging_on, fmi3_environment environment,
                                                fmi3_log_message log_message, fmi3_clock_update clock_update,
                                                fmi3_preemption lock_preemption, fmi3_preemption unlock_preemption) {
  return refuse_kind("this FMU is for co-simulation: it has no scheduled execution", environment, log_message);
}

static fmu_role role_of(const unit *self, uint32_t reference) {
  const fmu_unit *of = self->base.slave->unit;
  return reference < of->n_variables ? of->variables[reference].role : FMU_TIME;
}

static void set_degree(unit *self, int degree) {
  self->degree = degree;
  for (int j = 0; j <= degree; j++)
    self->basis[j] = cosim_lagrange(degree + 1, nodes[degree], j);
}

fmi3_instance fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources, bool visible,
                                          bool logging_on, bool event_mode_used, bool early_return_allowed,
                                          const uint32_t intermediate_variables[], size_t n_intermediate_variables,
                                          fmi3_environment environment, fmi3_log_message log_message,
                                          fmi3_intermediate_update intermediate_update) {
  unit *self = calloc(1, sizeof *self);
  seam_error error = {0};
  if (self == NULL)
    return NULL;
  self->environment = environment;
  self->log_message = log_message;
  self->handles_events = event_mode_used;
  self->base.report = report;
  self->base.logs = logging_on;
  const seam_status status = fmu_instance_open(&self->base, name, token, resources, &error);
  if (status == SEAM_OK) {
    const fmu_unit *of = self->base.slave->unit;
    bool has_input = false;
    for (size_t i = 0; i < n_intermediate_variables; i++)
      has_input = has_input || role_of(self, intermediate_variables[i]) == FMU_INPUT;
    self->update = has_input ? intermediate_update : NULL;
    self->base.slave->ends_at_events = early_return_allowed;
    set_degree(self, COSIM_MAX_DEGREE);
    self->signals = calloc((size_t)of->part->n_inputs + 1, sizeof *self->signals);
    self->begin = calloc((size_t)of->part->n_inputs + 1, sizeof *self->begin);
    if (self->signals != NULL && self->begin != NULL)
      return self;
    fmu_no_memory(&error);
  }
  report(&self->base, FMU_ERROR, error.message);
  fmi3FreeInstance(self);
  return NULL;
}

void fmi3FreeInstance(fmi3_instance instance) {
  unit *self = instance;
  if (self == NULL)
    return;
  fmu_instance_close(&self->base);
  free(self->signals);
  free(self->begin);
  free(self);
}

/* Defines a function that is allowed in some phases and returns the status of `call`. */
#define ALLOWED(name, arguments, phases, call)                                                                         \
  fmi3_status fmi3##name arguments {                                                                                   \
    return fmu_is_allowed(instance, __func__, phases) ? (fmi3_status)call : FMI3_ERROR;                                \
  }

/* ---- Phases ---- */

fmi3_status fmi3EnterInitializationMode(fmi3_instance instance, bool tolerance_defined, double tolerance, double start,
                                        bool stop_defined, double stop) {
  if (!fmu_is_allowed(instance, __func__, FMU_INSTANTIATED) ||
      fmu_set_experiment(instance, tolerance_defined, tolerance, start, stop_defined, stop) != FMU_OK)
    return FMI3_ERROR;
  return (fmi3_status)fmu_begin_initialization(instance);
}

fmi3_status fmi3ExitInitializationMode(fmi3_instance instance) {
  unit *self = instance;
  if (!fmu_is_allowed(instance, __func__, FMU_INITIALIZING))
    return FMI3_ERROR;
  const fmu_outcome outcome = fmu_end_initialization(instance);
  if (outcome == FMU_OK && self->handles_events)
    self->base.phase = FMU_EVENTS;
  return (fmi3_status)outcome;
}

ALLOWED(Terminate, (fmi3_instance instance), FMU_STEPPING | FMU_EVENTS, fmu_enter(instance, FMU_TERMINATED))
ALLOWED(Reset, (fmi3_instance instance), FMU_ANY_PHASE, fmu_reset(instance))

/* ---- Event mode: takes a sample that is due, with the present inputs; other events only end steps ---- */

fmi3_status fmi3EnterEventMode(fmi3_instance instance) {
  unit *self = instance;
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING))
    return FMI3_ERROR;
  if (!self->handles_events) {
    self->base.report(&self->base, FMU_ERROR, "fmi3EnterEventMode() needs eventModeUsed = true at the instantiation");
    return FMI3_ERROR;
  }
  self->base.phase = FMU_EVENTS;
  return FMI3_OK;
}

ALLOWED(EvaluateDiscreteStates, (fmi3_instance instance), FMU_EVENTS | FMU_INITIALIZING, FMU_OK)

fmi3_status fmi3UpdateDiscreteStates(fmi3_instance instance, bool *needs_update, bool *terminate_simulation,
                                     bool *nominals_changed, bool *states_changed, bool *next_event_time_defined,
                                     double *next_event_time) {
  unit *self = instance;
  seam_error error = {0};
  if (!fmu_is_allowed(instance, __func__, FMU_EVENTS))
    return FMI3_ERROR;
  const fmu_slave *slave = self->base.slave;
  *needs_update = *terminate_simulation = *nominals_changed = *states_changed = false;
  *next_event_time_defined = fmu_unit_samples(slave->unit);
  *next_event_time = *next_event_time_defined ? fmu_unit_next_sample(slave->unit, slave->t) : 0;
  return (fmi3_status)fmu_outcome_of(&self->base, fmu_slave_sample(self->base.slave, &error), &error);
}

ALLOWED(EnterStepMode, (fmi3_instance instance), FMU_EVENTS, fmu_enter(instance, FMU_STEPPING))

/* ---- Values ---- */

ALLOWED(GetFloat64, (FMI3_LIST, double values[], size_t n_values), FMU_ANY_PHASE,
        fmu_get_values(instance, references, n, values, n_values))
ALLOWED(SetFloat64, (FMI3_LIST, const double values[], size_t n_values), FMU_SET_PHASE,
        fmu_set_values(instance, references, n, values, n_values))
ALLOWED(GetDirectionalDerivative,
        (fmi3_instance instance, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[], size_t n_knowns,
         const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity),
        FMU_INITIALIZING | FMU_STEPPING | FMU_EVENTS,
        (n_seed == n_knowns && n_sensitivity == n_unknowns
             ? fmu_directional(instance, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity)
             : FMU_ERROR))

/* ---- States ---- */

ALLOWED(GetFMUState, (fmi3_instance instance, fmi3_state *state), FMU_ANY_PHASE, fmu_save(instance, state))
ALLOWED(SetFMUState, (fmi3_instance instance, fmi3_state state), FMU_ANY_PHASE, fmu_restore(instance, state))
ALLOWED(SerializedFMUStateSize, (fmi3_instance instance, fmi3_state state, size_t *size), FMU_ANY_PHASE,
        fmu_serialized_size(instance, size))
ALLOWED(SerializeFMUState, (fmi3_instance instance, fmi3_state state, uint8_t bytes[], size_t size), FMU_ANY_PHASE,
        fmu_serialize(instance, state, bytes, size))
ALLOWED(DeserializeFMUState, (fmi3_instance instance, const uint8_t bytes[], size_t size, fmi3_state *state),
        FMU_ANY_PHASE, fmu_deserialize(instance, bytes, size, state))

fmi3_status fmi3FreeFMUState(fmi3_instance instance, fmi3_state *state) {
  free(*state);
  *state = NULL;
  return FMI3_OK;
}

/* ---- Steps ---- */

/* Calls the importer at each node, to set the inputs at its time. Finds the polynomials through these inputs. */
static void request_inputs(unit *self, double t, double step) {
  fmu_slave *slave = self->base.slave;
  bool stops = false;
  double stop = 0;
  if (self->degree != (int)slave->input_degree)
    set_degree(self, (int)slave->input_degree);
  for (int i = 0; i < slave->unit->part->n_inputs; i++) {
    self->begin[i] = slave->inputs[i];
    self->signals[i] = (cosim_signal){.n_pieces = 1};
  }
  const int degree = self->degree;
  for (int node = 1; node <= degree; node++) {
    self->base.phase = FMU_UPDATING;
    self->update(self->environment, node < degree ? t + nodes[degree][node] * step : t + step, true, false, false,
                 false, &stops, &stop);
    /* Interpolates changes since the beginning of the step: the large coefficients of `basis` would amplify the
     * round-off of values. */
    for (int i = 0; i < slave->unit->part->n_inputs; i++)
      for (int k = 0; k <= degree; k++)
        self->signals[i].c[0][k] += (slave->inputs[i] - self->begin[i]) * self->basis[node].c[0][k];
  }
  for (int i = 0; i < slave->unit->part->n_inputs; i++)
    self->signals[i].c[0][0] += self->begin[i];
}

fmi3_status fmi3DoStep(fmi3_instance instance, double t, double step, bool no_set_state_before,
                       bool *event_handling_needed, bool *terminate_simulation, bool *early_return, double *last_time) {
  unit *self = instance;
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING))
    return FMI3_ERROR;
  fmu_slave *slave = self->base.slave;
  mbs_event event = {.number = SEAM_NONE};
  const bool was_stale = slave->is_stale;
  if (self->update != NULL)
    request_inputs(self, t, step);
  fmu_outcome outcome = FMU_ERROR; /* a call of the importer within the step failed */
  if (self->base.phase != FMU_FAILED) {
    self->base.phase = FMU_STEPPING;
    outcome = fmu_step(&self->base, t, step, self->update != NULL ? self->signals : NULL, &event);
  }
  if (outcome != FMU_OK && self->update != NULL) { /* the step may be repeated: its inputs return to its beginning */
    memcpy(slave->inputs, self->begin, (size_t)slave->unit->part->n_inputs * sizeof *slave->inputs);
    slave->is_stale = was_stale;
  }
  *early_return = event.number != SEAM_NONE;
  *event_handling_needed = self->handles_events && (*early_return || fmu_slave_is_sample_due(slave));
  *terminate_simulation = slave->has_stopped;
  *last_time = slave->t;
  return (fmi3_status)outcome;
}

/* ---- Refused functions: a list of variables of other types must be empty ---- */

/* NOLINTBEGIN(readability-non-const-parameter) */
#define EMPTY_LIST(result, name, arguments)                                                                            \
  result fmi3##name arguments { return n == 0 ? FMI3_OK : (result)fmu_refuse(instance, __func__); }
FMI3_LIST_FUNCTIONS(EMPTY_LIST)

#define NO_NUMBER(result, name, arguments)                                                                             \
  result fmi3##name arguments {                                                                                        \
    *n = 0;                                                                                                            \
    return (result)fmu_refuse(instance, __func__);                                                                     \
  }
FMI3_NUMBER_FUNCTIONS(NO_NUMBER)

#define REFUSED(result, name, arguments)                                                                               \
  result fmi3##name arguments { return (result)fmu_refuse(instance, __func__); }
FMI3_OTHER_FUNCTIONS(REFUSED)
/* NOLINTEND(readability-non-const-parameter) */
/* NOLINTEND(misc-unused-parameters) */
