/* FMUs that are exported, unpacked and loaded as a master does. A failure fails the test. */
#ifndef TESTS_SUPPORT_FMU_HOST_H
#define TESTS_SUPPORT_FMU_HOST_H

#include "fmi/description.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

typedef struct fmu_host {
  char folder[64]; /* where it is unpacked */
  void *library;
  fmi_description *says;
  fmi2_functions fmi2; /* all are there, of both versions */
  fmi3_functions fmi3;
} fmu_host;

/* Of a model text, with overrides that end with NULL, or NULL; `subsystem` NULL: the whole. */
fmu_host fmu_host_open(const char *text, const char *const *overrides, const char *subsystem, int version);
/* An FMU in a file. */
fmu_host fmu_host_load(const char *path, int version);
void fmu_host_close(fmu_host *self);

/* The value reference of a name, which must exist. */
unsigned fmu_reference(const fmu_host *self, const char *name);

/* An instance of FMI 2 at the end of its initialization at t = 0; messages must not come. Free it with FreeInstance. */
fmi2_component fmu_start_2(const fmu_host *self);
double fmu_get_2(const fmu_host *self, fmi2_component instance, const char *name);
void fmu_set_2(const fmu_host *self, fmi2_component instance, const char *name, double value);

/* Keeps the last message of an instance, for either version. */
typedef struct fmu_log {
  char text[1200];
  int n;
} fmu_log;
void fmu_log_2(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
               const char *message, ...);
void fmu_log_3(fmi3_environment environment, fmi3_status status, const char *category, const char *message);

#endif
