/* The 44 functions of FMI 2.0. The functions for model exchange and asynchronous steps only report an error. */
#include <stdlib.h>

#include "fmi/fmi2.h"
#include "fmu/exported_instance.h"

/* The standard prescribes the parameters; some are not used. NOLINTBEGIN(misc-unused-parameters) */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define DECLARE(result, name, arguments) SEAM_PUBLIC result fmi2##name arguments;
FMI2_FUNCTIONS(DECLARE)

typedef struct unit {
  fmu_instance base;
  fmi2_callbacks callbacks;
} unit;

static void report(const fmu_instance *self, fmu_outcome outcome, const char *message) {
  const fmi2_callbacks *callbacks = &((const unit *)self)->callbacks;
  if (callbacks->logger != NULL)
    callbacks->logger(callbacks->environment, self->name, (fmi2_status)outcome, fmu_category(outcome), "%s", message);
}

/* ---- Instances ---- */

const char *fmi2GetTypesPlatform(void) { return FMI2_TYPES_PLATFORM; }
const char *fmi2GetVersion(void) { return FMI2_VERSION; }

fmi2_status fmi2SetDebugLogging(fmi2_component instance, int logging_on, size_t n_categories,
                                const char *const categories[]) {
  if (!fmu_is_allowed(instance, __func__, FMU_ANY_PHASE))
    return FMI2_ERROR;
  ((fmu_instance *)instance)->logs = logging_on != FMI2_FALSE;
  return FMI2_OK;
}

fmi2_component fmi2Instantiate(const char *name, fmi2_kind kind, const char *guid, const char *resources,
                               const fmi2_callbacks *callbacks, int visible, int logging_on) {
  unit *self = calloc(1, sizeof *self);
  seam_error error = {0};
  if (self == NULL)
    return NULL;
  if (callbacks != NULL)
    self->callbacks = *callbacks;
  self->base.report = report;
  self->base.logs = logging_on != FMI2_FALSE;
  const seam_status status =
      kind == FMI2_CO_SIMULATION
          ? fmu_instance_open(&self->base, name, guid, resources, &error)
          : seam_fail(&error, SEAM_BAD_INPUT, "this FMU is for co-simulation: it has no model exchange");
  if (status == SEAM_OK) {
    self->base.slave->ends_at_events = self->base.slave->ends_at_stops_only = fmu_slave_has_stops(self->base.slave);
    return self;
  }
  report(&self->base, FMU_ERROR, error.message);
  fmi2FreeInstance(self);
  return NULL;
}

void fmi2FreeInstance(fmi2_component instance) {
  if (instance != NULL)
    fmu_instance_close(instance);
  free(instance);
}

/* Defines a function that is allowed in some phases and returns the status of `call`. */
#define ALLOWED(name, arguments, phases, call)                                                                         \
  fmi2_status fmi2##name arguments {                                                                                   \
    return fmu_is_allowed(instance, __func__, phases) ? (fmi2_status)call : FMI2_ERROR;                                \
  }

/* ---- Phases ---- */

ALLOWED(SetupExperiment,
        (fmi2_component instance, int tolerance_defined, double tolerance, double start, int stop_defined, double stop),
        FMU_INSTANTIATED, fmu_set_experiment(instance, tolerance_defined, tolerance, start, stop_defined, stop))
ALLOWED(EnterInitializationMode, (fmi2_component instance), FMU_INSTANTIATED, fmu_begin_initialization(instance))
ALLOWED(ExitInitializationMode, (fmi2_component instance), FMU_INITIALIZING, fmu_end_initialization(instance))
ALLOWED(Terminate, (fmi2_component instance), FMU_STEPPING, fmu_enter(instance, FMU_TERMINATED))
ALLOWED(Reset, (fmi2_component instance), FMU_ANY_PHASE, fmu_reset(instance))

/* ---- Values ---- */

ALLOWED(GetReal, (FMI2_LIST, double values[]), FMU_ANY_PHASE, fmu_get_values(instance, references, n, values, n))
ALLOWED(SetReal, (FMI2_LIST, const double values[]), FMU_SET_PHASE, fmu_set_values(instance, references, n, values, n))

