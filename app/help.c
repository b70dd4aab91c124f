#include "app/help.h"

#include <stdio.h>

static void print_list(const app_command *const *list) {
  for (; *list != NULL; list++)
    printf("  %-10s  %s\n", (*list)->name, (*list)->summary);
}

int help_overview(void) {
  puts("Seam simulates planar multibody mechanisms from a model file.\n"
       "\n"
       "usage: seam COMMAND [OPTIONS] [ARGUMENTS]\n");
  print_list(app_commands);
  puts("\n"
       "'seam help COMMAND' or 'seam COMMAND --help' describes a command; 'seam --version' prints the version.");
  return 0;
}

int help_print(const app_command *command) {
  if (command->commands != NULL) {
    printf("usage: seam %s COMMAND [OPTIONS] %s\n\n%s\n\n", command->name, command->operands, command->details);
    print_list(command->commands);
    printf("\n'seam %s COMMAND --help' describes each.\n", command->name);
    return 0;
  }
  printf("usage: seam %s%s [OPTIONS]%s%s\n\n%s\n\noptions:\n", command_group(command), command->name,
         *command->operands ? " " : "", command->operands, command->details);
  options_print(command->options, stdout);
  return 0;
}
