#include "app/failure.h"

#include <stdio.h>

#include "base/printable.h"

seam_status out_of_memory(seam_error *error) { return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted"); }

void print_name(const char *text) {
  char printed[FILENAME_MAX];
  snprintf(printed, sizeof printed, "%s", text);
  text_make_printable(printed);
  fputs(printed, stderr);
}

void print_note(void *context, const char *note) {
  (void)context;
  fprintf(stderr, "note: %s\n", note);
}

int print_failure(const seam_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return seam_status_exit(error->status);
}
