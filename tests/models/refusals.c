/* Reads each file and prints a line with the reader's message, empty where it takes the file.
 * usage: refusals FILE... */
#include <stdio.h>
#include <string.h>

#include <seam/models.h>

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    seam_model_file *file = NULL;
    seam_error error = {0};
    (void)seam_model_file_read(argv[i], NULL, 0, &file, &error);
    printf("%.*s\n", (int)strcspn(error.message, "\n"), error.message);
    seam_model_file_destroy(file);
  }
  return 0;
}
