/* Completion for fish. It also shows the help texts of options and commands. */
#include <string.h>

#include "app/completion/completion.h"

/* Prints text in single quotes. */
static void print_quoted(const char *text) {
  putchar('\'');
  for (; *text != '\0'; text++)
    printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar('\'');
}

/* Prints the beginning of a line of the script; the condition in it makes the line valid for this command only. */
static void print_condition(const app_command *command) {
  fputs("complete -c seam -n '__fish_seen_subcommand_from ", stdout);
  if (command->group != NULL)
    printf("%.*s; and __fish_seen_subcommand_from ", (int)strcspn(command->group, " "), command->group);
  printf("%s'", command->name);
}

/* Prints the words, files or columns that completion offers. */
static void print_words(const completion *at) {
  if (at->files)
    fputs(" -F", stdout);
  else if (at->folders)
    fputs(" -f -a '(__fish_complete_directories)'", stdout);
  else
    fputs(" -f", stdout);
  if (at->columns)
    fputs(" -a '(__seam_columns)'", stdout);
  if (*at->words == '\0')
    return;
  fputs(at->is_list ? " -a '(__seam_list " : " -a '", stdout);
  completion_print_words(at->words, "$__seam_");
  fputs(at->is_list ? ")'" : "'", stdout);
}

// NOLINTNEXTLINE(misc-no-recursion)
static void print_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    const app_command *command = *list;
    if (command->group != NULL)
      printf("complete -c seam -f -n '__fish_seen_subcommand_from %.*s' -a %s -d ", (int)strcspn(command->group, " "),
             command->group, command->name);
    else
      printf("complete -c seam -f -n __fish_use_subcommand -a %s -d ", command->name);
    print_quoted(command->summary);
    putchar('\n');
    if (command->commands != NULL) {
      print_commands(command->commands);
      continue;
    }
    const completion at = completion_of_operands(command);
    print_condition(command);
    print_words(&at);
    putchar('\n');
    for (const app_option *option = command->options; option->name != NULL; option++) {
      const bool is_long = strncmp(option->name, "--", 2) == 0;
      print_condition(command);
      printf(" -%s %s -d ", is_long ? "l" : "s", option->name + (is_long ? 2 : 1));
      print_quoted(option->help);
      if (option->value != NULL) {
        const completion of_value = completion_of_value(option);
        fputs(" -r", stdout);
        print_words(&of_value);
      }
      putchar('\n');
    }
  }
}

void completion_print_fish(void) {
  fputs("# Completion of seam for fish; 'seam completion fish' prints it.\n\nset -g __seam_schemes ", stdout);
  completion_print_schemes();
  fputs("\nset -g __seam_models ", stdout);
  completion_print_models();
  puts("\n\n"
       "# Words behind the last comma.\n"
       "function __seam_list\n"
       "  set -l before (string match -r '.*,' -- (commandline -ct))\n"
       "  printf '%s\\n' $before$argv\n"
       "end\n"
       "\n"
       "# Columns of the results that stand in the line.\n"
       "function __seam_columns\n"
       "  set -l results\n"
       "  for word in (commandline -opc)[3..-1]\n"
       "    test -d $word; and set -a results $word\n"
       "  end\n"
       "  test -n \"$results\"; and " COMPLETION_COLUMNS "\n"
       "end\n");
  print_commands(app_commands);
}
