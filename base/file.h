/* Paths, reading of complete files, and new files that replace others. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>

/* Returns the bytes of a regular file and a terminating zero, allocated with malloc(). NULL on failure, with the cause
 * in errno. EFBIG: more bytes than `limit`; ESPIPE: a pipe or device, on which the function never waits. */
char *file_read(const char *path, size_t limit, size_t *size);

/* Returns the path "folder/name", allocated with malloc(); NULL: no memory. */
char *file_path(const char *folder, const char *name);

/* Describes the errno that file_read() set. */
const char *file_cause(int cause);

/* A replacement is in the folder of the file that it will replace. Its name is NAME.new-0123456789abcdef: a long NAME
 * is cut, and the 64 bits are random. It is never opened through a link. */
#define REPLACEMENT_MARK ".new-"
/* Largest number of bytes of NAME before ".new-", and number of hexadecimal digits after it. */
enum { REPLACEMENT_PREFIX = 200, REPLACEMENT_DIGITS = 16 };

/* Creates a replacement for `path`, relative to an open folder or AT_FDCWD. Returns its descriptor, for reading and
 * writing; -1 on failure, with the cause in errno. Writes the path of the replacement to `temporary` (size); the caller
 * renames or removes it. */
int replacement_open(int folder, const char *path, char *temporary, size_t size);

#endif
