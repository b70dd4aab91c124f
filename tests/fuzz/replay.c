/* Runs the fuzz target over every file of the folders that are named: the corpus as an ordinary test. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LARGEST = 1 << 20 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *folder, const char *name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *stream = fopen(path, "rb");
  uint8_t *data = malloc(LARGEST);
  if (!stream || !data) {
    fprintf(stderr, "%s: cannot read the file\n", path);
    if (stream)
      fclose(stream);
    free(data);
    return 1;
  }
  const size_t size = fread(data, 1, LARGEST, stream);
  fclose(stream);
  uint8_t *exact = realloc(data, size + (size == 0)); /* so that the address sanitizer notices a read beyond the end */
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  return 0;
}

static int replay_folder(const char *folder) {
  DIR *entries = opendir(folder);
  if (!entries) {
    fprintf(stderr, "%s: cannot open the folder\n", folder);
    return 1;
  }
  int failed = 0;
  int n = 0;
  for (const struct dirent *entry = readdir(entries); entry; entry = readdir(entries)) {
    if (entry->d_name[0] == '.')
      continue;
    failed |= replay_file(folder, entry->d_name);
    n++;
  }
  closedir(entries);
  printf("%s: %d files\n", folder, n);
  return failed || n == 0;
}

int main(int argc, char **argv) {
  int failed = argc < 2;
  for (int i = 1; i < argc; i++)
    failed |= replay_folder(argv[i]);
  return failed;
}
