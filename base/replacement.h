/* New files that take the place of others: each is made under a name by chance (64 bits) beside the other, and never
 * through a link: NAME.new-0123456789abcdef, where long names are cut. */
#ifndef BASE_REPLACEMENT_H
#define BASE_REPLACEMENT_H

#include <stddef.h>

#define REPLACEMENT_MARK ".new-"
/* Bytes of a file's own name that stand before the mark, at most, and digits behind it. */
enum { REPLACEMENT_KEEPS = 200, REPLACEMENT_DIGITS = 16 };

/* Makes one for `path`, below an open folder or AT_FDCWD. Returns its descriptor, for reading and writing; -1 with
 * errno. `temporary` (size) becomes its path there, by which the caller renames or removes it. */
int replacement_open(int folder, const char *path, char *temporary, size_t size);

#endif
