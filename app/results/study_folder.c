#include "app/results/study_folder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"

enum { MAX_NAME_LENGTH = 100, DIGITS = 8 }; /* largest number of characters of a name; digits of the checksum */

/* Appends text to the name of a folder. A colon becomes "..". Any other character that a shell or a file system may
 * change becomes "_". Returns true if no character became "_" and the text was not cut off. */
static bool append_safe(char *name, size_t size, const char *text) {
  size_t n = strlen(name);
  bool is_unchanged = true;
  for (; *text != '\0' && n + 2 < size; text++) {
    const bool is_safe = isalnum((unsigned char)*text) || strchr("._=+-:", *text) != NULL;
    is_unchanged &= is_safe;
    name[n++] = *text;
    if (*text == ':')
      name[n - 1] = '.', name[n++] = '.';
    else if (!is_safe)
      name[n - 1] = '_';
  }
  name[n] = '\0';
  return is_unchanged && *text == '\0';
}

typedef struct folder_name {
  char text[MAX_NAME_LENGTH + DIGITS + 2];
  uint64_t sum;    /* checksum of all added texts */
  bool is_changed; /* in `text`, characters of the added texts were replaced or cut off */
} folder_name;

static void add(folder_name *name, const char *text) {
  const char *dot = strchr(text, '.');
  const char *equal = strchr(text, '=');
  const bool has_section = dot != NULL && equal != NULL && dot < equal; /* as in "parameters.k=50" */
  name->sum = checksum_add(name->sum, text, strlen(text) + 1);
  name->is_changed |= !append_safe(name->text, MAX_NAME_LENGTH, "-");
  name->is_changed |= !append_safe(name->text, MAX_NAME_LENGTH, has_section ? dot + 1 : text);
}

char *study_folder(const app_options *parsed, const char *model, const char *study) {
  folder_name name = {"", 0, false};
  for (size_t i = 0; i < parsed->n_overrides; i++)
    add(&name, parsed->overrides[i]);
  for (size_t i = 0; i < parsed->n_given; i++)
    if (parsed->table[parsed->given[i].row].names_folder)
      add(&name, parsed->given[i].value + strspn(parsed->given[i].value, "-"));
  if (name.is_changed)
    sprintf(name.text + strlen(name.text), "-%08" PRIx32, (uint32_t)name.sum);
  const size_t size = sizeof "results//" + strlen(model) + strlen(study) + strlen(name.text);
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "results/%s/%s%s", model, study, name.text);
  return path;
}

seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error) {
  const char *given = options_value(parsed, "-o");
  *directory = given != NULL ? strdup(given) : study_folder(parsed, model, study);
  return *directory != NULL ? output_make_directory(*directory, error) : out_of_memory(error);
}
