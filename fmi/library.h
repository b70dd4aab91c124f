/* An FMU for co-simulation, unpacked and loaded, and its instances ([FMI 2.0.4] 4.2, [FMI 3.0.2] 4).
 *
 *   fmi_fmu_open()                    unpacks it into a private folder and reads its description
 *   fmi_fmu_find_binary()             finds its binary for this platform
 *   fmi_fmu_load()                    loads the binary
 *   fmi_instance_create()             creates an instance; then fmi_instance_set() sets parameters and inputs
 *   fmi_instance_initialize()         enters the initialization mode; then inputs by connections are set
 *   fmi_instance_begin()              ends the initialization
 *   fmi_instance_set_reals(), fmi_instance_step(), fmi_instance_get_reals(), ...
 *
 * Calls restore the state of the process (fmi/guard.h). Several threads may use an FMU at once, each with its
 * own instances. Messages of failures end with the last warning or error that the FMU logged. */
#ifndef FMI_LIBRARY_H
#define FMI_LIBRARY_H

#include <pthread.h>
#include <stdatomic.h>

#include "fmi/description.h"
#include "fmi/fmi2.h"
#include "fmi/fmi3.h"

/* An FMU. Only library.c and instance.c use its members. */
typedef struct fmi_fmu {
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
} fmi_fmu;

typedef struct fmi_instance fmi_instance;

/* Opens an FMU; `path` may name a file inside the archive of a system, "x.ssp/resources/a.fmu". If modelDescription.xml
 * has problems, the function fails, but sets *opened. The caller may then list the problems, and closes the FMU. After
 * other errors *opened is NULL. SEAM_NO_MEMORY, SEAM_NO_FILE; SEAM_BAD_INPUT: problems in modelDescription.xml, or no
 * such file; errors of fmi_archive_extract(). */
seam_status fmi_fmu_open(const char *path, fmi_fmu **opened, seam_error *error);
/* Returns the length of the part of `path` that names an existing file: the FMU, or the archive that contains it. */
size_t fmi_fmu_file_length(const char *path);
/* Closes an FMU without instances. NULL: does nothing. */
void fmi_fmu_close(fmi_fmu *self);

const fmi_description *fmi_fmu_description(const fmi_fmu *self);
/* Returns a hash of the description and, after fmi_fmu_find_binary(), of the binary. */
uint64_t fmi_fmu_identity(const fmi_fmu *self);
/* Sets the size of all array dimensions that the structural parameter `by` gives. Only before instances are created. */
void fmi_fmu_resize(fmi_fmu *self, size_t by, size_t size);
/* Returns true if the archive has a file of this name. */
bool fmi_fmu_has(const fmi_fmu *self, const char *name);
/* Returns x of the newest glibc 2.x that the symbols of a shared library need, from its bytes; 0: they need none. */
unsigned fmi_needed_glibc(const char *binary, size_t size);
/* Returns fmi_needed_glibc() of the FMU's binary; 0 before fmi_fmu_find_binary() has found it. */
unsigned fmi_fmu_needed_glibc(const fmi_fmu *self);
/* Returns the folder name of this machine's binaries in a version, as "linux64". */
const char *fmi_platform(fmi_version version);

/* Finds the binary, but does not load it. SEAM_BAD_INPUT: it is not for co-simulation, or not for this platform. */
seam_status fmi_fmu_find_binary(fmi_fmu *self, seam_error *error);
/* Loads the binary unless it is loaded; any thread may call. From here on its code runs, with all rights of the
 * process. Errors of fmi_fmu_find_binary(); SEAM_BAD_INPUT also: it cannot be loaded, or lacks functions that its
 * capabilities need. */
seam_status fmi_fmu_load(fmi_fmu *self, seam_error *error);

typedef struct fmi_instance_def {
  const char *name;
  void (*update)(void *context, double t); /* FMI 3: called in a step; may set inputs. NULL: unused */
  void *context;
  const uint32_t *updated; /* (n_updated) references of the inputs that `update` sets */
  size_t n_updated;
  bool defers_start_events; /* fmi_instance_begin() leaves events at the start to fmi_instance_handle_events() */
  double origin;            /* s, the FMU's time at time 0 of the calls below */
  double start;             /* s */
  double stop;              /* s, end of the simulation; NaN: unknown */
  double tolerance;         /* relative tolerance of the FMU's integrator; NaN: its default */
} fmi_instance_def;

/* Creates an instance. SEAM_BAD_INPUT: the FMU refuses, as for a wrong token, or allows one instance in a process and
 * already has it. SEAM_FMU_FAILED, here and for all calls below: the FMU crashed in a process that catches crashes. */
seam_status fmi_instance_create(fmi_fmu *of, const fmi_instance_def *def, fmi_instance **created, seam_error *error);
/* Terminates and frees an instance. NULL: does nothing. */
void fmi_instance_destroy(fmi_instance *self);

