/* Instances of an FMU, in either version of FMI ([FMI 2.0.4] 4.2.1, [FMI 3.0.2] 4.2.1). Functions of FMI 2 and 3 that
 * differ only in arguments share one call.
 *
 *   FMI 2   a step is done or discarded; for a discarded step the FMU gives the time it could reach
 *   FMI 3   a step may also end early, at an event; event mode then updates discrete states until the FMU needs no more
 *           updates. The FMU may also give the time of its next event; the caller ends a step then */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/note.h"
#include "base/then.h"
#include "base/utf8.h"
#include "fmi/guard.h"
#include "fmi/library.h"
#include "fmi/thresholds.h"

struct fmi_instance {
  fmi_fmu *of;
  void *handle;
  fmi_instance_def def;
  char *name;
  char *resources;
  fmi2_callbacks callbacks;
  char logged[256];    /* last warning or error of the present call */
  char discarded[256]; /* the same of the last step, if the FMU discarded it */
  size_t n_warnings;   /* number of calls that succeeded with a warning */
  double t;            /* s, communication point */
  struct {
    double t, step; /* s: time of the first of successive events that are nearly at one time; longest step so far */
    int n;          /* number of these events */
  } stagnation;
  char crash[160]; /* description of a crash in the last call */
  bool has_stepped;
  bool has_ended;    /* the FMU ended the simulation */
  double next_event; /* FMI 3 with event mode: s, time of the next event; INFINITY: unknown */
  bool is_in_event_mode;
  bool has_begun;
  bool has_failed;      /* after an error: the instance may only be freed */
  bool has_fatal_error; /* after a fatal error: not even that */
};

static bool is_two(const fmi_instance *self) { return self->of->description->version == FMI_2; }

/* Returns true if events are handled in event mode. */
static bool has_events(const fmi_instance *self) {
  return !is_two(self) && self->of->description->capabilities.event_mode;
}

/* ---- Calls ---- */

/* These macros call a function of the FMU within the guard: CALL in either version, CALL_2 and CALL_3 in one. `code`
 * gets the function's status, or FMI_CRASHED. sigsetjmp() may spoil local variables of the function that uses a macro:
 * it should not need them after the call. */
#define CALL(self, code, is_thorough, name2, arguments2, name3, arguments3)                                            \
  CALL_AS(self, code, is_thorough, is_two(self) ? "fmi2" #name2 : "fmi3" #name3,                                       \
          is_two(self) ? (int)(self)->of->call.two.name2 arguments2 : (int)(self)->of->call.three.name3 arguments3)
