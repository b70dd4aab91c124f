/* State and functions of all readers of sections. A reader declares its keys in a table, reads them by these functions,
 * and passes the result to the builder of the mechanism. */
#ifndef MODELS_READER_H
#define MODELS_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/mbs.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/table.h"
#include "base/then.h"
#include "models/expression/expression.h"
#include "models/form.h"
#include "models/model_file.h"
#include "models/yaml.h"

typedef enum entry_kind { ENTRY_BODY, ENTRY_JOINT, ENTRY_FORCE } entry_kind;

/* A body, joint or force element. Names are unique across the three kinds. */
typedef struct entry {
  const char *name;
  entry_kind kind;
  bool connects_bodies; /* a joint or force element between two bodies, which can be a coupling */
  size_t bodies[2];     /* these two bodies: indices into `entries`, or MBS_GROUND */
} entry;

typedef struct point {
  const char *name;
  double position[2]; /* m, in the initial configuration */
} point;

typedef enum deferral { DEFERRED_MEASURE, DEFERRED_RATE, DEFERRED_LAW, N_DEFERRALS } deferral;

typedef struct deferred deferred; /* defined in models/sections/quantities_section.h */

typedef struct deferred_list {
  deferred *first, *last;
} deferred_list;

typedef struct reader {
  arena *memory; /* of the result */
  const source *file;
  yaml_node *root; /* a map */
  seam_error *error;
  seam_error cause;       /* last error of a call of another part of the library */
  char subject[96];       /* the element being read, for messages: "body 'bar1'" */
  expression_scope scope; /* parameters that are evaluated so far, functions of the caller, tables */
  point *points;
  table point_names;
  entry *entries; /* (n_entries), with room for all entries of the file */
  size_t n_entries;
  table entry_names;
  double n_generated; /* number of entries that repeats have generated */
  deferred_list deferred[N_DEFERRALS];
  mbs_builder *builder;
  bool is_shown; /* the caller is seam_model_file_show() */
  int version;   /* version of the file format */
  seam_model_file *result;
} reader;

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

seam_status reader_no_memory(reader *r);

/* Fails if memory is exhausted, as in TRY(reader_check_memory(r, list != NULL)). */
seam_status reader_check_memory(reader *r, bool is_enough);

/* Fails with a message that refers to the position of a node; see source_fail(). */
seam_status reader_fail(reader *r, const yaml_node *at, const char *fix, const char *format, ...) SEAM_PRINTF(4, 5);

/* Fails at an unknown name. The message proposes the nearest known name; if none is near, it has the text `fix`. */
seam_status reader_fail_unknown(reader *r, const yaml_node *at, const nearest *known, const char *fix,
                                const char *format, ...) SEAM_PRINTF(5, 6);

/* If a call of another part of the library failed, fails at a node with its message, which is in r->cause. */
seam_status reader_check_call(reader *r, const yaml_node *at, seam_status status);

/* Returns the key of the joint or force element with this name in the file, or NULL. */
const yaml_node *reader_element(const reader *r, const char *name);

/* Returns the node for messages about a value: its key in a map, else the value itself. */
const yaml_node *reader_message_node(const yaml_node *value);

/* Sets the subject of messages to "NOUN 'KEY'", with the key of the value; `value` NULL: "NOUN". */
void reader_set_subject(reader *r, const char *noun, const yaml_node *value);

/* Returns the index of a name in a list of n names; n: it is not there. */
size_t reader_index_of(const char *const *names, size_t n, const char *name);

/* Allocates n + 1 items, set to zero, in the result's memory; NULL: memory is exhausted. */
void *reader_allocate(reader *r, size_t n, size_t size);

/* ---- Maps and lists ---------------------------------------------------------------------------------------------- */

/* Fills `values` (n_keys) with the values of a map in the order of `keys`; NULL: the key is missing. Fails if the map
 * has an unknown key or lacks a required one. */
seam_status reader_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values);

/* reader_map() for a map that is the value of a key KEY; messages call it "'KEY' of SUBJECT". */
seam_status reader_inner_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values);

/* Writes the map of a section's entries; it is empty if the section is missing or empty. */
seam_status reader_section(reader *r, const char *name, const yaml_node **map);

/* Fails if a key's value is not of `kind`, a list or a map. Accepts NULL. */
seam_status reader_check_kind(reader *r, const yaml_node *value, yaml_kind kind, const char *fix);

/* Fails if a list of names has the same name twice. */
seam_status reader_check_twice(reader *r, const yaml_node *list);

/* Fails if a key is not a name: a letter or underscore, then letters, digits, underscores and hyphens. With
 * in_expressions, expressions use the name, and hyphens are invalid. */
seam_status reader_check_name(reader *r, const yaml_node *key, bool in_expressions);

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Each function reads the value of a key. The functions up to reader_flag() change nothing if it is missing (NULL).
 * Numbers may be expressions of parameters. */
