#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

char *file_read(const char *path, size_t limit, size_t *size) {
  const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* O_NONBLOCK: does not wait for a pipe */
  struct stat about = {0};
  int cause = descriptor < 0 || fstat(descriptor, &about) != 0 ? errno : 0;
  const size_t room = (size_t)about.st_size;
  if (cause == 0 && !S_ISREG(about.st_mode))
    cause = S_ISDIR(about.st_mode) ? EISDIR : ESPIPE;
  else if (cause == 0 && room > limit)
    cause = EFBIG;
  char *bytes = cause == 0 ? malloc(room + 1) : NULL;
  ssize_t n = 1;
  *size = 0;
  while (bytes != NULL && n > 0 && *size < room) {
    n = read(descriptor, bytes + *size, room - *size);
    *size += n > 0 ? (size_t)n : 0;
  }
  if (cause == 0 && (bytes == NULL || n < 0))
    cause = errno;
  if (descriptor >= 0)
    close(descriptor);
  if (cause == 0) {
    bytes[*size] = '\0';
    return bytes;
  }
  free(bytes);
  errno = cause;
  return NULL;
}

char *file_path(const char *folder, const char *name) {
  const size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path != NULL)
    snprintf(path, size, "%s/%s", folder, name);
  return path;
}

const char *file_cause(int cause) { return cause == ESPIPE ? "it is a pipe" : strerror(cause); }

int replacement_open(int folder, const char *path, char *temporary, size_t size) {
  const char *slash = strrchr(path, '/');
  const int before = slash != NULL ? (int)(slash + 1 - path) : 0;
  int descriptor = -1;
  do {
    uint64_t chance = 0;
    if (getrandom(&chance, sizeof chance, 0) != (ssize_t)sizeof chance)
      return -1;
    const int length = snprintf(temporary, size, "%.*s%.*s" REPLACEMENT_MARK "%0*" PRIx64, before, path,
                                REPLACEMENT_PREFIX, path + before, REPLACEMENT_DIGITS, chance);
    if (length < 0 || (size_t)length >= size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    descriptor = openat(folder, temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  return descriptor;
}
