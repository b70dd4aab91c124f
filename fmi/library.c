/* Binaries are loaded with RTLD_LOCAL: libraries linked into one FMU are not visible to another. */
#include "fmi/library.h"

#include <ctype.h>
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/note.h"
#include "base/scratch.h"
#include "base/then.h"
#include "fmi/archive.h"
#include "fmi/guard.h"

#if defined(__x86_64__)
#define PLATFORM_2 "linux64"
#define PLATFORM_3 "x86_64-linux"
#define MACHINE EM_X86_64
#elif defined(__aarch64__)
#define PLATFORM_2 "aarch64-linux"
#define PLATFORM_3 "aarch64-linux"
#define MACHINE EM_AARCH64
#else
#define PLATFORM_2 "linux32"
#define PLATFORM_3 "x86-linux"
#define MACHINE EM_386
#endif

const char *fmi_platform(fmi_version version) { return version == FMI_2 ? PLATFORM_2 : PLATFORM_3; }

bool fmi_fmu_has(const fmi_fmu *self, const char *name) {
  struct stat about;
  char *path = file_path(self->folder, name);
  const bool is_there = path != NULL && stat(path, &about) == 0;
  free(path);
  return is_there;
}

/* Versions of symbols are texts in the binary, as "GLIBC_2.34" (Linux Standard Base, symbol versioning). */
unsigned fmi_needed_glibc(const char *binary, size_t size) {
  static const char name[] = "\0GLIBC_2.";
  const size_t length = sizeof name - 1;
  unsigned newest = 0;
  for (size_t i = 0; i + length < size; i++)
    if (memcmp(binary + i, name, length) == 0) {
      unsigned minor = 0;
      for (size_t k = i + length; k < size && isdigit((unsigned char)binary[k]) && minor < 1000; k++)
        minor = 10 * minor + (unsigned)(binary[k] - '0');
      newest = minor > newest ? minor : newest;
    }
  return newest;
}

unsigned fmi_fmu_needed_glibc(const fmi_fmu *self) { return self->needed_glibc; }

