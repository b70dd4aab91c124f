#include "app/command.h"

#include <string.h>

/* The table is also the source of the overview, help, manual pages and completion. */
const app_command *const app_commands[] = {&check_command,   &draw_command,      &animate_command,    &run_command,
                                           &sweep_command,   &export_command,    &compare_command,    &converge_command,
                                           &static_command,  &modes_command,     &stability_command,  &plot_command,
                                           &report_command,  &reproduce_command, &new_command,        &models_command,
                                           &schemes_command, &schema_command,    &completion_command, NULL};

const app_command *command_find(const app_command *const *list, const char *name) {
  for (; *list != NULL; list++)
    if (strcmp((*list)->name, name) == 0)
      return *list;
  return NULL;
}

const char *command_group(const app_command *command) { return command->group != NULL ? command->group : ""; }
