/* UTF-8 (RFC 3629), and control characters in a user's texts, which a terminal would obey. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the number of bytes of the valid UTF-8 character at `text`; 0: there is no valid character. `text` must be
 * terminated. Reads no byte after the terminating zero, because a zero does not continue a character. */
size_t utf8_length(const unsigned char *text);

/* Returns true if a control character begins at `at`: DEL, or one of C0 and C1 (ISO 6429) except tab and new line. A C1
 * character in UTF-8 is 0xC2 and a byte below 0xA0. */
bool text_is_control(const char *at);

/* Replaces bytes of control characters by question marks. */
void text_make_printable(char *text);

#endif
