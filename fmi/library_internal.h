/* What loading an FMU and calling its instances share. */
#ifndef FMI_LIBRARY_INTERNAL_H
#define FMI_LIBRARY_INTERNAL_H

#include <stdatomic.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "fmi/library.h"

struct fmi_fmu {
  char *path, *folder;
  fmi_description *description;
  uint64_t identity;
  void *binary; /* NULL: not loaded */
  union {
    fmi2_functions two;
    fmi3_functions three;
  } call;
  atomic_int n_instances;
};

/* Path in the folder, to be freed; NULL without memory. */
char *fmi_fmu_path(const fmi_fmu *self, const char *below);

#endif
