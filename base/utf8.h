/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Returns the number of bytes of the valid UTF-8 character at `text`; 0: there is no valid character. `text` must be
 * terminated. Reads no byte after the terminating zero, because a zero does not continue a character. */
size_t utf8_length(const unsigned char *text);

#endif
