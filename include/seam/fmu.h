/** @file
 * FMUs (Functional Mock-up Units, FMI 2.0 and 3.0) of an entire mechanism or of one of its subsystems. Any FMI master
 * can co-simulate them. docs/fmi.md lists their inputs, outputs and capabilities. Misuse: see <seam/status.h>. */
#ifndef SEAM_FMU_H
#define SEAM_FMU_H

#include <stddef.h>

#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_fmu FMUs
 * @{ */

typedef struct seam_fmu_options {
  int cookie;
  int version;           /* FMI version, 2 (default) or 3 */
  const char *subsystem; /* subsystem of the model's `cosim`; NULL (default): the entire mechanism */
  const char *engine;    /* path of the engine; NULL (default): seam-0.3/fmu.so beside the library */
} seam_fmu_options;

SEAM_PUBLIC seam_fmu_options seam_default_fmu_options(void);

/** Writes an FMU of a model to `path`; `name`, text, length and overrides are those of seam_model_file_parse(). The
 * archive holds the engine, modelDescription.xml and the model with its overrides and tables; equal arguments and
 * engines give equal bytes. SEAM_BAD_INPUT: errors of the model, no such subsystem or version, or a model that cannot
 * become an FMU; SEAM_NOT_ASSEMBLED and other errors of its start; SEAM_NO_FILE: the engine cannot be read or the
 * archive not written; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_fmu_export(const char *name, const char *text, size_t length, const char *const *overrides,
                                        size_t n_overrides, const seam_fmu_options *options, const char *path,
                                        seam_error *error);

/** Writes a cut model as a system of FMUs (SSP 1.0). Each subsystem becomes an FMU, as seam_fmu_export() writes it.
 * SystemStructure.ssd has the connections of cut force elements and signals. options->subsystem is not used. Equal
 * arguments give equal bytes. SEAM_BAD_INPUT also: cut joints, and signals that no connection can express; other errors
 * are those of seam_fmu_export(). */
SEAM_PUBLIC seam_status seam_system_export(const char *name, const char *text, size_t length,
                                           const char *const *overrides, size_t n_overrides,
                                           const seam_fmu_options *options, const char *path, seam_error *error);

/** Reports on an FMU in lines of text: variables, capabilities, problems of its description. Takes three steps and
 * repeats two of them from a restored state. Also lists the schemes that the FMU allows. The caller frees *report;
 * after a failure the report ends at the failure. SEAM_WRONG: repeated steps differ; SEAM_BAD_INPUT: the archive is
 * refused, the description is wrong, its binary cannot be used; SEAM_NO_FILE; SEAM_FMU_FAILED, SEAM_NOT_FINITE: a step
 * fails; SEAM_NO_MEMORY. The FMU's program runs in a child process, with all rights of this one; SEAM_FMU_FAILED if the
 * program ends the child process. */
SEAM_PUBLIC seam_status seam_fmu_check(const char *path, char **report, seam_error *error);

/** Catches faults in FMUs: from now on a call into an FMU may fault (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP)
 * or, on the main thread, call exit(). The function that made the call then fails with SEAM_FMU_FAILED and the call's
 * name. An exit() on another thread ends the process with a message and the status 1. Only for programs that do not use
 * these signals and SIGVTALRM themselves; after a fault the memory of the program may be corrupt. */
SEAM_PUBLIC void seam_fmu_catch_crashes(void);

/** Removes the folders into which this process unpacked FMUs. Async-signal-safe, for handlers of signals that end the
 * process. Without such a signal, the destruction of a model file removes the folders of its FMUs. */
SEAM_PUBLIC void seam_fmu_remove_unpacked(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
