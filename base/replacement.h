/* New files that will replace others. Each has a random name (64 bits) in the same folder, NAME.new-0123456789abcdef,
 * with long NAMEs cut, and is never opened through a link. */
#ifndef BASE_REPLACEMENT_H
#define BASE_REPLACEMENT_H

#include <stddef.h>

#define REPLACEMENT_MARK ".new-"
/* Largest number of bytes of NAME before ".new-", and number of hexadecimal digits after it. */
enum { REPLACEMENT_PREFIX = 200, REPLACEMENT_DIGITS = 16 };

/* Creates a replacement for `path`, relative to an open folder or AT_FDCWD. Returns its descriptor, for reading and
 * writing; -1 on failure, with the cause in errno. `temporary` (size) receives the path of the replacement, which the
 * caller renames or removes. */
int replacement_open(int folder, const char *path, char *temporary, size_t size);

#endif
