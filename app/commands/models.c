/* `seam models`: the catalogue. */
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

#include "app/command.h"
#include "app/failure.h"
#include "app/setup.h"

/* The first comment line without its `#`; the length excludes the line's end. */
static const char *first_comment(const char *text, int *length) {
  const char *line = text + strspn(text, "# ");
  *length = (int)strcspn(line, "\n");
  return line;
}

static int list_models(void) {
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
  return 0;
}

static int print_model(const char *name) {
  const char *text = seam_catalogue_text(name);
  if (text != NULL) {
    fputs(text, stdout);
    return 0;
  }
  seam_error error = {0};
  const char *hint = setup_nearest_name(name);
  if (hint != NULL)
    seam_fail(&error, SEAM_BAD_INPUT, "seam: no model '%s' in the catalogue; did you mean '%s'?", name, hint);
  else
    seam_fail(&error, SEAM_BAD_INPUT, "seam: no model '%s' in the catalogue; 'seam models' lists it", name);
  return print_failure(&error);
}

static int models(const app_options *parsed) {
  return parsed->n_operands == 0 ? list_models() : print_model(parsed->operands[0]);
}

static const app_option table[] = {OPTION_HELP, {0}};

const app_command models_command = {
    .name = "models",
    .summary = "list the catalogue of models, or print one",
    .operands = "[NAME]",
    .details = "Lists the models that come with Seam, or prints the file of one of them: a start for your own.\n"
               "\n"
               "  seam models four_bar_bushing > mine.yaml",
    .options = table,
    .max_operands = 1,
    .run = models,
};
