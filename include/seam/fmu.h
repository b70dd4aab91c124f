/** @file
 * FMUs (Functional Mock-up Units, FMI 2.0 and 3.0) made of models: a mechanism as a whole, or one subsystem of its cut,
 * for co-simulation by any FMI master. docs/fmi.md says what they take, give and can do. Misuse: see <seam/status.h>.
 */
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
  int version;           /* of FMI: 2 (default) or 3 */
  const char *subsystem; /* of the model's `cosim`; NULL (default): the whole */
  const char *engine;    /* path of the engine; NULL (default): seam-0.3/fmu.so beside the library */
} seam_fmu_options;

SEAM_PUBLIC seam_fmu_options seam_default_fmu_options(void);

/** Writes an FMU of a model to `path`; `name`, text, length and overrides are those of seam_model_file_parse(). The
 * archive holds the engine, modelDescription.xml and the model with its overrides and tables; it is equal to the byte
 * for equal arguments and engines. SEAM_BAD_INPUT: the model, no such subsystem or version, or a model that cannot be a
 * unit; SEAM_NOT_ASSEMBLED and other errors of its start; SEAM_NO_FILE: the engine cannot be read, the archive not be
 * written; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_fmu_export(const char *name, const char *text, size_t length, const char *const *overrides,
                                        size_t n_overrides, const seam_fmu_options *options, const char *path,
                                        seam_error *error);

/** Writes the cut of a model as a system of FMUs (SSP 1.0): an FMU for each subsystem, as seam_fmu_export() writes it,
 * and SystemStructure.ssd with the connections of force elements that are cut and of signals. options->subsystem is
 * NULL. Equal to the byte as an FMU is. SEAM_BAD_INPUT also: joints that are cut, and signals that a connection cannot
 * say; other errors are those of seam_fmu_export(). */
SEAM_PUBLIC seam_status seam_system_export(const char *name, const char *text, size_t length,
                                           const char *const *overrides, size_t n_overrides,
                                           const seam_fmu_options *options, const char *path, seam_error *error);

/** Reports on an FMU in lines of text: its variables, its capabilities, problems of its description; then three steps,
 * two of them repeated from a restored state, and the schemes that it allows. The caller frees *report, which has what
 * is known up to a failure. SEAM_OK; SEAM_WRONG: repeated steps differ; SEAM_BAD_INPUT: the archive is refused, the
 * description is wrong, its binary cannot be used; SEAM_NO_FILE; SEAM_STEP_FAILED, SEAM_NOT_FINITE: a step fails;
 * SEAM_NO_MEMORY. The FMU's program runs in a child process, with all rights of this one: SEAM_STEP_FAILED if it ends
 * that process. */
SEAM_PUBLIC seam_status seam_fmu_check(const char *path, char **report, seam_error *error);

/** From now on, when a call into an FMU faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT), the function that made the
 * call fails with SEAM_STEP_FAILED and the call's name; an FMU that calls exit() ends the process with a message and
 * the status 1. For programs that leave these signals and SIGVTALRM to the library; their memory may be spoilt
 * afterwards. */
SEAM_PUBLIC void seam_fmu_catch_crashes(void);

/** Removes the folders into which the FMUs of this process are unpacked. For handlers of signals that end the process
 * (it is async-signal-safe): else each goes with its file. */
SEAM_PUBLIC void seam_fmu_remove_unpacked(void);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
