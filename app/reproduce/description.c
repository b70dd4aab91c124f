#include "app/reproduce/reproduce.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/interrupt.h"
#include "app/results/output.h"
#include "base/memory_stream.h"
#include "base/nearest.h"
#include "base/then.h"

/* ---- Reading ---- */

seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...) {
  char cause[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  return seam_fail(error, SEAM_BAD_INPUT, "%.100s/%.100s: error: %.100s: %s", self->source, self->name, part, cause);
}

static seam_status parse(description *self, const char *path, seam_error *error) {
  static const char *const keys[] = {"what", "claim", "quick", "studies", "tables"};
  json_failure failure = {0};
  TRY(seam_yaml_json(path, self->text, strlen(self->text), &self->json, error));
  TRY(check_memory(json_parse(self->json, &self->memory, &self->root, &failure), error));
  if (self->root == NULL || self->root->kind != JSON_OBJECT)
    return description_fail(self, "the file", error, "it is not a map; write what, claim, studies and tables");
  for (const json_node *one = self->root->first; one != NULL; one = one->next) {
    char hint[80];
    nearest search = nearest_to(one->key);
    bool is_known = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      nearest_try(&search, keys[i]);
      is_known = is_known || strcmp(keys[i], one->key) == 0;
    }
    nearest_hint(&search, hint, sizeof hint);
    if (!is_known)
      return description_fail(self, one->key, error, "unknown key; %s",
                              *hint != '\0' ? hint : "the keys are what, claim, quick, studies, tables");
  }
  self->studies = json_get(self->root, "studies");
  self->tables = json_get(self->root, "tables");
  self->title = json_text(self->root, "what");
  self->claim = json_text(self->root, "claim");
  const char *quick = json_text(self->root, "quick");
  self->is_quick = quick != NULL && strcmp(quick, "true") == 0;
  if (self->title == NULL)
    return description_fail(self, "what", error, "it is missing; say in one line what the figure shows");
  if (self->studies == NULL || self->studies->kind != JSON_OBJECT || self->studies->first == NULL)
    return description_fail(self, "studies", error, "at least one study is needed; write {NAME: {command: ...}}");
  if (self->tables != NULL && self->tables->kind != JSON_OBJECT)
    return description_fail(self, "tables", error, "it is not a map; write {NAME: {rows: ...}}");
  return SEAM_OK;
}

seam_status description_read(const embedded_file *row, bool is_file, description *self, seam_error *error) {
  const char *slash = strrchr(row->name, '/');
  const char *base = slash != NULL ? slash + 1 : row->name;
  const char *dot = is_file ? strrchr(base, '.') : NULL;
  *self = (description){.text = (const char *)row->text};
  self->source = is_file ? "file" : arena_text(&self->memory, row->name, (size_t)(slash - row->name));
  self->name = arena_text(&self->memory, base, dot != NULL ? (size_t)(dot - base) : strlen(base));
  return self->source != NULL && self->name != NULL ? parse(self, row->name, error) : out_of_memory(error);
}

void description_free(description *self) {
  free(self->json);
  arena_release(&self->memory);
}

/* ---- The command of a study ---- */

static const app_command *const study_commands[] = {&run_command,   &compare_command,   &converge_command,
                                                    &sweep_command, &stability_command, &static_command,
                                                    &modes_command, &plot_command,      NULL};

/* Finds a command, also of a group ("stability map"). */
static const app_command *find_command(const char *words) {
  char name[64];
  const size_t length = strcspn(words, " ");
  snprintf(name, sizeof name, "%.*s", (int)length, words);
  const app_command *command = command_find(study_commands, name);
  if (command == NULL || command->commands == NULL)
    return words[length] == '\0' ? command : NULL;
  return words[length] == ' ' ? command_find(command->commands, words + length + 1) : NULL;
}

static const app_option *find_option(const app_command *command, const char *key) {
  for (const app_option *o = command->options; o->name != NULL; o++)
    if (strncmp(o->name, "--", 2) == 0 && strcmp(o->name + 2, key) == 0)
      return o;
  return NULL;
}

