/* Fuzz target: behind a right head and a right checksum, any counts and blocks are a checkpoint whose parts are within
 * the file, or are refused. The input: number of arguments, sizes of the blocks, blocks. */
#include "app/results/checkpoint.c" /* NOLINT(bugprone-suspicious-include): its reader is not visible elsewhere */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect_within(const char *bytes, size_t size, const char *text) {
  if (text < bytes || text >= bytes + size || memchr(text, '\0', size - (size_t)(text - bytes)) == NULL)
    abort();
}

static void check(char *bytes, size_t size) {
  head first;
  app_block blocks[N_BLOCKS];
  app_checkpoint read = {0};
  if (find_head(bytes, size, &first) && is_of_this_version(&first) && find_blocks(bytes, size, &first, blocks) &&
      list_arguments(&read, bytes + sizeof first, first.n_arguments, NULL) == SEAM_OK) {
    for (int i = 0; i < read.n_arguments; i++)
      expect_within(bytes, size, read.arguments[i]);
    expect_within(bytes, size, blocks[MODEL].data);
    free((void *)read.arguments);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { of_counts = sizeof(uint64_t) * (1 + N_BLOCKS) };
  if (size < of_counts)
    return 0;
  head first;
  fill_head(&first, &(app_checkpoint){0}, (app_block[N_BLOCKS]){{0}});
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
