/* Completion for bash. bash splits words at '=', so that `--name=VALUE` is three words. */

#include "app/completion/completion.h"

/* Prints the words, files or columns that completion offers, as assignments to variables of the script. */
static void print_offers(const completion *at) {
  if (*at->words != '\0') {
    fputs(" words=\"", stdout);
    completion_print_words(at->words, "$");
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

/* Prints a line of a case statement, as `'run -o') files=-d ;;`, for each option with a value of each command. */
static void print_values(const app_command *const *list) {
  for (; *list != NULL; list++) {
    if ((*list)->commands != NULL)
      print_values((*list)->commands);
    else
      for (const app_option *option = (*list)->options; option->name != NULL; option++)
        if (option->value != NULL) {
          const completion at = completion_of_value(option);
          printf("    '%s%s %s')", command_group(*list), (*list)->name, option->name);
          print_offers(&at);
          puts(" ;;");
        }
  }
}

static void print_names(const app_command *const *list) {
  for (; *list != NULL; list++)
    printf("%s ", (*list)->name);
}

/* Prints a line of a case statement, as `'run') options="..." files=-f ;;`, for each command: with its options and
 * operands or, for a group, with its commands. */
static void print_commands(const app_command *const *list) {
  for (; *list != NULL; list++) {
    printf("    '%s%s')", command_group(*list), (*list)->name);
    if ((*list)->commands != NULL) {
      fputs(" words='", stdout);
      print_names((*list)->commands);
      puts("--help' ;;");
      print_commands((*list)->commands);
      continue;
    }
    fputs(" options='", stdout);
    for (const app_option *option = (*list)->options; option->name != NULL; option++)
      printf("%s%s", option > (*list)->options ? " " : "", option->name);
    putchar('\'');
    const completion at = completion_of_operands(*list);
    print_offers(&at);
    puts(" ;;");
  }
}

void completion_print_bash(void) {
  fputs("# Completion of seam for bash; 'seam completion bash' prints it.\n\n"
        "# What the value of an option may be: COMMAND OPTION. Fails where it takes none.\n"
        "_seam_value() {\n  case $1 in\n",
        stdout);
  print_values(app_commands);
  fputs("    *) return 1 ;;\n  esac\n}\n\n"
        "# Options and operands of a COMMAND, or the commands of a group.\n"
        "_seam_command() {\n  case $1 in\n"
        "    '') words='",
        stdout);
  print_names(app_commands);
  puts("help --help --version' ;;");
  fputs("    help) words='", stdout);
  print_names(app_commands);
  puts("--man' ;;");
  print_commands(app_commands);
  fputs("  esac\n}\n\n_seam_is_group() {\n  case $1 in ", stdout);
  for (const app_command *const *command = app_commands; *command != NULL; command++)
    if ((*command)->commands != NULL)
      printf("%s) return 0 ;; ", (*command)->name);
  fputs("esac\n  return 1\n}\n\n_seam() {\n  local schemes='", stdout);
  completion_print_schemes();
  fputs("'\n  local models='", stdout);
  completion_print_models();
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
