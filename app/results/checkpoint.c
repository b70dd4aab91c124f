/* The file is a head, three blocks, and the checksum of all bytes before it. The blocks are the arguments, each with
 * its terminating zero; the model; the run. Zeros fill each block up to a multiple of 8 bytes. Numbers are stored as in
 * memory: machines with another byte order cannot read them. */
#include "app/results/checkpoint.h"

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "app/failure.h"
#include "app/results/output.h"
#include "base/checksum.h"
#include "base/file.h"
#include "base/then.h"

enum { ARGUMENTS, MODEL, RUN, N_BLOCKS };
enum { FORMAT_VERSION = 11, ALIGNMENT = 8 };
static const char magic[8] = "seamrun";

typedef struct head {
  char magic[8];
  char seam[16]; /* version of the program */
  uint64_t version, head_size, n_arguments;
  uint64_t size[N_BLOCKS];
  app_extent extents[SEAM_N_RUN_TABLES][N_ROW_FORMATS];
} head;

static size_t padded(size_t size) { return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

static void write_bytes(FILE *file, uint64_t *sum, const void *data, size_t size) {
  if (size > 0)
    fwrite(data, 1, size, file);
  *sum = checksum_add(*sum, data, size);
}

seam_status checkpoint_write(const char *path, const app_checkpoint *checkpoint, seam_error *error) {
  static const char zeros[ALIGNMENT] = {0};
  app_block blocks[N_BLOCKS] = {[MODEL] = checkpoint->model, [RUN] = checkpoint->run};
  for (int i = 0; i < checkpoint->n_arguments; i++)
    blocks[ARGUMENTS].size += strlen(checkpoint->arguments[i]) + 1;
  head first;
  memset(&first, 0, sizeof first); /* also zeroes the padding between members */
  memcpy(first.magic, magic, sizeof magic);
  strncpy(first.seam, seam_version(), sizeof first.seam - 1);
  first.version = FORMAT_VERSION;
  first.head_size = sizeof first;
  first.n_arguments = (uint64_t)checkpoint->n_arguments;
  for (int b = 0; b < N_BLOCKS; b++)
    first.size[b] = blocks[b].size;
  memcpy(first.extents, checkpoint->extents, sizeof first.extents);

  app_replacement out;
  TRY(output_replace(path, &out, error));
  uint64_t sum = 0;
  write_bytes(out.file, &sum, &first, sizeof first);
  for (int b = 0; b < N_BLOCKS; b++) {
    for (int i = 0; i < checkpoint->n_arguments && b == ARGUMENTS; i++)
      write_bytes(out.file, &sum, checkpoint->arguments[i], strlen(checkpoint->arguments[i]) + 1);
    if (b != ARGUMENTS)
      write_bytes(out.file, &sum, blocks[b].data, blocks[b].size);
    write_bytes(out.file, &sum, zeros, padded(blocks[b].size) - blocks[b].size);
  }
  fwrite(&sum, sizeof sum, 1, out.file);
  return output_commit_name(&out, error);
}

static bool find_head(const char *bytes, size_t size, head *first) {
  uint64_t sum = 0;
  if (size < sizeof *first + sizeof sum)
    return false;
  memcpy(&sum, bytes + size - sizeof sum, sizeof sum);
  memcpy(first, bytes, sizeof *first);
  first->seam[sizeof first->seam - 1] = '\0';
  return sum == checksum_add(0, bytes, size - sizeof sum) && memcmp(first->magic, magic, sizeof magic) == 0;
}

/* Finds the blocks. False: another version, or a block is incomplete or malformed. */
static bool find_blocks(const char *bytes, size_t size, const head *first, app_block blocks[N_BLOCKS]) {
  size_t at = sizeof *first;
  size_t n_texts = 0;
  const size_t end = size - sizeof(uint64_t);
  if (first->version != FORMAT_VERSION || first->head_size != sizeof *first)
    return false;
  for (int b = 0; b < N_BLOCKS; b++) {
    if (first->size[b] > end - at || padded(first->size[b]) > end - at)
      return false;
    if (b != RUN && (first->size[b] == 0 || bytes[at + first->size[b] - 1] != '\0'))
      return false;
    blocks[b] = (app_block){bytes + at, first->size[b]};
    at += padded(first->size[b]);
  }
  for (const char *text = blocks[ARGUMENTS].data; text < bytes + sizeof *first + first->size[ARGUMENTS]; text++)
    n_texts += *text == '\0';
  return at == end && first->n_arguments <= INT_MAX && first->n_arguments == n_texts;
}

seam_status checkpoint_read(const char *path, app_checkpoint *read, seam_error *error) {
  head first;
  app_block blocks[N_BLOCKS];
  size_t size = 0;
  char *bytes = file_read(path, SIZE_MAX - 1, &size);
  *read = (app_checkpoint){.memory = bytes};
  if (bytes == NULL)
    return output_not_read(path, "checkpoint", error);
  const bool has_head = find_head(bytes, size, &first);
  if (has_head && strcmp(first.seam, seam_version()) != 0)
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s: this is a checkpoint of Seam %s, which %s cannot go on from; run the model again", path,
                     first.seam, seam_version());
  if (!has_head || !find_blocks(bytes, size, &first, blocks))
    return seam_fail(error, SEAM_BAD_STATE,
                     "%s: this is not a complete checkpoint of this version of Seam (%s); name a file that 'seam run "
                     "--checkpoint' wrote, or run the model again",
                     path, seam_version());
  memcpy(read->extents, first.extents, sizeof first.extents);
  read->model = blocks[MODEL];
  read->run = blocks[RUN];
  read->arguments = calloc(first.n_arguments + 1, sizeof *read->arguments);
  TRY(check_memory(read->arguments != NULL, error));
  char *text = bytes + sizeof first;
  for (size_t i = 0; i < first.n_arguments; i++, text += strlen(text) + 1)
    read->arguments[i] = text;
  read->n_arguments = (int)first.n_arguments;
  return SEAM_OK;
}

void checkpoint_free(app_checkpoint *read) {
  free((void *)read->arguments);
  free(read->memory);
}
