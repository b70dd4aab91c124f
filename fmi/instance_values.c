/* Values and states of an instance, in either version. */
#include <stdlib.h>

#include "fmi/library_internal.h"

#define CALL(self, name2, arguments2, name3, arguments3)                                                               \
  int code = (int)FMI2_OK;                                                                                             \
  FMI_CALL(self, code, false, name2, arguments2, name3, arguments3);                                                   \
  return fmi_end_call(self, code, (const char *const[]){#name3, #name2}[fmi_is_two(self)], error)

/* ---- Values ---- */

/* A row for each number type of FMI 3: (enumerator, name, C type). */
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
typedef int getter(fmi_instance *self, uint32_t reference, double *values, size_t n, void *converted);

#define SETTER(code, name, type)                                                                                       \
  static int set_##code(fmi_instance *self, uint32_t reference, const double *values, size_t n, void *buffer) {        \
    type *converted = buffer;                                                                                          \
    for (size_t i = 0; i < n; i++)                                                                                     \
      converted[i] = (type)values[i];                                                                                  \
    int status = (int)FMI3_ERROR;                                                                                      \
    if (self->of->call.three.Set##name != NULL)                                                                        \
      FMI_CALL_3(self, status, false, Set##name, (self->handle, &reference, 1, converted, n));                         \
    return status;                                                                                                     \
  }
#define GETTER(code, name, type)                                                                                       \
  static int get_##code(fmi_instance *self, uint32_t reference, double *values, size_t n, void *buffer) {              \
    type *converted = buffer;                                                                                          \
    int status = (int)FMI3_ERROR;                                                                                      \
    if (self->of->call.three.Get##name != NULL)                                                                        \
      FMI_CALL_3(self, status, false, Get##name, (self->handle, &reference, 1, converted, n));                         \
    for (size_t i = 0; i < n && status >= 0 && status <= (int)FMI3_WARNING; i++)                                       \
      values[i] = (double)converted[i];                                                                                \
    return status;                                                                                                     \
  }
NUMBER_TYPES(SETTER)
NUMBER_TYPES(GETTER)
#undef SETTER
#undef GETTER

static int set_one_2(fmi_instance *self, const fmi_variable *variable, double value) {
  const fmi2_functions *call = &self->of->call.two;
  const uint32_t *reference = &variable->reference;
  const int integer = variable->type == FMI_FLOAT64 ? 0 : (int)value;
  int status = (int)FMI2_ERROR;
  if (variable->type == FMI_FLOAT64)
    FMI_CALL_2(self, status, false, SetReal, (self->handle, reference, 1, &value));
  else if (variable->type == FMI_BOOLEAN && call->SetBoolean != NULL)
    FMI_CALL_2(self, status, false, SetBoolean, (self->handle, reference, 1, &integer));
  else if (variable->type != FMI_BOOLEAN && call->SetInteger != NULL)
    FMI_CALL_2(self, status, false, SetInteger, (self->handle, reference, 1, &integer));
  return status;
}

static int get_one_2(fmi_instance *self, const fmi_variable *variable, double *value) {
  const fmi2_functions *call = &self->of->call.two;
  const uint32_t *reference = &variable->reference;
  int integer = 0, status = (int)FMI2_ERROR;
  if (variable->type == FMI_FLOAT64)
    FMI_CALL_2(self, status, false, GetReal, (self->handle, reference, 1, value));
  else if (variable->type == FMI_BOOLEAN && call->GetBoolean != NULL)
    FMI_CALL_2(self, status, false, GetBoolean, (self->handle, reference, 1, &integer));
  else if (variable->type != FMI_BOOLEAN && call->GetInteger != NULL)
    FMI_CALL_2(self, status, false, GetInteger, (self->handle, reference, 1, &integer));
  *value = variable->type == FMI_FLOAT64 ? *value : integer;
  return status;
}

#define SET(code, name, type) [code] = set_##code,
static setter *const setters[] = {NUMBER_TYPES(SET)};
#undef SET
#define GET(code, name, type) [code] = get_##code,
static getter *const getters[] = {NUMBER_TYPES(GET)};
#undef GET

/* Returns a buffer for n values of any type: `few` if it is large enough, else allocated memory; NULL: no memory. */
enum { FEW = 32 };
static void *value_buffer(size_t n, double *few) { return n <= FEW ? few : malloc(n * sizeof(double)); }
static void free_buffer(void *buffer, const double *few) {
  if (buffer != few)
    free(buffer);
}

static const char *name_of_call(const fmi_instance *self, const fmi_variable *of, bool sets) {
  static const char *const of_2[] = {"GetReal", "SetReal", "GetBoolean", "SetBoolean", "GetInteger", "SetInteger"};
#define ROW(code, name, type) [code] = {"Get" #name, "Set" #name},
  static const char *const of_3[][2] = {NUMBER_TYPES(ROW)};
#undef ROW
  const int kind = of->type == FMI_FLOAT64 ? 0 : of->type == FMI_BOOLEAN ? 2 : 4;
  return fmi_is_two(self) ? of_2[kind + sets] : of_3[of->type][sets];
}

seam_status fmi_instance_get(fmi_instance *self, size_t variable, double *values, size_t n, seam_error *error) {
  const fmi_variable *of = &self->of->description->variables[variable];
  double few[FEW];
  if (n != fmi_n_values(of) || of->type > FMI_ENUMERATION)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' is not a number", self->of->path, of->name);
  void *buffer = value_buffer(n, few);
  if (buffer == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for values", self->of->path);
  const int code =
      fmi_is_two(self) ? get_one_2(self, of, values) : getters[of->type](self, of->reference, values, n, buffer);
  free_buffer(buffer, few);
  const seam_status status = fmi_end_call(self, code, name_of_call(self, of, false), error);
  char why[160];
  for (size_t i = 0; i < n && status == SEAM_OK; i++)
    if (!fmi_can_represent(of, self->of->description->version, values[i], why, sizeof why))
      return seam_fail(error, SEAM_FMU_FAILED, "its variable '%s' %s", of->name, why);
  return status;
}

seam_status fmi_instance_set(fmi_instance *self, size_t variable, const double *values, size_t n, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  seam_error cause = {0};
  char why[160];
  if (n != fmi_n_values(to) || to->type > FMI_ENUMERATION)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' holds %zu numbers: %zu cannot be set", self->of->path,
                     to->name, to->type > FMI_ENUMERATION ? 0 : fmi_n_values(to), n);
  for (size_t i = 0; i < n; i++)
    if (!fmi_can_represent(to, self->of->description->version, values[i], why, sizeof why))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' %s", self->of->path, to->name, why);
  double few[FEW];
  void *buffer = value_buffer(n, few);
  if (buffer == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for values", self->of->path);
  const int code =
      fmi_is_two(self) ? set_one_2(self, to, values[0]) : setters[to->type](self, to->reference, values, n, buffer);
  free_buffer(buffer, few);
  if (fmi_end_call(self, code, name_of_call(self, to, true), &cause) == SEAM_OK)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT, "%s: variable '%s' does not take its value: %s", self->of->path, to->name,
                   cause.message);
}

seam_status fmi_instance_set_text(fmi_instance *self, size_t variable, const char *text, seam_error *error) {
  const fmi_variable *to = &self->of->description->variables[variable];
  const bool is_there =
      fmi_is_two(self) ? self->of->call.two.SetString != NULL : self->of->call.three.SetString != NULL;
  if (to->type != FMI_STRING || fmi_n_values(to) != 1 || !is_there)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "%s: variable '%s' takes no text, as it is not a single string or the FMU cannot set one: leave "
                     "its value out",
                     self->of->path, to->name);
  CALL(self, SetString, (self->handle, &to->reference, 1, &text), SetString,
       (self->handle, &to->reference, 1, &text, 1));
}

seam_status fmi_instance_set_reals(fmi_instance *self, const uint32_t *references, size_t n, const double *values,
                                   size_t n_values, seam_error *error) {
  if (n == 0)
    return SEAM_OK;
  CALL(self, SetReal, (self->handle, references, n, values), SetFloat64,
       (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_get_reals(fmi_instance *self, const uint32_t *references, size_t n, double *values,
                                   size_t n_values, seam_error *error) {
  if (n == 0)
    return SEAM_OK;
  CALL(self, GetReal, (self->handle, references, n, values), GetFloat64,
       (self->handle, references, n, values, n_values));
}

seam_status fmi_instance_set_derivatives(fmi_instance *self, const uint32_t *references, const int *orders,
                                         const double *values, size_t n, seam_error *error) {
  if (n == 0 || !fmi_is_two(self))
    return SEAM_OK;
  int code = (int)FMI2_OK;
  FMI_CALL_2(self, code, false, SetRealInputDerivatives, (self->handle, references, n, orders, values));
  return fmi_end_call(self, code, "SetRealInputDerivatives", error);
}

seam_status fmi_instance_differentiate(fmi_instance *self, const uint32_t *outputs, size_t n_outputs,
                                       const uint32_t *inputs, size_t n_inputs, const double *seed, size_t n_seed,
                                       double *changes, size_t n_changes, seam_error *error) {
  CALL(self, GetDirectionalDerivative, (self->handle, outputs, n_outputs, inputs, n_inputs, seed, changes),
       GetDirectionalDerivative,
       (self->handle, outputs, n_outputs, inputs, n_inputs, seed, n_seed, changes, n_changes));
}

/* ---- States ---- */

seam_status fmi_instance_save(fmi_instance *self, void **state, seam_error *error) {
  CALL(self, GetFMUstate, (self->handle, state), GetFMUState, (self->handle, state));
}

seam_status fmi_instance_restore(fmi_instance *self, void *state, seam_error *error) {
  int code = (int)FMI2_OK;
  FMI_CALL(self, code, false, SetFMUstate, (self->handle, state), SetFMUState, (self->handle, state));
  const seam_status status = fmi_end_call(self, code, fmi_is_two(self) ? "SetFMUstate" : "SetFMUState", error);
  self->has_failed = self->has_failed && status != SEAM_OK; /* the instance continues from an earlier state */
  return status;
}

void fmi_instance_free_state(fmi_instance *self, void **state) {
  int code = (int)FMI2_OK;
  if (*state == NULL || self->has_fatal_error)
    return;
  FMI_CALL(self, code, false, FreeFMUstate, (self->handle, state), FreeFMUState, (self->handle, state));
  self->has_fatal_error = self->has_fatal_error || code == FMI_CRASHED;
  *state = NULL;
}

seam_status fmi_instance_state_size(fmi_instance *self, void *state, size_t *size, seam_error *error) {
  CALL(self, SerializedFMUstateSize, (self->handle, state, size), SerializedFMUStateSize, (self->handle, state, size));
}

seam_status fmi_instance_write(fmi_instance *self, void *state, void *bytes, size_t size, seam_error *error) {
  CALL(self, SerializeFMUstate, (self->handle, state, bytes, size), SerializeFMUState,
       (self->handle, state, bytes, size));
}

seam_status fmi_instance_read(fmi_instance *self, const void *bytes, size_t size, void **state, seam_error *error) {
  CALL(self, DeSerializeFMUstate, (self->handle, bytes, size, state), DeserializeFMUState,
       (self->handle, bytes, size, state));
}
