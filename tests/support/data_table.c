#include "tests/support/data_table.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

data_table data_table_open(const char *name) {
  char path[512];
  data_table t = {0};
  snprintf(path, sizeof path, "%s/tests/data/%s", SEAM_SOURCE_DIR, name);
  t.file = fopen(path, "r");
  cr_assert_not_null(t.file, "%s", path);
  cr_assert_not_null(fgets(t.line, sizeof t.line, t.file));
  return t;
}

int data_table_next(data_table *t) {
  int n = 0;
  char *rest = NULL;
  if (fgets(t->line, sizeof t->line, t->file) == NULL) {
    fclose(t->file);
    return 0;
  }
  for (char *word = strtok_r(t->line, ";\n", &rest); word && n < MAX_COLUMNS; word = strtok_r(NULL, ";\n", &rest)) {
    t->word[n] = word;
    t->number[n++] = strtod(word, NULL);
  }
  return n;
}
