/* A command of the program. To add a command, write a file that defines an `app_command`, and a row of the table in
 * command.c. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app/options.h"

typedef struct app_command app_command;
struct app_command {
  const char *name;
  const char *group;    /* group of the command and a space, as "stability "; NULL: the command is in no group */
  const char *summary;  /* one line, for the overview */
  const char *operands; /* operands in the usage line: "MODEL", "[NAME]" */
  const char *words;    /* words that completion offers for operands; NULL: completion uses the names in `operands` */
  const char *details;  /* paragraphs for --help; each line has at most 100 columns */
  const app_command *const *commands; /* NULL: this is not a group; else the commands of the group, NULL after the last.
                                         A group uses none of the members below. */
  const app_option *options;
  size_t min_operands, max_operands;
  /* Returns the exit status, 0 to 3. If it is not 0, the caller prints the failure in *error, if any. */
  int (*run)(const app_options *options, seam_error *error);
};

extern const app_command animate_command;
extern const app_command check_command;
extern const app_command compare_command;
extern const app_command completion_command;
extern const app_command converge_command;
extern const app_command draw_command;
extern const app_command export_command;
extern const app_command models_command;
extern const app_command modes_command;
extern const app_command new_command;
extern const app_command plot_command;
extern const app_command report_command;
extern const app_command reproduce_command;
extern const app_command run_command;
extern const app_command schema_command;
extern const app_command schemes_command;
extern const app_command stability_command;
extern const app_command static_command;
extern const app_command sweep_command;

extern const app_command *const app_commands[]; /* NULL after the last */

/* Returns the command `name` of a list like app_commands; NULL: there is none. */
const app_command *command_find(const app_command *const *list, const char *name);
/* Returns the group of a command, as "stability "; "": it is in no group. */
const char *command_group(const app_command *command);

#endif
