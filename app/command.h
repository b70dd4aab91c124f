/* A command of the program. A new one is a file that defines an `app_command`, and a row in command.c. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include <string.h>

#include "app/options.h"

typedef struct app_command app_command;
struct app_command {
  const char *name;
  const char *group;    /* group and a space, as "stability "; NULL: no group */
  const char *summary;  /* one line, for the overview */
  const char *operands; /* operands in the usage line: "MODEL", "[NAME]" */
  const char *words;    /* words that complete operands; NULL: completion.c chooses them by the names in `operands` */
  const char *details;  /* paragraphs for --help; each line has at most 100 columns */
  /* Commands of this group, with NULL after the last; a group uses no member below. NULL: a single command. */
  const app_command *const *commands;
  const app_option *options;
  size_t n_operands[2]; /* least and greatest number of operands */
  /* Returns the exit status, 0 to 3. If it is not 0, the caller prints the failure in *error, if any. */
  int (*run)(const app_options *options, seam_error *error);
};

extern const app_command animate_command, check_command, compare_command, completion_command, converge_command,
    draw_command, export_command, models_command, modes_command, new_command, plot_command, report_command,
    reproduce_command, run_command, schema_command, schemes_command, stability_command, stability_map_command,
    stability_model_command, stability_point_command, static_command, sweep_command;

extern const app_command *const app_commands[]; /* NULL after the last */

/* Finds a command by its name in a list that ends with NULL. Returns NULL if the list lacks it. */
static inline const app_command *command_find(const app_command *const *list, const char *name) {
  for (; *list != NULL; list++)
    if (strcmp((*list)->name, name) == 0)
      return *list;
  return NULL;
}

/* Writes manual pages from the table: seam.1 and, for each command, seam-COMMAND.1. Makes the folder if it is missing.
 * SEAM_NO_FILE. */
seam_status man_write(const char *folder, seam_error *error);

/* Prints what may replace the last of the words after the program's name, for the shell that completes it: the kind
 * "words", "list" (of words, separated by commas), "files" or "folders"; then a line for each candidate. */
void completion_print(int n_words, char **words);

/* Returns the group with its space, as "stability "; "" if the command is in no group. */
static inline const char *command_group(const app_command *command) {
  return command->group != NULL ? command->group : "";
}

#endif
