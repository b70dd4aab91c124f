/* The file: a head, then the blocks (arguments, each with its terminating zero; model; peaks; image), each filled up
 * with zeros to a multiple of 8 bytes. Numbers are as the machine has them: a checkpoint is for the machine that wrote
 * it. */
#include "app/results/checkpoint.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/hash.h"

enum { ARGUMENTS, MODEL, PEAKS, IMAGE, N_BLOCKS };
enum { FORMAT_VERSION = 2, ALIGNMENT = 8 };
static const char magic[8] = "seamrun";

typedef struct head {
  char magic[8];
  char seam[16]; /* version of the program */
  uint64_t version, n_arguments;
  uint64_t size[N_BLOCKS];
  uint64_t sum; /* of all that follows */
  app_position position;
} head;

/* In words; the last one is filled up with zeros. */
static uint64_t add_to_sum(uint64_t sum, const void *data, size_t size) {
  const char *at = data;
  for (size_t i = 0; i < size; i += ALIGNMENT) {
    uint64_t word = 0;
    memcpy(&word, at + i, size - i < ALIGNMENT ? size - i : ALIGNMENT);
    sum = hash_word(sum, word);
  }
  return sum;
}

static size_t padded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static uint64_t sum_of(const app_position *position, const app_block blocks[N_BLOCKS]) {
  uint64_t sum = add_to_sum(HASH_START, position, sizeof *position);
  for (int b = 0; b < N_BLOCKS; b++)
    sum = add_to_sum(sum, blocks[b].data, blocks[b].size);
  return sum;
}

/* ---- Writing ---- */

static char *join_arguments(const app_checkpoint *checkpoint, size_t *size) {
  *size = 0;
  for (int i = 0; i < checkpoint->n_arguments; i++)
    *size += strlen(checkpoint->arguments[i]) + 1;
  char *joined = malloc(*size + 1);
  char *at = joined;
  for (int i = 0; i < checkpoint->n_arguments && joined; i++) {
    const size_t length = strlen(checkpoint->arguments[i]) + 1;
    memcpy(at, checkpoint->arguments[i], length);
    at += length;
  }
  return joined;
}

static void write_block(FILE *file, const app_block *block) {
  static const char zeros[ALIGNMENT] = {0};
  if (block->size == 0)
    return;
  fwrite(block->data, 1, block->size, file);
  fwrite(zeros, 1, padded(block->size) - block->size, file);
}

seam_status checkpoint_write(const char *path, const app_checkpoint *checkpoint, seam_error *error) {
  app_block blocks[N_BLOCKS] = {[MODEL] = checkpoint->model, [PEAKS] = checkpoint->peaks, [IMAGE] = checkpoint->image};
  char *arguments = join_arguments(checkpoint, &blocks[ARGUMENTS].size);
  if (!arguments)
    return out_of_memory(error);
  blocks[ARGUMENTS].data = arguments;

  head first;
  memset(&first, 0, sizeof first);
  memcpy(first.magic, magic, sizeof magic);
  strncpy(first.seam, seam_version(), sizeof first.seam - 1);
  first.version = FORMAT_VERSION;
  first.n_arguments = (uint64_t)checkpoint->n_arguments;
  memcpy(&first.position, &checkpoint->position, sizeof first.position);
  for (int b = 0; b < N_BLOCKS; b++)
    first.size[b] = blocks[b].size;
  first.sum = sum_of(&first.position, blocks);

  app_replacement out;
  seam_status status = output_replace(path, &out, error);
  if (status == SEAM_OK) {
    fwrite(&first, sizeof first, 1, out.file);
    for (int b = 0; b < N_BLOCKS; b++)
      write_block(out.file, &blocks[b]);
    status = output_commit(&out, error);
  }
  free(arguments);
  return status;
}

/* ---- Reading ---- */

static seam_status read_bytes(const char *path, char **bytes, size_t *size, seam_error *error) {
  struct stat found;
  FILE *file = fopen(path, "rb");
  if (!file || fstat(fileno(file), &found) != 0 || S_ISDIR(found.st_mode)) {
    const int cause = file ? EISDIR : errno;
    if (file)
      fclose(file);
    return seam_fail(error, SEAM_NO_FILE, "%s: the checkpoint cannot be read (%s)", path, strerror(cause));
  }
  *bytes = malloc((size_t)found.st_size + 1);
  *size = *bytes ? fread(*bytes, 1, (size_t)found.st_size, file) : 0;
  fclose(file);
  return *bytes ? SEAM_OK : out_of_memory(error);
}

/* Finds the blocks; false when they are not all there, or are not what was written. */
static bool find_blocks(const char *bytes, size_t size, head *first, app_block blocks[N_BLOCKS]) {
  size_t at = sizeof *first;
  if (size < at)
    return false;
  memcpy(first, bytes, sizeof *first);
  if (memcmp(first->magic, magic, sizeof magic) != 0 || first->version != FORMAT_VERSION ||
      strncmp(first->seam, seam_version(), sizeof first->seam) != 0)
    return false;
  for (int b = 0; b < N_BLOCKS; b++) {
    if (first->size[b] > size - at || padded(first->size[b]) > size - at)
      return false;
    blocks[b] = (app_block){bytes + at, first->size[b]};
    at += padded(first->size[b]);
  }
  return at == size && first->sum == sum_of(&first->position, blocks);
}

static seam_status list_arguments(app_checkpoint *read, char *text, size_t n, seam_error *error) {
  read->arguments = calloc(n + 1, sizeof *read->arguments);
  if (!read->arguments)
    return out_of_memory(error);
  for (size_t i = 0; i < n; i++, text += strlen(text) + 1)
    read->arguments[i] = text;
  read->n_arguments = (int)n;
  return SEAM_OK;
}

seam_status checkpoint_read(const char *path, app_checkpoint *read, seam_error *error) {
  head first;
  app_block blocks[N_BLOCKS];
  char *bytes = NULL;
  size_t size = 0;
  *read = (app_checkpoint){0};
  const seam_status status = read_bytes(path, &bytes, &size, error);
  read->memory = bytes;
  if (status != SEAM_OK)
    return status;
  if (!find_blocks(bytes, size, &first, blocks))
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s: this is not a complete checkpoint of this version of Seam (%s); name a file that 'seam run "
                     "--checkpoint' wrote, or run the model again",
                     path, seam_version());
  read->position = first.position;
  read->model = blocks[MODEL];
  read->peaks = blocks[PEAKS];
  read->image = blocks[IMAGE];
  return list_arguments(read, bytes + sizeof first, first.n_arguments, error);
}

void checkpoint_free(app_checkpoint *read) {
  free((void *)read->arguments);
  free(read->memory);
}
