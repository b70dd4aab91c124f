/* `seam models`: lists the models of the catalogue, or prints or explains one of them. */
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/setup.h"
#include "base/json.h"
#include "base/then.h"

static int line_length(const char *line) { return (int)strcspn(line, "\n"); }

static const char *next_line(const char *line) { return line + line_length(line) + (line[line_length(line)] == '\n'); }

/* Returns the text of a model without its first line, if that is for editors. */
static const char *head_of(const char *text) {
  return strncmp(text, "# yaml-language-server:", 23) == 0 ? next_line(text) : text;
}

/* Returns the comment behind a parameter; "": there is none. The section `parameters:` has one entry a line. */
static const char *comment_of(const char *text, const char *name) {
  const size_t n = strlen(name);
  const char *line = strstr(text, "\nparameters:");
  for (line = line != NULL ? next_line(line + 1) : ""; *line == ' '; line = next_line(line)) {
    const char *key = line + strspn(line, " ");
    const char *comment = memchr(key, '#', strcspn(key, "\n"));
    if (strncmp(key, name, n) == 0 && key[n] == ':' && comment != NULL)
      return comment + 1 + strspn(comment + 1, " ");
  }
  return "";
}

static seam_status explain_model(const char *name, const char *text, seam_error *error) {
  seam_model_file *file = NULL;
  TRY(seam_model_file_parse(name, text, strlen(text), NULL, 0, &file, error));
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  const char *model = seam_model_json(file);
  const bool is_read = model != NULL && json_parse(model, &memory, &root, &failure);
  const json_node *parameters = is_read ? json_get(root, "parameters") : NULL;
  for (const char *line = head_of(text); is_read && *line == '#'; line = next_line(line)) {
    const char *words = line + 1 + (line[1] == ' ');
    printf("%.*s\n", line_length(words), words);
  }
  const json_node *first = parameters != NULL ? parameters->first : NULL;
  int width = 0;
  for (const json_node *one = first; one != NULL; one = one->next)
    width = (int)strlen(one->key) > width ? (int)strlen(one->key) : width;
  if (first != NULL)
    puts("\nparameters, which --set parameters.NAME=VALUE changes:");
  for (const json_node *one = first; one != NULL; one = one->next) {
    const char *comment = comment_of(text, one->key);
    const int length = line_length(comment);
    printf(length > 0 ? "  %-*s  %-10.6g  %.*s\n" : "  %-*s  %.6g\n", width, one->key, one->number, length, comment);
  }
  arena_release(&memory);
  seam_model_file_destroy(file);
  return check_memory(is_read, error);
}

static int models(const app_options *parsed, seam_error *error) {
  const bool explains = options_flag(parsed, "--explain");
  const char *name = parsed->n_operands > 0 ? parsed->operands[0] : NULL;
  const char *text = name != NULL ? seam_catalogue_text(name) : NULL;
  const char *hint = name != NULL ? setup_nearest_name(name) : NULL;
  seam_status status = SEAM_OK;
  if (name != NULL && text == NULL && hint != NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: no model '%s' in the catalogue; did you mean '%s'?", name, hint);
  else if (name != NULL && text == NULL)
    status =
        seam_fail(error, SEAM_BAD_INPUT, "seam: the catalogue has no model '%s'; 'seam models' lists its models", name);
  else if (name != NULL && explains)
    status = explain_model(name, text, error);
  else if (name != NULL)
    fputs(text, stdout);
  else if (explains)
    status =
        seam_fail(error, SEAM_BAD_INPUT, "seam: '--explain' needs the name of a model; 'seam models' lists the names");
  else {
    int width = 0;
    for (size_t i = 0; i < seam_catalogue_size(); i++) {
      const int length = (int)strlen(seam_catalogue_name(i));
      width = length > width ? length : width;
    }
    for (size_t i = 0; i < seam_catalogue_size(); i++) {
      const char *comment = head_of(seam_catalogue_text(seam_catalogue_name(i)));
      comment += strspn(comment, "# ");
      printf("%-*s  %.*s\n", width, seam_catalogue_name(i), line_length(comment), comment);
    }
  }
  return seam_status_exit(status);
}

static const app_option table[] = {
    {"--explain", .help = "say what the model is, where it comes from, and what its parameters mean"},
    OPTION_HELP,
    {0},
};

const app_command models_command = {
    .name = "models",
    .summary = "list the catalogue of models, or print one",
    .operands = "[NAME]",
    .words = "@models",
    .details =
        "Lists the models that come with Seam, or prints the file of one of them, a start for your own; or says\n"
        "what it is and what its parameters mean.\n"
        "\n"
        "  seam models four_bar_bushing --explain\n"
        "  seam models four_bar_bushing > mine.yaml",
    .options = table,
    .n_operands = {0, 1},
    .run = models,
};
