/* Scripts with which shells complete the command line, made from the tables of commands and options. */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

#include "app/command.h"

/* Completions that are offered for an operand or for the value of an option. */
typedef struct completion {
  char words[256];     /* separated by spaces; "@schemes" and "@models" stand for all names of schemes and models */
  bool files, folders; /* files: also offers names of files; folders: only of folders */
  bool columns;        /* also offers columns of the results that the command line has named before */
  bool is_list;        /* the value is a list of words separated by commas */
} completion;

completion completion_of_value(const app_option *option);
completion completion_of_operands(const app_command *command);

/* Print the names of all coupling schemes, or of all models of the catalogue, with blanks between them. */
void completion_print_schemes(void);
void completion_print_models(void);

/* Prints words; "@schemes" and "@models" become variables of the script, whose names begin with `prefix`. */
void completion_print_words(const char *words, const char *prefix);

/* Shell command that prints the columns of the results "$results", one per line. */
#define COMPLETION_COLUMNS "seam plot $results 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'"

/* Print the script of a shell to standard output. */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