#define CALL_2(self, code, is_thorough, name, arguments)                                                               \
  CALL_AS(self, code, is_thorough, "fmi2" #name, (int)(self)->of->call.two.name arguments)
#define CALL_3(self, code, is_thorough, name, arguments)                                                               \
  CALL_AS(self, code, is_thorough, "fmi3" #name, (int)(self)->of->call.three.name arguments)
#define CALL_AS(self, code, is_thorough, function, result)                                                             \
  do {                                                                                                                 \
    fmi_guard around;                                                                                                  \
    volatile int ended = FMI_CRASHED;                                                                                  \
    FMI_GUARDED(around, (self)->name, (function), (self)->t, (is_thorough), ended = (result));                         \
    if (around.crash != 0)                                                                                             \
      fmi_guard_report(&around, (self)->crash, sizeof(self)->crash);                                                   \
    (code) = ended;                                                                                                    \
  } while (0)

static void log_text(fmi_instance *self, int status, const char *text) {
  if (self == NULL || status == FMI2_OK)
    return;
  snprintf(self->logged, sizeof self->logged, "%s", text);
  text_make_printable(self->logged);
  for (size_t n = strlen(self->logged); n > 0 && self->logged[n - 1] == '\n'; n--)
    self->logged[n - 1] = '\0';
}

static void log_2(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
                  const char *message, ...) {
  char text[256];
  va_list arguments;
  (void)instance, (void)category;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message != NULL ? message : "", arguments);
  va_end(arguments);
  log_text(environment, (int)status, text);
}

static void log_3(fmi3_environment environment, fmi3_status status, const char *category, const char *message) {
  (void)category;
  log_text(environment, (int)status, message != NULL ? message : "");
}

/* Returns SEAM_OK unless the call of `function` failed; writes a note for a warning. The numbers of `status` have the
 * same meanings in FMI 2 and 3. */
static seam_status end_call(fmi_instance *self, int status, const char *function, seam_error *error) {
  static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  const int version = is_two(self) ? 2 : 3;
  const char *colon = self->logged[0] != '\0' ? ": " : "";
  if (status == FMI_CRASHED) {
    self->has_failed = self->has_fatal_error = true;
    return seam_fail(error, SEAM_FMU_FAILED, "its program %s: ask its maker", self->crash);
  }
  if (status == FMI2_OK && self->logged[0] == '\0')
    return SEAM_OK;
  if (status == FMI2_OK || status == FMI2_WARNING) {
    if (self->n_warnings++ == 0)
      seam_note("t = %.9g s: the FMU of '%s' warns in fmi%d%s()%s%s", self->t, self->name, version, function, colon,
                self->logged);
    self->logged[0] = '\0';
    return SEAM_OK;
  }
  self->has_failed = self->has_failed || status < 0 || status >= FMI2_ERROR;
  self->has_fatal_error = self->has_fatal_error || status == FMI2_FATAL;
  if (status < 0 || status > FMI2_PENDING)
    return seam_fail(error, SEAM_FMU_FAILED, "fmi%d%s() gave %d, which the standard does not know%s%s", version,
                     function, status, colon, self->logged);
  return seam_fail(error, SEAM_FMU_FAILED, "fmi%d%s() gave fmi%d%s%s%s", version, function, version, names[status],
                   colon, self->logged);
}

/* Calls a function of the FMU and returns the status of the call. */
#define RETURN_CALL(self, name2, arguments2, name3, arguments3)                                                        \
  int code = (int)FMI2_OK;                                                                                             \
  CALL(self, code, false, name2, arguments2, name3, arguments3);                                                       \
  return end_call(self, code, (const char *const[]){#name3, #name2}[is_two(self)], error)

/* ---- Creation ---- */

static void on_update(fmi3_environment environment, double t, bool set_requested, bool get_allowed, bool step_finished,
                      bool can_return_early, bool *early_return_requested,
                      double *early_return_time) { /* NOLINT(readability-non-const-parameter): the standard's type */
  fmi_instance *self = environment;
  (void)get_allowed, (void)step_finished, (void)can_return_early, (void)early_return_time;
  if (early_return_requested != NULL)
    *early_return_requested = false;
  if (set_requested && self->def.update != NULL)
    fmi_guard_call_back(self->def.update, self->def.context, t - self->def.origin);
}

/* Returns the location of the resources: a path (FMI 3), or a URI (RFC 3986) with all characters escaped except
 * letters, digits and "/-_.~" (FMI 2). The caller frees it; NULL: no memory. */
static char *resources_of(const fmi_instance *self) {
  char *path = file_path(self->of->folder, is_two(self) ? "resources" : "resources/");
  if (path == NULL || !is_two(self))
    return path;
  char *uri = malloc(3 * strlen(path) + sizeof "file://");
  char *to = uri != NULL ? uri + sprintf(uri, "file://") : NULL;
  for (const unsigned char *at = (const unsigned char *)path; *at != '\0' && to != NULL; at++) {
    const bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                          strchr("/-_.~", *at) != NULL;
    to += sprintf(to, is_plain ? "%c" : "%%%02X", *at);
  }
  free(path);
  return uri;
}

static void *instantiate(fmi_instance *self) {
  const fmi_description *description = self->of->description;
  const fmi_instance_def *def = &self->def;
  if (is_two(self))
    return self->of->call.two.Instantiate(self->name, FMI2_CO_SIMULATION, description->token, self->resources,
                                          &self->callbacks, FMI2_FALSE, FMI2_FALSE);
  return self->of->call.three.InstantiateCoSimulation(self->name, description->token, self->resources, false, false,
                                                      has_events(self), description->capabilities.might_return_early,
                                                      def->updated, def->update != NULL ? def->n_updated : 0, self,
                                                      log_3, def->update != NULL ? on_update : NULL);
}

static seam_status create_handle(fmi_instance *self, seam_error *error) {
  fmi_guard guard;
  void *volatile handle = NULL;
  self->callbacks = (fmi2_callbacks){.logger = log_2, .allocate = calloc, .release = free, .environment = self};
  FMI_GUARDED(guard, self->name, is_two(self) ? "fmi2Instantiate" : "fmi3InstantiateCoSimulation", self->t, true,
              handle = instantiate(self));
  self->handle = handle;
  if (guard.crash != 0) {
    fmi_guard_report(&guard, self->crash, sizeof self->crash);
    self->has_fatal_error = true;
    return seam_fail(error, SEAM_FMU_FAILED, "%s: its program %s: ask its maker", self->of->path, self->crash);
  }
  if (handle != NULL)
    return end_call(self, (int)FMI2_OK, is_two(self) ? "Instantiate" : "InstantiateCoSimulation", error);
  return seam_fail(error, SEAM_BAD_INPUT, "%s: the FMU refuses to be instantiated with the %s '%.80s'%s%s",
                   self->of->path, is_two(self) ? "guid" : "instantiationToken", self->of->description->token,
                   self->logged[0] != '\0' ? ": " : "", self->logged);
}

static double or_zero(double x) { return isnan(x) ? 0 : x; }

/* FMI 2: gives the experiment, before parameters are set, since some FMUs reset parameters in this call. FMI 3 gives
 * the experiment in EnterInitializationMode. */
static seam_status set_up(fmi_instance *self, seam_error *error) {
  const fmi_instance_def *def = &self->def;
  int code = (int)FMI2_OK;
  seam_error cause;
  if (!is_two(self))
    return SEAM_OK;
  CALL_2(self, code, true, SetupExperiment,
         (self->handle, !isnan(def->tolerance), or_zero(def->tolerance), def->origin + def->start, !isnan(def->stop),
          or_zero(def->origin + def->stop)));
  return end_call(self, code, "SetupExperiment", &cause) == SEAM_OK
             ? SEAM_OK
             : seam_fail(error, SEAM_BAD_INPUT, "%s: %s", self->of->path, cause.message);
}

seam_status fmi_instance_create(fmi_fmu *of, const fmi_instance_def *def, fmi_instance **created, seam_error *error) {
  if (of->description->capabilities.only_once_per_process && atomic_load(&of->n_instances) > 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: the FMU can be instantiated only once in a process: use it in one subsystem only", of->path);
  fmi_instance *self = calloc(1, sizeof *self);
  if (self != NULL) {
    *self = (fmi_instance){.of = of, .def = *def, .name = strdup(def->name), .t = def->start};
    self->resources = resources_of(self);
  }
  if (self == NULL || self->name == NULL || self->resources == NULL) {
    fmi_instance_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an instance", of->path);
  }
  seam_status status = create_handle(self, error);
  if (status == SEAM_OK)
    atomic_fetch_add(&of->n_instances, 1);
  THEN(status, set_up(self, error));
  RETURN_CREATED(status, self, created, fmi_instance_destroy);
}

/* ---- Events ---- */

typedef struct update {
  bool again, terminates, nominals, values, is_known;
  double next;
} update;

static int update_once(fmi_instance *self, update *to) {
  int code = (int)FMI3_OK;
  CALL_3(self, code, false, UpdateDiscreteStates,
         (self->handle, &to->again, &to->terminates, &to->nominals, &to->values, &to->is_known, &to->next));
  return code;
}

static seam_status update_states(fmi_instance *self, double t, seam_error *error) {
  update last = {.again = true};
  for (int n = 0; last.again && !self->has_ended; n++) {
    if (n == FMI_MAX_UPDATES)
      return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: its discrete states do not settle in %d updates", t,
                       FMI_MAX_UPDATES);
    last = (update){.next = INFINITY};
    seam_error cause = {0};
    if (end_call(self, update_once(self, &last), "UpdateDiscreteStates", &cause) != SEAM_OK)
      return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
    self->has_ended = last.terminates;
    self->next_event = last.is_known && !isnan(last.next) ? last.next - self->def.origin : INFINITY;
  }
  return SEAM_OK;
}

/* Updates discrete states and enters step mode. */
static seam_status leave_event_mode(fmi_instance *self, double t, seam_error *error) {
  int code = (int)FMI3_OK;
  TRY(update_states(self, t, error));
  const double length = self->def.stop - self->def.start; /* NaN: unknown */
  const double reach = fmi_stalled_events * (isnan(length) ? fmax(fabs(t), self->stagnation.step) : length);
  const bool has_progress = !(t >= self->stagnation.t && t <= self->stagnation.t + reach);
  self->stagnation.n = has_progress ? 1 : self->stagnation.n + 1;
  self->stagnation.t = has_progress ? t : self->stagnation.t;
  if (self->stagnation.n > FMI_MAX_STALLED_EVENTS) /* a run would never end */
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU makes no progress, because its last %d events lie within %.3g s, and the "
                     "next one is at %.17g s; ask its maker",
                     t, self->stagnation.n, t - self->stagnation.t, self->next_event);
  if (self->has_ended)
    return SEAM_OK;
  if (self->next_event <= t)
    return seam_fail(error, SEAM_FMU_FAILED,
                     "t = %.9g s: the FMU gives %.9g s as its next event, which is not after this time; ask its maker",
                     t, self->next_event);
  self->is_in_event_mode = false;
  CALL_3(self, code, false, EnterStepMode, (self->handle));
  return end_call(self, code, "EnterStepMode", error);
}

static int enter_event_mode(fmi_instance *self) {
  int code = (int)FMI3_OK;
  if (!self->is_in_event_mode)
    CALL_3(self, code, false, EnterEventMode, (self->handle));
  return code;
}

seam_status fmi_instance_handle_events(fmi_instance *self, double t, seam_error *error) {
  seam_error cause = {0};
  if (!has_events(self) || self->has_ended)
    return SEAM_OK;
  if (end_call(self, enter_event_mode(self), "EnterEventMode", &cause) != SEAM_OK)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
  return leave_event_mode(self, t, error);
}

double fmi_instance_next_event(const fmi_instance *self) { return self->next_event; }
bool fmi_instance_has_ended(const fmi_instance *self) { return self->has_ended; }
bool fmi_instance_has_deferred_events(const fmi_instance *self) { return self->is_in_event_mode; }

void fmi_instance_expect_event(fmi_instance *self, double t, bool defers_start_events) {
  self->next_event = t;
  self->is_in_event_mode = defers_start_events;
  self->has_ended = false;
}

/* ---- Initialisation ---- */

seam_status fmi_instance_configure(fmi_instance *self, bool begins, seam_error *error) {
  const fmi3_functions *call = &self->of->call.three;
  int code = (int)FMI3_OK;
  if (call->EnterConfigurationMode == NULL || call->ExitConfigurationMode == NULL)
    return seam_fail(
        error, SEAM_BAD_INPUT,
        "%s: its program has no configuration mode, so its structural parameters cannot be set; leave out their values",
        self->of->path);
  if (begins)
    CALL_3(self, code, false, EnterConfigurationMode, (self->handle));
  else
    CALL_3(self, code, false, ExitConfigurationMode, (self->handle));
  return end_call(self, code, begins ? "EnterConfigurationMode" : "ExitConfigurationMode", error);
}

seam_status fmi_instance_initialize(fmi_instance *self, seam_error *error) {
  const fmi_instance_def *def = &self->def;
  int code = (int)FMI2_OK;
  self->next_event = INFINITY;
  self->stagnation.t = NAN;
  CALL(self, code, true, EnterInitializationMode, (self->handle), EnterInitializationMode,
       (self->handle, !isnan(def->tolerance), or_zero(def->tolerance), def->origin + def->start, !isnan(def->stop),
        or_zero(def->origin + def->stop)));
  return end_call(self, code, "EnterInitializationMode", error);
}

seam_status fmi_instance_begin(fmi_instance *self, seam_error *error) {
  int code = (int)FMI2_OK;
  CALL(self, code, true, ExitInitializationMode, (self->handle), ExitInitializationMode, (self->handle));
  const seam_status status = end_call(self, code, "ExitInitializationMode", error);
  self->has_begun = status == SEAM_OK;
  self->is_in_event_mode = status == SEAM_OK && has_events(self);
  return self->is_in_event_mode && !self->def.defers_start_events ? leave_event_mode(self, self->def.start, error)
                                                                  : status;
}

/* ---- Values ---- */

/* Types of numbers: (version, enumerator, name in the version's functions, C type). */
#define NUMBER_TYPES(X)                                                                                                \
  X(2, FMI_FLOAT64, Real, double)                                                                                      \
  X(2, FMI_INT32, Integer, int)                                                                                        \
  X(2, FMI_BOOLEAN, Boolean, int)                                                                                      \
  X(2, FMI_ENUMERATION, Integer, int)                                                                                  \
  X(3, FMI_FLOAT64, Float64, double)                                                                                   \
  X(3, FMI_FLOAT32, Float32, float)                                                                                    \
  X(3, FMI_INT8, Int8, int8_t)                                                                                         \
  X(3, FMI_UINT8, UInt8, uint8_t)                                                                                      \
  X(3, FMI_INT16, Int16, int16_t)                                                                                      \
  X(3, FMI_UINT16, UInt16, uint16_t)                                                                                   \
  X(3, FMI_INT32, Int32, int32_t)                                                                                      \
  X(3, FMI_UINT32, UInt32, uint32_t)                                                                                   \
  X(3, FMI_INT64, Int64, int64_t)                                                                                      \
  X(3, FMI_UINT64, UInt64, uint64_t)                                                                                   \
  X(3, FMI_BOOLEAN, Boolean, bool)                                                                                     \
  X(3, FMI_ENUMERATION, Int64, int64_t)

#define FUNCTION_2(name) self->of->call.two.name
#define FUNCTION_3(name) self->of->call.three.name
#define ARGUMENTS_2 (self->handle, &reference, 1, converted)
#define ARGUMENTS_3 (self->handle, &reference, 1, converted, n)
#define SETTER_AND_GETTER(version, code, name, type)                                                                   \
  static int set_##version##code(fmi_instance *self, uint32_t reference, const double *values, size_t n,               \
                                 void *buffer) {                                                                       \
    type *converted = buffer;                                                                                          \
    for (size_t i = 0; i < n; i++)                                                                                     \
      converted[i] = (type)values[i];                                                                                  \
    int status = (int)FMI3_ERROR;                                                                                      \
    if (FUNCTION_##version(Set##name) != NULL)                                                                         \
      CALL_##version(self, status, false, Set##name, ARGUMENTS_##version);                                             \
    return status;                                                                                                     \
  }                                                                                                                    \
  static int get_##version##code(fmi_instance *self, uint32_t reference, double *values, size_t n, void *buffer) {     \
    type *converted = buffer;                                                                                          \
    int status = (int)FMI3_ERROR;                                                                                      \
    if (FUNCTION_##version(Get##name) != NULL)                                                                         \
      CALL_##version(self, status, false, Get##name, ARGUMENTS_##version);                                             \
    for (size_t i = 0; i < n && status >= 0 && status <= (int)FMI3_WARNING; i++)                                       \
      values[i] = (double)converted[i];                                                                                \
    return status;                                                                                                     \
  }
NUMBER_TYPES(SETTER_AND_GETTER)
#undef SETTER_AND_GETTER

/* Functions for a type of numbers: number_functions[0][type] in FMI 2, [1][type] in FMI 3. */
static const struct {
  int (*set)(fmi_instance *self, uint32_t reference, const double *values, size_t n, void *buffer);
  int (*get)(fmi_instance *self, uint32_t reference, double *values, size_t n, void *buffer);
  const char *set_name, *get_name;
} number_functions[][FMI_ENUMERATION + 1] = {
#define ROW(version, code, name, type)                                                                                 \
  [(version)-2][code] = {set_##version##code, get_##version##code, "Set" #name, "Get" #name},
    NUMBER_TYPES(ROW)
#undef ROW
};

enum { FEW = 32 };

/* Returns a buffer for n values of any type: `few` if it is large enough, else new memory; NULL: no memory. */
static void *value_buffer(size_t n, double *few) { return n <= FEW ? few : malloc(n * sizeof(double)); }
static void free_buffer(void *buffer, const double *few) {
  if (buffer != few)
    free(buffer);
}

seam_status fmi_instance_get(fmi_instance *self, size_t variable, double *values, size_t n, seam_error *error) {
  const fmi_variable *of = &self->of->description->variables[variable];
  double few[FEW];
  if (n != fmi_n_values(of) || of->type > FMI_ENUMERATION)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' is not a number", self->of->path, of->name);
  void *buffer = value_buffer(n, few);
  if (buffer == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for values", self->of->path);
  const int code = number_functions[!is_two(self)][of->type].get(self, of->reference, values, n, buffer);
  free_buffer(buffer, few);
  TRY(end_call(self, code, number_functions[!is_two(self)][of->type].get_name, error));
  char why[160];
  for (size_t i = 0; i < n; i++)
    if (!fmi_can_represent(of, self->of->description->version, values[i], why, sizeof why))
      return seam_fail(error, SEAM_FMU_FAILED, "its variable '%s' %s", of->name, why);
  return SEAM_OK;
}

seam_status fmi_instance_set(fmi_instance *self, size_t variable, const double *values, size_t n, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  seam_error cause = {0};
  char why[160];
  if (n != fmi_n_values(to) || to->type > FMI_ENUMERATION)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' takes %zu numbers, not %zu", self->of->path, to->name,
                     to->type > FMI_ENUMERATION ? 0 : fmi_n_values(to), n);
  for (size_t i = 0; i < n; i++)
    if (!fmi_can_represent(to, self->of->description->version, values[i], why, sizeof why))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' %s", self->of->path, to->name, why);
  double few[FEW];
  void *buffer = value_buffer(n, few);
  if (buffer == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for values", self->of->path);
  const int code = number_functions[!is_two(self)][to->type].set(self, to->reference, values, n, buffer);
  free_buffer(buffer, few);
  if (end_call(self, code, number_functions[!is_two(self)][to->type].set_name, &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' does not take its value: %s", self->of->path, to->name,
                   cause.message);
}

seam_status fmi_instance_set_text(fmi_instance *self, size_t variable, const char *text, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  const bool is_there = is_two(self) ? self->of->call.two.SetString != NULL : self->of->call.three.SetString != NULL;
  if (to->type != FMI_STRING || fmi_n_values(to) != 1 || !is_there)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: variable '%s' takes no text, as it is not a single string or the FMU cannot set one: leave "
                     "its value out",
                     self->of->path, to->name);
  RETURN_CALL(self, SetString, (self->handle, &to->reference, 1, &text), SetString,
              (self->handle, &to->reference, 1, &text, 1));
}

seam_status fmi_instance_set_reals(fmi_instance *self, const uint32_t *references, size_t n, const double *values,
                                   size_t n_values, seam_error *error) {
  if (n == 0)
    return SEAM_OK;
  RETURN_CALL(self, SetReal, (self->handle, references, n, values), SetFloat64,
              (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_get_reals(fmi_instance *self, const uint32_t *references, size_t n, double *values,
                                   size_t n_values, seam_error *error) {
  if (n == 0)
    return SEAM_OK;
  RETURN_CALL(self, GetReal, (self->handle, references, n, values), GetFloat64,
              (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_set_derivatives(fmi_instance *self, const uint32_t *references, const int *orders,
                                         const double *values, size_t n, seam_error *error) {
  if (n == 0 || !is_two(self))
    return SEAM_OK;
  int code = (int)FMI2_OK;
  CALL_2(self, code, false, SetRealInputDerivatives, (self->handle, references, n, orders, values));
  return end_call(self, code, "SetRealInputDerivatives", error);
}

seam_status fmi_instance_differentiate(fmi_instance *self, const uint32_t *outputs, size_t n_outputs,
                                       const uint32_t *inputs, size_t n_inputs, const double *seed, size_t n_seed,
                                       double *changes, size_t n_changes, seam_error *error) {
  RETURN_CALL(self, GetDirectionalDerivative, (self->handle, outputs, n_outputs, inputs, n_inputs, seed, changes),
              GetDirectionalDerivative,
              (self->handle, outputs, n_outputs, inputs, n_inputs, seed, n_seed, changes, n_changes));
}

/* ---- Steps ---- */

/* The FMU discarded a step. Returns true if it says that it has ended the simulation. */
static bool has_terminated(fmi_instance *self) {
  int ends = 0, code = (int)FMI2_ERROR;
  if (self->of->call.two.GetBooleanStatus != NULL)
    CALL_2(self, code, false, GetBooleanStatus, (self->handle, FMI2_TERMINATED, &ends));
  return code == (int)FMI2_OK && ends;
}

/* Returns the time reached by a discarded step; NaN: the FMU does not give it. */
static double last_successful_time(fmi_instance *self) {
  double reached = NAN;
  int code = (int)FMI2_ERROR;
  if (self->of->call.two.GetRealStatus != NULL)
    CALL_2(self, code, false, GetRealStatus, (self->handle, FMI2_LAST_SUCCESSFUL_TIME, &reached));
  return code == (int)FMI2_OK ? reached - self->def.origin : NAN;
}

static seam_status fail_step(fmi_instance *self, int code, double t, seam_error *error) {
  seam_error cause;
  if (end_call(self, code, "DoStep", &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: %s", t, cause.message);
}

static int do_step_2(fmi_instance *self, double t, double H, bool is_final) {
  int code = (int)FMI2_OK;
  CALL_2(self, code, !self->has_stepped, DoStep,
         (self->handle, self->def.origin + t, H, is_final ? FMI2_TRUE : FMI2_FALSE));
  return code;
}

static seam_status step_2(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end, seam_error *error) {
  const int code = do_step_2(self, t, H, is_final);
  if (code == (int)FMI2_DISCARD) { /* perhaps the last step of the simulation */
    const double reached = last_successful_time(self);
    end->has_ended = has_terminated(self);
    end->is_discarded = !end->has_ended;
    end->reached = isnan(reached) ? t : reached;
    return SEAM_OK;
  }
  if (code == (int)FMI2_PENDING)
    return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: it steps asynchronously, which it was not asked for", t);
  return fail_step(self, code, t, error);
}

static int do_step_3(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end) {
  int code = (int)FMI3_OK;
  CALL_3(self, code, !self->has_stepped, DoStep,
         (self->handle, self->def.origin + t, H, is_final, &end->needs_events, &end->has_ended, &end->is_early,
          &end->reached));
  return code;
}

static seam_status step_3(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end, seam_error *error) {
  const int code = do_step_3(self, t, H, is_final, end);
  end->is_discarded = code == (int)FMI3_DISCARD;
  const seam_status status = end->is_discarded ? SEAM_OK : fail_step(self, code, t, error);
  end->reached -= self->def.origin;
  if (!end->is_early)
    end->reached = end->is_discarded ? t : t + H;
  return status;
}

seam_status fmi_instance_step(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end,
                              seam_error *error) {
  self->logged[0] = '\0';
  self->t = t;
  self->stagnation.step = fmax(self->stagnation.step, H);
  *end = (fmi_step_end){.reached = t + H};
  const seam_status status =
      is_two(self) ? step_2(self, t, H, is_final, end, error) : step_3(self, t, H, is_final, end, error);
  fmi_guard_check_streams();
  if (end->is_discarded) { /* not a warning of the next call */
    memcpy(self->discarded, self->logged, sizeof self->discarded);
    self->logged[0] = '\0';
  }
  self->has_stepped = true;
  self->has_ended = end->has_ended;
  if (status != SEAM_OK ||
      (end->reached >= t - fmi_step_end_error * H && end->reached <= t + (1 + fmi_step_end_error) * H))
    return status;
  return seam_fail(error, SEAM_FMU_FAILED, "t = %.9g s: the FMU says that its step of %g s ended at t = %.9g s", t, H,
                   end->reached);
}

const char *fmi_instance_discard_log(const fmi_instance *self) { return self->discarded; }

/* ---- States ---- */

seam_status fmi_instance_save(fmi_instance *self, void **state, seam_error *error) {
  RETURN_CALL(self, GetFMUstate, (self->handle, state), GetFMUState, (self->handle, state));
}

seam_status fmi_instance_restore(fmi_instance *self, void *state, seam_error *error) {
  int code = (int)FMI2_OK;
  CALL(self, code, false, SetFMUstate, (self->handle, state), SetFMUState, (self->handle, state));
  const seam_status status = end_call(self, code, is_two(self) ? "SetFMUstate" : "SetFMUState", error);
  self->has_failed = self->has_failed && status != SEAM_OK; /* the instance continues from an earlier state */
  return status;
}

void fmi_instance_free_state(fmi_instance *self, void **state) {
  int code = (int)FMI2_OK;
  if (*state == NULL || self->has_fatal_error)
    return;
  CALL(self, code, false, FreeFMUstate, (self->handle, state), FreeFMUState, (self->handle, state));
  self->has_fatal_error = self->has_fatal_error || code == FMI_CRASHED;
  *state = NULL;
}

seam_status fmi_instance_state_size(fmi_instance *self, void *state, size_t *size, seam_error *error) {
  RETURN_CALL(self, SerializedFMUstateSize, (self->handle, state, size), SerializedFMUStateSize,
              (self->handle, state, size));
}

seam_status fmi_instance_write(fmi_instance *self, void *state, void *bytes, size_t size, seam_error *error) {
  RETURN_CALL(self, SerializeFMUstate, (self->handle, state, bytes, size), SerializeFMUState,
              (self->handle, state, bytes, size));
}

seam_status fmi_instance_read(fmi_instance *self, const void *bytes, size_t size, void **state, seam_error *error) {
  RETURN_CALL(self, DeSerializeFMUstate, (self->handle, bytes, size, state), DeserializeFMUState,
              (self->handle, bytes, size, state));
}

/* ---- End ---- */

/* Notes a crash after the last step; the run does not fail. */
static void note_crash(fmi_instance *self) {
  self->has_fatal_error = true;
  seam_note("the FMU of '%s' %s: the results are whole; ask its maker", self->name, self->crash);
}

static void terminate(fmi_instance *self) {
  int code = (int)FMI2_OK;
  CALL(self, code, true, Terminate, (self->handle), Terminate, (self->handle));
  if (code == FMI_CRASHED)
    note_crash(self);
}

static void free_handle(fmi_instance *self) {
  fmi_guard guard;
  FMI_GUARDED(guard, self->name, is_two(self) ? "fmi2FreeInstance" : "fmi3FreeInstance", self->t, true,
              (is_two(self) ? self->of->call.two.FreeInstance : self->of->call.three.FreeInstance)(self->handle));
  if (guard.crash == 0)
    return;
  fmi_guard_report(&guard, self->crash, sizeof self->crash);
  note_crash(self);
}

void fmi_instance_destroy(fmi_instance *self) {
  if (self == NULL)
    return;
  if (self->handle != NULL && self->has_begun && !self->has_failed)
    terminate(self);
  if (self->handle != NULL && !self->has_fatal_error)
    free_handle(self);
  if (self->n_warnings > 1)
    seam_note("the FMU of '%s' warned in %zu calls, of which the first is shown", self->name, self->n_warnings);
  if (self->handle != NULL)
    atomic_fetch_sub(&self->of->n_instances, 1);
  free(self->name);
  free(self->resources);
  free(self);
}
