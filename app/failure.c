#include "app/failure.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "base/utf8.h"

seam_status out_of_memory(seam_error *error) { return seam_fail(error, SEAM_NO_MEMORY, "seam: memory is exhausted"); }

void print_name(const char *text) {
  char printed[FILENAME_MAX];
  snprintf(printed, sizeof printed, "%s", text);
  text_make_printable(printed);
  fputs(printed, stderr);
}

/* Several threads may call this at once. */
void print_note(void *context, const char *note) {
  static atomic_uint_least64_t printed[64]; /* checksums of the first notes */
  const uint64_t sum = checksum_add(0, note, strlen(note));
  (void)context;
  for (size_t i = 0; i < sizeof printed / sizeof *printed; i++) {
    uint64_t found = 0;
    if (atomic_compare_exchange_strong(&printed[i], &found, sum))
      break;
    if (found == sum)
      return;
  }
  fprintf(stderr, "note: %s\n", note);
}

int print_failure(const seam_error *error) {
  fprintf(stderr, "%s\n", error->message);
  return seam_status_exit(error->status);
}
