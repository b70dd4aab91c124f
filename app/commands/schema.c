/* `seam schema`: the JSON Schema of model files. */
#include <stdio.h>
#include <stdlib.h>

#include <seam/models.h>

#include "app/command.h"

static int schema(const app_options *parsed, seam_error *error) {
  char *text = NULL;
  (void)parsed;
  const seam_status status = seam_model_schema(&text, error);
  if (status == SEAM_OK)
    puts(text);
  free(text);
  return seam_status_exit(status);
}

static const app_option table[] = {OPTION_HELP, {0}};

const app_command schema_command = {
    .name = "schema",
    .summary = "print the JSON Schema of model files, for editors",
    .operands = "",
    .details =
        "Prints the JSON Schema (draft-07) of model files: their keys with meanings and units, made from the tables\n"
        "by which Seam reads them. An editor that knows YAML schemas completes keys and marks unknown ones in a\n"
        "file that names the schema in its first line:\n"
        "\n"
        "  seam schema > seam.schema.json\n"
        "  # yaml-language-server: $schema=seam.schema.json",
    .options = table,
    .run = schema,
};
