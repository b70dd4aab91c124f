/* State and functions that the sections of a model file share. Each section's file declares its keys in a table, reads
 * them with these functions and passes the result to the mechanism's builder. */
#ifndef MODELS_READER_H
#define MODELS_READER_H

#include <stdbool.h>
#include <stddef.h>

#include <seam/mbs.h>

#include "base/arena.h"
#include "base/nearest.h"
#include "base/table.h"
#include "models/expression/expression.h"
#include "models/form.h"
#include "models/model_file.h"
#include "models/yaml.h"

typedef enum entry_kind { ENTRY_BODY, ENTRY_JOINT, ENTRY_FORCE } entry_kind;

/* A body, joint or force element. Names are unique across the three kinds. */
typedef struct entry {
  const char *name;
  entry_kind kind;
  bool joins;       /* true: joins two bodies, and can be a coupling */
  size_t bodies[2]; /* the two bodies: indices into `entries`, or MBS_GROUND */
} entry;

typedef struct point {
  const char *name;
  double place[2]; /* m */
} point;

typedef struct parameter {
  const char *name;
  double value;
} parameter;

typedef enum deferral { DEFERRED_MEASURE, DEFERRED_RATE, DEFERRED_LAW, N_DEFERRALS } deferral;

typedef struct deferred deferred; /* models/sections/deferred.h */

typedef struct deferred_list {
  deferred *first, *last;
} deferred_list;

typedef struct reader {
  arena memory; /* memory of data needed only while reading */
  source file;
  yaml_node *root; /* a map */
  seam_error *error;
  char subject[96]; /* present element for messages: "body 'bar1'" */
  parameter *parameters;
  size_t n_parameters; /* parameters evaluated so far */
  table parameter_names;
  table function_names; /* names of tables: indices into result->tables */
  point *points;
  table point_names;
  entry *entries;
  size_t n_entries, entry_capacity;
  table entry_names;
  double n_generated; /* number of entries that repeats generate */
  deferred_list deferred[N_DEFERRALS];
  mbs_builder *builder;
  bool is_shown; /* the file is read by seam_model_file_show() */
  int version;   /* version of the format */
  seam_model_file *result;
} reader;

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

seam_status reader_no_memory(reader *r);

/* Fails at a node; see source_fail(). */
seam_status reader_fail(reader *r, const yaml_node *at, const char *fix, const char *format, ...) SEAM_PRINTF(4, 5);

/* Fails at an unknown name with the nearest known one as fix; without one, with `fix`. */
seam_status reader_fail_unknown(reader *r, const yaml_node *at, const nearest *known, const char *fix,
                                const char *format, ...) SEAM_PRINTF(5, 6);

/* Fails at a node with the message in *cause, which the engine wrote; returns SEAM_OK if `status` is SEAM_OK. */
seam_status reader_fail_as_engine(reader *r, const yaml_node *at, seam_status status, const seam_error *cause);

/* Returns the key of the file's joint or force element of this name, or NULL. */
const yaml_node *reader_element(const reader *r, const char *name);

/* Returns the node that messages about a value point to: its key in a map; without a key, the value. */
const yaml_node *reader_place(const yaml_node *value);

/* Sets the subject to "NOUN 'NAME'", NAME the key of the value; to "NOUN" if `value` is NULL. */
void reader_set_subject(reader *r, const char *noun, const yaml_node *value);

/* Prints a text into an arena; NULL: no memory. */
char *reader_print(arena *memory, const char *format, ...) SEAM_PRINTF(2, 3);

/* Copies a text into the result's memory. SEAM_NO_MEMORY, also if `text` is NULL for lack of memory. */
seam_status reader_keep(reader *r, const char *text, const char **kept);

/* Allocates n + 1 zeroed items in the result's memory; NULL: no memory. */
void *reader_allocate(reader *r, size_t n, size_t size);

/* ---- Maps and lists ---------------------------------------------------------------------------------------------- */

/* Puts the values of a map into values (n_keys; NULL: the key is missing), in the order of `keys`. Refuses unknown
 * keys, with the nearest known one, and missing required ones. */
seam_status reader_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values);

/* Does the same as reader_map(), for the map that is a key's value; messages name it "'KEY' of SUBJECT". */
seam_status reader_inner_map(reader *r, const yaml_node *map, const map_key *keys, size_t n_keys, yaml_node **values);

/* Gives a section's map of entries; an empty one if the section is missing or empty. */
seam_status reader_section(reader *r, const char *name, const yaml_node **map);

/* Refuses a key's value that is not of `kind`, a list or a map; accepts NULL. */
seam_status reader_check_kind(reader *r, const yaml_node *value, yaml_kind kind, const char *fix);

/* Refuses a list of names, already read, that has a name twice. */
seam_status reader_check_twice(reader *r, const yaml_node *list);

/* Refuses a key that is not a name: a letter or underscore, then letters, digits, underscores and hyphens. Names that
 * expressions use have no hyphens. */
seam_status reader_check_name(reader *r, const yaml_node *key, bool in_expressions);

/* ---- Values ------------------------------------------------------------------------------------------------------ */

/* Each function reads the value of a key. If the key is missing (NULL), the functions up to reader_flag() change
 * nothing. Numbers may be expressions of parameters. */
