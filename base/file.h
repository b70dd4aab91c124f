/* Paths and reading of complete files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* Returns the bytes of a regular file and a terminating zero, allocated with malloc(). NULL on failure, with the cause
 * in errno: EFBIG for more bytes than `limit`, ESPIPE for a pipe or device, on which the function never waits. */
char *file_read(const char *path, size_t limit, size_t *size);

/* Returns the path "folder/name", allocated with malloc(); NULL: no memory. */
char *file_path(const char *folder, const char *name);

/* Describes the errno that file_read() set. */
const char *file_cause(int cause);

#endif
