/* Functional Mock-up Interface 3.0: types and the 75 functions of an FMU, written after the text of the standard ([FMI
 * 3.0.2] 2.2, 3 to 5). Names of types are our own; layouts and names of functions are the standard's. */
#ifndef FMI_FMI3_H
#define FMI_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FMI3_VERSION "3.0"

typedef enum fmi3_status { FMI3_OK, FMI3_WARNING, FMI3_DISCARD, FMI3_ERROR, FMI3_FATAL } fmi3_status;
typedef int fmi3_dependency, fmi3_interval; /* enumerations of functions that are not used */

typedef void *fmi3_instance;
typedef void *fmi3_environment;
typedef void *fmi3_state;

/* Functions of the importer. */
typedef void (*fmi3_log_message)(fmi3_environment environment, fmi3_status status, const char *category,
                                 const char *message);
typedef void (*fmi3_clock_update)(fmi3_environment environment);
typedef void (*fmi3_preemption)(void);
/* The FMU calls this function of the importer at a time t within a step. The importer may then set inputs
 * (set_requested), get outputs (get_allowed), and ask for the end of the step (can_return_early). */
typedef void (*fmi3_intermediate_update)(fmi3_environment environment, double t, bool set_requested, bool get_allowed,
                                         bool step_finished, bool can_return_early, bool *early_return_requested,
                                         double *early_return_time);

/* The functions, as X(result, name without "fmi3", arguments). MAIN: for the co-simulation of Float64 variables. LIST:
 * with lists of other variables, of clocks or of output derivatives. NUMBER: give a number n. OTHER: the rest. */