seam_status reader_number(reader *r, yaml_node *value, number_range within, double *number);
seam_status reader_count(reader *r, yaml_node *value, double least, double most, size_t *count);
seam_status reader_vector(reader *r, yaml_node *value, number_range within, size_t n, double *vector);
seam_status reader_text(reader *r, const yaml_node *value, const char **text);
/* Read a word: reader_word() gives its index in the form, reader_either() true for the second of two words. */
seam_status reader_word(reader *r, const yaml_node *value, const form *words, size_t *chosen);
seam_status reader_either(reader *r, const yaml_node *value, const form *words, bool *is_second);
seam_status reader_flag(reader *r, const yaml_node *value, bool *flag);
/* Reads n_rows lists of n numbers into one array, row by row, owned by the result; zeros if `value` is NULL. */
seam_status reader_matrix(reader *r, const yaml_node *value, size_t n_rows, size_t n, const double **matrix);

/* Returns the path of a file named by a text. Relative paths in the model file begin at its folder, those of the
 * command line at the working directory. Owned by the reader's memory; NULL: no memory. */
char *reader_path(reader *r, const yaml_node *value);

/* Compiles an expression of the given variables, owned by the caller. */
seam_status reader_expression(reader *r, yaml_node *value, const char *const *variables, size_t n_variables,
                              expression **e);
/* Compiles an expression as reader_expression() does, with the variables or quantities of `of`. */
seam_status reader_expression_of(reader *r, yaml_node *value, const expression_names *of, expression **e);
/* Compiles a law of at most 2 given variables, owned by the caller. */
seam_status reader_law(reader *r, yaml_node *value, const char *const *variables, size_t n_variables, seam_law *law);

/* Gives a position in the initial configuration, from a point's name or [x, y]. */
seam_status reader_point(reader *r, yaml_node *value, double place[2]);

/* Gives a marker on `body`, an index into `entries` or MBS_GROUND: an end of a rod if the rod names the point, else a
 * point in the initial configuration. */
seam_status reader_marker(reader *r, yaml_node *value, size_t body, mbs_marker_def *marker);

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

/* Allocates all entries of the file. */
seam_status reader_prepare_entries(reader *r);

/* Adds the key of `value` as an entry. */
seam_status reader_add_entry(reader *r, const yaml_node *value, entry_kind kind, entry **added);

/* Gives the index of the body with this name; MBS_GROUND for the ground. */
seam_status reader_body(reader *r, const yaml_node *name, size_t *body);

/* ---- Sections, in the order in which they are read --------------------------------------------------------------- */

seam_status overrides_apply(reader *r, const form *whole, const char *const *overrides, size_t n_overrides,
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
/* Returns true if the file begins in a static equilibrium. */
bool start_is_static(const reader *r);

/* Section `fmu:`. fmu_add_inputs() adds the inputs as constant variables, before any expression can name them;
 * fmu_read() reads the section after the mechanism is built. */
seam_status fmu_add_inputs(reader *r);
seam_status fmu_read(reader *r);

/* The monolithic model ("whole") is the mechanism with the user equations and signals of `cosim:`. whole_refusal()
 * writes why there is none (empty: it is possible). whole_add_equations() adds equations and signals to the builder's
 * bodies, joints and force elements. whole_copy_sizes() copies typical sizes of states from the monolithic model to
 * subsystems of equations; whole_copy_start() copies its static start to the mechanism and to these subsystems. */
void whole_refusal(const reader *r, char *why, size_t size);
seam_status whole_add_equations(reader *r);
seam_status whole_copy_sizes(reader *r);
seam_status whole_copy_start(reader *r);

/* Reads `outline:` of a body into *shape, with memory of the result. */
seam_status outlines_read(reader *r, yaml_node *value, model_shape *shape);

/* Refuses a gear without centres if the axle of a wheel is on a body that can rotate (a carrier). The gear's equation
 * φ2 - φ20 = ratio (φ1 - φ10) holds for absolute angles of the wheels, initially φ10 and φ20. Wheels on a carrier turn
 * relative to it. The mechanism must be built. */
seam_status gears_check(reader *r);

/* Stores the positions of names in the file, for messages after reading: seam_model_place(). */
seam_status places_keep(reader *r);

/* Reads two columns of numbers from another file. `value` is the path, `names` the columns, by default (NULL) the first
 * two. *numbers, one array freed by the caller: n of the first column, then n of the second. */
seam_status point_file_read(reader *r, const yaml_node *value, yaml_node *const names[2], double **numbers, size_t *n);

/* Names of the integrators of a mechanism. */
enum {
#define ONE(name, steps) +1
  SIMULATE_N_METHODS = MBS_METHOD_TABLE(ONE)
#undef ONE
};
extern const char *const simulate_methods[SIMULATE_N_METHODS]; /* words of form_integrator */

/* Keys of an integrator, in this order; values may be NULL. `methods` is the form of the first. The engine refuses keys
 * that contradict each other. */
enum { INTEGRATOR_METHOD, INTEGRATOR_ORDER, INTEGRATOR_RTOL, INTEGRATOR_ATOL, INTEGRATOR_STEP, N_INTEGRATOR_KEYS };
seam_status simulate_read_integrator(reader *r, yaml_node *const *values, const form *methods,
                                     mbs_integrator_options *integrator);

seam_status cosim_read(reader *r);

#endif
