/* Definitions shared by the loading of FMUs (library.c) and the calls of their instances. */
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
  unsigned machine;        /* machine in the binary's ELF header; 0: unknown */
  bool has_binary;         /* the binary was found, and its hash is part of `identity` */
  pthread_mutex_t loading; /* locked while loading */
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
  char logged[256];  /* last warning or error of the present call */
  size_t n_warnings; /* number of calls that succeeded with a warning */
  double t;          /* s, the present communication point */
  struct {
    double t, step; /* s: time of the first of successive events that are nearly at one time; longest step so far */
    int n;          /* number of these events */
  } stagnation;
  char crash[160]; /* description of a crash in the last call */
  bool has_stepped;
  bool has_ended;    /* the FMU ended the simulation */
  double next_event; /* FMI 3 with event mode: s, time of the next event; INFINITY: unknown */
  bool is_in_event_mode;
  bool has_begun;
  bool has_failed,
      has_fatal_error; /* after an error, the instance may only be freed; after a fatal error, not even freed */
};

static inline bool fmi_is_two(const fmi_instance *self) { return self->of->description->version == FMI_2; }

/* Returns true if events are handled in event mode. */
static inline bool fmi_has_events(const fmi_instance *self) {
  return !fmi_is_two(self) && self->of->description->capabilities.event_mode;
}

/* Macros that call a function of the FMU within the guard: FMI_CALL in either version, FMI_CALL_2 and FMI_CALL_3 in
 * one. `code` gets the function's status, or FMI_CRASHED. A function that uses these macros should not need its local
 * variables after the call, because sigsetjmp() may spoil them. */
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

/* Returns SEAM_OK unless the call of `function` failed; writes a note for a warning. The numbers of `status` have the
 * same meanings in FMI 2 and 3. */
seam_status fmi_end_call(fmi_instance *self, int status, const char *function, seam_error *error);

#endif
