/* Scripts by which shells complete the command line, made from the tables of options. */
#ifndef APP_COMPLETION_H
#define APP_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

#include "app/command.h"

/* Words that may stand at one place of a command line, and names of files or columns. */
typedef struct completion {
  char words[256];     /* separated by spaces; "@schemes" and "@models" stand for their names */
  bool files, folders; /* also names of files, or of folders alone */
  bool columns;        /* also columns of the results that stand before this place */
  bool is_list;        /* several words, separated by commas */
} completion;

completion completion_of_value(const app_option *option);
completion completion_of_operands(const app_command *command);

/* Print the names of all coupling schemes or catalogue models, with `between` after each except the last. */
void completion_print_schemes(const char *between);
void completion_print_models(const char *between);

/* Shell command that prints the columns of "$results", one a line. */
#define COMPLETION_COLUMNS "seam plot $results 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'"

/* Print a script on standard output. */
void completion_print_bash(void);
void completion_print_zsh(void);
void completion_print_fish(void);

#endif
