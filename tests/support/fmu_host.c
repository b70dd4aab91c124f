#include "tests/support/fmu_host.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <seam/fmu.h>

#include "fmi/archive.h"

static const char engine[] = SEAM_ENGINE;

/* ---- Export and loading ---- */

static void export_model(const char *text, const char *const *overrides, const char *subsystem, int version,
                         const char *path) {
  seam_error error = {0};
  seam_fmu_options options = seam_default_fmu_options();
  size_t n = 0;
  while (overrides != NULL && overrides[n] != NULL)
    n++;
  options.version = version;
  options.subsystem = subsystem;
  options.engine = engine;
  cr_assert_eq(seam_fmu_export("model.yaml", text, strlen(text), overrides, n, &options, path, &error), SEAM_OK, "%s",
               error.message);
}

static void unpack(fmu_host *self, const char *path) {
  seam_error error = {0};
  const fmi_limits limits = fmi_default_limits();
  snprintf(self->folder, sizeof self->folder, "/tmp/seam-fmu-XXXXXX");
  cr_assert_not_null(mkdtemp(self->folder));
  cr_assert_eq(fmi_archive_extract(path, self->folder, &limits, &error), SEAM_OK, "%s", error.message);
}

static char *read_all(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  cr_assert_not_null(file, "%s", path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char *text = malloc(*size + 1);
  cr_assert_eq(fread(text, 1, *size, file), *size);
  text[*size] = '\0';
  fclose(file);
  return text;
}

static void read_description(fmu_host *self) {
  char path[sizeof self->folder + 40];
  size_t size = 0;
  seam_error error = {0};
  snprintf(path, sizeof path, "%s/modelDescription.xml", self->folder);
  char *text = read_all(path, &size);
  cr_assert_eq(fmi_description_read(text, size, path, &self->says, &error), SEAM_OK, "%s", error.message);
  free(text);
}

#define NAME_2(result, name, arguments) "fmi2" #name,
#define NAME_3(result, name, arguments) "fmi3" #name,
static const char *const names_2[] = {FMI2_FUNCTIONS(NAME_2)};
static const char *const names_3[] = {FMI3_FUNCTIONS(NAME_3)};

/* Pointers to functions one after the other. */
static void take_functions(void *library, const char *const *names, size_t n, void *functions) {
  for (size_t i = 0; i < n; i++) {
    void *const found = dlsym(library, names[i]);
    cr_assert_not_null(found, "%s is missing", names[i]);
    memcpy((char *)functions + i * sizeof found, &found, sizeof found);
  }
}

static void load(fmu_host *self, int version) {
  char path[400];
  snprintf(path, sizeof path, "%s/binaries/%s/%s.so", self->folder, version == 2 ? "linux64" : "x86_64-linux",
           self->says->capabilities.identifier);
  self->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  cr_assert_not_null(self->library, "%s", dlerror());
  take_functions(self->library, names_2, sizeof names_2 / sizeof *names_2, &self->fmi2);
  take_functions(self->library, names_3, sizeof names_3 / sizeof *names_3, &self->fmi3);
}

fmu_host fmu_host_load(const char *path, int version) {
  fmu_host self = {.library = NULL};
  unpack(&self, path);
  read_description(&self);
  load(&self, version);
  return self;
}

fmu_host fmu_host_open(const char *text, const char *const *overrides, const char *subsystem, int version) {
  char path[] = "/tmp/seam-fmu-XXXXXX";
  const int file = mkstemp(path);
  cr_assert_geq(file, 0);
  close(file);
  export_model(text, overrides, subsystem, version, path);
  const fmu_host self = fmu_host_load(path, version);
  remove(path);
  return self;
}

void fmu_host_close(fmu_host *self) {
  char command[sizeof self->folder + 16];
  fmi_description_destroy(self->says);
  dlclose(self->library);
  snprintf(command, sizeof command, "rm -rf %s", self->folder);
  cr_assert_eq(system(command), 0);
}

/* ---- Instances ---- */

unsigned fmu_reference(const fmu_host *self, const char *name) {
  const size_t found = fmi_find_variable(self->says, name);
  cr_assert_neq(found, SEAM_NONE, "there is no variable %s", name);
  return self->says->variables[found].reference;
}

static void fail(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
                 const char *message, ...) {
  char text[1200];
  va_list arguments;
  (void)environment;
  va_start(arguments, message);
  vsnprintf(text, sizeof text, message, arguments);
  va_end(arguments);
  cr_assert_fail("%s: %d, %s: %s", instance, (int)status, category, text);
}

fmi2_component fmu_start_2(const fmu_host *self) {
  static const fmi2_callbacks callbacks = {.logger = fail};
  char uri[sizeof self->folder + 40];
  snprintf(uri, sizeof uri, "file://%s/resources", self->folder);
  fmi2_component instance =
      self->fmi2.Instantiate("one", FMI2_CO_SIMULATION, self->says->token, uri, &callbacks, FMI2_FALSE, FMI2_FALSE);
  cr_assert_not_null(instance);
  cr_assert_eq(self->fmi2.SetupExperiment(instance, FMI2_FALSE, 0, 0, FMI2_FALSE, 0), FMI2_OK);
  cr_assert_eq(self->fmi2.EnterInitializationMode(instance), FMI2_OK);
  cr_assert_eq(self->fmi2.ExitInitializationMode(instance), FMI2_OK);
  return instance;
}

double fmu_get_2(const fmu_host *self, fmi2_component instance, const char *name) {
  const unsigned reference = fmu_reference(self, name);
  double value = 0;
  cr_assert_eq(self->fmi2.GetReal(instance, &reference, 1, &value), FMI2_OK);
  return value;
}

void fmu_set_2(const fmu_host *self, fmi2_component instance, const char *name, double value) {
  const unsigned reference = fmu_reference(self, name);
  cr_assert_eq(self->fmi2.SetReal(instance, &reference, 1, &value), FMI2_OK);
}

void fmu_log_2(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
               const char *message, ...) {
  fmu_log *log = environment;
  va_list arguments;
  (void)instance;
  (void)status;
  (void)category;
  va_start(arguments, message);
  vsnprintf(log->text, sizeof log->text, message, arguments);
  va_end(arguments);
  log->n++;
}

void fmu_log_3(fmi3_environment environment, fmi3_status status, const char *category, const char *message) {
  fmu_log *log = environment;
  (void)status;
  (void)category;
  snprintf(log->text, sizeof log->text, "%s", message);
  log->n++;
}