const char *studies_file(const json_node *study) {
  static const char *const files[][2] = {{"stability map", "panels.csv"}, {"converge", "orders.csv"},
                                         {"compare", "compare.csv"},      {"stability model", "limits.csv"},
                                         {"sweep", "sweep.csv"},          {"run", "trajectory.csv"}};
  const char *command = json_text(study, "command");
  for (size_t i = 0; i < sizeof files / sizeof *files && command != NULL; i++)
    if (strcmp(files[i][0], command) == 0)
      return files[i][1];
  return NULL;
}

const json_node *studies_find(const description *self, const char *path) {
  const json_node *study = self->studies->first;
  while (study != NULL && !(strncmp(path, study->key, strlen(study->key)) == 0 &&
                            strchr("/", path[strlen(study->key)]) != NULL)) /* a slash or the end */
    study = study->next;
  return study;
}

/* ---- Its command line ---- */

typedef struct study {
  const description *of;
  const char *directory;
  const json_node *node;
  const app_command *command;
  FILE *line; /* arguments, each with a terminating zero */
} study;

/* Prints "DIRECTORY/PATH" if the path is of a study, else the path. */
static void print_path(const study *self, const char *path) {
  const bool is_of_study = studies_find(self->of, path) != NULL;
  fprintf(self->line, "%s%s%s", is_of_study ? self->directory : "", is_of_study ? "/" : "", path);
}

/* Prints a value for an option: texts unchanged, lists and maps as JSON, which is also YAML. */
static void print_value(FILE *to, const json_node *value) {
  if (value->kind == JSON_STRING)
    fputs(value->text, to);
  else
    fwrite(value->begin, 1, value->length, to);
}

/* Adds NAME=VALUE or, for an entry of a map, NAME=KEY=VALUE. A list becomes "a,b", a map "a=1,b=2". */
static void add_option(const study *self, const app_option *option, const char *key, const json_node *value) {
  FILE *to = self->line;
  fprintf(to, "%s%s%s%s", option->name, option->value != NULL ? "=" : "", key != NULL ? key : "",
          key != NULL ? "=" : "");
  if (option->value != NULL && strncmp(option->value, "RESULTS", strlen("RESULTS")) == 0 && value->text != NULL)
    print_path(self, value->text);
  else if (option->value != NULL && (key != NULL || (value->kind != JSON_LIST && value->kind != JSON_OBJECT)))
    print_value(to, value);
  else if (option->value != NULL)
    for (const json_node *one = value->first; one != NULL; one = one->next) {
      if (one->key != NULL)
        fprintf(to, "%s=", one->key);
      print_value(to, one);
      fputs(one->next != NULL ? "," : "", to);
    }
  fputc('\0', to);
}

/* Adds an option; once for each entry if the value is a map, or a list of lists or maps. */
static void add_options(const study *self, const app_option *option, const json_node *value) {
  const json_node *first = value->first;
  const bool is_nested =
      value->kind == JSON_LIST && first != NULL && (first->kind == JSON_LIST || first->kind == JSON_OBJECT);
  if (is_nested || value->kind == JSON_OBJECT)
    for (const json_node *one = first; one != NULL; one = one->next)
      add_option(self, option, one->key, one);
  else if (option->value != NULL || value->text == NULL || strcmp(value->text, "false") != 0)
    add_option(self, option, NULL, value);
}

/* Returns true if `model` is a textbook model and not a file: the command takes no operands, or --model lists it. */
static bool is_textbook_model(const app_command *command, const char *model) {
  const app_option *option = find_option(command, "model");
  const char *found = option != NULL && option->words != NULL ? strstr(option->words, model) : NULL;
  const size_t length = strlen(model);
  return command->n_operands[1] == 0 || (found != NULL && (found[length] == ' ' || found[length] == '\0') &&
                                         (found == option->words || found[-1] == ' '));
}

