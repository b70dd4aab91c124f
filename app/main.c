/* The `seam` command: finds the command, sorts its options and calls it. */
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
#include "base/nearest.h"

static const app_command *const commands[] = {&check_command,
                                              &draw_command,
                                              &animate_command,
                                              &run_command,
                                              &sweep_command,
                                              &export_command,
                                              &compare_command,
                                              &converge_command,
                                              &static_command,
                                              &modes_command,
                                              &stability_command,
                                              &plot_command,
                                              &report_command,
                                              &new_command,
                                              &models_command,
                                              &schema_command,
                                              NULL};

static const app_command *find_command(const app_command *const *list, const char *name) {
  for (; *list != NULL; list++)
    if (strcmp((*list)->name, name) == 0)
      return *list;
  return NULL;
}

/* ---- Help -------------------------------------------------------------------------------------------------------- */

static void print_list(const app_command *const *list) {
  for (; *list != NULL; list++)
    printf("  %-9s  %s\n", (*list)->name, (*list)->summary);
}

static int print_overview(void) {
  puts("Seam simulates planar multibody mechanisms from a model file.\n"
       "\n"
       "usage: seam COMMAND [OPTIONS] [ARGUMENTS]\n");
  print_list(commands);
  puts("\n"
       "'seam help COMMAND' or 'seam COMMAND --help' describes a command; 'seam --version' prints the version.");
  return 0;
}

static const char *group_of(const app_command *command) { return command->group != NULL ? command->group : ""; }

static int print_help(const app_command *command) {
  if (command->commands != NULL) {
    printf("usage: seam %s COMMAND [OPTIONS] %s\n\n%s\n\n", command->name, command->operands, command->details);
    print_list(command->commands);
    printf("\n'seam %s COMMAND --help' describes each.\n", command->name);
    return 0;
  }
  printf("usage: seam %s%s [OPTIONS] %s\n\n%s\n\noptions:\n", group_of(command), command->name, command->operands,
         command->details);
  options_print(command->options, stdout);
  return 0;
}

/* ---- What is refused --------------------------------------------------------------------------------------------- */

static int unknown_command(const app_command *const *list, const char *name) {
  seam_error error = {0};
  const char *group = group_of(list[0]);
  nearest search = nearest_to(name);
  for (const app_command *const *command = list; *command != NULL; command++)
    nearest_try(&search, (*command)->name);
  if (search.name != NULL)
    seam_fail(&error, SEAM_BAD_INPUT, "seam: unknown command '%s%s'; did you mean '%s%s'?", group, name, group,
              search.name);
  else
    seam_fail(&error, SEAM_BAD_INPUT, "seam: unknown command '%s%s'; 'seam %s--help' lists the commands", group, name,
              group);
  return print_failure(&error);
}

static int wrong_operands(const app_command *command, size_t n_operands) {
  fprintf(stderr, "seam: too %s arguments; usage: seam %s%s [OPTIONS] %s\n",
          n_operands < command->least_operands ? "few" : "many", group_of(command), command->name, command->operands);
  return 2;
}

/* ---- Commands ---------------------------------------------------------------------------------------------------- */

static bool is_help(const char *word) {
  return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* "help COMMAND", "help GROUP COMMAND". */
static int print_help_for(const app_command *const *list, int n_names, char **names) {
  const app_command *command = find_command(list, names[0]);
  if (command == NULL)
    return unknown_command(list, names[0]);
  if (command->commands != NULL && n_names > 1)
    return print_help_for(command->commands, n_names - 1, names + 1);
  return print_help(command);
}

static int call_command(const app_command *command, int n_arguments, char **arguments) {
  app_options parsed;
  seam_error error = {0};
  int exit_status = 0;
  if (options_parse(command->options, n_arguments, arguments, &parsed, &error) != SEAM_OK)
    exit_status = print_failure(&error);
  else if (options_flag(&parsed, "--help"))
    exit_status = print_help(command);
  else if (parsed.n_operands < command->least_operands || parsed.n_operands > command->max_operands)
    exit_status = wrong_operands(command, parsed.n_operands);
  else
    exit_status = command->run(&parsed);
  options_free(&parsed);
  return exit_status;
}

/* The command that arguments[0] names, or one of its group. */
static int dispatch(const app_command *const *list, int n_arguments, char **arguments) {
  const app_command *command = find_command(list, arguments[0]);
  if (command == NULL)
    return unknown_command(list, arguments[0]);
  if (command->commands == NULL)
    return call_command(command, n_arguments, arguments);
  if (n_arguments > 1 && is_help(arguments[1]))
    return print_help(command);
  if (n_arguments > 1)
    return dispatch(command->commands, n_arguments - 1, arguments + 1);
  fprintf(stderr, "seam: too few arguments; usage: seam %s COMMAND [OPTIONS] %s\n", command->name, command->operands);
  return 2;
}

static int run_line(int n_arguments, char **arguments) {
  if (n_arguments == 0)
    return print_overview();
  if (strcmp(arguments[0], "--version") == 0)
    return printf("seam %s\n", seam_version()) < 0;
  if (is_help(arguments[0]))
    return n_arguments > 1 ? print_help_for(commands, n_arguments - 1, arguments + 1) : print_overview();
  return dispatch(commands, n_arguments, arguments);
}

static void print_note(void *context, const char *note) {
  (void)context;
  fprintf(stderr, "seam: note: %s\n", note);
}

/* Otherwise a file that is opened takes the number of a standard stream that is closed, and what is printed. */
static bool open_standard_streams(void) {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
    if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", O_RDWR) != stream)
      return false;
  return true;
}

int main(int n_arguments, char **arguments) {
  if (!open_standard_streams())
    return 2;
  interrupt_end_at_once();
  seam_set_note_handler(print_note, NULL);
  const int exit_status = run_line(n_arguments - 1, arguments + 1);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "seam: standard output cannot be written: %s\n", strerror(errno));
    return 2;
  }
  return exit_status;
}
