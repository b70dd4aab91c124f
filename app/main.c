/* The `seam` command: finds the subcommand, parses its options and calls it. */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/results/output.h"
#include "base/nearest.h"

static void print_list(const app_command *const *list) {
  for (; *list != NULL; list++)
    printf("  %-10s  %s\n", (*list)->name, (*list)->summary);
}

static int help_overview(void) {
  puts("Seam simulates planar multibody mechanisms from a model file.\n"
       "\n"
       "usage: seam COMMAND [OPTIONS] [ARGUMENTS]\n");
  print_list(app_commands);
  puts("\n"
       "'seam help COMMAND' or 'seam COMMAND --help' describes a command; 'seam --version' prints the version.");
  return 0;
}

static int help_print(const app_command *command) {
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

static int unknown_command(const app_command *const *list, const char *name) {
  static const char *const usual[][2] = {/* name in other tools, and name in Seam */
                                         {"simulate", "run"}, {"solve", "run"},   {"validate", "check"},
                                         {"show", "draw"},    {"view", "report"}, {"list", "models"},
                                         {"init", "new"},     {"eigen", "modes"}};
  seam_error error = {0};
  const char *group = command_group(list[0]);
  const char *wanted = name;
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (strcmp(usual[i][0], name) == 0)
      wanted = usual[i][1];
  nearest search = nearest_to(wanted);
  for (const app_command *const *command = list; *command != NULL; command++)
    nearest_try(&search, (*command)->name);
  if (search.name != NULL)
    seam_fail(&error, SEAM_BAD_INPUT, "seam: unknown command '%s%s'; did you mean '%s%s'?", group, name, group,
              search.name);
  else if (strpbrk(name, "./") != NULL || seam_catalogue_text(name) != NULL) /* the name is that of a model */
    seam_fail(&error, SEAM_BAD_INPUT, "seam: unknown command '%s%s'; did you mean 'seam %s%s %s'?", group, name, group,
              *group != '\0' ? "model" : "run", name);
  else
    seam_fail(&error, SEAM_BAD_INPUT, "seam: unknown command '%s%s'; 'seam %s--help' lists the commands", group, name,
              group);
  return print_failure(&error);
}

/* Prints help for the names after "help": none, COMMAND, or GROUP COMMAND. "help --man DIR" writes manual pages. */
static int print_help_for(const app_command *const *list, int n_names, char **names) {
  seam_error error = {0};
  if (n_names == 0)
    return help_overview();
  if (strcmp(names[0], "--man") == 0) {
    const seam_status status =
        n_names == 2 ? man_write(names[1], &error)
                     : seam_fail(&error, SEAM_BAD_INPUT, "seam: --man needs a folder: seam help --man DIR");
    return status == SEAM_OK ? 0 : print_failure(&error);
  }
  const app_command *command = command_find(list, names[0]);
  if (command == NULL)
    return unknown_command(list, names[0]);
  if (command->commands != NULL && n_names > 1)
    return print_help_for(command->commands, n_names - 1, names + 1);
  return help_print(command);
}

static bool is_help(const char *word) {
  return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int call_command(const app_command *command, int n_arguments, char **arguments) {
  app_options parsed;
  seam_error error = {0};
  int exit_status = 0;
  if (options_parse(command->options, n_arguments, arguments, &parsed, &error) != SEAM_OK)
    exit_status = seam_status_exit(error.status);
  else if (options_flag(&parsed, "--help"))
    exit_status = help_print(command);
  else if (parsed.n_operands < command->n_operands[0] || parsed.n_operands > command->n_operands[1]) {
    fprintf(stderr, "seam: too %s arguments; usage: seam %s%s [OPTIONS] %s\n",
            parsed.n_operands < command->n_operands[0] ? "few" : "many", command_group(command), command->name,
            command->operands);
    exit_status = 2;
  } else
    exit_status = command->run(&parsed, &error);
  fflush(stdout);
  if (exit_status != 0 && error.status != SEAM_OK)
    print_failure(&error);
  if (!options_flag(&parsed, "--quiet"))
    output_print_written();
  options_free(&parsed);
  return exit_status;
}

/* Runs the command arguments[0]. A group takes its command from the next argument. */
static int dispatch(const app_command *const *list, int n_arguments, char **arguments) {
  const app_command *command = command_find(list, arguments[0]);
  if (command == NULL)
    return unknown_command(list, arguments[0]);
  if (command->commands == NULL)
    return call_command(command, n_arguments, arguments);
  if (n_arguments > 1 && is_help(arguments[1]))
    return help_print(command);
  if (n_arguments > 1)
    return dispatch(command->commands, n_arguments - 1, arguments + 1);
  fprintf(stderr, "seam: too few arguments; usage: seam %s COMMAND [OPTIONS] %s\n", command->name, command->operands);
  return 2;
}

int main(int n_arguments, char **arguments) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) /* else a file could become a standard stream */
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream)
      return 2;
  interrupt_end_at_once();
  seam_set_note_handler(print_note, NULL);
  int exit_status = 0;
  if (n_arguments < 2)
    exit_status = help_overview();
  else if (strcmp(arguments[1], "--version") == 0)
    exit_status = printf("seam %s\n", seam_version()) < 0;
  else if (strcmp(arguments[1], "--complete") == 0 && n_arguments > 2) /* of scripts for shells */
    completion_print(n_arguments - 2, arguments + 2);
  else if (is_help(arguments[1]))
    exit_status = print_help_for(app_commands, n_arguments - 2, arguments + 2);
  else
    exit_status = dispatch(app_commands, n_arguments - 1, arguments + 1);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "seam: standard output cannot be written: %s\n", strerror(errno));
    return 2;
  }
  return exit_status;
}
