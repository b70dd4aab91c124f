/* Functional Mock-up Interface 2.0: types and the 44 functions of an FMU, written after the text of the standard ([FMI
 * 2.0.4] 2.1, 3.2, 4.2). Names of types are our own. Layouts and names of functions are the standard's: reals are
 * double, integers and booleans int, value references unsigned. */
#ifndef FMI_FMI2_H
#define FMI_FMI2_H

#include <stddef.h>

#define FMI2_VERSION "2.0"
#define FMI2_TYPES_PLATFORM "default"

typedef enum fmi2_status { FMI2_OK, FMI2_WARNING, FMI2_DISCARD, FMI2_ERROR, FMI2_FATAL, FMI2_PENDING } fmi2_status;
typedef enum fmi2_kind { FMI2_MODEL_EXCHANGE, FMI2_CO_SIMULATION } fmi2_kind;
typedef enum fmi2_question {
  FMI2_DO_STEP_STATUS,
  FMI2_PENDING_STATUS,
  FMI2_LAST_SUCCESSFUL_TIME,
  FMI2_TERMINATED
} fmi2_question;

enum { FMI2_FALSE, FMI2_TRUE };

typedef void *fmi2_component;
typedef void *fmi2_environment;
typedef void *fmi2_state;

/* Functions that the importer gives to the FMU. `message` is a format of printf() for the arguments after it. */
typedef struct fmi2_callbacks {
  void (*logger)(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
                 const char *message, ...);
  void *(*allocate)(size_t n, size_t size);
  void (*release)(void *memory);
  void (*step_finished)(fmi2_environment environment, fmi2_status status);
  fmi2_environment environment;
} fmi2_callbacks;

typedef struct fmi2_event_info fmi2_event_info; /* for model exchange; not used */

/* The functions, as X(result, name without "fmi2", arguments). MAIN: for the co-simulation of real variables. LIST:
 * with lists of other variables or of output derivatives. OTHER: for model exchange and asynchronous steps. */
#define FMI2_LIST fmi2_component instance, const unsigned references[], size_t n
#define FMI2_VALUES(X, name, type)                                                                                     \
  X(fmi2_status, Get##name, (FMI2_LIST, type values[]))                                                                \
  X(fmi2_status, Set##name, (FMI2_LIST, type const values[]))
#define FMI2_MAIN_FUNCTIONS(X)                                                                                         \
  X(const char *, GetTypesPlatform, (void))                                                                            \
  X(const char *, GetVersion, (void))                                                                                  \
  X(fmi2_status, SetDebugLogging,                                                                                      \
    (fmi2_component instance, int logging_on, size_t n_categories, const char *const categories[]))                    \
  X(fmi2_component, Instantiate,                                                                                       \
    (const char *name, fmi2_kind kind, const char *guid, const char *resources, const fmi2_callbacks *callbacks,       \
     int visible, int logging_on))                                                                                     \
  X(void, FreeInstance, (fmi2_component instance))                                                                     \
  X(fmi2_status, SetupExperiment,                                                                                      \
    (fmi2_component instance, int tolerance_defined, double tolerance, double start, int stop_defined, double stop))   \
  X(fmi2_status, EnterInitializationMode, (fmi2_component instance))                                                   \
  X(fmi2_status, ExitInitializationMode, (fmi2_component instance))                                                    \
  X(fmi2_status, Terminate, (fmi2_component instance))                                                                 \
  X(fmi2_status, Reset, (fmi2_component instance))                                                                     \
  FMI2_VALUES(X, Real, double)                                                                                         \
  X(fmi2_status, GetFMUstate, (fmi2_component instance, fmi2_state * state))                                           \
  X(fmi2_status, SetFMUstate, (fmi2_component instance, fmi2_state state))                                             \
  X(fmi2_status, FreeFMUstate, (fmi2_component instance, fmi2_state * state))                                          \
  X(fmi2_status, SerializedFMUstateSize, (fmi2_component instance, fmi2_state state, size_t * size))                   \
  X(fmi2_status, SerializeFMUstate, (fmi2_component instance, fmi2_state state, char bytes[], size_t size))            \
  X(fmi2_status, DeSerializeFMUstate, (fmi2_component instance, const char bytes[], size_t size, fmi2_state *state))   \
  X(fmi2_status, GetDirectionalDerivative,                                                                             \
    (fmi2_component instance, const unsigned unknowns[], size_t n_unknowns, const unsigned knowns[], size_t n_knowns,  \
     const double seed[], double sensitivity[]))                                                                       \
  X(fmi2_status, SetRealInputDerivatives, (FMI2_LIST, const int orders[], const double values[]))                      \
  X(fmi2_status, DoStep, (fmi2_component instance, double t, double step, int no_set_state_before))                    \
  X(fmi2_status, GetStatus, (fmi2_component instance, fmi2_question question, fmi2_status * value))                    \
  X(fmi2_status, GetRealStatus, (fmi2_component instance, fmi2_question question, double *value))                      \
  X(fmi2_status, GetIntegerStatus, (fmi2_component instance, fmi2_question question, int *value))                      \
  X(fmi2_status, GetBooleanStatus, (fmi2_component instance, fmi2_question question, int *value))                      \
  X(fmi2_status, GetStringStatus, (fmi2_component instance, fmi2_question question, const char **value))
#define FMI2_LIST_FUNCTIONS(X)                                                                                         \
  FMI2_VALUES(X, Integer, int)                                                                                         \
  FMI2_VALUES(X, Boolean, int)                                                                                         \
  FMI2_VALUES(X, String, const char *)                                                                                 \
  X(fmi2_status, GetRealOutputDerivatives, (FMI2_LIST, const int orders[], double values[]))
#define FMI2_OTHER_FUNCTIONS(X)                                                                                        \
  X(fmi2_status, EnterEventMode, (fmi2_component instance))                                                            \
  X(fmi2_status, NewDiscreteStates, (fmi2_component instance, fmi2_event_info * info))                                 \
  X(fmi2_status, EnterContinuousTimeMode, (fmi2_component instance))                                                   \
  X(fmi2_status, CompletedIntegratorStep,                                                                              \
    (fmi2_component instance, int no_set_state_before, int *enter_event_mode, int *terminate_simulation))              \
  X(fmi2_status, SetTime, (fmi2_component instance, double t))                                                         \
  X(fmi2_status, SetContinuousStates, (fmi2_component instance, const double x[], size_t n))                           \
  X(fmi2_status, GetDerivatives, (fmi2_component instance, double rates[], size_t n))                                  \
  X(fmi2_status, GetEventIndicators, (fmi2_component instance, double indicators[], size_t n))                         \
  X(fmi2_status, GetContinuousStates, (fmi2_component instance, double x[], size_t n))                                 \
  X(fmi2_status, CancelStep, (fmi2_component instance))                                                                \
  X(fmi2_status, GetNominalsOfContinuousStates, (fmi2_component instance, double nominals[], size_t n))
#define FMI2_FUNCTIONS(X) FMI2_MAIN_FUNCTIONS(X) FMI2_LIST_FUNCTIONS(X) FMI2_OTHER_FUNCTIONS(X)

/* Pointers to the functions of a loaded FMU. fmu/fmi2_functions.c passes another macro, to declare the functions. */
typedef struct fmi2_functions {
#define FMI2_POINTER(result, name, arguments) result(*name) arguments;
  FMI2_FUNCTIONS(FMI2_POINTER)
#undef FMI2_POINTER
} fmi2_functions;

#endif