static seam_status add_key(const study *self, const json_node *value, seam_error *error) {
  const char *key = value->key;
  const app_option *option = find_option(self->command, key);
  if (strcmp(key, "command") == 0 || strcmp(key, "exit") == 0)
    return SEAM_OK;
  if (strcmp(key, "model") == 0 && value->text != NULL && !is_textbook_model(self->command, value->text))
    fprintf(self->line, "%s%c", value->text, '\0');
  else if (strcmp(key, "arguments") == 0)
    for (const json_node *one = value->first; one != NULL; one = one->next) {
      print_path(self, one->text != NULL ? one->text : "");
      fputc('\0', self->line);
    }
  else if (option != NULL)
    add_options(self, option, value);
  else {
    char hint[80];
    nearest search = nearest_to(key);
    for (const app_option *o = self->command->options; o->name != NULL; o++)
      if (strncmp(o->name, "--", 2) == 0)
        nearest_try(&search, o->name + 2);
    nearest_hint(&search, hint, sizeof hint);
    return description_fail(self->of, self->node->key, error, "'%.60s' is not an option of 'seam %s%s'; %s", key,
                            command_group(self->command), self->command->name,
                            *hint != '\0' ? hint : "its --help lists them");
  }
  return SEAM_OK;
}

static seam_status write_line(study *self, seam_error *error) {
  const char *words = json_text(self->node, "command");
  self->command = words != NULL ? find_command(words) : NULL;
  if (self->command == NULL)
    return description_fail(
        self->of, self->node->key, error, "it needs a command of Seam, such as 'command: compare'%s%.60s%s",
        words != NULL ? "; there is no '" : "", words != NULL ? words : "", words != NULL ? "'" : "");
  fprintf(self->line, "%s%c", self->command->name, '\0');
  for (const json_node *one = self->node->first; one != NULL; one = one->next)
    TRY(add_key(self, one, error));
  fprintf(self->line, "-o%c%s/%s%s%c", '\0', self->directory, self->node->key,
          self->command == &plot_command ? ".svg" : "", '\0');
  if (find_option(self->command, "quiet") != NULL)
    fprintf(self->line, "--quiet%c", '\0');
  return SEAM_OK;
}

/* ---- Running ---- */

static seam_status run_line(const study *self, const char *line, size_t size, seam_error *error) {
  const app_command *command = self->command;
  app_options parsed = {0};
  arena memory = {0};
  *error = (seam_error){0};
  seam_status status = options_parse_line(command->options, line, size, &memory, &parsed, error);
  if (status == SEAM_OK && (parsed.n_operands < command->n_operands[0] || parsed.n_operands > command->n_operands[1]))
    status = seam_fail(
        error, SEAM_BAD_INPUT,
        "the command takes %s, but the study gives %zu arguments without options: change 'model:' or 'arguments:'",
        command->operands, parsed.n_operands);
  const int exit_status = status == SEAM_OK ? command->run(&parsed, error) : seam_status_exit(status);
  options_free(&parsed);
  arena_release(&memory);
  const char *expected = json_text(self->node, "exit");
  const int wanted = expected != NULL ? atoi(expected) : 0;
  if (interrupt_poll())
    return seam_fail(error, SEAM_INTERRUPTED, "interrupted");
  if (exit_status == wanted || (expected == NULL && exit_status == 3)) /* 3: wrong results, which papers may show */
    return SEAM_OK;
  char cause[300];
  snprintf(cause, sizeof cause, "%.290s", error->message);
  return description_fail(self->of, self->node->key, error, "'seam %s%s' ended with the status %d, not %d%s%s",
                          command_group(command), command->name, exit_status, wanted, *cause != '\0' ? ": " : "",
                          cause);
}

seam_status studies_run(const description *self, const char *directory, seam_error *error) {
  seam_status status = SEAM_OK;
  for (const json_node *node = self->studies->first; node != NULL && status == SEAM_OK; node = node->next) {
    char *line = NULL;
    size_t size = 0;
    study one = {.of = self, .directory = directory, .node = node, .line = memory_stream_open(&line, &size)};
    status = one.line != NULL ? write_line(&one, error) : out_of_memory(error);
    if (!memory_stream_close(one.line, &line))
      THEN(status, out_of_memory(error));
    THEN(status, run_line(&one, line, size, error));
    free(line);
  }
  if (status == SEAM_OK)
    *error = (seam_error){.status = SEAM_OK};
  return status;
}
