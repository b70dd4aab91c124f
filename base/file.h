/* Reading of whole files. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* Returns the bytes of a regular file and a terminating zero, allocated with malloc(). NULL: errno has the cause, EFBIG
 * for more bytes than `limit`, ESPIPE for a pipe or device; the function never waits for one. */
char *file_read(const char *path, size_t limit, size_t *size);

/* Describes the errno that file_read() set. */
const char *file_cause(int cause);

#endif
