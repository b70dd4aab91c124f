/* One source for both versions: UNIT_VERSION is 2 or 3. With UNIT_BARE it has no functions of states, with
 * UNIT_FORGETS its states lack s. */
#include "tests/fmi/unit/unit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

#define EXPORT __attribute__((visibility("default")))

#if UNIT_VERSION == 2
typedef fmi2_status status;
#define OK FMI2_OK
#define DISCARD FMI2_DISCARD
#define ERROR FMI2_ERROR
#else
typedef fmi3_status status;
#define OK FMI3_OK
#define DISCARD FMI3_DISCARD
#define ERROR FMI3_ERROR
#endif

enum { MAX_ORDER = 7 };

typedef struct unit {
  double real[UNIT_N_REALS];
  int mirrored, divisions;
  double rate[MAX_ORDER + 1]; /* derivatives of the force, from order 1; FMI 2 */
  double begin;               /* s, of the step under way */
  double reached;
  bool terminates; /* the last step asks for the end */
  bool handles_events, is_in_events;
  int updates; /* of discrete states, to come */
  char label[64];
  void *environment;
  fmi2_callbacks callbacks;
  fmi3_log_message log_message;
  fmi3_intermediate_update update;
} unit;

static void say(const unit *self, const char *text) {
  if (self->callbacks.logger != NULL)
    self->callbacks.logger(self->environment, "unit", FMI2_ERROR, "error", "%s", text);
  if (self->log_message != NULL)
    self->log_message(self->environment, FMI3_ERROR, "error", text);
}

static unit *create(const char *token, unit with) {
  static const double start[UNIT_N_REALS] = {[UNIT_M] = 1,
                                             [UNIT_K] = 100,
                                             [UNIT_FAIL_AT] = INFINITY,
                                             [UNIT_NAN_AT] = INFINITY,
                                             [UNIT_EARLY_AT] = INFINITY,
                                             [UNIT_STUCK_AT] = INFINITY,
                                             [UNIT_END_AT] = INFINITY,
                                             [UNIT_LONGEST] = INFINITY,
                                             [UNIT_WALL] = INFINITY,
                                             [UNIT_NEXT] = INFINITY};
  if (strcmp(token, UNIT_TOKEN) != 0) {
    say(&with, "made for another model");
    return NULL;
  }
  unit *self = malloc(sizeof *self);
  *self = with;
  memcpy(self->real, start, sizeof start);
  self->divisions = 20;
  return self;
}

/* Tests see that its program was loaded, and what is left of a process that it ends. */
__attribute__((constructor)) static void show(void) {
  const char *trace = getenv("UNIT_TRACE");
  FILE *file = trace != NULL ? fopen(trace, "w") : NULL;
  if (file != NULL)
    fclose(file);
  if (getenv("UNIT_CRASHES") != NULL)
    abort(); /* sanitizers leave this signal alone */
}

/* ---- The model ---- */

static double force_at(unit *self, double t) {
  double force = self->real[UNIT_F], power = 1;
  for (int k = 1; k <= MAX_ORDER; k++) {
    power *= (t - self->begin) / k;
    force += self->rate[k] * power;
  }
  return self->mirrored ? -force : force;
}

/* FMI 3: the master sets the force of that time. */
static void ask(unit *self, double t) {
  bool early = false;
  double early_time = t;
  if (self->update != NULL)
    self->update(self->environment, t, true, true, false, false, &early, &early_time);
}

static void rates(unit *self, double t, const double *z, double *dz) {
  ask(self, t);
  const double f = force_at(self, t);
  dz[0] = z[1];
  dz[1] = (f - self->real[UNIT_K] * z[0] - self->real[UNIT_C] * z[1]) / self->real[UNIT_M];
  dz[2] = f;
}

static void advance(unit *self, double t, double h) {
  static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
  double z[3] = {self->real[UNIT_X], self->real[UNIT_V], self->real[UNIT_S]}, sum[3] = {0}, dz[3] = {0};
  for (int stage = 0; stage < 4; stage++) {
    double y[3];
    for (int i = 0; i < 3; i++)
      y[i] = z[i] + at[stage] * h * dz[i];
    rates(self, t + at[stage] * h, y, dz);
    for (int i = 0; i < 3; i++)
      sum[i] += weight[stage] * dz[i] / 6;
  }
  self->real[UNIT_X] += h * sum[0];
  self->real[UNIT_V] += h * sum[1];
  self->real[UNIT_S] += h * sum[2];
}

