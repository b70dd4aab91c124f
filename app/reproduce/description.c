#include "app/reproduce/description.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <seam/models.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/nearest.h"
#include "base/then.h"

seam_status description_fail(const description *self, const char *part, seam_error *error, const char *format, ...) {
  char cause[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(cause, sizeof cause, format, arguments);
  va_end(arguments);
  return seam_fail(error, SEAM_BAD_INPUT, "%.100s/%.100s: error: %.100s: %s", self->source, self->name, part, cause);
}

static seam_status parse(description *self, const char *path, seam_error *error) {
  static const char *const keys[] = {"what", "claim", "quick", "studies", "tables"};
  json_failure failure = {0};
  const seam_status status = seam_yaml_json(path, self->text, strlen(self->text), &self->json, error);
  if (status != SEAM_OK)
    return status;
  if (!json_parse(self->json, &self->memory, &self->root, &failure))
    return out_of_memory(error);
  if (self->root == NULL || self->root->kind != JSON_OBJECT)
    return description_fail(self, "the file", error, "it is not a map; write what, claim, studies and tables");
  for (const json_node *one = self->root->first; one != NULL; one = one->next) {
    char hint[80];
    nearest search = nearest_to(one->key);
    bool is_known = false;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
      nearest_try(&search, keys[i]);
      is_known = is_known || strcmp(keys[i], one->key) == 0;
    }
    nearest_hint(&search, hint, sizeof hint);
    if (!is_known)
      return description_fail(self, one->key, error, "unknown key; %s",
                              *hint != '\0' ? hint : "the keys are what, claim, quick, studies, tables");
  }
  self->studies = json_get(self->root, "studies");
  self->tables = json_get(self->root, "tables");
  if (json_text(self->root, "what") == NULL)
    return description_fail(self, "what", error, "it is missing; say in one line what the figure shows");
  if (self->studies == NULL || self->studies->kind != JSON_OBJECT || self->studies->first == NULL)
    return description_fail(self, "studies", error, "at least one study is needed; write {NAME: {command: ...}}");
  if (self->tables != NULL && self->tables->kind != JSON_OBJECT)
    return description_fail(self, "tables", error, "it is not a map; write {NAME: {rows: ...}}");
  return SEAM_OK;
}

seam_status description_read(size_t i, description *self, seam_error *error) {
  const char *name = published_rows[i].name;
  const char *slash = strchr(name, '/');
  *self = (description){.text = (const char *)published_rows[i].text};
  self->source = arena_text(&self->memory, name, (size_t)(slash - name));
  self->name = arena_text(&self->memory, slash + 1, strlen(slash + 1));
  return self->source != NULL && self->name != NULL ? parse(self, name, error) : out_of_memory(error);
}

seam_status description_read_file(const char *path, description *self, seam_error *error) {
  const char *slash = strrchr(path, '/');
  const char *base = slash != NULL ? slash + 1 : path;
  *self = (description){.text = ""};
  self->source = arena_text(&self->memory, "file", strlen("file"));
  self->name = arena_text(&self->memory, base, strcspn(base, ".") > 0 ? (size_t)(strrchr(base, '.') - base) : 0);
  if (self->source == NULL || self->name == NULL)
    return out_of_memory(error);
  seam_status status = output_read(path, &self->owned, error);
  self->text = self->owned;
  THEN(status, parse(self, path, error));
  return status;
}

void description_free(description *self) {
  free(self->json);
  free(self->owned);
  arena_release(&self->memory);
  *self = (description){.text = ""};
}

const char *description_title(const description *self) { return json_text(self->root, "what"); }

const char *description_claim(const description *self) { return json_text(self->root, "claim"); }

bool description_is_quick(const description *self) {
  const char *text = json_text(self->root, "quick");
  return text != NULL && strcmp(text, "true") == 0;
}

/* Compares names; numbers in names are compared by value. */
static int compare_names(const void *first, const void *second) {
  const char *a = published_rows[*(const size_t *)first].name;
  const char *b = published_rows[*(const size_t *)second].name;
  for (; *a != '\0' && *b != '\0'; a++, b++) {
    if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
      char *after_a = NULL;
      char *after_b = NULL;
      const long x = strtol(a, &after_a, 10);
      const long y = strtol(b, &after_b, 10);
      if (x != y)
        return x < y ? -1 : 1;
      a = after_a - 1;
      b = after_b - 1;
    } else if (*a != *b)
      return *a < *b ? -1 : 1;
  }
  return (*a != '\0') - (*b != '\0');
}

size_t *description_order(void) {
  size_t *order = calloc(published_size + 1, sizeof *order);
  for (size_t i = 0; i < published_size && order != NULL; i++)
    order[i] = i;
  if (order != NULL)
    qsort(order, published_size, sizeof *order, compare_names);
  return order;
}
