/* Control characters in a user's texts, which a terminal would obey. */
#ifndef BASE_PRINTABLE_H
#define BASE_PRINTABLE_H

#include <stdbool.h>

/* Returns true if a control character begins at `at`: DEL, or one of C0 and C1 (ISO 6429) except tab and new line. A C1
 * character in UTF-8 is 0xC2 and a byte below 0xA0. */
static inline bool text_is_control(const char *at) {
  const unsigned char byte = (unsigned char)at[0];
  const unsigned char next = byte == 0 ? 0 : (unsigned char)at[1];
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != 0) || byte == 0x7f ||
         (byte == 0xc2 && next >= 0x80 && next < 0xa0);
}

/* Replaces bytes of control characters by question marks. */
static inline void text_make_printable(char *text) {
  for (; *text != '\0'; text++)
    if (text_is_control(text)) {
      if ((unsigned char)*text == 0xc2)
        *text++ = '?';
      *text = '?';
    }
}

#endif
