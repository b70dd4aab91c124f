/* Runs a fuzz target over every file of the folders that are named: the corpus as an ordinary test.
 * usage: fuzz_replay TARGET FOLDER... */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 20 };

typedef int fuzz_target(const uint8_t *data, size_t size);

fuzz_target fuzz_parse, fuzz_override, fuzz_scheme, fuzz_expression, fuzz_image, fuzz_checkpoint;

static const struct {
  const char *name;
  fuzz_target *run;
} targets[] = {{"parse", fuzz_parse},           {"override", fuzz_override}, {"scheme", fuzz_scheme},
               {"expression", fuzz_expression}, {"image", fuzz_image},       {"checkpoint", fuzz_checkpoint}};

static int replay_file(fuzz_target *target, const char *folder, const char *name) {
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
  target(exact, size);
  free(exact);
  return 0;
}

static int replay_folder(fuzz_target *target, const char *folder) {
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
    failed |= replay_file(target, folder, entry->d_name);
    n++;
  }
  closedir(entries);
  printf("%s: %d files\n", folder, n);
  return failed || n == 0;
}

int main(int argc, char **argv) {
  fuzz_target *target = NULL;
  for (size_t i = 0; argc > 2 && i < sizeof targets / sizeof *targets; i++)
    if (strcmp(argv[1], targets[i].name) == 0)
      target = targets[i].run;
  int failed = target == NULL;
  for (int i = 2; i < argc && target != NULL; i++)
    failed |= replay_folder(target, argv[i]);
  return failed;
}
