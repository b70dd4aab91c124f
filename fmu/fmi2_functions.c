/* The 44 functions of FMI 2.0. The functions for model exchange only report an error. */
#include <math.h>
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

static fmi2_status status_of(fmu_outcome outcome) {
  static const fmi2_status all[] = {[FMU_OK] = FMI2_OK, [FMU_DISCARD] = FMI2_DISCARD, [FMU_ERROR] = FMI2_ERROR};
  return all[outcome];
}

static void report(const fmu_instance *self, fmu_outcome outcome, const char *message) {
  const fmi2_callbacks *callbacks = &((const unit *)self)->callbacks;
  static const char *const categories[] = {
      [FMU_OK] = "logEvents", [FMU_DISCARD] = "logStatusDiscard", [FMU_ERROR] = "logStatusError"};
  const char *category = categories[outcome];
  if (callbacks->logger != NULL)
    callbacks->logger(callbacks->environment, self->name, status_of(outcome), category, "%s", message);
}

/* ---- Instances --------------------------------------------------------------------------------------------------- */

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

/* ---- Phases ------------------------------------------------------------------------------------------------------ */

fmi2_status fmi2SetupExperiment(fmi2_component instance, int tolerance_defined, double tolerance, double start,
                                int stop_defined, double stop) {
  if (!fmu_is_allowed(instance, __func__, FMU_INSTANTIATED))
    return FMI2_ERROR;
  if (!fmu_check_experiment(instance, tolerance_defined != FMI2_FALSE, tolerance, start, stop_defined != FMI2_FALSE,
                            stop))
    return FMI2_ERROR;
  ((fmu_instance *)instance)->slave->t = start;
  ((fmu_instance *)instance)->slave->stop = stop_defined != FMI2_FALSE ? stop : INFINITY;
  return FMI2_OK;
}

fmi2_status fmi2EnterInitializationMode(fmi2_component instance) {
  if (!fmu_is_allowed(instance, __func__, FMU_INSTANTIATED))
    return FMI2_ERROR;
  const fmu_slave *slave = ((fmu_instance *)instance)->slave;
  return status_of(fmu_begin_initialization(instance, slave->t, slave->stop));
}

fmi2_status fmi2ExitInitializationMode(fmi2_component instance) {
  return fmu_is_allowed(instance, __func__, FMU_INITIALIZING) ? status_of(fmu_end_initialization(instance))
                                                              : FMI2_ERROR;
}

fmi2_status fmi2Terminate(fmi2_component instance) {
  return fmu_is_allowed(instance, __func__, FMU_STEPPING) ? status_of(fmu_terminate(instance)) : FMI2_ERROR;
}

fmi2_status fmi2Reset(fmi2_component instance) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_reset(instance)) : FMI2_ERROR;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

fmi2_status fmi2GetReal(fmi2_component instance, const unsigned references[], size_t n, double values[]) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_get_values(instance, references, n, values))
                                                           : FMI2_ERROR;
}

fmi2_status fmi2SetReal(fmi2_component instance, const unsigned references[], size_t n, const double values[]) {
  return fmu_is_allowed(instance, __func__, FMU_SET_PHASE) ? status_of(fmu_set_values(instance, references, n, values))
                                                           : FMI2_ERROR;
}

/* All variables are real: lists of variables of other types must be empty. The standard prescribes the types.
 * NOLINTBEGIN(readability-non-const-parameter) */
#define NO_VALUES(name, type)                                                                                          \
  fmi2_status fmi2##name(fmi2_component instance, const unsigned references[], size_t n, type values[]) {              \
    return n == 0 ? FMI2_OK : status_of(fmu_refuse(instance, __func__));                                               \
  }
NO_VALUES(GetInteger, int)
NO_VALUES(GetBoolean, int)
NO_VALUES(GetString, const char *)
NO_VALUES(SetInteger, const int)
NO_VALUES(SetBoolean, const int)
NO_VALUES(SetString, const char *const)
/* NOLINTEND(readability-non-const-parameter) */

fmi2_status fmi2SetRealInputDerivatives(fmi2_component instance, const unsigned references[], size_t n,
                                        const int orders[], const double values[]) {
  seam_error error = {0};
  seam_status status = SEAM_OK;
  if (!fmu_is_allowed(instance, __func__, FMU_START_PHASE | FMU_STEPPING))
    return FMI2_ERROR;
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    status = fmu_slave_set_rate(((fmu_instance *)instance)->slave, references[i], orders[i], values[i], &error);
  return status_of(fmu_outcome_of(instance, status, &error));
}

