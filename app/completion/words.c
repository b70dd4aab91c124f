/* Words that may stand at each place, by the columns `words` of the tables, or by the name of a value or operand. */
#include <string.h>

#include <seam/analysis.h>
#include <seam/models.h>

#include "app/completion/completion.h"

static const struct {
  const char *name, *words;
} names[] = {
    {"DIR", "@folders"},     {"FILE", "@files"},         {"MODEL", "@models @files"},  {"NAME.fmu", "@files"},
    {"RESULTS", "@folders"}, {"RESULTS...", "@folders"}, {"RESULTS@TIME", "@folders"},
};

static void add_word(completion *made, const char *word, size_t length) {
  const size_t at = strlen(made->words);
  if (length == strlen("@files") && strncmp(word, "@files", length) == 0)
    made->files = true;
  else if (length == strlen("@folders") && strncmp(word, "@folders", length) == 0)
    made->folders = true;
  else if (length == strlen("@columns") && strncmp(word, "@columns", length) == 0)
    made->columns = true;
  else
    snprintf(made->words + at, sizeof made->words - at, "%s%.*s", at > 0 ? " " : "", (int)length, word);
}

static void add_words(completion *made, const char *words) {
  for (words += strspn(words, " "); *words != '\0'; words += strspn(words, " ")) {
    const size_t length = strcspn(words, " ");
    add_word(made, words, length);
    words += length;
  }
}

/* Adds the words of names in a usage line, as "MODEL | RESULTS...". */
static void add_named(completion *made, const char *text) {
  for (text += strspn(text, " |"); *text != '\0'; text += strspn(text, " |")) {
    const size_t length = strcspn(text, " |");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen(names[i].name) == length && strncmp(text, names[i].name, length) == 0)
        add_words(made, names[i].words);
    text += length;
  }
}

completion completion_of_value(const app_option *option) {
  completion made = {.is_list = strcmp(option->value, "LIST") == 0};
  if (option->words != NULL)
    add_words(&made, option->words);
  else
    add_named(&made, option->value);
  return made;
}

completion completion_of_operands(const app_command *command) {
  completion made = {0};
  if (command->words != NULL)
    add_words(&made, command->words);
  else
    add_named(&made, command->operands);
  return made;
}

/* ---- Names of the library ---------------------------------------------------------------------------------------- */

enum { MAX_SCHEMES = 256 }; /* schemes of one kind of cut; there are some sixty */

static bool is_among(const seam_scheme_name *listed, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(listed[i].text, name) == 0)
      return true;
  return false;
}

static size_t take_schemes(bool at_constraint, seam_scheme_name *listed) {
  const size_t n = seam_scheme_names(at_constraint, listed, MAX_SCHEMES);
  return n < MAX_SCHEMES ? n : MAX_SCHEMES;
}

void completion_print_schemes(const char *between) {
  seam_scheme_name forces[MAX_SCHEMES], joints[MAX_SCHEMES];
  const size_t n_forces = take_schemes(false, forces);
  const size_t n_joints = take_schemes(true, joints);
  for (size_t i = 0; i < n_forces; i++)
    printf("%s%s", i > 0 ? between : "", forces[i].text);
  for (size_t i = 0; i < n_joints; i++)
    if (!is_among(forces, n_forces, joints[i].text))
      printf("%s%s", between, joints[i].text);
}

void completion_print_models(const char *between) {
  const size_t n = seam_catalogue_size();
  for (size_t i = 0; i < n; i++)
    printf("%s%s", i > 0 ? between : "", seam_catalogue_name(i));
}