seam_status reader_number(reader *r, yaml_node *value, number_range within, double *number);
seam_status reader_count(reader *r, yaml_node *value, double least, double most, size_t *count);
seam_status reader_vector(reader *r, yaml_node *value, number_range within, size_t n, double *vector);
seam_status reader_text(reader *r, const yaml_node *value, const char **text);
/* reader_word() writes the index of the word in the form. reader_either() writes true for the second of two words. */
seam_status reader_word(reader *r, const yaml_node *value, const form *words, size_t *chosen);
seam_status reader_either(reader *r, const yaml_node *value, const form *words, bool *is_second);
seam_status reader_flag(reader *r, const yaml_node *value, bool *flag);
/* Reads n_rows lists of n numbers into one array, row by row, owned by the result; `value` NULL: zeros. */
seam_status reader_matrix(reader *r, const yaml_node *value, size_t n_rows, size_t n, const double **matrix);

/* Returns the path of a file, owned by the result; NULL: memory is exhausted. A relative path begins at the folder of
 * the model file, on the command line at the working directory. */
char *reader_path(reader *r, const yaml_node *value);
/* Adds the first `length` bytes of a path to the data files of the result. */
seam_status reader_add_data_file(reader *r, const char *path, size_t length);

/* Lets expressions use a function, which must outlive them. */
seam_status reader_add_function(reader *r, const struct function *f);
/* Compiles an expression of the variables or quantities of `of`. The caller owns the expression. */
seam_status reader_expression(reader *r, yaml_node *value, const expression_names *of, expression **e);
/* Compiles an expression of at most two variables as a law, which the caller owns. */
seam_status reader_law(reader *r, yaml_node *value, const expression_names *of, seam_law *law);

/* Reads a position in the initial configuration, m: the name of a point, or [x, y]. */
seam_status reader_point(reader *r, yaml_node *value, double position[2]);

/* Reads a marker on `body`, an index into `entries` or MBS_GROUND. If `value` names a point near an end of a rod of
 * given length, the marker is this end. Otherwise it is a position in the initial configuration. */
seam_status reader_marker(reader *r, yaml_node *value, size_t body, mbs_marker_def *marker);

/* ---- Functions of the calling program ---------------------------------------------------------------------------- */

/* Adds functions for expressions, and takes ownership of their laws whatever the status. Fails with SEAM_NO_MEMORY, or
 * with SEAM_BAD_INPUT if a name is invalid or in use, or if a law has no value function. */
seam_status caller_functions_add(reader *r, const seam_function *functions, size_t n);
void caller_functions_free(seam_model_file *file);

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

/* Adds an entry whose name is the key of `value`. */
seam_status reader_add_entry(reader *r, const yaml_node *value, entry_kind kind, entry **added);

/* Writes the index of a body, MBS_GROUND for the ground. */
seam_status reader_body(reader *r, const yaml_node *name, size_t *body);

/* ---- Sections, in the order in which they are read --------------------------------------------------------------- */

seam_status overrides_apply(reader *r, const form *file_form, const char *const *overrides, size_t n_overrides,
                            bool to_entries);
seam_status parameters_read(reader *r);
seam_status tables_read(reader *r);
seam_status repeat_expand(reader *r);
seam_status points_read(reader *r);
seam_status bodies_read(reader *r);
seam_status curves_read(reader *r);
seam_status joints_read(reader *r);
seam_status forces_read(reader *r);
seam_status equations_read(reader *r);
seam_status events_read(reader *r);
seam_status simulate_read(reader *r);
seam_status start_read(reader *r, mbs_model *model); /* call after the model is built */
/* Returns true if the initial state is a static equilibrium. */
bool start_is_static(const reader *r);

/* `fmu:`. fmu_add_inputs() adds the inputs of the FMU as constant variables, before expressions use them. fmu_read()
 * reads the section after the mechanism is built. */
seam_status fmu_add_inputs(reader *r);
seam_status fmu_read(reader *r);

/* The monolithic model: the mechanism with the equations and signals of `cosim:`.
 *   undivided_refusal()        writes why there is no such model; an empty text: there is one
 *   undivided_add_equations()  adds the equations and signals to the builder
 *   undivided_copy_sizes()     copies nominal sizes of states from the model to subsystems of equations
 *   undivided_copy_start()     copies the model's equilibrium to the mechanism and to subsystems of equations */
void undivided_refusal(const reader *r, char *why, size_t size);
seam_status undivided_add_equations(reader *r);
seam_status undivided_copy_sizes(reader *r, const mbs_model *undivided);
seam_status undivided_copy_start(reader *r);

/* Rejects gears without centres whose wheels have axles on rotating bodies. Call this after the mechanism is built. */
seam_status gears_check(reader *r);

/* Reads two columns of numbers from the file with the path `value` into new lists, whose position is that of the path.
 * `names`: names of the columns; NULL: the first two. */
seam_status point_file_read(reader *r, const yaml_node *value, yaml_node *const names[2], yaml_node *columns[2]);

/* Reads the keys of an integrator. `values` are in the order of these enumerators, `methods` is the form of the first.
 * The integrator later rejects keys that contradict each other. */
enum { INTEGRATOR_METHOD, INTEGRATOR_ORDER, INTEGRATOR_RTOL, INTEGRATOR_ATOL, INTEGRATOR_STEP, N_INTEGRATOR_KEYS };
seam_status simulate_read_integrator(reader *r, yaml_node *const *values, const form *methods,
                                     mbs_integrator_options *integrator);

seam_status cosim_read(reader *r);

#endif
