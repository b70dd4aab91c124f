#include "models/model_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "base/argument.h"
#include "base/json.h"
#include "base/memory_stream.h"
#include "base/then.h"

enum {
  BROKEN_LEVELS = 2, /* sections, and the entries of a section, begin a new line */
  MAX_IN_LINE = 64   /* numbers of a list in one line, since lines of YAML have a limit */
};

/* The recursion is as deep as the tree, which yaml_parse() limits. */
static void write_node(FILE *to, const yaml_node *node, int level) {
  const bool is_map = node->kind == YAML_MAP;
  size_t n = 0;
  if (node->kind == YAML_SCALAR) {
    if (node->is_number)
      json_write_number(to, node->number);
    else if (node->text != NULL)
      json_quote(to, node->text);
    else
      fputs("null", to);
    return;
  }
  fputc(is_map ? '{' : '[', to);
  for (const yaml_node *child = node->first; child != NULL; child = child->next) {
    if (is_map && level < BROKEN_LEVELS)
      fprintf(to, "\n%*s", 2 * (level + 1), "");
    else if (!is_map && n++ % MAX_IN_LINE == MAX_IN_LINE - 1)
      fputc('\n', to);
    if (is_map) {
      json_quote(to, child->key->text);
      fputs(": ", to);
    }
    write_node(to, child, is_map ? level + 1 : BROKEN_LEVELS + 1);
    if (child->next != NULL)
      fputs(is_map && level < BROKEN_LEVELS ? "," : ", ", to);
  }
  if (is_map && node->first != NULL && level < BROKEN_LEVELS)
    fprintf(to, "\n%*s", 2 * level, "");
  fputc(is_map ? '}' : ']', to);
}

char *model_json(const yaml_node *root) {
  char *text = NULL;
  size_t size = 0;
  FILE *stream = memory_stream_open(&text, &size);
  if (stream == NULL)
    return NULL;
  write_node(stream, root, 0);
  const bool failed = ferror(stream) != 0;
  if (fclose(stream) == 0 && !failed)
    return text;
  free(text);
  return NULL;
}

seam_status seam_yaml_json(const char *name, const char *text, size_t length, char **json, seam_error *error) {
  ARGUMENTS(error, name, text, json);
  const source from = {.name = name, .text = text, .length = length};
  arena memory = {0};
  yaml_node *root = NULL;
  seam_status status = yaml_parse(&from, &memory, &root, error);
  THEN(status, root == NULL ? source_fail(&from, 0, error, "", "the file is empty") : SEAM_OK);
  if (status == SEAM_OK && (*json = model_json(root)) == NULL)
    status = seam_fail(error, SEAM_NO_MEMORY, "memory is exhausted");
  arena_release(&memory);
  return status;
}
