#include "models/sections/point_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/then.h"
#include "models/csv.h"

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
  column->from = value->from;
  column->offset = value->offset;
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
  const char *path = reader_path(r, value);
  source file = {.name = path};
  status = path != NULL ? read_text(r, value, path, &text, &file.length) : reader_no_memory(r);
  file.text = text;
  THEN(status, csv_read_two(&file, columns, numbers, n, r->error));
  free(text);
  return status;
}
