#include "fmu/exported_instance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/then.h"
#include "fmi/xml.h"

seam_status fmu_instance_open(fmu_instance *self, const char *name, const char *token, const char *resources,
                              seam_error *error) {
  if (resources == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "the importing tool gives no path to the resources of the FMU");
  /* A path, or a URI: "file:///a%20b", "file:/a" or "file://host/a". */
  const bool is_uri = strncmp(resources, "file:", 5) == 0;
  if (is_uri)
    resources += strncmp(resources + 5, "//", 2) == 0 ? 7 + strcspn(resources + 7, "/") : 5;
  char *path = strdup(resources);
  if (is_uri && path != NULL)
    fmi_uri_decode(resources, path);
  self->name = strdup(name != NULL ? name : "");
  self->phase = FMU_INSTANTIATED;
  const seam_status status =
      path == NULL || self->name == NULL ? fmu_no_memory(error) : fmu_slave_create(path, &self->slave, error);
  free(path);
  TRY(status);
  if (token == NULL || strcmp(token, self->slave->resources.token) != 0)
    return seam_fail(error, SEAM_BAD_INPUT,
                     "the importing tool's instantiation token '%.80s' is not '%.80s', that of the FMU's resources",
                     token != NULL ? token : "", self->slave->resources.token);
  self->changes = calloc((size_t)self->slave->unit->part->n_outputs + 1, sizeof *self->changes);
  return fmu_check_memory(self->changes != NULL, error);
}

void fmu_instance_close(fmu_instance *self) {
  fmu_slave_destroy(self->slave);
  free(self->changes);
  free(self->name);
}

/* ---- Messages ---- */

bool fmu_is_allowed(fmu_instance *self, const char *function, int phases) {
  static const struct {
    fmu_phase phase;
    const char *text;
  } texts[] = {{FMU_INSTANTIATED, "before the initialization"},
               {FMU_INITIALIZING, "in the initialization"},
               {FMU_STEPPING, "between steps"},
               {FMU_UPDATING, "within a step"},
               {FMU_TERMINATED, "after the end"},
               {FMU_EVENTS, "in event mode"},
               {FMU_FAILED, "after an error"}};
  char message[160];
  if (self == NULL)
    return false;
  if (((int)self->phase & phases) != 0)
    return true;
  size_t i = 0;
  while (texts[i].phase != self->phase)
    i++;
  snprintf(message, sizeof message, "%s() is called %s, where it is not allowed", function, texts[i].text);
  self->report(self, FMU_ERROR, message);
  return false;
}

fmu_outcome fmu_refuse(fmu_instance *self, const char *function) {
  char message[160];
  if (self == NULL)
    return FMU_ERROR;
  snprintf(message, sizeof message, "%s() is not offered by FMUs of Seam; modelDescription.xml says what is", function);
  self->report(self, FMU_ERROR, message);
  return FMU_ERROR;
}

fmu_outcome fmu_outcome_of(fmu_instance *self, seam_status status, const seam_error *error) {
  if (status == SEAM_OK)
    return FMU_OK;
  self->report(self, FMU_ERROR, error->message);
  self->phase = FMU_FAILED;
  return FMU_ERROR;
}

fmu_outcome fmu_set_experiment(fmu_instance *self, bool has_tolerance, double tolerance, double start, bool has_stop,
                               double stop) {
  char message[160] = "";
  if (!isfinite(start) || (has_stop && !(stop >= start)))
    snprintf(message, sizeof message,
             "the experiment is from %.9g s to %.9g s: give a finite start, and a stop time that is not before it",
             start, has_stop ? stop : INFINITY);
  else if (has_tolerance && !(tolerance >= 0))
    snprintf(message, sizeof message, "a tolerance of %g: give a positive one, or none", tolerance);
  if (message[0] != '\0') {
    self->report(self, FMU_ERROR, message);
    return FMU_ERROR;
  }
  self->slave->t = start;
  self->slave->stop = has_stop ? stop : INFINITY;
  return FMU_OK;
}

fmu_outcome fmu_begin_initialization(fmu_instance *self) {
  self->slave->is_current = false;
  return fmu_enter(self, FMU_INITIALIZING);
}

fmu_outcome fmu_end_initialization(fmu_instance *self) {
  seam_error error = {0};
  self->phase = FMU_STEPPING;
  return fmu_outcome_of(self, fmu_slave_start(self->slave, self->slave->t, &error), &error);
}

fmu_outcome fmu_enter(fmu_instance *self, fmu_phase phase) {
  self->phase = phase;
  return FMU_OK;
}

fmu_outcome fmu_reset(fmu_instance *self) {
  fmu_slave_reset(self->slave);
  return fmu_enter(self, FMU_INSTANTIATED);
}

/* The importer may repeat the call, with a shorter step or other inputs. */
static fmu_outcome discard(fmu_instance *self, const seam_error *error) {
  self->report(self, FMU_DISCARD, error->message);
  return FMU_DISCARD;
}

fmu_outcome fmu_step(fmu_instance *self, double t, double H, const cosim_signal *signals, mbs_event *event) {
  seam_error error;
  char message[200];
  const seam_status status = fmu_slave_step(self->slave, t, H, signals, event, &error);
  const bool is_numerical = seam_status_exit(status) == 1 && status != SEAM_NO_MEMORY;
  if (status != SEAM_OK)
    return is_numerical ? discard(self, &error) : fmu_outcome_of(self, status, &error);
  if (!self->logs || event->number == SEAM_NONE)
    return FMU_OK;
  const mbs_event_info of = mbs_event_of(self->slave->unit->model, event->number);
  snprintf(message, sizeof message, "t = %.9g s: event '%.100s'%s", event->time, of.name,
           of.stops ? ", which ends the run" : "");
  self->report(self, FMU_OK, message);
  return FMU_OK;
}

