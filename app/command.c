/* Searches a list of commands: all commands of the program, or those of a group. */
#include <string.h>

#include "app/command.h"

const app_command *command_find(const app_command *const *list, const char *name) {
  for (; *list != NULL; list++)
    if (strcmp((*list)->name, name) == 0)
      return *list;
  return NULL;
}

const char *command_group(const app_command *command) { return command->group != NULL ? command->group : ""; }
