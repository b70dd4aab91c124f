#include "app/report/base64.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(FILE *file, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  char text[4096];
  size_t length = 0;
  for (size_t i = 0; i < size; i += 3) {
    const unsigned char *from = at + i;
    const size_t n = size - i;
    char *to = text + length;
    const unsigned word = (unsigned)from[0] << 16 | (n > 1 ? (unsigned)from[1] << 8 : 0) | (n > 2 ? from[2] : 0);
    for (size_t j = 0; j < 4; j++)
      to[j] = j <= n ? digits[word >> (18 - 6 * j) & 63] : '=';
    length += 4;
    if (length == sizeof text) {
      fwrite(text, 1, length, file);
      length = 0;
    }
  }
  fwrite(text, 1, length, file);
}
