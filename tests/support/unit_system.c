#include "tests/support/unit_system.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/support/unit_fmu.h"

char *read_bytes(const char *path, size_t *size) {
  struct stat about;
  cr_assert_eq(stat(path, &about), 0, "%s", path);
  char *bytes = malloc((size_t)about.st_size + 1);
  FILE *file = fopen(path, "rb");
  *size = fread(bytes, 1, (size_t)about.st_size, file);
  fclose(file);
  return bytes;
}

void write_system(const char *path, const char *description, const fmi_entry *more, size_t n_more) {
  const unit_options options = default_unit_options(FMI_2);
  fmi_entry entries[8];
  size_t n = 0, size = 0;
  write_unit("written.fmu", &options);
  char *unit = read_bytes("written.fmu", &size);
  if (description != NULL)
    entries[n++] = (fmi_entry){"SystemStructure.ssd", description, strlen(description)};
  entries[n++] = (fmi_entry){"resources/unit.fmu", unit, size};
  for (size_t i = 0; i < n_more; i++)
    entries[n++] = more[i];
  cr_assert_eq(fmi_archive_write(path, entries, n, NULL), SEAM_OK);
  free(unit);
}
