/** @file
 * Model files in YAML (docs/model-file.md). Misuse: see <seam/status.h>. A pointer to a model file may be NULL, which
 * stands for an empty file. */
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
 * Files may be read in several threads at once; after it was read, any number of threads may use a file.
 * @{ */

/** Section `simulate:` of the file. */
typedef struct seam_simulation {
  double end;                        /* s, end of a run; NaN: the file has no `simulate:` */
  double output_step;                /* s; default end/1000 */
  mbs_integrator_options integrator; /* largest_step: none by default */
  seam_verdict_bounds bounds;        /* bounds of verdicts on runs */
} seam_simulation;

typedef struct seam_model_file seam_model_file;

/** Reads a model file. `overrides` (n_overrides strings "key.path=value", as for --set) replace or add values before
 * anything is evaluated. Paths of tables begin at the model file's folder. SEAM_NO_FILE or SEAM_BAD_INPUT with
 * `file:line:col: error: cause`, the offending line and a fix in error->message. *file is unchanged on failure; free it
 * with seam_model_file_destroy(). */
SEAM_PUBLIC seam_status seam_model_file_read(const char *path, const char *const *overrides, size_t n_overrides,
                                             seam_model_file **file, seam_error *error);

/** Reads a model file from text in memory (length bytes, need not be terminated); `name` is its path in messages. */
SEAM_PUBLIC seam_status seam_model_file_parse(const char *name, const char *text, size_t length,
                                              const char *const *overrides, size_t n_overrides, seam_model_file **file,
                                              seam_error *error);

/** A function that expressions of a model file call by its name, as `grip(rod.phi)` or `pull(x, v)`. law.jet NULL:
 * derivatives by differences. The library assumes that it is smooth in time: next_kink and period are not used. */
typedef struct seam_function {
  const char *name; /* letters, digits, _; copied */
  int n_arguments;  /* 1 or 2 */
  seam_law law;
} seam_function;

/** Does the same as seam_model_file_parse(), with n_functions additional functions. The file takes ownership of their
 * laws, also on failure, unless an argument is NULL. SEAM_BAD_INPUT also: a function's name is invalid, taken, or the
 * name of a table. */
SEAM_PUBLIC seam_status seam_model_file_parse_with(const char *name, const char *text, size_t length,
                                                   const char *const *overrides, size_t n_overrides,
                                                   const seam_function *functions, size_t n_functions,
                                                   seam_model_file **file, seam_error *error);
/** Reads the effective model of a run (in summary.json) for pictures of the motion: bodies, joints, force elements,
 * and the subsystems of `cosim:`. No other file or FMU is read, so that results may be shown anywhere; the result
 * cannot be co-simulated. Fails as seam_model_file_parse() does. */
SEAM_PUBLIC seam_status seam_model_file_show(const char *name, const char *text, size_t length, seam_model_file **file,
                                             seam_error *error);
/** Makes co-simulations that are created later from the file read the descriptions of its FMUs, but load no programs.
 * They show what is coupled and how, but cannot run. Reading a file never loads an FMU. */
SEAM_PUBLIC void seam_model_only_describe(seam_model_file *file);
SEAM_PUBLIC void seam_model_file_destroy(seam_model_file *file);

SEAM_PUBLIC const char *seam_model_name(const seam_model_file *file);
/** Returns the mechanism that a co-simulation cuts: bodies, joints, force elements and the file's `equations:`. */
SEAM_PUBLIC const mbs_model *seam_model_mechanism(const seam_model_file *file);
/** Finds the monolithic model, for monolithic runs. It contains the mechanism and the user equations and signals of
 * `cosim:`. Their states become variables (<seam/equations.h>). Their inputs and outputs become measures after those of
 * the file. Signals to force elements become additional force elements. Without user equations it is
 * seam_model_mechanism(). Owned by the file. The message of SEAM_BAD_INPUT states why there is none. */
SEAM_PUBLIC seam_status seam_model_whole(const seam_model_file *file, const mbs_model **whole, seam_error *error);
/** Takes the start values of the user equations from `state`, a state of the monolithic model. They hold for this model
 * and for co-simulations created from now on. By default start values are those of the file or, under `start: static`,
 * of the equilibrium. SEAM_BAD_INPUT: there is no monolithic model, or the state has another layout; SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_model_begin_equations(seam_model_file *file, const mbs_state *state, seam_error *error);
SEAM_PUBLIC const seam_simulation *seam_model_simulation(const seam_model_file *file);

/** Returns the builder of the section `cosim:`, owned by the file; NULL: no such section. Copy it to change it; copies
 * and their simulations must not outlive the file. */
SEAM_PUBLIC const cosim_builder *seam_model_cosim(const seam_model_file *file);

/** Returns true if there is a section `start:`, of coordinates, rates or equilibria of seam_model_mechanism(). */
SEAM_PUBLIC bool seam_model_has_start(const seam_model_file *file);
/** Returns `from: RESULTS@TIME` of `start:`; the path begins at the model file's folder, and the caller has to read the
 * results. NULL: none. Owned by the file. */
SEAM_PUBLIC const char *seam_model_start_from(const seam_model_file *file);

/** Returns the path of a file that the model names and reads, counted from 0: points of a table or curve, an FMU, or
 * the system that contains it. A file may occur twice. NULL: there are no more. Owned by the file. */
SEAM_PUBLIC const char *seam_model_data_file(const seam_model_file *file, size_t number);

/** Returns `reference:` of `cosim:`, the path of the undivided mechanism's file from the model file's folder; NULL:
 * this file itself. Owned by the file. */
SEAM_PUBLIC const char *seam_model_reference(const seam_model_file *file);

/** Returns true if the macro step of a system of FMUs is a default value: neither the system, nor its FMUs, nor an
 * override gives a macro step. seam_model_file_read() then writes a note. */
SEAM_PUBLIC bool seam_model_assumes_macro_step(const seam_model_file *file);

/** Returns the statistics over a run that the file requests for a measure: bit 1 << s for seam_statistic s. */
SEAM_PUBLIC unsigned seam_model_over_run(const seam_model_file *file, size_t measure);

/** Returns a key that the section `cosim:` omits because collocation chooses its value, but other schemes need:
 * "macro_step", "step_control.tolerance"; NULL: none. */
SEAM_PUBLIC const char *seam_model_left_to_collocation(const seam_model_file *file);

/** Adds the line of the file that defines error->subject to the message: `file:line:col: error: cause` and the line
 * itself. If the file does not name the element, SEAM_BAD_INPUT gets the line of the section `cosim:`, and
 * SEAM_NOT_ASSEMBLED gets none. Other errors stay unchanged. */
SEAM_PUBLIC void seam_model_place(const seam_model_file *file, seam_error *error);

/** Names in a subsystem of user equations; integrals are outputs, not states. */
typedef struct seam_equations {
  const char *const *inputs, *const *states, *const *outputs;
  size_t n_inputs, n_states, n_outputs;
  bool are_hidden; /* the names are those of an FMU, whose inputs have start values of their own */
} seam_equations;

/** Returns the names in the equations of a co-simulation's subsystem, owned by the file; zeros if it has bodies and
 * force elements or does not exist. */
SEAM_PUBLIC seam_equations seam_model_equations(const seam_model_file *file, size_t subsystem);

/** Part of a body's outline in the body's frame, m: a line through points, or a circle. */
typedef struct seam_outline {
  const double (*points)[2]; /* (n) points of the line; NULL: a circle */
  size_t n;
  bool closed; /* the line is a closed polygon that does not cross itself */
  double center[2], radius;
} seam_outline;

/** Parts of a body's `outline:`, owned by the file: their number (0: none), and one part (NULL: no such part). */
SEAM_PUBLIC size_t seam_model_n_outlines(const seam_model_file *file, size_t body);
SEAM_PUBLIC const seam_outline *seam_model_outline(const seam_model_file *file, size_t body, size_t part);
/** Returns the length, m, of a rod; NaN for other bodies. A rod lies along its ξ axis, its centre of mass in the
 * middle. */
SEAM_PUBLIC double seam_model_rod_length(const seam_model_file *file, size_t body);

/** Returns true if a body's pose is approximate on purpose: a rod of given length near two points. */
SEAM_PUBLIC bool seam_model_is_rough(const seam_model_file *file, size_t body);

/** Returns the effective model (overrides applied, numbers evaluated) as JSON, owned by the file; NULL: no memory. */
SEAM_PUBLIC const char *seam_model_json(const seam_model_file *file);

/** Returns true if a path names a system of FMUs (SSP 1.0): it ends with .ssp. */
SEAM_PUBLIC bool seam_is_system(const char *path);

/** Creates the text of a model file from a system of FMUs; the caller frees the text with free(). Subsystems and
 * signals are under `cosim:`. seam_model_file_read() calls this function if its path names a system. SEAM_BAD_INPUT,
 * with file and line: elements that docs/fmi.md does not list or that contradict each other, an archive that is
 * refused; SEAM_NO_FILE, SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_system_model(const char *path, char **text, seam_error *error);

/** Creates the JSON Schema (draft-07) of model files from the reader's tables of keys; the caller frees the text with
 * free(). It refuses every unknown key that the reader refuses, and accepts every file that the reader accepts.
 * SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_model_schema(char **text, seam_error *error);

/** Converts YAML (length bytes, need not be terminated) to JSON by the rules of model files. All scalars become
 * strings. The caller frees *json with free(). `name` stands for the file in messages. SEAM_BAD_INPUT,
 * SEAM_NO_MEMORY. */
SEAM_PUBLIC seam_status seam_yaml_json(const char *name, const char *text, size_t length, char **json,
                                       seam_error *error);

/** The built-in catalogue: its size, names in alphabetical order, and a model's text (NULL: unknown name). */
SEAM_PUBLIC size_t seam_catalogue_size(void);
SEAM_PUBLIC const char *seam_catalogue_name(size_t index);
SEAM_PUBLIC const char *seam_catalogue_text(const char *name);

/** Handler of notes. A note informs the user although nothing has failed: for example, that a derivative of a law is
 * taken as 0. The library prints nothing itself: each note is one line of text without newline; NULL (default) drops
 * notes. There is one handler per process: set it before other threads use the library. It may be called from any
 * thread; `note` lives during the call. */
typedef void (*seam_note_handler)(void *context, const char *note);
SEAM_PUBLIC void seam_set_note_handler(seam_note_handler handler, void *context);

/** @} */

#ifdef __cplusplus
}
#endif
#endif
