/* `seam completion`: prints the script by which a shell completes the command line, made from the tables of commands
 * and options. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/command.h"

/* ---- Words that are offered ---- */

typedef struct completion {
  char words[256];     /* separated by spaces; "@schemes" and "@models" stand for all their names */
  bool files, folders; /* files: also offers names of files; folders: only of folders */
  bool columns;        /* also offers columns of the results on the command line */
  bool is_list;        /* the value is a list of words separated by commas */
} completion;

/* Words that complete a value or an operand of this name. A member `words` of the option or command replaces them. */
static const struct {
  const char *name, *words;
} names[] = {
    {"DIR", "@folders"},     {"FILE", "@files"},         {"MODEL", "@models @files"},  {"NAME.fmu", "@files"},
    {"RESULTS", "@folders"}, {"RESULTS...", "@folders"}, {"RESULTS@TIME", "@folders"},
};

static void add_words(completion *result, const char *words) {
  const struct {
    const char *word;
    bool *flag;
  } flags[] = {{"@files", &result->files}, {"@folders", &result->folders}, {"@columns", &result->columns}};
  for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
    const size_t length = strcspn(words, " ");
    const size_t used = strlen(result->words);
    bool *flag = NULL;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
      if (strlen(flags[i].word) == length && strncmp(words, flags[i].word, length) == 0)
        flag = flags[i].flag;
    if (flag != NULL)
      *flag = true;
    else
      snprintf(result->words + used, sizeof result->words - used, "%s%.*s", used > 0 ? " " : "", (int)length, words);
    words += length;
  }
}

/* Offers `words` or, if they are NULL, those of each name in a usage line, such as "MODEL | RESULTS...". */
static completion find_offer(const char *words, const char *usage) {
  completion result = {.is_list = strcmp(usage, "LIST") == 0};
  if (words != NULL) {
    add_words(&result, words);
    return result;
  }
  for (usage += strspn(usage, " |"); *usage != '\0'; usage += strspn(usage, " |")) {
    const size_t length = strcspn(usage, " |");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen(names[i].name) == length && strncmp(usage, names[i].name, length) == 0)
        add_words(&result, names[i].words);
    usage += length;
  }
  return result;
}

static completion of_value(const app_option *option) { return find_offer(option->words, option->value); }
static completion of_operands(const app_command *command) { return find_offer(command->words, command->operands); }

/* Prints words. `prefix` replaces each '@': "@schemes" becomes the name of a variable. */
static void print_words(const char *words, const char *prefix) {
  for (; *words != '\0'; words++)
    if (*words == '@')
      fputs(prefix, stdout);
    else
      putchar(*words);
}

enum { MAX_SCHEMES = 256 }; /* largest number of schemes for one kind of cut; there are about 60 */

static void print_schemes(void) {
  seam_scheme_name listed[2 * MAX_SCHEMES];
  size_t n = 0; /* first the schemes of force elements, then those that only joints have */
  for (int at_joint = 0; at_joint < 2; at_joint++) {
    seam_scheme_name *kind = listed + n;
    const size_t n_before = n;
    const size_t n_kind = seam_scheme_names(at_joint == 1, kind, MAX_SCHEMES);
    for (size_t i = 0; i < n_kind && i < MAX_SCHEMES; i++) {
      size_t k = 0;
      while (k < n_before && strcmp(listed[k].text, kind[i].text) != 0)
        k++;
      if (k == n_before) {
        printf("%s%s", n > 0 ? " " : "", kind[i].text);
        listed[n++] = kind[i];
      }
    }
  }
}

static void print_models(void) {
  const size_t n = seam_catalogue_size();
  for (size_t i = 0; i < n; i++)
    printf("%s%s", i > 0 ? " " : "", seam_catalogue_name(i));
}

/* Prints the columns of the results "$results", one a line. */
#define COMPLETION_COLUMNS "seam plot $results 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'"

/* ---- bash: it splits words at '=', so that `--name=VALUE` is three words ---- */