static bool is_beyond(const unit *self) { return self->real[UNIT_X] > self->real[UNIT_WALL] && self->real[UNIT_V] > 0; }

/* One micro step, up to the wall: returns its length. */
static double advance_to_wall(unit *self, double t, double h) {
  double before[UNIT_N_REALS], low = 0, high = h;
  memcpy(before, self->real, sizeof before);
  advance(self, t, h);
  if (!is_beyond(self))
    return h;
  for (int i = 0; i < 60; i++) {
    const double middle = (low + high) / 2;
    memcpy(self->real, before, sizeof before);
    advance(self, t, middle);
    *(is_beyond(self) ? &high : &low) = middle;
  }
  memcpy(self->real, before, sizeof before);
  advance(self, t, high);
  self->real[UNIT_WAITS] = 1;
  return high;
}

/* Up to the wall; returns the time. */
static double run(unit *self, double from, double to) {
  const double h = (to - from) / self->divisions;
  for (int i = 0; i < self->divisions; i++) {
    const double taken = advance_to_wall(self, from + i * h, h);
    if (self->real[UNIT_WAITS] != 0)
      return from + i * h + taken;
  }
  return to;
}

static void turn_round(unit *self) {
  if (self->real[UNIT_WAITS] != 0)
    self->real[UNIT_V] *= -1;
  self->real[UNIT_WAITS] = 0;
}

static void sample(unit *self, double t) {
  if (!(self->real[UNIT_PERIOD] > 0) || t < self->real[UNIT_NEXT] - 1e-9 * self->real[UNIT_PERIOD])
    return;
  self->real[UNIT_SAMPLED] = self->real[UNIT_X];
  self->real[UNIT_NEXT] += self->real[UNIT_PERIOD];
}

static status refuse(const unit *self, const char *why) {
  say(self, why);
  return ERROR;
}

static status step(unit *self, double t, double H) {
  const double *real = self->real;
  double end = t + H;
  self->reached = self->begin = t;
  self->terminates = end > real[UNIT_END_AT];
  if (self->handles_events && (self->is_in_events || real[UNIT_WAITS] != 0))
    return refuse(self, "a step before an event is handled");
  if (self->handles_events && end > real[UNIT_NEXT] + 1e-9 * real[UNIT_PERIOD])
    return refuse(self, "a step beyond a sample");
  if (end > real[UNIT_FAIL_AT])
    return refuse(self, "the spring broke");
  if (H > (1 + 1e-9) * real[UNIT_LONGEST])
    self->reached = t + real[UNIT_CLAIM] * H;
  if (H > (1 + 1e-9) * real[UNIT_LONGEST] || (end > real[UNIT_STUCK_AT] && t > real[UNIT_STUCK_AT] - H / 2))
    return DISCARD;
  if (end > real[UNIT_EARLY_AT] && t < real[UNIT_EARLY_AT])
    end = real[UNIT_EARLY_AT];
  if (self->terminates)
    end = fmax(real[UNIT_END_AT], t);
  for (double at = t; at < end;) {
    at = run(self, at, fmin(end, fmax(real[UNIT_NEXT], at)));
    if (self->handles_events)
      end = at;
    else {
      turn_round(self);
      sample(self, at);
    }
  }
  self->reached = self->real[UNIT_TIME] = end;
  if (end > real[UNIT_NAN_AT])
    self->real[UNIT_X] = NAN;
  memset(self->rate, 0, sizeof self->rate);
  return end < t + H ? DISCARD : OK;
}

static status get(unit *self, const unsigned *references, size_t n, double *values) {
  self->begin = self->real[UNIT_TIME];
  const double f = force_at(self, self->begin);
  self->real[UNIT_Y] = f;
  self->real[UNIT_A] =
      (f - self->real[UNIT_K] * self->real[UNIT_X] - self->real[UNIT_C] * self->real[UNIT_V]) / self->real[UNIT_M];
  for (size_t i = 0; i < n; i++) {
    if (references[i] >= UNIT_N_REALS)
      return ERROR;
    values[i] = self->real[references[i]];
  }
  return OK;
}

static status set(unit *self, const unsigned *references, size_t n, const double *values) {
  for (size_t i = 0; i < n; i++) {
    if (references[i] >= UNIT_N_REALS)
      return ERROR;
    self->real[references[i]] = values[i];
  }
  return OK;
}

