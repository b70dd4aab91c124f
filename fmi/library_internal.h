/* What loading an FMU and calling its instances share. */
#ifndef FMI_LIBRARY_INTERNAL_H
#define FMI_LIBRARY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "fmi/library.h"

struct fmi_fmu {
  char *path, *folder;
  fmi_description *description;
  uint64_t identity;
  unsigned needed_glibc;
  bool has_binary;         /* for this machine, in `identity` */
  pthread_mutex_t loading; /* of the binary */
  void *binary;            /* NULL: not loaded */
  union {
    fmi2_functions two;
    fmi3_functions three;
  } call;
  atomic_int n_instances;
};

struct fmi_instance {
  fmi_fmu *of;
  void *handle;
  fmi_instance_def def;
  char *name;
  char *resources;
  fmi2_callbacks callbacks;
  char logged[256];  /* the last warning or error of the call under way */
  double next_event; /* s; INFINITY: not known. FMI 3 with event mode */
  bool is_in_event_mode;
  bool has_begun;
  bool has_failed, is_lost; /* after an error it is freed only, after a fatal one nothing may be called */
};

static inline bool fmi_is_two(const fmi_instance *self) { return self->of->description->version == FMI_2; }

/* Its events are handled in event mode. */
static inline bool fmi_has_events(const fmi_instance *self) {
  return !fmi_is_two(self) && self->of->description->capabilities.event_mode;
}

/* Ends a call: SEAM_OK unless the FMU said otherwise. Both versions have the same numbers of states. */
seam_status fmi_end_call(fmi_instance *self, int status, const char *function, seam_error *error);

/* Path in the folder, to be freed; NULL without memory. */
char *fmi_fmu_path(const fmi_fmu *self, const char *below);

#endif