fmi2_status fmi2GetDirectionalDerivative(fmi2_component instance, const unsigned unknowns[], size_t n_unknowns,
                                         const unsigned knowns[], size_t n_knowns, const double seed[],
                                         double sensitivity[]) {
  return fmu_is_allowed(instance, __func__, FMU_INITIALIZING | FMU_STEPPING)
             ? status_of(fmu_directional(instance, unknowns, n_unknowns, knowns, n_knowns, seed, sensitivity))
             : FMI2_ERROR;
}

/* ---- States ------------------------------------------------------------------------------------------------------ */

fmi2_status fmi2GetFMUstate(fmi2_component instance, fmi2_state *state) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_save(instance, state)) : FMI2_ERROR;
}

fmi2_status fmi2SetFMUstate(fmi2_component instance, fmi2_state state) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_restore(instance, state)) : FMI2_ERROR;
}

fmi2_status fmi2FreeFMUstate(fmi2_component instance, fmi2_state *state) {
  return status_of(fmu_free_state(instance, state));
}

fmi2_status fmi2SerializedFMUstateSize(fmi2_component instance, fmi2_state state, size_t *size) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_serialized_size(instance, state, size))
                                                           : FMI2_ERROR;
}

fmi2_status fmi2SerializeFMUstate(fmi2_component instance, fmi2_state state, char bytes[], size_t size) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_serialize(instance, state, bytes, size))
                                                           : FMI2_ERROR;
}

fmi2_status fmi2DeSerializeFMUstate(fmi2_component instance, const char bytes[], size_t size, fmi2_state *state) {
  return fmu_is_allowed(instance, __func__, FMU_ANY_PHASE) ? status_of(fmu_deserialize(instance, bytes, size, state))
                                                           : FMI2_ERROR;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

/* Takes a step. FMI 2 has no early return. If an event that stops the run ends the step early, the result is
 * fmi2Discard, and the last successful time is that of the event. */
fmi2_status fmi2DoStep(fmi2_component instance, double t, double step, int no_set_state_before) {
  mbs_event event;
  if (!fmu_is_allowed(instance, __func__, FMU_STEPPING))
    return FMI2_ERROR;
  const fmu_outcome outcome = fmu_step(instance, t, step, NULL, &event);
  return outcome == FMU_OK && ((fmu_instance *)instance)->slave->has_stopped ? FMI2_DISCARD : status_of(outcome);
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

/* ---- Refused functions ------------------------------------------------------------------------------------------- */

/* fmi2DoStep() is synchronous: there is never a pending status. */
fmi2_status fmi2GetStatus(fmi2_component instance, fmi2_question question, fmi2_status *value) {
  *value = FMI2_OK;
  return instance != NULL ? FMI2_DISCARD : FMI2_ERROR;
}

fmi2_status fmi2GetIntegerStatus(fmi2_component instance, fmi2_question question, int *value) {
  *value = 0;
  return instance != NULL ? FMI2_DISCARD : FMI2_ERROR;
}

fmi2_status fmi2GetStringStatus(fmi2_component instance, fmi2_question question, const char **value) {
  *value = "";
  return instance != NULL ? FMI2_DISCARD : FMI2_ERROR;
}

/* NOLINTBEGIN(readability-non-const-parameter) */
fmi2_status fmi2GetRealOutputDerivatives(fmi2_component instance, const unsigned references[], size_t n,
                                         const int orders[], double values[]) {
  return n == 0 ? FMI2_OK : status_of(fmu_refuse(instance, __func__));
}

fmi2_status fmi2CancelStep(fmi2_component instance) { return status_of(fmu_refuse(instance, __func__)); }
fmi2_status fmi2EnterEventMode(fmi2_component instance) { return status_of(fmu_refuse(instance, __func__)); }
fmi2_status fmi2EnterContinuousTimeMode(fmi2_component instance) { return status_of(fmu_refuse(instance, __func__)); }

/* Defines the function `name`, which reports that FMUs of Seam do not have it. ...: its parameters after the
 * instance. */
#define REFUSED(name, ...)                                                                                             \
  fmi2_status fmi2##name(fmi2_component instance, __VA_ARGS__) { return status_of(fmu_refuse(instance, __func__)); }
REFUSED(NewDiscreteStates, fmi2_event_info *info)
REFUSED(CompletedIntegratorStep, int no_set_state_before, int *enter_event_mode, int *terminate_simulation)
REFUSED(SetTime, double t)
REFUSED(SetContinuousStates, const double x[], size_t n)
REFUSED(GetDerivatives, double x[], size_t n)
REFUSED(GetEventIndicators, double x[], size_t n)
REFUSED(GetContinuousStates, double x[], size_t n)
REFUSED(GetNominalsOfContinuousStates, double x[], size_t n)
/* NOLINTEND(readability-non-const-parameter) */
/* NOLINTEND(misc-unused-parameters) */