/* Prints what completion offers, as assignments to variables of the script. */
static void print_bash_offers(const completion *at) {
  if (*at->words != '\0') {
    fputs(" words=\"", stdout);
    print_words(at->words, "$");
    fputs("\"", stdout);
  }
  if (at->files)
    fputs(" files=-f", stdout);
  else if (at->folders)
    fputs(" files=-d", stdout);
  if (at->is_list)
    fputs(" list=1", stdout);
  if (at->columns)
    fputs(" columns=1", stdout);
}

/* Prints a line of a case statement for each option with a value, as `'run -o') files=-d ;;`. */
static void print_bash_values(const app_command *const *list) {
  for (; *list != NULL; list++) {
    if ((*list)->commands != NULL)
      print_bash_values((*list)->commands);
    else
      for (const app_option *option = (*list)->options; option->name != NULL; option++)
        if (option->value != NULL) {
          const completion at = of_value(option);
          printf("    '%s%s %s')", command_group(*list), (*list)->name, option->name);
          print_bash_offers(&at);
          puts(" ;;");
        }
  }
}

static void print_bash_names(const app_command *const *list) {
  for (; *list != NULL; list++)
    printf("%s ", (*list)->name);
}

/* Prints a line of a case statement for each command, as `'run') options='...' files=-f ;;`. The line of a group is
 * `'stability') words='point ... --help' ;;`. */
static void print_bash_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    printf("    '%s%s')", command_group(*list), (*list)->name);
    if ((*list)->commands != NULL) {
      fputs(" words='", stdout);
      print_bash_names((*list)->commands);
      puts("--help' ;;");
      print_bash_commands((*list)->commands);
      continue;
    }
    fputs(" options='", stdout);
    for (const app_option *option = (*list)->options; option->name != NULL; option++)
      printf("%s%s", option > (*list)->options ? " " : "", option->name);
    putchar('\'');
    const completion at = of_operands(*list);
    print_bash_offers(&at);
    puts(" ;;");
  }
}

static void print_bash(void) {
  fputs("# Completion of seam for bash; 'seam completion bash' prints it.\n\n"
        "# What the value of an option may be: COMMAND OPTION. Fails where it takes none.\n"
        "_seam_value() {\n  case $1 in\n",
        stdout);
  print_bash_values(app_commands);
  fputs("    *) return 1 ;;\n  esac\n}\n\n"
        "# Options and operands of a COMMAND, or the commands of a group.\n"
        "_seam_command() {\n  case $1 in\n"
        "    '') words='",
        stdout);
  print_bash_names(app_commands);
  puts("help --help --version' ;;");
  fputs("    help) words='", stdout);
  print_bash_names(app_commands);
  puts("--man' ;;");
  print_bash_commands(app_commands);
  fputs("  esac\n}\n\n_seam_is_group() {\n  case $1 in ", stdout);
  for (const app_command *const *command = app_commands; *command != NULL; command++)
    if ((*command)->commands != NULL)
      printf("%s) return 0 ;; ", (*command)->name);
  fputs("esac\n  return 1\n}\n\n_seam() {\n  local schemes='", stdout);
  print_schemes();
  fputs("'\n  local models='", stdout);
  print_models();
  fputs(
      "'\n"
      "  local at=$COMP_CWORD word=${COMP_WORDS[COMP_CWORD]} words='' options='' files='' list='' columns='' first='' "
      "command='' results='' i\n"
      "  COMPREPLY=()\n"
      "\n"
      "  # The command: words up to the one to complete that are no options.\n"
      "  for ((i = 1; i < at; i++)); do\n"
      "    [[ ${COMP_WORDS[i]} == -* ]] && break\n"
      "    [[ $command == help ]] && command=''\n"
      "    command+=${command:+ }${COMP_WORDS[i]}\n"
      "    [[ $command == help ]] || _seam_is_group \"$command\" || break\n"
      "  done\n"
      "\n"
      "  # The option whose value it is: `--name VALUE` or `--name = VALUE`.\n"
      "  if [[ $word == '=' ]]; then\n"
      "    word=''\n"
      "    ((at++))\n"
      "  fi\n"
      "  local option=${COMP_WORDS[at-1]}\n"
      "  [[ $option == '=' ]] && option=${COMP_WORDS[at-2]}\n"
      "\n"
      "  if ! _seam_value \"$command $option\"; then\n"
      "    _seam_command \"$command\"\n"
      "    if [[ $word == -* && -n $options ]]; then\n"
      "      words=$options files=''\n"
      "    fi\n"
      "  fi\n"
      "  for ((i = 2; i < at; i++)); do\n"
      "    [[ -z $columns || ! -d ${COMP_WORDS[i]} ]] || results+=\" ${COMP_WORDS[i]}\"\n"
      "  done\n"
      "  [[ -z $results || $word == -* ]] || words+=\" $(" COMPLETION_COLUMNS ")\"\n"
      "  if [[ -n $list && $word == *,* ]]; then\n"
      "    first=${word%,*},\n"
      "    word=${word##*,}\n"
      "  fi\n"
      "  COMPREPLY=($(compgen -P \"$first\" -W \"$words\" -- \"$word\"))\n"
      "  if [[ -n $files ]]; then\n"
      "    local IFS=$'\\n'\n"
      "    COMPREPLY+=($(compgen \"$files\" -- \"$word\"))\n"
      "    compopt -o filenames 2>/dev/null\n"
      "  fi\n"
      "  [[ -z $list ]] || compopt -o nospace 2>/dev/null\n"
      "}\n"
      "complete -F _seam seam\n",
      stdout);
}

