/* An FMU that does to its host what foreign ones have done: x' = p (u - x), with one misdeed, the text `mode`. One
 * source for both versions: ROGUE_VERSION is 2 or 3. */
#include "tests/fmu/rogue/rogue.h"

#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

#define EXPORT __attribute__((visibility("default")))

typedef struct rogue {
  double t, p, u, x, tolerance, stop, table[4], begin_x;
  uint64_t size;
  bool is_configured; /* its size may be set */
  int count, limit, on;
  char mode[32];
  void *environment;
  fmi2_callbacks callbacks;
  fmi3_log_message log_message;
  bool is_final; /* the last step was said to be */
} rogue;

static bool is(const rogue *self, const char *mode) { return strcmp(self->mode, mode) == 0; }

static rogue *create(rogue with) {
  rogue *self = malloc(sizeof *self);
  *self = with;
  self->p = 1;
  self->u = 1;
  self->limit = 1000;
  self->size = 3;
  for (int i = 0; i < 4; i++)
    self->table[i] = 1;
  return self;
}

static void warn(const rogue *self, const char *text) {
  if (self->callbacks.logger != NULL)
    self->callbacks.logger(self->environment, "rogue", FMI2_WARNING, "warning", "%s", text);
  if (self->log_message != NULL)
    self->log_message(self->environment, FMI3_WARNING, "warning", text);
}

static void set_up(rogue *self, int has_tolerance, double tolerance, double start, int has_stop, double stop) {
  self->t = start;
  self->tolerance = has_tolerance ? tolerance : 0;
  self->stop = has_stop ? stop : 0;
  if (is(self, "forgets"))
    self->p = 1;
}

/* Ends the initialization; one mode begins at rest. */
static void begin(rogue *self) {
  if (is(self, "rests"))
    self->x = self->u;
}

static volatile double one = 1, zero = 0;

/* Misdeeds of the step that passes 0.5 s. */
static void misbehave(rogue *self) {
  if (is(self, "segv"))
    raise(SIGSEGV);
  if (is(self, "abort"))
    abort();
  if (is(self, "exit"))
    exit(0);
  if (is(self, "quick_exit"))
    quick_exit(0);
  if (is(self, "trap"))
    raise(SIGTRAP);
  if (is(self, "closes")) {
    close(STDOUT_FILENO);
    close(STDERR_FILENO);
  }
  if (is(self, "umask"))
    umask(0777);
  if (is(self, "chdir") && chdir("/") != 0)
    abort();
  if (is(self, "locale"))
    setlocale(LC_ALL, "de_DE.UTF-8");
  if (is(self, "traps"))
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_INEXACT);
  if (is(self, "rounds"))
    fesetround(FE_UPWARD);
  if (is(self, "divides")) {
    feenableexcept(FE_DIVBYZERO);
    self->x = one / zero;
  }
}

static int step(rogue *self, double t, double H, bool is_final) {
  if (is(self, "rolls") && !is_final) /* takes itself to be repeated */
    self->x = self->begin_x;
  self->begin_x = self->x;
  self->x = self->u + (self->x - self->u) * exp(-self->p * H);
  self->t = t + H;
  self->count = (int)floor(self->t / 0.01 + 0.5);
  if (t < 0.5 && t + H >= 0.5 - 1e-9)
    misbehave(self);
  if (is(self, "status"))
    return 99;
  if (is(self, "fails") && self->t > 0.5)
    return FMI2_ERROR;
  if (is(self, "warns")) {
    warn(self, "the table is left");
    return FMI2_WARNING;
  }
  return FMI2_OK;
}

static double sum_of_table(const rogue *self) {
  double sum = 0;
  for (uint64_t i = 0; i < self->size; i++)
    sum += pow(10, (double)i) * self->table[i];
  return sum;
}

static int get_real(const rogue *self, unsigned reference, double *value) {
  const double all[] = {[ROGUE_TIME] = self->t,
                        [ROGUE_U] = self->u,
                        [ROGUE_X] = self->x,
                        [ROGUE_P] = self->p,
                        [ROGUE_STOP] = self->stop,
                        [ROGUE_TOLERANCE] = self->tolerance,
                        [ROGUE_SUM] = sum_of_table(self)};
  if (reference >= sizeof all / sizeof *all)
    return FMI2_ERROR;
  *value = all[reference];
  return FMI2_OK;
}

static int set_real(rogue *self, unsigned reference, double value) {
  if (reference == ROGUE_U)
    self->u = value;
  else if (reference == ROGUE_X)
    self->x = value;
  else if (reference == ROGUE_P)
    self->p = is(self, "ignores") ? self->p : value;
  else
    return FMI2_ERROR;
  return FMI2_OK;
}

static void set_mode(rogue *self, const char *mode) { snprintf(self->mode, sizeof self->mode, "%s", mode); }

