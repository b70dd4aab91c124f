/* An FMU for co-simulation, unpacked and loaded, and its instances ([FMI 2.0.4] 4.2, [FMI 3.0.2] 4).
 *
 *   fmi_fmu_open()                    unpacks it into a private folder and reads its description
 *   fmi_fmu_find_binary()             looks for its binary for this platform
 *   fmi_fmu_load()                    loads it
 *   fmi_instance_create()             ... parameters and inputs at the start: fmi_instance_set()
 *   fmi_instance_begin()              initialises
 *   fmi_instance_set_reals(), fmi_instance_step(), fmi_instance_get_reals(), ...
 *
 * Calls leave the process as it was (fmi/guard.h). An FMU is used by several threads at once where each has instances
 * of its own; an instance by one at a time. What an FMU logs as a warning or worse, last, stands behind the messages of
 * failures. */
#ifndef FMI_LIBRARY_H
#define FMI_LIBRARY_H

#include "fmi/description.h"

typedef struct fmi_fmu fmi_fmu;
typedef struct fmi_instance fmi_instance;

/* `path` may lead into a system, "x.ssp/resources/a.fmu". SEAM_NO_FILE, SEAM_NO_MEMORY, and SEAM_BAD_INPUT with a
 * message that names the file: errors of fmi_archive_extract(), a missing or wrong modelDescription.xml. *opened is
 * NULL where nothing of it is known; with problems of the description it is there, so that these can be listed, and the
 * caller closes it. */
seam_status fmi_fmu_open(const char *path, fmi_fmu **opened, seam_error *error);
/* NULL: nothing happens. No instance may be left. */
void fmi_fmu_close(fmi_fmu *self);

const fmi_description *fmi_fmu_description(const fmi_fmu *self);
/* Compares description and binary alone; the binary counts once it was looked for. */
uint64_t fmi_fmu_identity(const fmi_fmu *self);
/* Dimensions that the structural parameter `by` says have another size from now on; before instances are made. */
void fmi_fmu_resize(fmi_fmu *self, size_t by, size_t size);
/* Returns true if it has a file, by its name in the archive. */
bool fmi_fmu_has(const fmi_fmu *self, const char *name);
/* The newest glibc, 2.x, of which a shared library (its bytes) names symbols: x; 0: of none. */
unsigned fmi_needed_glibc(const char *binary, size_t size);
/* The hash of its binary, once fmi_fmu_load() has found it. */
unsigned fmi_fmu_needed_glibc(const fmi_fmu *self);
/* Name of the folder of this machine's binaries in a version, as "linux64". */
const char *fmi_platform(fmi_version version);

/* Looks for one to load, without loading it. SEAM_BAD_INPUT: no co-simulation, no binary for this platform. */
seam_status fmi_fmu_find_binary(fmi_fmu *self, seam_error *error);
/* Its program runs from here on, with all rights of the process. SEAM_BAD_INPUT also: functions are missing that its
 * capabilities need. A second call does nothing; threads may call it at once. */
seam_status fmi_fmu_load(fmi_fmu *self, seam_error *error);

typedef struct fmi_instance_def {
  const char *name;
  /* FMI 3: called in a step, at times where inputs may be set by fmi_instance_set_reals(). NULL: not wanted. */
  void (*update)(void *context, double t);
  void *context;
  const uint32_t *updated; /* (n_updated) references of the inputs that it sets */
  size_t n_updated;
  bool waits_at_start; /* events at the start are left to fmi_instance_handle_events(), before the first step */
  double origin;       /* s, the FMU's time where that of the calls below is 0 */
  double start;        /* s */
  double stop;         /* s, of the simulation; NaN: not known */
  double tolerance;    /* relative, of the FMU's integrator; NaN: its own */
} fmi_instance_def;

/* SEAM_BAD_INPUT: it refuses, as with a token that is not its description's; a second instance of what is only once in
 * a process. SEAM_STEP_FAILED, here as behind all calls: its program crashed, and the process catches crashes. */
seam_status fmi_instance_create(fmi_fmu *of, const fmi_instance_def *def, fmi_instance **created, seam_error *error);
/* Terminates and frees it. NULL: nothing happens. */
void fmi_instance_destroy(fmi_instance *self);

/* FMI 3: structural parameters are set by fmi_instance_set() between these two, before all others. SEAM_BAD_INPUT: its
 * program has no such mode. */