/* ---- zsh: it also shows the help texts of options and commands ---- */

/* Prints text that stands between single quotes. Escapes quotes and the special characters of _arguments. */
static void print_zsh_quoted(const char *text) {
  for (; *text != '\0'; text++) {
    if (*text == '\'')
      fputs("'\\''", stdout);
    else if (strchr(":[]\\", *text) != NULL)
      printf("\\%c", *text);
    else
      putchar(*text);
  }
}

static void print_zsh_function(const app_command *command) {
  fputs("_seam", stdout);
  if (command->group != NULL)
    printf("_%.*s", (int)strcspn(command->group, " "), command->group);
  printf("_%s", command->name);
}

/* Prints the call that offers completions; it stands between single quotes. Without its first space, _arguments would
 * insert words into the call. */
static void print_zsh_action(const completion *at) {
  if (at->columns)
    fputs(" _seam_columns ", stdout);
  else if (at->files || at->folders)
    printf(" _seam_files %s ", at->files ? "all" : "-/");
  else if (at->is_list)
    fputs(" _sequence compadd - ", stdout);
  else if (*at->words != '\0')
    fputs(" compadd - ", stdout);
  print_words(at->words, "$_seam_");
}

static void print_zsh_arguments(const app_command *command) {
  const completion at = of_operands(command);
  print_zsh_function(command);
  fputs("() {\n  _arguments -S \\\n", stdout);
  for (const app_option *option = command->options; option->name != NULL; option++) {
    const bool is_long = strncmp(option->name, "--", 2) == 0;
    printf("    '*%s%s[", option->name, option->value != NULL && is_long ? "=" : "");
    print_zsh_quoted(option->help);
    putchar(']');
    if (option->value != NULL) {
      const completion at_value = of_value(option);
      putchar(':');
      print_zsh_quoted(option->value);
      putchar(':');
      print_zsh_action(&at_value);
    }
    puts("' \\");
  }
  fputs("    '*:", stdout);
  print_zsh_quoted(*command->operands != '\0' ? command->operands : " ");
  putchar(':');
  print_zsh_action(&at);
  puts("'\n}\n");
}

/* Prints the function that completes a name of the list, and after a name calls that command's function. The caller
 * prints its `esac`. */
static void print_zsh_choice(const char *name, const app_command *const *list) {
  printf("%s() {\n  local -a commands=(\n", name);
  for (const app_command *const *command = list; *command != NULL; command++) {
    fputs("    '", stdout);
    print_zsh_quoted((*command)->name);
    putchar(':');
    print_zsh_quoted((*command)->summary);
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
    print_zsh_function(*list);
    puts(" ;;");
  }
}

static void print_zsh_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    if ((*list)->commands == NULL) {
      print_zsh_arguments(*list);
      continue;
    }
    print_zsh_commands((*list)->commands);
    char name[64];
    snprintf(name, sizeof name, "_seam_%s", (*list)->name);
    print_zsh_choice(name, (*list)->commands);
    puts("  esac\n}\n");
  }
}