fmi2_status fmi2SetRealInputDerivatives(FMI2_LIST, const int orders[], const double values[]) {
  seam_error error = {0};
  seam_status status = SEAM_OK;
  if (!fmu_is_allowed(instance, __func__, FMU_START_PHASE | FMU_STEPPING))
    return FMI2_ERROR;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = fmu_slave_set_rate(((fmu_instance *)instance)->slave, references[i], orders[i], values[i], &error);
  return (fmi2_status)fmu_outcome_of(instance, status, &error);
}

ALLOWED(GetDirectionalDerivative,
        (fmi2_component instance, const unsigned unknowns[], size_t n_unknowns, const unsigned knowns[],
         size_t n_knowns, const double seed[], double sensitivity[]),
        FMU_INITIALIZING | FMU_STEPPING,
        fmu_directional(instance, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity))

/* ---- States ---- */

ALLOWED(GetFMUstate, (fmi2_component instance, fmi2_state *state), FMU_ANY_PHASE, fmu_save(instance, state))
ALLOWED(SetFMUstate, (fmi2_component instance, fmi2_state state), FMU_ANY_PHASE, fmu_restore(instance, state))
ALLOWED(SerializedFMUstateSize, (fmi2_component instance, fmi2_state state, size_t *size), FMU_ANY_PHASE,
        fmu_serialized_size(instance, size))
ALLOWED(SerializeFMUstate, (fmi2_component instance, fmi2_state state, char bytes[], size_t size), FMU_ANY_PHASE,
        fmu_serialize(instance, state, bytes, size))
ALLOWED(DeSerializeFMUstate, (fmi2_component instance, const char bytes[], size_t size, fmi2_state *state),
        FMU_ANY_PHASE, fmu_deserialize(instance, bytes, size, state))

fmi2_status fmi2FreeFMUstate(fmi2_component instance, fmi2_state *state) {
  free(*state);
  *state = NULL;
  return FMI2_OK;
}

/* ---- Steps ---- */

/* FMI 2 has no early return. After an event that stops the run the result is fmi2Discard; the last successful time is
 * that of the event. */
fmi2_status fmi2DoStep(fmi2_component instance, double t, double step, int no_set_state_before) {
  mbs_event event;
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING))
    return FMI2_ERROR;
  const fmu_outcome outcome = fmu_step(instance, t, step, NULL, &event);
  return outcome == FMU_OK && ((fmu_instance *)instance)->slave->has_stopped ? FMI2_DISCARD : (fmi2_status)outcome;
}

fmi2_status fmi2GetRealStatus(fmi2_component instance, fmi2_question question, double *value) {
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING | FMU_TERMINATED | FMU_FAILED))
    return FMI2_ERROR;
  *value = ((fmu_instance *)instance)->slave->t;
  return question == FMI2_LAST_SUCCESSFUL_TIME ? FMI2_OK : FMI2_DISCARD;
}

fmi2_status fmi2GetBooleanStatus(fmi2_component instance, fmi2_question question, int *value) {
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING | FMU_TERMINATED | FMU_FAILED))
    return FMI2_ERROR;
  *value = ((fmu_instance *)instance)->slave->has_stopped ? FMI2_TRUE : FMI2_FALSE;
  return question == FMI2_TERMINATED ? FMI2_OK : FMI2_DISCARD;
}

/* fmi2DoStep() is synchronous: there is never a pending status. */
#define NO_STATUS(name, type, none)                                                                                    \
  fmi2_status fmi2##name(fmi2_component instance, fmi2_question question, type *value) {                               \
    *value = none;                                                                                                     \
    return instance != NULL ? FMI2_DISCARD : FMI2_ERROR;                                                               \
  }
NO_STATUS(GetStatus, fmi2_status, FMI2_OK)
NO_STATUS(GetIntegerStatus, int, 0)
NO_STATUS(GetStringStatus, const char *, "")

/* ---- Refused functions: a list of variables that are not real must be empty ---- */

/* NOLINTBEGIN(readability-non-const-parameter) */
#define EMPTY_LIST(result, name, arguments)                                                                            \
  result fmi2##name arguments { return n == 0 ? FMI2_OK : (result)fmu_refuse(instance, __func__); }
FMI2_LIST_FUNCTIONS(EMPTY_LIST)

#define REFUSED(result, name, arguments)                                                                               \
  result fmi2##name arguments { return (result)fmu_refuse(instance, __func__); }
FMI2_OTHER_FUNCTIONS(REFUSED)
/* NOLINTEND(readability-non-const-parameter) */
/* NOLINTEND(misc-unused-parameters) */
