#include "app/results/study_folder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"

enum { MAX_PLAIN = 100, DIGITS = 8 }; /* largest number of characters of a name; digits of the checksum */

/* Appends text to the name of a folder. A colon becomes "..". Any other character that a shell or a file system may
 * change becomes "_". Returns true if no character became "_" and the text was not cut off. */
static bool put_plain(char *name, size_t size, const char *text) {
  size_t n = strlen(name);
  bool is_plain = true;
  for (; *text != '\0' && n + 2 < size; text++) {
    const bool is_kept = isalnum((unsigned char)*text) || strchr("._=+-:", *text) != NULL;
    is_plain &= is_kept;
    name[n++] = *text;
    if (*text == ':')
      name[n - 1] = '.', name[n++] = '.';
    else if (!is_kept)
      name[n - 1] = '_';
  }
  name[n] = '\0';
  return is_plain && *text == '\0';
}

typedef struct folder_name {
  char plain[MAX_PLAIN + DIGITS + 2];
  uint64_t sum;    /* checksum of all added texts */
  bool is_changed; /* `plain` does not contain all characters */
} folder_name;

static void add(folder_name *name, const char *text) {
  const char *dot = strchr(text, '.');
  const char *equal = strchr(text, '=');
  const bool has_section = dot != NULL && equal != NULL && dot < equal; /* as in "parameters.k=50" */
  name->sum = checksum_add(name->sum, text, strlen(text) + 1);
  name->is_changed |= !put_plain(name->plain, MAX_PLAIN, "-");
  name->is_changed |= !put_plain(name->plain, MAX_PLAIN, has_section ? dot + 1 : text);
}

char *study_folder(const app_options *parsed, const char *model, const char *study) {
  folder_name name = {"", 0, false};
  for (size_t i = 0; i < parsed->n_overrides; i++)
    add(&name, parsed->overrides[i]);
  for (size_t i = 0; i < parsed->n_given; i++)
    if (parsed->table[parsed->given[i].row].names_folder)
      add(&name, parsed->given[i].value + strspn(parsed->given[i].value, "-"));
  if (name.is_changed)
    sprintf(name.plain + strlen(name.plain), "-%08" PRIx32, (uint32_t)name.sum);
  const size_t size = sizeof "results//" + strlen(model) + strlen(study) + strlen(name.plain);
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "results/%s/%s%s", model, study, name.plain);
  return path;
}

seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error) {
  const char *given = options_value(parsed, "-o");
  *directory = given != NULL ? strdup(given) : study_folder(parsed, model, study);
  return *directory != NULL ? output_make_directory(*directory, error) : out_of_memory(error);
}
