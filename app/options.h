/* Command lines: options `--name VALUE` and `--name=VALUE`, `-o DIR`, and operands; `--` ends the options. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <seam/status.h>

#include "base/arena.h"

/* An option of a command. A row without a name ends their table. */
typedef struct app_option {
  const char *name;         /* name including dashes */
  const char *value;        /* name of the value; NULL: a flag */
  const char *help;         /* line of the option in --help */
  const char *override_key; /* model key that the value overrides; "": the value itself is KEY=VALUE; NULL: none */
  const char *words; /* words that the value may be, for completion too, separated by spaces; also @schemes, @models,
                        @files, @folders. NULL: completion.c chooses them by `value` */
  bool names_folder; /* values become part of the default folder's name, as overrides do */
} app_option;

/* Rows of several tables. */
#define OPTION_DIRECTORY                                                                                               \
  { "-o", "DIR", .help = "write the results there; default: results/NAME/COMMAND, overrides behind it" }
#define OPTION_END                                                                                                     \
  { "--end", "TIME", .help = "end of the simulation, s", .override_key = "simulate.end" }
#define OPTION_FORMAT                                                                                                  \
  { "--format", "LIST", .help = "of the tables: csv (default), npy or csv,npy", .words = "csv npy" }
#define OPTION_NAMES                                                                                                   \
  {                                                                                                                    \
    "--names", "KIND", .help = "of columns: dot (default), as in bar1.x, or underscore, as in bar1_x",                 \
                       .words = "dot underscore"                                                                       \
  }
#define OPTION_SCHEMES                                                                                                 \
  {                                                                                                                    \
    "--schemes", "LIST", .help = "NAME,NAME,..., or all that fit the couplings; default: as the file says",            \
                         .words = "all @schemes"                                                                       \
  }
#define OPTION_SET                                                                                                     \
  { "--set", "KEY=VALUE", .help = "override a value of the model file; repeatable", .override_key = "" }
#define OPTION_REPORT                                                                                                  \
  { "--report", .help = "write DIR/report.html, a page with the tables and what belongs to them" }
#define OPTION_QUIET                                                                                                   \
  { "--quiet", .help = "print errors only" }
#define OPTION_TEXTBOOK_MODEL                                                                                          \
  {                                                                                                                    \
    "--model", "NAME", .help = "constitutive, constraint, oscillators, rigid-oscillators or mbcorr",                   \
                       .words = "constitutive constraint oscillators rigid-oscillators mbcorr"                         \
  }
#define OPTION_HELP                                                                                                    \
  { "--help", .help = "print this page" }

typedef struct app_given {
  size_t row;        /* index in the table */
  const char *value; /* of a flag: its name */
} app_given;

typedef struct app_options {
  int n_arguments;
  char **arguments; /* (n_arguments) as given, from the command on */
  const app_option *table;
  app_given *given; /* (n_given) in the order given */
  size_t n_given;
  char **overrides; /* (n_overrides) "key.path=value", in the order given */
  size_t n_overrides;
  const char **operands; /* (n_operands) */
  size_t n_operands;
} app_options;

/* Parses `arguments`, which must outlive *parsed; arguments[0] is the command. Call options_free() even after a
 * failure. SEAM_NO_MEMORY; SEAM_BAD_INPUT: an option is not in the table, or a value is missing or not allowed. */
seam_status options_parse(const app_option *table, int n_arguments, char **arguments, app_options *parsed,
                          seam_error *error);
void options_free(app_options *parsed);
/* Parses a command line that is a text: arguments, each with a terminating zero. Its copy in `memory` must outlive
 * *parsed. */
seam_status options_parse_line(const app_option *table, const char *line, size_t size, arena *memory,
                               app_options *parsed, seam_error *error);

/* Returns the last value of an option; NULL: not given, or not in the table. */
const char *options_value(const app_options *parsed, const char *name);
bool options_flag(const app_options *parsed, const char *name);
/* Returns value i, from 0, of a repeatable option; NULL: there are fewer. */
const char *options_nth(const app_options *parsed, const char *name, size_t i);

/* Returns the first option given that is not among the words, which are separated by spaces; NULL: there is none. */
const char *options_beside(const app_options *parsed, const char *words);

/* options_number() reads an option, options_threads() --threads. An option that is not given changes nothing.
 * SEAM_BAD_INPUT: the value is not a number from `least` to `most`. */
seam_status options_number(const app_options *parsed, const char *name, double least, double most, double *number,
                           seam_error *error);
seam_status options_threads(const app_options *parsed, int *n_threads, seam_error *error);

/* Sets *index to the position of the option's value among `words` of its table. `index` may be NULL. An option that is
 * not given changes nothing. SEAM_BAD_INPUT: the value is not among them. */
seam_status options_word(const app_options *parsed, const char *name, size_t *index, seam_error *error);

/* Reads numbers between commas, and returns how many; 0: there are not `least` to `most` numbers. */
size_t options_numbers(const char *text, size_t least, size_t most, double *numbers);

enum { OPTIONS_MAX_NAME = 64 };
/* Reads NAME=NUMBER, a value of `option`. *tail: the rest, empty or from a comma on; `tail` NULL: there must be none.
 * SEAM_BAD_INPUT: another form. */
seam_status options_assignment(const char *option, const char *text, char name[OPTIONS_MAX_NAME], double *number,
                               const char **tail, seam_error *error);

enum { MAX_MACRO_STEPS = 100 };

/* Macro steps in descending order, which divide the length of the run. */
typedef struct app_macro_steps {
  size_t n;
  double H[MAX_MACRO_STEPS]; /* s */
} app_macro_steps;

/* Reads "FROM:TO:COUNT", COUNT from 1 to 1e9. Returns the text after it; NULL: another form. */
const char *range_read(const char *text, double *from, double *to, size_t *count);

/* Reads COUNT macro steps in geometric progression. Each becomes the nearest one that divides `end` (s), without
 * repeats. SEAM_BAD_INPUT: another form, or a macro step longer than the run. */
seam_status macro_steps_read(const char *text, double end, app_macro_steps *result, seam_error *error);

/* ---- Where results go ---- */

/* Sets *path to the value of -o (NULL: not given), and *index to the position of its ending among the words of
 * `endings`; `index` may be NULL. `what`: the file in messages, as "a picture". SEAM_BAD_INPUT: another ending, or -o
 * names an operand. */
seam_status options_output(const app_options *parsed, const char *what, const char *endings, const char **path,
                           size_t *index, seam_error *error);

/* Returns the default folder results/MODEL/STUDY, which the caller frees; NULL: no memory. Overrides and options with
 * names_folder follow its name, as results/swing/run-k=50: other values give another folder. */
char *study_folder(const app_options *parsed, const char *model, const char *study);

/* Makes the folder of -o or, without it, of study_folder(). The caller frees *directory, even after a failure. Errors
 * of output_make_directory(), SEAM_NO_MEMORY. */
seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error);

/* ---- Printing ---- */

/* Prints ' --set "KEY=VALUE"' for each override. */
void options_print_overrides(const app_options *parsed);

/* Prints the table as in --help, in aligned columns. */
void options_print(const app_option *table, FILE *file);

#endif
