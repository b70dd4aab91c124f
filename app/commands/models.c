/* `seam models`: the catalogue. */
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/setup.h"
#include "base/json_tree.h"

static const char *next_line(const char *line) {
  const char *end = strchr(line, '\n');
  return end != NULL ? end + 1 : line + strlen(line);
}

/* Returns the comment at the head of a model, after the line for editors. */
static const char *head_of(const char *text) {
  return strncmp(text, "# yaml-language-server:", 23) == 0 ? next_line(text) : text;
}

/* Returns the first line of the head without its `#`; the length excludes the line's end. */
static const char *first_comment(const char *text, int *length) {
  const char *line = head_of(text);
  line += strspn(line, "# ");
  *length = (int)strcspn(line, "\n");
  return line;
}

static void list_models(void) {
  int width = 0;
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const int length = (int)strlen(seam_catalogue_name(i));
    if (length > width)
      width = length;
  }
  for (size_t i = 0; i < seam_catalogue_size(); i++) {
    const char *name = seam_catalogue_name(i);
    int length = 0;
    const char *comment = first_comment(seam_catalogue_text(name), &length);
    printf("%-*s  %.*s\n", width, name, length, comment);
  }
}

static seam_status find_model(const char *name, const char **text, seam_error *error) {
  const char *hint = setup_nearest_name(name);
  *text = seam_catalogue_text(name);
  if (*text != NULL)
    return SEAM_OK;
  if (hint != NULL)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: no model '%s' in the catalogue; did you mean '%s'?", name, hint);
  return seam_fail(error, SEAM_BAD_INPUT, "seam: no model '%s' in the catalogue; 'seam models' lists it", name);
}

/* ---- Explanations ------------------------------------------------------------------------------------------------ */

static void print_head(const char *text) {
  for (const char *line = head_of(text); *line == '#'; line = next_line(line)) {
    const char *words = line + 1 + (line[1] == ' ');
    printf("%.*s\n", (int)strcspn(words, "\n"), words);
  }
}

/* Returns the comment after an entry of `parameters:`, each on its own line; "": none. */
static const char *comment_of(const char *text, const char *name, int *length) {
  const size_t n = strlen(name);
  const char *line = strstr(text, "\nparameters:");
  *length = 0;
  for (line = line != NULL ? next_line(line + 1) : ""; *line == ' '; line = next_line(line)) {
    const char *key = line + strspn(line, " ");
    const char *comment = memchr(key, '#', strcspn(key, "\n"));
    if (strncmp(key, name, n) != 0 || key[n] != ':' || comment == NULL)
      continue;
    comment += 1 + strspn(comment + 1, " ");
    *length = (int)strcspn(comment, "\n");
    return comment;
  }
  return "";
}

static void print_parameters(const char *text, const json_node *parameters) {
  int width = 0;
  for (const json_node *one = parameters->first; one != NULL; one = one->next)
    width = (int)strlen(one->key) > width ? (int)strlen(one->key) : width;
  puts("\nparameters, which --set parameters.NAME=VALUE changes:");
  for (const json_node *one = parameters->first; one != NULL; one = one->next) {
    int length = 0;
    const char *comment = comment_of(text, one->key, &length);
    printf(length > 0 ? "  %-*s  %-10.6g  %.*s\n" : "  %-*s  %.6g\n", width, one->key, one->number, length, comment);
  }
}

static seam_status explain_model(const char *name, const char *text, seam_error *error) {
  seam_model_file *file = NULL;
  const seam_status status = seam_model_file_parse(name, text, strlen(text), NULL, 0, &file, error);
  if (status != SEAM_OK)
    return status;
  arena memory = {0};
  json_failure failure = {0};
  const json_node *root = NULL;
  const char *model = seam_model_json(file);
  const bool is_read = model != NULL && json_parse(model, &memory, &root, &failure);
  const json_node *parameters = is_read ? json_get(root, "parameters") : NULL;
  if (is_read)
    print_head(text);
  if (parameters != NULL && parameters->first != NULL)
    print_parameters(text, parameters);
  arena_release(&memory);
  seam_model_file_destroy(file);
  return is_read ? SEAM_OK : out_of_memory(error);
}

static int models(const app_options *parsed, seam_error *error) {
  const bool explains = options_flag(parsed, "--explain");
  const char *text = NULL;
  seam_status status = SEAM_OK;
  if (parsed->n_operands > 0)
    status = find_model(parsed->operands[0], &text, error);
  else if (explains)
    status = seam_fail(error, SEAM_BAD_INPUT, "seam: '--explain' needs the name of a model; 'seam models' lists them");
  else
    list_models();
  if (text != NULL && explains)
    status = explain_model(parsed->operands[0], text, error);
  else if (text != NULL)
    fputs(text, stdout);
  return seam_status_exit(status);
}

static const app_option table[] = {
    {.name = "--explain", .help = "say what the model is, where it comes from, and what its parameters mean"},
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
    .max_operands = 1,
    .run = models,
};