seam_status fmi_instance_configure(fmi_instance *self, bool begins, seam_error *error);
/* Before fmi_instance_begin(): numbers (n, as many as it has) of a variable that is a number or boolean; a text. */
seam_status fmi_instance_set(fmi_instance *self, size_t variable, const double *values, size_t n, seam_error *error);
seam_status fmi_instance_set_text(fmi_instance *self, size_t variable, const char *text, seam_error *error);
/* At any time, numbers (n, as many as it has) of a variable that is a number or boolean. */
seam_status fmi_instance_get(fmi_instance *self, size_t variable, double *values, size_t n, seam_error *error);

/* Initialises, and handles events at the start unless these are to wait. */
seam_status fmi_instance_begin(fmi_instance *self, seam_error *error);

/* Real variables by reference; n_values > n where some are arrays. */
seam_status fmi_instance_set_reals(fmi_instance *self, const uint32_t *references, size_t n, const double *values,
                                   size_t n_values, seam_error *error);
seam_status fmi_instance_get_reals(fmi_instance *self, const uint32_t *references, size_t n, double *values,
                                   size_t n_values, seam_error *error);
/* Change of outputs (n_changes values) when inputs change, at the present point with its states held: Σ ∂y/∂u δu. Only
 * of an FMU that gives directional derivatives. */
seam_status fmi_instance_differentiate(fmi_instance *self, const uint32_t *outputs, size_t n_outputs,
                                       const uint32_t *inputs, size_t n_inputs, const double *seed, size_t n_seed,
                                       double *changes, size_t n_changes, seam_error *error);
/* FMI 2: derivatives in time of inputs over the next step, one for each pair of reference and order (from 1). */
seam_status fmi_instance_set_derivatives(fmi_instance *self, const uint32_t *references, const int *orders,
                                         const double *values, size_t n, seam_error *error);

/* How a step from t to t + H ended. */
typedef struct fmi_step_end {
  double reached;    /* s; of a discarded one what the FMU could have come to, t where it does not say */
  bool is_early;     /* FMI 3: an event ended it, perhaps at t + H */
  bool is_discarded; /* the step has failed: it goes on from a state of before */
  bool needs_events; /* fmi_instance_handle_events() is to be called before the next step */
  bool has_ended;    /* it ends the simulation there: no step may follow */
} fmi_step_end;

/* Steps from t to t + H, or to an event in between; `is_final`: no state from before t is restored any more.
 * SEAM_STEP_FAILED: it fails, with the time up to which it came. */
seam_status fmi_instance_step(fmi_instance *self, double t, double H, bool is_final, fmi_step_end *end,
                              seam_error *error);

/* FMI 3 with event mode (else nothing happens): discrete states at t, the end of the last step or the start, become
 * their new ones, as often as the FMU asks for. */
seam_status fmi_instance_handle_events(fmi_instance *self, double t, seam_error *error);
/* s, of the next one that the FMU knows, where a step ends; INFINITY: none. */
double fmi_instance_next_event(const fmi_instance *self);
/* Returns true if its discrete states ended the simulation at an event; belongs to a state as well. */
bool fmi_instance_has_ended(const fmi_instance *self);
/* Returns true if events of the start still wait. Both belong to a state that is saved. */
bool fmi_instance_waits_at_start(const fmi_instance *self);
void fmi_instance_expect_event(fmi_instance *self, double t, bool waits_at_start);

/* Returns the last message that it logged within the last step, as a warning or worse; "": nothing. */
const char *fmi_instance_log(const fmi_instance *self);

/* A state as the FMU keeps it: *state is NULL, or one of before whose memory the FMU may use again. */
seam_status fmi_instance_save(fmi_instance *self, void **state, seam_error *error);
seam_status fmi_instance_restore(fmi_instance *self, void *state, seam_error *error);
void fmi_instance_forget(fmi_instance *self, void **state);
/* As bytes. */
seam_status fmi_instance_measure(fmi_instance *self, void *state, size_t *size, seam_error *error);
seam_status fmi_instance_write(fmi_instance *self, void *state, void *bytes, size_t size, seam_error *error);
seam_status fmi_instance_read(fmi_instance *self, const void *bytes, size_t size, void **state, seam_error *error);

#endif
