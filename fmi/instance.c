/* Calls of one instance, in either version. Functions of FMI 2 and 3 that differ in the form of their arguments alone
 * stand side by side. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "fmi/library_internal.h"

/* ---- Log ---- */

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

seam_status fmi_end_call(fmi_instance *self, int status, const char *function, seam_error *error) {
  static const char *const names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "Pending"};
  if (status == FMI2_OK || status == FMI2_WARNING) {
    self->logged[0] = '\0';
    return SEAM_OK;
  }
  const char *name = status >= 0 && status <= FMI2_PENDING ? names[status] : "nothing it may";
  const int version = fmi_is_two(self) ? 2 : 3;
  self->has_failed = self->has_failed || status >= FMI2_ERROR;
  self->is_lost = self->is_lost || status == FMI2_FATAL;
  return seam_fail(error, SEAM_STEP_FAILED, "fmi%d%s() gave fmi%d%s%s%s", version, function, version, name,
                   self->logged[0] != '\0' ? ": " : "", self->logged);
}

#define CALL(self, name2, arguments2, name3, arguments3)                                                               \
  (fmi_is_two(self) ? fmi_end_call(self, (int)(self)->of->call.two.name2 arguments2, #name2, error)                    \
                    : fmi_end_call(self, (int)(self)->of->call.three.name3 arguments3, #name3, error))

/* ---- Creation ---- */

static void update(fmi3_environment environment, double t, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested,
                   double *early_return_time) { /* NOLINT(readability-non-const-parameter): as the standard has it */
  fmi_instance *self = environment;
  (void)get_allowed, (void)step_finished, (void)can_return_early, (void)early_return_time;
  if (early_return_requested != NULL)
    *early_return_requested = false;
  if (set_requested && self->def.update != NULL)
    self->def.update(self->def.context, t);
}

/* FMI 2 takes a URI: what is no letter, digit, or one of "/-_.~" is escaped (RFC 3986). */
static char *uri_of(const char *path) {
  static const char digits[] = "0123456789ABCDEF";
  char *uri = malloc(3 * strlen(path) + sizeof "file://");
  if (uri == NULL)
    return NULL;
  char *to = uri + snprintf(uri, sizeof "file://", "file://");
  for (const unsigned char *at = (const unsigned char *)path; *at != '\0'; at++) {
    const bool is_plain = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                          strchr("/-_.~", *at) != NULL;
    if (is_plain) {
      *to++ = (char)*at;
    } else {
      *to++ = '%';
      *to++ = digits[*at >> 4];
      *to++ = digits[*at & 15];
    }
  }
  *to = '\0';
  return uri;
}

static char *resources_of(const fmi_instance *self) {
  char *path = fmi_fmu_path(self->of, fmi_is_two(self) ? "resources" : "resources/");
  char *uri = path != NULL && fmi_is_two(self) ? uri_of(path) : NULL;
  if (!fmi_is_two(self))
    return path;
  free(path);
  return uri;
}

static void instantiate(fmi_instance *self) {
  const fmi_description *description = self->of->description;
  const fmi_instance_def *def = &self->def;
  self->callbacks = (fmi2_callbacks){.logger = log_2, .allocate = calloc, .release = free, .environment = self};
  if (fmi_is_two(self))
    self->handle = self->of->call.two.Instantiate(self->name, FMI2_CO_SIMULATION, description->token, self->resources,
                                                  &self->callbacks, FMI2_FALSE, FMI2_FALSE);
  else
    self->handle = self->of->call.three.InstantiateCoSimulation(
        self->name, description->token, self->resources, false, false, fmi_has_events(self),
        description->capabilities.might_return_early, def->updated, def->update != NULL ? def->n_updated : 0, self,
        log_3, def->update != NULL ? update : NULL);
}

seam_status fmi_instance_create(fmi_fmu *of, const fmi_instance_def *def, fmi_instance **created, seam_error *error) {
  if (of->description->capabilities.only_once_per_process && atomic_load(&of->n_instances) > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: it can be instantiated once in a process only", of->path);
  fmi_instance *self = calloc(1, sizeof *self);
  if (self != NULL) {
    *self = (fmi_instance){.of = of, .def = *def, .name = strdup(def->name)};
    self->resources = resources_of(self);
  }
  if (self == NULL || self->name == NULL || self->resources == NULL) {
    fmi_instance_destroy(self);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an instance", of->path);
  }
  instantiate(self);
  if (self->handle == NULL) {
    const seam_status status = seam_fail(error, SEAM_BAD_INPUT, "%s: it gives no instance for the %s '%.80s'%s%s",
                                         of->path, fmi_is_two(self) ? "guid" : "instantiationToken",
                                         of->description->token, self->logged[0] != '\0' ? ": " : "", self->logged);
    fmi_instance_destroy(self);
    return status;
  }
  atomic_fetch_add(&of->n_instances, 1);
  *created = self;
  return SEAM_OK;
}

void fmi_instance_destroy(fmi_instance *self) {
  if (self == NULL)
    return;
  const bool terminates = self->has_begun && !self->has_failed;
  if (self->handle != NULL && !self->is_lost && fmi_is_two(self)) {
    if (terminates)
      self->of->call.two.Terminate(self->handle);
    self->of->call.two.FreeInstance(self->handle);
  } else if (self->handle != NULL && !self->is_lost) {
    if (terminates)
      self->of->call.three.Terminate(self->handle);
    self->of->call.three.FreeInstance(self->handle);
  }
  if (self->handle != NULL)
    atomic_fetch_sub(&self->of->n_instances, 1);
  free(self->name);
  free(self->resources);
  free(self);
}

/* ---- Values ---- */

/* One row for each type of FMI 3 that holds numbers: (enumerator, name, type of C). */
#define NUMBER_TYPES(X)                                                                                                \
  X(FMI_FLOAT64, Float64, double)                                                                                      \
  X(FMI_FLOAT32, Float32, float)                                                                                       \
  X(FMI_INT8, Int8, int8_t)                                                                                            \
  X(FMI_UINT8, UInt8, uint8_t)                                                                                         \
  X(FMI_INT16, Int16, int16_t)                                                                                         \
  X(FMI_UINT16, UInt16, uint16_t)                                                                                      \
  X(FMI_INT32, Int32, int32_t)                                                                                         \
  X(FMI_UINT32, UInt32, uint32_t)                                                                                      \
  X(FMI_INT64, Int64, int64_t)                                                                                         \
  X(FMI_UINT64, UInt64, uint64_t)                                                                                      \
  X(FMI_BOOLEAN, Boolean, bool)                                                                                        \
  X(FMI_ENUMERATION, Int64, int64_t)

typedef int setter(fmi_instance *self, uint32_t reference, const double *values, size_t n, void *converted);

#define SETTER(code, name, type)                                                                                       \
  static int set_##code(fmi_instance *self, uint32_t reference, const double *values, size_t n, void *room) {          \
    type *converted = room;                                                                                            \
    for (size_t i = 0; i < n; i++)                                                                                     \
      converted[i] = (type)values[i];                                                                                  \
    return self->of->call.three.Set##name != NULL                                                                      \
               ? (int)self->of->call.three.Set##name(self->handle, &reference, 1, converted, n)                        \
               : (int)FMI3_ERROR;                                                                                      \
  }
NUMBER_TYPES(SETTER)
#undef SETTER

static int set_one_2(fmi_instance *self, const fmi_variable *variable, double value) {
  const fmi2_functions *call = &self->of->call.two;
  if (variable->type == FMI_FLOAT64)
    return (int)call->SetReal(self->handle, &variable->reference, 1, &value);
  const int whole = (int)value;
  if (variable->type == FMI_BOOLEAN)
    return call->SetBoolean == NULL ? (int)FMI2_ERROR
                                    : (int)call->SetBoolean(self->handle, &variable->reference, 1, &whole);
  return call->SetInteger == NULL ? (int)FMI2_ERROR
                                  : (int)call->SetInteger(self->handle, &variable->reference, 1, &whole);
}

static int set_all_3(fmi_instance *self, const fmi_variable *variable, const double *values, size_t n, void *room) {
#define ROW(code, name, type) [code] = set_##code,
  static setter *const setters[] = {NUMBER_TYPES(ROW)};
#undef ROW
  return setters[variable->type](self, variable->reference, values, n, room);
}

seam_status fmi_instance_set(fmi_instance *self, size_t variable, const double *values, size_t n, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  seam_error cause = {0};
  char why[160];
  if (n != fmi_n_values(to) || to->type > FMI_ENUMERATION)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' takes %s, not %zu", self->of->path, to->name,
                     to->type > FMI_ENUMERATION ? "no number"
                     : fmi_n_values(to) == 1    ? "one number"
                                                : "more numbers",
                     n);
  for (size_t i = 0; i < n; i++)
    if (!fmi_holds(to, self->of->description->version, values[i], why, sizeof why))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' %s", self->of->path, to->name, why);
  void *room = malloc((n + 1) * sizeof(double));
  if (room == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for values", self->of->path);
  const int code = fmi_is_two(self) ? set_one_2(self, to, values[0]) : set_all_3(self, to, values, n, room);
  free(room);
  if (fmi_end_call(self, code, fmi_is_two(self) ? "SetReal" : "SetFloat64", &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' does not take its value: %s", self->of->path, to->name,
                   cause.message);
}

seam_status fmi_instance_set_text(fmi_instance *self, size_t variable, const char *text, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  const bool is_there =
      fmi_is_two(self) ? self->of->call.two.SetString != NULL : self->of->call.three.SetString != NULL;
  if (to->type != FMI_STRING || fmi_n_values(to) != 1 || !is_there)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' takes no text", self->of->path, to->name);
  return CALL(self, SetString, (self->handle, &to->reference, 1, &text), SetString,
              (self->handle, &to->reference, 1, &text, 1));
}

seam_status fmi_instance_set_reals(fmi_instance *self, const uint32_t *references, size_t n, const double *values,
                                   size_t n_values, seam_error *error) {
  return n == 0 ? SEAM_OK
                : CALL(self, SetReal, (self->handle, references, n, values), SetFloat64,
                       (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_get_reals(fmi_instance *self, const uint32_t *references, size_t n, double *values,
                                   size_t n_values, seam_error *error) {
  return n == 0 ? SEAM_OK
                : CALL(self, GetReal, (self->handle, references, n, values), GetFloat64,
                       (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_set_derivatives(fmi_instance *self, const uint32_t *references, const int *orders,
                                         const double *values, size_t n, seam_error *error) {
  if (n == 0 || !fmi_is_two(self))
    return SEAM_OK;
  return fmi_end_call(self,
                      (int)self->of->call.two.SetRealInputDerivatives(self->handle, references, n, orders, values),
                      "SetRealInputDerivatives", error);
}

seam_status fmi_instance_differentiate(fmi_instance *self, const uint32_t *outputs, size_t n_outputs,
                                       const uint32_t *inputs, size_t n_inputs, const double *seed, size_t n_seed,
                                       double *changes, size_t n_changes, seam_error *error) {
  return CALL(self, GetDirectionalDerivative, (self->handle, outputs, n_outputs, inputs, n_inputs, seed, changes),
              GetDirectionalDerivative,
              (self->handle, outputs, n_outputs, inputs, n_inputs, seed, n_seed, changes, n_changes));
}

/* ---- States ---- */

seam_status fmi_instance_save(fmi_instance *self, void **state, seam_error *error) {
  return CALL(self, GetFMUstate, (self->handle, state), GetFMUState, (self->handle, state));
}

seam_status fmi_instance_restore(fmi_instance *self, void *state, seam_error *error) {
  const seam_status status = CALL(self, SetFMUstate, (self->handle, state), SetFMUState, (self->handle, state));
  self->has_failed = self->has_failed && status != SEAM_OK; /* it goes on from an earlier state */
  return status;
}

void fmi_instance_forget(fmi_instance *self, void **state) {
  if (*state == NULL || self->is_lost)
    return;
  if (fmi_is_two(self))
    self->of->call.two.FreeFMUstate(self->handle, state);
  else
    self->of->call.three.FreeFMUState(self->handle, state);
  *state = NULL;
}

seam_status fmi_instance_measure(fmi_instance *self, void *state, size_t *size, seam_error *error) {
  return CALL(self, SerializedFMUstateSize, (self->handle, state, size), SerializedFMUStateSize,
              (self->handle, state, size));
}

seam_status fmi_instance_write(fmi_instance *self, void *state, void *bytes, size_t size, seam_error *error) {
  return CALL(self, SerializeFMUstate, (self->handle, state, bytes, size), SerializeFMUState,
              (self->handle, state, bytes, size));
}

seam_status fmi_instance_read(fmi_instance *self, const void *bytes, size_t size, void **state, seam_error *error) {
  return CALL(self, DeSerializeFMUstate, (self->handle, bytes, size, state), DeserializeFMUState,
              (self->handle, bytes, size, state));
}
