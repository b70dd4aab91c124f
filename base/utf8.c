#include "base/utf8.h"

size_t utf8_length(const unsigned char *text) {
  /* Columns: range of the first byte, range of the second byte, number of bytes. */
  static const struct {
    unsigned char first, last, second_first, second_last;
    size_t length;
  } table[] = {
      {0x00, 0x7f, 0x00, 0xff, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
      {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
      {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
  };
  size_t row = 0;
  const size_t n_rows = sizeof table / sizeof *table;
  while (row < n_rows && (text[0] < table[row].first || text[0] > table[row].last))
    row++;
  if (row == n_rows)
    return 0;
  if (table[row].length > 1 && (text[1] < table[row].second_first || text[1] > table[row].second_last))
    return 0;
  for (size_t i = 2; i < table[row].length; i++)
    if (text[i] < 0x80 || text[i] > 0xbf)
      return 0;
  return table[row].length;
}

bool text_is_control(const char *at) {
  const unsigned char byte = (unsigned char)at[0];
  const unsigned char next = byte == 0 ? 0 : (unsigned char)at[1];
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != 0) || byte == 0x7f ||
         (byte == 0xc2 && next >= 0x80 && next < 0xa0);
}

void text_make_printable(char *text) {
  for (; *text != '\0'; text++)
    if (text_is_control(text)) {
      if ((unsigned char)*text == 0xc2)
        *text++ = '?';
      *text = '?';
    }
}
