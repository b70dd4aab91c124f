/* UTF-8 (RFC 3629). */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Length of the valid sequence at `text`, which must be terminated; 0 when there is none. The terminating zero is not a
 * continuation byte, so nothing is read past it. */
size_t utf8_length(const unsigned char *text);

#endif
