#include "base/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

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
