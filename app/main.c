/* The `seam` command: finds the subcommand, sorts its options and calls it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "base/nearest.h"

static const app_command *const commands[] = {&check_command,  &run_command,   &compare_command,   &converge_command,
                                              &static_command, &modes_command, &stability_command, &models_command};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

static const app_command *find_command(const char *name) {
  for (size_t i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i]->name, name) == 0)
      return commands[i];
  return NULL;
}

static int print_error(const seam_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return seam_status_exit(error->status);
}

static void print_note(void *context, const char *note) {
  (void)context;
  fprintf(stderr, "seam: note: %s\n", note);
}

static int print_overview(void) {
  puts("Seam simulates planar multibody mechanisms from a model file.\n"
       "\n"
       "usage: seam COMMAND [OPTIONS] [ARGUMENTS]\n");
  for (size_t i = 0; i < N_COMMANDS; i++)
    printf("  %-9s  %s\n", commands[i]->name, commands[i]->summary);
  puts("\n"
       "'seam help COMMAND' or 'seam COMMAND --help' describes a command; 'seam --version' prints the version.");
  return 0;
}

static int print_help(const app_command *command) {
  printf("usage: seam %s [OPTIONS] %s\n\n%s\n\noptions:\n", command->name, command->operands, command->details);
  options_print(command->options, stdout);
  return 0;
}

static int unknown_command(const char *name) {
  nearest search = nearest_to(name);
  for (size_t i = 0; i < N_COMMANDS; i++)
    nearest_try(&search, commands[i]->name);
  if (search.name != NULL)
    fprintf(stderr, "seam: unknown command '%s'; did you mean '%s'?\n", name, search.name);
  else
    fprintf(stderr, "seam: unknown command '%s'; 'seam --help' lists the commands\n", name);
  return 2;
}

static int print_help_for(const char *name) {
  const app_command *command = find_command(name);
  return command != NULL ? print_help(command) : unknown_command(name);
}

static int wrong_operands(const app_command *command, size_t n_operands) {
  fprintf(stderr, "seam: %s arguments; usage: seam %s [OPTIONS] %s\n",
          n_operands < command->least_operands ? "too few" : "too many", command->name, command->operands);
  return 2;
}

static int run_subcommand(const app_command *command, int n_arguments, char **arguments) {
  app_options parsed;
  seam_error error = {0};
  int exit_status = 0;
  if (options_parse(command->options, n_arguments, arguments, &parsed, &error) != SEAM_OK)
    exit_status = print_error(&error);
  else if (options_flag(&parsed, "--help"))
    exit_status = print_help(command);
  else if (parsed.n_operands < command->least_operands || parsed.n_operands > command->max_operands)
    exit_status = wrong_operands(command, parsed.n_operands);
  else
    exit_status = command->run(&parsed);
  options_free(&parsed);
  return exit_status;
}

static int dispatch(int n_arguments, char **arguments) {
  const char *verb = n_arguments > 1 ? arguments[1] : "help";
  if (strcmp(verb, "--version") == 0)
    return printf("seam %s\n", seam_version()) < 0;
  if (strcmp(verb, "help") == 0 || strcmp(verb, "--help") == 0 || strcmp(verb, "-h") == 0)
    return n_arguments > 2 ? print_help_for(arguments[2]) : print_overview();
  const app_command *command = find_command(verb);
  return command != NULL ? run_subcommand(command, n_arguments - 1, arguments + 1) : unknown_command(verb);
}

int main(int n_arguments, char **arguments) {
  seam_set_note_handler(print_note, NULL);
  const int exit_status = dispatch(n_arguments, arguments);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fprintf(stderr, "seam: standard output cannot be written: %s\n", strerror(errno));
    return 2;
  }
  return exit_status;
}
