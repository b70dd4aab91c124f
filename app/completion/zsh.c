/* Completion for zsh. It also shows the help texts of options and commands. */
#include <string.h>

#include "app/completion/completion.h"

/* Prints text for use in single quotes, with special characters of _arguments escaped. */
static void print_quoted(const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr(":[]\\", *text) != NULL)
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

static void print_function(const app_command *command) {
  fputs("_seam", stdout);
  if (command->group != NULL)
    printf("_%.*s", (int)strcspn(command->group, " "), command->group);
  printf("_%s", command->name);
}

/* Prints the call that offers completions, as text inside single quotes. It begins with a space; without it, _arguments
 * would insert words into the call. */
static void print_action(const completion *at) {
  if (at->columns)
    fputs(" _seam_columns ", stdout);
  else if (at->files || at->folders)
    printf(" _seam_files %s ", at->files ? "all" : "-/");
  else if (at->is_list)
    fputs(" _sequence compadd - ", stdout);
  else if (*at->words != '\0')
    fputs(" compadd - ", stdout);
  completion_print_words(at->words, "$_seam_");
}

static void print_arguments(const app_command *command) {
  const completion at = completion_of_operands(command);
  print_function(command);
  fputs("() {\n  _arguments -S \\\n", stdout);
  for (const app_option *option = command->options; option->name != NULL; option++) {
    const bool is_long = strncmp(option->name, "--", 2) == 0;
    printf("    '*%s%s[", option->name, option->value != NULL && is_long ? "=" : "");
    print_quoted(option->help);
    putchar(']');
    if (option->value != NULL) {
      const completion of_value = completion_of_value(option);
      putchar(':');
      print_quoted(option->value);
      putchar(':');
      print_action(&of_value);
    }
    puts("' \\");
  }
  fputs("    '*:", stdout);
  print_quoted(*command->operands != '\0' ? command->operands : " ");
  putchar(':');
  print_action(&at);
  puts("'\n}\n");
}

/* Prints a function of the script up to, but not including, `esac`. The function completes a name of the list or, after
 * a name, calls the function of that command. */
static void print_choice(const char *name, const app_command *const *list) {
  printf("%s() {\n  local -a commands=(\n", name);
  for (const app_command *const *command = list; *command != NULL; command++) {
    fputs("    '", stdout);
    print_quoted((*command)->name);
    putchar(':');
    print_quoted((*command)->summary);
    puts("'");
  }
  puts("  )\n"
       "  if ((CURRENT == 2)); then\n"
       "    _describe command commands\n"
       "    return\n"
       "  fi\n"
       "  shift words\n"
       "  ((CURRENT--))\n"
       "  case $words[1] in");
  for (; *list != NULL; list++) {
    printf("    %s) ", (*list)->name);
    print_function(*list);
    puts(" ;;");
  }
}

static void print_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    if ((*list)->commands == NULL) {
      print_arguments(*list);
      continue;
    }
    print_commands((*list)->commands);
    char name[64];
    snprintf(name, sizeof name, "_seam_%s", (*list)->name);
    print_choice(name, (*list)->commands);
    puts("  esac\n}\n");
  }
}

void completion_print_zsh(void) {
  fputs("#compdef seam\n# Completion of seam for zsh; 'seam completion zsh' prints it.\n\ntypeset -ga _seam_schemes=(",
        stdout);
  completion_print_schemes();
  fputs(") _seam_models=(", stdout);
  completion_print_models();
  puts(")\n"
       "\n"
       "# all, or -/ for folders, then other words.\n"
       "_seam_files() {\n"
       "  (($# > 1)) && compadd -- ${@:2}\n"
       "  _files ${1:#all}\n"
       "}\n"
       "\n"
       "# Folders, and columns of those that are there.\n"
       "_seam_columns() {\n"
       "  local -a results=(${^words[2,CURRENT-1]}(N/))\n"
       "  (($#results)) && compadd -- ${(f)\"$(" COMPLETION_COLUMNS ")\"}\n"
       "  _files -/\n"
       "}\n");
  print_commands(app_commands);
  print_choice("_seam", app_commands);
  puts("    help) _seam ;;\n  esac\n}\n\n_seam \"$@\"");
}
