/* `seam new`: writes a commented model to start from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <seam/models.h>

#include "app/assets.h"
#include "app/command.h"
#include "app/failure.h"
#include "app/results/output.h"
#include "base/then.h"

/* Writes a model and, beside it, the schema that its first line names. An existing schema is replaced; an existing
 * model is an error. */
static seam_status make(const char *path, seam_error *error) {
  static const char name[] = "seam.schema.json";
  const char *slash = strrchr(path, '/');
  const size_t length = slash != NULL ? (size_t)(slash - path) + 1 : 0; /* of the folder, with its slash */
  struct stat found;
  if (access(path, F_OK) == 0)
    return seam_fail(error, SEAM_BAD_INPUT, "seam: '%.200s' exists already; choose another name", path);
  char *folder = strndup(path, length);
  const bool has_folder = length == 0 || (folder != NULL && stat(folder, &found) == 0 && S_ISDIR(found.st_mode));
  free(folder);
  if (!has_folder)
    return seam_fail(error, SEAM_NO_FILE, "seam: %.200s: there is no folder '%.*s'; make it, or give another name",
                     path, (int)length - 1, path);
  char *text = NULL;
  char *schema = malloc(length + sizeof name);
  seam_status status = output_text(path, asset("template.yaml"), error);
  THEN(status, schema != NULL ? seam_model_schema(&text, error) : out_of_memory(error));
  if (status == SEAM_OK) {
    sprintf(schema, "%.*s%s", (int)length, path, name);
    status = output_text(schema, text, error);
  }
  free(schema);
  free(text);
  return status;
}

static int new_model(const app_options *parsed, seam_error *error) {
  const char *name = parsed->operands[0];
  const char *dot = strrchr(name, '.');
  const bool has_ending = dot != NULL && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
  char *path = malloc(strlen(name) + sizeof ".yaml");
  if (path != NULL)
    sprintf(path, "%s%s", name, has_ending ? "" : ".yaml");
  const seam_status status = path != NULL ? make(path, error) : out_of_memory(error);
  if (status == SEAM_OK)
    printf("%s: a model to start from; try 'seam check %s', 'seam draw %s', 'seam run %s'\n", path, path, path, path);
  free(path);
  return seam_status_exit(status);
}

static const app_option table[] = {OPTION_HELP, {0}};

const app_command new_command = {
    .name = "new",
    .summary = "write a commented model to start from",
    .operands = "NAME",
    .details =
        "Writes NAME.yaml, a model that runs, with a comment beside each key, and beside it seam.schema.json, by\n"
        "which an editor completes and checks keys. A file that is there is left as it is.\n"
        "\n"
        "  seam new swing && seam run swing.yaml",
    .options = table,
    .n_operands = {1, 1},
    .run = new_model,
};
