/* Shared by the loading of an FMU and the calls of its instances. */
#ifndef FMI_LIBRARY_INTERNAL_H
#define FMI_LIBRARY_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "fmi/fmi2.h"
#include "fmi/fmi3.h"
#include "fmi/guard.h"
#include "fmi/library.h"

struct fmi_fmu {
  char *path, *folder;
  fmi_description *description;
  uint64_t identity;
  unsigned needed_glibc;
  unsigned machine;        /* of its binary, as its head says (ELF); 0: not known */
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
  size_t n_warnings; /* calls that succeeded with one */
  double t;          /* s, the present communication point */
  struct {
    double t, step; /* s, of the first of events that follow each other without progress; the longest step */
    int n;          /* how many these are */
  } still;
  char crash[160]; /* how its last call ended in a crash */
  bool has_stepped;
  bool has_ended;    /* the simulation, by its own wish */
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

/* A function of the FMU, by its name in either version or in one, within the guard: its status, or FMI_CRASHED. For
 * functions that do no more: sigsetjmp() is not for others. */
#define FMI_CALL(self, code, is_thorough, name2, arguments2, name3, arguments3)                                        \
  FMI_CALL_AS(self, code, is_thorough, fmi_is_two(self) ? "fmi2" #name2 : "fmi3" #name3,                               \
              fmi_is_two(self) ? (int)(self)->of->call.two.name2 arguments2                                            \
                               : (int)(self)->of->call.three.name3 arguments3)
#define FMI_CALL_2(self, code, is_thorough, name, arguments)                                                           \
  FMI_CALL_AS(self, code, is_thorough, "fmi2" #name, (int)(self)->of->call.two.name arguments)
#define FMI_CALL_3(self, code, is_thorough, name, arguments)                                                           \
  FMI_CALL_AS(self, code, is_thorough, "fmi3" #name, (int)(self)->of->call.three.name arguments)
#define FMI_CALL_AS(self, code, is_thorough, function, result)                                                         \
  do {                                                                                                                 \
    fmi_guard around;                                                                                                  \
    volatile int ended = FMI_CRASHED;                                                                                  \
    fmi_guard_enter(&around, (self)->name, (function), (self)->t, (is_thorough));                                      \
    FMI_GUARDED(around, ended = (result));                                                                             \
    if (around.crash != 0)                                                                                             \
      fmi_guard_report(&around, (self)->crash, sizeof(self)->crash);                                                   \
    (code) = ended;                                                                                                    \
  } while (0)

/* Ends a call: SEAM_OK unless the FMU said otherwise. Both versions have the same numbers of states. */
seam_status fmi_end_call(fmi_instance *self, int status, const char *function, seam_error *error);

/* Path in the folder, to be freed; NULL without memory. */
char *fmi_fmu_path(const fmi_fmu *self, const char *below);

#endif
