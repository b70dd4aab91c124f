#include "models/sections/point_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "models/csv.h"

/* A path in the model file begins where that is, one of the command line where the command runs. */
static char *path_of(reader *r, const yaml_node *value) {
  const char *slash = strrchr(r->file.name, '/');
  const bool is_local = value->text[0] != '/' && slash != NULL && !value->from->is_option;
  const size_t length = is_local ? (size_t)(slash - r->file.name) + 1 : 0;
  char *path = arena_take(&r->memory, length + strlen(value->text) + 1);
  if (path != NULL)
    sprintf(path, "%.*s%s", (int)length, r->file.name, value->text);
  return path;
}

static seam_status fail_to_open(reader *r, const yaml_node *value, const char *path, const char *why) {
  return reader_fail(r, value, "a path is relative to the folder of the model file", "cannot read '%.200s': %s", path,
                     why);
}

static seam_status read_text(reader *r, const yaml_node *value, const char *path, char **text, size_t *length) {
  struct stat about;
  FILE *stream = fopen(path, "rb");
  if (stream == NULL)
    return fail_to_open(r, value, path, strerror(errno));
  const bool is_plain = fstat(fileno(stream), &about) == 0 && S_ISREG(about.st_mode);
  seam_status status = SEAM_OK;
  if (!is_plain)
    status = fail_to_open(r, value, path, "it is not a file");
  else if (about.st_size > CSV_LARGEST)
    status = fail_to_open(r, value, path, "it has more than 500 MB");
  else if ((*text = malloc((size_t)about.st_size + 1)) == NULL)
    status = reader_no_memory(r);
  if (status == SEAM_OK) {
    *length = fread(*text, 1, (size_t)about.st_size, stream);
    (*text)[*length] = '\0';
    if (ferror(stream))
      status = fail_to_open(r, value, path, strerror(errno));
  }
  fclose(stream);
  return status;
}

static seam_status read_column(reader *r, const yaml_node *value, size_t number, csv_column *column) {
  *column = (csv_column){.number = number};
  if (value == NULL)
    return SEAM_OK;
  if (value->kind == YAML_LIST)
    return reader_fail(r, value, "give 'file', or both lists", "beside 'file', '%s' is the name of a column",
                       value->key->text);
  return reader_text(r, value, &column->name);
}

seam_status point_file_read(reader *r, const yaml_node *value, yaml_node *const names[2], double **numbers, size_t *n) {
  csv_column columns[2];
  const char *name = NULL;
  seam_status status = reader_text(r, value, &name);
  for (size_t i = 0; i < 2 && status == SEAM_OK; i++)
    status = read_column(r, names[i], i, &columns[i]);
  if (status != SEAM_OK)
    return status;
  char *text = NULL;
  const char *path = path_of(r, value);
  source file = {.name = path};
  status = path != NULL ? read_text(r, value, path, &text, &file.length) : reader_no_memory(r);
  file.text = text;
  if (status == SEAM_OK)
    status = csv_read_two(&file, columns, numbers, n, r->error);
  free(text);
  return status;
}
