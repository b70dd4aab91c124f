/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Returns the length of the valid sequence at `text`, which must be terminated; 0: none. Reads no byte after the
 * terminating zero, because a zero does not continue a sequence. */
size_t utf8_length(const unsigned char *text);

#endif
