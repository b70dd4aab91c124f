/* Calls of an instance, in either version of FMI. Functions of FMI 2 and 3 that differ only in arguments share one
 * call. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/note.h"
#include "base/then.h"
#include "base/utf8.h"
#include "fmi/library_internal.h"

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
  const int version = fmi_is_two(self) ? 2 : 3;
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

static void update(fmi3_environment environment, double t, bool set_requested, bool get_allowed, bool step_finished,
                   bool can_return_early, bool *early_return_requested,
                   double *early_return_time) { /* NOLINT(readability-non-const-parameter): the standard's type */
  fmi_instance *self = environment;
  (void)get_allowed, (void)step_finished, (void)can_return_early, (void)early_return_time;
  if (early_return_requested != NULL)
    *early_return_requested = false;
  if (set_requested && self->def.update != NULL)
    fmi_guard_call_back(self->def.update, self->def.context, t - self->def.origin);
}

/* Returns the location of the resources: for FMI 3 a path, for FMI 2 a URI (RFC 3986), in which all characters except
 * letters, digits and "/-_.~" are escaped. To be freed; NULL: no memory. */
static char *resources_of(const fmi_instance *self) {
  char *path = file_path(self->of->folder, fmi_is_two(self) ? "resources" : "resources/");
  if (path == NULL || !fmi_is_two(self))
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
  if (fmi_is_two(self))
    return self->of->call.two.Instantiate(self->name, FMI2_CO_SIMULATION, description->token, self->resources,
                                          &self->callbacks, FMI2_FALSE, FMI2_FALSE);
  return self->of->call.three.InstantiateCoSimulation(
      self->name, description->token, self->resources, false, false, fmi_has_events(self),
      description->capabilities.might_return_early, def->updated, def->update != NULL ? def->n_updated : 0, self, log_3,
      def->update != NULL ? update : NULL);
}

static seam_status create_handle(fmi_instance *self, seam_error *error) {
  fmi_guard guard;
  void *volatile handle = NULL;
  self->callbacks = (fmi2_callbacks){.logger = log_2, .allocate = calloc, .release = free, .environment = self};
  fmi_guard_enter(&guard, self->name, fmi_is_two(self) ? "fmi2Instantiate" : "fmi3InstantiateCoSimulation", self->t,
                  true);
  FMI_GUARDED(guard, handle = instantiate(self));
  self->handle = handle;
  if (guard.crash != 0) {
    fmi_guard_report(&guard, self->crash, sizeof self->crash);
    self->has_fatal_error = true;
    return seam_fail(error, SEAM_FMU_FAILED, "%s: its program %s: ask its maker", self->of->path, self->crash);
  }
  if (handle != NULL)
    return fmi_end_call(self, (int)FMI2_OK, fmi_is_two(self) ? "Instantiate" : "InstantiateCoSimulation", error);
  return seam_fail(error, SEAM_BAD_INPUT, "%s: it gives no instance for the %s '%.80s'%s%s", self->of->path,
                   fmi_is_two(self) ? "guid" : "instantiationToken", self->of->description->token,
                   self->logged[0] != '\0' ? ": " : "", self->logged);
}

/* FMI 2: sets up the experiment; FMI 3 does this later. The call comes before parameters are set, since some FMUs reset
 * parameters in it. */
static seam_status set_up(fmi_instance *self, seam_error *error) {
  const fmi_instance_def *def = &self->def;
  const double tolerance = isnan(def->tolerance) ? 0 : def->tolerance,
               stop = isnan(def->stop) ? 0 : def->origin + def->stop;
  int code = (int)FMI2_OK;
  seam_error cause;
  if (!fmi_is_two(self))
    return SEAM_OK;
  FMI_CALL_2(self, code, true, SetupExperiment,
             (self->handle, !isnan(def->tolerance), tolerance, def->origin + def->start, !isnan(def->stop), stop));
  return fmi_end_call(self, code, "SetupExperiment", &cause) == SEAM_OK
             ? SEAM_OK
             : seam_fail(error, SEAM_BAD_INPUT, "%s: %s", self->of->path, cause.message);
}

seam_status fmi_instance_create(fmi_fmu *of, const fmi_instance_def *def, fmi_instance **created, seam_error *error) {
  if (of->description->capabilities.only_once_per_process && atomic_load(&of->n_instances) > 0)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: it can be instantiated once in a process only", of->path);
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
  if (status == SEAM_OK)
    *created = self;
  else
    fmi_instance_destroy(self);
  return status;
}

/* Writes a note on a crash at the end of a run; the results are complete, and the run does not fail. */
static void note_crash(fmi_instance *self) {
  self->has_fatal_error = true;
  seam_note("the FMU of '%s' %s: the results are whole; ask its maker", self->name, self->crash);
}

static void terminate(fmi_instance *self) {
  int code = (int)FMI2_OK;
  FMI_CALL(self, code, true, Terminate, (self->handle), Terminate, (self->handle));
  if (code == FMI_CRASHED)
    note_crash(self);
}

static void free_handle(fmi_instance *self) {
  fmi_guard guard;
  fmi_guard_enter(&guard, self->name, fmi_is_two(self) ? "fmi2FreeInstance" : "fmi3FreeInstance", self->t, true);
  FMI_GUARDED(guard,
              (fmi_is_two(self) ? self->of->call.two.FreeInstance : self->of->call.three.FreeInstance)(self->handle));
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
