#include "app/results/study_folder.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"

enum { MAX_PLAIN = 100, DIGITS = 8 }; /* characters of a name, digits of its checksum */

/* Adds a text, with _ for characters that a shell or a file system may change. Returns true if there were none, and
 * room. */
static bool put_plain(char *name, size_t size, const char *text) {
  size_t n = strlen(name);
  bool is_plain = true;
  for (; *text != '\0' && n + 1 < size; text++) {
    const bool is_kept = isalnum((unsigned char)*text) || strchr("._=+-", *text) != NULL;
    is_plain &= is_kept;
    name[n++] = *text;
    if (!is_kept)
      name[n - 1] = '_';
  }
  name[n] = '\0';
  return is_plain && *text == '\0';
}

/* Returns the override without the section of its key. */
static const char *own_name(const char *override) {
  const char *dot = strchr(override, '.');
  const char *equal = strchr(override, '=');
  return dot != NULL && equal != NULL && dot < equal ? dot + 1 : override;
}

char *study_folder(const app_options *parsed, const char *model, const char *study) {
  char name[MAX_PLAIN + DIGITS + 2] = "";
  uint64_t sum = 0;
  bool is_plain = true;
  for (size_t i = 0; i < parsed->n_overrides; i++) {
    const char *override = parsed->overrides[i];
    sum = checksum_add(sum, override, strlen(override) + 1);
    is_plain &= put_plain(name, MAX_PLAIN, "-");
    is_plain &= put_plain(name, MAX_PLAIN, own_name(override));
  }
  if (!is_plain)
    sprintf(name + strlen(name), "-%08" PRIx32, (uint32_t)sum);
  const size_t size = sizeof "results//" + strlen(model) + strlen(study) + strlen(name);
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "results/%s/%s%s", model, study, name);
  return path;
}

seam_status study_folder_make(const app_options *parsed, const char *model, const char *study, char **directory,
                              seam_error *error) {
  const char *given = options_value(parsed, "-o");
  *directory = given != NULL ? strdup(given) : study_folder(parsed, model, study);
  return *directory != NULL ? output_make_directory(*directory, error) : out_of_memory(error);
}
