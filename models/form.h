/* A form describes the values that a key of a model file may have. Readers of sections take permitted words and ranges
 * from forms; schema.c writes the JSON Schema from them and the tables of keys.
 *
 * A map_key is a row of a table of keys. Its unit may be "" (none). Its meaning is a clause without a full stop, which
 * ends with the default value. */
#ifndef MODELS_FORM_H
#define MODELS_FORM_H

#include <stdbool.h>
#include <stddef.h>

typedef enum number_range { ANY_NUMBER, NOT_NEGATIVE, POSITIVE } number_range;

typedef enum form_kind {
  FORM_TEXT,     /* any text */
  FORM_NAME,     /* a text that is not a number */
  FORM_NUMBER,   /* a number in the range `within`, or an expression with such a value */
  FORM_COUNT,    /* an integer from `least` to `most`, or an expression with such a value */
  FORM_FLAG,     /* true or false */
  FORM_WORD,     /* one of `words` */
  FORM_LIST,     /* a list of values of form `of`, with `least` to `most` items; `most` 0: no upper limit */
  FORM_NAMED,    /* a map from names to values of form `of`; may be empty if `least` is 0 */
  FORM_MAP,      /* a map with the keys in `keys` */
  FORM_ELEMENTS, /* an element of `family`: a map with a key `type` and the keys of that type */
  FORM_EITHER,   /* a value of one of the forms in `forms` */
  FORM_NOTHING   /* an empty value */
} form_kind;

typedef struct map_key map_key;
struct element_family; /* defined in models/sections/elements.h */

typedef struct form form;
struct form {
  form_kind kind;
  const char *name, *meaning; /* if several keys share the form; else NULL */
  number_range within;
  size_t least, most;
  const form *of;
  const char *const *words; /* (n) */
  const map_key *keys;      /* (n) */
  const form *const *forms; /* (n) */
  size_t n;
  const struct element_family *family;
};

struct map_key {
  const char *name;
  bool required;
  const form *form; /* NULL: the reader rejects the key */
  const char *unit, *meaning;
};

/* Initialisers of a form. FORM_WORDS: one of the words in an array; FORM_ONE_OF: one of the listed words; FORM_KEYS: a
 * map with the keys in an array; FORM_ANY_OF: one of the listed forms; FORM_EXACTLY: a list of n values. */
#define FORM_COUNT_OF(list) (sizeof(list) / sizeof *(list))
#define FORM_WORDS(list) .kind = FORM_WORD, .words = (list), .n = FORM_COUNT_OF(list)
#define FORM_ONE_OF(...)                                                                                               \
  .kind = FORM_WORD, .words = (const char *const[]){__VA_ARGS__},                                                      \
  .n = FORM_COUNT_OF(((const char *const[]){__VA_ARGS__}))
#define FORM_KEYS(list) .kind = FORM_MAP, .keys = (list), .n = FORM_COUNT_OF(list)
#define FORM_ANY_OF(...)                                                                                               \
  .kind = FORM_EITHER, .forms = (const form *const[]){__VA_ARGS__},                                                    \
  .n = FORM_COUNT_OF(((const form *const[]){__VA_ARGS__}))
#define FORM_EXACTLY(number, what) .kind = FORM_LIST, .least = (number), .most = (number), .of = &(what)

/* ---- Common forms ------------------------------------------------------------------------------------------------ */

extern const form form_text, form_name, form_names, form_flag;
extern const form form_number, form_not_negative, form_positive;
extern const form form_2_numbers, form_2_not_negative, form_2_positive, form_3_not_negative;
extern const form form_numbers, form_matrix;
extern const form form_law;         /* an expression, whose variables depend on the key */
extern const form form_laws;        /* a map from names to expressions */
extern const form form_values;      /* a map from names to numbers */
extern const form form_texts;       /* a map from names to texts */
extern const form form_point;       /* the name of a point, or [x, y] */
extern const form form_body_frames; /* a map {body: [ξ, η], ...} of coordinates in the frames of bodies */
extern const form form_position, form_two_points, form_two_positions;

/* ---- Forms of sections ------------------------------------------------------------------------------------------ */

extern const form form_tables, form_curves, form_points, form_bodies, form_joints, form_forces, form_measures;
extern const form form_equations, form_stop, form_events, form_repeat, form_range, form_start, form_simulate,
    form_cosim;
extern const form form_subsystems, form_couplings, form_signals, form_bonds, form_corrections;
extern const form form_hold;
extern const form form_fmu, form_fmu_subsystem;
extern const form form_side, form_user_equations;
extern const form form_integrator, form_ode_method, form_order, form_step;

extern const form form_file;

#endif
