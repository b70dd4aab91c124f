/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Returns the length of the valid sequence at `text`, which must be terminated; 0: none. Does not read past the
 * terminating zero, as it is no continuation byte. */
size_t utf8_length(const unsigned char *text);

#endif