#define FMI3_LIST fmi3_instance instance, const uint32_t references[], size_t n
#define FMI3_VALUES(X, name, type)                                                                                     \
  X(fmi3_status, Get##name, (FMI3_LIST, type values[], size_t n_values))                                               \
  X(fmi3_status, Set##name, (FMI3_LIST, type const values[], size_t n_values))
#define FMI3_MAIN_FUNCTIONS(X)                                                                                         \
  X(const char *, GetVersion, (void))                                                                                  \
  X(fmi3_status, SetDebugLogging,                                                                                      \
    (fmi3_instance instance, bool logging_on, size_t n_categories, const char *const categories[]))                    \
  X(fmi3_instance, InstantiateModelExchange,                                                                           \
    (const char *name, const char *token, const char *resources, bool visible, bool logging_on,                        \
     fmi3_environment environment, fmi3_log_message log_message))                                                      \
  X(fmi3_instance, InstantiateCoSimulation,                                                                            \
    (const char *name, const char *token, const char *resources, bool visible, bool logging_on, bool event_mode_used,  \
     bool early_return_allowed, const uint32_t intermediate_variables[], size_t n_intermediate_variables,              \
     fmi3_environment environment, fmi3_log_message log_message, fmi3_intermediate_update intermediate_update))        \
  X(fmi3_instance, InstantiateScheduledExecution,                                                                      \
    (const char *name, const char *token, const char *resources, bool visible, bool logging_on,                        \
     fmi3_environment environment, fmi3_log_message log_message, fmi3_clock_update clock_update,                       \
     fmi3_preemption lock_preemption, fmi3_preemption unlock_preemption))                                              \
  X(void, FreeInstance, (fmi3_instance instance))                                                                      \
  X(fmi3_status, EnterInitializationMode,                                                                              \
    (fmi3_instance instance, bool tolerance_defined, double tolerance, double start, bool stop_defined, double stop))  \
  X(fmi3_status, ExitInitializationMode, (fmi3_instance instance))                                                     \
  X(fmi3_status, EnterEventMode, (fmi3_instance instance))                                                             \
  X(fmi3_status, Terminate, (fmi3_instance instance))                                                                  \
  X(fmi3_status, Reset, (fmi3_instance instance))                                                                      \
  FMI3_VALUES(X, Float64, double)                                                                                      \
  X(fmi3_status, GetFMUState, (fmi3_instance instance, fmi3_state * state))                                            \
  X(fmi3_status, SetFMUState, (fmi3_instance instance, fmi3_state state))                                              \
  X(fmi3_status, FreeFMUState, (fmi3_instance instance, fmi3_state * state))                                           \
  X(fmi3_status, SerializedFMUStateSize, (fmi3_instance instance, fmi3_state state, size_t * size))                    \
  X(fmi3_status, SerializeFMUState, (fmi3_instance instance, fmi3_state state, uint8_t bytes[], size_t size))          \
  X(fmi3_status, DeserializeFMUState, (fmi3_instance instance, const uint8_t bytes[], size_t size, fmi3_state *state)) \
  X(fmi3_status, GetDirectionalDerivative,                                                                             \
    (fmi3_instance instance, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[], size_t n_knowns,   \
     const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity))                                  \
  X(fmi3_status, EvaluateDiscreteStates, (fmi3_instance instance))                                                     \
  X(fmi3_status, UpdateDiscreteStates,                                                                                 \
    (fmi3_instance instance, bool *needs_update, bool *terminate_simulation, bool *nominals_changed,                   \
     bool *states_changed, bool *next_event_time_defined, double *next_event_time))                                    \
  X(fmi3_status, EnterStepMode, (fmi3_instance instance))                                                              \
  X(fmi3_status, DoStep,                                                                                               \
    (fmi3_instance instance, double t, double step, bool no_set_state_before, bool *event_handling_needed,             \
     bool *terminate_simulation, bool *early_return, double *last_time))
#define FMI3_LIST_FUNCTIONS(X)                                                                                         \
  FMI3_VALUES(X, Float32, float)                                                                                       \
  FMI3_VALUES(X, Int8, int8_t)                                                                                         \
  FMI3_VALUES(X, UInt8, uint8_t)                                                                                       \
  FMI3_VALUES(X, Int16, int16_t)                                                                                       \
  FMI3_VALUES(X, UInt16, uint16_t)                                                                                     \
  FMI3_VALUES(X, Int32, int32_t)                                                                                       \
  FMI3_VALUES(X, UInt32, uint32_t)                                                                                     \
  FMI3_VALUES(X, Int64, int64_t)                                                                                       \
  FMI3_VALUES(X, UInt64, uint64_t)                                                                                     \
  FMI3_VALUES(X, Boolean, bool)                                                                                        \
  FMI3_VALUES(X, String, const char *)                                                                                 \
  X(fmi3_status, GetBinary, (FMI3_LIST, size_t sizes[], const uint8_t *values[], size_t n_values))                     \
  X(fmi3_status, SetBinary, (FMI3_LIST, const size_t sizes[], const uint8_t *const values[], size_t n_values))         \
  X(fmi3_status, GetOutputDerivatives, (FMI3_LIST, const int32_t orders[], double values[], size_t n_values))          \
  X(fmi3_status, GetClock, (FMI3_LIST, bool values[]))                                                                 \
  X(fmi3_status, SetClock, (FMI3_LIST, const bool values[]))                                                           \
  X(fmi3_status, GetShiftDecimal, (FMI3_LIST, double shifts[]))                                                        \
  X(fmi3_status, SetShiftDecimal, (FMI3_LIST, const double shifts[]))                                                  \
  X(fmi3_status, GetIntervalDecimal, (FMI3_LIST, double intervals[], fmi3_interval qualifiers[]))                      \
  X(fmi3_status, SetIntervalDecimal, (FMI3_LIST, const double intervals[]))                                            \
  X(fmi3_status, GetShiftFraction, (FMI3_LIST, uint64_t counters[], uint64_t resolutions[]))                           \
  X(fmi3_status, SetShiftFraction, (FMI3_LIST, const uint64_t counters[], const uint64_t resolutions[]))               \
  X(fmi3_status, GetIntervalFraction,                                                                                  \
    (FMI3_LIST, uint64_t counters[], uint64_t resolutions[], fmi3_interval qualifiers[]))                              \
  X(fmi3_status, SetIntervalFraction, (FMI3_LIST, const uint64_t counters[], const uint64_t resolutions[]))
#define FMI3_NUMBER_FUNCTIONS(X)                                                                                       \
  X(fmi3_status, GetNumberOfVariableDependencies, (fmi3_instance instance, uint32_t reference, size_t * n))            \
  X(fmi3_status, GetNumberOfEventIndicators, (fmi3_instance instance, size_t * n))                                     \
  X(fmi3_status, GetNumberOfContinuousStates, (fmi3_instance instance, size_t * n))
#define FMI3_OTHER_FUNCTIONS(X)                                                                                        \
  X(fmi3_status, EnterConfigurationMode, (fmi3_instance instance))                                                     \
  X(fmi3_status, ExitConfigurationMode, (fmi3_instance instance))                                                      \
  X(fmi3_status, EnterContinuousTimeMode, (fmi3_instance instance))                                                    \
  X(fmi3_status, ActivateModelPartition, (fmi3_instance instance, uint32_t clock, double t))                           \
  X(fmi3_status, CompletedIntegratorStep,                                                                              \
    (fmi3_instance instance, bool no_set_state_before, bool *enter_event_mode, bool *terminate_simulation))            \
  X(fmi3_status, SetTime, (fmi3_instance instance, double t))                                                          \
  X(fmi3_status, SetContinuousStates, (fmi3_instance instance, const double x[], size_t n))                            \
  X(fmi3_status, GetContinuousStateDerivatives, (fmi3_instance instance, double rates[], size_t n))                    \
  X(fmi3_status, GetEventIndicators, (fmi3_instance instance, double indicators[], size_t n))                          \
  X(fmi3_status, GetContinuousStates, (fmi3_instance instance, double x[], size_t n))                                  \
  X(fmi3_status, GetNominalsOfContinuousStates, (fmi3_instance instance, double nominals[], size_t n))                 \
  X(fmi3_status, GetAdjointDerivative,                                                                                 \
    (fmi3_instance instance, const uint32_t unknowns[], size_t n_unknowns, const uint32_t knowns[], size_t n_knowns,   \
     const double seed[], size_t n_seed, double sensitivity[], size_t n_sensitivity))                                  \
  X(fmi3_status, GetVariableDependencies,                                                                              \
    (fmi3_instance instance, uint32_t dependent, size_t dependent_elements[], uint32_t independents[],                 \
     size_t independent_elements[], fmi3_dependency kinds[], size_t n))
#define FMI3_FUNCTIONS(X) FMI3_MAIN_FUNCTIONS(X) FMI3_LIST_FUNCTIONS(X) FMI3_NUMBER_FUNCTIONS(X) FMI3_OTHER_FUNCTIONS(X)

/* Pointers to the functions of a loaded FMU. fmu/fmi3_functions.c passes another macro, to declare the functions. */
typedef struct fmi3_functions {
#define FMI3_POINTER(result, name, arguments) result(*name) arguments;
  FMI3_FUNCTIONS(FMI3_POINTER)
#undef FMI3_POINTER
} fmi3_functions;

#endif
