/* `seam completion`: prints the script by which a shell completes the command line. The scripts call
 * `seam --complete WORD...`, which finds the candidates in the tables of commands and options. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/assets.h"
#include "app/command.h"
#include "app/results/run_results.h"

/* ---- Candidates, one a line: what may replace the last word, a tab, and its help ---- */

typedef struct command_line {
  char **words; /* (n) words after the program's name; the last one is completed */
  size_t n;
  size_t n_kept; /* bytes of the last word that stay: up to the last comma of a list */
} command_line;

static void offer(const command_line *line, const char *text, const char *help) {
  printf("%.*s%s\t%s\n", (int)line->n_kept, line->words[line->n - 1], text, help);
}

static void offer_commands(const command_line *line, const app_command *const *list) {
  for (; *list != NULL; list++)
    offer(line, (*list)->name, (*list)->summary);
}

static void offer_options(const command_line *line, const app_option *table) {
  for (; table->name != NULL; table++)
    offer(line, table->name, table->help);
}

/* Offers each scheme once; most are for force elements and for joints. */
static void offer_schemes(const command_line *line) {
  enum { MAX_SCHEMES = 256 };             /* largest number of schemes for one kind of cut; there are about 60 */
  seam_scheme_name names[2][MAX_SCHEMES]; /* of force elements, of joints */
  size_t n[2];
  for (int kind = 0; kind < 2; kind++) {
    n[kind] = seam_scheme_names(kind == 1, names[kind], MAX_SCHEMES);
    n[kind] = n[kind] < MAX_SCHEMES ? n[kind] : MAX_SCHEMES;
  }
  for (size_t i = 0; i < n[0]; i++)
    offer(line, names[0][i].text, "");
  for (size_t i = 0; i < n[1]; i++) {
    size_t k = 0;
    while (k < n[0] && strcmp(names[0][k].text, names[1][i].text) != 0)
      k++;
    if (k == n[0])
      offer(line, names[1][i].text, "");
  }
}

static void offer_models(const command_line *line) {
  for (size_t i = 0; i < seam_catalogue_size(); i++)
    offer(line, seam_catalogue_name(i), "");
}

/* Offers the columns of the results on the command line. */
static void offer_columns(const command_line *line) {
  for (size_t i = 1; i + 1 < line->n; i++) {
    run_results results = {0};
    if (run_results_is_path(line->words[i]) && run_results_open(line->words[i], &results, NULL) == SEAM_OK)
      for (size_t table = 0; table < results.n_tables; table++)
        for (size_t k = 0; k < table_reader_n_columns(results.tables[table]); k++)
          offer(line, table_reader_name(results.tables[table], k), run_results_column(&results, table, k, "meaning"));
    run_results_close(&results);
  }
}

/* Prints the kind of a value or an operand, and offers its `words`. If they are NULL, they follow from names in the
 * usage line, as in "MODEL | RESULTS...". */
static void offer_words(const command_line *line, const char *words, const char *usage) {
  static const struct {
    const char *name, *words;
  } usual[] = {{"MODEL", "@models @files"}, {"FILE", "@files"}, {"RESULTS", "@folders"}, {"DIR", "@folders"}};
  const bool is_list = strcmp(usage, "LIST") == 0;
  command_line at = *line;
  char copy[256], *rest = NULL;
  for (size_t i = 0; i < sizeof usual / sizeof *usual && words == NULL; i++)
    words = strstr(usage, usual[i].name) != NULL ? usual[i].words : NULL;
  snprintf(copy, sizeof copy, "%s", words != NULL ? words : "");
  puts(strstr(copy, "@files") != NULL     ? "files"
       : strstr(copy, "@folders") != NULL ? "folders"
       : is_list                          ? "list"
                                          : "words");
  const char *comma = is_list ? strrchr(line->words[line->n - 1], ',') : NULL;
  at.n_kept = comma != NULL ? (size_t)(comma + 1 - line->words[line->n - 1]) : 0;
  for (const char *word = strtok_r(copy, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
    if (strcmp(word, "@schemes") == 0)
      offer_schemes(&at);
    else if (strcmp(word, "@models") == 0)
      offer_models(&at);
    else if (strcmp(word, "@columns") == 0)
      offer_columns(&at);
    else if (*word != '@') /* the shell itself offers files and folders */
      offer(&at, word, "");
}

/* Offers what may stand behind the name of a command: a value of the option before, an option, or an operand. */
static void offer_arguments(const command_line *line, const app_command *command) {
  const app_option *option = command->options;
  while (option->name != NULL && (option->value == NULL || strcmp(option->name, line->words[line->n - 2]) != 0))
    option++;
  if (option->name != NULL)
    offer_words(line, option->words, option->value);
  else if (*line->words[line->n - 1] != '-')
    offer_words(line, command->words, command->operands);
  else {
    puts("words");
    offer_options(line, command->options);
  }
}

void completion_print(int n_words, char **words) {
  static const app_option of_program[] = {
      {"--help", .help = "print an overview"}, {"--version", .help = "print the version"}, {0}};
  static const app_option of_group[] = {OPTION_HELP, {0}};
  static const app_option of_help[] = {{"--man", "DIR", .help = "write manual pages there"}, {0}};
  const command_line line = {.words = words, .n = (size_t)n_words};
  const app_command *const *list = app_commands;
  const app_option *options = of_program;
  for (int i = 0; i + 1 < n_words; i++) {
    const bool is_help = i == 0 && strcmp(words[i], "help") == 0;
    const app_command *command = command_find(list, words[i]);
    if (command == NULL && !is_help)
      return;
    if (command != NULL && command->commands == NULL) {
      offer_arguments(&line, command);
      return;
    }
    list = is_help ? app_commands : command->commands;
    options = is_help ? of_help : of_group;
  }
  puts("words");
  offer_commands(&line, list);
  if (options == of_program)
    offer(&line, "help", "describe a command");
  offer_options(&line, options);
}

/* ---- The command ---- */

static int completion_run(const app_options *parsed, seam_error *error) {
  char name[64];
  snprintf(name, sizeof name, "completion.%s", parsed->operands[0]);
  const char *script = asset(name);
  if (script == NULL)
    return seam_status_exit(seam_fail(error, SEAM_BAD_INPUT,
                                      "seam: there is no completion for '%s'; for bash, zsh and fish there is",
                                      parsed->operands[0]));
  fputs(script, stdout);
  return 0;
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
