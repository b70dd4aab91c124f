/* The command line: long options `--name VALUE` and `--name=VALUE`, `-o DIR`, operands; `--` ends the options. */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <seam/status.h>

/* An option of a subcommand. The table of its options ends with a row without a name. */
typedef struct app_option {
  const char *name;         /* name including dashes */
  const char *value;        /* name of its value in --help; NULL: a flag without a value */
  const char *help;         /* one line */
  const char *override_key; /* the model reader receives "override_key=VALUE"; "": VALUE alone; NULL: nothing */
  const char *words; /* values that completion offers, separated by spaces, where @schemes, @models, @files, @folders
                        stand for names; NULL: by the name of the value */
  bool names_folder; /* the default folder's name includes the option's values, as it includes overrides */
} app_option;

/* Rows that several tables share. */
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
#define OPTION_HELP                                                                                                    \
  { "--help", .help = "print this page" }

typedef struct app_given {
  size_t row; /* row number in the table */
  const char *value;
} app_given;

typedef struct app_options {
  int n_arguments;
  char **arguments; /* (n_arguments) the whole command line as given, from the subcommand on */
  const app_option *table;
  const char **values; /* (rows of table) value given last (of a flag its name); NULL: not given */
  app_given *given;    /* (n_given) every option in the order given */
  size_t n_given;
  char **overrides; /* (n_overrides) "key.path=value" in the order given */
  size_t n_overrides;
  const char **operands; /* (n_operands) */
  size_t n_operands;
} app_options;

/* Parses `arguments` by `table`; arguments[0] is the name of the subcommand. They must outlive *parsed. Whatever the
 * result, free *parsed with options_free(). SEAM_NO_MEMORY; SEAM_BAD_INPUT: an option is not in the table (the message
 * names the nearest one), or a value is missing or not allowed. */
seam_status options_parse(const app_option *table, int n_arguments, char **arguments, app_options *parsed,
                          seam_error *error);
void options_free(app_options *parsed);

/* The first returns an option's value; NULL: the option is not given, or not in the table. The second returns true if
 * it is given. */
const char *options_value(const app_options *parsed, const char *name);
bool options_flag(const app_options *parsed, const char *name);
/* Returns value number i, from 0, of a repeatable option in the order given; NULL: it was given i times or less. */
const char *options_nth(const app_options *parsed, const char *name, size_t i);

/* Read the number that an option gives, or that --threads gives. Without the option the number stays unchanged.
 * SEAM_BAD_INPUT: it is not a number from `least` to `most`. */
seam_status options_number(const app_options *parsed, const char *name, double least, double most, double *number,
                           seam_error *error);
seam_status options_threads(const app_options *parsed, int *n_threads, seam_error *error);

enum { OPTIONS_MAX_NAME = 64 };
/* Reads NAME=NUMBER, a value of `option`. *tail: the text after it, which is empty or begins with a comma; with `tail`
 * NULL nothing may follow. SEAM_BAD_INPUT: another form. */
seam_status options_assignment(const char *option, const char *text, char name[OPTIONS_MAX_NAME], double *number,
                               const char **tail, seam_error *error);

/* Sets *path to the file of -o (NULL: not given) and *number to the index of its ending in `endings` (n; without -o:
 * 0). Messages say `what` the file is, as "a picture". SEAM_BAD_INPUT: another ending, or -o names an operand, which
 * would be overwritten. */
seam_status options_output(const app_options *parsed, const char *what, const char *const *endings, size_t n,
                           const char **path, size_t *number, seam_error *error);

/* Prints ' --set "KEY=VALUE"' for each override, to repeat them in another command. */
void options_print_overrides(const app_options *parsed);

/* Prints the table as the aligned list of --help. */
void options_print(const app_option *table, FILE *file);

#endif
