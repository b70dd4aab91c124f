/* Fuzz target: behind a right head and a right checksum, any counts and blocks are a checkpoint whose parts are within
 * the file, or are refused. The input: number of arguments, sizes of the blocks, blocks. */
#include "app/results/checkpoint.c" /* NOLINT(bugprone-suspicious-include): its head is not visible elsewhere */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_within(const char *bytes, size_t size, const char *text) {
  if (text < bytes || text >= bytes + size || memchr(text, '\0', size - (size_t)(text - bytes)) == NULL)
    abort();
}

static void check(const char *bytes, size_t size) {
  char path[40];
  app_checkpoint read;
  FILE *file = tmpfile();
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fflush(file) != 0)
    abort();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
  if (checkpoint_read(path, &read, NULL) == SEAM_OK) {
    for (int i = 0; i < read.n_arguments; i++)
      expect_within(read.memory, size, read.arguments[i]);
    expect_within(read.memory, size, read.model.data);
  }
  checkpoint_free(&read);
  fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { of_counts = sizeof(uint64_t) * (1 + N_BLOCKS) };
  if (size < of_counts)
    return 0;
  head first = {.version = FORMAT_VERSION, .head_size = sizeof first};
  memcpy(first.magic, magic, sizeof magic);
  strncpy(first.seam, seam_version(), sizeof first.seam - 1);
  memcpy(&first.n_arguments, data, sizeof first.n_arguments);
  memcpy(first.size, data + sizeof first.n_arguments, sizeof first.size);
  const size_t of_blocks = size - of_counts;
  const size_t end = sizeof first + of_blocks;
  char *bytes = malloc(end + sizeof(uint64_t));
  if (bytes == NULL)
    return 0;
  memcpy(bytes, &first, sizeof first);
  memcpy(bytes + sizeof first, data + of_counts, of_blocks);
  const uint64_t sum = checksum_add(0, bytes, end);
  memcpy(bytes + end, &sum, sizeof sum);
  check(bytes, end + sizeof sum);
  free(bytes);
  return 0;
}
