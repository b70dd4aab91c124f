/* A command. For a new command, write a file that defines an `app_command`, and a row of the table in command.c. */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "app/options.h"

typedef struct app_command app_command;
struct app_command {
  const char *name;
  const char *group;                  /* name of its group and a space, "stability "; NULL: none */
  const char *summary;                /* one line, for the overview */
  const char *operands;               /* operands in the usage line: "MODEL", "[NAME]" */
  const char *words;                  /* words that completion offers for operands; NULL: by the names in `operands` */
  const char *details;                /* paragraphs for --help, each line at most 100 columns */
  const app_command *const *commands; /* commands of a group, NULL after the last; the fields below are then unused */
  const app_option *options;
  size_t least_operands, max_operands;
  /* Returns the exit status, 0 to 3; unless that is 0, the caller prints a failure in *error. */
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

/* Returns the command of that name in a list like app_commands, or NULL. */
const app_command *command_find(const app_command *const *list, const char *name);
/* Returns a command's group, as "stability ", or "". */
const char *command_group(const app_command *command);

#endif
