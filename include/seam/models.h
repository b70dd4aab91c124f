/** @file
 * Model files: YAML in, a built mechanism out. The format is docs/model-file.md. Misuse: see <seam/status.h>; a file of
 * NULL has nothing. */
#ifndef SEAM_MODELS_H
#define SEAM_MODELS_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/bounds.h>
#include <seam/cosim.h>
#include <seam/law.h>
#include <seam/mbs.h>
#include <seam/measures.h>
#include <seam/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** @defgroup seam_models Model files
 * Different files may be read in different threads at once; one that was read may be used by any number of threads.
 * @{ */

/** Section `simulate:` of the file. */
typedef struct seam_simulation {
  double end;                        /* s; NaN when the file has no `simulate:` */
  double output_step;                /* s; default end/1000 */
  mbs_integrator_options integrator; /* largest_step: none by default */
  seam_verdict_bounds bounds;        /* by which runs are judged */
} seam_simulation;

typedef struct seam_model_file seam_model_file;

/** Reads a model file. `overrides` (n_overrides strings "key.path=value", as --set gives them) replace or add values
 * before anything is evaluated. Files of tables are looked for in the folder of the model file. SEAM_NO_FILE or
 * SEAM_BAD_INPUT with `file:line:col: error: cause` + offending line + fix in error->message. *file is untouched on
 * failure; free it with seam_model_file_destroy(). */
SEAM_PUBLIC seam_status seam_model_file_read(const char *path, const char *const *overrides, size_t n_overrides,
                                             seam_model_file **file, seam_error *error);

/** The same from text in memory (length bytes, need not be terminated); `name` stands for the path in messages. */
SEAM_PUBLIC seam_status seam_model_file_parse(const char *name, const char *text, size_t length,
                                              const char *const *overrides, size_t n_overrides, seam_model_file **file,
                                              seam_error *error);

/** A function that expressions of a model file call by its name, as `grip(rod.phi)` or `pull(x, v)`: a law
 * (<seam/law.h>). Where law.jet is NULL its derivatives are differences. It is taken as smooth in time: next_kink and
 * period are not used. */
typedef struct seam_function {
  const char *name; /* letters, digits, _; copied */
  int n_arguments;  /* 1 or 2 */
  seam_law law;
} seam_function;

/** seam_model_file_parse() with n_functions more functions, whose laws the file owns whatever the result, but where an
 * argument is NULL. SEAM_BAD_INPUT also for the name of a function that is not one, is taken or that of a table. */
SEAM_PUBLIC seam_status seam_model_file_parse_with(const char *name, const char *text, size_t length,
                                                   const char *const *overrides, size_t n_overrides,
                                                   const seam_function *functions, size_t n_functions,
                                                   seam_model_file **file, seam_error *error);
/** The effective model of a run (its summary.json) for pictures of the motion: bodies, joints and force elements, and
 * of `cosim:` the subsystems. No other file is read and no FMU is looked for, so that results may be shown anywhere;
 * such a file cannot be co-simulated. Errors are those of seam_model_file_parse(). */
SEAM_PUBLIC seam_status seam_model_file_show(const char *name, const char *text, size_t length, seam_model_file **file,
                                             seam_error *error);
/** Makes co-simulations of the file, from now on, of the descriptions of its FMUs, whose programs are not loaded: they
 * show what is coupled and how, and cannot be run. Reading a file never loads an FMU; cosim_create() does. */
SEAM_PUBLIC void seam_model_only_describe(seam_model_file *file);
SEAM_PUBLIC void seam_model_file_destroy(seam_model_file *file);

SEAM_PUBLIC const char *seam_model_name(const seam_model_file *file);
/** Bodies, joints and force elements, with the `equations:` of the file: the mechanism that a co-simulation cuts. */
SEAM_PUBLIC const mbs_model *seam_model_mechanism(const seam_model_file *file);
/** The mechanism with the user equations and signals of `cosim:` in it, which is integrated as a whole: their states
 * are variables (<seam/equations.h>), their inputs and outputs measures, behind those of the file, and signals to force
 * elements force elements of their own. Where there are none it is seam_model_mechanism(). Owned by the file.
 * SEAM_BAD_INPUT: why there is no such mechanism. */
SEAM_PUBLIC seam_status seam_model_whole(const seam_model_file *file, const mbs_model **whole, seam_error *error);
SEAM_PUBLIC const seam_simulation *seam_model_simulation(const seam_model_file *file);

/** Section `cosim:` of the file, owned by the file, with its mechanism; NULL when it has no such section. Copy it to
 * change it; copies and their simulations must not outlive the file. */
SEAM_PUBLIC const cosim_builder *seam_model_cosim(const seam_model_file *file);

/** Returns true if there is a section `start:`. Coordinates, rates and equilibria that it gives are those of the
 * mechanism. */
SEAM_PUBLIC bool seam_model_has_start(const seam_model_file *file);
/** Its `from: RESULTS@TIME`, a path that begins at the model file's folder, for the caller to read: the mechanism does
 * not have that state. NULL: there is none. Owned by the file. */
SEAM_PUBLIC const char *seam_model_start_from(const seam_model_file *file);

/** The model file of the whole that is co-simulated in parts, `reference:` of `cosim:`, a path that begins at the model
 * file's folder; NULL: this file is. Owned by the file. */
SEAM_PUBLIC const char *seam_model_reference(const seam_model_file *file);

/** Returns true if no user chose the macro step: neither the system of FMUs, nor one of its FMUs, nor an override gives
 * one. seam_model_file_read() says so in a note. */
SEAM_PUBLIC bool seam_model_assumes_macro_step(const seam_model_file *file);

/** The statistics over a run that the file asks of a measure: the bit 1 << s of each
 * seam_statistic s. */
SEAM_PUBLIC unsigned seam_model_over_run(const seam_model_file *file, size_t measure);

/** Key that the section `cosim:` leaves out because collocation chooses its value, and that other schemes need:
 * "macro_step", "step_control.tolerance"; NULL: none. */
SEAM_PUBLIC const char *seam_model_left_to_collocation(const seam_model_file *file);

/** Puts the place of the element that a refusal is about (error->subject) before its message, with the offending line:
 * `file:line:col: error: cause`. For SEAM_BAD_INPUT an element that the file does not name has the place of its section
 * `cosim:`; SEAM_NOT_ASSEMBLED has a place where the file names the element. Other errors stay as they are. */
SEAM_PUBLIC void seam_model_place(const seam_model_file *file, seam_error *error);

/** Names in a subsystem of user equations, integrals among the outputs only. */
typedef struct seam_equations {
  const char *const *inputs, *const *states, *const *outputs;
  size_t n_inputs, n_states, n_outputs;
} seam_equations;

/** Names in the equations of a subsystem of the co-simulation, owned by the file; zero for one of bodies and force
 * elements, and for one that does not exist. */
SEAM_PUBLIC seam_equations seam_model_equations(const seam_model_file *file, size_t subsystem);

/** A part of the outline of a body, in its own frame, m: a line through points, or a circle. */
typedef struct seam_outline {
  const double (*points)[2]; /* (n) of the line; NULL: a circle */
  size_t n;
  bool closed; /* the line is a polygon, whose edges do not meet but at its points */
  double center[2], radius;
} seam_outline;

/** Parts of the `outline:` of a body, owned by the file: their number, and one; 0 and NULL where there is none. */
SEAM_PUBLIC size_t seam_model_n_outlines(const seam_model_file *file, size_t body);
SEAM_PUBLIC const seam_outline *seam_model_outline(const seam_model_file *file, size_t body, size_t part);
/** Length of a body that the file writes as a rod, along its ξ axis about its centre of mass, m; else NaN. */
SEAM_PUBLIC double seam_model_rod_length(const seam_model_file *file, size_t body);

/** Returns true if the pose of a body is rough on purpose: a rod of given length near two points. */
SEAM_PUBLIC bool seam_model_is_rough(const seam_model_file *file, size_t body);

/** The effective model (overrides applied, numbers evaluated) as JSON text, owned by the file, made when it is asked
 * for first; NULL when memory is exhausted. */
SEAM_PUBLIC const char *seam_model_json(const seam_model_file *file);

/** Returns true if a path is that of a system of FMUs (SSP 1.0): it ends with .ssp. */
SEAM_PUBLIC bool seam_is_system(const char *path);

/** The model file of a system of FMUs, as text that the caller frees with free(): subsystems and signals of `cosim`.
 * seam_model_file_read() reads a system so. SEAM_BAD_INPUT, with file and line: elements that docs/fmi.md does not list
 * or that do not fit together, an archive that is refused; SEAM_NO_FILE, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_system_model(const char *path, char **text, seam_error *error);

/** The JSON Schema (draft-07) of model files, made from the tables of keys by which they are read, as text that the
 * caller frees with free(): every unknown key that the reader refuses does not fit it, and every file that the reader
 * accepts fits. SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_model_schema(char **text, seam_error *error);

/** YAML (length bytes, need not be terminated), by the rules of model files, as JSON, in which all scalars are strings
 * as they are written; the caller frees it with free(). `name` stands for the file in messages. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_yaml_json(const char *name, const char *text, size_t length, char **json,
                                       seam_error *error);

/** The catalogue that is compiled in: names in alphabetical order, the text of one (NULL when unknown). */
SEAM_PUBLIC size_t seam_catalogue_size(void);
SEAM_PUBLIC const char *seam_catalogue_name(size_t index);
SEAM_PUBLIC const char *seam_catalogue_text(const char *name);

/** Notes: what a user should know although nothing has failed, such as a derivative of a law that is taken as 0. The
 * library prints nothing itself: each note goes to this handler as one line of text without newline; NULL (the default)
 * drops them. There is one handler for the process: set it before other threads use the library. It may be called from
 * any thread; `note` lives during the call. */
typedef void (*seam_note_handler)(void *context, const char *note);
SEAM_PUBLIC void seam_set_note_handler(seam_note_handler handler, void *context);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
