#include "app/start_changes.h"

#include <stdio.h>

#include "app/failure.h"

void start_changes_print(const seam_start_changes *changes, const mbs_model *model, const char *who, const char *hint) {
  for (size_t k = 0; k < changes->n; k++) {
    const seam_start_change *change = &changes->list[k];
    fprintf(stderr, "%s", k == 0 ? "note: " : ", ");
    if (k == 0)
      fprintf(stderr, "%s, most of all ", who);
    print_name(mbs_body_name(model, change->body));
    fprintf(stderr, ".%s from %.6g to %.6g %s", seam_start_coordinate(change->coordinate), change->before,
            change->after, seam_start_coordinate_unit(change->coordinate));
  }
  if (changes->n > 0)
    fprintf(stderr, "; %s\n", hint);
}
