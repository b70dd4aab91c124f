#include "mbs/names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b) {
  return strcmp(((const mbs_name *)a)->text, ((const mbs_name *)b)->text);
}

static void destroy(mbs_name *name) {
  if (name == NULL)
    return;
  free(name->text);
  free(name);
}

const mbs_name *mbs_names_find(const mbs_names *names, const char *text) {
  const mbs_name key = {.text = (char *)text};
  mbs_name *const *found = tfind(&key, names, compare);
  return found == NULL ? NULL : *found;
}

const mbs_name *mbs_names_add(mbs_names *names, const char *text, mbs_name_kind kind, int index) {
  mbs_name *name = malloc(sizeof *name);
  if (name == NULL)
    return NULL;
  *name = (mbs_name){.text = strdup(text), .kind = kind, .index = index};
  if (name->text == NULL || tsearch(name, names, compare) == NULL) {
    destroy(name);
    return NULL;
  }
  return name;
}

void mbs_names_clear(mbs_names *names) {
  while (*names != NULL) {
    mbs_name *name = *(mbs_name **)*names;
    tdelete(name, names, compare);
    destroy(name);
  }
}
