/* The archive of a system: its description, and parameter sets in separate files. */
#include "fmi/ssd.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/scratch.h"
#include "base/then.h"
#include "fmi/archive.h"
#include "fmi/ssd_reader.h"

#define DESCRIPTION "SystemStructure.ssd"
enum { LARGEST = 50 * 1000 * 1000 }; /* bytes, largest description or parameter set */

/* ---- Entries ----------------------------------------------------------------------------------------------------- */

static int digit_of(char c) {
  const char *digits = "0123456789abcdef";
  const char *at = c != '\0' ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return at != NULL ? (int)(at - digits) : -1;
}

const char *ssd_entry(arena *memory, const char *uri) {
  char *entry = arena_text(memory, uri, strlen(uri));
  char *to = entry;
  if (entry == NULL || uri[0] == '\0' || uri[0] == '/' || strcspn(uri, ":") < strcspn(uri, "/") || strchr(uri, '#'))
    return NULL;
  if (strncmp(uri, "./", 2) == 0)
    uri += 2;
  for (; *uri != '\0'; uri++) {
    const int high = *uri == '%' ? digit_of(uri[1]) : -1, low = high >= 0 ? digit_of(uri[2]) : -1;
    *to++ = (char)(low >= 0 ? 16 * high + low : *uri);
    uri += low >= 0 ? 2 : 0;
  }
  *to = '\0';
  return strstr(entry, "..") == NULL && strlen(entry) == (size_t)(to - entry) ? entry : NULL;
}

static seam_status read_file(const char *path, char **text, size_t *size, seam_error *error) {
  *text = file_read(path, LARGEST, size);
  if (*text != NULL)
    return SEAM_OK;
  if (errno == ENOMEM)
    return seam_fail(error, SEAM_NO_MEMORY, "no memory for a system");
  if (errno == EFBIG)
    return seam_fail(error, SEAM_BAD_INPUT, "a description of more than %d bytes", LARGEST);
  return seam_fail(error, SEAM_NO_FILE, "%s: %s", path, file_cause(errno));
}

/* Extracts an entry into a private folder, which is then removed, and returns its text, to be freed. */
static seam_status extract(const char *archive, const char *entry, char **text, size_t *size, seam_error *error) {
  const fmi_limits limits = fmi_default_limits();
  char *folder = NULL, *path = NULL;
  seam_status status = scratch_make(&folder, error);
  if (status != SEAM_OK)
    return status;
  path = malloc(strlen(folder) + sizeof "/entry");
  if (path == NULL) {
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a path", archive);
  } else {
    sprintf(path, "%s/entry", folder);
    status = fmi_archive_extract_entry(archive, entry, path, &limits, error);
  }
  THEN(status, read_file(path, text, size, error));
  scratch_remove(folder);
  free(folder);
  free(path);
  return status;
}

void ssd_read_entry(ssd_reader *r, const char *uri, ssd_element_kind root) {
  const ssd_reader outer = *r;
  char *text = NULL;
  size_t size = 0;
  const char *entry = ssd_entry(r->base.memory, uri);
  if (entry == NULL) {
    FMI_ADD_PROBLEM(&r->base, "'%s' is not an entry of the archive: give a path below its resources/", uri);
    return;
  }
  const size_t length = strlen(r->archive) + strlen(entry) + 2;
  char *location = arena_allocate(r->base.memory, length);
  r->base.no_memory |= location == NULL;
  r->status = extract(r->archive, entry, &text, &size, &r->error);
  if (r->status == SEAM_OK && location != NULL) {
    snprintf(location, length, "%s/%s", r->archive, entry);
    r->base.location = location;
    r->depth = 0;
    r->root = root;
    ssd_read(r, text, size);
  }
  free(text);
  r->base.parser = outer.base.parser;
  r->base.location = outer.base.location;
  r->depth = outer.depth;
  r->root = outer.root;
  memcpy(r->path, outer.path, sizeof r->path);
}

/* ---- The system -------------------------------------------------------------------------------------------------- */

/* Moves a list into the system's memory. */
static void *move_list(ssd_reader *r, fmi_list *from, size_t size, size_t *n) {
  void *copy = fmi_reader_copy_list(&r->base, from, size, n);
  free(from->items);
  return copy;
}

seam_status ssd_open(const char *path, ssd_system **opened, seam_error *error) {
  ssd_system *result = calloc(1, sizeof *result);
  *opened = NULL;
  if (result == NULL)
    return seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a system", path);
  result->start = result->stop = result->macro_step = NAN;
  const size_t length = strlen(path) + sizeof "/" DESCRIPTION;
  char *location = arena_allocate(&result->memory, length);
  ssd_reader r = {
      .base = {.location = location, .version = FMI_2, .memory = &result->memory, .no_memory = location == NULL},
      .result = result,
      .archive = path,
      .component = SEAM_NONE,
      .prefix = ""};
  if (location != NULL) {
    snprintf(location, length, "%s/%s", path, DESCRIPTION);
    result->file = location;
    ssd_read_entry(&r, DESCRIPTION, SSD_IN_ROOT);
  }
  const char *problem = r.base.problems.n > 0 ? *(const char **)r.base.problems.items : NULL;
  result->components = move_list(&r, &r.components, sizeof *result->components, &result->n_components);
  result->connectors = move_list(&r, &r.connectors, sizeof *result->connectors, &result->n_connectors);
  result->values = move_list(&r, &r.values, sizeof *result->values, &result->n_values);
  result->connections = move_list(&r, &r.connections, sizeof *result->connections, &result->n_connections);
  result->units = move_list(&r, &r.units, sizeof *result->units, &result->n_units);
  free(r.mapping.items), free(r.base.problems.items);
  seam_status status = r.status;
  if (r.base.no_memory)
    status = seam_fail(error, SEAM_NO_MEMORY, "%s: no memory for a system", path);
  else if (status != SEAM_OK)
    seam_fail(error, status, "%s", r.error.message);
  else if (problem != NULL)
    status = seam_fail(error, SEAM_BAD_INPUT, "%s", problem);
  if (status == SEAM_OK)
    *opened = result;
  else
    ssd_close(result);
  return status;
}

void ssd_close(ssd_system *self) {
  if (self == NULL)
    return;
  arena memory = self->memory;
  arena_release(&memory);
  free(self);
}
