/* Determines what completion offers: the member `words` of an option or command. If this is NULL, completion offers the
 * words that the table below lists for the name of the value or operand. */
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

/* Adds the words that belong to each name in a usage line, such as "MODEL | RESULTS...". */
static void add_named(completion *result, const char *text) {
  for (text += strspn(text, " |"); *text != '\0'; text += strspn(text, " |")) {
    const size_t length = strcspn(text, " |");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (strlen(names[i].name) == length && strncmp(text, names[i].name, length) == 0)
        add_words(result, names[i].words);
    text += length;
  }
}

static completion find(const char *words, const char *named) {
  completion result = {.is_list = strcmp(named, "LIST") == 0};
  if (words != NULL)
    add_words(&result, words);
  else
    add_named(&result, named);
  return result;
}

completion completion_of_value(const app_option *option) { return find(option->words, option->value); }
completion completion_of_operands(const app_command *command) { return find(command->words, command->operands); }

void completion_print_words(const char *words, const char *prefix) {
  for (; *words != '\0'; words++)
    if (*words == '@')
      fputs(prefix, stdout);
    else
      putchar(*words);
}

enum { MAX_SCHEMES = 256 }; /* largest number of schemes for one kind of cut; there are about 60 */

void completion_print_schemes(void) {
  seam_scheme_name listed[2 * MAX_SCHEMES];
  size_t n = 0; /* number of schemes: first schemes of force elements, then schemes that only joints have */
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

void completion_print_models(void) {
  const size_t n = seam_catalogue_size();
  for (size_t i = 0; i < n; i++)
    printf("%s%s", i > 0 ? " " : "", seam_catalogue_name(i));
}