static void print_zsh(void) {
  fputs("#compdef seam\n# Completion of seam for zsh; 'seam completion zsh' prints it.\n\ntypeset -ga _seam_schemes=(",
        stdout);
  print_schemes();
  fputs(") _seam_models=(", stdout);
  print_models();
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
  print_zsh_commands(app_commands);
  print_zsh_choice("_seam", app_commands);
  puts("    help) _seam ;;\n  esac\n}\n\n_seam \"$@\"");
}

/* ---- fish: it also shows the help texts of options and commands ---- */

/* Prints text in single quotes. */
static void print_fish_quoted(const char *text) {
  putchar('\'');
  for (; *text != '\0'; text++)
    printf(*text == '\'' || *text == '\\' ? "\\%c" : "%c", *text);
  putchar('\'');
}

/* Prints the beginning of a line that holds for this command only. */
static void print_fish_condition(const app_command *command) {
  fputs("complete -c seam -n '__fish_seen_subcommand_from ", stdout);
  if (command->group != NULL)
    printf("%.*s; and __fish_seen_subcommand_from ", (int)strcspn(command->group, " "), command->group);
  printf("%s'", command->name);
}

static void print_fish_offers(const completion *at) {
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
  print_words(at->words, "$__seam_");
  fputs(at->is_list ? ")'" : "'", stdout);
}

// NOLINTNEXTLINE(misc-no-recursion)
static void print_fish_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    const app_command *command = *list;
    if (command->group != NULL)
      printf("complete -c seam -f -n '__fish_seen_subcommand_from %.*s' -a %s -d ", (int)strcspn(command->group, " "),
             command->group, command->name);
    else
      printf("complete -c seam -f -n __fish_use_subcommand -a %s -d ", command->name);
    print_fish_quoted(command->summary);
    putchar('\n');
    if (command->commands != NULL) {
      print_fish_commands(command->commands);
      continue;
    }
    const completion at = of_operands(command);
    print_fish_condition(command);
    print_fish_offers(&at);
    putchar('\n');
    for (const app_option *option = command->options; option->name != NULL; option++) {
      const bool is_long = strncmp(option->name, "--", 2) == 0;
      print_fish_condition(command);
      printf(" -%s %s -d ", is_long ? "l" : "s", option->name + (is_long ? 2 : 1));
      print_fish_quoted(option->help);
      if (option->value != NULL) {
        const completion at_value = of_value(option);
        fputs(" -r", stdout);
        print_fish_offers(&at_value);
      }
      putchar('\n');
    }
  }
}

static void print_fish(void) {
  fputs("# Completion of seam for fish; 'seam completion fish' prints it.\n\nset -g __seam_schemes ", stdout);
  print_schemes();
  fputs("\nset -g __seam_models ", stdout);
  print_models();
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
  print_fish_commands(app_commands);
}

/* ---- The command ---- */

static int completion_run(const app_options *parsed, seam_error *error) {
  static const struct {
    const char *name;
    void (*print)(void);
  } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp(parsed->operands[0], shells[i].name) == 0) {
      shells[i].print();
      return 0;
    }
  return seam_status_exit(seam_fail(error, SEAM_BAD_INPUT,
                                    "seam: there is no completion for '%s'; for bash, zsh and fish there is",
                                    parsed->operands[0]));
}

static const app_option table[] = {OPTION_HELP, {0}};

const app_command completion_command = {
    .name = "completion",
    .summary = "print the completion of commands for a shell",
    .operands = "bash|zsh|fish",
    .words = "bash zsh fish",
    .details =
        "Prints a script with which a shell completes commands, options, their values, models of the catalogue and\n"
        "names of files. A package of Seam installs it; without one:\n"
        "\n"
        "  seam completion bash > ~/.local/share/bash-completion/completions/seam\n"
        "  seam completion zsh > ~/.zfunc/_seam\n"
        "  seam completion fish > ~/.config/fish/completions/seam.fish",
    .options = table,
    .n_operands = {1, 1},
    .run = completion_run,
};