/* ---- Values ---- */

fmu_outcome fmu_get_values(fmu_instance *self, const uint32_t *references, size_t n, double *values, size_t n_values) {
  seam_error error;
  const seam_status status = fmu_slave_get(self->slave, references, n, values, n_values, &error);
  return status == SEAM_NOT_FINITE ? discard(self, &error) : fmu_outcome_of(self, status, &error);
}

fmu_outcome fmu_set_values(fmu_instance *self, const uint32_t *references, size_t n, const double *values,
                           size_t n_values) {
  seam_error error;
  return fmu_outcome_of(self, fmu_slave_set(self->slave, references, n, values, n_values, &error), &error);
}

static seam_status check_role(const fmu_instance *self, uint32_t reference, fmu_role role, seam_error *error) {
  const fmu_unit *unit = self->slave->unit;
  if (reference < unit->n_variables && unit->variables[reference].role == role)
    return SEAM_OK;
  return seam_fail(error, SEAM_BAD_INPUT,
                   "value reference %u is not an %s: directional derivatives are those of outputs by inputs",
                   (unsigned)reference, role == FMU_INPUT ? "input" : "output");
}

fmu_outcome fmu_directional(fmu_instance *self, const uint32_t *unknowns, size_t n_unknowns, const uint32_t *knowns,
                            size_t n_knowns, const double *seed, double *sensitivity) {
  seam_error error = {0};
  seam_status status = SEAM_OK;
  for (size_t i = 0; i < n_unknowns && status == SEAM_OK; i++) {
    status = check_role(self, unknowns[i], FMU_OUTPUT, &error);
    sensitivity[i] = 0;
  }
  for (size_t k = 0; k < n_knowns && status == SEAM_OK; k++)
    status = check_role(self, knowns[k], FMU_INPUT, &error);
  for (size_t k = 0; k < n_knowns && status == SEAM_OK; k++) {
    if (seed[k] == 0)
      continue;
    status =
        fmu_slave_differentiate(self->slave, self->slave->unit->variables[knowns[k]].number, self->changes, &error);
    const fmu_variable *variables = self->slave->unit->variables; /* the unit may have been replaced by the call */
    for (size_t i = 0; i < n_unknowns && status == SEAM_OK; i++)
      sensitivity[i] += self->changes[variables[unknowns[i]].number] * seed[k];
  }
  return fmu_outcome_of(self, status, &error);
}

/* ---- States: phase, then image of the slave ---- */

static fmu_outcome fail(fmu_instance *self, seam_status status, const char *message) {
  seam_error error = {0};
  return fmu_outcome_of(self, seam_fail(&error, status, "%s", message), &error);
}

/* Returns *state if its length is right; else frees it and sets it to new memory. NULL: no memory. */
static fmu_saved *state_memory(const fmu_instance *self, void **state) {
  const size_t length = 1 + fmu_slave_image_length(self->slave);
  fmu_saved *saved = *state;
  if (saved != NULL && saved->length == length)
    return saved;
  free(saved);
  saved = malloc(sizeof *saved + length * sizeof *saved->image);
  if (saved != NULL)
    saved->length = length;
  *state = saved;
  return saved;
}

fmu_outcome fmu_save(fmu_instance *self, void **state) {
  fmu_saved *saved = state_memory(self, state);
  if (saved == NULL)
    return fail(self, SEAM_NO_MEMORY, "no memory for a state");
  saved->image[0] = (double)(int)self->phase;
  fmu_slave_save(self->slave, saved->image + 1);
  return FMU_OK;
}

fmu_outcome fmu_restore(fmu_instance *self, const void *state) {
  static const fmu_phase phases[] = {FMU_INSTANTIATED, FMU_INITIALIZING, FMU_STEPPING, FMU_TERMINATED, FMU_EVENTS};
  const fmu_saved *saved = state;
  seam_error error = {0};
  if (saved == NULL)
    return fail(self, SEAM_BAD_INPUT, "the state to restore is NULL");
  const seam_status status = fmu_slave_restore(self->slave, saved->image + 1, saved->length - 1, &error);
  for (size_t i = 0; i < sizeof phases / sizeof *phases && status == SEAM_OK; i++)
    if (saved->image[0] == (double)(int)phases[i])
      self->phase = phases[i];
  return fmu_outcome_of(self, status, &error);
}

fmu_outcome fmu_serialized_size(const fmu_instance *self, size_t *size) {
  *size = (1 + fmu_slave_image_length(self->slave)) * sizeof(double);
  return FMU_OK;
}

fmu_outcome fmu_serialize(fmu_instance *self, const void *state, void *bytes, size_t size) {
  const fmu_saved *saved = state;
  if (saved == NULL || size < saved->length * sizeof *saved->image)
    return fail(self, SEAM_BAD_INPUT, "the state is NULL, or the buffer for its bytes is too small");
  memcpy(bytes, saved->image, saved->length * sizeof *saved->image);
  return FMU_OK;
}

fmu_outcome fmu_deserialize(fmu_instance *self, const void *bytes, size_t size, void **state) {
  if (size != (1 + fmu_slave_image_length(self->slave)) * sizeof(double))
    return fail(self, SEAM_BAD_STATE, "the bytes of the state are of another FMU, or damaged");
  fmu_saved *saved = state_memory(self, state);
  if (saved == NULL)
    return fail(self, SEAM_NO_MEMORY, "no memory for a state");
  memcpy(saved->image, bytes, size);
  return FMU_OK;
}
