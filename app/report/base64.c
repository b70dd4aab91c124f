#include "app/report/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/* Encodes three bytes in four digits of six bits; missing bytes are zero, and digits of these alone are '='. */
static void encode(const unsigned char *from, size_t n, char to[4]) {
  const unsigned word = (unsigned)from[0] << 16 | (n > 1 ? (unsigned)from[1] << 8 : 0) | (n > 2 ? from[2] : 0);
  for (size_t i = 0; i < 4; i++)
    to[i] = i <= n ? digits[word >> (18 - 6 * i) & 63] : '=';
}

void base64_write(FILE *file, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  char text[4096];
  size_t length = 0;
  for (size_t i = 0; i < size; i += 3) {
    encode(at + i, size - i, text + length);
    length += 4;
    if (length == sizeof text) {
      fwrite(text, 1, length, file);
      length = 0;
    }
  }
  fwrite(text, 1, length, file);
}
