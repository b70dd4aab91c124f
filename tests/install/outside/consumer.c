/* Uses each public header and calls into the library. */
#include <stdio.h>
#include <string.h>

#include <seam/law.h>
#include <seam/mbs.h>
#include <seam/models.h>
#include <seam/status.h>

int main(void) {
  printf("Seam %s, %zu models in the catalogue\n", seam_version(), seam_catalogue_size());
  mbs_body_def body = mbs_default_body_def();
  mbs_builder *builder = NULL;
  seam_error error = {0};
  if (mbs_builder_create(&builder, &error) != SEAM_OK)
    return 1;
  body.name = "ball";
  body.mass = -1;
  seam_status status = mbs_add_body(builder, &body, &error);
  mbs_builder_destroy(builder);
  return status == SEAM_BAD_INPUT && strlen(error.message) > 0 ? 0 : 1;
}