static status begin(unit *self, double start) {
  self->real[UNIT_TIME] = start;
  self->real[UNIT_X] = self->real[UNIT_X0];
  self->real[UNIT_V] = self->real[UNIT_V0];
  self->real[UNIT_SAMPLED] = self->real[UNIT_X];
  self->real[UNIT_NEXT] = self->real[UNIT_PERIOD] > 0 ? start + self->real[UNIT_PERIOD] : INFINITY;
  return OK;
}

static status set_whole(unit *self, unsigned reference, int value) {
  if (reference == UNIT_MIRRORED)
    self->mirrored = value;
  else if (reference == UNIT_DIVISIONS)
    self->divisions = value;
  else
    return ERROR;
  return OK;
}

static status set_text(unit *self, unsigned reference, const char *text) {
  if (reference != UNIT_LABEL)
    return ERROR;
  snprintf(self->label, sizeof self->label, "%s", text);
  return OK;
}

#ifndef UNIT_BARE
static status save(const unit *self, void **state) {
  unit *saved = *state != NULL ? *state : malloc(sizeof *saved);
  *saved = *self;
#ifdef UNIT_FORGETS
  saved->real[UNIT_S] = 0;
#endif
  *state = saved;
  return OK;
}

static status restore(unit *self, const void *state) {
  const unit *saved = state;
  memcpy(self->real, saved->real, sizeof self->real);
  memcpy(self->rate, saved->rate, sizeof self->rate);
  self->is_in_events = saved->is_in_events;
  self->updates = saved->updates;
  return OK;
}

/* As bytes: numbers, rates, and the mode: updates to come in event mode, else -1. */
enum { STATE_SIZE = (UNIT_N_REALS + MAX_ORDER + 2) * sizeof(double) };

static status forget(void **state) {
  free(*state);
  *state = NULL;
  return OK;
}

static status read_state(const unit *self, const void *bytes, size_t size, void **state) {
  double mode;
  if (size != STATE_SIZE)
    return ERROR;
  unit *read = *state != NULL ? *state : malloc(sizeof *read);
  *read = *self;
  memcpy(read->real, bytes, sizeof read->real);
  memcpy(read->rate, (const char *)bytes + sizeof read->real, sizeof read->rate);
  memcpy(&mode, (const char *)bytes + STATE_SIZE - sizeof mode, sizeof mode);
  read->is_in_events = mode >= 0;
  read->updates = mode >= 0 ? (int)mode : 0;
  *state = read;
  return OK;
}

static status write_state(const void *state, void *bytes, size_t size) {
  const unit *saved = state;
  const double mode = saved->is_in_events ? saved->updates : -1;
  if (size < STATE_SIZE)
    return ERROR;
  memcpy(bytes, saved->real, sizeof saved->real);
  memcpy((char *)bytes + sizeof saved->real, saved->rate, sizeof saved->rate);
  memcpy((char *)bytes + STATE_SIZE - sizeof mode, &mode, sizeof mode);
  return OK;
}

static status measure(size_t *size) {
  *size = STATE_SIZE;
  return OK;
}
#endif

/* ---- FMI 2 ---- */