#if ROGUE_VERSION == 2
static int *whole_of(rogue *self, unsigned reference) {
  return reference == ROGUE_COUNT ? &self->count : reference == ROGUE_LIMIT ? &self->limit : &self->on;
}

static void get_whole(rogue *self, unsigned reference, int *value) {
  self->on = reference == ROGUE_BELOW ? self->count < self->limit : self->on;
  *value = *whole_of(self, reference);
}

EXPORT fmi2_component fmi2Instantiate(const char *name, fmi2_kind kind, const char *guid, const char *resources,
                                      const fmi2_callbacks *callbacks, int visible, int logging_on) {
  (void)kind, (void)guid, (void)resources, (void)visible, (void)logging_on;
  rogue *self = create((rogue){.environment = callbacks->environment, .callbacks = *callbacks});
  if (strcmp(name, "licensed") == 0)
    warn(self, "the licence ends soon");
  return self;
}
EXPORT void fmi2FreeInstance(fmi2_component component) {
  rogue *self = component;
  if (is(self, "crashfree"))
    raise(SIGSEGV);
  free(self);
}
EXPORT fmi2_status fmi2SetupExperiment(fmi2_component self, int tolerance_defined, double tolerance, double start,
                                       int stop_defined, double stop) {
  set_up(self, tolerance_defined, tolerance, start, stop_defined, stop);
  ((rogue *)self)->p = 0; /* as 20-sim does */
  return FMI2_OK;
}
EXPORT fmi2_status fmi2EnterInitializationMode(fmi2_component self) {
  return is(self, "refuses") ? FMI2_ERROR : FMI2_OK;
}
EXPORT fmi2_status fmi2ExitInitializationMode(fmi2_component self) {
  begin(self);
  return is(self, "refuses_exit") ? FMI2_ERROR : FMI2_OK;
}
EXPORT fmi2_status fmi2Terminate(fmi2_component self) { return self != NULL ? FMI2_OK : FMI2_ERROR; }
EXPORT fmi2_status fmi2GetReal(fmi2_component self, const unsigned *references, size_t n, double *values) {
  int status = FMI2_OK;
  for (size_t i = 0; i < n && status == FMI2_OK; i++)
    status = get_real(self, references[i], &values[i]);
  return (fmi2_status)status;
}
EXPORT fmi2_status fmi2SetReal(fmi2_component self, const unsigned *references, size_t n, const double *values) {
  int status = FMI2_OK;
  for (size_t i = 0; i < n && status == FMI2_OK; i++)
    status = set_real(self, references[i], values[i]);
  return (fmi2_status)status;
}
EXPORT fmi2_status fmi2GetInteger(fmi2_component self, const unsigned *references, size_t n, int *values) {
  for (size_t i = 0; i < n; i++)
    get_whole(self, references[i], &values[i]);
  return FMI2_OK;
}
EXPORT fmi2_status fmi2SetInteger(fmi2_component self, const unsigned *references, size_t n, const int *values) {
  for (size_t i = 0; i < n; i++)
    *whole_of(self, references[i]) = values[i];
  return FMI2_OK;
}
EXPORT fmi2_status fmi2GetBoolean(fmi2_component self, const unsigned *references, size_t n, int *values) {
  return fmi2GetInteger(self, references, n, values);
}
EXPORT fmi2_status fmi2SetBoolean(fmi2_component self, const unsigned *references, size_t n, const int *values) {
  return fmi2SetInteger(self, references, n, values);
}
EXPORT fmi2_status fmi2SetString(fmi2_component self, const unsigned *references, size_t n, const char *const *values) {
  (void)references;
  if (n == 1)
    set_mode(self, values[0]);
  return n == 1 ? FMI2_OK : FMI2_ERROR;
}
/* It promises states that it does not give. */
EXPORT fmi2_status fmi2GetFMUstate(fmi2_component self, fmi2_state *state) {
  (void)self, (void)state;
  return FMI2_ERROR;
}
EXPORT fmi2_status fmi2SetFMUstate(fmi2_component self, fmi2_state state) {
  (void)self, (void)state;
  return FMI2_ERROR;
}
EXPORT fmi2_status fmi2FreeFMUstate(fmi2_component self, fmi2_state *state) {
  (void)self, (void)state;
  return FMI2_ERROR;
}
EXPORT fmi2_status fmi2DoStep(fmi2_component self, double t, double H, int no_set_state_before) {
  return (fmi2_status)step(self, t, H, no_set_state_before != FMI2_FALSE);
}
#else
EXPORT fmi3_instance fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                                 bool visible, bool logging_on, bool event_mode_used,
                                                 bool early_return_allowed, const uint32_t *intermediate_variables,
                                                 size_t n_intermediate_variables, fmi3_environment environment,
                                                 fmi3_log_message log_message, fmi3_intermediate_update update) {
  (void)name, (void)token, (void)resources, (void)visible, (void)logging_on, (void)event_mode_used;
  (void)early_return_allowed, (void)intermediate_variables, (void)n_intermediate_variables, (void)update;
  return create((rogue){.environment = environment, .log_message = log_message});
}
EXPORT void fmi3FreeInstance(fmi3_instance self) { free(self); }
EXPORT fmi3_status fmi3EnterInitializationMode(fmi3_instance self, bool tolerance_defined, double tolerance,
                                               double start, bool stop_defined, double stop) {
  set_up(self, tolerance_defined, tolerance, start, stop_defined, stop);
  return FMI3_OK;
}
EXPORT fmi3_status fmi3ExitInitializationMode(fmi3_instance self) {
  begin(self);
  return FMI3_OK;
}
EXPORT fmi3_status fmi3Terminate(fmi3_instance self) { return self != NULL ? FMI3_OK : FMI3_ERROR; }
EXPORT fmi3_status fmi3EnterEventMode(fmi3_instance self) { return self != NULL ? FMI3_OK : FMI3_ERROR; }
EXPORT fmi3_status fmi3EnterStepMode(fmi3_instance self) { return self != NULL ? FMI3_OK : FMI3_ERROR; }
EXPORT fmi3_status fmi3UpdateDiscreteStates(fmi3_instance component, bool *needs_update, bool *terminate_simulation,
                                            bool *nominals_changed, bool *states_changed, bool *next_event_time_defined,
                                            double *next_event_time) {
  const rogue *self = component;
  *needs_update = *nominals_changed = *states_changed = false;
  *terminate_simulation = is(self, "ends") && self->t >= 0.5 - 1e-9;
  *next_event_time_defined = true;
  *next_event_time = is(self, "still") ? nextafter(self->t, 1) : self->t < 0.5 - 1e-9 ? 0.5 : 10;
  return FMI3_OK;
}
EXPORT fmi3_status fmi3GetFloat64(fmi3_instance component, const uint32_t *references, size_t n, double *values,
                                  size_t n_values) {
  const rogue *self = component;
  if (n == 1 && references[0] == ROGUE_TABLE && n_values == self->size) {
    memcpy(values, self->table, n_values * sizeof *values);
    return FMI3_OK;
  }
  int status = FMI2_OK;
  for (size_t i = 0; i < n && status == FMI2_OK; i++)
    status = get_real(self, references[i], &values[i]);
  return (fmi3_status)status;
}
EXPORT fmi3_status fmi3SetFloat64(fmi3_instance component, const uint32_t *references, size_t n, const double *values,
                                  size_t n_values) {
  rogue *self = component;
  if (n == 1 && references[0] == ROGUE_TABLE && n_values == self->size && !self->is_configured) {
    memcpy(self->table, values, n_values * sizeof *values);
    return FMI3_OK;
  }
  int status = FMI2_OK;
  for (size_t i = 0; i < n && status == FMI2_OK; i++)
    status = set_real(self, references[i], values[i]);
  return (fmi3_status)status;
}
EXPORT fmi3_status fmi3EnterConfigurationMode(fmi3_instance self) {
  ((rogue *)self)->is_configured = true;
  return FMI3_OK;
}
EXPORT fmi3_status fmi3ExitConfigurationMode(fmi3_instance self) {
  ((rogue *)self)->is_configured = false;
  return FMI3_OK;
}
EXPORT fmi3_status fmi3SetUInt64(fmi3_instance component, const uint32_t *references, size_t n, const uint64_t *values,
                                 size_t n_values) {
  rogue *self = component;
  if (n != 1 || references[0] != ROGUE_SIZE || n_values != 1 || !self->is_configured)
    return FMI3_ERROR;
  self->size = values[0];
  return FMI3_OK;
}
EXPORT fmi3_status fmi3GetUInt64(fmi3_instance self, const uint32_t *references, size_t n, uint64_t *values,
                                 size_t n_values) {
  (void)references;
  *values = ((rogue *)self)->size;
  return n == 1 && n_values == 1 ? FMI3_OK : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SetString(fmi3_instance self, const uint32_t *references, size_t n, const char *const *values,
                                 size_t n_values) {
  (void)references;
  if (n == 1 && n_values == 1)
    set_mode(self, values[0]);
  return n == 1 && n_values == 1 ? FMI3_OK : FMI3_ERROR;
}
EXPORT fmi3_status fmi3DoStep(fmi3_instance component, double t, double H, bool no_set_state_before,
                              bool *event_handling_needed, bool *terminate_simulation, bool *early_return,
                              double *last_time) {
  rogue *self = component;
  *event_handling_needed = *terminate_simulation = *early_return = false;
  *last_time = t + H;
  return (fmi3_status)step(self, t, H, no_set_state_before);
}
#endif
