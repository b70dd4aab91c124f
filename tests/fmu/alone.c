/* The smallest master: loads an FMU, takes ten steps, prints the time at which it is. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "fmi/fmi2.h"

static fmi2_functions fmi2;

static void report(fmi2_environment environment, const char *instance, fmi2_status status, const char *category,
                   const char *message, ...) {
  va_list arguments;
  (void)environment;
  va_start(arguments, message);
  fprintf(stderr, "%s, %d, %s: ", instance, (int)status, category);
  vfprintf(stderr, message, arguments);
  fputc('\n', stderr);
  va_end(arguments);
}

int main(int n_arguments, char **arguments) {
  static const fmi2_callbacks callbacks = {.logger = report};
  void *library = n_arguments == 4 ? dlopen(arguments[1], RTLD_NOW) : NULL;
  double t = 0;
  if (library == NULL) {
    fprintf(stderr, "%s\n", n_arguments == 4 ? dlerror() : "usage: alone LIBRARY RESOURCES GUID");
    return EXIT_FAILURE;
  }
#define TAKE(result, name, types) *(void **)&fmi2.name = dlsym(library, "fmi2" #name);
  FMI2_FUNCTIONS(TAKE)
  fmi2_component one =
      fmi2.Instantiate("alone", FMI2_CO_SIMULATION, arguments[3], arguments[2], &callbacks, FMI2_FALSE, FMI2_TRUE);
  if (one == NULL || fmi2.EnterInitializationMode(one) != FMI2_OK || fmi2.ExitInitializationMode(one) != FMI2_OK)
    return EXIT_FAILURE;
  for (int n = 0; n < 10; n++)
    if (fmi2.DoStep(one, n * 1e-3, 1e-3, FMI2_TRUE) != FMI2_OK)
      return EXIT_FAILURE;
  if (fmi2.GetRealStatus(one, FMI2_LAST_SUCCESSFUL_TIME, &t) != FMI2_OK)
    return EXIT_FAILURE;
  printf("%g s\n", t);
  fmi2.FreeInstance(one);
  return dlclose(library);
}