#if UNIT_VERSION == 2
EXPORT const char *fmi2GetTypesPlatform(void) { return FMI2_TYPES_PLATFORM; }
EXPORT const char *fmi2GetVersion(void) { return FMI2_VERSION; }
EXPORT fmi2_component fmi2Instantiate(const char *name, fmi2_kind kind, const char *guid, const char *resources,
                                      const fmi2_callbacks *callbacks, int visible, int logging_on) {
  (void)name, (void)visible, (void)logging_on;
  if (kind != FMI2_CO_SIMULATION || strncmp(resources, "file:///", 8) != 0)
    return NULL;
  return create(guid, (unit){.environment = callbacks->environment, .callbacks = *callbacks});
}
EXPORT void fmi2FreeInstance(fmi2_component self) { free(self); }
EXPORT fmi2_status fmi2SetupExperiment(fmi2_component self, int tolerance_defined, double tolerance, double start,
                                       int stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  ((unit *)self)->real[UNIT_TIME] = start;
  return FMI2_OK;
}
EXPORT fmi2_status fmi2EnterInitializationMode(fmi2_component component) {
  unit *self = component;
  return self->real[UNIT_M] > 0 ? begin(self, self->real[UNIT_TIME]) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2ExitInitializationMode(fmi2_component self) {
  return ((unit *)self)->real[UNIT_K] >= 0 ? FMI2_OK : FMI2_ERROR;
}
EXPORT fmi2_status fmi2Terminate(fmi2_component self) { return self != NULL ? FMI2_OK : FMI2_ERROR; }
EXPORT fmi2_status fmi2GetReal(fmi2_component self, const unsigned *references, size_t n, double *values) {
  return get(self, references, n, values);
}
EXPORT fmi2_status fmi2SetReal(fmi2_component self, const unsigned *references, size_t n, const double *values) {
  return set(self, references, n, values);
}
EXPORT fmi2_status fmi2SetBoolean(fmi2_component self, const unsigned *references, size_t n, const int *values) {
  return n == 1 ? set_whole(self, *references, *values) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2SetInteger(fmi2_component self, const unsigned *references, size_t n, const int *values) {
  return n == 1 ? set_whole(self, *references, *values) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2SetString(fmi2_component self, const unsigned *references, size_t n, const char *const *values) {
  return n == 1 ? set_text(self, *references, *values) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2SetRealInputDerivatives(fmi2_component component, const unsigned *references, size_t n,
                                               const int *orders, const double *values) {
  unit *self = component;
  for (size_t i = 0; i < n; i++) {
    if (references[i] != UNIT_F || orders[i] < 1 || orders[i] > MAX_ORDER)
      return FMI2_ERROR;
    self->rate[orders[i]] = values[i];
  }
  return FMI2_OK;
}
EXPORT fmi2_status fmi2DoStep(fmi2_component self, double t, double H, int no_set_state_before) {
  (void)no_set_state_before;
  return step(self, t, H);
}
EXPORT fmi2_status fmi2GetRealStatus(fmi2_component self, fmi2_question question, double *value) {
  *value = ((unit *)self)->reached;
  return question == FMI2_LAST_SUCCESSFUL_TIME ? FMI2_OK : FMI2_ERROR;
}
EXPORT fmi2_status fmi2GetBooleanStatus(fmi2_component self, fmi2_question question, int *value) {
  *value = ((unit *)self)->terminates;
  return question == FMI2_TERMINATED ? FMI2_OK : FMI2_ERROR;
}
#ifndef UNIT_BARE
EXPORT fmi2_status fmi2GetFMUstate(fmi2_component self, fmi2_state *state) { return save(self, state); }
EXPORT fmi2_status fmi2SetFMUstate(fmi2_component self, fmi2_state state) { return restore(self, state); }
EXPORT fmi2_status fmi2FreeFMUstate(fmi2_component self, fmi2_state *state) {
  return self != NULL ? forget(state) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2SerializedFMUstateSize(fmi2_component self, fmi2_state state, size_t *size) {
  return self != NULL && state != NULL ? measure(size) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2SerializeFMUstate(fmi2_component self, fmi2_state state, char *bytes, size_t size) {
  return self != NULL ? write_state(state, bytes, size) : FMI2_ERROR;
}
EXPORT fmi2_status fmi2DeSerializeFMUstate(fmi2_component self, const char *bytes, size_t size, fmi2_state *state) {
  return read_state(self, bytes, size, state);
}
#endif
#endif

/* ---- FMI 3 ---- */

#if UNIT_VERSION == 3
EXPORT fmi3_instance fmi3InstantiateCoSimulation(const char *name, const char *token, const char *resources,
                                                 bool visible, bool logging_on, bool event_mode_used,
                                                 bool early_return_allowed, const uint32_t *intermediate_variables,
                                                 size_t n_intermediate_variables, fmi3_environment environment,
                                                 fmi3_log_message log_message, fmi3_intermediate_update update) {
  (void)name, (void)resources, (void)visible, (void)logging_on, (void)early_return_allowed;
  (void)intermediate_variables;
  return create(token, (unit){.environment = environment,
                              .handles_events = event_mode_used,
                              .is_in_events = event_mode_used,
                              .updates = 1,
                              .log_message = log_message,
                              .update = n_intermediate_variables > 0 ? update : NULL});
}
EXPORT void fmi3FreeInstance(fmi3_instance self) { free(self); }
EXPORT fmi3_status fmi3EnterInitializationMode(fmi3_instance self, bool tolerance_defined, double tolerance,
                                               double start, bool stop_defined, double stop) {
  (void)tolerance_defined, (void)tolerance, (void)stop_defined, (void)stop;
  return ((unit *)self)->real[UNIT_M] > 0 ? begin(self, start) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3ExitInitializationMode(fmi3_instance self) {
  return ((unit *)self)->real[UNIT_K] >= 0 ? FMI3_OK : FMI3_ERROR;
}
EXPORT fmi3_status fmi3EnterEventMode(fmi3_instance component) {
  unit *self = component;
  if (self->is_in_events || !self->handles_events)
    return FMI3_ERROR;
  self->is_in_events = true;
  self->updates = 2;
  return FMI3_OK;
}
EXPORT fmi3_status fmi3UpdateDiscreteStates(fmi3_instance component, bool *needs_update, bool *terminate_simulation,
                                            bool *nominals_changed, bool *states_changed, bool *next_event_time_defined,
                                            double *next_event_time) {
  unit *self = component;
  *needs_update = --self->updates > 0;
  if (!self->is_in_events || self->updates < 0)
    return FMI3_ERROR;
  if (self->updates == 0) {
    turn_round(self);
    sample(self, self->real[UNIT_TIME]);
  }
  *terminate_simulation = *nominals_changed = *states_changed = false;
  *next_event_time_defined = self->real[UNIT_PERIOD] > 0;
  *next_event_time = self->real[UNIT_NEXT];
  return FMI3_OK;
}
EXPORT fmi3_status fmi3EnterStepMode(fmi3_instance component) {
  unit *self = component;
  const bool is_settled = self->is_in_events && self->updates == 0;
  self->is_in_events = false;
  return is_settled ? FMI3_OK : FMI3_ERROR;
}
EXPORT fmi3_status fmi3Terminate(fmi3_instance self) { return self != NULL ? FMI3_OK : FMI3_ERROR; }
EXPORT fmi3_status fmi3GetFloat64(fmi3_instance self, const uint32_t *references, size_t n, double *values,
                                  size_t n_values) {
  return n == n_values ? get(self, references, n, values) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SetFloat64(fmi3_instance self, const uint32_t *references, size_t n, const double *values,
                                  size_t n_values) {
  return n == n_values ? set(self, references, n, values) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SetBoolean(fmi3_instance self, const uint32_t *references, size_t n, const bool *values,
                                  size_t n_values) {
  return n == 1 && n_values == 1 ? set_whole(self, *references, *values) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SetInt32(fmi3_instance self, const uint32_t *references, size_t n, const int32_t *values,
                                size_t n_values) {
  return n == 1 && n_values == 1 ? set_whole(self, *references, *values) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SetString(fmi3_instance self, const uint32_t *references, size_t n, const char *const *values,
                                 size_t n_values) {
  return n == 1 && n_values == 1 ? set_text(self, *references, *values) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3DoStep(fmi3_instance self, double t, double H, bool no_set_state_before,
                              bool *event_handling_needed, bool *terminate_simulation, bool *early_return,
                              double *last_time) {
  (void)no_set_state_before;
  const unit *of = self;
  const status ended = step(self, t, H);
  const bool is_stuck = ended == DISCARD && of->reached == t && of->real[UNIT_STUCK_AT] < t + H;
  *terminate_simulation = of->terminates;
  *early_return = ended == DISCARD && (of->reached > t || is_stuck);
  *event_handling_needed = of->handles_events && of->real[UNIT_WAITS] != 0;
  *last_time = of->reached;
  return *early_return ? FMI3_OK : ended;
}
#ifndef UNIT_BARE
EXPORT fmi3_status fmi3GetFMUState(fmi3_instance self, fmi3_state *state) { return save(self, state); }
EXPORT fmi3_status fmi3SetFMUState(fmi3_instance self, fmi3_state state) { return restore(self, state); }
EXPORT fmi3_status fmi3FreeFMUState(fmi3_instance self, fmi3_state *state) {
  return self != NULL ? forget(state) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SerializedFMUStateSize(fmi3_instance self, fmi3_state state, size_t *size) {
  return self != NULL && state != NULL ? measure(size) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3SerializeFMUState(fmi3_instance self, fmi3_state state, uint8_t *bytes, size_t size) {
  return self != NULL ? write_state(state, bytes, size) : FMI3_ERROR;
}
EXPORT fmi3_status fmi3DeserializeFMUState(fmi3_instance self, const uint8_t *bytes, size_t size, fmi3_state *state) {
  return read_state(self, bytes, size, state);
}
#endif
#endif
