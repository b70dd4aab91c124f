/* Parsed command line: options `--name VALUE` and `--name=VALUE`, `-o DIR`, and operands; `--` ends the options. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <seam/status.h>

/* An option of a command. The table of the options of a command ends with a row without a name. */
typedef struct app_option {
  const char *name;         /* name including dashes */
  const char *value;        /* name of the value in --help; NULL: a flag without a value */
  const char *help;         /* line of the option in --help */
  const char *override_key; /* key in "override_key=VALUE", an override of the model; "": VALUE is the override; NULL:
                               no override */
  const char *words; /* values offered by completion, separated by spaces; @schemes, @models, @files, @folders stand for
                        names; NULL: completion uses the name of the value */
  bool names_folder; /* values of the option become part of the name of the default folder, as overrides do */
} app_option;

/* Rows that several tables of options have in common. */
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
  size_t row; /* index in the table */
  const char *value;
} app_given;

typedef struct app_options {
  int n_arguments;
  char **arguments; /* (n_arguments) command line from the command on, as given */
  const app_option *table;
  const char **values; /* (rows of table) last value of the option, or name of a flag; NULL: not given */
  app_given *given;    /* (n_given) all options, in the order given */
  size_t n_given;
  char **overrides; /* (n_overrides) "key.path=value", in the order given */
  size_t n_overrides;
  const char **operands; /* (n_operands) */
  size_t n_operands;
} app_options;

/* Parses `arguments`, which must outlive *parsed; arguments[0] is the name of the command. Call options_free() even
 * after a failure. SEAM_NO_MEMORY; SEAM_BAD_INPUT: an option is not in the table (the message names the nearest one),
 * or a value is missing or not allowed. */
seam_status options_parse(const app_option *table, int n_arguments, char **arguments, app_options *parsed,
                          seam_error *error);
void options_free(app_options *parsed);

/* options_value() returns the last value of an option; NULL: the option is not given, or not in the table.
 * options_flag() returns true if the option is given. */
const char *options_value(const app_options *parsed, const char *name);
bool options_flag(const app_options *parsed, const char *name);
/* Returns value i, from 0, of a repeatable option, in the order given; NULL: the option was given at most i times. */
const char *options_nth(const app_options *parsed, const char *name, size_t i);

/* options_number() reads the value of an option, options_threads() that of --threads. Without the option *number and
 * *n_threads are unchanged. SEAM_BAD_INPUT: the value is not a number from `least` to `most`. */
seam_status options_number(const app_options *parsed, const char *name, double least, double most, double *number,
                           seam_error *error);
seam_status options_threads(const app_options *parsed, int *n_threads, seam_error *error);

enum { OPTIONS_MAX_NAME = 64 };
/* Reads the text NAME=NUMBER, a value of `option`. *tail: text after NUMBER, which must be empty or begin with a comma;
 * `tail` NULL: the text must end there. SEAM_BAD_INPUT: another form. */
seam_status options_assignment(const char *option, const char *text, char name[OPTIONS_MAX_NAME], double *number,
                               const char **tail, seam_error *error);

/* Sets *path to the value of -o (NULL: not given), and *number to the index of its ending in `endings` (n); without -o:
 * 0. `what`: description of the file in messages, as "a picture". SEAM_BAD_INPUT: another ending, or -o names an
 * operand, which would be overwritten. */
seam_status options_output(const app_options *parsed, const char *what, const char *const *endings, size_t n,
                           const char **path, size_t *number, seam_error *error);

/* Prints ' --set "KEY=VALUE"' for each override, for a command that the user may repeat. */
void options_print_overrides(const app_options *parsed);

/* Prints the table as the list of options in --help, in aligned columns. */
void options_print(const app_option *table, FILE *file);

#endif