/* FMI 3: begins or ends the configuration, in which fmi_instance_set() sets structural parameters, and only these.
 * SEAM_BAD_INPUT: the FMU has no such mode. */
seam_status fmi_instance_configure(fmi_instance *self, bool begins, seam_error *error);
/* Set all n values of a number or boolean variable, or the value of a text, before fmi_instance_begin(). */
seam_status fmi_instance_set(fmi_instance *self, size_t variable, const double *values, size_t n, seam_error *error);
seam_status fmi_instance_set_text(fmi_instance *self, size_t variable, const char *text, seam_error *error);
/* Gets all n values of a number or boolean variable, at any time. */
seam_status fmi_instance_get(fmi_instance *self, size_t variable, double *values, size_t n, seam_error *error);

/* Enters the initialization mode, in which inputs can be set, outputs read and states saved. */
seam_status fmi_instance_initialize(fmi_instance *self, seam_error *error);
/* Ends the initialization. With event mode, also handles the events at the start, unless def.defers_start_events. */
seam_status fmi_instance_begin(fmi_instance *self, seam_error *error);

/* Set and get n real variables by their references. n_values exceeds n if some are arrays. */
seam_status fmi_instance_set_reals(fmi_instance *self, const uint32_t *references, size_t n, const double *values,
                                   size_t n_values, seam_error *error);
seam_status fmi_instance_get_reals(fmi_instance *self, const uint32_t *references, size_t n, double *values,
                                   size_t n_values, seam_error *error);
/* Gives the changes of outputs, Σ ∂y/∂u δu, by changes of inputs δu (`seed`), with constant states. Only for FMUs with
 * directional derivatives. */
seam_status fmi_instance_differentiate(fmi_instance *self, const uint32_t *outputs, size_t n_outputs,
                                       const uint32_t *inputs, size_t n_inputs, const double *seed, size_t n_seed,
                                       double *changes, size_t n_changes, seam_error *error);
/* FMI 2: sets n time derivatives of inputs for the next step, each by its reference, order (from 1) and value. */
seam_status fmi_instance_set_derivatives(fmi_instance *self, const uint32_t *references, const int *orders,
                                         const double *values, size_t n, seam_error *error);

/* End of a step from t to t + H. */
typedef struct fmi_step_end {
  double reached;    /* s, time reached; after a discarded step: time that the FMU could reach, or t if it gives none */
  bool is_early;     /* FMI 3: an event ended the step, before t + H or at t + H */
  bool is_discarded; /* the step failed: restore an earlier state */
  bool needs_events; /* call fmi_instance_handle_events() before the next step */
  bool has_ended;    /* the FMU ended the simulation; no step may follow */
} fmi_step_end;

/* Steps from t to t + H, or to an event in between. `is_final`: the caller will not restore states from before t.
 * SEAM_FMU_FAILED: the message begins with t. */
seam_status fmi_instance_step(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end,
                              seam_error *error);

/* FMI 3 with event mode: updates discrete states at t, the start or the end of the last step, until they settle. Does
 * nothing for other FMUs, and after the FMU has ended the simulation. */
seam_status fmi_instance_handle_events(fmi_instance *self, double t, seam_error *error);
/* Returns the time of the next event that is known, s; a step must end there at the latest. INFINITY: none is known. */
double fmi_instance_next_event(const fmi_instance *self);
/* Returns true if the FMU has ended the simulation. */
bool fmi_instance_has_ended(const fmi_instance *self);
/* Returns true if events at the start are not handled yet. */
bool fmi_instance_has_deferred_events(const fmi_instance *self);
/* After a restore, sets the results of the three functions above: t is the next event, and no end has come. */
void fmi_instance_expect_event(fmi_instance *self, double t, bool defers_start_events);

/* Returns the last message that the FMU has logged in the last step that it discarded; "": none. */
const char *fmi_instance_discard_log(const fmi_instance *self);

/* Saves the present state in memory of the FMU. *state is NULL, or an earlier state whose memory the FMU may reuse. */
seam_status fmi_instance_save(fmi_instance *self, void **state, seam_error *error);
seam_status fmi_instance_restore(fmi_instance *self, void *state, seam_error *error);
void fmi_instance_free_state(fmi_instance *self, void **state);
/* Return the number of bytes of a saved state, write it to these bytes, and read it from them. */
seam_status fmi_instance_state_size(fmi_instance *self, void *state, size_t *size, seam_error *error);
seam_status fmi_instance_write(fmi_instance *self, void *state, void *bytes, size_t size, seam_error *error);
seam_status fmi_instance_read(fmi_instance *self, const void *bytes, size_t size, void **state, seam_error *error);

#endif