static seam_status read_description(fmi_fmu *self, seam_error *error) {
  char location[512];
  char *path = file_path(self->folder, "modelDescription.xml");
  size_t size = 0;
  char *text = path != NULL ? file_read(path, SIZE_MAX - 1, &size) : NULL;
  seam_status status = SEAM_OK;
  snprintf(location, sizeof location, "%.400s/modelDescription.xml", self->path);
  if (path == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an FMU", self->path);
  else if (text == NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: not an FMU: it has no modelDescription.xml", self->path);
  else
    status = fmi_description_read(text, size, location, &self->description, error);
  self->identity = text != NULL ? hash_bytes(HASH_START, text, size) : 0;
  free(text);
  free(path);
  return status;
}

/* Returns the length of the archive's path in "x.ssp/resources/a.fmu"; 0: the file is not in an archive. A folder may
 * also end with .ssp, but only a file is an archive. */
static size_t archive_length(const char *path) {
  struct stat about;
  const char *at = stat(path, &about) == 0 ? NULL : strstr(path, ".ssp/");
  size_t length = 0;
  for (bool is_file = false; at != NULL && !is_file; at = strstr(at + 1, ".ssp/")) {
    length = (size_t)(at - path) + strlen(".ssp");
    char *archive = strndup(path, length);
    is_file = archive != NULL && stat(archive, &about) == 0 && S_ISREG(about.st_mode);
    free(archive);
  }
  return length;
}

size_t fmi_fmu_file_length(const char *path) {
  const size_t length = archive_length(path);
  return length > 0 ? length : strlen(path);
}

/* Extracts the FMU into self->folder. One inside an archive is first extracted into a private folder. */
static seam_status extract(const fmi_fmu *self, seam_error *error) {
  const fmi_limits limits = fmi_default_limits();
  const size_t length = archive_length(self->path);
  if (length == 0)
    return fmi_archive_extract(self->path, self->folder, &limits, error);
  char *folder = NULL;
  seam_status status = scratch_make(&folder, error);
  if (status != SEAM_OK)
    return status;
  char *outer = strndup(self->path, length);
  char *inner = file_path(folder, "fmu");
  if (outer != NULL && inner != NULL) {
    seam_error cause = {0}; /* cause.message begins with `inner` */
    status = fmi_archive_extract_entry(outer, self->path + length + 1, inner, &limits, error);
    if (status == SEAM_OK && (status = fmi_archive_extract(inner, self->folder, &limits, &cause)) != SEAM_OK)
      status = seam_fail(error, status, "%s%s", self->path, cause.message + strlen(inner));
  } else
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an FMU", self->path);
  scratch_remove(folder);
  free(inner);
  free(outer);
  return status;
}

seam_status fmi_fmu_open(const char *path, fmi_fmu **opened, seam_error *error) {
  fmi_fmu *self = calloc(1, sizeof *self);
  *opened = NULL;
  if (self != NULL)
    pthread_mutex_init(&self->loading, NULL);
  if (self == NULL || (self->path = strdup(path)) == NULL) {
    free(self);
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an FMU", path);
  }
  seam_status status = scratch_make(&self->folder, error);
  THEN(status, extract(self, error));
  THEN(status, read_description(self, error));
  if (self->description == NULL)
    fmi_fmu_close(self);
  else
    *opened = self;
  return status;
}

/* After a crash of any FMU in this process, the binary stays loaded. */
static void unload(fmi_fmu *self) {
  fmi_guard guard;
  if (self->binary == NULL || fmi_guard_has_crashed())
    return;
  FMI_GUARDED(guard, self->path, "dlclose", 0, true, dlclose(self->binary));
  if (guard.crash != 0) {
    char how[160];
    fmi_guard_report(&guard, how, sizeof how);
    seam_note("%s: its program %s", self->path, how);
  }
  self->binary = NULL;
}

void fmi_fmu_close(fmi_fmu *self) {
  if (self == NULL)
    return;
  unload(self);
  fmi_description_destroy(self->description);
  scratch_remove(self->folder);
  pthread_mutex_destroy(&self->loading);
  free(self->path);
  free(self);
}

const fmi_description *fmi_fmu_description(const fmi_fmu *self) { return self->description; }

void fmi_fmu_resize(fmi_fmu *self, size_t by, size_t size) {
  fmi_description *in = self->description;
  for (size_t v = 0; v < in->n_variables; v++)
    for (size_t d = 0; d < in->variables[v].n_dimensions; d++)
      if (in->variables[v].dimensions[d].variable == by)
        in->variables[v].dimensions[d].size = size;
}

uint64_t fmi_fmu_identity(const fmi_fmu *self) { return self->identity; }

/* Capabilities that need a function. */
typedef enum need { ALWAYS, STATES, BYTES, DERIVATIVES, DIRECTIONAL, EVENTS } need;
static const struct {
  const char *two, *three; /* NULL: not in this version */
  need need;
} needed[] = {{"Instantiate", "InstantiateCoSimulation", ALWAYS},
              {"FreeInstance", "FreeInstance", ALWAYS},
              {"SetupExperiment", NULL, ALWAYS},
              {"EnterInitializationMode", "EnterInitializationMode", ALWAYS},
              {"ExitInitializationMode", "ExitInitializationMode", ALWAYS},
              {"Terminate", "Terminate", ALWAYS},
              {"GetReal", "GetFloat64", ALWAYS},
              {"SetReal", "SetFloat64", ALWAYS},
              {"DoStep", "DoStep", ALWAYS},
              {"SetRealInputDerivatives", NULL, DERIVATIVES},
              {"GetDirectionalDerivative", "GetDirectionalDerivative", DIRECTIONAL},
              {"GetFMUstate", "GetFMUState", STATES},
              {"SetFMUstate", "SetFMUState", STATES},
              {"FreeFMUstate", "FreeFMUState", STATES},
              {"SerializedFMUstateSize", "SerializedFMUStateSize", BYTES},
              {"SerializeFMUstate", "SerializeFMUState", BYTES},
              {"DeSerializeFMUstate", "DeserializeFMUState", BYTES},
              {NULL, "EnterEventMode", EVENTS},
              {NULL, "UpdateDiscreteStates", EVENTS},
              {NULL, "EnterStepMode", EVENTS}};

static seam_status check_functions(const fmi_fmu *self, const char *file, seam_error *error) {
  const bool is_two = self->description->version == FMI_2;
  const fmi_capabilities *can = &self->description->capabilities;
  const bool is_needed[] = {[ALWAYS] = true,
                            [STATES] = can->can_get_and_set_state,
                            [BYTES] = can->can_serialize_state,
                            [DERIVATIVES] = can->interpolates_inputs,
                            [DIRECTIONAL] = can->directional_derivatives,
                            [EVENTS] = can->event_mode};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
    const char *name = is_two ? needed[i].two : needed[i].three;
    char full[64];
    snprintf(full, sizeof full, "%s%s", is_two ? "fmi2" : "fmi3", name != NULL ? name : "");
    if (name != NULL && is_needed[needed[i].need] && !dlsym(self->binary, full))
      return seam_fail(error, SEAM_BAD_INPUT, "%s: %s has no function %s, which %s", self->path, file, full,
                       needed[i].need == ALWAYS ? "every FMU for co-simulation has"
                                                : "its modelDescription.xml promises");
  }
  return SEAM_OK;
}

/* Returns the path of the binary, to be freed (NULL: no memory), and writes its path within the FMU to `file`. */
static char *binary_of(const fmi_fmu *self, char *file, size_t size) {
  snprintf(file, size, "binaries/%s/%.400s.so", fmi_platform(self->description->version),
           self->description->capabilities.identifier);
  return file_path(self->folder, file);
}

/* The processor is in bytes 18 and 19 of an ELF file, in this machine's byte order. */
seam_status fmi_fmu_find_binary(fmi_fmu *self, seam_error *error) {
  static const char magic[] = {0x7f, 'E', 'L', 'F'};
  Elf32_Half machine = 0;
  char file[512];
  size_t size = 0;
  if (self->description->capabilities.identifier == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: it is for %s alone; export it for co-simulation", self->path,
                     self->description->has_model_exchange ? "model exchange" : "scheduled execution");
  const fmi_variable *variables = self->description->variables;
  for (size_t i = 0; i < self->description->n_variables; i++)
    if (variables[i].waits_for_importer)
      return seam_fail(error, SEAM_BAD_INPUT,
                       "%s: its clock '%s' waits for the importer, and Seam activates no clocks: export it without "
                       "input clocks",
                       self->path, variables[i].name);
  if (self->has_binary)
    return SEAM_OK;
  char *path = binary_of(self, file, sizeof file);
  if (path == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an FMU", self->path);
  char *bytes = file_read(path, SIZE_MAX - 1, &size);
  free(path);
  if (bytes == NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "%s: it has no binary for this machine (%s)", self->path, file);
  if (size > offsetof(Elf32_Ehdr, e_machine) + sizeof machine && memcmp(bytes, magic, sizeof magic) == 0)
    memcpy(&machine, bytes + offsetof(Elf32_Ehdr, e_machine), sizeof machine);
  self->identity = hash_bytes(self->identity, bytes, size);
  self->needed_glibc = fmi_needed_glibc(bytes, size);
  self->machine = machine;
  self->has_binary = true;
  free(bytes);
  return SEAM_OK;
}

static void find_function(const fmi_fmu *self, const char *name, void *function) {
  void *found = dlsym(self->binary, name);
  memcpy(function, &found, sizeof found);
}
#define FIND_2(result, name, arguments) find_function(self, "fmi2" #name, &self->call.two.name);
#define FIND_3(result, name, arguments) find_function(self, "fmi3" #name, &self->call.three.name);

static void *open_binary(const fmi_fmu *self, const char *path, char *crash, size_t size) {
  fmi_guard guard;
  void *volatile binary = NULL;
  FMI_GUARDED(guard, self->path, "dlopen", 0, true, binary = dlopen(path, RTLD_NOW | RTLD_LOCAL));
  if (guard.crash != 0)
    fmi_guard_report(&guard, crash, size);
  return binary;
}

/* Constructors of the binary run here. */
static seam_status load(fmi_fmu *self, seam_error *error) {
  char file[512];
  char crash[160] = "";
  char *path = binary_of(self, file, sizeof file);
  seam_status status = SEAM_OK;
  if (path == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for an FMU", self->path);
  self->binary = open_binary(self, path, crash, sizeof crash);
  if (self->binary == NULL && crash[0] != '\0')
    status = seam_fail(error, SEAM_FMU_FAILED, "%s: its program %s: ask its maker", self->path, crash);
  else if (self->binary == NULL && self->machine != 0 && self->machine != MACHINE)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: its binary, %s, is for another processor than its folder says",
                       self->path, file);
  else if (self->binary == NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s: its binary cannot be loaded: %s", self->path, dlerror());
  else
    status = check_functions(self, file, error);
  free(path);
  if (status != SEAM_OK) {
    unload(self);
    return status;
  }
  if (self->description->version == FMI_2) {
    FMI2_FUNCTIONS(FIND_2)
  } else {
    FMI3_FUNCTIONS(FIND_3)
  }
  return SEAM_OK;
}

seam_status fmi_fmu_load(fmi_fmu *self, seam_error *error) {
  pthread_mutex_lock(&self->loading);
  seam_status status = self->binary != NULL ? SEAM_OK : fmi_fmu_find_binary(self, error);
  if (status == SEAM_OK && self->binary == NULL)
    status = load(self, error);
  pthread_mutex_unlock(&self->loading);
  return status;
}
